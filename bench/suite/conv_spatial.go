package suite

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// spatialLayer is a convolution of one to three spatial dimensions.
type spatialLayer struct {
	images, channels, filters int
	sizes, kernel             []int
	stride, padding           int
}

// spatialConvs are layers of sound and of video, and their gradients.
func spatialConvs(s Size) (list []Work) {
	sound := spatialLayer{images: of(s, 16, 1, 1), channels: of(s, 512, 32, 3), filters: of(s, 512, 32, 4), sizes: []int{of(s, 4096, 500, 13)}, kernel: []int{3}, stride: 2, padding: 1}
	side := of(s, 56, 14, 5)
	video := spatialLayer{images: of(s, 4, 1, 1), channels: of(s, 64, 8, 3), filters: of(s, 64, 8, 4), sizes: []int{of(s, 16, 8, 4), side, side}, kernel: []int{3, 3, 3}, stride: 1, padding: 1}
	for _, l := range []spatialLayer{sound, video} {
		for _, op := range []string{"conv", "conv_transpose", "conv_weight_grad"} {
			list = append(list, l.work(op, weft.F16))
		}
	}
	return append(list, video.work("conv", weft.F32))
}

// result are the spatial sizes of the result.
func (l spatialLayer) result() (sizes []int) {
	for d, n := range l.sizes {
		sizes = append(sizes, (n+2*l.padding-l.kernel[d])/l.stride+1)
	}
	return sizes
}

func (l spatialLayer) shapes() (x, w, y []int) {
	return append([]int{l.images, l.channels}, l.sizes...), append([]int{l.filters, l.channels}, l.kernel...), append([]int{l.images, l.filters}, l.result()...)
}

// work is the convolution or a gradient of it.
func (l spatialLayer) work(op string, elem weft.DType) Work {
	xs, ws, ys := l.shapes()
	terms := countOf(ws[1:])
	w := listed("conv", elem, size(xs...)+","+size(ws...), func(o *catalog.Options) { o.Stride, o.Pad = l.stride, l.padding })
	w.Op, w.Name = op, name(op, elem, size(xs...), fmt.Sprintf(" %d %s/%d", l.filters, size(l.kernel...), l.stride))
	w.Flop, w.Terms, w.Params = 2*float64(countOf(ys))*float64(terms), terms, map[string]any{"stride": l.stride, "padding": l.padding}
	options := []ops.Conv2DOption{ops.Stride(l.stride), ops.Padding(l.padding)}
	x, weight, y := normal(elem, xs...), normal(elem, ws...), normal(elem, ys...)
	products := l.ofResult
	switch op {
	case "conv_transpose":
		w.Inputs, w.Output, w.Terms, products = []Operand{y, weight}, x, l.filters*countOf(l.kernel), l.ofImages
		w.Run = func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.ConvTransposeInto(out, in[0], in[1], options...)
		}
	case "conv_weight_grad":
		w.Inputs, w.Output, w.Terms, products = []Operand{x, y}, weight, l.images*countOf(l.result()), l.ofWeights
		w.Run = func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.ConvWeightGradInto(out, in[0], in[1], options...)
		}
	}
	n := w.Terms
	w.Want = func(in []Values, i int) (want, bound float64) {
		sum, magnitudes := 0.0, 0.0
		products(i, func(a, b int) {
			v := in[0](a) * in[1](b)
			sum, magnitudes = sum+v, magnitudes+math.Abs(v)
		})
		return sum, bounds.Conv2D(elem, n, sum, magnitudes)
	}
	return w
}

// indexOf is the index of an element, and indicesOf those along each dimension.
func indexOf(shape, at []int) (i int) {
	for d, n := range shape {
		i = i*n + at[d]
	}
	return i
}

func indicesOf(shape []int, i int) []int {
	at := make([]int, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		at[d], i = i%shape[d], i/shape[d]
	}
	return at
}

func countOf(shape []int) int {
	n := 1
	for _, size := range shape {
		n *= size
	}
	return n
}

// ofResult calls f with the elements of x and of the weight whose products are summed.
func (l spatialLayer) ofResult(i int, f func(x, w int)) {
	xs, ws, ys := l.shapes()
	at := indicesOf(ys, i)
	for w := range countOf(ws[1:]) {
		k := indicesOf(ws[1:], w)
		if from := l.from(at, k); from != nil {
			f(indexOf(xs, append([]int{at[0], k[0]}, from...)), at[1]*countOf(ws[1:])+w)
		}
	}
}

// ofWeights is ofResult of the gradient of the weight: the elements of x and of dy.
func (l spatialLayer) ofWeights(i int, f func(x, y int)) {
	xs, ws, ys := l.shapes()
	k := indicesOf(ws, i)
	for n := range l.images {
		for p := range countOf(ys[2:]) {
			at := append([]int{n, k[0]}, indicesOf(ys[2:], p)...)
			if from := l.from(at, k[1:]); from != nil {
				f(indexOf(xs, append([]int{n, k[1]}, from...)), indexOf(ys, at))
			}
		}
	}
}

// ofImages is ofResult of the gradient of x: the elements of dy and of the weight.
func (l spatialLayer) ofImages(i int, f func(y, w int)) {
	xs, ws, ys := l.shapes()
	at := indicesOf(xs, i)
	for o := range l.filters {
	positions:
		for w := range countOf(l.kernel) {
			k, y := indicesOf(l.kernel, w), []int{at[0], o}
			for d := range l.sizes {
				p := at[2+d] + l.padding - k[d]
				if p < 0 || p%l.stride != 0 || p/l.stride >= ys[2+d] {
					continue positions
				}
				y = append(y, p/l.stride)
			}
			f(indexOf(ys, y), indexOf(ws, append([]int{o, at[1]}, k...)))
		}
	}
}

// from are the spatial indices of x for a pixel of the result and a position of the kernel, after a channel; nil in the padding.
func (l spatialLayer) from(at, k []int) (from []int) {
	for d, n := range l.sizes {
		i := at[2+d]*l.stride + k[1+d] - l.padding
		if i < 0 || i >= n {
			return nil
		}
		from = append(from, i)
	}
	return from
}
