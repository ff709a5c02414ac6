package kernels

import (
	"math"
	"math/bits"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// ResizeMode says how elements of a resized dimension follow from those that there are.
type ResizeMode uint8

// The modes of Resize.
const (
	ResizeNearest ResizeMode = iota
	ResizeNearestExact
	ResizeLinear
	ResizeCubic
	numResizeModes
)

// Valid reports whether there is such a mode.
func (m ResizeMode) Valid() bool { return m < numResizeModes }

// Taps is how many elements are weighted along a dimension.
func (m ResizeMode) Taps() int {
	if !m.Valid() {
		return 0
	}
	return [numResizeModes]int{1, 1, 2, 4}[m]
}

// String is the mode's name.
func (m ResizeMode) String() string {
	if !m.Valid() {
		return "invalid"
	}
	return [numResizeModes]string{"nearest", "nearest-exact", "linear", "cubic"}[m]
}

// ResizeLine says where elements of a result are along a dimension of a tensor: element o at (o·Mul + Add) / Div, counted from its first element. Integers
// say it without rounding, whatever the sizes. Mul and Div are 1 to MaxResizeTerm, the magnitude of Add is at most that.
type ResizeLine struct{ Mul, Add, Div int }

// MaxResizeTerm keeps distances of a few elements, in units of 1/Div, within 31 bits.
const MaxResizeTerm = 1 << 28

// alone is the line of a dimension with one element, where all results are.
var alone = ResizeLine{1, 0, math.MaxInt32}

// ResizeLineOf is the line of a dimension of n elements, of which results are step = num/den elements apart. With corners it is given by the sizes, and
// the first and the last of m results are the first and the last element. It reports whether the terms of the line are small enough.
func ResizeLineOf(mode ResizeMode, corners bool, n, m, num, den int) (ResizeLine, bool) {
	l := ResizeLine{2 * num, num - den, 2 * den}
	switch {
	case n == 1:
		return alone, true
	case corners && m == 1:
		l = ResizeLine{1, 0, 1}
	case corners:
		l = ResizeLine{n - 1, 0, m - 1}
	case mode == ResizeNearest:
		l = ResizeLine{num, 0, den}
	case mode == ResizeNearestExact:
		l = ResizeLine{2 * num, num, 2 * den} // half an element is added, so that the element before is the nearest
	}
	g := gcd(gcd(l.Mul, l.Div), max(l.Add, -l.Add))
	l = ResizeLine{l.Mul / g, l.Add / g, l.Div / g}
	return l, max(l.Mul, l.Div, l.Add, -l.Add) <= MaxResizeTerm
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// forward is what the kernel of the result computes of an index: the element that is not after its place and how far it is from there, in units of 1/Div. Of
// four taps the element before counts.
func (l ResizeLine) forward(taps int) ResizeLine {
	if taps == 4 {
		l.Add += l.Div // from half an element before the first
	}
	return l
}

// backward is what the kernel of the gradient computes of an index: the first result that has a part of the element.
func (l ResizeLine) backward(taps int) ResizeLine {
	switch taps {
	case 1:
		return ResizeLine{l.Div, l.Mul - 1 - l.Add, l.Mul}
	case 2:
		return ResizeLine{l.Div, l.Mul - l.Div - l.Add, l.Mul}
	}
	return ResizeLine{l.Div, l.Mul - 2*l.Div - l.Add, l.Mul}
}

// of is ⌊max(i·Mul + Add, 0) / Div⌋ and the remainder.
func (l ResizeLine) of(i int) (quotient, remainder int) {
	x := max(i*l.Mul+l.Add, 0)
	return x / l.Div, x % l.Div
}

// wide reports whether numbers of more than 31 bits are divided for indices below n.
func (l ResizeLine) wide(n int) bool { return (n-1)*l.Mul+max(l.Add, 0) > math.MaxInt32 }

// reach is how many results, of m, one after the other, have all that have a part of any one of n elements: the gradient adds up so many.
func (l ResizeLine) reach(taps, n, m int) int {
	if n == 1 {
		return m
	}
	// Results are Mul apart. Those of an element are where an interval is that begins at a multiple of what divides Mul and Div, less Add.
	common := gcd(l.Mul, l.Div)
	first := (l.Add%common + common) % common // from the beginning of the interval to a result, at least
	length, side := l.Div, 1
	if taps > 1 {
		side = taps / 2
		length = 2 * side * l.Div
		if first == 0 { // results at the ends have no part
			first = common
		}
	}
	most := max(CeilDiv(length-first, l.Mul), 0)
	most = max(most, CeilDiv(max(side*l.Div-l.Add, 0), l.Mul)) // of the first element, which has all before it
	from, _ := l.backward(taps).of(n - 1)
	return min(max(most, m-from, 1), m)
}

// scalars are those of a quotient.
func (l ResizeLine) scalars(wide bool) weft.Scalars {
	if !wide {
		return append(weft.Scalars{l.Mul, l.Add}, Divisor(l.Div)...)
	}
	// For a quotient below 2^31 and a divisor up to 2^L the factor is 2^(64 + shift) / divisor rounded up, where 64 + shift is 31 + 2·L at least.
	shift := max(2*bits.Len(uint(l.Div-1))-33, 0)
	factor, rest := bits.Div64(1<<shift, 0, uint64(l.Div))
	if rest > 0 {
		factor++
	}
	return weft.Scalars{l.Mul, l.Add, l.Div, uint32(factor), uint32(factor >> 32), uint32(shift)}
}

// divisible is a line whose divisor is not 1, which the factor of a wide quotient would be too large for.
func (l ResizeLine) divisible() ResizeLine {
	if l.Div == 1 {
		return ResizeLine{2 * l.Mul, 2 * l.Add, 2}
	}
	return l
}

// lineQuotient is a line in a kernel.
type lineQuotient struct {
	mul, add *tile.Value
	by       divisor
	factor   wide64 // of numbers of more than 31 bits
	wide     bool
}

func newQuotient(k *tile.Builder, name string, wide bool) lineQuotient {
	q := lineQuotient{mul: k.Scalar(name+"_mul", dtype.I32), add: k.Scalar(name+"_add", dtype.I32), wide: wide}
	if !wide {
		q.by = newDivisor(k, name)
		return q
	}
	q.by.n = k.Scalar(name, dtype.I32)
	low, high := k.Scalar(name+"_factor", dtype.U32), k.Scalar(name+"_high", dtype.U32)
	q.factor, q.by.shift = wide64{high, low}, k.Scalar(name+"_shift", dtype.U32)
	return q
}

// of is what a line gives for indices that are not negative.
func (q lineQuotient) of(i *tile.Value) (quotient, remainder *tile.Value) {
	if !q.wide {
		return q.by.divide(i.Mul(q.mul).Add(q.add).Maximum(0))
	}
	k := i.Builder()
	x := product64(i.Bitcast(dtype.U32), q.mul.Bitcast(dtype.U32)).add(wide64{q.add.Shr(31).Bitcast(dtype.U32), q.add.Bitcast(dtype.U32)})
	below := x.hi.Ge(1 << 31)
	x = wide64{k.Where(below, 0, x.hi), k.Where(below, 0, x.lo)}
	product, shift := x.mulHi(q.factor), q.by.shift
	quotient = product.lo.Shr(shift).Or(product.hi.Shl(1).Shl(k.Const(dtype.U32, 31).Sub(shift))).Bitcast(dtype.I32)
	return quotient, x.lo.Bitcast(dtype.I32).Sub(quotient.Mul(q.by.n))
}
