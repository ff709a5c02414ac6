package emittest

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weftgpu/weft/simt"
)

// TestTextIsAll: printed IR holds all that emitters see, names and notes included.
func TestTextIsAll(t *testing.T) {
	kernels := goldenKernels()
	for seed := range uint64(200) {
		kernels[fmt.Sprint("seed ", seed)] = randomKernel(seed)
	}
	for name, k := range kernels {
		k.Body.Ops[len(k.Body.Ops)-1].Note = "read back"
		again, err := simt.Parse(k.String())
		if err != nil {
			t.Fatalf("%s: %v\n%v", name, err, k)
		}
		for what, d := range map[string]string{
			"simt": cmp.Diff(k.String(), again.String()),
			"wgsl": cmp.Diff(emitWGSL(t, k), emitWGSL(t, again)),
			"cuda": cmp.Diff(emitCUDA(t, k, "sm_90a"), emitCUDA(t, again, "sm_90a")),
		} {
			if d != "" {
				t.Errorf("%s: %s differs when it was read back:\n%s", name, what, d)
			}
		}
	}
}
