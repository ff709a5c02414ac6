package lower

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Points whose indices are neighbours are read and written by vectors, as far as facts allow; what they
// read and write is the same.
func TestPointVectors(t *testing.T) {
	dense := func(size int) func() layout.Layout {
		return func() layout.Layout { return axistest.Strided(t, []int{size}, []int{1}, 0) }
	}
	table := func(cols, stride int) func() layout.Layout {
		return func() layout.Layout { return axistest.Strided(t, []int{20, cols}, []int{stride, 1}, 0) }
	}
	for _, c := range []struct {
		name   string
		rank   int
		layout func() layout.Layout
		points func(k *tile.Builder, x *tile.View, i *tile.Value) tile.Points
		want   string
	}{
		{"neighbours", 1, dense(256), func(_ *tile.Builder, x *tile.View, i *tile.Value) tile.Points { return x.At(i) },
			"vectors of 4 f32: indices contiguous by 128 and divisible by 128 along axis 0"},
		{"beyond the end", 1, dense(196), func(_ *tile.Builder, x *tile.View, i *tile.Value) tile.Points { return x.At(i.Sub(4)) },
			"vectors of 4 f32: indices contiguous by 128 and divisible by 4 along axis 0"},
		{"odd size", 1, dense(197), func(_ *tile.Builder, x *tile.View, i *tile.Value) tile.Points { return x.At(i) },
			"vectors of 1 f32: size of dimension 0 known to be a multiple of 1"},
		{"odd start", 1, dense(256), func(_ *tile.Builder, x *tile.View, i *tile.Value) tile.Points { return x.At(i.Add(3)) },
			"vectors of 1 f32: indices contiguous by 128 and divisible by 1 along axis 0"},
		{"pairs", 1, dense(256), func(_ *tile.Builder, x *tile.View, i *tile.Value) tile.Points { return x.At(i.Xor(6)) },
			"vectors of 2 f32: indices contiguous by 2 and divisible by 2 along axis 0"},
		{"aligned mask", 1, dense(256), func(_ *tile.Builder, x *tile.View, i *tile.Value) tile.Points { return x.At(i).Mask(i.Lt(100)) },
			"vectors of 4 f32: mask equal by 4 along axis 0"},
		{"odd mask", 1, dense(256), func(_ *tile.Builder, x *tile.View, i *tile.Value) tile.Points { return x.At(i).Mask(i.Lt(98)) },
			"vectors of 2 f32: mask equal by 2 along axis 0"},
		{"columns", 2, table(16, 16), func(_ *tile.Builder, x *tile.View, i *tile.Value) tile.Points { return x.At(i.Div(16), i.Rem(16)) },
			"vectors of 4 f32: indices contiguous by 16 and divisible by 16 along axis 0"},
		{"rows change", 2, table(16, 16), func(_ *tile.Builder, x *tile.View, i *tile.Value) tile.Points { return x.At(i.Div(2), i.Rem(16)) },
			"vectors of 2 f32: indices of dimension 0 equal by 2 along axis 0"},
		{"odd rows", 2, table(16, 17), func(_ *tile.Builder, x *tile.View, i *tile.Value) tile.Points { return x.At(i.Div(16), i.Rem(16)) },
			"vectors of 1 f32: stride of dimension 0 known to be a multiple of 1"},
		{"down a column", 2, table(16, 16), func(_ *tile.Builder, x *tile.View, i *tile.Value) tile.Points { return x.At(i, 3) },
			"vectors of 1 f32: indices contiguous by 1 and divisible by 1 along axis 0"},
	} {
		for _, threads := range []int{1, 8, 32} {
			build := func(elem dtype.Type) *tile.Func {
				return axistest.Build(t, "points", func(k *tile.Builder) {
					k.Schedule(tile.Schedule{Threads: threads})
					x, y := k.In("x", elem, c.rank), k.Out("y", elem, c.rank)
					k.Grid(2)
					i := k.ProgramID(0).Mul(128).Add(k.Arange(128))
					v := c.points(k, x, i).Fill(7).Gather()
					c.points(k, y, i).Scatter(v.Add(1))
				})
			}
			k, l := build(dtype.F32), c.layout()
			_, h := l.Bounds()
			t.Run(fmt.Sprintf("%s/%d", c.name, threads), func(t *testing.T) {
				for _, elem := range []dtype.Type{dtype.F32, dtype.F16, dtype.U8} {
					differential(t, build(elem), []int{h + 5, h + 5}, []tensor{{l, 0}, {l, 1}}, false, 0)
				}
				r, err := Lower(k, axis.FactsOf([]layout.Layout{l, l}, []int{0, 1}), lowertest.Targets["shuffles"])
				if err != nil {
					t.Fatal(err)
				}
				for _, view := range []string{"gather: x by ", "scatter: y by "} {
					if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.HasSuffix(n, view+c.want) }) {
						t.Errorf("want %s%s of\n%s", view, c.want, strings.Join(r.Notes, "\n"))
					}
				}
			})
		}
	}
}
