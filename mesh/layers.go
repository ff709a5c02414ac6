package mesh

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/ops"
)

// MLP is the two products of a layer, cut over the ranks: h = activation(x @ up) with a rank's columns of up, and out is the sum over all ranks of h @ down with its rows
// of down. x is [T,D] and the same on each rank, up [D,H/ranks], down [H/ranks,D], and out, which is whole on each rank, [T,D]. A nil activation is none.
//
// Errors: those of ops.MatMul and AllReduce.
func (g *Group) MLP(out, x, up, down []*weft.Tensor, activation *weft.Map) error {
	const op = "mesh: mlp"
	if err := g.usable(op); err != nil {
		return err
	}
	if err := g.checkLayer(op, out, []operands{{"x", x, 2}, {"up", up, 2}, {"down", down, 2}}); err != nil {
		return err
	}
	if err := g.checkProducts(op, out, x, up, down); err != nil {
		return err
	}
	var h []*weft.Tensor
	defer func() { closeAll(h) }()
	for i := range x {
		y, err := weft.Empty(x[i].Device(), x[i].DType(), x[i].Dim(0), up[i].Dim(1))
		if err != nil {
			return err
		}
		h = append(h, y)
	}
	for i := range x {
		if err := ops.MatMulInto(h[i], x[i], up[i], fused(activation)...); err != nil {
			return err
		}
	}
	for i := range h {
		if err := ops.MatMulInto(out[i], h[i], down[i]); err != nil {
			return err
		}
	}
	return g.AllReduce(Sum, out, out)
}

// checkProducts checks that the matrices of MLP fit each other, and that no result is where the second product reads.
func (g *Group) checkProducts(op string, out, x, up, down []*weft.Tensor) error {
	for i := range x {
		tokens, width, inner := x[i].Dim(0), x[i].Dim(1), up[i].Dim(1)
		for _, t := range []struct {
			name string
			t    *weft.Tensor
			want []int
		}{{"up", up[i], []int{width, inner}}, {"down", down[i], []int{inner, down[0].Dim(1)}}, {"out", out[i], []int{tokens, down[0].Dim(1)}}} {
			if !slices.Equal(t.t.Shape(), t.want) {
				return fault.New(fault.ErrShape, op, "the tensor of rank %d has shape %v, want %v", g.ranks[i], t.t.Shape(), t.want).For(t.name)
			}
		}
		if out[i].Overlaps(down[i]) {
			return fault.New(fault.ErrUnsupported, op, "the tensor of rank %d overlaps down", g.ranks[i]).For("out")
		}
	}
	return nil
}

// operands are an argument of a layer: one tensor for each member.
type operands struct {
	name string
	list []*weft.Tensor
	rank int
}

// checkLayer checks the arguments of a layer whose results are summed: that there is a tensor for each member, where it should be, all of one type.
func (g *Group) checkLayer(op string, out []*weft.Tensor, in []operands) error {
	if err := g.checkCall(&call{kind: allReduce, dst: out, src: out}); err != nil {
		return renamed(err, op, "out")
	}
	for _, x := range in {
		if err := g.checkLists(&call{kind: exchange, dst: x.list, src: x.list}); err != nil {
			return renamed(err, op, x.name)
		}
		for i, t := range x.list {
			switch {
			case t.Device() != g.devices[i]:
				return fault.New(fault.ErrDevice, op, "the tensor of rank %d is on %v, want %v", g.ranks[i], t.Device(), g.devices[i]).For(x.name)
			case t.Rank() != x.rank:
				return fault.New(fault.ErrShape, op, "the tensor of rank %d has shape %v, want %s", g.ranks[i], t.Shape(), fault.Count(x.rank, "dimension")).For(x.name)
			case t.DType() != x.list[0].DType():
				return fault.New(fault.ErrArgument, op, "the tensor of rank %d holds %v, that of rank %d %v", g.ranks[i], t.DType(), g.ranks[0], x.list[0].DType()).For(x.name)
			}
		}
	}
	return nil
}

// SequenceMLP is MLP where the rows of x and of out, the tokens, are cut over the ranks, too: they are gathered for the first product and scattered
// after the second, which overlaps with both.
//
// Errors: those of AllGatherMatMul and MatMulReduceScatter.
func (g *Group) SequenceMLP(out, x, up, down []*weft.Tensor, activation *weft.Map) error {
	if err := g.usable("mesh: mlp"); err != nil {
		return err
	}
	var h []*weft.Tensor
	defer func() { closeAll(h) }()
	for i, t := range x {
		if t == nil || i >= len(up) || up[i] == nil || t.Rank() != 2 || up[i].Rank() != 2 {
			return fault.New(fault.ErrArgument, "mesh: mlp", "want a matrix x and a matrix up for each rank")
		}
		y, err := weft.Empty(t.Device(), t.DType(), t.Dim(0)*g.world, up[i].Dim(1))
		if err != nil {
			return err
		}
		h = append(h, y)
	}
	if err := g.allGatherMatMul(h, x, up, activation, nil); err != nil {
		return err
	}
	return g.MatMulReduceScatter(out, h, down)
}

// fused is the option for an activation.
func fused(activation *weft.Map) []ops.MatMulOption {
	if activation == nil {
		return nil
	}
	return []ops.MatMulOption{ops.Fuse(activation)}
}

// HeadsAttention is attention whose heads are cut over the ranks, with the product after it: q, k and v are a rank's heads, [B,heads/ranks,S,D], w its rows of the product's
// matrix, [heads/ranks·D,N], and out, the sum over all ranks, [B,S,N], whole on each.
//
// Errors: those of ops.Attention, ops.MatMul and AllReduce.
func (g *Group) HeadsAttention(out, q, k, v, w []*weft.Tensor, options ...ops.AttentionOption) error {
	const op = "mesh: attention"
	if err := g.usable(op); err != nil {
		return err
	}
	if err := g.checkLayer(op, out, []operands{{"q", q, 4}, {"k", k, 4}, {"v", v, 4}, {"w", w, 2}}); err != nil {
		return err
	}
	for i := range q {
		if err := g.checkHeads(op, i, out[i], q[i], w[i]); err != nil {
			return err
		}
	}
	var views views
	defer views.close()
	var flat []*weft.Tensor
	for i, t := range q { // into memory of their own first: only what fits writes to out
		s := t.Shape()
		rows := views.keep(weft.Empty(t.Device(), t.DType(), s[0], s[2], s[1], s[3])) // the heads of a token together
		if views.err != nil {
			return views.err
		}
		heads, joined := views.keep(rows.Permute(0, 2, 1, 3)), views.keep(rows.Reshape(s[0], s[2], s[1]*s[3]))
		if views.err != nil {
			return views.err
		}
		if err := ops.AttentionInto(heads, t, k[i], v[i], options...); err != nil {
			return err
		}
		flat = append(flat, joined)
	}
	for i, rows := range flat {
		if err := ops.MatMulInto(out[i], rows, w[i]); err != nil {
			return err
		}
	}
	return g.AllReduce(Sum, out, out)
}

// checkHeads checks what HeadsAttention multiplies for a member.
func (g *Group) checkHeads(op string, i int, out, q, w *weft.Tensor) error {
	s := q.Shape()
	if !slices.Equal(out.Shape(), []int{s[0], s[2], w.Dim(1)}) || w.Dim(0) != s[1]*s[3] {
		return fault.New(fault.ErrShape, op, "rank %d: q %v, w %v and out %v do not fit", g.ranks[i], s, w.Shape(), out.Shape())
	}
	if out.Overlaps(w) {
		return fault.New(fault.ErrUnsupported, op, "the tensor of rank %d overlaps w", g.ranks[i]).For("out")
	}
	return nil
}
