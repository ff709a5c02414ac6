package weft_test

import (
	"fmt"
	"os"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

// Print, Assert and Break act in the interpreter; Debug runs a kernel there, for tensors of any device. A condition
// on the program's number keeps the others quiet.
func ExampleKernel_Debug() {
	roots := weft.NewKernel("roots", func(k *tile.Builder, columns int) {
		x, out := k.In("x", weft.F32, 1), k.Out("out", weft.F32, 1)
		k.Grid(k.CDiv(x.Dim(0), columns))
		p := k.ProgramID(0)
		v := x.Block(columns).Load(p)
		k.Print("x", v, p.Eq(1))
		k.If(p.Eq(0), func() { k.Break(v.Sum(0)) })
		k.Assert(v.Ge(0), "a root of a negative number", v)
		out.Block(columns).Store(v.Sqrt(), p)
	})
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.FromSlice(dev, []float32{1, 4, 9, -16}))
	out := need(weft.Empty(dev, weft.F32, 4))
	err := roots.Debug(2, interp.Options{
		Print: os.Stdout,
		Break: func(f interp.Frame) { fmt.Printf("%v: program %v: %v\n", f.Pos, f.Program, f.Values) },
	}, nil, x, out)
	fmt.Println(err)
	// Output:
	// weft/example_debug_test.go:21: program [0 0 0]: [f32[1] [5]]
	// weft/example_debug_test.go:20: program [1 0 0]: x = f32[2] [9 -16]
	// weft: weft/example_debug_test.go:22: assert: a root of a negative number, f32 -16 at [1] in program [1 0 0]: invalid kernel
}
