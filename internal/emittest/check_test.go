package emittest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	cudart "github.com/weftgpu/weft/backend/cuda"
	"github.com/weftgpu/weft/cuda"
	"github.com/weftgpu/weft/internal/lower/simtpass"
	"github.com/weftgpu/weft/internal/spirv"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/wgsl"
)

// extended is what WGSL may use beyond its core.
var extended = target.Caps{Language: target.WGSL, SubgroupSize: 32, F16: true, F16Nearest: true}

// languages print a kernel in each language.
var languages = map[string]func(t *testing.T, k *simt.Func) string{
	"wgsl":  emitWGSL,
	"cuda":  func(t *testing.T, k *simt.Func) string { return emitCUDA(t, k, "sm_90a") },
	"spirv": func(t *testing.T, k *simt.Func) string { return emitSPIRV(t, k, wholeSPIRV) },
}

func emitWGSL(t *testing.T, k *simt.Func) string {
	t.Helper()
	return emitWGSLFor(t, k, target.Caps{})
}

func emitWGSLFor(t *testing.T, k *simt.Func, caps target.Caps) string {
	t.Helper()
	text, err := wgsl.Emit(declared(t, k, caps), caps)
	if err != nil {
		t.Fatalf("%v\n%v", err, k)
	}
	return text
}

func emitCUDA(t *testing.T, k *simt.Func, arch string) string {
	t.Helper()
	text, err := cuda.Emit(passed(t, k, target.Caps{}, "dce", "registers", "fences", "opaque", "wraps"), target.Caps{Arch: arch})
	if err != nil {
		t.Fatalf("%v\n%v", err, k)
	}
	return text
}

// declared is a kernel as wgsl prints it.
func declared(t *testing.T, k *simt.Func, caps target.Caps) *simt.Func {
	t.Helper()
	caps.Language = target.WGSL
	return passed(t, k, caps, "dce", "declare")
}

// passed is a copy of a kernel after some of the passes that decide what printers go by.
func passed(t *testing.T, k *simt.Func, caps target.Caps, passes ...string) *simt.Func {
	t.Helper()
	k, err := simt.Parse(k.String())
	if err != nil {
		t.Fatalf("%v\n%v", err, k)
	}
	left := slices.Clone(passes)
	for _, p := range simtpass.Passes {
		if i := slices.Index(left, p.Name); i >= 0 {
			left = slices.Delete(left, i, i+1)
			p.Run(&simtpass.Context{Kernel: k, Caps: caps})
		}
	}
	if err := simt.Verify(k); err != nil {
		t.Fatalf("%v\n%v", err, k)
	}
	return k
}

// checkWGSL compiles the texts of kernels, with WGSL's core alone and with its extensions,
// validates the binaries, and lets Tint judge the texts too where it is installed.
func checkWGSL(t *testing.T, kernels map[string]*simt.Func) {
	t.Helper()
	texts := map[string]string{}
	for name, k := range kernels {
		texts[name] = emitWGSL(t, k)
		texts[name+"_extended"] = emitWGSLFor(t, k, extended)
	}
	checkTexts(t, texts)
}

func checkTexts(t *testing.T, texts map[string]string) {
	t.Helper()
	dir := t.TempDir()
	validator, missing := exec.LookPath("spirv-val")
	for name, text := range texts {
		binary, err := spirv.Compile(text)
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
			continue
		}
		file := filepath.Join(dir, name)
		write(t, file+".spv", binary)
		if missing == nil {
			run(t, text, validator, "--target-env", "vulkan1.1", file+".spv")
		}
	}
	t.Run("tint", func(t *testing.T) { testenv.Tint(t, texts) })
	if missing != nil {
		testenv.Skip(t, "spirv-val", missing.Error())
	}
}

func write(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, text, tool string, args ...string) {
	t.Helper()
	switch out, err := exec.Command(tool, args...).CombinedOutput(); {
	case strings.Contains(string(out), "Invalid capability operand") && strings.Contains(text, "CooperativeMatrix"):
		testenv.Skip(t, "matrices", tool+" does not know them")
	case err != nil:
		t.Errorf("%s %v: %v\n%s\n%s", tool, args, err, out, text)
	}
}

// bothArchs are where every text has to compile.
var bothArchs = []string{"sm_80", "sm_90a"}

// checkCUDA compiles the texts of kernels: all at once, and if that fails one by one.
func checkCUDA(t *testing.T, kernels map[string]*simt.Func, archs ...string) {
	t.Helper()
	if _, _, err := cudart.NVRTCVersion(); err != nil {
		testenv.Skip(t, "nvrtc", err.Error())
	}
	none := true
	for _, arch := range archs {
		texts := map[string]string{}
		var all strings.Builder
		for name, k := range kernels {
			if !testenv.InSample(t.Name() + name + arch) {
				continue
			}
			entry := k.Name
			k.Name = fmt.Sprintf("kernel_%d", len(texts))
			texts[name] = emitCUDA(t, k, arch)
			fmt.Fprintf(&all, "namespace space_%d {\n%s}\n", len(texts), texts[name])
			k.Name = entry
		}
		if len(texts) == 0 {
			continue
		}
		none = false
		if compileCUDA(t, arch, all.String()) == nil {
			continue
		}
		for name, text := range texts {
			if err := compileCUDA(t, arch, text); err != nil {
				t.Errorf("%s for %s: %v\n%s", name, arch, err, text)
			}
		}
	}
	if none {
		testenv.LeaveToOthers(t)
	}
}

func compileCUDA(t *testing.T, arch, text string) error {
	t.Helper()
	cubin, log, err := cudart.CompileNVRTC(arch, "kernels.cu", text)
	if err == nil && (len(cubin) == 0 || log != "") {
		t.Errorf("%s: a binary of %d bytes and a log:\n%s", arch, len(cubin), log)
	}
	return err
}

func goldenKernels() map[string]*simt.Func {
	kernels := map[string]*simt.Func{}
	for name, build := range golden {
		kernels[name] = build()
	}
	return kernels
}

func TestGoldenCompile(t *testing.T) {
	t.Run("wgsl", func(t *testing.T) { checkWGSL(t, goldenKernels()) })
	t.Run("spirv", func(t *testing.T) { checkSPIRV(t, goldenKernels()) })
	t.Run("cuda", func(t *testing.T) { checkCUDA(t, goldenKernels(), bothArchs...) })
}
