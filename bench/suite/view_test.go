package suite

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/internal/catalog"
)

// Views see the elements of their bases that their names say.
func TestViews(t *testing.T) {
	for _, c := range []struct {
		view view
		base []int
		at   []int
	}{
		{stepped([]int{2, 2}, 1, 3), []int{2, 6}, []int{0, 3, 6, 9}},
		{stepped([]int{2, 2}, 0, 2), []int{4, 2}, []int{0, 1, 4, 5}},
		{sliced([]int{2, 2}, 1, 3), []int{2, 5}, []int{1, 2, 6, 7}},
		{transposed([]int{2, 3}, []int{1, 0}), []int{3, 2}, []int{0, 2, 4, 1, 3, 5}},
		{transposed([]int{2, 1, 3}, []int{2, 0, 1}), []int{1, 3, 2}, []int{0, 2, 4, 1, 3, 5}},
		{broadcast([]int{3, 2}, 0), []int{1, 2}, []int{0, 1, 0, 1, 0, 1}},
	} {
		var at []int
		for i := range c.at {
			at = append(at, c.view.element(i))
		}
		if !slices.Equal(at, c.at) || !slices.Equal(c.view.base, c.base) {
			t.Errorf("%v: elements %v of %v, want %v of %v", c.view, at, c.view.base, c.at, c.base)
		}
	}
	if n := broadcast([]int{3, 2}, 0).elements(); n != 2 {
		t.Errorf("%v elements of a broadcast, want 2", n)
	}
}

// Half of the reductions that are drawn are of views, and of each kind.
func TestDrawnViews(t *testing.T) {
	kinds := map[string]int{}
	for _, w := range (Sample{Seed: 5, Count: 200, Family: "reductions"}).works(Small) {
		kind := "dense"
		if _, ok := w.Params["view"]; ok {
			kind = w.Name[strings.LastIndex(w.Name, " ")+1:]
		}
		kinds[kind]++
	}
	if kinds["dense"] < 80 || kinds["dense"] > 140 {
		t.Errorf("%d of 200 are dense", kinds["dense"])
	}
	for _, kind := range []string{"stepped", "sliced", "transposed", "broadcast"} {
		if kinds[kind] < 8 {
			t.Errorf("%d of 200 are %s: %v", kinds[kind], kind, kinds)
		}
	}
}

// The factors of a product along a dimension that repeats one element are rounded alike, and so are products of some of them: their product is within the bound, which
// is no more than a rounding for each factor and the product.
func TestRepeatedFactors(t *testing.T) {
	const each, n = 8, 7552
	w := reducedAlong(catalog.ReductionNamed("prod"), []int{3, n}, 1).seen(broadcast([]int{3, n}, 1))
	for i := range 100 {
		factor, part, product := 1.002+float32(i)*3e-5, float32(1), float32(1)
		for range each {
			part *= factor
		}
		for range n / each {
			product *= part
		}
		want, bound := w.Want([]Values{func(int) float64 { return float64(factor) }}, 1)
		if off := math.Abs(float64(product) - want); off > bound || bound > (n+1)*0x1p-24*want {
			t.Errorf("%v: %g, want %g within %g", factor, product, want, bound)
		}
	}
}
