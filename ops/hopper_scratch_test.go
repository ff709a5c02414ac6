package ops

import (
	"fmt"
	"os"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	cudart "github.com/weftgpu/weft/backend/cuda"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/internal/lower"
)

func TestScratch(t *testing.T) {
	caps := target.Caps{Language: target.CUDA, Arch: "sm_90a", MaxThreads: 1024, SharedBytes: 227 << 10, SubgroupSize: 32, Registers: 255}.WithCapability(90)
	cfg := matMulConfig(weft.F16, 0)
	cfg.BM, cfg.BN, cfg.BK, cfg.Threads, cfg.Stages = 128, 128, 64, 128, 3
	if s := os.Getenv("CFG"); s != "" {
		fmt.Sscan(s, &cfg.BM, &cfg.BN, &cfg.BK, &cfg.Threads, &cfg.Stages)
	}
	k, err := MatMulKernel.Build(cfg)
	if err != nil {
		t.Fatal(err)
	}
	l, _ := layout.Contiguous(4096, 4096)
	facts := lower.FactsOf([]layout.Layout{l, l, l}, []int{0, 1, 2})
	a, err := compile.Emit(k, facts, caps)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile("/tmp/hopper_matmul.cu", []byte(a.Source.Text), 0o666)
	for _, n := range a.Notes {
		fmt.Println(n)
	}
	cubin, log, err := cudart.CompileNVRTC("sm_90a", "x.cu", a.Source.Text)
	fmt.Println(len(cubin), log, err)
	os.WriteFile("/tmp/hopper_matmul.cubin", cubin, 0o666)
}
