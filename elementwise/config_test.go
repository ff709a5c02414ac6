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

// A tile of a transposition whose output has short rows spans as many of them as lie next to each other: runs of a sector and more are read and written on either side.
func TestShortRowsShareTiles(t *testing.T) {
	for _, shape := range [][]int{{2, 346, 7001}, {3, 45, 6, 789}, {5, 333, 7, 2001}, {1, 2, 50, 3000}} {
		l, err := layout.Contiguous(shape...)
		if err != nil {
			t.Fatal(err)
		}
		order := make([]int, len(shape))
		for d := range order {
			order[d] = len(shape) - 1 - d
		}
		from, err := l.Permute(order...)
		if err != nil {
			t.Fatal(err)
		}
		to, err := layout.Contiguous(from.Shape()...)
		if err != nil {
			t.Fatal(err)
		}
		layouts := Merge([]layout.Layout{from, to})
		for _, preset := range target.Presets() {
			cfg := ConfigFor(preset.Caps, dtype.F16, dtype.F16, layouts...)
			written, whole := 1, true // elements of a run
			for d := cfg.Rank - 1; d >= 0 && whole; d-- {
				written *= min(cfg.Block[d], layouts[1].Size(d))
				whole = cfg.Block[d] >= layouts[1].Size(d)
			}
			const sector = 16 // elements
			if read := cfg.Block[Crossing(layouts)]; cfg.Threads > 0 && preset.Caps.Registers != target.SoftwareRegisters && (read < sector || written < sector) {
				t.Errorf("%v backwards on %s: tiles %v read runs of %d elements and write runs of %d", shape, preset.Name, cfg.Block[:cfg.Rank], read, written)
			}
		}
	}
}
