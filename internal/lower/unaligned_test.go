package lower

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// Rows of narrow elements that begin and end anywhere are read in whole vectors, and the elements around them do not affect results: not those
// in the buffer, nor those after it, which the machine fills with ones.
func TestUnalignedRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	covered := map[string]int{}
	for _, elem := range []dtype.Type{dtype.F16, dtype.BF16, dtype.I8, dtype.U8, dtype.I16, dtype.U16} {
		for range 24 {
			rows, cols := 1+rng.IntN(9), 1+rng.IntN(70)
			from := axistest.Strided(t, []int{rows, cols}, []int{cols + rng.IntN(20), 1}, rng.IntN(17))
			if rng.IntN(4) == 0 { // the last row ends with the buffer's last vector
				rows, cols = 17, 32
				from = axistest.Strided(t, []int{rows, cols}, []int{cols + 1 + 2*rng.IntN(9), 1}, 0)
			}
			to := axistest.Strided(t, []int{rows, cols}, []int{(cols + 15) / 16 * 16, 1}, 0)
			if rng.IntN(2) == 0 {
				to = from
			}
			fill, by := float64(rng.IntN(5)), rng.IntN(3)-1 // blocks beyond the view on either side
			block := []int{1 << rng.IntN(3), 16 << rng.IntN(2)}
			k := axistest.Build(t, "unaligned", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: 1 << rng.IntN(4)})
				x, y := k.In("x", elem, 2), k.Out("y", elem, 2)
				at := k.ProgramTile(y, block...)
				v := x.Block(block...).Fill(fill).Load(at[0], at[1].(*tile.Value).Add(by))
				y.Block(block...).Store(v, at...)
			})
			name := fmt.Sprintf("%v %v from %v, blocks %v by %d", elem, to, from, block, by)
			layouts := []layout.Layout{from, to}
			sizes := []int{reach(from), reach(to)}
			t.Run(name, func(t *testing.T) {
				differential(t, k, sizes, []tensor{{from, 0}, {to, 1}}, rng.IntN(2) == 0, 0)
			})
			r, err := Lower(k, axis.FactsOf(layouts, []int{0, 1}), lowertest.Targets["shuffles"])
			if err != nil {
				t.Fatal(err)
			}
			simt.Walk(r.Kernel.Body, func(op *simt.Op) {
				if op.Kind == simt.Load && op.Packed {
					covered[elem.String()]++
				}
			})
		}
		if covered[elem.String()] == 0 {
			t.Errorf("no block of %v was read in vectors", elem)
		}
	}
}

// Memory that a kernel changes is read element by element: the words around an element are other threads' to write.
func TestUnalignedInPlace(t *testing.T) {
	l := axistest.Strided(t, []int{5, 61}, []int{67, 1}, 3)
	k := axistest.Build(t, "unaligned", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 4})
		x, y := k.In("x", dtype.F16, 2), k.Out("y", dtype.F16, 2)
		at := k.ProgramTile(y, 1, 64)
		y.Block(1, 64).Store(x.Block(1, 64).Load(at...).Neg(), at...)
	})
	differential(t, k, []int{reach(l)}, []tensor{{l, 0}, {l, 0}}, false, 0)
}
