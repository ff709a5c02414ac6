package mesh

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
)

// Mesh arranges the ranks of a group in dimensions, in row-major order: rank 5 of a mesh of 2 by 4 is at (1, 1).
type Mesh struct {
	group *Group
	sizes []int
	names []string
}

// NewMesh arranges the ranks of a group. Names, if given, are those of the dimensions.
//
// Errors: ErrShape if the sizes do not multiply to the group's, ErrArgument for names that are not one for each dimension, empty or there twice.
func NewMesh(g *Group, sizes []int, names ...string) (*Mesh, error) {
	const op = "mesh: new mesh"
	if err := g.usable(op); err != nil {
		return nil, err
	}
	n := 1
	for _, s := range sizes {
		n *= max(s, 0)
	}
	if n != g.world || len(sizes) == 0 {
		return nil, fault.New(fault.ErrShape, op, "sizes %v for a group of %s", sizes, fault.Count(g.world, "rank"))
	}
	if len(names) != 0 && len(names) != len(sizes) {
		return nil, fault.New(fault.ErrArgument, op, "%s given for %s", fault.Count(len(names), "name"), fault.Count(len(sizes), "dimension"))
	}
	for i, name := range names {
		if name == "" || slices.Contains(names[:i], name) {
			return nil, fault.New(fault.ErrArgument, op, "names %q, want different ones that are not empty", names)
		}
	}
	return &Mesh{g, slices.Clone(sizes), slices.Clone(names)}, nil
}

// Group is the group of all ranks.
func (m *Mesh) Group() *Group { return m.group }

// Sizes of the dimensions.
func (m *Mesh) Sizes() []int { return slices.Clone(m.sizes) }

// Dim is the number of the dimension with a name, -1 for none.
func (m *Mesh) Dim(name string) int { return slices.Index(m.names, name) }

// At are the coordinates of a rank.
func (m *Mesh) At(rank int) []int {
	at := make([]int, len(m.sizes))
	for d := len(m.sizes) - 1; d >= 0; d-- {
		at[d] = rank % m.sizes[d]
		rank /= m.sizes[d]
	}
	return at
}

// line are the ranks that differ from one in a dimension only, in the order of that.
func (m *Mesh) line(rank, dim int) []int {
	step := 1
	for _, s := range m.sizes[dim+1:] {
		step *= s
	}
	first := rank - m.At(rank)[dim]*step
	ranks := make([]int, m.sizes[dim])
	for i := range ranks {
		ranks[i] = first + i*step
	}
	return ranks
}

// Along is the group of the ranks that differ from a given one in one dimension only. The mesh's group keeps it.
func (m *Mesh) Along(dim, rank int) (*Group, error) {
	const op = "mesh: along"
	if m == nil || m.group == nil {
		return nil, fault.New(fault.ErrArgument, op, "the mesh is nil")
	}
	if dim < 0 || dim >= len(m.sizes) || rank < 0 || rank >= m.group.world {
		return nil, fault.New(fault.ErrArgument, op, "dimension %d and rank %d of a mesh of %v", dim, rank, m.sizes)
	}
	return m.along(dim, rank)
}

func (m *Mesh) along(dim, rank int) (*Group, error) {
	if m.sizes[dim] == m.group.world {
		return m.group, nil
	}
	return m.group.Sub(m.line(rank, dim)...)
}

// lines calls f for each line of ranks along a dimension with the group of the line and the members' positions in the mesh's group.
func (m *Mesh) lines(dim int, f func(g *Group, members []int) error) error {
	done := make([]bool, m.group.world)
	for rank := range m.group.world {
		if done[rank] {
			continue
		}
		var members []int
		for _, r := range m.line(rank, dim) {
			done[r] = true
			if at := slices.Index(m.group.ranks, r); at >= 0 {
				members = append(members, at)
			}
		}
		g, err := m.along(dim, rank)
		if err != nil {
			return err
		}
		if g == nil {
			continue
		}
		if err := f(g, members); err != nil {
			return err
		}
	}
	return nil
}

// pick are the tensors of some members.
func pick(list []*weft.Tensor, members []int) []*weft.Tensor {
	some := make([]*weft.Tensor, len(members))
	for i, m := range members {
		some[i] = list[m]
	}
	return some
}
