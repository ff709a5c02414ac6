package layout

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestConflictFreeArray checks the promise by addresses, request by request: no
// bank is ever asked for two words by one phase.
func TestConflictFreeArray(t *testing.T) {
	wide, helped := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		shape := []int{1 << rapid.IntRange(0, 5).Draw(t, "rows"), 1 << rapid.IntRange(0, 6).Draw(t, "cols")}
		write, read := drawDistribution(t, shape), drawDistribution(t, shape)
		elem := 1 << rapid.IntRange(0, 4).Draw(t, "elem")
		array := must(ConflictFreeArray(write, read, elem))
		if !array.IsInjective() || !array.IsSurjective() || array.Shape()[0] != shape[0]*shape[1] {
			t.Fatalf("%v and %v: %v is no bijection", write, read, array)
		}
		for _, dist := range []Linear{write, read} {
			a := must(array.Access(dist, elem))
			if a.Wavefronts != a.Least {
				t.Fatalf("%v and %v, %d bytes, by %v: %+v", write, read, elem, array, a)
			}
			if got := countArray(t, array, dist, elem, a); got != a.Wavefronts {
				t.Fatalf("%v and %v, %d bytes, by %v: %+v, counted %d", write, read, elem, array, a, got)
			}
			if len(a.Vector) > 0 {
				wide++
			}
		}
		plain := must(NewSwizzled(Swizzle{}, must(Contiguous(shape...))))
		if a := must(plain.Access(read, elem)); a.Wavefronts > a.Least {
			helped++
		}
	})
	if wide == 0 || helped == 0 {
		t.Errorf("%d wide accesses, %d conflicts to avoid", wide, helped)
	}
}

// countArray sums the wavefronts of all requests by addresses, and checks that
// each is in one piece.
func countArray(t *rapid.T, array, dist Linear, elem int, a Access) int {
	at := func(r, th int) int { return array.Eval(dist.At(r, th)...)[0] }
	skip := dist.FreeBits(Register)
	for _, bit := range a.Vector {
		skip |= 1 << bit
	}
	total := 0
	for r := range dist.Size(Register) {
		if r&skip != 0 {
			continue
		}
		for warp := 0; warp < dist.Size(Thread); warp += 32 {
			var addresses []int
			for lane := range min(32, dist.Size(Thread)) {
				addresses = append(addresses, elem*at(r, warp+lane))
				for i, bit := range a.Vector {
					if at(r|1<<bit, warp+lane) != at(r, warp+lane)+1<<i {
						t.Fatalf("%v by %v: bit %d is not element %d", dist, array, bit, 1<<i)
					}
				}
			}
			total += must(Wavefronts(addresses, a.Bytes))
		}
	}
	return total
}

// TestConflictFreeArrayKeepsVectors: what both hold side by side is accessed in
// one piece by both.
func TestConflictFreeArrayKeepsVectors(t *testing.T) {
	shape := []int{64, 64}
	write := Blocked(shape, 256, []int{1, 0}, []int{1, 4})
	read := Blocked(shape, 256, []int{0, 1}, []int{1, 4})
	array := must(ConflictFreeArray(write, read, 4))
	for _, dist := range []Linear{write, read} {
		if a := must(array.Access(dist, 4)); a.Bytes != 16 || !slices.Equal(a.Vector, []int{0, 1}) || a.Wavefronts != 128 {
			t.Errorf("%v by %v: %+v", dist, array, a)
		}
	}
}
