package kernelgen

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// unaryOp is an element-wise op of one operand.
type unaryOp struct {
	f     func(*tile.Value) *tile.Value
	elems elems
	// fit brings an operand to where the op is promised to be accurate; it is left out
	// now and then.
	fit func(x val) *tile.Value
	// size is a bound of the result's magnitude; 0 stands for the operand's.
	size float64
	// exact says that exact operands give exact results.
	exact bool
}

func within(limit float64) func(val) *tile.Value {
	return func(x val) *tile.Value { return x.v.Clamp(-limit, limit) }
}

func positive(x val) *tile.Value { return x.v.Abs().Add(0.25) }

// Unary lists the element-wise ops of one operand, casts apart.
var Unary = map[tile.Kind]unaryOp{
	tile.OpNeg:     {f: (*tile.Value).Neg, elems: signed, exact: true},
	tile.OpAbs:     {f: (*tile.Value).Abs, elems: signed, exact: true},
	tile.OpNot:     {f: (*tile.Value).Not, elems: bitsOnly, exact: true},
	tile.OpFloor:   {f: (*tile.Value).Floor, elems: isFloat, exact: true},
	tile.OpCeil:    {f: (*tile.Value).Ceil, elems: isFloat, exact: true},
	tile.OpRound:   {f: (*tile.Value).Round, elems: isFloat, exact: true},
	tile.OpExp:     {f: (*tile.Value).Exp, elems: isFloat, fit: within(6), size: 1e9},
	tile.OpExp2:    {f: (*tile.Value).Exp2, elems: isFloat, fit: within(8), size: 1e9},
	tile.OpExpm1:   {f: (*tile.Value).Expm1, elems: isFloat, fit: within(6), size: 1e9},
	tile.OpLog:     {f: (*tile.Value).Log, elems: isFloat, fit: positive, size: 90},
	tile.OpLog2:    {f: (*tile.Value).Log2, elems: isFloat, fit: positive, size: 130},
	tile.OpLog1p:   {f: (*tile.Value).Log1p, elems: isFloat, fit: positive, size: 90},
	tile.OpSqrt:    {f: (*tile.Value).Sqrt, elems: isFloat, fit: positive},
	tile.OpRsqrt:   {f: (*tile.Value).Rsqrt, elems: isFloat, fit: positive, size: 2},
	tile.OpSin:     {f: (*tile.Value).Sin, elems: isFloat, fit: within(3), size: 1},
	tile.OpCos:     {f: (*tile.Value).Cos, elems: isFloat, fit: within(3), size: 1},
	tile.OpTanh:    {f: (*tile.Value).Tanh, elems: isFloat, size: 1},
	tile.OpErf:     {f: (*tile.Value).Erf, elems: isFloat, size: 1},
	tile.OpSigmoid: {f: (*tile.Value).Sigmoid, elems: isFloat, size: 1},
	tile.OpIsNaN:   {f: (*tile.Value).IsNaN, elems: isFloat, exact: true},
}

func (g *gen) unary(kind tile.Kind) {
	u := Unary[kind]
	x := g.pick(u.elems, nil)
	v := x.v
	if u.fit != nil && !g.one(12, "outside of the domain") {
		v = u.fit(x)
	}
	size := u.size
	if size == 0 {
		size = x.size + 1
	}
	g.add(val{v: u.f(v), size: size, exact: u.exact && x.exact})
}

// binaryOp is an element-wise op of two operands, or a comparison.
type binaryOp struct {
	f     func(v *tile.Value, x operand) *tile.Value
	elems elems
}

// Binary lists the element-wise ops of two operands and the comparisons.
var Binary = map[tile.Kind]binaryOp{
	tile.OpAdd:   {(*tile.Value).Add, numbers},
	tile.OpSub:   {(*tile.Value).Sub, numbers},
	tile.OpMul:   {(*tile.Value).Mul, numbers},
	tile.OpDiv:   {(*tile.Value).Div, numbers},
	tile.OpRem:   {(*tile.Value).Rem, isInt},
	tile.OpMulHi: {(*tile.Value).MulHi, func(e dtype.Type) bool { return e == dtype.U32 }},
	tile.OpMin:   {(*tile.Value).Minimum, numbers},
	tile.OpMax:   {(*tile.Value).Maximum, numbers},
	tile.OpAnd:   {(*tile.Value).And, bitsOnly},
	tile.OpOr:    {(*tile.Value).Or, bitsOnly},
	tile.OpXor:   {(*tile.Value).Xor, bitsOnly},
	tile.OpShl:   {(*tile.Value).Shl, isInt},
	tile.OpShr:   {(*tile.Value).Shr, isInt},

	tile.OpEq: {(*tile.Value).Eq, anyElem},
	tile.OpNe: {(*tile.Value).Ne, anyElem},
	tile.OpLt: {(*tile.Value).Lt, numbers},
	tile.OpLe: {(*tile.Value).Le, numbers},
	tile.OpGt: {(*tile.Value).Gt, numbers},
	tile.OpGe: {(*tile.Value).Ge, numbers},
}

func (g *gen) binary(kind tile.Kind) {
	b := Binary[kind]
	x := g.pick(b.elems, nil)
	if g.one(4, "a number") {
		n := g.constantFor(x.elem())
		g.add(g.result(kind, b.f(x.v, n), x, val{v: x.v, size: math.Abs(n), exact: n == math.Trunc(n)}))
		return
	}
	y := g.matching(x)
	if kind == tile.OpDiv && y.elem().IsFloat() && !g.one(6, "any divisor") {
		y.v = y.v.Abs().Add(1)
	}
	g.add(g.result(kind, b.f(x.v, y.v), x, y))
}

// result is what is known of an op's result.
func (g *gen) result(kind tile.Kind, v *tile.Value, x, y val) val {
	exact := x.exact && y.exact
	switch kind {
	case tile.OpMul:
		return val{v, x.size * y.size, exact}
	case tile.OpDiv:
		return val{v, x.size * 4, exact && x.elem().IsInt()}
	case tile.OpMin, tile.OpMax:
		return val{v, max(x.size, y.size), exact}
	}
	return val{v, x.size + y.size, exact}
}

// constantFor draws a number of a type, for integers also those at its ends and of shifts.
func (g *gen) constantFor(e dtype.Type) float64 {
	switch {
	case e == dtype.Bool:
		return float64(g.even(2, "truth"))
	case e.IsFloat():
		if g.one(4, "a fraction") {
			return []float64{0.5, -0.25, 0.1, 1.7}[g.even(4, "number")]
		}
		return float64(g.n(-5, 5, "number"))
	}
	lo, hi := intRange(e)
	edges := []float64{lo, hi, lo + 1, 31, 32, 33, 64, 7}
	if g.one(3, "edge") {
		return edges[g.even(len(edges), "number")]
	}
	return max(lo, float64(g.n(-9, 9, "number")))
}

func (g *gen) cast(tile.Kind) {
	x := g.pick(anyElem, nil)
	to := g.elem(anyElem)
	if x.elem().IsFloat() && !to.IsFloat() && !x.exact && !g.one(4, "left open") {
		x = g.pick(isFloat, exactly)
	}
	g.add(g.converted(x, to))
}

func (g *gen) bitcast(tile.Kind) {
	x := g.pick(numbers, exactly)
	to := g.elem(func(e dtype.Type) bool { return e != dtype.Bool && e.Size() == x.elem().Size() })
	v := x.v.Bitcast(to)
	if to.IsFloat() && !x.elem().IsFloat() || to.IsFloat() && to != x.elem() {
		g.add(val{v: v, size: math.Inf(1), exact: false})
		return
	}
	g.add(val{v: v, size: x.size, exact: x.exact && to == x.elem() || !to.IsFloat()})
}

func (g *gen) selection(tile.Kind) {
	cond, x := g.pick(isTruth, nil), g.pick(anyElem, nil)
	y := g.matching(x)
	shape := larger(x.shape(), y.shape()) // each may be the longer one along an axis
	if !cond.isScalar() && len(shape) > 0 && !g.together(cond.shape(), shape) {
		cond = g.made(dtype.Bool, shape)
	}
	if !cond.isScalar() && len(shape) > 0 && tile.TileOf(dtype.Bool, larger(cond.shape(), shape)...).Len() > g.o.Elements {
		cond = val{v: g.k.Const(dtype.Bool, 1), exact: true}
	}
	g.add(val{v: g.k.Where(cond.v, x.v, y.v), size: max(x.size, y.size), exact: x.exact && y.exact && cond.exact})
}

// larger is the shape that two shapes, of which one may be that of a scalar, broadcast to.
func larger(x, y []int) []int {
	if len(x) == 0 {
		return y
	}
	out := append([]int{}, x...)
	for d := range y {
		out[d] = max(out[d], y[d])
	}
	return out
}

func (g *gen) fma(tile.Kind) {
	x := g.pick(isFloat, nil)
	y, z := g.matching(x), g.matching(x)
	if shape := larger(x.shape(), y.shape()); !z.isScalar() && len(shape) > 0 && !g.together(shape, z.shape()) {
		z = val{v: g.k.Const(x.elem(), 3), size: 3, exact: true}
	}
	g.add(val{v: x.v.FMA(y.v, z.v), size: x.size*y.size + z.size, exact: x.exact && y.exact && z.exact})
}
