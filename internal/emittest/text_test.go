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
		if d := cmp.Diff(k.String(), again.String()); d != "" {
			t.Errorf("%s: simt differs when it was read back:\n%s", name, d)
		}
		for language, emit := range languages {
			if d := cmp.Diff(emit(t, k), emit(t, again)); d != "" {
				t.Errorf("%s: %s differs when it was read back:\n%s", name, language, d)
			}
		}
	}
}
