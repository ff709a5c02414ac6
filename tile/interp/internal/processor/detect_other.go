//go:build !amd64

package processor

func detect() Vectors { return None }
