package lowertest

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Scene is a kernel with its arguments, and what is expected of its distributions.
type Scene struct {
	Name    string
	Threads int
	build   func(k *tile.Builder)
	Args    []layout.Layout
	Sizes   []int // of buffers
	Tol     float64
	// Conversions lists the conversions on a target with shuffles: of what, its route, and between
	// whose candidates; widths the widths of the accesses to memory, in order
	Conversions []string
	Widths      []int
}

// Scenes are kernels whose tiles are distributed in one way for loads and in another for stores, or nearly so.
func Scenes(t *testing.T) []Scene {
	f32 := dtype.F32
	transpose := func(m, n int) func(k *tile.Builder) {
		return func(k *tile.Builder) {
			x, y := k.In("x", f32, 2), k.Out("y", f32, 2)
			k.Grid(2, 2)
			i, j := k.ProgramID(0), k.ProgramID(1)
			y.Block(n, m).Store(x.Block(m, n).Load(i, j).Transpose(), j, i)
		}
	}
	return []Scene{
		{Name: "transpose of a square", Threads: 256, build: transpose(64, 64),
			Args: []layout.Layout{Rows(t, 128, 128), Rows(t, 128, 128)}, Sizes: []int{128 * 128, 128 * 128},
			Conversions: []string{"f32[64,64] by shared memory, load to store"}, Widths: []int{4, 4}},
		{Name: "transpose of a rectangle", Threads: 256, build: transpose(32, 128),
			Args: []layout.Layout{Rows(t, 64, 256), Rows(t, 256, 64)}, Sizes: []int{64 * 256, 64 * 256},
			Conversions: []string{"f32[32,128] by shared memory, load to store"}, Widths: []int{4, 4}},
		{Name: "transpose by strides", Threads: 256, build: transpose(64, 64), // nothing to do
			Args: []layout.Layout{Rows(t, 128, 128), Columns(t, 128, 128)}, Sizes: []int{128 * 128, 128 * 128},
			Widths: []int{4, 4}},
		{Name: "columns added to rows", Threads: 256,
			build: func(k *tile.Builder) {
				x, y, z := k.In("x", f32, 2), k.In("y", f32, 2), k.Out("z", f32, 2)
				z.Block(64, 64).Store(x.Block(64, 64).Load(0, 0).Add(y.Block(64, 64).Load(0, 0)), 0, 0)
			},
			Args: []layout.Layout{Columns(t, 64, 64), Rows(t, 64, 64), Rows(t, 64, 64)}, Sizes: []int{4096, 4096, 4096},
			Conversions: []string{"f32[64,64] by shared memory, load to load"}, Widths: []int{4, 4, 4}},
		{Name: "two tiles of one shape", Threads: 256,
			build: func(k *tile.Builder) {
				x, y, u, v := k.In("x", f32, 2), k.Out("y", f32, 2), k.In("u", f32, 2), k.Out("v", f32, 2)
				y.Block(64, 64).Store(x.Block(64, 64).Load(0, 0).Exp(), 0, 0)
				v.Block(64, 64).Store(u.Block(64, 64).Load(0, 0).Exp(), 0, 0)
			},
			Args:  []layout.Layout{Rows(t, 64, 64), Rows(t, 64, 64), Columns(t, 64, 64), Columns(t, 64, 64)},
			Sizes: []int{4096, 4096, 4096, 4096}, Tol: 1e-6, Widths: []int{4, 4, 4, 4}},
		{Name: "softmax", Threads: 256,
			build: func(k *tile.Builder) {
				x, y := k.In("x", f32, 2), k.Out("y", f32, 2)
				v := x.Block(4, 1024).Load(0, 0)
				v = v.Sub(v.Max(1)).Exp()
				y.Block(4, 1024).Store(v.Div(v.Sum(1)), 0, 0)
			},
			Args: []layout.Layout{Rows(t, 4, 1024), Rows(t, 4, 1024)}, Sizes: []int{4096, 4096}, Tol: 1e-5, Widths: []int{4, 4}},
		{Name: "row and column sums", Threads: 256,
			build: func(k *tile.Builder) {
				x, r, c := k.In("x", f32, 2), k.Out("r", f32, 2), k.Out("c", f32, 2)
				v := x.Block(64, 64).Load(0, 0)
				r.Block(64, 1).Store(v.Sum(1), 0, 0)
				c.Block(1, 64).Store(v.Sum(0), 0, 0)
			},
			Args: []layout.Layout{Rows(t, 64, 64), Rows(t, 64, 1), Rows(t, 1, 64)}, Sizes: []int{4096, 64, 64}, Tol: 1e-5,
			Widths: []int{4, 1, 4}},
		{Name: "layernorm", Threads: 256,
			build: func(k *tile.Builder) {
				x, w, b, y := k.In("x", f32, 2), k.In("w", f32, 2), k.In("b", f32, 2), k.Out("y", f32, 2)
				v := x.Block(4, 1024).Load(0, 0)
				d := v.Sub(v.Sum(1).Mul(1.0 / 1024))
				v = d.Mul(d.Mul(d).Sum(1).Mul(1.0 / 1024).Add(1e-5).Rsqrt())
				v = v.Mul(w.Block(1, 1024).Load(0, 0)).Add(b.Block(1, 1024).Load(0, 0))
				y.Block(4, 1024).Store(v, 0, 0)
			},
			Args:  []layout.Layout{Rows(t, 4, 1024), Rows(t, 1, 1024), Rows(t, 1, 1024), Rows(t, 4, 1024)},
			Sizes: []int{4096, 1024, 1024, 4096}, Tol: 1e-5, Widths: []int{4, 4, 4, 4}},
		{Name: "a widening cast", Threads: 256, // what is converted is what is narrower
			build: func(k *tile.Builder) {
				x, y, z := k.In("x", dtype.F16, 2), k.In("y", f32, 2), k.Out("z", f32, 2)
				z.Block(64, 64).Store(x.Block(64, 64).Load(0, 0).Cast(f32).Add(y.Block(64, 64).Load(0, 0)), 0, 0)
			},
			Args: []layout.Layout{Columns(t, 64, 64), Rows(t, 64, 64), Rows(t, 64, 64)}, Sizes: []int{4096, 4096, 4096},
			Conversions: []string{"f16[64,64] by shared memory, load to load"}, Widths: []int{8, 4, 4}},
		{Name: "a small tile for all rows", Threads: 256, // what is converted is what is smaller
			build: func(k *tile.Builder) {
				x, y, z := k.In("x", f32, 2), k.In("y", f32, 2), k.Out("z", f32, 2)
				z.Block(64, 64).Store(y.Block(64, 64).Load(0, 0).Sub(x.Block(64, 64).Load(0, 0).Max(1)), 0, 0)
			},
			Args: []layout.Layout{Columns(t, 64, 64), Rows(t, 64, 64), Rows(t, 64, 64)}, Sizes: []int{4096, 4096, 4096},
			Conversions: []string{"f32[64,1] by shared memory, load to load"}, Widths: []int{4, 4, 4}},
		{Name: "before a loop", Threads: 256, // see TestConversionStandsBeforeTheLoop
			build: beforeALoop,
			Args:  []layout.Layout{Columns(t, 64, 64), Rows(t, 64, 256), Rows(t, 64, 64)}, Sizes: []int{4096, 4 * 4096, 4096}, Tol: 1e-5,
			Conversions: []string{"f32[64,64] by shared memory, load to load"}, Widths: []int{4, 4, 4}},
		{Name: "a mask made twice", Threads: 256,
			build: func(k *tile.Builder) {
				x, y, u, v := k.In("x", f32, 2), k.Out("y", f32, 2), k.In("u", f32, 2), k.Out("v", f32, 2)
				mask := k.Iota(0, 64, 64).Ge(k.Iota(1, 64, 64).Add(3))
				zero := k.Zeros(f32, 64, 64)
				y.Block(64, 64).Store(k.Where(mask, x.Block(64, 64).Load(0, 0), zero), 0, 0)
				v.Block(64, 64).Store(k.Where(mask, u.Block(64, 64).Load(0, 0), zero), 0, 0)
			},
			Args:  []layout.Layout{Rows(t, 64, 64), Rows(t, 64, 64), Columns(t, 64, 64), Columns(t, 64, 64)},
			Sizes: []int{4096, 4096, 4096, 4096}, Widths: []int{4, 4, 4, 4}},
		{Name: "matmul with an epilogue", Threads: 256,
			build: func(k *tile.Builder) {
				a, b, bias, residual, out := k.In("a", f32, 2), k.In("b", f32, 2), k.In("bias", f32, 2), k.In("residual", f32, 2), k.Out("out", f32, 2)
				acc := k.Var(k.Zeros(f32, 64, 64))
				for i := range k.Range(k.CDiv(a.Dim(1), 16)) {
					acc.Set(tile.Dot(a.Block(64, 16).Load(0, i), b.Block(16, 64).Load(i, 0), acc.Get(), tile.IEEE))
				}
				v := tile.SiLU(acc.Get().Add(bias.Block(1, 64).Load(0, 0))).Add(residual.Block(64, 64).Load(0, 0))
				out.Block(64, 64).Store(v, 0, 0)
			},
			Args:  []layout.Layout{Rows(t, 64, 64), Rows(t, 64, 64), Rows(t, 1, 64), Rows(t, 64, 64), Rows(t, 64, 64)},
			Sizes: []int{4096, 4096, 64, 4096, 4096}, Tol: 1e-4, Widths: []int{1, 4, 4, 4, 4}},
		{Name: "matmul with a transposed residual", Threads: 256,
			build: func(k *tile.Builder) {
				a, b, residual, out := k.In("a", f32, 2), k.In("b", f32, 2), k.In("residual", f32, 2), k.Out("out", f32, 2)
				acc := k.Var(k.Zeros(f32, 64, 64))
				for i := range k.Range(k.CDiv(a.Dim(1), 16)) {
					acc.Set(tile.Dot(a.Block(64, 16).Load(0, i), b.Block(16, 64).Load(i, 0), acc.Get(), tile.IEEE))
				}
				out.Block(64, 64).Store(acc.Get().Add(residual.Block(64, 64).Load(0, 0)), 0, 0)
			},
			Args:  []layout.Layout{Rows(t, 64, 64), Rows(t, 64, 64), Columns(t, 64, 64), Rows(t, 64, 64)},
			Sizes: []int{4096, 4096, 4096, 4096}, Tol: 1e-4, Widths: []int{1, 4, 4, 4}},
		{Name: "flash attention", Threads: 128,
			build: func(k *tile.Builder) {
				q, kk, v, out := k.In("q", f32, 2), k.In("k", f32, 2), k.In("v", f32, 2), k.Out("out", f32, 2)
				most, sum, acc := k.Var(k.Full(f32, -1e30, 32, 1)), k.Var(k.Zeros(f32, 32, 1)), k.Var(k.Zeros(f32, 32, 64))
				queries := q.Block(32, 64).Load(0, 0)
				for i := range k.Range(k.CDiv(kk.Dim(0), 32)) {
					s := tile.Dot(queries, kk.Block(32, 64).Load(i, 0).Transpose(), k.Zeros(f32, 32, 32), tile.IEEE)
					m := most.Get().Maximum(s.Max(1))
					p, shrink := s.Sub(m).Exp(), most.Get().Sub(m).Exp()
					sum.Set(sum.Get().Mul(shrink).Add(p.Sum(1)))
					acc.Set(tile.Dot(p.Cast(dtype.F16), v.Block(32, 64).Load(i, 0).Cast(dtype.F16), acc.Get().Mul(shrink), tile.Float32Accumulate))
					most.Set(m)
				}
				out.Block(32, 64).Store(acc.Get().Div(sum.Get()), 0, 0)
			},
			Args:  []layout.Layout{Rows(t, 32, 64), Rows(t, 64, 64), Rows(t, 64, 64), Rows(t, 32, 64)},
			Sizes: []int{2048, 4096, 4096, 2048}, Tol: 1e-3, Widths: []int{4, 4, 4, 4},
			// the rows' corrections, from one register tile to the other: once an iteration and once after all
			Conversions: []string{"f32[32,1] by shared memory, dot to dot", "f32[32,1] by shared memory, dot to dot"}},
	}
}

// beforeALoop adds a transposed tile to one block after another of a row.
func beforeALoop(k *tile.Builder) {
	x, y, z := k.In("x", dtype.F32, 2), k.In("y", dtype.F32, 2), k.Out("z", dtype.F32, 2)
	v, sum := x.Block(64, 64).Load(0, 0), k.Var(k.Zeros(dtype.F32, 64, 64))
	for i := range k.Range(k.CDiv(y.Dim(1), 64)) {
		sum.Set(sum.Get().Add(y.Block(64, 64).Load(0, i).Mul(v)))
	}
	z.Block(64, 64).Store(sum.Get(), 0, 0)
}

// Kernel builds the scene's kernel.
func (s Scene) Kernel(t *testing.T) *tile.Func {
	return axistest.Build(t, "scene", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: s.Threads})
		s.build(k)
	})
}

// Facts are those of the scene's arguments, each in a buffer of its own.
func (s Scene) Facts() axis.Facts {
	buffers := make([]int, len(s.Args))
	for i := range buffers {
		buffers[i] = i
	}
	return axis.FactsOf(s.Args, buffers)
}
