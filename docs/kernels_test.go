package docs_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/tile"
)

// The code of kernels.md.

var saxpy = weft.NewKernel("saxpy", func(k *tile.Builder, block int) {
	a := k.Scalar("a", weft.F32)
	x, y := k.In("x", weft.F32, 1), k.InOut("y", weft.F32, 1)
	k.Require(x.Dim(0).Eq(y.Dim(0)))
	i := k.ProgramTile(y, block)[0] // as many programs as y has blocks; this one's block
	xs, ys := x.Block(block), y.Block(block)
	ys.Store(xs.Load(i).Mul(a).Add(ys.Load(i)), i)
})

func Example_saxpy() {
	dev := need(weft.Open("cpu")) // "" opens the best device
	defer dev.Close()
	x := need(weft.FromSlice(dev, []float32{1, 2, 3, 4, 5}))
	y := need(weft.FromSlice(dev, []float32{10, 10, 10, 10, 10}))
	if err := saxpy.LaunchWith(1024, weft.Scalars{2.0}, x, y); err != nil {
		fmt.Println(err)
	}
	fmt.Println(weft.ToSlice[float32](y))
	// Output: [12 14 16 18 20] <nil>
}

// Any views: every second element, backwards.
func Example_views() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.FromSlice(dev, []float32{1, 2, 3, 4, 5, 6}))
	y := need(weft.Zeros(dev, weft.F32, 3, 2))
	reversed := need(x.SliceStep(0, 4, -1, -2)) // 5, 3, 1
	column := need(y.Select(1, 0))
	if err := saxpy.LaunchWith(1024, weft.Scalars{1}, reversed, column); err != nil {
		fmt.Println(err)
	}
	fmt.Println(y)
	// Output:
	// [[5. 0.]
	//  [3. 0.]
	//  [1. 0.]]
}

var rowMax = weft.NewKernel("row_max", func(k *tile.Builder, columns int) {
	x, out := k.In("x", weft.F32, 2), k.Out("out", weft.F32, 1)
	k.Require(x.Dim(0).Eq(out.Dim(0)))
	row := k.ProgramTile(out, 1)[0]                             // a program for each row
	blocks := x.Block(1, columns).Squeeze(0).Fill(math.Inf(-1)) // what is beyond the edge must not win
	top := k.Var(k.Full(weft.F32, math.Inf(-1), columns))
	for i := range k.Range(k.CDiv(x.Dim(1), columns)) {
		top.Set(top.Get().Maximum(blocks.Load(row, i)))
	}
	out.Block(1).Store(top.Get().Max(0), row)
})

func Example_rowMax() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.FromSlice(dev, []float32{-3, -1, -2, 4, 9, 7}, 2, 3))
	out := need(weft.Empty(dev, weft.F32, 2))
	if err := rowMax.Launch(2, x, out); err != nil { // blocks of 2 columns
		fmt.Println(err)
	}
	fmt.Println(weft.ToSlice[float32](out))
	// Output: [-1 9] <nil>
}

var smooth = weft.NewKernel("smooth", func(k *tile.Builder, block int) {
	x, y := k.In("x", weft.F32, 1), k.Out("y", weft.F32, 1)
	k.Require(x.Dim(0).Eq(y.Dim(0)))
	k.Grid(k.CDiv(y.Dim(0), block))
	from, xs := k.ProgramID(0).Mul(block), x.Block(block)
	sum := xs.LoadAt(from.Sub(1)).Add(xs.LoadAt(from)).Add(xs.LoadAt(from.Add(1)))
	y.Block(block).StoreAt(sum.Div(3), from)
})

func Example_smooth() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.FromSlice(dev, []float32{3, 6, 0, 9, 3}))
	y := need(weft.Empty(dev, weft.F32, 5))
	if err := smooth.Launch(2, x, y); err != nil {
		fmt.Println(err)
	}
	fmt.Println(weft.ToSlice[float32](y))
	// Output: [3 3 5 4 4] <nil>
}

type matmulConfig struct {
	M, N, K  int
	Schedule tile.Schedule
}

var matmul = weft.NewKernel("matmul", func(k *tile.Builder, cfg matmulConfig) {
	a, b, out := k.In("a", weft.F16, 2), k.In("b", weft.F16, 2), k.Out("out", weft.F32, 2)
	k.Require(a.Dim(1).Eq(b.Dim(0)).And(a.Dim(0).Eq(out.Dim(0))).And(b.Dim(1).Eq(out.Dim(1))))
	k.Schedule(cfg.Schedule)
	at := k.ProgramTile(out, cfg.M, cfg.N) // this program's tile
	as, bs, acc := a.Block(cfg.M, cfg.K), b.Block(cfg.K, cfg.N), k.Var(k.Zeros(weft.F32, cfg.M, cfg.N))
	for i := range k.Range(k.CDiv(a.Dim(1), cfg.K)) {
		acc.Set(tile.Dot(as.Load(at[0], i), bs.Load(i, at[1]), acc.Get(), tile.Float32Accumulate))
	}
	out.Block(cfg.M, cfg.N).Store(acc.Get(), at...)
})

func Example_matmul() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	a := need(weft.FromFloats(dev, weft.F16, []float64{1, 2, 3, 4, 5, 6}, 2, 3))
	out := need(weft.Empty(dev, weft.F32, 2, 2))
	cfg := matmulConfig{M: 64, N: 64, K: 32, Schedule: tile.Schedule{
		Threads: 128,
		Stages:  2,
		Order:   tile.Order{Kind: tile.GroupedRows, Group: 8},
	}}
	if err := matmul.Launch(cfg, a, a.T(), out); err != nil {
		fmt.Println(err)
	}
	fmt.Println(weft.ToSlice[float32](out))
	// Output: [14 32 32 77] <nil>
}

var histogram = weft.NewKernel("histogram", func(k *tile.Builder, block int) {
	x, counts := k.In("x", weft.I32, 1), k.InOut("counts", weft.I32, 1)
	i, values := k.ProgramTile(x, block)[0], x.Block(block)
	counts.At(values.Load(i)).Mask(values.Inside(i)).AtomicAdd(1) // no element beyond the edge counts
})

func Example_histogram() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.FromSlice(dev, []int32{0, 2, 2, 1, 2, 9, -1})) // 9 and -1 are no bins
	counts := need(weft.Zeros(dev, weft.I32, 4))
	if err := histogram.Launch(4, x, counts); err != nil {
		fmt.Println(err)
	}
	fmt.Println(weft.ToSlice[int32](counts))
	// Output: [1 1 3 0] <nil>
}

// The kernels refuse tensors whose sizes do not fit, which would read as fill.
func TestKernelsRequireSizes(t *testing.T) {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	zeros := func(elem weft.DType, shape ...int) *weft.Tensor { return need(weft.Zeros(dev, elem, shape...)) }
	for i, err := range []error{
		saxpy.LaunchWith(8, weft.Scalars{1}, zeros(weft.F32, 5), zeros(weft.F32, 7)),
		rowMax.Launch(8, zeros(weft.F32, 3, 5), zeros(weft.F32, 4)),
		smooth.Launch(8, zeros(weft.F32, 5), zeros(weft.F32, 7)),
		matmul.Launch(matmulConfig{M: 16, N: 16, K: 16}, zeros(weft.F16, 2, 3), zeros(weft.F16, 4, 5), zeros(weft.F32, 2, 5)),
	} {
		if !errors.Is(err, weft.ErrShape) {
			t.Errorf("kernel %d: %v, want ErrShape", i, err)
		}
	}
}
