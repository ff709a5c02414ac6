package gomlx

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/shapes"
)

// Remainders of F64 are exact, whatever the sizes, as those of F32 are.
func TestRemainders(t *testing.T) {
	b := wideBackends(t)[0]
	edges := []float64{0, math.Copysign(0, -1), 1, -3, 0.1, 7, 1 << 53, 1e17, -1e22, 1e300, -3e-300, math.MaxFloat64, math.SmallestNonzeroFloat64, 0x1p-1022, math.Inf(1), math.Inf(-1), math.NaN()}
	var x, y []float64
	for _, a := range edges {
		for _, b := range edges {
			x, y = append(x, a), append(y, b)
		}
	}
	rng := rand.New(rand.NewPCG(15, 16))
	for range 300 {
		x, y = append(x, math.Ldexp(rng.NormFloat64(), rng.IntN(200)-100)), append(y, math.Ldexp(rng.NormFloat64(), rng.IntN(200)-100))
	}
	shape := shapes.Make(dtypes.Float64, len(x))
	out := outputs(t, b, func(c backends.Builder, x, y backends.Op) []backends.Op {
		r, err := c.Rem(x, y)
		if err != nil {
			t.Fatal(err)
		}
		return []backends.Op{r}
	}, x, y, shape, shape)
	for i, got := range out[0].([]float64) {
		if want := math.Mod(x[i], y[i]); math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%v rem %v is %v, want %v", x[i], y[i], got, want)
		}
	}
}
