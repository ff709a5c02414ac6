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
    __shared__ alignas(16) float exchange[64]; // quant_view.go:126: elements change threads
    __shared__ alignas(16) float parts[32]; // matmul.go:144: partial results of reduce.sum
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // matmul.go:84
    int quotient = (out_size1 + 3) / 4;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int a_start0 = program / chosen;
    // matmul.go:136
    int quotient_0 = (a_size1 + 2047) / 2048;
    // quant_view.go:69
    int lane = thread << 1;
    int data_start1 = remainder_0 * 4;
    int offset = data_start1 * data_stride1;
    unsigned bits = unsigned(data_start1);
    bool less = bits < unsigned(data_size1);
    unsigned bits_0 = unsigned(data_size0);
    int offset_0 = data_stride1 * 2;
    int offset_1 = data_stride1 * 3;
    // quant_view.go:117
    int lane_0 = (thread >> 2) & 15;
    unsigned bits_1 = unsigned(scales_size0);
    int lane_1 = thread >> 6;
    int offset_2 = (data_start1 + lane_1) * scales_stride1;
    bool less_0 = bits < unsigned(scales_size1);
    // quant_view.go:126
    bool in_bounds = (thread & 3) == 0;
    int lane_2 = (thread & 60) + lane_1;
    int lane_3 = (thread >> 3) & 28;
    int index = lane_3 + 32;
    // block.go:14
    unsigned bits_2 = unsigned(a_start0);
    bool less_1 = bits_2 < unsigned(a_size0);
    int lane_4 = thread << 2;
    unsigned bits_3 = unsigned(a_size1);
    bool more = 0 < quotient_0;
    // quant_view.go:69
    int index_0 = data_offset + lane + offset;
    bool in_bounds_0 = unsigned(lane) < bits_0 && less && more;
    u32x2 data_0 = in_bounds_0 ? to_u32(*(const u8x2*)&data[index_0]) : splat2(0u);
    int index_1 = index_0 + 512;
    bool in_bounds_1 = unsigned(lane + 512) < bits_0 && less && more;
    u32x2 data_1 = in_bounds_1 ? to_u32(*(const u8x2*)&data[index_1]) : splat2(0u);
    u32x2 data_2 = in_bounds_0 ? to_u32(*(const u8x2*)&data[index_0 + data_stride1]) : splat2(0u);
    u32x2 data_3 = in_bounds_1 ? to_u32(*(const u8x2*)&data[index_1 + data_stride1]) : splat2(0u);
    u32x2 data_4 = in_bounds_0 ? to_u32(*(const u8x2*)&data[index_0 + offset_0]) : splat2(0u);
    u32x2 data_5 = in_bounds_1 ? to_u32(*(const u8x2*)&data[index_1 + offset_0]) : splat2(0u);
    u32x2 data_6 = in_bounds_0 ? to_u32(*(const u8x2*)&data[index_0 + offset_1]) : splat2(0u);
    u32x2 data_7 = in_bounds_1 ? to_u32(*(const u8x2*)&data[index_1 + offset_1]) : splat2(0u);
    // quant_view.go:117
    float scales_0 = unsigned(0) < bits_1 && less_0 && more ? scales[scales_offset + lane_0 + offset_2] : 0.0f;
    // block.go:14
    int index_2 = a_offset + lane_4;
    f32x4 a_0 = less_1 && unsigned(lane_4) < bits_3 && more ? to_f32(*(const f16x4*)&a[index_2]) : splat4(0.0f);
    f32x4 a_1 = less_1 && unsigned(lane_4 + 1024) < bits_3 && more ? to_f32(*(const f16x4*)&a[index_2 + 1024]) : splat4(0.0f);
    // matmul.go:136
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
    for (int i = 0; i < quotient_0; ++i) {
        // quant_view.go:71
        i32x2 converted = to_i32(data_8);
        i32x2 converted_0 = to_i32(data_9);
        i32x2 converted_1 = to_i32(data_10);
        i32x2 converted_2 = to_i32(data_11);
        i32x2 converted_3 = to_i32(data_12);
        i32x2 converted_4 = to_i32(data_13);
        i32x2 converted_5 = to_i32(data_14);
        i32x2 converted_6 = to_i32(data_15);
        u32x2 both = to_u32(converted & splat2(15)) & splat2(255u);
        u32x2 both_0 = to_u32(converted_0 & splat2(15)) & splat2(255u);
        u32x2 both_1 = to_u32(converted_1 & splat2(15)) & splat2(255u);
        u32x2 both_2 = to_u32(converted_2 & splat2(15)) & splat2(255u);
        u32x2 both_3 = to_u32(converted_3 & splat2(15)) & splat2(255u);
        u32x2 both_4 = to_u32(converted_4 & splat2(15)) & splat2(255u);
        u32x2 both_5 = to_u32(converted_5 & splat2(15)) & splat2(255u);
        u32x2 both_6 = to_u32(converted_6 & splat2(15)) & splat2(255u);
        u32x2 both_7 = to_u32((converted >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_8 = to_u32((converted_0 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_9 = to_u32((converted_1 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_10 = to_u32((converted_2 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_11 = to_u32((converted_3 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_12 = to_u32((converted_4 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_13 = to_u32((converted_5 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x2 both_14 = to_u32((converted_6 >> splat2(4)) & splat2(15)) & splat2(255u);
        u32x4 lanes = u32x4{both.x, both_7.x, both.y, both_7.y};
        u32x4 lanes_0 = u32x4{both_0.x, both_8.x, both_0.y, both_8.y};
        u32x4 lanes_1 = u32x4{both_1.x, both_9.x, both_1.y, both_9.y};
        u32x4 lanes_2 = u32x4{both_2.x, both_10.x, both_2.y, both_10.y};
        u32x4 lanes_3 = u32x4{both_3.x, both_11.x, both_3.y, both_11.y};
        u32x4 lanes_4 = u32x4{both_4.x, both_12.x, both_4.y, both_12.y};
        u32x4 lanes_5 = u32x4{both_5.x, both_13.x, both_5.y, both_13.y};
        u32x4 lanes_6 = u32x4{both_6.x, both_14.x, both_6.y, both_14.y};
        // quant_view.go:80
        u32x4 changed = lanes ^ splat4(8u);
        u32x4 changed_0 = lanes_0 ^ splat4(8u);
        u32x4 changed_1 = lanes_1 ^ splat4(8u);
        u32x4 changed_2 = lanes_2 ^ splat4(8u);
        u32x4 changed_3 = lanes_3 ^ splat4(8u);
        u32x4 changed_4 = lanes_4 ^ splat4(8u);
        u32x4 changed_5 = lanes_5 ^ splat4(8u);
        u32x4 changed_6 = lanes_6 ^ splat4(8u);
        // quant_view.go:82
        f32x4 bits_4 = as_f32(changed | splat4(1258291200u));
        f32x4 bits_5 = as_f32(changed_0 | splat4(1258291200u));
        f32x4 bits_6 = as_f32(changed_1 | splat4(1258291200u));
        f32x4 bits_7 = as_f32(changed_2 | splat4(1258291200u));
        f32x4 bits_8 = as_f32(changed_3 | splat4(1258291200u));
        f32x4 bits_9 = as_f32(changed_4 | splat4(1258291200u));
        f32x4 bits_10 = as_f32(changed_5 | splat4(1258291200u));
        f32x4 bits_11 = as_f32(changed_6 | splat4(1258291200u));
        // quant_view.go:86
        f32x4 difference = bits_4 - splat4(8.388616e+06f);
        f32x4 difference_0 = bits_5 - splat4(8.388616e+06f);
        f32x4 difference_1 = bits_6 - splat4(8.388616e+06f);
        f32x4 difference_2 = bits_7 - splat4(8.388616e+06f);
        f32x4 difference_3 = bits_8 - splat4(8.388616e+06f);
        f32x4 difference_4 = bits_9 - splat4(8.388616e+06f);
        f32x4 difference_5 = bits_10 - splat4(8.388616e+06f);
        f32x4 difference_6 = bits_11 - splat4(8.388616e+06f);
        // quant_view.go:126
        __syncthreads();
        if (in_bounds) {
            exchange[lane_2] = scales_1;
        }
        int next = i + 1;
        bool more_0 = next < quotient_0;
        // quant_view.go:69
        int data_start0 = next * 1024;
        int offset_3 = data_start0 + lane;
        int index_3 = data_offset + offset_3 + offset;
        bool in_bounds_2 = unsigned(offset_3) < bits_0 && less && more_0;
        u32x2 data_16 = in_bounds_2 ? to_u32(*(const u8x2*)&data[index_3]) : splat2(0u);
        int index_4 = index_3 + 512;
        bool in_bounds_3 = unsigned(offset_3 + 512) < bits_0 && less && more_0;
        u32x2 data_17 = in_bounds_3 ? to_u32(*(const u8x2*)&data[index_4]) : splat2(0u);
        u32x2 data_18 = in_bounds_2 ? to_u32(*(const u8x2*)&data[index_3 + data_stride1]) : splat2(0u);
        u32x2 data_19 = in_bounds_3 ? to_u32(*(const u8x2*)&data[index_4 + data_stride1]) : splat2(0u);
        u32x2 data_20 = in_bounds_2 ? to_u32(*(const u8x2*)&data[index_3 + offset_0]) : splat2(0u);
        u32x2 data_21 = in_bounds_3 ? to_u32(*(const u8x2*)&data[index_4 + offset_0]) : splat2(0u);
        u32x2 data_22 = in_bounds_2 ? to_u32(*(const u8x2*)&data[index_3 + offset_1]) : splat2(0u);
        u32x2 data_23 = in_bounds_3 ? to_u32(*(const u8x2*)&data[index_4 + offset_1]) : splat2(0u);
        // quant_view.go:117
        int scales_start0 = next * 16;
        float scales_2 = unsigned(scales_start0) < bits_1 && less_0 && more_0 ? scales[scales_offset + scales_start0 + lane_0 + offset_2] : 0.0f;
        // block.go:14
        int a_start1 = next * 2048;
        int offset_4 = a_start1 + lane_4;
        int index_5 = a_offset + offset_4;
        f32x4 a_4 = less_1 && unsigned(offset_4) < bits_3 && more_0 ? to_f32(*(const f16x4*)&a[index_5]) : splat4(0.0f);
        f32x4 a_5 = less_1 && unsigned(offset_4 + 1024) < bits_3 && more_0 ? to_f32(*(const f16x4*)&a[index_5 + 1024]) : splat4(0.0f);
        // quant_view.go:126
        __syncthreads();
        f32x4 exchange_0 = *(const f32x4*)&exchange[lane_3];
        f32x4 exchange_1 = *(const f32x4*)&exchange[index];
        // quantized_matmul.go:42
        f32x4 product = difference * splat4(exchange_0.x);
        f32x4 product_0 = difference_0 * splat4(exchange_1.x);
        f32x4 product_1 = difference_1 * splat4(exchange_0.y);
        f32x4 product_2 = difference_2 * splat4(exchange_1.y);
        f32x4 product_3 = difference_3 * splat4(exchange_0.z);
        f32x4 product_4 = difference_4 * splat4(exchange_1.z);
        f32x4 product_5 = difference_5 * splat4(exchange_0.w);
        f32x4 product_6 = difference_6 * splat4(exchange_1.w);
        // matmul.go:151
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
    // matmul.go:144
    f32x4 sum = carried + carried_0;
    f32x4 sum_0 = carried_1 + carried_2;
    f32x4 sum_1 = carried_3 + carried_4;
    f32x4 sum_2 = carried_5 + carried_6;
    f32x4 lanes_7 = f32x4{sum.x + sum.z + (sum.y + sum.w), sum_0.x + sum_0.z + (sum_0.y + sum_0.w), sum_1.x + sum_1.z + (sum_1.y + sum_1.w), sum_2.x + sum_2.z + (sum_2.y + sum_2.w)};
    f32x4 other = shuffle_xor_1(lanes_7);
    f32x4 sum_3 = lanes_7 + other;
    f32x4 other_0 = shuffle_xor_2(sum_3);
    f32x4 sum_4 = sum_3 + other_0;
    f32x4 other_1 = shuffle_xor_4(sum_4);
    f32x4 sum_5 = sum_4 + other_1;
    f32x4 other_2 = shuffle_xor_8(sum_5);
    f32x4 sum_6 = sum_5 + other_2;
    f32x4 other_3 = shuffle_xor_16(sum_6);
    f32x4 sum_7 = sum_6 + other_3;
    bool in_bounds_4 = (thread & 31) == 0;
    int index_6 = thread >> 5;
    if (in_bounds_4) {
        parts[index_6] = sum_7.x;
        parts[index_6 + 8] = sum_7.y;
        parts[index_6 + 16] = sum_7.z;
        parts[index_6 + 24] = sum_7.w;
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
    f32x4 lanes_8 = f32x4{sum_8 + parts_7, sum_9 + parts_15, sum_10 + parts_23, sum_11 + parts_31};
    // block.go:37
    bool in_bounds_5 = (thread & 255) == 0 && bits_2 < unsigned(out_size0) && bits < unsigned(out_size1);
    if (in_bounds_5) {
        *(f16x4*)&out[out_offset + data_start1] = to_f16(lanes_8);
    }
}
