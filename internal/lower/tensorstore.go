package lower

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// Blocks that a kernel with producers stores go through shared memory, in parts of one line of each row, and from there to their view by a tensor
// map: threads store there what they hold, in whatever distribution, and wait for no memory beyond. Two parts
// take turns, so that one is copied while the next is filled; of groups that take turns themselves each has one.

// tensorStore is a store by a tensor map.
type tensorStore struct {
	m     *simt.TensorMap
	along int // of the block's two dimensions that are longer than 1, the one along which lines lie
	shape []int
}

// tensorStoreOf is how a tensor map stores the block of an op, nil if none does, with the reason.
func (p *Accesses) tensorStoreOf(op *tile.Op) (*tensorStore, string) {
	if !p.caps.TensorMaps || !p.producers || op.Kind != tile.OpStore {
		return nil, ""
	}
	t, shape := &tensorStore{}, op.AccessType().Shape
	var dims []int
	for d, n := range shape {
		if n > 1 {
			dims, t.shape = append(dims, d), append(t.shape, n)
		}
	}
	reason := fmt.Sprintf("a block of %v is no matrix", shape)
	switch {
	case len(dims) != 2:
	case !p.lone[op]:
		reason = "the kernel accesses its buffer elsewhere, too, or stores one block again and again"
	default:
		t.along, t.m, reason = tensorMapOf(p.facts.Views[op.View.Index], op, dims)
	}
	if reason != "" {
		return nil, reason
	}
	return t, ""
}

// allLone reports whether all that the kernel stores is stored so.
func (p *Accesses) allLone() bool {
	for op, lone := range p.lone {
		if !lone && op.Kind != tile.OpLoad {
			return false
		}
	}
	return true
}

// tensorStore is what a store by a tensor map costs the threads: all that they do is to fill shared memory.
func (c *costs) tensorStore(t *tensorStore, op *tile.Op, l layout.Linear) int {
	size := op.View.Elem.Size()
	bytes := op.AccessType().Len() * size
	l = reshape(l, t.shape)
	requests := l.Size(layout.Register) * c.owners(l) / c.storedTogether(groupRows(t.shape, t.along, size), l, op.View.Elem)
	return requests*costRequest + bytes/bankBytes*costWavefront + 2*bytes/(t.m.Box[0]*t.m.Box[1]*size)*costBarrier
}

// storeTensor stores a block by a tensor map, if it is one for that.
func (l *lowerer) storeTensor(op *tile.Op) bool {
	t, reason := l.assigned.costs.tensorStoreOf(op)
	if t == nil {
		if reason != "" {
			l.note("%s: no tensor map: %s", op.View.Name, reason)
		}
		return false
	}
	elem, r := op.View.Elem, l.in(op.Args[0], l.assigned.opAt(op))
	r.dist = reshape(r.dist, t.shape)
	places, parts, each, slots := t.arrange(r.dist)
	if l.kernel.Schedule.Consumers > 1 { // another group multiplies meanwhile: the room is worth more as a stage of its copies
		slots = 1
	}
	t.m.Buffer = l.buffers[l.facts.Views[op.View.Index].Buffer]
	m := l.tensorMap(t.m)
	size, across := m.Box[0]*m.Box[1], t.shape[t.along]/m.Box[0]
	array := l.newShared("tile_"+op.View.Name, elem, size*each*slots, "on its way out")
	for first := 0; first < parts; first += each {
		from := first % (each * slots) * size
		l.b.Do(&simt.Op{Kind: simt.StoreWait, Index: (slots - 1) * each})
		l.fillPart(array, r, places, first*size, (first+each)*size, from)
		for p := range each {
			row, column := (first+p)/across*m.Box[1], (first+p)%across*m.Box[0]
			args := append([]*simt.Value{l.b.Int(from + p*size)}, l.mapCoords(m, op, column, row)...)
			l.b.Do(&simt.Op{Kind: simt.TensorStore, Map: m, Shared: array, Args: args})
		}
	}
	l.storesTensors = true
	l.note("%s by a tensor map, boxes of %v, %d of %d at once in shared memory", op.View.Name, m.Box, each*slots, parts)
	return true
}

// arrange decides where the elements of a distribution lie in the boxes of a block, in how many parts it goes, how many of them are filled together
// and how many times those lie in shared memory: one part and twice, unless the threads fill several at a time. If those are all, boxes have fewer lines, so that
// all threads fill some lines of each.
func (t *tensorStore) arrange(dist layout.Linear) (places layout.Linear, parts, each, slots int) {
	lines := t.m.Box[1]
	for _, t.m.Box[1] = range []int{lines, min(lines, t.m.Box[0]), lines} {
		size := t.m.Box[0] * t.m.Box[1]
		places = placesIn(t.boxRows(), dist)
		parts, each = t.shape[0]*t.shape[1]/size, 1
		for _, basis := range threadBases(places, 0) {
			for each < parts && basis >= each*size {
				each *= 2
			}
		}
		if each == 1 || each < parts {
			break
		}
	}
	return places, parts, each, min(parts/each, 2)
}

// boxRows is where the elements of a block lie box by box: those of its first lines before all others.
func (t *tensorStore) boxRows() layout.Linear {
	line, lines := t.m.Box[0], t.m.Box[1]
	box := slices.Clone(t.shape)
	box[1-t.along] = lines
	rows := groupRows(box, t.along, simt.LineBytes/line)
	var bases [2][][]int
	for d := range 2 {
		for x := 1; x < t.shape[d]; x *= 2 {
			at := []int{0, 0}
			at[d] = x % box[d]
			bases[d] = append(bases[d], []int{rows.Eval(at...)[0] + x/box[d]*box[0]*box[1]})
		}
	}
	return matrixPlaces(t.shape, bases)
}

// fillPart stores the elements of a tile that lie from one place of all to another, in an array from an index on.
func (l *lowerer) fillPart(array *simt.Shared, r regs, places layout.Linear, lo, hi, from int) {
	elem := array.Elem
	if s := matrixStoresOf(l.caps, places, elem, hi-lo); s != nil {
		l.storeMatrices(array, l.newRun(), s, r, lo, hi, from)
		return
	}
	wide, thread := accessBytes/elem.Size(), l.threadCoord(places, 0)
	owner, run := l.owner(r.dist), l.newRun()
	idle, copies := r.dist.FreeBits(layout.Thread), places.FreeBits(layout.Register)
	for _, registers := range runs(places, 0, wide) {
		at := places.Index(registers[0], 0)
		if at < lo || at >= hi || registers[0]&copies != 0 {
			continue
		}
		cost := l.wavefronts(elem, len(registers), idle, func(thread int) int { return places.Index(registers[0], thread) - lo })
		l.storeNarrow(array, run, sharedAccess{registers, l.offsetTo(places, thread, at-lo+from), cost}, r, owner)
	}
}
