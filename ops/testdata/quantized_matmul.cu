struct f16 { unsigned short bits; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(4) u8x4 { unsigned char x, y, z, w; };
struct alignas(8) f16x4 { f16 x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}
__device__ inline i32x4 splat4(int a) {
    return {a, a, a, a};
}
__device__ inline float to_f32(f16 a) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(a.bits));
    return x;
}
__device__ inline u32x4 to_u32(u8x4 a) {
    return {a.x, a.y, a.z, a.w};
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
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline f32x4 round_f16(f32x4 a) {
    return {to_f32(to_f16(a.x)), to_f32(to_f16(a.y)), to_f32(to_f16(a.z)), to_f32(to_f16(a.w))};
}
__device__ inline f16x4 to_f16(f32x4 a) {
    return {to_f16(a.x), to_f16(a.y), to_f16(a.z), to_f16(a.w)};
}

extern "C" __global__ void __launch_bounds__(128) matmul(
    const f16* __restrict__ a,
    const unsigned char* __restrict__ data,
    const float* __restrict__ scales,
    f16* __restrict__ out,
    int a_offset,
    int a_size0,
    int a_size1,
    int a_stride0,
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
    int out_size1,
    int out_stride0) {
    __shared__ alignas(16) float tile_a[572]; // kernels/matmul_kernel.go: operand a of the product
    __shared__ alignas(16) float tile_b[1024]; // kernels/matmul_kernel.go: operand b of the product
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/matmul_kernel.go
    int offset = (out_size1 + 63) / 64 * 8;
    int chosen = offset == 0 ? 1 : offset;
    int offset_0 = program / chosen * 8;
    int least = min((out_size0 + 31) / 32 - offset_0, 8);
    int remainder_0 = program % chosen;
    int chosen_0 = least == 0 ? 1 : least;
    int quotient = remainder_0 / chosen_0;
    int offset_1 = offset_0 + remainder_0 - quotient * chosen_0;
    // kernels/matmul_kernel.go
    int quotient_0 = (a_size1 + 15) / 16;
    // kernels/matrix_block.go
    int a_start0 = offset_1 * 32;
    int shifted = thread >> 2;
    int lane = shifted & 28;
    int offset_2 = a_offset + (a_start0 + lane) * a_stride0;
    bool in_bounds = unsigned(a_start0) < unsigned(a_size0);
    int lane_0 = thread & 15;
    int offset_3 = a_stride0 * 2;
    int offset_4 = a_stride0 * 3;
    // kernels/quant_view.go
    int both = thread & 1;
    int lane_1 = both << 2;
    unsigned bits = unsigned(data_size0);
    int data_start1 = quotient * 64;
    int lane_2 = thread >> 1;
    int offset_5 = data_start1 + lane_2;
    int offset_6 = offset_5 * data_stride1;
    unsigned bits_0 = unsigned(data_start1);
    bool less = bits_0 < unsigned(data_size1);
    // kernels/quant_view.go
    unsigned bits_1 = unsigned(scales_size0);
    int offset_7 = offset_5 * scales_stride1;
    bool less_0 = bits_0 < unsigned(scales_size1);
    // kernels/matmul_kernel.go
    int index = lane_0 * 36 + lane;
    int index_0 = (both << 3) * 64 + lane_2;
    int index_1 = index_0 + 64;
    int index_2 = index_0 + 128;
    int index_3 = index_0 + 192;
    int index_4 = index_0 + 256;
    int index_5 = index_0 + 320;
    int index_6 = index_0 + 384;
    int index_7 = index_0 + 448;
    int lane_3 = ((thread & 2) << 1) + (thread & 8) + (shifted & 16);
    int lane_4 = lane_1 + ((thread & 4) << 1) + (thread & 48);
    bool more = 0 < quotient_0;
    // kernels/matrix_block.go
    int index_8 = offset_2 + lane_0;
    bool in_bounds_0 = in_bounds && more;
    float a_0 = in_bounds_0 ? to_f32(a[index_8]) : 0.0f;
    float a_1 = in_bounds_0 ? to_f32(a[index_8 + a_stride0]) : 0.0f;
    float a_2 = in_bounds_0 ? to_f32(a[index_8 + offset_3]) : 0.0f;
    float a_3 = in_bounds_0 ? to_f32(a[index_8 + offset_4]) : 0.0f;
    // kernels/quant_view.go
    unsigned bits_2 = unsigned(0);
    u32x4 data_0 = bits_2 < bits && less && more ? to_u32(*(const u8x4*)&data[data_offset + lane_1 + offset_6]) : splat4(0u);
    // kernels/quant_view.go
    float scales_0 = bits_2 < bits_1 && less_0 && more ? scales[scales_offset + offset_7] : 0.0f;
    // kernels/matmul_kernel.go
    f32x4 acc = splat4(0.0f);
    f32x4 acc_0 = splat4(0.0f);
    f32x4 acc_1 = splat4(0.0f);
    f32x4 acc_2 = splat4(0.0f);
    float a_4 = a_0;
    float a_5 = a_1;
    float a_6 = a_2;
    float a_7 = a_3;
    u32x4 data_1 = data_0;
    float scales_1 = scales_0;
    for (int i = 0; i < quotient_0; ++i) {
        // kernels/matrix_block.go
        f32x4 lanes = f32x4{a_4, a_5, a_6, a_7};
        // kernels/quant_view.go
        i32x4 converted = to_i32(data_1);
        u32x4 both_0 = to_u32(converted & splat4(15)) & splat4(255u);
        u32x4 both_1 = to_u32((converted >> splat4(4)) & splat4(15)) & splat4(255u);
        u32x4 lanes_0 = u32x4{both_0.x, both_1.x, both_0.y, both_1.y};
        u32x4 lanes_1 = u32x4{both_0.z, both_1.z, both_0.w, both_1.w};
        // kernels/quant_view.go
        u32x4 changed = lanes_0 ^ splat4(8u);
        u32x4 changed_0 = lanes_1 ^ splat4(8u);
        // kernels/quant_view.go
        f32x4 bits_3 = as_f32(changed | splat4(1258291200u));
        f32x4 bits_4 = as_f32(changed_0 | splat4(1258291200u));
        // kernels/quant_view.go
        f32x4 difference = bits_3 - splat4(8.388616e+06f);
        f32x4 difference_0 = bits_4 - splat4(8.388616e+06f);
        // kernels/quantized_matmul_kernel.go
        f32x4 product = difference * splat4(scales_1);
        f32x4 product_0 = difference_0 * splat4(scales_1);
        // kernels/matmul_kernel.go
        f32x4 rounded = round_f16(product);
        f32x4 rounded_0 = round_f16(product_0);
        // kernels/matmul_kernel.go
        __syncthreads();
        *(f32x4*)&tile_a[index] = lanes;
        tile_b[index_0] = rounded.x;
        tile_b[index_1] = rounded.y;
        tile_b[index_2] = rounded.z;
        tile_b[index_3] = rounded.w;
        tile_b[index_4] = rounded_0.x;
        tile_b[index_5] = rounded_0.y;
        tile_b[index_6] = rounded_0.z;
        tile_b[index_7] = rounded_0.w;
        int offset_8 = i + 1;
        bool more_0 = offset_8 < quotient_0;
        int next = more_0 ? offset_8 : i;
        // kernels/matrix_block.go
        int a_start1 = next * 16;
        int index_9 = offset_2 + a_start1 + lane_0;
        float a_8 = in_bounds ? to_f32(a[index_9]) : 0.0f;
        float a_9 = in_bounds ? to_f32(a[index_9 + a_stride0]) : 0.0f;
        float a_10 = in_bounds ? to_f32(a[index_9 + offset_3]) : 0.0f;
        float a_11 = in_bounds ? to_f32(a[index_9 + offset_4]) : 0.0f;
        // kernels/quant_view.go
        int data_start0 = next * 8;
        u32x4 data_2 = unsigned(data_start0) < bits && less ? to_u32(*(const u8x4*)&data[data_offset + data_start0 + lane_1 + offset_6]) : splat4(0u);
        // kernels/quant_view.go
        int scales_start0 = next / 8;
        // kernels/quant_view.go
        float scales_2 = unsigned(scales_start0) < bits_1 && less_0 ? scales[scales_offset + scales_start0 + offset_7] : 0.0f;
        // kernels/matmul_kernel.go
        __syncthreads();
        float acc_3 = acc.x;
        float acc_4 = acc.y;
        float acc_5 = acc.z;
        float acc_6 = acc.w;
        float acc_7 = acc_0.w;
        float acc_8 = acc_0.z;
        float acc_9 = acc_0.y;
        float acc_10 = acc_0.x;
        float acc_11 = acc_1.x;
        float acc_12 = acc_1.y;
        float acc_13 = acc_1.z;
        float acc_14 = acc_1.w;
        float acc_15 = acc_2.w;
        float acc_16 = acc_2.z;
        float acc_17 = acc_2.y;
        float acc_18 = acc_2.x;
        #pragma unroll
        for (int i_0 = 0; i_0 < 16; ++i_0) {
            f32x4 tile_a_0 = *(const f32x4*)&tile_a[i_0 * 36 + lane_3];
            f32x4 tile_b_0 = *(const f32x4*)&tile_b[i_0 * 64 + lane_4];
            acc_3 = fmaf(tile_a_0.x, tile_b_0.x, acc_3);
            acc_4 = fmaf(tile_a_0.x, tile_b_0.y, acc_4);
            acc_5 = fmaf(tile_a_0.x, tile_b_0.z, acc_5);
            acc_6 = fmaf(tile_a_0.x, tile_b_0.w, acc_6);
            acc_7 = fmaf(tile_a_0.y, tile_b_0.w, acc_7);
            acc_8 = fmaf(tile_a_0.y, tile_b_0.z, acc_8);
            acc_9 = fmaf(tile_a_0.y, tile_b_0.y, acc_9);
            acc_10 = fmaf(tile_a_0.y, tile_b_0.x, acc_10);
            acc_11 = fmaf(tile_a_0.z, tile_b_0.x, acc_11);
            acc_12 = fmaf(tile_a_0.z, tile_b_0.y, acc_12);
            acc_13 = fmaf(tile_a_0.z, tile_b_0.z, acc_13);
            acc_14 = fmaf(tile_a_0.z, tile_b_0.w, acc_14);
            acc_15 = fmaf(tile_a_0.w, tile_b_0.w, acc_15);
            acc_16 = fmaf(tile_a_0.w, tile_b_0.z, acc_16);
            acc_17 = fmaf(tile_a_0.w, tile_b_0.y, acc_17);
            acc_18 = fmaf(tile_a_0.w, tile_b_0.x, acc_18);
        }
        acc = f32x4{acc_3, acc_4, acc_5, acc_6};
        acc_0 = f32x4{acc_10, acc_9, acc_8, acc_7};
        acc_1 = f32x4{acc_11, acc_12, acc_13, acc_14};
        acc_2 = f32x4{acc_18, acc_17, acc_16, acc_15};
        a_4 = a_8;
        a_5 = a_9;
        a_6 = a_10;
        a_7 = a_11;
        data_1 = data_2;
        scales_1 = scales_2;
    }
    // kernels/matrix_block.go
    int index_10 = out_offset + (a_start0 + lane_3) * out_stride0 + data_start1 + lane_4;
    *(f16x4*)&out[index_10] = to_f16(acc);
    *(f16x4*)&out[index_10 + out_stride0] = to_f16(acc_0);
    *(f16x4*)&out[index_10 + out_stride0 * 2] = to_f16(acc_1);
    *(f16x4*)&out[index_10 + out_stride0 * 3] = to_f16(acc_2);
}
