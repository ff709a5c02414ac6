package layout

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// TestSegments counts the segments of every group of threads and every register.
func TestSegments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, l, _ := drawConversion(t)
		dim := rapid.IntRange(0, len(l.Shape())-1).Draw(t, "dim")
		length, lanes := 1<<rapid.IntRange(0, 6).Draw(t, "length"), 1<<rapid.IntRange(0, 5).Draw(t, "lanes")
		want := l.Segments(dim, length, lanes)
		for r := range l.Size(Register) {
			for first := 0; first < l.Size(Thread); first += lanes {
				touched := map[string]bool{}
				for lane := range min(lanes, l.Size(Thread)) {
					at := l.At(r, first+lane)
					at[dim] /= length
					touched[fmt.Sprint(at)] = true
				}
				if len(touched) != want {
					t.Fatalf("%v: %d segments of %d along %d for threads from %d, want %d", l, len(touched), length, dim, first, want)
				}
			}
		}
	})
}
