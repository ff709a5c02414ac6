//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"errors"
	"strings"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/target"
)

// openSPIRV opens a device that takes SPIR-V, or skips the test.
func openSPIRV(t *testing.T) *device {
	t.Helper()
	t.Setenv(LanguageEnv, "spirv")
	found, err := physicals()
	if err != nil {
		testenv.Skip(t, "vulkan", err.Error())
	}
	if lacks := found[0].lacks(); lacks != "" {
		testenv.Skip(t, "vulkan", "it lacks "+lacks)
	}
	return openDevice(t).(*device)
}

// countSource has each thread store its number, in 8 and in 16 bits.
var countSource = backend.Source{
	Language: target.SPIRV, Entry: "count", Threads: 64, Bindings: []backend.Binding{{Name: "out", Access: backend.Write}},
	Text: `; Version: 1.6
OpCapability Shader
OpCapability Int8
OpCapability Int16
OpCapability StorageBuffer8BitAccess
OpCapability StorageBuffer16BitAccess
OpCapability VulkanMemoryModel
OpMemoryModel Logical Vulkan
OpEntryPoint GLCompute %count "count" %thread %out8 %out16
OpExecutionMode %count LocalSize 64 1 1
OpDecorate %thread BuiltIn LocalInvocationIndex
OpDecorate %out8 DescriptorSet 0
OpDecorate %out8 Binding 0
OpDecorate %out8 Aliased
OpDecorate %out16 DescriptorSet 0
OpDecorate %out16 Binding 0
OpDecorate %out16 Aliased
OpDecorate %block8 Block
OpDecorate %block16 Block
OpMemberDecorate %block8 0 Offset 0
OpMemberDecorate %block16 0 Offset 0
OpDecorate %array8 ArrayStride 1
OpDecorate %array16 ArrayStride 2
%void = OpTypeVoid
%main = OpTypeFunction %void
%uint = OpTypeInt 32 0
%char = OpTypeInt 8 0
%short = OpTypeInt 16 0
%array8 = OpTypeRuntimeArray %char
%array16 = OpTypeRuntimeArray %short
%block8 = OpTypeStruct %array8
%block16 = OpTypeStruct %array16
%to_block8 = OpTypePointer StorageBuffer %block8
%to_block16 = OpTypePointer StorageBuffer %block16
%to_char = OpTypePointer StorageBuffer %char
%to_short = OpTypePointer StorageBuffer %short
%to_uint = OpTypePointer Input %uint
%zero = OpConstant %uint 0
%words = OpConstant %uint 32
%out8 = OpVariable %to_block8 StorageBuffer
%out16 = OpVariable %to_block16 StorageBuffer
%thread = OpVariable %to_uint Input
%count = OpFunction %void None %main
%start = OpLabel
%t = OpLoad %uint %thread
%t8 = OpUConvert %char %t
%t16 = OpUConvert %short %t
%at8 = OpAccessChain %to_char %out8 %zero %t
%after = OpIAdd %uint %t %words
%at16 = OpAccessChain %to_short %out16 %zero %after
OpStore %at8 %t8
OpStore %at16 %t16
OpReturn
OpFunctionEnd
`}

// A device opened for SPIR-V runs its text, with elements of 8 and 16 bits, and WGSL as well.
func TestSPIRV(t *testing.T) {
	d := openSPIRV(t)
	if c := d.Caps(); c.Language != target.SPIRV || !strings.Contains(c.Fingerprint, c.Compiler) || c.F16 != d.phys.f16() || c.RoundsNearest.Has(dtype.F16) != c.F16 {
		t.Errorf("%+v", c)
	}
	out := run(t, d, countSource, 192)
	for i := range 64 {
		if out[i] != byte(i) || out[64+2*i] != byte(i) || out[65+2*i] != 0 {
			t.Fatalf("thread %d stored %d and %d, %d", i, out[i], out[64+2*i], out[65+2*i])
		}
	}
	bad := countSource
	bad.Text = strings.Replace(bad.Text, "%t8 =", "%t8", 1)
	if _, err := d.Compile(bad); !errors.Is(err, fault.ErrKernel) || !strings.Contains(err.Error(), "line ") {
		t.Errorf("a malformed line: %v", err)
	}
	must(t, d.Close())
}

// run launches a kernel of one binding as one workgroup, and returns what is in the buffer then.
func run(t *testing.T, d *device, src backend.Source, bytes int) []byte {
	t.Helper()
	binary, err := d.Compile(src)
	must(t, err)
	p, err := d.Load(src, binary)
	must(t, err)
	buf, err := d.NewBuffer(int64(bytes))
	must(t, err)
	must(t, d.Stream().Launch(p, backend.Launch{Grid: [3]int{1, 1, 1}, Buffers: []backend.Buffer{buf}}))
	out := make([]byte, bytes)
	must(t, buf.Download(0, out))
	must(t, buf.Close())
	must(t, p.Close())
	return out
}

// The environment chooses the language; what it cannot be is an error of opening.
func TestLanguage(t *testing.T) {
	t.Setenv(LanguageEnv, "wgsl")
	wgsl := openDevice(t).(*device)
	if _, err := wgsl.Compile(countSource); !errors.Is(err, fault.ErrUnsupported) {
		t.Errorf("SPIR-V on a device for WGSL: %v", err)
	}
	if d := openSPIRV(t); d.Caps().Fingerprint == wgsl.Caps().Fingerprint || d.Caps().Compiler == wgsl.Caps().Compiler {
		t.Errorf("one fingerprint for two languages: %s", d.Caps().Fingerprint)
	}
	t.Setenv(LanguageEnv, "glsl")
	if _, _, err := wgsl.phys.language(wgsl.info.Kind); !errors.Is(err, fault.ErrArgument) {
		t.Errorf("glsl: %v", err)
	}
}

// Without a language of the environment, GPUs whose matrices are used are opened for SPIR-V, and all others for WGSL.
func TestDefaultLanguage(t *testing.T) {
	d := openSPIRV(t)
	used := target.CooperativeMatrix{M: 16, N: 16, K: 16, A: dtype.F16, B: dtype.F16, C: dtype.F32, Result: dtype.F32, Scope: target.SubgroupScope, Threads: 32}
	unused := used
	unused.Opaque = slower
	without := *d.phys
	without.facts.features[cooperative.in] &^= 1 << cooperative.flag
	lacking := *d.phys
	lacking.properties.ApiVersion = 1<<22 | 2<<12
	t.Setenv(LanguageEnv, "")
	for _, c := range []struct {
		name string
		phys *physical
		kind backend.Kind
		rows []target.CooperativeMatrix
		want target.Language
	}{
		{"matrices", d.phys, backend.GPU, []target.CooperativeMatrix{unused, used}, target.SPIRV},
		{"matrices that are slow", d.phys, backend.GPU, []target.CooperativeMatrix{unused}, target.WGSL},
		{"none that is known", d.phys, backend.GPU, nil, target.WGSL},
		{"no feature", &without, backend.GPU, []target.CooperativeMatrix{used}, target.WGSL},
		{"an old driver", &lacking, backend.GPU, []target.CooperativeMatrix{used}, target.WGSL},
		{"software", d.phys, backend.Software, []target.CooperativeMatrix{used}, target.WGSL},
	} {
		fingerprint := c.phys.caps(target.SPIRV).Fingerprint
		old, known := matrices.Swap(fingerprint, target.CooperativeOf(c.rows...))
		info := d.info
		info.Kind = c.kind
		opened, err := open(c.phys, info)
		want := c.want
		if !d.phys.has(cooperative) {
			want = target.WGSL
		}
		if must(t, err); opened.caps.Language != want {
			t.Errorf("%s: opened for %v, want %v", c.name, opened.caps.Language, want)
		}
		must(t, opened.Close())
		if matrices.Delete(fingerprint); known {
			matrices.Store(fingerprint, old)
		}
	}
}

// A device that lacks what SPIR-V needs is not opened for it, and the error names all that it lacks, and the way out.
func TestLacks(t *testing.T) {
	d := openSPIRV(t)
	refused := func(what string, p *physical, lacks string) {
		t.Helper()
		_, err := open(p, d.info)
		want := "weft: vulkan: WEFT_VULKAN=spirv: the device does not have " + lacks + "; WEFT_VULKAN=wgsl opens it: unsupported"
		if !errors.Is(err, fault.ErrUnsupported) || err.Error() != want {
			t.Errorf("%s: %v, want %s", what, err, want)
		}
	}
	old := *d.phys
	old.properties.ApiVersion = 1<<22 | 2<<12 | 198
	refused("an old driver", &old, "Vulkan 1.3 (it has 1.2)")
	plain, all := *d.phys, []string{}
	clear(plain.facts.features[:])
	for _, f := range spirvNeeds {
		p := *d.phys
		p.facts.features[f.in] &^= 1 << f.flag
		refused(f.name, &p, f.name)
		all = append(all, f.name)
	}
	refused("no features", &plain, strings.Join(all, ", "))
	t.Setenv(LanguageEnv, "wgsl")
	opened, err := open(&old, d.info)
	must(t, err)
	must(t, opened.Close())
}
