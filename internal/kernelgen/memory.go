package kernelgen

import (
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

func (g *gen) loadOp(tile.Kind) {
	shape := g.shape
	if g.one(4, "other shape") {
		shape = g.drawShape(1+g.even(5, "rank"), g.o.Elements)
	}
	if len(g.c.Elems) >= g.o.Buffers && !slices.ContainsFunc(g.ins, func(in *inView) bool { return in.view.Rank == len(shape) }) {
		return
	}
	g.add(g.load(g.input(g.elem(anyElem), shape), shape))
}

// pointsOf draws I32 indices for each dimension of a view: scalars alone, or tiles of
// one shape, along with scalars, of values around what the view holds.
func (g *gen) pointsOf(rank int) (at []operand, shape []int) {
	if !g.one(4, "scalar point") {
		x := g.tilePick(isInt, exactly)
		shape = x.shape()
	}
	at = make([]operand, rank)
	for d := range at {
		switch {
		case shape == nil || g.one(3, "scalar index"):
			at[d] = g.scalar(7).Sub(g.n(0, 1, "less"))
		case g.one(3, "along an axis"):
			at[d] = g.k.Iota(g.even(len(shape), "axis"), shape...).Mul(1 + g.n(0, 2, "step")).Add(g.scalar(7))
		default:
			at[d] = g.index(shape)
		}
	}
	return at, shape
}

// index is a tile of small I32 numbers.
func (g *gen) index(shape []int) *tile.Value {
	x := g.pick(isInt, func(x val) bool { return x.exact && slices.Equal(x.shape(), shape) })
	if !slices.Equal(x.shape(), shape) {
		x = g.made(dtype.I32, shape)
	}
	mask := 1<<g.n(0, 5, "bits") - 1
	return x.v.Cast(dtype.I32).And(mask).Sub(g.n(0, 2, "less"))
}

// mask is a truth for each point of a shape.
func (g *gen) mask(shape []int) *tile.Value {
	x := g.pick(isTruth, func(x val) bool { return x.exact && (x.isScalar() || slices.Equal(x.shape(), shape)) })
	if !x.exact || !x.isScalar() && !slices.Equal(x.shape(), shape) {
		return g.scalar(3).Ne(0)
	}
	return x.v
}

func (g *gen) gather(tile.Kind) {
	if len(g.ins) == 0 {
		return
	}
	in := draw(g, g.ins, "view")
	at, shape := g.pointsOf(in.view.Rank)
	p := in.view.At(at...)
	if g.one(2, "mask") {
		p = p.Mask(g.mask(shape))
	}
	if g.one(2, "fill") {
		p = p.Fill(g.fillFor(in.view.Elem))
	}
	g.add(g.loaded(in, p.Gather()))
}

// private reads and writes the row of a view that this program has to itself, in one of
// several shapes and ways, so that threads read what others wrote.
func (g *gen) private(tile.Kind) {
	if g.mine == nil {
		if len(g.c.Elems) >= g.o.Buffers || g.lines == 0 {
			return
		}
		e := g.elem(func(e dtype.Type) bool { return e.IsInt() || e == dtype.F32 })
		g.mine = g.k.InOut(g.name("m"), e, 2)
		g.writes = append(g.writes, len(g.c.Elems))
		g.bind(len(g.c.Elems), e, g.rowsOf(g.lines, mineSize))
	}
	e := g.mine.Elem
	known := func(v *tile.Value) val {
		return val{v: v, size: safe(e), exact: !e.IsFloat()}
	}
	switch n := 1 << g.n(0, 6, "length"); g.even(8, "private") {
	case 0:
		g.add(known(g.mine.Block(1, n).Load(g.line, g.scalar(1))))
	case 1:
		g.mine.Block(1, n).Store(g.tileLike(e, []int{1, n}).v, g.line, g.scalar(1))
	case 2:
		g.add(known(g.mine.At(g.line, g.index([]int{min(n, g.o.Elements)})).Gather()))
	case 3:
		g.mine.At(g.line, g.scalar(63)).Scatter(g.tileLikeOrScalar(val{v: g.k.Const(e, 1), size: 1, exact: true}).v)
	case 4:
		g.add(known(g.mine.At(g.line, g.scalar(63)).Gather()))
	case 5:
		g.add(known(g.mine.Block(1, n).LoadAt(g.line, g.scalar(63).Sub(9))))
	case 6:
		g.mine.Block(1, n).StoreAt(g.tileLike(e, []int{1, n}).v, g.line, g.scalar(63).Sub(9))
	default:
		g.distinct(min(n, g.o.Elements), known)
	}
}

// distinct writes points of which no two are one element, or changes them by an atomic op,
// whose results are then known.
func (g *gen) distinct(n int, known func(*tile.Value) val) {
	e := g.mine.Elem
	shape := g.drawShape(1+g.even(3, "rank"), n)
	n = tile.Type{Shape: shape}.Len()
	i := g.k.Arange(n).Mul(1 + 2*g.n(0, 3, "odd")).Add(g.n(0, 9, "from")).And(n - 1).Reshape(shape...)
	p := g.mine.At(g.line, i)
	if g.one(2, "mask") {
		p = p.Mask(g.mask(shape))
	}
	x := g.tileLike(e, shape).v
	switch {
	case e == dtype.F32 && g.one(3, "atomic"):
		g.add(known(p.AtomicAdd(x)))
	case wideInt(e) && g.one(2, "atomic"):
		ops := []func(operand) *tile.Value{p.AtomicAdd, p.AtomicMax, p.AtomicMin, p.AtomicAnd, p.AtomicOr, p.AtomicXor, p.AtomicExchange,
			func(x operand) *tile.Value { return p.AtomicCompareAndSwap(0, x) }}
		g.add(known(draw(g, ops, "op")(x)))
	default:
		p.Scatter(x)
	}
}

// rowsOf is a layout of rows.
func (g *gen) rowsOf(rows, columns int) layout.Layout {
	return g.layout([]int{rows, columns}, false)
}

// atomic changes elements that other programs change, too, by one op that commutes.
func (g *gen) atomic(tile.Kind) {
	if g.sums == nil {
		if len(g.c.Elems) >= g.o.Buffers {
			return
		}
		e := g.elem(atomic)
		rmw := tile.RMWAdd
		if e != dtype.F32 {
			rmw = draw(g, []tile.RMW{tile.RMWAdd, tile.RMWMax, tile.RMWMin, tile.RMWAnd, tile.RMWOr, tile.RMWXor}, "op")
		}
		g.sums = &sumView{g.k.InOut(g.name("a"), e, 1), rmw}
		g.writes = append(g.writes, len(g.c.Elems))
		g.bind(len(g.c.Elems), e, g.layout([]int{1 + g.n(0, 20, "size")}, false))
		g.whole[len(g.whole)-1] = true
	}
	e := g.sums.view.Elem
	x := g.pick(anyElem, func(x val) bool { return x.exact })
	x = g.converted(x, e)
	if !x.exact {
		x = val{v: g.k.Const(e, 2), size: 2, exact: true}
	}
	if e == dtype.F32 {
		x = g.summand(x)
	}
	at := g.scalar(31)
	if !x.isScalar() && !g.one(3, "one element") {
		at = g.index(x.shape())
	}
	p := g.sums.view.At(at)
	if g.one(2, "mask") {
		p = p.Mask(g.mask(x.shape()))
	}
	map[tile.RMW]func(operand) *tile.Value{tile.RMWAdd: p.AtomicAdd, tile.RMWMax: p.AtomicMax, tile.RMWMin: p.AtomicMin,
		tile.RMWAnd: p.AtomicAnd, tile.RMWOr: p.AtomicOr, tile.RMWXor: p.AtomicXor}[g.sums.rmw](x.v)
}
