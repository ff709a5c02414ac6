typedef long long i64;
typedef unsigned long long u64;

struct alignas(16) f32x4 { float x, y, z, w; };
struct bf16 { unsigned short bits; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline bf16 to_bf16(float a) {
    bf16 x;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline u64 matrix_place(const bf16* array, int at, int lead) {
    unsigned chunk = ((unsigned)__cvta_generic_to_shared(array) & 0x3ffff) / 16 + (at >> 3);
    u64 place;
    asm("mov.b64 %0, {%1, %2};" : "=l"(place) : "r"(chunk + (lead * 8 << 16)), "r"(64 | 1 << 30));
    return place;
}
__device__ inline void group_begin_f32_4_2(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, const u32x4& a0, const u32x4& a1) {
    asm volatile("wgmma.fence.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w) : "r"(a0.x), "r"(a0.y), "r"(a0.z), "r"(a0.w), "r"(a1.x), "r"(a1.y), "r"(a1.z), "r"(a1.w) : "memory");
}
__device__ inline void group_mma_bf16_32_r_0(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, const u32x4& a, u64 b) {
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %21, 0; wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19}, %20, p, 1, 1, 0; }"
        : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w)
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "l"(b), "r"(1));
}
__device__ inline void group_end_f32_4_2(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, const u32x4& a0, const u32x4& a1) {
    asm volatile("wgmma.commit_group.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w) : "r"(a0.x), "r"(a0.y), "r"(a0.z), "r"(a0.w), "r"(a1.x), "r"(a1.y), "r"(a1.z), "r"(a1.w) : "memory");
}
__device__ inline void group_wait_0_f32_4(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3) {
    asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w) :: "memory");
}
__device__ inline void group_begin_f32_8_2(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, const u32x4& a0, const u32x4& a1) {
    asm volatile("wgmma.fence.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w) : "r"(a0.x), "r"(a0.y), "r"(a0.z), "r"(a0.w), "r"(a1.x), "r"(a1.y), "r"(a1.z), "r"(a1.w) : "memory");
}
__device__ inline void group_mma_bf16_32_0_0(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, u64 a, u64 b) {
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %18, 0; wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, p, 1, 1, 0, 0; }"
        : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w)
        : "l"(a), "l"(b), "r"(1));
}
__device__ inline void group_end_f32_8_2(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, const u32x4& a0, const u32x4& a1) {
    asm volatile("wgmma.commit_group.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w) : "r"(a0.x), "r"(a0.y), "r"(a0.z), "r"(a0.w), "r"(a1.x), "r"(a1.y), "r"(a1.z), "r"(a1.w) : "memory");
}
__device__ inline void group_wait_0_f32_8(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7) {
    asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w) :: "memory");
}

extern "C" __global__ void __launch_bounds__(128) held(const unsigned* in, float* __restrict__ out) {
    __shared__ alignas(1024) bf16 tile[4096];
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    // held.go:3
    int thread = int(threadIdx.x);
    tile[thread] = to_bf16(1.0f);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); __syncthreads();
    u32x4 in_0 = *(const u32x4*)&in[0];
    u32x4 lanes = u32x4{in_0.w, in_0.x, in_0.y, in_0.z};
    u32x4 in_1 = *(const u32x4*)&in[thread * 4];
    u32x4 lanes_0 = u32x4{in_1.w, in_1.x, in_1.y, in_1.z};
    u64 place = matrix_place(tile, 0, 64);
    f32x4 acc = splat4(2.0f);
    f32x4 acc_0 = splat4(2.0f);
    f32x4 acc_1 = splat4(2.0f);
    f32x4 acc_2 = splat4(2.0f);
    group_begin_f32_4_2(acc, acc_0, acc_1, acc_2, lanes, lanes_0);
    group_mma_bf16_32_r_0(acc, acc_0, acc_1, acc_2, lanes, place);
    group_mma_bf16_32_r_0(acc, acc_0, acc_1, acc_2, lanes_0, place);
    group_end_f32_4_2(acc, acc_0, acc_1, acc_2, lanes, lanes_0);
    group_wait_0_f32_4(acc, acc_0, acc_1, acc_2);
    f32x4 acc_3 = splat4(2.0f);
    f32x4 acc_4 = splat4(2.0f);
    f32x4 acc_5 = splat4(2.0f);
    f32x4 acc_6 = splat4(2.0f);
    f32x4 acc_7 = splat4(2.0f);
    f32x4 acc_8 = splat4(2.0f);
    f32x4 acc_9 = splat4(2.0f);
    f32x4 acc_10 = splat4(2.0f);
    group_begin_f32_8_2(acc_3, acc_4, acc_5, acc_6, acc_7, acc_8, acc_9, acc_10, lanes_0, lanes);
    group_mma_bf16_32_r_0(acc_3, acc_4, acc_5, acc_6, lanes_0, place);
    group_mma_bf16_32_0_0(acc_3, acc_4, acc_5, acc_6, place, place);
    group_mma_bf16_32_r_0(acc_7, acc_8, acc_9, acc_10, lanes, place);
    group_mma_bf16_32_r_0(acc_7, acc_8, acc_9, acc_10, lanes_0, place);
    group_end_f32_8_2(acc_3, acc_4, acc_5, acc_6, acc_7, acc_8, acc_9, acc_10, lanes_0, lanes);
    group_wait_0_f32_8(acc_3, acc_4, acc_5, acc_6, acc_7, acc_8, acc_9, acc_10);
    int index = thread * 48;
    *(f32x4*)&out[index] = acc;
    *(f32x4*)&out[index + 4] = acc_0;
    *(f32x4*)&out[index + 8] = acc_1;
    *(f32x4*)&out[index + 12] = acc_2;
    *(f32x4*)&out[index + 16] = acc_3;
    *(f32x4*)&out[index + 20] = acc_4;
    *(f32x4*)&out[index + 24] = acc_5;
    *(f32x4*)&out[index + 28] = acc_6;
    *(f32x4*)&out[index + 32] = acc_7;
    *(f32x4*)&out[index + 36] = acc_8;
    *(f32x4*)&out[index + 40] = acc_9;
    *(f32x4*)&out[index + 44] = acc_10;
}
