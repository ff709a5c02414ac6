package lower

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// splitProduct lowers a product of m×k and k×n elements in parts by warpgroups, in steps of 32, of so many rows at a time.
func splitProduct(t *testing.T, m, rowsOf, n, k, threads, stages, sharedBytes int) (*Result, []uint32) {
	t.Helper()
	kernel := axistest.Build(t, "product", func(b *tile.Builder) {
		b.Schedule(tile.Schedule{Threads: threads, Stages: stages})
		b.Grid(1)
		x, y, out := b.In("x", dtype.F32, 2), b.In("y", dtype.F32, 2), b.Out("out", dtype.F32, 2)
		product := func(row any) {
			acc := b.Var(b.Zeros(dtype.F32, rowsOf, n))
			for i := range b.Range(b.CDiv(x.Dim(1), 32)) {
				acc.Set(tile.Dot(x.Block(rowsOf, 32).Load(row, i), y.Block(32, n).Load(i, 0), acc.Get(), tile.TF32x3))
			}
			out.Block(rowsOf, n).Store(acc.Get(), row, 0)
		}
		if rowsOf == m {
			product(0)
			return
		}
		for row := range b.Range(b.CDiv(x.Dim(0), rowsOf)) { // as persistent programs do
			product(row)
		}
	})
	caps := lowertest.MatrixTargets["groups"]
	caps.SharedBytes = sharedBytes
	depth := max(k, 32) // of the buffers: k of 0 is that of a later launch
	layouts := []layout.Layout{lowertest.Rows(t, m, depth), lowertest.Columns(t, depth, n), lowertest.Rows(t, m, n)}
	r, err := Lower(kernel, axis.FactsOf(layouts, []int{0, 1, 2}), caps)
	if err != nil {
		t.Fatal(err)
	}
	if k == 0 {
		layouts[0], layouts[1] = axistest.Strided(t, []int{m, 0}, []int{depth, 1}, 0), axistest.Strided(t, []int{0, n}, []int{1, depth}, 0)
	}
	all, err := kernel.Words(layouts, nil)
	if err != nil {
		t.Fatal(err)
	}
	var words []uint32
	for _, w := range r.Words {
		words = append(words, all[w])
	}
	return r, words
}

// runsAhead reports whether a kernel notes that a loop prepares.
func runsAhead(r *Result) bool {
	return slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "made of their operands an iteration ahead") })
}

// TestPreparedAhead holds the order of a loop that prepares: the small parts of the next step are made, and copies for later ones started, while products
// are outstanding, with one barrier.
func TestPreparedAhead(t *testing.T) {
	for _, c := range []struct {
		stages, sharedBytes int
		ahead               bool
	}{{3, 227 << 10, false}, {4, 227 << 10, true}, {4, 100 << 10, true}, {4, 80 << 10, false}, {5, 106 << 10, true}, {6, 227 << 10, true}} {
		r, _ := splitProduct(t, 64, 64, 64, 320, 128, c.stages, c.sharedBytes)
		if got := runsAhead(r); got != c.ahead {
			t.Fatalf("%+v: ahead is %v\n%v", c, got, strings.Join(r.Notes, "\n"))
		}
		loop := r.Kernel.Body.Ops[slices.IndexFunc(r.Kernel.Body.Ops, func(op *simt.Op) bool { return op.Kind == simt.For })]
		var kinds []simt.Kind
		for _, op := range loop.Body.Ops {
			switch op.Kind {
			case simt.GroupMMA, simt.SharedStore, simt.LoadMatrix, simt.CopyWait, simt.Barrier, simt.CopyCommit, simt.GroupWait:
				kinds = append(kinds, op.Kind)
			}
		}
		kinds = slices.Compact(kinds)
		want := []simt.Kind{simt.GroupMMA, simt.SharedStore, simt.GroupMMA, simt.LoadMatrix, simt.CopyWait, simt.Barrier, simt.CopyCommit, simt.GroupMMA, simt.GroupWait}
		if slices.Equal(kinds, want) != c.ahead {
			t.Errorf("%+v: the loop does %v", c, kinds)
		}
	}
}

// TestPreparedIsMinimal runs loops that prepare, of no step, of fewer than there are stages, as many and more. Without any one of their copies, stores, waits and
// barriers the longest fails.
func TestPreparedIsMinimal(t *testing.T) {
	const n = 32
	rng := rand.New(rand.NewPCG(3, 9))
	for _, c := range []struct{ m, k int }{{64, 0}, {64, 32}, {64, 64}, {64, 96}, {64, 128}, {64, 160}, {64, 288}, {192, 32}, {192, 160}} {
		m, k := c.m, c.k
		r, words := splitProduct(t, m, 64, n, k, 128, 4, 227<<10)
		inputs := [][]byte{make([]byte, 4*m*k), make([]byte, 4*k*n)}
		want := make([]float64, m*n)
		x, y := make([]float64, m*k), make([]float64, k*n)
		for _, v := range [][]float64{x, y} {
			for i := range v {
				v[i] = float64(rng.IntN(1<<18)-1<<17) / (1 << 6) // 18 bits: more than TF32 holds
			}
		}
		for i := range want {
			for j := range k {
				want[i] += x[i/n*k+j] * y[i%n*k+j]
			}
		}
		dtype.PutFloats(dtype.F32, inputs[0], x)
		dtype.PutFloats(dtype.F32, inputs[1], y)
		fails := func() bool {
			buffers := append(clone(inputs), make([]byte, 4*m*n))
			if machine.Run(r.Kernel, [3]int{1, 1, 1}, buffers, words) != nil {
				return true
			}
			got := make([]float64, m*n)
			dtype.Floats(dtype.F32, got, buffers[2])
			for i := range got {
				if d := got[i] - want[i]; d > 0x1p-18*float64(k)*(1<<22) || -d > 0x1p-18*float64(k)*(1<<22) {
					return true
				}
			}
			return false
		}
		if !runsAhead(r) || fails() {
			t.Fatalf("%+v fails\n%v\n%v", c, strings.Join(r.Notes, "\n"), r.Kernel)
		}
		if k < 288 && c.m*k < 192*160 {
			continue
		}
		removed := without(r.Kernel.Body, func(op *simt.Op) {
			if !fails() {
				t.Errorf("%+v: nothing fails without %v of line %s", c, op.Kind, op.Line)
			}
		}, simt.CopyAsync, simt.CopyWait, simt.Barrier, simt.SharedStore, simt.GroupWait, simt.GroupMMA)
		if removed < 20 {
			t.Errorf("%d ops were removed", removed)
		}
	}
}
