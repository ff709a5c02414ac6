struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(16) i32x4 { int x, y, z, w; };

__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}
__device__ inline i32x4 unpack_i8(unsigned a) {
    return {int((a << 24)) >> 24, int((a << 16)) >> 24, int((a << 8)) >> 24, int(a) >> 24};
}
__device__ inline unsigned pack_i8(i32x4 a) {
    return (unsigned(a.x) & 0xff) | ((unsigned(a.y) & 0xff) << 8) | ((unsigned(a.z) & 0xff) << 16) | ((unsigned(a.w) & 0xff) << 24);
}

extern "C" __global__ void __launch_bounds__(256) copy(
    const signed char* __restrict__ src,
    signed char* __restrict__ out,
    int src_offset,
    int src_size0,
    int src_size1,
    int src_stride1,
    int out_offset,
    int out_size0,
    int out_size1,
    int out_stride0) {
    __shared__ alignas(16) int exchange[8192]; // map.go: elements change threads
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // map.go
    int quotient = (out_size1 + 127) / 128;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int quotient_0 = program / chosen;
    // map.go
    int src_start0 = quotient_0 * 64;
    int both = thread & 3;
    int lane = both << 4;
    unsigned bits = unsigned(src_start0);
    int src_start1 = remainder_0 * 128;
    int lane_0 = thread >> 2;
    int index = src_offset + src_start0 + lane + (src_start1 + lane_0) * src_stride1;
    bool in_bounds = bits < unsigned(src_size0) && unsigned(src_start1) < unsigned(src_size1);
    u32x4 src_0 = in_bounds ? *(const u32x4*)&src[index] : splat4(0u);
    i32x4 src_1 = unpack_i8(src_0.x);
    i32x4 src_2 = unpack_i8(src_0.y);
    i32x4 src_3 = unpack_i8(src_0.z);
    i32x4 src_4 = unpack_i8(src_0.w);
    u32x4 src_5 = in_bounds ? *(const u32x4*)&src[index + src_stride1 * 64] : splat4(0u);
    i32x4 src_6 = unpack_i8(src_5.x);
    i32x4 src_7 = unpack_i8(src_5.y);
    i32x4 src_8 = unpack_i8(src_5.z);
    i32x4 src_9 = unpack_i8(src_5.w);
    // map.go
    int shifted = both << 3;
    int both_0 = thread & 4;
    int lane_1 = thread >> 3;
    int offset = ((shifted + both_0 + ((thread & 28) << 5)) ^ (lane_1 & 27)) + ((thread & 32) << 7);
    int lane_2 = offset + ((thread >> 1) & 96);
    exchange[lane_2] = src_1.x;
    exchange[lane_2 ^ 1] = src_1.y;
    exchange[lane_2 ^ 2] = src_1.z;
    exchange[lane_2 ^ 3] = src_1.w;
    exchange[lane_2 + 1024] = src_2.x;
    exchange[lane_2 ^ 1025] = src_2.y;
    exchange[lane_2 ^ 1026] = src_2.z;
    exchange[lane_2 ^ 1027] = src_2.w;
    exchange[lane_2 + 2048] = src_3.x;
    exchange[lane_2 ^ 2049] = src_3.y;
    exchange[lane_2 ^ 2050] = src_3.z;
    exchange[lane_2 ^ 2051] = src_3.w;
    exchange[lane_2 + 3072] = src_4.x;
    exchange[lane_2 ^ 3073] = src_4.y;
    exchange[lane_2 ^ 3074] = src_4.z;
    exchange[lane_2 ^ 3075] = src_4.w;
    exchange[lane_2 ^ 4] = src_6.x;
    exchange[lane_2 ^ 5] = src_6.y;
    exchange[lane_2 ^ 6] = src_6.z;
    exchange[lane_2 ^ 7] = src_6.w;
    exchange[lane_2 ^ 1028] = src_7.x;
    exchange[lane_2 ^ 1029] = src_7.y;
    exchange[lane_2 ^ 1030] = src_7.z;
    exchange[lane_2 ^ 1031] = src_7.w;
    exchange[lane_2 ^ 2052] = src_8.x;
    exchange[lane_2 ^ 2053] = src_8.y;
    exchange[lane_2 ^ 2054] = src_8.z;
    exchange[lane_2 ^ 2055] = src_8.w;
    exchange[lane_2 ^ 3076] = src_9.x;
    exchange[lane_2 ^ 3077] = src_9.y;
    exchange[lane_2 ^ 3078] = src_9.z;
    exchange[lane_2 ^ 3079] = src_9.w;
    int lane_3 = (shifted + ((thread & 99) << 5) + both_0 + (lane_1 & 3)) ^ ((thread >> 4) & 8);
    __syncthreads();
    int exchange_0 = exchange[lane_3];
    int exchange_1 = exchange[lane_3 ^ 132];
    int exchange_2 = exchange[lane_3 ^ 257];
    int exchange_3 = exchange[lane_3 ^ 389];
    int exchange_4 = exchange[lane_3 ^ 514];
    int exchange_5 = exchange[lane_3 ^ 646];
    int exchange_6 = exchange[lane_3 ^ 771];
    int exchange_7 = exchange[lane_3 ^ 903];
    int exchange_8 = exchange[lane_3 + 4096];
    int exchange_9 = exchange[lane_3 ^ 4228];
    int exchange_10 = exchange[lane_3 ^ 4353];
    int exchange_11 = exchange[lane_3 ^ 4485];
    int exchange_12 = exchange[lane_3 ^ 4610];
    int exchange_13 = exchange[lane_3 ^ 4742];
    int exchange_14 = exchange[lane_3 ^ 4867];
    int exchange_15 = exchange[lane_3 ^ 4999];
    int exchange_16 = exchange[lane_3 ^ 16];
    int exchange_17 = exchange[lane_3 ^ 148];
    int exchange_18 = exchange[lane_3 ^ 273];
    int exchange_19 = exchange[lane_3 ^ 405];
    int exchange_20 = exchange[lane_3 ^ 530];
    int exchange_21 = exchange[lane_3 ^ 662];
    int exchange_22 = exchange[lane_3 ^ 787];
    int exchange_23 = exchange[lane_3 ^ 919];
    int exchange_24 = exchange[lane_3 ^ 4112];
    int exchange_25 = exchange[lane_3 ^ 4244];
    int exchange_26 = exchange[lane_3 ^ 4369];
    int exchange_27 = exchange[lane_3 ^ 4501];
    int exchange_28 = exchange[lane_3 ^ 4626];
    int exchange_29 = exchange[lane_3 ^ 4758];
    int exchange_30 = exchange[lane_3 ^ 4883];
    int exchange_31 = exchange[lane_3 ^ 5015];
    bool in_bounds_0 = bits < unsigned(out_size0);
    int lane_4 = (thread & 7) << 4;
    int index_0 = out_offset + (src_start0 + lane_1) * out_stride0 + src_start1 + lane_4;
    unsigned value = pack_i8(i32x4{exchange_12, exchange_13, exchange_14, exchange_15});
    u32x4 lanes = u32x4{pack_i8(i32x4{exchange_0, exchange_1, exchange_2, exchange_3}), pack_i8(i32x4{exchange_4, exchange_5, exchange_6, exchange_7}), pack_i8(i32x4{exchange_8, exchange_9, exchange_10, exchange_11}), value};
    if (in_bounds_0) {
        *(u32x4*)&out[index_0] = lanes;
    }
    unsigned value_0 = pack_i8(i32x4{exchange_16, exchange_17, exchange_18, exchange_19});
    unsigned value_1 = pack_i8(i32x4{exchange_20, exchange_21, exchange_22, exchange_23});
    unsigned value_2 = pack_i8(i32x4{exchange_24, exchange_25, exchange_26, exchange_27});
    unsigned value_3 = pack_i8(i32x4{exchange_28, exchange_29, exchange_30, exchange_31});
    if (in_bounds_0) {
        *(u32x4*)&out[index_0 + out_stride0 * 32] = u32x4{value_0, value_1, value_2, value_3};
    }
}
