package weft

import (
	"fmt"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
)

// Range says which elements of one dimension Slices keeps. Its zero value keeps all. Positions that are negative count
// from the end.
type Range struct {
	from, to, step int
	hasFrom, hasTo bool
	one, hasStep   bool
}

// All keeps all elements of a dimension.
func All() Range { return Range{} }

// From keeps the elements from a position on.
func From(i int) Range { return Range{from: i, hasFrom: true} }

// To keeps the elements before a position.
func To(i int) Range { return Range{to: i, hasTo: true} }

// Span keeps the elements from <= i < to.
func Span(from, to int) Range { return Range{from: from, to: to, hasFrom: true, hasTo: true} }

// Index keeps one element and drops the dimension.
func Index(i int) Range { return Range{from: i, hasFrom: true, one: true} }

// By keeps every step-th element of the range. A negative step goes backwards: from the range's first position, the last
// element if none is given, down to the one after its second position, or to element 0 if none is given. All().By(-1) reverses a dimension, and
// Span(7, 3).By(-2) are the elements 7 and 5.
func (r Range) By(step int) Range {
	r.step, r.hasStep = step, true
	return r
}

// String writes the range as Python does.
func (r Range) String() string {
	if r.one {
		return fmt.Sprint(r.from)
	}
	from, to, step := "", "", ""
	if r.hasFrom {
		from = fmt.Sprint(r.from)
	}
	if r.hasTo {
		to = fmt.Sprint(r.to)
	}
	if r.hasStep {
		step = fmt.Sprintf(":%d", r.step)
	}
	return from + ":" + to + step
}

// bounds are the positions and the step as layouts take them, in a dimension of size n.
func (r Range) bounds(n int) (from, to, step int) {
	if step = r.step; !r.hasStep {
		step = 1
	}
	from, to = 0, n
	if step < 0 {
		from, to = n-1, -1
	}
	at := func(i int) int {
		if i < 0 {
			return i + n
		}
		return i
	}
	if r.hasFrom {
		from = at(r.from)
	}
	if r.hasTo {
		to = at(r.to)
	}
	return from, to, step
}

// cut is a layout with a range of dimension d alone.
func (r Range) cut(l layout.Layout, d int) (layout.Layout, error) {
	n := l.Size(d)
	from, to, step := r.bounds(n)
	outside := r.hasFrom && (from < 0 || from > n) || r.hasTo && (to < 0 || to > n)
	switch {
	case r.one && !outside && from < n && !r.hasStep:
		return l.Select(d, from)
	case r.one || outside:
	case step != 0 && (n == 0 || from == to): // nothing
		return l.Slice(d, 0, 0, 1)
	default:
		if cut, err := l.Slice(d, from, to, step); err == nil {
			return cut, nil
		}
	}
	return layout.Layout{}, fault.New(ErrShape, "slices", "range %v does not fit dimension %d, which has size %d", r, d, n)
}

// Slices is the view of a range of each dimension, from the first on; dimensions after the last range are kept whole. Nothing is copied.
//
//	x.Slices(weft.All(), weft.From(1), weft.Index(-1), weft.Span(0, 10).By(2)) // x[:, 1:, -1, 0:10:2] of NumPy
//
// Errors: ErrShape for more ranges than dimensions, for positions outside of a dimension, a range that ends before it
// begins, and a step of 0.
func (t *Tensor) Slices(ranges ...Range) (*Tensor, error) {
	if err := t.there("slices"); err != nil {
		return nil, err
	}
	l := t.layout
	if len(ranges) > l.Rank() {
		return nil, fault.New(ErrShape, "slices", "%s given for shape %v", fault.Count(len(ranges), "range"), t.Shape())
	}
	for d := len(ranges) - 1; d >= 0; d-- { // from the end: dropped dimensions move those after them
		var err error
		if l, err = ranges[d].cut(l, d); err != nil {
			return nil, err
		}
	}
	return t.view(l), nil
}

// element is the view of one element, of no dimensions.
func (t *Tensor) element(op string, indices []int) (*Tensor, error) {
	if err := t.there(op); err != nil {
		return nil, err
	}
	if len(indices) != t.Rank() {
		return nil, fault.New(ErrShape, op, "%s %v given for shape %v", fault.Count(len(indices), "index"), indices, t.Shape())
	}
	l := t.layout
	for d, i := range indices {
		n := l.Size(0)
		if i < -n || i >= n {
			return nil, fault.New(ErrShape, op, "index %d is outside of dimension %d, which has size %d", i, d, n)
		}
		var err error
		if l, err = l.Select(0, (i+n)%n); err != nil {
			return nil, err
		}
	}
	return t.view(l), nil
}

// At waits for the tensor and returns one of its elements, of any element type; 64-bit integers beyond 2^53 are rounded.
// There is an index for each dimension, and a negative one counts from the end. It copies one element from the device: to read many,
// copy them at once with ToSlice or ToFloats.
//
// Errors: ErrShape for another number of indices or one outside of its dimension, ErrArgument for nil, ErrClosed, and what went wrong on the
// device since it was last asked.
func (t *Tensor) At(indices ...int) (float64, error) {
	e, err := t.element("at", indices)
	if err != nil {
		return 0, err
	}
	defer e.Close()
	return e.item("at")
}

// setAtMap writes a number to one element.
var setAtMap = NewMap("set_at", []string{"x"}, identity)

// SetAt sets one element to a Go number or bool: floats are rounded to the element type, and an integer type must hold
// the number. There is an index for each dimension, and a negative one counts from the end. It starts a kernel for one element: to
// write many, use CopyFrom, Fill of a view, or FromSlice.
//
// Errors: ErrShape for another number of indices or one outside of its dimension, ErrArgument for nil or a value that
// the element type does not hold, ErrUnsupported for a tensor that repeats elements, ErrClosed.
func (t *Tensor) SetAt(x any, indices ...int) error {
	e, err := t.element("set_at", indices)
	if err != nil {
		return err
	}
	defer e.Close()
	if !t.layout.IsInjective() {
		return fault.New(ErrUnsupported, "set_at", "the layout %v repeats elements, so it cannot be written", t.layout).For("t")
	}
	if _, isTensor := x.(*Tensor); isTensor {
		return fault.New(ErrArgument, "set_at", "a tensor is given, want a number").For("x")
	}
	return setAtMap.Into(e, x)
}
