//go:build ((linux && !android) || windows) && (amd64 || arm64)

package cuda

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/weftgpu/weft/fault"
)

// nvrtcTable holds the functions of libnvrtc; all return an nvrtcResult.
type nvrtcTable struct {
	Version              proc `sym:"nvrtcVersion"`              // (int *major, int *minor)
	GetNumSupportedArchs proc `sym:"nvrtcGetNumSupportedArchs"` // (int *n)
	GetSupportedArchs    proc `sym:"nvrtcGetSupportedArchs"`    // (int *archs)
	CreateProgram        proc `sym:"nvrtcCreateProgram"`        // (prog*, src, name, int headers, headers, names)
	DestroyProgram       proc `sym:"nvrtcDestroyProgram"`       // (prog*)
	CompileProgram       proc `sym:"nvrtcCompileProgram"`       // (prog, int n, char **options)
	GetProgramLogSize    proc `sym:"nvrtcGetProgramLogSize"`    // (prog, size_t*)
	GetProgramLog        proc `sym:"nvrtcGetProgramLog"`        // (prog, char*)
	GetCUBINSize         proc `sym:"nvrtcGetCUBINSize"`         // (prog, size_t*)
	GetCUBIN             proc `sym:"nvrtcGetCUBIN"`             // (prog, char*)
}

// nvrtcLib is a loaded NVRTC. Its methods may be called from many goroutines.
type nvrtcLib struct {
	nvrtcTable
	errorString  func(status int32) string // nvrtcGetErrorString
	path         string
	major, minor int
	archs        []int // compute capabilities it compiles for, 90 for 9.0
}

// nvrtcResult values that mean more than a failure.
const (
	nvrtcOutOfMemory = 1
	nvrtcCompilation = 6
)

// theNVRTC is the process's NVRTC: the first found that suits the driver, if
// there is a driver.
var theNVRTC = sync.OnceValues(func() (*nvrtcLib, error) {
	maxMajor := 0
	if lib, err := theDriver(); err == nil {
		maxMajor = lib.version / 1000
	}
	return openNVRTC(nvrtcPaths(), maxMajor)
})

// NVRTCVersion returns the version of the NVRTC found on this machine, which
// needs no GPU. It fails with fault.ErrUnsupported if there is none.
func NVRTCVersion() (major, minor int, err error) {
	lib, err := theNVRTC()
	if err != nil {
		return 0, 0, err
	}
	return lib.major, lib.minor, nil
}

// CompileNVRTC compiles CUDA C++ to a cubin for an architecture such as
// "sm_90a", which needs no GPU. Functions without an execution space are device
// functions, the language is C++17 and arithmetic is IEEE (no fast math). name
// stands for the file in the log, which is also returned on success, with the
// warnings. An error of the source is a fault.ErrKernel that carries the log;
// an unknown architecture is a fault.ErrUnsupported.
func CompileNVRTC(arch, name, text string) (cubin []byte, log string, err error) {
	lib, err := theNVRTC()
	if err != nil {
		return nil, "", err
	}
	return lib.compile(arch, name, text)
}

// options are what every kernel is compiled with, in addition to its architecture. NVRTC refuses options that it does not know.
func (lib *nvrtcLib) options() []string {
	options := []string{"-default-device", "--std=c++17"}
	if lib.atLeast(12, 4) {
		options = append(options, "--minimal") // without declarations that kernels do not use: a few milliseconds less
	}
	return options
}

func (lib *nvrtcLib) atLeast(major, minor int) bool {
	return lib.major > major || lib.major == major && lib.minor >= minor
}

// String names the compiler and its options, for keys of caches. The version that the library
// tells lacks the patch level; where its file is known, that file's length stands for it.
func (lib *nvrtcLib) String() string {
	s := fmt.Sprintf("NVRTC %d.%d %s", lib.major, lib.minor, strings.Join(lib.options(), " "))
	if info, err := os.Stat(lib.path); err == nil {
		s += fmt.Sprintf(" (%d bytes)", info.Size())
	}
	return s
}

// loadNVRTC loads the library at path.
func loadNVRTC(path string) (*nvrtcLib, error) {
	handle, err := openLibrary(path)
	if err != nil {
		return nil, err
	}
	for _, file := range builtins(path, builtinsPattern) {
		_, _ = openLibrary(file) // if it is missed, the first compilation says so
	}
	lib := &nvrtcLib{path: path}
	if err := bind(handle, &lib.nvrtcTable); err != nil {
		return nil, err
	}
	text, err := findSymbol(handle, "nvrtcGetErrorString")
	if err != nil {
		return nil, err
	}
	purego.RegisterFunc(&lib.errorString, text)
	var major, minor, count int32
	if r := lib.Version.call(uintptr(unsafe.Pointer(&major)), uintptr(unsafe.Pointer(&minor))); r != 0 {
		return nil, lib.fault(&lib.Version, r, "")
	}
	lib.major, lib.minor = int(major), int(minor)
	if r := lib.GetNumSupportedArchs.call(uintptr(unsafe.Pointer(&count))); r != 0 {
		return nil, lib.fault(&lib.GetNumSupportedArchs, r, "")
	}
	archs := make([]int32, count+1) // never empty
	if r := lib.GetSupportedArchs.call(uintptr(unsafe.Pointer(&archs[0]))); r != 0 {
		return nil, lib.fault(&lib.GetSupportedArchs, r, "")
	}
	for _, arch := range archs[:count] {
		lib.archs = append(lib.archs, int(arch))
	}
	return lib, nil
}

// compile is CompileNVRTC with this library.
func (lib *nvrtcLib) compile(arch, name, text string) (cubin []byte, log string, err error) {
	source, file := cString(text), cString(name)
	var program uintptr
	if r := lib.CreateProgram.call(uintptr(unsafe.Pointer(&program)), uintptr(unsafe.Pointer(&source[0])),
		uintptr(unsafe.Pointer(&file[0])), 0, 0, 0); r != 0 {
		return nil, "", lib.fault(&lib.CreateProgram, r, "")
	}
	defer func() { lib.DestroyProgram.call(uintptr(unsafe.Pointer(&program))) }()

	// The array of options holds addresses as integers: each option is pinned.
	var pin runtime.Pinner
	defer pin.Unpin()
	var options []uintptr
	for _, option := range append([]string{"--gpu-architecture=" + arch}, lib.options()...) {
		text := cString(option)
		pin.Pin(&text[0])
		options = append(options, addr(text))
	}
	r := lib.CompileProgram.call(program, uintptr(len(options)), uintptr(unsafe.Pointer(&options[0])))
	said, logErr := lib.output(program, &lib.GetProgramLogSize, &lib.GetProgramLog)
	log = strings.TrimSpace(trimNUL(said))
	if r != 0 {
		return nil, log, lib.fault(&lib.CompileProgram, r, ": "+name+" for "+arch+"\n"+log)
	}
	if logErr != nil {
		return nil, log, logErr
	}
	cubin, err = lib.output(program, &lib.GetCUBINSize, &lib.GetCUBIN)
	return cubin, log, err
}

// output fetches the log or the binary of a program.
func (lib *nvrtcLib) output(program uintptr, size, get *proc) ([]byte, error) {
	var n uintptr
	if r := size.call(program, uintptr(unsafe.Pointer(&n))); r != 0 {
		return nil, lib.fault(size, r, "")
	}
	if n == 0 {
		return nil, nil
	}
	b := make([]byte, n)
	if r := get.call(program, uintptr(unsafe.Pointer(&b[0]))); r != 0 {
		return nil, lib.fault(get, r, "")
	}
	return b, nil
}

// fault turns a status into an error of the op "cuda: nvrtcName"; detail follows the status' text.
func (lib *nvrtcLib) fault(p *proc, status int32, detail string) error {
	kind := fault.ErrUnsupported
	switch status {
	case nvrtcCompilation:
		kind = fault.ErrKernel
	case nvrtcOutOfMemory:
		kind = fault.ErrOutOfMemory
	}
	return fault.New(kind, "cuda: "+p.name, "%s%s", lib.errorString(status), detail)
}
