package main

import (
	"fmt"
	"log"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"  // what there is to choose from:
	_ "github.com/weftgpu/weft/backend/cuda" // the CPU, and NVIDIA's GPUs
	"github.com/weftgpu/weft/ops"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	dev, err := weft.Open("") // the best device here; WEFT_DEVICE=cpu overrides
	if err != nil {
		return err
	}
	defer dev.Close() // and with it the tensors

	x, err := weft.FromSlice(dev, []float32{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		return err
	}
	products, err := ops.MatMul(x, x.T()) // a view: nothing is copied
	if err != nil {
		return err
	}
	fmt.Println(products)

	y, err := weft.ToSlice[float32](products)
	if err != nil {
		return err
	}
	fmt.Println("row 1 times row 0:", y[2])
	return nil
}
