package reference

import (
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

func TestReduceGolden(t *testing.T) {
	for _, c := range cases(t, "reductions") {
		x, axes := c.Get("x"), c.Get("axes").Ints()
		for name, f := range map[string]func([]float64) float64{
			"sum": floats.Sum, "max": floats.Max, "min": floats.Min, "argmax": ArgMax, "argmin": ArgMin,
			"mean":         func(g []float64) float64 { return stat.Mean(g, nil) },
			"var":          func(g []float64) float64 { return stat.PopVariance(g, nil) },
			"var_unbiased": func(g []float64) float64 { return stat.Variance(g, nil) },
		} {
			if c.Has(name) {
				equal(t, c.Name+" "+name, Reduce(x.X, x.Shape, axes, f), c.Get(name).X)
			}
		}
		equal(t, c.Name+" prod", Reduce(c.Get("near").X, x.Shape, axes, floats.Prod), c.Get("prod").X)
	}
}
