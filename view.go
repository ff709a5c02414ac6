package weft

import (
	"errors"
	"runtime"
	"slices"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
)

// view is another tensor over the same memory. A view of a closed tensor is closed.
func (t *Tensor) view(l layout.Layout) *Tensor {
	defer runtime.KeepAlive(t)
	if t.closed.Load() || !t.mem.retain() {
		v := &Tensor{mem: t.mem, elem: t.elem, layout: l}
		v.closed.Store(true)
		return v
	}
	v := newTensor(t.mem, t.elem, l)
	v.rec = t.rec
	return v
}

func (t *Tensor) viewOr(l layout.Layout, err error) (*Tensor, error) {
	if err != nil {
		return nil, err
	}
	return t.view(l), nil
}

// T swaps the last two dimensions; a tensor of lower rank is returned as a plain
// view. Nothing is copied. T of nil is nil, and T of a closed tensor
// is closed, so that an op that uses it reports that.
func (t *Tensor) T() *Tensor {
	if t.there("") != nil {
		return nil
	}
	return t.view(t.layout.Transpose())
}

// axis is the dimension that a number names, of dims dimensions; a negative one counts from the end.
func (t *Tensor) axis(op string, d, dims int) (int, error) {
	if d < -dims || d >= dims {
		return 0, fault.New(ErrArgument, op, "axis %d of a tensor of %s, shape %v, does not exist", d, fault.Count(t.Rank(), "dimension"), t.Shape())
	}
	return (d + dims) % max(dims, 1), nil
}

// along is a view that depends on one dimension.
func (t *Tensor) along(op string, d int, f func(d int) (layout.Layout, error)) (*Tensor, error) {
	if err := t.there(op); err != nil {
		return nil, err
	}
	d, err := t.axis(op, d, t.Rank())
	if err != nil {
		return nil, err
	}
	return t.viewOr(f(d))
}

// Slice is the view of the elements from <= i < to of a dimension; a negative dim counts from the end. Slices takes
// several dimensions at once, and positions from the end.
//
// Errors: ErrArgument for a dimension that does not exist, ErrShape for a range outside of it.
func (t *Tensor) Slice(dim, from, to int) (*Tensor, error) { return t.SliceStep(dim, from, to, 1) }

// SliceStep is the view of the elements from, from+step, … of a dimension,
// before to, or after to if step is negative; to = -1 then reaches element 0. A negative dim counts from the end.
//
// Errors: ErrArgument for a dimension that does not exist, ErrShape for a range outside of it or a step of 0.
func (t *Tensor) SliceStep(dim, from, to, step int) (*Tensor, error) {
	return t.along("slice", dim, func(d int) (layout.Layout, error) { return t.layout.Slice(d, from, to, step) })
}

// Split is the views of parts of a dimension, one after the other, with so many elements each. A negative dim counts from the end.
//
//	parts, err := x.Split(-1, 64, 64, 128)
//
// Errors: ErrArgument for a dimension that does not exist and a negative size, ErrShape for sizes whose sum is not that of the dimension.
func (t *Tensor) Split(dim int, sizes ...int) ([]*Tensor, error) {
	if err := t.there("split"); err != nil {
		return nil, err
	}
	d, err := t.axis("split", dim, t.Rank())
	if err != nil {
		return nil, err
	}
	left := t.Dim(d)
	for _, n := range sizes {
		if n < 0 {
			return nil, fault.New(ErrArgument, "split", "a part of %s, want 0 or more", fault.Count(n, "element")).For("sizes")
		}
		if left -= n; left < 0 {
			break
		}
	}
	if left != 0 {
		return nil, fault.New(ErrShape, "split", "parts %v of dimension %d, which has size %d", sizes, d, t.Dim(d)).For("sizes")
	}
	parts := make([]*Tensor, len(sizes))
	at := 0
	for i, n := range sizes {
		l, err := t.layout.Slice(d, at, at+n, 1)
		if err != nil {
			return nil, err // none: the sizes fit
		}
		parts[i] = t.view(l)
		at += n
	}
	return parts, nil
}

// Select is the view of one index of a dimension, which is dropped. A negative dim counts from the end.
//
// Errors: ErrArgument for a dimension that does not exist, ErrShape for an index outside of it.
func (t *Tensor) Select(dim, index int) (*Tensor, error) {
	return t.along("select", dim, func(d int) (layout.Layout, error) { return t.layout.Select(d, index) })
}

// Permute reorders the dimensions: dimension i of the view is dims[i] of t; negative ones count from the end.
//
// Errors: ErrShape for another number of dimensions, ErrArgument if dims is not a permutation.
func (t *Tensor) Permute(dims ...int) (*Tensor, error) {
	if err := t.there("permute"); err != nil {
		return nil, err
	}
	order := slices.Clone(dims)
	for i, d := range order {
		if -t.Rank() <= d && d < 0 {
			order[i] = d + t.Rank()
		}
	}
	l, err := t.layout.Permute(order...)
	var f *fault.Error
	if errors.As(err, &f) && !slices.Equal(order, dims) {
		return nil, fault.New(f.Kind, "permute", "dimensions %v are not a permutation of the tensor's %d", dims, t.Rank())
	}
	return t.viewOr(l, err)
}

// Broadcast repeats dimensions of size 1, and adds leading ones, as NumPy does.
// It is a view that can be read but not written.
// Error: ErrShape if the shapes do not fit.
func (t *Tensor) Broadcast(shape ...int) (*Tensor, error) {
	if err := t.there("broadcast"); err != nil {
		return nil, err
	}
	return t.viewOr(t.layout.Broadcast(shape...))
}

// Reshape is a view with another shape and the same elements in row-major
// order; one size may be -1 and is computed.
// Errors: ErrShape if the numbers of elements differ, ErrUnsupported if the
// elements would have to be copied (Contiguous copies them).
func (t *Tensor) Reshape(shape ...int) (*Tensor, error) {
	if err := t.there("reshape"); err != nil {
		return nil, err
	}
	l, err := t.layout.Reshape(shape...)
	if errors.Is(err, ErrUnsupported) {
		return nil, fault.New(ErrUnsupported, "reshape", "the elements of layout %v must be moved for shape %v: call Contiguous first", t.layout, shape)
	}
	return t.viewOr(l, err)
}

// Squeeze drops dimensions, which must have size 1; without any it drops all that do. Negative ones count from the end.
//
// Errors: ErrArgument for a dimension that does not exist or is given twice, ErrShape for one of another size.
func (t *Tensor) Squeeze(dims ...int) (*Tensor, error) {
	if err := t.there("squeeze"); err != nil {
		return nil, err
	}
	if len(dims) == 0 {
		for d := range t.Rank() {
			if t.Dim(d) == 1 {
				dims = append(dims, d)
			}
		}
	}
	l, err := t.layout, error(nil)
	dims = slices.Clone(dims)
	for i, d := range dims {
		if dims[i], err = t.axis("squeeze", d, t.Rank()); err != nil {
			return nil, err
		}
	}
	slices.Sort(dims)
	for i, d := range slices.Backward(dims) {
		if i > 0 && dims[i-1] == d {
			return nil, fault.New(ErrArgument, "squeeze", "dimension %d is given twice", d)
		}
		if l, err = l.Squeeze(d); err != nil {
			return nil, err
		}
	}
	return t.view(l), nil
}

// Unsqueeze inserts a dimension of size 1 before dimension dim, 0 ≤ dim ≤ rank; a negative dim counts from the end of
// the result, so that -1 makes it the last one.
//
// Error: ErrArgument for another dim.
func (t *Tensor) Unsqueeze(dim int) (*Tensor, error) {
	if err := t.there("unsqueeze"); err != nil {
		return nil, err
	}
	d, err := t.axis("unsqueeze", dim, t.Rank()+1)
	if err != nil {
		return nil, err
	}
	return t.viewOr(t.layout.Unsqueeze(d))
}

// Flip reverses the order of the elements along dimensions; without any, along all. Negative
// ones count from the end.
//
// Error: ErrArgument for a dimension that does not exist.
func (t *Tensor) Flip(dims ...int) (*Tensor, error) {
	if err := t.there("flip"); err != nil {
		return nil, err
	}
	if len(dims) == 0 {
		for d := range t.Rank() {
			dims = append(dims, d)
		}
	}
	l := t.layout
	for _, d := range dims {
		d, err := t.axis("flip", d, l.Rank())
		if err != nil {
			return nil, err
		}
		if l, err = l.Slice(d, l.Size(d)-1, -1, -1); err != nil {
			return nil, err
		}
	}
	return t.view(l), nil
}

// Overlaps reports whether t and u have an element in the same memory.
func (t *Tensor) Overlaps(u *Tensor) bool {
	return t.there("") == nil && u.there("") == nil && t.mem == u.mem && t.layout.Overlaps(u.layout)
}
