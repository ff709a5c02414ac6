package kernels

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/target"
)

// NF4 is what QLoRA's text says: the quantiles of the normal distribution at 8 even steps below 0 and 7 above it, of the outermost quantile.
func TestNF4Quantiles(t *testing.T) {
	const offset = 0.9677083
	q := distuv.UnitNormal.Quantile
	var want []float64
	for i := range 7 {
		want = append(want, -q(offset+(0.5-offset)*float64(i)/7))
	}
	want = append(want, 0)
	for i := range 8 {
		want = append(want, q(offset+(0.5-offset)*float64(i)/8))
	}
	slices.Sort(want)
	for i, v := range NF4.Values() {
		if x := want[i] / want[len(want)-1]; math.Abs(float64(v)-x) > 1e-6 {
			t.Errorf("code %d is %v, want %v", i, v, x)
		}
	}
}

// FP4 is made of the parts of its codes: a sign, an exponent with a bias of 1 and a mantissa.
func TestFP4Parts(t *testing.T) {
	for code, v := range FP4.Values() {
		exponent, mantissa := code>>1&3, float64(code&1)/2
		x := mantissa
		if exponent > 0 {
			x = math.Ldexp(1+mantissa, exponent-1)
		}
		if x = math.Copysign(x, 0.5-float64(code>>3)); float64(v) != x || math.Signbit(float64(v)) != math.Signbit(x) {
			t.Errorf("code %d is %v, want %v", code, v, x)
		}
	}
	if word, shift, ok := FP4.fixed(); !ok || word != 0xc8643210 || shift != 1 {
		t.Errorf("%#x shifted by %d, %v", word, shift, ok)
	}
}

// FP8 has the floats of the specification; what is NaN in E4M3 counts on.
func TestFP8(t *testing.T) {
	values := FP8.Values()
	for code, v := range values {
		if x := reference.Float8(code); float64(v) != x || math.Signbit(float64(v)) != math.Signbit(x) {
			t.Errorf("code %d is %v, want %v", code, v, x)
		}
	}
	reach := QuantScheme{Bits: 8, Codes: FP8}.Reach()
	if len(values) != 256 || values[126] != 448 || values[127] != 480 || FP8.Largest() != 448 || FP8.Bits() != 8 || reach != 16 || MXFP8.Reach() != 64 {
		t.Errorf("%d numbers, the last ones %v and %v, %d bits, the largest %v, reaches %v and %v", len(values), values[126], values[127], FP8.Bits(), FP8.Largest(), reach, MXFP8.Reach())
	}
}

// Code books of equal numbers are equal, also after JSON; those that differ in the sign of a zero are not.
func TestCodeBooks(t *testing.T) {
	again, err := NewCodeBook(NF4.Values())
	if err != nil || again != NF4 || again == FP4 || NF4.signed() || !FP4.signed() {
		t.Errorf("%v %v", again, err)
	}
	values := FP4.Values()
	values[8] = 0
	unsigned, err := NewCodeBook(values)
	if err != nil || unsigned == FP4 || unsigned.signed() {
		t.Errorf("%v %v", unsigned, err)
	}
	for _, b := range []CodeBook{{}, NF4, FP4, FP8, unsigned} {
		scheme := QuantScheme{Bits: 4, Codes: b, Block: [2]int{1, 64}}
		text, err := json.Marshal(scheme)
		if err != nil {
			t.Fatal(err)
		}
		if has := strings.Contains(string(text), "Codes"); has != (b != CodeBook{}) || strings.Contains(string(text), "PowersOfTwo") {
			t.Errorf("%s", text) // what was stored before there were code books stays what it was
		}
		var back QuantScheme
		if err := json.Unmarshal(text, &back); err != nil || back != scheme {
			t.Errorf("%s became %v, %v", text, back, err)
		}
	}
	var b CodeBook
	if err := json.Unmarshal([]byte("[1,2]"), &b); err == nil || b != (CodeBook{}) {
		t.Errorf("two numbers became %v", b)
	}
	if err := json.Unmarshal([]byte("null"), &b); err != nil || b != (CodeBook{}) {
		t.Errorf("null became %v, %v", b, err)
	}
}

// Steps are where the nearest number changes, for each F32: at, next below and next above each.
func TestSteps(t *testing.T) {
	own := book(0.25, 3, -0.5, 0, 1, 1, 0.125, -0.75, 0.375, 1.5, 2, -0.25, 0.0625, 0.5, 0.75, 0.3)
	for _, values := range [][]float32{NF4.Values(), FP4.Values()[:8], own.Values()} {
		least, list := steps(values)
		code := func(x float32) int {
			code := least
			for _, s := range list {
				if x > s.limit || x == s.limit && s.included {
					code = s.code
				}
			}
			return code
		}
		for _, s := range list {
			for _, x := range []float32{s.limit, math.Nextafter32(s.limit, -9), math.Nextafter32(s.limit, 9)} {
				if got, want := code(x), reference.Nearest(values, float64(x)); got != want {
					t.Errorf("%v has code %d, want %d of %v", x, got, want, values)
				}
			}
		}
	}
}

// Selects among 16 numbers cost more than the shift of FP4, unless they are looked up, and integers nothing more.
func TestCodeCosts(t *testing.T) {
	signed := book(0, 0.1, 0.2, 0.5, 1.1, 0.7, 2.3, 1.7, float32(math.Copysign(0, -1)), -0.1, -0.2, -0.5, -1.1, -0.7, -2.3, -1.7)
	cuda, shaders := target.Caps{Language: target.CUDA}, target.Caps{Language: target.SPIRV}
	costs := []float64{CodeBook{}.decodeCost(cuda), FP4.decodeCost(cuda), signed.decodeCost(cuda), NF4.decodeCost(cuda)}
	if FP4.decodeCost(shaders) != costs[1] || NF4.decodeCost(shaders) != costs[1] || signed.decodeCost(shaders) != costs[1] || (CodeBook{}).decodeCost(shaders) != 0 {
		t.Errorf("shaders look numbers up: %v, %v", FP4.decodeCost(shaders), NF4.decodeCost(shaders))
	}
	if costs[0] != 0 || !slices.IsSorted(costs) || costs[3] != 16+12*integerCost || (CodeBook{}).encodeCost() != 0 || FP4.encodeCost() >= NF4.encodeCost() {
		t.Errorf("%v", costs)
	}
}

// Reach is the largest distance of a quotient from the number that it becomes.
func TestReach(t *testing.T) {
	for _, c := range []struct {
		scheme QuantScheme
		want   float64
	}{
		{QuantScheme{Bits: 8}, 0.5},
		{QuantScheme{Bits: 4, Asymmetric: true}, 0.5},
		{QuantScheme{Bits: 8, PowersOfTwo: true}, 1},
		{QuantScheme{Bits: 4, Codes: FP4}, 1},
		{MXFP4, 2}, // 8 becomes 6
		{QuantScheme{Bits: 4, Codes: NF4}, (1 - 0.6961928009986877) / 2},
		{QuantScheme{Bits: 4, Codes: NF4, PowersOfTwo: true}, 1},
	} {
		if got := c.scheme.Reach(); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", c.scheme, got, c.want)
		}
	}
}
