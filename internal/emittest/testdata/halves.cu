struct f16 { unsigned short bits; };
struct bf16 { unsigned short bits; };
struct alignas(8) f16x4 { f16 x, y, z, w; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(8) bf16x4 { bf16 x, y, z, w; };

__device__ inline float to_f32(f16 a) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(a.bits));
    return x;
}
__device__ inline f32x4 to_f32(f16x4 a) {
    return {to_f32(a.x), to_f32(a.y), to_f32(a.z), to_f32(a.w)};
}
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline f32x4 tanhf(f32x4 a) {
    return {tanhf(a.x), tanhf(a.y), tanhf(a.z), tanhf(a.w)};
}
__device__ inline bf16 to_bf16(float a) {
    bf16 x;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline bf16x4 to_bf16(f32x4 a) {
    return {to_bf16(a.x), to_bf16(a.y), to_bf16(a.z), to_bf16(a.w)};
}

extern "C" __global__ void __launch_bounds__(64) halves(
    const f16* x,
    bf16* __restrict__ y,
    f16* __restrict__ z,
    int n) {
    __shared__ alignas(16) f16 tile[64];
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    // halves.go:5
    int index = thread * 4;
    f32x4 x_0 = to_f32(*(const f16x4*)&x[index]);
    tile[thread] = to_f16(expf(x_0.x));
    __syncthreads();
    // halves.go:6
    *(bf16x4*)&y[index] = to_bf16(tanhf(x_0));
    float tile_0 = to_f32(tile[thread ^ 1]);
    if (thread < n) {
        z[thread] = to_f16(tile_0);
    }
}
