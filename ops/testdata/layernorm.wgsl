@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read> weight: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(2) var<storage, read> bias: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(3) var<storage, read_write> out: array<vec4<u32>>; // f16, 2 in a word
var<workgroup> parts: array<f32, 256>; // reduce_states.go: partial results of reduce.sum
var<workgroup> parts_0: array<f32, 16>; // reduce_states.go: partial results of reduce.sum

struct Params {
    x_offset: i32,
    x_size0: i32,
    x_size1: i32,
    x_stride0: i32,
    weight_offset: i32,
    weight_size0: i32,
    weight_size1: i32,
    bias_offset: i32,
    bias_size0: i32,
    bias_size1: i32,
    out_offset: i32,
    out_size0: i32,
    out_size1: i32,
    out_stride0: i32,
    epsilon: f32,
}
@group(0) @binding(4) var<uniform> params: Params;

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
fn normalise(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // reduce_kernel.go
    let bits = bitcast<u32>(program);
    let less = bits < bitcast<u32>(params.x_size0);
    let lane = thread << 3u;
    let index = params.x_offset + program * params.x_stride0 + lane;
    let bits_0 = bitcast<u32>(lane);
    let bits_1 = bitcast<u32>(params.x_size1);
    let in_bounds = less && bits_0 < bits_1;
    let x_0 = select(vec4<u32>(0u), x[select(0, index >> 3u, in_bounds)], in_bounds);
    let x_1 = unpack_f16_x4(x_0.xy);
    let x_2 = unpack_f16_x4(x_0.zw);
    let offset = lane + 2048;
    let bits_2 = bitcast<u32>(offset);
    let in_bounds_0 = less && bits_2 < bits_1;
    let x_3 = select(vec4<u32>(0u), x[select(0, (index >> 3u) + 256, in_bounds_0)], in_bounds_0);
    let x_4 = unpack_f16_x4(x_3.xy);
    let x_5 = unpack_f16_x4(x_3.zw);
    // reduce_kernel.go
    let lanes = vec4<i32>(lane, lane + 1, lane + 2, lane + 3);
    let lanes_0 = vec4<i32>(lane + 4, lane + 5, lane + 6, lane + 7);
    let lanes_1 = vec4<i32>(offset, lane + 2049, lane + 2050, lane + 2051);
    let lanes_2 = vec4<i32>(lane + 2052, lane + 2053, lane + 2054, lane + 2055);
    // reduce_kernel.go
    let less_0 = lanes < vec4<i32>(params.x_size1);
    let less_1 = lanes_0 < vec4<i32>(params.x_size1);
    let less_2 = lanes_1 < vec4<i32>(params.x_size1);
    let less_3 = lanes_2 < vec4<i32>(params.x_size1);
    // reduce_states.go
    let converted = vec4<f32>(less_0);
    let converted_0 = vec4<f32>(less_1);
    let converted_1 = vec4<f32>(less_2);
    let converted_2 = vec4<f32>(less_3);
    // reduce_kernel.go
    let converted_3 = f32(params.x_size1);
    // reduce_states.go
    let product = converted * x_1;
    let product_0 = converted_0 * x_2;
    let product_1 = converted_1 * x_4;
    let product_2 = converted_2 * x_5;
    // reduce_states.go
    let sum = product + product_0 + product_1 + product_2;
    parts[thread] = sum.x + sum.z + (sum.y + sum.w);
    let index_0 = thread & 15;
    workgroupBarrier();
    let parts_1 = parts[index_0];
    let index_1 = index_0 + 16;
    let parts_2 = parts[index_1];
    let index_2 = index_0 + 32;
    let parts_3 = parts[index_2];
    let index_3 = index_0 + 48;
    let parts_4 = parts[index_3];
    let index_4 = index_0 + 64;
    let parts_5 = parts[index_4];
    let index_5 = index_0 + 80;
    let parts_6 = parts[index_5];
    let index_6 = index_0 + 96;
    let parts_7 = parts[index_6];
    let sum_0 = parts_1 + parts_2 + parts_3 + parts_4 + parts_5 + parts_6 + parts_7;
    let index_7 = index_0 + 112;
    let parts_8 = parts[index_7];
    let index_8 = index_0 + 128;
    let parts_9 = parts[index_8];
    let index_9 = index_0 + 144;
    let parts_10 = parts[index_9];
    let index_10 = index_0 + 160;
    let parts_11 = parts[index_10];
    let index_11 = index_0 + 176;
    let parts_12 = parts[index_11];
    let index_12 = index_0 + 192;
    let parts_13 = parts[index_12];
    let sum_1 = sum_0 + parts_8 + parts_9 + parts_10 + parts_11 + parts_12 + parts_13;
    let index_13 = index_0 + 208;
    let parts_14 = parts[index_13];
    let index_14 = index_0 + 224;
    let parts_15 = parts[index_14];
    let index_15 = index_0 + 240;
    let parts_16 = parts[index_15];
    let in_bounds_1 = thread < 16;
    if (in_bounds_1) {
        parts_0[index_0] = sum_1 + parts_14 + parts_15 + parts_16;
    }
    workgroupBarrier();
    let parts_17 = parts_0[0];
    let parts_18 = parts_0[1];
    let parts_19 = parts_0[2];
    let parts_20 = parts_0[3];
    let parts_21 = parts_0[4];
    let parts_22 = parts_0[5];
    let parts_23 = parts_0[6];
    let sum_2 = parts_17 + parts_18 + parts_19 + parts_20 + parts_21 + parts_22 + parts_23;
    let parts_24 = parts_0[7];
    let parts_25 = parts_0[8];
    let parts_26 = parts_0[9];
    let parts_27 = parts_0[10];
    let parts_28 = parts_0[11];
    let parts_29 = parts_0[12];
    let sum_3 = sum_2 + parts_24 + parts_25 + parts_26 + parts_27 + parts_28 + parts_29;
    let parts_30 = parts_0[13];
    let parts_31 = parts_0[14];
    let parts_32 = parts_0[15];
    let sum_4 = sum_3 + parts_30 + parts_31 + parts_32;
    // reduce_states.go
    let quotient = sum_4 / max(converted_3, 1.0);
    // reduce_states.go
    let difference = x_1 - vec4<f32>(quotient);
    let difference_0 = x_2 - vec4<f32>(quotient);
    let difference_1 = x_4 - vec4<f32>(quotient);
    let difference_2 = x_5 - vec4<f32>(quotient);
    // reduce_states.go
    let fused = fma(difference * difference, converted, vec4<f32>(0.0));
    let fused_0 = fma(difference_0 * difference_0, converted_0, vec4<f32>(0.0));
    let fused_1 = fma(difference_1 * difference_1, converted_1, vec4<f32>(0.0));
    let fused_2 = fma(difference_2 * difference_2, converted_2, vec4<f32>(0.0));
    // reduce_states.go
    let sum_5 = fused + fused_0 + fused_1 + fused_2;
    parts[thread] = sum_5.x + sum_5.z + (sum_5.y + sum_5.w);
    workgroupBarrier();
    let parts_33 = parts[index_0];
    let parts_34 = parts[index_1];
    let parts_35 = parts[index_2];
    let parts_36 = parts[index_3];
    let parts_37 = parts[index_4];
    let parts_38 = parts[index_5];
    let parts_39 = parts[index_6];
    let sum_6 = parts_33 + parts_34 + parts_35 + parts_36 + parts_37 + parts_38 + parts_39;
    let parts_40 = parts[index_7];
    let parts_41 = parts[index_8];
    let parts_42 = parts[index_9];
    let parts_43 = parts[index_10];
    let parts_44 = parts[index_11];
    let parts_45 = parts[index_12];
    let sum_7 = sum_6 + parts_40 + parts_41 + parts_42 + parts_43 + parts_44 + parts_45;
    let parts_46 = parts[index_13];
    let parts_47 = parts[index_14];
    let parts_48 = parts[index_15];
    if (in_bounds_1) {
        parts_0[index_0] = sum_7 + parts_46 + parts_47 + parts_48;
    }
    workgroupBarrier();
    let parts_49 = parts_0[0];
    let parts_50 = parts_0[1];
    let parts_51 = parts_0[2];
    let parts_52 = parts_0[3];
    let parts_53 = parts_0[4];
    let parts_54 = parts_0[5];
    let parts_55 = parts_0[6];
    let sum_8 = parts_49 + parts_50 + parts_51 + parts_52 + parts_53 + parts_54 + parts_55;
    let parts_56 = parts_0[7];
    let parts_57 = parts_0[8];
    let parts_58 = parts_0[9];
    let parts_59 = parts_0[10];
    let parts_60 = parts_0[11];
    let parts_61 = parts_0[12];
    let sum_9 = sum_8 + parts_56 + parts_57 + parts_58 + parts_59 + parts_60 + parts_61;
    let parts_62 = parts_0[13];
    let parts_63 = parts_0[14];
    let parts_64 = parts_0[15];
    let sum_10 = sum_9 + parts_62 + parts_63 + parts_64;
    // norm_kernel.go
    let inverse_root = inverseSqrt(sum_10 / converted_3 + params.epsilon);
    // norm_kernel.go
    let product_3 = difference * vec4<f32>(inverse_root);
    let product_4 = difference_0 * vec4<f32>(inverse_root);
    let product_5 = difference_1 * vec4<f32>(inverse_root);
    let product_6 = difference_2 * vec4<f32>(inverse_root);
    // norm_kernel.go
    let value = 0;
    let bits_3 = bitcast<u32>(value);
    let less_4 = bits_3 < bitcast<u32>(params.weight_size0);
    let index_16 = params.weight_offset + lane;
    let bits_4 = bitcast<u32>(params.weight_size1);
    let in_bounds_2 = less_4 && bits_0 < bits_4;
    let weight_0 = select(vec4<u32>(0u), weight[select(0, index_16 >> 3u, in_bounds_2)], in_bounds_2);
    let weight_1 = unpack_f16_x4(weight_0.xy);
    let weight_2 = unpack_f16_x4(weight_0.zw);
    let in_bounds_3 = less_4 && bits_2 < bits_4;
    let weight_3 = select(vec4<u32>(0u), weight[select(0, (index_16 >> 3u) + 256, in_bounds_3)], in_bounds_3);
    let weight_4 = unpack_f16_x4(weight_3.xy);
    let weight_5 = unpack_f16_x4(weight_3.zw);
    // norm_kernel.go
    let product_7 = product_3 * weight_1;
    let product_8 = product_4 * weight_2;
    let product_9 = product_5 * weight_4;
    let product_10 = product_6 * weight_5;
    // norm_kernel.go
    let less_5 = bits_3 < bitcast<u32>(params.bias_size0);
    let index_17 = params.bias_offset + lane;
    let bits_5 = bitcast<u32>(params.bias_size1);
    let in_bounds_4 = less_5 && bits_0 < bits_5;
    let bias_0 = select(vec4<u32>(0u), bias[select(0, index_17 >> 3u, in_bounds_4)], in_bounds_4);
    let bias_1 = unpack_f16_x4(bias_0.xy);
    let bias_2 = unpack_f16_x4(bias_0.zw);
    let in_bounds_5 = less_5 && bits_2 < bits_5;
    let bias_3 = select(vec4<u32>(0u), bias[select(0, (index_17 >> 3u) + 256, in_bounds_5)], in_bounds_5);
    let bias_4 = unpack_f16_x4(bias_3.xy);
    let bias_5 = unpack_f16_x4(bias_3.zw);
    // norm_kernel.go
    let sum_11 = product_7 + bias_1;
    let sum_12 = product_8 + bias_2;
    let sum_13 = product_9 + bias_4;
    let sum_14 = product_10 + bias_5;
    // norm_kernel.go
    let less_6 = bits < bitcast<u32>(params.out_size0);
    let index_18 = params.out_offset + program * params.out_stride0 + lane;
    let bits_6 = bitcast<u32>(params.out_size1);
    let value_0 = pack_f16_x4(sum_11);
    let value_1 = pack_f16_x4(sum_12);
    if (less_6 && bits_0 < bits_6) {
        out[index_18 >> 3u] = vec4<u32>(value_0.x, value_0.y, value_1.x, value_1.y);
    }
    let value_2 = pack_f16_x4(sum_13);
    let value_3 = pack_f16_x4(sum_14);
    if (less_6 && bits_2 < bits_6) {
        out[(index_18 >> 3u) + 256] = vec4<u32>(value_2.x, value_2.y, value_3.x, value_3.y);
    }
}
