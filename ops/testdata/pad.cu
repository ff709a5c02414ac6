extern "C" __global__ void __launch_bounds__(256) pad(
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
    float value,
    int start1,
    int start2) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/pad_kernel.go
    int quotient = (out_size1 + 7) / 8;
    int quotient_0 = (out_size2 + 127) / 128;
    int chosen = quotient_0 == 0 ? 1 : quotient_0;
    int remainder_0 = program % chosen;
    int quotient_1 = program / chosen;
    int chosen_0 = quotient == 0 ? 1 : quotient;
    int remainder_1 = quotient_1 % chosen_0;
    int out_start0 = quotient_1 / chosen_0;
    // kernels/pad_kernel.go
    int lane = thread >> 7;
    int out_start1 = remainder_1 * 8;
    int offset = lane + out_start1;
    int offset_0 = lane + 2 + out_start1;
    int offset_1 = lane + 4 + out_start1;
    int offset_2 = lane + 6 + out_start1;
    // kernels/pad_kernel.go
    int difference = offset - start1;
    int difference_0 = offset_0 - start1;
    int difference_1 = offset_1 - start1;
    int difference_2 = offset_2 - start1;
    // kernels/pad_kernel.go
    bool both = difference >= 0 && difference < x_size1;
    bool both_0 = difference_0 >= 0 && difference_0 < x_size1;
    bool both_1 = difference_1 >= 0 && difference_1 < x_size1;
    bool both_2 = difference_2 >= 0 && difference_2 < x_size1;
    // kernels/pad_kernel.go
    int lane_0 = thread & 127;
    int out_start2 = remainder_0 * 128;
    int offset_3 = lane_0 + out_start2;
    // kernels/pad_kernel.go
    int difference_3 = offset_3 - start2;
    // kernels/pad_kernel.go
    bool both_3 = difference_3 >= 0 && difference_3 < x_size2;
    // kernels/pad_kernel.go
    bool both_4 = both && both_3;
    bool both_5 = both_0 && both_3;
    bool both_6 = both_1 && both_3;
    bool both_7 = both_2 && both_3;
    // kernels/pad_kernel.go
    int offset_4 = x_offset + out_start0 * x_stride0;
    bool less = unsigned(out_start0) < unsigned(x_size0);
    unsigned bits = unsigned(x_size1);
    bool less_0 = unsigned(difference_3) < unsigned(x_size2);
    float x_0 = both_4 && less && unsigned(difference) < bits && less_0 ? x[offset_4 + difference * x_stride1 + difference_3] : 0.0f;
    float x_1 = both_5 && less && unsigned(difference_0) < bits && less_0 ? x[offset_4 + difference_0 * x_stride1 + difference_3] : 0.0f;
    float x_2 = both_6 && less && unsigned(difference_1) < bits && less_0 ? x[offset_4 + difference_1 * x_stride1 + difference_3] : 0.0f;
    float x_3 = both_7 && less && unsigned(difference_2) < bits && less_0 ? x[offset_4 + difference_2 * x_stride1 + difference_3] : 0.0f;
    int offset_5 = out_start1 + lane;
    int offset_6 = out_start2 + lane_0;
    int index = out_offset + out_start0 * out_stride0 + offset_5 * out_stride1 + offset_6;
    unsigned bits_0 = unsigned(out_size1);
    bool less_1 = unsigned(offset_6) < unsigned(out_size2);
    if (unsigned(offset_5) < bits_0 && less_1) {
        out[index] = both_4 ? x_0 : value;
    }
    if (unsigned(offset_5 + 2) < bits_0 && less_1) {
        out[index + out_stride1 * 2] = both_5 ? x_1 : value;
    }
    if (unsigned(offset_5 + 4) < bits_0 && less_1) {
        out[index + out_stride1 * 4] = both_6 ? x_2 : value;
    }
    if (unsigned(offset_5 + 6) < bits_0 && less_1) {
        out[index + out_stride1 * 6] = both_7 ? x_3 : value;
    }
}
