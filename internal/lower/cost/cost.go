package cost

import (
	"math/bits"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/memory"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Costs are counted in sixteenths of a wavefront: of the time in which a multiprocessor's
// shared memory serves 128 bytes. The weights say how the parts of a kernel compare on
// today's GPUs, whose multiprocessors issue about four instructions in that time; what is
// chosen by them is a matter of factors, not of percents.
const (
	Unit          = 16
	costRequest   = 1 * Unit        // an access of a subgroup to memory
	costSegment   = 2 * Unit        // 32 bytes of global memory
	costLine      = 1 * Unit        // 128 bytes of it, all or in part: a lookup in the cache
	costWavefront = 1 * Unit        // 128 bytes of shared memory
	costShuffle   = 1 * Unit        // one register exchanged within a subgroup
	costInstr     = Unit / 4        // any other instruction of a subgroup
	costBarrier   = 32 * Unit       // all threads wait for one another
	costLatency   = 8 * costBarrier // of a load, which a subgroup waits for that would wait for no other
	costRename    = 1               // registers that change their numbers: an op less is better still
	LoopWeight    = 8               // iterations of a loop
	MostWeight    = 1 << 12         // of loops within loops
	Impossible    = 1 << 36         // more shared memory than there is
	segmentBytes  = 32
	lineBytes     = 128
)

// Model knows what work costs in a distribution on a target.
type Model struct {
	*memory.Accesses
	Lanes   int  // threads of a subgroup that can shuffle, 1 if none can
	group   int  // threads that issue together, and whose accesses join
	Async   bool // loops may copy asynchronously
	Apart   bool // subgroups multiply matrices of a batch and wait for no other, but where a conversion goes through shared memory
	moves   map[move]Conversion
	Layouts []layout.Linear // by number
}

// move is a conversion between two distributions, by number.
type move struct{ from, to int }

// Conversion is a conversion's way, and what it costs for elements of no size.
type Conversion struct {
	Plan   layout.Conversion
	Shared bool // through shared memory
	Cost   int
}

// New is the model for the accesses of a kernel.
func New(a *memory.Accesses) *Model {
	return &Model{
		Accesses: a, moves: map[move]Conversion{},
		Lanes: max(1, min(a.Caps.SubgroupSize, a.Threads)), group: min(32, a.Threads),
	}
}

// Number names a distribution.
func (c *Model) Number(l layout.Linear) int {
	for i, known := range c.Layouts {
		if known.Equal(l) {
			return i
		}
	}
	c.Layouts = append(c.Layouts, l)
	return len(c.Layouts) - 1
}

func (c *Model) subgroups() int { return max(1, c.Threads/c.group) }

// Owners is the number of subgroups with a thread that owns elements: of threads that hold
// copies one does.
func (c *Model) Owners(l layout.Linear) int {
	upper := (c.Threads - 1) &^ (c.group - 1)
	return 1 << bits.OnesCount(uint(upper&^l.FreeBits(layout.Thread)))
}

// Convert is what it costs to bring a tile of elements from one distribution to another.
func (c *Model) Convert(from, to int, elem dtype.Type) int {
	if from == to {
		return 0
	}
	m := c.move(from, to)
	if e, ok := c.exchange(from, to, elem); ok {
		return e.Cost
	}
	if m.Shared && (c.AvoidShared || c.Caps.SharedBytes > 0 && TileBytes(c.Layouts[to], plan.ExchangeElem(c.Caps, elem)) > c.Caps.SharedBytes) {
		return m.Cost + Impossible
	}
	if m.Shared && c.Apart {
		return m.Cost + c.subgroups()*costLatency
	}
	if m.Plan.Route != layout.InThread {
		return m.Cost + elem.Size() // of equal moves the one of the narrower type
	}
	return m.Cost
}

// move plans a conversion, once.
func (c *Model) move(from, to int) Conversion {
	m, ok := c.moves[move{from, to}]
	if !ok {
		m = c.plan(c.Layouts[from], c.Layouts[to])
		c.moves[move{from, to}] = m
	}
	return m
}

// ConversionOf is the conversion between two distributions.
func (c *Model) ConversionOf(from, to layout.Linear) Conversion {
	return c.move(c.Number(from), c.Number(to))
}

// Exchange is a conversion of elements of 8 and 16 bits by exchanges of words within subgroups.
type Exchange struct {
	PerWord int // elements of a word
	Swaps   []distribution.Swap
	Order   []int // see distribution.Exchange
	Cost    int
}

// exchange plans an exchange of elements of a type between distributions, if that is the shortest way.
func (c *Model) exchange(from, to int, elem dtype.Type) (e Exchange, ok bool) {
	if e.PerWord = simt.PerWord(elem); e.PerWord == 0 || c.Lanes == 1 {
		return e, false
	}
	l := c.Layouts[from]
	if e.Swaps, e.Order, ok = distribution.Exchange(l, c.Layouts[to], c.Lanes, e.PerWord); !ok {
		return e, false
	}
	words := l.Size(layout.Register) / e.PerWord * c.subgroups()
	if e.PerWord == 2 && slices.ContainsFunc(e.Swaps, func(s distribution.Swap) bool { return s.InWord(2) }) {
		return e, false // halves of words are rotated, too; with bytes that pays, with 16 bits nobody has timed it
	}
	for _, s := range e.Swaps {
		if e.Cost += words * (costShuffle + 2*costInstr); !s.InWord(e.PerWord) { // of which one of two words is sent
			e.Cost -= words * costShuffle / 2
		}
	}
	return e, e.Cost < c.move(from, to).Cost
}

// ExchangeOf is how elements are exchanged between distributions, if that is the shortest way.
func (c *Model) ExchangeOf(from, to layout.Linear, elem dtype.Type) (e Exchange, ok bool) {
	return c.exchange(c.Number(from), c.Number(to), elem)
}

// RowsOfMatrices reports whether a matrix goes through shared memory in pieces of whole words, and to threads as instructions spread matrices with rows along a dimension.
func (c *Model) RowsOfMatrices(from, to layout.Linear, elem dtype.Type) (along int, ok bool) {
	if elem.Size() != 2 || !c.Caps.Matrix.Has(elem) {
		return 0, false
	}
	along, ok = distribution.RowsOfWords(to)
	return along, ok && pieceOf(from, along) >= simt.PerWord(elem)
}

// pieceOf is how many elements of a row of such a matrix a thread stores at a time.
func pieceOf(from layout.Linear, along int) int {
	return len(distribution.Runs(from, along, distribution.MatrixRow)[0])
}

// ToMatrices is what such a conversion costs of what was loaded for matrix instructions alone, which asynchronous copies may bring to shared memory: those of an iteration wait together, once.
func (c *Model) ToMatrices(from, to int, elem dtype.Type) (cost int, ok bool) {
	made, taken := c.Layouts[from], c.Layouts[to]
	along, ok := c.RowsOfMatrices(made, taken, elem)
	if !ok || from == to {
		return 0, false
	}
	const words = distribution.AccessBytes / distribution.RegisterBytes // of an instruction at most, of a thread
	piece, barriers := pieceOf(made, along), 2
	if c.Async {
		barriers = 1
	}
	stores, loads := made.Size(layout.Register)/piece, max(taken.Size(layout.Register)/(2*words), 1)
	return stores*c.Owners(made)*(costRequest+piece/2*costWavefront) + loads*c.subgroups()*(costRequest+words*costWavefront) + barriers*costBarrier, true
}

func (c *Model) plan(from, to layout.Linear) Conversion {
	plan, shared := distribution.PlanConversion(from, to, c.Lanes)
	switch {
	case shared:
		plan.Route = layout.InShared
		last := len(to.Shape()) - 1
		return Conversion{plan, true, c.Shared(from, last, c.Owners(from)) + c.Shared(to, last, c.subgroups()) + 2*costBarrier}
	case plan.Route == layout.InSubgroup:
		return Conversion{plan, false, len(plan.Rounds) * c.subgroups() * costShuffle}
	}
	return Conversion{plan, false, costRename}
}

// Memory is what an access to a block of a view costs: its requests, and the segments
// of memory that they touch.
func (c *Model) Memory(op *tile.Op, l layout.Linear) int {
	if t, _ := c.TensorStoreOf(op); t != nil {
		return c.TensorStore(t, op, l)
	}
	cost := c.Direct(op, l)
	if s := c.RowStoreOf(op); s != nil {
		cost = min(cost, c.RowStore(s, l))
	}
	return cost
}

// Direct is what an access to a block costs by the threads that hold its elements.
func (c *Model) Direct(op *tile.Op, l layout.Linear) int {
	f := c.Facts.Views[op.View.Index]
	dim, width, _ := memory.BlockVector(f, op.View, l, op.Inside)
	cover, covered := c.UnalignedOf(op, l)
	if covered {
		width = cover.Width
	}
	if across, rotated := c.RotatedVector(op, l); rotated {
		width = across
	}
	elem, owners, copies := op.View.Elem.Size(), c.Owners(l), 0
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
	l, dim = joinRows(l, dim, elem)
	again := costRequest + c.lines(l, dim, elem) // of what is in the cache: another subgroup's, or what the access before it brought
	each := c.request(l, dim, elem)
	if covered {
		each += cover.Steps()*costInstr + (cover.Accesses()-1)*again
	}
	if r, _ := c.RotationOf(op); r != nil {
		each += rotationSteps * costInstr
		if r.Shifted[op] {
			each += again + width*bits.Len(uint(width))*costInstr
		}
	}
	return requests * (owners*each + copies*again)
}

// joinRows joins rows along the last dimension that are shorter than a vector with those before them: such rows seldom have gaps between them, and
// threads next to each other should have them.
func joinRows(l layout.Linear, dim, elem int) (layout.Linear, int) {
	for dim > 0 && dim == l.Rank()-1 && l.Shape()[dim]*elem < distribution.AccessBytes {
		shape := slices.Clone(l.Shape())
		shape[dim-1] *= shape[dim]
		dim--
		l = distribution.Reshape(l, shape[:dim+1])
	}
	return l, dim
}

// rotationSteps is how many instructions it takes to find where an access of a rotated block is and what is beyond the block's ends, about.
const rotationSteps = 4

// request is what one access of a subgroup costs whose elements are consecutive along a
// dimension.
func (c *Model) request(l layout.Linear, dim, elem int) int {
	return costRequest +
		l.Segments(dim, max(1, segmentBytes/elem), c.group)*costSegment +
		c.lines(l, dim, elem)
}

// lines is what an access of a subgroup costs in the cache.
func (c *Model) lines(l layout.Linear, dim, elem int) int {
	return l.Segments(dim, max(1, lineBytes/elem), c.group) * costLine
}

// Points is what accesses at computed indices (gather and scatter) cost, assuming
// that neighbours along the last dimension are consecutive.
func (c *Model) Points(op *tile.Op, l layout.Linear) int {
	along := l.Rank() - 1
	width := c.PointVector(op, l)
	if op.Run > 1 {
		along = op.Axis
	}
	requests := l.Size(layout.Register) / width * c.subgroups()
	return requests * c.request(l, along, op.View.Elem.Size())
}

// Shared is what it costs some subgroups to write or read a tile in shared memory, in vectors
// along a dimension and without conflicts.
func (c *Model) Shared(l layout.Linear, dim, subgroups int) int {
	registers := l.Size(layout.Register) * subgroups
	return registers>>len(distribution.RunBits(l, dim, distribution.RegisterLanes))*costRequest + max(1, registers*c.group*distribution.RegisterBytes/distribution.BankBytes)*costWavefront
}

// Elementwise is what an op on every register costs.
func (c *Model) Elementwise(l layout.Linear) int {
	return l.Size(layout.Register) * c.subgroups() * costInstr
}

// Reduce is what a reduction of n tiles costs: within each thread, then within a
// subgroup, then between subgroups (see package emit).
func (c *Model) Reduce(op *tile.Op, l layout.Linear) int {
	out, along, n := l.Drop(op.Axis), distribution.ThreadsAlong(l, op.Axis), len(op.Out)
	cost := l.Size(layout.Register) * c.subgroups() * costInstr
	results := out.Size(layout.Register) * c.subgroups()
	within := along & (c.Caps.SubgroupSize - 1)
	if c.Caps.SubgroupSize == 0 {
		within = 0
	}
	cost += bits.OnesCount(uint(within)) * results * (costShuffle + costInstr)
	if along &^= within; along != 0 {
		parts := 1 << bits.OnesCount(uint(along))
		steps, reads := 1, parts
		if parts > MaxDirect {
			steps, reads = 2, 2<<(bits.Len(uint(parts))/2)
		}
		width := distribution.VectorLanes(out)
		together := max(1, min(width, MaxParts/c.Threads))
		barriers := 2 * max(1, out.Size(layout.Register)/together) // two steps alternate between arrays
		cost += results*(steps+reads)*(costWavefront+costInstr) + barriers*costBarrier
	}
	return cost * n
}

// RankTile is the distribution in which ranks are found by ballots of warps; ok is false where they are found otherwise.
func (c *Model) RankTile(op *tile.Op) (l layout.Linear, ok bool) {
	if c.Caps.Language != target.CUDA || c.Caps.SubgroupSize != simt.WarpThreads {
		return l, false
	}
	return distribution.RankTile(op.Result().Type().Shape, c.Threads, simt.WarpThreads, int(op.Number))
}

// Histogram is what sums by bins cost: an atomic op for each element, and stores and loads of the sums (see package emit).
func (c *Model) Histogram(op *tile.Op, l layout.Linear) int {
	sums := 2 * max(1, op.Result().Type().Len()*distribution.RegisterBytes/distribution.BankBytes)
	return l.Size(layout.Register)*c.Owners(l)*(2*costWavefront+costInstr) + sums*costWavefront + 3*costBarrier
}

// Scan is what a scan costs: within each thread, and an exchange of the runs' totals for
// each bit of the thread's number along the axis (see package emit).
func (c *Model) Scan(op *tile.Op, l layout.Linear) int {
	s, _ := distribution.ScanOf(l, op.Axis)
	registers := l.Size(layout.Register)
	lines := max(1, registers/s.Run) * c.subgroups()
	cost := 2 * registers * c.subgroups() * costInstr
	for _, bit := range s.Threads {
		cost += lines * 2 * costInstr
		if 1<<bit < c.Caps.SubgroupSize {
			cost += lines * costShuffle
		} else {
			cost += lines*2*costWavefront + costBarrier
		}
	}
	return cost * len(op.Out)
}
