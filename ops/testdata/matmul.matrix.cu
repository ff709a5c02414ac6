typedef long long i64;
typedef unsigned long long u64;

struct f16 { unsigned short bits; };
struct alignas(8) f32x2 { float x, y; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(8) u32x2 { unsigned x, y; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };

__device__ inline f32x2 splat2(float a) {
    return {a, a};
}
__device__ inline void copy_async16(f16* array, int at, const f16* from, bool inside) {
    unsigned address = (unsigned)__cvta_generic_to_shared(array) + 2u * at;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(address), "l"(from), "r"(inside ? 16 : 0) : "memory");
}
__device__ inline u64 matrix_place(const f16* array, int at, int lead) {
    unsigned address = (unsigned)__cvta_generic_to_shared(array) + 2u * at;
    return u64((address & 0x3ffff) >> 4) | u64(lead * 8) << 16 | u64(64) << 32 | u64(1) << 62;
}
__device__ inline void group_begin_8(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7) {
    asm volatile("wgmma.fence.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w) :: "memory");
}
__device__ inline void group_mma_f16_64_0_1(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, u64 a, u64 b) {
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, p, 1, 1, 0, 1; }"
        : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w)
        : "l"(a), "l"(b), "r"(1));
}
__device__ inline void group_end_8(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7) {
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w) :: "memory");
}
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline u32x2 pack_f16(f32x4 a) {
    return {unsigned(to_f16(a.x).bits) | (unsigned(to_f16(a.y).bits) << 16), unsigned(to_f16(a.z).bits) | (unsigned(to_f16(a.w).bits) << 16)};
}

extern "C" __global__ void __launch_bounds__(128) matmul(
    const f16* __restrict__ a,
    const f16* __restrict__ b,
    f16* __restrict__ out,
    int a_offset,
    int a_size0,
    int a_size1,
    int a_stride0,
    int b_offset,
    int b_size0,
    int b_size1,
    int b_stride0,
    int out_offset,
    int out_size0,
    int out_size1,
    int out_stride0) {
    extern __shared__ __align__(1024) unsigned char shared_memory[];
    f16* const tile_a = (f16*)(shared_memory + 0); // matmul.go: operand a of the product
    f16* const tile_b = (f16*)(shared_memory + 24576); // matmul.go: operand b of the product
    float* const exchange = (float*)(shared_memory + 0); // block.go: elements change threads
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // matmul.go
    int offset = (out_size1 + 63) / 64 * 8;
    int chosen = offset == 0 ? 1 : offset;
    int offset_0 = program / chosen * 8;
    int least = min((out_size0 + 63) / 64 - offset_0, 8);
    int remainder_0 = program % chosen;
    int chosen_0 = least == 0 ? 1 : least;
    int quotient = remainder_0 / chosen_0;
    int offset_1 = offset_0 + remainder_0 - quotient * chosen_0;
    // matmul.go
    int quotient_0 = (a_size1 + 63) / 64;
    // block.go
    int a_start0 = offset_1 * 64;
    int lane = thread >> 3;
    int offset_2 = a_start0 + lane;
    int offset_3 = a_offset + offset_2 * a_stride0;
    unsigned bits = unsigned(a_start0);
    bool in_bounds = bits < unsigned(a_size0);
    int lane_0 = (thread & 7) << 3;
    int offset_4 = a_stride0 * 16;
    int offset_5 = a_stride0 * 32;
    int offset_6 = a_stride0 * 48;
    unsigned bits_0 = unsigned(b_size0);
    int b_start1 = quotient * 64;
    int offset_7 = b_start1 + lane_0;
    unsigned bits_1 = unsigned(b_start1);
    bool less = bits_1 < unsigned(b_size1);
    int offset_8 = b_stride0 * 16;
    int offset_9 = b_stride0 * 32;
    int offset_10 = b_stride0 * 48;
    // matmul.go
    int shifted = thread << 3;
    int lane_1 = shifted ^ (thread & 56);
    int offset_11 = lane_1 + 1024;
    int offset_12 = lane_1 + 2048;
    int offset_13 = lane_1 + 3072;
    bool more = 0 < quotient_0;
    // block.go
    int offset_14 = offset_3 + lane_0;
    int offset_15 = offset_14 + offset_4;
    int offset_16 = offset_14 + offset_5;
    int offset_17 = offset_14 + offset_6;
    int offset_18 = b_offset + lane * b_stride0 + offset_7;
    bool in_bounds_0 = unsigned(0) < bits_0 && less;
    int offset_19 = offset_18 + offset_8;
    int offset_20 = offset_18 + offset_9;
    int offset_21 = offset_18 + offset_10;
    // matmul.go
    if (more) {
        // matmul.go
        copy_async16(tile_a, lane_1, &a[offset_14], in_bounds);
        copy_async16(tile_a, offset_11, &a[offset_15], in_bounds);
        copy_async16(tile_a, offset_12, &a[offset_16], in_bounds);
        copy_async16(tile_a, offset_13, &a[offset_17], in_bounds);
        copy_async16(tile_b, lane_1, &b[offset_18], in_bounds_0);
        copy_async16(tile_b, offset_11, &b[offset_19], in_bounds_0);
        copy_async16(tile_b, offset_12, &b[offset_20], in_bounds_0);
        copy_async16(tile_b, offset_13, &b[offset_21], in_bounds_0);
    }
    // matmul.go
    asm volatile("cp.async.commit_group;" ::: "memory");
    bool more_0 = 1 < quotient_0;
    // block.go
    int offset_22 = offset_3 + 64 + lane_0;
    int offset_23 = offset_22 + offset_4;
    int offset_24 = offset_22 + offset_5;
    int offset_25 = offset_22 + offset_6;
    int offset_26 = b_offset + (64 + lane) * b_stride0 + offset_7;
    bool in_bounds_1 = unsigned(64) < bits_0 && less;
    int offset_27 = offset_26 + offset_8;
    int offset_28 = offset_26 + offset_9;
    int offset_29 = offset_26 + offset_10;
    int offset_30 = lane_1 + 4096;
    int offset_31 = offset_30 + 1024;
    int offset_32 = offset_30 + 2048;
    int offset_33 = offset_30 + 3072;
    // matmul.go
    if (more_0) {
        // matmul.go
        copy_async16(tile_a, offset_30, &a[offset_22], in_bounds);
        copy_async16(tile_a, offset_31, &a[offset_23], in_bounds);
        copy_async16(tile_a, offset_32, &a[offset_24], in_bounds);
        copy_async16(tile_a, offset_33, &a[offset_25], in_bounds);
        copy_async16(tile_b, offset_30, &b[offset_26], in_bounds_1);
        copy_async16(tile_b, offset_31, &b[offset_27], in_bounds_1);
        copy_async16(tile_b, offset_32, &b[offset_28], in_bounds_1);
        copy_async16(tile_b, offset_33, &b[offset_29], in_bounds_1);
    }
    // matmul.go
    asm volatile("cp.async.commit_group;" ::: "memory");
    f32x2 acc = splat2(0.0f);
    f32x2 acc_0 = splat2(0.0f);
    f32x2 acc_1 = splat2(0.0f);
    f32x2 acc_2 = splat2(0.0f);
    f32x2 acc_3 = splat2(0.0f);
    f32x2 acc_4 = splat2(0.0f);
    f32x2 acc_5 = splat2(0.0f);
    f32x2 acc_6 = splat2(0.0f);
    f32x2 acc_7 = splat2(0.0f);
    f32x2 acc_8 = splat2(0.0f);
    f32x2 acc_9 = splat2(0.0f);
    f32x2 acc_10 = splat2(0.0f);
    f32x2 acc_11 = splat2(0.0f);
    f32x2 acc_12 = splat2(0.0f);
    f32x2 acc_13 = splat2(0.0f);
    f32x2 acc_14 = splat2(0.0f);
    int stage = 0;
    for (int i = 0; i < quotient_0; ++i) {
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); __syncthreads();
        int ahead = i + 2;
        bool more_1 = ahead < quotient_0;
        int stage_0 = stage == 0 ? 2 : stage + -1;
        // block.go
        int a_start1 = ahead * 64;
        int offset_34 = offset_3 + a_start1 + lane_0;
        int offset_35 = offset_34 + offset_4;
        int offset_36 = offset_34 + offset_5;
        int offset_37 = offset_34 + offset_6;
        int offset_38 = b_offset + (a_start1 + lane) * b_stride0 + offset_7;
        bool in_bounds_2 = unsigned(a_start1) < bits_0 && less;
        int offset_39 = offset_38 + offset_8;
        int offset_40 = offset_38 + offset_9;
        int offset_41 = offset_38 + offset_10;
        int offset_42 = lane_1 + stage_0 * 4096;
        int offset_43 = offset_42 + 1024;
        int offset_44 = offset_42 + 2048;
        int offset_45 = offset_42 + 3072;
        // matmul.go
        if (more_1) {
            // matmul.go
            copy_async16(tile_a, offset_42, &a[offset_34], in_bounds);
            copy_async16(tile_a, offset_43, &a[offset_35], in_bounds);
            copy_async16(tile_a, offset_44, &a[offset_36], in_bounds);
            copy_async16(tile_a, offset_45, &a[offset_37], in_bounds);
            copy_async16(tile_b, offset_42, &b[offset_38], in_bounds_2);
            copy_async16(tile_b, offset_43, &b[offset_39], in_bounds_2);
            copy_async16(tile_b, offset_44, &b[offset_40], in_bounds_2);
            copy_async16(tile_b, offset_45, &b[offset_41], in_bounds_2);
        }
        // matmul.go
        asm volatile("cp.async.commit_group;" ::: "memory");
        int stage_1 = stage * 4096;
        int stage_2 = stage == 2 ? 0 : stage + 1;
        // matmul.go
        u64 place = matrix_place(tile_a, stage_1, 64);
        u64 place_0 = matrix_place(tile_b, stage_1, 64);
        int offset_46 = 16 + stage_1;
        u64 place_1 = matrix_place(tile_a, offset_46, 64);
        int offset_47 = 1024 + stage_1;
        u64 place_2 = matrix_place(tile_b, offset_47, 64);
        int offset_48 = 32 + stage_1;
        u64 place_3 = matrix_place(tile_a, offset_48, 64);
        int offset_49 = 2048 + stage_1;
        u64 place_4 = matrix_place(tile_b, offset_49, 64);
        int offset_50 = 48 + stage_1;
        u64 place_5 = matrix_place(tile_a, offset_50, 64);
        int offset_51 = 3072 + stage_1;
        u64 place_6 = matrix_place(tile_b, offset_51, 64);
        f32x4 acc_15 = f32x4{acc.x, acc.y, acc_0.x, acc_0.y};
        f32x4 acc_16 = f32x4{acc_1.x, acc_1.y, acc_2.x, acc_2.y};
        f32x4 acc_17 = f32x4{acc_3.x, acc_3.y, acc_4.x, acc_4.y};
        f32x4 acc_18 = f32x4{acc_5.x, acc_5.y, acc_6.x, acc_6.y};
        f32x4 acc_19 = f32x4{acc_7.x, acc_7.y, acc_8.x, acc_8.y};
        f32x4 acc_20 = f32x4{acc_9.x, acc_9.y, acc_10.x, acc_10.y};
        f32x4 acc_21 = f32x4{acc_11.x, acc_11.y, acc_12.x, acc_12.y};
        f32x4 acc_22 = f32x4{acc_13.x, acc_13.y, acc_14.x, acc_14.y};
        group_begin_8(acc_15, acc_16, acc_17, acc_18, acc_19, acc_20, acc_21, acc_22);
        group_mma_f16_64_0_1(acc_15, acc_16, acc_17, acc_18, acc_19, acc_20, acc_21, acc_22, place, place_0);
        group_mma_f16_64_0_1(acc_15, acc_16, acc_17, acc_18, acc_19, acc_20, acc_21, acc_22, place_1, place_2);
        group_mma_f16_64_0_1(acc_15, acc_16, acc_17, acc_18, acc_19, acc_20, acc_21, acc_22, place_3, place_4);
        group_mma_f16_64_0_1(acc_15, acc_16, acc_17, acc_18, acc_19, acc_20, acc_21, acc_22, place_5, place_6);
        group_end_8(acc_15, acc_16, acc_17, acc_18, acc_19, acc_20, acc_21, acc_22);
        acc = f32x2{acc_15.x, acc_15.y};
        acc_0 = f32x2{acc_15.z, acc_15.w};
        acc_1 = f32x2{acc_16.x, acc_16.y};
        acc_2 = f32x2{acc_16.z, acc_16.w};
        acc_3 = f32x2{acc_17.x, acc_17.y};
        acc_4 = f32x2{acc_17.z, acc_17.w};
        acc_5 = f32x2{acc_18.x, acc_18.y};
        acc_6 = f32x2{acc_18.z, acc_18.w};
        acc_7 = f32x2{acc_19.x, acc_19.y};
        acc_8 = f32x2{acc_19.z, acc_19.w};
        acc_9 = f32x2{acc_20.x, acc_20.y};
        acc_10 = f32x2{acc_20.z, acc_20.w};
        acc_11 = f32x2{acc_21.x, acc_21.y};
        acc_12 = f32x2{acc_21.z, acc_21.w};
        acc_13 = f32x2{acc_22.x, acc_22.y};
        acc_14 = f32x2{acc_22.z, acc_22.w};
        stage = stage_2;
    }
    // block.go
    int both = thread & 28;
    int lane_2 = ((thread & 15) << 1) + (both << 4) + ((thread & 96) << 5);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); __syncthreads();
    *(f32x2*)&exchange[lane_2] = acc;
    *(f32x2*)&exchange[lane_2 + 512] = acc_0;
    *(f32x2*)&exchange[lane_2 ^ 8] = acc_1;
    *(f32x2*)&exchange[lane_2 ^ 520] = acc_2;
    *(f32x2*)&exchange[lane_2 ^ 16] = acc_3;
    *(f32x2*)&exchange[lane_2 ^ 528] = acc_4;
    *(f32x2*)&exchange[lane_2 ^ 24] = acc_5;
    *(f32x2*)&exchange[lane_2 ^ 536] = acc_6;
    *(f32x2*)&exchange[lane_2 ^ 36] = acc_7;
    *(f32x2*)&exchange[lane_2 ^ 548] = acc_8;
    *(f32x2*)&exchange[lane_2 ^ 44] = acc_9;
    *(f32x2*)&exchange[lane_2 ^ 556] = acc_10;
    *(f32x2*)&exchange[lane_2 ^ 52] = acc_11;
    *(f32x2*)&exchange[lane_2 ^ 564] = acc_12;
    *(f32x2*)&exchange[lane_2 ^ 60] = acc_13;
    *(f32x2*)&exchange[lane_2 ^ 572] = acc_14;
    int lane_3 = shifted ^ both;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); __syncthreads();
    f32x4 exchange_0 = *(const f32x4*)&exchange[lane_3];
    f32x4 exchange_1 = *(const f32x4*)&exchange[lane_3 ^ 4];
    f32x4 exchange_2 = *(const f32x4*)&exchange[lane_3 + 1024];
    f32x4 exchange_3 = *(const f32x4*)&exchange[lane_3 ^ 1028];
    f32x4 exchange_4 = *(const f32x4*)&exchange[lane_3 + 2048];
    f32x4 exchange_5 = *(const f32x4*)&exchange[lane_3 ^ 2052];
    f32x4 exchange_6 = *(const f32x4*)&exchange[lane_3 + 3072];
    f32x4 exchange_7 = *(const f32x4*)&exchange[lane_3 ^ 3076];
    int index = out_offset + offset_2 * out_stride0 + offset_7;
    bool in_bounds_3 = bits < unsigned(out_size0) && bits_1 < unsigned(out_size1);
    u32x2 value = pack_f16(exchange_0);
    u32x2 value_0 = pack_f16(exchange_1);
    if (in_bounds_3) {
        *(u32x4*)&out[index] = u32x4{value.x, value.y, value_0.x, value_0.y};
    }
    u32x2 value_1 = pack_f16(exchange_2);
    u32x2 value_2 = pack_f16(exchange_3);
    if (in_bounds_3) {
        *(u32x4*)&out[index + out_stride0 * 16] = u32x4{value_1.x, value_1.y, value_2.x, value_2.y};
    }
    u32x2 value_3 = pack_f16(exchange_4);
    u32x2 value_4 = pack_f16(exchange_5);
    if (in_bounds_3) {
        *(u32x4*)&out[index + out_stride0 * 32] = u32x4{value_3.x, value_3.y, value_4.x, value_4.y};
    }
    u32x2 value_5 = pack_f16(exchange_6);
    u32x2 value_6 = pack_f16(exchange_7);
    if (in_bounds_3) {
        *(u32x4*)&out[index + out_stride0 * 48] = u32x4{value_5.x, value_5.y, value_6.x, value_6.y};
    }
}
