//go:build !amd64 && !arm64

package processor

func detect() []Vectors { return nil }

func fusesPairs() bool      { return false }
func pairsBFloats() bool    { return false }
func multipliesTiles() bool { return false }
