package kernels

import (
	"testing"

	"github.com/weftgpu/weft"
)

// Rows that programs share are read once where programs may wait for each other and a second reading takes longer than that.
func TestRowsAreReadOnce(t *testing.T) {
	for _, c := range []struct {
		preset     string
		rows, cols int
		once       bool
	}{
		{"h200", 1, 1 << 26, true}, {"h200", 3, 10_000_000, true}, {"h200", 1, 20_000, false}, {"h200", 4, 100_000, false}, {"h200", 1, 1 << 21, false},
		{"h200", 1 << 14, 1 << 14, false}, // each row has a program
		{"cpu", 1, 1 << 24, true}, {"cpu", 1, 1 << 14, false}, {"vulkan-nvidia", 1, 1 << 26, false}, {"webgpu", 1, 1 << 26, false},
	} {
		preset := preset(t, c.preset)
		p := ScanProblem{Op: ReduceSum, Elem: weft.F32, Rows: MatrixView(c.rows, c.cols, 1)}
		sizes := p.Rule(preset.Caps)
		if err := p.Legal(preset.Caps, sizes); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
		plan := p.Plan(sizes)
		if s := (ScanProblem{Op: ReduceSum, Elem: weft.F32, Rows: MatrixView(c.cols, c.rows, 1), Columns: true}).Rule(preset.Caps); c.rows > 1 && s.Group > 0 {
			t.Errorf("columns of %+v: %+v", c, s)
		}
		if (plan.Words > 0) != c.once || (plan.Config.Group > 0) != c.once || c.once && (plan.Config.Walk || plan.Config.Parts > 0) {
			t.Errorf("%+v: %+v", c, plan)
		}
	}
}
