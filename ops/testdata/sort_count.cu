__device__ inline int wrap_sub(int a, int b) {
    return int(unsigned(a) - unsigned(b));
}
__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}

extern "C" __global__ void __launch_bounds__(256) sort_count(
    const float* x,
    int* __restrict__ counts,
    int x_offset,
    int x_size1,
    int counts_offset,
    int counts_size0,
    int counts_size1,
    int counts_size2,
    int counts_stride1,
    int shift) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/sort_kernel.go
    int quotient = (x_size1 + 2047) / 2048;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int x_start0 = program / chosen;
    // kernels/sort_kernel.go
    int x_start1 = remainder_0 * 2048;
    int offset = x_start1 + thread;
    int index = x_offset + offset;
    unsigned bits = unsigned(x_size1);
    float x_0 = unsigned(offset) < bits ? x[index] : 0.0f;
    float x_1 = unsigned(offset + 256) < bits ? x[index + 256] : 0.0f;
    float x_2 = unsigned(offset + 512) < bits ? x[index + 512] : 0.0f;
    float x_3 = unsigned(offset + 768) < bits ? x[index + 768] : 0.0f;
    float x_4 = unsigned(offset + 1024) < bits ? x[index + 1024] : 0.0f;
    float x_5 = unsigned(offset + 1280) < bits ? x[index + 1280] : 0.0f;
    float x_6 = unsigned(offset + 1536) < bits ? x[index + 1536] : 0.0f;
    float x_7 = unsigned(offset + 1792) < bits ? x[index + 1792] : 0.0f;
    // kernels/sort_rank.go
    int bits_0 = __float_as_int(x_0);
    int bits_1 = __float_as_int(x_1);
    int bits_2 = __float_as_int(x_2);
    int bits_3 = __float_as_int(x_3);
    int bits_4 = __float_as_int(x_4);
    int bits_5 = __float_as_int(x_5);
    int bits_6 = __float_as_int(x_6);
    int bits_7 = __float_as_int(x_7);
    // kernels/sort_rank.go
    int both = bits_0 & 2147483647;
    int both_0 = bits_1 & 2147483647;
    int both_1 = bits_2 & 2147483647;
    int both_2 = bits_3 & 2147483647;
    int both_3 = bits_4 & 2147483647;
    int both_4 = bits_5 & 2147483647;
    int both_5 = bits_6 & 2147483647;
    int both_6 = bits_7 & 2147483647;
    int shifted = bits_0 >> 31;
    int shifted_0 = bits_1 >> 31;
    int shifted_1 = bits_2 >> 31;
    int shifted_2 = bits_3 >> 31;
    int shifted_3 = bits_4 >> 31;
    int shifted_4 = bits_5 >> 31;
    int shifted_5 = bits_6 >> 31;
    int shifted_6 = bits_7 >> 31;
    // kernels/sort_rank.go
    int chosen_0 = both > 2139095040 ? 2147483647 : wrap_sub(both ^ shifted, shifted);
    int chosen_1 = both_0 > 2139095040 ? 2147483647 : wrap_sub(both_0 ^ shifted_0, shifted_0);
    int chosen_2 = both_1 > 2139095040 ? 2147483647 : wrap_sub(both_1 ^ shifted_1, shifted_1);
    int chosen_3 = both_2 > 2139095040 ? 2147483647 : wrap_sub(both_2 ^ shifted_2, shifted_2);
    int chosen_4 = both_3 > 2139095040 ? 2147483647 : wrap_sub(both_3 ^ shifted_3, shifted_3);
    int chosen_5 = both_4 > 2139095040 ? 2147483647 : wrap_sub(both_4 ^ shifted_4, shifted_4);
    int chosen_6 = both_5 > 2139095040 ? 2147483647 : wrap_sub(both_5 ^ shifted_5, shifted_5);
    int chosen_7 = both_6 > 2139095040 ? 2147483647 : wrap_sub(both_6 ^ shifted_6, shifted_6);
    // kernels/sort_rank.go
    unsigned bits_8 = unsigned(chosen_0);
    unsigned bits_9 = unsigned(chosen_1);
    unsigned bits_10 = unsigned(chosen_2);
    unsigned bits_11 = unsigned(chosen_3);
    unsigned bits_12 = unsigned(chosen_4);
    unsigned bits_13 = unsigned(chosen_5);
    unsigned bits_14 = unsigned(chosen_6);
    unsigned bits_15 = unsigned(chosen_7);
    // kernels/sort_rank.go
    unsigned changed = bits_8 ^ 2147483648u;
    unsigned changed_0 = bits_9 ^ 2147483648u;
    unsigned changed_1 = bits_10 ^ 2147483648u;
    unsigned changed_2 = bits_11 ^ 2147483648u;
    unsigned changed_3 = bits_12 ^ 2147483648u;
    unsigned changed_4 = bits_13 ^ 2147483648u;
    unsigned changed_5 = bits_14 ^ 2147483648u;
    unsigned changed_6 = bits_15 ^ 2147483648u;
    // kernels/sort_rank.go
    unsigned both_7 = unsigned(shift) & 31u;
    unsigned both_8 = (changed >> both_7) & 255u;
    unsigned both_9 = (changed_0 >> both_7) & 255u;
    unsigned both_10 = (changed_1 >> both_7) & 255u;
    unsigned both_11 = (changed_2 >> both_7) & 255u;
    unsigned both_12 = (changed_3 >> both_7) & 255u;
    unsigned both_13 = (changed_4 >> both_7) & 255u;
    unsigned both_14 = (changed_5 >> both_7) & 255u;
    unsigned both_15 = (changed_6 >> both_7) & 255u;
    // kernels/sort_kernel.go
    int converted = int(both_8);
    int converted_0 = int(both_9);
    int converted_1 = int(both_10);
    int converted_2 = int(both_11);
    int converted_3 = int(both_12);
    int converted_4 = int(both_13);
    int converted_5 = int(both_14);
    int converted_6 = int(both_15);
    // kernels/sort_kernel.go
    bool less = thread + x_start1 < x_size1;
    bool less_0 = thread + 256 + x_start1 < x_size1;
    bool less_1 = thread + 512 + x_start1 < x_size1;
    bool less_2 = thread + 768 + x_start1 < x_size1;
    bool less_3 = thread + 1024 + x_start1 < x_size1;
    bool less_4 = thread + 1280 + x_start1 < x_size1;
    bool less_5 = thread + 1536 + x_start1 < x_size1;
    bool less_6 = thread + 1792 + x_start1 < x_size1;
    // kernels/sort_kernel.go
    bool less_7 = unsigned(x_start0) < unsigned(counts_size0);
    int offset_0 = counts_offset + remainder_0 * counts_stride1;
    bool less_8 = unsigned(remainder_0) < unsigned(counts_size1);
    unsigned bits_16 = unsigned(counts_size2);
    if (less && less_7 && less_8 && unsigned(converted) < bits_16) {
        atomicAdd(&counts[wrap_add(offset_0, converted)], 1);
    }
    if (less_0 && less_7 && less_8 && unsigned(converted_0) < bits_16) {
        atomicAdd(&counts[wrap_add(offset_0, converted_0)], 1);
    }
    if (less_1 && less_7 && less_8 && unsigned(converted_1) < bits_16) {
        atomicAdd(&counts[wrap_add(offset_0, converted_1)], 1);
    }
    if (less_2 && less_7 && less_8 && unsigned(converted_2) < bits_16) {
        atomicAdd(&counts[wrap_add(offset_0, converted_2)], 1);
    }
    if (less_3 && less_7 && less_8 && unsigned(converted_3) < bits_16) {
        atomicAdd(&counts[wrap_add(offset_0, converted_3)], 1);
    }
    if (less_4 && less_7 && less_8 && unsigned(converted_4) < bits_16) {
        atomicAdd(&counts[wrap_add(offset_0, converted_4)], 1);
    }
    if (less_5 && less_7 && less_8 && unsigned(converted_5) < bits_16) {
        atomicAdd(&counts[wrap_add(offset_0, converted_5)], 1);
    }
    if (less_6 && less_7 && less_8 && unsigned(converted_6) < bits_16) {
        atomicAdd(&counts[wrap_add(offset_0, converted_6)], 1);
    }
}
