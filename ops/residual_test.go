package ops_test

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
)

// TestResidualsKeepStages: what an epilogue adds to the sums takes no stages from the copies of a producer.
func TestResidualsKeepStages(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	a, b, out := dense([]int{4096, 2048}), dense([]int{2048, 8192}), dense([]int{4096, 8192})
	for _, elem := range []weft.DType{weft.F16, weft.BF16} {
		cfg := kernels.MatMulConfigFor(h200.Caps, elem, 4096, 8192, 2048)
		if cfg.Producers == 0 || cfg.Stages < 3 {
			t.Fatalf("%v: %+v: no producer with stages to lose", elem, cfg)
		}
		beta, residual, wide := cfg, cfg, cfg
		beta.Epilogue.Beta, wide.Epilogue.Beta, wide.Out = true, true, weft.F32
		residual.Epilogue.Steps[0] = ops.AddMap
		residual.Epilogue.Inputs[0] = kernels.EpilogueTensor{Elem: elem, Rows: true, Cols: true}
		for name, c := range map[string]ops.MatMulConfig{"plain": cfg, "beta": beta, "residual": residual, "beta of F32": wide} {
			layouts := []layout.Layout{a, b, out}
			if name == "residual" {
				layouts = []layout.Layout{a, b, out, out}
			}
			k, err := kernels.MatMul.Build(c)
			if err != nil {
				t.Fatal(err)
			}
			r, err := lower.Lower(k, axis.FactsOf(layouts, []int{0, 1, 2, 3}[:len(layouts)]), h200.Caps)
			if err != nil {
				t.Fatal(err)
			}
			stages := 0
			for _, s := range r.Kernel.Shared {
				stages = max(stages, s.Stages)
			}
			if r.Kernel.Producers == 0 || stages != c.Stages {
				t.Errorf("%v, %s: %d stages of %d, %d producers", elem, name, stages, c.Stages, r.Kernel.Producers)
			}
		}
	}
}
