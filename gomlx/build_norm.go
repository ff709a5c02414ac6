package gomlx

import (
	"math"

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
	op      backends.OpType
	shape   shapes.Shape
	axis    int
	epsilon float32
}

func (b *Builder) newNorm(op backends.OpType, operand backends.Op, axis int, epsilon float32, features ...backends.Op) (*norm, error) {
	in, err := b.inputs(op.String(), append([]backends.Op{operand}, features...)...)
	if err != nil {
		return nil, err
	}
	n := &norm{chain: chain{b: b}, op: op, shape: in[0].shape, axis: axis, epsilon: epsilon}
	if axis < 0 || axis >= n.shape.Rank() || !n.shape.DType.IsFloat() {
		return nil, errors.Errorf("weft: %s: axis %d of shape %s, want one of floats", op, axis, n.shape)
	}
	want := shapes.Make(n.shape.DType, n.shape.Dimensions[axis])
	for _, f := range in[1:] {
		if !f.shape.Equal(want) {
			return nil, errors.Errorf("weft: %s: shape %s, want one element for each feature: %s", op, f.shape, want)
		}
	}
	if !(epsilon >= 0 && epsilon <= math.MaxFloat32) {
		return nil, errors.Errorf("weft: %s: epsilon %v, want a finite number that is not negative", op, epsilon)
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

// BatchNormForInference normalises by a given mean and variance of each feature, by element-wise ops, which become a part of the kernel of what comes before and
// after them.
func (b *Builder) BatchNormForInference(x, scale, offset, mean, variance backends.Op, epsilon float32, axis int) (backends.Op, error) {
	n, err := b.newNorm(backends.OpTypeBatchNormForInference, x, axis, epsilon, scale, offset, mean, variance)
	if err != nil {
		return nil, err
	}
	spread := n.add(variance, n.number(float64(epsilon)))
	factor := n.mul(scale, n.do(func() (backends.Op, error) { return b.Rsqrt(spread) }))
	y := n.add(n.mul(n.sub(x, n.wide(mean)), n.wide(factor)), n.wide(offset))
	return y, n.err
}

// BatchNormForTraining normalises by the mean and the variance of the batch, which it returns, too.
func (b *Builder) BatchNormForTraining(x, scale, offset backends.Op, epsilon float32, axis int) (y, mean, variance backends.Op, err error) {
	n, err := b.newNorm(backends.OpTypeBatchNormForTraining, x, axis, epsilon, scale, offset)
	if err != nil {
		return nil, nil, nil, err
	}
	return n.results(x, scale, offset)
}

// BatchNormGradient is the gradient of BatchNormForTraining by its operands.
func (b *Builder) BatchNormGradient(x, scale, mean, variance, gradient backends.Op, epsilon float32, axis int) (dx, dScale, dOffset backends.Op, err error) {
	n, err := b.newNorm(backends.OpTypeBatchNormGradient, x, axis, epsilon, scale, mean, variance)
	if err != nil {
		return nil, nil, nil, err
	}
	if in, err := b.inputs(n.op.String(), gradient); err != nil {
		return nil, nil, nil, err
	} else if !in[0].shape.Equal(n.shape) {
		return nil, nil, nil, errors.Errorf("weft: %s: a gradient of shape %s, want %s", n.op, in[0].shape, n.shape)
	}
	return n.results(x, scale, mean, variance, gradient)
}

// results appends an op of weft whose results are of the operand's shape, and two vectors of features.
func (n *norm) results(operands ...backends.Op) (like, first, second backends.Op, err error) {
	in, err := n.b.inputs(n.op.String(), operands...)
	if err != nil {
		return nil, nil, nil, err
	}
	features := shapes.Make(n.shape.DType, n.shape.Dimensions[n.axis])
	list, err := n.b.addResults(n.op, normAttrs{n.axis, n.epsilon}, []shapes.Shape{n.shape, features, features}, in...)
	if err != nil {
		return nil, nil, nil, err
	}
	return list[0], list[1], list[2], nil
}
