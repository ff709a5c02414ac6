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
__device__ inline f32x4 operator+(f32x4 a, f32x4 b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline f32x4 fmaxf(f32x4 a, f32x4 b) {
    return {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w)};
}

extern "C" __global__ void __launch_bounds__(128) conv2d_implicit(
    const float* __restrict__ x,
    const float* __restrict__ weight,
    const float* __restrict__ bias,
    float* __restrict__ out,
    int x_offset,
    int x_size0,
    int x_size1,
    int x_size2,
    int x_size3,
    int x_size4,
    int x_stride0,
    int x_stride2,
    int x_stride3,
    int weight_offset,
    int weight_size0,
    int weight_size1,
    int weight_size2,
    int weight_size3,
    int weight_stride2,
    int weight_stride3,
    int bias_offset,
    int bias_size0,
    int bias_size1,
    int out_offset,
    int out_size0,
    int out_size1,
    int out_size2,
    int out_size3,
    int out_size4,
    int out_stride0,
    int out_stride2,
    int out_stride3,
    int top,
    int left) {
    __shared__ alignas(16) float tile_a[1024]; // kernels/conv_kernel.go: operand a of the product
    __shared__ alignas(16) float tile_b[2048]; // kernels/conv_kernel.go: operand b of the product
    __shared__ alignas(16) float exchange[8192]; // kernels/conv_kernel.go: elements change threads
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/conv_kernel.go
    int quotient = (out_size2 + 63) / 64;
    // kernels/conv_kernel.go
    int offset = quotient * out_size1;
    int chosen = offset == 0 ? 1 : offset;
    int remainder_0 = program % chosen;
    int quotient_0 = program / chosen;
    // kernels/conv_kernel.go
    int chosen_0 = quotient == 0 ? 1 : quotient;
    int weight_start0 = remainder_0 / chosen_0;
    int remainder_1 = remainder_0 % chosen_0;
    // kernels/conv_kernel.go
    int offset_0 = out_size3 * out_size4;
    // kernels/conv_kernel.go
    int offset_1 = thread + quotient_0 * 128;
    // kernels/conv_kernel.go
    int chosen_1 = offset_0 == 0 ? 1 : offset_0;
    int remainder_2 = offset_1 % chosen_1;
    // kernels/conv_kernel.go
    int quotient_1 = offset_1 / chosen_1;
    int chosen_2 = out_size4 == 0 ? 1 : out_size4;
    int quotient_2 = remainder_2 / chosen_2;
    int remainder_3 = remainder_2 % chosen_2;
    // kernels/conv_kernel.go
    int difference = quotient_2 - top;
    int difference_0 = remainder_3 - left;
    // kernels/conv_kernel.go
    i32x4 lanes = i32x4{0, 1, 2, 3};
    i32x4 lanes_0 = i32x4{4, 5, 6, 7};
    i32x4 lanes_1 = i32x4{8, 9, 10, 11};
    i32x4 lanes_2 = i32x4{12, 13, 14, 15};
    // kernels/conv_kernel.go
    int offset_2 = x_offset + quotient_1 * x_stride0;
    unsigned bits = unsigned(quotient_1);
    unsigned bits_0 = unsigned(weight_start0);
    bool both = bits < unsigned(x_size0) && bits_0 < unsigned(x_size1);
    unsigned bits_1 = unsigned(x_size2);
    unsigned bits_2 = unsigned(x_size3);
    unsigned bits_3 = unsigned(x_size4);
    // kernels/conv_kernel.go
    int weight_start1 = remainder_1 * 64;
    int lane = (thread & 15) << 2;
    int offset_3 = weight_offset + weight_start1 + lane;
    unsigned bits_4 = unsigned(weight_size2);
    int lane_0 = thread >> 4;
    unsigned bits_5 = unsigned(weight_size3);
    bool both_0 = bits_0 < unsigned(weight_size0) && unsigned(weight_start1) < unsigned(weight_size1);
    int offset_4 = weight_stride3 * 8;
    // kernels/conv_kernel.go
    int index = lane_0 * 64 + lane;
    int index_0 = index + 512;
    int index_1 = thread + 128;
    int index_2 = thread + 256;
    int index_3 = thread + 384;
    int index_4 = thread + 512;
    int index_5 = thread + 640;
    int index_6 = thread + 768;
    int index_7 = thread + 896;
    int index_8 = thread + 1024;
    int index_9 = thread + 1152;
    int index_10 = thread + 1280;
    int index_11 = thread + 1408;
    int index_12 = thread + 1536;
    int index_13 = thread + 1664;
    int index_14 = thread + 1792;
    int index_15 = thread + 1920;
    int both_1 = thread & 8;
    int lane_1 = ((thread & 2) << 1) + both_1 + ((thread >> 2) & 16);
    int both_2 = thread & 48;
    int offset_5 = ((thread & 1) << 2) + ((thread & 4) << 1) + both_2;
    // kernels/conv_kernel.go
    i32x4 offset_6 = lanes + splat4(0);
    i32x4 offset_7 = lanes_0 + splat4(0);
    i32x4 offset_8 = lanes_1 + splat4(0);
    i32x4 offset_9 = lanes_2 + splat4(0);
    // kernels/conv_kernel.go
    int offset_10 = difference * x_stride3;
    bool less = unsigned(difference) < bits_2;
    bool less_0 = unsigned(difference_0) < bits_3;
    float x_0 = both && unsigned(offset_6.x) < bits_1 && less && less_0 ? x[offset_2 + offset_6.x * x_stride2 + offset_10 + difference_0] : 0.0f;
    float x_1 = both && unsigned(offset_6.y) < bits_1 && less && less_0 ? x[offset_2 + offset_6.y * x_stride2 + offset_10 + difference_0] : 0.0f;
    float x_2 = both && unsigned(offset_6.z) < bits_1 && less && less_0 ? x[offset_2 + offset_6.z * x_stride2 + offset_10 + difference_0] : 0.0f;
    float x_3 = both && unsigned(offset_6.w) < bits_1 && less && less_0 ? x[offset_2 + offset_6.w * x_stride2 + offset_10 + difference_0] : 0.0f;
    float x_4 = both && unsigned(offset_7.x) < bits_1 && less && less_0 ? x[offset_2 + offset_7.x * x_stride2 + offset_10 + difference_0] : 0.0f;
    float x_5 = both && unsigned(offset_7.y) < bits_1 && less && less_0 ? x[offset_2 + offset_7.y * x_stride2 + offset_10 + difference_0] : 0.0f;
    float x_6 = both && unsigned(offset_7.z) < bits_1 && less && less_0 ? x[offset_2 + offset_7.z * x_stride2 + offset_10 + difference_0] : 0.0f;
    float x_7 = both && unsigned(offset_7.w) < bits_1 && less && less_0 ? x[offset_2 + offset_7.w * x_stride2 + offset_10 + difference_0] : 0.0f;
    float x_8 = both && unsigned(offset_8.x) < bits_1 && less && less_0 ? x[offset_2 + offset_8.x * x_stride2 + offset_10 + difference_0] : 0.0f;
    float x_9 = both && unsigned(offset_8.y) < bits_1 && less && less_0 ? x[offset_2 + offset_8.y * x_stride2 + offset_10 + difference_0] : 0.0f;
    float x_10 = both && unsigned(offset_8.z) < bits_1 && less && less_0 ? x[offset_2 + offset_8.z * x_stride2 + offset_10 + difference_0] : 0.0f;
    float x_11 = both && unsigned(offset_8.w) < bits_1 && less && less_0 ? x[offset_2 + offset_8.w * x_stride2 + offset_10 + difference_0] : 0.0f;
    float x_12 = both && unsigned(offset_9.x) < bits_1 && less && less_0 ? x[offset_2 + offset_9.x * x_stride2 + offset_10 + difference_0] : 0.0f;
    float x_13 = both && unsigned(offset_9.y) < bits_1 && less && less_0 ? x[offset_2 + offset_9.y * x_stride2 + offset_10 + difference_0] : 0.0f;
    float x_14 = both && unsigned(offset_9.z) < bits_1 && less && less_0 ? x[offset_2 + offset_9.z * x_stride2 + offset_10 + difference_0] : 0.0f;
    float x_15 = both && unsigned(offset_9.w) < bits_1 && less && less_0 ? x[offset_2 + offset_9.w * x_stride2 + offset_10 + difference_0] : 0.0f;
    // kernels/conv_kernel.go
    unsigned bits_6 = unsigned(0);
    int index_16 = offset_3 + lane_0 * weight_stride3;
    bool in_bounds = both_0 && bits_6 < bits_4 && bits_6 < bits_5;
    f32x4 weight_0 = in_bounds ? *(const f32x4*)&weight[index_16] : splat4(0.0f);
    f32x4 weight_1 = in_bounds ? *(const f32x4*)&weight[index_16 + offset_4] : splat4(0.0f);
    // kernels/conv_kernel.go
    f32x4 acc = splat4(0.0f);
    f32x4 acc_0 = splat4(0.0f);
    f32x4 acc_1 = splat4(0.0f);
    f32x4 acc_2 = splat4(0.0f);
    f32x4 acc_3 = splat4(0.0f);
    f32x4 acc_4 = splat4(0.0f);
    f32x4 acc_5 = splat4(0.0f);
    f32x4 acc_6 = splat4(0.0f);
    f32x4 acc_7 = splat4(0.0f);
    f32x4 acc_8 = splat4(0.0f);
    f32x4 acc_9 = splat4(0.0f);
    f32x4 acc_10 = splat4(0.0f);
    f32x4 acc_11 = splat4(0.0f);
    f32x4 acc_12 = splat4(0.0f);
    f32x4 acc_13 = splat4(0.0f);
    f32x4 acc_14 = splat4(0.0f);
    float x_16 = x_0;
    float x_17 = x_1;
    float x_18 = x_2;
    float x_19 = x_3;
    float x_20 = x_4;
    float x_21 = x_5;
    float x_22 = x_6;
    float x_23 = x_7;
    float x_24 = x_8;
    float x_25 = x_9;
    float x_26 = x_10;
    float x_27 = x_11;
    float x_28 = x_12;
    float x_29 = x_13;
    float x_30 = x_14;
    float x_31 = x_15;
    f32x4 weight_2 = weight_0;
    f32x4 weight_3 = weight_1;
    for (int i = 0; i < 36; ++i) {
        // kernels/conv_kernel.go
        __syncthreads();
        *(f32x4*)&tile_a[index] = weight_2;
        *(f32x4*)&tile_a[index_0] = weight_3;
        tile_b[thread] = x_16;
        tile_b[index_1] = x_17;
        tile_b[index_2] = x_18;
        tile_b[index_3] = x_19;
        tile_b[index_4] = x_20;
        tile_b[index_5] = x_21;
        tile_b[index_6] = x_22;
        tile_b[index_7] = x_23;
        tile_b[index_8] = x_24;
        tile_b[index_9] = x_25;
        tile_b[index_10] = x_26;
        tile_b[index_11] = x_27;
        tile_b[index_12] = x_28;
        tile_b[index_13] = x_29;
        tile_b[index_14] = x_30;
        tile_b[index_15] = x_31;
        int offset_11 = i + 1;
        bool more = offset_11 < 36;
        int next = more ? offset_11 : i;
        // kernels/conv_kernel.go
        int weight_start2 = next / 4;
        int difference_1 = next - weight_start2 * 4;
        // kernels/conv_kernel.go
        int weight_start3 = difference_1 * 16;
        i32x4 offset_12 = lanes + splat4(weight_start3);
        i32x4 offset_13 = lanes_0 + splat4(weight_start3);
        i32x4 offset_14 = lanes_1 + splat4(weight_start3);
        i32x4 offset_15 = lanes_2 + splat4(weight_start3);
        // kernels/conv_kernel.go
        int quotient_3 = weight_start2 / 3;
        int difference_2 = weight_start2 - quotient_3 * 3;
        // kernels/conv_kernel.go
        int offset_16 = difference + quotient_3;
        int offset_17 = difference_0 + difference_2;
        // kernels/conv_kernel.go
        int offset_18 = offset_16 * x_stride3;
        bool less_1 = unsigned(offset_16) < bits_2;
        bool less_2 = unsigned(offset_17) < bits_3;
        float x_32 = both && unsigned(offset_12.x) < bits_1 && less_1 && less_2 ? x[offset_2 + offset_12.x * x_stride2 + offset_18 + offset_17] : 0.0f;
        float x_33 = both && unsigned(offset_12.y) < bits_1 && less_1 && less_2 ? x[offset_2 + offset_12.y * x_stride2 + offset_18 + offset_17] : 0.0f;
        float x_34 = both && unsigned(offset_12.z) < bits_1 && less_1 && less_2 ? x[offset_2 + offset_12.z * x_stride2 + offset_18 + offset_17] : 0.0f;
        float x_35 = both && unsigned(offset_12.w) < bits_1 && less_1 && less_2 ? x[offset_2 + offset_12.w * x_stride2 + offset_18 + offset_17] : 0.0f;
        float x_36 = both && unsigned(offset_13.x) < bits_1 && less_1 && less_2 ? x[offset_2 + offset_13.x * x_stride2 + offset_18 + offset_17] : 0.0f;
        float x_37 = both && unsigned(offset_13.y) < bits_1 && less_1 && less_2 ? x[offset_2 + offset_13.y * x_stride2 + offset_18 + offset_17] : 0.0f;
        float x_38 = both && unsigned(offset_13.z) < bits_1 && less_1 && less_2 ? x[offset_2 + offset_13.z * x_stride2 + offset_18 + offset_17] : 0.0f;
        float x_39 = both && unsigned(offset_13.w) < bits_1 && less_1 && less_2 ? x[offset_2 + offset_13.w * x_stride2 + offset_18 + offset_17] : 0.0f;
        float x_40 = both && unsigned(offset_14.x) < bits_1 && less_1 && less_2 ? x[offset_2 + offset_14.x * x_stride2 + offset_18 + offset_17] : 0.0f;
        float x_41 = both && unsigned(offset_14.y) < bits_1 && less_1 && less_2 ? x[offset_2 + offset_14.y * x_stride2 + offset_18 + offset_17] : 0.0f;
        float x_42 = both && unsigned(offset_14.z) < bits_1 && less_1 && less_2 ? x[offset_2 + offset_14.z * x_stride2 + offset_18 + offset_17] : 0.0f;
        float x_43 = both && unsigned(offset_14.w) < bits_1 && less_1 && less_2 ? x[offset_2 + offset_14.w * x_stride2 + offset_18 + offset_17] : 0.0f;
        float x_44 = both && unsigned(offset_15.x) < bits_1 && less_1 && less_2 ? x[offset_2 + offset_15.x * x_stride2 + offset_18 + offset_17] : 0.0f;
        float x_45 = both && unsigned(offset_15.y) < bits_1 && less_1 && less_2 ? x[offset_2 + offset_15.y * x_stride2 + offset_18 + offset_17] : 0.0f;
        float x_46 = both && unsigned(offset_15.z) < bits_1 && less_1 && less_2 ? x[offset_2 + offset_15.z * x_stride2 + offset_18 + offset_17] : 0.0f;
        float x_47 = both && unsigned(offset_15.w) < bits_1 && less_1 && less_2 ? x[offset_2 + offset_15.w * x_stride2 + offset_18 + offset_17] : 0.0f;
        // kernels/conv_kernel.go
        int index_17 = offset_3 + weight_start2 * weight_stride2 + (weight_start3 + lane_0) * weight_stride3;
        bool in_bounds_0 = both_0 && unsigned(weight_start2) < bits_4 && unsigned(weight_start3) < bits_5;
        f32x4 weight_4 = in_bounds_0 ? *(const f32x4*)&weight[index_17] : splat4(0.0f);
        f32x4 weight_5 = in_bounds_0 ? *(const f32x4*)&weight[index_17 + offset_4] : splat4(0.0f);
        // kernels/conv_kernel.go
        __syncthreads();
        float acc_15 = acc.x;
        float acc_16 = acc.y;
        float acc_17 = acc.z;
        float acc_18 = acc.w;
        float acc_19 = acc_3.x;
        float acc_20 = acc_3.y;
        float acc_21 = acc_3.z;
        float acc_22 = acc_3.w;
        float acc_23 = acc_4.w;
        float acc_24 = acc_4.z;
        float acc_25 = acc_4.y;
        float acc_26 = acc_4.x;
        float acc_27 = acc_0.w;
        float acc_28 = acc_0.z;
        float acc_29 = acc_0.y;
        float acc_30 = acc_0.x;
        float acc_31 = acc_1.x;
        float acc_32 = acc_1.y;
        float acc_33 = acc_1.z;
        float acc_34 = acc_1.w;
        float acc_35 = acc_5.x;
        float acc_36 = acc_5.y;
        float acc_37 = acc_5.z;
        float acc_38 = acc_5.w;
        float acc_39 = acc_6.w;
        float acc_40 = acc_6.z;
        float acc_41 = acc_6.y;
        float acc_42 = acc_6.x;
        float acc_43 = acc_2.w;
        float acc_44 = acc_2.z;
        float acc_45 = acc_2.y;
        float acc_46 = acc_2.x;
        float acc_47 = acc_7.x;
        float acc_48 = acc_7.y;
        float acc_49 = acc_7.z;
        float acc_50 = acc_7.w;
        float acc_51 = acc_11.x;
        float acc_52 = acc_11.y;
        float acc_53 = acc_11.z;
        float acc_54 = acc_11.w;
        float acc_55 = acc_12.w;
        float acc_56 = acc_12.z;
        float acc_57 = acc_12.y;
        float acc_58 = acc_12.x;
        float acc_59 = acc_8.w;
        float acc_60 = acc_8.z;
        float acc_61 = acc_8.y;
        float acc_62 = acc_8.x;
        float acc_63 = acc_9.x;
        float acc_64 = acc_9.y;
        float acc_65 = acc_9.z;
        float acc_66 = acc_9.w;
        float acc_67 = acc_13.x;
        float acc_68 = acc_13.y;
        float acc_69 = acc_13.z;
        float acc_70 = acc_13.w;
        float acc_71 = acc_14.w;
        float acc_72 = acc_14.z;
        float acc_73 = acc_14.y;
        float acc_74 = acc_14.x;
        float acc_75 = acc_10.w;
        float acc_76 = acc_10.z;
        float acc_77 = acc_10.y;
        float acc_78 = acc_10.x;
        #pragma unroll
        for (int i_0 = 0; i_0 < 16; ++i_0) {
            int index_18 = i_0 * 64 + lane_1;
            f32x4 tile_a_0 = *(const f32x4*)&tile_a[index_18];
            f32x4 tile_a_1 = *(const f32x4*)&tile_a[index_18 + 32];
            int index_19 = i_0 * 128 + offset_5;
            f32x4 tile_b_0 = *(const f32x4*)&tile_b[index_19];
            f32x4 tile_b_1 = *(const f32x4*)&tile_b[index_19 + 64];
            acc_15 = fmaf(tile_a_0.x, tile_b_0.x, acc_15);
            acc_16 = fmaf(tile_a_0.x, tile_b_0.y, acc_16);
            acc_17 = fmaf(tile_a_0.x, tile_b_0.z, acc_17);
            acc_18 = fmaf(tile_a_0.x, tile_b_0.w, acc_18);
            acc_19 = fmaf(tile_a_0.x, tile_b_1.x, acc_19);
            acc_20 = fmaf(tile_a_0.x, tile_b_1.y, acc_20);
            acc_21 = fmaf(tile_a_0.x, tile_b_1.z, acc_21);
            acc_22 = fmaf(tile_a_0.x, tile_b_1.w, acc_22);
            acc_23 = fmaf(tile_a_0.y, tile_b_1.w, acc_23);
            acc_24 = fmaf(tile_a_0.y, tile_b_1.z, acc_24);
            acc_25 = fmaf(tile_a_0.y, tile_b_1.y, acc_25);
            acc_26 = fmaf(tile_a_0.y, tile_b_1.x, acc_26);
            acc_27 = fmaf(tile_a_0.y, tile_b_0.w, acc_27);
            acc_28 = fmaf(tile_a_0.y, tile_b_0.z, acc_28);
            acc_29 = fmaf(tile_a_0.y, tile_b_0.y, acc_29);
            acc_30 = fmaf(tile_a_0.y, tile_b_0.x, acc_30);
            acc_31 = fmaf(tile_a_0.z, tile_b_0.x, acc_31);
            acc_32 = fmaf(tile_a_0.z, tile_b_0.y, acc_32);
            acc_33 = fmaf(tile_a_0.z, tile_b_0.z, acc_33);
            acc_34 = fmaf(tile_a_0.z, tile_b_0.w, acc_34);
            acc_35 = fmaf(tile_a_0.z, tile_b_1.x, acc_35);
            acc_36 = fmaf(tile_a_0.z, tile_b_1.y, acc_36);
            acc_37 = fmaf(tile_a_0.z, tile_b_1.z, acc_37);
            acc_38 = fmaf(tile_a_0.z, tile_b_1.w, acc_38);
            acc_39 = fmaf(tile_a_0.w, tile_b_1.w, acc_39);
            acc_40 = fmaf(tile_a_0.w, tile_b_1.z, acc_40);
            acc_41 = fmaf(tile_a_0.w, tile_b_1.y, acc_41);
            acc_42 = fmaf(tile_a_0.w, tile_b_1.x, acc_42);
            acc_43 = fmaf(tile_a_0.w, tile_b_0.w, acc_43);
            acc_44 = fmaf(tile_a_0.w, tile_b_0.z, acc_44);
            acc_45 = fmaf(tile_a_0.w, tile_b_0.y, acc_45);
            acc_46 = fmaf(tile_a_0.w, tile_b_0.x, acc_46);
            acc_47 = fmaf(tile_a_1.x, tile_b_0.x, acc_47);
            acc_48 = fmaf(tile_a_1.x, tile_b_0.y, acc_48);
            acc_49 = fmaf(tile_a_1.x, tile_b_0.z, acc_49);
            acc_50 = fmaf(tile_a_1.x, tile_b_0.w, acc_50);
            acc_51 = fmaf(tile_a_1.x, tile_b_1.x, acc_51);
            acc_52 = fmaf(tile_a_1.x, tile_b_1.y, acc_52);
            acc_53 = fmaf(tile_a_1.x, tile_b_1.z, acc_53);
            acc_54 = fmaf(tile_a_1.x, tile_b_1.w, acc_54);
            acc_55 = fmaf(tile_a_1.y, tile_b_1.w, acc_55);
            acc_56 = fmaf(tile_a_1.y, tile_b_1.z, acc_56);
            acc_57 = fmaf(tile_a_1.y, tile_b_1.y, acc_57);
            acc_58 = fmaf(tile_a_1.y, tile_b_1.x, acc_58);
            acc_59 = fmaf(tile_a_1.y, tile_b_0.w, acc_59);
            acc_60 = fmaf(tile_a_1.y, tile_b_0.z, acc_60);
            acc_61 = fmaf(tile_a_1.y, tile_b_0.y, acc_61);
            acc_62 = fmaf(tile_a_1.y, tile_b_0.x, acc_62);
            acc_63 = fmaf(tile_a_1.z, tile_b_0.x, acc_63);
            acc_64 = fmaf(tile_a_1.z, tile_b_0.y, acc_64);
            acc_65 = fmaf(tile_a_1.z, tile_b_0.z, acc_65);
            acc_66 = fmaf(tile_a_1.z, tile_b_0.w, acc_66);
            acc_67 = fmaf(tile_a_1.z, tile_b_1.x, acc_67);
            acc_68 = fmaf(tile_a_1.z, tile_b_1.y, acc_68);
            acc_69 = fmaf(tile_a_1.z, tile_b_1.z, acc_69);
            acc_70 = fmaf(tile_a_1.z, tile_b_1.w, acc_70);
            acc_71 = fmaf(tile_a_1.w, tile_b_1.w, acc_71);
            acc_72 = fmaf(tile_a_1.w, tile_b_1.z, acc_72);
            acc_73 = fmaf(tile_a_1.w, tile_b_1.y, acc_73);
            acc_74 = fmaf(tile_a_1.w, tile_b_1.x, acc_74);
            acc_75 = fmaf(tile_a_1.w, tile_b_0.w, acc_75);
            acc_76 = fmaf(tile_a_1.w, tile_b_0.z, acc_76);
            acc_77 = fmaf(tile_a_1.w, tile_b_0.y, acc_77);
            acc_78 = fmaf(tile_a_1.w, tile_b_0.x, acc_78);
        }
        acc = f32x4{acc_15, acc_16, acc_17, acc_18};
        acc_0 = f32x4{acc_30, acc_29, acc_28, acc_27};
        acc_1 = f32x4{acc_31, acc_32, acc_33, acc_34};
        acc_2 = f32x4{acc_46, acc_45, acc_44, acc_43};
        acc_3 = f32x4{acc_19, acc_20, acc_21, acc_22};
        acc_4 = f32x4{acc_26, acc_25, acc_24, acc_23};
        acc_5 = f32x4{acc_35, acc_36, acc_37, acc_38};
        acc_6 = f32x4{acc_42, acc_41, acc_40, acc_39};
        acc_7 = f32x4{acc_47, acc_48, acc_49, acc_50};
        acc_8 = f32x4{acc_62, acc_61, acc_60, acc_59};
        acc_9 = f32x4{acc_63, acc_64, acc_65, acc_66};
        acc_10 = f32x4{acc_78, acc_77, acc_76, acc_75};
        acc_11 = f32x4{acc_51, acc_52, acc_53, acc_54};
        acc_12 = f32x4{acc_58, acc_57, acc_56, acc_55};
        acc_13 = f32x4{acc_67, acc_68, acc_69, acc_70};
        acc_14 = f32x4{acc_74, acc_73, acc_72, acc_71};
        x_16 = x_32;
        x_17 = x_33;
        x_18 = x_34;
        x_19 = x_35;
        x_20 = x_36;
        x_21 = x_37;
        x_22 = x_38;
        x_23 = x_39;
        x_24 = x_40;
        x_25 = x_41;
        x_26 = x_42;
        x_27 = x_43;
        x_28 = x_44;
        x_29 = x_45;
        x_30 = x_46;
        x_31 = x_47;
        weight_2 = weight_4;
        weight_3 = weight_5;
    }
    // kernels/conv_kernel.go
    i32x4 offset_19 = i32x4{lane_1, lane_1 + 1, lane_1 + 2, lane_1 + 3} + splat4(weight_start1);
    i32x4 offset_20 = i32x4{lane_1 + 32, lane_1 + 33, lane_1 + 34, lane_1 + 35} + splat4(weight_start1);
    // kernels/conv_kernel.go
    bool less_3 = bits_0 < unsigned(bias_size0);
    unsigned bits_7 = unsigned(bias_size1);
    f32x4 bias_0 = less_3 && unsigned(offset_19.x) < bits_7 ? *(const f32x4*)&bias[bias_offset + offset_19.x] : splat4(0.0f);
    f32x4 bias_1 = less_3 && unsigned(offset_20.x) < bits_7 ? *(const f32x4*)&bias[bias_offset + offset_20.x] : splat4(0.0f);
    f32x4 lanes_3 = f32x4{bias_0.x, bias_0.x, bias_0.x, bias_0.x};
    f32x4 lanes_4 = f32x4{bias_0.y, bias_0.y, bias_0.y, bias_0.y};
    f32x4 lanes_5 = f32x4{bias_0.z, bias_0.z, bias_0.z, bias_0.z};
    f32x4 lanes_6 = f32x4{bias_0.w, bias_0.w, bias_0.w, bias_0.w};
    f32x4 lanes_7 = f32x4{bias_1.x, bias_1.x, bias_1.x, bias_1.x};
    f32x4 lanes_8 = f32x4{bias_1.y, bias_1.y, bias_1.y, bias_1.y};
    f32x4 lanes_9 = f32x4{bias_1.z, bias_1.z, bias_1.z, bias_1.z};
    f32x4 lanes_10 = f32x4{bias_1.w, bias_1.w, bias_1.w, bias_1.w};
    f32x4 sum = acc + lanes_3;
    f32x4 sum_0 = acc_0 + lanes_4;
    f32x4 sum_1 = acc_1 + lanes_5;
    f32x4 sum_2 = acc_2 + lanes_6;
    f32x4 sum_3 = acc_3 + lanes_3;
    f32x4 sum_4 = acc_4 + lanes_4;
    f32x4 sum_5 = acc_5 + lanes_5;
    f32x4 sum_6 = acc_6 + lanes_6;
    f32x4 sum_7 = acc_7 + lanes_7;
    f32x4 sum_8 = acc_8 + lanes_8;
    f32x4 sum_9 = acc_9 + lanes_9;
    f32x4 sum_10 = acc_10 + lanes_10;
    f32x4 sum_11 = acc_11 + lanes_7;
    f32x4 sum_12 = acc_12 + lanes_8;
    f32x4 sum_13 = acc_13 + lanes_9;
    f32x4 sum_14 = acc_14 + lanes_10;
    // ops/elementwise.go
    f32x4 greatest = fmaxf(sum, splat4(0.0f));
    f32x4 greatest_0 = fmaxf(sum_0, splat4(0.0f));
    f32x4 greatest_1 = fmaxf(sum_1, splat4(0.0f));
    f32x4 greatest_2 = fmaxf(sum_2, splat4(0.0f));
    f32x4 greatest_3 = fmaxf(sum_3, splat4(0.0f));
    f32x4 greatest_4 = fmaxf(sum_4, splat4(0.0f));
    f32x4 greatest_5 = fmaxf(sum_5, splat4(0.0f));
    f32x4 greatest_6 = fmaxf(sum_6, splat4(0.0f));
    f32x4 greatest_7 = fmaxf(sum_7, splat4(0.0f));
    f32x4 greatest_8 = fmaxf(sum_8, splat4(0.0f));
    f32x4 greatest_9 = fmaxf(sum_9, splat4(0.0f));
    f32x4 greatest_10 = fmaxf(sum_10, splat4(0.0f));
    f32x4 greatest_11 = fmaxf(sum_11, splat4(0.0f));
    f32x4 greatest_12 = fmaxf(sum_12, splat4(0.0f));
    f32x4 greatest_13 = fmaxf(sum_13, splat4(0.0f));
    f32x4 greatest_14 = fmaxf(sum_14, splat4(0.0f));
    // kernels/conv_kernel.go
    i32x4 offset_21 = lanes + splat4(weight_start1);
    i32x4 offset_22 = lanes_0 + splat4(weight_start1);
    i32x4 offset_23 = lanes_1 + splat4(weight_start1);
    i32x4 offset_24 = lanes_2 + splat4(weight_start1);
    i32x4 offset_25 = i32x4{16, 17, 18, 19} + splat4(weight_start1);
    i32x4 offset_26 = i32x4{20, 21, 22, 23} + splat4(weight_start1);
    i32x4 offset_27 = i32x4{24, 25, 26, 27} + splat4(weight_start1);
    i32x4 offset_28 = i32x4{28, 29, 30, 31} + splat4(weight_start1);
    i32x4 offset_29 = i32x4{32, 33, 34, 35} + splat4(weight_start1);
    i32x4 offset_30 = i32x4{36, 37, 38, 39} + splat4(weight_start1);
    i32x4 offset_31 = i32x4{40, 41, 42, 43} + splat4(weight_start1);
    i32x4 offset_32 = i32x4{44, 45, 46, 47} + splat4(weight_start1);
    i32x4 offset_33 = i32x4{48, 49, 50, 51} + splat4(weight_start1);
    i32x4 offset_34 = i32x4{52, 53, 54, 55} + splat4(weight_start1);
    i32x4 offset_35 = i32x4{56, 57, 58, 59} + splat4(weight_start1);
    i32x4 offset_36 = i32x4{60, 61, 62, 63} + splat4(weight_start1);
    int both_3 = thread & 7;
    int lane_2 = (both_3 << 4) + ((thread & 6) << 1) + ((thread & 120) << 6);
    *(f32x4*)&exchange[lane_2] = f32x4{greatest.x, greatest_0.x, greatest_1.x, greatest_2.x};
    *(f32x4*)&exchange[lane_2 ^ 4] = f32x4{greatest.y, greatest_0.y, greatest_1.y, greatest_2.y};
    *(f32x4*)&exchange[lane_2 ^ 8] = f32x4{greatest.z, greatest_0.z, greatest_1.z, greatest_2.z};
    *(f32x4*)&exchange[lane_2 ^ 12] = f32x4{greatest.w, greatest_0.w, greatest_1.w, greatest_2.w};
    *(f32x4*)&exchange[lane_2 + 128] = f32x4{greatest_3.x, greatest_4.x, greatest_5.x, greatest_6.x};
    *(f32x4*)&exchange[lane_2 ^ 132] = f32x4{greatest_3.y, greatest_4.y, greatest_5.y, greatest_6.y};
    *(f32x4*)&exchange[lane_2 ^ 136] = f32x4{greatest_3.z, greatest_4.z, greatest_5.z, greatest_6.z};
    *(f32x4*)&exchange[lane_2 ^ 140] = f32x4{greatest_3.w, greatest_4.w, greatest_5.w, greatest_6.w};
    *(f32x4*)&exchange[lane_2 + 256] = f32x4{greatest_7.x, greatest_8.x, greatest_9.x, greatest_10.x};
    *(f32x4*)&exchange[lane_2 ^ 260] = f32x4{greatest_7.y, greatest_8.y, greatest_9.y, greatest_10.y};
    *(f32x4*)&exchange[lane_2 ^ 264] = f32x4{greatest_7.z, greatest_8.z, greatest_9.z, greatest_10.z};
    *(f32x4*)&exchange[lane_2 ^ 268] = f32x4{greatest_7.w, greatest_8.w, greatest_9.w, greatest_10.w};
    f32x4 lanes_11 = f32x4{greatest_11.x, greatest_12.x, greatest_13.x, greatest_14.x};
    *(f32x4*)&exchange[lane_2 + 384] = lanes_11;
    f32x4 lanes_12 = f32x4{greatest_11.y, greatest_12.y, greatest_13.y, greatest_14.y};
    *(f32x4*)&exchange[lane_2 ^ 388] = lanes_12;
    f32x4 lanes_13 = f32x4{greatest_11.z, greatest_12.z, greatest_13.z, greatest_14.z};
    *(f32x4*)&exchange[lane_2 ^ 392] = lanes_13;
    f32x4 lanes_14 = f32x4{greatest_11.w, greatest_12.w, greatest_13.w, greatest_14.w};
    *(f32x4*)&exchange[lane_2 ^ 396] = lanes_14;
    int lane_3 = ((both_3 << 2) ^ both_1) + (both_1 << 3) + (both_2 << 6) + ((thread & 64) << 1);
    __syncthreads();
    f32x4 exchange_0 = *(const f32x4*)&exchange[lane_3];
    f32x4 exchange_1 = *(const f32x4*)&exchange[lane_3 ^ 36];
    f32x4 exchange_2 = *(const f32x4*)&exchange[lane_3 + 512];
    f32x4 exchange_3 = *(const f32x4*)&exchange[lane_3 ^ 548];
    f32x4 exchange_4 = *(const f32x4*)&exchange[lane_3 + 4096];
    f32x4 exchange_5 = *(const f32x4*)&exchange[lane_3 ^ 4132];
    f32x4 exchange_6 = *(const f32x4*)&exchange[lane_3 + 4608];
    f32x4 exchange_7 = *(const f32x4*)&exchange[lane_3 ^ 4644];
    f32x4 exchange_8 = *(const f32x4*)&exchange[lane_3 + 256];
    f32x4 exchange_9 = *(const f32x4*)&exchange[lane_3 ^ 292];
    f32x4 exchange_10 = *(const f32x4*)&exchange[lane_3 + 768];
    f32x4 exchange_11 = *(const f32x4*)&exchange[lane_3 ^ 804];
    f32x4 exchange_12 = *(const f32x4*)&exchange[lane_3 + 4352];
    f32x4 exchange_13 = *(const f32x4*)&exchange[lane_3 ^ 4388];
    f32x4 exchange_14 = *(const f32x4*)&exchange[lane_3 + 4864];
    f32x4 exchange_15 = *(const f32x4*)&exchange[lane_3 ^ 4900];
    int offset_37 = out_offset + quotient_1 * out_stride0;
    bool both_4 = bits < unsigned(out_size0) && bits_0 < unsigned(out_size1);
    unsigned bits_8 = unsigned(out_size2);
    int offset_38 = quotient_2 * out_stride3;
    bool less_4 = unsigned(quotient_2) < unsigned(out_size3);
    bool less_5 = unsigned(remainder_3) < unsigned(out_size4);
    if (both_4 && unsigned(offset_21.x) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_21.x * out_stride2 + offset_38 + remainder_3] = exchange_0.x;
    }
    if (both_4 && unsigned(offset_21.y) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_21.y * out_stride2 + offset_38 + remainder_3] = exchange_0.y;
    }
    if (both_4 && unsigned(offset_21.z) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_21.z * out_stride2 + offset_38 + remainder_3] = exchange_0.z;
    }
    if (both_4 && unsigned(offset_21.w) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_21.w * out_stride2 + offset_38 + remainder_3] = exchange_0.w;
    }
    if (both_4 && unsigned(offset_22.x) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_22.x * out_stride2 + offset_38 + remainder_3] = exchange_1.x;
    }
    if (both_4 && unsigned(offset_22.y) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_22.y * out_stride2 + offset_38 + remainder_3] = exchange_1.y;
    }
    if (both_4 && unsigned(offset_22.z) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_22.z * out_stride2 + offset_38 + remainder_3] = exchange_1.z;
    }
    if (both_4 && unsigned(offset_22.w) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_22.w * out_stride2 + offset_38 + remainder_3] = exchange_1.w;
    }
    if (both_4 && unsigned(offset_23.x) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_23.x * out_stride2 + offset_38 + remainder_3] = exchange_2.x;
    }
    if (both_4 && unsigned(offset_23.y) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_23.y * out_stride2 + offset_38 + remainder_3] = exchange_2.y;
    }
    if (both_4 && unsigned(offset_23.z) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_23.z * out_stride2 + offset_38 + remainder_3] = exchange_2.z;
    }
    if (both_4 && unsigned(offset_23.w) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_23.w * out_stride2 + offset_38 + remainder_3] = exchange_2.w;
    }
    if (both_4 && unsigned(offset_24.x) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_24.x * out_stride2 + offset_38 + remainder_3] = exchange_3.x;
    }
    if (both_4 && unsigned(offset_24.y) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_24.y * out_stride2 + offset_38 + remainder_3] = exchange_3.y;
    }
    if (both_4 && unsigned(offset_24.z) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_24.z * out_stride2 + offset_38 + remainder_3] = exchange_3.z;
    }
    if (both_4 && unsigned(offset_24.w) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_24.w * out_stride2 + offset_38 + remainder_3] = exchange_3.w;
    }
    if (both_4 && unsigned(offset_25.x) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_25.x * out_stride2 + offset_38 + remainder_3] = exchange_4.x;
    }
    if (both_4 && unsigned(offset_25.y) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_25.y * out_stride2 + offset_38 + remainder_3] = exchange_4.y;
    }
    if (both_4 && unsigned(offset_25.z) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_25.z * out_stride2 + offset_38 + remainder_3] = exchange_4.z;
    }
    if (both_4 && unsigned(offset_25.w) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_25.w * out_stride2 + offset_38 + remainder_3] = exchange_4.w;
    }
    if (both_4 && unsigned(offset_26.x) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_26.x * out_stride2 + offset_38 + remainder_3] = exchange_5.x;
    }
    if (both_4 && unsigned(offset_26.y) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_26.y * out_stride2 + offset_38 + remainder_3] = exchange_5.y;
    }
    if (both_4 && unsigned(offset_26.z) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_26.z * out_stride2 + offset_38 + remainder_3] = exchange_5.z;
    }
    if (both_4 && unsigned(offset_26.w) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_26.w * out_stride2 + offset_38 + remainder_3] = exchange_5.w;
    }
    if (both_4 && unsigned(offset_27.x) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_27.x * out_stride2 + offset_38 + remainder_3] = exchange_6.x;
    }
    if (both_4 && unsigned(offset_27.y) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_27.y * out_stride2 + offset_38 + remainder_3] = exchange_6.y;
    }
    if (both_4 && unsigned(offset_27.z) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_27.z * out_stride2 + offset_38 + remainder_3] = exchange_6.z;
    }
    if (both_4 && unsigned(offset_27.w) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_27.w * out_stride2 + offset_38 + remainder_3] = exchange_6.w;
    }
    if (both_4 && unsigned(offset_28.x) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_28.x * out_stride2 + offset_38 + remainder_3] = exchange_7.x;
    }
    if (both_4 && unsigned(offset_28.y) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_28.y * out_stride2 + offset_38 + remainder_3] = exchange_7.y;
    }
    if (both_4 && unsigned(offset_28.z) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_28.z * out_stride2 + offset_38 + remainder_3] = exchange_7.z;
    }
    if (both_4 && unsigned(offset_28.w) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_28.w * out_stride2 + offset_38 + remainder_3] = exchange_7.w;
    }
    if (both_4 && unsigned(offset_29.x) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_29.x * out_stride2 + offset_38 + remainder_3] = exchange_8.x;
    }
    if (both_4 && unsigned(offset_29.y) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_29.y * out_stride2 + offset_38 + remainder_3] = exchange_8.y;
    }
    if (both_4 && unsigned(offset_29.z) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_29.z * out_stride2 + offset_38 + remainder_3] = exchange_8.z;
    }
    if (both_4 && unsigned(offset_29.w) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_29.w * out_stride2 + offset_38 + remainder_3] = exchange_8.w;
    }
    if (both_4 && unsigned(offset_30.x) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_30.x * out_stride2 + offset_38 + remainder_3] = exchange_9.x;
    }
    if (both_4 && unsigned(offset_30.y) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_30.y * out_stride2 + offset_38 + remainder_3] = exchange_9.y;
    }
    if (both_4 && unsigned(offset_30.z) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_30.z * out_stride2 + offset_38 + remainder_3] = exchange_9.z;
    }
    if (both_4 && unsigned(offset_30.w) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_30.w * out_stride2 + offset_38 + remainder_3] = exchange_9.w;
    }
    if (both_4 && unsigned(offset_31.x) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_31.x * out_stride2 + offset_38 + remainder_3] = exchange_10.x;
    }
    if (both_4 && unsigned(offset_31.y) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_31.y * out_stride2 + offset_38 + remainder_3] = exchange_10.y;
    }
    if (both_4 && unsigned(offset_31.z) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_31.z * out_stride2 + offset_38 + remainder_3] = exchange_10.z;
    }
    if (both_4 && unsigned(offset_31.w) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_31.w * out_stride2 + offset_38 + remainder_3] = exchange_10.w;
    }
    if (both_4 && unsigned(offset_32.x) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_32.x * out_stride2 + offset_38 + remainder_3] = exchange_11.x;
    }
    if (both_4 && unsigned(offset_32.y) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_32.y * out_stride2 + offset_38 + remainder_3] = exchange_11.y;
    }
    if (both_4 && unsigned(offset_32.z) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_32.z * out_stride2 + offset_38 + remainder_3] = exchange_11.z;
    }
    if (both_4 && unsigned(offset_32.w) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_32.w * out_stride2 + offset_38 + remainder_3] = exchange_11.w;
    }
    if (both_4 && unsigned(offset_33.x) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_33.x * out_stride2 + offset_38 + remainder_3] = exchange_12.x;
    }
    if (both_4 && unsigned(offset_33.y) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_33.y * out_stride2 + offset_38 + remainder_3] = exchange_12.y;
    }
    if (both_4 && unsigned(offset_33.z) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_33.z * out_stride2 + offset_38 + remainder_3] = exchange_12.z;
    }
    if (both_4 && unsigned(offset_33.w) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_33.w * out_stride2 + offset_38 + remainder_3] = exchange_12.w;
    }
    if (both_4 && unsigned(offset_34.x) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_34.x * out_stride2 + offset_38 + remainder_3] = exchange_13.x;
    }
    if (both_4 && unsigned(offset_34.y) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_34.y * out_stride2 + offset_38 + remainder_3] = exchange_13.y;
    }
    if (both_4 && unsigned(offset_34.z) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_34.z * out_stride2 + offset_38 + remainder_3] = exchange_13.z;
    }
    if (both_4 && unsigned(offset_34.w) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_34.w * out_stride2 + offset_38 + remainder_3] = exchange_13.w;
    }
    if (both_4 && unsigned(offset_35.x) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_35.x * out_stride2 + offset_38 + remainder_3] = exchange_14.x;
    }
    if (both_4 && unsigned(offset_35.y) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_35.y * out_stride2 + offset_38 + remainder_3] = exchange_14.y;
    }
    if (both_4 && unsigned(offset_35.z) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_35.z * out_stride2 + offset_38 + remainder_3] = exchange_14.z;
    }
    if (both_4 && unsigned(offset_35.w) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_35.w * out_stride2 + offset_38 + remainder_3] = exchange_14.w;
    }
    if (both_4 && unsigned(offset_36.x) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_36.x * out_stride2 + offset_38 + remainder_3] = exchange_15.x;
    }
    if (both_4 && unsigned(offset_36.y) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_36.y * out_stride2 + offset_38 + remainder_3] = exchange_15.y;
    }
    if (both_4 && unsigned(offset_36.z) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_36.z * out_stride2 + offset_38 + remainder_3] = exchange_15.z;
    }
    if (both_4 && unsigned(offset_36.w) < bits_8 && less_4 && less_5) {
        out[offset_37 + offset_36.w * out_stride2 + offset_38 + remainder_3] = exchange_15.w;
    }
}
