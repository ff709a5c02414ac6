package ops

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tune"
)

var (
	gatherTune  = space[gatherTrials]("gather")
	scatterTune = space[scatterTrials]("scatter")
)

type (
	gatherTrials  struct{}
	scatterTrials struct{}
)

// indexedTrial are tensors and scalars for a problem: rows of windows at one index each, the other indices being 0, and all of one dimension.
type indexedTrial struct {
	x, indices, y weft.TensorView
	at            kernels.Indexed
}

func newIndexedTrial(p kernels.IndexedProblem, r *trialTensors) (t indexedTrial, x, y *weft.Tensor) {
	rows, outer, inner := p.Sizes[0], p.Sizes[1], p.Sizes[2]
	window := outer * inner
	known := max(min(p.Known, math.MaxInt32/2/max(window, 1)), 1)
	one := func(n int) tune.View {
		return tune.View{Rank: 1, Unit: true, Align: 16, Size: [tune.MaxRank]int{n}}
	}
	x, y = r.filled(p.Elem, one(known*window)), r.filled(p.From, one(rows*window))
	indices := r.indices(known, rows, max(int(p.Coords), 1))
	t.at.Rows = append(t.at.Rows, kernels.IndexedDim{Size: rows, Y: window, I: max(int(p.Coords), 1)})
	inX, inY := 1, 1
	if p.RowsLast {
		t.at.Rows[0].Y, inY = 1, rows
	}
	for len(t.at.Rows) < int(p.Rows) {
		t.at.Rows = append(t.at.Rows, kernels.IndexedDim{Size: 1})
	}
	if p.Window > 1 {
		t.at.Window = append(t.at.Window, kernels.IndexedDim{Size: outer, X: inner * inX, Y: inner * inY})
	}
	for len(t.at.Window) < int(p.Window)-1 {
		t.at.Window = append(t.at.Window, kernels.IndexedDim{Size: 1})
	}
	t.at.Window = append(t.at.Window, kernels.IndexedDim{Size: inner, X: inX, Y: inY})
	for i := range int(p.Coords) {
		c := kernels.IndexedCoord{I: i, Most: known - 1}
		if i == 0 {
			c.X = window
		}
		t.at.Coords = append(t.at.Coords, c)
	}
	t.x, t.indices, t.y = view(x), view(indices), view(y)
	if r.err == nil {
		if l, err := layout.Contiguous(indices.Len()); err == nil {
			t.indices.Layout = l
		}
		t.indices.Elem = weft.I32
	}
	return t, x, y
}

// trialOf is a problem whose indices are I32: those of other types are as fast.
func trialOf(p kernels.IndexedProblem) kernels.IndexedProblem {
	p.Index = weft.I32
	return p
}

func (gatherTrials) Trial(p kernels.IndexedProblem, r *trialTensors, rule kernels.IndexedSizes) (*tune.Trial[kernels.IndexedSizes], error) {
	p = trialOf(p)
	t, _, y := newIndexedTrial(p, r)
	list := []weft.TensorView{t.x, t.indices, t.y}
	if p.Coords == 0 {
		list = []weft.TensorView{t.x, t.y}
	}
	run := func(s kernels.IndexedSizes) error {
		return kernels.Gather.LaunchViews(p.Config(s), t.at.Scalars(), list...)
	}
	return newTrial(r, rule, run, tolerance{}, y)
}

// Trial of a scatter has updates that are all 1, so that it does not matter in which order they come. That of the second launch of two is of one alone, and
// that of the first, of which there are no updates, is the least of all. What is updated is filled before, which all configs pay.
func (scatterTrials) Trial(p kernels.IndexedProblem, r *trialTensors, rule kernels.IndexedSizes) (*tune.Trial[kernels.IndexedSizes], error) {
	if p = trialOf(p); p.Kind == kernels.ScatterNoted {
		p.Kind = kernels.ScatterSet
	}
	t, x, y := newIndexedTrial(p, r)
	if r.err != nil {
		return nil, r.err
	}
	if err := y.Fill(1); err != nil {
		return nil, err
	}
	t.x.Elem, t.y.Elem = p.Config(rule).ScatterViews()
	if words := x.DType().Size() / t.x.Elem.Size(); words > 1 {
		for _, v := range []*weft.TensorView{&t.x, &t.y} {
			l, err := layout.Contiguous(words * v.Tensor.Len())
			if err != nil {
				return nil, err
			}
			v.Layout = l
		}
	}
	list := []weft.TensorView{t.y, t.indices, t.x}
	if p.Kind == kernels.ScatterNote {
		list = list[1:]
	}
	if p.Coords == 0 {
		list = slices.DeleteFunc(list, func(v weft.TensorView) bool { return v.Tensor == t.indices.Tensor })
	}
	run := func(s kernels.IndexedSizes) error {
		if err := x.Fill(0); err != nil {
			return err
		}
		return kernels.Scatter.LaunchViews(p.Config(s), t.at.Scalars(), list...)
	}
	return newTrial(r, rule, run, tolerance{}, x)
}
