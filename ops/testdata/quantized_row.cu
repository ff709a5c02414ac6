struct f16 { unsigned short bits; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(8) i32x2 { int x, y; };
struct alignas(8) u32x2 { unsigned x, y; };
struct alignas(2) u8x2 { unsigned char x, y; };
struct alignas(8) f16x4 { f16 x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}
__device__ inline i32x2 splat2(int a) {
    return {a, a};
}
__device__ inline u32x2 splat2(unsigned a) {
    return {a, a};
}
__device__ inline u32x2 to_u32(u8x2 a) {
    return {a.x, a.y};
}
__device__ inline float to_f32(f16 a) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(a.bits));
    return x;
}
__device__ inline f32x4 to_f32(f16x4 a) {
    return {to_f32(a.x), to_f32(a.y), to_f32(a.z), to_f32(a.w)};
}
__device__ inline i32x2 to_i32(u32x2 a) {
    return {int(a.x), int(a.y)};
}
__device__ inline i32x2 operator&(i32x2 a, i32x2 b) {
    return {a.x & b.x, a.y & b.y};
}
__device__ inline u32x2 to_u32(i32x2 a) {
    return {unsigned(a.x), unsigned(a.y)};
}
__device__ inline u32x2 operator&(u32x2 a, u32x2 b) {
    return {a.x & b.x, a.y & b.y};
}
__device__ inline i32x2 operator>>(i32x2 a, i32x2 b) {
    return {a.x >> b.x, a.y >> b.y};
}
__device__ inline u32x4 operator^(u32x4 a, u32x4 b) {
    return {a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w};
}
__device__ inline u32x4 operator|(u32x4 a, u32x4 b) {
    return {a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w};
}
__device__ inline f32x4 as_f32(u32x4 a) {
    return {__uint_as_float(a.x), __uint_as_float(a.y), __uint_as_float(a.z), __uint_as_float(a.w)};
}
__device__ inline f32x4 operator-(f32x4 a, f32x4 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
__device__ inline f32x4 operator*(f32x4 a, f32x4 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}
__device__ inline f32x4 fmaf(f32x4 a, f32x4 b, f32x4 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
}
__device__ inline f32x4 operator+(f32x4 a, f32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline f32x4 shuffle_xor_1(f32x4 a) {
    return {__shfl_xor_sync(0xffffffffu, a.x, 1), __shfl_xor_sync(0xffffffffu, a.y, 1), __shfl_xor_sync(0xffffffffu, a.z, 1), __shfl_xor_sync(0xffffffffu, a.w, 1)};
}
__device__ inline f32x4 shuffle_xor_2(f32x4 a) {
    return {__shfl_xor_sync(0xffffffffu, a.x, 2), __shfl_xor_sync(0xffffffffu, a.y, 2), __shfl_xor_sync(0xffffffffu, a.z, 2), __shfl_xor_sync(0xffffffffu, a.w, 2)};
}
__device__ inline f32x4 shuffle_xor_4(f32x4 a) {
    return {__shfl_xor_sync(0xffffffffu, a.x, 4), __shfl_xor_sync(0xffffffffu, a.y, 4), __shfl_xor_sync(0xffffffffu, a.z, 4), __shfl_xor_sync(0xffffffffu, a.w, 4)};
}
__device__ inline f32x4 shuffle_xor_8(f32x4 a) {
    return {__shfl_xor_sync(0xffffffffu, a.x, 8), __shfl_xor_sync(0xffffffffu, a.y, 8), __shfl_xor_sync(0xffffffffu, a.z, 8), __shfl_xor_sync(0xffffffffu, a.w, 8)};
}
__device__ inline f32x4 shuffle_xor_16(f32x4 a) {
    return {__shfl_xor_sync(0xffffffffu, a.x, 16), __shfl_xor_sync(0xffffffffu, a.y, 16), __shfl_xor_sync(0xffffffffu, a.z, 16), __shfl_xor_sync(0xffffffffu, a.w, 16)};
}
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline f16x4 to_f16(f32x4 a) {
    return {to_f16(a.x), to_f16(a.y), to_f16(a.z), to_f16(a.w)};
}

extern "C" __global__ void __launch_bounds__(256) matmul(
    const f16* __restrict__ a,
    const unsigned char* __restrict__ data,
    const float* __restrict__ scales,
    f16* __restrict__ out,
    int a_offset,
    int a_size0,
    int a_size1,
    int data_offset,
    int data_size0,
    int data_size1,
    int data_stride1,
    int scales_offset,
    int scales_size0,
    int scales_size1,
    int scales_stride1,
    int out_offset,
    int out_size0,
    int out_size1) {
    __shared__ alignas(16) float exchange[64]; // quant_view.go: elements change threads
    __shared__ alignas(16) float parts[32]; // matmul.go: partial results of reduce.sum
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // matmul.go
    int quotient = (out_size1 + 3) / 4;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int a_start0 = program / chosen;
    // matmul.go
    int quotient_0 = (a_size1 + 2047) / 2048;
    int least = min(min(min(quotient_0, data_size0 / 1024), scales_size0 / 16), a_size1 / 2048);
    bool both = remainder_0 < data_size1 / 4 && remainder_0 < scales_size1 / 4 && a_start0 < a_size0;
    int chosen_0 = both ? max(least, 0) : 0;
    // quant_view.go
    int lane = thread << 1;
    int data_start1 = remainder_0 * 4;
    int offset = data_start1 * data_stride1;
    int offset_0 = data_stride1 * 2;
    int offset_1 = data_stride1 * 3;
    // quant_view.go
    int lane_0 = (thread >> 2) & 15;
    int lane_1 = thread >> 6;
    int offset_2 = (data_start1 + lane_1) * scales_stride1;
    // quant_view.go
    bool in_bounds = (thread & 3) == 0;
    int lane_2 = (thread & 60) + lane_1;
    int lane_3 = (thread >> 3) & 28;
    int index = lane_3 + 32;
    // block.go
    int lane_4 = thread << 2;
    bool more = 0 < chosen_0;
    // quant_view.go
    int index_0 = data_offset + lane + offset;
    u32x2 data_0 = more ? to_u32(*(const u8x2*)&data[index_0]) : splat2(0u);
    int index_1 = index_0 + 512;
    u32x2 data_1 = more ? to_u32(*(const u8x2*)&data[index_1]) : splat2(0u);
    u32x2 data_2 = more ? to_u32(*(const u8x2*)&data[index_0 + data_stride1]) : splat2(0u);
    u32x2 data_3 = more ? to_u32(*(const u8x2*)&data[index_1 + data_stride1]) : splat2(0u);
    u32x2 data_4 = more ? to_u32(*(const u8x2*)&data[index_0 + offset_0]) : splat2(0u);
    u32x2 data_5 = more ? to_u32(*(const u8x2*)&data[index_1 + offset_0]) : splat2(0u);
    u32x2 data_6 = more ? to_u32(*(const u8x2*)&data[index_0 + offset_1]) : splat2(0u);
    u32x2 data_7 = more ? to_u32(*(const u8x2*)&data[index_1 + offset_1]) : splat2(0u);
    // quant_view.go
    float scales_0 = more ? scales[scales_offset + lane_0 + offset_2] : 0.0f;
    // block.go
    int index_2 = a_offset + lane_4;
    f32x4 a_0 = more ? to_f32(*(const f16x4*)&a[index_2]) : splat4(0.0f);
    f32x4 a_1 = more ? to_f32(*(const f16x4*)&a[index_2 + 1024]) : splat4(0.0f);
    // matmul.go
    f32x4 carried = splat4(0.0f);
    f32x4 carried_0 = splat4(0.0f);
    f32x4 carried_1 = splat4(0.0f);
    f32x4 carried_2 = splat4(0.0f);
    f32x4 carried_3 = splat4(0.0f);
    f32x4 carried_4 = splat4(0.0f);
    f32x4 carried_5 = splat4(0.0f);
    f32x4 carried_6 = splat4(0.0f);
    u32x2 data_8 = data_0;
    u32x2 data_9 = data_1;
    u32x2 data_10 = data_2;
    u32x2 data_11 = data_3;
    u32x2 data_12 = data_4;
    u32x2 data_13 = data_5;
    u32x2 data_14 = data_6;
    u32x2 data_15 = data_7;
    float scales_1 = scales_0;
    f32x4 a_2 = a_0;
    f32x4 a_3 = a_1;
    for (int i = 0; i < chosen_0; ++i) {
        // quant_view.go
        i32x2 converted = to_i32(data_8);
        i32x2 converted_0 = to_i32(data_9);
        i32x2 converted_1 = to_i32(data_10);
        i32x2 converted_2 = to_i32(data_11);
        i32x2 converted_3 = to_i32(data_12);
        i32x2 converted_4 = to_i32(data_13);
        i32x2 converted_5 = to_i32(data_14);
        i32x2 converted_6 = to_i32(data_15);
        u32x2 both_0 = to_u32(converted & splat2(15)) & splat2(255u);
        u32x2 both_1 = to_u32(converted_0 & splat2(15)) & splat2(255u);
        u32x2 both_2 = to_u32(converted_1 & splat2(15)) & splat2(255u);
        u32x2 both_3 = to_u32(converted_2 & splat2(15)) & splat2(255u);
        u32x2 both_4 = to_u32(converted_3 & splat2(15)) & splat2(255u);
        u32x2 both_5 = to_u32(converted_4 & splat2(15)) & splat2(255u);
        u32x2 both_6 = to_u32(converted_5 & splat2(15)) & splat2(255u);
        u32x2 both_7 = to_u32(converted_6 & splat2(15)) & splat2(255u);
        u32x2 both_8 = to_u32((converted >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_9 = to_u32((converted_0 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_10 = to_u32((converted_1 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_11 = to_u32((converted_2 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_12 = to_u32((converted_3 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_13 = to_u32((converted_4 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_14 = to_u32((converted_5 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_15 = to_u32((converted_6 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x4 lanes = u32x4{both_0.x, both_8.x, both_0.y, both_8.y};
        u32x4 lanes_0 = u32x4{both_1.x, both_9.x, both_1.y, both_9.y};
        u32x4 lanes_1 = u32x4{both_2.x, both_10.x, both_2.y, both_10.y};
        u32x4 lanes_2 = u32x4{both_3.x, both_11.x, both_3.y, both_11.y};
        u32x4 lanes_3 = u32x4{both_4.x, both_12.x, both_4.y, both_12.y};
        u32x4 lanes_4 = u32x4{both_5.x, both_13.x, both_5.y, both_13.y};
        u32x4 lanes_5 = u32x4{both_6.x, both_14.x, both_6.y, both_14.y};
        u32x4 lanes_6 = u32x4{both_7.x, both_15.x, both_7.y, both_15.y};
        // quant_view.go
        u32x4 changed = lanes ^ splat4(8u);
        u32x4 changed_0 = lanes_0 ^ splat4(8u);
        u32x4 changed_1 = lanes_1 ^ splat4(8u);
        u32x4 changed_2 = lanes_2 ^ splat4(8u);
        u32x4 changed_3 = lanes_3 ^ splat4(8u);
        u32x4 changed_4 = lanes_4 ^ splat4(8u);
        u32x4 changed_5 = lanes_5 ^ splat4(8u);
        u32x4 changed_6 = lanes_6 ^ splat4(8u);
        // quant_view.go
        f32x4 bits = as_f32(changed | splat4(1258291200u));
        f32x4 bits_0 = as_f32(changed_0 | splat4(1258291200u));
        f32x4 bits_1 = as_f32(changed_1 | splat4(1258291200u));
        f32x4 bits_2 = as_f32(changed_2 | splat4(1258291200u));
        f32x4 bits_3 = as_f32(changed_3 | splat4(1258291200u));
        f32x4 bits_4 = as_f32(changed_4 | splat4(1258291200u));
        f32x4 bits_5 = as_f32(changed_5 | splat4(1258291200u));
        f32x4 bits_6 = as_f32(changed_6 | splat4(1258291200u));
        // quant_view.go
        f32x4 difference = bits - splat4(8.388616e+06f);
        f32x4 difference_0 = bits_0 - splat4(8.388616e+06f);
        f32x4 difference_1 = bits_1 - splat4(8.388616e+06f);
        f32x4 difference_2 = bits_2 - splat4(8.388616e+06f);
        f32x4 difference_3 = bits_3 - splat4(8.388616e+06f);
        f32x4 difference_4 = bits_4 - splat4(8.388616e+06f);
        f32x4 difference_5 = bits_5 - splat4(8.388616e+06f);
        f32x4 difference_6 = bits_6 - splat4(8.388616e+06f);
        // quant_view.go
        __syncthreads();
        if (in_bounds) {
            exchange[lane_2] = scales_1;
        }
        int offset_3 = i + 1;
        bool more_0 = offset_3 < chosen_0;
        int next = more_0 ? offset_3 : i;
        // quant_view.go
        int data_start0 = next * 1024;
        int index_3 = data_offset + data_start0 + lane + offset;
        u32x2 data_16 = to_u32(*(const u8x2*)&data[index_3]);
        int index_4 = index_3 + 512;
        u32x2 data_17 = to_u32(*(const u8x2*)&data[index_4]);
        u32x2 data_18 = to_u32(*(const u8x2*)&data[index_3 + data_stride1]);
        u32x2 data_19 = to_u32(*(const u8x2*)&data[index_4 + data_stride1]);
        u32x2 data_20 = to_u32(*(const u8x2*)&data[index_3 + offset_0]);
        u32x2 data_21 = to_u32(*(const u8x2*)&data[index_4 + offset_0]);
        u32x2 data_22 = to_u32(*(const u8x2*)&data[index_3 + offset_1]);
        u32x2 data_23 = to_u32(*(const u8x2*)&data[index_4 + offset_1]);
        // quant_view.go
        int scales_start0 = next * 16;
        float scales_2 = scales[scales_offset + scales_start0 + lane_0 + offset_2];
        // block.go
        int a_start1 = next * 2048;
        int index_5 = a_offset + a_start1 + lane_4;
        f32x4 a_4 = to_f32(*(const f16x4*)&a[index_5]);
        f32x4 a_5 = to_f32(*(const f16x4*)&a[index_5 + 1024]);
        // quant_view.go
        __syncthreads();
        f32x4 exchange_0 = *(const f32x4*)&exchange[lane_3];
        f32x4 exchange_1 = *(const f32x4*)&exchange[index];
        // quantized_matmul.go
        f32x4 product = difference * splat4(exchange_0.x);
        f32x4 product_0 = difference_0 * splat4(exchange_1.x);
        f32x4 product_1 = difference_1 * splat4(exchange_0.y);
        f32x4 product_2 = difference_2 * splat4(exchange_1.y);
        f32x4 product_3 = difference_3 * splat4(exchange_0.z);
        f32x4 product_4 = difference_4 * splat4(exchange_1.z);
        f32x4 product_5 = difference_5 * splat4(exchange_0.w);
        f32x4 product_6 = difference_6 * splat4(exchange_1.w);
        // matmul.go
        carried = fmaf(product, a_2, carried);
        carried_0 = fmaf(product_0, a_3, carried_0);
        carried_1 = fmaf(product_1, a_2, carried_1);
        carried_2 = fmaf(product_2, a_3, carried_2);
        carried_3 = fmaf(product_3, a_2, carried_3);
        carried_4 = fmaf(product_4, a_3, carried_4);
        carried_5 = fmaf(product_5, a_2, carried_5);
        carried_6 = fmaf(product_6, a_3, carried_6);
        data_8 = data_16;
        data_9 = data_17;
        data_10 = data_18;
        data_11 = data_19;
        data_12 = data_20;
        data_13 = data_21;
        data_14 = data_22;
        data_15 = data_23;
        scales_1 = scales_2;
        a_2 = a_4;
        a_3 = a_5;
    }
    // quant_view.go
    unsigned bits_7 = unsigned(data_start1);
    bool less = bits_7 < unsigned(data_size1);
    unsigned bits_8 = unsigned(data_size0);
    // quant_view.go
    unsigned bits_9 = unsigned(scales_size0);
    bool less_0 = bits_7 < unsigned(scales_size1);
    // block.go
    unsigned bits_10 = unsigned(a_start0);
    bool less_1 = bits_10 < unsigned(a_size0);
    unsigned bits_11 = unsigned(a_size1);
    bool more_1 = chosen_0 < quotient_0;
    // quant_view.go
    int data_start0_0 = chosen_0 * 1024;
    int offset_4 = data_start0_0 + lane;
    int index_6 = data_offset + offset_4 + offset;
    bool in_bounds_0 = unsigned(offset_4) < bits_8 && less && more_1;
    u32x2 data_24 = in_bounds_0 ? to_u32(*(const u8x2*)&data[index_6]) : splat2(0u);
    int index_7 = index_6 + 512;
    bool in_bounds_1 = unsigned(offset_4 + 512) < bits_8 && less && more_1;
    u32x2 data_25 = in_bounds_1 ? to_u32(*(const u8x2*)&data[index_7]) : splat2(0u);
    u32x2 data_26 = in_bounds_0 ? to_u32(*(const u8x2*)&data[index_6 + data_stride1]) : splat2(0u);
    u32x2 data_27 = in_bounds_1 ? to_u32(*(const u8x2*)&data[index_7 + data_stride1]) : splat2(0u);
    u32x2 data_28 = in_bounds_0 ? to_u32(*(const u8x2*)&data[index_6 + offset_0]) : splat2(0u);
    u32x2 data_29 = in_bounds_1 ? to_u32(*(const u8x2*)&data[index_7 + offset_0]) : splat2(0u);
    u32x2 data_30 = in_bounds_0 ? to_u32(*(const u8x2*)&data[index_6 + offset_1]) : splat2(0u);
    u32x2 data_31 = in_bounds_1 ? to_u32(*(const u8x2*)&data[index_7 + offset_1]) : splat2(0u);
    // quant_view.go
    int scales_start0_0 = chosen_0 * 16;
    float scales_3 = unsigned(scales_start0_0) < bits_9 && less_0 && more_1 ? scales[scales_offset + scales_start0_0 + lane_0 + offset_2] : 0.0f;
    // block.go
    int a_start1_0 = chosen_0 * 2048;
    int offset_5 = a_start1_0 + lane_4;
    int index_8 = a_offset + offset_5;
    f32x4 a_6 = less_1 && unsigned(offset_5) < bits_11 && more_1 ? to_f32(*(const f16x4*)&a[index_8]) : splat4(0.0f);
    f32x4 a_7 = less_1 && unsigned(offset_5 + 1024) < bits_11 && more_1 ? to_f32(*(const f16x4*)&a[index_8 + 1024]) : splat4(0.0f);
    // matmul.go
    u32x2 data_32 = data_24;
    u32x2 data_33 = data_25;
    u32x2 data_34 = data_26;
    u32x2 data_35 = data_27;
    u32x2 data_36 = data_28;
    u32x2 data_37 = data_29;
    u32x2 data_38 = data_30;
    u32x2 data_39 = data_31;
    float scales_4 = scales_3;
    f32x4 a_8 = a_6;
    f32x4 a_9 = a_7;
    for (int i_0 = chosen_0; i_0 < quotient_0; ++i_0) {
        // quant_view.go
        i32x2 converted_7 = to_i32(data_32);
        i32x2 converted_8 = to_i32(data_33);
        i32x2 converted_9 = to_i32(data_34);
        i32x2 converted_10 = to_i32(data_35);
        i32x2 converted_11 = to_i32(data_36);
        i32x2 converted_12 = to_i32(data_37);
        i32x2 converted_13 = to_i32(data_38);
        i32x2 converted_14 = to_i32(data_39);
        u32x2 both_16 = to_u32(converted_7 & splat2(15)) & splat2(255u);
        u32x2 both_17 = to_u32(converted_8 & splat2(15)) & splat2(255u);
        u32x2 both_18 = to_u32(converted_9 & splat2(15)) & splat2(255u);
        u32x2 both_19 = to_u32(converted_10 & splat2(15)) & splat2(255u);
        u32x2 both_20 = to_u32(converted_11 & splat2(15)) & splat2(255u);
        u32x2 both_21 = to_u32(converted_12 & splat2(15)) & splat2(255u);
        u32x2 both_22 = to_u32(converted_13 & splat2(15)) & splat2(255u);
        u32x2 both_23 = to_u32(converted_14 & splat2(15)) & splat2(255u);
        u32x2 both_24 = to_u32((converted_7 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_25 = to_u32((converted_8 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_26 = to_u32((converted_9 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_27 = to_u32((converted_10 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_28 = to_u32((converted_11 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_29 = to_u32((converted_12 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_30 = to_u32((converted_13 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_31 = to_u32((converted_14 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x4 lanes_7 = u32x4{both_16.x, both_24.x, both_16.y, both_24.y};
        u32x4 lanes_8 = u32x4{both_17.x, both_25.x, both_17.y, both_25.y};
        u32x4 lanes_9 = u32x4{both_18.x, both_26.x, both_18.y, both_26.y};
        u32x4 lanes_10 = u32x4{both_19.x, both_27.x, both_19.y, both_27.y};
        u32x4 lanes_11 = u32x4{both_20.x, both_28.x, both_20.y, both_28.y};
        u32x4 lanes_12 = u32x4{both_21.x, both_29.x, both_21.y, both_29.y};
        u32x4 lanes_13 = u32x4{both_22.x, both_30.x, both_22.y, both_30.y};
        u32x4 lanes_14 = u32x4{both_23.x, both_31.x, both_23.y, both_31.y};
        // quant_view.go
        u32x4 changed_7 = lanes_7 ^ splat4(8u);
        u32x4 changed_8 = lanes_8 ^ splat4(8u);
        u32x4 changed_9 = lanes_9 ^ splat4(8u);
        u32x4 changed_10 = lanes_10 ^ splat4(8u);
        u32x4 changed_11 = lanes_11 ^ splat4(8u);
        u32x4 changed_12 = lanes_12 ^ splat4(8u);
        u32x4 changed_13 = lanes_13 ^ splat4(8u);
        u32x4 changed_14 = lanes_14 ^ splat4(8u);
        // quant_view.go
        f32x4 bits_12 = as_f32(changed_7 | splat4(1258291200u));
        f32x4 bits_13 = as_f32(changed_8 | splat4(1258291200u));
        f32x4 bits_14 = as_f32(changed_9 | splat4(1258291200u));
        f32x4 bits_15 = as_f32(changed_10 | splat4(1258291200u));
        f32x4 bits_16 = as_f32(changed_11 | splat4(1258291200u));
        f32x4 bits_17 = as_f32(changed_12 | splat4(1258291200u));
        f32x4 bits_18 = as_f32(changed_13 | splat4(1258291200u));
        f32x4 bits_19 = as_f32(changed_14 | splat4(1258291200u));
        // quant_view.go
        f32x4 difference_7 = bits_12 - splat4(8.388616e+06f);
        f32x4 difference_8 = bits_13 - splat4(8.388616e+06f);
        f32x4 difference_9 = bits_14 - splat4(8.388616e+06f);
        f32x4 difference_10 = bits_15 - splat4(8.388616e+06f);
        f32x4 difference_11 = bits_16 - splat4(8.388616e+06f);
        f32x4 difference_12 = bits_17 - splat4(8.388616e+06f);
        f32x4 difference_13 = bits_18 - splat4(8.388616e+06f);
        f32x4 difference_14 = bits_19 - splat4(8.388616e+06f);
        // quant_view.go
        __syncthreads();
        if (in_bounds) {
            exchange[lane_2] = scales_4;
        }
        int offset_6 = i_0 + 1;
        bool more_2 = offset_6 < quotient_0;
        int next_0 = more_2 ? offset_6 : i_0;
        // quant_view.go
        int data_start0_1 = next_0 * 1024;
        int offset_7 = data_start0_1 + lane;
        int index_9 = data_offset + offset_7 + offset;
        bool in_bounds_2 = unsigned(offset_7) < bits_8 && less;
        u32x2 data_40 = in_bounds_2 ? to_u32(*(const u8x2*)&data[index_9]) : splat2(0u);
        int index_10 = index_9 + 512;
        bool in_bounds_3 = unsigned(offset_7 + 512) < bits_8 && less;
        u32x2 data_41 = in_bounds_3 ? to_u32(*(const u8x2*)&data[index_10]) : splat2(0u);
        u32x2 data_42 = in_bounds_2 ? to_u32(*(const u8x2*)&data[index_9 + data_stride1]) : splat2(0u);
        u32x2 data_43 = in_bounds_3 ? to_u32(*(const u8x2*)&data[index_10 + data_stride1]) : splat2(0u);
        u32x2 data_44 = in_bounds_2 ? to_u32(*(const u8x2*)&data[index_9 + offset_0]) : splat2(0u);
        u32x2 data_45 = in_bounds_3 ? to_u32(*(const u8x2*)&data[index_10 + offset_0]) : splat2(0u);
        u32x2 data_46 = in_bounds_2 ? to_u32(*(const u8x2*)&data[index_9 + offset_1]) : splat2(0u);
        u32x2 data_47 = in_bounds_3 ? to_u32(*(const u8x2*)&data[index_10 + offset_1]) : splat2(0u);
        // quant_view.go
        int scales_start0_1 = next_0 * 16;
        float scales_5 = unsigned(scales_start0_1) < bits_9 && less_0 ? scales[scales_offset + scales_start0_1 + lane_0 + offset_2] : 0.0f;
        // block.go
        int a_start1_1 = next_0 * 2048;
        int offset_8 = a_start1_1 + lane_4;
        int index_11 = a_offset + offset_8;
        f32x4 a_10 = less_1 && unsigned(offset_8) < bits_11 ? to_f32(*(const f16x4*)&a[index_11]) : splat4(0.0f);
        f32x4 a_11 = less_1 && unsigned(offset_8 + 1024) < bits_11 ? to_f32(*(const f16x4*)&a[index_11 + 1024]) : splat4(0.0f);
        // quant_view.go
        __syncthreads();
        f32x4 exchange_2 = *(const f32x4*)&exchange[lane_3];
        f32x4 exchange_3 = *(const f32x4*)&exchange[index];
        // quantized_matmul.go
        f32x4 product_7 = difference_7 * splat4(exchange_2.x);
        f32x4 product_8 = difference_8 * splat4(exchange_3.x);
        f32x4 product_9 = difference_9 * splat4(exchange_2.y);
        f32x4 product_10 = difference_10 * splat4(exchange_3.y);
        f32x4 product_11 = difference_11 * splat4(exchange_2.z);
        f32x4 product_12 = difference_12 * splat4(exchange_3.z);
        f32x4 product_13 = difference_13 * splat4(exchange_2.w);
        f32x4 product_14 = difference_14 * splat4(exchange_3.w);
        // matmul.go
        carried = fmaf(product_7, a_8, carried);
        carried_0 = fmaf(product_8, a_9, carried_0);
        carried_1 = fmaf(product_9, a_8, carried_1);
        carried_2 = fmaf(product_10, a_9, carried_2);
        carried_3 = fmaf(product_11, a_8, carried_3);
        carried_4 = fmaf(product_12, a_9, carried_4);
        carried_5 = fmaf(product_13, a_8, carried_5);
        carried_6 = fmaf(product_14, a_9, carried_6);
        data_32 = data_40;
        data_33 = data_41;
        data_34 = data_42;
        data_35 = data_43;
        data_36 = data_44;
        data_37 = data_45;
        data_38 = data_46;
        data_39 = data_47;
        scales_4 = scales_5;
        a_8 = a_10;
        a_9 = a_11;
    }
    // matmul.go
    f32x4 sum = carried + carried_0;
    f32x4 sum_0 = carried_1 + carried_2;
    f32x4 sum_1 = carried_3 + carried_4;
    f32x4 sum_2 = carried_5 + carried_6;
    f32x4 lanes_15 = f32x4{sum.x + sum.z + (sum.y + sum.w), sum_0.x + sum_0.z + (sum_0.y + sum_0.w), sum_1.x + sum_1.z + (sum_1.y + sum_1.w), sum_2.x + sum_2.z + (sum_2.y + sum_2.w)};
    f32x4 other = shuffle_xor_1(lanes_15);
    f32x4 sum_3 = lanes_15 + other;
    f32x4 other_0 = shuffle_xor_2(sum_3);
    f32x4 sum_4 = sum_3 + other_0;
    f32x4 other_1 = shuffle_xor_4(sum_4);
    f32x4 sum_5 = sum_4 + other_1;
    f32x4 other_2 = shuffle_xor_8(sum_5);
    f32x4 sum_6 = sum_5 + other_2;
    f32x4 other_3 = shuffle_xor_16(sum_6);
    f32x4 sum_7 = sum_6 + other_3;
    bool in_bounds_4 = (thread & 31) == 0;
    int index_12 = thread >> 5;
    if (in_bounds_4) {
        parts[index_12] = sum_7.x;
        parts[index_12 + 8] = sum_7.y;
        parts[index_12 + 16] = sum_7.z;
        parts[index_12 + 24] = sum_7.w;
    }
    __syncthreads();
    float parts_0 = parts[0];
    float parts_1 = parts[1];
    float parts_2 = parts[2];
    float parts_3 = parts[3];
    float parts_4 = parts[4];
    float parts_5 = parts[5];
    float parts_6 = parts[6];
    float sum_8 = parts_0 + parts_1 + parts_2 + parts_3 + parts_4 + parts_5 + parts_6;
    float parts_7 = parts[7];
    float parts_8 = parts[8];
    float parts_9 = parts[9];
    float parts_10 = parts[10];
    float parts_11 = parts[11];
    float parts_12 = parts[12];
    float parts_13 = parts[13];
    float parts_14 = parts[14];
    float sum_9 = parts_8 + parts_9 + parts_10 + parts_11 + parts_12 + parts_13 + parts_14;
    float parts_15 = parts[15];
    float parts_16 = parts[16];
    float parts_17 = parts[17];
    float parts_18 = parts[18];
    float parts_19 = parts[19];
    float parts_20 = parts[20];
    float parts_21 = parts[21];
    float parts_22 = parts[22];
    float sum_10 = parts_16 + parts_17 + parts_18 + parts_19 + parts_20 + parts_21 + parts_22;
    float parts_23 = parts[23];
    float parts_24 = parts[24];
    float parts_25 = parts[25];
    float parts_26 = parts[26];
    float parts_27 = parts[27];
    float parts_28 = parts[28];
    float parts_29 = parts[29];
    float parts_30 = parts[30];
    float sum_11 = parts_24 + parts_25 + parts_26 + parts_27 + parts_28 + parts_29 + parts_30;
    float parts_31 = parts[31];
    f32x4 lanes_16 = f32x4{sum_8 + parts_7, sum_9 + parts_15, sum_10 + parts_23, sum_11 + parts_31};
    // block.go
    if ((thread & 255) == 0 && bits_10 < unsigned(out_size0)) {
        *(f16x4*)&out[out_offset + data_start1] = to_f16(lanes_16);
    }
}
