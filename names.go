package weft

import (
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
)

// The sentinels. Every error of weft wraps one of them.
var (
	ErrUnsupported = fault.ErrUnsupported // the device, the backend or the op cannot do what was asked
	ErrLimit       = fault.ErrLimit       // a size is beyond a limit of the device
	ErrArgument    = fault.ErrArgument    // an argument or an option is not valid: nil, an element type, a number, an axis
	ErrShape       = fault.ErrShape       // ranks, sizes or strides do not fit together
	ErrKernel      = fault.ErrKernel      // the description of a kernel is not valid
	ErrDevice      = fault.ErrDevice      // operands on different devices, or no such device
	ErrClosed      = fault.ErrClosed      // a device or tensor is used after Close
	ErrDeviceLost  = fault.ErrDeviceLost  // the device stopped answering
	ErrCanceled    = fault.ErrCanceled    // work was ended before it was done; see Device.SynchronizeContext
	ErrOutOfMemory = fault.ErrOutOfMemory // an allocation did not fit
)

// Error is the type of the library's errors: op, argument, source line and message.
type Error = fault.Error

// DType is the type of a tensor's elements.
type DType = dtype.Type

// The element types.
const (
	Bool = dtype.Bool
	I8   = dtype.I8
	U8   = dtype.U8
	I16  = dtype.I16
	U16  = dtype.U16
	I32  = dtype.I32
	U32  = dtype.U32
	I64  = dtype.I64
	U64  = dtype.U64
	F16  = dtype.F16
	BF16 = dtype.BF16
	F32  = dtype.F32
	F64  = dtype.F64
)

// Element lists the Go types that stand for element types.
type Element = dtype.Element

// Float16 is the Go type of an F16 element, which Go itself lacks.
type Float16 = dtype.Float16

// BFloat16 is the Go type of a BF16 element, which Go itself lacks.
type BFloat16 = dtype.BFloat16

// Event is a point in a device's work with a device timestamp.
type Event = backend.Event
