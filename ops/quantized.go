package ops

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
)

// QuantScheme says how a matrix x is held in few bits: as integers q with x ≈ (q - zero) · scale, the affine quantisation of Jacob et al., "Quantization and Training
// of Neural Networks for Efficient Integer-Arithmetic-Only Inference", 2018, or as codes that stand for the numbers of a CodeBook, with x ≈ book[q] · scale. It is a struct of
//
//	Bits        int      // 8 or 4
//	Asymmetric  bool     // integers are unsigned and have zero points, else they are signed and the zero points are 0
//	Block       [2]int   // the shape of the blocks of elements that share a scale, which divides the matrix; 0 stands for all of a dimension
//	Codes       CodeBook // what codes of a symmetric scheme stand for, of 4 bits or, for FP8, of 8
//	PowersOfTwo bool     // scales of a symmetric scheme are bytes s that stand for 2^(s-127), E8M0; 255 is NaN
//
// such as
//
//	QuantScheme{Bits: 8}                                          // one scale for the matrix
//	QuantScheme{Bits: 8, Block: [2]int{1, 0}}                     // by channel: one for each row
//	QuantScheme{Bits: 4, Block: [2]int{1, 128}}                   // one for each group of 128 elements of a row
//	QuantScheme{Bits: 4, Codes: NF4, Block: [2]int{1, 64}}        // QLoRA's NF4
//	QuantScheme{Bits: 4, Block: [2]int{1, 128}, Asymmetric: true} // with zero points
//	QuantScheme{Bits: 8, Codes: FP8, Block: [2]int{128, 128}}     // floats of 8 bits with a scale for each square
//
// and MXFP4 and MXFP8.
type QuantScheme = kernels.QuantScheme

// Quantized is a matrix of integers of 8 or 4 bits with the scales and zero points that map them to real
// numbers. It is plain data: NewQuantized checks it, and so does every op that gets it.
//
// Integers of 4 bits are two to a byte along the dimension Packed, the first in the low half, as dtype.PackI4
// and PackU4 lay them out for each row (column); the last high half of an odd number is ignored. Codes are packed as PackU4 does.
//
// Interleaved integers are in another order along Packed, also those of 8 bits, in which threads load them as matrix instructions take them. With n integers in a word of 32 bits, a block has 16·n of
// them, and element ((w·n/2 + b)·4 + t)·2 + h of a block, for w and t below 4, b below n/2 and h below 2, is at place ((t·4 + w)·2 + h)·n/2 + b. Pack makes it where
// a device gains by it, and Unpack is the way back.
type Quantized struct {
	QuantScheme
	Shape       [2]int
	Data        *weft.Tensor // [R,C] of I8, or U8 if asymmetric or of codes; of 4 bits U8, with half as many along Packed, rounded up
	Scales      *weft.Tensor // F32, F16 or BF16, or U8 for powers of two; one for each block: [R/Block[0],C/Block[1]], 1 where Block is 0
	Zeros       *weft.Tensor // U8, as many; nil if symmetric
	Packed      int          // 0 or 1
	Interleaved int          // elements of the blocks along Packed that are interleaved, 128 of 4 bits, 64 of 8; 0 if none are
}

// NewQuantized makes a matrix [rows,cols] from data that another program quantised: integers, packed
// along rows if they are of 4 bits (a transposed matrix is the T of one), scales, and zero
// points, which are nil for a symmetric scheme. Any views will do, and nothing is copied; see Pack.
//
// Errors: ErrShape, ErrUnsupported for other element types, ErrArgument for a wrong number of bits or a missing tensor, ErrDevice, ErrClosed.
func NewQuantized(scheme QuantScheme, rows, cols int, data, scales, zeros *weft.Tensor) (*Quantized, error) {
	q := &Quantized{QuantScheme: scheme, Shape: [2]int{rows, cols}, Data: data, Scales: scales, Zeros: zeros, Packed: 1}
	if err := q.check("quantized"); err != nil {
		return nil, err
	}
	return q, nil
}

// emptyQuantized allocates what a scheme needs for a shape.
func emptyQuantized(dev *weft.Device, scheme QuantScheme, shape [2]int) (_ *Quantized, err error) {
	q := &Quantized{QuantScheme: scheme, Shape: shape, Packed: 1}
	defer func() {
		if err != nil {
			q.Close()
		}
	}()
	data, scales := q.data(), scheme.ScalesShape(shape)
	if q.Data, err = newResult("quantize", "data", dev, scheme.Stored(), data[:]...); err != nil {
		return nil, err
	}
	if q.Scales, err = newResult("quantize", "scales", dev, scheme.ComputedScales(), scales[:]...); err != nil {
		return nil, err
	}
	if scheme.Asymmetric {
		if q.Zeros, err = newResult("quantize", "zeros", dev, weft.U8, scales[:]...); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// T is the transposed matrix, a view of the same memory.
func (q *Quantized) T() *Quantized {
	if q == nil {
		return nil
	}
	return &Quantized{q.QuantScheme.T(), [2]int{q.Shape[1], q.Shape[0]}, q.Data.T(), q.Scales.T(), q.Zeros.T(), 1 - q.Packed, q.Interleaved}
}

// Close closes the tensors, including those that NewQuantized or QuantizeWith were given; see Tensor.Close.
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
	order := ""
	if q.Interleaved > 0 {
		order = fmt.Sprintf(", interleaved in blocks of %d", q.Interleaved)
	}
	return fmt.Sprintf("quantized[%d,%d] of %v%s on %v", q.Shape[0], q.Shape[1], q.QuantScheme, order, q.Data.Device())
}

// data is the shape of the tensor that holds the integers.
func (q *Quantized) data() [2]int {
	shape := q.Shape
	if q.Bits == 4 {
		shape[q.Packed] -= shape[q.Packed] / 2 // two to a byte
	}
	return shape
}

// operands are the tensors as errors call them.
func (q *Quantized) operands() []operand {
	if q == nil {
		return nil
	}
	list := []operand{{"data", q.Data}, {"scales", q.Scales}}
	if q.Asymmetric {
		list = append(list, operand{"zeros", q.Zeros})
	}
	return list
}

// checkForm refuses what has no shape of its integers.
func (q *Quantized) checkForm(op string) error {
	switch {
	case q == nil:
		return fault.New(weft.ErrArgument, op, "the matrix is nil").For("quantized")
	case q.Shape[0] < 0 || q.Shape[1] < 0 || q.Packed != 0 && q.Packed != 1:
		return fault.New(weft.ErrShape, op, "shape %v packed along dimension %d, want sizes of 0 or more and dimension 0 or 1", q.Shape, q.Packed).For("quantized")
	}
	return nil
}

// check refuses a matrix whose parts do not fit together.
func (q *Quantized) check(op string) error {
	if err := q.checkForm(op); err != nil {
		return err
	}
	if !q.Asymmetric && q.Zeros != nil {
		return fault.New(weft.ErrArgument, op, "a symmetric scheme has no zero points, want nil").For("zeros")
	}
	if err := q.QuantScheme.Check(op, q.Shape); err != nil {
		return err
	}
	if block := kernels.OrderBlock(q.QuantScheme, q.Shape[q.Packed], q.Packed); q.Interleaved != 0 && q.Interleaved != block {
		return fault.New(weft.ErrArgument, op, "integers that are interleaved in blocks of %d, of %v of shape %v; want 0, or %d where that divides dimension %d and its groups",
			q.Interleaved, q.QuantScheme, q.Shape, kernels.WholeBlock(q.QuantScheme), q.Packed).For("quantized")
	}
	data, scales := q.data(), q.ScalesShape(q.Shape)
	for i, o := range q.operands() {
		want := scales
		allowed := upToF32
		switch i {
		case 0:
			want, allowed = data, func(t weft.DType) bool { return t == q.Stored() }
		case 1:
			if q.PowersOfTwo {
				allowed = func(t weft.DType) bool { return t == weft.U8 }
			}
		case 2:
			allowed = func(t weft.DType) bool { return t == weft.U8 }
		}
		if err := checkOperands(op, allowed, o); err != nil {
			return err
		}
		if err := checkOpen(op, o); err != nil {
			return err
		}
		if err := q.checkDevice(op, o); err != nil {
			return err
		}
		if o.tensor.Rank() != 2 || [2]int(o.tensor.Shape()) != want {
			return fault.New(weft.ErrShape, op, "shape %v, want %v for %v of shape %v", o.tensor.Shape(), want, q.QuantScheme, q.Shape).For(o.name)
		}
	}
	return nil
}

// checkDevice refuses a tensor on another device.
func (q *Quantized) checkDevice(op string, o operand) error {
	return o.tensor.CheckDevice(op, o.name, q.Data, "data")
}

// quantKey is a quantised matrix without its tensors.
type quantKey struct {
	QuantScheme
	shape               [2]int
	packed, interleaved int
	given               bool
}

func (q *Quantized) key() quantKey {
	if q == nil {
		return quantKey{}
	}
	return quantKey{q.QuantScheme, q.Shape, q.Packed, q.Interleaved, true}
}

// matrix is the matrix of its three tensors.
func (k quantKey) matrix(t []*weft.Tensor) *Quantized {
	if !k.given {
		return nil
	}
	return &Quantized{QuantScheme: k.QuantScheme, Shape: k.shape, Packed: k.packed, Interleaved: k.interleaved, Data: t[0], Scales: t[1], Zeros: t[2]}
}
