struct alignas(16) f32x4 { float x, y, z, w; };

extern "C" __global__ void __launch_bounds__(128) normal(
    float* __restrict__ out,
    int out_offset,
    int out_size0,
    unsigned key0,
    unsigned key1,
    unsigned first0,
    unsigned first1) {
    int thread = int(threadIdx.x);
    int program = int(blockIdx.x);
    // random.go:36
    int offset = program * 256;
    // philox.go:59
    unsigned sum = unsigned(thread + offset) + first0;
    unsigned sum_0 = unsigned(thread + 128 + offset) + first0;
    // philox.go:60
    unsigned chosen = sum < first0 ? 1u : 0u;
    unsigned chosen_0 = sum_0 < first0 ? 1u : 0u;
    // philox.go:62
    unsigned sum_1 = chosen + first1;
    unsigned sum_2 = chosen_0 + first1;
    // philox.go:24
    unsigned changed = sum_1 ^ key0;
    unsigned changed_0 = sum_2 ^ key0;
    // philox.go:25
    unsigned changed_1 = __umulhi(sum, 3528531795u) ^ key1;
    unsigned changed_2 = __umulhi(sum_0, 3528531795u) ^ key1;
    // philox.go:21
    unsigned sum_3 = key0 + 2654435769u;
    unsigned sum_4 = key1 + 3144134277u;
    // philox.go:24
    unsigned changed_3 = __umulhi(changed_1, 3449720151u) ^ sum_3;
    unsigned changed_4 = __umulhi(changed_2, 3449720151u) ^ sum_3;
    // philox.go:25
    unsigned changed_5 = __umulhi(changed, 3528531795u) ^ (sum * 3528531795u) ^ sum_4;
    unsigned changed_6 = __umulhi(changed_0, 3528531795u) ^ (sum_0 * 3528531795u) ^ sum_4;
    // philox.go:21
    unsigned sum_5 = key0 + 1013904242u;
    unsigned sum_6 = key1 + 1993301258u;
    // philox.go:24
    unsigned changed_7 = __umulhi(changed_5, 3449720151u) ^ (changed_1 * 3449720151u) ^ sum_5;
    unsigned changed_8 = __umulhi(changed_6, 3449720151u) ^ (changed_2 * 3449720151u) ^ sum_5;
    // philox.go:25
    unsigned changed_9 = __umulhi(changed_3, 3528531795u) ^ (changed * 3528531795u) ^ sum_6;
    unsigned changed_10 = __umulhi(changed_4, 3528531795u) ^ (changed_0 * 3528531795u) ^ sum_6;
    // philox.go:21
    unsigned sum_7 = key0 + 3668340011u;
    unsigned sum_8 = key1 + 842468239u;
    // philox.go:24
    unsigned changed_11 = __umulhi(changed_9, 3449720151u) ^ (changed_5 * 3449720151u) ^ sum_7;
    unsigned changed_12 = __umulhi(changed_10, 3449720151u) ^ (changed_6 * 3449720151u) ^ sum_7;
    // philox.go:25
    unsigned changed_13 = __umulhi(changed_7, 3528531795u) ^ (changed_3 * 3528531795u) ^ sum_8;
    unsigned changed_14 = __umulhi(changed_8, 3528531795u) ^ (changed_4 * 3528531795u) ^ sum_8;
    // philox.go:21
    unsigned sum_9 = key0 + 2027808484u;
    unsigned sum_10 = key1 + 3986602516u;
    // philox.go:24
    unsigned changed_15 = __umulhi(changed_13, 3449720151u) ^ (changed_9 * 3449720151u) ^ sum_9;
    unsigned changed_16 = __umulhi(changed_14, 3449720151u) ^ (changed_10 * 3449720151u) ^ sum_9;
    // philox.go:25
    unsigned changed_17 = __umulhi(changed_11, 3528531795u) ^ (changed_7 * 3528531795u) ^ sum_10;
    unsigned changed_18 = __umulhi(changed_12, 3528531795u) ^ (changed_8 * 3528531795u) ^ sum_10;
    // philox.go:21
    unsigned sum_11 = key0 + 387276957u;
    unsigned sum_12 = key1 + 2835769497u;
    // philox.go:24
    unsigned changed_19 = __umulhi(changed_17, 3449720151u) ^ (changed_13 * 3449720151u) ^ sum_11;
    unsigned changed_20 = __umulhi(changed_18, 3449720151u) ^ (changed_14 * 3449720151u) ^ sum_11;
    // philox.go:25
    unsigned changed_21 = __umulhi(changed_15, 3528531795u) ^ (changed_11 * 3528531795u) ^ sum_12;
    unsigned changed_22 = __umulhi(changed_16, 3528531795u) ^ (changed_12 * 3528531795u) ^ sum_12;
    // philox.go:21
    unsigned sum_13 = key0 + 3041712726u;
    unsigned sum_14 = key1 + 1684936478u;
    // philox.go:24
    unsigned changed_23 = __umulhi(changed_21, 3449720151u) ^ (changed_17 * 3449720151u) ^ sum_13;
    unsigned changed_24 = __umulhi(changed_22, 3449720151u) ^ (changed_18 * 3449720151u) ^ sum_13;
    // philox.go:25
    unsigned changed_25 = __umulhi(changed_19, 3528531795u) ^ (changed_15 * 3528531795u) ^ sum_14;
    unsigned changed_26 = __umulhi(changed_20, 3528531795u) ^ (changed_16 * 3528531795u) ^ sum_14;
    // philox.go:21
    unsigned sum_15 = key0 + 1401181199u;
    unsigned sum_16 = key1 + 534103459u;
    // philox.go:24
    unsigned changed_27 = __umulhi(changed_25, 3449720151u) ^ (changed_21 * 3449720151u) ^ sum_15;
    unsigned changed_28 = __umulhi(changed_26, 3449720151u) ^ (changed_22 * 3449720151u) ^ sum_15;
    // philox.go:25
    unsigned changed_29 = __umulhi(changed_23, 3528531795u) ^ (changed_19 * 3528531795u) ^ sum_16;
    unsigned changed_30 = __umulhi(changed_24, 3528531795u) ^ (changed_20 * 3528531795u) ^ sum_16;
    // philox.go:21
    unsigned sum_17 = key0 + 4055616968u;
    unsigned sum_18 = key1 + 3678237736u;
    // philox.go:24
    unsigned changed_31 = __umulhi(changed_29, 3449720151u) ^ (changed_25 * 3449720151u) ^ sum_17;
    unsigned changed_32 = __umulhi(changed_30, 3449720151u) ^ (changed_26 * 3449720151u) ^ sum_17;
    // philox.go:25
    unsigned changed_33 = __umulhi(changed_27, 3528531795u) ^ (changed_23 * 3528531795u) ^ sum_18;
    unsigned changed_34 = __umulhi(changed_28, 3528531795u) ^ (changed_24 * 3528531795u) ^ sum_18;
    // philox.go:21
    unsigned sum_19 = key0 + 2415085441u;
    unsigned sum_20 = key1 + 2527404717u;
    // philox.go:24
    unsigned changed_35 = __umulhi(changed_33, 3449720151u) ^ (changed_29 * 3449720151u) ^ sum_19;
    unsigned changed_36 = __umulhi(changed_34, 3449720151u) ^ (changed_30 * 3449720151u) ^ sum_19;
    unsigned product = changed_33 * 3449720151u;
    unsigned product_0 = changed_34 * 3449720151u;
    // philox.go:25
    unsigned changed_37 = __umulhi(changed_31, 3528531795u) ^ (changed_27 * 3528531795u) ^ sum_20;
    unsigned changed_38 = __umulhi(changed_32, 3528531795u) ^ (changed_28 * 3528531795u) ^ sum_20;
    unsigned product_1 = changed_31 * 3528531795u;
    unsigned product_2 = changed_32 * 3528531795u;
    // random.go:56
    unsigned both = 8u & 31u;
    float product_3 = float((changed_35 >> both) + 1u) * 5.9604645e-08f;
    float product_4 = float((changed_36 >> both) + 1u) * 5.9604645e-08f;
    // random.go:57
    float root = sqrtf(fmaxf(logf(product_3) * -2.0f, 0.0f));
    float root_0 = sqrtf(fmaxf(logf(product_4) * -2.0f, 0.0f));
    // random.go:58
    float difference = float(product >> both) * 5.9604645e-08f - 0.5f;
    float difference_0 = float(product_0 >> both) * 5.9604645e-08f - 0.5f;
    // random.go:59
    float product_5 = difference * 6.2831855f;
    float product_6 = difference_0 * 6.2831855f;
    // random.go:60
    float product_7 = root * cosf(product_5);
    float product_8 = root_0 * cosf(product_6);
    float product_9 = root * sinf(product_5);
    float product_10 = root_0 * sinf(product_6);
    // random.go:56
    float product_11 = float((changed_37 >> both) + 1u) * 5.9604645e-08f;
    float product_12 = float((changed_38 >> both) + 1u) * 5.9604645e-08f;
    // random.go:57
    float root_1 = sqrtf(fmaxf(logf(product_11) * -2.0f, 0.0f));
    float root_2 = sqrtf(fmaxf(logf(product_12) * -2.0f, 0.0f));
    // random.go:58
    float difference_1 = float(product_1 >> both) * 5.9604645e-08f - 0.5f;
    float difference_2 = float(product_2 >> both) * 5.9604645e-08f - 0.5f;
    // random.go:59
    float product_13 = difference_1 * 6.2831855f;
    float product_14 = difference_2 * 6.2831855f;
    // random.go:60
    float product_15 = root_1 * cosf(product_13);
    float product_16 = root_2 * cosf(product_14);
    float product_17 = root_1 * sinf(product_13);
    float product_18 = root_2 * sinf(product_14);
    // philox.go:69
    f32x4 lanes = f32x4{product_7, product_9, product_15, product_17};
    f32x4 lanes_0 = f32x4{product_8, product_10, product_16, product_18};
    // random.go:37
    int out_start0 = program * 1024;
    int lane = thread << 2;
    int offset_0 = out_start0 + lane;
    int index = out_offset + offset_0;
    unsigned bits = unsigned(out_size0);
    if (unsigned(offset_0) < bits) {
        *(f32x4*)&out[index] = lanes;
    }
    if (unsigned(offset_0 + 512) < bits) {
        *(f32x4*)&out[index + 512] = lanes_0;
    }
}
