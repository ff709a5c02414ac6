package distribution

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/layout"
)

// Lengthwise distributions cover their tile once, with vectors and runs as asked for and fewer threads along a line than Blocked.
func TestLengthwise(t *testing.T) {
	rng, found := rand.New(rand.NewPCG(5, 1)), 0
	for range 500 {
		shape := make([]int, 1+rng.IntN(3))
		for d := range shape {
			shape[d] = 1 << rng.IntN(9)
		}
		threads, dim, width, run := 32<<rng.IntN(4), rng.IntN(len(shape)), 1<<rng.IntN(4), 1<<rng.IntN(6)
		l, ok := Lengthwise(shape, threads, dim, width, run)
		if !ok {
			continue
		}
		found++
		if l.Size(layout.Register)*threads != l.Len() || l.FreeBits(layout.Thread) != 0 || l.FreeBits(layout.Register) != 0 {
			t.Errorf("%v over %d threads: %v does not have each element once", shape, threads, l)
		}
		if got := 1 << len(RunBits(l, dim, width)); got < width {
			t.Errorf("%v over %d threads: %v has vectors of %d along %d, want %d", shape, threads, l, got, dim, width)
		}
		lanes, most := ThreadsAlong(l, dim), ThreadsAlong(Blocked(shape, threads, dim, width), dim)
		if n := 1 << bits.OnesCount(uint(lanes)); n*width < run || lanes >= most {
			t.Errorf("%v over %d threads: %v has threads %b along %d, want runs of %d and fewer than %b", shape, threads, l, lanes, dim, run, most)
		}
	}
	if found < 50 {
		t.Errorf("%d distributions, want more", found)
	}
	if l, ok := Lengthwise([]int{4, 64}, 128, 1, 2, 16); ok {
		t.Errorf("a tile of one vector a thread is distributed as %v", l)
	}
}
