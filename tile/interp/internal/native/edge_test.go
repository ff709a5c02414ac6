package native

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/weftgpu/weft/dtype"
)

// TestReductionsOfParts combines rows of all lengths of which the stream has a part: the others are what Beyond says.
func TestReductionsOfParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, set := range sets(t) {
		for how, inGo := range map[Combine]func(x, y int32) int32{
			SumInt: func(x, y int32) int32 { return x + y }, LeastInt: func(x, y int32) int32 { return min(x, y) }, GreatestInt: func(x, y int32) int32 { return max(x, y) },
		} {
			l := &Loop{}
			v, in := l.Input(dtype.I32, false)
			l.Beyond(in, 1000)
			out := l.Reduce(how, v)
			code, err := l.compile(set)
			if err != nil {
				t.Fatal(err)
			}
			frame := code.NewFrame()
			for columns := 1; columns < 140; columns++ {
				width := rng.IntN(columns + 1)
				x, y := make([]int32, 3*columns), [3]int32{}
				for i := range x {
					x[i] = rng.Int32() >> 8
				}
				frame.BindPart(in, unsafe.Pointer(&x[0]), 4*columns, width)
				frame.Bind(out, unsafe.Pointer(&y[0]), 4)
				frame.Run(3, columns)
				for r, got := range y {
					row := x[r*columns:]
					want := int32(1000)
					if width > 0 {
						want = row[0]
					}
					for c := 1; c < columns; c++ {
						if v := row[c]; c < width {
							want = inGo(want, v)
						} else {
							want = inGo(want, 1000)
						}
					}
					if got != want {
						t.Fatalf("%v: %d of %d columns of row %d give %d, want %d", set, width, columns, r, got, want)
					}
				}
			}
		}
	}
}

// TestBoundMemoryStays binds a variable of a function whose stack then grows.
func TestBoundMemoryStays(t *testing.T) {
	l := &Loop{}
	v, in := l.Input(dtype.I32, false)
	out := l.Reduce(SumInt, v)
	for _, set := range sets(t) {
		code, err := l.compile(set)
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan int32)
		go func() { // on a stack that is small
			frame := code.NewFrame()
			x, y := [2]int32{3, 4}, [1]int32{}
			frame.Bind(in, unsafe.Pointer(&x[0]), 8)
			frame.Bind(out, unsafe.Pointer(&y[0]), 4)
			deep(1000)
			frame.Run(1, 2)
			got <- y[0]
		}()
		if sum := <-got; sum != 7 {
			t.Errorf("%v: %d, want 7", set, sum)
		}
	}
}

// deep takes a frame of a kilobyte for each level.
func deep(levels int) (sum byte) {
	var room [1024]byte
	if levels > 0 {
		sum = deep(levels - 1)
	}
	for i := range room {
		room[i] = sum + byte(i)
	}
	return room[levels%len(room)]
}

// TestEdgeTouchesNoMore runs loops whose rows end and begin where memory may not be touched.
func TestEdgeTouchesNoMore(t *testing.T) {
	page, size := guarded(t)
	for _, set := range sets(t) {
		for _, elem := range []dtype.Type{dtype.F32, dtype.F16, dtype.BF16, dtype.I32, dtype.U32, dtype.I8, dtype.U8, dtype.I16, dtype.U16, dtype.Bool} {
			t.Run(fmt.Sprint(set, "/", elem), func(t *testing.T) {
				l := &Loop{}
				x, in := l.Input(elem, false)
				out := l.Output(elem, x)
				code, err := l.compile(set)
				if err != nil {
					t.Fatal(err)
				}
				frame, n := code.NewFrame(), elem.Size()
				for width := range 70 {
					bytes := width * n
					if size < 2*bytes {
						t.Fatal("pages are too small")
					}
					from, to := make([]byte, bytes+64), page[size-bytes:]
					for i := range from[:bytes] {
						from[i] = byte(3 * i & 0x3f) // no NaN
					}
					frame.BindPart(in, unsafe.Pointer(&from[0]), 0, width)
					frame.BindPart(out, unsafe.Add(unsafe.Pointer(&page[0]), size-bytes), 0, width)
					frame.Run(1, 90)
					back := make([]byte, 4*(width+64))
					frame.BindPart(in, unsafe.Add(unsafe.Pointer(&page[0]), size-bytes), 0, width)
					frame.Bind(out, unsafe.Pointer(&back[0]), 0)
					frame.Run(1, width+3)
					for i := range bytes {
						if to[i] != from[i] || back[i] != from[i] {
							t.Fatalf("byte %d of %d is %x and then %x, want %x", i, bytes, to[i], back[i], from[i])
						}
					}
					if tail := binary.LittleEndian.Uint16(back[bytes:]); tail != 0 {
						t.Fatalf("beyond %d elements is %x, want 0", width, tail)
					}
				}
			})
		}
	}
}
