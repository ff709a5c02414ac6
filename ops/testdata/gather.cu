struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(4) boolx4 { bool x, y, z, w; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };

__device__ inline i32x4 splat4(int a) {
    return {a, a, a, a};
}
__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}
__device__ inline i32x4 operator+(i32x4 a, i32x4 b) {
    return {wrap_add(a.x, b.x), wrap_add(a.y, b.y), wrap_add(a.z, b.z), wrap_add(a.w, b.w)};
}
__device__ inline int wrap_mul(int a, int b) {
    return int(unsigned(a) * unsigned(b));
}
__device__ inline boolx4 operator<(i32x4 a, i32x4 b) {
    return {a.x < b.x, a.y < b.y, a.z < b.z, a.w < b.w};
}
__device__ inline boolx4 splat4(bool a) {
    return {a, a, a, a};
}
__device__ inline boolx4 operator&(boolx4 a, boolx4 b) {
    return {a.x && b.x, a.y && b.y, a.z && b.z, a.w && b.w};
}
__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}

extern "C" __global__ void __launch_bounds__(128) gather(
    const unsigned* x,
    const int* indices,
    unsigned* __restrict__ out,
    int x_offset,
    int x_size0,
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
    int index_i0,
    int index_x1,
    int index_most1,
    int index_i1) {
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
    int lane = thread << 2;
    i32x4 offset = i32x4{lane, lane + 1, lane + 2, lane + 3} + splat4(difference * 512);
    // kernels/indexed_kernel.go
    bool less = quotient_0 < rows0;
    // kernels/indexed_kernel.go
    int offset_0 = quotient_0 * rows_x0;
    int offset_1 = quotient_0 * rows_y0;
    int offset_2 = quotient_0 * rows_i0;
    // kernels/indexed_kernel.go
    int offset_3 = offset_2 + index_i0 + i_first;
    // kernels/indexed_kernel.go
    unsigned bits = unsigned(indices_size0);
    int indices_0 = less && unsigned(offset_3) < bits ? indices[indices_offset + offset_3] : 0;
    // kernels/indexed_kernel.go
    int least = min(max(indices_0, 0), index_most0);
    // kernels/indexed_kernel.go
    int offset_4 = offset_2 + index_i1 + i_first;
    // kernels/indexed_kernel.go
    int indices_1 = less && unsigned(offset_4) < bits ? indices[indices_offset + offset_4] : 0;
    // kernels/indexed_kernel.go
    int least_0 = min(max(indices_1, 0), index_most1);
    // kernels/indexed_kernel.go
    int offset_5 = wrap_add(wrap_add(offset_0, wrap_mul(least, index_x0)), wrap_mul(least_0, index_x1));
    // kernels/indexed_kernel.go
    boolx4 less_0 = offset < splat4(window0);
    // kernels/indexed_kernel.go
    boolx4 both = splat4(less) & less_0;
    // kernels/indexed_kernel.go
    i32x4 offset_6 = splat4(offset_5) + offset + splat4(x_first);
    i32x4 offset_7 = splat4(offset_1) + offset + splat4(y_first);
    // kernels/indexed_kernel.go
    u32x4 x_0 = both.x && unsigned(offset_6.x) < unsigned(x_size0) ? *(const u32x4*)&x[wrap_add(x_offset, offset_6.x)] : splat4(0u);
    if (both.x && unsigned(offset_7.x) < unsigned(out_size0)) {
        *(u32x4*)&out[out_offset + offset_7.x] = x_0;
    }
}
