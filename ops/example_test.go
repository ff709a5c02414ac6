package ops_test

import (
	"fmt"
	"log"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// must ends an example at the first error.
func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}

// cpu opens the device of the examples; weft.Open("") opens the best one.
func cpu() *weft.Device { return must(weft.Open("cpu")) }

// f32 makes a tensor.
func f32(dev *weft.Device, shape []int, x ...float32) *weft.Tensor {
	return must(weft.FromSlice(dev, x, shape...))
}

// Shapes broadcast as in NumPy, and numbers stand for tensors.
func ExampleAdd() {
	dev := cpu()
	defer dev.Close()
	column, row := f32(dev, []int{2, 1}, 10, 20), f32(dev, []int{3}, 1, 2, 3)
	sum := must(ops.Add(column, row))
	fmt.Println(sum)
	fmt.Println(must(ops.Mul(sum, 0.5)))
	_, err := ops.Add(f32(dev, []int{2}, 1, 2), row)
	fmt.Println(err)
	// Output:
	// [[11. 12. 13.]
	//  [21. 22. 23.]]
	// [[ 5.5  6.   6.5]
	//  [10.5 11.  11.5]]
	// weft: add: the shapes [[2] [3]] do not broadcast: shape mismatch
}

// Into writes into a given tensor, in place too, and takes any view.
func ExampleAddInto() {
	dev := cpu()
	defer dev.Close()
	x := f32(dev, []int{2, 3}, 1, 2, 3, 4, 5, 6)
	last := must(x.Slice(1, 2, 3)) // a column of x
	if err := ops.AddInto(last, last, 100); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x)
	// Output:
	// [[  1.   2. 103.]
	//  [  4.   5. 106.]]
}

// Comparisons give Bool, which Where takes.
func ExampleWhere() {
	dev := cpu()
	defer dev.Close()
	x := f32(dev, []int{4}, -2, -1, 1, 2)
	fmt.Println(must(ops.Where(must(ops.Gt(x, 0)), x, must(ops.Exp(x)))))
	// Output: [0.13533528 0.36787945 1.         2.        ]
}

// A product, and a layer: bias and activation are computed before the result is stored, by the same kernel.
func ExampleMatMul() {
	dev := cpu()
	defer dev.Close()
	x := f32(dev, []int{2, 3}, 1, 2, 3, 4, 5, 6)
	w := f32(dev, []int{2, 3}, 1, 0, -1, 0, 1, 0)
	fmt.Println(must(ops.MatMul(x, w.T()))) // a view: nothing is copied
	bias := f32(dev, []int{2}, 1, -3)
	fmt.Println(must(ops.MatMul(x, w.T(), ops.Bias(bias), ops.Fuse(ops.ReLUMap))))
	// Output:
	// [[-2.  2.]
	//  [-2.  5.]]
	// [[0. 0.]
	//  [0. 2.]]
}

// An activation of one's own, fused into a layer.
func ExampleLinear() {
	dev := cpu()
	defer dev.Close()
	square := weft.NewMap("square", []string{"x"}, func(in []*tile.Value) *tile.Value { return in[0].Mul(in[0]) })
	x, w, bias := f32(dev, []int{1, 2}, 3, 4), f32(dev, []int{2, 2}, 1, 1, 1, -1), f32(dev, []int{2}, 0, 1)
	fmt.Println(must(ops.Linear(x, w, bias, ops.Fuse(square))))
	// Output: [[49.  0.]]
}

// An edge filter over a picture of 4×4 with one channel.
func ExampleConv2D() {
	dev := cpu()
	defer dev.Close()
	picture := f32(dev, []int{1, 1, 4, 4},
		0, 0, 9, 9,
		0, 0, 9, 9,
		0, 0, 9, 9,
		0, 0, 9, 9)
	edge := f32(dev, []int{1, 1, 1, 2}, -1, 1)
	out := must(ops.Conv2D(picture, edge))
	fmt.Println(out.Shape(), must(out.Reshape(4, 3)))
	fmt.Println(must(ops.Conv2D(picture, edge, ops.Stride(2, 1), ops.Padding(0, 1))).Shape())
	// Output:
	// [1 1 4 3] [[0. 9. 0.]
	//  [0. 9. 0.]
	//  [0. 9. 0.]
	//  [0. 9. 0.]]
	// [1 1 2 5]
}

// Columns of a convolution as a matrix.
func ExampleIm2Col() {
	dev := cpu()
	defer dev.Close()
	x := f32(dev, []int{1, 1, 2, 3}, 1, 2, 3, 4, 5, 6)
	fmt.Println(must(ops.Im2Col(x, 2, 2)))
	// Output:
	// [[[1. 2.]
	//   [2. 3.]
	//   [4. 5.]
	//   [5. 6.]]]
}

// Two tokens that look at each other, and then the second one alone at both.
func ExampleAttention() {
	dev := cpu()
	defer dev.Close()
	shape := []int{1, 1, 2, 2} // batch, heads, tokens, head size
	q, k := f32(dev, shape, 0, 0, 0, 0), f32(dev, shape, 1, 2, 3, 4)
	v := f32(dev, shape, 1, 10, 3, 30)
	fmt.Println(must(must(ops.Attention(q, k, v)).Reshape(2, 2)))
	fmt.Println(must(must(ops.Attention(q, k, v, ops.Causal())).Reshape(2, 2)))
	// Output:
	// [[ 2. 20.]
	//  [ 2. 20.]]
	// [[ 1. 10.]
	//  [ 2. 20.]]
}

func ExampleSoftmax() {
	dev := cpu()
	defer dev.Close()
	x := f32(dev, []int{2, 2}, 0, 0, 1000, 1000)
	fmt.Println(must(ops.Softmax(x)))
	fmt.Println(must(ops.Softmax(x, ops.Axis(0))))
	// Output:
	// [[0.5 0.5]
	//  [0.5 0.5]]
	// [[0. 0.]
	//  [1. 1.]]
}

func ExampleLayerNorm() {
	dev := cpu()
	defer dev.Close()
	x := f32(dev, []int{2, 2}, 1, 3, 10, 30)
	weight := f32(dev, []int{2}, 1, 2)
	fmt.Println(must(ops.LayerNorm(x, weight, nil, ops.Epsilon(0))))
	fmt.Println(must(ops.RMSNorm(must(ops.Mul(x, 0)), nil)))
	// Output:
	// [[-1.  2.]
	//  [-1.  2.]]
	// [[0. 0.]
	//  [0. 0.]]
}

// Between two layers of a transformer: the residual stream takes up what a layer gives, and is normalised for the next.
func ExampleResidual() {
	dev := cpu()
	defer dev.Close()
	stream, x := f32(dev, []int{1, 2}, 1, 3), f32(dev, []int{1, 2}, 2, 1)
	fmt.Println(must(ops.RMSNorm(x, nil, ops.Epsilon(0), ops.Residual(stream, stream))))
	fmt.Println(stream)
	// Output:
	// [[0.84852815 1.1313709 ]]
	// [[3. 4.]]
}

// Weights of 4 bits with a scale for each row of 4.
func ExampleQuantizedMatMul() {
	dev := cpu()
	defer dev.Close()
	w := f32(dev, []int{2, 4}, 7, -7, 3, 0, 0.7, 0.1, -0.3, 0.5)
	q := must(ops.Quantize(w, ops.QuantScheme{Bits: 4, Block: [2]int{1, 0}}))
	defer q.Close()
	fmt.Println(must(ops.Dequantize(q, weft.F32)))
	x := f32(dev, []int{1, 4}, 1, 1, 1, 1)
	fmt.Println(must(ops.QuantizedMatMul(x, q.T())))
	// Output:
	// [[ 7.  -7.   3.   0. ]
	//  [ 0.7  0.1 -0.3  0.5]]
	// [[3. 1.]]
}

// A code book of one's own: 16 numbers, here powers of two with a sign, and a scale for each row.
func ExampleNewCodeBook() {
	dev := cpu()
	defer dev.Close()
	book := must(ops.NewCodeBook([]float32{0, 1. / 64, 1. / 32, 1. / 16, 1. / 8, 1. / 4, 1. / 2, 1, 0, -1. / 64, -1. / 32, -1. / 16, -1. / 8, -1. / 4, -1. / 2, -1}))
	w := f32(dev, []int{2, 4}, 8, -4.5, 1.9, 0.3, 0.5, 0.1, -0.3, 0)
	q := must(ops.Quantize(w, ops.QuantScheme{Bits: 4, Codes: book, Block: [2]int{1, 0}}))
	defer q.Close()
	fmt.Println(must(ops.Dequantize(q, weft.F32)))
	// Output:
	// [[ 8.    -4.     2.     0.25 ]
	//  [ 0.5    0.125 -0.25   0.   ]]
}

// The same seed and offset give the same bits on every device.
func ExampleUniform() {
	dev := cpu()
	defer dev.Close()
	s := ops.Stream{Seed: 42}
	fmt.Println(must(ops.Uniform(dev, weft.F32, s, 4)))
	s.Offset = 4 // go on after those
	fmt.Println(must(ops.Normal(dev, weft.F32, s, 4)))
	// Output:
	// [0.61295986 0.4685865  0.0732317  0.3408615 ]
	// [-0.07318163  0.13913727 -1.1066651   0.32668304]
}

func ExampleDropout() {
	dev := cpu()
	defer dev.Close()
	x := must(weft.Full(dev, weft.F32, 3, 8))
	kept := must(weft.Empty(dev, weft.Bool, 8))
	fmt.Println(must(ops.Dropout(x, 0.25, ops.Stream{Seed: 3}, kept)))
	fmt.Println(kept)
	// Output:
	// [4. 0. 4. 4. 4. 4. 0. 4.]
	// [ True False  True  True  True  True False  True]
}

// Two rows of logits draw from their best two tokens; the next call draws by the numbers after those.
func ExampleSample() {
	dev := cpu()
	defer dev.Close()
	logits := f32(dev, []int{2, 4}, 0, 5, 4, 1, 3, 0, 1, 3)
	s := ops.Stream{Seed: 1}
	for range 3 {
		fmt.Println(must(ops.Sample(logits, s, ops.SampleTopK(2), ops.Temperature(2))))
		s = s.Skip(4 * 2)
	}
	// Output:
	// [2 3]
	// [1 3]
	// [1 0]
}

// The last range has its upper end.
func ExampleHistogram() {
	dev := cpu()
	defer dev.Close()
	counts, err := ops.Histogram(f32(dev, []int{6}, 0, 0.1, 0.25, 0.9, 1, 7), 0, 1, 4)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(counts)
	// Output:
	// [2 1 0 2]
}

// The first three elements are the different ones.
func ExampleUnique() {
	dev := cpu()
	defer dev.Close()
	values, number, err := ops.Unique(f32(dev, []int{6}, 3, 1, 4, 1, 1, 4))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(values, number)
	// Output:
	// [1. 3. 4. 0. 0. 0.] [3]
}

// Equal elements stay in their order, and NaN is last.
func ExampleSort() {
	dev := cpu()
	defer dev.Close()
	values, indices, err := ops.Sort(f32(dev, []int{2, 5}, 3, 1, 4, 1, 5, 9, float32(math.NaN()), 6, 9, 2), -1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(values)
	fmt.Println(indices)
	// Output:
	// [[ 1.  1.  3.  4.  5.]
	//  [ 2.  6.  9.  9. nan]]
	// [[1 3 0 2 4]
	//  [4 2 0 3 1]]
}

// Of equal elements the first ones come first.
func ExampleTopK() {
	dev := cpu()
	defer dev.Close()
	values, indices, err := ops.TopK(f32(dev, []int{2, 5}, 3, 1, 4, 1, 5, 9, 2, 6, 9, 9), 3, -1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(values)
	fmt.Println(indices)
	// Output:
	// [[5. 4. 3.]
	//  [9. 9. 9.]]
	// [[4 2 0]
	//  [0 3 4]]
}

// T is a view; Transpose moves the elements.
func ExampleTranspose() {
	dev := cpu()
	defer dev.Close()
	x := f32(dev, []int{2, 3}, 1, 2, 3, 4, 5, 6)
	fmt.Println(x.T().Layout(), must(ops.Transpose(x)).Layout())
	// Output: (3,2):(1,3) (3,2):(2,1)
}
