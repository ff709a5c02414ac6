package compilers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/rpc"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/weftgpu/weft/internal/testenv"
)

// Server is the command that answers calls on its standard input.
const Server = "github.com/weftgpu/weft/internal/testenv/compilers/server"

// A Source is what is compiled. Arch and Name are those of CUDA alone.
type Source struct{ Arch, Name, Text string }

// A Result is what it was compiled to.
type Result struct {
	Binary []byte
	Log    string  // warnings of NVRTC
	Usage  []Usage // of the kernels of a cubin
}

// Version is that of NVRTC.
type Version struct{ Major, Minor int }

// Usage is what a kernel of a cubin takes of a multiprocessor; see cuda.Usage.
type Usage struct {
	Kernel                   string
	Registers, Stack, Shared int
}

// SPIRV compiles WGSL to SPIR-V, as backend/vulkan does.
func SPIRV(t testing.TB, text string) ([]byte, error) {
	t.Helper()
	var r Result
	err := call(t, "SPIRV", Source{Text: text}, &r)
	return r.Binary, err
}

// NVRTC compiles CUDA C++, as backend/cuda does. The log is that of the compiler, with its warnings;
// an error holds it itself. RequireNVRTC comes first.
func NVRTC(t testing.TB, arch, name, text string) (cubin []byte, usage []Usage, log string, err error) {
	t.Helper()
	var r Result
	err = call(t, "NVRTC", Source{arch, name, text}, &r)
	return r.Binary, r.Usage, r.Log, err
}

// RequireNVRTC returns the version of NVRTC, and skips the test where there is none.
func RequireNVRTC(t testing.TB) (major, minor int) {
	t.Helper()
	var v Version
	if err := call(t, "NVRTCVersion", Source{}, &v); err != nil {
		testenv.Skip(t, "nvrtc", err.Error())
	}
	return v.Major, v.Minor
}

// call calls the server and returns its error. It fails the test if there is no answer.
func call(t testing.TB, method string, in Source, out any) error {
	t.Helper()
	s, err := start()
	if err != nil {
		t.Fatalf("start %s: %v", Server, err)
	}
	err = s.Call("Compilers."+method, in, out)
	if _, answered := errors.AsType[rpc.ServerError](err); err != nil && !answered {
		t.Fatalf("%s ended: %v, %v\n%s", Server, err, s.wait(), s.stderr.String())
	}
	return err
}

// server is the running process. It ends when its standard input does, which is when the test's
// own process has ended.
type server struct {
	*rpc.Client
	wait   func() error
	stderr bytes.Buffer
}

// start starts the process once.
var start = sync.OnceValues(func() (*server, error) {
	if err := watchSources(); err != nil {
		return nil, err
	}
	os.Getenv("WEFT_NVRTC") // go test keeps results by what tests read, and cannot see what the server reads
	cmd := exec.Command("go", "run", Server)
	s := &server{wait: sync.OnceValue(cmd.Wait)}
	cmd.Stderr = &s.stderr // and not that of the test, which go test would wait for
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.Client = rpc.NewClient(struct {
		io.Reader
		io.WriteCloser
	}{out, in})
	return s, cmd.Start()
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
