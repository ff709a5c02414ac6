package layout

import (
	"slices"

	"github.com/weftgpu/weft/fault"
)

// Coalesce drops dimensions of size 1 and merges neighbours that form one run.
// At least one dimension is kept, so that a scalar becomes (1):(1); an empty
// layout becomes (0):(1).
//
// Law: Offsets() yields the same sequence before and after, and no layout of
// lower rank (but at least 1) does.
func (l Layout) Coalesce() Layout { return CoalesceTogether(l)[0] }

// CoalesceTogether coalesces layouts of equal shape together: dimensions of size
// 1 are dropped, and neighbours are merged where they form one run in all
// layouts. The results have equal shapes again, of rank 1 at least. An
// element-wise operation on any views then needs the fewest loops.
//
// Law: walking all results in row-major order visits the same tuples of offsets
// in the same order.
//
// It panics if the shapes differ.
func CoalesceTogether(ls ...Layout) []Layout {
	out := make([]Layout, len(ls))
	if len(ls) == 0 {
		return out
	}
	for i, l := range ls {
		if !slices.Equal(l.shape, ls[0].shape) {
			panic("layout: coalescing " + l.String() + " together with " + ls[0].String())
		}
		out[i].offset = l.offset
	}
	if !ls[0].empty() {
		for d, n := range ls[0].shape {
			if n == 1 {
				continue
			}
			merge := continuesRun(ls, out, d)
			for i, l := range ls {
				out[i].push(n, l.stride[d], merge)
			}
		}
	}
	for i := range out {
		if out[i].Rank() == 0 {
			out[i].push(int64(min(ls[i].Len(), 1)), 1, false)
		}
	}
	return out
}

// continuesRun reports whether dimension d of every layout of ls continues the
// run of the last dimension collected in out.
func continuesRun(ls, out []Layout, d int) bool {
	for i, l := range ls {
		last := out[i].Rank() - 1
		if last < 0 {
			return false
		}
		if run, ok := mul(l.shape[d], l.stride[d]); !ok || run != out[i].stride[last] {
			return false
		}
	}
	return true
}

// push appends a dimension, or merges it into the last one.
func (l *Layout) push(n, stride int64, merge bool) {
	if last := len(l.shape) - 1; merge {
		l.shape[last] *= n
		l.stride[last] = stride
		return
	}
	l.shape, l.stride = append(l.shape, n), append(l.stride, stride)
}

// Reshape returns a layout of another shape with the same elements in the same
// row-major order. One size may be -1 and is then computed.
//
// Law: Offsets() yields the same sequence before and after. Where Reshape answers
// fault.ErrUnsupported, no strides of that shape do.
//
// Errors: fault.ErrShape if the numbers of elements differ or the shape is no
// shape, fault.ErrUnsupported where the elements would have to be copied,
// fault.ErrLimit as for Contiguous.
func (l Layout) Reshape(shape ...int) (Layout, error) {
	size, err := l.inferred(shape)
	if err != nil {
		return Layout{}, err
	}
	dense, err := build("reshape", size, rowMajor(size), 0)
	if err != nil {
		return Layout{}, err
	}
	if dense.Len() != l.Len() {
		return Layout{}, fault.New(fault.ErrShape, "reshape", "the %s of shape %s cannot become %d of shape %s", fault.Count(l.Len(), "element"), tuple(l.shape), dense.Len(), tuple(size))
	}
	dense.offset = l.offset
	if l.empty() {
		return dense, nil
	}
	stride, ok := l.Coalesce().split(size)
	if !ok {
		return Layout{}, fault.New(fault.ErrUnsupported, "reshape", "%v to %s needs a copy", l, tuple(size))
	}
	return Layout{size, stride, l.offset}, nil
}

// inferred replaces the -1 of a shape by the size that makes the counts agree.
func (l Layout) inferred(shape []int) ([]int64, error) {
	size, hole, rest, ok := wide(shape), -1, int64(1), true
	for d, n := range size {
		fits := true
		switch {
		case n >= 0:
			rest, fits = mul(rest, n)
		case n == -1 && hole < 0:
			hole = d
		default:
			return nil, fault.New(fault.ErrShape, "reshape", "shape %s has a negative size", tuple(shape))
		}
		ok = ok && fits
	}
	if hole < 0 {
		return size, nil
	}
	if n := int64(l.Len()); ok && rest != 0 && n%rest == 0 {
		size[hole] = n / rest
		return size, nil
	}
	return nil, fault.New(fault.ErrShape, "reshape", "%s of shape %s do not determine the -1 in %s", fault.Count(l.Len(), "element"), tuple(l.shape), tuple(shape))
}

// split cuts the runs of a coalesced, non-empty layout into the sizes of a shape
// with the same count, innermost first. The runs are maximal, so a size that
// reaches across two of them has no stride.
func (l Layout) split(size []int64) (stride []int64, ok bool) {
	stride = make([]int64, len(size))
	r := l.Rank() - 1
	left, step := l.shape[r], l.stride[r]
	for d := len(size) - 1; d >= 0; d-- {
		n := size[d]
		if n > 1 && left == 1 {
			r--
			left, step = l.shape[r], l.stride[r]
		}
		if left%n != 0 {
			return nil, false
		}
		stride[d] = step
		left /= n
		if next, fits := mul(step, n); fits { // else nothing but sizes of 1 can follow
			step = next
		}
	}
	return stride, true
}
