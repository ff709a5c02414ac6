//go:build !cgo && !js

package webgpu

import (
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// Candidates returns one refused candidate: wgpu-native is a C library.
func (driver) Candidates() []backend.Candidate {
	return refused(fault.ErrUnsupported, "built without cgo")
}
