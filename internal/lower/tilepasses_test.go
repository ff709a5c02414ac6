package lower

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

func TestTilePassOrder(t *testing.T) {
	for _, o := range tileOrder {
		before := slices.IndexFunc(tilePasses, func(p tilePass) bool { return p.name == o.before })
		after := slices.IndexFunc(tilePasses[max(before, 0):], func(p tilePass) bool { return p.name == o.after })
		if before < 0 || after < 0 {
			t.Errorf("%s does not run behind %s: %s", o.after, o.before, o.why)
		}
	}
}

// Random integer programs compute the same after all passes, and what the passes claim of blocks
// holds; so they do once lowered.
func TestTilePassesKeepMeaning(t *testing.T) {
	programs := 400
	if testing.Short() {
		programs = 150
	}
	inside := 0
	for seed := range programs {
		name := fmt.Sprintf("seed %d", seed)
		g := &axisGenerator{rng: rand.New(rand.NewPCG(uint64(seed), 12))}
		k, err := tile.Build("random", g.kernel)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r := newAxisRun(t, k, g.rng)
		facts := FactsOf(r.layouts, []int{0, 1})
		want := r.run(t, name, k, interp.Options{})
		passed, err := runTilePasses(k, facts, targets["shuffles"], 32, &dump{})
		if err != nil {
			t.Fatalf("%s: %v\n%v", name, err, k)
		}
		text := passed.Kernel.String()
		inside += assertInside(t, passed.Editor, passed.Kernel.Body)
		if got := r.run(t, name, passed.Kernel, interp.Options{}); !bytes.Equal(got, want) {
			t.Fatalf("%s: the passes changed what the program computes:\n%v\n%s", name, k, text)
		}
		caps := target.Caps{Language: target.CUDA, MaxThreads: 32, SharedBytes: 1 << 20, SubgroupSize: 32}
		lowered, err := Lower(k, facts, caps)
		if err != nil {
			t.Fatalf("%s: %v\n%v", name, err, k)
		}
		all := append(slices.Clone(r.words), uint32(r.grid[0]), uint32(r.grid[1]), uint32(r.grid[2]), uint32(r.grid[0]))
		var words []uint32
		for _, w := range lowered.Words {
			words = append(words, all[w])
		}
		got := make([]byte, 4*r.outputs)
		if err := machine.Run(lowered.Kernel, r.grid, [][]byte{slices.Clone(r.input), got}, words); err != nil {
			t.Fatalf("%s: %v\n%v\n%v", name, err, k, lowered.Kernel)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%s: lowered, the program computes something else:\n%v\n%v", name, k, lowered.Kernel)
		}
	}
	if inside == 0 {
		t.Errorf("%d blocks lie inside their views for sure, of %d programs", inside, programs)
	}
}

// assertInside demands of every block that is said to lie within its view that it does.
func assertInside(t *testing.T, e *tile.Editor, r *tile.Region) (n int) {
	t.Helper()
	var ops []*tile.Op
	for _, op := range r.Ops {
		for _, body := range op.Regions() {
			n += assertInside(t, e, body)
		}
		for d := range 5 {
			if op.Inside>>d&1 == 0 {
				continue
			}
			n++
			c, size := op.Args[len(op.Args)-op.View.Rank+d], accessType(op).Shape[d]
			more, err := e.Describe(op.Pos, func(k *tile.Builder) {
				k.Assert(c.Ge(0).And(c.Lt(e.Dim(op.View, d).Div(size))), "the block is inside", c)
			})
			if err != nil {
				t.Fatal(err)
			}
			ops = append(ops, more...)
		}
		ops = append(ops, op)
	}
	r.Ops = ops
	return n
}
