package kernelgen

import (
	"math/bits"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
	"pgregory.net/rapid"
)

// recipe draws an op of a kind, or several that belong together. weight says how often;
// one without make is drawn along with others.
type recipe struct {
	weight int
	make   func(g *gen, kind tile.Kind)
}

// along is the recipe of kinds that come along with others or stand in every kernel.
var along = recipe{}

// menu lists kinds as often as their weights say.
var menu []tile.Kind

// Recipes say how ops are drawn that Unary and Binary do not list. It is filled by init, since
// recipes draw ops.
var Recipes map[tile.Kind]recipe

func init() {
	Recipes = map[tile.Kind]recipe{
		tile.OpConst: along, tile.OpProgramID: along, tile.OpNumPrograms: along, tile.OpStore: along,
		tile.OpYield: along, tile.OpCondition: along, tile.OpExit: along, tile.OpSplat: along, tile.OpRequire: along,

		tile.OpDim:  {1, (*gen).dim},
		tile.OpArg:  {1, (*gen).argument},
		tile.OpIota: {1, func(g *gen, _ tile.Kind) { g.add(g.made(g.elem(numbers), nil)) }},

		tile.OpCast:    {4, (*gen).cast},
		tile.OpBitcast: {1, (*gen).bitcast},
		tile.OpSelect:  {3, (*gen).selection},
		tile.OpFMA:     {2, (*gen).fma},

		tile.OpBroadcast: {1, (*gen).broadcast},
		tile.OpReshape:   {1, (*gen).reshape},
		tile.OpPermute:   {2, (*gen).permute},
		tile.OpJoin:      {1, (*gen).join},
		tile.OpSplit:     {1, (*gen).split},
		tile.OpReorder:   {2, (*gen).reorder},
		tile.OpHistogram: {2, (*gen).histogram},
		tile.OpRank:      {2, (*gen).rank},
		tile.OpTake:      {2, (*gen).take},
		tile.OpAt:        {2, (*gen).element},

		tile.OpReduceSum:  {2, (*gen).reduction},
		tile.OpReduceMax:  {1, (*gen).reduction},
		tile.OpReduceMin:  {1, (*gen).reduction},
		tile.OpReduceProd: {1, (*gen).reduction},
		tile.OpReduceAny:  {1, (*gen).reduction},
		tile.OpReduceAll:  {1, (*gen).reduction},
		tile.OpReduce:     {3, (*gen).combine},
		tile.OpScan:       {3, (*gen).combine},
		tile.OpDot:        {3, (*gen).dot},

		tile.OpLoad:    {4, (*gen).loadOp},
		tile.OpGather:  {3, (*gen).gather},
		tile.OpScatter: {4, (*gen).private},
		tile.OpAtomic:  {2, (*gen).atomic},

		tile.OpFor:   {3, (*gen).loop},
		tile.OpIf:    {2, (*gen).branch},
		tile.OpWhile: {1, (*gen).while},

		tile.OpAssert:     {1, (*gen).debug},
		tile.OpPrint:      {1, (*gen).debug},
		tile.OpBreakpoint: {1, (*gen).debug},
		tile.OpMultipleOf: {1, (*gen).hint},
		tile.OpAssume:     {1, (*gen).hint},
		tile.OpContiguous: {1, func(g *gen, _ tile.Kind) { g.contiguous() }},
	}

	for kind := tile.Invalid + 1; kind < tile.NumKinds; kind++ {
		n := Recipes[kind].weight
		if _, ok := Unary[kind]; ok {
			n = 1
		}
		if _, ok := Binary[kind]; ok {
			n = 1
		}
		menu = append(menu, slices.Repeat([]tile.Kind{kind}, n)...)
	}
}

// ops draws up to n ops. Each is a group of draws of its own, which shrinking can remove.
func (g *gen) ops(n int, label string) {
	outer := g.t
	one := rapid.Custom(func(t *rapid.T) int {
		g.t = t
		g.op(rapid.SampledFrom(menu).Draw(t, label))
		g.t = outer
		return 0
	})
	rapid.SliceOfN(one, 0, n).Draw(outer, label+"s")
}

func (g *gen) op(kind tile.Kind) {
	if _, ok := Unary[kind]; ok {
		g.unary(kind)
	} else if _, ok := Binary[kind]; ok {
		g.binary(kind)
	} else {
		Recipes[kind].make(g, kind)
	}
}

func (g *gen) dim(tile.Kind) {
	if len(g.ins) > 0 {
		view := draw(g, g.ins, "view").view
		g.addScalar(view.Dim(g.even(view.Rank, "axis")))
	}
}

func (g *gen) argument(tile.Kind) {
	switch g.even(3, "scalar") {
	case 0:
		g.addScalar(g.scalarParameter(dtype.I32, uint32(g.n(-5, 9, "argument"))))
	case 1:
		g.addScalar(g.scalarParameter(dtype.U32, ^uint32(g.n(0, 9, "argument"))))
	default:
		g.add(val{v: g.scalarParameter(dtype.F32, 0x40200000), size: 2.5}) // 2.5
	}
}

// tilePick is a value that is no scalar.
func (g *gen) tilePick(elem elems, fits func(val) bool) val {
	x := g.pick(elem, func(x val) bool { return !x.isScalar() && (fits == nil || fits(x)) })
	return x
}

func (x val) with(v *tile.Value) val { x.v = v; return x }

func (g *gen) broadcast(tile.Kind) {
	x := g.tilePick(anyElem, nil)
	shape := slices.Clone(x.shape())
	for d, n := range shape {
		if n == 1 && x.v.Type().Len()*2 <= g.o.Elements && g.one(2, "grow") {
			shape[d] = 2
		}
	}
	g.add(x.with(x.v.Broadcast(shape...)))
}

func (g *gen) reshape(tile.Kind) {
	x := g.tilePick(anyElem, nil)
	shape := make([]int, 1+g.even(5, "rank"))
	for d := range shape {
		shape[d] = 1
	}
	for range bits.Len(uint(x.v.Type().Len())) - 1 {
		shape[g.even(len(shape), "grow")] *= 2
	}
	g.add(x.with(x.v.Reshape(shape...)))
}

func (g *gen) permute(tile.Kind) {
	x := g.tilePick(anyElem, nil)
	perm := make([]int, len(x.shape()))
	for d := range perm {
		perm[d] = d
	}
	g.add(x.with(x.v.Permute(rapid.Permutation(perm).Draw(g.t, "permutation")...)))
}

// reorder moves elements by a permutation: of numbers multiplied by an odd one and moved on, modulo their count.
func (g *gen) reorder(tile.Kind) {
	x := g.tilePick(anyElem, nil)
	shape, places, step := x.shape(), g.k.Iota(0, x.shape()...).Mul(0), 1
	for d := len(shape) - 1; d >= 0; d-- {
		places = places.Add(g.k.Iota(d, shape...).Mul(step))
		step *= shape[d]
	}
	g.add(x.with(x.v.Reorder(places.Mul(2*g.n(0, 40, "factor") + 1).Add(g.n(0, 40, "first")))))
}

// histogram adds up weights by bins, of which some are left out. Weights of floats are such that their sums are exact.
func (g *gen) histogram(tile.Kind) {
	x := g.tilePick(isInt, func(x val) bool { return x.exact })
	n := 1 << g.n(0, min(6, bits.Len(uint(g.o.Elements))-1), "bins")
	bins := x.v.Cast(dtype.I32).And(2*n - 1).Sub(g.n(0, 2, "less"))
	e := g.elem(atomic)
	weight := val{v: g.k.Const(e, 1), size: 1, exact: true}
	if !g.one(3, "count") {
		weight = g.tileLike(e, x.shape())
		if e == dtype.F32 {
			weight = g.summand(weight)
		}
	}
	g.add(val{v: bins.Histogram(n, weight.v), size: 64 * float64(x.v.Type().Len()), exact: weight.exact})
}

// rank counts equal elements, of few bits so that there are some.
func (g *gen) rank(tile.Kind) {
	x := g.tilePick(isInt, func(x val) bool { return x.exact })
	v := x.v.Cast(dtype.I32)
	run := 1 << g.n(0, bits.Len(uint(v.Type().Len()))-1, "run")
	g.add(val{v: v.Rank(run, 1+g.n(0, 9, "bits")), size: float64(run), exact: true})
}

func (g *gen) take(tile.Kind) {
	x := g.tilePick(anyElem, nil)
	at := g.tilePick(isInt, func(x val) bool { return x.exact })
	g.add(x.with(x.v.Take(at.v.Cast(dtype.I32))))
}

func (g *gen) join(tile.Kind) {
	x := g.tilePick(anyElem, func(x val) bool { return len(x.shape()) < 5 && 2*x.v.Type().Len() <= g.o.Elements })
	if len(x.shape()) == 5 || 2*x.v.Type().Len() > g.o.Elements {
		return
	}
	y := g.tileLike(x.elem(), x.shape())
	g.add(val{x.v.Join(y.v), max(x.size, y.size), x.exact && y.exact})
}

// element is one element of a tile, as a scalar.
func (g *gen) element(tile.Kind) {
	x := g.tilePick(anyElem, nil)
	at := make([]operand, len(x.shape()))
	for d, n := range x.shape() {
		if at[d] = g.n(0, n-1, "index"); g.one(2, "computed") {
			at[d] = g.scalar(15).Sub(3)
		}
	}
	g.add(x.with(x.v.At(at...)))
}

func (g *gen) split(tile.Kind) {
	x := g.tilePick(anyElem, func(x val) bool { return x.v.Type().Len() > 1 })
	if x.v.Type().Len() < 2 {
		return
	}
	n := x.v.Type().Len() / 2
	first, second := x.v.Reshape(n, 2).Split()
	g.add(x.with(first))
	if g.one(2, "both") {
		g.add(x.with(second))
	}
}

func (g *gen) reduction(kind tile.Kind) {
	elem := numbers
	if kind == tile.OpReduceAny || kind == tile.OpReduceAll {
		elem = isTruth
	}
	x := g.tilePick(elem, nil)
	axis := g.even(len(x.shape()), "axis")
	n := float64(x.shape()[axis])
	v := map[tile.Kind]func(int) *tile.Value{tile.OpReduceSum: x.v.Sum, tile.OpReduceMax: x.v.Max, tile.OpReduceMin: x.v.Min,
		tile.OpReduceProd: x.v.Prod, tile.OpReduceAny: x.v.Any, tile.OpReduceAll: x.v.All}[kind](axis)
	switch kind {
	case tile.OpReduceSum:
		g.add(val{v, x.size * n, x.exact && (!x.elem().IsFloat() || x.size*n < safe(x.elem())*safe(x.elem()))})
	case tile.OpReduceProd:
		g.add(val{v, 1e30, x.exact && x.elem().IsInt()})
	default:
		g.add(x.with(v))
	}
}

func (g *gen) dot(tile.Kind) {
	e := g.elem(func(e dtype.Type) bool { return e.IsFloat() || e.Size() == 1 && e.IsInt() })
	side := func(label string) int { return 1 << g.n(0, 4, label) }
	m, k, n := side("m"), side("k"), side("n")
	var batch []int
	if g.one(3, "batched") {
		batch = []int{1 << g.n(0, 2, "batch")}
	}
	shape := func(rows, columns int) []int { return append(slices.Clone(batch), rows, columns) }
	for tile.TileOf(e, shape(max(m, k), max(k, n))...).Len() > g.o.Elements {
		m, k, n = max(1, m/2), max(1, k/2), max(1, n/2)
	}
	out, precision := e.Accumulator(), tile.Float32Accumulate
	switch {
	case e.IsInt() || e == dtype.F64:
		precision = tile.IEEE
	case e == dtype.F32:
		precision = draw(g, []tile.Precision{tile.IEEE, tile.TF32, tile.TF32x3}, "precision")
	}
	acc := g.k.Var(g.tileLike(out, shape(m, n)).v)
	size, exact := 0.0, true
	step := func() {
		a, b := g.tileLike(e, shape(m, k)), g.tileLike(e, shape(k, n))
		size, exact = a.size*b.size*float64(k), a.exact && b.exact
		acc.Set(tile.Dot(a.v, b.v, acc.Get(), precision))
	}
	if g.depth > 0 && g.one(2, "loop") {
		g.nested(func() {
			for i := range g.k.Range(g.scalar(3)) {
				g.indices = append(g.indices, i)
				step()
			}
		})
	} else {
		step()
	}
	g.add(val{acc.Get(), 4*size + 1024, exact && out == dtype.I32 || exact && size < 1<<20})
}

func (g *gen) debug(kind tile.Kind) {
	x := g.pick(anyElem, nil)
	switch kind {
	case tile.OpAssert:
		y := g.pick(bitsOnly, exactly)
		g.k.Assert(y.v.Eq(y.v), "equal", y.v)
	case tile.OpPrint:
		g.k.Print("x", x.v, g.scalar(1).Lt(0))
	default:
		g.k.Break(x.v)
	}
}

// contiguous makes a tile whose elements come in runs along the last dimension, as is promised.
func (g *gen) contiguous() {
	shape := g.shape
	run := min(1<<g.n(0, 3, "run"), shape[len(shape)-1])
	first := g.scalar(7).Mul(run)
	v := g.k.Iota(len(shape)-1, shape...).Add(first).Contiguous(run)
	g.add(val{v: v, size: 1 << 12, exact: true})
}

// hint makes a scalar of which a promise holds, and computes with it what gains from it.
func (g *gen) hint(kind tile.Kind) {
	x := g.scalar(31)
	if kind == tile.OpMultipleOf {
		n := 1 << g.n(0, 4, "multiple")
		x = x.Mul(n).MultipleOf(n)
		g.addScalar(x.Div(1 << g.n(0, 4, "divisor")))
		g.addScalar(x.Rem(1 << g.n(0, 4, "divisor")))
		return
	}
	low := g.n(0, 3, "least")
	x = x.Add(low)
	g.k.Assume(x.Ge(low))
	g.addScalar(x.Div(3))
	g.addScalar(g.scalar(15).Rem(x))
}
