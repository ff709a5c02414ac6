package lower_test

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/lower"
)

// Rows are sorted, of lengths that words of memory do and do not hold whole, several in a tile.
func TestSortKernels(t *testing.T) {
	for _, elem := range []weft.DType{weft.F32, weft.F16, weft.U8} {
		for _, side := range []int{32, 33} {
			t.Run(fmt.Sprintf("%v/%d", elem, side), func(t *testing.T) {
				k, err := kernels.SortRows.Build(kernels.SortConfig{Elem: elem, Rank: 2, Values: true, Indices: true, Rows: 8, Tile: 64, Threads: 64})
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("shared memory: %v", lower.CheckLibraryKernel(t, k, side, 0))
			})
		}
	}
}
