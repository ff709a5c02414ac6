package ops

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// lossRows are the tensors of a loss as kernels see them.
type lossRows struct {
	scratch
	o                               *lossOptions
	terms                           kernels.LossTerms
	x, targets, weights, total, out weft.TensorView
	rows                            map[*weft.Tensor]weft.TensorView // those with a number for each row
	row                             [kernels.MaxRank]bool
	classes                         int
}

// merged brings the tensors of a loss into the fewest dimensions, in the order of memory of out, or of the logits if that is nil. The last ones have a number for each row; some may be
// nil. What is returned is to be closed.
func (o *lossOptions) merged(logits, targets, weights, out *weft.Tensor, each ...*weft.Tensor) (*lossRows, error) {
	axis, err := o.axis(operand{"logits", logits})
	if err != nil {
		return nil, err
	}
	row, along := make([]bool, logits.Rank()), make([]bool, logits.Rank())
	for d := range row {
		row[d], along[d] = d == axis, d != axis
	}
	m := normMerge{op: o.op, row: row, along: along, list: []normOperand{{operand{"logits", logits}, false}, {operand{"targets", targets}, !targets.DType().IsFloat()}}}
	order := logits
	if out != nil {
		order = out
		m.list = append(m.list, normOperand{operand{"dlogits", out}, false})
	}
	for _, t := range each {
		if t != nil {
			m.list = append(m.list, normOperand{operand{"rows", t}, true})
		}
	}
	merged, err := m.merge(order.Layout())
	if err != nil {
		return nil, err
	}
	l := &lossRows{o: o, x: merged.views[0], row: merged.row, classes: logits.Dim(axis), rows: map[*weft.Tensor]weft.TensorView{},
		terms: kernels.LossTerms{Log: o.logs(), Smoothed: o.smoothing > 0, Weights: weights != nil}}
	if l.targets = merged.views[1]; !targets.DType().IsFloat() {
		l.terms.Index = targets.DType()
		if err := l.seeIndices(); err != nil {
			return nil, err
		}
	}
	for i, v := range merged.views[2:] {
		if i == 0 && out != nil {
			l.out = v
		} else {
			l.rows[v.Tensor] = v
		}
	}
	if err := l.seeWeights(weights); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

func (l *lossRows) class() int { return slices.Index(l.row[:], true) }

// seeIndices sees indices of 64 bits as two words each, along the dimension of the classes.
func (l *lossRows) seeIndices() (err error) {
	if l.terms.Index != weft.I64 {
		return nil
	}
	of := l.targets.Layout
	shape, strides := of.Shape(), of.Strides()
	for d := range strides {
		strides[d] *= 2
	}
	shape[l.class()], strides[l.class()] = 2, 1
	l.targets.Elem = weft.U32
	l.targets.Layout, err = layout.Strided(shape, strides, 2*of.Offset())
	return err
}

// seeWeights makes views of the weights of classes and, where it counts, of their sum.
func (l *lossRows) seeWeights(weights *weft.Tensor) (err error) {
	if weights == nil {
		return nil
	}
	l.weights.Tensor = weights
	if l.weights.Layout, err = l.along(weights.Layout()); err != nil || !l.terms.Total() || l.terms.Log {
		return err
	}
	total := l.keep(weft.Empty(weights.Device(), weights.DType()))
	if l.err == nil {
		l.err = SumInto(total, weights)
	}
	l.total = l.single(total)
	return l.err
}

// along is a vector's layout along the dimension of the classes.
func (l *lossRows) along(v layout.Layout) (layout.Layout, error) {
	rank := l.x.Layout.Rank()
	shape, strides := slices.Repeat([]int{1}, rank), make([]int, rank)
	shape[l.class()], strides[l.class()] = v.Size(0), v.Stride(0)
	return layout.Strided(shape, strides, v.Offset())
}

// single is a view of a scalar; nothing after an error.
func (l *lossRows) single(t *weft.Tensor) weft.TensorView {
	if l.err != nil {
		return weft.TensorView{}
	}
	rank := l.x.Layout.Rank()
	v := weft.TensorView{Tensor: t}
	v.Layout, l.err = layout.Strided(slices.Repeat([]int{1}, rank), make([]int, rank), t.Layout().Offset())
	return v
}

// lossResults are what the kernel of losses stores of rows; nil for what it does not.
type lossResults struct{ loss, lse, counted, mass *weft.Tensor }

func (r lossResults) list() []*weft.Tensor {
	return []*weft.Tensor{r.loss, r.lse, r.counted, r.mass}
}

// run launches the kernel of losses.
func (l *lossRows) run(r lossResults) error {
	if l.err != nil {
		return l.err
	}
	x := l.x.Tensor
	p := kernels.LossProblem{LossTerms: l.terms, Elem: x.DType(), X: viewOf(l.x.Layout), Row: l.row,
		Loss: r.loss != nil, LogSum: r.lse != nil, Counted: r.counted != nil, Mass: r.mass != nil}
	var to []weft.TensorView
	for _, t := range r.list() {
		if t != nil {
			to = append(to, l.rows[t])
		}
	}
	return l.launch(p.Plan(pick(lossTune, x.Device(), p)), to)
}

// launch launches a plan.
func (l *lossRows) launch(p kernels.LossPlan, to []weft.TensorView) error {
	cfg := p.Config
	run := func(cfg kernels.LossConfig, from, to []weft.TensorView) error {
		return kernels.Loss.LaunchViews(cfg, cfg.Scalars(l.o.smoothing, l.classes, l.o.ignore), slices.Concat(from, l.inputs(cfg.Inputs()), to)...)
	}
	if p.Parts == 1 {
		return run(cfg, nil, to)
	}
	states, err := kernels.ReduceStates(cfg.Rows, to[0].Layout.Shape(), p.Parts)
	if err != nil {
		return err
	}
	made := scratch{}
	defer made.close()
	var parts []weft.TensorView
	for _, elem := range cfg.States() {
		t := made.keep(weft.Empty(to[0].Tensor.Device(), elem, states.Len()))
		parts = append(parts, weft.TensorView{Tensor: t, Layout: states})
	}
	if made.err != nil {
		return made.err
	}
	if err := run(cfg, nil, parts); err != nil {
		return err
	}
	return run(p.Combine(to[0].Tensor.Device().Caps()), parts, to)
}

// inputs are the views that a kernel has.
func (l *lossRows) inputs(in kernels.LossInputs) (list []weft.TensorView) {
	for _, v := range []struct {
		there bool
		view  weft.TensorView
	}{{in.X, l.x}, {in.Targets, l.targets}, {in.Weights, l.weights}, {in.Total, l.total}} {
		if v.there {
			list = append(list, v.view)
		}
	}
	return list
}

func (o *lossOptions) launch(out *weft.Tensor, in []*weft.Tensor) error {
	logits, targets, weights, lse := in[0], in[1], in[2], in[3]
	rows, err := o.checkRows(logits, targets, weights, lse)
	if err != nil {
		return err
	}
	reduced := o.mean || o.sum
	if logits.Len() == 0 {
		return o.ofNothing(out)
	}
	if !reduced {
		return o.launchRows(logits, targets, weights, lossResults{loss: out, lse: lse})
	}
	made := scratch{}
	defer made.close()
	r := lossResults{lse: lse}
	parts := 1
	if o.mean && !targets.DType().IsFloat() {
		parts = 2
	}
	each := made.keep(weft.Empty(out.Device(), out.DType(), append([]int{parts}, rows...)...)) // losses, and what they count
	if made.err != nil {
		return made.err
	}
	r.loss = made.keep(each.Select(0, 0))
	if parts > 1 {
		r.counted = made.keep(each.Select(0, 1))
	}
	if made.err != nil {
		return made.err
	}
	if err := o.launchRows(logits, targets, weights, r); err != nil {
		return err
	}
	switch {
	case o.sum:
		return SumInto(out, r.loss)
	case parts == 1:
		return MeanInto(out, r.loss)
	}
	flat := made.keep(each.Reshape(parts, r.loss.Len()))
	sums := made.keep(weft.Empty(out.Device(), out.DType(), parts))
	if made.err != nil {
		return made.err
	}
	if err := SumInto(sums, flat, Axis(1)); err != nil {
		return err
	}
	loss, count := made.keep(sums.Select(0, 0)), made.keep(sums.Select(0, 1))
	if made.err != nil {
		return made.err
	}
	return lossMeanMap.Into(out, loss, count)
}

// lossMeanMap divides the sum of losses by what they count, and gives NaN where they count nothing.
var lossMeanMap = weft.NewMap("loss_mean", []string{"sum", "count"}, func(in []*tile.Value) *tile.Value {
	return in[0].Builder().Where(in[1].Eq(0), math.NaN(), in[0].Div(in[1]))
})

// ofNothing is what there is of no rows: their sum, or their mean.
func (o *lossOptions) ofNothing(out *weft.Tensor) error {
	switch {
	case o.mean:
		return out.Fill(math.NaN())
	case o.sum:
		return out.Fill(0)
	}
	return nil
}

// launchRows launches the kernel of losses on tensors.
func (o *lossOptions) launchRows(logits, targets, weights *weft.Tensor, r lossResults) error {
	l, err := o.merged(logits, targets, weights, nil, r.list()...)
	if err != nil {
		return err
	}
	defer l.close()
	return l.run(r)
}
