package native

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/weftgpu/weft/dtype"
)

// TestDivision divides integers of all lengths by each other, and what is next to multiples.
func TestDivision(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 17))
	edges := []uint32{0, 1, 2, 3, 5, 7, 1<<24 - 1, 1 << 24, 1<<24 + 1, math.MaxInt32, 1 << 31, 1<<31 + 1, math.MaxUint32, math.MaxUint32 - 1, 0xffff, 1 << 16}
	var x, y []uint32
	for _, a := range edges {
		for _, b := range edges {
			x, y = append(x, a), append(y, b)
		}
	}
	for range 200000 {
		a, b := rng.Uint32()>>rng.IntN(32), rng.Uint32()>>rng.IntN(32)
		x, y = append(x, a), append(y, b)
		if b != 0 {
			x, y = append(x, a/b*b, a/b*b-1), append(y, b, b)
		}
	}
	signed := func(f func(a, b int32) int32) func(a, b uint32) uint32 {
		return func(a, b uint32) uint32 { return uint32(f(int32(a), int32(b))) }
	}
	for _, c := range []struct {
		name string
		bits int
		f    func(l *Loop, x, y Value) (q, r Value)
		q, r func(a, b uint32) uint32
	}{
		{"words", 32, (*Loop).DivideWords, func(a, b uint32) uint32 { return a / b }, func(a, b uint32) uint32 { return a % b }},
		{"ints", 32, (*Loop).DivideInts, signed(func(a, b int32) int32 { return a / b }), signed(func(a, b int32) int32 { return a % b })},
		{"small", 24, (*Loop).DivideSmall, signed(func(a, b int32) int32 { return a / b }), signed(func(a, b int32) int32 { return a % b })},
	} {
		for _, set := range sets(t) {
			l := &Loop{}
			vx, inX := l.Input(dtype.U32, false)
			vy, inY := l.Input(dtype.U32, false)
			q, r := c.f(l, vx, vy)
			outQ, outR := l.Output(dtype.U32, q), l.Output(dtype.U32, r)
			code, err := l.compile(set)
			if err != nil {
				t.Fatal(err)
			}
			a, b := make([]uint32, len(x)), make([]uint32, len(x))
			for i := range a { // with the sign of 24 bits for some
				a[i], b[i] = uint32(int32(x[i])>>(32-c.bits)), uint32(int32(y[i])>>(32-c.bits))
			}
			quotients, remainders := make([]uint32, len(x)), make([]uint32, len(x))
			frame := code.NewFrame()
			frame.Bind(inX, unsafe.Pointer(&a[0]), 0)
			frame.Bind(inY, unsafe.Pointer(&b[0]), 0)
			frame.Bind(outQ, unsafe.Pointer(&quotients[0]), 0)
			frame.Bind(outR, unsafe.Pointer(&remainders[0]), 0)
			frame.Run(1, len(a))
			for i := range a {
				wantQ, wantR := a[i], uint32(0)
				if b[i] != 0 {
					wantQ, wantR = c.q(a[i], b[i]), c.r(a[i], b[i])
				}
				if quotients[i] != wantQ || remainders[i] != wantR {
					t.Fatalf("%s, %v: %d by %d gives %d and %d, want %d and %d", c.name, set, a[i], b[i], quotients[i], remainders[i], wantQ, wantR)
				}
			}
		}
	}
}
