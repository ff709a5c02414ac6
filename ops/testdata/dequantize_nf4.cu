struct f16 { unsigned short bits; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(4) boolx4 { bool x, y, z, w; };
struct alignas(8) u32x2 { unsigned x, y; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}
__device__ inline i32x4 splat4(int a) {
    return {a, a, a, a};
}
__device__ inline u32x4 unpack_u8(unsigned a) {
    return {a & 0xff, (a >> 8) & 0xff, (a >> 16) & 0xff, a >> 24};
}
__device__ inline i32x4 to_i32(u32x4 a) {
    return {int(a.x), int(a.y), int(a.z), int(a.w)};
}
__device__ inline i32x4 operator&(i32x4 a, i32x4 b) {
    return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w};
}
__device__ inline u32x4 to_u32(i32x4 a) {
    return {unsigned(a.x), unsigned(a.y), unsigned(a.z), unsigned(a.w)};
}
__device__ inline u32x4 operator&(u32x4 a, u32x4 b) {
    return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w};
}
__device__ inline i32x4 operator>>(i32x4 a, i32x4 b) {
    return {a.x >> b.x, a.y >> b.y, a.z >> b.z, a.w >> b.w};
}
__device__ inline boolx4 operator!=(u32x4 a, u32x4 b) {
    return {a.x != b.x, a.y != b.y, a.z != b.z, a.w != b.w};
}
__device__ inline f32x4 select(boolx4 a, f32x4 b, f32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}
__device__ inline f32x4 fmaf(f32x4 a, f32x4 b, f32x4 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
}
__device__ inline f32x4 operator*(f32x4 a, f32x4 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}
__device__ inline u32x4 as_u32(f32x4 a) {
    return {__float_as_uint(a.x), __float_as_uint(a.y), __float_as_uint(a.z), __float_as_uint(a.w)};
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
    int scales_stride0,
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
    int data_start1 = remainder_0 * 128;
    int both = thread & 31;
    int lane_0 = both << 2;
    int index = data_offset + offset * data_stride0 + data_start1 + lane_0;
    bool in_bounds = bits < unsigned(data_size0) && unsigned(data_start1) < unsigned(data_size1);
    unsigned data_0 = in_bounds ? *(const unsigned*)&data[index] : 0u;
    u32x4 data_1 = unpack_u8(data_0);
    unsigned data_2 = in_bounds ? *(const unsigned*)&data[index + data_stride0 * 4] : 0u;
    u32x4 data_3 = unpack_u8(data_2);
    // kernels/quant_view.go
    i32x4 converted = to_i32(data_1);
    i32x4 converted_0 = to_i32(data_3);
    u32x4 both_0 = to_u32(converted & splat4(15)) & splat4(255u);
    u32x4 both_1 = to_u32(converted_0 & splat4(15)) & splat4(255u);
    u32x4 both_2 = to_u32((converted >> splat4(4)) & splat4(15)) & splat4(255u);
    u32x4 both_3 = to_u32((converted_0 >> splat4(4)) & splat4(15)) & splat4(255u);
    u32x4 lanes = u32x4{both_0.x, both_2.x, both_0.y, both_2.y};
    u32x4 lanes_0 = u32x4{both_0.z, both_2.z, both_0.w, both_2.w};
    u32x4 lanes_1 = u32x4{both_1.x, both_3.x, both_1.y, both_3.y};
    u32x4 lanes_2 = u32x4{both_1.z, both_3.z, both_1.w, both_3.w};
    // kernels/quant_codes.go
    boolx4 unequal = (lanes & splat4(1u)) != splat4(0u);
    boolx4 unequal_0 = (lanes_0 & splat4(1u)) != splat4(0u);
    boolx4 unequal_1 = (lanes_1 & splat4(1u)) != splat4(0u);
    boolx4 unequal_2 = (lanes_2 & splat4(1u)) != splat4(0u);
    // kernels/quant_codes.go
    f32x4 chosen_0 = select(unequal, splat4(1.0f), splat4(0.0f));
    f32x4 chosen_1 = select(unequal_0, splat4(1.0f), splat4(0.0f));
    f32x4 chosen_2 = select(unequal_1, splat4(1.0f), splat4(0.0f));
    f32x4 chosen_3 = select(unequal_2, splat4(1.0f), splat4(0.0f));
    // kernels/quant_codes.go
    f32x4 fused = fmaf(chosen_0, splat4(0.3038072f), splat4(-1.0f));
    f32x4 fused_0 = fmaf(chosen_1, splat4(0.3038072f), splat4(-1.0f));
    f32x4 fused_1 = fmaf(chosen_2, splat4(0.3038072f), splat4(-1.0f));
    f32x4 fused_2 = fmaf(chosen_3, splat4(0.3038072f), splat4(-1.0f));
    f32x4 fused_3 = fmaf(chosen_0, splat4(0.13015556f), splat4(-0.52507305f));
    f32x4 fused_4 = fmaf(chosen_1, splat4(0.13015556f), splat4(-0.52507305f));
    f32x4 fused_5 = fmaf(chosen_2, splat4(0.13015556f), splat4(-0.52507305f));
    f32x4 fused_6 = fmaf(chosen_3, splat4(0.13015556f), splat4(-0.52507305f));
    f32x4 fused_7 = fmaf(chosen_0, splat4(0.09966795f), splat4(-0.28444138f));
    f32x4 fused_8 = fmaf(chosen_1, splat4(0.09966795f), splat4(-0.28444138f));
    f32x4 fused_9 = fmaf(chosen_2, splat4(0.09966795f), splat4(-0.28444138f));
    f32x4 fused_10 = fmaf(chosen_3, splat4(0.09966795f), splat4(-0.28444138f));
    f32x4 fused_11 = fmaf(chosen_0, splat4(0.091050036f), splat4(-0.091050036f));
    f32x4 fused_12 = fmaf(chosen_1, splat4(0.091050036f), splat4(-0.091050036f));
    f32x4 fused_13 = fmaf(chosen_2, splat4(0.091050036f), splat4(-0.091050036f));
    f32x4 fused_14 = fmaf(chosen_3, splat4(0.091050036f), splat4(-0.091050036f));
    f32x4 fused_15 = fmaf(chosen_0, splat4(0.0813499f), splat4(0.0795803f));
    f32x4 fused_16 = fmaf(chosen_1, splat4(0.0813499f), splat4(0.0795803f));
    f32x4 fused_17 = fmaf(chosen_2, splat4(0.0813499f), splat4(0.0795803f));
    f32x4 fused_18 = fmaf(chosen_3, splat4(0.0813499f), splat4(0.0795803f));
    f32x4 fused_19 = fmaf(chosen_0, splat4(0.09180294f), splat4(0.2461123f));
    f32x4 fused_20 = fmaf(chosen_1, splat4(0.09180294f), splat4(0.2461123f));
    f32x4 fused_21 = fmaf(chosen_2, splat4(0.09180294f), splat4(0.2461123f));
    f32x4 fused_22 = fmaf(chosen_3, splat4(0.09180294f), splat4(0.2461123f));
    f32x4 fused_23 = fmaf(chosen_0, splat4(0.121907175f), splat4(0.44070983f));
    f32x4 fused_24 = fmaf(chosen_1, splat4(0.121907175f), splat4(0.44070983f));
    f32x4 fused_25 = fmaf(chosen_2, splat4(0.121907175f), splat4(0.44070983f));
    f32x4 fused_26 = fmaf(chosen_3, splat4(0.121907175f), splat4(0.44070983f));
    f32x4 fused_27 = fmaf(chosen_0, splat4(0.27704316f), splat4(0.72295684f));
    f32x4 fused_28 = fmaf(chosen_1, splat4(0.27704316f), splat4(0.72295684f));
    f32x4 fused_29 = fmaf(chosen_2, splat4(0.27704316f), splat4(0.72295684f));
    f32x4 fused_30 = fmaf(chosen_3, splat4(0.27704316f), splat4(0.72295684f));
    // kernels/quant_codes.go
    boolx4 unequal_3 = (lanes & splat4(2u)) != splat4(0u);
    boolx4 unequal_4 = (lanes_0 & splat4(2u)) != splat4(0u);
    boolx4 unequal_5 = (lanes_1 & splat4(2u)) != splat4(0u);
    boolx4 unequal_6 = (lanes_2 & splat4(2u)) != splat4(0u);
    boolx4 unequal_7 = (lanes & splat4(4u)) != splat4(0u);
    boolx4 unequal_8 = (lanes_0 & splat4(4u)) != splat4(0u);
    boolx4 unequal_9 = (lanes_1 & splat4(4u)) != splat4(0u);
    boolx4 unequal_10 = (lanes_2 & splat4(4u)) != splat4(0u);
    // kernels/quant_codes.go
    f32x4 chosen_4 = select(unequal_7, select(unequal_3, fused_11, fused_7), select(unequal_3, fused_3, fused));
    f32x4 chosen_5 = select(unequal_8, select(unequal_4, fused_12, fused_8), select(unequal_4, fused_4, fused_0));
    f32x4 chosen_6 = select(unequal_9, select(unequal_5, fused_13, fused_9), select(unequal_5, fused_5, fused_1));
    f32x4 chosen_7 = select(unequal_10, select(unequal_6, fused_14, fused_10), select(unequal_6, fused_6, fused_2));
    f32x4 chosen_8 = select(unequal_7, select(unequal_3, fused_27, fused_23), select(unequal_3, fused_19, fused_15));
    f32x4 chosen_9 = select(unequal_8, select(unequal_4, fused_28, fused_24), select(unequal_4, fused_20, fused_16));
    f32x4 chosen_10 = select(unequal_9, select(unequal_5, fused_29, fused_25), select(unequal_5, fused_21, fused_17));
    f32x4 chosen_11 = select(unequal_10, select(unequal_6, fused_30, fused_26), select(unequal_6, fused_22, fused_18));
    // kernels/quant_codes.go
    boolx4 unequal_11 = (lanes & splat4(8u)) != splat4(0u);
    boolx4 unequal_12 = (lanes_0 & splat4(8u)) != splat4(0u);
    boolx4 unequal_13 = (lanes_1 & splat4(8u)) != splat4(0u);
    boolx4 unequal_14 = (lanes_2 & splat4(8u)) != splat4(0u);
    // kernels/quant_codes.go
    f32x4 chosen_12 = select(unequal_11, chosen_8, chosen_4);
    f32x4 chosen_13 = select(unequal_12, chosen_9, chosen_5);
    f32x4 chosen_14 = select(unequal_13, chosen_10, chosen_6);
    f32x4 chosen_15 = select(unequal_14, chosen_11, chosen_7);
    // kernels/quant_view.go
    int scales_start1 = remainder_0 * 4;
    int lane_1 = (thread >> 3) & 3;
    int index_0 = scales_offset + offset * scales_stride0 + scales_start1 + lane_1;
    bool in_bounds_0 = bits < unsigned(scales_size0) && unsigned(scales_start1) < unsigned(scales_size1);
    float scales_0 = in_bounds_0 ? scales[index_0] : 0.0f;
    float scales_1 = in_bounds_0 ? scales[index_0 + scales_stride0 * 4] : 0.0f;
    // kernels/quant_view.go
    // kernels/quantize_kernel.go
    f32x4 product = chosen_12 * splat4(scales_0);
    f32x4 product_0 = chosen_13 * splat4(scales_0);
    f32x4 product_1 = chosen_14 * splat4(scales_1);
    f32x4 product_2 = chosen_15 * splat4(scales_1);
    // kernels/quantize_kernel.go
    f32x4 chosen_16 = select(((as_u32(product) & splat4(2147483647u)) > splat4(2139095040u)), product, fminf(fmaxf(product, splat4(-65504.0f)), splat4(65504.0f)));
    f32x4 chosen_17 = select(((as_u32(product_0) & splat4(2147483647u)) > splat4(2139095040u)), product_0, fminf(fmaxf(product_0, splat4(-65504.0f)), splat4(65504.0f)));
    f32x4 chosen_18 = select(((as_u32(product_1) & splat4(2147483647u)) > splat4(2139095040u)), product_1, fminf(fmaxf(product_1, splat4(-65504.0f)), splat4(65504.0f)));
    f32x4 chosen_19 = select(((as_u32(product_2) & splat4(2147483647u)) > splat4(2139095040u)), product_2, fminf(fmaxf(product_2, splat4(-65504.0f)), splat4(65504.0f)));
    // kernels/quantize_kernel.go
    int out_start1 = remainder_0 * 256;
    int lane_2 = both << 3;
    int index_1 = out_offset + offset * out_stride0 + out_start1 + lane_2;
    u32x2 value = pack_f16(chosen_16);
    u32x2 value_0 = pack_f16(chosen_17);
    *(u32x4*)&out[index_1] = u32x4{value.x, value.y, value_0.x, value_0.y};
    u32x2 value_1 = pack_f16(chosen_18);
    u32x2 value_2 = pack_f16(chosen_19);
    *(u32x4*)&out[index_1 + out_stride0 * 4] = u32x4{value_1.x, value_1.y, value_2.x, value_2.y};
}
