package lower

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/tile"
)

// TestAt takes single elements out of tiles of several sizes and types.
func TestAt(t *testing.T) {
	for _, elem := range []dtype.Type{dtype.F32, dtype.BF16, dtype.I8, dtype.Bool, dtype.I64} {
		for _, threads := range []int{1, 32, 128} {
			t.Run(fmt.Sprint(elem, threads), func(t *testing.T) {
				k := axistest.Build(t, "at", func(k *tile.Builder) {
					k.Schedule(tile.Schedule{Threads: threads})
					x, y := k.In("x", elem, 2), k.Out("y", elem, 2)
					v, p := x.Block(8, 16).Load(0, 0), k.ProgramID(0)
					k.Grid(9)
					for i, e := range []*tile.Value{v.At(p, 5), v.At(2, p.Mul(7).Sub(20)), v.At(7, 15), x.Block(1, 1).Load(p, 0).At(0, 0)} {
						y.Block(1, 1).Store(e, p, i)
					}
				})
				for name, l := range matrices(t, 9, 13) {
					_, h := l.Bounds()
					out := matrices(t, 9, 4)[name]
					_, ho := out.Bounds()
					differential(t, k, []int{h + 1, ho + 1}, []tensor{{l, 0}, {out, 1}}, false, 0)
				}
			})
		}
	}
}
