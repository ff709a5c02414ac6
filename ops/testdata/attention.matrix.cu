typedef long long i64;
typedef unsigned long long u64;

struct alignas(64) tensor_map { u64 words[16]; };
struct f16 { unsigned short bits; };
struct alignas(8) f32x2 { float x, y; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(8) i32x2 { int x, y; };
struct alignas(2) boolx2 { bool x, y; };

__device__ inline f32x2 splat2(float a) {
    return {a, a};
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
    int k_size1,
    int k_size2,
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
    f16* const exchange = (f16*)(shared_memory + 163840); // kernels/attention_kernel.go: elements change threads
    f16* const tile_b_0 = (f16*)(shared_memory + 65536); // kernels/attention_kernel.go: operand b of the product
    f16* const tile_out = (f16*)(shared_memory + 196608); // kernels/attention_kernel.go: on its way out
    u64* const full = (u64*)(shared_memory + 229376); // kernels/attention_kernel.go: what was copied is there
    u64* const empty = (u64*)(shared_memory + 229504); // kernels/attention_kernel.go: and no longer needed
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
    int shifted = thread >> 1;
    int lane = ((thread >> 2) & 7) + (shifted & 112);
    int offset = lane + q_start2;
    int offset_0 = lane + 8 + q_start2;
    // kernels/attention_kernel.go
    int offset_1 = last + 1;
    // kernels/attention_kernel.go
    int least = min(offset + offset_1, k_size2);
    int least_0 = min(offset_0 + offset_1, k_size2);
    // kernels/attention_kernel.go
    int quotient_2 = (max(min(q_start2 + last + 128, k_size2), 0) + 127) / 128;
    // kernels/attention_kernel.go
    int quotient_3 = max(min(q_start2 + offset_1, k_size2), 0) / 128;
    // kernels/attention_kernel.go
    unsigned bits = unsigned(q_start0);
    unsigned bits_0 = unsigned(q_start1);
    int lane_0 = thread >> 4;
    int offset_2 = q_start2 + lane_0;
    int offset_3 = q_offset + q_start0 * q_stride0 + q_start1 * q_stride1 + offset_2 * q_stride2;
    unsigned bits_1 = unsigned(q_start2);
    int both = thread & 15;
    int lane_1 = both << 3;
    int index = offset_3 + lane_1;
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
        u32x4 q_1 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 16] : splat4(0u);
        u32x4 q_2 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 32] : splat4(0u);
        u32x4 q_3 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 48] : splat4(0u);
        u32x4 q_4 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 64] : splat4(0u);
        u32x4 q_5 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 80] : splat4(0u);
        u32x4 q_6 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 96] : splat4(0u);
        u32x4 q_7 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 112] : splat4(0u);
        // kernels/attention_kernel.go
        int shifted_0 = (thread & 7) << 3;
        int both_1 = shifted & 56;
        int lane_2 = ((shifted_0 + ((thread & 8) << 10)) ^ both_1) + ((thread & 240) << 2);
        *(u32x4*)&tile_a[lane_2] = q_0;
        *(u32x4*)&tile_a[lane_2 + 1024] = q_1;
        *(u32x4*)&tile_a[lane_2 + 2048] = q_2;
        *(u32x4*)&tile_a[lane_2 + 3072] = q_3;
        *(u32x4*)&tile_a[lane_2 + 4096] = q_4;
        *(u32x4*)&tile_a[lane_2 + 5120] = q_5;
        *(u32x4*)&tile_a[lane_2 + 6144] = q_6;
        *(u32x4*)&tile_a[lane_2 + 7168] = q_7;
        // kernels/attention_kernel.go
        int both_2 = thread & 3;
        int lane_3 = both_2 << 1;
        // kernels/attention_kernel.go
        f32x4 lanes = f32x4{0.0f, 0.0f, 0.0f, 0.0f};
        int offset_5 = ((thread >> 7) & 1) * 4096;
        int offset_6 = 16 + offset_5;
        int offset_7 = 32 + offset_5;
        int offset_8 = 48 + offset_5;
        int offset_9 = 8192 + offset_5;
        int offset_10 = 8208 + offset_5;
        int offset_11 = 8224 + offset_5;
        int offset_12 = 8240 + offset_5;
        // kernels/attention_kernel.go
        // kernels/attention_kernel.go
        int offset_13 = mask_offset + q_start0 * mask_stride0 + q_start1 * mask_stride1 + offset_2 * mask_stride2;
        unsigned bits_2 = unsigned(mask_size3);
        bool both_3 = bits < unsigned(mask_size0) && bits_0 < unsigned(mask_size1) && bits_1 < unsigned(mask_size2);
        int offset_14 = mask_stride2 * 16;
        int offset_15 = mask_stride2 * 32;
        int offset_16 = mask_stride2 * 48;
        int offset_17 = mask_stride2 * 64;
        int offset_18 = mask_stride2 * 80;
        int offset_19 = mask_stride2 * 96;
        int offset_20 = mask_stride2 * 112;
        int lane_4 = (thread << 3) ^ both_1;
        int index_0 = lane_4 + 2048;
        int index_1 = lane_4 + 4096;
        int index_2 = lane_4 + 6144;
        int index_3 = lane_4 + 8192;
        int index_4 = lane_4 + 10240;
        int index_5 = lane_4 + 12288;
        int index_6 = lane_4 + 14336;
        int both_4 = thread & 224;
        int lane_5 = ((thread & 31) << 1) + ((thread & 28) << 5) + (both_4 << 6);
        int index_7 = lane_5 + 1024;
        int index_8 = lane_5 ^ 8;
        int index_9 = lane_5 ^ 1032;
        int index_10 = lane_5 ^ 16;
        int index_11 = lane_5 ^ 1040;
        int index_12 = lane_5 ^ 24;
        int index_13 = lane_5 ^ 1048;
        int index_14 = lane_5 ^ 32;
        int index_15 = lane_5 ^ 1056;
        int index_16 = lane_5 ^ 40;
        int index_17 = lane_5 ^ 1064;
        int index_18 = lane_5 ^ 48;
        int index_19 = lane_5 ^ 1072;
        int index_20 = lane_5 ^ 56;
        int index_21 = lane_5 ^ 1080;
        int index_22 = lane_5 + 64;
        int index_23 = lane_5 + 1088;
        int index_24 = lane_5 ^ 72;
        int index_25 = lane_5 ^ 1096;
        int index_26 = lane_5 ^ 80;
        int index_27 = lane_5 ^ 1104;
        int index_28 = lane_5 ^ 88;
        int index_29 = lane_5 ^ 1112;
        int index_30 = lane_5 ^ 96;
        int index_31 = lane_5 ^ 1120;
        int index_32 = lane_5 ^ 104;
        int index_33 = lane_5 ^ 1128;
        int index_34 = lane_5 ^ 112;
        int index_35 = lane_5 ^ 1136;
        int index_36 = lane_5 ^ 120;
        int index_37 = lane_5 ^ 1144;
        bool more = 0 < quotient_2;
        // kernels/attention_kernel.go
        unsigned bits_3 = unsigned(0);
        // kernels/attention_kernel.go
        int index_38 = offset_13 + lane_1;
        bool in_bounds_0 = both_3 && bits_3 < bits_2 && more;
        u32x4 mask_0 = in_bounds_0 ? *(const u32x4*)&mask[index_38] : splat4(0u);
        u32x4 mask_1 = in_bounds_0 ? *(const u32x4*)&mask[index_38 + offset_14] : splat4(0u);
        u32x4 mask_2 = in_bounds_0 ? *(const u32x4*)&mask[index_38 + offset_15] : splat4(0u);
        u32x4 mask_3 = in_bounds_0 ? *(const u32x4*)&mask[index_38 + offset_16] : splat4(0u);
        u32x4 mask_4 = in_bounds_0 ? *(const u32x4*)&mask[index_38 + offset_17] : splat4(0u);
        u32x4 mask_5 = in_bounds_0 ? *(const u32x4*)&mask[index_38 + offset_18] : splat4(0u);
        u32x4 mask_6 = in_bounds_0 ? *(const u32x4*)&mask[index_38 + offset_19] : splat4(0u);
        u32x4 mask_7 = in_bounds_0 ? *(const u32x4*)&mask[index_38 + offset_20] : splat4(0u);
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
            int offset_21 = 8192 + stage_3;
            // kernels/attention_kernel.go
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
            u64 place = matrix_place(tile_a, offset_5, 128);
            // kernels/attention_kernel.go
            barrier_wait(full, stage_2, turn_1);
            // kernels/attention_kernel.go
            u64 place_0 = matrix_place(tile_b, stage_3, 128);
            u64 place_1 = matrix_place(tile_a, offset_6, 128);
            int offset_22 = 16 + stage_3;
            u64 place_2 = matrix_place(tile_b, offset_22, 128);
            u64 place_3 = matrix_place(tile_a, offset_7, 128);
            int offset_23 = 32 + stage_3;
            u64 place_4 = matrix_place(tile_b, offset_23, 128);
            u64 place_5 = matrix_place(tile_a, offset_8, 128);
            int offset_24 = 48 + stage_3;
            u64 place_6 = matrix_place(tile_b, offset_24, 128);
            u64 place_7 = matrix_place(tile_a, offset_9, 128);
            u64 place_8 = matrix_place(tile_b, offset_21, 128);
            u64 place_9 = matrix_place(tile_a, offset_10, 128);
            int offset_25 = 8208 + stage_3;
            u64 place_10 = matrix_place(tile_b, offset_25, 128);
            u64 place_11 = matrix_place(tile_a, offset_11, 128);
            int offset_26 = 8224 + stage_3;
            u64 place_12 = matrix_place(tile_b, offset_26, 128);
            u64 place_13 = matrix_place(tile_a, offset_12, 128);
            int offset_27 = 8240 + stage_3;
            u64 place_14 = matrix_place(tile_b, offset_27, 128);
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
            *(u32x4*)&exchange[lane_4] = mask_8;
            *(u32x4*)&exchange[index_0] = mask_9;
            *(u32x4*)&exchange[index_1] = mask_10;
            *(u32x4*)&exchange[index_2] = mask_11;
            *(u32x4*)&exchange[index_3] = mask_12;
            *(u32x4*)&exchange[index_4] = mask_13;
            *(u32x4*)&exchange[index_5] = mask_14;
            *(u32x4*)&exchange[index_6] = mask_15;
            int offset_28 = i_0 + 1;
            bool more_0 = offset_28 < quotient_2;
            int next = more_0 ? offset_28 : i_0;
            // kernels/attention_kernel.go
            int k_start2_1 = next * 128;
            unsigned bits_4 = unsigned(k_start2_1);
            // kernels/attention_kernel.go
            int index_39 = offset_13 + k_start2_1 + lane_1;
            bool in_bounds_1 = both_3 && bits_4 < bits_2;
            u32x4 mask_16 = in_bounds_1 ? *(const u32x4*)&mask[index_39] : splat4(0u);
            u32x4 mask_17 = in_bounds_1 ? *(const u32x4*)&mask[index_39 + offset_14] : splat4(0u);
            u32x4 mask_18 = in_bounds_1 ? *(const u32x4*)&mask[index_39 + offset_15] : splat4(0u);
            u32x4 mask_19 = in_bounds_1 ? *(const u32x4*)&mask[index_39 + offset_16] : splat4(0u);
            u32x4 mask_20 = in_bounds_1 ? *(const u32x4*)&mask[index_39 + offset_17] : splat4(0u);
            u32x4 mask_21 = in_bounds_1 ? *(const u32x4*)&mask[index_39 + offset_18] : splat4(0u);
            u32x4 mask_22 = in_bounds_1 ? *(const u32x4*)&mask[index_39 + offset_19] : splat4(0u);
            u32x4 mask_23 = in_bounds_1 ? *(const u32x4*)&mask[index_39 + offset_20] : splat4(0u);
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
            unsigned exchange_0 = *(const unsigned*)&exchange[lane_5];
            f32x2 exchange_1 = unpack_f16(exchange_0);
            unsigned exchange_2 = *(const unsigned*)&exchange[index_7];
            f32x2 exchange_3 = unpack_f16(exchange_2);
            unsigned exchange_4 = *(const unsigned*)&exchange[index_8];
            f32x2 exchange_5 = unpack_f16(exchange_4);
            unsigned exchange_6 = *(const unsigned*)&exchange[index_9];
            f32x2 exchange_7 = unpack_f16(exchange_6);
            unsigned exchange_8 = *(const unsigned*)&exchange[index_10];
            f32x2 exchange_9 = unpack_f16(exchange_8);
            unsigned exchange_10 = *(const unsigned*)&exchange[index_11];
            f32x2 exchange_11 = unpack_f16(exchange_10);
            unsigned exchange_12 = *(const unsigned*)&exchange[index_12];
            f32x2 exchange_13 = unpack_f16(exchange_12);
            unsigned exchange_14 = *(const unsigned*)&exchange[index_13];
            f32x2 exchange_15 = unpack_f16(exchange_14);
            unsigned exchange_16 = *(const unsigned*)&exchange[index_14];
            f32x2 exchange_17 = unpack_f16(exchange_16);
            unsigned exchange_18 = *(const unsigned*)&exchange[index_15];
            f32x2 exchange_19 = unpack_f16(exchange_18);
            unsigned exchange_20 = *(const unsigned*)&exchange[index_16];
            f32x2 exchange_21 = unpack_f16(exchange_20);
            unsigned exchange_22 = *(const unsigned*)&exchange[index_17];
            f32x2 exchange_23 = unpack_f16(exchange_22);
            unsigned exchange_24 = *(const unsigned*)&exchange[index_18];
            f32x2 exchange_25 = unpack_f16(exchange_24);
            unsigned exchange_26 = *(const unsigned*)&exchange[index_19];
            f32x2 exchange_27 = unpack_f16(exchange_26);
            unsigned exchange_28 = *(const unsigned*)&exchange[index_20];
            f32x2 exchange_29 = unpack_f16(exchange_28);
            unsigned exchange_30 = *(const unsigned*)&exchange[index_21];
            f32x2 exchange_31 = unpack_f16(exchange_30);
            unsigned exchange_32 = *(const unsigned*)&exchange[index_22];
            f32x2 exchange_33 = unpack_f16(exchange_32);
            unsigned exchange_34 = *(const unsigned*)&exchange[index_23];
            f32x2 exchange_35 = unpack_f16(exchange_34);
            unsigned exchange_36 = *(const unsigned*)&exchange[index_24];
            f32x2 exchange_37 = unpack_f16(exchange_36);
            unsigned exchange_38 = *(const unsigned*)&exchange[index_25];
            f32x2 exchange_39 = unpack_f16(exchange_38);
            unsigned exchange_40 = *(const unsigned*)&exchange[index_26];
            f32x2 exchange_41 = unpack_f16(exchange_40);
            unsigned exchange_42 = *(const unsigned*)&exchange[index_27];
            f32x2 exchange_43 = unpack_f16(exchange_42);
            unsigned exchange_44 = *(const unsigned*)&exchange[index_28];
            f32x2 exchange_45 = unpack_f16(exchange_44);
            unsigned exchange_46 = *(const unsigned*)&exchange[index_29];
            f32x2 exchange_47 = unpack_f16(exchange_46);
            unsigned exchange_48 = *(const unsigned*)&exchange[index_30];
            f32x2 exchange_49 = unpack_f16(exchange_48);
            unsigned exchange_50 = *(const unsigned*)&exchange[index_31];
            f32x2 exchange_51 = unpack_f16(exchange_50);
            unsigned exchange_52 = *(const unsigned*)&exchange[index_32];
            f32x2 exchange_53 = unpack_f16(exchange_52);
            unsigned exchange_54 = *(const unsigned*)&exchange[index_33];
            f32x2 exchange_55 = unpack_f16(exchange_54);
            unsigned exchange_56 = *(const unsigned*)&exchange[index_34];
            f32x2 exchange_57 = unpack_f16(exchange_56);
            unsigned exchange_58 = *(const unsigned*)&exchange[index_35];
            f32x2 exchange_59 = unpack_f16(exchange_58);
            unsigned exchange_60 = *(const unsigned*)&exchange[index_36];
            f32x2 exchange_61 = unpack_f16(exchange_60);
            unsigned exchange_62 = *(const unsigned*)&exchange[index_37];
            f32x2 exchange_63 = unpack_f16(exchange_62);
            // kernels/attention_kernel.go
            f32x2 fused = fmaf(exchange_1, splat2(1.442695f), product);
            f32x2 fused_0 = fmaf(exchange_3, splat2(1.442695f), product_0);
            f32x2 fused_1 = fmaf(exchange_5, splat2(1.442695f), product_1);
            f32x2 fused_2 = fmaf(exchange_7, splat2(1.442695f), product_2);
            f32x2 fused_3 = fmaf(exchange_9, splat2(1.442695f), product_3);
            f32x2 fused_4 = fmaf(exchange_11, splat2(1.442695f), product_4);
            f32x2 fused_5 = fmaf(exchange_13, splat2(1.442695f), product_5);
            f32x2 fused_6 = fmaf(exchange_15, splat2(1.442695f), product_6);
            f32x2 fused_7 = fmaf(exchange_17, splat2(1.442695f), product_7);
            f32x2 fused_8 = fmaf(exchange_19, splat2(1.442695f), product_8);
            f32x2 fused_9 = fmaf(exchange_21, splat2(1.442695f), product_9);
            f32x2 fused_10 = fmaf(exchange_23, splat2(1.442695f), product_10);
            f32x2 fused_11 = fmaf(exchange_25, splat2(1.442695f), product_11);
            f32x2 fused_12 = fmaf(exchange_27, splat2(1.442695f), product_12);
            f32x2 fused_13 = fmaf(exchange_29, splat2(1.442695f), product_13);
            f32x2 fused_14 = fmaf(exchange_31, splat2(1.442695f), product_14);
            f32x2 fused_15 = fmaf(exchange_33, splat2(1.442695f), product_15);
            f32x2 fused_16 = fmaf(exchange_35, splat2(1.442695f), product_16);
            f32x2 fused_17 = fmaf(exchange_37, splat2(1.442695f), product_17);
            f32x2 fused_18 = fmaf(exchange_39, splat2(1.442695f), product_18);
            f32x2 fused_19 = fmaf(exchange_41, splat2(1.442695f), product_19);
            f32x2 fused_20 = fmaf(exchange_43, splat2(1.442695f), product_20);
            f32x2 fused_21 = fmaf(exchange_45, splat2(1.442695f), product_21);
            f32x2 fused_22 = fmaf(exchange_47, splat2(1.442695f), product_22);
            f32x2 fused_23 = fmaf(exchange_49, splat2(1.442695f), product_23);
            f32x2 fused_24 = fmaf(exchange_51, splat2(1.442695f), product_24);
            f32x2 fused_25 = fmaf(exchange_53, splat2(1.442695f), product_25);
            f32x2 fused_26 = fmaf(exchange_55, splat2(1.442695f), product_26);
            f32x2 fused_27 = fmaf(exchange_57, splat2(1.442695f), product_27);
            f32x2 fused_28 = fmaf(exchange_59, splat2(1.442695f), product_28);
            f32x2 fused_29 = fmaf(exchange_61, splat2(1.442695f), product_29);
            f32x2 fused_30 = fmaf(exchange_63, splat2(1.442695f), product_30);
            // kernels/attention_kernel.go
            bool at_least = i_0 >= quotient_3;
            // kernels/attention_kernel.go
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
            f32x2 chosen_17 = fused_15;
            f32x2 chosen_18 = fused_16;
            f32x2 chosen_19 = fused_17;
            f32x2 chosen_20 = fused_18;
            f32x2 chosen_21 = fused_19;
            f32x2 chosen_22 = fused_20;
            f32x2 chosen_23 = fused_21;
            f32x2 chosen_24 = fused_22;
            f32x2 chosen_25 = fused_23;
            f32x2 chosen_26 = fused_24;
            f32x2 chosen_27 = fused_25;
            f32x2 chosen_28 = fused_26;
            f32x2 chosen_29 = fused_27;
            f32x2 chosen_30 = fused_28;
            f32x2 chosen_31 = fused_29;
            f32x2 chosen_32 = fused_30;
            if (at_least) {
                // kernels/attention_kernel.go
                i32x2 offset_29 = i32x2{lane_3, lane_3 + 1} + splat2(k_start2_0);
                i32x2 offset_30 = i32x2{lane_3 + 8, lane_3 + 9} + splat2(k_start2_0);
                i32x2 offset_31 = i32x2{lane_3 + 16, lane_3 + 17} + splat2(k_start2_0);
                i32x2 offset_32 = i32x2{lane_3 + 24, lane_3 + 25} + splat2(k_start2_0);
                i32x2 offset_33 = i32x2{lane_3 + 32, lane_3 + 33} + splat2(k_start2_0);
                i32x2 offset_34 = i32x2{lane_3 + 40, lane_3 + 41} + splat2(k_start2_0);
                i32x2 offset_35 = i32x2{lane_3 + 48, lane_3 + 49} + splat2(k_start2_0);
                i32x2 offset_36 = i32x2{lane_3 + 56, lane_3 + 57} + splat2(k_start2_0);
                i32x2 offset_37 = i32x2{lane_3 + 64, lane_3 + 65} + splat2(k_start2_0);
                i32x2 offset_38 = i32x2{lane_3 + 72, lane_3 + 73} + splat2(k_start2_0);
                i32x2 offset_39 = i32x2{lane_3 + 80, lane_3 + 81} + splat2(k_start2_0);
                i32x2 offset_40 = i32x2{lane_3 + 88, lane_3 + 89} + splat2(k_start2_0);
                i32x2 offset_41 = i32x2{lane_3 + 96, lane_3 + 97} + splat2(k_start2_0);
                i32x2 offset_42 = i32x2{lane_3 + 104, lane_3 + 105} + splat2(k_start2_0);
                i32x2 offset_43 = i32x2{lane_3 + 112, lane_3 + 113} + splat2(k_start2_0);
                i32x2 offset_44 = i32x2{lane_3 + 120, lane_3 + 121} + splat2(k_start2_0);
                // kernels/attention_kernel.go
                boolx2 less = offset_29 < splat2(least);
                boolx2 less_0 = offset_29 < splat2(least_0);
                boolx2 less_1 = offset_30 < splat2(least);
                boolx2 less_2 = offset_30 < splat2(least_0);
                boolx2 less_3 = offset_31 < splat2(least);
                boolx2 less_4 = offset_31 < splat2(least_0);
                boolx2 less_5 = offset_32 < splat2(least);
                boolx2 less_6 = offset_32 < splat2(least_0);
                boolx2 less_7 = offset_33 < splat2(least);
                boolx2 less_8 = offset_33 < splat2(least_0);
                boolx2 less_9 = offset_34 < splat2(least);
                boolx2 less_10 = offset_34 < splat2(least_0);
                boolx2 less_11 = offset_35 < splat2(least);
                boolx2 less_12 = offset_35 < splat2(least_0);
                boolx2 less_13 = offset_36 < splat2(least);
                boolx2 less_14 = offset_36 < splat2(least_0);
                boolx2 less_15 = offset_37 < splat2(least);
                boolx2 less_16 = offset_37 < splat2(least_0);
                boolx2 less_17 = offset_38 < splat2(least);
                boolx2 less_18 = offset_38 < splat2(least_0);
                boolx2 less_19 = offset_39 < splat2(least);
                boolx2 less_20 = offset_39 < splat2(least_0);
                boolx2 less_21 = offset_40 < splat2(least);
                boolx2 less_22 = offset_40 < splat2(least_0);
                boolx2 less_23 = offset_41 < splat2(least);
                boolx2 less_24 = offset_41 < splat2(least_0);
                boolx2 less_25 = offset_42 < splat2(least);
                boolx2 less_26 = offset_42 < splat2(least_0);
                boolx2 less_27 = offset_43 < splat2(least);
                boolx2 less_28 = offset_43 < splat2(least_0);
                boolx2 less_29 = offset_44 < splat2(least);
                boolx2 less_30 = offset_44 < splat2(least_0);
                chosen_1 = select(less, fused, splat2(__int_as_float(0xff800000)));
                chosen_2 = select(less_0, fused_0, splat2(__int_as_float(0xff800000)));
                chosen_3 = select(less_1, fused_1, splat2(__int_as_float(0xff800000)));
                chosen_4 = select(less_2, fused_2, splat2(__int_as_float(0xff800000)));
                chosen_5 = select(less_3, fused_3, splat2(__int_as_float(0xff800000)));
                chosen_6 = select(less_4, fused_4, splat2(__int_as_float(0xff800000)));
                chosen_7 = select(less_5, fused_5, splat2(__int_as_float(0xff800000)));
                chosen_8 = select(less_6, fused_6, splat2(__int_as_float(0xff800000)));
                chosen_9 = select(less_7, fused_7, splat2(__int_as_float(0xff800000)));
                chosen_10 = select(less_8, fused_8, splat2(__int_as_float(0xff800000)));
                chosen_11 = select(less_9, fused_9, splat2(__int_as_float(0xff800000)));
                chosen_12 = select(less_10, fused_10, splat2(__int_as_float(0xff800000)));
                chosen_13 = select(less_11, fused_11, splat2(__int_as_float(0xff800000)));
                chosen_14 = select(less_12, fused_12, splat2(__int_as_float(0xff800000)));
                chosen_15 = select(less_13, fused_13, splat2(__int_as_float(0xff800000)));
                chosen_16 = select(less_14, fused_14, splat2(__int_as_float(0xff800000)));
                chosen_17 = select(less_15, fused_15, splat2(__int_as_float(0xff800000)));
                chosen_18 = select(less_16, fused_16, splat2(__int_as_float(0xff800000)));
                chosen_19 = select(less_17, fused_17, splat2(__int_as_float(0xff800000)));
                chosen_20 = select(less_18, fused_18, splat2(__int_as_float(0xff800000)));
                chosen_21 = select(less_19, fused_19, splat2(__int_as_float(0xff800000)));
                chosen_22 = select(less_20, fused_20, splat2(__int_as_float(0xff800000)));
                chosen_23 = select(less_21, fused_21, splat2(__int_as_float(0xff800000)));
                chosen_24 = select(less_22, fused_22, splat2(__int_as_float(0xff800000)));
                chosen_25 = select(less_23, fused_23, splat2(__int_as_float(0xff800000)));
                chosen_26 = select(less_24, fused_24, splat2(__int_as_float(0xff800000)));
                chosen_27 = select(less_25, fused_25, splat2(__int_as_float(0xff800000)));
                chosen_28 = select(less_26, fused_26, splat2(__int_as_float(0xff800000)));
                chosen_29 = select(less_27, fused_27, splat2(__int_as_float(0xff800000)));
                chosen_30 = select(less_28, fused_28, splat2(__int_as_float(0xff800000)));
                chosen_31 = select(less_29, fused_29, splat2(__int_as_float(0xff800000)));
                chosen_32 = select(less_30, fused_30, splat2(__int_as_float(0xff800000)));
            }
            // kernels/attention_kernel.go
            f32x2 greatest = fmaxf(fmaxf(fmaxf(fmaxf(chosen_1, chosen_3), chosen_5), chosen_7), chosen_9);
            f32x2 greatest_0 = fmaxf(fmaxf(fmaxf(fmaxf(chosen_2, chosen_4), chosen_6), chosen_8), chosen_10);
            f32x2 greatest_1 = fmaxf(fmaxf(fmaxf(fmaxf(greatest, chosen_11), chosen_13), chosen_15), chosen_17);
            f32x2 greatest_2 = fmaxf(fmaxf(fmaxf(fmaxf(greatest_0, chosen_12), chosen_14), chosen_16), chosen_18);
            f32x2 greatest_3 = fmaxf(fmaxf(fmaxf(fmaxf(greatest_1, chosen_19), chosen_21), chosen_23), chosen_25);
            f32x2 greatest_4 = fmaxf(fmaxf(fmaxf(fmaxf(greatest_2, chosen_20), chosen_22), chosen_24), chosen_26);
            f32x2 greatest_5 = fmaxf(fmaxf(fmaxf(greatest_3, chosen_27), chosen_29), chosen_31);
            f32x2 greatest_6 = fmaxf(fmaxf(fmaxf(greatest_4, chosen_28), chosen_30), chosen_32);
            float greatest_7 = fmaxf(greatest_5.x, greatest_5.y);
            float greatest_8 = fmaxf(greatest_6.x, greatest_6.y);
            float other = __shfl_xor_sync(0xffffffffu, greatest_7, 1);
            float greatest_9 = fmaxf(greatest_7, other);
            float other_0 = __shfl_xor_sync(0xffffffffu, greatest_8, 1);
            float greatest_10 = fmaxf(greatest_8, other_0);
            float other_1 = __shfl_xor_sync(0xffffffffu, greatest_9, 2);
            float other_2 = __shfl_xor_sync(0xffffffffu, greatest_10, 2);
            float greatest_11 = fmaxf(acc, fmaxf(greatest_9, other_1));
            float greatest_12 = fmaxf(acc_0, fmaxf(greatest_10, other_2));
            // kernels/attention_kernel.go
            f32x2 power = exp2_flushed(chosen_1 - splat2(greatest_11));
            f32x2 power_0 = exp2_flushed(chosen_2 - splat2(greatest_12));
            f32x2 power_1 = exp2_flushed(chosen_3 - splat2(greatest_11));
            f32x2 power_2 = exp2_flushed(chosen_4 - splat2(greatest_12));
            f32x2 power_3 = exp2_flushed(chosen_5 - splat2(greatest_11));
            f32x2 power_4 = exp2_flushed(chosen_6 - splat2(greatest_12));
            f32x2 power_5 = exp2_flushed(chosen_7 - splat2(greatest_11));
            f32x2 power_6 = exp2_flushed(chosen_8 - splat2(greatest_12));
            f32x2 power_7 = exp2_flushed(chosen_9 - splat2(greatest_11));
            f32x2 power_8 = exp2_flushed(chosen_10 - splat2(greatest_12));
            f32x2 power_9 = exp2_flushed(chosen_11 - splat2(greatest_11));
            f32x2 power_10 = exp2_flushed(chosen_12 - splat2(greatest_12));
            f32x2 power_11 = exp2_flushed(chosen_13 - splat2(greatest_11));
            f32x2 power_12 = exp2_flushed(chosen_14 - splat2(greatest_12));
            f32x2 power_13 = exp2_flushed(chosen_15 - splat2(greatest_11));
            f32x2 power_14 = exp2_flushed(chosen_16 - splat2(greatest_12));
            f32x2 power_15 = exp2_flushed(chosen_17 - splat2(greatest_11));
            f32x2 power_16 = exp2_flushed(chosen_18 - splat2(greatest_12));
            f32x2 power_17 = exp2_flushed(chosen_19 - splat2(greatest_11));
            f32x2 power_18 = exp2_flushed(chosen_20 - splat2(greatest_12));
            f32x2 power_19 = exp2_flushed(chosen_21 - splat2(greatest_11));
            f32x2 power_20 = exp2_flushed(chosen_22 - splat2(greatest_12));
            f32x2 power_21 = exp2_flushed(chosen_23 - splat2(greatest_11));
            f32x2 power_22 = exp2_flushed(chosen_24 - splat2(greatest_12));
            f32x2 power_23 = exp2_flushed(chosen_25 - splat2(greatest_11));
            f32x2 power_24 = exp2_flushed(chosen_26 - splat2(greatest_12));
            f32x2 power_25 = exp2_flushed(chosen_27 - splat2(greatest_11));
            f32x2 power_26 = exp2_flushed(chosen_28 - splat2(greatest_12));
            f32x2 power_27 = exp2_flushed(chosen_29 - splat2(greatest_11));
            f32x2 power_28 = exp2_flushed(chosen_30 - splat2(greatest_12));
            f32x2 power_29 = exp2_flushed(chosen_31 - splat2(greatest_11));
            f32x2 power_30 = exp2_flushed(chosen_32 - splat2(greatest_12));
            float power_31 = exp2_flushed(acc - greatest_11);
            float power_32 = exp2_flushed(acc_0 - greatest_12);
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
            int offset_45 = 1024 + stage_3;
            u64 place_16 = matrix_place(tile_b_0, offset_45, 128);
            u32x4 lanes_34 = u32x4{pack_f16(power_7), pack_f16(power_8), pack_f16(power_9), pack_f16(power_10)};
            int offset_46 = 2048 + stage_3;
            u64 place_17 = matrix_place(tile_b_0, offset_46, 128);
            u32x4 lanes_35 = u32x4{pack_f16(power_11), pack_f16(power_12), pack_f16(power_13), pack_f16(power_14)};
            int offset_47 = 3072 + stage_3;
            u64 place_18 = matrix_place(tile_b_0, offset_47, 128);
            u32x4 lanes_36 = u32x4{pack_f16(power_15), pack_f16(power_16), pack_f16(power_17), pack_f16(power_18)};
            int offset_48 = 4096 + stage_3;
            u64 place_19 = matrix_place(tile_b_0, offset_48, 128);
            u32x4 lanes_37 = u32x4{pack_f16(power_19), pack_f16(power_20), pack_f16(power_21), pack_f16(power_22)};
            int offset_49 = 5120 + stage_3;
            u64 place_20 = matrix_place(tile_b_0, offset_49, 128);
            u32x4 lanes_38 = u32x4{pack_f16(power_23), pack_f16(power_24), pack_f16(power_25), pack_f16(power_26)};
            int offset_50 = 6144 + stage_3;
            u64 place_21 = matrix_place(tile_b_0, offset_50, 128);
            u32x4 lanes_39 = u32x4{pack_f16(power_27), pack_f16(power_28), pack_f16(power_29), pack_f16(power_30)};
            int offset_51 = 7168 + stage_3;
            u64 place_22 = matrix_place(tile_b_0, offset_51, 128);
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
            acc = greatest_11;
            acc_0 = greatest_12;
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
        // kernels/attention_kernel.go
        bool equal_1 = acc_1 == 0.0f;
        bool equal_2 = acc_2 == 0.0f;
        // kernels/attention_kernel.go
        float quotient_4 = 1.0f / (equal_1 ? 1.0f : acc_1);
        float quotient_5 = 1.0f / (equal_2 ? 1.0f : acc_2);
        // kernels/attention_kernel.go
        f32x2 product_63 = acc_3 * splat2(quotient_4);
        f32x2 product_64 = acc_4 * splat2(quotient_5);
        f32x2 product_65 = acc_5 * splat2(quotient_4);
        f32x2 product_66 = acc_6 * splat2(quotient_5);
        f32x2 product_67 = acc_7 * splat2(quotient_4);
        f32x2 product_68 = acc_8 * splat2(quotient_5);
        f32x2 product_69 = acc_9 * splat2(quotient_4);
        f32x2 product_70 = acc_10 * splat2(quotient_5);
        f32x2 product_71 = acc_11 * splat2(quotient_4);
        f32x2 product_72 = acc_12 * splat2(quotient_5);
        f32x2 product_73 = acc_13 * splat2(quotient_4);
        f32x2 product_74 = acc_14 * splat2(quotient_5);
        f32x2 product_75 = acc_15 * splat2(quotient_4);
        f32x2 product_76 = acc_16 * splat2(quotient_5);
        f32x2 product_77 = acc_17 * splat2(quotient_4);
        f32x2 product_78 = acc_18 * splat2(quotient_5);
        f32x2 product_79 = acc_19 * splat2(quotient_4);
        f32x2 product_80 = acc_20 * splat2(quotient_5);
        f32x2 product_81 = acc_21 * splat2(quotient_4);
        f32x2 product_82 = acc_22 * splat2(quotient_5);
        f32x2 product_83 = acc_23 * splat2(quotient_4);
        f32x2 product_84 = acc_24 * splat2(quotient_5);
        f32x2 product_85 = acc_25 * splat2(quotient_4);
        f32x2 product_86 = acc_26 * splat2(quotient_5);
        f32x2 product_87 = acc_27 * splat2(quotient_4);
        f32x2 product_88 = acc_28 * splat2(quotient_5);
        f32x2 product_89 = acc_29 * splat2(quotient_4);
        f32x2 product_90 = acc_30 * splat2(quotient_5);
        f32x2 product_91 = acc_31 * splat2(quotient_4);
        f32x2 product_92 = acc_32 * splat2(quotient_5);
        f32x2 product_93 = acc_33 * splat2(quotient_4);
        f32x2 product_94 = acc_34 * splat2(quotient_5);
        // kernels/attention_kernel.go
        if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
        int lane_6 = ((shifted_0 + (both << 6)) ^ (shifted & 8)) + (both_4 << 5);
        u32x4 lanes_40 = u32x4{pack_f16(product_63), pack_f16(product_64), pack_f16(product_65), pack_f16(product_66)};
        store_matrix4(tile_out, lane_6, lanes_40);
        int changed_0 = lane_6 ^ 16;
        u32x4 lanes_41 = u32x4{pack_f16(product_67), pack_f16(product_68), pack_f16(product_69), pack_f16(product_70)};
        store_matrix4(tile_out, changed_0, lanes_41);
        int changed_1 = lane_6 ^ 32;
        u32x4 lanes_42 = u32x4{pack_f16(product_71), pack_f16(product_72), pack_f16(product_73), pack_f16(product_74)};
        store_matrix4(tile_out, changed_1, lanes_42);
        int changed_2 = lane_6 ^ 48;
        u32x4 lanes_43 = u32x4{pack_f16(product_75), pack_f16(product_76), pack_f16(product_77), pack_f16(product_78)};
        store_matrix4(tile_out, changed_2, lanes_43);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
        if (threadIdx.x == 0) tensor_store4(tile_out, 0, out_map, 0, q_start2, q_start0, q_start1);
        if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
        u32x4 lanes_44 = u32x4{pack_f16(product_79), pack_f16(product_80), pack_f16(product_81), pack_f16(product_82)};
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
        store_matrix4(tile_out, lane_6 + 8192, lanes_44);
        u32x4 lanes_45 = u32x4{pack_f16(product_83), pack_f16(product_84), pack_f16(product_85), pack_f16(product_86)};
        store_matrix4(tile_out, changed_0 + 8192, lanes_45);
        u32x4 lanes_46 = u32x4{pack_f16(product_87), pack_f16(product_88), pack_f16(product_89), pack_f16(product_90)};
        store_matrix4(tile_out, changed_1 + 8192, lanes_46);
        u32x4 lanes_47 = u32x4{pack_f16(product_91), pack_f16(product_92), pack_f16(product_93), pack_f16(product_94)};
        store_matrix4(tile_out, changed_2 + 8192, lanes_47);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 256;" ::: "memory");
        if (threadIdx.x == 0) tensor_store4(tile_out, 8192, out_map, 64, q_start2, q_start0, q_start1);
        // kernels/attention_kernel.go
        float product_95 = (acc + log2f(acc_1)) * 0.6931472f;
        float product_96 = (acc_0 + log2f(acc_2)) * 0.6931472f;
        // kernels/attention_kernel.go
        float chosen_33 = equal_1 ? __int_as_float(0xff800000) : product_95;
        float chosen_34 = equal_2 ? __int_as_float(0xff800000) : product_96;
        // kernels/attention_kernel.go
        int index_40 = lse_offset + q_start0 * lse_stride0 + q_start1 * lse_stride1 + q_start2 + lane;
        bool both_5 = bits < unsigned(lse_size0) && bits_0 < unsigned(lse_size1) && bits_1 < unsigned(lse_size2);
        bool in_bounds_2 = both_2 == 0 && both_5;
        if (in_bounds_2) {
            lse[index_40] = chosen_33;
            lse[index_40 + 8] = chosen_34;
        }
        if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}
