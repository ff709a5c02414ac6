package docs_test

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

// The kernels below hold the right-hand side of every row of triton.md.

type tritonConfig struct{ Block int }

func tritonBasics(k *tile.Builder, cfg tritonConfig) {
	x, y := k.In("x", weft.F32, 1), k.Out("y", weft.F32, 1)
	alpha := k.Scalar("alpha", weft.F32)
	k.Schedule(tile.Schedule{Resident: 2})
	k.Grid(k.CDiv(y.Dim(0), cfg.Block))
	pid := k.ProgramID(0)
	v := x.Block(cfg.Block).Fill(math.Inf(-1)).Load(pid)
	k.Assert(pid.Lt(k.NumPrograms(0)), "beyond the grid")
	k.Print("v", v, pid.Eq(0))
	k.Break(v)
	k.Assume(y.Dim(0).Gt(0))
	n := y.Dim(0).Shl(4).MultipleOf(16)
	y.Block(cfg.Block).Store(v.Mul(alpha).Add(n.Cast(weft.F32)), pid)
}

// elementwise is the map of an element-wise function.
func elementwise(name string) *weft.Map {
	for _, op := range ops.Elementwise() {
		if op.Name == name {
			return op.Map
		}
	}
	return nil
}

func tritonTiles(k *tile.Builder, _ tritonConfig) {
	x, table, index := k.In("x", weft.F32, 2), k.In("table", weft.F32, 1), k.In("index", weft.I32, 1)
	out, flat, counts := k.Out("out", weft.F32, 2), k.Out("flat", weft.F32, 1), k.InOut("counts", weft.I32, 1)
	k.Grid(1)
	v := x.Block(64, 32).Load(0, 0)
	w := x.Block(64, 32).Load(k.ProgramID(0), 1)
	halo := x.Block(64, 32).LoadAt(k.ProgramID(0).Mul(64).Sub(1), -1)
	line := x.Block(1, 32).Squeeze(0).Load(k.ProgramID(0), 0)
	inside := x.Block(64, 32).Inside(k.ProgramID(0), 1)
	w = k.Where(inside, w.Add(halo), line.Expand(0))
	i, j := k.Arange(64), k.Arange(32)
	grid := i.Expand(1).Mul(32).Add(j.Expand(0))
	column := k.Full(weft.F32, 1, 64, 1).Broadcast(64, 32)
	v = v.Add(k.Zeros(weft.F32, 64, 32)).Add(column).Add(grid.Cast(weft.F32))
	a, b := v.Join(w).Split()
	v = a.Add(b).Reshape(32, 64).Transpose().Add(v.Permute(1, 0).Permute(1, 0))
	both := v.Join(w).Reshape(64, 64).Sum(1)

	v = k.Where(v.Gt(w), v, w).Minimum(w).Maximum(0).Clamp(-1, 1).FMA(w, v)
	v = v.Exp().Add(v.Log2()).Add(v.Rsqrt()).Add(v.Erf()).Add(v.Sigmoid()).Add(v.Floor())
	v = k.Sub(1, v).Add(k.Div(1, v)).Add(v.Sum(-1))
	asin := elementwise("asin")
	v = v.Add(asin.Tiles(v))
	v = v.Add(tile.GELU(w)).Add(k.Where(v.IsNaN(), v, 0)).Add(v.Bitcast(weft.I32).Bitcast(weft.F32))
	up := k.CDiv(i, 3).Div(2).Rem(5)
	high := up.Bitcast(weft.U32).MulHi(1 << 20)
	bits := ops.Philox([4]*tile.Value{high, high, high, high}, [2]*tile.Value{high, high})
	up = up.Add(bits[0].Bitcast(weft.I32).Mul(0)) // described, and of no effect

	sum, top, first := v.Sum(1), v.Max(1), v.ArgMax(1)
	count := k.Where(v.Gt(0).Any(1), first, 0)
	add := func(x, y []*tile.Value) []*tile.Value { return []*tile.Value{x[0].Add(y[0])} }
	total := tile.Reduce([]*tile.Value{v}, 1, add)[0]
	before := v.CumSum(1).Add(v.CumSum(1, tile.Reverse))
	scanned := tile.Scan([]*tile.Value{v}, 1, add)[0]
	out.Block(64, 32).Store(before.Add(scanned).Add(total).Add(sum).Sub(top).Add(count.Cast(weft.F32)).Add(both), 0, 0)

	at := index.Block(64).Load(0)
	picked := table.At(at).Mask(at.Ge(0)).Fill(-1).Gather()
	flat.At(at).Scatter(picked)
	counts.At(k.Arange(32)).AtomicAdd(k.Where(at.Ge(0), at, -1).Histogram(32, 1))
	counts.At(at).AtomicAdd(1)
	counts.At(at).AtomicMax(up)
	counts.At(0).AtomicExchange(7)
	counts.At(0).AtomicCompareAndSwap(7, 8)
}

func tritonControl(k *tile.Builder, _ tritonConfig) {
	x, out := k.In("x", weft.F32, 1), k.Out("out", weft.F32, 1)
	v := k.Var(x.Block(64).Load(0))
	for i := range k.Range(k.CDiv(x.Dim(0), 64)) {
		v.Set(v.Get().Add(x.Block(64).Load(i)))
	}
	for i := range 4 {
		v.Set(v.Get().Add(x.Block(64).Load(i)))
	}
	n := k.Var(x.Dim(0))
	for range k.While(func() *tile.Value { return n.Get().Gt(1) }) {
		n.Set(n.Get().Div(2))
	}
	for range k.While(func() *tile.Value { return v.Get().Max(0).At(0).Gt(1) }) {
		v.Set(v.Get().Mul(0.5))
	}
	k.If(n.Get().Eq(1), func() {
		v.Set(v.Get().Neg())
	}).Else(func() {
		v.Set(v.Get().Abs())
	})
	k.Exit(x.Dim(0).Lt(8))
	out.Block(64).Store(v.Get(), 0)
}

func tritonMatMul(k *tile.Builder, _ tritonConfig) {
	a, b, out := k.In("a", weft.F16, 2), k.In("b", weft.F16, 2), k.Out("out", weft.F32, 2)
	k.Schedule(tile.Schedule{
		Threads:   128,
		Stages:    2,
		Producers: 1,
		Order:     tile.Order{Kind: tile.GroupedRows, Group: 8},
		SplitK:    4,
	})
	row, col := k.TileID(k.CDiv(out.Dim(0), 64), k.CDiv(out.Dim(1), 32))
	acc := k.Var(k.Zeros(dtype.F32, 64, 32))
	for i := range k.SplitRange(k.CDiv(a.Dim(1), 16)) {
		acc.Set(tile.Dot(a.Block(64, 16).Load(row, i), b.Block(16, 32).Load(i, col), acc.Get(), tile.Float32Accumulate))
	}
	out.Block(64, 32).Accumulate(acc.Get(), row, col)
}

func tritonPersistent(k *tile.Builder, _ tritonConfig) {
	a, b, out := k.In("a", weft.F32, 2), k.In("b", weft.F32, 2), k.Out("out", weft.F32, 2)
	k.Grid(132)
	rows, cols := k.CDiv(out.Dim(0), 16), k.CDiv(out.Dim(1), 16)
	for n := range k.Persistent(rows.Mul(cols)) {
		row, col := k.TileAt(n, rows, cols)
		acc := k.Zeros(weft.F32, 16, 16)
		acc = tile.Dot(a.Block(16, 16).Load(row, 0), b.Block(16, 16).Load(0, col), acc, tile.TF32)
		out.Block(16, 16).Store(acc, row, col)
	}
}

func tritonCluster(k *tile.Builder, _ tritonConfig) {
	a, b, out := k.In("a", weft.F32, 2), k.In("b", weft.F32, 2), k.Out("out", weft.F32, 2)
	k.Schedule(tile.Schedule{
		Producers: 1,
		Cluster:   2,
	})
	pairs, cols := k.CDiv(out.Dim(0), 16*k.Cluster()), k.CDiv(out.Dim(1), 16)
	k.ClusterGrid(pairs.Mul(cols))
	cluster, rank := k.ClusterID()
	pair, col := k.TileAt(cluster, pairs, cols)
	row := pair.Mul(k.Cluster()).Add(rank)
	out.Block(16, 16).Store(tile.Dot(a.Block(16, 16).Load(row, 0), b.Block(16, 16).Load(0, col), k.Zeros(weft.F32, 16, 16), tile.TF32), row, col)
}

// Every row of the page for people who know Triton is code that compiles, in kernels that build and run.
func TestTritonPage(t *testing.T) {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	zeros := func(elem weft.DType, shape ...int) *weft.Tensor { return need(weft.Zeros(dev, elem, shape...)) }
	x, y := zeros(weft.F32, 100), zeros(weft.F32, 100)
	kernel := weft.NewKernel("basics", tritonBasics)
	cfg := tritonConfig{Block: 64}
	errs := []error{kernel.LaunchWith(cfg, weft.Scalars{2.0}, x, y)}
	errs = append(errs, kernel.Debug(cfg, interp.Options{Check: true, Print: new(strings.Builder)}, weft.Scalars{2.0}, x, y))
	for _, c := range []struct {
		describe func(k *tile.Builder, cfg tritonConfig)
		tensors  []*weft.Tensor
	}{
		{tritonTiles, []*weft.Tensor{zeros(weft.F32, 64, 64), x, zeros(weft.I32, 64), zeros(weft.F32, 64, 32), y, zeros(weft.I32, 64)}},
		{tritonControl, []*weft.Tensor{x, y}},
		{tritonMatMul, []*weft.Tensor{zeros(weft.F16, 70, 90), zeros(weft.F16, 90, 40), zeros(weft.F32, 70, 40)}},
		{tritonCluster, []*weft.Tensor{zeros(weft.F32, 70, 16), zeros(weft.F32, 16, 40), zeros(weft.F32, 70, 40)}},
		{tritonPersistent, []*weft.Tensor{zeros(weft.F32, 70, 16), zeros(weft.F32, 16, 40), zeros(weft.F32, 70, 40)}},
	} {
		errs = append(errs, weft.NewKernel("triton", c.describe).Launch(cfg, c.tensors...))
	}
	for i, err := range errs {
		if err != nil {
			t.Errorf("launch %d: %v", i, err)
		}
	}

	source := read(t, "triton_test.go")
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	code, rows := regexp.MustCompile("`[^`]+`"), 0
	for line := range strings.Lines(read(t, "triton.md")) {
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		rows++
		for _, snippet := range code.FindAllString(cells[1], -1) {
			if !strings.Contains(squeeze(source), squeeze(strings.Trim(snippet, "`"))) {
				t.Errorf("%s is in no kernel of this file: %s", snippet, line)
			}
		}
	}
	if rows < 40 {
		t.Errorf("%d rows in the page", rows)
	}
}
