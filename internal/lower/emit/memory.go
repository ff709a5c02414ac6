package emit

import (
	"fmt"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/memory"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// access is a block of a view as one workgroup reads or writes it.
type access struct {
	l     *emitter
	view  *tile.View
	facts axis.ViewFacts
	shape []int
	dist  layout.Linear
	dim   int               // along which registers form runs
	width int               // longest run that one access may cover
	words bool              // runs of whole words are loaded as those
	cover *memory.Unaligned // how runs of a load are read that begin or end within vectors, nil where they do not
	// first, for each dimension: the coordinate of register 0 in this thread
	first    []*simt.Value
	starts   []*simt.Value // for each dimension: the coordinate of the block's first element
	strides  []*simt.Value
	base     *simt.Value   // element index of register 0
	inside   []*simt.Value // for each dimension: mask where it is the same for all registers, else nil
	proven   uint8         // dimensions, by bits, along which the block is known to be within the view
	sizes    []*simt.Value
	rotation *memory.Rotation // of the block along dim; nil for none
	shifted  bool             // runs of a rotated block are shifted out of two vectors
}

// newAccess prepares accesses to a block at tile coordinates.
func (l *emitter) newAccess(op *tile.Op, coords []*tile.Value, shape []int, dist layout.Linear) *access {
	a := l.newAddresses(op, coords, shape, dist)
	a.chooseWidth(op)
	return a
}

// newAddresses prepares the addresses of a block at tile coordinates.
func (l *emitter) newAddresses(op *tile.Op, coords []*tile.Value, shape []int, dist layout.Linear) *access {
	v := op.View
	a := &access{l: l, view: v, facts: l.facts.Views[v.Index], shape: shape, dist: dist, proven: op.Inside}
	a.base = l.param(l.kernel.ViewWord(v))
	for d, c := range coords {
		start := l.blockStart(op, d, l.scalars[c], shape[d])
		start.Suggest(fmt.Sprintf("%s_start%d", v.Name, d))
		at := l.b.Binary(simt.Add, start, l.threadCoord(dist, d))
		size := l.param(l.sizeWord(v, d))
		a.starts, a.first, a.sizes = append(a.starts, start), append(a.first, at), append(a.sizes, size)
		a.strides = append(a.strides, l.strideOf(v, a.facts, d))
		a.base = l.b.Binary(simt.Add, a.base, l.b.Binary(simt.Mul, at, a.strides[d]))
		a.inside = append(a.inside, nil)
		if a.facts.Dims[d].Size%shape[d] == 0 && a.proven>>d&1 == 0 {
			a.inside[d] = l.below(start, size) // a tile is inside or outside as a whole
		}
	}
	return a
}

// blockStart is the index of a block's first element along a dimension: its coordinate times its size. A coordinate whose product
// does not fit 32 bits is that of a block before the view, of which no element exists: it would wrap, perhaps into the view.
func (l *emitter) blockStart(op *tile.Op, d int, coord *simt.Value, size int) *simt.Value {
	if size > 1 && (op.InRange|op.Inside)>>d&1 == 0 {
		coord = l.b.Select(l.below(coord, l.b.Int(1<<31/size)), coord, l.b.Int(-1))
	}
	return l.b.Binary(simt.Mul, coord, l.b.Int(size))
}

// strideOf is a stride as a constant where it is known.
func (l *emitter) strideOf(v *tile.View, f axis.ViewFacts, d int) *simt.Value {
	switch f.Dims[d].Kind {
	case axis.UnitStride:
		return l.b.Int(1)
	case axis.ZeroStride:
		return l.b.Int(0)
	}
	return l.param(l.strideWord(v, d))
}

// below holds if 0 <= x < size, as one comparison of unsigned numbers.
func (l *emitter) below(x, size *simt.Value) *simt.Value {
	u := simt.Scalar(dtype.U32)
	unsigned := func(v *simt.Value) *simt.Value {
		if c, ok := simt.ConstOf(v); ok && c >= 0 {
			return l.b.Const(u, c)
		}
		return l.b.Emit(&simt.Op{Kind: simt.Bitcast, Args: []*simt.Value{v}}, u)
	}
	return l.b.Binary(simt.Lt, unsigned(x), unsigned(size))
}

// chooseWidth notes how many elements one access covers, why not more, and what
// became of masks.
func (a *access) chooseWidth(op *tile.Op) {
	if c, ok := a.l.assigned.Costs.UnalignedOf(op, a.dist); ok {
		a.cover, a.dim, a.width = &c, c.Dim, c.Width
		a.l.note("%s", c.Note(op))
		a.noteMasks()
		return
	}
	if width, rotated := a.l.assigned.Costs.RotatedVector(op, a.dist); rotated {
		a.width = width
		a.rotation, a.dim = a.l.assigned.Costs.RotationOf(op)
		how := "tiles are rotated so that they are aligned in memory"
		if a.shifted = a.rotation.Shifted[op]; a.shifted {
			how = "shifted out of two, as tiles are rotated for others"
		}
		a.l.note("%s by vectors of %d %v: %s", a.view.Name, a.width, a.view.Elem, how)
		a.noteMasks()
		return
	}
	reason := ""
	a.dim, a.width, reason = memory.BlockVector(a.facts, a.view, a.dist, a.proven)
	text := fmt.Sprintf("%s by vectors of %d %v", a.view.Name, a.width, a.view.Elem)
	if reason != "" {
		text += ": " + reason
	}
	a.l.note("%s", text)
	a.noteMasks()
}

// noteMasks notes the masks that keep a block within its view, and why.
func (a *access) noteMasks() {
	whole, each := 0, 0
	for d, n := range a.shape {
		switch {
		case a.proven>>d&1 != 0:
		case a.facts.Dims[d].Size%n == 0:
			whole++
		default:
			each++
		}
	}
	text := "no masks"
	switch {
	case each > 0:
		text = fmt.Sprintf("masks along %d dimensions", each+whole)
	case whole > 0:
		text = "one mask for the whole block"
	}
	if why := a.l.told[a.l.op]; why != "" {
		text += ": " + why
	}
	a.l.note("%s: %s", a.view.Name, text)
}

// runs are the groups of registers that one access covers.
func (a *access) runs() [][]int { return distribution.Runs(a.dist, a.dim, a.width) }

// at is the element index of a register and the mask under which it exists; nil if always.
func (a *access) at(register int) (index, mask *simt.Value) {
	l := a.l
	index = a.base
	for d, c := range distribution.RegisterCoord(a.dist, register) {
		at := a.coordinate(d, c)
		if c != 0 {
			if !distribution.Disjoint(a.dist, d, c) { // addresses are sums, and this one would be an exclusive or
				l.fail(fault.ErrUnsupported, "registers and threads of %v share bits of dimension %d", a.dist, d)
			}
			index = l.b.Binary(simt.Add, index, l.b.Binary(simt.Mul, a.strides[d], l.b.Int(c)))
		}
		if a.proven>>d&1 != 0 {
			continue
		}
		inside := a.inside[d]
		if inside == nil {
			inside = l.below(at, a.sizes[d])
		}
		mask = l.and(mask, inside)
	}
	return index, mask
}

// coordinate is the coordinate along a dimension of a register, given its distance from the first one.
func (a *access) coordinate(d, by int) *simt.Value {
	return a.l.b.Binary(simt.Add, a.first[d], a.l.b.Int(by))
}

func (l *emitter) and(x, y *simt.Value) *simt.Value {
	if x == nil {
		return y
	}
	if y == nil {
		return x
	}
	return l.b.Binary(simt.And, x, y)
}

func (l *emitter) load(op *tile.Op) {
	t := op.Result().Type()
	dist := l.assigned.OpAt(op)
	a := l.newAccess(op, op.Args, t.Shape, dist)
	a.words = l.assigned.Multiplied(op) || l.caps.Language != target.CUDA && t.Elem.IsInt() && t.Elem.Size() == 1 // see integerFloats
	buf := l.buffers[a.facts.Buffer]
	fill, alias := roundConst(t.Elem, op.Number), l.alias(op, t.Shape, dist)
	elements := make([]*simt.Value, dist.Size(layout.Register))
	for _, run := range a.runs() {
		for i, x := range a.loadRun(buf, run, fill, alias) {
			elements[run[i]] = x
		}
	}
	l.tiles[op.Result()] = l.holding(dist, elements)
}

// loadRun loads the elements of a run of registers.
func (a *access) loadRun(buf *simt.Buffer, run []int, fill float64, alias int) []*simt.Value {
	switch {
	case a.cover != nil:
		return a.loadCovered(*a.cover, buf, run, fill, alias)
	case a.rotation != nil:
		return a.loadRotated(buf, run, fill, alias)
	}
	index, mask := a.at(run[0])
	if per := simt.PerWord(buf.Elem); a.words && per > 0 && len(run)%per == 0 {
		return a.l.unpackWords(a.l.loadWords(buf, index, mask, len(run), fill, a.view.Name, alias), buf.Elem, a.view.Name)
	}
	return a.l.loadRun(buf, index, mask, len(run), fill, a.view.Name, alias)
}

func (l *emitter) store(op *tile.Op) {
	if l.storeTensor(op) || l.storeRows(op) {
		return
	}
	value := op.Args[0]
	r := l.in(value, l.assigned.OpAt(op))
	a := l.newAccess(op, op.Args[1:], value.Type().Shape, r.dist)
	buf := l.buffers[a.facts.Buffer]
	owner, order := l.owner(r.dist), l.storeOrder(op, r.dist)
	for _, run := range a.runs() {
		if a.rotation != nil {
			a.storeRotated(buf, r, run, owner, order)
			continue
		}
		index, mask := a.at(run[0])
		l.storeRun(buf, index, l.gatherVectors(r, run), l.and(owner, mask), order)
	}
}

// storeOrder is the order of a store's accesses.
func (l *emitter) storeOrder(op *tile.Op, dist layout.Linear) ordering {
	order := ordering{alias: l.alias(op, op.Args[0].Type().Shape, dist)}
	if first := l.assigned.Costs.Disjoint[op]; first != nil {
		if l.disjoint[first] == 0 {
			l.disjoint[first] = l.newSet()
		}
		order.disjoint = l.disjoint[first]
	}
	return order
}
