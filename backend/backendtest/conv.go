package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

var convCases = []testCase{
	{"Conv2DOptions", convOptions},
	{"Conv2DViews", convViews},
	{"Conv2DDefaults", convDefaults},
	{"Conv2DThreadRows", convThreadRows},
	{"Conv2DParts", convParts},
	{"Im2Col", convColumns},
	{"Conv2DEmpty", convEmpty},
	{"Conv2DF64", convF64},
}

// convolution is a case of Conv2D.
type convolution struct {
	reference.Conv
	algorithm   ops.ConvAlgorithm
	last        bool // channels last
	bias        bool
	x, w, out   form
	defaultTile bool // the tiles that the launch rule chooses, which take longer to compile
	rows        int  // that a thread adds up, of the direct algorithm
	columns     int  // likewise, with channels last
	parts       int  // of the reductions, of the implicit algorithm
}

var (
	everyOption = reference.Conv{Images: 2, Channels: 6, Height: 9, Width: 8, Filters: 10, Rows: 3, Columns: 2,
		Stride: [2]int{2, 1}, Dilation: [2]int{1, 2}, Padding: [4]int{1, 0, 2, 3}, Groups: 2}
	plain = reference.Conv{Images: 2, Channels: 9, Height: 7, Width: 6, Filters: 17, Rows: 3, Columns: 3,
		Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Padding: [4]int{1, 1, 1, 1}, Groups: 1}
	onePixel = reference.Conv{Images: 3, Channels: 5, Height: 5, Width: 3, Filters: 11, Rows: 1, Columns: 1,
		Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Groups: 1}
	patches = reference.Conv{Images: 2, Channels: 3, Height: 9, Width: 12, Filters: 12, Rows: 4, Columns: 3,
		Stride: [2]int{4, 3}, Dilation: [2]int{1, 1}, Groups: 1}
	depthwise = reference.Conv{Images: 2, Channels: 10, Height: 11, Width: 6, Filters: 10, Rows: 3, Columns: 3,
		Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Padding: [4]int{1, 1, 1, 1}, Groups: 10}
	// pieces has channels that come in pieces of 16 bytes.
	pieces = reference.Conv{Images: 3, Channels: 32, Height: 9, Width: 8, Filters: 20, Rows: 3, Columns: 2,
		Stride: [2]int{1, 2}, Dilation: [2]int{1, 1}, Padding: [4]int{1, 1, 1, 1}, Groups: 2}
	// outside is a kernel larger than the image, all of whose rows are in the padding for some pixels.
	outside = reference.Conv{Images: 1, Channels: 2, Height: 2, Width: 3, Filters: 3, Rows: 3, Columns: 5,
		Stride: [2]int{1, 2}, Dilation: [2]int{1, 1}, Padding: [4]int{4, 3, 3, 3}, Groups: 1}
)

var algorithms = []ops.ConvAlgorithm{ops.ConvDirect, ops.ConvIm2Col, ops.ConvImplicit}

// convOptions runs every option through every algorithm.
func convOptions(s *suite) {
	s.op("Conv2D")
	for _, elem := range floatTypes {
		for _, a := range algorithms {
			if elem == weft.F32 || s.full || a != ops.ConvIm2Col {
				convolve(s, elem, convolution{Conv: everyOption, algorithm: a, bias: true})
			}
		}
	}
	rest := []reference.Conv{outside, patches, onePixel, depthwise, plain}
	if !s.full {
		rest = rest[:1]
	}
	for _, elem := range floatTypes[:s.thorough(weft.F16, 3, 1)] {
		for _, a := range algorithms {
			for _, c := range rest {
				convolve(s, elem, convolution{Conv: c, algorithm: a})
			}
		}
	}
}

// convViews runs other layouts of all arguments, and channels last.
func convViews(s *suite) {
	s.op("Conv2D")
	some := forms
	if !s.full {
		some = []form{sliced, stepped}
	}
	for _, elem := range floatTypes[:s.thorough(weft.F16, 3, 1)] {
		for i, f := range some {
			for _, a := range algorithms {
				g, h := forms[(i+1)%len(forms)], forms[(i+2)%len(forms)]
				if s.full || i == int(a)%2 {
					convolve(s, elem, convolution{Conv: everyOption, algorithm: a, bias: true, x: f, w: g, out: h})
				}
				if s.full || i == 0 && a == ops.ConvImplicit {
					convolve(s, elem, convolution{Conv: plain, algorithm: a, last: true, bias: true, x: f, w: h, out: g})
				}
			}
		}
	}
	convolve(s, weft.F32, convolution{Conv: onePixel, algorithm: ops.ConvIm2Col, last: true})
	convolve(s, weft.F32, convolution{Conv: patches, algorithm: ops.ConvImplicit, last: true}) // 3 channels
}

// convDefaults runs what the launch rule chooses.
func convDefaults(s *suite) {
	s.op("Conv2D")
	list := []reference.Conv{depthwise, pieces}
	if s.full {
		wide := reference.Conv{Images: 2, Channels: 70, Height: 30, Width: 33, Filters: 130, Rows: 3, Columns: 3,
			Stride: [2]int{1, 1}, Dilation: [2]int{1, 1}, Padding: [4]int{1, 1, 1, 1}, Groups: 1}
		first := reference.Conv{Images: 3, Channels: 3, Height: 65, Width: 64, Filters: 64, Rows: 7, Columns: 7,
			Stride: [2]int{2, 2}, Dilation: [2]int{1, 1}, Padding: [4]int{3, 3, 3, 3}, Groups: 1}
		list = append(list, everyOption, plain, onePixel, patches, wide, first)
	}
	for _, elem := range floatTypes[:s.thorough(weft.F16, 3, 1)] {
		for _, c := range list {
			for _, last := range []bool{false, true} {
				convolve(s, elem, convolution{Conv: c, last: last, bias: true, defaultTile: true})
			}
		}
	}
}

// convThreadRows runs the direct algorithm with several rows in a thread, and columns, which share what they load.
func convThreadRows(s *suite) {
	s.op("Conv2D")
	list := []reference.Conv{depthwise, everyOption}
	if s.full {
		list = append(list, outside, patches, plain)
	}
	for _, elem := range floatTypes[:s.thorough(weft.F16, 3, 1)] {
		for i, c := range list {
			for _, last := range []bool{false, true} {
				convolve(s, elem, convolution{Conv: c, algorithm: ops.ConvDirect, last: last, bias: true, rows: 2 << (i % 4), columns: 8 >> (i % 4)})
			}
		}
	}
}

// convParts runs implicit products whose reductions several programs share, some of which have none.
func convParts(s *suite) {
	s.op("Conv2D")
	list := []reference.Conv{everyOption, plain}
	if s.full {
		list = append(list, pieces, outside, patches)
	}
	for t, elem := range s.reals() {
		for i, c := range list {
			for j, last := range []bool{false, true} {
				if s.full || (t+i+j)%2 == 0 {
					convolve(s, elem, convolution{Conv: c, algorithm: ops.ConvImplicit, last: last, bias: i%2 == 0, parts: 2 + (t+3*i)%6, x: forms[i%4], w: forms[t%4], out: forms[(i+t+j)%4]})
				}
			}
		}
	}
}

// convolve checks one convolution.
func convolve(s *suite, elem weft.DType, c convolution) {
	s.Helper()
	p, q := c.Result()
	x := s.random(elem, c.Images, c.Channels, c.Height, c.Width)
	w := s.random(elem, c.Filters, c.Channels/c.Groups, c.Rows, c.Columns)
	options := []ops.Conv2DOption{
		ops.Stride(c.Stride[0], c.Stride[1]), ops.Dilation(c.Dilation[0], c.Dilation[1]), ops.Groups(c.Groups),
		ops.PaddingSides(c.Padding[0], c.Padding[1], c.Padding[2], c.Padding[3]), ops.Algorithm(c.algorithm),
	}
	var bias host
	if c.bias {
		bias = s.random(elem, c.Filters)
		options = append(options, ops.Bias(s.input(sliced, bias)))
	}
	if !c.defaultTile {
		options = append(options, ops.Tiles(ops.Conv2DConfig{BO: 16, BP: 16, BK: 8, Threads: 64, ThreadRows: c.rows, ThreadColumns: c.columns, Parts: c.parts}))
	}
	want, magnitudes := reference.Conv2D(c.Conv, x.x, w.x, bias.x)
	shape := []int{c.Images, c.Filters, p, q}
	if c.last {
		options = append(options, ops.ChannelsLast())
		x, shape = host{elem, []int{c.Images, c.Height, c.Width, c.Channels}, channelsLast(x.x, x.shape)}, []int{c.Images, p, q, c.Filters}
		want, magnitudes = channelsLast(want, []int{c.Images, c.Filters, p, q}), channelsLast(magnitudes, []int{c.Images, c.Filters, p, q})
	}
	out := s.output(c.out, elem, shape...)
	s.try(ops.Conv2DInto(out.Tensor, s.input(c.x, x), s.input(c.w, w), options...))
	out.check(want, func(i int) float64 { return bounds.Conv2D(elem, c.Terms(), want[i], magnitudes[i]) })
}

// channelsLast reorders an array of a shape [N,C,H,W] to [N,H,W,C].
func channelsLast(x []float64, shape []int) []float64 {
	out := make([]float64, len(x))
	channels, plane := shape[1], shape[2]*shape[3]
	for i, v := range x {
		out[(i/plane/channels*plane+i%plane)*channels+i/plane%channels] = v
	}
	return out
}

// convEmpty has images without rows, columns and channels, whose result is the bias, in memory that held other numbers.
func convEmpty(s *suite) {
	s.op("Conv2D")
	for _, a := range append(algorithms, ops.ConvAuto) {
		for i := range 3 {
			c := outside
			*[]*int{&c.Height, &c.Width, &c.Channels}[i] = 0
			if s.full || i == int(a)%3 || a == ops.ConvIm2Col {
				s.dirty()
				convolve(s, weft.F32, convolution{Conv: c, algorithm: a, bias: true})
			}
		}
	}
}

// dirty fills the memory that new tensors may get.
func (s *suite) dirty() {
	s.Helper()
	for n := 64; n <= 1<<14; n *= 2 {
		x, err := weft.Full(s.dev, weft.F32, 123, n)
		s.try(err)
		s.try(x.Close())
	}
}

// convColumns compares columns with a convolution whose weights each pick one of their elements.
func convColumns(s *suite) {
	for _, elem := range floatTypes[:s.thorough(weft.F16, 3, 1)] {
		columnsOf(s, elem)
	}
}

func columnsOf(s *suite, elem weft.DType) {
	s.op("Im2Col")
	c := everyOption
	c.Groups = 1
	k := c.Terms()
	x := s.random(elem, c.Images, c.Channels, c.Height, c.Width)
	pick := make([]float64, k*k)
	for i := range k {
		pick[i*k+i] = 1
	}
	c.Filters = k
	want, _ := reference.Conv2D(c, x.x, pick, nil)
	p, q := c.Result()
	out := s.output(sliced, elem, c.Images, k, p*q)
	s.try(ops.Im2ColInto(out.Tensor, s.input(sliced, x), c.Rows, c.Columns, ops.Stride(c.Stride[0], c.Stride[1]),
		ops.Dilation(c.Dilation[0], c.Dilation[1]), ops.PaddingSides(c.Padding[0], c.Padding[1], c.Padding[2], c.Padding[3])))
	out.check(want, nil)
}

// convF64: convolutions of F64 by each algorithm and by the rule's, which a device without F64 refuses before a launch.
func convF64(s *suite) {
	s.op("Conv2D")
	if !s.has(weft.F64) {
		s.refused("a convolution of F64 on a device without it", weft.ErrUnsupported,
			errorOf(ops.Conv2D(s.upload(filled(weft.F64, 1, 1, 2, 4, 4)), s.upload(filled(weft.F64, 1, 3, 2, 2, 2)))))
		return
	}
	for i, c := range []reference.Conv{everyOption, pieces, depthwise, onePixel, plain, outside} {
		for _, a := range algorithms {
			convolve(s, weft.F64, convolution{Conv: c, algorithm: a, last: i%2 == 0, bias: true, x: forms[i%4], out: forms[(i+1)%4]})
		}
		convolve(s, weft.F64, convolution{Conv: c, last: i%2 == 1, bias: i > 2, defaultTile: true})
	}
	convolve(s, weft.F64, convolution{Conv: depthwise, algorithm: ops.ConvDirect, bias: true, rows: 2})
	columnsOf(s, weft.F64)
}
