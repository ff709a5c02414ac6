package layout

import (
	"fmt"
	"iter"

	"github.com/weftgpu/weft/fault"
)

// Swizzle permutes the offsets of a shared array, so that elements that are in
// one memory bank move to different ones: bits of the offset are XORed with
// higher bits (with lower ones, if the shift is negative). The zero value
// changes nothing.
//
//	offset bits, shift > 0:  .... YYY .. ZZZ base     ZZZ becomes ZZZ xor YYY
//	shift < 0:               .... ZZZ .. YYY base
//
// YYY and ZZZ are bits wide and |shift| apart; the lower one starts at bit base.
//
// Source: the functor of that name in CuTe (NVIDIA CUTLASS). Offsets and base
// count elements of the layout that is swizzled, not bytes.
type Swizzle struct{ bits, base, shift int }

// NewSwizzle returns the swizzle of bits pairs of bits, shift apart, from bit base on.
//
// Errors: fault.ErrArgument if bits or base is negative or |shift| < bits, so that
// the two groups of bits would overlap; fault.ErrLimit if they do not fit an int.
func NewSwizzle(bits, base, shift int) (Swizzle, error) {
	s := Swizzle{bits, base, shift}
	switch reach := max(shift, -shift); {
	case bits < 0 || base < 0 || reach < bits:
		return Swizzle{}, fault.New(fault.ErrArgument, "swizzle", "%v: the bits must not be negative and the shift at least as far as the bits", s)
	case bits > maxBits || base > maxBits || reach > maxBits || bits+base+reach > maxBits:
		return Swizzle{}, fault.New(fault.ErrLimit, "swizzle", "%v has more than %d bits", s, maxBits)
	}
	return s, nil
}

// At returns the swizzled offset; offsets must not be negative.
//
// Law: At(At(x)) == x; At(x ^ y) == At(x) ^ At(y); At permutes every aligned
// block of Span offsets; and At(x+i) == At(x)+i for i < 1<<base and x a multiple
// of 1<<base, so runs of that length stay together.
func (s Swizzle) At(offset int) int {
	mask := 1<<s.bits - 1
	if s.shift < 0 {
		return offset ^ offset>>s.base&mask<<(s.base-s.shift)
	}
	return offset ^ offset>>(s.base+s.shift)&mask<<s.base
}

// Bits, Base and Shift return the parameters.
func (s Swizzle) Bits() int  { return s.bits }
func (s Swizzle) Base() int  { return s.base }
func (s Swizzle) Shift() int { return s.shift }

// Span returns the number of offsets after which the pattern repeats.
//
// Law: At(x + k*Span()) == At(x) + k*Span().
func (s Swizzle) Span() int {
	if s.bits == 0 {
		return 1
	}
	return 1 << (s.bits + s.base + max(s.shift, -s.shift))
}

// String prints the parameters: "swizzle(3,4,3)".
func (s Swizzle) String() string { return fmt.Sprintf("swizzle(%d,%d,%d)", s.bits, s.base, s.shift) }

// Swizzled is a strided layout whose offsets are swizzled: how a tile is stored in a
// shared array. The zero value is one element at offset 0.
type Swizzled struct {
	swizzle Swizzle
	layout  Layout
}

// NewSwizzled returns the swizzle after the layout.
//
// Law: At(c...) == s.At(l.At(c...)).
//
// Errors: fault.ErrShape if the layout has negative offsets, fault.ErrLimit if
// the swizzled offsets do not fit an int.
func NewSwizzled(s Swizzle, l Layout) (Swizzled, error) {
	lo, hi := l.Bounds()
	if lo < 0 {
		return Swizzled{}, fault.New(fault.ErrShape, "swizzle", "%v reaches offset %d", l, lo)
	}
	if hi >= 1<<maxBits {
		return Swizzled{}, fault.New(fault.ErrLimit, "swizzle", "%v reaches offset %d", l, hi)
	}
	return Swizzled{s, l}, nil
}

// Swizzle returns the permutation of the offsets, Layout what it permutes.
func (s Swizzled) Swizzle() Swizzle { return s.swizzle }
func (s Swizzled) Layout() Layout   { return s.layout }

// At returns the element offset of a coordinate; see [Layout.At].
func (s Swizzled) At(coord ...int) int { return s.swizzle.At(s.layout.At(coord...)) }

// Cosize returns the number of elements that an array needs to hold all offsets.
//
// Law: At(c...) < Cosize() for every coordinate; nothing is added to the extent
// of the layout if that is a multiple of the bits that change.
func (s Swizzled) Cosize() int {
	_, hi := s.layout.Bounds()
	if s.swizzle.bits == 0 {
		return hi + 1
	}
	block := 1 << (s.swizzle.bits + s.swizzle.base + max(-s.swizzle.shift, 0))
	return (hi/block + 1) * block
}

// String prints the swizzle and the layout: "swizzle(3,4,3) of (8,64):(64,1)".
func (s Swizzled) String() string { return s.swizzle.String() + " of " + s.layout.String() }

// Linear returns the same function over GF(2), where it is one: from coordinates
// (inputs DimName(0), DimName(1), ..) to an offset, the one dimension of the
// result, of the least power of two that holds all offsets. Its Inverse tells
// which element is at an offset.
//
// Law: Linear().Eval(c...)[0] == At(c...).
//
// Errors: fault.ErrUnsupported if a size is no power of two, if the layout does
// not start at offset 0, or if adding its strides carries, so that it is no XOR;
// each of these makes the function not linear.
func (s Swizzled) Linear() (Linear, error) {
	n := 1
	for n < s.Cosize() {
		n *= 2
	}
	l := Linear{shape: []int{n}}
	used, ok := 0, s.layout.offset == 0
	for d, size := range s.layout.Shape() {
		if ok = ok && isPow2(size); !ok {
			break
		}
		bases := make([]int, log2(size))
		for bit := range bases {
			b := s.layout.Stride(d) << bit
			ok = ok && used&b == 0
			used |= b
			bases[bit] = s.swizzle.At(b)
		}
		l.names, l.bases = append(l.names, DimName(d)), append(l.bases, bases)
	}
	if !ok {
		return Linear{}, fault.New(fault.ErrUnsupported, "linear", "%v is not linear over bits", s)
	}
	return l, nil
}

// maxSwizzleBits is enough to spread elements over all 32 banks.
const maxSwizzleBits = 5

// swizzles yields every swizzle of an array of 1<<total elements, those of fewer
// bits first, the identity before all.
func swizzles(total int) iter.Seq[Swizzle] {
	return func(yield func(Swizzle) bool) {
		if !yield(Swizzle{}) {
			return
		}
		for bits := 1; bits <= maxSwizzleBits; bits++ {
			for base := range max(total-2*bits+1, 0) {
				for reach := bits; bits+base+reach <= total; reach++ {
					if !yield(Swizzle{bits, base, reach}) || !yield(Swizzle{bits, base, -reach}) {
						return
					}
				}
			}
		}
	}
}
