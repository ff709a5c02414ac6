package emit

import (
	"math/bits"

	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// scan combines along an axis what stands before each element. Along the axis a
// thread holds runs of neighbours, the threads stand side by side, and what is longer than
// all threads' runs repeats in blocks. Each thread scans its runs; the threads
// exchange the runs' totals, along one bit of their numbers after the other, so that
// each knows what stands before its run; and the blocks' totals go from block to
// block. x stands before y wherever two are combined. A reverse scan is the same with
// every bit of the coordinates along the axis complemented.
func (l *emitter) scan(op *tile.Op) {
	n := len(op.Out)
	g := l.inputs(op, n)
	s, _ := distribution.ScanOf(g[0].dist, op.Axis) // it is assigned no other
	s.Reverse = op.Reverse
	c := l.combiner(op)
	lines := l.scanRuns(g, s, c)
	l.scanThreads(lines, s, c)
	var identity bundle
	if op.IsExclusive() {
		identity = l.scalarsOf(op.Args[n:])
	}
	out := emptyGroup(g[0], n)
	values := l.scanBlocks(lines, s, c, identity)
	if s.Vectors {
		for i := range out[0].vecs {
			out.set(i, values[i*g[0].width])
		}
	} else {
		out.fill(l.b, func(register int) bundle { return values[register] })
	}
	l.results(op, out)
}

// scanLine is one of a thread's runs and, once the threads have met, what stands before it.
type scanLine struct {
	registers []int    // the first of each element or vector, in order
	values    []bundle // scanned within the run
	total     bundle   // of the run, then of all threads' runs side by side
	before    bundle   // what the threads before hold; nothing sensible in the first of them
	next      *scanLine
	first     bool // no block stands before it
}

// scanRuns scans within each thread and returns its runs, those of one row of the
// tile linked in order.
func (l *emitter) scanRuns(g group, s distribution.Scan, c combiner) (lines []*scanLine) {
	step := 1
	if s.Vectors {
		step = g[0].width
	}
	type place struct{ other, block int } // a register with the axis at 0, and the number of the block
	at := map[place]*scanLine{}
	span := s.Run << len(s.Threads)
	blocks := s.Dist.Shape()[s.Axis] / span
	for n := range blocks {
		block := n * span
		if s.Reverse {
			block = (blocks - 1 - n) * span
		}
		for first := 0; first < s.Dist.Size(layout.Register); first += step {
			if s.Dist.AtAlong(first, 0, s.Axis) != block {
				continue
			}
			line := &scanLine{first: n == 0, registers: make([]int, s.Run)}
			other := first
			for bit := range s.Dist.Bits(layout.Register) {
				if s.Dist.BasisAlong(layout.Register, bit, s.Axis) != 0 {
					other &^= 1 << bit
				}
			}
			for i := range line.registers {
				line.registers[i] = first
				place := i
				if s.Reverse {
					place = s.Run - 1 - i
				}
				for j := range bits.Len(uint(s.Run)) - 1 {
					line.registers[i] |= place >> j & 1 << distribution.FindBasis(s.Dist, s.Axis, 1<<j)
				}
			}
			for _, register := range line.registers {
				x := g.at(register / g[0].width)
				if !s.Vectors {
					x = l.lane(x, register%g[0].width)
				}
				line.total = c.join(line.total, x)
				line.values = append(line.values, line.total)
			}
			if before := at[place{other, n - 1}]; before != nil {
				before.next = line
			}
			at[place{other, n}] = line
			lines = append(lines, line)
		}
	}
	return lines
}

// maxExchanged bounds the elements that each thread puts into shared memory at once.
const maxExchanged = 8

// exchangedRuns is how many of n runs exchange their totals at once. It is all of them if they fit shared memory, which takes fewest
// barriers; otherwise parts take no more than half of it, as threads write the next part while others still read. With inParts they leave
// half of it for the rest of the kernel.
func (l *emitter) exchangedRuns(n int, total bundle) int {
	width := total[0].Type.Width
	runs := min(n, maxExchanged/width)
	bytes := 0 // of a run
	for _, v := range total {
		bytes += plan.SharedElem(v.Type.Elem).Size() * l.threads * width
	}
	room := l.caps.SharedBytes
	if l.inParts {
		room /= 2
	}
	if room > 0 && (runs < n || runs*bytes > room) {
		runs = min(runs, room/2/bytes)
	}
	l.together = l.together || room > 0 && runs > 1 && runs*bytes > l.caps.SharedBytes/2
	return max(1, runs)
}

// scanThreads finds for each run what the threads before it hold, and the total of all
// threads, by exchanging totals along one bit of the thread's number at a time.
func (l *emitter) scanThreads(lines []*scanLine, s distribution.Scan, c combiner) {
	lower := 0 // bits that are done
	within := len(s.Threads) > 0 && l.caps.SubgroupSize > 0
	for _, bit := range s.Threads {
		within = within && 1<<bit < l.caps.SubgroupSize
		if within {
			l.note("threads exchange totals at distance %d by shuffles", 1<<bit)
		} else {
			l.note("threads exchange totals at distance %d through shared memory", 1<<bit)
		}
		upper := l.laterThread(s, 1<<bit)
		others := l.exchangeTotals(lines, bit, within)
		for i, line := range lines {
			low, high := l.choose(upper, others[i], line.total), l.choose(upper, line.total, others[i])
			if lower == 0 {
				line.before = low // right where it is used: with the bit set
			} else {
				line.before = l.choose(upper, l.choose(l.laterThread(s, lower), c.apply(low, line.before), low), line.before)
			}
			line.total = c.apply(low, high)
		}
		lower |= 1 << bit
	}
}

// laterThread holds in the threads of which, by the given bits of their numbers, another one stands before.
func (l *emitter) laterThread(s distribution.Scan, bits int) *simt.Value {
	first := 0
	if s.Reverse {
		first = bits
	}
	return l.b.Binary(simt.Ne, l.b.Binary(simt.And, l.thread, l.b.Int(bits)), l.b.Int(first))
}

// exchangeTotals returns for each run the total of the thread whose number differs in a bit.
func (l *emitter) exchangeTotals(lines []*scanLine, bit int, within bool) (others []bundle) {
	if within {
		for _, line := range lines {
			others = append(others, l.shuffle(line.total, bit))
		}
		return others
	}
	width := lines[0].total[0].Type.Width
	batch := l.exchangedRuns(len(lines), lines[0].total)
	partner := l.b.Binary(simt.Xor, l.thread, l.b.Int(1<<bit))
	for len(lines) > 0 {
		now := lines[:min(batch, len(lines))]
		lines = lines[len(now):]
		arrays := l.sharedArrays("totals", now[0].total, len(now)*l.threads*width)
		index := func(thread *simt.Value, i int) *simt.Value {
			return l.b.Binary(simt.Mul, l.b.Binary(simt.Add, thread, l.b.Int(i*l.threads)), l.b.Int(width))
		}
		run := l.newSet()
		cost := func(s *simt.Shared, partner int) int {
			return l.wavefronts(s.Elem, width, 0, func(thread int) int { return (thread ^ partner%warp) * width })
		}
		for i, line := range now {
			for j, v := range line.total {
				l.sharedStore(arrays[j], run, index(l.thread, i), v, nil, cost(arrays[j], 0))
			}
		}
		for i, line := range now {
			others = append(others, l.each(line.total, func(j int, v *simt.Value) *simt.Value {
				return l.sharedLoad(arrays[j], v.Type.Elem, index(partner, i), width, cost(arrays[j], 1<<bit))
			}))
		}
	}
	return others
}

// scanBlocks goes from block to block and returns the scan's values by register.
// With an identity they are those of the element before.
func (l *emitter) scanBlocks(lines []*scanLine, s distribution.Scan, c combiner, identity bundle) map[int]bundle {
	out := map[int]bundle{}
	var leads *simt.Value // holds in the first of the threads
	if len(s.Threads) > 0 {
		mask := 0
		for _, bit := range s.Threads {
			mask |= 1 << bit
		}
		first := 0
		if s.Reverse {
			first = mask
		}
		leads = l.b.Binary(simt.Eq, l.b.Binary(simt.And, l.thread, l.b.Int(mask)), l.b.Int(first))
	}
	for _, line := range lines {
		if !line.first {
			continue
		}
		var carry bundle // of the blocks before
		for ; line != nil; line = line.next {
			l.scanLine(line, c, carry, leads, identity, out)
			carry = c.join(carry, line.total)
		}
	}
	return out
}

// scanLine finishes one run. What stands before it is carry, nil in the first block, and
// what the threads before hold, but in the thread that leads.
func (l *emitter) scanLine(line *scanLine, c combiner, carry bundle, leads *simt.Value, identity bundle, out map[int]bundle) {
	before := carry
	switch {
	case leads != nil && carry != nil:
		before = l.choose(leads, carry, c.apply(carry, line.before))
	case leads != nil:
		before = line.before
	}
	finish := func(x bundle) bundle {
		switch {
		case before == nil:
			return x
		case carry == nil:
			return l.choose(leads, x, c.apply(before, x))
		}
		return c.apply(before, x)
	}
	if identity == nil {
		for i, register := range line.registers {
			out[register] = finish(line.values[i])
		}
		return
	}
	zero := l.each(identity, func(i int, v *simt.Value) *simt.Value { return l.b.Splat(v, line.total[i].Type.Width) })
	switch {
	case before == nil:
		out[line.registers[0]] = zero
	case carry == nil:
		out[line.registers[0]] = l.choose(leads, zero, before)
	default:
		out[line.registers[0]] = before
	}
	for i, register := range line.registers[1:] {
		out[register] = finish(line.values[i])
	}
}
