package gomlx

import (
	"slices"

	"github.com/gomlx/gomlx/backends"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// maxEpilogue is how many tensors the epilogue of a product may read.
const maxEpilogue = 4

// findEpilogues makes kernels of element-wise ops the epilogues of products that they alone use, as a bias and an activation are.
// What it finds is in epilogues, and the products and the reshapes between are deferred until their kernels are placed.
func (p *planner) findEpilogues() {
	p.epilogues, p.deferred = make([]*node, len(p.b.nodes)), make([]bool, len(p.b.nodes))
	for _, n := range slices.Backward(p.b.nodes) {
		if !p.live[n.id] || n.op != backends.OpTypeDotGeneral || n.elem() != weft.F32 || n.shape.Size() == 0 {
			continue
		}
		chain, last := p.reshapes(n)
		if last == nil {
			continue
		}
		root := p.onlyUser(last)
		if root == nil || p.epilogues[root.id] != nil || !p.takesEpilogue(root, last) {
			continue
		}
		p.epilogues[root.id] = n
		for _, c := range chain {
			p.deferred[c.id] = true
		}
	}
}

// reshapes follows the only users of a product while they reshape it. last is what is not reshaped any more, nil if it has several users.
func (p *planner) reshapes(n *node) (chain []*node, last *node) {
	for {
		chain = append(chain, n)
		if slices.Contains(p.b.outputs, n) || len(p.consumers[n.id]) == 0 {
			return chain, nil
		}
		c := p.consumers[n.id][0]
		if len(p.consumers[n.id]) > 1 || c.op != backends.OpTypeReshape && c.op != backends.OpTypeIdentity {
			return chain, n
		}
		n = c
	}
}

// takesEpilogue reports whether a kernel computes F32 of F32, from product and a few other tensors, at the product's sizes.
func (p *planner) takesEpilogue(root, product *node) bool {
	if root.elem() != weft.F32 || !sameDims(root.shape, product.shape) {
		return false
	}
	g := newGroup(p.members[root.id], true, product)
	for _, c := range g.code {
		if c.to != weft.F32 && c.to != weft.Bool {
			return false
		}
	}
	return len(g.inputs) <= 1+maxEpilogue && !slices.ContainsFunc(g.inputs, func(n *node) bool { return n.elem() != weft.F32 })
}

// epilogue appends the product whose epilogue the kernel of a node is. It is false, and the product is placed by itself, where strides
// do not let the other tensors be seen in the product's sizes.
func (p *planner) epilogue(n *node, out operand) (bool, error) {
	product := p.epilogues[n.id]
	chain, last := p.reshapes(product)
	m, err := p.matrices(product)
	if err != nil {
		return false, err
	}
	g := newGroup(p.members[n.id], true, last)
	in := []operand{m.x, m.y}
	fits := m.x.layout.Len() > 0
	for _, other := range g.inputs[1:] {
		o := p.placed[other.id][0]
		l, err := o.layout.Broadcast(out.dims()...)
		if err == nil {
			l, err = l.Reshape(m.dims...)
		}
		fits = fits && err == nil
		in = append(in, operand{o.storage, l})
	}
	if !fits {
		for _, c := range chain {
			p.deferred[c.id] = false
			if p.placed[c.id], err = p.place(c); err != nil {
				return false, err
			}
		}
		return false, nil
	}
	if out.layout, err = out.layout.Reshape(m.dims...); err != nil {
		return false, err
	}
	f := compile(g.code, slices.Repeat([]weft.DType{weft.F32}, len(g.inputs)))
	precision := p.precision()
	p.emit(product, func(out, in []*weft.Tensor) error {
		return ops.MatMulInto(out[0], in[0], in[1], precision, ops.Fuse(f, in[2:]...))
	}, out, in...)
	return true, nil
}
