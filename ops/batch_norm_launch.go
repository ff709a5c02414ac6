package ops

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// batchRun are the launches of a batch normalisation or of its gradient.
type batchRun struct {
	scratch
	problem           kernels.BatchNormProblem
	epsilon, momentum float64

	weight, bias   *weft.Tensor // nil for none
	mean, variance *weft.Tensor
	running        [2]*weft.Tensor // nil for none
	dweight, dbias *weft.Tensor

	views batchViews                 // as kernels see them that write the result
	byX   func() (batchViews, error) // as those do that only read x
}

// batchViews are x, dy of a gradient, and the result, in merged dimensions, of which some make up a channel. One other at most has several elements.
type batchViews struct {
	like []weft.TensorView
	row  [kernels.MaxRank]bool
}

// runBatch makes the call of tensors in the shape of x, which are x, dy of a gradient, and the result.
func (n *normOptions) runBatch(r *batchRun, p kernels.BatchNormProblem, like ...*weft.Tensor) (err error) {
	defer r.close()
	x, out := like[0], like[len(like)-1]
	if r.views, err = n.channelViews(out.Layout(), like...); err != nil {
		return err
	}
	r.byX = func() (batchViews, error) { return n.channelViews(x.Layout(), like[:len(like)-1]...) }
	r.epsilon, r.momentum = n.epsilon, n.momentum
	views := r.views.like
	p.Elem, p.X, p.Row = x.DType(), viewOf(views[len(views)-1].Layout), r.views.row
	if p.From = viewOf(views[0].Layout).Unlike(p.X); p.Grad {
		p.DY = viewOf(views[1].Layout).Unlike(p.X)
	}
	r.problem = p
	return r.run(pick(batchNormTune, x.Device(), p))
}

// channelViews merges dimensions of tensors in the shape of x, in the order of memory of a layout.
func (n *normOptions) channelViews(order layout.Layout, like ...*weft.Tensor) (batchViews, error) {
	dim := n.dimension(like[0])
	m := normMerge{op: n.op, row: make([]bool, order.Rank()), along: make([]bool, order.Rank())}
	for d := range m.row {
		m.row[d], m.along[d] = d != dim, d == dim
	}
	for _, t := range like {
		m.list = append(m.list, normOperand{operand{"x", t}, false})
	}
	merged, err := m.merge(order)
	return batchViews{merged.views, merged.row}, err
}

// channel is the dimension of the channels, and their number; -1 if there is one.
func (v batchViews) channel() (dim, n int) {
	for d, size := range v.like[0].Layout.Shape() {
		if !v.row[d] && size > 1 {
			return d, size
		}
	}
	return -1, 1
}

// each are tensors with an element for each channel, those that are nil left out.
func (v batchViews) each(tensors ...*weft.Tensor) (list []weft.TensorView, err error) {
	dim, _ := v.channel()
	for _, t := range tensors {
		if t == nil {
			continue
		}
		shape, strides := make([]int, v.like[0].Layout.Rank()), make([]int, v.like[0].Layout.Rank())
		for d := range shape {
			if shape[d] = 1; d == dim {
				shape[d], strides[d] = t.Len(), t.Layout().Stride(max(slices.Index(t.Shape(), t.Len()), 0))
			}
		}
		l, err := layout.Strided(shape, strides, t.Layout().Offset())
		if err != nil {
			return nil, err
		}
		list = append(list, weft.TensorView{Tensor: t, Layout: l})
	}
	return list, nil
}

// run launches the kernels by sizes.
func (r *batchRun) run(s kernels.BatchNormSizes) error {
	cfg := r.problem.Config(s)
	cfg.Weight, cfg.Bias = r.weight != nil, r.bias != nil
	sums := r.problem.Elem.Accumulator()
	switch {
	case r.problem.Given:
		return r.apply(cfg)
	case r.problem.Grad && s.Apart:
		return r.gradientOfSums(cfg)
	case r.problem.Grad:
		r.dweight, r.dbias = r.orNew(r.dweight, r.problem.Elem), r.orNew(r.dbias, r.problem.Elem)
		scalars := slices.Concat(kernels.RealScalars(sums, r.epsilon), r.share())
		return r.launch(kernels.BatchGrad, cfg, scalars, r.views.inputs(), r.mean, r.variance, r.weight, r.dweight, r.dbias)
	}
	r.mean, r.variance = r.orNew(r.mean, sums), r.orNew(r.variance, sums)
	if s.Apart {
		if err := r.statistics(); err != nil {
			return err
		}
		return r.apply(cfg)
	}
	cfg.Running = r.running[0] != nil
	scalars := slices.Concat(kernels.RealScalars(sums, r.epsilon), r.updating())
	return r.launch(kernels.BatchNorm, cfg, scalars, r.views.inputs(), r.weight, r.bias, r.running[0], r.running[1], r.mean, r.variance)
}

// inputs are all tensors in the shape of x but the result.
func (v batchViews) inputs() []weft.TensorView { return v.like[:len(v.like)-1] }

// orNew is a tensor, or a new one with an element for each channel if there is none.
func (r *batchRun) orNew(t *weft.Tensor, elem weft.DType) *weft.Tensor {
	if t != nil || r.err != nil {
		return t
	}
	_, n := r.views.channel()
	return r.keep(weft.Empty(r.views.like[0].Tensor.Device(), elem, n))
}

// launch starts a kernel that writes the result: its views are inputs, those of tensors with an element for each channel, and the result.
func (r *batchRun) launch(k *weft.Kernel[kernels.BatchNormConfig], cfg kernels.BatchNormConfig, scalars weft.Scalars, inputs []weft.TensorView, each ...*weft.Tensor) error {
	if r.err != nil {
		return r.err
	}
	views, err := r.views.each(each...)
	if err != nil {
		return err
	}
	return k.LaunchViews(cfg, scalars, slices.Concat(inputs, views, r.views.like[len(r.views.like)-1:])...)
}

// apply normalises by statistics.
func (r *batchRun) apply(cfg kernels.BatchNormConfig) error {
	scalars := kernels.RealScalars(r.problem.Elem, r.epsilon)
	return r.launch(kernels.BatchApply, cfg, scalars, r.views.inputs(), r.mean, r.variance, r.weight, r.bias)
}

// elements is the number of elements of a channel.
func (r *batchRun) elements() int {
	_, n := r.views.channel()
	return r.views.like[0].Layout.Len() / n
}

// share is what an element has of the mean of its channel.
func (r *batchRun) share() weft.Scalars {
	return kernels.RealScalars(r.problem.Elem, 1/float64(r.elements()))
}

// updating is what running statistics are updated by, if they are.
func (r *batchRun) updating() weft.Scalars {
	if r.running[0] == nil {
		return nil
	}
	n := float64(r.elements())
	return slices.Concat(kernels.RealScalars(r.problem.Elem, r.momentum), kernels.RealScalars(r.problem.Elem, n/(n-1)))
}

// sharedSums is how programs share the sums over channels: as a variance.
func (r *batchRun) sharedSums() (v batchViews, cfg kernels.ReduceConfig, parts int, err error) {
	if v, err = r.byX(); err != nil {
		return v, cfg, 0, err
	}
	x := v.like[0]
	p := kernels.ReduceProblem{Op: kernels.ReduceVar, Elem: r.problem.Elem, X: viewOf(x.Layout), Reduced: v.row}
	cfg, parts = p.Config(pick(reduceTune, x.Tensor.Device(), p))
	return v, cfg, parts, nil
}

// states are the states of parts of channels, as the first pass writes them, and as the second reads them.
func (r *batchRun) states(v batchViews, cfg kernels.ReduceConfig, parts, n int) (first, second []weft.TensorView, err error) {
	shape := v.like[0].Layout.Shape()
	for d := range shape {
		if v.row[d] {
			shape[d] = 1
		}
	}
	l, err := kernels.ReduceStates(cfg, shape, parts)
	if err != nil {
		return nil, nil, err
	}
	_, channels := v.channel()
	rows, err := layout.Strided([]int{channels, parts}, []int{parts, 1}, 0)
	if err != nil {
		return nil, nil, err
	}
	for range n {
		t := r.keep(weft.Empty(v.like[0].Tensor.Device(), r.problem.Elem.Accumulator(), l.Len()))
		if r.err != nil {
			return nil, nil, r.err
		}
		first, second = append(first, weft.TensorView{Tensor: t, Layout: l}), append(second, weft.TensorView{Tensor: t, Layout: rows})
	}
	return first, second, nil
}

// combining is the config of the second pass, and the views of what it writes.
func (r *batchRun) combining(first kernels.ReduceConfig, states weft.TensorView, results ...*weft.Tensor) (kernels.ReduceConfig, []weft.TensorView, error) {
	reduced := [kernels.MaxRank]bool{1: true}
	cfg := kernels.ReduceCombineConfigFor(states.Tensor.Device().Caps(), first, states.Layout.Shape(), reduced)
	views, err := batchViews{[]weft.TensorView{states}, reduced}.each(results...)
	return cfg, views, err
}

// statistics computes mean and variance of channels, which programs share, and updates running ones.
func (r *batchRun) statistics() error {
	if r.err != nil {
		return r.err
	}
	v, rows, parts, err := r.sharedSums()
	if err != nil {
		return err
	}
	results := []*weft.Tensor{r.running[0], r.running[1], r.mean, r.variance}
	inputs := v.like[:1]
	var to []weft.TensorView
	if parts == 1 {
		to, err = v.each(results...)
	} else {
		var first []weft.TensorView
		if first, inputs, err = r.states(v, rows, parts, len(kernels.Reducers[kernels.ReduceVar].States(rows.Elem))); err != nil {
			return err
		}
		if err := kernels.Reduce.LaunchViews(rows, nil, slices.Concat(v.like[:1], first)...); err != nil {
			return err
		}
		rows, to, err = r.combining(rows, inputs[0], results...)
	}
	if err != nil {
		return err
	}
	rows.Op, rows.Out, rows.AtOnce = 0, 0, false
	cfg := kernels.BatchNormConfig{Rows: rows, Running: r.running[0] != nil}
	return kernels.BatchStats.LaunchViews(cfg, r.updating(), slices.Concat(inputs, to)...)
}

// gradientOfSums computes gradients of channels that programs share.
func (r *batchRun) gradientOfSums(cfg kernels.BatchNormConfig) error {
	elem := r.problem.Elem
	var dot, total *weft.Tensor
	narrow := []*weft.Tensor(nil)
	if sums := elem.Accumulator(); sums == elem {
		dot, total = r.orNew(r.dweight, elem), r.orNew(r.dbias, elem)
	} else {
		dot, total = r.orNew(nil, sums), r.orNew(nil, sums)
		narrow = []*weft.Tensor{r.orNew(r.dweight, elem), r.orNew(r.dbias, elem)}
	}
	if r.err != nil {
		return r.err
	}
	if err := r.sums(append([]*weft.Tensor{dot, total}, narrow...)); err != nil {
		return err
	}
	scalars := slices.Concat(kernels.RealScalars(elem, r.epsilon), r.share())
	return r.launch(kernels.BatchGradApply, cfg, scalars, r.views.inputs(), r.mean, r.variance, r.weight, dot, total)
}

// sums computes the sums over channels.
func (r *batchRun) sums(results []*weft.Tensor) error {
	v, rows, parts, err := r.sharedSums()
	if err != nil {
		return err
	}
	statistics, err := v.each(r.mean, r.variance)
	if err != nil {
		return err
	}
	rows.Op, rows.Out, rows.AtOnce = 0, 0, false
	inputs, epsilon := slices.Concat(v.like, statistics), kernels.RealScalars(rows.Elem, r.epsilon)
	if parts == 1 {
		to, err := v.each(results...)
		if err != nil {
			return err
		}
		return kernels.BatchSums.LaunchViews(kernels.BatchNormConfig{Rows: rows}, epsilon, slices.Concat(inputs, to)...)
	}
	first, second, err := r.states(v, rows, parts, 2)
	if err != nil {
		return err
	}
	if err := kernels.BatchSums.LaunchViews(kernels.BatchNormConfig{Rows: rows}, epsilon, slices.Concat(inputs, first)...); err != nil {
		return err
	}
	last, to, err := r.combining(rows, second[0], results...)
	if err != nil {
		return err
	}
	return kernels.BatchSums.LaunchViews(kernels.BatchNormConfig{Rows: last}, nil, slices.Concat(second, to)...)
}
