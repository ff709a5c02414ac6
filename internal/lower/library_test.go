package lower_test

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// The library's kernels need each of their barriers, and their accesses to shared
// memory cost what they say.
func TestLibraryKernels(t *testing.T) {
	caps := target.Caps{Language: target.CUDA, MaxThreads: 256, SharedBytes: 48 << 10, SubgroupSize: 32, Registers: 255}
	for _, elem := range []weft.DType{weft.F32, weft.F16} {
		for _, side := range []int{64, 50} {
			l, err := layout.Contiguous(side, side)
			if err != nil {
				t.Fatal(err)
			}
			softmax, _ := ops.SoftmaxConfigFor(caps, elem, l)
			online := softmax
			online.Cols /= 4
			for name, build := range map[string]func() (*tile.Kernel, error){
				"matmul": func() (*tile.Kernel, error) {
					return ops.MatMulKernel.Build(ops.MatMulConfigFor(caps, elem, side, side, side))
				},
				"softmax":        func() (*tile.Kernel, error) { return ops.SoftmaxKernel.Build(softmax) },
				"softmax online": func() (*tile.Kernel, error) { return ops.SoftmaxOnlineKernel.Build(online) },
				"add": func() (*tile.Kernel, error) {
					return ops.AddMap.Kernel.Build(weft.MapConfigFor(caps, elem, elem, l, l, l))
				},
			} {
				t.Run(fmt.Sprintf("%s/%v/%d", name, elem, side), func(t *testing.T) {
					k, err := build()
					if err != nil {
						t.Fatal(err)
					}
					// sums of at most 64 terms in another order, and a rounding
					tol := 128*weft.F32.Epsilon() + 2*elem.Epsilon()
					t.Logf("shared memory: %v", lower.CheckLibraryKernel(t, k, side, tol))
				})
			}
		}
	}
}
