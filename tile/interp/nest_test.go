package interp

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// TestNestsKeepOrder runs kernels that load and store parts of one buffer which overlap, in a single program: what machine code leaves there is what the
// ops do one after the other.
func TestNestsKeepOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for _, elem := range []dtype.Type{dtype.F32, dtype.F16, dtype.U8} {
		for _, copies := range []bool{false, true} {
			for shift := -3; shift <= 3; shift++ {
				k := build(t, "overlap", func(k *tile.Builder) {
					x, y := k.In("x", elem, 1), k.Out("y", elem, 1)
					k.Grid(1)
					v := x.Block(64).Load(0)
					if !copies {
						v = v.Add(v)
					}
					y.Block(64).Store(v, 0)
					y.Block(64).Store(v, 1)
				})
				memory := make([]byte, 300*elem.Size())
				for i := range 300 {
					dtype.PutFloats(elem, memory[i*elem.Size():], []float64{float64(rng.IntN(100))})
				}
				var layouts []layout.Layout
				for _, at := range []int{8, 8 + shift} {
					l, err := layout.Strided([]int{100}, []int{1}, at)
					if err != nil {
						t.Fatal(err)
					}
					layouts = append(layouts, l)
				}
				var got [2][]byte
				for i, native := range []bool{false, true} {
					p := &Program{Kernel: k, Buffers: []int{0, 0}, Options: Options{Native: native}}
					grid, words := launchOf(t, p, layouts)
					got[i] = append([]byte{}, memory...)
					if err := p.Run(grid, [][]byte{got[i]}, words); err != nil {
						t.Fatal(err)
					}
				}
				nearly(t, elem, got[1], got[0], false)
			}
		}
	}
}

// TestGroups: ops that take nothing of each other may stand between those of a group, which ends before an op that needs what it makes.
func TestGroups(t *testing.T) {
	k := build(t, "groups", func(k *tile.Builder) {
		x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
		k.Grid(1)
		v := x.Block(4, 16).Load(0, 0)
		n := k.ProgramID(0).Add(k.NumPrograms(0)) // scalars between
		v = v.Exp().Add(n.Cast(dtype.F32))
		s := v.Sum(1)
		y.Block(4, 16).Store(v.Sub(s), 0, 0)
	})
	l := lifeOf(k, true)
	o := l.order(k.Body)
	var sizes []int
	for _, op := range o.ops {
		if g := o.first[op]; g != nil {
			sizes = append(sizes, len(g.ops))
		}
	}
	// load, exp, splat, add, sum; then broadcast, sub, store
	if len(sizes) != 2 || sizes[0] != 5 || sizes[1] != 3 {
		t.Errorf("groups of %v ops:\n%v", sizes, k)
	}
}
