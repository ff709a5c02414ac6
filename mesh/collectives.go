package mesh

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
)

// AllReduce writes the reduction of all ranks' src to dst of every rank. dst and src are one tensor for each member of the
// group, of any view; they may be the same.
//
// Errors of all collectives: ErrArgument for nil, too few or too many tensors and several element types; ErrShape; ErrDevice; ErrClosed; ErrOutOfMemory;
// ErrUnsupported for a result that repeats elements or overlaps its operand; ErrCanceled if a peer was lost or too late, which ends the group.
// Nothing was started then, on any member.
func (g *Group) AllReduce(r Reduction, dst, src []*weft.Tensor) error {
	return g.run(&call{kind: allReduce, reduce: r, dst: dst, src: src})
}

// AllGather writes the src of all ranks, one after the other along dimension 0, to dst of every rank.
func (g *Group) AllGather(dst, src []*weft.Tensor) error {
	return g.run(&call{kind: allGather, dst: dst, src: src})
}

// ReduceScatter writes to dst of each rank its part of the reduction of all src. Parts are equal, along dimension 0.
func (g *Group) ReduceScatter(r Reduction, dst, src []*weft.Tensor) error {
	return g.run(&call{kind: reduceScatter, reduce: r, dst: dst, src: src})
}

// AllToAll writes to dst of each rank, one after the other along dimension 0, the parts for it of all src: part i of a rank's
// src is for rank i.
func (g *Group) AllToAll(dst, src []*weft.Tensor) error {
	return g.run(&call{kind: allToAll, dst: dst, src: src})
}

// Broadcast writes the tensor of rank root to those of all ranks.
func (g *Group) Broadcast(root int, tensors []*weft.Tensor) error {
	return g.run(&call{kind: broadcast, root: root, dst: tensors, src: tensors})
}

// Transfer is a tensor sent from one rank to another. Src is nil where From is not a member here, Dst where To is not.
type Transfer struct {
	From, To int
	Src, Dst *weft.Tensor
}

// any is one of the two tensors, both of which are alike.
func (t Transfer) any() *weft.Tensor {
	if t.Dst != nil {
		return t.Dst
	}
	return t.Src
}

func (t Transfer) elem() weft.DType { return t.any().DType() }
func (t Transfer) len() int         { return t.any().Len() }

// Exchange sends tensors between ranks, all at once: no Dst may overlap another one, or what a transfer sends. Every process that has the sender or the
// receiver of one lists it, in the same order for each two ranks.
func (g *Group) Exchange(transfers ...Transfer) error {
	return g.run(&call{kind: exchange, elem: weft.U8, transfers: slices.Clone(transfers)})
}

// checkTransfers is checkCall for an exchange. Transfers between other processes are left out.
func (g *Group) checkTransfers(c *call) error {
	c.transfers = slices.DeleteFunc(c.transfers, func(t Transfer) bool {
		return t.From >= 0 && t.From < g.world && t.To >= 0 && t.To < g.world && !slices.Contains(g.ranks, t.From) && !slices.Contains(g.ranks, t.To)
	})
	for n, t := range c.transfers {
		fail := func(kind error, format string, args ...any) error {
			return fault.New(kind, c.op(), "transfer %d, from rank %d to rank %d: "+format, append([]any{n, t.From, t.To}, args...)...)
		}
		for _, end := range []struct {
			name string
			rank int
			t    *weft.Tensor
		}{{"Src", t.From, t.Src}, {"Dst", t.To, t.Dst}} {
			at := slices.Index(g.ranks, end.rank)
			switch {
			case end.rank < 0 || end.rank >= g.world:
				return fail(fault.ErrArgument, "the group has ranks 0 to %d", g.world-1)
			case (at >= 0) != (end.t != nil):
				return fail(fault.ErrArgument, "%s is wanted if its rank is a member here, and only then", end.name)
			case at < 0:
			case end.t.Closed():
				return fail(fault.ErrClosed, "%s or its device is closed", end.name)
			case end.t.Device() != g.devices[at]:
				return fail(fault.ErrDevice, "%s is on %v, want %v", end.name, end.t.Device(), g.devices[at])
			case end.name == "Dst" && !end.t.Layout().IsInjective():
				return fail(fault.ErrUnsupported, "the layout %v repeats elements, so it cannot be written", end.t.Layout())
			}
		}
		if t.Src != nil && t.Dst != nil {
			switch {
			case t.Src.DType() != t.Dst.DType():
				return fail(fault.ErrArgument, "Src holds %v, Dst %v", t.Src.DType(), t.Dst.DType())
			case t.Src.Len() != t.Dst.Len():
				return fail(fault.ErrShape, "Src has shape %v, Dst %v", t.Src.Shape(), t.Dst.Shape())
			}
		}
		c.count += t.len() * t.elem().Size()
	}
	return c.checkOverlaps()
}

// checkOverlaps refuses a result of an exchange that overlaps what a transfer sends or another result: all transfers are at once.
func (c *call) checkOverlaps() error {
	for n, t := range c.transfers {
		for m, u := range c.transfers {
			other := ""
			switch {
			case t.Dst == nil:
			case u.Src != nil && u.From == t.To && t.Dst.Overlaps(u.Src):
				other = "Src"
			case u.Dst != nil && u.To == t.To && m < n && t.Dst.Overlaps(u.Dst):
				other = "Dst"
			}
			if other != "" {
				return fault.New(fault.ErrUnsupported, c.op(), "transfer %d, from rank %d to rank %d: Dst overlaps %s of transfer %d", n, t.From, t.To, other, m)
			}
		}
	}
	return nil
}
