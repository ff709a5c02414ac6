package lower

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// TestNibbles unpacks and packs along every axis, by either word, and compares with the
// interpreter. Where no view prescribes how the parts are distributed over the threads, none changes its thread.
func TestNibbles(t *testing.T) {
	for _, word := range []dtype.Type{dtype.U8, dtype.U32} {
		n := 2 * word.Size()
		for _, elem := range []dtype.Type{dtype.I8, dtype.U8} {
			for along := range 2 {
				t.Run(fmt.Sprint(word, elem, along), func(t *testing.T) {
					packed, wide := []int{16, 32}, []int{16, 32}
					wide[along] *= n
					k := axistest.Build(t, "unpack", func(k *tile.Builder) {
						k.Schedule(tile.Schedule{Threads: 64})
						x, y := k.In("x", word, 2), k.Out("y", elem, 2)
						y.Block(wide...).Store(x.Block(packed...).Load(0, 0).Unpack4(along, elem), 0, 0)
					})
					back := axistest.Build(t, "pack", func(k *tile.Builder) {
						k.Schedule(tile.Schedule{Threads: 64})
						x, y := k.In("x", elem, 2), k.Out("y", word, 2)
						y.Block(packed...).Store(x.Block(wide...).Load(0, 0).Pack4(along, word), 0, 0)
					})
					for _, form := range []string{"rows", "odd offset"} {
						small, large := matrices(t, 15, 31)[form], matrices(t, wide[0]-1, wide[1]-1)[form]
						_, s := small.Bounds()
						_, l := large.Bounds()
						differential(t, k, []int{s + 1, l + 1}, []tensor{{small, 0}, {large, 1}}, false, 0)
						differential(t, back, []int{l + 1, s + 1}, []tensor{{large, 0}, {small, 1}}, false, 0)
					}
					stays := axistest.Build(t, "stays", func(k *tile.Builder) {
						k.Schedule(tile.Schedule{Threads: 64})
						x, y := k.In("x", word, 2), k.InOut("y", word, 2)
						parts := x.Block(packed...).Load(0, 0).Unpack4(along, elem).Xor(k.Iota(along, wide...).Cast(elem))
						y.Block(packed...).Store(parts.Pack4(along, word), 0, 0)
					})
					l := axistest.Strided(t, packed, []int{32, 1}, 0)
					r, err := Lower(stays, axis.FactsOf([]layout.Layout{l, l}, []int{0, 1}), lowertest.Targets["shuffles"])
					if err != nil {
						t.Fatal(err)
					}
					if notes := strings.Join(r.Notes, "\n"); strings.Contains(notes, "elements change") {
						t.Errorf("elements move:\n%s", notes)
					}
				})
			}
		}
	}
}
