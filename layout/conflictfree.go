package layout

import (
	"slices"

	"github.com/weftgpu/weft/fault"
)

// ConflictFree returns the swizzle of a shared array that is written in one
// distribution and read in another with the fewest wavefronts together; of equal
// ones that with the fewest requests, then the fewest swizzled bits. It tries
// every swizzle of at most 5 bits whose span fits the array. Access tells what
// the result costs: it is free of conflicts if Wavefronts equals Least both ways,
// which one swizzle reaches for most pairs, not for all.
//
// Law: no such swizzle costs fewer wavefronts, counted by addresses.
//
// Errors: those of Access for either distribution.
func ConflictFree(array Layout, write, read Linear, elem int) (Swizzled, error) {
	best, err := NewSwizzled(Swizzle{}, array)
	if err != nil {
		return Swizzled{}, err
	}
	in, err := best.offsets(write, elem)
	if err != nil {
		return Swizzled{}, err
	}
	out, err := best.offsets(read, elem)
	if err != nil {
		return Swizzled{}, err
	}
	wavefronts, requests := -1, 0
	for s := range swizzles(log2(best.Cosize())) {
		w, r := in.access(s), out.access(s)
		total, count := w.Wavefronts+r.Wavefronts, w.Requests+r.Requests
		if wavefronts < 0 || total < wavefronts || total == wavefronts && count < requests {
			best.swizzle, wavefronts, requests = s, total, count
		}
	}
	return best, nil
}

// ConflictFreeArray returns a linear layout of a shared array, from coordinates
// (inputs DimName(0), DimName(1), ..) to offsets, without any bank conflict for
// the two distributions: more general than a swizzle, it always exists. Registers
// that both hold side by side stay side by side, up to 16 bytes, so that both
// access as wide as they can together. The array is as large as the tile.
//
// Law: the layout is a bijection, and Access of either distribution has Wavefronts
// equal to Least.
//
// Source: "Linear Layouts" (arXiv 2505.23819), optimal swizzling. Two lanes of a
// phase collide if they differ by an offset within one bank; so the offsets of one
// bank are chosen as a common complement of what the lanes span, which two
// subspaces of equal dimension have.
//
// Errors: fault.ErrShape if the tiles differ, fault.ErrArgument for elements of other than 1, 2,
// 4, 8 or 16 bytes, fault.ErrUnsupported for inputs other than Register and Thread.
func ConflictFreeArray(write, read Linear, elem int) (Linear, error) {
	if !slices.Equal(write.shape, read.shape) {
		return Linear{}, fault.New(fault.ErrShape, "access", "tiles %s and %s differ, want the same", tuple(write.shape), tuple(read.shape))
	}
	for _, dist := range []Linear{write, read} {
		if err := checkExchange(dist, elem); err != nil {
			return Linear{}, err
		}
	}
	total := write.outputBits()
	vector := commonVector(write, read, log2(maxAccess/elem))
	width := elem << len(vector)
	lanes := log2(phaseLanes(width))

	// Everything but the vector; it contains all that the lanes span.
	all := spanOf(vector...)
	rest := completion(&all, slices.Concat(others(write, vector), others(read, vector), units(total)))
	lanes = min(lanes, len(rest))
	side := func(dist Linear) []int { // what the lanes of a phase span, filled up to all banks
		var s span
		t := dist.of(Thread)
		return completion(&s, slices.Concat(t[:min(lanes, len(t))], rest))[:lanes]
	}
	bank := complementOfBoth(side(write), side(read), rest) // the offsets within one bank
	apart := spanOf(bank...)
	acrossBanks := completion(&apart, rest)

	word := min(max(log2(bankBytes)-log2(width), 0), len(bank)) // bits within a word
	offset := slices.Concat(vector, bank[:word], acrossBanks, bank[word:])
	return Linear{write.shape, []string{"offset"}, [][]int{offset}}.Inverse()
}

// commonVector returns the register bases, at most n, that both distributions
// have and that nothing else in them depends on.
func commonVector(write, read Linear, n int) []int {
	var vector []int
	for _, v := range write.of(Register) {
		if v != 0 && slices.Contains(read.of(Register), v) && !slices.Contains(vector, v) && len(vector) < n {
			vector = append(vector, v)
		}
	}
	for len(vector) > 0 {
		s := spanOf(slices.Concat(others(write, vector), others(read, vector))...)
		bad := slices.IndexFunc(vector, func(v int) bool { return !s.add(v, 0) })
		if bad < 0 {
			break
		}
		vector = slices.Delete(vector, bad, bad+1)
	}
	return vector
}

// others returns the bases of a distribution without one copy of each register
// basis of the vector.
func others(dist Linear, vector []int) []int {
	register := slices.Clone(dist.of(Register))
	for _, v := range vector {
		i := slices.Index(register, v)
		register = slices.Delete(register, i, i+1)
	}
	return slices.Concat(register, dist.of(Thread))
}

func units(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = 1 << i
	}
	return out
}

// completion widens a span by those of the candidates that are independent, and
// returns them.
func completion(s *span, candidates []int) []int {
	var out []int
	for _, v := range candidates {
		if s.add(v, 0) {
			out = append(out, v)
		}
	}
	return out
}

// complementOfBoth returns the basis of a subspace of the space of whole that
// meets neither of two subspaces of equal dimension, but in 0, and completes both.
// What they have in common needs nothing; basis vectors in which they differ are
// paired to sums, which are in neither; and what neither reaches is added.
func complementOfBoth(a, b, whole []int) []int {
	common := intersection(a, b)
	sa, sb := spanOf(common...), spanOf(common...)
	onlyA, onlyB := completion(&sa, a), completion(&sb, b)
	var out []int
	for i := range onlyA {
		out = append(out, onlyA[i]^onlyB[i])
	}
	both := spanOf(slices.Concat(a, b)...)
	return append(out, completion(&both, whole)...)
}

// intersection returns a basis of the vectors in both spans; a and b are bases.
func intersection(a, b []int) []int {
	s := spanOf(a...)
	var out []int
	for i, v := range b {
		// A vector of b that depends on those of a and earlier ones of b is a sum
		// of both; the part of a is in the intersection.
		if !s.add(v, 1<<(len(a)+i)) {
			_, from := s.reduce(v)
			out = append(out, combine(a, from&(1<<len(a)-1)))
		}
	}
	return out
}
