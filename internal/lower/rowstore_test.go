package lower

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// rowsStored counts what stores of rows have: vectors and single elements.
func rowsStored(k *simt.Func) (vectors, singles int) {
	simt.Walk(k.Body, func(op *simt.Op) {
		if op.Kind == simt.SharedLoad && strings.HasPrefix(op.Shared.Name, "rows_") {
			if op.Packed {
				vectors++
			} else {
				singles++
			}
		}
	})
	return vectors, singles
}

func up16(n int) int { return (n + 15) / 16 * 16 }

// anywhere draws a matrix whose rows, along a dimension, begin anywhere or at multiples of a vector and are of any length, of less elements than room.
func anywhere(t *testing.T, rng *rand.Rand, rows, cols, along int) layout.Layout {
	t.Helper()
	row, offset := cols+rng.IntN(20), rng.IntN(17)
	if rng.IntN(4) == 0 || cols%16 == 0 {
		row, offset = up16(cols), 16*rng.IntN(2)
	}
	if along == 0 {
		return axistest.Strided(t, []int{cols, rows}, []int{1, row}, offset)
	}
	return axistest.Strided(t, []int{rows, cols}, []int{row, 1}, offset)
}

// Blocks of narrow elements whose rows begin and end anywhere are stored in aligned vectors, whichever threads hold them; nothing around the view changes.
func TestStoresOfRowsAnywhere(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 5))
	targets := map[string]target.Caps{"hopper": lowertest.MatrixTargets["hopper"], "groups": lowertest.MatrixTargets["groups"], "wgsl": lowertest.Targets["few shuffles"],
		"spirv": {Language: target.SPIRV, MaxThreads: 1024, SharedBytes: 48 << 10, SubgroupSize: 32, F16: true, F16Nearest: true, Int64: true}}
	stored := map[string]int{}
	for _, elem := range []dtype.Type{dtype.F16, dtype.BF16, dtype.I8, dtype.U8, dtype.I16, dtype.U16} {
		for i := range 24 {
			along, threads := i%2, 32<<rng.IntN(3)
			block := []int{16 << rng.IntN(3), 32 << rng.IntN(4)}
			rows, cols := 1+rng.IntN(2*block[0]), 1+rng.IntN(2*block[1])
			if i%6 > 3 { // in whole vectors
				rows, cols = up16(rows), up16(cols)
			}
			to, from := anywhere(t, rng, rows, cols, along), anywhere(t, rng, cols, rows, 1-along)
			if along == 0 {
				block[0], block[1] = block[1], block[0]
			}
			by := rng.IntN(3) - 1 // blocks beyond the view on either side
			if rng.IntN(2) == 0 {
				by = 0
			}
			k := axistest.Build(t, "rows", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: threads})
				x, y := k.In("x", elem, 2), k.Out("y", elem, 2)
				at := k.ProgramTile(y, block...)
				v := x.Block(block...).Load(at...)
				y.Block(block...).Store(v, at[0], at[1].(*tile.Value).Add(by))
			})
			name := fmt.Sprintf("%v %v from %v, blocks %v by %d, %d threads", elem, to, from, block, by, threads)
			if !testenv.InSample(name) {
				continue
			}
			for _, l := range cases(t, targets, k, []int{reach(from), reach(to)}, []tensor{{from, 0}, {to, 1}}, rng.IntN(2) == 0, 0) {
				if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
					t.Fatalf("%s, %s: %v\n%v", name, l.target, err, l.kernel)
				}
				if n, _ := rowsStored(l.kernel); n > 0 {
					stored[fmt.Sprint(elem, " along ", along, " ", l.target)]++
				}
			}
		}
	}
	t.Log(stored)
	if testenv.Sampling() {
		return
	}
	for _, elem := range []dtype.Type{dtype.F16, dtype.BF16, dtype.I8, dtype.U8, dtype.I16, dtype.U16} {
		for along := range 2 {
			for _, target := range []string{"hopper", "groups", "spirv"} {
				if name := fmt.Sprint(elem, " along ", along, " ", target); stored[name] == 0 {
					t.Errorf("%s: no block was stored in aligned vectors", name)
				}
			}
		}
	}
}

// An accumulator over a warp's lanes is stored to rows of odd length in vectors, too, in parts where it is large, and by alternating groups.
func TestProductsOfOddRows(t *testing.T) {
	for i, c := range []specialised{
		{bm: 64, bn: 64, threads: 128, elem: dtype.F16}, {bm: 128, bn: 64, threads: 128, elem: dtype.BF16}, {bm: 128, bn: 128, threads: 128, elem: dtype.F16},
		{bm: 256, bn: 128, threads: 256, elem: dtype.BF16, persistent: 2}, {bm: 128, bn: 128, threads: 128, elem: dtype.F16, persistent: 2, consumers: 2},
	} {
		c.out, c.bk, c.stages, c.k = c.elem, 32, 2, 64
		k := c.kernel(t)
		m, n := c.bm+1+7*i, c.bn+3+4*i
		la, lb := axistest.Strided(t, []int{m, c.k}, []int{c.k, 1}, 0), axistest.Strided(t, []int{c.k, n}, []int{(n + 15) / 16 * 16, 1}, 0)
		for _, row := range []int{n, n + 1} {
			lo := axistest.Strided(t, []int{m, n}, []int{row, 1}, i)
			for _, l := range cases(t, lowertest.MatrixTargets, k, []int{reach(la), reach(lb), reach(lo)}, []tensor{{la, 0}, {lb, 1}, {lo, 2}}, false, max(matrixTolerance(c.elem, c.k), c.elem.Epsilon())) {
				if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
					t.Fatalf("%v, rows of %d, %s: %v\n%v", c, row, l.target, err, l.kernel)
				}
				if vectors, _ := rowsStored(l.kernel); vectors == 0 && l.target == "groups" {
					t.Errorf("%v, rows of %d, %s: not stored in aligned vectors\n%s", c, row, l.target, strings.Join(l.notes, "\n"))
				}
			}
		}
	}
}
