package spirv

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gogpu/naga/spirv"
)

// extended are bodies that use WGSL's extensions, and whether they exchange values within subgroups.
var extended = []struct {
	name, body string
	halves     int // conversions to f16
	subgroups  bool
}{
	{"core", "o[t] = x;", 0, false},
	{"f16 storage", "h[t] = f16(x); o[t] = f32(h[t + 1]);", 1, false},
	{"f16 vectors", "hv[t] = vec4<f16>(v[t]); vo[t] = vec4<f32>(hv[t + 1]);", 1, false},
	{"f16 shared", "sv16[t] = vec4<f16>(v[t]); workgroupBarrier(); vo[t] = vec4<f32>(sv16[63 - t]); o[t] = f32(sv16[t][t & 3]);", 1, false},
	{"f16 rounding", "o[t] = f32(f16(x)) + vec4<f32>(vec4<f16>(v[t])).y;", 2, false},
	{"shuffles", "o[t] = subgroupShuffleXor(x, 1u); w[t] = subgroupShuffleXor(w[t], 2u);", 0, true},
	{"shuffles of vectors", "vo[t] = v[t] + subgroupShuffleXor(v[t], 4u);", 0, true},
	{"shuffles of swizzles", "let s = v[t].zw; let z = s + subgroupShuffleXor(s, 1u); o[t] = z.x * z.y;", 0, true},
	{"shuffles of truths", "let b = subgroupShuffleXor(u32(x > 0.0), 1u) != 0u; o[t] = select(x, 0.0, b);", 0, true},
	{"shuffles in loops", "var s = x; for (var i = 0; i < p.n; i++) { s = s + subgroupShuffleXor(s, 1u); } o[t] = s;", 0, true},
}

func TestExtensions(t *testing.T) {
	const globals = `
@group(0) @binding(7) var<storage, read_write> h: array<f16>;
@group(0) @binding(8) var<storage, read_write> hv: array<vec4<f16>>;
var<workgroup> sv16: array<vec4<f16>, 64>;`
	for _, c := range extended {
		t.Run(c.name, func(t *testing.T) {
			more := ""
			if c.halves > 0 {
				more = globals
			}
			b, err := Compile(shader(c.body, more))
			if err != nil {
				t.Fatal(err)
			}
			words, err := Words(b, "main")
			if err != nil {
				t.Fatal(err)
			}
			if got := UsesSubgroups(words); got != c.subgroups {
				t.Errorf("exchanges values within subgroups: %v", got)
			}
			checkHalves(t, b, c.halves)
			validate(t, b)
			kept, err := split(KeepInfinities(words))
			if err != nil {
				t.Fatal(err)
			}
			validate(t, encode(kept))
			if !slices.ContainsFunc(kept.code, func(inst []uint32) bool {
				return op(inst) == spirv.OpExecutionMode && inst[2] == modePreserve && inst[3] == 32
			}) {
				t.Error("the module that keeps infinities does not ask for it")
			}
		})
	}
}

// validate has Khronos's validator look at a module.
func validate(t *testing.T, b []byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.spv")
	if err := os.WriteFile(file, b, 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(spirvVal(t), "--target-env", "vulkan1.1", file).CombinedOutput(); err != nil {
		t.Errorf("spirv-val: %v\n%s", err, out)
	}
}

// checkHalves counts what makes conversions to f16 exact.
func checkHalves(t *testing.T, b []byte, want int) {
	t.Helper()
	m, err := decode(b)
	if err != nil {
		t.Fatal(err)
	}
	modes, decorations := 0, 0
	for _, inst := range m.code {
		switch {
		case op(inst) == spirv.OpExecutionMode && inst[2] == modeNearest && inst[3] == 16:
			modes++
		case op(inst) == spirv.OpDecorate && inst[2] == decorationNoContraction:
			decorations++
		case op(inst) == spirv.OpCapability && spirv.Capability(inst[1]) == spirv.CapabilityUniformAndStorageBuffer16BitAccess:
			t.Error("asks for 16-bit uniforms")
		}
	}
	if decorations != want || modes != min(want, 1) {
		t.Errorf("%d conversions must round, %d entry points to nearest; want %d and %d", decorations, modes, want, min(want, 1))
	}
}
