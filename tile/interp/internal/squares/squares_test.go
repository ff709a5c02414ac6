package squares

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// layoutOf is a block of lines within memory: where it begins, and the bytes from one line to the next, of either sign.
func layoutOf(rng *rand.Rand, lines, bytes int) (at, step, length int) {
	step = bytes + rng.IntN(9)
	if rng.IntN(4) == 0 {
		step = (step + 511) &^ 511 << rng.IntN(4)
	}
	at = rng.IntN(9)
	length = at + lines*step + rng.IntN(9)
	if rng.IntN(2) == 0 {
		at, step = at+(lines-1)*step, -step
	}
	return at, step, length
}

// Blocks of all sizes and distances are transposed, and no byte around them changes.
func TestTranspose(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		size := 1 << rng.IntN(4)
		lines, elements := 1+rng.IntN(150/size+20), 1+rng.IntN(150/size+20)
		if rng.IntN(10) == 0 {
			lines, elements = 1+rng.IntN(4), 1+rng.IntN(3000)
		}
		if rng.IntN(2) == 0 {
			lines, elements = elements, lines
		}
		at, step, length := layoutOf(rng, lines, elements*size)
		from := make([]byte, length)
		for i := range from {
			from[i] = byte(rng.Uint32())
		}
		toAt, toStep, toLength := layoutOf(rng, elements, lines*size)
		got := bytes.Repeat([]byte{0xa5}, toLength)
		want := bytes.Clone(got)
		for l := range lines {
			for i := range elements {
				copy(want[toAt+i*toStep+l*size:][:size], from[at+l*step+i*size:])
			}
		}
		Transpose(unsafe.Pointer(&got[toAt]), toStep, unsafe.Pointer(&from[at]), step, lines, elements, size)
		if !bytes.Equal(got, want) {
			t.Fatalf("%d lines of %d elements of %d bytes, %d bytes apart, to %d apart: not transposed", lines, elements, size, step, toStep)
		}
	}
}

func BenchmarkTranspose(b *testing.B) {
	for _, size := range []int{1, 2, 4, 8} {
		b.Run(string('0'+rune(size)), func(b *testing.B) {
			const n = 64
			from, to := make([]byte, n*n*size), make([]byte, n*n*size)
			b.SetBytes(int64(len(from)))
			for b.Loop() {
				Transpose(unsafe.Pointer(&to[0]), n*size, unsafe.Pointer(&from[0]), n*size, n, n, size)
			}
		})
	}
}
