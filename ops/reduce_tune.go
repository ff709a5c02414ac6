package ops

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tune"
)

var reduceTune = space[reduceTrials]("reduce")

type reduceTrials struct{}

func (reduceTrials) Trial(p kernels.ReduceProblem, r *trialTensors, rule kernels.ReduceSizes) (*tune.Trial[kernels.ReduceSizes], error) {
	shape, count := p.Result()
	x, out := r.filled(p.Elem, p.X), r.result(p.Op.Result(p.Elem), p.Out, shape...)
	run := func(s kernels.ReduceSizes) error {
		cfg, parts := p.Config(s)
		call := reduction{op: p.Op, divisor: float64(x.Len() / max(out.Len(), 1))}
		return call.launch(cfg, parts, []weft.TensorView{view(x)}, view(out))
	}
	value, div := r.valuesOf(x), 1.0
	if p.Op == kernels.ReduceMean {
		div = float64(count)
	}
	folds := map[kernels.ReduceOp]func(a, b float64) float64{kernels.ReduceMax: math.Max, kernels.ReduceMin: math.Min,
		kernels.ReduceSum: add, kernels.ReduceMean: add}
	if fold := folds[p.Op]; fold != nil && (p.Elem.IsFloat() || p.Op != kernels.ReduceMean) {
		r.exactly(count, func(at []int) float64 {
			first, total := true, 0.0
			for line := range linesOf(p.X.Shape(), p.Reduced, at) {
				if v := value(line...); first {
					first, total = false, v
				} else {
					total = fold(total, v)
				}
			}
			return total / div
		})
	}
	sum := bounds.RelativeSum(count) * float64(count) // of numbers up to 1 in magnitude
	if p.Op == kernels.ReduceMean || p.Op == kernels.ReduceVar {
		sum = 4 * bounds.RelativeSum(count)
	}
	return newTrial(r, rule, run, within(p.Op.Result(p.Elem), sum), out)
}

func add(a, b float64) float64 { return a + b }
