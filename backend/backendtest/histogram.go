package backendtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

var histogramCases = []testCase{
	{"BincountTypes", bincountTypes},
	{"BincountShapes", bincountShapes},
	{"BincountWeights", bincountWeights},
	{"HistogramShapes", histogramShapes},
	{"HistogramEdges", histogramEdges},
}

// counted compares counts of a call with those on the host, by a function that says in which bin an element is, below 0 if in none. Sums of
// weights are right to the roundings of as many additions in F32.
func (s *suite) counted(op string, x host, bins int, weights *host, from, to form, run func(out, x *weft.Tensor, options ...ops.CountOption) error, binOf func(x float64) int) {
	s.Helper()
	s.op(op)
	want, size, number := make([]float64, bins), make([]float64, bins), make([]float64, bins)
	sum := weft.I32
	var options []ops.CountOption
	if weights != nil {
		options = append(options, ops.Weights(s.input(forms[(slices.Index(forms, from)+1)%len(forms)], *weights)))
		if weights.elem.IsFloat() {
			sum = weft.F32
		}
	}
	for i, v := range x.x {
		if b := binOf(v); b >= 0 && b < bins {
			w := 1.0
			if weights != nil {
				w = weights.x[i]
			}
			want[b], size[b], number[b] = want[b]+w, size[b]+math.Abs(w), number[b]+1
		}
	}
	var bound func(i int) float64
	if sum == weft.F32 {
		bound = func(i int) float64 { return number[i] * 0x1p-24 * size[i] * (1 + 0x1p-10) }
	} else {
		for i, w := range want { // integers wrap
			want[i] = float64(int32(int64(w)))
		}
	}
	out := s.output(to, sum, bins)
	s.try(run(out.Tensor, s.input(from, x), options...))
	if err := out.verify(want, bound); err != nil {
		s.Error(fmt.Errorf("%s of %v%v, %s to %s, %d bins, weights %v: %w", op, x.elem, x.shape, from, to, bins, weights != nil, err))
	}
}

func (s *suite) bincount(x host, bins int, weights *host, from, to form) {
	s.Helper()
	s.counted("Bincount", x, bins, weights, from, to, func(out, x *weft.Tensor, options ...ops.CountOption) error {
		return ops.BincountInto(out, x, bins, options...)
	}, func(x float64) int {
		if x < 0 || x >= float64(bins) {
			return -1
		}
		return int(x)
	})
}

// numbersTo makes integers, most of them from 0 to below n, others below and beyond.
func (s *suite) numbersTo(elem weft.DType, n int, shape ...int) host {
	low, high := limits(elem)
	return filled(elem, 0, shape...).each(func(i int, _ float64) float64 {
		switch i % 13 {
		case 3:
			return low
		case 5:
			return high
		case 7:
			return max(min(float64(n), high), low)
		}
		return min(float64(s.rng.IntN(n)), high)
	})
}

// Integers of all types; those outside of the bins are left out.
func bincountTypes(s *suite) {
	for i, elem := range []weft.DType{weft.I32, weft.U32, weft.I8, weft.U8, weft.I16, weft.U16, weft.I64, weft.U64} {
		if s.has(elem) {
			s.bincount(s.numbersTo(elem, 37, 900+i), 37, nil, dense, dense)
		}
	}
}

// From no elements to many, in any views, by one bin and by more than there are elements; all in one bin, the most that atomic ops wait for each other, and in two.
func bincountShapes(s *suite) {
	for i, c := range []struct {
		shape []int
		bins  int
	}{{[]int{0}, 3}, {[]int{1}, 1}, {[]int{30_011}, 10}, {[]int{40, 33}, 5000}, {[]int{5, 70, 9}, 300}, {[]int{3, 4, 5, 6}, 17}, {[]int{70_001}, 65}, {nil, 4}} {
		if s.full || i < 6 {
			s.bincount(s.numbersTo(weft.I32, c.bins, c.shape...), c.bins, nil, forms[i%len(forms)], forms[(i+1)%len(forms)])
		}
	}
	n := either(s, 20_000, 200_000)
	s.bincount(filled(weft.I32, 5, n), 9, nil, dense, dense)
	s.bincount(filled(weft.U8, 0, n).each(func(i int, _ float64) float64 { return float64(i / 3 % 2) }), 100_000, nil, dense, dense)
	s.bincount(s.numbersTo(weft.I32, 100, 300), 100, nil, dense, dense)
	s.bincount(s.numbersTo(weft.U16, 3000, n), 3000, nil, dense, dense) // many counts, but fewer than elements
	s.op("Bincount")
	many := s.ok(s.ok(weft.FromFloats(s.dev, weft.I32, []float64{2})).Broadcast(70_000))
	s.compare(s.ok(ops.Bincount(many, 4)), []float64{0, 0, 70_000, 0}, nil)
}

// Sums of weights: integers wrap, and floats are summed in F32.
func bincountWeights(s *suite) {
	for i, elem := range []weft.DType{weft.F32, weft.F16, weft.BF16, weft.I32} {
		for j, shape := range [][]int{{9_000}, {30, 41}} {
			if !s.full && j > 0 && i > 0 {
				continue
			}
			x, w := s.numbersTo(weft.I32, 19, shape...), s.random(elem, shape...)
			s.bincount(x, 19, &w, forms[(i+j)%len(forms)], forms[j])
		}
	}
	w := s.small(weft.F32, 5_000)
	s.bincount(filled(weft.I32, 3, 5_000), 4, &w, dense, dense)
	w.x[70] = math.NaN() // which is the sum of its bin
	s.bincount(filled(weft.I32, 0, 5_000).each(func(i int, _ float64) float64 { return float64(i % 3) }), 4, &w, dense, dense)
}

func (s *suite) histogram(x host, lo, hi float64, bins int, weights *host, from, to form) {
	s.Helper()
	s.counted("Histogram", x, bins, weights, from, to, func(out, x *weft.Tensor, options ...ops.CountOption) error {
		return ops.HistogramInto(out, x, lo, hi, bins, options...)
	}, func(x float64) int {
		if !(x >= lo && x <= hi) {
			return -1
		}
		b := min(int((x-lo)/(hi-lo)*float64(bins)), bins-1)
		if b > 0 && x < lo+float64(b)*(hi-lo)/float64(bins) { // which rounding has hidden
			b--
		}
		return b
	})
}

// between makes numbers of which some are outside of a range and none is near an inner edge.
func (s *suite) between(elem weft.DType, lo, hi float64, bins int, shape ...int) host {
	width := (hi - lo) / float64(bins)
	return filled(elem, 0, shape...).each(func(i int, _ float64) float64 {
		switch i % 11 {
		case 1:
			return math.NaN()
		case 4:
			return hi + width
		case 6:
			return lo - width
		}
		b := s.rng.IntN(bins)
		if elem != weft.F32 {
			return lo + (float64(b)+0.5)*width
		}
		return lo + (float64(b)+0.1+0.8*s.rng.Float64())*width
	})
}

// Ranges of all kinds, all types, in any views.
func histogramShapes(s *suite) {
	for i, c := range []struct {
		elem   weft.DType
		shape  []int
		lo, hi float64
		bins   int
	}{
		{weft.F32, []int{20_011}, -3, 4, 100}, {weft.F16, []int{40, 33}, 0, 1, 16}, {weft.BF16, []int{5, 70, 9}, -8, 8, 8},
		{weft.F32, []int{3, 4, 5, 6}, 1e6, 1e6 + 1000, 10}, {weft.F32, []int{0}, 0, 1, 2}, {weft.F32, []int{9_000}, 1e-9, 3e-9, 1000},
		{weft.F32, []int{9_000}, -1e30, 1e30, 3000}, {weft.F32, []int{70_000}, 0, 1, 1},
	} {
		if s.full || i < 6 {
			s.histogram(s.between(c.elem, c.lo, c.hi, c.bins, c.shape...), c.lo, c.hi, c.bins, nil, forms[i%len(forms)], forms[(i+1)%len(forms)])
		}
	}
	x, w := s.between(weft.F32, -1, 1, 20, 3_000), s.random(weft.F32, 3_000)
	s.histogram(x, -1, 1, 20, &w, dense, dense)
}

// A bin has its lower edge and not its upper one, but for the last one. Edges that F32 holds are exact.
func histogramEdges(s *suite) {
	x := host{weft.F32, []int{0}, nil}
	for _, e := range []float64{-4, -3.5, -1, 0, 1.5, 2, 3.5, 4} {
		up, down := float64(math.Nextafter32(float32(e), 9)), float64(math.Nextafter32(float32(e), -9))
		if e == 0 { // denormals may be 0
			up, down = 0x1p-100, -0x1p-100
		}
		x.x = append(x.x, e, up, down)
	}
	x.x = append(x.x, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1))
	x.shape = []int{len(x.x)}
	s.histogram(x, -4, 4, 16, nil, dense, dense)
	s.histogram(x, 0, 4, 1, nil, dense, dense)
	tenths := host{weft.F32, []int{11}, nil} // whose edges round as those of NumPy for F32
	for i := range 11 {
		tenths.x = append(tenths.x, float64(float32(float64(i)/10)))
	}
	s.op("Histogram")
	s.compare(s.ok(ops.Histogram(s.tensor(tenths), 0, 1, 10)), append(slices.Repeat([]float64{1}, 9), 2), nil)
}
