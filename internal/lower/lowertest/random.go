package lowertest

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// RandomTiles is a kernel of some ops on two views, one of which may have contiguous columns.
func RandomTiles(t *rapid.T, most int) (*tile.Func, []layout.Layout) {
	shape := []int{8 << rapid.IntRange(0, 2).Draw(t, "rows"), 8 << rapid.IntRange(0, 2).Draw(t, "columns")}
	threads := rapid.SampledFrom([]int{64, 32, 128, 256}).Draw(t, "threads")
	k, err := tile.Build("random", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: threads})
		x, y, z := k.In("x", dtype.I32, 2), k.In("y", dtype.I32, 2), k.Out("z", dtype.I32, 2)
		pool := []*tile.Value{x.Block(shape...).Load(0, 0), y.Block(shape...).Load(0, 0)}
		step := func(v, w *tile.Value) *tile.Value {
			own := v.Type().Shape
			switch rapid.IntRange(0, 8).Draw(t, "op") {
			case 0:
				return v.Transpose().Add(1)
			case 1:
				return v.Sub(v.Sum(rapid.IntRange(0, 1).Draw(t, "axis")))
			case 2:
				return v.Add(v.Max(rapid.IntRange(0, 1).Draw(t, "axis")))
			case 3:
				return v.CumSum(rapid.IntRange(0, 1).Draw(t, "axis"))
			case 4:
				even, odd := v.Reshape(own[0], own[1]/2, 2).Split()
				return odd.Join(even).Reshape(own...)
			case 5:
				return v.Xor(k.Iota(rapid.IntRange(0, 1).Draw(t, "axis"), own...).Mul(3))
			case 6:
				return v.Reshape(own[1], own[0]).Mul(5)
			case 7:
				carried := k.Var(v)
				for i := range k.Range(2) {
					carried.Set(carried.Get().Add(v.Transpose().Reshape(own...)).Xor(i))
				}
				return carried.Get()
			}
			if slices.Equal(own, w.Type().Shape) {
				return v.Add(w)
			}
			return v.Sub(w.Reshape(own...))
		}
		for range rapid.IntRange(1, most).Draw(t, "ops") {
			pick := func(name string) *tile.Value { return pool[rapid.IntRange(0, len(pool)-1).Draw(t, name)] }
			pool = append(pool, step(pick("v"), pick("w")))
		}
		last := pool[len(pool)-1]
		z.Block(last.Type().Shape...).Store(last, 0, 0)
	})
	if err != nil {
		t.Fatal(err)
	}
	m, n := shape[0]-1, shape[1]
	forms := []func(m, n int) layout.Layout{
		func(m, n int) layout.Layout { return mustStrided(t, []int{m, n}, []int{n, 1}) },
		func(m, n int) layout.Layout { return mustStrided(t, []int{m, n}, []int{1, m}) },
		func(m, n int) layout.Layout { return mustStrided(t, []int{m, n}, []int{2 * n, 2}) },
	}
	var args []layout.Layout
	for _, name := range []string{"x", "y", "z"} {
		args = append(args, forms[rapid.IntRange(0, 2).Draw(t, name)](m, n))
	}
	return k, args
}

func mustStrided(t *rapid.T, shape, stride []int) layout.Layout {
	l, err := layout.Strided(shape, stride, 0)
	if err != nil {
		t.Fatal(err)
	}
	return l
}
