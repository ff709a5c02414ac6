package lower_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/wgsl"
)

// subgroupProducts are products whose texts Tint compiles: the sums are stored as they are, changed and stored, rescaled in the loop.
var subgroupProducts = map[string]func(k *tile.Builder, sums *tile.Value) (scaled, out *tile.Value){
	"plain": func(k *tile.Builder, sums *tile.Value) (scaled, out *tile.Value) { return sums, sums },
	"epilogue": func(k *tile.Builder, sums *tile.Value) (scaled, out *tile.Value) {
		return sums, tile.GELU(sums).Sub(sums.Max(1))
	},
	"rescaled": func(k *tile.Builder, sums *tile.Value) (scaled, out *tile.Value) { return sums.Mul(0.5), sums },
}

// TestSubgroupMatricesPassTint: what WGSL has of subgroup matrices suffices for products with all that is done to their sums.
func TestSubgroupMatricesPassTint(t *testing.T) {
	rows, err := layout.Contiguous(128, 128)
	if err != nil {
		t.Fatal(err)
	}
	caps, texts := lowertest.SubgroupMatrices, map[string]string{}
	caps.SharedBytes = 16 << 10 // what Dawn without a device has
	for name, change := range subgroupProducts {
		for _, elem := range []dtype.Type{dtype.F16, dtype.F32} {
			for _, threads := range []int{128, 256} {
				k, err := tile.Build(name, func(k *tile.Builder) {
					k.Schedule(tile.Schedule{Threads: threads, Stages: 2})
					precision := map[dtype.Type]tile.Precision{dtype.F16: tile.Float32Accumulate, dtype.F32: tile.TF32}[elem]
					a, b, y := k.In("a", elem, 2), k.In("b", elem, 2), k.Out("y", dtype.F32, 2)
					acc := k.Var(k.Zeros(dtype.F32, 32, 64))
					for i := range k.Range(k.CDiv(a.Dim(1), 32)) {
						scaled, _ := change(k, acc.Get())
						acc.Set(tile.Dot(a.Block(32, 32).Load(0, i), b.Block(32, 64).Load(i, 0), scaled, precision))
					}
					_, out := change(k, acc.Get())
					y.Block(32, 64).Store(out, 0, 0)
				})
				if err != nil {
					t.Fatal(err)
				}
				r, err := lower.Lower(k, axis.FactsOf([]layout.Layout{rows, rows, rows}, []int{0, 1, 2}), caps)
				if err != nil {
					t.Fatal(err)
				}
				text, err := wgsl.Emit(r.Kernel, caps)
				if err != nil {
					t.Fatal(err)
				}
				what := fmt.Sprintf("%s_%v_%d", name, elem, threads)
				texts[what] = text
				within, after, _ := strings.Cut(text, "\n    }\n") // the loop's end
				stores := strings.Count(within, "subgroupMatrixStore") > 0
				if !strings.Contains(within, "subgroupMatrixMultiplyAccumulate") || stores != (name == "rescaled") || !strings.Contains(after, "subgroupMatrixStore") {
					t.Errorf("%s: matrices are stored in the loop: %v\n%s", what, stores, text)
				}
			}
		}
	}
	testenv.Tint(t, texts)
}
