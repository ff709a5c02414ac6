package gomlx

import (
	"slices"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/backends/shapeinference"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/pkg/errors"
)

// The ops that read and write by indices, reduce, and draw random bits.

// gatherAttrs are the axes of a Gather.
type gatherAttrs struct {
	vectorAxis               int
	offset, collapsed, index []int
	sizes                    []int
}

// scatterAttrs are the axes of a Scatter.
type scatterAttrs struct {
	vectorAxis              int
	window, inserted, index []int
}

// argAttrs are those of ArgMinMax.
type argAttrs struct {
	axis  int
	isMin bool
}

// Gather reads slices at computed starts.
func (b *Builder) Gather(x, starts backends.Op, vectorAxis int, offset, collapsed, index, sizes []int, sorted bool) (backends.Op, error) {
	attrs := gatherAttrs{vectorAxis, slices.Clone(offset), slices.Clone(collapsed), slices.Clone(index), slices.Clone(sizes)}
	return b.addOp(backends.OpTypeGather, attrs, func(in []*node) (shapes.Shape, error) {
		vectors, err := vectorsFirst(in[1].shape, vectorAxis)
		if err != nil {
			return vectors, err
		}
		return shapeinference.Gather(in[0].shape, vectors, 0, offset, collapsed, index, sizes, sorted)
	}, x, starts)
}

// vectorsFirst is the shape of indices whose vectors are along the first axis, where GoMLX's inference looks for them in any operand: it compares
// the axis with the operand's rank.
func vectorsFirst(indices shapes.Shape, axis int) (shapes.Shape, error) {
	dims, size := slices.Clone(indices.Dimensions), 1
	switch {
	case axis < 0 || axis > len(dims):
		return shapes.Invalid(), errors.Errorf("vectors along axis %d of indices of shape %s", axis, indices)
	case axis < len(dims):
		size = dims[axis]
		dims = slices.Delete(dims, axis, axis+1)
	}
	return shapes.Make(indices.DType, slices.Insert(dims, 0, size)...), nil
}

func (b *Builder) scatter(op backends.OpType, x, indices, updates backends.Op, vectorAxis int, window, inserted, index []int) (backends.Op, error) {
	attrs := scatterAttrs{vectorAxis, slices.Clone(window), slices.Clone(inserted), slices.Clone(index)}
	return b.addOp(op, attrs, func(in []*node) (shapes.Shape, error) {
		return shapeinference.ScatterOp(in[0].shape, in[1].shape, in[2].shape, vectorAxis, window, inserted, index)
	}, x, indices, updates)
}

// ScatterSum adds updates at computed places.
func (b *Builder) ScatterSum(x, indices, updates backends.Op, vectorAxis int, window, inserted, index []int, _, _ bool) (backends.Op, error) {
	return b.scatter(backends.OpTypeScatterSum, x, indices, updates, vectorAxis, window, inserted, index)
}

// ScatterMax keeps the largest of what is at computed places and the updates.
func (b *Builder) ScatterMax(x, indices, updates backends.Op, vectorAxis int, window, inserted, index []int, _, _ bool) (backends.Op, error) {
	return b.scatter(backends.OpTypeScatterMax, x, indices, updates, vectorAxis, window, inserted, index)
}

// ScatterMin keeps the smallest of what is at computed places and the updates.
func (b *Builder) ScatterMin(x, indices, updates backends.Op, vectorAxis int, window, inserted, index []int, _, _ bool) (backends.Op, error) {
	return b.scatter(backends.OpTypeScatterMin, x, indices, updates, vectorAxis, window, inserted, index)
}

// ArgMinMax is the index of the least or the greatest element along an axis; of Bool it is that of the first one that does not hold, or does.
func (b *Builder) ArgMinMax(x backends.Op, axis int, dtype dtypes.DType, isMin bool) (backends.Op, error) {
	return b.addOp(backends.OpTypeArgMinMax, argAttrs{axis, isMin}, func(in []*node) (shapes.Shape, error) {
		shape := in[0].shape.Clone()
		if bools(shape.DType) { // an order that GoMLX's inference does not know, and discrete Kolmogorov-Arnold networks need
			shape.DType = dtypes.Uint8
		}
		return shapeinference.ArgMinMaxOp(shape, axis, dtype)
	}, x)
}

// reduce adds a reduction over axes, over all if there are none.
func (b *Builder) reduce(op backends.OpType, takes func(dtypes.DType) bool, x backends.Op, axes []int) (backends.Op, error) {
	in, err := b.inputs(op.String(), x)
	if err != nil {
		return nil, err
	}
	if axes = slices.Clone(axes); len(axes) == 0 {
		for d := range in[0].shape.Rank() {
			axes = append(axes, d)
		}
	}
	return b.addOp(op, axes, func(in []*node) (shapes.Shape, error) {
		for i, d := range axes { // GoMLX's inference does not look at them where no axis stays, nor for one that is there twice
			if d < 0 || d >= in[0].shape.Rank() || slices.Contains(axes[:i], d) {
				return in[0].shape, errors.Errorf("axes %v of %s, want different ones that it has", axes, in[0].shape)
			}
		}
		shape, err := shapeinference.ReduceOp(in[0].shape, axes)
		if err == nil && !takes(in[0].shape.DType) {
			err = errors.Errorf("elements of %s", in[0].shape.DType)
		}
		shape.DType = in[0].shape.DType
		return shape, err
	}, in[0])
}

func numbers(t dtypes.DType) bool { return t.IsInt() || t.IsFloat() }

func hasExtremes(t dtypes.DType) bool { return numbers(t) || bools(t) }

func bools(t dtypes.DType) bool { return t == dtypes.Bool }

// ReduceSum adds up elements.
func (b *Builder) ReduceSum(x backends.Op, axes ...int) (backends.Op, error) {
	return b.reduce(backends.OpTypeReduceSum, numbers, x, axes)
}

// ReduceProduct multiplies elements.
func (b *Builder) ReduceProduct(x backends.Op, axes ...int) (backends.Op, error) {
	return b.reduce(backends.OpTypeReduceProduct, numbers, x, axes)
}

// ReduceMax is the largest element; of Bool it is whether one holds.
func (b *Builder) ReduceMax(x backends.Op, axes ...int) (backends.Op, error) {
	return b.reduce(backends.OpTypeReduceMax, hasExtremes, x, axes)
}

// ReduceMin is the smallest element; of Bool it is whether all hold.
func (b *Builder) ReduceMin(x backends.Op, axes ...int) (backends.Op, error) {
	return b.reduce(backends.OpTypeReduceMin, hasExtremes, x, axes)
}

// ReduceBitwiseAnd is the conjunction of the bits of elements.
func (b *Builder) ReduceBitwiseAnd(x backends.Op, axes ...int) (backends.Op, error) {
	return b.reduce(backends.OpTypeReduceBitwiseAnd, dtypes.DType.IsInt, x, axes)
}

// ReduceBitwiseOr is the disjunction of the bits of elements.
func (b *Builder) ReduceBitwiseOr(x backends.Op, axes ...int) (backends.Op, error) {
	return b.reduce(backends.OpTypeReduceBitwiseOr, dtypes.DType.IsInt, x, axes)
}

// ReduceBitwiseXor is the exclusive disjunction of the bits of elements.
func (b *Builder) ReduceBitwiseXor(x backends.Op, axes ...int) (backends.Op, error) {
	return b.reduce(backends.OpTypeReduceBitwiseXor, dtypes.DType.IsInt, x, axes)
}

// ReduceLogicalAnd tells whether all elements hold.
func (b *Builder) ReduceLogicalAnd(x backends.Op, axes ...int) (backends.Op, error) {
	return b.reduce(backends.OpTypeReduceLogicalAnd, bools, x, axes)
}

// ReduceLogicalOr tells whether an element holds.
func (b *Builder) ReduceLogicalOr(x backends.Op, axes ...int) (backends.Op, error) {
	return b.reduce(backends.OpTypeReduceLogicalOr, bools, x, axes)
}

// ReduceLogicalXor tells whether an odd number of elements hold.
func (b *Builder) ReduceLogicalXor(x backends.Op, axes ...int) (backends.Op, error) {
	return b.reduce(backends.OpTypeReduceLogicalXor, bools, x, axes)
}

// RNGBitGenerator draws random bits by Philox.
func (b *Builder) RNGBitGenerator(state backends.Op, shape shapes.Shape) (newState, values backends.Op, err error) {
	op := backends.OpTypeRNGBitGenerator
	in, err := b.inputs(op.String(), state)
	if err != nil {
		return nil, nil, err
	}
	if !in[0].shape.Equal(backends.RNGStateShape) {
		return nil, nil, errors.Errorf("weft: %s: the state has shape %s, want %s", op, in[0].shape, backends.RNGStateShape)
	}
	if !shape.DType.IsInt() {
		return nil, nil, errors.Errorf("weft: %s: bits of %s, want integers", op, shape.DType)
	}
	list, err := b.addResults(op, shape.Clone(), []shapes.Shape{in[0].shape, shape.Clone()}, in[0])
	if err != nil {
		return nil, nil, err
	}
	return list[0], list[1], nil
}
