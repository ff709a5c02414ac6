package gomlx

import (
	"math"
	"slices"

	"github.com/gomlx/gomlx/backends"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// indices are numbers of a type that weft's ops take as indices. A U64 beyond I64 becomes the largest I64, which is outside of every tensor, too.
func (p *planner) indices(n *node, x operand) (operand, error) {
	to := weft.I32
	switch x.elem {
	case weft.I32, weft.U32, weft.I64:
		return x, nil
	case weft.U64:
		to = weft.I64
	}
	out, err := p.temp(to, x.dims()...)
	if err != nil {
		return out, err
	}
	var code []instruction
	last := source{input: true}
	if to == weft.I64 {
		most := source{number: uint64(math.MaxInt64), elem: weft.U64}
		code, last = append(code, instruction{backends.OpTypeMin, weft.U64, []source{last, most}}), source{at: 0}
	}
	p.emitCode(n, append(code, instruction{backends.OpTypeConvertDType, to, []source{last}}), out, x)
	return out, nil
}

// rising reorders the dimensions of an operand so that those that are listed are in the order of the list, at the same places, and returns
// the places.
func rising(x operand, listed []int) (operand, []int, error) {
	places := slices.Sorted(slices.Values(listed))
	order := make([]int, x.layout.Rank())
	for d := range order {
		order[d] = d
	}
	for i, d := range listed {
		order[places[i]] = d
	}
	x, err := permute(x, order...)
	return x, places, err
}

func (p *planner) placeGather(n *node) (operand, error) {
	a := n.attrs.(gatherAttrs)
	x := p.in(n, 0)
	out, err := p.result(n)
	if err != nil || out.len == 0 {
		return out, err
	}
	index, err := p.indices(n, p.in(n, 1))
	if err != nil {
		return out, err
	}
	offset := slices.Sorted(slices.Values(a.offset)) // a set, in Gather
	windows := ops.Windows{Vector: a.vectorAxis, Map: a.index, Dims: offset, Dropped: a.collapsed, Sizes: a.sizes}
	p.emit(n, func(out, in []*weft.Tensor) error { return ops.GatherInto(out[0], in[0], in[1], windows) }, out, x, index)
	return out, nil
}

var scatterKinds = map[backends.OpType]ops.ScatterKind{
	backends.OpTypeScatterSum: ops.ScatterAdd, backends.OpTypeScatterMax: ops.ScatterMax, backends.OpTypeScatterMin: ops.ScatterMin,
}

func (p *planner) placeScatter(n *node) (operand, error) {
	a := n.attrs.(scatterAttrs)
	x := p.in(n, 0)
	out, err := p.result(n)
	if err != nil || out.len == 0 {
		return out, err
	}
	if x.elem.Size() == 8 && !(isWide(x.elem) && n.op == backends.OpTypeScatterSum) {
		return out, p.scatterInOrder(n, out, x)
	}
	index, err := p.indices(n, p.in(n, 1))
	if err != nil {
		return out, err
	}
	updates, window, err := rising(p.in(n, 2), a.window)
	windows, kind := ops.Windows{Vector: a.vectorAxis, Map: a.index, Dims: window, Dropped: a.inserted}, scatterKinds[n.op]
	p.copy(n, out, x)
	p.update(n, func(out, in []*weft.Tensor) error {
		return ops.ScatterInto(out[0], out[0], in[0], in[1], windows, kind)
	}, out, index, updates)
	return out, err
}

// update appends a step that changes some elements of out.
func (p *planner) update(n *node, run func(out, in []*weft.Tensor) error, out operand, in ...operand) {
	p.emit(n, run, out, append(in, out)...)
}

// starts are those of a dynamic slice, scalars or one vector, as a vector.
func (p *planner) starts(n *node, list []*node) (operand, error) {
	if x := p.placed[list[0].id][0]; x.layout.Rank() == 1 && len(list) == 1 {
		return p.indices(n, x)
	}
	out, err := p.temp(list[0].elem(), len(list))
	if err != nil {
		return out, err
	}
	for i, in := range list {
		part, err := out.layout.Slice(0, i, i+1, 1)
		if err != nil {
			return out, err
		}
		x, err := p.reshape(n, p.placed[in.id][0], 1)
		if err != nil {
			return out, err
		}
		p.copy(n, operand{out.storage, part}, x)
	}
	return p.indices(n, out)
}

func (p *planner) placeDynamicSlice(n *node) (operand, error) {
	x := p.in(n, 0)
	out, err := p.result(n)
	if err != nil || out.len == 0 {
		return out, err
	}
	if x.layout.Rank() == 0 {
		p.copy(n, out, x)
		return out, nil
	}
	starts, err := p.starts(n, n.in[1:])
	sizes := n.shape.Dimensions
	p.emit(n, func(out, in []*weft.Tensor) error { return ops.DynamicSliceInto(out[0], in[0], in[1], sizes...) }, out, x, starts)
	return out, err
}

func (p *planner) placeDynamicUpdate(n *node) (operand, error) {
	x, update := p.in(n, 0), p.in(n, 1)
	out, err := p.result(n)
	if err != nil || out.len == 0 {
		return out, err
	}
	if x.layout.Rank() == 0 {
		p.copy(n, out, update)
		return out, nil
	}
	starts, err := p.starts(n, n.in[2:])
	p.copy(n, out, x)
	p.update(n, func(out, in []*weft.Tensor) error {
		return ops.DynamicUpdateSliceInto(out[0], out[0], in[0], in[1])
	}, out, update, starts)
	return out, err
}
