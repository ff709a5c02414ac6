typedef long long i64;
typedef unsigned long long u64;

struct f16 { unsigned short bits; };
struct alignas(8) f32x2 { float x, y; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(8) u32x2 { unsigned x, y; };
struct alignas(8) i32x2 { int x, y; };
struct alignas(2) boolx2 { bool x, y; };

__device__ inline f32x2 splat2(float a) {
    return {a, a};
}
__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}
__device__ inline void copy_async16(f16* array, int at, const f16* from, bool inside) {
    unsigned address = (unsigned)__cvta_generic_to_shared(array) + 2u * at;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(address), "l"(from), "r"(inside ? 16 : 0) : "memory");
}
__device__ inline u64 matrix_place(const f16* array, int at, int lead) {
    unsigned address = (unsigned)__cvta_generic_to_shared(array + at);
    return u64((address & 0x3ffff) >> 4) | u64(lead * 8) << 16 | u64(64) << 32 | u64(1) << 62;
}
__device__ inline void group_begin_f32_8(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7) {
    asm volatile("wgmma.fence.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w) :: "memory");
}
__device__ inline void group_mma_f16_64_0_0(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, u64 a, u64 b) {
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, p, 1, 1, 0, 0; }"
        : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w)
        : "l"(a), "l"(b), "r"(1));
}
__device__ inline void group_end_f32_8(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7) {
    asm volatile("wgmma.commit_group.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w) :: "memory");
}
__device__ inline void group_wait_0_f32_8(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7) {
    asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w) :: "memory");
}
__device__ inline f32x2 operator*(f32x2 a, f32x2 b) {
    return {a.x * b.x, a.y * b.y};
}
__device__ inline float to_f32(f16 a) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(a.bits));
    return x;
}
__device__ inline f32x4 unpack_f16(u32x2 a) {
    return {to_f32(f16{(unsigned short)a.x}), to_f32(f16{(unsigned short)(a.x >> 16)}), to_f32(f16{(unsigned short)a.y}), to_f32(f16{(unsigned short)(a.y >> 16)})};
}
__device__ inline f32x2 fmaf(f32x2 a, f32x2 b, f32x2 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y)};
}
__device__ inline i32x2 splat2(int a) {
    return {a, a};
}
__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}
__device__ inline i32x2 operator+(i32x2 a, i32x2 b) {
    return {wrap_add(a.x, b.x), wrap_add(a.y, b.y)};
}
__device__ inline boolx2 operator<(i32x2 a, i32x2 b) {
    return {a.x < b.x, a.y < b.y};
}
__device__ inline f32x2 select(boolx2 a, f32x2 b, f32x2 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y};
}
__device__ inline f32x2 fmaxf(f32x2 a, f32x2 b) {
    return {fmaxf(a.x, b.x), fmaxf(a.y, b.y)};
}
__device__ inline f32x2 operator-(f32x2 a, f32x2 b) {
    return {a.x - b.x, a.y - b.y};
}
__device__ inline float exp2_flushed(float a) {
    float x;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(a));
    return x;
}
__device__ inline f32x2 exp2_flushed(f32x2 a) {
    return {exp2_flushed(a.x), exp2_flushed(a.y)};
}
__device__ inline f32x2 operator+(f32x2 a, f32x2 b) {
    return {a.x + b.x, a.y + b.y};
}
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline unsigned pack_f16(f32x2 a) {
    return unsigned(to_f16(a.x).bits) | (unsigned(to_f16(a.y).bits) << 16);
}
__device__ inline void group_begin_f32_16_4(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, f32x4& c8, f32x4& c9, f32x4& c10, f32x4& c11, f32x4& c12, f32x4& c13, f32x4& c14, f32x4& c15, const u32x4& a0, const u32x4& a1, const u32x4& a2, const u32x4& a3) {
    asm volatile("wgmma.fence.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w), "+f"(c8.x), "+f"(c8.y), "+f"(c8.z), "+f"(c8.w), "+f"(c9.x), "+f"(c9.y), "+f"(c9.z), "+f"(c9.w), "+f"(c10.x), "+f"(c10.y), "+f"(c10.z), "+f"(c10.w), "+f"(c11.x), "+f"(c11.y), "+f"(c11.z), "+f"(c11.w), "+f"(c12.x), "+f"(c12.y), "+f"(c12.z), "+f"(c12.w), "+f"(c13.x), "+f"(c13.y), "+f"(c13.z), "+f"(c13.w), "+f"(c14.x), "+f"(c14.y), "+f"(c14.z), "+f"(c14.w), "+f"(c15.x), "+f"(c15.y), "+f"(c15.z), "+f"(c15.w) : "r"(a0.x), "r"(a0.y), "r"(a0.z), "r"(a0.w), "r"(a1.x), "r"(a1.y), "r"(a1.z), "r"(a1.w), "r"(a2.x), "r"(a2.y), "r"(a2.z), "r"(a2.w), "r"(a3.x), "r"(a3.y), "r"(a3.z), "r"(a3.w) : "memory");
}
__device__ inline void group_mma_f16_128_r_1(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, f32x4& c8, f32x4& c9, f32x4& c10, f32x4& c11, f32x4& c12, f32x4& c13, f32x4& c14, f32x4& c15, const u32x4& a, u64 b) {
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %69, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, {%64, %65, %66, %67}, %68, p, 1, 1, 1; }"
        : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w), "+f"(c8.x), "+f"(c8.y), "+f"(c8.z), "+f"(c8.w), "+f"(c9.x), "+f"(c9.y), "+f"(c9.z), "+f"(c9.w), "+f"(c10.x), "+f"(c10.y), "+f"(c10.z), "+f"(c10.w), "+f"(c11.x), "+f"(c11.y), "+f"(c11.z), "+f"(c11.w), "+f"(c12.x), "+f"(c12.y), "+f"(c12.z), "+f"(c12.w), "+f"(c13.x), "+f"(c13.y), "+f"(c13.z), "+f"(c13.w), "+f"(c14.x), "+f"(c14.y), "+f"(c14.z), "+f"(c14.w), "+f"(c15.x), "+f"(c15.y), "+f"(c15.z), "+f"(c15.w)
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "l"(b), "r"(1));
}
__device__ inline void group_end_f32_16_4(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, f32x4& c8, f32x4& c9, f32x4& c10, f32x4& c11, f32x4& c12, f32x4& c13, f32x4& c14, f32x4& c15, const u32x4& a0, const u32x4& a1, const u32x4& a2, const u32x4& a3) {
    asm volatile("wgmma.commit_group.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w), "+f"(c8.x), "+f"(c8.y), "+f"(c8.z), "+f"(c8.w), "+f"(c9.x), "+f"(c9.y), "+f"(c9.z), "+f"(c9.w), "+f"(c10.x), "+f"(c10.y), "+f"(c10.z), "+f"(c10.w), "+f"(c11.x), "+f"(c11.y), "+f"(c11.z), "+f"(c11.w), "+f"(c12.x), "+f"(c12.y), "+f"(c12.z), "+f"(c12.w), "+f"(c13.x), "+f"(c13.y), "+f"(c13.z), "+f"(c13.w), "+f"(c14.x), "+f"(c14.y), "+f"(c14.z), "+f"(c14.w), "+f"(c15.x), "+f"(c15.y), "+f"(c15.z), "+f"(c15.w) : "r"(a0.x), "r"(a0.y), "r"(a0.z), "r"(a0.w), "r"(a1.x), "r"(a1.y), "r"(a1.z), "r"(a1.w), "r"(a2.x), "r"(a2.y), "r"(a2.z), "r"(a2.w), "r"(a3.x), "r"(a3.y), "r"(a3.z), "r"(a3.w) : "memory");
}
__device__ inline void group_wait_0_f32_16(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, f32x4& c8, f32x4& c9, f32x4& c10, f32x4& c11, f32x4& c12, f32x4& c13, f32x4& c14, f32x4& c15) {
    asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w), "+f"(c8.x), "+f"(c8.y), "+f"(c8.z), "+f"(c8.w), "+f"(c9.x), "+f"(c9.y), "+f"(c9.z), "+f"(c9.w), "+f"(c10.x), "+f"(c10.y), "+f"(c10.z), "+f"(c10.w), "+f"(c11.x), "+f"(c11.y), "+f"(c11.z), "+f"(c11.w), "+f"(c12.x), "+f"(c12.y), "+f"(c12.z), "+f"(c12.w), "+f"(c13.x), "+f"(c13.y), "+f"(c13.z), "+f"(c13.w), "+f"(c14.x), "+f"(c14.y), "+f"(c14.z), "+f"(c14.w), "+f"(c15.x), "+f"(c15.y), "+f"(c15.z), "+f"(c15.w) :: "memory");
}
__device__ inline f32x2 round_f16(f32x2 a) {
    return {to_f32(to_f16(a.x)), to_f32(to_f16(a.y))};
}
__device__ inline u32x2 pack_f16(f32x4 a) {
    return {unsigned(to_f16(a.x).bits) | (unsigned(to_f16(a.y).bits) << 16), unsigned(to_f16(a.z).bits) | (unsigned(to_f16(a.w).bits) << 16)};
}

extern "C" __global__ void __launch_bounds__(256) attention(
    const f16* __restrict__ q,
    const f16* __restrict__ k,
    const f16* __restrict__ v,
    const f16* __restrict__ mask,
    f16* __restrict__ out,
    float* __restrict__ lse,
    int q_offset,
    int q_size0,
    int q_size1,
    int q_size2,
    int q_size3,
    int q_stride0,
    int q_stride1,
    int q_stride2,
    int k_offset,
    int k_size0,
    int k_size1,
    int k_size2,
    int k_size3,
    int k_stride0,
    int k_stride1,
    int k_stride2,
    int v_offset,
    int v_size0,
    int v_size1,
    int v_size2,
    int v_size3,
    int v_stride0,
    int v_stride1,
    int v_stride2,
    int mask_offset,
    int mask_size0,
    int mask_size1,
    int mask_size2,
    int mask_size3,
    int mask_stride0,
    int mask_stride1,
    int mask_stride2,
    int out_offset,
    int out_size0,
    int out_size1,
    int out_size2,
    int out_size3,
    int out_stride0,
    int out_stride1,
    int out_stride2,
    int lse_offset,
    int lse_size0,
    int lse_size1,
    int lse_size2,
    int lse_stride0,
    int lse_stride1,
    float scale,
    int last) {
    extern __shared__ __align__(1024) unsigned char shared_memory[];
    f16* const tile_a = (f16*)(shared_memory + 65536); // attention_kernel.go: operand a of the product
    f16* const tile_b = (f16*)(shared_memory + 0); // attention_kernel.go: operand b of the product
    float* const exchange = (float*)(shared_memory + 98304); // attention_kernel.go: elements change threads
    f16* const tile_b_0 = (f16*)(shared_memory + 32768); // attention_kernel.go: operand b of the product
    float* const exchange_0 = (float*)(shared_memory + 0); // attention_kernel.go: elements change threads
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // attention_kernel.go
    int quotient = (out_size2 + 127) / 128;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int quotient_0 = program / chosen;
    int chosen_0 = out_size1 == 0 ? 1 : out_size1;
    int q_start1 = quotient_0 % chosen_0;
    int q_start0 = quotient_0 / chosen_0;
    // attention_kernel.go
    int difference = quotient + -1 - remainder_0;
    // attention_kernel.go
    int quotient_1 = q_size1 / (k_size1 == 0 ? 1 : k_size1);
    int k_start1 = q_start1 / (quotient_1 == 0 ? 1 : quotient_1);
    // attention_kernel.go
    int q_start2 = difference * 128;
    // attention_kernel.go
    int shifted = thread >> 1;
    int lane = ((thread >> 2) & 7) + (shifted & 112);
    int offset = lane + q_start2;
    int offset_0 = lane + 8 + q_start2;
    // attention_kernel.go
    int offset_1 = last + 1;
    // attention_kernel.go
    int least = min(offset + offset_1, k_size2);
    int least_0 = min(offset_0 + offset_1, k_size2);
    // attention_kernel.go
    int quotient_2 = (max(min(q_start2 + last + 128, k_size2), 0) + 63) / 64;
    // attention_kernel.go
    int quotient_3 = max(min(q_start2 + offset_1, k_size2), 0) / 64;
    // attention_kernel.go
    unsigned bits = unsigned(q_start0);
    unsigned bits_0 = unsigned(q_start1);
    int lane_0 = thread >> 4;
    int offset_2 = q_start2 + lane_0;
    int offset_3 = q_offset + q_start0 * q_stride0 + q_start1 * q_stride1 + offset_2 * q_stride2;
    unsigned bits_1 = unsigned(q_start2);
    int both = thread & 15;
    int lane_1 = both << 3;
    int index = offset_3 + lane_1;
    unsigned bits_2 = unsigned(0);
    bool both_0 = bits < unsigned(q_size0) && bits_0 < unsigned(q_size1) && bits_1 < unsigned(q_size2);
    bool in_bounds = both_0 && bits_2 < unsigned(q_size3);
    u32x4 q_0 = in_bounds ? *(const u32x4*)&q[index] : splat4(0u);
    u32x4 q_1 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 16] : splat4(0u);
    u32x4 q_2 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 32] : splat4(0u);
    u32x4 q_3 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 48] : splat4(0u);
    u32x4 q_4 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 64] : splat4(0u);
    u32x4 q_5 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 80] : splat4(0u);
    u32x4 q_6 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 96] : splat4(0u);
    u32x4 q_7 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 112] : splat4(0u);
    // attention_kernel.go
    int lane_2 = (thread & 7) << 3;
    int both_1 = thread & 8;
    int both_2 = shifted & 56;
    int shifted_0 = (thread & 240) << 2;
    int lane_3 = ((lane_2 + (both_1 << 10)) ^ both_2) + shifted_0;
    // attention_kernel.go
    int offset_4 = k_offset + q_start0 * k_stride0 + k_start1 * k_stride1;
    unsigned bits_3 = unsigned(k_start1);
    unsigned bits_4 = unsigned(k_size2);
    bool less = bits_2 < unsigned(k_size3);
    bool both_3 = bits < unsigned(k_size0) && bits_3 < unsigned(k_size1);
    int offset_5 = k_stride2 * 16;
    int offset_6 = k_stride2 * 32;
    int offset_7 = k_stride2 * 48;
    // attention_kernel.go
    int lane_4 = ((lane_2 + (both_1 << 9)) ^ both_2) + shifted_0;
    int offset_8 = lane_4 + 1024;
    int offset_9 = lane_4 + 2048;
    int offset_10 = lane_4 + 3072;
    f32x4 lanes = f32x4{0.0f, 0.0f, 0.0f, 0.0f};
    int offset_11 = ((thread >> 7) & 1) * 4096;
    int offset_12 = 16 + offset_11;
    int offset_13 = 32 + offset_11;
    int offset_14 = 48 + offset_11;
    int offset_15 = 8192 + offset_11;
    int offset_16 = 8208 + offset_11;
    int offset_17 = 8224 + offset_11;
    int offset_18 = 8240 + offset_11;
    // attention_kernel.go
    // attention_kernel.go
    int lane_5 = thread >> 3;
    int offset_19 = mask_offset + q_start0 * mask_stride0 + q_start1 * mask_stride1 + (q_start2 + lane_5) * mask_stride2;
    unsigned bits_5 = unsigned(mask_size3);
    bool both_4 = bits < unsigned(mask_size0) && bits_0 < unsigned(mask_size1) && bits_1 < unsigned(mask_size2);
    int offset_20 = mask_stride2 * 32;
    int offset_21 = mask_stride2 * 64;
    int offset_22 = mask_stride2 * 96;
    int shifted_1 = thread << 3;
    int both_5 = thread & 28;
    int lane_6 = shifted_1 ^ both_5;
    int index_0 = lane_6 ^ 4;
    int index_1 = lane_6 + 2048;
    int index_2 = lane_6 ^ 2052;
    int index_3 = lane_6 + 4096;
    int index_4 = lane_6 ^ 4100;
    int index_5 = lane_6 + 6144;
    int index_6 = lane_6 ^ 6148;
    int shifted_2 = both << 1;
    int both_6 = thread & 224;
    int lane_7 = shifted_2 + (both_5 << 4) + (both_6 << 5);
    int index_7 = lane_7 + 512;
    int index_8 = lane_7 ^ 8;
    int index_9 = lane_7 ^ 520;
    int index_10 = lane_7 ^ 16;
    int index_11 = lane_7 ^ 528;
    int index_12 = lane_7 ^ 24;
    int index_13 = lane_7 ^ 536;
    int index_14 = lane_7 ^ 36;
    int index_15 = lane_7 ^ 548;
    int index_16 = lane_7 ^ 44;
    int index_17 = lane_7 ^ 556;
    int index_18 = lane_7 ^ 52;
    int index_19 = lane_7 ^ 564;
    int index_20 = lane_7 ^ 60;
    int index_21 = lane_7 ^ 572;
    // attention_kernel.go
    int offset_23 = v_offset + q_start0 * v_stride0 + k_start1 * v_stride1;
    unsigned bits_6 = unsigned(v_size2);
    bool less_0 = bits_2 < unsigned(v_size3);
    bool both_7 = bits < unsigned(v_size0) && bits_3 < unsigned(v_size1);
    int offset_24 = v_stride2 * 16;
    int offset_25 = v_stride2 * 32;
    int offset_26 = v_stride2 * 48;
    bool more = 0 < quotient_2;
    // attention_kernel.go
    int offset_27 = offset_4 + lane_0 * k_stride2 + lane_1;
    bool in_bounds_0 = both_3 && bits_2 < bits_4 && less;
    int offset_28 = offset_27 + offset_5;
    int offset_29 = offset_27 + offset_6;
    int offset_30 = offset_27 + offset_7;
    // attention_kernel.go
    int offset_31 = offset_23 + lane_0 * v_stride2 + lane_1;
    bool in_bounds_1 = both_7 && bits_2 < bits_6 && less_0;
    int offset_32 = offset_31 + offset_24;
    int offset_33 = offset_31 + offset_25;
    int offset_34 = offset_31 + offset_26;
    // attention_kernel.go
    if (more) {
        // attention_kernel.go
        copy_async16(tile_b, lane_4, &k[offset_27], in_bounds_0);
        copy_async16(tile_b, offset_8, &k[offset_28], in_bounds_0);
        copy_async16(tile_b, offset_9, &k[offset_29], in_bounds_0);
        copy_async16(tile_b, offset_10, &k[offset_30], in_bounds_0);
        // attention_kernel.go
        copy_async16(tile_b_0, lane_4, &v[offset_31], in_bounds_1);
        copy_async16(tile_b_0, offset_8, &v[offset_32], in_bounds_1);
        copy_async16(tile_b_0, offset_9, &v[offset_33], in_bounds_1);
        copy_async16(tile_b_0, offset_10, &v[offset_34], in_bounds_1);
    }
    // attention_kernel.go
    asm volatile("cp.async.commit_group;" ::: "memory");
    *(u32x4*)&tile_a[lane_3] = q_0;
    *(u32x4*)&tile_a[lane_3 + 1024] = q_1;
    *(u32x4*)&tile_a[lane_3 + 2048] = q_2;
    *(u32x4*)&tile_a[lane_3 + 3072] = q_3;
    *(u32x4*)&tile_a[lane_3 + 4096] = q_4;
    *(u32x4*)&tile_a[lane_3 + 5120] = q_5;
    *(u32x4*)&tile_a[lane_3 + 6144] = q_6;
    *(u32x4*)&tile_a[lane_3 + 7168] = q_7;
    // attention_kernel.go
    int index_22 = offset_19 + lane_2;
    bool in_bounds_2 = both_4 && bits_2 < bits_5 && more;
    u32x4 mask_0 = in_bounds_2 ? *(const u32x4*)&mask[index_22] : splat4(0u);
    u32x4 mask_1 = in_bounds_2 ? *(const u32x4*)&mask[index_22 + offset_20] : splat4(0u);
    u32x4 mask_2 = in_bounds_2 ? *(const u32x4*)&mask[index_22 + offset_21] : splat4(0u);
    u32x4 mask_3 = in_bounds_2 ? *(const u32x4*)&mask[index_22 + offset_22] : splat4(0u);
    // attention_kernel.go
    float acc = -3.4028235e+38f;
    float acc_0 = -3.4028235e+38f;
    float acc_1 = 0.0f;
    float acc_2 = 0.0f;
    f32x2 acc_3 = splat2(0.0f);
    f32x2 acc_4 = splat2(0.0f);
    f32x2 acc_5 = splat2(0.0f);
    f32x2 acc_6 = splat2(0.0f);
    f32x2 acc_7 = splat2(0.0f);
    f32x2 acc_8 = splat2(0.0f);
    f32x2 acc_9 = splat2(0.0f);
    f32x2 acc_10 = splat2(0.0f);
    f32x2 acc_11 = splat2(0.0f);
    f32x2 acc_12 = splat2(0.0f);
    f32x2 acc_13 = splat2(0.0f);
    f32x2 acc_14 = splat2(0.0f);
    f32x2 acc_15 = splat2(0.0f);
    f32x2 acc_16 = splat2(0.0f);
    f32x2 acc_17 = splat2(0.0f);
    f32x2 acc_18 = splat2(0.0f);
    f32x2 acc_19 = splat2(0.0f);
    f32x2 acc_20 = splat2(0.0f);
    f32x2 acc_21 = splat2(0.0f);
    f32x2 acc_22 = splat2(0.0f);
    f32x2 acc_23 = splat2(0.0f);
    f32x2 acc_24 = splat2(0.0f);
    f32x2 acc_25 = splat2(0.0f);
    f32x2 acc_26 = splat2(0.0f);
    f32x2 acc_27 = splat2(0.0f);
    f32x2 acc_28 = splat2(0.0f);
    f32x2 acc_29 = splat2(0.0f);
    f32x2 acc_30 = splat2(0.0f);
    f32x2 acc_31 = splat2(0.0f);
    f32x2 acc_32 = splat2(0.0f);
    f32x2 acc_33 = splat2(0.0f);
    f32x2 acc_34 = splat2(0.0f);
    int stage = 0;
    u32x4 mask_4 = mask_0;
    u32x4 mask_5 = mask_1;
    u32x4 mask_6 = mask_2;
    u32x4 mask_7 = mask_3;
    for (int i = 0; i < quotient_2; ++i) {
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); __syncthreads();
        int ahead = i + 1;
        bool more_0 = ahead < quotient_2;
        int stage_0 = stage == 0 ? 1 : stage + -1;
        // attention_kernel.go
        int k_start2 = ahead * 64;
        int offset_35 = k_start2 + lane_0;
        unsigned bits_7 = unsigned(k_start2);
        int offset_36 = offset_4 + offset_35 * k_stride2 + lane_1;
        bool in_bounds_3 = both_3 && bits_7 < bits_4 && less;
        int offset_37 = offset_36 + offset_5;
        int offset_38 = offset_36 + offset_6;
        int offset_39 = offset_36 + offset_7;
        // attention_kernel.go
        int offset_40 = offset_23 + offset_35 * v_stride2 + lane_1;
        bool in_bounds_4 = both_7 && bits_7 < bits_6 && less_0;
        int offset_41 = offset_40 + offset_24;
        int offset_42 = offset_40 + offset_25;
        int offset_43 = offset_40 + offset_26;
        int offset_44 = lane_4 + stage_0 * 8192;
        int offset_45 = offset_44 + 1024;
        int offset_46 = offset_44 + 2048;
        int offset_47 = offset_44 + 3072;
        // attention_kernel.go
        if (more_0) {
            // attention_kernel.go
            copy_async16(tile_b, offset_44, &k[offset_36], in_bounds_3);
            copy_async16(tile_b, offset_45, &k[offset_37], in_bounds_3);
            copy_async16(tile_b, offset_46, &k[offset_38], in_bounds_3);
            copy_async16(tile_b, offset_47, &k[offset_39], in_bounds_3);
            // attention_kernel.go
            copy_async16(tile_b_0, offset_44, &v[offset_40], in_bounds_4);
            copy_async16(tile_b_0, offset_45, &v[offset_41], in_bounds_4);
            copy_async16(tile_b_0, offset_46, &v[offset_42], in_bounds_4);
            copy_async16(tile_b_0, offset_47, &v[offset_43], in_bounds_4);
        }
        // attention_kernel.go
        asm volatile("cp.async.commit_group;" ::: "memory");
        int stage_1 = stage * 8192;
        int stage_2 = stage == 1 ? 0 : stage + 1;
        // attention_kernel.go
        int k_start2_0 = i * 64;
        // attention_kernel.go
        u64 place = matrix_place(tile_a, offset_11, 128);
        u64 place_0 = matrix_place(tile_b, stage_1, 64);
        u64 place_1 = matrix_place(tile_a, offset_12, 128);
        int offset_48 = 16 + stage_1;
        u64 place_2 = matrix_place(tile_b, offset_48, 64);
        u64 place_3 = matrix_place(tile_a, offset_13, 128);
        int offset_49 = 32 + stage_1;
        u64 place_4 = matrix_place(tile_b, offset_49, 64);
        u64 place_5 = matrix_place(tile_a, offset_14, 128);
        int offset_50 = 48 + stage_1;
        u64 place_6 = matrix_place(tile_b, offset_50, 64);
        u64 place_7 = matrix_place(tile_a, offset_15, 128);
        int offset_51 = 4096 + stage_1;
        u64 place_8 = matrix_place(tile_b, offset_51, 64);
        u64 place_9 = matrix_place(tile_a, offset_16, 128);
        int offset_52 = 4112 + stage_1;
        u64 place_10 = matrix_place(tile_b, offset_52, 64);
        u64 place_11 = matrix_place(tile_a, offset_17, 128);
        int offset_53 = 4128 + stage_1;
        u64 place_12 = matrix_place(tile_b, offset_53, 64);
        u64 place_13 = matrix_place(tile_a, offset_18, 128);
        int offset_54 = 4144 + stage_1;
        u64 place_14 = matrix_place(tile_b, offset_54, 64);
        f32x4 acc_35 = lanes;
        f32x4 acc_36 = lanes;
        f32x4 acc_37 = lanes;
        f32x4 acc_38 = lanes;
        f32x4 acc_39 = lanes;
        f32x4 acc_40 = lanes;
        f32x4 acc_41 = lanes;
        f32x4 acc_42 = lanes;
        group_begin_f32_8(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42);
        group_mma_f16_64_0_0(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, place, place_0);
        group_mma_f16_64_0_0(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, place_1, place_2);
        group_mma_f16_64_0_0(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, place_3, place_4);
        group_mma_f16_64_0_0(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, place_5, place_6);
        group_mma_f16_64_0_0(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, place_7, place_8);
        group_mma_f16_64_0_0(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, place_9, place_10);
        group_mma_f16_64_0_0(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, place_11, place_12);
        group_mma_f16_64_0_0(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, place_13, place_14);
        group_end_f32_8(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42);
        group_wait_0_f32_8(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42);
        f32x2 lanes_0 = f32x2{acc_35.x, acc_35.y};
        f32x2 lanes_1 = f32x2{acc_35.z, acc_35.w};
        f32x2 lanes_2 = f32x2{acc_36.x, acc_36.y};
        f32x2 lanes_3 = f32x2{acc_36.z, acc_36.w};
        f32x2 lanes_4 = f32x2{acc_37.x, acc_37.y};
        f32x2 lanes_5 = f32x2{acc_37.z, acc_37.w};
        f32x2 lanes_6 = f32x2{acc_38.x, acc_38.y};
        f32x2 lanes_7 = f32x2{acc_38.z, acc_38.w};
        f32x2 lanes_8 = f32x2{acc_39.x, acc_39.y};
        f32x2 lanes_9 = f32x2{acc_39.z, acc_39.w};
        f32x2 lanes_10 = f32x2{acc_40.x, acc_40.y};
        f32x2 lanes_11 = f32x2{acc_40.z, acc_40.w};
        f32x2 lanes_12 = f32x2{acc_41.x, acc_41.y};
        f32x2 lanes_13 = f32x2{acc_41.z, acc_41.w};
        f32x2 lanes_14 = f32x2{acc_42.x, acc_42.y};
        f32x2 lanes_15 = f32x2{acc_42.z, acc_42.w};
        // attention_kernel.go
        f32x2 product = lanes_0 * splat2(scale);
        f32x2 product_0 = lanes_1 * splat2(scale);
        f32x2 product_1 = lanes_2 * splat2(scale);
        f32x2 product_2 = lanes_3 * splat2(scale);
        f32x2 product_3 = lanes_4 * splat2(scale);
        f32x2 product_4 = lanes_5 * splat2(scale);
        f32x2 product_5 = lanes_6 * splat2(scale);
        f32x2 product_6 = lanes_7 * splat2(scale);
        f32x2 product_7 = lanes_8 * splat2(scale);
        f32x2 product_8 = lanes_9 * splat2(scale);
        f32x2 product_9 = lanes_10 * splat2(scale);
        f32x2 product_10 = lanes_11 * splat2(scale);
        f32x2 product_11 = lanes_12 * splat2(scale);
        f32x2 product_12 = lanes_13 * splat2(scale);
        f32x2 product_13 = lanes_14 * splat2(scale);
        f32x2 product_14 = lanes_15 * splat2(scale);
        // attention_kernel.go
        f32x4 mask_8 = unpack_f16(u32x2{mask_4.x, mask_4.y});
        f32x4 mask_9 = unpack_f16(u32x2{mask_4.z, mask_4.w});
        f32x4 mask_10 = unpack_f16(u32x2{mask_5.x, mask_5.y});
        f32x4 mask_11 = unpack_f16(u32x2{mask_5.z, mask_5.w});
        f32x4 mask_12 = unpack_f16(u32x2{mask_6.x, mask_6.y});
        f32x4 mask_13 = unpack_f16(u32x2{mask_6.z, mask_6.w});
        f32x4 mask_14 = unpack_f16(u32x2{mask_7.x, mask_7.y});
        f32x4 mask_15 = unpack_f16(u32x2{mask_7.z, mask_7.w});
        *(f32x4*)&exchange[lane_6] = mask_8;
        *(f32x4*)&exchange[index_0] = mask_9;
        *(f32x4*)&exchange[index_1] = mask_10;
        *(f32x4*)&exchange[index_2] = mask_11;
        *(f32x4*)&exchange[index_3] = mask_12;
        *(f32x4*)&exchange[index_4] = mask_13;
        *(f32x4*)&exchange[index_5] = mask_14;
        *(f32x4*)&exchange[index_6] = mask_15;
        int next = more_0 ? ahead : i;
        // attention_kernel.go
        int k_start2_1 = next * 64;
        unsigned bits_8 = unsigned(k_start2_1);
        // attention_kernel.go
        int index_23 = offset_19 + k_start2_1 + lane_2;
        bool in_bounds_5 = both_4 && bits_8 < bits_5;
        u32x4 mask_16 = in_bounds_5 ? *(const u32x4*)&mask[index_23] : splat4(0u);
        u32x4 mask_17 = in_bounds_5 ? *(const u32x4*)&mask[index_23 + offset_20] : splat4(0u);
        u32x4 mask_18 = in_bounds_5 ? *(const u32x4*)&mask[index_23 + offset_21] : splat4(0u);
        u32x4 mask_19 = in_bounds_5 ? *(const u32x4*)&mask[index_23 + offset_22] : splat4(0u);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); __syncthreads();
        f32x2 exchange_1 = *(const f32x2*)&exchange[lane_7];
        f32x2 exchange_2 = *(const f32x2*)&exchange[index_7];
        f32x2 exchange_3 = *(const f32x2*)&exchange[index_8];
        f32x2 exchange_4 = *(const f32x2*)&exchange[index_9];
        f32x2 exchange_5 = *(const f32x2*)&exchange[index_10];
        f32x2 exchange_6 = *(const f32x2*)&exchange[index_11];
        f32x2 exchange_7 = *(const f32x2*)&exchange[index_12];
        f32x2 exchange_8 = *(const f32x2*)&exchange[index_13];
        f32x2 exchange_9 = *(const f32x2*)&exchange[index_14];
        f32x2 exchange_10 = *(const f32x2*)&exchange[index_15];
        f32x2 exchange_11 = *(const f32x2*)&exchange[index_16];
        f32x2 exchange_12 = *(const f32x2*)&exchange[index_17];
        f32x2 exchange_13 = *(const f32x2*)&exchange[index_18];
        f32x2 exchange_14 = *(const f32x2*)&exchange[index_19];
        f32x2 exchange_15 = *(const f32x2*)&exchange[index_20];
        f32x2 exchange_16 = *(const f32x2*)&exchange[index_21];
        // attention_kernel.go
        f32x2 fused = fmaf(exchange_1, splat2(1.442695f), product);
        f32x2 fused_0 = fmaf(exchange_2, splat2(1.442695f), product_0);
        f32x2 fused_1 = fmaf(exchange_3, splat2(1.442695f), product_1);
        f32x2 fused_2 = fmaf(exchange_4, splat2(1.442695f), product_2);
        f32x2 fused_3 = fmaf(exchange_5, splat2(1.442695f), product_3);
        f32x2 fused_4 = fmaf(exchange_6, splat2(1.442695f), product_4);
        f32x2 fused_5 = fmaf(exchange_7, splat2(1.442695f), product_5);
        f32x2 fused_6 = fmaf(exchange_8, splat2(1.442695f), product_6);
        f32x2 fused_7 = fmaf(exchange_9, splat2(1.442695f), product_7);
        f32x2 fused_8 = fmaf(exchange_10, splat2(1.442695f), product_8);
        f32x2 fused_9 = fmaf(exchange_11, splat2(1.442695f), product_9);
        f32x2 fused_10 = fmaf(exchange_12, splat2(1.442695f), product_10);
        f32x2 fused_11 = fmaf(exchange_13, splat2(1.442695f), product_11);
        f32x2 fused_12 = fmaf(exchange_14, splat2(1.442695f), product_12);
        f32x2 fused_13 = fmaf(exchange_15, splat2(1.442695f), product_13);
        f32x2 fused_14 = fmaf(exchange_16, splat2(1.442695f), product_14);
        // attention_kernel.go
        bool at_least = i >= quotient_3;
        // attention_kernel.go
        f32x2 chosen_1 = fused;
        f32x2 chosen_2 = fused_0;
        f32x2 chosen_3 = fused_1;
        f32x2 chosen_4 = fused_2;
        f32x2 chosen_5 = fused_3;
        f32x2 chosen_6 = fused_4;
        f32x2 chosen_7 = fused_5;
        f32x2 chosen_8 = fused_6;
        f32x2 chosen_9 = fused_7;
        f32x2 chosen_10 = fused_8;
        f32x2 chosen_11 = fused_9;
        f32x2 chosen_12 = fused_10;
        f32x2 chosen_13 = fused_11;
        f32x2 chosen_14 = fused_12;
        f32x2 chosen_15 = fused_13;
        f32x2 chosen_16 = fused_14;
        if (at_least) {
            // attention_kernel.go
            int lane_8 = (thread & 3) << 1;
            i32x2 offset_55 = i32x2{lane_8, lane_8 + 1} + splat2(k_start2_0);
            i32x2 offset_56 = i32x2{lane_8 + 8, lane_8 + 9} + splat2(k_start2_0);
            i32x2 offset_57 = i32x2{lane_8 + 16, lane_8 + 17} + splat2(k_start2_0);
            i32x2 offset_58 = i32x2{lane_8 + 24, lane_8 + 25} + splat2(k_start2_0);
            i32x2 offset_59 = i32x2{lane_8 + 32, lane_8 + 33} + splat2(k_start2_0);
            i32x2 offset_60 = i32x2{lane_8 + 40, lane_8 + 41} + splat2(k_start2_0);
            i32x2 offset_61 = i32x2{lane_8 + 48, lane_8 + 49} + splat2(k_start2_0);
            i32x2 offset_62 = i32x2{lane_8 + 56, lane_8 + 57} + splat2(k_start2_0);
            // attention_kernel.go
            boolx2 less_1 = offset_55 < splat2(least);
            boolx2 less_2 = offset_55 < splat2(least_0);
            boolx2 less_3 = offset_56 < splat2(least);
            boolx2 less_4 = offset_56 < splat2(least_0);
            boolx2 less_5 = offset_57 < splat2(least);
            boolx2 less_6 = offset_57 < splat2(least_0);
            boolx2 less_7 = offset_58 < splat2(least);
            boolx2 less_8 = offset_58 < splat2(least_0);
            boolx2 less_9 = offset_59 < splat2(least);
            boolx2 less_10 = offset_59 < splat2(least_0);
            boolx2 less_11 = offset_60 < splat2(least);
            boolx2 less_12 = offset_60 < splat2(least_0);
            boolx2 less_13 = offset_61 < splat2(least);
            boolx2 less_14 = offset_61 < splat2(least_0);
            boolx2 less_15 = offset_62 < splat2(least);
            boolx2 less_16 = offset_62 < splat2(least_0);
            chosen_1 = select(less_1, fused, splat2(__int_as_float(0xff800000)));
            chosen_2 = select(less_2, fused_0, splat2(__int_as_float(0xff800000)));
            chosen_3 = select(less_3, fused_1, splat2(__int_as_float(0xff800000)));
            chosen_4 = select(less_4, fused_2, splat2(__int_as_float(0xff800000)));
            chosen_5 = select(less_5, fused_3, splat2(__int_as_float(0xff800000)));
            chosen_6 = select(less_6, fused_4, splat2(__int_as_float(0xff800000)));
            chosen_7 = select(less_7, fused_5, splat2(__int_as_float(0xff800000)));
            chosen_8 = select(less_8, fused_6, splat2(__int_as_float(0xff800000)));
            chosen_9 = select(less_9, fused_7, splat2(__int_as_float(0xff800000)));
            chosen_10 = select(less_10, fused_8, splat2(__int_as_float(0xff800000)));
            chosen_11 = select(less_11, fused_9, splat2(__int_as_float(0xff800000)));
            chosen_12 = select(less_12, fused_10, splat2(__int_as_float(0xff800000)));
            chosen_13 = select(less_13, fused_11, splat2(__int_as_float(0xff800000)));
            chosen_14 = select(less_14, fused_12, splat2(__int_as_float(0xff800000)));
            chosen_15 = select(less_15, fused_13, splat2(__int_as_float(0xff800000)));
            chosen_16 = select(less_16, fused_14, splat2(__int_as_float(0xff800000)));
        }
        // attention_kernel.go
        f32x2 greatest = fmaxf(fmaxf(fmaxf(fmaxf(chosen_1, chosen_3), chosen_5), chosen_7), chosen_9);
        f32x2 greatest_0 = fmaxf(fmaxf(fmaxf(fmaxf(chosen_2, chosen_4), chosen_6), chosen_8), chosen_10);
        f32x2 greatest_1 = fmaxf(fmaxf(fmaxf(greatest, chosen_11), chosen_13), chosen_15);
        f32x2 greatest_2 = fmaxf(fmaxf(fmaxf(greatest_0, chosen_12), chosen_14), chosen_16);
        float greatest_3 = fmaxf(greatest_1.x, greatest_1.y);
        float greatest_4 = fmaxf(greatest_2.x, greatest_2.y);
        float other = __shfl_xor_sync(0xffffffffu, greatest_3, 1);
        float greatest_5 = fmaxf(greatest_3, other);
        float other_0 = __shfl_xor_sync(0xffffffffu, greatest_4, 1);
        float greatest_6 = fmaxf(greatest_4, other_0);
        float other_1 = __shfl_xor_sync(0xffffffffu, greatest_5, 2);
        float other_2 = __shfl_xor_sync(0xffffffffu, greatest_6, 2);
        float greatest_7 = fmaxf(acc, fmaxf(greatest_5, other_1));
        float greatest_8 = fmaxf(acc_0, fmaxf(greatest_6, other_2));
        // attention_kernel.go
        f32x2 power = exp2_flushed(chosen_1 - splat2(greatest_7));
        f32x2 power_0 = exp2_flushed(chosen_2 - splat2(greatest_8));
        f32x2 power_1 = exp2_flushed(chosen_3 - splat2(greatest_7));
        f32x2 power_2 = exp2_flushed(chosen_4 - splat2(greatest_8));
        f32x2 power_3 = exp2_flushed(chosen_5 - splat2(greatest_7));
        f32x2 power_4 = exp2_flushed(chosen_6 - splat2(greatest_8));
        f32x2 power_5 = exp2_flushed(chosen_7 - splat2(greatest_7));
        f32x2 power_6 = exp2_flushed(chosen_8 - splat2(greatest_8));
        f32x2 power_7 = exp2_flushed(chosen_9 - splat2(greatest_7));
        f32x2 power_8 = exp2_flushed(chosen_10 - splat2(greatest_8));
        f32x2 power_9 = exp2_flushed(chosen_11 - splat2(greatest_7));
        f32x2 power_10 = exp2_flushed(chosen_12 - splat2(greatest_8));
        f32x2 power_11 = exp2_flushed(chosen_13 - splat2(greatest_7));
        f32x2 power_12 = exp2_flushed(chosen_14 - splat2(greatest_8));
        f32x2 power_13 = exp2_flushed(chosen_15 - splat2(greatest_7));
        f32x2 power_14 = exp2_flushed(chosen_16 - splat2(greatest_8));
        float power_15 = exp2_flushed(acc - greatest_7);
        float power_16 = exp2_flushed(acc_0 - greatest_8);
        // attention_kernel.go
        acc_1 *= power_15;
        acc_2 *= power_16;
        f32x2 sum = power + power_1 + power_3 + power_5 + power_7 + power_9 + power_11;
        f32x2 sum_0 = power_0 + power_2 + power_4 + power_6 + power_8 + power_10 + power_12;
        f32x2 sum_1 = sum + power_13;
        f32x2 sum_2 = sum_0 + power_14;
        float sum_3 = sum_1.x + sum_1.y;
        float sum_4 = sum_2.x + sum_2.y;
        float other_3 = __shfl_xor_sync(0xffffffffu, sum_3, 1);
        float sum_5 = sum_3 + other_3;
        float other_4 = __shfl_xor_sync(0xffffffffu, sum_4, 1);
        float sum_6 = sum_4 + other_4;
        float other_5 = __shfl_xor_sync(0xffffffffu, sum_5, 2);
        float other_6 = __shfl_xor_sync(0xffffffffu, sum_6, 2);
        acc_1 += sum_5 + other_5;
        acc_2 += sum_6 + other_6;
        // attention_kernel.go
        f32x2 product_15 = acc_3 * splat2(power_15);
        f32x2 product_16 = acc_4 * splat2(power_16);
        f32x2 product_17 = acc_5 * splat2(power_15);
        f32x2 product_18 = acc_6 * splat2(power_16);
        f32x2 product_19 = acc_7 * splat2(power_15);
        f32x2 product_20 = acc_8 * splat2(power_16);
        f32x2 product_21 = acc_9 * splat2(power_15);
        f32x2 product_22 = acc_10 * splat2(power_16);
        f32x2 product_23 = acc_11 * splat2(power_15);
        f32x2 product_24 = acc_12 * splat2(power_16);
        f32x2 product_25 = acc_13 * splat2(power_15);
        f32x2 product_26 = acc_14 * splat2(power_16);
        f32x2 product_27 = acc_15 * splat2(power_15);
        f32x2 product_28 = acc_16 * splat2(power_16);
        f32x2 product_29 = acc_17 * splat2(power_15);
        f32x2 product_30 = acc_18 * splat2(power_16);
        f32x2 product_31 = acc_19 * splat2(power_15);
        f32x2 product_32 = acc_20 * splat2(power_16);
        f32x2 product_33 = acc_21 * splat2(power_15);
        f32x2 product_34 = acc_22 * splat2(power_16);
        f32x2 product_35 = acc_23 * splat2(power_15);
        f32x2 product_36 = acc_24 * splat2(power_16);
        f32x2 product_37 = acc_25 * splat2(power_15);
        f32x2 product_38 = acc_26 * splat2(power_16);
        f32x2 product_39 = acc_27 * splat2(power_15);
        f32x2 product_40 = acc_28 * splat2(power_16);
        f32x2 product_41 = acc_29 * splat2(power_15);
        f32x2 product_42 = acc_30 * splat2(power_16);
        f32x2 product_43 = acc_31 * splat2(power_15);
        f32x2 product_44 = acc_32 * splat2(power_16);
        f32x2 product_45 = acc_33 * splat2(power_15);
        f32x2 product_46 = acc_34 * splat2(power_16);
        u32x4 lanes_16 = u32x4{pack_f16(power), pack_f16(power_0), pack_f16(power_1), pack_f16(power_2)};
        u64 place_15 = matrix_place(tile_b_0, stage_1, 64);
        u32x4 lanes_17 = u32x4{pack_f16(power_3), pack_f16(power_4), pack_f16(power_5), pack_f16(power_6)};
        int offset_63 = 1024 + stage_1;
        u64 place_16 = matrix_place(tile_b_0, offset_63, 64);
        u32x4 lanes_18 = u32x4{pack_f16(power_7), pack_f16(power_8), pack_f16(power_9), pack_f16(power_10)};
        int offset_64 = 2048 + stage_1;
        u64 place_17 = matrix_place(tile_b_0, offset_64, 64);
        u32x4 lanes_19 = u32x4{pack_f16(power_11), pack_f16(power_12), pack_f16(power_13), pack_f16(power_14)};
        int offset_65 = 3072 + stage_1;
        u64 place_18 = matrix_place(tile_b_0, offset_65, 64);
        f32x4 acc_43 = f32x4{product_15.x, product_15.y, product_16.x, product_16.y};
        f32x4 acc_44 = f32x4{product_17.x, product_17.y, product_18.x, product_18.y};
        f32x4 acc_45 = f32x4{product_19.x, product_19.y, product_20.x, product_20.y};
        f32x4 acc_46 = f32x4{product_21.x, product_21.y, product_22.x, product_22.y};
        f32x4 acc_47 = f32x4{product_23.x, product_23.y, product_24.x, product_24.y};
        f32x4 acc_48 = f32x4{product_25.x, product_25.y, product_26.x, product_26.y};
        f32x4 acc_49 = f32x4{product_27.x, product_27.y, product_28.x, product_28.y};
        f32x4 acc_50 = f32x4{product_29.x, product_29.y, product_30.x, product_30.y};
        f32x4 acc_51 = f32x4{product_31.x, product_31.y, product_32.x, product_32.y};
        f32x4 acc_52 = f32x4{product_33.x, product_33.y, product_34.x, product_34.y};
        f32x4 acc_53 = f32x4{product_35.x, product_35.y, product_36.x, product_36.y};
        f32x4 acc_54 = f32x4{product_37.x, product_37.y, product_38.x, product_38.y};
        f32x4 acc_55 = f32x4{product_39.x, product_39.y, product_40.x, product_40.y};
        f32x4 acc_56 = f32x4{product_41.x, product_41.y, product_42.x, product_42.y};
        f32x4 acc_57 = f32x4{product_43.x, product_43.y, product_44.x, product_44.y};
        f32x4 acc_58 = f32x4{product_45.x, product_45.y, product_46.x, product_46.y};
        group_begin_f32_16_4(acc_43, acc_44, acc_45, acc_46, acc_47, acc_48, acc_49, acc_50, acc_51, acc_52, acc_53, acc_54, acc_55, acc_56, acc_57, acc_58, lanes_16, lanes_17, lanes_18, lanes_19);
        group_mma_f16_128_r_1(acc_43, acc_44, acc_45, acc_46, acc_47, acc_48, acc_49, acc_50, acc_51, acc_52, acc_53, acc_54, acc_55, acc_56, acc_57, acc_58, lanes_16, place_15);
        group_mma_f16_128_r_1(acc_43, acc_44, acc_45, acc_46, acc_47, acc_48, acc_49, acc_50, acc_51, acc_52, acc_53, acc_54, acc_55, acc_56, acc_57, acc_58, lanes_17, place_16);
        group_mma_f16_128_r_1(acc_43, acc_44, acc_45, acc_46, acc_47, acc_48, acc_49, acc_50, acc_51, acc_52, acc_53, acc_54, acc_55, acc_56, acc_57, acc_58, lanes_18, place_17);
        group_mma_f16_128_r_1(acc_43, acc_44, acc_45, acc_46, acc_47, acc_48, acc_49, acc_50, acc_51, acc_52, acc_53, acc_54, acc_55, acc_56, acc_57, acc_58, lanes_19, place_18);
        group_end_f32_16_4(acc_43, acc_44, acc_45, acc_46, acc_47, acc_48, acc_49, acc_50, acc_51, acc_52, acc_53, acc_54, acc_55, acc_56, acc_57, acc_58, lanes_16, lanes_17, lanes_18, lanes_19);
        group_wait_0_f32_16(acc_43, acc_44, acc_45, acc_46, acc_47, acc_48, acc_49, acc_50, acc_51, acc_52, acc_53, acc_54, acc_55, acc_56, acc_57, acc_58);
        acc = greatest_7;
        acc_0 = greatest_8;
        acc_3 = f32x2{acc_43.x, acc_43.y};
        acc_4 = f32x2{acc_43.z, acc_43.w};
        acc_5 = f32x2{acc_44.x, acc_44.y};
        acc_6 = f32x2{acc_44.z, acc_44.w};
        acc_7 = f32x2{acc_45.x, acc_45.y};
        acc_8 = f32x2{acc_45.z, acc_45.w};
        acc_9 = f32x2{acc_46.x, acc_46.y};
        acc_10 = f32x2{acc_46.z, acc_46.w};
        acc_11 = f32x2{acc_47.x, acc_47.y};
        acc_12 = f32x2{acc_47.z, acc_47.w};
        acc_13 = f32x2{acc_48.x, acc_48.y};
        acc_14 = f32x2{acc_48.z, acc_48.w};
        acc_15 = f32x2{acc_49.x, acc_49.y};
        acc_16 = f32x2{acc_49.z, acc_49.w};
        acc_17 = f32x2{acc_50.x, acc_50.y};
        acc_18 = f32x2{acc_50.z, acc_50.w};
        acc_19 = f32x2{acc_51.x, acc_51.y};
        acc_20 = f32x2{acc_51.z, acc_51.w};
        acc_21 = f32x2{acc_52.x, acc_52.y};
        acc_22 = f32x2{acc_52.z, acc_52.w};
        acc_23 = f32x2{acc_53.x, acc_53.y};
        acc_24 = f32x2{acc_53.z, acc_53.w};
        acc_25 = f32x2{acc_54.x, acc_54.y};
        acc_26 = f32x2{acc_54.z, acc_54.w};
        acc_27 = f32x2{acc_55.x, acc_55.y};
        acc_28 = f32x2{acc_55.z, acc_55.w};
        acc_29 = f32x2{acc_56.x, acc_56.y};
        acc_30 = f32x2{acc_56.z, acc_56.w};
        acc_31 = f32x2{acc_57.x, acc_57.y};
        acc_32 = f32x2{acc_57.z, acc_57.w};
        acc_33 = f32x2{acc_58.x, acc_58.y};
        acc_34 = f32x2{acc_58.z, acc_58.w};
        stage = stage_2;
        mask_4 = mask_16;
        mask_5 = mask_17;
        mask_6 = mask_18;
        mask_7 = mask_19;
    }
    // attention_kernel.go
    bool equal = acc_1 == 0.0f;
    bool equal_0 = acc_2 == 0.0f;
    // attention_kernel.go
    float quotient_4 = 1.0f / (equal ? 1.0f : acc_1);
    float quotient_5 = 1.0f / (equal_0 ? 1.0f : acc_2);
    // attention_kernel.go
    int lane_9 = shifted_2 + (both_5 << 5) + (both_6 << 6);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); __syncthreads();
    *(f32x2*)&exchange_0[lane_9] = round_f16(acc_3 * splat2(quotient_4));
    *(f32x2*)&exchange_0[lane_9 + 1024] = round_f16(acc_4 * splat2(quotient_5));
    *(f32x2*)&exchange_0[lane_9 ^ 8] = round_f16(acc_5 * splat2(quotient_4));
    *(f32x2*)&exchange_0[lane_9 ^ 1032] = round_f16(acc_6 * splat2(quotient_5));
    *(f32x2*)&exchange_0[lane_9 ^ 16] = round_f16(acc_7 * splat2(quotient_4));
    *(f32x2*)&exchange_0[lane_9 ^ 1040] = round_f16(acc_8 * splat2(quotient_5));
    *(f32x2*)&exchange_0[lane_9 ^ 24] = round_f16(acc_9 * splat2(quotient_4));
    *(f32x2*)&exchange_0[lane_9 ^ 1048] = round_f16(acc_10 * splat2(quotient_5));
    *(f32x2*)&exchange_0[lane_9 ^ 34] = round_f16(acc_11 * splat2(quotient_4));
    *(f32x2*)&exchange_0[lane_9 ^ 1058] = round_f16(acc_12 * splat2(quotient_5));
    *(f32x2*)&exchange_0[lane_9 ^ 42] = round_f16(acc_13 * splat2(quotient_4));
    *(f32x2*)&exchange_0[lane_9 ^ 1066] = round_f16(acc_14 * splat2(quotient_5));
    *(f32x2*)&exchange_0[lane_9 ^ 50] = round_f16(acc_15 * splat2(quotient_4));
    *(f32x2*)&exchange_0[lane_9 ^ 1074] = round_f16(acc_16 * splat2(quotient_5));
    *(f32x2*)&exchange_0[lane_9 ^ 58] = round_f16(acc_17 * splat2(quotient_4));
    *(f32x2*)&exchange_0[lane_9 ^ 1082] = round_f16(acc_18 * splat2(quotient_5));
    *(f32x2*)&exchange_0[lane_9 ^ 68] = round_f16(acc_19 * splat2(quotient_4));
    *(f32x2*)&exchange_0[lane_9 ^ 1092] = round_f16(acc_20 * splat2(quotient_5));
    *(f32x2*)&exchange_0[lane_9 ^ 76] = round_f16(acc_21 * splat2(quotient_4));
    *(f32x2*)&exchange_0[lane_9 ^ 1100] = round_f16(acc_22 * splat2(quotient_5));
    *(f32x2*)&exchange_0[lane_9 ^ 84] = round_f16(acc_23 * splat2(quotient_4));
    *(f32x2*)&exchange_0[lane_9 ^ 1108] = round_f16(acc_24 * splat2(quotient_5));
    *(f32x2*)&exchange_0[lane_9 ^ 92] = round_f16(acc_25 * splat2(quotient_4));
    *(f32x2*)&exchange_0[lane_9 ^ 1116] = round_f16(acc_26 * splat2(quotient_5));
    *(f32x2*)&exchange_0[lane_9 ^ 102] = round_f16(acc_27 * splat2(quotient_4));
    *(f32x2*)&exchange_0[lane_9 ^ 1126] = round_f16(acc_28 * splat2(quotient_5));
    *(f32x2*)&exchange_0[lane_9 ^ 110] = round_f16(acc_29 * splat2(quotient_4));
    *(f32x2*)&exchange_0[lane_9 ^ 1134] = round_f16(acc_30 * splat2(quotient_5));
    *(f32x2*)&exchange_0[lane_9 ^ 118] = round_f16(acc_31 * splat2(quotient_4));
    *(f32x2*)&exchange_0[lane_9 ^ 1142] = round_f16(acc_32 * splat2(quotient_5));
    *(f32x2*)&exchange_0[lane_9 ^ 126] = round_f16(acc_33 * splat2(quotient_4));
    *(f32x2*)&exchange_0[lane_9 ^ 1150] = round_f16(acc_34 * splat2(quotient_5));
    int lane_10 = shifted_1 ^ (shifted & 30);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); __syncthreads();
    f32x2 exchange_17 = *(const f32x2*)&exchange_0[lane_10];
    f32x2 exchange_18 = *(const f32x2*)&exchange_0[lane_10 ^ 2];
    f32x2 exchange_19 = *(const f32x2*)&exchange_0[lane_10 ^ 4];
    f32x2 exchange_20 = *(const f32x2*)&exchange_0[lane_10 ^ 6];
    f32x2 exchange_21 = *(const f32x2*)&exchange_0[lane_10 + 2048];
    f32x2 exchange_22 = *(const f32x2*)&exchange_0[lane_10 ^ 2050];
    f32x2 exchange_23 = *(const f32x2*)&exchange_0[lane_10 ^ 2052];
    f32x2 exchange_24 = *(const f32x2*)&exchange_0[lane_10 ^ 2054];
    f32x2 exchange_25 = *(const f32x2*)&exchange_0[lane_10 + 4096];
    f32x2 exchange_26 = *(const f32x2*)&exchange_0[lane_10 ^ 4098];
    f32x2 exchange_27 = *(const f32x2*)&exchange_0[lane_10 ^ 4100];
    f32x2 exchange_28 = *(const f32x2*)&exchange_0[lane_10 ^ 4102];
    f32x2 exchange_29 = *(const f32x2*)&exchange_0[lane_10 + 6144];
    f32x2 exchange_30 = *(const f32x2*)&exchange_0[lane_10 ^ 6146];
    f32x2 exchange_31 = *(const f32x2*)&exchange_0[lane_10 ^ 6148];
    f32x2 exchange_32 = *(const f32x2*)&exchange_0[lane_10 ^ 6150];
    f32x2 exchange_33 = *(const f32x2*)&exchange_0[lane_10 + 8192];
    f32x2 exchange_34 = *(const f32x2*)&exchange_0[lane_10 ^ 8194];
    f32x2 exchange_35 = *(const f32x2*)&exchange_0[lane_10 ^ 8196];
    f32x2 exchange_36 = *(const f32x2*)&exchange_0[lane_10 ^ 8198];
    f32x2 exchange_37 = *(const f32x2*)&exchange_0[lane_10 + 10240];
    f32x2 exchange_38 = *(const f32x2*)&exchange_0[lane_10 ^ 10242];
    f32x2 exchange_39 = *(const f32x2*)&exchange_0[lane_10 ^ 10244];
    f32x2 exchange_40 = *(const f32x2*)&exchange_0[lane_10 ^ 10246];
    f32x2 exchange_41 = *(const f32x2*)&exchange_0[lane_10 + 12288];
    f32x2 exchange_42 = *(const f32x2*)&exchange_0[lane_10 ^ 12290];
    f32x2 exchange_43 = *(const f32x2*)&exchange_0[lane_10 ^ 12292];
    f32x2 exchange_44 = *(const f32x2*)&exchange_0[lane_10 ^ 12294];
    f32x2 exchange_45 = *(const f32x2*)&exchange_0[lane_10 + 14336];
    f32x2 exchange_46 = *(const f32x2*)&exchange_0[lane_10 ^ 14338];
    f32x2 exchange_47 = *(const f32x2*)&exchange_0[lane_10 ^ 14340];
    f32x2 exchange_48 = *(const f32x2*)&exchange_0[lane_10 ^ 14342];
    f32x4 lanes_20 = f32x4{exchange_17.x, exchange_17.y, exchange_18.x, exchange_18.y};
    f32x4 lanes_21 = f32x4{exchange_19.x, exchange_19.y, exchange_20.x, exchange_20.y};
    f32x4 lanes_22 = f32x4{exchange_21.x, exchange_21.y, exchange_22.x, exchange_22.y};
    f32x4 lanes_23 = f32x4{exchange_23.x, exchange_23.y, exchange_24.x, exchange_24.y};
    f32x4 lanes_24 = f32x4{exchange_25.x, exchange_25.y, exchange_26.x, exchange_26.y};
    f32x4 lanes_25 = f32x4{exchange_27.x, exchange_27.y, exchange_28.x, exchange_28.y};
    f32x4 lanes_26 = f32x4{exchange_29.x, exchange_29.y, exchange_30.x, exchange_30.y};
    f32x4 lanes_27 = f32x4{exchange_31.x, exchange_31.y, exchange_32.x, exchange_32.y};
    f32x4 lanes_28 = f32x4{exchange_33.x, exchange_33.y, exchange_34.x, exchange_34.y};
    f32x4 lanes_29 = f32x4{exchange_35.x, exchange_35.y, exchange_36.x, exchange_36.y};
    f32x4 lanes_30 = f32x4{exchange_37.x, exchange_37.y, exchange_38.x, exchange_38.y};
    f32x4 lanes_31 = f32x4{exchange_39.x, exchange_39.y, exchange_40.x, exchange_40.y};
    f32x4 lanes_32 = f32x4{exchange_41.x, exchange_41.y, exchange_42.x, exchange_42.y};
    f32x4 lanes_33 = f32x4{exchange_43.x, exchange_43.y, exchange_44.x, exchange_44.y};
    f32x4 lanes_34 = f32x4{exchange_45.x, exchange_45.y, exchange_46.x, exchange_46.y};
    f32x4 lanes_35 = f32x4{exchange_47.x, exchange_47.y, exchange_48.x, exchange_48.y};
    // attention_kernel.go
    int offset_66 = out_offset + q_start0 * out_stride0 + q_start1 * out_stride1 + offset_2 * out_stride2;
    int index_24 = offset_66 + lane_1;
    bool both_8 = bits < unsigned(out_size0) && bits_0 < unsigned(out_size1) && bits_1 < unsigned(out_size2);
    bool in_bounds_6 = both_8 && bits_2 < unsigned(out_size3);
    u32x2 value = pack_f16(lanes_20);
    u32x2 value_0 = pack_f16(lanes_21);
    if (in_bounds_6) {
        *(u32x4*)&out[index_24] = u32x4{value.x, value.y, value_0.x, value_0.y};
    }
    u32x2 value_1 = pack_f16(lanes_22);
    u32x2 value_2 = pack_f16(lanes_23);
    if (in_bounds_6) {
        *(u32x4*)&out[index_24 + out_stride2 * 16] = u32x4{value_1.x, value_1.y, value_2.x, value_2.y};
    }
    u32x2 value_3 = pack_f16(lanes_24);
    u32x2 value_4 = pack_f16(lanes_25);
    if (in_bounds_6) {
        *(u32x4*)&out[index_24 + out_stride2 * 32] = u32x4{value_3.x, value_3.y, value_4.x, value_4.y};
    }
    u32x2 value_5 = pack_f16(lanes_26);
    u32x2 value_6 = pack_f16(lanes_27);
    if (in_bounds_6) {
        *(u32x4*)&out[index_24 + out_stride2 * 48] = u32x4{value_5.x, value_5.y, value_6.x, value_6.y};
    }
    u32x2 value_7 = pack_f16(lanes_28);
    u32x2 value_8 = pack_f16(lanes_29);
    if (in_bounds_6) {
        *(u32x4*)&out[index_24 + out_stride2 * 64] = u32x4{value_7.x, value_7.y, value_8.x, value_8.y};
    }
    u32x2 value_9 = pack_f16(lanes_30);
    u32x2 value_10 = pack_f16(lanes_31);
    if (in_bounds_6) {
        *(u32x4*)&out[index_24 + out_stride2 * 80] = u32x4{value_9.x, value_9.y, value_10.x, value_10.y};
    }
    u32x2 value_11 = pack_f16(lanes_32);
    u32x2 value_12 = pack_f16(lanes_33);
    if (in_bounds_6) {
        *(u32x4*)&out[index_24 + out_stride2 * 96] = u32x4{value_11.x, value_11.y, value_12.x, value_12.y};
    }
    u32x2 value_13 = pack_f16(lanes_34);
    u32x2 value_14 = pack_f16(lanes_35);
    if (in_bounds_6) {
        *(u32x4*)&out[index_24 + out_stride2 * 112] = u32x4{value_13.x, value_13.y, value_14.x, value_14.y};
    }
    // attention_kernel.go
    float product_47 = (acc + log2f(acc_1)) * 0.6931472f;
    float product_48 = (acc_0 + log2f(acc_2)) * 0.6931472f;
    // attention_kernel.go
    float chosen_17 = equal ? __int_as_float(0xff800000) : product_47;
    float chosen_18 = equal_0 ? __int_as_float(0xff800000) : product_48;
    // attention_kernel.go
    int index_25 = lse_offset + q_start0 * lse_stride0 + q_start1 * lse_stride1 + q_start2 + lane;
    bool both_9 = bits < unsigned(lse_size0) && bits_0 < unsigned(lse_size1) && bits_1 < unsigned(lse_size2);
    bool in_bounds_7 = (thread & 3) == 0 && both_9;
    if (in_bounds_7) {
        lse[index_25] = chosen_17;
        lse[index_25 + 8] = chosen_18;
    }
}
