package layout

import (
	"cmp"
	"slices"

	"github.com/weftgpu/weft/fault"
)

// byStride sorts leaves by stride, of equal strides the larger leaf first.
func byStride(a, b place) int {
	return cmp.Or(cmp.Compare(a.d, b.d), cmp.Compare(b.n, a.n))
}

// place is a leaf and the index at which it steps: the product of the sizes of
// the leaves before it.
type place struct {
	Nested
	step int
}

func (a Nested) places() []place {
	var out []place
	step := 1
	for _, m := range a.leaves() {
		out = append(out, place{m, step})
		step *= m.n
	}
	return out
}

// Complement returns the layout of the repetitions of a within target offsets:
// what has to be added to the offsets of a to reach all the others.
//
// Law: the strides are positive and grow with the index, R.At(i-1) < R.At(i);
// and every offset of 0..n-1 is the sum of one offset of a and one R.At(j), in
// one way only, where n >= target is the product of Size() and the number of
// distinct offsets of a: the target, rounded up to whole repetitions.
//
// Errors: fault.ErrArgument for a target below 1, fault.ErrUnsupported if a has
// negative strides, meets an offset twice (other than by strides of 0), or
// leaves holes that no repetition fills; fault.ErrLimit if n overflows an int.
func (a Nested) Complement(target int) (Nested, error) {
	if target < 1 {
		return Nested{}, fault.New(fault.ErrArgument, "complement", "target %d, want 1 or more", target)
	}
	var moving []place
	for _, m := range a.filtered() {
		moving = append(moving, place{m, 0})
	}
	slices.SortFunc(moving, byStride)
	var out []Nested
	reach := int64(1) // the offsets below it are covered
	for _, m := range moving {
		if m.d < 0 || int64(m.d)%reach != 0 {
			return Nested{}, fault.New(fault.ErrUnsupported, "complement", "%v cannot be repeated without holes or overlap: stride %d after %d offsets", a, m.d, reach)
		}
		out = append(out, leafOf(m.d/int(reach), int(reach)))
		var ok bool
		if reach, ok = mul(int64(m.d), int64(m.n)); !ok {
			return Nested{}, fault.New(fault.ErrLimit, "complement", "the repetitions of %v overflow an int", a)
		}
	}
	repeats := (int64(target)-1)/reach + 1
	if _, ok := mul(repeats, reach); !ok {
		return Nested{}, fault.New(fault.ErrLimit, "complement", "%d offsets of %v overflow an int", target, a)
	}
	return groupOf(append(out, leafOf(int(repeats), int(reach)))...).Coalesce(), nil
}

// RightInverse returns the index of every offset, as far as the offsets 0, 1, 2,
// .. are reached by leaves that follow each other.
//
// Law: a.At(R.At(k)) == k for every index k of R. If a is injective and its
// strides are not negative, offset R.Size() is not reached, so R is the largest.
func (a Nested) RightInverse() Nested {
	sorted := a.places()
	slices.SortFunc(sorted, byStride)
	var out []Nested
	reach := 1
	for _, m := range sorted {
		if m.d == reach {
			out = append(out, leafOf(m.n, m.step))
			reach *= m.n
		}
	}
	return groupOf(out...).Coalesce()
}

// LeftInverse returns the index that an offset came from; offsets that a does
// not reach give indices of its repetitions, at Size or beyond.
//
// Law: L.At(a.At(i)) == i for every index, and L.Size() >= a.Cosize().
//
// Errors: fault.ErrUnsupported if a is not injective, and those of Complement.
func (a Nested) LeftInverse() (Nested, error) {
	for _, m := range a.leaves() {
		if m.n > 1 && m.d == 0 {
			return Nested{}, fault.New(fault.ErrUnsupported, "left inverse", "%v has two indices with the same offset", a)
		}
	}
	rest, err := a.Complement(a.Cosize())
	if err != nil {
		return Nested{}, err
	}
	return groupOf(a, rest).RightInverse(), nil
}

// MaxCommonLayout returns the indices at which two layouts both walk through the
// offsets 0, 1, 2, .., as far as they agree: what a wide copy from one to the
// other may take in one piece.
//
// Law: a.At(R.At(k)) == k and b.At(R.At(k)) == k for every index k of R. If both
// are injective and have no negative strides, no longer run exists.
func MaxCommonLayout(a, b Nested) Nested {
	x, y := a.RightInverse().coalesced(), b.RightInverse().coalesced()
	var out []Nested
	for k := range min(len(x), len(y)) {
		if x[k].d != y[k].d {
			break
		}
		out = append(out, leafOf(min(x[k].n, y[k].n), x[k].d))
		if x[k].n != y[k].n { // both are coalesced, so the shorter one goes elsewhere
			break
		}
	}
	return groupOf(out...).Coalesce()
}

// MaxCommonVector returns the size of MaxCommonLayout: how many consecutive
// elements of one layout are the same consecutive elements of the other, at
// least 1.
func MaxCommonVector(a, b Nested) int { return MaxCommonLayout(a, b).Size() }
