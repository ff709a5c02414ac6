struct alignas(8) f32x2 { float x, y; };

__device__ inline f32x2 splat2(float a) {
    return {a, a};
}
__device__ inline f32x2 operator-(f32x2 a, f32x2 b) {
    return {a.x - b.x, a.y - b.y};
}
__device__ inline f32x2 expf(f32x2 a) {
    return {expf(a.x), expf(a.y)};
}
__device__ inline f32x2 operator/(f32x2 a, f32x2 b) {
    return {a.x / b.x, a.y / b.y};
}

extern "C" __global__ void __launch_bounds__(128) softmax_online(
    const float* __restrict__ x,
    float* __restrict__ out,
    int x_offset,
    int x_size0,
    int x_size1,
    int x_stride0,
    int out_offset,
    int out_size0,
    int out_size1,
    int out_stride0) {
    __shared__ alignas(16) float parts[4]; // softmax.go:69: partial results of reduce.max
    __shared__ alignas(16) float parts_0[4]; // softmax.go:70: partial results of reduce.sum
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // softmax.go:63
    int quotient = (out_size1 + 255) / 256;
    // softmax.go:61
    int offset = x_offset + program * x_stride0;
    unsigned bits = unsigned(program);
    bool less = bits < unsigned(x_size0);
    int lane = thread << 1;
    unsigned bits_0 = unsigned(x_size1);
    // softmax.go:69
    bool in_bounds = (thread & 31) == 0;
    int index = thread >> 5;
    bool more = 0 < quotient;
    // softmax.go:61
    f32x2 x_0 = less && unsigned(0) < bits_0 && more ? *(const f32x2*)&x[offset + lane] : splat2(__int_as_float(0xff800000));
    // softmax.go:67
    float carried = -3.4028235e+38f;
    float carried_0 = 0.0f;
    f32x2 x_1 = x_0;
    for (int i = 0; i < quotient; ++i) {
        // softmax.go:69
        float greatest = fmaxf(x_1.x, x_1.y);
        float other = __shfl_xor_sync(0xffffffffu, greatest, 1);
        float greatest_0 = fmaxf(greatest, other);
        float other_0 = __shfl_xor_sync(0xffffffffu, greatest_0, 2);
        float greatest_1 = fmaxf(greatest_0, other_0);
        float other_1 = __shfl_xor_sync(0xffffffffu, greatest_1, 4);
        float greatest_2 = fmaxf(greatest_1, other_1);
        float other_2 = __shfl_xor_sync(0xffffffffu, greatest_2, 8);
        float greatest_3 = fmaxf(greatest_2, other_2);
        float other_3 = __shfl_xor_sync(0xffffffffu, greatest_3, 16);
        if (in_bounds) {
            parts[index] = fmaxf(greatest_3, other_3);
        }
        __syncthreads();
        float parts_1 = parts[0];
        float parts_2 = parts[1];
        float parts_3 = parts[2];
        float parts_4 = parts[3];
        float greatest_4 = fmaxf(carried, fmaxf(fmaxf(fmaxf(parts_1, parts_2), parts_3), parts_4));
        // softmax.go:70
        carried_0 *= expf(carried - greatest_4);
        f32x2 power = expf(x_1 - splat2(greatest_4));
        float sum = power.x + power.y;
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
        int offset_0 = i + 1;
        bool more_0 = offset_0 < quotient;
        int next = more_0 ? offset_0 : i;
        // softmax.go:61
        int x_start1 = next * 256;
        f32x2 x_2 = less && unsigned(x_start1) < bits_0 ? *(const f32x2*)&x[offset + x_start1 + lane] : splat2(__int_as_float(0xff800000));
        // softmax.go:70
        __syncthreads();
        float parts_5 = parts_0[0];
        float parts_6 = parts_0[1];
        float parts_7 = parts_0[2];
        float parts_8 = parts_0[3];
        carried_0 += parts_5 + parts_6 + parts_7 + parts_8;
        carried = greatest_4;
        x_1 = x_2;
    }
    // softmax.go:74
    // softmax.go:75
    int offset_1 = out_offset + program * out_stride0;
    bool in_bounds_0 = bits < unsigned(out_size0);
    // softmax.go:73
    for (int i_0 = 0; i_0 < quotient; ++i_0) {
        // softmax.go:61
        int x_start1_0 = i_0 * 256;
        int offset_2 = x_start1_0 + lane;
        f32x2 x_3 = less && unsigned(x_start1_0) < bits_0 ? *(const f32x2*)&x[offset + offset_2] : splat2(__int_as_float(0xff800000));
        // softmax.go:74
        f32x2 power_0 = expf(x_3 - splat2(carried));
        // softmax.go:75
        if (in_bounds_0) {
            *(f32x2*)&out[offset_1 + offset_2] = power_0 / splat2(carried_0);
        }
    }
}
