package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var uniqueCases = []testCase{
	{"UniqueShapes", uniqueShapes},
	{"UniqueTypes", uniqueTypes},
	{"UniqueTies", uniqueTies},
}

// unique checks the different elements of x, how many they are, which one each element is, and how often each occurs, and the elements alone.
func (s *suite) unique(x host, f [4]form) {
	s.Helper()
	s.op("Unique")
	n := len(x.x)
	values, counts, inverse := make([]float64, n), make([]float64, n), make([]float64, n)
	last := -1
	for i, at := range sortOrder(x.x, false) {
		v := x.x[at]
		if i == 0 || v != values[last] && !(math.IsNaN(v) && math.IsNaN(values[last])) {
			last++
			values[last] = v
		}
		inverse[at] = float64(last)
		counts[last]++
	}
	number := []float64{float64(last + 1)}
	in := s.input(f[0], x)
	check := func(what string, err error) {
		if err != nil {
			s.Error(fmt.Errorf("%s of %v%v, %v: %w", what, x.elem, x.shape, f, err))
		}
	}
	out, many := s.output(f[1], x.elem, n), s.output(dense, weft.I32, 1)
	places, times := s.output(f[2], weft.I32, x.shape...), s.output(f[3], weft.I32, n)
	s.try(ops.UniqueInto(out.Tensor, many.Tensor, places.Tensor, times.Tensor, in))
	check("values", out.verify(values, nil))
	check("number", many.verify(number, nil))
	check("inverse", places.verify(inverse, nil))
	check("counts", times.verify(counts, nil))
	if !s.full && n > 1000 {
		return
	}
	alone, all, err := ops.Unique(in)
	if s.try(err); err == nil {
		check("values alone", s.result(alone).verify(values, nil))
		check("number alone", s.result(all).verify(number, nil))
	}
}

// few makes elements of which there are some different ones.
func (s *suite) few(elem weft.DType, different int, shape ...int) host {
	return filled(elem, 0, shape...).each(func(int, float64) float64 { return float64(s.rng.IntN(different)) })
}

// From no elements to several tiles, in any views; all alike, and all different.
func uniqueShapes(s *suite) {
	for i, c := range []struct {
		shape     []int
		different int
	}{{[]int{700}, 40}, {[]int{5, 33}, 9}, {[]int{0, 3}, 1}, {nil, 3}, {[]int{9_001}, 300}, {[]int{4, 5, 6, 7}, 2}, {[]int{1}, 1}, {[]int{50_000}, 1}, {[]int{30, 70}, 100_000}} {
		if s.full || i < 5 {
			s.unique(s.few(weft.F32, c.different, c.shape...), [4]form{forms[i%4], forms[(i+1)%4], forms[(i+2)%4], forms[(i+3)%4]})
		}
	}
	line := filled(weft.I32, 0, either(s, 600, 3000)).each(func(i int, _ float64) float64 { return float64(-i) })
	s.unique(line, [4]form{dense, dense, dense, dense})
}

// Integers from the least to the largest of their types, truths, and floats.
func uniqueTypes(s *suite) {
	types := []weft.DType{weft.U8, weft.F16, weft.I64, weft.I32, weft.U32, weft.I8, weft.I16, weft.U16, weft.Bool, weft.BF16, weft.U64, weft.F64}
	for _, elem := range types[:either(s, 3, len(types))] { // drivers compile a sort for seconds
		if !s.has(elem) {
			continue
		}
		low, high := 0.0, 5.0
		if !elem.IsFloat() {
			low, high = limits(elem)
		}
		x := s.few(elem, 5, 300).each(func(_ int, x float64) float64 { return []float64{low, high, 0, 1, min(high, 77)}[int(x)] })
		s.unique(x, [4]form{dense, dense, dense, dense})
	}
}

// 0 and -0 are one element, the first of them, and so are NaNs, which are last.
func uniqueTies(s *suite) {
	for _, elem := range floatTypes[:either(s, 1, 3)] {
		x := s.ties(elem, 250)
		s.unique(host{elem, []int{1000}, slices.Clone(x.x)}, [4]form{dense, dense, dense, dense})
	}
	s.unique(filled(weft.F32, math.NaN(), 40), [4]form{dense, dense, dense, dense})
}
