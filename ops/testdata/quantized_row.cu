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
__device__ inline float to_f32(f16 a) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(a.bits));
    return x;
}
__device__ inline f32x4 to_f32(f16x4 a) {
    return {to_f32(a.x), to_f32(a.y), to_f32(a.z), to_f32(a.w)};
}
__device__ inline f32x4 fmaf(f32x4 a, f32x4 b, f32x4 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
}
__device__ inline f32x4 operator+(f32x4 a, f32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
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
    __shared__ alignas(16) float exchange[4096]; // kernels/matmul_kernel.go: elements change threads
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/matmul_kernel.go
    int quotient = (out_size1 + 7) / 8;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int a_start0 = program / chosen;
    // kernels/matmul_kernel.go
    int quotient_0 = (a_size1 + 511) / 512;
    int least = min(min(min(quotient_0, data_size0 / 256), scales_size0 / 4), a_size1 / 512);
    bool both = remainder_0 < data_size1 / 8 && remainder_0 < scales_size1 / 8 && a_start0 < a_size0;
    int chosen_0 = both ? max(least, 0) : 0;
    // kernels/quant_view.go
    int both_0 = thread & 127;
    int lane = both_0 << 1;
    int data_start1 = remainder_0 * 8;
    int lane_0 = thread >> 7;
    int offset = data_start1 + lane_0;
    int offset_0 = offset * data_stride1;
    int offset_1 = data_stride1 * 2;
    int offset_2 = data_stride1 * 4;
    int offset_3 = data_stride1 * 6;
    // kernels/quant_view.go
    int lane_1 = thread >> 5;
    int lane_2 = lane_1 & 3;
    int offset_4 = offset * scales_stride1;
    int offset_5 = scales_stride1 * 2;
    int offset_6 = scales_stride1 * 4;
    int offset_7 = scales_stride1 * 6;
    // kernels/matrix_block.go
    int lane_3 = both_0 << 2;
    // kernels/matmul_kernel.go
    f32x4 carried = splat4(0.0f);
    f32x4 carried_0 = splat4(0.0f);
    f32x4 carried_1 = splat4(0.0f);
    f32x4 carried_2 = splat4(0.0f);
    for (int i = 0; i < chosen_0; ++i) {
        // kernels/quant_view.go
        int data_start0 = i * 256;
        int index = data_offset + data_start0 + lane + offset_0;
        u32x2 data_0 = to_u32(*(const u8x2*)&data[index]);
        u32x2 data_1 = to_u32(*(const u8x2*)&data[index + offset_1]);
        u32x2 data_2 = to_u32(*(const u8x2*)&data[index + offset_2]);
        u32x2 data_3 = to_u32(*(const u8x2*)&data[index + offset_3]);
        // kernels/quant_view.go
        i32x2 converted = to_i32(data_0);
        i32x2 converted_0 = to_i32(data_1);
        i32x2 converted_1 = to_i32(data_2);
        i32x2 converted_2 = to_i32(data_3);
        u32x2 both_1 = to_u32(converted & splat2(15)) & splat2(255u);
        u32x2 both_2 = to_u32(converted_0 & splat2(15)) & splat2(255u);
        u32x2 both_3 = to_u32(converted_1 & splat2(15)) & splat2(255u);
        u32x2 both_4 = to_u32(converted_2 & splat2(15)) & splat2(255u);
        u32x2 both_5 = to_u32((converted >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_6 = to_u32((converted_0 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_7 = to_u32((converted_1 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_8 = to_u32((converted_2 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x4 lanes = u32x4{both_1.x, both_5.x, both_1.y, both_5.y};
        u32x4 lanes_0 = u32x4{both_2.x, both_6.x, both_2.y, both_6.y};
        u32x4 lanes_1 = u32x4{both_3.x, both_7.x, both_3.y, both_7.y};
        u32x4 lanes_2 = u32x4{both_4.x, both_8.x, both_4.y, both_8.y};
        // kernels/quant_view.go
        u32x4 changed = lanes ^ splat4(8u);
        u32x4 changed_0 = lanes_0 ^ splat4(8u);
        u32x4 changed_1 = lanes_1 ^ splat4(8u);
        u32x4 changed_2 = lanes_2 ^ splat4(8u);
        // kernels/quant_view.go
        f32x4 bits = as_f32(changed | splat4(1258291200u));
        f32x4 bits_0 = as_f32(changed_0 | splat4(1258291200u));
        f32x4 bits_1 = as_f32(changed_1 | splat4(1258291200u));
        f32x4 bits_2 = as_f32(changed_2 | splat4(1258291200u));
        // kernels/quant_view.go
        f32x4 difference = bits - splat4(8.388616e+06f);
        f32x4 difference_0 = bits_0 - splat4(8.388616e+06f);
        f32x4 difference_1 = bits_1 - splat4(8.388616e+06f);
        f32x4 difference_2 = bits_2 - splat4(8.388616e+06f);
        // kernels/quant_view.go
        int scales_start0 = i * 4;
        int index_0 = scales_offset + scales_start0 + lane_2 + offset_4;
        float scales_0 = scales[index_0];
        float scales_1 = scales[index_0 + offset_5];
        float scales_2 = scales[index_0 + offset_6];
        float scales_3 = scales[index_0 + offset_7];
        // kernels/quant_view.go
        // kernels/quantized_matmul_kernel.go
        f32x4 product = difference * splat4(scales_0);
        f32x4 product_0 = difference_0 * splat4(scales_1);
        f32x4 product_1 = difference_1 * splat4(scales_2);
        f32x4 product_2 = difference_2 * splat4(scales_3);
        // kernels/matrix_block.go
        int a_start1 = i * 512;
        f32x4 a_0 = to_f32(*(const f16x4*)&a[a_offset + a_start1 + lane_3]);
        // kernels/matmul_kernel.go
        carried = fmaf(product, a_0, carried);
        carried_0 = fmaf(product_0, a_0, carried_0);
        carried_1 = fmaf(product_1, a_0, carried_1);
        carried_2 = fmaf(product_2, a_0, carried_2);
    }
    // kernels/quant_view.go
    unsigned bits_3 = unsigned(data_size0);
    unsigned bits_4 = unsigned(data_start1);
    bool less = bits_4 < unsigned(data_size1);
    // kernels/quant_view.go
    unsigned bits_5 = unsigned(scales_size0);
    bool less_0 = bits_4 < unsigned(scales_size1);
    // kernels/matrix_block.go
    unsigned bits_6 = unsigned(a_start0);
    bool less_1 = bits_6 < unsigned(a_size0);
    unsigned bits_7 = unsigned(a_size1);
    // kernels/matmul_kernel.go
    for (int i_0 = chosen_0; i_0 < quotient_0; ++i_0) {
        // kernels/quant_view.go
        int data_start0_0 = i_0 * 256;
        int index_1 = data_offset + data_start0_0 + lane + offset_0;
        bool in_bounds = unsigned(data_start0_0) < bits_3 && less;
        u32x2 data_4 = in_bounds ? to_u32(*(const u8x2*)&data[index_1]) : splat2(0u);
        u32x2 data_5 = in_bounds ? to_u32(*(const u8x2*)&data[index_1 + offset_1]) : splat2(0u);
        u32x2 data_6 = in_bounds ? to_u32(*(const u8x2*)&data[index_1 + offset_2]) : splat2(0u);
        u32x2 data_7 = in_bounds ? to_u32(*(const u8x2*)&data[index_1 + offset_3]) : splat2(0u);
        // kernels/quant_view.go
        i32x2 converted_3 = to_i32(data_4);
        i32x2 converted_4 = to_i32(data_5);
        i32x2 converted_5 = to_i32(data_6);
        i32x2 converted_6 = to_i32(data_7);
        u32x2 both_9 = to_u32(converted_3 & splat2(15)) & splat2(255u);
        u32x2 both_10 = to_u32(converted_4 & splat2(15)) & splat2(255u);
        u32x2 both_11 = to_u32(converted_5 & splat2(15)) & splat2(255u);
        u32x2 both_12 = to_u32(converted_6 & splat2(15)) & splat2(255u);
        u32x2 both_13 = to_u32((converted_3 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_14 = to_u32((converted_4 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_15 = to_u32((converted_5 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_16 = to_u32((converted_6 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x4 lanes_3 = u32x4{both_9.x, both_13.x, both_9.y, both_13.y};
        u32x4 lanes_4 = u32x4{both_10.x, both_14.x, both_10.y, both_14.y};
        u32x4 lanes_5 = u32x4{both_11.x, both_15.x, both_11.y, both_15.y};
        u32x4 lanes_6 = u32x4{both_12.x, both_16.x, both_12.y, both_16.y};
        // kernels/quant_view.go
        u32x4 changed_3 = lanes_3 ^ splat4(8u);
        u32x4 changed_4 = lanes_4 ^ splat4(8u);
        u32x4 changed_5 = lanes_5 ^ splat4(8u);
        u32x4 changed_6 = lanes_6 ^ splat4(8u);
        // kernels/quant_view.go
        f32x4 bits_8 = as_f32(changed_3 | splat4(1258291200u));
        f32x4 bits_9 = as_f32(changed_4 | splat4(1258291200u));
        f32x4 bits_10 = as_f32(changed_5 | splat4(1258291200u));
        f32x4 bits_11 = as_f32(changed_6 | splat4(1258291200u));
        // kernels/quant_view.go
        f32x4 difference_3 = bits_8 - splat4(8.388616e+06f);
        f32x4 difference_4 = bits_9 - splat4(8.388616e+06f);
        f32x4 difference_5 = bits_10 - splat4(8.388616e+06f);
        f32x4 difference_6 = bits_11 - splat4(8.388616e+06f);
        // kernels/quant_view.go
        int scales_start0_0 = i_0 * 4;
        int index_2 = scales_offset + scales_start0_0 + lane_2 + offset_4;
        bool in_bounds_0 = unsigned(scales_start0_0) < bits_5 && less_0;
        float scales_4 = in_bounds_0 ? scales[index_2] : 0.0f;
        float scales_5 = in_bounds_0 ? scales[index_2 + offset_5] : 0.0f;
        float scales_6 = in_bounds_0 ? scales[index_2 + offset_6] : 0.0f;
        float scales_7 = in_bounds_0 ? scales[index_2 + offset_7] : 0.0f;
        // kernels/quant_view.go
        // kernels/quantized_matmul_kernel.go
        f32x4 product_3 = difference_3 * splat4(scales_4);
        f32x4 product_4 = difference_4 * splat4(scales_5);
        f32x4 product_5 = difference_5 * splat4(scales_6);
        f32x4 product_6 = difference_6 * splat4(scales_7);
        // kernels/matrix_block.go
        int a_start1_0 = i_0 * 512;
        int offset_8 = a_start1_0 + lane_3;
        f32x4 a_1 = less_1 && unsigned(offset_8) < bits_7 ? to_f32(*(const f16x4*)&a[a_offset + offset_8]) : splat4(0.0f);
        // kernels/matmul_kernel.go
        carried = fmaf(product_3, a_1, carried);
        carried_0 = fmaf(product_4, a_1, carried_0);
        carried_1 = fmaf(product_5, a_1, carried_1);
        carried_2 = fmaf(product_6, a_1, carried_2);
    }
    // kernels/matmul_kernel.go
    int lane_4 = (thread << 2) ^ ((thread >> 1) & 12);
    *(f32x4*)&exchange[lane_4] = carried;
    *(f32x4*)&exchange[lane_4 + 1024] = carried_0;
    *(f32x4*)&exchange[lane_4 + 2048] = carried_1;
    *(f32x4*)&exchange[lane_4 + 3072] = carried_2;
    int lane_5 = (thread << 4) + ((thread & 6) << 1);
    __syncthreads();
    f32x4 exchange_0 = *(const f32x4*)&exchange[lane_5];
    f32x4 exchange_1 = *(const f32x4*)&exchange[lane_5 ^ 4];
    f32x4 exchange_2 = *(const f32x4*)&exchange[lane_5 ^ 8];
    f32x4 exchange_3 = *(const f32x4*)&exchange[lane_5 ^ 12];
    f32x4 sum = exchange_0 + exchange_1 + exchange_2 + exchange_3;
    float sum_0 = sum.x + sum.z + (sum.y + sum.w);
    float other = __shfl_xor_sync(0xffffffffu, sum_0, 1);
    float sum_1 = sum_0 + other;
    float other_0 = __shfl_xor_sync(0xffffffffu, sum_1, 2);
    float sum_2 = sum_1 + other_0;
    float other_1 = __shfl_xor_sync(0xffffffffu, sum_2, 4);
    float sum_3 = sum_2 + other_1;
    float other_2 = __shfl_xor_sync(0xffffffffu, sum_3, 8);
    float sum_4 = sum_3 + other_2;
    float other_3 = __shfl_xor_sync(0xffffffffu, sum_4, 16);
    float sum_5 = sum_4 + other_3;
    // kernels/matrix_block.go
    if ((thread & 31) == 0 && bits_6 < unsigned(out_size0)) {
        out[out_offset + data_start1 + lane_1] = to_f16(sum_5);
    }
}
