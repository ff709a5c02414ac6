package tile_test

import (
	"math"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// Moving these kernels changes the lines in the golden files: -update.

func addKernel(k *tile.Builder) {
	x, y, z := k.In("x", dtype.BF16, 2), k.In("y", dtype.BF16, 2), k.Out("z", dtype.BF16, 2)
	k.Grid(k.CDiv(z.Dim(0), 4), k.CDiv(z.Dim(1), 256))
	i, j := k.ProgramID(0), k.ProgramID(1)
	z.Block(4, 256).Store(x.Block(4, 256).Load(i, j).Add(y.Block(1, 256).Load(0, j)), i, j)
}

func matmulKernel(k *tile.Builder) {
	const bm, bn, bk = 64, 32, 16
	a, b, c := k.In("a", dtype.F16, 2), k.In("b", dtype.F16, 2), k.Out("c", dtype.F16, 2)
	k.Schedule(tile.Schedule{Threads: 128, Order: tile.Order{Kind: tile.GroupedRows, Group: 8}})
	rows, columns := k.CDiv(c.Dim(0), bm), k.CDiv(c.Dim(1), bn)
	row, column := k.TileID(rows, columns)
	acc := k.Var(k.Zeros(dtype.F32, bm, bn))
	for i := range k.Range(k.CDiv(a.Dim(1), bk)) {
		acc.Set(tile.Dot(a.Block(bm, bk).Load(row, i), b.Block(bk, bn).Load(i, column), acc.Get(), tile.Float32Accumulate))
	}
	alpha := k.Scalar("alpha", dtype.F32)
	c.Block(bm, bn).Store(acc.Get().Mul(alpha).Cast(dtype.F16), row, column)
}

func softmaxKernel(k *tile.Builder) {
	x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
	k.Grid(x.Dim(0))
	row := k.ProgramID(0)
	v := x.Block(1, 1024).Fill(math.Inf(-1)).Load(row, 0)
	v = v.Sub(v.Max(1)).Exp()
	y.Block(1, 1024).Store(v.Div(v.Sum(1)), row, 0)
}

// nested carries two values through two loops, one of them in the outer loop only.
func nestedKernel(k *tile.Builder) {
	y := k.InOut("y", dtype.I32, 1)
	n := k.Scalar("n", dtype.I32)
	a, b := k.Var(k.Int(0)), k.Var(k.Int(1))
	for i := range k.Range(n) {
		for j := range k.RangeStep(i, n, 2) {
			a.Set(a.Get().Add(j))
		}
		b.Set(b.Get().Xor(a.Get()))
	}
	y.Block(1).Store(k.Where(a.Get().Lt(b.Get()), a.Get(), b.Get()), 0)
}

// combines reduces two values at once and scans.
func combinesKernel(k *tile.Builder) {
	x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
	n := k.Scalar("n", dtype.F32)
	v := x.Block(4, 64).Load(0, 0)
	online := tile.Reduce([]*tile.Value{v, k.Full(dtype.F32, 1, 4, 64)}, 1, func(x, y []*tile.Value) []*tile.Value {
		top := x[0].Maximum(y[0])
		return []*tile.Value{top, x[1].Mul(x[0].Sub(top).Exp()).Add(y[1].Mul(y[0].Sub(top).Exp()))}
	})
	p := v.Sub(online[0]).Exp().Div(online[1])
	before := tile.ScanExclusive([]*tile.Value{p}, []tile.Operand{n}, 1, func(x, y []*tile.Value) []*tile.Value {
		return []*tile.Value{x[0].Add(y[0])}
	})[0]
	even, odd := before.Transpose().Reshape(4, 32, 2).Split()
	y.Block(4, 32).Store(even.Mul(odd).Mul(k.Iota(1, 4, 32).Cast(dtype.F32)), 0, 0)
}

func TestGolden(t *testing.T) {
	for name, describe := range map[string]func(*tile.Builder){
		"add": addKernel, "matmul": matmulKernel, "softmax": softmaxKernel, "nested": nestedKernel, "points": pointsKernel, "control": controlKernel,
		"combines": combinesKernel,
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, name+".tile", build(t, name, describe).String())
		})
	}
}
