struct f16 { unsigned short bits; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(8) u32x2 { unsigned x, y; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline float to_f32(f16 a) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(a.bits));
    return x;
}
__device__ inline f32x4 unpack_f16(u32x2 a) {
    return {to_f32(f16{(unsigned short)a.x}), to_f32(f16{(unsigned short)(a.x >> 16)}), to_f32(f16{(unsigned short)a.y}), to_f32(f16{(unsigned short)(a.y >> 16)})};
}
__device__ inline f32x4 fmaf(f32x4 a, f32x4 b, f32x4 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
}
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}

extern "C" __global__ void __launch_bounds__(256) matmul(
    const f16* a,
    const f16* b,
    f16* __restrict__ out,
    int a_offset,
    int a_size1,
    int b_offset,
    int b_stride0,
    int out_offset,
    int out_size1) {
    __shared__ alignas(16) float exchange[4096]; // kernels/matmul_kernel.go: elements change threads
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/matmul_kernel.go
    int quotient = (out_size1 + 63) / 64;
    int remainder_0 = program % (quotient == 0 ? 1 : quotient);
    // kernels/matrix_block.go
    int lane = thread >> 3;
    int b_start1 = remainder_0 * 64;
    int both = thread & 7;
    int lane_0 = both << 3;
    int offset = b_start1 + lane_0;
    int offset_0 = b_stride0 * 32;
    // kernels/matmul_kernel.go
    f32x4 carried = splat4(0.0f);
    f32x4 carried_0 = splat4(0.0f);
    f32x4 carried_1 = splat4(0.0f);
    f32x4 carried_2 = splat4(0.0f);
    int end = (a_size1 + 63) / 64;
    for (int i = 0; i < end; ++i) {
        // kernels/matrix_block.go
        int b_start0 = i * 64;
        int offset_1 = b_start0 + lane;
        int index = b_offset + offset_1 * b_stride0 + offset;
        u32x4 b_0 = *(const u32x4*)&b[index];
        f32x4 b_1 = unpack_f16(u32x2{b_0.x, b_0.y});
        f32x4 b_2 = unpack_f16(u32x2{b_0.z, b_0.w});
        u32x4 b_3 = *(const u32x4*)&b[index + offset_0];
        f32x4 b_4 = unpack_f16(u32x2{b_3.x, b_3.y});
        f32x4 b_5 = unpack_f16(u32x2{b_3.z, b_3.w});
        int index_0 = a_offset + offset_1;
        float a_0 = to_f32(a[index_0]);
        float a_1 = to_f32(a[index_0 + 32]);
        // kernels/matmul_kernel.go
        carried = fmaf(b_1, splat4(a_0), carried);
        carried_0 = fmaf(b_2, splat4(a_0), carried_0);
        carried_1 = fmaf(b_4, splat4(a_1), carried_1);
        carried_2 = fmaf(b_5, splat4(a_1), carried_2);
    }
    // kernels/matmul_kernel.go
    int lane_1 = ((both << 2) + (both << 9)) ^ lane;
    exchange[lane_1] = carried.x;
    exchange[lane_1 + 64] = carried.y;
    exchange[lane_1 + 128] = carried.z;
    exchange[lane_1 + 192] = carried.w;
    exchange[lane_1 + 256] = carried_0.x;
    exchange[lane_1 + 320] = carried_0.y;
    exchange[lane_1 + 384] = carried_0.z;
    exchange[lane_1 + 448] = carried_0.w;
    exchange[lane_1 + 32] = carried_1.x;
    exchange[lane_1 + 96] = carried_1.y;
    exchange[lane_1 + 160] = carried_1.z;
    exchange[lane_1 + 224] = carried_1.w;
    exchange[lane_1 + 288] = carried_2.x;
    exchange[lane_1 + 352] = carried_2.y;
    exchange[lane_1 + 416] = carried_2.z;
    exchange[lane_1 + 480] = carried_2.w;
    int lane_2 = (thread << 2) ^ ((thread >> 5) & 4);
    __syncthreads();
    f32x4 exchange_0 = *(const f32x4*)&exchange[lane_2];
    f32x4 exchange_1 = *(const f32x4*)&exchange[lane_2 ^ 1032];
    f32x4 exchange_2 = *(const f32x4*)&exchange[lane_2 ^ 2064];
    f32x4 exchange_3 = *(const f32x4*)&exchange[lane_2 ^ 3096];
    float sum = exchange_0.x + exchange_0.z + (exchange_0.y + exchange_0.w);
    float sum_0 = exchange_1.x + exchange_1.z + (exchange_1.y + exchange_1.w);
    float sum_1 = exchange_2.x + exchange_2.z + (exchange_2.y + exchange_2.w);
    float sum_2 = exchange_3.x + exchange_3.z + (exchange_3.y + exchange_3.w);
    float other = __shfl_xor_sync(0xffffffffu, sum, 1);
    float sum_3 = sum + other;
    float other_0 = __shfl_xor_sync(0xffffffffu, sum_0, 1);
    float sum_4 = sum_0 + other_0;
    float other_1 = __shfl_xor_sync(0xffffffffu, sum_1, 1);
    float sum_5 = sum_1 + other_1;
    float other_2 = __shfl_xor_sync(0xffffffffu, sum_2, 1);
    float sum_6 = sum_2 + other_2;
    float other_3 = __shfl_xor_sync(0xffffffffu, sum_3, 2);
    float sum_7 = sum_3 + other_3;
    float other_4 = __shfl_xor_sync(0xffffffffu, sum_4, 2);
    float sum_8 = sum_4 + other_4;
    float other_5 = __shfl_xor_sync(0xffffffffu, sum_5, 2);
    float sum_9 = sum_5 + other_5;
    float other_6 = __shfl_xor_sync(0xffffffffu, sum_6, 2);
    float sum_10 = sum_6 + other_6;
    float other_7 = __shfl_xor_sync(0xffffffffu, sum_7, 4);
    float sum_11 = sum_7 + other_7;
    float other_8 = __shfl_xor_sync(0xffffffffu, sum_8, 4);
    float sum_12 = sum_8 + other_8;
    float other_9 = __shfl_xor_sync(0xffffffffu, sum_9, 4);
    float sum_13 = sum_9 + other_9;
    float other_10 = __shfl_xor_sync(0xffffffffu, sum_10, 4);
    float sum_14 = sum_10 + other_10;
    float other_11 = __shfl_xor_sync(0xffffffffu, sum_11, 8);
    float sum_15 = sum_11 + other_11;
    float other_12 = __shfl_xor_sync(0xffffffffu, sum_12, 8);
    float sum_16 = sum_12 + other_12;
    float other_13 = __shfl_xor_sync(0xffffffffu, sum_13, 8);
    float sum_17 = sum_13 + other_13;
    float other_14 = __shfl_xor_sync(0xffffffffu, sum_14, 8);
    float sum_18 = sum_14 + other_14;
    // kernels/matrix_block.go
    int lane_3 = thread >> 4;
    int index_1 = out_offset + b_start1 + lane_3;
    bool in_bounds = (thread & 15) == 0;
    if (in_bounds) {
        out[index_1] = to_f16(sum_15);
        out[index_1 + 16] = to_f16(sum_16);
        out[index_1 + 32] = to_f16(sum_17);
        out[index_1 + 48] = to_f16(sum_18);
    }
}
