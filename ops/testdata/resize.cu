struct alignas(8) f32x2 { float x, y; };
struct alignas(8) i32x2 { int x, y; };
struct alignas(8) u32x2 { unsigned x, y; };
struct alignas(2) boolx2 { bool x, y; };

__device__ inline f32x2 splat2(float a) {
    return {a, a};
}
__device__ inline i32x2 splat2(int a) {
    return {a, a};
}
__device__ inline u32x2 splat2(unsigned a) {
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
__device__ inline i32x2 operator*(i32x2 a, i32x2 b) {
    return {wrap_mul(a.x, b.x), wrap_mul(a.y, b.y)};
}
__device__ inline i32x2 max(i32x2 a, i32x2 b) {
    return {max(a.x, b.x), max(a.y, b.y)};
}
__device__ inline u32x2 to_u32(i32x2 a) {
    return {unsigned(a.x), unsigned(a.y)};
}
__device__ inline u32x2 __umulhi(u32x2 a, u32x2 b) {
    return {__umulhi(a.x, b.x), __umulhi(a.y, b.y)};
}
__device__ inline u32x2 operator+(u32x2 a, u32x2 b) {
    return {a.x + b.x, a.y + b.y};
}
__device__ inline u32x2 operator&(u32x2 a, u32x2 b) {
    return {a.x & b.x, a.y & b.y};
}
__device__ inline u32x2 operator>>(u32x2 a, u32x2 b) {
    return {a.x >> b.x, a.y >> b.y};
}
__device__ inline i32x2 to_i32(u32x2 a) {
    return {int(a.x), int(a.y)};
}
__device__ inline int wrap_sub(int a, int b) {
    return int(unsigned(a) - unsigned(b));
}
__device__ inline i32x2 operator-(i32x2 a, i32x2 b) {
    return {wrap_sub(a.x, b.x), wrap_sub(a.y, b.y)};
}
__device__ inline boolx2 operator<(i32x2 a, i32x2 b) {
    return {a.x < b.x, a.y < b.y};
}
__device__ inline i32x2 select(boolx2 a, i32x2 b, i32x2 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y};
}
__device__ inline boolx2 operator==(i32x2 a, i32x2 b) {
    return {a.x == b.x, a.y == b.y};
}
__device__ inline f32x2 to_f32(i32x2 a) {
    return {float(a.x), float(a.y)};
}
__device__ inline f32x2 operator*(f32x2 a, f32x2 b) {
    return {a.x * b.x, a.y * b.y};
}
__device__ inline f32x2 select(boolx2 a, f32x2 b, f32x2 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y};
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
    int quotient = (out_size1 + 1) / 2;
    int quotient_0 = (out_size2 + 127) / 128;
    int chosen = quotient_0 == 0 ? 1 : quotient_0;
    int remainder_0 = program % chosen;
    int quotient_1 = program / chosen;
    int chosen_0 = quotient == 0 ? 1 : quotient;
    int remainder_1 = quotient_1 % chosen_0;
    int out_start0 = quotient_1 / chosen_0;
    // kernels/resize_kernel.go
    int out_start1 = remainder_1 * 2;
    i32x2 offset = i32x2{0, 1} + splat2(out_start1);
    // kernels/resize_kernel.go
    i32x2 least = min(offset, splat2(out_size1 + -1));
    // kernels/resize_kernel.go
    int offset_0 = x_size1 + -1;
    // kernels/resize_line.go
    i32x2 greatest = max(least * splat2(line1_mul) + splat2(line1_add), splat2(0));
    // kernels/divisor.go
    u32x2 converted = to_u32(greatest);
    // kernels/divisor.go
    u32x2 shifted = (__umulhi(converted, splat2(line1_factor)) + converted) >> (splat2(line1_shift) & splat2(31u));
    i32x2 converted_0 = to_i32(shifted);
    // kernels/divisor.go
    i32x2 difference = greatest - converted_0 * splat2(line1);
    // kernels/resize_kernel.go
    i32x2 chosen_1 = select((converted_0 < splat2(offset_0)), difference, splat2(0));
    // kernels/resize_kernel.go
    boolx2 equal = chosen_1 == splat2(0);
    // kernels/resize_kernel.go
    i32x2 least_0 = min(converted_0, splat2(offset_0));
    i32x2 chosen_2 = select(equal, splat2(x_size1), converted_0 + splat2(1));
    // kernels/resize_kernel.go
    f32x2 product = to_f32(chosen_1) * splat2(reciprocal1);
    // kernels/resize_kernel.go
    f32x2 chosen_3 = select(equal, splat2(1.0f), to_f32(splat2(line1) - chosen_1) * splat2(reciprocal1));
    // kernels/resize_kernel.go
    int out_start2 = remainder_0 * 128;
    int offset_1 = thread + out_start2;
    // kernels/resize_kernel.go
    int least_1 = min(offset_1, out_size2 + -1);
    // kernels/resize_kernel.go
    int offset_2 = x_size2 + -1;
    // kernels/resize_line.go
    int greatest_0 = max(least_1 * line2_mul + line2_add, 0);
    // kernels/divisor.go
    unsigned converted_1 = unsigned(greatest_0);
    // kernels/divisor.go
    unsigned shifted_0 = (__umulhi(converted_1, line2_factor) + converted_1) >> (line2_shift & 31u);
    int converted_2 = int(shifted_0);
    // kernels/divisor.go
    int difference_0 = wrap_sub(greatest_0, wrap_mul(converted_2, line2));
    // kernels/resize_kernel.go
    int chosen_4 = converted_2 < offset_2 ? difference_0 : 0;
    // kernels/resize_kernel.go
    bool equal_0 = chosen_4 == 0;
    // kernels/resize_kernel.go
    int least_2 = min(converted_2, offset_2);
    int chosen_5 = equal_0 ? x_size2 : wrap_add(converted_2, 1);
    // kernels/resize_kernel.go
    float product_0 = float(chosen_4) * reciprocal2;
    // kernels/resize_kernel.go
    float chosen_6 = equal_0 ? 1.0f : float(wrap_sub(line2, chosen_4)) * reciprocal2;
    // kernels/resize_kernel.go
    int offset_3 = x_offset + out_start0 * x_stride0;
    bool less = unsigned(out_start0) < unsigned(x_size0);
    int offset_4 = wrap_add(offset_3, wrap_mul(least_0.x, x_stride1));
    unsigned bits = unsigned(x_size1);
    bool both = less && unsigned(least_0.x) < bits;
    unsigned bits_0 = unsigned(x_size2);
    bool less_0 = unsigned(least_2) < bits_0;
    float x_0 = both && less_0 ? x[wrap_add(offset_4, least_2)] : 0.0f;
    int offset_5 = wrap_add(offset_3, wrap_mul(least_0.y, x_stride1));
    bool both_0 = less && unsigned(least_0.y) < bits;
    float x_1 = both_0 && less_0 ? x[wrap_add(offset_5, least_2)] : 0.0f;
    f32x2 lanes = f32x2{x_0, x_1};
    // kernels/resize_kernel.go
    f32x2 product_1 = lanes * splat2(chosen_6);
    // kernels/resize_kernel.go
    bool less_1 = unsigned(chosen_5) < bits_0;
    float x_2 = both && less_1 ? x[wrap_add(offset_4, chosen_5)] : 0.0f;
    float x_3 = both_0 && less_1 ? x[wrap_add(offset_5, chosen_5)] : 0.0f;
    f32x2 lanes_0 = f32x2{x_2, x_3};
    // kernels/resize_kernel.go
    f32x2 fused = fmaf(lanes_0, splat2(product_0), product_1);
    // kernels/resize_kernel.go
    f32x2 product_2 = fused * chosen_3;
    // kernels/resize_kernel.go
    int offset_6 = wrap_add(offset_3, wrap_mul(chosen_2.x, x_stride1));
    bool both_1 = less && unsigned(chosen_2.x) < bits;
    float x_4 = both_1 && less_0 ? x[wrap_add(offset_6, least_2)] : 0.0f;
    int offset_7 = wrap_add(offset_3, wrap_mul(chosen_2.y, x_stride1));
    bool both_2 = less && unsigned(chosen_2.y) < bits;
    float x_5 = both_2 && less_0 ? x[wrap_add(offset_7, least_2)] : 0.0f;
    f32x2 lanes_1 = f32x2{x_4, x_5};
    // kernels/resize_kernel.go
    f32x2 product_3 = lanes_1 * splat2(chosen_6);
    // kernels/resize_kernel.go
    float x_6 = both_1 && less_1 ? x[wrap_add(offset_6, chosen_5)] : 0.0f;
    float x_7 = both_2 && less_1 ? x[wrap_add(offset_7, chosen_5)] : 0.0f;
    f32x2 lanes_2 = f32x2{x_6, x_7};
    // kernels/resize_kernel.go
    f32x2 fused_0 = fmaf(fmaf(lanes_2, splat2(product_0), product_3), product, product_2);
    // kernels/resize_kernel.go
    int offset_8 = out_start2 + thread;
    int index = out_offset + out_start0 * out_stride0 + out_start1 * out_stride1 + offset_8;
    bool in_bounds = unsigned(offset_8) < unsigned(out_size2);
    if (in_bounds) {
        out[index] = fused_0.x;
        out[index + out_stride1] = fused_0.y;
    }
}
