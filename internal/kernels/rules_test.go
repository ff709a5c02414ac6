package kernels

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// testCaps are devices of all kinds.
var testCaps = map[string]target.Caps{
	"cpu":    {Language: target.TileIR, WholeTiles: true},
	"wgsl":   {Language: target.WGSL, MaxThreads: 256, SharedBytes: 16 << 10},
	"cuda":   {Language: target.CUDA, MaxThreads: 1024, SharedBytes: 48 << 10, Machine: target.MachineOf("NVIDIA H200", target.Discrete)},
	"matrix": target.Caps{Language: target.CUDA, MaxThreads: 1024, SharedBytes: 227 << 10, Registers: 255, Machine: target.MachineOf("NVIDIA H200", target.Discrete)}.WithCapability(90),
}

// What was measured on an H200 to be faster than what the rules once chose is what they choose.
func TestMeasuredRules(t *testing.T) {
	h200, ok := target.PresetNamed("h200")
	if !ok {
		t.Fatal("no preset")
	}
	x, err := layout.Contiguous(16384, 4096)
	if err != nil {
		t.Fatal(err)
	}
	if s := (NormProblem{Elem: weft.F32, X: tune.ViewOf(x), Row: [MaxRank]bool{false, true}}).Rule(h200.Caps); s.Threads != 128 {
		t.Errorf("rows of 4096 are normalised by %d threads", s.Threads)
	}
	if s := (ReduceProblem{Elem: weft.F32, X: tune.ViewOf(x), Reduced: [MaxRank]bool{true}}).Rule(h200.Caps); s.Area != 1024 || s.Threads != 128 {
		t.Errorf("sums of columns by %+v", s)
	}
	if s := (ReduceProblem{Elem: weft.F32, X: tune.ViewOf(x), Reduced: [MaxRank]bool{false, true}}).Rule(h200.Caps); s.Area != 4096 || s.Threads != 256 {
		t.Errorf("sums of rows by %+v", s)
	}
	weights := QuantView{QuantScheme: QuantScheme{Bits: 4, Block: [2]int{128, 1}}, Scale: weft.F32}
	if cfg := (QuantizedProblem{Elem: weft.F16, A: MatrixView(1, 4096, 1), N: 4096, Weights: weights}).Rule(h200.Caps); cfg.BM != 1 || cfg.BN != 8 || cfg.BK != 512 || cfg.Threads != 256 || cfg.SplitK != 0 {
		t.Errorf("one row times 4-bit weights by %+v", cfg)
	}
}
