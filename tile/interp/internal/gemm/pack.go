package gemm

import (
	"sync"
	"unsafe"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile/interp/internal/native"
	"github.com/weftgpu/weft/tile/interp/internal/squares"
)

// frameOf is what the Multiplier runs a loop with.
func (w *Multiplier) frameOf(code *native.Code) *native.Frame {
	for _, f := range w.frames {
		if f.Of(code) {
			return f
		}
	}
	f := code.NewFrame()
	w.frames = append(w.frames, f)
	return f
}

// copyLoops are those loops, of rows of contiguous elements, by elemNumber.
var copyLoops [3]struct {
	once sync.Once
	code *native.Code
}

// copyRows copies rows of contiguous elements as F32 to rows that are so many floats apart, and reports whether there is code for it.
func (w *Multiplier) copyRows(rows, columns int, from Matrix, to []float32, stride int) bool {
	i := elemNumber(from.Elem)
	l := &copyLoops[i]
	l.once.Do(func() {
		var loop native.Loop
		x, _ := loop.Input(from.Elem, false)
		loop.Output(dtype.F32, x)
		l.code, _ = loop.Compile()
	})
	if l.code == nil {
		return false
	}
	f := w.frameOf(l.code)
	f.Bind(0, from.At, from.Row)
	f.Bind(1, unsafe.Pointer(unsafe.SliceData(to)), 4*stride)
	f.Run(rows, columns)
	return true
}

// asFloats is a of F32, in memory of its own if it is not.
func (w *Multiplier) asFloats(m, k int, a Matrix) (Matrix, bool) {
	switch {
	case a.Elem == f32:
		return a, true
	case a.byRows():
		w.a = grown(w.a, m*k)
		return Dense(w.a, k), w.copyRows(m, k, a, w.a, k)
	case a.byColumns():
		w.a = grown(w.a, m*k)
		return Dense(w.a, m).Transpose(), w.copyRows(k, m, a.Transpose(), w.a, m)
	}
	w.a = grown(w.a, m*k)
	gather(m, k, a, w.a)
	return Dense(w.a, k), true
}

// transposed is a, of F32, with contiguous rows.
func (w *Multiplier) transposed(m, k int, a Matrix) Matrix {
	w.c = grown(w.c, m*k)
	if a.byColumns() {
		squares.Transpose(unsafe.Pointer(&w.c[0]), 4*k, a.At, a.Col, k, m, 4)
	} else {
		gather(m, k, a, w.c)
	}
	return Dense(w.c, k)
}

// panel is part of b as F32 whose rows are so many floats apart.
func (w *Multiplier) panel(k, n, stride int, b Matrix) (Matrix, bool) {
	w.b = grown(w.b, k*stride)
	switch {
	case b.byRows():
		return Dense(w.b, stride), w.copyRows(k, n, b, w.b, stride)
	case b.byColumns():
		if b.Elem != f32 {
			w.c = grown(w.c, k*n)
			if !w.copyRows(n, k, b.Transpose(), w.c, k) {
				return b, false
			}
			b = Dense(w.c, k).Transpose()
		}
		squares.Transpose(unsafe.Pointer(&w.b[0]), 4*stride, b.At, b.Col, n, k, 4)
	default:
		for i := range k {
			for j := range n {
				w.b[i*stride+j] = b.at(i, j)
			}
		}
	}
	return Dense(w.b, stride), true
}

// columns is b as F32 with contiguous columns.
func (w *Multiplier) columns(k, n int, b Matrix) (Matrix, bool) {
	w.b = grown(w.b, k*n)
	if b.byColumns() {
		return Dense(w.b, k).Transpose(), w.copyRows(n, k, b.Transpose(), w.b, k)
	}
	gather(n, k, b.Transpose(), w.b)
	return Dense(w.b, k).Transpose(), true
}

// gather copies a matrix to rows of F32.
func gather(m, n int, x Matrix, to []float32) {
	for i := range m {
		for j := range n {
			to[i*n+j] = x.at(i, j)
		}
	}
}

// grown is memory for n floats.
func grown(x []float32, n int) []float32 {
	if cap(x) < n {
		return make([]float32, n)
	}
	return x[:n]
}
