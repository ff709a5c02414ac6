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
    const float* x,
    const float* weight,
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
    int out_size1,
    int out_size2,
    int out_size3,
    int out_size4,
    int out_stride0,
    int out_stride1,
    int out_stride2,
    int top,
    int left) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/conv_window.go
    int quotient = (out_size1 + 3) / 4;
    int quotient_0 = (out_size2 + 15) / 16;
    int quotient_1 = (out_size3 + 63) / 64;
    int chosen = out_size4 == 0 ? 1 : out_size4;
    int out_start4 = program % chosen;
    int quotient_2 = program / chosen;
    int chosen_0 = quotient_1 == 0 ? 1 : quotient_1;
    int remainder_0 = quotient_2 % chosen_0;
    int quotient_3 = quotient_2 / chosen_0;
    int chosen_1 = quotient_0 == 0 ? 1 : quotient_0;
    int remainder_1 = quotient_3 % chosen_1;
    int quotient_4 = quotient_3 / chosen_1;
    int chosen_2 = quotient == 0 ? 1 : quotient;
    int remainder_2 = quotient_4 % chosen_2;
    int out_start0 = quotient_4 / chosen_2;
    // kernels/conv_window.go
    int out_start1 = remainder_2 * 4;
    // kernels/image_block.go
    int lane = (thread & 15) << 2;
    int out_start3 = remainder_0 * 64;
    i32x4 offset = i32x4{lane, lane + 1, lane + 2, lane + 3} + splat4(out_start3);
    int lane_0 = thread >> 4;
    int offset_0 = lane_0 + remainder_1 * 8;
    // kernels/conv_kernel.go
    int difference = out_start1 - top;
    int difference_0 = offset_0 * 2 - left;
    // kernels/conv_window.go
    int index = weight_offset + offset.x;
    unsigned bits = unsigned(offset.x);
    bool both = bits < unsigned(weight_size0) && unsigned(out_start4) < unsigned(weight_size1);
    unsigned bits_0 = unsigned(weight_size2);
    bool less = 0u < unsigned(weight_size3);
    f32x4 weight_0 = both && 0u < bits_0 && less ? *(const f32x4*)&weight[index] : splat4(0.0f);
    f32x4 weight_1 = both && 1u < bits_0 && less ? *(const f32x4*)&weight[index + weight_stride2] : splat4(0.0f);
    f32x4 weight_2 = both && 2u < bits_0 && less ? *(const f32x4*)&weight[index + 2 * weight_stride2] : splat4(0.0f);
    f32x4 weight_3 = both && 3u < bits_0 && less ? *(const f32x4*)&weight[index + 3 * weight_stride2] : splat4(0.0f);
    f32x4 weight_4 = both && 4u < bits_0 && less ? *(const f32x4*)&weight[index + 4 * weight_stride2] : splat4(0.0f);
    f32x4 weight_5 = both && 5u < bits_0 && less ? *(const f32x4*)&weight[index + 5 * weight_stride2] : splat4(0.0f);
    f32x4 weight_6 = both && 6u < bits_0 && less ? *(const f32x4*)&weight[index + 6 * weight_stride2] : splat4(0.0f);
    f32x4 weight_7 = both && 7u < bits_0 && less ? *(const f32x4*)&weight[index + 7 * weight_stride2] : splat4(0.0f);
    f32x4 weight_8 = both && 8u < bits_0 && less ? *(const f32x4*)&weight[index + 8 * weight_stride2] : splat4(0.0f);
    // kernels/conv_window.go
    int offset_1 = x_offset + out_start0 * x_stride0 + offset.x;
    bool both_0 = unsigned(out_start0) < unsigned(x_size0) && bits < unsigned(x_size1);
    bool both_1 = both_0 && 0u < unsigned(x_size2);
    int offset_2 = offset_1 + difference * x_stride3;
    unsigned bits_1 = unsigned(x_size3);
    bool both_2 = both_1 && unsigned(difference) < bits_1;
    int offset_3 = difference_0 * x_stride4;
    unsigned bits_2 = unsigned(x_size4);
    bool less_0 = unsigned(difference_0) < bits_2;
    f32x4 x_0 = both_2 && less_0 ? *(const f32x4*)&x[offset_2 + offset_3] : splat4(0.0f);
    int offset_4 = difference_0 + 1;
    int offset_5 = offset_4 * x_stride4;
    bool less_1 = unsigned(offset_4) < bits_2;
    f32x4 x_1 = both_2 && less_1 ? *(const f32x4*)&x[offset_2 + offset_5] : splat4(0.0f);
    int offset_6 = difference_0 + 2;
    int offset_7 = offset_6 * x_stride4;
    bool less_2 = unsigned(offset_6) < bits_2;
    f32x4 x_2 = both_2 && less_2 ? *(const f32x4*)&x[offset_2 + offset_7] : splat4(0.0f);
    int offset_8 = difference_0 + 3;
    int offset_9 = offset_8 * x_stride4;
    bool less_3 = unsigned(offset_8) < bits_2;
    f32x4 x_3 = both_2 && less_3 ? *(const f32x4*)&x[offset_2 + offset_9] : splat4(0.0f);
    // kernels/conv_window.go
    f32x4 fused = fmaf(weight_2, x_2, fmaf(weight_1, x_1, fmaf(weight_0, x_0, splat4(0.0f))));
    f32x4 fused_0 = fmaf(weight_2, x_3, fmaf(weight_1, x_2, fmaf(weight_0, x_1, splat4(0.0f))));
    // kernels/conv_window.go
    int offset_10 = difference + 1;
    // kernels/conv_window.go
    int offset_11 = offset_1 + offset_10 * x_stride3;
    bool both_3 = both_1 && unsigned(offset_10) < bits_1;
    f32x4 x_4 = both_3 && less_0 ? *(const f32x4*)&x[offset_11 + offset_3] : splat4(0.0f);
    f32x4 x_5 = both_3 && less_1 ? *(const f32x4*)&x[offset_11 + offset_5] : splat4(0.0f);
    f32x4 x_6 = both_3 && less_2 ? *(const f32x4*)&x[offset_11 + offset_7] : splat4(0.0f);
    f32x4 x_7 = both_3 && less_3 ? *(const f32x4*)&x[offset_11 + offset_9] : splat4(0.0f);
    // kernels/conv_window.go
    f32x4 fused_1 = fmaf(weight_5, x_6, fmaf(weight_4, x_5, fmaf(weight_3, x_4, fused)));
    f32x4 fused_2 = fmaf(weight_5, x_7, fmaf(weight_4, x_6, fmaf(weight_3, x_5, fused_0)));
    f32x4 fused_3 = fmaf(weight_2, x_6, fmaf(weight_1, x_5, fmaf(weight_0, x_4, splat4(0.0f))));
    f32x4 fused_4 = fmaf(weight_2, x_7, fmaf(weight_1, x_6, fmaf(weight_0, x_5, splat4(0.0f))));
    // kernels/conv_window.go
    int offset_12 = difference + 2;
    // kernels/conv_window.go
    int offset_13 = offset_1 + offset_12 * x_stride3;
    bool both_4 = both_1 && unsigned(offset_12) < bits_1;
    f32x4 x_8 = both_4 && less_0 ? *(const f32x4*)&x[offset_13 + offset_3] : splat4(0.0f);
    f32x4 x_9 = both_4 && less_1 ? *(const f32x4*)&x[offset_13 + offset_5] : splat4(0.0f);
    f32x4 x_10 = both_4 && less_2 ? *(const f32x4*)&x[offset_13 + offset_7] : splat4(0.0f);
    f32x4 x_11 = both_4 && less_3 ? *(const f32x4*)&x[offset_13 + offset_9] : splat4(0.0f);
    // kernels/conv_window.go
    f32x4 fused_5 = fmaf(weight_8, x_10, fmaf(weight_7, x_9, fmaf(weight_6, x_8, fused_1)));
    f32x4 fused_6 = fmaf(weight_8, x_11, fmaf(weight_7, x_10, fmaf(weight_6, x_9, fused_2)));
    f32x4 fused_7 = fmaf(weight_5, x_10, fmaf(weight_4, x_9, fmaf(weight_3, x_8, fused_3)));
    f32x4 fused_8 = fmaf(weight_5, x_11, fmaf(weight_4, x_10, fmaf(weight_3, x_9, fused_4)));
    f32x4 fused_9 = fmaf(weight_2, x_10, fmaf(weight_1, x_9, fmaf(weight_0, x_8, splat4(0.0f))));
    f32x4 fused_10 = fmaf(weight_2, x_11, fmaf(weight_1, x_10, fmaf(weight_0, x_9, splat4(0.0f))));
    // kernels/conv_window.go
    int offset_14 = difference + 3;
    // kernels/conv_window.go
    int offset_15 = offset_1 + offset_14 * x_stride3;
    bool both_5 = both_1 && unsigned(offset_14) < bits_1;
    f32x4 x_12 = both_5 && less_0 ? *(const f32x4*)&x[offset_15 + offset_3] : splat4(0.0f);
    f32x4 x_13 = both_5 && less_1 ? *(const f32x4*)&x[offset_15 + offset_5] : splat4(0.0f);
    f32x4 x_14 = both_5 && less_2 ? *(const f32x4*)&x[offset_15 + offset_7] : splat4(0.0f);
    f32x4 x_15 = both_5 && less_3 ? *(const f32x4*)&x[offset_15 + offset_9] : splat4(0.0f);
    // kernels/conv_window.go
    f32x4 fused_11 = fmaf(weight_8, x_14, fmaf(weight_7, x_13, fmaf(weight_6, x_12, fused_7)));
    f32x4 fused_12 = fmaf(weight_8, x_15, fmaf(weight_7, x_14, fmaf(weight_6, x_13, fused_8)));
    f32x4 fused_13 = fmaf(weight_5, x_14, fmaf(weight_4, x_13, fmaf(weight_3, x_12, fused_9)));
    f32x4 fused_14 = fmaf(weight_5, x_15, fmaf(weight_4, x_14, fmaf(weight_3, x_13, fused_10)));
    f32x4 fused_15 = fmaf(weight_2, x_14, fmaf(weight_1, x_13, fmaf(weight_0, x_12, splat4(0.0f))));
    f32x4 fused_16 = fmaf(weight_2, x_15, fmaf(weight_1, x_14, fmaf(weight_0, x_13, splat4(0.0f))));
    // kernels/conv_window.go
    int offset_16 = difference + 4;
    // kernels/conv_window.go
    int offset_17 = offset_1 + offset_16 * x_stride3;
    bool both_6 = both_1 && unsigned(offset_16) < bits_1;
    f32x4 x_16 = both_6 && less_0 ? *(const f32x4*)&x[offset_17 + offset_3] : splat4(0.0f);
    f32x4 x_17 = both_6 && less_1 ? *(const f32x4*)&x[offset_17 + offset_5] : splat4(0.0f);
    f32x4 x_18 = both_6 && less_2 ? *(const f32x4*)&x[offset_17 + offset_7] : splat4(0.0f);
    f32x4 x_19 = both_6 && less_3 ? *(const f32x4*)&x[offset_17 + offset_9] : splat4(0.0f);
    // kernels/conv_window.go
    f32x4 fused_17 = fmaf(weight_8, x_18, fmaf(weight_7, x_17, fmaf(weight_6, x_16, fused_13)));
    f32x4 fused_18 = fmaf(weight_8, x_19, fmaf(weight_7, x_18, fmaf(weight_6, x_17, fused_14)));
    f32x4 fused_19 = fmaf(weight_5, x_18, fmaf(weight_4, x_17, fmaf(weight_3, x_16, fused_15)));
    f32x4 fused_20 = fmaf(weight_5, x_19, fmaf(weight_4, x_18, fmaf(weight_3, x_17, fused_16)));
    // kernels/conv_window.go
    int offset_18 = difference + 5;
    // kernels/conv_window.go
    int offset_19 = offset_1 + offset_18 * x_stride3;
    bool both_7 = both_1 && unsigned(offset_18) < bits_1;
    f32x4 x_20 = both_7 && less_0 ? *(const f32x4*)&x[offset_19 + offset_3] : splat4(0.0f);
    f32x4 x_21 = both_7 && less_1 ? *(const f32x4*)&x[offset_19 + offset_5] : splat4(0.0f);
    f32x4 x_22 = both_7 && less_2 ? *(const f32x4*)&x[offset_19 + offset_7] : splat4(0.0f);
    f32x4 x_23 = both_7 && less_3 ? *(const f32x4*)&x[offset_19 + offset_9] : splat4(0.0f);
    // kernels/conv_window.go
    f32x4 fused_21 = fmaf(weight_8, x_22, fmaf(weight_7, x_21, fmaf(weight_6, x_20, fused_19)));
    f32x4 fused_22 = fmaf(weight_8, x_23, fmaf(weight_7, x_22, fmaf(weight_6, x_21, fused_20)));
    // kernels/conv_window.go
    int offset_20 = out_offset + out_start0 * out_stride0;
    unsigned bits_3 = unsigned(out_size1);
    bool less_4 = unsigned(out_start1) < bits_3;
    int out_start2 = remainder_1 * 16;
    int lane_1 = (thread >> 3) & 14;
    int offset_21 = out_start2 + lane_1;
    int offset_22 = offset_21 * out_stride2;
    int offset_23 = out_start3 + lane;
    int index_0 = offset_20 + out_start1 * out_stride1 + offset_22 + offset_23;
    unsigned bits_4 = unsigned(out_size2);
    bool less_5 = unsigned(offset_21) < bits_4;
    if (less_4 && less_5) {
        *(f32x4*)&out[index_0] = fused_5;
    }
    bool less_6 = unsigned(offset_21 + 1) < bits_4;
    if (less_4 && less_6) {
        *(f32x4*)&out[index_0 + out_stride2] = fused_6;
    }
    // kernels/conv_window.go
    int out_start1_0 = out_start1 + 1;
    // kernels/conv_window.go
    bool less_7 = unsigned(out_start1_0) < bits_3;
    int index_1 = offset_20 + out_start1_0 * out_stride1 + offset_22 + offset_23;
    if (less_7 && less_5) {
        *(f32x4*)&out[index_1] = fused_11;
    }
    if (less_7 && less_6) {
        *(f32x4*)&out[index_1 + out_stride2] = fused_12;
    }
    // kernels/conv_window.go
    int out_start1_1 = out_start1 + 2;
    // kernels/conv_window.go
    bool less_8 = unsigned(out_start1_1) < bits_3;
    int index_2 = offset_20 + out_start1_1 * out_stride1 + offset_22 + offset_23;
    if (less_8 && less_5) {
        *(f32x4*)&out[index_2] = fused_17;
    }
    if (less_8 && less_6) {
        *(f32x4*)&out[index_2 + out_stride2] = fused_18;
    }
    // kernels/conv_window.go
    int out_start1_2 = out_start1 + 3;
    // kernels/conv_window.go
    bool less_9 = unsigned(out_start1_2) < bits_3;
    int index_3 = offset_20 + out_start1_2 * out_stride1 + offset_22 + offset_23;
    if (less_9 && less_5) {
        *(f32x4*)&out[index_3] = fused_21;
    }
    if (less_9 && less_6) {
        *(f32x4*)&out[index_3 + out_stride2] = fused_22;
    }
}
