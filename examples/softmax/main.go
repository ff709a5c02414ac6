package main

import (
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"time"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/all"
	"github.com/weftgpu/weft/examples/internal/timing"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// softmax is for rows of at most width elements, a power of two: each program has a row.
var softmax = weft.NewKernel("softmax_rows", func(k *tile.Builder, width int) {
	x, y := k.In("x", weft.F32, 2), k.Out("y", weft.F32, 2)
	k.Require(x.Dim(0).Eq(y.Dim(0)).And(x.Dim(1).Eq(y.Dim(1))).And(x.Dim(1).Le(width)))
	k.Grid(x.Dim(0))
	row := k.ProgramID(0)
	v := x.Block(1, width).Fill(math.Inf(-1)).Load(row, 0) // beyond the edge -infinity, whose exponential is 0
	e := v.Sub(v.Max(1)).Exp()                             // at most 1: nothing overflows
	y.Block(1, width).Store(e.Div(e.Sum(1)), row, 0)
})

var rng = rand.New(rand.NewPCG(1, 2)) // the same numbers in every run

func main() {
	device := flag.String("device", "", "such as cuda or vulkan:1; the best one if empty")
	rows, cols := flag.Int("rows", 1000, "rows of the matrix"), flag.Int("cols", 1000, "elements of a row")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("argument %q, want flags alone", flag.Arg(0))
	}
	if err := run(*device, *rows, *cols); err != nil {
		log.Fatal(err)
	}
}

// most is how many elements the matrix may have.
const most = 1 << 30

func run(device string, rows, cols int) error {
	if rows < 1 || cols < 1 || rows > most/cols {
		return fmt.Errorf("-rows %d -cols %d, want 1 or more of each and at most %d elements", rows, cols, most)
	}
	dev, err := weft.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()
	x := make([]float32, rows*cols)
	for i := range x {
		x[i] = float32(100 + 5*rng.NormFloat64()) // a careless exp(x) would overflow
	}
	in, err := weft.FromSlice(dev, x, rows, cols)
	if err != nil {
		return err
	}
	out, err := weft.Empty(dev, weft.F32, rows, cols)
	if err != nil {
		return err
	}
	width := 1
	for width < cols {
		width *= 2
	}
	// The library's op takes rows of any width, any layout and f16, too.
	for _, way := range []struct {
		name   string
		launch func() error
	}{
		{"the kernel above", func() error { return softmax.Launch(width, in, out) }},
		{"ops.SoftmaxInto", func() error { return ops.SoftmaxInto(out, in) }},
	} {
		if err := way.launch(); err != nil {
			return err
		}
		worst, err := check(x, out)
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		took, err := timing.Fastest(dev, way.launch)
		if err != nil {
			return err
		}
		fmt.Printf("%v, %s: %d rows of %d in %v, %.1f GB/s; largest relative error %.1e\n",
			dev, way.name, rows, cols, took.Round(100*time.Nanosecond), 8*float64(len(x))/took.Seconds()/1e9, worst)
	}
	return nil
}

// check compares with float64 and returns the largest error, relative to the element.
func check(x []float32, out *weft.Tensor) (worst float64, err error) {
	y, err := weft.ToSlice[float32](out)
	if err != nil {
		return 0, err
	}
	cols := out.Dim(1)
	for at := 0; at < len(x); at += cols {
		sum := 0.0
		for _, v := range x[at : at+cols] {
			sum += math.Exp(float64(v) - 100)
		}
		for i, v := range x[at : at+cols] {
			want := math.Exp(float64(v)-100) / sum
			worst = max(worst, math.Abs(float64(y[at+i])-want)/want)
		}
	}
	if !(worst < 1e-4) { // exponentials of GPUs are good for about 1e-6 times the distance to the largest
		return worst, fmt.Errorf("the largest relative error is %v", worst)
	}
	return worst, nil
}
