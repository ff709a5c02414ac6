package backend

import "github.com/weftgpu/weft/fault"

// remedies say what to do with what belongs to another device.
var remedies = map[string]string{
	"program": "load its source on this one",
	"buffer":  "copy its bytes by Download and Upload",
	"event":   "record both events on one stream",
}

// Foreign is the error of an op of a device for a program, a buffer or an event that another one made. arg is the parameter's or the
// binding's name. Two openings of one device are two devices.
//
// The error is of fault.ErrDevice, and of fault.ErrArgument for nil.
func Foreign(op, what, arg string, x any, device Info) error {
	if x == nil {
		return fault.New(fault.ErrArgument, op, "the %s is nil", what).For(arg)
	}
	return fault.New(fault.ErrDevice, op, "the %s belongs to another device than %s:%d, or another opening of it: %s",
		what, device.Backend, device.Index, remedies[what]).For(arg)
}
