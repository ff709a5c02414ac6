package gomlx

import (
	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/pkg/errors"
)

// chain builds several ops of others and keeps the first error.
type chain struct {
	b   *Builder
	err error
}

func (c *chain) do(f func() (backends.Op, error)) backends.Op {
	if c.err != nil {
		return nil
	}
	var op backends.Op
	op, c.err = f()
	return op
}

func (c *chain) binary(f func(x, y backends.Op) (backends.Op, error), x, y backends.Op) backends.Op {
	return c.do(func() (backends.Op, error) { return f(x, y) })
}

func (c *chain) add(x, y backends.Op) backends.Op { return c.binary(c.b.Add, x, y) }

func (c *chain) sub(x, y backends.Op) backends.Op { return c.binary(c.b.Sub, x, y) }

func (c *chain) mul(x, y backends.Op) backends.Op { return c.binary(c.b.Mul, x, y) }

// norm is a batch normalisation: of an operand, along all axes but that of its features.
type norm struct {
	chain
	shape shapes.Shape
	axis  int
	axes  []int // the others
	count int   // elements of a feature
}

func (b *Builder) newNorm(op backends.OpType, operand backends.Op, axis int, features ...backends.Op) (*norm, error) {
	in, err := b.inputs(op.String(), append([]backends.Op{operand}, features...)...)
	if err != nil {
		return nil, err
	}
	n := &norm{chain: chain{b: b}, shape: in[0].shape, axis: axis, count: 1}
	if axis < 0 || axis >= n.shape.Rank() || !n.shape.DType.IsFloat() {
		return nil, errors.Errorf("weft: %s: axis %d of shape %s, want one of floats", op, axis, n.shape)
	}
	want := shapes.Make(n.shape.DType, n.shape.Dimensions[axis])
	for _, f := range in[1:] {
		if !f.shape.Equal(want) && !f.shape.Equal(n.shape) {
			return nil, errors.Errorf("weft: %s: shape %s, want one element for each feature: %s", op, f.shape, want)
		}
	}
	n.axes = others(n.shape.Rank(), []int{axis})
	for _, d := range n.axes {
		n.count *= n.shape.Dimensions[d]
	}
	return n, nil
}

// number is a constant of the operand's type.
func (n *norm) number(x float64) backends.Op {
	c := n.do(func() (backends.Op, error) { return n.b.Constant([]float32{float32(x)}) })
	return n.do(func() (backends.Op, error) { return n.b.ConvertDType(c, n.shape.DType) })
}

// wide repeats a vector of features to the operand's shape.
func (n *norm) wide(x backends.Op) backends.Op {
	return n.do(func() (backends.Op, error) { return n.b.BroadcastInDim(x, n.shape, []int{n.axis}) })
}

// sum adds up the elements of each feature.
func (n *norm) sum(x backends.Op) backends.Op {
	return n.do(func() (backends.Op, error) { return n.b.ReduceSum(x, n.axes...) })
}

func (n *norm) mean(x backends.Op) backends.Op {
	return n.mul(n.sum(x), n.number(1/float64(max(n.count, 1))))
}

// scale is 1 / √(variance + epsilon).
func (n *norm) scale(variance backends.Op, epsilon float32) backends.Op {
	v := n.add(variance, n.number(float64(epsilon)))
	return n.do(func() (backends.Op, error) { return n.b.Rsqrt(v) })
}

// normalise is (x - mean) · factor · scale + offset.
func (n *norm) normalise(x, mean, factor, scale, offset backends.Op) backends.Op {
	centred := n.sub(x, n.wide(mean))
	return n.add(n.mul(centred, n.wide(n.mul(factor, scale))), n.wide(offset))
}

// BatchNormForInference normalises by a given mean and variance of each feature.
func (b *Builder) BatchNormForInference(x, scale, offset, mean, variance backends.Op, epsilon float32, axis int) (backends.Op, error) {
	n, err := b.newNorm(backends.OpTypeBatchNormForInference, x, axis, scale, offset, mean, variance)
	if err != nil {
		return nil, err
	}
	y := n.normalise(x, mean, n.scale(variance, epsilon), scale, offset)
	return y, n.err
}

// BatchNormForTraining normalises by the mean and the variance of the batch, which it returns, too.
func (b *Builder) BatchNormForTraining(x, scale, offset backends.Op, epsilon float32, axis int) (y, mean, variance backends.Op, err error) {
	n, err := b.newNorm(backends.OpTypeBatchNormForTraining, x, axis, scale, offset)
	if err != nil {
		return nil, nil, nil, err
	}
	mean = n.mean(x)
	centred := n.sub(x, n.wide(mean))
	variance = n.mean(n.mul(centred, centred))
	y = n.normalise(x, mean, n.scale(variance, epsilon), scale, offset)
	return y, mean, variance, n.err
}

// BatchNormGradient is the gradient of BatchNormForTraining by its operands.
func (b *Builder) BatchNormGradient(x, scale, mean, variance, gradient backends.Op, epsilon float32, axis int) (dx, dScale, dOffset backends.Op, err error) {
	n, err := b.newNorm(backends.OpTypeBatchNormGradient, x, axis, scale, mean, variance, gradient)
	if err != nil {
		return nil, nil, nil, err
	}
	factor, centred := n.scale(variance, epsilon), n.sub(x, n.wide(mean))
	along := n.sum(n.mul(gradient, centred))
	dOffset, dScale = n.sum(gradient), n.mul(along, factor)
	count := n.number(1 / float64(max(n.count, 1)))
	slope := n.mul(n.mul(along, count), n.mul(factor, factor))
	inner := n.sub(n.sub(gradient, n.wide(n.mul(dOffset, count))), n.mul(centred, n.wide(slope)))
	dx = n.mul(inner, n.wide(n.mul(scale, factor)))
	return dx, dScale, dOffset, n.err
}
