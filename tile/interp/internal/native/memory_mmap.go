//go:build linux || darwin

package native

import (
	"fmt"
	"syscall"
	"unsafe"
)

// executable puts code into memory that may be executed, and not be written to any more.
func executable(code []byte) ([]byte, error) {
	m, err := syscall.Mmap(-1, 0, len(code), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("%w: mmap: %w", ErrNoCode, err)
	}
	copy(m, code)
	from := uintptr(unsafe.Pointer(&m[0]))
	written(from, from+uintptr(len(m)))
	if err := syscall.Mprotect(m, syscall.PROT_READ|syscall.PROT_EXEC); err != nil {
		free(m)
		return nil, fmt.Errorf("%w: mprotect: %w", ErrNoCode, err)
	}
	return m, nil
}

func free(m []byte) { syscall.Munmap(m) }
