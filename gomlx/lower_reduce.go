package gomlx

import (
	"math"
	"slices"

	"github.com/gomlx/gomlx/backends"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// reduction is how an op reduces.
type reduction struct {
	into   func(out, x *weft.Tensor, options ...ops.ReduceOption) error
	widens bool                 // integers narrower than I32 give I32
	empty  func(weft.DType) any // the result of no elements where weft has none
}

var reductions = map[backends.OpType]reduction{
	backends.OpTypeReduceSum:        {into: ops.SumInto, widens: true},
	backends.OpTypeReduceProduct:    {into: ops.ProdInto, widens: true},
	backends.OpTypeReduceMax:        {into: ops.MaxInto, empty: lowest},
	backends.OpTypeReduceMin:        {into: ops.MinInto, empty: highest},
	backends.OpTypeReduceBitwiseAnd: {into: ops.ReduceAndInto},
	backends.OpTypeReduceBitwiseOr:  {into: ops.ReduceOrInto},
	backends.OpTypeReduceBitwiseXor: {into: ops.ReduceXorInto},
	backends.OpTypeReduceLogicalAnd: {into: ops.ReduceAndInto},
	backends.OpTypeReduceLogicalOr:  {into: ops.ReduceOrInto},
	backends.OpTypeReduceLogicalXor: {into: ops.ReduceXorInto},
}

// ofBools are reductions of Bool to an extreme.
var ofBools = map[backends.OpType]backends.OpType{
	backends.OpTypeReduceMax: backends.OpTypeReduceLogicalOr, backends.OpTypeReduceMin: backends.OpTypeReduceLogicalAnd,
}

// lowest is the identity of a maximum.
func lowest(t weft.DType) any {
	switch {
	case t == weft.Bool:
		return false
	case t.IsFloat():
		return math.Inf(-1)
	case t.IsSigned():
		return int64(-1) << (8*t.Size() - 1)
	}
	return 0
}

// highest is the identity of a minimum.
func highest(t weft.DType) any {
	switch {
	case t == weft.Bool:
		return true
	case t.IsFloat():
		return math.Inf(1)
	case t.IsSigned():
		return int64(math.MaxInt64) >> (64 - 8*t.Size())
	}
	return uint64(math.MaxUint64) >> (64 - 8*t.Size())
}

// maxMerged is the number of dimensions that weft's reductions take.
const maxMerged = 5

func (p *planner) placeReduce(n *node) (operand, error) {
	if p.deferred[n.in[0].id] && n.in[0].op == backends.OpTypeMul {
		if out, done, err := p.sumOfProducts(n); done || err != nil {
			return out, err
		}
	}
	return p.reduce(n, n.op, p.in(n, 0), n.attrs.([]int))
}

// reduce reduces x over axes, which the result lacks.
func (p *planner) reduce(n *node, op backends.OpType, x operand, axes []int) (operand, error) {
	if logical, ok := ofBools[op]; ok && x.elem == weft.Bool {
		op = logical
	}
	r := reductions[op]
	kept := others(len(x.dims()), axes)
	out, err := p.temp(x.elem, pick(x.dims(), kept)...)
	switch {
	case err != nil || out.len == 0:
		return out, err
	case x.layout.Len() == 0 && r.empty != nil:
		value, err := p.number(x.elem, r.empty(x.elem))
		p.copy(n, out, value)
		return out, err
	case len(axes) == 0:
		p.copy(n, out, x)
		return out, nil
	}
	if x.layout.Coalesce().Rank() > maxMerged {
		if x, err = permute(x, append(slices.Clone(kept), axes...)...); err != nil {
			return out, err
		}
		if x, err = p.reshape(n, x, out.len, x.layout.Len()/out.len); err != nil {
			return out, err
		}
		axes = []int{1}
	}
	to := out
	if r.widens && x.elem.IsInt() && x.elem.Size() < 4 {
		if to, err = p.temp(weft.I32, out.dims()...); err != nil {
			return out, err
		}
	}
	if shape := pick(x.dims(), others(len(x.dims()), axes)); !slices.Equal(shape, to.dims()) {
		if to.layout, err = to.layout.Reshape(shape...); err != nil {
			return out, err
		}
	}
	p.emit(n, func(out, in []*weft.Tensor) error {
		return r.into(out[0], in[0], ops.Axis(axes...))
	}, to, x)
	if to.storage != out.storage {
		p.copy(n, out, to)
	}
	return out, nil
}

// others are the axes that are not listed.
func others(rank int, axes []int) (list []int) {
	for d := range rank {
		if !slices.Contains(axes, d) {
			list = append(list, d)
		}
	}
	return list
}

func ceilPow2(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}

func (p *planner) placeArgMinMax(n *node) (operand, error) {
	a := n.attrs.(argAttrs)
	x := p.in(n, 0)
	out, err := p.result(n)
	if err != nil || out.len == 0 {
		return out, err
	}
	if x, err = p.asNumbers(n, x); err != nil {
		return out, err
	}
	into := ops.ArgMaxInto
	if a.isMin {
		into = ops.ArgMinInto
	}
	to := out
	if out.elem != weft.I32 {
		if to, err = p.temp(weft.I32, out.dims()...); err != nil {
			return out, err
		}
	}
	if x, err = p.compact(n, x); err != nil {
		return out, err
	}
	p.emit(n, func(out, in []*weft.Tensor) error { return into(out[0], in[0], ops.Axis(a.axis)) }, to, x)
	if to.storage != out.storage {
		p.copy(n, out, to)
	}
	return out, nil
}
