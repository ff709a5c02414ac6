package ops

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	cudart "github.com/weftgpu/weft/backend/cuda"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

func TestScratch(t *testing.T) {
	caps := target.Caps{Language: target.CUDA, Arch: "sm_90a", MaxThreads: 1024, SharedBytes: 227 << 10, SubgroupSize: 32, Registers: 255}.WithCapability(90)
	elem := map[string]weft.DType{"f16": weft.F16, "bf16": weft.BF16, "f32": weft.F32, "i8": weft.I8, "": weft.F16}[os.Getenv("ELEM")]
	var k *tile.Kernel
	var layouts []layout.Layout
	var err error
	cont := func(s ...int) layout.Layout { l, _ := layout.Contiguous(s...); return l }
	if os.Getenv("KERNEL") == "attention" {
		head := 64
		fmt.Sscan(os.Getenv("HEAD"), &head)
		cfg := AttentionConfigFor(caps, elem, 4096, 4096, head)
		if s := os.Getenv("CFG"); s != "" {
			fmt.Sscan(s, &cfg.BM, &cfg.BN, &cfg.Threads, &cfg.Stages)
		}
		fmt.Printf("%+v\n", cfg)
		k, err = AttentionKernel.Build(cfg)
		layouts = []layout.Layout{cont(4, 16, 4096, head), cont(4, 16, 4096, head), cont(4, 16, 4096, head), cont(4, 16, 4096, head)}
	} else {
		cfg := matMulConfig(elem, 0)
		if elem == weft.F32 {
			cfg.Precision = tile.TF32
		}
		cfg = matMulConfigFor(caps, cfg, 4096, 4096, 4096)
		if s := os.Getenv("CFG"); s != "" {
			fmt.Sscan(s, &cfg.BM, &cfg.BN, &cfg.BK, &cfg.Threads, &cfg.Stages)
		}
		fmt.Printf("%+v\n", cfg)
		k, err = MatMulKernel.Build(cfg)
		l := cont(4096, 4096)
		layouts = []layout.Layout{l, l, l}
	}
	if err != nil {
		t.Fatal(err)
	}
	buffers := []int{0, 1, 2, 3}[:len(layouts)]
	a, err := compile.Emit(k, lower.FactsOf(layouts, buffers), caps)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile("/tmp/hopper_matmul.cu", []byte(a.Source.Text), 0o666)
	os.WriteFile("/tmp/hopper_matmul.simt", []byte(a.SimtIR()), 0o666)
	for _, n := range a.Notes {
		if os.Getenv("NOTES") != "" || strings.Contains(n, "stages in flight") || strings.Contains(n, "conversion") || strings.Contains(n, "mma") {
			fmt.Println(n)
		}
	}
	cubin, log, err := cudart.CompileNVRTC("sm_90a", "x.cu", a.Source.Text)
	fmt.Println("shared", a.Source.Shared, a.Source.Dynamic, len(cubin), log, err)
	os.WriteFile("/tmp/hopper_matmul.cubin", cubin, 0o666)
}
