struct f16 { unsigned short bits; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(8) f16x4 { f16 x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline float to_f32(f16 a) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(a.bits));
    return x;
}
__device__ inline f32x4 to_f32(f16x4 a) {
    return {to_f32(a.x), to_f32(a.y), to_f32(a.z), to_f32(a.w)};
}
__device__ inline f32x4 fmaf(f32x4 a, f32x4 b, f32x4 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
}
__device__ inline f32x4 operator+(f32x4 a, f32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline f32x4 shuffle_xor_16(f32x4 a) {
    return {__shfl_xor_sync(0xffffffffu, a.x, 16), __shfl_xor_sync(0xffffffffu, a.y, 16), __shfl_xor_sync(0xffffffffu, a.z, 16), __shfl_xor_sync(0xffffffffu, a.w, 16)};
}
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline f16x4 to_f16(f32x4 a) {
    return {to_f16(a.x), to_f16(a.y), to_f16(a.z), to_f16(a.w)};
}

extern "C" __global__ void __launch_bounds__(256) matmul(
    const f16* __restrict__ a,
    const f16* __restrict__ b,
    f16* __restrict__ out,
    int a_offset,
    int a_size0,
    int a_size1,
    int b_offset,
    int b_size0,
    int b_size1,
    int b_stride0,
    int out_offset,
    int out_size0,
    int out_size1) {
    __shared__ alignas(16) float parts[512]; // matmul.go:142: partial results of reduce.sum
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // matmul.go:82
    int quotient = (out_size1 + 63) / 64;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int a_start0 = program / chosen;
    // block.go:14
    int lane = thread >> 4;
    unsigned bits = unsigned(b_size0);
    int b_start1 = remainder_0 * 64;
    int index = thread & 15;
    int lane_0 = index << 2;
    int offset = b_start1 + lane_0;
    unsigned bits_0 = unsigned(b_start1);
    bool less = bits_0 < unsigned(b_size1);
    int offset_0 = b_stride0 * 16;
    int offset_1 = b_stride0 * 32;
    int offset_2 = b_stride0 * 48;
    unsigned bits_1 = unsigned(a_start0);
    bool less_0 = bits_1 < unsigned(a_size0);
    unsigned bits_2 = unsigned(a_size1);
    // matmul.go:134
    f32x4 carried = splat4(0.0f);
    f32x4 carried_0 = splat4(0.0f);
    f32x4 carried_1 = splat4(0.0f);
    f32x4 carried_2 = splat4(0.0f);
    int end = (a_size1 + 63) / 64;
    for (int i = 0; i < end; ++i) {
        // block.go:14
        int b_start0 = i * 64;
        int offset_3 = b_start0 + lane;
        unsigned bits_3 = unsigned(b_start0);
        int index_0 = b_offset + offset_3 * b_stride0 + offset;
        bool in_bounds = bits_3 < bits && less;
        f32x4 b_0 = in_bounds ? to_f32(*(const f16x4*)&b[index_0]) : splat4(0.0f);
        f32x4 b_1 = in_bounds ? to_f32(*(const f16x4*)&b[index_0 + offset_0]) : splat4(0.0f);
        f32x4 b_2 = in_bounds ? to_f32(*(const f16x4*)&b[index_0 + offset_1]) : splat4(0.0f);
        f32x4 b_3 = in_bounds ? to_f32(*(const f16x4*)&b[index_0 + offset_2]) : splat4(0.0f);
        int index_1 = a_offset + offset_3;
        bool in_bounds_0 = less_0 && bits_3 < bits_2;
        float a_0 = in_bounds_0 ? to_f32(a[index_1]) : 0.0f;
        float a_1 = in_bounds_0 ? to_f32(a[index_1 + 16]) : 0.0f;
        float a_2 = in_bounds_0 ? to_f32(a[index_1 + 32]) : 0.0f;
        float a_3 = in_bounds_0 ? to_f32(a[index_1 + 48]) : 0.0f;
        // matmul.go:149
        carried = fmaf(b_0, splat4(a_0), carried);
        carried_0 = fmaf(b_1, splat4(a_1), carried_0);
        carried_1 = fmaf(b_2, splat4(a_2), carried_1);
        carried_2 = fmaf(b_3, splat4(a_3), carried_2);
    }
    // matmul.go:142
    f32x4 sum = carried + carried_0 + carried_1 + carried_2;
    f32x4 other = shuffle_xor_16(sum);
    f32x4 sum_0 = sum + other;
    bool in_bounds_1 = (thread & 16) == 0;
    int index_2 = index + ((thread >> 1) & 112);
    if (in_bounds_1) {
        parts[index_2] = sum_0.x;
        parts[index_2 + 128] = sum_0.y;
        parts[index_2 + 256] = sum_0.z;
        parts[index_2 + 384] = sum_0.w;
    }
    __syncthreads();
    float parts_0 = parts[index];
    float parts_1 = parts[index + 16];
    float parts_2 = parts[index + 32];
    float parts_3 = parts[index + 48];
    float parts_4 = parts[index + 64];
    float parts_5 = parts[index + 80];
    float parts_6 = parts[index + 96];
    float sum_1 = parts_0 + parts_1 + parts_2 + parts_3 + parts_4 + parts_5 + parts_6;
    float parts_7 = parts[index + 112];
    float parts_8 = parts[index + 128];
    float parts_9 = parts[index + 144];
    float parts_10 = parts[index + 160];
    float parts_11 = parts[index + 176];
    float parts_12 = parts[index + 192];
    float parts_13 = parts[index + 208];
    float parts_14 = parts[index + 224];
    float sum_2 = parts_8 + parts_9 + parts_10 + parts_11 + parts_12 + parts_13 + parts_14;
    float parts_15 = parts[index + 240];
    float parts_16 = parts[index + 256];
    float parts_17 = parts[index + 272];
    float parts_18 = parts[index + 288];
    float parts_19 = parts[index + 304];
    float parts_20 = parts[index + 320];
    float parts_21 = parts[index + 336];
    float parts_22 = parts[index + 352];
    float sum_3 = parts_16 + parts_17 + parts_18 + parts_19 + parts_20 + parts_21 + parts_22;
    float parts_23 = parts[index + 368];
    float parts_24 = parts[index + 384];
    float parts_25 = parts[index + 400];
    float parts_26 = parts[index + 416];
    float parts_27 = parts[index + 432];
    float parts_28 = parts[index + 448];
    float parts_29 = parts[index + 464];
    float parts_30 = parts[index + 480];
    float sum_4 = parts_24 + parts_25 + parts_26 + parts_27 + parts_28 + parts_29 + parts_30;
    float parts_31 = parts[index + 496];
    f32x4 lanes = f32x4{sum_1 + parts_7, sum_2 + parts_15, sum_3 + parts_23, sum_4 + parts_31};
    // block.go:37
    bool in_bounds_2 = (thread & 240) == 0 && bits_1 < unsigned(out_size0) && bits_0 < unsigned(out_size1);
    if (in_bounds_2) {
        *(f16x4*)&out[out_offset + offset] = to_f16(lanes);
    }
}
