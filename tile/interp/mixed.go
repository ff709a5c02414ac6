package interp

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp/internal/native"
	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
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
	for _, st := range streams {
		if len(st.terms) != len(all) {
			continue
		}
		p := &mixing{streams: slices.Clone(streams)}
		for _, t := range st.terms {
			p.order = append(p.order, t.bit)
		}
		if p.fit() && p.computes(ops, s) && (best == nil || p.columns > best.columns) {
			best = p
		}
	}
	return best, best != nil
}

// streamsOf lists what the first ops of a group read and write.
func (g *group) streamsOf(ops []*tile.Op, users map[*tile.Value][]*tile.Op) (list []mixedStream) {
	s, seen := g.space, map[*tile.Value]bool{}
	within := map[*tile.Value]bool{}
	read := func(v *tile.Value, bits []int) {
		o, moved := s.from[v]
		switch {
		case seen[v] || within[v] && !moved:
			return
		case !moved:
			o = origin{value: v, bits: bits}
		}
		seen[v] = true
		st := mixedStream{value: v, from: o.value}
		terms := s.terms(o.bits, o.value.Type().Shape)
		for _, f := range o.fixed {
			i := slices.IndexFunc(terms, func(t term) bool { return t.bit == s.find(f/2) })
			if i >= 0 { // else it was added by a broadcast
				st.first += f % 2 * terms[i].dense
				terms = slices.Delete(terms, i, i+1)
			}
		}
		st.terms = terms
		list = append(list, st)
	}
	for _, op := range ops {
		v := op.Result()
		if v != nil {
			within[v] = true
		}
		if rearranges(op) {
			continue
		}
		switch op.Kind {
		case tile.OpConst, tile.OpSplat, tile.OpIota:
		case tile.OpLoad:
			list = append(list, mixedStream{op: op, value: v, terms: s.terms(s.bits[v], v.Type().Shape)})
		case tile.OpStore:
			x := op.Args[0]
			read(x, s.bits[x])
			list = append(list, mixedStream{op: op, value: x, write: true, terms: s.terms(s.bits[x], x.Type().Shape)})
		case tile.OpSplit:
			if _, moved := s.from[v]; !moved {
				read(op.Args[0], s.bits[op.Args[0]])
			}
		case tile.OpJoin:
			for _, x := range op.Args {
				read(x, s.bits[v][:len(s.bits[v])-1])
			}
		default:
			for _, x := range op.Args {
				read(x, s.bits[v])
			}
		}
	}
	for _, op := range ops {
		v := op.Result()
		if v != nil && slices.ContainsFunc(users[v], func(u *tile.Op) bool { return !slices.Contains(ops, u) }) {
			read(v, s.bits[v])
			list = append(list, mixedStream{value: v, from: v, write: true, terms: s.terms(s.bits[v], v.Type().Shape)})
		}
	}
	return list
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

// mixedNest is the nest of a group in which elements are rearranged.
type mixedNest struct {
	nest
	ways    []accessWay    // of each access
	held    []registerRows // of each register
	results bool           // registers are written
}

// accessWay is how the rows of a loop take a block.
type accessWay struct {
	shape         []int
	rows, columns []term // innermost first
}

// registerRows is how the rows of a loop take a register.
type registerRows struct {
	stream int
	reg    reg
	first  int   // bytes
	steps  []int // nil if all are step
	step   int
}

// fuseMixed makes the step of a group in which elements are rearranged.
func (c *compiler) fuseMixed(g *group) (step, error) {
	p, s := g.mixed, g.space
	rows, columns := 1<<(len(p.order)-p.columns), 1<<p.columns
	n := &mixedNest{nest: nest{shape: []int{rows, columns}, rows: rows, columns: columns, number: c.nests}}
	t := &mixer{translator: translator{values: map[*tile.Value]native.Value{}, nest: &n.nest}, p: p, space: s, n: n}
	for i := range p.streams {
		if st := &p.streams[i]; !st.write {
			c.input(t, st)
		}
	}
	for _, op := range g.ops {
		c.mixedLanes(t, op)
	}
	for i := range p.streams {
		if st := &p.streams[i]; st.write {
			c.output(t, st)
		}
	}
	code, err := t.Compile()
	if err != nil {
		return nil, err
	}
	c.nests++
	n.code = code
	c.noteLoop(g, &n.nest, t.Len(), code.Vectors)
	return n.run, nil
}

// mixer makes the loop of a group in which elements are rearranged.
type mixer struct {
	translator
	p     *mixing
	space *space
	n     *mixedNest
}

// elem is the type of what a stream moves.
func (st *mixedStream) elem() dtype.Type {
	if st.op != nil {
		return st.op.View.Elem
	}
	return laneElem(st.from.Type().Elem)
}

// input makes the stream of what a group reads.
func (c *compiler) input(t *mixer, st *mixedStream) {
	elem := st.elem()
	var x native.Value
	var at int
	if st.by == elementForTwo {
		x, at = t.Pairs(elem)
	} else {
		x, at = t.Input(elem, st.by == elementForRow)
	}
	t.values[st.value] = t.inputLanes(elem, x)
	c.bindStream(t, st, at, elem)
}

// output makes the stream of what it writes.
func (c *compiler) output(t *mixer, st *mixedStream) {
	elem := st.elem()
	if st.op == nil {
		c.define(st.from)
		t.n.results = true
	}
	x := t.outputLanes(elem, t.values[st.value])
	var at int
	if st.by == elementForTwo {
		at = t.OutputPairs(elem, x)
	} else {
		at = t.Output(elem, x)
	}
	c.bindStream(t, st, at, elem)
}

// bindStream keeps where the rows of a stream are.
func (c *compiler) bindStream(t *mixer, st *mixedStream, at int, elem dtype.Type) {
	var rows, columns []term
	outer := t.p.order[:len(t.p.order)-t.p.columns]
	for i := len(t.p.order) - 1; i >= 0; i-- {
		k := slices.IndexFunc(st.terms, func(x term) bool { return x.bit == t.p.order[i] })
		switch {
		case i < len(outer) && k < 0:
			rows = append(rows, term{})
		case i < len(outer):
			rows = append(rows, st.terms[k])
		case k >= 0:
			columns = append(columns, st.terms[k])
		}
	}
	if op := st.op; op != nil {
		coords := op.Args
		if st.write {
			coords = op.Args[1:]
		}
		a := access{stream: at, store: st.write, view: op.View.Index, elem: elem, coords: c.indices(coords), byElement: op.ByElement}
		if !st.write {
			a.fill = fillOf(elem, op.Number)
		}
		t.n.accesses = append(t.n.accesses, a)
		t.n.ways = append(t.n.ways, accessWay{shape: st.value.Type().Shape, rows: rows, columns: columns})
		t.List(at)
		return
	}
	r := registerRows{stream: at, reg: c.where[st.from], first: st.first * elem.Size()}
	steps := stepsOf(nil, rows, func(x term) int { return x.dense * elem.Size() })
	if len(steps) > 1 {
		r.step = steps[0]
	}
	if slices.ContainsFunc(steps[:len(steps)-1], func(x int) bool { return x != r.step }) {
		r.steps = steps
		t.List(at)
	}
	t.n.held = append(t.n.held, r)
}

// stepsOf is how far each row is from the one before, by the distance of each bit of its number; rows has the innermost first.
func stepsOf(list []int, rows []term, distance func(term) int) []int {
	list = append(list[:0], 0)
	for _, t := range rows {
		d := distance(t)
		for _, x := range list {
			list = append(list, x+d)
		}
	}
	for i := range len(list) - 1 {
		list[i] = list[i+1] - list[i]
	}
	return list
}

// mixedLanes translates an op.
func (c *compiler) mixedLanes(t *mixer, op *tile.Op) {
	v := op.Result()
	if v != nil {
		if _, ok := t.values[v]; ok { // a stream
			return
		}
		if _, moved := t.space.from[v]; moved { // which no op but those that rearrange takes
			return
		}
	}
	if rearranges(op) {
		t.values[v] = t.values[op.Args[0]]
		return
	}
	switch op.Kind {
	case tile.OpStore:
	case tile.OpConst:
		t.values[v] = t.constant(op)
	case tile.OpSplat:
		if x := op.Args[0].Op(); x != nil && x.Kind == tile.OpConst {
			t.values[v] = t.constant(x)
			return
		}
		elem := laneElem(v.Type().Elem)
		x, at := t.Input(elem, true)
		t.n.held = append(t.n.held, registerRows{stream: at, reg: c.where[op.Args[0]]})
		t.values[v] = t.inputLanes(elem, x)
	case tile.OpIota:
		t.values[v] = t.number(axisBits(t.space.bits[v], v.Type().Shape, op.Axis))
	case tile.OpSplit:
		if x := t.values[op.Args[0]]; op.Axis == 0 {
			t.values[v] = t.First(x)
		} else {
			t.values[v] = t.Second(x)
		}
	case tile.OpJoin:
		list := t.space.bits[v]
		t.values[v] = t.Select(t.bit(list[len(list)-1]), t.values[op.Args[1]], t.values[op.Args[0]])
	default:
		t.values[v] = t.elementwise(op)
	}
}

// position is which bit of the loop's number a bit is, the innermost being 0.
func (t *mixer) position(bit int) int {
	return len(t.p.order) - 1 - slices.Index(t.p.order, t.space.find(bit))
}

// bit has ones where a bit of the element's number is set.
func (t *mixer) bit(b int) native.Value {
	at := t.position(b)
	switch {
	case at == 0:
		return t.Odd()
	case at < t.p.columns:
		return t.Not(t.Equal(t.And(t.Column(), t.Bits(1<<at)), t.Bits(0)))
	}
	return t.rowTable(func(row int) int32 { return -int32(row >> (at - t.p.columns) & 1) })
}

// number is the number that a list of bits makes, outermost first.
func (t *mixer) number(list []int) native.Value {
	type move struct{ by, mask int }
	var columns []move // of the column's bits
	rows := map[int]int{}
	for i, b := range list {
		to, from := len(list)-1-i, t.position(b)
		switch k := len(columns) - 1; {
		case from >= t.p.columns:
			rows[from-t.p.columns] = to
		case k >= 0 && columns[k].by == from-to:
			columns[k].mask |= 1 << from
		default:
			columns = append(columns, move{from - to, 1 << from})
		}
	}
	sum := t.Bits(0)
	if len(rows) > 0 {
		sum = t.rowTable(func(row int) (x int32) {
			for from, to := range rows {
				x |= int32(row >> from & 1 << to)
			}
			return x
		})
	}
	for _, m := range columns {
		x := t.And(t.Column(), t.Bits(uint32(m.mask)))
		if m.mask == 1<<t.p.columns-1 {
			x = t.Column()
		}
		if m.by > 0 {
			x = t.Shift(vector.ShiftRight, x, m.by)
		} else {
			x = t.Shift(vector.ShiftLeft, x, -m.by)
		}
		sum = t.Or(sum, x)
	}
	return sum
}

// rowTable is a number for each row.
func (t *mixer) rowTable(f func(row int) int32) native.Value {
	x, at := t.Input(dtype.I32, true)
	table := make([]int32, t.n.rows)
	for i := range table {
		table[i] = f(i)
	}
	t.n.needs = append(t.n.needs, tableStream{at, len(t.n.tables)})
	t.n.tables = append(t.n.tables, table)
	return x
}
