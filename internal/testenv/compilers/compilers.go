package compilers

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/weftgpu/weft/internal/testenv"
)

// Server is the command that answers requests on its standard input.
const Server = "github.com/weftgpu/weft/internal/testenv/compilers/server"

// A Kind is what a request asks for.
type Kind int

const (
	NVRTCVersion Kind = iota // which NVRTC there is: a reply's Major and Minor
	CUDA                     // compile CUDA C++ to a cubin
	WGSL                     // compile WGSL to SPIR-V
)

// A Request is one compilation. Arch and Name are those of CUDA alone.
type Request struct {
	ID               int
	Kind             Kind
	Arch, Name, Text string
}

// A Reply answers the request of the same ID.
type Reply struct {
	ID           int
	Binary       []byte
	Log          string  // of NVRTC: warnings, or why it failed
	Usage        []Usage // of the kernels of a cubin
	Err          string  // empty for none
	Major, Minor int
}

// Usage is what a kernel of a cubin takes of a multiprocessor; see cuda.Usage.
type Usage struct {
	Kernel                   string
	Registers, Stack, Shared int
}

// SPIRV compiles WGSL to SPIR-V, as backend/vulkan does.
func SPIRV(t testing.TB, text string) ([]byte, error) {
	t.Helper()
	r := ask(t, Request{Kind: WGSL, Text: text})
	return r.Binary, r.err()
}

// NVRTC compiles CUDA C++, as backend/cuda does. The log is that of the compiler, with its warnings
// where it succeeds. RequireNVRTC comes first.
func NVRTC(t testing.TB, arch, name, text string) (cubin []byte, usage []Usage, log string, err error) {
	t.Helper()
	r := ask(t, Request{Kind: CUDA, Arch: arch, Name: name, Text: text})
	return r.Binary, r.Usage, r.Log, r.err()
}

// RequireNVRTC returns the version of NVRTC, and skips the test where there is none.
func RequireNVRTC(t testing.TB) (major, minor int) {
	t.Helper()
	r := ask(t, Request{Kind: NVRTCVersion})
	if err := r.err(); err != nil {
		testenv.Skip(t, "nvrtc", err.Error())
	}
	return r.Major, r.Minor
}

func (r Reply) err() error {
	if r.Err == "" {
		return nil
	}
	return errors.New(r.Err)
}

// ask sends a request to the process and waits for the answer. It fails the test if there is none.
func ask(t testing.TB, r Request) Reply {
	t.Helper()
	p, err := start()
	if err != nil {
		t.Fatalf("start %s: %v", Server, err)
	}
	reply, err := p.ask(r)
	if err != nil {
		t.Fatalf("%s: %v", Server, err)
	}
	return reply
}

// process is the running server. It ends when its standard input does, which is when the test's
// own process has ended.
type process struct {
	mu      sync.Mutex
	send    *gob.Encoder
	waiting map[int]chan Reply // by ID
	next    int
	ended   error // why no more answers come
}

// start starts the process once.
var start = sync.OnceValues(func() (*process, error) {
	if err := watchSources(); err != nil {
		return nil, err
	}
	os.Getenv("WEFT_NVRTC") // go test keeps results by what tests read, and cannot see what the server reads
	cmd := exec.Command("go", "run", Server)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr // and not that of the test, which go test would wait for
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{send: gob.NewEncoder(in), waiting: map[int]chan Reply{}}
	go func() {
		err := p.receive(out)
		p.end(fmt.Errorf("it ended: %v, %v\n%s", err, cmd.Wait(), stderr.String()))
	}()
	return p, nil
})

// watchSources looks at the files that the server is made of, so that go test does not answer from
// its cache when one of them has changed.
func watchSources() error {
	const files = `{{if .Module}}{{if .Module.Main}}{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{end}}{{end}}`
	out, err := exec.Command("go", "list", "-deps", "-f", files, Server).Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	for _, file := range strings.Fields(string(out)) {
		if _, err := os.Stat(file); err != nil {
			return err
		}
	}
	return nil
}

func (p *process) ask(r Request) (Reply, error) {
	answer := make(chan Reply, 1)
	p.mu.Lock()
	if p.ended != nil {
		defer p.mu.Unlock()
		return Reply{}, p.ended
	}
	p.next++
	r.ID = p.next
	p.waiting[r.ID] = answer
	err := p.send.Encode(r)
	p.mu.Unlock()
	if err != nil {
		return Reply{}, err
	}
	reply, ok := <-answer
	if !ok {
		return Reply{}, p.ended
	}
	return reply, nil
}

// receive hands out answers until there are no more.
func (p *process) receive(r io.Reader) error {
	for in := gob.NewDecoder(r); ; {
		var reply Reply
		if err := in.Decode(&reply); err != nil {
			return err
		}
		p.mu.Lock()
		answer := p.waiting[reply.ID]
		delete(p.waiting, reply.ID)
		p.mu.Unlock()
		if answer == nil {
			return fmt.Errorf("the answer is to request %d, which was not made", reply.ID)
		}
		answer <- reply
	}
}

// end tells all who wait that no answer comes.
func (p *process) end(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = err
	for _, answer := range p.waiting {
		close(answer)
	}
}
