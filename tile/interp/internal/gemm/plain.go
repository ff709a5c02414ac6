package gemm

import (
	"unsafe"

	"github.com/weftgpu/weft/dtype"
)

// inGo multiplies without machine code.
func (w *Multiplier) inGo(m, n, k int, a, b Matrix, c []float32, ldc int) {
	w.a, w.b = grown(w.a, m*k), grown(w.b, k*n)
	gather(m, k, a, w.a)
	gather(k, n, b, w.b)
	plain(m, n, k, w.a, w.b, c, ldc)
}

// Plain computes c += a @ b in Go, for dense a [m,k], b [k,n] and c [m,n].
func Plain(m, n, k int, a, b, c []float32) { plain(m, n, k, a, b, c, n) }

// plain does not skip zeros of a, unlike many a BLAS, so that infinities and NaNs of b arrive in c.
func plain(m, n, k int, a, b, c []float32, ldc int) {
	for i := range m {
		row := c[i*ldc : i*ldc+n]
		for l, x := range a[i*k : (i+1)*k] {
			for j, y := range b[l*n : (l+1)*n] {
				row[j] += x * y
			}
		}
	}
}

// integer is an element of I8 or U8.
func (x Matrix) integer(row, col int) int32 {
	p := unsafe.Add(x.At, row*x.Row+col*x.Col)
	if x.Elem == dtype.I8 {
		return int32(*(*int8)(p))
	}
	return int32(*(*uint8)(p))
}

// integersInGo is AddIntegers without machine code.
func integersInGo(m, n, k int, a, b Matrix, c []int32, ldc int) {
	for i := range m {
		row := c[i*ldc : i*ldc+n]
		for l := range k {
			x := a.integer(i, l)
			for j := range row {
				row[j] += x * b.integer(l, j)
			}
		}
	}
}
