package distribution

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/weftgpu/weft/layout"
)

func powerOfTwo(t *rapid.T, name string, lo, hi int) int {
	return 1 << rapid.IntRange(lo, hi).Draw(t, name)
}

// holdsEveryElement checks that a distribution reaches each element, and twice only
// through the free bits of the thread.
func holdsEveryElement(t *rapid.T, l layout.Linear) {
	holders := map[int]int{}
	for r := range l.Size(layout.Register) {
		for thread := range l.Size(layout.Thread) {
			if thread&l.FreeBits(layout.Thread) == 0 {
				holders[l.Index(r, thread)]++
			}
		}
	}
	n := 1
	for _, s := range l.Shape() {
		n *= s
	}
	if len(holders) != n {
		t.Fatalf("%v: %d of %d elements are held", l, len(holders), n)
	}
	for at, count := range holders {
		if count != 1 {
			t.Fatalf("%v: element %d is held %d times", l, at, count)
		}
	}
}

func TestRegisterTile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, n, threads := powerOfTwo(t, "m", 0, 8), powerOfTwo(t, "n", 0, 8), powerOfTwo(t, "threads", 0, 10)
		l := RegisterTile(m, n, threads)
		if l.Size(layout.Thread) != threads {
			t.Fatalf("%v has %d threads, want %d", l, l.Size(layout.Thread), threads)
		}
		holdsEveryElement(t, l)
		if n*m >= 16*threads && n >= 4 && l.ContiguousRun(layout.Register, 1) < 4 {
			t.Fatalf("%v: no vectors of 4 along the columns", l)
		}
	})
}

func TestOperandTile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		threads := powerOfTwo(t, "threads", 0, 9)
		shape := []int{powerOfTwo(t, "rows", 0, 7), powerOfTwo(t, "columns", 0, 7)}
		kDim, contiguous := rapid.IntRange(0, 1).Draw(t, "k"), rapid.IntRange(0, 1).Draw(t, "contiguous")
		l := Operand(shape, threads, kDim, contiguous)
		holdsEveryElement(t, l)
		if shape[0]*shape[1] >= 16*threads && shape[0] >= 4 && shape[1] >= 4 {
			for dim, want := range map[int]int{contiguous: 4, 1 - kDim: 4} {
				if got := len(Runs(l, dim, 4)[0]); got != want {
					t.Fatalf("%v: runs of %d along dimension %d, want %d", l, got, dim, want)
				}
			}
		}
	})
}

func TestRunsPartitionTheRegisters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		threads := powerOfTwo(t, "threads", 0, 8)
		shape := []int{powerOfTwo(t, "s0", 0, 5), powerOfTwo(t, "s1", 0, 5), powerOfTwo(t, "s2", 0, 5)}
		l := Blocked(shape, threads, rapid.IntRange(0, 2).Draw(t, "contiguous"), 4)
		if rapid.Bool().Draw(t, "dot") {
			l = RegisterTile(shape[0], shape[1], threads)
		}
		dim := rapid.IntRange(0, len(l.Shape())-1).Draw(t, "dim")
		width := powerOfTwo(t, "width", 0, 2)
		seen := map[int]bool{}
		for _, run := range Runs(l, dim, width) {
			for thread := range l.Size(layout.Thread) {
				first := l.At(run[0], thread)
				if first[dim]%len(run) != 0 {
					t.Fatalf("%v: run %v starts at %v", l, run, first)
				}
				for i, r := range run {
					at := l.At(r, thread)
					at[dim] -= i
					for k := range at {
						if at[k] != first[k] {
							t.Fatalf("%v: run %v in thread %d: register %d at %v, the first at %v", l, run, thread, r, l.At(r, thread), first)
						}
					}
				}
			}
			for _, r := range run {
				if seen[r] {
					t.Fatalf("%v: register %d twice", l, r)
				}
				seen[r] = true
			}
			if len(run) > width {
				t.Fatalf("run of %d, width %d", len(run), width)
			}
		}
		if len(seen) != l.Size(layout.Register) {
			t.Fatalf("%v: %d of %d registers", l, len(seen), l.Size(layout.Register))
		}
	})
}
