//go:build !amd64 && !arm64

package squares

// kernelsOf are none: there is no other architecture's machine code.
func kernelsOf(int) []kernel { return nil }
