package native

import (
	"fmt"
	"syscall"
	"unsafe"
)

var (
	kernel32       = syscall.NewLazyDLL("kernel32.dll")
	virtualAlloc   = kernel32.NewProc("VirtualAlloc")
	virtualProtect = kernel32.NewProc("VirtualProtect")
	virtualFree    = kernel32.NewProc("VirtualFree")
	flushCache     = kernel32.NewProc("FlushInstructionCache")
)

// executable puts code into memory that may be executed, and not be written to any more.
func executable(code []byte) ([]byte, error) {
	const commitReserve, readWrite, executeRead = 0x3000, 0x04, 0x20
	p, _, err := virtualAlloc.Call(0, uintptr(len(code)), commitReserve, readWrite)
	if p == 0 {
		return nil, fmt.Errorf("%w: VirtualAlloc: %w", ErrNoCode, err)
	}
	m := unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&p))), len(code)) // memory that is not Go's
	copy(m, code)
	var was uint32
	if ok, _, err := virtualProtect.Call(p, uintptr(len(code)), executeRead, uintptr(unsafe.Pointer(&was))); ok == 0 {
		free(m)
		return nil, fmt.Errorf("%w: VirtualProtect: %w", ErrNoCode, err)
	}
	const thisProcess = ^uintptr(0)
	flushCache.Call(thisProcess, p, uintptr(len(code)))
	return m, nil
}

func free(m []byte) {
	const release = 0x8000
	virtualFree.Call(uintptr(unsafe.Pointer(&m[0])), 0, release)
}
