package ops_test

import (
	"os"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend/cuda"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

func TestZZDump(t *testing.T) {
	cfg := ops.MatMulConfigFor(matrixCaps, weft.F16, 4096, 4096, 4096)
	cfg.Elem, cfg.Out, cfg.Precision, cfg.BK, cfg.Stages = weft.F32, weft.F32, tile.TF32, 32, 4
	t.Logf("%+v", cfg)
	k, err := ops.MatMulKernel.Build(cfg)
	if err != nil {
		t.Fatal(err)
	}
	const n = 4096
	dense, _ := layout.Contiguous(n, n)
	for name, ls := range map[string][]layout.Layout{"nt": {dense, dense.Transpose(), dense}, "nn": {dense.Transpose(), dense.Transpose(), dense.Transpose()}} {
		a, err := compile.Emit(k, lower.FactsOf(ls, []int{0, 1, 2}), matrixCaps)
		if err != nil {
			t.Fatal(err)
		}
		os.WriteFile("/tmp/"+name+".cu", []byte(a.Source.Text), 0o644)
		cubin, log, err := cuda.CompileNVRTC("sm_90a", a.Source.Entry, a.Source.Text)
		if err != nil || log != "" {
			t.Errorf("%v %s", err, log)
		}
		os.WriteFile("/tmp/"+name+".cubin", cubin, 0o644)
		list, _ := cuda.ResourceUsage(cubin)
		t.Logf("%s %+v dynamic %d\n", name, list, a.Source.Dynamic)
		for _, x := range a.Notes {
			t.Log(x)
		}
	}
}
