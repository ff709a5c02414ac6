package lower

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// TestCooperativeProducts compares products of cooperative matrices with the interpreter's, for fragments of several makers.
func TestCooperativeProducts(t *testing.T) {
	t.Parallel()
	for _, elem := range []dtype.Type{dtype.F16, dtype.BF16, dtype.I8, dtype.U8, dtype.F32} {
		targets := map[string]target.Caps{}
		for name, caps := range lowertest.CooperativeTargets {
			if caps.MatrixTypes().Has(elem) || elem == dtype.F32 && hasBFloats(caps) {
				targets[name] = caps
			}
		}
		for i, c := range []struct{ m, n, k, bm, bn, bk, threads, stages int }{
			{32, 32, 64, 32, 32, 32, 32, 1},
			{64, 64, 128, 64, 64, 64, 128, 2},
			{33, 47, 70, 16, 32, 32, 64, 2},
			{64, 128, 192, 64, 128, 32, 256, 2},
			{40, 24, 96, 32, 16, 64, 64, 2},
		} {
			for order := range 4 {
				if i > 1 && (order != i%4 && order != i%4^3) {
					continue
				}
				t.Run(fmt.Sprintf("%v/%v/%d", elem, c, order), func(t *testing.T) {
					k := product(t, elem, c.bm, c.bn, c.bk, tile.Schedule{Threads: c.threads, Stages: c.stages})
					orders := []string{"rows", "columns"}
					la, lb := matrices(t, c.m, c.k)[orders[order&1]], matrices(t, c.k, c.n)[orders[order>>1]]
					lo := matrices(t, c.m, c.n)["rows"]
					for _, l := range cases(t, targets, k, []int{c.m * c.k, c.k * c.n, c.m * c.n}, []tensor{{la, 0}, {lb, 1}, {lo, 2}}, false, matrixTolerance(elem, c.k)) {
						if lowertest.Count(l.kernel, simt.CooperativeMulAdd) == 0 && c.threads >= targets[l.target].SubgroupSize {
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

// TestCooperativeChain: the result of a product is an operand of the next one without shared memory where the instruction's fragments of both
// agree, and through it where they do not.
func TestCooperativeChain(t *testing.T) {
	k := axistest.Build(t, "chain", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 64})
		q, key, v, out := k.In("q", dtype.F16, 2), k.In("k", dtype.F16, 2), k.In("v", dtype.F16, 2), k.Out("out", dtype.F32, 2)
		acc, most := k.Var(k.Zeros(dtype.F32, 32, 32)), k.Var(k.Full(dtype.F32, -1e30, 32, 1))
		for i := range k.Range(k.CDiv(key.Dim(0), 32)) {
			s := tile.Dot(q.Block(32, 32).Load(0, 0), key.Block(32, 32).Load(i, 0).Transpose(), k.Zeros(dtype.F32, 32, 32), tile.Float32Accumulate)
			now := most.Get().Maximum(s.Max(1))
			p := s.Sub(now).Exp2().Cast(dtype.F16)
			scaled := acc.Get().Mul(most.Get().Sub(now).Exp2())
			most.Set(now)
			acc.Set(tile.Dot(p, v.Block(32, 32).Load(i, 0), scaled, tile.Float32Accumulate))
		}
		out.Block(32, 32).Store(acc.Get(), 0, 0)
	})
	args := []tensor{{lowertest.Rows(t, 32, 32), 0}, {lowertest.Rows(t, 96, 32), 1}, {lowertest.Rows(t, 96, 32), 2}, {lowertest.Rows(t, 32, 32), 3}}
	for _, l := range cases(t, lowertest.CooperativeTargets, k, []int{32 * 32, 96 * 32, 96 * 32, 32 * 32}, args, false, 1e-3) {
		if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
			t.Fatalf("%s: %v\n%v", l.target, err, l.kernel)
		}
		stays := strings.Contains(strings.Join(l.notes, "\n"), "operand a stays in registers")
		if want := slices.Contains([]string{"mma", "small", "llvmpipe", "xe-hpg", "xe2"}, l.target); stays != want {
			t.Errorf("%s: the weights stay in registers: %v\n%s", l.target, stays, strings.Join(l.notes, "\n"))
		}
	}
}

// TestOpaqueRefused: where opaque matrices cannot be used, products are multiply-adds, and a note says why.
func TestOpaqueRefused(t *testing.T) {
	row := func(elem dtype.Type, change func(m *target.CooperativeMatrix)) target.CooperativeList {
		m := target.CooperativeMatrix{M: 16, N: 16, K: 16, Threads: 32, A: elem, B: elem, C: dtype.F32, Result: dtype.F32, Unknown: "a test"}
		change(&m)
		return target.CooperativeOf(m)
	}
	same := func(*target.CooperativeMatrix) {}
	targets, want := map[string]target.Caps{}, map[string]string{}
	for i, c := range []struct {
		language target.Language
		f16      bool
		rows     target.CooperativeList
		why      string
	}{
		{target.WGSL, true, row(dtype.F16, func(m *target.CooperativeMatrix) { m.Unknown = "" }), "subgroup matrices of WGSL have no elements"},
		{target.WGSL, false, row(dtype.F16, same), "shared arrays of WGSL have no elements of f16"},
		{target.SPIRV, true, row(dtype.F16, func(m *target.CooperativeMatrix) { m.M, m.N = 4, 4 }), "32 threads have 4×4 elements"},
	} {
		name := fmt.Sprint(i)
		targets[name] = target.Caps{Language: c.language, MaxThreads: 1024, SharedBytes: 32 << 10, SubgroupSize: 32, F16: c.f16, F16Nearest: true, Cooperative: c.rows}
		want[name] = "no matrix instructions: " + c.why
	}
	l := matrices(t, 32, 32)["rows"]
	k := product(t, dtype.F16, 32, 32, 32, tile.Schedule{Threads: 64})
	for _, l := range cases(t, targets, k, []int{32 * 32, 32 * 32, 32 * 32}, []tensor{{l, 0}, {l, 1}, {l, 2}}, false, matrixTolerance(dtype.F16, 32)) {
		if notes := strings.Join(l.notes, "\n"); lowertest.Count(l.kernel, simt.CooperativeMulAdd) != 0 || !strings.Contains(notes, want[l.target]) {
			t.Errorf("%s: want %q\n%s", l.target, want[l.target], notes)
		}
		if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
			t.Fatalf("%s: %v", l.target, err)
		}
	}
}

// TestCooperativeSigns: a kernel may add products of signed and of unsigned bytes, whose sums are matrices of different types.
func TestCooperativeSigns(t *testing.T) {
	k := axistest.Build(t, "signs", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 64, Stages: 2})
		a, b, x, y, out := k.In("a", dtype.I8, 2), k.In("b", dtype.I8, 2), k.In("x", dtype.U8, 2), k.In("y", dtype.U8, 2), k.Out("out", dtype.I32, 2)
		acc := k.Var(k.Zeros(dtype.I32, 32, 32))
		for i := range k.Range(k.CDiv(a.Dim(1), 32)) {
			signed := tile.Dot(a.Block(32, 32).Load(0, i), b.Block(32, 32).Load(i, 0), acc.Get(), tile.IEEE)
			acc.Set(tile.Dot(x.Block(32, 32).Load(0, i), y.Block(32, 32).Load(i, 0), signed, tile.IEEE))
		}
		out.Block(32, 32).Store(acc.Get(), 0, 0)
	})
	targets := map[string]target.Caps{}
	for name, caps := range lowertest.CooperativeTargets {
		if caps.MatrixTypes().Has(dtype.I8) && caps.MatrixTypes().Has(dtype.U8) {
			targets[name] = caps
		}
	}
	rows, columns, square := lowertest.Rows(t, 32, 96), lowertest.Rows(t, 96, 32), lowertest.Rows(t, 32, 32)
	args := []tensor{{rows, 0}, {columns, 1}, {rows, 2}, {columns, 3}, {square, 4}}
	for _, l := range cases(t, targets, k, []int{32 * 96, 96 * 32, 32 * 96, 96 * 32, 32 * 32}, args, false, 0) {
		text := l.kernel.String()
		if !strings.Contains(text, " of i8") || !strings.Contains(text, " of u8") {
			t.Errorf("%s: not both are matrices\n%s", l.target, text)
		}
		if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
			t.Fatalf("%s: %v\n%s", l.target, err, text)
		}
	}
}

// TestBytesTransposed: bytes that are not contiguous along K become so while they are staged, by stores of words without bank conflicts.
func TestBytesTransposed(t *testing.T) {
	targets := map[string]target.Caps{"mma": lowertest.CooperativeTargets["mma"]}
	for _, c := range []struct{ bm, bn, bk, threads int }{{128, 128, 64, 128}, {128, 128, 128, 128}, {128, 256, 64, 256}, {64, 64, 64, 64}} {
		k := product(t, dtype.I8, c.bm, c.bn, c.bk, tile.Schedule{Threads: c.threads, Stages: 2})
		a, b, out := matrices(t, c.bm, 2*c.bk)["columns"], matrices(t, 2*c.bk, c.bn)["rows"], matrices(t, c.bm, c.bn)["rows"]
		for _, l := range cases(t, targets, k, []int{c.bm * 2 * c.bk, 2 * c.bk * c.bn, c.bm * c.bn}, []tensor{{a, 0}, {b, 1}, {out, 2}}, false, 0) {
			if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
				t.Fatalf("%v: %v\n%v", c, err, l.kernel)
			}
			stores := 0
			simt.Walk(l.kernel.Body, func(op *simt.Op) {
				switch {
				case op.Kind == simt.CooperativeLoad && op.Transpose != (op.Result().Type.Matrix.Use == simt.MatrixB):
					t.Errorf("%v: matrices of %s are not K-major", c, op.Shared.Name)
				case op.Kind == simt.SharedStore && strings.HasPrefix(op.Shared.Name, "tile_"):
					if stores++; op.Args[1].Type != simt.Scalar(dtype.U32) || !op.Packed || op.Cost != c.threads/32 {
						t.Errorf("%v: a store of %v takes %d wavefronts", c, op.Args[1].Type, op.Cost)
					}
				}
			})
			if stores == 0 {
				t.Errorf("%v: no stores", c)
			}
		}
	}
}
