package layout

import (
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestWavefronts checks the count against a machine that serves bank by bank: in
// each wavefront every bank gives one word to all the lanes that wait for it.
func TestWavefronts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := 1 << rapid.IntRange(0, 4).Draw(t, "width")
		stride := rapid.IntRange(0, 40).Draw(t, "stride")
		addresses := make([]int, rapid.IntRange(0, 32).Draw(t, "lanes"))
		for lane := range addresses {
			addresses[lane] = width * rapid.SampledFrom([]int{lane * stride, lane, lane * stride, 7, -1}).Draw(t, "at")
		}
		want := 0
		for from := 0; from < len(addresses); from += min(32, 128/width) {
			waiting := map[int]bool{} // words
			for _, at := range addresses[from:min(len(addresses), from+min(32, 128/width))] {
				for b := 0; at >= 0 && b < width; b++ {
					waiting[(at+b)/4] = true
				}
			}
			for ; len(waiting) > 0; want++ {
				var served [32]bool
				for word := range waiting {
					if !served[word%32] {
						served[word%32] = true
						delete(waiting, word)
					}
				}
			}
		}
		if got := must(Wavefronts(addresses, width)); got != want {
			t.Fatalf("%v, %d bytes each: %d wavefronts, want %d", addresses, width, got, want)
		}
	})
}

// drawDistribution draws registers and threads over a tile: blocks, or any
// shuffled distribution.
func drawDistribution(t *rapid.T, shape []int) Linear {
	if rapid.Bool().Draw(t, "blocked") {
		return drawBlocked(t, shape)
	}
	return drawLinear(t, shape)
}

// countAccess sums the wavefronts of all requests by addresses.
func countAccess(t *rapid.T, s Swizzled, dist Linear, elem int, a Access) (requests, wavefronts int) {
	skip := dist.FreeBits(Register)
	for _, bit := range a.Vector {
		skip |= 1 << bit
	}
	for r := range dist.Size(Register) {
		if r&skip != 0 {
			continue
		}
		for warp := 0; warp < dist.Size(Thread); warp += 32 {
			var addresses []int
			for lane := range min(32, dist.Size(Thread)) {
				addresses = append(addresses, elem*s.At(dist.At(r, warp+lane)...))
			}
			requests++
			wavefronts += must(Wavefronts(addresses, a.Bytes))
		}
	}
	return requests, wavefronts
}

// vectorHolds checks that the vector's registers are consecutive elements.
func vectorHolds(s Swizzled, dist Linear, vector []int) bool {
	mask := 0
	for _, bit := range vector {
		mask |= 1 << bit
	}
	for r := range dist.Size(Register) {
		element := 0
		for i, bit := range vector {
			element |= r >> bit & 1 << i
		}
		for th := range dist.Size(Thread) {
			from := s.At(dist.At(r&^mask, th)...)
			if from%(1<<len(vector)) != 0 || s.At(dist.At(r, th)...) != from+element {
				return false
			}
		}
	}
	return true
}

func TestAccess(t *testing.T) {
	wide, conflicts := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		shape := []int{1 << rapid.IntRange(0, 4).Draw(t, "rows"), 1 << rapid.IntRange(2, 6).Draw(t, "cols")}
		dist := drawDistribution(t, shape)
		elem := 1 << rapid.IntRange(0, 4).Draw(t, "elem")
		array := must(must(Contiguous(shape...)).Permute(rapid.Permutation([]int{0, 1}).Draw(t, "order")...))
		if !slices.Equal(array.Shape(), shape) {
			array = must(must(Contiguous(shape[1], shape[0])).Permute(1, 0))
		}
		s := must(NewSwizzled(drawSwizzle(t), array))
		a := must(s.Access(dist, elem))
		requests, wavefronts := countAccess(t, s, dist, elem, a)
		if a.Requests != requests || a.Wavefronts != wavefronts || a.Least > a.Wavefronts || a.Bytes != elem<<len(a.Vector) {
			t.Fatalf("%v by %v, %d bytes: %+v, counted %d requests, %d wavefronts", s, dist, elem, a, requests, wavefronts)
		}
		if !vectorHolds(s, dist, a.Vector) {
			t.Fatalf("%v by %v: registers %v are not consecutive", s, dist, a.Vector)
		}
		if a.Bytes < maxAccess { // no further register bit would do
			for bit := range dist.Bits(Register) {
				longer := append(slices.Clone(a.Vector), bit)
				if !slices.Contains(a.Vector, bit) && vectorHolds(s, dist, longer) {
					t.Fatalf("%v by %v: registers %v, but %v are consecutive", s, dist, a.Vector, longer)
				}
			}
		}
		if len(a.Vector) > 0 {
			wide++
		}
		if a.Wavefronts > a.Least {
			conflicts++
		}
	})
	if wide == 0 || conflicts == 0 {
		t.Errorf("%d wide accesses, %d with conflicts", wide, conflicts)
	}
}

// TestLeast: for distributions without copies the least is the bytes over 128.
func TestLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dist := drawBlocked(t, []int{16, 32})
		if dist.FreeBits(Thread) != 0 || dist.Size(Thread) < 32 {
			return
		}
		s := must(NewSwizzled(drawSwizzle(t), must(Contiguous(16, 32))))
		a := must(s.Access(dist, 4))
		if a.Least != 16*32*4/128 {
			t.Fatalf("%v by %v: %+v", s, dist, a)
		}
	})
}

func TestConflictFreeIsBest(t *testing.T) {
	better := 0
	rapid.Check(t, func(t *rapid.T) {
		shape := []int{1 << rapid.IntRange(1, 4).Draw(t, "rows"), 1 << rapid.IntRange(1, 5).Draw(t, "cols")}
		write, read := drawDistribution(t, shape), drawDistribution(t, shape)
		elem := rapid.SampledFrom([]int{1, 2, 4, 8}).Draw(t, "elem")
		array := must(Contiguous(shape...))
		cost := func(s Swizzled) []int { // wavefronts, requests, swizzled bits
			r, in := countAccess(t, s, write, elem, must(s.Access(write, elem)))
			q, out := countAccess(t, s, read, elem, must(s.Access(read, elem)))
			return []int{in + out, r + q, s.Swizzle().Bits()}
		}
		got := must(ConflictFree(array, write, read, elem))
		if !got.Layout().Equal(array) {
			t.Fatalf("%v for %v", got, array)
		}
		least := cost(got)
		if plain := must(NewSwizzled(Swizzle{}, array)); cost(plain)[0] > least[0] {
			better++
		}
		total := bits.Len(uint(array.Len())) - 1
		for b := range total {
			for base := range total {
				for shift := -total; shift <= total; shift++ {
					w, err := NewSwizzle(b, base, shift)
					if err != nil || w.Span() > array.Len() || rapid.IntRange(0, 9).Draw(t, "skip") > 0 {
						continue
					}
					if s := must(NewSwizzled(w, array)); slices.Compare(cost(s), least) < 0 {
						t.Fatalf("%v by %v and %v: %v costs %v, %v costs %v", array, write, read, got, least, s, cost(s))
					}
				}
			}
		}
	})
	if better == 0 {
		t.Error("a swizzle never helped")
	}
}

// TestConflictFreeTransposes pins what tiles cost that are written by rows and
// read by columns: most are free of conflicts. The others need two groups of bits
// moved, which one swizzle cannot do.
func TestConflictFreeTransposes(t *testing.T) {
	for _, c := range []struct {
		rows, cols, elem, threads, vec int
		extra                          int // wavefronts lost to conflicts
	}{
		{32, 32, 4, 32, 1, 0}, {32, 32, 4, 128, 4, 0}, {64, 64, 2, 128, 8, 0}, {16, 64, 2, 64, 4, 0}, {128, 32, 4, 128, 2, 0},
		{64, 64, 4, 256, 4, 128}, {32, 32, 8, 64, 2, 64},
	} {
		shape := []int{c.rows, c.cols}
		write := Blocked(shape, c.threads, []int{1, 0}, []int{1, c.vec})
		read := Blocked(shape, c.threads, []int{0, 1}, []int{1, 1})
		s := must(ConflictFree(must(Contiguous(shape...)), write, read, c.elem))
		w, r := must(s.Access(write, c.elem)), must(s.Access(read, c.elem))
		if got := w.Wavefronts - w.Least + r.Wavefronts - r.Least; got != c.extra {
			t.Errorf("%+v: %v, write %+v, read %+v", c, s, w, r)
		}
	}
}

func BenchmarkConflictFree(b *testing.B) {
	shape := []int{128, 64}
	write := Blocked(shape, 256, []int{1, 0}, []int{1, 4})
	read := Blocked(shape, 256, []int{0, 1}, []int{4, 1})
	array := must(Contiguous(shape...))
	b.ReportAllocs()
	for b.Loop() {
		must(ConflictFree(array, write, read, 4))
	}
}
