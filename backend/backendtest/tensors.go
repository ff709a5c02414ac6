package backendtest

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/ops"
)

var tensorCases = []testCase{
	{"RoundTrips", testRoundTrips},
	{"Views", testViews},
	{"Copies", testCopies},
	{"ZeroSizes", testZeroSizes},
	{"Zeros", testZeros},
	{"At", testAt},
}

func testRoundTrips(s *suite) {
	roundTrip(s, func(u uint32) bool { return u&1 == 1 })
	roundTrip(s, func(u uint32) int8 { return int8(u) })
	roundTrip(s, func(u uint32) uint8 { return uint8(u) })
	roundTrip(s, func(u uint32) int32 { return int32(u) })
	roundTrip(s, func(u uint32) uint32 { return u })
	roundTrip(s, func(u uint32) int64 { return int64(u) * 0x1234567_89abcdf })
	roundTrip(s, func(u uint32) uint64 { return uint64(u)<<32 | uint64(^u) })
	roundTrip(s, func(u uint32) weft.Float16 { return weft.Float16(u) })
	roundTrip(s, func(u uint32) weft.BFloat16 { return weft.BFloat16(u) })
	roundTrip(s, func(u uint32) float32 {
		if u&0x7f800000 == 0x7f800000 { // a NaN is not equal to itself; NaNs have a test of their own
			u &^= 0x00800000
		}
		return math.Float32frombits(u)
	})
	// The bits of NaNs survive the way to the device and back.
	nan := math.Float32frombits(0x7fc12345)
	back := must[[]float32](s)(weft.ToSlice[float32](s.ok(weft.FromSlice(s.dev, []float32{nan}))))
	if math.Float32bits(back[0]) != 0x7fc12345 {
		s.Errorf("NaN 0x7fc12345 came back as %#x", math.Float32bits(back[0]))
	}
}

// roundTrip sends random bits of one type there and back, in odd lengths.
func roundTrip[T weft.Element](s *suite, random func(uint32) T) {
	lengths := more(s, []int{0, 1, 2, 3, 4, 5, 7, 63, 1001, 65_537}, 5_000_003)
	for _, n := range lengths {
		x := make([]T, n)
		for i := range x {
			x[i] = random(s.rng.Uint32())
		}
		t := s.ok(weft.FromSlice(s.dev, x))
		if got := must[[]T](s)(weft.ToSlice[T](t)); !slices.Equal(got, x) {
			s.Errorf("%d elements of %v come back changed", n, dtype.Of[T]())
		}
		if n >= 5 { // from an odd element on, which need not be aligned
			part := s.ok(t.Slice(0, 1, n-2))
			if got := must[[]T](s)(weft.ToSlice[T](part)); !slices.Equal(got, x[1:n-2]) {
				s.Errorf("elements 1 to %d of %v come back changed", n-2, dtype.Of[T]())
			}
		}
		s.try(t.Close())
	}
}

func testViews(s *suite) {
	for _, elem := range dtype.All() {
		for _, f := range forms {
			h := s.random(elem, 5, 3, 7)
			s.compare(s.input(f, h), h.x, nil)
		}
	}
}

// testCopies copies on the device, between views and between element types.
func testCopies(s *suite) {
	for _, elem := range s.types() {
		for _, f := range forms {
			h := s.random(elem, 9, 34)
			o := s.output(f, elem, 9, 34)
			s.try(o.CopyFrom(s.input(forms[s.rng.IntN(len(forms))], h)))
			o.check(h.x, nil)
		}
		row := s.random(elem, 1, 34)
		o := s.output(sliced, elem, 9, 34)
		s.try(o.CopyFrom(s.tensor(row)))
		o.check(broadcastTo(s, row, []int{9, 34}), nil)
	}
	x := s.random(weft.F32, 1000)
	for _, elem := range []weft.DType{weft.F16, weft.BF16} {
		t := s.ok(s.tensor(x).Cast(elem))
		s.compare(t, rounded(elem, slices.Clone(x.x)), nil)
	}
	turned := s.ok(s.input(transposed, s.random(weft.F32, 3, 4)).Contiguous())
	if !turned.Layout().IsContiguous() {
		s.Errorf("Contiguous gives the layout %v", turned.Layout())
	}
}

// testZeroSizes: nothing in, nothing out, no error.
func testZeroSizes(s *suite) {
	for _, elem := range floatTypes {
		for _, shape := range [][]int{{0}, {0, 5}, {5, 0}, {2, 0, 3}, {0, 0}} {
			a, b := s.tensor(s.random(elem, shape...)), s.tensor(s.random(elem, shape...))
			sum := s.ok(ops.Add(a, b))
			soft := s.ok(ops.Softmax(a))
			for _, t := range []*weft.Tensor{a, sum, soft} {
				if !slices.Equal(t.Shape(), shape) {
					s.Errorf("%v, want shape %v", t, shape)
				}
				if x := s.floats(t); len(x) != 0 {
					s.Errorf("%v has %d elements", t, len(x))
				}
				s.try(t.CopyFrom(b))
			}
		}
	}
}

func testZeros(s *suite) {
	for _, elem := range dtype.All() {
		for _, n := range []int{0, 1, 3, 1001} {
			t := s.ok(weft.Zeros(s.dev, elem, n))
			s.compare(t, make([]float64, n), nil)
			s.try(t.Close())
		}
	}
	n := 3<<20 + 1 // more than one upload
	t := s.ok(weft.Zeros(s.dev, weft.F32, n))
	s.compare(t, make([]float64, n), nil)
	s.try(t.Close())
}
