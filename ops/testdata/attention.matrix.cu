struct f16 { unsigned short bits; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(8) f32x2 { float x, y; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(8) u32x2 { unsigned x, y; };
struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(4) boolx4 { bool x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline f32x2 splat2(float a) {
    return {a, a};
}
__device__ inline u32x4 splat4(unsigned a) {
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
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline unsigned pack_f16(f32x2 a) {
    return unsigned(to_f16(a.x).bits) | (unsigned(to_f16(a.y).bits) << 16);
}
__device__ inline void copy_async16(f16* array, int at, const f16* from, bool inside) {
    unsigned address = (unsigned)__cvta_generic_to_shared(array) + 2u * at;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(address), "l"(from), "r"(inside ? 16 : 0) : "memory");
}
__device__ inline u32x4 load_matrix4(const f16* array, int at) {
    unsigned address = (unsigned)__cvta_generic_to_shared(array) + 2u * at;
    u32x4 a;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a.x), "=r"(a.y), "=r"(a.z), "=r"(a.w) : "r"(address) : "memory");
    return a;
}
__device__ inline f32x4 mma_f16(u32x4 a, u32x2 b, f32x4 c) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c.x), "+f"(c.y), "+f"(c.z), "+f"(c.w)
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y));
    return c;
}
__device__ inline f32x2 operator*(f32x2 a, f32x2 b) {
    return {a.x * b.x, a.y * b.y};
}
__device__ inline f32x4 fmaf(f32x4 a, f32x4 b, f32x4 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
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
__device__ inline boolx4 operator<(i32x4 a, i32x4 b) {
    return {a.x < b.x, a.y < b.y, a.z < b.z, a.w < b.w};
}
__device__ inline f32x4 select(boolx4 a, f32x4 b, f32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}
__device__ inline f32x4 fmaxf(f32x4 a, f32x4 b) {
    return {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w)};
}
__device__ inline f32x4 operator-(f32x4 a, f32x4 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
__device__ inline f32x4 exp2f(f32x4 a) {
    return {exp2f(a.x), exp2f(a.y), exp2f(a.z), exp2f(a.w)};
}
__device__ inline f32x4 operator+(f32x4 a, f32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline u32x2 pack_f16(f32x4 a) {
    return {unsigned(to_f16(a.x).bits) | (unsigned(to_f16(a.y).bits) << 16), unsigned(to_f16(a.z).bits) | (unsigned(to_f16(a.w).bits) << 16)};
}
__device__ inline u32x4 load_matrix_transposed4(const f16* array, int at) {
    unsigned address = (unsigned)__cvta_generic_to_shared(array) + 2u * at;
    u32x4 a;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a.x), "=r"(a.y), "=r"(a.z), "=r"(a.w) : "r"(address) : "memory");
    return a;
}
__device__ inline f32x2 round_f16(f32x2 a) {
    return {to_f32(to_f16(a.x)), to_f32(to_f16(a.y))};
}

extern "C" __global__ void __launch_bounds__(256) attention(
    const f16* __restrict__ q,
    const f16* __restrict__ k,
    const f16* __restrict__ v,
    const f16* __restrict__ mask,
    f16* __restrict__ out,
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
    extern __shared__ __align__(128) unsigned char shared_memory[];
    float* const exchange = (float*)(shared_memory + 65536); // attention_kernel.go: elements change threads; elements change threads (attention_kernel.go); elements change threads (attention_kernel.go)
    f16* const tile_b = (f16*)(shared_memory + 0); // attention_kernel.go: operand b of the product
    float* const exchange_0 = (float*)(shared_memory + 131072); // attention_kernel.go: elements change threads; elements change threads (attention_kernel.go); elements change threads (attention_kernel.go)
    f16* const tile_a = (f16*)(shared_memory + 131584); // attention_kernel.go: operand a of the product
    f16* const tile_b_0 = (f16*)(shared_memory + 32768); // attention_kernel.go: operand b of the product
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // attention_kernel.go
    int quotient = (out_size2 + 127) / 128;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int quotient_0 = program / chosen;
    int chosen_0 = out_size1 == 0 ? 1 : out_size1;
    int q_start1 = quotient_0 % chosen_0;
    int q_start0 = quotient_0 / chosen_0;
    // attention_kernel.go
    int difference = quotient + -1 - remainder_0;
    // attention_kernel.go
    int quotient_1 = q_size1 / (k_size1 == 0 ? 1 : k_size1);
    int k_start1 = q_start1 / (quotient_1 == 0 ? 1 : quotient_1);
    // attention_kernel.go
    int q_start2 = difference * 128;
    // attention_kernel.go
    int lane = thread >> 3;
    int offset = lane + q_start2;
    int offset_0 = lane + 32 + q_start2;
    int offset_1 = lane + 64 + q_start2;
    int offset_2 = lane + 96 + q_start2;
    // attention_kernel.go
    int offset_3 = last + 1;
    // attention_kernel.go
    int least = min(offset + offset_3, k_size2);
    int least_0 = min(offset_0 + offset_3, k_size2);
    int least_1 = min(offset_1 + offset_3, k_size2);
    int least_2 = min(offset_2 + offset_3, k_size2);
    // attention_kernel.go
    int quotient_2 = (max(min(q_start2 + last + 128, k_size2), 0) + 63) / 64;
    // attention_kernel.go
    int quotient_3 = max(min(q_start2 + offset_3, k_size2), 0) / 64;
    // attention_kernel.go
    unsigned bits = unsigned(q_start0);
    unsigned bits_0 = unsigned(q_start1);
    int lane_0 = thread >> 4;
    int offset_4 = q_start2 + lane_0;
    int offset_5 = q_offset + q_start0 * q_stride0 + q_start1 * q_stride1 + offset_4 * q_stride2;
    unsigned bits_1 = unsigned(q_start2);
    int both = thread & 15;
    int lane_1 = both << 3;
    int index = offset_5 + lane_1;
    unsigned bits_2 = unsigned(0);
    bool both_0 = bits < unsigned(q_size0) && bits_0 < unsigned(q_size1) && bits_1 < unsigned(q_size2);
    bool in_bounds = both_0 && bits_2 < unsigned(q_size3);
    u32x4 q_0 = in_bounds ? *(const u32x4*)&q[index] : splat4(0u);
    f32x4 q_1 = unpack_f16(u32x2{q_0.x, q_0.y});
    f32x4 q_2 = unpack_f16(u32x2{q_0.z, q_0.w});
    u32x4 q_3 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 16] : splat4(0u);
    f32x4 q_4 = unpack_f16(u32x2{q_3.x, q_3.y});
    f32x4 q_5 = unpack_f16(u32x2{q_3.z, q_3.w});
    u32x4 q_6 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 32] : splat4(0u);
    f32x4 q_7 = unpack_f16(u32x2{q_6.x, q_6.y});
    f32x4 q_8 = unpack_f16(u32x2{q_6.z, q_6.w});
    u32x4 q_9 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 48] : splat4(0u);
    f32x4 q_10 = unpack_f16(u32x2{q_9.x, q_9.y});
    f32x4 q_11 = unpack_f16(u32x2{q_9.z, q_9.w});
    u32x4 q_12 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 64] : splat4(0u);
    f32x4 q_13 = unpack_f16(u32x2{q_12.x, q_12.y});
    f32x4 q_14 = unpack_f16(u32x2{q_12.z, q_12.w});
    u32x4 q_15 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 80] : splat4(0u);
    f32x4 q_16 = unpack_f16(u32x2{q_15.x, q_15.y});
    f32x4 q_17 = unpack_f16(u32x2{q_15.z, q_15.w});
    u32x4 q_18 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 96] : splat4(0u);
    f32x4 q_19 = unpack_f16(u32x2{q_18.x, q_18.y});
    f32x4 q_20 = unpack_f16(u32x2{q_18.z, q_18.w});
    u32x4 q_21 = in_bounds ? *(const u32x4*)&q[index + q_stride2 * 112] : splat4(0u);
    f32x4 q_22 = unpack_f16(u32x2{q_21.x, q_21.y});
    f32x4 q_23 = unpack_f16(u32x2{q_21.z, q_21.w});
    int both_1 = thread & 7;
    int shifted = both_1 << 2;
    int both_2 = thread & 8;
    int both_3 = thread & 16;
    int shifted_0 = both_3 << 3;
    int offset_6 = ((shifted + ((thread & 3) << 5) + (both_2 << 7)) ^ both_3) + shifted_0;
    int lane_2 = offset_6 + ((thread & 224) << 6);
    *(f32x4*)&exchange[lane_2] = f32x4{q_1.x, q_1.y, q_4.x, q_4.y};
    *(f32x4*)&exchange[lane_2 ^ 4] = f32x4{q_1.z, q_1.w, q_4.z, q_4.w};
    *(f32x4*)&exchange[lane_2 ^ 8] = f32x4{q_2.x, q_2.y, q_5.x, q_5.y};
    *(f32x4*)&exchange[lane_2 ^ 12] = f32x4{q_2.z, q_2.w, q_5.z, q_5.w};
    *(f32x4*)&exchange[lane_2 + 256] = f32x4{q_7.x, q_7.y, q_10.x, q_10.y};
    *(f32x4*)&exchange[lane_2 ^ 260] = f32x4{q_7.z, q_7.w, q_10.z, q_10.w};
    *(f32x4*)&exchange[lane_2 ^ 264] = f32x4{q_8.x, q_8.y, q_11.x, q_11.y};
    *(f32x4*)&exchange[lane_2 ^ 268] = f32x4{q_8.z, q_8.w, q_11.z, q_11.w};
    *(f32x4*)&exchange[lane_2 + 512] = f32x4{q_13.x, q_13.y, q_16.x, q_16.y};
    *(f32x4*)&exchange[lane_2 ^ 516] = f32x4{q_13.z, q_13.w, q_16.z, q_16.w};
    *(f32x4*)&exchange[lane_2 ^ 520] = f32x4{q_14.x, q_14.y, q_17.x, q_17.y};
    *(f32x4*)&exchange[lane_2 ^ 524] = f32x4{q_14.z, q_14.w, q_17.z, q_17.w};
    *(f32x4*)&exchange[lane_2 + 768] = f32x4{q_19.x, q_19.y, q_22.x, q_22.y};
    *(f32x4*)&exchange[lane_2 ^ 772] = f32x4{q_19.z, q_19.w, q_22.z, q_22.w};
    *(f32x4*)&exchange[lane_2 ^ 776] = f32x4{q_20.x, q_20.y, q_23.x, q_23.y};
    *(f32x4*)&exchange[lane_2 ^ 780] = f32x4{q_20.z, q_20.w, q_23.z, q_23.w};
    int both_4 = thread & 96;
    int lane_3 = shifted + ((thread & 4) << 5) + ((thread & 24) << 8) + (both_4 << 3);
    __syncthreads();
    f32x4 exchange_1 = *(const f32x4*)&exchange[lane_3];
    f32x4 exchange_2 = *(const f32x4*)&exchange[lane_3 + 8192];
    f32x4 exchange_3 = *(const f32x4*)&exchange[lane_3 ^ 36];
    f32x4 exchange_4 = *(const f32x4*)&exchange[lane_3 ^ 8228];
    f32x4 exchange_5 = *(const f32x4*)&exchange[lane_3 ^ 72];
    f32x4 exchange_6 = *(const f32x4*)&exchange[lane_3 ^ 8264];
    f32x4 exchange_7 = *(const f32x4*)&exchange[lane_3 ^ 108];
    f32x4 exchange_8 = *(const f32x4*)&exchange[lane_3 ^ 8300];
    f32x4 exchange_9 = *(const f32x4*)&exchange[lane_3 ^ 16];
    f32x4 exchange_10 = *(const f32x4*)&exchange[lane_3 ^ 8208];
    f32x4 exchange_11 = *(const f32x4*)&exchange[lane_3 ^ 52];
    f32x4 exchange_12 = *(const f32x4*)&exchange[lane_3 ^ 8244];
    f32x4 exchange_13 = *(const f32x4*)&exchange[lane_3 ^ 88];
    f32x4 exchange_14 = *(const f32x4*)&exchange[lane_3 ^ 8280];
    f32x4 exchange_15 = *(const f32x4*)&exchange[lane_3 ^ 124];
    f32x4 exchange_16 = *(const f32x4*)&exchange[lane_3 ^ 8316];
    f32x4 exchange_17 = *(const f32x4*)&exchange[lane_3 + 1024];
    f32x4 exchange_18 = *(const f32x4*)&exchange[lane_3 + 9216];
    f32x4 exchange_19 = *(const f32x4*)&exchange[lane_3 ^ 1060];
    f32x4 exchange_20 = *(const f32x4*)&exchange[lane_3 ^ 9252];
    f32x4 exchange_21 = *(const f32x4*)&exchange[lane_3 ^ 1096];
    f32x4 exchange_22 = *(const f32x4*)&exchange[lane_3 ^ 9288];
    f32x4 exchange_23 = *(const f32x4*)&exchange[lane_3 ^ 1132];
    f32x4 exchange_24 = *(const f32x4*)&exchange[lane_3 ^ 9324];
    f32x4 exchange_25 = *(const f32x4*)&exchange[lane_3 ^ 1040];
    f32x4 exchange_26 = *(const f32x4*)&exchange[lane_3 ^ 9232];
    f32x4 exchange_27 = *(const f32x4*)&exchange[lane_3 ^ 1076];
    f32x4 exchange_28 = *(const f32x4*)&exchange[lane_3 ^ 9268];
    f32x4 exchange_29 = *(const f32x4*)&exchange[lane_3 ^ 1112];
    f32x4 exchange_30 = *(const f32x4*)&exchange[lane_3 ^ 9304];
    f32x4 exchange_31 = *(const f32x4*)&exchange[lane_3 ^ 1148];
    f32x4 exchange_32 = *(const f32x4*)&exchange[lane_3 ^ 9340];
    f32x2 lanes = f32x2{exchange_1.x, exchange_1.y};
    f32x2 lanes_0 = f32x2{exchange_2.x, exchange_2.y};
    f32x2 lanes_1 = f32x2{exchange_3.x, exchange_3.y};
    f32x2 lanes_2 = f32x2{exchange_4.x, exchange_4.y};
    f32x2 lanes_3 = f32x2{exchange_5.x, exchange_5.y};
    f32x2 lanes_4 = f32x2{exchange_6.x, exchange_6.y};
    f32x2 lanes_5 = f32x2{exchange_7.x, exchange_7.y};
    f32x2 lanes_6 = f32x2{exchange_8.x, exchange_8.y};
    f32x2 lanes_7 = f32x2{exchange_9.x, exchange_9.y};
    f32x2 lanes_8 = f32x2{exchange_10.x, exchange_10.y};
    f32x2 lanes_9 = f32x2{exchange_11.x, exchange_11.y};
    f32x2 lanes_10 = f32x2{exchange_12.x, exchange_12.y};
    f32x2 lanes_11 = f32x2{exchange_13.x, exchange_13.y};
    f32x2 lanes_12 = f32x2{exchange_14.x, exchange_14.y};
    f32x2 lanes_13 = f32x2{exchange_15.x, exchange_15.y};
    f32x2 lanes_14 = f32x2{exchange_16.x, exchange_16.y};
    f32x2 lanes_15 = f32x2{exchange_17.x, exchange_17.y};
    f32x2 lanes_16 = f32x2{exchange_18.x, exchange_18.y};
    f32x2 lanes_17 = f32x2{exchange_19.x, exchange_19.y};
    f32x2 lanes_18 = f32x2{exchange_20.x, exchange_20.y};
    f32x2 lanes_19 = f32x2{exchange_21.x, exchange_21.y};
    f32x2 lanes_20 = f32x2{exchange_22.x, exchange_22.y};
    f32x2 lanes_21 = f32x2{exchange_23.x, exchange_23.y};
    f32x2 lanes_22 = f32x2{exchange_24.x, exchange_24.y};
    f32x2 lanes_23 = f32x2{exchange_25.x, exchange_25.y};
    f32x2 lanes_24 = f32x2{exchange_26.x, exchange_26.y};
    f32x2 lanes_25 = f32x2{exchange_27.x, exchange_27.y};
    f32x2 lanes_26 = f32x2{exchange_28.x, exchange_28.y};
    f32x2 lanes_27 = f32x2{exchange_29.x, exchange_29.y};
    f32x2 lanes_28 = f32x2{exchange_30.x, exchange_30.y};
    f32x2 lanes_29 = f32x2{exchange_31.x, exchange_31.y};
    f32x2 lanes_30 = f32x2{exchange_32.x, exchange_32.y};
    f32x2 lanes_31 = f32x2{exchange_1.z, exchange_1.w};
    f32x2 lanes_32 = f32x2{exchange_2.z, exchange_2.w};
    f32x2 lanes_33 = f32x2{exchange_3.z, exchange_3.w};
    f32x2 lanes_34 = f32x2{exchange_4.z, exchange_4.w};
    f32x2 lanes_35 = f32x2{exchange_5.z, exchange_5.w};
    f32x2 lanes_36 = f32x2{exchange_6.z, exchange_6.w};
    f32x2 lanes_37 = f32x2{exchange_7.z, exchange_7.w};
    f32x2 lanes_38 = f32x2{exchange_8.z, exchange_8.w};
    f32x2 lanes_39 = f32x2{exchange_9.z, exchange_9.w};
    f32x2 lanes_40 = f32x2{exchange_10.z, exchange_10.w};
    f32x2 lanes_41 = f32x2{exchange_11.z, exchange_11.w};
    f32x2 lanes_42 = f32x2{exchange_12.z, exchange_12.w};
    f32x2 lanes_43 = f32x2{exchange_13.z, exchange_13.w};
    f32x2 lanes_44 = f32x2{exchange_14.z, exchange_14.w};
    f32x2 lanes_45 = f32x2{exchange_15.z, exchange_15.w};
    f32x2 lanes_46 = f32x2{exchange_16.z, exchange_16.w};
    f32x2 lanes_47 = f32x2{exchange_17.z, exchange_17.w};
    f32x2 lanes_48 = f32x2{exchange_18.z, exchange_18.w};
    f32x2 lanes_49 = f32x2{exchange_19.z, exchange_19.w};
    f32x2 lanes_50 = f32x2{exchange_20.z, exchange_20.w};
    f32x2 lanes_51 = f32x2{exchange_21.z, exchange_21.w};
    f32x2 lanes_52 = f32x2{exchange_22.z, exchange_22.w};
    f32x2 lanes_53 = f32x2{exchange_23.z, exchange_23.w};
    f32x2 lanes_54 = f32x2{exchange_24.z, exchange_24.w};
    f32x2 lanes_55 = f32x2{exchange_25.z, exchange_25.w};
    f32x2 lanes_56 = f32x2{exchange_26.z, exchange_26.w};
    f32x2 lanes_57 = f32x2{exchange_27.z, exchange_27.w};
    f32x2 lanes_58 = f32x2{exchange_28.z, exchange_28.w};
    f32x2 lanes_59 = f32x2{exchange_29.z, exchange_29.w};
    f32x2 lanes_60 = f32x2{exchange_30.z, exchange_30.w};
    f32x2 lanes_61 = f32x2{exchange_31.z, exchange_31.w};
    f32x2 lanes_62 = f32x2{exchange_32.z, exchange_32.w};
    // attention_kernel.go
    int offset_7 = k_offset + q_start0 * k_stride0 + k_start1 * k_stride1;
    unsigned bits_3 = unsigned(k_start1);
    unsigned bits_4 = unsigned(k_size2);
    bool less = bits_2 < unsigned(k_size3);
    bool both_5 = bits < unsigned(k_size0) && bits_3 < unsigned(k_size1);
    int offset_8 = k_stride2 * 16;
    int offset_9 = k_stride2 * 32;
    int offset_10 = k_stride2 * 48;
    // attention_kernel.go
    int shifted_1 = thread << 3;
    int shifted_2 = thread >> 1;
    int lane_4 = shifted_1 ^ (shifted_2 & 56);
    int offset_11 = lane_4 + 2048;
    int offset_12 = lane_4 + 4096;
    int offset_13 = lane_4 + 6144;
    int lane_5 = both_1 << 3;
    int both_6 = thread & 128;
    int lane_6 = ((lane_5 + (both_1 << 7)) ^ both_2) + (both_3 << 6) + (both_6 << 5);
    u32x4 lanes_63 = u32x4{pack_f16(lanes), pack_f16(lanes_0), pack_f16(lanes_1), pack_f16(lanes_2)};
    f32x4 lanes_64 = f32x4{0.0f, 0.0f, 0.0f, 0.0f};
    u32x4 lanes_65 = u32x4{pack_f16(lanes_31), pack_f16(lanes_32), pack_f16(lanes_33), pack_f16(lanes_34)};
    u32x4 lanes_66 = u32x4{pack_f16(lanes_3), pack_f16(lanes_4), pack_f16(lanes_5), pack_f16(lanes_6)};
    int changed = lane_6 ^ 16;
    u32x4 lanes_67 = u32x4{pack_f16(lanes_35), pack_f16(lanes_36), pack_f16(lanes_37), pack_f16(lanes_38)};
    u32x4 lanes_68 = u32x4{pack_f16(lanes_7), pack_f16(lanes_8), pack_f16(lanes_9), pack_f16(lanes_10)};
    int changed_0 = lane_6 ^ 32;
    u32x4 lanes_69 = u32x4{pack_f16(lanes_39), pack_f16(lanes_40), pack_f16(lanes_41), pack_f16(lanes_42)};
    u32x4 lanes_70 = u32x4{pack_f16(lanes_11), pack_f16(lanes_12), pack_f16(lanes_13), pack_f16(lanes_14)};
    int changed_1 = lane_6 ^ 48;
    u32x4 lanes_71 = u32x4{pack_f16(lanes_43), pack_f16(lanes_44), pack_f16(lanes_45), pack_f16(lanes_46)};
    u32x4 lanes_72 = u32x4{pack_f16(lanes_15), pack_f16(lanes_16), pack_f16(lanes_17), pack_f16(lanes_18)};
    u32x4 lanes_73 = u32x4{pack_f16(lanes_47), pack_f16(lanes_48), pack_f16(lanes_49), pack_f16(lanes_50)};
    u32x4 lanes_74 = u32x4{pack_f16(lanes_19), pack_f16(lanes_20), pack_f16(lanes_21), pack_f16(lanes_22)};
    u32x4 lanes_75 = u32x4{pack_f16(lanes_51), pack_f16(lanes_52), pack_f16(lanes_53), pack_f16(lanes_54)};
    u32x4 lanes_76 = u32x4{pack_f16(lanes_23), pack_f16(lanes_24), pack_f16(lanes_25), pack_f16(lanes_26)};
    u32x4 lanes_77 = u32x4{pack_f16(lanes_55), pack_f16(lanes_56), pack_f16(lanes_57), pack_f16(lanes_58)};
    u32x4 lanes_78 = u32x4{pack_f16(lanes_27), pack_f16(lanes_28), pack_f16(lanes_29), pack_f16(lanes_30)};
    u32x4 lanes_79 = u32x4{pack_f16(lanes_59), pack_f16(lanes_60), pack_f16(lanes_61), pack_f16(lanes_62)};
    // attention_kernel.go
    // attention_kernel.go
    int offset_14 = mask_offset + q_start0 * mask_stride0 + q_start1 * mask_stride1 + (q_start2 + lane) * mask_stride2;
    unsigned bits_5 = unsigned(mask_size3);
    bool both_7 = bits < unsigned(mask_size0) && bits_0 < unsigned(mask_size1) && bits_1 < unsigned(mask_size2);
    int offset_15 = mask_stride2 * 32;
    int offset_16 = mask_stride2 * 64;
    int offset_17 = mask_stride2 * 96;
    // attention_kernel.go
    int both_8 = thread & 28;
    int shifted_3 = thread >> 5;
    int shifted_4 = thread >> 2;
    int lane_7 = (((both << 1) + (both_8 << 4) + (both_4 << 6)) ^ (shifted_3 & 4)) + (shifted_4 & 32);
    int index_0 = lane_7 + 512;
    int index_1 = lane_7 ^ 8;
    int index_2 = lane_7 ^ 520;
    int index_3 = lane_7 ^ 16;
    int index_4 = lane_7 ^ 528;
    int index_5 = lane_7 ^ 24;
    int index_6 = lane_7 ^ 536;
    int index_7 = lane_7 + 1024;
    int index_8 = lane_7 + 1536;
    int index_9 = lane_7 ^ 1032;
    int index_10 = lane_7 ^ 1544;
    int index_11 = lane_7 ^ 1040;
    int index_12 = lane_7 ^ 1552;
    int index_13 = lane_7 ^ 1048;
    int index_14 = lane_7 ^ 1560;
    int lane_8 = shifted_1 ^ both_8;
    int index_15 = lane_8 ^ 4;
    int index_16 = lane_8 + 2048;
    int index_17 = lane_8 ^ 2052;
    int index_18 = lane_8 + 4096;
    int index_19 = lane_8 ^ 4100;
    int index_20 = lane_8 + 6144;
    int index_21 = lane_8 ^ 6148;
    // attention_kernel.go
    int offset_18 = v_offset + q_start0 * v_stride0 + k_start1 * v_stride1;
    unsigned bits_6 = unsigned(v_size2);
    bool less_0 = bits_2 < unsigned(v_size3);
    bool both_9 = bits < unsigned(v_size0) && bits_3 < unsigned(v_size1);
    int offset_19 = v_stride2 * 16;
    int offset_20 = v_stride2 * 32;
    int offset_21 = v_stride2 * 48;
    // attention_kernel.go
    bool in_bounds_0 = both_1 == 0;
    int lane_9 = shifted_2 & 124;
    int lane_10 = both_8 + (shifted_3 & 3);
    int index_22 = lane_10 + 32;
    int index_23 = lane_10 + 64;
    int index_24 = lane_10 + 96;
    int lane_11 = shifted_1 ^ (thread & 56);
    int index_25 = lane_11 + 2048;
    int index_26 = lane_11 + 4096;
    int index_27 = lane_11 + 6144;
    int lane_12 = (lane_5 + ((thread & 111) << 6)) ^ (shifted_2 & 8);
    int both_10 = shifted_4 & 7;
    int lane_13 = (lane_5 + (both << 7)) ^ (shifted_2 & 72);
    int changed_2 = lane_13 ^ 16;
    int changed_3 = lane_13 ^ 32;
    int changed_4 = lane_13 ^ 48;
    int offset_22 = lane_12 + 1024;
    int changed_5 = lane_12 ^ 16;
    int offset_23 = changed_5 + 1024;
    int changed_6 = lane_12 ^ 32;
    int offset_24 = changed_6 + 1024;
    int changed_7 = lane_12 ^ 48;
    int offset_25 = changed_7 + 1024;
    bool more = 0 < quotient_2;
    // attention_kernel.go
    int offset_26 = offset_7 + lane_0 * k_stride2 + lane_1;
    bool in_bounds_1 = both_5 && bits_2 < bits_4 && less;
    int offset_27 = offset_26 + offset_8;
    int offset_28 = offset_26 + offset_9;
    int offset_29 = offset_26 + offset_10;
    // attention_kernel.go
    int offset_30 = offset_18 + lane_0 * v_stride2 + lane_1;
    bool in_bounds_2 = both_9 && bits_2 < bits_6 && less_0;
    int offset_31 = offset_30 + offset_19;
    int offset_32 = offset_30 + offset_20;
    int offset_33 = offset_30 + offset_21;
    // attention_kernel.go
    if (more) {
        // attention_kernel.go
        copy_async16(tile_b, lane_4, &k[offset_26], in_bounds_1);
        copy_async16(tile_b, offset_11, &k[offset_27], in_bounds_1);
        copy_async16(tile_b, offset_12, &k[offset_28], in_bounds_1);
        copy_async16(tile_b, offset_13, &k[offset_29], in_bounds_1);
        // attention_kernel.go
        copy_async16(tile_b_0, lane_4, &v[offset_30], in_bounds_2);
        copy_async16(tile_b_0, offset_11, &v[offset_31], in_bounds_2);
        copy_async16(tile_b_0, offset_12, &v[offset_32], in_bounds_2);
        copy_async16(tile_b_0, offset_13, &v[offset_33], in_bounds_2);
    }
    // attention_kernel.go
    asm volatile("cp.async.commit_group;" ::: "memory");
    float acc = -3.4028235e+38f;
    float acc_0 = -3.4028235e+38f;
    float acc_1 = -3.4028235e+38f;
    float acc_2 = -3.4028235e+38f;
    float acc_3 = 0.0f;
    float acc_4 = 0.0f;
    float acc_5 = 0.0f;
    float acc_6 = 0.0f;
    f32x2 acc_7 = splat2(0.0f);
    f32x2 acc_8 = splat2(0.0f);
    f32x2 acc_9 = splat2(0.0f);
    f32x2 acc_10 = splat2(0.0f);
    f32x2 acc_11 = splat2(0.0f);
    f32x2 acc_12 = splat2(0.0f);
    f32x2 acc_13 = splat2(0.0f);
    f32x2 acc_14 = splat2(0.0f);
    f32x2 acc_15 = splat2(0.0f);
    f32x2 acc_16 = splat2(0.0f);
    f32x2 acc_17 = splat2(0.0f);
    f32x2 acc_18 = splat2(0.0f);
    f32x2 acc_19 = splat2(0.0f);
    f32x2 acc_20 = splat2(0.0f);
    f32x2 acc_21 = splat2(0.0f);
    f32x2 acc_22 = splat2(0.0f);
    f32x2 acc_23 = splat2(0.0f);
    f32x2 acc_24 = splat2(0.0f);
    f32x2 acc_25 = splat2(0.0f);
    f32x2 acc_26 = splat2(0.0f);
    f32x2 acc_27 = splat2(0.0f);
    f32x2 acc_28 = splat2(0.0f);
    f32x2 acc_29 = splat2(0.0f);
    f32x2 acc_30 = splat2(0.0f);
    f32x2 acc_31 = splat2(0.0f);
    f32x2 acc_32 = splat2(0.0f);
    f32x2 acc_33 = splat2(0.0f);
    f32x2 acc_34 = splat2(0.0f);
    f32x2 acc_35 = splat2(0.0f);
    f32x2 acc_36 = splat2(0.0f);
    f32x2 acc_37 = splat2(0.0f);
    f32x2 acc_38 = splat2(0.0f);
    int stage = 0;
    for (int i = 0; i < quotient_2; ++i) {
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        __syncthreads();
        int ahead = i + 1;
        bool more_0 = ahead < quotient_2;
        int stage_0 = stage == 0 ? 1 : stage + -1;
        // attention_kernel.go
        int k_start2 = ahead * 64;
        int offset_34 = k_start2 + lane_0;
        unsigned bits_7 = unsigned(k_start2);
        int offset_35 = offset_7 + offset_34 * k_stride2 + lane_1;
        bool in_bounds_3 = both_5 && bits_7 < bits_4 && less;
        int offset_36 = offset_35 + offset_8;
        int offset_37 = offset_35 + offset_9;
        int offset_38 = offset_35 + offset_10;
        // attention_kernel.go
        int offset_39 = offset_18 + offset_34 * v_stride2 + lane_1;
        bool in_bounds_4 = both_9 && bits_7 < bits_6 && less_0;
        int offset_40 = offset_39 + offset_19;
        int offset_41 = offset_39 + offset_20;
        int offset_42 = offset_39 + offset_21;
        int offset_43 = lane_4 + stage_0 * 8192;
        int offset_44 = offset_43 + 2048;
        int offset_45 = offset_43 + 4096;
        int offset_46 = offset_43 + 6144;
        // attention_kernel.go
        if (more_0) {
            // attention_kernel.go
            copy_async16(tile_b, offset_43, &k[offset_35], in_bounds_3);
            copy_async16(tile_b, offset_44, &k[offset_36], in_bounds_3);
            copy_async16(tile_b, offset_45, &k[offset_37], in_bounds_3);
            copy_async16(tile_b, offset_46, &k[offset_38], in_bounds_3);
            // attention_kernel.go
            copy_async16(tile_b_0, offset_43, &v[offset_39], in_bounds_4);
            copy_async16(tile_b_0, offset_44, &v[offset_40], in_bounds_4);
            copy_async16(tile_b_0, offset_45, &v[offset_41], in_bounds_4);
            copy_async16(tile_b_0, offset_46, &v[offset_42], in_bounds_4);
        }
        // attention_kernel.go
        asm volatile("cp.async.commit_group;" ::: "memory");
        int stage_1 = stage * 8192;
        int stage_2 = stage == 1 ? 0 : stage + 1;
        // attention_kernel.go
        int k_start2_0 = i * 64;
        unsigned bits_8 = unsigned(k_start2_0);
        int offset_47 = lane_6 + stage_1;
        // attention_kernel.go
        u32x4 tile_b_1 = load_matrix4(tile_b, offset_47);
        u32x2 lanes_80 = u32x2{tile_b_1.x, tile_b_1.y};
        f32x4 acc_39 = mma_f16(lanes_63, lanes_80, lanes_64);
        u32x2 lanes_81 = u32x2{tile_b_1.z, tile_b_1.w};
        f32x4 acc_40 = mma_f16(lanes_63, lanes_81, lanes_64);
        int offset_48 = offset_47 + 2048;
        u32x4 tile_b_2 = load_matrix4(tile_b, offset_48);
        u32x2 lanes_82 = u32x2{tile_b_2.x, tile_b_2.y};
        f32x4 acc_41 = mma_f16(lanes_63, lanes_82, lanes_64);
        u32x2 lanes_83 = u32x2{tile_b_2.z, tile_b_2.w};
        f32x4 acc_42 = mma_f16(lanes_63, lanes_83, lanes_64);
        f32x4 acc_43 = mma_f16(lanes_65, lanes_80, lanes_64);
        f32x4 acc_44 = mma_f16(lanes_65, lanes_81, lanes_64);
        f32x4 acc_45 = mma_f16(lanes_65, lanes_82, lanes_64);
        f32x4 acc_46 = mma_f16(lanes_65, lanes_83, lanes_64);
        int offset_49 = changed + stage_1;
        u32x4 tile_b_3 = load_matrix4(tile_b, offset_49);
        u32x2 lanes_84 = u32x2{tile_b_3.x, tile_b_3.y};
        f32x4 acc_47 = mma_f16(lanes_66, lanes_84, acc_39);
        u32x2 lanes_85 = u32x2{tile_b_3.z, tile_b_3.w};
        f32x4 acc_48 = mma_f16(lanes_66, lanes_85, acc_40);
        int offset_50 = offset_49 + 2048;
        u32x4 tile_b_4 = load_matrix4(tile_b, offset_50);
        u32x2 lanes_86 = u32x2{tile_b_4.x, tile_b_4.y};
        f32x4 acc_49 = mma_f16(lanes_66, lanes_86, acc_41);
        u32x2 lanes_87 = u32x2{tile_b_4.z, tile_b_4.w};
        f32x4 acc_50 = mma_f16(lanes_66, lanes_87, acc_42);
        f32x4 acc_51 = mma_f16(lanes_67, lanes_84, acc_43);
        f32x4 acc_52 = mma_f16(lanes_67, lanes_85, acc_44);
        f32x4 acc_53 = mma_f16(lanes_67, lanes_86, acc_45);
        f32x4 acc_54 = mma_f16(lanes_67, lanes_87, acc_46);
        int offset_51 = changed_0 + stage_1;
        u32x4 tile_b_5 = load_matrix4(tile_b, offset_51);
        u32x2 lanes_88 = u32x2{tile_b_5.x, tile_b_5.y};
        f32x4 acc_55 = mma_f16(lanes_68, lanes_88, acc_47);
        u32x2 lanes_89 = u32x2{tile_b_5.z, tile_b_5.w};
        f32x4 acc_56 = mma_f16(lanes_68, lanes_89, acc_48);
        int offset_52 = offset_51 + 2048;
        u32x4 tile_b_6 = load_matrix4(tile_b, offset_52);
        u32x2 lanes_90 = u32x2{tile_b_6.x, tile_b_6.y};
        f32x4 acc_57 = mma_f16(lanes_68, lanes_90, acc_49);
        u32x2 lanes_91 = u32x2{tile_b_6.z, tile_b_6.w};
        f32x4 acc_58 = mma_f16(lanes_68, lanes_91, acc_50);
        f32x4 acc_59 = mma_f16(lanes_69, lanes_88, acc_51);
        f32x4 acc_60 = mma_f16(lanes_69, lanes_89, acc_52);
        f32x4 acc_61 = mma_f16(lanes_69, lanes_90, acc_53);
        f32x4 acc_62 = mma_f16(lanes_69, lanes_91, acc_54);
        int offset_53 = changed_1 + stage_1;
        u32x4 tile_b_7 = load_matrix4(tile_b, offset_53);
        u32x2 lanes_92 = u32x2{tile_b_7.x, tile_b_7.y};
        f32x4 acc_63 = mma_f16(lanes_70, lanes_92, acc_55);
        u32x2 lanes_93 = u32x2{tile_b_7.z, tile_b_7.w};
        f32x4 acc_64 = mma_f16(lanes_70, lanes_93, acc_56);
        int offset_54 = offset_53 + 2048;
        u32x4 tile_b_8 = load_matrix4(tile_b, offset_54);
        u32x2 lanes_94 = u32x2{tile_b_8.x, tile_b_8.y};
        f32x4 acc_65 = mma_f16(lanes_70, lanes_94, acc_57);
        u32x2 lanes_95 = u32x2{tile_b_8.z, tile_b_8.w};
        f32x4 acc_66 = mma_f16(lanes_70, lanes_95, acc_58);
        f32x4 acc_67 = mma_f16(lanes_71, lanes_92, acc_59);
        f32x4 acc_68 = mma_f16(lanes_71, lanes_93, acc_60);
        f32x4 acc_69 = mma_f16(lanes_71, lanes_94, acc_61);
        f32x4 acc_70 = mma_f16(lanes_71, lanes_95, acc_62);
        int offset_55 = offset_47 + 64;
        u32x4 tile_b_9 = load_matrix4(tile_b, offset_55);
        u32x2 lanes_96 = u32x2{tile_b_9.x, tile_b_9.y};
        f32x4 acc_71 = mma_f16(lanes_72, lanes_96, acc_63);
        u32x2 lanes_97 = u32x2{tile_b_9.z, tile_b_9.w};
        f32x4 acc_72 = mma_f16(lanes_72, lanes_97, acc_64);
        int offset_56 = offset_47 + 2112;
        u32x4 tile_b_10 = load_matrix4(tile_b, offset_56);
        u32x2 lanes_98 = u32x2{tile_b_10.x, tile_b_10.y};
        f32x4 acc_73 = mma_f16(lanes_72, lanes_98, acc_65);
        u32x2 lanes_99 = u32x2{tile_b_10.z, tile_b_10.w};
        f32x4 acc_74 = mma_f16(lanes_72, lanes_99, acc_66);
        f32x4 acc_75 = mma_f16(lanes_73, lanes_96, acc_67);
        f32x4 acc_76 = mma_f16(lanes_73, lanes_97, acc_68);
        f32x4 acc_77 = mma_f16(lanes_73, lanes_98, acc_69);
        f32x4 acc_78 = mma_f16(lanes_73, lanes_99, acc_70);
        int offset_57 = offset_49 + 64;
        u32x4 tile_b_11 = load_matrix4(tile_b, offset_57);
        u32x2 lanes_100 = u32x2{tile_b_11.x, tile_b_11.y};
        f32x4 acc_79 = mma_f16(lanes_74, lanes_100, acc_71);
        u32x2 lanes_101 = u32x2{tile_b_11.z, tile_b_11.w};
        f32x4 acc_80 = mma_f16(lanes_74, lanes_101, acc_72);
        int offset_58 = offset_49 + 2112;
        u32x4 tile_b_12 = load_matrix4(tile_b, offset_58);
        u32x2 lanes_102 = u32x2{tile_b_12.x, tile_b_12.y};
        f32x4 acc_81 = mma_f16(lanes_74, lanes_102, acc_73);
        u32x2 lanes_103 = u32x2{tile_b_12.z, tile_b_12.w};
        f32x4 acc_82 = mma_f16(lanes_74, lanes_103, acc_74);
        f32x4 acc_83 = mma_f16(lanes_75, lanes_100, acc_75);
        f32x4 acc_84 = mma_f16(lanes_75, lanes_101, acc_76);
        f32x4 acc_85 = mma_f16(lanes_75, lanes_102, acc_77);
        f32x4 acc_86 = mma_f16(lanes_75, lanes_103, acc_78);
        int offset_59 = offset_51 + 64;
        u32x4 tile_b_13 = load_matrix4(tile_b, offset_59);
        u32x2 lanes_104 = u32x2{tile_b_13.x, tile_b_13.y};
        f32x4 acc_87 = mma_f16(lanes_76, lanes_104, acc_79);
        u32x2 lanes_105 = u32x2{tile_b_13.z, tile_b_13.w};
        f32x4 acc_88 = mma_f16(lanes_76, lanes_105, acc_80);
        int offset_60 = offset_51 + 2112;
        u32x4 tile_b_14 = load_matrix4(tile_b, offset_60);
        u32x2 lanes_106 = u32x2{tile_b_14.x, tile_b_14.y};
        f32x4 acc_89 = mma_f16(lanes_76, lanes_106, acc_81);
        u32x2 lanes_107 = u32x2{tile_b_14.z, tile_b_14.w};
        f32x4 acc_90 = mma_f16(lanes_76, lanes_107, acc_82);
        f32x4 acc_91 = mma_f16(lanes_77, lanes_104, acc_83);
        f32x4 acc_92 = mma_f16(lanes_77, lanes_105, acc_84);
        f32x4 acc_93 = mma_f16(lanes_77, lanes_106, acc_85);
        f32x4 acc_94 = mma_f16(lanes_77, lanes_107, acc_86);
        int offset_61 = offset_53 + 64;
        u32x4 tile_b_15 = load_matrix4(tile_b, offset_61);
        u32x2 lanes_108 = u32x2{tile_b_15.x, tile_b_15.y};
        f32x4 acc_95 = mma_f16(lanes_78, lanes_108, acc_87);
        u32x2 lanes_109 = u32x2{tile_b_15.z, tile_b_15.w};
        f32x4 acc_96 = mma_f16(lanes_78, lanes_109, acc_88);
        int offset_62 = offset_53 + 2112;
        u32x4 tile_b_16 = load_matrix4(tile_b, offset_62);
        u32x2 lanes_110 = u32x2{tile_b_16.x, tile_b_16.y};
        f32x4 acc_97 = mma_f16(lanes_78, lanes_110, acc_89);
        u32x2 lanes_111 = u32x2{tile_b_16.z, tile_b_16.w};
        f32x4 acc_98 = mma_f16(lanes_78, lanes_111, acc_90);
        f32x4 acc_99 = mma_f16(lanes_79, lanes_108, acc_91);
        f32x4 acc_100 = mma_f16(lanes_79, lanes_109, acc_92);
        f32x4 acc_101 = mma_f16(lanes_79, lanes_110, acc_93);
        f32x4 acc_102 = mma_f16(lanes_79, lanes_111, acc_94);
        f32x2 lanes_112 = f32x2{acc_95.x, acc_95.y};
        f32x2 lanes_113 = f32x2{acc_95.z, acc_95.w};
        f32x2 lanes_114 = f32x2{acc_96.x, acc_96.y};
        f32x2 lanes_115 = f32x2{acc_96.z, acc_96.w};
        f32x2 lanes_116 = f32x2{acc_97.x, acc_97.y};
        f32x2 lanes_117 = f32x2{acc_97.z, acc_97.w};
        f32x2 lanes_118 = f32x2{acc_98.x, acc_98.y};
        f32x2 lanes_119 = f32x2{acc_98.z, acc_98.w};
        f32x2 lanes_120 = f32x2{acc_99.x, acc_99.y};
        f32x2 lanes_121 = f32x2{acc_99.z, acc_99.w};
        f32x2 lanes_122 = f32x2{acc_100.x, acc_100.y};
        f32x2 lanes_123 = f32x2{acc_100.z, acc_100.w};
        f32x2 lanes_124 = f32x2{acc_101.x, acc_101.y};
        f32x2 lanes_125 = f32x2{acc_101.z, acc_101.w};
        f32x2 lanes_126 = f32x2{acc_102.x, acc_102.y};
        f32x2 lanes_127 = f32x2{acc_102.z, acc_102.w};
        // attention_kernel.go
        f32x2 product = lanes_112 * splat2(scale);
        f32x2 product_0 = lanes_113 * splat2(scale);
        f32x2 product_1 = lanes_114 * splat2(scale);
        f32x2 product_2 = lanes_115 * splat2(scale);
        f32x2 product_3 = lanes_116 * splat2(scale);
        f32x2 product_4 = lanes_117 * splat2(scale);
        f32x2 product_5 = lanes_118 * splat2(scale);
        f32x2 product_6 = lanes_119 * splat2(scale);
        f32x2 product_7 = lanes_120 * splat2(scale);
        f32x2 product_8 = lanes_121 * splat2(scale);
        f32x2 product_9 = lanes_122 * splat2(scale);
        f32x2 product_10 = lanes_123 * splat2(scale);
        f32x2 product_11 = lanes_124 * splat2(scale);
        f32x2 product_12 = lanes_125 * splat2(scale);
        f32x2 product_13 = lanes_126 * splat2(scale);
        f32x2 product_14 = lanes_127 * splat2(scale);
        // attention_kernel.go
        int index_28 = offset_14 + k_start2_0 + lane_5;
        bool in_bounds_5 = both_7 && bits_8 < bits_5;
        u32x4 mask_0 = in_bounds_5 ? *(const u32x4*)&mask[index_28] : splat4(0u);
        f32x4 mask_1 = unpack_f16(u32x2{mask_0.x, mask_0.y});
        f32x4 mask_2 = unpack_f16(u32x2{mask_0.z, mask_0.w});
        u32x4 mask_3 = in_bounds_5 ? *(const u32x4*)&mask[index_28 + offset_15] : splat4(0u);
        f32x4 mask_4 = unpack_f16(u32x2{mask_3.x, mask_3.y});
        f32x4 mask_5 = unpack_f16(u32x2{mask_3.z, mask_3.w});
        u32x4 mask_6 = in_bounds_5 ? *(const u32x4*)&mask[index_28 + offset_16] : splat4(0u);
        f32x4 mask_7 = unpack_f16(u32x2{mask_6.x, mask_6.y});
        f32x4 mask_8 = unpack_f16(u32x2{mask_6.z, mask_6.w});
        u32x4 mask_9 = in_bounds_5 ? *(const u32x4*)&mask[index_28 + offset_17] : splat4(0u);
        f32x4 mask_10 = unpack_f16(u32x2{mask_9.x, mask_9.y});
        f32x4 mask_11 = unpack_f16(u32x2{mask_9.z, mask_9.w});
        // attention_kernel.go
        *(f32x2*)&exchange[lane_7] = product;
        *(f32x2*)&exchange[index_0] = product_0;
        *(f32x2*)&exchange[index_1] = product_1;
        *(f32x2*)&exchange[index_2] = product_2;
        *(f32x2*)&exchange[index_3] = product_3;
        *(f32x2*)&exchange[index_4] = product_4;
        *(f32x2*)&exchange[index_5] = product_5;
        *(f32x2*)&exchange[index_6] = product_6;
        *(f32x2*)&exchange[index_7] = product_7;
        *(f32x2*)&exchange[index_8] = product_8;
        *(f32x2*)&exchange[index_9] = product_9;
        *(f32x2*)&exchange[index_10] = product_10;
        *(f32x2*)&exchange[index_11] = product_11;
        *(f32x2*)&exchange[index_12] = product_12;
        *(f32x2*)&exchange[index_13] = product_13;
        *(f32x2*)&exchange[index_14] = product_14;
        __syncthreads();
        f32x4 exchange_33 = *(const f32x4*)&exchange[lane_8];
        f32x4 exchange_34 = *(const f32x4*)&exchange[index_15];
        f32x4 exchange_35 = *(const f32x4*)&exchange[index_16];
        f32x4 exchange_36 = *(const f32x4*)&exchange[index_17];
        f32x4 exchange_37 = *(const f32x4*)&exchange[index_18];
        f32x4 exchange_38 = *(const f32x4*)&exchange[index_19];
        f32x4 exchange_39 = *(const f32x4*)&exchange[index_20];
        f32x4 exchange_40 = *(const f32x4*)&exchange[index_21];
        f32x4 fused = fmaf(mask_1, splat4(1.442695f), exchange_33);
        f32x4 fused_0 = fmaf(mask_2, splat4(1.442695f), exchange_34);
        f32x4 fused_1 = fmaf(mask_4, splat4(1.442695f), exchange_35);
        f32x4 fused_2 = fmaf(mask_5, splat4(1.442695f), exchange_36);
        f32x4 fused_3 = fmaf(mask_7, splat4(1.442695f), exchange_37);
        f32x4 fused_4 = fmaf(mask_8, splat4(1.442695f), exchange_38);
        f32x4 fused_5 = fmaf(mask_10, splat4(1.442695f), exchange_39);
        f32x4 fused_6 = fmaf(mask_11, splat4(1.442695f), exchange_40);
        // attention_kernel.go
        bool at_least = i >= quotient_3;
        // attention_kernel.go
        f32x4 chosen_1 = fused;
        f32x4 chosen_2 = fused_0;
        f32x4 chosen_3 = fused_1;
        f32x4 chosen_4 = fused_2;
        f32x4 chosen_5 = fused_3;
        f32x4 chosen_6 = fused_4;
        f32x4 chosen_7 = fused_5;
        f32x4 chosen_8 = fused_6;
        if (at_least) {
            // attention_kernel.go
            i32x4 offset_63 = i32x4{lane_5, lane_5 + 1, lane_5 + 2, lane_5 + 3} + splat4(k_start2_0);
            i32x4 offset_64 = i32x4{lane_5 + 4, lane_5 + 5, lane_5 + 6, lane_5 + 7} + splat4(k_start2_0);
            // attention_kernel.go
            boolx4 less_1 = offset_63 < splat4(least);
            boolx4 less_2 = offset_64 < splat4(least);
            boolx4 less_3 = offset_63 < splat4(least_0);
            boolx4 less_4 = offset_64 < splat4(least_0);
            boolx4 less_5 = offset_63 < splat4(least_1);
            boolx4 less_6 = offset_64 < splat4(least_1);
            boolx4 less_7 = offset_63 < splat4(least_2);
            boolx4 less_8 = offset_64 < splat4(least_2);
            chosen_1 = select(less_1, fused, splat4(__int_as_float(0xff800000)));
            chosen_2 = select(less_2, fused_0, splat4(__int_as_float(0xff800000)));
            chosen_3 = select(less_3, fused_1, splat4(__int_as_float(0xff800000)));
            chosen_4 = select(less_4, fused_2, splat4(__int_as_float(0xff800000)));
            chosen_5 = select(less_5, fused_3, splat4(__int_as_float(0xff800000)));
            chosen_6 = select(less_6, fused_4, splat4(__int_as_float(0xff800000)));
            chosen_7 = select(less_7, fused_5, splat4(__int_as_float(0xff800000)));
            chosen_8 = select(less_8, fused_6, splat4(__int_as_float(0xff800000)));
        }
        // attention_kernel.go
        f32x4 greatest = fmaxf(chosen_1, chosen_2);
        f32x4 greatest_0 = fmaxf(chosen_3, chosen_4);
        f32x4 greatest_1 = fmaxf(chosen_5, chosen_6);
        f32x4 greatest_2 = fmaxf(chosen_7, chosen_8);
        float greatest_3 = fmaxf(fmaxf(greatest.x, greatest.z), fmaxf(greatest.y, greatest.w));
        float greatest_4 = fmaxf(fmaxf(greatest_0.x, greatest_0.z), fmaxf(greatest_0.y, greatest_0.w));
        float greatest_5 = fmaxf(fmaxf(greatest_1.x, greatest_1.z), fmaxf(greatest_1.y, greatest_1.w));
        float greatest_6 = fmaxf(fmaxf(greatest_2.x, greatest_2.z), fmaxf(greatest_2.y, greatest_2.w));
        float other = __shfl_xor_sync(0xffffffffu, greatest_3, 1);
        float greatest_7 = fmaxf(greatest_3, other);
        float other_0 = __shfl_xor_sync(0xffffffffu, greatest_4, 1);
        float greatest_8 = fmaxf(greatest_4, other_0);
        float other_1 = __shfl_xor_sync(0xffffffffu, greatest_5, 1);
        float greatest_9 = fmaxf(greatest_5, other_1);
        float other_2 = __shfl_xor_sync(0xffffffffu, greatest_6, 1);
        float greatest_10 = fmaxf(greatest_6, other_2);
        float other_3 = __shfl_xor_sync(0xffffffffu, greatest_7, 2);
        float greatest_11 = fmaxf(greatest_7, other_3);
        float other_4 = __shfl_xor_sync(0xffffffffu, greatest_8, 2);
        float greatest_12 = fmaxf(greatest_8, other_4);
        float other_5 = __shfl_xor_sync(0xffffffffu, greatest_9, 2);
        float greatest_13 = fmaxf(greatest_9, other_5);
        float other_6 = __shfl_xor_sync(0xffffffffu, greatest_10, 2);
        float greatest_14 = fmaxf(greatest_10, other_6);
        float other_7 = __shfl_xor_sync(0xffffffffu, greatest_11, 4);
        float other_8 = __shfl_xor_sync(0xffffffffu, greatest_12, 4);
        float other_9 = __shfl_xor_sync(0xffffffffu, greatest_13, 4);
        float other_10 = __shfl_xor_sync(0xffffffffu, greatest_14, 4);
        float greatest_15 = fmaxf(acc, fmaxf(greatest_11, other_7));
        float greatest_16 = fmaxf(acc_0, fmaxf(greatest_12, other_8));
        float greatest_17 = fmaxf(acc_1, fmaxf(greatest_13, other_9));
        float greatest_18 = fmaxf(acc_2, fmaxf(greatest_14, other_10));
        // attention_kernel.go
        f32x4 power = exp2f(chosen_1 - splat4(greatest_15));
        f32x4 power_0 = exp2f(chosen_2 - splat4(greatest_15));
        f32x4 power_1 = exp2f(chosen_3 - splat4(greatest_16));
        f32x4 power_2 = exp2f(chosen_4 - splat4(greatest_16));
        f32x4 power_3 = exp2f(chosen_5 - splat4(greatest_17));
        f32x4 power_4 = exp2f(chosen_6 - splat4(greatest_17));
        f32x4 power_5 = exp2f(chosen_7 - splat4(greatest_18));
        f32x4 power_6 = exp2f(chosen_8 - splat4(greatest_18));
        float power_7 = exp2f(acc - greatest_15);
        float power_8 = exp2f(acc_0 - greatest_16);
        float power_9 = exp2f(acc_1 - greatest_17);
        float power_10 = exp2f(acc_2 - greatest_18);
        // attention_kernel.go
        acc_3 *= power_7;
        acc_4 *= power_8;
        acc_5 *= power_9;
        acc_6 *= power_10;
        f32x4 sum = power + power_0;
        f32x4 sum_0 = power_1 + power_2;
        f32x4 sum_1 = power_3 + power_4;
        f32x4 sum_2 = power_5 + power_6;
        float sum_3 = sum.x + sum.z + (sum.y + sum.w);
        float sum_4 = sum_0.x + sum_0.z + (sum_0.y + sum_0.w);
        float sum_5 = sum_1.x + sum_1.z + (sum_1.y + sum_1.w);
        float sum_6 = sum_2.x + sum_2.z + (sum_2.y + sum_2.w);
        float other_11 = __shfl_xor_sync(0xffffffffu, sum_3, 1);
        float sum_7 = sum_3 + other_11;
        float other_12 = __shfl_xor_sync(0xffffffffu, sum_4, 1);
        float sum_8 = sum_4 + other_12;
        float other_13 = __shfl_xor_sync(0xffffffffu, sum_5, 1);
        float sum_9 = sum_5 + other_13;
        float other_14 = __shfl_xor_sync(0xffffffffu, sum_6, 1);
        float sum_10 = sum_6 + other_14;
        float other_15 = __shfl_xor_sync(0xffffffffu, sum_7, 2);
        float sum_11 = sum_7 + other_15;
        float other_16 = __shfl_xor_sync(0xffffffffu, sum_8, 2);
        float sum_12 = sum_8 + other_16;
        float other_17 = __shfl_xor_sync(0xffffffffu, sum_9, 2);
        float sum_13 = sum_9 + other_17;
        float other_18 = __shfl_xor_sync(0xffffffffu, sum_10, 2);
        float sum_14 = sum_10 + other_18;
        float other_19 = __shfl_xor_sync(0xffffffffu, sum_11, 4);
        float other_20 = __shfl_xor_sync(0xffffffffu, sum_12, 4);
        float other_21 = __shfl_xor_sync(0xffffffffu, sum_13, 4);
        float other_22 = __shfl_xor_sync(0xffffffffu, sum_14, 4);
        acc_3 += sum_11 + other_19;
        acc_4 += sum_12 + other_20;
        acc_5 += sum_13 + other_21;
        acc_6 += sum_14 + other_22;
        // attention_kernel.go
        if (in_bounds_0) {
            *(f32x4*)&exchange_0[lane_9] = f32x4{power_7, power_8, power_9, power_10};
        }
        __syncthreads();
        float exchange_41 = exchange_0[lane_10];
        float exchange_42 = exchange_0[index_22];
        float exchange_43 = exchange_0[index_23];
        float exchange_44 = exchange_0[index_24];
        f32x2 product_15 = acc_7 * splat2(exchange_41);
        f32x2 product_16 = acc_8 * splat2(exchange_42);
        f32x2 product_17 = acc_9 * splat2(exchange_41);
        f32x2 product_18 = acc_10 * splat2(exchange_42);
        f32x2 product_19 = acc_11 * splat2(exchange_41);
        f32x2 product_20 = acc_12 * splat2(exchange_42);
        f32x2 product_21 = acc_13 * splat2(exchange_41);
        f32x2 product_22 = acc_14 * splat2(exchange_42);
        f32x2 product_23 = acc_15 * splat2(exchange_41);
        f32x2 product_24 = acc_16 * splat2(exchange_42);
        f32x2 product_25 = acc_17 * splat2(exchange_41);
        f32x2 product_26 = acc_18 * splat2(exchange_42);
        f32x2 product_27 = acc_19 * splat2(exchange_41);
        f32x2 product_28 = acc_20 * splat2(exchange_42);
        f32x2 product_29 = acc_21 * splat2(exchange_41);
        f32x2 product_30 = acc_22 * splat2(exchange_42);
        f32x2 product_31 = acc_23 * splat2(exchange_43);
        f32x2 product_32 = acc_24 * splat2(exchange_44);
        f32x2 product_33 = acc_25 * splat2(exchange_43);
        f32x2 product_34 = acc_26 * splat2(exchange_44);
        f32x2 product_35 = acc_27 * splat2(exchange_43);
        f32x2 product_36 = acc_28 * splat2(exchange_44);
        f32x2 product_37 = acc_29 * splat2(exchange_43);
        f32x2 product_38 = acc_30 * splat2(exchange_44);
        f32x2 product_39 = acc_31 * splat2(exchange_43);
        f32x2 product_40 = acc_32 * splat2(exchange_44);
        f32x2 product_41 = acc_33 * splat2(exchange_43);
        f32x2 product_42 = acc_34 * splat2(exchange_44);
        f32x2 product_43 = acc_35 * splat2(exchange_43);
        f32x2 product_44 = acc_36 * splat2(exchange_44);
        f32x2 product_45 = acc_37 * splat2(exchange_43);
        f32x2 product_46 = acc_38 * splat2(exchange_44);
        u32x2 value = pack_f16(power);
        u32x2 value_0 = pack_f16(power_0);
        *(u32x4*)&tile_a[lane_11] = u32x4{value.x, value.y, value_0.x, value_0.y};
        u32x2 value_1 = pack_f16(power_1);
        u32x2 value_2 = pack_f16(power_2);
        *(u32x4*)&tile_a[index_25] = u32x4{value_1.x, value_1.y, value_2.x, value_2.y};
        u32x2 value_3 = pack_f16(power_3);
        u32x2 value_4 = pack_f16(power_4);
        *(u32x4*)&tile_a[index_26] = u32x4{value_3.x, value_3.y, value_4.x, value_4.y};
        u32x2 value_5 = pack_f16(power_5);
        u32x2 value_6 = pack_f16(power_6);
        *(u32x4*)&tile_a[index_27] = u32x4{value_5.x, value_5.y, value_6.x, value_6.y};
        __syncthreads();
        u32x4 tile_a_0 = load_matrix4(tile_a, lane_12);
        int offset_65 = lane_13 + stage_1;
        u32x4 tile_b_17 = load_matrix_transposed4(tile_b_0, offset_65);
        u32x2 lanes_128 = u32x2{tile_b_17.x, tile_b_17.y};
        f32x4 acc_103 = mma_f16(tile_a_0, lanes_128, f32x4{product_15.x, product_15.y, product_16.x, product_16.y});
        u32x2 lanes_129 = u32x2{tile_b_17.z, tile_b_17.w};
        f32x4 acc_104 = mma_f16(tile_a_0, lanes_129, f32x4{product_17.x, product_17.y, product_18.x, product_18.y});
        int offset_66 = changed_2 + stage_1;
        u32x4 tile_b_18 = load_matrix_transposed4(tile_b_0, offset_66);
        u32x2 lanes_130 = u32x2{tile_b_18.x, tile_b_18.y};
        f32x4 acc_105 = mma_f16(tile_a_0, lanes_130, f32x4{product_19.x, product_19.y, product_20.x, product_20.y});
        u32x2 lanes_131 = u32x2{tile_b_18.z, tile_b_18.w};
        f32x4 acc_106 = mma_f16(tile_a_0, lanes_131, f32x4{product_21.x, product_21.y, product_22.x, product_22.y});
        int offset_67 = changed_3 + stage_1;
        u32x4 tile_b_19 = load_matrix_transposed4(tile_b_0, offset_67);
        u32x2 lanes_132 = u32x2{tile_b_19.x, tile_b_19.y};
        f32x4 acc_107 = mma_f16(tile_a_0, lanes_132, f32x4{product_23.x, product_23.y, product_24.x, product_24.y});
        u32x2 lanes_133 = u32x2{tile_b_19.z, tile_b_19.w};
        f32x4 acc_108 = mma_f16(tile_a_0, lanes_133, f32x4{product_25.x, product_25.y, product_26.x, product_26.y});
        int offset_68 = changed_4 + stage_1;
        u32x4 tile_b_20 = load_matrix_transposed4(tile_b_0, offset_68);
        u32x2 lanes_134 = u32x2{tile_b_20.x, tile_b_20.y};
        f32x4 acc_109 = mma_f16(tile_a_0, lanes_134, f32x4{product_27.x, product_27.y, product_28.x, product_28.y});
        u32x2 lanes_135 = u32x2{tile_b_20.z, tile_b_20.w};
        f32x4 acc_110 = mma_f16(tile_a_0, lanes_135, f32x4{product_29.x, product_29.y, product_30.x, product_30.y});
        u32x4 tile_a_1 = load_matrix4(tile_a, offset_22);
        f32x4 acc_111 = mma_f16(tile_a_1, lanes_128, f32x4{product_31.x, product_31.y, product_32.x, product_32.y});
        f32x4 acc_112 = mma_f16(tile_a_1, lanes_129, f32x4{product_33.x, product_33.y, product_34.x, product_34.y});
        f32x4 acc_113 = mma_f16(tile_a_1, lanes_130, f32x4{product_35.x, product_35.y, product_36.x, product_36.y});
        f32x4 acc_114 = mma_f16(tile_a_1, lanes_131, f32x4{product_37.x, product_37.y, product_38.x, product_38.y});
        f32x4 acc_115 = mma_f16(tile_a_1, lanes_132, f32x4{product_39.x, product_39.y, product_40.x, product_40.y});
        f32x4 acc_116 = mma_f16(tile_a_1, lanes_133, f32x4{product_41.x, product_41.y, product_42.x, product_42.y});
        f32x4 acc_117 = mma_f16(tile_a_1, lanes_134, f32x4{product_43.x, product_43.y, product_44.x, product_44.y});
        f32x4 acc_118 = mma_f16(tile_a_1, lanes_135, f32x4{product_45.x, product_45.y, product_46.x, product_46.y});
        u32x4 tile_a_2 = load_matrix4(tile_a, changed_5);
        int offset_69 = offset_65 + 2048;
        u32x4 tile_b_21 = load_matrix_transposed4(tile_b_0, offset_69);
        u32x2 lanes_136 = u32x2{tile_b_21.x, tile_b_21.y};
        f32x4 acc_119 = mma_f16(tile_a_2, lanes_136, acc_103);
        u32x2 lanes_137 = u32x2{tile_b_21.z, tile_b_21.w};
        f32x4 acc_120 = mma_f16(tile_a_2, lanes_137, acc_104);
        int offset_70 = offset_66 + 2048;
        u32x4 tile_b_22 = load_matrix_transposed4(tile_b_0, offset_70);
        u32x2 lanes_138 = u32x2{tile_b_22.x, tile_b_22.y};
        f32x4 acc_121 = mma_f16(tile_a_2, lanes_138, acc_105);
        u32x2 lanes_139 = u32x2{tile_b_22.z, tile_b_22.w};
        f32x4 acc_122 = mma_f16(tile_a_2, lanes_139, acc_106);
        int offset_71 = offset_67 + 2048;
        u32x4 tile_b_23 = load_matrix_transposed4(tile_b_0, offset_71);
        u32x2 lanes_140 = u32x2{tile_b_23.x, tile_b_23.y};
        f32x4 acc_123 = mma_f16(tile_a_2, lanes_140, acc_107);
        u32x2 lanes_141 = u32x2{tile_b_23.z, tile_b_23.w};
        f32x4 acc_124 = mma_f16(tile_a_2, lanes_141, acc_108);
        int offset_72 = offset_68 + 2048;
        u32x4 tile_b_24 = load_matrix_transposed4(tile_b_0, offset_72);
        u32x2 lanes_142 = u32x2{tile_b_24.x, tile_b_24.y};
        f32x4 acc_125 = mma_f16(tile_a_2, lanes_142, acc_109);
        u32x2 lanes_143 = u32x2{tile_b_24.z, tile_b_24.w};
        f32x4 acc_126 = mma_f16(tile_a_2, lanes_143, acc_110);
        u32x4 tile_a_3 = load_matrix4(tile_a, offset_23);
        f32x4 acc_127 = mma_f16(tile_a_3, lanes_136, acc_111);
        f32x4 acc_128 = mma_f16(tile_a_3, lanes_137, acc_112);
        f32x4 acc_129 = mma_f16(tile_a_3, lanes_138, acc_113);
        f32x4 acc_130 = mma_f16(tile_a_3, lanes_139, acc_114);
        f32x4 acc_131 = mma_f16(tile_a_3, lanes_140, acc_115);
        f32x4 acc_132 = mma_f16(tile_a_3, lanes_141, acc_116);
        f32x4 acc_133 = mma_f16(tile_a_3, lanes_142, acc_117);
        f32x4 acc_134 = mma_f16(tile_a_3, lanes_143, acc_118);
        u32x4 tile_a_4 = load_matrix4(tile_a, changed_6);
        int offset_73 = offset_65 + 4096;
        u32x4 tile_b_25 = load_matrix_transposed4(tile_b_0, offset_73);
        u32x2 lanes_144 = u32x2{tile_b_25.x, tile_b_25.y};
        f32x4 acc_135 = mma_f16(tile_a_4, lanes_144, acc_119);
        u32x2 lanes_145 = u32x2{tile_b_25.z, tile_b_25.w};
        f32x4 acc_136 = mma_f16(tile_a_4, lanes_145, acc_120);
        int offset_74 = offset_66 + 4096;
        u32x4 tile_b_26 = load_matrix_transposed4(tile_b_0, offset_74);
        u32x2 lanes_146 = u32x2{tile_b_26.x, tile_b_26.y};
        f32x4 acc_137 = mma_f16(tile_a_4, lanes_146, acc_121);
        u32x2 lanes_147 = u32x2{tile_b_26.z, tile_b_26.w};
        f32x4 acc_138 = mma_f16(tile_a_4, lanes_147, acc_122);
        int offset_75 = offset_67 + 4096;
        u32x4 tile_b_27 = load_matrix_transposed4(tile_b_0, offset_75);
        u32x2 lanes_148 = u32x2{tile_b_27.x, tile_b_27.y};
        f32x4 acc_139 = mma_f16(tile_a_4, lanes_148, acc_123);
        u32x2 lanes_149 = u32x2{tile_b_27.z, tile_b_27.w};
        f32x4 acc_140 = mma_f16(tile_a_4, lanes_149, acc_124);
        int offset_76 = offset_68 + 4096;
        u32x4 tile_b_28 = load_matrix_transposed4(tile_b_0, offset_76);
        u32x2 lanes_150 = u32x2{tile_b_28.x, tile_b_28.y};
        f32x4 acc_141 = mma_f16(tile_a_4, lanes_150, acc_125);
        u32x2 lanes_151 = u32x2{tile_b_28.z, tile_b_28.w};
        f32x4 acc_142 = mma_f16(tile_a_4, lanes_151, acc_126);
        u32x4 tile_a_5 = load_matrix4(tile_a, offset_24);
        f32x4 acc_143 = mma_f16(tile_a_5, lanes_144, acc_127);
        f32x4 acc_144 = mma_f16(tile_a_5, lanes_145, acc_128);
        f32x4 acc_145 = mma_f16(tile_a_5, lanes_146, acc_129);
        f32x4 acc_146 = mma_f16(tile_a_5, lanes_147, acc_130);
        f32x4 acc_147 = mma_f16(tile_a_5, lanes_148, acc_131);
        f32x4 acc_148 = mma_f16(tile_a_5, lanes_149, acc_132);
        f32x4 acc_149 = mma_f16(tile_a_5, lanes_150, acc_133);
        f32x4 acc_150 = mma_f16(tile_a_5, lanes_151, acc_134);
        u32x4 tile_a_6 = load_matrix4(tile_a, changed_7);
        int offset_77 = offset_65 + 6144;
        u32x4 tile_b_29 = load_matrix_transposed4(tile_b_0, offset_77);
        u32x2 lanes_152 = u32x2{tile_b_29.x, tile_b_29.y};
        f32x4 acc_151 = mma_f16(tile_a_6, lanes_152, acc_135);
        u32x2 lanes_153 = u32x2{tile_b_29.z, tile_b_29.w};
        f32x4 acc_152 = mma_f16(tile_a_6, lanes_153, acc_136);
        int offset_78 = offset_66 + 6144;
        u32x4 tile_b_30 = load_matrix_transposed4(tile_b_0, offset_78);
        u32x2 lanes_154 = u32x2{tile_b_30.x, tile_b_30.y};
        f32x4 acc_153 = mma_f16(tile_a_6, lanes_154, acc_137);
        u32x2 lanes_155 = u32x2{tile_b_30.z, tile_b_30.w};
        f32x4 acc_154 = mma_f16(tile_a_6, lanes_155, acc_138);
        int offset_79 = offset_67 + 6144;
        u32x4 tile_b_31 = load_matrix_transposed4(tile_b_0, offset_79);
        u32x2 lanes_156 = u32x2{tile_b_31.x, tile_b_31.y};
        f32x4 acc_155 = mma_f16(tile_a_6, lanes_156, acc_139);
        u32x2 lanes_157 = u32x2{tile_b_31.z, tile_b_31.w};
        f32x4 acc_156 = mma_f16(tile_a_6, lanes_157, acc_140);
        int offset_80 = offset_68 + 6144;
        u32x4 tile_b_32 = load_matrix_transposed4(tile_b_0, offset_80);
        u32x2 lanes_158 = u32x2{tile_b_32.x, tile_b_32.y};
        f32x4 acc_157 = mma_f16(tile_a_6, lanes_158, acc_141);
        u32x2 lanes_159 = u32x2{tile_b_32.z, tile_b_32.w};
        f32x4 acc_158 = mma_f16(tile_a_6, lanes_159, acc_142);
        u32x4 tile_a_7 = load_matrix4(tile_a, offset_25);
        f32x4 acc_159 = mma_f16(tile_a_7, lanes_152, acc_143);
        f32x4 acc_160 = mma_f16(tile_a_7, lanes_153, acc_144);
        f32x4 acc_161 = mma_f16(tile_a_7, lanes_154, acc_145);
        f32x4 acc_162 = mma_f16(tile_a_7, lanes_155, acc_146);
        f32x4 acc_163 = mma_f16(tile_a_7, lanes_156, acc_147);
        f32x4 acc_164 = mma_f16(tile_a_7, lanes_157, acc_148);
        f32x4 acc_165 = mma_f16(tile_a_7, lanes_158, acc_149);
        f32x4 acc_166 = mma_f16(tile_a_7, lanes_159, acc_150);
        acc = greatest_15;
        acc_0 = greatest_16;
        acc_1 = greatest_17;
        acc_2 = greatest_18;
        acc_7 = f32x2{acc_151.x, acc_151.y};
        acc_8 = f32x2{acc_151.z, acc_151.w};
        acc_9 = f32x2{acc_152.x, acc_152.y};
        acc_10 = f32x2{acc_152.z, acc_152.w};
        acc_11 = f32x2{acc_153.x, acc_153.y};
        acc_12 = f32x2{acc_153.z, acc_153.w};
        acc_13 = f32x2{acc_154.x, acc_154.y};
        acc_14 = f32x2{acc_154.z, acc_154.w};
        acc_15 = f32x2{acc_155.x, acc_155.y};
        acc_16 = f32x2{acc_155.z, acc_155.w};
        acc_17 = f32x2{acc_156.x, acc_156.y};
        acc_18 = f32x2{acc_156.z, acc_156.w};
        acc_19 = f32x2{acc_157.x, acc_157.y};
        acc_20 = f32x2{acc_157.z, acc_157.w};
        acc_21 = f32x2{acc_158.x, acc_158.y};
        acc_22 = f32x2{acc_158.z, acc_158.w};
        acc_23 = f32x2{acc_159.x, acc_159.y};
        acc_24 = f32x2{acc_159.z, acc_159.w};
        acc_25 = f32x2{acc_160.x, acc_160.y};
        acc_26 = f32x2{acc_160.z, acc_160.w};
        acc_27 = f32x2{acc_161.x, acc_161.y};
        acc_28 = f32x2{acc_161.z, acc_161.w};
        acc_29 = f32x2{acc_162.x, acc_162.y};
        acc_30 = f32x2{acc_162.z, acc_162.w};
        acc_31 = f32x2{acc_163.x, acc_163.y};
        acc_32 = f32x2{acc_163.z, acc_163.w};
        acc_33 = f32x2{acc_164.x, acc_164.y};
        acc_34 = f32x2{acc_164.z, acc_164.w};
        acc_35 = f32x2{acc_165.x, acc_165.y};
        acc_36 = f32x2{acc_165.z, acc_165.w};
        acc_37 = f32x2{acc_166.x, acc_166.y};
        acc_38 = f32x2{acc_166.z, acc_166.w};
        stage = stage_2;
    }
    // attention_kernel.go
    if (in_bounds_0) {
        *(f32x4*)&exchange_0[lane_9] = f32x4{acc_3, acc_4, acc_5, acc_6};
    }
    __syncthreads();
    float exchange_45 = exchange_0[lane_10];
    float exchange_46 = exchange_0[index_22];
    float exchange_47 = exchange_0[index_23];
    float exchange_48 = exchange_0[index_24];
    bool equal = exchange_45 == 0.0f;
    bool equal_0 = exchange_46 == 0.0f;
    bool equal_1 = exchange_47 == 0.0f;
    bool equal_2 = exchange_48 == 0.0f;
    // attention_kernel.go
    float quotient_4 = 1.0f / (equal ? 1.0f : exchange_45);
    float quotient_5 = 1.0f / (equal_0 ? 1.0f : exchange_46);
    float quotient_6 = 1.0f / (equal_1 ? 1.0f : exchange_47);
    float quotient_7 = 1.0f / (equal_2 ? 1.0f : exchange_48);
    // attention_kernel.go
    f32x2 rounded = round_f16(acc_7 * splat2(quotient_4));
    f32x2 rounded_0 = round_f16(acc_8 * splat2(quotient_5));
    f32x2 rounded_1 = round_f16(acc_9 * splat2(quotient_4));
    f32x2 rounded_2 = round_f16(acc_10 * splat2(quotient_5));
    f32x2 rounded_3 = round_f16(acc_11 * splat2(quotient_4));
    f32x2 rounded_4 = round_f16(acc_12 * splat2(quotient_5));
    f32x2 rounded_5 = round_f16(acc_13 * splat2(quotient_4));
    f32x2 rounded_6 = round_f16(acc_14 * splat2(quotient_5));
    f32x2 rounded_7 = round_f16(acc_15 * splat2(quotient_4));
    f32x2 rounded_8 = round_f16(acc_16 * splat2(quotient_5));
    f32x2 rounded_9 = round_f16(acc_17 * splat2(quotient_4));
    f32x2 rounded_10 = round_f16(acc_18 * splat2(quotient_5));
    f32x2 rounded_11 = round_f16(acc_19 * splat2(quotient_4));
    f32x2 rounded_12 = round_f16(acc_20 * splat2(quotient_5));
    f32x2 rounded_13 = round_f16(acc_21 * splat2(quotient_4));
    f32x2 rounded_14 = round_f16(acc_22 * splat2(quotient_5));
    f32x2 rounded_15 = round_f16(acc_23 * splat2(quotient_6));
    f32x2 rounded_16 = round_f16(acc_24 * splat2(quotient_7));
    f32x2 rounded_17 = round_f16(acc_25 * splat2(quotient_6));
    f32x2 rounded_18 = round_f16(acc_26 * splat2(quotient_7));
    f32x2 rounded_19 = round_f16(acc_27 * splat2(quotient_6));
    f32x2 rounded_20 = round_f16(acc_28 * splat2(quotient_7));
    f32x2 rounded_21 = round_f16(acc_29 * splat2(quotient_6));
    f32x2 rounded_22 = round_f16(acc_30 * splat2(quotient_7));
    f32x2 rounded_23 = round_f16(acc_31 * splat2(quotient_6));
    f32x2 rounded_24 = round_f16(acc_32 * splat2(quotient_7));
    f32x2 rounded_25 = round_f16(acc_33 * splat2(quotient_6));
    f32x2 rounded_26 = round_f16(acc_34 * splat2(quotient_7));
    f32x2 rounded_27 = round_f16(acc_35 * splat2(quotient_6));
    f32x2 rounded_28 = round_f16(acc_36 * splat2(quotient_7));
    f32x2 rounded_29 = round_f16(acc_37 * splat2(quotient_6));
    f32x2 rounded_30 = round_f16(acc_38 * splat2(quotient_7));
    int lane_14 = shifted + (both_1 << 5) + ((thread & 248) << 6);
    *(f32x4*)&exchange[lane_14] = f32x4{rounded.x, rounded.y, rounded_15.x, rounded_15.y};
    *(f32x4*)&exchange[lane_14 + 256] = f32x4{rounded_0.x, rounded_0.y, rounded_16.x, rounded_16.y};
    *(f32x4*)&exchange[lane_14 ^ 4] = f32x4{rounded_1.x, rounded_1.y, rounded_17.x, rounded_17.y};
    *(f32x4*)&exchange[lane_14 ^ 260] = f32x4{rounded_2.x, rounded_2.y, rounded_18.x, rounded_18.y};
    *(f32x4*)&exchange[lane_14 ^ 8] = f32x4{rounded_3.x, rounded_3.y, rounded_19.x, rounded_19.y};
    *(f32x4*)&exchange[lane_14 ^ 264] = f32x4{rounded_4.x, rounded_4.y, rounded_20.x, rounded_20.y};
    *(f32x4*)&exchange[lane_14 ^ 12] = f32x4{rounded_5.x, rounded_5.y, rounded_21.x, rounded_21.y};
    *(f32x4*)&exchange[lane_14 ^ 268] = f32x4{rounded_6.x, rounded_6.y, rounded_22.x, rounded_22.y};
    *(f32x4*)&exchange[lane_14 ^ 16] = f32x4{rounded_7.x, rounded_7.y, rounded_23.x, rounded_23.y};
    *(f32x4*)&exchange[lane_14 ^ 272] = f32x4{rounded_8.x, rounded_8.y, rounded_24.x, rounded_24.y};
    *(f32x4*)&exchange[lane_14 ^ 20] = f32x4{rounded_9.x, rounded_9.y, rounded_25.x, rounded_25.y};
    *(f32x4*)&exchange[lane_14 ^ 276] = f32x4{rounded_10.x, rounded_10.y, rounded_26.x, rounded_26.y};
    *(f32x4*)&exchange[lane_14 ^ 24] = f32x4{rounded_11.x, rounded_11.y, rounded_27.x, rounded_27.y};
    *(f32x4*)&exchange[lane_14 ^ 280] = f32x4{rounded_12.x, rounded_12.y, rounded_28.x, rounded_28.y};
    *(f32x4*)&exchange[lane_14 ^ 28] = f32x4{rounded_13.x, rounded_13.y, rounded_29.x, rounded_29.y};
    *(f32x4*)&exchange[lane_14 ^ 284] = f32x4{rounded_14.x, rounded_14.y, rounded_30.x, rounded_30.y};
    int offset_81 = ((shifted + (both_2 << 10)) ^ both_3) + shifted_0 + (both_4 << 4);
    int lane_15 = offset_81 + (both_6 << 1);
    __syncthreads();
    f32x4 exchange_49 = *(const f32x4*)&exchange[lane_15];
    f32x4 exchange_50 = *(const f32x4*)&exchange[lane_15 ^ 36];
    f32x4 exchange_51 = *(const f32x4*)&exchange[lane_15 ^ 72];
    f32x4 exchange_52 = *(const f32x4*)&exchange[lane_15 ^ 108];
    f32x4 exchange_53 = *(const f32x4*)&exchange[lane_15 + 2048];
    f32x4 exchange_54 = *(const f32x4*)&exchange[lane_15 ^ 2084];
    f32x4 exchange_55 = *(const f32x4*)&exchange[lane_15 ^ 2120];
    f32x4 exchange_56 = *(const f32x4*)&exchange[lane_15 ^ 2156];
    f32x4 exchange_57 = *(const f32x4*)&exchange[lane_15 + 4096];
    f32x4 exchange_58 = *(const f32x4*)&exchange[lane_15 ^ 4132];
    f32x4 exchange_59 = *(const f32x4*)&exchange[lane_15 ^ 4168];
    f32x4 exchange_60 = *(const f32x4*)&exchange[lane_15 ^ 4204];
    f32x4 exchange_61 = *(const f32x4*)&exchange[lane_15 + 6144];
    f32x4 exchange_62 = *(const f32x4*)&exchange[lane_15 ^ 6180];
    f32x4 exchange_63 = *(const f32x4*)&exchange[lane_15 ^ 6216];
    f32x4 exchange_64 = *(const f32x4*)&exchange[lane_15 ^ 6252];
    f32x4 lanes_160 = f32x4{exchange_49.x, exchange_49.y, exchange_50.x, exchange_50.y};
    f32x4 lanes_161 = f32x4{exchange_51.x, exchange_51.y, exchange_52.x, exchange_52.y};
    f32x4 lanes_162 = f32x4{exchange_49.z, exchange_49.w, exchange_50.z, exchange_50.w};
    f32x4 lanes_163 = f32x4{exchange_51.z, exchange_51.w, exchange_52.z, exchange_52.w};
    f32x4 lanes_164 = f32x4{exchange_53.x, exchange_53.y, exchange_54.x, exchange_54.y};
    f32x4 lanes_165 = f32x4{exchange_55.x, exchange_55.y, exchange_56.x, exchange_56.y};
    f32x4 lanes_166 = f32x4{exchange_53.z, exchange_53.w, exchange_54.z, exchange_54.w};
    f32x4 lanes_167 = f32x4{exchange_55.z, exchange_55.w, exchange_56.z, exchange_56.w};
    f32x4 lanes_168 = f32x4{exchange_57.x, exchange_57.y, exchange_58.x, exchange_58.y};
    f32x4 lanes_169 = f32x4{exchange_59.x, exchange_59.y, exchange_60.x, exchange_60.y};
    f32x4 lanes_170 = f32x4{exchange_57.z, exchange_57.w, exchange_58.z, exchange_58.w};
    f32x4 lanes_171 = f32x4{exchange_59.z, exchange_59.w, exchange_60.z, exchange_60.w};
    f32x4 lanes_172 = f32x4{exchange_61.x, exchange_61.y, exchange_62.x, exchange_62.y};
    f32x4 lanes_173 = f32x4{exchange_63.x, exchange_63.y, exchange_64.x, exchange_64.y};
    f32x4 lanes_174 = f32x4{exchange_61.z, exchange_61.w, exchange_62.z, exchange_62.w};
    f32x4 lanes_175 = f32x4{exchange_63.z, exchange_63.w, exchange_64.z, exchange_64.w};
    // attention_kernel.go
    int offset_82 = out_offset + q_start0 * out_stride0 + q_start1 * out_stride1 + offset_4 * out_stride2;
    int index_29 = offset_82 + lane_1;
    bool both_11 = bits < unsigned(out_size0) && bits_0 < unsigned(out_size1) && bits_1 < unsigned(out_size2);
    bool in_bounds_6 = both_11 && bits_2 < unsigned(out_size3);
    u32x2 value_7 = pack_f16(lanes_160);
    u32x2 value_8 = pack_f16(lanes_161);
    if (in_bounds_6) {
        *(u32x4*)&out[index_29] = u32x4{value_7.x, value_7.y, value_8.x, value_8.y};
    }
    u32x2 value_9 = pack_f16(lanes_162);
    u32x2 value_10 = pack_f16(lanes_163);
    if (in_bounds_6) {
        *(u32x4*)&out[index_29 + out_stride2 * 16] = u32x4{value_9.x, value_9.y, value_10.x, value_10.y};
    }
    u32x2 value_11 = pack_f16(lanes_164);
    u32x2 value_12 = pack_f16(lanes_165);
    if (in_bounds_6) {
        *(u32x4*)&out[index_29 + out_stride2 * 32] = u32x4{value_11.x, value_11.y, value_12.x, value_12.y};
    }
    u32x2 value_13 = pack_f16(lanes_166);
    u32x2 value_14 = pack_f16(lanes_167);
    if (in_bounds_6) {
        *(u32x4*)&out[index_29 + out_stride2 * 48] = u32x4{value_13.x, value_13.y, value_14.x, value_14.y};
    }
    u32x2 value_15 = pack_f16(lanes_168);
    u32x2 value_16 = pack_f16(lanes_169);
    if (in_bounds_6) {
        *(u32x4*)&out[index_29 + out_stride2 * 64] = u32x4{value_15.x, value_15.y, value_16.x, value_16.y};
    }
    u32x2 value_17 = pack_f16(lanes_170);
    u32x2 value_18 = pack_f16(lanes_171);
    if (in_bounds_6) {
        *(u32x4*)&out[index_29 + out_stride2 * 80] = u32x4{value_17.x, value_17.y, value_18.x, value_18.y};
    }
    u32x2 value_19 = pack_f16(lanes_172);
    u32x2 value_20 = pack_f16(lanes_173);
    if (in_bounds_6) {
        *(u32x4*)&out[index_29 + out_stride2 * 96] = u32x4{value_19.x, value_19.y, value_20.x, value_20.y};
    }
    u32x2 value_21 = pack_f16(lanes_174);
    u32x2 value_22 = pack_f16(lanes_175);
    if (in_bounds_6) {
        *(u32x4*)&out[index_29 + out_stride2 * 112] = u32x4{value_21.x, value_21.y, value_22.x, value_22.y};
    }
    // attention_kernel.go
    if (in_bounds_0) {
        *(f32x4*)&exchange_0[lane_9] = f32x4{acc, acc_0, acc_1, acc_2};
    }
    __syncthreads();
    float exchange_65 = exchange_0[lane_10];
    float exchange_66 = exchange_0[index_22];
    float exchange_67 = exchange_0[index_23];
    float exchange_68 = exchange_0[index_24];
    float product_47 = (exchange_65 + log2f(exchange_45)) * 0.6931472f;
    float product_48 = (exchange_66 + log2f(exchange_46)) * 0.6931472f;
    float product_49 = (exchange_67 + log2f(exchange_47)) * 0.6931472f;
    float product_50 = (exchange_68 + log2f(exchange_48)) * 0.6931472f;
    // attention_kernel.go
    float chosen_9 = equal ? __int_as_float(0xff800000) : product_47;
    float chosen_10 = equal_0 ? __int_as_float(0xff800000) : product_48;
    float chosen_11 = equal_1 ? __int_as_float(0xff800000) : product_49;
    float chosen_12 = equal_2 ? __int_as_float(0xff800000) : product_50;
    // attention_kernel.go
    int lane_16 = both_10 + both_4;
    int index_30 = lse_offset + q_start0 * lse_stride0 + q_start1 * lse_stride1 + q_start2 + lane_16;
    bool both_12 = bits < unsigned(lse_size0) && bits_0 < unsigned(lse_size1) && bits_1 < unsigned(lse_size2);
    bool in_bounds_7 = (thread & 131) == 0 && both_12;
    if (in_bounds_7) {
        lse[index_30] = chosen_9;
        lse[index_30 + 8] = chosen_10;
        lse[index_30 + 16] = chosen_11;
        lse[index_30 + 24] = chosen_12;
    }
}
