package ops

import (
	mathbits "math/bits"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
)

// Deterministic has the result be the same bit for bit in every run on a device: of several updates of one element ScatterSet takes the last one, as LastWins says, and
// sums and products of floats are of updates in an order that does not depend on which programs come first. For these the windows are
// sorted by where they are, which takes several launches and memory for as many indices, and no atomic ops. Sums of
// integers are the same in every run without it, and so are the smaller and the larger element, but for which one of 0 and -0, and of several NaNs, it is.
//
// Of Scatter, windows that have more than one element along a dimension of x that an index is of may overlap: sums and products of floats of such windows
// are ErrUnsupported.
func Deterministic() ScatterOption { return scatterOption(func(o *indexedOptions) { o.fixed = true }) }

// sorts reports whether updates are sorted before they are combined.
func (o *indexedOptions) sorts(elem weft.DType) bool {
	return o.fixed && elem.IsFloat() && (o.kind == ScatterAdd || o.kind == ScatterMul)
}

// checkFixed refuses windows that may overlap in part.
func (o *indexedOptions) checkFixed(x, updates *weft.Tensor) error {
	if o.form != formWindows || !o.sorts(x.DType()) {
		return nil
	}
	w := decodeWindows(o.spec)
	at := 0
	for d := range x.Rank() {
		if slices.Contains(w.Dropped, d) || slices.Contains(w.Batch, d) {
			continue
		}
		if size := updates.Dim(w.Dims[at]); size > 1 && slices.Contains(w.Map, d) {
			return fault.New(weft.ErrUnsupported, o.op, "Deterministic of windows of %d elements along dimension %d, which indices are of and where windows may overlap", size, d).For("windows")
		}
		at++
	}
	return nil
}

// scatterSorted changes x by updates that are sorted by where their windows are.
func (o *indexedOptions) scatterSorted(made *scratch, x, indices, updates *weft.Tensor) error {
	c := o.call(x.Layout(), indices.Layout(), updates.Layout())
	names := o.names()
	p, views, err := o.problem(&c, indexedTensors{operand{"out", x}, operand{names[0], indices}, operand{names[1], updates}}, o.kind, true)
	if err != nil {
		return err
	}
	views[0].Elem, views[2].Elem = x.DType(), updates.DType()
	s := sortedUpdates{made: made, dev: x.Device(), p: p, c: c.Indexed, x: views[0], updates: views[2], n: p.Sizes[0]}
	if err := s.sort(views[1]); err != nil {
		return err
	}
	return s.combine()
}

// sortedUpdates are updates that are combined part by part.
type sortedUpdates struct {
	made        *scratch
	dev         *weft.Device
	p           kernels.IndexedProblem
	c           kernels.Indexed
	x, updates  weft.TensorView
	keys, order *weft.Tensor
	n           int // windows
}

func (s *sortedUpdates) empty(elem weft.DType, n int) *weft.Tensor {
	return s.made.keep(weft.Empty(s.dev, elem, n))
}

// sort finds where windows are, and puts them in that order.
func (s *sortedUpdates) sort(indices weft.TensorView) error {
	found := s.empty(weft.I32, s.n)
	s.keys, s.order = s.empty(weft.I32, s.n), s.empty(weft.I32, s.n)
	if s.made.err != nil {
		return s.made.err
	}
	starts := s.c
	starts.Window = []kernels.IndexedDim{{Size: 1}}
	views := []weft.TensorView{indices, ownView(found)}
	if s.p.Coords == 0 {
		views = views[1:]
	}
	if err := kernels.ScatterKeys.LaunchViews(s.p.ScatterKeysConfig(s.dev.Caps()), starts.Scalars(), views...); err != nil {
		return err
	}
	line, err := layout.Contiguous(1, s.n)
	if err != nil {
		return err
	}
	views = nil
	for _, t := range []*weft.Tensor{found, s.keys, s.order} {
		views = append(views, weft.TensorView{Tensor: t, Layout: line, Elem: weft.U32}) // of which -1 is the last
	}
	views[2].Elem = weft.I32
	p := kernels.SortProblem{Elem: weft.U32, Values: true, Indices: true, X: viewOf(line)}
	p.Low, p.Bits = s.digits()
	return runSort(p, pick(sortTune, s.dev, p), views)
}

// digits are the bits that order places of windows. All places have the same bits below the lowest one of any stride, and no place has all of the others, as -1 has.
func (s *sortedUpdates) digits() (low, count int) {
	strides := 0
	for _, d := range s.c.Rows {
		strides |= d.X
	}
	for _, c := range s.c.Coords {
		strides |= c.X
	}
	low = min(mathbits.TrailingZeros(uint(strides)), 30)
	return low, max(mathbits.Len(uint((s.x.Layout.Size(0)-1)>>low+1)), 1)
}

// combine launches the kernel for the updates, and then for the sums of each launch before, until one part has all.
func (s *sortedUpdates) combine() error {
	without := s.c
	without.Coords = nil
	width := s.p.Sizes[1] * s.p.Sizes[2]
	from := []weft.TensorView{ownView(s.keys), ownView(s.order), s.updates}
	for n, sums := s.n, false; ; sums = true {
		cfg := s.p.ScatterSumsConfig(s.dev.Caps(), n, sums)
		views := append(from, s.x)
		if !cfg.Last {
			ends := 2 * cfg.Parts(n)
			keys, next := s.empty(weft.I32, ends), s.empty(weft.F32, ends*width)
			if s.made.err != nil {
				return s.made.err
			}
			from = []weft.TensorView{ownView(keys), ownView(next)}
			views = append(views, from...)
		}
		if err := kernels.ScatterSums.LaunchViews(cfg, append(without.Scalars(), n), views...); err != nil || cfg.Last {
			return err
		}
		n = 2 * cfg.Parts(n)
	}
}
