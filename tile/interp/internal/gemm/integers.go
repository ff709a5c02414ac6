package gemm

import (
	"sync"
	"unsafe"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile/interp/internal/native"
	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
	"github.com/weftgpu/weft/tile/interp/internal/squares"
)

// Integers of 8 bits are multiplied as pairs of neighbours along k, each of 16 bits: one instruction makes two products and their sum.

// AddIntegers computes c += a @ b modulo 2^32 as Add does, for operands of I8 or U8.
func (w *Multiplier) AddIntegers(m, n, k int, a, b Matrix, c []int32, ldc int) {
	if m <= 0 || n <= 0 || k <= 0 {
		return
	}
	_ = c[(m-1)*ldc+n-1]
	if machine.lanes == 0 || !w.addPairs(m, n, k, a, b, unsafe.Pointer(unsafe.SliceData(c)), ldc) {
		integersInGo(m, n, k, a, b, c, ldc)
	}
}

func (w *Multiplier) addPairs(m, n, k int, a, b Matrix, c unsafe.Pointer, ldc int) bool {
	pairs := (k + 1) / 2
	w.a = grown(w.a, m*pairs)
	x := Dense(w.a, pairs)
	ok := true
	if a.byRows() || !a.byColumns() {
		ok = w.pairsAlong(m, k, a, w.a)
	} else {
		x = Dense(w.a, m).Transpose()
		ok = w.pairsAcross(m, k, a.Transpose(), w.a)
	}
	w.c = grown(w.c, pairs*n)
	if b.byRows() {
		ok = ok && w.pairsAcross(n, k, b, w.c)
	} else {
		w.b = grown(w.b, pairs*n)
		ok = ok && w.pairsAlong(n, k, b.Transpose(), w.b)
		squares.Transpose(unsafe.Pointer(&w.c[0]), 4*n, unsafe.Pointer(&w.b[0]), 4*pairs, n, pairs, 4)
	}
	return ok && w.outer(m, n, pairs, x, Dense(w.c, n), c, ldc, dtype.I32)
}

// pairLoops make pairs of U8, I8 and BF16. Those of BF16 that are neighbours in a row are pairs as they are.
var pairLoops = map[dtype.Type]*pairLoop{dtype.U8: {}, dtype.I8: {}, dtype.BF16: {}}

type pairLoop struct {
	once                sync.Once
	along, across, last *native.Code
}

func pairLoopsOf(e dtype.Type) (along, across, last *native.Code) {
	l := pairLoops[e]
	l.once.Do(func() {
		var a, b, c native.Loop
		x, _ := a.Input(dtype.BF16, false) // two elements, in the upper half of a lane
		shift := vector.ShiftRight
		if e == dtype.I8 {
			shift = vector.ShiftSigned
		}
		low := a.And(a.Shift(shift, a.Shift(vector.ShiftLeft, x, 8), 24), a.Bits(0xffff))
		a.Output(dtype.I32, a.Or(low, a.And(a.Shift(shift, x, 8), a.Bits(0xffff0000))))
		l.along, _ = a.Compile()
		y, _ := b.Input(e, false)
		z, _ := b.Input(e, false)
		if e == dtype.BF16 { // in the upper halves of lanes
			y = b.Shift(vector.ShiftRight, y, 16)
		} else {
			y, z = b.And(y, b.Bits(0xffff)), b.Shift(vector.ShiftLeft, z, 16)
		}
		b.Output(dtype.I32, b.Or(y, z))
		l.across, _ = b.Compile()
		v, _ := c.Input(e, false)
		c.Output(dtype.I32, c.And(v, c.Bits(0xffff)))
		l.last, _ = c.Compile()
	})
	return l.along, l.across, l.last
}

// pairsAlong makes pairs of neighbours in rows of k elements.
func (w *Multiplier) pairsAlong(rows, k int, x Matrix, to []float32) bool {
	pairs := (k + 1) / 2
	out := unsafe.Slice((*uint32)(unsafe.Pointer(&to[0])), rows*pairs)
	whole := k / 2
	if code, _, _ := pairLoopsOf(x.Elem); code == nil {
		return false
	} else if !x.byRows() {
		whole = 0
	} else if whole > 0 {
		f := w.frameOf(code)
		f.Bind(0, x.At, x.Row)
		f.Bind(1, unsafe.Pointer(&out[0]), 4*pairs)
		f.Run(rows, whole)
	}
	for i := range rows {
		for p := whole; p < pairs; p++ {
			out[i*pairs+p] = uint32(x.integer(i, 2*p)) & 0xffff
			if 2*p+1 < k {
				out[i*pairs+p] |= uint32(x.integer(i, 2*p+1)) << 16
			}
		}
	}
	return true
}

// pairsAcross makes pairs of neighbours in columns of k elements, of so many contiguous columns.
func (w *Multiplier) pairsAcross(columns, k int, x Matrix, to []float32) bool {
	_, across, last := pairLoopsOf(x.Elem)
	if across == nil || last == nil {
		return false
	}
	f := w.frameOf(across)
	f.Bind(0, x.At, 2*x.Row)
	f.Bind(1, unsafe.Add(x.At, x.Row), 2*x.Row)
	f.Bind(2, unsafe.Pointer(&to[0]), 4*columns)
	f.Run(k/2, columns)
	if k%2 > 0 {
		f := w.frameOf(last)
		f.Bind(0, x.Offset(k-1, 0).At, x.Row)
		f.Bind(1, unsafe.Pointer(&to[k/2*columns]), 0)
		f.Run(1, columns)
	}
	return true
}
