package lower_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/weftgpu/weft/cuda"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernelgen"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/spirv/assembly"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/internal/testenv/compilers"
	"github.com/weftgpu/weft/spirv"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/wgsl"
)

// judges say what the compilers of each language find in kernels.
var judges = map[target.Language]func(t *testing.T, caps target.Caps) (judge func(*lower.Result) error, done func()){
	target.WGSL: judgeWGSL, target.CUDA: judgeCUDA, target.SPIRV: judgeSPIRV,
}

// TestRandomTexts hands the texts of random kernels to the compilers of each language: naga
// and spirv-val, Tint, and NVRTC; the assembler and spirv-val. -rapid.checks says how many.
func TestRandomTexts(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(randomTargets)) {
		caps := randomTargets[name]
		t.Run(name, func(t *testing.T) {
			judge, done := judges[caps.Language](t, caps)
			judged, refused := 0, 0
			o := kernelgen.Options{Elements: 128, Ops: 6, Threads: []int{0, 32, 128}, NoInt64: !caps.Int64, NoFloat64: !caps.Float64}
			kernelgen.Check(t, 8, false, o, func(t kernelgen.TB, c *kernelgen.Case, _ *kernelgen.Report) {
				low, err := lower.Lower(c.Kernel, axis.FactsOf(c.Layouts(), c.Buffers()), caps)
				if errors.Is(err, fault.ErrLimit) || errors.Is(err, fault.ErrUnsupported) {
					refused++
					return
				}
				if err == nil {
					err = judge(low)
				}
				if err != nil {
					t.Fatalf("%v\n%v", err, c)
				}
				judged++
			})
			done()
			t.Logf("%d texts compiled, %d kernels refused", judged, refused)
		})
	}
}

// judgeWGSL compiles texts by naga, validates what comes out, and hands the texts that passed, all
// at once, to Tint.
func judgeWGSL(t *testing.T, caps target.Caps) (judge func(*lower.Result) error, done func()) {
	validator, err := exec.LookPath("spirv-val")
	if err != nil {
		testenv.Skip(t, "spirv-val", err.Error())
	}
	dir, texts := t.TempDir(), map[string]string{}
	validate := validatorIn(dir, validator, "vulkan1.1")
	judge = func(low *lower.Result) error {
		text, err := wgsl.Emit(low.Kernel, caps)
		if err != nil {
			return err
		}
		binary, err := compilers.SPIRV(t, text)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, text)
		}
		if err := validate(binary, text); err != nil {
			return err
		}
		texts[fmt.Sprintf("random%d", len(texts))] = text
		return nil
	}
	return judge, func() { testenv.Tint(t, texts) }
}

// validatorIn judges binaries, by way of a file in a folder.
func validatorIn(dir, validator, env string) func(binary []byte, text string) error {
	return func(binary []byte, text string) error {
		file := filepath.Join(dir, "kernel.spv")
		if err := os.WriteFile(file, binary, 0o666); err != nil {
			return err
		}
		if out, err := exec.Command(validator, "--target-env", env, file).CombinedOutput(); err != nil {
			return fmt.Errorf("spirv-val: %w\n%s\n%s", err, out, text)
		}
		return nil
	}
}

// judgeSPIRV assembles texts and validates what comes out.
func judgeSPIRV(t *testing.T, caps target.Caps) (judge func(*lower.Result) error, done func()) {
	validator, err := exec.LookPath("spirv-val")
	if err != nil {
		testenv.Skip(t, "spirv-val", err.Error())
	}
	validate := validatorIn(t.TempDir(), validator, "vulkan1.3")
	return func(low *lower.Result) error {
		text, err := spirv.Emit(low.Kernel, caps)
		if err != nil {
			return err
		}
		binary, err := assembly.Assemble(text)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, text)
		}
		return validate(binary, text)
	}, func() {}
}

func judgeCUDA(t *testing.T, caps target.Caps) (judge func(*lower.Result) error, done func()) {
	compilers.RequireNVRTC(t)
	return func(low *lower.Result) error {
		text, err := cuda.Emit(low.Kernel, caps)
		if err != nil {
			return err
		}
		if _, _, log, err := compilers.NVRTC(t, caps.Arch, "random.cu", text); err != nil {
			return fmt.Errorf("nvrtc: %v\n%s\n%s", err, log, text)
		}
		return nil
	}, func() {}
}
