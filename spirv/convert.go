package spirv

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

func (w *writer) bitcast(from, to simt.Type, x string) string {
	if from == to {
		return x
	}
	return w.pure("", "OpBitcast", to, x)
}

// convert converts between register types.
func (w *writer) convert(from, to simt.Type, x string) string {
	isFloat := from.Elem.IsFloat()
	switch {
	case from == to:
		return x
	case from.Elem == dtype.Bool:
		return w.pure("", "OpSelect", to, x, w.constant(to, 1), w.constant(to, 0))
	case to.Elem == dtype.Bool && isFloat: // also for NaN, and for what a device flushes to 0
		words, size := w.magnitude(from, x)
		return w.pure("", "OpINotEqual", to, size, w.constant(words, 0))
	case to.Elem == dtype.Bool:
		return w.pure("", "OpINotEqual", to, x, w.constant(from, 0))
	case isFloat && to.Elem.IsFloat():
		return w.exact("OpFConvert", to, x) // compilers may take a float that is converted to 32 bits and back for the float that it was
	case isFloat:
		return w.saturate(from, to, x)
	case to.Elem.IsFloat():
		return w.pure("", by{signed: "OpConvertSToF", unsigned: "OpConvertUToF"}.of(from.Elem), to, x)
	}
	return w.resize(from, to, x)
}

// resize converts between integers: the low bits, or extended as the sign of what they come from says.
func (w *writer) resize(from, to simt.Type, x string) string {
	switch {
	case from.Elem.Size() == to.Elem.Size():
		return w.bitcast(from, to, x)
	case to.Elem.IsSigned() && from.Elem.IsSigned():
		return w.pure("", "OpSConvert", to, x)
	case from.Elem.IsSigned(): // OpUConvert gives unsigned integers alone, OpSConvert both
		signed := simt.Type{Elem: signedOf[to.Elem], Width: to.Width}
		return w.bitcast(signed, to, w.pure("", "OpSConvert", signed, x))
	}
	unsigned := to
	if to.Elem.IsSigned() {
		unsigned.Elem = unsignedOf[to.Elem]
	}
	return w.bitcast(unsigned, to, w.pure("", "OpUConvert", unsigned, x))
}

var (
	signedOf   = map[dtype.Type]dtype.Type{dtype.U8: dtype.I8, dtype.U16: dtype.I16, dtype.U32: dtype.I32, dtype.U64: dtype.I64}
	unsignedOf = map[dtype.Type]dtype.Type{dtype.I8: dtype.U8, dtype.I16: dtype.U16, dtype.I32: dtype.U32, dtype.I64: dtype.U64}
)

// limits of the integers that floats convert to: the least of both, the largest that floats hold, and the least float that is beyond.
var limits = map[dtype.Type]struct{ least, most, mostDouble, beyond float64 }{
	dtype.I32: {-0x1p31, 0x1.fffffep30, math.MaxInt32, 0x1p31},
	dtype.U32: {0, 0x1.fffffep31, math.MaxUint32, 0x1p32},
	dtype.I64: {-0x1p63, 0x1.fffffep62, 0x1.fffffffffffffp62, 0x1p63},
	dtype.U64: {0, 0x1.fffffep63, 0x1.fffffffffffffp63, 0x1p64},
}

// saturate truncates floats to integers, the largest where they are beyond; NaN gives 0.
func (w *writer) saturate(from, to simt.Type, x string) string {
	l, truths := limits[to.Elem], simt.Type{Elem: dtype.Bool, Width: from.Width}
	most := l.most
	if from.Elem == dtype.F64 {
		most = l.mostDouble
	}
	inside := w.math("", "NMin", from, w.math("", "NMax", from, x, w.constant(from, l.least)), w.constant(from, most))
	number := w.pure("", by{signed: "OpConvertFToS", unsigned: "OpConvertFToU"}.of(to.Elem), to, inside)
	beyond := w.pure("", "OpFOrdGreaterThanEqual", truths, x, w.constant(from, l.beyond))
	number = w.pure("", "OpSelect", to, beyond, w.largest(to), number)
	return w.pure("", "OpSelect", to, w.isNaN(from, x), w.constant(to, 0), number)
}

// largest is the largest integer of a type, which a float64 may not hold.
func (w *writer) largest(t simt.Type) string {
	ones := w.pure("", "OpNot", t, w.constant(t, 0))
	switch {
	case t.Elem.Size() < 8:
		return w.constant(t, limits[t.Elem].mostDouble)
	case t.Elem == dtype.U64:
		return ones
	}
	return w.pure("", "OpShiftRightLogical", t, ones, w.constant(t, 1))
}

// isNaN holds for NaN also where the device assumes that there is none.
func (w *writer) isNaN(t simt.Type, x string) string {
	words, size := w.magnitude(t, x)
	return w.pure("", "OpUGreaterThan", simt.Type{Elem: dtype.Bool, Width: t.Width}, size, w.constant(words, float64(infinities[t.Elem])))
}

// magnitude is the bits of floats without their signs, and their type.
func (w *writer) magnitude(t simt.Type, x string) (words simt.Type, size string) {
	words = simt.Type{Elem: dtype.U32, Width: t.Width}
	if t.Elem != dtype.F64 {
		return words, w.pure("", "OpBitwiseAnd", words, w.bitcast(t, words, x), w.constant(words, math.MaxInt32))
	}
	words.Elem = dtype.U64
	one := w.constant(words, 1)
	return words, w.pure("", "OpShiftRightLogical", words, w.pure("", "OpShiftLeftLogical", words, w.bitcast(t, words, x), one), one)
}

// infinity is F32's as a word.
const infinity = 0x7f800000

// infinities are those of floats as words.
var infinities = map[dtype.Type]uint64{dtype.F32: infinity, dtype.F64: 0x7ff << 52}

// inMemory is the type that memory has of elements.
func (w *writer) inMemory(e dtype.Type, width int) simt.Type {
	switch {
	case e == dtype.Bool:
		e = dtype.U8
	case e == dtype.F16 && !w.caps.F16:
		e = dtype.BF16 // its bits
	}
	return simt.Type{Elem: e, Width: width}
}

// widen converts what memory has of elements to registers.
func (w *writer) widen(e dtype.Type, width int, x string) string {
	t := simt.Type{Elem: simt.Register(e), Width: width}
	words := simt.Type{Elem: dtype.U32, Width: width}
	switch {
	case e == dtype.F16 && w.caps.F16:
		return w.pure("", "OpFConvert", t, x)
	case e == dtype.F16:
		return w.unpackHalves(t, w.pure("", "OpUConvert", words, x))
	case e == dtype.BF16:
		bits := w.pure("", "OpShiftLeftLogical", words, w.pure("", "OpUConvert", words, x), w.constant(words, 16))
		return w.bitcast(words, t, bits)
	case e == dtype.I8 || e == dtype.I16:
		return w.pure("", "OpSConvert", t, x)
	case e == dtype.U8 || e == dtype.U16:
		return w.pure("", "OpUConvert", t, x)
	case e == dtype.Bool:
		return w.convert(words, t, w.pure("", "OpUConvert", words, x))
	}
	return x
}

// unpackHalves converts the bits of F16, one in a word, without 16-bit floats.
func (w *writer) unpackHalves(t simt.Type, words string) string {
	pair := simt.Type{Elem: dtype.F32, Width: 2}
	parts := make([]string, t.Width)
	for i := range parts {
		word := w.lanes(simt.Type{Elem: dtype.U32, Width: t.Width}, words, i, 1)
		parts[i] = w.lanes(pair, w.math("", "UnpackHalf2x16", pair, word), 0, 1)
	}
	return w.compose(t, parts...)
}

// narrow converts registers to what memory has of elements.
func (w *writer) narrow(e dtype.Type, v *simt.Value, x string) string {
	from, to := v.Type, w.inMemory(e, v.Type.Width)
	words := simt.Type{Elem: dtype.U32, Width: from.Width}
	switch e {
	case dtype.F16:
		if w.caps.F16 && w.caps.F16Nearest && v.Op != nil && v.Op.Kind == simt.Round16 && v.Op.Elem == e {
			x = w.of(v.Op.Args[0]) // which half rounds
		}
		if w.caps.F16 && (w.caps.F16Nearest || v.Holds(e)) {
			return w.half(to, x)
		}
		bits := w.helperCall(halfBits, words, x)
		short := w.pure("", "OpUConvert", simt.Type{Elem: dtype.BF16, Width: to.Width}, bits)
		return w.bitcast(simt.Type{Elem: dtype.BF16, Width: to.Width}, to, short)
	case dtype.BF16:
		var bits string
		if v.Holds(e) {
			bits = w.pure("", "OpShiftRightLogical", words, w.bitcast(from, words, x), w.constant(words, 16))
		} else {
			bits = w.helperCall(bfloatBits, words, x)
		}
		return w.pure("", "OpUConvert", to, bits)
	case dtype.I8, dtype.I16:
		return w.pure("", "OpSConvert", to, x)
	case dtype.U8, dtype.U16:
		return w.pure("", "OpUConvert", to, x)
	case dtype.Bool:
		return w.pure("", "OpSelect", to, x, w.constant(to, 1), w.constant(to, 0))
	}
	return x
}

// half converts to 16-bit floats. Vulkan leaves the direction of rounding open unless the entry point says it; and Mesa takes a float that
// is converted to 16 bits and back for the float that it was, unless NoContraction forbids it.
func (w *writer) half(t simt.Type, x string) string {
	if w.caps.F16Nearest {
		w.needs("RoundingModeRTE", "SPV_KHR_float_controls")
		w.mode("RoundingModeRTE 16")
	}
	return w.exact("OpFConvert", t, x)
}

// exact is pure for arithmetic that compilers do not merge with other arithmetic, nor leave out.
func (w *writer) exact(op string, t simt.Type, operands ...string) string {
	n := len(w.fn.added)
	id := w.pure("", op, t, operands...)
	if len(w.fn.added) > n { // not there yet
		w.decorate("%s NoContraction", id)
	}
	return id
}
