package backendtest

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var sortCases = []testCase{
	{"SortShapes", sortShapes},
	{"SortLong", sortLong},
	{"SortViews", sortViews},
	{"SortTies", sortTies},
	{"SortTypes", sortTypes},
}

// sortOrder is the order of a row: NaN is last, and equal elements stay in their order.
func sortOrder(row []float64, descending bool) []int {
	order := make([]int, len(row))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := row[i], row[j]
		switch {
		case math.IsNaN(a) || math.IsNaN(b):
			return count(math.IsNaN(a)) - count(math.IsNaN(b))
		case descending:
			return cmp.Compare(b, a)
		}
		return cmp.Compare(a, b)
	})
	return order
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sort checks Sort along a dimension of x, which a stable sort on the host sorts, and with parts also without indices, and ArgSort.
func (s *suite) sort(x host, dim int, descending, parts bool, from, to, places form) {
	s.Helper()
	s.op("Sort")
	values, indices := make([]float64, len(x.x)), make([]float64, len(x.x))
	n, inner := x.shape[dim], size(x.shape[dim+1:])
	for r := range len(x.x) / max(n, 1) {
		row := make([]float64, n)
		at := func(i int) int { return (r/inner*n+i)*inner + r%inner }
		for i := range row {
			row[i] = x.x[at(i)]
		}
		for i, j := range sortOrder(row, descending) {
			values[at(i)], indices[at(i)] = row[j], float64(j)
		}
	}
	var options []ops.SortOption
	if descending {
		options = append(options, ops.Descending())
	}
	in := s.input(from, x)
	out, index := s.output(to, x.elem, x.shape...), s.output(places, weft.I32, x.shape...)
	s.try(ops.SortInto(out.Tensor, index.Tensor, in, dim, options...))
	check := func(what string, err error) {
		if err != nil {
			s.Error(fmt.Errorf("%s: %v%v, %s to %s, along %d, descending %v: %w", what, x.elem, x.shape, from, to, dim, descending, err))
		}
	}
	check("values", out.verify(values, nil))
	check("indices", index.verify(indices, nil))
	if !s.full && !parts {
		return
	}
	alone, order := s.output(to, x.elem, x.shape...), s.output(places, weft.I32, x.shape...)
	s.try(ops.SortInto(alone.Tensor, nil, in, dim, options...))
	s.op("ArgSort")
	s.try(ops.ArgSortInto(order.Tensor, in, dim, options...))
	check("values alone", alone.verify(values, nil))
	check("indices alone", order.verify(indices, nil))
}

// Rows of many lengths that fit a tile, also several of them, and empty ones.
func sortShapes(s *suite) {
	for i, c := range [][2]int{{3, 100}, {70, 33}, {5, 1}, {300, 7}, {2, 1025}, {1, 4096}, {33, 64}, {4, 2000}}[:either(s, 4, 8)] {
		s.sort(s.random(floatTypes[i%len(floatTypes)], c[0], c[1]), 1, i%2 == 1, i < 2, dense, dense, dense)
	}
	s.sort(s.random(weft.F32, 300), 0, false, false, dense, dense, dense)
	s.sort(s.random(weft.F32, 0, 3), 0, false, false, dense, dense, dense)
}

// Rows of several tiles.
func sortLong(s *suite) {
	for i, c := range [][2]int{{2, 9_001}, {3, 33_000}, {1, 100_000}}[:either(s, 1, 3)] {
		for _, elem := range []weft.DType{weft.F32, weft.F16, weft.U8}[:either(s, 1, 3)] {
			s.sort(s.random(elem, c[0], c[1]), 1, i == 1, false, dense, dense, dense)
		}
	}
	x := filled(weft.F32, 3, either(s, 9_000, 33_000)) // one digit has all elements
	x.x[17], x.x[8_000] = 2, math.NaN()
	s.sort(x, 0, false, false, dense, dense, dense)
}

// Along any dimension of any views.
func sortViews(s *suite) {
	for i, c := range [][]int{{1, 4, 30, 5}, {0, 40, 6}, {2, 2, 3, 50, 2}, {1, 3, 60, 5}, {0, 9_000, 2}}[:either(s, 3, 5)] {
		s.sort(s.random(floatTypes[i%3], c[1:]...), c[0], i%2 == 0, i == 0, forms[i%len(forms)], forms[(i+1)%len(forms)], forms[(i+2)%len(forms)])
	}
}

// ties are four rows of n elements of which many are equal.
func (s *suite) ties(elem weft.DType, n int) host {
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1, -1, 1}
	x := filled(elem, 0, 4, n)
	for j := range x.x {
		switch j / n {
		case 0: // all alike
		case 1:
			x.x[j] = special[s.rng.IntN(len(special))]
		case 2: // few different ones
			x.x[j] = float64(s.rng.IntN(3))
		case 3:
			x.x[j] = []float64{math.Inf(-1), math.NaN()}[j%2]
		}
	}
	return x
}

// Equal elements stay in their order: 0 and -0 are equal, and so are NaNs, which come last.
func sortTies(s *suite) {
	for _, elem := range floatTypes[:either(s, 2, 3)] {
		for _, n := range []int{600, 34_000}[:either(s, 1, 2)] {
			x := s.ties(elem, n)
			s.sort(x, 1, false, false, dense, dense, dense)
			s.sort(x, 1, true, false, dense, dense, dense)
		}
	}
}

// Integers from the least to the largest of their types, truths, and types of 64 bits where the device has them.
func sortTypes(s *suite) {
	for i, elem := range []weft.DType{weft.I32, weft.U32, weft.I8, weft.U8, weft.I16, weft.U16, weft.Bool, weft.I64, weft.U64, weft.F64} {
		if !s.has(elem) {
			continue
		}
		low, high := limits(elem)
		for _, n := range []int{700, 34_000}[:either(s, 1, 2)] {
			x := filled(elem, 0, 3, n).each(func(i int, _ float64) float64 {
				switch i % 5 {
				case 0:
					return low + float64(s.rng.IntN(2))
				case 1:
					return high - float64(s.rng.IntN(2))
				}
				return math.Floor(low + s.rng.Float64()*(high-low))
			})
			for _, descending := range []bool{i%2 == 0, i%2 == 1}[:either(s, 1, 2)] {
				s.sort(x, 1, descending, false, dense, dense, dense)
			}
		}
	}
}

// limits are the least and the largest number of a type that float64 and all numbers near them hold.
func limits(elem weft.DType) (low, high float64) {
	bits := 8 * elem.Size()
	switch {
	case elem == weft.Bool:
		return 0, 1
	case elem == weft.F64:
		return -1e6, 1e6
	case bits == 64 && elem.IsSigned():
		return -1 << 52, 1 << 52
	case bits == 64:
		return 0, 1 << 53
	case elem.IsSigned():
		return -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1) - 1
	}
	return 0, math.Ldexp(1, bits) - 1
}
