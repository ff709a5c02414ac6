package layout

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/fault"
)

// Nested is a layout whose modes may be layouts themselves: a tree with a size
// and a stride in every leaf. As a function it takes one index,
//
//	n(i) = sum over leaves of digit(i)*stride
//
// where the digits are those of i in the mixed radix of the leaf sizes, first
// leaf fastest (unlike the row-major order of a [Layout]: the algebra counts
// from the left). The nesting does not change the function; it names parts of
// it, so that "tile" and "tiles", or "rows" and "columns", stay apart.
//
// Written down, a Nested is shape:stride with equal nesting on both sides:
// ((2,2),3):((24,2),8). Sizes are at least 1; strides may be zero or negative. A
// Nested is immutable; the zero value is (), one element at offset 0.
//
// The algebra is CuTe's (NVIDIA CUTLASS, "CuTe Layout Algebra"), with one
// difference: no function is continued past its last index, so what would reach
// outside is an error here.
type Nested struct {
	leaf    bool
	n, d    int      // size and stride of a leaf
	modes   []Nested // of a group
	counted int      // size of a group
}

// leafOf and groupOf build trees whose bounds are known to fit.
func leafOf(size, stride int) Nested { return Nested{leaf: true, n: size, d: stride} }

func groupOf(modes ...Nested) Nested {
	g := Nested{modes: modes, counted: 1}
	for _, m := range modes {
		g.counted *= m.Size()
	}
	return g
}

// Mode returns the leaf size:stride.
//
// Errors: fault.ErrShape for a size below 1, fault.ErrLimit if an offset
// overflows an int.
func Mode(size, stride int) (Nested, error) { return leafOf(size, stride).checked("mode") }

// Modes groups layouts as the modes of one: (a,b,..).
//
// Law: Modes(a, b, ..).At(i, j, ..) == a.At(i) + b.At(j) + ...
//
// Errors: fault.ErrLimit if the number of elements or an offset overflows an int.
func Modes(modes ...Nested) (Nested, error) {
	return groupOf(slices.Clone(modes)...).checked("modes")
}

// Compact returns the dense layout of a shape, first mode fastest.
//
// Law: Compact(s...).At(i) == i.
//
// Errors: those of Mode and Modes.
func Compact(shape ...int) (Nested, error) {
	modes, run := make([]Nested, len(shape)), 1
	for k, n := range shape {
		modes[k] = leafOf(n, run)
		run *= max(n, 1)
	}
	return groupOf(modes...).checked("compact")
}

// checked makes sure of the promises: positive sizes, no overflow.
func (a Nested) checked(op string) (Nested, error) {
	var size, stride []int64
	for _, m := range a.leaves() {
		if m.n < 1 {
			return Nested{}, fault.New(fault.ErrShape, op, "size %d of %v, want 1 or more", m.n, a)
		}
		size, stride = append(size, int64(m.n)), append(stride, int64(m.d))
	}
	if _, err := build(op, size, stride, 0); err != nil {
		return Nested{}, err
	}
	return a, nil
}

// leaves lists the leaves from left to right.
func (a Nested) leaves() []Nested {
	if a.leaf {
		return []Nested{a}
	}
	var out []Nested
	for _, m := range a.modes {
		out = append(out, m.leaves()...)
	}
	return out
}

// Nested returns the dimensions of a layout as modes, in their order, without
// the offset. To keep the row-major order of the elements as the order of the
// index, reverse the dimensions first (Permute).
//
// Law: l.Nested().At(c...) + l.Offset() == l.At(c...).
//
// Errors: fault.ErrUnsupported for an empty layout.
func (l Layout) Nested() (Nested, error) {
	if l.empty() {
		return Nested{}, fault.New(fault.ErrUnsupported, "nested", "%v has no elements", l)
	}
	modes := make([]Nested, l.Rank())
	for d := range modes {
		modes[d] = leafOf(l.Size(d), l.Stride(d))
	}
	return groupOf(modes...).checked("nested")
}

// Layout returns the leaves as the dimensions of a layout at offset 0.
//
// Law: a.Layout().At(digits of i) == a.At(i).
func (a Nested) Layout() Layout {
	var l Layout
	for _, m := range a.leaves() {
		l.shape, l.stride = append(l.shape, int64(m.n)), append(l.stride, int64(m.d))
	}
	return l
}

// Rank returns the number of modes; a leaf is its own single mode.
func (a Nested) Rank() int {
	if a.leaf {
		return 1
	}
	return len(a.modes)
}

// Mode returns mode k; it panics if there is none.
func (a Nested) Mode(k int) Nested {
	if a.leaf && k == 0 {
		return a
	}
	return a.modes[k]
}

// split returns the modes as a slice of their own.
func (a Nested) split() []Nested {
	if a.leaf {
		return []Nested{a}
	}
	return slices.Clone(a.modes)
}

// Size returns the number of indices: the product of all sizes.
func (a Nested) Size() int {
	switch {
	case a.leaf:
		return a.n
	case len(a.modes) == 0:
		return 1
	}
	return a.counted
}

// Bounds returns the smallest and the largest offset.
//
// Law: lo <= At(i) <= hi for every index below Size, and both are reached.
func (a Nested) Bounds() (lo, hi int) { return a.Layout().Bounds() }

// Cosize returns the number of elements that a buffer needs from offset 0 on:
// one more than the largest offset.
//
// Law: At(i) < Cosize() for every index, and one offset equals Cosize()-1.
func (a Nested) Cosize() int {
	_, hi := a.Bounds()
	return hi + 1
}

// At returns the offset of an index, or of one index for each mode. It is pure
// algebra: the ranges are not checked, and the last leaf is continued; it panics
// for another number of coordinates.
//
// Law: At(i) == At(i % s, i / s) for two modes, the first of size s.
func (a Nested) At(coord ...int) int {
	if len(coord) == 1 {
		return a.at(coord[0])
	}
	if a.leaf || len(coord) != len(a.modes) {
		panic("layout: " + strconv.Itoa(len(coord)) + " coordinates for " + a.String())
	}
	sum := 0
	for k, c := range coord {
		sum += a.modes[k].at(c)
	}
	return sum
}

func (a Nested) at(i int) int {
	sum, ms := 0, a.leaves()
	for k, m := range ms {
		if k == len(ms)-1 {
			return sum + i*m.d
		}
		sum += i % m.n * m.d
		i /= m.n
	}
	return sum
}

// IsInjective reports whether no two indices share an offset; see [Layout.IsInjective].
func (a Nested) IsInjective() bool { return a.Layout().IsInjective() }

// Equal reports whether both have the same nesting, sizes and strides.
func (a Nested) Equal(b Nested) bool {
	return a.leaf == b.leaf && a.n == b.n && a.d == b.d && slices.EqualFunc(a.modes, b.modes, Nested.Equal)
}

// Refines reports whether every coordinate of b is one of a: a has the shape of
// b, with leaves of b replaced by layouts of the same size.
//
// Law: if a.Refines(b) and b has modes, a.At(i, j, ..) is defined for every
// coordinate of b, and so it is mode by mode.
func (a Nested) Refines(b Nested) bool {
	if b.leaf {
		return a.Size() == b.n
	}
	return !a.leaf && slices.EqualFunc(a.modes, b.modes, Nested.Refines)
}

// String prints shape:stride, as ParseNested reads it: "((2,2),3):((24,2),8)".
func (a Nested) String() string {
	return a.print(func(m Nested) int { return m.n }) + ":" + a.print(func(m Nested) int { return m.d })
}

func (a Nested) print(value func(leaf Nested) int) string {
	if a.leaf {
		return strconv.Itoa(value(a))
	}
	parts := make([]string, len(a.modes))
	for k, m := range a.modes {
		parts[k] = m.print(value)
	}
	return "(" + strings.Join(parts, ",") + ")"
}
