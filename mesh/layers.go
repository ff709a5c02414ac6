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
	return g.layer("mesh: mlp", out, x, up, func(i int, h *weft.Tensor) error {
		return ops.MatMulInto(h, x[i], up[i], fused(activation)...)
	}, func(h []*weft.Tensor) error {
		for i := range h {
			if err := ops.MatMulInto(out[i], h[i], down[i]); err != nil {
				return err
			}
		}
		return g.AllReduce(Sum, out, out)
	})
}

// SequenceMLP is MLP where the rows of x and of out, the tokens, are cut over the ranks, too: they are gathered for the first product and scattered
// after the second, which overlaps with both.
//
// Errors: those of AllGatherMatMul and MatMulReduceScatter.
func (g *Group) SequenceMLP(out, x, up, down []*weft.Tensor, activation *weft.Map) error {
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

// layer makes each member's inner tensor, with the rows of x and the columns of w, and goes on with them.
func (g *Group) layer(op string, out, x, w []*weft.Tensor, inner func(i int, h *weft.Tensor) error, rest func(h []*weft.Tensor) error) error {
	if err := g.usable(op); err != nil {
		return err
	}
	for name, list := range map[string][]*weft.Tensor{"out": out, "x": x, "up": w} {
		if err := g.checkLists(&call{kind: exchange, dst: list, src: list}); err != nil {
			return renamed(err, op, name)
		}
	}
	var h []*weft.Tensor
	defer func() { closeAll(h) }()
	for i := range x {
		if x[i].Rank() != 2 || w[i].Rank() != 2 {
			return fault.New(fault.ErrShape, op, "shapes %v and %v, want matrices", x[i].Shape(), w[i].Shape())
		}
		y, err := weft.Empty(x[i].Device(), x[i].DType(), x[i].Dim(0), w[i].Dim(1))
		if err != nil {
			return err
		}
		h = append(h, y)
		if err := inner(i, y); err != nil {
			return err
		}
	}
	return rest(h)
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
	for name, list := range map[string][]*weft.Tensor{"out": out, "q": q, "k": k, "v": v, "w": w} {
		if err := g.checkLists(&call{kind: exchange, dst: list, src: list}); err != nil {
			return renamed(err, op, name)
		}
	}
	for i := range q {
		if err := headsProduct(out[i], q[i], k[i], v[i], w[i], options); err != nil {
			return err
		}
	}
	return g.AllReduce(Sum, out, out)
}

// headsProduct is one rank's part of HeadsAttention.
func headsProduct(out, q, k, v, w *weft.Tensor, options []ops.AttentionOption) error {
	const op = "mesh: attention"
	s := q.Shape()
	if len(s) != 4 || out.Rank() != 3 || w.Rank() != 2 || !slices.Equal(out.Shape(), []int{s[0], s[2], w.Dim(1)}) || w.Dim(0) != s[1]*s[3] {
		return fault.New(fault.ErrShape, op, "q %v, w %v and out %v do not fit", s, w.Shape(), out.Shape())
	}
	rows, err := weft.Empty(q.Device(), q.DType(), s[0], s[2], s[1], s[3]) // the heads of a token together
	if err != nil {
		return err
	}
	defer rows.Close()
	heads, err := rows.Permute(0, 2, 1, 3)
	if err != nil {
		return err
	}
	defer heads.Close()
	if err := ops.AttentionInto(heads, q, k, v, options...); err != nil {
		return err
	}
	flat, err := rows.Reshape(s[0], s[2], s[1]*s[3])
	if err != nil {
		return err
	}
	defer flat.Close()
	return ops.MatMulInto(out, flat, w)
}
