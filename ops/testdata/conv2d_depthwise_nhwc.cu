struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(16) i32x4 { int x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline i32x4 splat4(int a) {
    return {a, a, a, a};
}
__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}
__device__ inline i32x4 operator+(i32x4 a, i32x4 b) {
    return {wrap_add(a.x, b.x), wrap_add(a.y, b.y), wrap_add(a.z, b.z), wrap_add(a.w, b.w)};
}
__device__ inline f32x4 fmaf(f32x4 a, f32x4 b, f32x4 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
}

extern "C" __global__ void __launch_bounds__(128) conv2d_direct(
    const float* __restrict__ x,
    const float* __restrict__ weight,
    float* __restrict__ out,
    int x_offset,
    int x_size0,
    int x_size1,
    int x_size2,
    int x_size3,
    int x_size4,
    int x_stride0,
    int x_stride3,
    int x_stride4,
    int weight_offset,
    int weight_size0,
    int weight_size1,
    int weight_size2,
    int weight_size3,
    int weight_stride2,
    int out_offset,
    int out_size0,
    int out_size1,
    int out_size2,
    int out_size3,
    int out_size4,
    int out_stride0,
    int out_stride1,
    int out_stride2,
    int top,
    int left) {
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/conv_kernel.go
    int quotient = (out_size2 + 15) / 16;
    int quotient_0 = (out_size3 + 63) / 64;
    int chosen = out_size4 == 0 ? 1 : out_size4;
    int out_start4 = program % chosen;
    int quotient_1 = program / chosen;
    int chosen_0 = quotient_0 == 0 ? 1 : quotient_0;
    int remainder_0 = quotient_1 % chosen_0;
    int quotient_2 = quotient_1 / chosen_0;
    int chosen_1 = quotient == 0 ? 1 : quotient;
    int remainder_1 = quotient_2 % chosen_1;
    int quotient_3 = quotient_2 / chosen_1;
    int chosen_2 = out_size1 == 0 ? 1 : out_size1;
    int out_start1 = quotient_3 % chosen_2;
    int out_start0 = quotient_3 / chosen_2;
    // kernels/image_block.go
    int lane = (thread & 15) << 2;
    int out_start3 = remainder_0 * 64;
    i32x4 offset = i32x4{lane, lane + 1, lane + 2, lane + 3} + splat4(out_start3);
    int lane_0 = thread >> 4;
    int out_start2 = remainder_1 * 16;
    int offset_0 = lane_0 + out_start2;
    int offset_1 = lane_0 + 8 + out_start2;
    // kernels/conv_kernel.go
    int difference = out_start1 - top;
    int difference_0 = offset_0 - left;
    int difference_1 = offset_1 - left;
    // kernels/conv_kernel.go
    unsigned bits = unsigned(out_start0);
    int offset_2 = x_offset + out_start0 * x_stride0 + offset.x;
    unsigned bits_0 = unsigned(offset.x);
    bool both = bits < unsigned(x_size0) && bits_0 < unsigned(x_size1);
    unsigned bits_1 = unsigned(x_size2);
    unsigned bits_2 = unsigned(x_size3);
    unsigned bits_3 = unsigned(x_size4);
    // kernels/conv_kernel.go
    int offset_3 = weight_offset + offset.x;
    unsigned bits_4 = unsigned(out_start4);
    bool both_0 = bits_0 < unsigned(weight_size0) && bits_4 < unsigned(weight_size1);
    unsigned bits_5 = unsigned(weight_size2);
    unsigned bits_6 = unsigned(weight_size3);
    // kernels/conv_kernel.go
    f32x4 carried = splat4(0.0f);
    f32x4 carried_0 = splat4(0.0f);
    for (int i = 0; i < weight_size3; ++i) {
        // kernels/conv_kernel.go
        unsigned bits_7 = unsigned(i);
        bool both_1 = both && bits_7 < bits_1;
        // kernels/conv_kernel.go
        bool less = bits_7 < bits_6;
        // kernels/conv_kernel.go
        for (int i_0 = 0; i_0 < 9; ++i_0) {
            // kernels/conv_kernel.go
            int quotient_4 = i_0 / 3;
            int difference_2 = i_0 - quotient_4 * 3;
            // kernels/conv_kernel.go
            int offset_4 = difference + quotient_4;
            int offset_5 = difference_0 + difference_2;
            int offset_6 = difference_1 + difference_2;
            // kernels/conv_kernel.go
            int offset_7 = offset_2 + offset_4 * x_stride3;
            bool both_2 = both_1 && unsigned(offset_4) < bits_2;
            f32x4 x_0 = both_2 && unsigned(offset_5) < bits_3 ? *(const f32x4*)&x[offset_7 + offset_5 * x_stride4] : splat4(0.0f);
            f32x4 x_1 = both_2 && unsigned(offset_6) < bits_3 ? *(const f32x4*)&x[offset_7 + offset_6 * x_stride4] : splat4(0.0f);
            // kernels/conv_kernel.go
            f32x4 weight_0 = both_0 && unsigned(i_0) < bits_5 && less ? *(const f32x4*)&weight[offset_3 + i_0 * weight_stride2] : splat4(0.0f);
            // kernels/conv_kernel.go
            carried = fmaf(weight_0, x_0, carried);
            carried_0 = fmaf(weight_0, x_1, carried_0);
        }
    }
    // kernels/conv_kernel.go
    int offset_8 = out_start2 + lane_0;
    int offset_9 = out_offset + out_start0 * out_stride0 + out_start1 * out_stride1 + offset_8 * out_stride2;
    int index = offset_9 + out_start3 + lane;
    bool less_0 = bits_4 < unsigned(out_size4);
    bool both_3 = bits < unsigned(out_size0) && unsigned(out_start1) < unsigned(out_size1);
    unsigned bits_8 = unsigned(out_size2);
    if (both_3 && unsigned(offset_8) < bits_8 && less_0) {
        *(f32x4*)&out[index] = carried;
    }
    if (both_3 && unsigned(offset_8 + 8) < bits_8 && less_0) {
        *(f32x4*)&out[index + out_stride2 * 8] = carried_0;
    }
}
