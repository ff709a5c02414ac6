package reference

import (
	"math"
	"math/rand/v2"
	"testing"
)

// logitsOf are normally distributed, some of them equal, as F32 has them.
func logitsOf(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(float32(3 * rng.NormFloat64()))
		if rng.IntN(4) == 0 {
			x[i] = math.Round(x[i])
		}
	}
	return x
}

// Weights are powers of two, to what is said of them.
func TestSampleWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		c := Sampling{Temperature: math.Exp(rng.NormFloat64())}
		x := logitsOf(rng, 50)
		top := math.Inf(-1)
		for _, v := range x {
			top = max(top, v)
		}
		for i, w := range c.Weights(x) {
			exact := math.Exp((x[i] - top) / c.Temperature)
			if got := float64(w) * 0x1p-31; math.Abs(got-exact) > 0x1p-18*exact+0x1p-31 {
				t.Fatalf("temperature %v: the weight of %v below %v is %v, want %v", c.Temperature, x[i], top, got, exact)
			}
		}
	}
}

// What is kept is what the definition says of probabilities in float64, but for tokens so near to the limit that rounding decides.
func TestSampleKeeps(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		n := 1 + rng.IntN(60)
		c, x := Sampling{K: rng.IntN(n + 2), P: rng.Float64(), Temperature: 0.3 + 2*rng.Float64()}, logitsOf(rng, n)
		if rng.IntN(3) == 0 {
			c.P = 0
		}
		all := Sampling{Temperature: c.Temperature}.Probabilities(x)
		any := false
		for i, kept := range c.Kept(x) {
			above, mass := 0, 0.0
			for j, y := range x {
				if y > x[i] {
					above, mass = above+1, mass+all[j]
				}
			}
			any = any || kept
			want := (c.K == 0 || above < c.K) && (c.P == 0 || mass < c.P)
			if kept != want && !(c.P > 0 && math.Abs(mass-c.P) < 0x1p-17) {
				t.Fatalf("%+v: token %d, with %d of %v above it, is kept: %v", c, i, above, mass, kept)
			}
		}
		if !any {
			t.Fatalf("%+v: nothing is kept of %v", c, x)
		}
	}
}

// Draws are distributed as they should be whatever is kept.
func TestSampleDraws(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for i, c := range []Sampling{{}, {K: 5}, {P: 0.5}, {K: 20, P: 0.9, Temperature: 2}, {Temperature: 0.2}, {K: 1}, {P: 1e-9}, {K: 2000, P: 0.99}} {
		n := []int{30, 3000}[i%2]
		x, counts := logitsOf(rng, n), make([]float64, n)
		for row := range 100_000 / n * 10 {
			counts[c.Draw(x, uint64(i), uint64(row/7*28), row%7)]++
		}
		if err := c.Judge(x, counts); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Judge tells a distribution from one that is a little different.
func TestJudge(t *testing.T) {
	x := []float64{0, 0.5, 1, 1.5}
	p := Sampling{}.Probabilities(x)
	counts := make([]float64, 4)
	for i := range counts {
		counts[i] = math.Round(10_000 * p[i])
	}
	if err := (Sampling{}).Judge(x, counts); err != nil {
		t.Error(err)
	}
	if err := (Sampling{Temperature: 1.2}).Judge(x, counts); err == nil {
		t.Error("another temperature is not seen")
	}
	if err := (Sampling{K: 3}).Judge(x, counts); err == nil {
		t.Error("a token that is not kept is not seen")
	}
}
