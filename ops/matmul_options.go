package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// ResultType sets the element type of a new result: F32, F16 or BF16, and I32 for operands of I8 and U8. With the forms
// that write into a tensor, the tensor's type decides, and another one is refused with ErrArgument.
func ResultType(elem weft.DType) MatMulOption {
	return matMulOption(func(c *productCall) { c.result = elem })
}

// Alpha multiplies the product by a number, before anything is added to it. For a result of I32 it must be an I32, too.
func Alpha(x float64) MatMulOption { return matMulOption(func(c *productCall) { c.alpha = x }) }

// Beta adds to the product the elements that the result had before, times a number; if that is 0 they are not
// read. It is for MatMulInto. For a result of I32 it must be an I32, too.
func Beta(x float64) MatMulOption { return matMulOption(func(c *productCall) { c.beta = x }) }

// Precision sets the least precision of the products of F32 operands: tile.IEEE,
// which is the default, tile.TF32x3 or tile.TF32, for which devices with matrix instructions use those, of TF32 or, for tile.TF32, of BF16; bounds.MatMul
// says how large errors are. Products of F16 and BF16 are always exact,
// with sums in F32.
func Precision(x tile.Precision) PrecisionOption { return precisionOption(x) }

// PrecisionOption is an option of products, of matrices and of tensors.
type PrecisionOption interface {
	MatMulOption
	EinsumOption
}

type precisionOption tile.Precision

// checkPrecision refuses a precision, of an argument, that products of an element type have not. Types other than F32 ignore it.
func checkPrecision(op, arg string, p tile.Precision, elem weft.DType) error {
	switch {
	case p > tile.TF32x3:
		return fault.New(weft.ErrArgument, op, "%d is not a precision", p).For(arg)
	case p == tile.Float32Accumulate && elem == weft.F32:
		return fault.New(weft.ErrArgument, op, "%v is not for operands of f32, want %v, %v or %v", p, tile.IEEE, tile.TF32x3, tile.TF32).For(arg)
	}
	return nil
}

func (p precisionOption) setProduct(c *productCall) { c.precision = tile.Precision(p) }

func (p precisionOption) setEinsum(c *einsumCall) { c.precision = tile.Precision(p) }
