package emit

import (
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// storeTensor stores a block by a tensor map, if it is one for that.
func (l *emitter) storeTensor(op *tile.Op) bool {
	t, reason := l.assigned.Costs.TensorStoreOf(op)
	if t == nil {
		if reason != "" {
			l.note("%s: no tensor map: %s", op.View.Name, reason)
		}
		return false
	}
	elem, r := op.View.Elem, l.in(op.Args[0], l.assigned.OpAt(op))
	r.dist = distribution.Reshape(r.dist, t.Shape)
	warpgroups, slots := l.warpgroups(), 1
	places, parts, apart := t.ArrangeApart(r.dist, warpgroups)
	each := parts
	switch {
	case !apart:
		places, parts, each, slots = t.Arrange(r.dist)
	case !l.hasRoom(t.Shape[0] * t.Shape[1] * elem.Size()):
		each, slots = warpgroups, min(parts/warpgroups, 2)
	}
	if l.kernel.Schedule.Consumers > 1 { // another group multiplies meanwhile: the room is worth more as a stage of its copies
		slots = 1
	}
	t.M.Buffer = l.buffers[l.facts.Views[op.View.Index].Buffer]
	m := l.tensorMap(t.M)
	lines := t.Lines()
	size, across := m.Box[0]*lines, t.Shape[t.Along]/m.Box[0]
	array := l.newShared("tile_"+op.View.Name, elem, size*each*slots, "results to be stored")
	for first := 0; first < parts; first += each {
		from := first % (each * slots) * size
		l.b.Do(&simt.Op{Kind: simt.StoreWait, Pending: (slots - 1) * each})
		l.fillPart(array, r, places, first*size, (first+each)*size, from)
		for p := range each {
			row, column, warpgroup := (first+p)/across*lines, (first+p)%across*m.Box[0], 0
			if apart {
				warpgroup = p%warpgroups + 1
				row, column = (warpgroup-1)*lines, (first+p)/warpgroups*m.Box[0]
			}
			args := append([]*simt.Value{l.b.Int(from + p*size)}, l.mapCoords(m, op, nil, t.At(column, row)...)...)
			l.b.Do(&simt.Op{Kind: simt.TensorStore, Map: m, Shared: array, Warpgroup: warpgroup, Args: args})
		}
	}
	l.storesTensors = true
	l.note("%s by a tensor map, boxes of %v, %d of %d at once in shared memory", op.View.Name, m.Box, each*slots, parts)
	return true
}

// warpgroups are those of one group of consumers that may go on by themselves, since all that is in shared memory is what tensor maps copied for one product; else 1.
func (l *emitter) warpgroups() int {
	arrays := 0
	for _, s := range l.b.Func.Shared {
		if s.Arrivals == 0 {
			arrays++
		}
	}
	if s := l.kernel.Schedule; s.Consumers > 1 || s.Producers == 0 || l.dots != 1 || arrays > l.mapped {
		return 1
	}
	return max(1, l.b.Func.Threads/simt.WarpgroupMMA.Threads)
}

// hasRoom reports whether so many bytes fit next to all stages that the schedule asks for.
func (l *emitter) hasRoom(bytes int) bool {
	asked, stage := max(l.kernel.Schedule.Stages, plan.DefaultStages), 0
	for _, s := range l.b.Func.Shared {
		if s.Arrivals == 0 {
			stage += s.Bytes()
		}
	}
	return plan.MapStages(l.caps, asked, l.mapped, stage, func(int) (rest, late int) { return bytes, 0 }) == asked
}

// fillPart stores the elements of a tile that are from one place of all to another, in an array from an index on.
func (l *emitter) fillPart(array *simt.Shared, r regs, places layout.Linear, lo, hi, from int) {
	elem := array.Elem
	if s := mma.StoresOf(l.caps, places, elem, hi-lo); s != nil {
		l.storeMatrices(array, l.newSet(), s, r, lo, hi, from)
		return
	}
	wide, thread := distribution.AccessBytes/elem.Size(), l.threadCoord(places, 0)
	owner, run := l.owner(r.dist), l.newSet()
	idle, copies := r.dist.FreeBits(layout.Thread), places.FreeBits(layout.Register)
	for _, registers := range distribution.Runs(places, 0, wide) {
		at := places.Index(registers[0], 0)
		if at < lo || at >= hi || registers[0]&copies != 0 {
			continue
		}
		cost := l.wavefronts(elem, len(registers), idle, func(thread int) int { return places.Index(registers[0], thread) - lo })
		l.storeNarrow(array, run, sharedAccess{registers, l.offsetTo(places, thread, at-lo+from), cost}, r, owner)
	}
}
