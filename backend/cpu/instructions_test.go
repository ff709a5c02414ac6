package cpu_test

import (
	"os"
	"os/exec"
	"runtime"
	"testing"

	"github.com/weftgpu/weft/tile/interp"
)

// TestInstructionSets runs the conformance suite again with fewer vector instructions than the processor has, and with none.
func TestInstructionSets(t *testing.T) {
	if os.Getenv("WEFT_CPU") != "" {
		t.Skip("run by itself")
	}
	if interp.Instructions() == "Go" {
		t.Skip("the processor has none that machine code is made of")
	}
	sets := []string{"go"}
	if runtime.GOARCH == "amd64" {
		sets = append(sets, "avx2")
	}
	for _, set := range sets {
		t.Run(set, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestConformance$", "-test.timeout=0")
			cmd.Env = append(os.Environ(), "WEFT_CPU="+set)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
