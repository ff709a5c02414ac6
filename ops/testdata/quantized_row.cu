struct f16 { unsigned short bits; };
struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(16) i32x4 { int x, y, z, w; };
struct alignas(8) u32x2 { unsigned x, y; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}
__device__ inline i32x4 splat4(int a) {
    return {a, a, a, a};
}
__device__ inline u32x2 splat2(unsigned a) {
    return {a, a};
}
__device__ inline u32x4 unpack_u8(unsigned a) {
    return {a & 0xff, (a >> 8) & 0xff, (a >> 16) & 0xff, a >> 24};
}
__device__ inline i32x4 to_i32(u32x4 a) {
    return {int(a.x), int(a.y), int(a.z), int(a.w)};
}
__device__ inline i32x4 operator&(i32x4 a, i32x4 b) {
    return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w};
}
__device__ inline u32x4 to_u32(i32x4 a) {
    return {unsigned(a.x), unsigned(a.y), unsigned(a.z), unsigned(a.w)};
}
__device__ inline u32x4 operator&(u32x4 a, u32x4 b) {
    return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w};
}
__device__ inline i32x4 operator>>(i32x4 a, i32x4 b) {
    return {a.x >> b.x, a.y >> b.y, a.z >> b.z, a.w >> b.w};
}
__device__ inline u32x4 operator^(u32x4 a, u32x4 b) {
    return {a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w};
}
__device__ inline f32x4 as_f32(u32x4 a) {
    return {__uint_as_float(a.x), __uint_as_float(a.y), __uint_as_float(a.z), __uint_as_float(a.w)};
}
__device__ inline f32x4 operator-(f32x4 a, f32x4 b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
__device__ inline f32x4 operator*(f32x4 a, f32x4 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}
__device__ inline float to_f32(f16 a) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(a.bits));
    return x;
}
__device__ inline f32x4 unpack_f16(u32x2 a) {
    return {to_f32(f16{(unsigned short)a.x}), to_f32(f16{(unsigned short)(a.x >> 16)}), to_f32(f16{(unsigned short)a.y}), to_f32(f16{(unsigned short)(a.y >> 16)})};
}
__device__ inline f32x4 fmaf(f32x4 a, f32x4 b, f32x4 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
}
__device__ inline f32x4 operator+(f32x4 a, f32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline f16 to_f16(float a) {
    f16 x;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(a));
    return x;
}

extern "C" __global__ void __launch_bounds__(128) matmul(
    const f16* a,
    const unsigned char* data,
    const float* scales,
    f16* __restrict__ out,
    int a_offset,
    int a_size1,
    int data_offset,
    int data_size0,
    int data_stride1,
    int scales_offset,
    int scales_size0,
    int scales_size1,
    int scales_stride1,
    int out_offset,
    int out_size1) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/matmul_kernel.go
    int quotient = (out_size1 + 7) / 8;
    int remainder_0 = program % (quotient == 0 ? 1 : quotient);
    // kernels/quant_view.go
    int both = thread & 15;
    int lane = both << 3;
    unsigned bits = unsigned(data_size0);
    int data_start1 = remainder_0 * 8;
    int lane_0 = thread >> 4;
    int offset = data_start1 + lane_0;
    int offset_0 = offset * data_stride1;
    // kernels/quant_view.go
    int lane_1 = (thread >> 3) & 1;
    unsigned bits_0 = unsigned(scales_size0);
    int offset_1 = offset * scales_stride1;
    bool less = unsigned(data_start1) < unsigned(scales_size1);
    // kernels/matrix_block.go
    int lane_2 = both << 4;
    // kernels/matmul_kernel.go
    f32x4 carried = splat4(0.0f);
    f32x4 carried_0 = splat4(0.0f);
    f32x4 carried_1 = splat4(0.0f);
    f32x4 carried_2 = splat4(0.0f);
    int end = (a_size1 + 255) / 256;
    for (int i = 0; i < end; ++i) {
        // kernels/quant_view.go
        int data_start0 = i * 128;
        u32x2 data_0 = unsigned(data_start0) < bits ? *(const u32x2*)&data[data_offset + data_start0 + lane + offset_0] : splat2(0u);
        u32x4 data_1 = unpack_u8(data_0.x);
        u32x4 data_2 = unpack_u8(data_0.y);
        // kernels/quant_view.go
        i32x4 converted = to_i32(data_1);
        i32x4 converted_0 = to_i32(data_2);
        u32x4 both_0 = to_u32(converted & splat4(15)) & splat4(255u);
        u32x4 both_1 = to_u32(converted_0 & splat4(15)) & splat4(255u);
        u32x4 both_2 = to_u32((converted >> splat4(4)) & splat4(15)) & splat4(255u);
        u32x4 both_3 = to_u32((converted_0 >> splat4(4)) & splat4(15)) & splat4(255u);
        u32x4 lanes = u32x4{both_0.x, both_2.x, both_0.y, both_2.y};
        u32x4 lanes_0 = u32x4{both_0.z, both_2.z, both_0.w, both_2.w};
        u32x4 lanes_1 = u32x4{both_1.x, both_3.x, both_1.y, both_3.y};
        u32x4 lanes_2 = u32x4{both_1.z, both_3.z, both_1.w, both_3.w};
        // kernels/quant_view.go
        u32x4 changed = lanes ^ splat4(1258291208u);
        u32x4 changed_0 = lanes_0 ^ splat4(1258291208u);
        u32x4 changed_1 = lanes_1 ^ splat4(1258291208u);
        u32x4 changed_2 = lanes_2 ^ splat4(1258291208u);
        // kernels/quant_view.go
        f32x4 bits_1 = as_f32(changed);
        f32x4 bits_2 = as_f32(changed_0);
        f32x4 bits_3 = as_f32(changed_1);
        f32x4 bits_4 = as_f32(changed_2);
        // kernels/quant_view.go
        f32x4 difference = bits_1 - splat4(8.388616e+06f);
        f32x4 difference_0 = bits_2 - splat4(8.388616e+06f);
        f32x4 difference_1 = bits_3 - splat4(8.388616e+06f);
        f32x4 difference_2 = bits_4 - splat4(8.388616e+06f);
        // kernels/quant_view.go
        int scales_start0 = i * 2;
        float scales_0 = unsigned(scales_start0) < bits_0 && less ? scales[scales_offset + scales_start0 + lane_1 + offset_1] : 0.0f;
        // kernels/quant_view.go
        // kernels/quantized_matmul_kernel.go
        f32x4 product = difference * splat4(scales_0);
        f32x4 product_0 = difference_0 * splat4(scales_0);
        f32x4 product_1 = difference_1 * splat4(scales_0);
        f32x4 product_2 = difference_2 * splat4(scales_0);
        // kernels/matrix_block.go
        int a_start1 = i * 256;
        int index = a_offset + a_start1 + lane_2;
        u32x4 a_0 = *(const u32x4*)&a[index];
        f32x4 a_1 = unpack_f16(u32x2{a_0.x, a_0.y});
        f32x4 a_2 = unpack_f16(u32x2{a_0.z, a_0.w});
        u32x4 a_3 = *(const u32x4*)&a[index + 8];
        f32x4 a_4 = unpack_f16(u32x2{a_3.x, a_3.y});
        f32x4 a_5 = unpack_f16(u32x2{a_3.z, a_3.w});
        // kernels/matmul_kernel.go
        carried = fmaf(product, a_1, carried);
        carried_0 = fmaf(product_0, a_2, carried_0);
        carried_1 = fmaf(product_1, a_4, carried_1);
        carried_2 = fmaf(product_2, a_5, carried_2);
    }
    // kernels/matmul_kernel.go
    f32x4 sum = carried + carried_0 + carried_1 + carried_2;
    float sum_0 = sum.x + sum.z + (sum.y + sum.w);
    float other = __shfl_xor_sync(0xffffffffu, sum_0, 1);
    float sum_1 = sum_0 + other;
    float other_0 = __shfl_xor_sync(0xffffffffu, sum_1, 2);
    float sum_2 = sum_1 + other_0;
    float other_1 = __shfl_xor_sync(0xffffffffu, sum_2, 4);
    float sum_3 = sum_2 + other_1;
    float other_2 = __shfl_xor_sync(0xffffffffu, sum_3, 8);
    float sum_4 = sum_3 + other_2;
    // kernels/matrix_block.go
    if (both == 0) {
        out[out_offset + offset] = to_f16(sum_4);
    }
}
