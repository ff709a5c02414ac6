package ops

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tune"
)

var (
	lossTune     = space[lossTrials]("cross_entropy")
	lossGradTune = space[lossGradTrials]("cross_entropy_grad")
)

type (
	lossTrials     struct{}
	lossGradTrials struct{}
)

// trialSmoothing is the smoothing of trials that have one.
const trialSmoothing = 0.1

// trialLoss is a loss of tensors of a trial: of logits from -1 to 1, or of logarithms.
func (r *trialTensors) trialLoss(terms kernels.LossTerms, elem weft.DType, x tune.View, row [kernels.MaxRank]bool) *lossRows {
	o := newLoss("cross_entropy", nil).lossOptions
	if terms.Log {
		o.op = "nll_loss"
	}
	if terms.Smoothed {
		o.smoothing = trialSmoothing
	}
	l := &lossRows{o: &o, terms: terms, row: row, rows: map[*weft.Tensor]weft.TensorView{}}
	l.x = view(r.filled(elem, x))
	class := l.class()
	l.classes = x.Size[class]
	if terms.Index.Valid() {
		l.terms.Index = weft.I32 // as all read them
		l.targets = view(r.indices(l.classes, perRow(x, class)...))
	} else {
		l.targets = view(r.filled(elem, x))
	}
	if r.err != nil || !terms.Weights {
		return l
	}
	weights := r.filled(elem.Accumulator(), kernels.VectorView(l.classes))
	if r.err == nil {
		r.err = l.seeWeights(weights)
		r.tensors = append(r.tensors, l.tensors...)
	}
	return l
}

// perRow is the shape of a number for each row.
func perRow(x tune.View, class int) []int {
	shape := x.Shape()
	shape[class] = 1
	return shape
}

// Trial races sizes by all that is stored of rows.
func (lossTrials) Trial(p kernels.LossProblem, r *trialTensors, rule kernels.ReduceSizes) (*tune.Trial[kernels.ReduceSizes], error) {
	l := r.trialLoss(p.LossTerms, p.Elem, p.X, p.Row)
	p.Index = l.terms.Index
	var outs []*weft.Tensor
	var to []weft.TensorView
	for _, stored := range []bool{p.Loss, p.LogSum, p.Counted, p.Mass} {
		if stored {
			outs = append(outs, r.dense(p.Elem.Accumulator(), perRow(p.X, l.class())...))
			to = append(to, view(outs[len(outs)-1]))
		}
	}
	run := func(s kernels.ReduceSizes) error { return l.launch(p.Plan(s), to) }
	if p.Loss || p.LogSum {
		r.exactly(l.classes, r.lossOf(l, p.Loss))
	}
	return newTrial(r, rule, run, within(p.Elem.Accumulator(), bounds.CrossEntropy(p.Elem, l.classes, l.mass(), 2)), outs...)
}

// mass is at least what the classes of a row have of a target together.
func (l *lossRows) mass() float64 {
	if l.terms.Index.Valid() {
		return 2
	}
	return 2 * float64(l.classes)
}

// lossOf is the loss of a row, or the logarithm of the sum of its exponentials, by the host.
func (r *trialTensors) lossOf(l *lossRows, loss bool) func(at []int) float64 {
	x, targets := r.valuesOf(l.x.Tensor), r.valuesOf(l.targets.Tensor)
	weight := func(int) float64 { return 1 }
	if l.terms.Weights {
		of := r.valuesOf(l.weights.Tensor)
		weight = func(c int) float64 { return of(c) }
	}
	class := l.class()
	return func(at []int) float64 {
		line, sum := slices.Clone(at), 0.0
		for c := range l.classes {
			line[class] = c
			sum += math.Exp(x(line...))
		}
		log := math.Log(sum)
		if !loss {
			return log
		}
		if l.terms.Log {
			log = 0
		}
		total := 0.0
		for c := range l.classes {
			line[class] = c
			share := 0.0
			if !l.terms.Index.Valid() {
				share = targets(line...)
			} else if int(targets(at...)) == c {
				share = 1
			}
			if l.terms.Smoothed {
				share = (1-trialSmoothing)*share + trialSmoothing/float64(l.classes)
			}
			total += weight(c) * share * (log - x(line...))
		}
		return total
	}
}

// Trial races sizes with a gradient for each row, whose logarithms of sums and sums of targets are not those of the logits.
func (lossGradTrials) Trial(p kernels.LossGradProblem, r *trialTensors, rule kernels.LossGradSizes) (*tune.Trial[kernels.LossGradSizes], error) {
	l := r.trialLoss(p.LossTerms, p.Elem, p.X.With(p.From), p.Row)
	p.Index = l.terms.Index
	out := r.empty(p.Elem, p.X)
	l.out = view(out)
	rows := tune.View{Rank: p.X.Rank, Unit: true, Align: 1}
	for d, n := range perRow(p.X, l.class()) {
		rows.Size[d], rows.Order[d] = n, int8(d)
	}
	var more []weft.TensorView
	each := func(there bool) {
		if there {
			more = append(more, view(r.filled(p.Elem.Accumulator(), rows)))
		}
	}
	each(!p.Log)
	each(!p.Log && !p.Index.Valid())
	each(true)
	run := func(s kernels.LossGradSizes) error {
		cfg := p.Config(s)
		cfg.DY = kernels.SeedEach
		return launchLossGrad(l, cfg, 1, more)
	}
	return newTrial(r, rule, run, within(p.Elem, bounds.CrossEntropyGrad(p.Elem, l.classes, 0, 8*max(l.mass(), 1), 1, 2)), out)
}
