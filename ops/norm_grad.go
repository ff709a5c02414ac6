package ops

import (
	"cmp"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

var normGradInputs = []string{"x", "dy", "weight"}

var normGrads = declare(declaration[normOptions]{
	inputs: normGradInputs, needed: 2, output: "dx", more: []string{"dweight", "dbias"}, inPlace: true, evenEmpty: true,
	types: func(_ normOptions, t weft.DType) bool { return t.IsFloat() },
	check: (*normOptions).checkGrad, launch: (*normOptions).launchGrad,
})

// LayerNormGrad is the gradient of LayerNorm, given that of its result, dy: dx, that of x, in new tensors with those of weight and bias, which are
// the sums of dy times the normalised x and of dy over all rows. weight may be nil, and dweight and dbias are nil then. The options are those of LayerNorm
// but for Residual, of whose two terms dx is the gradient. Mean and variance are computed from x again, which is not read more often for that. All sums are in F32, of F64 in F64,
// in an order that is the same in every run.
//
// Errors: as for LayerNorm, and ErrShape for a dy that has not x's shape.
func LayerNormGrad(x, dy, weight *weft.Tensor, options ...NormOption) (dx, dweight, dbias *weft.Tensor, err error) {
	grads, err := newGrads(normGrads, newNorm("layernorm_grad", options).normOptions, 2, x, dy, weight)
	return grads[0], grads[1], grads[2], err
}

// LayerNormGradInto writes the gradients into dx, which may be the same view as x, and into dweight and dbias, each of which may be nil.
//
// Errors: as for LayerNormGrad, and ErrUnsupported if a result repeats elements, overlaps another argument, or
// overlaps x without being the same view.
func LayerNormGradInto(dx, dweight, dbias, x, dy, weight *weft.Tensor, options ...NormOption) error {
	return newNorm("layernorm_grad", options).gradsInto(dx, dweight, dbias, x, dy, weight)
}

// RMSNormGrad is the gradient of RMSNorm; see LayerNormGrad.
func RMSNormGrad(x, dy, weight *weft.Tensor, options ...NormOption) (dx, dweight *weft.Tensor, err error) {
	grads, err := newGrads(normGrads, newNorm("rmsnorm_grad", options).normOptions, 1, x, dy, weight)
	return grads[0], grads[1], err
}

// RMSNormGradInto writes the gradients into dx, which may be the same view as x, and into dweight, which may be nil.
//
// Errors: as for LayerNormGradInto.
func RMSNormGradInto(dx, dweight, x, dy, weight *weft.Tensor, options ...NormOption) error {
	return newNorm("rmsnorm_grad", options).gradsInto(dx, dweight, nil, x, dy, weight)
}

// newGrads are new gradients: of x, and of so many of weight and bias if there is a weight.
func newGrads(d *declaration[normOptions], n normOptions, further int, x, dy, weight *weft.Tensor) (grads [3]*weft.Tensor, err error) {
	checked := n
	if _, err := d.checkInputs(&checked, []*weft.Tensor{x, dy, weight, nil, nil}); err != nil {
		return grads, err
	}
	made := scratch{}
	grads[0] = made.keep(newResult(n.op, "dx", x.Device(), x.DType(), x.Shape()...))
	for i, name := range d.more[:further] {
		if weight != nil && made.err == nil {
			grads[1+i] = made.keep(newResult(n.op, name, x.Device(), x.DType(), weight.Shape()...))
		}
	}
	if made.err == nil {
		made.err = d.into(n, grads[0], x, dy, weight, grads[1], grads[2])
	}
	if made.err != nil {
		made.close()
		return [3]*weft.Tensor{}, made.err
	}
	return grads, nil
}

func (n normCall) gradsInto(dx, dweight, dbias, x, dy, weight *weft.Tensor) error {
	return normGrads.into(n.normOptions, dx, x, dy, weight, dweight, dbias)
}

func (n *normOptions) checkGrad(in []*weft.Tensor) ([]int, error) {
	x := in[0]
	if n.hasResidual {
		return nil, fault.New(weft.ErrUnsupported, n.op, "Residual is no option of gradients").For("options")
	}
	row, err := n.checkRow(x)
	if err != nil {
		return nil, err
	}
	return n.checkGradOperands(in, func(o operand) error { return checkRowShape(n.op, o, row) })
}

// checkGradOperands checks what a gradient takes in addition to x; fits checks the shape of a weight, or of a gradient of a weight or a bias.
func (n *normOptions) checkGradOperands(in []*weft.Tensor, fits func(operand) error) ([]int, error) {
	x := in[0]
	if err := checkShape(n.op, operand{"dy", in[1]}, x.Shape()); err != nil {
		return nil, err
	}
	for i, name := range []string{"weight", "dweight", "dbias"} {
		o := operand{name, in[2+i]}
		if o.tensor == nil {
			continue
		}
		if err := cmp.Or(checkGiven(n.op, o, operand{"x", x}, x.DType()), fits(o)); err != nil {
			return nil, err
		}
	}
	return x.Shape(), nil
}

func (n *normOptions) launchGrad(dx *weft.Tensor, in []*weft.Tensor) error {
	x, dy, weight, sums := in[0], in[1], in[2], in[3:5]
	if x.Len() == 0 {
		return fillAll(sums, 0)
	}
	row, err := n.row(x)
	if err != nil {
		return err
	}
	call := normGradCall{op: kernels.GradMoments, epsilon: n.epsilon, dweight: sums[0], dbias: sums[1]}
	if n.op == "rmsnorm_grad" {
		call.op = kernels.GradRMS
	}
	m := normMerge{op: n.op, row: row, along: row, apart: call.summed(),
		list: []normOperand{{operand{"x", x}, false}, {operand{"dy", dy}, false}, {operand{"dx", dx}, false}}}
	return call.launch(m, weight)
}

// fillAll fills those tensors that are there.
func fillAll(tensors []*weft.Tensor, x any) error {
	for _, t := range tensors {
		if t != nil {
			if err := t.Fill(x); err != nil {
				return err
			}
		}
	}
	return nil
}

// normGradCall is a gradient of a normalisation, and what is wanted next to that of x.
type normGradCall struct {
	op             kernels.RowGradOp
	epsilon        float64
	dweight, dbias *weft.Tensor // nil for none
}

// summed reports whether gradients of weights or biases are wanted.
func (c *normGradCall) summed() bool { return c.dweight != nil || c.dbias != nil }

// launch starts the kernels. The operands are x, dy and dx.
func (c *normGradCall) launch(m normMerge, weight *weft.Tensor) error {
	for _, o := range []operand{{"weight", weight}, {"dweight", c.dweight}, {"dbias", c.dbias}} {
		if o.tensor != nil {
			m.list = append(m.list, normOperand{o, true})
		}
	}
	merged, err := m.merge(m.list[2].tensor.Layout())
	if err != nil {
		return err
	}
	x := m.list[0].tensor
	p := kernels.RowGradProblem{Op: c.op, Elem: x.DType(), X: viewOf(merged.views[2].Layout), Row: merged.row, Along: merged.along, Sums: c.summed()}
	p.From, p.DY = viewOf(merged.views[0].Layout).Unlike(p.X), viewOf(merged.views[1].Layout).Unlike(p.X)
	r := normGradRun{call: c, plan: p.Plan(pick(rowGradTune, x.Device(), p)), shape: merged.shape, row: merged.row, views: merged.views[:3]}
	rest := merged.views[3:]
	if weight != nil {
		r.weight, rest = rest[:1], rest[1:]
	}
	r.sums = rest
	return r.run()
}

// normGradRun are the launches of a gradient.
type normGradRun struct {
	scratch
	call   *normGradCall
	plan   kernels.RowGradPlan
	shape  []int
	row    [kernels.MaxRank]bool
	views  []weft.TensorView // x, dy, dx
	weight []weft.TensorView
	sums   []weft.TensorView // dweight and dbias, as far as they are wanted
}

func (r *normGradRun) run() error {
	defer r.close()
	cfg := &r.plan.Config
	cfg.Weight = len(r.weight) > 0
	cfg.Bias = r.call.dbias != nil
	more := r.beside()
	x := r.views[0]
	if cfg.Sums == kernels.SumsApart && x.Tensor.Overlaps(r.views[2].Tensor) { // the sums need x after dx has taken its place
		if r.views[0] = r.copied(x); r.err != nil {
			return r.err
		}
	}
	if r.err != nil {
		return r.err
	}
	if err := launchRowGrad(r.plan, kernels.RealScalars(cfg.Rows.Elem, r.call.epsilon), []weft.TensorView{x, r.views[1]}, r.weight, more, r.views[2]); err != nil {
		return err
	}
	if cfg.Sums == kernels.NoSums {
		return nil
	}
	return r.addUp(more)
}

// empty is a dense tensor of sums.
func (r *normGradRun) empty(shape []int) weft.TensorView {
	t := r.keep(weft.Empty(r.views[0].Tensor.Device(), r.views[0].Tensor.DType().Accumulator(), shape...))
	if r.err != nil {
		return weft.TensorView{}
	}
	return ownView(t)
}

// copied is a copy of a view.
func (r *normGradRun) copied(v weft.TensorView) weft.TensorView {
	t := r.keep(weft.Empty(v.Tensor.Device(), v.Tensor.DType(), v.Layout.Shape()...))
	if from := r.keep(v.Tensor.AsStrided(v.Layout)); r.err == nil {
		if r.err = t.CopyFrom(from); r.err == nil {
			return ownView(t)
		}
	}
	return v
}

// beside is what the gradient's kernel writes next to it.
func (r *normGradRun) beside() (list []weft.TensorView) {
	cfg := r.plan.Config
	shape, n := slices.Clone(r.shape), 1
	for d := range shape {
		if r.row[d] {
			shape[d] = 1
		}
	}
	switch {
	case cfg.Sums == kernels.NoSums:
		return nil
	case cfg.Sums == kernels.SumsFolded:
		shape = r.plan.FoldShape(r.shape)
	}
	if cfg.Sums == kernels.SumsApart && cfg.Op == kernels.GradMoments || cfg.Sums != kernels.SumsApart && cfg.Bias {
		n = 2
	}
	for range n {
		list = append(list, r.empty(shape))
	}
	return list
}

// addUp adds up gradients of weights, of what the gradient's kernel wrote.
func (r *normGradRun) addUp(parts []weft.TensorView) error {
	cfg, dev := r.plan.Config, r.views[0].Tensor.Device()
	elem := cfg.Rows.Elem
	configFor := func(pass kernels.ReducePass, shape []int) (kernels.NormSumsConfig, int) {
		c, n := kernels.NormSumsConfigFor(dev.Caps(), elem, pass, shape, cfg.Along, r.row)
		c.RMS, c.Bias = cfg.Op == kernels.GradRMS, cfg.Bias
		return c, n
	}
	if cfg.Sums == kernels.SumsApart {
		first, n := configFor(kernels.ReduceParts, r.shape)
		shape := slices.Clone(r.shape)
		for d := range shape {
			if first.Rows.Reduced[d] {
				shape[d] = 1
			}
		}
		shape[first.Rows.Split] = n
		states := []weft.TensorView{r.empty(shape)}
		if cfg.Bias {
			states = append(states, r.empty(shape))
		}
		if r.err != nil {
			return r.err
		}
		if err := kernels.NormSums.LaunchViews(first, nil, slices.Concat(r.views[:2], parts, states)...); err != nil {
			return err
		}
		parts = states
	}
	last, _ := configFor(kernels.ReduceCombine, parts[0].Layout.Shape())
	to := r.sums
	if r.call.dweight == nil { // which the sums come with
		t := r.keep(weft.Empty(dev, elem, r.sums[0].Layout.Shape()...))
		if r.err != nil {
			return r.err
		}
		to = []weft.TensorView{ownView(t), r.sums[0]}
	}
	return kernels.NormSums.LaunchViews(last, nil, slices.Concat(parts, to)...)
}

// launchRowGrad starts the kernels of the gradients of rows. The inputs are x and dy; more is what the last kernel writes next to out.
func launchRowGrad(p kernels.RowGradPlan, scalars weft.Scalars, inputs, weight, more []weft.TensorView, out weft.TensorView) error {
	cfg := p.Config
	if p.Parts == 1 {
		return kernels.RowGrad.LaunchViews(cfg, scalars, slices.Concat(inputs, weight, more, []weft.TensorView{out})...)
	}
	made := scratch{}
	defer made.close()
	shape := out.Layout.Shape()
	for d := range shape {
		if cfg.Rows.Reduced[d] {
			shape[d] = 1
		}
	}
	shape[cfg.Rows.Split] = p.Parts
	var states []weft.TensorView
	for _, elem := range cfg.States() {
		t := made.keep(weft.Empty(out.Tensor.Device(), elem, shape...))
		if made.err != nil {
			return made.err
		}
		states = append(states, ownView(t))
	}
	first := cfg
	first.Sums, first.Bias, first.Parts, first.Scaled = kernels.NoSums, false, 0, kernels.Unscaled // which it has no part in
	within := weight
	if len(weight) > 0 && !cfg.WithinRows() {
		within, first.Weight = nil, false
	}
	if err := kernels.RowGradParts.LaunchViews(first, nil, slices.Concat(inputs, within, states)...); err != nil {
		return err
	}
	return kernels.RowGradSpread.LaunchViews(cfg, scalars, slices.Concat(inputs, weight, states, more, []weft.TensorView{out})...)
}
