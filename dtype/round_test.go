package dtype

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// nearest rounds x to a binary float of so many bits and least exponent, ties to even, in exact arithmetic: an
// independent reference, which knows nothing of float32.
func nearest(x *big.Float, mantissa, least, most int) float64 {
	if x.Sign() == 0 {
		return 0
	}
	// x is m·2^e with 1/2 <= m < 1; its last digit is 2^(e-mantissa), or that of subnormals.
	last := max(x.MantExp(nil), least+1) - mantissa
	scaled := new(big.Float).SetPrec(2000).SetMantExp(x, -last)
	whole, _ := scaled.Int(nil) // toward zero
	rest := new(big.Float).SetPrec(2000).Sub(scaled, new(big.Float).SetInt(whole))
	rest.Abs(rest)
	if c := rest.Cmp(big.NewFloat(0.5)); c > 0 || c == 0 && whole.Bit(0) == 1 {
		whole.Add(whole, big.NewInt(int64(x.Sign())))
	}
	y := new(big.Float).SetPrec(2000).SetMantExp(new(big.Float).SetPrec(2000).SetInt(whole), last)
	if y.MantExp(nil) > most+1 {
		return math.Inf(x.Sign())
	}
	f, _ := y.Float64()
	return f
}

// formats are the bits of the mantissa, with the hidden one, and the exponents of the least and the largest normal number.
var formats = map[Type][3]int{F16: {11, -14, 15}, BF16: {8, -126, 127}, F32: {24, -126, 127}}

// drawFloat draws a float64, most often one close to where rounding changes: to a number of t, the middle of
// two of them, or what a float32 of those would be.
func drawFloat(t *rapid.T, e Type) float64 {
	bits, least, most := formats[e][0], formats[e][1], formats[e][2]
	exponent := rapid.IntRange(least-bits-3, most+2).Draw(t, "exponent")
	tail := rapid.SampledFrom([]uint64{0, 1, 1 << 20, 1<<28 - 1, 1 << 28, 1<<28 + 1, 1<<29 - 1, 1 << 29, 1<<41 - 1, 1 << 41, 1<<41 + 1}).Draw(t, "tail")
	mantissa := rapid.Uint64Range(0, 1<<53-1).Draw(t, "mantissa")>>rapid.IntRange(0, 53).Draw(t, "kept")<<rapid.IntRange(0, 53).Draw(t, "shift") + tail
	x := math.Ldexp(float64(mantissa&(1<<53-1)), exponent-52)
	if rapid.Bool().Draw(t, "negative") {
		x = -x
	}
	return x
}

func TestRoundsOnce(t *testing.T) {
	for e, f := range formats {
		rapid.Check(t, func(t *rapid.T) {
			x := drawFloat(t, e)
			want := nearest(new(big.Float).SetFloat64(x), f[0], f[1], f[2])
			if got := float64(Round(e, x)); got != want {
				t.Fatalf("Round(%v, %x) = %x, want %x", e, x, got, want)
			}
			var raw [4]byte
			var back [1]float64
			PutFloats(e, raw[:], []float64{x})
			if Floats(e, back[:], raw[:]); back[0] != want {
				t.Fatalf("PutFloats(%v, %x) = %x, want %x", e, x, back[0], want)
			}
		})
		for _, x := range []float64{math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1)} {
			if got := float64(Round(e, x)); got != x || math.Signbit(got) != math.Signbit(x) {
				t.Errorf("Round(%v, %v) = %v", e, x, got)
			}
		}
		if got := Round(e, math.NaN()); got == got {
			t.Errorf("Round(%v, NaN) = %v", e, got)
		}
	}
}

// Every tie between two neighbours of the 16-bit types, and the numbers next to it.
func TestTiesOfSixteenBits(t *testing.T) {
	for _, e := range []Type{F16, BF16} {
		f := formats[e]
		for bits := uint16(0); bits < 0x7c00; bits++ {
			var two [2]float64
			Floats(e, two[:], []byte{byte(bits), byte(bits >> 8), byte(bits + 1), byte((bits + 1) >> 8)})
			tie := (two[0] + two[1]) / 2
			if math.IsInf(two[1], 0) || two[1] != two[1] {
				continue
			}
			for _, x := range []float64{tie, math.Nextafter(tie, 0), math.Nextafter(tie, math.Inf(1)), -math.Nextafter(tie, math.Inf(1)), -math.Nextafter(tie, 0)} {
				if got, want := float64(Round(e, x)), nearest(new(big.Float).SetFloat64(x), f[0], f[1], f[2]); got != want {
					t.Fatalf("Round(%v, %x) = %x, want %x", e, x, got, want)
				}
			}
		}
	}
}

// Whole numbers of 64 bits round as such, not as the float64 next to them.
func TestWholeNumbersRoundOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		magnitude := rapid.Uint64().Draw(t, "magnitude") >> rapid.IntRange(0, 63).Draw(t, "shift")
		if shift := rapid.IntRange(0, 62).Draw(t, "zeros"); rapid.Bool().Draw(t, "near a tie") {
			magnitude = magnitude>>shift<<shift | 1
		}
		negative := rapid.Bool().Draw(t, "negative")
		n := Number{Kind: IntNumber, Negative: negative, Magnitude: magnitude}
		exact := new(big.Float).SetUint64(magnitude)
		if negative {
			exact.Neg(exact)
		}
		for e, f := range formats {
			if got, want := float64(Round(e, n.Float64())), nearest(exact, f[0], f[1], f[2]); got != want {
				t.Fatalf("%v%v as %v is %x, want %x", map[bool]string{true: "-"}[negative], magnitude, e, got, want)
			}
		}
		if x := n.Float64(); magnitude <= 1<<53 && math.Abs(x) != float64(magnitude) {
			t.Fatalf("%d becomes %v", magnitude, x)
		}
	})
}
