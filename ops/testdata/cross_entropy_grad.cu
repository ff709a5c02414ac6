struct bf16 { unsigned short bits; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(4) boolx4 { bool x, y, z, w; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(8) u32x2 { unsigned x, y; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
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
__device__ inline boolx4 operator==(i32x4 a, i32x4 b) {
    return {a.x == b.x, a.y == b.y, a.z == b.z, a.w == b.w};
}
__device__ inline f32x4 select(boolx4 a, f32x4 b, f32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}
__device__ inline f32x4 operator-(f32x4 a) {
    return {-a.x, -a.y, -a.z, -a.w};
}
__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}
__device__ inline float to_f32(bf16 a) {
    return __uint_as_float(unsigned(a.bits) << 16);
}
__device__ inline f32x4 unpack_bf16(u32x2 a) {
    return {to_f32(bf16{(unsigned short)a.x}), to_f32(bf16{(unsigned short)(a.x >> 16)}), to_f32(bf16{(unsigned short)a.y}), to_f32(bf16{(unsigned short)(a.y >> 16)})};
}
__device__ inline f32x4 operator-(f32x4 a, f32x4 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
__device__ inline f32x4 operator*(f32x4 a, f32x4 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}
__device__ inline float exp2_flushed(float a) {
    float x;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(a));
    return x;
}
__device__ inline f32x4 exp2_flushed(f32x4 a) {
    return {exp2_flushed(a.x), exp2_flushed(a.y), exp2_flushed(a.z), exp2_flushed(a.w)};
}
__device__ inline f32x4 fmaf(f32x4 a, f32x4 b, f32x4 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
}
__device__ inline boolx4 splat4(bool a) {
    return {a, a, a, a};
}
__device__ inline bf16 to_bf16(float a) {
    bf16 x;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}
__device__ inline u32x2 pack_bf16(f32x4 a) {
    return {unsigned(to_bf16(a.x).bits) | (unsigned(to_bf16(a.y).bits) << 16), unsigned(to_bf16(a.z).bits) | (unsigned(to_bf16(a.w).bits) << 16)};
}

extern "C" __global__ void __launch_bounds__(256) cross_entropy_grad(
    const bf16* x,
    const int* targets,
    const float* log_sum,
    const float* dy,
    bf16* __restrict__ out,
    int x_offset,
    int x_size0,
    int x_size1,
    int x_stride0,
    int targets_offset,
    int targets_size0,
    int targets_size1,
    int log_sum_offset,
    int log_sum_size0,
    int log_sum_size1,
    int dy_offset,
    int dy_size0,
    int dy_size1,
    int out_offset,
    int out_size1,
    int out_stride0,
    int ignore) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/loss_grad_kernel.go
    int quotient = (out_size1 + 4095) / 4096;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int targets_start0 = program / chosen;
    // kernels/loss_kernel.go
    unsigned bits = unsigned(targets_start0);
    int targets_0 = bits < unsigned(targets_size0) && 0u < unsigned(targets_size1) ? targets[targets_offset + targets_start0] : 0;
    // kernels/loss_kernel.go
    bool equal = targets_0 == ignore;
    // kernels/loss_kernel.go
    bool both = targets_0 >= 0 && targets_0 < out_size1;
    // kernels/loss_grad_kernel.go
    float dy_0 = bits < unsigned(dy_size0) && 0u < unsigned(dy_size1) ? dy[dy_offset + targets_start0] : 0.0f;
    // kernels/reduce_kernel.go
    int lane = thread << 3;
    i32x4 lanes = i32x4{lane, lane + 1, lane + 2, lane + 3};
    i32x4 lanes_0 = i32x4{lane + 4, lane + 5, lane + 6, lane + 7};
    i32x4 lanes_1 = i32x4{lane + 2048, lane + 2049, lane + 2050, lane + 2051};
    i32x4 lanes_2 = i32x4{lane + 2052, lane + 2053, lane + 2054, lane + 2055};
    // kernels/reduce_kernel.go
    int x_start1 = remainder_0 * 4096;
    i32x4 offset = lanes + splat4(x_start1);
    i32x4 offset_0 = lanes_0 + splat4(x_start1);
    i32x4 offset_1 = lanes_1 + splat4(x_start1);
    i32x4 offset_2 = lanes_2 + splat4(x_start1);
    // kernels/loss_grad_kernel.go
    boolx4 equal_0 = offset == splat4(targets_0);
    boolx4 equal_1 = offset_0 == splat4(targets_0);
    boolx4 equal_2 = offset_1 == splat4(targets_0);
    boolx4 equal_3 = offset_2 == splat4(targets_0);
    // kernels/loss_grad_kernel.go
    f32x4 lanes_3 = splat4(both ? 0.0f : __int_as_float(0x7fc00000));
    f32x4 chosen_0 = select(equal_0, splat4(dy_0), lanes_3);
    f32x4 chosen_1 = select(equal_1, splat4(dy_0), lanes_3);
    f32x4 chosen_2 = select(equal_2, splat4(dy_0), lanes_3);
    f32x4 chosen_3 = select(equal_3, splat4(dy_0), lanes_3);
    // kernels/loss_grad_kernel.go
    f32x4 negated = -chosen_0;
    f32x4 negated_0 = -chosen_1;
    f32x4 negated_1 = -chosen_2;
    f32x4 negated_2 = -chosen_3;
    // kernels/reduce_kernel.go
    bool less = bits < unsigned(x_size0);
    int offset_3 = x_start1 + lane;
    int index = x_offset + targets_start0 * x_stride0 + offset_3;
    unsigned bits_0 = unsigned(offset_3);
    unsigned bits_1 = unsigned(x_size1);
    u32x4 x_0 = less && bits_0 < bits_1 ? *(const u32x4*)&x[index] : splat4(0u);
    f32x4 x_1 = unpack_bf16(u32x2{x_0.x, x_0.y});
    f32x4 x_2 = unpack_bf16(u32x2{x_0.z, x_0.w});
    unsigned bits_2 = unsigned(offset_3 + 2048);
    u32x4 x_3 = less && bits_2 < bits_1 ? *(const u32x4*)&x[index + 2048] : splat4(0u);
    f32x4 x_4 = unpack_bf16(u32x2{x_3.x, x_3.y});
    f32x4 x_5 = unpack_bf16(u32x2{x_3.z, x_3.w});
    // kernels/loss_grad_kernel.go
    float log_sum_0 = bits < unsigned(log_sum_size0) && 0u < unsigned(log_sum_size1) ? log_sum[log_sum_offset + targets_start0] : 0.0f;
    // kernels/loss_grad_kernel.go
    f32x4 difference = x_1 - splat4(log_sum_0);
    f32x4 difference_0 = x_2 - splat4(log_sum_0);
    f32x4 difference_1 = x_4 - splat4(log_sum_0);
    f32x4 difference_2 = x_5 - splat4(log_sum_0);
    // kernels/loss_kernel.go
    f32x4 power = exp2_flushed(difference * splat4(1.442695f));
    f32x4 power_0 = exp2_flushed(difference_0 * splat4(1.442695f));
    f32x4 power_1 = exp2_flushed(difference_1 * splat4(1.442695f));
    f32x4 power_2 = exp2_flushed(difference_2 * splat4(1.442695f));
    // kernels/loss_grad_kernel.go
    f32x4 fused = fmaf(power, splat4(dy_0), negated);
    f32x4 fused_0 = fmaf(power_0, splat4(dy_0), negated_0);
    f32x4 fused_1 = fmaf(power_1, splat4(dy_0), negated_1);
    f32x4 fused_2 = fmaf(power_2, splat4(dy_0), negated_2);
    // kernels/loss_grad_kernel.go
    f32x4 chosen_4 = select(splat4(equal), splat4(0.0f), fused);
    f32x4 chosen_5 = select(splat4(equal), splat4(0.0f), fused_0);
    f32x4 chosen_6 = select(splat4(equal), splat4(0.0f), fused_1);
    f32x4 chosen_7 = select(splat4(equal), splat4(0.0f), fused_2);
    // kernels/loss_grad_kernel.go
    int index_0 = out_offset + targets_start0 * out_stride0 + offset_3;
    unsigned bits_3 = unsigned(out_size1);
    u32x2 value = pack_bf16(chosen_4);
    u32x2 value_0 = pack_bf16(chosen_5);
    if (bits_0 < bits_3) {
        *(u32x4*)&out[index_0] = u32x4{value.x, value.y, value_0.x, value_0.y};
    }
    u32x2 value_1 = pack_bf16(chosen_6);
    u32x2 value_2 = pack_bf16(chosen_7);
    if (bits_2 < bits_3) {
        *(u32x4*)&out[index_0 + 2048] = u32x4{value_1.x, value_1.y, value_2.x, value_2.y};
    }
}
