package memory

import (
	"sync"

	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Accesses is what the accesses of a kernel to memory are planned by.
type Accesses struct {
	Caps        target.Caps
	Facts       axis.Facts
	Threads     int
	Producers   bool                  // threads in addition to those copy blocks
	Unaliased   map[*tile.Op]bool     // stores that tensor maps may do, see unaliasedStores
	Disjoint    map[*tile.Op]*tile.Op // stores that write different blocks, see disjointStores
	Written     map[int]bool          // buffers that the kernel writes
	AvoidShared bool                  // shared memory is short: what goes through it without need is avoided
	rotations   map[*tile.Op]*Rotation
	most        map[axis.Dimension]int // how long dimensions are at most, where the kernel requires that
	bodies      map[*tile.Op]body      // of loads and products
	axes        func() *axis.Analysis  // what is known of values
}

// body is where an op stands: in a region, and whether nothing is around that but loops with a count, one at least.
type body struct {
	region  *tile.Region
	counted bool
}

// New plans those of a kernel.
func New(k *tile.Func, facts axis.Facts, caps target.Caps, threads int) *Accesses {
	p := &Accesses{Caps: caps, Facts: facts, Threads: threads, Producers: k.Schedule.Producers > 0,
		Unaliased: unaliasedStores(k, facts), Disjoint: disjointStores(k.Body), Written: writtenBuffers(k, facts), bodies: map[*tile.Op]body{}}
	p.rotations = rotationsOf(k, facts, caps, threads)
	p.place(body{region: k.Body}, true)
	p.most = requiredMost(k)
	p.axes = sync.OnceValue(func() *axis.Analysis { return axis.Analyse(k, facts) })
	return p
}

// requiredMost finds the dimensions that the kernel requires to be no longer than a constant.
func requiredMost(k *tile.Func) map[axis.Dimension]int {
	most := map[axis.Dimension]int{}
	for _, op := range k.Body.Ops {
		if op.Kind == tile.OpExit {
			break
		}
		if op.Kind != tile.OpRequire {
			continue
		}
		if le := opOf(op.Args[0], tile.OpLe); le != nil {
			if dim, limit := opOf(le.Args[0], tile.OpDim), opOf(le.Args[1], tile.OpConst); dim != nil && limit != nil {
				most[axis.Dimension{View: dim.View, Dim: dim.Axis}] = int(limit.Number)
			}
		}
	}
	return most
}

// Within is how many elements of a block that is loaded, along one of its dimensions, may be in its view; the others are zeros. It is all of them where
// nothing is known.
func (p *Accesses) Within(v *tile.Value, dim int) int {
	n := v.Type().Shape[dim]
	from, found := BlockOf(v)
	if !found || from.Dims[dim] < 0 || from.Load.Number != 0 {
		return n
	}
	d := from.Dims[dim]
	if from.Most != nil {
		n = min(n, from.Most[d])
	}
	most, known := p.most[axis.Dimension{View: from.Load.View, Dim: d}]
	first, times := from.Load.Args[d], n
	if from.At != nil {
		first, times = from.At[d], 1
	}
	begin := opOf(first, tile.OpConst)
	if !known || begin == nil {
		return n
	}
	return min(max(most-int(begin.Number)*times, 0), n)
}

// place notes where the ops of a body stand; counted says that loops with a count in it have nothing else around them.
func (p *Accesses) place(b body, counted bool) {
	for _, op := range b.region.Ops {
		if op.Kind == tile.OpLoad || op.Kind == tile.OpGather || op.Kind == tile.OpDot {
			p.bodies[op] = b
		}
		for _, inner := range op.Regions() {
			loop := counted && op.Kind == tile.OpFor
			p.place(body{inner, loop}, loop)
		}
	}
}
