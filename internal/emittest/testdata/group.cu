typedef long long i64;
typedef unsigned long long u64;

struct alignas(16) f32x4 { float x, y, z, w; };
struct f16 { unsigned short bits; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline u64 matrix_place(const f16* array, int at, int lead) {
    unsigned chunk = ((unsigned)__cvta_generic_to_shared(array) & 0x3ffff) / 16 + (at >> 3);
    u64 place;
    asm("mov.b64 %0, {%1, %2};" : "=l"(place) : "r"(chunk + (lead * 8 << 16)), "r"(64 | 1 << 30));
    return place;
}
__device__ inline void group_begin_f32_8(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7) {
    asm volatile("wgmma.fence.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w) :: "memory");
}
__device__ inline void group_mma_f16_64_1_1(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, u64 a, u64 b) {
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, p, 1, 1, 1, 1; }"
        : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w)
        : "l"(a), "l"(b), "r"(1));
}
__device__ inline void group_end_f32_8(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7) {
    asm volatile("wgmma.commit_group.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w) :: "memory");
}
__device__ inline void group_wait_0_f32_8(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7) {
    asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w) :: "memory");
}

extern "C" __global__ void __launch_bounds__(128) group(float* __restrict__ out) {
    __shared__ alignas(1024) f16 tile[4096];
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    // group.go:3
    int thread = int(threadIdx.x);
    tile[thread] = to_f16(1.0f);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); __syncthreads();
    u64 place = matrix_place(tile, int(__shfl_sync(0xffffffffu, threadIdx.x / 128, 0)) * 4096, 64);
    u64 place_0 = matrix_place(tile, 0, 64);
    f32x4 acc = splat4(2.0f);
    f32x4 acc_0 = splat4(2.0f);
    f32x4 acc_1 = splat4(2.0f);
    f32x4 acc_2 = splat4(2.0f);
    f32x4 acc_3 = splat4(2.0f);
    f32x4 acc_4 = splat4(2.0f);
    f32x4 acc_5 = splat4(2.0f);
    f32x4 acc_6 = splat4(2.0f);
    group_begin_f32_8(acc, acc_0, acc_1, acc_2, acc_3, acc_4, acc_5, acc_6);
    group_mma_f16_64_1_1(acc, acc_0, acc_1, acc_2, acc_3, acc_4, acc_5, acc_6, place, place_0);
    group_mma_f16_64_1_1(acc, acc_0, acc_1, acc_2, acc_3, acc_4, acc_5, acc_6, place, place_0);
    group_end_f32_8(acc, acc_0, acc_1, acc_2, acc_3, acc_4, acc_5, acc_6);
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    group_wait_0_f32_8(acc, acc_0, acc_1, acc_2, acc_3, acc_4, acc_5, acc_6);
    int index = thread * 32;
    *(f32x4*)&out[index] = acc;
    *(f32x4*)&out[index + 4] = acc_0;
    *(f32x4*)&out[index + 8] = acc_1;
    *(f32x4*)&out[index + 12] = acc_2;
    *(f32x4*)&out[index + 16] = acc_3;
    *(f32x4*)&out[index + 20] = acc_4;
    *(f32x4*)&out[index + 24] = acc_5;
    *(f32x4*)&out[index + 28] = acc_6;
}
