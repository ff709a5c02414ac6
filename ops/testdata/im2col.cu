extern "C" __global__ void __launch_bounds__(256) im2col(
    const float* x,
    float* __restrict__ out,
    int x_offset,
    int x_size0,
    int x_size1,
    int x_size2,
    int x_size3,
    int x_size4,
    int x_stride0,
    int x_stride2,
    int x_stride3,
    int out_offset,
    int out_size1,
    int out_size2,
    int out_size3,
    int out_size4,
    int out_stride0,
    int out_stride2,
    int out_stride3,
    int top,
    int left,
    int columns) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/im2col_kernel.go
    int quotient = (out_size4 + 2047) / 2048;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int quotient_0 = program / chosen;
    int chosen_0 = out_size3 == 0 ? 1 : out_size3;
    int out_start3 = quotient_0 % chosen_0;
    int quotient_1 = quotient_0 / chosen_0;
    int chosen_1 = out_size2 == 0 ? 1 : out_size2;
    int out_start2 = quotient_1 % chosen_1;
    int quotient_2 = quotient_1 / chosen_1;
    int chosen_2 = out_size1 == 0 ? 1 : out_size1;
    int out_start1 = quotient_2 % chosen_2;
    int out_start0 = quotient_2 / chosen_2;
    // kernels/image_block.go
    int out_start4 = remainder_0 * 2048;
    int offset = thread + out_start4;
    int offset_0 = thread + 256 + out_start4;
    int offset_1 = thread + 512 + out_start4;
    int offset_2 = thread + 768 + out_start4;
    int offset_3 = thread + 1024 + out_start4;
    int offset_4 = thread + 1280 + out_start4;
    int offset_5 = thread + 1536 + out_start4;
    int offset_6 = thread + 1792 + out_start4;
    // kernels/im2col_kernel.go
    int chosen_3 = columns == 0 ? 1 : columns;
    int quotient_3 = offset / chosen_3;
    int quotient_4 = offset_0 / chosen_3;
    int quotient_5 = offset_1 / chosen_3;
    int quotient_6 = offset_2 / chosen_3;
    int quotient_7 = offset_3 / chosen_3;
    int quotient_8 = offset_4 / chosen_3;
    int quotient_9 = offset_5 / chosen_3;
    int quotient_10 = offset_6 / chosen_3;
    int difference = offset - quotient_3 * chosen_3;
    int difference_0 = offset_0 - quotient_4 * chosen_3;
    int difference_1 = offset_1 - quotient_5 * chosen_3;
    int difference_2 = offset_2 - quotient_6 * chosen_3;
    int difference_3 = offset_3 - quotient_7 * chosen_3;
    int difference_4 = offset_4 - quotient_8 * chosen_3;
    int difference_5 = offset_5 - quotient_9 * chosen_3;
    int difference_6 = offset_6 - quotient_10 * chosen_3;
    // kernels/conv_kernel.go
    int difference_7 = quotient_3 - top;
    int difference_8 = quotient_4 - top;
    int difference_9 = quotient_5 - top;
    int difference_10 = quotient_6 - top;
    int difference_11 = quotient_7 - top;
    int difference_12 = quotient_8 - top;
    int difference_13 = quotient_9 - top;
    int difference_14 = quotient_10 - top;
    int difference_15 = difference - left;
    int difference_16 = difference_0 - left;
    int difference_17 = difference_1 - left;
    int difference_18 = difference_2 - left;
    int difference_19 = difference_3 - left;
    int difference_20 = difference_4 - left;
    int difference_21 = difference_5 - left;
    int difference_22 = difference_6 - left;
    // kernels/conv_kernel.go
    int quotient_11 = out_start3 / 3;
    int remainder_1 = out_start3 % 3;
    // kernels/conv_kernel.go
    int offset_7 = quotient_11 + difference_7;
    int offset_8 = quotient_11 + difference_8;
    int offset_9 = quotient_11 + difference_9;
    int offset_10 = quotient_11 + difference_10;
    int offset_11 = quotient_11 + difference_11;
    int offset_12 = quotient_11 + difference_12;
    int offset_13 = quotient_11 + difference_13;
    int offset_14 = quotient_11 + difference_14;
    int offset_15 = remainder_1 + difference_15;
    int offset_16 = remainder_1 + difference_16;
    int offset_17 = remainder_1 + difference_17;
    int offset_18 = remainder_1 + difference_18;
    int offset_19 = remainder_1 + difference_19;
    int offset_20 = remainder_1 + difference_20;
    int offset_21 = remainder_1 + difference_21;
    int offset_22 = remainder_1 + difference_22;
    // kernels/im2col_kernel.go
    bool both = unsigned(out_start0) < unsigned(x_size0) && unsigned(out_start1) < unsigned(x_size1);
    int offset_23 = x_offset + out_start0 * x_stride0 + out_start2 * x_stride2;
    bool both_0 = both && unsigned(out_start2) < unsigned(x_size2);
    unsigned bits = unsigned(x_size3);
    unsigned bits_0 = unsigned(x_size4);
    bool in_bounds = both_0 && unsigned(offset_7) < bits && unsigned(offset_15) < bits_0;
    float x_0 = in_bounds ? x[offset_23 + offset_7 * x_stride3 + offset_15] : 0.0f;
    bool in_bounds_0 = both_0 && unsigned(offset_8) < bits && unsigned(offset_16) < bits_0;
    float x_1 = in_bounds_0 ? x[offset_23 + offset_8 * x_stride3 + offset_16] : 0.0f;
    bool in_bounds_1 = both_0 && unsigned(offset_9) < bits && unsigned(offset_17) < bits_0;
    float x_2 = in_bounds_1 ? x[offset_23 + offset_9 * x_stride3 + offset_17] : 0.0f;
    bool in_bounds_2 = both_0 && unsigned(offset_10) < bits && unsigned(offset_18) < bits_0;
    float x_3 = in_bounds_2 ? x[offset_23 + offset_10 * x_stride3 + offset_18] : 0.0f;
    bool in_bounds_3 = both_0 && unsigned(offset_11) < bits && unsigned(offset_19) < bits_0;
    float x_4 = in_bounds_3 ? x[offset_23 + offset_11 * x_stride3 + offset_19] : 0.0f;
    bool in_bounds_4 = both_0 && unsigned(offset_12) < bits && unsigned(offset_20) < bits_0;
    float x_5 = in_bounds_4 ? x[offset_23 + offset_12 * x_stride3 + offset_20] : 0.0f;
    bool in_bounds_5 = both_0 && unsigned(offset_13) < bits && unsigned(offset_21) < bits_0;
    float x_6 = in_bounds_5 ? x[offset_23 + offset_13 * x_stride3 + offset_21] : 0.0f;
    bool in_bounds_6 = both_0 && unsigned(offset_14) < bits && unsigned(offset_22) < bits_0;
    float x_7 = in_bounds_6 ? x[offset_23 + offset_14 * x_stride3 + offset_22] : 0.0f;
    int offset_24 = out_offset + out_start0 * out_stride0 + out_start2 * out_stride2 + out_start3 * out_stride3;
    int offset_25 = out_start4 + thread;
    int index = offset_24 + offset_25;
    unsigned bits_1 = unsigned(out_size4);
    if (unsigned(offset_25) < bits_1) {
        out[index] = x_0;
    }
    if (unsigned(offset_25 + 256) < bits_1) {
        out[index + 256] = x_1;
    }
    if (unsigned(offset_25 + 512) < bits_1) {
        out[index + 512] = x_2;
    }
    if (unsigned(offset_25 + 768) < bits_1) {
        out[index + 768] = x_3;
    }
    if (unsigned(offset_25 + 1024) < bits_1) {
        out[index + 1024] = x_4;
    }
    if (unsigned(offset_25 + 1280) < bits_1) {
        out[index + 1280] = x_5;
    }
    if (unsigned(offset_25 + 1536) < bits_1) {
        out[index + 1536] = x_6;
    }
    if (unsigned(offset_25 + 1792) < bits_1) {
        out[index + 1792] = x_7;
    }
}
