package lower

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// TestRearrange moves elements by every op that does nothing else, on any number of threads.
func TestRearrange(t *testing.T) {
	for _, threads := range []int{1, 8, 64, 256} {
		for name, f := range map[string]func(k *tile.Builder, v *tile.Value) *tile.Value{
			"transpose": func(k *tile.Builder, v *tile.Value) *tile.Value { return v.Reshape(32, 16).Transpose() },
			"reshape": func(k *tile.Builder, v *tile.Value) *tile.Value {
				return v.Reshape(512).Add(k.Arange(512)).Reshape(4, 4, 32).Permute(1, 2, 0).Reshape(16, 32)
			},
			"split": func(k *tile.Builder, v *tile.Value) *tile.Value {
				even, odd := v.Reshape(16, 16, 2).Split()
				return odd.Join(even).Reshape(16, 32)
			},
			"join": func(k *tile.Builder, v *tile.Value) *tile.Value {
				first, second := v.Join(v.Neg()).Reshape(32, 16, 2).Transpose().Permute(2, 0, 1).Reshape(16, 32, 2).Split()
				return first.Sub(second.Mul(3))
			},
			"expand": func(k *tile.Builder, v *tile.Value) *tile.Value {
				return v.Mul(k.Arange(32).Expand(0)).Add(k.Arange(16).Expand(1)).Add(v.Sum(1).Reshape(16).Expand(1))
			},
		} {
			k := axistest.Build(t, "rearrange", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: threads})
				x, y := k.In("x", dtype.I32, 2), k.Out("y", dtype.I32, 2)
				y.Block(16, 32).Store(f(k, x.Block(16, 32).Load(0, 0)), 0, 0)
			})
			forms := matrices(t, 15, 31)
			for _, form := range []string{"columns", "odd offset"} {
				l := forms[form]
				t.Run(fmt.Sprintf("%s/%d threads/%s", name, threads, form), func(t *testing.T) {
					_, h := l.Bounds()
					differential(t, k, []int{h + 1, h + 1}, []tensor{{l, 0}, {l, 1}}, false, 0)
				})
			}
		}
	}
}

// TestReshapeMovesNothing: where a kernel has no other use for the shapes, their
// distributions follow from each other and nothing goes through shared memory.
func TestReshapeMovesNothing(t *testing.T) {
	k := axistest.Build(t, "reshape", func(k *tile.Builder) {
		x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
		even, odd := x.Block(16, 256).Load(0, 0).Reshape(8, 512).Reshape(8, 256, 2).Split()
		v := even.Join(odd).Permute(1, 0, 2).Permute(1, 0, 2).Reshape(8, 512)
		y.Block(16, 256).Store(v.Reshape(16, 256).Mul(k.Arange(256).Expand(0).Cast(dtype.F32)), 0, 0)
	})
	l := axistest.Strided(t, []int{16, 256}, []int{256, 1}, 0)
	for name, caps := range lowertest.Targets {
		r, err := Lower(k, axis.FactsOf([]layout.Layout{l, l}, []int{0, 1}), caps)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Kernel.Shared) != 0 {
			t.Errorf("%s: elements move:\n%v", name, r.Notes)
		}
	}
}
