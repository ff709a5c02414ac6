package backendtest

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var topKCases = []testCase{
	{"TopKShapes", topKShapes},
	{"TopKViews", topKViews},
	{"TopKTies", topKTies},
	{"TopKTypes", topKTypes},
	{"TopKMany", topKMany},
}

// topK checks the k largest elements along a dimension of x, which a stable sort on the host finds.
func (s *suite) topK(x host, k, dim int, from, to, places form) {
	s.Helper()
	s.op("TopK")
	shape := slices.Clone(x.shape)
	n := shape[dim]
	shape[dim] = k
	inner := size(shape[dim+1:])
	values, indices := make([]float64, size(shape)), make([]float64, size(shape))
	for row := range size(x.shape) / max(n, 1) {
		at := func(i, n int) int { return (row/inner*n+i)*inner + row%inner }
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int {
			a, b := x.x[at(i, n)], x.x[at(j, n)]
			switch { // NaN is above all numbers
			case math.IsNaN(a) && math.IsNaN(b):
				return 0
			case math.IsNaN(a):
				return -1
			case math.IsNaN(b):
				return 1
			}
			return cmp.Compare(b, a)
		})
		for i := range k {
			values[at(i, k)], indices[at(i, k)] = x.x[at(order[i], n)], float64(order[i])
		}
	}
	out, index := s.output(to, x.elem, shape...), s.output(places, weft.I32, shape...)
	s.try(ops.TopKInto(out.Tensor, index.Tensor, s.input(from, x), k, dim))
	for _, err := range []error{out.verify(values, nil), index.verify(indices, nil)} {
		if err != nil {
			s.Error(fmt.Errorf("%v%v, %s to %s, %d along %d: %w", x.elem, x.shape, from, to, k, dim, err))
		}
	}
}

// Rows shorter than a tile, of several tiles, and of so many that candidates are chosen among candidates; from one element to all.
func topKShapes(s *suite) {
	for i, c := range [][3]int{{3, 100, 5}, {2, 9001, 50}, {1, 128_256, 40}, {2, 5000, 1}, {3, 1, 1}, {1, 40_001, 1024}, {2, 3000, 3000}, {70, 33, 33}}[:either(s, 4, 8)] {
		elem := floatTypes[i%len(floatTypes)]
		s.topK(s.random(elem, c[0], c[1]), c[2], 1, dense, dense, dense)
	}
	s.topK(s.random(weft.F32, 300), 7, 0, dense, dense, dense)
}

// Along any dimension of any views.
func topKViews(s *suite) {
	for i, c := range [][]int{{4, 30, 5, 1, 7}, {40, 6, 0, 3}, {2, 3, 50, 2, 11}, {3, 4, 5, 3, 60}}[:either(s, 2, 4)] {
		last := len(c) - 1
		dim := []int{1, 0, 2, 1}[i]
		shape := [][]int{{4, 30, 5}, {40, 6}, {2, 3, 50}, {3, 60, 5}}[i]
		s.topK(s.random(floatTypes[i%3], shape...), min(c[last], shape[dim]), dim, forms[i%len(forms)], forms[(i+1)%len(forms)], forms[(i+2)%len(forms)])
	}
}

// Equal elements come in the order of their indices, and those with the lowest ones are among the k: 0 and -0 are equal, and so are NaNs, which
// are above infinity.
func topKTies(s *suite) {
	for i, elem := range floatTypes[:either(s, 1, 3)] {
		for _, n := range []int{600, 9000}[:either(s, 1, 2)] {
			x := s.ties(elem, n)
			for _, k := range []int{1, 37, 500}[i:] {
				s.topK(x, k, 1, dense, dense, dense)
			}
		}
	}
}

// Integers from the least to the largest of their types.
func topKTypes(s *suite) {
	for elem, ends := range map[weft.DType][2]float64{weft.I32: {math.MinInt32, math.MaxInt32}, weft.U32: {0, math.MaxUint32}, weft.I8: {-128, 127}, weft.U8: {0, 255}, weft.I16: {-32768, 32767}, weft.U16: {0, 65535}} {
		low, high := ends[0], ends[1]
		x := filled(elem, 0, 3, 700).each(func(i int, _ float64) float64 {
			switch i % 5 {
			case 0:
				return low + float64(s.rng.IntN(3))
			case 1:
				return high - float64(s.rng.IntN(3))
			}
			return math.Floor(low + s.rng.Float64()*(high-low))
		})
		s.topK(x, 300, 1, dense, dense, dense)
	}
}

// So many of so many rows that candidates are sorted where a device counts digits, some of them equal and some NaN; and lists of candidates that are not full.
func topKMany(s *suite) {
	for _, elem := range []weft.DType{weft.F32, weft.F16, weft.BF16, weft.I32, weft.U8}[:either(s, 3, 5)] {
		x := s.random(elem, 24, 1500)
		for i := range x.x {
			switch at := s.rng.IntN(40); {
			case at < 20:
				x.x[i] = float64(s.rng.IntN(9))
			case at < 22 && elem.IsFloat():
				x.x[i] = []float64{nan, inf, -inf, math.Copysign(0, -1)}[s.rng.IntN(4)]
			}
		}
		s.topK(x, 600, 1, dense, dense, sliced)
		s.topK(x, 1499, 1, sliced, dense, dense)
	}
	s.topK(s.random(weft.F32, 9, 9001), 700, 1, dense, dense, dense)

	// Too many to be compared: all of a row, and a list.
	s.topK(s.ties(weft.F32, 10_001), 10_001, 1, sliced, dense, sliced)
	s.topK(s.random(weft.F32, 1, 40_001), 40_001, 1, dense, dense, dense)
	s.topK(s.random(weft.F16, 1, 80_001), 35_001, 1, dense, sliced, dense)
}
