package axis

import (
	"testing"

	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/layout"
)

// Facts differ exactly when their keys do: what a kernel relies on is all in
// the key.
func TestFactsKey(t *testing.T) {
	a := axistest.Strided(t, []int{64, 48}, []int{48, 1}, 0)
	base := FactsOf([]layout.Layout{a, a}, []int{0, 1})
	if again := FactsOf([]layout.Layout{axistest.Strided(t, []int{128 + 64, 80}, []int{80, 1}, 16), a}, []int{0, 1}); again.Key() != base.Key() {
		t.Errorf("equal facts have keys %s and %s", base.Key(), again.Key())
	}
	folded := base
	folded.Folded = true
	seen := map[string]string{base.Key(): "base", folded.Key(): "folded"}
	for name, f := range map[string]Facts{
		"one buffer":    FactsOf([]layout.Layout{a, a}, []int{0, 0}),
		"offset":        FactsOf([]layout.Layout{axistest.Strided(t, []int{64, 48}, []int{48, 1}, 8), a}, []int{0, 1}),
		"size":          FactsOf([]layout.Layout{axistest.Strided(t, []int{64, 47}, []int{48, 1}, 0), a}, []int{0, 1}),
		"stride":        FactsOf([]layout.Layout{axistest.Strided(t, []int{64, 48}, []int{50, 1}, 0), a}, []int{0, 1}),
		"no unit":       FactsOf([]layout.Layout{axistest.Strided(t, []int{64, 48}, []int{96, 2}, 0), a}, []int{0, 1}),
		"repeated rows": FactsOf([]layout.Layout{axistest.Strided(t, []int{64, 48}, []int{0, 1}, 0), a}, []int{0, 1}),
		"flipped rows":  FactsOf([]layout.Layout{axistest.Strided(t, []int{64, 48}, []int{-48, 1}, 63*48), a}, []int{0, 1}),
		"second view":   FactsOf([]layout.Layout{a, axistest.Strided(t, []int{64, 48}, []int{50, 1}, 0)}, []int{0, 1}),
	} {
		if other, dup := seen[f.Key()]; dup {
			t.Errorf("%s and %s have one key, %s", name, other, f.Key())
		}
		seen[f.Key()] = name
	}
}
