package main

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// reduceWorks are reductions along rows, down columns and of everything, and what stands on them.
func reduceWorks(s sizes) []work {
	const cols = 4096
	rows, vector := max(1, 1<<s.scale/cols), max(2, s.scale-2)
	return []work{
		sumWork(rows, cols, 1), sumWork(rows, cols, 0), sumWork(1, 1<<s.scale, 1),
		argMaxWork(s.scale), varWork(rows, cols),
		normWork("layernorm", rows, cols), normWork("rmsnorm", rows, cols),
		longSoftmaxWork(vector), logSoftmaxWork(rows, cols),
	}
}

// sumWork adds up along an axis of a matrix.
func sumWork(rows, cols, axis int) work {
	op, results, terms := fmt.Sprintf("sum f32 %dx%d rows", rows, cols), rows, cols
	at := func(i, j int) int { return i*cols + j }
	switch {
	case axis == 0:
		op, results, terms = fmt.Sprintf("sum f32 %dx%d columns", rows, cols), cols, rows
		at = func(i, j int) int { return j*cols + i }
	case rows == 1:
		op = "sum f32 2^" + fmt.Sprint(int(math.Log2(float64(cols))))
	}
	return work{
		Op: op, Bytes: 4 * float64(rows*cols+results),
		inputs: []operand{normal(weft.F32, rows, cols)}, output: normal(weft.F32, results),
		run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.SumInto(out, in[0], ops.Over(axis)) },
		check: func(out values, in []values) error {
			return compare(out, results, func(i int) (want, bound float64) {
				magnitudes := 0.0
				for j := range terms {
					x := in[0](at(i, j))
					want += x
					magnitudes += math.Abs(x)
				}
				return want, ops.SumBound(weft.F32, terms, want, magnitudes)
			})
		},
	}
}

func argMaxWork(scale int) work {
	n := 1 << scale
	return work{
		Op: fmt.Sprintf("argmax f32 2^%d", scale), Bytes: 4 * float64(n),
		inputs: []operand{normal(weft.F32, n)}, output: uniform(0, 1, weft.I32, 1),
		run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.ArgMaxInto(out, in[0], ops.KeepDims()) },
		check: func(out values, in []values) error {
			return compare(out, 1, func(int) (want, bound float64) {
				best := 0
				for i := range min(n, period) { // what follows repeats it
					if in[0](i) > in[0](best) {
						best = i
					}
				}
				return float64(best), 0
			})
		},
	}
}

// moments are mean and variance of a run of elements.
func moments(x values, start, n int) (mean, variance float64) {
	for i := range n {
		mean += x(start+i) / float64(n)
	}
	for i := range n {
		d := x(start+i) - mean
		variance += d * d / float64(n)
	}
	return mean, variance
}

func varWork(rows, cols int) work {
	return work{
		Op: fmt.Sprintf("var f32 %dx%d rows", rows, cols), Bytes: 4 * float64(rows*cols+rows),
		inputs: []operand{normal(weft.F32, rows, cols)}, output: normal(weft.F32, rows),
		run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.VarInto(out, in[0], ops.Over(1)) },
		check: func(out values, in []values) error {
			return compare(out, rows, func(i int) (want, bound float64) {
				mean, variance := moments(in[0], i*cols, cols)
				return variance, ops.VarBound(weft.F32, cols, variance, mean)
			})
		},
	}
}

// normWork normalises rows of F16 with a weight and, for layernorm, a bias.
func normWork(op string, rows, cols int) work {
	w := work{
		Op: fmt.Sprintf("%s f16 %dx%d", op, rows, cols), Bytes: 4 * float64(rows*cols),
		inputs: []operand{normal(weft.F16, rows, cols), normal(weft.F16, cols), normal(weft.F16, cols)}, output: normal(weft.F16, rows, cols),
		run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.LayerNormInto(out, in[0], in[1], in[2]) },
	}
	layer := op == "layernorm"
	if !layer {
		w.run = func(out *weft.Tensor, in []*weft.Tensor) error { return ops.RMSNormInto(out, in[0], in[1]) }
	}
	w.check = func(out values, in []values) error {
		return compare(out, rows*cols, func(i int) (want, bound float64) {
			mean, variance := moments(in[0], i/cols*cols, cols)
			bias, size, root := in[2](i%cols), math.Hypot(mean, math.Sqrt(variance)), math.Sqrt(variance+1e-5)
			if !layer {
				mean, bias, root, size = 0, 0, math.Sqrt(size*size+1e-5), 0
			}
			normalised, weight := (in[0](i)-mean)/root, in[1](i%cols)
			want = normalised*weight + bias
			return want, ops.NormBound(weft.F16, cols, want, normalised, weight, bias, size/root)
		})
	}
	return w
}

// longSoftmaxWork is the softmax of one vector.
func longSoftmaxWork(scale int) work {
	w := softmaxWork(1, 1<<scale)
	w.Op = fmt.Sprintf("softmax f32 2^%d", scale)
	exact := exponentials{}
	w.check = func(out values, in []values) error {
		return compare(out, 1<<scale, func(i int) (want, bound float64) {
			top, sum := exact.of(in[0], 0, 1<<scale)
			want = math.Exp(in[0](i)-top) / sum
			return want, ops.SoftmaxBound(weft.F32, 1<<scale, top-in[0](i), want)
		})
	}
	return w
}

func logSoftmaxWork(rows, cols int) work {
	w := softmaxWork(rows, cols)
	w.Op = fmt.Sprintf("log_softmax f32 %dx%d", rows, cols)
	w.run = func(out *weft.Tensor, in []*weft.Tensor) error { return ops.LogSoftmaxInto(out, in[0]) }
	w.check = func(out values, in []values) error {
		return compare(out, rows*cols, func(i int) (want, bound float64) {
			exact := exponentials{}
			top, sum := exact.of(in[0], i/cols*cols, cols)
			want = in[0](i) - top - math.Log(sum)
			return want, ops.LogSoftmaxBound(weft.F32, cols, top-in[0](i), want)
		})
	}
	return w
}

// exponentials remembers the largest element of a run and the sum of exponentials.
type exponentials struct {
	known    bool
	top, sum float64
}

func (e *exponentials) of(x values, start, n int) (top, sum float64) {
	if !e.known {
		e.known, e.top = true, math.Inf(-1)
		for i := range n {
			e.top = max(e.top, x(start+i))
		}
		for i := range n {
			e.sum += math.Exp(x(start+i) - e.top)
		}
	}
	return e.top, e.sum
}
