package backend

import (
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// Owned is a buffer, a program or an event of a backend, whose type of device is D: what the checks below ask it.
type Owned[D comparable] interface {
	comparable
	// Owner is the device that made it.
	Owner() D
	// IsClosed reports whether it is closed. What guards that in the device is held.
	IsClosed() bool
}

// OwnedProgram is a program of a backend.
type OwnedProgram[D comparable] interface {
	Owned[D]
	// LaunchSource is what the program was loaded from.
	LaunchSource() *Source
}

// Closed is the error of an op for what is closed, such as "device" or "buffer".
func Closed(op, what string) *fault.Error {
	return fault.New(fault.ErrClosed, op, "the %s is closed", what)
}

// Own is x, a program, a buffer or an event, as the type that it has in the device's backend, or an error that says whose it is.
func Own[T Owned[D], D comparable](dev D, info Info, op, what, arg string, x any) (T, error) {
	var none T
	if t, ok := x.(T); ok && t != none && t.Owner() == dev {
		return t, nil
	}
	return none, foreign(op, what, arg, x, info)
}

// OwnLaunch checks all of a launch but what is closed: CheckLaunch, and that program and buffers are the device's. It appends the
// buffers to a list, to which a backend gives room, so that a launch allocates nothing.
func OwnLaunch[P OwnedProgram[D], B Owned[D], D comparable](dev D, info Info, caps *target.Caps, prog Program, l Launch, list []B) (p P, buffers []B, empty bool, err error) {
	if p, err = Own[P](dev, info, "launch", "program", "p", prog); err != nil {
		return p, nil, false, err
	}
	src := p.LaunchSource()
	if empty, err = checkLaunch(src, caps, &l); err != nil {
		return p, nil, false, err
	}
	for i, given := range l.Buffers {
		b, ok := given.(B)
		var none B
		if !ok || b == none || b.Owner() != dev {
			return p, nil, false, foreign("launch "+src.Entry, "buffer", src.Bindings[i].Name, given, info)
		}
		list = append(list, b)
	}
	return p, list, empty, nil
}

// OpenLaunch fails if the program or a buffer of a launch is closed.
func OpenLaunch[P OwnedProgram[D], B Owned[D], D comparable](p P, buffers []B) error {
	src := p.LaunchSource()
	if p.IsClosed() {
		return Closed("launch "+src.Entry, "program")
	}
	for i, b := range buffers {
		if b.IsClosed() {
			return Closed("launch "+src.Entry, "buffer").For(src.Bindings[i].Name)
		}
	}
	return nil
}

// CheckBuffer validates the length of a new buffer against the device's limit.
func CheckBuffer(op string, bytes int64, caps *target.Caps) error {
	switch {
	case bytes < 0:
		return fault.New(fault.ErrArgument, op, "the size is %d bytes, want 0 or more", bytes)
	case caps.MaxBufferBytes > 0 && bytes > caps.MaxBufferBytes:
		return fault.New(fault.ErrLimit, op, "a buffer of %d bytes, the device allows %d at most", bytes, caps.MaxBufferBytes)
	}
	return nil
}

// remedies say what to do with what belongs to another device.
var remedies = map[string]string{
	"program": "load its source on this one",
	"buffer":  "copy its bytes by Download and Upload",
	"event":   "record both events on one stream",
}

// foreign is the error of an op of a device for a program, a buffer or an event that another one made. arg is the parameter's or the
// binding's name. Two openings of one device are two devices.
//
// The error is of fault.ErrDevice, and of fault.ErrArgument for nil.
func foreign(op, what, arg string, x any, device Info) error {
	if x == nil {
		return fault.New(fault.ErrArgument, op, "the %s is nil", what).For(arg)
	}
	return fault.New(fault.ErrDevice, op, "the %s belongs to another device than %s:%d, or another opening of it: %s",
		what, device.Backend, device.Index, remedies[what]).For(arg)
}
