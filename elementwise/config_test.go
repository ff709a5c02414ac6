package elementwise

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
)

// mapLayouts are of inputs and outputs whose runs are along one dimension, and of those that cross.
func mapLayouts(t *testing.T) map[string][]layout.Layout {
	l, err := layout.Contiguous(300, 500)
	if err != nil {
		t.Fatal(err)
	}
	m, err := layout.Contiguous(500, 300)
	if err != nil {
		t.Fatal(err)
	}
	flat, err := layout.Contiguous(100_003)
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]layout.Layout{"dense": {flat, flat, flat}, "crossed": {l, m.Transpose(), l}}
}

// The problem of a map stands for its layouts: the rule chooses by either the same.
func TestMapProblemsStandForLayouts(t *testing.T) {
	for name, layouts := range mapLayouts(t) {
		for _, preset := range target.Presets() {
			p := NewProblem("add", dtype.F32, dtype.F32, layouts)
			if got, want := Tune.Rule(preset.Caps, p), ConfigFor(preset.Caps, dtype.F32, dtype.F32, layouts...); got != want {
				t.Errorf("%s on %s: %+v, want %+v", name, preset.Name, got, want)
			}
		}
	}
}
