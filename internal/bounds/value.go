package bounds

import (
	"fmt"
	"math"

	"github.com/weftgpu/weft/dtype"
)

// Value is what an element may hold. Of a float, any number from Lo to Hi, and a NaN if NaN
// is set; Lo > Hi stands for no number. Of an integer or a truth, N or M, or
// any number of the type if Any is set.
type Value struct {
	Lo, Hi float64
	NaN    bool
	N, M   int64
	Any    bool
}

// Kinds of comparison, by how much a value leaves open.
const (
	Exact   = iota // one result is allowed
	Bounded        // several are
	Open           // any is
	NumKinds
)

// Kind says how much a value of a type leaves open.
func (v Value) Kind(e dtype.Type) int {
	switch {
	case e.IsFloat() && (v.Lo == v.Hi && !v.NaN || v.Lo > v.Hi):
		return Exact
	case e.IsFloat() && math.IsInf(v.Lo, -1) && math.IsInf(v.Hi, 1):
		return Open
	case e.IsFloat():
		return Bounded
	case v.Any:
		return Open
	case v.N != v.M:
		return Bounded
	}
	return Exact
}

// String prints the allowed results.
func (v Value) String() string {
	switch {
	case v.Any:
		return "anything"
	case v.NaN && v.Lo > v.Hi:
		return "NaN"
	case v.NaN:
		return fmt.Sprintf("NaN or %v to %v", v.Lo, v.Hi)
	case v.Lo != v.Hi:
		return fmt.Sprintf("%v to %v", v.Lo, v.Hi)
	case v.N != v.M:
		return fmt.Sprintf("%d or %d", v.N, v.M)
	case v.N != 0:
		return fmt.Sprint(v.N)
	}
	return fmt.Sprint(v.Lo)
}

func whole(n int64) Value { return Value{N: n, M: n} }

func truth(b bool) Value {
	if b {
		return whole(1)
	}
	return whole(0)
}

var (
	either  = Value{N: 0, M: 1} // a truth that is not known
	anyInt  = Value{Any: true}
	anyReal = Value{Lo: math.Inf(-1), Hi: math.Inf(1), NaN: true}
	onlyNaN = Value{Lo: math.Inf(1), Hi: math.Inf(-1), NaN: true}
)

// unknown is any value of a type.
func unknown(e dtype.Type) Value {
	switch {
	case e.IsFloat():
		return anyReal
	case e == dtype.Bool:
		return either
	}
	return anyInt
}

// isNumber reports whether a float is one number.
func (v Value) isNumber() bool { return v.Lo == v.Hi && !v.NaN }

// isKnown reports whether an integer or a truth is one number.
func (v Value) isKnown() bool { return !v.Any && v.N == v.M }

// hull is a value that allows what v or w does.
func hull(e dtype.Type, v, w Value) Value {
	if e.IsFloat() {
		return Value{Lo: min(v.Lo, w.Lo), Hi: max(v.Hi, w.Hi), NaN: v.NaN || w.NaN}
	}
	if v.Any || w.Any {
		return anyInt
	}
	return oneOf(v.N, v.M, w.N, w.M)
}

// oneOf is one of some integers.
func oneOf(list ...int64) Value {
	v := whole(list[0])
	for _, n := range list[1:] {
		switch {
		case n == v.N || n == v.M:
		case v.N == v.M:
			v.M = n
		default:
			return anyInt
		}
	}
	return v
}

// limits are the least normal and the largest finite number of a float type.
func limits(e dtype.Type) (normal, largest float64) {
	switch e {
	case dtype.F16:
		return 0x1p-14, 65504
	case dtype.BF16:
		return 0x1p-126, 0x1.fep127
	}
	if e == dtype.F64 {
		return 0x1p-1022, math.MaxFloat64
	}
	return 0x1p-126, math.MaxFloat32
}

// representable reports whether a float type holds a number, and not as a subnormal one.
func representable(e dtype.Type, x float64) bool {
	normal, _ := limits(e)
	return dtype.Nearest(e, x) == x && (x == 0 || math.Abs(x) >= normal)
}

// number is the float x, which is exact. Subnormal numbers may be flushed.
func number(e dtype.Type, x float64) Value {
	if x != x {
		return onlyNaN
	}
	return flushed(e, Value{Lo: x, Hi: x})
}

// flushed allows zero in place of subnormal numbers.
func flushed(e dtype.Type, v Value) Value {
	normal, _ := limits(e)
	if v.Lo > 0 && v.Lo < normal {
		v.Lo = 0
	}
	if v.Hi < 0 && v.Hi > -normal {
		v.Hi = 0
	}
	return v
}

// rounded is a result of type e that is known, before rounding, to be from lo to hi.
// Rounding may go either way, and in F32 for the narrower types. ulps and abs are
// errors beyond it, in units in the last place of F32, or for F64 of that, and absolute.
func rounded(e dtype.Type, lo, hi, ulps, abs float64) Value {
	if lo != lo || hi != hi {
		return anyReal
	}
	if lo == hi && ulps == 0 && abs == 0 && (representable(e, lo) || math.IsInf(lo, 0)) {
		return Value{Lo: lo, Hi: hi}
	}
	normal, largest := limits(e)
	// 2^-50 for the rounding of lo and hi themselves; a subnormal's spacing is 2ε·normal
	relative := 2*e.Epsilon() + ulps*2*e.Accumulator().Epsilon() + 0x1p-50
	abs += 2 * e.Epsilon() * normal
	v := Value{Lo: lo - math.Abs(lo)*relative - abs, Hi: hi + math.Abs(hi)*relative + abs}
	if math.IsInf(lo, 0) {
		v.Lo = lo
	}
	if math.IsInf(hi, 0) {
		v.Hi = hi
	}
	if v.Hi > largest {
		v.Lo, v.Hi = min(v.Lo, largest), math.Inf(1)
	}
	if v.Lo < -largest {
		v.Lo, v.Hi = math.Inf(-1), max(v.Hi, -largest)
	}
	return flushed(e, v)
}
