package suite

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops/bounds"
)

// layer is a convolution of square images by square kernels.
type layer struct {
	images, channels, side, filters, kernel, stride, padding int
	groups                                                   int  // 0 for 1
	last                                                     bool // channels are the last dimension in memory
}

// result is the side of the result's images.
func (l layer) result() int { return (l.side+2*l.padding-l.kernel)/l.stride + 1 }

// terms is the number of products that one element is the sum of of the result.
func (l layer) terms() int { return l.channels / max(l.groups, 1) * l.kernel * l.kernel }

// set says the layer's options.
func (l layer) set(o *catalog.Options) {
	o.Stride, o.Pad, o.Groups, o.ChannelsLast = l.stride, l.padding, max(l.groups, 1), l.last
}

func (l layer) params() map[string]any {
	return map[string]any{"stride": l.stride, "padding": l.padding, "groups": max(l.groups, 1), "last": l.last, "kernel": l.kernel}
}

func (l layer) work(elem weft.DType) Work {
	images := size(l.images, l.channels, l.side, l.side)
	suffix := ""
	if l.last {
		suffix += " nhwc"
	}
	switch {
	case l.groups > 1 && l.groups == l.channels:
		suffix += " depthwise"
	case l.groups > 1:
		suffix += fmt.Sprintf(" in %d groups", l.groups)
	}
	w := listed("conv2d", elem, fmt.Sprintf("%s,%s", images, size(l.filters, l.channels/max(l.groups, 1), l.kernel, l.kernel)), l.set)
	w.Name = name("conv2d", elem, images, fmt.Sprintf(" %d %dx%d/%d", l.filters, l.kernel, l.kernel, l.stride), suffix)
	w.Params, w.Flop, w.Terms = l.params(), 2*float64(w.Output.Len())*float64(l.terms()), l.terms()
	if l.last {
		w = l.weightsLast(w)
	}
	w.Want = func(in []Values, i int) (want, bound float64) {
		n, o, p, q := place(i, l.filters, l.result(), l.result())
		if l.last {
			n, p, q, o = place(i, l.result(), l.result(), l.filters)
		}
		want, magnitudes := l.element(in[0], in[1], n, o, p, q)
		return want, bounds.Conv2D(elem, l.terms(), want, magnitudes)
	}
	return w
}

// weightsLast is the work with the channels of the weights last in memory, too, as networks keep them whose images have them last.
func (l layer) weightsLast(w Work) Work {
	weights, run := &w.Inputs[1], w.Run
	*weights = normal(weights.Elem, l.filters, l.kernel, l.kernel, l.channels/max(l.groups, 1))
	w.Run = func(out *weft.Tensor, in []*weft.Tensor) error {
		seen, err := in[1].Permute(0, 3, 1, 2)
		if err != nil {
			return err
		}
		defer seen.Close()
		return run(out, []*weft.Tensor{in[0], seen})
	}
	return w
}

// weight is where an element of a filter is in the weights.
func (l layer) weight(filter, channel, row, column int) int {
	channels := l.channels / max(l.groups, 1)
	if l.last {
		return ((filter*l.kernel+row)*l.kernel+column)*channels + channel
	}
	return ((filter*channels+channel)*l.kernel+row)*l.kernel + column
}

// columns is the layer's im2col alone.
func (l layer) columns(elem weft.DType) Work {
	images, pixels := size(l.images, l.channels, l.side, l.side), l.result()*l.result()
	w := listed("im2col", elem, fmt.Sprintf("%s,%s", images, size(l.kernel, l.kernel)), l.set)
	w.Name, w.Params = name("im2col", elem, images, fmt.Sprintf(" %dx%d/%d", l.kernel, l.kernel, l.stride)), l.params()
	w.Want = func(in []Values, i int) (want, bound float64) {
		n, row, pixel := i/pixels/l.terms(), i/pixels%l.terms(), i%pixels
		_, channel, down, across := place(row, l.terms()/l.kernel/l.kernel, l.kernel, l.kernel)
		if at := l.at(n, channel, pixel/l.result()*l.stride-l.padding+down, pixel%l.result()*l.stride-l.padding+across); at >= 0 {
			want = in[0](at)
		}
		return want, 0
	}
	return w
}

// place is where element i is in an array of four dimensions, of which b, c and d are the last ones' sizes.
func place(i, b, c, d int) (int, int, int, int) {
	return i / d / c / b, i / d / c % b, i / d % c, i % d
}

// at is the element of x in a row and a column, -1 in the padding.
func (l layer) at(n, channel, row, column int) int {
	switch {
	case row < 0 || row >= l.side || column < 0 || column >= l.side:
		return -1
	case l.last:
		return ((n*l.side+row)*l.side+column)*l.channels + channel
	}
	return ((n*l.channels+channel)*l.side+row)*l.side + column
}

// element is one element of the layer's result, with the sum of its terms' magnitudes.
func (l layer) element(x, weight Values, n, o, p, q int) (sum, magnitudes float64) {
	groups := max(l.groups, 1)
	channels := l.channels / groups
	group := o / (l.filters / groups)
	for c := range channels {
		for i := range l.kernel {
			for j := range l.kernel {
				if at := l.at(n, group*channels+c, p*l.stride-l.padding+i, q*l.stride-l.padding+j); at >= 0 {
					v := x(at) * weight(l.weight(o, c, i, j))
					sum, magnitudes = sum+v, magnitudes+math.Abs(v)
				}
			}
		}
	}
	return sum, magnitudes
}
