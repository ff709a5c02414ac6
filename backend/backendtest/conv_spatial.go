package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

var convSpatialCases = []testCase{
	{"Conv", func(s *suite) { spatialConvs(s, "Conv") }},
	{"ConvTranspose", func(s *suite) { spatialConvs(s, "ConvTranspose") }},
	{"ConvWeightGrad", func(s *suite) { spatialConvs(s, "ConvWeightGrad") }},
	{"ConvFirstChannels", func(s *suite) { s.op("Conv"); firstChannels(s, "Conv") }},
	{"ConvWeightGradFirstChannels", func(s *suite) { s.op("ConvWeightGrad"); firstChannels(s, "ConvWeightGrad") }},
}

// spatialConv is a convolution with a number in each list for each spatial dimension; padding has two.
type spatialConv struct {
	images, channels, filters, groups        int
	sizes, kernel, stride, dilation, padding []int
	algorithm                                ops.ConvAlgorithm
	last, bias                               bool
	among                                    int // channels of the images whose first ones are convolved, with channels last; 0 for no others
	tiles                                    ops.Conv2DConfig
}

var (
	line   = spatialConv{images: 2, channels: 6, filters: 10, groups: 2, sizes: []int{17}, kernel: []int{4}, stride: []int{2}, dilation: []int{3}, padding: []int{2, 5}, bias: true}
	volume = spatialConv{images: 2, channels: 6, filters: 10, groups: 2, sizes: []int{5, 6, 7}, kernel: []int{2, 3, 2}, stride: []int{2, 1, 2}, dilation: []int{1, 2, 1}, padding: []int{1, 2, 0, 1, 3, 0}, bias: true}
	cube   = spatialConv{images: 2, channels: 16, filters: 17, groups: 1, sizes: []int{4, 5, 6}, kernel: []int{3, 3, 3}, stride: []int{1, 1, 1}, dilation: []int{1, 1, 1}, padding: []int{1, 1, 1, 1, 1, 1}}
	// through reaches through a dimension alone: one row and column of the kernel.
	through = spatialConv{images: 1, channels: 9, filters: 11, groups: 1, sizes: []int{7, 3, 2}, kernel: []int{3, 1, 1}, stride: []int{3, 1, 2}, dilation: []int{2, 1, 1}, padding: []int{2, 1, 0, 0, 0, 0}}
	// deep is depthwise.
	deep  = spatialConv{images: 2, channels: 5, filters: 10, groups: 5, sizes: []int{3, 4, 5}, kernel: []int{2, 2, 3}, stride: []int{1, 2, 1}, dilation: []int{2, 1, 1}, padding: []int{0, 1, 1, 0, 1, 1}}
	plane = spatialConv{images: 2, channels: 8, filters: 9, groups: 1, sizes: []int{6, 7}, kernel: []int{3, 2}, stride: []int{1, 2}, dilation: []int{1, 1}, padding: []int{1, 0, 0, 1}, bias: true}
	// first are the first channels of pixels that are as long as copies with zeros up to pieces of 16 bytes.
	first = spatialConv{images: 2, channels: 4, filters: 9, groups: 1, sizes: []int{6, 7}, kernel: []int{3, 2}, stride: []int{1, 2}, dilation: []int{1, 1}, padding: []int{1, 0, 0, 1}, last: true, among: 8}
)

// result are the spatial sizes of the result.
func (c spatialConv) result() (sizes []int) {
	for d, n := range c.sizes {
		places := 0
		for at := 0; at+c.dilation[d]*(c.kernel[d]-1) < n+c.padding[2*d]+c.padding[2*d+1]; at += c.stride[d] {
			places++
		}
		sizes = append(sizes, places)
	}
	return sizes
}

func (c spatialConv) shapes() (x, w, y []int) {
	return append([]int{c.images, c.channels}, c.sizes...), append([]int{c.filters, c.channels / c.groups}, c.kernel...), append([]int{c.images, c.filters}, c.result()...)
}

// products calls f for each product: the elements of x, of the weight and of the result.
func (c spatialConv) products(f func(x, w, y int)) {
	xs, ws, ys := c.shapes()
	positions(ys, func(y int, at []int) {
		positions(ws[1:], func(w int, k []int) {
			from := []int{at[0], at[1]/(c.filters/c.groups)*(c.channels/c.groups) + k[0]}
			for d, n := range c.sizes {
				i := at[2+d]*c.stride[d] + k[1+d]*c.dilation[d] - c.padding[2*d]
				if i < 0 || i >= n {
					return
				}
				from = append(from, i)
			}
			f(offsetOf(xs, from), at[1]*size(ws[1:])+w, y)
		})
	})
}

// lastOf is an array of a shape [N,C,…] with its channels last, where that was asked for.
func (c spatialConv) lastOf(h host) host {
	if !c.last {
		return h
	}
	return host{h.elem, append(append([]int{h.shape[0]}, h.shape[2:]...), h.shape[1]), c.channelsLast(h.x, h.shape)}
}

func (c spatialConv) channelsLast(x []float64, shape []int) []float64 {
	if !c.last {
		return x
	}
	return channelsLast(x, []int{shape[0], shape[1], size(shape[2:]), 1})
}

// input is x as an input of a form.
func (c spatialConv) input(s *suite, f form, x host) *weft.Tensor {
	s.Helper()
	x = c.lastOf(x)
	if c.among == 0 {
		return s.input(f, x)
	}
	shape := append(slices.Clone(x.shape[:len(x.shape)-1]), c.among)
	wide := host{x.elem, shape, slices.Repeat([]float64{poison(x.elem)}, size(shape))}
	for i, v := range x.x {
		wide.x[i/c.channels*c.among+i%c.channels] = v
	}
	t, err := s.input(f, wide).Slice(len(shape)-1, 0, c.channels)
	s.try(err)
	return t
}

func (c spatialConv) options() []ops.Conv2DOption {
	list := []ops.Conv2DOption{ops.Stride(c.stride...), ops.Dilation(c.dilation...), ops.PaddingSides(c.padding...), ops.Groups(c.groups)}
	if c.last {
		list = append(list, ops.ChannelsLast())
	}
	return list
}

// spatialConvs checks convolutions of lines, images and volumes, or gradients, with all options and orders of dimensions.
func spatialConvs(s *suite, op string) {
	s.op(op)
	list := []spatialConv{line, volume, deep, cube, through, plane}
	for i, c := range list[:either(s, 3, len(list))] {
		for t, elem := range s.reals() {
			for _, last := range []bool{false, true} {
				if c.last = last; !s.full && (t != i%3 && elem != weft.F64 || last != (i%2 == 0)) {
					continue
				}
				if op != "Conv" {
					c.gradient(s, op, elem, i)
					continue
				}
				for _, a := range []ops.ConvAlgorithm{ops.ConvAuto, ops.ConvDirect, ops.ConvImplicit} {
					c.algorithm, c.tiles = a, ops.Conv2DConfig{}
					if a != ops.ConvAuto {
						c.tiles = ops.Conv2DConfig{BO: 16, BP: 16, BK: 8, Threads: 64}
						if a == ops.ConvImplicit {
							c.tiles.Parts = (t + i) % 4
						}
					}
					if s.full || a == ops.ConvAuto || int(a) == 1+2*(i%2) {
						c.check(s, elem, i)
					}
				}
			}
		}
	}
}

// firstChannels checks convolutions of some of the channels.
func firstChannels(s *suite, op string) {
	for _, elem := range s.reals() {
		if op == "Conv" {
			first.check(s, elem, 0)
		} else {
			first.gradient(s, op, elem, 0)
		}
	}
}

// check checks the convolution.
func (c spatialConv) check(s *suite, elem weft.DType, i int) {
	s.Helper()
	xs, ws, ys := c.shapes()
	x, w := s.random(elem, xs...), s.random(elem, ws...)
	want, magnitudes := make([]float64, size(ys)), make([]float64, size(ys))
	c.products(func(xi, wi, yi int) {
		v := x.x[xi] * w.x[wi]
		want[yi], magnitudes[yi] = want[yi]+v, magnitudes[yi]+math.Abs(v)
	})
	options := append(c.options(), ops.Algorithm(c.algorithm), ops.Tiles(c.tiles))
	if c.bias {
		bias := s.random(elem, c.filters)
		options = append(options, ops.Bias(s.input(sliced, bias)))
		for i := range want {
			b := bias.x[i/size(ys[2:])%c.filters]
			want[i], magnitudes[i] = want[i]+b, magnitudes[i]+math.Abs(b)
		}
	}
	y := c.lastOf(host{elem, ys, want})
	magnitudes = c.channelsLast(magnitudes, ys)
	out := s.output(forms[(i+1)%4], elem, y.shape...)
	s.try(ops.ConvInto(out.Tensor, c.input(s, forms[i%len(forms)], x), s.input(forms[(i+2)%len(forms)], w), options...))
	if err := out.verify(y.x, func(i int) float64 { return bounds.Conv2D(elem, size(ws[1:]), y.x[i], magnitudes[i]) }); err != nil {
		s.Error(fmt.Errorf("%+v of %v: %w", c, elem, err))
	}
}

// gradient checks a gradient of the convolution.
func (c spatialConv) gradient(s *suite, op string, elem weft.DType, i int) {
	s.Helper()
	xs, ws, ys := c.shapes()
	x, w, y := s.random(elem, xs...), s.random(elem, ws...), s.random(elem, ys...)
	shape, terms := xs, c.filters/c.groups*size(c.kernel)
	if op == "ConvWeightGrad" {
		shape, terms = ws, c.images*size(ys[2:])
	}
	want, magnitudes := make([]float64, size(shape)), make([]float64, size(shape))
	c.products(func(xi, wi, yi int) {
		at, v := xi, w.x[wi]*y.x[yi]
		if op == "ConvWeightGrad" {
			at, v = wi, x.x[xi]*y.x[yi]
		}
		want[at], magnitudes[at] = want[at]+v, magnitudes[at]+math.Abs(v)
	})
	dy := s.input(forms[(i+2)%len(forms)], c.lastOf(y))
	var out output
	if op == "ConvWeightGrad" {
		out = s.output(forms[(i+1)%4], elem, ws...)
		s.try(ops.ConvWeightGradInto(out.Tensor, c.input(s, forms[i%len(forms)], x), dy, c.options()...))
	} else {
		result := c.lastOf(host{elem, xs, want})
		want, magnitudes = result.x, c.channelsLast(magnitudes, xs)
		out = s.output(forms[(i+1)%4], elem, result.shape...)
		s.try(ops.ConvTransposeInto(out.Tensor, dy, s.input(forms[i%len(forms)], w), c.options()...))
	}
	if err := out.verify(want, func(i int) float64 { return bounds.Conv2D(elem, terms, want[i], magnitudes[i]) }); err != nil {
		s.Error(fmt.Errorf("%s of %+v of %v: %w", op, c, elem, err))
	}
}
