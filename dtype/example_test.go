package dtype_test

import (
	"fmt"

	"github.com/weftgpu/weft/dtype"
)

func ExampleType() {
	for _, t := range []dtype.Type{dtype.I8, dtype.BF16, dtype.F32, dtype.Of[uint32]()} {
		fmt.Println(t, t.Size(), t.IsFloat(), t.IsSigned(), t.Epsilon())
	}
	fmt.Println(dtype.Parse("f16") == dtype.F16, dtype.Parse("f128").Valid())
	// Output:
	// i8 1 false true 0
	// bf16 2 true true 0.00390625
	// f32 4 true true 5.960464477539063e-08
	// u32 4 false false 0
	// true false
}

// Floats of 16 bits are rounded to the nearest, ties to even.
func ExampleToFloat16() {
	for _, x := range []float32{1.0 / 3, 65519, 65520} {
		fmt.Println(x, dtype.ToFloat16(x).Float32(), dtype.ToBFloat16(x).Float32())
	}
	// Output:
	// 0.33333334 0.33325195 0.33398438
	// 65519 65504 65536
	// 65520 +Inf 65536
}

// Elements as they lie in memory, little endian; what a type does not hold saturates.
func ExamplePutFloats() {
	raw := make([]byte, 4)
	dtype.PutFloats(dtype.I8, raw, []float64{1.9, -1, 300, -300})
	fmt.Println(raw)
	x := make([]float64, 4)
	dtype.Floats(dtype.I8, x, raw)
	fmt.Println(x)
	// Output:
	// [1 255 127 128]
	// [1 -1 127 -128]
}

// Two integers of 4 bits share a byte, the first in the low half.
func ExamplePackI4() {
	packed := dtype.PackI4([]int8{1, -1, 7, -100, 3})
	fmt.Printf("%x\n", packed)
	fmt.Println(dtype.UnpackI4(packed, 5))
	// Output:
	// f18703
	// [1 -1 7 -8 3]
}
