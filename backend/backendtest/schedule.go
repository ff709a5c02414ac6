package backendtest

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

var scheduleCases = []testCase{
	{"ScheduleOrders", testOrders},
	{"ScheduleSplits", testSplits},
	{"ScheduleSplitFolded", testSplitFolded},
	{"ScheduleSplitRefused", testSplitRefused},
	{"MatMulOrders", matmulOrders},
	{"MatMulSplits", matmulSplits},
}

var allOrders = []tile.Order{
	{}, {Kind: tile.ColumnMajor}, {Kind: tile.GroupedRows, Group: 3}, {Kind: tile.GroupedColumns, Group: 4},
	{Grid2D: true}, {Kind: tile.ColumnMajor, Grid2D: true}, {Kind: tile.GroupedRows, Group: 2, Grid2D: true},
	{Kind: tile.GroupedColumns, Group: 3, Grid2D: true},
}

// testOrders has the programs of every order write which they are, one for each tile and in persistent loops.
func testOrders(s *suite) {
	for _, order := range allOrders {
		s.agree(func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: 32, Order: order})
			o := k.Out("out", weft.I32, 2)
			row, col := k.TileID(k.CDiv(o.Dim(0), 4), k.CDiv(o.Dim(1), 8))
			o.Block(4, 8).Store(k.ProgramID(0).Add(k.ProgramID(1).Mul(1000)), row, col)
		}, nil, out(weft.I32, 26, 43))
		if order.Grid2D {
			continue
		}
		s.agree(func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: 32, Order: order})
			o := k.Out("out", weft.I32, 2)
			rows, cols := k.CDiv(o.Dim(0), 4), k.CDiv(o.Dim(1), 8)
			k.Grid(5)
			for n := range k.Persistent(rows.Mul(cols)) {
				row, col := k.TileAt(n, rows, cols)
				o.Block(4, 8).Store(n.Add(k.ProgramID(0).Mul(1000)), row, col)
			}
		}, nil, out(weft.I32, 26, 43))
	}
}

// testSplits sums rows in parts that add to the result, which holds something else before, more parts
// than there are steps included, and in results of every form of memory.
func testSplits(s *suite) {
	for i, elem := range []weft.DType{weft.F32, weft.I32, weft.U32} {
		for j, columns := range []int{100, 0} {
			x, o := s.random(elem, 9, columns), out(elem, 9, 1)
			x.each(func(_ int, x float64) float64 { return math.Trunc(math.Mod(x, 1000)) }) // sums are exact
			o.form = forms[(i+2*j)%len(forms)]
			s.agree(func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: 32, SplitK: []int{3, 30, 2}[i]})
				view, o := k.In("x", elem, 2), k.Out("out", elem, 2)
				row, col := k.TileID(k.CDiv(o.Dim(0), 2), 1)
				sum := k.Var(k.Zeros(elem, 2, 1))
				for i := range k.SplitRange(k.CDiv(view.Dim(1), 8)) {
					sum.Set(sum.Get().Add(view.Block(2, 8).Load(row, i).Sum(1)))
				}
				o.Block(2, 1).Accumulate(sum.Get(), row, col)
			}, nil, in(x), o)
		}
	}
}

// testSplitFolded splits a grid that is beyond the limits of a dimension.
func testSplitFolded(s *suite) {
	s.agree(func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 32, SplitK: 2})
		view, o := k.In("x", weft.I32, 2), k.Out("out", weft.I32, 2)
		row, col := k.TileID(o.Dim(0), 1)
		o.Block(1, 1).Accumulate(view.Block(1, 4).Load(row, k.SplitID()).Sum(1), row, col)
	}, nil, in(s.random(weft.I32, 70_001, 7)), out(weft.I32, 70_001, 1))
}

// testSplitRefused has a result that would be cleared share memory with an input.
func testSplitRefused(s *suite) {
	x := s.random(weft.F32, 64)
	t := s.tensor(x)
	kernel := weft.NewKernel("overlap", func(k *tile.Builder, _ struct{}) {
		k.Schedule(tile.Schedule{SplitK: 2})
		in, o := k.In("x", weft.F32, 1), k.Out("out", weft.F32, 1)
		o.Block(64).Accumulate(in.Block(64).Load(k.SplitID()), 0)
	})
	s.refused("Launch", weft.ErrUnsupported, kernel.Launch(struct{}{}, t, t))
	s.refused("Debug", weft.ErrUnsupported, kernel.Debug(struct{}{}, interp.Options{}, nil, t, t))
	s.compare(t, x.x, nil)
}

func matmulOrders(s *suite) {
	for _, order := range allOrders {
		multiply(s, weft.F32, [3]int{70, 20, 90}, dense, dense, dense, smallTiles, ops.Tiles(ops.MatMulConfig{Order: order}))
	}
}

// matmulSplits splits products both ways, also into more parts than there are steps and with nothing to
// sum; stored parts give the same bits every time.
func matmulSplits(s *suite) {
	for _, c := range []struct {
		elem   weft.DType
		shape  [3]int
		cfg    ops.MatMulConfig
		result form
	}{
		{weft.F32, [3]int{20, 300, 33}, ops.MatMulConfig{SplitK: 3}, dense},
		{weft.F32, [3]int{20, 300, 33}, ops.MatMulConfig{SplitK: 3, Atomic: true}, sliced},
		{weft.F32, [3]int{20, 13, 33}, ops.MatMulConfig{SplitK: 7, Atomic: true, Order: tile.Order{Kind: tile.ColumnMajor, Grid2D: true}}, transposed},
		{weft.F32, [3]int{20, 0, 33}, ops.MatMulConfig{SplitK: 7, Atomic: true}, dense},
		{weft.F32, [3]int{20, 0, 33}, ops.MatMulConfig{SplitK: 2}, dense},
		{weft.F32, [3]int{0, 40, 33}, ops.MatMulConfig{SplitK: 2}, dense},
		{weft.F16, [3]int{20, 300, 33}, ops.MatMulConfig{SplitK: 4}, transposed},
		{weft.BF16, [3]int{20, 13, 33}, ops.MatMulConfig{SplitK: 9}, dense},
	} {
		multiply(s, c.elem, c.shape, dense, dense, c.result, smallTiles, ops.Tiles(c.cfg))
	}

	a, b := s.tensor(s.random(weft.F32, 16, 4000)), s.tensor(s.random(weft.F32, 4000, 16))
	split := ops.Tiles(ops.MatMulConfig{SplitK: 5})
	first := s.floats(s.ok(ops.MatMul(a, b, smallTiles, split)))
	for range 3 {
		s.compare(s.ok(ops.MatMul(a, b, smallTiles, split)), first, nil)
	}
	half := s.tensor(s.random(weft.F16, 8, 8))
	s.refused("atomic sums of f16", weft.ErrUnsupported, errorOf(ops.MatMul(half, half, ops.Tiles(ops.MatMulConfig{SplitK: 2, Atomic: true}))))
	// What the launch rule splits by itself.
	multiply(s, weft.F32, [3]int{3, 20_000, 5}, dense, dense, dense)
}
