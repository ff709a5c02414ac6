package gemm

import (
	"unsafe"

	"github.com/weftgpu/weft/dtype"
)

// Matrix is a matrix in memory: where its first element is, of F32, F16 or BF16, and how far neighbours along a column and along a row are, in bytes.
type Matrix struct {
	At       unsafe.Pointer
	Elem     dtype.Type
	Row, Col int
}

// Dense is a matrix of F32 whose rows of so many columns follow each other.
func Dense(x []float32, columns int) Matrix {
	return Matrix{unsafe.Pointer(unsafe.SliceData(x)), dtype.F32, 4 * columns, 4}
}

// Offset is the matrix from a row and a column on.
func (x Matrix) Offset(row, col int) Matrix {
	x.At = unsafe.Add(x.At, row*x.Row+col*x.Col)
	return x
}

// Transpose exchanges rows and columns.
func (x Matrix) Transpose() Matrix {
	x.Row, x.Col = x.Col, x.Row
	return x
}

// byRows and byColumns report whether the elements of a row, or of a column, are neighbours.
func (x Matrix) byRows() bool    { return x.Col == x.Elem.Size() }
func (x Matrix) byColumns() bool { return x.Row == x.Elem.Size() }

// at is an element as F32.
func (x Matrix) at(row, col int) float32 {
	p := unsafe.Add(x.At, row*x.Row+col*x.Col)
	switch x.Elem {
	case dtype.F16:
		return (*(*dtype.Float16)(p)).Float32()
	case dtype.BF16:
		return (*(*dtype.BFloat16)(p)).Float32()
	}
	return *(*float32)(p)
}
