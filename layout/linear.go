package layout

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/weftgpu/weft/fault"
)

// The inputs of a tile distributed over one workgroup.
const (
	Register = "register" // which of a thread's values
	Thread   = "thread"   // which thread of the workgroup
)

// Input is one input of a Linear. Bases[bit] is what the bit contributes to the
// coordinate: one value for each output dimension.
type Input struct {
	Name  string
	Bases [][]int
}

// Linear maps named hardware inputs to coordinates of a tile whose sizes are
// powers of two. Every input bit owns a basis vector, and bits combine by XOR:
//
//	l(x ^ y) == l(x) ^ l(y), and l(0) is coordinate 0
//
// A Linear is an immutable value; the zero value is the tile of rank 0 without
// inputs. An input that a Linear does not have has 0 bits and so the one value 0.
type Linear struct {
	shape []int
	names []string
	// bases[i][bit] is a coordinate packed as its row-major position: all sizes
	// are powers of two, so packing is concatenation of bits and keeps XOR.
	bases [][]int
}

// maxBits keeps positions in a tile and values of an input within an int.
const maxBits = bits.UintSize - 2

// NewLinear returns the linear layout of a tile with the given inputs. Sizes of
// the inputs follow from their numbers of bases.
//
// Errors: fault.ErrShape for a size that is no power of two, fault.ErrArgument for two inputs of one
// name, fault.ErrShape for a basis of the wrong rank or outside of the tile; fault.ErrLimit if the
// tile or an input has too many values for an int.
func NewLinear(shape []int, ins []Input) (Linear, error) {
	l := Linear{shape: slices.Clone(shape)}
	if err := checkTile("linear", shape); err != nil {
		return Linear{}, err
	}
	for _, in := range ins {
		if in.Name == "" || slices.Contains(l.names, in.Name) {
			return Linear{}, fault.New(fault.ErrArgument, "linear", "input %q is unnamed or given twice", in.Name)
		}
		if len(in.Bases) > maxBits {
			return Linear{}, fault.New(fault.ErrLimit, "linear", "input %q has %d bits, want at most %d", in.Name, len(in.Bases), maxBits)
		}
		packed := make([]int, len(in.Bases))
		for bit, basis := range in.Bases {
			if !l.inside(basis) {
				return Linear{}, fault.New(fault.ErrShape, "linear", "basis %v of bit %d of input %q is outside of the shape %s", basis, bit, in.Name, tuple(shape))
			}
			packed[bit] = l.pack(basis)
		}
		l.names, l.bases = append(l.names, in.Name), append(l.bases, packed)
	}
	return l, nil
}

// checkTile checks that a shape is one of powers of two and of at most 2^maxBits elements.
func checkTile(op string, shape []int) error {
	total := 0
	for d, n := range shape {
		if !isPow2(n) {
			return fault.New(fault.ErrShape, op, "size %d of dimension %d is not a power of two", n, d)
		}
		total += log2(n)
	}
	if total > maxBits {
		return fault.New(fault.ErrLimit, op, "tile %s has 2^%d elements, want at most 2^%d", tuple(shape), total, maxBits)
	}
	return nil
}

func isPow2(n int) bool { return n > 0 && n&(n-1) == 0 }
func log2(n int) int    { return bits.Len(uint(n)) - 1 }

// inside reports whether a coordinate has the tile's rank and is within it.
func (l Linear) inside(coord []int) bool {
	if len(coord) != len(l.shape) {
		return false
	}
	for d, c := range coord {
		if c < 0 || c >= l.shape[d] {
			return false
		}
	}
	return true
}

// pack returns the row-major position of a coordinate, unpack its inverse.
func (l Linear) pack(coord []int) int {
	at := 0
	for d, n := range l.shape {
		at = at<<log2(n) | coord[d]
	}
	return at
}

func (l Linear) unpack(at int) []int {
	coord := make([]int, len(l.shape))
	l.unpackTo(coord, at)
	return coord
}

func (l Linear) unpackTo(coord []int, at int) {
	for d := len(l.shape) - 1; d >= 0; d-- {
		coord[d] = at & (l.shape[d] - 1)
		at >>= log2(l.shape[d])
	}
}

// along is unpack(at)[dim].
func (l Linear) along(at, dim int) int {
	for _, n := range l.shape[dim+1:] {
		at >>= log2(n)
	}
	return at & (l.shape[dim] - 1)
}

// Shape returns a copy of the tile's sizes.
func (l Linear) Shape() []int { return slices.Clone(l.shape) }

// Rank is the number of the tile's dimensions.
func (l Linear) Rank() int { return len(l.shape) }

// Len is the number of the tile's elements.
func (l Linear) Len() int { return 1 << l.outputBits() }

// Inputs returns the names of the inputs, in the order of Eval's arguments.
func (l Linear) Inputs() []string { return slices.Clone(l.names) }

// of returns the packed bases of an input, none if there is no such input.
func (l Linear) of(in string) []int {
	if i := slices.Index(l.names, in); i >= 0 {
		return l.bases[i]
	}
	return nil
}

// Bits returns the number of bits of an input.
func (l Linear) Bits(in string) int { return len(l.of(in)) }

// Size returns the number of values of an input: 1 << Bits.
func (l Linear) Size(in string) int { return 1 << l.Bits(in) }

// Basis returns what a bit of an input contributes to the coordinate.
//
// Law: Basis(in, i) equals Eval with 1 << i for the input and 0 for all others.
func (l Linear) Basis(in string, bit int) []int { return l.unpack(l.of(in)[bit]) }

// BasisAlong is Basis(in, bit)[dim].
func (l Linear) BasisAlong(in string, bit, dim int) int { return l.along(l.of(in)[bit], dim) }

// Eval returns the coordinate of one value for each input, in the order of Inputs. It panics for a value outside
// of its input, or another number of values.
func (l Linear) Eval(values ...int) []int {
	if len(values) != len(l.names) {
		panic(fmt.Sprintf("layout: %d values for inputs %v", len(values), l.names))
	}
	at := 0
	for i, v := range values {
		at ^= combine(l.bases[i], v)
	}
	return l.unpack(at)
}

// At is Apply for the inputs Register and Thread.
func (l Linear) At(register, thread int) []int { return l.unpack(l.Index(register, thread)) }

// AtAlong is At(register, thread)[dim].
func (l Linear) AtAlong(register, thread, dim int) int {
	return l.along(l.Index(register, thread), dim)
}

// Index is the row-major position in the tile of At(register, thread).
func (l Linear) Index(register, thread int) int {
	return combine(l.of(Register), register) ^ combine(l.of(Thread), thread)
}

// combine returns the XOR of the bases of the bits that are set in v.
func combine(bases []int, v int) int {
	if v>>len(bases) != 0 { // also of a negative value
		panic(fmt.Sprintf("layout: value %d of an input of %d bits", v, len(bases)))
	}
	at := 0
	for ; v != 0; v &= v - 1 {
		at ^= bases[bits.TrailingZeros(uint(v))]
	}
	return at
}

// FreeBits returns the mask of the input bits whose basis is zero: the values of
// the tile are replicated over them.
//
// Law: Apply does not change when bits of the mask do.
func (l Linear) FreeBits(in string) int {
	mask := 0
	for bit, b := range l.of(in) {
		if b == 0 {
			mask |= 1 << bit
		}
	}
	return mask
}

// ContiguousRun returns the number of consecutive elements along a dimension that
// the values 0, 1, 2, .. of an input hold, wherever the other bits stand: a power
// of two, at least 1. It bounds the width of a vector access.
//
// Law: with n = ContiguousRun and any values of all inputs where that of in is a
// multiple of n, adding x < n to the input adds x to coordinate dim and leaves
// the other coordinates as they are.
func (l Linear) ContiguousRun(in string, dim int) int {
	bases, low := l.of(in), l.low(dim)
	n := 0
	for n < min(len(bases), log2(l.shape[dim])) && bases[n] == 1<<(low+n) {
		n++
	}
	// XOR is addition only while no other bit touches the low bits of the
	// dimension: one that flips them would make the run go in another order.
	for i, others := range l.bases {
		if l.names[i] == in {
			others = others[n:]
		}
		for _, b := range others {
			if at := bits.TrailingZeros(uint(b >> low)); at < n {
				n = at
			}
		}
	}
	return 1 << n
}

// low returns the position of the lowest bit of a dimension in a packed coordinate.
func (l Linear) low(dim int) int {
	sum := 0
	for _, n := range l.shape[dim+1:] {
		sum += log2(n)
	}
	return sum
}

// Equal reports whether both layouts have the same shape and the same inputs, in
// the same order, with the same bases.
func (l Linear) Equal(m Linear) bool {
	return slices.Equal(l.shape, m.shape) && slices.Equal(l.names, m.names) &&
		slices.EqualFunc(l.bases, m.bases, slices.Equal[[]int])
}

// String prints the shape and the bases of each input, lowest bit first:
// "(4,4) register:(0,1)(0,2) thread:(1,0)(2,0)".
func (l Linear) String() string {
	var s strings.Builder
	s.WriteString(tuple(l.shape))
	for i, name := range l.names {
		s.WriteString(" " + name + ":")
		for _, b := range l.bases[i] {
			s.WriteString(tuple(l.unpack(b)))
		}
		if len(l.bases[i]) == 0 {
			s.WriteString("-")
		}
	}
	return s.String()
}
