package weft_test

import (
	"bytes"
	"fmt"
	"log"
	"log/slog"
	"os"

	"gonum.org/v1/gonum/mat"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// What was found on this machine, the best first; what cannot be used says why.
func ExampleDevices() {
	for _, d := range weft.Devices() {
		switch {
		case d.Refused != nil:
			fmt.Printf("%s: not used: %v\n", d.Spec(), d.Refused)
		default:
			fmt.Printf("%s: %s, %s\n", d.Spec(), d.Name, d.Driver)
		}
	}
}

// Views share memory: what is written through one is seen by the others.
func ExampleTensor_Slice() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.Zeros(dev, weft.I32, 3, 4))
	corner := need(need(x.Slice(0, 1, 3)).Slice(1, 2, 4))
	if err := corner.Fill(7); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x)
	fmt.Println(corner.Shape(), corner.Layout())
	// Output:
	// [[0 0 0 0]
	//  [0 0 7 7]
	//  [0 0 7 7]]
	// [2 2] (2,2):(4,1)+6
}

// A row seen as a matrix of equal rows: no element is repeated in memory.
func ExampleTensor_Broadcast() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	row := need(weft.FromSlice(dev, []float32{1, 2, 3}))
	rows := need(row.Broadcast(2, 3))
	fmt.Println(rows)
	fmt.Println(rows.Fill(0)) // it cannot be written
	// Output:
	// [[1. 2. 3.]
	//  [1. 2. 3.]]
	// weft: fill: out: the layout (3,2):(1,0) repeats elements, so it cannot be written: unsupported
}

func ExampleTensor_Reshape() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.Arange(dev, weft.I32, 0, 6, 1))
	m := need(x.Reshape(2, -1)) // -1: what fits
	fmt.Println(m)
	_, err := m.T().Reshape(6)
	fmt.Println(err)
	fmt.Println(need(need(m.T().Contiguous()).Reshape(6)))
	// Output:
	// [[0 1 2]
	//  [3 4 5]]
	// weft: reshape: the elements of layout (3,2):(1,3) must be moved for shape [6]: call Contiguous first: unsupported
	// [0 3 1 4 2 5]
}

// A tensor from a gonum matrix, and a gonum matrix from a tensor.
func ExampleFromDense() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	a := need(weft.FromDense(dev, weft.F32, mat.NewDense(2, 2, []float64{1, 2, 3, 4})))
	square := need(weft.ToDense(need(ops.MatMul(a, a))))
	fmt.Println(mat.Formatted(square))
	// Output:
	// ⎡ 7  10⎤
	// ⎣15  22⎦
}

// NumPy's files: what one program writes the other reads.
func ExampleReadNpy() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	var file bytes.Buffer // os.Create and os.Open in a program
	if err := weft.WriteNpy(&file, need(weft.Eye(dev, weft.F32, 2))); err != nil {
		log.Fatal(err)
	}
	fmt.Println(need(weft.ReadNpy(&file, dev)))
	// Output:
	// [[1. 0.]
	//  [0. 1.]]
}

// Elements of 16 bits have Go types of their own; Cast converts on the device.
func ExampleTensor_Cast() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.FromSlice(dev, []float32{1.0 / 3, 70000}))
	half := need(x.Cast(weft.F16))
	fmt.Printf("%T\n", need(weft.ToSlice[weft.Float16](half)))
	fmt.Println(need(weft.ToFloats(half)))
	// Output:
	// []float16.Float16
	// [0.333251953125 +Inf]
}

// Device time of what is launched, by the device's own clock.
func ExampleDevice_Time() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.Zeros(dev, weft.F32, 512, 512))
	took, err := dev.Time(func() error {
		_, err := ops.MatMul(x, x)
		return err
	})
	fmt.Println(took > 0, err)
	// Output: true <nil>
}

// The library is silent; a logger hears what it compiles, caches and drops.
func ExampleSetLogger() {
	weft.SetLogger(slog.New(slog.NewTextHandler(os.Stderr, nil)))
	defer weft.SetLogger(nil)
}

// Why the compiler chose what it chose, without a launch. (The interpreter chooses nothing; GPUs have notes.)
func ExampleKernel_Explain() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.Zeros(dev, weft.F32, 8, 100))
	why := need(softmaxRows.Explain(128, x, x))
	fmt.Println(why.TileIR != "", why.SimtIR == "", len(why.Choices) > 0)
	// Output: true true true
}
