package lowertest

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/layout"
)

// Rows returns the layout of an m×n matrix with contiguous rows.
func Rows(t *testing.T, m, n int) layout.Layout {
	return axistest.Strided(t, []int{m, n}, []int{n, 1}, 0)
}

// Columns returns the layout of an m×n matrix with contiguous columns.
func Columns(t *testing.T, m, n int) layout.Layout {
	return axistest.Strided(t, []int{m, n}, []int{1, m}, 0)
}

// AnyDistribution draws a distribution of [32,64] over 128 threads: a permutation
// of the bits of an element's coordinates, some of them joined with others.
func AnyDistribution(t *rapid.T, name string) layout.Linear {
	bases := [][]int{{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {0, 32}, {1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}}
	bases = rapid.Permutation(bases).Draw(t, name)
	for range rapid.IntRange(0, 3).Draw(t, "joins") {
		i, j := rapid.IntRange(0, 10).Draw(t, "i"), rapid.IntRange(0, 10).Draw(t, "j")
		if i != j {
			bases[i] = []int{bases[i][0] ^ bases[j][0], bases[i][1] ^ bases[j][1]}
		}
	}
	l, err := layout.NewLinear([]int{32, 64}, []layout.Input{{Name: layout.Register, Bases: bases[:4]}, {Name: layout.Thread, Bases: bases[4:]}})
	if err != nil {
		t.Fatal(err)
	}
	return l
}
