package ops

import (
	"github.com/weftgpu/weft"
)

// MatMul returns the matrix product of a and b as a new tensor. As with NumPy's matmul, the last two
// dimensions are matrices, a […,M,K] and b […,K,N], and those before them batches, which are
// broadcast to each other: the result is […,M,N]. A vector [K] as a is a row and as b a column, whose dimension
// the result then lacks. Any views will do, transposed and broadcast ones included; K = 0 gives zeros.
//
// Nothing is copied, except in large products by matrix instructions whose operands do not suit them, such as rows of 8186
// bytes: these are packed first where that should cost less than it gains, in a workspace whose rows begin
// at multiples of 128 bytes. 'weft explain' says where.
//
// a and b are both F32, F16 or BF16, with sums in F32 and a result of their type; both F64, with sums in F64; or both I8 or
// both U8 with sums and a result of I32, which wrap. ResultType asks for another type, and Bias, Fuse and Alpha for
// more than the product. On one device every run gives the same bits, except with an Atomic config in Tiles.
//
// Errors: ErrShape for shapes that do not fit, ErrArgument for nil, bad options and element types that
// do not fit, ErrUnsupported for other element types, ErrDevice, ErrClosed, and ErrLimit and ErrOutOfMemory for a result that is too large.
func MatMul(a, b *weft.Tensor, options ...MatMulOption) (*weft.Tensor, error) {
	c := newProduct("matmul", nil, nil, options)
	return c.new(a, b)
}

// MatMulInto writes the product that MatMul returns into out, whose element type may be F32, F16 or BF16, F64 for
// operands of F64, and I32 for those of I8 and U8.
//
// Errors: as for MatMul, and ErrUnsupported if out repeats elements or overlaps a, b or a tensor of Bias or Fuse.
func MatMulInto(out, a, b *weft.Tensor, options ...MatMulOption) error {
	c := newProduct("matmul", nil, nil, options)
	return c.into(out, a, b)
}
