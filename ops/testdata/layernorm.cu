struct f16 { unsigned short bits; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(8) u32x2 { unsigned x, y; };
struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(4) boolx4 { bool x, y, z, w; };

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
__device__ inline i32x4 splat4(int a) {
    return {a, a, a, a};
}
__device__ inline boolx4 operator<(i32x4 a, i32x4 b) {
    return {a.x < b.x, a.y < b.y, a.z < b.z, a.w < b.w};
}
__device__ inline f32x4 to_f32(boolx4 a) {
    return {float(a.x), float(a.y), float(a.z), float(a.w)};
}
__device__ inline f32x4 operator*(f32x4 a, f32x4 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}
__device__ inline f32x4 operator+(f32x4 a, f32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline f32x4 operator-(f32x4 a, f32x4 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
__device__ inline f32x4 fmaf(f32x4 a, f32x4 b, f32x4 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
}
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline u32x2 pack_f16(f32x4 a) {
    return {unsigned(to_f16(a.x).bits) | (unsigned(to_f16(a.y).bits) << 16), unsigned(to_f16(a.z).bits) | (unsigned(to_f16(a.w).bits) << 16)};
}

extern "C" __global__ void __launch_bounds__(128) normalise(
    const f16* __restrict__ x,
    const f16* __restrict__ weight,
    const f16* __restrict__ bias,
    f16* __restrict__ out,
    int x_offset,
    int x_size0,
    int x_size1,
    int x_stride0,
    int weight_offset,
    int weight_size0,
    int weight_size1,
    int bias_offset,
    int bias_size0,
    int bias_size1,
    int out_offset,
    int out_size0,
    int out_size1,
    int out_stride0,
    float epsilon) {
    __shared__ alignas(16) float parts[4]; // kernels/reduce_states.go: partial results of reduce.sum
    __shared__ alignas(16) float parts_0[4]; // kernels/reduce_states.go: partial results of reduce.sum
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/reduce_kernel.go
    unsigned bits = unsigned(program);
    bool less = bits < unsigned(x_size0);
    int lane = thread << 3;
    int index = x_offset + program * x_stride0 + lane;
    unsigned bits_0 = unsigned(lane);
    unsigned bits_1 = unsigned(x_size1);
    u32x4 x_0 = less && bits_0 < bits_1 ? *(const u32x4*)&x[index] : splat4(0u);
    f32x4 x_1 = unpack_f16(u32x2{x_0.x, x_0.y});
    f32x4 x_2 = unpack_f16(u32x2{x_0.z, x_0.w});
    int offset = lane + 1024;
    unsigned bits_2 = unsigned(offset);
    u32x4 x_3 = less && bits_2 < bits_1 ? *(const u32x4*)&x[index + 1024] : splat4(0u);
    f32x4 x_4 = unpack_f16(u32x2{x_3.x, x_3.y});
    f32x4 x_5 = unpack_f16(u32x2{x_3.z, x_3.w});
    int offset_0 = lane + 2048;
    unsigned bits_3 = unsigned(offset_0);
    u32x4 x_6 = less && bits_3 < bits_1 ? *(const u32x4*)&x[index + 2048] : splat4(0u);
    f32x4 x_7 = unpack_f16(u32x2{x_6.x, x_6.y});
    f32x4 x_8 = unpack_f16(u32x2{x_6.z, x_6.w});
    int offset_1 = lane + 3072;
    unsigned bits_4 = unsigned(offset_1);
    u32x4 x_9 = less && bits_4 < bits_1 ? *(const u32x4*)&x[index + 3072] : splat4(0u);
    f32x4 x_10 = unpack_f16(u32x2{x_9.x, x_9.y});
    f32x4 x_11 = unpack_f16(u32x2{x_9.z, x_9.w});
    // kernels/reduce_kernel.go
    i32x4 lanes = i32x4{lane, lane + 1, lane + 2, lane + 3};
    i32x4 lanes_0 = i32x4{lane + 4, lane + 5, lane + 6, lane + 7};
    i32x4 lanes_1 = i32x4{offset, lane + 1025, lane + 1026, lane + 1027};
    i32x4 lanes_2 = i32x4{lane + 1028, lane + 1029, lane + 1030, lane + 1031};
    i32x4 lanes_3 = i32x4{offset_0, lane + 2049, lane + 2050, lane + 2051};
    i32x4 lanes_4 = i32x4{lane + 2052, lane + 2053, lane + 2054, lane + 2055};
    i32x4 lanes_5 = i32x4{offset_1, lane + 3073, lane + 3074, lane + 3075};
    i32x4 lanes_6 = i32x4{lane + 3076, lane + 3077, lane + 3078, lane + 3079};
    // kernels/reduce_kernel.go
    boolx4 less_0 = lanes < splat4(x_size1);
    boolx4 less_1 = lanes_0 < splat4(x_size1);
    boolx4 less_2 = lanes_1 < splat4(x_size1);
    boolx4 less_3 = lanes_2 < splat4(x_size1);
    boolx4 less_4 = lanes_3 < splat4(x_size1);
    boolx4 less_5 = lanes_4 < splat4(x_size1);
    boolx4 less_6 = lanes_5 < splat4(x_size1);
    boolx4 less_7 = lanes_6 < splat4(x_size1);
    // kernels/reduce_states.go
    f32x4 converted = to_f32(less_0);
    f32x4 converted_0 = to_f32(less_1);
    f32x4 converted_1 = to_f32(less_2);
    f32x4 converted_2 = to_f32(less_3);
    f32x4 converted_3 = to_f32(less_4);
    f32x4 converted_4 = to_f32(less_5);
    f32x4 converted_5 = to_f32(less_6);
    f32x4 converted_6 = to_f32(less_7);
    // kernels/reduce_kernel.go
    float converted_7 = float(x_size1);
    // kernels/reduce_states.go
    f32x4 product = converted * x_1;
    f32x4 product_0 = converted_0 * x_2;
    f32x4 product_1 = converted_1 * x_4;
    f32x4 product_2 = converted_2 * x_5;
    f32x4 product_3 = converted_3 * x_7;
    f32x4 product_4 = converted_4 * x_8;
    f32x4 product_5 = converted_5 * x_10;
    f32x4 product_6 = converted_6 * x_11;
    // kernels/reduce_states.go
    f32x4 sum = product + product_0 + product_1 + product_2 + product_3 + product_4;
    f32x4 sum_0 = sum + product_5 + product_6;
    float sum_1 = sum_0.x + sum_0.z + (sum_0.y + sum_0.w);
    float other = __shfl_xor_sync(0xffffffffu, sum_1, 1);
    float sum_2 = sum_1 + other;
    float other_0 = __shfl_xor_sync(0xffffffffu, sum_2, 2);
    float sum_3 = sum_2 + other_0;
    float other_1 = __shfl_xor_sync(0xffffffffu, sum_3, 4);
    float sum_4 = sum_3 + other_1;
    float other_2 = __shfl_xor_sync(0xffffffffu, sum_4, 8);
    float sum_5 = sum_4 + other_2;
    float other_3 = __shfl_xor_sync(0xffffffffu, sum_5, 16);
    bool in_bounds = (thread & 31) == 0;
    int index_0 = thread >> 5;
    if (in_bounds) {
        parts[index_0] = sum_5 + other_3;
    }
    __syncthreads();
    float parts_1 = parts[0];
    float parts_2 = parts[1];
    float parts_3 = parts[2];
    float parts_4 = parts[3];
    float sum_6 = parts_1 + parts_2 + parts_3 + parts_4;
    // kernels/reduce_states.go
    float quotient = sum_6 / fmaxf(converted_7, 1.0f);
    // kernels/reduce_states.go
    f32x4 difference = x_1 - splat4(quotient);
    f32x4 difference_0 = x_2 - splat4(quotient);
    f32x4 difference_1 = x_4 - splat4(quotient);
    f32x4 difference_2 = x_5 - splat4(quotient);
    f32x4 difference_3 = x_7 - splat4(quotient);
    f32x4 difference_4 = x_8 - splat4(quotient);
    f32x4 difference_5 = x_10 - splat4(quotient);
    f32x4 difference_6 = x_11 - splat4(quotient);
    // kernels/reduce_states.go
    f32x4 fused = fmaf(difference * difference, converted, splat4(0.0f));
    f32x4 fused_0 = fmaf(difference_0 * difference_0, converted_0, splat4(0.0f));
    f32x4 fused_1 = fmaf(difference_1 * difference_1, converted_1, splat4(0.0f));
    f32x4 fused_2 = fmaf(difference_2 * difference_2, converted_2, splat4(0.0f));
    f32x4 fused_3 = fmaf(difference_3 * difference_3, converted_3, splat4(0.0f));
    f32x4 fused_4 = fmaf(difference_4 * difference_4, converted_4, splat4(0.0f));
    f32x4 fused_5 = fmaf(difference_5 * difference_5, converted_5, splat4(0.0f));
    f32x4 fused_6 = fmaf(difference_6 * difference_6, converted_6, splat4(0.0f));
    // kernels/reduce_states.go
    f32x4 sum_7 = fused + fused_0 + fused_1 + fused_2 + fused_3 + fused_4 + fused_5;
    f32x4 sum_8 = sum_7 + fused_6;
    float sum_9 = sum_8.x + sum_8.z + (sum_8.y + sum_8.w);
    float other_4 = __shfl_xor_sync(0xffffffffu, sum_9, 1);
    float sum_10 = sum_9 + other_4;
    float other_5 = __shfl_xor_sync(0xffffffffu, sum_10, 2);
    float sum_11 = sum_10 + other_5;
    float other_6 = __shfl_xor_sync(0xffffffffu, sum_11, 4);
    float sum_12 = sum_11 + other_6;
    float other_7 = __shfl_xor_sync(0xffffffffu, sum_12, 8);
    float sum_13 = sum_12 + other_7;
    float other_8 = __shfl_xor_sync(0xffffffffu, sum_13, 16);
    if (in_bounds) {
        parts_0[index_0] = sum_13 + other_8;
    }
    __syncthreads();
    float parts_5 = parts_0[0];
    float parts_6 = parts_0[1];
    float parts_7 = parts_0[2];
    float parts_8 = parts_0[3];
    float sum_14 = parts_5 + parts_6 + parts_7 + parts_8;
    // kernels/norm_kernel.go
    float inverse_root = rsqrtf(sum_14 / converted_7 + epsilon);
    // kernels/norm_kernel.go
    f32x4 product_7 = difference * splat4(inverse_root);
    f32x4 product_8 = difference_0 * splat4(inverse_root);
    f32x4 product_9 = difference_1 * splat4(inverse_root);
    f32x4 product_10 = difference_2 * splat4(inverse_root);
    f32x4 product_11 = difference_3 * splat4(inverse_root);
    f32x4 product_12 = difference_4 * splat4(inverse_root);
    f32x4 product_13 = difference_5 * splat4(inverse_root);
    f32x4 product_14 = difference_6 * splat4(inverse_root);
    // kernels/norm_kernel.go
    bool less_8 = 0u < unsigned(weight_size0);
    int index_1 = weight_offset + lane;
    unsigned bits_5 = unsigned(weight_size1);
    u32x4 weight_0 = less_8 && bits_0 < bits_5 ? *(const u32x4*)&weight[index_1] : splat4(0u);
    f32x4 weight_1 = unpack_f16(u32x2{weight_0.x, weight_0.y});
    f32x4 weight_2 = unpack_f16(u32x2{weight_0.z, weight_0.w});
    u32x4 weight_3 = less_8 && bits_2 < bits_5 ? *(const u32x4*)&weight[index_1 + 1024] : splat4(0u);
    f32x4 weight_4 = unpack_f16(u32x2{weight_3.x, weight_3.y});
    f32x4 weight_5 = unpack_f16(u32x2{weight_3.z, weight_3.w});
    u32x4 weight_6 = less_8 && bits_3 < bits_5 ? *(const u32x4*)&weight[index_1 + 2048] : splat4(0u);
    f32x4 weight_7 = unpack_f16(u32x2{weight_6.x, weight_6.y});
    f32x4 weight_8 = unpack_f16(u32x2{weight_6.z, weight_6.w});
    u32x4 weight_9 = less_8 && bits_4 < bits_5 ? *(const u32x4*)&weight[index_1 + 3072] : splat4(0u);
    f32x4 weight_10 = unpack_f16(u32x2{weight_9.x, weight_9.y});
    f32x4 weight_11 = unpack_f16(u32x2{weight_9.z, weight_9.w});
    // kernels/norm_kernel.go
    f32x4 product_15 = product_7 * weight_1;
    f32x4 product_16 = product_8 * weight_2;
    f32x4 product_17 = product_9 * weight_4;
    f32x4 product_18 = product_10 * weight_5;
    f32x4 product_19 = product_11 * weight_7;
    f32x4 product_20 = product_12 * weight_8;
    f32x4 product_21 = product_13 * weight_10;
    f32x4 product_22 = product_14 * weight_11;
    // kernels/norm_kernel.go
    bool less_9 = 0u < unsigned(bias_size0);
    int index_2 = bias_offset + lane;
    unsigned bits_6 = unsigned(bias_size1);
    u32x4 bias_0 = less_9 && bits_0 < bits_6 ? *(const u32x4*)&bias[index_2] : splat4(0u);
    f32x4 bias_1 = unpack_f16(u32x2{bias_0.x, bias_0.y});
    f32x4 bias_2 = unpack_f16(u32x2{bias_0.z, bias_0.w});
    u32x4 bias_3 = less_9 && bits_2 < bits_6 ? *(const u32x4*)&bias[index_2 + 1024] : splat4(0u);
    f32x4 bias_4 = unpack_f16(u32x2{bias_3.x, bias_3.y});
    f32x4 bias_5 = unpack_f16(u32x2{bias_3.z, bias_3.w});
    u32x4 bias_6 = less_9 && bits_3 < bits_6 ? *(const u32x4*)&bias[index_2 + 2048] : splat4(0u);
    f32x4 bias_7 = unpack_f16(u32x2{bias_6.x, bias_6.y});
    f32x4 bias_8 = unpack_f16(u32x2{bias_6.z, bias_6.w});
    u32x4 bias_9 = less_9 && bits_4 < bits_6 ? *(const u32x4*)&bias[index_2 + 3072] : splat4(0u);
    f32x4 bias_10 = unpack_f16(u32x2{bias_9.x, bias_9.y});
    f32x4 bias_11 = unpack_f16(u32x2{bias_9.z, bias_9.w});
    // kernels/norm_kernel.go
    f32x4 sum_15 = product_15 + bias_1;
    f32x4 sum_16 = product_16 + bias_2;
    f32x4 sum_17 = product_17 + bias_4;
    f32x4 sum_18 = product_18 + bias_5;
    f32x4 sum_19 = product_19 + bias_7;
    f32x4 sum_20 = product_20 + bias_8;
    f32x4 sum_21 = product_21 + bias_10;
    f32x4 sum_22 = product_22 + bias_11;
    // kernels/norm_kernel.go
    bool less_10 = bits < unsigned(out_size0);
    int index_3 = out_offset + program * out_stride0 + lane;
    unsigned bits_7 = unsigned(out_size1);
    u32x2 value = pack_f16(sum_15);
    u32x2 value_0 = pack_f16(sum_16);
    if (less_10 && bits_0 < bits_7) {
        *(u32x4*)&out[index_3] = u32x4{value.x, value.y, value_0.x, value_0.y};
    }
    u32x2 value_1 = pack_f16(sum_17);
    u32x2 value_2 = pack_f16(sum_18);
    if (less_10 && bits_2 < bits_7) {
        *(u32x4*)&out[index_3 + 1024] = u32x4{value_1.x, value_1.y, value_2.x, value_2.y};
    }
    u32x2 value_3 = pack_f16(sum_19);
    u32x2 value_4 = pack_f16(sum_20);
    if (less_10 && bits_3 < bits_7) {
        *(u32x4*)&out[index_3 + 2048] = u32x4{value_3.x, value_3.y, value_4.x, value_4.y};
    }
    u32x2 value_5 = pack_f16(sum_21);
    u32x2 value_6 = pack_f16(sum_22);
    if (less_10 && bits_4 < bits_7) {
        *(u32x4*)&out[index_3 + 3072] = u32x4{value_5.x, value_5.y, value_6.x, value_6.y};
    }
}
