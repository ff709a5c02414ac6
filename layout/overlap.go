package layout

import (
	"cmp"
	"slices"
)

// Both questions below, do two layouts share an element and do two coordinates
// of one layout, ask whether a sum of bounded multiples hits a target:
//
//	sum of stride[i]*x[i] == target,  0 <= x[i] < count[i],  stride[i] > 0
//
// In general that is a knapsack problem. For strides that nest, as those of real
// tensors do, the range of the smaller strides leaves one or two choices for
// each larger one, and the search ends at once; a budget stops the others.

// term is one bounded multiple of the sum.
type term struct{ count, stride int64 }

// verdict is the answer of a search with a budget.
type verdict int

const (
	never verdict = iota
	found
	unknown
)

const (
	searchBudget = 1 << 12 // steps before a search gives up
	safeOffset   = 1 << 60 // sums of a few bounds below this cannot overflow
)

// Overlaps reports whether two layouts over one buffer may touch a common
// element. It is never false when they do. It is exact unless the strides
// interleave so irregularly that the search is given up; then it is true.
func (l Layout) Overlaps(m Layout) bool {
	if l.empty() || m.empty() {
		return false
	}
	llo, lhi := l.Bounds()
	mlo, mhi := m.Bounds()
	if lhi < mlo || mhi < llo {
		return false
	}
	if !l.searchable() || !m.searchable() {
		return true
	}
	// llo + sum(l) = mhi - sum(m): counting m down from its top makes all terms positive.
	return search(append(l.terms(), m.terms()...), int64(mhi)-int64(llo)) != never
}

// IsInjective reports whether no two coordinates share an element, as the layout
// of an output must. It is never true when two do; it is false, conservatively,
// where the strides interleave so irregularly that the search is given up.
func (l Layout) IsInjective() bool {
	if l.empty() {
		return true
	}
	terms := l.terms()
	nested, reach := true, int64(0)
	for _, t := range slices.Backward(terms) { // smallest stride first
		nested = nested && t.stride > reach
		reach += (t.count - 1) * t.stride
	}
	if nested {
		return true
	}
	if !l.searchable() {
		return false
	}
	for i := range terms {
		if collides(terms[i:]) != never {
			return false
		}
	}
	return true
}

// collides searches for two coordinates that share an element and differ in the
// first term, that is, for differences d[0] > 0 and |d[i]| < count[i] with
// stride*d summing to zero. Shifting each d[i] to start from 0 gives a search.
func collides(terms []term) verdict {
	first := terms[0]
	shifted := []term{{first.count - 1, first.stride}}
	target := -first.stride
	for _, t := range terms[1:] {
		shifted = append(shifted, term{2*t.count - 1, t.stride})
		target += (t.count - 1) * t.stride
	}
	return search(shifted, target)
}

// searchable reports whether the offsets are small enough to search without overflow.
func (l Layout) searchable() bool {
	lo, hi := l.Bounds()
	return -safeOffset < int64(lo) && int64(hi) < safeOffset
}

// terms returns the dimensions of size above 1 as terms of positive stride,
// measured from the lower bound, largest stride first. A stride of 0 stays.
func (l Layout) terms() []term {
	var ts []term
	for d, n := range l.shape {
		if n > 1 {
			ts = append(ts, term{n, max(l.stride[d], -l.stride[d])})
		}
	}
	sortTerms(ts)
	return ts
}

func sortTerms(ts []term) {
	slices.SortFunc(ts, func(a, b term) int { return cmp.Compare(b.stride, a.stride) })
}

// search decides whether a sum of the terms hits the target.
func search(terms []term, target int64) verdict {
	sortTerms(terms)
	var s searcher
	for _, t := range terms {
		last := len(s.terms) - 1
		switch {
		case t.stride == 0 || t.count <= 1: // adds nothing
		case last >= 0 && s.terms[last].stride == t.stride:
			s.terms[last].count += t.count - 1
		default:
			s.terms = append(s.terms, t)
		}
	}
	n := len(s.terms)
	s.reach, s.gcd = make([]int64, n+1), make([]int64, n+1)
	for i := n - 1; i >= 0; i-- {
		t := s.terms[i]
		s.reach[i] = s.reach[i+1] + (t.count-1)*t.stride
		s.gcd[i] = gcd(t.stride, s.gcd[i+1])
	}
	s.budget = searchBudget
	return s.from(0, target)
}

// searcher holds the terms, largest stride first, and for each suffix of them
// the largest sum and the common divisor of all sums.
type searcher struct {
	terms      []term
	reach, gcd []int64
	budget     int
}

func (s *searcher) from(i int, target int64) verdict {
	if target == 0 {
		return found
	}
	if target < 0 || target > s.reach[i] || target%s.gcd[i] != 0 { // reach of no terms is 0
		return never
	}
	t := s.terms[i]
	low := int64(0)
	if over := target - s.reach[i+1]; over > 0 {
		low = (over-1)/t.stride + 1
	}
	for x := min(target/t.stride, t.count-1); x >= low; x-- {
		if s.budget--; s.budget < 0 {
			return unknown
		}
		if v := s.from(i+1, target-x*t.stride); v != never {
			return v
		}
	}
	return never
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
