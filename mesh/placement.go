package mesh

import (
	"fmt"

	"github.com/weftgpu/weft/fault"
)

// Placement says what the ranks along one dimension of a mesh hold of a tensor. The zero value is Replicate.
type Placement struct {
	kind   placementKind
	dim    int
	reduce Reduction
}

type placementKind uint8

const (
	replicated placementKind = iota
	sharded
	partial
)

// Replicate is a tensor that every rank has whole.
var Replicate = Placement{}

// Shard is a tensor that is cut along a dimension. Of n elements each rank has ⌈n/ranks⌉; the last ones have what is left, which may be nothing. Where several
// dimensions of the mesh cut one of the tensor, each cuts what those before it have left.
func Shard(dim int) Placement { return Placement{kind: sharded, dim: dim} }

// Partial is a tensor of which every rank has a part of the shape of the whole, which is the reduction of the parts.
func Partial(r Reduction) Placement { return Placement{kind: partial, reduce: r} }

// String is the placement as it is written, such as "Shard(0)".
func (p Placement) String() string {
	switch p.kind {
	case sharded:
		return fmt.Sprintf("Shard(%d)", p.dim)
	case partial:
		return fmt.Sprintf("Partial(%v)", p.reduce)
	}
	return "Replicate"
}

// checkPlacements checks one placement for each dimension of a mesh, for a tensor of a rank.
func (m *Mesh) checkPlacements(op string, rank int, placements []Placement) error {
	if m == nil || m.group == nil {
		return fault.New(fault.ErrArgument, op, "the mesh is nil").For("m")
	}
	if len(placements) != len(m.sizes) {
		return fault.New(fault.ErrArgument, op, "%s given, the mesh has %s", fault.Count(len(placements), "placement"), fault.Count(len(m.sizes), "dimension"))
	}
	var reduces *Placement
	for i := range placements {
		p := &placements[i]
		switch {
		case p.kind == sharded && (p.dim < 0 || p.dim >= rank):
			return fault.New(fault.ErrArgument, op, "%v of a tensor of %s", *p, fault.Count(rank, "dimension"))
		case p.kind == partial && p.reduce > Min:
			return fault.New(fault.ErrArgument, op, "the %v is unknown", p.reduce)
		case p.kind == partial && reduces != nil && *reduces != *p:
			return fault.New(fault.ErrArgument, op, "both %v and %v, whose order is not defined", *reduces, *p)
		case p.kind == partial:
			reduces = p
		}
	}
	return nil
}

// extent is a range of a dimension.
type extent struct{ from, to int }

func (e extent) len() int { return e.to - e.from }

// cut is part i of n of the range.
func (e extent) cut(i, n int) extent {
	size := (e.len() + n - 1) / n
	from := min(e.from+i*size, e.to)
	return extent{from, min(from+size, e.to)}
}

// extents are what the rank at some coordinates has of each dimension of a tensor.
func (m *Mesh) extents(shape []int, placements []Placement, at []int) []extent {
	list := make([]extent, len(shape))
	for d, n := range shape {
		list[d] = extent{0, n}
	}
	for i, p := range placements {
		if p.kind == sharded {
			list[p.dim] = list[p.dim].cut(at[i], m.sizes[i])
		}
	}
	return list
}

func sizesOf(list []extent) []int {
	shape := make([]int, len(list))
	for d, e := range list {
		shape[d] = e.len()
	}
	return shape
}
