package kernelgen

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
	"pgregory.net/rapid"
)

// inView is a view to load and gather from.
type inView struct {
	view *tile.View
	size float64 // of its floats
}

// sumView is a view that all programs change by one atomic op.
type sumView struct {
	view *tile.View
	rmw  tile.RMW
}

// mineSize is the length of the row that a program has to itself.
const mineSize = 64

// input is a view to read tiles of a shape from, an old or a new one.
func (g *gen) input(e dtype.Type, shape []int) *inView {
	var list []*inView
	for _, in := range g.ins {
		if in.view.Rank == len(shape) && (in.view.Elem == e || len(g.c.Elems) >= g.o.Buffers) {
			list = append(list, in)
		}
	}
	if len(list) > 0 && (len(g.c.Elems) >= g.o.Buffers || g.one(2, "old view")) {
		return draw(g, list, "view")
	}
	l := g.layout(g.sizes(shape), true)
	in := &inView{view: g.k.In(g.name("x"), e, len(shape))}
	buffer := len(g.c.Elems)
	for i, other := range g.c.Elems { // memory that another view reads, too
		if other == e && !g.written(i) && g.one(4, "shared buffer") {
			buffer = i
		}
	}
	g.bind(buffer, e, l)
	in.size = 8
	if !g.whole[buffer] {
		in.size = 16
	}
	g.ins = append(g.ins, in)
	return in
}

// written reports whether a view writes to a buffer.
func (g *gen) written(buffer int) bool {
	return slices.Contains(g.writes, buffer)
}

// sizes draws the sizes of a view that programs see in tiles of a shape: odd ones around the whole
// grid's, tiny ones, and zero.
func (g *gen) sizes(shape []int) []int {
	out := make([]int, len(shape))
	for d, s := range shape {
		n := s * (1 + g.n(0, 2, "blocks"))
		switch g.even(8, "size") {
		case 0, 1:
		case 2, 3, 4:
			n = max(1, n-1-g.n(0, s-1, "less"))
		case 5, 6:
			n += 1 + g.n(0, 4, "more")
		case 7:
			n = 1 + g.n(0, 2, "tiny")
			if g.one(6, "empty") {
				n = 0
			}
		}
		out[d] = n
	}
	return out
}

// layout draws how a view of some sizes is stored in memory. What is only read may repeat elements.
func (g *gen) layout(sizes []int, read bool) layout.Layout {
	order := make([]int, len(sizes))
	for d := range order {
		order[d] = len(sizes) - 1 - d
	}
	kind := g.even(4, "layout")
	if kind >= 2 {
		order = rapid.Permutation(order).Draw(g.t, "order")
	}
	strides, offset, next := make([]int, len(sizes)), 0, 1
	if kind == 3 {
		offset = g.n(0, 5, "offset")
	}
	for _, d := range order {
		strides[d] = next
		next *= max(1, sizes[d])
		if kind != 3 {
			continue
		}
		next += g.n(0, 3, "padding")
		switch form := g.even(8, "stride"); {
		case form == 0:
			strides[d] *= 2
			next *= 2
		case form == 1:
			offset += strides[d] * max(0, sizes[d]-1)
			strides[d] = -strides[d]
		case form == 2 && read:
			strides[d] = 0
		case form == 3 && read:
			next = strides[d] + 1 // the next dimension overlaps with this one
		}
	}
	l, err := layout.Strided(sizes, strides, offset)
	if err != nil {
		g.t.Fatalf("layout: %v", err)
	}
	return l
}

// bind makes a layout over a buffer the next view's argument. The buffer may be new.
func (g *gen) bind(buffer int, e dtype.Type, l layout.Layout) {
	if buffer == len(g.c.Elems) {
		g.c.Elems, g.need = append(g.c.Elems, e), append(g.need, 1)
		g.whole = append(g.whole, !g.one(3, "real numbers"))
	}
	g.c.Args = append(g.c.Args, Arg{Layout: l, Buffer: buffer})
	_, hi := l.Bounds()
	g.need[buffer] = max(g.need[buffer], hi+1+g.n(0, 3, "tail"))
}

// output declares a view that programs write. Sometimes another view reads the elements
// between its own.
func (g *gen) output(e dtype.Type, sizes []int) *tile.View {
	l := g.layout(sizes, false)
	view := g.k.Out(g.name("y"), e, len(sizes))
	buffer := len(g.c.Elems)
	g.writes = append(g.writes, buffer)
	if !g.one(6, "interleaved") || l.Len() == 0 {
		g.bind(buffer, e, l)
		return view
	}
	double := func(odd int) layout.Layout {
		strides := l.Strides()
		for d := range strides {
			strides[d] *= 2
		}
		twice, err := layout.Strided(sizes, strides, 2*l.Offset()+odd)
		if err != nil {
			g.t.Fatalf("layout: %v", err)
		}
		return twice
	}
	g.bind(buffer, e, double(1))
	in := &inView{view: g.k.In(g.name("x"), e, len(sizes)), size: 16}
	g.bind(buffer, e, double(0))
	g.ins = append(g.ins, in)
	return view
}

// load reads a tile.
func (g *gen) load(in *inView, shape []int) val {
	b := in.view.Block(shape...)
	if g.one(3, "fill") {
		b = b.Fill(g.fillFor(in.view.Elem))
	}
	if g.one(4, "by element") {
		return g.loaded(in, b.LoadAt(g.offsets(shape)...))
	}
	return g.loaded(in, b.Load(g.coordinates(len(shape))...))
}

// offsets draws where a tile is loaded by elements: near multiples of its sizes, or anywhere around the view.
func (g *gen) offsets(shape []int) []operand {
	at := make([]operand, len(shape))
	for d, n := range shape {
		switch g.even(3, "from") {
		case 0:
			at[d] = g.scalar(3).Mul(n)
		case 1:
			at[d] = g.scalar(3).Mul(n).Sub(g.n(0, 3, "less"))
		default:
			at[d] = g.scalar(31).Sub(g.n(0, 9, "less"))
		}
	}
	return at
}

// loaded is what is known of an input's elements.
func (g *gen) loaded(in *inView, v *tile.Value) val {
	return val{v: v, size: in.size, exact: !in.view.Elem.IsFloat() || g.whole[g.c.Args[in.view.Index].Buffer]}
}

func (g *gen) fillFor(e dtype.Type) float64 {
	if e == dtype.Bool {
		return 1
	}
	return float64(g.n(0, 8, "fill"))
}

// coordinates draws where a tile is loaded: most often this program's, else at
// what loops and scalars say, also beyond the view's edges.
func (g *gen) coordinates(rank int) []operand {
	at := make([]operand, rank)
	for d := range at {
		switch kind := g.even(8, "at"); {
		case kind <= 3 && d < len(g.own):
			at[d] = g.own[d]
		case kind == 4:
			at[d] = g.n(-1, 2, "at")
		case kind == 5 || len(g.indices) == 0:
			at[d] = g.scalar(3).Sub(1)
		default:
			at[d] = g.indices[len(g.indices)-1-g.n(0, len(g.indices)-1, "loop")]
		}
	}
	return at
}

// storeAll writes what nothing used yet, so that all ops count: what can be brought to
// the kernel's shape, merged by kind; then what else there is room for.
func (g *gen) storeAll() {
	var merged [3]*val // integers and truths; exact floats; others
	var rest []val
	for _, x := range g.pool {
		if g.used[x.v] {
			continue
		}
		if !g.reaches(x, g.shape) {
			rest = append(rest, x)
			continue
		}
		group, e := 0, dtype.I32
		if x.elem().IsFloat() {
			if group, e = 2, dtype.F32; x.exact {
				group = 1
			}
		}
		x = g.shaped(x, g.shape)
		x = x.with(x.v.Cast(e))
		if merged[group] != nil {
			x = g.merged(*merged[group], x)
		}
		merged[group] = &x
	}
	for _, x := range merged {
		if x != nil {
			g.store(*x)
		}
	}
	for _, x := range slices.Backward(rest) {
		if len(g.c.Elems) < g.o.Buffers {
			g.store(x)
		}
	}
}

// store writes a value to elements that no other program writes.
func (g *gen) store(x val) {
	if x.isScalar() && (g.one(2, "scalar result") || len(g.c.Elems) >= g.o.Buffers) {
		x = g.shaped(x, g.shape)
	}
	e := x.elem()
	if g.one(4, "other type") {
		e = g.elem(anyElem)
	}
	if g.isSplit() && !atomic(e) {
		e = dtype.I32
	}
	if len(g.c.Elems) >= g.o.Buffers && len(g.written0) == 0 {
		return
	}
	if len(g.c.Elems) >= g.o.Buffers { // where another result went
		out := g.written0[0]
		g.storeTo(out, g.shaped(g.fitting(x, out.shape), out.shape))
		return
	}
	if x.isScalar() && g.isSplit() {
		x = g.shaped(x, g.shape)
	}
	x = g.converted(x, e)
	if x.isScalar() && !g.isSplit() {
		view := g.output(e, []int{max(1, g.lines+g.n(-1, 1, "size"))})
		view.At(g.line).Scatter(x.v)
		return
	}
	shape := x.shape()
	out := outView{shape: shape, at: make([]operand, len(shape))}
	sizes := g.sizes(shape)
	if slices.Equal(shape, g.shape) {
		copy(out.at, g.own)
	} else {
		for d := range out.at {
			out.at[d] = 0
		}
		d := g.even(len(shape), "axis")
		out.at[d] = g.line
		sizes[d] = max(1, g.lines*shape[d]-g.n(0, shape[d], "less"))
	}
	out.view = g.output(e, sizes)
	g.written0 = append(g.written0, out)
	g.storeTo(out, x)
}

// outView is a view and where this program's tile of it is.
type outView struct {
	view  *tile.View
	shape []int
	at    []operand
}

// storeTo stores a value to this program's tile, or adds it, where several programs share that.
func (g *gen) storeTo(out outView, x val) {
	x = g.converted(x, out.view.Elem)
	if g.isSplit() && x.elem().IsFloat() {
		x = g.summand(x)
	}
	out.view.Block(out.shape...).Accumulate(x.v, out.at...)
}

// summand is an integer of which sums in F32 are exact in any order.
func (g *gen) summand(x val) val {
	if !x.exact {
		x.v = x.v.Floor().Mul(0)
	}
	return val{x.v.Round().Maximum(-64).Minimum(64), 64, true}
}

// fitting is x, or a value of its type that can be brought to a shape.
func (g *gen) fitting(x val, shape []int) val {
	if g.reaches(x, shape) {
		return x
	}
	return g.made(x.elem(), shape)
}

// reaches reports whether a value can be brought to a shape.
func (g *gen) reaches(x val, shape []int) bool {
	return x.isScalar() || x.v.Type().Len() == (tile.Type{Shape: shape}).Len() || broadcasts(x.shape(), shape)
}

// fillBuffer draws what a buffer holds before the launch.
func (g *gen) fillBuffer(i int) {
	e, n := g.c.Elems[i], g.need[i]
	rng := rand.New(rand.NewPCG(rapid.Uint64Range(0, 1<<20).Draw(g.t, "contents"), uint64(i)))
	special := g.one(12, "special numbers")
	x := make([]float64, n)
	lo, hi := 0.0, 0.0
	if !e.IsFloat() && e != dtype.Bool {
		lo, hi = intRange(e)
	}
	for j := range x {
		switch small := float64(rng.IntN(17) - 8); {
		case e == dtype.Bool:
			x[j] = float64(rng.IntN(2))
		case e.IsFloat() && special && rng.IntN(8) == 0:
			x[j] = []float64{math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1), 0x1p-130, -0x1p-24, 3e38, 65504}[rng.IntN(8)]
		case e.IsFloat() && g.whole[i]:
			x[j] = small
		case e.IsFloat():
			x[j] = min(max(4*rng.NormFloat64(), -16), 16)
		case rng.IntN(4) == 0:
			x[j] = math.Floor(lo + rng.Float64()*(hi-lo))
		case rng.IntN(8) == 0:
			x[j] = []float64{lo, hi, lo + 1, hi - 1}[rng.IntN(4)]
		default:
			x[j] = max(lo, small)
		}
	}
	raw := make([]byte, n*e.Size())
	dtype.PutFloats(e, raw, x)
	for at := 0; e.IsInt() && e.Size() == 8 && at < n; at += 3 { // all bits, which float64 does not hold
		binary.LittleEndian.PutUint64(raw[8*at:], rng.Uint64())
	}
	g.c.Start = append(g.c.Start, raw)
}
