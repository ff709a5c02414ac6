package memory

import (
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// A row of narrow elements may begin within a vector of memory. If it is one row of a block, all tiles that have its elements are rotated along it: element c of n
// is at place (c + s) mod n, where s is how many elements the row begins after a vector. Places that are multiples of a vector then hold what is aligned in memory:
//
//	memory   ..|.....012|34567890|12345...|    | between aligned vectors, s = 5, n = 16
//	places      345 of the last and 012 of the first vector at places 0 to 7, 34567890 at places 8 to 15
//
// All that threads have is the same elements in other places, so that only loads, stores and coordinates know of it; elements are summed in another order. What
// depends on places, such as a scan, stands against it.

// Rotation is how the tiles are rotated that have the elements of one row.
type Rotation struct {
	Op    *tile.Op         // a load or store whose block begins as many elements after a vector as the tiles are rotated by
	Width int              // elements of a vector
	Dim   int              // of the block, along the row
	dims  map[*tile.Op]int // of what loads, stores and counts the elements: the dimension along the row
	// Shifted are loads of rows that begin with a vector, such as weights that all rows have in common: their elements are shifted out of two vectors.
	Shifted map[*tile.Op]bool
}

// RotationOf is how what an op loads, stores or counts is rotated, and along which dimension; nil if it is not.
func (p *Accesses) RotationOf(op *tile.Op) (r *Rotation, dim int) {
	r = p.rotations[op]
	if r != nil {
		dim = r.dims[op]
	}
	return r, dim
}

// rotationsOf finds the rotations of a kernel, for the ops that know of them.
func rotationsOf(k *tile.Func, facts axis.Facts, caps target.Caps, threads int) map[*tile.Op]*Rotation {
	if caps.Language == target.WGSL { // which stores narrow elements in words that threads would share
		return nil
	}
	var t *tileAxes
	changed := changedBuffers(k, facts)
	all := map[*tile.Op]*Rotation{}
	for _, op := range blocksOf(k.Body, nil) {
		if all[op] != nil || !begins(facts.Views[op.View.Index], op, MaxVector(op.View.Elem)) {
			continue
		}
		if t == nil {
			t = axesOf(k)
		}
		if r := t.rotation(op, facts, threads, max(caps.SubgroupSize, 1), changed); r != nil {
			for other := range r.dims {
				all[other] = r
			}
		}
	}
	return all
}

// changedBuffers are those that a kernel reads and writes.
func changedBuffers(k *tile.Func, facts axis.Facts) map[int]bool {
	access, changed := map[int]tile.Access{}, map[int]bool{}
	for i, v := range k.Views {
		buffer := facts.Views[i].Buffer
		access[buffer] |= v.Access
		changed[buffer] = access[buffer] == tile.InOut
	}
	return changed
}

// blocksOf appends the loads and stores of a region, and those within it, to a list.
func blocksOf(r *tile.Region, list []*tile.Op) []*tile.Op {
	for _, op := range r.Ops {
		if op.Kind == tile.OpLoad || op.Kind == tile.OpStore {
			list = append(list, op)
		}
		for _, body := range op.Regions() {
			list = blocksOf(body, list)
		}
	}
	return list
}

// begins reports whether rows of a view of narrow elements may begin within a vector of so many, and all rows of a block in the same way.
func begins(f axis.ViewFacts, op *tile.Op, width int) bool {
	shape, along, aligned := op.AccessType().Shape, ContiguousDim(f), f.Offset
	if simt.PerWord(op.View.Elem) == 0 || f.Dims[along].Kind != axis.UnitStride {
		return false
	}
	for d, dim := range f.Dims {
		if d == along || dim.Kind == axis.ZeroStride {
			continue
		}
		if aligned = min(aligned, dim.Stride); shape[d] > 1 && dim.Stride < width {
			return false
		}
	}
	return aligned < width
}

// rotation is that by which the row of a block has aligned vectors, if nothing stands against it. A row has a vector for each thread of a subgroup, at least, so that few
// of them have one that ends elsewhere.
func (t *tileAxes) rotation(op *tile.Op, facts axis.Facts, threads, subgroup int, changed map[int]bool) *Rotation {
	r := &Rotation{Op: op, Width: MaxVector(op.View.Elem), Dim: ContiguousDim(facts.Views[op.View.Index]), dims: map[*tile.Op]int{}, Shifted: map[*tile.Op]bool{}}
	if op.AccessType().Shape[r.Dim] == 1 || !t.constant(op, facts, r.Dim) {
		return nil
	}
	class, ok := t.class(tileAxis{blockValue(op), r.Dim})
	if !ok {
		return nil
	}
	known, shortest := t.known(op, facts, r.Dim), op.AccessType().Shape[r.Dim]
	for _, user := range class {
		if _, twice := r.dims[user.op]; twice || t.order[user.op] < known {
			return nil // both axes of a tile, or before the coordinates are known
		}
		if r.dims[user.op] = user.dim; user.op.Kind == tile.OpIota {
			continue
		}
		if changed[facts.Views[user.op.View.Index].Buffer] || !r.takes(user, facts) {
			return nil
		}
		shortest = min(shortest, user.op.AccessType().Shape[user.dim])
		r.Width = min(r.Width, user.op.AccessType().Len()/max(threads, 1))
	}
	if r.Width < minUnaligned*simt.PerWord(op.View.Elem) || !begins(facts.Views[op.View.Index], op, r.Width) || shortest < r.Width*subgroup {
		return nil
	}
	if shifted := len(r.Shifted); shifted > 0 && (2*shifted >= r.blocks() || !r.stores()) {
		return nil // shifting costs more than aligned vectors of as many blocks gain, or of loads alone, single elements of which are in the cache
	}
	return r
}

// blocks is how many loads and stores there are.
func (r *Rotation) blocks() (n int) {
	for op := range r.dims {
		if op.Kind != tile.OpIota {
			n++
		}
	}
	return n
}

// stores reports whether one of the blocks is stored.
func (r *Rotation) stores() bool {
	for op := range r.dims {
		if op.Kind == tile.OpStore {
			return true
		}
	}
	return false
}

// takes reports whether a block can be rotated: its row begins as many elements after a vector, or with one.
func (r *Rotation) takes(user axisUser, facts axis.Facts) bool {
	f, op := facts.Views[user.op.View.Index], user.op
	if op.View.Elem.Size() != r.Op.View.Elem.Size() || f.Dims[user.dim].Kind != axis.UnitStride {
		return false
	}
	if together(r.Op, op, facts, r.Dim, user.dim) {
		return true
	}
	aligned := f.Offset
	for d, dim := range f.Dims {
		if d != user.dim && dim.Kind != axis.ZeroStride {
			aligned = min(aligned, dim.Stride)
		}
	}
	r.Shifted[op] = true
	return op.Kind == tile.OpLoad && aligned >= MaxVector(op.View.Elem)
}

// coordinates are those of a block, in blocks.
func coordinates(op *tile.Op) []*tile.Value { return op.Args[len(op.Args)-op.View.Rank:] }

// blockValue is the tile that a load makes or a store takes.
func blockValue(op *tile.Op) *tile.Value {
	if op.Kind == tile.OpStore {
		return op.Args[0]
	}
	return op.Result()
}

// constant reports whether one row belongs to all tiles of a block's kind: no loop changes it.
func (t *tileAxes) constant(op *tile.Op, facts axis.Facts, along int) bool {
	for d, x := range coordinates(op) {
		if d != along && facts.Views[op.View.Index].Dims[d].Kind != axis.ZeroStride && t.inner[x] {
			return false
		}
	}
	return true
}

// known is where the coordinates of a block's row are known.
func (t *tileAxes) known(op *tile.Op, facts axis.Facts, along int) (place int) {
	for d, x := range coordinates(op) {
		if d != along && x.Op() != nil && facts.Views[op.View.Index].Dims[d].Kind != axis.ZeroStride {
			place = max(place, t.order[x.Op()])
		}
	}
	return place
}

// together reports whether rows of two blocks begin as many elements after a vector.
func together(op, other *tile.Op, facts axis.Facts, along, beside int) bool {
	f, g := facts.Views[op.View.Index], facts.Views[other.View.Index]
	if along != beside || op.View != other.View && (f.Like == 0 || f.Like != g.Like) {
		return false
	}
	x, y, shape, block := coordinates(op), coordinates(other), op.AccessType().Shape, other.AccessType().Shape
	for d := range x {
		if d == along || f.Dims[d].Kind == axis.ZeroStride && g.Dims[d].Kind == axis.ZeroStride {
			continue
		}
		if shape[d] != block[d] || x[d] != y[d] && !sameNumber(x[d], y[d]) {
			return false
		}
	}
	return true
}

func sameNumber(x, y *tile.Value) bool {
	n, known := axis.Integer(x)
	m, too := axis.Integer(y)
	return known && too && n == m
}

// RotatedVector is how many elements one access of a rotated block has in a distribution: a vector or one.
func (p *Accesses) RotatedVector(op *tile.Op, dist layout.Linear) (width int, ok bool) {
	r, dim := p.RotationOf(op)
	if r == nil {
		return 0, false
	}
	if 1<<len(distribution.RunBits(dist, dim, r.Width)) == r.Width {
		return r.Width, true
	}
	return 1, true
}

// Coordinates are those of the block of Op, in blocks.
func (r *Rotation) Coordinates() []*tile.Value { return coordinates(r.Op) }
