package ops_test

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// conv calls Conv2D for images [1,4,5,5] and weights [6,2,3,3] in 2 groups.
func badConv(change func(b *bad) []ops.Conv2DOption) func(b *bad) error {
	return func(b *bad) error {
		options := append([]ops.Conv2DOption{ops.Groups(2)}, change(b)...)
		return second(ops.Conv2D(b.f32(1, 4, 5, 5), b.f32(6, 2, 3, 3), options...))
	}
}

// with makes options of which none needs a tensor.
func with(options ...ops.Conv2DOption) func(*bad) []ops.Conv2DOption {
	return func(*bad) []ops.Conv2DOption { return options }
}

// biased is the option Bias of a tensor that is given.
func biased(x *weft.Tensor) []ops.Conv2DOption {
	if x == nil {
		return nil
	}
	return []ops.Conv2DOption{ops.Bias(x)}
}

var convBad = []badOp{{
	op: "conv2d",
	in: []badArg{
		{elem: weft.F32, shape: []int{2, 3, 6, 5}},
		{elem: weft.F32, shape: []int{4, 3, 3, 2}},
		{elem: weft.F32, shape: []int{4}},
	},
	out: badArg{elem: weft.F32, shape: []int{2, 4, 4, 4}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error {
		return ops.Conv2DInto(out, in[0], in[1], biased(in[2])...)
	},
	new: func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Conv2D(in[0], in[1], biased(in[2])...) },
	zero: [][][]int{
		{{0, 3, 6, 5}, {4, 3, 3, 2}, {4}, {0, 4, 4, 4}}, {{2, 3, 6, 5}, {0, 3, 3, 2}, {0}, {2, 0, 4, 4}}, {{0, 0, 6, 5}, {0, 0, 3, 2}, {0}, {0, 0, 4, 4}},
	},
	huge: [][][]int{
		{{1, 1, 1 << 16, 1 << 16}, {1, 1, 1, 1}, {1}}, {{1 << 31, 1, 1, 1}, {4, 1, 1, 1}, {4}}, {{1 << 40, 1, 2, 2}, {1 << 22, 1, 2, 2}, {1 << 22}}, // results
		{{1, 1 << 40, 3, 3}, {1, 1 << 40, 3, 3}, {1}}, {{1, 1 << 20, 64, 64}, {1, 1 << 20, 64, 64}, {1}}, // reductions
		{{1, 1, 1 << 40, 1}, {1, 1, 1, 1}, {1}}, {{1, 1, 1 << 31, 1 << 31}, {1, 1, 1 << 31, 1 << 31}, {1}}, // images
	},
	rows: []badRow{
		{"groups", badConv(with(ops.Groups(3))), weft.ErrShape, "conv2d: groups: 3 groups do not divide the 4 channels of x"},
		{"groups of filters", badConv(with(ops.Groups(4))), weft.ErrShape, "conv2d: groups: 4 groups do not divide the 6 filters"},
		{"no groups", badConv(with(ops.Groups(0))), weft.ErrArgument, "conv2d: groups: 0 groups"},
		{"channels", badConv(with(ops.Groups(1))), weft.ErrShape, "conv2d: weight: shape [6 2 3 3] is for 2 channels in a group, x has 4"},
		{"negative padding", badConv(with(ops.Padding(0, -1))), weft.ErrArgument, "conv2d: padding: [0 0 -1 -1], want at least 0"},
		{"stride 0", badConv(with(ops.Stride(1, 0))), weft.ErrArgument, "conv2d: stride: [1 0], want at least 1"},
		{"dilation 0", badConv(with(ops.Dilation(0, 1))), weft.ErrArgument, "conv2d: dilation: [0 1], want at least 1"},
		{"kernel too large", badConv(with(ops.Dilation(3, 1))), weft.ErrShape, "conv2d: weight: a kernel of [3 3] with dilation [3 1] does not fit into an image of 5 × 5"},
		{"no kernel", func(b *bad) error { return second(ops.Conv2D(b.f32(1, 1, 5, 5), b.f32(1, 1, 0, 3))) }, weft.ErrArgument, "conv2d: weight: [0 3], want at least 1"},
		{"padding too large", badConv(with(ops.Padding(math.MaxInt32, 0))), weft.ErrLimit, "conv2d: x: an image of 5 × 5 with padding"},
		{"padding beyond numbers", badConv(with(ops.Padding(math.MaxInt, 0))), weft.ErrLimit, "conv2d: padding: "},
		{"dilation beyond numbers", badConv(with(ops.Dilation(math.MaxInt, 1))), weft.ErrLimit, "conv2d: dilation: "},
		{"result too large", badConv(with(ops.Padding(1<<17, 1<<17))), weft.ErrLimit, "conv2d: out: a result of "},
		{"bias nil", badConv(with(ops.Bias(nil))), weft.ErrArgument, "conv2d: bias: the tensor is nil"},
		{"bias of another length", badConv(func(b *bad) []ops.Conv2DOption { return []ops.Conv2DOption{ops.Bias(b.f32(4))} }),
			weft.ErrShape, "conv2d: bias: shape [4], want [6]"},
		{"fuse nil", badConv(with(ops.Fuse(nil))), weft.ErrArgument, "conv2d: fuse: the map is nil"},
		{"fuse of two", badConv(with(ops.Fuse(ops.AddMap))), weft.ErrArgument, "conv2d: fuse: a map of inputs [a b]"},
		{"fuse with a tensor", badConv(func(b *bad) []ops.Conv2DOption { return []ops.Conv2DOption{ops.Fuse(ops.AddMap, b.f32(1))} }),
			weft.ErrArgument, "conv2d: Fuse of a map with tensors"},
		{"five maps", badConv(with(ops.Fuse(ops.ReLUMap), ops.Fuse(ops.ReLUMap), ops.Fuse(ops.ReLUMap), ops.Fuse(ops.ReLUMap), ops.Fuse(ops.ReLUMap))),
			weft.ErrLimit, "conv2d: fuse: 5 steps after a convolution, want at most 4"},
		{"maps after a bias", badConv(func(b *bad) []ops.Conv2DOption {
			return []ops.Conv2DOption{ops.Bias(b.f32(6)), ops.Fuse(ops.ReLUMap), ops.Fuse(ops.ReLUMap), ops.Fuse(ops.ReLUMap), ops.Fuse(ops.ReLUMap)}
		}), weft.ErrLimit, "conv2d: fuse: 5 steps after a convolution, want at most 4"},
		{"bias twice", badConv(func(b *bad) []ops.Conv2DOption { return []ops.Conv2DOption{ops.Bias(b.f32(6)), ops.Bias(b.f32(6))} }),
			weft.ErrArgument, "conv2d: Bias is given twice"},
		{"bias after fuse", badConv(func(b *bad) []ops.Conv2DOption { return []ops.Conv2DOption{ops.Fuse(ops.ReLUMap), ops.Bias(b.f32(6))} }),
			weft.ErrArgument, "conv2d: Bias is given after Fuse"},
		{"tiles of a product", badConv(with(ops.Tiles(ops.MatMulConfig{BM: 16}))), weft.ErrArgument, "conv2d: Tiles: the config is of type MatMulConfig, want Conv2DConfig"},
		{"algorithm", badConv(with(ops.Algorithm(9))), weft.ErrArgument, "conv2d: algorithm: ConvAlgorithm(9)"},
		{"shape of out", func(b *bad) error {
			return ops.Conv2DInto(b.f32(1, 1, 3, 3), b.f32(1, 1, 3, 3), b.f32(1, 1, 3, 3))
		}, weft.ErrShape, "conv2d: out: shape [1 1 3 3], want [1 1 1 1]"},
		{"channels last", func(b *bad) error {
			return ops.Conv2DInto(b.f32(1, 2, 3, 3), b.f32(1, 3, 3, 2), b.f32(2, 2, 1, 1), ops.ChannelsLast())
		}, weft.ErrShape, "conv2d: out: shape [1 2 3 3], want [1 3 3 2]"},
		{"tiles", badConv(with(ops.Algorithm(ops.ConvImplicit), ops.Tiles(ops.Conv2DConfig{BO: 24}))), weft.ErrArgument, "conv2d: Tiles.BO: 24 is not a power of two"},
	},
}, {
	op:   "im2col",
	in:   []badArg{{elem: weft.F32, shape: []int{2, 3, 6, 5}}},
	out:  badArg{elem: weft.F32, shape: []int{2, 18, 16}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.Im2ColInto(out, in[0], 3, 2) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Im2Col(in[0], 3, 2) },
	zero: [][][]int{{{0, 3, 6, 5}, {0, 18, 16}}, {{2, 0, 6, 5}, {2, 0, 16}}},
	huge: [][][]int{{{1 << 40, 1, 3, 3}}, {{1, 1 << 59, 3, 3}}, {{1, 1, 1 << 31, 3}}, {{1, 1, 1 << 16, 1 << 16}}},
	rows: []badRow{
		{"kernel too large", func(b *bad) error { return second(ops.Im2Col(b.f32(1, 1, 3, 3), 4, 1)) }, weft.ErrShape, "im2col: weight: a kernel of [4 1]"},
		{"no kernel", func(b *bad) error { return second(ops.Im2Col(b.f32(1, 1, 3, 3), 0, 1)) }, weft.ErrArgument, "im2col: weight: [0 1]"},
		{"groups", func(b *bad) error { return second(ops.Im2Col(b.f32(1, 2, 3, 3), 1, 1, ops.Groups(2))) }, weft.ErrArgument, "im2col: groups"},
		{"shape of out", func(b *bad) error { return ops.Im2ColInto(b.f32(1, 9, 2), b.f32(1, 1, 3, 3), 3, 3) }, weft.ErrShape, "im2col: out: shape [1 9 2], want [1 9 1]"},
	},
}}
