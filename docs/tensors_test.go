package docs_test

import (
	"fmt"

	"github.com/weftgpu/weft"
)

// The code of tensors.md.

func Example_numbers() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.FromNumbers(dev, weft.F16, []int{1, 2, 3, 4, 5, 6}, 2, 3))
	y := need(weft.FromNumbers(dev, weft.U8, []float64{0, 127, 255}))
	fmt.Println(x)
	fmt.Println(y.DType(), y.Shape(), y)
	_, err := weft.FromNumbers(dev, weft.U8, []int{1, 256})
	fmt.Println(err)
	// Output:
	// [[1. 2. 3.]
	//  [4. 5. 6.]]
	// u8 [3] [  0 127 255]
	// weft: from numbers: x: element 1: 256 is not a value of u8: invalid argument
}

func Example_elements() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.Arange(dev, weft.I32, 0, 12, 1))
	x = need(x.Reshape(3, 4))
	fmt.Println(x.At(1, -1)) // row 1, the last column
	if err := x.SetAt(-7, 2, 0); err != nil {
		fmt.Println(err)
	}
	fmt.Println(x.SetAt(0.5, 2, 0))
	fmt.Println(x)
	// Output:
	// 7 <nil>
	// weft: set_at: x: 0.5 is not a value of i32: invalid argument
	// [[ 0  1  2  3]
	//  [ 4  5  6  7]
	//  [-7  9 10 11]]
}

func Example_slices() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.Arange(dev, weft.I32, 0, 12, 1))
	x = need(x.Reshape(3, 4))
	fmt.Println(need(x.Slices(weft.From(1), weft.To(-1))))     // NumPy's x[1:, :-1]
	fmt.Println(need(x.Slices(weft.All(), weft.Index(2))))     // x[:, 2]: a vector
	fmt.Println(need(x.Slices(weft.All(), weft.All().By(-2)))) // x[:, ::-2]
	corner := need(x.Slices(weft.Span(0, 2), weft.Span(0, 2))) // a view
	fmt.Println(corner.Fill(0), x)                             // which shares memory
	_, err := x.Slices(weft.Span(0, 4))                        // there is no row 3
	fmt.Println(err)
	// Output:
	// [[ 4  5  6]
	//  [ 8  9 10]]
	// [ 2  6 10]
	// [[ 3  1]
	//  [ 7  5]
	//  [11  9]]
	// <nil> [[ 0  0  2  3]
	//  [ 0  0  6  7]
	//  [ 8  9 10 11]]
	// weft: slices: range 0:4 does not fit dimension 0, which has size 3: shape mismatch
}
