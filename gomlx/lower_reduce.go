package gomlx

import (
	"math"
	"slices"

	"github.com/gomlx/gomlx/backends"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// reduction is how an op reduces: by an op of weft, or by a function of two elements that a kernel here takes.
type reduction struct {
	into    func(out, x *weft.Tensor, options ...ops.ReduceOption) error
	widens  bool // integers narrower than I32 give I32
	empty   func(weft.DType) any
	combine func(*tile.Value, tile.Operand) *tile.Value
	ones    bool // the identity of combine has all bits set
}

var reductions = map[backends.OpType]reduction{
	backends.OpTypeReduceSum:        {into: ops.SumInto, widens: true},
	backends.OpTypeReduceProduct:    {into: ops.ProdInto, widens: true},
	backends.OpTypeReduceMax:        {into: ops.MaxInto, empty: lowest},
	backends.OpTypeReduceMin:        {into: ops.MinInto, empty: highest},
	backends.OpTypeReduceBitwiseAnd: {combine: (*tile.Value).And, ones: true},
	backends.OpTypeReduceBitwiseOr:  {combine: (*tile.Value).Or},
	backends.OpTypeReduceBitwiseXor: {combine: (*tile.Value).Xor},
	backends.OpTypeReduceLogicalAnd: {combine: (*tile.Value).And, ones: true},
	backends.OpTypeReduceLogicalOr:  {combine: (*tile.Value).Or},
	backends.OpTypeReduceLogicalXor: {combine: (*tile.Value).Xor},
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
	case r.combine != nil:
		return out, p.combine(n, r, out, x, kept, axes)
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

// combine reduces by a kernel of its own, which sees a matrix whose rows are reduced.
func (p *planner) combine(n *node, r reduction, out, x operand, kept, axes []int) error {
	x, err := permute(x, append(slices.Clone(kept), axes...)...)
	if err != nil {
		return err
	}
	if x, err = p.reshape(n, x, out.len, x.layout.Len()/out.len); err != nil {
		return err
	}
	if out, err = p.reshape(n, out, out.len, 1); err != nil {
		return err
	}
	cfg := combineConfig{Op: n.op, Elem: x.elem, Columns: min(ceilPow2(x.layout.Size(1)), 1024)}
	p.emit(n, func(out, in []*weft.Tensor) error { return combineKernel.Launch(cfg, in[0], out[0]) }, out, x)
	return nil
}

type combineConfig struct {
	Op      backends.OpType
	Elem    weft.DType
	Columns int
}

// combineKernel reduces the bits of each row, in I32 where elements are Bool.
var combineKernel = weft.NewKernel("combine", func(k *tile.Builder, cfg combineConfig) {
	x, out := k.In("x", cfg.Elem, 2), k.Out("out", cfg.Elem, 2)
	k.Grid(x.Dim(0))
	row := k.ProgramID(0)
	r := reductions[cfg.Op]
	elem := cfg.Elem
	if elem == weft.Bool {
		elem = weft.I32
	}
	identity := k.Zeros(elem, 1, cfg.Columns)
	if r.ones {
		identity = identity.Not()
	}
	block, all := x.Block(1, cfg.Columns), k.Var(identity)
	for i := range k.Range(k.CDiv(x.Dim(1), cfg.Columns)) {
		v := k.Where(block.Inside(row, i), block.Load(row, i).Cast(elem), identity)
		all.Set(r.combine(all.Get(), v))
	}
	result := tile.Reduce([]*tile.Value{all.Get()}, 1, func(x, y []*tile.Value) []*tile.Value {
		return []*tile.Value{r.combine(x[0], y[0])}
	})[0]
	if cfg.Elem == weft.Bool {
		result = result.And(1).Ne(0)
	}
	out.Block(1, 1).Store(result, row, 0)
})

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
	if x.layout.Coalesce().Rank() > maxMerged {
		if x, err = p.contiguous(n, x); err != nil {
			return out, err
		}
	}
	p.emit(n, func(out, in []*weft.Tensor) error { return into(out[0], in[0], ops.Axis(a.axis)) }, to, x)
	if to.storage != out.storage {
		p.copy(n, out, to)
	}
	return out, nil
}

// windows is x seen through windows along an axis: dimension axis counts windows, and a new last dimension the elements of each.
func windows(x operand, axis, count, size, stride, dilation int) (operand, error) {
	dims, strides := x.dims(), x.layout.Strides()
	step := strides[axis]
	dims[axis], strides[axis] = count, step*stride
	l, err := layout.Strided(append(dims, size), append(strides, step*dilation), x.layout.Offset())
	return operand{x.storage, l}, err
}
