typedef long long i64;
typedef unsigned long long u64;

struct alignas(64) tensor_map { u64 words[16]; };
struct f16 { unsigned short bits; };
struct alignas(8) f32x2 { float x, y; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };

__device__ inline f32x2 splat2(float a) {
    return {a, a};
}
__device__ inline void barrier_wait(const u64* barriers, int at, int parity) {
    unsigned address = (unsigned)__cvta_generic_to_shared(barriers + at);
    asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @p bra done; bra again; done: }" :: "r"(address), "r"(parity) : "memory");
}
__device__ inline void barrier_expect(const u64* barriers, int at, int bytes) {
    unsigned address = (unsigned)__cvta_generic_to_shared(barriers + at);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(address), "r"(bytes) : "memory");
}
__device__ inline void tensor_copy2(const f16* array, int at, const tensor_map& map, const u64* barriers, int barrier, int c0, int c1) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
        :: "r"((unsigned)__cvta_generic_to_shared(array + at)), "l"(&map), "r"((unsigned)__cvta_generic_to_shared(barriers + barrier)), "r"(c0), "r"(c1) : "memory");
}
__device__ inline u64 matrix_place(const f16* array, int at, int lead) {
    unsigned address = (unsigned)__cvta_generic_to_shared(array + at);
    return u64((address & 0x3ffff) >> 4) | u64(lead * 8) << 16 | u64(64) << 32 | u64(1) << 62;
}
__device__ inline void group_begin_f32_16(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, f32x4& c8, f32x4& c9, f32x4& c10, f32x4& c11, f32x4& c12, f32x4& c13, f32x4& c14, f32x4& c15) {
    asm volatile("wgmma.fence.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w), "+f"(c8.x), "+f"(c8.y), "+f"(c8.z), "+f"(c8.w), "+f"(c9.x), "+f"(c9.y), "+f"(c9.z), "+f"(c9.w), "+f"(c10.x), "+f"(c10.y), "+f"(c10.z), "+f"(c10.w), "+f"(c11.x), "+f"(c11.y), "+f"(c11.z), "+f"(c11.w), "+f"(c12.x), "+f"(c12.y), "+f"(c12.z), "+f"(c12.w), "+f"(c13.x), "+f"(c13.y), "+f"(c13.z), "+f"(c13.w), "+f"(c14.x), "+f"(c14.y), "+f"(c14.z), "+f"(c14.w), "+f"(c15.x), "+f"(c15.y), "+f"(c15.z), "+f"(c15.w) :: "memory");
}
__device__ inline void group_mma_f16_128_0_1(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, f32x4& c8, f32x4& c9, f32x4& c10, f32x4& c11, f32x4& c12, f32x4& c13, f32x4& c14, f32x4& c15, u64 a, u64 b) {
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, p, 1, 1, 0, 1; }"
        : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w), "+f"(c8.x), "+f"(c8.y), "+f"(c8.z), "+f"(c8.w), "+f"(c9.x), "+f"(c9.y), "+f"(c9.z), "+f"(c9.w), "+f"(c10.x), "+f"(c10.y), "+f"(c10.z), "+f"(c10.w), "+f"(c11.x), "+f"(c11.y), "+f"(c11.z), "+f"(c11.w), "+f"(c12.x), "+f"(c12.y), "+f"(c12.z), "+f"(c12.w), "+f"(c13.x), "+f"(c13.y), "+f"(c13.z), "+f"(c13.w), "+f"(c14.x), "+f"(c14.y), "+f"(c14.z), "+f"(c14.w), "+f"(c15.x), "+f"(c15.y), "+f"(c15.z), "+f"(c15.w)
        : "l"(a), "l"(b), "r"(1));
}
__device__ inline void group_end_f32_16(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, f32x4& c8, f32x4& c9, f32x4& c10, f32x4& c11, f32x4& c12, f32x4& c13, f32x4& c14, f32x4& c15) {
    asm volatile("wgmma.commit_group.sync.aligned;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w), "+f"(c8.x), "+f"(c8.y), "+f"(c8.z), "+f"(c8.w), "+f"(c9.x), "+f"(c9.y), "+f"(c9.z), "+f"(c9.w), "+f"(c10.x), "+f"(c10.y), "+f"(c10.z), "+f"(c10.w), "+f"(c11.x), "+f"(c11.y), "+f"(c11.z), "+f"(c11.w), "+f"(c12.x), "+f"(c12.y), "+f"(c12.z), "+f"(c12.w), "+f"(c13.x), "+f"(c13.y), "+f"(c13.z), "+f"(c13.w), "+f"(c14.x), "+f"(c14.y), "+f"(c14.z), "+f"(c14.w), "+f"(c15.x), "+f"(c15.y), "+f"(c15.z), "+f"(c15.w) :: "memory");
}
__device__ inline void group_wait_0_f32_16(f32x4& c0, f32x4& c1, f32x4& c2, f32x4& c3, f32x4& c4, f32x4& c5, f32x4& c6, f32x4& c7, f32x4& c8, f32x4& c9, f32x4& c10, f32x4& c11, f32x4& c12, f32x4& c13, f32x4& c14, f32x4& c15) {
    asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(c0.x), "+f"(c0.y), "+f"(c0.z), "+f"(c0.w), "+f"(c1.x), "+f"(c1.y), "+f"(c1.z), "+f"(c1.w), "+f"(c2.x), "+f"(c2.y), "+f"(c2.z), "+f"(c2.w), "+f"(c3.x), "+f"(c3.y), "+f"(c3.z), "+f"(c3.w), "+f"(c4.x), "+f"(c4.y), "+f"(c4.z), "+f"(c4.w), "+f"(c5.x), "+f"(c5.y), "+f"(c5.z), "+f"(c5.w), "+f"(c6.x), "+f"(c6.y), "+f"(c6.z), "+f"(c6.w), "+f"(c7.x), "+f"(c7.y), "+f"(c7.z), "+f"(c7.w), "+f"(c8.x), "+f"(c8.y), "+f"(c8.z), "+f"(c8.w), "+f"(c9.x), "+f"(c9.y), "+f"(c9.z), "+f"(c9.w), "+f"(c10.x), "+f"(c10.y), "+f"(c10.z), "+f"(c10.w), "+f"(c11.x), "+f"(c11.y), "+f"(c11.z), "+f"(c11.w), "+f"(c12.x), "+f"(c12.y), "+f"(c12.z), "+f"(c12.w), "+f"(c13.x), "+f"(c13.y), "+f"(c13.z), "+f"(c13.w), "+f"(c14.x), "+f"(c14.y), "+f"(c14.z), "+f"(c14.w), "+f"(c15.x), "+f"(c15.y), "+f"(c15.z), "+f"(c15.w) :: "memory");
}
__device__ inline void barrier_arrive(const u64* barriers, int at) {
    unsigned address = (unsigned)__cvta_generic_to_shared(barriers + at);
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(address) : "memory");
}
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline unsigned pack_f16(f32x2 a) {
    return unsigned(to_f16(a.x).bits) | (unsigned(to_f16(a.y).bits) << 16);
}
__device__ inline void store_matrix4(f16* array, int at, u32x4 a) {
    unsigned address = (unsigned)__cvta_generic_to_shared(array) + 2u * at;
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" :: "r"(address), "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w) : "memory");
}
__device__ inline void tensor_store2(const f16* array, int at, const tensor_map& map, int c0, int c1) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%1, {%2, %3}], [%0]; cp.async.bulk.commit_group;"
        :: "r"((unsigned)__cvta_generic_to_shared(array + at)), "l"(&map), "r"(c0), "r"(c1) : "memory");
}
__device__ inline void barrier_init(const u64* barriers, int at, int arrivals) {
    unsigned address = (unsigned)__cvta_generic_to_shared(barriers + at);
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(address), "r"(arrivals) : "memory");
}

extern "C" __global__ void __launch_bounds__(160, 1) matmul(
    const __grid_constant__ tensor_map a_map,
    const __grid_constant__ tensor_map b_map,
    const __grid_constant__ tensor_map out_map,
    const f16* __restrict__ a,
    const f16* __restrict__ b,
    f16* __restrict__ out,
    int a_size1,
    int out_size0,
    int out_size1) {
    extern __shared__ __align__(1024) unsigned char shared_memory[];
    f16* const tile_a = (f16*)(shared_memory + 0); // kernels/matmul_kernel.go: operand a of the product
    f16* const tile_b = (f16*)(shared_memory + 65536); // kernels/matmul_kernel.go: operand b of the product
    f16* const tile_out = (f16*)(shared_memory + 196608); // kernels/matrix_block.go: on its way out
    u64* const full = (u64*)(shared_memory + 212992); // kernels/matmul_kernel.go: what was copied is there
    u64* const empty = (u64*)(shared_memory + 213120); // kernels/matmul_kernel.go: and no longer needed
    if (threadIdx.x == 0) {
        barrier_init(full, 0, 1);
        barrier_init(full, 1, 1);
        barrier_init(full, 2, 1);
        barrier_init(full, 3, 1);
        barrier_init(full, 4, 1);
        barrier_init(full, 5, 1);
        barrier_init(full, 6, 1);
        barrier_init(full, 7, 1);
        barrier_init(empty, 0, 4);
        barrier_init(empty, 1, 4);
        barrier_init(empty, 2, 4);
        barrier_init(empty, 3, 4);
        barrier_init(empty, 4, 4);
        barrier_init(empty, 5, 4);
        barrier_init(empty, 6, 4);
        barrier_init(empty, 7, 4);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/matmul_kernel.go
    int offset = (out_size1 + 127) / 128 * 16;
    int chosen = offset == 0 ? 1 : offset;
    int offset_0 = program / chosen * 16;
    int least = min((out_size0 + 63) / 64 - offset_0, 16);
    int remainder_0 = program % chosen;
    int chosen_0 = least == 0 ? 1 : least;
    int quotient = remainder_0 / chosen_0;
    int offset_1 = offset_0 + remainder_0 - quotient * chosen_0;
    // kernels/matmul_kernel.go
    int quotient_0 = (a_size1 + 63) / 64;
    // kernels/matrix_block.go
    int a_start0 = offset_1 * 64;
    int lane = (thread & 7) << 3;
    int b_start1 = quotient * 128;
    // kernels/matmul_kernel.go
    int offset_2 = b_start1 + 64;
    if (threadIdx.x >= 128) {
        if (threadIdx.x != 128) return;
        // kernels/matmul_kernel.go
        int stage = 0;
        int turn = 0;
        for (int i = 0; i < quotient_0; ++i) {
            int changed = turn ^ 1;
            barrier_wait(empty, stage, changed);
            barrier_expect(full, stage, 24576);
            int stage_0 = stage * 4096;
            int stage_1 = stage * 8192;
            // kernels/matrix_block.go
            int a_start1 = i * 64;
            // kernels/matmul_kernel.go
            tensor_copy2(tile_a, stage_0, a_map, full, stage, a_start1, a_start0);
            tensor_copy2(tile_b, stage_1, b_map, full, stage, b_start1, a_start1);
            int offset_3 = 4096 + stage_1;
            tensor_copy2(tile_b, offset_3, b_map, full, stage, offset_2, a_start1);
            bool equal = stage == 7;
            int stage_2 = equal ? 0 : stage + 1;
            int turn_0 = turn ^ (equal ? 1 : 0);
            stage = stage_2;
            turn = turn_0;
        }
    }
    else {
        // kernels/matmul_kernel.go
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
        int stage_3 = 0;
        int turn_1 = 0;
        for (int i_0 = 0; i_0 < quotient_0; ++i_0) {
            int stage_4 = stage_3 * 4096;
            int stage_5 = stage_3 * 8192;
            barrier_wait(full, stage_3, turn_1);
            // kernels/matmul_kernel.go
            u64 place = matrix_place(tile_a, stage_4, 64);
            u64 place_0 = matrix_place(tile_b, stage_5, 64);
            int offset_4 = 16 + stage_4;
            u64 place_1 = matrix_place(tile_a, offset_4, 64);
            int offset_5 = 1024 + stage_5;
            u64 place_2 = matrix_place(tile_b, offset_5, 64);
            int offset_6 = 32 + stage_4;
            u64 place_3 = matrix_place(tile_a, offset_6, 64);
            int offset_7 = 2048 + stage_5;
            u64 place_4 = matrix_place(tile_b, offset_7, 64);
            int offset_8 = 48 + stage_4;
            u64 place_5 = matrix_place(tile_a, offset_8, 64);
            int offset_9 = 3072 + stage_5;
            u64 place_6 = matrix_place(tile_b, offset_9, 64);
            f32x4 acc_31 = f32x4{acc.x, acc.y, acc_0.x, acc_0.y};
            f32x4 acc_32 = f32x4{acc_1.x, acc_1.y, acc_2.x, acc_2.y};
            f32x4 acc_33 = f32x4{acc_3.x, acc_3.y, acc_4.x, acc_4.y};
            f32x4 acc_34 = f32x4{acc_5.x, acc_5.y, acc_6.x, acc_6.y};
            f32x4 acc_35 = f32x4{acc_7.x, acc_7.y, acc_8.x, acc_8.y};
            f32x4 acc_36 = f32x4{acc_9.x, acc_9.y, acc_10.x, acc_10.y};
            f32x4 acc_37 = f32x4{acc_11.x, acc_11.y, acc_12.x, acc_12.y};
            f32x4 acc_38 = f32x4{acc_13.x, acc_13.y, acc_14.x, acc_14.y};
            f32x4 acc_39 = f32x4{acc_15.x, acc_15.y, acc_16.x, acc_16.y};
            f32x4 acc_40 = f32x4{acc_17.x, acc_17.y, acc_18.x, acc_18.y};
            f32x4 acc_41 = f32x4{acc_19.x, acc_19.y, acc_20.x, acc_20.y};
            f32x4 acc_42 = f32x4{acc_21.x, acc_21.y, acc_22.x, acc_22.y};
            f32x4 acc_43 = f32x4{acc_23.x, acc_23.y, acc_24.x, acc_24.y};
            f32x4 acc_44 = f32x4{acc_25.x, acc_25.y, acc_26.x, acc_26.y};
            f32x4 acc_45 = f32x4{acc_27.x, acc_27.y, acc_28.x, acc_28.y};
            f32x4 acc_46 = f32x4{acc_29.x, acc_29.y, acc_30.x, acc_30.y};
            group_begin_f32_16(acc_31, acc_32, acc_33, acc_34, acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, acc_43, acc_44, acc_45, acc_46);
            group_mma_f16_128_0_1(acc_31, acc_32, acc_33, acc_34, acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, acc_43, acc_44, acc_45, acc_46, place, place_0);
            group_mma_f16_128_0_1(acc_31, acc_32, acc_33, acc_34, acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, acc_43, acc_44, acc_45, acc_46, place_1, place_2);
            group_mma_f16_128_0_1(acc_31, acc_32, acc_33, acc_34, acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, acc_43, acc_44, acc_45, acc_46, place_3, place_4);
            group_mma_f16_128_0_1(acc_31, acc_32, acc_33, acc_34, acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, acc_43, acc_44, acc_45, acc_46, place_5, place_6);
            group_end_f32_16(acc_31, acc_32, acc_33, acc_34, acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, acc_43, acc_44, acc_45, acc_46);
            group_wait_0_f32_16(acc_31, acc_32, acc_33, acc_34, acc_35, acc_36, acc_37, acc_38, acc_39, acc_40, acc_41, acc_42, acc_43, acc_44, acc_45, acc_46);
            // kernels/matmul_kernel.go
            if ((threadIdx.x & 31) == 0) barrier_arrive(empty, stage_3);
            bool equal_0 = stage_3 == 7;
            int stage_6 = equal_0 ? 0 : stage_3 + 1;
            int turn_2 = turn_1 ^ (equal_0 ? 1 : 0);
            acc = f32x2{acc_31.x, acc_31.y};
            acc_0 = f32x2{acc_31.z, acc_31.w};
            acc_1 = f32x2{acc_32.x, acc_32.y};
            acc_2 = f32x2{acc_32.z, acc_32.w};
            acc_3 = f32x2{acc_33.x, acc_33.y};
            acc_4 = f32x2{acc_33.z, acc_33.w};
            acc_5 = f32x2{acc_34.x, acc_34.y};
            acc_6 = f32x2{acc_34.z, acc_34.w};
            acc_7 = f32x2{acc_35.x, acc_35.y};
            acc_8 = f32x2{acc_35.z, acc_35.w};
            acc_9 = f32x2{acc_36.x, acc_36.y};
            acc_10 = f32x2{acc_36.z, acc_36.w};
            acc_11 = f32x2{acc_37.x, acc_37.y};
            acc_12 = f32x2{acc_37.z, acc_37.w};
            acc_13 = f32x2{acc_38.x, acc_38.y};
            acc_14 = f32x2{acc_38.z, acc_38.w};
            acc_15 = f32x2{acc_39.x, acc_39.y};
            acc_16 = f32x2{acc_39.z, acc_39.w};
            acc_17 = f32x2{acc_40.x, acc_40.y};
            acc_18 = f32x2{acc_40.z, acc_40.w};
            acc_19 = f32x2{acc_41.x, acc_41.y};
            acc_20 = f32x2{acc_41.z, acc_41.w};
            acc_21 = f32x2{acc_42.x, acc_42.y};
            acc_22 = f32x2{acc_42.z, acc_42.w};
            acc_23 = f32x2{acc_43.x, acc_43.y};
            acc_24 = f32x2{acc_43.z, acc_43.w};
            acc_25 = f32x2{acc_44.x, acc_44.y};
            acc_26 = f32x2{acc_44.z, acc_44.w};
            acc_27 = f32x2{acc_45.x, acc_45.y};
            acc_28 = f32x2{acc_45.z, acc_45.w};
            acc_29 = f32x2{acc_46.x, acc_46.y};
            acc_30 = f32x2{acc_46.z, acc_46.w};
            stage_3 = stage_6;
            turn_1 = turn_2;
        }
        // kernels/matrix_block.go
        if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
        int lane_0 = ((lane + ((thread & 15) << 6)) ^ ((thread >> 1) & 8)) + ((thread & 96) << 5);
        u32x4 lanes = u32x4{pack_f16(acc), pack_f16(acc_0), pack_f16(acc_1), pack_f16(acc_2)};
        store_matrix4(tile_out, lane_0, lanes);
        int changed_0 = lane_0 ^ 16;
        u32x4 lanes_0 = u32x4{pack_f16(acc_3), pack_f16(acc_4), pack_f16(acc_5), pack_f16(acc_6)};
        store_matrix4(tile_out, changed_0, lanes_0);
        int changed_1 = lane_0 ^ 32;
        u32x4 lanes_1 = u32x4{pack_f16(acc_7), pack_f16(acc_8), pack_f16(acc_9), pack_f16(acc_10)};
        store_matrix4(tile_out, changed_1, lanes_1);
        int changed_2 = lane_0 ^ 48;
        u32x4 lanes_2 = u32x4{pack_f16(acc_11), pack_f16(acc_12), pack_f16(acc_13), pack_f16(acc_14)};
        store_matrix4(tile_out, changed_2, lanes_2);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 128;" ::: "memory");
        if (threadIdx.x == 0) tensor_store2(tile_out, 0, out_map, b_start1, a_start0);
        if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
        u32x4 lanes_3 = u32x4{pack_f16(acc_15), pack_f16(acc_16), pack_f16(acc_17), pack_f16(acc_18)};
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 128;" ::: "memory");
        store_matrix4(tile_out, lane_0 + 4096, lanes_3);
        u32x4 lanes_4 = u32x4{pack_f16(acc_19), pack_f16(acc_20), pack_f16(acc_21), pack_f16(acc_22)};
        store_matrix4(tile_out, changed_0 + 4096, lanes_4);
        u32x4 lanes_5 = u32x4{pack_f16(acc_23), pack_f16(acc_24), pack_f16(acc_25), pack_f16(acc_26)};
        store_matrix4(tile_out, changed_1 + 4096, lanes_5);
        u32x4 lanes_6 = u32x4{pack_f16(acc_27), pack_f16(acc_28), pack_f16(acc_29), pack_f16(acc_30)};
        store_matrix4(tile_out, changed_2 + 4096, lanes_6);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); asm volatile("bar.sync 1, 128;" ::: "memory");
        if (threadIdx.x == 0) tensor_store2(tile_out, 4096, out_map, offset_2, a_start0);
        if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}
