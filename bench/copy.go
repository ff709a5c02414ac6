package main

import (
	"fmt"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/ops"
)

// copyWorks move elements: transposed matrices, images, rows out of padding, and dimensions turned around.
func copyWorks(s sizes) []work {
	side, images, dim := 4*s.side, 1, 4
	if s.kind == backend.GPU {
		images, dim = 32, 16
	}
	const cols = 4096
	return []work{
		permuteWork("transpose", weft.F32, []int{side, side}, 1, 0),
		permuteWork("transpose", weft.F16, []int{side, side}, 1, 0),
		permuteWork("transpose", weft.I8, []int{side, side}, 1, 0),
		permuteWork("nchw to nhwc", weft.F16, []int{images, 128, 56, 56}, 0, 2, 3, 1),
		permuteWork("permute", weft.F32, []int{4 * dim, 2 * dim, 4 * dim, dim, 2 * dim}, 4, 2, 0, 3, 1),
		paddedCopyWork(max(1, 1<<s.scale/cols), cols),
	}
}

// permuteWork turns the dimensions of a dense tensor around.
func permuteWork(name string, elem weft.DType, shape []int, dims ...int) work {
	text, n := "", 1
	for i, size := range shape {
		if n *= size; i > 0 {
			text += "x"
		}
		text += fmt.Sprint(size)
	}
	if name == "permute" {
		text += " " + fmt.Sprint(dims)
	}
	strides, sizes := make([]int, len(shape)), make([]int, len(shape)) // of the input, in the output's order
	for i, d := range dims {
		strides[i], sizes[i] = 1, shape[d]
		for _, inner := range shape[d+1:] {
			strides[i] *= inner
		}
	}
	in := normal(elem, shape...)
	if elem.IsInt() {
		in = uniform(-128, 128, elem, shape...)
	}
	return work{
		Op: fmt.Sprintf("%s %v %s", name, elem, text), Bytes: float64(2 * n * elem.Size()),
		inputs: []operand{in}, output: normal(elem, sizes...),
		run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.PermuteInto(out, in[0], dims...) },
		check: func(out values, in []values) error {
			return compare(out, n, func(i int) (want, bound float64) {
				at := 0
				for d := len(sizes) - 1; d >= 0; d-- {
					at += i % sizes[d] * strides[d]
					i /= sizes[d]
				}
				return in[0](at), 0
			})
		},
	}
}

// paddedCopyWork copies the rows of a matrix out of one with four columns more.
func paddedCopyWork(rows, cols int) work {
	return work{
		Op: fmt.Sprintf("copy f32 %dx%d of %d", rows, cols, cols+4), Bytes: float64(8 * rows * cols),
		inputs: []operand{normal(weft.F32, rows, cols+4)}, output: normal(weft.F32, rows, cols),
		run: func(out *weft.Tensor, in []*weft.Tensor) error {
			part, err := in[0].Slice(1, 0, cols)
			if err != nil {
				return err
			}
			defer part.Close()
			return ops.CopyInto(out, part)
		},
		check: func(out values, in []values) error {
			return compare(out, rows*cols, func(i int) (want, bound float64) { return in[0](i/cols*(cols+4) + i%cols), 0 })
		},
	}
}
