package gomlx

import (
	"slices"

	"github.com/gomlx/gomlx/backends"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// matrices are the operands of a product as batches of matrices, and the sizes of its result as that.
type matrices struct {
	x, y operand
	dims []int
}

// matrices orders the axes of a product's operands.
func (p *planner) matrices(n *node) (m matrices, err error) {
	a := n.attrs.(*dotAttrs)
	x, y := p.in(n, 0), p.in(n, 1)
	sizes := func(o operand, axes []int) int { return volume(pick(o.dims(), axes)) }
	rows, columns := a.free(0, x.layout.Rank()), a.free(1, y.layout.Rank())
	b, r, k, c := sizes(x, a.batch[0]), sizes(x, rows), sizes(x, a.contract[0]), sizes(y, columns)
	if m.x, err = p.matrix(n, x, a.batch[0], rows, a.contract[0], b, r, k); err != nil {
		return m, err
	}
	m.y, err = p.matrix(n, y, a.batch[1], a.contract[1], columns, b, k, c)
	m.dims = []int{b, r, c}
	return m, err
}

// placeDot is a batch of products of matrices.
func (p *planner) placeDot(n *node) (operand, error) {
	if x := p.in(n, 0); multiplies(x.elem) && x.layout.Len() > 0 && n.shape.Size() > 0 {
		a := n.attrs.(*dotAttrs)
		out, err := p.productResult(n)
		p.dot(n, out, x, p.in(n, 1), ops.DotDims{Batch: a.batch, Contract: a.contract})
		return out, err
	}
	out, err := p.result(n)
	if err != nil || out.len == 0 {
		return out, err
	}
	m, err := p.matrices(n)
	if err != nil {
		return out, err
	}
	to := out
	if to.layout, err = out.layout.Reshape(m.dims...); err != nil {
		return out, err
	}
	return out, p.product(n, to, m.x, m.y)
}

// precision is that of products of F32.
func (p *planner) precision() ops.PrecisionOption { return ops.Precision(p.b.backend.precision) }

// productResult is a temporary for a product, in the order that its only user transposes it to: products write any order, and what
// comes after them reads its own.
func (p *planner) productResult(n *node) (operand, error) {
	users := p.consumers[n.id]
	if len(users) != 1 || users[0].op != backends.OpTypeTranspose || slices.Contains(p.b.outputs, n) {
		return p.result(n)
	}
	order := users[0].attrs.([]int)
	out, err := p.temp(n.elem(), pick(n.shape.Dimensions, order)...)
	if err != nil {
		return out, err
	}
	back := make([]int, len(order))
	for i, d := range order {
		back[d] = i
	}
	return permute(out, back...)
}

// dot appends a product of floats.
func (p *planner) dot(n *node, out, x, y operand, dims ops.DotDims) {
	precision := p.precision()
	p.emit(n, func(out, in []*weft.Tensor) error { return ops.DotGeneralInto(out[0], in[0], in[1], dims, precision) }, out, x, y)
}

// matrix orders the axes of an operand to batches, rows and columns.
func (p *planner) matrix(n *node, x operand, batch, rows, columns []int, b, r, c int) (operand, error) {
	x, err := permute(x, slices.Concat(batch, rows, columns)...)
	if err != nil {
		return x, err
	}
	return p.reshape(n, x, b, r, c)
}

// product appends the step of out = x @ y, batches of matrices.
func (p *planner) product(n *node, out, x, y operand) error {
	if x.layout.Len() == 0 {
		zero, err := p.number(out.elem, 0)
		p.copy(n, out, zero)
		return err
	}
	precision := p.precision()
	run := func(out, in []*weft.Tensor) error { return ops.MatMulInto(out[0], in[0], in[1], precision) }
	if !multiplies(x.elem) {
		cfg := plainDotConfig{Elem: x.elem, Rows: min(ceilPow2(x.layout.Size(1)), 16), Columns: min(ceilPow2(y.layout.Size(2)), 64)}
		run = func(out, in []*weft.Tensor) error { return plainDotKernel.Launch(cfg, in[0], in[1], out[0]) }
	}
	p.emit(n, run, out, x, y)
	return nil
}

// multiplies reports whether MatMul takes a type and gives results of it.
func multiplies(t weft.DType) bool { return t.IsFloat() }

type plainDotConfig struct {
	Elem          weft.DType
	Rows, Columns int
}

// plainDotKernel multiplies matrices of any type, one outer product after the other.
var plainDotKernel = weft.NewKernel("plain_dot", func(k *tile.Builder, cfg plainDotConfig) {
	x, y, out := k.In("x", cfg.Elem, 3), k.In("y", cfg.Elem, 3), k.Out("out", cfg.Elem, 3)
	at := k.ProgramTile(out, 1, cfg.Rows, cfg.Columns)
	left, right := x.Block(1, cfg.Rows, 1).Squeeze(0), y.Block(1, 1, cfg.Columns).Squeeze(0)
	sum := k.Var(k.Zeros(cfg.Elem, cfg.Rows, cfg.Columns))
	for i := range k.Range(x.Dim(2)) {
		sum.Set(sum.Get().Add(left.Load(at[0], at[1], i).Mul(right.Load(at[0], i, at[2]))))
	}
	out.Block(1, cfg.Rows, cfg.Columns).Squeeze(0).Store(sum.Get(), at...)
})
