package interp

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp/internal/gemm"
)

// dot compiles acc + a @ b, in acc's register if acc is not needed any more.
func (c *compiler) dot(op *tile.Op) step {
	a, b, acc := c.where[op.Args[0]].index, c.where[op.Args[1]].index, c.where[op.Args[2]].index
	var candidates []*tile.Value
	if op.Args[2] != op.Args[0] && op.Args[2] != op.Args[1] {
		candidates = op.Args[2:]
	}
	d := c.take(op, op.Result(), candidates...).index
	left, right := op.Args[0].Type().Shape, op.Args[1].Type().Shape
	last := len(left) - 1
	m, k, n := left[last-1], left[last], right[last]
	batches := 1
	if last == 2 {
		batches = left[0]
	}
	if op.Result().Type().Elem == dtype.I32 {
		return func(w *worker) {
			if out := w.i[d]; d != acc {
				copy(out, w.i[acc])
			}
			for i := range batches {
				dotInts(m, n, k, w.i[a][i*m*k:], w.i[b][i*k*n:], w.i[d][i*m*n:])
			}
		}
	}
	return func(w *worker) {
		out := w.f[d]
		if d != acc {
			copy(out, w.f[acc])
		}
		for i := range batches {
			w.gemm = gemm.Add(m, n, k, w.f[a][i*m*k:(i+1)*m*k], w.f[b][i*k*n:(i+1)*k*n], out[i*m*n:(i+1)*m*n], w.gemm)
		}
	}
}

// dotInts adds the product of [m,k] and [k,n] to [m,n], modulo 2^32.
func dotInts(m, n, k int, a, b, out []int32) {
	for i := range m {
		row := out[i*n : (i+1)*n]
		for l, x := range a[i*k : (i+1)*k] {
			for j, y := range b[l*n : (l+1)*n] {
				row[j] += x * y
			}
		}
	}
}
