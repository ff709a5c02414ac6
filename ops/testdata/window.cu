extern "C" __global__ void __launch_bounds__(128) window(
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
    int offset0,
    int offset1,
    int offset2) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/window_kernel.go
    int quotient = (out_size1 + 1) / 2;
    int quotient_0 = (out_size2 + 63) / 64;
    int chosen = quotient_0 == 0 ? 1 : quotient_0;
    int remainder_0 = program % chosen;
    int quotient_1 = program / chosen;
    int chosen_0 = quotient == 0 ? 1 : quotient;
    int remainder_1 = quotient_1 % chosen_0;
    int out_start0 = quotient_1 / chosen_0;
    // kernels/window_kernel.go
    int offset = out_start0 + offset0;
    // kernels/window_kernel.go
    int lane = thread >> 6;
    int out_start1 = remainder_1 * 2;
    int offset_0 = lane + out_start1;
    // kernels/window_kernel.go
    int offset_1 = offset_0 * 2 + offset1;
    // kernels/window_kernel.go
    int lane_0 = thread & 63;
    int out_start2 = remainder_0 * 64;
    int offset_2 = lane_0 + out_start2;
    // kernels/window_kernel.go
    int offset_3 = offset_2 * 2 + offset2;
    // kernels/window_kernel.go
    bool both = offset_1 >= 0 && offset_1 < x_size1;
    bool both_0 = offset_3 >= 0 && offset_3 < x_size2;
    // kernels/window_kernel.go
    bool both_1 = both && both_0;
    // kernels/window_kernel.go
    int offset_4 = x_offset + offset * x_stride0;
    bool less = unsigned(offset) < unsigned(x_size0);
    int offset_5 = offset_4 + offset_1 * x_stride1;
    unsigned bits = unsigned(x_size1);
    bool less_0 = unsigned(offset_1) < bits;
    unsigned bits_0 = unsigned(x_size2);
    bool less_1 = unsigned(offset_3) < bits_0;
    float x_0 = both_1 && less && less_0 && less_1 ? x[offset_5 + offset_3] : __int_as_float(0xff800000);
    // kernels/reduce_states.go
    int both_2 = __float_as_int(x_0) & 2147483647;
    // kernels/window_kernel.go
    int offset_6 = offset_3 + 1;
    // kernels/window_kernel.go
    bool both_3 = offset_6 >= 0 && offset_6 < x_size2;
    // kernels/window_kernel.go
    bool both_4 = both && both_3;
    // kernels/window_kernel.go
    bool less_2 = unsigned(offset_6) < bits_0;
    float x_1 = both_4 && less && less_0 && less_2 ? x[offset_5 + offset_6] : __int_as_float(0xff800000);
    // kernels/reduce_states.go
    int both_5 = __float_as_int(x_1) & 2147483647;
    // kernels/window_kernel.go
    int offset_7 = offset_3 + 2;
    // kernels/window_kernel.go
    bool both_6 = offset_7 >= 0 && offset_7 < x_size2;
    // kernels/window_kernel.go
    bool both_7 = both && both_6;
    // kernels/window_kernel.go
    bool less_3 = unsigned(offset_7) < bits_0;
    float x_2 = both_7 && less && less_0 && less_3 ? x[offset_5 + offset_7] : __int_as_float(0xff800000);
    // kernels/reduce_states.go
    int both_8 = __float_as_int(x_2) & 2147483647;
    // kernels/window_kernel.go
    int offset_8 = offset_1 + 1;
    // kernels/window_kernel.go
    bool both_9 = offset_8 >= 0 && offset_8 < x_size1;
    // kernels/window_kernel.go
    bool both_10 = both_9 && both_0;
    // kernels/window_kernel.go
    int offset_9 = offset_4 + offset_8 * x_stride1;
    bool less_4 = unsigned(offset_8) < bits;
    float x_3 = both_10 && less && less_4 && less_1 ? x[offset_9 + offset_3] : __int_as_float(0xff800000);
    // kernels/reduce_states.go
    int both_11 = __float_as_int(x_3) & 2147483647;
    // kernels/reduce_states.go
    float greatest = fmaxf(fmaxf(fmaxf(fmaxf(__int_as_float(0xff800000), x_0), x_1), x_2), x_3);
    // kernels/window_kernel.go
    bool both_12 = both_9 && both_3;
    // kernels/window_kernel.go
    float x_4 = both_12 && less && less_4 && less_2 ? x[offset_9 + offset_6] : __int_as_float(0xff800000);
    // kernels/reduce_states.go
    int both_13 = __float_as_int(x_4) & 2147483647;
    // kernels/reduce_states.go
    int greatest_0 = max(max(max(max(max(both_2, 0), both_5), both_8), both_11), both_13);
    // kernels/window_kernel.go
    bool both_14 = both_9 && both_6;
    // kernels/window_kernel.go
    float x_5 = both_14 && less && less_4 && less_3 ? x[offset_9 + offset_7] : __int_as_float(0xff800000);
    // kernels/reduce_states.go
    int both_15 = __float_as_int(x_5) & 2147483647;
    // kernels/window_kernel.go
    int offset_10 = offset_1 + 2;
    // kernels/window_kernel.go
    bool both_16 = offset_10 >= 0 && offset_10 < x_size1;
    // kernels/window_kernel.go
    bool both_17 = both_16 && both_0;
    // kernels/window_kernel.go
    int offset_11 = offset_4 + offset_10 * x_stride1;
    bool less_5 = unsigned(offset_10) < bits;
    float x_6 = both_17 && less && less_5 && less_1 ? x[offset_11 + offset_3] : __int_as_float(0xff800000);
    // kernels/reduce_states.go
    int both_18 = __float_as_int(x_6) & 2147483647;
    // kernels/window_kernel.go
    bool both_19 = both_16 && both_3;
    // kernels/window_kernel.go
    float x_7 = both_19 && less && less_5 && less_2 ? x[offset_11 + offset_6] : __int_as_float(0xff800000);
    // kernels/reduce_states.go
    int both_20 = __float_as_int(x_7) & 2147483647;
    // kernels/window_kernel.go
    bool both_21 = both_16 && both_6;
    // kernels/window_kernel.go
    float x_8 = both_21 && less && less_5 && less_3 ? x[offset_11 + offset_7] : __int_as_float(0xff800000);
    // kernels/reduce_states.go
    int both_22 = __float_as_int(x_8) & 2147483647;
    // kernels/reduce_states.go
    float greatest_1 = fmaxf(fmaxf(fmaxf(fmaxf(fmaxf(greatest, x_4), x_5), x_6), x_7), x_8);
    // kernels/reduce_states.go
    int greatest_2 = max(max(max(max(greatest_0, both_15), both_18), both_20), both_22);
    // kernels/reduce_states.go
    int chosen_1 = greatest_2 > 2139095040 ? greatest_2 : __float_as_int(greatest_1);
    // kernels/reduce_states.go
    float bits_1 = __int_as_float(chosen_1);
    // kernels/window_kernel.go
    int offset_12 = out_offset + out_start0 * out_stride0 + (out_start1 + lane) * out_stride1;
    int offset_13 = out_start2 + lane_0;
    if (unsigned(offset_13) < unsigned(out_size2)) {
        out[offset_12 + offset_13] = bits_1;
    }
}
