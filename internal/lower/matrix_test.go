package lower

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// product describes a matrix product with tiles of the given sizes.
func product(t *testing.T, elem dtype.Type, bm, bn, bk int, s tile.Schedule) *tile.Func {
	precision := tile.Float32Accumulate
	switch {
	case elem == dtype.F32:
		precision = tile.TF32
	case elem.IsInt():
		precision = tile.IEEE
	}
	return productAs(t, elem, precision, bm, bn, bk, s)
}

// productAs is a product in a given precision.
func productAs(t *testing.T, elem dtype.Type, precision tile.Precision, bm, bn, bk int, s tile.Schedule) *tile.Func {
	t.Helper()
	return axistest.Build(t, "product", func(k *tile.Builder) {
		k.Schedule(s)
		sums := dtype.F32
		if elem.IsInt() {
			sums = dtype.I32
		}
		a, b, out := k.In("a", elem, 2), k.In("b", elem, 2), k.Out("out", sums, 2)
		row, column := k.TileID(k.CDiv(out.Dim(0), bm), k.CDiv(out.Dim(1), bn))
		acc := k.Var(k.Zeros(sums, bm, bn))
		for i := range k.Range(k.CDiv(a.Dim(1), bk)) {
			acc.Set(tile.Dot(a.Block(bm, bk).Load(row, i), b.Block(bk, bn).Load(i, column), acc.Get(), precision))
		}
		out.Block(bm, bn).Store(acc.Get(), row, column)
	})
}

// matrixTolerance is the error of a product over k terms, relative to the largest element.
func matrixTolerance(elem dtype.Type, k int) float64 {
	switch {
	case elem.IsInt():
		return 0
	case elem == dtype.F32: // both operands lose what is beyond 10 bits
		return 0x1p-8
	}
	return 2 * float64(k) * dtype.F32.Epsilon()
}

// TestMatrixProducts compares products by matrix instructions with the interpreter's: all element types, both orders of
// each operand in memory, tiles of one piece and of many, stages, and sizes with edges.
func TestMatrixProducts(t *testing.T) {
	t.Parallel()
	for _, elem := range []dtype.Type{dtype.F16, dtype.BF16, dtype.F32, dtype.I8, dtype.U8} {
		for i, c := range []struct{ m, n, k, bm, bn, bk, threads, stages int }{
			{32, 32, 64, 32, 32, 32, 32, 1},
			{64, 64, 128, 64, 64, 64, 128, 2},
			{33, 47, 70, 16, 32, 32, 64, 3},
			{64, 128, 192, 64, 128, 32, 256, 4},
			{16, 8, 64, 16, 8, 32, 128, 2},
			{40, 24, 96, 32, 16, 64, 64, 2},
		} {
			for order := range 4 {
				if i > 1 && (order != i%4 && order != i%4^3) {
					continue
				}
				name := fmt.Sprintf("%v/%v/%d", elem, c, order)
				t.Run(name, func(t *testing.T) {
					k := product(t, elem, c.bm, c.bn, c.bk, tile.Schedule{Threads: c.threads, Stages: c.stages})
					orders := []string{"rows", "columns"}
					la, lb := matrices(t, c.m, c.k)[orders[order&1]], matrices(t, c.k, c.n)[orders[order>>1]]
					lo := matrices(t, c.m, c.n)["rows"]
					for _, l := range cases(t, lowertest.MatrixTargets, k, []int{c.m * c.k, c.k * c.n, c.m * c.n}, []tensor{{la, 0}, {lb, 1}, {lo, 2}}, false, matrixTolerance(elem, c.k)) {
						if lowertest.Count(l.kernel, simt.MMA)+lowertest.Count(l.kernel, simt.GroupMMA) == 0 {
							t.Errorf("%s: no matrix instruction\n%v", l.target, l.kernel)
						}
						if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
							t.Fatalf("%s: %v\n%v", l.target, err, l.kernel)
						}
					}
				})
			}
		}
	}
}

// TestProductOfProduct shows that the result of a product is an operand of the next without leaving the registers.
func TestProductOfProduct(t *testing.T) {
	for _, threads := range []int{32, 128} { // of which the latter are a warpgroup
		k := axistest.Build(t, "chain", func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: threads})
			q, key, v, out := k.In("q", dtype.F16, 2), k.In("k", dtype.F16, 2), k.In("v", dtype.F16, 2), k.Out("out", dtype.F32, 2)
			acc := k.Var(k.Zeros(dtype.F32, 64, 32))
			for i := range k.Range(k.CDiv(key.Dim(0), 32)) {
				s := tile.Dot(q.Block(64, 32).Load(0, 0), key.Block(32, 32).Load(i, 0).Transpose(), k.Zeros(dtype.F32, 64, 32), tile.Float32Accumulate)
				p := s.Sub(s.Max(1)).Exp2().Cast(dtype.F16)
				acc.Set(tile.Dot(p, v.Block(32, 32).Load(i, 0), acc.Get(), tile.Float32Accumulate))
			}
			out.Block(64, 32).Store(acc.Get(), 0, 0)
		})
		args := []tensor{{lowertest.Rows(t, 64, 32), 0}, {lowertest.Rows(t, 96, 32), 1}, {lowertest.Rows(t, 96, 32), 2}, {lowertest.Rows(t, 64, 32), 3}}
		for _, l := range cases(t, lowertest.MatrixTargets, k, []int{64 * 32, 96 * 32, 96 * 32, 64 * 32}, args, false, 1e-3) {
			if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
				t.Fatalf("%s: %v\n%v", l.target, err, l.kernel)
			}
			if n := lowertest.Count(l.kernel, simt.SharedStore); l.target != "small" && n > 0 {
				t.Errorf("%s: %d stores to shared memory\n%v", l.target, n, l.kernel)
			}
		}
	}
}

// TestWhyNoMatrix: a product that has no matrix instructions says why.
func TestWhyNoMatrix(t *testing.T) {
	for _, c := range []struct {
		elem      dtype.Type
		precision tile.Precision
		m, n, k   int
		threads   int
		want      string
	}{
		{dtype.F32, tile.IEEE, 32, 32, 32, 64, "the precision is ieee"},
		{dtype.F16, tile.Float32Accumulate, 8, 32, 32, 64, "8×32×32 is smaller than the 16×8×16 of an instruction"},
		{dtype.F16, tile.Float32Accumulate, 32, 32, 32, 16, "16 threads do not fill a warp"},
	} {
		k := axistest.Build(t, "dot", func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: c.threads})
			a, b, out := k.In("a", c.elem, 2), k.In("b", c.elem, 2), k.Out("out", dtype.F32, 2)
			out.Block(c.m, c.n).Store(tile.Dot(a.Block(c.m, c.k).Load(0, 0), b.Block(c.k, c.n).Load(0, 0), k.Zeros(dtype.F32, c.m, c.n), c.precision), 0, 0)
		})
		args := []layout.Layout{lowertest.Rows(t, c.m, c.k), lowertest.Rows(t, c.k, c.n), lowertest.Rows(t, c.m, c.n)}
		r, err := Lower(k, axis.FactsOf(args, []int{0, 1, 2}), lowertest.MatrixTargets["hopper"])
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, c.want) }) {
			t.Errorf("%q, want %q", r.Notes, c.want)
		}
	}
}

// TestRandomProducts draws products: sizes, tiles, threads and stages, the layouts of the operands in memory, whether they come from
// memory or are computed, and what follows the product.
func TestRandomProducts(t *testing.T) {
	t.Parallel()
	checks := 0
	rapid.Check(t, func(r *rapid.T) {
		if checks++; checks > 40 {
			return
		}
		side := func(name string, least, most int) int { return 1 << rapid.IntRange(least, most).Draw(r, name) }
		elem := rapid.SampledFrom([]dtype.Type{dtype.F16, dtype.BF16, dtype.F32, dtype.I8, dtype.U8}).Draw(r, "elem")
		ofF32 := rapid.SampledFrom([]tile.Precision{tile.TF32, tile.TF32x3, tile.IEEE}).Draw(r, "precision")
		bm, bn, bk := side("bm", 4, 6), side("bn", 3, 6), side("bk", 3, 6)
		m, n, kk := rapid.IntRange(1, 90).Draw(r, "m"), rapid.IntRange(1, 90).Draw(r, "n"), rapid.IntRange(1, 150).Draw(r, "k")
		computed, flipped := rapid.Bool().Draw(r, "computed"), rapid.Bool().Draw(r, "flipped")
		k := axistest.Build(t, "product", func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: side("threads", 5, 8), Stages: rapid.IntRange(0, 4).Draw(r, "stages")})
			sums, precision := dtype.F32, tile.Float32Accumulate
			switch {
			case elem == dtype.F32:
				precision = ofF32
			case elem.IsInt():
				sums, precision = dtype.I32, tile.IEEE
			}
			a, b, out := k.In("a", elem, 2), k.In("b", elem, 2), k.Out("out", sums, 2)
			row, column := k.TileID(k.CDiv(out.Dim(0), bm), k.CDiv(out.Dim(1), bn))
			acc := k.Var(k.Zeros(sums, bm, bn))
			for i := range k.Range(k.CDiv(a.Dim(1), bk)) {
				x := a.Block(bm, bk).Load(row, i)
				y := b.Block(bk, bn).Load(i, column)
				if computed {
					x = x.Maximum(1)
				}
				if flipped {
					y = b.Block(bk, bn).Load(i, column).Transpose().Add(0).Transpose()
				}
				acc.Set(tile.Dot(x, y, acc.Get(), precision))
			}
			out.Block(bm, bn).Store(acc.Get().Add(acc.Get().Max(1)), row, column)
		})
		ways := []string{"rows", "columns", "padded", "odd offset", "every second"}
		pick := func(name string, m, n int) layout.Layout {
			return matrices(t, m, n)[rapid.SampledFrom(ways).Draw(r, name)]
		}
		args := []tensor{{pick("a", m, kk), 0}, {pick("b", kk, n), 1}, {pick("out", m, n), 2}}
		var sizes []int
		for _, a := range args {
			_, last := a.layout.Bounds()
			sizes = append(sizes, last+9)
		}
		for _, l := range cases(t, lowertest.MatrixTargets, k, sizes, args, rapid.Bool().Draw(r, "folded"), matrixTolerance(elem, kk)) {
			if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
				r.Fatalf("%s: %v\n%v", l.target, err, l.kernel)
			}
		}
	})
}

// TestGroupProducts compares products by warpgroups with the interpreter's: each operand in either order, tiles of one line
// and of several, edges, and a left operand that is computed.
func TestGroupProducts(t *testing.T) {
	t.Parallel()
	for i, c := range []struct{ m, n, k, bm, bn, bk, threads, stages int }{
		{64, 64, 128, 64, 64, 64, 128, 1},
		{128, 64, 256, 128, 64, 64, 256, 3},
		{64, 128, 136, 64, 128, 128, 128, 2},
		{136, 264, 200, 128, 256, 64, 256, 4},
		{200, 136, 136, 128, 128, 64, 128, 2}, // two parts of 64 rows
		{264, 72, 136, 256, 64, 64, 256, 2},
	} {
		for order := range 4 {
			t.Run(fmt.Sprint(c, order), func(t *testing.T) {
				testenv.Sample(t)
				elem := []dtype.Type{dtype.F16, dtype.BF16}[(i+order)%2]
				k := product(t, elem, c.bm, c.bn, c.bk, tile.Schedule{Threads: c.threads, Stages: c.stages})
				orders := []string{"rows", "columns"}
				args := []tensor{{matrices(t, c.m, c.k)[orders[order&1]], 0}, {matrices(t, c.k, c.n)[orders[order>>1]], 1}, {matrices(t, c.m, c.n)["rows"], 2}}
				for _, l := range cases(t, groupTargets, k, []int{c.m * c.k, c.k * c.n, c.m * c.n}, args, false, matrixTolerance(elem, c.k)) {
					if lowertest.Count(l.kernel, simt.GroupMMA) == 0 {
						t.Errorf("%v: no product of warpgroups\n%v", c, l.kernel)
					}
					if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
						t.Fatalf("%v, order %d: %v\n%v", c, order, err, l.kernel)
					}
				}
			})
		}
	}
}

// TestGroupsLoadWords compares products by warpgroups whose left operand is of MN-major words, staged by threads, with the interpreter's.
func TestGroupsLoadWords(t *testing.T) {
	for _, c := range []struct{ m, n, k, bm, bn, bk, threads, stages int }{
		{64, 64, 128, 64, 64, 32, 128, 1},
		{132, 72, 100, 128, 64, 32, 256, 3},
		{65, 67, 69, 64, 64, 64, 128, 2},
		{200, 136, 136, 128, 128, 32, 128, 2}, // two parts of 64 rows
	} {
		k := product(t, dtype.F32, c.bm, c.bn, c.bk, tile.Schedule{Threads: c.threads, Stages: c.stages})
		for _, out := range []string{"rows", "columns"} {
			args := []tensor{{matrices(t, c.m, c.k)["columns"], 0}, {matrices(t, c.k, c.n)["columns"], 1}, {matrices(t, c.m, c.n)[out], 2}}
			for _, l := range cases(t, groupTargets, k, []int{c.m * c.k, c.k * c.n, c.m * c.n}, args, false, matrixTolerance(dtype.F32, c.k)) {
				if c.m%4 == 0 && lowertest.Count(l.kernel, simt.GroupMMA) == 0 {
					t.Errorf("%v: no product of warpgroups\n%v", c, l.kernel)
				}
				simt.Walk(l.kernel.Body, func(op *simt.Op) {
					if op.Kind == simt.SharedLoad && op.Shared.Name == "tile_a" && op.Cost != c.threads/simt.WarpThreads {
						t.Errorf("%v: a load of words takes %d wavefronts of %d warps", c, op.Cost, c.threads/simt.WarpThreads)
					}
				})
				if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
					t.Fatalf("%v: %v\n%v", c, err, l.kernel)
				}
			}
		}
	}
}

// TestGroupsOfRegisters compares products by warpgroups whose left operand a loop carries in registers with the interpreter's, for every element
// type.
func TestGroupsOfRegisters(t *testing.T) {
	t.Parallel()
	for i, elem := range []dtype.Type{dtype.F16, dtype.BF16, dtype.F32, dtype.I8, dtype.U8} {
		for j, c := range [][4]int{{64, 64, 128, 128}, {128, 64, 128, 256}, {64, 32, 128, 128}, {64, 8, 128, 128}, {128, 32, 128, 128}} {
			bm, bn, bk := c[0], c[1], c[2]/elem.Size()
			if elem.Size() == 2 {
				bn = max(bn, 64)
			}
			k := axistest.Build(t, "registers", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: c[3], Stages: 1 + (i+j)%2})
				sums, precision := dtype.F32, tile.Float32Accumulate
				switch {
				case elem == dtype.F32:
					precision = tile.TF32
				case elem.IsInt():
					sums, precision = dtype.I32, tile.IEEE
				}
				a, b, out := k.In("a", elem, 2), k.In("b", elem, 2), k.Out("out", sums, 2)
				acc := k.Var(k.Zeros(sums, bm, bn))
				now, next := k.Var(a.Block(bm, bk).Load(0, 0)), k.Var(a.Block(bm, bk).Load(1, 0))
				for range k.Range(2) { // which makes it worth while
					for i := range k.Range(k.CDiv(b.Dim(0), bk)) {
						x := now.Get()
						acc.Set(tile.Dot(x, b.Block(bk, bn).Load(i, 0), acc.Get(), precision))
						now.Set(next.Get())
						next.Set(x)
					}
				}
				out.Block(bm, bn).Store(acc.Get(), 0, 0)
			})
			rows := 3*bk - 8
			orders := matrices(t, rows, bn)
			b := orders["columns"]
			if elem.Size() == 2 && j%2 == 0 {
				b = orders["rows"]
			}
			args := []tensor{{matrices(t, 2*bm-3, bk)["rows"], 0}, {b, 1}, {matrices(t, bm, bn)["rows"], 2}}
			for _, l := range cases(t, groupTargets, k, []int{2 * bm * bk, 3 * bk * bn, bm * bn}, args, false, matrixTolerance(elem, 3*bk)) {
				if n := lowertest.Count(l.kernel, simt.GroupMMA); n != 1 {
					t.Errorf("%v, %v: %d products of warpgroups\n%v", elem, c, n, l.kernel)
				}
				if n := lowertest.Count(l.kernel, simt.MatrixPlace); n != bk*elem.Size()/simt.WarpMMA.Bytes {
					t.Errorf("%v, %v: %d places, want those of the right operand alone\n%v", elem, c, n, l.kernel)
				}
				if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
					t.Fatalf("%v, %v: %v\n%v", elem, c, err, l.kernel)
				}
			}
		}
	}
}

// TestAttentionProducts is attention's pair of products in a loop of several blocks of keys, with what is computed in between: the
// left operands stay where they are, whatever the sizes of blocks and heads, equal ones included, and warpgroups multiply.
func TestAttentionProducts(t *testing.T) {
	for _, c := range [][4]int{{64, 64, 64, 128}, {64, 128, 64, 128}, {128, 64, 64, 256}, {128, 64, 64, 128}, {128, 32, 128, 128}} {
		queries, keys, head := c[0], c[1], c[2]
		k := axistest.Build(t, "attention", func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: c[3], Stages: 2})
			q, key, v, out := k.In("q", dtype.F16, 2), k.In("k", dtype.F16, 2), k.In("v", dtype.F16, 2), k.Out("out", dtype.F32, 2)
			acc := k.Var(k.Zeros(dtype.F32, queries, head))
			x := q.Block(queries, head).Load(0, 0)
			for i := range k.Range(k.CDiv(key.Dim(0), keys)) {
				s := tile.Dot(x, key.Block(keys, head).Load(i, 0).Transpose(), k.Zeros(dtype.F32, queries, keys), tile.Float32Accumulate)
				p := s.Sub(s.Max(1)).Exp2().Cast(dtype.F16)
				acc.Set(tile.Dot(p, v.Block(keys, head).Load(i, 0), acc.Get(), tile.Float32Accumulate))
			}
			out.Block(queries, head).Store(acc.Get(), 0, 0)
		})
		args := []tensor{{lowertest.Rows(t, queries, head), 0}, {lowertest.Rows(t, 3*keys, head), 1}, {lowertest.Rows(t, 3*keys, head), 2}, {lowertest.Rows(t, queries, head), 3}}
		for _, l := range cases(t, groupTargets, k, []int{queries * head, 3 * keys * head, 3 * keys * head, queries * head}, args, false, 1e-3) {
			if n := lowertest.Count(l.kernel, simt.GroupMMA); n != 2 {
				t.Errorf("%v: %d products of warpgroups", c, n)
			}
			for _, op := range l.kernel.Body.Ops {
				if op.Kind != simt.For {
					continue
				}
				simt.Walk(op.Body, func(op *simt.Op) {
					if op.Kind == simt.SharedStore || op.Kind == simt.StoreMatrix {
						t.Errorf("%v: %s is stored to, and not by copies alone", c, op.Shared.Name)
					}
				})
			}
			if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
				t.Fatalf("%v: %v\n%v", c, err, l.kernel)
			}
		}
	}
}

var groupTargets = map[string]target.Caps{"groups": lowertest.MatrixTargets["groups"]}
