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
	if r.Caps.Language == target.WGSL {
		keepInBlock(r.Kernel.Body, simt.Edit(r.Kernel))
	}
}

func keepInBlock(b *simt.Block, ids *simt.Builder) {
	var out []*simt.Op
	ops := b.Ops
	for _, op := range ops {
		for _, body := range op.Blocks() {
			keepInBlock(body, ids)
		}
		c := &cloner{ids: ids}
		c.keep(op)
		out = append(append(out, c.ops...), op)
	}
	constants := b.Ops[:len(b.Ops)-len(ops)] // that were added meanwhile
	b.Ops = append(constants[:len(constants):len(constants)], out...)
}

// keep changes an op of that kind to the last one of several, and emits those before it.
func (c *cloner) keep(op *simt.Op) {
	if len(op.Args) != 2 || op.Args[0].Type.Elem != dtype.F32 {
		return
	}
	x, y := op.Args[0], op.Args[1]
	words := simt.Type{Elem: dtype.U32, Width: x.Type.Width}
	number := func(n uint32) *simt.Value { return c.ids.Const(words, float64(n)) }
	binary := func(kind simt.Kind, x, y *simt.Value) *simt.Value {
		return c.emit(&simt.Op{Kind: kind, Args: []*simt.Value{x, y}, Line: op.Line}, x.Type, "")
	}
	var least, usual *simt.Value // magnitudes from least on, as unsigned numbers, give NaN
	bits := func() *simt.Value {
		return c.emit(&simt.Op{Kind: simt.Bitcast, Args: []*simt.Value{x}, Line: op.Line}, words, "")
	}
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
	lost := c.emit(&simt.Op{Kind: simt.Ge, Args: []*simt.Value{size, least}, Line: op.Line}, simt.Type{Elem: dtype.Bool, Width: words.Width}, "")
	kept := c.emit(&simt.Op{Kind: simt.Select, Args: []*simt.Value{lost, number(0x7fc00000), usual}, Line: op.Line}, words, "")
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
