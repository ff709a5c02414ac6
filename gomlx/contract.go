package gomlx

import (
	"slices"

	"github.com/gomlx/gomlx/backends"

	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
)

// findProducts defers multiplications that only a sum uses: where both operands are repeated they are a product of matrices, whose
// terms need no memory. GoMLX's gradient of DotGeneral is such a sum.
func (p *planner) findProducts() {
	for _, n := range p.b.nodes {
		if !p.live[n.id] || n.op != backends.OpTypeReduceSum || len(n.attrs.([]int)) == 0 {
			continue
		}
		m := n.in[0]
		only := len(p.consumers[m.id]) == 1 && !slices.Contains(p.b.outputs, m)
		if only && m.op == backends.OpTypeMul && len(p.members[m.id]) == 1 && p.epilogues[m.id] == nil && multiplies(m.elem()) {
			p.deferred[m.id] = true
		}
	}
}

// terms are the dimensions of the terms of a sum of products by what they are in a product of matrices.
type terms struct {
	dims                           []int
	x, y                           layout.Layout // of the operands, repeated
	batch, rows, columns, contract []int
}

// newTerms sorts the dimensions. It is false for sums that are not worth a product, or none.
func newTerms(dims, reduced []int, x, y layout.Layout) (t terms, ok bool) {
	t.dims = dims
	var err error
	if t.x, err = x.Broadcast(dims...); err != nil {
		return t, false
	}
	if t.y, err = y.Broadcast(dims...); err != nil {
		return t, false
	}
	for d, n := range dims {
		inX, inY, sum := t.x.Stride(d) != 0, t.y.Stride(d) != 0, slices.Contains(reduced, d)
		switch {
		case n == 1 && !sum: // of no matter to which it belongs
			t.batch = append(t.batch, d)
		case n == 1:
			t.contract = append(t.contract, d)
		case inX && inY && sum:
			t.contract = append(t.contract, d)
		case inX && inY:
			t.batch = append(t.batch, d)
		case inX && !sum:
			t.rows = append(t.rows, d)
		case inY && !sum:
			t.columns = append(t.columns, d)
		default:
			return t, false
		}
	}
	return t, t.size(t.rows) > 1 && t.size(t.columns) > 1 && t.size(t.contract) > 0
}

func (t *terms) size(axes []int) int { return volume(pick(t.dims, axes)) }

// picked is a layout with some of its dimensions.
func picked(l layout.Layout, axes ...int) (layout.Layout, error) {
	return layout.Strided(pick(l.Shape(), axes), pick(l.Strides(), axes), l.Offset())
}

// sumOfProducts appends the product that a sum of a deferred multiplication is. If it is none, the multiplication is placed.
func (p *planner) sumOfProducts(n *node) (operand, bool, error) {
	m, reduced := n.in[0], n.attrs.([]int)
	x, y := p.in(m, 0), p.in(m, 1)
	t, ok := newTerms(m.shape.Dimensions, reduced, x.layout, y.layout)
	if !ok || n.shape.Size() == 0 {
		var err error
		p.placed[m.id], err = p.place(m)
		return operand{}, false, err
	}
	out, err := p.productResult(n)
	if err != nil {
		return out, true, err
	}
	left, err := picked(t.x, slices.Concat(t.batch, t.rows, t.contract)...)
	if err != nil {
		return out, true, err
	}
	right, err := picked(t.y, slices.Concat(t.batch, t.columns, t.contract)...)
	if err != nil {
		return out, true, err
	}
	// The result's dimensions are those that are kept, in their order.
	kept := others(len(t.dims), reduced)
	var order []int
	for _, d := range slices.Concat(t.batch, t.rows, t.columns) {
		order = append(order, slices.Index(kept, d))
	}
	sorted, err := permute(out, order...)
	dims := ops.DotDims{}
	for side, free := range [][]int{t.rows, t.columns} {
		for i := range t.batch {
			dims.Batch[side] = append(dims.Batch[side], i)
		}
		for i := range t.contract {
			dims.Contract[side] = append(dims.Contract[side], len(t.batch)+len(free)+i)
		}
	}
	p.dot(n, sorted, operand{x.storage, left}, operand{y.storage, right}, dims)
	return out, true, err
}
