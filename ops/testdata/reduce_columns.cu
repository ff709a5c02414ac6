struct alignas(16) f32x4 { float x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline f32x4 operator+(f32x4 a, f32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline f32x4 shuffle_xor_16(f32x4 a) {
    return {__shfl_xor_sync(0xffffffffu, a.x, 16), __shfl_xor_sync(0xffffffffu, a.y, 16), __shfl_xor_sync(0xffffffffu, a.z, 16), __shfl_xor_sync(0xffffffffu, a.w, 16)};
}

extern "C" __global__ void __launch_bounds__(128) reduce(
    const float* x,
    float* __restrict__ part,
    int x_offset,
    int x_size0,
    int x_size1,
    int x_stride0,
    int part_offset,
    int part_size0,
    int part_size1,
    int part_stride0) {
    __shared__ alignas(16) float parts[256]; // kernels/reduce_states.go: partial results of reduce.sum
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/reduce_kernel.go
    int quotient = (part_size1 + 63) / 64;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int part_start0 = program / chosen;
    // kernels/reduce_kernel.go
    int quotient_0 = (x_size0 + 15) / 16;
    // kernels/reduce_kernel.go
    int quotient_1 = quotient_0 / (part_size0 == 0 ? 1 : part_size0);
    // kernels/reduce_kernel.go
    int difference = quotient_0 - quotient_1 * part_size0;
    // kernels/reduce_kernel.go
    int offset = part_start0 * quotient_1 + min(part_start0, difference);
    // kernels/reduce_kernel.go
    int least = min(offset + quotient_1 + (part_start0 < difference ? 1 : 0), quotient_0);
    // kernels/reduce_kernel.go
    int lane = thread >> 4;
    unsigned bits = unsigned(x_size0);
    int x_start1 = remainder_0 * 64;
    int index = thread & 15;
    int lane_0 = index << 2;
    int offset_0 = x_start1 + lane_0;
    bool less = unsigned(x_start1) < unsigned(x_size1);
    int offset_1 = x_stride0 * 8;
    // kernels/reduce_kernel.go
    f32x4 carried = splat4(0.0f);
    f32x4 carried_0 = splat4(0.0f);
    for (int i = offset; i < least; ++i) {
        // kernels/reduce_kernel.go
        int x_start0 = i * 16;
        int index_0 = x_offset + (x_start0 + lane) * x_stride0 + offset_0;
        bool in_bounds = unsigned(x_start0) < bits && less;
        f32x4 x_0 = in_bounds ? *(const f32x4*)&x[index_0] : splat4(0.0f);
        f32x4 x_1 = in_bounds ? *(const f32x4*)&x[index_0 + offset_1] : splat4(0.0f);
        // kernels/reduce_states.go
        carried = carried + x_0;
        carried_0 = carried_0 + x_1;
    }
    // kernels/reduce_states.go
    f32x4 sum = carried + carried_0;
    f32x4 other = shuffle_xor_16(sum);
    f32x4 sum_0 = sum + other;
    bool in_bounds_0 = (thread & 16) == 0;
    int index_1 = index + ((thread >> 1) & 48);
    if (in_bounds_0) {
        parts[index_1] = sum_0.x;
        parts[index_1 + 64] = sum_0.y;
        parts[index_1 + 128] = sum_0.z;
        parts[index_1 + 192] = sum_0.w;
    }
    __syncthreads();
    float parts_0 = parts[index];
    float parts_1 = parts[index + 16];
    float parts_2 = parts[index + 32];
    float parts_3 = parts[index + 48];
    float parts_4 = parts[index + 64];
    float parts_5 = parts[index + 80];
    float parts_6 = parts[index + 96];
    float parts_7 = parts[index + 112];
    float parts_8 = parts[index + 128];
    float parts_9 = parts[index + 144];
    float parts_10 = parts[index + 160];
    float parts_11 = parts[index + 176];
    float parts_12 = parts[index + 192];
    float parts_13 = parts[index + 208];
    float parts_14 = parts[index + 224];
    float parts_15 = parts[index + 240];
    f32x4 lanes = f32x4{parts_0 + parts_1 + parts_2 + parts_3, parts_4 + parts_5 + parts_6 + parts_7, parts_8 + parts_9 + parts_10 + parts_11, parts_12 + parts_13 + parts_14 + parts_15};
    // kernels/reduce_kernel.go
    if ((thread & 112) == 0) {
        *(f32x4*)&part[part_offset + part_start0 * part_stride0 + offset_0] = lanes;
    }
}
