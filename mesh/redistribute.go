package mesh

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
)

// Redistribute is the tensor with other placements, as a new one:
//
//	Shard to Replicate      all-gather
//	Partial to Replicate    all-reduce
//	Partial to Shard        reduce-scatter
//	Shard to another Shard  all-to-all
//	Replicate to Shard      each rank keeps its part
//	Replicate to Partial    the first rank keeps all, the others 0
//
// Placements of several dimensions of the mesh change one after the other. Where two cut one dimension of the tensor, the inner one is gathered while the
// outer changes.
//
// Errors: ErrArgument; ErrUnsupported for a Partial of a reduction other than a sum that the tensor does not have yet; those of the collectives.
func (t *Tensor) Redistribute(placements ...Placement) (*Tensor, error) {
	const op = "mesh: redistribute"
	if t == nil || len(t.locals) == 0 {
		return nil, fault.New(fault.ErrArgument, op, "the tensor is nil")
	}
	if err := t.mesh.checkPlacements(op, len(t.shape), placements); err != nil {
		return nil, err
	}
	now := &Tensor{t.mesh, t.shape, t.elem, slices.Clone(t.placements), make([]*weft.Tensor, len(t.locals))}
	for i, l := range t.locals {
		var err error
		if now.locals[i], err = l.Slices(); err != nil {
			closeAll(now.locals[:i])
			return nil, err
		}
	}
	for _, s := range steps(t.placements, placements) {
		locals, err := now.step(op, s)
		if err != nil {
			now.Close()
			return nil, err
		}
		closeAll(now.locals)
		now.locals, now.placements[s.dim] = locals, s.to
	}
	return now, nil
}

// change is one step of a redistribution: of one dimension of the mesh.
type change struct {
	dim int
	to  Placement
}

// steps lists the changes that lead from placements to others. A change from or to Shard needs that no later dimension of the mesh cuts the same
// dimension of the tensor: such cuts are gathered before, from the last on, and made again after it.
func steps(from, to []Placement) (list []change) {
	now := slices.Clone(from)
	apply := func(i int, p Placement) {
		if now[i] != p {
			now[i] = p
			list = append(list, change{i, p})
		}
	}
	for i := len(now) - 1; i >= 0; i-- {
		for outer := range i {
			if now[i].kind == sharded && now[outer] != to[outer] && (now[outer] == now[i] || to[outer] == now[i]) {
				apply(i, Replicate)
			}
		}
	}
	for i := range now {
		apply(i, to[i])
	}
	return list
}

// step makes the locals of the tensor with one placement changed.
func (t *Tensor) step(op string, s change) ([]*weft.Tensor, error) {
	from := t.placements[s.dim]
	locals := make([]*weft.Tensor, len(t.locals))
	err := t.mesh.lines(s.dim, func(g *Group, members []int) error {
		in := pick(t.locals, members)
		out, err := g.convert(op, in, t.line(s.dim, members[0]), from, s.to)
		for i, m := range members {
			if err == nil {
				locals[m] = out[i]
			}
		}
		return err
	})
	if err != nil {
		closeAll(locals)
		return nil, err
	}
	return locals, nil
}

// line is the shape of what the ranks along a dimension of the mesh hold together.
func (t *Tensor) line(dim, member int) []int {
	m := t.mesh
	others := slices.Clone(t.placements)
	others[dim] = Replicate
	return sizesOf(m.extents(t.shape, others, m.At(m.group.ranks[member])))
}

// convert changes the placement of a tensor of a shape over the ranks of a group.
func (g *Group) convert(op string, in []*weft.Tensor, shape []int, from, to Placement) ([]*weft.Tensor, error) {
	switch {
	case from.kind == sharded && to.kind == sharded:
		return g.reshard(in, shape, from.dim, to.dim)
	case from.kind == partial && to.kind == sharded:
		return g.scatterSum(in, shape, from.reduce, to.dim)
	case from.kind == partial && to.kind == replicated:
		out, err := g.newTensors(in[0].DType(), func(int) []int { return shape })
		if err == nil {
			err = g.AllReduce(from.reduce, out, in)
		}
		return out, closeOn(err, out)
	case from.kind == sharded && to.kind == replicated:
		return g.gatherShards(in, shape, from.dim)
	case from.kind == replicated && to.kind == sharded:
		return g.local(in, func(i, rank int) (*weft.Tensor, error) { return keep(in[i], to.dim, rank, g.world) })
	case from.kind == replicated && to.kind == partial && to.reduce == Sum:
		return g.local(in, func(i, rank int) (*weft.Tensor, error) {
			if rank == 0 {
				return in[i].Slices()
			}
			return weft.Zeros(in[i].Device(), in[i].DType(), shape...)
		})
	case to.kind == partial && to.reduce != Sum:
		return nil, fault.New(fault.ErrUnsupported, op, "%v cannot become %v, only Partial(sum)", from, to)
	}
	whole, err := g.convert(op, in, shape, from, Replicate)
	if err != nil {
		return nil, err
	}
	defer closeAll(whole)
	return g.convert(op, whole, shape, Replicate, to)
}

// closeOn closes tensors if there is an error, which it returns.
func closeOn(err error, tensors []*weft.Tensor) error {
	if err != nil {
		closeAll(tensors)
	}
	return err
}

// local makes each member's tensor of its own alone.
func (g *Group) local(in []*weft.Tensor, f func(i, rank int) (*weft.Tensor, error)) ([]*weft.Tensor, error) {
	out := make([]*weft.Tensor, len(in))
	for i := range in {
		var err error
		if out[i], err = f(i, g.ranks[i]); err != nil {
			closeAll(out)
			return nil, err
		}
	}
	return out, nil
}

// newTensors are new dense tensors, one for each member, of the shape of its rank.
func (g *Group) newTensors(elem weft.DType, shape func(rank int) []int) ([]*weft.Tensor, error) {
	return g.local(make([]*weft.Tensor, len(g.devices)), func(i, rank int) (*weft.Tensor, error) {
		return weft.Empty(g.devices[i], elem, shape(rank)...)
	})
}

// keep is a copy of a rank's part along a dimension.
func keep(t *weft.Tensor, dim, rank, n int) (*weft.Tensor, error) {
	e := extent{0, t.Dim(dim)}.cut(rank, n)
	part, err := t.Slice(dim, e.from, e.to)
	if err != nil {
		return nil, err
	}
	defer part.Close()
	return part.To(part.Device())
}

// with is a shape with another size of one dimension.
func with(shape []int, dim, n int) []int {
	shape = slices.Clone(shape)
	shape[dim] = n
	return shape
}

// even reports whether all ranks have as much of a dimension.
func (g *Group) even(shape []int, dim int) bool { return shape[dim]%g.world == 0 }

// first moves a dimension to the front.
func first(t *weft.Tensor, dim int) (*weft.Tensor, error) {
	order := []int{dim}
	for d := range t.Rank() {
		if d != dim {
			order = append(order, d)
		}
	}
	return t.Permute(order...)
}

// firsts is first for each of several tensors; the views are for the caller to close.
func firsts(list []*weft.Tensor, dim int) ([]*weft.Tensor, error) {
	return each(list, func(t *weft.Tensor) (*weft.Tensor, error) { return first(t, dim) })
}

// gatherShards makes whole tensors of their shards.
func (g *Group) gatherShards(in []*weft.Tensor, shape []int, dim int) ([]*weft.Tensor, error) {
	out, err := g.newTensors(in[0].DType(), func(int) []int { return shape })
	if err != nil {
		return nil, err
	}
	if !g.even(shape, dim) {
		return out, closeOn(g.swap(out, in, func(sender, _ int) (src, dst []extent) {
			whole := whole(shape)
			whole[dim] = extent{0, shape[dim]}.cut(sender, g.world)
			return nil, whole
		}), out)
	}
	to, err := firsts(out, dim)
	if err != nil {
		return nil, closeOn(err, out)
	}
	defer closeAll(to)
	from, err := firsts(in, dim)
	if err != nil {
		return nil, closeOn(err, out)
	}
	defer closeAll(from)
	return out, closeOn(g.AllGather(to, from), out)
}

// scatterSum gives each rank its shard of a reduction.
func (g *Group) scatterSum(in []*weft.Tensor, shape []int, r Reduction, dim int) ([]*weft.Tensor, error) {
	if !g.even(shape, dim) {
		whole, err := g.convert("", in, shape, Partial(r), Replicate)
		if err != nil {
			return nil, err
		}
		defer closeAll(whole)
		return g.convert("", whole, shape, Replicate, Shard(dim))
	}
	out, err := g.newTensors(in[0].DType(), func(int) []int { return with(shape, dim, shape[dim]/g.world) })
	if err != nil {
		return nil, err
	}
	to, err := firsts(out, dim)
	if err != nil {
		return nil, closeOn(err, out)
	}
	defer closeAll(to)
	from, err := firsts(in, dim)
	if err != nil {
		return nil, closeOn(err, out)
	}
	defer closeAll(from)
	return out, closeOn(g.ReduceScatter(r, to, from), out)
}

// reshard cuts along another dimension.
func (g *Group) reshard(in []*weft.Tensor, shape []int, from, to int) ([]*weft.Tensor, error) {
	rows, columns := extent{0, shape[from]}, extent{0, shape[to]}
	out, err := g.newTensors(in[0].DType(), func(rank int) []int { return with(shape, to, columns.cut(rank, g.world).len()) })
	if err != nil {
		return nil, err
	}
	return out, closeOn(g.swap(out, in, func(sender, receiver int) (src, dst []extent) {
		src = whole(with(shape, from, rows.cut(sender, g.world).len()))
		src[to] = columns.cut(receiver, g.world)
		dst = whole(with(shape, to, columns.cut(receiver, g.world).len()))
		dst[from] = rows.cut(sender, g.world)
		return src, dst
	}), out)
}

// whole are the ranges of all of a shape.
func whole(shape []int) []extent {
	list := make([]extent, len(shape))
	for d, n := range shape {
		list[d] = extent{0, n}
	}
	return list
}

// swap sends a part of each rank's tensor to each rank. ranges says which part of the sender's it is, nil for all, and where it belongs in
// the receiver's.
func (g *Group) swap(out, in []*weft.Tensor, ranges func(sender, receiver int) (src, dst []extent)) error {
	var transfers []Transfer
	defer func() {
		for _, t := range transfers {
			closeAll([]*weft.Tensor{t.Src, t.Dst})
		}
	}()
	for sender := range g.world {
		for receiver := range g.world {
			src, dst := ranges(sender, receiver)
			if slices.Contains(sizesOf(dst), 0) {
				continue
			}
			t := Transfer{From: sender, To: receiver}
			var err error
			if i := slices.Index(g.ranks, sender); i >= 0 {
				if src == nil {
					src = whole(in[i].Shape())
				}
				if t.Src, err = slice(in[i], src); err != nil {
					return err
				}
			}
			if i := slices.Index(g.ranks, receiver); i >= 0 {
				if t.Dst, err = slice(out[i], dst); err != nil {
					closeAll([]*weft.Tensor{t.Src})
					return err
				}
			}
			if t.Src != nil || t.Dst != nil {
				transfers = append(transfers, t)
			}
		}
	}
	return g.Exchange(transfers...)
}
