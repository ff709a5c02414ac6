package backendtest

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// meaning is one row of the table of edges in the documentation of package tile: an
// op on operands of one type, element by element, with the results that every
// device gives. Where several are allowed, alternatives holds the others.
type meaning struct {
	name         string
	elem, out    weft.DType
	apply        func(x, y *tile.Value) *tile.Value
	x, y         []float64
	want         []float64
	alternatives []float64 // nil, or for each element another result that is allowed
}

var (
	inf, nan = math.Inf(1), math.NaN()
	minInt   = float64(math.MinInt32)
	maxInt   = float64(math.MaxInt32)
	minLong  = float64(math.MinInt64)
	// the smallest normal and a subnormal F32
	normal, subnormal = 0x1p-126, 0x1p-130
)

var meanings = []meaning{
	{"division by zero", weft.I32, weft.I32, func(x, y *tile.Value) *tile.Value { return x.Div(y) },
		[]float64{7, -7, 0, minInt}, []float64{0, 0, 0, -1}, []float64{7, -7, 0, minInt}, nil},
	{"remainder by zero", weft.I32, weft.I32, func(x, y *tile.Value) *tile.Value { return x.Rem(y) },
		[]float64{7, -7, minInt, -7}, []float64{0, 0, -1, 3}, []float64{0, 0, 0, -1}, nil},
	{"unsigned division by zero", weft.U32, weft.U32, func(x, y *tile.Value) *tile.Value { return x.Div(y).Add(x.Rem(y)) },
		[]float64{7, 0, math.MaxUint32}, []float64{0, 0, 0}, []float64{7, 0, math.MaxUint32}, nil},
	{"shift by more than the width", weft.I32, weft.I32, func(x, y *tile.Value) *tile.Value { return x.Shl(y) },
		[]float64{1, 1, 1}, []float64{31, 32, 33}, []float64{minInt, 1, 2}, nil},
	{"arithmetic shift", weft.I32, weft.I32, func(x, y *tile.Value) *tile.Value { return x.Shr(y) },
		[]float64{-8, -8, -1}, []float64{1, 33, 31}, []float64{-4, -4, -1}, nil},
	{"overflow", weft.I32, weft.I32, func(x, y *tile.Value) *tile.Value { return x.Mul(y).Add(1) },
		[]float64{maxInt, 65536, minInt}, []float64{1, 65536, 1}, []float64{minInt, 1, minInt + 1}, nil},
	{"negation of the least integer", weft.I32, weft.I32, func(x, y *tile.Value) *tile.Value { return x.Neg().Add(x.Abs()).Add(y) },
		[]float64{minInt, -3}, []float64{0, 0}, []float64{0, 6}, nil},
	{"float to i32 out of range", weft.F32, weft.I32, func(x, y *tile.Value) *tile.Value { return x.Add(y).Cast(weft.I32) },
		[]float64{3e9, -3e9, inf, -inf, nan, -2.9}, []float64{0, 0, 0, 0, 0, 0}, []float64{maxInt, minInt, maxInt, minInt, 0, -2}, nil},
	{"float to u8 out of range", weft.F32, weft.U8, func(x, y *tile.Value) *tile.Value { return x.Add(y).Cast(weft.U8) },
		[]float64{256, -1, inf, nan, 255.9}, []float64{0, 0, 0, 0, 0}, []float64{255, 0, 255, 0, 255}, nil},
	{"f64 out of range", weft.F64, weft.I64, func(x, y *tile.Value) *tile.Value { return x.Add(y).Cast(weft.I64).Shr(1) },
		[]float64{1e300, -1e300, inf, -inf, nan, -2.9}, []float64{0, 0, 0, 0, 0, 0}, []float64{1 << 62, minLong / 2, 1 << 62, minLong / 2, 0, -1}, nil},
	{"f64 to f16 in one rounding", weft.F64, weft.F16, func(x, y *tile.Value) *tile.Value { return x.Add(y).Cast(weft.F16) },
		[]float64{65519.999999999, 65520, 1 + 0x1p-11, 1 + 0x1p-11, -1e300, nan, 0x1p-25}, []float64{0, 0, 0, 0x1p-50, 0, 0, 0x1p-70},
		[]float64{65504, inf, 1, 1 + 0x1p-10, -inf, nan, 0x1p-24}, nil},
	{"f64 to bf16 in one rounding", weft.F64, weft.BF16, func(x, y *tile.Value) *tile.Value { return x.Add(y).Cast(weft.BF16) },
		[]float64{1 + 0x1p-8, 1 + 0x1p-8, -1 - 0x1p-8, 1e300, nan}, []float64{0, 0x1p-50, -0x1p-50, 0, 0}, []float64{1, 1 + 0x1p-7, -1 - 0x1p-7, inf, nan}, nil},
	{"infinities of f64", weft.F64, weft.F64, func(x, y *tile.Value) *tile.Value { return x.Add(y) },
		[]float64{inf, inf, math.MaxFloat64}, []float64{1, -inf, math.MaxFloat64}, []float64{inf, nan, inf}, nil},
	{"f64 to f32", weft.F64, weft.F32, func(x, y *tile.Value) *tile.Value { return x.Add(y).Cast(weft.F32) },
		[]float64{1e300, -1e300, 1 + 0x1p-24, 1 + 0x1p-24, nan}, []float64{0, 0, 0, 0x1p-50, 0}, []float64{inf, -inf, 1, 1 + 0x1p-23, nan}, nil},
	{"float to i16 out of range", weft.F32, weft.I16, func(x, y *tile.Value) *tile.Value { return x.Add(y).Cast(weft.I16) },
		[]float64{32768, -32769, inf, -inf, nan, -2.9}, []float64{0, 0, 0, 0, 0, 0}, []float64{32767, -32768, 32767, -32768, 0, -2}, nil},
	{"f32 to f16 out of range", weft.F32, weft.F16, func(x, y *tile.Value) *tile.Value { return x.Add(y).Cast(weft.F16) },
		[]float64{65519, 65520, -1e9, nan}, []float64{0, 0, 0, 0}, []float64{65504, inf, -inf, nan}, nil},
	{"infinities", weft.F32, weft.F32, func(x, y *tile.Value) *tile.Value { return x.Add(y) },
		[]float64{inf, inf, math.MaxFloat32}, []float64{1, -inf, math.MaxFloat32}, []float64{inf, nan, inf}, nil},
	{"a number minus itself", weft.F32, weft.F32, func(x, y *tile.Value) *tile.Value { return x.Sub(x).Add(y) },
		[]float64{3, inf, -inf, nan, 0}, []float64{0, 0, 0, 0, 0}, []float64{0, nan, nan, nan, 0}, nil},
	{"a number by itself", weft.F32, weft.F32, func(x, y *tile.Value) *tile.Value { return x.Div(x).Add(y) },
		[]float64{3, -2, inf, -inf, nan, 0}, []float64{0, 0, 0, 0, 0, 0}, []float64{1, 1, nan, nan, nan, nan}, nil},
	{"a number times zero", weft.F32, weft.F32, func(x, y *tile.Value) *tile.Value { return x.Mul(0).Add(y) },
		[]float64{3, inf, -inf, nan, -3}, []float64{0, 1, 0, 0, 0}, []float64{0, nan, nan, nan, 0}, nil},
	{"a number times zero, plus another", weft.F32, weft.F32, func(x, y *tile.Value) *tile.Value { return x.FMA(0, y) },
		[]float64{3, inf, -inf, nan, -3}, []float64{1, 1, 0, 0, 2}, []float64{1, nan, nan, nan, 2}, nil},
	{"a number by zero", weft.F32, weft.F32, func(x, y *tile.Value) *tile.Value { return x.Div(0).Add(y) },
		[]float64{3, -2, inf, -inf, nan, 0}, []float64{0, 0, 0, 0, 0, 0}, []float64{inf, -inf, inf, -inf, nan, nan}, nil},
	{"a number by negative zero", weft.F32, weft.F32, func(x, y *tile.Value) *tile.Value { return x.Div(math.Copysign(0, -1)).Add(y) },
		[]float64{3, -2, inf, -inf, nan, 0}, []float64{0, 0, 0, 0, 0, 0}, []float64{-inf, inf, -inf, inf, nan, nan}, nil},
	{"zero by a number", weft.F32, weft.F32, func(x, y *tile.Value) *tile.Value { return x.Builder().Div(0, x).Add(y) },
		[]float64{3, -2, inf, -inf, nan, 0}, []float64{0, 1, 0, 0, 0, 0}, []float64{0, 1, 0, 0, nan, nan}, nil},
	{"f64 by zero", weft.F64, weft.F64, func(x, y *tile.Value) *tile.Value { return x.Div(0).Add(y) },
		[]float64{3, -2, inf, -inf, nan, 0}, []float64{0, 0, 0, 0, 0, 0}, []float64{inf, -inf, inf, -inf, nan, nan}, nil},
	{"zero by f64", weft.F64, weft.F64, func(x, y *tile.Value) *tile.Value { return x.Builder().Div(0, x).Add(y) },
		[]float64{3, -2, inf, -inf, nan, 0}, []float64{0, 1, 0, 0, 0, 0}, []float64{0, 1, 0, 0, nan, nan}, nil},
	{"f64 by itself", weft.F64, weft.F64, func(x, y *tile.Value) *tile.Value { return x.Div(x).Add(y) },
		[]float64{3, -2, inf, -inf, nan, 0, math.SmallestNonzeroFloat64}, []float64{0, 0, 0, 0, 0, 0, 0}, []float64{1, 1, nan, nan, nan, nan, 1},
		[]float64{1, 1, nan, nan, nan, nan, nan}},
	{"sine of large numbers", weft.F32, weft.F32, func(x, y *tile.Value) *tile.Value { return x.Sin().Mul(1 << 18).Round().Add(y) },
		[]float64{1e4, -1e6, 5.0331648e7, 1e12, -1e20, math.MaxFloat32, inf, nan}, []float64{0, 0, 0, 0, 0, 0, 0, 0},
		scaledSines(1e4, -1e6, 5.0331648e7, 1e12, -1e20, math.MaxFloat32, inf, nan), nil},
	{"float division by zero", weft.F32, weft.F32, func(x, y *tile.Value) *tile.Value { return x.Div(y) },
		[]float64{1, -1}, []float64{0, 0}, []float64{inf, -inf}, nil},
	{"max and min with infinities", weft.F32, weft.F32, func(x, y *tile.Value) *tile.Value { return x.Maximum(y).Minimum(5) },
		[]float64{inf, -inf, -inf}, []float64{1, 2, -inf}, []float64{5, 2, -inf}, nil},
	{"max with NaN", weft.F32, weft.F32, func(x, y *tile.Value) *tile.Value { return x.Maximum(y) },
		[]float64{nan, 1}, []float64{1, nan}, []float64{1, 1}, []float64{nan, nan}},
	{"NaN by its bits", weft.F32, weft.Bool, func(x, y *tile.Value) *tile.Value { return x.Add(y).IsNaN() },
		[]float64{nan, inf, -inf, 0}, []float64{0, 0, inf, 0}, []float64{1, 0, 1, 0}, nil},
	{"subnormal numbers", weft.F32, weft.F32, func(x, y *tile.Value) *tile.Value { return x.Mul(y) },
		[]float64{normal, subnormal}, []float64{0.5, 1}, []float64{normal / 2, subnormal}, []float64{0, 0}},
	{"functions beyond the range", weft.F32, weft.F32, func(x, y *tile.Value) *tile.Value { return x.Exp().Add(y) },
		[]float64{-200, 200, -inf}, []float64{0, 0, 0}, []float64{0, inf, 0}, nil},
	{"64-bit division by zero", weft.I64, weft.I64, func(x, y *tile.Value) *tile.Value { return x.Div(y).Add(x.Rem(y)) },
		[]float64{7, -7, 0, minLong, -7}, []float64{0, 0, 0, -1, 4}, []float64{7, -7, 0, minLong, -4}, nil},
	{"64-bit shift by more than the width", weft.I64, weft.I64, func(x, y *tile.Value) *tile.Value { return x.Shl(y) },
		[]float64{1, 1, 1, 1}, []float64{63, 64, 65, 32}, []float64{minLong, 1, 2, 1 << 32}, nil},
	{"64-bit unsigned shift", weft.U64, weft.U64, func(x, y *tile.Value) *tile.Value { return x.Shr(y) },
		[]float64{1 << 63, 1 << 63, 1 << 63}, []float64{63, 64, 127}, []float64{1, 1 << 63, 1}, nil},
	{"64-bit overflow", weft.I64, weft.I64, func(x, y *tile.Value) *tile.Value { return x.Mul(y).Neg().Abs() },
		[]float64{1 << 32, minLong, minLong}, []float64{1 << 32, 1, 3}, []float64{0, minLong, minLong}, nil},
	{"float to i64 out of range", weft.F32, weft.I64, func(x, y *tile.Value) *tile.Value { return x.Add(y).Cast(weft.I64).Shr(1) },
		[]float64{1e19, -1e19, inf, -inf, nan, -4.5}, []float64{0, 0, 0, 0, 0, 0}, []float64{1 << 62, minLong / 2, 1 << 62, minLong / 2, 0, -2}, nil},
	{"float to u64 out of range", weft.F32, weft.U64, func(x, y *tile.Value) *tile.Value { return x.Add(y).Cast(weft.U64) },
		[]float64{1e20, -1, inf, nan, 1e19}, []float64{0, 0, 0, 0, 0}, []float64{1 << 63 * 2.0, 0, 1 << 63 * 2.0, 0, float64(float32(1e19))}, nil},
	{"tanh far out", weft.F32, weft.F32, func(x, y *tile.Value) *tile.Value { return x.Tanh().Add(y) },
		[]float64{100, -100, 1e30}, []float64{0, 0, 0}, []float64{1, -1, 1}, nil},
}

// scaledSines are sines in units of 2^-18, sixteen times their error.
func scaledSines(x ...float64) []float64 {
	list := make([]float64, len(x))
	for i, v := range x {
		list[i] = math.RoundToEven(math.Sin(float64(float32(v))) * (1 << 18))
	}
	return list
}

// testMeaning checks the table on the device.
func testMeaning(s *suite) {
	for _, m := range meanings {
		s.sub(func(s *suite) {
			if !s.has(m.elem) || !s.has(m.out) {
				s.Skip(noLong)
			}
			kernel := weft.NewKernel("meaning", func(k *tile.Builder, _ struct{}) {
				x, y, out := k.In("x", m.elem, 1), k.In("y", m.elem, 1), k.Out("out", m.out, 1)
				out.Block(8).Store(m.apply(x.Block(8).Load(0), y.Block(8).Load(0)), 0)
			})
			n := len(m.x)
			x, y := s.tensor(host{m.elem, []int{n}, m.x}), s.tensor(host{m.elem, []int{n}, m.y})
			out := s.ok(weft.Empty(s.dev, m.out, n))
			s.try(kernel.Launch(struct{}{}, x, y, out))
			got := s.floats(out)
			for i, g := range got {
				if !sameNumber(g, m.want[i]) && (m.alternatives == nil || !sameNumber(g, m.alternatives[i])) {
					s.Errorf("%v and %v give %v, want %v", m.x[i], m.y[i], g, m.want[i])
				}
			}
		}, "%s", m.name)
	}
}

// sameNumber is equality, with NaN equal to itself.
func sameNumber(x, y float64) bool { return x == y || x != x && y != y }
