package lower_test

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// Rows are sorted, of lengths that words of memory do and do not hold whole, several in a tile by digits of 4 bits, and one by the ranks of warps: among a few registers, and by counts in shared memory.
func TestSortKernels(t *testing.T) {
	for _, elem := range []weft.DType{weft.F32, weft.F16, weft.U8} {
		for _, side := range []int{32, 33} {
			for _, cfg := range []kernels.SortConfig{{Rows: 8, Tile: 64, Threads: 64}, {Rows: 1, Tile: 128, Threads: 32, Run: 128}, {Rows: 1, Tile: 256, Threads: 64, Run: 64, Descending: true}, {Rows: 1, Tile: 256, Threads: 32, Run: 256}} {
				t.Run(fmt.Sprintf("%v/%d/%d", elem, side, cfg.Run), func(t *testing.T) {
					cfg.Elem, cfg.Rank, cfg.Values, cfg.Indices = elem, 2, true, true
					k, err := kernels.SortRows.Build(cfg)
					if err != nil {
						t.Fatal(err)
					}
					t.Logf("shared memory: %v", lower.CheckLibraryKernel(t, k, side, 0, 0, uint32(8*elem.Size())))
				})
			}
		}
	}
}

// What the rule chooses fits shared memory of any size, in a language whose arrays of different types share none.
func TestSortRulesFit(t *testing.T) {
	preset, _ := target.PresetNamed("webgpu-amd")
	for _, shared := range []int{16 << 10, 32 << 10, 48 << 10, 64 << 10} {
		for _, subgroup := range []int{0, 32} {
			for _, elem := range []weft.DType{weft.U32, weft.F16} {
				for _, row := range []int{2048, 4000, 8192, 20_000} {
					t.Run(fmt.Sprintf("%d/%d/%v/%d", shared, subgroup, elem, row), func(t *testing.T) {
						caps := preset.Caps
						caps.SharedBytes, caps.SubgroupSize = shared, subgroup
						p := kernels.SortProblem{Elem: elem, Values: true, Indices: true, X: tune.View{Rank: 2, Unit: true, Align: 16, Size: [5]int{3, row}, Order: [5]int8{0, 1}}}
						checkFits(t, p, caps)
					})
				}
			}
		}
	}
}

// The rule chooses what fits the devices of all presets, with the totals that threads exchange, and where the result is the order alone.
func TestSortRulesFitPresets(t *testing.T) {
	for _, preset := range target.Presets() {
		for _, elem := range []weft.DType{weft.F32, weft.F16, weft.I8} {
			for _, row := range []int{1197, 1677, 4096, 20_000} {
				t.Run(fmt.Sprintf("%s/%v/%d", preset.Name, elem, row), func(t *testing.T) {
					view := tune.View{Rank: 2, Unit: true, Align: 16, Size: [5]int{3, row}, Order: [5]int8{0, 1}}
					for _, values := range []bool{true, false} {
						checkFits(t, kernels.SortProblem{Elem: elem, Values: values, Indices: true, X: view}, preset.Caps)
					}
				})
			}
		}
	}
}

// checkFits lowers what the rule chooses.
func checkFits(t *testing.T, p kernels.SortProblem, caps target.Caps) {
	t.Helper()
	k, err := p.Kernel(p.Rule(caps))
	if err != nil {
		t.Fatal(err)
	}
	forms, args := make([]layout.Layout, len(k.Views)), make([]int, len(k.Views))
	for i, v := range k.Views {
		if forms[i], err = layout.Contiguous([]int{3, p.Row(), 16, 16}[:v.Rank]...); err != nil {
			t.Fatal(err)
		}
		args[i] = i
	}
	if _, err := lower.Lower(k, axis.FactsOf(forms, args), caps); err != nil {
		t.Errorf("%+v: %v", p.Rule(caps), err)
	}
}
