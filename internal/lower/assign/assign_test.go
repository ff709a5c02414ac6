package assign

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// TestMatmulKeepsItsTiles: the tiles that were measured for products on GPUs, of operands by rows and by
// columns, are those that the costs choose.
func TestMatmulKeepsItsTiles(t *testing.T) {
	for _, c := range [][4]int{{64, 64, 16, 256}, {128, 128, 16, 128}, {128, 128, 8, 256}, {64, 128, 16, 128}, {32, 32, 16, 64}} {
		k := axistest.Build(t, "matmul", func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: c[3]})
			a, b, out := k.In("a", dtype.F32, 2), k.In("b", dtype.F32, 2), k.Out("out", dtype.F32, 2)
			acc := k.Var(k.Zeros(dtype.F32, c[0], c[1]))
			for i := range k.Range(k.CDiv(a.Dim(1), c[2])) {
				acc.Set(tile.Dot(a.Block(c[0], c[2]).Load(0, i), b.Block(c[2], c[1]).Load(i, 0), acc.Get(), tile.IEEE))
			}
			out.Block(c[0], c[1]).Store(acc.Get(), 0, 0)
		})
		for _, forms := range [][2]layout.Layout{
			{lowertest.Rows(t, 1024, 1024), lowertest.Rows(t, 1024, 1024)}, {lowertest.Columns(t, 1024, 1024), lowertest.Columns(t, 1024, 1024)},
			{lowertest.Rows(t, 1023, 1023), lowertest.Columns(t, 1023, 1023)}, {lowertest.Columns(t, 1024, 1024), lowertest.Rows(t, 1024, 1024)},
		} {
			facts := axis.FactsOf([]layout.Layout{forms[0], forms[1], lowertest.Rows(t, 1024, 1024)}, []int{0, 1, 2})
			a := New(k, facts, c[3], lowertest.Targets["shuffles"], Fallback{})
			got := make([]layout.Linear, len(a.Sites))
			for i, s := range a.Sites {
				got[i] = a.In(s)
			}
			onePerShape(a, k)
			for i, s := range a.Sites {
				if want := a.In(s); !got[i].Equal(want) {
					t.Errorf("%v, %v by %v: %v is in %v, want %v", c, forms[0], forms[1], s, got[i], want)
				}
			}
		}
	}
}
