package ops_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// Sums, variances and indices of permuted tensors of any rank against gonum.
func TestReduceAgainstGonum(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(6, 1))
	for range 150 {
		shape, axes := make([]int, 1+rng.IntN(5)), []int(nil)
		for d := range shape {
			shape[d] = 1 + rng.IntN(12)
			if rng.IntN(2) == 0 {
				axes = append(axes, d)
			}
		}
		elem := floatTypes[rng.IntN(3)]
		memory, _ := random(t, dev, rng, elem, shape...)
		x, err := memory.Permute(rng.Perm(len(shape))...)
		if err != nil {
			t.Fatal(err)
		}
		values, err := weft.ToFloats(x)
		if err != nil {
			t.Fatal(err)
		}
		of := func(f func(g []float64) float64) []float64 { return reference.Reduce(values, x.Shape(), axes, f) }
		bounded := func(f func(g []float64) float64) func(int) float64 {
			bounds := of(f)
			return func(i int) float64 { return bounds[i] }
		}
		sum, err := ops.Sum(x, ops.Axis(axes...))
		within(t, sum, err, of(floats.Sum), bounded(func(g []float64) float64 {
			return bounds.Sum(elem, len(g), floats.Sum(g), reference.Magnitude(g))
		}))
		variance, err := ops.Var(x, ops.Axis(axes...))
		within(t, variance, err, of(func(g []float64) float64 { return stat.PopVariance(g, nil) }), bounded(func(g []float64) float64 {
			return bounds.Var(elem, len(g), stat.PopVariance(g, nil), stat.Mean(g, nil))
		}))
		index, err := ops.ArgMin(x, ops.Axis(axes...))
		within(t, index, err, of(reference.ArgMin), func(int) float64 { return 0 })
	}
}

func TestReduceBoundsAreTight(t *testing.T) {
	if got := bounds.Sum(weft.F32, 4096, 0, 4096); got > 0.5 {
		t.Errorf("the bound %v of a sum of 4096 ones hides one", got)
	}
	if got := bounds.Mean(weft.F32, 4096, 1, 1); got > 0.5/4096 {
		t.Errorf("the bound %v of a mean of 4096 ones hides one", got)
	}
	if got := bounds.Prod(weft.F32, 100, 1); got > 1e-3 {
		t.Errorf("the bound of a product is %v", got)
	}
	if got := bounds.Var(weft.F32, 1000, 1, 1); got > 1e-3 { // an element among 1000
		t.Errorf("the bound of a variance is %v", got)
	}
}
