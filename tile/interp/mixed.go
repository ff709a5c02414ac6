package interp

import (
	"slices"

	"github.com/weftgpu/weft/tile"
)

// mixing is how the loop of a group runs in which elements are rearranged: over all numbers that a list of bits makes, the last ones of which number columns.
// In rows of columns each stream has elements side by side, or one element, or one for each two columns.
type mixing struct {
	order   []int // bits, outermost first
	columns int   // how many bits
	streams []mixedStream
}

// leastColumns is how many bits number the columns of a loop at least: vectors have up to 16 lanes.
const leastColumns = 4

// mixedStream is elements that a group reads or writes, of a register or of memory.
type mixedStream struct {
	op    *tile.Op    // a load or a store, nil for a register
	value *tile.Value // of the lanes; of a rearranged tile from outside, the tile
	from  *tile.Value // what the register holds
	write bool
	terms []term // outermost first
	first int    // element of the register
	by    byColumns
}

// term is a bit of the number of a stream's element.
type term struct {
	bit    int
	dense  int // elements in a dense tile
	axis   int // of the tile, and elements along it
	within int
}

// byColumns is how columns take elements of a stream.
type byColumns uint8

const (
	notByColumns byColumns = iota
	elementForRow
	elementForEach
	elementForTwo
)

// mixedOf finds a loop for the first ops of a group.
func (g *group) mixedOf(ops []*tile.Op, users map[*tile.Value][]*tile.Op) (*mixing, bool) {
	s := g.space
	streams := g.streamsOf(ops, users)
	all := map[int]bool{}
	for _, st := range streams {
		for _, t := range st.terms {
			all[t.bit] = true
		}
	}
	var best *mixing
	var tried [][]int // most streams of a long group have the order of others
	for _, st := range streams {
		if len(st.terms) != len(all) {
			continue
		}
		var order []int
		for _, t := range st.terms {
			order = append(order, t.bit)
		}
		if slices.ContainsFunc(tried, func(o []int) bool { return slices.Equal(o, order) }) {
			continue
		}
		tried = append(tried, order)
		p := &mixing{streams: slices.Clone(streams), order: order}
		if p.fit() && p.computes(ops, s) && (best == nil || p.columns > best.columns) {
			best = p
		}
	}
	return best, best != nil
}

// streamsOf lists what the first ops of a group read and write.
func (g *group) streamsOf(ops []*tile.Op, users map[*tile.Value][]*tile.Op) []mixedStream {
	s := g.space
	l := mixedStreams{space: s, seen: map[*tile.Value]bool{}, within: map[*tile.Value]bool{}}
	for _, op := range ops {
		v := op.Result()
		if v != nil {
			l.within[v] = true
		}
		if rearranges(op) {
			continue
		}
		switch op.Kind {
		case tile.OpConst, tile.OpSplat, tile.OpIota:
		case tile.OpLoad:
			l.list = append(l.list, mixedStream{op: op, value: v, terms: s.terms(s.bits[v], v.Type().Shape)})
		case tile.OpStore:
			x := op.Args[0]
			l.read(x, s.bits[x])
			l.list = append(l.list, mixedStream{op: op, value: x, write: true, terms: s.terms(s.bits[x], x.Type().Shape)})
		case tile.OpSplit:
			if _, moved := s.from[v]; !moved {
				l.read(op.Args[0], s.bits[op.Args[0]])
			}
		case tile.OpJoin:
			for _, x := range op.Args {
				l.read(x, s.bits[v][:len(s.bits[v])-1])
			}
		default:
			for _, x := range op.Args {
				l.read(x, s.bits[v])
			}
		}
	}
	for _, op := range ops {
		v := op.Result()
		if v != nil && slices.ContainsFunc(users[v], func(u *tile.Op) bool { return !slices.Contains(ops, u) }) {
			l.read(v, s.bits[v])
			l.list = append(l.list, mixedStream{value: v, from: v, write: true, terms: s.terms(s.bits[v], v.Type().Shape)})
		}
	}
	return l.list
}

// mixedStreams collects streams of a group.
type mixedStreams struct {
	space  *space
	within map[*tile.Value]bool // made by the ops so far
	seen   map[*tile.Value]bool // that have a stream
	list   []mixedStream
}

// read adds the stream of an operand with these bits, if it comes from elsewhere.
func (l *mixedStreams) read(v *tile.Value, bits []int) {
	o, moved := l.space.from[v]
	switch {
	case l.seen[v] || l.within[v] && !moved:
		return
	case !moved:
		o = origin{value: v, bits: bits}
	}
	l.seen[v] = true
	st := mixedStream{value: v, from: o.value}
	terms := l.space.terms(o.bits, o.value.Type().Shape)
	for _, f := range o.fixed {
		i := slices.IndexFunc(terms, func(t term) bool { return t.bit == l.space.find(f/2) })
		if i >= 0 { // else it was added by a broadcast
			st.first += f % 2 * terms[i].dense
			terms = slices.Delete(terms, i, i+1)
		}
	}
	st.terms = terms
	l.list = append(l.list, st)
}

// terms are the terms of a tile's bits.
func (s *space) terms(bits []int, shape []int) (list []term) {
	for d, n := range shape {
		for w := n / 2; w > 0; w /= 2 {
			at := len(list)
			list = append(list, term{bit: s.find(bits[at]), dense: 1 << (len(bits) - 1 - at), axis: d, within: w})
		}
	}
	return list
}

// fit finds how many bits number columns: as many as all streams allow, but where they can within the last dimensions of blocks, which often are no
// runs in memory.
func (p *mixing) fit() bool {
	within := len(p.order)
	for m := leastColumns; m <= len(p.order) && p.allows(m); m++ {
		p.columns = m
	}
	if p.columns == 0 {
		return false
	}
	for _, st := range p.streams {
		if st.op != nil {
			n := 0
			for i := len(st.terms) - 1; i >= 0 && st.terms[i].axis == st.terms[len(st.terms)-1].axis; i-- {
				n++
			}
			if st.by == elementForTwo {
				n++
			}
			if st.by != elementForRow {
				within = min(within, n)
			}
		}
	}
	if within >= leastColumns {
		p.columns = min(p.columns, within)
	}
	return p.allows(p.columns)
}

// allows says how columns of a number of bits take the elements of each stream, if they all do in some way.
func (p *mixing) allows(columns int) bool {
	for i := range p.streams {
		st := &p.streams[i]
		st.by = st.columnsOf(p.order, columns)
		if st.by == notByColumns || st.write && (st.by == elementForRow || len(st.terms) < len(p.order)-1) {
			return false
		}
		if st.write && (st.by == elementForTwo) != (len(st.terms) < len(p.order)) {
			return false
		}
		if st.write && st.by == elementForTwo && st.op != nil && st.op.View.Elem.Size() == 2 {
			return false
		}
	}
	return true
}

func (st *mixedStream) columnsOf(order []int, columns int) byColumns {
	skip := 0
	found := 0
	for i := range columns {
		bit := order[len(order)-1-i]
		at := slices.IndexFunc(st.terms, func(t term) bool { return t.bit == bit })
		switch {
		case at < 0 && i == 0:
			skip = 1
		case at < 0 && found > 0, at >= 0 && st.terms[at].dense != 1<<(i-skip):
			return notByColumns
		case at >= 0:
			found++
		}
	}
	switch {
	case found == 0:
		return elementForRow
	case found+skip != columns:
		return notByColumns
	case skip == 1:
		return elementForTwo
	}
	return elementForEach
}

// computes reports whether the loop has what the ops need to know of their elements' numbers.
func (p *mixing) computes(ops []*tile.Op, s *space) bool {
	for _, op := range ops {
		v := op.Result()
		switch op.Kind {
		case tile.OpIota:
			for _, b := range axisBits(s.bits[v], v.Type().Shape, op.Axis) {
				if !slices.Contains(p.order, s.find(b)) {
					return false
				}
			}
		case tile.OpSplit:
			x := s.bits[op.Args[0]]
			if _, moved := s.from[v]; !moved && s.find(x[len(x)-1]) != p.order[len(p.order)-1] {
				return false
			}
		case tile.OpJoin:
			if list := s.bits[v]; !slices.Contains(p.order, s.find(list[len(list)-1])) {
				return false
			}
		}
	}
	return true
}
