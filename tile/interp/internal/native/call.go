//go:build amd64 || arm64

package native

// call runs code with a frame.
//
//go:noescape
func call(entry uintptr, frame *uint64)
