package lower

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// TestNibbles unpacks and packs along every axis, by either word, and compares with the
// interpreter; no element changes its thread.
func TestNibbles(t *testing.T) {
	for _, word := range []dtype.Type{dtype.U8, dtype.U32} {
		n := 2 * word.Size()
		for _, elem := range []dtype.Type{dtype.I8, dtype.U8} {
			for axis := range 2 {
				t.Run(fmt.Sprint(word, elem, axis), func(t *testing.T) {
					packed, wide := []int{16, 32}, []int{16, 32}
					wide[axis] *= n
					k := mustBuild(t, "unpack", func(k *tile.Builder) {
						k.Schedule(tile.Schedule{Threads: 64})
						x, y := k.In("x", word, 2), k.Out("y", elem, 2)
						y.Block(wide...).Store(x.Block(packed...).Load(0, 0).Unpack4(axis, elem), 0, 0)
					})
					back := mustBuild(t, "pack", func(k *tile.Builder) {
						k.Schedule(tile.Schedule{Threads: 64})
						x, y := k.In("x", elem, 2), k.Out("y", word, 2)
						y.Block(packed...).Store(x.Block(wide...).Load(0, 0).Pack4(axis, word), 0, 0)
					})
					for _, form := range []string{"rows", "odd offset"} {
						small, large := matrices(t, 15, 31)[form], matrices(t, wide[0]-1, wide[1]-1)[form]
						_, s := small.Bounds()
						_, l := large.Bounds()
						differential(t, k, []int{s + 1, l + 1}, []tensor{{small, 0}, {large, 1}}, false, 0)
						differential(t, back, []int{l + 1, s + 1}, []tensor{{large, 0}, {small, 1}}, false, 0)
					}
					dense := func(shape []int) layout.Layout { return strided(t, shape, []int{shape[1], 1}, 0) }
					for i, kernel := range []*tile.Kernel{k, back} {
						layouts := [][]layout.Layout{{dense(packed), dense(wide)}, {dense(wide), dense(packed)}}[i]
						r, err := Lower(kernel, FactsOf(layouts, []int{0, 1}), target.Caps{Language: target.CUDA, MaxThreads: 1024, SharedBytes: 48 << 10, SubgroupSize: 32})
						if err != nil {
							t.Fatal(err)
						}
						if notes := strings.Join(r.Notes, "\n"); strings.Contains(notes, "elements change") || len(r.Kernel.Shared) > 0 {
							t.Errorf("%s moves elements:\n%s", kernel.Name, notes)
						}
					}
				})
			}
		}
	}
}
