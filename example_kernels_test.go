package weft_test

import (
	"fmt"
	"log"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// need ends an example at the first error.
func need[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}

// tiles is a config that carries a schedule: each value of it is a kernel of its own.
type tiles struct {
	M, N, K  int
	Schedule tile.Schedule
}

// One description of a product for every order and every split: the schedule decides which tile a
// program takes, and which part of the reduction.
var product = weft.NewKernel("product", func(k *tile.Builder, cfg tiles) {
	a, b, out := k.In("a", weft.F32, 2), k.In("b", weft.F32, 2), k.Out("out", weft.F32, 2)
	k.Schedule(cfg.Schedule)
	row, column := k.TileID(k.CDiv(out.Dim(0), cfg.M), k.CDiv(out.Dim(1), cfg.N))
	sum := k.Var(k.Zeros(weft.F32, cfg.M, cfg.N))
	for i := range k.SplitRange(k.CDiv(a.Dim(1), cfg.K)) {
		sum.Set(tile.Dot(a.Block(cfg.M, cfg.K).Load(row, i), b.Block(cfg.K, cfg.N).Load(i, column), sum.Get(), tile.IEEE))
	}
	out.Block(cfg.M, cfg.N).Accumulate(sum.Get(), row, column)
})

// Programs that run at the same time take tiles in groups of eight rows, whose operands they share in the cache.
func ExampleNewKernel_groupedMatMul() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	a := need(weft.FromSlice(dev, []float32{1, 2, 3, 4, 5, 6}, 2, 3))
	out := need(weft.Empty(dev, weft.F32, 2, 2))
	cfg := tiles{M: 16, N: 16, K: 16, Schedule: tile.Schedule{Order: tile.Order{Kind: tile.GroupedRows, Group: 8}}}
	if err := product.Launch(cfg, a, a.T(), out); err != nil {
		log.Fatal(err)
	}
	fmt.Println(weft.ToSlice[float32](out))
	// Output: [14 32 32 77] <nil>
}

// The same kernel with four programs for each tile of the result, a quarter of the reduction each. They add to
// out by atomic ops: the kernel is not reproducible bit by bit, and says so.
func ExampleNewKernel_splitK() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	ones := make([]float32, 1000)
	for i := range ones {
		ones[i] = 1
	}
	row := need(weft.FromSlice(dev, ones, 1, 1000))
	out := need(weft.Empty(dev, weft.F32, 1, 1))
	cfg := tiles{M: 16, N: 16, K: 16, Schedule: tile.Schedule{SplitK: 4}}
	if err := product.Launch(cfg, row, row.T(), out); err != nil {
		log.Fatal(err)
	}
	fmt.Println(weft.ToSlice[float32](out))
	fmt.Println("reproducible:", need(product.Build(cfg)).Reproducible())
	// Output:
	// [1000] <nil>
	// reproducible: false
}

// Mean and variance of each row in one pass: counts, means and sums of squared deviations of two parts become
// those of the whole (Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing
// Sample Variances", 1979).
func ExampleNewKernel_welford() {
	moments := weft.NewKernel("moments", func(k *tile.Builder, columns int) {
		x, out := k.In("x", weft.F32, 2), k.Out("out", weft.F32, 2)
		k.Grid(x.Dim(0))
		row := k.ProgramID(0)
		v := x.Block(1, columns).Load(row, 0)
		inside := k.Where(k.Iota(1, 1, columns).Lt(x.Dim(1)), k.Float(1), 0) // elements beyond the edge count 0
		r := tile.Reduce([]*tile.Value{inside, v, k.Zeros(weft.F32, 1, columns)}, 1, func(x, y []*tile.Value) []*tile.Value {
			n, delta := x[0].Add(y[0]), y[1].Sub(x[1])
			share := y[0].Div(n.Maximum(1))
			return []*tile.Value{n, x[1].Add(delta.Mul(share)), x[2].Add(y[2]).Add(delta.Mul(delta).Mul(x[0]).Mul(share))}
		})
		out.Block(1, 1).Store(r[1], row, 0)
		out.Block(1, 1).Store(r[2].Div(r[0]), row, 1)
	})
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.FromSlice(dev, []float32{1, 2, 3, 10, 10, 40}, 2, 3))
	out := need(weft.Empty(dev, weft.F32, 2, 2))
	if err := moments.Launch(4, x, out); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f\n", need(weft.ToSlice[float32](out)))
	// Output: [2.000 0.667 20.000 200.000]
}

// Rows of a table at computed indices; an index outside of the table reads as the fill.
func ExampleNewKernel_gather() {
	lookup := weft.NewKernel("lookup", func(k *tile.Builder, columns int) {
		table, index, out := k.In("table", weft.F32, 2), k.In("index", weft.I32, 1), k.Out("out", weft.F32, 2)
		k.Grid(index.Dim(0))
		p := k.ProgramID(0)
		v := table.At(index.At(p).Gather(), k.Iota(1, 1, columns)).Fill(-1).Gather()
		out.Block(1, columns).Store(v, p, 0)
	})
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	table := need(weft.FromSlice(dev, []float32{0, 1, 10, 11, 20, 21}, 3, 2))
	index := need(weft.FromSlice(dev, []int32{2, 0, 7}))
	out := need(weft.Empty(dev, weft.F32, 3, 2))
	if err := lookup.Launch(2, table, index, out); err != nil {
		log.Fatal(err)
	}
	fmt.Println(weft.ToSlice[float32](out))
	// Output: [20 21 0 1 -1 -1] <nil>
}
