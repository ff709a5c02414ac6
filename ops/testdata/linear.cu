struct f16 { unsigned short bits; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(8) f16x4 { f16 x, y, z, w; };
struct alignas(4) boolx4 { bool x, y, z, w; };

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
__device__ inline f32x4 operator+(f32x4 a, f32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline f32x4 fabsf(f32x4 a) {
    return {fabsf(a.x), fabsf(a.y), fabsf(a.z), fabsf(a.w)};
}
__device__ inline f32x4 fmaf(f32x4 a, f32x4 b, f32x4 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
}
__device__ inline boolx4 operator>=(f32x4 a, f32x4 b) {
    return {a.x >= b.x, a.y >= b.y, a.z >= b.z, a.w >= b.w};
}
__device__ inline f32x4 fmaxf(f32x4 a, f32x4 b) {
    return {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w)};
}
__device__ inline float exp2_flushed(float a) {
    float x;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(a));
    return x;
}
__device__ inline f32x4 exp2_flushed(f32x4 a) {
    return {exp2_flushed(a.x), exp2_flushed(a.y), exp2_flushed(a.z), exp2_flushed(a.w)};
}
__device__ inline f32x4 operator*(f32x4 a, f32x4 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}
__device__ inline f32x4 select(boolx4 a, f32x4 b, f32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}
__device__ inline f32x4 operator-(f32x4 a, f32x4 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
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
    const f16* __restrict__ x0,
    f16* __restrict__ out,
    int a_offset,
    int a_size0,
    int a_size1,
    int a_stride0,
    int b_offset,
    int b_size0,
    int b_size1,
    int b_stride1,
    int x0_offset,
    int x0_size0,
    int x0_size1,
    int out_offset,
    int out_size0,
    int out_size1,
    int out_stride0) {
    __shared__ alignas(16) float tile_a[1084]; // kernels/matmul_kernel.go: operand a of the product
    __shared__ alignas(16) float tile_b[1084]; // kernels/matmul_kernel.go: operand b of the product
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/matmul_kernel.go
    int offset = (out_size1 + 63) / 64 * 8;
    int chosen = offset == 0 ? 1 : offset;
    int offset_0 = program / chosen * 8;
    int least = min((out_size0 + 63) / 64 - offset_0, 8);
    int remainder_0 = program % chosen;
    int chosen_0 = least == 0 ? 1 : least;
    int quotient = remainder_0 / chosen_0;
    int offset_1 = offset_0 + remainder_0 - quotient * chosen_0;
    // kernels/matmul_kernel.go
    int quotient_0 = (a_size1 + 15) / 16;
    // kernels/matrix_block.go
    int a_start0 = offset_1 * 64;
    int shifted = thread >> 2;
    int lane = shifted & 60;
    int offset_2 = a_offset + (a_start0 + lane) * a_stride0;
    bool in_bounds = unsigned(a_start0) < unsigned(a_size0);
    int lane_0 = thread & 15;
    int offset_3 = a_stride0 * 2;
    int offset_4 = a_stride0 * 3;
    unsigned bits = unsigned(b_size0);
    int b_start1 = quotient * 64;
    int offset_5 = (b_start1 + lane) * b_stride1;
    unsigned bits_0 = unsigned(b_start1);
    bool less = bits_0 < unsigned(b_size1);
    int offset_6 = b_stride1 * 2;
    int offset_7 = b_stride1 * 3;
    // kernels/matmul_kernel.go
    int index = lane_0 * 68 + lane;
    int lane_1 = ((thread & 2) << 1) + (thread & 8) + (shifted & 48);
    int lane_2 = ((thread & 1) << 2) + ((thread & 4) << 1) + (thread & 48);
    bool more = 0 < quotient_0;
    // kernels/matrix_block.go
    int index_0 = offset_2 + lane_0;
    bool in_bounds_0 = in_bounds && more;
    float a_0 = in_bounds_0 ? to_f32(a[index_0]) : 0.0f;
    float a_1 = in_bounds_0 ? to_f32(a[index_0 + a_stride0]) : 0.0f;
    float a_2 = in_bounds_0 ? to_f32(a[index_0 + offset_3]) : 0.0f;
    float a_3 = in_bounds_0 ? to_f32(a[index_0 + offset_4]) : 0.0f;
    int index_1 = b_offset + lane_0 + offset_5;
    bool in_bounds_1 = unsigned(0) < bits && less && more;
    float b_0 = in_bounds_1 ? to_f32(b[index_1]) : 0.0f;
    float b_1 = in_bounds_1 ? to_f32(b[index_1 + b_stride1]) : 0.0f;
    float b_2 = in_bounds_1 ? to_f32(b[index_1 + offset_6]) : 0.0f;
    float b_3 = in_bounds_1 ? to_f32(b[index_1 + offset_7]) : 0.0f;
    // kernels/matmul_kernel.go
    f32x4 acc = splat4(0.0f);
    f32x4 acc_0 = splat4(0.0f);
    f32x4 acc_1 = splat4(0.0f);
    f32x4 acc_2 = splat4(0.0f);
    float a_4 = a_0;
    float a_5 = a_1;
    float a_6 = a_2;
    float a_7 = a_3;
    float b_4 = b_0;
    float b_5 = b_1;
    float b_6 = b_2;
    float b_7 = b_3;
    for (int i = 0; i < quotient_0; ++i) {
        // kernels/matrix_block.go
        f32x4 lanes = f32x4{a_4, a_5, a_6, a_7};
        f32x4 lanes_0 = f32x4{b_4, b_5, b_6, b_7};
        // kernels/matmul_kernel.go
        __syncthreads();
        *(f32x4*)&tile_a[index] = lanes;
        *(f32x4*)&tile_b[index] = lanes_0;
        int offset_8 = i + 1;
        bool more_0 = offset_8 < quotient_0;
        int next = more_0 ? offset_8 : i;
        // kernels/matrix_block.go
        int a_start1 = next * 16;
        int offset_9 = a_start1 + lane_0;
        int index_2 = offset_2 + offset_9;
        float a_8 = in_bounds ? to_f32(a[index_2]) : 0.0f;
        float a_9 = in_bounds ? to_f32(a[index_2 + a_stride0]) : 0.0f;
        float a_10 = in_bounds ? to_f32(a[index_2 + offset_3]) : 0.0f;
        float a_11 = in_bounds ? to_f32(a[index_2 + offset_4]) : 0.0f;
        int index_3 = b_offset + offset_9 + offset_5;
        bool in_bounds_2 = unsigned(a_start1) < bits && less;
        float b_8 = in_bounds_2 ? to_f32(b[index_3]) : 0.0f;
        float b_9 = in_bounds_2 ? to_f32(b[index_3 + b_stride1]) : 0.0f;
        float b_10 = in_bounds_2 ? to_f32(b[index_3 + offset_6]) : 0.0f;
        float b_11 = in_bounds_2 ? to_f32(b[index_3 + offset_7]) : 0.0f;
        // kernels/matmul_kernel.go
        __syncthreads();
        float acc_3 = acc.x;
        float acc_4 = acc.y;
        float acc_5 = acc.z;
        float acc_6 = acc.w;
        float acc_7 = acc_0.w;
        float acc_8 = acc_0.z;
        float acc_9 = acc_0.y;
        float acc_10 = acc_0.x;
        float acc_11 = acc_1.x;
        float acc_12 = acc_1.y;
        float acc_13 = acc_1.z;
        float acc_14 = acc_1.w;
        float acc_15 = acc_2.w;
        float acc_16 = acc_2.z;
        float acc_17 = acc_2.y;
        float acc_18 = acc_2.x;
        #pragma unroll
        for (int i_0 = 0; i_0 < 16; ++i_0) {
            f32x4 tile_a_0 = *(const f32x4*)&tile_a[i_0 * 68 + lane_1];
            f32x4 tile_b_0 = *(const f32x4*)&tile_b[i_0 * 68 + lane_2];
            acc_3 = fmaf(tile_a_0.x, tile_b_0.x, acc_3);
            acc_4 = fmaf(tile_a_0.x, tile_b_0.y, acc_4);
            acc_5 = fmaf(tile_a_0.x, tile_b_0.z, acc_5);
            acc_6 = fmaf(tile_a_0.x, tile_b_0.w, acc_6);
            acc_7 = fmaf(tile_a_0.y, tile_b_0.w, acc_7);
            acc_8 = fmaf(tile_a_0.y, tile_b_0.z, acc_8);
            acc_9 = fmaf(tile_a_0.y, tile_b_0.y, acc_9);
            acc_10 = fmaf(tile_a_0.y, tile_b_0.x, acc_10);
            acc_11 = fmaf(tile_a_0.z, tile_b_0.x, acc_11);
            acc_12 = fmaf(tile_a_0.z, tile_b_0.y, acc_12);
            acc_13 = fmaf(tile_a_0.z, tile_b_0.z, acc_13);
            acc_14 = fmaf(tile_a_0.z, tile_b_0.w, acc_14);
            acc_15 = fmaf(tile_a_0.w, tile_b_0.w, acc_15);
            acc_16 = fmaf(tile_a_0.w, tile_b_0.z, acc_16);
            acc_17 = fmaf(tile_a_0.w, tile_b_0.y, acc_17);
            acc_18 = fmaf(tile_a_0.w, tile_b_0.x, acc_18);
        }
        acc = f32x4{acc_3, acc_4, acc_5, acc_6};
        acc_0 = f32x4{acc_10, acc_9, acc_8, acc_7};
        acc_1 = f32x4{acc_11, acc_12, acc_13, acc_14};
        acc_2 = f32x4{acc_18, acc_17, acc_16, acc_15};
        a_4 = a_8;
        a_5 = a_9;
        a_6 = a_10;
        a_7 = a_11;
        b_4 = b_8;
        b_5 = b_9;
        b_6 = b_10;
        b_7 = b_11;
    }
    // kernels/matrix_block.go
    int offset_10 = b_start1 + lane_2;
    f32x4 x0_0 = 0u < unsigned(x0_size0) && bits_0 < unsigned(x0_size1) ? to_f32(*(const f16x4*)&x0[x0_offset + offset_10]) : splat4(0.0f);
    // ops/add.go
    f32x4 sum = acc + x0_0;
    f32x4 sum_0 = acc_0 + x0_0;
    f32x4 sum_1 = acc_1 + x0_0;
    f32x4 sum_2 = acc_2 + x0_0;
    // ops/elementwise.go
    f32x4 magnitude = fabsf(sum);
    f32x4 magnitude_0 = fabsf(sum_0);
    f32x4 magnitude_1 = fabsf(sum_1);
    f32x4 magnitude_2 = fabsf(sum_2);
    f32x4 fused = fmaf(magnitude_0, splat4(-2.8349098e-06f), splat4(3.9377657e-05f));
    f32x4 fused_0 = fmaf(magnitude_1, splat4(-2.8349098e-06f), splat4(3.9377657e-05f));
    f32x4 fused_1 = fmaf(magnitude_2, splat4(-2.8349098e-06f), splat4(3.9377657e-05f));
    f32x4 fused_2 = fmaf(fmaf(magnitude, splat4(-2.8349098e-06f), splat4(3.9377657e-05f)), magnitude, splat4(-0.00018618008f));
    f32x4 fused_3 = fmaf(fmaf(fused, magnitude_0, splat4(-0.00018618008f)), magnitude_0, splat4(-0.00013693672f));
    f32x4 fused_4 = fmaf(fmaf(fused_0, magnitude_1, splat4(-0.00018618008f)), magnitude_1, splat4(-0.00013693672f));
    f32x4 fused_5 = fmaf(fmaf(fused_1, magnitude_2, splat4(-0.00018618008f)), magnitude_2, splat4(-0.00013693672f));
    f32x4 fused_6 = fmaf(fmaf(fused_2, magnitude, splat4(-0.00013693672f)), magnitude, splat4(0.0070634205f));
    f32x4 fused_7 = fmaf(fmaf(fused_3, magnitude_0, splat4(0.0070634205f)), magnitude_0, splat4(-0.05249618f));
    f32x4 fused_8 = fmaf(fmaf(fused_4, magnitude_1, splat4(0.0070634205f)), magnitude_1, splat4(-0.05249618f));
    f32x4 fused_9 = fmaf(fmaf(fused_5, magnitude_2, splat4(0.0070634205f)), magnitude_2, splat4(-0.05249618f));
    f32x4 fused_10 = fmaf(fmaf(fused_6, magnitude, splat4(-0.05249618f)), magnitude, splat4(-0.4592082f));
    f32x4 fused_11 = fmaf(fmaf(fused_7, magnitude_0, splat4(-0.4592082f)), magnitude_0, splat4(-1.1511052f));
    f32x4 fused_12 = fmaf(fmaf(fused_8, magnitude_1, splat4(-0.4592082f)), magnitude_1, splat4(-1.1511052f));
    f32x4 fused_13 = fmaf(fmaf(fused_9, magnitude_2, splat4(-0.4592082f)), magnitude_2, splat4(-1.1511052f));
    f32x4 fused_14 = fmaf(fmaf(fused_10, magnitude, splat4(-1.1511052f)), magnitude, splat4(-1.0f));
    f32x4 product = magnitude_0 * exp2_flushed(fmaf(fused_11, magnitude_0, splat4(-1.0f)));
    f32x4 product_0 = magnitude_1 * exp2_flushed(fmaf(fused_12, magnitude_1, splat4(-1.0f)));
    f32x4 product_1 = magnitude_2 * exp2_flushed(fmaf(fused_13, magnitude_2, splat4(-1.0f)));
    f32x4 chosen_1 = select((magnitude >= splat4(16.0f)), splat4(0.0f), magnitude * exp2_flushed(fused_14));
    f32x4 difference = fmaxf(sum, splat4(0.0f)) - chosen_1;
    f32x4 difference_0 = fmaxf(sum_0, splat4(0.0f)) - select((magnitude_0 >= splat4(16.0f)), splat4(0.0f), product);
    f32x4 difference_1 = fmaxf(sum_1, splat4(0.0f)) - select((magnitude_1 >= splat4(16.0f)), splat4(0.0f), product_0);
    f32x4 difference_2 = fmaxf(sum_2, splat4(0.0f)) - select((magnitude_2 >= splat4(16.0f)), splat4(0.0f), product_1);
    // kernels/matrix_block.go
    int index_4 = out_offset + (a_start0 + lane_1) * out_stride0 + offset_10;
    *(f16x4*)&out[index_4] = to_f16(difference);
    *(f16x4*)&out[index_4 + out_stride0] = to_f16(difference_0);
    *(f16x4*)&out[index_4 + out_stride0 * 2] = to_f16(difference_1);
    *(f16x4*)&out[index_4 + out_stride0 * 3] = to_f16(difference_2);
}
