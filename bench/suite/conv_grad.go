package suite

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// convGrads are the gradients of layers, with respect to images and to weights.
func convGrads(s Size) (list []Work) {
	l := layer{images: of(s, 32, 1, 1), channels: of(s, 64, 16, 3), side: of(s, 56, 28, 7), filters: of(s, 64, 16, 4), kernel: 3, stride: 1, padding: 1}
	for _, stride := range []int{1, 2} {
		l.stride = stride
		list = append(list, l.gradient("conv_transpose2d", weft.F16), l.gradient("conv2d_weight_grad", weft.F16))
	}
	return list
}

// gradient is a gradient of the layer: of its images, given its weights, or of its weights, given its images.
func (l layer) gradient(op string, elem weft.DType) Work {
	options := []ops.Conv2DOption{ops.Stride(l.stride, l.stride), ops.Padding(l.padding, l.padding)}
	x, y := normal(elem, l.images, l.channels, l.side, l.side), normal(elem, l.images, l.filters, l.result(), l.result())
	weight := normal(elem, l.filters, l.channels, l.kernel, l.kernel)
	w := Work{
		Name: name(op, elem, size(l.images, l.channels, l.side, l.side), " ", size(l.filters), " ", size(l.kernel, l.kernel), "/", size(l.stride)), Op: op,
		Inputs: []Operand{y, weight}, Output: x, Params: l.params(), Terms: l.filters * l.kernel * l.kernel, Unit: elem.String(),
		Flop: 2 * float64(y.Len()) * float64(l.terms()),
	}
	w.Run = func(out *weft.Tensor, in []*weft.Tensor) error {
		return ops.ConvTranspose2DInto(out, in[0], in[1], options...)
	}
	term := l.imageGradient
	if op == "conv2d_weight_grad" {
		w.Inputs, w.Output, w.Terms, term = []Operand{x, y}, weight, l.images*l.result()*l.result(), l.weightGradient
		w.Run = func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.Conv2DWeightGradInto(out, in[0], in[1], options...)
		}
	}
	terms := w.Terms
	w.Want = func(in []Values, i int) (want, bound float64) {
		sum, magnitudes := 0.0, 0.0
		term(in, i, func(v float64) { sum, magnitudes = sum+v, magnitudes+math.Abs(v) })
		return sum, bounds.Conv2D(elem, terms, sum, magnitudes)
	}
	return w
}

// imageGradient calls add with the products of an element.
func (l layer) imageGradient(in []Values, i int, add func(float64)) {
	n, c, row, column := place(i, l.channels, l.side, l.side)
	for o := range l.filters {
		for a := range l.kernel {
			for b := range l.kernel {
				p, q := row+l.padding-a, column+l.padding-b
				if p < 0 || q < 0 || p%l.stride != 0 || q%l.stride != 0 || p/l.stride >= l.result() || q/l.stride >= l.result() {
					continue
				}
				add(in[0](((n*l.filters+o)*l.result()+p/l.stride)*l.result()+q/l.stride) * in[1](((o*l.channels+c)*l.kernel+a)*l.kernel+b))
			}
		}
	}
}

// weightGradient is imageGradient of the weights.
func (l layer) weightGradient(in []Values, i int, add func(float64)) {
	o, c, a, b := place(i, l.channels, l.kernel, l.kernel)
	for n := range l.images {
		for p := range l.result() {
			for q := range l.result() {
				if at := l.at(n, c, p*l.stride-l.padding+a, q*l.stride-l.padding+b); at >= 0 {
					add(in[0](at) * in[1](((n*l.filters+o)*l.result()+p)*l.result()+q))
				}
			}
		}
	}
}
