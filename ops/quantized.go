package ops

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
)

// QuantScheme says how a matrix x is held in few bits: as integers q with x ≈ (q - zero) · scale, the
// affine quantisation of Jacob et al., "Quantization and Training of Neural Networks for Efficient
// Integer-Arithmetic-Only Inference", 2018.
//
// Block is the shape of the blocks of elements that share a scale, 0 standing for all of a dimension:
//
//	QuantScheme{Bits: 8}                             one scale per tensor
//	QuantScheme{Bits: 8, Block: [2]int{1, 0}}        per channel: each row has one
//	QuantScheme{Bits: 8, Block: [2]int{0, 1}}        per channel: each column
//	QuantScheme{Bits: 4, Block: [2]int{1, 128}}      per group of 128 elements of a row
//	QuantScheme{Bits: 8, Block: [2]int{128, 128}}    per square
type QuantScheme struct {
	Bits int // 8 or 4
	// Asymmetric says that integers are unsigned and have zero points, which suits blocks whose
	// elements do not lie around 0; without it they are signed and the zero points are 0.
	Asymmetric bool
	Block      [2]int // divides the matrix
}

// Range is the least and the largest integer that Quantize uses: 0 to 255 or 15, or, symmetric
// around 0, -127 to 127 or -7 to 7.
func (s QuantScheme) Range() (least, most int) {
	if s.Asymmetric {
		return 0, 1<<s.Bits - 1
	}
	return 1 - 1<<(s.Bits-1), 1<<(s.Bits-1) - 1
}

// T is the scheme of the transposed matrix.
func (s QuantScheme) T() QuantScheme {
	s.Block = [2]int{s.Block[1], s.Block[0]}
	return s
}

// String prints "4 bits, 1 × 128, asymmetric".
func (s QuantScheme) String() string {
	text := fmt.Sprintf("%d bits", s.Bits)
	if s.Block != [2]int{} {
		text += fmt.Sprintf(", %s × %s", sizeOrAll(s.Block[0]), sizeOrAll(s.Block[1]))
	}
	if s.Asymmetric {
		text += ", asymmetric"
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
	if s.Asymmetric {
		return weft.U8
	}
	return weft.I8
}

// stored is the element type of the tensor that holds the integers.
func (s QuantScheme) stored() weft.DType {
	if s.Bits == 4 {
		return weft.U8
	}
	return s.element()
}

// check refuses what is no scheme, or none for a shape.
func (s QuantScheme) check(op string, shape [2]int) error {
	if s.Bits != 4 && s.Bits != 8 {
		return fault.New(weft.ErrArgument, op, "%d bits, want 4 or 8", s.Bits).For("scheme")
	}
	for d, b := range s.Block {
		if b < 0 || b > 0 && shape[d]%b != 0 {
			return fault.New(weft.ErrShape, op, "blocks %v of shape %v: %d does not divide %d", s.Block, shape, b, shape[d]).For("scheme")
		}
	}
	return nil
}

// scales is the shape of the scales.
func (s QuantScheme) scales(shape [2]int) [2]int {
	for d, b := range s.Block {
		if b == 0 {
			shape[d] = 1
		} else {
			shape[d] /= b
		}
	}
	return shape
}

// Quantized is a matrix of integers of 8 or 4 bits with the scales and zero points that make it a matrix of
// real numbers. It is plain data: NewQuantized checks it, and so does every op that gets it.
//
// Integers of 4 bits lie two to a byte along the dimension Packed, the first in the low half, as dtype.PackI4
// and PackU4 lay them out for each row (column); the last high half of an odd number counts for nothing.
type Quantized struct {
	QuantScheme
	Shape  [2]int
	Data   *weft.Tensor // [R,C] of I8, or U8 if asymmetric; of 4 bits U8, with half as many along Packed, rounded up
	Scales *weft.Tensor // F32, F16 or BF16; one for each block: [R/Block[0],C/Block[1]], 1 where Block is 0
	Zeros  *weft.Tensor // U8, as many; nil if symmetric
	Packed int          // 0 or 1
}

// NewQuantized makes a matrix [rows,cols] of what another program quantised: integers, packed
// along rows if they are of 4 bits (a transposed matrix is the T of one), scales, and zero
// points, which are nil for a symmetric scheme. Any views will do, and nothing is copied.
//
// Errors: ErrShape, ErrArgument for a wrong number of bits, other element types or a missing tensor, ErrDevice, ErrClosed.
func NewQuantized(scheme QuantScheme, rows, cols int, data, scales, zeros *weft.Tensor) (*Quantized, error) {
	q := &Quantized{QuantScheme: scheme, Shape: [2]int{rows, cols}, Data: data, Scales: scales, Zeros: zeros, Packed: 1}
	if err := q.check("quantized"); err != nil {
		return nil, err
	}
	return q, nil
}

// emptyQuantized allocates what a scheme needs for a shape.
func emptyQuantized(dev *weft.Device, scheme QuantScheme, shape [2]int) (q *Quantized, err error) {
	q = &Quantized{QuantScheme: scheme, Shape: shape, Packed: 1}
	defer func() {
		if err != nil {
			q.Close()
		}
	}()
	data, scales := q.data(), scheme.scales(shape)
	if q.Data, err = weft.Empty(dev, scheme.stored(), data[:]...); err != nil {
		return nil, err
	}
	if q.Scales, err = weft.Empty(dev, weft.F32, scales[:]...); err != nil {
		return nil, err
	}
	if scheme.Asymmetric {
		q.Zeros, err = weft.Empty(dev, weft.U8, scales[:]...)
	}
	return q, err
}

// T is the transposed matrix, a view of the same memory.
func (q *Quantized) T() *Quantized {
	if q == nil {
		return nil
	}
	return &Quantized{q.QuantScheme.T(), [2]int{q.Shape[1], q.Shape[0]}, q.Data.T(), q.Scales.T(), q.Zeros.T(), 1 - q.Packed}
}

// Close gives up the tensors, those that NewQuantized or QuantizeWith were given, too; see Tensor.Close.
func (q *Quantized) Close() error {
	if q == nil {
		return nil
	}
	var first error
	for _, t := range []*weft.Tensor{q.Data, q.Scales, q.Zeros} {
		if err := t.Close(); first == nil {
			first = err
		}
	}
	return first
}

// String prints "quantized[4096,4096] of 4 bits, 1 × 128 on cuda:0".
func (q *Quantized) String() string {
	if q == nil || q.Data == nil {
		return "quantized <nil>"
	}
	return fmt.Sprintf("quantized[%d,%d] of %v on %v", q.Shape[0], q.Shape[1], q.QuantScheme, q.Data.Device())
}

// data is the shape of the tensor that holds the integers.
func (q *Quantized) data() [2]int {
	shape := q.Shape
	if q.Bits == 4 {
		shape[q.Packed] = ceilDiv(shape[q.Packed], 2)
	}
	return shape
}

// operands are the tensors as errors call them.
func (q *Quantized) operands() []operand {
	list := []operand{{"data", q.Data}, {"scales", q.Scales}}
	if q.Asymmetric {
		list = append(list, operand{"zeros", q.Zeros})
	}
	return list
}

// check refuses a matrix whose parts do not fit together.
func (q *Quantized) check(op string) error {
	switch {
	case q == nil:
		return fault.New(weft.ErrArgument, op, "the matrix is nil").For("quantized")
	case q.Shape[0] < 0 || q.Shape[1] < 0 || q.Packed != 0 && q.Packed != 1:
		return fault.New(weft.ErrShape, op, "shape %v, packed along dimension %d", q.Shape, q.Packed).For("quantized")
	case !q.Asymmetric && q.Zeros != nil:
		return fault.New(weft.ErrArgument, op, "zero points of a symmetric scheme").For("zeros")
	}
	if err := q.QuantScheme.check(op, q.Shape); err != nil {
		return err
	}
	data, scales := q.data(), q.scales(q.Shape)
	for i, o := range q.operands() {
		want := scales
		allowed := weft.DType.IsFloat
		switch i {
		case 0:
			want, allowed = data, func(t weft.DType) bool { return t == q.stored() }
		case 2:
			allowed = func(t weft.DType) bool { return t == weft.U8 }
		}
		if err := checkOperands(op, allowed, o); err != nil {
			return err
		}
		if err := q.checkDevice(op, o); err != nil {
			return err
		}
		if o.tensor.Rank() != 2 || [2]int(o.tensor.Shape()) != want {
			return fault.New(weft.ErrShape, op, "shape %v, want %v for %v of %v", o.tensor.Shape(), want, q.QuantScheme, q.Shape).For(o.name)
		}
	}
	return nil
}

// checkDevice refuses a tensor on another device.
func (q *Quantized) checkDevice(op string, o operand) error {
	return o.tensor.CheckDevice(op, o.name, q.Data, "the integers")
}

// blocks is a matrix's layout as [blocks down, blocks across, rows and columns of a block].
func (s QuantScheme) blocks(l layout.Layout) (layout.Layout, error) {
	shape, strides := make([]int, 4), make([]int, 4)
	for d, count := range s.scales([2]int(l.Shape())) {
		size := l.Size(d)
		if s.Block[d] != 0 {
			size = s.Block[d]
		}
		shape[d], strides[d] = count, size*l.Stride(d)
		shape[2+d], strides[2+d] = size, l.Stride(d)
	}
	return layout.Strided(shape, strides, l.Offset())
}
