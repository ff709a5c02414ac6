struct alignas(16) f32x4 { float x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline f32x4 fmaxf(f32x4 a, f32x4 b) {
    return {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w)};
}
__device__ inline f32x4 operator-(f32x4 a, f32x4 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
__device__ inline f32x4 expf(f32x4 a) {
    return {expf(a.x), expf(a.y), expf(a.z), expf(a.w)};
}
__device__ inline f32x4 operator+(f32x4 a, f32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline f32x4 operator*(f32x4 a, f32x4 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}

extern "C" __global__ void __launch_bounds__(64) softmax(
    const float* x,
    float* __restrict__ out,
    int x_offset,
    int x_size1,
    int x_stride0,
    int out_offset,
    int out_size1,
    int out_stride0) {
    __shared__ alignas(16) float parts[2]; // kernels/softmax_kernel.go: partial results of reduce.max
    __shared__ alignas(16) float parts_0[2]; // kernels/softmax_kernel.go: partial results of reduce.sum
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/softmax_kernel.go
    int lane = thread << 2;
    int index = x_offset + program * x_stride0 + lane;
    unsigned bits = unsigned(lane);
    unsigned bits_0 = unsigned(x_size1);
    f32x4 x_0 = bits < bits_0 ? *(const f32x4*)&x[index] : splat4(__int_as_float(0xff800000));
    unsigned bits_1 = unsigned(lane + 256);
    f32x4 x_1 = bits_1 < bits_0 ? *(const f32x4*)&x[index + 256] : splat4(__int_as_float(0xff800000));
    unsigned bits_2 = unsigned(lane + 512);
    f32x4 x_2 = bits_2 < bits_0 ? *(const f32x4*)&x[index + 512] : splat4(__int_as_float(0xff800000));
    unsigned bits_3 = unsigned(lane + 768);
    f32x4 x_3 = bits_3 < bits_0 ? *(const f32x4*)&x[index + 768] : splat4(__int_as_float(0xff800000));
    // kernels/softmax_kernel.go
    f32x4 greatest = fmaxf(fmaxf(fmaxf(x_0, x_1), x_2), x_3);
    float greatest_0 = fmaxf(fmaxf(greatest.x, greatest.z), fmaxf(greatest.y, greatest.w));
    float other = __shfl_xor_sync(0xffffffffu, greatest_0, 1);
    float greatest_1 = fmaxf(greatest_0, other);
    float other_0 = __shfl_xor_sync(0xffffffffu, greatest_1, 2);
    float greatest_2 = fmaxf(greatest_1, other_0);
    float other_1 = __shfl_xor_sync(0xffffffffu, greatest_2, 4);
    float greatest_3 = fmaxf(greatest_2, other_1);
    float other_2 = __shfl_xor_sync(0xffffffffu, greatest_3, 8);
    float greatest_4 = fmaxf(greatest_3, other_2);
    float other_3 = __shfl_xor_sync(0xffffffffu, greatest_4, 16);
    bool in_bounds = (thread & 31) == 0;
    int index_0 = thread >> 5;
    if (in_bounds) {
        parts[index_0] = fmaxf(greatest_4, other_3);
    }
    __syncthreads();
    float parts_1 = parts[0];
    float parts_2 = parts[1];
    float greatest_5 = fmaxf(parts_1, parts_2);
    // kernels/softmax_kernel.go
    float greatest_6 = fmaxf(greatest_5, -3.4028235e+38f);
    // kernels/softmax_kernel.go
    f32x4 difference = x_0 - splat4(greatest_6);
    f32x4 difference_0 = x_1 - splat4(greatest_6);
    f32x4 difference_1 = x_2 - splat4(greatest_6);
    f32x4 difference_2 = x_3 - splat4(greatest_6);
    // kernels/softmax_kernel.go
    f32x4 power = expf(difference);
    f32x4 power_0 = expf(difference_0);
    f32x4 power_1 = expf(difference_1);
    f32x4 power_2 = expf(difference_2);
    // kernels/softmax_kernel.go
    f32x4 sum = power + power_0 + power_1 + power_2;
    float sum_0 = sum.x + sum.z + (sum.y + sum.w);
    float other_4 = __shfl_xor_sync(0xffffffffu, sum_0, 1);
    float sum_1 = sum_0 + other_4;
    float other_5 = __shfl_xor_sync(0xffffffffu, sum_1, 2);
    float sum_2 = sum_1 + other_5;
    float other_6 = __shfl_xor_sync(0xffffffffu, sum_2, 4);
    float sum_3 = sum_2 + other_6;
    float other_7 = __shfl_xor_sync(0xffffffffu, sum_3, 8);
    float sum_4 = sum_3 + other_7;
    float other_8 = __shfl_xor_sync(0xffffffffu, sum_4, 16);
    if (in_bounds) {
        parts_0[index_0] = sum_4 + other_8;
    }
    __syncthreads();
    float parts_3 = parts_0[0];
    float parts_4 = parts_0[1];
    float sum_5 = parts_3 + parts_4;
    // kernels/softmax_kernel.go
    float quotient = 1.0f / sum_5;
    // kernels/softmax_kernel.go
    bool less = __float_as_uint(sum_5) + 4294967295u < 2139095039u;
    // kernels/softmax_kernel.go
    float chosen = less ? quotient : __int_as_float(0x7fc00000);
    // kernels/softmax_kernel.go
    f32x4 product = power * splat4(chosen);
    f32x4 product_0 = power_0 * splat4(chosen);
    f32x4 product_1 = power_1 * splat4(chosen);
    f32x4 product_2 = power_2 * splat4(chosen);
    // kernels/softmax_kernel.go
    int index_1 = out_offset + program * out_stride0 + lane;
    unsigned bits_4 = unsigned(out_size1);
    if (bits < bits_4) {
        *(f32x4*)&out[index_1] = product;
    }
    if (bits_1 < bits_4) {
        *(f32x4*)&out[index_1 + 256] = product_0;
    }
    if (bits_2 < bits_4) {
        *(f32x4*)&out[index_1 + 512] = product_1;
    }
    if (bits_3 < bits_4) {
        *(f32x4*)&out[index_1 + 768] = product_2;
    }
}
