package emit

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// points lowers the ops on elements of a view at computed indices: each thread accesses those
// of its registers, one by one or by vectors (see findRuns).
func (l *emitter) points(op *tile.Op) {
	values, indices, mask := op.Points()
	p := &points{l: l, view: op.View, indices: indices, mask: mask, inside: op.Inside, offsets: make([]pointOffsets, len(indices))}
	t := indices[0].Type()
	p.facts, p.buffer = l.facts.Views[op.View.Index], l.buffers[l.facts.Views[op.View.Index].Buffer]
	p.base = l.param(l.kernel.ViewWord(op.View))
	for d := range op.View.Rank {
		p.sizes = append(p.sizes, l.param(l.sizeWord(op.View, d)))
		p.strides = append(p.strides, l.strideOf(op.View, p.facts, d))
	}
	if !t.IsScalar() {
		p.dist = l.assigned.OpAt(op)
	}
	if op.Kind == tile.OpAtomic || t.IsScalar() {
		l.note("%s element by element", op.View.Name)
	} else {
		width := l.assigned.Costs.PointVector(op, p.dist)
		p.groups = distribution.Runs(p.dist, op.Axis, width)
		l.note("%s by vectors of %d %v: %s", op.View.Name, width, op.View.Elem, l.told[op])
	}
	if op.Kind == tile.OpAtomic {
		l.atomic(op, p, values)
		return
	}
	if t.IsScalar() {
		l.scalarPoint(op, p, values)
		return
	}
	p.findOffsets()
	dist := p.dist
	switch op.Kind {
	case tile.OpGather:
		elements := make([]*simt.Value, dist.Size(layout.Register))
		fill := roundConst(op.View.Elem, op.Number)
		for _, group := range p.groups {
			index, inside := p.at(group[0])
			for i, x := range l.loadRun(p.buffer, index, inside, len(group), fill, op.View.Name, 0) {
				elements[group[i]] = x
			}
		}
		l.tiles[op.Result()] = l.holding(dist, elements)
	case tile.OpScatter:
		owner, value, order := l.owner(dist), l.in(values[0], dist), ordering{unordered: l.newSet()}
		for _, group := range p.groups {
			index, inside := p.at(group[0])
			l.storeRun(p.buffer, index, l.gatherVectors(value, group), l.and(owner, inside), order)
		}
	default:
		l.fail(fault.ErrUnsupported, "the compiler does not support this op")
	}
}

// points are the operands of one op, prepared.
type points struct {
	l              *emitter
	view           *tile.View
	facts          axis.ViewFacts
	buffer         *simt.Buffer
	dist           layout.Linear // of points in a tile
	groups         [][]int       // registers whose points one access covers
	base           *simt.Value
	sizes, strides []*simt.Value
	indices        []*tile.Value
	mask           *tile.Value    // nil for none
	inside         uint8          // the dimensions, by bits, along which all points are known to be within the view
	offsets        []pointOffsets // of each index
}

// at is the element index of a register's point and the mask under which it exists.
func (p *points) at(register int) (index, inside *simt.Value) {
	l := p.l
	index = p.base
	if p.mask != nil {
		inside = p.element(p.mask, register)
	}
	constant := l.b.Int(0)
	for d, v := range p.indices {
		x := p.element(v, register)
		from, by := p.offsets[d].of(x)
		index = l.b.Binary(simt.Add, index, l.b.Binary(simt.Mul, from, p.strides[d]))
		constant = l.b.Binary(simt.Add, constant, l.b.Binary(simt.Mul, l.b.Int(by), p.strides[d]))
		if p.inside>>d&1 == 0 {
			inside = l.and(inside, l.below(x, p.sizes[d]))
		}
	}
	return l.b.Binary(simt.Add, index, constant), inside
}

// element is the value in a register of a tile, or a scalar.
func (p *points) element(v *tile.Value, register int) *simt.Value {
	if v.Type().IsScalar() {
		return p.l.scalars[v]
	}
	return p.l.in(v, p.dist).element(p.l.b, register)
}

// scalarPoint lowers an op on one element. A scalar is the same in all threads:
// what may change while the kernel runs is read by the first, for all.
func (l *emitter) scalarPoint(op *tile.Op, p *points, values []*tile.Value) {
	index, inside := p.at(0)
	first, alias := l.first(), l.aliasOf("first")
	switch op.Kind {
	case tile.OpGather:
		fill := roundConst(op.View.Elem, op.Number)
		if !p.buffer.Write {
			l.scalars[op.Result()] = l.b.Load(p.buffer, index, inside, 1, fill)
			return
		}
		v := l.b.Load(p.buffer, index, l.and(first, inside), 1, fill)
		v.Op.Alias = alias
		l.scalars[op.Result()] = l.fromFirst(v)
	case tile.OpScatter:
		l.b.Store(p.buffer, index, l.scalars[values[0]], l.and(first, inside)).Alias = alias
	default:
		l.fail(fault.ErrUnsupported, "the compiler does not support this op")
	}
}

// first holds in the first thread; nil if there is one only.
func (l *emitter) first() *simt.Value {
	if l.threads == 1 {
		return nil
	}
	return l.b.Binary(simt.Eq, l.thread, l.b.Int(0))
}

// fromFirst is the first thread's value in all threads.
func (l *emitter) fromFirst(x *simt.Value) *simt.Value {
	if l.threads == 1 {
		return x
	}
	shared := l.newShared("scalar", plan.SharedElem(x.Type.Elem), 1, "the first thread's element")
	l.sharedStore(shared, l.newSet(), l.b.Int(0), x, l.first(), 1)
	return l.forAll(shared, x.Type.Elem)
}

// forAll is the one element of a shared array in all threads.
func (l *emitter) forAll(s *simt.Shared, register dtype.Type) *simt.Value {
	v := l.b.SharedUniform(s, l.b.Int(0))
	v.Op.Cost = l.wavefronts(s.Elem, 1, 0, func(int) int { return 0 })
	return l.b.Convert(v, register)
}
