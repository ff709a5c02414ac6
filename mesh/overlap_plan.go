package mesh

import (
	"errors"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// A product of gathered rows is one launch for each part that arrives, or fewer: tiles that fill a part of all units cost as much as if they
// filled all. The rows of such tiles go with the next part instead. What is best follows from how long products of so many rows should take, and from
// when the parts should be there.

// rowOrder is the order in which a member takes the rows of all ranks: its own part first, then part by part as they arrive. At any time each takes from
// another, so that no link carries the parts of two.
type rowOrder struct {
	member, world, rows int
	whole               bool // a launch has whole parts, and the own one is apart
}

// part is the rank of the nth part.
func (o rowOrder) part(n int) int { return (o.member + n) % o.world }

// breaks reports whether the nth part is no neighbour of the one before.
func (o rowOrder) breaks(n int) bool { return o.part(n) == 0 }

// stretch is rows that one launch computes, counted in the order of the member.
type stretch struct{ from, to int }

// row is the first row of a stretch in the result.
func (o rowOrder) row(s stretch) int {
	return (o.member*o.rows + s.from) % (o.world * o.rows)
}

// last is the last part that a stretch has rows of.
func (o rowOrder) last(s stretch) int { return max(s.to-1, 0) / max(o.rows, 1) }

// rowModel says what a plan depends on.
type rowModel struct {
	seconds func(rows int) float64 // of a launch of so many rows
	waves   func(most int) []int   // numbers of rows that fill all units
	arrival float64                // seconds until the next part is there
	added   float64                // seconds of a launch that make adding apart worth it
	packed  float64                // seconds of a launch that make packing its right operand worth it
	copied  func(rows int) float64 // seconds of a copy of so many rows within a device
	summed  float64                // seconds of the kernel that adds what was received
	sent    func(rows int) float64 // seconds of a copy of so many rows of the result to another device
	parts   [2]float64             // seconds of a collective that gathers the left operand's rows, and of one that scatters the result's
	calls   float64                // seconds of the host for a call of the driver
	phases  float64                // seconds of the steps of a recording by which members wait for each other
	known   map[int]float64        // of seconds
}

func (m *rowModel) launch(rows int) float64 {
	s, ok := m.known[rows]
	if !ok {
		s = m.seconds(rows)
		m.known[rows] = s
	}
	return s
}

// stretches is the plan for a member: that by which it should be ready first. Without a model each part is a launch.
func (o rowOrder) stretches(m *rowModel) (list []stretch) {
	if m == nil {
		for n := range o.world {
			list = append(list, stretch{n * o.rows, (n + 1) * o.rows})
		}
		return list
	}
	each, planned := o.stretches(nil), 0.0
	list, planned = o.plan(m, 0, 1, 0)
	if planned > worthPlanning*o.end(m, each, 0) {
		return each
	}
	return list
}

// What takes longer than a launch, in launches, as it was seen with NCCL and graphs on NVLink.
const (
	sharedDriver    = 4 // a call of the driver while others call it for other devices
	signalled       = 2 // to tell others and to wait for them
	startCollective = 8
	// collectiveShare is the part of a link's rate that a library's collectives reach.
	collectiveShare = 0.8
)

const (
	// worthPlanning is the part of the time of one launch for each part that a plan takes at most.
	worthPlanning = 0.97
	// worthAdding is how many times as long as the kernel that adds a product takes at least for which that is faster than an epilogue.
	worthAdding = 2.5
)

// end is when a list of launches is done that begins at some time.
func (o rowOrder) end(m *rowModel, list []stretch, now float64) float64 {
	for _, s := range list {
		if s.from < o.rows && o.last(s) > 0 { // the rest of the own part is copied to the others
			now += m.copied(o.rows - s.from)
		}
		now = max(now, float64(o.last(s))*m.arrival) + m.launch(s.to-s.from)
	}
	return now
}

// plan is the best plan for the rows from one on, where the first part that it may end before is the nth, and its end, if it begins at some time.
func (o rowOrder) plan(m *rowModel, from, n int, begin float64) (best []stretch, end float64) {
	run := func(s stretch) float64 { return o.end(m, []stretch{s}, begin) }
	if n == o.world {
		s := stretch{from, o.world * o.rows}
		return []stretch{s}, run(s)
	}
	for _, to := range o.ends(m, from, n) {
		s := stretch{from, to}
		first, at := []stretch{s}, 0.0
		if to == from {
			first, at = nil, begin
		} else {
			at = run(s)
		}
		rest, done := o.plan(m, to, n+1, at)
		if best == nil || done < end {
			best, end = append(first, rest...), done
		}
	}
	return best, end
}

// ends lists where a launch may end that begins at a row, before the nth part: there, after whole waves before it, or nowhere.
func (o rowOrder) ends(m *rowModel, from, n int) []int {
	const most = 3 // of waves: the plans of all are compared
	list := []int{n * o.rows}
	if o.breaks(n) {
		return list
	}
	if o.whole {
		if from >= o.rows {
			list = append(list, from)
		}
		return list
	}
	waves := m.waves(n*o.rows - from)
	slices.SortFunc(waves, func(a, b int) int { return b - a })
	for _, w := range waves[:min(most, len(waves))] {
		if from+w < n*o.rows {
			list = append(list, from+w)
		}
	}
	if from > 0 { // the rows of the own part would have to be copied to the others, but for a few
		list = append(list, from)
	}
	return list
}

// pieces is in how many pieces the part of a recording is cut whose product and copy nothing else hides: of what is sent the first part, whose copy can begin when a
// piece is there, and of what is gathered the last one, of which a piece can be multiplied when it is there. Copies follow each other on the link, and products on the device.
// Backwards in time the one is the other.
func (m *rowModel) pieces(world, rows int, copied func(rows int) float64) int {
	best, least := 1, 0.0
	for _, pieces := range []int{1, 2, 4} {
		if rows%pieces != 0 {
			break
		}
		product, link := 0.0, 0.0
		for part := 1; part < world; part++ {
			cut := 1
			if part == 1 {
				cut = pieces
			}
			for range cut {
				product += m.launch(rows / cut)
				link = max(link, product) + copied(rows/cut)
			}
		}
		if end := max(link, product+m.launch(rows)); pieces == 1 || end < worthPlanning*least {
			best, least = pieces, end
		}
	}
	return best
}

// cutLast is a plan whose last launch, if it is of one part, is cut in pieces.
func (o rowOrder) cutLast(list []stretch, pieces int) []stretch {
	if len(list) == 0 || pieces == 1 {
		return list
	}
	last := list[len(list)-1]
	if last.to-last.from != o.rows {
		return list
	}
	list = slices.Clone(list[:len(list)-1])
	for n := range pieces {
		list = append(list, stretch{last.from + n*o.rows/pieces, last.from + (n+1)*o.rows/pieces})
	}
	return list
}

// sizes are what is decided by: rows of a rank, columns and terms.
type sizes struct {
	rows, n, k int
	elem       weft.DType
}

// decisions are those about products of some sizes.
type decisions struct {
	stretches [][]stretch // of each member, of gathered rows
	whole     [][]stretch // the same of whole parts
	// adds says that a kernel adds what a rank received to its own product, not the product's epilogue.
	adds bool
	// first says that all rows are gathered before one product, and last that they are scattered after it: products of a few rows take less time than the host takes
	// to start all that overlaps. The second ones are of recordings, which take it no time.
	first, last [2]bool
	// sent and gathered are numbers of pieces: see rowModel.pieces.
	sent, gathered int
	// packs says that a right operand whose rows do not begin where tensor maps allow it is packed before several launches, which would each do so.
	packs bool
}

// decide is what is decided for a call, by the machine of the first device; the group's lock is held.
func (p *product) decide() *decisions {
	g := p.g
	key := sizes{p.rows, p.n, p.k, p.a[0].DType()}
	if d := g.decisions[key]; d != nil {
		return d
	}
	const kept = 256
	if g.decisions == nil || len(g.decisions) >= kept {
		g.decisions = map[sizes]*decisions{}
	}
	m := g.rowModel
	if m == nil {
		m = modelOf(g.devices[0].Caps(), key, g.world)
	}
	d := &decisions{sent: 1, gathered: 1}
	for i := range g.world {
		o := rowOrder{member: i, world: g.world, rows: p.rows}
		d.stretches = append(d.stretches, o.stretches(m))
		o.whole = true
		d.whole = append(d.whole, o.stretches(m))
	}
	if m != nil {
		d.adds, d.packs = m.launch(p.rows) >= m.added, m.launch(p.rows) >= m.packed
		d.compare(m, g.world, p.rows)
		d.sent = m.pieces(g.world, p.rows, m.sent)
		d.gathered = m.pieces(g.world, p.rows, func(rows int) float64 { return m.arrival * float64(rows) / float64(max(p.rows, 1)) })
	}
	g.decisions[key] = d
	return d
}

// compare decides whether products overlap with communication.
func (d *decisions) compare(m *rowModel, world, rows int) {
	o, others := rowOrder{world: world, rows: rows}, float64(world-1)
	gather, scatter := m.parts[0]+m.launch(world*rows), m.parts[1]+m.launch(world*rows)
	ship := float64(world)*m.launch(rows) + m.summed
	// The calls of a member: of each other one, a wait for it, a copy, its event, and waits of both sides for that, and one more event for what is sent.
	starts := m.calls * (5*others + float64(len(d.stretches[0])) + 2)
	d.first = [2]bool{gather < max(o.end(m, d.stretches[0], 0), starts), gather < o.end(m, d.whole[0], 0)+m.phases}
	starts = m.calls * (7*others + 4)
	d.last = [2]bool{scatter < max(ship, starts), scatter < ship+m.phases}
}

// modelOf is what is known of a machine, nil if nothing is. Operands are as they are packed.
func modelOf(caps target.Caps, s sizes, world int) *rowModel {
	const slowdown = 5 // of a product whose operands are not packed
	var views [2]tune.View
	for i, shape := range [][2]int{{s.rows * world, wholeLines(s.k, s.elem)}, {s.k, wholeLines(s.n, s.elem)}} {
		l, err := layout.Contiguous(shape[:]...)
		if err != nil {
			return nil
		}
		views[i] = tune.ViewOf(l)
	}
	problem, machine := kernels.MatMulProblem{Elem: s.elem, A: views[0], B: views[1]}, caps.Facts()
	if _, ok := problem.Seconds(caps, s.rows); !ok {
		return nil
	}
	bytes := func(m, n int) float64 { return float64(m) * float64(n) * float64(s.elem.Size()) }
	collective := func(part float64) float64 {
		return startCollective*machine.Launch + float64(world-1)*part/(collectiveShare*machine.LinkBytes())
	}
	return &rowModel{
		seconds: func(rows int) float64 { t, _ := problem.Seconds(caps, max(rows, kernels.MaxRowByRow+1)); return t },
		waves:   func(most int) []int { return problem.WaveRows(machine.Units, most) },
		arrival: bytes(s.rows, s.k)/machine.LinkBytes() + machine.Launch,
		added:   worthAdding * (3*bytes(s.rows, s.n)/machine.Memory + machine.Launch),
		copied:  func(rows int) float64 { return 2*bytes(rows, s.k)/machine.Memory + machine.Launch + machine.Latency },
		sent:    func(rows int) float64 { return bytes(rows, s.n)/machine.LinkBytes() + machine.Launch },
		summed:  float64(world+1)*bytes(s.rows, s.n)/machine.Memory + machine.Launch,
		parts:   [2]float64{collective(bytes(s.rows, s.k)), collective(bytes(s.rows, s.n))},
		calls:   sharedDriver * machine.Launch,
		phases:  2 * signalled * machine.Launch,
		packed:  (2*bytes(s.k, s.n)/machine.Memory + machine.Launch) / (slowdown - 1),
		known:   map[int]float64{},
	}
}

// wholeLines is the least number of elements, at least n, that are whole lines of memory.
func wholeLines(n int, elem weft.DType) int {
	each := kernels.ProducerStep / elem.Size()
	return (n + each - 1) / each * each
}

// packRight copies a member's right operand to rows of whole lines where the launches of a call would each do so by themselves. Where there
// is no memory for it they do.
func (p *product) packRight(member int, d *decisions, launches int) error {
	const granule = 16
	b, elem := p.b[member], p.b[member].DType()
	if !d.packs || launches < 2 || b.Layout().Stride(1) != 1 || p.k < 2 || b.Layout().Stride(0)*elem.Size()%granule == 0 {
		return nil
	}
	wide, err := p.empty(member, elem, p.k, wholeLines(p.n, elem))
	if err != nil {
		if errors.Is(err, fault.ErrOutOfMemory) {
			return nil
		}
		return err
	}
	packed, err := wide.Slice(1, 0, p.n)
	if err != nil {
		return err
	}
	p.keep(packed)
	if err := packed.CopyFrom(b); err != nil {
		return err
	}
	p.b[member] = packed
	return nil
}
