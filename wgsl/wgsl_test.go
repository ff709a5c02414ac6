package wgsl

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
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

func access(op simt.Kind, e dtype.Type, widths ...int) *simt.Kernel {
	b := simt.NewBuilder("k", 32)
	buf := &simt.Buffer{Name: "x", Elem: e, Read: true, Write: true}
	s := b.NewShared("s", e, 30)
	b.Kernel.Buffers = []*simt.Buffer{buf}
	for _, width := range widths {
		v := b.Const(simt.Type{Elem: simt.Register(e), Width: width}, 1)
		switch op {
		case simt.Load: // both
			b.Store(buf, b.Int(0), b.SharedLoad(s, b.Int(0), width), nil)
		case simt.Store:
			b.Store(buf, b.Int(0), v, nil)
		case simt.SharedStore:
			b.SharedStore(s, 0, b.Int(0), v, nil)
		}
	}
	return b.Kernel
}

// TestDeclarations shows how accesses choose the type of an array.
func TestDeclarations(t *testing.T) {
	for _, c := range []struct {
		k    *simt.Kernel
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
		text, err := Emit(c.k, target.Caps{})
		if err != nil || !strings.Contains(text, c.want) {
			t.Errorf("want %q, got %v\n%s", c.want, err, text)
		}
	}
}

func TestSharedBytes(t *testing.T) {
	if n := SharedBytes(access(simt.SharedStore, dtype.F16, 4), target.Caps{}); n != 8*16 {
		t.Errorf("30 halves in vec4<f32> take %d bytes, want 128", n)
	}
	if n := SharedBytes(access(simt.SharedStore, dtype.F32, 1), target.Caps{}); n != 30*4 {
		t.Errorf("30 floats take %d bytes, want 120", n)
	}
}
