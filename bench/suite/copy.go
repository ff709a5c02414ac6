package suite

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// copies move elements: transposed matrices, images to the other order, reordered dimensions, rows out of padding.
func copies(s Size) []Work {
	side, dim := of(s, 16384, 2048, 65), of(s, 16, 8, 3)
	return []Work{
		permuted("transpose", weft.F32, []int{side, side}, 1, 0),
		permuted("transpose", weft.F16, []int{side, side}, 1, 0),
		permuted("transpose", weft.I8, []int{side, side}, 1, 0),
		permuted("permute", weft.F16, of(s, []int{32, 128, 56, 56}, []int{1, 128, 56, 56}, []int{2, 3, 5, 7}), 0, 2, 3, 1),
		permuted("permute", weft.F32, []int{4 * dim, 2 * dim, 4 * dim, dim, 2 * dim}, 4, 2, 0, 3, 1),
		unpadded(weft.F32, of(s, 65536, 1024, 9), of(s, 4096, 4096, 13)),
	}
}

// permuted reorders the dimensions of a tensor.
func permuted(op string, elem weft.DType, shape []int, dims ...int) Work {
	strides, sizes := make([]int, len(shape)), make([]int, len(shape)) // of the input, in the output's order
	for i, d := range dims {
		strides[i], sizes[i] = 1, shape[d]
		for _, inner := range shape[d+1:] {
			strides[i] *= inner
		}
	}
	w := Work{
		Name: name(op, elem, size(shape...)), Op: op,
		Inputs: []Operand{normal(elem, shape...)}, Output: normal(elem, sizes...),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.PermuteInto(out, in[0], dims...) },
		Want: func(in []Values, i int) (want, bound float64) {
			at := 0
			for d := len(sizes) - 1; d >= 0; d-- {
				at += i % sizes[d] * strides[d]
				i /= sizes[d]
			}
			return in[0](at), 0
		},
	}
	if elem.IsInt() {
		w.Inputs[0].Draw = Draw{-128, 128}
	}
	if op == "permute" {
		w.Name, w.Params = fmt.Sprint(w.Name, " ", dims), map[string]any{"dims": dims}
	}
	return w
}

// unpadded copies the rows of a matrix out of one with four columns more.
func unpadded(elem weft.DType, rows, cols int) Work {
	out := normal(elem, rows, cols)
	return Work{
		Name: name("copy", elem, size(rows, cols), fmt.Sprintf(" of %d", cols+4)), Op: "copy",
		Inputs: []Operand{normal(elem, rows, cols+4)}, Output: out, Bytes: 2 * out.Bytes(),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error {
			part, err := in[0].Slice(1, 0, cols)
			if err != nil {
				return err
			}
			defer part.Close()
			return ops.CopyInto(out, part)
		},
		Want: func(in []Values, i int) (want, bound float64) { return in[0](i/cols*(cols+4) + i%cols), 0 },
	}
}
