package main

import (
	"fmt"
	"log"
	"math"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	_ "github.com/weftgpu/weft/backend/cuda"
	"github.com/weftgpu/weft/tile"
)

// softmaxRows describes what one program of the grid does: it takes one row of x.
var softmaxRows = weft.NewKernel("softmax_rows", func(k *tile.Builder, columns int) {
	x, y := k.In("x", weft.F32, 2), k.Out("y", weft.F32, 2)
	k.Grid(x.Dim(0)) // as many programs as there are rows
	row := k.ProgramID(0)
	v := x.Block(1, columns).Fill(math.Inf(-1)).Load(row, 0) // beyond the edge: -infinity
	e := v.Sub(v.Max(1)).Exp()
	y.Block(1, columns).Store(e.Div(e.Sum(1)), row, 0) // nothing is stored beyond the edge
})

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	dev, err := weft.Open("")
	if err != nil {
		return err
	}
	defer dev.Close()
	x, err := weft.FromSlice(dev, []float32{1, 2, 3, 0, 0, 0, 4, 2, 0}, 3, 3)
	if err != nil {
		return err
	}
	y, err := weft.Empty(dev, weft.F32, 3, 3)
	if err != nil {
		return err
	}
	if err := softmaxRows.Launch(4, x, y); err != nil { // blocks of 4 columns hold these rows
		return err
	}
	fmt.Printf("%.4v\n", y)
	return nil
}
