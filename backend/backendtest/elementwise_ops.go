package backendtest

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var elementwiseCases = []testCase{
	{"Elementwise", testElementwise},
	{"ElementwiseForms", testElementwiseForms},
	{"PowSpecial", testPowSpecial},
	{"MadeSpecial", testMadeSpecial},
	{"Remainders", testRemainders},
	{"BitFunctions", testBitFunctions},
	{"Fills", testFills},
}

// operands makes inputs of a function within what its bound holds for, rounded to their types.
func (s *suite) operands(o *ops.ElementwiseOp, elem weft.DType, shapes ...[]int) []host {
	in := make([]host, len(o.Inputs))
	for i := range in {
		e := elem
		if i == 0 && o.Cond {
			e = weft.Bool
		}
		in[i] = s.random(e, shapes[i]...)
		for j, x := range in[i].x {
			switch {
			case o.Name == "shl" || o.Name == "shr":
				x = float64(1 + int(math.Abs(x))%7) // within all types
			case o.Name == "shr_logical" && i == 1:
				x = float64(int(math.Abs(x)) % 8)
			case o.Name == "mod" && e.IsInt() && i == 1:
				x = math.Mod(x, 100)
				if x == 0 {
					x = 7
				}
			case (o.Name == "div" || o.Name == "rem") && e.IsInt():
				x = float64(1 + int(math.Abs(x))%100)
			case o.Name == "pow" && e.IsInt():
				x = float64(int(math.Abs(x)) % 5) // 4⁴ wraps in no type but those of 8 bits
			case o.Name == "pow" && i == 1:
				x = []float64{x, math.Round(x), -x}[j%3]
				x = min(max(x, -o.Within), o.Within)
			case (o.Name == "mul" || o.Name == "square") && e.IsInt():
				x = math.Mod(x, 1000) // exact in float64
			case o.Name == "sin" || o.Name == "cos":
				x = angles(x)
			case o.Above != 0:
				x = math.Abs(x) + 2*o.Above
			case o.Within != 0:
				x = min(max(x*o.Within/2, -o.Within), o.Within)
			}
			in[i].x[j] = x
		}
		rounded(e, in[i].x)
	}
	return in
}

// exactly is a function of operands broadcast to a shape, with its bound.
func (s *suite) exactly(o *ops.ElementwiseOp, elem weft.DType, in []host, shape []int) (want []float64, bound func(int) float64) {
	columns := make([][]float64, len(in))
	for i, h := range in {
		columns[i] = broadcastTo(s, h, shape)
	}
	x := make([]float64, len(in))
	at := func(i int) []float64 {
		for j := range x {
			x[j] = columns[j][i]
		}
		return x
	}
	want = make([]float64, size(shape))
	exact := make([]float64, len(want))
	for i := range want {
		exact[i] = o.Want(elem, at(i))
		switch {
		case o.Out == weft.Bool:
			want[i] = exact[i]
		case elem == weft.Bool:
			want[i] = float64(int64(exact[i]) & 1)
		case elem.IsInt():
			want[i] = wrapped(elem, math.Trunc(exact[i]))
		default:
			want[i] = exact[i]
		}
	}
	return want, func(i int) float64 { return o.Bound(elem, at(i), want[i]) }
}

// result is the element type of a function's result.
func result(o *ops.ElementwiseOp, elem weft.DType) weft.DType {
	if o.Out.Valid() {
		return o.Out
	}
	return elem
}

// testElementwise holds every function of the table to its reference: on the cpu, and in the full
// suite, for all its types; else for one type each, since each is a kernel to compile.
func testElementwise(s *suite) {
	types := append(s.numeric(), weft.Bool)
	every := s.full || s.dev.Info().Backend == "cpu"
	for n, o := range ops.Elementwise() {
		s.op(o.Name)
		allowed := slices.DeleteFunc(slices.Clone(types), func(e weft.DType) bool { return !o.Types(e) })
		if !every {
			allowed = allowed[n%len(allowed):][:1]
		}
		for _, elem := range allowed {
			shape := []int{17, 13}
			in := s.operands(o, elem, shape, shape, shape)
			tensors := make([]weft.TensorOrNumber, len(in))
			for i, h := range in {
				tensors[i] = s.input(forms[(n+i)%len(forms)], h)
			}
			out := s.output(sliced, result(o, elem), shape...)
			s.try(o.Map.Into(out.Tensor, tensors...))
			want, bound := s.exactly(o, elem, in, shape)
			if err := out.verify(want, bound); err != nil {
				s.Errorf("%s of %v: %v", o.Name, elem, err)
			}
		}
	}
}

// testElementwiseForms broadcasts, puts numbers in place of tensors and works in place, for a function
// of two operands and one of three with two types.
func testElementwiseForms(s *suite) {
	ok := s.ok
	for _, elem := range []weft.DType{weft.F32, weft.I32, weft.F16}[:s.thorough(weft.F32, 3, 2)] {
		s.op("where")
		where, out := elementwiseNamed("where"), []int{4, 5, 9}
		in := s.operands(where, elem, []int{5, 1}, []int{4, 5, 9}, []int{9})
		want, bound := s.exactly(where, elem, in, out)
		s.compare(ok(ops.Where(s.tensor(in[0]), s.tensor(in[1]), s.tensor(in[2]))), want, bound)

		three := filled(elem, 3)
		want, bound = s.exactly(where, elem, []host{in[0], in[1], three}, out)
		x := s.tensor(in[1])
		s.try(ops.WhereInto(x, s.tensor(in[0]), x, 3))
		s.compare(x, want, bound)

		s.op("sub")
		sub := elementwiseNamed("sub")
		pair := s.operands(sub, elem, []int{7, 6}, []int{7, 6})
		want, bound = s.exactly(sub, elem, []host{three, pair[1]}, pair[1].shape)
		y := s.input(stepped, pair[1])
		s.try(ops.SubInto(y, 3, y))
		s.compare(y, want, bound)
	}
}

// testFills makes tensors by kernels.
func testFills(s *suite) {
	ok := s.ok
	for _, elem := range []weft.DType{weft.F32, weft.U8} {
		out := s.output(sliced, elem, 5, 7)
		s.try(out.Fill(2))
		out.check(filled(elem, 2, 5, 7).x, nil)
	}
	n := 1<<19 + 1 // beyond what is uploaded
	zeros := ok(weft.Zeros(s.dev, weft.F16, n))
	s.compare(zeros, make([]float64, n), nil)
	zeros.Close()
	want := make([]float64, 1001)
	for i := range want {
		want[i] = float64(3 - 2*i)
	}
	s.compare(ok(weft.Arange(s.dev, weft.I32, 3, 3-2*1001, -2)), want, nil)
	eye := make([]float64, 9)
	eye[0], eye[4], eye[8] = 1, 1, 1
	s.compare(ok(weft.Eye(s.dev, weft.F32, 3)), eye, nil)
}
