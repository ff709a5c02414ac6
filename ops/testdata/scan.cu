struct alignas(16) f32x4 { float x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}

extern "C" __global__ void __launch_bounds__(256) scan(
    const float* x,
    float* __restrict__ out,
    int x_offset,
    int x_size1,
    int x_stride0,
    int out_offset,
    int out_size1,
    int out_stride0) {
    __shared__ alignas(16) float totals[512]; // kernels/scan_kernel.go: partial results of scan
    __shared__ alignas(16) float totals_0[512]; // kernels/scan_kernel.go: partial results of scan
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/reduce_kernel.go
    int x_start0 = program * 2;
    int lane = thread << 2;
    int index = x_offset + x_start0 * x_stride0 + lane;
    unsigned bits = unsigned(lane);
    bool in_bounds = bits < unsigned(x_size1);
    f32x4 x_0 = in_bounds ? *(const f32x4*)&x[index] : splat4(0.0f);
    f32x4 x_1 = in_bounds ? *(const f32x4*)&x[index + x_stride0] : splat4(0.0f);
    // kernels/scan_kernel.go
    float sum = x_0.x + x_0.y;
    float sum_0 = sum + x_0.z;
    float sum_1 = sum_0 + x_0.w;
    float sum_2 = x_1.x + x_1.y;
    float sum_3 = sum_2 + x_1.z;
    float sum_4 = sum_3 + x_1.w;
    bool unequal = (thread & 1) != 0;
    float other = __shfl_xor_sync(0xffffffffu, sum_1, 1);
    float other_0 = __shfl_xor_sync(0xffffffffu, sum_4, 1);
    float chosen = unequal ? other : sum_1;
    float sum_5 = chosen + (unequal ? sum_1 : other);
    float chosen_0 = unequal ? other_0 : sum_4;
    float sum_6 = chosen_0 + (unequal ? sum_4 : other_0);
    bool unequal_0 = (thread & 2) != 0;
    float other_1 = __shfl_xor_sync(0xffffffffu, sum_5, 2);
    float other_2 = __shfl_xor_sync(0xffffffffu, sum_6, 2);
    float chosen_1 = unequal_0 ? other_1 : sum_5;
    float chosen_2 = unequal_0 ? (unequal ? chosen_1 + chosen : chosen_1) : chosen;
    float sum_7 = chosen_1 + (unequal_0 ? sum_5 : other_1);
    float chosen_3 = unequal_0 ? other_2 : sum_6;
    float chosen_4 = unequal_0 ? (unequal ? chosen_3 + chosen_0 : chosen_3) : chosen_0;
    float sum_8 = chosen_3 + (unequal_0 ? sum_6 : other_2);
    bool unequal_1 = (thread & 4) != 0;
    float other_3 = __shfl_xor_sync(0xffffffffu, sum_7, 4);
    float other_4 = __shfl_xor_sync(0xffffffffu, sum_8, 4);
    float chosen_5 = unequal_1 ? other_3 : sum_7;
    bool unequal_2 = (thread & 3) != 0;
    float chosen_6 = unequal_1 ? (unequal_2 ? chosen_5 + chosen_2 : chosen_5) : chosen_2;
    float sum_9 = chosen_5 + (unequal_1 ? sum_7 : other_3);
    float chosen_7 = unequal_1 ? other_4 : sum_8;
    float chosen_8 = unequal_1 ? (unequal_2 ? chosen_7 + chosen_4 : chosen_7) : chosen_4;
    float sum_10 = chosen_7 + (unequal_1 ? sum_8 : other_4);
    bool unequal_3 = (thread & 8) != 0;
    float other_5 = __shfl_xor_sync(0xffffffffu, sum_9, 8);
    float other_6 = __shfl_xor_sync(0xffffffffu, sum_10, 8);
    float chosen_9 = unequal_3 ? other_5 : sum_9;
    bool unequal_4 = (thread & 7) != 0;
    float chosen_10 = unequal_3 ? (unequal_4 ? chosen_9 + chosen_6 : chosen_9) : chosen_6;
    float sum_11 = chosen_9 + (unequal_3 ? sum_9 : other_5);
    float chosen_11 = unequal_3 ? other_6 : sum_10;
    float chosen_12 = unequal_3 ? (unequal_4 ? chosen_11 + chosen_8 : chosen_11) : chosen_8;
    float sum_12 = chosen_11 + (unequal_3 ? sum_10 : other_6);
    bool unequal_5 = (thread & 16) != 0;
    float other_7 = __shfl_xor_sync(0xffffffffu, sum_11, 16);
    float other_8 = __shfl_xor_sync(0xffffffffu, sum_12, 16);
    float chosen_13 = unequal_5 ? other_7 : sum_11;
    bool unequal_6 = (thread & 15) != 0;
    float chosen_14 = unequal_5 ? (unequal_6 ? chosen_13 + chosen_10 : chosen_13) : chosen_10;
    float sum_13 = chosen_13 + (unequal_5 ? sum_11 : other_7);
    float chosen_15 = unequal_5 ? other_8 : sum_12;
    float chosen_16 = unequal_5 ? (unequal_6 ? chosen_15 + chosen_12 : chosen_15) : chosen_12;
    float sum_14 = chosen_15 + (unequal_5 ? sum_12 : other_8);
    bool unequal_7 = (thread & 32) != 0;
    int index_0 = thread ^ 32;
    totals[thread] = sum_13;
    int index_1 = thread + 256;
    totals[index_1] = sum_14;
    __syncthreads();
    float totals_1 = totals[index_0];
    float totals_2 = totals[index_0 + 256];
    float chosen_17 = unequal_7 ? totals_1 : sum_13;
    bool unequal_8 = (thread & 31) != 0;
    float chosen_18 = unequal_7 ? (unequal_8 ? chosen_17 + chosen_14 : chosen_17) : chosen_14;
    float sum_15 = chosen_17 + (unequal_7 ? sum_13 : totals_1);
    float chosen_19 = unequal_7 ? totals_2 : sum_14;
    float chosen_20 = unequal_7 ? (unequal_8 ? chosen_19 + chosen_16 : chosen_19) : chosen_16;
    float sum_16 = chosen_19 + (unequal_7 ? sum_14 : totals_2);
    bool unequal_9 = (thread & 64) != 0;
    int index_2 = thread ^ 64;
    totals_0[thread] = sum_15;
    totals_0[index_1] = sum_16;
    __syncthreads();
    float totals_3 = totals_0[index_2];
    float totals_4 = totals_0[index_2 + 256];
    float chosen_21 = unequal_9 ? totals_3 : sum_15;
    bool unequal_10 = (thread & 63) != 0;
    float chosen_22 = unequal_9 ? (unequal_10 ? chosen_21 + chosen_18 : chosen_21) : chosen_18;
    float sum_17 = chosen_21 + (unequal_9 ? sum_15 : totals_3);
    float chosen_23 = unequal_9 ? totals_4 : sum_16;
    float chosen_24 = unequal_9 ? (unequal_10 ? chosen_23 + chosen_20 : chosen_23) : chosen_20;
    float sum_18 = chosen_23 + (unequal_9 ? sum_16 : totals_4);
    bool unequal_11 = (thread & 128) != 0;
    int index_3 = thread ^ 128;
    totals[thread] = sum_17;
    totals[index_1] = sum_18;
    __syncthreads();
    float totals_5 = totals[index_3];
    float totals_6 = totals[index_3 + 256];
    float chosen_25 = unequal_11 ? totals_5 : sum_17;
    bool unequal_12 = (thread & 127) != 0;
    float chosen_26 = unequal_11 ? (unequal_12 ? chosen_25 + chosen_22 : chosen_25) : chosen_22;
    float chosen_27 = unequal_11 ? totals_6 : sum_18;
    float chosen_28 = unequal_11 ? (unequal_12 ? chosen_27 + chosen_24 : chosen_27) : chosen_24;
    bool equal = (thread & 255) == 0;
    f32x4 lanes = f32x4{equal ? x_0.x : chosen_26 + x_0.x, equal ? sum : chosen_26 + sum, equal ? sum_0 : chosen_26 + sum_0, equal ? sum_1 : chosen_26 + sum_1};
    f32x4 lanes_0 = f32x4{equal ? x_1.x : chosen_28 + x_1.x, equal ? sum_2 : chosen_28 + sum_2, equal ? sum_3 : chosen_28 + sum_3, equal ? sum_4 : chosen_28 + sum_4};
    // kernels/scan_kernel.go
    int index_4 = out_offset + x_start0 * out_stride0 + lane;
    bool in_bounds_0 = bits < unsigned(out_size1);
    if (in_bounds_0) {
        *(f32x4*)&out[index_4] = lanes;
        *(f32x4*)&out[index_4 + out_stride0] = lanes_0;
    }
}
