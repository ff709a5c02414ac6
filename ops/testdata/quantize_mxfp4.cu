struct f16 { unsigned short bits; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(8) u32x2 { unsigned x, y; };
struct alignas(4) boolx4 { bool x, y, z, w; };
struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(4) u8x4 { unsigned char x, y, z, w; };

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
__device__ inline u32x4 as_u32(f32x4 a) {
    return {__float_as_uint(a.x), __float_as_uint(a.y), __float_as_uint(a.z), __float_as_uint(a.w)};
}
__device__ inline u32x4 operator>>(u32x4 a, u32x4 b) {
    return {a.x >> b.x, a.y >> b.y, a.z >> b.z, a.w >> b.w};
}
__device__ inline u32x4 operator&(u32x4 a, u32x4 b) {
    return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w};
}
__device__ inline f32x4 fabsf(f32x4 a) {
    return {fabsf(a.x), fabsf(a.y), fabsf(a.z), fabsf(a.w)};
}
__device__ inline boolx4 operator>(f32x4 a, f32x4 b) {
    return {a.x > b.x, a.y > b.y, a.z > b.z, a.w > b.w};
}
__device__ inline u32x4 select(boolx4 a, u32x4 b, u32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}
__device__ inline boolx4 operator>=(f32x4 a, f32x4 b) {
    return {a.x >= b.x, a.y >= b.y, a.z >= b.z, a.w >= b.w};
}
__device__ inline u32x4 operator|(u32x4 a, u32x4 b) {
    return {a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w};
}
__device__ inline i32x4 splat4(int a) {
    return {a, a, a, a};
}
__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}
__device__ inline i32x4 operator+(i32x4 a, i32x4 b) {
    return {wrap_add(a.x, b.x), wrap_add(a.y, b.y), wrap_add(a.z, b.z), wrap_add(a.w, b.w)};
}
__device__ inline boolx4 operator<(i32x4 a, i32x4 b) {
    return {a.x < b.x, a.y < b.y, a.z < b.z, a.w < b.w};
}
__device__ inline u32x4 operator<<(u32x4 a, u32x4 b) {
    return {a.x << b.x, a.y << b.y, a.z << b.z, a.w << b.w};
}
__device__ inline u8x4 to_u8(u32x4 a) {
    return {(unsigned char)a.x, (unsigned char)a.y, (unsigned char)a.z, (unsigned char)a.w};
}

extern "C" __global__ void __launch_bounds__(128) quantize(
    const f16* x,
    const unsigned char* scales,
    unsigned char* __restrict__ data,
    int x_offset,
    int x_size1,
    int x_stride0,
    int scales_offset,
    int scales_size0,
    int scales_size1,
    int scales_stride0,
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
    int both = thread & 31;
    int lane_0 = both << 3;
    int index = x_offset + offset * x_stride0 + x_start1 + lane_0;
    u32x4 x_0 = *(const u32x4*)&x[index];
    f32x4 x_1 = unpack_f16(u32x2{x_0.x, x_0.y});
    f32x4 x_2 = unpack_f16(u32x2{x_0.z, x_0.w});
    u32x4 x_3 = *(const u32x4*)&x[index + x_stride0 * 4];
    f32x4 x_4 = unpack_f16(u32x2{x_3.x, x_3.y});
    f32x4 x_5 = unpack_f16(u32x2{x_3.z, x_3.w});
    // kernels/quant_view.go
    unsigned bits = unsigned(x_start0);
    int scales_start1 = remainder_0 * 8;
    int lane_1 = (thread >> 2) & 7;
    int index_0 = scales_offset + offset * scales_stride0 + scales_start1 + lane_1;
    bool in_bounds = bits < unsigned(scales_size0) && unsigned(scales_start1) < unsigned(scales_size1);
    unsigned scales_0 = in_bounds ? scales[index_0] : 0u;
    unsigned scales_1 = in_bounds ? scales[index_0 + scales_stride0 * 4] : 0u;
    // kernels/quant_codes.go
    float bits_0 = __uint_as_float(max((254u - scales_0) << 23u, 4194304u));
    float bits_1 = __uint_as_float(max((254u - scales_1) << 23u, 4194304u));
    // kernels/quant_view.go
    // kernels/quantize_kernel.go
    f32x4 product = x_1 * splat4(bits_0);
    f32x4 product_0 = x_2 * splat4(bits_0);
    f32x4 product_1 = x_4 * splat4(bits_1);
    f32x4 product_2 = x_5 * splat4(bits_1);
    // kernels/quant_codes.go
    u32x4 both_0 = (as_u32(product) >> splat4(28u)) & splat4(8u);
    u32x4 both_1 = (as_u32(product_0) >> splat4(28u)) & splat4(8u);
    u32x4 both_2 = (as_u32(product_1) >> splat4(28u)) & splat4(8u);
    u32x4 both_3 = (as_u32(product_2) >> splat4(28u)) & splat4(8u);
    // kernels/quant_codes.go
    f32x4 magnitude = fabsf(product);
    f32x4 magnitude_0 = fabsf(product_0);
    f32x4 magnitude_1 = fabsf(product_1);
    f32x4 magnitude_2 = fabsf(product_2);
    // kernels/quant_codes.go
    boolx4 greater = magnitude > splat4(0.25f);
    boolx4 greater_0 = magnitude_0 > splat4(0.25f);
    boolx4 greater_1 = magnitude_1 > splat4(0.25f);
    boolx4 greater_2 = magnitude_2 > splat4(0.25f);
    // kernels/quant_codes.go
    boolx4 at_least = magnitude >= splat4(0.75f);
    boolx4 at_least_0 = magnitude_0 >= splat4(0.75f);
    boolx4 at_least_1 = magnitude_1 >= splat4(0.75f);
    boolx4 at_least_2 = magnitude_2 >= splat4(0.75f);
    // kernels/quant_codes.go
    u32x4 chosen_0 = select(at_least, splat4(2u), select(greater, splat4(1u), splat4(0u)));
    u32x4 chosen_1 = select(at_least_0, splat4(2u), select(greater_0, splat4(1u), splat4(0u)));
    u32x4 chosen_2 = select(at_least_1, splat4(2u), select(greater_1, splat4(1u), splat4(0u)));
    u32x4 chosen_3 = select(at_least_2, splat4(2u), select(greater_2, splat4(1u), splat4(0u)));
    // kernels/quant_codes.go
    boolx4 greater_3 = magnitude > splat4(1.25f);
    boolx4 greater_4 = magnitude_0 > splat4(1.25f);
    boolx4 greater_5 = magnitude_1 > splat4(1.25f);
    boolx4 greater_6 = magnitude_2 > splat4(1.25f);
    // kernels/quant_codes.go
    boolx4 at_least_3 = magnitude >= splat4(1.75f);
    boolx4 at_least_4 = magnitude_0 >= splat4(1.75f);
    boolx4 at_least_5 = magnitude_1 >= splat4(1.75f);
    boolx4 at_least_6 = magnitude_2 >= splat4(1.75f);
    // kernels/quant_codes.go
    u32x4 chosen_4 = select(at_least_3, splat4(4u), select(greater_3, splat4(3u), chosen_0));
    u32x4 chosen_5 = select(at_least_4, splat4(4u), select(greater_4, splat4(3u), chosen_1));
    u32x4 chosen_6 = select(at_least_5, splat4(4u), select(greater_5, splat4(3u), chosen_2));
    u32x4 chosen_7 = select(at_least_6, splat4(4u), select(greater_6, splat4(3u), chosen_3));
    // kernels/quant_codes.go
    boolx4 greater_7 = magnitude > splat4(2.5f);
    boolx4 greater_8 = magnitude_0 > splat4(2.5f);
    boolx4 greater_9 = magnitude_1 > splat4(2.5f);
    boolx4 greater_10 = magnitude_2 > splat4(2.5f);
    // kernels/quant_codes.go
    boolx4 at_least_7 = magnitude >= splat4(3.5f);
    boolx4 at_least_8 = magnitude_0 >= splat4(3.5f);
    boolx4 at_least_9 = magnitude_1 >= splat4(3.5f);
    boolx4 at_least_10 = magnitude_2 >= splat4(3.5f);
    // kernels/quant_codes.go
    u32x4 chosen_8 = select(at_least_7, splat4(6u), select(greater_7, splat4(5u), chosen_4));
    u32x4 chosen_9 = select(at_least_8, splat4(6u), select(greater_8, splat4(5u), chosen_5));
    u32x4 chosen_10 = select(at_least_9, splat4(6u), select(greater_9, splat4(5u), chosen_6));
    u32x4 chosen_11 = select(at_least_10, splat4(6u), select(greater_10, splat4(5u), chosen_7));
    // kernels/quant_codes.go
    boolx4 greater_11 = magnitude > splat4(5.0f);
    boolx4 greater_12 = magnitude_0 > splat4(5.0f);
    boolx4 greater_13 = magnitude_1 > splat4(5.0f);
    boolx4 greater_14 = magnitude_2 > splat4(5.0f);
    // kernels/quant_codes.go
    u32x4 chosen_12 = select(greater_11, splat4(7u), chosen_8);
    u32x4 chosen_13 = select(greater_12, splat4(7u), chosen_9);
    u32x4 chosen_14 = select(greater_13, splat4(7u), chosen_10);
    u32x4 chosen_15 = select(greater_14, splat4(7u), chosen_11);
    // kernels/quant_codes.go
    u32x4 either = chosen_12 | both_0;
    u32x4 either_0 = chosen_13 | both_1;
    u32x4 either_1 = chosen_14 | both_2;
    u32x4 either_2 = chosen_15 | both_3;
    // kernels/quantize_kernel.go
    u32x4 both_4 = either & splat4(255u);
    u32x4 both_5 = either_0 & splat4(255u);
    u32x4 both_6 = either_1 & splat4(255u);
    u32x4 both_7 = either_2 & splat4(255u);
    // kernels/quant_view.go
    i32x4 offset_0 = i32x4{lane_0, lane_0 + 1, lane_0 + 2, lane_0 + 3} + splat4(x_start1);
    i32x4 offset_1 = i32x4{lane_0 + 4, lane_0 + 5, lane_0 + 6, lane_0 + 7} + splat4(x_start1);
    // kernels/quantize_kernel.go
    boolx4 less = offset_0 < splat4(x_size1);
    boolx4 less_0 = offset_1 < splat4(x_size1);
    // kernels/quantize_kernel.go
    u32x4 chosen_16 = select(less, both_4, splat4(0u));
    u32x4 chosen_17 = select(less_0, both_5, splat4(0u));
    u32x4 chosen_18 = select(less, both_6, splat4(0u));
    u32x4 chosen_19 = select(less_0, both_7, splat4(0u));
    u32x4 both_8 = u32x4{chosen_16.x, chosen_16.z, chosen_17.x, chosen_17.z} & splat4(15u);
    u32x4 both_9 = u32x4{chosen_18.x, chosen_18.z, chosen_19.x, chosen_19.z} & splat4(15u);
    u32x4 both_10 = u32x4{chosen_16.y, chosen_16.w, chosen_17.y, chosen_17.w} & splat4(15u);
    u32x4 both_11 = u32x4{chosen_18.y, chosen_18.w, chosen_19.y, chosen_19.w} & splat4(15u);
    u32x4 both_12 = (both_8 | (both_10 << splat4(4u))) & splat4(255u);
    u32x4 both_13 = (both_9 | (both_11 << splat4(4u))) & splat4(255u);
    // kernels/quantize_kernel.go
    int data_start1 = remainder_0 * 128;
    int lane_2 = both << 2;
    int index_1 = data_offset + offset * data_stride0 + data_start1 + lane_2;
    bool in_bounds_0 = bits < unsigned(data_size0) && unsigned(data_start1) < unsigned(data_size1);
    if (in_bounds_0) {
        *(u8x4*)&data[index_1] = to_u8(both_12);
        *(u8x4*)&data[index_1 + data_stride0 * 4] = to_u8(both_13);
    }
}
