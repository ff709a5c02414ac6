//go:build !(((linux && !android) || windows) && (amd64 || arm64))

package cuda

import (
	"runtime"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

func init() { backend.Register(driver{}) }

// driver says that there is no CUDA on this platform.
type driver struct{}

// Name returns "cuda".
func (driver) Name() string { return "cuda" }

// Candidates returns one refused candidate.
func (driver) Candidates() []backend.Candidate {
	return []backend.Candidate{{Info: backend.Info{Backend: "cuda", Kind: backend.GPU}, Refused: noCUDA()}}
}

func noCUDA() error {
	return fault.New(fault.ErrUnsupported, "cuda", "CUDA is not available on %s/%s", runtime.GOOS, runtime.GOARCH)
}

// NVRTCVersion returns the version of the NVRTC found on this machine. On this
// platform there is none.
func NVRTCVersion() (major, minor int, err error) { return 0, 0, noCUDA() }

// CompileNVRTC compiles CUDA C++ to a cubin. On this platform it cannot.
func CompileNVRTC(arch, name, text string) (cubin []byte, log string, err error) {
	return nil, "", noCUDA()
}
