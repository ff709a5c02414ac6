package lower_test

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower"
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
