package ops_test

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
)

// reduction emits the first pass of a reduction of a dense matrix along one of its dimensions.
func reduction(t *testing.T, caps target.Caps, op ops.ReduceOp, elem weft.DType, rows, columns, axis int) *compile.Artifact {
	t.Helper()
	x, out := dense([]int{rows, columns}), []int{rows, columns}
	var reduced [5]bool
	reduced[axis] = true
	cfg, parts := ops.ReduceConfigFor(caps, op, elem, x, reduced)
	out[axis] = parts
	k, err := ops.ReduceKernel.Build(cfg)
	if err != nil {
		t.Fatal(err)
	}
	layouts, buffers := []layout.Layout{x}, []int{0}
	for i := range k.Views[1:] {
		layouts, buffers = append(layouts, dense(out)), append(buffers, i+1)
	}
	a, err := compile.Emit(k, lower.FactsOf(layouts, buffers), caps)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Along rows and down columns threads read memory in runs and add up what they read in
// registers; they meet once, at the end.
func TestReduceGoldens(t *testing.T) {
	for language, caps := range map[string]target.Caps{"wgsl": wgslCaps, "cu": cudaCaps} {
		golden(t, "reduce_rows."+language, reduction(t, caps, ops.ReduceSum, weft.F32, 65536, 4096, 1).Source.Text)
		golden(t, "reduce_columns."+language, reduction(t, caps, ops.ReduceSum, weft.F32, 65536, 4096, 0).Source.Text)
	}
}

// A row stays in registers between its statistics and the result.
func TestNormGoldens(t *testing.T) {
	for language, caps := range map[string]target.Caps{"wgsl": wgslCaps, "cu": cudaCaps} {
		x, row := dense([]int{65536, 4096}), dense([]int{1, 4096})
		cfg := ops.NormConfigFor(caps, weft.F16, x, [5]bool{1: true})
		cfg.Weight, cfg.Bias = true, true
		k, err := ops.NormKernel.Build(cfg)
		if err != nil {
			t.Fatal(err)
		}
		a, err := compile.Emit(k, lower.FactsOf([]layout.Layout{x, row, row, x}, []int{0, 1, 2, 3}), caps)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "layernorm."+language, a.Source.Text)
	}
}
