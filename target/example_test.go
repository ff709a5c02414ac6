package target_test

import (
	"fmt"

	"github.com/weftgpu/weft/target"
)

// Kernels can be compiled for hardware that is not there.
func ExamplePresetNamed() {
	p, ok := target.PresetNamed("h200")
	fmt.Println(p.About, ok)
	fmt.Println(p.Caps.Language, p.Caps.Arch, p.Caps.MaxThreads, "threads,", p.Caps.SubgroupSize, "in a subgroup")
	// Output:
	// NVIDIA H200, CUDA, compute capability 9.0 true
	// cuda sm_90a 1024 threads, 32 in a subgroup
}

// A launch rule asks for what it would like and gets what there is.
func ExampleCaps_FitThreads() {
	small := target.Caps{Language: target.WGSL, MaxThreads: 128}
	fmt.Println(small.FitThreads(256), target.Caps{}.FitThreads(256))
	// Output:
	// 128 256
}
