struct bf16 { unsigned short bits; };
struct alignas(16) f32x4 { float x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline f32x4 operator+(f32x4 a, f32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline bf16 to_bf16(float a) {
    bf16 x;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}

extern "C" __global__ void __launch_bounds__(256) norm_sums(
    const float* dot,
    const float* total,
    bf16* __restrict__ dweight,
    bf16* __restrict__ dbias,
    int dot_offset,
    int dot_size0,
    int dot_size1,
    int dot_stride0,
    int total_offset,
    int total_size0,
    int total_size1,
    int total_stride0,
    int dweight_offset,
    int dweight_size0,
    int dbias_offset,
    int dbias_size0,
    int dbias_size1) {
    __shared__ alignas(16) float exchange[2048]; // kernels/row_grad_states.go: elements change threads
    __shared__ alignas(16) float exchange_0[2048]; // kernels/row_grad_states.go: elements change threads
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/reduce_kernel.go
    int quotient = (dot_size0 + 127) / 128;
    // kernels/reduce_kernel.go
    int greatest = max(min(min(quotient, dot_size0 / 128), total_size0 / 128), 0);
    int chosen = program < dot_size1 / 16 && program < total_size1 / 16 ? greatest : 0;
    // kernels/reduce_kernel.go
    int lane = thread >> 2;
    int dot_start1 = program * 16;
    int both = thread & 3;
    int lane_0 = both << 2;
    int offset = dot_start1 + lane_0;
    int offset_0 = dot_stride0 * 64;
    int offset_1 = total_stride0 * 64;
    // kernels/reduce_kernel.go
    f32x4 carried = splat4(0.0f);
    f32x4 carried_0 = splat4(0.0f);
    f32x4 carried_1 = splat4(0.0f);
    f32x4 carried_2 = splat4(0.0f);
    for (int i = 0; i < chosen; ++i) {
        // kernels/reduce_kernel.go
        int dot_start0 = i * 128;
        int offset_2 = dot_start0 + lane;
        int index = dot_offset + offset_2 * dot_stride0 + offset;
        f32x4 dot_0 = *(const f32x4*)&dot[index];
        f32x4 dot_1 = *(const f32x4*)&dot[index + offset_0];
        int index_0 = total_offset + offset_2 * total_stride0 + offset;
        f32x4 total_0 = *(const f32x4*)&total[index_0];
        f32x4 total_1 = *(const f32x4*)&total[index_0 + offset_1];
        // kernels/row_grad_states.go
        carried = carried + dot_0;
        carried_0 = carried_0 + dot_1;
        carried_1 = carried_1 + total_0;
        carried_2 = carried_2 + total_1;
    }
    // kernels/reduce_kernel.go
    unsigned bits = unsigned(dot_start1);
    bool in_bounds = bits < unsigned(dot_size1);
    bool in_bounds_0 = bits < unsigned(total_size1);
    // kernels/reduce_kernel.go
    for (int i_0 = chosen; i_0 < greatest; ++i_0) {
        // kernels/reduce_kernel.go
        int dot_start0_0 = i_0 * 128;
        int offset_3 = dot_start0_0 + lane;
        int index_1 = dot_offset + offset_3 * dot_stride0 + offset;
        f32x4 dot_2 = in_bounds ? *(const f32x4*)&dot[index_1] : splat4(0.0f);
        f32x4 dot_3 = in_bounds ? *(const f32x4*)&dot[index_1 + offset_0] : splat4(0.0f);
        int index_2 = total_offset + offset_3 * total_stride0 + offset;
        f32x4 total_2 = in_bounds_0 ? *(const f32x4*)&total[index_2] : splat4(0.0f);
        f32x4 total_3 = in_bounds_0 ? *(const f32x4*)&total[index_2 + offset_1] : splat4(0.0f);
        // kernels/row_grad_states.go
        carried = carried + dot_2;
        carried_0 = carried_0 + dot_3;
        carried_1 = carried_1 + total_2;
        carried_2 = carried_2 + total_3;
    }
    // kernels/reduce_kernel.go
    unsigned bits_0 = unsigned(dot_size0);
    unsigned bits_1 = unsigned(total_size0);
    // kernels/reduce_kernel.go
    for (int i_1 = greatest; i_1 < quotient; ++i_1) {
        // kernels/reduce_kernel.go
        int dot_start0_1 = i_1 * 128;
        int offset_4 = dot_start0_1 + lane;
        int index_3 = dot_offset + offset_4 * dot_stride0 + offset;
        unsigned bits_2 = unsigned(offset_4);
        f32x4 dot_4 = bits_2 < bits_0 && in_bounds ? *(const f32x4*)&dot[index_3] : splat4(0.0f);
        unsigned bits_3 = unsigned(offset_4 + 64);
        f32x4 dot_5 = bits_3 < bits_0 && in_bounds ? *(const f32x4*)&dot[index_3 + offset_0] : splat4(0.0f);
        int index_4 = total_offset + offset_4 * total_stride0 + offset;
        f32x4 total_4 = bits_2 < bits_1 && in_bounds_0 ? *(const f32x4*)&total[index_4] : splat4(0.0f);
        f32x4 total_5 = bits_3 < bits_1 && in_bounds_0 ? *(const f32x4*)&total[index_4 + offset_1] : splat4(0.0f);
        // kernels/row_grad_states.go
        carried = carried + dot_4;
        carried_0 = carried_0 + dot_5;
        carried_1 = carried_1 + total_4;
        carried_2 = carried_2 + total_5;
    }
    // kernels/row_grad_states.go
    int lane_1 = ((both << 3) + (both << 9)) ^ lane;
    int index_5 = lane_1 + 128;
    int index_6 = lane_1 + 256;
    int index_7 = lane_1 + 384;
    int index_8 = lane_1 + 64;
    int index_9 = lane_1 + 192;
    int index_10 = lane_1 + 320;
    int index_11 = lane_1 + 448;
    exchange[lane_1] = carried.x;
    exchange[index_5] = carried.y;
    exchange[index_6] = carried.z;
    exchange[index_7] = carried.w;
    exchange[index_8] = carried_0.x;
    exchange[index_9] = carried_0.y;
    exchange[index_10] = carried_0.z;
    exchange[index_11] = carried_0.w;
    int lane_2 = (thread << 2) ^ ((thread >> 4) & 8);
    int index_12 = lane_2 ^ 1040;
    __syncthreads();
    f32x4 exchange_1 = *(const f32x4*)&exchange[lane_2];
    f32x4 exchange_2 = *(const f32x4*)&exchange[index_12];
    exchange_0[lane_1] = carried_1.x;
    exchange_0[index_5] = carried_1.y;
    exchange_0[index_6] = carried_1.z;
    exchange_0[index_7] = carried_1.w;
    exchange_0[index_8] = carried_2.x;
    exchange_0[index_9] = carried_2.y;
    exchange_0[index_10] = carried_2.z;
    exchange_0[index_11] = carried_2.w;
    __syncthreads();
    f32x4 exchange_3 = *(const f32x4*)&exchange_0[lane_2];
    f32x4 exchange_4 = *(const f32x4*)&exchange_0[index_12];
    float sum = exchange_1.x + exchange_1.z + (exchange_1.y + exchange_1.w);
    float sum_0 = exchange_3.x + exchange_3.z + (exchange_3.y + exchange_3.w);
    float sum_1 = exchange_2.x + exchange_2.z + (exchange_2.y + exchange_2.w);
    float sum_2 = exchange_4.x + exchange_4.z + (exchange_4.y + exchange_4.w);
    float other = __shfl_xor_sync(0xffffffffu, sum, 1);
    float other_0 = __shfl_xor_sync(0xffffffffu, sum_0, 1);
    bool unequal = (thread & 1) != 0;
    float sum_3 = (unequal ? other : sum) + (unequal ? sum : other);
    float sum_4 = (unequal ? other_0 : sum_0) + (unequal ? sum_0 : other_0);
    float other_1 = __shfl_xor_sync(0xffffffffu, sum_1, 1);
    float other_2 = __shfl_xor_sync(0xffffffffu, sum_2, 1);
    float sum_5 = (unequal ? other_1 : sum_1) + (unequal ? sum_1 : other_1);
    float sum_6 = (unequal ? other_2 : sum_2) + (unequal ? sum_2 : other_2);
    float other_3 = __shfl_xor_sync(0xffffffffu, sum_3, 2);
    float other_4 = __shfl_xor_sync(0xffffffffu, sum_4, 2);
    bool unequal_0 = (thread & 2) != 0;
    float sum_7 = (unequal_0 ? other_3 : sum_3) + (unequal_0 ? sum_3 : other_3);
    float sum_8 = (unequal_0 ? other_4 : sum_4) + (unequal_0 ? sum_4 : other_4);
    float other_5 = __shfl_xor_sync(0xffffffffu, sum_5, 2);
    float other_6 = __shfl_xor_sync(0xffffffffu, sum_6, 2);
    float sum_9 = (unequal_0 ? other_5 : sum_5) + (unequal_0 ? sum_5 : other_5);
    float sum_10 = (unequal_0 ? other_6 : sum_6) + (unequal_0 ? sum_6 : other_6);
    float other_7 = __shfl_xor_sync(0xffffffffu, sum_7, 4);
    float other_8 = __shfl_xor_sync(0xffffffffu, sum_8, 4);
    bool unequal_1 = (thread & 4) != 0;
    float sum_11 = (unequal_1 ? other_7 : sum_7) + (unequal_1 ? sum_7 : other_7);
    float sum_12 = (unequal_1 ? other_8 : sum_8) + (unequal_1 ? sum_8 : other_8);
    float other_9 = __shfl_xor_sync(0xffffffffu, sum_9, 4);
    float other_10 = __shfl_xor_sync(0xffffffffu, sum_10, 4);
    float sum_13 = (unequal_1 ? other_9 : sum_9) + (unequal_1 ? sum_9 : other_9);
    float sum_14 = (unequal_1 ? other_10 : sum_10) + (unequal_1 ? sum_10 : other_10);
    float other_11 = __shfl_xor_sync(0xffffffffu, sum_11, 8);
    float other_12 = __shfl_xor_sync(0xffffffffu, sum_12, 8);
    bool unequal_2 = (thread & 8) != 0;
    float sum_15 = (unequal_2 ? other_11 : sum_11) + (unequal_2 ? sum_11 : other_11);
    float sum_16 = (unequal_2 ? other_12 : sum_12) + (unequal_2 ? sum_12 : other_12);
    float other_13 = __shfl_xor_sync(0xffffffffu, sum_13, 8);
    float other_14 = __shfl_xor_sync(0xffffffffu, sum_14, 8);
    float sum_17 = (unequal_2 ? other_13 : sum_13) + (unequal_2 ? sum_13 : other_13);
    float sum_18 = (unequal_2 ? other_14 : sum_14) + (unequal_2 ? sum_14 : other_14);
    float other_15 = __shfl_xor_sync(0xffffffffu, sum_15, 16);
    float other_16 = __shfl_xor_sync(0xffffffffu, sum_16, 16);
    bool unequal_3 = (thread & 16) != 0;
    float sum_19 = (unequal_3 ? other_15 : sum_15) + (unequal_3 ? sum_15 : other_15);
    float sum_20 = (unequal_3 ? other_16 : sum_16) + (unequal_3 ? sum_16 : other_16);
    float other_17 = __shfl_xor_sync(0xffffffffu, sum_17, 16);
    float other_18 = __shfl_xor_sync(0xffffffffu, sum_18, 16);
    float sum_21 = (unequal_3 ? other_17 : sum_17) + (unequal_3 ? sum_17 : other_17);
    float sum_22 = (unequal_3 ? other_18 : sum_18) + (unequal_3 ? sum_18 : other_18);
    // kernels/norm_sums_kernel.go
    int lane_3 = thread >> 5;
    int offset_5 = dot_start1 + lane_3;
    int index_13 = dweight_offset + offset_5;
    bool equal = (thread & 31) == 0;
    bool in_bounds_1 = equal && 0u < unsigned(dweight_size0);
    if (in_bounds_1) {
        dweight[index_13] = to_bf16(sum_19);
        dweight[index_13 + 8] = to_bf16(sum_21);
    }
    int index_14 = dbias_offset + offset_5;
    bool in_bounds_2 = equal && 0u < unsigned(dbias_size0) && bits < unsigned(dbias_size1);
    if (in_bounds_2) {
        dbias[index_14] = to_bf16(sum_20);
        dbias[index_14 + 8] = to_bf16(sum_22);
    }
}
