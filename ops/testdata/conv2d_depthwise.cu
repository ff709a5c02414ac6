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
    int x_stride1,
    int x_stride3,
    int weight_offset,
    int weight_size0,
    int weight_size1,
    int weight_size2,
    int weight_size3,
    int weight_stride0,
    int out_offset,
    int out_size0,
    int out_size1,
    int out_size2,
    int out_size3,
    int out_size4,
    int out_stride0,
    int out_stride1,
    int out_stride3,
    int top,
    int left) {
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/conv_kernel.go
    int quotient = (out_size3 + 15) / 16;
    int quotient_0 = (out_size4 + 63) / 64;
    int chosen = quotient_0 == 0 ? 1 : quotient_0;
    int remainder_0 = program % chosen;
    int quotient_1 = program / chosen;
    int chosen_0 = quotient == 0 ? 1 : quotient;
    int remainder_1 = quotient_1 % chosen_0;
    int quotient_2 = quotient_1 / chosen_0;
    int chosen_1 = out_size2 == 0 ? 1 : out_size2;
    int out_start2 = quotient_2 % chosen_1;
    int quotient_3 = quotient_2 / chosen_1;
    int chosen_2 = out_size1 == 0 ? 1 : out_size1;
    int out_start1 = quotient_3 % chosen_2;
    int out_start0 = quotient_3 / chosen_2;
    // kernels/image_block.go
    int lane = thread >> 6;
    int out_start3 = remainder_1 * 16;
    int offset = lane + out_start3;
    int offset_0 = lane + 2 + out_start3;
    int offset_1 = lane + 4 + out_start3;
    int offset_2 = lane + 6 + out_start3;
    int offset_3 = lane + 8 + out_start3;
    int offset_4 = lane + 10 + out_start3;
    int offset_5 = lane + 12 + out_start3;
    int offset_6 = lane + 14 + out_start3;
    int lane_0 = thread & 63;
    int out_start4 = remainder_0 * 64;
    int offset_7 = lane_0 + out_start4;
    // kernels/conv_kernel.go
    int difference = offset - top;
    int difference_0 = offset_0 - top;
    int difference_1 = offset_1 - top;
    int difference_2 = offset_2 - top;
    int difference_3 = offset_3 - top;
    int difference_4 = offset_4 - top;
    int difference_5 = offset_5 - top;
    int difference_6 = offset_6 - top;
    int difference_7 = offset_7 - left;
    // kernels/conv_kernel.go
    unsigned bits = unsigned(out_start0);
    int offset_8 = x_offset + out_start0 * x_stride0 + out_start1 * x_stride1;
    unsigned bits_0 = unsigned(out_start1);
    bool both = bits < unsigned(x_size0) && bits_0 < unsigned(x_size1);
    unsigned bits_1 = unsigned(x_size2);
    unsigned bits_2 = unsigned(x_size3);
    unsigned bits_3 = unsigned(x_size4);
    // kernels/conv_kernel.go
    int offset_9 = weight_offset + out_start1 * weight_stride0;
    unsigned bits_4 = unsigned(out_start2);
    bool both_0 = bits_0 < unsigned(weight_size0) && bits_4 < unsigned(weight_size1);
    unsigned bits_5 = unsigned(weight_size2);
    unsigned bits_6 = unsigned(weight_size3);
    // kernels/conv_kernel.go
    float carried = 0.0f;
    float carried_0 = 0.0f;
    float carried_1 = 0.0f;
    float carried_2 = 0.0f;
    float carried_3 = 0.0f;
    float carried_4 = 0.0f;
    float carried_5 = 0.0f;
    float carried_6 = 0.0f;
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
            int difference_8 = i_0 - quotient_4 * 3;
            // kernels/conv_kernel.go
            int offset_10 = difference + quotient_4;
            int offset_11 = difference_0 + quotient_4;
            int offset_12 = difference_1 + quotient_4;
            int offset_13 = difference_2 + quotient_4;
            int offset_14 = difference_3 + quotient_4;
            int offset_15 = difference_4 + quotient_4;
            int offset_16 = difference_5 + quotient_4;
            int offset_17 = difference_6 + quotient_4;
            int offset_18 = difference_7 + difference_8;
            // kernels/conv_kernel.go
            bool less_0 = unsigned(offset_18) < bits_3;
            float x_0 = both_1 && unsigned(offset_10) < bits_2 && less_0 ? x[offset_8 + offset_10 * x_stride3 + offset_18] : 0.0f;
            float x_1 = both_1 && unsigned(offset_11) < bits_2 && less_0 ? x[offset_8 + offset_11 * x_stride3 + offset_18] : 0.0f;
            float x_2 = both_1 && unsigned(offset_12) < bits_2 && less_0 ? x[offset_8 + offset_12 * x_stride3 + offset_18] : 0.0f;
            float x_3 = both_1 && unsigned(offset_13) < bits_2 && less_0 ? x[offset_8 + offset_13 * x_stride3 + offset_18] : 0.0f;
            float x_4 = both_1 && unsigned(offset_14) < bits_2 && less_0 ? x[offset_8 + offset_14 * x_stride3 + offset_18] : 0.0f;
            float x_5 = both_1 && unsigned(offset_15) < bits_2 && less_0 ? x[offset_8 + offset_15 * x_stride3 + offset_18] : 0.0f;
            float x_6 = both_1 && unsigned(offset_16) < bits_2 && less_0 ? x[offset_8 + offset_16 * x_stride3 + offset_18] : 0.0f;
            float x_7 = both_1 && unsigned(offset_17) < bits_2 && less_0 ? x[offset_8 + offset_17 * x_stride3 + offset_18] : 0.0f;
            // kernels/conv_kernel.go
            float weight_0 = both_0 && unsigned(i_0) < bits_5 && less ? weight[offset_9 + i_0] : 0.0f;
            // kernels/conv_kernel.go
            carried = fmaf(weight_0, x_0, carried);
            carried_0 = fmaf(weight_0, x_1, carried_0);
            carried_1 = fmaf(weight_0, x_2, carried_1);
            carried_2 = fmaf(weight_0, x_3, carried_2);
            carried_3 = fmaf(weight_0, x_4, carried_3);
            carried_4 = fmaf(weight_0, x_5, carried_4);
            carried_5 = fmaf(weight_0, x_6, carried_5);
            carried_6 = fmaf(weight_0, x_7, carried_6);
        }
    }
    // kernels/conv_kernel.go
    int offset_19 = out_start3 + lane;
    int offset_20 = out_offset + out_start0 * out_stride0 + out_start1 * out_stride1 + offset_19 * out_stride3;
    int offset_21 = out_start4 + lane_0;
    int index = offset_20 + offset_21;
    bool both_2 = bits < unsigned(out_size0) && bits_0 < unsigned(out_size1) && bits_4 < unsigned(out_size2);
    unsigned bits_8 = unsigned(out_size3);
    bool less_1 = unsigned(offset_21) < unsigned(out_size4);
    if (both_2 && unsigned(offset_19) < bits_8 && less_1) {
        out[index] = carried;
    }
    if (both_2 && unsigned(offset_19 + 2) < bits_8 && less_1) {
        out[index + out_stride3 * 2] = carried_0;
    }
    if (both_2 && unsigned(offset_19 + 4) < bits_8 && less_1) {
        out[index + out_stride3 * 4] = carried_1;
    }
    if (both_2 && unsigned(offset_19 + 6) < bits_8 && less_1) {
        out[index + out_stride3 * 6] = carried_2;
    }
    if (both_2 && unsigned(offset_19 + 8) < bits_8 && less_1) {
        out[index + out_stride3 * 8] = carried_3;
    }
    if (both_2 && unsigned(offset_19 + 10) < bits_8 && less_1) {
        out[index + out_stride3 * 10] = carried_4;
    }
    if (both_2 && unsigned(offset_19 + 12) < bits_8 && less_1) {
        out[index + out_stride3 * 12] = carried_5;
    }
    if (both_2 && unsigned(offset_19 + 14) < bits_8 && less_1) {
        out[index + out_stride3 * 14] = carried_6;
    }
}
