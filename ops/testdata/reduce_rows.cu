struct alignas(16) f32x4 { float x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline f32x4 operator+(f32x4 a, f32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

extern "C" __global__ void __launch_bounds__(256) reduce(
    const float* x,
    float* __restrict__ out,
    int x_offset,
    int x_size0,
    int x_size1,
    int x_stride0,
    int out_offset,
    int out_size1) {
    __shared__ alignas(16) float parts[8]; // kernels/reduce_states.go: partial results of reduce.sum
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/reduce_kernel.go
    bool less = unsigned(program) < unsigned(x_size0);
    int lane = thread << 2;
    int index = x_offset + program * x_stride0 + lane;
    unsigned bits = unsigned(x_size1);
    f32x4 x_0 = less && unsigned(lane) < bits ? *(const f32x4*)&x[index] : splat4(0.0f);
    f32x4 x_1 = less && unsigned(lane + 1024) < bits ? *(const f32x4*)&x[index + 1024] : splat4(0.0f);
    f32x4 x_2 = less && unsigned(lane + 2048) < bits ? *(const f32x4*)&x[index + 2048] : splat4(0.0f);
    f32x4 x_3 = less && unsigned(lane + 3072) < bits ? *(const f32x4*)&x[index + 3072] : splat4(0.0f);
    // kernels/reduce_states.go
    f32x4 sum = x_0 + x_1 + x_2 + x_3;
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
    // kernels/reduce_kernel.go
    if ((thread & 255) == 0 && 0u < unsigned(out_size1)) {
        out[out_offset + program] = sum_6;
    }
}
