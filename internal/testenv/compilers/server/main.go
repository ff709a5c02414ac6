package main

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	"github.com/weftgpu/weft/backend/cuda"
	"github.com/weftgpu/weft/internal/spirv"
	"github.com/weftgpu/weft/internal/testenv/compilers"
)

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

// serve answers requests as they are done, as many at a time as there are processors.
func serve(r io.Reader, w io.Writer) error {
	in, out := gob.NewDecoder(bufio.NewReader(r)), gob.NewEncoder(w)
	var mu sync.Mutex
	var done sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	defer done.Wait()
	for {
		var q compilers.Request
		if err := in.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		slots <- struct{}{}
		done.Go(func() {
			reply := answer(q)
			<-slots
			mu.Lock()
			defer mu.Unlock()
			if err := out.Encode(reply); err != nil {
				os.Exit(1) // nobody reads on
			}
		})
	}
}

func answer(q compilers.Request) compilers.Reply {
	reply := compilers.Reply{ID: q.ID}
	var err error
	switch q.Kind {
	case compilers.NVRTCVersion:
		reply.Major, reply.Minor, err = cuda.NVRTCVersion()
	case compilers.CUDA:
		reply.Binary, reply.Log, err = cuda.CompileNVRTC(q.Arch, q.Name, q.Text)
		if err == nil {
			reply.Usage, err = usage(reply.Binary)
		}
	case compilers.WGSL:
		reply.Binary, err = spirv.Compile(q.Text)
	default:
		err = fmt.Errorf("a request of kind %d", q.Kind)
	}
	if err != nil {
		reply.Err = err.Error()
	}
	return reply
}

func usage(cubin []byte) ([]compilers.Usage, error) {
	list, err := cuda.ResourceUsage(cubin)
	var out []compilers.Usage
	for _, u := range list {
		out = append(out, compilers.Usage(u))
	}
	return out, err
}
