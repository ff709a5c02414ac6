package simtpass

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// keepInfinities computes x - x, x / x, x * 0, x / 0 and 0 / x of floats from the bits of x. Compilers of shaders may take them for 0, 1, 0, anything and
// 0, and do, as if there were neither infinities nor NaN; an element that is one would be lost. Other compilers are held to IEEE 754.
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
	if len(op.Args) < 2 || op.Args[0].Type.Elem != dtype.F32 {
		return
	}
	x, y := op.Args[0], op.Args[1]
	zero := func(v *simt.Value) bool { n, ok := constantOf(v); return ok && n == 0 }
	multiplies := op.Kind == simt.Mul || op.Kind == simt.FMA
	if multiplies && zero(x) || op.Kind == simt.Div && zero(x) && !zero(y) {
		x, y = y, x
	}
	withZero := zero(y) && (multiplies || op.Kind == simt.Div)
	withItself := x == y && (op.Kind == simt.Sub || op.Kind == simt.Div)
	if !withZero && !withItself {
		return
	}
	words := simt.Vector(dtype.U32, x.Type.Width)
	number := func(n uint32) *simt.Value { return e.Const(words, float64(n)) }
	emit := func(kind simt.Kind, t simt.Type, args ...*simt.Value) *simt.Value {
		return e.Emit(&simt.Op{Kind: kind, Args: args, Line: op.Line}, t)
	}
	binary := func(kind simt.Kind, x, y *simt.Value) *simt.Value { return emit(kind, x.Type, x, y) }
	all := emit(simt.Bitcast, words, x)
	least, usual := number(infinityBits), number(0) // magnitudes from least on, as unsigned numbers, give NaN
	switch {
	case withZero:
		usual = binary(simt.And, all, number(1<<31)) // the sign
		if n, _ := constantOf(y); math.Signbit(n) {
			usual = binary(simt.Xor, usual, number(1<<31))
		}
		if op.Kind == simt.Div && y == op.Args[1] { // it divides, and is not divided
			usual = binary(simt.Or, usual, number(infinityBits))
		}
	case op.Kind == simt.Div:
		least, usual = number(infinityBits-1), number(math.Float32bits(1))
	}
	size := binary(simt.And, all, number(math.MaxInt32))
	if op.Kind == simt.Div { // 0 is after all others then
		size = binary(simt.Sub, size, number(1))
	}
	lost := emit(simt.Ge, simt.Vector(dtype.Bool, words.Width), size, least)
	kept := emit(simt.Select, words, lost, number(0x7fc00000), usual)
	if op.Kind == simt.FMA {
		op.Kind, op.Args = simt.Add, []*simt.Value{emit(simt.Bitcast, x.Type, kept), op.Args[2]}
		return
	}
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
