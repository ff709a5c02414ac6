package ops

import (
	"math"
	"slices"

	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tune"
)

var scanTune = space[scanTrials]("scan")

type scanTrials struct{}

// Trial has neither option: they change little of the time.
func (scanTrials) Trial(p kernels.ScanProblem, r *trialTensors, rule kernels.ScanSizes) (*tune.Trial[kernels.ScanSizes], error) {
	elem := p.Op.Result(p.Elem)
	x, out := r.filled(p.Elem, p.Rows.With(p.X)), r.empty(elem, p.Rows)
	length, _ := p.Lines()
	call := newScan("scan", p.Op, 0, nil)
	run := func(s kernels.ScanSizes) error { return call.launchPlan(p.Plan(s), view(x), view(out)) }
	axis, value := p.Axis(), r.valuesOf(x)
	fold := map[kernels.ReduceOp]func(a, b float64) float64{kernels.ReduceSum: add, kernels.ReduceMax: math.Max, kernels.ReduceMin: math.Min}[p.Op]
	if fold != nil {
		r.exactly(length, func(at []int) float64 {
			place := slices.Clone(at)
			place[axis] = 0
			total := value(place...)
			for i := 1; i <= at[axis]; i++ {
				place[axis] = i
				total = fold(total, value(place...))
			}
			return total
		})
	}
	return newTrial(r, rule, run, within(elem, bounds.RelativeSum(length)*float64(length)), out) // of numbers up to 1 in magnitude
}
