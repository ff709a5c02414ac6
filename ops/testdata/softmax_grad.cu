struct alignas(16) f32x4 { float x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
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

extern "C" __global__ void __launch_bounds__(256) row_grad(
    const float* y,
    const float* dy,
    float* __restrict__ out,
    int y_offset,
    int y_size1,
    int y_stride0,
    int dy_offset,
    int dy_size1,
    int dy_stride0,
    int out_offset,
    int out_size1,
    int out_stride0) {
    __shared__ alignas(16) float parts[8]; // kernels/reduce_states.go: partial results of reduce.sum
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/reduce_kernel.go
    int lane = thread << 2;
    int index = y_offset + program * y_stride0 + lane;
    unsigned bits = unsigned(lane);
    unsigned bits_0 = unsigned(y_size1);
    f32x4 y_0 = bits < bits_0 ? *(const f32x4*)&y[index] : splat4(0.0f);
    unsigned bits_1 = unsigned(lane + 1024);
    f32x4 y_1 = bits_1 < bits_0 ? *(const f32x4*)&y[index + 1024] : splat4(0.0f);
    unsigned bits_2 = unsigned(lane + 2048);
    f32x4 y_2 = bits_2 < bits_0 ? *(const f32x4*)&y[index + 2048] : splat4(0.0f);
    unsigned bits_3 = unsigned(lane + 3072);
    f32x4 y_3 = bits_3 < bits_0 ? *(const f32x4*)&y[index + 3072] : splat4(0.0f);
    int index_0 = dy_offset + program * dy_stride0 + lane;
    unsigned bits_4 = unsigned(dy_size1);
    f32x4 dy_0 = bits < bits_4 ? *(const f32x4*)&dy[index_0] : splat4(0.0f);
    f32x4 dy_1 = bits_1 < bits_4 ? *(const f32x4*)&dy[index_0 + 1024] : splat4(0.0f);
    f32x4 dy_2 = bits_2 < bits_4 ? *(const f32x4*)&dy[index_0 + 2048] : splat4(0.0f);
    f32x4 dy_3 = bits_3 < bits_4 ? *(const f32x4*)&dy[index_0 + 3072] : splat4(0.0f);
    // kernels/row_grad_kernel.go
    f32x4 product = y_0 * dy_0;
    f32x4 product_0 = y_1 * dy_1;
    f32x4 product_1 = y_2 * dy_2;
    f32x4 product_2 = y_3 * dy_3;
    // kernels/reduce_states.go
    f32x4 sum = product + product_0 + product_1 + product_2;
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
    if ((thread & 31) == 0) {
        parts[thread >> 5] = sum_4 + other_3;
    }
    __syncthreads();
    float parts_0 = parts[0];
    float parts_1 = parts[1];
    float parts_2 = parts[2];
    float parts_3 = parts[3];
    float parts_4 = parts[4];
    float parts_5 = parts[5];
    float parts_6 = parts[6];
    float sum_5 = parts_0 + parts_1 + parts_2 + parts_3 + parts_4 + parts_5 + parts_6;
    float parts_7 = parts[7];
    float sum_6 = sum_5 + parts_7;
    // kernels/row_grad_kernel.go
    f32x4 product_3 = y_0 * (dy_0 - splat4(sum_6));
    f32x4 product_4 = y_1 * (dy_1 - splat4(sum_6));
    f32x4 product_5 = y_2 * (dy_2 - splat4(sum_6));
    f32x4 product_6 = y_3 * (dy_3 - splat4(sum_6));
    // kernels/row_grad_kernel.go
    int index_1 = out_offset + program * out_stride0 + lane;
    unsigned bits_5 = unsigned(out_size1);
    if (bits < bits_5) {
        *(f32x4*)&out[index_1] = product_3;
    }
    if (bits_1 < bits_5) {
        *(f32x4*)&out[index_1 + 1024] = product_4;
    }
    if (bits_2 < bits_5) {
        *(f32x4*)&out[index_1 + 2048] = product_5;
    }
    if (bits_3 < bits_5) {
        *(f32x4*)&out[index_1 + 3072] = product_6;
    }
}
