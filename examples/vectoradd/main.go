package main

import (
	"flag"
	"fmt"
	"log"
	"time"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/all" // links every backend
	"github.com/weftgpu/weft/tile"
)

// add describes what one program of the grid does: it adds one block of the vectors.
// Where the last block reaches beyond their end, the compiler masks it.
var add = weft.NewKernel("add", func(k *tile.Builder, block int) {
	a, b, out := k.In("a", weft.F32, 1), k.In("b", weft.F32, 1), k.Out("out", weft.F32, 1)
	k.Require(a.Dim(0).Eq(out.Dim(0)).And(b.Dim(0).Eq(out.Dim(0))))
	k.Grid(k.CDiv(out.Dim(0), block)) // as many programs as it takes blocks
	i := k.ProgramID(0)
	sum := a.Block(block).Load(i).Add(b.Block(block).Load(i))
	out.Block(block).Store(sum, i)
})

func main() {
	device := flag.String("device", "", "such as cuda or vulkan:1; the best one if empty")
	n := flag.Int("n", 10_000_019, "elements of a vector")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("argument %q, want flags alone", flag.Arg(0))
	}
	if err := run(*device, *n); err != nil {
		log.Fatal(err)
	}
}

func run(device string, n int) error {
	const most = 1 << 30
	if n < 1 || n > most {
		return fmt.Errorf("-n %d, want 1 to %d", n, most)
	}
	dev, err := weft.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close() // and with it the tensors

	x, y := make([]float32, n), make([]float32, n)
	for i := range n {
		x[i], y[i] = float32(i%1000), 0.5
	}
	a, err := weft.FromSlice(dev, x)
	if err != nil {
		return err
	}
	b, err := weft.FromSlice(dev, y)
	if err != nil {
		return err
	}
	out, err := weft.Empty(dev, weft.F32, n)
	if err != nil {
		return err
	}

	launch := func() error { return add.Launch(1024, a, b, out) }
	if err := launch(); err != nil { // the first launch compiles the kernel
		return err
	}
	took, err := dev.Time(launch) // by the device's own clock
	if err != nil {
		return err
	}

	z, err := weft.ToSlice[float32](out)
	if err != nil {
		return err
	}
	for i := range z {
		if z[i] != x[i]+y[i] {
			return fmt.Errorf("element %d is %v, want %v", i, z[i], x[i]+y[i])
		}
	}
	fmt.Printf("%v added %d elements in %v: %.1f GB/s; all are right\n",
		dev, n, took.Round(100*time.Nanosecond), 12*float64(n)/took.Seconds()/1e9)
	return nil
}
