package emit

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/layout"
)

// Multiply-adds of a step take each sum once, and one operand of the one before: its row's or its column's.
func TestSerpentineSharesAnOperand(t *testing.T) {
	power := func(t *rapid.T, most int, name string) int { return 1 << rapid.IntRange(0, most).Draw(t, name) }
	rapid.Check(t, func(t *rapid.T) {
		shape, vec := []int{power(t, 6, "rows"), power(t, 6, "columns")}, []int{power(t, 2, "vector of rows"), power(t, 2, "vector of columns")}
		vec[0], vec[1] = min(vec[0], shape[0]), min(vec[1], shape[1])
		order := rapid.SampledFrom([][]int{{0, 1}, {1, 0}}).Draw(t, "order")
		if rapid.Bool().Draw(t, "batch") { // of threads alone
			shape, vec, order = append([]int{4}, shape...), append([]int{1}, vec...), []int{0, order[0] + 1, order[1] + 1}
		}
		dist := layout.Blocked(shape, power(t, 8, "threads"), order, vec)
		list := serpentine(dist)
		if sorted := slices.Sorted(slices.Values(list)); len(list) != dist.Size(layout.Register) || sorted[0] != 0 || len(slices.Compact(sorted)) != len(list) {
			t.Fatalf("registers %v of %v", list, dist)
		}
		last := dist.Rank() - 1
		for i := range list[1:] {
			before, at := distribution.RegisterCoord(dist, list[i]), distribution.RegisterCoord(dist, list[i+1])
			if sameMatrix := slices.Equal(before[:last-1], at[:last-1]); sameMatrix && before[last-1] != at[last-1] && before[last] != at[last] {
				t.Fatalf("%v after %v in %v", at, before, dist)
			}
		}
	})
}
