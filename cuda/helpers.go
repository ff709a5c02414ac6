package cuda

import (
	"fmt"
	"strings"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/cstyle"
	"github.com/weftgpu/weft/simt"
)

// helpers are the types and functions that a kernel's text needs. Each is
// added after what it uses.
type helpers struct {
	arch  int
	added map[string]bool
	types strings.Builder
	funcs strings.Builder
}

func (h *helpers) write(b *strings.Builder) {
	for _, part := range []string{h.types.String(), h.funcs.String()} {
		if part != "" {
			b.WriteString(part + "\n")
		}
	}
}

// first reports whether key is new.
func (h *helpers) first(key string) bool {
	if h.added == nil {
		h.added = map[string]bool{}
	}
	if h.added[key] {
		return false
	}
	h.added[key] = true
	return true
}

func (h *helpers) add(key, text string) {
	if h.first(key) {
		h.funcs.WriteString(text)
	}
}

// vector declares a struct of 2 or 4 lanes.
func (h *helpers) vector(name, lane string, width, bytes int) {
	if h.first(name) {
		fmt.Fprintf(&h.types, "struct alignas(%d) %s { %s %s; };\n", bytes, name, lane, strings.Join(strings.Split("xyzw"[:width], ""), ", "))
	}
}

// half declares a 16-bit type.
func (h *helpers) half(name string) {
	if h.first(name) {
		fmt.Fprintf(&h.types, "struct %s { unsigned short bits; };\n", name)
	}
}

// conversion declares one of the conversions between float and a 16-bit type.
func (h *helpers) conversion(name, half string) {
	key := name + " " + half
	if name == "to_bf16" && h.arch >= 80 {
		key += " sm_80"
	}
	h.add(key, conversions[key])
}

// conversions between float and the 16-bit types, to nearest even.
var conversions = map[string]string{
	"to_f32 f16": `__device__ inline float to_f32(f16 a) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(a.bits));
    return x;
}
`,
	"to_f16 f16": `__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
`,
	"to_f32 bf16": `__device__ inline float to_f32(bf16 a) {
    return __uint_as_float(unsigned(a.bits) << 16);
}
`,
	"to_bf16 bf16": `__device__ inline bf16 to_bf16(float a) {
    unsigned bits = __float_as_uint(a);
    if (a != a) {
        return {(unsigned short)((bits >> 16) | 0x40)};
    }
    return {(unsigned short)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16)};
}
`,
	"to_bf16 bf16 sm_80": `__device__ inline bf16 to_bf16(float a) {
    bf16 x;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
`,
}

// roundBF16 rounds a float to bf16: as the upper half of a pair it is that float (PTX ISA, "cvt"), by one F2FP. ptxas makes an F2F and a shift of cvt.rn.bf16.f32.
const roundBF16 = `__device__ inline float round_bf16(float a) {
    unsigned x;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(x) : "f"(a), "f"(0.0f));
    return __uint_as_float(x);
}
`

// archNumber is 90 for "sm_90a" and 0 for what it cannot read.
func archNumber(arch string) int {
	n := 0
	fmt.Sscanf(strings.TrimPrefix(arch, "sm_"), "%d", &n)
	return n
}

func list(es []cstyle.Expr) string {
	texts := make([]string, len(es))
	for i, e := range es {
		texts[i] = e.Text
	}
	return strings.Join(texts, ", ")
}

// helperNames lists the names that helpers, and their types, may get.
func helperNames() string {
	names := []string{"select", "splat2", "splat4", "wrap_neg", "wrap_add", "wrap_sub", "wrap_mul", "shared_memory", "matrix_place", "shared_rank", "exp2_flushed", "pick_bytes", "table_word", "put_bits",
		"load_streamed_*", "load_peer_*", "load_relaxed", "load_acquire", "store_release", "acquired", "released", "acquired_device", "released_device",
		"tensor_map", "tensor_copy*", "tensor_store*", "barrier_*", "group_begin_*", "group_mma_*", "group_end_*", "group_wait_*", "elected"}
	for _, e := range dtype.All() {
		names = append(names, e.String(), "unpack_"+e.String(), "pack_"+e.String(), "to_"+e.String(), "as_"+e.String(), "mma_"+e.String(), "round_"+e.String(), "pair_fma_"+e.String())
		for _, width := range []int{2, 4} {
			names = append(names, vectorName(simt.Vector(e, width)))
		}
	}
	for _, n := range []int{1, 2, 4, 8, 16} {
		names = append(names, fmt.Sprintf("load_matrix%d", n), fmt.Sprintf("load_matrix_transposed%d", n), fmt.Sprintf("store_matrix%d", n), fmt.Sprintf("store_matrix_transposed%d", n), fmt.Sprintf("copy_async%d", n))
	}
	for mask := range 32 {
		names = append(names, fmt.Sprintf("shuffle_xor_%d", mask))
	}
	return strings.Join(names, " ")
}
