//go:build cgo || js

package webgpu

import (
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// Candidates lists the adapters that WebGPU finds. They are looked for once.
func (driver) Candidates() []backend.Candidate {
	found, err := adapters()
	if err != nil {
		return refused(fault.ErrUnsupported, err.Error())
	}
	var list []backend.Candidate
	for _, a := range found {
		list = append(list, backend.Candidate{
			Info: a.Info,
			Open: func() (backend.Device, error) {
				g, err := a.open()
				if err != nil {
					return nil, err
				}
				return newDevice(a.Info, g)
			},
		})
	}
	return list
}
