package layout

import "slices"

// pivot is a vector of a span and the set of inputs (bits of a layout's inputs,
// or what else was given with the vectors) that sum to it.
type pivot struct{ vec, from int }

// span is a basis of vectors over GF(2) in echelon form: each pivot is reduced by
// the ones before it, so it is zero at the top bits of those, and one pass in
// order reduces any vector.
type span []pivot

// reduce returns what is left of v after the pivots, and the inputs used. Both
// are linear in v, and the inputs are those of the earliest vectors that do.
func (s span) reduce(v int) (rest, from int) {
	for _, p := range s {
		if v^p.vec < v { // v has the top bit of the pivot
			v ^= p.vec
			from ^= p.from
		}
	}
	return v, from
}

// has reports whether the span contains a vector.
func (s span) has(v int) bool {
	rest, _ := s.reduce(v)
	return rest == 0
}

// add widens the span by a vector that the input from gives. It returns false,
// and leaves the span as it is, if the vector depends on earlier ones.
func (s *span) add(v, from int) bool {
	rest, used := s.reduce(v)
	if rest == 0 {
		return false
	}
	*s = append(*s, pivot{rest, from ^ used})
	return true
}

// spanOf returns the span of vectors; vector i is input bit i.
func spanOf(vectors ...int) span {
	var s span
	for i, v := range vectors {
		s.add(v, 1<<i)
	}
	return s
}

// eliminate returns the span of the bases of all inputs. A basis that depends on
// earlier ones adds no pivot, so its bit is in no pivot's from.
func (l Linear) eliminate() span { return spanOf(slices.Concat(l.bases...)...) }
