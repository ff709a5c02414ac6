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

// bitsOf are the words of floats and some of their bits, all of them numbers that a constant can be: one that a float64 holds.
var bitsOf = map[dtype.Type]struct {
	word                     dtype.Type
	sign, infinity, nan, one float64
	zero                     float64 // by how much 0 is after infinity, when twice the bits count and the sign is lost: NaN are between them
}{
	dtype.F32: {dtype.U32, 1 << 31, 0x7f8 << 20, 0x7fc << 20, 0x3f8 << 20, 1 << 24},
	dtype.F64: {dtype.U64, 1 << 63, 0x7ff << 52, 0x7ff8 << 48, 0x3ff << 52, 1 << 53},
}

// keepInfinity changes an op of that kind to the last one of several, and builds those before it.
func keepInfinity(e *simt.Editor, op *simt.Op) {
	if len(op.Args) < 2 {
		return
	}
	is, ok := bitsOf[op.Args[0].Type.Elem]
	if !ok {
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
	words := simt.Vector(is.word, x.Type.Width)
	number := func(n float64) *simt.Value { return e.Const(words, n) }
	emit := func(kind simt.Kind, t simt.Type, args ...*simt.Value) *simt.Value {
		return e.Emit(&simt.Op{Kind: kind, Args: args, Line: op.Line}, t)
	}
	binary := func(kind simt.Kind, x, y *simt.Value) *simt.Value { return emit(kind, words, x, y) }
	all := emit(simt.Bitcast, words, x)
	// Counted from infinity on, without signs, NaN come next, then 0, and then the other numbers.
	size := binary(simt.Add, binary(simt.Shl, all, number(1)), number(is.zero))
	usual, before := number(0), simt.Lt // what gives NaN is before 0, or 0 as well
	switch {
	case withZero:
		usual = binary(simt.And, all, number(is.sign))
		if n, _ := constantOf(y); math.Signbit(n) {
			usual = binary(simt.Xor, usual, number(is.sign))
		}
		if op.Kind == simt.Div { // 0 gives NaN, and infinity, which is the last one then, does not
			size = binary(simt.Sub, size, number(1))
		}
		if op.Kind == simt.Div && y == op.Args[1] { // it divides, and is not divided
			usual = binary(simt.Or, usual, number(is.infinity))
		}
	case op.Kind == simt.Div:
		usual, before = number(is.one), simt.Le
	}
	lost := emit(before, simt.Vector(dtype.Bool, words.Width), size, number(is.zero))
	kept := emit(simt.Select, words, lost, number(is.nan), usual)
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
