//go:build !amd64

package native

func call(uintptr, *uint64) {}
