package backend

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/weftgpu/weft/fault"
)

var registry struct {
	sync.Mutex
	drivers map[string]Driver
}

// Register makes a driver known; a backend calls it from its init function.
// It panics if the driver is nil or its name is taken, which is an error of the program's imports.
func Register(d Driver) {
	if d == nil {
		panic("weft: backend.Register of a nil driver")
	}
	registry.Lock()
	defer registry.Unlock()
	if registry.drivers == nil {
		registry.drivers = map[string]Driver{}
	}
	if _, dup := registry.drivers[d.Name()]; dup {
		panic("weft: backend " + d.Name() + " registered twice")
	}
	registry.drivers[d.Name()] = d
}

func drivers() []Driver {
	registry.Lock()
	defer registry.Unlock()
	list := make([]Driver, 0, len(registry.drivers))
	for _, d := range registry.drivers {
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b Driver) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

// preference ranks backends on real GPUs, the best first.
var preference = []string{"cuda", "vulkan", "webgpu"}

// rank orders candidates: GPUs by preference of their backend, then the CPU,
// then software implementations of GPU interfaces.
func rank(c Candidate) int {
	i := slices.Index(preference, c.Backend)
	if i < 0 {
		i = len(preference)
	}
	switch c.Kind {
	case GPU:
		return i
	case CPU:
		return 100
	default:
		return 200 + i
	}
}

// Candidates lists the devices of all registered backends, the best first and
// the refused ones last. The order does not depend on the order of registration.
func Candidates() []Candidate {
	var all []Candidate
	for _, d := range drivers() {
		all = append(all, d.Candidates()...)
	}
	slices.SortStableFunc(all, func(a, b Candidate) int {
		if (a.Refused == nil) != (b.Refused == nil) {
			if a.Refused == nil {
				return -1
			}
			return 1
		}
		return rank(a) - rank(b)
	})
	return all
}

// Open opens the device that spec names: "" for the best one, "name" for the
// best of one backend, "name:index" for a certain one. The error of a refused
// or unknown device lists every candidate with its reason.
func Open(spec string) (Device, error) {
	name, index, err := parseSpec(spec)
	if err != nil {
		return nil, err
	}
	var reasons []string
	for _, c := range Candidates() {
		if name != "" && (c.Backend != name || index >= 0 && c.Index != index) {
			continue
		}
		if c.Refused == nil {
			dev, err := c.open()
			if err == nil {
				return dev, nil
			}
			c.Refused = err
		}
		reasons = append(reasons, refusal(c))
	}
	return nil, noDevice(spec, reasons)
}

// open opens the device of a candidate that is not refused.
func (c *Candidate) open() (Device, error) {
	if c.Open == nil {
		return nil, fault.New(fault.ErrDevice, c.Backend, "the driver cannot open it")
	}
	dev, err := c.Open()
	if err == nil && dev == nil {
		return nil, fault.New(fault.ErrDevice, c.Backend, "the driver opened no device")
	}
	return dev, err
}

// Reason is the text of an error of a backend for places that name the backend and say that no device is usable.
func Reason(err error, backend string) string {
	why := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "weft: "), backend+": ")
	return strings.TrimSuffix(why, ": "+fault.ErrDevice.Error())
}

// refusal says why a candidate is no use, without the words that the error around it has.
func refusal(c Candidate) string {
	device := fmt.Sprintf("%s:%d", c.Backend, c.Index)
	if c.Name != "" {
		device += " (" + c.Name + ")"
	}
	return device + ": " + Reason(c.Refused, c.Backend)
}

func noDevice(spec string, reasons []string) error {
	if len(reasons) > 0 {
		what := "no device is usable"
		if spec != "" {
			what = fmt.Sprintf("device %q is not usable", spec)
		}
		return fault.New(fault.ErrDevice, "open", "%s: %s", what, strings.Join(reasons, "; "))
	}
	var known []string
	for _, c := range Candidates() {
		known = append(known, fmt.Sprintf("%s:%d", c.Backend, c.Index))
	}
	if known == nil {
		return fault.New(fault.ErrDevice, "open", "the program has no backend: import one, or all of them by backend/all")
	}
	return fault.New(fault.ErrDevice, "open", "no device named %q, want one of %s; a program has the backends that it imports, see backend/all",
		spec, strings.Join(known, ", "))
}

func parseSpec(spec string) (name string, index int, err error) {
	name, num, found := strings.Cut(spec, ":")
	if !found {
		return name, -1, nil
	}
	index, err = strconv.Atoi(num)
	if err != nil || index < 0 || name == "" {
		return "", 0, fault.New(fault.ErrDevice, "open", "device %q, want a name or name:index, such as cuda or cuda:1", spec)
	}
	return name, index, nil
}
