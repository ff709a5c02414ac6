struct alignas(16) f32x4 { float x, y, z, w; };

__device__ inline int wrap_neg(int a) {
    return int(unsigned(0) - unsigned(a));
}

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
    // kernels/random_kernel.go
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
    // kernels/random_normal.go
    unsigned either = changed_35 | 1u;
    unsigned either_0 = changed_36 | 1u;
    // kernels/random_normal.go
    bool less = either < 65536u;
    bool less_0 = either_0 < 65536u;
    // kernels/random_normal.go
    unsigned both = 16u & 31u;
    unsigned chosen_1 = less ? either << both : either;
    unsigned chosen_2 = less_0 ? either_0 << both : either_0;
    unsigned chosen_3 = less ? 16u : 0u;
    unsigned chosen_4 = less_0 ? 16u : 0u;
    // kernels/random_normal.go
    bool less_1 = chosen_1 < 16777216u;
    bool less_2 = chosen_2 < 16777216u;
    // kernels/random_normal.go
    unsigned both_0 = 8u & 31u;
    unsigned chosen_5 = less_1 ? chosen_1 << both_0 : chosen_1;
    unsigned chosen_6 = less_2 ? chosen_2 << both_0 : chosen_2;
    unsigned chosen_7 = less_1 ? chosen_3 + 8u : chosen_3;
    unsigned chosen_8 = less_2 ? chosen_4 + 8u : chosen_4;
    // kernels/random_normal.go
    bool less_3 = chosen_5 < 268435456u;
    bool less_4 = chosen_6 < 268435456u;
    // kernels/random_normal.go
    unsigned both_1 = 4u & 31u;
    unsigned chosen_9 = less_3 ? chosen_5 << both_1 : chosen_5;
    unsigned chosen_10 = less_4 ? chosen_6 << both_1 : chosen_6;
    unsigned chosen_11 = less_3 ? chosen_7 + 4u : chosen_7;
    unsigned chosen_12 = less_4 ? chosen_8 + 4u : chosen_8;
    // kernels/random_normal.go
    bool less_5 = chosen_9 < 1073741824u;
    bool less_6 = chosen_10 < 1073741824u;
    // kernels/random_normal.go
    unsigned both_2 = 2u & 31u;
    unsigned chosen_13 = less_5 ? chosen_9 << both_2 : chosen_9;
    unsigned chosen_14 = less_6 ? chosen_10 << both_2 : chosen_10;
    unsigned chosen_15 = less_5 ? chosen_11 + 2u : chosen_11;
    unsigned chosen_16 = less_6 ? chosen_12 + 2u : chosen_12;
    // kernels/random_normal.go
    bool less_7 = chosen_13 < 2147483648u;
    bool less_8 = chosen_14 < 2147483648u;
    // kernels/random_normal.go
    unsigned both_3 = 1u & 31u;
    unsigned chosen_17 = less_7 ? chosen_13 << both_3 : chosen_13;
    unsigned chosen_18 = less_8 ? chosen_14 << both_3 : chosen_14;
    unsigned chosen_19 = less_7 ? chosen_15 + 1u : chosen_15;
    unsigned chosen_20 = less_8 ? chosen_16 + 1u : chosen_16;
    // kernels/random_normal.go
    bool less_9 = chosen_17 < 3221225472u;
    bool less_10 = chosen_18 < 3221225472u;
    // kernels/random_normal.go
    unsigned chosen_21 = less_9 ? chosen_17 + __umulhi(chosen_17, 1431655765u) : chosen_17;
    unsigned chosen_22 = less_10 ? chosen_18 + __umulhi(chosen_18, 1431655765u) : chosen_18;
    // kernels/random_normal.go
    unsigned difference = 0u - chosen_21;
    unsigned difference_0 = 0u - chosen_22;
    // kernels/random_normal.go
    unsigned high = __umulhi(444783536u - __umulhi(1124302513u, difference), difference);
    unsigned high_0 = __umulhi(444783536u - __umulhi(1124302513u, difference_0), difference_0);
    unsigned difference_1 = 578627599u - high;
    unsigned difference_2 = 578627599u - high_0;
    // kernels/random_normal.go
    unsigned high_1 = __umulhi(__umulhi(difference_1, difference) + 300522885u, difference);
    unsigned high_2 = __umulhi(__umulhi(difference_2, difference_0) + 300522885u, difference_0);
    unsigned high_3 = __umulhi(__umulhi(high_1 + 436428952u, difference) + 536408076u, difference);
    unsigned high_4 = __umulhi(__umulhi(high_2 + 436428952u, difference_0) + 536408076u, difference_0);
    unsigned high_5 = __umulhi(__umulhi(high_3 + 715843190u, difference) + 1073741631u, difference);
    unsigned high_6 = __umulhi(__umulhi(high_4 + 715843190u, difference_0) + 1073741631u, difference_0);
    unsigned sum_21 = high_5 + 2147483648u;
    unsigned sum_22 = high_6 + 2147483648u;
    // kernels/random_normal.go
    unsigned high_7 = __umulhi(difference, sum_21);
    unsigned high_8 = __umulhi(difference_0, sum_22);
    // kernels/random_normal.go
    bool both_4 = chosen_19 == 0u && chosen_17 >= 3221225472u;
    bool both_5 = chosen_20 == 0u && chosen_18 >= 3221225472u;
    // kernels/random_normal.go
    unsigned sum_23 = chosen_19 * 93032640u + (less_9 ? 38612034u : 0u) + (high_7 >> both_1);
    unsigned sum_24 = chosen_20 * 93032640u + (less_10 ? 38612034u : 0u) + (high_8 >> both_1);
    // kernels/random_normal.go
    unsigned chosen_23 = both_4 ? high_7 : sum_23;
    unsigned chosen_24 = both_5 ? high_8 : sum_24;
    // kernels/random_normal.go
    bool less_11 = chosen_23 < 65536u;
    bool less_12 = chosen_24 < 65536u;
    // kernels/random_normal.go
    unsigned chosen_25 = less_11 ? chosen_23 << both : chosen_23;
    unsigned chosen_26 = less_12 ? chosen_24 << both : chosen_24;
    unsigned chosen_27 = less_11 ? 8u : 0u;
    unsigned chosen_28 = less_12 ? 8u : 0u;
    // kernels/random_normal.go
    bool less_13 = chosen_25 < 16777216u;
    bool less_14 = chosen_26 < 16777216u;
    // kernels/random_normal.go
    unsigned chosen_29 = less_13 ? chosen_25 << both_0 : chosen_25;
    unsigned chosen_30 = less_14 ? chosen_26 << both_0 : chosen_26;
    unsigned chosen_31 = less_13 ? chosen_27 + 4u : chosen_27;
    unsigned chosen_32 = less_14 ? chosen_28 + 4u : chosen_28;
    // kernels/random_normal.go
    bool less_15 = chosen_29 < 268435456u;
    bool less_16 = chosen_30 < 268435456u;
    // kernels/random_normal.go
    unsigned chosen_33 = less_15 ? chosen_29 << both_1 : chosen_29;
    unsigned chosen_34 = less_16 ? chosen_30 << both_1 : chosen_30;
    unsigned chosen_35 = less_15 ? chosen_31 + 2u : chosen_31;
    unsigned chosen_36 = less_16 ? chosen_32 + 2u : chosen_32;
    // kernels/random_normal.go
    bool less_17 = chosen_33 < 1073741824u;
    bool less_18 = chosen_34 < 1073741824u;
    // kernels/random_normal.go
    unsigned chosen_37 = less_17 ? chosen_33 << both_2 : chosen_33;
    unsigned chosen_38 = less_18 ? chosen_34 << both_2 : chosen_34;
    unsigned chosen_39 = less_17 ? chosen_35 + 1u : chosen_35;
    unsigned chosen_40 = less_18 ? chosen_36 + 1u : chosen_36;
    // kernels/random_normal.go
    unsigned difference_3 = 2289754408u - __umulhi(chosen_37, 1307280671u);
    unsigned difference_4 = 2289754408u - __umulhi(chosen_38, 1307280671u);
    // kernels/random_normal.go
    unsigned shifted = __umulhi(__umulhi(difference_3, difference_3), chosen_37) << both_2;
    unsigned shifted_0 = __umulhi(__umulhi(difference_4, difference_4), chosen_38) << both_2;
    unsigned shifted_1 = __umulhi(difference_3, 3221225472u - shifted) << both_3;
    unsigned shifted_2 = __umulhi(difference_4, 3221225472u - shifted_0) << both_3;
    unsigned difference_5 = 3221225472u - (__umulhi(__umulhi(shifted_1, shifted_1), chosen_37) << both_2);
    unsigned difference_6 = 3221225472u - (__umulhi(__umulhi(shifted_2, shifted_2), chosen_38) << both_2);
    unsigned shifted_3 = __umulhi(shifted_1, difference_5) << both_3;
    unsigned shifted_4 = __umulhi(shifted_2, difference_6) << both_3;
    unsigned difference_7 = 3221225472u - (__umulhi(__umulhi(shifted_3, shifted_3), chosen_37) << both_2);
    unsigned difference_8 = 3221225472u - (__umulhi(__umulhi(shifted_4, shifted_4), chosen_38) << both_2);
    unsigned shifted_5 = __umulhi(shifted_3, difference_7) << both_3;
    unsigned shifted_6 = __umulhi(shifted_4, difference_8) << both_3;
    unsigned difference_9 = 3221225472u - (__umulhi(__umulhi(shifted_5, shifted_5), chosen_37) << both_2);
    unsigned difference_10 = 3221225472u - (__umulhi(__umulhi(shifted_6, shifted_6), chosen_38) << both_2);
    unsigned shifted_7 = __umulhi(shifted_5, difference_9) << both_3;
    unsigned shifted_8 = __umulhi(shifted_6, difference_10) << both_3;
    // kernels/random_normal.go
    unsigned high_9 = __umulhi(chosen_37, shifted_7);
    unsigned high_10 = __umulhi(chosen_38, shifted_8);
    unsigned sum_25 = chosen_39 + (both_4 ? 7u : 5u);
    unsigned sum_26 = chosen_40 + (both_5 ? 7u : 5u);
    // kernels/random_normal.go
    unsigned either_1 = (product << both_2) | 2u;
    unsigned either_2 = (product_0 << both_2) | 2u;
    // kernels/random_normal.go
    unsigned both_6 = 30u & 31u;
    unsigned shifted_9 = product >> both_6;
    unsigned shifted_10 = product_0 >> both_6;
    // kernels/random_normal.go
    unsigned difference_11 = 0u - either_1;
    unsigned difference_12 = 0u - either_2;
    // kernels/random_normal.go
    unsigned high_11 = __umulhi(difference_11, difference_11);
    unsigned high_12 = __umulhi(difference_12, difference_12);
    // kernels/random_normal.go
    unsigned difference_13 = 10053783u - __umulhi(344144u - __umulhi(7370u, high_11), high_11);
    unsigned difference_14 = 10053783u - __umulhi(344144u - __umulhi(7370u, high_12), high_12);
    unsigned difference_15 = 1387197332u - __umulhi(171138563u - __umulhi(difference_13, high_11), high_11);
    unsigned difference_16 = 1387197332u - __umulhi(171138563u - __umulhi(difference_14, high_12), high_12);
    unsigned difference_17 = 3373259426u - __umulhi(difference_15, high_11);
    unsigned difference_18 = 3373259426u - __umulhi(difference_16, high_12);
    // kernels/random_normal.go
    unsigned high_13 = __umulhi(difference_11, difference_17);
    unsigned high_14 = __umulhi(difference_12, difference_18);
    unsigned high_15 = __umulhi(either_1, either_1);
    unsigned high_16 = __umulhi(either_2, either_2);
    // kernels/random_normal.go
    unsigned difference_19 = 10053783u - __umulhi(344144u - __umulhi(7370u, high_15), high_15);
    unsigned difference_20 = 10053783u - __umulhi(344144u - __umulhi(7370u, high_16), high_16);
    unsigned difference_21 = 1387197332u - __umulhi(171138563u - __umulhi(difference_19, high_15), high_15);
    unsigned difference_22 = 1387197332u - __umulhi(171138563u - __umulhi(difference_20, high_16), high_16);
    unsigned difference_23 = 3373259426u - __umulhi(difference_21, high_15);
    unsigned difference_24 = 3373259426u - __umulhi(difference_22, high_16);
    // kernels/random_normal.go
    unsigned high_17 = __umulhi(either_1, difference_23);
    unsigned high_18 = __umulhi(either_2, difference_24);
    // kernels/random_normal.go
    unsigned shifted_11 = 1u << ((sum_25 + 4294967295u) & 31u);
    unsigned shifted_12 = 1u << ((sum_26 + 4294967295u) & 31u);
    // kernels/random_normal.go
    unsigned both_7 = sum_25 & 31u;
    unsigned both_8 = sum_26 & 31u;
    int bits = int((__umulhi(high_9, high_13) + shifted_11) >> both_7);
    int bits_0 = int((__umulhi(high_10, high_14) + shifted_12) >> both_8);
    // kernels/random_normal.go
    int bits_1 = int((__umulhi(high_9, high_17) + shifted_11) >> both_7);
    int bits_2 = int((__umulhi(high_10, high_18) + shifted_12) >> both_8);
    // kernels/random_normal.go
    bool equal = (shifted_9 & 1u) == 1u;
    bool equal_0 = (shifted_10 & 1u) == 1u;
    // kernels/random_normal.go
    int chosen_41 = equal ? bits_1 : bits;
    int chosen_42 = equal_0 ? bits_2 : bits_0;
    int chosen_43 = equal ? bits : bits_1;
    int chosen_44 = equal_0 ? bits_0 : bits_2;
    // kernels/random_normal.go
    int chosen_45 = ((shifted_9 + 1u) & 2u) == 2u ? wrap_neg(chosen_41) : chosen_41;
    int chosen_46 = ((shifted_10 + 1u) & 2u) == 2u ? wrap_neg(chosen_42) : chosen_42;
    // kernels/random_normal.go
    int chosen_47 = shifted_9 >= 2u ? wrap_neg(chosen_43) : chosen_43;
    int chosen_48 = shifted_10 >= 2u ? wrap_neg(chosen_44) : chosen_44;
    // kernels/random_normal.go
    float product_3 = float(chosen_45) * 4.7683716e-07f;
    float product_4 = float(chosen_46) * 4.7683716e-07f;
    float product_5 = float(chosen_47) * 4.7683716e-07f;
    float product_6 = float(chosen_48) * 4.7683716e-07f;
    // kernels/random_normal.go
    unsigned either_3 = changed_37 | 1u;
    unsigned either_4 = changed_38 | 1u;
    // kernels/random_normal.go
    bool less_19 = either_3 < 65536u;
    bool less_20 = either_4 < 65536u;
    // kernels/random_normal.go
    unsigned chosen_49 = less_19 ? either_3 << both : either_3;
    unsigned chosen_50 = less_20 ? either_4 << both : either_4;
    unsigned chosen_51 = less_19 ? 16u : 0u;
    unsigned chosen_52 = less_20 ? 16u : 0u;
    // kernels/random_normal.go
    bool less_21 = chosen_49 < 16777216u;
    bool less_22 = chosen_50 < 16777216u;
    // kernels/random_normal.go
    unsigned chosen_53 = less_21 ? chosen_49 << both_0 : chosen_49;
    unsigned chosen_54 = less_22 ? chosen_50 << both_0 : chosen_50;
    unsigned chosen_55 = less_21 ? chosen_51 + 8u : chosen_51;
    unsigned chosen_56 = less_22 ? chosen_52 + 8u : chosen_52;
    // kernels/random_normal.go
    bool less_23 = chosen_53 < 268435456u;
    bool less_24 = chosen_54 < 268435456u;
    // kernels/random_normal.go
    unsigned chosen_57 = less_23 ? chosen_53 << both_1 : chosen_53;
    unsigned chosen_58 = less_24 ? chosen_54 << both_1 : chosen_54;
    unsigned chosen_59 = less_23 ? chosen_55 + 4u : chosen_55;
    unsigned chosen_60 = less_24 ? chosen_56 + 4u : chosen_56;
    // kernels/random_normal.go
    bool less_25 = chosen_57 < 1073741824u;
    bool less_26 = chosen_58 < 1073741824u;
    // kernels/random_normal.go
    unsigned chosen_61 = less_25 ? chosen_57 << both_2 : chosen_57;
    unsigned chosen_62 = less_26 ? chosen_58 << both_2 : chosen_58;
    unsigned chosen_63 = less_25 ? chosen_59 + 2u : chosen_59;
    unsigned chosen_64 = less_26 ? chosen_60 + 2u : chosen_60;
    // kernels/random_normal.go
    bool less_27 = chosen_61 < 2147483648u;
    bool less_28 = chosen_62 < 2147483648u;
    // kernels/random_normal.go
    unsigned chosen_65 = less_27 ? chosen_61 << both_3 : chosen_61;
    unsigned chosen_66 = less_28 ? chosen_62 << both_3 : chosen_62;
    unsigned chosen_67 = less_27 ? chosen_63 + 1u : chosen_63;
    unsigned chosen_68 = less_28 ? chosen_64 + 1u : chosen_64;
    // kernels/random_normal.go
    bool less_29 = chosen_65 < 3221225472u;
    bool less_30 = chosen_66 < 3221225472u;
    // kernels/random_normal.go
    unsigned chosen_69 = less_29 ? chosen_65 + __umulhi(chosen_65, 1431655765u) : chosen_65;
    unsigned chosen_70 = less_30 ? chosen_66 + __umulhi(chosen_66, 1431655765u) : chosen_66;
    // kernels/random_normal.go
    unsigned difference_25 = 0u - chosen_69;
    unsigned difference_26 = 0u - chosen_70;
    // kernels/random_normal.go
    unsigned high_19 = __umulhi(444783536u - __umulhi(1124302513u, difference_25), difference_25);
    unsigned high_20 = __umulhi(444783536u - __umulhi(1124302513u, difference_26), difference_26);
    unsigned difference_27 = 578627599u - high_19;
    unsigned difference_28 = 578627599u - high_20;
    // kernels/random_normal.go
    unsigned high_21 = __umulhi(__umulhi(difference_27, difference_25) + 300522885u, difference_25);
    unsigned high_22 = __umulhi(__umulhi(difference_28, difference_26) + 300522885u, difference_26);
    unsigned high_23 = __umulhi(__umulhi(high_21 + 436428952u, difference_25) + 536408076u, difference_25);
    unsigned high_24 = __umulhi(__umulhi(high_22 + 436428952u, difference_26) + 536408076u, difference_26);
    unsigned high_25 = __umulhi(__umulhi(high_23 + 715843190u, difference_25) + 1073741631u, difference_25);
    unsigned high_26 = __umulhi(__umulhi(high_24 + 715843190u, difference_26) + 1073741631u, difference_26);
    unsigned sum_27 = high_25 + 2147483648u;
    unsigned sum_28 = high_26 + 2147483648u;
    // kernels/random_normal.go
    unsigned high_27 = __umulhi(difference_25, sum_27);
    unsigned high_28 = __umulhi(difference_26, sum_28);
    // kernels/random_normal.go
    bool both_9 = chosen_67 == 0u && chosen_65 >= 3221225472u;
    bool both_10 = chosen_68 == 0u && chosen_66 >= 3221225472u;
    // kernels/random_normal.go
    unsigned sum_29 = chosen_67 * 93032640u + (less_29 ? 38612034u : 0u) + (high_27 >> both_1);
    unsigned sum_30 = chosen_68 * 93032640u + (less_30 ? 38612034u : 0u) + (high_28 >> both_1);
    // kernels/random_normal.go
    unsigned chosen_71 = both_9 ? high_27 : sum_29;
    unsigned chosen_72 = both_10 ? high_28 : sum_30;
    // kernels/random_normal.go
    bool less_31 = chosen_71 < 65536u;
    bool less_32 = chosen_72 < 65536u;
    // kernels/random_normal.go
    unsigned chosen_73 = less_31 ? chosen_71 << both : chosen_71;
    unsigned chosen_74 = less_32 ? chosen_72 << both : chosen_72;
    unsigned chosen_75 = less_31 ? 8u : 0u;
    unsigned chosen_76 = less_32 ? 8u : 0u;
    // kernels/random_normal.go
    bool less_33 = chosen_73 < 16777216u;
    bool less_34 = chosen_74 < 16777216u;
    // kernels/random_normal.go
    unsigned chosen_77 = less_33 ? chosen_73 << both_0 : chosen_73;
    unsigned chosen_78 = less_34 ? chosen_74 << both_0 : chosen_74;
    unsigned chosen_79 = less_33 ? chosen_75 + 4u : chosen_75;
    unsigned chosen_80 = less_34 ? chosen_76 + 4u : chosen_76;
    // kernels/random_normal.go
    bool less_35 = chosen_77 < 268435456u;
    bool less_36 = chosen_78 < 268435456u;
    // kernels/random_normal.go
    unsigned chosen_81 = less_35 ? chosen_77 << both_1 : chosen_77;
    unsigned chosen_82 = less_36 ? chosen_78 << both_1 : chosen_78;
    unsigned chosen_83 = less_35 ? chosen_79 + 2u : chosen_79;
    unsigned chosen_84 = less_36 ? chosen_80 + 2u : chosen_80;
    // kernels/random_normal.go
    bool less_37 = chosen_81 < 1073741824u;
    bool less_38 = chosen_82 < 1073741824u;
    // kernels/random_normal.go
    unsigned chosen_85 = less_37 ? chosen_81 << both_2 : chosen_81;
    unsigned chosen_86 = less_38 ? chosen_82 << both_2 : chosen_82;
    unsigned chosen_87 = less_37 ? chosen_83 + 1u : chosen_83;
    unsigned chosen_88 = less_38 ? chosen_84 + 1u : chosen_84;
    // kernels/random_normal.go
    unsigned difference_29 = 2289754408u - __umulhi(chosen_85, 1307280671u);
    unsigned difference_30 = 2289754408u - __umulhi(chosen_86, 1307280671u);
    // kernels/random_normal.go
    unsigned shifted_13 = __umulhi(__umulhi(difference_29, difference_29), chosen_85) << both_2;
    unsigned shifted_14 = __umulhi(__umulhi(difference_30, difference_30), chosen_86) << both_2;
    unsigned shifted_15 = __umulhi(difference_29, 3221225472u - shifted_13) << both_3;
    unsigned shifted_16 = __umulhi(difference_30, 3221225472u - shifted_14) << both_3;
    unsigned difference_31 = 3221225472u - (__umulhi(__umulhi(shifted_15, shifted_15), chosen_85) << both_2);
    unsigned difference_32 = 3221225472u - (__umulhi(__umulhi(shifted_16, shifted_16), chosen_86) << both_2);
    unsigned shifted_17 = __umulhi(shifted_15, difference_31) << both_3;
    unsigned shifted_18 = __umulhi(shifted_16, difference_32) << both_3;
    unsigned difference_33 = 3221225472u - (__umulhi(__umulhi(shifted_17, shifted_17), chosen_85) << both_2);
    unsigned difference_34 = 3221225472u - (__umulhi(__umulhi(shifted_18, shifted_18), chosen_86) << both_2);
    unsigned shifted_19 = __umulhi(shifted_17, difference_33) << both_3;
    unsigned shifted_20 = __umulhi(shifted_18, difference_34) << both_3;
    unsigned difference_35 = 3221225472u - (__umulhi(__umulhi(shifted_19, shifted_19), chosen_85) << both_2);
    unsigned difference_36 = 3221225472u - (__umulhi(__umulhi(shifted_20, shifted_20), chosen_86) << both_2);
    unsigned shifted_21 = __umulhi(shifted_19, difference_35) << both_3;
    unsigned shifted_22 = __umulhi(shifted_20, difference_36) << both_3;
    // kernels/random_normal.go
    unsigned high_29 = __umulhi(chosen_85, shifted_21);
    unsigned high_30 = __umulhi(chosen_86, shifted_22);
    unsigned sum_31 = chosen_87 + (both_9 ? 7u : 5u);
    unsigned sum_32 = chosen_88 + (both_10 ? 7u : 5u);
    // kernels/random_normal.go
    unsigned either_5 = (product_1 << both_2) | 2u;
    unsigned either_6 = (product_2 << both_2) | 2u;
    // kernels/random_normal.go
    unsigned shifted_23 = product_1 >> both_6;
    unsigned shifted_24 = product_2 >> both_6;
    // kernels/random_normal.go
    unsigned difference_37 = 0u - either_5;
    unsigned difference_38 = 0u - either_6;
    // kernels/random_normal.go
    unsigned high_31 = __umulhi(difference_37, difference_37);
    unsigned high_32 = __umulhi(difference_38, difference_38);
    // kernels/random_normal.go
    unsigned difference_39 = 10053783u - __umulhi(344144u - __umulhi(7370u, high_31), high_31);
    unsigned difference_40 = 10053783u - __umulhi(344144u - __umulhi(7370u, high_32), high_32);
    unsigned difference_41 = 1387197332u - __umulhi(171138563u - __umulhi(difference_39, high_31), high_31);
    unsigned difference_42 = 1387197332u - __umulhi(171138563u - __umulhi(difference_40, high_32), high_32);
    unsigned difference_43 = 3373259426u - __umulhi(difference_41, high_31);
    unsigned difference_44 = 3373259426u - __umulhi(difference_42, high_32);
    // kernels/random_normal.go
    unsigned high_33 = __umulhi(difference_37, difference_43);
    unsigned high_34 = __umulhi(difference_38, difference_44);
    unsigned high_35 = __umulhi(either_5, either_5);
    unsigned high_36 = __umulhi(either_6, either_6);
    // kernels/random_normal.go
    unsigned difference_45 = 10053783u - __umulhi(344144u - __umulhi(7370u, high_35), high_35);
    unsigned difference_46 = 10053783u - __umulhi(344144u - __umulhi(7370u, high_36), high_36);
    unsigned difference_47 = 1387197332u - __umulhi(171138563u - __umulhi(difference_45, high_35), high_35);
    unsigned difference_48 = 1387197332u - __umulhi(171138563u - __umulhi(difference_46, high_36), high_36);
    unsigned difference_49 = 3373259426u - __umulhi(difference_47, high_35);
    unsigned difference_50 = 3373259426u - __umulhi(difference_48, high_36);
    // kernels/random_normal.go
    unsigned high_37 = __umulhi(either_5, difference_49);
    unsigned high_38 = __umulhi(either_6, difference_50);
    // kernels/random_normal.go
    unsigned shifted_25 = 1u << ((sum_31 + 4294967295u) & 31u);
    unsigned shifted_26 = 1u << ((sum_32 + 4294967295u) & 31u);
    // kernels/random_normal.go
    unsigned both_11 = sum_31 & 31u;
    unsigned both_12 = sum_32 & 31u;
    int bits_3 = int((__umulhi(high_29, high_33) + shifted_25) >> both_11);
    int bits_4 = int((__umulhi(high_30, high_34) + shifted_26) >> both_12);
    // kernels/random_normal.go
    int bits_5 = int((__umulhi(high_29, high_37) + shifted_25) >> both_11);
    int bits_6 = int((__umulhi(high_30, high_38) + shifted_26) >> both_12);
    // kernels/random_normal.go
    bool equal_1 = (shifted_23 & 1u) == 1u;
    bool equal_2 = (shifted_24 & 1u) == 1u;
    // kernels/random_normal.go
    int chosen_89 = equal_1 ? bits_5 : bits_3;
    int chosen_90 = equal_2 ? bits_6 : bits_4;
    int chosen_91 = equal_1 ? bits_3 : bits_5;
    int chosen_92 = equal_2 ? bits_4 : bits_6;
    // kernels/random_normal.go
    int chosen_93 = ((shifted_23 + 1u) & 2u) == 2u ? wrap_neg(chosen_89) : chosen_89;
    int chosen_94 = ((shifted_24 + 1u) & 2u) == 2u ? wrap_neg(chosen_90) : chosen_90;
    // kernels/random_normal.go
    int chosen_95 = shifted_23 >= 2u ? wrap_neg(chosen_91) : chosen_91;
    int chosen_96 = shifted_24 >= 2u ? wrap_neg(chosen_92) : chosen_92;
    // kernels/random_normal.go
    float product_7 = float(chosen_93) * 4.7683716e-07f;
    float product_8 = float(chosen_94) * 4.7683716e-07f;
    float product_9 = float(chosen_95) * 4.7683716e-07f;
    float product_10 = float(chosen_96) * 4.7683716e-07f;
    // kernels/philox.go
    f32x4 lanes = f32x4{product_3, product_5, product_7, product_9};
    f32x4 lanes_0 = f32x4{product_4, product_6, product_8, product_10};
    // kernels/random_kernel.go
    int out_start0 = program * 1024;
    int lane = thread << 2;
    int offset_0 = out_start0 + lane;
    int index = out_offset + offset_0;
    unsigned bits_7 = unsigned(out_size0);
    if (unsigned(offset_0) < bits_7) {
        *(f32x4*)&out[index] = lanes;
    }
    if (unsigned(offset_0 + 512) < bits_7) {
        *(f32x4*)&out[index + 512] = lanes_0;
    }
}
