struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };

__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}
__device__ inline int wrap_mul(int a, int b) {
    return int(unsigned(a) * unsigned(b));
}
__device__ inline int wrap_sub(int a, int b) {
    return int(unsigned(a) - unsigned(b));
}
__device__ inline i32x4 splat4(int a) {
    return {a, a, a, a};
}
__device__ inline i32x4 operator+(i32x4 a, i32x4 b) {
    return {wrap_add(a.x, b.x), wrap_add(a.y, b.y), wrap_add(a.z, b.z), wrap_add(a.w, b.w)};
}

extern "C" __global__ void __launch_bounds__(128) cache_append(
    const unsigned* x,
    const int* positions,
    const int* table,
    unsigned* __restrict__ cache,
    int x_offset,
    int x_size1,
    int x_size2,
    int x_size3,
    int x_stride0,
    int x_stride1,
    int positions_offset,
    int table_offset,
    int table_size0,
    int table_size1,
    int table_stride0,
    int cache_offset,
    int cache_size0,
    int cache_size1,
    int cache_size2,
    int cache_size3,
    int cache_stride0,
    int cache_stride1,
    int cache_stride2) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/cache_kernel.go
    int quotient = (x_size1 + 7) / 8;
    int quotient_0 = (x_size3 + 63) / 64;
    int chosen = quotient_0 == 0 ? 1 : quotient_0;
    int remainder_0 = program % chosen;
    int quotient_1 = program / chosen;
    int chosen_0 = x_size2 == 0 ? 1 : x_size2;
    int x_start2 = quotient_1 % chosen_0;
    int quotient_2 = quotient_1 / chosen_0;
    int chosen_1 = quotient == 0 ? 1 : quotient;
    int remainder_1 = quotient_2 % chosen_1;
    int x_start0 = quotient_2 / chosen_1;
    // kernels/cache_kernel.go
    bool less = x_start2 < x_size2;
    // kernels/cache_kernel.go
    int positions_0 = positions[positions_offset + x_start0];
    int offset = wrap_add(x_start2, positions_0);
    // kernels/cache_kernel.go
    int chosen_2 = cache_size2 == 0 ? 1 : cache_size2;
    int quotient_3 = offset / chosen_2;
    bool in_bounds = less && unsigned(x_start0) < unsigned(table_size0) && unsigned(quotient_3) < unsigned(table_size1);
    int table_0 = in_bounds ? table[wrap_add(table_offset + x_start0 * table_stride0, quotient_3)] : -1;
    // kernels/cache_kernel.go
    int difference = wrap_sub(offset, wrap_mul(quotient_3, chosen_2));
    // kernels/cache_kernel.go
    int lane = thread >> 4;
    int x_start1 = remainder_1 * 8;
    int offset_0 = lane + x_start1;
    int lane_0 = (thread & 15) << 2;
    int x_start3 = remainder_0 * 64;
    i32x4 offset_1 = i32x4{lane_0, lane_0 + 1, lane_0 + 2, lane_0 + 3} + splat4(x_start3);
    int index = x_offset + x_start0 * x_stride0 + (x_start1 + lane) * x_stride1 + x_start3 + lane_0;
    u32x4 x_0 = *(const u32x4*)&x[index];
    int offset_2 = wrap_add(wrap_add(cache_offset, wrap_mul(table_0, cache_stride0)), offset_0 * cache_stride1);
    bool both = less && unsigned(table_0) < unsigned(cache_size0) && unsigned(offset_0) < unsigned(cache_size1);
    int index_0 = wrap_add(wrap_add(offset_2, wrap_mul(difference, cache_stride2)), offset_1.x);
    bool in_bounds_0 = both && unsigned(difference) < unsigned(cache_size2) && unsigned(offset_1.x) < unsigned(cache_size3);
    if (in_bounds_0) {
        *(u32x4*)&cache[index_0] = x_0;
    }
}
