// Package gemm multiplies small dense f32 matrices, the blocks of a Dot.
package gemm

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

// Add computes c += a @ b for dense row-major a [m,k], b [k,n] and c [m,n].
// scratch is memory that the caller passes from one call to the next.
func Add(m, n, k int, a, b, c, scratch []float32) []float32 {
	gonum(m, n, k, a, b, c)
	return scratch
}

func gonum(m, n, k int, a, b, c []float32) {
	blas32.Gemm(blas.NoTrans, blas.NoTrans, 1,
		blas32.General{Rows: m, Cols: k, Stride: k, Data: a},
		blas32.General{Rows: k, Cols: n, Stride: n, Data: b},
		1, blas32.General{Rows: m, Cols: n, Stride: n, Data: c})
}
