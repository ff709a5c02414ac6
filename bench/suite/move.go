package suite

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// moves put tensors together, elements around them, and shift them: heads of attention and their new keys, images before a convolution.
func moves(s Size) []Work {
	rows, cols := of(s, 8192, 512, 9), of(s, 4096, 1024, 12)
	images := []int{of(s, 32, 1, 2), of(s, 64, 16, 3), of(s, 112, 56, 7), of(s, 112, 56, 5)}
	frame := []ops.PadSize{{}, {}, {Low: 1, High: 1}, {Low: 1, High: 1}}
	return []Work{
		joined("concat", s.elem(), 1, []int{rows, cols}, 2), joined("concat", weft.F32, 0, []int{rows / 8, cols}, 7),
		joined("concat", weft.F32, 1, []int{16, 64}, 4), joined("stack", s.elem(), 1, []int{rows, cols}, 2),
		padded(s.elem(), images, frame, ops.PadConstant), padded(weft.F32, images, frame, ops.PadReflect),
		padded(weft.F32, []int{rows, cols}, []ops.PadSize{{High: rows / 4}, {}}, ops.PadConstant),
		rolled(weft.F32, []int{rows, cols}, cols/3), rolled(weft.F32, []int{4 * rows * cols}, rows),
	}
}

// joined joins tensors of one shape along a dimension, a new one of a stack.
func joined(op string, elem weft.DType, dim int, shape []int, n int) Work {
	w := Work{Name: name(op, elem, n, " of ", size(shape...), " along ", dim), Op: op, Params: map[string]any{"dim": dim}}
	for range n {
		w.Inputs = append(w.Inputs, normal(elem, shape...))
	}
	out := slices.Clone(shape)
	w.Run = func(out *weft.Tensor, in []*weft.Tensor) error { return ops.ConcatInto(out, dim, in...) }
	if op == "stack" {
		out = slices.Insert(out, dim, 1)
		w.Run = func(out *weft.Tensor, in []*weft.Tensor) error { return ops.StackInto(out, dim, in...) }
	}
	run := 1 // elements of a tensor that are neighbours
	for _, n := range out[dim:] {
		run *= n
	}
	out[dim] *= n
	w.Output = normal(elem, out...)
	w.Want = func(in []Values, i int) (want, bound float64) {
		return in[i/run%n](i/(run*n)*run + i%run), 0
	}
	return w
}

// padded puts elements around a tensor.
func padded(elem weft.DType, shape []int, sizes []ops.PadSize, mode ops.PadMode) Work {
	out, sides := slices.Clone(shape), []int{}
	text := ""
	for d, s := range sizes {
		out[d] += s.Low + s.High
		if s != (ops.PadSize{}) {
			text += fmt.Sprintf(" %d:%d,%d", d, s.Low, s.High)
		}
	}
	first := 0 // PyTorch's reflections are of the last dimensions
	for mode != ops.PadConstant && sizes[first] == (ops.PadSize{}) {
		first++
	}
	for _, s := range slices.Backward(sizes[first:]) {
		sides = append(sides, s.Low, s.High)
	}
	w := Work{
		Name: name("pad", elem, size(shape...), text, " ", mode), Op: "pad", Params: map[string]any{"sides": sides, "mode": mode.String()},
		Inputs: []Operand{normal(elem, shape...)}, Output: normal(elem, out...),
		Run: func(out *weft.Tensor, in []*weft.Tensor) error {
			return ops.PadInto(out, in[0], sizes, ops.PadWith(mode))
		},
	}
	w.Want = func(in []Values, i int) (want, bound float64) {
		at, step := 0, 1
		for d := len(out) - 1; d >= 0; d-- {
			j, n := i%out[d]-sizes[d].Low, shape[d]
			i /= out[d]
			if j < 0 || j >= n {
				if mode == ops.PadConstant {
					return 0, 0
				}
				j = (2*n - 2 - (j+2*n-2)%(2*n-2)) % (2*n - 2) // reflected
			}
			at += j * step
			step *= n
		}
		return in[0](at), 0
	}
	return w
}

// rolled shifts the elements of the last dimension.
func rolled(elem weft.DType, shape []int, shift int) Work {
	last := len(shape) - 1
	n := shape[last]
	return Work{
		Name: name("roll", elem, size(shape...), " by ", shift), Op: "roll", Params: map[string]any{"shifts": shift, "dims": last},
		Inputs: []Operand{normal(elem, shape...)}, Output: normal(elem, shape...),
		Run:  func(out *weft.Tensor, in []*weft.Tensor) error { return ops.RollInto(out, in[0], []int{shift}, last) },
		Want: func(in []Values, i int) (want, bound float64) { return in[0](i/n*n + (i%n-shift%n+n)%n), 0 },
	}
}
