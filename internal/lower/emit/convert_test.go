package emit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/assign"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/lower/simtpass"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// newTestEmitter lowers a kernel of which no facts are known.
func newTestEmitter(k *tile.Func, caps target.Caps) *emitter {
	facts, threads := axis.Generic(k), assign.Threads(k, caps)
	return newEmitter(k, facts, caps, threads, assign.New(k, facts, threads, caps, assign.Fallback{}))
}

// convertKernel loads a tile in one distribution, converts it to another and
// back, and stores it.
func convertKernel(t *testing.T, from, to layout.Linear, threads int, caps target.Caps) *emitter {
	t.Helper()
	shape := from.Shape()
	k := axistest.Build(t, "convert", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: threads})
		x, y := k.In("x", dtype.F32, len(shape)), k.Out("y", dtype.F32, len(shape))
		at := make([]tile.Operand, len(shape))
		for i := range at {
			at[i] = 0
		}
		y.Block(shape...).Store(x.Block(shape...).Load(at...), at...)
	})
	l := newTestEmitter(k, caps)
	l.declare()
	for _, s := range l.assigned.Sites {
		s.Candidates, s.Chosen = []int{l.assigned.Costs.Number(from)}, 0
	}
	for _, op := range k.Body.Ops {
		l.op = op
		l.lowerOp(op)
		if op.Kind == tile.OpLoad {
			there := l.convert(l.tiles[op.Result()], to, dtype.F32)
			l.tiles[op.Result()] = l.convert(there, from, dtype.F32)
		}
	}
	return l
}

// A tile takes the shortest way between two distributions, and arrives.
func TestConvert(t *testing.T) {
	rows := layout.Blocked([]int{16, 64}, 128, []int{1, 0}, []int{1, 4})
	for _, c := range []struct {
		name  string
		from  layout.Linear
		to    layout.Linear
		route string // with subgroups
	}{
		{"registers in another order", blockedPair(t, 0), blockedPair(t, 1), "by registers"},
		{"neighbouring lanes", blockedPair(t, 0), blockedPair(t, 2), "by shuffles"},
		{"columns", rows, layout.Blocked([]int{16, 64}, 128, []int{0, 1}, []int{4, 1}), "through shared memory"},
		{"copies", layout.Blocked([]int{8, 8}, 128, []int{1, 0}, []int{1, 1}), layout.Blocked([]int{8, 8}, 128, []int{0, 1}, []int{1, 1}), "through shared memory"},
	} {
		for name, caps := range lowertest.Targets {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				l := convertKernel(t, c.from, c.to, 128, caps)
				if l.err != nil {
					t.Fatal(l.err)
				}
				r := &simtpass.Context{Kernel: l.b.Func, Stages: 1}
				if err := simtpass.Run(r); err != nil {
					t.Fatal(err)
				}
				notes := strings.Join(l.notes, "\n")
				if (caps.SubgroupSize > 0 || c.route != "by shuffles") && !strings.Contains(notes, c.route) {
					t.Errorf("notes say nothing of %s:\n%s", c.route, notes)
				}
				shape := c.from.Shape()
				checkCopy(t, r, shape[0], shape[1])
			})
		}
	}
}

// blockedPair is a distribution of [16,64] over 128 threads in one of three
// variants, which differ in the order of the registers (1) or in which of
// neighbouring lanes holds what (2).
func blockedPair(t *testing.T, variant int) layout.Linear {
	t.Helper()
	reg, thr := [][]int{{0, 1}, {0, 2}, {8, 0}}, [][]int{{0, 4}, {0, 8}, {0, 16}, {0, 32}, {1, 0}, {2, 0}, {4, 0}}
	switch variant {
	case 1:
		reg[0], reg[2] = reg[2], reg[0]
	case 2:
		reg[2] = []int{8, 4} // the neighbour's part of the lower rows
	}
	l, err := layout.NewLinear([]int{16, 64}, []layout.Input{{Name: layout.Register, Bases: reg}, {Name: layout.Thread, Bases: thr}})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// checkCopy runs a lowered copy of an m x n matrix on the checking machine.
func checkCopy(t *testing.T, r *simtpass.Context, m, n int) {
	t.Helper()
	costs := lowertest.CostCheck{}
	if err := cmp.Or(copyError(r.Kernel, m, n, costs.See), costs.Err); err != nil {
		t.Errorf("%v\n%v", err, r.Kernel)
	}
}

// copyError runs a copy and says what goes wrong; see is told of its accesses to shared memory.
func copyError(k *simt.Func, m, n int, see func(op *simt.Op, at []int)) error {
	want := make([]float64, m*n)
	for i := range want {
		want[i] = float64(i + 1)
	}
	in, out := make([]byte, 4*m*n), make([]byte, 4*m*n)
	dtype.PutFloats(dtype.F32, in, want)
	var words []uint32
	for _, w := range k.Words {
		var x int
		if _, err := fmt.Sscanf(w.Name[1:], "_size%d", &x); err == nil {
			words = append(words, uint32([]int{m, n}[x]))
		} else if strings.HasSuffix(w.Name, "_stride0") {
			words = append(words, uint32(n))
		} else {
			words = append(words, 0)
		}
	}
	launch := machine.Launch{Grid: [3]int{1, 1, 1}, Buffers: [][]byte{in, out}, Words: words, See: see}
	if err := launch.Run(k); err != nil {
		return err
	}
	got := make([]float64, m*n)
	dtype.Floats(dtype.F32, got, out)
	if !slices.Equal(got, want) {
		return errors.New("elements went astray")
	}
	return nil
}
