struct alignas(16) f32x4 { float x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}

extern "C" __global__ void __launch_bounds__(256) matmul(
    const float* a,
    const float* b,
    float* __restrict__ out,
    int a_offset,
    int a_size1,
    int a_stride0,
    int b_offset,
    int b_stride0,
    int out_offset,
    int out_size0,
    int out_size1,
    int out_stride0) {
    __shared__ alignas(16) float tile_a[1084]; // kernels/matmul_kernel.go: operand a of the product
    __shared__ alignas(16) float tile_b[1024]; // kernels/matmul_kernel.go: operand b of the product
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/matmul_kernel.go
    int offset = (out_size1 + 63) / 64 * 8;
    int chosen = offset == 0 ? 1 : offset;
    int offset_0 = program / chosen * 8;
    int least = min((out_size0 + 63) / 64 - offset_0, 8);
    int remainder_0 = program % chosen;
    int chosen_0 = least == 0 ? 1 : least;
    int quotient = remainder_0 / chosen_0;
    int offset_1 = offset_0 + remainder_0 - quotient * chosen_0;
    // kernels/matmul_kernel.go
    int quotient_0 = (a_size1 + 15) / 16;
    // kernels/matrix_block.go
    int a_start0 = offset_1 * 64;
    int shifted = thread >> 2;
    int lane = shifted & 60;
    int offset_2 = a_offset + (a_start0 + lane) * a_stride0;
    int lane_0 = thread & 15;
    int offset_3 = a_stride0 * 2;
    int offset_4 = a_stride0 * 3;
    int lane_1 = thread >> 4;
    int b_start1 = quotient * 64;
    int lane_2 = lane_0 << 2;
    int offset_5 = b_start1 + lane_2;
    // kernels/matmul_kernel.go
    int index = lane_0 * 68 + lane;
    int index_0 = lane_1 * 64 + lane_2;
    int lane_3 = ((thread & 2) << 1) + (thread & 8) + (shifted & 48);
    int lane_4 = ((thread & 1) << 2) + ((thread & 4) << 1) + (thread & 48);
    bool more = 0 < quotient_0;
    // kernels/matrix_block.go
    int index_1 = offset_2 + lane_0;
    float a_0 = more ? a[index_1] : 0.0f;
    float a_1 = more ? a[index_1 + a_stride0] : 0.0f;
    float a_2 = more ? a[index_1 + offset_3] : 0.0f;
    float a_3 = more ? a[index_1 + offset_4] : 0.0f;
    f32x4 b_0 = more ? *(const f32x4*)&b[b_offset + lane_1 * b_stride0 + offset_5] : splat4(0.0f);
    // kernels/matmul_kernel.go
    f32x4 acc = splat4(0.0f);
    f32x4 acc_0 = splat4(0.0f);
    f32x4 acc_1 = splat4(0.0f);
    f32x4 acc_2 = splat4(0.0f);
    float a_4 = a_0;
    float a_5 = a_1;
    float a_6 = a_2;
    float a_7 = a_3;
    f32x4 b_1 = b_0;
    for (int i = 0; i < quotient_0; ++i) {
        // kernels/matrix_block.go
        f32x4 lanes = f32x4{a_4, a_5, a_6, a_7};
        // kernels/matmul_kernel.go
        __syncthreads();
        *(f32x4*)&tile_a[index] = lanes;
        *(f32x4*)&tile_b[index_0] = b_1;
        int ahead = i + 1;
        bool more_0 = ahead < quotient_0;
        int next = more_0 ? ahead : i;
        // kernels/matrix_block.go
        int a_start1 = next * 16;
        int index_2 = offset_2 + a_start1 + lane_0;
        float a_8 = a[index_2];
        float a_9 = a[index_2 + a_stride0];
        float a_10 = a[index_2 + offset_3];
        float a_11 = a[index_2 + offset_4];
        f32x4 b_2 = *(const f32x4*)&b[b_offset + (a_start1 + lane_1) * b_stride0 + offset_5];
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
            f32x4 tile_a_0 = *(const f32x4*)&tile_a[i_0 * 68 + lane_3];
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
        b_1 = b_2;
    }
    // kernels/matrix_block.go
    int index_3 = out_offset + (a_start0 + lane_3) * out_stride0 + b_start1 + lane_4;
    *(f32x4*)&out[index_3] = acc;
    *(f32x4*)&out[index_3 + out_stride0] = acc_0;
    *(f32x4*)&out[index_3 + out_stride0 * 2] = acc_1;
    *(f32x4*)&out[index_3 + out_stride0 * 3] = acc_2;
}
