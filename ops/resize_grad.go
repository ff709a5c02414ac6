package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
)

var resizeGrads = declare(declaration[resizeCall]{
	inputs: []string{"dy"}, needed: 1, types: resizeTypes,
	check: func(c *resizeCall, in []*weft.Tensor) ([]int, error) {
		shape, err := c.resized(in[0].Shape())
		if err != nil {
			return nil, err
		}
		_, _, err = c.lines(shape, in[0].Shape())
		return shape, err
	},
	launch: func(c *resizeCall, out *weft.Tensor, in []*weft.Tensor) error {
		dy := in[0]
		taps, lines, err := c.lines(out.Shape(), dy.Shape())
		if err != nil {
			return err
		}
		if dy.Len() == 0 {
			return out.Fill(0)
		}
		return c.run(out, dy, taps, lines)
	},
})

// ResizeGrad is the gradient of Resize, given that of its result, dy: a new tensor whose last dimensions have sizes, those of what was resized. With
// ResizeScales there are as many scales as sizes. The results that have a part of an element are neighbours; each element adds up the gradients of those, times
// their weights, in F32, or in F64 of F64, in an order that is the same in every run. dy is of floats.
//
// Errors: as for Resize; ErrShape for a dy that has not the sizes that scales give.
func ResizeGrad(dy *weft.Tensor, mode ResizeMode, sizes []int, options ...ResizeOption) (*weft.Tensor, error) {
	return resizeGrads.new(newResize("resize_grad", mode, sizes, options), dy)
}

// ResizeGradInto writes what ResizeGrad returns into out.
//
// Errors: as for ResizeGrad, and ErrUnsupported if out repeats elements or overlaps dy.
func ResizeGradInto(out, dy *weft.Tensor, mode ResizeMode, sizes []int, options ...ResizeOption) error {
	return resizeGrads.into(newResize("resize_grad", mode, sizes, options), out, dy)
}

// resized is the shape of which Resize makes a shape.
func (c *resizeCall) resized(to []int) ([]int, error) {
	dims := int(c.dims)
	if err := c.check("dy", to, dims); err != nil {
		return nil, err
	}
	if c.scaled > 0 && c.scaled != c.dims {
		return nil, fault.New(weft.ErrArgument, c.op, "%s for %s, want as many", fault.Count(int(c.scaled), "scale"), fault.Count(dims, "size")).For("sizes")
	}
	from := append([]int{}, to...)
	for i, d := 0, len(to)-dims; i < dims; i, d = i+1, d+1 {
		from[d] = c.sizes[i]
		if c.scaled == 0 {
			continue
		}
		if want := scaledSize(from[d], c.scales[i]); to[d] != want {
			return nil, fault.New(weft.ErrShape, c.op, "dimension %d of shape %v, want %d elements by a scale of %v", d, to, want, c.scales[i]).For("dy")
		}
	}
	return from, nil
}
