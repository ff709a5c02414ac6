package layout

import (
	"testing"

	"pgregory.net/rapid"
)

// TestExchange checks a choice against every array that it is said to beat, and
// its costs by addresses.
func TestExchange(t *testing.T) {
	swizzled, general := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		shape := []int{1 << rapid.IntRange(0, 5).Draw(t, "rows"), 1 << rapid.IntRange(0, 5).Draw(t, "cols")}
		write, read := drawDistribution(t, shape), drawDistribution(t, shape)
		elem := 1 << rapid.IntRange(0, 3).Draw(t, "elem")
		e := must(NewExchange(write, read, elem))
		if !e.Array.IsInjective() {
			t.Fatalf("%v and %v: two elements at one offset of %v", write, read, e.Array)
		}
		for _, c := range []struct {
			dist Linear
			said Access
		}{{write, e.Write}, {read, e.Read}} {
			if got := countArray(t, e.Array, c.dist, elem, c.said); got != c.said.Wavefronts {
				t.Fatalf("%v by %v: %+v, counted %d", c.dist, e.Array, c.said, got)
			}
		}
		total := e.Write.Wavefronts + e.Read.Wavefronts
		cost := func(array Linear) int {
			return must(array.Access(write, elem)).Wavefronts + must(array.Access(read, elem)).Wavefronts
		}
		other := must(ConflictFreeArray(write, read, elem))
		if cost(other) < total {
			t.Fatalf("%v and %v: %d wavefronts, the array without conflicts has %d", write, read, total, cost(other))
		}
		columns := must(must(Contiguous(shape[1], shape[0])).Permute(1, 0))
		for _, plain := range []Layout{must(Contiguous(shape...)), columns} {
			s := must(ConflictFree(plain, write, read, elem))
			if c := cost(must(s.Linear())); c < total {
				t.Fatalf("%v and %v: %d wavefronts, %v has %d", write, read, total, s, c)
			}
		}
		if e.Array.Equal(other) {
			general++
		} else {
			swizzled++
		}
	})
	if swizzled == 0 || general == 0 {
		t.Errorf("%d swizzles, %d other arrays", swizzled, general)
	}
}

func BenchmarkExchange(b *testing.B) {
	write := Blocked([]int{64, 64}, 256, []int{1, 0}, []int{1, 4})
	read := Blocked([]int{64, 64}, 256, []int{0, 1}, []int{4, 1})
	b.ReportAllocs()
	for b.Loop() {
		must(NewExchange(write, read, 4))
	}
}
