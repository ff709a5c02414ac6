package ops_test

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var rowGradBad = []badOp{
	badSoftmaxGrad("softmax_grad", ops.SoftmaxGradInto, ops.SoftmaxGrad, []badRow{
		{"scalar", func(b *bad) error { return second(ops.SoftmaxGrad(b.f32(), b.f32())) }, weft.ErrShape, "softmax_grad: y: a scalar has no rows"},
		{"axis", func(b *bad) error { return second(ops.SoftmaxGrad(b.f32(2, 3), b.f32(2, 3), ops.Axis(2))) }, weft.ErrArgument, "softmax_grad: y: axis 2 of a tensor of 2 dimensions"},
		{"shape of dy", func(b *bad) error { return second(ops.SoftmaxGrad(b.f32(2, 3), b.f32(3, 2))) }, weft.ErrShape, "softmax_grad: dy: shape [3 2], want [2 3]"},
		{"temperature", func(b *bad) error { return second(ops.SoftmaxGrad(b.f32(2, 3), b.f32(2, 3), ops.Temperature(-1))) },
			weft.ErrArgument, "softmax_grad: temperature -1, want a positive"},
		{"in place of dy's columns", func(b *bad) error {
			y := b.f32(3, 3)
			return ops.SoftmaxGradInto(y.T(), y, b.f32(3, 3))
		}, weft.ErrUnsupported, "softmax_grad: y: it overlaps dx, want separate memory or the same view"},
	}),
	badSoftmaxGrad("log_softmax_grad", ops.LogSoftmaxGradInto, ops.LogSoftmaxGrad, nil),
	{
		op: "layernorm_grad",
		in: []badArg{
			{elem: weft.F32, shape: []int{3, 5}, anyRank: true}, {elem: weft.F32, shape: []int{3, 5}}, {elem: weft.F32, shape: []int{5}},
			{elem: weft.F32, shape: []int{5}}, {elem: weft.F32, shape: []int{5}},
		},
		out: badArg{elem: weft.F32, shape: []int{3, 5}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.LayerNormGradInto(out, in[3], in[4], in[0], in[1], in[2])
		},
		new: func(in []*weft.Tensor) (*weft.Tensor, error) {
			dx, dweight, dbias, err := ops.LayerNormGrad(in[0], in[1], in[2])
			closeAll(dweight, dbias)
			return dx, err
		},
		zero: [][][]int{{{3, 0}, {3, 0}, {0}, {0}, {0}, {3, 0}}},
		huge: [][][]int{{{1 << 31, 1}, {1 << 31, 1}, {1}, {1}, {1}}, {{1 << 31, 1 << 31}, {1 << 31, 1 << 31}, {1 << 31}, {1 << 31}, {1 << 31}}},
		rows: []badRow{
			{"scalar", func(b *bad) error { return gradOf(ops.LayerNormGrad(b.f32(), b.f32(), nil)) }, weft.ErrShape, "layernorm_grad: x: a scalar has no rows"},
			{"shape of dy", func(b *bad) error { return gradOf(ops.LayerNormGrad(b.f32(2, 3), b.f32(3), nil)) }, weft.ErrShape, "layernorm_grad: dy: shape [3], want [2 3]"},
			{"epsilon", func(b *bad) error { return gradOf(ops.LayerNormGrad(b.f32(2, 3), b.f32(2, 3), nil, ops.Epsilon(-1))) },
				weft.ErrArgument, "layernorm_grad: epsilon -1"},
			{"residual", func(b *bad) error {
				return gradOf(ops.LayerNormGrad(b.f32(2, 3), b.f32(2, 3), nil, ops.Residual(b.f32(2, 3), nil)))
			}, weft.ErrUnsupported, "layernorm_grad: options: Residual is no option of gradients"},
			{"shape of dweight", func(b *bad) error {
				return ops.LayerNormGradInto(b.f32(2, 3), b.f32(2), nil, b.f32(2, 3), b.f32(2, 3), nil)
			}, weft.ErrShape, "layernorm_grad: dweight: shape [2], want that of a row: [3]"},
			{"dbias in place of the weight", func(b *bad) error {
				w := b.f32(3)
				return ops.LayerNormGradInto(b.f32(2, 3), nil, w, b.f32(2, 3), b.f32(2, 3), w)
			}, weft.ErrUnsupported, "layernorm_grad: weight: it overlaps dbias"},
		},
	},
	{
		op: "rmsnorm_grad",
		in: []badArg{
			{elem: weft.F32, shape: []int{3, 5}, anyRank: true}, {elem: weft.F32, shape: []int{3, 5}}, {elem: weft.F32, shape: []int{5}}, {elem: weft.F32, shape: []int{5}},
		},
		out: badArg{elem: weft.F32, shape: []int{3, 5}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.RMSNormGradInto(out, in[3], in[0], in[1], in[2])
		},
		new: func(in []*weft.Tensor) (*weft.Tensor, error) {
			dx, dweight, err := ops.RMSNormGrad(in[0], in[1], in[2])
			closeAll(dweight)
			return dx, err
		},
		zero: [][][]int{{{3, 0}, {3, 0}, {0}, {0}, {3, 0}}},
		huge: [][][]int{{{1 << 31, 1}, {1 << 31, 1}, {1}, {1}}},
		rows: []badRow{
			{"shape of weight", func(b *bad) error { _, _, err := ops.RMSNormGrad(b.f32(2, 3), b.f32(2, 3), b.f32(2)); return err },
				weft.ErrShape, "rmsnorm_grad: weight: shape [2], want that of a row: [3]"},
		},
	},
}

func closeAll(tensors ...*weft.Tensor) {
	for _, t := range tensors {
		if t != nil {
			t.Close()
		}
	}
}

// gradOf is the error of a call with new results.
func gradOf(_, _, _ *weft.Tensor, err error) error { return err }

func badSoftmaxGrad(name string, into func(dx, y, dy *weft.Tensor, options ...ops.SoftmaxOption) error,
	make func(y, dy *weft.Tensor, options ...ops.SoftmaxOption) (*weft.Tensor, error), rows []badRow) badOp {
	return badOp{
		op:   name,
		in:   []badArg{{elem: weft.F32, shape: []int{3, 5}}, {elem: weft.F32, shape: []int{3, 5}}},
		out:  badArg{elem: weft.F32, shape: []int{3, 5}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error { return into(out, in[0], in[1]) },
		new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return make(in[0], in[1]) },
		zero: [][][]int{{{0, 3}, {0, 3}, {0, 3}}, {{3, 0}, {3, 0}, {3, 0}}},
		huge: [][][]int{{{1 << 31}, {1 << 31}}, {{1 << 31, 1 << 31}, {1 << 31, 1 << 31}}},
		rows: rows,
	}
}
