package emit

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/lower/mma"
	"github.com/weftgpu/weft/internal/lower/simtpass"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// drawFragments draws a distribution of a tile of 2048 elements over 128 threads, whose warps hold rows, along a dimension, of 8 elements as matrix instructions
// leave them, or columns: everything else about it is arbitrary.
func drawFragments(t *rapid.T, shape []int, along int, transposed bool) layout.Linear {
	row, rest := distribution.Units(along, 1, mma.RowElems), append(distribution.Units(along, mma.RowElems, shape[along]), distribution.Units(1-along, 1, shape[1-along])...)
	rest = rapid.Permutation(rest).Draw(t, "rest")
	for range rapid.IntRange(0, 3).Draw(t, "joins") {
		i, j := rapid.IntRange(0, len(rest)-1).Draw(t, "i"), rapid.IntRange(0, len(rest)-1).Draw(t, "j")
		if i != j {
			rest[i] = []int{rest[i][0] ^ rest[j][0], rest[i][1] ^ rest[j][1]}
		}
	}
	register, lane := append(rest[:3:3], row[0]), append([][]int{row[1], row[2]}, rest[3:]...)
	if transposed {
		register, lane = rest[:4], slices.Concat(rest[4:6], row, rest[6:])
	}
	register = rapid.Permutation(register).Draw(t, "registers")
	return distribution.MustLinear(shape, register, lane)
}

// TestStoredMatrices: whatever distribution of halves is stored as matrices, in rows or in lines and in parts, its elements are where plain
// stores would put them, cost what was said, and an accumulator of matrix instructions is stored so.
func TestStoredMatrices(t *testing.T) {
	caps, found := lowertest.MatrixTargets["groups"], map[bool]int{}
	rapid.Check(t, func(rt *rapid.T) {
		long := rapid.IntRange(0, 1).Draw(rt, "long dimension")
		shape := []int{16, 16}
		shape[long] = 128
		along, transposed, arbitrary := rapid.IntRange(0, 1).Draw(rt, "along"), rapid.Bool().Draw(rt, "transposed"), rapid.Bool().Draw(rt, "arbitrary")
		from, array, part := drawFragments(rt, shape, along, transposed), distribution.SwizzledRows(shape, along, 2, true), 2048
		if along == long && rapid.Bool().Draw(rt, "lines") {
			array = distribution.Swizzled128(shape, along, 2)
			part = rapid.SampledFrom([]int{1024, 2048}).Draw(rt, "part")
		}
		if arbitrary {
			shape, array, part = []int{32, 64}, distribution.Swizzled128([]int{32, 64}, 1, 2), 2048
			from = lowertest.AnyDistribution(rt, "any")
		}
		stores := mma.StoresOf(caps, distribution.Offsets(array, from), dtype.F16, part)
		if stores == nil {
			if !arbitrary && (part == 2048 || !transposed && slices.Max(distribution.ThreadBases(distribution.Offsets(array, from), 0)) < part) {
				rt.Fatalf("%v in %v is not stored as matrices", from, array)
			}
			return
		}
		if slices.Max(distribution.ThreadBases(distribution.Offsets(array, from), 0)) >= part { // then several parts are filled together
			return
		}
		found[stores.Transposed]++
		k := axistest.Build(t, "stored", func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: 128})
			x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
			y.Block(shape...).Store(x.Block(shape...).Load(0, 0), 0, 0)
		})
		l := newTestEmitter(k, caps)
		l.declare()
		for _, op := range k.Body.Ops {
			if l.op = op; op.Kind == tile.OpStore {
				v := op.Args[0]
				to := l.tiles[v].dist
				r := l.redistribute(l.tiles[v], from, dtype.F32)
				s, run := l.b.NewShared("stored", dtype.F16, 2048), l.newSet()
				for lo := 0; lo < 2048; lo += part {
					l.storeMatrices(s, run, stores, r, lo, lo+part, lo)
				}
				l.tiles[v], l.copies[v] = l.loadFrom(s, array, to), nil
			}
			l.lowerOp(op)
		}
		result := &simtpass.Context{Kernel: l.b.Func, Stages: 1, Caps: caps}
		if err := simtpass.Run(result); err != nil {
			rt.Fatal(err)
		}
		if lowertest.Count(result.Kernel, simt.StoreMatrix) == 0 {
			rt.Fatalf("nothing is stored as matrices\n%v", result.Kernel)
		}
		costs := lowertest.CostCheck{}
		if err := copyError(lowertest.ReadBack(t, result.Kernel), shape[0], shape[1], costs.See); err != nil {
			rt.Fatalf("%v\n%v", err, result.Kernel)
		}
		if costs.Err != nil {
			rt.Fatalf("%v\n%v", costs.Err, result.Kernel)
		}
	})
	if !testenv.Sampling() && (found[false] == 0 || found[true] == 0) { // of few draws some have none of a kind
		t.Errorf("stores of rows and of columns: %v", found)
	}
}

// loadFrom loads a tile of numbers from an array.
func (l *emitter) loadFrom(s *simt.Shared, array, dist layout.Linear) regs {
	out := emptyRegs(dist)
	elements := make([]*simt.Value, dist.Size(layout.Register))
	for _, a := range l.accesses(array, dist, s.Elem, pieceOf(s.Elem), 0) {
		v := l.sharedLoad(s, dtype.F32, a.index, len(a.registers), a.cost)
		for i, register := range a.registers {
			elements[register] = l.b.Extract(v, i)
		}
	}
	out.fill(l.b, func(register int) *simt.Value { return elements[register] })
	return out
}
