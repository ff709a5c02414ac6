struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(16) i32x4 { int x, y, z, w; };

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
__device__ inline f32x4 fmaf(f32x4 a, f32x4 b, f32x4 c) {
    return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y), fmaf(a.z, b.z, c.z), fmaf(a.w, b.w, c.w)};
}

extern "C" __global__ void __launch_bounds__(128) conv2d_direct(
    const float* __restrict__ x,
    const float* __restrict__ weight,
    float* __restrict__ out,
    int x_offset,
    int x_size0,
    int x_size1,
    int x_size2,
    int x_size3,
    int x_size4,
    int x_stride0,
    int x_stride3,
    int x_stride4,
    int weight_offset,
    int weight_size0,
    int weight_size1,
    int weight_size2,
    int weight_size3,
    int weight_stride0,
    int out_offset,
    int out_size0,
    int out_size1,
    int out_size2,
    int out_size3,
    int out_size4,
    int out_stride0,
    int out_stride1,
    int out_stride2,
    int top,
    int left) {
    __shared__ alignas(16) float exchange[64]; // conv_kernel.go:173: elements change threads
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // conv_kernel.go:163
    int quotient = (out_size2 + 15) / 16;
    int quotient_0 = (out_size3 + 63) / 64;
    int chosen = out_size4 == 0 ? 1 : out_size4;
    int out_start4 = program % chosen;
    int quotient_1 = program / chosen;
    int chosen_0 = quotient_0 == 0 ? 1 : quotient_0;
    int remainder_0 = quotient_1 % chosen_0;
    int quotient_2 = quotient_1 / chosen_0;
    int chosen_1 = quotient == 0 ? 1 : quotient;
    int remainder_1 = quotient_2 % chosen_1;
    int quotient_3 = quotient_2 / chosen_1;
    int chosen_2 = out_size1 == 0 ? 1 : out_size1;
    int out_start1 = quotient_3 % chosen_2;
    int out_start0 = quotient_3 / chosen_2;
    // image_block.go:46
    int lane = (thread & 15) << 2;
    int out_start3 = remainder_0 * 64;
    i32x4 offset = i32x4{lane, lane + 1, lane + 2, lane + 3} + splat4(out_start3);
    int lane_0 = thread >> 4;
    int out_start2 = remainder_1 * 16;
    int offset_0 = lane_0 + out_start2;
    int offset_1 = lane_0 + 8 + out_start2;
    // conv_kernel.go:46
    int difference = out_start1 - top;
    int difference_0 = offset_0 - left;
    int difference_1 = offset_1 - left;
    // conv_kernel.go:171
    unsigned bits = unsigned(out_start0);
    int offset_2 = x_offset + out_start0 * x_stride0 + offset.x;
    bool both = bits < unsigned(x_size0) && unsigned(offset.x) < unsigned(x_size1);
    unsigned bits_0 = unsigned(x_size2);
    unsigned bits_1 = unsigned(x_size3);
    unsigned bits_2 = unsigned(x_size4);
    // conv_kernel.go:172
    int lane_1 = thread & 63;
    int offset_3 = lane_1 + out_start3;
    int index = weight_offset + offset_3 * weight_stride0;
    unsigned bits_3 = unsigned(out_start4);
    bool both_0 = unsigned(offset_3) < unsigned(weight_size0) && bits_3 < unsigned(weight_size1);
    unsigned bits_4 = unsigned(weight_size2);
    unsigned bits_5 = unsigned(weight_size3);
    // conv_kernel.go:173
    bool in_bounds = (thread & 64) == 0;
    // conv_kernel.go:171
    int offset_4 = offset_2 + difference * x_stride3;
    bool less = unsigned(difference) < bits_1;
    int index_0 = offset_4 + difference_0 * x_stride4;
    bool less_0 = unsigned(difference_0) < bits_2;
    int index_1 = offset_4 + difference_1 * x_stride4;
    bool less_1 = unsigned(difference_1) < bits_2;
    // conv_kernel.go:172
    bool both_1 = both_0 && unsigned(0) < bits_4;
    // conv_kernel.go:168
    f32x4 carried = splat4(0.0f);
    f32x4 carried_0 = splat4(0.0f);
    for (int i = 0; i < weight_size3; ++i) {
        // conv_kernel.go:171
        unsigned bits_6 = unsigned(i);
        bool both_2 = both && bits_6 < bits_0;
        // conv_kernel.go:172
        bool less_2 = bits_6 < bits_5;
        // conv_kernel.go:171
        bool both_3 = both_2 && less;
        f32x4 x_0 = both_3 && less_0 ? *(const f32x4*)&x[index_0] : splat4(0.0f);
        f32x4 x_1 = both_3 && less_1 ? *(const f32x4*)&x[index_1] : splat4(0.0f);
        // conv_kernel.go:172
        float weight_0 = both_1 && less_2 ? weight[index] : 0.0f;
        // conv_kernel.go:169
        f32x4 x_2 = x_0;
        f32x4 x_3 = x_1;
        float weight_1 = weight_0;
        for (int i_0 = 0; i_0 < 9; ++i_0) {
            // conv_kernel.go:173
            __syncthreads();
            if (in_bounds) {
                exchange[lane_1] = weight_1;
            }
            int offset_5 = i_0 + 1;
            bool more = offset_5 < 9;
            int next = more ? offset_5 : i_0;
            // conv_kernel.go:54
            int quotient_4 = next / 3;
            int difference_2 = next - quotient_4 * 3;
            // conv_kernel.go:61
            int offset_6 = difference + quotient_4;
            int offset_7 = difference_0 + difference_2;
            int offset_8 = difference_1 + difference_2;
            // conv_kernel.go:171
            int offset_9 = offset_2 + offset_6 * x_stride3;
            bool both_4 = both_2 && unsigned(offset_6) < bits_1;
            f32x4 x_4 = both_4 && unsigned(offset_7) < bits_2 ? *(const f32x4*)&x[offset_9 + offset_7 * x_stride4] : splat4(0.0f);
            f32x4 x_5 = both_4 && unsigned(offset_8) < bits_2 ? *(const f32x4*)&x[offset_9 + offset_8 * x_stride4] : splat4(0.0f);
            // conv_kernel.go:172
            float weight_2 = both_0 && unsigned(next) < bits_4 && less_2 ? weight[index + next] : 0.0f;
            // conv_kernel.go:173
            __syncthreads();
            f32x4 exchange_0 = *(const f32x4*)&exchange[lane];
            carried = fmaf(exchange_0, x_2, carried);
            carried_0 = fmaf(exchange_0, x_3, carried_0);
            x_2 = x_4;
            x_3 = x_5;
            weight_1 = weight_2;
        }
    }
    // conv_kernel.go:176
    int offset_10 = out_start2 + lane_0;
    int offset_11 = out_offset + out_start0 * out_stride0 + out_start1 * out_stride1 + offset_10 * out_stride2;
    int index_2 = offset_11 + out_start3 + lane;
    bool less_3 = bits_3 < unsigned(out_size4);
    bool both_5 = bits < unsigned(out_size0) && unsigned(out_start1) < unsigned(out_size1);
    unsigned bits_7 = unsigned(out_size2);
    if (both_5 && unsigned(offset_10) < bits_7 && less_3) {
        *(f32x4*)&out[index_2] = carried;
    }
    if (both_5 && unsigned(offset_10 + 8) < bits_7 && less_3) {
        *(f32x4*)&out[index_2 + out_stride2 * 8] = carried_0;
    }
}
