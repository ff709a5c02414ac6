package native

// written makes what was written to memory the instructions that processors find there.
//
//go:noescape
func written(from, to uintptr)
