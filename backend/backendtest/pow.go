package backendtest

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// testPowSpecial holds Pow to C's special values, with every pair of them, and to negative bases, large exponents
// and integers.
func testPowSpecial(s *suite) {
	s.op("pow")
	zero := math.Copysign(0, -1)
	values := []float64{0, zero, 1, -1, 0.5, -0.5, 2, -2, 3, -3, 7, -8, 1.5, -2.5, 16, 17, -17, 1024, -1023, 1 << 23, 1<<24 + 2, inf, -inf, nan}
	types := []weft.DType{weft.F32, weft.F16}[:s.thorough(weft.F32, 2, 1)]
	if s.has(weft.F64) {
		types = append(types, weft.F64)
	}
	for _, elem := range types {
		var a, b, want []float64
		for _, x := range values {
			for _, y := range values {
				if elem == weft.F16 && (math.Abs(x) > 65504 && x == x || math.Abs(y) > 65504 && y == y) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
					continue
				}
				a, b, want = append(a, x), append(b, y), append(want, math.Pow(x, y))
			}
		}
		limit := largest[elem]
		for i, w := range want {
			if math.Abs(w) > limit {
				want[i] = math.Copysign(inf, w)
			}
		}
		n := []int{len(a)}
		got := s.ok(ops.Pow(s.tensor(host{elem, n, a}), s.tensor(host{elem, n, b})))
		pow := elementwiseNamed("pow")
		s.compare(got, want, func(i int) float64 {
			if want[i] == 0 || math.IsInf(want[i], 0) || want[i] != want[i] {
				return 0x1p-120
			}
			return pow.Bound(elem, []float64{a[i], b[i]}, want[i])
		})
		for i, x := range s.floats(got) {
			if want[i] == 0 && x == 0 && math.Signbit(x) != math.Signbit(want[i]) && math.Abs(b[i]) <= 15 {
				s.Errorf("pow(%v, %v) is %v, want %v", a[i], b[i], x, want[i])
			}
		}
	}
	for elem, cases := range map[weft.DType][][3]float64{
		weft.I32: {{3, 4, 81}, {-3, 3, -27}, {-2, 31, math.MinInt32}, {2, 32, 0}, {7, 0, 1}, {0, 0, 1}, {2, -1, 0}, {1, -5, 1}, {-1, -5, -1}, {-1, -4, 1}, {0, -1, 0}, {-1, math.MaxInt32, -1}, {5, 13, 1220703125}},
		weft.I16: {{-3, 9, -19683}, {2, 15, -32768}, {2, 16, 0}, {2, -1, 0}, {7, 5, 16807}},
		weft.U8:  {{3, 5, 243}, {2, 8, 0}, {3, 255, 171}, {0, 0, 1}},
	} {
		var columns [3][]float64
		for _, c := range cases {
			for i, x := range c {
				columns[i] = append(columns[i], x)
			}
		}
		n := []int{len(cases)}
		s.compare(s.ok(ops.Pow(s.tensor(host{elem, n, columns[0]}), s.tensor(host{elem, n, columns[1]}))), columns[2], nil)
	}
}

// elementwiseNamed is a function of the table.
func elementwiseNamed(name string) *ops.ElementwiseOp {
	for _, o := range ops.Elementwise() {
		if o.Name == name {
			return o
		}
	}
	return nil
}
