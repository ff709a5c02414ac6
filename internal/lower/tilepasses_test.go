package lower

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/lower/pass"
	"github.com/weftgpu/weft/internal/lower/tilepass"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

// Random integer programs compute the same after all passes, and what the passes claim of blocks
// holds; so they do once lowered.
func TestTilePassesKeepMeaning(t *testing.T) {
	t.Parallel()
	inside := 0
	programs := axistest.Each(t, 400, 150, 12, func(name string, k *tile.Func, rng *rand.Rand) {
		r := axistest.NewRun(t, k, rng)
		facts := axis.FactsOf(r.Layouts, []int{0, 1})
		want := r.Run(t, name, k, interp.Options{})
		passed, err := tilepass.Run(k, facts, lowertest.Targets["shuffles"], 32, &pass.Dump{})
		if err != nil {
			t.Fatalf("%s: %v\n%v", name, err, k)
		}
		text := passed.Func.String()
		inside += assertInside(t, passed.Editor, passed.Func.Body)
		if got := r.Run(t, name, passed.Func, interp.Options{}); !bytes.Equal(got, want) {
			t.Fatalf("%s: the passes changed what the program computes:\n%v\n%s", name, k, text)
		}
		caps := target.Caps{Language: target.CUDA, MaxThreads: 32, SharedBytes: 1 << 20, SubgroupSize: 32}
		lowered, err := Lower(k, facts, caps)
		if err != nil {
			t.Fatalf("%s: %v\n%v", name, err, k)
		}
		all := append(slices.Clone(r.Words), uint32(r.Grid[0]), uint32(r.Grid[1]), uint32(r.Grid[2]), uint32(r.Grid[0]))
		var words []uint32
		for _, w := range lowered.Words {
			words = append(words, all[w])
		}
		got := make([]byte, 4*r.Outputs)
		if err := machine.Run(lowered.Kernel, r.Grid, [][]byte{slices.Clone(r.Input), got}, words); err != nil {
			t.Fatalf("%s: %v\n%v\n%v", name, err, k, lowered.Kernel)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%s: lowered, the program computes something else:\n%v\n%v", name, k, lowered.Kernel)
		}
	})
	if inside == 0 && !testenv.Sampling() {
		t.Errorf("%d blocks are proven inside their views, of %d programs", inside, programs)
	}
}

// assertInside asserts of every block, and of all points, that are said to be inside their view that they are.
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
			more, err := e.Describe(op.Pos, func(k *tile.Builder) {
				if op.Kind != tile.OpLoad && op.Kind != tile.OpStore {
					_, indices, _ := op.Points()
					i := indices[d]
					k.Assert(i.Ge(0).And(i.Lt(e.Dim(op.View, d))), "the points are inside", i)
					return
				}
				c, size := op.Args[len(op.Args)-op.View.Rank+d], op.AccessType().Shape[d]
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

// Loops are split where the blocks of an iteration are told from its number, and only there: with
// any start and step, of odd sizes, at an offset, with and without an edge.
func TestSplitLoops(t *testing.T) {
	for name, c := range map[string]struct {
		bounds func(k *tile.Builder, x *tile.View) (lo, hi, step tile.Operand)
		coord  func(k *tile.Builder, i *tile.Value) tile.Operand
		split  bool
	}{
		"one by one":   {func(k *tile.Builder, x *tile.View) (lo, hi, step tile.Operand) { return 0, k.CDiv(x.Dim(0), 16), 1 }, nil, true},
		"later start":  {func(k *tile.Builder, x *tile.View) (lo, hi, step tile.Operand) { return 2, k.CDiv(x.Dim(0), 16), 1 }, nil, true},
		"beyond":       {func(*tile.Builder, *tile.View) (lo, hi, step tile.Operand) { return 0, 9, 1 }, nil, true},
		"from below 0": {func(*tile.Builder, *tile.View) (lo, hi, step tile.Operand) { return -2, 4, 1 }, nil, false},
		"persistent": {func(k *tile.Builder, x *tile.View) (lo, hi, step tile.Operand) {
			return k.ProgramID(0), k.CDiv(x.Dim(0), 16), k.NumPrograms(0)
		}, nil, false},
		"two by two": {func(k *tile.Builder, x *tile.View) (lo, hi, step tile.Operand) { return 0, k.CDiv(x.Dim(0), 16), 2 }, nil, false},
		"another": {func(k *tile.Builder, x *tile.View) (lo, hi, step tile.Operand) { return 0, k.CDiv(x.Dim(0), 16), 1 },
			func(_ *tile.Builder, i *tile.Value) tile.Operand { return i.Mul(2) }, false},
	} {
		k := axistest.Build(t, "loop", func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: 32})
			x, y := k.In("x", dtype.I32, 1), k.Out("y", dtype.I32, 1)
			k.Grid(2)
			sum := k.Var(k.Zeros(dtype.I32, 16))
			lo, hi, step := c.bounds(k, x)
			for i := range k.RangeStep(lo, hi, step) {
				at := tile.Operand(i)
				if c.coord != nil {
					at = c.coord(k, i)
				}
				sum.Set(sum.Get().Mul(3).Add(x.Block(16).Fill(7).Load(at)))
			}
			y.Block(16).Store(sum.Get(), k.ProgramID(0))
		})
		for _, size := range []int{1, 15, 16, 17, 31, 33, 83, 96} {
			lx, ly := axistest.Strided(t, []int{size}, []int{1}, 3), axistest.Strided(t, []int{29}, []int{1}, 0)
			differential(t, k, []int{size + 3, 29}, []tensor{{lx, 0}, {ly, 1}}, false, 0)
			r, err := Lower(k, axis.FactsOf([]layout.Layout{lx, ly}, []int{0, 1}), lowertest.Targets["shuffles"])
			if err != nil {
				t.Fatal(err)
			}
			if split := strings.Contains(strings.Join(r.Notes, "\n"), "the loop is split"); split != (c.split && size%16 != 0) {
				t.Errorf("%s, size %d: split %v", name, size, split)
			}
		}
	}
}

// Programs take two blocks each where the last ones get none, or every second one, and another coordinate is tested before the loop: where that is at an edge, whole
// blocks along the loop have the masks of that edge alone, if the loop counts them one by one.
func TestSplitLoopsOfParts(t *testing.T) {
	const parts = 4
	for name, c := range map[string]struct {
		bounds func(part, blocks *tile.Value) (lo, hi, step tile.Operand)
		along  bool
	}{
		"runs": {func(part, blocks *tile.Value) (lo, hi, step tile.Operand) {
			return part.Mul(2), part.Mul(2).Add(2).Minimum(blocks), 1
		}, true},
		"every fourth": {func(part, blocks *tile.Value) (lo, hi, step tile.Operand) { return part, blocks, parts }, false},
		"from below 0": {func(part, blocks *tile.Value) (lo, hi, step tile.Operand) { return part.Sub(1), blocks.Add(1), 1 }, false},
	} {
		k := axistest.Build(t, "parts", func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: 32})
			x, y := k.In("x", dtype.I32, 2), k.Out("y", dtype.I32, 3)
			k.Grid(k.CDiv(x.Dim(0), 4), 1, parts)
			row, part := k.ProgramID(0), k.ProgramID(2)
			sum := k.Var(k.Zeros(dtype.I32, 4, 16))
			for i := range k.RangeStep(c.bounds(part, k.CDiv(x.Dim(1), 16))) {
				sum.Set(sum.Get().Mul(3).Add(x.Block(4, 16).Fill(7).Load(row, i)))
			}
			y.Block(1, 4, 16).Store(sum.Get().Reshape(1, 4, 16), part, row, 0)
		})
		for _, columns := range []int{1, 15, 16, 17, 31, 65, 68, 80, 83} {
			for _, rows := range []int{4, 6} {
				lx, ly := axistest.Strided(t, []int{rows, columns}, []int{columns, 1}, 3), axistest.Strided(t, []int{parts, rows, 16}, []int{rows * 16, 16, 1}, 0)
				differential(t, k, []int{rows*columns + 3, parts * rows * 16}, []tensor{{lx, 0}, {ly, 1}}, false, 0)
				r, err := Lower(k, axis.FactsOf([]layout.Layout{lx, ly}, []int{0, 1}), lowertest.Targets["shuffles"])
				if err != nil {
					t.Fatal(err)
				}
				if along := strings.Contains(strings.Join(r.Notes, "\n"), "those along other dimensions alone"); along != (c.along && rows%4 != 0 && columns%16 != 0) {
					t.Errorf("%s of %d×%d: masks along the rows alone: %v", name, rows, columns, along)
				}
			}
		}
	}
}

// What is dumped of tile IR is the kernel as it is after each pass.
func TestDumpOfTilePasses(t *testing.T) {
	k, err := tile.Build("twice", func(k *tile.Builder) {
		out := k.Out("out", dtype.I32, 1)
		k.Int(7) // nothing needs it
		out.Block(8).Store(k.Arange(8).Add(k.Int(1).Add(1)), 0)
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Setenv(pass.DumpEnv, dir)
	if _, err := Lower(k, axis.Generic(k), target.Caps{Language: target.CUDA}); err != nil {
		t.Fatal(err)
	}
	for stage, want := range map[string]bool{"built": true, "canonicalise": true, "drop": false, "edges": false} {
		files, _ := filepath.Glob(filepath.Join(dir, "*-twice", "*-"+stage+".tile"))
		if len(files) != 1 {
			t.Fatalf("%s: files %v", stage, files)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "const 7 ") != want {
			t.Errorf("%s: the constant that nothing needs is there: %v, want %v\n%s", stage, !want, want, text)
		}
	}
}
