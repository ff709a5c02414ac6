//go:build linux || darwin

package native

import (
	"syscall"
	"testing"
)

// guarded is memory, of so many bytes, after which there is some that may not be touched.
func guarded(t *testing.T) (memory []byte, size int) {
	size = syscall.Getpagesize()
	b, err := syscall.Mmap(-1, 0, 2*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(b) })
	if err := syscall.Mprotect(b[size:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	return b[:size], size
}
