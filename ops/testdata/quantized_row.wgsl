@group(0) @binding(0) var<storage, read> a: array<vec2<u32>>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read> data: array<u32>; // u8, 4 in a word
@group(0) @binding(2) var<storage, read> scales: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<atomic<u32>>; // f16, 2 in a word
var<workgroup> parts: array<f32, 256>; // matmul.go: partial results of reduce.sum
var<workgroup> parts_0: array<f32, 32>; // matmul.go: partial results of reduce.sum

struct Params {
    a_offset: i32,
    a_size0: i32,
    a_size1: i32,
    data_offset: i32,
    data_size0: i32,
    data_size1: i32,
    data_stride1: i32,
    scales_offset: i32,
    scales_size0: i32,
    scales_size1: i32,
    scales_stride1: i32,
    out_offset: i32,
    out_size0: i32,
    out_size1: i32,
}
@group(0) @binding(4) var<uniform> params: Params;

fn unpack_u8_x2(word: u32) -> vec2<u32> {
    return (vec2<u32>(word) >> vec2<u32>(0u, 8u)) & vec2<u32>(0xffu);
}

fn unpack_f16_x4(words: vec2<u32>) -> vec4<f32> {
    return vec4<f32>(unpack2x16float(words.x), unpack2x16float(words.y));
}

// Replaces 16 bits of out and leaves the rest of the word to other threads.
fn store_out(index: i32, bits: u32) {
    let shift = u32(index & 1) * 16u;
    atomicAnd(&out[index >> 1u], ~(0xffffu << shift));
    atomicOr(&out[index >> 1u], bits << shift);
}

// The bits of x rounded to f16, ties to even, infinite from 65520 on. A subnormal f16 counts in units of the
// last place of numbers from 0.5 to 1, to which adding 0.5 rounds it.
fn f16_bits(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    let size = bits & 0x7fffffffu;
    let normal = (size + 0xc8000fffu + ((size >> 13u) & 1u)) >> 13u;
    let subnormal = bitcast<u32>(bitcast<f32>(size) + 0.5) - 0x3f000000u;
    let finite = select(min(normal, 0x7c00u), subnormal, size < 0x38800000u);
    return ((bits >> 16u) & 0x8000u) | select(finite, 0x7e00u, size > 0x7f800000u);
}

@compute @workgroup_size(256, 1, 1)
fn matmul(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // matmul.go
    let quotient = (params.out_size1 + 7) / 8;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let a_start0 = program / chosen;
    // matmul.go
    let quotient_0 = (params.a_size1 + 511) / 512;
    let least = min(min(quotient_0, params.data_size0 / 256), params.scales_size0 / 4);
    let both = remainder < params.data_size1 / 8 && remainder < params.scales_size1 / 8;
    let chosen_0 = select(0, max(min(least, params.a_size1 / 512), 0), both && a_start0 < params.a_size0);
    // quant_view.go
    let both_0 = thread & 127;
    let lane = both_0 << 1u;
    let data_start1 = remainder * 8;
    let lane_0 = thread >> 7u;
    let offset = data_start1 + lane_0;
    let offset_0 = offset * params.data_stride1;
    let offset_1 = params.data_stride1 * 2;
    let offset_2 = params.data_stride1 * 4;
    let offset_3 = params.data_stride1 * 6;
    // quant_view.go
    let lane_1 = (thread >> 5u) & 3;
    let offset_4 = offset * params.scales_stride1;
    let offset_5 = params.scales_stride1 * 2;
    let offset_6 = params.scales_stride1 * 4;
    let offset_7 = params.scales_stride1 * 6;
    // block.go
    let lane_2 = both_0 << 2u;
    // matmul.go
    var carried: vec4<f32> = vec4<f32>(0.0);
    var carried_0: vec4<f32> = vec4<f32>(0.0);
    var carried_1: vec4<f32> = vec4<f32>(0.0);
    var carried_2: vec4<f32> = vec4<f32>(0.0);
    for (var i: i32 = 0; i < chosen_0; i += 1) {
        // quant_view.go
        let data_start0 = i * 256;
        let index = params.data_offset + data_start0 + lane + offset_0;
        let data_0 = unpack_u8_x2(data[index >> 2u] >> (u32(index & 3) * 8u));
        let index_0 = index + offset_1;
        let data_1 = unpack_u8_x2(data[index_0 >> 2u] >> (u32(index_0 & 3) * 8u));
        let index_1 = index + offset_2;
        let data_2 = unpack_u8_x2(data[index_1 >> 2u] >> (u32(index_1 & 3) * 8u));
        let index_2 = index + offset_3;
        let data_3 = unpack_u8_x2(data[index_2 >> 2u] >> (u32(index_2 & 3) * 8u));
        // quant_view.go
        let converted = vec2<i32>(data_0);
        let converted_0 = vec2<i32>(data_1);
        let converted_1 = vec2<i32>(data_2);
        let converted_2 = vec2<i32>(data_3);
        let both_1 = vec2<u32>(converted & vec2<i32>(15)) & vec2<u32>(255u);
        let both_2 = vec2<u32>(converted_0 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_3 = vec2<u32>(converted_1 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_4 = vec2<u32>(converted_2 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_5 = vec2<u32>((converted >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_6 = vec2<u32>((converted_0 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_7 = vec2<u32>((converted_1 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_8 = vec2<u32>((converted_2 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let lanes = vec4<u32>(both_1.x, both_5.x, both_1.y, both_5.y);
        let lanes_0 = vec4<u32>(both_2.x, both_6.x, both_2.y, both_6.y);
        let lanes_1 = vec4<u32>(both_3.x, both_7.x, both_3.y, both_7.y);
        let lanes_2 = vec4<u32>(both_4.x, both_8.x, both_4.y, both_8.y);
        // quant_view.go
        let changed = lanes ^ vec4<u32>(8u);
        let changed_0 = lanes_0 ^ vec4<u32>(8u);
        let changed_1 = lanes_1 ^ vec4<u32>(8u);
        let changed_2 = lanes_2 ^ vec4<u32>(8u);
        // quant_view.go
        let bits = bitcast<vec4<f32>>(changed | vec4<u32>(1258291200u));
        let bits_0 = bitcast<vec4<f32>>(changed_0 | vec4<u32>(1258291200u));
        let bits_1 = bitcast<vec4<f32>>(changed_1 | vec4<u32>(1258291200u));
        let bits_2 = bitcast<vec4<f32>>(changed_2 | vec4<u32>(1258291200u));
        // quant_view.go
        let difference = bits - vec4<f32>(8.388616e06);
        let difference_0 = bits_0 - vec4<f32>(8.388616e06);
        let difference_1 = bits_1 - vec4<f32>(8.388616e06);
        let difference_2 = bits_2 - vec4<f32>(8.388616e06);
        // quant_view.go
        let scales_start0 = i * 4;
        let index_3 = params.scales_offset + scales_start0 + lane_1 + offset_4;
        let scales_0 = scales[index_3];
        let scales_1 = scales[index_3 + offset_5];
        let scales_2 = scales[index_3 + offset_6];
        let scales_3 = scales[index_3 + offset_7];
        // quant_view.go
        // quantized_matmul.go
        let product = difference * vec4<f32>(scales_0);
        let product_0 = difference_0 * vec4<f32>(scales_1);
        let product_1 = difference_1 * vec4<f32>(scales_2);
        let product_2 = difference_2 * vec4<f32>(scales_3);
        // block.go
        let a_start1 = i * 512;
        let a_0 = unpack_f16_x4(a[(params.a_offset >> 2u) + i * 128 + both_0]);
        // matmul.go
        carried = fma(product, a_0, carried);
        carried_0 = fma(product_0, a_0, carried_0);
        carried_1 = fma(product_1, a_0, carried_1);
        carried_2 = fma(product_2, a_0, carried_2);
    }
    // quant_view.go
    let bits_3 = bitcast<u32>(params.data_size0);
    let bits_4 = bitcast<u32>(data_start1);
    let less = bits_4 < bitcast<u32>(params.data_size1);
    // quant_view.go
    let bits_5 = bitcast<u32>(params.scales_size0);
    let less_0 = bits_4 < bitcast<u32>(params.scales_size1);
    // block.go
    let bits_6 = bitcast<u32>(a_start0);
    let less_1 = bits_6 < bitcast<u32>(params.a_size0);
    let bits_7 = bitcast<u32>(params.a_size1);
    // matmul.go
    for (var i_0: i32 = chosen_0; i_0 < quotient_0; i_0 += 1) {
        // quant_view.go
        let data_start0_0 = i_0 * 256;
        let index_4 = params.data_offset + data_start0_0 + lane + offset_0;
        let in_bounds = bitcast<u32>(data_start0_0) < bits_3 && less;
        let data_4 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_4 >> 2u, in_bounds)] >> (u32(index_4 & 3) * 8u)), in_bounds);
        let index_5 = index_4 + offset_1;
        let data_5 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_5 >> 2u, in_bounds)] >> (u32(index_5 & 3) * 8u)), in_bounds);
        let index_6 = index_4 + offset_2;
        let data_6 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_6 >> 2u, in_bounds)] >> (u32(index_6 & 3) * 8u)), in_bounds);
        let index_7 = index_4 + offset_3;
        let data_7 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_7 >> 2u, in_bounds)] >> (u32(index_7 & 3) * 8u)), in_bounds);
        // quant_view.go
        let converted_3 = vec2<i32>(data_4);
        let converted_4 = vec2<i32>(data_5);
        let converted_5 = vec2<i32>(data_6);
        let converted_6 = vec2<i32>(data_7);
        let both_9 = vec2<u32>(converted_3 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_10 = vec2<u32>(converted_4 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_11 = vec2<u32>(converted_5 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_12 = vec2<u32>(converted_6 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_13 = vec2<u32>((converted_3 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_14 = vec2<u32>((converted_4 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_15 = vec2<u32>((converted_5 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_16 = vec2<u32>((converted_6 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let lanes_3 = vec4<u32>(both_9.x, both_13.x, both_9.y, both_13.y);
        let lanes_4 = vec4<u32>(both_10.x, both_14.x, both_10.y, both_14.y);
        let lanes_5 = vec4<u32>(both_11.x, both_15.x, both_11.y, both_15.y);
        let lanes_6 = vec4<u32>(both_12.x, both_16.x, both_12.y, both_16.y);
        // quant_view.go
        let changed_3 = lanes_3 ^ vec4<u32>(8u);
        let changed_4 = lanes_4 ^ vec4<u32>(8u);
        let changed_5 = lanes_5 ^ vec4<u32>(8u);
        let changed_6 = lanes_6 ^ vec4<u32>(8u);
        // quant_view.go
        let bits_8 = bitcast<vec4<f32>>(changed_3 | vec4<u32>(1258291200u));
        let bits_9 = bitcast<vec4<f32>>(changed_4 | vec4<u32>(1258291200u));
        let bits_10 = bitcast<vec4<f32>>(changed_5 | vec4<u32>(1258291200u));
        let bits_11 = bitcast<vec4<f32>>(changed_6 | vec4<u32>(1258291200u));
        // quant_view.go
        let difference_3 = bits_8 - vec4<f32>(8.388616e06);
        let difference_4 = bits_9 - vec4<f32>(8.388616e06);
        let difference_5 = bits_10 - vec4<f32>(8.388616e06);
        let difference_6 = bits_11 - vec4<f32>(8.388616e06);
        // quant_view.go
        let scales_start0_0 = i_0 * 4;
        let index_8 = params.scales_offset + scales_start0_0 + lane_1 + offset_4;
        let in_bounds_0 = bitcast<u32>(scales_start0_0) < bits_5 && less_0;
        let scales_4 = select(0.0, scales[select(0, index_8, in_bounds_0)], in_bounds_0);
        let scales_5 = select(0.0, scales[select(0, index_8 + offset_5, in_bounds_0)], in_bounds_0);
        let scales_6 = select(0.0, scales[select(0, index_8 + offset_6, in_bounds_0)], in_bounds_0);
        let scales_7 = select(0.0, scales[select(0, index_8 + offset_7, in_bounds_0)], in_bounds_0);
        // quant_view.go
        // quantized_matmul.go
        let product_3 = difference_3 * vec4<f32>(scales_4);
        let product_4 = difference_4 * vec4<f32>(scales_5);
        let product_5 = difference_5 * vec4<f32>(scales_6);
        let product_6 = difference_6 * vec4<f32>(scales_7);
        // block.go
        let a_start1_0 = i_0 * 512;
        let offset_8 = a_start1_0 + lane_2;
        let in_bounds_1 = less_1 && bitcast<u32>(offset_8) < bits_7;
        let a_1 = select(vec4<f32>(0.0), unpack_f16_x4(a[select(0, (params.a_offset >> 2u) + (offset_8 >> 2u), in_bounds_1)]), in_bounds_1);
        // matmul.go
        carried = fma(product_3, a_1, carried);
        carried_0 = fma(product_4, a_1, carried_0);
        carried_1 = fma(product_5, a_1, carried_1);
        carried_2 = fma(product_6, a_1, carried_2);
    }
    // matmul.go
    parts[thread] = carried.x + carried.z + (carried.y + carried.w);
    let index_9 = thread & 143;
    workgroupBarrier();
    let parts_1 = parts[index_9];
    let index_10 = index_9 + 16;
    let parts_2 = parts[index_10];
    let index_11 = index_9 + 32;
    let parts_3 = parts[index_11];
    let index_12 = index_9 + 48;
    let parts_4 = parts[index_12];
    let index_13 = index_9 + 64;
    let parts_5 = parts[index_13];
    let index_14 = index_9 + 80;
    let parts_6 = parts[index_14];
    let index_15 = index_9 + 96;
    let parts_7 = parts[index_15];
    let sum = parts_1 + parts_2 + parts_3 + parts_4 + parts_5 + parts_6 + parts_7;
    let index_16 = index_9 + 112;
    let parts_8 = parts[index_16];
    let in_bounds_2 = (thread & 112) == 0;
    let index_17 = (thread >> 3u) & 16;
    let index_18 = (thread & 15) + index_17;
    if (in_bounds_2) {
        parts_0[index_18] = sum + parts_8;
    }
    workgroupBarrier();
    let parts_9 = parts_0[index_17];
    let index_19 = index_17 + 1;
    let parts_10 = parts_0[index_19];
    let index_20 = index_17 + 2;
    let parts_11 = parts_0[index_20];
    let index_21 = index_17 + 3;
    let parts_12 = parts_0[index_21];
    let index_22 = index_17 + 4;
    let parts_13 = parts_0[index_22];
    let index_23 = index_17 + 5;
    let parts_14 = parts_0[index_23];
    let index_24 = index_17 + 6;
    let parts_15 = parts_0[index_24];
    let sum_0 = parts_9 + parts_10 + parts_11 + parts_12 + parts_13 + parts_14 + parts_15;
    let index_25 = index_17 + 7;
    let parts_16 = parts_0[index_25];
    let index_26 = index_17 + 8;
    let parts_17 = parts_0[index_26];
    let index_27 = index_17 + 9;
    let parts_18 = parts_0[index_27];
    let index_28 = index_17 + 10;
    let parts_19 = parts_0[index_28];
    let index_29 = index_17 + 11;
    let parts_20 = parts_0[index_29];
    let index_30 = index_17 + 12;
    let parts_21 = parts_0[index_30];
    let sum_1 = sum_0 + parts_16 + parts_17 + parts_18 + parts_19 + parts_20 + parts_21;
    let index_31 = index_17 + 13;
    let parts_22 = parts_0[index_31];
    let index_32 = index_17 + 14;
    let parts_23 = parts_0[index_32];
    let index_33 = index_17 + 15;
    let parts_24 = parts_0[index_33];
    let sum_2 = sum_1 + parts_22 + parts_23 + parts_24;
    parts[thread] = carried_0.x + carried_0.z + (carried_0.y + carried_0.w);
    workgroupBarrier();
    let parts_25 = parts[index_9];
    let parts_26 = parts[index_10];
    let parts_27 = parts[index_11];
    let parts_28 = parts[index_12];
    let parts_29 = parts[index_13];
    let parts_30 = parts[index_14];
    let parts_31 = parts[index_15];
    let sum_3 = parts_25 + parts_26 + parts_27 + parts_28 + parts_29 + parts_30 + parts_31;
    let parts_32 = parts[index_16];
    if (in_bounds_2) {
        parts_0[index_18] = sum_3 + parts_32;
    }
    workgroupBarrier();
    let parts_33 = parts_0[index_17];
    let parts_34 = parts_0[index_19];
    let parts_35 = parts_0[index_20];
    let parts_36 = parts_0[index_21];
    let parts_37 = parts_0[index_22];
    let parts_38 = parts_0[index_23];
    let parts_39 = parts_0[index_24];
    let sum_4 = parts_33 + parts_34 + parts_35 + parts_36 + parts_37 + parts_38 + parts_39;
    let parts_40 = parts_0[index_25];
    let parts_41 = parts_0[index_26];
    let parts_42 = parts_0[index_27];
    let parts_43 = parts_0[index_28];
    let parts_44 = parts_0[index_29];
    let parts_45 = parts_0[index_30];
    let sum_5 = sum_4 + parts_40 + parts_41 + parts_42 + parts_43 + parts_44 + parts_45;
    let parts_46 = parts_0[index_31];
    let parts_47 = parts_0[index_32];
    let parts_48 = parts_0[index_33];
    let sum_6 = sum_5 + parts_46 + parts_47 + parts_48;
    parts[thread] = carried_1.x + carried_1.z + (carried_1.y + carried_1.w);
    workgroupBarrier();
    let parts_49 = parts[index_9];
    let parts_50 = parts[index_10];
    let parts_51 = parts[index_11];
    let parts_52 = parts[index_12];
    let parts_53 = parts[index_13];
    let parts_54 = parts[index_14];
    let parts_55 = parts[index_15];
    let sum_7 = parts_49 + parts_50 + parts_51 + parts_52 + parts_53 + parts_54 + parts_55;
    let parts_56 = parts[index_16];
    if (in_bounds_2) {
        parts_0[index_18] = sum_7 + parts_56;
    }
    workgroupBarrier();
    let parts_57 = parts_0[index_17];
    let parts_58 = parts_0[index_19];
    let parts_59 = parts_0[index_20];
    let parts_60 = parts_0[index_21];
    let parts_61 = parts_0[index_22];
    let parts_62 = parts_0[index_23];
    let parts_63 = parts_0[index_24];
    let sum_8 = parts_57 + parts_58 + parts_59 + parts_60 + parts_61 + parts_62 + parts_63;
    let parts_64 = parts_0[index_25];
    let parts_65 = parts_0[index_26];
    let parts_66 = parts_0[index_27];
    let parts_67 = parts_0[index_28];
    let parts_68 = parts_0[index_29];
    let parts_69 = parts_0[index_30];
    let sum_9 = sum_8 + parts_64 + parts_65 + parts_66 + parts_67 + parts_68 + parts_69;
    let parts_70 = parts_0[index_31];
    let parts_71 = parts_0[index_32];
    let parts_72 = parts_0[index_33];
    let sum_10 = sum_9 + parts_70 + parts_71 + parts_72;
    parts[thread] = carried_2.x + carried_2.z + (carried_2.y + carried_2.w);
    workgroupBarrier();
    let parts_73 = parts[index_9];
    let parts_74 = parts[index_10];
    let parts_75 = parts[index_11];
    let parts_76 = parts[index_12];
    let parts_77 = parts[index_13];
    let parts_78 = parts[index_14];
    let parts_79 = parts[index_15];
    let sum_11 = parts_73 + parts_74 + parts_75 + parts_76 + parts_77 + parts_78 + parts_79;
    let parts_80 = parts[index_16];
    if (in_bounds_2) {
        parts_0[index_18] = sum_11 + parts_80;
    }
    workgroupBarrier();
    let parts_81 = parts_0[index_17];
    let parts_82 = parts_0[index_19];
    let parts_83 = parts_0[index_20];
    let parts_84 = parts_0[index_21];
    let parts_85 = parts_0[index_22];
    let parts_86 = parts_0[index_23];
    let parts_87 = parts_0[index_24];
    let sum_12 = parts_81 + parts_82 + parts_83 + parts_84 + parts_85 + parts_86 + parts_87;
    let parts_88 = parts_0[index_25];
    let parts_89 = parts_0[index_26];
    let parts_90 = parts_0[index_27];
    let parts_91 = parts_0[index_28];
    let parts_92 = parts_0[index_29];
    let parts_93 = parts_0[index_30];
    let sum_13 = sum_12 + parts_88 + parts_89 + parts_90 + parts_91 + parts_92 + parts_93;
    let parts_94 = parts_0[index_31];
    let parts_95 = parts_0[index_32];
    let parts_96 = parts_0[index_33];
    let sum_14 = sum_13 + parts_94 + parts_95 + parts_96;
    // block.go
    let index_34 = params.out_offset + offset;
    let in_bounds_3 = both_0 == 0 && bits_6 < bitcast<u32>(params.out_size0);
    if (in_bounds_3) {
        store_out(index_34, f16_bits(sum_2));
        store_out(index_34 + 2, f16_bits(sum_6));
        store_out(index_34 + 4, f16_bits(sum_10));
        store_out(index_34 + 6, f16_bits(sum_14));
    }
}
