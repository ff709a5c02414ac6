typedef long long i64;
typedef unsigned long long u64;

struct alignas(64) tensor_map { u64 words[16]; };
struct f16 { unsigned short bits; };
struct alignas(8) i32x2 { int x, y; };
struct alignas(8) f32x2 { float x, y; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(2) boolx2 { bool x, y; };
struct alignas(8) u32x2 { unsigned x, y; };
struct alignas(4) boolx4 { bool x, y, z, w; };

__device__ inline i32x2 splat2(int a) {
    return {a, a};
}
__device__ inline f32x2 splat2(float a) {
    return {a, a};
}
__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline i32x4 splat4(int a) {
    return {a, a, a, a};
}
__device__ inline void barrier_wait(const u64* barriers, int at, int parity) {
    unsigned address = (unsigned)__cvta_generic_to_shared(barriers + at);
    asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @p bra done; bra again; done: }" :: "r"(address), "r"(parity) : "memory");
}
__device__ inline void barrier_expect(const u64* barriers, int at, int bytes) {
    unsigned address = (unsigned)__cvta_generic_to_shared(barriers + at);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(address), "r"(bytes) : "memory");
}
__device__ inline void tensor_copy4(const f16* array, int at, const tensor_map& map, const u64* barriers, int barrier, int c0, int c1, int c2, int c3) {
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2];"
        :: "r"((unsigned)__cvta_generic_to_shared(array + at)), "l"(&map), "r"((unsigned)__cvta_generic_to_shared(barriers + barrier)), "r"(c0), "r"(c1), "r"(c2), "r"(c3) : "memory");
}
__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}
__device__ inline u64 matrix_place(const f16* array, int at, int lead) {
    unsigned address = (unsigned)__cvta_generic_to_shared(array + at);
    return u64((address & 0x3ffff) >> 4) | u64(lead * 8) << 16 | u64(64) << 32 | u64(1) << 62;
}
__device__ inline void group_begin_f32_16(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, f32x4& c8, f32x4& c9, f32x4& c10, f32x4& c11, f32x4& c12, f32x4& c13, f32x4& c14, f32x4& c15) {
    asm volatile("wgmma.fence.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w), "+f"(c8.x), "+f"(c8.y), "+f"(c8.z), "+f"(c8.w), "+f"(c9.x), "+f"(c9.y), "+f"(c9.z), "+f"(c9.w), "+f"(c10.x), "+f"(c10.y), "+f"(c10.z), "+f"(c10.w), "+f"(c11.x), "+f"(c11.y), "+f"(c11.z), "+f"(c11.w), "+f"(c12.x), "+f"(c12.y), "+f"(c12.z), "+f"(c12.w), "+f"(c13.x), "+f"(c13.y), "+f"(c13.z), "+f"(c13.w), "+f"(c14.x), "+f"(c14.y), "+f"(c14.z), "+f"(c14.w), "+f"(c15.x), "+f"(c15.y), "+f"(c15.z), "+f"(c15.w) :: "memory");
}
__device__ inline void group_mma_f16_128_0_0(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, f32x4& c8, f32x4& c9, f32x4& c10, f32x4& c11, f32x4& c12, f32x4& c13, f32x4& c14, f32x4& c15, u64 a, u64 b) {
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, p, 1, 1, 0, 0; }"
        : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w), "+f"(c8.x), "+f"(c8.y), "+f"(c8.z), "+f"(c8.w), "+f"(c9.x), "+f"(c9.y), "+f"(c9.z), "+f"(c9.w), "+f"(c10.x), "+f"(c10.y), "+f"(c10.z), "+f"(c10.w), "+f"(c11.x), "+f"(c11.y), "+f"(c11.z), "+f"(c11.w), "+f"(c12.x), "+f"(c12.y), "+f"(c12.z), "+f"(c12.w), "+f"(c13.x), "+f"(c13.y), "+f"(c13.z), "+f"(c13.w), "+f"(c14.x), "+f"(c14.y), "+f"(c14.z), "+f"(c14.w), "+f"(c15.x), "+f"(c15.y), "+f"(c15.z), "+f"(c15.w)
        : "l"(a), "l"(b), "r"(1));
}
__device__ inline void group_end_f32_16(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, f32x4& c8, f32x4& c9, f32x4& c10, f32x4& c11, f32x4& c12, f32x4& c13, f32x4& c14, f32x4& c15) {
    asm volatile("wgmma.commit_group.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w), "+f"(c8.x), "+f"(c8.y), "+f"(c8.z), "+f"(c8.w), "+f"(c9.x), "+f"(c9.y), "+f"(c9.z), "+f"(c9.w), "+f"(c10.x), "+f"(c10.y), "+f"(c10.z), "+f"(c10.w), "+f"(c11.x), "+f"(c11.y), "+f"(c11.z), "+f"(c11.w), "+f"(c12.x), "+f"(c12.y), "+f"(c12.z), "+f"(c12.w), "+f"(c13.x), "+f"(c13.y), "+f"(c13.z), "+f"(c13.w), "+f"(c14.x), "+f"(c14.y), "+f"(c14.z), "+f"(c14.w), "+f"(c15.x), "+f"(c15.y), "+f"(c15.z), "+f"(c15.w) :: "memory");
}
__device__ inline void group_wait_0_f32_16(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, f32x4& c8, f32x4& c9, f32x4& c10, f32x4& c11, f32x4& c12, f32x4& c13, f32x4& c14, f32x4& c15) {
    asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w), "+f"(c8.x), "+f"(c8.y), "+f"(c8.z), "+f"(c8.w), "+f"(c9.x), "+f"(c9.y), "+f"(c9.z), "+f"(c9.w), "+f"(c10.x), "+f"(c10.y), "+f"(c10.z), "+f"(c10.w), "+f"(c11.x), "+f"(c11.y), "+f"(c11.z), "+f"(c11.w), "+f"(c12.x), "+f"(c12.y), "+f"(c12.z), "+f"(c12.w), "+f"(c13.x), "+f"(c13.y), "+f"(c13.z), "+f"(c13.w), "+f"(c14.x), "+f"(c14.y), "+f"(c14.z), "+f"(c14.w), "+f"(c15.x), "+f"(c15.y), "+f"(c15.z), "+f"(c15.w) :: "memory");
}
__device__ inline f32x2 operator*(f32x2 a, f32x2 b) {
    return {a.x * b.x, a.y * b.y};
}
__device__ inline float to_f32(f16 a) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(a.bits));
    return x;
}
__device__ inline f32x2 unpack_f16(unsigned a) {
    return {to_f32(f16{(unsigned short)a}), to_f32(f16{(unsigned short)(a >> 16)})};
}
__device__ inline boolx2 operator<(f32x2 a, f32x2 b) {
    return {a.x < b.x, a.y < b.y};
}
__device__ inline f32x2 fmaf(f32x2 a, f32x2 b, f32x2 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y)};
}
__device__ inline f32x2 select(boolx2 a, f32x2 b, f32x2 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y};
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
__device__ inline void group_begin_f32_16_8(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, f32x4& c8, f32x4& c9, f32x4& c10, f32x4& c11, f32x4& c12, f32x4& c13, f32x4& c14, f32x4& c15, const u32x4& a0, const u32x4& a1, const u32x4& a2, const u32x4& a3, const u32x4& a4, const u32x4& a5, const u32x4& a6, const u32x4& a7) {
    asm volatile("wgmma.fence.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w), "+f"(c8.x), "+f"(c8.y), "+f"(c8.z), "+f"(c8.w), "+f"(c9.x), "+f"(c9.y), "+f"(c9.z), "+f"(c9.w), "+f"(c10.x), "+f"(c10.y), "+f"(c10.z), "+f"(c10.w), "+f"(c11.x), "+f"(c11.y), "+f"(c11.z), "+f"(c11.w), "+f"(c12.x), "+f"(c12.y), "+f"(c12.z), "+f"(c12.w), "+f"(c13.x), "+f"(c13.y), "+f"(c13.z), "+f"(c13.w), "+f"(c14.x), "+f"(c14.y), "+f"(c14.z), "+f"(c14.w), "+f"(c15.x), "+f"(c15.y), "+f"(c15.z), "+f"(c15.w) : "r"(a0.x), "r"(a0.y), "r"(a0.z), "r"(a0.w), "r"(a1.x), "r"(a1.y), "r"(a1.z), "r"(a1.w), "r"(a2.x), "r"(a2.y), "r"(a2.z), "r"(a2.w), "r"(a3.x), "r"(a3.y), "r"(a3.z), "r"(a3.w), "r"(a4.x), "r"(a4.y), "r"(a4.z), "r"(a4.w), "r"(a5.x), "r"(a5.y), "r"(a5.z), "r"(a5.w), "r"(a6.x), "r"(a6.y), "r"(a6.z), "r"(a6.w), "r"(a7.x), "r"(a7.y), "r"(a7.z), "r"(a7.w) : "memory");
}
__device__ inline void group_mma_f16_128_r_1(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, f32x4& c8, f32x4& c9, f32x4& c10, f32x4& c11, f32x4& c12, f32x4& c13, f32x4& c14, f32x4& c15, const u32x4& a, u64 b) {
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %69, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, {%64, %65, %66, %67}, %68, p, 1, 1, 1; }"
        : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w), "+f"(c8.x), "+f"(c8.y), "+f"(c8.z), "+f"(c8.w), "+f"(c9.x), "+f"(c9.y), "+f"(c9.z), "+f"(c9.w), "+f"(c10.x), "+f"(c10.y), "+f"(c10.z), "+f"(c10.w), "+f"(c11.x), "+f"(c11.y), "+f"(c11.z), "+f"(c11.w), "+f"(c12.x), "+f"(c12.y), "+f"(c12.z), "+f"(c12.w), "+f"(c13.x), "+f"(c13.y), "+f"(c13.z), "+f"(c13.w), "+f"(c14.x), "+f"(c14.y), "+f"(c14.z), "+f"(c14.w), "+f"(c15.x), "+f"(c15.y), "+f"(c15.z), "+f"(c15.w)
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "l"(b), "r"(1));
}
__device__ inline void group_end_f32_16_8(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, f32x4& c8, f32x4& c9, f32x4& c10, f32x4& c11, f32x4& c12, f32x4& c13, f32x4& c14, f32x4& c15, const u32x4& a0, const u32x4& a1, const u32x4& a2, const u32x4& a3, const u32x4& a4, const u32x4& a5, const u32x4& a6, const u32x4& a7) {
    asm volatile("wgmma.commit_group.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w), "+f"(c8.x), "+f"(c8.y), "+f"(c8.z), "+f"(c8.w), "+f"(c9.x), "+f"(c9.y), "+f"(c9.z), "+f"(c9.w), "+f"(c10.x), "+f"(c10.y), "+f"(c10.z), "+f"(c10.w), "+f"(c11.x), "+f"(c11.y), "+f"(c11.z), "+f"(c11.w), "+f"(c12.x), "+f"(c12.y), "+f"(c12.z), "+f"(c12.w), "+f"(c13.x), "+f"(c13.y), "+f"(c13.z), "+f"(c13.w), "+f"(c14.x), "+f"(c14.y), "+f"(c14.z), "+f"(c14.w), "+f"(c15.x), "+f"(c15.y), "+f"(c15.z), "+f"(c15.w) : "r"(a0.x), "r"(a0.y), "r"(a0.z), "r"(a0.w), "r"(a1.x), "r"(a1.y), "r"(a1.z), "r"(a1.w), "r"(a2.x), "r"(a2.y), "r"(a2.z), "r"(a2.w), "r"(a3.x), "r"(a3.y), "r"(a3.z), "r"(a3.w), "r"(a4.x), "r"(a4.y), "r"(a4.z), "r"(a4.w), "r"(a5.x), "r"(a5.y), "r"(a5.z), "r"(a5.w), "r"(a6.x), "r"(a6.y), "r"(a6.z), "r"(a6.w), "r"(a7.x), "r"(a7.y), "r"(a7.z), "r"(a7.w) : "memory");
}
__device__ inline void barrier_arrive(const u64* barriers, int at) {
    unsigned address = (unsigned)__cvta_generic_to_shared(barriers + at);
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(address) : "memory");
}
__device__ inline void group_begin_f32_2(f32x4& c0, f32x4& c1) {
    asm volatile("wgmma.fence.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w) :: "memory");
}
__device__ inline void group_mma_f16_16_0_0(f32x4& c0, f32x4& c1, u64 a, u64 b) {
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %10, 0; wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1, 0, 0; }"
        : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w)
        : "l"(a), "l"(b), "r"(1));
}
__device__ inline void group_end_f32_2(f32x4& c0, f32x4& c1) {
    asm volatile("wgmma.commit_group.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w) :: "memory");
}
__device__ inline void group_wait_0_f32_2(f32x4& c0, f32x4& c1) {
    asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w) :: "memory");
}
__device__ inline boolx2 operator>=(f32x2 a, f32x2 b) {
    return {a.x >= b.x, a.y >= b.y};
}
__device__ inline f32x2 to_f32(boolx2 a) {
    return {float(a.x), float(a.y)};
}
__device__ inline f32x4 unpack_f16(u32x2 a) {
    return {to_f32(f16{(unsigned short)a.x}), to_f32(f16{(unsigned short)(a.x >> 16)}), to_f32(f16{(unsigned short)a.y}), to_f32(f16{(unsigned short)(a.y >> 16)})};
}
__device__ inline i32x4 as_i32(f32x4 a) {
    return {__float_as_int(a.x), __float_as_int(a.y), __float_as_int(a.z), __float_as_int(a.w)};
}
__device__ inline i32x4 operator&(i32x4 a, i32x4 b) {
    return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w};
}
__device__ inline boolx4 operator==(i32x4 a, i32x4 b) {
    return {a.x == b.x, a.y == b.y, a.z == b.z, a.w == b.w};
}
__device__ inline f32x4 select(boolx4 a, f32x4 b, f32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}
__device__ inline u32x2 pack_f16(f32x4 a) {
    return {unsigned(to_f16(a.x).bits) | (unsigned(to_f16(a.y).bits) << 16), unsigned(to_f16(a.z).bits) | (unsigned(to_f16(a.w).bits) << 16)};
}
__device__ inline void group_begin_f32_16_1(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, f32x4& c8, f32x4& c9, f32x4& c10, f32x4& c11, f32x4& c12, f32x4& c13, f32x4& c14, f32x4& c15, const u32x4& a0) {
    asm volatile("wgmma.fence.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w), "+f"(c8.x), "+f"(c8.y), "+f"(c8.z), "+f"(c8.w), "+f"(c9.x), "+f"(c9.y), "+f"(c9.z), "+f"(c9.w), "+f"(c10.x), "+f"(c10.y), "+f"(c10.z), "+f"(c10.w), "+f"(c11.x), "+f"(c11.y), "+f"(c11.z), "+f"(c11.w), "+f"(c12.x), "+f"(c12.y), "+f"(c12.z), "+f"(c12.w), "+f"(c13.x), "+f"(c13.y), "+f"(c13.z), "+f"(c13.w), "+f"(c14.x), "+f"(c14.y), "+f"(c14.z), "+f"(c14.w), "+f"(c15.x), "+f"(c15.y), "+f"(c15.z), "+f"(c15.w) : "r"(a0.x), "r"(a0.y), "r"(a0.z), "r"(a0.w) : "memory");
}
__device__ inline void group_end_f32_16_1(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, f32x4& c8, f32x4& c9, f32x4& c10, f32x4& c11, f32x4& c12, f32x4& c13, f32x4& c14, f32x4& c15, const u32x4& a0) {
    asm volatile("wgmma.commit_group.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w), "+f"(c8.x), "+f"(c8.y), "+f"(c8.z), "+f"(c8.w), "+f"(c9.x), "+f"(c9.y), "+f"(c9.z), "+f"(c9.w), "+f"(c10.x), "+f"(c10.y), "+f"(c10.z), "+f"(c10.w), "+f"(c11.x), "+f"(c11.y), "+f"(c11.z), "+f"(c11.w), "+f"(c12.x), "+f"(c12.y), "+f"(c12.z), "+f"(c12.w), "+f"(c13.x), "+f"(c13.y), "+f"(c13.z), "+f"(c13.w), "+f"(c14.x), "+f"(c14.y), "+f"(c14.z), "+f"(c14.w), "+f"(c15.x), "+f"(c15.y), "+f"(c15.z), "+f"(c15.w) : "r"(a0.x), "r"(a0.y), "r"(a0.z), "r"(a0.w) : "memory");
}
__device__ inline i32x2 to_i32(f32x2 a) {
    return {__float2int_rz(a.x), __float2int_rz(a.y)};
}
__device__ inline i32x2 operator&(i32x2 a, i32x2 b) {
    return {a.x & b.x, a.y & b.y};
}
__device__ inline boolx2 operator!=(i32x2 a, i32x2 b) {
    return {a.x != b.x, a.y != b.y};
}
__device__ inline boolx2 operator>=(i32x2 a, i32x2 b) {
    return {a.x >= b.x, a.y >= b.y};
}
__device__ inline void store_matrix4(f16* array, int at, u32x4 a) {
    unsigned address = (unsigned)__cvta_generic_to_shared(array) + 2u * at;
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" :: "r"(address), "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w) : "memory");
}
__device__ inline void tensor_store4(const f16* array, int at, const tensor_map& map, int c0, int c1, int c2, int c3) {
    asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.bulk_group [%1, {%2, %3, %4, %5}], [%0]; cp.async.bulk.commit_group;"
        :: "r"((unsigned)__cvta_generic_to_shared(array + at)), "l"(&map), "r"(c0), "r"(c1), "r"(c2), "r"(c3) : "memory");
}
__device__ inline void barrier_init(const u64* barriers, int at, int arrivals) {
    unsigned address = (unsigned)__cvta_generic_to_shared(barriers + at);
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(address), "r"(arrivals) : "memory");
}

extern "C" __global__ void __launch_bounds__(384, 1) attention(
    const __grid_constant__ tensor_map k_map,
    const __grid_constant__ tensor_map v_map,
    const __grid_constant__ tensor_map out_map,
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
    int out_size1,
    int out_size2,
    int lse_offset,
    int lse_size0,
    int lse_size1,
    int lse_size2,
    int lse_stride0,
    int lse_stride1,
    float scale,
    int last) {
    extern __shared__ __align__(1024) unsigned char shared_memory[];
    f16* const tile_a = (f16*)(shared_memory + 131072); // kernels/attention_kernel.go: operand a of the product
    f16* const tile_b = (f16*)(shared_memory + 0); // kernels/attention_kernel.go: operand b of the product
    f16* const scratch = (f16*)(shared_memory + 163840); // kernels/attention_kernel.go: elements change threads; operand b of the product (kernels/attention_kernel.go); operand b of the product (kernels/attention_hidden.go); operand b of the product (kernels/attention_hidden.go)
    f16* const tile_b_0 = (f16*)(shared_memory + 65536); // kernels/attention_kernel.go: operand b of the product
    float* const scratch_0 = (float*)(shared_memory + 196608); // kernels/attention_hidden.go: partial results of reduce.sum; the first thread's element (kernels/attention_hidden.go)
    f16* const tile_out = (f16*)(shared_memory + 197632); // kernels/attention_kernel.go: on its way out
    u64* const full = (u64*)(shared_memory + 230400); // kernels/attention_kernel.go: what was copied is there
    u64* const empty = (u64*)(shared_memory + 230528); // kernels/attention_kernel.go: and no longer needed
    if (threadIdx.x == 0) {
        barrier_init(full, 0, 1);
        barrier_init(full, 1, 1);
        barrier_init(empty, 0, 8);
        barrier_init(empty, 1, 8);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/attention_kernel.go
    int quotient = (out_size2 + 127) / 128;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int quotient_0 = program / chosen;
    int chosen_0 = out_size1 == 0 ? 1 : out_size1;
    int q_start1 = quotient_0 % chosen_0;
    int q_start0 = quotient_0 / chosen_0;
    // kernels/attention_kernel.go
    int difference = quotient + -1 - remainder_0;
    // kernels/attention_kernel.go
    int quotient_1 = q_size1 / (k_size1 == 0 ? 1 : k_size1);
    int k_start1 = q_start1 / (quotient_1 == 0 ? 1 : quotient_1);
    // kernels/attention_kernel.go
    int q_start2 = difference * 128;
    // kernels/attention_kernel.go
    int lane = thread >> 1;
    int lane_0 = ((thread >> 2) & 7) + (lane & 112);
    int offset = lane_0 + q_start2;
    int offset_0 = lane_0 + 8 + q_start2;
    // kernels/attention_kernel.go
    int offset_1 = last + 1;
    // kernels/attention_kernel.go
    int least = min(offset + offset_1, k_size2);
    int least_0 = min(offset_0 + offset_1, k_size2);
    // kernels/attention_kernel.go
    int greatest = max(min(q_start2 + last + 128, k_size2), 0);
    int quotient_2 = (greatest + 127) / 128;
    // kernels/attention_kernel.go
    int greatest_0 = max(min(q_start2 + offset_1, k_size2), 0);
    int quotient_3 = greatest_0 / 128;
    // kernels/attention_kernel.go
    unsigned bits = unsigned(q_start0);
    unsigned bits_0 = unsigned(q_start1);
    int lane_1 = thread >> 4;
    int offset_2 = q_start2 + lane_1;
    int offset_3 = q_offset + q_start0 * q_stride0 + q_start1 * q_stride1 + offset_2 * q_stride2;
    unsigned bits_1 = unsigned(q_start2);
    int both = thread & 15;
    int lane_2 = both << 3;
    int index = offset_3 + lane_2;
    bool both_0 = bits < unsigned(q_size0) && bits_0 < unsigned(q_size1) && bits_1 < unsigned(q_size2);
    bool in_bounds = both_0 && 0u < unsigned(q_size3);
    if (threadIdx.x >= 256) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (threadIdx.x != 256) return;
        // kernels/attention_kernel.go
        int stage = 0;
        int turn = 0;
        for (int i = 0; i < quotient_2; ++i) {
            int changed = turn ^ 1;
            barrier_wait(empty, stage, changed);
            barrier_expect(full, stage, 65536);
            int stage_0 = stage * 16384;
            // kernels/attention_kernel.go
            int k_start2 = i * 128;
            // kernels/attention_kernel.go
            tensor_copy4(tile_b, stage_0, k_map, full, stage, 0, k_start2, q_start0, k_start1);
            int offset_4 = 8192 + stage_0;
            tensor_copy4(tile_b, offset_4, k_map, full, stage, 64, k_start2, q_start0, k_start1);
            // kernels/attention_kernel.go
            tensor_copy4(tile_b_0, stage_0, v_map, full, stage, 0, k_start2, q_start0, k_start1);
            tensor_copy4(tile_b_0, offset_4, v_map, full, stage, 64, k_start2, q_start0, k_start1);
            bool equal = stage == 1;
            int stage_1 = equal ? 0 : stage + 1;
            int turn_0 = turn ^ (equal ? 1 : 0);
            stage = stage_1;
            turn = turn_0;
        }
    }
    else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        // kernels/attention_kernel.go
        u32x4 q_0 = in_bounds ? *(const u32x4*)&q[index] : splat4(0u);
        int index_0 = index + q_stride2 * 16;
        u32x4 q_1 = in_bounds ? *(const u32x4*)&q[index_0] : splat4(0u);
        int index_1 = index + q_stride2 * 32;
        u32x4 q_2 = in_bounds ? *(const u32x4*)&q[index_1] : splat4(0u);
        int index_2 = index + q_stride2 * 48;
        u32x4 q_3 = in_bounds ? *(const u32x4*)&q[index_2] : splat4(0u);
        int index_3 = index + q_stride2 * 64;
        u32x4 q_4 = in_bounds ? *(const u32x4*)&q[index_3] : splat4(0u);
        int index_4 = index + q_stride2 * 80;
        u32x4 q_5 = in_bounds ? *(const u32x4*)&q[index_4] : splat4(0u);
        int index_5 = index + q_stride2 * 96;
        u32x4 q_6 = in_bounds ? *(const u32x4*)&q[index_5] : splat4(0u);
        int index_6 = index + q_stride2 * 112;
        u32x4 q_7 = in_bounds ? *(const u32x4*)&q[index_6] : splat4(0u);
        // kernels/attention_kernel.go
        int shifted = (thread & 7) << 3;
        int both_1 = thread & 8;
        int both_2 = lane & 56;
        int shifted_0 = (thread & 240) << 2;
        int lane_3 = ((shifted + (both_1 << 10)) ^ both_2) + shifted_0;
        int index_7 = lane_3 + 1024;
        int index_8 = lane_3 + 2048;
        int index_9 = lane_3 + 3072;
        int index_10 = lane_3 + 4096;
        int index_11 = lane_3 + 5120;
        int index_12 = lane_3 + 6144;
        int index_13 = lane_3 + 7168;
        *(u32x4*)&tile_a[lane_3] = q_0;
        *(u32x4*)&tile_a[index_7] = q_1;
        *(u32x4*)&tile_a[index_8] = q_2;
        *(u32x4*)&tile_a[index_9] = q_3;
        *(u32x4*)&tile_a[index_10] = q_4;
        *(u32x4*)&tile_a[index_11] = q_5;
        *(u32x4*)&tile_a[index_12] = q_6;
        *(u32x4*)&tile_a[index_13] = q_7;
        // kernels/attention_kernel.go
        int offset_5 = k_offset + q_start0 * k_stride0 + k_start1 * k_stride1;
        unsigned bits_2 = unsigned(k_start1);
        int both_3 = thread & 3;
        int lane_4 = both_3 << 1;
        unsigned bits_3 = unsigned(k_size2);
        bool less = 0u < unsigned(k_size3);
        bool both_4 = bits < unsigned(k_size0) && bits_2 < unsigned(k_size1);
        // kernels/attention_kernel.go
        f32x4 lanes = f32x4{0.0f, 0.0f, 0.0f, 0.0f};
        int offset_6 = ((thread >> 7) & 1) * 4096;
        int offset_7 = 16 + offset_6;
        int offset_8 = 32 + offset_6;
        int offset_9 = 48 + offset_6;
        int offset_10 = 8192 + offset_6;
        int offset_11 = 8208 + offset_6;
        int offset_12 = 8224 + offset_6;
        int offset_13 = 8240 + offset_6;
        // kernels/attention_kernel.go
        // kernels/attention_kernel.go
        int offset_14 = mask_offset + q_start0 * mask_stride0 + q_start1 * mask_stride1;
        int offset_15 = offset_14 + offset_2 * mask_stride2;
        unsigned bits_4 = unsigned(mask_size3);
        bool both_5 = bits < unsigned(mask_size0) && bits_0 < unsigned(mask_size1) && bits_1 < unsigned(mask_size2);
        int offset_16 = mask_stride2 * 16;
        int offset_17 = mask_stride2 * 32;
        int offset_18 = mask_stride2 * 48;
        int offset_19 = mask_stride2 * 64;
        int offset_20 = mask_stride2 * 80;
        int offset_21 = mask_stride2 * 96;
        int offset_22 = mask_stride2 * 112;
        int shifted_1 = thread << 3;
        int lane_5 = shifted_1 ^ both_2;
        int index_14 = lane_5 + 2048;
        int index_15 = lane_5 + 4096;
        int index_16 = lane_5 + 6144;
        int index_17 = lane_5 + 8192;
        int index_18 = lane_5 + 10240;
        int index_19 = lane_5 + 12288;
        int index_20 = lane_5 + 14336;
        int both_6 = thread & 31;
        int both_7 = thread & 28;
        int both_8 = thread & 224;
        int lane_6 = (both_6 << 1) + (both_7 << 5) + (both_8 << 6);
        int index_21 = lane_6 + 1024;
        int index_22 = lane_6 ^ 8;
        int index_23 = lane_6 ^ 1032;
        int index_24 = lane_6 ^ 16;
        int index_25 = lane_6 ^ 1040;
        int index_26 = lane_6 ^ 24;
        int index_27 = lane_6 ^ 1048;
        int index_28 = lane_6 ^ 32;
        int index_29 = lane_6 ^ 1056;
        int index_30 = lane_6 ^ 40;
        int index_31 = lane_6 ^ 1064;
        int index_32 = lane_6 ^ 48;
        int index_33 = lane_6 ^ 1072;
        int index_34 = lane_6 ^ 56;
        int index_35 = lane_6 ^ 1080;
        int index_36 = lane_6 + 64;
        int index_37 = lane_6 + 1088;
        int index_38 = lane_6 ^ 72;
        int index_39 = lane_6 ^ 1096;
        int index_40 = lane_6 ^ 80;
        int index_41 = lane_6 ^ 1104;
        int index_42 = lane_6 ^ 88;
        int index_43 = lane_6 ^ 1112;
        int index_44 = lane_6 ^ 96;
        int index_45 = lane_6 ^ 1120;
        int index_46 = lane_6 ^ 104;
        int index_47 = lane_6 ^ 1128;
        int index_48 = lane_6 ^ 112;
        int index_49 = lane_6 ^ 1136;
        int index_50 = lane_6 ^ 120;
        int index_51 = lane_6 ^ 1144;
        // kernels/attention_kernel.go
        int offset_23 = v_offset + q_start0 * v_stride0 + k_start1 * v_stride1;
        unsigned bits_5 = unsigned(v_size2);
        bool less_0 = 0u < unsigned(v_size3);
        bool both_9 = bits < unsigned(v_size0) && bits_2 < unsigned(v_size1);
        bool more = 0 < quotient_2;
        // kernels/attention_kernel.go
        unsigned bits_6 = unsigned(0);
        // kernels/attention_kernel.go
        int index_52 = offset_15 + lane_2;
        bool in_bounds_0 = both_5 && bits_6 < bits_4 && more;
        u32x4 mask_0 = in_bounds_0 ? *(const u32x4*)&mask[index_52] : splat4(0u);
        u32x4 mask_1 = in_bounds_0 ? *(const u32x4*)&mask[index_52 + offset_16] : splat4(0u);
        u32x4 mask_2 = in_bounds_0 ? *(const u32x4*)&mask[index_52 + offset_17] : splat4(0u);
        u32x4 mask_3 = in_bounds_0 ? *(const u32x4*)&mask[index_52 + offset_18] : splat4(0u);
        u32x4 mask_4 = in_bounds_0 ? *(const u32x4*)&mask[index_52 + offset_19] : splat4(0u);
        u32x4 mask_5 = in_bounds_0 ? *(const u32x4*)&mask[index_52 + offset_20] : splat4(0u);
        u32x4 mask_6 = in_bounds_0 ? *(const u32x4*)&mask[index_52 + offset_21] : splat4(0u);
        u32x4 mask_7 = in_bounds_0 ? *(const u32x4*)&mask[index_52 + offset_22] : splat4(0u);
        // kernels/attention_kernel.go
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
        int stage_2 = 0;
        int turn_1 = 0;
        u32x4 mask_8 = mask_0;
        u32x4 mask_9 = mask_1;
        u32x4 mask_10 = mask_2;
        u32x4 mask_11 = mask_3;
        u32x4 mask_12 = mask_4;
        u32x4 mask_13 = mask_5;
        u32x4 mask_14 = mask_6;
        u32x4 mask_15 = mask_7;
        for (int i_0 = 0; i_0 < quotient_2; ++i_0) {
            int stage_3 = stage_2 * 16384;
            // kernels/attention_kernel.go
            int k_start2_0 = i_0 * 128;
            int offset_24 = 8192 + stage_3;
            // kernels/attention_kernel.go
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
            u64 place = matrix_place(tile_a, offset_6, 128);
            // kernels/attention_kernel.go
            barrier_wait(full, stage_2, turn_1);
            // kernels/attention_kernel.go
            u64 place_0 = matrix_place(tile_b, stage_3, 128);
            u64 place_1 = matrix_place(tile_a, offset_7, 128);
            int offset_25 = 16 + stage_3;
            u64 place_2 = matrix_place(tile_b, offset_25, 128);
            u64 place_3 = matrix_place(tile_a, offset_8, 128);
            int offset_26 = 32 + stage_3;
            u64 place_4 = matrix_place(tile_b, offset_26, 128);
            u64 place_5 = matrix_place(tile_a, offset_9, 128);
            int offset_27 = 48 + stage_3;
            u64 place_6 = matrix_place(tile_b, offset_27, 128);
            u64 place_7 = matrix_place(tile_a, offset_10, 128);
            u64 place_8 = matrix_place(tile_b, offset_24, 128);
            u64 place_9 = matrix_place(tile_a, offset_11, 128);
            int offset_28 = 8208 + stage_3;
            u64 place_10 = matrix_place(tile_b, offset_28, 128);
            u64 place_11 = matrix_place(tile_a, offset_12, 128);
            int offset_29 = 8224 + stage_3;
            u64 place_12 = matrix_place(tile_b, offset_29, 128);
            u64 place_13 = matrix_place(tile_a, offset_13, 128);
            int offset_30 = 8240 + stage_3;
            u64 place_14 = matrix_place(tile_b, offset_30, 128);
            f32x4 acc_35 = lanes;
            f32x4 acc_36 = lanes;
            f32x4 acc_37 = lanes;
            f32x4 acc_38 = lanes;
            f32x4 acc_39 = lanes;
            f32x4 acc_40 = lanes;
            f32x4 acc_41 = lanes;
            f32x4 acc_42 = lanes;
            f32x4 acc_43 = lanes;
            f32x4 acc_44 = lanes;
            f32x4 acc_45 = lanes;
            f32x4 acc_46 = lanes;
            f32x4 acc_47 = lanes;
            f32x4 acc_48 = lanes;
            f32x4 acc_49 = lanes;
            f32x4 acc_50 = lanes;
            group_begin_f32_16(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, acc_43, acc_44, acc_45, acc_46, acc_47, acc_48, acc_49, acc_50);
            group_mma_f16_128_0_0(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, acc_43, acc_44, acc_45, acc_46, acc_47, acc_48, acc_49, acc_50, place, place_0);
            group_mma_f16_128_0_0(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, acc_43, acc_44, acc_45, acc_46, acc_47, acc_48, acc_49, acc_50, place_1, place_2);
            group_mma_f16_128_0_0(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, acc_43, acc_44, acc_45, acc_46, acc_47, acc_48, acc_49, acc_50, place_3, place_4);
            group_mma_f16_128_0_0(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, acc_43, acc_44, acc_45, acc_46, acc_47, acc_48, acc_49, acc_50, place_5, place_6);
            group_mma_f16_128_0_0(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, acc_43, acc_44, acc_45, acc_46, acc_47, acc_48, acc_49, acc_50, place_7, place_8);
            group_mma_f16_128_0_0(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, acc_43, acc_44, acc_45, acc_46, acc_47, acc_48, acc_49, acc_50, place_9, place_10);
            group_mma_f16_128_0_0(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, acc_43, acc_44, acc_45, acc_46, acc_47, acc_48, acc_49, acc_50, place_11, place_12);
            group_mma_f16_128_0_0(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, acc_43, acc_44, acc_45, acc_46, acc_47, acc_48, acc_49, acc_50, place_13, place_14);
            group_end_f32_16(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, acc_43, acc_44, acc_45, acc_46, acc_47, acc_48, acc_49, acc_50);
            group_wait_0_f32_16(acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, acc_43, acc_44, acc_45, acc_46, acc_47, acc_48, acc_49, acc_50);
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
            f32x2 lanes_16 = f32x2{acc_43.x, acc_43.y};
            f32x2 lanes_17 = f32x2{acc_43.z, acc_43.w};
            f32x2 lanes_18 = f32x2{acc_44.x, acc_44.y};
            f32x2 lanes_19 = f32x2{acc_44.z, acc_44.w};
            f32x2 lanes_20 = f32x2{acc_45.x, acc_45.y};
            f32x2 lanes_21 = f32x2{acc_45.z, acc_45.w};
            f32x2 lanes_22 = f32x2{acc_46.x, acc_46.y};
            f32x2 lanes_23 = f32x2{acc_46.z, acc_46.w};
            f32x2 lanes_24 = f32x2{acc_47.x, acc_47.y};
            f32x2 lanes_25 = f32x2{acc_47.z, acc_47.w};
            f32x2 lanes_26 = f32x2{acc_48.x, acc_48.y};
            f32x2 lanes_27 = f32x2{acc_48.z, acc_48.w};
            f32x2 lanes_28 = f32x2{acc_49.x, acc_49.y};
            f32x2 lanes_29 = f32x2{acc_49.z, acc_49.w};
            f32x2 lanes_30 = f32x2{acc_50.x, acc_50.y};
            f32x2 lanes_31 = f32x2{acc_50.z, acc_50.w};
            // kernels/attention_kernel.go
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
            f32x2 product_15 = lanes_16 * splat2(scale);
            f32x2 product_16 = lanes_17 * splat2(scale);
            f32x2 product_17 = lanes_18 * splat2(scale);
            f32x2 product_18 = lanes_19 * splat2(scale);
            f32x2 product_19 = lanes_20 * splat2(scale);
            f32x2 product_20 = lanes_21 * splat2(scale);
            f32x2 product_21 = lanes_22 * splat2(scale);
            f32x2 product_22 = lanes_23 * splat2(scale);
            f32x2 product_23 = lanes_24 * splat2(scale);
            f32x2 product_24 = lanes_25 * splat2(scale);
            f32x2 product_25 = lanes_26 * splat2(scale);
            f32x2 product_26 = lanes_27 * splat2(scale);
            f32x2 product_27 = lanes_28 * splat2(scale);
            f32x2 product_28 = lanes_29 * splat2(scale);
            f32x2 product_29 = lanes_30 * splat2(scale);
            f32x2 product_30 = lanes_31 * splat2(scale);
            // kernels/attention_kernel.go
            *(u32x4*)&scratch[lane_5] = mask_8;
            *(u32x4*)&scratch[index_14] = mask_9;
            *(u32x4*)&scratch[index_15] = mask_10;
            *(u32x4*)&scratch[index_16] = mask_11;
            *(u32x4*)&scratch[index_17] = mask_12;
            *(u32x4*)&scratch[index_18] = mask_13;
            *(u32x4*)&scratch[index_19] = mask_14;
            *(u32x4*)&scratch[index_20] = mask_15;
            int offset_31 = i_0 + 1;
            bool more_0 = offset_31 < quotient_2;
            int next = more_0 ? offset_31 : i_0;
            // kernels/attention_kernel.go
            int k_start2_1 = next * 128;
            unsigned bits_7 = unsigned(k_start2_1);
            // kernels/attention_kernel.go
            int index_53 = offset_15 + k_start2_1 + lane_2;
            bool in_bounds_1 = both_5 && bits_7 < bits_4;
            u32x4 mask_16 = in_bounds_1 ? *(const u32x4*)&mask[index_53] : splat4(0u);
            u32x4 mask_17 = in_bounds_1 ? *(const u32x4*)&mask[index_53 + offset_16] : splat4(0u);
            u32x4 mask_18 = in_bounds_1 ? *(const u32x4*)&mask[index_53 + offset_17] : splat4(0u);
            u32x4 mask_19 = in_bounds_1 ? *(const u32x4*)&mask[index_53 + offset_18] : splat4(0u);
            u32x4 mask_20 = in_bounds_1 ? *(const u32x4*)&mask[index_53 + offset_19] : splat4(0u);
            u32x4 mask_21 = in_bounds_1 ? *(const u32x4*)&mask[index_53 + offset_20] : splat4(0u);
            u32x4 mask_22 = in_bounds_1 ? *(const u32x4*)&mask[index_53 + offset_21] : splat4(0u);
            u32x4 mask_23 = in_bounds_1 ? *(const u32x4*)&mask[index_53 + offset_22] : splat4(0u);
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
            unsigned exchange = *(const unsigned*)&scratch[lane_6];
            f32x2 exchange_0 = unpack_f16(exchange);
            unsigned exchange_1 = *(const unsigned*)&scratch[index_21];
            f32x2 exchange_2 = unpack_f16(exchange_1);
            unsigned exchange_3 = *(const unsigned*)&scratch[index_22];
            f32x2 exchange_4 = unpack_f16(exchange_3);
            unsigned exchange_5 = *(const unsigned*)&scratch[index_23];
            f32x2 exchange_6 = unpack_f16(exchange_5);
            unsigned exchange_7 = *(const unsigned*)&scratch[index_24];
            f32x2 exchange_8 = unpack_f16(exchange_7);
            unsigned exchange_9 = *(const unsigned*)&scratch[index_25];
            f32x2 exchange_10 = unpack_f16(exchange_9);
            unsigned exchange_11 = *(const unsigned*)&scratch[index_26];
            f32x2 exchange_12 = unpack_f16(exchange_11);
            unsigned exchange_13 = *(const unsigned*)&scratch[index_27];
            f32x2 exchange_14 = unpack_f16(exchange_13);
            unsigned exchange_15 = *(const unsigned*)&scratch[index_28];
            f32x2 exchange_16 = unpack_f16(exchange_15);
            unsigned exchange_17 = *(const unsigned*)&scratch[index_29];
            f32x2 exchange_18 = unpack_f16(exchange_17);
            unsigned exchange_19 = *(const unsigned*)&scratch[index_30];
            f32x2 exchange_20 = unpack_f16(exchange_19);
            unsigned exchange_21 = *(const unsigned*)&scratch[index_31];
            f32x2 exchange_22 = unpack_f16(exchange_21);
            unsigned exchange_23 = *(const unsigned*)&scratch[index_32];
            f32x2 exchange_24 = unpack_f16(exchange_23);
            unsigned exchange_25 = *(const unsigned*)&scratch[index_33];
            f32x2 exchange_26 = unpack_f16(exchange_25);
            unsigned exchange_27 = *(const unsigned*)&scratch[index_34];
            f32x2 exchange_28 = unpack_f16(exchange_27);
            unsigned exchange_29 = *(const unsigned*)&scratch[index_35];
            f32x2 exchange_30 = unpack_f16(exchange_29);
            unsigned exchange_31 = *(const unsigned*)&scratch[index_36];
            f32x2 exchange_32 = unpack_f16(exchange_31);
            unsigned exchange_33 = *(const unsigned*)&scratch[index_37];
            f32x2 exchange_34 = unpack_f16(exchange_33);
            unsigned exchange_35 = *(const unsigned*)&scratch[index_38];
            f32x2 exchange_36 = unpack_f16(exchange_35);
            unsigned exchange_37 = *(const unsigned*)&scratch[index_39];
            f32x2 exchange_38 = unpack_f16(exchange_37);
            unsigned exchange_39 = *(const unsigned*)&scratch[index_40];
            f32x2 exchange_40 = unpack_f16(exchange_39);
            unsigned exchange_41 = *(const unsigned*)&scratch[index_41];
            f32x2 exchange_42 = unpack_f16(exchange_41);
            unsigned exchange_43 = *(const unsigned*)&scratch[index_42];
            f32x2 exchange_44 = unpack_f16(exchange_43);
            unsigned exchange_45 = *(const unsigned*)&scratch[index_43];
            f32x2 exchange_46 = unpack_f16(exchange_45);
            unsigned exchange_47 = *(const unsigned*)&scratch[index_44];
            f32x2 exchange_48 = unpack_f16(exchange_47);
            unsigned exchange_49 = *(const unsigned*)&scratch[index_45];
            f32x2 exchange_50 = unpack_f16(exchange_49);
            unsigned exchange_51 = *(const unsigned*)&scratch[index_46];
            f32x2 exchange_52 = unpack_f16(exchange_51);
            unsigned exchange_53 = *(const unsigned*)&scratch[index_47];
            f32x2 exchange_54 = unpack_f16(exchange_53);
            unsigned exchange_55 = *(const unsigned*)&scratch[index_48];
            f32x2 exchange_56 = unpack_f16(exchange_55);
            unsigned exchange_57 = *(const unsigned*)&scratch[index_49];
            f32x2 exchange_58 = unpack_f16(exchange_57);
            unsigned exchange_59 = *(const unsigned*)&scratch[index_50];
            f32x2 exchange_60 = unpack_f16(exchange_59);
            unsigned exchange_61 = *(const unsigned*)&scratch[index_51];
            f32x2 exchange_62 = unpack_f16(exchange_61);
            // kernels/attention_kernel.go
            f32x2 chosen_1 = select((exchange_0 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_0, splat2(1.442695f), product));
            f32x2 chosen_2 = select((exchange_2 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_2, splat2(1.442695f), product_0));
            f32x2 chosen_3 = select((exchange_4 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_4, splat2(1.442695f), product_1));
            f32x2 chosen_4 = select((exchange_6 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_6, splat2(1.442695f), product_2));
            f32x2 chosen_5 = select((exchange_8 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_8, splat2(1.442695f), product_3));
            f32x2 chosen_6 = select((exchange_10 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_10, splat2(1.442695f), product_4));
            f32x2 chosen_7 = select((exchange_12 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_12, splat2(1.442695f), product_5));
            f32x2 chosen_8 = select((exchange_14 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_14, splat2(1.442695f), product_6));
            f32x2 chosen_9 = select((exchange_16 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_16, splat2(1.442695f), product_7));
            f32x2 chosen_10 = select((exchange_18 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_18, splat2(1.442695f), product_8));
            f32x2 chosen_11 = select((exchange_20 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_20, splat2(1.442695f), product_9));
            f32x2 chosen_12 = select((exchange_22 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_22, splat2(1.442695f), product_10));
            f32x2 chosen_13 = select((exchange_24 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_24, splat2(1.442695f), product_11));
            f32x2 chosen_14 = select((exchange_26 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_26, splat2(1.442695f), product_12));
            f32x2 chosen_15 = select((exchange_28 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_28, splat2(1.442695f), product_13));
            f32x2 chosen_16 = select((exchange_30 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_30, splat2(1.442695f), product_14));
            f32x2 chosen_17 = select((exchange_32 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_32, splat2(1.442695f), product_15));
            f32x2 chosen_18 = select((exchange_34 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_34, splat2(1.442695f), product_16));
            f32x2 chosen_19 = select((exchange_36 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_36, splat2(1.442695f), product_17));
            f32x2 chosen_20 = select((exchange_38 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_38, splat2(1.442695f), product_18));
            f32x2 chosen_21 = select((exchange_40 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_40, splat2(1.442695f), product_19));
            f32x2 chosen_22 = select((exchange_42 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_42, splat2(1.442695f), product_20));
            f32x2 chosen_23 = select((exchange_44 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_44, splat2(1.442695f), product_21));
            f32x2 chosen_24 = select((exchange_46 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_46, splat2(1.442695f), product_22));
            f32x2 chosen_25 = select((exchange_48 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_48, splat2(1.442695f), product_23));
            f32x2 chosen_26 = select((exchange_50 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_50, splat2(1.442695f), product_24));
            f32x2 chosen_27 = select((exchange_52 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_52, splat2(1.442695f), product_25));
            f32x2 chosen_28 = select((exchange_54 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_54, splat2(1.442695f), product_26));
            f32x2 chosen_29 = select((exchange_56 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_56, splat2(1.442695f), product_27));
            f32x2 chosen_30 = select((exchange_58 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_58, splat2(1.442695f), product_28));
            f32x2 chosen_31 = select((exchange_60 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_60, splat2(1.442695f), product_29));
            f32x2 chosen_32 = select((exchange_62 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_62, splat2(1.442695f), product_30));
            // kernels/attention_kernel.go
            bool at_least = i_0 >= quotient_3;
            // kernels/attention_kernel.go
            f32x2 chosen_33 = chosen_1;
            f32x2 chosen_34 = chosen_2;
            f32x2 chosen_35 = chosen_3;
            f32x2 chosen_36 = chosen_4;
            f32x2 chosen_37 = chosen_5;
            f32x2 chosen_38 = chosen_6;
            f32x2 chosen_39 = chosen_7;
            f32x2 chosen_40 = chosen_8;
            f32x2 chosen_41 = chosen_9;
            f32x2 chosen_42 = chosen_10;
            f32x2 chosen_43 = chosen_11;
            f32x2 chosen_44 = chosen_12;
            f32x2 chosen_45 = chosen_13;
            f32x2 chosen_46 = chosen_14;
            f32x2 chosen_47 = chosen_15;
            f32x2 chosen_48 = chosen_16;
            f32x2 chosen_49 = chosen_17;
            f32x2 chosen_50 = chosen_18;
            f32x2 chosen_51 = chosen_19;
            f32x2 chosen_52 = chosen_20;
            f32x2 chosen_53 = chosen_21;
            f32x2 chosen_54 = chosen_22;
            f32x2 chosen_55 = chosen_23;
            f32x2 chosen_56 = chosen_24;
            f32x2 chosen_57 = chosen_25;
            f32x2 chosen_58 = chosen_26;
            f32x2 chosen_59 = chosen_27;
            f32x2 chosen_60 = chosen_28;
            f32x2 chosen_61 = chosen_29;
            f32x2 chosen_62 = chosen_30;
            f32x2 chosen_63 = chosen_31;
            f32x2 chosen_64 = chosen_32;
            if (at_least) {
                // kernels/attention_kernel.go
                i32x2 offset_32 = i32x2{lane_4, lane_4 + 1} + splat2(k_start2_0);
                i32x2 offset_33 = i32x2{lane_4 + 8, lane_4 + 9} + splat2(k_start2_0);
                i32x2 offset_34 = i32x2{lane_4 + 16, lane_4 + 17} + splat2(k_start2_0);
                i32x2 offset_35 = i32x2{lane_4 + 24, lane_4 + 25} + splat2(k_start2_0);
                i32x2 offset_36 = i32x2{lane_4 + 32, lane_4 + 33} + splat2(k_start2_0);
                i32x2 offset_37 = i32x2{lane_4 + 40, lane_4 + 41} + splat2(k_start2_0);
                i32x2 offset_38 = i32x2{lane_4 + 48, lane_4 + 49} + splat2(k_start2_0);
                i32x2 offset_39 = i32x2{lane_4 + 56, lane_4 + 57} + splat2(k_start2_0);
                i32x2 offset_40 = i32x2{lane_4 + 64, lane_4 + 65} + splat2(k_start2_0);
                i32x2 offset_41 = i32x2{lane_4 + 72, lane_4 + 73} + splat2(k_start2_0);
                i32x2 offset_42 = i32x2{lane_4 + 80, lane_4 + 81} + splat2(k_start2_0);
                i32x2 offset_43 = i32x2{lane_4 + 88, lane_4 + 89} + splat2(k_start2_0);
                i32x2 offset_44 = i32x2{lane_4 + 96, lane_4 + 97} + splat2(k_start2_0);
                i32x2 offset_45 = i32x2{lane_4 + 104, lane_4 + 105} + splat2(k_start2_0);
                i32x2 offset_46 = i32x2{lane_4 + 112, lane_4 + 113} + splat2(k_start2_0);
                i32x2 offset_47 = i32x2{lane_4 + 120, lane_4 + 121} + splat2(k_start2_0);
                // kernels/attention_kernel.go
                boolx2 less_1 = offset_32 < splat2(least);
                boolx2 less_2 = offset_32 < splat2(least_0);
                boolx2 less_3 = offset_33 < splat2(least);
                boolx2 less_4 = offset_33 < splat2(least_0);
                boolx2 less_5 = offset_34 < splat2(least);
                boolx2 less_6 = offset_34 < splat2(least_0);
                boolx2 less_7 = offset_35 < splat2(least);
                boolx2 less_8 = offset_35 < splat2(least_0);
                boolx2 less_9 = offset_36 < splat2(least);
                boolx2 less_10 = offset_36 < splat2(least_0);
                boolx2 less_11 = offset_37 < splat2(least);
                boolx2 less_12 = offset_37 < splat2(least_0);
                boolx2 less_13 = offset_38 < splat2(least);
                boolx2 less_14 = offset_38 < splat2(least_0);
                boolx2 less_15 = offset_39 < splat2(least);
                boolx2 less_16 = offset_39 < splat2(least_0);
                boolx2 less_17 = offset_40 < splat2(least);
                boolx2 less_18 = offset_40 < splat2(least_0);
                boolx2 less_19 = offset_41 < splat2(least);
                boolx2 less_20 = offset_41 < splat2(least_0);
                boolx2 less_21 = offset_42 < splat2(least);
                boolx2 less_22 = offset_42 < splat2(least_0);
                boolx2 less_23 = offset_43 < splat2(least);
                boolx2 less_24 = offset_43 < splat2(least_0);
                boolx2 less_25 = offset_44 < splat2(least);
                boolx2 less_26 = offset_44 < splat2(least_0);
                boolx2 less_27 = offset_45 < splat2(least);
                boolx2 less_28 = offset_45 < splat2(least_0);
                boolx2 less_29 = offset_46 < splat2(least);
                boolx2 less_30 = offset_46 < splat2(least_0);
                boolx2 less_31 = offset_47 < splat2(least);
                boolx2 less_32 = offset_47 < splat2(least_0);
                chosen_33 = select(less_1, chosen_1, splat2(__int_as_float(0xff800000)));
                chosen_34 = select(less_2, chosen_2, splat2(__int_as_float(0xff800000)));
                chosen_35 = select(less_3, chosen_3, splat2(__int_as_float(0xff800000)));
                chosen_36 = select(less_4, chosen_4, splat2(__int_as_float(0xff800000)));
                chosen_37 = select(less_5, chosen_5, splat2(__int_as_float(0xff800000)));
                chosen_38 = select(less_6, chosen_6, splat2(__int_as_float(0xff800000)));
                chosen_39 = select(less_7, chosen_7, splat2(__int_as_float(0xff800000)));
                chosen_40 = select(less_8, chosen_8, splat2(__int_as_float(0xff800000)));
                chosen_41 = select(less_9, chosen_9, splat2(__int_as_float(0xff800000)));
                chosen_42 = select(less_10, chosen_10, splat2(__int_as_float(0xff800000)));
                chosen_43 = select(less_11, chosen_11, splat2(__int_as_float(0xff800000)));
                chosen_44 = select(less_12, chosen_12, splat2(__int_as_float(0xff800000)));
                chosen_45 = select(less_13, chosen_13, splat2(__int_as_float(0xff800000)));
                chosen_46 = select(less_14, chosen_14, splat2(__int_as_float(0xff800000)));
                chosen_47 = select(less_15, chosen_15, splat2(__int_as_float(0xff800000)));
                chosen_48 = select(less_16, chosen_16, splat2(__int_as_float(0xff800000)));
                chosen_49 = select(less_17, chosen_17, splat2(__int_as_float(0xff800000)));
                chosen_50 = select(less_18, chosen_18, splat2(__int_as_float(0xff800000)));
                chosen_51 = select(less_19, chosen_19, splat2(__int_as_float(0xff800000)));
                chosen_52 = select(less_20, chosen_20, splat2(__int_as_float(0xff800000)));
                chosen_53 = select(less_21, chosen_21, splat2(__int_as_float(0xff800000)));
                chosen_54 = select(less_22, chosen_22, splat2(__int_as_float(0xff800000)));
                chosen_55 = select(less_23, chosen_23, splat2(__int_as_float(0xff800000)));
                chosen_56 = select(less_24, chosen_24, splat2(__int_as_float(0xff800000)));
                chosen_57 = select(less_25, chosen_25, splat2(__int_as_float(0xff800000)));
                chosen_58 = select(less_26, chosen_26, splat2(__int_as_float(0xff800000)));
                chosen_59 = select(less_27, chosen_27, splat2(__int_as_float(0xff800000)));
                chosen_60 = select(less_28, chosen_28, splat2(__int_as_float(0xff800000)));
                chosen_61 = select(less_29, chosen_29, splat2(__int_as_float(0xff800000)));
                chosen_62 = select(less_30, chosen_30, splat2(__int_as_float(0xff800000)));
                chosen_63 = select(less_31, chosen_31, splat2(__int_as_float(0xff800000)));
                chosen_64 = select(less_32, chosen_32, splat2(__int_as_float(0xff800000)));
            }
            // kernels/attention_kernel.go
            f32x2 greatest_1 = fmaxf(fmaxf(fmaxf(fmaxf(chosen_33, chosen_35), chosen_37), chosen_39), chosen_41);
            f32x2 greatest_2 = fmaxf(fmaxf(fmaxf(fmaxf(chosen_34, chosen_36), chosen_38), chosen_40), chosen_42);
            f32x2 greatest_3 = fmaxf(fmaxf(fmaxf(fmaxf(greatest_1, chosen_43), chosen_45), chosen_47), chosen_49);
            f32x2 greatest_4 = fmaxf(fmaxf(fmaxf(fmaxf(greatest_2, chosen_44), chosen_46), chosen_48), chosen_50);
            f32x2 greatest_5 = fmaxf(fmaxf(fmaxf(fmaxf(greatest_3, chosen_51), chosen_53), chosen_55), chosen_57);
            f32x2 greatest_6 = fmaxf(fmaxf(fmaxf(fmaxf(greatest_4, chosen_52), chosen_54), chosen_56), chosen_58);
            f32x2 greatest_7 = fmaxf(fmaxf(fmaxf(greatest_5, chosen_59), chosen_61), chosen_63);
            f32x2 greatest_8 = fmaxf(fmaxf(fmaxf(greatest_6, chosen_60), chosen_62), chosen_64);
            float greatest_9 = fmaxf(greatest_7.x, greatest_7.y);
            float greatest_10 = fmaxf(greatest_8.x, greatest_8.y);
            float other = __shfl_xor_sync(0xffffffffu, greatest_9, 1);
            float greatest_11 = fmaxf(greatest_9, other);
            float other_0 = __shfl_xor_sync(0xffffffffu, greatest_10, 1);
            float greatest_12 = fmaxf(greatest_10, other_0);
            float other_1 = __shfl_xor_sync(0xffffffffu, greatest_11, 2);
            float other_2 = __shfl_xor_sync(0xffffffffu, greatest_12, 2);
            float greatest_13 = fmaxf(acc, fmaxf(greatest_11, other_1));
            float greatest_14 = fmaxf(acc_0, fmaxf(greatest_12, other_2));
            // kernels/attention_kernel.go
            f32x2 power = exp2_flushed(chosen_33 - splat2(greatest_13));
            f32x2 power_0 = exp2_flushed(chosen_34 - splat2(greatest_14));
            f32x2 power_1 = exp2_flushed(chosen_35 - splat2(greatest_13));
            f32x2 power_2 = exp2_flushed(chosen_36 - splat2(greatest_14));
            f32x2 power_3 = exp2_flushed(chosen_37 - splat2(greatest_13));
            f32x2 power_4 = exp2_flushed(chosen_38 - splat2(greatest_14));
            f32x2 power_5 = exp2_flushed(chosen_39 - splat2(greatest_13));
            f32x2 power_6 = exp2_flushed(chosen_40 - splat2(greatest_14));
            f32x2 power_7 = exp2_flushed(chosen_41 - splat2(greatest_13));
            f32x2 power_8 = exp2_flushed(chosen_42 - splat2(greatest_14));
            f32x2 power_9 = exp2_flushed(chosen_43 - splat2(greatest_13));
            f32x2 power_10 = exp2_flushed(chosen_44 - splat2(greatest_14));
            f32x2 power_11 = exp2_flushed(chosen_45 - splat2(greatest_13));
            f32x2 power_12 = exp2_flushed(chosen_46 - splat2(greatest_14));
            f32x2 power_13 = exp2_flushed(chosen_47 - splat2(greatest_13));
            f32x2 power_14 = exp2_flushed(chosen_48 - splat2(greatest_14));
            f32x2 power_15 = exp2_flushed(chosen_49 - splat2(greatest_13));
            f32x2 power_16 = exp2_flushed(chosen_50 - splat2(greatest_14));
            f32x2 power_17 = exp2_flushed(chosen_51 - splat2(greatest_13));
            f32x2 power_18 = exp2_flushed(chosen_52 - splat2(greatest_14));
            f32x2 power_19 = exp2_flushed(chosen_53 - splat2(greatest_13));
            f32x2 power_20 = exp2_flushed(chosen_54 - splat2(greatest_14));
            f32x2 power_21 = exp2_flushed(chosen_55 - splat2(greatest_13));
            f32x2 power_22 = exp2_flushed(chosen_56 - splat2(greatest_14));
            f32x2 power_23 = exp2_flushed(chosen_57 - splat2(greatest_13));
            f32x2 power_24 = exp2_flushed(chosen_58 - splat2(greatest_14));
            f32x2 power_25 = exp2_flushed(chosen_59 - splat2(greatest_13));
            f32x2 power_26 = exp2_flushed(chosen_60 - splat2(greatest_14));
            f32x2 power_27 = exp2_flushed(chosen_61 - splat2(greatest_13));
            f32x2 power_28 = exp2_flushed(chosen_62 - splat2(greatest_14));
            f32x2 power_29 = exp2_flushed(chosen_63 - splat2(greatest_13));
            f32x2 power_30 = exp2_flushed(chosen_64 - splat2(greatest_14));
            float power_31 = exp2_flushed(acc - greatest_13);
            float power_32 = exp2_flushed(acc_0 - greatest_14);
            // kernels/attention_kernel.go
            acc_1 *= power_31;
            acc_2 *= power_32;
            f32x2 sum = power + power_1 + power_3 + power_5 + power_7 + power_9 + power_11;
            f32x2 sum_0 = power_0 + power_2 + power_4 + power_6 + power_8 + power_10 + power_12;
            f32x2 sum_1 = sum + power_13 + power_15 + power_17 + power_19 + power_21 + power_23;
            f32x2 sum_2 = sum_0 + power_14 + power_16 + power_18 + power_20 + power_22 + power_24;
            f32x2 sum_3 = sum_1 + power_25 + power_27 + power_29;
            f32x2 sum_4 = sum_2 + power_26 + power_28 + power_30;
            float sum_5 = sum_3.x + sum_3.y;
            float sum_6 = sum_4.x + sum_4.y;
            float other_3 = __shfl_xor_sync(0xffffffffu, sum_5, 1);
            float sum_7 = sum_5 + other_3;
            float other_4 = __shfl_xor_sync(0xffffffffu, sum_6, 1);
            float sum_8 = sum_6 + other_4;
            float other_5 = __shfl_xor_sync(0xffffffffu, sum_7, 2);
            float other_6 = __shfl_xor_sync(0xffffffffu, sum_8, 2);
            acc_1 += sum_7 + other_5;
            acc_2 += sum_8 + other_6;
            // kernels/attention_kernel.go
            f32x2 product_31 = acc_3 * splat2(power_31);
            f32x2 product_32 = acc_4 * splat2(power_32);
            f32x2 product_33 = acc_5 * splat2(power_31);
            f32x2 product_34 = acc_6 * splat2(power_32);
            f32x2 product_35 = acc_7 * splat2(power_31);
            f32x2 product_36 = acc_8 * splat2(power_32);
            f32x2 product_37 = acc_9 * splat2(power_31);
            f32x2 product_38 = acc_10 * splat2(power_32);
            f32x2 product_39 = acc_11 * splat2(power_31);
            f32x2 product_40 = acc_12 * splat2(power_32);
            f32x2 product_41 = acc_13 * splat2(power_31);
            f32x2 product_42 = acc_14 * splat2(power_32);
            f32x2 product_43 = acc_15 * splat2(power_31);
            f32x2 product_44 = acc_16 * splat2(power_32);
            f32x2 product_45 = acc_17 * splat2(power_31);
            f32x2 product_46 = acc_18 * splat2(power_32);
            f32x2 product_47 = acc_19 * splat2(power_31);
            f32x2 product_48 = acc_20 * splat2(power_32);
            f32x2 product_49 = acc_21 * splat2(power_31);
            f32x2 product_50 = acc_22 * splat2(power_32);
            f32x2 product_51 = acc_23 * splat2(power_31);
            f32x2 product_52 = acc_24 * splat2(power_32);
            f32x2 product_53 = acc_25 * splat2(power_31);
            f32x2 product_54 = acc_26 * splat2(power_32);
            f32x2 product_55 = acc_27 * splat2(power_31);
            f32x2 product_56 = acc_28 * splat2(power_32);
            f32x2 product_57 = acc_29 * splat2(power_31);
            f32x2 product_58 = acc_30 * splat2(power_32);
            f32x2 product_59 = acc_31 * splat2(power_31);
            f32x2 product_60 = acc_32 * splat2(power_32);
            f32x2 product_61 = acc_33 * splat2(power_31);
            f32x2 product_62 = acc_34 * splat2(power_32);
            u32x4 lanes_32 = u32x4{pack_f16(power), pack_f16(power_0), pack_f16(power_1), pack_f16(power_2)};
            u64 place_15 = matrix_place(tile_b_0, stage_3, 128);
            u32x4 lanes_33 = u32x4{pack_f16(power_3), pack_f16(power_4), pack_f16(power_5), pack_f16(power_6)};
            int offset_48 = 1024 + stage_3;
            u64 place_16 = matrix_place(tile_b_0, offset_48, 128);
            u32x4 lanes_34 = u32x4{pack_f16(power_7), pack_f16(power_8), pack_f16(power_9), pack_f16(power_10)};
            int offset_49 = 2048 + stage_3;
            u64 place_17 = matrix_place(tile_b_0, offset_49, 128);
            u32x4 lanes_35 = u32x4{pack_f16(power_11), pack_f16(power_12), pack_f16(power_13), pack_f16(power_14)};
            int offset_50 = 3072 + stage_3;
            u64 place_18 = matrix_place(tile_b_0, offset_50, 128);
            u32x4 lanes_36 = u32x4{pack_f16(power_15), pack_f16(power_16), pack_f16(power_17), pack_f16(power_18)};
            int offset_51 = 4096 + stage_3;
            u64 place_19 = matrix_place(tile_b_0, offset_51, 128);
            u32x4 lanes_37 = u32x4{pack_f16(power_19), pack_f16(power_20), pack_f16(power_21), pack_f16(power_22)};
            int offset_52 = 5120 + stage_3;
            u64 place_20 = matrix_place(tile_b_0, offset_52, 128);
            u32x4 lanes_38 = u32x4{pack_f16(power_23), pack_f16(power_24), pack_f16(power_25), pack_f16(power_26)};
            int offset_53 = 6144 + stage_3;
            u64 place_21 = matrix_place(tile_b_0, offset_53, 128);
            u32x4 lanes_39 = u32x4{pack_f16(power_27), pack_f16(power_28), pack_f16(power_29), pack_f16(power_30)};
            int offset_54 = 7168 + stage_3;
            u64 place_22 = matrix_place(tile_b_0, offset_54, 128);
            f32x4 acc_51 = f32x4{product_31.x, product_31.y, product_32.x, product_32.y};
            f32x4 acc_52 = f32x4{product_33.x, product_33.y, product_34.x, product_34.y};
            f32x4 acc_53 = f32x4{product_35.x, product_35.y, product_36.x, product_36.y};
            f32x4 acc_54 = f32x4{product_37.x, product_37.y, product_38.x, product_38.y};
            f32x4 acc_55 = f32x4{product_39.x, product_39.y, product_40.x, product_40.y};
            f32x4 acc_56 = f32x4{product_41.x, product_41.y, product_42.x, product_42.y};
            f32x4 acc_57 = f32x4{product_43.x, product_43.y, product_44.x, product_44.y};
            f32x4 acc_58 = f32x4{product_45.x, product_45.y, product_46.x, product_46.y};
            f32x4 acc_59 = f32x4{product_47.x, product_47.y, product_48.x, product_48.y};
            f32x4 acc_60 = f32x4{product_49.x, product_49.y, product_50.x, product_50.y};
            f32x4 acc_61 = f32x4{product_51.x, product_51.y, product_52.x, product_52.y};
            f32x4 acc_62 = f32x4{product_53.x, product_53.y, product_54.x, product_54.y};
            f32x4 acc_63 = f32x4{product_55.x, product_55.y, product_56.x, product_56.y};
            f32x4 acc_64 = f32x4{product_57.x, product_57.y, product_58.x, product_58.y};
            f32x4 acc_65 = f32x4{product_59.x, product_59.y, product_60.x, product_60.y};
            f32x4 acc_66 = f32x4{product_61.x, product_61.y, product_62.x, product_62.y};
            group_begin_f32_16_8(acc_51, acc_52, acc_53, acc_54, acc_55, acc_56, acc_57, acc_58, acc_59, acc_60, acc_61, acc_62, acc_63, acc_64, acc_65, acc_66, lanes_32, lanes_33, lanes_34, lanes_35, lanes_36, lanes_37, lanes_38, lanes_39);
            group_mma_f16_128_r_1(acc_51, acc_52, acc_53, acc_54, acc_55, acc_56, acc_57, acc_58, acc_59, acc_60, acc_61, acc_62, acc_63, acc_64, acc_65, acc_66, lanes_32, place_15);
            group_mma_f16_128_r_1(acc_51, acc_52, acc_53, acc_54, acc_55, acc_56, acc_57, acc_58, acc_59, acc_60, acc_61, acc_62, acc_63, acc_64, acc_65, acc_66, lanes_33, place_16);
            group_mma_f16_128_r_1(acc_51, acc_52, acc_53, acc_54, acc_55, acc_56, acc_57, acc_58, acc_59, acc_60, acc_61, acc_62, acc_63, acc_64, acc_65, acc_66, lanes_34, place_17);
            group_mma_f16_128_r_1(acc_51, acc_52, acc_53, acc_54, acc_55, acc_56, acc_57, acc_58, acc_59, acc_60, acc_61, acc_62, acc_63, acc_64, acc_65, acc_66, lanes_35, place_18);
            group_mma_f16_128_r_1(acc_51, acc_52, acc_53, acc_54, acc_55, acc_56, acc_57, acc_58, acc_59, acc_60, acc_61, acc_62, acc_63, acc_64, acc_65, acc_66, lanes_36, place_19);
            group_mma_f16_128_r_1(acc_51, acc_52, acc_53, acc_54, acc_55, acc_56, acc_57, acc_58, acc_59, acc_60, acc_61, acc_62, acc_63, acc_64, acc_65, acc_66, lanes_37, place_20);
            group_mma_f16_128_r_1(acc_51, acc_52, acc_53, acc_54, acc_55, acc_56, acc_57, acc_58, acc_59, acc_60, acc_61, acc_62, acc_63, acc_64, acc_65, acc_66, lanes_38, place_21);
            group_mma_f16_128_r_1(acc_51, acc_52, acc_53, acc_54, acc_55, acc_56, acc_57, acc_58, acc_59, acc_60, acc_61, acc_62, acc_63, acc_64, acc_65, acc_66, lanes_39, place_22);
            group_end_f32_16_8(acc_51, acc_52, acc_53, acc_54, acc_55, acc_56, acc_57, acc_58, acc_59, acc_60, acc_61, acc_62, acc_63, acc_64, acc_65, acc_66, lanes_32, lanes_33, lanes_34, lanes_35, lanes_36, lanes_37, lanes_38, lanes_39);
            group_wait_0_f32_16(acc_51, acc_52, acc_53, acc_54, acc_55, acc_56, acc_57, acc_58, acc_59, acc_60, acc_61, acc_62, acc_63, acc_64, acc_65, acc_66);
            // kernels/attention_kernel.go
            if ((threadIdx.x & 31) == 0) barrier_arrive(empty, stage_2);
            bool equal_0 = stage_2 == 1;
            int stage_4 = equal_0 ? 0 : stage_2 + 1;
            int turn_2 = turn_1 ^ (equal_0 ? 1 : 0);
            acc = greatest_13;
            acc_0 = greatest_14;
            acc_3 = f32x2{acc_51.x, acc_51.y};
            acc_4 = f32x2{acc_51.z, acc_51.w};
            acc_5 = f32x2{acc_52.x, acc_52.y};
            acc_6 = f32x2{acc_52.z, acc_52.w};
            acc_7 = f32x2{acc_53.x, acc_53.y};
            acc_8 = f32x2{acc_53.z, acc_53.w};
            acc_9 = f32x2{acc_54.x, acc_54.y};
            acc_10 = f32x2{acc_54.z, acc_54.w};
            acc_11 = f32x2{acc_55.x, acc_55.y};
            acc_12 = f32x2{acc_55.z, acc_55.w};
            acc_13 = f32x2{acc_56.x, acc_56.y};
            acc_14 = f32x2{acc_56.z, acc_56.w};
            acc_15 = f32x2{acc_57.x, acc_57.y};
            acc_16 = f32x2{acc_57.z, acc_57.w};
            acc_17 = f32x2{acc_58.x, acc_58.y};
            acc_18 = f32x2{acc_58.z, acc_58.w};
            acc_19 = f32x2{acc_59.x, acc_59.y};
            acc_20 = f32x2{acc_59.z, acc_59.w};
            acc_21 = f32x2{acc_60.x, acc_60.y};
            acc_22 = f32x2{acc_60.z, acc_60.w};
            acc_23 = f32x2{acc_61.x, acc_61.y};
            acc_24 = f32x2{acc_61.z, acc_61.w};
            acc_25 = f32x2{acc_62.x, acc_62.y};
            acc_26 = f32x2{acc_62.z, acc_62.w};
            acc_27 = f32x2{acc_63.x, acc_63.y};
            acc_28 = f32x2{acc_63.z, acc_63.w};
            acc_29 = f32x2{acc_64.x, acc_64.y};
            acc_30 = f32x2{acc_64.z, acc_64.w};
            acc_31 = f32x2{acc_65.x, acc_65.y};
            acc_32 = f32x2{acc_65.z, acc_65.w};
            acc_33 = f32x2{acc_66.x, acc_66.y};
            acc_34 = f32x2{acc_66.z, acc_66.w};
            stage_2 = stage_4;
            turn_1 = turn_2;
            mask_8 = mask_16;
            mask_9 = mask_17;
            mask_10 = mask_18;
            mask_11 = mask_19;
            mask_12 = mask_20;
            mask_13 = mask_21;
            mask_14 = mask_22;
            mask_15 = mask_23;
        }
        // kernels/attention_hidden.go
        f32x2 sum_9 = acc_3 + acc_5 + acc_7 + acc_9 + acc_11 + acc_13 + acc_15 + acc_17;
        f32x2 sum_10 = acc_4 + acc_6 + acc_8 + acc_10 + acc_12 + acc_14 + acc_16 + acc_18;
        f32x2 sum_11 = sum_9 + acc_19 + acc_21 + acc_23 + acc_25 + acc_27 + acc_29 + acc_31;
        f32x2 sum_12 = sum_10 + acc_20 + acc_22 + acc_24 + acc_26 + acc_28 + acc_30 + acc_32;
        f32x2 sum_13 = sum_11 + acc_33;
        f32x2 sum_14 = sum_12 + acc_34;
        float sum_15 = sum_13.x + sum_13.y;
        float sum_16 = sum_14.x + sum_14.y;
        float other_7 = __shfl_xor_sync(0xffffffffu, sum_15, 1);
        float sum_17 = sum_15 + other_7;
        float other_8 = __shfl_xor_sync(0xffffffffu, sum_16, 1);
        float sum_18 = sum_16 + other_8;
        float other_9 = __shfl_xor_sync(0xffffffffu, sum_17, 2);
        float other_10 = __shfl_xor_sync(0xffffffffu, sum_18, 2);
        float sum_19 = sum_17 + other_9 + (sum_18 + other_10);
        float other_11 = __shfl_xor_sync(0xffffffffu, sum_19, 4);
        float sum_20 = sum_19 + other_11;
        float other_12 = __shfl_xor_sync(0xffffffffu, sum_20, 8);
        float sum_21 = sum_20 + other_12;
        float other_13 = __shfl_xor_sync(0xffffffffu, sum_21, 16);
        if (both_6 == 0) {
            scratch_0[thread >> 5] = sum_21 + other_13;
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
        float parts = scratch_0[0];
        float parts_0 = scratch_0[1];
        float parts_1 = scratch_0[2];
        float parts_2 = scratch_0[3];
        float parts_3 = scratch_0[4];
        float parts_4 = scratch_0[5];
        float parts_5 = scratch_0[6];
        float sum_22 = parts + parts_0 + parts_1 + parts_2 + parts_3 + parts_4 + parts_5;
        float parts_6 = scratch_0[7];
        float sum_23 = 0.0f + (sum_22 + parts_6);
        // kernels/attention_hidden.go
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
        if (thread == 0) {
            scratch_0[0] = sum_23;
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
        float scalar = scratch_0[0];
        // kernels/attention_hidden.go
        bool equal_1 = (__float_as_int(scalar) & 2139095040) == 2139095040;
        // kernels/attention_hidden.go
        f32x2 acc_67 = acc_3;
        f32x2 acc_68 = acc_4;
        f32x2 acc_69 = acc_5;
        f32x2 acc_70 = acc_6;
        f32x2 acc_71 = acc_7;
        f32x2 acc_72 = acc_8;
        f32x2 acc_73 = acc_9;
        f32x2 acc_74 = acc_10;
        f32x2 acc_75 = acc_11;
        f32x2 acc_76 = acc_12;
        f32x2 acc_77 = acc_13;
        f32x2 acc_78 = acc_14;
        f32x2 acc_79 = acc_15;
        f32x2 acc_80 = acc_16;
        f32x2 acc_81 = acc_17;
        f32x2 acc_82 = acc_18;
        f32x2 acc_83 = acc_19;
        f32x2 acc_84 = acc_20;
        f32x2 acc_85 = acc_21;
        f32x2 acc_86 = acc_22;
        f32x2 acc_87 = acc_23;
        f32x2 acc_88 = acc_24;
        f32x2 acc_89 = acc_25;
        f32x2 acc_90 = acc_26;
        f32x2 acc_91 = acc_27;
        f32x2 acc_92 = acc_28;
        f32x2 acc_93 = acc_29;
        f32x2 acc_94 = acc_30;
        f32x2 acc_95 = acc_31;
        f32x2 acc_96 = acc_32;
        f32x2 acc_97 = acc_33;
        f32x2 acc_98 = acc_34;
        if (equal_1) {
            // kernels/attention_kernel.go
            int quotient_4 = (greatest + 15) / 16;
            // kernels/attention_kernel.go
            int quotient_5 = greatest_0 / 16;
            // kernels/attention_kernel.go
            u32x4 q_8 = in_bounds ? *(const u32x4*)&q[index] : splat4(0u);
            u32x4 q_9 = in_bounds ? *(const u32x4*)&q[index_0] : splat4(0u);
            u32x4 q_10 = in_bounds ? *(const u32x4*)&q[index_1] : splat4(0u);
            u32x4 q_11 = in_bounds ? *(const u32x4*)&q[index_2] : splat4(0u);
            u32x4 q_12 = in_bounds ? *(const u32x4*)&q[index_3] : splat4(0u);
            u32x4 q_13 = in_bounds ? *(const u32x4*)&q[index_4] : splat4(0u);
            u32x4 q_14 = in_bounds ? *(const u32x4*)&q[index_5] : splat4(0u);
            u32x4 q_15 = in_bounds ? *(const u32x4*)&q[index_6] : splat4(0u);
            // kernels/attention_hidden.go
            *(u32x4*)&tile_a[lane_3] = q_8;
            *(u32x4*)&tile_a[index_7] = q_9;
            *(u32x4*)&tile_a[index_8] = q_10;
            *(u32x4*)&tile_a[index_9] = q_11;
            *(u32x4*)&tile_a[index_10] = q_12;
            *(u32x4*)&tile_a[index_11] = q_13;
            *(u32x4*)&tile_a[index_12] = q_14;
            *(u32x4*)&tile_a[index_13] = q_15;
            // kernels/attention_kernel.go
            int lane_7 = ((shifted + (both_1 << 7)) ^ both_2) + shifted_0;
            // kernels/attention_kernel.go
            int offset_55 = offset_14 + (q_start2 + lane) * mask_stride2;
            int lane_8 = (thread & 1) << 3;
            int lane_9 = shifted_1 ^ both_1;
            int lane_10 = lane_4 + (both_7 << 2) + (lane & 8) + (both_8 << 3);
            int index_54 = lane_10 + 128;
            int index_55 = lane_10 ^ 8;
            int index_56 = lane_10 ^ 136;
            // kernels/attention_kernel.go
            // kernels/attention_hidden.go
            f32x2 carried = splat2(0.0f);
            f32x2 carried_0 = splat2(0.0f);
            f32x2 carried_1 = splat2(0.0f);
            f32x2 carried_2 = splat2(0.0f);
            f32x2 carried_3 = splat2(0.0f);
            f32x2 carried_4 = splat2(0.0f);
            f32x2 carried_5 = splat2(0.0f);
            f32x2 carried_6 = splat2(0.0f);
            f32x2 carried_7 = splat2(0.0f);
            f32x2 carried_8 = splat2(0.0f);
            f32x2 carried_9 = splat2(0.0f);
            f32x2 carried_10 = splat2(0.0f);
            f32x2 carried_11 = splat2(0.0f);
            f32x2 carried_12 = splat2(0.0f);
            f32x2 carried_13 = splat2(0.0f);
            f32x2 carried_14 = splat2(0.0f);
            f32x2 carried_15 = splat2(0.0f);
            f32x2 carried_16 = splat2(0.0f);
            f32x2 carried_17 = splat2(0.0f);
            f32x2 carried_18 = splat2(0.0f);
            f32x2 carried_19 = splat2(0.0f);
            f32x2 carried_20 = splat2(0.0f);
            f32x2 carried_21 = splat2(0.0f);
            f32x2 carried_22 = splat2(0.0f);
            f32x2 carried_23 = splat2(0.0f);
            f32x2 carried_24 = splat2(0.0f);
            f32x2 carried_25 = splat2(0.0f);
            f32x2 carried_26 = splat2(0.0f);
            f32x2 carried_27 = splat2(0.0f);
            f32x2 carried_28 = splat2(0.0f);
            f32x2 carried_29 = splat2(0.0f);
            f32x2 carried_30 = splat2(0.0f);
            int carried_31 = 0;
            while (true) {
                if (!(carried_31 < quotient_4)) {
                    break;
                }
                // kernels/attention_kernel.go
                int k_start2_2 = (unsigned(carried_31) < 134217728u ? carried_31 : -1) * 16;
                int offset_56 = k_start2_2 + lane_1;
                unsigned bits_8 = unsigned(k_start2_2);
                u32x4 k_0 = both_4 && bits_8 < bits_3 && less ? *(const u32x4*)&k[offset_5 + offset_56 * k_stride2 + lane_2] : splat4(0u);
                // kernels/attention_kernel.go
                asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
                *(u32x4*)&scratch[lane_7] = k_0;
                asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
                u64 place_23 = matrix_place(tile_a, offset_6, 128);
                u64 place_24 = matrix_place(scratch, 0, 16);
                u64 place_25 = matrix_place(tile_a, offset_7, 128);
                u64 place_26 = matrix_place(scratch, 16, 16);
                u64 place_27 = matrix_place(tile_a, offset_8, 128);
                u64 place_28 = matrix_place(scratch, 32, 16);
                u64 place_29 = matrix_place(tile_a, offset_9, 128);
                u64 place_30 = matrix_place(scratch, 48, 16);
                u64 place_31 = matrix_place(tile_a, offset_10, 128);
                u64 place_32 = matrix_place(scratch, 1024, 16);
                u64 place_33 = matrix_place(tile_a, offset_11, 128);
                u64 place_34 = matrix_place(scratch, 1040, 16);
                u64 place_35 = matrix_place(tile_a, offset_12, 128);
                u64 place_36 = matrix_place(scratch, 1056, 16);
                u64 place_37 = matrix_place(tile_a, offset_13, 128);
                u64 place_38 = matrix_place(scratch, 1072, 16);
                f32x4 acc_99 = lanes;
                f32x4 acc_100 = lanes;
                group_begin_f32_2(acc_99, acc_100);
                group_mma_f16_16_0_0(acc_99, acc_100, place_23, place_24);
                group_mma_f16_16_0_0(acc_99, acc_100, place_25, place_26);
                group_mma_f16_16_0_0(acc_99, acc_100, place_27, place_28);
                group_mma_f16_16_0_0(acc_99, acc_100, place_29, place_30);
                group_mma_f16_16_0_0(acc_99, acc_100, place_31, place_32);
                group_mma_f16_16_0_0(acc_99, acc_100, place_33, place_34);
                group_mma_f16_16_0_0(acc_99, acc_100, place_35, place_36);
                group_mma_f16_16_0_0(acc_99, acc_100, place_37, place_38);
                group_end_f32_2(acc_99, acc_100);
                group_wait_0_f32_2(acc_99, acc_100);
                f32x2 lanes_40 = f32x2{acc_99.x, acc_99.y};
                f32x2 lanes_41 = f32x2{acc_99.z, acc_99.w};
                f32x2 lanes_42 = f32x2{acc_100.x, acc_100.y};
                f32x2 lanes_43 = f32x2{acc_100.z, acc_100.w};
                // kernels/attention_kernel.go
                f32x2 product_63 = lanes_40 * splat2(scale);
                f32x2 product_64 = lanes_41 * splat2(scale);
                f32x2 product_65 = lanes_42 * splat2(scale);
                f32x2 product_66 = lanes_43 * splat2(scale);
                // kernels/attention_kernel.go
                u32x4 mask_24 = both_5 && bits_8 < bits_4 ? *(const u32x4*)&mask[offset_55 + k_start2_2 + lane_8] : splat4(0u);
                asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
                *(u32x4*)&scratch[lane_9] = mask_24;
                asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
                unsigned exchange_63 = *(const unsigned*)&scratch[lane_10];
                f32x2 exchange_64 = unpack_f16(exchange_63);
                unsigned exchange_65 = *(const unsigned*)&scratch[index_54];
                f32x2 exchange_66 = unpack_f16(exchange_65);
                unsigned exchange_67 = *(const unsigned*)&scratch[index_55];
                f32x2 exchange_68 = unpack_f16(exchange_67);
                unsigned exchange_69 = *(const unsigned*)&scratch[index_56];
                f32x2 exchange_70 = unpack_f16(exchange_69);
                // kernels/attention_kernel.go
                f32x2 chosen_65 = select((exchange_64 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_64, splat2(1.442695f), product_63));
                f32x2 chosen_66 = select((exchange_66 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_66, splat2(1.442695f), product_64));
                f32x2 chosen_67 = select((exchange_68 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_68, splat2(1.442695f), product_65));
                f32x2 chosen_68 = select((exchange_70 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(exchange_70, splat2(1.442695f), product_66));
                // kernels/attention_kernel.go
                bool at_least_0 = carried_31 >= quotient_5;
                // kernels/attention_kernel.go
                f32x2 chosen_69 = chosen_65;
                f32x2 chosen_70 = chosen_66;
                f32x2 chosen_71 = chosen_67;
                f32x2 chosen_72 = chosen_68;
                if (at_least_0) {
                    // kernels/attention_kernel.go
                    i32x2 lanes_44 = splat2(carried_31 * 16);
                    i32x2 offset_57 = i32x2{lane_4, lane_4 + 1} + lanes_44;
                    i32x2 offset_58 = i32x2{lane_4 + 8, lane_4 + 9} + lanes_44;
                    // kernels/attention_kernel.go
                    boolx2 less_33 = offset_57 < splat2(least);
                    boolx2 less_34 = offset_57 < splat2(least_0);
                    boolx2 less_35 = offset_58 < splat2(least);
                    boolx2 less_36 = offset_58 < splat2(least_0);
                    chosen_69 = select(less_33, chosen_65, splat2(__int_as_float(0xff800000)));
                    chosen_70 = select(less_34, chosen_66, splat2(__int_as_float(0xff800000)));
                    chosen_71 = select(less_35, chosen_67, splat2(__int_as_float(0xff800000)));
                    chosen_72 = select(less_36, chosen_68, splat2(__int_as_float(0xff800000)));
                }
                // kernels/attention_kernel.go
                f32x2 power_33 = exp2_flushed(chosen_69 - splat2(acc));
                f32x2 power_34 = exp2_flushed(chosen_70 - splat2(acc_0));
                f32x2 power_35 = exp2_flushed(chosen_71 - splat2(acc));
                f32x2 power_36 = exp2_flushed(chosen_72 - splat2(acc_0));
                // kernels/attention_hidden.go
                f32x2 converted = to_f32(chosen_69 >= splat2(-3.4028235e+38f));
                f32x2 converted_0 = to_f32(chosen_70 >= splat2(-3.4028235e+38f));
                f32x2 converted_1 = to_f32(chosen_71 >= splat2(-3.4028235e+38f));
                f32x2 converted_2 = to_f32(chosen_72 >= splat2(-3.4028235e+38f));
                // kernels/attention_hidden.go
                u32x4 v_0 = both_9 && bits_8 < bits_5 && less_0 ? *(const u32x4*)&v[offset_23 + offset_56 * v_stride2 + lane_2] : splat4(0u);
                f32x4 v_1 = unpack_f16(u32x2{v_0.x, v_0.y});
                f32x4 v_2 = unpack_f16(u32x2{v_0.z, v_0.w});
                // kernels/attention_hidden.go
                i32x4 bits_9 = as_i32(v_1);
                i32x4 bits_10 = as_i32(v_2);
                boolx4 equal_2 = (bits_9 & splat4(2139095040)) == splat4(2139095040);
                boolx4 equal_3 = (bits_10 & splat4(2139095040)) == splat4(2139095040);
                // kernels/attention_hidden.go
                u32x2 value = pack_f16(select(equal_2, splat4(0.0f), v_1));
                u32x2 value_0 = pack_f16(select(equal_3, splat4(0.0f), v_2));
                asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
                *(u32x4*)&scratch[lane_7] = u32x4{value.x, value.y, value_0.x, value_0.y};
                u32x4 lanes_45 = u32x4{pack_f16(power_33), pack_f16(power_34), pack_f16(power_35), pack_f16(power_36)};
                asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
                u64 place_39 = matrix_place(scratch, 0, 16);
                f32x4 acc_101 = f32x4{carried.x, carried.y, carried_0.x, carried_0.y};
                f32x4 acc_102 = f32x4{carried_1.x, carried_1.y, carried_2.x, carried_2.y};
                f32x4 acc_103 = f32x4{carried_3.x, carried_3.y, carried_4.x, carried_4.y};
                f32x4 acc_104 = f32x4{carried_5.x, carried_5.y, carried_6.x, carried_6.y};
                f32x4 acc_105 = f32x4{carried_7.x, carried_7.y, carried_8.x, carried_8.y};
                f32x4 acc_106 = f32x4{carried_9.x, carried_9.y, carried_10.x, carried_10.y};
                f32x4 acc_107 = f32x4{carried_11.x, carried_11.y, carried_12.x, carried_12.y};
                f32x4 acc_108 = f32x4{carried_13.x, carried_13.y, carried_14.x, carried_14.y};
                f32x4 acc_109 = f32x4{carried_15.x, carried_15.y, carried_16.x, carried_16.y};
                f32x4 acc_110 = f32x4{carried_17.x, carried_17.y, carried_18.x, carried_18.y};
                f32x4 acc_111 = f32x4{carried_19.x, carried_19.y, carried_20.x, carried_20.y};
                f32x4 acc_112 = f32x4{carried_21.x, carried_21.y, carried_22.x, carried_22.y};
                f32x4 acc_113 = f32x4{carried_23.x, carried_23.y, carried_24.x, carried_24.y};
                f32x4 acc_114 = f32x4{carried_25.x, carried_25.y, carried_26.x, carried_26.y};
                f32x4 acc_115 = f32x4{carried_27.x, carried_27.y, carried_28.x, carried_28.y};
                f32x4 acc_116 = f32x4{carried_29.x, carried_29.y, carried_30.x, carried_30.y};
                group_begin_f32_16_1(acc_101, acc_102, acc_103, acc_104, acc_105, acc_106, acc_107, acc_108, acc_109, acc_110, acc_111, acc_112, acc_113, acc_114, acc_115, acc_116, lanes_45);
                group_mma_f16_128_r_1(acc_101, acc_102, acc_103, acc_104, acc_105, acc_106, acc_107, acc_108, acc_109, acc_110, acc_111, acc_112, acc_113, acc_114, acc_115, acc_116, lanes_45, place_39);
                group_end_f32_16_1(acc_101, acc_102, acc_103, acc_104, acc_105, acc_106, acc_107, acc_108, acc_109, acc_110, acc_111, acc_112, acc_113, acc_114, acc_115, acc_116, lanes_45);
                group_wait_0_f32_16(acc_101, acc_102, acc_103, acc_104, acc_105, acc_106, acc_107, acc_108, acc_109, acc_110, acc_111, acc_112, acc_113, acc_114, acc_115, acc_116);
                f32x2 lanes_46 = f32x2{acc_101.x, acc_101.y};
                f32x2 lanes_47 = f32x2{acc_101.z, acc_101.w};
                f32x2 lanes_48 = f32x2{acc_102.x, acc_102.y};
                f32x2 lanes_49 = f32x2{acc_102.z, acc_102.w};
                f32x2 lanes_50 = f32x2{acc_103.x, acc_103.y};
                f32x2 lanes_51 = f32x2{acc_103.z, acc_103.w};
                f32x2 lanes_52 = f32x2{acc_104.x, acc_104.y};
                f32x2 lanes_53 = f32x2{acc_104.z, acc_104.w};
                f32x2 lanes_54 = f32x2{acc_105.x, acc_105.y};
                f32x2 lanes_55 = f32x2{acc_105.z, acc_105.w};
                f32x2 lanes_56 = f32x2{acc_106.x, acc_106.y};
                f32x2 lanes_57 = f32x2{acc_106.z, acc_106.w};
                f32x2 lanes_58 = f32x2{acc_107.x, acc_107.y};
                f32x2 lanes_59 = f32x2{acc_107.z, acc_107.w};
                f32x2 lanes_60 = f32x2{acc_108.x, acc_108.y};
                f32x2 lanes_61 = f32x2{acc_108.z, acc_108.w};
                f32x2 lanes_62 = f32x2{acc_109.x, acc_109.y};
                f32x2 lanes_63 = f32x2{acc_109.z, acc_109.w};
                f32x2 lanes_64 = f32x2{acc_110.x, acc_110.y};
                f32x2 lanes_65 = f32x2{acc_110.z, acc_110.w};
                f32x2 lanes_66 = f32x2{acc_111.x, acc_111.y};
                f32x2 lanes_67 = f32x2{acc_111.z, acc_111.w};
                f32x2 lanes_68 = f32x2{acc_112.x, acc_112.y};
                f32x2 lanes_69 = f32x2{acc_112.z, acc_112.w};
                f32x2 lanes_70 = f32x2{acc_113.x, acc_113.y};
                f32x2 lanes_71 = f32x2{acc_113.z, acc_113.w};
                f32x2 lanes_72 = f32x2{acc_114.x, acc_114.y};
                f32x2 lanes_73 = f32x2{acc_114.z, acc_114.w};
                f32x2 lanes_74 = f32x2{acc_115.x, acc_115.y};
                f32x2 lanes_75 = f32x2{acc_115.z, acc_115.w};
                f32x2 lanes_76 = f32x2{acc_116.x, acc_116.y};
                f32x2 lanes_77 = f32x2{acc_116.z, acc_116.w};
                // kernels/attention_hidden.go
                f32x4 chosen_73 = select((bits_9 == splat4(-8388608)), splat4(64.0f), splat4(65.0f));
                f32x4 chosen_74 = select((bits_10 == splat4(-8388608)), splat4(64.0f), splat4(65.0f));
                f32x4 chosen_75 = select((bits_9 == splat4(2139095040)), splat4(1.0f), chosen_73);
                f32x4 chosen_76 = select((bits_10 == splat4(2139095040)), splat4(1.0f), chosen_74);
                // kernels/attention_hidden.go
                f32x4 chosen_77 = select(equal_2, chosen_75, splat4(0.0f));
                f32x4 chosen_78 = select(equal_3, chosen_76, splat4(0.0f));
                // kernels/attention_hidden.go
                u32x2 value_1 = pack_f16(chosen_77);
                u32x2 value_2 = pack_f16(chosen_78);
                asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
                *(u32x4*)&scratch[lane_7] = u32x4{value_1.x, value_1.y, value_2.x, value_2.y};
                u32x4 lanes_78 = u32x4{pack_f16(converted), pack_f16(converted_0), pack_f16(converted_1), pack_f16(converted_2)};
                asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
                u64 place_40 = matrix_place(scratch, 0, 16);
                f32x4 acc_117 = lanes;
                f32x4 acc_118 = lanes;
                f32x4 acc_119 = lanes;
                f32x4 acc_120 = lanes;
                f32x4 acc_121 = lanes;
                f32x4 acc_122 = lanes;
                f32x4 acc_123 = lanes;
                f32x4 acc_124 = lanes;
                f32x4 acc_125 = lanes;
                f32x4 acc_126 = lanes;
                f32x4 acc_127 = lanes;
                f32x4 acc_128 = lanes;
                f32x4 acc_129 = lanes;
                f32x4 acc_130 = lanes;
                f32x4 acc_131 = lanes;
                f32x4 acc_132 = lanes;
                group_begin_f32_16_1(acc_117, acc_118, acc_119, acc_120, acc_121, acc_122, acc_123, acc_124, acc_125, acc_126, acc_127, acc_128, acc_129, acc_130, acc_131, acc_132, lanes_78);
                group_mma_f16_128_r_1(acc_117, acc_118, acc_119, acc_120, acc_121, acc_122, acc_123, acc_124, acc_125, acc_126, acc_127, acc_128, acc_129, acc_130, acc_131, acc_132, lanes_78, place_40);
                group_end_f32_16_1(acc_117, acc_118, acc_119, acc_120, acc_121, acc_122, acc_123, acc_124, acc_125, acc_126, acc_127, acc_128, acc_129, acc_130, acc_131, acc_132, lanes_78);
                group_wait_0_f32_16(acc_117, acc_118, acc_119, acc_120, acc_121, acc_122, acc_123, acc_124, acc_125, acc_126, acc_127, acc_128, acc_129, acc_130, acc_131, acc_132);
                i32x2 converted_3 = to_i32(f32x2{acc_117.x, acc_117.y});
                i32x2 converted_4 = to_i32(f32x2{acc_117.z, acc_117.w});
                i32x2 converted_5 = to_i32(f32x2{acc_118.x, acc_118.y});
                i32x2 converted_6 = to_i32(f32x2{acc_118.z, acc_118.w});
                i32x2 converted_7 = to_i32(f32x2{acc_119.x, acc_119.y});
                i32x2 converted_8 = to_i32(f32x2{acc_119.z, acc_119.w});
                i32x2 converted_9 = to_i32(f32x2{acc_120.x, acc_120.y});
                i32x2 converted_10 = to_i32(f32x2{acc_120.z, acc_120.w});
                i32x2 converted_11 = to_i32(f32x2{acc_121.x, acc_121.y});
                i32x2 converted_12 = to_i32(f32x2{acc_121.z, acc_121.w});
                i32x2 converted_13 = to_i32(f32x2{acc_122.x, acc_122.y});
                i32x2 converted_14 = to_i32(f32x2{acc_122.z, acc_122.w});
                i32x2 converted_15 = to_i32(f32x2{acc_123.x, acc_123.y});
                i32x2 converted_16 = to_i32(f32x2{acc_123.z, acc_123.w});
                i32x2 converted_17 = to_i32(f32x2{acc_124.x, acc_124.y});
                i32x2 converted_18 = to_i32(f32x2{acc_124.z, acc_124.w});
                i32x2 converted_19 = to_i32(f32x2{acc_125.x, acc_125.y});
                i32x2 converted_20 = to_i32(f32x2{acc_125.z, acc_125.w});
                i32x2 converted_21 = to_i32(f32x2{acc_126.x, acc_126.y});
                i32x2 converted_22 = to_i32(f32x2{acc_126.z, acc_126.w});
                i32x2 converted_23 = to_i32(f32x2{acc_127.x, acc_127.y});
                i32x2 converted_24 = to_i32(f32x2{acc_127.z, acc_127.w});
                i32x2 converted_25 = to_i32(f32x2{acc_128.x, acc_128.y});
                i32x2 converted_26 = to_i32(f32x2{acc_128.z, acc_128.w});
                i32x2 converted_27 = to_i32(f32x2{acc_129.x, acc_129.y});
                i32x2 converted_28 = to_i32(f32x2{acc_129.z, acc_129.w});
                i32x2 converted_29 = to_i32(f32x2{acc_130.x, acc_130.y});
                i32x2 converted_30 = to_i32(f32x2{acc_130.z, acc_130.w});
                i32x2 converted_31 = to_i32(f32x2{acc_131.x, acc_131.y});
                i32x2 converted_32 = to_i32(f32x2{acc_131.z, acc_131.w});
                i32x2 converted_33 = to_i32(f32x2{acc_132.x, acc_132.y});
                i32x2 converted_34 = to_i32(f32x2{acc_132.z, acc_132.w});
                // kernels/attention_hidden.go
                f32x2 chosen_79 = select(((converted_3 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_80 = select(((converted_4 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_81 = select(((converted_5 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_82 = select(((converted_6 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_83 = select(((converted_7 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_84 = select(((converted_8 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_85 = select(((converted_9 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_86 = select(((converted_10 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_87 = select(((converted_11 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_88 = select(((converted_12 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_89 = select(((converted_13 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_90 = select(((converted_14 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_91 = select(((converted_15 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_92 = select(((converted_16 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_93 = select(((converted_17 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_94 = select(((converted_18 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_95 = select(((converted_19 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_96 = select(((converted_20 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_97 = select(((converted_21 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_98 = select(((converted_22 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_99 = select(((converted_23 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_100 = select(((converted_24 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_101 = select(((converted_25 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_102 = select(((converted_26 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_103 = select(((converted_27 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_104 = select(((converted_28 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_105 = select(((converted_29 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_106 = select(((converted_30 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_107 = select(((converted_31 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_108 = select(((converted_32 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_109 = select(((converted_33 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 chosen_110 = select(((converted_34 & splat2(63)) != splat2(0)), splat2(__int_as_float(0x7f800000)), splat2(0.0f));
                f32x2 sum_24 = lanes_46 + chosen_79;
                f32x2 sum_25 = lanes_47 + chosen_80;
                f32x2 sum_26 = lanes_48 + chosen_81;
                f32x2 sum_27 = lanes_49 + chosen_82;
                f32x2 sum_28 = lanes_50 + chosen_83;
                f32x2 sum_29 = lanes_51 + chosen_84;
                f32x2 sum_30 = lanes_52 + chosen_85;
                f32x2 sum_31 = lanes_53 + chosen_86;
                f32x2 sum_32 = lanes_54 + chosen_87;
                f32x2 sum_33 = lanes_55 + chosen_88;
                f32x2 sum_34 = lanes_56 + chosen_89;
                f32x2 sum_35 = lanes_57 + chosen_90;
                f32x2 sum_36 = lanes_58 + chosen_91;
                f32x2 sum_37 = lanes_59 + chosen_92;
                f32x2 sum_38 = lanes_60 + chosen_93;
                f32x2 sum_39 = lanes_61 + chosen_94;
                f32x2 sum_40 = lanes_62 + chosen_95;
                f32x2 sum_41 = lanes_63 + chosen_96;
                f32x2 sum_42 = lanes_64 + chosen_97;
                f32x2 sum_43 = lanes_65 + chosen_98;
                f32x2 sum_44 = lanes_66 + chosen_99;
                f32x2 sum_45 = lanes_67 + chosen_100;
                f32x2 sum_46 = lanes_68 + chosen_101;
                f32x2 sum_47 = lanes_69 + chosen_102;
                f32x2 sum_48 = lanes_70 + chosen_103;
                f32x2 sum_49 = lanes_71 + chosen_104;
                f32x2 sum_50 = lanes_72 + chosen_105;
                f32x2 sum_51 = lanes_73 + chosen_106;
                f32x2 sum_52 = lanes_74 + chosen_107;
                f32x2 sum_53 = lanes_75 + chosen_108;
                f32x2 sum_54 = lanes_76 + chosen_109;
                f32x2 sum_55 = lanes_77 + chosen_110;
                // kernels/attention_hidden.go
                f32x2 chosen_111 = select((converted_3 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_112 = select((converted_4 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_113 = select((converted_5 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_114 = select((converted_6 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_115 = select((converted_7 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_116 = select((converted_8 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_117 = select((converted_9 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_118 = select((converted_10 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_119 = select((converted_11 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_120 = select((converted_12 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_121 = select((converted_13 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_122 = select((converted_14 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_123 = select((converted_15 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_124 = select((converted_16 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_125 = select((converted_17 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_126 = select((converted_18 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_127 = select((converted_19 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_128 = select((converted_20 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_129 = select((converted_21 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_130 = select((converted_22 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_131 = select((converted_23 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_132 = select((converted_24 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_133 = select((converted_25 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_134 = select((converted_26 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_135 = select((converted_27 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_136 = select((converted_28 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_137 = select((converted_29 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_138 = select((converted_30 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_139 = select((converted_31 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_140 = select((converted_32 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_141 = select((converted_33 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 chosen_142 = select((converted_34 >= splat2(64)), splat2(__int_as_float(0xff800000)), splat2(0.0f));
                f32x2 sum_56 = sum_24 + chosen_111;
                f32x2 sum_57 = sum_25 + chosen_112;
                f32x2 sum_58 = sum_26 + chosen_113;
                f32x2 sum_59 = sum_27 + chosen_114;
                f32x2 sum_60 = sum_28 + chosen_115;
                f32x2 sum_61 = sum_29 + chosen_116;
                f32x2 sum_62 = sum_30 + chosen_117;
                f32x2 sum_63 = sum_31 + chosen_118;
                f32x2 sum_64 = sum_32 + chosen_119;
                f32x2 sum_65 = sum_33 + chosen_120;
                f32x2 sum_66 = sum_34 + chosen_121;
                f32x2 sum_67 = sum_35 + chosen_122;
                f32x2 sum_68 = sum_36 + chosen_123;
                f32x2 sum_69 = sum_37 + chosen_124;
                f32x2 sum_70 = sum_38 + chosen_125;
                f32x2 sum_71 = sum_39 + chosen_126;
                f32x2 sum_72 = sum_40 + chosen_127;
                f32x2 sum_73 = sum_41 + chosen_128;
                f32x2 sum_74 = sum_42 + chosen_129;
                f32x2 sum_75 = sum_43 + chosen_130;
                f32x2 sum_76 = sum_44 + chosen_131;
                f32x2 sum_77 = sum_45 + chosen_132;
                f32x2 sum_78 = sum_46 + chosen_133;
                f32x2 sum_79 = sum_47 + chosen_134;
                f32x2 sum_80 = sum_48 + chosen_135;
                f32x2 sum_81 = sum_49 + chosen_136;
                f32x2 sum_82 = sum_50 + chosen_137;
                f32x2 sum_83 = sum_51 + chosen_138;
                f32x2 sum_84 = sum_52 + chosen_139;
                f32x2 sum_85 = sum_53 + chosen_140;
                f32x2 sum_86 = sum_54 + chosen_141;
                f32x2 sum_87 = sum_55 + chosen_142;
                carried = sum_56;
                carried_0 = sum_57;
                carried_1 = sum_58;
                carried_2 = sum_59;
                carried_3 = sum_60;
                carried_4 = sum_61;
                carried_5 = sum_62;
                carried_6 = sum_63;
                carried_7 = sum_64;
                carried_8 = sum_65;
                carried_9 = sum_66;
                carried_10 = sum_67;
                carried_11 = sum_68;
                carried_12 = sum_69;
                carried_13 = sum_70;
                carried_14 = sum_71;
                carried_15 = sum_72;
                carried_16 = sum_73;
                carried_17 = sum_74;
                carried_18 = sum_75;
                carried_19 = sum_76;
                carried_20 = sum_77;
                carried_21 = sum_78;
                carried_22 = sum_79;
                carried_23 = sum_80;
                carried_24 = sum_81;
                carried_25 = sum_82;
                carried_26 = sum_83;
                carried_27 = sum_84;
                carried_28 = sum_85;
                carried_29 = sum_86;
                carried_30 = sum_87;
                carried_31 = carried_31 + 1;
            }
            acc_67 = carried;
            acc_68 = carried_0;
            acc_69 = carried_1;
            acc_70 = carried_2;
            acc_71 = carried_3;
            acc_72 = carried_4;
            acc_73 = carried_5;
            acc_74 = carried_6;
            acc_75 = carried_7;
            acc_76 = carried_8;
            acc_77 = carried_9;
            acc_78 = carried_10;
            acc_79 = carried_11;
            acc_80 = carried_12;
            acc_81 = carried_13;
            acc_82 = carried_14;
            acc_83 = carried_15;
            acc_84 = carried_16;
            acc_85 = carried_17;
            acc_86 = carried_18;
            acc_87 = carried_19;
            acc_88 = carried_20;
            acc_89 = carried_21;
            acc_90 = carried_22;
            acc_91 = carried_23;
            acc_92 = carried_24;
            acc_93 = carried_25;
            acc_94 = carried_26;
            acc_95 = carried_27;
            acc_96 = carried_28;
            acc_97 = carried_29;
            acc_98 = carried_30;
        }
        // kernels/attention_kernel.go
        bool equal_4 = acc_1 == 0.0f;
        bool equal_5 = acc_2 == 0.0f;
        // kernels/attention_kernel.go
        float quotient_6 = 1.0f / (equal_4 ? 1.0f : acc_1);
        float quotient_7 = 1.0f / (equal_5 ? 1.0f : acc_2);
        // kernels/attention_kernel.go
        f32x2 product_67 = acc_67 * splat2(quotient_6);
        f32x2 product_68 = acc_68 * splat2(quotient_7);
        f32x2 product_69 = acc_69 * splat2(quotient_6);
        f32x2 product_70 = acc_70 * splat2(quotient_7);
        f32x2 product_71 = acc_71 * splat2(quotient_6);
        f32x2 product_72 = acc_72 * splat2(quotient_7);
        f32x2 product_73 = acc_73 * splat2(quotient_6);
        f32x2 product_74 = acc_74 * splat2(quotient_7);
        f32x2 product_75 = acc_75 * splat2(quotient_6);
        f32x2 product_76 = acc_76 * splat2(quotient_7);
        f32x2 product_77 = acc_77 * splat2(quotient_6);
        f32x2 product_78 = acc_78 * splat2(quotient_7);
        f32x2 product_79 = acc_79 * splat2(quotient_6);
        f32x2 product_80 = acc_80 * splat2(quotient_7);
        f32x2 product_81 = acc_81 * splat2(quotient_6);
        f32x2 product_82 = acc_82 * splat2(quotient_7);
        f32x2 product_83 = acc_83 * splat2(quotient_6);
        f32x2 product_84 = acc_84 * splat2(quotient_7);
        f32x2 product_85 = acc_85 * splat2(quotient_6);
        f32x2 product_86 = acc_86 * splat2(quotient_7);
        f32x2 product_87 = acc_87 * splat2(quotient_6);
        f32x2 product_88 = acc_88 * splat2(quotient_7);
        f32x2 product_89 = acc_89 * splat2(quotient_6);
        f32x2 product_90 = acc_90 * splat2(quotient_7);
        f32x2 product_91 = acc_91 * splat2(quotient_6);
        f32x2 product_92 = acc_92 * splat2(quotient_7);
        f32x2 product_93 = acc_93 * splat2(quotient_6);
        f32x2 product_94 = acc_94 * splat2(quotient_7);
        f32x2 product_95 = acc_95 * splat2(quotient_6);
        f32x2 product_96 = acc_96 * splat2(quotient_7);
        f32x2 product_97 = acc_97 * splat2(quotient_6);
        f32x2 product_98 = acc_98 * splat2(quotient_7);
        // kernels/attention_kernel.go
        if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
        int lane_11 = ((shifted + (both << 6)) ^ (lane & 8)) + (both_8 << 5);
        u32x4 lanes_79 = u32x4{pack_f16(product_67), pack_f16(product_68), pack_f16(product_69), pack_f16(product_70)};
        store_matrix4(tile_out, lane_11, lanes_79);
        int changed_0 = lane_11 ^ 16;
        u32x4 lanes_80 = u32x4{pack_f16(product_71), pack_f16(product_72), pack_f16(product_73), pack_f16(product_74)};
        store_matrix4(tile_out, changed_0, lanes_80);
        int changed_1 = lane_11 ^ 32;
        u32x4 lanes_81 = u32x4{pack_f16(product_75), pack_f16(product_76), pack_f16(product_77), pack_f16(product_78)};
        store_matrix4(tile_out, changed_1, lanes_81);
        int changed_2 = lane_11 ^ 48;
        u32x4 lanes_82 = u32x4{pack_f16(product_79), pack_f16(product_80), pack_f16(product_81), pack_f16(product_82)};
        store_matrix4(tile_out, changed_2, lanes_82);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
        if (threadIdx.x == 0) tensor_store4(tile_out, 0, out_map, 0, q_start2, q_start0, q_start1);
        if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
        u32x4 lanes_83 = u32x4{pack_f16(product_83), pack_f16(product_84), pack_f16(product_85), pack_f16(product_86)};
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
        store_matrix4(tile_out, lane_11 + 8192, lanes_83);
        u32x4 lanes_84 = u32x4{pack_f16(product_87), pack_f16(product_88), pack_f16(product_89), pack_f16(product_90)};
        store_matrix4(tile_out, changed_0 + 8192, lanes_84);
        u32x4 lanes_85 = u32x4{pack_f16(product_91), pack_f16(product_92), pack_f16(product_93), pack_f16(product_94)};
        store_matrix4(tile_out, changed_1 + 8192, lanes_85);
        u32x4 lanes_86 = u32x4{pack_f16(product_95), pack_f16(product_96), pack_f16(product_97), pack_f16(product_98)};
        store_matrix4(tile_out, changed_2 + 8192, lanes_86);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
        if (threadIdx.x == 0) tensor_store4(tile_out, 8192, out_map, 64, q_start2, q_start0, q_start1);
        // kernels/attention_kernel.go
        float product_99 = (acc + log2f(acc_1)) * 0.6931472f;
        float product_100 = (acc_0 + log2f(acc_2)) * 0.6931472f;
        // kernels/attention_kernel.go
        float chosen_143 = equal_4 ? __int_as_float(0xff800000) : product_99;
        float chosen_144 = equal_5 ? __int_as_float(0xff800000) : product_100;
        // kernels/attention_kernel.go
        int index_57 = lse_offset + q_start0 * lse_stride0 + q_start1 * lse_stride1 + q_start2 + lane_0;
        bool both_10 = bits < unsigned(lse_size0) && bits_0 < unsigned(lse_size1) && bits_1 < unsigned(lse_size2);
        bool in_bounds_2 = both_3 == 0 && both_10;
        if (in_bounds_2) {
            lse[index_57] = chosen_143;
            lse[index_57 + 8] = chosen_144;
        }
        if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}
