package emulated

import (
	"strings"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// SPIRV, after the name of a preset, asks for kernels as they are in SPIR-V.
const SPIRV = "+spirv"

// Device is a GPU that is not there.
type Device struct {
	Name string
	Caps target.Caps // of a language that has threads
}

// Preset is the device of a preset, by its name.
func Preset(name string) (d Device, ok bool) {
	short, spirv := strings.CutSuffix(name, SPIRV)
	p, ok := target.PresetNamed(short)
	switch {
	case !ok || spirv && p.SPIRV == nil:
		return d, false
	case spirv:
		return Device{name, *p.SPIRV}, true
	}
	return Device{name, p.Caps}, true
}

// Driver finds devices.
type Driver struct{ devices []Device }

// New returns a driver of some devices.
func New(devices ...Device) Driver { return Driver{devices} }

// Name is the backend's name.
func (Driver) Name() string { return "emulated" }

// Candidates are the devices, in their order.
func (d Driver) Candidates() (list []backend.Candidate) {
	for i, dev := range d.devices {
		info := backend.Info{Backend: d.Name(), Index: i, Name: dev.Name, Driver: "internal/machine", Kind: backend.Software, Memory: 1 << 32}
		c := backend.Candidate{Info: info, Open: func() (backend.Device, error) { return &device{info: info, caps: dev.Caps}, nil }}
		if dev.Caps.Language == target.TileIR {
			c.Refused = fault.New(fault.ErrUnsupported, "open", "%s has no threads", dev.Name)
		}
		list = append(list, c)
	}
	return list
}
