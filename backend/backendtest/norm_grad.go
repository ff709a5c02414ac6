package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops"
)

var normGradCases = []testCase{
	{"NormGradWidths", normGradWidths},
	{"NormGradRows", normGradRows},
	{"NormGradViews", normGradViews},
	{"NormGradLong", normGradLong},
	{"NormGradEdges", normGradEdges},
	{"NormGradInPlace", normGradInPlace},
	{"NormF64", normF64},
}

// normGrad is a call of LayerNormGrad or RMSNormGrad over some dimensions.
type normGrad struct {
	rms    bool
	axes   []int
	weight *host // nil for none
	eps    float64
}

// exact is what the call gives.
func (n normGrad) exact(x, dy host) catalog.NormGrads {
	row := make([]bool, len(x.shape))
	weights := 1
	for _, d := range n.axes {
		row[d] = true
		weights *= x.shape[d]
	}
	number := func(i int, of bool) int { // among the elements of dimensions that make up rows, or of others
		at, by := 0, 1
		for d := len(x.shape) - 1; d >= 0; d-- {
			if row[d] == of {
				at += i % x.shape[d] * by
				by *= x.shape[d]
			}
			i /= x.shape[d]
		}
		return at
	}
	return catalog.NormGrad{RMS: n.rms, Weight: elements(n.weight), Epsilon: n.eps, Weights: weights,
		Row: func(i int) int { return number(i, false) }, Along: func(i int) int { return number(i, true) }}.Exact(x.elem, x.x, dy.x)
}

// rowShape is the shape of a row.
func (n normGrad) rowShape(x host) (shape []int) {
	for d, size := range x.shape {
		if slices.Contains(n.axes, d) {
			shape = append(shape, size)
		}
	}
	return shape
}

// into makes the call; RMSNormGrad has no dbias.
func (n normGrad) into(s *suite, dx, dweight, dbias, x, dy, weight *weft.Tensor) error {
	options := []ops.NormOption{ops.Epsilon(n.eps), ops.Axis(n.axes...)}
	if n.rms {
		s.op("RMSNormGrad")
		return ops.RMSNormGradInto(dx, dweight, x, dy, weight, options...)
	}
	s.op("LayerNormGrad")
	return ops.LayerNormGradInto(dx, dweight, dbias, x, dy, weight, options...)
}

// normGradient checks a call with tensors of forms: x, dy, weight, and all results. wanted says which gradients are asked for next to that of x.
func (s *suite) normGradient(n normGrad, x host, f [4]form, wanted [2]bool) {
	s.Helper()
	dy := s.random(x.elem, x.shape...)
	want := n.exact(x, dy)
	var weight *weft.Tensor
	if n.weight != nil {
		weight = s.input(f[2], *n.weight)
	}
	dx := s.output(f[3], x.elem, x.shape...)
	sums, given := [2]output{}, [2]*weft.Tensor{}
	for i := range sums {
		if wanted[i] && !(n.rms && i == 1) {
			sums[i] = s.output(f[3], x.elem, n.rowShape(x)...)
			given[i] = sums[i].Tensor
		}
	}
	s.try(n.into(s, dx.Tensor, given[0], given[1], s.input(f[0], x), s.input(f[1], dy), weight))
	check := func(what string, out output, want, bound []float64) {
		s.Helper()
		if out.Tensor == nil {
			return
		}
		if err := out.verify(want, func(i int) float64 { return bound[i] }); err != nil {
			s.Error(fmt.Errorf("%s of %v%v, %v, %+v, %v: %w", what, x.elem, x.shape, f, n, wanted, err))
		}
	}
	check("dx", dx, want.DX, want.DXBound)
	check("dweight", sums[0], want.DWeight, want.DWeightBound)
	check("dbias", sums[1], want.DBias, want.DBiasBound)
}

// gradOver is a call over the last dimensions, or others, with a weight.
func (s *suite) gradOver(x host, rms bool, axes ...int) normGrad {
	n := normGrad{rms: rms, axes: axes, eps: 1e-2}
	weight := s.random(x.elem, n.rowShape(x)...)
	n.weight = &weight
	return n
}

var (
	denseForms = [4]form{dense, dense, dense, dense}
	bothSums   = [2]bool{true, true}
)

// shifted are numbers whose mean is not 0.
func (s *suite) shifted(elem weft.DType, shape ...int) host {
	return s.random(elem, shape...).each(func(_ int, x float64) float64 { return x + 1 })
}

// Rows of every element type that are kept in registers, and longer ones.
func normGradWidths(s *suite) {
	widths := []int{33, 9001, 1000, 1, 2, 700, 8192, 8193, 20_001}[:either(s, 3, 9)]
	for i, n := range widths {
		for j, elem := range floatTypes {
			if !s.full && (i+j)%3 != 0 && elem != weft.F32 {
				continue
			}
			x := s.shifted(elem, 5, n)
			s.normGradient(s.gradOver(x, (i+j)%2 == 1, 1), x, [4]form{dense, sliced, stepped, dense}, bothSums)
			if s.full {
				s.normGradient(s.gradOver(x, (i+j)%2 == 0, 1), x, denseForms, bothSums)
			}
		}
	}
}

// Many rows, whose sums many programs add up; and calls that ask for less.
func normGradRows(s *suite) {
	for i, shape := range more(s, [][]int{{1500, 40}, {301, 700}, {1, 90}}, []int{20_000, 8}, []int{2000, 1024}, []int{7000, 1}, []int{3, 2000, 50}) {
		x := s.shifted(floatTypes[i%3], shape...)
		last := len(shape) - 1
		s.normGradient(s.gradOver(x, false, last), x, denseForms, bothSums)
		s.normGradient(s.gradOver(x, true, last), x, denseForms, [2]bool{i%2 == 0, false})
		s.normGradient(normGrad{axes: []int{last}, eps: 1e-3}, x, denseForms, [2]bool{i%2 == 0, i%3 == 0})
	}
	x := s.shifted(weft.F32, 20, 31)
	s.normGradient(s.gradOver(x, false, 1), x, denseForms, [2]bool{false, true})
	s.normGradient(normGrad{axes: []int{1}, eps: 1e-3}, x, denseForms, [2]bool{true, false})
	s.op("LayerNormGrad")
	n, dy := s.gradOver(x, false, 1), s.random(weft.F32, 20, 31)
	want := n.exact(x, dy)
	dx, dweight, dbias, err := ops.LayerNormGrad(s.tensor(x), s.tensor(dy), s.tensor(*n.weight), ops.Epsilon(n.eps))
	s.try(err)
	s.compare(dx, want.DX, func(i int) float64 { return want.DXBound[i] })
	s.compare(dweight, want.DWeight, func(i int) float64 { return want.DWeightBound[i] })
	s.compare(dbias, want.DBias, func(i int) float64 { return want.DBiasBound[i] })
	n.rms, s.trace.label = true, "RMSNormGrad"
	want = n.exact(x, dy)
	dx, dweight, err = ops.RMSNormGrad(s.tensor(x), s.tensor(dy), s.tensor(*n.weight), ops.Epsilon(n.eps))
	s.try(err)
	s.compare(dx, want.DX, func(i int) float64 { return want.DXBound[i] })
	s.compare(dweight, want.DWeight, func(i int) float64 { return want.DWeightBound[i] })
	if dx, dweight, err = ops.RMSNormGrad(s.tensor(x), s.tensor(dy), nil); err != nil || dx == nil || dweight != nil {
		s.Errorf("a gradient without a weight is %v, %v, %v", dx, dweight, err)
	}
	// Of no rows, and rows of no elements.
	for _, shape := range [][]int{{0, 3}, {3, 0}} {
		empty, row := s.tensor(filled(weft.F32, 0, shape...)), shape[1]
		dweight, dbias := s.tensor(filled(weft.F32, 7, row)), s.tensor(filled(weft.F32, 7, row))
		s.op("LayerNormGrad")
		s.try(ops.LayerNormGradInto(s.tensor(filled(weft.F32, 0, shape...)), dweight, dbias, empty, empty, nil))
		s.compare(dweight, make([]float64, row), nil)
		s.compare(dbias, make([]float64, row), nil)
	}
}

// Rows of any dimensions, wherever these are, in any views.
func normGradViews(s *suite) {
	for i := range either(s, 8, 80) {
		shape := make([]int, 1+s.rng.IntN(4))
		for d := range shape {
			shape[d] = 1 + s.rng.IntN(9)
		}
		axes := s.rng.Perm(len(shape))[:1+s.rng.IntN(len(shape))]
		slices.Sort(axes)
		x := s.shifted(floatTypes[i%3], shape...)
		f := [4]form{}
		for j := range f {
			f[j] = forms[s.rng.IntN(len(forms))]
		}
		s.normGradient(s.gradOver(x, i%4 == 3, axes...), x, f, bothSums)
	}
	// Rows down the columns of memory.
	x := s.shifted(weft.F32, 90, 70)
	s.normGradient(s.gradOver(x, false, 1), x, [4]form{transposed, transposed, dense, transposed}, bothSums)
}

// Rows that programs share, of one dimension and of several.
func normGradLong(s *suite) {
	for i, shape := range more(s, [][]int{{2, 50_001}, {3, 300, 200}}, []int{1, 400_003}, []int{40, 20_000}) {
		x := s.shifted(floatTypes[i%2], shape...)
		axes := []int{1, 2}[:len(shape)-1]
		s.normGradient(s.gradOver(x, false, axes...), x, denseForms, bothSums)
		s.normGradient(s.gradOver(x, true, axes...), x, [4]form{sliced, dense, dense, dense}, bothSums)
		s.normGradient(normGrad{axes: axes, eps: 1e-3}, x, denseForms, [2]bool{})
	}
	x, dy := s.shifted(weft.F32, 700, 300), s.random(weft.F32, 700, 300)
	var first []float64
	for range 2 { // the same bits
		dx, dweight, dbias, err := ops.LayerNormGrad(s.tensor(x), s.tensor(dy), s.tensor(s.ones(weft.F32, 300)))
		s.try(err)
		all := slices.Concat(s.floats(dx), s.floats(dweight), s.floats(dbias))
		if first != nil && !slices.Equal(first, all) {
			s.Errorf("gradients of one tensor differ from run to run")
		}
		first = all
	}
}

func (s *suite) ones(elem weft.DType, shape ...int) host { return filled(elem, 1, shape...) }

// Large means, constant rows, and rows that are not finite, which spoil the sums over rows but no other row.
func normGradEdges(s *suite) {
	for _, cols := range []int{500, 20_000}[:either(s, 1, 2)] {
		x := s.random(weft.F32, 3, cols)
		for i := range x.x {
			if x.x[i] += 100; i/cols == 1 {
				x.x[i] = 3
			}
		}
		rounded(weft.F32, x.x)
		s.normGradient(s.gradOver(x, false, 1), x, denseForms, bothSums)
		x.x[2*cols+7] = math.NaN()
		n := s.gradOver(x, false, 1)
		s.normGradient(n, x, denseForms, bothSums)
		// A constant row without epsilon has no gradient; the row tile's end is beyond the last row.
		x = s.random(weft.F32, 5, 30)
		n = s.gradOver(x, false, 1)
		n.eps = 0
		s.normGradient(n, x, denseForms, bothSums)
	}
}

// dx may take the place of x.
func normGradInPlace(s *suite) {
	for _, shape := range [][]int{{30, 70}, {2, 30_001}} {
		x, dy := s.shifted(weft.F32, shape...), s.random(weft.F32, shape...)
		n := s.gradOver(x, false, 1)
		want := n.exact(x, dy)
		dx := s.outputOf(sliced, x)
		dweight := s.output(dense, weft.F32, shape[1])
		s.try(n.into(s, dx.Tensor, dweight.Tensor, nil, dx.Tensor, s.tensor(dy), s.tensor(*n.weight)))
		if err := dx.verify(want.DX, func(i int) float64 { return want.DXBound[i] }); err != nil {
			s.Error(fmt.Errorf("in place of %v: %w", shape, err))
		}
		if err := dweight.verify(want.DWeight, func(i int) float64 { return want.DWeightBound[i] }); err != nil {
			s.Error(fmt.Errorf("dweight in place of %v: %w", shape, err))
		}
	}
}

// Normalisations, and gradients of rows, of F64: of rows in registers, of long ones, and of groups.
func normF64(s *suite) {
	if !s.has(weft.F64) {
		return
	}
	for i, shape := range [][]int{{5, 700}, {300, 9}, {2, 30_001}} {
		x := s.shifted(weft.F64, shape...)
		for _, rms := range []bool{false, true} {
			s.normalises(s.allOperands(weft.F64, rms, shape[1]), x, dense, sliced)
			s.normGradient(s.gradOver(x, rms, 1), x, [4]form{dense, sliced, dense, dense}, bothSums)
		}
		y := s.random(weft.F64, shape...).each(func(_ int, x float64) float64 { return -math.Abs(x) })
		s.softmaxGrad(catalog.SoftmaxGrads[i%2], y, 1, 1+float64(i), dense, dense, sliced)
	}
	s.groupNorm(s.shifted(weft.F64, 3, 12, 7, 9), 4, 1, true, denseForms)
	s.groupNorm(s.shifted(weft.F64, 3, 7, 9, 12), 12, 3, false, denseForms)
}
