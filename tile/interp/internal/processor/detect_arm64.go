package processor

// detect has nothing to ask: all processors of 64 bits that run Go have NEON.
func detect() []Vectors { return []Vectors{NEON} }

func fusesPairs() bool      { return false }
func pairsBFloats() bool    { return false }
func multipliesTiles() bool { return false }
