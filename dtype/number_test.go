package dtype_test

import (
	"math"
	"testing"
	"time"

	"github.com/weftgpu/weft/dtype"
)

type (
	myInt   int32
	myFloat float32
	myBool  bool
)

func TestNumberOf(t *testing.T) {
	whole := func(n uint64) dtype.Number { return dtype.Number{Kind: dtype.IntNumber, Magnitude: n} }
	negative := func(n uint64) dtype.Number {
		return dtype.Number{Kind: dtype.IntNumber, Negative: true, Magnitude: n}
	}
	float := func(x float64) dtype.Number { return dtype.Number{Kind: dtype.FloatNumber, Float: x} }
	truth := func(n uint64) dtype.Number { return dtype.Number{Kind: dtype.BoolNumber, Magnitude: n} }
	for _, c := range []struct {
		x     any
		want  dtype.Number
		float float64
	}{
		{7, whole(7), 7},
		{int8(-128), negative(128), -128},
		{int16(-3), negative(3), -3},
		{int32(math.MinInt32), negative(1 << 31), math.MinInt32},
		{int64(math.MinInt64), negative(1 << 63), math.MinInt64},
		{uint(9), whole(9), 9},
		{uint8(255), whole(255), 255},
		{uint16(65535), whole(65535), 65535},
		{uint32(math.MaxUint32), whole(math.MaxUint32), math.MaxUint32},
		{uint64(math.MaxUint64), whole(math.MaxUint64), 0x1.fffffffffffffp63}, // of an odd mantissa
		{uintptr(5), whole(5), 5},
		{float32(0.1), float(float64(float32(0.1))), float64(float32(0.1))},
		{0.1, float(0.1), 0.1},
		{dtype.ToFloat16(1.5), float(1.5), 1.5},
		{dtype.ToBFloat16(-3), float(-3), -3},
		{true, truth(1), 1},
		{false, truth(0), 0},
		{myInt(-4), negative(4), -4},
		{myFloat(2.5), float(2.5), 2.5},
		{myBool(true), truth(1), 1},
		{2 * time.Nanosecond, whole(2), 2},
		{nil, dtype.Number{}, 0},
		{"7", dtype.Number{}, 0},
		{1i, dtype.Number{}, 0},
		{[]int{1}, dtype.Number{}, 0},
		{new(int), dtype.Number{}, 0},
	} {
		got := dtype.NumberOf(c.x)
		if got != c.want {
			t.Errorf("%T %v: %+v, want %+v", c.x, c.x, got, c.want)
		}
		if f := got.Float64(); f != c.float {
			t.Errorf("%T %v: as a float %v, want %v", c.x, c.x, f, c.float)
		}
		if n := testing.AllocsPerRun(10, func() { dtype.NumberOf(c.x) }); n != 0 {
			t.Errorf("%T: %v allocations", c.x, n)
		}
	}
}
