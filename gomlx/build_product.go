package gomlx

import (
	"slices"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/backends/shapeinference"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/pkg/errors"
)

// The ops that multiply and those over windows.

// dotAttrs are the axes of a DotGeneral: those that are summed over and those that both operands share, of each.
type dotAttrs struct{ contract, batch [2][]int }

// convAttrs are those of ConvGeneral, with defaults filled in.
type convAttrs struct {
	axes                                   backends.ConvolveAxesConfig
	strides, inputDilation, kernelDilation []int
	padding                                [][2]int
	channelGroups, batchGroups             int
}

// windowAttrs are those of ReduceWindow and SelectAndScatter, with defaults filled in.
type windowAttrs struct {
	kind                                        backends.ReduceOpType
	size, strides, baseDilation, windowDilation []int
	padding                                     [][2]int
}

// Dot is the product of vectors and matrices.
func (b *Builder) Dot(x, y backends.Op) (backends.Op, error) {
	in, err := b.inputs("Dot", x, y)
	if err != nil {
		return nil, err
	}
	r0, r1 := in[0].shape.Rank(), in[1].shape.Rank()
	if r0 < 1 || r0 > 2 || r1 < 1 || r1 > 2 {
		return nil, errors.Errorf("weft: Dot: shapes %s and %s", in[0].shape, in[1].shape)
	}
	return b.DotGeneral(x, []int{r0 - 1}, nil, y, []int{0}, nil)
}

// DotGeneral multiplies, keeps the batch axes of both operands and sums over others.
func (b *Builder) DotGeneral(x backends.Op, xContract, xBatch []int, y backends.Op, yContract, yBatch []int) (backends.Op, error) {
	attrs := &dotAttrs{contract: [2][]int{slices.Clone(xContract), slices.Clone(yContract)}, batch: [2][]int{slices.Clone(xBatch), slices.Clone(yBatch)}}
	return b.addOp(backends.OpTypeDotGeneral, attrs, func(in []*node) (shapes.Shape, error) {
		return attrs.infer(in[0].shape, in[1].shape)
	}, x, y)
}

// infer counts negative axes from the end, checks all and gives the result's shape.
func (a *dotAttrs) infer(x, y shapes.Shape) (shapes.Shape, error) {
	if x.DType != y.DType || !numbers(x.DType) {
		return x, errors.Errorf("operands of %s and %s, want numbers of one type", x.DType, y.DType)
	}
	for i, s := range []shapes.Shape{x, y} {
		seen := make([]bool, s.Rank())
		for _, list := range [][]int{a.contract[i], a.batch[i]} {
			for j, axis := range list {
				if axis < 0 {
					axis += s.Rank()
				}
				if axis < 0 || axis >= s.Rank() || seen[axis] {
					return x, errors.Errorf("axes %v and %v of shape %s", a.contract[i], a.batch[i], s)
				}
				list[j], seen[axis] = axis, true
			}
		}
	}
	for _, list := range [][2][]int{a.contract, a.batch} {
		if len(list[0]) != len(list[1]) {
			return x, errors.Errorf("axes %v of %s for axes %v of %s", list[0], x, list[1], y)
		}
		for i := range list[0] {
			if x.Dimensions[list[0][i]] != y.Dimensions[list[1][i]] {
				return x, errors.Errorf("axis %d of %s does not fit axis %d of %s", list[0][i], x, list[1][i], y)
			}
		}
	}
	dims := pick(x.Dimensions, a.batch[0])
	dims = append(dims, pick(x.Dimensions, a.free(0, x.Rank()))...)
	dims = append(dims, pick(y.Dimensions, a.free(1, y.Rank()))...)
	return shapes.Make(x.DType, dims...), nil
}

// free are the axes of an operand that are neither summed over nor shared.
func (a *dotAttrs) free(operand, rank int) (axes []int) {
	for d := range rank {
		if !slices.Contains(a.contract[operand], d) && !slices.Contains(a.batch[operand], d) {
			axes = append(axes, d)
		}
	}
	return axes
}

// pick are the elements of a list at some places.
func pick(list, at []int) []int {
	out := make([]int, len(at))
	for i, d := range at {
		out[i] = list[d]
	}
	return out
}

// orOnes is a copy of a list, or n ones, in which what is below 1 is 1.
func orOnes(list []int, n int) []int {
	if len(list) == 0 {
		list = make([]int, n)
	}
	list = slices.Clone(list)
	for i := range list {
		list[i] = max(list[i], 1)
	}
	return list
}

// ConvGeneral is a convolution over any number of axes.
func (b *Builder) ConvGeneral(x, kernel backends.Op, axes backends.ConvolveAxesConfig, strides []int, padding [][2]int,
	inputDilation, kernelDilation []int, channelGroups, batchGroups int) (backends.Op, error) {
	channelGroups, batchGroups = max(channelGroups, 1), max(batchGroups, 1)
	n := len(axes.InputSpatial)
	attrs := convAttrs{axes.Clone(), orOnes(strides, n), orOnes(inputDilation, n), orOnes(kernelDilation, n), slices.Clone(padding), channelGroups, batchGroups}
	if len(padding) == 0 {
		attrs.padding = make([][2]int, n)
	}
	return b.addOp(backends.OpTypeConvGeneral, attrs, func(in []*node) (shapes.Shape, error) {
		if !numbers(in[0].shape.DType) {
			return in[0].shape, errors.Errorf("elements of %s", in[0].shape.DType)
		}
		return shapeinference.ConvGeneralOp(in[0].shape, in[1].shape, axes, attrs.strides, attrs.padding, attrs.inputDilation, attrs.kernelDilation,
			channelGroups, batchGroups)
	}, x, kernel)
}

// ReduceWindow reduces the elements of each window.
func (b *Builder) ReduceWindow(x backends.Op, kind backends.ReduceOpType, size, strides, baseDilation, windowDilation []int, padding [][2]int) (backends.Op, error) {
	return b.addOp(backends.OpTypeReduceWindow, newWindow(kind, size, strides, baseDilation, windowDilation, padding), func(in []*node) (shapes.Shape, error) {
		extreme := kind == backends.ReduceOpMax || kind == backends.ReduceOpMin
		if !numbers(in[0].shape.DType) && !extreme || kind == backends.ReduceOpUndefined {
			return in[0].shape, errors.Errorf("%s of elements of %s", kind, in[0].shape.DType)
		}
		return shapeinference.ReduceWindowOp(in[0].shape, size, strides, baseDilation, windowDilation, padding)
	}, x)
}

func newWindow(kind backends.ReduceOpType, size, strides, baseDilation, windowDilation []int, padding [][2]int) windowAttrs {
	n := len(size)
	w := windowAttrs{kind, slices.Clone(size), slices.Clone(strides), orOnes(baseDilation, n), orOnes(windowDilation, n), slices.Clone(padding)}
	if len(strides) == 0 {
		w.strides = slices.Clone(size)
	}
	if len(padding) == 0 {
		w.padding = make([][2]int, n)
	}
	return w
}

// SelectAndScatterMax adds each element of source where its window of x has its greatest element.
func (b *Builder) SelectAndScatterMax(x, source backends.Op, size, strides []int, padding [][2]int) (backends.Op, error) {
	return b.selectAndScatter(backends.OpTypeSelectAndScatterMax, backends.ReduceOpMax, x, source, size, strides, padding)
}

// SelectAndScatterMin adds each element of source where its window of x has its least element.
func (b *Builder) SelectAndScatterMin(x, source backends.Op, size, strides []int, padding [][2]int) (backends.Op, error) {
	return b.selectAndScatter(backends.OpTypeSelectAndScatterMin, backends.ReduceOpMin, x, source, size, strides, padding)
}

func (b *Builder) selectAndScatter(op backends.OpType, kind backends.ReduceOpType, x, source backends.Op, size, strides []int, padding [][2]int) (backends.Op, error) {
	return b.addOp(op, newWindow(kind, size, strides, nil, nil, padding), func(in []*node) (shapes.Shape, error) {
		windows, err := shapeinference.ReduceWindowOp(in[0].shape, size, strides, nil, nil, padding)
		if err != nil {
			return windows, err
		}
		if !windows.Equal(in[1].shape) {
			return windows, errors.Errorf("source has shape %s, want one element for each window: %s", in[1].shape, windows)
		}
		return in[0].shape, nil
	}, x, source)
}
