struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(4) boolx4 { bool x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
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
__device__ inline f32x4 operator+(f32x4 a, f32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline f32x4 operator*(f32x4 a, f32x4 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}
__device__ inline f32x4 operator-(f32x4 a, f32x4 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
__device__ inline f32x4 fmaf(f32x4 a, f32x4 b, f32x4 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
}

extern "C" __global__ void __launch_bounds__(256) reduce(
    const float* __restrict__ x,
    float* __restrict__ out,
    int x_offset,
    int x_size0,
    int x_size1,
    int x_stride0,
    int out_offset,
    int out_size0,
    int out_size1,
    float divisor) {
    __shared__ alignas(16) float parts[8]; // reduce_states.go:130: partial results of reduce.sum
    __shared__ alignas(16) float parts_0[8]; // reduce_states.go:130: partial results of reduce.sum
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // reduce_kernel.go:197
    unsigned bits = unsigned(program);
    bool less = bits < unsigned(x_size0);
    int lane = thread << 2;
    int index = x_offset + program * x_stride0 + lane;
    unsigned bits_0 = unsigned(x_size1);
    f32x4 x_0 = less && unsigned(lane) < bits_0 ? *(const f32x4*)&x[index] : splat4(0.0f);
    int offset = lane + 1024;
    f32x4 x_1 = less && unsigned(offset) < bits_0 ? *(const f32x4*)&x[index + 1024] : splat4(0.0f);
    int offset_0 = lane + 2048;
    f32x4 x_2 = less && unsigned(offset_0) < bits_0 ? *(const f32x4*)&x[index + 2048] : splat4(0.0f);
    int offset_1 = lane + 3072;
    f32x4 x_3 = less && unsigned(offset_1) < bits_0 ? *(const f32x4*)&x[index + 3072] : splat4(0.0f);
    // reduce_kernel.go:204
    i32x4 lanes = i32x4{lane, lane + 1, lane + 2, lane + 3};
    i32x4 lanes_0 = i32x4{offset, lane + 1025, lane + 1026, lane + 1027};
    i32x4 lanes_1 = i32x4{offset_0, lane + 2049, lane + 2050, lane + 2051};
    i32x4 lanes_2 = i32x4{offset_1, lane + 3073, lane + 3074, lane + 3075};
    // reduce_kernel.go:218
    boolx4 less_0 = lanes < splat4(x_size1);
    boolx4 less_1 = lanes_0 < splat4(x_size1);
    boolx4 less_2 = lanes_1 < splat4(x_size1);
    boolx4 less_3 = lanes_2 < splat4(x_size1);
    // reduce_states.go:184
    f32x4 converted = to_f32(less_0);
    f32x4 converted_0 = to_f32(less_1);
    f32x4 converted_1 = to_f32(less_2);
    f32x4 converted_2 = to_f32(less_3);
    // reduce_states.go:130
    f32x4 sum = converted + converted_0 + converted_1 + converted_2;
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
    bool in_bounds = (thread & 31) == 0;
    int index_0 = thread >> 5;
    if (in_bounds) {
        parts[index_0] = sum_4 + other_3;
    }
    __syncthreads();
    float parts_1 = parts[0];
    float parts_2 = parts[1];
    float parts_3 = parts[2];
    float parts_4 = parts[3];
    float parts_5 = parts[4];
    float parts_6 = parts[5];
    float parts_7 = parts[6];
    float sum_5 = parts_1 + parts_2 + parts_3 + parts_4 + parts_5 + parts_6 + parts_7;
    float parts_8 = parts[7];
    float sum_6 = sum_5 + parts_8;
    // reduce_states.go:201
    f32x4 product = converted * x_0;
    f32x4 product_0 = converted_0 * x_1;
    f32x4 product_1 = converted_1 * x_2;
    f32x4 product_2 = converted_2 * x_3;
    // reduce_states.go:130
    f32x4 sum_7 = product + product_0 + product_1 + product_2;
    float sum_8 = sum_7.x + sum_7.z + (sum_7.y + sum_7.w);
    float other_4 = __shfl_xor_sync(0xffffffffu, sum_8, 1);
    float sum_9 = sum_8 + other_4;
    float other_5 = __shfl_xor_sync(0xffffffffu, sum_9, 2);
    float sum_10 = sum_9 + other_5;
    float other_6 = __shfl_xor_sync(0xffffffffu, sum_10, 4);
    float sum_11 = sum_10 + other_6;
    float other_7 = __shfl_xor_sync(0xffffffffu, sum_11, 8);
    float sum_12 = sum_11 + other_7;
    float other_8 = __shfl_xor_sync(0xffffffffu, sum_12, 16);
    if (in_bounds) {
        parts_0[index_0] = sum_12 + other_8;
    }
    __syncthreads();
    float parts_9 = parts_0[0];
    float parts_10 = parts_0[1];
    float parts_11 = parts_0[2];
    float parts_12 = parts_0[3];
    float parts_13 = parts_0[4];
    float parts_14 = parts_0[5];
    float parts_15 = parts_0[6];
    float sum_13 = parts_9 + parts_10 + parts_11 + parts_12 + parts_13 + parts_14 + parts_15;
    float parts_16 = parts_0[7];
    float sum_14 = sum_13 + parts_16;
    // reduce_states.go:201
    float quotient = sum_14 / fmaxf(sum_6, 1.0f);
    // reduce_states.go:202
    f32x4 difference = x_0 - splat4(quotient);
    f32x4 difference_0 = x_1 - splat4(quotient);
    f32x4 difference_1 = x_2 - splat4(quotient);
    f32x4 difference_2 = x_3 - splat4(quotient);
    // reduce_states.go:203
    f32x4 fused = fmaf(difference * difference, converted, splat4(0.0f));
    f32x4 fused_0 = fmaf(difference_0 * difference_0, converted_0, splat4(0.0f));
    f32x4 fused_1 = fmaf(difference_1 * difference_1, converted_1, splat4(0.0f));
    f32x4 fused_2 = fmaf(difference_2 * difference_2, converted_2, splat4(0.0f));
    // reduce_states.go:130
    f32x4 sum_15 = fused + fused_0 + fused_1 + fused_2;
    float sum_16 = sum_15.x + sum_15.z + (sum_15.y + sum_15.w);
    float other_9 = __shfl_xor_sync(0xffffffffu, sum_16, 1);
    float sum_17 = sum_16 + other_9;
    float other_10 = __shfl_xor_sync(0xffffffffu, sum_17, 2);
    float sum_18 = sum_17 + other_10;
    float other_11 = __shfl_xor_sync(0xffffffffu, sum_18, 4);
    float sum_19 = sum_18 + other_11;
    float other_12 = __shfl_xor_sync(0xffffffffu, sum_19, 8);
    float sum_20 = sum_19 + other_12;
    float other_13 = __shfl_xor_sync(0xffffffffu, sum_20, 16);
    if (in_bounds) {
        parts[index_0] = sum_20 + other_13;
    }
    __syncthreads();
    float parts_17 = parts[0];
    float parts_18 = parts[1];
    float parts_19 = parts[2];
    float parts_20 = parts[3];
    float parts_21 = parts[4];
    float parts_22 = parts[5];
    float parts_23 = parts[6];
    float sum_21 = parts_17 + parts_18 + parts_19 + parts_20 + parts_21 + parts_22 + parts_23;
    float parts_24 = parts[7];
    float sum_22 = sum_21 + parts_24;
    // reduce_kernel.go:87
    float quotient_0 = sum_22 / divisor;
    // reduce_kernel.go:92
    bool in_bounds_0 = (thread & 255) == 0 && bits < unsigned(out_size0) && unsigned(0) < unsigned(out_size1);
    if (in_bounds_0) {
        out[out_offset + program] = quotient_0;
    }
}
