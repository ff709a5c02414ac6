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
	shape := op.Args[0].Type().Shape
	m, k, n := shape[0], shape[1], op.Args[1].Type().Shape[1]
	if op.Result().Type().Elem == dtype.I32 {
		return func(w *worker) {
			if out := w.i[d]; d != acc {
				copy(out, w.i[acc])
			}
			dotInts(m, n, k, w.i[a], w.i[b], w.i[d])
		}
	}
	return func(w *worker) {
		out := w.f[d]
		if d != acc {
			copy(out, w.f[acc])
		}
		w.gemm = gemm.Add(m, n, k, w.f[a], w.f[b], out, w.gemm)
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
