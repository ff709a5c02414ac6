package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tune"
)

// windowRun is a launch of the kernel of windows: a dimension with a stride of 0 is of adaptive windows.
type windowRun struct {
	op      string
	kind    kernels.ReduceOp
	dims    []windowDim
	each    bool    // a mean divides by the elements that there are
	divisor float64 // of a mean that does not; 0 for the places of a window

	indices *weft.Tensor // of largest elements, in planes of so many dimensions; nil for none
	plane   int
}

// whole is the reduction of all of some dimensions that windows without padding are which have all elements of these, as those of global pooling have: it shares
// the elements of one result among threads.
func (r windowRun) whole(out, x *weft.Tensor) (p reduction, ok bool) {
	p = reduction{op: r.kind, reduced: make([]bool, x.Rank()), shape: out.Shape(), divisor: 1}
	for d, w := range r.dims {
		switch n := x.Dim(d); {
		case w.trivial():
		case out.Dim(d) == 1 && w.size == n && w.gap == 1 && w.base == 1 && w.offset == 0:
			p.reduced[d], ok = true, true
			p.divisor *= float64(n)
		default:
			return p, false
		}
	}
	return p, ok && r.kind.Result(x.DType()) == out.DType()
}

// run reduces x, or of it what chosen names, into out.
func (r windowRun) run(out, x, chosen *weft.Tensor) error {
	layouts := []layout.Layout{x.Layout(), out.Layout()}
	if chosen != nil {
		layouts = append(layouts, chosen.Layout())
	}
	if r.indices != nil {
		numbers, err := numbered(x.Shape(), r.plane)
		if err != nil {
			return err
		}
		layouts = append(layouts, r.indices.Layout(), numbers)
	}
	dims, layouts, err := mergedWindows(r.dims, layouts)
	if err != nil {
		return err
	}
	if err := checkMerged(r.op, layouts[0].Shape(), len(dims)); err != nil {
		return err
	}
	p := kernels.WindowProblem{Op: r.kind, Elem: x.DType(), Result: out.DType(), Chosen: chosen != nil, Each: r.each, Places: r.indices != nil,
		X: viewOf(layouts[0]), Strides: tune.StridesOf(layouts[1])}
	scalars := weft.Scalars{}
	places := 1.0
	for d := range kernels.MaxRank {
		w := noWindow
		if d < len(dims) {
			w = dims[d]
			p.Out[d] = layouts[1].Size(d)
			scalars = append(scalars, w.offset)
		}
		if w.stride == 0 {
			p.Shape.Adaptive, w.stride = true, 1
		}
		places *= float64(w.size)
		p.Shape.Size[d], p.Shape.Stride[d], p.Shape.Dilation[d], p.Shape.Base[d] = w.size, w.stride, w.gap, w.base
	}
	for d := 0; r.indices != nil && d < len(dims); d++ {
		scalars = append(scalars, layouts[3].Stride(d))
	}
	if kernels.Reducers[r.kind].Divides && !r.each {
		if r.divisor != 0 {
			places = r.divisor
		}
		scalars = append(scalars, kernels.RealScalars(x.DType(), places)...)
	}
	views := []weft.TensorView{{Tensor: x, Layout: layouts[0]}}
	if chosen != nil {
		views = append(views, weft.TensorView{Tensor: chosen, Layout: layouts[2]})
	}
	views = append(views, weft.TensorView{Tensor: out, Layout: layouts[1]})
	if r.indices != nil {
		views = append(views, weft.TensorView{Tensor: r.indices, Layout: layouts[2]})
	}
	return kernels.Window.LaunchViews(p.Config(pick(windowTune, x.Device(), p)), scalars, views...)
}

// numbered is a layout with the numbers of elements in a plane, the last so many dimensions of a shape, as offsets.
func numbered(shape []int, plane int) (layout.Layout, error) {
	strides, stride := make([]int, len(shape)), 1
	for d := len(shape) - 1; d >= len(shape)-plane; d-- {
		strides[d] = stride
		stride *= shape[d]
	}
	return layout.Strided(shape, strides, 0)
}

// mergedWindows merges neighbouring dimensions without windows where all layouts allow, and leaves out those of one element.
func mergedWindows(dims []windowDim, layouts []layout.Layout) ([]windowDim, []layout.Layout, error) {
	var kept []windowDim
	shapes, strides := make([][]int, len(layouts)), make([][]int, len(layouts))
	for d, w := range dims {
		if w.trivial() && layouts[0].Size(d) == 1 {
			continue
		}
		last, merges := len(kept)-1, w.trivial()
		merges = merges && last >= 0 && kept[last].trivial()
		for i, l := range layouts {
			merges = merges && strides[i][last] == l.Size(d)*l.Stride(d)
		}
		for i, l := range layouts {
			if merges {
				shapes[i][last], strides[i][last] = shapes[i][last]*l.Size(d), l.Stride(d)
				continue
			}
			shapes[i], strides[i] = append(shapes[i], l.Size(d)), append(strides[i], l.Stride(d))
		}
		if !merges {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 {
		kept = []windowDim{noWindow}
		for i := range layouts {
			shapes[i], strides[i] = []int{1}, []int{1}
		}
	}
	merged := make([]layout.Layout, len(layouts))
	for i, l := range layouts {
		var err error
		if merged[i], err = layout.Strided(shapes[i], strides[i], l.Offset()); err != nil {
			return nil, nil, err
		}
	}
	return kept, merged, nil
}

var windowTune = space[windowTrials]("window")

type windowTrials struct{}

func (windowTrials) Trial(p kernels.WindowProblem, r *trialTensors, rule kernels.WindowSizes) (*tune.Trial[kernels.WindowSizes], error) {
	shape := p.Out[:p.X.Rank]
	x, out := r.filled(p.Elem, p.X), r.result(p.Result, p.Strides, shape...)
	var chosen *weft.Tensor
	places := 1
	scalars := weft.Scalars{}
	for _, n := range p.Shape.Size[:p.X.Rank] {
		places *= n
		scalars = append(scalars, 0)
	}
	if p.Chosen {
		chosen = r.indices(places, p.X.Shape()...)
	}
	outs := []*weft.Tensor{out}
	if p.Places {
		outs = append(outs, r.dense(weft.I32, shape...))
		for d := range p.X.Rank { // numbers in x itself
			scalars = append(scalars, product(p.X.Size[d+1:p.X.Rank]))
		}
	}
	if kernels.Reducers[p.Op].Divides && !p.Each {
		scalars = append(scalars, kernels.RealScalars(p.Elem, float64(places))...)
	}
	run := func(s kernels.WindowSizes) error {
		views := []weft.TensorView{view(x)}
		if p.Chosen {
			views = append(views, view(chosen))
		}
		for _, t := range outs {
			views = append(views, view(t))
		}
		return kernels.Window.LaunchViews(p.Config(s), scalars, views...)
	}
	return newTrial(r, rule, run, within(p.Result, bounds.RelativeSum(places)*float64(places)), outs...)
}
