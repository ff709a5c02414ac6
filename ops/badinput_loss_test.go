package ops_test

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var lossBad = []badOp{
	badLoss("cross_entropy", ops.CrossEntropyInto, ops.CrossEntropy, []badRow{
		{"scalar", func(b *bad) error { return second(ops.CrossEntropy(b.f32(), b.tensor(weft.I32))) }, weft.ErrShape, "cross_entropy: logits: a scalar has no classes"},
		{"no classes", func(b *bad) error { return second(ops.CrossEntropy(b.f32(3, 0), b.tensor(weft.I32, 3))) }, weft.ErrShape, "cross_entropy: logits: shape [3 0] has no classes"},
		{"targets of bytes", func(b *bad) error { return second(ops.CrossEntropy(b.f32(3, 5), b.tensor(weft.U8, 3))) }, weft.ErrArgument, "cross_entropy: targets: the tensor holds u8, want i32"},
		{"probabilities of another type", func(b *bad) error { return second(ops.CrossEntropy(b.f32(3, 5), b.tensor(weft.F16, 3, 5))) },
			weft.ErrArgument, "cross_entropy: targets: the tensor holds f16, want f32"},
		{"probabilities of another shape", func(b *bad) error { return second(ops.CrossEntropy(b.f32(3, 5), b.f32(3))) }, weft.ErrShape, "cross_entropy: targets: shape [3], want [3 5] for probabilities; indices of classes are integers"},
		{"indices of another shape", func(b *bad) error { return second(ops.CrossEntropy(b.f32(3, 5), b.tensor(weft.I64, 5))) }, weft.ErrShape, "cross_entropy: targets: shape [5], want [3]"},
		{"axis", lossOption(ops.Axis(2)), weft.ErrArgument, "cross_entropy: logits: axis 2 of a tensor of 2 dimensions does not exist"},
		{"two axes", lossOption(ops.Axis(0, 1)), weft.ErrArgument, "cross_entropy: 2 axes given, want 1"},
		{"smoothing", lossOption(ops.LabelSmoothing(1.5)), weft.ErrArgument, "cross_entropy: options: a smoothing of 1.5, want 0 to 1"},
		{"smoothing that is no number", lossOption(ops.LabelSmoothing(math.NaN())), weft.ErrArgument, "cross_entropy: options: a smoothing of NaN"},
		{"long index", lossOption(ops.IgnoreIndex(1 << 40)), weft.ErrArgument, "cross_entropy: options: the index that is ignored has more than 32 bits"},
		{"ignored probabilities", func(b *bad) error {
			return second(ops.CrossEntropy(b.f32(3, 5), b.f32(3, 5), ops.IgnoreIndex(1)))
		}, weft.ErrArgument, "cross_entropy: options: IgnoreIndex is given, the targets are probabilities"},
		{"no weights", lossOption(ops.ClassWeights(nil)), weft.ErrArgument, "cross_entropy: weights: the tensor is nil"},
		{"no sums", lossOption(ops.LogSumExp(nil)), weft.ErrArgument, "cross_entropy: lse: the tensor is nil"},
		{"weights of rows", func(b *bad) error {
			return second(ops.CrossEntropy(b.f32(3, 5), b.tensor(weft.I32, 3), ops.ClassWeights(b.f32(3))))
		}, weft.ErrShape, "cross_entropy: weights: shape [3], want [5]"},
		{"sums of another type", func(b *bad) error {
			return second(ops.CrossEntropy(b.tensor(weft.F16, 3, 5), b.tensor(weft.I32, 3), ops.LogSumExp(b.tensor(weft.F16, 3))))
		}, weft.ErrArgument, "cross_entropy: lse: the tensor holds f16, want f32"},
		{"sums in place of weights", func(b *bad) error {
			w := b.f32(5)
			return second(ops.CrossEntropy(b.f32(5, 5), b.tensor(weft.I32, 5), ops.LogSumExp(w), ops.ClassWeights(w)))
		}, weft.ErrUnsupported, "cross_entropy: weights: it overlaps lse"},
		{"losses of a mean", func(b *bad) error {
			return ops.CrossEntropyInto(b.f32(3), b.f32(3, 5), b.tensor(weft.I32, 3), ops.MeanLoss())
		}, weft.ErrShape, "cross_entropy: out: shape [3], want []"},
		{"losses of 16 bits", func(b *bad) error {
			return ops.CrossEntropyInto(b.tensor(weft.F16, 3), b.tensor(weft.F16, 3, 5), b.tensor(weft.I32, 3))
		}, weft.ErrArgument, "cross_entropy: out: the tensor holds f16, want f32"},
	}),
	badLoss("nll_loss", ops.NLLLossInto, ops.NLLLoss, []badRow{
		{"sums", func(b *bad) error {
			return second(ops.NLLLoss(b.f32(3, 5), b.tensor(weft.I32, 3), ops.LogSumExp(b.f32(3))))
		}, weft.ErrArgument, "nll_loss: options: LogSumExp is no option of logarithms of probabilities"},
	}),
	badLossGrad("cross_entropy_grad", ops.CrossEntropyGradInto, ops.CrossEntropyGrad, []badRow{
		{"shape of dy", func(b *bad) error {
			return second(ops.CrossEntropyGrad(b.f32(3, 5), b.tensor(weft.I32, 3), b.f32(5)))
		}, weft.ErrShape, "cross_entropy_grad: dy: shape [5], want [3]"},
		{"dy of a mean", func(b *bad) error {
			return second(ops.CrossEntropyGrad(b.f32(3, 5), b.tensor(weft.I32, 3), b.f32(3), ops.MeanLoss()))
		}, weft.ErrShape, "cross_entropy_grad: dy: shape [3], want []"},
		{"dy of 16 bits", func(b *bad) error {
			return second(ops.CrossEntropyGrad(b.tensor(weft.F16, 3, 5), b.tensor(weft.I32, 3), b.tensor(weft.F16, 3)))
		}, weft.ErrArgument, "cross_entropy_grad: dy: the tensor holds f16, want f32"},
		{"in place of probabilities", func(b *bad) error {
			p := b.f32(3, 5)
			return ops.CrossEntropyGradInto(p, b.f32(3, 5), p, nil)
		}, weft.ErrUnsupported, "cross_entropy_grad: targets: it overlaps dlogits"},
	}),
	badLossGrad("nll_loss_grad", ops.NLLLossGradInto, ops.NLLLossGrad, nil),
}

// lossOption is a call with an option.
func lossOption(o ops.LossOption) func(b *bad) error {
	return func(b *bad) error { return second(ops.CrossEntropy(b.f32(3, 5), b.tensor(weft.I32, 3), o)) }
}

// weighted are the options of a call with weights.
func weighted(weights *weft.Tensor) []ops.LossOption {
	if weights == nil {
		return nil
	}
	return []ops.LossOption{ops.ClassWeights(weights)}
}

func badLoss(name string, into func(out, x, targets *weft.Tensor, options ...ops.LossOption) error,
	make func(x, targets *weft.Tensor, options ...ops.LossOption) (*weft.Tensor, error), rows []badRow) badOp {
	return badOp{
		op:   name,
		in:   []badArg{{elem: weft.F32, shape: []int{3, 5}}, {elem: weft.I32, shape: []int{3}}, {elem: weft.F32, shape: []int{5}}},
		out:  badArg{elem: weft.F32, shape: []int{3}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error { return into(out, in[0], in[1], weighted(in[2])...) },
		new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return make(in[0], in[1], weighted(in[2])...) },
		zero: [][][]int{{{0, 3}, {0}, {3}, {0}}, {{0, 0}, {0}, {0}, {0}}},
		huge: [][][]int{{{1 << 31, 1}, {1 << 31}, {1}}, {{1 << 31, 1 << 31}, {1 << 31}, {1 << 31}}},
		rows: rows,
	}
}

func badLossGrad(name string, into func(dx, x, targets, dy *weft.Tensor, options ...ops.LossOption) error,
	make func(x, targets, dy *weft.Tensor, options ...ops.LossOption) (*weft.Tensor, error), rows []badRow) badOp {
	return badOp{
		op:  name,
		in:  []badArg{{elem: weft.F32, shape: []int{3, 5}}, {elem: weft.I32, shape: []int{3}}, {elem: weft.F32, shape: []int{3}}, {elem: weft.F32, shape: []int{5}}},
		out: badArg{elem: weft.F32, shape: []int{3, 5}},
		into: func(out *weft.Tensor, in []*weft.Tensor) error {
			return into(out, in[0], in[1], in[2], weighted(in[3])...)
		},
		new:  func(in []*weft.Tensor) (*weft.Tensor, error) { return make(in[0], in[1], in[2], weighted(in[3])...) },
		zero: [][][]int{{{0, 3}, {0}, {0}, {3}, {0, 3}}},
		huge: [][][]int{{{1 << 31, 1}, {1 << 31}, {1 << 31}, {1}}, {{1 << 31, 1 << 31}, {1 << 31}, {1 << 31}, {1 << 31}}},
		rows: rows,
	}
}
