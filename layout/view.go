package layout

import (
	"slices"

	"github.com/weftgpu/weft/fault"
)

// dim checks that d names a dimension below limit.
func (l Layout) dim(op string, d, limit int) error {
	if d < 0 || d >= limit {
		return fault.New(fault.ErrArgument, op, "dimension %d of a layout of rank %d does not exist", d, l.Rank())
	}
	return nil
}

func (l Layout) clone() Layout {
	return Layout{slices.Clone(l.shape), slices.Clone(l.stride), l.offset}
}

// Slice keeps the coordinates from, from+step, ... of a dimension, before to
// (after to, if step is negative; to = -1 then reaches coordinate 0). Unlike in
// Python, negative positions do not count from the end.
//
// Law: Slice(d, from, to, step).At(.., i, ..) == At(.., from+i*step, ..).
//
// Errors: fault.ErrArgument for a dimension that does not exist, fault.ErrShape for a range outside of the layout, or a
// step of 0.
func (l Layout) Slice(dim, from, to, step int) (Layout, error) {
	if err := l.dim("slice", dim, l.Rank()); err != nil {
		return Layout{}, err
	}
	n := l.Size(dim)
	up := step > 0 && 0 <= from && from <= to && to <= n
	down := step < 0 && n > from && from >= to && to >= -1
	if !up && !down {
		return Layout{}, fault.New(fault.ErrShape, "slice", "the range %d:%d:%d does not fit dimension %d of size %d", from, to, step, dim, n)
	}
	count := int64(0)
	switch { // distance over step, rounded up, without overflow
	case from < to:
		count = (int64(to)-int64(from)-1)/int64(step) + 1
	case from > to:
		count = (int64(to)-int64(from)+1)/int64(step) + 1
	}
	r := l.clone()
	r.shape[dim] = count
	if count > 0 { // else from may be just outside
		r.offset += int64(from) * l.stride[dim]
	}
	if count > 1 { // else the step may be huge
		r.stride[dim] *= int64(step)
	}
	return r, nil
}

// Select fixes the coordinate of a dimension and drops it.
//
// Law: Select(d, i).At(a..., b...) == At(a..., i, b...).
//
// Errors: fault.ErrArgument for a dimension that does not exist, fault.ErrShape for an index out of range.
func (l Layout) Select(dim, index int) (Layout, error) {
	if err := l.dim("select", dim, l.Rank()); err != nil {
		return Layout{}, err
	}
	if index < 0 || index >= l.Size(dim) {
		return Layout{}, fault.New(fault.ErrShape, "select", "index %d is outside of dimension %d of size %d", index, dim, l.Size(dim))
	}
	r := l.clone()
	r.offset += int64(index) * l.stride[dim]
	r.shape, r.stride = slices.Delete(r.shape, dim, dim+1), slices.Delete(r.stride, dim, dim+1)
	return r, nil
}

// Permute reorders the dimensions: dimension i of the result is dims[i] of l.
//
// Law: Permute(p...).At(c...) == At(b...) where b[p[i]] = c[i].
//
// Errors: fault.ErrShape for another number of dimensions, fault.ErrArgument if dims is no permutation of 0..rank-1.
func (l Layout) Permute(dims ...int) (Layout, error) {
	if len(dims) != l.Rank() {
		return Layout{}, fault.New(fault.ErrShape, "permute", "%s %v given for a layout of rank %d", fault.Count(len(dims), "dimension"), dims, l.Rank())
	}
	if !isPermutation(dims, l.Rank()) {
		return Layout{}, fault.New(fault.ErrArgument, "permute", "%v is not a permutation of %s", dims, fault.Count(l.Rank(), "dimension"))
	}
	r := l.clone()
	for i, d := range dims {
		r.shape[i], r.stride[i] = l.shape[d], l.stride[d]
	}
	return r, nil
}

func isPermutation(dims []int, rank int) bool {
	seen := make([]bool, rank)
	for _, d := range dims {
		if d < 0 || d >= rank || seen[d] {
			return false
		}
		seen[d] = true
	}
	return len(dims) == rank
}

// Transpose swaps the last two dimensions; a layout of lower rank is returned as it is.
//
// Law: Transpose().At(.., i, j) == At(.., j, i), and Transpose().Transpose() equals l.
func (l Layout) Transpose() Layout {
	n := l.Rank()
	if n < 2 {
		return l
	}
	r := l.clone()
	for _, v := range [][]int64{r.shape, r.stride} {
		v[n-1], v[n-2] = v[n-2], v[n-1]
	}
	return r
}

// Squeeze drops a dimension of size 1.
//
// Errors: fault.ErrArgument if there is no such dimension, fault.ErrShape if its size is not 1.
func (l Layout) Squeeze(dim int) (Layout, error) {
	if err := l.dim("squeeze", dim, l.Rank()); err != nil {
		return Layout{}, err
	}
	if l.shape[dim] != 1 {
		return Layout{}, fault.New(fault.ErrShape, "squeeze", "dimension %d has size %d, want 1", dim, l.shape[dim])
	}
	return l.Select(dim, 0)
}

// Unsqueeze inserts a dimension of size 1 (stride 0) before dimension dim; dim
// may be the rank.
//
// Law: Unsqueeze(d).Squeeze(d) equals l.
//
// Errors: fault.ErrArgument if dim is not in 0..rank.
func (l Layout) Unsqueeze(dim int) (Layout, error) {
	if err := l.dim("unsqueeze", dim, l.Rank()+1); err != nil {
		return Layout{}, err
	}
	r := l.clone()
	r.shape, r.stride = slices.Insert(r.shape, dim, 1), slices.Insert(r.stride, dim, 0)
	return r, nil
}

// Broadcast repeats dimensions of size 1, and adds leading dimensions, by
// strides of 0 until the layout has the given shape. Dimensions are aligned at
// the last one, as in NumPy.
//
// Law: Broadcast(s...).At(c...) == At(b...) where b is the tail of c with 0 in
// every dimension where l has size 1.
//
// Errors: fault.ErrShape if the shapes do not fit, fault.ErrLimit if the result
// has too many elements.
func (l Layout) Broadcast(shape ...int) (Layout, error) {
	lead := len(shape) - l.Rank()
	if lead < 0 {
		return Layout{}, fault.New(fault.ErrShape, "broadcast", "shape %s does not broadcast to %s of lower rank", tuple(l.shape), tuple(shape))
	}
	stride := make([]int64, len(shape))
	for d, n := range l.shape {
		switch want := int64(shape[lead+d]); n {
		case want:
			stride[lead+d] = l.stride[d]
		case 1: // stride 0
		default:
			return Layout{}, fault.New(fault.ErrShape, "broadcast", "shape %s does not broadcast to %s: dimension %d has size %d, want 1 or %d", tuple(l.shape), tuple(shape), d, n, want)
		}
	}
	return build("broadcast", wide(shape), stride, l.offset)
}

// BroadcastShapes returns the shape that all the given shapes broadcast to;
// dimensions are aligned at the last one. Without arguments that is rank 0.
//
// Errors: fault.ErrShape if two sizes of a dimension differ and neither is 1, or
// if a size is negative.
func BroadcastShapes(shapes ...[]int) ([]int, error) {
	rank := 0
	for _, s := range shapes {
		rank = max(rank, len(s))
	}
	out := slices.Repeat([]int{1}, rank)
	for _, s := range shapes {
		tail := out[rank-len(s):]
		for d, n := range s {
			if n < 0 || n != 1 && tail[d] != 1 && tail[d] != n {
				return nil, fault.New(fault.ErrShape, "broadcast", "shapes %v do not broadcast: sizes %d and %d differ", shapes, n, tail[d])
			}
			if n != 1 {
				tail[d] = n
			}
		}
	}
	return out, nil
}
