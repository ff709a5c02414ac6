package emulated

import (
	"strings"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// SPIRV, after the name of a preset, asks for kernels as they are in SPIR-V.
const SPIRV = "+spirv"

// Driver finds the devices of some presets.
type Driver struct{ presets []string }

// New returns a driver whose devices are the presets of some names, which panics if there is none of a name.
func New(presets ...string) Driver {
	for _, name := range presets {
		if _, ok := capsOf(name); !ok {
			panic("emulated: no preset " + name)
		}
	}
	return Driver{presets}
}

func capsOf(name string) (target.Caps, bool) {
	short, spirv := strings.CutSuffix(name, SPIRV)
	p, ok := target.PresetNamed(short)
	switch {
	case !ok || spirv && p.SPIRV == nil:
		return target.Caps{}, false
	case spirv:
		return *p.SPIRV, true
	}
	return p.Caps, true
}

// Name is the backend's name.
func (Driver) Name() string { return "emulated" }

// Candidates are the devices, in the order of the presets.
func (d Driver) Candidates() (list []backend.Candidate) {
	for i, name := range d.presets {
		caps, _ := capsOf(name)
		info := backend.Info{Backend: d.Name(), Index: i, Name: name, Driver: "internal/machine", Kind: backend.Software, Memory: 1 << 32}
		list = append(list, backend.Candidate{Info: info, Open: func() (backend.Device, error) {
			if caps.Language == target.TileIR {
				return nil, fault.New(fault.ErrUnsupported, "open", "%s has no threads", name)
			}
			return &device{info: info, caps: caps}, nil
		}})
	}
	return list
}
