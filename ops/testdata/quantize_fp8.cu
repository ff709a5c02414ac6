struct f16 { unsigned short bits; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(8) u32x2 { unsigned x, y; };
struct alignas(4) boolx4 { bool x, y, z, w; };

__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}
__device__ inline f32x4 splat4(float a) {
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
__device__ inline boolx4 splat4(bool a) {
    return {a, a, a, a};
}
__device__ inline f32x4 select(boolx4 a, f32x4 b, f32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}
__device__ inline f32x4 operator/(f32x4 a, f32x4 b) {
    return {a.x / b.x, a.y / b.y, a.z / b.z, a.w / b.w};
}
__device__ inline f32x4 fabsf(f32x4 a) {
    return {fabsf(a.x), fabsf(a.y), fabsf(a.z), fabsf(a.w)};
}
__device__ inline f32x4 fminf(f32x4 a, f32x4 b) {
    return {fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z), fminf(a.w, b.w)};
}
__device__ inline u32x4 as_u32(f32x4 a) {
    return {__float_as_uint(a.x), __float_as_uint(a.y), __float_as_uint(a.z), __float_as_uint(a.w)};
}
__device__ inline u32x4 operator>>(u32x4 a, u32x4 b) {
    return {a.x >> b.x, a.y >> b.y, a.z >> b.z, a.w >> b.w};
}
__device__ inline u32x4 operator&(u32x4 a, u32x4 b) {
    return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w};
}
__device__ inline u32x4 operator+(u32x4 a, u32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline f32x4 rintf(f32x4 a) {
    return {rintf(a.x), rintf(a.y), rintf(a.z), rintf(a.w)};
}
__device__ inline u32x4 to_u32(f32x4 a) {
    return {__float2uint_rz(a.x), __float2uint_rz(a.y), __float2uint_rz(a.z), __float2uint_rz(a.w)};
}
__device__ inline boolx4 operator<(f32x4 a, f32x4 b) {
    return {a.x < b.x, a.y < b.y, a.z < b.z, a.w < b.w};
}
__device__ inline u32x4 select(boolx4 a, u32x4 b, u32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}
__device__ inline u32x4 operator|(u32x4 a, u32x4 b) {
    return {a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w};
}
__device__ inline unsigned pack_u8(u32x4 a) {
    return (unsigned(a.x) & 0xff) | ((unsigned(a.y) & 0xff) << 8) | ((unsigned(a.z) & 0xff) << 16) | ((unsigned(a.w) & 0xff) << 24);
}

extern "C" __global__ void __launch_bounds__(128) quantize(
    const f16* x,
    const float* scales,
    unsigned char* __restrict__ data,
    int x_offset,
    int x_size1,
    int x_stride0,
    int scales_offset,
    int scales_size0,
    int scales_size1,
    int data_offset,
    int data_size0,
    int data_size1,
    int data_stride0) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/quantize_kernel.go
    int quotient = (x_size1 + 255) / 256;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int quotient_0 = program / chosen;
    // kernels/quantize_kernel.go
    int x_start0 = quotient_0 * 8;
    int lane = thread >> 5;
    int offset = x_start0 + lane;
    int x_start1 = remainder_0 * 256;
    int lane_0 = (thread & 31) << 3;
    int offset_0 = x_start1 + lane_0;
    int index = x_offset + offset * x_stride0 + offset_0;
    u32x4 x_0 = *(const u32x4*)&x[index];
    f32x4 x_1 = unpack_f16(u32x2{x_0.x, x_0.y});
    f32x4 x_2 = unpack_f16(u32x2{x_0.z, x_0.w});
    u32x4 x_3 = *(const u32x4*)&x[index + x_stride0 * 4];
    f32x4 x_4 = unpack_f16(u32x2{x_3.x, x_3.y});
    f32x4 x_5 = unpack_f16(u32x2{x_3.z, x_3.w});
    // kernels/quant_view.go
    int index_0 = scales_offset + offset;
    unsigned bits = unsigned(x_start0);
    bool in_bounds = bits < unsigned(scales_size0) && 0u < unsigned(scales_size1);
    float scales_0 = in_bounds ? scales[index_0] : 0.0f;
    float scales_1 = in_bounds ? scales[index_0 + 4] : 0.0f;
    // kernels/quantize_kernel.go
    bool greater = scales_0 > 4.2535296e+37f;
    bool greater_0 = scales_1 > 4.2535296e+37f;
    // kernels/quantize_kernel.go
    f32x4 lanes = splat4(greater ? scales_0 * 0.25f : scales_0);
    f32x4 lanes_0 = splat4(greater_0 ? scales_1 * 0.25f : scales_1);
    f32x4 quotient_1 = select(splat4(greater), x_1 * splat4(0.25f), x_1) / lanes;
    f32x4 quotient_2 = select(splat4(greater), x_2 * splat4(0.25f), x_2) / lanes;
    f32x4 quotient_3 = select(splat4(greater_0), x_4 * splat4(0.25f), x_4) / lanes_0;
    f32x4 quotient_4 = select(splat4(greater_0), x_5 * splat4(0.25f), x_5) / lanes_0;
    // kernels/quant_float8.go
    f32x4 least = fminf(fabsf(quotient_1), splat4(448.0f));
    f32x4 least_0 = fminf(fabsf(quotient_2), splat4(448.0f));
    f32x4 least_1 = fminf(fabsf(quotient_3), splat4(448.0f));
    f32x4 least_2 = fminf(fabsf(quotient_4), splat4(448.0f));
    // kernels/quant_float8.go
    u32x4 bits_0 = as_u32(least);
    u32x4 bits_1 = as_u32(least_0);
    u32x4 bits_2 = as_u32(least_1);
    u32x4 bits_3 = as_u32(least_2);
    // kernels/quant_float8.go
    u32x4 sum = bits_0 + ((bits_0 >> splat4(20u)) & splat4(1u)) + splat4(524287u);
    u32x4 sum_0 = bits_1 + ((bits_1 >> splat4(20u)) & splat4(1u)) + splat4(524287u);
    u32x4 sum_1 = bits_2 + ((bits_2 >> splat4(20u)) & splat4(1u)) + splat4(524287u);
    u32x4 sum_2 = bits_3 + ((bits_3 >> splat4(20u)) & splat4(1u)) + splat4(524287u);
    u32x4 sum_3 = (sum >> splat4(20u)) + splat4(4294966336u);
    u32x4 sum_4 = (sum_0 >> splat4(20u)) + splat4(4294966336u);
    u32x4 sum_5 = (sum_1 >> splat4(20u)) + splat4(4294966336u);
    u32x4 sum_6 = (sum_2 >> splat4(20u)) + splat4(4294966336u);
    // kernels/quant_float8.go
    u32x4 converted = to_u32(rintf(least * splat4(512.0f)));
    u32x4 converted_0 = to_u32(rintf(least_0 * splat4(512.0f)));
    u32x4 converted_1 = to_u32(rintf(least_1 * splat4(512.0f)));
    u32x4 converted_2 = to_u32(rintf(least_2 * splat4(512.0f)));
    // kernels/quant_float8.go
    u32x4 either = select((least < splat4(0.015625f)), converted, sum_3) | ((as_u32(quotient_1) >> splat4(24u)) & splat4(128u));
    u32x4 either_0 = select((least_0 < splat4(0.015625f)), converted_0, sum_4) | ((as_u32(quotient_2) >> splat4(24u)) & splat4(128u));
    u32x4 either_1 = select((least_1 < splat4(0.015625f)), converted_1, sum_5) | ((as_u32(quotient_3) >> splat4(24u)) & splat4(128u));
    u32x4 either_2 = select((least_2 < splat4(0.015625f)), converted_2, sum_6) | ((as_u32(quotient_4) >> splat4(24u)) & splat4(128u));
    // kernels/quantize_kernel.go
    u32x4 both = either & splat4(255u);
    u32x4 both_0 = either_0 & splat4(255u);
    u32x4 both_1 = either_1 & splat4(255u);
    u32x4 both_2 = either_2 & splat4(255u);
    // kernels/quantize_kernel.go
    int index_1 = data_offset + offset * data_stride0 + offset_0;
    bool in_bounds_0 = bits < unsigned(data_size0) && unsigned(x_start1) < unsigned(data_size1);
    if (in_bounds_0) {
        *(u32x2*)&data[index_1] = u32x2{pack_u8(both), pack_u8(both_0)};
        *(u32x2*)&data[index_1 + data_stride0 * 4] = u32x2{pack_u8(both_1), pack_u8(both_2)};
    }
}
