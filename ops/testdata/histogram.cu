struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(4) boolx4 { bool x, y, z, w; };

__device__ inline i32x4 splat4(int a) {
    return {a, a, a, a};
}
__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline boolx4 operator>=(f32x4 a, f32x4 b) {
    return {a.x >= b.x, a.y >= b.y, a.z >= b.z, a.w >= b.w};
}
__device__ inline boolx4 operator<=(f32x4 a, f32x4 b) {
    return {a.x <= b.x, a.y <= b.y, a.z <= b.z, a.w <= b.w};
}
__device__ inline boolx4 operator&(boolx4 a, boolx4 b) {
    return {a.x && b.x, a.y && b.y, a.z && b.z, a.w && b.w};
}
__device__ inline f32x4 operator-(f32x4 a, f32x4 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
__device__ inline f32x4 operator*(f32x4 a, f32x4 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}
__device__ inline i32x4 to_i32(f32x4 a) {
    return {__float2int_rz(a.x), __float2int_rz(a.y), __float2int_rz(a.z), __float2int_rz(a.w)};
}
__device__ inline i32x4 max(i32x4 a, i32x4 b) {
    return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z), max(a.w, b.w)};
}
__device__ inline i32x4 min(i32x4 a, i32x4 b) {
    return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z), min(a.w, b.w)};
}
__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}
__device__ inline i32x4 operator+(i32x4 a, i32x4 b) {
    return {wrap_add(a.x, b.x), wrap_add(a.y, b.y), wrap_add(a.z, b.z), wrap_add(a.w, b.w)};
}
__device__ inline f32x4 to_f32(i32x4 a) {
    return {float(a.x), float(a.y), float(a.z), float(a.w)};
}
__device__ inline f32x4 fmaf(f32x4 a, f32x4 b, f32x4 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
}
__device__ inline boolx4 operator<(f32x4 a, f32x4 b) {
    return {a.x < b.x, a.y < b.y, a.z < b.z, a.w < b.w};
}
__device__ inline boolx4 operator>(i32x4 a, i32x4 b) {
    return {a.x > b.x, a.y > b.y, a.z > b.z, a.w > b.w};
}
__device__ inline boolx4 operator<(i32x4 a, i32x4 b) {
    return {a.x < b.x, a.y < b.y, a.z < b.z, a.w < b.w};
}
__device__ inline i32x4 to_i32(boolx4 a) {
    return {int(a.x), int(a.y), int(a.z), int(a.w)};
}
__device__ inline int wrap_sub(int a, int b) {
    return int(unsigned(a) - unsigned(b));
}
__device__ inline i32x4 operator-(i32x4 a, i32x4 b) {
    return {wrap_sub(a.x, b.x), wrap_sub(a.y, b.y), wrap_sub(a.z, b.z), wrap_sub(a.w, b.w)};
}
__device__ inline i32x4 select(boolx4 a, i32x4 b, i32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}

extern "C" __global__ void __launch_bounds__(256) histogram(
    const float* x,
    int* __restrict__ counts,
    int x_offset,
    int x_size0,
    int x_size1,
    int counts_offset,
    int counts_size0,
    int counts_size1,
    float least,
    float most,
    float rate,
    float step,
    float rest,
    float start,
    int grid_x) {
    __shared__ alignas(16) int sums[256]; // kernels/histogram_kernel.go: sums by bins
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/histogram_kernel.go
    int quotient = (x_size1 + 4095) / 4096;
    // kernels/histogram_kernel.go
    int offset = x_size0 * quotient;
    // kernels/histogram_kernel.go
    int chosen = quotient == 0 ? 1 : quotient;
    // kernels/histogram_kernel.go
    unsigned bits = unsigned(x_size0);
    int lane = thread << 2;
    unsigned bits_0 = unsigned(x_size1);
    // kernels/histogram_kernel.go
    // kernels/histogram_kernel.go
    int offset_0 = counts_size1 + -1;
    // kernels/histogram_kernel.go
    // kernels/histogram_kernel.go
    // kernels/histogram_kernel.go
    // kernels/histogram_kernel.go
    int carried = 0;
    for (int i = program; i < offset; i = unsigned(offset) - unsigned(i) > unsigned(grid_x) ? i + grid_x : offset) {
        // kernels/histogram_kernel.go
        int x_start0 = i / chosen;
        int difference = i - x_start0 * chosen;
        // kernels/histogram_kernel.go
        bool less = unsigned(x_start0) < bits;
        int x_start1 = (unsigned(difference) < 524288u ? difference : -1) * 4096;
        int offset_1 = x_start1 + lane;
        int index = x_offset + offset_1;
        f32x4 x_0 = less && unsigned(offset_1) < bits_0 ? *(const f32x4*)&x[index] : splat4(__int_as_float(0xff800000));
        f32x4 x_1 = less && unsigned(offset_1 + 1024) < bits_0 ? *(const f32x4*)&x[index + 1024] : splat4(__int_as_float(0xff800000));
        f32x4 x_2 = less && unsigned(offset_1 + 2048) < bits_0 ? *(const f32x4*)&x[index + 2048] : splat4(__int_as_float(0xff800000));
        f32x4 x_3 = less && unsigned(offset_1 + 3072) < bits_0 ? *(const f32x4*)&x[index + 3072] : splat4(__int_as_float(0xff800000));
        // kernels/histogram_kernel.go
        boolx4 both = (x_0 >= splat4(least)) & (x_0 <= splat4(most));
        boolx4 both_0 = (x_1 >= splat4(least)) & (x_1 <= splat4(most));
        boolx4 both_1 = (x_2 >= splat4(least)) & (x_2 <= splat4(most));
        boolx4 both_2 = (x_3 >= splat4(least)) & (x_3 <= splat4(most));
        // kernels/histogram_kernel.go
        i32x4 least_0 = min(max(to_i32((x_0 - splat4(least)) * splat4(rate)), splat4(0)), splat4(offset_0));
        i32x4 least_1 = min(max(to_i32((x_1 - splat4(least)) * splat4(rate)), splat4(0)), splat4(offset_0));
        i32x4 least_2 = min(max(to_i32((x_2 - splat4(least)) * splat4(rate)), splat4(0)), splat4(offset_0));
        i32x4 least_3 = min(max(to_i32((x_3 - splat4(least)) * splat4(rate)), splat4(0)), splat4(offset_0));
        // kernels/histogram_kernel.go
        f32x4 fused = fmaf(to_f32(least_0 + splat4(counts_size1)), splat4(rest), splat4(start));
        f32x4 fused_0 = fmaf(to_f32(least_1 + splat4(counts_size1)), splat4(rest), splat4(start));
        f32x4 fused_1 = fmaf(to_f32(least_2 + splat4(counts_size1)), splat4(rest), splat4(start));
        f32x4 fused_2 = fmaf(to_f32(least_3 + splat4(counts_size1)), splat4(rest), splat4(start));
        // kernels/histogram_kernel.go
        f32x4 fused_3 = fmaf(to_f32(least_0), splat4(step), fused);
        f32x4 fused_4 = fmaf(to_f32(least_1), splat4(step), fused_0);
        f32x4 fused_5 = fmaf(to_f32(least_2), splat4(step), fused_1);
        f32x4 fused_6 = fmaf(to_f32(least_3), splat4(step), fused_2);
        // kernels/histogram_kernel.go
        boolx4 both_3 = (x_0 < fused_3) & (least_0 > splat4(0));
        boolx4 both_4 = (x_1 < fused_4) & (least_1 > splat4(0));
        boolx4 both_5 = (x_2 < fused_5) & (least_2 > splat4(0));
        boolx4 both_6 = (x_3 < fused_6) & (least_3 > splat4(0));
        // kernels/histogram_kernel.go
        i32x4 offset_2 = least_0 + splat4(1);
        i32x4 offset_3 = least_1 + splat4(1);
        i32x4 offset_4 = least_2 + splat4(1);
        i32x4 offset_5 = least_3 + splat4(1);
        // kernels/histogram_kernel.go
        f32x4 fused_7 = fmaf(to_f32(offset_2 + splat4(counts_size1)), splat4(rest), splat4(start));
        f32x4 fused_8 = fmaf(to_f32(offset_3 + splat4(counts_size1)), splat4(rest), splat4(start));
        f32x4 fused_9 = fmaf(to_f32(offset_4 + splat4(counts_size1)), splat4(rest), splat4(start));
        f32x4 fused_10 = fmaf(to_f32(offset_5 + splat4(counts_size1)), splat4(rest), splat4(start));
        // kernels/histogram_kernel.go
        f32x4 fused_11 = fmaf(to_f32(offset_2), splat4(step), fused_7);
        f32x4 fused_12 = fmaf(to_f32(offset_3), splat4(step), fused_8);
        f32x4 fused_13 = fmaf(to_f32(offset_4), splat4(step), fused_9);
        f32x4 fused_14 = fmaf(to_f32(offset_5), splat4(step), fused_10);
        // kernels/histogram_kernel.go
        boolx4 both_7 = (x_0 >= fused_11) & (least_0 < splat4(offset_0));
        boolx4 both_8 = (x_1 >= fused_12) & (least_1 < splat4(offset_0));
        boolx4 both_9 = (x_2 >= fused_13) & (least_2 < splat4(offset_0));
        boolx4 both_10 = (x_3 >= fused_14) & (least_3 < splat4(offset_0));
        // kernels/histogram_kernel.go
        i32x4 offset_6 = least_0 - to_i32(both_3) + to_i32(both_7);
        i32x4 offset_7 = least_1 - to_i32(both_4) + to_i32(both_8);
        i32x4 offset_8 = least_2 - to_i32(both_5) + to_i32(both_9);
        i32x4 offset_9 = least_3 - to_i32(both_6) + to_i32(both_10);
        // kernels/histogram_kernel.go
        i32x4 chosen_0 = select(both, offset_6, splat4(-1));
        i32x4 chosen_1 = select(both_0, offset_7, splat4(-1));
        i32x4 chosen_2 = select(both_1, offset_8, splat4(-1));
        i32x4 chosen_3 = select(both_2, offset_9, splat4(-1));
        // kernels/histogram_kernel.go
        __syncthreads();
        sums[thread] = 0;
        __syncthreads();
        if (unsigned(chosen_0.x) < 256u) {
            atomicAdd(&sums[chosen_0.x], 1);
        }
        if (unsigned(chosen_0.y) < 256u) {
            atomicAdd(&sums[chosen_0.y], 1);
        }
        if (unsigned(chosen_0.z) < 256u) {
            atomicAdd(&sums[chosen_0.z], 1);
        }
        if (unsigned(chosen_0.w) < 256u) {
            atomicAdd(&sums[chosen_0.w], 1);
        }
        if (unsigned(chosen_1.x) < 256u) {
            atomicAdd(&sums[chosen_1.x], 1);
        }
        if (unsigned(chosen_1.y) < 256u) {
            atomicAdd(&sums[chosen_1.y], 1);
        }
        if (unsigned(chosen_1.z) < 256u) {
            atomicAdd(&sums[chosen_1.z], 1);
        }
        if (unsigned(chosen_1.w) < 256u) {
            atomicAdd(&sums[chosen_1.w], 1);
        }
        if (unsigned(chosen_2.x) < 256u) {
            atomicAdd(&sums[chosen_2.x], 1);
        }
        if (unsigned(chosen_2.y) < 256u) {
            atomicAdd(&sums[chosen_2.y], 1);
        }
        if (unsigned(chosen_2.z) < 256u) {
            atomicAdd(&sums[chosen_2.z], 1);
        }
        if (unsigned(chosen_2.w) < 256u) {
            atomicAdd(&sums[chosen_2.w], 1);
        }
        if (unsigned(chosen_3.x) < 256u) {
            atomicAdd(&sums[chosen_3.x], 1);
        }
        if (unsigned(chosen_3.y) < 256u) {
            atomicAdd(&sums[chosen_3.y], 1);
        }
        if (unsigned(chosen_3.z) < 256u) {
            atomicAdd(&sums[chosen_3.z], 1);
        }
        if (unsigned(chosen_3.w) < 256u) {
            atomicAdd(&sums[chosen_3.w], 1);
        }
        __syncthreads();
        int sums_0 = sums[thread];
        carried = wrap_add(carried, sums_0);
    }
    // kernels/histogram_kernel.go
    bool unequal = carried != 0;
    // kernels/histogram_kernel.go
    bool in_bounds = unequal && 0u < unsigned(counts_size0) && unsigned(thread) < unsigned(counts_size1);
    if (in_bounds) {
        atomicAdd(&counts[counts_offset + thread], carried);
    }
}
