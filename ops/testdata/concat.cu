struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(4) boolx4 { bool x, y, z, w; };

__device__ inline i32x4 splat4(int a) {
    return {a, a, a, a};
}
__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}
__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}
__device__ inline i32x4 operator+(i32x4 a, i32x4 b) {
    return {wrap_add(a.x, b.x), wrap_add(a.y, b.y), wrap_add(a.z, b.z), wrap_add(a.w, b.w)};
}
__device__ inline boolx4 operator>=(i32x4 a, i32x4 b) {
    return {a.x >= b.x, a.y >= b.y, a.z >= b.z, a.w >= b.w};
}
__device__ inline boolx4 operator<(i32x4 a, i32x4 b) {
    return {a.x < b.x, a.y < b.y, a.z < b.z, a.w < b.w};
}
__device__ inline boolx4 operator&(boolx4 a, boolx4 b) {
    return {a.x && b.x, a.y && b.y, a.z && b.z, a.w && b.w};
}
__device__ inline u32x4 select(boolx4 a, u32x4 b, u32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}

extern "C" __global__ void __launch_bounds__(256) concat(
    const unsigned* x0,
    const unsigned* x1,
    const unsigned* x2,
    unsigned* __restrict__ out,
    int x0_offset,
    int x0_size1,
    int x0_stride0,
    int x1_offset,
    int x1_size0,
    int x1_size1,
    int x1_stride0,
    int x2_offset,
    int x2_size0,
    int x2_size1,
    int x2_stride0,
    int out_offset,
    int out_size1,
    int out_stride0) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/concat_kernel.go
    int quotient = (out_size1 + 1023) / 1024;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int x0_start0 = program / chosen;
    // kernels/concat_kernel.go
    int out_start1 = remainder_0 * 1024;
    // kernels/concat_kernel.go
    u32x4 chosen_0 = splat4(0u);
    if (out_start1 < x0_size1 && out_start1 + 1024 > 0) {
        // kernels/concat_kernel.go
        int x0_start1 = (out_start1 >> 10) * 1024;
        int lane = thread << 2;
        int offset = x0_start1 + lane;
        u32x4 x0_0 = unsigned(offset) < unsigned(x0_size1) ? *(const u32x4*)&x0[x0_offset + x0_start0 * x0_stride0 + offset] : splat4(0u);
        // kernels/concat_kernel.go
        i32x4 offset_0 = i32x4{lane, lane + 1, lane + 2, lane + 3} + splat4(out_start1);
        // kernels/concat_kernel.go
        u32x4 chosen_1 = select((offset_0 >= splat4(0)) & (offset_0 < splat4(x0_size1)), x0_0, splat4(0u));
        chosen_0 = chosen_1;
    }
    // kernels/concat_kernel.go
    int difference = out_start1 - x0_size1;
    // kernels/concat_kernel.go
    u32x4 chosen_2 = chosen_0;
    if (difference < x1_size1 && difference + 1024 > 0) {
        // kernels/concat_kernel.go
        int lane_0 = thread << 2;
        i32x4 offset_1 = i32x4{lane_0, lane_0 + 1, lane_0 + 2, lane_0 + 3} + splat4(difference);
        bool in_bounds = unsigned(x0_start0) < unsigned(x1_size0) && unsigned(offset_1.x) < unsigned(x1_size1);
        u32x4 x1_0 = in_bounds ? *(const u32x4*)&x1[x1_offset + x0_start0 * x1_stride0 + offset_1.x] : splat4(0u);
        // kernels/concat_kernel.go
        u32x4 chosen_3 = select((offset_1 >= splat4(0)) & (offset_1 < splat4(x1_size1)), x1_0, chosen_0);
        chosen_2 = chosen_3;
    }
    // kernels/concat_kernel.go
    int difference_0 = difference - x1_size1;
    // kernels/concat_kernel.go
    u32x4 chosen_4 = chosen_2;
    if (difference_0 < x2_size1 && difference_0 + 1024 > 0) {
        // kernels/concat_kernel.go
        int lane_1 = thread << 2;
        i32x4 offset_2 = i32x4{lane_1, lane_1 + 1, lane_1 + 2, lane_1 + 3} + splat4(difference_0);
        bool in_bounds_0 = unsigned(x0_start0) < unsigned(x2_size0) && unsigned(offset_2.x) < unsigned(x2_size1);
        u32x4 x2_0 = in_bounds_0 ? *(const u32x4*)&x2[x2_offset + x0_start0 * x2_stride0 + offset_2.x] : splat4(0u);
        // kernels/concat_kernel.go
        u32x4 chosen_5 = select((offset_2 >= splat4(0)) & (offset_2 < splat4(x2_size1)), x2_0, chosen_2);
        chosen_4 = chosen_5;
    }
    // kernels/concat_kernel.go
    int lane_2 = thread << 2;
    int offset_3 = out_start1 + lane_2;
    if (unsigned(offset_3) < unsigned(out_size1)) {
        *(u32x4*)&out[out_offset + x0_start0 * out_stride0 + offset_3] = chosen_4;
    }
}
