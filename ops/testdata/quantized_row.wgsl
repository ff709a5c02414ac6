@group(0) @binding(0) var<storage, read> a: array<vec2<u32>>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read> data: array<u32>; // u8, 4 in a word
@group(0) @binding(2) var<storage, read> scales: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<vec2<u32>>; // f16, 2 in a word
var<workgroup> scratch: array<f32, 64>; // quant_view.go: elements change threads; partial results of reduce.sum (matmul.go)
var<workgroup> parts: array<f32, 1024>; // matmul.go: partial results of reduce.sum

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

// The bits of x rounded to f16, ties to even, infinite from 65520 on. A subnormal f16 counts in units of the
// last place of numbers from 0.5 to 1, to which adding 0.5 rounds it.
fn f16_bits_x4(x: vec4<f32>) -> vec4<u32> {
    let bits = bitcast<vec4<u32>>(x);
    let size = bits & vec4<u32>(0x7fffffffu);
    let normal = (size + vec4<u32>(0xc8000fffu) + ((size >> vec4<u32>(13u)) & vec4<u32>(1u))) >> vec4<u32>(13u);
    let subnormal = bitcast<vec4<u32>>(bitcast<vec4<f32>>(size) + vec4<f32>(0.5)) - vec4<u32>(0x3f000000u);
    let finite = select(min(normal, vec4<u32>(0x7c00u)), subnormal, size < vec4<u32>(0x38800000u));
    return ((bits >> vec4<u32>(16u)) & vec4<u32>(0x8000u)) | select(finite, vec4<u32>(0x7e00u), size > vec4<u32>(0x7f800000u));
}

fn pack_f16_x4(x: vec4<f32>) -> vec2<u32> {
    let bits = f16_bits_x4(x);
    return bits.xz | (bits.yw << vec2<u32>(16u));
}

@compute @workgroup_size(256, 1, 1)
fn matmul(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // matmul.go
    let quotient = (params.out_size1 + 3) / 4;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let a_start0 = program / chosen;
    // matmul.go
    let quotient_0 = (params.a_size1 + 2047) / 2048;
    let least = min(min(quotient_0, params.data_size0 / 1024), params.scales_size0 / 16);
    let both = remainder < params.data_size1 / 4 && remainder < params.scales_size1 / 4;
    let chosen_0 = select(0, max(min(least, params.a_size1 / 2048), 0), both && a_start0 < params.a_size0);
    // quant_view.go
    let lane = thread << 1u;
    let data_start1 = remainder * 4;
    let offset = data_start1 * params.data_stride1;
    let offset_0 = params.data_stride1 * 2;
    let offset_1 = params.data_stride1 * 3;
    // quant_view.go
    let lane_0 = (thread >> 2u) & 15;
    let lane_1 = thread >> 6u;
    let offset_2 = (data_start1 + lane_1) * params.scales_stride1;
    // quant_view.go
    let in_bounds = (thread & 3) == 0;
    let lane_2 = (thread & 60) + lane_1;
    let lane_3 = (thread >> 3u) & 28;
    let index = lane_3 + 32;
    let index_0 = lane_3 + 1;
    let index_1 = lane_3 + 33;
    let index_2 = lane_3 + 2;
    let index_3 = lane_3 + 34;
    let index_4 = lane_3 + 3;
    let index_5 = lane_3 + 35;
    // block.go
    let lane_4 = thread << 2u;
    let more = 0 < chosen_0;
    // quant_view.go
    let index_6 = params.data_offset + lane + offset;
    let data_0 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_6 >> 2u, more)] >> (u32(index_6 & 3) * 8u)), more);
    let index_7 = index_6 + 512;
    let data_1 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_7 >> 2u, more)] >> (u32(index_7 & 3) * 8u)), more);
    let index_8 = index_6 + params.data_stride1;
    let data_2 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_8 >> 2u, more)] >> (u32(index_8 & 3) * 8u)), more);
    let index_9 = index_7 + params.data_stride1;
    let data_3 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_9 >> 2u, more)] >> (u32(index_9 & 3) * 8u)), more);
    let index_10 = index_6 + offset_0;
    let data_4 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_10 >> 2u, more)] >> (u32(index_10 & 3) * 8u)), more);
    let index_11 = index_7 + offset_0;
    let data_5 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_11 >> 2u, more)] >> (u32(index_11 & 3) * 8u)), more);
    let index_12 = index_6 + offset_1;
    let data_6 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_12 >> 2u, more)] >> (u32(index_12 & 3) * 8u)), more);
    let index_13 = index_7 + offset_1;
    let data_7 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_13 >> 2u, more)] >> (u32(index_13 & 3) * 8u)), more);
    // quant_view.go
    let scales_0 = select(0.0, scales[select(0, params.scales_offset + lane_0 + offset_2, more)], more);
    // block.go
    let index_14 = params.a_offset + lane_4;
    let a_0 = select(vec4<f32>(0.0), unpack_f16_x4(a[select(0, index_14 >> 2u, more)]), more);
    let a_1 = select(vec4<f32>(0.0), unpack_f16_x4(a[select(0, (index_14 >> 2u) + 256, more)]), more);
    // matmul.go
    var carried: vec4<f32> = vec4<f32>(0.0);
    var carried_0: vec4<f32> = vec4<f32>(0.0);
    var carried_1: vec4<f32> = vec4<f32>(0.0);
    var carried_2: vec4<f32> = vec4<f32>(0.0);
    var carried_3: vec4<f32> = vec4<f32>(0.0);
    var carried_4: vec4<f32> = vec4<f32>(0.0);
    var carried_5: vec4<f32> = vec4<f32>(0.0);
    var carried_6: vec4<f32> = vec4<f32>(0.0);
    var data_8: vec2<u32> = data_0;
    var data_9: vec2<u32> = data_1;
    var data_10: vec2<u32> = data_2;
    var data_11: vec2<u32> = data_3;
    var data_12: vec2<u32> = data_4;
    var data_13: vec2<u32> = data_5;
    var data_14: vec2<u32> = data_6;
    var data_15: vec2<u32> = data_7;
    var scales_1: f32 = scales_0;
    var a_2: vec4<f32> = a_0;
    var a_3: vec4<f32> = a_1;
    for (var i: i32 = 0; i < chosen_0; i += 1) {
        // quant_view.go
        let converted = vec2<i32>(data_8);
        let converted_0 = vec2<i32>(data_9);
        let converted_1 = vec2<i32>(data_10);
        let converted_2 = vec2<i32>(data_11);
        let converted_3 = vec2<i32>(data_12);
        let converted_4 = vec2<i32>(data_13);
        let converted_5 = vec2<i32>(data_14);
        let converted_6 = vec2<i32>(data_15);
        let both_0 = vec2<u32>(converted & vec2<i32>(15)) & vec2<u32>(255u);
        let both_1 = vec2<u32>(converted_0 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_2 = vec2<u32>(converted_1 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_3 = vec2<u32>(converted_2 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_4 = vec2<u32>(converted_3 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_5 = vec2<u32>(converted_4 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_6 = vec2<u32>(converted_5 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_7 = vec2<u32>(converted_6 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_8 = vec2<u32>((converted >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_9 = vec2<u32>((converted_0 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_10 = vec2<u32>((converted_1 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_11 = vec2<u32>((converted_2 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_12 = vec2<u32>((converted_3 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_13 = vec2<u32>((converted_4 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_14 = vec2<u32>((converted_5 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_15 = vec2<u32>((converted_6 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let lanes = vec4<u32>(both_0.x, both_8.x, both_0.y, both_8.y);
        let lanes_0 = vec4<u32>(both_1.x, both_9.x, both_1.y, both_9.y);
        let lanes_1 = vec4<u32>(both_2.x, both_10.x, both_2.y, both_10.y);
        let lanes_2 = vec4<u32>(both_3.x, both_11.x, both_3.y, both_11.y);
        let lanes_3 = vec4<u32>(both_4.x, both_12.x, both_4.y, both_12.y);
        let lanes_4 = vec4<u32>(both_5.x, both_13.x, both_5.y, both_13.y);
        let lanes_5 = vec4<u32>(both_6.x, both_14.x, both_6.y, both_14.y);
        let lanes_6 = vec4<u32>(both_7.x, both_15.x, both_7.y, both_15.y);
        // quant_view.go
        let changed = lanes ^ vec4<u32>(8u);
        let changed_0 = lanes_0 ^ vec4<u32>(8u);
        let changed_1 = lanes_1 ^ vec4<u32>(8u);
        let changed_2 = lanes_2 ^ vec4<u32>(8u);
        let changed_3 = lanes_3 ^ vec4<u32>(8u);
        let changed_4 = lanes_4 ^ vec4<u32>(8u);
        let changed_5 = lanes_5 ^ vec4<u32>(8u);
        let changed_6 = lanes_6 ^ vec4<u32>(8u);
        // quant_view.go
        let bits = bitcast<vec4<f32>>(changed | vec4<u32>(1258291200u));
        let bits_0 = bitcast<vec4<f32>>(changed_0 | vec4<u32>(1258291200u));
        let bits_1 = bitcast<vec4<f32>>(changed_1 | vec4<u32>(1258291200u));
        let bits_2 = bitcast<vec4<f32>>(changed_2 | vec4<u32>(1258291200u));
        let bits_3 = bitcast<vec4<f32>>(changed_3 | vec4<u32>(1258291200u));
        let bits_4 = bitcast<vec4<f32>>(changed_4 | vec4<u32>(1258291200u));
        let bits_5 = bitcast<vec4<f32>>(changed_5 | vec4<u32>(1258291200u));
        let bits_6 = bitcast<vec4<f32>>(changed_6 | vec4<u32>(1258291200u));
        // quant_view.go
        let difference = bits - vec4<f32>(8.388616e06);
        let difference_0 = bits_0 - vec4<f32>(8.388616e06);
        let difference_1 = bits_1 - vec4<f32>(8.388616e06);
        let difference_2 = bits_2 - vec4<f32>(8.388616e06);
        let difference_3 = bits_3 - vec4<f32>(8.388616e06);
        let difference_4 = bits_4 - vec4<f32>(8.388616e06);
        let difference_5 = bits_5 - vec4<f32>(8.388616e06);
        let difference_6 = bits_6 - vec4<f32>(8.388616e06);
        // quant_view.go
        workgroupBarrier();
        if (in_bounds) {
            scratch[lane_2] = scales_1;
        }
        let offset_3 = i + 1;
        let more_0 = offset_3 < chosen_0;
        let next = select(i, offset_3, more_0);
        // quant_view.go
        let data_start0 = next * 1024;
        let index_15 = params.data_offset + data_start0 + lane + offset;
        let data_16 = unpack_u8_x2(data[index_15 >> 2u] >> (u32(index_15 & 3) * 8u));
        let index_16 = index_15 + 512;
        let data_17 = unpack_u8_x2(data[index_16 >> 2u] >> (u32(index_16 & 3) * 8u));
        let index_17 = index_15 + params.data_stride1;
        let data_18 = unpack_u8_x2(data[index_17 >> 2u] >> (u32(index_17 & 3) * 8u));
        let index_18 = index_16 + params.data_stride1;
        let data_19 = unpack_u8_x2(data[index_18 >> 2u] >> (u32(index_18 & 3) * 8u));
        let index_19 = index_15 + offset_0;
        let data_20 = unpack_u8_x2(data[index_19 >> 2u] >> (u32(index_19 & 3) * 8u));
        let index_20 = index_16 + offset_0;
        let data_21 = unpack_u8_x2(data[index_20 >> 2u] >> (u32(index_20 & 3) * 8u));
        let index_21 = index_15 + offset_1;
        let data_22 = unpack_u8_x2(data[index_21 >> 2u] >> (u32(index_21 & 3) * 8u));
        let index_22 = index_16 + offset_1;
        let data_23 = unpack_u8_x2(data[index_22 >> 2u] >> (u32(index_22 & 3) * 8u));
        // quant_view.go
        let scales_start0 = next * 16;
        let scales_2 = scales[params.scales_offset + scales_start0 + lane_0 + offset_2];
        // block.go
        let a_start1 = next * 2048;
        let index_23 = params.a_offset + a_start1 + lane_4;
        let a_4 = unpack_f16_x4(a[index_23 >> 2u]);
        let a_5 = unpack_f16_x4(a[(index_23 >> 2u) + 256]);
        // quant_view.go
        workgroupBarrier();
        let exchange = scratch[lane_3];
        let exchange_0 = scratch[index];
        let exchange_1 = scratch[index_0];
        let exchange_2 = scratch[index_1];
        let exchange_3 = scratch[index_2];
        let exchange_4 = scratch[index_3];
        let exchange_5 = scratch[index_4];
        let exchange_6 = scratch[index_5];
        // quantized_matmul.go
        let product = difference * vec4<f32>(exchange);
        let product_0 = difference_0 * vec4<f32>(exchange_0);
        let product_1 = difference_1 * vec4<f32>(exchange_1);
        let product_2 = difference_2 * vec4<f32>(exchange_2);
        let product_3 = difference_3 * vec4<f32>(exchange_3);
        let product_4 = difference_4 * vec4<f32>(exchange_4);
        let product_5 = difference_5 * vec4<f32>(exchange_5);
        let product_6 = difference_6 * vec4<f32>(exchange_6);
        // matmul.go
        carried = fma(product, a_2, carried);
        carried_0 = fma(product_0, a_3, carried_0);
        carried_1 = fma(product_1, a_2, carried_1);
        carried_2 = fma(product_2, a_3, carried_2);
        carried_3 = fma(product_3, a_2, carried_3);
        carried_4 = fma(product_4, a_3, carried_4);
        carried_5 = fma(product_5, a_2, carried_5);
        carried_6 = fma(product_6, a_3, carried_6);
        data_8 = data_16;
        data_9 = data_17;
        data_10 = data_18;
        data_11 = data_19;
        data_12 = data_20;
        data_13 = data_21;
        data_14 = data_22;
        data_15 = data_23;
        scales_1 = scales_2;
        a_2 = a_4;
        a_3 = a_5;
    }
    // quant_view.go
    let bits_7 = bitcast<u32>(data_start1);
    let less = bits_7 < bitcast<u32>(params.data_size1);
    let bits_8 = bitcast<u32>(params.data_size0);
    // quant_view.go
    let bits_9 = bitcast<u32>(params.scales_size0);
    let less_0 = bits_7 < bitcast<u32>(params.scales_size1);
    // block.go
    let bits_10 = bitcast<u32>(a_start0);
    let less_1 = bits_10 < bitcast<u32>(params.a_size0);
    let bits_11 = bitcast<u32>(params.a_size1);
    let more_1 = chosen_0 < quotient_0;
    // quant_view.go
    let data_start0_0 = chosen_0 * 1024;
    let offset_4 = data_start0_0 + lane;
    let index_24 = params.data_offset + offset_4 + offset;
    let in_bounds_0 = bitcast<u32>(offset_4) < bits_8 && less && more_1;
    let data_24 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_24 >> 2u, in_bounds_0)] >> (u32(index_24 & 3) * 8u)), in_bounds_0);
    let index_25 = index_24 + 512;
    let in_bounds_1 = bitcast<u32>(offset_4 + 512) < bits_8 && less && more_1;
    let data_25 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_25 >> 2u, in_bounds_1)] >> (u32(index_25 & 3) * 8u)), in_bounds_1);
    let index_26 = index_24 + params.data_stride1;
    let data_26 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_26 >> 2u, in_bounds_0)] >> (u32(index_26 & 3) * 8u)), in_bounds_0);
    let index_27 = index_25 + params.data_stride1;
    let data_27 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_27 >> 2u, in_bounds_1)] >> (u32(index_27 & 3) * 8u)), in_bounds_1);
    let index_28 = index_24 + offset_0;
    let data_28 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_28 >> 2u, in_bounds_0)] >> (u32(index_28 & 3) * 8u)), in_bounds_0);
    let index_29 = index_25 + offset_0;
    let data_29 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_29 >> 2u, in_bounds_1)] >> (u32(index_29 & 3) * 8u)), in_bounds_1);
    let index_30 = index_24 + offset_1;
    let data_30 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_30 >> 2u, in_bounds_0)] >> (u32(index_30 & 3) * 8u)), in_bounds_0);
    let index_31 = index_25 + offset_1;
    let data_31 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_31 >> 2u, in_bounds_1)] >> (u32(index_31 & 3) * 8u)), in_bounds_1);
    // quant_view.go
    let scales_start0_0 = chosen_0 * 16;
    let in_bounds_2 = bitcast<u32>(scales_start0_0) < bits_9 && less_0 && more_1;
    let scales_3 = select(0.0, scales[select(0, params.scales_offset + scales_start0_0 + lane_0 + offset_2, in_bounds_2)], in_bounds_2);
    // block.go
    let a_start1_0 = chosen_0 * 2048;
    let offset_5 = a_start1_0 + lane_4;
    let index_32 = params.a_offset + offset_5;
    let in_bounds_3 = less_1 && bitcast<u32>(offset_5) < bits_11 && more_1;
    let a_6 = select(vec4<f32>(0.0), unpack_f16_x4(a[select(0, index_32 >> 2u, in_bounds_3)]), in_bounds_3);
    let in_bounds_4 = less_1 && bitcast<u32>(offset_5 + 1024) < bits_11 && more_1;
    let a_7 = select(vec4<f32>(0.0), unpack_f16_x4(a[select(0, (index_32 >> 2u) + 256, in_bounds_4)]), in_bounds_4);
    // matmul.go
    var data_32: vec2<u32> = data_24;
    var data_33: vec2<u32> = data_25;
    var data_34: vec2<u32> = data_26;
    var data_35: vec2<u32> = data_27;
    var data_36: vec2<u32> = data_28;
    var data_37: vec2<u32> = data_29;
    var data_38: vec2<u32> = data_30;
    var data_39: vec2<u32> = data_31;
    var scales_4: f32 = scales_3;
    var a_8: vec4<f32> = a_6;
    var a_9: vec4<f32> = a_7;
    for (var i_0: i32 = chosen_0; i_0 < quotient_0; i_0 += 1) {
        // quant_view.go
        let converted_7 = vec2<i32>(data_32);
        let converted_8 = vec2<i32>(data_33);
        let converted_9 = vec2<i32>(data_34);
        let converted_10 = vec2<i32>(data_35);
        let converted_11 = vec2<i32>(data_36);
        let converted_12 = vec2<i32>(data_37);
        let converted_13 = vec2<i32>(data_38);
        let converted_14 = vec2<i32>(data_39);
        let both_16 = vec2<u32>(converted_7 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_17 = vec2<u32>(converted_8 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_18 = vec2<u32>(converted_9 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_19 = vec2<u32>(converted_10 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_20 = vec2<u32>(converted_11 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_21 = vec2<u32>(converted_12 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_22 = vec2<u32>(converted_13 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_23 = vec2<u32>(converted_14 & vec2<i32>(15)) & vec2<u32>(255u);
        let both_24 = vec2<u32>((converted_7 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_25 = vec2<u32>((converted_8 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_26 = vec2<u32>((converted_9 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_27 = vec2<u32>((converted_10 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_28 = vec2<u32>((converted_11 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_29 = vec2<u32>((converted_12 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_30 = vec2<u32>((converted_13 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let both_31 = vec2<u32>((converted_14 >> vec2<u32>(4u)) & vec2<i32>(15)) & vec2<u32>(255u);
        let lanes_7 = vec4<u32>(both_16.x, both_24.x, both_16.y, both_24.y);
        let lanes_8 = vec4<u32>(both_17.x, both_25.x, both_17.y, both_25.y);
        let lanes_9 = vec4<u32>(both_18.x, both_26.x, both_18.y, both_26.y);
        let lanes_10 = vec4<u32>(both_19.x, both_27.x, both_19.y, both_27.y);
        let lanes_11 = vec4<u32>(both_20.x, both_28.x, both_20.y, both_28.y);
        let lanes_12 = vec4<u32>(both_21.x, both_29.x, both_21.y, both_29.y);
        let lanes_13 = vec4<u32>(both_22.x, both_30.x, both_22.y, both_30.y);
        let lanes_14 = vec4<u32>(both_23.x, both_31.x, both_23.y, both_31.y);
        // quant_view.go
        let changed_7 = lanes_7 ^ vec4<u32>(8u);
        let changed_8 = lanes_8 ^ vec4<u32>(8u);
        let changed_9 = lanes_9 ^ vec4<u32>(8u);
        let changed_10 = lanes_10 ^ vec4<u32>(8u);
        let changed_11 = lanes_11 ^ vec4<u32>(8u);
        let changed_12 = lanes_12 ^ vec4<u32>(8u);
        let changed_13 = lanes_13 ^ vec4<u32>(8u);
        let changed_14 = lanes_14 ^ vec4<u32>(8u);
        // quant_view.go
        let bits_12 = bitcast<vec4<f32>>(changed_7 | vec4<u32>(1258291200u));
        let bits_13 = bitcast<vec4<f32>>(changed_8 | vec4<u32>(1258291200u));
        let bits_14 = bitcast<vec4<f32>>(changed_9 | vec4<u32>(1258291200u));
        let bits_15 = bitcast<vec4<f32>>(changed_10 | vec4<u32>(1258291200u));
        let bits_16 = bitcast<vec4<f32>>(changed_11 | vec4<u32>(1258291200u));
        let bits_17 = bitcast<vec4<f32>>(changed_12 | vec4<u32>(1258291200u));
        let bits_18 = bitcast<vec4<f32>>(changed_13 | vec4<u32>(1258291200u));
        let bits_19 = bitcast<vec4<f32>>(changed_14 | vec4<u32>(1258291200u));
        // quant_view.go
        let difference_7 = bits_12 - vec4<f32>(8.388616e06);
        let difference_8 = bits_13 - vec4<f32>(8.388616e06);
        let difference_9 = bits_14 - vec4<f32>(8.388616e06);
        let difference_10 = bits_15 - vec4<f32>(8.388616e06);
        let difference_11 = bits_16 - vec4<f32>(8.388616e06);
        let difference_12 = bits_17 - vec4<f32>(8.388616e06);
        let difference_13 = bits_18 - vec4<f32>(8.388616e06);
        let difference_14 = bits_19 - vec4<f32>(8.388616e06);
        // quant_view.go
        workgroupBarrier();
        if (in_bounds) {
            scratch[lane_2] = scales_4;
        }
        let offset_6 = i_0 + 1;
        let more_2 = offset_6 < quotient_0;
        let next_0 = select(i_0, offset_6, more_2);
        // quant_view.go
        let data_start0_1 = next_0 * 1024;
        let offset_7 = data_start0_1 + lane;
        let index_33 = params.data_offset + offset_7 + offset;
        let in_bounds_5 = bitcast<u32>(offset_7) < bits_8 && less;
        let data_40 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_33 >> 2u, in_bounds_5)] >> (u32(index_33 & 3) * 8u)), in_bounds_5);
        let index_34 = index_33 + 512;
        let in_bounds_6 = bitcast<u32>(offset_7 + 512) < bits_8 && less;
        let data_41 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_34 >> 2u, in_bounds_6)] >> (u32(index_34 & 3) * 8u)), in_bounds_6);
        let index_35 = index_33 + params.data_stride1;
        let data_42 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_35 >> 2u, in_bounds_5)] >> (u32(index_35 & 3) * 8u)), in_bounds_5);
        let index_36 = index_34 + params.data_stride1;
        let data_43 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_36 >> 2u, in_bounds_6)] >> (u32(index_36 & 3) * 8u)), in_bounds_6);
        let index_37 = index_33 + offset_0;
        let data_44 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_37 >> 2u, in_bounds_5)] >> (u32(index_37 & 3) * 8u)), in_bounds_5);
        let index_38 = index_34 + offset_0;
        let data_45 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_38 >> 2u, in_bounds_6)] >> (u32(index_38 & 3) * 8u)), in_bounds_6);
        let index_39 = index_33 + offset_1;
        let data_46 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_39 >> 2u, in_bounds_5)] >> (u32(index_39 & 3) * 8u)), in_bounds_5);
        let index_40 = index_34 + offset_1;
        let data_47 = select(vec2<u32>(0u), unpack_u8_x2(data[select(0, index_40 >> 2u, in_bounds_6)] >> (u32(index_40 & 3) * 8u)), in_bounds_6);
        // quant_view.go
        let scales_start0_1 = next_0 * 16;
        let in_bounds_7 = bitcast<u32>(scales_start0_1) < bits_9 && less_0;
        let scales_5 = select(0.0, scales[select(0, params.scales_offset + scales_start0_1 + lane_0 + offset_2, in_bounds_7)], in_bounds_7);
        // block.go
        let a_start1_1 = next_0 * 2048;
        let offset_8 = a_start1_1 + lane_4;
        let index_41 = params.a_offset + offset_8;
        let in_bounds_8 = less_1 && bitcast<u32>(offset_8) < bits_11;
        let a_10 = select(vec4<f32>(0.0), unpack_f16_x4(a[select(0, index_41 >> 2u, in_bounds_8)]), in_bounds_8);
        let in_bounds_9 = less_1 && bitcast<u32>(offset_8 + 1024) < bits_11;
        let a_11 = select(vec4<f32>(0.0), unpack_f16_x4(a[select(0, (index_41 >> 2u) + 256, in_bounds_9)]), in_bounds_9);
        // quant_view.go
        workgroupBarrier();
        let exchange_7 = scratch[lane_3];
        let exchange_8 = scratch[index];
        let exchange_9 = scratch[index_0];
        let exchange_10 = scratch[index_1];
        let exchange_11 = scratch[index_2];
        let exchange_12 = scratch[index_3];
        let exchange_13 = scratch[index_4];
        let exchange_14 = scratch[index_5];
        // quantized_matmul.go
        let product_7 = difference_7 * vec4<f32>(exchange_7);
        let product_8 = difference_8 * vec4<f32>(exchange_8);
        let product_9 = difference_9 * vec4<f32>(exchange_9);
        let product_10 = difference_10 * vec4<f32>(exchange_10);
        let product_11 = difference_11 * vec4<f32>(exchange_11);
        let product_12 = difference_12 * vec4<f32>(exchange_12);
        let product_13 = difference_13 * vec4<f32>(exchange_13);
        let product_14 = difference_14 * vec4<f32>(exchange_14);
        // matmul.go
        carried = fma(product_7, a_8, carried);
        carried_0 = fma(product_8, a_9, carried_0);
        carried_1 = fma(product_9, a_8, carried_1);
        carried_2 = fma(product_10, a_9, carried_2);
        carried_3 = fma(product_11, a_8, carried_3);
        carried_4 = fma(product_12, a_9, carried_4);
        carried_5 = fma(product_13, a_8, carried_5);
        carried_6 = fma(product_14, a_9, carried_6);
        data_32 = data_40;
        data_33 = data_41;
        data_34 = data_42;
        data_35 = data_43;
        data_36 = data_44;
        data_37 = data_45;
        data_38 = data_46;
        data_39 = data_47;
        scales_4 = scales_5;
        a_8 = a_10;
        a_9 = a_11;
    }
    // matmul.go
    let sum = carried + carried_0;
    let sum_0 = carried_1 + carried_2;
    let sum_1 = carried_3 + carried_4;
    let sum_2 = carried_5 + carried_6;
    parts[thread] = sum.x + sum.z + (sum.y + sum.w);
    parts[thread + 256] = sum_0.x + sum_0.z + (sum_0.y + sum_0.w);
    parts[thread + 512] = sum_1.x + sum_1.z + (sum_1.y + sum_1.w);
    parts[thread + 768] = sum_2.x + sum_2.z + (sum_2.y + sum_2.w);
    let index_42 = thread & 15;
    workgroupBarrier();
    let parts_0 = parts[index_42];
    let index_43 = index_42 + 16;
    let parts_1 = parts[index_43];
    let index_44 = index_42 + 32;
    let parts_2 = parts[index_44];
    let index_45 = index_42 + 48;
    let parts_3 = parts[index_45];
    let parts_4 = parts[index_42 + 64];
    let parts_5 = parts[index_42 + 80];
    let parts_6 = parts[index_42 + 96];
    let sum_3 = parts_0 + parts_1 + parts_2 + parts_3 + parts_4 + parts_5 + parts_6;
    let parts_7 = parts[index_42 + 112];
    let parts_8 = parts[index_42 + 128];
    let parts_9 = parts[index_42 + 144];
    let parts_10 = parts[index_42 + 160];
    let parts_11 = parts[index_42 + 176];
    let parts_12 = parts[index_42 + 192];
    let sum_4 = sum_3 + parts_7 + parts_8 + parts_9 + parts_10 + parts_11 + parts_12;
    let parts_13 = parts[index_42 + 208];
    let parts_14 = parts[index_42 + 224];
    let parts_15 = parts[index_42 + 240];
    let parts_16 = parts[index_42 + 256];
    let parts_17 = parts[index_42 + 272];
    let parts_18 = parts[index_42 + 288];
    let parts_19 = parts[index_42 + 304];
    let parts_20 = parts[index_42 + 320];
    let parts_21 = parts[index_42 + 336];
    let parts_22 = parts[index_42 + 352];
    let sum_5 = parts_16 + parts_17 + parts_18 + parts_19 + parts_20 + parts_21 + parts_22;
    let parts_23 = parts[index_42 + 368];
    let parts_24 = parts[index_42 + 384];
    let parts_25 = parts[index_42 + 400];
    let parts_26 = parts[index_42 + 416];
    let parts_27 = parts[index_42 + 432];
    let parts_28 = parts[index_42 + 448];
    let sum_6 = sum_5 + parts_23 + parts_24 + parts_25 + parts_26 + parts_27 + parts_28;
    let parts_29 = parts[index_42 + 464];
    let parts_30 = parts[index_42 + 480];
    let parts_31 = parts[index_42 + 496];
    let parts_32 = parts[index_42 + 512];
    let parts_33 = parts[index_42 + 528];
    let parts_34 = parts[index_42 + 544];
    let parts_35 = parts[index_42 + 560];
    let parts_36 = parts[index_42 + 576];
    let parts_37 = parts[index_42 + 592];
    let parts_38 = parts[index_42 + 608];
    let sum_7 = parts_32 + parts_33 + parts_34 + parts_35 + parts_36 + parts_37 + parts_38;
    let parts_39 = parts[index_42 + 624];
    let parts_40 = parts[index_42 + 640];
    let parts_41 = parts[index_42 + 656];
    let parts_42 = parts[index_42 + 672];
    let parts_43 = parts[index_42 + 688];
    let parts_44 = parts[index_42 + 704];
    let sum_8 = sum_7 + parts_39 + parts_40 + parts_41 + parts_42 + parts_43 + parts_44;
    let parts_45 = parts[index_42 + 720];
    let parts_46 = parts[index_42 + 736];
    let parts_47 = parts[index_42 + 752];
    let parts_48 = parts[index_42 + 768];
    let parts_49 = parts[index_42 + 784];
    let parts_50 = parts[index_42 + 800];
    let parts_51 = parts[index_42 + 816];
    let parts_52 = parts[index_42 + 832];
    let parts_53 = parts[index_42 + 848];
    let parts_54 = parts[index_42 + 864];
    let sum_9 = parts_48 + parts_49 + parts_50 + parts_51 + parts_52 + parts_53 + parts_54;
    let parts_55 = parts[index_42 + 880];
    let parts_56 = parts[index_42 + 896];
    let parts_57 = parts[index_42 + 912];
    let parts_58 = parts[index_42 + 928];
    let parts_59 = parts[index_42 + 944];
    let parts_60 = parts[index_42 + 960];
    let sum_10 = sum_9 + parts_55 + parts_56 + parts_57 + parts_58 + parts_59 + parts_60;
    let parts_61 = parts[index_42 + 976];
    let parts_62 = parts[index_42 + 992];
    let parts_63 = parts[index_42 + 1008];
    let in_bounds_10 = thread < 16;
    if (in_bounds_10) {
        scratch[index_42] = sum_4 + parts_13 + parts_14 + parts_15;
        scratch[index_43] = sum_6 + parts_29 + parts_30 + parts_31;
        scratch[index_44] = sum_8 + parts_45 + parts_46 + parts_47;
        scratch[index_45] = sum_10 + parts_61 + parts_62 + parts_63;
    }
    workgroupBarrier();
    let parts_64 = scratch[0];
    let parts_65 = scratch[1];
    let parts_66 = scratch[2];
    let parts_67 = scratch[3];
    let parts_68 = scratch[4];
    let parts_69 = scratch[5];
    let parts_70 = scratch[6];
    let sum_11 = parts_64 + parts_65 + parts_66 + parts_67 + parts_68 + parts_69 + parts_70;
    let parts_71 = scratch[7];
    let parts_72 = scratch[8];
    let parts_73 = scratch[9];
    let parts_74 = scratch[10];
    let parts_75 = scratch[11];
    let parts_76 = scratch[12];
    let sum_12 = sum_11 + parts_71 + parts_72 + parts_73 + parts_74 + parts_75 + parts_76;
    let parts_77 = scratch[13];
    let parts_78 = scratch[14];
    let parts_79 = scratch[15];
    let parts_80 = scratch[16];
    let parts_81 = scratch[17];
    let parts_82 = scratch[18];
    let parts_83 = scratch[19];
    let parts_84 = scratch[20];
    let parts_85 = scratch[21];
    let parts_86 = scratch[22];
    let sum_13 = parts_80 + parts_81 + parts_82 + parts_83 + parts_84 + parts_85 + parts_86;
    let parts_87 = scratch[23];
    let parts_88 = scratch[24];
    let parts_89 = scratch[25];
    let parts_90 = scratch[26];
    let parts_91 = scratch[27];
    let parts_92 = scratch[28];
    let sum_14 = sum_13 + parts_87 + parts_88 + parts_89 + parts_90 + parts_91 + parts_92;
    let parts_93 = scratch[29];
    let parts_94 = scratch[30];
    let parts_95 = scratch[31];
    let parts_96 = scratch[32];
    let parts_97 = scratch[33];
    let parts_98 = scratch[34];
    let parts_99 = scratch[35];
    let parts_100 = scratch[36];
    let parts_101 = scratch[37];
    let sum_15 = parts_96 + parts_97 + parts_98 + parts_99 + parts_100 + parts_101;
    let parts_102 = scratch[38];
    let parts_103 = scratch[39];
    let parts_104 = scratch[40];
    let parts_105 = scratch[41];
    let parts_106 = scratch[42];
    let sum_16 = sum_15 + parts_102 + parts_103 + parts_104 + parts_105 + parts_106;
    let parts_107 = scratch[43];
    let parts_108 = scratch[44];
    let parts_109 = scratch[45];
    let parts_110 = scratch[46];
    let parts_111 = scratch[47];
    let sum_17 = sum_16 + parts_107 + parts_108 + parts_109 + parts_110 + parts_111;
    let parts_112 = scratch[48];
    let parts_113 = scratch[49];
    let parts_114 = scratch[50];
    let parts_115 = scratch[51];
    let parts_116 = scratch[52];
    let parts_117 = scratch[53];
    let sum_18 = parts_112 + parts_113 + parts_114 + parts_115 + parts_116 + parts_117;
    let parts_118 = scratch[54];
    let parts_119 = scratch[55];
    let parts_120 = scratch[56];
    let parts_121 = scratch[57];
    let parts_122 = scratch[58];
    let sum_19 = sum_18 + parts_118 + parts_119 + parts_120 + parts_121 + parts_122;
    let parts_123 = scratch[59];
    let parts_124 = scratch[60];
    let parts_125 = scratch[61];
    let parts_126 = scratch[62];
    let parts_127 = scratch[63];
    let sum_20 = sum_19 + parts_123 + parts_124 + parts_125 + parts_126 + parts_127;
    let lanes_15 = vec4<f32>(sum_12 + parts_77 + parts_78 + parts_79, sum_14 + parts_93 + parts_94 + parts_95, sum_17, sum_20);
    // block.go
    if ((thread & 255) == 0 && bits_10 < bitcast<u32>(params.out_size0)) {
        out[(params.out_offset >> 2u) + remainder] = pack_f16_x4(lanes_15);
    }
}
