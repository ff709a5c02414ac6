package kernels

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// The quotients that a kernel computes by the scalars are those of a division.
func TestDivisor(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	check := func(x, n uint32) {
		t.Helper()
		s := Divisor(int(n))
		factor, shift := s[1].(uint32), s[2].(uint32)
		high, _ := bits.Mul32(x, factor)
		if got := (high + x) >> shift; got != x/n {
			t.Fatalf("%d / %d is %d with factor %d and shift %d, want %d", x, n, got, factor, shift, x/n)
		}
	}
	for _, n := range []uint32{1, 2, 3, 4, 5, 7, 8, 56, 3136, 1<<16 - 1, 1 << 16, 1<<30 - 1, 1 << 30, math.MaxInt32} {
		for _, x := range []uint32{0, 1, n - 1, n, n + 1, 2*n - 1, math.MaxInt32 - 1, math.MaxInt32} {
			check(min(x, math.MaxInt32), n)
		}
	}
	for range 100000 {
		check(rng.Uint32()>>(1+rng.IntN(31)), max(rng.Uint32()>>(1+rng.IntN(31)), 1))
	}
}
