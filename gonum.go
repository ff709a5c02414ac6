package weft

import (
	"math/bits"
	"reflect"
	"slices"

	"github.com/weftgpu/weft/fault"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// FromDense copies a gonum matrix, rounded to an element type, to a new tensor of its
// rows and columns. A transposed or otherwise implicit matrix will do, and an empty one is a tensor of no elements.
//
// Errors: ErrArgument for nil, and as for FromFloats.
func FromDense(dev *Device, elem DType, m mat.Matrix) (*Tensor, error) {
	if v := reflect.ValueOf(m); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, fault.New(ErrArgument, "from dense", "the matrix is nil").For("m")
	}
	if raw, ok := m.(mat.RawMatrixer); ok {
		return FromBlas64(dev, elem, raw.RawMatrix())
	}
	rows, cols := m.Dims()
	x := make([]float64, 0, rows*cols)
	for i := range rows {
		for j := range cols {
			x = append(x, m.At(i, j))
		}
	}
	return FromFloats(dev, elem, x, rows, cols)
}

// ToDense copies a tensor of two dimensions to a gonum matrix; values are those of ToFloats.
//
// Errors: ErrShape for another rank or an empty tensor, which gonum's matrices
// cannot be, and as for ToSlice.
func ToDense(t *Tensor) (*mat.Dense, error) {
	if err := wantMatrix("to dense", t); err != nil {
		return nil, err
	}
	if t.Len() == 0 {
		return nil, fault.New(ErrShape, "to dense", "shape %v, want at least 1 element: gonum has no empty matrices", t.Shape()).For("t")
	}
	x, err := ToFloats(t)
	if err != nil {
		return nil, err
	}
	return mat.NewDense(t.Dim(0), t.Dim(1), x), nil
}

// FromBlas32 copies a BLAS matrix to a new F32 tensor of its rows and columns.
// Error: ErrShape if its data is shorter than its sizes and stride say.
func FromBlas32(dev *Device, g blas32.General) (*Tensor, error) {
	x, err := packed(g.Rows, g.Cols, g.Stride, g.Data)
	if err != nil {
		return nil, err
	}
	return FromSlice(dev, x, g.Rows, g.Cols)
}

// FromBlas64 copies a BLAS matrix, rounded to an element type, to a new tensor.
// Error: ErrShape if its data is shorter than its sizes and stride say.
func FromBlas64(dev *Device, elem DType, g blas64.General) (*Tensor, error) {
	x, err := packed(g.Rows, g.Cols, g.Stride, g.Data)
	if err != nil {
		return nil, err
	}
	return FromFloats(dev, elem, x, g.Rows, g.Cols)
}

// ToBlas32 copies an F32 tensor of two dimensions to a BLAS matrix without padding.
func ToBlas32(t *Tensor) (blas32.General, error) {
	if err := wantMatrix("to blas32", t); err != nil {
		return blas32.General{}, err
	}
	x, err := ToSlice[float32](t)
	if err != nil {
		return blas32.General{}, err
	}
	return blas32.General{Rows: t.Dim(0), Cols: t.Dim(1), Stride: max(1, t.Dim(1)), Data: x}, nil
}

// ToBlas64 copies a tensor of two dimensions to a BLAS matrix without padding; values are
// those of ToFloats.
func ToBlas64(t *Tensor) (blas64.General, error) {
	if err := wantMatrix("to blas64", t); err != nil {
		return blas64.General{}, err
	}
	x, err := ToFloats(t)
	if err != nil {
		return blas64.General{}, err
	}
	return blas64.General{Rows: t.Dim(0), Cols: t.Dim(1), Stride: max(1, t.Dim(1)), Data: x}, nil
}

func wantMatrix(op string, t *Tensor) error {
	if t == nil {
		return t.hold(op, "t")
	}
	if t.Rank() != 2 {
		return fault.New(ErrShape, op, "shape %v has %s, want 2", t.Shape(), fault.Count(t.Rank(), "dimension")).For("t")
	}
	return nil
}

// packed returns the rows of a BLAS matrix without padding between them.
func packed[T float32 | float64](rows, cols, stride int, data []T) ([]T, error) {
	if rows == 0 && cols >= 0 || cols == 0 && rows >= 0 { // gonum reads neither data nor stride either
		return nil, nil
	}
	if rows < 0 || cols < 0 || stride < cols || !within(rows, cols, stride, len(data)) {
		return nil, fault.New(ErrShape, "from blas", "%s for %s of %s, stride %d", fault.Count(len(data), "element"), fault.Count(rows, "row"), fault.Count(cols, "column"), stride)
	}
	if stride == cols || rows <= 1 {
		return data[:rows*cols], nil
	}
	x := make([]T, 0, rows*cols)
	for i := range rows {
		x = append(x, data[i*stride:i*stride+cols]...)
	}
	return slices.Clip(x), nil
}

// within reports whether n elements hold so many rows of a stride; both numbers are positive.
func within(rows, cols, stride, n int) bool {
	high, last := bits.Mul64(uint64(rows-1), uint64(stride)) // where the last row begins
	return high == 0 && last <= uint64(n) && uint64(cols) <= uint64(n)-last
}
