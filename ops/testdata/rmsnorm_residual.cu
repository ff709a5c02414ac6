struct f16 { unsigned short bits; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(8) u32x2 { unsigned x, y; };
struct alignas(16) f32x4 { float x, y, z, w; };

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
__device__ inline f32x4 operator+(f32x4 a, f32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline f32x4 round_f16(f32x4 a) {
    return {to_f32(to_f16(a.x)), to_f32(to_f16(a.y)), to_f32(to_f16(a.z)), to_f32(to_f16(a.w))};
}
__device__ inline f32x4 operator*(f32x4 a, f32x4 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}
__device__ inline u32x2 pack_f16(f32x4 a) {
    return {unsigned(to_f16(a.x).bits) | (unsigned(to_f16(a.y).bits) << 16), unsigned(to_f16(a.z).bits) | (unsigned(to_f16(a.w).bits) << 16)};
}
__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}

extern "C" __global__ void __launch_bounds__(128) normalise(
    const f16* x,
    const f16* residual,
    const f16* weight,
    f16* __restrict__ sum,
    f16* __restrict__ out,
    int x_offset,
    int x_size1,
    int x_stride0,
    int residual_offset,
    int residual_size1,
    int residual_stride0,
    int weight_offset,
    int weight_size1,
    int sum_offset,
    int sum_size1,
    int sum_stride0,
    int out_offset,
    int out_size1,
    int out_stride0,
    float epsilon) {
    __shared__ alignas(16) float parts[4]; // kernels/reduce_states.go: partial results of reduce.sum
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/reduce_kernel.go
    int lane = thread << 3;
    int index = x_offset + program * x_stride0 + lane;
    unsigned bits = unsigned(lane);
    unsigned bits_0 = unsigned(x_size1);
    u32x4 x_0 = bits < bits_0 ? *(const u32x4*)&x[index] : splat4(0u);
    f32x4 x_1 = unpack_f16(u32x2{x_0.x, x_0.y});
    f32x4 x_2 = unpack_f16(u32x2{x_0.z, x_0.w});
    unsigned bits_1 = unsigned(lane + 1024);
    u32x4 x_3 = bits_1 < bits_0 ? *(const u32x4*)&x[index + 1024] : splat4(0u);
    f32x4 x_4 = unpack_f16(u32x2{x_3.x, x_3.y});
    f32x4 x_5 = unpack_f16(u32x2{x_3.z, x_3.w});
    unsigned bits_2 = unsigned(lane + 2048);
    u32x4 x_6 = bits_2 < bits_0 ? *(const u32x4*)&x[index + 2048] : splat4(0u);
    f32x4 x_7 = unpack_f16(u32x2{x_6.x, x_6.y});
    f32x4 x_8 = unpack_f16(u32x2{x_6.z, x_6.w});
    unsigned bits_3 = unsigned(lane + 3072);
    u32x4 x_9 = bits_3 < bits_0 ? *(const u32x4*)&x[index + 3072] : splat4(0u);
    f32x4 x_10 = unpack_f16(u32x2{x_9.x, x_9.y});
    f32x4 x_11 = unpack_f16(u32x2{x_9.z, x_9.w});
    int index_0 = residual_offset + program * residual_stride0 + lane;
    unsigned bits_4 = unsigned(residual_size1);
    u32x4 residual_0 = bits < bits_4 ? *(const u32x4*)&residual[index_0] : splat4(0u);
    f32x4 residual_1 = unpack_f16(u32x2{residual_0.x, residual_0.y});
    f32x4 residual_2 = unpack_f16(u32x2{residual_0.z, residual_0.w});
    u32x4 residual_3 = bits_1 < bits_4 ? *(const u32x4*)&residual[index_0 + 1024] : splat4(0u);
    f32x4 residual_4 = unpack_f16(u32x2{residual_3.x, residual_3.y});
    f32x4 residual_5 = unpack_f16(u32x2{residual_3.z, residual_3.w});
    u32x4 residual_6 = bits_2 < bits_4 ? *(const u32x4*)&residual[index_0 + 2048] : splat4(0u);
    f32x4 residual_7 = unpack_f16(u32x2{residual_6.x, residual_6.y});
    f32x4 residual_8 = unpack_f16(u32x2{residual_6.z, residual_6.w});
    u32x4 residual_9 = bits_3 < bits_4 ? *(const u32x4*)&residual[index_0 + 3072] : splat4(0u);
    f32x4 residual_10 = unpack_f16(u32x2{residual_9.x, residual_9.y});
    f32x4 residual_11 = unpack_f16(u32x2{residual_9.z, residual_9.w});
    // kernels/reduce_kernel.go
    f32x4 sum_0 = x_1 + residual_1;
    f32x4 sum_1 = x_2 + residual_2;
    f32x4 sum_2 = x_4 + residual_4;
    f32x4 sum_3 = x_5 + residual_5;
    f32x4 sum_4 = x_7 + residual_7;
    f32x4 sum_5 = x_8 + residual_8;
    f32x4 sum_6 = x_10 + residual_10;
    f32x4 sum_7 = x_11 + residual_11;
    f32x4 rounded = round_f16(sum_0);
    f32x4 rounded_0 = round_f16(sum_1);
    f32x4 rounded_1 = round_f16(sum_2);
    f32x4 rounded_2 = round_f16(sum_3);
    f32x4 rounded_3 = round_f16(sum_4);
    f32x4 rounded_4 = round_f16(sum_5);
    f32x4 rounded_5 = round_f16(sum_6);
    f32x4 rounded_6 = round_f16(sum_7);
    // kernels/norm_kernel.go
    f32x4 product = rounded * rounded;
    f32x4 product_0 = rounded_0 * rounded_0;
    f32x4 product_1 = rounded_1 * rounded_1;
    f32x4 product_2 = rounded_2 * rounded_2;
    f32x4 product_3 = rounded_3 * rounded_3;
    f32x4 product_4 = rounded_4 * rounded_4;
    f32x4 product_5 = rounded_5 * rounded_5;
    f32x4 product_6 = rounded_6 * rounded_6;
    // kernels/reduce_states.go
    f32x4 sum_8 = product + product_0 + product_1 + product_2 + product_3 + product_4;
    f32x4 sum_9 = sum_8 + product_5 + product_6;
    float sum_10 = sum_9.x + sum_9.z + (sum_9.y + sum_9.w);
    float other = __shfl_xor_sync(0xffffffffu, sum_10, 1);
    float sum_11 = sum_10 + other;
    float other_0 = __shfl_xor_sync(0xffffffffu, sum_11, 2);
    float sum_12 = sum_11 + other_0;
    float other_1 = __shfl_xor_sync(0xffffffffu, sum_12, 4);
    float sum_13 = sum_12 + other_1;
    float other_2 = __shfl_xor_sync(0xffffffffu, sum_13, 8);
    float sum_14 = sum_13 + other_2;
    float other_3 = __shfl_xor_sync(0xffffffffu, sum_14, 16);
    if ((thread & 31) == 0) {
        parts[thread >> 5] = sum_14 + other_3;
    }
    __syncthreads();
    float parts_0 = parts[0];
    float parts_1 = parts[1];
    float parts_2 = parts[2];
    float parts_3 = parts[3];
    float sum_15 = parts_0 + parts_1 + parts_2 + parts_3;
    // kernels/reduce_kernel.go
    float converted = float(x_size1);
    // kernels/norm_kernel.go
    float inverse_root = rsqrtf(sum_15 * (1.0f / converted) + epsilon);
    // kernels/norm_kernel.go
    int index_1 = sum_offset + program * sum_stride0 + lane;
    unsigned bits_5 = unsigned(sum_size1);
    u32x2 value = pack_f16(sum_0);
    u32x2 value_0 = pack_f16(sum_1);
    if (bits < bits_5) {
        *(u32x4*)&sum[index_1] = u32x4{value.x, value.y, value_0.x, value_0.y};
    }
    u32x2 value_1 = pack_f16(sum_2);
    u32x2 value_2 = pack_f16(sum_3);
    if (bits_1 < bits_5) {
        *(u32x4*)&sum[index_1 + 1024] = u32x4{value_1.x, value_1.y, value_2.x, value_2.y};
    }
    u32x2 value_3 = pack_f16(sum_4);
    u32x2 value_4 = pack_f16(sum_5);
    if (bits_2 < bits_5) {
        *(u32x4*)&sum[index_1 + 2048] = u32x4{value_3.x, value_3.y, value_4.x, value_4.y};
    }
    u32x2 value_5 = pack_f16(sum_6);
    u32x2 value_6 = pack_f16(sum_7);
    if (bits_3 < bits_5) {
        *(u32x4*)&sum[index_1 + 3072] = u32x4{value_5.x, value_5.y, value_6.x, value_6.y};
    }
    // kernels/norm_kernel.go
    f32x4 product_7 = rounded * splat4(inverse_root);
    f32x4 product_8 = rounded_0 * splat4(inverse_root);
    f32x4 product_9 = rounded_1 * splat4(inverse_root);
    f32x4 product_10 = rounded_2 * splat4(inverse_root);
    f32x4 product_11 = rounded_3 * splat4(inverse_root);
    f32x4 product_12 = rounded_4 * splat4(inverse_root);
    f32x4 product_13 = rounded_5 * splat4(inverse_root);
    f32x4 product_14 = rounded_6 * splat4(inverse_root);
    // kernels/norm_kernel.go
    int index_2 = weight_offset + lane;
    unsigned bits_6 = unsigned(weight_size1);
    u32x4 weight_0 = bits < bits_6 ? *(const u32x4*)&weight[index_2] : splat4(0u);
    f32x4 weight_1 = unpack_f16(u32x2{weight_0.x, weight_0.y});
    f32x4 weight_2 = unpack_f16(u32x2{weight_0.z, weight_0.w});
    u32x4 weight_3 = bits_1 < bits_6 ? *(const u32x4*)&weight[index_2 + 1024] : splat4(0u);
    f32x4 weight_4 = unpack_f16(u32x2{weight_3.x, weight_3.y});
    f32x4 weight_5 = unpack_f16(u32x2{weight_3.z, weight_3.w});
    u32x4 weight_6 = bits_2 < bits_6 ? *(const u32x4*)&weight[index_2 + 2048] : splat4(0u);
    f32x4 weight_7 = unpack_f16(u32x2{weight_6.x, weight_6.y});
    f32x4 weight_8 = unpack_f16(u32x2{weight_6.z, weight_6.w});
    u32x4 weight_9 = bits_3 < bits_6 ? *(const u32x4*)&weight[index_2 + 3072] : splat4(0u);
    f32x4 weight_10 = unpack_f16(u32x2{weight_9.x, weight_9.y});
    f32x4 weight_11 = unpack_f16(u32x2{weight_9.z, weight_9.w});
    // kernels/norm_kernel.go
    f32x4 product_15 = product_7 * weight_1;
    f32x4 product_16 = product_8 * weight_2;
    f32x4 product_17 = product_9 * weight_4;
    f32x4 product_18 = product_10 * weight_5;
    f32x4 product_19 = product_11 * weight_7;
    f32x4 product_20 = product_12 * weight_8;
    f32x4 product_21 = product_13 * weight_10;
    f32x4 product_22 = product_14 * weight_11;
    // kernels/norm_kernel.go
    int index_3 = out_offset + program * out_stride0 + lane;
    unsigned bits_7 = unsigned(out_size1);
    u32x2 value_7 = pack_f16(product_15);
    u32x2 value_8 = pack_f16(product_16);
    if (bits < bits_7) {
        *(u32x4*)&out[index_3] = u32x4{value_7.x, value_7.y, value_8.x, value_8.y};
    }
    u32x2 value_9 = pack_f16(product_17);
    u32x2 value_10 = pack_f16(product_18);
    if (bits_1 < bits_7) {
        *(u32x4*)&out[index_3 + 1024] = u32x4{value_9.x, value_9.y, value_10.x, value_10.y};
    }
    u32x2 value_11 = pack_f16(product_19);
    u32x2 value_12 = pack_f16(product_20);
    if (bits_2 < bits_7) {
        *(u32x4*)&out[index_3 + 2048] = u32x4{value_11.x, value_11.y, value_12.x, value_12.y};
    }
    u32x2 value_13 = pack_f16(product_21);
    u32x2 value_14 = pack_f16(product_22);
    if (bits_3 < bits_7) {
        *(u32x4*)&out[index_3 + 3072] = u32x4{value_13.x, value_13.y, value_14.x, value_14.y};
    }
}
