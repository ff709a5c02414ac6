package native

import (
	"runtime"
	"unsafe"
)

// Function is machine code that is called with a frame of its own form.
type Function struct{ entry uintptr }

// NewFunction makes code callable. It takes the address of its frame in the first register of package amd64's call, and keeps the stack.
//
// Errors: ErrNoCode.
func NewFunction(code []byte) (*Function, error) {
	memory, err := executable(code)
	if err != nil {
		return nil, err
	}
	f := &Function{uintptr(unsafe.Pointer(&memory[0]))}
	runtime.AddCleanup(f, free, memory)
	return f, nil
}

// Call runs the code. What the frame points to must be kept alive by others until it returns.
func (f *Function) Call(frame *uint64) {
	call(f.entry, frame)
	runtime.KeepAlive(f)
}
