package emittest

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/weftgpu/weft/cuda"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/wgsl"
)

// TestCooperativeIsSPIRV: languages without cooperative matrices refuse them.
func TestCooperativeIsSPIRV(t *testing.T) {
	text, err := os.ReadFile("../../simt/testdata/cooperative.simt")
	if err != nil {
		t.Fatal(err)
	}
	k, err := simt.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for name, emit := range map[string]func(k *simt.Func, caps target.Caps) (string, error){"wgsl": wgsl.Emit, "cuda": cuda.Emit} {
		if _, err := emit(declared(t, k, target.Caps{Language: target.WGSL}), target.Caps{}); !errors.Is(err, fault.ErrUnsupported) || !strings.Contains(err.Error(), "cooperative") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
