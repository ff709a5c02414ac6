package spirv

import (
	"fmt"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// helper is a function of the module, built of ops as kernels are: each of its operands has as many lanes as its result.
type helper struct {
	name  string
	takes []dtype.Type
	build func(m *maker, args []*simt.Value) *simt.Value
}

// Helpers of op kinds, and of conversions.
var (
	helpers = map[simt.Kind]*helper{
		simt.Tanh:  {"tanh", floats, tanhOf},
		simt.Erf:   {"erf", floats, erfOf},
		simt.Log1p: {"log1p", floats, log1pOf},
		simt.Expm1: {"expm1", floats, expm1Of},
	}
	sine     = &helper{"sine", []dtype.Type{dtype.F32, dtype.I32}, sineOf}
	rounders = map[dtype.Type]*helper{
		dtype.F16:  {"round_f16", floats, roundHalf},
		dtype.BF16: {"round_bf16", floats, roundBFloat},
	}
	halfBits   = &helper{"half_bits", floats, halfBitsOf}
	bfloatBits = &helper{"bfloat_bits", floats, bfloatBitsOf}

	floats = []dtype.Type{dtype.F32}
)

// call calls the helper of an op's kind, if it has one. Within helpers the kinds are instructions.
func (w *writer) call(op *simt.Op, args []string) (id string, ok bool) {
	if w.fn.helper {
		return "", false
	}
	t := op.Result().Type
	h, turned := helpers[op.Kind], sine
	if t.Elem == dtype.F64 {
		h, turned = doubles[op.Kind], sineDouble
	}
	switch {
	case h != nil && t.Elem.IsFloat():
		return w.helperCall(h, t, args...), true
	case op.Kind == simt.Round16:
		return w.helperCall(rounders[op.Elem], t, args...), true
	case op.Kind == simt.Sin, op.Kind == simt.Cos: // a quarter of a turn apart
		quarters := w.constant(simt.Type{Elem: dtype.I32, Width: t.Width}, float64(op.Kind-simt.Sin))
		return w.helperCall(turned, t, append(args, quarters)...), true
	}
	return "", false
}

// helperCall calls a helper, whose function is added to the module before.
func (w *writer) helperCall(h *helper, t simt.Type, args ...string) string {
	name := h.name + "_" + typeName(t)
	id, ok := w.called[name]
	if !ok {
		id = w.id(name)
		w.called[name] = id
		w.addHelper(h, t, id)
	}
	return w.pure("", "OpFunctionCall", t, append([]string{id}, args...)...)
}

// addHelper prints a helper's function.
func (w *writer) addHelper(h *helper, t simt.Type, id string) {
	m := &maker{simt.NewBuilder(h.name, 1), t.Width}
	args := make([]*simt.Value, len(h.takes))
	signature, types := "OpTypeFunction "+w.typ(t), "function_"+typeName(t)
	for i, e := range h.takes {
		args[i] = m.NewValue(m.of(e), "x")
		signature += " " + w.typ(args[i].Type)
		types += "_" + typeName(args[i].Type)
	}
	result := h.build(m, args)
	head := fmt.Sprintf("\n%s\n", instruction(id, fmt.Sprintf("OpFunction %s None %s", w.typ(t), w.global(types, signature))))
	text, _ := w.function(m.Func.Body, func() error { // helpers have only ops that are printed
		for _, a := range args {
			w.set(a, w.id(a.Hint))
			head += instruction(w.of(a), "OpFunctionParameter "+w.typ(a.Type)) + "\n"
		}
		err := w.block(m.Func.Body)
		w.line("OpReturnValue %s", w.of(result))
		return err
	})
	w.functions = append(w.functions, head+text)
}

// maker builds a helper of vectors of a width.
type maker struct {
	*simt.Builder
	width int
}

func (m *maker) of(e dtype.Type) simt.Type { return simt.Type{Elem: e, Width: m.width} }

func (m *maker) f32(x float64) *simt.Value { return m.Const(m.of(dtype.F32), x) }

func (m *maker) u32(x uint32) *simt.Value { return m.Const(m.of(dtype.U32), float64(x)) }

// bits are those of a float.
func (m *maker) bits(x *simt.Value) *simt.Value { return m.as(x, dtype.U32) }

func (m *maker) as(x *simt.Value, e dtype.Type) *simt.Value {
	return m.Emit(&simt.Op{Kind: simt.Bitcast, Args: []*simt.Value{x}}, simt.Type{Elem: e, Width: x.Type.Width})
}

// polynomial has its highest coefficient first.
func (m *maker) polynomial(x *simt.Value, coefficients ...float64) *simt.Value {
	p := m.f32(coefficients[0])
	for _, c := range coefficients[1:] {
		p = m.FMA(p, x, m.f32(c))
	}
	return p
}

// nanOf is y, and x where x is NaN.
func (m *maker) nanOf(x, y *simt.Value) *simt.Value {
	size := m.Binary(simt.And, m.bits(x), m.u32(0x7fffffff))
	return m.Select(m.Binary(simt.Gt, size, m.u32(infinity)), x, y)
}

// clamp keeps x within a range; NaN is within it then.
func (m *maker) clamp(x *simt.Value, limit float64) *simt.Value {
	return m.Binary(simt.Min, m.Binary(simt.Max, x, m.f32(-limit)), m.f32(limit))
}

// tanhOf is tanh, which on some devices overflows beyond 44 and loses NaN.
func tanhOf(m *maker, args []*simt.Value) *simt.Value {
	return m.nanOf(args[0], m.Unary(simt.Tanh, m.clamp(args[0], 15)))
}

// erfOf is the error function: polynomials of S. L. Moshier, "Methods and Programs for Mathematical Functions", 1989 (Cephes, single
// precision), below 1, below 2 and beyond.
func erfOf(m *maker, args []*simt.Value) *simt.Value {
	x, one := args[0], m.f32(1)
	size := m.Binary(simt.Min, m.Unary(simt.Abs, x), m.f32(4))
	y := m.Binary(simt.Mul, size, size)
	p := m.polynomial(y, 7.853862e-05, -8.0101937e-04, 5.1883277e-03, -0.026853813, 0.11283586, -0.37612626, 0.12837917)
	near := m.FMA(size, p, size)
	q := m.Binary(simt.Div, one, m.Binary(simt.Max, size, one))
	z := m.Binary(simt.Mul, q, q)
	p = m.polynomial(z, 0.0232682, -0.13870394, 0.36874247, -0.58247334, 0.6210005, -0.49445152, 0.340488, -0.2741127, 0.56382596)
	r := m.polynomial(z, -10.477664, 12.977199, -7.4955187, 2.921019, -1.0152653, 0.42184633, -0.28207677, 0.5641896)
	tail := m.Binary(simt.Mul, m.Unary(simt.Exp, m.Unary(simt.Neg, y)), q)
	far := m.Binary(simt.Sub, one, m.Binary(simt.Mul, tail, m.Select(m.Binary(simt.Gt, size, m.f32(2)), r, p)))
	result := m.Select(m.Binary(simt.Lt, size, one), near, far)
	return m.nanOf(x, m.Select(m.Binary(simt.Lt, x, m.f32(0)), m.Unary(simt.Neg, result), result))
}

// log1pOf is log(1 + x), by the series of artanh(x / (2 + x)) near 0.
func log1pOf(m *maker, args []*simt.Value) *simt.Value {
	x := args[0]
	s := m.Binary(simt.Div, x, m.Binary(simt.Add, m.f32(2), x))
	y := m.Binary(simt.Mul, s, s)
	p := m.polynomial(y, 0.06666667, 0.07692308, 0.09090909, 0.11111111, 0.14285715, 0.2, 0.33333334)
	near := m.Binary(simt.Mul, m.f32(2), m.FMA(m.Binary(simt.Mul, s, y), p, s))
	far := m.Unary(simt.Log, m.Binary(simt.Add, m.f32(1), x))
	return m.Select(m.Binary(simt.Lt, m.Unary(simt.Abs, x), m.f32(0.5)), near, far)
}

// expm1Of is exp(x) - 1, by its series near 0.
func expm1Of(m *maker, args []*simt.Value) *simt.Value {
	x := args[0]
	p := m.polynomial(x, 2.7557319e-06, 2.4801588e-05, 1.984127e-04, 0.0013888889, 0.008333334, 0.041666668, 0.16666667, 0.5)
	near := m.FMA(m.Binary(simt.Mul, x, x), p, x)
	far := m.Binary(simt.Sub, m.Unary(simt.Exp, x), m.f32(1))
	return m.Select(m.Binary(simt.Lt, m.Unary(simt.Abs, x), m.f32(0.5)), near, far)
}

// roundHalf rounds to the precision of F16 by bits, ties to even: compilers, NVIDIA's among them, take a float that is converted to 16 bits and back for
// the float that it was. What only matrices and memory take is converted there instead. A subnormal F16 counts in units of the last place of
// numbers from 0.5 to 1, to which adding 0.5 rounds it.
func roundHalf(m *maker, args []*simt.Value) *simt.Value {
	bits := m.bits(args[0])
	size := m.Binary(simt.And, bits, m.u32(0x7fffffff))
	odd := m.Binary(simt.And, m.Binary(simt.Shr, size, m.u32(13)), m.u32(1))
	normal := m.Binary(simt.And, m.Binary(simt.Add, m.Binary(simt.Add, size, m.u32(0xfff)), odd), m.u32(0xffffe000))
	normal = m.Select(m.Binary(simt.Ge, normal, m.u32(0x47800000)), m.u32(infinity), normal)
	subnormal := m.bits(m.Binary(simt.Mul, m.Convert(m.halfUnits(size), dtype.F32), m.f32(0x1p-24)))
	finite := m.Select(m.Binary(simt.Lt, size, m.u32(0x38800000)), subnormal, normal)
	rounded := m.Select(m.Binary(simt.Gt, size, m.u32(infinity)), m.u32(0x7fc00000), finite)
	return m.as(m.Binary(simt.Or, rounded, m.Binary(simt.And, bits, m.u32(0x80000000))), dtype.F32)
}

// halfUnits is a small size rounded to units of 2^-24, the least F16.
func (m *maker) halfUnits(size *simt.Value) *simt.Value {
	return m.Binary(simt.Sub, m.bits(m.Binary(simt.Add, m.as(size, dtype.F32), m.f32(0.5))), m.u32(0x3f000000))
}

// halfBitsOf are the bits of x rounded to F16, ties to even, infinite from 65520 on.
func halfBitsOf(m *maker, args []*simt.Value) *simt.Value {
	bits := m.bits(args[0])
	size := m.Binary(simt.And, bits, m.u32(0x7fffffff))
	odd := m.Binary(simt.And, m.Binary(simt.Shr, size, m.u32(13)), m.u32(1))
	normal := m.Binary(simt.Shr, m.Binary(simt.Add, m.Binary(simt.Add, size, m.u32(0xc8000fff)), odd), m.u32(13))
	normal = m.Binary(simt.Min, normal, m.u32(0x7c00))
	finite := m.Select(m.Binary(simt.Lt, size, m.u32(0x38800000)), m.halfUnits(size), normal)
	sign := m.Binary(simt.And, m.Binary(simt.Shr, bits, m.u32(16)), m.u32(0x8000))
	return m.Binary(simt.Or, sign, m.Select(m.Binary(simt.Gt, size, m.u32(infinity)), m.u32(0x7e00), finite))
}

// bfloatBitsOf are the bits of x rounded to BF16, ties to even.
func bfloatBitsOf(m *maker, args []*simt.Value) *simt.Value {
	bits := m.bits(args[0])
	high := m.Binary(simt.Shr, bits, m.u32(16))
	odd := m.Binary(simt.And, high, m.u32(1))
	rounded := m.Binary(simt.Shr, m.Binary(simt.Add, m.Binary(simt.Add, bits, m.u32(0x7fff)), odd), m.u32(16))
	isNaN := m.Binary(simt.Gt, m.Binary(simt.And, bits, m.u32(0x7fffffff)), m.u32(infinity))
	return m.Select(isNaN, m.Binary(simt.Or, high, m.u32(0x40)), rounded)
}

// roundBFloat rounds to the precision of BF16.
func roundBFloat(m *maker, args []*simt.Value) *simt.Value {
	return m.as(m.Binary(simt.Shl, bfloatBitsOf(m, args), m.u32(16)), dtype.F32)
}
