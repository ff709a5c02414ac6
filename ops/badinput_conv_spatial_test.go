package ops_test

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// badSpatial calls Conv for a volume [1,2,4,4,4] and a kernel of 2 × 2 × 2.
func badSpatial(options ...ops.Conv2DOption) func(b *bad) error {
	return func(b *bad) error {
		return second(ops.Conv(b.f32(1, 2, 4, 4, 4), b.f32(3, 2, 2, 2, 2), options...))
	}
}

var convSpatialBad = []badOp{{
	op:  "conv",
	in:  []badArg{{elem: weft.F32, shape: []int{2, 3, 6, 5, 4}}, {elem: weft.F32, shape: []int{4, 3, 3, 2, 1}}, {elem: weft.F32, shape: []int{4}}},
	out: badArg{elem: weft.F32, shape: []int{2, 4, 4, 4, 4}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error {
		return ops.ConvInto(out, in[0], in[1], biased(in[2])...)
	},
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.Conv(in[0], in[1], biased(in[2])...) },
	zero: [][][]int{{{0, 3, 6, 5, 4}, {4, 3, 3, 2, 1}, {4}, {0, 4, 4, 4, 4}}, {{2, 3, 6}, {0, 3, 3}, {0}, {2, 0, 4}}},
	huge: [][][]int{{{1, 1, 1 << 31, 1 << 31, 1}, {1, 1, 1, 1, 1}, {1}}, {{1, 1, 1 << 12, 1 << 12, 1 << 12}, {1, 1, 1, 1, 1}, {1}}, {{1, 1, 1 << 40}, {1, 1, 1}, {1}}},
	rows: []badRow{
		{"matrices", func(b *bad) error { return second(ops.Conv(b.f32(2, 3), b.f32(2, 3))) }, weft.ErrShape, "conv: x: shape [2 3] has 2 dimensions, want 3 to 5"},
		{"four dimensions", func(b *bad) error {
			return second(ops.Conv(b.f32(1, 1, 2, 2, 2, 2), b.f32(1, 1, 1, 1, 1, 1)))
		}, weft.ErrShape, "conv: x: shape [1 1 2 2 2 2] has 6 dimensions"},
		{"kernel of images", func(b *bad) error { return second(ops.Conv(b.f32(1, 2, 4, 4, 4), b.f32(3, 2, 2, 2))) }, weft.ErrShape, "conv: weight: shape [3 2 2 2] has 4 dimensions, want 5"},
		{"two strides", badSpatial(ops.Stride(1, 2)), weft.ErrArgument, "conv: stride: numbers for another number of dimensions, want one for each of 3 dimensions"},
		{"no stride", badSpatial(ops.Stride()), weft.ErrArgument, "conv: stride"},
		{"four strides", badSpatial(ops.Stride(1, 1, 1, 1)), weft.ErrArgument, "conv: stride"},
		{"half a side", badSpatial(ops.PaddingSides(1, 1, 1)), weft.ErrArgument, "conv: padding"},
		{"stride 0", badSpatial(ops.Stride(0, 1, 1)), weft.ErrArgument, "conv: stride: [0 1 1], want at least 1"},
		{"no numbers", badSpatial(ops.Stride(0, 0, 0), ops.Dilation(0, 0, 0)), weft.ErrArgument, "conv: stride: [0 0 0], want at least 1"},
		{"padding", badSpatial(ops.Padding(-1)), weft.ErrArgument, "conv: padding: [-1 -1 -1 -1 -1 -1], want at least 0"},
		{"no kernel", func(b *bad) error { return second(ops.Conv(b.f32(1, 1, 3, 3, 3), b.f32(1, 1, 0, 1, 1))) }, weft.ErrArgument, "conv: weight: [0 1 1], want at least 1"},
		{"kernel too large", badSpatial(ops.Dilation(4, 1, 1)), weft.ErrShape, "conv: weight: a kernel of [2 2 2] with dilation [4 1 1] does not fit into a volume of 4 × 4 × 4"},
		{"columns", badSpatial(ops.Algorithm(ops.ConvIm2Col)), weft.ErrUnsupported, "conv: algorithm: volumes have no columns"},
		{"result too large", badSpatial(ops.Padding(1 << 10)), weft.ErrLimit, "conv: out: a result of 2051 × 2051 × 2051 pixels"},
	},
}, {
	op:   "conv_transpose",
	in:   []badArg{{elem: weft.F32, shape: []int{1, 2, 3}}, {elem: weft.F32, shape: []int{2, 3, 2}}},
	out:  badArg{elem: weft.F32, shape: []int{1, 3, 4}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.ConvTransposeInto(out, in[0], in[1]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.ConvTranspose(in[0], in[1], []int{4}) },
	rows: []badRow{
		{"sizes", func(b *bad) error { return second(ops.ConvTranspose(b.f32(1, 2, 3), b.f32(2, 3, 2), []int{5})) }, weft.ErrShape, "conv_transpose: x: shape [1 2 3] has 3 pixels"},
		{"two sizes", func(b *bad) error { return second(ops.ConvTranspose(b.f32(1, 2, 3), b.f32(2, 3, 2), []int{4, 1})) }, weft.ErrShape, "conv_transpose: sizes: 2 sizes given, want 1"},
		{"no sizes", func(b *bad) error { return second(ops.ConvTranspose(b.f32(1, 2, 3), b.f32(2, 3, 2), nil)) }, weft.ErrShape, "conv_transpose: sizes: 0 sizes given, want 1"},
	},
}, {
	op:   "conv_weight_grad",
	in:   []badArg{{elem: weft.F32, shape: []int{1, 2, 4, 4, 2}}, {elem: weft.F32, shape: []int{1, 3, 3, 3, 1}}},
	out:  badArg{elem: weft.F32, shape: []int{3, 2, 2, 2, 2}},
	into: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.ConvWeightGradInto(out, in[0], in[1]) },
	new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return ops.ConvWeightGrad(in[0], in[1], []int{2, 2, 2}) },
	rows: []badRow{
		{"sizes", func(b *bad) error {
			return second(ops.ConvWeightGrad(b.f32(1, 2, 4, 4, 2), b.f32(1, 3, 3, 3, 1), []int{3, 2, 2}))
		}, weft.ErrShape, "conv_weight_grad: dy: shape [1 3 3 3 1] has 3 × 3 × 1 pixels"},
		{"rank", func(b *bad) error { return second(ops.ConvWeightGrad(b.f32(1, 2, 4), b.f32(1, 3, 3, 1), []int{2})) }, weft.ErrShape, "conv_weight_grad: dy: shape [1 3 3 1] has 4 dimensions, want 3"},
	},
}}
