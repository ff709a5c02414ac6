package suite

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops"
)

// crossEntropies are losses of language models, of rows that stay in registers, and of ten classes, with their gradients.
func crossEntropies(s Size) (list []Work) {
	ce, nll, n := catalog.Losses[0], catalog.Losses[1], s.vector()
	cols, few := of(s, 4096, 4096, 512), of(s, 10, 10, 3)
	for _, w := range []func(catalog.Loss, weft.DType, int, int) Work{crossEntropy, crossEntropyGrad} {
		list = append(list, w(ce, s.elem(), of(s, 4096, 64, 3), of(s, 128256, 8192, 50)), w(ce, weft.F32, n/cols, cols), w(ce, weft.F32, n/16, few))
	}
	return append(list, crossEntropy(ce, weft.F32, 1, min(n, 1<<24)), crossEntropy(nll, weft.F32, n/cols, cols), crossEntropyGrad(nll, weft.F32, n/cols, cols))
}

// lossOperands are rows, of logits or of logarithms of probabilities, and the indices of their classes.
func lossOperands(l catalog.Loss, elem weft.DType, rows, classes int) []Operand {
	x := normal(elem, rows, classes)
	if l.Log {
		x = uniform(-12, -6, elem, rows, classes)
	}
	return []Operand{x, uniform(0, float64(classes), weft.I64, rows)}
}

// lossRow is a row of a work.
func lossRow(l catalog.Loss, in []Values, row, classes int) catalog.LossRow {
	return catalog.LossRow{Log: l.Log, X: in[0].slice(row*classes, classes), Target: in[1](row), Ignore: math.Inf(-1)}
}

// crossEntropy is the loss of each row.
func crossEntropy(l catalog.Loss, elem weft.DType, rows, classes int) Work {
	w := Work{
		Name: name(l.Name, elem, size(rows, classes)), Op: l.Name, Inputs: lossOperands(l, elem, rows, classes), Output: normal(weft.F32, rows), Terms: classes,
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return l.Into(out, in[0], in[1]) },
		Want: func(in []Values, i int) (want, bound float64) {
			want, _, bound = lossRow(l, in, i, classes).Loss(elem)
			return want, bound
		},
	}
	if l.Log { // of which one element of each row is read
		w.Bytes = float64(elem.Size()*rows) + w.Inputs[1].Bytes() + w.Output.Bytes()
	}
	return w
}

// crossEntropyGrad is a step of training: the loss of each row, which stores what the gradient needs, and the gradient.
func crossEntropyGrad(l catalog.Loss, elem weft.DType, rows, classes int) Work {
	each := normal(weft.F32, rows)
	op := l.Name + "_grad"
	x := lossOperands(l, elem, rows, classes)
	w := Work{
		Name: name(op, elem, size(rows, classes)), Op: op, Inputs: append(x, each, each, each), Output: x[0], Terms: classes,
		Bytes: 3*x[0].Bytes() + 2*x[1].Bytes() + 5*each.Bytes(),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error {
			stored := ops.LogSumExp(in[4])
			if err := l.Into(in[3], in[0], in[1], stored); err != nil {
				return err
			}
			return l.GradInto(out, in[0], in[1], in[2], stored)
		},
	}
	if l.Log {
		w.Inputs = w.Inputs[:4]
		w.Bytes = x[0].Bytes() + float64(elem.Size()*rows) + 2*x[1].Bytes() + 2*each.Bytes()
		w.Run = func(out *weft.Tensor, in []*weft.Tensor) error {
			if err := l.Into(in[3], in[0], in[1]); err != nil {
				return err
			}
			return l.GradInto(out, in[0], in[1], in[2])
		}
	}
	type result struct{ want, bound []float64 }
	var last cached[result]
	w.Want = func(in []Values, i int) (want, bound float64) {
		r := last.of(i/classes, func() result {
			want, bound := lossRow(l, in, i/classes, classes).Grad(elem, in[2](i/classes), 0)
			return result{want, bound}
		})
		return r.want[i%classes], r.bound[i%classes]
	}
	return w
}
