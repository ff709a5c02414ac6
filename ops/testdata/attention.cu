struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(4) boolx4 { bool x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline i32x4 splat4(int a) {
    return {a, a, a, a};
}
__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}
__device__ inline i32x4 operator+(i32x4 a, i32x4 b) {
    return {wrap_add(a.x, b.x), wrap_add(a.y, b.y), wrap_add(a.z, b.z), wrap_add(a.w, b.w)};
}
__device__ inline i32x4 min(i32x4 a, i32x4 b) {
    return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z), min(a.w, b.w)};
}
__device__ inline f32x4 operator*(f32x4 a, f32x4 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}
__device__ inline f32x4 fmaf(f32x4 a, f32x4 b, f32x4 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
}
__device__ inline boolx4 operator<(i32x4 a, i32x4 b) {
    return {a.x < b.x, a.y < b.y, a.z < b.z, a.w < b.w};
}
__device__ inline f32x4 select(boolx4 a, f32x4 b, f32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}
__device__ inline f32x4 fmaxf(f32x4 a, f32x4 b) {
    return {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w)};
}
__device__ inline f32x4 shuffle_xor_1(f32x4 a) {
    return {__shfl_xor_sync(0xffffffffu, a.x, 1), __shfl_xor_sync(0xffffffffu, a.y, 1), __shfl_xor_sync(0xffffffffu, a.z, 1), __shfl_xor_sync(0xffffffffu, a.w, 1)};
}
__device__ inline f32x4 shuffle_xor_4(f32x4 a) {
    return {__shfl_xor_sync(0xffffffffu, a.x, 4), __shfl_xor_sync(0xffffffffu, a.y, 4), __shfl_xor_sync(0xffffffffu, a.z, 4), __shfl_xor_sync(0xffffffffu, a.w, 4)};
}
__device__ inline f32x4 shuffle_xor_16(f32x4 a) {
    return {__shfl_xor_sync(0xffffffffu, a.x, 16), __shfl_xor_sync(0xffffffffu, a.y, 16), __shfl_xor_sync(0xffffffffu, a.z, 16), __shfl_xor_sync(0xffffffffu, a.w, 16)};
}
__device__ inline f32x4 operator-(f32x4 a, f32x4 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
__device__ inline float exp2_flushed(float a) {
    float x;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(a));
    return x;
}
__device__ inline f32x4 exp2_flushed(f32x4 a) {
    return {exp2_flushed(a.x), exp2_flushed(a.y), exp2_flushed(a.z), exp2_flushed(a.w)};
}
__device__ inline f32x4 operator+(f32x4 a, f32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline boolx4 operator==(f32x4 a, f32x4 b) {
    return {a.x == b.x, a.y == b.y, a.z == b.z, a.w == b.w};
}
__device__ inline f32x4 operator/(f32x4 a, f32x4 b) {
    return {a.x / b.x, a.y / b.y, a.z / b.z, a.w / b.w};
}
__device__ inline f32x4 log2f(f32x4 a) {
    return {log2f(a.x), log2f(a.y), log2f(a.z), log2f(a.w)};
}

extern "C" __global__ void __launch_bounds__(128) attention(
    const float* __restrict__ q,
    const float* __restrict__ k,
    const float* __restrict__ v,
    const float* __restrict__ mask,
    float* __restrict__ out,
    float* __restrict__ lse,
    int q_offset,
    int q_size0,
    int q_size1,
    int q_size2,
    int q_size3,
    int q_stride0,
    int q_stride1,
    int q_stride2,
    int k_offset,
    int k_size0,
    int k_size1,
    int k_size2,
    int k_size3,
    int k_stride0,
    int k_stride1,
    int k_stride2,
    int v_offset,
    int v_size0,
    int v_size1,
    int v_size2,
    int v_size3,
    int v_stride0,
    int v_stride1,
    int v_stride2,
    int mask_offset,
    int mask_size0,
    int mask_size1,
    int mask_size2,
    int mask_size3,
    int mask_stride0,
    int mask_stride1,
    int mask_stride2,
    int out_offset,
    int out_size0,
    int out_size1,
    int out_size2,
    int out_size3,
    int out_stride0,
    int out_stride1,
    int out_stride2,
    int lse_offset,
    int lse_size0,
    int lse_size1,
    int lse_size2,
    int lse_stride0,
    int lse_stride1,
    float scale,
    int last) {
    __shared__ alignas(16) float tile_a[4096]; // kernels/attention_kernel.go: operand a of the product (kernels/attention_kernel.go); operand a of the product
    __shared__ alignas(16) float tile_b[4096]; // kernels/attention_kernel.go: operand b of the product (kernels/attention_kernel.go); operand b of the product
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/attention_kernel.go
    int quotient = (out_size2 + 63) / 64;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int quotient_0 = program / chosen;
    int chosen_0 = out_size1 == 0 ? 1 : out_size1;
    int q_start1 = quotient_0 % chosen_0;
    int q_start0 = quotient_0 / chosen_0;
    // kernels/attention_kernel.go
    int difference = quotient + -1 - remainder_0;
    // kernels/attention_kernel.go
    int quotient_1 = q_size1 / (k_size1 == 0 ? 1 : k_size1);
    int k_start1 = q_start1 / (quotient_1 == 0 ? 1 : quotient_1);
    // kernels/attention_kernel.go
    int q_start2 = difference * 64;
    // kernels/attention_kernel.go
    int shifted = thread >> 1;
    int lane = ((thread & 2) << 1) + (thread & 8) + (shifted & 48);
    i32x4 offset = i32x4{lane, lane + 1, lane + 2, lane + 3} + splat4(q_start2);
    // kernels/attention_kernel.go
    int offset_0 = last + 1;
    // kernels/attention_kernel.go
    i32x4 least = min(offset + splat4(offset_0), splat4(k_size2));
    // kernels/attention_kernel.go
    int quotient_2 = (max(min(q_start2 + last + 64, k_size2), 0) + 63) / 64;
    // kernels/attention_kernel.go
    int quotient_3 = max(min(q_start2 + offset_0, k_size2), 0) / 64;
    // kernels/attention_kernel.go
    int quotient_4 = (q_size3 + 31) / 32;
    // kernels/attention_kernel.go
    unsigned bits = unsigned(q_start0);
    unsigned bits_0 = unsigned(q_start1);
    int lane_0 = shifted & 60;
    int offset_1 = q_offset + q_start0 * q_stride0 + q_start1 * q_stride1 + (q_start2 + lane_0) * q_stride2;
    unsigned bits_1 = unsigned(q_start2);
    int lane_1 = (thread & 7) << 2;
    bool in_bounds = bits < unsigned(q_size0) && bits_0 < unsigned(q_size1) && bits_1 < unsigned(q_size2);
    int offset_2 = q_stride2 * 2;
    int offset_3 = q_stride2 * 3;
    // kernels/attention_kernel.go
    int offset_4 = k_offset + q_start0 * k_stride0 + k_start1 * k_stride1;
    unsigned bits_2 = unsigned(k_start1);
    unsigned bits_3 = unsigned(k_size2);
    unsigned bits_4 = unsigned(k_size3);
    bool both = bits < unsigned(k_size0) && bits_2 < unsigned(k_size1);
    int offset_5 = k_stride2 * 2;
    int offset_6 = k_stride2 * 3;
    // kernels/attention_kernel.go
    int index = lane_1 * 64 + lane_0;
    int index_0 = index + 64;
    int index_1 = index + 128;
    int index_2 = index + 192;
    int lane_2 = ((thread & 1) << 2) + ((thread & 4) << 1) + (thread & 16);
    // kernels/attention_kernel.go
    // kernels/attention_kernel.go
    int offset_7 = q_start2 + lane;
    int offset_8 = mask_offset + q_start0 * mask_stride0 + q_start1 * mask_stride1 + offset_7 * mask_stride2;
    unsigned bits_5 = unsigned(mask_size3);
    bool both_0 = bits < unsigned(mask_size0) && bits_0 < unsigned(mask_size1) && bits_1 < unsigned(mask_size2);
    int offset_9 = mask_stride2 * 2;
    int offset_10 = mask_stride2 * 3;
    // kernels/attention_kernel.go
    int offset_11 = v_offset + q_start0 * v_stride0 + k_start1 * v_stride1;
    unsigned bits_6 = unsigned(v_size2);
    unsigned bits_7 = unsigned(v_size3);
    bool less = 0u < bits_7;
    bool both_1 = bits < unsigned(v_size0) && bits_2 < unsigned(v_size1);
    int offset_12 = v_stride2 * 2;
    int offset_13 = v_stride2 * 3;
    int offset_14 = lane_2 + 32;
    // kernels/attention_kernel.go
    int index_3 = lane_2 * 64 + lane;
    int index_4 = index_3 + 64;
    int index_5 = index_3 + 128;
    int index_6 = index_3 + 192;
    int index_7 = index_3 + 2048;
    int index_8 = index_3 + 2112;
    int index_9 = index_3 + 2176;
    int index_10 = index_3 + 2240;
    int index_11 = lane * 64 + lane_2;
    int index_12 = index_11 + 64;
    int index_13 = index_11 + 128;
    int index_14 = index_11 + 192;
    int index_15 = index_11 + 32;
    int index_16 = index_11 + 96;
    int index_17 = index_11 + 160;
    int index_18 = index_11 + 224;
    // kernels/attention_kernel.go
    int offset_15 = 64 + lane_2;
    bool less_0 = 64u < bits_7;
    // kernels/attention_kernel.go
    f32x4 acc = splat4(-3.4028235e+38f);
    f32x4 acc_0 = splat4(0.0f);
    f32x4 acc_1 = splat4(0.0f);
    f32x4 acc_2 = splat4(0.0f);
    f32x4 acc_3 = splat4(0.0f);
    f32x4 acc_4 = splat4(0.0f);
    f32x4 acc_5 = splat4(0.0f);
    f32x4 acc_6 = splat4(0.0f);
    f32x4 acc_7 = splat4(0.0f);
    f32x4 acc_8 = splat4(0.0f);
    f32x4 acc_9 = splat4(0.0f);
    f32x4 acc_10 = splat4(0.0f);
    f32x4 acc_11 = splat4(0.0f);
    f32x4 acc_12 = splat4(0.0f);
    f32x4 acc_13 = splat4(0.0f);
    f32x4 acc_14 = splat4(0.0f);
    f32x4 acc_15 = splat4(0.0f);
    f32x4 acc_16 = splat4(0.0f);
    for (int i = 0; i < quotient_2; ++i) {
        // kernels/attention_kernel.go
        int k_start2 = i * 64;
        int offset_16 = offset_4 + (k_start2 + lane_0) * k_stride2;
        unsigned bits_8 = unsigned(k_start2);
        bool both_2 = both && bits_8 < bits_3;
        // kernels/attention_kernel.go
        f32x4 acc_17 = splat4(0.0f);
        f32x4 acc_18 = splat4(0.0f);
        f32x4 acc_19 = splat4(0.0f);
        f32x4 acc_20 = splat4(0.0f);
        f32x4 acc_21 = splat4(0.0f);
        f32x4 acc_22 = splat4(0.0f);
        f32x4 acc_23 = splat4(0.0f);
        f32x4 acc_24 = splat4(0.0f);
        for (int i_0 = 0; i_0 < quotient_4; ++i_0) {
            // kernels/attention_kernel.go
            int q_start3 = i_0 * 32;
            int offset_17 = q_start3 + lane_1;
            int index_19 = offset_1 + offset_17;
            f32x4 q_0 = in_bounds ? *(const f32x4*)&q[index_19] : splat4(0.0f);
            f32x4 q_1 = in_bounds ? *(const f32x4*)&q[index_19 + q_stride2] : splat4(0.0f);
            f32x4 q_2 = in_bounds ? *(const f32x4*)&q[index_19 + offset_2] : splat4(0.0f);
            f32x4 q_3 = in_bounds ? *(const f32x4*)&q[index_19 + offset_3] : splat4(0.0f);
            // kernels/attention_kernel.go
            int index_20 = offset_16 + offset_17;
            bool in_bounds_0 = both_2 && unsigned(q_start3) < bits_4;
            f32x4 k_0 = in_bounds_0 ? *(const f32x4*)&k[index_20] : splat4(0.0f);
            f32x4 k_1 = in_bounds_0 ? *(const f32x4*)&k[index_20 + k_stride2] : splat4(0.0f);
            f32x4 k_2 = in_bounds_0 ? *(const f32x4*)&k[index_20 + offset_5] : splat4(0.0f);
            f32x4 k_3 = in_bounds_0 ? *(const f32x4*)&k[index_20 + offset_6] : splat4(0.0f);
            // kernels/attention_kernel.go
            __syncthreads();
            *(f32x4*)&tile_a[index] = f32x4{q_0.x, q_1.x, q_2.x, q_3.x};
            *(f32x4*)&tile_a[index_0] = f32x4{q_0.y, q_1.y, q_2.y, q_3.y};
            *(f32x4*)&tile_a[index_1] = f32x4{q_0.z, q_1.z, q_2.z, q_3.z};
            *(f32x4*)&tile_a[index_2] = f32x4{q_0.w, q_1.w, q_2.w, q_3.w};
            *(f32x4*)&tile_b[index] = f32x4{k_0.x, k_1.x, k_2.x, k_3.x};
            *(f32x4*)&tile_b[index_0] = f32x4{k_0.y, k_1.y, k_2.y, k_3.y};
            *(f32x4*)&tile_b[index_1] = f32x4{k_0.z, k_1.z, k_2.z, k_3.z};
            *(f32x4*)&tile_b[index_2] = f32x4{k_0.w, k_1.w, k_2.w, k_3.w};
            __syncthreads();
            float acc_25 = acc_17.x;
            float acc_26 = acc_17.y;
            float acc_27 = acc_17.z;
            float acc_28 = acc_17.w;
            float acc_29 = acc_21.x;
            float acc_30 = acc_21.y;
            float acc_31 = acc_21.z;
            float acc_32 = acc_21.w;
            float acc_33 = acc_22.w;
            float acc_34 = acc_22.z;
            float acc_35 = acc_22.y;
            float acc_36 = acc_22.x;
            float acc_37 = acc_18.w;
            float acc_38 = acc_18.z;
            float acc_39 = acc_18.y;
            float acc_40 = acc_18.x;
            float acc_41 = acc_19.x;
            float acc_42 = acc_19.y;
            float acc_43 = acc_19.z;
            float acc_44 = acc_19.w;
            float acc_45 = acc_23.x;
            float acc_46 = acc_23.y;
            float acc_47 = acc_23.z;
            float acc_48 = acc_23.w;
            float acc_49 = acc_24.w;
            float acc_50 = acc_24.z;
            float acc_51 = acc_24.y;
            float acc_52 = acc_24.x;
            float acc_53 = acc_20.w;
            float acc_54 = acc_20.z;
            float acc_55 = acc_20.y;
            float acc_56 = acc_20.x;
            #pragma unroll
            for (int i_1 = 0; i_1 < 32; ++i_1) {
                f32x4 tile_a_0 = *(const f32x4*)&tile_a[i_1 * 64 + lane];
                int index_21 = i_1 * 64 + lane_2;
                f32x4 tile_b_0 = *(const f32x4*)&tile_b[index_21];
                f32x4 tile_b_1 = *(const f32x4*)&tile_b[index_21 + 32];
                acc_25 = fmaf(tile_a_0.x, tile_b_0.x, acc_25);
                acc_26 = fmaf(tile_a_0.x, tile_b_0.y, acc_26);
                acc_27 = fmaf(tile_a_0.x, tile_b_0.z, acc_27);
                acc_28 = fmaf(tile_a_0.x, tile_b_0.w, acc_28);
                acc_29 = fmaf(tile_a_0.x, tile_b_1.x, acc_29);
                acc_30 = fmaf(tile_a_0.x, tile_b_1.y, acc_30);
                acc_31 = fmaf(tile_a_0.x, tile_b_1.z, acc_31);
                acc_32 = fmaf(tile_a_0.x, tile_b_1.w, acc_32);
                acc_33 = fmaf(tile_a_0.y, tile_b_1.w, acc_33);
                acc_34 = fmaf(tile_a_0.y, tile_b_1.z, acc_34);
                acc_35 = fmaf(tile_a_0.y, tile_b_1.y, acc_35);
                acc_36 = fmaf(tile_a_0.y, tile_b_1.x, acc_36);
                acc_37 = fmaf(tile_a_0.y, tile_b_0.w, acc_37);
                acc_38 = fmaf(tile_a_0.y, tile_b_0.z, acc_38);
                acc_39 = fmaf(tile_a_0.y, tile_b_0.y, acc_39);
                acc_40 = fmaf(tile_a_0.y, tile_b_0.x, acc_40);
                acc_41 = fmaf(tile_a_0.z, tile_b_0.x, acc_41);
                acc_42 = fmaf(tile_a_0.z, tile_b_0.y, acc_42);
                acc_43 = fmaf(tile_a_0.z, tile_b_0.z, acc_43);
                acc_44 = fmaf(tile_a_0.z, tile_b_0.w, acc_44);
                acc_45 = fmaf(tile_a_0.z, tile_b_1.x, acc_45);
                acc_46 = fmaf(tile_a_0.z, tile_b_1.y, acc_46);
                acc_47 = fmaf(tile_a_0.z, tile_b_1.z, acc_47);
                acc_48 = fmaf(tile_a_0.z, tile_b_1.w, acc_48);
                acc_49 = fmaf(tile_a_0.w, tile_b_1.w, acc_49);
                acc_50 = fmaf(tile_a_0.w, tile_b_1.z, acc_50);
                acc_51 = fmaf(tile_a_0.w, tile_b_1.y, acc_51);
                acc_52 = fmaf(tile_a_0.w, tile_b_1.x, acc_52);
                acc_53 = fmaf(tile_a_0.w, tile_b_0.w, acc_53);
                acc_54 = fmaf(tile_a_0.w, tile_b_0.z, acc_54);
                acc_55 = fmaf(tile_a_0.w, tile_b_0.y, acc_55);
                acc_56 = fmaf(tile_a_0.w, tile_b_0.x, acc_56);
            }
            acc_17 = f32x4{acc_25, acc_26, acc_27, acc_28};
            acc_18 = f32x4{acc_40, acc_39, acc_38, acc_37};
            acc_19 = f32x4{acc_41, acc_42, acc_43, acc_44};
            acc_20 = f32x4{acc_56, acc_55, acc_54, acc_53};
            acc_21 = f32x4{acc_29, acc_30, acc_31, acc_32};
            acc_22 = f32x4{acc_36, acc_35, acc_34, acc_33};
            acc_23 = f32x4{acc_45, acc_46, acc_47, acc_48};
            acc_24 = f32x4{acc_52, acc_51, acc_50, acc_49};
        }
        // kernels/attention_kernel.go
        f32x4 product = acc_17 * splat4(scale);
        f32x4 product_0 = acc_18 * splat4(scale);
        f32x4 product_1 = acc_19 * splat4(scale);
        f32x4 product_2 = acc_20 * splat4(scale);
        f32x4 product_3 = acc_21 * splat4(scale);
        f32x4 product_4 = acc_22 * splat4(scale);
        f32x4 product_5 = acc_23 * splat4(scale);
        f32x4 product_6 = acc_24 * splat4(scale);
        // kernels/attention_kernel.go
        int index_22 = offset_8 + k_start2 + lane_2;
        bool in_bounds_1 = both_0 && bits_8 < bits_5;
        f32x4 mask_0 = in_bounds_1 ? *(const f32x4*)&mask[index_22] : splat4(0.0f);
        int index_23 = index_22 + mask_stride2;
        f32x4 mask_1 = in_bounds_1 ? *(const f32x4*)&mask[index_23] : splat4(0.0f);
        int index_24 = index_22 + offset_9;
        f32x4 mask_2 = in_bounds_1 ? *(const f32x4*)&mask[index_24] : splat4(0.0f);
        int index_25 = index_22 + offset_10;
        f32x4 mask_3 = in_bounds_1 ? *(const f32x4*)&mask[index_25] : splat4(0.0f);
        f32x4 mask_4 = in_bounds_1 ? *(const f32x4*)&mask[index_22 + 32] : splat4(0.0f);
        f32x4 mask_5 = in_bounds_1 ? *(const f32x4*)&mask[index_23 + 32] : splat4(0.0f);
        f32x4 mask_6 = in_bounds_1 ? *(const f32x4*)&mask[index_24 + 32] : splat4(0.0f);
        f32x4 mask_7 = in_bounds_1 ? *(const f32x4*)&mask[index_25 + 32] : splat4(0.0f);
        // kernels/attention_kernel.go
        f32x4 fused = fmaf(mask_0, splat4(1.442695f), product);
        f32x4 fused_0 = fmaf(mask_1, splat4(1.442695f), product_0);
        f32x4 fused_1 = fmaf(mask_2, splat4(1.442695f), product_1);
        f32x4 fused_2 = fmaf(mask_3, splat4(1.442695f), product_2);
        f32x4 fused_3 = fmaf(mask_4, splat4(1.442695f), product_3);
        f32x4 fused_4 = fmaf(mask_5, splat4(1.442695f), product_4);
        f32x4 fused_5 = fmaf(mask_6, splat4(1.442695f), product_5);
        f32x4 fused_6 = fmaf(mask_7, splat4(1.442695f), product_6);
        // kernels/attention_kernel.go
        bool at_least = i >= quotient_3;
        // kernels/attention_kernel.go
        f32x4 chosen_1 = fused;
        f32x4 chosen_2 = fused_0;
        f32x4 chosen_3 = fused_1;
        f32x4 chosen_4 = fused_2;
        f32x4 chosen_5 = fused_3;
        f32x4 chosen_6 = fused_4;
        f32x4 chosen_7 = fused_5;
        f32x4 chosen_8 = fused_6;
        if (at_least) {
            // kernels/attention_kernel.go
            i32x4 offset_18 = i32x4{lane_2, lane_2 + 1, lane_2 + 2, lane_2 + 3} + splat4(k_start2);
            i32x4 offset_19 = i32x4{offset_14, lane_2 + 33, lane_2 + 34, lane_2 + 35} + splat4(k_start2);
            // kernels/attention_kernel.go
            i32x4 lanes = i32x4{least.x, least.x, least.x, least.x};
            i32x4 lanes_0 = i32x4{least.y, least.y, least.y, least.y};
            i32x4 lanes_1 = i32x4{least.z, least.z, least.z, least.z};
            i32x4 lanes_2 = i32x4{least.w, least.w, least.w, least.w};
            boolx4 less_1 = offset_18 < lanes;
            boolx4 less_2 = offset_18 < lanes_0;
            boolx4 less_3 = offset_18 < lanes_1;
            boolx4 less_4 = offset_18 < lanes_2;
            boolx4 less_5 = offset_19 < lanes;
            boolx4 less_6 = offset_19 < lanes_0;
            boolx4 less_7 = offset_19 < lanes_1;
            boolx4 less_8 = offset_19 < lanes_2;
            chosen_1 = select(less_1, fused, splat4(__int_as_float(0xff800000)));
            chosen_2 = select(less_2, fused_0, splat4(__int_as_float(0xff800000)));
            chosen_3 = select(less_3, fused_1, splat4(__int_as_float(0xff800000)));
            chosen_4 = select(less_4, fused_2, splat4(__int_as_float(0xff800000)));
            chosen_5 = select(less_5, fused_3, splat4(__int_as_float(0xff800000)));
            chosen_6 = select(less_6, fused_4, splat4(__int_as_float(0xff800000)));
            chosen_7 = select(less_7, fused_5, splat4(__int_as_float(0xff800000)));
            chosen_8 = select(less_8, fused_6, splat4(__int_as_float(0xff800000)));
        }
        // kernels/attention_kernel.go
        f32x4 greatest = fmaxf(chosen_1, chosen_5);
        f32x4 greatest_0 = fmaxf(chosen_2, chosen_6);
        f32x4 greatest_1 = fmaxf(chosen_3, chosen_7);
        f32x4 greatest_2 = fmaxf(chosen_4, chosen_8);
        float greatest_3 = fmaxf(fmaxf(greatest.x, greatest.z), fmaxf(greatest.y, greatest.w));
        float greatest_4 = fmaxf(fmaxf(greatest_0.x, greatest_0.z), fmaxf(greatest_0.y, greatest_0.w));
        float greatest_5 = fmaxf(fmaxf(greatest_1.x, greatest_1.z), fmaxf(greatest_1.y, greatest_1.w));
        float greatest_6 = fmaxf(fmaxf(greatest_2.x, greatest_2.z), fmaxf(greatest_2.y, greatest_2.w));
        f32x4 lanes_3 = f32x4{greatest_3, greatest_4, greatest_5, greatest_6};
        f32x4 other = shuffle_xor_1(lanes_3);
        f32x4 greatest_7 = fmaxf(lanes_3, other);
        f32x4 other_0 = shuffle_xor_4(greatest_7);
        f32x4 greatest_8 = fmaxf(greatest_7, other_0);
        f32x4 other_1 = shuffle_xor_16(greatest_8);
        f32x4 greatest_9 = fmaxf(acc, fmaxf(greatest_8, other_1));
        // kernels/attention_kernel.go
        f32x4 lanes_4 = f32x4{greatest_9.x, greatest_9.x, greatest_9.x, greatest_9.x};
        f32x4 lanes_5 = f32x4{greatest_9.y, greatest_9.y, greatest_9.y, greatest_9.y};
        f32x4 lanes_6 = f32x4{greatest_9.z, greatest_9.z, greatest_9.z, greatest_9.z};
        f32x4 lanes_7 = f32x4{greatest_9.w, greatest_9.w, greatest_9.w, greatest_9.w};
        f32x4 power = exp2_flushed(chosen_1 - lanes_4);
        f32x4 power_0 = exp2_flushed(chosen_2 - lanes_5);
        f32x4 power_1 = exp2_flushed(chosen_3 - lanes_6);
        f32x4 power_2 = exp2_flushed(chosen_4 - lanes_7);
        f32x4 power_3 = exp2_flushed(chosen_5 - lanes_4);
        f32x4 power_4 = exp2_flushed(chosen_6 - lanes_5);
        f32x4 power_5 = exp2_flushed(chosen_7 - lanes_6);
        f32x4 power_6 = exp2_flushed(chosen_8 - lanes_7);
        f32x4 power_7 = exp2_flushed(acc - greatest_9);
        // kernels/attention_kernel.go
        acc_0 = acc_0 * power_7;
        f32x4 sum = power + power_3;
        f32x4 sum_0 = power_0 + power_4;
        f32x4 sum_1 = power_1 + power_5;
        f32x4 sum_2 = power_2 + power_6;
        f32x4 lanes_8 = f32x4{sum.x + sum.z + (sum.y + sum.w), sum_0.x + sum_0.z + (sum_0.y + sum_0.w), sum_1.x + sum_1.z + (sum_1.y + sum_1.w), sum_2.x + sum_2.z + (sum_2.y + sum_2.w)};
        f32x4 other_2 = shuffle_xor_1(lanes_8);
        f32x4 sum_3 = lanes_8 + other_2;
        f32x4 other_3 = shuffle_xor_4(sum_3);
        f32x4 sum_4 = sum_3 + other_3;
        f32x4 other_4 = shuffle_xor_16(sum_4);
        acc_0 = acc_0 + (sum_4 + other_4);
        // kernels/attention_kernel.go
        int offset_20 = offset_11 + (k_start2 + lane) * v_stride2;
        int index_26 = offset_20 + lane_2;
        bool both_3 = both_1 && bits_8 < bits_6;
        bool in_bounds_2 = both_3 && less;
        f32x4 v_0 = in_bounds_2 ? *(const f32x4*)&v[index_26] : splat4(0.0f);
        int index_27 = index_26 + v_stride2;
        f32x4 v_1 = in_bounds_2 ? *(const f32x4*)&v[index_27] : splat4(0.0f);
        int index_28 = index_26 + offset_12;
        f32x4 v_2 = in_bounds_2 ? *(const f32x4*)&v[index_28] : splat4(0.0f);
        int index_29 = index_26 + offset_13;
        f32x4 v_3 = in_bounds_2 ? *(const f32x4*)&v[index_29] : splat4(0.0f);
        f32x4 v_4 = in_bounds_2 ? *(const f32x4*)&v[index_26 + 32] : splat4(0.0f);
        f32x4 v_5 = in_bounds_2 ? *(const f32x4*)&v[index_27 + 32] : splat4(0.0f);
        f32x4 v_6 = in_bounds_2 ? *(const f32x4*)&v[index_28 + 32] : splat4(0.0f);
        f32x4 v_7 = in_bounds_2 ? *(const f32x4*)&v[index_29 + 32] : splat4(0.0f);
        // kernels/attention_kernel.go
        f32x4 lanes_9 = f32x4{power_7.x, power_7.x, power_7.x, power_7.x};
        f32x4 lanes_10 = f32x4{power_7.y, power_7.y, power_7.y, power_7.y};
        f32x4 lanes_11 = f32x4{power_7.z, power_7.z, power_7.z, power_7.z};
        f32x4 lanes_12 = f32x4{power_7.w, power_7.w, power_7.w, power_7.w};
        f32x4 product_7 = acc_1 * lanes_9;
        f32x4 product_8 = acc_2 * lanes_10;
        f32x4 product_9 = acc_3 * lanes_11;
        f32x4 product_10 = acc_4 * lanes_12;
        f32x4 product_11 = acc_5 * lanes_9;
        f32x4 product_12 = acc_6 * lanes_10;
        f32x4 product_13 = acc_7 * lanes_11;
        f32x4 product_14 = acc_8 * lanes_12;
        f32x4 lanes_13 = f32x4{power.x, power_0.x, power_1.x, power_2.x};
        __syncthreads();
        *(f32x4*)&tile_a[index_3] = lanes_13;
        f32x4 lanes_14 = f32x4{power.y, power_0.y, power_1.y, power_2.y};
        *(f32x4*)&tile_a[index_4] = lanes_14;
        f32x4 lanes_15 = f32x4{power.z, power_0.z, power_1.z, power_2.z};
        *(f32x4*)&tile_a[index_5] = lanes_15;
        f32x4 lanes_16 = f32x4{power.w, power_0.w, power_1.w, power_2.w};
        *(f32x4*)&tile_a[index_6] = lanes_16;
        f32x4 lanes_17 = f32x4{power_3.x, power_4.x, power_5.x, power_6.x};
        *(f32x4*)&tile_a[index_7] = lanes_17;
        f32x4 lanes_18 = f32x4{power_3.y, power_4.y, power_5.y, power_6.y};
        *(f32x4*)&tile_a[index_8] = lanes_18;
        f32x4 lanes_19 = f32x4{power_3.z, power_4.z, power_5.z, power_6.z};
        *(f32x4*)&tile_a[index_9] = lanes_19;
        f32x4 lanes_20 = f32x4{power_3.w, power_4.w, power_5.w, power_6.w};
        *(f32x4*)&tile_a[index_10] = lanes_20;
        *(f32x4*)&tile_b[index_11] = v_0;
        *(f32x4*)&tile_b[index_12] = v_1;
        *(f32x4*)&tile_b[index_13] = v_2;
        *(f32x4*)&tile_b[index_14] = v_3;
        *(f32x4*)&tile_b[index_15] = v_4;
        *(f32x4*)&tile_b[index_16] = v_5;
        *(f32x4*)&tile_b[index_17] = v_6;
        *(f32x4*)&tile_b[index_18] = v_7;
        __syncthreads();
        float acc_57 = product_7.x;
        float acc_58 = product_7.y;
        float acc_59 = product_7.z;
        float acc_60 = product_7.w;
        float acc_61 = product_11.x;
        float acc_62 = product_11.y;
        float acc_63 = product_11.z;
        float acc_64 = product_11.w;
        float acc_65 = product_12.w;
        float acc_66 = product_12.z;
        float acc_67 = product_12.y;
        float acc_68 = product_12.x;
        float acc_69 = product_8.w;
        float acc_70 = product_8.z;
        float acc_71 = product_8.y;
        float acc_72 = product_8.x;
        float acc_73 = product_9.x;
        float acc_74 = product_9.y;
        float acc_75 = product_9.z;
        float acc_76 = product_9.w;
        float acc_77 = product_13.x;
        float acc_78 = product_13.y;
        float acc_79 = product_13.z;
        float acc_80 = product_13.w;
        float acc_81 = product_14.w;
        float acc_82 = product_14.z;
        float acc_83 = product_14.y;
        float acc_84 = product_14.x;
        float acc_85 = product_10.w;
        float acc_86 = product_10.z;
        float acc_87 = product_10.y;
        float acc_88 = product_10.x;
        #pragma unroll
        for (int i_2 = 0; i_2 < 64; ++i_2) {
            f32x4 tile_a_1 = *(const f32x4*)&tile_a[i_2 * 64 + lane];
            int index_30 = i_2 * 64 + lane_2;
            f32x4 tile_b_2 = *(const f32x4*)&tile_b[index_30];
            f32x4 tile_b_3 = *(const f32x4*)&tile_b[index_30 + 32];
            acc_57 = fmaf(tile_a_1.x, tile_b_2.x, acc_57);
            acc_58 = fmaf(tile_a_1.x, tile_b_2.y, acc_58);
            acc_59 = fmaf(tile_a_1.x, tile_b_2.z, acc_59);
            acc_60 = fmaf(tile_a_1.x, tile_b_2.w, acc_60);
            acc_61 = fmaf(tile_a_1.x, tile_b_3.x, acc_61);
            acc_62 = fmaf(tile_a_1.x, tile_b_3.y, acc_62);
            acc_63 = fmaf(tile_a_1.x, tile_b_3.z, acc_63);
            acc_64 = fmaf(tile_a_1.x, tile_b_3.w, acc_64);
            acc_65 = fmaf(tile_a_1.y, tile_b_3.w, acc_65);
            acc_66 = fmaf(tile_a_1.y, tile_b_3.z, acc_66);
            acc_67 = fmaf(tile_a_1.y, tile_b_3.y, acc_67);
            acc_68 = fmaf(tile_a_1.y, tile_b_3.x, acc_68);
            acc_69 = fmaf(tile_a_1.y, tile_b_2.w, acc_69);
            acc_70 = fmaf(tile_a_1.y, tile_b_2.z, acc_70);
            acc_71 = fmaf(tile_a_1.y, tile_b_2.y, acc_71);
            acc_72 = fmaf(tile_a_1.y, tile_b_2.x, acc_72);
            acc_73 = fmaf(tile_a_1.z, tile_b_2.x, acc_73);
            acc_74 = fmaf(tile_a_1.z, tile_b_2.y, acc_74);
            acc_75 = fmaf(tile_a_1.z, tile_b_2.z, acc_75);
            acc_76 = fmaf(tile_a_1.z, tile_b_2.w, acc_76);
            acc_77 = fmaf(tile_a_1.z, tile_b_3.x, acc_77);
            acc_78 = fmaf(tile_a_1.z, tile_b_3.y, acc_78);
            acc_79 = fmaf(tile_a_1.z, tile_b_3.z, acc_79);
            acc_80 = fmaf(tile_a_1.z, tile_b_3.w, acc_80);
            acc_81 = fmaf(tile_a_1.w, tile_b_3.w, acc_81);
            acc_82 = fmaf(tile_a_1.w, tile_b_3.z, acc_82);
            acc_83 = fmaf(tile_a_1.w, tile_b_3.y, acc_83);
            acc_84 = fmaf(tile_a_1.w, tile_b_3.x, acc_84);
            acc_85 = fmaf(tile_a_1.w, tile_b_2.w, acc_85);
            acc_86 = fmaf(tile_a_1.w, tile_b_2.z, acc_86);
            acc_87 = fmaf(tile_a_1.w, tile_b_2.y, acc_87);
            acc_88 = fmaf(tile_a_1.w, tile_b_2.x, acc_88);
        }
        // kernels/attention_kernel.go
        int index_31 = offset_20 + offset_15;
        bool in_bounds_3 = both_3 && less_0;
        f32x4 v_8 = in_bounds_3 ? *(const f32x4*)&v[index_31] : splat4(0.0f);
        int index_32 = index_31 + v_stride2;
        f32x4 v_9 = in_bounds_3 ? *(const f32x4*)&v[index_32] : splat4(0.0f);
        int index_33 = index_31 + offset_12;
        f32x4 v_10 = in_bounds_3 ? *(const f32x4*)&v[index_33] : splat4(0.0f);
        int index_34 = index_31 + offset_13;
        f32x4 v_11 = in_bounds_3 ? *(const f32x4*)&v[index_34] : splat4(0.0f);
        f32x4 v_12 = in_bounds_3 ? *(const f32x4*)&v[index_31 + 32] : splat4(0.0f);
        f32x4 v_13 = in_bounds_3 ? *(const f32x4*)&v[index_32 + 32] : splat4(0.0f);
        f32x4 v_14 = in_bounds_3 ? *(const f32x4*)&v[index_33 + 32] : splat4(0.0f);
        f32x4 v_15 = in_bounds_3 ? *(const f32x4*)&v[index_34 + 32] : splat4(0.0f);
        // kernels/attention_kernel.go
        f32x4 product_15 = acc_9 * lanes_9;
        f32x4 product_16 = acc_10 * lanes_10;
        f32x4 product_17 = acc_11 * lanes_11;
        f32x4 product_18 = acc_12 * lanes_12;
        f32x4 product_19 = acc_13 * lanes_9;
        f32x4 product_20 = acc_14 * lanes_10;
        f32x4 product_21 = acc_15 * lanes_11;
        f32x4 product_22 = acc_16 * lanes_12;
        __syncthreads();
        *(f32x4*)&tile_a[index_3] = lanes_13;
        *(f32x4*)&tile_a[index_4] = lanes_14;
        *(f32x4*)&tile_a[index_5] = lanes_15;
        *(f32x4*)&tile_a[index_6] = lanes_16;
        *(f32x4*)&tile_a[index_7] = lanes_17;
        *(f32x4*)&tile_a[index_8] = lanes_18;
        *(f32x4*)&tile_a[index_9] = lanes_19;
        *(f32x4*)&tile_a[index_10] = lanes_20;
        *(f32x4*)&tile_b[index_11] = v_8;
        *(f32x4*)&tile_b[index_12] = v_9;
        *(f32x4*)&tile_b[index_13] = v_10;
        *(f32x4*)&tile_b[index_14] = v_11;
        *(f32x4*)&tile_b[index_15] = v_12;
        *(f32x4*)&tile_b[index_16] = v_13;
        *(f32x4*)&tile_b[index_17] = v_14;
        *(f32x4*)&tile_b[index_18] = v_15;
        __syncthreads();
        float acc_89 = product_15.x;
        float acc_90 = product_15.y;
        float acc_91 = product_15.z;
        float acc_92 = product_15.w;
        float acc_93 = product_19.x;
        float acc_94 = product_19.y;
        float acc_95 = product_19.z;
        float acc_96 = product_19.w;
        float acc_97 = product_20.w;
        float acc_98 = product_20.z;
        float acc_99 = product_20.y;
        float acc_100 = product_20.x;
        float acc_101 = product_16.w;
        float acc_102 = product_16.z;
        float acc_103 = product_16.y;
        float acc_104 = product_16.x;
        float acc_105 = product_17.x;
        float acc_106 = product_17.y;
        float acc_107 = product_17.z;
        float acc_108 = product_17.w;
        float acc_109 = product_21.x;
        float acc_110 = product_21.y;
        float acc_111 = product_21.z;
        float acc_112 = product_21.w;
        float acc_113 = product_22.w;
        float acc_114 = product_22.z;
        float acc_115 = product_22.y;
        float acc_116 = product_22.x;
        float acc_117 = product_18.w;
        float acc_118 = product_18.z;
        float acc_119 = product_18.y;
        float acc_120 = product_18.x;
        #pragma unroll
        for (int i_3 = 0; i_3 < 64; ++i_3) {
            f32x4 tile_a_2 = *(const f32x4*)&tile_a[i_3 * 64 + lane];
            int index_35 = i_3 * 64 + lane_2;
            f32x4 tile_b_4 = *(const f32x4*)&tile_b[index_35];
            f32x4 tile_b_5 = *(const f32x4*)&tile_b[index_35 + 32];
            acc_89 = fmaf(tile_a_2.x, tile_b_4.x, acc_89);
            acc_90 = fmaf(tile_a_2.x, tile_b_4.y, acc_90);
            acc_91 = fmaf(tile_a_2.x, tile_b_4.z, acc_91);
            acc_92 = fmaf(tile_a_2.x, tile_b_4.w, acc_92);
            acc_93 = fmaf(tile_a_2.x, tile_b_5.x, acc_93);
            acc_94 = fmaf(tile_a_2.x, tile_b_5.y, acc_94);
            acc_95 = fmaf(tile_a_2.x, tile_b_5.z, acc_95);
            acc_96 = fmaf(tile_a_2.x, tile_b_5.w, acc_96);
            acc_97 = fmaf(tile_a_2.y, tile_b_5.w, acc_97);
            acc_98 = fmaf(tile_a_2.y, tile_b_5.z, acc_98);
            acc_99 = fmaf(tile_a_2.y, tile_b_5.y, acc_99);
            acc_100 = fmaf(tile_a_2.y, tile_b_5.x, acc_100);
            acc_101 = fmaf(tile_a_2.y, tile_b_4.w, acc_101);
            acc_102 = fmaf(tile_a_2.y, tile_b_4.z, acc_102);
            acc_103 = fmaf(tile_a_2.y, tile_b_4.y, acc_103);
            acc_104 = fmaf(tile_a_2.y, tile_b_4.x, acc_104);
            acc_105 = fmaf(tile_a_2.z, tile_b_4.x, acc_105);
            acc_106 = fmaf(tile_a_2.z, tile_b_4.y, acc_106);
            acc_107 = fmaf(tile_a_2.z, tile_b_4.z, acc_107);
            acc_108 = fmaf(tile_a_2.z, tile_b_4.w, acc_108);
            acc_109 = fmaf(tile_a_2.z, tile_b_5.x, acc_109);
            acc_110 = fmaf(tile_a_2.z, tile_b_5.y, acc_110);
            acc_111 = fmaf(tile_a_2.z, tile_b_5.z, acc_111);
            acc_112 = fmaf(tile_a_2.z, tile_b_5.w, acc_112);
            acc_113 = fmaf(tile_a_2.w, tile_b_5.w, acc_113);
            acc_114 = fmaf(tile_a_2.w, tile_b_5.z, acc_114);
            acc_115 = fmaf(tile_a_2.w, tile_b_5.y, acc_115);
            acc_116 = fmaf(tile_a_2.w, tile_b_5.x, acc_116);
            acc_117 = fmaf(tile_a_2.w, tile_b_4.w, acc_117);
            acc_118 = fmaf(tile_a_2.w, tile_b_4.z, acc_118);
            acc_119 = fmaf(tile_a_2.w, tile_b_4.y, acc_119);
            acc_120 = fmaf(tile_a_2.w, tile_b_4.x, acc_120);
        }
        acc = greatest_9;
        acc_1 = f32x4{acc_57, acc_58, acc_59, acc_60};
        acc_2 = f32x4{acc_72, acc_71, acc_70, acc_69};
        acc_3 = f32x4{acc_73, acc_74, acc_75, acc_76};
        acc_4 = f32x4{acc_88, acc_87, acc_86, acc_85};
        acc_5 = f32x4{acc_61, acc_62, acc_63, acc_64};
        acc_6 = f32x4{acc_68, acc_67, acc_66, acc_65};
        acc_7 = f32x4{acc_77, acc_78, acc_79, acc_80};
        acc_8 = f32x4{acc_84, acc_83, acc_82, acc_81};
        acc_9 = f32x4{acc_89, acc_90, acc_91, acc_92};
        acc_10 = f32x4{acc_104, acc_103, acc_102, acc_101};
        acc_11 = f32x4{acc_105, acc_106, acc_107, acc_108};
        acc_12 = f32x4{acc_120, acc_119, acc_118, acc_117};
        acc_13 = f32x4{acc_93, acc_94, acc_95, acc_96};
        acc_14 = f32x4{acc_100, acc_99, acc_98, acc_97};
        acc_15 = f32x4{acc_109, acc_110, acc_111, acc_112};
        acc_16 = f32x4{acc_116, acc_115, acc_114, acc_113};
    }
    // kernels/attention_kernel.go
    boolx4 equal = acc_0 == splat4(0.0f);
    // kernels/attention_kernel.go
    f32x4 quotient_5 = splat4(1.0f) / select(equal, splat4(1.0f), acc_0);
    // kernels/attention_kernel.go
    f32x4 lanes_21 = f32x4{quotient_5.x, quotient_5.x, quotient_5.x, quotient_5.x};
    f32x4 lanes_22 = f32x4{quotient_5.y, quotient_5.y, quotient_5.y, quotient_5.y};
    f32x4 lanes_23 = f32x4{quotient_5.z, quotient_5.z, quotient_5.z, quotient_5.z};
    f32x4 lanes_24 = f32x4{quotient_5.w, quotient_5.w, quotient_5.w, quotient_5.w};
    f32x4 product_23 = acc_1 * lanes_21;
    f32x4 product_24 = acc_2 * lanes_22;
    f32x4 product_25 = acc_3 * lanes_23;
    f32x4 product_26 = acc_4 * lanes_24;
    f32x4 product_27 = acc_5 * lanes_21;
    f32x4 product_28 = acc_6 * lanes_22;
    f32x4 product_29 = acc_7 * lanes_23;
    f32x4 product_30 = acc_8 * lanes_24;
    // kernels/attention_kernel.go
    int offset_21 = out_offset + q_start0 * out_stride0 + q_start1 * out_stride1 + offset_7 * out_stride2;
    int index_36 = offset_21 + lane_2;
    unsigned bits_9 = unsigned(out_size3);
    bool both_4 = bits < unsigned(out_size0) && bits_0 < unsigned(out_size1) && bits_1 < unsigned(out_size2);
    bool in_bounds_4 = both_4 && 0u < bits_9;
    if (in_bounds_4) {
        *(f32x4*)&out[index_36] = product_23;
    }
    int index_37 = index_36 + out_stride2;
    if (in_bounds_4) {
        *(f32x4*)&out[index_37] = product_24;
    }
    int offset_22 = out_stride2 * 2;
    int index_38 = index_36 + offset_22;
    if (in_bounds_4) {
        *(f32x4*)&out[index_38] = product_25;
    }
    int offset_23 = out_stride2 * 3;
    int index_39 = index_36 + offset_23;
    if (in_bounds_4) {
        *(f32x4*)&out[index_39] = product_26;
        *(f32x4*)&out[index_36 + 32] = product_27;
        *(f32x4*)&out[index_37 + 32] = product_28;
        *(f32x4*)&out[index_38 + 32] = product_29;
        *(f32x4*)&out[index_39 + 32] = product_30;
    }
    // kernels/attention_kernel.go
    f32x4 product_31 = acc_9 * lanes_21;
    f32x4 product_32 = acc_10 * lanes_22;
    f32x4 product_33 = acc_11 * lanes_23;
    f32x4 product_34 = acc_12 * lanes_24;
    f32x4 product_35 = acc_13 * lanes_21;
    f32x4 product_36 = acc_14 * lanes_22;
    f32x4 product_37 = acc_15 * lanes_23;
    f32x4 product_38 = acc_16 * lanes_24;
    // kernels/attention_kernel.go
    int index_40 = offset_21 + offset_15;
    bool in_bounds_5 = both_4 && 64u < bits_9;
    if (in_bounds_5) {
        *(f32x4*)&out[index_40] = product_31;
    }
    int index_41 = index_40 + out_stride2;
    if (in_bounds_5) {
        *(f32x4*)&out[index_41] = product_32;
    }
    int index_42 = index_40 + offset_22;
    if (in_bounds_5) {
        *(f32x4*)&out[index_42] = product_33;
    }
    int index_43 = index_40 + offset_23;
    if (in_bounds_5) {
        *(f32x4*)&out[index_43] = product_34;
        *(f32x4*)&out[index_40 + 32] = product_35;
        *(f32x4*)&out[index_41 + 32] = product_36;
        *(f32x4*)&out[index_42 + 32] = product_37;
        *(f32x4*)&out[index_43 + 32] = product_38;
    }
    // kernels/attention_kernel.go
    f32x4 product_39 = (acc + log2f(acc_0)) * splat4(0.6931472f);
    // kernels/attention_kernel.go
    f32x4 chosen_9 = select(equal, splat4(__int_as_float(0xff800000)), product_39);
    // kernels/attention_kernel.go
    int index_44 = lse_offset + q_start0 * lse_stride0 + q_start1 * lse_stride1 + offset_7;
    bool both_5 = bits < unsigned(lse_size0) && bits_0 < unsigned(lse_size1) && bits_1 < unsigned(lse_size2);
    if ((thread & 21) == 0 && both_5) {
        *(f32x4*)&lse[index_44] = chosen_9;
    }
}
