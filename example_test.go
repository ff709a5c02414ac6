package weft_test

import (
	"fmt"
	"log"
	"math"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// rowScale multiplies each row of x by a weight of its own: tiles of one row
// and cfg columns, as many programs as there are such tiles.
var rowScale = weft.NewKernel("row_scale", func(k *tile.Builder, columns int) {
	x, w := k.In("x", weft.F32, 2), k.In("w", weft.F32, 2)
	y := k.Out("y", weft.F32, 2)
	k.Grid(y.Dim(0), k.CDiv(y.Dim(1), columns))
	row, column := k.ProgramID(0), k.ProgramID(1)
	weight := w.Block(1, 1).Load(row, 0)
	y.Block(1, columns).Store(x.Block(1, columns).Load(row, column).Mul(weight), row, column)
})

// A kernel of one's own: described once, it runs on every device.
func ExampleNewKernel() {
	dev, err := weft.Open("cpu") // "" opens the best device
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	x, err := weft.FromSlice(dev, []float32{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	w, err := weft.FromSlice(dev, []float32{10, 100}, 2, 1)
	if err != nil {
		log.Fatal(err)
	}
	y, err := weft.Empty(dev, weft.F32, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	if err := rowScale.Launch(128, x, w, y); err != nil {
		log.Fatal(err)
	}
	fmt.Println(weft.ToSlice[float32](y))
	// Output: [10 20 30 400 500 600] <nil>
}

// The kernel of the README: the softmax of each row.
var softmaxRows = weft.NewKernel("softmax_rows", func(k *tile.Builder, columns int) {
	x, y := k.In("x", weft.F32, 2), k.Out("y", weft.F32, 2)
	k.Grid(x.Dim(0)) // one program a row
	row := k.ProgramID(0)
	v := x.Block(1, columns).Fill(math.Inf(-1)).Load(row, 0) // beyond the edge: -infinity
	e := v.Sub(v.Max(1)).Exp()
	y.Block(1, columns).Store(e.Div(e.Sum(1)), row, 0)
})

// Elements beyond a tensor's edges load as the fill, here -infinity, which adds
// nothing to a sum of exponentials; they are never stored.
func ExampleKernel_Launch() {
	dev, err := weft.Open("cpu")
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	x, err := weft.FromSlice(dev, []float32{0, 0, 7, 7, 7, 7}, 3, 2)
	if err != nil {
		log.Fatal(err)
	}
	y, err := weft.Empty(dev, weft.F32, 3, 2)
	if err != nil {
		log.Fatal(err)
	}
	if err := softmaxRows.Launch(1024, x, y); err != nil {
		log.Fatal(err)
	}
	fmt.Println(weft.ToSlice[float32](y))
	// Output: [0.5 0.5 0.5 0.5 0.5 0.5] <nil>
}

// Tensors are views: T transposes without moving anything.
func Example() {
	dev, err := weft.Open("cpu")
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	a, err := weft.FromSlice(dev, []float32{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	c, err := ops.MatMul(a, a.T())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(weft.ToSlice[float32](c))
	// Output: [14 32 32 77] <nil>
}
