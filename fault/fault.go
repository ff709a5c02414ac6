package fault

import (
	"errors"
	"fmt"
	"strings"
)

// The sentinels. An error of weft wraps exactly one of them.
var (
	// ErrUnsupported: the device, the backend or the op cannot do what was asked.
	ErrUnsupported = errors.New("unsupported")
	// ErrLimit: a size is beyond a limit of the device.
	ErrLimit = errors.New("limit exceeded")
	// ErrArgument: an argument or an option is not valid whatever the shapes are: nil, an element type that
	// does not fit, a number out of its range, an axis that does not exist, too few or too many of them.
	ErrArgument = errors.New("invalid argument")
	// ErrShape: ranks, sizes or strides do not fit together.
	ErrShape = errors.New("shape mismatch")
	// ErrKernel: the description of a kernel is not valid.
	ErrKernel = errors.New("invalid kernel")
	// ErrDevice: operands live on different devices, or no such device exists.
	ErrDevice = errors.New("wrong device")
	// ErrClosed: a device, a buffer or a tensor is used after Close.
	ErrClosed = errors.New("closed")
	// ErrDeviceLost: the device stopped answering; its contents are lost.
	ErrDeviceLost = errors.New("device lost")
	// ErrCanceled: the work was ended before it was done; the cause is that of the context.
	ErrCanceled = errors.New("canceled")
	// ErrOutOfMemory: an allocation did not fit.
	ErrOutOfMemory = errors.New("out of memory")
)

// Error is a failure with its place: the op, the argument of the op and the
// source line of the kernel, each empty where it does not apply.
type Error struct {
	Kind error  // one of the sentinels
	Op   string // "matmul", "load", "cuda: cuMemAlloc"
	Arg  string // "b", "axis"
	Pos  string // "softmax.go:31", the line of the kernel
	Msg  string // what was found and what was expected
	Err  error  // cause, or nil
}

// New returns an error of a kind for an op; the message is formatted as by fmt.Sprintf.
func New(kind error, op, format string, args ...any) *Error {
	return &Error{Kind: kind, Op: op, Msg: fmt.Sprintf(format, args...)}
}

// At returns e with its source position set.
func (e *Error) At(pos string) *Error { e.Pos = pos; return e }

// For returns e with its argument set.
func (e *Error) For(arg string) *Error { e.Arg = arg; return e }

// Because returns e with its cause set.
func (e *Error) Because(err error) *Error { e.Err = err; return e }

// Error prints "weft: pos: op: arg: message: kind: cause", leaving out what is empty. The kind is left out, too, where the
// message or the cause ends with it.
func (e *Error) Error() string { return "weft: " + e.text() }

// text is what an error says without the name of the library, which is said once however many errors are nested.
func (e *Error) text() string {
	var parts []string
	for _, s := range []string{e.Pos, e.Op, e.Arg, e.Msg} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	cause := ""
	if inner, ok := e.Err.(*Error); ok {
		cause = inner.text()
	} else if e.Err != nil {
		cause = e.Err.Error()
	}
	if e.Kind != nil && !endsWith(e.Msg, e.Kind.Error()) && !endsWith(cause, e.Kind.Error()) {
		parts = append(parts, e.Kind.Error())
	}
	if cause != "" {
		parts = append(parts, cause)
	}
	return strings.Join(parts, ": ")
}

// endsWith reports whether text ends with whole words.
func endsWith(text, words string) bool {
	rest, ok := strings.CutSuffix(text, words)
	return ok && (rest == "" || rest[len(rest)-1] == ' ')
}

// Unwrap gives both the kind and the cause to errors.Is and errors.As.
func (e *Error) Unwrap() []error {
	var errs []error
	if e.Kind != nil {
		errs = append(errs, e.Kind)
	}
	if e.Err != nil {
		errs = append(errs, e.Err)
	}
	return errs
}
