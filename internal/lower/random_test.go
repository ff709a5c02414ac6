package lower_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/weftgpu/weft/internal/kernelgen"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/target"
)

// randomTargets are the capabilities that random kernels are lowered for: what lowering and the
// emitters tell apart.
var randomTargets = map[string]target.Caps{
	"wgsl 16 KiB":      {Language: target.WGSL, MaxThreads: 256, SharedBytes: 16 << 10},
	"wgsl 32 KiB":      {Language: target.WGSL, MaxThreads: 1024, SharedBytes: 32 << 10, Registers: 32},
	"wgsl 128 threads": {Language: target.WGSL, MaxThreads: 128, SharedBytes: 32 << 10, Registers: 255},
	"wgsl f16":         {Language: target.WGSL, MaxThreads: 256, SharedBytes: 32 << 10, F16: true, F16Nearest: true},
	"wgsl subgroups":   {Language: target.WGSL, MaxThreads: 256, SharedBytes: 32 << 10, SubgroupSize: 32, F16: true},
	"spirv":            {Language: target.SPIRV, MaxThreads: 1024, SharedBytes: 48 << 10, SubgroupSize: 32, Registers: 255, F16: true, F16Nearest: true, Int64: true, AtomicAddF32: true},
	"spirv least":      {Language: target.SPIRV, MaxThreads: 128, SharedBytes: 16 << 10, Registers: 32},
	"cuda sm_80":       {Language: target.CUDA, Arch: "sm_80", MaxThreads: 1024, SharedBytes: 48 << 10, SubgroupSize: 32, Registers: 255, Int64: true, Float64: true},
	"cuda sm_90a":      {Language: target.CUDA, Arch: "sm_90a", MaxThreads: 1024, SharedBytes: 227 << 10, SubgroupSize: 32, Registers: 255, Int64: true, Float64: true},
	"cuda tensor cores": target.Caps{Language: target.CUDA, Arch: "sm_90a", MaxThreads: 1024, SharedBytes: 227 << 10, SubgroupSize: 32, Registers: 255, Int64: true, Float64: true}.
		WithCapability(target.Ampere),
}

// TestRandomKernels runs random kernels, lowered for several targets, on the
// checking machine.
func TestRandomKernels(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(randomTargets)) {
		t.Run(name, func(t *testing.T) {
			caps, o := randomTargets[name], kernelgen.Options{NoInt64: !randomTargets[name].Int64, NoFloat64: !randomTargets[name].Float64}
			if caps.MaxThreads < 256 {
				o.Threads = []int{0, 1, 32, 128}
			}
			kernelgen.Check(t, 60, false, o, func(t kernelgen.TB, c *kernelgen.Case, r *kernelgen.Report) {
				folded := len(c.Kernel.Body.Ops)%2 == 0
				if err := r.Run(c, func() ([][]byte, error) { return onMachine(c, caps, folded) }); err != nil {
					t.Fatalf("%v", err)
				}
			})
		})
	}
}

// onMachine lowers a case and runs it on the checking machine.
func onMachine(c *kernelgen.Case, caps target.Caps, folded bool) ([][]byte, error) {
	grid, words, err := c.Launch()
	if err != nil {
		return nil, err
	}
	facts := axis.FactsOf(c.Layouts(), c.Buffers())
	physical := grid
	if folded {
		facts.Folded = true
		total := grid[0] * grid[1] * grid[2]
		physical = [3]int{3, (total + 2) / 3, 1}
	}
	low, err := lower.Lower(c.Kernel, facts, caps)
	if err != nil {
		return nil, err
	}
	words = append(words, uint32(grid[0]), uint32(grid[1]), uint32(grid[2]), uint32(physical[0]))
	var used []uint32
	for _, w := range low.Words {
		used = append(used, words[w])
	}
	got := c.Memory()
	return got, machine.Run(low.Kernel, physical, got, used)
}
