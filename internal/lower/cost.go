package lower

import (
	"math/bits"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Costs are counted in sixteenths of a wavefront: of the time in which a multiprocessor's
// shared memory serves 128 bytes. The weights say how the parts of a kernel compare on
// today's GPUs, whose multiprocessors issue about four instructions in that time; what is
// chosen by them is a matter of factors, not of percents.
const (
	unit          = 16
	costRequest   = 1 * unit  // an access of a subgroup to memory
	costSegment   = 2 * unit  // 32 bytes of global memory
	costLine      = 1 * unit  // 128 bytes of it, all or in part: a lookup in the cache
	costWavefront = 1 * unit  // 128 bytes of shared memory
	costShuffle   = 1 * unit  // one register exchanged within a subgroup
	costInstr     = unit / 4  // any other instruction of a subgroup
	costBarrier   = 32 * unit // all threads wait for one another
	costRename    = 1         // registers that change their numbers: an op less is better still
	loopWeight    = 8         // iterations of a loop
	mostWeight    = 1 << 12   // of loops within loops
	impossible    = 1 << 36   // more shared memory than there is
	segmentBytes  = 32
	lineBytes     = 128
)

// costs knows what work costs in a distribution on a target.
type costs struct {
	*Accesses
	lanes   int  // threads of a subgroup that can shuffle, 1 if none can
	group   int  // threads that issue together, and whose accesses join
	async   bool // loops may copy asynchronously
	moves   map[move]movement
	layouts []layout.Linear // by number
}

// move is a conversion between two distributions, by number.
type move struct{ from, to int }

// movement is a conversion's way, and what it costs for elements of no size.
type movement struct {
	plan   layout.Conversion
	shared bool // through shared memory
	cost   int
}

func newCosts(a *Accesses) *costs {
	return &costs{
		Accesses: a, moves: map[move]movement{},
		lanes: max(1, min(a.caps.SubgroupSize, a.threads)), group: min(32, a.threads),
	}
}

// number names a distribution.
func (c *costs) number(l layout.Linear) int {
	for i, known := range c.layouts {
		if known.Equal(l) {
			return i
		}
	}
	c.layouts = append(c.layouts, l)
	return len(c.layouts) - 1
}

func (c *costs) subgroups() int { return max(1, c.threads/c.group) }

// owners is the number of subgroups with a thread that owns elements: of threads that hold
// copies one does.
func (c *costs) owners(l layout.Linear) int {
	upper := (c.threads - 1) &^ (c.group - 1)
	return 1 << bits.OnesCount(uint(upper&^l.FreeBits(layout.Thread)))
}

// convert is what it costs to bring a tile of elements from one distribution to another.
func (c *costs) convert(from, to int, elem dtype.Type) int {
	if from == to {
		return 0
	}
	m := c.move(from, to)
	if m.shared && (c.thrifty || c.caps.SharedBytes > 0 && tileBytes(c.layouts[to], exchangeElem(c.caps, elem)) > c.caps.SharedBytes) {
		return m.cost + impossible
	}
	if m.plan.Route != layout.InThread {
		return m.cost + elem.Size() // of equal moves the one of the narrower type
	}
	return m.cost
}

// move plans a conversion, once.
func (c *costs) move(from, to int) movement {
	m, ok := c.moves[move{from, to}]
	if !ok {
		m = c.plan(c.layouts[from], c.layouts[to])
		c.moves[move{from, to}] = m
	}
	return m
}

func (c *costs) movement(from, to layout.Linear) movement {
	return c.move(c.number(from), c.number(to))
}

// tileBytes is the shared memory that a tile takes whose elements have a type there.
func tileBytes(l layout.Linear, elem dtype.Type) int {
	n := elem.Size()
	for _, s := range l.Shape() {
		n *= s
	}
	return n
}

// registerBytes is the size of a register; all types but 64-bit ones fill one.
const registerBytes = 4

func (c *costs) plan(from, to layout.Linear) movement {
	plan, shared := route(from, to, c.lanes)
	switch {
	case shared:
		plan.Route = layout.InShared
		last := len(to.Shape()) - 1
		return movement{plan, true, c.shared(from, last, c.owners(from)) + c.shared(to, last, c.subgroups()) + 2*costBarrier}
	case plan.Route == layout.InSubgroup:
		return movement{plan, false, len(plan.Rounds) * c.subgroups() * costShuffle}
	}
	return movement{plan, false, costRename}
}

// memory is what an access to a block of a view costs: its requests, and the segments
// of memory that they touch.
func (c *costs) memory(op *tile.Op, l layout.Linear) int {
	if t, _ := c.tensorStoreOf(op); t != nil {
		return c.tensorStore(t, op, l)
	}
	cost := c.direct(op, l)
	if s := c.rowStoreOf(op); s != nil {
		cost = min(cost, c.rowStore(s, l))
	}
	return cost
}

// direct is what an access to a block costs by the threads that hold its elements.
func (c *costs) direct(op *tile.Op, l layout.Linear) int {
	f := c.facts.Views[op.View.Index]
	dim, width, _ := blockVector(f, op.View, l, op.Inside)
	cover, covered := c.coverOf(op, l)
	if covered {
		width = cover.width
	}
	elem, owners, copies := op.View.Elem.Size(), c.owners(l), 0
	if op.Kind == tile.OpLoad {
		copies = c.subgroups() - owners
	}
	if f.Dims[dim].Kind != axis.UnitStride {
		elem = lineBytes // each in one of its own
	}
	requests := l.Size(layout.Register) / width
	for d, dimension := range f.Dims {
		if dimension.Kind == axis.ZeroStride && l.Shape()[d] > 1 {
			l = l.Drop(d) // one element for all of its coordinates
		}
	}
	again := costRequest + c.lines(l, dim, elem) // of what is in the cache: another subgroup's, or what the access before it brought
	each := c.request(l, dim, elem)
	if covered {
		each += cover.steps()*costInstr + (cover.accesses()-1)*again
	}
	return requests * (owners*each + copies*again)
}

// request is what one access of a subgroup costs whose elements lie side by side along a
// dimension.
func (c *costs) request(l layout.Linear, dim, elem int) int {
	return costRequest +
		l.Segments(dim, max(1, segmentBytes/elem), c.group)*costSegment +
		c.lines(l, dim, elem)
}

// lines is what an access of a subgroup costs in the cache.
func (c *costs) lines(l layout.Linear, dim, elem int) int {
	return l.Segments(dim, max(1, lineBytes/elem), c.group) * costLine
}

// points is what accesses at computed indices cost, as far as neighbours along the last
// dimension lie side by side.
func (c *costs) points(op *tile.Op, l layout.Linear) int {
	along := l.Rank() - 1
	width := c.pointVector(op, l)
	if op.Run > 1 {
		along = op.Axis
	}
	requests := l.Size(layout.Register) / width * c.subgroups()
	return requests * c.request(l, along, op.View.Elem.Size())
}

// shared is what it costs some subgroups to write or read a tile in shared memory, in vectors
// along a dimension and without conflicts.
func (c *costs) shared(l layout.Linear, dim, subgroups int) int {
	registers := l.Size(layout.Register) * subgroups
	return registers>>len(runBits(l, dim, registerLanes))*costRequest + max(1, registers*c.group*registerBytes/bankBytes)*costWavefront
}

// elementwise is what an op on every register costs.
func (c *costs) elementwise(l layout.Linear) int {
	return l.Size(layout.Register) * c.subgroups() * costInstr
}

// threadsAlong is the mask of the thread's bits that decide a coordinate along an axis.
func threadsAlong(l layout.Linear, axis int) int {
	along := 0
	for bit := range l.Bits(layout.Thread) {
		if l.BasisAlong(layout.Thread, bit, axis) != 0 {
			along |= 1 << bit
		}
	}
	return along
}

// reduce is what a reduction of n tiles costs: within each thread, then within a
// subgroup, then between subgroups (see lowerer.reduce).
func (c *costs) reduce(op *tile.Op, l layout.Linear) int {
	out, along, n := l.Drop(op.Axis), threadsAlong(l, op.Axis), len(op.Out)
	cost := l.Size(layout.Register) * c.subgroups() * costInstr
	results := out.Size(layout.Register) * c.subgroups()
	within := along & (c.caps.SubgroupSize - 1)
	if c.caps.SubgroupSize == 0 {
		within = 0
	}
	cost += bits.OnesCount(uint(within)) * results * (costShuffle + costInstr)
	if along &^= within; along != 0 {
		parts := 1 << bits.OnesCount(uint(along))
		steps, reads := 1, parts
		if parts > maxDirect {
			steps, reads = 2, 2<<(bits.Len(uint(parts))/2)
		}
		width := vectorLanes(out)
		together := max(1, min(width, maxParts/c.threads))
		barriers := 2 * max(1, out.Size(layout.Register)/together) // two steps take turns between arrays
		cost += results*(steps+reads)*(costWavefront+costInstr) + barriers*costBarrier
	}
	return cost * n
}

// scan is what a scan costs: within each thread, and an exchange of the runs' totals for
// each bit of the thread's number along the axis (see lowerer.scan).
func (c *costs) scan(op *tile.Op, l layout.Linear) int {
	s, _ := scanOf(l, op.Axis)
	registers := l.Size(layout.Register)
	lines := max(1, registers/s.run) * c.subgroups()
	cost := 2 * registers * c.subgroups() * costInstr
	for _, bit := range s.threads {
		cost += lines * 2 * costInstr
		if 1<<bit < c.caps.SubgroupSize {
			cost += lines * costShuffle
		} else {
			cost += lines*2*costWavefront + costBarrier
		}
	}
	return cost * len(op.Out)
}
