package simtpass

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// keepInfinities computes x - x, x / x and x * 0 of floats from the bits of x. Compilers of shaders may take them for 0, 1 and 0, and do, as if
// there were neither infinities nor NaN; an element that is one would be lost. Other compilers are held to IEEE 754.
func keepInfinities(r *Context) {
	if r.Caps.Language != target.WGSL && r.Caps.Language != target.SPIRV {
		return
	}
	e := simt.Edit(r.Kernel)
	e.Rewrite(r.Kernel.Body, func(op *simt.Op) {
		keepInfinity(e, op)
		e.Do(op)
	})
}

// keepInfinity changes an op of that kind to the last one of several, and builds those before it.
func keepInfinity(e *simt.Editor, op *simt.Op) {
	if len(op.Args) != 2 || op.Args[0].Type.Elem != dtype.F32 {
		return
	}
	x, y := op.Args[0], op.Args[1]
	words := simt.Vector(dtype.U32, x.Type.Width)
	number := func(n uint32) *simt.Value { return e.Const(words, float64(n)) }
	emit := func(kind simt.Kind, t simt.Type, args ...*simt.Value) *simt.Value {
		return e.Emit(&simt.Op{Kind: kind, Args: args, Line: op.Line}, t)
	}
	binary := func(kind simt.Kind, x, y *simt.Value) *simt.Value { return emit(kind, x.Type, x, y) }
	var least, usual *simt.Value // magnitudes from least on, as unsigned numbers, give NaN
	bits := func() *simt.Value { return emit(simt.Bitcast, words, x) }
	zero := func(v *simt.Value) bool { n, ok := constantOf(v); return ok && n == 0 }
	var all *simt.Value
	switch {
	case op.Kind == simt.Mul && zero(x):
		x, y = y, x
		fallthrough
	case op.Kind == simt.Mul && zero(y):
		n, _ := constantOf(y)
		all, least = bits(), number(infinityBits)
		usual = binary(simt.And, all, number(1<<31))
		if math.Signbit(n) {
			usual = binary(simt.Xor, usual, number(1<<31))
		}
	case op.Kind == simt.Sub && x == y:
		all, least, usual = bits(), number(infinityBits), number(0)
	case op.Kind == simt.Div && x == y:
		all, least, usual = bits(), number(infinityBits-1), number(math.Float32bits(1))
	default:
		return
	}
	size := binary(simt.And, all, number(math.MaxInt32))
	if op.Kind == simt.Div { // 0 is after all others then
		size = binary(simt.Sub, size, number(1))
	}
	lost := emit(simt.Ge, simt.Vector(dtype.Bool, words.Width), size, least)
	kept := emit(simt.Select, words, lost, number(0x7fc00000), usual)
	op.Kind, op.Args = simt.Bitcast, []*simt.Value{kept}
}

// constantOf is the number that all lanes of a value are.
func constantOf(v *simt.Value) (float64, bool) {
	if v.Op != nil && v.Op.Kind == simt.Splat {
		v = v.Op.Args[0]
	}
	return simt.ConstOf(v)
}

// infinityBits is F32's +infinity as a word.
const infinityBits = 0x7f800000
