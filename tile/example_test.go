package tile_test

import (
	"fmt"
	"log"
	"math"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// show computes a tile of a shape on the CPU and prints it.
func show(elem dtype.Type, shape []int, describe func(k *tile.Builder) *tile.Value) {
	kernel := weft.NewKernel("show", func(k *tile.Builder, _ struct{}) {
		out := k.Out("out", elem, len(shape))
		out.Block(shape...).Store(describe(k), []tile.Operand{0, 0}[:len(shape)]...)
	})
	dev, err := weft.Open("cpu")
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	out, err := weft.Empty(dev, elem, shape...)
	if err == nil {
		err = kernel.Launch(struct{}{}, out)
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(out)
}

// A description becomes verified tile IR, one op a line, each with the line of Go that it came from.
func ExampleBuild() {
	softmax, err := tile.Build("softmax", func(k *tile.Builder) {
		x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
		k.Grid(x.Dim(0))
		row := k.ProgramID(0)
		v := x.Block(1, 64).Fill(math.Inf(-1)).Load(row, 0)
		e := v.Sub(v.Max(1)).Exp()
		y.Block(1, 64).Store(e.Div(e.Sum(1)), row, 0)
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(softmax)
	// Output:
	// kernel softmax {
	//     view x in : f32 rank 2                                       // tile/example_test.go:38
	//     view y out : f32 rank 2                                      // tile/example_test.go:38
	//     v0 = dim x axis=0 : i32                                      // tile/example_test.go:39
	//     v1 = program_id axis=0 : i32                                 // tile/example_test.go:40
	//     v2 = const 0 : i32                                           // tile/example_test.go:41
	//     v3 = load x fill=-Inf v1, v2 : f32[1,64]                     // tile/example_test.go:41
	//     v4 = reduce.max axis=1 v3 : f32[1,1]                         // tile/example_test.go:42
	//     v5 = broadcast v4 : f32[1,64]                                // tile/example_test.go:42
	//     v6 = sub v3, v5 : f32[1,64]                                  // tile/example_test.go:42
	//     v7 = exp v6 : f32[1,64]                                      // tile/example_test.go:42
	//     v8 = reduce.sum axis=1 v7 : f32[1,1]                         // tile/example_test.go:43
	//     v9 = broadcast v8 : f32[1,64]                                // tile/example_test.go:43
	//     v10 = div v7, v9 : f32[1,64]                                 // tile/example_test.go:43
	//     v11 = const 0 : i32                                          // tile/example_test.go:43
	//     store y v10, v1, v11                                         // tile/example_test.go:43
	//     grid v0
	// }
}

// The Builder keeps the first mistake, and Build returns it with its line.
func ExampleBuild_mistake() {
	_, err := tile.Build("mistake", func(k *tile.Builder) {
		k.Zeros(dtype.F32, 64).Add(k.Arange(64)).Exp() // F32 and I32: say which by Cast
	})
	fmt.Println(err)
	// Output:
	// weft: tile/example_test.go:73: add: the operands are f32[64] and i32[64], want one type: cast one with Cast: invalid kernel
}

// The largest element of each row and its place, by a combine of two values.
func ExampleReduce() {
	show(dtype.I32, []int{2, 1}, func(k *tile.Builder) *tile.Value {
		v, at := k.Iota(1, 2, 8).Mul(5).Rem(8), k.Iota(1, 2, 8) // 0 5 2 7 4 1 6 3
		best := tile.Reduce([]*tile.Value{v, at}, 1, func(x, y []*tile.Value) []*tile.Value {
			larger := x[0].Gt(y[0])
			return []*tile.Value{k.Where(larger, x[0], y[0]), k.Where(larger, x[1], y[1])}
		})
		return best[1]
	})
	// Output:
	// [[3]
	//  [3]]
}

// The recurrence s[i] = a[i]·s[i-1] + b[i], all elements at once: pairs (a, b) combine associatively.
func ExampleScan() {
	show(dtype.I32, []int{8}, func(k *tile.Builder) *tile.Value {
		a, b := k.Full(dtype.I32, 2, 8), k.Full(dtype.I32, 1, 8)
		s := tile.Scan([]*tile.Value{a, b}, 0, func(x, y []*tile.Value) []*tile.Value {
			return []*tile.Value{x[0].Mul(y[0]), x[1].Mul(y[0]).Add(y[1])}
		})
		return s[1]
	})
	// Output:
	// [  1   3   7  15  31  63 127 255]
}

func ExampleValue_CumSum() {
	ones := func(k *tile.Builder) *tile.Value { return k.Full(dtype.I32, 1, 8) }
	show(dtype.I32, []int{8}, func(k *tile.Builder) *tile.Value { return ones(k).CumSum(0) })
	show(dtype.I32, []int{8}, func(k *tile.Builder) *tile.Value { return ones(k).CumSum(0, tile.Exclusive) })
	show(dtype.I32, []int{8}, func(k *tile.Builder) *tile.Value { return ones(k).CumSum(0, tile.Reverse) })
	// Output:
	// [1 2 3 4 5 6 7 8]
	// [0 1 2 3 4 5 6 7]
	// [8 7 6 5 4 3 2 1]
}

// Arithmetic broadcasts along dimensions of size 1, which Expand inserts.
func ExampleValue_Expand() {
	show(dtype.I32, []int{2, 4}, func(k *tile.Builder) *tile.Value {
		rows, columns := k.Arange(2).Expand(1), k.Arange(4).Expand(0) // [2,1] and [1,4]
		return rows.Mul(10).Add(columns)
	})
	// Output:
	// [[ 0  1  2  3]
	//  [10 11 12 13]]
}

// Two tiles side by side in a new last dimension; Reshape makes them alternate.
func ExampleValue_Join() {
	show(dtype.I32, []int{8}, func(k *tile.Builder) *tile.Value {
		i := k.Arange(4)
		return i.Join(i.Neg()).Reshape(8)
	})
	// Output:
	// [ 0  0  1 -1  2 -2  3 -3]
}

// Even numbers go first.
func ExampleValue_Reorder() {
	show(dtype.I32, []int{8}, func(k *tile.Builder) *tile.Value {
		i := k.Arange(8)
		even := i.And(1).Eq(0)
		return i.Reorder(k.Where(even, i.Shr(1), i.Shr(1).Add(4)))
	})
	// Output:
	// [0 2 4 6 1 3 5 7]
}

// How many numbers have each remainder, and the sums of these numbers.
func ExampleValue_Histogram() {
	show(dtype.I32, []int{8}, func(k *tile.Builder) *tile.Value {
		i := k.Arange(16)
		counts, sums := i.Rem(3).Histogram(4, 1), i.Rem(3).Histogram(4, i)
		return counts.Join(sums).Transpose().Reshape(8)
	})
	// Output:
	// [ 6  5  5  0 45 35 40  0]
}

// A stable sort by one bit: what precedes each element's run of its bit, and its rank among those of the run.
func ExampleValue_Rank() {
	show(dtype.I32, []int{8}, func(k *tile.Builder) *tile.Value {
		v := k.Arange(8).Mul(5).Rem(7) // 0 5 3 1 6 4 2 0
		bit := v.And(1)
		at := bit.Mul(2).Add(k.Arange(8).Div(4)) // bits first and runs second
		first := at.Histogram(4, 1).CumSum(0, tile.Exclusive)
		return v.Reorder(first.Take(at).Add(bit.Rank(4, 1)))
	})
	// Output:
	// [0 6 4 2 0 5 3 1]
}

func ExampleBuilder_Where() {
	show(dtype.I32, []int{8}, func(k *tile.Builder) *tile.Value {
		i := k.Arange(8)
		return k.Where(i.Rem(2).Eq(0), i, -1)
	})
	// Output:
	// [ 0 -1  2 -1  4 -1  6 -1]
}

// Products of 16×16 matrices in one step; the accumulator is what the product is added to.
func ExampleDot() {
	show(dtype.F32, []int{1, 1}, func(k *tile.Builder) *tile.Value {
		a, b := k.Full(dtype.F16, 2, 16, 16), k.Full(dtype.F16, 3, 16, 16)
		c := tile.Dot(a, b, k.Full(dtype.F32, 4, 16, 16), tile.Float32Accumulate)
		return c.Max(0).Max(1)
	})
	// Output:
	// [[100.]]
}

// A loop over a number that only the device knows; a Var carries the sum from one iteration to the next.
func ExampleBuilder_Range() {
	show(dtype.I32, []int{4}, func(k *tile.Builder) *tile.Value {
		k.Grid(1)
		sum := k.Var(k.Arange(4))
		for i := range k.Range(k.NumPrograms(0).Add(2)) { // 3 iterations
			sum.Set(sum.Get().Add(i.Mul(100)))
		}
		return sum.Get()
	})
	// Output:
	// [300 301 302 303]
}

// Halves of a number until it is 1.
func ExampleBuilder_While() {
	show(dtype.I32, []int{1}, func(k *tile.Builder) *tile.Value {
		n, steps := k.Var(k.Int(100)), k.Var(k.Int(0))
		for range k.While(func() *tile.Value { return n.Get().Gt(1) }) {
			n.Set(n.Get().Div(2))
			steps.Set(steps.Get().Add(1))
		}
		return steps.Get().Splat(1)
	})
	// Output:
	// [6]
}

func ExampleBuilder_If() {
	show(dtype.I32, []int{1}, func(k *tile.Builder) *tile.Value {
		x := k.Var(k.Int(5))
		k.If(x.Get().Gt(3), func() {
			x.Set(x.Get().Mul(10))
		}).Else(func() {
			x.Set(k.Int(0))
		})
		return x.Get().Splat(1)
	})
	// Output:
	// [50]
}

// The order in which programs take the tiles of a plane of 4×3 tiles, grouped by two rows.
func ExampleBuilder_TileID() {
	order := weft.NewKernel("order", func(k *tile.Builder, o tile.Order) {
		out := k.Out("out", dtype.I32, 2)
		k.Schedule(tile.Schedule{Order: o})
		row, column := k.TileID(out.Dim(0), out.Dim(1))
		out.Block(1, 1).Store(k.ProgramID(0).Splat(1, 1), row, column)
	})
	dev, err := weft.Open("cpu")
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	for _, o := range []tile.Order{{}, {Kind: tile.GroupedRows, Group: 2}} {
		out, err := weft.Empty(dev, dtype.I32, 4, 3)
		if err == nil {
			err = order.Launch(o, out)
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(out)
	}
	// Output:
	// [[ 0  1  2]
	//  [ 3  4  5]
	//  [ 6  7  8]
	//  [ 9 10 11]]
	// [[ 0  2  4]
	//  [ 1  3  5]
	//  [ 6  8 10]
	//  [ 7  9 11]]
}
