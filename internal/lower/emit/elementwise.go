package emit

import (
	"math"
	"math/bits"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// direct lists the tile ops that have the same op on registers.
var direct = map[tile.Kind]simt.Kind{
	tile.OpNeg: simt.Neg, tile.OpNot: simt.Not, tile.OpAbs: simt.Abs,
	tile.OpExp: simt.Exp, tile.OpExp2: simt.Exp2, tile.OpLog: simt.Log, tile.OpLog2: simt.Log2,
	tile.OpSqrt: simt.Sqrt, tile.OpRsqrt: simt.Rsqrt, tile.OpSin: simt.Sin, tile.OpCos: simt.Cos,
	tile.OpTanh: simt.Tanh, tile.OpFloor: simt.Floor, tile.OpCeil: simt.Ceil,
	tile.OpAdd: simt.Add, tile.OpSub: simt.Sub, tile.OpMul: simt.Mul, tile.OpDiv: simt.Div, tile.OpRem: simt.Rem, tile.OpMulHi: simt.MulHi,
	tile.OpMin: simt.Min, tile.OpMax: simt.Max, tile.OpAnd: simt.And, tile.OpOr: simt.Or, tile.OpXor: simt.Xor,
	tile.OpShl: simt.Shl, tile.OpShr: simt.Shr,
	tile.OpEq: simt.Eq, tile.OpNe: simt.Ne, tile.OpLt: simt.Lt, tile.OpLe: simt.Le, tile.OpGt: simt.Gt, tile.OpGe: simt.Ge,
	tile.OpSelect: simt.Select, tile.OpFMA: simt.FMA,
	tile.OpCast:  simt.Convert,
	tile.OpRound: simt.Round, tile.OpErf: simt.Erf, tile.OpLog1p: simt.Log1p, tile.OpExpm1: simt.Expm1,
}

// elementwise lowers an op on scalars or tiles.
func (l *emitter) elementwise(op *tile.Op) {
	r := op.Result()
	if r.Type().IsScalar() {
		l.scalars[r] = l.apply(op, l.scalarsOf(op.Args))
		return
	}
	l.tiles[r] = l.elementwiseIn(op, l.assigned.OpAt(op))
}

// elementwiseIn lowers an op vector by vector; operands and result share one distribution.
func (l *emitter) elementwiseIn(op *tile.Op, dist layout.Linear) regs {
	operands := make([]regs, len(op.Args))
	for j, a := range op.Args {
		operands[j] = l.in(a, dist)
	}
	out := emptyRegs(dist)
	if factors := rarelyScaled(op, operands); factors != nil {
		l.scaleRarely(out, operands, factors)
		return out
	}
	for i := range out.vecs {
		args := make([]*simt.Value, len(operands))
		for j, r := range operands {
			args[j] = r.vecs[i]
		}
		if out.vecs[i] = l.apply(op, args); l.err != nil {
			break
		}
	}
	return out
}

// leastRare is the fewest vectors of a thread that are worth a branch.
const leastRare = 8

// rarelyScaled finds the factors of a product, each once, if those of the right operand are 1 by a choice (tile.Where) and a thread has many numbers. Else it is nil.
func rarelyScaled(op *tile.Op, operands []regs) (factors []*simt.Value) {
	if op.Kind != tile.OpMul || len(operands[1].vecs) < leastRare {
		return nil
	}
	for _, v := range operands[1].vecs {
		if v.Op != nil && v.Op.Kind == simt.Splat {
			v = v.Op.Args[0]
		}
		if v.Op == nil || v.Op.Kind != simt.Select || v.Type != simt.Scalar(dtype.F32) {
			return nil
		}
		if one, known := simt.ConstOf(v.Op.Args[1]); !known || one != 1 {
			return nil
		}
		if !slices.Contains(factors, v) {
			factors = append(factors, v)
		}
	}
	return factors
}

// scaleRarely multiplies the vectors of a tile, but where all factors of a thread are 1: other threads of its warp may have to wait for it, so that few have some.
func (l *emitter) scaleRarely(out regs, operands []regs, factors []*simt.Value) {
	var scales *simt.Value
	for _, f := range factors {
		if is := l.b.Binary(simt.Ne, f, l.b.Const(f.Type, 1)); scales == nil {
			scales = is
		} else {
			scales = l.b.Binary(simt.Or, scales, is)
		}
	}
	scaled := l.b.Branch(scales, func() (products []*simt.Value) {
		for i, v := range operands[0].vecs {
			products = append(products, l.b.Binary(simt.Mul, v, operands[1].vecs[i]))
		}
		return products
	}, func() []*simt.Value { return slices.Clone(operands[0].vecs) })
	copy(out.vecs, scaled)
}

func (l *emitter) scalarsOf(vs []*tile.Value) (out []*simt.Value) {
	for _, v := range vs {
		out = append(out, l.scalars[v])
	}
	return out
}

// apply lowers an element-wise op on registers.
func (l *emitter) apply(op *tile.Op, args []*simt.Value) *simt.Value {
	if f := composed[op.Kind]; f != nil {
		return f(l, op, args[0])
	}
	kind, ok := direct[op.Kind]
	if !ok {
		l.fail(fault.ErrUnsupported, "the compiler does not support this op")
		return args[0]
	}
	elem := op.Result().Type().Elem
	switch {
	case op.Kind == tile.OpCast:
		return l.cast(op, args[0])
	case kind == simt.Select:
		return l.b.Select(args[0], args[1], args[2])
	case kind == simt.FMA:
		return l.b.FMA(args[0], args[1], args[2])
	case len(args) == 1:
		return l.wrap(l.b.Unary(kind, args[0]), elem)
	case (kind == simt.Div || kind == simt.Rem) && elem.IsInt():
		return l.wrap(l.divide(kind, args[0], args[1]), elem)
	case kind == simt.Shl || kind == simt.Shr:
		width := 8 * args[1].Type.Elem.Size()
		amount := args[1]
		if by, ok := simt.ConstOf(amount); !ok || by < 0 || by >= float64(width) {
			amount = l.b.Binary(simt.And, amount, l.b.Const(amount.Type, float64(width-1)))
		}
		return l.wrap(l.b.Binary(kind, args[0], amount), elem)
	}
	return l.integerFloats(l.wrap(l.b.Binary(kind, args[0], args[1]), elem))
}

// wrap brings the result of 32-bit arithmetic back to a type of 8 or 16 bits.
func (l *emitter) wrap(v *simt.Value, elem dtype.Type) *simt.Value {
	if !elem.IsInt() || elem.Size() >= 4 {
		return v
	}
	bits := 8 * elem.Size()
	if elem.IsSigned() {
		k := l.b.Const(v.Type, float64(32-bits))
		return l.b.Binary(simt.Shr, l.b.Binary(simt.Shl, v, k), k)
	}
	return l.b.Binary(simt.And, v, l.b.Const(v.Type, float64(uint32(1)<<bits-1)))
}

// divide lowers integer division and remainder. A remainder of negative numbers
// is computed from the quotient: Vulkan leaves OpSRem undefined for them (Vulkan
// specification, "Precision and Operation of SPIR-V Instructions").
func (l *emitter) divide(kind simt.Kind, x, y *simt.Value) *simt.Value {
	if n, ok := simt.ConstOf(y); ok && !x.Type.Elem.IsSigned() && n > 0 && n < 1<<31 && int(n)&(int(n)-1) == 0 {
		return l.dividePower(kind, x, int(n))
	}
	if n, ok := simt.ConstOf(y); ok && x.Type == simt.Scalar(dtype.I32) && n > 0 && int(n)&(int(n)-1) == 0 && l.multiple(x)%int(n) == 0 {
		return l.exactly(kind, x, int(n))
	}
	y = l.guard(x, y)
	if kind == simt.Div || !x.Type.Elem.IsSigned() || l.nonNegative(x) && l.nonNegative(y) {
		return l.b.Binary(kind, x, y)
	}
	return l.b.Binary(simt.Sub, x, l.b.Binary(simt.Mul, l.b.Binary(simt.Div, x, y), y))
}

// guard returns a divisor of x that is y or, where division by y has no result,
// 1: for y = 0, and for the one quotient that overflows, the least integer by -1. The
// results are then those that package tile defines, on every machine.
func (l *emitter) guard(x, y *simt.Value) *simt.Value {
	if c, ok := simt.ConstOf(y); ok && c != 0 && c != -1 {
		return y
	}
	if l.promised.least[y] > 0 {
		return y
	}
	bad := l.b.Binary(simt.Eq, y, l.b.Const(y.Type, 0))
	if !l.mayBeZero(y) {
		bad = l.b.Const(bad.Type, 0)
	}
	if e := x.Type.Elem; e.IsSigned() && !l.nonNegative(x) && !l.nonNegative(y) {
		overflow := l.b.Binary(simt.And,
			l.b.Binary(simt.Eq, x, l.b.Const(x.Type, -math.Ldexp(1, 8*e.Size()-1))),
			l.b.Binary(simt.Eq, y, l.b.Const(y.Type, -1)))
		bad = l.b.Binary(simt.Or, bad, overflow)
	}
	return l.b.Select(bad, l.b.Const(y.Type, 1), y)
}

// dividePower divides an unsigned value by a power of two.
func (l *emitter) dividePower(kind simt.Kind, x *simt.Value, n int) *simt.Value {
	if kind == simt.Rem {
		return l.b.Binary(simt.And, x, l.b.Const(x.Type, float64(n-1)))
	}
	return l.b.Binary(simt.Shr, x, l.b.Const(x.Type, float64(bits.Len(uint(n))-1)))
}

// nonNegative reports whether a signed value is known not to be negative, as far
// as sums and products of sizes do not overflow.
func (l *emitter) nonNegative(v *simt.Value) bool {
	if least, ok := l.promised.least[v]; ok && least >= 0 {
		return true
	}
	if v.Op == nil {
		return false
	}
	switch v.Op.Kind {
	case simt.Const:
		return v.Op.Number >= 0
	case simt.ThreadID, simt.WorkgroupID:
		return true
	case simt.Param:
		return l.isSize(v.Op.Word)
	case simt.Add, simt.Mul, simt.Div, simt.Min, simt.Max, simt.Shr:
		return !slices.ContainsFunc(v.Op.Args, func(a *simt.Value) bool { return !l.nonNegative(a) })
	case simt.Rem: // it has the dividend's sign
		return l.nonNegative(v.Op.Args[0])
	case simt.Select:
		return l.nonNegative(v.Op.Args[1]) && l.nonNegative(v.Op.Args[2])
	}
	return false
}

// isSize reports whether a launch word is a size of a view or of the grid.
func (l *emitter) isSize(word int) bool {
	for _, v := range l.kernel.Views {
		first := l.sizeWord(v, 0)
		if word >= first && word < first+v.Rank {
			return true
		}
	}
	return word >= l.kernel.WordCount()
}

// cast lowers a conversion between element types, which differ.
func (l *emitter) cast(op *tile.Op, x *simt.Value) *simt.Value {
	from, to := op.Args[0].Type().Elem, op.Result().Type().Elem
	register := simt.Register(to)
	switch {
	case to == dtype.F16 || to == dtype.BF16:
		v := l.b.Convert(x, dtype.F32)
		if from == dtype.F64 {
			v = l.toOdd(x, v)
		}
		if l.onlyStored(op.Result()) {
			return v // the store rounds
		}
		return l.b.Emit(&simt.Op{Kind: simt.Round16, Args: []*simt.Value{v}, Elem: to}, v.Type)
	case from.IsFloat() && to.IsInt() && to.Size() < 4:
		v := l.b.Convert(x, register)
		lo, hi := float64(int64(dtype.Integer(to, math.Inf(-1)))), float64(dtype.Integer(to, math.Inf(1)))
		v = l.b.Binary(simt.Max, v, l.b.Const(v.Type, lo))
		return l.b.Binary(simt.Min, v, l.b.Const(v.Type, hi))
	}
	return l.wrap(l.b.Convert(x, register), to)
}

// onlyStored reports whether all that happens to a value is to be stored.
func (l *emitter) onlyStored(v *tile.Value) bool {
	return !slices.ContainsFunc(l.uses[v], func(use *tile.Op) bool { return use.Kind != tile.OpStore })
}
