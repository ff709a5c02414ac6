package main

import (
	"io"
	"log"
	"net/rpc"
	"os"
	"runtime"

	"github.com/weftgpu/weft/backend/cuda"
	"github.com/weftgpu/weft/internal/spirv"
	"github.com/weftgpu/weft/internal/testenv/compilers"
)

func main() {
	if err := rpc.Register(make(Compilers, runtime.GOMAXPROCS(0))); err != nil {
		log.Fatal(err)
	}
	rpc.ServeConn(struct {
		io.Reader
		io.WriteCloser
	}{os.Stdin, os.Stdout})
}

// Compilers answers calls, as many at a time as it has room for.
type Compilers chan struct{}

// enter waits for room, which the function that it returns gives back.
func (c Compilers) enter() (leave func()) {
	c <- struct{}{}
	return func() { <-c }
}

// NVRTCVersion tells which NVRTC there is.
func (c Compilers) NVRTCVersion(_ compilers.Source, v *compilers.Version) (err error) {
	defer c.enter()()
	v.Major, v.Minor, err = cuda.NVRTCVersion()
	return err
}

// NVRTC compiles CUDA C++ to a cubin.
func (c Compilers) NVRTC(s compilers.Source, r *compilers.Result) (err error) {
	defer c.enter()()
	if r.Binary, r.Log, err = cuda.CompileNVRTC(s.Arch, s.Name, s.Text); err != nil {
		return err
	}
	list, err := cuda.ResourceUsage(r.Binary)
	for _, u := range list {
		r.Usage = append(r.Usage, compilers.Usage(u))
	}
	return err
}

// SPIRV compiles WGSL.
func (c Compilers) SPIRV(s compilers.Source, r *compilers.Result) (err error) {
	defer c.enter()()
	r.Binary, err = spirv.Compile(s.Text)
	return err
}
