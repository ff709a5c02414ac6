__device__ inline int wrap_mul(int a, int b) {
    return int(unsigned(a) * unsigned(b));
}
__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}
__device__ inline int wrap_sub(int a, int b) {
    return int(unsigned(a) - unsigned(b));
}

extern "C" __global__ void __launch_bounds__(64) resize_grad(
    const float* x,
    float* __restrict__ out,
    int x_offset,
    int x_size0,
    int x_size1,
    int x_size2,
    int x_stride0,
    int x_stride1,
    int out_offset,
    int out_size1,
    int out_size2,
    int out_stride0,
    int out_stride1,
    int first1_mul,
    int first1_add,
    unsigned first1_factor,
    unsigned first1_shift,
    int mul1,
    int add1,
    int div1,
    float reciprocal1,
    int first2_mul,
    int first2_add,
    unsigned first2_factor,
    unsigned first2_shift,
    int mul2,
    int add2,
    int div2,
    float reciprocal2) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/resize_grad_kernel.go
    int quotient = (out_size2 + 63) / 64;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int quotient_0 = program / chosen;
    int chosen_0 = out_size1 == 0 ? 1 : out_size1;
    int out_start1 = quotient_0 % chosen_0;
    int out_start0 = quotient_0 / chosen_0;
    // kernels/resize_kernel.go
    int offset = x_size0 + -1;
    // kernels/resize_kernel.go
    int least = min(out_start0, offset);
    // kernels/resize_grad_kernel.go
    int offset_0 = out_size1 + -1;
    // kernels/resize_grad_kernel.go
    int least_0 = min(out_start1, offset_0);
    // kernels/resize_line.go
    int greatest = max(least_0 * first1_mul + first1_add, 0);
    // kernels/divisor.go
    unsigned converted = unsigned(greatest);
    // kernels/divisor.go
    unsigned shifted = (__umulhi(converted, first1_factor) + converted) >> (first1_shift & 31u);
    int converted_0 = int(shifted);
    // kernels/resize_grad_kernel.go
    int offset_1 = least_0 * div1;
    int difference = wrap_sub(wrap_add(wrap_mul(converted_0, mul1), add1), offset_1);
    // kernels/resize_grad_kernel.go
    int chosen_1 = least_0 == 0 ? 0 : 0 - div1;
    int chosen_2 = least_0 == offset_0 ? 0 : div1;
    // kernels/resize_grad_kernel.go
    int difference_0 = wrap_sub(div1, abs(min(max(difference, chosen_1), chosen_2)));
    // kernels/resize_grad_kernel.go
    bool equal = difference_0 == 0;
    // kernels/resize_grad_kernel.go
    float chosen_3 = difference_0 == div1 ? 1.0f : float(difference_0) * reciprocal1;
    // kernels/resize_grad_kernel.go
    int chosen_4 = equal ? x_size1 : converted_0;
    // kernels/resize_grad_kernel.go
    int offset_2 = wrap_add(converted_0, 1);
    // kernels/resize_grad_kernel.go
    int difference_1 = wrap_sub(wrap_add(wrap_mul(offset_2, mul1), add1), offset_1);
    // kernels/resize_grad_kernel.go
    int difference_2 = wrap_sub(div1, abs(min(max(difference_1, chosen_1), chosen_2)));
    // kernels/resize_grad_kernel.go
    bool equal_0 = difference_2 == 0;
    // kernels/resize_grad_kernel.go
    float chosen_5 = difference_2 == div1 ? 1.0f : float(difference_2) * reciprocal1;
    // kernels/resize_grad_kernel.go
    int chosen_6 = equal_0 ? x_size1 : offset_2;
    // kernels/resize_grad_kernel.go
    int offset_3 = wrap_add(converted_0, 2);
    // kernels/resize_grad_kernel.go
    int difference_3 = wrap_sub(wrap_add(wrap_mul(offset_3, mul1), add1), offset_1);
    // kernels/resize_grad_kernel.go
    int difference_4 = wrap_sub(div1, abs(min(max(difference_3, chosen_1), chosen_2)));
    // kernels/resize_grad_kernel.go
    bool equal_1 = difference_4 == 0;
    // kernels/resize_grad_kernel.go
    float chosen_7 = difference_4 == div1 ? 1.0f : float(difference_4) * reciprocal1;
    // kernels/resize_grad_kernel.go
    int chosen_8 = equal_1 ? x_size1 : offset_3;
    // kernels/resize_grad_kernel.go
    int offset_4 = wrap_add(converted_0, 3);
    // kernels/resize_grad_kernel.go
    int difference_5 = wrap_sub(wrap_add(wrap_mul(offset_4, mul1), add1), offset_1);
    // kernels/resize_grad_kernel.go
    int difference_6 = wrap_sub(div1, abs(min(max(difference_5, chosen_1), chosen_2)));
    // kernels/resize_grad_kernel.go
    bool equal_2 = difference_6 == 0;
    // kernels/resize_grad_kernel.go
    float chosen_9 = difference_6 == div1 ? 1.0f : float(difference_6) * reciprocal1;
    // kernels/resize_grad_kernel.go
    int chosen_10 = equal_2 ? x_size1 : offset_4;
    // kernels/resize_kernel.go
    int out_start2 = remainder_0 * 64;
    int offset_5 = thread + out_start2;
    // kernels/resize_grad_kernel.go
    int offset_6 = out_size2 + -1;
    // kernels/resize_grad_kernel.go
    int least_1 = min(offset_5, offset_6);
    // kernels/resize_line.go
    int greatest_0 = max(least_1 * first2_mul + first2_add, 0);
    // kernels/divisor.go
    unsigned converted_1 = unsigned(greatest_0);
    // kernels/divisor.go
    unsigned shifted_0 = (__umulhi(converted_1, first2_factor) + converted_1) >> (first2_shift & 31u);
    int converted_2 = int(shifted_0);
    // kernels/resize_grad_kernel.go
    int offset_7 = least_1 * div2;
    int difference_7 = wrap_sub(wrap_add(wrap_mul(converted_2, mul2), add2), offset_7);
    // kernels/resize_grad_kernel.go
    int chosen_11 = least_1 == 0 ? 0 : 0 - div2;
    int chosen_12 = least_1 == offset_6 ? 0 : div2;
    // kernels/resize_grad_kernel.go
    int difference_8 = wrap_sub(div2, abs(min(max(difference_7, chosen_11), chosen_12)));
    // kernels/resize_grad_kernel.go
    bool equal_3 = difference_8 == 0;
    // kernels/resize_grad_kernel.go
    float chosen_13 = difference_8 == div2 ? 1.0f : float(difference_8) * reciprocal2;
    // kernels/resize_grad_kernel.go
    int chosen_14 = equal_3 ? x_size2 : converted_2;
    // kernels/resize_grad_kernel.go
    int offset_8 = wrap_add(converted_2, 1);
    // kernels/resize_grad_kernel.go
    int difference_9 = wrap_sub(wrap_add(wrap_mul(offset_8, mul2), add2), offset_7);
    // kernels/resize_grad_kernel.go
    int difference_10 = wrap_sub(div2, abs(min(max(difference_9, chosen_11), chosen_12)));
    // kernels/resize_grad_kernel.go
    bool equal_4 = difference_10 == 0;
    // kernels/resize_grad_kernel.go
    float chosen_15 = difference_10 == div2 ? 1.0f : float(difference_10) * reciprocal2;
    // kernels/resize_grad_kernel.go
    int chosen_16 = equal_4 ? x_size2 : offset_8;
    // kernels/resize_grad_kernel.go
    int offset_9 = wrap_add(converted_2, 2);
    // kernels/resize_grad_kernel.go
    int difference_11 = wrap_sub(wrap_add(wrap_mul(offset_9, mul2), add2), offset_7);
    // kernels/resize_grad_kernel.go
    int difference_12 = wrap_sub(div2, abs(min(max(difference_11, chosen_11), chosen_12)));
    // kernels/resize_grad_kernel.go
    bool equal_5 = difference_12 == 0;
    // kernels/resize_grad_kernel.go
    float chosen_17 = difference_12 == div2 ? 1.0f : float(difference_12) * reciprocal2;
    // kernels/resize_grad_kernel.go
    int chosen_18 = equal_5 ? x_size2 : offset_9;
    // kernels/resize_grad_kernel.go
    int offset_10 = wrap_add(converted_2, 3);
    // kernels/resize_grad_kernel.go
    int difference_13 = wrap_sub(wrap_add(wrap_mul(offset_10, mul2), add2), offset_7);
    // kernels/resize_grad_kernel.go
    int difference_14 = wrap_sub(div2, abs(min(max(difference_13, chosen_11), chosen_12)));
    // kernels/resize_grad_kernel.go
    bool equal_6 = difference_14 == 0;
    // kernels/resize_grad_kernel.go
    float chosen_19 = difference_14 == div2 ? 1.0f : float(difference_14) * reciprocal2;
    // kernels/resize_grad_kernel.go
    int chosen_20 = equal_6 ? x_size2 : offset_10;
    // kernels/resize_grad_kernel.go
    int offset_11 = x_offset + least * x_stride0;
    int offset_12 = wrap_add(offset_11, wrap_mul(chosen_4, x_stride1));
    unsigned bits = unsigned(x_size1);
    bool less = unsigned(chosen_4) < bits;
    unsigned bits_0 = unsigned(x_size2);
    bool less_0 = unsigned(chosen_14) < bits_0;
    float x_0 = less && less_0 ? x[wrap_add(offset_12, chosen_14)] : 0.0f;
    // kernels/resize_grad_kernel.go
    float product = x_0 * chosen_13;
    // kernels/resize_grad_kernel.go
    bool less_1 = unsigned(chosen_16) < bits_0;
    float x_1 = less && less_1 ? x[wrap_add(offset_12, chosen_16)] : 0.0f;
    bool less_2 = unsigned(chosen_18) < bits_0;
    float x_2 = less && less_2 ? x[wrap_add(offset_12, chosen_18)] : 0.0f;
    bool less_3 = unsigned(chosen_20) < bits_0;
    float x_3 = less && less_3 ? x[wrap_add(offset_12, chosen_20)] : 0.0f;
    // kernels/resize_grad_kernel.go
    float fused = fmaf(x_3, chosen_19, fmaf(x_2, chosen_17, fmaf(x_1, chosen_15, product)));
    // kernels/resize_grad_kernel.go
    float product_0 = fused * chosen_3;
    // kernels/resize_grad_kernel.go
    int offset_13 = wrap_add(offset_11, wrap_mul(chosen_6, x_stride1));
    bool less_4 = unsigned(chosen_6) < bits;
    float x_4 = less_4 && less_0 ? x[wrap_add(offset_13, chosen_14)] : 0.0f;
    // kernels/resize_grad_kernel.go
    float product_1 = x_4 * chosen_13;
    // kernels/resize_grad_kernel.go
    float x_5 = less_4 && less_1 ? x[wrap_add(offset_13, chosen_16)] : 0.0f;
    float x_6 = less_4 && less_2 ? x[wrap_add(offset_13, chosen_18)] : 0.0f;
    float x_7 = less_4 && less_3 ? x[wrap_add(offset_13, chosen_20)] : 0.0f;
    // kernels/resize_grad_kernel.go
    float fused_0 = fmaf(x_7, chosen_19, fmaf(x_6, chosen_17, fmaf(x_5, chosen_15, product_1)));
    // kernels/resize_grad_kernel.go
    int offset_14 = wrap_add(offset_11, wrap_mul(chosen_8, x_stride1));
    bool less_5 = unsigned(chosen_8) < bits;
    float x_8 = less_5 && less_0 ? x[wrap_add(offset_14, chosen_14)] : 0.0f;
    // kernels/resize_grad_kernel.go
    float product_2 = x_8 * chosen_13;
    // kernels/resize_grad_kernel.go
    float x_9 = less_5 && less_1 ? x[wrap_add(offset_14, chosen_16)] : 0.0f;
    float x_10 = less_5 && less_2 ? x[wrap_add(offset_14, chosen_18)] : 0.0f;
    float x_11 = less_5 && less_3 ? x[wrap_add(offset_14, chosen_20)] : 0.0f;
    // kernels/resize_grad_kernel.go
    float fused_1 = fmaf(x_11, chosen_19, fmaf(x_10, chosen_17, fmaf(x_9, chosen_15, product_2)));
    // kernels/resize_grad_kernel.go
    int offset_15 = wrap_add(offset_11, wrap_mul(chosen_10, x_stride1));
    bool less_6 = unsigned(chosen_10) < bits;
    float x_12 = less_6 && less_0 ? x[wrap_add(offset_15, chosen_14)] : 0.0f;
    // kernels/resize_grad_kernel.go
    float product_3 = x_12 * chosen_13;
    // kernels/resize_grad_kernel.go
    float x_13 = less_6 && less_1 ? x[wrap_add(offset_15, chosen_16)] : 0.0f;
    float x_14 = less_6 && less_2 ? x[wrap_add(offset_15, chosen_18)] : 0.0f;
    float x_15 = less_6 && less_3 ? x[wrap_add(offset_15, chosen_20)] : 0.0f;
    // kernels/resize_grad_kernel.go
    float fused_2 = fmaf(x_15, chosen_19, fmaf(x_14, chosen_17, fmaf(x_13, chosen_15, product_3)));
    float fused_3 = fmaf(fused_2, chosen_9, fmaf(fused_1, chosen_7, fmaf(fused_0, chosen_5, product_0)));
    // kernels/resize_grad_kernel.go
    int offset_16 = out_start2 + thread;
    int index = out_offset + out_start0 * out_stride0 + out_start1 * out_stride1 + offset_16;
    if (unsigned(offset_16) < unsigned(out_size2)) {
        out[index] = fused_3;
    }
}
