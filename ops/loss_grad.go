package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
)

var lossGrads = declare(declaration[lossOptions]{
	inputs: []string{"logits", "targets", "dy", "weights", "lse"}, needed: 2, alike: 1, output: "dlogits", inPlace: true,
	types: anyFloat,
	check: (*lossOptions).checkGrad, launch: (*lossOptions).launchGrad,
})

// CrossEntropyGrad is the gradient of CrossEntropy: of the logits, given that of its result, dy, in a new tensor. dy is of the result's shape and type, or nil for ones, as it is
// where a loss is all that is differentiated. The options are those of CrossEntropy. Given what LogSumExp stored there it reads logits once; otherwise
// it computes that first. Rows whose targets are ignored get zeros, also if none is left for MeanLoss. There is no gradient of targets.
//
// Errors: as for CrossEntropy, and ErrShape for a dy of another shape.
func CrossEntropyGrad(logits, targets, dy *weft.Tensor, options ...LossOption) (*weft.Tensor, error) {
	return newLoss("cross_entropy_grad", options).newGrad(logits, targets, dy)
}

// CrossEntropyGradInto writes the gradient into dlogits, which may be the same view as the logits.
//
// Errors: as for CrossEntropyGrad, and ErrUnsupported if dlogits repeats elements, overlaps another argument, or overlaps the logits
// without being the same view.
func CrossEntropyGradInto(dlogits, logits, targets, dy *weft.Tensor, options ...LossOption) error {
	return newLoss("cross_entropy_grad", options).gradInto(dlogits, logits, targets, dy)
}

// NLLLossGrad is the gradient of NLLLoss: of the logarithms of probabilities, of which it reads nothing but their shape. For the rest see CrossEntropyGrad.
func NLLLossGrad(logs, targets, dy *weft.Tensor, options ...LossOption) (*weft.Tensor, error) {
	return newLoss("nll_loss_grad", options).newGrad(logs, targets, dy)
}

// NLLLossGradInto writes the gradient into dlogs; see CrossEntropyGradInto.
func NLLLossGradInto(dlogs, logs, targets, dy *weft.Tensor, options ...LossOption) error {
	return newLoss("nll_loss_grad", options).gradInto(dlogs, logs, targets, dy)
}

func (c lossCall) newGrad(logits, targets, dy *weft.Tensor) (*weft.Tensor, error) {
	return lossGrads.new(c.lossOptions, logits, targets, dy, c.weights, c.lse)
}

func (c lossCall) gradInto(dlogits, logits, targets, dy *weft.Tensor) error {
	return lossGrads.into(c.lossOptions, dlogits, logits, targets, dy, c.weights, c.lse)
}

func (o *lossOptions) checkGrad(in []*weft.Tensor) ([]int, error) {
	logits, dy := in[0], in[2]
	rows, err := o.checkRows(logits, in[1], in[3], in[4])
	if err != nil || dy == nil {
		return logits.Shape(), err
	}
	if o.mean || o.sum {
		rows = []int{}
	}
	to := operand{"dy", dy}
	if err := checkGiven(o.op, to, operand{"logits", logits}, logits.DType().Accumulator()); err != nil {
		return nil, err
	}
	return logits.Shape(), checkShape(o.op, to, rows)
}

func (o *lossOptions) launchGrad(dlogits *weft.Tensor, in []*weft.Tensor) error {
	logits, targets, dy, weights, lse := in[0], in[1], in[2], in[3], in[4]
	rows, err := o.checkRows(logits, targets, weights, lse)
	if err != nil {
		return err
	}
	made := scratch{}
	defer made.close()
	g := lossGrad{o: o, made: &made, lse: lse, rows: rows}
	if err := g.prepare(logits, targets, weights); err != nil {
		return err
	}
	each := []*weft.Tensor{g.lse, g.mass}
	if dy != nil && !o.mean && !o.sum {
		each = append(each, dy)
	}
	l, err := o.merged(logits, targets, weights, dlogits, each...)
	if err != nil {
		return err
	}
	defer l.close()
	p := kernels.LossGradProblem{LossTerms: l.terms, Elem: logits.DType(), X: viewOf(l.out.Layout), Row: l.row}
	p.From = viewOf(l.x.Layout).Unlike(p.X)
	cfg := p.Config(pick(lossGradTune, logits.Device(), p))
	var more []weft.TensorView
	for _, t := range []*weft.Tensor{g.lse, g.mass} {
		if t != nil {
			more = append(more, l.rows[t])
		}
	}
	switch {
	case dy == nil:
	case o.mean || o.sum:
		cfg.DY, more = kernels.SeedAll, append(more, l.single(dy))
	default:
		cfg.DY, more = kernels.SeedEach, append(more, l.rows[dy])
	}
	scale := 1.0
	if cfg.Counted = g.counted != nil; cfg.Counted {
		more = append(more, l.single(g.counted))
	} else if cfg.Scaled = o.mean; cfg.Scaled {
		scale = float64(l.classes) / float64(logits.Len())
	}
	if l.err != nil {
		return l.err
	}
	return launchLossGrad(l, cfg, scale, more)
}

// launchLossGrad launches the kernel of a gradient. What it reads besides the inputs of a loss is given.
func launchLossGrad(l *lossRows, cfg kernels.LossGradConfig, scale float64, more []weft.TensorView) error {
	views := append(l.inputs(cfg.Inputs()), more...)
	return kernels.LossGrad.LaunchViews(cfg, cfg.Scalars(l.o.smoothing, l.classes, l.o.ignore, scale), append(views, l.out)...)
}

// lossGrad is what a gradient needs of rows, which is computed first as far as it is not given.
type lossGrad struct {
	o         *lossOptions
	made      *scratch
	rows      []int
	lse, mass *weft.Tensor // of each row; nil for what is not needed
	counted   *weft.Tensor // a scalar: what all rows count; nil if that is not needed
}

func (g *lossGrad) prepare(logits, targets, weights *weft.Tensor) error {
	var r lossResults
	of := logits.DType().Accumulator()
	empty := func(shape ...int) *weft.Tensor { return g.made.keep(weft.Empty(logits.Device(), of, shape...)) }
	soft := targets.DType().IsFloat()
	if g.lse == nil && !g.o.logs() {
		r.lse = empty(g.rows...)
		g.lse = r.lse
	}
	if soft && !g.o.logs() {
		r.mass = empty(g.rows...)
		g.mass = r.mass
	}
	if g.o.mean && !soft {
		r.counted = empty(g.rows...)
		g.counted = empty()
	}
	if g.made.err != nil || r == (lossResults{}) {
		return g.made.err
	}
	if err := g.o.launchRows(logits, targets, weights, r); err != nil || r.counted == nil {
		return err
	}
	return SumInto(g.counted, r.counted)
}
