package assembly

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/spirv"
	"github.com/weftgpu/weft/internal/testenv"
)

func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		testenv.Skip(t, name, err.Error())
	}
	return path
}

// reference is what spirv-as makes of a text, nil if it does not take that.
func reference(t *testing.T, source string) ([]uint32, string) {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "a.spvasm"), filepath.Join(dir, "a.spv")
	if err := os.WriteFile(in, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	if log, err := exec.Command(tool(t, "spirv-as"), "--target-env", "spv1.6", "-o", out, in).CombinedOutput(); err != nil {
		return nil, string(log)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	words := make([]uint32, len(b)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return words, ""
}

// compare assembles a text both ways; the versions and the generators' numbers may differ.
func compare(t *testing.T, source string) {
	t.Helper()
	want, log := reference(t, source)
	if want == nil {
		t.Fatalf("spirv-as: %s\n%s", log, source)
	}
	got, err := Words(source)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	want[1], want[2] = got[1], got[2]
	if !slices.Equal(got, want) {
		t.Errorf("got  %x\nwant %x\n%s", got, want, source)
	}
}

// recent are names that spirv-as of 2023 does not know; TestRecent has words of theirs.
var recent = []string{"CooperativeMatrix", "BFloat16", "Float8", "FPEncoding", "FloatControls2", "MaximallyReconverges", "AllowContract", "AllowReassoc", "AllowTransform"}

func isRecent(name string) bool {
	return slices.ContainsFunc(recent, func(r string) bool { return strings.Contains(name, r) })
}

// TestInstructions assembles each instruction with operands of the forms that the table gives it.
func TestInstructions(t *testing.T) {
	var lines []string
	for name, inst := range read().instructions {
		if isRecent(name) || strings.HasPrefix(name, "OpExtInst") {
			continue
		}
		for n := range 3 { // of what may be missing and what may be repeated
			lines = append(lines, example(name, inst, n))
		}
	}
	slices.Sort(lines)
	compare(t, withIDs(slices.Compact(lines)))
}

// example is an instruction with operands; optional ones, and so many of those that may be repeated, if n is not 0.
func example(name string, inst *instruction, n int) string {
	line := ""
	if inst.hasResult {
		line = "%new = "
	}
	line += name
	for _, o := range inst.operands {
		count := 1
		switch {
		case o.enum != nil && isRecent(o.enum.name):
			count = 0
		case o.times == '?':
			count = min(n, 1)
		case o.times == '*':
			count = n
		}
		for range count {
			line += operandExample(o)
		}
	}
	return line
}

func operandExample(o operand) string {
	switch o.form {
	case resultType:
		return " %i32"
	case id:
		return " %id"
	case integer:
		return " 7"
	case number:
		return " -12"
	case text:
		return ` "a \"text\""`
	case enumerant:
		if o.enum.name == "set" {
			return " Fma"
		}
		names := slices.SortedFunc(maps.Keys(o.enum.values), func(a, b string) int { return int(o.enum.values[a].number) - int(o.enum.values[b].number) })
		line := " " + names[0]
		for _, p := range o.enum.values[names[0]].operands {
			line += operandExample(p)
		}
		return line
	}
	return ""
}

// withIDs numbers the results that are all called %new, and defines what examples use.
func withIDs(lines []string) string {
	var b strings.Builder
	b.WriteString("%id = OpExtInstImport \"GLSL.std.450\"\n%i32 = OpTypeInt 32 1\n")
	for i, line := range lines {
		b.WriteString(strings.Replace(line, "%new", fmt.Sprintf("%%r%d", i), 1) + "\n")
	}
	return b.String()
}

// extraOperands is how many operands instructions of the extended set take in addition to one.
var extraOperands = map[string]int{
	"Atan2": 1, "Pow": 1, "FMin": 1, "UMin": 1, "SMin": 1, "FMax": 1, "UMax": 1, "SMax": 1, "NMin": 1, "NMax": 1, "Step": 1, "Ldexp": 1,
	"FClamp": 2, "UClamp": 2, "SClamp": 2, "NClamp": 2, "FMix": 2, "SmoothStep": 2, "Fma": 2,
}

// TestEnumerants assembles each enumerant, and masks of several.
func TestEnumerants(t *testing.T) {
	carriers := map[string]string{
		"AddressingModel": "OpMemoryModel @ Vulkan", "MemoryModel": "OpMemoryModel Logical @", "ExecutionModel": `OpEntryPoint @ %id "main"`,
		"SourceLanguage": "OpSource @ 3", "StorageClass": "%new = OpTypePointer @ %i32", "FPRoundingMode": "OpDecorate %id FPRoundingMode @",
		"GroupOperation": "%new = OpGroupNonUniformIAdd %i32 %id @ %id", "FunctionControl": "%new = OpFunction %i32 @ %id",
		"SelectionControl": "OpSelectionMerge %id @", "LoopControl": "OpLoopMerge %id %id @", "MemoryAccess": "OpStore %id %id @",
		"FPFastMathMode": "OpDecorate %id FPFastMathMode @", "ExecutionMode": "OpExecutionMode %id @", "BuiltIn": "OpDecorate %id BuiltIn @",
		"Decoration": "OpDecorate %id @", "Capability": "OpCapability @", "set": "%new = OpExtInst %i32 %id @ %id", "PackedVectorFormat": "%new = OpSDotKHR %i32 %id %id @",
	}
	var lines []string
	for name, e := range read().enumerations {
		carrier, ok := carriers[name]
		if !ok {
			if !isRecent(name) {
				t.Errorf("nothing carries a %s", name)
			}
			continue
		}
		var all, operands []string
		for _, v := range slices.SortedFunc(maps.Values(e.values), func(a, b value) int { return int(a.number) - int(b.number) }) {
			for n, of := range e.values {
				if of.number != v.number || isRecent(n) {
					continue
				}
				text := strings.Repeat(" %id", extraOperands[n])
				for _, o := range v.operands {
					text += operandExample(o)
				}
				lines = append(lines, strings.Replace(carrier, "@", n, 1)+text)
				if v.number != 0 {
					all, operands = append(all, n), append(operands, text)
				}
			}
		}
		if e.mask {
			lines = append(lines, strings.Replace(carrier, "@", strings.Join(all, "|")+strings.Join(operands, ""), 1))
		}
	}
	compare(t, withIDs(lines))
}

// TestLiterals gives constants of all types.
func TestLiterals(t *testing.T) {
	var lines []string
	for _, c := range []struct {
		declared string
		numbers  string
	}{
		{"OpTypeInt 32 0", "0 1 4294967295 0xffffffff 0x7f !0x1234 !77"},
		{"OpTypeInt 32 1", "0 1 -1 2147483647 -2147483648 0xff"},
		{"OpTypeInt 16 0", "0 1 65535 0xffff"},
		{"OpTypeInt 16 1", "0 1 -1 32767 -32768 0x7fff"},
		{"OpTypeInt 8 0", "0 255"},
		{"OpTypeInt 8 1", "0 127 -128 -1"},
		{"OpTypeInt 64 0", "0 18446744073709551615 0xffffffffffffffff 4294967296"},
		{"OpTypeInt 64 1", "0 -1 9223372036854775807 -9223372036854775808 -4294967297"},
		{"OpTypeFloat 32", "0 -0 1 0.1 -2.5e10 1e-45 3.4028235e38 0x1p-149 0x1.8p+3 -0x1.fffffep+127 0x1p+128 -0x1p+128 0x1.8p+128 0x1.000002p+128"},
		{"OpTypeFloat 64", "0 -0 1 0.1 -2.5e10 4.9e-324 0x1p-1074 0x1.fffffffffffffp+1023 0x1p+1024 -0x1p+1024 0x1.8p+1024"},
		{"OpTypeFloat 16", "0 -0 1 -2.5 65504 0x1p-24 0x1p-14 0x1.ffcp+15 0x1p+16 -0x1p+16 0x1.8p+16"},
	} {
		typ := fmt.Sprintf("%%t%d", len(lines))
		lines = append(lines, typ+" = "+c.declared)
		for n := range strings.FieldsSeq(c.numbers) {
			lines = append(lines, "%new = OpConstant "+typ+" "+n)
		}
	}
	compare(t, withIDs(lines))
}

// TestModules assembles what the compiler of WGSL makes, as spirv-dis prints it.
func TestModules(t *testing.T) {
	const globals = `
struct Params { n: i32, s: f32 }
@group(0) @binding(0) var<storage, read> v: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> o: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<atomic<u32>>;
@group(0) @binding(3) var<uniform> p: Params;
var<workgroup> sh: array<f32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lid: u32, @builtin(workgroup_id) wg: vec3<u32>) {
`
	for _, body := range []string{
		`o[lid] = exp(v[wg.x].y) * p.s - 1.5e-30;`,
		`var s = 0.0; for (var i = 0; i < p.n; i++) { s += fma(v[i].x, 2.0, v[i].w); if (s > 100.0) { break; } } o[lid] = s;`,
		`sh[lid] = v[lid].x; workgroupBarrier(); atomicAdd(&c[lid], u32(sh[63u - lid])); if (p.n == 1) { o[0] = 2.0; } else { o[1] = 3.0; }`,
	} {
		spv, err := spirv.Compile(globals + body + "}")
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(tool(t, "spirv-dis"), "--raw-id", "--no-color", "-")
		cmd.Stdin = strings.NewReader(string(spv))
		text, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		compare(t, string(text))
	}
}

// TestRecent has words made by hand for what the reference does not know.
func TestRecent(t *testing.T) {
	for _, c := range []struct {
		line string
		want []uint32
	}{
		{"OpCapability CooperativeMatrixKHR", []uint32{2<<16 | 17, 6022}},
		{"OpCapability BFloat16TypeKHR", []uint32{2<<16 | 17, 5116}},
		{"OpCapability BFloat16DotProductKHR", []uint32{2<<16 | 17, 5117}},
		{"OpCapability BFloat16CooperativeMatrixKHR", []uint32{2<<16 | 17, 5118}},
		{"%b = OpTypeFloat 16 BFloat16KHR", []uint32{4<<16 | 22, 3, 16, 0}},
		{"%b = OpTypeFloat 8 Float8E4M3EXT", []uint32{4<<16 | 22, 3, 8, 4214}},
		{"%m = OpTypeCooperativeMatrixKHR %i32 %id %id %id %id", []uint32{7<<16 | 4456, 3, 2, 1, 1, 1, 1}},
		{"%m = OpCooperativeMatrixLoadKHR %i32 %id %id", []uint32{5<<16 | 4457, 2, 3, 1, 1}},
		{"%m = OpCooperativeMatrixLoadKHR %i32 %id %id %id Aligned 16", []uint32{8<<16 | 4457, 2, 3, 1, 1, 1, 2, 16}},
		{"OpCooperativeMatrixStoreKHR %id %i32 %id %id NonPrivatePointer", []uint32{6<<16 | 4458, 1, 2, 1, 1, 32}},
		{"%m = OpCooperativeMatrixMulAddKHR %i32 %id %id %id", []uint32{6<<16 | 4459, 2, 3, 1, 1, 1}},
		{"%m = OpCooperativeMatrixMulAddKHR %i32 %id %id %id MatrixASignedComponentsKHR|MatrixBSignedComponentsKHR|MatrixCSignedComponentsKHR|MatrixResultSignedComponentsKHR",
			[]uint32{7<<16 | 4459, 2, 3, 1, 1, 1, 15}},
		{"%n = OpCooperativeMatrixLengthKHR %i32 %i32", []uint32{4<<16 | 4460, 2, 3, 2}},
		{"OpExecutionMode %id MaximallyReconvergesKHR", []uint32{3<<16 | 16, 1, 6023}},
	} {
		words, err := Words(withIDs([]string{c.line}))
		if err != nil {
			t.Fatal(err)
		}
		if got := words[len(words)-len(c.want):]; !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.line, got, c.want)
		}
	}
	words, err := Words("%b = OpTypeFloat 16 BFloat16KHR\n%c = OpConstant %b -0x1.02p+1\n%d = OpConstant %b 0x1p+128")
	if err != nil || words[headerWords+4+3] != 0xc001 || words[headerWords+4+4+3] != 0x7f80 {
		t.Errorf("constants of bf16: %v, %x", err, words)
	}
}

func TestVersion(t *testing.T) {
	for text, want := range map[string]uint32{"": 0x10300, "; SPIR-V\n; Version: 1.6\nOpNop": 0x10600, "OpNop\n; Version: 1.6": 0x10300} {
		if words, err := Words(text); err != nil || words[1] != want {
			t.Errorf("%q: version %x, %v", text, words[1], err)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"OpNop\nOpWhat", `line 2: the instruction "OpWhat" is not known`},
		{"%a = OpNop", "line 1: OpNop has a result: false"},
		{"\n\nOpTypeVoid", "line 3: OpTypeVoid has a result: true"},
		{"%a OpTypeVoid", "line 1: %a is followed by"},
		{"%a = OpTypeVoid\n%a = OpTypeBool", "line 2: OpTypeBool: %a is defined twice"},
		{"%a = OpTypeVector %b 2", "line 1: %b is defined nowhere"},
		{"%a = OpTypeInt 32", "line 1: OpTypeInt: an operand is missing"},
		{"%a = OpTypeInt 32 0 1", "line 1: OpTypeInt: the operand 1 is one too many"},
		{"%a = OpTypeInt 31 0\n%b = OpConstant %a 1", "line 2: OpConstant: the type of 1 has no literals"},
		{"OpCapability Magic", `line 1: OpCapability: "Magic" is not a Capability`},
		{"OpCapability Matrix|Shader", `is not a Capability`},
		{"OpSelectionMerge %a Flatten|Flat", `is not a SelectionControl`},
		{"OpExtension \"a", "line 1: OpExtension: a string has no end"},
		{"OpExtension a", `line 1: OpExtension: "a" is not a string`},
		{"OpName x \"a\"", `line 1: OpName: "x" is not the name of an id`},
		{"%é = OpTypeVoid", `is not the name of an id`},
		{"; Version: x.y", "is not a version"},
		{"OpSource GLSL !x", "invalid syntax"},
	} {
		_, err := Assemble(c.source)
		if !errors.Is(err, fault.ErrKernel) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: want %q, got %v", c.source, c.want, err)
		}
	}
	for typ, numbers := range map[string]string{
		"OpTypeInt 32 0": "-1 4294967296 1.5 017x 1_0 x 0xg -", "OpTypeInt 16 1": "32768 -32769 0x10000", "OpTypeInt 8 0": "256",
		"OpTypeFloat 32": "x inf nan 1_0 1e39 -", "OpTypeFloat 16": "0.1 1e6 0x1p-25", "OpTypeFloat 16 BFloat16KHR": "0.1", "OpTypeBool": "1", "OpTypeFloat 8 Float8E4M3EXT": "1",
	} {
		for n := range strings.FieldsSeq(numbers) {
			if words, err := Words("%t = " + typ + "\n%c = OpConstant %t " + n); err == nil || !strings.Contains(err.Error(), "line 2") {
				t.Errorf("%s %s: %v, %x", typ, n, err, words)
			}
		}
	}
}

func FuzzAssemble(f *testing.F) {
	f.Add("%a = OpTypeInt 32 1\n%b = OpConstant %a -1")
	f.Add("; Version: 1.6\nOpEntryPoint GLCompute %a \"x\\\"\" %b ; c")
	f.Add("%f = OpTypeFloat 16\n%b = OpConstant %f 0x1p+16\nOpStore %b %f Aligned|Volatile 4")
	f.Fuzz(func(t *testing.T, source string) {
		if words, err := Words(source); err == nil && len(words) < headerWords {
			t.Error("no header")
		}
	})
}

func BenchmarkAssemble(b *testing.B) {
	var lines []string
	for range 1000 {
		lines = append(lines, "    %new = OpFAdd %i32 %id %id    ; a sum", "  %new = OpExtInst %i32 %id Fma %id %id %id", "OpStore %id %id Aligned 16")
	}
	source := withIDs(lines)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Words(source); err != nil {
			b.Fatal(err)
		}
	}
}
