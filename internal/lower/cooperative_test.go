package lower

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// TestCooperativeProducts compares products of cooperative matrices with the interpreter's, for fragments of several makers.
func TestCooperativeProducts(t *testing.T) {
	t.Parallel()
	for _, elem := range []dtype.Type{dtype.F16, dtype.BF16, dtype.I8} {
		targets := map[string]target.Caps{}
		for name, caps := range lowertest.CooperativeTargets {
			if caps.MatrixTypes().Has(elem) {
				targets[name] = caps
			}
		}
		for i, c := range []struct{ m, n, k, bm, bn, bk, threads, stages int }{
			{32, 32, 64, 32, 32, 32, 32, 1},
			{64, 64, 128, 64, 64, 64, 128, 2},
			{33, 47, 70, 16, 32, 32, 64, 2},
			{64, 128, 192, 64, 128, 32, 256, 2},
			{40, 24, 96, 32, 16, 64, 64, 2},
		} {
			for order := range 4 {
				if i > 1 && (order != i%4 && order != i%4^3) {
					continue
				}
				t.Run(fmt.Sprintf("%v/%v/%d", elem, c, order), func(t *testing.T) {
					k := product(t, elem, c.bm, c.bn, c.bk, tile.Schedule{Threads: c.threads, Stages: c.stages})
					orders := []string{"rows", "columns"}
					la, lb := matrices(t, c.m, c.k)[orders[order&1]], matrices(t, c.k, c.n)[orders[order>>1]]
					lo := matrices(t, c.m, c.n)["rows"]
					for _, l := range cases(t, targets, k, []int{c.m * c.k, c.k * c.n, c.m * c.n}, []tensor{{la, 0}, {lb, 1}, {lo, 2}}, false, matrixTolerance(elem, c.k)) {
						if lowertest.Count(l.kernel, simt.CooperativeMulAdd) == 0 && c.threads >= targets[l.target].SubgroupSize {
							t.Errorf("%s: no matrix instruction\n%v", l.target, l.kernel)
						}
						if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
							t.Fatalf("%s: %v\n%v", l.target, err, l.kernel)
						}
					}
				})
			}
		}
	}
}
