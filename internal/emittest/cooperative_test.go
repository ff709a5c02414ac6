package emittest

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/weftgpu/weft/cuda"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/wgsl"
)

// cooperativeKernel reads a kernel of the testdata of package simt.
func cooperativeKernel(t *testing.T, name string) *simt.Func {
	t.Helper()
	text, err := os.ReadFile("../../simt/testdata/" + name + ".simt")
	if err != nil {
		t.Fatal(err)
	}
	k, err := simt.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestCooperativeIsPromised: languages refuse cooperative matrices that they do not have, or that the device does not promise.
func TestCooperativeIsPromised(t *testing.T) {
	other := lowertest.SubgroupMatrices
	other.Cooperative = target.CooperativeOf(other.Cooperative.Rows()[1])
	for _, name := range []string{"cooperative", "opaque"} {
		for what, emit := range map[string]func(k *simt.Func) (string, error){
			"wgsl":                     func(k *simt.Func) (string, error) { return wgsl.Emit(k, target.Caps{}) },
			"wgsl with other matrices": func(k *simt.Func) (string, error) { return wgsl.Emit(k, other) },
			"cuda":                     func(k *simt.Func) (string, error) { return cuda.Emit(k, target.Caps{}) },
		} {
			k := declared(t, cooperativeKernel(t, name), target.Caps{Language: target.WGSL})
			if _, err := emit(k); !errors.Is(err, fault.ErrUnsupported) || !strings.Contains(err.Error(), "cooperative") {
				t.Errorf("%s in %s: %v", name, what, err)
			}
		}
	}
	if _, err := wgsl.Emit(declared(t, cooperativeKernel(t, "cooperative"), lowertest.SubgroupMatrices), lowertest.SubgroupMatrices); !errors.Is(err, fault.ErrUnsupported) {
		t.Errorf("matrices with elements in WGSL: %v", err)
	}
}

// TestOpaque: matrices that are only loaded, multiplied and stored are those of SPIR-V, and of a draft of WGSL.
func TestOpaque(t *testing.T) {
	k := cooperativeKernel(t, "opaque")
	text := emitWGSLFor(t, k, lowertest.SubgroupMatrices)
	compare(t, "opaque.wgsl", text)
	assembled := emitSPIRV(t, k, wholeSPIRV)
	compare(t, "opaque.spvasm", assembled)
	t.Run("spirv", func(t *testing.T) { checkAssembly(t, map[string]string{"opaque": assembled}) })
	t.Run("tint", func(t *testing.T) { testenv.Tint(t, map[string]string{"opaque": text}) })
}
