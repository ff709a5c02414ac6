__device__ inline int wrap_mul(int a, int b) {
    return int(unsigned(a) * unsigned(b));
}
__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}

extern "C" __global__ void __launch_bounds__(128) scatter(
    const float* updates,
    const int* indices,
    unsigned* __restrict__ out,
    int updates_offset,
    int updates_size0,
    int indices_offset,
    int indices_size0,
    int out_offset,
    int out_size0,
    int x_first,
    int y_first,
    int i_first,
    int rows0,
    int rows_x0,
    int rows_y0,
    int rows_i0,
    int window0,
    int index_x0,
    int index_most0,
    int index_i0) {
    __shared__ alignas(16) int parts[4]; // kernels/indexed_kernel.go: partial results of reduce.max
    __shared__ alignas(16) int scalar[1]; // kernels/indexed_kernel.go: the first thread's element
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/indexed_kernel.go
    int quotient = (window0 + 511) / 512;
    // kernels/indexed_kernel.go
    int chosen = quotient == 0 ? 1 : quotient;
    int quotient_0 = program / chosen;
    // kernels/indexed_kernel.go
    int difference = program - quotient_0 * chosen;
    // kernels/indexed_kernel.go
    int offset = difference * 512;
    int offset_0 = thread + offset;
    int offset_1 = thread + 128 + offset;
    int offset_2 = thread + 256 + offset;
    int offset_3 = thread + 384 + offset;
    // kernels/indexed_kernel.go
    bool less = quotient_0 < rows0;
    // kernels/indexed_kernel.go
    int offset_4 = quotient_0 * rows_x0;
    int offset_5 = quotient_0 * rows_y0;
    int offset_6 = quotient_0 * rows_i0;
    // kernels/indexed_kernel.go
    int offset_7 = offset_6 + index_i0 + i_first;
    // kernels/indexed_kernel.go
    int indices_0 = less && unsigned(offset_7) < unsigned(indices_size0) ? indices[indices_offset + offset_7] : 0;
    // kernels/indexed_kernel.go
    bool both = indices_0 >= 0 && indices_0 <= index_most0;
    // kernels/indexed_kernel.go
    bool both_0 = less && both;
    int chosen_0 = both ? indices_0 : 0;
    // kernels/indexed_kernel.go
    int offset_8 = wrap_add(offset_4, wrap_mul(chosen_0, index_x0));
    // kernels/indexed_kernel.go
    bool less_0 = offset_0 < window0;
    bool less_1 = offset_1 < window0;
    bool less_2 = offset_2 < window0;
    bool less_3 = offset_3 < window0;
    // kernels/indexed_kernel.go
    bool both_1 = both_0 && less_0;
    bool both_2 = both_0 && less_1;
    bool both_3 = both_0 && less_2;
    bool both_4 = both_0 && less_3;
    // kernels/indexed_kernel.go
    int offset_9 = wrap_add(wrap_add(offset_8, offset_0), x_first);
    int offset_10 = wrap_add(wrap_add(offset_8, offset_1), x_first);
    int offset_11 = wrap_add(wrap_add(offset_8, offset_2), x_first);
    int offset_12 = wrap_add(wrap_add(offset_8, offset_3), x_first);
    int offset_13 = offset_5 + offset_0 + y_first;
    int offset_14 = offset_5 + offset_1 + y_first;
    int offset_15 = offset_5 + offset_2 + y_first;
    int offset_16 = offset_5 + offset_3 + y_first;
    // kernels/indexed_kernel.go
    int index = updates_offset + offset_13;
    unsigned bits = unsigned(updates_size0);
    float updates_0 = both_1 && unsigned(offset_13) < bits ? updates[index] : 0.0f;
    float updates_1 = both_2 && unsigned(offset_14) < bits ? updates[index + 128] : 0.0f;
    float updates_2 = both_3 && unsigned(offset_15) < bits ? updates[index + 256] : 0.0f;
    float updates_3 = both_4 && unsigned(offset_16) < bits ? updates[index + 384] : 0.0f;
    // kernels/indexed_kernel.go
    int converted = int(both_1);
    int converted_0 = int(both_2);
    int converted_1 = int(both_3);
    int converted_2 = int(both_4);
    int index_0 = wrap_add(out_offset, offset_9);
    unsigned bits_0 = unsigned(out_size0);
    bool less_4 = unsigned(offset_9) < bits_0;
    unsigned out_0 = both_1 && less_4 ? out[index_0] : 0u;
    int index_1 = wrap_add(out_offset, offset_10);
    bool less_5 = unsigned(offset_10) < bits_0;
    unsigned out_1 = both_2 && less_5 ? out[index_1] : 0u;
    int index_2 = wrap_add(out_offset, offset_11);
    bool less_6 = unsigned(offset_11) < bits_0;
    unsigned out_2 = both_3 && less_6 ? out[index_2] : 0u;
    int index_3 = wrap_add(out_offset, offset_12);
    bool less_7 = unsigned(offset_12) < bits_0;
    unsigned out_3 = both_4 && less_7 ? out[index_3] : 0u;
    // kernels/indexed_kernel.go
    bool in_bounds = (thread & 31) == 0;
    int index_4 = thread >> 5;
    bool in_bounds_0 = thread == 0;
    // kernels/indexed_kernel.go
    bool greater = (__float_as_uint(updates_0) & 2147483647u) > 2139095040u;
    bool greater_0 = (__float_as_uint(updates_1) & 2147483647u) > 2139095040u;
    bool greater_1 = (__float_as_uint(updates_2) & 2147483647u) > 2139095040u;
    bool greater_2 = (__float_as_uint(updates_3) & 2147483647u) > 2139095040u;
    // kernels/indexed_kernel.go
    int carried = converted;
    int carried_0 = converted_0;
    int carried_1 = converted_1;
    int carried_2 = converted_2;
    unsigned carried_3 = out_0;
    unsigned carried_4 = out_1;
    unsigned carried_5 = out_2;
    unsigned carried_6 = out_3;
    while (true) {
        // kernels/indexed_kernel.go
        int greatest = max(max(max(carried, carried_0), carried_1), carried_2);
        int other = __shfl_xor_sync(0xffffffffu, greatest, 1);
        int greatest_0 = max(greatest, other);
        int other_0 = __shfl_xor_sync(0xffffffffu, greatest_0, 2);
        int greatest_1 = max(greatest_0, other_0);
        int other_1 = __shfl_xor_sync(0xffffffffu, greatest_1, 4);
        int greatest_2 = max(greatest_1, other_1);
        int other_2 = __shfl_xor_sync(0xffffffffu, greatest_2, 8);
        int greatest_3 = max(greatest_2, other_2);
        int other_3 = __shfl_xor_sync(0xffffffffu, greatest_3, 16);
        if (in_bounds) {
            parts[index_4] = max(greatest_3, other_3);
        }
        __syncthreads();
        int parts_0 = parts[0];
        int parts_1 = parts[1];
        int parts_2 = parts[2];
        int parts_3 = parts[3];
        if (in_bounds_0) {
            scalar[0] = max(max(max(parts_0, parts_1), parts_2), parts_3);
        }
        __syncthreads();
        int scalar_0 = scalar[0];
        bool greater_3 = scalar_0 > 0;
        // kernels/indexed_kernel.go
        if (!greater_3) {
            break;
        }
        // kernels/indexed_kernel.go
        bool greater_4 = carried > 0;
        bool greater_5 = carried_0 > 0;
        bool greater_6 = carried_1 > 0;
        bool greater_7 = carried_2 > 0;
        // kernels/indexed_kernel.go
        float bits_1 = __uint_as_float(carried_3);
        float bits_2 = __uint_as_float(carried_4);
        float bits_3 = __uint_as_float(carried_5);
        float bits_4 = __uint_as_float(carried_6);
        // kernels/indexed_kernel.go
        float chosen_1 = (__float_as_uint(bits_1) & 2147483647u) > 2139095040u ? bits_1 : (greater ? updates_0 : fmaxf(bits_1, updates_0));
        float chosen_2 = (__float_as_uint(bits_2) & 2147483647u) > 2139095040u ? bits_2 : (greater_0 ? updates_1 : fmaxf(bits_2, updates_1));
        float chosen_3 = (__float_as_uint(bits_3) & 2147483647u) > 2139095040u ? bits_3 : (greater_1 ? updates_2 : fmaxf(bits_3, updates_2));
        float chosen_4 = (__float_as_uint(bits_4) & 2147483647u) > 2139095040u ? bits_4 : (greater_2 ? updates_3 : fmaxf(bits_4, updates_3));
        // kernels/indexed_kernel.go
        unsigned old = 0u;
        if (greater_4 && less_4) {
            old = atomicCAS(&out[index_0], carried_3, __float_as_uint(chosen_1));
        }
        unsigned old_0 = 0u;
        if (greater_5 && less_5) {
            old_0 = atomicCAS(&out[index_1], carried_4, __float_as_uint(chosen_2));
        }
        unsigned old_1 = 0u;
        if (greater_6 && less_6) {
            old_1 = atomicCAS(&out[index_2], carried_5, __float_as_uint(chosen_3));
        }
        unsigned old_2 = 0u;
        if (greater_7 && less_7) {
            old_2 = atomicCAS(&out[index_3], carried_6, __float_as_uint(chosen_4));
        }
        carried = int(greater_4 && old != carried_3);
        carried_0 = int(greater_5 && old_0 != carried_4);
        carried_1 = int(greater_6 && old_1 != carried_5);
        carried_2 = int(greater_7 && old_2 != carried_6);
        carried_3 = old;
        carried_4 = old_0;
        carried_5 = old_1;
        carried_6 = old_2;
    }
}
