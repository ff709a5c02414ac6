struct f16 { unsigned short bits; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(8) u32x2 { unsigned x, y; };
struct alignas(4) boolx4 { bool x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}
__device__ inline u32x2 splat2(unsigned a) {
    return {a, a};
}
__device__ inline u32x4 unpack_u8(unsigned a) {
    return {a & 0xff, (a >> 8) & 0xff, (a >> 16) & 0xff, a >> 24};
}
__device__ inline u32x4 operator&(u32x4 a, u32x4 b) {
    return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w};
}
__device__ inline u32x4 operator+(u32x4 a, u32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline u32x4 operator<<(u32x4 a, u32x4 b) {
    return {a.x << b.x, a.y << b.y, a.z << b.z, a.w << b.w};
}
__device__ inline f32x4 as_f32(u32x4 a) {
    return {__uint_as_float(a.x), __uint_as_float(a.y), __uint_as_float(a.z), __uint_as_float(a.w)};
}
__device__ inline u32x4 operator|(u32x4 a, u32x4 b) {
    return {a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w};
}
__device__ inline f32x4 operator-(f32x4 a, f32x4 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
__device__ inline boolx4 operator<(u32x4 a, u32x4 b) {
    return {a.x < b.x, a.y < b.y, a.z < b.z, a.w < b.w};
}
__device__ inline f32x4 select(boolx4 a, f32x4 b, f32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}
__device__ inline u32x4 as_u32(f32x4 a) {
    return {__float_as_uint(a.x), __float_as_uint(a.y), __float_as_uint(a.z), __float_as_uint(a.w)};
}
__device__ inline u32x4 operator^(u32x4 a, u32x4 b) {
    return {a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w};
}
__device__ inline f32x4 operator*(f32x4 a, f32x4 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}
__device__ inline boolx4 operator>(u32x4 a, u32x4 b) {
    return {a.x > b.x, a.y > b.y, a.z > b.z, a.w > b.w};
}
__device__ inline f32x4 fmaxf(f32x4 a, f32x4 b) {
    return {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w)};
}
__device__ inline f32x4 fminf(f32x4 a, f32x4 b) {
    return {fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z), fminf(a.w, b.w)};
}
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline u32x2 pack_f16(f32x4 a) {
    return {unsigned(to_f16(a.x).bits) | (unsigned(to_f16(a.y).bits) << 16), unsigned(to_f16(a.z).bits) | (unsigned(to_f16(a.w).bits) << 16)};
}

extern "C" __global__ void __launch_bounds__(128) dequantize(
    const unsigned char* data,
    const float* scales,
    f16* __restrict__ out,
    int data_offset,
    int data_size0,
    int data_size1,
    int data_stride0,
    int scales_offset,
    int scales_size0,
    int scales_size1,
    int out_offset,
    int out_size1,
    int out_stride0) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/quantize_kernel.go
    int quotient = (out_size1 + 255) / 256;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int quotient_0 = program / chosen;
    // kernels/quant_view.go
    int data_start0 = quotient_0 * 8;
    int lane = thread >> 5;
    int offset = data_start0 + lane;
    unsigned bits = unsigned(data_start0);
    int data_start1 = remainder_0 * 256;
    int lane_0 = (thread & 31) << 3;
    int offset_0 = data_start1 + lane_0;
    int index = data_offset + offset * data_stride0 + offset_0;
    bool in_bounds = bits < unsigned(data_size0) && unsigned(data_start1) < unsigned(data_size1);
    u32x2 data_0 = in_bounds ? *(const u32x2*)&data[index] : splat2(0u);
    u32x4 data_1 = unpack_u8(data_0.x);
    u32x4 data_2 = unpack_u8(data_0.y);
    u32x2 data_3 = in_bounds ? *(const u32x2*)&data[index + data_stride0 * 4] : splat2(0u);
    u32x4 data_4 = unpack_u8(data_3.x);
    u32x4 data_5 = unpack_u8(data_3.y);
    // kernels/quant_float8.go
    u32x4 both = data_1 & splat4(127u);
    u32x4 both_0 = data_2 & splat4(127u);
    u32x4 both_1 = data_4 & splat4(127u);
    u32x4 both_2 = data_5 & splat4(127u);
    // kernels/quant_float8.go
    f32x4 bits_0 = as_f32((both + splat4(960u)) << splat4(20u));
    f32x4 bits_1 = as_f32((both_0 + splat4(960u)) << splat4(20u));
    f32x4 bits_2 = as_f32((both_1 + splat4(960u)) << splat4(20u));
    f32x4 bits_3 = as_f32((both_2 + splat4(960u)) << splat4(20u));
    // kernels/quant_float8.go
    f32x4 difference = as_f32(both | splat4(1182793728u)) - splat4(16384.0f);
    f32x4 difference_0 = as_f32(both_0 | splat4(1182793728u)) - splat4(16384.0f);
    f32x4 difference_1 = as_f32(both_1 | splat4(1182793728u)) - splat4(16384.0f);
    f32x4 difference_2 = as_f32(both_2 | splat4(1182793728u)) - splat4(16384.0f);
    // kernels/quant_float8.go
    f32x4 chosen_0 = select((both < splat4(8u)), difference, bits_0);
    f32x4 chosen_1 = select((both_0 < splat4(8u)), difference_0, bits_1);
    f32x4 chosen_2 = select((both_1 < splat4(8u)), difference_1, bits_2);
    f32x4 chosen_3 = select((both_2 < splat4(8u)), difference_2, bits_3);
    // kernels/quant_float8.go
    u32x4 changed = as_u32(chosen_0) ^ ((data_1 << splat4(24u)) & splat4(2147483648u));
    u32x4 changed_0 = as_u32(chosen_1) ^ ((data_2 << splat4(24u)) & splat4(2147483648u));
    u32x4 changed_1 = as_u32(chosen_2) ^ ((data_4 << splat4(24u)) & splat4(2147483648u));
    u32x4 changed_2 = as_u32(chosen_3) ^ ((data_5 << splat4(24u)) & splat4(2147483648u));
    f32x4 bits_4 = as_f32(changed);
    f32x4 bits_5 = as_f32(changed_0);
    f32x4 bits_6 = as_f32(changed_1);
    f32x4 bits_7 = as_f32(changed_2);
    // kernels/quant_view.go
    int index_0 = scales_offset + offset;
    bool in_bounds_0 = bits < unsigned(scales_size0) && 0u < unsigned(scales_size1);
    float scales_0 = in_bounds_0 ? scales[index_0] : 0.0f;
    float scales_1 = in_bounds_0 ? scales[index_0 + 4] : 0.0f;
    // kernels/quantize_kernel.go
    f32x4 product = bits_4 * splat4(scales_0);
    f32x4 product_0 = bits_5 * splat4(scales_0);
    f32x4 product_1 = bits_6 * splat4(scales_1);
    f32x4 product_2 = bits_7 * splat4(scales_1);
    // kernels/quantize_kernel.go
    f32x4 chosen_4 = select(((as_u32(product) & splat4(2147483647u)) > splat4(2139095040u)), product, fminf(fmaxf(product, splat4(-65504.0f)), splat4(65504.0f)));
    f32x4 chosen_5 = select(((as_u32(product_0) & splat4(2147483647u)) > splat4(2139095040u)), product_0, fminf(fmaxf(product_0, splat4(-65504.0f)), splat4(65504.0f)));
    f32x4 chosen_6 = select(((as_u32(product_1) & splat4(2147483647u)) > splat4(2139095040u)), product_1, fminf(fmaxf(product_1, splat4(-65504.0f)), splat4(65504.0f)));
    f32x4 chosen_7 = select(((as_u32(product_2) & splat4(2147483647u)) > splat4(2139095040u)), product_2, fminf(fmaxf(product_2, splat4(-65504.0f)), splat4(65504.0f)));
    // kernels/quantize_kernel.go
    int index_1 = out_offset + offset * out_stride0 + offset_0;
    u32x2 value = pack_f16(chosen_4);
    u32x2 value_0 = pack_f16(chosen_5);
    *(u32x4*)&out[index_1] = u32x4{value.x, value.y, value_0.x, value_0.y};
    u32x2 value_1 = pack_f16(chosen_6);
    u32x2 value_2 = pack_f16(chosen_7);
    *(u32x4*)&out[index_1 + out_stride0 * 4] = u32x4{value_1.x, value_1.y, value_2.x, value_2.y};
}
