package wgsl

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/simtpass"
	_ "github.com/weftgpu/weft/internal/testenv" // which has kernels verified after every pass
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// TestDecimal reads numbers back: as the closest float64 rounded to float32,
// and, where a suffix says so, directly.
func TestDecimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	numbers := []float32{0, 1, -1, 0.1, 1e10, 16777216, math.MaxFloat32, -math.MaxFloat32, 0x1p-126, 0x1p-149, 0x1.fffffcp-127, 1e-38, 3e38}
	for range 100000 {
		if x := math.Float32frombits(rng.Uint32()); x == x && !math.IsInf(float64(x), 0) {
			numbers = append(numbers, x)
		}
	}
	for _, x := range numbers {
		text := decimal(x)
		mantissa, _, _ := strings.Cut(strings.TrimSuffix(text, "f"), "e")
		y, err := strconv.ParseFloat(strings.TrimSuffix(text, "f"), 64)
		if err != nil || float32(y) != x || math.Abs(y) > math.MaxFloat32 || !strings.Contains(mantissa, ".") {
			t.Errorf("%x is printed as %s", x, text)
		}
	}
}

func access(op simt.Kind, e dtype.Type, widths ...int) *simt.Func {
	b := simt.NewBuilder("k", 32)
	buf := &simt.Buffer{Name: "x", Elem: e, Read: true, Write: true}
	s := b.NewShared("s", e, 30)
	b.Func.Buffers = []*simt.Buffer{buf}
	for _, width := range widths {
		v := b.Const(simt.Vector(simt.Register(e), width), 1)
		switch op {
		case simt.Load: // both
			b.Store(buf, b.Int(0), b.SharedLoad(s, b.Int(0), width), nil)
		case simt.Store:
			b.Store(buf, b.Int(0), v, nil)
		case simt.SharedStore:
			b.SharedStore(s, 0, b.Int(0), v, nil)
		}
	}
	return b.Func
}

// TestDeclarations shows how accesses choose the type of an array.
func TestDeclarations(t *testing.T) {
	for _, c := range []struct {
		k    *simt.Func
		want string
	}{
		{access(simt.Store, dtype.F32, 4, 4), "x: array<vec4<f32>>;"},
		{access(simt.Store, dtype.F32, 4, 2), "x: array<vec2<f32>>;"},
		{access(simt.Store, dtype.I32, 4, 1), "x: array<i32>;"},
		{access(simt.Store, dtype.F16, 4, 4), "x: array<vec2<u32>>;"},
		{access(simt.Store, dtype.F16, 4, 2), "x: array<u32>;"},
		{access(simt.Store, dtype.F16, 4, 1), "x: array<atomic<u32>>;"},
		{access(simt.Store, dtype.U8, 4), "x: array<u32>;"},
		{access(simt.Store, dtype.Bool, 2), "x: array<atomic<u32>>;"},
		{access(simt.SharedStore, dtype.F16, 4), "s: array<vec4<f32>, 8>;"},
		{access(simt.SharedStore, dtype.BF16, 1, 2), "s: array<f32, 30>;"},
		{access(simt.SharedStore, dtype.Bool, 2), "s: array<vec2<u32>, 15>;"},
		{access(simt.Load, dtype.I8, 4), "s: array<vec4<i32>, 8>;"},
	} {
		if err := simt.Verify(c.k); err != nil {
			t.Fatal(err)
		}
		text, err := Emit(declared(c.k, target.Caps{}), target.Caps{})
		if err != nil || !strings.Contains(text, c.want) {
			t.Errorf("want %q, got %v\n%s", c.want, err, text)
		}
	}
}

// TestExtensions shows which capabilities lead to which text.
func TestExtensions(t *testing.T) {
	f16 := target.Caps{F16: true}
	nearest := target.Caps{F16: true, F16Nearest: true}
	shuffle := simt.NewBuilder("k", 64)
	buf := &simt.Buffer{Name: "x", Elem: dtype.F32, Read: true, Write: true}
	shuffle.Func.Buffers = []*simt.Buffer{buf}
	v := shuffle.Load(buf, shuffle.Int(0), nil, 1, 0)
	shuffle.Store(buf, shuffle.Int(0), shuffle.Emit(&simt.Op{Kind: simt.ShuffleXor, Args: []*simt.Value{v}, LaneMask: 8}, v.Type), nil)
	large := access(simt.Store, dtype.F16, 1)
	for _, op := range large.Body.Ops {
		if op.Kind == simt.Const && op.Result().Type.Elem == dtype.F32 {
			op.Number = 1e6
		}
	}
	rounded := access(simt.Store, dtype.F16, 2)
	for _, op := range rounded.Body.Ops {
		if op.Kind == simt.Const && op.Result().Type.Elem == dtype.F32 {
			op.Number = 0.1
		}
	}
	for _, c := range []struct {
		k          *simt.Func
		caps       target.Caps
		has, hasNo string
	}{
		{access(simt.Store, dtype.F16, 4, 4), f16, "enable f16;\n\n@group(0) @binding(0) var<storage, read_write> x: array<vec4<f16>>;", "subgroups"},
		{access(simt.Store, dtype.F16, 4, 1), f16, "x: array<f16>;", "atomic"},
		{access(simt.Load, dtype.F16, 2), f16, "s: array<vec2<f16>, 15>;", "f32, 30"},
		{access(simt.Store, dtype.BF16, 4), f16, "x: array<vec2<u32>>;", "enable"},
		{access(simt.Store, dtype.F32, 4), nearest, "x: array<vec4<f32>>;", "enable"},
		{rounded, f16, "vec2<f16>(round_f16_x2(", ""},
		{rounded, nearest, "let value = vec2<f32>(0.1);", "round_f16"},
		{large, nearest, "let value = 1.0e06;", "f16(1.0"},
		{shuffle.Func, target.Caps{Language: target.WGSL, SubgroupSize: 16}, "enable subgroups;", "f16"},
		{shuffle.Func, target.Caps{Language: target.WGSL, SubgroupSize: 64, F16: true}, "subgroupShuffleXor(x_0, 8u)", "f16"},
	} {
		text, err := Emit(declared(c.k, c.caps), c.caps)
		if err != nil || !strings.Contains(text, c.has) || c.hasNo != "" && strings.Contains(text, c.hasNo) {
			t.Errorf("%+v: want %q and no %q, got %v\n%s", c.caps, c.has, c.hasNo, err, text)
		}
	}
	for _, caps := range []target.Caps{{}, f16, {Language: target.WGSL, SubgroupSize: 8}, {Language: target.WGSL, SubgroupSize: 128}} {
		if _, err := Emit(declared(shuffle.Func, caps), caps); !errors.Is(err, fault.ErrUnsupported) {
			t.Errorf("%+v: a shuffle gives %v", caps, err)
		}
	}
}

// declared is a kernel as the passes leave it for devices of some capabilities.
func declared(k *simt.Func, caps target.Caps) *simt.Func {
	caps.Language = target.WGSL
	for _, p := range simtpass.Passes {
		if p.Name == "declare" {
			p.Run(&simtpass.Context{Kernel: k, Caps: caps})
		}
	}
	return k
}

func TestSharedBytes(t *testing.T) {
	if n := SharedBytes(declared(access(simt.SharedStore, dtype.F16, 4), target.Caps{})); n != 8*16 {
		t.Errorf("30 halves in vec4<f32> take %d bytes, want 128", n)
	}
	if n := SharedBytes(declared(access(simt.SharedStore, dtype.F16, 4), target.Caps{F16: true})); n != 8*8 {
		t.Errorf("30 halves in vec4<f16> take %d bytes, want 64", n)
	}
	if n := SharedBytes(declared(access(simt.SharedStore, dtype.F32, 1), target.Caps{})); n != 30*4 {
		t.Errorf("30 floats take %d bytes, want 120", n)
	}
	if n := SharedBytes(access(simt.SharedStore, dtype.F32, 1)); n != 0 {
		t.Errorf("an array without a declaration takes %d bytes, want 0", n)
	}
}

// TestDeclarationsThatDoNotFit has kernels that the pass declare did not see, or that say something else.
func TestDeclarationsThatDoNotFit(t *testing.T) {
	narrow := access(simt.Store, dtype.F32, 1)
	narrow.Buffers[0].Declared.Type = simt.Scalar(dtype.I8)
	for want, k := range map[string]*simt.Func{
		"the array x has no declaration":                                          access(simt.Store, dtype.F32, 1),
		"the array x of f32 is declared as i8, want words that hold its elements": narrow,
	} {
		if _, err := Emit(k, target.Caps{}); !errors.Is(err, fault.ErrKernel) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
