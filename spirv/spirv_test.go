package spirv

import (
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/simtpass"
	"github.com/weftgpu/weft/internal/spirv/assembly"
	_ "github.com/weftgpu/weft/internal/testenv" // which has kernels verified after every pass
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

var whole = target.Caps{Language: target.SPIRV, SubgroupSize: 32, F16: true, F16Nearest: true, Int64: true, Float64: true, AtomicAddF32: true}

// wideFloats is whole, with what a kernel of F64 asks for.
var wideFloats = func() target.Caps {
	c := whole
	c.KeepsNaN, c.RoundsNearest = target.TypesOf(dtype.F64), target.TypesOf(dtype.F32)
	return c
}()

// denormal is whole on a device that keeps denormals of 16 bits.
var denormal = func() target.Caps {
	c := whole
	c.KeepsDenormals = target.TypesOf(dtype.F16)
	return c
}()

// pairs multiplies and adds pairs of a word.
const pairs = `
    buffer 0 x : u32 read write
    %t.0 = thread : i32
    %v.1 = load x %t.0 : u32
    %w.2 = pair.fma f16 %v.1, %v.1, %v.1 : u32
    store x %t.0, %w.2`

// parse reads a kernel, which has device addresses if the text begins so, and has its arrays declared.
func parse(t *testing.T, text string) *simt.Func {
	t.Helper()
	head := ""
	if rest, ok := strings.CutPrefix(text, "addresses"); ok {
		head, text = "addresses ", rest
	}
	k, err := simt.Parse("workgroup k threads=32 " + head + "{\n" + text + "\n}\n")
	if err == nil {
		err = simt.Verify(k)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, p := range simtpass.Passes {
		if p.Name == "declare" {
			p.Run(&simtpass.Context{Kernel: k, Caps: target.Caps{Language: target.SPIRV}})
		}
	}
	return k
}

// emit prints a kernel, which assembles.
func emit(t *testing.T, text string, caps target.Caps) string {
	t.Helper()
	out, err := Emit(parse(t, text), caps)
	if err == nil {
		_, err = assembly.Assemble(out)
	}
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, text, out)
	}
	return out
}

// texts are kernels and what their texts have, or do not have after a "!".
var texts = []struct {
	name, kernel string
	caps         target.Caps
	want         []string
}{
	{"views", `
    buffer 0 x : f32 read write
    %t.0 = thread : i32
    %four.1 = const 4 : i32
    %at.2 = mul %t.0, %four.1 : i32
    %v.3 = load x %at.2 : f32x4
    %a.4 = extract 0 %v.3 : f32
    store x %t.0, %a.4`, whole, []string{
		"OpDecorate %x_f32 Aliased", "OpDecorate %x_f32x4 Aliased", "OpDecorate %x_f32x4 Binding 0", "%x_f32x4 %i32_0 %thread", "!NonWritable", "!Coherent", "!Restrict", "!Int64"}},
	{"addresses", `addresses
    buffer 0 x : f16 read
    buffer 1 y : f32 read write
    word 0 n : i32
    %t.0 = thread : i32
    %n.1 = param 0 : i32
    %v.2 = load x %t.0 : f32
    %w.3 = load y %n.1 : f32
    barrier buffers
    %s.4 = add %v.2, %w.3 : f32
    store y %t.0, %s.4`, whole, []string{
		"OpMemoryModel PhysicalStorageBuffer64 Vulkan", "OpCapability PhysicalStorageBufferAddresses", "OpCapability Int64", "OpCapability StorageBuffer16BitAccess",
		"OpMemberDecorate %block_params 4 Offset 16", "OpConvertUToPtr %pointer_PhysicalStorageBuffer_f16", "Aligned 2", "Aligned|MakePointerVisible|NonPrivatePointer 4 %u32_1",
		"Aligned|MakePointerAvailable|NonPrivatePointer 4 %u32_1", "!OpMemberDecorate %block_params 5", "!Binding 0", "!Coherent"}},
	{"one view", `
    buffer 0 x : f16 read
    buffer 1 y : i8 write
    %t.0 = thread : i32
    %v.1 = load x %t.0 : f32
    %n.2 = convert %v.1 : i32
    store y %t.0, %n.2`, whole, []string{
		"OpDecorate %x_f16 NonWritable", "OpDecorate %x_f16 Restrict", "OpDecorate %y_i8 Binding 1", "OpCapability StorageBuffer16BitAccess", "OpCapability StorageBuffer8BitAccess",
		`OpExtension "SPV_KHR_8bit_storage"`, "OpCapability Float16", "OpCapability Int8", "!Aliased", "!RoundingModeRTE", "OpFConvert %f32", "OpSConvert %i8"}},
	{"rounding", `
    buffer 0 x : f16 write
    %t.0 = thread : i32
    %v.1 = const 1.25 : f32
    %w.2 = convert %t.0 : f32
    store x %t.0, %w.2`, whole, []string{"OpCapability RoundingModeRTE", "OpExecutionMode %k RoundingModeRTE 16", "NoContraction"}},
	{"rounding without 16-bit floats", `
    buffer 0 x : f16 write
    %t.0 = thread : i32
    %w.1 = convert %t.0 : f32
    store x %t.0, %w.1`, target.Caps{}, []string{"OpFunctionCall %u32 %half_bits_u32", "OpTypeInt 16 0", "!Float16", "!RoundingModeRTE"}},
	{"infinities", `
    buffer 0 x : f32 write
    %t.0 = thread : i32
    %w.1 = const -Inf : f32
    store x %t.0, %w.1`, target.Caps{KeepsNaN: target.TypesOf(dtype.F32)}, []string{"OpExecutionMode %k SignedZeroInfNanPreserve 32", "OpConstant %f32 -0x1p+128"}},
	{"components", `
    buffer 0 x : f32 read write
    shared 0 s : f32[130]
    %t.0 = thread : i32
    %four.1 = const 4 : i32
    %at.2 = mul %t.0, %four.1 : i32
    %v.3 = load x %t.0 : f32
    shared.store s %t.0, %v.3
    barrier buffers
    %w.4 = shared.load s %at.2 : f32x4
    store x %at.2, %w.4`, whole, []string{
		"OpTypeArray %f32x4 %u32_33", "OpBitwiseAnd %i32 %thread %i32_3", "%s %thread", "OpDecorate %x_f32 Coherent", "OpControlBarrier %u32_2 %u32_2 %u32_328"}},
	{"words", `
    buffer 0 x : f16 read write
    shared 0 s : f16[256]
    %t.0 = thread : i32
    %eight.1 = const 8 : i32
    %at.2 = mul %t.0, %eight.1 : i32
    %v.3 = load words of x %at.2 : u32x4
    shared.store words of s %at.2, %v.3
    barrier
    %w.4 = shared.load s %at.2 : f32x4
    store x %at.2, %w.4`, whole, []string{"OpTypeArray %u32x4 %u32_32", "OpBitcast %f16x4", "%x_u32x4", "%x_f16x4"}},
	{"words of single elements", `
    buffer 0 x : f16 read write
    shared 0 s : f16[256]
    %t.0 = thread : i32
    %eight.1 = const 8 : i32
    %at.2 = mul %t.0, %eight.1 : i32
    %v.3 = load words of x %at.2 : u32x4
    shared.store words of s %at.2, %v.3
    barrier
    %w.4 = shared.load s %t.0 : f32
    store x %t.0, %w.4`, whole, []string{"OpTypeArray %f16x4 %u32_64", "OpBitcast %f16x4", "OpIAdd %i32"}},
	{"masks", `
    buffer 0 x : f32 read write
    word 0 n : i32
    %t.0 = thread : i32
    %n.1 = param 0 : i32
    %in.2 = lt %t.0, %n.1 : bool
    %v.3 = load x else=2 %t.0, %in.2 : f32
    store x %t.0, %v.3, %in.2
    %w.4 = add %v.3, %v.3 : f32
    %u.5 = add %t.0, %n.1 : i32
    store x %u.5, %w.4, %in.2`, whole, []string{"OpSelect %i32 %in %thread %i32_0", "%f32_2", "OpDecorate %params Binding 1"}},
	{"loops", `
    buffer 0 x : f32 read write
    shared 0 s : f32[32]
    word 0 n : i32
    %t.0 = thread : i32
    %none.1 = const 0 : i32
    %one.2 = const 1 : i32
    %n.3 = param 0 : i32
    for %i.4 = %none.1 to %n.3 step %one.2 {
        %at.5 = add %t.0, %i.4 : i32
        %v.6 = load x %at.5 : f32
        shared.store s %t.0, %v.6
        barrier
        %w.7 = shared.load s %i.4 : f32
        store x %t.0, %w.7
        barrier
        yield
    }`, whole, []string{"DontUnroll"}},
	{"loops without barriers", `
    buffer 0 x : f32 read write
    word 0 n : i32
    %t.0 = thread : i32
    %none.1 = const 0 : i32
    %one.2 = const 1 : i32
    %n.3 = param 0 : i32
    for %i.4 = %none.1 to %n.3 step %one.2 {
        %at.5 = add %t.0, %i.4 : i32
        %v.6 = load x %at.5 : f32
        store x %t.0, %v.6
        yield
    }`, whole, []string{"!DontUnroll", "OpLoopMerge"}},
	{"atomic sums", `
    buffer 0 x : f32 read write
    %t.0 = thread : i32
    %v.1 = convert %t.0 : f32
    %old.2 = atomic add x %t.0, %v.1 : f32`, whole, []string{"OpAtomicFAddEXT %f32", "OpCapability AtomicFloat32AddEXT"}},
	{"atomic sums in a loop", `
    buffer 0 x : f32 read write
    %t.0 = thread : i32
    %v.1 = convert %t.0 : f32
    %old.2 = atomic add x %t.0, %v.1 : f32`, target.Caps{}, []string{"OpAtomicCompareExchange %u32", "%x_u32", "!EXT"}},
	{"64 bits", `
    buffer 0 x : i64 read write
    %t.0 = thread : i32
    %v.1 = load x %t.0 : i64
    %w.2 = const 9223372036854774784 : i64
    %u.3 = add %v.1, %w.2 : i64
    store x %t.0, %u.3`, whole, []string{"OpCapability Int64", "OpConstant %i64 9223372036854774784", "!Float64"}},
	{"pairs", pairs, whole, []string{"Fma %", "!DenormPreserve"}},
	{"pairs of a device that keeps denormals", pairs, denormal, []string{"OpCapability DenormPreserve", "OpExecutionMode %k DenormPreserve 16"}},
	{"floats of 64 bits", `
    buffer 0 x : f64 read write
    %t.0 = thread : i32
    %v.1 = load x %t.0 : f64
    %w.2 = const -Inf : f64
    %u.3 = max %v.1, %w.2 : f64
    %f.4 = convert %u.3 : f32
    %g.5 = convert %f.4 : f64
    %e.6 = exp %g.5 : f64
    store x %t.0, %e.6`, wideFloats, []string{
		"OpCapability Float64", "OpConstant %f64 -0x1p+1024", "NMax", "OpFConvert %f32", "OpFunctionCall %f64 %exp_f64", "NoContraction",
		"SignedZeroInfNanPreserve 64", "RoundingModeRTE 32", "!SignedZeroInfNanPreserve 32", "!RoundingModeRTE 16", "!%glsl Exp"}},
}

func TestTexts(t *testing.T) {
	for _, c := range texts {
		t.Run(c.name, func(t *testing.T) {
			text := emit(t, c.kernel, c.caps)
			for _, want := range c.want {
				part, absent := strings.CutPrefix(want, "!")
				if strings.Contains(text, part) == absent {
					t.Errorf("want %q in\n%s", want, text)
				}
			}
		})
	}
}

// Masked stores of one mask are in one selection, though values for the second are computed between them.
func TestOneSelection(t *testing.T) {
	for _, c := range texts {
		if c.name == "masks" {
			if n := strings.Count(emit(t, c.kernel, c.caps), "OpSelectionMerge"); n != 1 {
				t.Errorf("%d selections", n)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name, kernel, want string
		kind               error
	}{
		{"64 bits", "    buffer 0 x : i64 read write\n    %t.0 = thread : i32\n    %v.1 = load x %t.0 : i64\n    store x %t.0, %v.1", "buffer x of i64", fault.ErrUnsupported},
		{"floats of 64 bits", "    buffer 0 x : f64 read write\n    %t.0 = thread : i32\n    %v.1 = load x %t.0 : f64\n    store x %t.0, %v.1", "buffer x of f64", fault.ErrUnsupported},
		{"values of 64 bits", "    buffer 0 x : i32 write\n    %t.0 = thread : i32\n    %v.1 = convert %t.0 : i64    // k.go:3\n    %w.2 = convert %v.1 : i32\n    store x %t.0, %w.2", "k.go:3: spirv: convert of i64", fault.ErrUnsupported},
		{"copies", "    copy.commit    // k.go:4", "k.go:4: spirv: the op copy.commit is not supported", fault.ErrUnsupported},
		{"shuffles", "    buffer 0 x : i32 write\n    %t.0 = thread : i32\n    %v.1 = shuffle.xor 1 %t.0 : i32\n    store x %t.0, %v.1", "in subgroups of 0", fault.ErrUnsupported},
	} {
		_, err := Emit(parse(t, c.kernel), target.Caps{Language: target.SPIRV})
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want %q, got %v", c.name, c.want, err)
		}
	}
	k := parse(t, "    shared 0 s : f32[4]")
	k.Shared[0].Declared = simt.Declaration{}
	if _, err := Emit(k, whole); !errors.Is(err, fault.ErrKernel) {
		t.Errorf("an array without a declaration: %v", err)
	}
}

func TestSharedBytes(t *testing.T) {
	for kernel, want := range map[string]int{
		"    shared 0 s : f16[3]": 6,
		"    shared 0 s : i8[9]\n    %t.0 = thread : i32\n    %n.1 = const 4 : i32\n    %at.2 = mul %t.0, %n.1 : i32\n    %v.3 = shared.load s %at.2 : i32x4": 12,
		"    shared 0 s : bool[5]": 5,
	} {
		if got := SharedBytes(parse(t, kernel)); got != want {
			t.Errorf("%d bytes, want %d:\n%s", got, want, kernel)
		}
	}
	k := parse(t, "    shared 0 s : f32[4]")
	k.Shared[0].Declared = simt.Declaration{}
	if got := SharedBytes(k); got != 0 {
		t.Errorf("an array without a declaration takes %d bytes, want 0", got)
	}
}

// TestConstants: names of constants differ as their numbers do.
func TestConstants(t *testing.T) {
	names := map[string]string{}
	for _, e := range []dtype.Type{dtype.F32, dtype.I32, dtype.U32, dtype.I64, dtype.U64, dtype.U8, dtype.F64} {
		for _, x := range []float64{0, 1, 2, 10, 0.5, 1e10, 1e-10, 16, 1.5, 1e5, 65504, math.MaxUint8, math.MaxInt32} {
			name, text := number(e, x)
			if before, ok := names[e.String()+name]; ok && before != text {
				t.Errorf("%v: %s and %s are %s", e, before, text, name)
			}
			names[e.String()+name] = text
		}
	}
	plain := regexp.MustCompile(`^[0-9a-z_]+$`)
	for _, x := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1), -1e-30, 3e38} {
		if name, text := number(dtype.F32, x); !plain.MatchString(name) {
			t.Errorf("%s is called %q", text, name)
		}
	}
}

func TestEntryName(t *testing.T) {
	for name, want := range map[string]string{"add": "add", "void": "void_0", "f32x4": "value_f32x4", "a b": "a_b", "": "value"} {
		if got := EntryName(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
