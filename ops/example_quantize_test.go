package ops_test

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// Files in the format of GPTQ have words [K/8,N] of 8 weights along K each, the first in the lowest bits. Its bytes are packed along K, and those of a row of
// bytes are neighbours along N: Pack brings those of a column together.
func ExampleQuantized_Pack() {
	dev := cpu()
	defer dev.Close()
	const k, n = 8, 2
	words := must(weft.FromSlice(dev, []uint8{
		0x98, 0xba, 0xdc, 0xfe, // column 0: 8, 9, … 15
		0x10, 0x32, 0x54, 0x76, // column 1: 0, 1, … 7
	}, k/8, n, 4))
	bytes := must(must(words.Permute(0, 2, 1)).Contiguous())
	w := &ops.Quantized{
		QuantScheme: ops.QuantScheme{Bits: 4, Asymmetric: true, Block: [2]int{4, 1}}, // groups of 4 along K
		Shape:       [2]int{k, n},
		Data:        must(bytes.Reshape(k/2, n)),
		Scales:      f32(dev, []int{k / 4, n}, 1, 1, 0.5, 2),
		Zeros:       must(weft.FromSlice(dev, []uint8{8, 0, 8, 0}, k/4, n)),
		Packed:      0, // the dimension along which two integers share a byte
	}
	packed := must(w.Pack())
	fmt.Println(packed, packed.Data.Layout().Strides())
	fmt.Println(must(ops.Dequantize(packed, weft.F32)).T())
	// Output:
	// quantized[8,2] of 4 bits, 4 × 1, asymmetric on cpu:0 [1 16]
	// [[ 0.   1.   2.   3.   2.   2.5  3.   3.5]
	//  [ 0.   1.   2.   3.   8.  10.  12.  14. ]]
}

// Checkpoints in FP8 have floats E4M3 of 8 bits, and a scale for each output channel, or for each square of 128 × 128.
func ExampleNewQuantized() {
	dev := cpu()
	defer dev.Close()
	const n, k = 2, 4
	data := must(weft.FromSlice(dev, []uint8{
		0x38, 0xb8, 0x3c, 0x00, // 1, -1, 1.5, 0
		0x40, 0x30, 0xc4, 0x58, // 2, 0.5, -3, 16
	}, n, k))
	scheme := ops.QuantScheme{Bits: 8, Codes: ops.FP8, Block: [2]int{1, 0}}
	w := must(ops.NewQuantized(scheme, n, k, data, f32(dev, []int{n, 1}, 0.5, 2), nil))
	fmt.Println(w)
	fmt.Println(must(ops.Dequantize(w, weft.F32)))
	x := f32(dev, []int{1, k}, 1, 1, 2, 0)
	fmt.Println(must(ops.QuantizedMatMul(x, w.T())))
	// Output:
	// quantized[2,4] of 8 bits, FP8, 1 × all on cpu:0
	// [[ 0.5  -0.5   0.75  0.  ]
	//  [ 4.    1.   -6.   32.  ]]
	// [[ 1.5 -7. ]]
}
