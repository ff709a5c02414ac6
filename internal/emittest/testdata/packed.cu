struct f16 { unsigned short bits; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(8) u32x2 { unsigned x, y; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}
__device__ inline float to_f32(f16 a) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(a.bits));
    return x;
}
__device__ inline f32x4 unpack_f16(u32x2 a) {
    return {to_f32(f16{(unsigned short)a.x}), to_f32(f16{(unsigned short)(a.x >> 16)}), to_f32(f16{(unsigned short)a.y}), to_f32(f16{(unsigned short)(a.y >> 16)})};
}
__device__ inline f32x4 operator*(f32x4 a, f32x4 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline u32x2 pack_f16(f32x4 a) {
    return {unsigned(to_f16(a.x).bits) | (unsigned(to_f16(a.y).bits) << 16), unsigned(to_f16(a.z).bits) | (unsigned(to_f16(a.w).bits) << 16)};
}

extern "C" __global__ void __launch_bounds__(32) packed(const f16* x, f16* __restrict__ y, int n) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    // pack.go:4
    int index = int(threadIdx.x) * 8;
    bool in_bounds = index < n;
    u32x4 x_0 = in_bounds ? *(const u32x4*)&x[index] : splat4(1006648320u);
    // pack.go:5
    u32x2 value = pack_f16(unpack_f16(u32x2{x_0.x, x_0.y}) * splat4(3.0f));
    u32x2 value_0 = pack_f16(unpack_f16(u32x2{x_0.z, x_0.w}) * splat4(3.0f));
    // pack.go:6
    if (in_bounds) {
        *(u32x4*)&y[index] = u32x4{value.x, value.y, value_0.x, value_0.y};
    }
}
