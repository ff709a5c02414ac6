package lower

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// TestStoresOfDifferentBlocks: threads meet between two stores of a view unless their blocks are known to have no element in common. The blocks
// are of 128 and 64 elements, distributed over threads in different ways.
func TestStoresOfDifferentBlocks(t *testing.T) {
	const loops = 2
	for what, c := range map[string]struct {
		first, second int // the coordinates
		runtime       bool
		loop, barrier bool
	}{
		"one after the other":     {first: 0, second: 2},
		"with a gap, backwards":   {first: 1, second: 0},
		"in part":                 {first: 0, second: 1, barrier: true},
		"not known":               {first: 0, second: 2, runtime: true, barrier: true},
		"in each iteration again": {first: 0, second: 2, loop: true, barrier: true},
	} {
		t.Run(what, func(t *testing.T) {
			k := axistest.Build(t, "stores", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: 64})
				x, y := k.In("x", dtype.F32, 1), k.Out("y", dtype.F32, 1)
				k.Grid(1)
				second := k.Int(c.second)
				if c.runtime {
					second = second.Add(k.ProgramID(0))
				}
				store := func(i tile.Operand) {
					long, short := x.Block(128).Load(i), x.Block(64).Load(2)
					y.Block(128).Store(long, c.first)
					y.Block(64).Store(short, second)
				}
				if !c.loop {
					store(0)
					return
				}
				for i := range k.Range(loops) {
					store(i)
				}
			})
			l := axistest.Strided(t, []int{500}, []int{1}, 0)
			for _, lowered := range cases(t, lowertest.Targets, k, []int{500, 500}, []tensor{{l, 0}, {l, 1}}, false, 0) {
				if err := lowered.run(lowered.kernel); err != nil {
					t.Errorf("%s: %v\n%v", lowered.target, err, lowered.kernel)
				}
				if n := lowertest.Count(lowered.kernel, simt.Barrier); (n > 0) != c.barrier {
					t.Errorf("%s: %d barriers, want some: %v\n%v", lowered.target, n, c.barrier, lowered.kernel)
				}
			}
		})
	}
}

// TestBlocksInPlace: blocks that are read and written by the same threads need no barrier, whether others are written, too.
func TestBlocksInPlace(t *testing.T) {
	for _, sizes := range [][]int{{64, 64, 64}, {128, 64}} {
		k := axistest.Build(t, "stores", func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: 64})
			x := k.InOut("x", dtype.F32, 1)
			k.Grid(1)
			start := 0
			for _, n := range sizes {
				x.Block(n).Store(x.Block(n).Load(start/n).Mul(2), start/n)
				start += n
			}
		})
		l := axistest.Strided(t, []int{500}, []int{1}, 0)
		for _, lowered := range cases(t, lowertest.Targets, k, []int{500}, []tensor{{l, 0}}, false, 0) {
			if err := lowered.run(lowered.kernel); err != nil {
				t.Errorf("%v, %s: %v\n%v", sizes, lowered.target, err, lowered.kernel)
			}
			want := 0 // threads read other elements of another size's block than they wrote
			if sizes[0] != sizes[1] {
				want = 1
			}
			if n := lowertest.Count(lowered.kernel, simt.Barrier); n != want {
				t.Errorf("%v, %s: %d barriers, want %d\n%v", sizes, lowered.target, n, want, lowered.kernel)
			}
		}
	}
}
