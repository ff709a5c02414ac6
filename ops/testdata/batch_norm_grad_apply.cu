struct f16 { unsigned short bits; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(8) u32x2 { unsigned x, y; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline f32x4 operator+(f32x4 a, f32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline f32x4 rsqrtf(f32x4 a) {
    return {rsqrtf(a.x), rsqrtf(a.y), rsqrtf(a.z), rsqrtf(a.w)};
}
__device__ inline f32x4 operator*(f32x4 a, f32x4 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}
__device__ inline f32x4 operator-(f32x4 a) {
    return {-a.x, -a.y, -a.z, -a.w};
}
__device__ inline float to_f32(f16 a) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(a.bits));
    return x;
}
__device__ inline f32x4 unpack_f16(u32x2 a) {
    return {to_f32(f16{(unsigned short)a.x}), to_f32(f16{(unsigned short)(a.x >> 16)}), to_f32(f16{(unsigned short)a.y}), to_f32(f16{(unsigned short)(a.y >> 16)})};
}
__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}
__device__ inline f32x4 operator-(f32x4 a, f32x4 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
__device__ inline f32x4 fmaf(f32x4 a, f32x4 b, f32x4 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
}
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline u32x2 pack_f16(f32x4 a) {
    return {unsigned(to_f16(a.x).bits) | (unsigned(to_f16(a.y).bits) << 16), unsigned(to_f16(a.z).bits) | (unsigned(to_f16(a.w).bits) << 16)};
}

extern "C" __global__ void __launch_bounds__(256) batch_norm_grad_apply(
    const f16* x,
    const f16* dy,
    const float* mean,
    const float* variance,
    const f16* weight,
    const float* dot,
    const float* total,
    f16* __restrict__ out,
    int x_offset,
    int x_size0,
    int x_stride0,
    int dy_offset,
    int dy_size0,
    int dy_stride0,
    int mean_offset,
    int variance_offset,
    int weight_offset,
    int dot_offset,
    int total_offset,
    int out_offset,
    int out_size0,
    int out_size1,
    int out_stride0,
    float epsilon,
    float share) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/batch_norm_kernel.go
    int quotient = (out_size1 + 63) / 64;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int quotient_0 = program / chosen;
    // kernels/batch_norm_kernel.go
    int mean_start1 = remainder_0 * 64;
    int lane = (thread & 7) << 3;
    int offset = mean_start1 + lane;
    int index = mean_offset + offset;
    f32x4 mean_0 = *(const f32x4*)&mean[index];
    f32x4 mean_1 = *(const f32x4*)&mean[index + 4];
    int index_0 = variance_offset + offset;
    f32x4 variance_0 = *(const f32x4*)&variance[index_0];
    f32x4 variance_1 = *(const f32x4*)&variance[index_0 + 4];
    // kernels/batch_grad_kernel.go
    f32x4 inverse_root = rsqrtf(variance_0 + splat4(epsilon));
    f32x4 inverse_root_0 = rsqrtf(variance_1 + splat4(epsilon));
    // kernels/batch_norm_kernel.go
    int index_1 = dot_offset + offset;
    f32x4 dot_0 = *(const f32x4*)&dot[index_1];
    f32x4 dot_1 = *(const f32x4*)&dot[index_1 + 4];
    int index_2 = total_offset + offset;
    f32x4 total_0 = *(const f32x4*)&total[index_2];
    f32x4 total_1 = *(const f32x4*)&total[index_2 + 4];
    // kernels/batch_grad_kernel.go
    f32x4 product = total_0 * splat4(share);
    f32x4 product_0 = total_1 * splat4(share);
    f32x4 negated = -(dot_0 * splat4(share) * inverse_root);
    f32x4 negated_0 = -(dot_1 * splat4(share) * inverse_root_0);
    // kernels/batch_norm_kernel.go
    u32x4 weight_0 = *(const u32x4*)&weight[weight_offset + offset];
    f32x4 weight_1 = unpack_f16(u32x2{weight_0.x, weight_0.y});
    f32x4 weight_2 = unpack_f16(u32x2{weight_0.z, weight_0.w});
    // kernels/batch_grad_kernel.go
    f32x4 product_1 = inverse_root * weight_1;
    f32x4 product_2 = inverse_root_0 * weight_2;
    // kernels/batch_norm_kernel.go
    int offset_0 = quotient_0 * 8;
    // kernels/batch_norm_kernel.go
    int least = min(offset_0 + 8, (x_size0 + 31) / 32);
    // kernels/reduce_kernel.go
    int lane_0 = thread >> 3;
    unsigned bits = unsigned(x_size0);
    unsigned bits_0 = unsigned(dy_size0);
    // kernels/batch_grad_kernel.go
    unsigned bits_1 = unsigned(out_size0);
    // kernels/batch_norm_kernel.go
    for (int i = offset_0; i < least; ++i) {
        // kernels/reduce_kernel.go
        int x_start0 = i * 32;
        int offset_1 = x_start0 + lane_0;
        unsigned bits_2 = unsigned(x_start0);
        u32x4 x_0 = bits_2 < bits ? *(const u32x4*)&x[x_offset + offset_1 * x_stride0 + offset] : splat4(0u);
        f32x4 x_1 = unpack_f16(u32x2{x_0.x, x_0.y});
        f32x4 x_2 = unpack_f16(u32x2{x_0.z, x_0.w});
        u32x4 dy_0 = bits_2 < bits_0 ? *(const u32x4*)&dy[dy_offset + offset_1 * dy_stride0 + offset] : splat4(0u);
        f32x4 dy_1 = unpack_f16(u32x2{dy_0.x, dy_0.y});
        f32x4 dy_2 = unpack_f16(u32x2{dy_0.z, dy_0.w});
        // kernels/batch_grad_kernel.go
        f32x4 difference = x_1 - mean_0;
        f32x4 difference_0 = x_2 - mean_1;
        // kernels/batch_grad_kernel.go
        f32x4 product_3 = fmaf(difference, negated, dy_1 - product) * product_1;
        f32x4 product_4 = fmaf(difference_0, negated_0, dy_2 - product_0) * product_2;
        // kernels/batch_grad_kernel.go
        u32x2 value = pack_f16(product_3);
        u32x2 value_0 = pack_f16(product_4);
        if (bits_2 < bits_1) {
            *(u32x4*)&out[out_offset + offset_1 * out_stride0 + offset] = u32x4{value.x, value.y, value_0.x, value_0.y};
        }
    }
}
