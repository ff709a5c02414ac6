struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(8) f32x2 { float x, y; };
struct alignas(4) boolx4 { bool x, y, z, w; };
struct alignas(8) i32x2 { int x, y; };
struct alignas(2) boolx2 { bool x, y; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline i32x4 splat4(int a) {
    return {a, a, a, a};
}
__device__ inline f32x2 splat2(float a) {
    return {a, a};
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
__device__ inline boolx4 operator<(f32x4 a, f32x4 b) {
    return {a.x < b.x, a.y < b.y, a.z < b.z, a.w < b.w};
}
__device__ inline f32x4 fmaf(f32x4 a, f32x4 b, f32x4 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
}
__device__ inline f32x4 select(boolx4 a, f32x4 b, f32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}
__device__ inline boolx4 operator<(i32x4 a, i32x4 b) {
    return {a.x < b.x, a.y < b.y, a.z < b.z, a.w < b.w};
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
__device__ inline i32x2 splat2(int a) {
    return {a, a};
}
__device__ inline i32x2 operator+(i32x2 a, i32x2 b) {
    return {wrap_add(a.x, b.x), wrap_add(a.y, b.y)};
}
__device__ inline i32x2 min(i32x2 a, i32x2 b) {
    return {min(a.x, b.x), min(a.y, b.y)};
}
__device__ inline f32x2 operator*(f32x2 a, f32x2 b) {
    return {a.x * b.x, a.y * b.y};
}
__device__ inline boolx2 operator<(f32x2 a, f32x2 b) {
    return {a.x < b.x, a.y < b.y};
}
__device__ inline f32x2 fmaf(f32x2 a, f32x2 b, f32x2 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y)};
}
__device__ inline f32x2 select(boolx2 a, f32x2 b, f32x2 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y};
}
__device__ inline boolx2 operator<(i32x2 a, i32x2 b) {
    return {a.x < b.x, a.y < b.y};
}
__device__ inline f32x2 operator-(f32x2 a, f32x2 b) {
    return {a.x - b.x, a.y - b.y};
}
__device__ inline f32x2 exp2_flushed(f32x2 a) {
    return {exp2_flushed(a.x), exp2_flushed(a.y)};
}
__device__ inline boolx2 operator>=(f32x2 a, f32x2 b) {
    return {a.x >= b.x, a.y >= b.y};
}
__device__ inline f32x2 to_f32(boolx2 a) {
    return {float(a.x), float(a.y)};
}
__device__ inline i32x4 as_i32(f32x4 a) {
    return {__float_as_int(a.x), __float_as_int(a.y), __float_as_int(a.z), __float_as_int(a.w)};
}
__device__ inline i32x4 operator&(i32x4 a, i32x4 b) {
    return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w};
}
__device__ inline boolx4 operator==(i32x4 a, i32x4 b) {
    return {a.x == b.x, a.y == b.y, a.z == b.z, a.w == b.w};
}
__device__ inline i32x4 to_i32(f32x4 a) {
    return {__float2int_rz(a.x), __float2int_rz(a.y), __float2int_rz(a.z), __float2int_rz(a.w)};
}
__device__ inline boolx4 operator!=(i32x4 a, i32x4 b) {
    return {a.x != b.x, a.y != b.y, a.z != b.z, a.w != b.w};
}
__device__ inline boolx4 operator>=(i32x4 a, i32x4 b) {
    return {a.x >= b.x, a.y >= b.y, a.z >= b.z, a.w >= b.w};
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
    __shared__ alignas(16) float scratch[4096]; // kernels/attention_kernel.go: operand a of the product (kernels/attention_kernel.go); operand a of the product; partial results of reduce.sum (kernels/attention_hidden.go); the first thread's element (kernels/attention_hidden.go); elements change threads (kernels/attention_hidden.go); operand a of the product (kernels/attention_hidden.go); operand a of the product (kernels/attention_hidden.go)
    __shared__ alignas(16) float tile_b[4096]; // kernels/attention_kernel.go: operand b of the product (kernels/attention_kernel.go); operand b of the product; operand b of the product (kernels/attention_hidden.go); operand b of the product (kernels/attention_hidden.go)
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
    int both = thread & 2;
    int shifted = both << 1;
    int both_0 = thread & 8;
    int shifted_0 = thread >> 1;
    int lane = shifted + both_0 + (shifted_0 & 48);
    i32x4 offset = i32x4{lane, lane + 1, lane + 2, lane + 3} + splat4(q_start2);
    // kernels/attention_kernel.go
    int offset_0 = last + 1;
    // kernels/attention_kernel.go
    i32x4 least = min(offset + splat4(offset_0), splat4(k_size2));
    // kernels/attention_kernel.go
    int greatest = max(min(q_start2 + last + 64, k_size2), 0);
    int quotient_2 = (greatest + 63) / 64;
    // kernels/attention_kernel.go
    int greatest_0 = max(min(q_start2 + offset_0, k_size2), 0);
    int quotient_3 = greatest_0 / 64;
    // kernels/attention_kernel.go
    int quotient_4 = (q_size3 + 31) / 32;
    // kernels/attention_kernel.go
    unsigned bits = unsigned(q_start0);
    unsigned bits_0 = unsigned(q_start1);
    int lane_0 = shifted_0 & 60;
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
    bool both_1 = bits < unsigned(k_size0) && bits_2 < unsigned(k_size1);
    int offset_5 = k_stride2 * 2;
    int offset_6 = k_stride2 * 3;
    // kernels/attention_kernel.go
    int index = lane_1 * 64 + lane_0;
    int index_0 = index + 64;
    int index_1 = index + 128;
    int index_2 = index + 192;
    int both_2 = thread & 1;
    int both_3 = thread & 4;
    int lane_2 = (both_2 << 2) + (both_3 << 1) + (thread & 16);
    // kernels/attention_kernel.go
    // kernels/attention_kernel.go
    int offset_7 = mask_offset + q_start0 * mask_stride0 + q_start1 * mask_stride1;
    int offset_8 = q_start2 + lane;
    int offset_9 = offset_7 + offset_8 * mask_stride2;
    unsigned bits_5 = unsigned(mask_size3);
    bool both_4 = bits < unsigned(mask_size0) && bits_0 < unsigned(mask_size1) && bits_1 < unsigned(mask_size2);
    int offset_10 = mask_stride2 * 2;
    int offset_11 = mask_stride2 * 3;
    // kernels/attention_kernel.go
    int offset_12 = v_offset + q_start0 * v_stride0 + k_start1 * v_stride1;
    unsigned bits_6 = unsigned(v_size2);
    unsigned bits_7 = unsigned(v_size3);
    bool less = 0u < bits_7;
    bool both_5 = bits < unsigned(v_size0) && bits_2 < unsigned(v_size1);
    int offset_13 = v_stride2 * 2;
    int offset_14 = v_stride2 * 3;
    int offset_15 = lane_2 + 32;
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
    int offset_16 = 64 + lane_2;
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
        int offset_17 = offset_4 + (k_start2 + lane_0) * k_stride2;
        unsigned bits_8 = unsigned(k_start2);
        bool both_6 = both_1 && bits_8 < bits_3;
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
            int offset_18 = q_start3 + lane_1;
            int index_19 = offset_1 + offset_18;
            f32x4 q_0 = in_bounds ? *(const f32x4*)&q[index_19] : splat4(0.0f);
            f32x4 q_1 = in_bounds ? *(const f32x4*)&q[index_19 + q_stride2] : splat4(0.0f);
            f32x4 q_2 = in_bounds ? *(const f32x4*)&q[index_19 + offset_2] : splat4(0.0f);
            f32x4 q_3 = in_bounds ? *(const f32x4*)&q[index_19 + offset_3] : splat4(0.0f);
            // kernels/attention_kernel.go
            int index_20 = offset_17 + offset_18;
            bool in_bounds_0 = both_6 && unsigned(q_start3) < bits_4;
            f32x4 k_0 = in_bounds_0 ? *(const f32x4*)&k[index_20] : splat4(0.0f);
            f32x4 k_1 = in_bounds_0 ? *(const f32x4*)&k[index_20 + k_stride2] : splat4(0.0f);
            f32x4 k_2 = in_bounds_0 ? *(const f32x4*)&k[index_20 + offset_5] : splat4(0.0f);
            f32x4 k_3 = in_bounds_0 ? *(const f32x4*)&k[index_20 + offset_6] : splat4(0.0f);
            // kernels/attention_kernel.go
            __syncthreads();
            *(f32x4*)&scratch[index] = f32x4{q_0.x, q_1.x, q_2.x, q_3.x};
            *(f32x4*)&scratch[index_0] = f32x4{q_0.y, q_1.y, q_2.y, q_3.y};
            *(f32x4*)&scratch[index_1] = f32x4{q_0.z, q_1.z, q_2.z, q_3.z};
            *(f32x4*)&scratch[index_2] = f32x4{q_0.w, q_1.w, q_2.w, q_3.w};
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
                f32x4 tile_a = *(const f32x4*)&scratch[i_1 * 64 + lane];
                int index_21 = i_1 * 64 + lane_2;
                f32x4 tile_b_0 = *(const f32x4*)&tile_b[index_21];
                f32x4 tile_b_1 = *(const f32x4*)&tile_b[index_21 + 32];
                acc_25 = fmaf(tile_a.x, tile_b_0.x, acc_25);
                acc_26 = fmaf(tile_a.x, tile_b_0.y, acc_26);
                acc_27 = fmaf(tile_a.x, tile_b_0.z, acc_27);
                acc_28 = fmaf(tile_a.x, tile_b_0.w, acc_28);
                acc_29 = fmaf(tile_a.x, tile_b_1.x, acc_29);
                acc_30 = fmaf(tile_a.x, tile_b_1.y, acc_30);
                acc_31 = fmaf(tile_a.x, tile_b_1.z, acc_31);
                acc_32 = fmaf(tile_a.x, tile_b_1.w, acc_32);
                acc_33 = fmaf(tile_a.y, tile_b_1.w, acc_33);
                acc_34 = fmaf(tile_a.y, tile_b_1.z, acc_34);
                acc_35 = fmaf(tile_a.y, tile_b_1.y, acc_35);
                acc_36 = fmaf(tile_a.y, tile_b_1.x, acc_36);
                acc_37 = fmaf(tile_a.y, tile_b_0.w, acc_37);
                acc_38 = fmaf(tile_a.y, tile_b_0.z, acc_38);
                acc_39 = fmaf(tile_a.y, tile_b_0.y, acc_39);
                acc_40 = fmaf(tile_a.y, tile_b_0.x, acc_40);
                acc_41 = fmaf(tile_a.z, tile_b_0.x, acc_41);
                acc_42 = fmaf(tile_a.z, tile_b_0.y, acc_42);
                acc_43 = fmaf(tile_a.z, tile_b_0.z, acc_43);
                acc_44 = fmaf(tile_a.z, tile_b_0.w, acc_44);
                acc_45 = fmaf(tile_a.z, tile_b_1.x, acc_45);
                acc_46 = fmaf(tile_a.z, tile_b_1.y, acc_46);
                acc_47 = fmaf(tile_a.z, tile_b_1.z, acc_47);
                acc_48 = fmaf(tile_a.z, tile_b_1.w, acc_48);
                acc_49 = fmaf(tile_a.w, tile_b_1.w, acc_49);
                acc_50 = fmaf(tile_a.w, tile_b_1.z, acc_50);
                acc_51 = fmaf(tile_a.w, tile_b_1.y, acc_51);
                acc_52 = fmaf(tile_a.w, tile_b_1.x, acc_52);
                acc_53 = fmaf(tile_a.w, tile_b_0.w, acc_53);
                acc_54 = fmaf(tile_a.w, tile_b_0.z, acc_54);
                acc_55 = fmaf(tile_a.w, tile_b_0.y, acc_55);
                acc_56 = fmaf(tile_a.w, tile_b_0.x, acc_56);
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
        int index_22 = offset_9 + k_start2 + lane_2;
        bool in_bounds_1 = both_4 && bits_8 < bits_5;
        f32x4 mask_0 = in_bounds_1 ? *(const f32x4*)&mask[index_22] : splat4(0.0f);
        int index_23 = index_22 + mask_stride2;
        f32x4 mask_1 = in_bounds_1 ? *(const f32x4*)&mask[index_23] : splat4(0.0f);
        int index_24 = index_22 + offset_10;
        f32x4 mask_2 = in_bounds_1 ? *(const f32x4*)&mask[index_24] : splat4(0.0f);
        int index_25 = index_22 + offset_11;
        f32x4 mask_3 = in_bounds_1 ? *(const f32x4*)&mask[index_25] : splat4(0.0f);
        f32x4 mask_4 = in_bounds_1 ? *(const f32x4*)&mask[index_22 + 32] : splat4(0.0f);
        f32x4 mask_5 = in_bounds_1 ? *(const f32x4*)&mask[index_23 + 32] : splat4(0.0f);
        f32x4 mask_6 = in_bounds_1 ? *(const f32x4*)&mask[index_24 + 32] : splat4(0.0f);
        f32x4 mask_7 = in_bounds_1 ? *(const f32x4*)&mask[index_25 + 32] : splat4(0.0f);
        // kernels/attention_kernel.go
        f32x4 chosen_1 = select((mask_0 < splat4(-3.4028235e+38f)), splat4(__int_as_float(0xff800000)), fmaf(mask_0, splat4(1.442695f), product));
        f32x4 chosen_2 = select((mask_1 < splat4(-3.4028235e+38f)), splat4(__int_as_float(0xff800000)), fmaf(mask_1, splat4(1.442695f), product_0));
        f32x4 chosen_3 = select((mask_2 < splat4(-3.4028235e+38f)), splat4(__int_as_float(0xff800000)), fmaf(mask_2, splat4(1.442695f), product_1));
        f32x4 chosen_4 = select((mask_3 < splat4(-3.4028235e+38f)), splat4(__int_as_float(0xff800000)), fmaf(mask_3, splat4(1.442695f), product_2));
        f32x4 chosen_5 = select((mask_4 < splat4(-3.4028235e+38f)), splat4(__int_as_float(0xff800000)), fmaf(mask_4, splat4(1.442695f), product_3));
        f32x4 chosen_6 = select((mask_5 < splat4(-3.4028235e+38f)), splat4(__int_as_float(0xff800000)), fmaf(mask_5, splat4(1.442695f), product_4));
        f32x4 chosen_7 = select((mask_6 < splat4(-3.4028235e+38f)), splat4(__int_as_float(0xff800000)), fmaf(mask_6, splat4(1.442695f), product_5));
        f32x4 chosen_8 = select((mask_7 < splat4(-3.4028235e+38f)), splat4(__int_as_float(0xff800000)), fmaf(mask_7, splat4(1.442695f), product_6));
        // kernels/attention_kernel.go
        bool at_least = i >= quotient_3;
        // kernels/attention_kernel.go
        f32x4 chosen_9 = chosen_1;
        f32x4 chosen_10 = chosen_2;
        f32x4 chosen_11 = chosen_3;
        f32x4 chosen_12 = chosen_4;
        f32x4 chosen_13 = chosen_5;
        f32x4 chosen_14 = chosen_6;
        f32x4 chosen_15 = chosen_7;
        f32x4 chosen_16 = chosen_8;
        if (at_least) {
            // kernels/attention_kernel.go
            i32x4 offset_19 = i32x4{lane_2, lane_2 + 1, lane_2 + 2, lane_2 + 3} + splat4(k_start2);
            i32x4 offset_20 = i32x4{offset_15, lane_2 + 33, lane_2 + 34, lane_2 + 35} + splat4(k_start2);
            // kernels/attention_kernel.go
            i32x4 lanes = i32x4{least.x, least.x, least.x, least.x};
            i32x4 lanes_0 = i32x4{least.y, least.y, least.y, least.y};
            i32x4 lanes_1 = i32x4{least.z, least.z, least.z, least.z};
            i32x4 lanes_2 = i32x4{least.w, least.w, least.w, least.w};
            boolx4 less_1 = offset_19 < lanes;
            boolx4 less_2 = offset_19 < lanes_0;
            boolx4 less_3 = offset_19 < lanes_1;
            boolx4 less_4 = offset_19 < lanes_2;
            boolx4 less_5 = offset_20 < lanes;
            boolx4 less_6 = offset_20 < lanes_0;
            boolx4 less_7 = offset_20 < lanes_1;
            boolx4 less_8 = offset_20 < lanes_2;
            chosen_9 = select(less_1, chosen_1, splat4(__int_as_float(0xff800000)));
            chosen_10 = select(less_2, chosen_2, splat4(__int_as_float(0xff800000)));
            chosen_11 = select(less_3, chosen_3, splat4(__int_as_float(0xff800000)));
            chosen_12 = select(less_4, chosen_4, splat4(__int_as_float(0xff800000)));
            chosen_13 = select(less_5, chosen_5, splat4(__int_as_float(0xff800000)));
            chosen_14 = select(less_6, chosen_6, splat4(__int_as_float(0xff800000)));
            chosen_15 = select(less_7, chosen_7, splat4(__int_as_float(0xff800000)));
            chosen_16 = select(less_8, chosen_8, splat4(__int_as_float(0xff800000)));
        }
        // kernels/attention_kernel.go
        f32x4 greatest_1 = fmaxf(chosen_9, chosen_13);
        f32x4 greatest_2 = fmaxf(chosen_10, chosen_14);
        f32x4 greatest_3 = fmaxf(chosen_11, chosen_15);
        f32x4 greatest_4 = fmaxf(chosen_12, chosen_16);
        float greatest_5 = fmaxf(fmaxf(greatest_1.x, greatest_1.z), fmaxf(greatest_1.y, greatest_1.w));
        float greatest_6 = fmaxf(fmaxf(greatest_2.x, greatest_2.z), fmaxf(greatest_2.y, greatest_2.w));
        float greatest_7 = fmaxf(fmaxf(greatest_3.x, greatest_3.z), fmaxf(greatest_3.y, greatest_3.w));
        float greatest_8 = fmaxf(fmaxf(greatest_4.x, greatest_4.z), fmaxf(greatest_4.y, greatest_4.w));
        f32x4 lanes_3 = f32x4{greatest_5, greatest_6, greatest_7, greatest_8};
        f32x4 other = shuffle_xor_1(lanes_3);
        f32x4 greatest_9 = fmaxf(lanes_3, other);
        f32x4 other_0 = shuffle_xor_4(greatest_9);
        f32x4 greatest_10 = fmaxf(greatest_9, other_0);
        f32x4 other_1 = shuffle_xor_16(greatest_10);
        f32x4 greatest_11 = fmaxf(acc, fmaxf(greatest_10, other_1));
        // kernels/attention_kernel.go
        f32x4 lanes_4 = f32x4{greatest_11.x, greatest_11.x, greatest_11.x, greatest_11.x};
        f32x4 lanes_5 = f32x4{greatest_11.y, greatest_11.y, greatest_11.y, greatest_11.y};
        f32x4 lanes_6 = f32x4{greatest_11.z, greatest_11.z, greatest_11.z, greatest_11.z};
        f32x4 lanes_7 = f32x4{greatest_11.w, greatest_11.w, greatest_11.w, greatest_11.w};
        f32x4 power = exp2_flushed(chosen_9 - lanes_4);
        f32x4 power_0 = exp2_flushed(chosen_10 - lanes_5);
        f32x4 power_1 = exp2_flushed(chosen_11 - lanes_6);
        f32x4 power_2 = exp2_flushed(chosen_12 - lanes_7);
        f32x4 power_3 = exp2_flushed(chosen_13 - lanes_4);
        f32x4 power_4 = exp2_flushed(chosen_14 - lanes_5);
        f32x4 power_5 = exp2_flushed(chosen_15 - lanes_6);
        f32x4 power_6 = exp2_flushed(chosen_16 - lanes_7);
        f32x4 power_7 = exp2_flushed(acc - greatest_11);
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
        int offset_21 = offset_12 + (k_start2 + lane) * v_stride2;
        int index_26 = offset_21 + lane_2;
        bool both_7 = both_5 && bits_8 < bits_6;
        bool in_bounds_2 = both_7 && less;
        f32x4 v_0 = in_bounds_2 ? *(const f32x4*)&v[index_26] : splat4(0.0f);
        int index_27 = index_26 + v_stride2;
        f32x4 v_1 = in_bounds_2 ? *(const f32x4*)&v[index_27] : splat4(0.0f);
        int index_28 = index_26 + offset_13;
        f32x4 v_2 = in_bounds_2 ? *(const f32x4*)&v[index_28] : splat4(0.0f);
        int index_29 = index_26 + offset_14;
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
        *(f32x4*)&scratch[index_3] = lanes_13;
        f32x4 lanes_14 = f32x4{power.y, power_0.y, power_1.y, power_2.y};
        *(f32x4*)&scratch[index_4] = lanes_14;
        f32x4 lanes_15 = f32x4{power.z, power_0.z, power_1.z, power_2.z};
        *(f32x4*)&scratch[index_5] = lanes_15;
        f32x4 lanes_16 = f32x4{power.w, power_0.w, power_1.w, power_2.w};
        *(f32x4*)&scratch[index_6] = lanes_16;
        f32x4 lanes_17 = f32x4{power_3.x, power_4.x, power_5.x, power_6.x};
        *(f32x4*)&scratch[index_7] = lanes_17;
        f32x4 lanes_18 = f32x4{power_3.y, power_4.y, power_5.y, power_6.y};
        *(f32x4*)&scratch[index_8] = lanes_18;
        f32x4 lanes_19 = f32x4{power_3.z, power_4.z, power_5.z, power_6.z};
        *(f32x4*)&scratch[index_9] = lanes_19;
        f32x4 lanes_20 = f32x4{power_3.w, power_4.w, power_5.w, power_6.w};
        *(f32x4*)&scratch[index_10] = lanes_20;
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
            f32x4 tile_a_0 = *(const f32x4*)&scratch[i_2 * 64 + lane];
            int index_30 = i_2 * 64 + lane_2;
            f32x4 tile_b_2 = *(const f32x4*)&tile_b[index_30];
            f32x4 tile_b_3 = *(const f32x4*)&tile_b[index_30 + 32];
            acc_57 = fmaf(tile_a_0.x, tile_b_2.x, acc_57);
            acc_58 = fmaf(tile_a_0.x, tile_b_2.y, acc_58);
            acc_59 = fmaf(tile_a_0.x, tile_b_2.z, acc_59);
            acc_60 = fmaf(tile_a_0.x, tile_b_2.w, acc_60);
            acc_61 = fmaf(tile_a_0.x, tile_b_3.x, acc_61);
            acc_62 = fmaf(tile_a_0.x, tile_b_3.y, acc_62);
            acc_63 = fmaf(tile_a_0.x, tile_b_3.z, acc_63);
            acc_64 = fmaf(tile_a_0.x, tile_b_3.w, acc_64);
            acc_65 = fmaf(tile_a_0.y, tile_b_3.w, acc_65);
            acc_66 = fmaf(tile_a_0.y, tile_b_3.z, acc_66);
            acc_67 = fmaf(tile_a_0.y, tile_b_3.y, acc_67);
            acc_68 = fmaf(tile_a_0.y, tile_b_3.x, acc_68);
            acc_69 = fmaf(tile_a_0.y, tile_b_2.w, acc_69);
            acc_70 = fmaf(tile_a_0.y, tile_b_2.z, acc_70);
            acc_71 = fmaf(tile_a_0.y, tile_b_2.y, acc_71);
            acc_72 = fmaf(tile_a_0.y, tile_b_2.x, acc_72);
            acc_73 = fmaf(tile_a_0.z, tile_b_2.x, acc_73);
            acc_74 = fmaf(tile_a_0.z, tile_b_2.y, acc_74);
            acc_75 = fmaf(tile_a_0.z, tile_b_2.z, acc_75);
            acc_76 = fmaf(tile_a_0.z, tile_b_2.w, acc_76);
            acc_77 = fmaf(tile_a_0.z, tile_b_3.x, acc_77);
            acc_78 = fmaf(tile_a_0.z, tile_b_3.y, acc_78);
            acc_79 = fmaf(tile_a_0.z, tile_b_3.z, acc_79);
            acc_80 = fmaf(tile_a_0.z, tile_b_3.w, acc_80);
            acc_81 = fmaf(tile_a_0.w, tile_b_3.w, acc_81);
            acc_82 = fmaf(tile_a_0.w, tile_b_3.z, acc_82);
            acc_83 = fmaf(tile_a_0.w, tile_b_3.y, acc_83);
            acc_84 = fmaf(tile_a_0.w, tile_b_3.x, acc_84);
            acc_85 = fmaf(tile_a_0.w, tile_b_2.w, acc_85);
            acc_86 = fmaf(tile_a_0.w, tile_b_2.z, acc_86);
            acc_87 = fmaf(tile_a_0.w, tile_b_2.y, acc_87);
            acc_88 = fmaf(tile_a_0.w, tile_b_2.x, acc_88);
        }
        // kernels/attention_kernel.go
        int index_31 = offset_21 + offset_16;
        bool in_bounds_3 = both_7 && less_0;
        f32x4 v_8 = in_bounds_3 ? *(const f32x4*)&v[index_31] : splat4(0.0f);
        int index_32 = index_31 + v_stride2;
        f32x4 v_9 = in_bounds_3 ? *(const f32x4*)&v[index_32] : splat4(0.0f);
        int index_33 = index_31 + offset_13;
        f32x4 v_10 = in_bounds_3 ? *(const f32x4*)&v[index_33] : splat4(0.0f);
        int index_34 = index_31 + offset_14;
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
        *(f32x4*)&scratch[index_3] = lanes_13;
        *(f32x4*)&scratch[index_4] = lanes_14;
        *(f32x4*)&scratch[index_5] = lanes_15;
        *(f32x4*)&scratch[index_6] = lanes_16;
        *(f32x4*)&scratch[index_7] = lanes_17;
        *(f32x4*)&scratch[index_8] = lanes_18;
        *(f32x4*)&scratch[index_9] = lanes_19;
        *(f32x4*)&scratch[index_10] = lanes_20;
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
            f32x4 tile_a_1 = *(const f32x4*)&scratch[i_3 * 64 + lane];
            int index_35 = i_3 * 64 + lane_2;
            f32x4 tile_b_4 = *(const f32x4*)&tile_b[index_35];
            f32x4 tile_b_5 = *(const f32x4*)&tile_b[index_35 + 32];
            acc_89 = fmaf(tile_a_1.x, tile_b_4.x, acc_89);
            acc_90 = fmaf(tile_a_1.x, tile_b_4.y, acc_90);
            acc_91 = fmaf(tile_a_1.x, tile_b_4.z, acc_91);
            acc_92 = fmaf(tile_a_1.x, tile_b_4.w, acc_92);
            acc_93 = fmaf(tile_a_1.x, tile_b_5.x, acc_93);
            acc_94 = fmaf(tile_a_1.x, tile_b_5.y, acc_94);
            acc_95 = fmaf(tile_a_1.x, tile_b_5.z, acc_95);
            acc_96 = fmaf(tile_a_1.x, tile_b_5.w, acc_96);
            acc_97 = fmaf(tile_a_1.y, tile_b_5.w, acc_97);
            acc_98 = fmaf(tile_a_1.y, tile_b_5.z, acc_98);
            acc_99 = fmaf(tile_a_1.y, tile_b_5.y, acc_99);
            acc_100 = fmaf(tile_a_1.y, tile_b_5.x, acc_100);
            acc_101 = fmaf(tile_a_1.y, tile_b_4.w, acc_101);
            acc_102 = fmaf(tile_a_1.y, tile_b_4.z, acc_102);
            acc_103 = fmaf(tile_a_1.y, tile_b_4.y, acc_103);
            acc_104 = fmaf(tile_a_1.y, tile_b_4.x, acc_104);
            acc_105 = fmaf(tile_a_1.z, tile_b_4.x, acc_105);
            acc_106 = fmaf(tile_a_1.z, tile_b_4.y, acc_106);
            acc_107 = fmaf(tile_a_1.z, tile_b_4.z, acc_107);
            acc_108 = fmaf(tile_a_1.z, tile_b_4.w, acc_108);
            acc_109 = fmaf(tile_a_1.z, tile_b_5.x, acc_109);
            acc_110 = fmaf(tile_a_1.z, tile_b_5.y, acc_110);
            acc_111 = fmaf(tile_a_1.z, tile_b_5.z, acc_111);
            acc_112 = fmaf(tile_a_1.z, tile_b_5.w, acc_112);
            acc_113 = fmaf(tile_a_1.w, tile_b_5.w, acc_113);
            acc_114 = fmaf(tile_a_1.w, tile_b_5.z, acc_114);
            acc_115 = fmaf(tile_a_1.w, tile_b_5.y, acc_115);
            acc_116 = fmaf(tile_a_1.w, tile_b_5.x, acc_116);
            acc_117 = fmaf(tile_a_1.w, tile_b_4.w, acc_117);
            acc_118 = fmaf(tile_a_1.w, tile_b_4.z, acc_118);
            acc_119 = fmaf(tile_a_1.w, tile_b_4.y, acc_119);
            acc_120 = fmaf(tile_a_1.w, tile_b_4.x, acc_120);
        }
        acc = greatest_11;
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
    // kernels/attention_hidden.go
    f32x4 sum_5 = acc_1 + acc_5;
    f32x4 sum_6 = acc_2 + acc_6;
    f32x4 sum_7 = acc_3 + acc_7;
    f32x4 sum_8 = acc_4 + acc_8;
    f32x4 lanes_21 = f32x4{sum_5.x + sum_5.z + (sum_5.y + sum_5.w), sum_6.x + sum_6.z + (sum_6.y + sum_6.w), sum_7.x + sum_7.z + (sum_7.y + sum_7.w), sum_8.x + sum_8.z + (sum_8.y + sum_8.w)};
    f32x4 other_5 = shuffle_xor_1(lanes_21);
    f32x4 sum_9 = lanes_21 + other_5;
    f32x4 other_6 = shuffle_xor_4(sum_9);
    f32x4 sum_10 = sum_9 + other_6;
    f32x4 other_7 = shuffle_xor_16(sum_10);
    f32x4 sum_11 = sum_10 + other_7;
    float sum_12 = sum_11.x + sum_11.z + (sum_11.y + sum_11.w);
    float other_8 = __shfl_xor_sync(0xffffffffu, sum_12, 2);
    float sum_13 = sum_12 + other_8;
    float other_9 = __shfl_xor_sync(0xffffffffu, sum_13, 8);
    int lane_3 = thread & 31;
    bool in_bounds_4 = lane_3 == 0;
    int index_36 = thread >> 5;
    __syncthreads();
    if (in_bounds_4) {
        scratch[index_36] = sum_13 + other_9;
    }
    __syncthreads();
    float parts = scratch[0];
    float parts_0 = scratch[1];
    float parts_1 = scratch[2];
    float parts_2 = scratch[3];
    f32x4 sum_14 = acc_9 + acc_13;
    f32x4 sum_15 = acc_10 + acc_14;
    f32x4 sum_16 = acc_11 + acc_15;
    f32x4 sum_17 = acc_12 + acc_16;
    f32x4 lanes_22 = f32x4{sum_14.x + sum_14.z + (sum_14.y + sum_14.w), sum_15.x + sum_15.z + (sum_15.y + sum_15.w), sum_16.x + sum_16.z + (sum_16.y + sum_16.w), sum_17.x + sum_17.z + (sum_17.y + sum_17.w)};
    f32x4 other_10 = shuffle_xor_1(lanes_22);
    f32x4 sum_18 = lanes_22 + other_10;
    f32x4 other_11 = shuffle_xor_4(sum_18);
    f32x4 sum_19 = sum_18 + other_11;
    f32x4 other_12 = shuffle_xor_16(sum_19);
    f32x4 sum_20 = sum_19 + other_12;
    float sum_21 = sum_20.x + sum_20.z + (sum_20.y + sum_20.w);
    float other_13 = __shfl_xor_sync(0xffffffffu, sum_21, 2);
    float sum_22 = sum_21 + other_13;
    float other_14 = __shfl_xor_sync(0xffffffffu, sum_22, 8);
    __syncthreads();
    if (in_bounds_4) {
        scratch[index_36] = sum_22 + other_14;
    }
    __syncthreads();
    float parts_3 = scratch[0];
    float parts_4 = scratch[1];
    float parts_5 = scratch[2];
    float parts_6 = scratch[3];
    float sum_23 = 0.0f + (parts + parts_0 + parts_1 + parts_2) + (parts_3 + parts_4 + parts_5 + parts_6);
    // kernels/attention_hidden.go
    __syncthreads();
    if (thread == 0) {
        scratch[0] = sum_23;
    }
    __syncthreads();
    float scalar = scratch[0];
    // kernels/attention_hidden.go
    bool equal = (__float_as_int(scalar) & 2139095040) == 2139095040;
    // kernels/attention_hidden.go
    f32x4 acc_121 = acc_1;
    f32x4 acc_122 = acc_2;
    f32x4 acc_123 = acc_3;
    f32x4 acc_124 = acc_4;
    f32x4 acc_125 = acc_5;
    f32x4 acc_126 = acc_6;
    f32x4 acc_127 = acc_7;
    f32x4 acc_128 = acc_8;
    f32x4 acc_129 = acc_9;
    f32x4 acc_130 = acc_10;
    f32x4 acc_131 = acc_11;
    f32x4 acc_132 = acc_12;
    f32x4 acc_133 = acc_13;
    f32x4 acc_134 = acc_14;
    f32x4 acc_135 = acc_15;
    f32x4 acc_136 = acc_16;
    if (equal) {
        // kernels/attention_kernel.go
        int lane_4 = both + lane_0;
        i32x2 offset_22 = i32x2{lane_4, lane_4 + 1} + splat2(q_start2);
        // kernels/attention_kernel.go
        i32x2 least_0 = min(offset_22 + splat2(offset_0), splat2(k_size2));
        // kernels/attention_kernel.go
        int quotient_5 = (greatest + 7) / 8;
        // kernels/attention_kernel.go
        int quotient_6 = greatest_0 / 8;
        // kernels/attention_hidden.go
        __syncthreads();
        if ((thread & 21) == 0) {
            *(f32x4*)&scratch[lane] = acc;
        }
        __syncthreads();
        f32x2 exchange = *(const f32x2*)&scratch[lane_4];
        // kernels/attention_kernel.go
        int lane_5 = thread >> 4;
        int lane_6 = lane_5 & 6;
        // kernels/attention_kernel.go
        int index_37 = lane_3 * 8 + lane_6;
        int lane_7 = (both_2 << 1) + both_3;
        // kernels/attention_kernel.go
        // kernels/attention_kernel.go
        int offset_23 = offset_7 + (q_start2 + lane_4) * mask_stride2;
        // kernels/attention_kernel.go
        f32x2 lanes_23 = f32x2{exchange.x, exchange.x};
        f32x2 lanes_24 = f32x2{exchange.y, exchange.y};
        // kernels/attention_hidden.go
        int lane_8 = (thread & 15) << 2;
        // kernels/attention_hidden.go
        int index_38 = lane_7 * 8 + both + (shifted_0 & 4) + ((thread & 112) << 2);
        int index_39 = index_38 + 8;
        int index_40 = lane_5 * 64 + lane_8;
        int offset_24 = shifted + (both_0 << 3) + ((thread & 96) << 2);
        // kernels/attention_hidden.go
        int offset_25 = 64 + lane_8;
        // kernels/attention_hidden.go
        f32x4 carried = splat4(0.0f);
        f32x4 carried_0 = splat4(0.0f);
        f32x4 carried_1 = splat4(0.0f);
        f32x4 carried_2 = splat4(0.0f);
        f32x4 carried_3 = splat4(0.0f);
        f32x4 carried_4 = splat4(0.0f);
        f32x4 carried_5 = splat4(0.0f);
        f32x4 carried_6 = splat4(0.0f);
        f32x4 carried_7 = splat4(0.0f);
        f32x4 carried_8 = splat4(0.0f);
        f32x4 carried_9 = splat4(0.0f);
        f32x4 carried_10 = splat4(0.0f);
        f32x4 carried_11 = splat4(0.0f);
        f32x4 carried_12 = splat4(0.0f);
        f32x4 carried_13 = splat4(0.0f);
        f32x4 carried_14 = splat4(0.0f);
        int carried_15 = 0;
        while (true) {
            if (!(carried_15 < quotient_5)) {
                break;
            }
            // kernels/attention_kernel.go
            int k_start2_0 = (unsigned(carried_15) < 268435456u ? carried_15 : -1) * 8;
            int offset_26 = offset_4 + (k_start2_0 + lane_6) * k_stride2;
            unsigned bits_9 = unsigned(k_start2_0);
            bool both_8 = both_1 && bits_9 < bits_3;
            // kernels/attention_kernel.go
            f32x2 acc_137 = splat2(0.0f);
            f32x2 acc_138 = splat2(0.0f);
            for (int i_4 = 0; i_4 < quotient_4; ++i_4) {
                // kernels/attention_kernel.go
                int q_start3_0 = i_4 * 32;
                int index_41 = offset_1 + q_start3_0 + lane_1;
                f32x4 q_4 = in_bounds ? *(const f32x4*)&q[index_41] : splat4(0.0f);
                f32x4 q_5 = in_bounds ? *(const f32x4*)&q[index_41 + q_stride2] : splat4(0.0f);
                f32x4 q_6 = in_bounds ? *(const f32x4*)&q[index_41 + offset_2] : splat4(0.0f);
                f32x4 q_7 = in_bounds ? *(const f32x4*)&q[index_41 + offset_3] : splat4(0.0f);
                // kernels/attention_kernel.go
                int index_42 = offset_26 + q_start3_0 + lane_3;
                bool in_bounds_5 = both_8 && unsigned(q_start3_0) < bits_4;
                float k_4 = in_bounds_5 ? k[index_42] : 0.0f;
                float k_5 = in_bounds_5 ? k[index_42 + k_stride2] : 0.0f;
                f32x2 lanes_25 = f32x2{k_4, k_5};
                // kernels/attention_kernel.go
                __syncthreads();
                *(f32x4*)&scratch[index] = f32x4{q_4.x, q_5.x, q_6.x, q_7.x};
                *(f32x4*)&scratch[index_0] = f32x4{q_4.y, q_5.y, q_6.y, q_7.y};
                *(f32x4*)&scratch[index_1] = f32x4{q_4.z, q_5.z, q_6.z, q_7.z};
                *(f32x4*)&scratch[index_2] = f32x4{q_4.w, q_5.w, q_6.w, q_7.w};
                *(f32x2*)&tile_b[index_37] = lanes_25;
                __syncthreads();
                float acc_139 = acc_137.x;
                float acc_140 = acc_137.y;
                float acc_141 = acc_138.y;
                float acc_142 = acc_138.x;
                #pragma unroll
                for (int i_5 = 0; i_5 < 32; ++i_5) {
                    f32x2 tile_a_2 = *(const f32x2*)&scratch[i_5 * 64 + lane_4];
                    f32x2 tile_b_6 = *(const f32x2*)&tile_b[i_5 * 8 + lane_7];
                    acc_139 = fmaf(tile_a_2.x, tile_b_6.x, acc_139);
                    acc_140 = fmaf(tile_a_2.x, tile_b_6.y, acc_140);
                    acc_141 = fmaf(tile_a_2.y, tile_b_6.y, acc_141);
                    acc_142 = fmaf(tile_a_2.y, tile_b_6.x, acc_142);
                }
                acc_137 = f32x2{acc_139, acc_140};
                acc_138 = f32x2{acc_142, acc_141};
            }
            // kernels/attention_kernel.go
            f32x2 product_23 = acc_137 * splat2(scale);
            f32x2 product_24 = acc_138 * splat2(scale);
            // kernels/attention_kernel.go
            int index_43 = offset_23 + k_start2_0 + lane_7;
            bool in_bounds_6 = both_4 && bits_9 < bits_5;
            f32x2 mask_8 = in_bounds_6 ? *(const f32x2*)&mask[index_43] : splat2(0.0f);
            f32x2 mask_9 = in_bounds_6 ? *(const f32x2*)&mask[index_43 + mask_stride2] : splat2(0.0f);
            // kernels/attention_kernel.go
            f32x2 chosen_17 = select((mask_8 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(mask_8, splat2(1.442695f), product_23));
            f32x2 chosen_18 = select((mask_9 < splat2(-3.4028235e+38f)), splat2(__int_as_float(0xff800000)), fmaf(mask_9, splat2(1.442695f), product_24));
            // kernels/attention_kernel.go
            bool at_least_0 = carried_15 >= quotient_6;
            // kernels/attention_kernel.go
            f32x2 chosen_19 = chosen_17;
            f32x2 chosen_20 = chosen_18;
            if (at_least_0) {
                // kernels/attention_kernel.go
                i32x2 offset_27 = i32x2{lane_7, lane_7 + 1} + splat2(carried_15 * 8);
                // kernels/attention_kernel.go
                boolx2 less_9 = offset_27 < i32x2{least_0.x, least_0.x};
                boolx2 less_10 = offset_27 < i32x2{least_0.y, least_0.y};
                chosen_19 = select(less_9, chosen_17, splat2(__int_as_float(0xff800000)));
                chosen_20 = select(less_10, chosen_18, splat2(__int_as_float(0xff800000)));
            }
            // kernels/attention_kernel.go
            f32x2 power_8 = exp2_flushed(chosen_19 - lanes_23);
            f32x2 power_9 = exp2_flushed(chosen_20 - lanes_24);
            // kernels/attention_hidden.go
            f32x2 converted = to_f32(chosen_19 >= splat2(-3.4028235e+38f));
            f32x2 converted_0 = to_f32(chosen_20 >= splat2(-3.4028235e+38f));
            // kernels/attention_hidden.go
            int offset_28 = offset_12 + (k_start2_0 + lane_5) * v_stride2;
            bool both_9 = both_5 && bits_9 < bits_6;
            f32x4 v_16 = both_9 && less ? *(const f32x4*)&v[offset_28 + lane_8] : splat4(0.0f);
            // kernels/attention_hidden.go
            i32x4 bits_10 = as_i32(v_16);
            boolx4 equal_0 = (bits_10 & splat4(2139095040)) == splat4(2139095040);
            // kernels/attention_hidden.go
            f32x2 lanes_26 = f32x2{power_8.x, power_9.x};
            __syncthreads();
            *(f32x2*)&scratch[index_38] = lanes_26;
            f32x2 lanes_27 = f32x2{power_8.y, power_9.y};
            *(f32x2*)&scratch[index_39] = lanes_27;
            *(f32x4*)&tile_b[index_40] = select(equal_0, splat4(0.0f), v_16);
            __syncthreads();
            float acc_143 = carried.x;
            float acc_144 = carried.y;
            float acc_145 = carried.z;
            float acc_146 = carried.w;
            float acc_147 = carried_3.x;
            float acc_148 = carried_3.y;
            float acc_149 = carried_3.z;
            float acc_150 = carried_3.w;
            float acc_151 = carried_4.w;
            float acc_152 = carried_4.z;
            float acc_153 = carried_4.y;
            float acc_154 = carried_4.x;
            float acc_155 = carried_0.w;
            float acc_156 = carried_0.z;
            float acc_157 = carried_0.y;
            float acc_158 = carried_0.x;
            float acc_159 = carried_1.x;
            float acc_160 = carried_1.y;
            float acc_161 = carried_1.z;
            float acc_162 = carried_1.w;
            float acc_163 = carried_5.x;
            float acc_164 = carried_5.y;
            float acc_165 = carried_5.z;
            float acc_166 = carried_5.w;
            float acc_167 = carried_6.w;
            float acc_168 = carried_6.z;
            float acc_169 = carried_6.y;
            float acc_170 = carried_6.x;
            float acc_171 = carried_2.w;
            float acc_172 = carried_2.z;
            float acc_173 = carried_2.y;
            float acc_174 = carried_2.x;
            #pragma unroll
            for (int i_6 = 0; i_6 < 8; ++i_6) {
                f32x4 tile_a_3 = *(const f32x4*)&scratch[i_6 * 8 + offset_24];
                int index_44 = i_6 * 64 + lane_2;
                f32x4 tile_b_7 = *(const f32x4*)&tile_b[index_44];
                f32x4 tile_b_8 = *(const f32x4*)&tile_b[index_44 + 32];
                acc_143 = fmaf(tile_a_3.x, tile_b_7.x, acc_143);
                acc_144 = fmaf(tile_a_3.x, tile_b_7.y, acc_144);
                acc_145 = fmaf(tile_a_3.x, tile_b_7.z, acc_145);
                acc_146 = fmaf(tile_a_3.x, tile_b_7.w, acc_146);
                acc_147 = fmaf(tile_a_3.x, tile_b_8.x, acc_147);
                acc_148 = fmaf(tile_a_3.x, tile_b_8.y, acc_148);
                acc_149 = fmaf(tile_a_3.x, tile_b_8.z, acc_149);
                acc_150 = fmaf(tile_a_3.x, tile_b_8.w, acc_150);
                acc_151 = fmaf(tile_a_3.y, tile_b_8.w, acc_151);
                acc_152 = fmaf(tile_a_3.y, tile_b_8.z, acc_152);
                acc_153 = fmaf(tile_a_3.y, tile_b_8.y, acc_153);
                acc_154 = fmaf(tile_a_3.y, tile_b_8.x, acc_154);
                acc_155 = fmaf(tile_a_3.y, tile_b_7.w, acc_155);
                acc_156 = fmaf(tile_a_3.y, tile_b_7.z, acc_156);
                acc_157 = fmaf(tile_a_3.y, tile_b_7.y, acc_157);
                acc_158 = fmaf(tile_a_3.y, tile_b_7.x, acc_158);
                acc_159 = fmaf(tile_a_3.z, tile_b_7.x, acc_159);
                acc_160 = fmaf(tile_a_3.z, tile_b_7.y, acc_160);
                acc_161 = fmaf(tile_a_3.z, tile_b_7.z, acc_161);
                acc_162 = fmaf(tile_a_3.z, tile_b_7.w, acc_162);
                acc_163 = fmaf(tile_a_3.z, tile_b_8.x, acc_163);
                acc_164 = fmaf(tile_a_3.z, tile_b_8.y, acc_164);
                acc_165 = fmaf(tile_a_3.z, tile_b_8.z, acc_165);
                acc_166 = fmaf(tile_a_3.z, tile_b_8.w, acc_166);
                acc_167 = fmaf(tile_a_3.w, tile_b_8.w, acc_167);
                acc_168 = fmaf(tile_a_3.w, tile_b_8.z, acc_168);
                acc_169 = fmaf(tile_a_3.w, tile_b_8.y, acc_169);
                acc_170 = fmaf(tile_a_3.w, tile_b_8.x, acc_170);
                acc_171 = fmaf(tile_a_3.w, tile_b_7.w, acc_171);
                acc_172 = fmaf(tile_a_3.w, tile_b_7.z, acc_172);
                acc_173 = fmaf(tile_a_3.w, tile_b_7.y, acc_173);
                acc_174 = fmaf(tile_a_3.w, tile_b_7.x, acc_174);
            }
            f32x4 lanes_28 = f32x4{acc_143, acc_144, acc_145, acc_146};
            f32x4 lanes_29 = f32x4{acc_158, acc_157, acc_156, acc_155};
            f32x4 lanes_30 = f32x4{acc_159, acc_160, acc_161, acc_162};
            f32x4 lanes_31 = f32x4{acc_174, acc_173, acc_172, acc_171};
            f32x4 lanes_32 = f32x4{acc_147, acc_148, acc_149, acc_150};
            f32x4 lanes_33 = f32x4{acc_154, acc_153, acc_152, acc_151};
            f32x4 lanes_34 = f32x4{acc_163, acc_164, acc_165, acc_166};
            f32x4 lanes_35 = f32x4{acc_170, acc_169, acc_168, acc_167};
            // kernels/attention_hidden.go
            f32x4 chosen_21 = select((bits_10 == splat4(-8388608)), splat4(64.0f), splat4(65.0f));
            f32x4 chosen_22 = select((bits_10 == splat4(2139095040)), splat4(1.0f), chosen_21);
            // kernels/attention_hidden.go
            f32x4 chosen_23 = select(equal_0, chosen_22, splat4(0.0f));
            // kernels/attention_hidden.go
            f32x2 lanes_36 = f32x2{converted.x, converted_0.x};
            __syncthreads();
            *(f32x2*)&scratch[index_38] = lanes_36;
            f32x2 lanes_37 = f32x2{converted.y, converted_0.y};
            *(f32x2*)&scratch[index_39] = lanes_37;
            *(f32x4*)&tile_b[index_40] = chosen_23;
            __syncthreads();
            float acc_175 = 0.0f;
            float acc_176 = 0.0f;
            float acc_177 = 0.0f;
            float acc_178 = 0.0f;
            float acc_179 = 0.0f;
            float acc_180 = 0.0f;
            float acc_181 = 0.0f;
            float acc_182 = 0.0f;
            float acc_183 = 0.0f;
            float acc_184 = 0.0f;
            float acc_185 = 0.0f;
            float acc_186 = 0.0f;
            float acc_187 = 0.0f;
            float acc_188 = 0.0f;
            float acc_189 = 0.0f;
            float acc_190 = 0.0f;
            float acc_191 = 0.0f;
            float acc_192 = 0.0f;
            float acc_193 = 0.0f;
            float acc_194 = 0.0f;
            float acc_195 = 0.0f;
            float acc_196 = 0.0f;
            float acc_197 = 0.0f;
            float acc_198 = 0.0f;
            float acc_199 = 0.0f;
            float acc_200 = 0.0f;
            float acc_201 = 0.0f;
            float acc_202 = 0.0f;
            float acc_203 = 0.0f;
            float acc_204 = 0.0f;
            float acc_205 = 0.0f;
            float acc_206 = 0.0f;
            #pragma unroll
            for (int i_7 = 0; i_7 < 8; ++i_7) {
                f32x4 tile_a_4 = *(const f32x4*)&scratch[i_7 * 8 + offset_24];
                int index_45 = i_7 * 64 + lane_2;
                f32x4 tile_b_9 = *(const f32x4*)&tile_b[index_45];
                f32x4 tile_b_10 = *(const f32x4*)&tile_b[index_45 + 32];
                acc_175 = fmaf(tile_a_4.x, tile_b_9.x, acc_175);
                acc_176 = fmaf(tile_a_4.x, tile_b_9.y, acc_176);
                acc_177 = fmaf(tile_a_4.x, tile_b_9.z, acc_177);
                acc_178 = fmaf(tile_a_4.x, tile_b_9.w, acc_178);
                acc_179 = fmaf(tile_a_4.x, tile_b_10.x, acc_179);
                acc_180 = fmaf(tile_a_4.x, tile_b_10.y, acc_180);
                acc_181 = fmaf(tile_a_4.x, tile_b_10.z, acc_181);
                acc_182 = fmaf(tile_a_4.x, tile_b_10.w, acc_182);
                acc_183 = fmaf(tile_a_4.y, tile_b_10.w, acc_183);
                acc_184 = fmaf(tile_a_4.y, tile_b_10.z, acc_184);
                acc_185 = fmaf(tile_a_4.y, tile_b_10.y, acc_185);
                acc_186 = fmaf(tile_a_4.y, tile_b_10.x, acc_186);
                acc_187 = fmaf(tile_a_4.y, tile_b_9.w, acc_187);
                acc_188 = fmaf(tile_a_4.y, tile_b_9.z, acc_188);
                acc_189 = fmaf(tile_a_4.y, tile_b_9.y, acc_189);
                acc_190 = fmaf(tile_a_4.y, tile_b_9.x, acc_190);
                acc_191 = fmaf(tile_a_4.z, tile_b_9.x, acc_191);
                acc_192 = fmaf(tile_a_4.z, tile_b_9.y, acc_192);
                acc_193 = fmaf(tile_a_4.z, tile_b_9.z, acc_193);
                acc_194 = fmaf(tile_a_4.z, tile_b_9.w, acc_194);
                acc_195 = fmaf(tile_a_4.z, tile_b_10.x, acc_195);
                acc_196 = fmaf(tile_a_4.z, tile_b_10.y, acc_196);
                acc_197 = fmaf(tile_a_4.z, tile_b_10.z, acc_197);
                acc_198 = fmaf(tile_a_4.z, tile_b_10.w, acc_198);
                acc_199 = fmaf(tile_a_4.w, tile_b_10.w, acc_199);
                acc_200 = fmaf(tile_a_4.w, tile_b_10.z, acc_200);
                acc_201 = fmaf(tile_a_4.w, tile_b_10.y, acc_201);
                acc_202 = fmaf(tile_a_4.w, tile_b_10.x, acc_202);
                acc_203 = fmaf(tile_a_4.w, tile_b_9.w, acc_203);
                acc_204 = fmaf(tile_a_4.w, tile_b_9.z, acc_204);
                acc_205 = fmaf(tile_a_4.w, tile_b_9.y, acc_205);
                acc_206 = fmaf(tile_a_4.w, tile_b_9.x, acc_206);
            }
            i32x4 converted_1 = to_i32(f32x4{acc_175, acc_176, acc_177, acc_178});
            i32x4 converted_2 = to_i32(f32x4{acc_190, acc_189, acc_188, acc_187});
            i32x4 converted_3 = to_i32(f32x4{acc_191, acc_192, acc_193, acc_194});
            i32x4 converted_4 = to_i32(f32x4{acc_206, acc_205, acc_204, acc_203});
            i32x4 converted_5 = to_i32(f32x4{acc_179, acc_180, acc_181, acc_182});
            i32x4 converted_6 = to_i32(f32x4{acc_186, acc_185, acc_184, acc_183});
            i32x4 converted_7 = to_i32(f32x4{acc_195, acc_196, acc_197, acc_198});
            i32x4 converted_8 = to_i32(f32x4{acc_202, acc_201, acc_200, acc_199});
            // kernels/attention_hidden.go
            f32x4 chosen_24 = select(((converted_1 & splat4(63)) != splat4(0)), splat4(__int_as_float(0x7f800000)), splat4(0.0f));
            f32x4 chosen_25 = select(((converted_2 & splat4(63)) != splat4(0)), splat4(__int_as_float(0x7f800000)), splat4(0.0f));
            f32x4 chosen_26 = select(((converted_3 & splat4(63)) != splat4(0)), splat4(__int_as_float(0x7f800000)), splat4(0.0f));
            f32x4 chosen_27 = select(((converted_4 & splat4(63)) != splat4(0)), splat4(__int_as_float(0x7f800000)), splat4(0.0f));
            f32x4 chosen_28 = select(((converted_5 & splat4(63)) != splat4(0)), splat4(__int_as_float(0x7f800000)), splat4(0.0f));
            f32x4 chosen_29 = select(((converted_6 & splat4(63)) != splat4(0)), splat4(__int_as_float(0x7f800000)), splat4(0.0f));
            f32x4 chosen_30 = select(((converted_7 & splat4(63)) != splat4(0)), splat4(__int_as_float(0x7f800000)), splat4(0.0f));
            f32x4 chosen_31 = select(((converted_8 & splat4(63)) != splat4(0)), splat4(__int_as_float(0x7f800000)), splat4(0.0f));
            f32x4 sum_24 = lanes_28 + chosen_24;
            f32x4 sum_25 = lanes_29 + chosen_25;
            f32x4 sum_26 = lanes_30 + chosen_26;
            f32x4 sum_27 = lanes_31 + chosen_27;
            f32x4 sum_28 = lanes_32 + chosen_28;
            f32x4 sum_29 = lanes_33 + chosen_29;
            f32x4 sum_30 = lanes_34 + chosen_30;
            f32x4 sum_31 = lanes_35 + chosen_31;
            // kernels/attention_hidden.go
            f32x4 chosen_32 = select((converted_1 >= splat4(64)), splat4(__int_as_float(0xff800000)), splat4(0.0f));
            f32x4 chosen_33 = select((converted_2 >= splat4(64)), splat4(__int_as_float(0xff800000)), splat4(0.0f));
            f32x4 chosen_34 = select((converted_3 >= splat4(64)), splat4(__int_as_float(0xff800000)), splat4(0.0f));
            f32x4 chosen_35 = select((converted_4 >= splat4(64)), splat4(__int_as_float(0xff800000)), splat4(0.0f));
            f32x4 chosen_36 = select((converted_5 >= splat4(64)), splat4(__int_as_float(0xff800000)), splat4(0.0f));
            f32x4 chosen_37 = select((converted_6 >= splat4(64)), splat4(__int_as_float(0xff800000)), splat4(0.0f));
            f32x4 chosen_38 = select((converted_7 >= splat4(64)), splat4(__int_as_float(0xff800000)), splat4(0.0f));
            f32x4 chosen_39 = select((converted_8 >= splat4(64)), splat4(__int_as_float(0xff800000)), splat4(0.0f));
            f32x4 sum_32 = sum_24 + chosen_32;
            f32x4 sum_33 = sum_25 + chosen_33;
            f32x4 sum_34 = sum_26 + chosen_34;
            f32x4 sum_35 = sum_27 + chosen_35;
            f32x4 sum_36 = sum_28 + chosen_36;
            f32x4 sum_37 = sum_29 + chosen_37;
            f32x4 sum_38 = sum_30 + chosen_38;
            f32x4 sum_39 = sum_31 + chosen_39;
            // kernels/attention_hidden.go
            f32x4 v_17 = both_9 && less_0 ? *(const f32x4*)&v[offset_28 + offset_25] : splat4(0.0f);
            // kernels/attention_hidden.go
            i32x4 bits_11 = as_i32(v_17);
            boolx4 equal_1 = (bits_11 & splat4(2139095040)) == splat4(2139095040);
            // kernels/attention_hidden.go
            __syncthreads();
            *(f32x2*)&scratch[index_38] = lanes_26;
            *(f32x2*)&scratch[index_39] = lanes_27;
            *(f32x4*)&tile_b[index_40] = select(equal_1, splat4(0.0f), v_17);
            __syncthreads();
            float acc_207 = carried_7.x;
            float acc_208 = carried_7.y;
            float acc_209 = carried_7.z;
            float acc_210 = carried_7.w;
            float acc_211 = carried_11.x;
            float acc_212 = carried_11.y;
            float acc_213 = carried_11.z;
            float acc_214 = carried_11.w;
            float acc_215 = carried_12.w;
            float acc_216 = carried_12.z;
            float acc_217 = carried_12.y;
            float acc_218 = carried_12.x;
            float acc_219 = carried_8.w;
            float acc_220 = carried_8.z;
            float acc_221 = carried_8.y;
            float acc_222 = carried_8.x;
            float acc_223 = carried_9.x;
            float acc_224 = carried_9.y;
            float acc_225 = carried_9.z;
            float acc_226 = carried_9.w;
            float acc_227 = carried_13.x;
            float acc_228 = carried_13.y;
            float acc_229 = carried_13.z;
            float acc_230 = carried_13.w;
            float acc_231 = carried_14.w;
            float acc_232 = carried_14.z;
            float acc_233 = carried_14.y;
            float acc_234 = carried_14.x;
            float acc_235 = carried_10.w;
            float acc_236 = carried_10.z;
            float acc_237 = carried_10.y;
            float acc_238 = carried_10.x;
            #pragma unroll
            for (int i_8 = 0; i_8 < 8; ++i_8) {
                f32x4 tile_a_5 = *(const f32x4*)&scratch[i_8 * 8 + offset_24];
                int index_46 = i_8 * 64 + lane_2;
                f32x4 tile_b_11 = *(const f32x4*)&tile_b[index_46];
                f32x4 tile_b_12 = *(const f32x4*)&tile_b[index_46 + 32];
                acc_207 = fmaf(tile_a_5.x, tile_b_11.x, acc_207);
                acc_208 = fmaf(tile_a_5.x, tile_b_11.y, acc_208);
                acc_209 = fmaf(tile_a_5.x, tile_b_11.z, acc_209);
                acc_210 = fmaf(tile_a_5.x, tile_b_11.w, acc_210);
                acc_211 = fmaf(tile_a_5.x, tile_b_12.x, acc_211);
                acc_212 = fmaf(tile_a_5.x, tile_b_12.y, acc_212);
                acc_213 = fmaf(tile_a_5.x, tile_b_12.z, acc_213);
                acc_214 = fmaf(tile_a_5.x, tile_b_12.w, acc_214);
                acc_215 = fmaf(tile_a_5.y, tile_b_12.w, acc_215);
                acc_216 = fmaf(tile_a_5.y, tile_b_12.z, acc_216);
                acc_217 = fmaf(tile_a_5.y, tile_b_12.y, acc_217);
                acc_218 = fmaf(tile_a_5.y, tile_b_12.x, acc_218);
                acc_219 = fmaf(tile_a_5.y, tile_b_11.w, acc_219);
                acc_220 = fmaf(tile_a_5.y, tile_b_11.z, acc_220);
                acc_221 = fmaf(tile_a_5.y, tile_b_11.y, acc_221);
                acc_222 = fmaf(tile_a_5.y, tile_b_11.x, acc_222);
                acc_223 = fmaf(tile_a_5.z, tile_b_11.x, acc_223);
                acc_224 = fmaf(tile_a_5.z, tile_b_11.y, acc_224);
                acc_225 = fmaf(tile_a_5.z, tile_b_11.z, acc_225);
                acc_226 = fmaf(tile_a_5.z, tile_b_11.w, acc_226);
                acc_227 = fmaf(tile_a_5.z, tile_b_12.x, acc_227);
                acc_228 = fmaf(tile_a_5.z, tile_b_12.y, acc_228);
                acc_229 = fmaf(tile_a_5.z, tile_b_12.z, acc_229);
                acc_230 = fmaf(tile_a_5.z, tile_b_12.w, acc_230);
                acc_231 = fmaf(tile_a_5.w, tile_b_12.w, acc_231);
                acc_232 = fmaf(tile_a_5.w, tile_b_12.z, acc_232);
                acc_233 = fmaf(tile_a_5.w, tile_b_12.y, acc_233);
                acc_234 = fmaf(tile_a_5.w, tile_b_12.x, acc_234);
                acc_235 = fmaf(tile_a_5.w, tile_b_11.w, acc_235);
                acc_236 = fmaf(tile_a_5.w, tile_b_11.z, acc_236);
                acc_237 = fmaf(tile_a_5.w, tile_b_11.y, acc_237);
                acc_238 = fmaf(tile_a_5.w, tile_b_11.x, acc_238);
            }
            f32x4 lanes_38 = f32x4{acc_207, acc_208, acc_209, acc_210};
            f32x4 lanes_39 = f32x4{acc_222, acc_221, acc_220, acc_219};
            f32x4 lanes_40 = f32x4{acc_223, acc_224, acc_225, acc_226};
            f32x4 lanes_41 = f32x4{acc_238, acc_237, acc_236, acc_235};
            f32x4 lanes_42 = f32x4{acc_211, acc_212, acc_213, acc_214};
            f32x4 lanes_43 = f32x4{acc_218, acc_217, acc_216, acc_215};
            f32x4 lanes_44 = f32x4{acc_227, acc_228, acc_229, acc_230};
            f32x4 lanes_45 = f32x4{acc_234, acc_233, acc_232, acc_231};
            // kernels/attention_hidden.go
            f32x4 chosen_40 = select((bits_11 == splat4(-8388608)), splat4(64.0f), splat4(65.0f));
            f32x4 chosen_41 = select((bits_11 == splat4(2139095040)), splat4(1.0f), chosen_40);
            // kernels/attention_hidden.go
            f32x4 chosen_42 = select(equal_1, chosen_41, splat4(0.0f));
            // kernels/attention_hidden.go
            __syncthreads();
            *(f32x2*)&scratch[index_38] = lanes_36;
            *(f32x2*)&scratch[index_39] = lanes_37;
            *(f32x4*)&tile_b[index_40] = chosen_42;
            __syncthreads();
            float acc_239 = 0.0f;
            float acc_240 = 0.0f;
            float acc_241 = 0.0f;
            float acc_242 = 0.0f;
            float acc_243 = 0.0f;
            float acc_244 = 0.0f;
            float acc_245 = 0.0f;
            float acc_246 = 0.0f;
            float acc_247 = 0.0f;
            float acc_248 = 0.0f;
            float acc_249 = 0.0f;
            float acc_250 = 0.0f;
            float acc_251 = 0.0f;
            float acc_252 = 0.0f;
            float acc_253 = 0.0f;
            float acc_254 = 0.0f;
            float acc_255 = 0.0f;
            float acc_256 = 0.0f;
            float acc_257 = 0.0f;
            float acc_258 = 0.0f;
            float acc_259 = 0.0f;
            float acc_260 = 0.0f;
            float acc_261 = 0.0f;
            float acc_262 = 0.0f;
            float acc_263 = 0.0f;
            float acc_264 = 0.0f;
            float acc_265 = 0.0f;
            float acc_266 = 0.0f;
            float acc_267 = 0.0f;
            float acc_268 = 0.0f;
            float acc_269 = 0.0f;
            float acc_270 = 0.0f;
            #pragma unroll
            for (int i_9 = 0; i_9 < 8; ++i_9) {
                f32x4 tile_a_6 = *(const f32x4*)&scratch[i_9 * 8 + offset_24];
                int index_47 = i_9 * 64 + lane_2;
                f32x4 tile_b_13 = *(const f32x4*)&tile_b[index_47];
                f32x4 tile_b_14 = *(const f32x4*)&tile_b[index_47 + 32];
                acc_239 = fmaf(tile_a_6.x, tile_b_13.x, acc_239);
                acc_240 = fmaf(tile_a_6.x, tile_b_13.y, acc_240);
                acc_241 = fmaf(tile_a_6.x, tile_b_13.z, acc_241);
                acc_242 = fmaf(tile_a_6.x, tile_b_13.w, acc_242);
                acc_243 = fmaf(tile_a_6.x, tile_b_14.x, acc_243);
                acc_244 = fmaf(tile_a_6.x, tile_b_14.y, acc_244);
                acc_245 = fmaf(tile_a_6.x, tile_b_14.z, acc_245);
                acc_246 = fmaf(tile_a_6.x, tile_b_14.w, acc_246);
                acc_247 = fmaf(tile_a_6.y, tile_b_14.w, acc_247);
                acc_248 = fmaf(tile_a_6.y, tile_b_14.z, acc_248);
                acc_249 = fmaf(tile_a_6.y, tile_b_14.y, acc_249);
                acc_250 = fmaf(tile_a_6.y, tile_b_14.x, acc_250);
                acc_251 = fmaf(tile_a_6.y, tile_b_13.w, acc_251);
                acc_252 = fmaf(tile_a_6.y, tile_b_13.z, acc_252);
                acc_253 = fmaf(tile_a_6.y, tile_b_13.y, acc_253);
                acc_254 = fmaf(tile_a_6.y, tile_b_13.x, acc_254);
                acc_255 = fmaf(tile_a_6.z, tile_b_13.x, acc_255);
                acc_256 = fmaf(tile_a_6.z, tile_b_13.y, acc_256);
                acc_257 = fmaf(tile_a_6.z, tile_b_13.z, acc_257);
                acc_258 = fmaf(tile_a_6.z, tile_b_13.w, acc_258);
                acc_259 = fmaf(tile_a_6.z, tile_b_14.x, acc_259);
                acc_260 = fmaf(tile_a_6.z, tile_b_14.y, acc_260);
                acc_261 = fmaf(tile_a_6.z, tile_b_14.z, acc_261);
                acc_262 = fmaf(tile_a_6.z, tile_b_14.w, acc_262);
                acc_263 = fmaf(tile_a_6.w, tile_b_14.w, acc_263);
                acc_264 = fmaf(tile_a_6.w, tile_b_14.z, acc_264);
                acc_265 = fmaf(tile_a_6.w, tile_b_14.y, acc_265);
                acc_266 = fmaf(tile_a_6.w, tile_b_14.x, acc_266);
                acc_267 = fmaf(tile_a_6.w, tile_b_13.w, acc_267);
                acc_268 = fmaf(tile_a_6.w, tile_b_13.z, acc_268);
                acc_269 = fmaf(tile_a_6.w, tile_b_13.y, acc_269);
                acc_270 = fmaf(tile_a_6.w, tile_b_13.x, acc_270);
            }
            i32x4 converted_9 = to_i32(f32x4{acc_239, acc_240, acc_241, acc_242});
            i32x4 converted_10 = to_i32(f32x4{acc_254, acc_253, acc_252, acc_251});
            i32x4 converted_11 = to_i32(f32x4{acc_255, acc_256, acc_257, acc_258});
            i32x4 converted_12 = to_i32(f32x4{acc_270, acc_269, acc_268, acc_267});
            i32x4 converted_13 = to_i32(f32x4{acc_243, acc_244, acc_245, acc_246});
            i32x4 converted_14 = to_i32(f32x4{acc_250, acc_249, acc_248, acc_247});
            i32x4 converted_15 = to_i32(f32x4{acc_259, acc_260, acc_261, acc_262});
            i32x4 converted_16 = to_i32(f32x4{acc_266, acc_265, acc_264, acc_263});
            // kernels/attention_hidden.go
            f32x4 chosen_43 = select(((converted_9 & splat4(63)) != splat4(0)), splat4(__int_as_float(0x7f800000)), splat4(0.0f));
            f32x4 chosen_44 = select(((converted_10 & splat4(63)) != splat4(0)), splat4(__int_as_float(0x7f800000)), splat4(0.0f));
            f32x4 chosen_45 = select(((converted_11 & splat4(63)) != splat4(0)), splat4(__int_as_float(0x7f800000)), splat4(0.0f));
            f32x4 chosen_46 = select(((converted_12 & splat4(63)) != splat4(0)), splat4(__int_as_float(0x7f800000)), splat4(0.0f));
            f32x4 chosen_47 = select(((converted_13 & splat4(63)) != splat4(0)), splat4(__int_as_float(0x7f800000)), splat4(0.0f));
            f32x4 chosen_48 = select(((converted_14 & splat4(63)) != splat4(0)), splat4(__int_as_float(0x7f800000)), splat4(0.0f));
            f32x4 chosen_49 = select(((converted_15 & splat4(63)) != splat4(0)), splat4(__int_as_float(0x7f800000)), splat4(0.0f));
            f32x4 chosen_50 = select(((converted_16 & splat4(63)) != splat4(0)), splat4(__int_as_float(0x7f800000)), splat4(0.0f));
            f32x4 sum_40 = lanes_38 + chosen_43;
            f32x4 sum_41 = lanes_39 + chosen_44;
            f32x4 sum_42 = lanes_40 + chosen_45;
            f32x4 sum_43 = lanes_41 + chosen_46;
            f32x4 sum_44 = lanes_42 + chosen_47;
            f32x4 sum_45 = lanes_43 + chosen_48;
            f32x4 sum_46 = lanes_44 + chosen_49;
            f32x4 sum_47 = lanes_45 + chosen_50;
            // kernels/attention_hidden.go
            f32x4 chosen_51 = select((converted_9 >= splat4(64)), splat4(__int_as_float(0xff800000)), splat4(0.0f));
            f32x4 chosen_52 = select((converted_10 >= splat4(64)), splat4(__int_as_float(0xff800000)), splat4(0.0f));
            f32x4 chosen_53 = select((converted_11 >= splat4(64)), splat4(__int_as_float(0xff800000)), splat4(0.0f));
            f32x4 chosen_54 = select((converted_12 >= splat4(64)), splat4(__int_as_float(0xff800000)), splat4(0.0f));
            f32x4 chosen_55 = select((converted_13 >= splat4(64)), splat4(__int_as_float(0xff800000)), splat4(0.0f));
            f32x4 chosen_56 = select((converted_14 >= splat4(64)), splat4(__int_as_float(0xff800000)), splat4(0.0f));
            f32x4 chosen_57 = select((converted_15 >= splat4(64)), splat4(__int_as_float(0xff800000)), splat4(0.0f));
            f32x4 chosen_58 = select((converted_16 >= splat4(64)), splat4(__int_as_float(0xff800000)), splat4(0.0f));
            f32x4 sum_48 = sum_40 + chosen_51;
            f32x4 sum_49 = sum_41 + chosen_52;
            f32x4 sum_50 = sum_42 + chosen_53;
            f32x4 sum_51 = sum_43 + chosen_54;
            f32x4 sum_52 = sum_44 + chosen_55;
            f32x4 sum_53 = sum_45 + chosen_56;
            f32x4 sum_54 = sum_46 + chosen_57;
            f32x4 sum_55 = sum_47 + chosen_58;
            carried = sum_32;
            carried_0 = sum_33;
            carried_1 = sum_34;
            carried_2 = sum_35;
            carried_3 = sum_36;
            carried_4 = sum_37;
            carried_5 = sum_38;
            carried_6 = sum_39;
            carried_7 = sum_48;
            carried_8 = sum_49;
            carried_9 = sum_50;
            carried_10 = sum_51;
            carried_11 = sum_52;
            carried_12 = sum_53;
            carried_13 = sum_54;
            carried_14 = sum_55;
            carried_15 = carried_15 + 1;
        }
        acc_121 = carried;
        acc_122 = carried_0;
        acc_123 = carried_1;
        acc_124 = carried_2;
        acc_125 = carried_3;
        acc_126 = carried_4;
        acc_127 = carried_5;
        acc_128 = carried_6;
        acc_129 = carried_7;
        acc_130 = carried_8;
        acc_131 = carried_9;
        acc_132 = carried_10;
        acc_133 = carried_11;
        acc_134 = carried_12;
        acc_135 = carried_13;
        acc_136 = carried_14;
    }
    // kernels/attention_kernel.go
    boolx4 equal_2 = acc_0 == splat4(0.0f);
    // kernels/attention_kernel.go
    f32x4 quotient_7 = splat4(1.0f) / select(equal_2, splat4(1.0f), acc_0);
    // kernels/attention_kernel.go
    f32x4 lanes_46 = f32x4{quotient_7.x, quotient_7.x, quotient_7.x, quotient_7.x};
    f32x4 lanes_47 = f32x4{quotient_7.y, quotient_7.y, quotient_7.y, quotient_7.y};
    f32x4 lanes_48 = f32x4{quotient_7.z, quotient_7.z, quotient_7.z, quotient_7.z};
    f32x4 lanes_49 = f32x4{quotient_7.w, quotient_7.w, quotient_7.w, quotient_7.w};
    f32x4 product_25 = acc_121 * lanes_46;
    f32x4 product_26 = acc_122 * lanes_47;
    f32x4 product_27 = acc_123 * lanes_48;
    f32x4 product_28 = acc_124 * lanes_49;
    f32x4 product_29 = acc_125 * lanes_46;
    f32x4 product_30 = acc_126 * lanes_47;
    f32x4 product_31 = acc_127 * lanes_48;
    f32x4 product_32 = acc_128 * lanes_49;
    // kernels/attention_kernel.go
    int offset_29 = out_offset + q_start0 * out_stride0 + q_start1 * out_stride1 + offset_8 * out_stride2;
    int index_48 = offset_29 + lane_2;
    unsigned bits_12 = unsigned(out_size3);
    bool both_10 = bits < unsigned(out_size0) && bits_0 < unsigned(out_size1) && bits_1 < unsigned(out_size2);
    bool in_bounds_7 = both_10 && 0u < bits_12;
    if (in_bounds_7) {
        *(f32x4*)&out[index_48] = product_25;
    }
    int index_49 = index_48 + out_stride2;
    if (in_bounds_7) {
        *(f32x4*)&out[index_49] = product_26;
    }
    int offset_30 = out_stride2 * 2;
    int index_50 = index_48 + offset_30;
    if (in_bounds_7) {
        *(f32x4*)&out[index_50] = product_27;
    }
    int offset_31 = out_stride2 * 3;
    int index_51 = index_48 + offset_31;
    if (in_bounds_7) {
        *(f32x4*)&out[index_51] = product_28;
        *(f32x4*)&out[index_48 + 32] = product_29;
        *(f32x4*)&out[index_49 + 32] = product_30;
        *(f32x4*)&out[index_50 + 32] = product_31;
        *(f32x4*)&out[index_51 + 32] = product_32;
    }
    // kernels/attention_kernel.go
    f32x4 product_33 = acc_129 * lanes_46;
    f32x4 product_34 = acc_130 * lanes_47;
    f32x4 product_35 = acc_131 * lanes_48;
    f32x4 product_36 = acc_132 * lanes_49;
    f32x4 product_37 = acc_133 * lanes_46;
    f32x4 product_38 = acc_134 * lanes_47;
    f32x4 product_39 = acc_135 * lanes_48;
    f32x4 product_40 = acc_136 * lanes_49;
    // kernels/attention_kernel.go
    int index_52 = offset_29 + offset_16;
    bool in_bounds_8 = both_10 && 64u < bits_12;
    if (in_bounds_8) {
        *(f32x4*)&out[index_52] = product_33;
    }
    int index_53 = index_52 + out_stride2;
    if (in_bounds_8) {
        *(f32x4*)&out[index_53] = product_34;
    }
    int index_54 = index_52 + offset_30;
    if (in_bounds_8) {
        *(f32x4*)&out[index_54] = product_35;
    }
    int index_55 = index_52 + offset_31;
    if (in_bounds_8) {
        *(f32x4*)&out[index_55] = product_36;
        *(f32x4*)&out[index_52 + 32] = product_37;
        *(f32x4*)&out[index_53 + 32] = product_38;
        *(f32x4*)&out[index_54 + 32] = product_39;
        *(f32x4*)&out[index_55 + 32] = product_40;
    }
    // kernels/attention_kernel.go
    f32x4 product_41 = (acc + log2f(acc_0)) * splat4(0.6931472f);
    // kernels/attention_kernel.go
    f32x4 chosen_59 = select(equal_2, splat4(__int_as_float(0xff800000)), product_41);
    // kernels/attention_kernel.go
    int index_56 = lse_offset + q_start0 * lse_stride0 + q_start1 * lse_stride1 + offset_8;
    bool both_11 = bits < unsigned(lse_size0) && bits_0 < unsigned(lse_size1) && bits_1 < unsigned(lse_size2);
    if ((thread & 21) == 0 && both_11) {
        *(f32x4*)&lse[index_56] = chosen_59;
    }
}
