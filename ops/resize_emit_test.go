package ops_test

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// resizedPlanes are planes of another size, or their gradient.
func resizedPlanes(mode kernels.ResizeMode, from, to int, grad bool) emitter {
	return func(t *testing.T, caps target.Caps) *compile.Artifact {
		p := ops.ResizeProblem(weft.F32, mode, 64, from, to, grad)
		k, err := kernels.ResizeKernels[grad].Build(p.Config(p.Rule(caps)))
		return emitted(t, k, err, caps, dense([]int{64, from, from}), dense([]int{64, to, to}))
	}
}

// resizeKernels keeps kernels of elements that move and of weighted sums, of loops and of numbers of more than 31 bits, by names of their own.
func resizeKernels(caps target.Caps, elem weft.DType, side int, keep func(k *tile.Func, err error)) {
	real := elem
	if elem == weft.U32 {
		real = weft.F32
	}
	for name, p := range map[string]kernels.ResizeProblem{
		"resize_nearest": ops.ResizeProblem(elem, kernels.ResizeNearest, side, side, 2*side, false),
		"resize":         ops.ResizeProblem(real, kernels.ResizeLinear, side, side, 2*side, false),
		"resize_cubic":   ops.ResizeProblem(real, kernels.ResizeCubic, side, side, 2*side, false),

		"resize_grad":         ops.ResizeProblem(real, kernels.ResizeLinear, side, 2*side, side, true),
		"resize_grad_cubic":   ops.ResizeProblem(real, kernels.ResizeCubic, side, 2*side, side, true), // by loops
		"resize_grad_nearest": ops.ResizeProblem(real, kernels.ResizeNearestExact, side, 2*side, side, true),
	} {
		k, err := kernels.ResizeKernels[p.Grad].Build(p.Config(p.Rule(caps)))
		if err == nil {
			k.Name = name
		}
		keep(k, err)
		if p.Taps[1] != 2 {
			continue
		}
		p.Wide = [5]bool{1: true, 2: true}
		if k, err = kernels.ResizeKernels[p.Grad].Build(p.Config(p.Rule(caps))); err == nil {
			k.Name = name + "_wide"
		}
		keep(k, err)
	}
}
