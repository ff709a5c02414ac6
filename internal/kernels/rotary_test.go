package kernels

import (
	"math"
	"math/big"
	"testing"
)

// The ratios of all bits are what they should be to 2^-63, for bases near and far from 1, and heads
// of any size.
func TestRotaryRatios(t *testing.T) {
	for _, base := range []float64{1.0000001, 1.5, 16, 10000, 500000, 1e300} {
		for _, dims := range []int{2, 6, 64, 96, 128, 3000} {
			scalars := RotaryRatios(base, dims, 7)
			for bit := range 7 {
				high, low := scalars[2*bit].(uint32), scalars[2*bit+1].(uint32)
				// The ratio to the power of dims/2 is base^(-2^bit).
				ratio := new(big.Float).SetPrec(300).SetInt(new(big.Int).SetUint64(uint64(high)<<32 | uint64(low)))
				ratio.SetMantExp(ratio, -64)
				exact := math.Pow(base, -math.Exp2(float64(bit+1))/float64(dims))
				got, _ := ratio.Float64()
				if math.Abs(got-exact) > 0x1p-50*exact+0x1p-63 {
					t.Errorf("base %v, %d dimensions, bit %d: %v, want %v", base, dims, bit, got, exact)
				}
				if float64(dims)*math.Abs(math.Log(exact)) > 200 {
					continue // powers of it are too small
				}
				power := new(big.Float).SetPrec(300).SetInt64(1)
				for range dims / 2 {
					power.Mul(power, ratio)
				}
				want := new(big.Float).SetPrec(300).SetInt64(1)
				for range 1 << bit {
					want.Quo(want, new(big.Float).SetPrec(300).SetFloat64(base))
				}
				off, _ := new(big.Float).Quo(new(big.Float).Sub(power, want), want).Float64()
				if limit := float64(dims/2) * 0x1p-63 / exact; math.Abs(off) > limit {
					t.Errorf("base %v, %d dimensions, bit %d: off by a factor of 1+%v, want at most %v", base, dims, bit, off, limit)
				}
			}
		}
	}
	if s := RotaryRatios(math.Nextafter(1, 2), 1<<20, 2); s[0] != uint32(math.MaxUint32) {
		t.Errorf("a ratio next to 1 is %v", s)
	}
}
