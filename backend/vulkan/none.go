//go:build !cgo || !(linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"runtime"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

func init() { backend.Register(driver{}) }

// driver stands in where the binding cannot be built.
type driver struct{}

func (driver) Name() string { return "vulkan" }

func (driver) Candidates() []backend.Candidate {
	return []backend.Candidate{{
		Info:    backend.Info{Backend: "vulkan", Name: "Vulkan", Kind: backend.GPU},
		Refused: fault.New(fault.ErrUnsupported, "vulkan", "%s", reason()),
	}}
}

func reason() string {
	if runtime.GOOS == "darwin" {
		return "built without cgo or without the tag weft_moltenvk"
	}
	return "built without cgo"
}
