package interp

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp/internal/gemm"
)

// dot compiles acc + a @ b, in acc's register if acc is not needed any more.
func (c *compiler) dot(op *tile.Op) step {
	var sources []source
	for _, x := range c.operands[op] {
		sources = append(sources, c.source(x))
	}
	acc := c.where[op.Args[2]].index
	var candidates []*tile.Value
	if op.Args[2] != op.Args[0] && op.Args[2] != op.Args[1] {
		candidates = op.Args[2:]
	}
	d := c.take(op, op.Result(), candidates...).index
	if sources != nil {
		return dotInPlace(sources[0], sources[1], op.Result().Type(), d, acc)
	}
	a, b := c.where[op.Args[0]].index, c.where[op.Args[1]].index
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
	if op.Result().Type().Elem == dtype.F64 {
		return func(w *worker) {
			if out := w.d[d]; d != acc {
				copy(out, w.d[acc])
			}
			for i := range batches {
				dotDoubles(m, n, k, w.d[a][i*m*k:], w.d[b][i*k*n:], w.d[d][i*m*n:])
			}
		}
	}
	multiply := gemm.Plain
	if c.how > copying {
		multiply = nil
	}
	return func(w *worker) {
		out := w.f[d]
		if d != acc {
			copy(out, w.f[acc])
		}
		for i := range batches {
			x, y, z := w.f[a][i*m*k:(i+1)*m*k], w.f[b][i*k*n:(i+1)*k*n], out[i*m*n:(i+1)*m*n]
			if multiply != nil {
				multiply(m, n, k, x, y, z)
			} else {
				w.products.Add(m, n, k, gemm.Dense(x, k), gemm.Dense(y, n), z, n)
			}
		}
	}
}

// dotInPlace is the step of a product of matrices, whose result is of a type. Rows of a and columns of b that are outside of their views add nothing, nor do
// elements along k that either has not.
func dotInPlace(a, b source, t tile.Type, d, acc int) step {
	columns, floats := t.Shape[1], t.Elem.IsFloat()
	return func(w *worker) {
		switch {
		case d == acc:
		case floats:
			copy(w.f[d], w.f[acc])
		default:
			copy(w.i[d], w.i[acc])
		}
		x, ok := a.locate(w)
		if !ok {
			return
		}
		y, ok := b.locate(w)
		if !ok {
			return
		}
		from, to := max(x.first[1], y.first[0]), min(x.first[1]+x.n[1], y.first[0]+y.n[0])
		if from >= to {
			return
		}
		at := x.first[0]*columns + y.first[1]
		x.Matrix, y.Matrix = x.Offset(0, from-x.first[1]), y.Offset(from-y.first[0], 0)
		if floats {
			w.products.Add(x.n[0], y.n[1], to-from, x.Matrix, y.Matrix, w.f[d][at:], columns)
		} else {
			w.products.AddIntegers(x.n[0], y.n[1], to-from, x.Matrix, y.Matrix, w.i[d][at:], columns)
		}
	}
}

// dotDoubles adds the product of [m,k] and [k,n] to [m,n]: of four rows of b at a time, so that sums are loaded and stored once for them.
func dotDoubles(m, n, k int, a, b, out []float64) {
	for i := range m {
		row, x := out[i*n:(i+1)*n], a[i*k:(i+1)*k]
		l := 0
		for ; l+4 <= k; l += 4 {
			x0, x1, x2, x3 := x[l], x[l+1], x[l+2], x[l+3]
			y0, y1, y2, y3 := b[l*n:][:n], b[(l+1)*n:][:n], b[(l+2)*n:][:n], b[(l+3)*n:][:n]
			for j := range row {
				row[j] = row[j] + x0*y0[j] + x1*y1[j] + x2*y2[j] + x3*y3[j]
			}
		}
		for ; l < k; l++ {
			for j, y := range b[l*n:][:n] {
				row[j] += x[l] * y
			}
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
