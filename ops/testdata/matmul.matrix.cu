struct f16 { unsigned short bits; };
struct alignas(8) f32x2 { float x, y; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(8) u32x2 { unsigned x, y; };
struct alignas(16) f32x4 { float x, y, z, w; };

__device__ inline f32x2 splat2(float a) {
    return {a, a};
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
__device__ inline u32x4 load_matrix_transposed4(const f16* array, int at) {
    unsigned address = (unsigned)__cvta_generic_to_shared(array) + 2u * at;
    u32x4 a;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a.x), "=r"(a.y), "=r"(a.z), "=r"(a.w) : "r"(address) : "memory");
    return a;
}
__device__ inline f32x4 mma_f16(u32x4 a, u32x2 b, f32x4 c) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c.x), "+f"(c.y), "+f"(c.z), "+f"(c.w)
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y));
    return c;
}
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline u32x2 pack_f16(f32x4 a) {
    return {unsigned(to_f16(a.x).bits) | (unsigned(to_f16(a.y).bits) << 16), unsigned(to_f16(a.z).bits) | (unsigned(to_f16(a.w).bits) << 16)};
}

extern "C" __global__ void __launch_bounds__(64) matmul(
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
    extern __shared__ __align__(128) unsigned char shared_memory[];
    f16* const tile_a = (f16*)(shared_memory + 0); // matmul.go: operand a of the product
    f16* const tile_b = (f16*)(shared_memory + 16384); // matmul.go: operand b of the product
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
    int quotient_0 = (a_size1 + 31) / 32;
    // block.go
    int a_start0 = offset_1 * 64;
    int lane = thread >> 2;
    int offset_2 = a_offset + (a_start0 + lane) * a_stride0;
    unsigned bits = unsigned(a_start0);
    bool in_bounds = bits < unsigned(a_size0);
    int lane_0 = (thread & 3) << 3;
    int offset_3 = a_stride0 * 16;
    int offset_4 = a_stride0 * 32;
    int offset_5 = a_stride0 * 48;
    int lane_1 = thread >> 3;
    unsigned bits_0 = unsigned(b_size0);
    int b_start1 = quotient * 64;
    int both = thread & 7;
    int lane_2 = both << 3;
    int offset_6 = b_start1 + lane_2;
    unsigned bits_1 = unsigned(b_start1);
    bool less = bits_1 < unsigned(b_size1);
    int offset_7 = b_stride0 * 8;
    int offset_8 = b_stride0 * 16;
    int offset_9 = b_stride0 * 24;
    // matmul.go
    int shifted = thread << 3;
    int lane_3 = shifted ^ (thread & 24);
    int offset_10 = lane_3 + 512;
    int offset_11 = lane_3 + 1024;
    int offset_12 = lane_3 + 1536;
    int both_0 = (thread >> 1) & 8;
    int lane_4 = (((thread & 47) << 5) + ((thread & 6) << 2)) ^ both_0;
    int both_1 = thread & 56;
    int lane_5 = shifted ^ both_1;
    int offset_13 = lane_5 + 512;
    int offset_14 = lane_5 + 1024;
    int offset_15 = lane_5 + 1536;
    int lane_6 = (lane_2 + ((thread & 15) << 6)) ^ both_0;
    int changed = lane_6 ^ 16;
    int changed_0 = lane_6 ^ 32;
    int changed_1 = lane_6 ^ 48;
    int changed_2 = lane_4 ^ 16;
    bool more = 0 < quotient_0;
    // block.go
    int offset_16 = offset_2 + lane_0;
    int offset_17 = offset_16 + offset_3;
    int offset_18 = offset_16 + offset_4;
    int offset_19 = offset_16 + offset_5;
    int offset_20 = b_offset + lane_1 * b_stride0 + offset_6;
    bool in_bounds_0 = unsigned(0) < bits_0 && less;
    int offset_21 = offset_20 + offset_7;
    int offset_22 = offset_20 + offset_8;
    int offset_23 = offset_20 + offset_9;
    // matmul.go
    if (more) {
        // matmul.go
        copy_async16(tile_a, lane_3, &a[offset_16], in_bounds);
        copy_async16(tile_a, offset_10, &a[offset_17], in_bounds);
        copy_async16(tile_a, offset_11, &a[offset_18], in_bounds);
        copy_async16(tile_a, offset_12, &a[offset_19], in_bounds);
        copy_async16(tile_b, lane_5, &b[offset_20], in_bounds_0);
        copy_async16(tile_b, offset_13, &b[offset_21], in_bounds_0);
        copy_async16(tile_b, offset_14, &b[offset_22], in_bounds_0);
        copy_async16(tile_b, offset_15, &b[offset_23], in_bounds_0);
    }
    // matmul.go
    asm volatile("cp.async.commit_group;" ::: "memory");
    bool more_0 = 1 < quotient_0;
    // block.go
    int offset_24 = offset_2 + 32 + lane_0;
    int offset_25 = offset_24 + offset_3;
    int offset_26 = offset_24 + offset_4;
    int offset_27 = offset_24 + offset_5;
    int offset_28 = b_offset + (32 + lane_1) * b_stride0 + offset_6;
    bool in_bounds_1 = unsigned(32) < bits_0 && less;
    int offset_29 = offset_28 + offset_7;
    int offset_30 = offset_28 + offset_8;
    int offset_31 = offset_28 + offset_9;
    int offset_32 = lane_3 + 2048;
    int offset_33 = offset_32 + 512;
    int offset_34 = offset_32 + 1024;
    int offset_35 = offset_32 + 1536;
    int offset_36 = lane_5 + 2048;
    int offset_37 = offset_36 + 512;
    int offset_38 = offset_36 + 1024;
    int offset_39 = offset_36 + 1536;
    // matmul.go
    if (more_0) {
        // matmul.go
        copy_async16(tile_a, offset_32, &a[offset_24], in_bounds);
        copy_async16(tile_a, offset_33, &a[offset_25], in_bounds);
        copy_async16(tile_a, offset_34, &a[offset_26], in_bounds);
        copy_async16(tile_a, offset_35, &a[offset_27], in_bounds);
        copy_async16(tile_b, offset_36, &b[offset_28], in_bounds_1);
        copy_async16(tile_b, offset_37, &b[offset_29], in_bounds_1);
        copy_async16(tile_b, offset_38, &b[offset_30], in_bounds_1);
        copy_async16(tile_b, offset_39, &b[offset_31], in_bounds_1);
    }
    // matmul.go
    asm volatile("cp.async.commit_group;" ::: "memory");
    bool more_1 = 2 < quotient_0;
    // block.go
    int offset_40 = offset_2 + 64 + lane_0;
    int offset_41 = offset_40 + offset_3;
    int offset_42 = offset_40 + offset_4;
    int offset_43 = offset_40 + offset_5;
    int offset_44 = b_offset + (64 + lane_1) * b_stride0 + offset_6;
    bool in_bounds_2 = unsigned(64) < bits_0 && less;
    int offset_45 = offset_44 + offset_7;
    int offset_46 = offset_44 + offset_8;
    int offset_47 = offset_44 + offset_9;
    int offset_48 = lane_3 + 4096;
    int offset_49 = offset_48 + 512;
    int offset_50 = offset_48 + 1024;
    int offset_51 = offset_48 + 1536;
    int offset_52 = lane_5 + 4096;
    int offset_53 = offset_52 + 512;
    int offset_54 = offset_52 + 1024;
    int offset_55 = offset_52 + 1536;
    // matmul.go
    if (more_1) {
        // matmul.go
        copy_async16(tile_a, offset_48, &a[offset_40], in_bounds);
        copy_async16(tile_a, offset_49, &a[offset_41], in_bounds);
        copy_async16(tile_a, offset_50, &a[offset_42], in_bounds);
        copy_async16(tile_a, offset_51, &a[offset_43], in_bounds);
        copy_async16(tile_b, offset_52, &b[offset_44], in_bounds_2);
        copy_async16(tile_b, offset_53, &b[offset_45], in_bounds_2);
        copy_async16(tile_b, offset_54, &b[offset_46], in_bounds_2);
        copy_async16(tile_b, offset_55, &b[offset_47], in_bounds_2);
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
    int stage = 0;
    for (int i = 0; i < quotient_0; ++i) {
        asm volatile("cp.async.wait_group 2;" ::: "memory");
        __syncthreads();
        int ahead = i + 3;
        bool more_2 = ahead < quotient_0;
        int stage_0 = stage == 0 ? 3 : stage + -1;
        // block.go
        int a_start1 = ahead * 32;
        int offset_56 = offset_2 + a_start1 + lane_0;
        int offset_57 = offset_56 + offset_3;
        int offset_58 = offset_56 + offset_4;
        int offset_59 = offset_56 + offset_5;
        int offset_60 = b_offset + (a_start1 + lane_1) * b_stride0 + offset_6;
        bool in_bounds_3 = unsigned(a_start1) < bits_0 && less;
        int offset_61 = offset_60 + offset_7;
        int offset_62 = offset_60 + offset_8;
        int offset_63 = offset_60 + offset_9;
        int offset_64 = stage_0 * 2048;
        int offset_65 = lane_3 + offset_64;
        int offset_66 = offset_65 + 512;
        int offset_67 = offset_65 + 1024;
        int offset_68 = offset_65 + 1536;
        int offset_69 = lane_5 + offset_64;
        int offset_70 = offset_69 + 512;
        int offset_71 = offset_69 + 1024;
        int offset_72 = offset_69 + 1536;
        // matmul.go
        if (more_2) {
            // matmul.go
            copy_async16(tile_a, offset_65, &a[offset_56], in_bounds);
            copy_async16(tile_a, offset_66, &a[offset_57], in_bounds);
            copy_async16(tile_a, offset_67, &a[offset_58], in_bounds);
            copy_async16(tile_a, offset_68, &a[offset_59], in_bounds);
            copy_async16(tile_b, offset_69, &b[offset_60], in_bounds_3);
            copy_async16(tile_b, offset_70, &b[offset_61], in_bounds_3);
            copy_async16(tile_b, offset_71, &b[offset_62], in_bounds_3);
            copy_async16(tile_b, offset_72, &b[offset_63], in_bounds_3);
        }
        // matmul.go
        asm volatile("cp.async.commit_group;" ::: "memory");
        int stage_1 = stage * 2048;
        int stage_2 = stage == 3 ? 0 : stage + 1;
        int offset_73 = lane_4 + stage_1;
        // matmul.go
        u32x4 tile_a_0 = load_matrix4(tile_a, offset_73);
        int offset_74 = lane_6 + stage_1;
        u32x4 tile_b_0 = load_matrix_transposed4(tile_b, offset_74);
        u32x2 lanes = u32x2{tile_b_0.x, tile_b_0.y};
        f32x4 acc_31 = mma_f16(tile_a_0, lanes, f32x4{acc.x, acc.y, acc_0.x, acc_0.y});
        u32x2 lanes_0 = u32x2{tile_b_0.z, tile_b_0.w};
        f32x4 acc_32 = mma_f16(tile_a_0, lanes_0, f32x4{acc_1.x, acc_1.y, acc_2.x, acc_2.y});
        int offset_75 = changed + stage_1;
        u32x4 tile_b_1 = load_matrix_transposed4(tile_b, offset_75);
        u32x2 lanes_1 = u32x2{tile_b_1.x, tile_b_1.y};
        f32x4 acc_33 = mma_f16(tile_a_0, lanes_1, f32x4{acc_3.x, acc_3.y, acc_4.x, acc_4.y});
        u32x2 lanes_2 = u32x2{tile_b_1.z, tile_b_1.w};
        f32x4 acc_34 = mma_f16(tile_a_0, lanes_2, f32x4{acc_5.x, acc_5.y, acc_6.x, acc_6.y});
        int offset_76 = changed_0 + stage_1;
        u32x4 tile_b_2 = load_matrix_transposed4(tile_b, offset_76);
        u32x2 lanes_3 = u32x2{tile_b_2.x, tile_b_2.y};
        f32x4 acc_35 = mma_f16(tile_a_0, lanes_3, f32x4{acc_7.x, acc_7.y, acc_8.x, acc_8.y});
        u32x2 lanes_4 = u32x2{tile_b_2.z, tile_b_2.w};
        f32x4 acc_36 = mma_f16(tile_a_0, lanes_4, f32x4{acc_9.x, acc_9.y, acc_10.x, acc_10.y});
        int offset_77 = changed_1 + stage_1;
        u32x4 tile_b_3 = load_matrix_transposed4(tile_b, offset_77);
        u32x2 lanes_5 = u32x2{tile_b_3.x, tile_b_3.y};
        f32x4 acc_37 = mma_f16(tile_a_0, lanes_5, f32x4{acc_11.x, acc_11.y, acc_12.x, acc_12.y});
        u32x2 lanes_6 = u32x2{tile_b_3.z, tile_b_3.w};
        f32x4 acc_38 = mma_f16(tile_a_0, lanes_6, f32x4{acc_13.x, acc_13.y, acc_14.x, acc_14.y});
        int offset_78 = offset_73 + 512;
        u32x4 tile_a_1 = load_matrix4(tile_a, offset_78);
        f32x4 acc_39 = mma_f16(tile_a_1, lanes, f32x4{acc_15.x, acc_15.y, acc_16.x, acc_16.y});
        f32x4 acc_40 = mma_f16(tile_a_1, lanes_0, f32x4{acc_17.x, acc_17.y, acc_18.x, acc_18.y});
        f32x4 acc_41 = mma_f16(tile_a_1, lanes_1, f32x4{acc_19.x, acc_19.y, acc_20.x, acc_20.y});
        f32x4 acc_42 = mma_f16(tile_a_1, lanes_2, f32x4{acc_21.x, acc_21.y, acc_22.x, acc_22.y});
        f32x4 acc_43 = mma_f16(tile_a_1, lanes_3, f32x4{acc_23.x, acc_23.y, acc_24.x, acc_24.y});
        f32x4 acc_44 = mma_f16(tile_a_1, lanes_4, f32x4{acc_25.x, acc_25.y, acc_26.x, acc_26.y});
        f32x4 acc_45 = mma_f16(tile_a_1, lanes_5, f32x4{acc_27.x, acc_27.y, acc_28.x, acc_28.y});
        f32x4 acc_46 = mma_f16(tile_a_1, lanes_6, f32x4{acc_29.x, acc_29.y, acc_30.x, acc_30.y});
        int offset_79 = changed_2 + stage_1;
        u32x4 tile_a_2 = load_matrix4(tile_a, offset_79);
        int offset_80 = offset_74 + 1024;
        u32x4 tile_b_4 = load_matrix_transposed4(tile_b, offset_80);
        u32x2 lanes_7 = u32x2{tile_b_4.x, tile_b_4.y};
        f32x4 acc_47 = mma_f16(tile_a_2, lanes_7, acc_31);
        u32x2 lanes_8 = u32x2{tile_b_4.z, tile_b_4.w};
        f32x4 acc_48 = mma_f16(tile_a_2, lanes_8, acc_32);
        int offset_81 = offset_75 + 1024;
        u32x4 tile_b_5 = load_matrix_transposed4(tile_b, offset_81);
        u32x2 lanes_9 = u32x2{tile_b_5.x, tile_b_5.y};
        f32x4 acc_49 = mma_f16(tile_a_2, lanes_9, acc_33);
        u32x2 lanes_10 = u32x2{tile_b_5.z, tile_b_5.w};
        f32x4 acc_50 = mma_f16(tile_a_2, lanes_10, acc_34);
        int offset_82 = offset_76 + 1024;
        u32x4 tile_b_6 = load_matrix_transposed4(tile_b, offset_82);
        u32x2 lanes_11 = u32x2{tile_b_6.x, tile_b_6.y};
        f32x4 acc_51 = mma_f16(tile_a_2, lanes_11, acc_35);
        u32x2 lanes_12 = u32x2{tile_b_6.z, tile_b_6.w};
        f32x4 acc_52 = mma_f16(tile_a_2, lanes_12, acc_36);
        int offset_83 = offset_77 + 1024;
        u32x4 tile_b_7 = load_matrix_transposed4(tile_b, offset_83);
        u32x2 lanes_13 = u32x2{tile_b_7.x, tile_b_7.y};
        f32x4 acc_53 = mma_f16(tile_a_2, lanes_13, acc_37);
        u32x2 lanes_14 = u32x2{tile_b_7.z, tile_b_7.w};
        f32x4 acc_54 = mma_f16(tile_a_2, lanes_14, acc_38);
        int offset_84 = offset_79 + 512;
        u32x4 tile_a_3 = load_matrix4(tile_a, offset_84);
        f32x4 acc_55 = mma_f16(tile_a_3, lanes_7, acc_39);
        f32x4 acc_56 = mma_f16(tile_a_3, lanes_8, acc_40);
        f32x4 acc_57 = mma_f16(tile_a_3, lanes_9, acc_41);
        f32x4 acc_58 = mma_f16(tile_a_3, lanes_10, acc_42);
        f32x4 acc_59 = mma_f16(tile_a_3, lanes_11, acc_43);
        f32x4 acc_60 = mma_f16(tile_a_3, lanes_12, acc_44);
        f32x4 acc_61 = mma_f16(tile_a_3, lanes_13, acc_45);
        f32x4 acc_62 = mma_f16(tile_a_3, lanes_14, acc_46);
        acc = f32x2{acc_47.x, acc_47.y};
        acc_0 = f32x2{acc_47.z, acc_47.w};
        acc_1 = f32x2{acc_48.x, acc_48.y};
        acc_2 = f32x2{acc_48.z, acc_48.w};
        acc_3 = f32x2{acc_49.x, acc_49.y};
        acc_4 = f32x2{acc_49.z, acc_49.w};
        acc_5 = f32x2{acc_50.x, acc_50.y};
        acc_6 = f32x2{acc_50.z, acc_50.w};
        acc_7 = f32x2{acc_51.x, acc_51.y};
        acc_8 = f32x2{acc_51.z, acc_51.w};
        acc_9 = f32x2{acc_52.x, acc_52.y};
        acc_10 = f32x2{acc_52.z, acc_52.w};
        acc_11 = f32x2{acc_53.x, acc_53.y};
        acc_12 = f32x2{acc_53.z, acc_53.w};
        acc_13 = f32x2{acc_54.x, acc_54.y};
        acc_14 = f32x2{acc_54.z, acc_54.w};
        acc_15 = f32x2{acc_55.x, acc_55.y};
        acc_16 = f32x2{acc_55.z, acc_55.w};
        acc_17 = f32x2{acc_56.x, acc_56.y};
        acc_18 = f32x2{acc_56.z, acc_56.w};
        acc_19 = f32x2{acc_57.x, acc_57.y};
        acc_20 = f32x2{acc_57.z, acc_57.w};
        acc_21 = f32x2{acc_58.x, acc_58.y};
        acc_22 = f32x2{acc_58.z, acc_58.w};
        acc_23 = f32x2{acc_59.x, acc_59.y};
        acc_24 = f32x2{acc_59.z, acc_59.w};
        acc_25 = f32x2{acc_60.x, acc_60.y};
        acc_26 = f32x2{acc_60.z, acc_60.w};
        acc_27 = f32x2{acc_61.x, acc_61.y};
        acc_28 = f32x2{acc_61.z, acc_61.w};
        acc_29 = f32x2{acc_62.x, acc_62.y};
        acc_30 = f32x2{acc_62.z, acc_62.w};
        stage = stage_2;
    }
    // block.go
    int shifted_0 = both << 2;
    int lane_7 = shifted_0 + (both << 5) + (both_1 << 6);
    __syncthreads();
    *(f32x4*)&exchange[lane_7] = f32x4{acc.x, acc.y, acc_0.x, acc_0.y};
    *(f32x4*)&exchange[lane_7 ^ 4] = f32x4{acc_1.x, acc_1.y, acc_2.x, acc_2.y};
    *(f32x4*)&exchange[lane_7 ^ 8] = f32x4{acc_3.x, acc_3.y, acc_4.x, acc_4.y};
    *(f32x4*)&exchange[lane_7 ^ 12] = f32x4{acc_5.x, acc_5.y, acc_6.x, acc_6.y};
    *(f32x4*)&exchange[lane_7 ^ 16] = f32x4{acc_7.x, acc_7.y, acc_8.x, acc_8.y};
    *(f32x4*)&exchange[lane_7 ^ 20] = f32x4{acc_9.x, acc_9.y, acc_10.x, acc_10.y};
    *(f32x4*)&exchange[lane_7 ^ 24] = f32x4{acc_11.x, acc_11.y, acc_12.x, acc_12.y};
    *(f32x4*)&exchange[lane_7 ^ 28] = f32x4{acc_13.x, acc_13.y, acc_14.x, acc_14.y};
    *(f32x4*)&exchange[lane_7 + 256] = f32x4{acc_15.x, acc_15.y, acc_16.x, acc_16.y};
    *(f32x4*)&exchange[lane_7 ^ 260] = f32x4{acc_17.x, acc_17.y, acc_18.x, acc_18.y};
    *(f32x4*)&exchange[lane_7 ^ 264] = f32x4{acc_19.x, acc_19.y, acc_20.x, acc_20.y};
    *(f32x4*)&exchange[lane_7 ^ 268] = f32x4{acc_21.x, acc_21.y, acc_22.x, acc_22.y};
    *(f32x4*)&exchange[lane_7 ^ 272] = f32x4{acc_23.x, acc_23.y, acc_24.x, acc_24.y};
    *(f32x4*)&exchange[lane_7 ^ 276] = f32x4{acc_25.x, acc_25.y, acc_26.x, acc_26.y};
    *(f32x4*)&exchange[lane_7 ^ 280] = f32x4{acc_27.x, acc_27.y, acc_28.x, acc_28.y};
    *(f32x4*)&exchange[lane_7 ^ 284] = f32x4{acc_29.x, acc_29.y, acc_30.x, acc_30.y};
    int both_2 = thread & 8;
    int lane_8 = (shifted_0 ^ (both_2 << 1)) + (both_2 << 4) + ((thread & 48) << 5);
    __syncthreads();
    f32x4 exchange_0 = *(const f32x4*)&exchange[lane_8];
    f32x4 exchange_1 = *(const f32x4*)&exchange[lane_8 ^ 36];
    f32x4 exchange_2 = *(const f32x4*)&exchange[lane_8 ^ 72];
    f32x4 exchange_3 = *(const f32x4*)&exchange[lane_8 ^ 108];
    f32x4 exchange_4 = *(const f32x4*)&exchange[lane_8 + 256];
    f32x4 exchange_5 = *(const f32x4*)&exchange[lane_8 ^ 292];
    f32x4 exchange_6 = *(const f32x4*)&exchange[lane_8 ^ 328];
    f32x4 exchange_7 = *(const f32x4*)&exchange[lane_8 ^ 364];
    f32x4 exchange_8 = *(const f32x4*)&exchange[lane_8 + 2048];
    f32x4 exchange_9 = *(const f32x4*)&exchange[lane_8 ^ 2084];
    f32x4 exchange_10 = *(const f32x4*)&exchange[lane_8 ^ 2120];
    f32x4 exchange_11 = *(const f32x4*)&exchange[lane_8 ^ 2156];
    f32x4 exchange_12 = *(const f32x4*)&exchange[lane_8 + 2304];
    f32x4 exchange_13 = *(const f32x4*)&exchange[lane_8 ^ 2340];
    f32x4 exchange_14 = *(const f32x4*)&exchange[lane_8 ^ 2376];
    f32x4 exchange_15 = *(const f32x4*)&exchange[lane_8 ^ 2412];
    f32x4 lanes_15 = f32x4{exchange_10.x, exchange_10.y, exchange_11.x, exchange_11.y};
    f32x4 lanes_16 = f32x4{exchange_10.z, exchange_10.w, exchange_11.z, exchange_11.w};
    f32x4 lanes_17 = f32x4{exchange_12.x, exchange_12.y, exchange_13.x, exchange_13.y};
    f32x4 lanes_18 = f32x4{exchange_14.x, exchange_14.y, exchange_15.x, exchange_15.y};
    f32x4 lanes_19 = f32x4{exchange_12.z, exchange_12.w, exchange_13.z, exchange_13.w};
    f32x4 lanes_20 = f32x4{exchange_14.z, exchange_14.w, exchange_15.z, exchange_15.w};
    int index = out_offset + (a_start0 + lane_1) * out_stride0 + offset_6;
    bool in_bounds_4 = bits < unsigned(out_size0) && bits_1 < unsigned(out_size1);
    u32x2 value = pack_f16(f32x4{exchange_0.x, exchange_0.y, exchange_1.x, exchange_1.y});
    u32x2 value_0 = pack_f16(f32x4{exchange_2.x, exchange_2.y, exchange_3.x, exchange_3.y});
    if (in_bounds_4) {
        *(u32x4*)&out[index] = u32x4{value.x, value.y, value_0.x, value_0.y};
    }
    u32x2 value_1 = pack_f16(f32x4{exchange_0.z, exchange_0.w, exchange_1.z, exchange_1.w});
    u32x2 value_2 = pack_f16(f32x4{exchange_2.z, exchange_2.w, exchange_3.z, exchange_3.w});
    if (in_bounds_4) {
        *(u32x4*)&out[index + out_stride0 * 8] = u32x4{value_1.x, value_1.y, value_2.x, value_2.y};
    }
    u32x2 value_3 = pack_f16(f32x4{exchange_4.x, exchange_4.y, exchange_5.x, exchange_5.y});
    u32x2 value_4 = pack_f16(f32x4{exchange_6.x, exchange_6.y, exchange_7.x, exchange_7.y});
    if (in_bounds_4) {
        *(u32x4*)&out[index + out_stride0 * 16] = u32x4{value_3.x, value_3.y, value_4.x, value_4.y};
    }
    u32x2 value_5 = pack_f16(f32x4{exchange_4.z, exchange_4.w, exchange_5.z, exchange_5.w});
    u32x2 value_6 = pack_f16(f32x4{exchange_6.z, exchange_6.w, exchange_7.z, exchange_7.w});
    if (in_bounds_4) {
        *(u32x4*)&out[index + out_stride0 * 24] = u32x4{value_5.x, value_5.y, value_6.x, value_6.y};
    }
    u32x2 value_7 = pack_f16(f32x4{exchange_8.x, exchange_8.y, exchange_9.x, exchange_9.y});
    u32x2 value_8 = pack_f16(lanes_15);
    if (in_bounds_4) {
        *(u32x4*)&out[index + out_stride0 * 32] = u32x4{value_7.x, value_7.y, value_8.x, value_8.y};
    }
    u32x2 value_9 = pack_f16(f32x4{exchange_8.z, exchange_8.w, exchange_9.z, exchange_9.w});
    u32x2 value_10 = pack_f16(lanes_16);
    if (in_bounds_4) {
        *(u32x4*)&out[index + out_stride0 * 40] = u32x4{value_9.x, value_9.y, value_10.x, value_10.y};
    }
    u32x2 value_11 = pack_f16(lanes_17);
    u32x2 value_12 = pack_f16(lanes_18);
    if (in_bounds_4) {
        *(u32x4*)&out[index + out_stride0 * 48] = u32x4{value_11.x, value_11.y, value_12.x, value_12.y};
    }
    u32x2 value_13 = pack_f16(lanes_19);
    u32x2 value_14 = pack_f16(lanes_20);
    if (in_bounds_4) {
        *(u32x4*)&out[index + out_stride0 * 56] = u32x4{value_13.x, value_13.y, value_14.x, value_14.y};
    }
}
