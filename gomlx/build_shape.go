package gomlx

import (
	"slices"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/backends/shapeinference"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/pkg/errors"
)

// The ops that move elements without changing them.

// sliceAttrs are the ranges of a Slice.
type sliceAttrs struct{ starts, limits, strides []int }

// Identity is its operand.
func (b *Builder) Identity(x backends.Op) (backends.Op, error) {
	return b.addOp(backends.OpTypeIdentity, nil, func(in []*node) (shapes.Shape, error) { return in[0].shape, nil }, x)
}

// Reshape gives the same elements other dimensions.
func (b *Builder) Reshape(x backends.Op, dims ...int) (backends.Op, error) {
	return b.addOp(backends.OpTypeReshape, nil, func(in []*node) (shapes.Shape, error) {
		return shapeinference.ReshapeOp(in[0].shape, dims)
	}, x)
}

// Transpose reorders dimensions.
func (b *Builder) Transpose(x backends.Op, permutation ...int) (backends.Op, error) {
	return b.addOp(backends.OpTypeTranspose, slices.Clone(permutation), func(in []*node) (shapes.Shape, error) {
		return shapeinference.TransposeOp(in[0].shape, permutation)
	}, x)
}

// Broadcast adds leading dimensions.
func (b *Builder) Broadcast(x backends.Op, prefix ...int) (backends.Op, error) {
	return b.addOp(backends.OpTypeBroadcast, nil, func(in []*node) (shapes.Shape, error) {
		return shapeinference.BroadcastOp(in[0].shape, prefix)
	}, x)
}

// BroadcastInDim repeats dimensions of size 1 and inserts others.
func (b *Builder) BroadcastInDim(x backends.Op, shape shapes.Shape, axes []int) (backends.Op, error) {
	return b.addOp(backends.OpTypeBroadcastInDim, slices.Clone(axes), func(in []*node) (shapes.Shape, error) {
		return shape.Clone(), shapeinference.BroadcastInDimOp(in[0].shape, shape, axes)
	}, x)
}

// Slice keeps a range of each dimension.
func (b *Builder) Slice(x backends.Op, starts, limits, strides []int) (backends.Op, error) {
	attrs := sliceAttrs{slices.Clone(starts), slices.Clone(limits), slices.Clone(strides)}
	return b.addOp(backends.OpTypeSlice, attrs, func(in []*node) (shapes.Shape, error) {
		return shapeinference.SliceOp(in[0].shape, starts, limits, strides)
	}, x)
}

// Reverse reverses the order along dimensions.
func (b *Builder) Reverse(x backends.Op, axes ...int) (backends.Op, error) {
	return b.addOp(backends.OpTypeReverse, slices.Clone(axes), func(in []*node) (shapes.Shape, error) {
		for _, axis := range axes {
			if axis < 0 || axis >= in[0].shape.Rank() {
				return shapes.Invalid(), errors.Errorf("axis %d of shape %s", axis, in[0].shape)
			}
		}
		return in[0].shape, nil
	}, x)
}

// Iota counts along a dimension.
func (b *Builder) Iota(shape shapes.Shape, axis int) (backends.Op, error) {
	return b.addOp(backends.OpTypeIota, axis, func([]*node) (shapes.Shape, error) {
		if axis < 0 || axis >= shape.Rank() {
			return shapes.Invalid(), errors.Errorf("axis %d of shape %s", axis, shape)
		}
		return shape.Clone(), nil
	})
}

// Concatenate joins tensors along a dimension.
func (b *Builder) Concatenate(axis int, operands ...backends.Op) (backends.Op, error) {
	return b.addOp(backends.OpTypeConcatenate, axis, func(in []*node) (shapes.Shape, error) {
		list := make([]shapes.Shape, len(in))
		for i, n := range in {
			list[i] = n.shape
		}
		if rank := list[0].Rank(); axis < 0 || axis >= rank { // GoMLX's inference does not look at the axis for one operand
			return list[0], errors.Errorf("axis %d of %s", axis, list[0])
		}
		return shapeinference.ConcatenateOp(list, axis)
	}, operands...)
}

// Pad puts a value around and between elements; where an amount is negative, it removes elements.
func (b *Builder) Pad(x, fill backends.Op, axes ...backends.PadAxis) (backends.Op, error) {
	all := slices.Clone(axes)
	return b.addOp(backends.OpTypePad, &all, func(in []*node) (shapes.Shape, error) {
		shape, value := in[0].shape.Clone(), in[1].shape
		if value.Size() != 1 || value.DType != shape.DType {
			return shape, errors.Errorf("the fill value is %s, want a scalar of %s", value, shape.DType)
		}
		if len(all) > shape.Rank() {
			return shape, errors.Errorf("%d axes for shape %s", len(all), shape)
		}
		all = append(all, make([]backends.PadAxis, shape.Rank()-len(all))...)
		for d, p := range all {
			n := shape.Dimensions[d]
			shape.Dimensions[d] = p.Start + n + max(n-1, 0)*p.Interior + p.End
			if p.Interior < 0 || shape.Dimensions[d] < 0 {
				return shape, errors.Errorf("padding %+v of axis %d of shape %s", p, d, in[0].shape)
			}
		}
		return shape, nil
	}, x, fill)
}

// dynamicSliceShape checks the starts of a slice of certain sizes, which are scalars of integers, one for each dimension.
func dynamicSliceShape(in []*node, starts []*node, sizes []int) error {
	dims := in[0].shape.Dimensions
	if len(starts) == 1 && starts[0].shape.Rank() == 1 && starts[0].shape.Size() == len(dims) && starts[0].shape.DType.IsInt() {
		starts = slices.Repeat([]*node{{shape: shapes.Make(starts[0].shape.DType)}}, len(dims)) // one vector of all starts
	}
	if len(starts) != len(dims) || len(sizes) != len(dims) {
		return errors.Errorf("%d starts and %d sizes for shape %s", len(starts), len(sizes), in[0].shape)
	}
	for d, n := range starts {
		if n.shape.Size() != 1 || !n.shape.DType.IsInt() {
			return errors.Errorf("start %d has shape %s, want an integer", d, n.shape)
		}
		if n.shape.DType != starts[0].shape.DType {
			return errors.Errorf("start %d is %s, start 0 %s", d, n.shape.DType, starts[0].shape.DType)
		}
		if sizes[d] < 0 || sizes[d] > dims[d] {
			return errors.Errorf("size %d of axis %d, which has %d", sizes[d], d, dims[d])
		}
	}
	return nil
}

// DynamicSlice keeps a range of each dimension whose start is computed.
func (b *Builder) DynamicSlice(x backends.Op, starts []backends.Op, sizes []int) (backends.Op, error) {
	return b.addOp(backends.OpTypeDynamicSlice, nil, func(in []*node) (shapes.Shape, error) {
		return shapes.Make(in[0].shape.DType, sizes...), dynamicSliceShape(in, in[1:], sizes)
	}, append([]backends.Op{x}, starts...)...)
}

// DynamicUpdateSlice replaces a range of each dimension whose start is computed.
func (b *Builder) DynamicUpdateSlice(x, update backends.Op, starts []backends.Op) (backends.Op, error) {
	return b.addOp(backends.OpTypeDynamicUpdateSlice, nil, func(in []*node) (shapes.Shape, error) {
		if in[1].shape.DType != in[0].shape.DType {
			return shapes.Invalid(), errors.Errorf("the update is %s, the operand %s", in[1].shape.DType, in[0].shape.DType)
		}
		return in[0].shape, dynamicSliceShape(in, in[2:], in[1].shape.Dimensions)
	}, append([]backends.Op{x, update}, starts...)...)
}
