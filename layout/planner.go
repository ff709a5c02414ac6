package layout

import (
	"fmt"
	"slices"
)

// A conversion assigns to each place of the destination a place of the source
// that holds the same element. Both distributions are linear, and so is the
// assignment; with lane and register for the source's and k, l, w for the
// destination's register, lane and subgroup it reads
//
//	register = Rk k ^ Rl l ^ Rw w       lane = Lk k ^ Ll l ^ Lw w
//
// (the subgroup itself stays). If round k delivered register k everywhere, a lane
// could be asked for two of its registers at once. So lane l receives value
// k ^ G l in round k instead, and G is chosen so that each lane is asked for one
// register a round, namely so that among the lanes l the source lane determines
// the source register:
//
//	(Ll ^ Lk G) l = 0 only if (Rl ^ Rk G) l = 0
//
// Then the register to offer is a linear function of the lane that offers it.

// places are the bases of a distribution: what a bit of the register, of the lane
// and of the index of the subgroup contributes.
type places struct{ register, lane, group []int }

// column is what one bit of the destination contributes to the numbers of a
// round: to the value that is received, and to the source's register and lane.
type column struct{ into, register, lane int }

type planner struct {
	src, dst  places
	within    span     // source registers, then lanes: what a subgroup holds
	threads   int      // bits
	values    []int    // the elements of the received values' bits: independent ones
	registers []int    // of the destination, as received values
	value     []column // columns of the bits of a round's number k
	lane      []column // of the lane
	group     []column // of the subgroup
}

func newPlanner(src, dst Linear, lanes int) *planner {
	cut := min(log2(lanes), src.Bits(Thread))
	of := func(l Linear) places {
		t := l.of(Thread)
		return places{l.of(Register), t[:cut], t[cut:]}
	}
	p := &planner{src: of(src), dst: of(dst), threads: src.Bits(Thread)}
	p.within = spanOf(slices.Concat(p.src.register, p.src.lane)...)
	// Registers that hold copies of others are filled afterwards.
	var distinct span
	for _, v := range p.dst.register {
		if distinct.add(v, 1<<len(p.values)) {
			p.values = append(p.values, v)
		}
	}
	p.registers = indices(distinct, p.dst.register)
	return p
}

// indices returns for every register the inputs of a span that sum to its element.
func indices(s span, register []int) []int {
	bases := make([]int, len(register))
	for bit, v := range register {
		_, bases[bit] = s.reduce(v)
	}
	out := make([]int, 1<<len(register))
	for r := range out {
		out[r] = combine(bases, r)
	}
	return out
}

// renaming returns for each destination register the source register that holds
// its element in every thread, if there is one.
func (p *planner) renaming() ([]int, bool) {
	own := spanOf(p.src.register...)
	for _, v := range p.values {
		if !own.has(v) {
			return nil, false
		}
	}
	same := slices.Equal(p.src.lane, p.dst.lane) && slices.Equal(p.src.group, p.dst.group)
	return indices(own, p.dst.register), same
}

// leaves names a bit of the destination whose element is outside of what a
// thread or a subgroup holds; what its lanes and groups themselves contribute is
// taken off. It returns "" if there is none.
func (p *planner) leaves(held span) string {
	for i, v := range p.dst.register {
		if !held.has(v) {
			return fmt.Sprintf("register bit %d", i)
		}
	}
	src, dst := slices.Concat(p.src.lane, p.src.group), slices.Concat(p.dst.lane, p.dst.group)
	for i, v := range dst {
		if !held.has(v ^ src[i]) {
			return fmt.Sprintf("thread bit %d", i)
		}
	}
	return ""
}

// find returns the place within the subgroup that holds an element: a register of
// the own lane, if there is one.
func (p *planner) find(element int) column {
	_, from := p.within.reduce(element)
	n := len(p.src.register)
	return column{register: from & (1<<n - 1), lane: from >> n}
}

// shuffle fills in the columns.
func (p *planner) shuffle() {
	for i, v := range p.values {
		c := p.find(v)
		c.into = 1 << i
		p.value = append(p.value, c)
	}
	for i, v := range p.dst.group {
		p.group = append(p.group, p.find(v^p.src.group[i]))
	}
	if !p.byXor() {
		p.byIndex()
	}
}

// byXor tries to let every lane take from a lane that differs from it by the same
// mask: the element of each lane bit must be that of the source's lane bit, up to
// registers on either side.
func (p *planner) byXor() bool {
	n := len(p.src.register)
	near := spanOf(slices.Concat(p.src.register, p.values)...)
	lane := make([]column, len(p.dst.lane))
	for i, v := range p.dst.lane {
		rest, from := near.reduce(v ^ p.src.lane[i])
		if rest != 0 {
			return false
		}
		lane[i] = column{into: from >> n, register: from & (1<<n - 1), lane: 1 << i}
	}
	p.lane = lane
	return true
}

// rounds converts the columns to numbers of threads.
func (p *planner) rounds() []Round {
	var offers span // the register that a lane offers, by lane bits
	for _, c := range p.lane {
		offers.add(c.lane, c.register)
	}
	offer := func(lane int) int {
		_, register := offers.reduce(lane)
		return register
	}
	var into, from, send []int // by the bits of the thread
	for i, c := range p.lane {
		into, from, send = append(into, c.into), append(from, c.lane), append(send, offer(1<<i))
	}
	for _, c := range p.group {
		into, from, send = append(into, c.into), append(from, c.lane), append(send, c.register^offer(c.lane))
	}
	out := make([]Round, 1<<len(p.value))
	for k := range out {
		c := sum(p.value, k)
		out[k] = Round{Affine{c.register ^ offer(c.lane), send}, Affine{c.lane, from}, Affine{c.into, into}}
	}
	return out
}

// plus adds columns: over GF(2), so it subtracts them too.
func (c column) plus(d column) column {
	return column{c.into ^ d.into, c.register ^ d.register, c.lane ^ d.lane}
}

// sum adds the columns of a set.
func sum(columns []column, set int) column {
	var c column
	for i, v := range columns {
		if set>>i&1 == 1 {
			c = c.plus(v)
		}
	}
	return c
}
