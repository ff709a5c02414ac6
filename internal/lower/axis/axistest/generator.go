package axistest

import (
	"math/rand/v2"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// A Generator makes random programs of integers.
type Generator struct {
	Rand   *rand.Rand
	k      *tile.Builder
	x      *tile.View
	values []*tile.Value // that may be used here
	vars   []*tile.Var
	depth  int

	indices []*tile.Value // of the loops around
}

var shapes = [][]int{nil, nil, {16}, {4}, {1, 8}, {4, 8}, {4, 1}, {2, 4, 8}, {1}}

// Kernel describes the next one.
func (g *Generator) Kernel(k *tile.Builder) {
	g.k = k
	g.x = k.In("x", dtype.I32, 1)
	arg := k.Scalar("n", dtype.I32)
	blocks := k.CDiv(g.x.Dim(0), 1<<g.Rand.IntN(4))
	switch g.Rand.IntN(4) {
	case 0:
		k.Grid(blocks)
	case 1:
		k.Grid(blocks.Mul(k.CDiv(g.x.Dim(0), 16)))
	case 2:
		k.Grid(3, 2)
	default:
		k.Grid(1)
	}
	g.values = append(g.values, arg, g.x.Dim(0), k.ProgramID(0), k.NumPrograms(0), blocks)
	g.values = append(g.values, k.ProgramID(0).Rem(blocks), k.ProgramID(0).Div(blocks))
	g.values = append(g.values, g.x.Block(16).Load(k.ProgramID(0)), k.ProgramID(0).Mul(16).Add(k.Arange(16)))
	g.ops(12 + g.Rand.IntN(25))
	out := k.Out("out", dtype.I32, 1)
	at := k.ProgramID(1).Mul(k.NumPrograms(0)).Add(k.ProgramID(0)).Mul(shownValues)
	for i := range shownValues {
		if v := pick(g, g.values); v.Type().Len() <= 64 {
			v = v.Cast(dtype.I32)
			if !v.Type().IsScalar() {
				v = v.Reshape(v.Type().Len())
			}
			out.Block(64).Store(g.fitted(v), at.Add(i))
		}
	}
}

// shownValues is how many values a program puts out, in 64 elements each.
const shownValues = 8

// fitted repeats the elements of a value to 64.
func (g *Generator) fitted(v *tile.Value) *tile.Value {
	if v.Type().IsScalar() {
		return v.Splat(64)
	}
	n := v.Type().Len()
	return v.Reshape(1, n).Broadcast(64/n, n).Reshape(64)
}

func (g *Generator) ops(n int) {
	scope := len(g.values)
	for range n {
		if v := g.op(); v != nil {
			g.values = append(g.values, v)
		}
	}
	if g.depth > 0 {
		g.values = g.values[:scope]
	}
}

func pick[T any](g *Generator, list []T) T { return list[g.Rand.IntN(len(list))] }

// ends are the least and the largest number of Bool and of integers of up to 32 bits.
func ends(e dtype.Type) (lo, hi int64) {
	switch bits := 8 * e.Size(); {
	case e == dtype.Bool:
		return 0, 1
	case e.IsSigned():
		return -1 << (bits - 1), 1<<(bits-1) - 1
	default:
		return 0, 1<<bits - 1
	}
}

// number is a constant of a type, often a power of two or at an edge.
func (g *Generator) number(e dtype.Type) float64 {
	lo, hi := ends(e)
	list := []int64{0, 1, 2, 4, 8, 16, 3, 7, 15, -1, -2, -8, -16, 5, 100, 31, 32, lo, hi, hi - 1, lo + 1, hi / 2, 1 << 30, 1 << g.Rand.IntN(31), g.Rand.Int64N(1000) - 500}
	for {
		if x := pick(g, list); x >= lo && x <= hi {
			return float64(x)
		}
	}
}

var axisElems = []dtype.Type{dtype.I32, dtype.I32, dtype.I32, dtype.I32, dtype.U32, dtype.U32, dtype.I8, dtype.U8, dtype.Bool}

// value is one of the values so far, or a new leaf, of a type that is asked for; nil takes any.
func (g *Generator) value(elem dtype.Type, shape []int) *tile.Value {
	var fit []*tile.Value
	for _, v := range g.values {
		if e := v.Type().Elem; (elem == dtype.Invalid && e.IsInt() || e == elem) && tile.TileOf(e, shape...).Equal(v.Type()) {
			fit = append(fit, v)
		}
	}
	for _, v := range g.vars {
		if e := v.Get().Type().Elem; (elem == dtype.Invalid || e == elem) && tile.TileOf(e, shape...).Equal(v.Get().Type()) {
			fit = append(fit, v.Get())
		}
	}
	if len(fit) > 0 && g.Rand.IntN(3) > 0 {
		return pick(g, fit[max(0, len(fit)-6):])
	}
	if elem == dtype.Invalid {
		elem = pick(g, axisElems[:8])
	}
	if len(shape) == 0 {
		return g.k.Const(elem, g.number(elem))
	}
	v := g.k.Iota(g.Rand.IntN(len(shape)), shape...).Cast(elem)
	switch g.Rand.IntN(4) {
	case 0:
		return g.k.Full(elem, g.number(elem), shape...)
	case 1:
		return g.value(elem, nil).Splat(shape...)
	case 2:
		if elem != dtype.Bool {
			v = v.Add(g.value(elem, nil))
		}
	}
	return v
}

// op appends a random op and returns its result, if it has one.
func (g *Generator) op() *tile.Value {
	k, shape := g.k, pick(g, shapes)
	x := g.value(dtype.Invalid, shape)
	elem := x.Type().Elem
	y := g.value(elem, shape)
	if g.Rand.IntN(2) == 0 {
		y = k.Const(elem, g.number(elem))
		if len(shape) > 0 {
			y = y.Splat(shape...)
		}
	}
	if g.Rand.IntN(4) == 0 {
		x, y = y, x
	}
	binary := []func(v *tile.Value, x tile.Operand) *tile.Value{(*tile.Value).Add, (*tile.Value).Sub, (*tile.Value).Mul, (*tile.Value).Div,
		(*tile.Value).Rem, (*tile.Value).Minimum, (*tile.Value).Maximum, (*tile.Value).And, (*tile.Value).Or, (*tile.Value).Xor, (*tile.Value).Shl, (*tile.Value).Shr}
	compare := []func(v *tile.Value, x tile.Operand) *tile.Value{(*tile.Value).Eq, (*tile.Value).Ne, (*tile.Value).Lt, (*tile.Value).Le, (*tile.Value).Gt, (*tile.Value).Ge}
	switch n := g.Rand.IntN(24); n {
	case 0, 1, 2, 3, 4, 5, 6, 7:
		return pick(g, binary)(x, y)
	case 8, 9:
		return pick(g, compare)(x, y)
	case 10:
		return k.Where(g.value(dtype.Bool, shape), x, y)
	case 11:
		if elem.IsSigned() {
			return pick(g, []func(*tile.Value) *tile.Value{(*tile.Value).Neg, (*tile.Value).Abs, (*tile.Value).Not})(x)
		}
		return x.Not()
	case 12:
		return x.Cast(pick(g, append(axisElems, dtype.F32)))
	case 13:
		if b := g.value(dtype.Bool, shape); g.Rand.IntN(2) == 0 {
			return b.And(g.value(dtype.Bool, shape)).Or(b.Not())
		}
		return x.Cast(dtype.F32).Mul(0.5).Cast(elem)
	case 14, 15:
		return g.reshaped(x)
	case 16:
		if len(shape) > 1 || len(shape) == 1 && shape[0] > 1 {
			axis := g.Rand.IntN(len(shape))
			return pick(g, []func(int) *tile.Value{x.Sum, x.Max, x.Min, x.Prod})(axis)
		}
	case 17, 18:
		g.loop()
	case 19:
		g.branch()
	case 20:
		return g.hint(x)
	case 21:
		if len(g.vars) > 0 {
			v := pick(g, g.vars)
			v.Set(g.value(v.Get().Type().Elem, v.Get().Type().Shape))
		}
	case 22:
		if g.Rand.IntN(2) == 0 { // a block at a coordinate that neither overflows
			c := g.value(dtype.I32, nil).And(7)
			if len(g.indices) > 0 && g.Rand.IntN(4) > 0 {
				c = pick(g, g.indices)
			}
			return g.x.Block(pick(g, []int{4, 16})).Load(c)
		}
		return g.x.At(g.value(dtype.I32, shape)).Gather()
	case 23:
		if elem == dtype.I32 {
			return x.Bitcast(dtype.U32)
		}
	}
	return nil
}

func (g *Generator) reshaped(x *tile.Value) *tile.Value {
	shape := x.Type().Shape
	switch n := x.Type().Len(); {
	case len(shape) == 0:
		return x.Splat(pick(g, shapes[2:])...)
	case len(shape) == 2 && shape[0] == 1:
		return x.Broadcast(4, 8)
	case len(shape) == 2 && shape[1] == 1:
		return x.Broadcast(4, 8)
	case n == 64 && g.Rand.IntN(2) == 0:
		return x.Permute(pick(g, [][]int{{2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}})...).Reshape(pick(g, [][]int{{64}, {8, 8}, {2, 4, 8}, {16, 4}, {4, 2, 8}})...)
	case n == 64:
		return x.Reshape(8, 8).Reshape(4, 2, 8).Permute(1, 0, 2)
	case n == 16 && g.Rand.IntN(2) == 0:
		return x.Reshape(pick(g, [][]int{{4, 4}, {2, 8}, {1, 16}, {2, 2, 4}})...).Add(1)
	case n == 16:
		first, second := x.Reshape(8, 2).Split()
		return first.Join(second.Mul(2)).Reshape(16)
	case n == 32:
		return x.Join(x.Add(1)).Reshape(64).Reshape(2, 4, 8)
	}
	return nil
}

func (g *Generator) loop() {
	if g.depth > 1 {
		return
	}
	g.depth++
	defer func() { g.depth-- }()
	k := g.k
	before := len(g.vars)
	for range g.Rand.IntN(3) {
		shape := pick(g, shapes)
		g.vars = append(g.vars, k.Var(g.value(dtype.Invalid, shape)))
	}
	lo, step := k.Int(g.Rand.IntN(9)-4), k.Int(1+g.Rand.IntN(5))
	hi := lo.Add(g.value(dtype.I32, nil).And(3))
	switch g.Rand.IntN(4) {
	case 0, 1:
		lo, hi, step = k.Int(0), k.CDiv(g.x.Dim(0), 16), k.Int(1)
	case 2: // persistent
		lo, step = k.ProgramID(0), k.NumPrograms(0)
		hi = lo.Add(g.value(dtype.I32, nil).And(3))
	}
	if g.Rand.IntN(3) == 0 {
		count := k.Var(k.Int(0))
		for range k.While(func() *tile.Value { return count.Get().Lt(hi) }) {
			g.ops(2 + g.Rand.IntN(5))
			count.Set(count.Get().Add(step))
		}
	} else {
		for i := range k.RangeStep(lo, hi, step) {
			scope := len(g.values)
			g.values, g.indices = append(g.values, i, i), append(g.indices, i)
			g.ops(2 + g.Rand.IntN(5))
			for _, v := range g.vars {
				if g.Rand.IntN(2) == 0 {
					c := v.Get().Type()
					v.Set(pick(g, []func(tile.Operand) *tile.Value{v.Get().Add, v.Get().Mul, v.Get().Sub, v.Get().Maximum})(g.value(c.Elem, c.Shape)))
				}
			}
			g.values, g.indices = g.values[:scope], g.indices[:len(g.indices)-1]
		}
	}
	for _, v := range g.vars[before:] {
		g.values = append(g.values, v.Get())
	}
	g.vars = g.vars[:before]
}

func (g *Generator) branch() {
	if g.depth > 1 {
		return
	}
	g.depth++
	defer func() { g.depth-- }()
	b := g.k.If(g.value(dtype.I32, nil).And(1).Eq(g.k.ProgramID(0).And(1)), func() { g.ops(3) })
	if g.Rand.IntN(2) == 0 {
		b.Else(func() { g.ops(3) })
	}
}

// hint gives promises that hold.
func (g *Generator) hint(x *tile.Value) *tile.Value {
	t := x.Type()
	if t.Elem != dtype.I32 {
		return nil
	}
	n := 1 << g.Rand.IntN(4)
	if !t.IsScalar() {
		last := len(t.Shape) - 1
		n = min(n, t.Shape[last])
		return x.Min(last).And(-n).Broadcast(t.Shape...).Add(g.k.Iota(last, t.Shape...)).Contiguous(n)
	}
	switch g.Rand.IntN(3) {
	case 0:
		return x.Mul(n).MultipleOf(n)
	case 1:
		small := x.And(g.x.Dim(0).Minimum(1).Mul(15))
		g.k.Assume(small.Lt(16).And(small.Ge(0)))
		return small
	}
	g.k.Assume(g.x.Dim(0).Ge(1))
	return g.x.Dim(0).Sub(1).Div(4)
}
