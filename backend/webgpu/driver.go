package webgpu

import (
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

func init() { backend.Register(driver{}) }

// driver finds WebGPU adapters.
type driver struct{}

// Name returns "webgpu".
func (driver) Name() string { return name }

const name = "webgpu"

// refused is the single candidate of a place without adapters.
func refused(kind error, why string) []backend.Candidate {
	return []backend.Candidate{{
		Info:    backend.Info{Backend: name, Name: "none", Kind: backend.GPU},
		Refused: fault.New(kind, name, "%s", why),
	}}
}
