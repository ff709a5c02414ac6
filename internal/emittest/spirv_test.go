package emittest

import (
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/spirv/assembly"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/spirv"
	"github.com/weftgpu/weft/target"
)

// Devices that take SPIR-V: one with all that the printer makes use of, and one with the least that it needs.
var (
	wholeSPIRV = target.Caps{
		Language: target.SPIRV, SubgroupSize: 32, F16: true, F16Nearest: true, Int64: true, Float64: true, AtomicAddF32: true,
		KeepsNaN: target.TypesOf(dtype.F64), RoundsNearest: target.TypesOf(dtype.F32, dtype.F64),
	}
	leastSPIRV = target.Caps{Language: target.SPIRV, Int64: true, Float64: true}
)

func emitSPIRV(t *testing.T, k *simt.Func, caps target.Caps) string {
	t.Helper()
	caps.Language = target.SPIRV
	text, err := spirv.Emit(passed(t, k, caps, "dce", "declare"), caps)
	if err != nil {
		t.Fatalf("%v\n%v", err, k)
	}
	return text
}

// checkSPIRV assembles the texts of kernels, with bindings and with addresses of buffers, and validates the binaries.
func checkSPIRV(t *testing.T, kernels map[string]*simt.Func) {
	t.Helper()
	for _, caps := range []target.Caps{wholeSPIRV, leastSPIRV} {
		texts := map[string]string{}
		for name, k := range kernels {
			texts[name] = emitSPIRV(t, k, caps)
			if caps.Int64 {
				addressed := *k
				addressed.DeviceAddresses = true
				texts[name+", addresses"] = emitSPIRV(t, &addressed, caps)
			}
		}
		checkAssembly(t, texts)
	}
}

// checkAssembly validates the binaries of some texts, a few of one call of the validator's process.
func checkAssembly(t *testing.T, texts map[string]string) {
	t.Helper()
	dir := t.TempDir()
	validator, missing := exec.LookPath("spirv-val")
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		binary, err := assembly.Assemble(texts[name])
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, texts[name])
			continue
		}
		if missing == nil {
			file := filepath.Join(dir, "kernel.spv")
			write(t, file, binary)
			run(t, name+"\n"+texts[name], validator, "--target-env", "vulkan1.3", file)
		}
	}
	if missing != nil {
		testenv.Skip(t, "spirv-val", missing.Error())
	}
}
