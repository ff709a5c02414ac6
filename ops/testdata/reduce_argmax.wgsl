@group(0) @binding(0) var<storage, read> x: array<vec2<u32>>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read_write> key: array<i32>;
@group(0) @binding(2) var<storage, read_write> place: array<i32>;
var<workgroup> parts: array<i32, 256>; // reduce_states.go:164: partial results of reduce
var<workgroup> parts_0: array<i32, 256>; // reduce_states.go:164: partial results of reduce
var<workgroup> parts_1: array<i32, 16>; // reduce_states.go:164: partial results of reduce
var<workgroup> parts_2: array<i32, 16>; // reduce_states.go:164: partial results of reduce

struct Params {
    x_offset: i32,
    x_size0: i32,
    x_size1: i32,
    key_offset: i32,
    key_size0: i32,
    key_size1: i32,
    place_offset: i32,
    place_size0: i32,
    place_size1: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

fn unpack_f16_x4(words: vec2<u32>) -> vec4<f32> {
    return vec4<f32>(unpack2x16float(words.x), unpack2x16float(words.y));
}

// Numbers that WGSL does not allow as constants.
fn f32_from_bits(bits: u32) -> f32 {
    return bitcast<f32>(bits);
}

@compute @workgroup_size(256, 1, 1)
fn reduce(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // reduce_kernel.go:54
    let chosen = select(params.key_size1, 1, params.key_size1 == 0);
    let key_start1 = program % chosen;
    let x_start0 = program / chosen;
    // reduce_kernel.go:150
    let quotient = (params.x_size1 + 2047) / 2048;
    // reduce_kernel.go:153
    let quotient_0 = (quotient + params.key_size1 - 1) / chosen;
    // reduce_kernel.go:154
    let offset = key_start1 * quotient_0;
    // reduce_kernel.go:155
    let least = min(offset + quotient_0, quotient);
    // reduce_kernel.go:197
    let bits = bitcast<u32>(x_start0);
    let less = bits < bitcast<u32>(params.x_size0);
    let lane = thread << 2u;
    let bits_0 = bitcast<u32>(params.x_size1);
    // reduce_kernel.go:204
    let lanes = vec4<i32>(lane, lane + 1, lane + 2, lane + 3);
    let lanes_0 = vec4<i32>(lane + 1024, lane + 1025, lane + 1026, lane + 1027);
    // reduce_kernel.go:157
    var carried: vec4<i32> = vec4<i32>(-2147483648);
    var carried_0: vec4<i32> = vec4<i32>(-2147483648);
    var carried_1: vec4<i32> = vec4<i32>(0);
    var carried_2: vec4<i32> = vec4<i32>(0);
    for (var i: i32 = offset; i < least; i += 1) {
        // reduce_kernel.go:197
        let x_start1 = i * 2048;
        let offset_0 = x_start1 + lane;
        let index = params.x_offset + offset_0;
        let in_bounds = less && bitcast<u32>(offset_0) < bits_0;
        let x_0 = select(vec4<f32>(f32_from_bits(0xff800000u)), unpack_f16_x4(x[select(0, index >> 2u, in_bounds)]), in_bounds);
        let in_bounds_0 = less && bitcast<u32>(offset_0 + 1024) < bits_0;
        let x_1 = select(vec4<f32>(f32_from_bits(0xff800000u)), unpack_f16_x4(x[select(0, (index >> 2u) + 256, in_bounds_0)]), in_bounds_0);
        // reduce_states.go:143
        let bits_1 = bitcast<vec4<i32>>(x_0);
        let bits_2 = bitcast<vec4<i32>>(x_1);
        let both = bits_1 & vec4<i32>(2147483647);
        let both_0 = bits_2 & vec4<i32>(2147483647);
        let chosen_0 = select(bits_1 ^ ((bits_1 >> vec4<u32>(31u)) & vec4<i32>(2147483647)), both, both == vec4<i32>(0));
        let chosen_1 = select(bits_2 ^ ((bits_2 >> vec4<u32>(31u)) & vec4<i32>(2147483647)), both_0, both_0 == vec4<i32>(0));
        let chosen_2 = select(chosen_0, vec4<i32>(2147483647), both > vec4<i32>(2139095040));
        let chosen_3 = select(chosen_1, vec4<i32>(2147483647), both_0 > vec4<i32>(2139095040));
        // reduce_kernel.go:206
        let offset_1 = lanes + vec4<i32>(x_start1);
        let offset_2 = lanes_0 + vec4<i32>(x_start1);
        // reduce_states.go:159
        let greater = chosen_2 > carried;
        let greater_0 = chosen_3 > carried_0;
        // reduce_states.go:160
        carried_1 = select(carried_1, offset_1, greater);
        carried_2 = select(carried_2, offset_2, greater_0);
        carried = select(carried, chosen_2, greater);
        carried_0 = select(carried_0, chosen_3, greater_0);
    }
    // reduce_states.go:164
    let either = (carried_0 > carried) | ((carried_0 == carried) & (carried_2 < carried_1));
    let chosen_4 = select(carried, carried_0, either);
    let chosen_5 = select(carried_1, carried_2, either);
    let either_0 = chosen_4.z > chosen_4.x || (chosen_4.z == chosen_4.x && chosen_5.z < chosen_5.x);
    let chosen_6 = select(chosen_4.x, chosen_4.z, either_0);
    let chosen_7 = select(chosen_5.x, chosen_5.z, either_0);
    let either_1 = chosen_4.w > chosen_4.y || (chosen_4.w == chosen_4.y && chosen_5.w < chosen_5.y);
    let chosen_8 = select(chosen_4.y, chosen_4.w, either_1);
    let chosen_9 = select(chosen_5.y, chosen_5.w, either_1);
    let either_2 = chosen_8 > chosen_6 || (chosen_8 == chosen_6 && chosen_9 < chosen_7);
    parts[thread] = select(chosen_6, chosen_8, either_2);
    parts_0[thread] = select(chosen_7, chosen_9, either_2);
    let index_0 = thread & 15;
    workgroupBarrier();
    let parts_3 = parts[index_0];
    let parts_4 = parts_0[index_0];
    let index_1 = index_0 + 16;
    let parts_5 = parts[index_1];
    let parts_6 = parts_0[index_1];
    let either_3 = parts_5 > parts_3 || (parts_5 == parts_3 && parts_6 < parts_4);
    let chosen_10 = select(parts_3, parts_5, either_3);
    let chosen_11 = select(parts_4, parts_6, either_3);
    let index_2 = index_0 + 32;
    let parts_7 = parts[index_2];
    let parts_8 = parts_0[index_2];
    let either_4 = parts_7 > chosen_10 || (parts_7 == chosen_10 && parts_8 < chosen_11);
    let chosen_12 = select(chosen_10, parts_7, either_4);
    let chosen_13 = select(chosen_11, parts_8, either_4);
    let index_3 = index_0 + 48;
    let parts_9 = parts[index_3];
    let parts_10 = parts_0[index_3];
    let either_5 = parts_9 > chosen_12 || (parts_9 == chosen_12 && parts_10 < chosen_13);
    let chosen_14 = select(chosen_12, parts_9, either_5);
    let chosen_15 = select(chosen_13, parts_10, either_5);
    let index_4 = index_0 + 64;
    let parts_11 = parts[index_4];
    let parts_12 = parts_0[index_4];
    let either_6 = parts_11 > chosen_14 || (parts_11 == chosen_14 && parts_12 < chosen_15);
    let chosen_16 = select(chosen_14, parts_11, either_6);
    let chosen_17 = select(chosen_15, parts_12, either_6);
    let index_5 = index_0 + 80;
    let parts_13 = parts[index_5];
    let parts_14 = parts_0[index_5];
    let either_7 = parts_13 > chosen_16 || (parts_13 == chosen_16 && parts_14 < chosen_17);
    let chosen_18 = select(chosen_16, parts_13, either_7);
    let chosen_19 = select(chosen_17, parts_14, either_7);
    let index_6 = index_0 + 96;
    let parts_15 = parts[index_6];
    let parts_16 = parts_0[index_6];
    let either_8 = parts_15 > chosen_18 || (parts_15 == chosen_18 && parts_16 < chosen_19);
    let chosen_20 = select(chosen_18, parts_15, either_8);
    let chosen_21 = select(chosen_19, parts_16, either_8);
    let index_7 = index_0 + 112;
    let parts_17 = parts[index_7];
    let parts_18 = parts_0[index_7];
    let either_9 = parts_17 > chosen_20 || (parts_17 == chosen_20 && parts_18 < chosen_21);
    let chosen_22 = select(chosen_20, parts_17, either_9);
    let chosen_23 = select(chosen_21, parts_18, either_9);
    let index_8 = index_0 + 128;
    let parts_19 = parts[index_8];
    let parts_20 = parts_0[index_8];
    let either_10 = parts_19 > chosen_22 || (parts_19 == chosen_22 && parts_20 < chosen_23);
    let chosen_24 = select(chosen_22, parts_19, either_10);
    let chosen_25 = select(chosen_23, parts_20, either_10);
    let index_9 = index_0 + 144;
    let parts_21 = parts[index_9];
    let parts_22 = parts_0[index_9];
    let either_11 = parts_21 > chosen_24 || (parts_21 == chosen_24 && parts_22 < chosen_25);
    let chosen_26 = select(chosen_24, parts_21, either_11);
    let chosen_27 = select(chosen_25, parts_22, either_11);
    let index_10 = index_0 + 160;
    let parts_23 = parts[index_10];
    let parts_24 = parts_0[index_10];
    let either_12 = parts_23 > chosen_26 || (parts_23 == chosen_26 && parts_24 < chosen_27);
    let chosen_28 = select(chosen_26, parts_23, either_12);
    let chosen_29 = select(chosen_27, parts_24, either_12);
    let index_11 = index_0 + 176;
    let parts_25 = parts[index_11];
    let parts_26 = parts_0[index_11];
    let either_13 = parts_25 > chosen_28 || (parts_25 == chosen_28 && parts_26 < chosen_29);
    let chosen_30 = select(chosen_28, parts_25, either_13);
    let chosen_31 = select(chosen_29, parts_26, either_13);
    let index_12 = index_0 + 192;
    let parts_27 = parts[index_12];
    let parts_28 = parts_0[index_12];
    let either_14 = parts_27 > chosen_30 || (parts_27 == chosen_30 && parts_28 < chosen_31);
    let chosen_32 = select(chosen_30, parts_27, either_14);
    let chosen_33 = select(chosen_31, parts_28, either_14);
    let index_13 = index_0 + 208;
    let parts_29 = parts[index_13];
    let parts_30 = parts_0[index_13];
    let either_15 = parts_29 > chosen_32 || (parts_29 == chosen_32 && parts_30 < chosen_33);
    let chosen_34 = select(chosen_32, parts_29, either_15);
    let chosen_35 = select(chosen_33, parts_30, either_15);
    let index_14 = index_0 + 224;
    let parts_31 = parts[index_14];
    let parts_32 = parts_0[index_14];
    let either_16 = parts_31 > chosen_34 || (parts_31 == chosen_34 && parts_32 < chosen_35);
    let chosen_36 = select(chosen_34, parts_31, either_16);
    let chosen_37 = select(chosen_35, parts_32, either_16);
    let index_15 = index_0 + 240;
    let parts_33 = parts[index_15];
    let parts_34 = parts_0[index_15];
    let either_17 = parts_33 > chosen_36 || (parts_33 == chosen_36 && parts_34 < chosen_37);
    let in_bounds_1 = thread < 16;
    if (in_bounds_1) {
        parts_1[index_0] = select(chosen_36, parts_33, either_17);
        parts_2[index_0] = select(chosen_37, parts_34, either_17);
    }
    workgroupBarrier();
    let parts_35 = parts_1[0];
    let parts_36 = parts_2[0];
    let parts_37 = parts_1[1];
    let parts_38 = parts_2[1];
    let either_18 = parts_37 > parts_35 || (parts_37 == parts_35 && parts_38 < parts_36);
    let chosen_38 = select(parts_35, parts_37, either_18);
    let chosen_39 = select(parts_36, parts_38, either_18);
    let parts_39 = parts_1[2];
    let parts_40 = parts_2[2];
    let either_19 = parts_39 > chosen_38 || (parts_39 == chosen_38 && parts_40 < chosen_39);
    let chosen_40 = select(chosen_38, parts_39, either_19);
    let chosen_41 = select(chosen_39, parts_40, either_19);
    let parts_41 = parts_1[3];
    let parts_42 = parts_2[3];
    let either_20 = parts_41 > chosen_40 || (parts_41 == chosen_40 && parts_42 < chosen_41);
    let chosen_42 = select(chosen_40, parts_41, either_20);
    let chosen_43 = select(chosen_41, parts_42, either_20);
    let parts_43 = parts_1[4];
    let parts_44 = parts_2[4];
    let either_21 = parts_43 > chosen_42 || (parts_43 == chosen_42 && parts_44 < chosen_43);
    let chosen_44 = select(chosen_42, parts_43, either_21);
    let chosen_45 = select(chosen_43, parts_44, either_21);
    let parts_45 = parts_1[5];
    let parts_46 = parts_2[5];
    let either_22 = parts_45 > chosen_44 || (parts_45 == chosen_44 && parts_46 < chosen_45);
    let chosen_46 = select(chosen_44, parts_45, either_22);
    let chosen_47 = select(chosen_45, parts_46, either_22);
    let parts_47 = parts_1[6];
    let parts_48 = parts_2[6];
    let either_23 = parts_47 > chosen_46 || (parts_47 == chosen_46 && parts_48 < chosen_47);
    let chosen_48 = select(chosen_46, parts_47, either_23);
    let chosen_49 = select(chosen_47, parts_48, either_23);
    let parts_49 = parts_1[7];
    let parts_50 = parts_2[7];
    let either_24 = parts_49 > chosen_48 || (parts_49 == chosen_48 && parts_50 < chosen_49);
    let chosen_50 = select(chosen_48, parts_49, either_24);
    let chosen_51 = select(chosen_49, parts_50, either_24);
    let parts_51 = parts_1[8];
    let parts_52 = parts_2[8];
    let either_25 = parts_51 > chosen_50 || (parts_51 == chosen_50 && parts_52 < chosen_51);
    let chosen_52 = select(chosen_50, parts_51, either_25);
    let chosen_53 = select(chosen_51, parts_52, either_25);
    let parts_53 = parts_1[9];
    let parts_54 = parts_2[9];
    let either_26 = parts_53 > chosen_52 || (parts_53 == chosen_52 && parts_54 < chosen_53);
    let chosen_54 = select(chosen_52, parts_53, either_26);
    let chosen_55 = select(chosen_53, parts_54, either_26);
    let parts_55 = parts_1[10];
    let parts_56 = parts_2[10];
    let either_27 = parts_55 > chosen_54 || (parts_55 == chosen_54 && parts_56 < chosen_55);
    let chosen_56 = select(chosen_54, parts_55, either_27);
    let chosen_57 = select(chosen_55, parts_56, either_27);
    let parts_57 = parts_1[11];
    let parts_58 = parts_2[11];
    let either_28 = parts_57 > chosen_56 || (parts_57 == chosen_56 && parts_58 < chosen_57);
    let chosen_58 = select(chosen_56, parts_57, either_28);
    let chosen_59 = select(chosen_57, parts_58, either_28);
    let parts_59 = parts_1[12];
    let parts_60 = parts_2[12];
    let either_29 = parts_59 > chosen_58 || (parts_59 == chosen_58 && parts_60 < chosen_59);
    let chosen_60 = select(chosen_58, parts_59, either_29);
    let chosen_61 = select(chosen_59, parts_60, either_29);
    let parts_61 = parts_1[13];
    let parts_62 = parts_2[13];
    let either_30 = parts_61 > chosen_60 || (parts_61 == chosen_60 && parts_62 < chosen_61);
    let chosen_62 = select(chosen_60, parts_61, either_30);
    let chosen_63 = select(chosen_61, parts_62, either_30);
    let parts_63 = parts_1[14];
    let parts_64 = parts_2[14];
    let either_31 = parts_63 > chosen_62 || (parts_63 == chosen_62 && parts_64 < chosen_63);
    let chosen_64 = select(chosen_62, parts_63, either_31);
    let chosen_65 = select(chosen_63, parts_64, either_31);
    let parts_65 = parts_1[15];
    let parts_66 = parts_2[15];
    let either_32 = parts_65 > chosen_64 || (parts_65 == chosen_64 && parts_66 < chosen_65);
    let chosen_66 = select(chosen_64, parts_65, either_32);
    let chosen_67 = select(chosen_65, parts_66, either_32);
    // reduce_kernel.go:92
    let bits_3 = bitcast<u32>(key_start1);
    let equal = (thread & 255) == 0;
    let both_1 = bits < bitcast<u32>(params.key_size0) && bits_3 < bitcast<u32>(params.key_size1);
    if (equal && both_1) {
        key[params.key_offset + key_start1] = chosen_66;
    }
    let both_2 = bits < bitcast<u32>(params.place_size0) && bits_3 < bitcast<u32>(params.place_size1);
    if (equal && both_2) {
        place[params.place_offset + key_start1] = chosen_67;
    }
}
