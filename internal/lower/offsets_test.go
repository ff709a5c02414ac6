package lower

import (
	"fmt"
	"math"
	"math/rand/v2"
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

// Blocks at offsets of elements compute what they do in the interpreter, by vectors as far as facts allow,
// also where an offset is near the least or the largest number.
func TestBlocksByElement(t *testing.T) {
	for _, c := range []struct {
		name   string
		layout layout.Layout
		row    func(p *tile.Value) tile.Operand
		column func(p *tile.Value) tile.Operand
		want   string
	}{
		{"multiples", axistest.Strided(t, []int{20, 64}, []int{64, 1}, 0), times(8), times(16), "load: x by vectors of 4 f32"},
		{"multiples, odd size", axistest.Strided(t, []int{21, 63}, []int{64, 1}, 0), times(8), times(16), "load: x by vectors of 1 f32: size of dimension 1"},
		{"aligned", axistest.Strided(t, []int{20, 64}, []int{64, 1}, 0), minus(3), times(4), "gather: x by vectors of 4 f32"},
		{"aligned, before the view", axistest.Strided(t, []int{20, 64}, []int{64, 1}, 0), minus(3), minus(8), "gather: x by vectors of 4 f32"},
		{"pairs", axistest.Strided(t, []int{20, 62}, []int{64, 1}, 0), minus(3), times(6), "gather: x by vectors of 2 f32"},
		{"odd", axistest.Strided(t, []int{20, 63}, []int{64, 1}, 0), minus(1), minus(1), "gather: x by vectors of 1 f32"},
		{"transposed", axistest.Strided(t, []int{20, 64}, []int{1, 20}, 0), times(4), minus(3), "gather: x by vectors of 4 f32"},
		{"the least number", axistest.Strided(t, []int{20, 64}, []int{64, 1}, 0), at(math.MinInt32), times(4), ""},
		{"the largest number", axistest.Strided(t, []int{20, 64}, []int{64, 1}, 0), times(4), at(math.MaxInt32 - 3), ""},
		{"both", axistest.Strided(t, []int{20, 64}, []int{64, 1}, 0), at(math.MaxInt32), at(math.MinInt32 + 1), ""},
	} {
		build := func(elem dtype.Type) *tile.Func {
			return axistest.Build(t, "offsets", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: 32})
				x, y := k.In("x", elem, 2), k.Out("y", elem, 2)
				k.Grid(3)
				p := k.ProgramID(0)
				v := x.Block(8, 16).Fill(7).LoadAt(c.row(p), c.column(p))
				k.If(p.Eq(1), func() { y.Block(8, 16).StoreAt(v.Add(1), c.row(p), c.column(p)) })
			})
		}
		_, h := c.layout.Bounds()
		t.Run(c.name, func(t *testing.T) {
			for _, elem := range []dtype.Type{dtype.F32, dtype.F16, dtype.U8, dtype.I32} {
				differential(t, build(elem), []int{h + 5, h + 5}, []tensor{{c.layout, 0}, {c.layout, 1}}, false, 0)
			}
			r, err := Lower(build(dtype.F32), axis.FactsOf([]layout.Layout{c.layout, c.layout}, []int{0, 1}), lowertest.Targets["shuffles"])
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{c.want, strings.NewReplacer("load: x", "store: y", "gather: x", "scatter: y").Replace(c.want)} {
				if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, want) }) {
					t.Errorf("want %s of\n%s", want, strings.Join(r.Notes, "\n"))
				}
			}
		})
	}
}

func times(n int) func(p *tile.Value) tile.Operand {
	return func(p *tile.Value) tile.Operand { return p.Mul(n) }
}

func minus(n int) func(p *tile.Value) tile.Operand {
	return func(p *tile.Value) tile.Operand { return p.Mul(2 * n).Sub(n) }
}

func at(n int) func(p *tile.Value) tile.Operand {
	return func(*tile.Value) tile.Operand { return n }
}

// Random offsets into random layouts.
func TestBlocksAtRandomOffsets(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 8))
	for i := range 40 {
		shape := []int{1 + rng.IntN(20), 1 + rng.IntN(40)}
		block := []int{1 << rng.IntN(4), 1 << rng.IntN(5)}
		stride := []int{shape[1] + rng.IntN(4), 1}
		if rng.IntN(3) == 0 {
			stride = []int{1, shape[0] + rng.IntN(4)}
		}
		l := axistest.Strided(t, shape, stride, rng.IntN(3))
		from := []int{rng.IntN(12) - 6, rng.IntN(12) - 6}
		step := []int{rng.IntN(9), rng.IntN(9)}
		threads := 1 << rng.IntN(6)
		t.Run(fmt.Sprint(i, shape, block, stride, from, step, threads), func(t *testing.T) {
			k := axistest.Build(t, "offsets", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: threads})
				x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
				k.Grid(1)
				for i := range k.Range(3) { // in order, since blocks overlap
					v := x.Block(block...).Fill(7).LoadAt(i.Mul(step[0]).Add(from[0]), i.Mul(step[1]).Add(from[1]))
					y.Block(block...).StoreAt(v.Add(1), i.Mul(step[0]).Add(from[1]), i.Mul(step[1]).Add(from[0]))
				}
			})
			_, h := l.Bounds()
			differential(t, k, []int{h + 5, h + 5}, []tensor{{l, 0}, {l, 1}}, false, 0)
		})
	}
}
