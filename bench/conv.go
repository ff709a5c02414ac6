package main

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/ops"
)

// convLayer is a layer of square images and kernels.
type convLayer struct {
	images, channels, side, filters, kernel, stride, padding, groups int
}

// convWorks are layers of ResNet-50, the patches of ViT-B, and a depthwise layer.
func convWorks(s sizes) []work {
	first := convLayer{32, 3, 224, 64, 7, 2, 3, 1}
	wide := convLayer{32, 64, 56, 64, 3, 1, 1, 1}
	deep := convLayer{32, 256, 14, 256, 3, 1, 1, 1}
	point := convLayer{32, 512, 7, 2048, 1, 1, 0, 1}
	patches := convLayer{64, 3, 224, 768, 16, 16, 0, 1}
	depthwise := convLayer{32, 96, 112, 96, 3, 1, 1, 96}
	if s.kind != backend.GPU {
		for _, l := range []*convLayer{&first, &wide, &deep, &point, &patches, &depthwise} {
			l.images = 1
			if l.side > 50 {
				l.side /= 4
			}
		}
	}
	return []work{
		convWork(weft.F32, first, false), convWork(weft.F32, wide, false), convWork(weft.F32, deep, false),
		convWork(weft.F32, point, false), convWork(weft.F32, patches, false), convWork(weft.F32, depthwise, false),
		convWork(weft.F32, deep, true), convWork(weft.F32, depthwise, true),
		convWork(weft.F16, deep, false), convWork(weft.F16, deep, true),
	}
}

// convWork counts the operations, or the bytes of a depthwise layer, which has few.
func convWork(elem weft.DType, l convLayer, last bool) work {
	side := (l.side+2*l.padding-l.kernel)/l.stride + 1
	terms := l.channels / l.groups * l.kernel * l.kernel
	x, y := []int{l.images, l.channels, l.side, l.side}, []int{l.images, l.filters, side, side}
	options := []ops.Conv2DOption{ops.Stride(l.stride, l.stride), ops.Padding(l.padding, l.padding), ops.Groups(l.groups)}
	name := fmt.Sprintf("conv2d %v %dx%dx%dx%d %d %dx%d/%d", elem, l.images, l.channels, l.side, l.side, l.filters, l.kernel, l.kernel, l.stride)
	if last {
		x, y = []int{l.images, l.side, l.side, l.channels}, []int{l.images, side, side, l.filters}
		options = append(options, ops.ChannelsLast())
		name += " nhwc"
	}
	in, weight, out := normal(elem, x...), normal(elem, l.filters, l.channels/l.groups, l.kernel, l.kernel), normal(elem, y...)
	w := work{Op: name, inputs: []operand{in, weight}, output: out, Flop: 2 * float64(out.len()) * float64(terms)}
	if l.groups > 1 {
		w.Op += " depthwise"
		w.Flop, w.Bytes = 0, float64(in.len()+out.len())*float64(elem.Size())
	}
	w.run = func(out *weft.Tensor, in []*weft.Tensor) error { return ops.Conv2DInto(out, in[0], in[1], options...) }
	w.check = func(out values, in []values) error {
		return compare(out, w.output.len(), func(i int) (want, bound float64) {
			n, o, p, q := place(i, l.filters, side, side)
			if last {
				n, p, q, o = place(i, side, side, l.filters)
			}
			want, magnitudes := l.element(in[0], in[1], last, n, o, p, q)
			return want, ops.Conv2DBound(elem, terms, want, magnitudes)
		})
	}
	return w
}

// place is where element i lies in an array of four dimensions, of which b, c and d are the last ones' sizes.
func place(i, b, c, d int) (int, int, int, int) {
	return i / d / c / b, i / d / c % b, i / d % c, i % d
}

// element is one element of the layer's result, with the sum of its terms' magnitudes.
func (l convLayer) element(x, weight values, last bool, n, o, p, q int) (sum, magnitudes float64) {
	channels := l.channels / l.groups
	group := o / (l.filters / l.groups)
	for c := range channels {
		for i := range l.kernel {
			for j := range l.kernel {
				h, w, channel := p*l.stride-l.padding+i, q*l.stride-l.padding+j, group*channels+c
				if h < 0 || h >= l.side || w < 0 || w >= l.side {
					continue
				}
				at := ((n*l.channels+channel)*l.side+h)*l.side + w
				if last {
					at = ((n*l.side+h)*l.side+w)*l.channels + channel
				}
				v := x(at) * weight(((o*channels+c)*l.kernel+i)*l.kernel+j)
				sum, magnitudes = sum+v, magnitudes+math.Abs(v)
			}
		}
	}
	return sum, magnitudes
}
