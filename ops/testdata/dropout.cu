struct alignas(16) f32x4 { float x, y, z, w; };
struct alignas(16) u32x4 { unsigned x, y, z, w; };
struct alignas(4) boolx4 { bool x, y, z, w; };
struct alignas(4) u8x4 { unsigned char x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline u32x4 splat4(unsigned a) {
    return {a, a, a, a};
}
__device__ inline boolx4 operator>=(u32x4 a, u32x4 b) {
    return {a.x >= b.x, a.y >= b.y, a.z >= b.z, a.w >= b.w};
}
__device__ inline f32x4 operator*(f32x4 a, f32x4 b) {
    return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}
__device__ inline f32x4 select(boolx4 a, f32x4 b, f32x4 c) {
    return {a.x ? b.x : c.x, a.y ? b.y : c.y, a.z ? b.z : c.z, a.w ? b.w : c.w};
}
__device__ inline u8x4 to_u8(boolx4 a) {
    return {a.x, a.y, a.z, a.w};
}

extern "C" __global__ void __launch_bounds__(128) dropout(
    const float* x,
    float* __restrict__ out,
    unsigned char* __restrict__ mask,
    int x_offset,
    int x_size0,
    int out_offset,
    int out_size0,
    int mask_offset,
    int mask_size0,
    unsigned key0,
    unsigned key1,
    unsigned first0,
    unsigned first1,
    unsigned threshold,
    float scale) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // kernels/dropout_kernel.go
    int offset = program * 256;
    // kernels/philox.go
    unsigned sum = unsigned(thread + offset) + first0;
    unsigned sum_0 = unsigned(thread + 128 + offset) + first0;
    // kernels/philox.go
    unsigned chosen = sum < first0 ? 1u : 0u;
    unsigned chosen_0 = sum_0 < first0 ? 1u : 0u;
    // kernels/philox.go
    unsigned sum_1 = chosen + first1;
    unsigned sum_2 = chosen_0 + first1;
    // kernels/philox.go
    unsigned changed = sum_1 ^ key0;
    unsigned changed_0 = sum_2 ^ key0;
    // kernels/philox.go
    unsigned changed_1 = __umulhi(sum, 3528531795u) ^ key1;
    unsigned changed_2 = __umulhi(sum_0, 3528531795u) ^ key1;
    // kernels/philox.go
    unsigned sum_3 = key0 + 2654435769u;
    unsigned sum_4 = key1 + 3144134277u;
    // kernels/philox.go
    unsigned changed_3 = __umulhi(changed_1, 3449720151u) ^ sum_3;
    unsigned changed_4 = __umulhi(changed_2, 3449720151u) ^ sum_3;
    // kernels/philox.go
    unsigned changed_5 = __umulhi(changed, 3528531795u) ^ (sum * 3528531795u) ^ sum_4;
    unsigned changed_6 = __umulhi(changed_0, 3528531795u) ^ (sum_0 * 3528531795u) ^ sum_4;
    // kernels/philox.go
    unsigned sum_5 = key0 + 1013904242u;
    unsigned sum_6 = key1 + 1993301258u;
    // kernels/philox.go
    unsigned changed_7 = __umulhi(changed_5, 3449720151u) ^ (changed_1 * 3449720151u) ^ sum_5;
    unsigned changed_8 = __umulhi(changed_6, 3449720151u) ^ (changed_2 * 3449720151u) ^ sum_5;
    // kernels/philox.go
    unsigned changed_9 = __umulhi(changed_3, 3528531795u) ^ (changed * 3528531795u) ^ sum_6;
    unsigned changed_10 = __umulhi(changed_4, 3528531795u) ^ (changed_0 * 3528531795u) ^ sum_6;
    // kernels/philox.go
    unsigned sum_7 = key0 + 3668340011u;
    unsigned sum_8 = key1 + 842468239u;
    // kernels/philox.go
    unsigned changed_11 = __umulhi(changed_9, 3449720151u) ^ (changed_5 * 3449720151u) ^ sum_7;
    unsigned changed_12 = __umulhi(changed_10, 3449720151u) ^ (changed_6 * 3449720151u) ^ sum_7;
    // kernels/philox.go
    unsigned changed_13 = __umulhi(changed_7, 3528531795u) ^ (changed_3 * 3528531795u) ^ sum_8;
    unsigned changed_14 = __umulhi(changed_8, 3528531795u) ^ (changed_4 * 3528531795u) ^ sum_8;
    // kernels/philox.go
    unsigned sum_9 = key0 + 2027808484u;
    unsigned sum_10 = key1 + 3986602516u;
    // kernels/philox.go
    unsigned changed_15 = __umulhi(changed_13, 3449720151u) ^ (changed_9 * 3449720151u) ^ sum_9;
    unsigned changed_16 = __umulhi(changed_14, 3449720151u) ^ (changed_10 * 3449720151u) ^ sum_9;
    // kernels/philox.go
    unsigned changed_17 = __umulhi(changed_11, 3528531795u) ^ (changed_7 * 3528531795u) ^ sum_10;
    unsigned changed_18 = __umulhi(changed_12, 3528531795u) ^ (changed_8 * 3528531795u) ^ sum_10;
    // kernels/philox.go
    unsigned sum_11 = key0 + 387276957u;
    unsigned sum_12 = key1 + 2835769497u;
    // kernels/philox.go
    unsigned changed_19 = __umulhi(changed_17, 3449720151u) ^ (changed_13 * 3449720151u) ^ sum_11;
    unsigned changed_20 = __umulhi(changed_18, 3449720151u) ^ (changed_14 * 3449720151u) ^ sum_11;
    // kernels/philox.go
    unsigned changed_21 = __umulhi(changed_15, 3528531795u) ^ (changed_11 * 3528531795u) ^ sum_12;
    unsigned changed_22 = __umulhi(changed_16, 3528531795u) ^ (changed_12 * 3528531795u) ^ sum_12;
    // kernels/philox.go
    unsigned sum_13 = key0 + 3041712726u;
    unsigned sum_14 = key1 + 1684936478u;
    // kernels/philox.go
    unsigned changed_23 = __umulhi(changed_21, 3449720151u) ^ (changed_17 * 3449720151u) ^ sum_13;
    unsigned changed_24 = __umulhi(changed_22, 3449720151u) ^ (changed_18 * 3449720151u) ^ sum_13;
    // kernels/philox.go
    unsigned changed_25 = __umulhi(changed_19, 3528531795u) ^ (changed_15 * 3528531795u) ^ sum_14;
    unsigned changed_26 = __umulhi(changed_20, 3528531795u) ^ (changed_16 * 3528531795u) ^ sum_14;
    // kernels/philox.go
    unsigned sum_15 = key0 + 1401181199u;
    unsigned sum_16 = key1 + 534103459u;
    // kernels/philox.go
    unsigned changed_27 = __umulhi(changed_25, 3449720151u) ^ (changed_21 * 3449720151u) ^ sum_15;
    unsigned changed_28 = __umulhi(changed_26, 3449720151u) ^ (changed_22 * 3449720151u) ^ sum_15;
    // kernels/philox.go
    unsigned changed_29 = __umulhi(changed_23, 3528531795u) ^ (changed_19 * 3528531795u) ^ sum_16;
    unsigned changed_30 = __umulhi(changed_24, 3528531795u) ^ (changed_20 * 3528531795u) ^ sum_16;
    // kernels/philox.go
    unsigned sum_17 = key0 + 4055616968u;
    unsigned sum_18 = key1 + 3678237736u;
    // kernels/philox.go
    unsigned changed_31 = __umulhi(changed_29, 3449720151u) ^ (changed_25 * 3449720151u) ^ sum_17;
    unsigned changed_32 = __umulhi(changed_30, 3449720151u) ^ (changed_26 * 3449720151u) ^ sum_17;
    // kernels/philox.go
    unsigned changed_33 = __umulhi(changed_27, 3528531795u) ^ (changed_23 * 3528531795u) ^ sum_18;
    unsigned changed_34 = __umulhi(changed_28, 3528531795u) ^ (changed_24 * 3528531795u) ^ sum_18;
    // kernels/philox.go
    unsigned sum_19 = key0 + 2415085441u;
    unsigned sum_20 = key1 + 2527404717u;
    // kernels/philox.go
    unsigned changed_35 = __umulhi(changed_33, 3449720151u) ^ (changed_29 * 3449720151u) ^ sum_19;
    unsigned changed_36 = __umulhi(changed_34, 3449720151u) ^ (changed_30 * 3449720151u) ^ sum_19;
    unsigned product = changed_33 * 3449720151u;
    unsigned product_0 = changed_34 * 3449720151u;
    // kernels/philox.go
    unsigned changed_37 = __umulhi(changed_31, 3528531795u) ^ (changed_27 * 3528531795u) ^ sum_20;
    unsigned changed_38 = __umulhi(changed_32, 3528531795u) ^ (changed_28 * 3528531795u) ^ sum_20;
    unsigned product_1 = changed_31 * 3528531795u;
    unsigned product_2 = changed_32 * 3528531795u;
    // kernels/philox.go
    u32x4 lanes = u32x4{changed_35, product, changed_37, product_1};
    u32x4 lanes_0 = u32x4{changed_36, product_0, changed_38, product_2};
    // kernels/dropout_kernel.go
    boolx4 at_least = lanes >= splat4(threshold);
    boolx4 at_least_0 = lanes_0 >= splat4(threshold);
    // kernels/dropout_kernel.go
    int x_start0 = program * 1024;
    int lane = thread << 2;
    int offset_0 = x_start0 + lane;
    int index = x_offset + offset_0;
    unsigned bits = unsigned(offset_0);
    unsigned bits_0 = unsigned(x_size0);
    f32x4 x_0 = bits < bits_0 ? *(const f32x4*)&x[index] : splat4(0.0f);
    unsigned bits_1 = unsigned(offset_0 + 512);
    f32x4 x_1 = bits_1 < bits_0 ? *(const f32x4*)&x[index + 512] : splat4(0.0f);
    f32x4 product_3 = x_0 * splat4(scale);
    f32x4 product_4 = x_1 * splat4(scale);
    // kernels/dropout_kernel.go
    int index_0 = out_offset + offset_0;
    unsigned bits_2 = unsigned(out_size0);
    if (bits < bits_2) {
        *(f32x4*)&out[index_0] = select(at_least, product_3, splat4(0.0f));
    }
    if (bits_1 < bits_2) {
        *(f32x4*)&out[index_0 + 512] = select(at_least_0, product_4, splat4(0.0f));
    }
    // kernels/dropout_kernel.go
    int index_1 = mask_offset + offset_0;
    unsigned bits_3 = unsigned(mask_size0);
    if (bits < bits_3) {
        *(u8x4*)&mask[index_1] = to_u8(at_least);
    }
    if (bits_1 < bits_3) {
        *(u8x4*)&mask[index_1 + 512] = to_u8(at_least_0);
    }
}
