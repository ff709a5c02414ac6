struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(4) boolx4 { bool x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline f32x4 operator-(f32x4 a, f32x4 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
__device__ inline f32x4 fabsf(f32x4 a) {
    return {fabsf(a.x), fabsf(a.y), fabsf(a.z), fabsf(a.w)};
}
__device__ inline f32x4 operator-(f32x4 a) {
    return {-a.x, -a.y, -a.z, -a.w};
}
__device__ inline f32x4 expf(f32x4 a) {
    return {expf(a.x), expf(a.y), expf(a.z), expf(a.w)};
}
__device__ inline boolx4 operator>(f32x4 a, f32x4 b) {
    return {a.x > b.x, a.y > b.y, a.z > b.z, a.w > b.w};
}
__device__ inline f32x4 fmaf(f32x4 a, f32x4 b, f32x4 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
}
__device__ inline f32x4 operator+(f32x4 a, f32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline f32x4 select(boolx4 a, f32x4 b, f32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}
__device__ inline f32x4 fmaxf(f32x4 a, f32x4 b) {
    return {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w)};
}
__device__ inline f32x4 operator*(f32x4 a, f32x4 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}

extern "C" __global__ void __launch_bounds__(64) softmax_online(
    const float* x,
    float* __restrict__ out,
    int x_offset,
    int x_size0,
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
    int quotient = (out_size1 + 255) / 256;
    // kernels/softmax_kernel.go
    int offset = x_offset + program * x_stride0;
    bool less = unsigned(program) < unsigned(x_size0);
    int lane = thread << 2;
    unsigned bits = unsigned(x_size1);
    // kernels/softmax_kernel.go
    f32x4 carried = splat4(-3.4028235e+38f);
    f32x4 carried_0 = splat4(0.0f);
    for (int i = 0; i < quotient; ++i) {
        // kernels/softmax_kernel.go
        int x_start1 = i * 256;
        f32x4 x_0 = less && unsigned(x_start1) < bits ? *(const f32x4*)&x[offset + x_start1 + lane] : splat4(__int_as_float(0xff800000));
        // kernels/softmax_kernel.go
        f32x4 difference = x_0 - carried;
        // kernels/softmax_kernel.go
        f32x4 negated = -fabsf(difference);
        // kernels/softmax_kernel.go
        f32x4 power = expf(negated);
        // kernels/softmax_kernel.go
        f32x4 chosen = select((x_0 > carried), fmaf(carried_0, power, splat4(1.0f)), carried_0 + power);
        carried = fmaxf(carried, x_0);
        carried_0 = chosen;
    }
    // kernels/softmax_kernel.go
    float greatest = fmaxf(fmaxf(carried.x, carried.z), fmaxf(carried.y, carried.w));
    float other = __shfl_xor_sync(0xffffffffu, greatest, 1);
    float greatest_0 = fmaxf(greatest, other);
    float other_0 = __shfl_xor_sync(0xffffffffu, greatest_0, 2);
    float greatest_1 = fmaxf(greatest_0, other_0);
    float other_1 = __shfl_xor_sync(0xffffffffu, greatest_1, 4);
    float greatest_2 = fmaxf(greatest_1, other_1);
    float other_2 = __shfl_xor_sync(0xffffffffu, greatest_2, 8);
    float greatest_3 = fmaxf(greatest_2, other_2);
    float other_3 = __shfl_xor_sync(0xffffffffu, greatest_3, 16);
    bool in_bounds = (thread & 31) == 0;
    int index = thread >> 5;
    if (in_bounds) {
        parts[index] = fmaxf(greatest_3, other_3);
    }
    __syncthreads();
    float parts_1 = parts[0];
    float parts_2 = parts[1];
    float greatest_4 = fmaxf(parts_1, parts_2);
    // kernels/softmax_kernel.go
    f32x4 difference_0 = carried - splat4(greatest_4);
    // kernels/softmax_kernel.go
    f32x4 power_0 = expf(difference_0);
    // kernels/softmax_kernel.go
    f32x4 product = carried_0 * power_0;
    float sum = product.x + product.z + (product.y + product.w);
    float other_4 = __shfl_xor_sync(0xffffffffu, sum, 1);
    float sum_0 = sum + other_4;
    float other_5 = __shfl_xor_sync(0xffffffffu, sum_0, 2);
    float sum_1 = sum_0 + other_5;
    float other_6 = __shfl_xor_sync(0xffffffffu, sum_1, 4);
    float sum_2 = sum_1 + other_6;
    float other_7 = __shfl_xor_sync(0xffffffffu, sum_2, 8);
    float sum_3 = sum_2 + other_7;
    float other_8 = __shfl_xor_sync(0xffffffffu, sum_3, 16);
    if (in_bounds) {
        parts_0[index] = sum_3 + other_8;
    }
    __syncthreads();
    float parts_3 = parts_0[0];
    float parts_4 = parts_0[1];
    float sum_4 = parts_3 + parts_4;
    // kernels/softmax_kernel.go
    float quotient_0 = 1.0f / sum_4;
    // kernels/softmax_kernel.go
    bool less_0 = __float_as_uint(sum_4) + 4294967295u < 2139095039u;
    // kernels/softmax_kernel.go
    float chosen_0 = less_0 ? quotient_0 : __int_as_float(0x7fc00000);
    // kernels/whole_row.go
    int quotient_1 = (quotient + 1) / 2;
    // kernels/softmax_kernel.go
    // kernels/softmax_kernel.go
    int offset_0 = out_offset + program * out_stride0;
    unsigned bits_0 = unsigned(out_size1);
    // kernels/whole_row.go
    for (int i_0 = 0; i_0 < 2; ++i_0) {
        // kernels/whole_row.go
        int offset_1 = quotient_1 * (-i_0 + 1);
        // kernels/whole_row.go
        int end = min(offset_1 + quotient_1, quotient);
        for (int i_1 = offset_1; i_1 < end; ++i_1) {
            // kernels/softmax_kernel.go
            int x_start1_0 = i_1 * 256;
            int offset_2 = x_start1_0 + lane;
            unsigned bits_1 = unsigned(x_start1_0);
            f32x4 x_1 = less && bits_1 < bits ? *(const f32x4*)&x[offset + offset_2] : splat4(__int_as_float(0xff800000));
            // kernels/softmax_kernel.go
            f32x4 difference_1 = x_1 - splat4(greatest_4);
            // kernels/softmax_kernel.go
            f32x4 power_1 = expf(difference_1);
            // kernels/softmax_kernel.go
            f32x4 product_0 = power_1 * splat4(chosen_0);
            // kernels/softmax_kernel.go
            if (bits_1 < bits_0) {
                *(f32x4*)&out[offset_0 + offset_2] = product_0;
            }
        }
    }
}
