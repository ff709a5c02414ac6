package lower

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Warpgroups multiply whatever the sizes are where tensor maps copy both operands: what masks would cost threads that loaded them does not count.
func TestProducersOfOddSizes(t *testing.T) {
	caps := lowertest.MatrixTarget("sm_90a", 227<<10).WithCapability(target.Hopper)
	for _, elem := range []dtype.Type{dtype.F16, dtype.I8, dtype.F32} {
		for _, c := range []struct{ bm, bn, threads int }{{64, 16, 128}, {64, 32, 128}, {64, 64, 128}, {64, 256, 128}, {128, 32, 256}, {128, 128, 256}, {128, 256, 256}} {
			t.Run(fmt.Sprintf("%v/%v", elem, c), func(t *testing.T) {
				k := product(t, elem, c.bm, c.bn, 128/elem.Size(), tile.Schedule{Threads: c.threads, Stages: 3, Producers: 1})
				a := axistest.Strided(t, []int{4095, 4093}, []int{4096, 1}, 0)
				b := axistest.Strided(t, []int{4093, 4097}, []int{1, 4096}, 0) // along K
				out := axistest.Strided(t, []int{4095, 4097}, []int{4097, 1}, 0)
				r, err := Lower(k, axis.FactsOf([]layout.Layout{a, b, out}, []int{0, 1, 2}), caps)
				if err != nil {
					t.Fatal(err)
				}
				if lowertest.Count(r.Kernel, simt.GroupMMA) == 0 || lowertest.Count(r.Kernel, simt.TensorCopy) < 2 {
					t.Errorf("%d products of warpgroups, %d of warps, %d copies by tensor maps",
						lowertest.Count(r.Kernel, simt.GroupMMA), lowertest.Count(r.Kernel, simt.MMA), lowertest.Count(r.Kernel, simt.TensorCopy))
				}
			})
		}
	}
}
