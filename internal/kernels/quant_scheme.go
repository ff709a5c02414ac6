package kernels

import (
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
)

// QuantScheme says how a matrix x is held in few bits: as integers q with x ≈ (q - zero) · scale, the
// affine quantisation of Jacob et al., "Quantization and Training of Neural Networks for Efficient
// Integer-Arithmetic-Only Inference", 2018.
//
// Codes may stand for the numbers of a CodeBook instead of integers; then x ≈ book[q] · scale.
//
// Block is the shape of the blocks of elements that share a scale, 0 standing for all of a dimension:
//
//	QuantScheme{Bits: 8}                             one scale per tensor
//	QuantScheme{Bits: 8, Block: [2]int{1, 0}}        per channel: each row has one
//	QuantScheme{Bits: 8, Block: [2]int{0, 1}}        per channel: each column
//	QuantScheme{Bits: 4, Block: [2]int{1, 128}}      per group of 128 elements of a row
//	QuantScheme{Bits: 8, Block: [2]int{128, 128}}    per square
//
// QLoRA's NF4 is QuantScheme{Bits: 4, Codes: NF4, Block: [2]int{1, 64}}.
type QuantScheme struct {
	Bits int // 8 or 4
	// Asymmetric says that integers are unsigned and have zero points, which suits blocks whose
	// elements are not centred at 0; without it they are signed and the zero points are 0.
	Asymmetric bool
	Block      [2]int // divides the matrix

	Codes       CodeBook `json:",omitzero"`  // what codes of a symmetric scheme stand for, of 4 bits or, for FP8, of 8
	PowersOfTwo bool     `json:",omitempty"` // scales of a symmetric scheme are bytes s that stand for 2^(s-127), E8M0; 255 is NaN
}

// MXFP4 is the format of OCP, "Microscaling Formats (MX) Specification", version 1.0: FP4 in groups of 32 elements of a row.
var MXFP4 = QuantScheme{Bits: 4, Codes: FP4, PowersOfTwo: true, Block: [2]int{1, 32}}

// MXFP8 is the format of OCP, "Microscaling Formats (MX) Specification", version 1.0, with elements E4M3: FP8 in groups of 32 elements of a row.
var MXFP8 = QuantScheme{Bits: 8, Codes: FP8, PowersOfTwo: true, Block: [2]int{1, 32}}

// Range is the least and the largest integer that Quantize uses: 0 to 255 or 15, or, symmetric
// around 0, -127 to 127 or -7 to 7; all codes if there is a code book.
func (s QuantScheme) Range() (least, most int) {
	if s.Asymmetric || s.Codes != (CodeBook{}) {
		return 0, 1<<max(s.Bits, 0) - 1
	}
	most = 1<<max(s.Bits-1, 0) - 1
	return -most, most
}

// Largest is the largest magnitude of what the scales multiply: of the code book or of the integers that Quantize uses.
func (s QuantScheme) Largest() float64 {
	if s.Codes != (CodeBook{}) {
		return s.Codes.Largest()
	}
	_, most := s.Range()
	return float64(most)
}

// Reach is how far a finite number divided by the scale that Quantize computes for it is at most from what it becomes: half the
// distance of two neighbours, or that of the numbers beyond the last one.
func (s QuantScheme) Reach() float64 {
	top := s.Largest()
	bottom, end := -top, top // of the quotients
	if s.PowersOfTwo && top > 0 {
		end = math.Ldexp(1, math.Ilogb(top)+1)
		bottom = -end
	}
	if s.Codes == (CodeBook{}) {
		return max(0.5, end-top)
	}
	values := slices.DeleteFunc(s.Codes.Values(), func(v float32) bool { return math.Abs(float64(v)) > top })
	slices.Sort(values)
	reach := max(float64(values[0])-bottom, end-float64(values[len(values)-1]))
	for i, v := range values[1:] {
		reach = max(reach, (float64(v)-float64(values[i]))/2)
	}
	return reach
}

// T is the scheme of the transposed matrix.
func (s QuantScheme) T() QuantScheme {
	s.Block = [2]int{s.Block[1], s.Block[0]}
	return s
}

// String prints "4 bits, 1 × 128, asymmetric".
func (s QuantScheme) String() string {
	text := fmt.Sprintf("%d bits", s.Bits)
	if s.Codes != (CodeBook{}) {
		text += fmt.Sprintf(", %v", s.Codes)
	}
	if s.Block != [2]int{} {
		text += fmt.Sprintf(", %s × %s", sizeOrAll(s.Block[0]), sizeOrAll(s.Block[1]))
	}
	if s.Asymmetric {
		text += ", asymmetric"
	}
	if s.PowersOfTwo {
		text += ", powers of two"
	}
	return text
}

func sizeOrAll(n int) string {
	if n == 0 {
		return "all"
	}
	return fmt.Sprint(n)
}

// element is the type of the integers: bytes of 8 bits, or what those of 4 bits become.
func (s QuantScheme) element() weft.DType {
	if s.Asymmetric || s.Codes != (CodeBook{}) {
		return weft.U8
	}
	return weft.I8
}

// Stored is the element type of the tensor that holds the integers.
func (s QuantScheme) Stored() weft.DType {
	if s.Bits == 4 {
		return weft.U8
	}
	return s.element()
}

// ComputedScales is the element type of the scales that Quantize computes.
func (s QuantScheme) ComputedScales() weft.DType {
	if s.PowersOfTwo {
		return weft.U8
	}
	return weft.F32
}

// Check refuses what is no scheme, or none for a shape.
func (s QuantScheme) Check(op string, shape [2]int) error {
	switch book := s.Codes != (CodeBook{}); {
	case s.Bits != 4 && s.Bits != 8:
		return fault.New(weft.ErrArgument, op, "%d bits, want 4 or 8", s.Bits).For("scheme")
	case book && s.Bits != s.Codes.Bits():
		return fault.New(weft.ErrArgument, op, "%d bits, want the %d of codes of %v", s.Bits, s.Codes.Bits(), s.Codes).For("scheme")
	case book && s.Asymmetric:
		return fault.New(weft.ErrArgument, op, "a code book has no zero points, want a symmetric scheme").For("scheme")
	case s.PowersOfTwo && s.Asymmetric:
		return fault.New(weft.ErrArgument, op, "scales that are powers of two have no zero points, want a symmetric scheme").For("scheme")
	}
	for d, b := range s.Block {
		if b < 0 || b > 0 && shape[d]%b != 0 {
			return fault.New(weft.ErrShape, op, "blocks %v of shape %v: %d does not divide %d", s.Block, shape, b, shape[d]).For("scheme")
		}
	}
	return nil
}

// ScalesShape is the shape of the scales.
func (s QuantScheme) ScalesShape(shape [2]int) [2]int {
	for d, b := range s.Block {
		if b == 0 {
			shape[d] = 1
		} else {
			shape[d] /= b
		}
	}
	return shape
}

// Blocks is a matrix's layout as [blocks down, blocks across, rows and columns of a block].
func (s QuantScheme) Blocks(l layout.Layout) (layout.Layout, error) {
	if l.Rank() != 2 {
		return layout.Layout{}, fault.New(weft.ErrShape, "blocks", "rank %d, want a matrix", l.Rank()).For("layout")
	}
	shape, strides := make([]int, 4), make([]int, 4)
	for d, count := range s.ScalesShape([2]int(l.Shape())) {
		size := l.Size(d)
		if s.Block[d] != 0 {
			size = s.Block[d]
		}
		shape[d], strides[d] = count, size*l.Stride(d)
		shape[2+d], strides[2+d] = size, l.Stride(d)
	}
	return layout.Strided(shape, strides, l.Offset())
}
