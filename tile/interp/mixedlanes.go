package interp

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp/internal/native"
	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

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
