package weft_test

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// A chain of operations as one kernel, which reads and writes every element once: a
// weighted mean of two tensors, squashed. The weight is a number of the call.
var blend = weft.NewMap("blend", []string{"a", "b", "weight"}, func(in []*tile.Value) *tile.Value {
	a, b, weight := in[0], in[1], in[2]
	return a.Add(b.Sub(a).Mul(weight)).Maximum(0).Sqrt()
})

func ExampleNewMap() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	column := need(weft.FromSlice(dev, []float32{0, 4}, 2, 1))
	row := need(weft.FromSlice(dev, []float32{2, 8, 32}))
	fmt.Println(need(blend.Apply(column, row, 0.5))) // broadcast to two rows of three
	// Output:
	// [[1.        2.        4.       ]
	//  [1.7320508 2.4494898 4.2426405]]
}

// Printed as NumPy prints: of a large tensor the edges alone.
func ExampleTensor_String() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.Arange(dev, weft.I32, 0, 4000, 1))
	fmt.Printf("%+v\n", need(x.Reshape(40, 100)))
	// Output:
	// i32[40,100] on cpu:0
	// [[   0    1    2 ...   97   98   99]
	//  [ 100  101  102 ...  197  198  199]
	//  [ 200  201  202 ...  297  298  299]
	//  ...
	//  [3700 3701 3702 ... 3797 3798 3799]
	//  [3800 3801 3802 ... 3897 3898 3899]
	//  [3900 3901 3902 ... 3997 3998 3999]]
}
