package cuda

import (
	"math"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// scale multiplies integers or floats by themselves and by the thread's number.
func scale(e dtype.Type) *simt.Func {
	b := simt.NewBuilder("scale", 32)
	x := &simt.Buffer{Name: "x", Elem: e, Read: true, Write: true}
	b.Func.Buffers = []*simt.Buffer{x}
	thread := b.Emit(&simt.Op{Kind: simt.ThreadID}, simt.Scalar(dtype.I32))
	at := b.Binary(simt.Add, b.Binary(simt.Mul, thread, b.Int(3)), b.Int(1))
	v := b.Load(x, at, nil, 1, 0)
	v = b.Binary(simt.Mul, v, b.Convert(thread, v.Type.Elem))
	v.Op.Wraps = e.IsInt()
	b.Store(x, at, v, nil)
	return b.Func
}

// moved stores what is made of a view of elements into one of others.
func moved(from, to dtype.Type, streamed bool, f func(b *simt.Builder, x *simt.Buffer) *simt.Value) *simt.Func {
	b := simt.NewBuilder("copy", 32)
	x, out := &simt.Buffer{Name: "x", Elem: from, Read: true, Streamed: streamed}, &simt.Buffer{Name: "out", Elem: to, Write: true}
	b.Func.Buffers = []*simt.Buffer{x, out}
	b.Store(out, b.Int(0), f(b, x), nil)
	return b.Func
}

func emit(t *testing.T, k *simt.Func, arch string) string {
	t.Helper()
	if err := simt.Verify(k); err != nil {
		t.Fatal(err)
	}
	text, err := Emit(k, target.Caps{Arch: arch})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestArch shows that instructions are asked for only where they are.
func TestArch(t *testing.T) {
	for arch, want := range map[string]bool{"sm_90a": true, "sm_80": true, "sm_100": true, "sm_75": false, "": false, "gfx90a": false} {
		if got := strings.Contains(emit(t, scale(dtype.BF16), arch), "cvt.rn.bf16.f32"); got != want {
			t.Errorf("arch %q converts to bf16 by an instruction: %v", arch, got)
		}
	}
}

// TestRound: a float that is rounded to bf16 is the upper half of a pair, by one instruction, where GPUs have it; vectors are, lane by lane.
func TestRound(t *testing.T) {
	for _, width := range []int{1, 2, 4} {
		for arch, want := range map[string]bool{"sm_90a": true, "sm_80": true, "sm_75": false} {
			for _, elem := range []dtype.Type{dtype.BF16, dtype.F16} {
				text := emit(t, moved(dtype.F32, dtype.F32, false, func(b *simt.Builder, x *simt.Buffer) *simt.Value {
					v := b.Load(x, b.Int(0), nil, width, 0)
					return b.Emit(&simt.Op{Kind: simt.Round16, Elem: elem, Args: []*simt.Value{v}}, v.Type)
				}), arch)
				if got := strings.Contains(text, "cvt.rn.bf16x2.f32"); got != (want && elem == dtype.BF16) || got && strings.Contains(text, "to_bf16") {
					t.Errorf("%d of %v for %s: %v\n%s", width, elem, arch, got, text)
				}
			}
		}
	}
}

// TestStreamed: loads of 16 bytes alone go past the first level of cache, where the GPU has an instruction for that.
func TestStreamed(t *testing.T) {
	for _, c := range []struct {
		elem     dtype.Type
		width    int
		arch     string
		streamed bool
		want     string
	}{
		{dtype.F32, 4, "sm_89", true, "load_streamed_f32x4((const f32x4*)&x[4])"}, {dtype.I32, 4, "sm_90a", true, "load_streamed_i32x4((const i32x4*)&x[4])"},
		{dtype.F32, 4, "sm_80", true, ""}, {dtype.F32, 2, "sm_90a", true, ""}, {dtype.F16, 4, "sm_90a", true, ""}, {dtype.F32, 4, "sm_90a", false, ""},
	} {
		text := emit(t, moved(c.elem, c.elem, c.streamed, func(b *simt.Builder, x *simt.Buffer) *simt.Value {
			return b.Load(x, b.Int(4), nil, c.width, 0)
		}), c.arch)
		if got := strings.Contains(text, "load_streamed_"); got != (c.want != "") || !strings.Contains(text, c.want) {
			t.Errorf("%d of %v for %s, streamed %v: no %q in\n%s", c.width, c.elem, c.arch, c.streamed, c.want, text)
		}
	}
}

// TestMaskedNarrow: what a mask guards of a load of 8 or 16 bits is the load alone, of words where there are several elements, and the fill has the bits that it has in memory. A fill that is no such
// element is chosen after the conversion. Bools and single integers have none that waits.
func TestMaskedNarrow(t *testing.T) {
	for _, c := range []struct {
		elem  dtype.Type
		width int
		fill  float64
		want  string
	}{
		{dtype.F16, 1, 0, "to_f32(0 < at ? x[4] : f16{0x0})"},
		{dtype.F16, 1, math.Inf(-1), "to_f32(0 < at ? x[4] : f16{0xfc00})"},
		{dtype.BF16, 1, 1, "to_f32(0 < at ? x[4] : bf16{0x3f80})"},
		{dtype.F16, 2, 0, "unpack_f16(0 < at ? *(const unsigned*)&x[4] : 0u)"},
		{dtype.BF16, 2, math.Inf(-1), "unpack_bf16(0 < at ? *(const unsigned*)&x[4] : 4286644096u)"}, // ff80ff80
		{dtype.F16, 4, -2, "unpack_f16(0 < at ? *(const u32x2*)&x[4] : splat2(3221274624u))"},        // c000c000
		{dtype.F16, 4, 0.1, "0 < at ? to_f32(*(const f16x4*)&x[4]) : splat4("},
		{dtype.F32, 4, 0, "0 < at ? *(const f32x4*)&x[4] : splat4("},
		{dtype.I8, 1, -3, "0 < at ? x[4] : -3"},
		{dtype.I8, 2, -1, "unpack_i8(0 < at ? *(const unsigned short*)&x[4] : (unsigned short)0xffff)"},
		{dtype.U8, 2, 0, "unpack_u8(0 < at ? *(const unsigned short*)&x[4] : (unsigned short)0x0)"},
		{dtype.I8, 4, -3, "unpack_i8(0 < at ? *(const unsigned*)&x[4] : 4261281277u)"}, // fdfdfdfd
		{dtype.U16, 2, 7, "unpack_u16(0 < at ? *(const unsigned*)&x[4] : 458759u)"},
		{dtype.Bool, 4, 0, "0 < at ? to_bool(*(const u8x4*)&x[4]) : splat4("},
	} {
		text := emit(t, moved(c.elem, c.elem, false, func(b *simt.Builder, x *simt.Buffer) *simt.Value {
			thread := b.Emit(&simt.Op{Kind: simt.ThreadID}, simt.Scalar(dtype.I32))
			return b.Load(x, b.Int(4), b.Binary(simt.Lt, b.Int(0), thread), c.width, c.fill)
		}), "sm_90a")
		if text = strings.ReplaceAll(text, "int(threadIdx.x)", "at"); !strings.Contains(text, c.want) {
			t.Errorf("%d of %v, else %v: no %q in\n%s", c.width, c.elem, c.fill, c.want, text)
		}
	}
}

// TestWrap shows that data wraps and indices do not.
func TestWrap(t *testing.T) {
	text := emit(t, scale(dtype.I32), "sm_80")
	if !strings.Contains(text, "wrap_mul(") || strings.Contains(text, "wrap_add(") {
		t.Error(text)
	}
	if text := emit(t, scale(dtype.F32), "sm_80"); strings.Contains(text, "wrap_") {
		t.Error(text)
	}
}

// TestShuffleMask shows that a shuffle names the threads that there are, and no others.
func TestShuffleMask(t *testing.T) {
	for threads, want := range map[int]string{2: "(0x3u, ", 8: "(0xffu, ", 32: "(0xffffffffu, ", 256: "(0xffffffffu, "} {
		b := simt.NewBuilder("swap", threads)
		x := &simt.Buffer{Name: "x", Elem: dtype.F32, Read: true, Write: true}
		b.Func.Buffers = []*simt.Buffer{x}
		v := b.Load(x, b.Int(0), nil, 1, 0)
		b.Store(x, b.Int(0), b.Emit(&simt.Op{Kind: simt.ShuffleXor, Args: []*simt.Value{v}, LaneMask: 1}, v.Type), nil)
		if text := emit(t, b.Func, "sm_80"); !strings.Contains(text, "__shfl_xor_sync"+want) {
			t.Errorf("%d threads:\n%s", threads, text)
		}
	}
}
