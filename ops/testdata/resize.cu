struct alignas(8) i32x2 { int x, y; };
struct alignas(8) f32x2 { float x, y; };

__device__ inline i32x2 splat2(int a) {
    return {a, a};
}
__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}
__device__ inline i32x2 operator+(i32x2 a, i32x2 b) {
    return {wrap_add(a.x, b.x), wrap_add(a.y, b.y)};
}
__device__ inline i32x2 min(i32x2 a, i32x2 b) {
    return {min(a.x, b.x), min(a.y, b.y)};
}
__device__ inline int wrap_mul(int a, int b) {
    return int(unsigned(a) * unsigned(b));
}
__device__ inline int wrap_sub(int a, int b) {
    return int(unsigned(a) - unsigned(b));
}
__device__ inline f32x2 splat2(float a) {
    return {a, a};
}
__device__ inline f32x2 operator*(f32x2 a, f32x2 b) {
    return {a.x * b.x, a.y * b.y};
}
__device__ inline f32x2 fmaf(f32x2 a, f32x2 b, f32x2 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y)};
}

extern "C" __global__ void __launch_bounds__(128) resize(
    const float* x,
    float* __restrict__ out,
    int x_offset,
    int x_size0,
    int x_size1,
    int x_size2,
    int x_stride0,
    int x_stride1,
    int out_offset,
    int out_size1,
    int out_size2,
    int out_stride0,
    int out_stride1,
    int line1_mul,
    int line1_add,
    int line1,
    unsigned line1_factor,
    unsigned line1_shift,
    float reciprocal1,
    int line2_mul,
    int line2_add,
    int line2,
    unsigned line2_factor,
    unsigned line2_shift,
    float reciprocal2) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/resize_kernel.go
    int quotient = (out_size2 + 127) / 128;
    int chosen = quotient == 0 ? 1 : quotient;
    int remainder_0 = program % chosen;
    int quotient_0 = program / chosen;
    int chosen_0 = out_size1 == 0 ? 1 : out_size1;
    int out_start1 = quotient_0 % chosen_0;
    int quotient_1 = quotient_0 / chosen_0;
    // kernels/resize_kernel.go
    int out_start0 = quotient_1 * 2;
    i32x2 offset = i32x2{0, 1} + splat2(out_start0);
    // kernels/resize_kernel.go
    int offset_0 = x_size0 + -1;
    // kernels/resize_kernel.go
    i32x2 least = min(offset, splat2(offset_0));
    // kernels/resize_kernel.go
    int least_0 = min(out_start1, out_size1 + -1);
    // kernels/resize_kernel.go
    int offset_1 = x_size1 + -1;
    // kernels/resize_line.go
    int greatest = max(least_0 * line1_mul + line1_add, 0);
    // kernels/divisor.go
    unsigned converted = unsigned(greatest);
    // kernels/divisor.go
    unsigned shifted = (__umulhi(converted, line1_factor) + converted) >> (line1_shift & 31u);
    int converted_0 = int(shifted);
    // kernels/divisor.go
    int difference = wrap_sub(greatest, wrap_mul(converted_0, line1));
    // kernels/resize_kernel.go
    int chosen_1 = converted_0 < offset_1 ? difference : 0;
    // kernels/resize_kernel.go
    bool equal = chosen_1 == 0;
    // kernels/resize_kernel.go
    float product = float(chosen_1) * reciprocal1;
    // kernels/resize_kernel.go
    int difference_0 = wrap_sub(line1, chosen_1);
    // kernels/resize_kernel.go
    float product_0 = float(difference_0) * reciprocal1;
    // kernels/resize_kernel.go
    int least_1 = min(max(wrap_add(converted_0, equal ? 0 : 0), 0), offset_1);
    // kernels/resize_kernel.go
    float chosen_2 = equal ? 0.5f : product_0;
    // kernels/resize_kernel.go
    int least_2 = min(max(wrap_add(converted_0, equal ? 0 : 1), 0), offset_1);
    // kernels/resize_kernel.go
    float chosen_3 = equal ? 0.5f : product;
    // kernels/resize_kernel.go
    int out_start2 = remainder_0 * 128;
    int offset_2 = thread + out_start2;
    // kernels/resize_kernel.go
    int least_3 = min(offset_2, out_size2 + -1);
    // kernels/resize_kernel.go
    int offset_3 = x_size2 + -1;
    // kernels/resize_line.go
    int greatest_0 = max(least_3 * line2_mul + line2_add, 0);
    // kernels/divisor.go
    unsigned converted_1 = unsigned(greatest_0);
    // kernels/divisor.go
    unsigned shifted_0 = (__umulhi(converted_1, line2_factor) + converted_1) >> (line2_shift & 31u);
    int converted_2 = int(shifted_0);
    // kernels/divisor.go
    int difference_1 = wrap_sub(greatest_0, wrap_mul(converted_2, line2));
    // kernels/resize_kernel.go
    int chosen_4 = converted_2 < offset_3 ? difference_1 : 0;
    // kernels/resize_kernel.go
    bool equal_0 = chosen_4 == 0;
    // kernels/resize_kernel.go
    float product_1 = float(chosen_4) * reciprocal2;
    // kernels/resize_kernel.go
    int difference_2 = wrap_sub(line2, chosen_4);
    // kernels/resize_kernel.go
    float product_2 = float(difference_2) * reciprocal2;
    // kernels/resize_kernel.go
    int least_4 = min(max(wrap_add(converted_2, equal_0 ? 0 : 0), 0), offset_3);
    // kernels/resize_kernel.go
    float chosen_5 = equal_0 ? 0.5f : product_2;
    // kernels/resize_kernel.go
    int least_5 = min(max(wrap_add(converted_2, equal_0 ? 0 : 1), 0), offset_3);
    // kernels/resize_kernel.go
    float chosen_6 = equal_0 ? 0.5f : product_1;
    // kernels/resize_kernel.go
    int offset_4 = x_offset + least.x * x_stride0;
    int offset_5 = wrap_mul(least_1, x_stride1);
    int offset_6 = wrap_add(offset_4, offset_5);
    float x_0 = x[wrap_add(offset_6, least_4)];
    int offset_7 = x_offset + least.y * x_stride0;
    int offset_8 = wrap_add(offset_7, offset_5);
    float x_1 = x[wrap_add(offset_8, least_4)];
    f32x2 lanes = f32x2{x_0, x_1};
    // kernels/resize_kernel.go
    f32x2 product_3 = lanes * splat2(chosen_5);
    // kernels/resize_kernel.go
    float x_2 = x[wrap_add(offset_6, least_5)];
    float x_3 = x[wrap_add(offset_8, least_5)];
    f32x2 lanes_0 = f32x2{x_2, x_3};
    // kernels/resize_kernel.go
    f32x2 fused = fmaf(lanes_0, splat2(chosen_6), product_3);
    // kernels/resize_kernel.go
    f32x2 product_4 = fused * splat2(chosen_2);
    // kernels/resize_kernel.go
    int offset_9 = wrap_mul(least_2, x_stride1);
    int offset_10 = wrap_add(offset_4, offset_9);
    float x_4 = x[wrap_add(offset_10, least_4)];
    int offset_11 = wrap_add(offset_7, offset_9);
    float x_5 = x[wrap_add(offset_11, least_4)];
    f32x2 lanes_1 = f32x2{x_4, x_5};
    // kernels/resize_kernel.go
    f32x2 product_5 = lanes_1 * splat2(chosen_5);
    // kernels/resize_kernel.go
    float x_6 = x[wrap_add(offset_10, least_5)];
    float x_7 = x[wrap_add(offset_11, least_5)];
    f32x2 lanes_2 = f32x2{x_6, x_7};
    // kernels/resize_kernel.go
    f32x2 fused_0 = fmaf(fmaf(lanes_2, splat2(chosen_6), product_5), splat2(chosen_3), product_4);
    // kernels/resize_kernel.go
    int offset_12 = out_start2 + thread;
    int index = out_offset + out_start0 * out_stride0 + out_start1 * out_stride1 + offset_12;
    bool in_bounds = unsigned(offset_12) < unsigned(out_size2);
    if (in_bounds) {
        out[index] = fused_0.x;
        out[index + out_stride0] = fused_0.y;
    }
}
