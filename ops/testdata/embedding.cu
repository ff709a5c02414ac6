struct alignas(16) i32x4 { int x, y, z, w; };
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
__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}

extern "C" __global__ void __launch_bounds__(128) embedding(
    const unsigned* table,
    const int* ids,
    unsigned* __restrict__ out,
    int table_offset,
    int table_size0,
    int table_size1,
    int table_stride0,
    int ids_offset,
    int out_offset,
    int out_size1,
    int out_stride0) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/embedding_kernel.go
    int quotient = (out_size1 + 511) / 512;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int quotient_0 = program / chosen;
    // kernels/embedding_kernel.go
    int ids_start0 = quotient_0 * 4;
    i32x4 ids_0 = *(const i32x4*)&ids[ids_offset + ids_start0];
    // kernels/embedding_kernel.go
    int lane = thread << 2;
    int out_start1 = remainder_0 * 512;
    i32x4 offset = i32x4{lane, lane + 1, lane + 2, lane + 3} + splat4(out_start1);
    // kernels/embedding_kernel.go
    unsigned bits = unsigned(table_size0);
    int index = wrap_add(wrap_add(table_offset, wrap_mul(ids_0.x, table_stride0)), offset.x);
    bool less = unsigned(offset.x) < unsigned(table_size1);
    u32x4 table_0 = unsigned(ids_0.x) < bits && less ? *(const u32x4*)&table[index] : splat4(0u);
    int index_0 = wrap_add(wrap_add(table_offset, wrap_mul(ids_0.y, table_stride0)), offset.x);
    u32x4 table_1 = unsigned(ids_0.y) < bits && less ? *(const u32x4*)&table[index_0] : splat4(0u);
    int index_1 = wrap_add(wrap_add(table_offset, wrap_mul(ids_0.z, table_stride0)), offset.x);
    u32x4 table_2 = unsigned(ids_0.z) < bits && less ? *(const u32x4*)&table[index_1] : splat4(0u);
    int index_2 = wrap_add(wrap_add(table_offset, wrap_mul(ids_0.w, table_stride0)), offset.x);
    u32x4 table_3 = unsigned(ids_0.w) < bits && less ? *(const u32x4*)&table[index_2] : splat4(0u);
    int offset_0 = out_start1 + lane;
    int index_3 = out_offset + ids_start0 * out_stride0 + offset_0;
    bool in_bounds = unsigned(offset_0) < unsigned(out_size1);
    if (in_bounds) {
        *(u32x4*)&out[index_3] = table_0;
        *(u32x4*)&out[index_3 + out_stride0] = table_1;
        *(u32x4*)&out[index_3 + out_stride0 * 2] = table_2;
        *(u32x4*)&out[index_3 + out_stride0 * 3] = table_3;
    }
}
