package backendtest

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/internal/reference/golden"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

var reduceCases = []testCase{
	{"ReduceRowsAndColumns", reduceRowsAndColumns},
	{"ReduceTypes", reduceTypes},
	{"ReduceAxes", reduceAxes},
	{"ReduceLong", reduceLong},
	{"ReduceEdges", reduceEdges},
	{"ReduceNothing", reduceNothing},
	{"ReduceLogic", reduceLogic},
	{"ReduceGolden", reduceGolden},
}

// kept is what an integer type keeps of a number.
func kept(elem weft.DType, x float64) float64 {
	bits := 8 * elem.Size()
	if !elem.IsInt() || bits == 64 { // of which the tests take small ones
		return x
	}
	all := math.Ldexp(1, bits)
	x = math.Mod(x, all)
	switch {
	case x < 0 && !elem.IsSigned():
		x += all
	case elem.IsSigned() && x >= all/2:
		x -= all
	case elem.IsSigned() && x < -all/2:
		x += all
	}
	return x
}

// fitting are numbers whose products stay in the range of the element type.
func (s *suite) fitting(op string, elem weft.DType, shape ...int) host {
	x := s.random(elem, shape...)
	for i := range x.x {
		switch {
		case op == "prod" && elem.IsFloat():
			x.x[i] = math.Copysign(1+0.01*x.x[i], x.x[i])
		case op == "all" || op == "any": // most groups are of one kind but for one element
			x.x[i] = float64(i % 29 / 28)
			if op == "all" {
				x.x[i] = 1 - x.x[i]
			}
		case op == "reduce_and" && elem != weft.Bool:
			x.x[i] = float64(0x55 | i%64<<1)
		case op == "prod":
			x.x[i] = float64(1 - i%13/12) // a product of ones and a zero
		case elem.IsInt() && elem.Size() == 8 && elem.IsSigned():
			x.x[i] = math.Trunc(x.x[i] / 0x1p30)
		case elem.IsInt() && elem.Size() == 8:
			x.x[i] = math.Trunc(x.x[i] / 0x1p31)
		case op == "argmax" || op == "argmin":
			x.x[i] = math.Trunc(x.x[i] / 2) // with equal ones
		case op == "var":
			x.x[i] += 10
		}
	}
	rounded(elem, x.x)
	return x
}

// reduces runs a reduction of a tensor of a form into one of another and checks it.
func (s *suite) reduces(op string, x host, from, to form, axes []int) {
	s.Helper()
	c := catalog.ReductionNamed(op)
	elem := c.Result(x.elem)
	want := reference.Reduce(x.x, x.shape, axes, func(g []float64) float64 { return kept(elem, c.Exact(g)) })
	s.reducesTo(want, op, x, from, to, axes)
}

func (s *suite) reducesTo(want []float64, op string, x host, from, to form, axes []int) {
	s.Helper()
	c, shape := catalog.ReductionNamed(op), []int{}
	for d, n := range x.shape {
		if !slices.Contains(axes, d) {
			shape = append(shape, n)
		}
	}
	s.op(c.Function)
	elem := c.Result(x.elem)
	bounds := reference.Reduce(x.x, x.shape, axes, func(g []float64) float64 { return c.Bound(elem, g) })
	out := s.output(to, elem, shape...)
	s.try(c.Into(out.Tensor, s.input(from, x), ops.Axis(axes...)))
	if err := out.verify(want, func(i int) float64 { return bounds[i] }); err != nil {
		s.Error(fmt.Errorf("%s of %v%v, %s to %s, over %v: %w", op, x.elem, x.shape, from, to, axes, err))
	}
}

// reducedType is F32, or I32 for a reduction that takes no floats.
func reducedType(op string) weft.DType {
	if catalog.ReductionNamed(op).Takes(weft.F32) {
		return weft.F32
	}
	return weft.I32
}

func reduceRowsAndColumns(s *suite) {
	for _, r := range catalog.AllReductions {
		op, elem := r.String(), reducedType(r.String())
		for _, shape := range [][]int{{5, 203}, {203, 5}, {70, 61}, {1000, 33}}[:either(s, 1, 4)] {
			x := s.fitting(op, elem, shape...)
			s.reduces(op, x, dense, dense, []int{0})
			s.reduces(op, x, dense, dense, []int{1})
		}
	}
}

// Every element type, in the ops for which it makes a difference.
func reduceTypes(s *suite) {
	for _, elem := range s.andLong(weft.F16, weft.I8, weft.U8, weft.I32, weft.U32, weft.BF16, weft.I16, weft.U16) {
		for _, r := range catalog.AllReductions {
			op := r.String()
			quick := op == "sum" || op == "min" || op == "argmax" && (elem == weft.U32 || elem.Size() == 8)
			if !s.full && !quick || !r.Takes(elem) {
				continue
			}
			s.reduces(op, s.fitting(op, elem, 9, 77), dense, sliced, []int{1})
			if s.full {
				s.reduces(op, s.fitting(op, elem, 77, 9), sliced, dense, []int{0})
			}
		}
	}
}

// Any axes of tensors of any rank, in any views.
func reduceAxes(s *suite) {
	for range either(s, 8, 150) {
		shape := make([]int, 1+s.rng.IntN(5))
		var axes []int
		for d := range shape {
			shape[d] = 1 + s.rng.IntN(7)
			if s.rng.IntN(2) == 0 {
				axes = append(axes, d)
			}
		}
		op := []string{"sum", "argmax"}[s.rng.IntN(2)]
		if s.full {
			op = catalog.AllReductions[s.rng.IntN(len(catalog.AllReductions))].String()
		}
		s.rng.Shuffle(len(axes), func(i, j int) { axes[i], axes[j] = axes[j], axes[i] })
		s.reduces(op, s.fitting(op, reducedType(op), shape...), forms[s.rng.IntN(len(forms))], forms[s.rng.IntN(len(forms))], axes)
	}
	// Sizes of 1 kept, axes from the end, and broadcast operands.
	x := s.random(weft.F32, 4, 1, 3)
	s.op("Sum")
	wide := s.ok(s.tensor(x).Broadcast(4, 20, 3))
	out := s.ok(ops.Sum(wide, ops.Axis(-1, -2), ops.KeepDims()))
	if !slices.Equal(out.Shape(), []int{4, 1, 1}) {
		s.Errorf("shape %v with dimensions kept, want [4 1 1]", out.Shape())
	}
	want := reference.Reduce(x.x, x.shape, []int{1, 2}, func(g []float64) float64 { return 20 * floats.Sum(g) })
	s.compare(out, want, func(i int) float64 { return bounds.Sum(weft.F32, 60, want[i], 60*4) })
}

// Reductions so long that programs share them.
func reduceLong(s *suite) {
	lengths := more(s, []int{100_003}, 1<<20, 3_000_017)
	for _, n := range lengths {
		for _, op := range []string{"sum", "argmax", "var", "mean", "prod", "max", "argmin"}[:either(s, 3, 7)] {
			s.reduces(op, s.fitting(op, weft.F32, n), dense, dense, []int{0})
		}
		s.reduces("sum", s.fitting("sum", weft.F16, n/3, 3), dense, dense, []int{0})
	}
	// Every run gives the same bits.
	x := s.tensor(s.random(weft.F32, 100_003))
	first := s.floats(s.ok(ops.Sum(x)))
	again := s.floats(s.ok(ops.Sum(x)))
	if first[0] != again[0] {
		s.Errorf("sums %v and %v of one tensor", first, again)
	}
}

func reduceEdges(s *suite) {
	x := s.random(weft.F32, 5, 40)
	row := func(r int) []float64 { return x.x[r*40 : (r+1)*40] }
	for i := range 40 {
		row(0)[i], row(1)[i] = -inf, inf
	}
	row(2)[7], row(2)[30], row(3)[39], row(4)[0] = nan, nan, inf, -inf
	for _, op := range []string{"argmax", "argmin", "max", "min"} {
		s.reduces(op, x, dense, dense, []int{1})
	}
	// Rows of NaN alone, of both signs, and rows with one.
	for i, n := range []int{1, 2, 3, 15, 64, 300, 5000} {
		elem := s.reals()[i%len(s.reals())]
		x := s.random(elem, 3, n)
		for j := range n {
			x.x[j], x.x[n+j] = nan, math.Copysign(nan, -1)
		}
		x.x[2*n+s.rng.IntN(n)] = nan
		for _, op := range []string{"max", "min"} {
			s.reduces(op, x, forms[i%len(forms)], dense, []int{1})
		}
	}
	// A mean that is large compared with the deviations.
	far := s.random(weft.F32, 3, 500).each(func(_ int, x float64) float64 { return x + 3000 })
	s.reduces("var", far, dense, dense, []int{1})
	out := s.ok(ops.Var(s.tensor(far), ops.Axis(1), ops.Correction(1)))
	want := reference.Reduce(far.x, far.shape, []int{1}, func(g []float64) float64 { return stat.Variance(g, nil) })
	s.compare(out, want, func(i int) float64 { return bounds.Var(weft.F32, 500, want[i], 3000) })
}

// Truths and bits of every type, in one pass and in several, and sums of exponentials at their edges.
func reduceLogic(s *suite) {
	types := []weft.DType{weft.Bool, weft.I32, weft.U8, weft.F16, weft.I16, weft.U32, weft.I8}
	for i, op := range []string{"all", "any", "reduce_and", "reduce_or", "reduce_xor"} {
		for j, elem := range types[:either(s, 3, len(types))] {
			if r := catalog.ReductionNamed(op); r.Takes(elem) {
				s.reduces(op, s.fitting(op, elem, 4, 31, 3), forms[(i+j)%len(forms)], forms[(i+2*j)%len(forms)], []int{1})
			}
		}
	}
	s.reduces("reduce_xor", s.fitting("reduce_xor", weft.U32, 70_001), dense, dense, []int{0})
	s.reduces("all", filled(weft.Bool, 1, 3, 40_001), dense, dense, []int{1})
	odd := s.random(weft.F32, 4, 40)
	for i := range 40 {
		odd.x[i], odd.x[40+i], odd.x[80+i] = 0, -inf, float64(-1000*i)
	}
	odd.x[7], odd.x[130], odd.x[81] = nan, inf, 500
	s.reduces("any", odd, dense, dense, []int{1})
	want := reference.Reduce(odd.x, odd.shape, []int{1}, catalog.ReductionNamed("reduce_log_sum_exp").Exact)
	want[1], want[3] = -inf, inf
	s.op("ReduceLogSumExp")
	s.compare(s.ok(ops.ReduceLogSumExp(s.tensor(odd), ops.Axis(1))), want, func(i int) float64 {
		if i == 2 {
			return 0x1p-12
		}
		return 0
	})
	s.reduces("reduce_log_sum_exp", s.random(weft.BF16, 3, 300), transposed, dense, []int{1})
	s.reduces("norm2", s.random(weft.F16, 300, 3), sliced, dense, []int{0})
}

// Reductions of no elements, over no axes, and of scalars.
func reduceNothing(s *suite) {
	for _, shape := range [][]int{{3, 0}, {0}, {0, 3}, {2, 0, 3}} {
		for op, want := range map[string]float64{"sum": 0, "prod": 1, "mean": math.NaN(), "norm1": 0, "norm2": 0} {
			r := catalog.ReductionNamed(op)
			s.op(r.Function)
			out := s.output(sliced, weft.F32, shape[0])
			s.try(r.Into(out.Tensor, s.tensor(filled(weft.F32, 0, shape...)), ops.Axis(axesFrom(1, shape)...)))
			if len(shape) > 1 {
				out.check(slices.Repeat([]float64{want}, shape[0]), nil)
			}
		}
	}
	empty := s.tensor(filled(weft.F32, 0, 3, 0))
	s.refused("the largest of no elements", weft.ErrShape, errorOf(ops.Max(empty, ops.Axis(1))))
	if out := s.ok(ops.ArgMin(empty, ops.Axis(0))); !slices.Equal(out.Shape(), []int{0}) {
		s.Errorf("no result has shape %v", out.Shape())
	}
	s.reduces("sum", s.random(weft.F32, 3, 5), transposed, sliced, nil)
	s.reduces("argmax", s.random(weft.F32), dense, dense, nil)
}

func reduceGolden(s *suite) {
	s.golden("reductions", floatTypes, nil, func(s *suite, elem weft.DType, c golden.Case) {
		for _, r := range catalog.AllReductions {
			op, x := r.String(), array(elem, c.Get("x"))
			if op == "prod" {
				x = array(weft.F32, c.Get("near")) // which the others do not hold
			}
			if c.Has(op) && (s.full || op == "sum" || op == "var") {
				s.reducesTo(c.Get(op).X, op, x, dense, dense, c.Get("axes").Ints())
			}
		}
	})
}

// axesFrom are the dimensions of a shape from d on.
func axesFrom(d int, shape []int) (axes []int) {
	for ; d < len(shape); d++ {
		axes = append(axes, d)
	}
	return axes
}
