package docs_test

import (
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

// The code of kernels.md whose output names lines of this file: keep their numbers, or change the outputs.

func Example_kernelError() {
	add := weft.NewKernel("add", func(k *tile.Builder, block int) {
		x, y := k.In("x", weft.F32, 1), k.Out("y", weft.F32, 1)
		k.Grid(k.CDiv(y.Dim(0), block))
		i := k.ProgramID(0)
		y.Block(block).Store(x.Block(block).Load(i).Add(x.Block(2*block).Load(i)), i)
	})
	_, err := add.Build(64)
	fmt.Println(err)
	// Output: weft: docs/errors_test.go:21: add: the operands are f32[64] and f32[128], want one shape: shape mismatch
}

func Example_launchError() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.Zeros(dev, weft.F32, 4, 4))
	y := need(weft.Zeros(dev, weft.I32, 4))
	err := saxpy.LaunchWith(1024, weft.Scalars{2.0}, x, y)
	fmt.Println(err)
	fmt.Println(saxpy.LaunchWith(1024, weft.Scalars{"two"}, y, y))

	var e *weft.Error
	fmt.Println(errors.Is(err, weft.ErrShape), errors.As(err, &e), e.Arg)
	// Output:
	// weft: saxpy: x: shape [4 4] has 2 dimensions, the kernel takes 1: shape mismatch
	// weft: saxpy: a: two (string) is not a value of f32: invalid argument
	// true true x
}

var roots = weft.NewKernel("roots", func(k *tile.Builder, block int) {
	x, out := k.In("x", weft.F32, 1), k.Out("out", weft.F32, 1)
	k.Grid(k.CDiv(x.Dim(0), block))
	i := k.ProgramID(0)
	v := x.Block(block).Load(i)
	k.Print("x", v, i.Eq(1)) // in program 1 alone
	k.Assert(v.Ge(0), "a root of a negative number", v)
	out.Block(block).Store(v.Sqrt(), i)
})

func Example_debug() {
	dev := need(weft.Open("cpu")) // a GPU's tensors are copied to the host and back
	defer dev.Close()
	x := need(weft.FromSlice(dev, []float32{1, 4, 9, -16}))
	out := need(weft.Empty(dev, weft.F32, 4))
	err := roots.Debug(2, interp.Options{Print: os.Stdout}, nil, x, out)
	fmt.Println(err)
	// Output:
	// docs/errors_test.go:50: program [1 0 0]: x = f32[2] [9 -16]
	// weft: docs/errors_test.go:51: assert: a root of a negative number, f32 -16 at [1] in program [1 0 0]: invalid kernel
}

// Every program adds to the one element, and not by an atomic op.
var racy = weft.NewKernel("racy", func(k *tile.Builder, block int) {
	x, sum := k.In("x", weft.F32, 1), k.InOut("sum", weft.F32, 1)
	k.Grid(k.CDiv(x.Dim(0), block))
	one := sum.Block(1)
	one.Store(one.Load(0).Add(x.Block(block).Load(k.ProgramID(0)).Sum(0)), 0)
})

// The grid rounds down, so that the last elements of y belong to no program.
var rounded = weft.NewKernel("rounded", func(k *tile.Builder, block int) {
	x, y := k.In("x", weft.F32, 1), k.Out("y", weft.F32, 1)
	k.Grid(y.Dim(0).Div(block))
	i := k.ProgramID(0)
	y.Block(block).Store(x.Block(block).Load(i).Mul(2), i)
})

func Example_check() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.FromSlice(dev, []float32{1, 2, 3, 4}))
	sum := need(weft.Zeros(dev, weft.F32, 1))
	fmt.Println(racy.Debug(2, interp.Options{Check: true}, nil, x, sum))
	fmt.Println(roots.Debug(4, interp.Options{Check: true}, nil, need(weft.FromSlice(dev, []float32{float32(math.NaN())})), sum))
	fmt.Println(rounded.Debug(8, interp.Options{Check: true}, nil, need(weft.Zeros(dev, weft.F32, 37)), need(weft.Empty(dev, weft.F32, 37))))
	// Output:
	// weft: docs/errors_test.go:72: load: race: sum, element 0 of the buffer, is also touched by program [0 0 0], store at docs/errors_test.go:72 in program [1 0 0]: invalid kernel
	// weft: docs/errors_test.go:49: load: nan: v7 at [0] in program [0 0 0]: invalid kernel
	// weft: docs/errors_test.go:77: view y: unwritten: 5 of the 37 elements, the first at [32], are written by no program of grid [4 1 1]; a view that keeps some elements is an InOut: invalid kernel
}
