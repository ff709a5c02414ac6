package backendtest

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

var addCases = []testCase{
	{"AddVectors", addVectors},
	{"AddViews", addViews},
	{"AddBroadcasts", addBroadcasts},
	{"AddInPlace", addInPlace},
	{"AddOverlapRefused", addOverlap},
	{"AddSpecialValues", addSpecial},
	{"AddManyWorkgroups", addManyWorkgroups},
}

var numericTypes = []weft.DType{weft.F32, weft.F16, weft.BF16, weft.I32, weft.U32, weft.I8, weft.U8, weft.I16, weft.U16}

// wrapped is x modulo the range of an integer type.
func wrapped(elem weft.DType, x float64) float64 {
	n := int64(x)
	switch elem {
	case weft.I32:
		return float64(int32(n))
	case weft.U32:
		return float64(uint32(n))
	case weft.I8:
		return float64(int8(n))
	case weft.U8:
		return float64(uint8(n))
	case weft.I16:
		return float64(int16(n))
	case weft.U16:
		return float64(uint16(n))
	}
	return x
}

// broadcastTo repeats an array's elements to a shape.
func broadcastTo(s *suite, h host, shape []int) []float64 {
	s.Helper()
	l := must[layout.Layout](s)(layout.Contiguous(h.shape...))
	l = must[layout.Layout](s)(l.Broadcast(shape...))
	x := make([]float64, 0, size(shape))
	for at := range l.Offsets() {
		x = append(x, h.x[at])
	}
	return x
}

// sum is a + b broadcast to a shape, with the bound of its elements.
func sum(s *suite, a, b host, shape []int) (want []float64, bound func(int) float64) {
	s.Helper()
	x, y := broadcastTo(s, a, shape), broadcastTo(s, b, shape)
	for i := range x {
		x[i] = wrapped(a.elem, x[i]+y[i])
	}
	return x, func(i int) float64 { return bounds.Add(a.elem, x[i]) }
}

func addVectors(s *suite) {
	lengths := more(s, []int{1, 2, 3, 31, 255, 256, 257, 1000, 4097, 30_011}, 1<<20, 1<<20+5, 1<<22+3)
	for _, elem := range s.numeric() {
		for _, n := range lengths {
			a, b := s.random(elem, n), s.random(elem, n)
			out := s.output(sliced, elem, n)
			s.try(ops.AddInto(out.Tensor, s.input(dense, a), s.input(dense, b)))
			out.check(sum(s, a, b, a.shape))
		}
	}
}

func addViews(s *suite) {
	shapes := more(s, [][]int{{1, 1}, {7, 33}, {65, 129}, {3, 5, 17}}, []int{513, 1025}, []int{2, 3, 5, 7, 11}, []int{1, 2, 1, 3, 1, 4, 5})
	for _, elem := range either(s, []weft.DType{weft.F32, weft.F16, weft.U8}, s.numeric()) {
		for _, shape := range shapes {
			for _, fa := range forms {
				for _, fo := range forms {
					fb := forms[s.rng.IntN(len(forms))]
					a, b := s.random(elem, shape...), s.random(elem, shape...)
					out := s.output(fo, elem, shape...)
					s.try(ops.AddInto(out.Tensor, s.input(fa, a), s.input(fb, b)))
					out.check(sum(s, a, b, shape))
				}
			}
		}
	}
}

func addBroadcasts(s *suite) {
	for _, c := range []struct{ a, b, out []int }{
		{[]int{}, []int{}, []int{}},
		{[]int{}, []int{5}, []int{5}},
		{[]int{1}, []int{5}, []int{5}},
		{[]int{5, 7}, []int{7}, []int{5, 7}},
		{[]int{5, 7}, []int{5, 1}, []int{5, 7}},
		{[]int{5, 1}, []int{1, 7}, []int{5, 7}},
		{[]int{70, 65}, []int{65}, []int{70, 65}},
		{[]int{1}, []int{3, 4, 5}, []int{3, 4, 5}},
		{[]int{3, 1, 5}, []int{4, 1}, []int{3, 4, 5}},
		{[]int{2, 1, 4, 1, 6}, []int{3, 1, 5, 1}, []int{2, 3, 4, 5, 6}},
		{[]int{1, 2, 1, 2, 1, 2}, []int{2, 1, 2, 1, 2, 1}, []int{2, 2, 2, 2, 2, 2}},
		{[]int{2, 1, 2, 1, 2, 1, 3}, []int{1, 2, 1, 2, 1, 2, 1}, []int{2, 2, 2, 2, 2, 2, 3}},
		{[]int{0, 3}, []int{3}, []int{0, 3}},
		{[]int{4, 1}, []int{4, 0}, []int{4, 0}},
	} {
		for _, elem := range []weft.DType{weft.F32, weft.BF16, weft.I32} {
			a, b := s.random(elem, c.a...), s.random(elem, c.b...)
			for _, f := range []form{dense, sliced} {
				out := s.ok(ops.Add(s.input(f, a), s.input(f, b)))
				s.part(elem, repeated)
				if !slices.Equal(out.Shape(), c.out) || out.DType() != elem {
					s.Fatalf("%v + %v is %v, want shape %v", c.a, c.b, out, c.out)
				}
				s.result(out).check(sum(s, a, b, c.out))
				out.Close()
			}
		}
	}
}

// In place, the output is the very view that is an input.
func addInPlace(s *suite) {
	for _, elem := range []weft.DType{weft.F32, weft.F16, weft.I8} {
		for _, f := range forms {
			a, b := s.random(elem, 19, 37), s.random(elem, 19, 37)
			ta, tb := s.input(f, a), s.input(dense, b)
			s.try(ops.AddInto(ta, ta, tb))
			s.result(ta).check(sum(s, a, b, a.shape))

			ta, tb = s.input(dense, a), s.input(f, b)
			s.try(ops.AddInto(tb, ta, tb))
			s.result(tb).check(sum(s, a, b, a.shape))

			ta = s.input(f, a)
			s.try(ops.AddInto(ta, ta, ta))
			s.result(ta).check(sum(s, a, a, a.shape))
		}
	}
	// Two parts of one tensor that do not meet, as input and output.
	x := s.random(weft.F32, 16, 8)
	t := s.tensor(x)
	left, right := s.ok(t.Slice(1, 0, 4)), s.ok(t.Slice(1, 4, 8))
	s.try(ops.AddInto(left, right, right))
	for i := range x.x {
		if i%8 < 4 {
			x.x[i] = 2 * x.x[i+4]
		}
	}
	s.compare(t, x.x, nil)
}

// What would depend on the order of programs is refused, and nothing is written.
func addOverlap(s *suite) {
	x := s.random(weft.F32, 10, 10)
	t := s.tensor(x)
	up, down := s.ok(t.Slice(0, 0, 9)), s.ok(t.Slice(0, 1, 10))
	row := s.ok(t.Slice(0, 0, 1))
	repeated := s.ok(row.Broadcast(10, 10))
	other := s.tensor(x)
	for name, err := range map[string]error{
		"shifted":          ops.AddInto(up, down, down),
		"transposed":       ops.AddInto(t, t.T(), t),
		"broadcast input":  ops.AddInto(t, row, t),
		"broadcast output": ops.AddInto(repeated, other, other),
	} {
		s.refused(name, weft.ErrUnsupported, err)
	}
	s.compare(t, x.x, nil)
}

func addSpecial(s *suite) {
	for _, elem := range s.reals() {
		top := largest[elem]
		a := host{elem, []int{8}, []float64{inf, -inf, inf, nan, top, -top, 1, 0}}
		b := host{elem, []int{8}, []float64{1, inf, inf, 1, top, -top, -1, math.Copysign(0, -1)}}
		want := []float64{inf, nan, inf, nan, inf, -inf, 0, 0}
		s.compare(s.ok(ops.Add(s.tensor(a), s.tensor(b))), want, nil)
	}
	// Ties go to the even neighbour.
	for _, elem := range []weft.DType{weft.F16, weft.BF16} {
		u := elem.Epsilon()
		a := host{elem, []int{3}, []float64{1, 1 + 2*u, 1}}
		b := host{elem, []int{3}, []float64{u, u, u * (1 + 2*u)}}
		want := []float64{1, 1 + 4*u, 1 + 2*u}
		s.compare(s.ok(ops.Add(s.tensor(a), s.tensor(b))), want, nil)
	}
	for elem, c := range map[weft.DType][3]float64{
		weft.I32: {math.MaxInt32, 1, math.MinInt32}, weft.U32: {math.MaxUint32, 2, 1},
		weft.I8: {127, 1, -128}, weft.U8: {255, 2, 1}, weft.I16: {32767, 1, -32768}, weft.U16: {65535, 2, 1},
	} {
		out := s.ok(ops.Add(s.tensor(filled(elem, c[0], 5)), s.tensor(filled(elem, c[1], 5))))
		s.compare(out, filled(elem, c[2], 5).x, nil)
	}
}

// More workgroups than a dimension of a GPU's grid takes.
func addManyWorkgroups(s *suite) {
	const n = 70_001
	a, b := s.random(weft.F32, n), s.random(weft.F32, n)
	out := s.output(sliced, weft.F32, n)
	cfg := elementwise.Config{Elem: weft.F32, Out: dtype.F32, Rank: 1, Block: [5]int{1}}
	s.try(ops.AddMap.Kernel.Launch(cfg, s.tensor(a), s.tensor(b), out.Tensor))
	out.check(sum(s, a, b, a.shape))
}
