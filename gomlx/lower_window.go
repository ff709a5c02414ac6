package gomlx

import (
	"slices"
	"sync"

	"github.com/gomlx/gomlx/backends"
	"github.com/pkg/errors"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// windowOps says how windows are reduced: by which element-wise op, as which reduction of numbers and of Bool, and what is outside of the tensor.
var windowOps = map[backends.ReduceOpType]struct {
	element, reduce, bools backends.OpType
	outside                func(weft.DType) any
}{
	backends.ReduceOpSum:     {backends.OpTypeAdd, backends.OpTypeReduceSum, 0, func(weft.DType) any { return 0 }},
	backends.ReduceOpProduct: {backends.OpTypeMul, backends.OpTypeReduceProduct, 0, func(weft.DType) any { return 1 }},
	backends.ReduceOpMax:     {backends.OpTypeMax, backends.OpTypeReduceMax, backends.OpTypeReduceLogicalOr, lowest},
	backends.ReduceOpMin:     {backends.OpTypeMin, backends.OpTypeReduceMin, backends.OpTypeReduceLogicalAnd, highest},
}

// placeReduceWindow reduces along one axis after the other.
func (p *planner) placeReduceWindow(n *node) (operand, error) {
	w := n.attrs.(windowAttrs)
	x := p.in(n, 0)
	if n.shape.Size() == 0 {
		return p.result(n)
	}
	x, err := p.padWindows(n, x, w)
	if err != nil {
		return x, err
	}
	return p.reduceWindows(n, x, w, n.shape.Dimensions)
}

// padWindows is x with what its windows see around and between its elements.
func (p *planner) padWindows(n *node, x operand, w windowAttrs) (operand, error) {
	axes, pads := make([]backends.PadAxis, len(w.size)), false
	for d := range axes {
		axes[d] = backends.PadAxis{Start: w.padding[d][0], End: w.padding[d][1], Interior: w.baseDilation[d] - 1}
		pads = pads || axes[d] != backends.PadAxis{}
	}
	if !pads {
		return x, nil
	}
	outside, err := p.number(x.elem, windowOps[w.kind].outside(x.elem))
	if err != nil {
		return x, err
	}
	return p.pad(n, x, outside, axes)
}

// reduceWindows reduces windows of x, of which there are counts. The result is dense.
func (p *planner) reduceWindows(n *node, x operand, w windowAttrs, counts []int) (operand, error) {
	op := windowOps[w.kind]
	for d, size := range w.size {
		seen, err := windows(x, d, counts[d], size, w.strides[d], w.windowDilation[d])
		switch {
		case err != nil:
			return x, err
		case size == 1:
			x.layout, err = seen.layout.Squeeze(seen.layout.Rank() - 1)
		case size <= 2*maxInputs:
			x, err = p.foldWindows(n, op.element, seen)
		default:
			reduce := op.reduce
			if x.elem == weft.Bool {
				reduce = op.bools
			}
			x, err = p.reduce(n, reduce, seen, []int{seen.layout.Rank() - 1})
		}
		if err != nil {
			return x, err
		}
	}
	if x.kind != temporary || !x.whole() {
		out, err := p.result(n)
		p.copy(n, out, x)
		return out, err
	}
	return x, nil
}

// foldWindows combines the elements of small windows, which are the last dimension, side by side.
func (p *planner) foldWindows(n *node, op backends.OpType, x operand) (operand, error) {
	last := x.layout.Rank() - 1
	out, err := p.temp(x.elem, x.dims()[:last]...)
	if err != nil {
		return out, err
	}
	var parts []operand
	for i := range x.layout.Size(last) {
		l, err := x.layout.Select(last, i)
		if err != nil {
			return out, err
		}
		parts = append(parts, operand{x.storage, l})
	}
	for len(parts) > 0 {
		take := min(len(parts), maxInputs)
		p.emitMap(n, foldMap(op, take), out, parts[:take]...)
		if parts = parts[take:]; len(parts) > 0 {
			parts = append([]operand{out}, parts...)
		}
	}
	return out, nil
}

// emitMap appends a step that computes out element by element.
func (p *planner) emitMap(n *node, m *weft.Map, out operand, in ...operand) {
	p.emit(n, func(out, in []*weft.Tensor) error {
		args := make([]any, len(in))
		for i, t := range in {
			args[i] = t
		}
		return m.Into(out[0], args...)
	}, out, in...)
	p.steps[len(p.steps)-1].inPlace = true
}

type foldKey struct {
	op backends.OpType
	n  int
}

var foldMaps sync.Map // of foldKey to *weft.Map

// foldMap combines n elements by an element-wise op.
func foldMap(op backends.OpType, n int) *weft.Map {
	key := foldKey{op, n}
	if m, ok := foldMaps.Load(key); ok {
		return m.(*weft.Map)
	}
	names := []string{"x0", "x1", "x2", "x3", "x4", "x5", "x6"}[:n]
	m, _ := foldMaps.LoadOrStore(key, weft.NewMap("window_"+op.String(), names, func(in []*tile.Value) *tile.Value {
		v := in[0]
		for _, x := range in[1:] {
			v = elementwise[op]([]*tile.Value{v, x}, v.Type().Elem)
		}
		return v
	}).Exact())
	return m.(*weft.Map)
}

// The kernels of SelectAndScatter: source is added at the first element of a window that is equal to the window's result, and
// windows that have had theirs are marked.
var (
	selectMap = weft.NewMap("select_window", []string{"taken", "x", "best", "source", "sum"}, func(in []*tile.Value) *tile.Value {
		k := in[0].Builder()
		taken, x, best, source, sum := in[0], in[1], in[2], in[3], in[4]
		return k.Where(taken.Not().And(x.Eq(best)), sum.Add(source), sum)
	}).InputTypes(weft.Bool).Exact()
	takenMap = weft.NewMap("select_taken", []string{"taken", "x", "best"}, func(in []*tile.Value) *tile.Value {
		return in[0].Or(in[1].Eq(in[2]))
	}).InputTypes(weft.Bool).Returns(weft.Bool)
)

// placeSelectAndScatter goes through the places of a window, in order.
func (p *planner) placeSelectAndScatter(n *node) (operand, error) {
	w := n.attrs.(windowAttrs)
	source := p.in(n, 1)
	if n.shape.Size() == 0 {
		return p.result(n)
	}
	for d, pad := range w.padding {
		if pad[0] < 0 || pad[1] < 0 {
			return operand{}, errors.Errorf("negative padding %v of axis %d", pad, d)
		}
	}
	x, err := p.padWindows(n, p.in(n, 0), w)
	if err != nil {
		return x, err
	}
	best, err := p.reduceWindows(n, x, w, source.dims())
	if err != nil {
		return best, err
	}
	sum, err := p.temp(x.elem, x.dims()...)
	if err != nil {
		return sum, err
	}
	taken, err := p.temp(weft.Bool, source.dims()...)
	if err != nil {
		return sum, err
	}
	for _, o := range []operand{sum, taken} {
		zero, err := p.number(o.elem, zeroOf(o.elem))
		if err != nil {
			return sum, err
		}
		p.copy(n, o, zero)
	}
	for at := range places(w.size) {
		px, err := windowPlace(x, w, source.dims(), at)
		if err != nil {
			return sum, err
		}
		ps := operand{sum.storage, px.layout}
		if x.storage != sum.storage {
			if ps, err = windowPlace(sum, w, source.dims(), at); err != nil {
				return sum, err
			}
		}
		p.emitMap(n, selectMap, ps, taken, px, best, source, ps)
		p.emitMap(n, takenMap, taken, taken, px, best)
	}
	inside := make([]sliceRange, len(w.size))
	for d := range inside {
		inside[d] = sliceRange{w.padding[d][0], w.padding[d][0] + n.shape.Dimensions[d], 1}
	}
	return sliceAll(sum, inside)
}

// zeroOf is the number 0 of a type.
func zeroOf(t weft.DType) any {
	if t == weft.Bool {
		return false
	}
	return 0
}

// places goes through the coordinates of a box in row-major order.
func places(size []int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		at := make([]int, len(size))
		for {
			if slices.Contains(size, 0) || !yield(at) {
				return
			}
			d := len(size) - 1
			for ; d >= 0; d-- {
				if at[d]++; at[d] < size[d] {
					break
				}
				at[d] = 0
			}
			if d < 0 {
				return
			}
		}
	}
}

// windowPlace is one place of all windows.
func windowPlace(x operand, w windowAttrs, counts, at []int) (operand, error) {
	ranges := make([]sliceRange, len(counts))
	for d, n := range counts {
		ranges[d] = sliceRange{at[d], at[d] + (n-1)*w.strides[d] + 1, w.strides[d]}
	}
	return sliceAll(x, ranges)
}
