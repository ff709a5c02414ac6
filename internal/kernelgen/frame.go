package kernelgen

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// frame draws a grid and how its programs share the tiles of the kernel's shape, and
// describes body for one of them.
func (g *gen) frame(body func()) {
	rank := len(g.shape)
	g.own = make([]operand, rank)
	for d := range g.own {
		g.own[d] = 0
	}
	switch kind := g.even(6, "frame"); {
	case kind == 1 && rank > 1:
		g.ordered(body)
	case kind == 2:
		g.persistent(body)
	case kind == 3:
		g.exiting(body)
	default:
		g.plain(body)
	}
}

// plain has a grid of 1 to 3 dimensions, each for one axis.
func (g *gen) plain(body func()) {
	dims := min(1+g.even(3, "grid"), len(g.shape))
	var grid []operand
	g.line, g.lines = 0, 1
	first := g.even(len(g.shape)-dims+1, "axis")
	for j := range dims {
		d := first + j
		n, count := g.count(d)
		grid = append(grid, count)
		id := g.k.ProgramID(j)
		g.own[d] = id
		line := id
		if j > 0 {
			line = g.line.(*tile.Value).Mul(n).Add(id)
		}
		g.line, g.lines = line, g.lines*n
		g.addScalar(id)
	}
	if g.one(3, "count") {
		g.addScalar(g.k.NumPrograms(g.even(3, "axis")))
	}
	g.k.Grid(grid...)
	body()
}

// count draws a number of programs for an axis: as a number, a scalar parameter, or from
// a view's size.
func (g *gen) count(axis int) (int, operand) {
	n := g.n(1, 3, "programs")
	if g.one(40, "none") {
		n = 0
	}
	switch g.even(3, "count") {
	case 0:
		return n, n
	case 1:
		return n, g.scalarParameter(dtype.I32, uint32(n))
	}
	in := g.input(g.elem(anyElem), g.shape)
	size := g.c.Args[in.view.Index].Layout.Size(axis)
	g.k.Require(in.view.Dim(axis).Ge(size - g.n(0, 2, "less")))
	s := g.shape[axis]
	return (size + s - 1) / s, g.k.CDiv(in.view.Dim(axis), s)
}

// ordered has the tiles of a plane in the order that the schedule says, sometimes with
// several programs for each, which share the work.
func (g *gen) ordered(body func()) {
	a := g.even(len(g.shape)-1, "axis")
	rows, columns := 1+g.n(0, 3, "rows"), 1+g.n(0, 2, "columns")
	g.schedule.Order = tile.Order{Kind: draw(g, []tile.OrderKind{tile.RowMajor, tile.ColumnMajor, tile.GroupedRows, tile.GroupedColumns}, "order"),
		Grid2D: g.one(2, "grid of two dimensions")}
	if g.schedule.Order.Kind >= tile.GroupedRows {
		g.schedule.Order.Group = 1 + g.n(0, 3, "group")
	}
	if g.one(2, "split") {
		g.schedule.SplitK = 1 + g.n(1, 2, "parts")
	}
	g.k.Schedule(g.schedule)
	row, column := g.k.TileID(rows, columns)
	g.own[a], g.own[a+1] = row, column
	line := row.Mul(columns).Add(column)
	g.lines = rows * columns
	g.addScalar(row)
	if g.isSplit() {
		g.lines, line = g.lines*g.k.Splits(), line.Mul(g.k.Splits()).Add(g.k.SplitID())
		g.addScalar(g.k.SplitID())
		in := g.input(dtype.I32, g.shape)
		sum := g.k.Var(g.k.Zeros(in.view.Elem, g.shape...))
		for i := range g.k.SplitRange(g.n(0, 4, "iterations")) {
			g.indices = append(g.indices, i)
			sum.Set(g.merged(val{v: sum.Get()}, g.load(in, g.shape)).v)
		}
		g.indices = nil
		g.add(val{v: sum.Get(), size: safe(in.view.Elem), exact: !in.view.Elem.IsFloat()})
	}
	g.line = line
	body()
}

// isSplit reports whether several programs share each tile.
func (g *gen) isSplit() bool { return g.schedule.SplitK > 1 }

// persistent has fewer programs than tiles.
func (g *gen) persistent(body func()) {
	total := g.n(0, 5, "tiles")
	g.k.Grid(1 + g.n(0, 2, "programs"))
	for i := range g.k.Persistent(total) {
		g.numbered(i, total)
		body()
	}
}

// exiting has more programs than tiles; those without one end early.
func (g *gen) exiting(body func()) {
	total := g.n(1, 5, "tiles")
	g.k.Grid(total + g.n(0, 2, "more"))
	p := g.k.ProgramID(0)
	g.k.Exit(p.Ge(total))
	g.numbered(p, total)
	body()
}

// numbered takes tile i of total, along one or two axes.
func (g *gen) numbered(i *tile.Value, total int) {
	g.line, g.lines = i, total
	g.addScalar(i)
	a := g.even(len(g.shape), "axis")
	g.own[a] = i
	if b := g.even(len(g.shape), "axis"); b != a {
		g.own[a], g.own[b] = i.Rem(2), i.Div(2)
	}
}

func (g *gen) addScalar(v *tile.Value) { g.add(val{v: v, exact: true}) }

// scalarParameter declares a scalar parameter with its argument.
func (g *gen) scalarParameter(e dtype.Type, bits uint32) *tile.Value {
	g.c.Scalars = append(g.c.Scalars, bits)
	return g.k.Scalar(g.name("s"), e)
}
