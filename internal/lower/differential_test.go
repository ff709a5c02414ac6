package lower

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

// tensor is an argument: its layout over a buffer of elements.
type tensor struct {
	layout layout.Layout
	buffer int
}

// differential runs a kernel in the interpreter and, lowered, on the checking
// machine, and compares every byte of every buffer, the padding around views
// included; float elements may differ by tol relative to the largest of the view.
// It also compares what accesses to shared memory say they cost with what their addresses do.
func differential(t *testing.T, k *tile.Func, sizes []int, args []tensor, folded bool, tol float64) {
	t.Helper()
	for _, c := range cases(t, lowertest.Targets, k, sizes, args, folded, tol) {
		if err := c.run(lowertest.ReadBack(t, c.kernel)); err != nil {
			t.Fatalf("%s: %v\n%v", c.target, err, c.kernel)
		}
	}
}

// lowering is a kernel lowered for a target, and how to check it.
type lowering struct {
	target string
	kernel *simt.Func
	run    func(k *simt.Func) error
	notes  []string
}

// cases lowers a kernel for some targets. run executes what it is given in place of
// the lowered kernel and fails if that races or computes something else than the interpreter. scalars are the bits of the kernel's.
func cases(t *testing.T, targets map[string]target.Caps, k *tile.Func, sizes []int, args []tensor, folded bool, tol float64, scalars ...uint32) []lowering {
	t.Helper()
	return casesOf(t, targets, k, sizes, args, folded, tol, nil, scalars...)
}

// casesOf are cases whose random buffers spoil changes, unless it is nil.
func casesOf(t *testing.T, targets map[string]target.Caps, k *tile.Func, sizes []int, args []tensor, folded bool, tol float64, spoil func(buffers [][]byte), scalars ...uint32) (list []lowering) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(len(k.String()))))
	layouts, index, elems := []layout.Layout{}, []int{}, make([]dtype.Type, len(sizes))
	for i, a := range args {
		layouts, index = append(layouts, a.layout), append(index, a.buffer)
		elems[a.buffer] = k.Views[i].Elem
	}
	start := make([][]byte, len(sizes))
	for i, n := range sizes {
		start[i] = machine.RandomBytes(rng, elems[i], n)
	}
	if spoil != nil {
		spoil(start)
	}
	shapes := make([][]int, len(layouts))
	for i, l := range layouts {
		shapes[i] = l.Shape()
	}
	words, err := k.Words(layouts, scalars)
	if err != nil {
		t.Fatal(err)
	}
	grid, err := k.GridAt(shapes, scalars)
	if err != nil {
		t.Fatal(err)
	}
	want := clone(start)
	if err := (&interp.Program{Kernel: k, Buffers: index}).Run(grid, want, words); err != nil {
		t.Fatal(err)
	}
	physical := grid
	if folded {
		physical = [3]int{3, (grid[0]*grid[1]*grid[2] + 2) / 3, 1}
	}
	all := append(words[:len(words):len(words)], uint32(grid[0]), uint32(grid[1]), uint32(grid[2]), uint32(physical[0]))
	turn := testenv.Turn(t.Name()+k.String(), len(targets))
	for i, name := range slices.Sorted(maps.Keys(targets)) {
		if turn >= 0 && turn != i { // a sample has each case for one target
			continue
		}
		caps, facts := targets[name], axis.FactsOf(layouts, index)
		facts.Folded = folded
		r, err := Lower(k, facts, caps)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var used []uint32
		for _, w := range r.Words {
			used = append(used, all[w])
		}
		list = append(list, lowering{target: name, kernel: r.Kernel, notes: r.Notes, run: func(k *simt.Func) error {
			for schedule := range schedulesOf(k) {
				got, costs := clone(start), lowertest.CostCheck{}
				launch := machine.Launch{Grid: physical, Buffers: got, Words: used, Views: viewsOf(k, layouts), Schedule: schedule, See: costs.See}
				if err := cmp.Or(launch.Run(k), costs.Err, difference(elems, got, want, tol)); err != nil {
					return fmt.Errorf("%v: %w", schedule, err)
				}
			}
			return nil
		}})
	}
	return list
}

func clone(buffers [][]byte) [][]byte {
	out := make([][]byte, len(buffers))
	for i, b := range buffers {
		out[i] = append([]byte(nil), b...)
	}
	return out
}

// difference is the first element that differs from what it should be.
func difference(elems []dtype.Type, got, want [][]byte, tol float64) error {
	for i, e := range elems {
		if e.Size() == 8 && !e.IsFloat() && !bytes.Equal(got[i], want[i]) {
			return fmt.Errorf("buffer %d of %v differs", i, e)
		}
		g, w := make([]float64, len(got[i])/e.Size()), make([]float64, len(got[i])/e.Size())
		dtype.Floats(e, g, got[i])
		dtype.Floats(e, w, want[i])
		scale := 0.0
		for _, x := range w {
			if !math.IsInf(x, 0) && !math.IsNaN(x) {
				scale = max(scale, math.Abs(x))
			}
		}
		for j := range g {
			if g[j] != w[j] && !(math.Abs(g[j]-w[j]) <= tol*scale) && !(math.IsNaN(g[j]) && math.IsNaN(w[j])) {
				return fmt.Errorf("buffer %d element %d is %v, want %v (tolerance %v of %v)", i, j, g[j], w[j], tol, scale)
			}
		}
	}
	return nil
}

// matrices are ways to lay out a matrix: the strides and what they are.
func matrices(t *testing.T, m, n int) map[string]layout.Layout {
	return map[string]layout.Layout{
		"rows":         axistest.Strided(t, []int{m, n}, []int{n, 1}, 0),
		"columns":      axistest.Strided(t, []int{m, n}, []int{1, m}, 0),
		"padded":       axistest.Strided(t, []int{m, n}, []int{n + 8 - n%8, 1}, 8),
		"odd offset":   axistest.Strided(t, []int{m, n}, []int{n + 3, 1}, 5),
		"every second": axistest.Strided(t, []int{m, n}, []int{2 * n, 2}, 1),
	}
}

func TestMatmul(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ m, n, k, bm, bn, bk, threads int }{
		{33, 47, 19, 16, 32, 8, 64},
		{64, 64, 32, 32, 32, 16, 32},
		{7, 5, 3, 16, 16, 8, 256},
		{40, 24, 17, 32, 16, 4, 128},
		{20, 70, 9, 64, 64, 8, 256},
	} {
		for _, elem := range []dtype.Type{dtype.F32, dtype.F16, dtype.BF16} {
			k := axistest.Build(t, "matmul", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: c.threads, Order: tile.Order{Kind: tile.GroupedRows, Group: 2}})
				a, b, out := k.In("a", elem, 2), k.In("b", elem, 2), k.Out("out", elem, 2)
				rows, columns := k.CDiv(out.Dim(0), c.bm), k.CDiv(out.Dim(1), c.bn)
				row, column := k.TileID(rows, columns)
				acc := k.Var(k.Zeros(dtype.F32, c.bm, c.bn))
				precision := tile.IEEE
				if elem != dtype.F32 {
					precision = tile.Float32Accumulate
				}
				for i := range k.Range(k.CDiv(a.Dim(1), c.bk)) {
					acc.Set(tile.Dot(a.Block(c.bm, c.bk).Load(row, i), b.Block(c.bk, c.bn).Load(i, column), acc.Get(), precision))
				}
				out.Block(c.bm, c.bn).Store(acc.Get().Cast(elem), row, column)
			})
			for name, la := range matrices(t, c.m, c.k) {
				lb := matrices(t, c.k, c.n)["columns"]
				if name == "columns" {
					lb = matrices(t, c.k, c.n)["padded"]
				}
				lo := matrices(t, c.m, c.n)[name]
				t.Run(fmt.Sprintf("%v/%s", c, name), func(t *testing.T) {
					_, ha := la.Bounds()
					_, hb := lb.Bounds()
					_, ho := lo.Bounds()
					// sums of K products of the same rounded operands, in another order
					tol := 2 * float64(c.k) * dtype.F32.Epsilon()
					if elem != dtype.F32 {
						tol += 2 * elem.Epsilon()
					}
					differential(t, k, []int{ha + 9, hb + 9, ho + 9}, []tensor{{la, 0}, {lb, 1}, {lo, 2}}, c.m == 33, tol)
				})
			}
		}
	}
}

func TestSoftmaxAndReductions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ m, n, width, threads int }{
		{3, 100, 128, 64}, {2, 1000, 1024, 256}, {5, 7, 8, 32}, {2, 50, 64, 1}, {1, 60, 64, 512}, {2, 900, 1024, 1024},
	} {
		k := axistest.Build(t, "softmax", func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: c.threads})
			x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
			k.Grid(x.Dim(0))
			row := k.ProgramID(0)
			v := x.Block(1, c.width).Fill(-tile.Inf).Load(row, 0)
			v = v.Sub(v.Max(1)).Exp()
			y.Block(1, c.width).Store(v.Div(v.Sum(1)), row, 0)
		})
		for name, l := range matrices(t, c.m, c.n) {
			t.Run(fmt.Sprintf("%v/%s", c, name), func(t *testing.T) {
				_, h := l.Bounds()
				// sums of the row's exponentials in another order, as in bounds.Softmax,
				// and a few roundings on each side
				tol := (8*math.Sqrt(float64(c.n)) + 8) * dtype.F32.Epsilon()
				differential(t, k, []int{h + 5, h + 5}, []tensor{{l, 0}, {l, 1}}, false, tol)
				differential(t, k, []int{h + 5}, []tensor{{l, 0}, {l, 0}}, true, tol)
			})
		}
	}
	for _, threads := range []int{1, 8, 32, 128, 512} {
		for axis := range 2 {
			k := axistest.Build(t, "reduce", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: threads})
				x, y := k.In("x", dtype.I32, 2), k.Out("y", dtype.I32, 2)
				v := x.Block(16, 32).Load(0, 0)
				all := v.Sub(v.Sum(axis)).Add(v.Max(1 - axis)).Mul(v.Min(0).Min(1))
				y.Block(16, 32).Store(all, 0, 0)
			})
			for name, l := range matrices(t, 13, 25) {
				t.Run(fmt.Sprintf("axis %d/%d threads/%s", axis, threads, name), func(t *testing.T) {
					_, h := l.Bounds()
					differential(t, k, []int{h + 1, h + 1}, []tensor{{l, 0}, {l, 1}}, false, 0)
				})
			}
		}
	}
}

func TestDotInts(t *testing.T) {
	for _, elem := range []dtype.Type{dtype.I8, dtype.U8} {
		for _, c := range [][4]int{{16, 32, 8, 64}, {32, 16, 16, 32}, {4, 8, 64, 256}} {
			k := axistest.Build(t, "dot", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: c[3]})
				a, b, out := k.In("a", elem, 2), k.In("b", elem, 2), k.Out("out", dtype.I32, 2)
				acc := k.Var(k.Full(dtype.I32, 7, c[0], c[1]))
				for i := range k.Range(k.CDiv(a.Dim(1), c[2])) {
					acc.Set(tile.Dot(a.Block(c[0], c[2]).Load(0, i), b.Block(c[2], c[1]).Load(i, 0), acc.Get(), tile.IEEE))
				}
				out.Block(c[0], c[1]).Store(acc.Get(), 0, 0)
			})
			la, lb, lo := matrices(t, c[0], 70)["columns"], matrices(t, 70, c[1])["rows"], matrices(t, c[0], c[1])["odd offset"]
			_, ha := la.Bounds()
			_, hb := lb.Bounds()
			_, ho := lo.Bounds()
			differential(t, k, []int{ha + 1, hb + 1, ho + 1}, []tensor{{la, 0}, {lb, 1}, {lo, 2}}, false, 0)
		}
	}
}

func TestBatchedDot(t *testing.T) {
	for _, elem := range []dtype.Type{dtype.F32, dtype.F16, dtype.I8} {
		for _, c := range [][5]int{{4, 16, 32, 8, 64}, {2, 8, 8, 16, 128}, {16, 4, 8, 4, 8}, {1, 16, 16, 8, 32}, {8, 2, 4, 8, 256}} {
			out, precision := dtype.F32, tile.IEEE
			if elem == dtype.F16 {
				precision = tile.Float32Accumulate
			}
			if elem == dtype.I8 {
				out = dtype.I32
			}
			k := axistest.Build(t, "batched", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: c[4]})
				a, b, o := k.In("a", elem, 3), k.In("b", elem, 3), k.Out("out", out, 3)
				acc := k.Var(k.Full(out, 2, c[0], c[1], c[2]))
				for i := range k.Range(k.CDiv(a.Dim(2), c[3])) {
					acc.Set(tile.Dot(a.Block(c[0], c[1], c[3]).Load(0, 0, i), b.Block(c[0], c[3], c[2]).Load(0, i, 0), acc.Get(), precision))
				}
				o.Block(c[0], c[1], c[2]).Store(acc.Get(), 0, 0, 0)
			})
			batch, m, n, kk := max(1, c[0]-1), c[1], c[2]-1, 2*c[3]+1
			la := axistest.Strided(t, []int{batch, m, kk}, []int{m * kk, 1, m}, 0)
			lb := axistest.Strided(t, []int{batch, kk, n}, []int{kk * n, n, 1}, 0)
			lo := axistest.Strided(t, []int{batch, m, n}, []int{m*n + 5, n, 1}, 3)
			_, ho := lo.Bounds()
			tol := 2 * float64(kk) * dtype.F32.Epsilon()
			if out == dtype.I32 {
				tol = 0
			}
			differential(t, k, []int{batch * m * kk, batch * kk * n, ho + 1}, []tensor{{la, 0}, {lb, 1}, {lo, 2}}, false, tol)
		}
	}
}
