package ops_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/ops"
)

// What a launch gives a kernel of shared memory, with what aligning its arrays takes, is no more than the device has: a kernel
// that is beyond is refused before it is launched, or lowered with less.
func TestLaunchesFitSharedMemory(t *testing.T) {
	given := 0
	for _, head := range []int{64, 96, 128} {
		for _, c := range []ops.AttentionConfig{
			{BM: 64, BN: 64, Threads: 128, Stages: 2}, {BM: 128, BN: 64, Threads: 256, Stages: 2}, {BM: 64, BN: 64, Threads: 128, Stages: 2, Producers: 1},
			{BM: 128, BN: 128, Threads: 256, Stages: 2, Producers: 1}, {BM: 128, BN: 128, Threads: 256, Stages: 3, Producers: 1},
		} {
			for _, mask := range []weft.DType{0, weft.Bool} {
				cfg := kernels.AttentionConfigFor(matrixCaps, weft.F16, 512, 512, head)
				cfg.Replace(c)
				cfg.Mask = mask
				name := fmt.Sprintf("%+v", cfg)
				t.Run(fmt.Sprintf("head %d, %d by %d, %d producers, mask %v, %d stages", head, cfg.BM, cfg.BN, cfg.Producers, mask, cfg.Stages), func(t *testing.T) {
					testenv.Sample(t)
					k, err := kernels.Attention.Build(cfg)
					if err != nil {
						t.Fatal(name, err)
					}
					a, err := compile.Emit(k, families[0].facts(k, 512), matrixCaps)
					if errors.Is(err, fault.ErrLimit) {
						return
					}
					if err != nil {
						t.Fatal(name, err)
					}
					if a.Source.Dynamic > 0 {
						given++
					}
					if a.Source.Dynamic > matrixCaps.SharedBytes {
						t.Errorf("%s: a launch gives %d bytes, the device has %d", name, a.Source.Dynamic, matrixCaps.SharedBytes)
					}
				})
			}
		}
	}
	if given == 0 && !testenv.Sampling() {
		t.Error("no launch gives a kernel shared memory")
	}
}
