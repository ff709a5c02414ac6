struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(4) boolx4 { bool x, y, z, w; };

__device__ inline i32x4 splat4(int a) {
    return {a, a, a, a};
}
__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}
__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
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
__device__ inline boolx4 operator>(i32x4 a, i32x4 b) {
    return {a.x > b.x, a.y > b.y, a.z > b.z, a.w > b.w};
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
__device__ inline i32x4 select(boolx4 a, i32x4 b, i32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}
__device__ inline u32x4 as_u32(i32x4 a) {
    return {unsigned(a.x), unsigned(a.y), unsigned(a.z), unsigned(a.w)};
}
__device__ inline u32x4 operator^(u32x4 a, u32x4 b) {
    return {a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w};
}
__device__ inline u32x4 operator&(u32x4 a, u32x4 b) {
    return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w};
}
__device__ inline u32x4 operator>>(u32x4 a, u32x4 b) {
    return {a.x >> b.x, a.y >> b.y, a.z >> b.z, a.w >> b.w};
}
__device__ inline i32x4 to_i32(u32x4 a) {
    return {int(a.x), int(a.y), int(a.z), int(a.w)};
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

extern "C" __global__ void __launch_bounds__(256) sort_count(
    const float* x,
    int* __restrict__ counts,
    int x_offset,
    int x_size1,
    int counts_offset,
    int counts_size0,
    int counts_size1,
    int counts_size2,
    int counts_stride1,
    int shift) {
    __shared__ alignas(16) int sums[256]; // kernels/sort_kernel.go: sums by bins
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/sort_kernel.go
    int quotient = (x_size1 + 2047) / 2048;
    int chosen = quotient == 0 ? 1 : quotient;
    int counts_start1 = program % chosen;
    int x_start0 = program / chosen;
    // kernels/sort_kernel.go
    int x_start1 = counts_start1 * 2048;
    int lane = thread << 2;
    int offset = x_start1 + lane;
    int index = x_offset + offset;
    unsigned bits = unsigned(x_size1);
    f32x4 x_0 = unsigned(offset) < bits ? *(const f32x4*)&x[index] : splat4(0.0f);
    f32x4 x_1 = unsigned(offset + 1024) < bits ? *(const f32x4*)&x[index + 1024] : splat4(0.0f);
    // kernels/sort_rank.go
    i32x4 bits_0 = as_i32(x_0);
    i32x4 bits_1 = as_i32(x_1);
    // kernels/sort_rank.go
    i32x4 both = bits_0 & splat4(2147483647);
    i32x4 both_0 = bits_1 & splat4(2147483647);
    i32x4 shifted = bits_0 >> splat4(31);
    i32x4 shifted_0 = bits_1 >> splat4(31);
    // kernels/sort_rank.go
    i32x4 chosen_0 = select((both > splat4(2139095040)), splat4(2147483647), (both ^ shifted) - shifted);
    i32x4 chosen_1 = select((both_0 > splat4(2139095040)), splat4(2147483647), (both_0 ^ shifted_0) - shifted_0);
    // kernels/sort_rank.go
    u32x4 bits_2 = as_u32(chosen_0);
    u32x4 bits_3 = as_u32(chosen_1);
    // kernels/sort_rank.go
    u32x4 changed = bits_2 ^ splat4(2147483648u);
    u32x4 changed_0 = bits_3 ^ splat4(2147483648u);
    // kernels/sort_rank.go
    u32x4 both_1 = splat4(unsigned(shift)) & splat4(31u);
    u32x4 both_2 = (changed >> both_1) & splat4(255u);
    u32x4 both_3 = (changed_0 >> both_1) & splat4(255u);
    // kernels/sort_kernel.go
    i32x4 converted = to_i32(both_2);
    i32x4 converted_0 = to_i32(both_3);
    // kernels/sort_kernel.go
    i32x4 offset_0 = i32x4{lane + 1024, lane + 1025, lane + 1026, lane + 1027} + splat4(x_start1);
    boolx4 less = i32x4{lane, lane + 1, lane + 2, lane + 3} + splat4(x_start1) < splat4(x_size1);
    boolx4 less_0 = offset_0 < splat4(x_size1);
    // kernels/sort_kernel.go
    i32x4 chosen_2 = select(less, converted, splat4(-1));
    i32x4 chosen_3 = select(less_0, converted_0, splat4(-1));
    sums[thread] = 0;
    __syncthreads();
    if (unsigned(chosen_2.x) < 256u) {
        atomicAdd(&sums[chosen_2.x], 1);
    }
    if (unsigned(chosen_2.y) < 256u) {
        atomicAdd(&sums[chosen_2.y], 1);
    }
    if (unsigned(chosen_2.z) < 256u) {
        atomicAdd(&sums[chosen_2.z], 1);
    }
    if (unsigned(chosen_2.w) < 256u) {
        atomicAdd(&sums[chosen_2.w], 1);
    }
    if (unsigned(chosen_3.x) < 256u) {
        atomicAdd(&sums[chosen_3.x], 1);
    }
    if (unsigned(chosen_3.y) < 256u) {
        atomicAdd(&sums[chosen_3.y], 1);
    }
    if (unsigned(chosen_3.z) < 256u) {
        atomicAdd(&sums[chosen_3.z], 1);
    }
    if (unsigned(chosen_3.w) < 256u) {
        atomicAdd(&sums[chosen_3.w], 1);
    }
    __syncthreads();
    int sums_0 = sums[thread];
    bool both_4 = unsigned(x_start0) < unsigned(counts_size0) && unsigned(counts_start1) < unsigned(counts_size1);
    if (both_4 && 0u < unsigned(counts_size2)) {
        counts[counts_offset + counts_start1 * counts_stride1 + thread] = sums_0;
    }
}
