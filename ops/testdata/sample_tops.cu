struct f16 { unsigned short bits; };
struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(8) u32x2 { unsigned x, y; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(4) boolx4 { bool x, y, z, w; };

__device__ inline i32x4 splat4(int a) {
    return {a, a, a, a};
}
__device__ inline int wrap_mul(int a, int b) {
    return int(unsigned(a) * unsigned(b));
}
__device__ inline i32x4 operator*(i32x4 a, i32x4 b) {
    return {wrap_mul(a.x, b.x), wrap_mul(a.y, b.y), wrap_mul(a.z, b.z), wrap_mul(a.w, b.w)};
}
__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}
__device__ inline i32x4 operator+(i32x4 a, i32x4 b) {
    return {wrap_add(a.x, b.x), wrap_add(a.y, b.y), wrap_add(a.z, b.z), wrap_add(a.w, b.w)};
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
__device__ inline i32x4 as_i32(f32x4 a) {
    return {__float_as_int(a.x), __float_as_int(a.y), __float_as_int(a.z), __float_as_int(a.w)};
}
__device__ inline i32x4 operator&(i32x4 a, i32x4 b) {
    return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w};
}
__device__ inline i32x4 operator>>(i32x4 a, i32x4 b) {
    return {a.x >> b.x, a.y >> b.y, a.z >> b.z, a.w >> b.w};
}
__device__ inline i32x4 operator^(i32x4 a, i32x4 b) {
    return {a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w};
}
__device__ inline int wrap_sub(int a, int b) {
    return int(unsigned(a) - unsigned(b));
}
__device__ inline i32x4 operator-(i32x4 a, i32x4 b) {
    return {wrap_sub(a.x, b.x), wrap_sub(a.y, b.y), wrap_sub(a.z, b.z), wrap_sub(a.w, b.w)};
}
__device__ inline boolx4 operator>(i32x4 a, i32x4 b) {
    return {a.x > b.x, a.y > b.y, a.z > b.z, a.w > b.w};
}
__device__ inline i32x4 select(boolx4 a, i32x4 b, i32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}
__device__ inline i32x4 max(i32x4 a, i32x4 b) {
    return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z), max(a.w, b.w)};
}

extern "C" __global__ void __launch_bounds__(256) sample_tops(
    const f16* logits,
    int* __restrict__ parts,
    int logits_offset,
    int logits_size1,
    int logits_stride0,
    int parts_offset,
    int parts_size1,
    int parts_stride0) {
    __shared__ alignas(16) int parts_0[8]; // kernels/sample_parts.go: partial results of reduce.max
    __shared__ alignas(16) int scalar[1]; // kernels/sample_parts.go: the first thread's element
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/sample_kernel.go
    int chosen = parts_size1 == 0 ? 1 : parts_size1;
    int parts_start1 = program % chosen;
    int parts_start0 = program / chosen;
    // kernels/sample_parts.go
    int lane = thread >> 3;
    int lane_0 = (thread & 7) << 3;
    i32x4 offset = splat4(lane) * splat4(1024) + i32x4{lane_0, lane_0 + 1, lane_0 + 2, lane_0 + 3};
    i32x4 offset_0 = offset + splat4(parts_start1 * 64);
    // kernels/sample_parts.go
    int offset_1 = logits_offset + parts_start0 * logits_stride0;
    unsigned bits = unsigned(logits_size1);
    // kernels/sample_parts.go
    i32x4 carried = splat4((-2147483647 - 1));
    i32x4 carried_0 = splat4((-2147483647 - 1));
    int end = (logits_size1 + 32767) / 32768;
    for (int i = 0; i < end; ++i) {
        // kernels/sample_parts.go
        i32x4 offset_2 = offset_0 + splat4(i * 32768);
        // kernels/sample_parts.go
        u32x4 logits_0 = unsigned(offset_2.x) < bits ? *(const u32x4*)&logits[offset_1 + offset_2.x] : splat4(4227922944u);
        f32x4 logits_1 = unpack_f16(u32x2{logits_0.x, logits_0.y});
        f32x4 logits_2 = unpack_f16(u32x2{logits_0.z, logits_0.w});
        // kernels/sample_kernel.go
        i32x4 bits_0 = as_i32(logits_1);
        i32x4 bits_1 = as_i32(logits_2);
        i32x4 both = bits_0 & splat4(2147483647);
        i32x4 both_0 = bits_1 & splat4(2147483647);
        i32x4 shifted = bits_0 >> splat4(31);
        i32x4 shifted_0 = bits_1 >> splat4(31);
        i32x4 chosen_0 = select((both > splat4(2139095040)), splat4(2147483647), (both ^ shifted) - shifted);
        i32x4 chosen_1 = select((both_0 > splat4(2139095040)), splat4(2147483647), (both_0 ^ shifted_0) - shifted_0);
        // kernels/sample_parts.go
        carried = max(carried, chosen_0);
        carried_0 = max(carried_0, chosen_1);
    }
    // kernels/sample_parts.go
    i32x4 greatest = max(carried, carried_0);
    int greatest_0 = max(max(greatest.x, greatest.z), max(greatest.y, greatest.w));
    int other = __shfl_xor_sync(0xffffffffu, greatest_0, 1);
    int greatest_1 = max(greatest_0, other);
    int other_0 = __shfl_xor_sync(0xffffffffu, greatest_1, 2);
    int greatest_2 = max(greatest_1, other_0);
    int other_1 = __shfl_xor_sync(0xffffffffu, greatest_2, 4);
    int greatest_3 = max(greatest_2, other_1);
    int other_2 = __shfl_xor_sync(0xffffffffu, greatest_3, 8);
    int greatest_4 = max(greatest_3, other_2);
    int other_3 = __shfl_xor_sync(0xffffffffu, greatest_4, 16);
    if ((thread & 31) == 0) {
        parts_0[thread >> 5] = max(greatest_4, other_3);
    }
    __syncthreads();
    int parts_1 = parts_0[0];
    int parts_2 = parts_0[1];
    int parts_3 = parts_0[2];
    int parts_4 = parts_0[3];
    int parts_5 = parts_0[4];
    int parts_6 = parts_0[5];
    int greatest_5 = max(max(max(max(max(parts_1, parts_2), parts_3), parts_4), parts_5), parts_6);
    int parts_7 = parts_0[6];
    int parts_8 = parts_0[7];
    if (thread == 0) {
        scalar[0] = max(max(greatest_5, parts_7), parts_8);
    }
    __syncthreads();
    int scalar_0 = scalar[0];
    // kernels/sample_parts.go
    if ((thread & 255) == 0) {
        parts[parts_offset + parts_start0 * parts_stride0 + parts_start1] = scalar_0;
    }
}
