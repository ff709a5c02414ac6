package simt

import "testing"

// The fragments of an instruction hold each element of its matrices once.
func TestFragmentsHoldAPiece(t *testing.T) {
	for _, m := range MatrixInstructions {
		words := m.Bytes / 4
		for name, c := range map[string]struct {
			f             Fragment
			across, along int
		}{"a": {m.A, m.Rows, words}, "b": {m.B, m.Columns, words}, "c": {m.C, m.Rows, m.Columns}} {
			if name == "b" && m.SharedB {
				continue
			}
			seen := map[[2]int]bool{}
			for thread := range m.Threads {
				for register := range c.f.Held() {
					across, along := c.f.At(register, thread)
					if across >= c.across || along >= c.along || seen[[2]int{across, along}] {
						t.Errorf("%s: register %d of thread %d has element %d, %d of %s, which is held twice or is beyond %d × %d",
							m.Name, register, thread, across, along, name, c.across, c.along)
					}
					seen[[2]int{across, along}] = true
				}
			}
			if len(seen) != c.across*c.along {
				t.Errorf("%s: %d elements of %s are held, of %d", m.Name, len(seen), name, c.across*c.along)
			}
		}
	}
}
