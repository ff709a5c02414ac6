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
    int weight_stride0,
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
    // conv_kernel.go:163
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
    // image_block.go:46
    int lane = thread & 63;
    int offset = lane + 64 * remainder_0;
    int lane_0 = thread >> 6;
    int offset_0 = 16 * remainder_1;
    int offset_1 = lane_0 + offset_0;
    int offset_2 = lane_0 + 2 + offset_0;
    int offset_3 = lane_0 + 4 + offset_0;
    int offset_4 = lane_0 + 6 + offset_0;
    int offset_5 = lane_0 + 8 + offset_0;
    int offset_6 = lane_0 + 10 + offset_0;
    int offset_7 = lane_0 + 12 + offset_0;
    int offset_8 = lane_0 + 14 + offset_0;
    // conv_kernel.go:46
    int difference = out_start1 - top;
    int difference_0 = offset_1 - left;
    int difference_1 = offset_2 - left;
    int difference_2 = offset_3 - left;
    int difference_3 = offset_4 - left;
    int difference_4 = offset_5 - left;
    int difference_5 = offset_6 - left;
    int difference_6 = offset_7 - left;
    int difference_7 = offset_8 - left;
    // conv_kernel.go:171
    unsigned bits = unsigned(out_start0);
    int offset_9 = x_offset + out_start0 * x_stride0 + offset;
    unsigned bits_0 = unsigned(offset);
    bool both = bits < unsigned(x_size0) && bits_0 < unsigned(x_size1);
    unsigned bits_1 = unsigned(x_size2);
    unsigned bits_2 = unsigned(x_size3);
    unsigned bits_3 = unsigned(x_size4);
    // conv_kernel.go:172
    int offset_10 = weight_offset + offset * weight_stride0;
    unsigned bits_4 = unsigned(out_start4);
    bool both_0 = bits_0 < unsigned(weight_size0) && bits_4 < unsigned(weight_size1);
    unsigned bits_5 = unsigned(weight_size2);
    unsigned bits_6 = unsigned(weight_size3);
    // conv_kernel.go:168
    float carried = 0.0f;
    float carried_0 = 0.0f;
    float carried_1 = 0.0f;
    float carried_2 = 0.0f;
    float carried_3 = 0.0f;
    float carried_4 = 0.0f;
    float carried_5 = 0.0f;
    float carried_6 = 0.0f;
    for (int i = 0; i < weight_size3; ++i) {
        // conv_kernel.go:171
        unsigned bits_7 = unsigned(i);
        bool both_1 = both && bits_7 < bits_1;
        // conv_kernel.go:172
        bool less = bits_7 < bits_6;
        // conv_kernel.go:169
        for (int i_0 = 0; i_0 < 9; ++i_0) {
            // conv_kernel.go:54
            int quotient_4 = i_0 / 3;
            int difference_8 = i_0 - quotient_4 * 3;
            // conv_kernel.go:61
            int offset_11 = difference + quotient_4;
            int offset_12 = difference_0 + difference_8;
            int offset_13 = difference_1 + difference_8;
            int offset_14 = difference_2 + difference_8;
            int offset_15 = difference_3 + difference_8;
            int offset_16 = difference_4 + difference_8;
            int offset_17 = difference_5 + difference_8;
            int offset_18 = difference_6 + difference_8;
            int offset_19 = difference_7 + difference_8;
            // conv_kernel.go:171
            int offset_20 = offset_9 + offset_11 * x_stride3;
            bool both_2 = both_1 && unsigned(offset_11) < bits_2;
            float x_0 = both_2 && unsigned(offset_12) < bits_3 ? x[offset_20 + offset_12 * x_stride4] : 0.0f;
            float x_1 = both_2 && unsigned(offset_13) < bits_3 ? x[offset_20 + offset_13 * x_stride4] : 0.0f;
            float x_2 = both_2 && unsigned(offset_14) < bits_3 ? x[offset_20 + offset_14 * x_stride4] : 0.0f;
            float x_3 = both_2 && unsigned(offset_15) < bits_3 ? x[offset_20 + offset_15 * x_stride4] : 0.0f;
            float x_4 = both_2 && unsigned(offset_16) < bits_3 ? x[offset_20 + offset_16 * x_stride4] : 0.0f;
            float x_5 = both_2 && unsigned(offset_17) < bits_3 ? x[offset_20 + offset_17 * x_stride4] : 0.0f;
            float x_6 = both_2 && unsigned(offset_18) < bits_3 ? x[offset_20 + offset_18 * x_stride4] : 0.0f;
            float x_7 = both_2 && unsigned(offset_19) < bits_3 ? x[offset_20 + offset_19 * x_stride4] : 0.0f;
            // conv_kernel.go:172
            float weight_0 = both_0 && unsigned(i_0) < bits_5 && less ? weight[offset_10 + i_0] : 0.0f;
            // conv_kernel.go:173
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
    // conv_kernel.go:176
    int out_start2 = remainder_1 * 16;
    int offset_21 = out_start2 + lane_0;
    int offset_22 = out_offset + out_start0 * out_stride0 + out_start1 * out_stride1 + offset_21 * out_stride2;
    int out_start3 = remainder_0 * 64;
    int index = offset_22 + out_start3 + lane;
    bool less_0 = unsigned(out_start3) < unsigned(out_size3);
    bool less_1 = bits_4 < unsigned(out_size4);
    bool both_3 = bits < unsigned(out_size0) && unsigned(out_start1) < unsigned(out_size1);
    unsigned bits_8 = unsigned(out_size2);
    if (both_3 && unsigned(offset_21) < bits_8 && less_0 && less_1) {
        out[index] = carried;
    }
    if (both_3 && unsigned(offset_21 + 2) < bits_8 && less_0 && less_1) {
        out[index + out_stride2 * 2] = carried_0;
    }
    if (both_3 && unsigned(offset_21 + 4) < bits_8 && less_0 && less_1) {
        out[index + out_stride2 * 4] = carried_1;
    }
    if (both_3 && unsigned(offset_21 + 6) < bits_8 && less_0 && less_1) {
        out[index + out_stride2 * 6] = carried_2;
    }
    if (both_3 && unsigned(offset_21 + 8) < bits_8 && less_0 && less_1) {
        out[index + out_stride2 * 8] = carried_3;
    }
    if (both_3 && unsigned(offset_21 + 10) < bits_8 && less_0 && less_1) {
        out[index + out_stride2 * 10] = carried_4;
    }
    if (both_3 && unsigned(offset_21 + 12) < bits_8 && less_0 && less_1) {
        out[index + out_stride2 * 12] = carried_5;
    }
    if (both_3 && unsigned(offset_21 + 14) < bits_8 && less_0 && less_1) {
        out[index + out_stride2 * 14] = carried_6;
    }
}
