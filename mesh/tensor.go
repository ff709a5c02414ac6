package mesh

import (
	"errors"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
)

// Tensor is a tensor on a mesh: a shape, a placement for each dimension of the mesh, and what each member holds of it.
type Tensor struct {
	mesh       *Mesh
	shape      []int
	elem       weft.DType
	placements []Placement
	locals     []*weft.Tensor
}

// FromLocal makes a tensor of what the members hold, which it takes over. shape is that of the whole.
//
// Errors: ErrArgument, ErrShape for a local tensor whose shape does not follow from the placements, ErrDevice.
func FromLocal(m *Mesh, shape []int, placements []Placement, locals ...*weft.Tensor) (*Tensor, error) {
	const op = "mesh: from local"
	if err := m.checkPlacements(op, len(shape), placements); err != nil {
		return nil, err
	}
	g := m.group
	if len(locals) != len(g.devices) {
		return nil, fault.New(fault.ErrArgument, op, "%s given, the group has %s here", fault.Count(len(locals), "tensor"), fault.Count(len(g.devices), "device"))
	}
	for i, l := range locals {
		if l == nil || l.Device() != g.devices[i] {
			return nil, fault.New(fault.ErrDevice, op, "the tensor of rank %d is not on %v", g.ranks[i], g.devices[i])
		}
		want := sizesOf(m.extents(shape, placements, m.At(g.ranks[i])))
		if !slices.Equal(l.Shape(), want) {
			return nil, fault.New(fault.ErrShape, op, "the tensor of rank %d has shape %v, want %v of %v", g.ranks[i], l.Shape(), want, shape)
		}
		if l.DType() != locals[0].DType() {
			return nil, fault.New(fault.ErrArgument, op, "the tensor of rank %d holds %v, that of rank %d %v", g.ranks[i], l.DType(), g.ranks[0], locals[0].DType())
		}
	}
	return &Tensor{m, slices.Clone(shape), locals[0].DType(), slices.Clone(placements), slices.Clone(locals)}, nil
}

// Distribute makes a tensor on a mesh of one that is on any device. In a group with other processes each of them gives the same tensor.
// Of a Partial tensor the first rank has all, and the others what changes nothing: 0 of a sum.
//
// Errors: ErrArgument; ErrUnsupported for a Partial of a reduction other than a sum.
func Distribute(m *Mesh, t *weft.Tensor, placements ...Placement) (*Tensor, error) {
	const op = "mesh: distribute"
	if t == nil || t.Closed() {
		return nil, fault.New(fault.ErrArgument, op, "the tensor is nil or closed").For("t")
	}
	if err := m.checkPlacements(op, t.Rank(), placements); err != nil {
		return nil, err
	}
	locals := make([]*weft.Tensor, len(m.group.devices))
	for i, d := range m.group.devices {
		var err error
		if locals[i], err = m.part(op, t, placements, m.group.ranks[i], d); err != nil {
			closeAll(locals)
			return nil, err
		}
	}
	return &Tensor{m, t.Shape(), t.DType(), slices.Clone(placements), locals}, nil
}

// part is a rank's part of a whole tensor, as a new one on a device.
func (m *Mesh) part(op string, t *weft.Tensor, placements []Placement, rank int, dev *weft.Device) (*weft.Tensor, error) {
	at := m.At(rank)
	for i, p := range placements {
		if p.kind != partial {
			continue
		}
		if p.reduce != Sum {
			return nil, fault.New(fault.ErrUnsupported, op, "a whole tensor cannot become %v, only Partial(sum)", p)
		}
		if at[i] > 0 {
			return weft.Zeros(dev, t.DType(), sizesOf(m.extents(t.Shape(), placements, at))...)
		}
	}
	part, err := slice(t, m.extents(t.Shape(), placements, at))
	if err != nil {
		return nil, err
	}
	defer part.Close()
	return part.To(dev)
}

// slice is the view of a range of each dimension.
func slice(t *weft.Tensor, ranges []extent) (*weft.Tensor, error) {
	list := make([]weft.Range, len(ranges))
	for d, e := range ranges {
		list[d] = weft.Span(e.from, e.to)
	}
	return t.Slices(list...)
}

func closeAll(tensors []*weft.Tensor) {
	for _, t := range tensors {
		t.Close()
	}
}

// Mesh is the mesh that the tensor is on.
func (t *Tensor) Mesh() *Mesh { return t.mesh }

// Shape is that of the whole.
func (t *Tensor) Shape() []int { return slices.Clone(t.shape) }

// DType is the type of the elements.
func (t *Tensor) DType() weft.DType { return t.elem }

// Placements are one for each dimension of the mesh.
func (t *Tensor) Placements() []Placement { return slices.Clone(t.placements) }

// Local is what a member holds; the tensor keeps it.
func (t *Tensor) Local(member int) *weft.Tensor { return t.locals[member] }

// Locals are what the members hold; the tensor keeps them.
func (t *Tensor) Locals() []*weft.Tensor { return slices.Clone(t.locals) }

// Whole is the tensor on one member's device, gathered. Every process of the group calls it.
func (t *Tensor) Whole(member int) (*weft.Tensor, error) {
	if t == nil || len(t.locals) == 0 {
		return nil, fault.New(fault.ErrArgument, "mesh: whole", "the tensor is nil")
	}
	if member < 0 || member >= len(t.locals) {
		return nil, fault.New(fault.ErrArgument, "mesh: whole", "member %d of %d", member, len(t.locals))
	}
	full, err := t.Redistribute(make([]Placement, len(t.placements))...)
	if err != nil {
		return nil, err
	}
	defer full.Close()
	return full.locals[member].Contiguous()
}

// Close closes what the members hold. A second Close does nothing.
func (t *Tensor) Close() error {
	if t == nil {
		return nil
	}
	var errs []error
	for _, l := range t.locals {
		errs = append(errs, l.Close())
	}
	return errors.Join(errs...)
}
