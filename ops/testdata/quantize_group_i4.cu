struct f16 { unsigned short bits; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(8) u32x2 { unsigned x, y; };
struct alignas(4) boolx4 { bool x, y, z, w; };
struct alignas(4) u8x4 { unsigned char x, y, z, w; };

__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}
__device__ inline i32x4 splat4(int a) {
    return {a, a, a, a};
}
__device__ inline f32x4 splat4(float a) {
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
__device__ inline f32x4 operator/(f32x4 a, f32x4 b) {
    return {a.x / b.x, a.y / b.y, a.z / b.z, a.w / b.w};
}
__device__ inline f32x4 rintf(f32x4 a) {
    return {rintf(a.x), rintf(a.y), rintf(a.z), rintf(a.w)};
}
__device__ inline f32x4 fmaxf(f32x4 a, f32x4 b) {
    return {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w)};
}
__device__ inline f32x4 fminf(f32x4 a, f32x4 b) {
    return {fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z), fminf(a.w, b.w)};
}
__device__ inline i32x4 to_i32(f32x4 a) {
    return {__float2int_rz(a.x), __float2int_rz(a.y), __float2int_rz(a.z), __float2int_rz(a.w)};
}
__device__ inline i32x4 max(i32x4 a, i32x4 b) {
    return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z), max(a.w, b.w)};
}
__device__ inline i32x4 min(i32x4 a, i32x4 b) {
    return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z), min(a.w, b.w)};
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
__device__ inline i32x4 select(boolx4 a, i32x4 b, i32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}
__device__ inline u32x4 to_u32(i32x4 a) {
    return {unsigned(a.x), unsigned(a.y), unsigned(a.z), unsigned(a.w)};
}
__device__ inline u32x4 operator&(u32x4 a, u32x4 b) {
    return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w};
}
__device__ inline u32x4 operator<<(u32x4 a, u32x4 b) {
    return {a.x << b.x, a.y << b.y, a.z << b.z, a.w << b.w};
}
__device__ inline u32x4 operator|(u32x4 a, u32x4 b) {
    return {a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w};
}
__device__ inline u8x4 to_u8(u32x4 a) {
    return {(unsigned char)a.x, (unsigned char)a.y, (unsigned char)a.z, (unsigned char)a.w};
}

extern "C" __global__ void __launch_bounds__(128) quantize(
    const f16* x,
    const float* scales,
    unsigned char* __restrict__ data,
    int x_offset,
    int x_size1,
    int x_stride0,
    int scales_offset,
    int scales_size0,
    int scales_size1,
    int scales_stride0,
    int data_offset,
    int data_size0,
    int data_size1,
    int data_stride0) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/quantize_kernel.go
    int quotient = (x_size1 + 255) / 256;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int quotient_0 = program / chosen;
    // kernels/quantize_kernel.go
    int x_start0 = quotient_0 * 8;
    int lane = thread >> 5;
    int offset = x_start0 + lane;
    int x_start1 = remainder_0 * 256;
    int both = thread & 31;
    int lane_0 = both << 3;
    int index = x_offset + offset * x_stride0 + x_start1 + lane_0;
    u32x4 x_0 = *(const u32x4*)&x[index];
    f32x4 x_1 = unpack_f16(u32x2{x_0.x, x_0.y});
    f32x4 x_2 = unpack_f16(u32x2{x_0.z, x_0.w});
    u32x4 x_3 = *(const u32x4*)&x[index + x_stride0 * 4];
    f32x4 x_4 = unpack_f16(u32x2{x_3.x, x_3.y});
    f32x4 x_5 = unpack_f16(u32x2{x_3.z, x_3.w});
    // kernels/quant_view.go
    unsigned bits = unsigned(x_start0);
    int scales_start1 = remainder_0 * 2;
    int lane_1 = (thread >> 4) & 1;
    int index_0 = scales_offset + offset * scales_stride0 + scales_start1 + lane_1;
    bool in_bounds = bits < unsigned(scales_size0) && unsigned(scales_start1) < unsigned(scales_size1);
    float scales_0 = in_bounds ? scales[index_0] : 0.0f;
    float scales_1 = in_bounds ? scales[index_0 + scales_stride0 * 4] : 0.0f;
    // kernels/quant_view.go
    // kernels/quantize_kernel.go
    f32x4 nearest = rintf(x_1 / splat4(scales_0));
    f32x4 nearest_0 = rintf(x_2 / splat4(scales_0));
    f32x4 nearest_1 = rintf(x_4 / splat4(scales_1));
    f32x4 nearest_2 = rintf(x_5 / splat4(scales_1));
    // kernels/quantize_kernel.go
    i32x4 greatest = max(to_i32(fminf(fmaxf(nearest, splat4(-8.0f)), splat4(7.0f))), splat4(-128));
    i32x4 least = min(greatest, splat4(127));
    i32x4 greatest_0 = max(to_i32(fminf(fmaxf(nearest_0, splat4(-8.0f)), splat4(7.0f))), splat4(-128));
    i32x4 least_0 = min(greatest_0, splat4(127));
    i32x4 greatest_1 = max(to_i32(fminf(fmaxf(nearest_1, splat4(-8.0f)), splat4(7.0f))), splat4(-128));
    i32x4 least_1 = min(greatest_1, splat4(127));
    i32x4 greatest_2 = max(to_i32(fminf(fmaxf(nearest_2, splat4(-8.0f)), splat4(7.0f))), splat4(-128));
    i32x4 least_2 = min(greatest_2, splat4(127));
    // kernels/quant_view.go
    i32x4 offset_0 = i32x4{lane_0, lane_0 + 1, lane_0 + 2, lane_0 + 3} + splat4(x_start1);
    i32x4 offset_1 = i32x4{lane_0 + 4, lane_0 + 5, lane_0 + 6, lane_0 + 7} + splat4(x_start1);
    // kernels/quantize_kernel.go
    boolx4 less = offset_0 < splat4(x_size1);
    boolx4 less_0 = offset_1 < splat4(x_size1);
    // kernels/quantize_kernel.go
    i32x4 chosen_0 = select(less, least, splat4(0));
    i32x4 chosen_1 = select(less_0, least_0, splat4(0));
    i32x4 chosen_2 = select(less, least_1, splat4(0));
    i32x4 chosen_3 = select(less_0, least_2, splat4(0));
    u32x4 both_0 = to_u32(i32x4{chosen_0.x, chosen_0.z, chosen_1.x, chosen_1.z}) & splat4(15u);
    u32x4 both_1 = to_u32(i32x4{chosen_2.x, chosen_2.z, chosen_3.x, chosen_3.z}) & splat4(15u);
    u32x4 both_2 = to_u32(i32x4{chosen_0.y, chosen_0.w, chosen_1.y, chosen_1.w}) & splat4(15u);
    u32x4 both_3 = to_u32(i32x4{chosen_2.y, chosen_2.w, chosen_3.y, chosen_3.w}) & splat4(15u);
    u32x4 both_4 = (both_0 | (both_2 << splat4(4u))) & splat4(255u);
    u32x4 both_5 = (both_1 | (both_3 << splat4(4u))) & splat4(255u);
    // kernels/quantize_kernel.go
    int data_start1 = remainder_0 * 128;
    int lane_2 = both << 2;
    int index_1 = data_offset + offset * data_stride0 + data_start1 + lane_2;
    bool in_bounds_0 = bits < unsigned(data_size0) && unsigned(data_start1) < unsigned(data_size1);
    if (in_bounds_0) {
        *(u8x4*)&data[index_1] = to_u8(both_4);
        *(u8x4*)&data[index_1 + data_stride0 * 4] = to_u8(both_5);
    }
}
