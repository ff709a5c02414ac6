package backendtest

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// testMadeSpecial holds functions that are made of several ops to Go's at zeros, infinities, NaN, the ends of their domains and numbers so large or
// small that intermediate results would overflow; and so do pairs of them for functions of two operands.
func testMadeSpecial(s *suite) {
	zero := math.Copysign(0, -1)
	single := []float64{0, zero, inf, -inf, nan, 1, -1, 0.5, -0.5, 1.5, -1.5, 2.5, 1e30, -1e30, 3e38, -3e38, 1e-30, -1e-30, 90, -90, 12345.678, -0.999}
	for _, o := range ops.Elementwise() {
		if !o.Made || !o.Types(weft.F32) || o.Name == "tan" || o.Name == "mod" || o.Name == "rem" { // tan of large numbers is off by what their last place is; see testRemainders
			continue
		}
		s.op(o.Name)
		rows := [][]float64{single}
		if len(o.Inputs) == 2 {
			rows = pairsOf(single)
		}
		n, in := []int{len(rows[0])}, []host{}
		var operands []weft.TensorOrNumber
		for _, row := range rows {
			in = append(in, host{weft.F32, n, rounded(weft.F32, slices.Clone(row))})
			operands = append(operands, s.tensor(in[len(in)-1]))
		}
		want, _ := s.exactly(o, weft.F32, in, n)
		for i, w := range want {
			if math.Abs(w) > math.MaxFloat32 {
				want[i] = math.Copysign(inf, w)
			}
		}
		got := s.ok(o.Map.Apply(operands...))
		s.compare(got, want, func(i int) float64 {
			if want[i] != want[i] || math.IsInf(want[i], 0) {
				return 0
			}
			return 0x1p-12*math.Abs(want[i]) + o.Abs + 0x1p-120
		})
	}
}

// pairsOf are all pairs of values, in two columns.
func pairsOf(values []float64) [][]float64 {
	columns := make([][]float64, 2)
	for _, a := range values {
		for _, b := range values {
			columns[0], columns[1] = append(columns[0], a), append(columns[1], b)
		}
	}
	return columns
}

// testRemainders divides floats whose exponents are any: no remainder is rounded.
func testRemainders(s *suite) {
	const n = 2000
	columns := pairsOf([]float64{0, 1, -1, inf, -inf, nan, 3, -7.5, 1e30, -3e38})
	for range n {
		for i := range columns {
			columns[i] = append(columns[i], math.Ldexp(s.rng.Float64()*2-1, s.rng.IntN(250)-124))
		}
	}
	shape := []int{len(columns[0])}
	a, b := host{weft.F32, shape, rounded(weft.F32, columns[0])}, host{weft.F32, shape, rounded(weft.F32, columns[1])}
	for _, name := range []string{"rem", "mod"} {
		s.op(name)
		o := elementwiseNamed(name)
		want, _ := s.exactly(o, weft.F32, []host{a, b}, shape)
		if name == "mod" { // of the sign of b, which 1e30 mod -inf has not in float64
			for i := range want {
				if math.IsInf(b.x[i], 0) && a.x[i] != 0 && (a.x[i] < 0) != (b.x[i] < 0) && !math.IsInf(a.x[i], 0) && a.x[i] == a.x[i] {
					want[i] = b.x[i]
				}
			}
		}
		s.compare(s.ok(o.Map.Apply(s.tensor(a), s.tensor(b))), want, func(i int) float64 {
			if r := math.Mod(a.x[i], b.x[i]); name == "mod" && r != 0 && math.Abs(r) < 0x1p-126 { // a subnormal remainder may be 0
				return math.Abs(b.x[i])
			}
			if name == "mod" { // a sum is rounded
				return 0x1p-24*math.Abs(want[i]) + 0x1p-126
			}
			return 0x1p-126
		})
	}
}

// testBitFunctions counts bits of the integers at the edges of their types, and shifts them.
func testBitFunctions(s *suite) {
	for _, elem := range []weft.DType{weft.I32, weft.U32, weft.I8, weft.U8, weft.I64, weft.U64} {
		if !s.has(elem) {
			continue
		}
		for _, name := range []string{"bit_count", "clz", "shr_logical"} {
			s.op(name)
			o := elementwiseNamed(name)
			x := slices.DeleteFunc(slices.Clone(edgeValues[elem]), func(x float64) bool { return elem.Size() == 8 && math.Abs(x) > 1<<53 && x > 0 })
			by := make([]float64, len(x))
			for i := range by {
				by[i] = float64(i % 8)
			}
			n := []int{len(x)}
			in := []host{{elem, n, x}, {elem, n, by}}[:len(o.Inputs)]
			var operands []weft.TensorOrNumber
			for _, h := range in {
				operands = append(operands, s.tensor(h))
			}
			want, _ := s.exactly(o, elem, in, n)
			if elem.Size() == 8 && name == "shr_logical" { // float64 does not hold all of them
				continue
			}
			s.compare(s.ok(o.Map.Apply(operands...)), want, nil)
		}
	}
}
