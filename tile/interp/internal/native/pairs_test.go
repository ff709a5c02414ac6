package native

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile/interp/internal/processor"
)

// TestPairs runs loops that read elements of two columns each, take the first or the second element of pairs, and store one for both, on rows in an order
// that lists say, with as many other streams that some have no register.
func TestPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, elem := range []dtype.Type{dtype.U8, dtype.I8, dtype.U16, dtype.I16, dtype.F16, dtype.BF16, dtype.F32, dtype.I32} {
		for _, others := range []int{0, 9} {
			for _, v := range sets(t) {
				testPairs(t, rng, elem, others, v)
			}
		}
	}
}

func testPairs(t *testing.T, rng *rand.Rand, elem dtype.Type, others int, v processor.Vectors) {
	const rows, columns = 5, 144
	l := &Loop{}
	var extra []int
	for range others {
		x, at := l.Input(dtype.I32, false)
		extra = append(extra, at)
		l.List(l.Output(dtype.I32, x))
	}
	half, from := l.Pairs(elem)
	l.List(from)
	whole, in := l.Input(dtype.I32, false)
	joined := l.Output(dtype.I32, l.Select(l.Odd(), half, whole))
	sum := l.OutputPairs(dtype.I32, l.Sub(l.First(whole), l.Second(whole)))
	low := l.OutputPairs(dtype.U8, l.Second(whole))
	for _, s := range []int{joined, low} {
		l.List(s)
	}
	code, err := l.compile(v)
	if err != nil {
		t.Skip(err)
	}
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		if elem.IsFloat() { // no NaN, whose bits may change
			for i := elem.Size() - 1; i < n; i += elem.Size() {
				b[i] &= 0x3f
			}
		}
		return b
	}
	x, y := random(rows*columns/2*elem.Size()), make([]int32, rows*columns)
	for i := range y {
		y[i] = int32(rng.Uint32() & 0x3fffffff)
	}
	order := append(rng.Perm(rows), 0)
	first := func(b unsafe.Pointer, row int) unsafe.Pointer { return unsafe.Add(b, order[0]*row) }
	list := func(row int) []int {
		steps := make([]int, rows)
		for i := range steps {
			steps[i] = (order[i+1] - order[i]) * row
		}
		return steps
	}
	f, words, bytes := code.NewFrame(), list(4*columns), list(columns/2)
	copies, elements := make([]int32, rows*columns), list(columns/2*elem.Size())
	for _, at := range extra {
		f.Bind(at, unsafe.Pointer(&y[0]), 4*columns)
		f.BindList(at+1, first(unsafe.Pointer(&copies[0]), 4*columns), words)
	}
	gotJoined, gotSum, gotLow := make([]int32, rows*columns), make([]float32, rows*columns/2), make([]byte, rows*columns/2)
	f.BindList(from, first(unsafe.Pointer(&x[0]), columns/2*elem.Size()), elements)
	f.Bind(in, unsafe.Pointer(&y[0]), 4*columns)
	f.BindList(joined, first(unsafe.Pointer(&gotJoined[0]), 4*columns), words)
	f.Bind(sum, unsafe.Pointer(&gotSum[0]), 2*columns)
	f.BindList(low, first(unsafe.Pointer(&gotLow[0]), columns/2), bytes)
	f.Run(rows, columns)
	runtime.KeepAlive([][]int{words, bytes, elements})
	runtime.KeepAlive([]any{x, y, copies, gotSum, gotLow, gotJoined})
	for r := range rows {
		for c := range columns {
			i, at := r*columns+c, order[r]*columns+c
			want := y[i]
			if c%2 == 1 {
				want = lanesOf(elem, x, at/2)
			}
			if gotJoined[at] != want {
				t.Fatalf("%v on %v, row %d, column %d: %#x, want %#x", elem, v, r, c, gotJoined[at], want)
			}
			if c%2 == 0 {
				first, second := *(*float32)(unsafe.Pointer(&y[i])), *(*float32)(unsafe.Pointer(&y[i+1]))
				if gotSum[i/2] != first-second || gotLow[at/2] != byte(y[i+1]) {
					t.Fatalf("%v on %v, row %d, column %d: %v and %v, want %v and %v", elem, v, r, c, gotSum[i/2], gotLow[at/2], first-second, byte(y[i+1]))
				}
			}
		}
	}
}

// lanesOf is an element as a lane.
func lanesOf(elem dtype.Type, b []byte, i int) int32 {
	switch elem {
	case dtype.U8:
		return int32(b[i])
	case dtype.I8:
		return int32(int8(b[i]))
	case dtype.U16:
		return int32(*(*uint16)(unsafe.Pointer(&b[2*i])))
	case dtype.I16:
		return int32(*(*int16)(unsafe.Pointer(&b[2*i])))
	case dtype.I32:
		return *(*int32)(unsafe.Pointer(&b[4*i]))
	}
	var f [1]float64
	dtype.Floats(elem, f[:], b[i*elem.Size():])
	x := float32(f[0])
	return *(*int32)(unsafe.Pointer(&x))
}
