@group(0) @binding(0) var<storage, read_write> out: array<vec4<f32>>;

struct Params {
    out_offset: i32,
    out_size0: i32,
    key0: u32,
    key1: u32,
    first0: u32,
    first1: u32,
}
@group(0) @binding(1) var<uniform> params: Params;

// The high 32 bits of x * y, from products of 16 bits.
fn mulhi(x: u32, y: u32) -> u32 {
    let low = x & 0xffffu;
    let high = x >> 16u;
    let first = high * (y & 0xffffu) + ((low * (y & 0xffffu)) >> 16u);
    let second = low * (y >> 16u) + (first & 0xffffu);
    return high * (y >> 16u) + (first >> 16u) + (second >> 16u);
}

@compute @workgroup_size(128, 1, 1)
fn normal(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/random_kernel.go
    let offset = program * 256;
    // kernels/philox.go
    let sum = u32(thread + offset) + params.first0;
    let sum_0 = u32(thread + 128 + offset) + params.first0;
    // kernels/philox.go
    let chosen = select(0u, 1u, sum < params.first0);
    let chosen_0 = select(0u, 1u, sum_0 < params.first0);
    // kernels/philox.go
    let sum_1 = chosen + params.first1;
    let sum_2 = chosen_0 + params.first1;
    // kernels/philox.go
    let changed = sum_1 ^ params.key0;
    let changed_0 = sum_2 ^ params.key0;
    // kernels/philox.go
    let changed_1 = mulhi(sum, 3528531795u) ^ params.key1;
    let changed_2 = mulhi(sum_0, 3528531795u) ^ params.key1;
    // kernels/philox.go
    let sum_3 = params.key0 + 2654435769u;
    let sum_4 = params.key1 + 3144134277u;
    // kernels/philox.go
    let changed_3 = mulhi(changed_1, 3449720151u) ^ sum_3;
    let changed_4 = mulhi(changed_2, 3449720151u) ^ sum_3;
    // kernels/philox.go
    let changed_5 = mulhi(changed, 3528531795u) ^ (sum * 3528531795u) ^ sum_4;
    let changed_6 = mulhi(changed_0, 3528531795u) ^ (sum_0 * 3528531795u) ^ sum_4;
    // kernels/philox.go
    let sum_5 = params.key0 + 1013904242u;
    let sum_6 = params.key1 + 1993301258u;
    // kernels/philox.go
    let changed_7 = mulhi(changed_5, 3449720151u) ^ (changed_1 * 3449720151u) ^ sum_5;
    let changed_8 = mulhi(changed_6, 3449720151u) ^ (changed_2 * 3449720151u) ^ sum_5;
    // kernels/philox.go
    let changed_9 = mulhi(changed_3, 3528531795u) ^ (changed * 3528531795u) ^ sum_6;
    let changed_10 = mulhi(changed_4, 3528531795u) ^ (changed_0 * 3528531795u) ^ sum_6;
    // kernels/philox.go
    let sum_7 = params.key0 + 3668340011u;
    let sum_8 = params.key1 + 842468239u;
    // kernels/philox.go
    let changed_11 = mulhi(changed_9, 3449720151u) ^ (changed_5 * 3449720151u) ^ sum_7;
    let changed_12 = mulhi(changed_10, 3449720151u) ^ (changed_6 * 3449720151u) ^ sum_7;
    // kernels/philox.go
    let changed_13 = mulhi(changed_7, 3528531795u) ^ (changed_3 * 3528531795u) ^ sum_8;
    let changed_14 = mulhi(changed_8, 3528531795u) ^ (changed_4 * 3528531795u) ^ sum_8;
    // kernels/philox.go
    let sum_9 = params.key0 + 2027808484u;
    let sum_10 = params.key1 + 3986602516u;
    // kernels/philox.go
    let changed_15 = mulhi(changed_13, 3449720151u) ^ (changed_9 * 3449720151u) ^ sum_9;
    let changed_16 = mulhi(changed_14, 3449720151u) ^ (changed_10 * 3449720151u) ^ sum_9;
    // kernels/philox.go
    let changed_17 = mulhi(changed_11, 3528531795u) ^ (changed_7 * 3528531795u) ^ sum_10;
    let changed_18 = mulhi(changed_12, 3528531795u) ^ (changed_8 * 3528531795u) ^ sum_10;
    // kernels/philox.go
    let sum_11 = params.key0 + 387276957u;
    let sum_12 = params.key1 + 2835769497u;
    // kernels/philox.go
    let changed_19 = mulhi(changed_17, 3449720151u) ^ (changed_13 * 3449720151u) ^ sum_11;
    let changed_20 = mulhi(changed_18, 3449720151u) ^ (changed_14 * 3449720151u) ^ sum_11;
    // kernels/philox.go
    let changed_21 = mulhi(changed_15, 3528531795u) ^ (changed_11 * 3528531795u) ^ sum_12;
    let changed_22 = mulhi(changed_16, 3528531795u) ^ (changed_12 * 3528531795u) ^ sum_12;
    // kernels/philox.go
    let sum_13 = params.key0 + 3041712726u;
    let sum_14 = params.key1 + 1684936478u;
    // kernels/philox.go
    let changed_23 = mulhi(changed_21, 3449720151u) ^ (changed_17 * 3449720151u) ^ sum_13;
    let changed_24 = mulhi(changed_22, 3449720151u) ^ (changed_18 * 3449720151u) ^ sum_13;
    // kernels/philox.go
    let changed_25 = mulhi(changed_19, 3528531795u) ^ (changed_15 * 3528531795u) ^ sum_14;
    let changed_26 = mulhi(changed_20, 3528531795u) ^ (changed_16 * 3528531795u) ^ sum_14;
    // kernels/philox.go
    let sum_15 = params.key0 + 1401181199u;
    let sum_16 = params.key1 + 534103459u;
    // kernels/philox.go
    let changed_27 = mulhi(changed_25, 3449720151u) ^ (changed_21 * 3449720151u) ^ sum_15;
    let changed_28 = mulhi(changed_26, 3449720151u) ^ (changed_22 * 3449720151u) ^ sum_15;
    // kernels/philox.go
    let changed_29 = mulhi(changed_23, 3528531795u) ^ (changed_19 * 3528531795u) ^ sum_16;
    let changed_30 = mulhi(changed_24, 3528531795u) ^ (changed_20 * 3528531795u) ^ sum_16;
    // kernels/philox.go
    let sum_17 = params.key0 + 4055616968u;
    let sum_18 = params.key1 + 3678237736u;
    // kernels/philox.go
    let changed_31 = mulhi(changed_29, 3449720151u) ^ (changed_25 * 3449720151u) ^ sum_17;
    let changed_32 = mulhi(changed_30, 3449720151u) ^ (changed_26 * 3449720151u) ^ sum_17;
    // kernels/philox.go
    let changed_33 = mulhi(changed_27, 3528531795u) ^ (changed_23 * 3528531795u) ^ sum_18;
    let changed_34 = mulhi(changed_28, 3528531795u) ^ (changed_24 * 3528531795u) ^ sum_18;
    // kernels/philox.go
    let sum_19 = params.key0 + 2415085441u;
    let sum_20 = params.key1 + 2527404717u;
    // kernels/philox.go
    let changed_35 = mulhi(changed_33, 3449720151u) ^ (changed_29 * 3449720151u) ^ sum_19;
    let changed_36 = mulhi(changed_34, 3449720151u) ^ (changed_30 * 3449720151u) ^ sum_19;
    let product = changed_33 * 3449720151u;
    let product_0 = changed_34 * 3449720151u;
    // kernels/philox.go
    let changed_37 = mulhi(changed_31, 3528531795u) ^ (changed_27 * 3528531795u) ^ sum_20;
    let changed_38 = mulhi(changed_32, 3528531795u) ^ (changed_28 * 3528531795u) ^ sum_20;
    let product_1 = changed_31 * 3528531795u;
    let product_2 = changed_32 * 3528531795u;
    // kernels/random_normal.go
    let either = changed_35 | 1u;
    let either_0 = changed_36 | 1u;
    // kernels/random_normal.go
    let less = either < 65536u;
    let less_0 = either_0 < 65536u;
    // kernels/random_normal.go
    let value = 16u;
    let both = value & 31u;
    let chosen_1 = select(either, either << both, less);
    let chosen_2 = select(either_0, either_0 << both, less_0);
    let chosen_3 = select(0u, 16u, less);
    let chosen_4 = select(0u, 16u, less_0);
    // kernels/random_normal.go
    let less_1 = chosen_1 < 16777216u;
    let less_2 = chosen_2 < 16777216u;
    // kernels/random_normal.go
    let value_0 = 8u;
    let both_0 = value_0 & 31u;
    let chosen_5 = select(chosen_1, chosen_1 << both_0, less_1);
    let chosen_6 = select(chosen_2, chosen_2 << both_0, less_2);
    let chosen_7 = select(chosen_3, chosen_3 + 8u, less_1);
    let chosen_8 = select(chosen_4, chosen_4 + 8u, less_2);
    // kernels/random_normal.go
    let less_3 = chosen_5 < 268435456u;
    let less_4 = chosen_6 < 268435456u;
    // kernels/random_normal.go
    let value_1 = 4u;
    let both_1 = value_1 & 31u;
    let chosen_9 = select(chosen_5, chosen_5 << both_1, less_3);
    let chosen_10 = select(chosen_6, chosen_6 << both_1, less_4);
    let chosen_11 = select(chosen_7, chosen_7 + 4u, less_3);
    let chosen_12 = select(chosen_8, chosen_8 + 4u, less_4);
    // kernels/random_normal.go
    let less_5 = chosen_9 < 1073741824u;
    let less_6 = chosen_10 < 1073741824u;
    // kernels/random_normal.go
    let value_2 = 2u;
    let both_2 = value_2 & 31u;
    let chosen_13 = select(chosen_9, chosen_9 << both_2, less_5);
    let chosen_14 = select(chosen_10, chosen_10 << both_2, less_6);
    let chosen_15 = select(chosen_11, chosen_11 + 2u, less_5);
    let chosen_16 = select(chosen_12, chosen_12 + 2u, less_6);
    // kernels/random_normal.go
    let less_7 = chosen_13 < 2147483648u;
    let less_8 = chosen_14 < 2147483648u;
    // kernels/random_normal.go
    let value_3 = 1u;
    let both_3 = value_3 & 31u;
    let chosen_17 = select(chosen_13, chosen_13 << both_3, less_7);
    let chosen_18 = select(chosen_14, chosen_14 << both_3, less_8);
    let chosen_19 = select(chosen_15, chosen_15 + 1u, less_7);
    let chosen_20 = select(chosen_16, chosen_16 + 1u, less_8);
    // kernels/random_normal.go
    let less_9 = chosen_17 < 3221225472u;
    let less_10 = chosen_18 < 3221225472u;
    // kernels/random_normal.go
    let chosen_21 = select(chosen_17, chosen_17 + mulhi(chosen_17, 1431655765u), less_9);
    let chosen_22 = select(chosen_18, chosen_18 + mulhi(chosen_18, 1431655765u), less_10);
    // kernels/random_normal.go
    let difference = 0u - chosen_21;
    let difference_0 = 0u - chosen_22;
    // kernels/random_normal.go
    let high = mulhi(444783536u - mulhi(1124302513u, difference_0), difference_0);
    let difference_1 = 578627599u - mulhi(444783536u - mulhi(1124302513u, difference), difference);
    let difference_2 = 578627599u - high;
    // kernels/random_normal.go
    let high_0 = mulhi(mulhi(difference_2, difference_0) + 300522885u, difference_0);
    let sum_21 = mulhi(mulhi(difference_1, difference) + 300522885u, difference) + 436428952u;
    let high_1 = mulhi(mulhi(high_0 + 436428952u, difference_0) + 536408076u, difference_0);
    let sum_22 = mulhi(mulhi(sum_21, difference) + 536408076u, difference) + 715843190u;
    let high_2 = mulhi(mulhi(high_1 + 715843190u, difference_0) + 1073741631u, difference_0);
    let sum_23 = mulhi(mulhi(sum_22, difference) + 1073741631u, difference) + 2147483648u;
    let sum_24 = high_2 + 2147483648u;
    // kernels/random_normal.go
    let high_3 = mulhi(difference, sum_23);
    let high_4 = mulhi(difference_0, sum_24);
    // kernels/random_normal.go
    let both_4 = chosen_19 == 0u && chosen_17 >= 3221225472u;
    let both_5 = chosen_20 == 0u && chosen_18 >= 3221225472u;
    // kernels/random_normal.go
    let sum_25 = chosen_19 * 93032640u + select(0u, 38612034u, less_9) + (high_3 >> both_1);
    let sum_26 = chosen_20 * 93032640u + select(0u, 38612034u, less_10) + (high_4 >> both_1);
    // kernels/random_normal.go
    let chosen_23 = select(sum_25, high_3, both_4);
    let chosen_24 = select(sum_26, high_4, both_5);
    // kernels/random_normal.go
    let less_11 = chosen_23 < 65536u;
    let less_12 = chosen_24 < 65536u;
    // kernels/random_normal.go
    let chosen_25 = select(chosen_23, chosen_23 << both, less_11);
    let chosen_26 = select(chosen_24, chosen_24 << both, less_12);
    let chosen_27 = select(0u, 8u, less_11);
    let chosen_28 = select(0u, 8u, less_12);
    // kernels/random_normal.go
    let less_13 = chosen_25 < 16777216u;
    let less_14 = chosen_26 < 16777216u;
    // kernels/random_normal.go
    let chosen_29 = select(chosen_25, chosen_25 << both_0, less_13);
    let chosen_30 = select(chosen_26, chosen_26 << both_0, less_14);
    let chosen_31 = select(chosen_27, chosen_27 + 4u, less_13);
    let chosen_32 = select(chosen_28, chosen_28 + 4u, less_14);
    // kernels/random_normal.go
    let less_15 = chosen_29 < 268435456u;
    let less_16 = chosen_30 < 268435456u;
    // kernels/random_normal.go
    let chosen_33 = select(chosen_29, chosen_29 << both_1, less_15);
    let chosen_34 = select(chosen_30, chosen_30 << both_1, less_16);
    let chosen_35 = select(chosen_31, chosen_31 + 2u, less_15);
    let chosen_36 = select(chosen_32, chosen_32 + 2u, less_16);
    // kernels/random_normal.go
    let less_17 = chosen_33 < 1073741824u;
    let less_18 = chosen_34 < 1073741824u;
    // kernels/random_normal.go
    let chosen_37 = select(chosen_33, chosen_33 << both_2, less_17);
    let chosen_38 = select(chosen_34, chosen_34 << both_2, less_18);
    let chosen_39 = select(chosen_35, chosen_35 + 1u, less_17);
    let chosen_40 = select(chosen_36, chosen_36 + 1u, less_18);
    // kernels/random_normal.go
    let difference_3 = 2289754408u - mulhi(chosen_37, 1307280671u);
    let difference_4 = 2289754408u - mulhi(chosen_38, 1307280671u);
    // kernels/random_normal.go
    let difference_5 = 3221225472u - (mulhi(mulhi(difference_3, difference_3), chosen_37) << both_2);
    let difference_6 = 3221225472u - (mulhi(mulhi(difference_4, difference_4), chosen_38) << both_2);
    let shifted = mulhi(difference_3, difference_5) << both_3;
    let shifted_0 = mulhi(difference_4, difference_6) << both_3;
    let difference_7 = 3221225472u - (mulhi(mulhi(shifted, shifted), chosen_37) << both_2);
    let difference_8 = 3221225472u - (mulhi(mulhi(shifted_0, shifted_0), chosen_38) << both_2);
    let shifted_1 = mulhi(shifted, difference_7) << both_3;
    let shifted_2 = mulhi(shifted_0, difference_8) << both_3;
    let difference_9 = 3221225472u - (mulhi(mulhi(shifted_1, shifted_1), chosen_37) << both_2);
    let difference_10 = 3221225472u - (mulhi(mulhi(shifted_2, shifted_2), chosen_38) << both_2);
    let shifted_3 = mulhi(shifted_1, difference_9) << both_3;
    let shifted_4 = mulhi(shifted_2, difference_10) << both_3;
    let difference_11 = 3221225472u - (mulhi(mulhi(shifted_3, shifted_3), chosen_37) << both_2);
    let difference_12 = 3221225472u - (mulhi(mulhi(shifted_4, shifted_4), chosen_38) << both_2);
    let shifted_5 = mulhi(shifted_3, difference_11) << both_3;
    let shifted_6 = mulhi(shifted_4, difference_12) << both_3;
    // kernels/random_normal.go
    let high_5 = mulhi(chosen_37, shifted_5);
    let high_6 = mulhi(chosen_38, shifted_6);
    let sum_27 = chosen_39 + select(5u, 7u, both_4);
    let sum_28 = chosen_40 + select(5u, 7u, both_5);
    // kernels/random_normal.go
    let either_1 = (product << both_2) | 2u;
    let either_2 = (product_0 << both_2) | 2u;
    // kernels/random_normal.go
    let value_4 = 30u;
    let both_6 = value_4 & 31u;
    let shifted_7 = product >> both_6;
    let shifted_8 = product_0 >> both_6;
    // kernels/random_normal.go
    let difference_13 = 0u - either_1;
    let difference_14 = 0u - either_2;
    // kernels/random_normal.go
    let high_7 = mulhi(difference_13, difference_13);
    let high_8 = mulhi(difference_14, difference_14);
    // kernels/random_normal.go
    let high_9 = mulhi(10053783u - mulhi(344144u - mulhi(7370u, high_7), high_7), high_7);
    let high_10 = mulhi(10053783u - mulhi(344144u - mulhi(7370u, high_8), high_8), high_8);
    let difference_15 = 3373259426u - mulhi(1387197332u - mulhi(171138563u - high_9, high_7), high_7);
    let difference_16 = 3373259426u - mulhi(1387197332u - mulhi(171138563u - high_10, high_8), high_8);
    // kernels/random_normal.go
    let high_11 = mulhi(difference_13, difference_15);
    let high_12 = mulhi(difference_14, difference_16);
    let high_13 = mulhi(either_1, either_1);
    let high_14 = mulhi(either_2, either_2);
    // kernels/random_normal.go
    let high_15 = mulhi(10053783u - mulhi(344144u - mulhi(7370u, high_13), high_13), high_13);
    let high_16 = mulhi(10053783u - mulhi(344144u - mulhi(7370u, high_14), high_14), high_14);
    let high_17 = mulhi(1387197332u - mulhi(171138563u - high_15, high_13), high_13);
    let high_18 = mulhi(1387197332u - mulhi(171138563u - high_16, high_14), high_14);
    let difference_17 = 3373259426u - high_17;
    let difference_18 = 3373259426u - high_18;
    // kernels/random_normal.go
    let high_19 = mulhi(either_1, difference_17);
    let high_20 = mulhi(either_2, difference_18);
    // kernels/random_normal.go
    let shifted_9 = 1u << ((sum_27 + 4294967295u) & 31u);
    let shifted_10 = 1u << ((sum_28 + 4294967295u) & 31u);
    // kernels/random_normal.go
    let both_7 = sum_27 & 31u;
    let both_8 = sum_28 & 31u;
    let bits = bitcast<i32>((mulhi(high_5, high_11) + shifted_9) >> both_7);
    let bits_0 = bitcast<i32>((mulhi(high_6, high_12) + shifted_10) >> both_8);
    // kernels/random_normal.go
    let bits_1 = bitcast<i32>((mulhi(high_5, high_19) + shifted_9) >> both_7);
    let bits_2 = bitcast<i32>((mulhi(high_6, high_20) + shifted_10) >> both_8);
    // kernels/random_normal.go
    let equal = (shifted_7 & 1u) == 1u;
    let equal_0 = (shifted_8 & 1u) == 1u;
    // kernels/random_normal.go
    let chosen_41 = select(bits, bits_1, equal);
    let chosen_42 = select(bits_0, bits_2, equal_0);
    let chosen_43 = select(bits_1, bits, equal);
    let chosen_44 = select(bits_2, bits_0, equal_0);
    // kernels/random_normal.go
    let chosen_45 = select(chosen_41, -chosen_41, ((shifted_7 + 1u) & 2u) == 2u);
    let chosen_46 = select(chosen_42, -chosen_42, ((shifted_8 + 1u) & 2u) == 2u);
    // kernels/random_normal.go
    let chosen_47 = select(chosen_43, -chosen_43, shifted_7 >= 2u);
    let chosen_48 = select(chosen_44, -chosen_44, shifted_8 >= 2u);
    // kernels/random_normal.go
    let product_3 = f32(chosen_45) * 4.7683716e-07;
    let product_4 = f32(chosen_46) * 4.7683716e-07;
    let product_5 = f32(chosen_47) * 4.7683716e-07;
    let product_6 = f32(chosen_48) * 4.7683716e-07;
    // kernels/random_normal.go
    let either_3 = changed_37 | 1u;
    let either_4 = changed_38 | 1u;
    // kernels/random_normal.go
    let less_19 = either_3 < 65536u;
    let less_20 = either_4 < 65536u;
    // kernels/random_normal.go
    let chosen_49 = select(either_3, either_3 << both, less_19);
    let chosen_50 = select(either_4, either_4 << both, less_20);
    let chosen_51 = select(0u, 16u, less_19);
    let chosen_52 = select(0u, 16u, less_20);
    // kernels/random_normal.go
    let less_21 = chosen_49 < 16777216u;
    let less_22 = chosen_50 < 16777216u;
    // kernels/random_normal.go
    let chosen_53 = select(chosen_49, chosen_49 << both_0, less_21);
    let chosen_54 = select(chosen_50, chosen_50 << both_0, less_22);
    let chosen_55 = select(chosen_51, chosen_51 + 8u, less_21);
    let chosen_56 = select(chosen_52, chosen_52 + 8u, less_22);
    // kernels/random_normal.go
    let less_23 = chosen_53 < 268435456u;
    let less_24 = chosen_54 < 268435456u;
    // kernels/random_normal.go
    let chosen_57 = select(chosen_53, chosen_53 << both_1, less_23);
    let chosen_58 = select(chosen_54, chosen_54 << both_1, less_24);
    let chosen_59 = select(chosen_55, chosen_55 + 4u, less_23);
    let chosen_60 = select(chosen_56, chosen_56 + 4u, less_24);
    // kernels/random_normal.go
    let less_25 = chosen_57 < 1073741824u;
    let less_26 = chosen_58 < 1073741824u;
    // kernels/random_normal.go
    let chosen_61 = select(chosen_57, chosen_57 << both_2, less_25);
    let chosen_62 = select(chosen_58, chosen_58 << both_2, less_26);
    let chosen_63 = select(chosen_59, chosen_59 + 2u, less_25);
    let chosen_64 = select(chosen_60, chosen_60 + 2u, less_26);
    // kernels/random_normal.go
    let less_27 = chosen_61 < 2147483648u;
    let less_28 = chosen_62 < 2147483648u;
    // kernels/random_normal.go
    let chosen_65 = select(chosen_61, chosen_61 << both_3, less_27);
    let chosen_66 = select(chosen_62, chosen_62 << both_3, less_28);
    let chosen_67 = select(chosen_63, chosen_63 + 1u, less_27);
    let chosen_68 = select(chosen_64, chosen_64 + 1u, less_28);
    // kernels/random_normal.go
    let less_29 = chosen_65 < 3221225472u;
    let less_30 = chosen_66 < 3221225472u;
    // kernels/random_normal.go
    let chosen_69 = select(chosen_65, chosen_65 + mulhi(chosen_65, 1431655765u), less_29);
    let chosen_70 = select(chosen_66, chosen_66 + mulhi(chosen_66, 1431655765u), less_30);
    // kernels/random_normal.go
    let difference_19 = 0u - chosen_69;
    let difference_20 = 0u - chosen_70;
    // kernels/random_normal.go
    let high_21 = mulhi(444783536u - mulhi(1124302513u, difference_19), difference_19);
    let high_22 = mulhi(444783536u - mulhi(1124302513u, difference_20), difference_20);
    let difference_21 = 578627599u - high_21;
    let difference_22 = 578627599u - high_22;
    // kernels/random_normal.go
    let high_23 = mulhi(mulhi(difference_21, difference_19) + 300522885u, difference_19);
    let high_24 = mulhi(mulhi(difference_22, difference_20) + 300522885u, difference_20);
    let high_25 = mulhi(mulhi(high_23 + 436428952u, difference_19) + 536408076u, difference_19);
    let high_26 = mulhi(mulhi(high_24 + 436428952u, difference_20) + 536408076u, difference_20);
    let high_27 = mulhi(mulhi(high_25 + 715843190u, difference_19) + 1073741631u, difference_19);
    let high_28 = mulhi(mulhi(high_26 + 715843190u, difference_20) + 1073741631u, difference_20);
    let sum_29 = high_27 + 2147483648u;
    let sum_30 = high_28 + 2147483648u;
    // kernels/random_normal.go
    let high_29 = mulhi(difference_19, sum_29);
    let high_30 = mulhi(difference_20, sum_30);
    // kernels/random_normal.go
    let both_9 = chosen_67 == 0u && chosen_65 >= 3221225472u;
    let both_10 = chosen_68 == 0u && chosen_66 >= 3221225472u;
    // kernels/random_normal.go
    let sum_31 = chosen_67 * 93032640u + select(0u, 38612034u, less_29) + (high_29 >> both_1);
    let sum_32 = chosen_68 * 93032640u + select(0u, 38612034u, less_30) + (high_30 >> both_1);
    // kernels/random_normal.go
    let chosen_71 = select(sum_31, high_29, both_9);
    let chosen_72 = select(sum_32, high_30, both_10);
    // kernels/random_normal.go
    let less_31 = chosen_71 < 65536u;
    let less_32 = chosen_72 < 65536u;
    // kernels/random_normal.go
    let chosen_73 = select(chosen_71, chosen_71 << both, less_31);
    let chosen_74 = select(chosen_72, chosen_72 << both, less_32);
    let chosen_75 = select(0u, 8u, less_31);
    let chosen_76 = select(0u, 8u, less_32);
    // kernels/random_normal.go
    let less_33 = chosen_73 < 16777216u;
    let less_34 = chosen_74 < 16777216u;
    // kernels/random_normal.go
    let chosen_77 = select(chosen_73, chosen_73 << both_0, less_33);
    let chosen_78 = select(chosen_74, chosen_74 << both_0, less_34);
    let chosen_79 = select(chosen_75, chosen_75 + 4u, less_33);
    let chosen_80 = select(chosen_76, chosen_76 + 4u, less_34);
    // kernels/random_normal.go
    let less_35 = chosen_77 < 268435456u;
    let less_36 = chosen_78 < 268435456u;
    // kernels/random_normal.go
    let chosen_81 = select(chosen_77, chosen_77 << both_1, less_35);
    let chosen_82 = select(chosen_78, chosen_78 << both_1, less_36);
    let chosen_83 = select(chosen_79, chosen_79 + 2u, less_35);
    let chosen_84 = select(chosen_80, chosen_80 + 2u, less_36);
    // kernels/random_normal.go
    let less_37 = chosen_81 < 1073741824u;
    let less_38 = chosen_82 < 1073741824u;
    // kernels/random_normal.go
    let chosen_85 = select(chosen_81, chosen_81 << both_2, less_37);
    let chosen_86 = select(chosen_82, chosen_82 << both_2, less_38);
    let chosen_87 = select(chosen_83, chosen_83 + 1u, less_37);
    let chosen_88 = select(chosen_84, chosen_84 + 1u, less_38);
    // kernels/random_normal.go
    let difference_23 = 2289754408u - mulhi(chosen_85, 1307280671u);
    let difference_24 = 2289754408u - mulhi(chosen_86, 1307280671u);
    // kernels/random_normal.go
    let difference_25 = 3221225472u - (mulhi(mulhi(difference_23, difference_23), chosen_85) << both_2);
    let difference_26 = 3221225472u - (mulhi(mulhi(difference_24, difference_24), chosen_86) << both_2);
    let shifted_11 = mulhi(difference_23, difference_25) << both_3;
    let shifted_12 = mulhi(difference_24, difference_26) << both_3;
    let difference_27 = 3221225472u - (mulhi(mulhi(shifted_11, shifted_11), chosen_85) << both_2);
    let difference_28 = 3221225472u - (mulhi(mulhi(shifted_12, shifted_12), chosen_86) << both_2);
    let shifted_13 = mulhi(shifted_11, difference_27) << both_3;
    let shifted_14 = mulhi(shifted_12, difference_28) << both_3;
    let difference_29 = 3221225472u - (mulhi(mulhi(shifted_13, shifted_13), chosen_85) << both_2);
    let difference_30 = 3221225472u - (mulhi(mulhi(shifted_14, shifted_14), chosen_86) << both_2);
    let shifted_15 = mulhi(shifted_13, difference_29) << both_3;
    let shifted_16 = mulhi(shifted_14, difference_30) << both_3;
    let difference_31 = 3221225472u - (mulhi(mulhi(shifted_15, shifted_15), chosen_85) << both_2);
    let difference_32 = 3221225472u - (mulhi(mulhi(shifted_16, shifted_16), chosen_86) << both_2);
    let shifted_17 = mulhi(shifted_15, difference_31) << both_3;
    let shifted_18 = mulhi(shifted_16, difference_32) << both_3;
    // kernels/random_normal.go
    let high_31 = mulhi(chosen_85, shifted_17);
    let high_32 = mulhi(chosen_86, shifted_18);
    let sum_33 = chosen_87 + select(5u, 7u, both_9);
    let sum_34 = chosen_88 + select(5u, 7u, both_10);
    // kernels/random_normal.go
    let either_5 = (product_1 << both_2) | 2u;
    let either_6 = (product_2 << both_2) | 2u;
    // kernels/random_normal.go
    let shifted_19 = product_1 >> both_6;
    let shifted_20 = product_2 >> both_6;
    // kernels/random_normal.go
    let difference_33 = 0u - either_5;
    let difference_34 = 0u - either_6;
    // kernels/random_normal.go
    let high_33 = mulhi(difference_33, difference_33);
    let high_34 = mulhi(difference_34, difference_34);
    // kernels/random_normal.go
    let high_35 = mulhi(10053783u - mulhi(344144u - mulhi(7370u, high_33), high_33), high_33);
    let high_36 = mulhi(10053783u - mulhi(344144u - mulhi(7370u, high_34), high_34), high_34);
    let high_37 = mulhi(1387197332u - mulhi(171138563u - high_35, high_33), high_33);
    let high_38 = mulhi(1387197332u - mulhi(171138563u - high_36, high_34), high_34);
    let difference_35 = 3373259426u - high_37;
    let difference_36 = 3373259426u - high_38;
    // kernels/random_normal.go
    let high_39 = mulhi(difference_33, difference_35);
    let high_40 = mulhi(difference_34, difference_36);
    let high_41 = mulhi(either_5, either_5);
    let high_42 = mulhi(either_6, either_6);
    // kernels/random_normal.go
    let high_43 = mulhi(10053783u - mulhi(344144u - mulhi(7370u, high_41), high_41), high_41);
    let high_44 = mulhi(10053783u - mulhi(344144u - mulhi(7370u, high_42), high_42), high_42);
    let high_45 = mulhi(1387197332u - mulhi(171138563u - high_43, high_41), high_41);
    let high_46 = mulhi(1387197332u - mulhi(171138563u - high_44, high_42), high_42);
    let difference_37 = 3373259426u - high_45;
    let difference_38 = 3373259426u - high_46;
    // kernels/random_normal.go
    let high_47 = mulhi(either_5, difference_37);
    let high_48 = mulhi(either_6, difference_38);
    // kernels/random_normal.go
    let shifted_21 = 1u << ((sum_33 + 4294967295u) & 31u);
    let shifted_22 = 1u << ((sum_34 + 4294967295u) & 31u);
    // kernels/random_normal.go
    let both_11 = sum_33 & 31u;
    let both_12 = sum_34 & 31u;
    let bits_3 = bitcast<i32>((mulhi(high_31, high_39) + shifted_21) >> both_11);
    let bits_4 = bitcast<i32>((mulhi(high_32, high_40) + shifted_22) >> both_12);
    // kernels/random_normal.go
    let bits_5 = bitcast<i32>((mulhi(high_31, high_47) + shifted_21) >> both_11);
    let bits_6 = bitcast<i32>((mulhi(high_32, high_48) + shifted_22) >> both_12);
    // kernels/random_normal.go
    let equal_1 = (shifted_19 & 1u) == 1u;
    let equal_2 = (shifted_20 & 1u) == 1u;
    // kernels/random_normal.go
    let chosen_89 = select(bits_3, bits_5, equal_1);
    let chosen_90 = select(bits_4, bits_6, equal_2);
    let chosen_91 = select(bits_5, bits_3, equal_1);
    let chosen_92 = select(bits_6, bits_4, equal_2);
    // kernels/random_normal.go
    let chosen_93 = select(chosen_89, -chosen_89, ((shifted_19 + 1u) & 2u) == 2u);
    let chosen_94 = select(chosen_90, -chosen_90, ((shifted_20 + 1u) & 2u) == 2u);
    // kernels/random_normal.go
    let chosen_95 = select(chosen_91, -chosen_91, shifted_19 >= 2u);
    let chosen_96 = select(chosen_92, -chosen_92, shifted_20 >= 2u);
    // kernels/random_normal.go
    let product_7 = f32(chosen_93) * 4.7683716e-07;
    let product_8 = f32(chosen_94) * 4.7683716e-07;
    let product_9 = f32(chosen_95) * 4.7683716e-07;
    let product_10 = f32(chosen_96) * 4.7683716e-07;
    // kernels/philox.go
    let lanes = vec4<f32>(product_3, product_5, product_7, product_9);
    let lanes_0 = vec4<f32>(product_4, product_6, product_8, product_10);
    // kernels/random_kernel.go
    let out_start0 = program * 1024;
    let lane = thread << 2u;
    let offset_0 = out_start0 + lane;
    let index = params.out_offset + offset_0;
    let bits_7 = bitcast<u32>(params.out_size0);
    if (bitcast<u32>(offset_0) < bits_7) {
        out[index >> 2u] = lanes;
    }
    if (bitcast<u32>(offset_0 + 512) < bits_7) {
        out[(index >> 2u) + 128] = lanes_0;
    }
}
