package interp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
)

// The fast conversions agree with dtype: every F16, and for rounding every F16
// with its neighbours, the ties between them, and random bits.
func TestHalfConversions(t *testing.T) {
	same := func(a, b float32) bool {
		return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
	}
	checkRound := func(x float32) {
		if got, want := roundF16(x), dtype.Round(dtype.F16, float64(x)); !same(got, want) {
			t.Fatalf("roundF16(%v = %#x) = %v, want %v", x, math.Float32bits(x), got, want)
		}
	}
	for h := range 1 << 16 {
		want := dtype.Float16(h).Float32()
		if got := fromF16(uint16(h)); !same(got, want) {
			t.Fatalf("fromF16(%#x) = %v, want %v", h, got, want)
		}
		next := dtype.Float16(h + 1&0x7fff | h&0x8000).Float32()
		for _, x := range []float32{want, want/2 + next/2} {
			b := math.Float32bits(x)
			checkRound(x)
			checkRound(math.Float32frombits(b + 1))
			checkRound(math.Float32frombits(b - 1))
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1 << 20 {
		checkRound(math.Float32frombits(rng.Uint32()))
	}
	for _, x := range []float32{65519.996, 65520, 65504, 1e38, float32(math.Inf(-1)), float32(math.NaN()), 0x1p-25, 0x1.000002p-25} {
		checkRound(x)
		checkRound(-x)
	}
}
