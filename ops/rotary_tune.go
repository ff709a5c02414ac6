package ops

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tune"
)

var rotaryTune = space[rotaryTrials]("rotary")

type rotaryTrials struct{}

func (rotaryTrials) Trial(p kernels.RotaryProblem, r *trialTensors, rule kernels.RotarySizes) (*tune.Trial[kernels.RotarySizes], error) {
	x, out := r.filled(p.Elem, p.X), r.empty(p.Elem, p.X.With(p.Out))
	o := newRotary(nil).rotaryOptions
	o.dims = 2 * p.Pairs()
	cos, sin := func(at, i int) float64 { return math.Cos(o.angle(at, i)) }, func(at, i int) float64 { return math.Sin(o.angle(at, i)) }
	views := []weft.TensorView{view(x)}
	if p.Tables {
		shape := kernels.MatrixView(p.X.Size[2], p.Pairs(), 1)
		for _, f := range []*func(at, i int) float64{&cos, &sin} {
			t := r.filled(weft.F32, shape)
			value := r.valuesOf(t)
			*f = func(at, i int) float64 { return value(at, i) }
			views = append(views, view(t))
		}
	}
	views = append(views, view(out))
	run := func(s kernels.RotarySizes) error {
		cfg := p.Config(s)
		return kernels.Rotary.LaunchViews(cfg, o.scalars(cfg), views...)
	}
	value, pair, side := r.valuesOf(x), 4, 3
	if p.Interleaved {
		pair, side = 3, 4
	}
	r.exactly(2, func(at []int) float64 {
		of := func(i int) float64 {
			at[side] = i
			return value(at...)
		}
		which := at[side]
		first, second := of(0), of(1)
		c, s := cos(at[2], at[pair]), sin(at[2], at[pair])
		if which == 0 {
			return first*c - second*s
		}
		return second*c + first*s
	})
	return newTrial(r, rule, run, within(p.Elem, bounds.Rotary(weft.F32, 2, 1, 1)), out)
}

// angle is how far pair i of a row at a position is turned.
func (o *rotaryOptions) angle(at, i int) float64 {
	return float64(at) * math.Pow(o.base, -2*float64(i)/float64(o.dims))
}
