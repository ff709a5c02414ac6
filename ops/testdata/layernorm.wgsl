@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read> weight: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(2) var<storage, read> bias: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(3) var<storage, read_write> out: array<vec4<u32>>; // f16, 2 in a word
var<workgroup> parts: array<f32, 128>; // kernels/reduce_states.go: partial results of reduce.sum
var<workgroup> parts_0: array<f32, 16>; // kernels/reduce_states.go: partial results of reduce.sum

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

@compute @workgroup_size(128, 1, 1)
fn normalise(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/reduce_kernel.go
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
    let offset = lane + 1024;
    let bits_2 = bitcast<u32>(offset);
    let in_bounds_0 = less && bits_2 < bits_1;
    let x_3 = select(vec4<u32>(0u), x[select(0, (index >> 3u) + 128, in_bounds_0)], in_bounds_0);
    let x_4 = unpack_f16_x4(x_3.xy);
    let x_5 = unpack_f16_x4(x_3.zw);
    let offset_0 = lane + 2048;
    let bits_3 = bitcast<u32>(offset_0);
    let in_bounds_1 = less && bits_3 < bits_1;
    let x_6 = select(vec4<u32>(0u), x[select(0, (index >> 3u) + 256, in_bounds_1)], in_bounds_1);
    let x_7 = unpack_f16_x4(x_6.xy);
    let x_8 = unpack_f16_x4(x_6.zw);
    let offset_1 = lane + 3072;
    let bits_4 = bitcast<u32>(offset_1);
    let in_bounds_2 = less && bits_4 < bits_1;
    let x_9 = select(vec4<u32>(0u), x[select(0, (index >> 3u) + 384, in_bounds_2)], in_bounds_2);
    let x_10 = unpack_f16_x4(x_9.xy);
    let x_11 = unpack_f16_x4(x_9.zw);
    // kernels/reduce_kernel.go
    let lanes = vec4<i32>(lane, lane + 1, lane + 2, lane + 3);
    let lanes_0 = vec4<i32>(lane + 4, lane + 5, lane + 6, lane + 7);
    let lanes_1 = vec4<i32>(offset, lane + 1025, lane + 1026, lane + 1027);
    let lanes_2 = vec4<i32>(lane + 1028, lane + 1029, lane + 1030, lane + 1031);
    let lanes_3 = vec4<i32>(offset_0, lane + 2049, lane + 2050, lane + 2051);
    let lanes_4 = vec4<i32>(lane + 2052, lane + 2053, lane + 2054, lane + 2055);
    let lanes_5 = vec4<i32>(offset_1, lane + 3073, lane + 3074, lane + 3075);
    let lanes_6 = vec4<i32>(lane + 3076, lane + 3077, lane + 3078, lane + 3079);
    // kernels/reduce_kernel.go
    let less_0 = lanes < vec4<i32>(params.x_size1);
    let less_1 = lanes_0 < vec4<i32>(params.x_size1);
    let less_2 = lanes_1 < vec4<i32>(params.x_size1);
    let less_3 = lanes_2 < vec4<i32>(params.x_size1);
    let less_4 = lanes_3 < vec4<i32>(params.x_size1);
    let less_5 = lanes_4 < vec4<i32>(params.x_size1);
    let less_6 = lanes_5 < vec4<i32>(params.x_size1);
    let less_7 = lanes_6 < vec4<i32>(params.x_size1);
    // kernels/reduce_states.go
    let converted = vec4<f32>(less_0);
    let converted_0 = vec4<f32>(less_1);
    let converted_1 = vec4<f32>(less_2);
    let converted_2 = vec4<f32>(less_3);
    let converted_3 = vec4<f32>(less_4);
    let converted_4 = vec4<f32>(less_5);
    let converted_5 = vec4<f32>(less_6);
    let converted_6 = vec4<f32>(less_7);
    // kernels/reduce_kernel.go
    let converted_7 = f32(params.x_size1);
    // kernels/reduce_states.go
    let product = converted * x_1;
    let product_0 = converted_0 * x_2;
    let product_1 = converted_1 * x_4;
    let product_2 = converted_2 * x_5;
    let product_3 = converted_3 * x_7;
    let product_4 = converted_4 * x_8;
    let product_5 = converted_5 * x_10;
    let product_6 = converted_6 * x_11;
    // kernels/reduce_states.go
    let sum = product + product_0 + product_1 + product_2 + product_3 + product_4;
    let sum_0 = sum + product_5 + product_6;
    parts[thread] = sum_0.x + sum_0.z + (sum_0.y + sum_0.w);
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
    let sum_1 = parts_1 + parts_2 + parts_3 + parts_4 + parts_5 + parts_6 + parts_7;
    let index_7 = index_0 + 112;
    let parts_8 = parts[index_7];
    let in_bounds_3 = thread < 16;
    if (in_bounds_3) {
        parts_0[index_0] = sum_1 + parts_8;
    }
    workgroupBarrier();
    let parts_9 = parts_0[0];
    let parts_10 = parts_0[1];
    let parts_11 = parts_0[2];
    let parts_12 = parts_0[3];
    let parts_13 = parts_0[4];
    let parts_14 = parts_0[5];
    let parts_15 = parts_0[6];
    let sum_2 = parts_9 + parts_10 + parts_11 + parts_12 + parts_13 + parts_14 + parts_15;
    let parts_16 = parts_0[7];
    let parts_17 = parts_0[8];
    let parts_18 = parts_0[9];
    let parts_19 = parts_0[10];
    let parts_20 = parts_0[11];
    let parts_21 = parts_0[12];
    let sum_3 = sum_2 + parts_16 + parts_17 + parts_18 + parts_19 + parts_20 + parts_21;
    let parts_22 = parts_0[13];
    let parts_23 = parts_0[14];
    let parts_24 = parts_0[15];
    let sum_4 = sum_3 + parts_22 + parts_23 + parts_24;
    // kernels/reduce_states.go
    let quotient = sum_4 / max(converted_7, 1.0);
    // kernels/reduce_states.go
    let difference = x_1 - vec4<f32>(quotient);
    let difference_0 = x_2 - vec4<f32>(quotient);
    let difference_1 = x_4 - vec4<f32>(quotient);
    let difference_2 = x_5 - vec4<f32>(quotient);
    let difference_3 = x_7 - vec4<f32>(quotient);
    let difference_4 = x_8 - vec4<f32>(quotient);
    let difference_5 = x_10 - vec4<f32>(quotient);
    let difference_6 = x_11 - vec4<f32>(quotient);
    // kernels/reduce_states.go
    let fused = fma(difference * difference, converted, vec4<f32>(0.0));
    let fused_0 = fma(difference_0 * difference_0, converted_0, vec4<f32>(0.0));
    let fused_1 = fma(difference_1 * difference_1, converted_1, vec4<f32>(0.0));
    let fused_2 = fma(difference_2 * difference_2, converted_2, vec4<f32>(0.0));
    let fused_3 = fma(difference_3 * difference_3, converted_3, vec4<f32>(0.0));
    let fused_4 = fma(difference_4 * difference_4, converted_4, vec4<f32>(0.0));
    let fused_5 = fma(difference_5 * difference_5, converted_5, vec4<f32>(0.0));
    let fused_6 = fma(difference_6 * difference_6, converted_6, vec4<f32>(0.0));
    // kernels/reduce_states.go
    let sum_5 = fused + fused_0 + fused_1 + fused_2 + fused_3 + fused_4 + fused_5;
    let sum_6 = sum_5 + fused_6;
    parts[thread] = sum_6.x + sum_6.z + (sum_6.y + sum_6.w);
    workgroupBarrier();
    let parts_25 = parts[index_0];
    let parts_26 = parts[index_1];
    let parts_27 = parts[index_2];
    let parts_28 = parts[index_3];
    let parts_29 = parts[index_4];
    let parts_30 = parts[index_5];
    let parts_31 = parts[index_6];
    let sum_7 = parts_25 + parts_26 + parts_27 + parts_28 + parts_29 + parts_30 + parts_31;
    let parts_32 = parts[index_7];
    if (in_bounds_3) {
        parts_0[index_0] = sum_7 + parts_32;
    }
    workgroupBarrier();
    let parts_33 = parts_0[0];
    let parts_34 = parts_0[1];
    let parts_35 = parts_0[2];
    let parts_36 = parts_0[3];
    let parts_37 = parts_0[4];
    let parts_38 = parts_0[5];
    let parts_39 = parts_0[6];
    let sum_8 = parts_33 + parts_34 + parts_35 + parts_36 + parts_37 + parts_38 + parts_39;
    let parts_40 = parts_0[7];
    let parts_41 = parts_0[8];
    let parts_42 = parts_0[9];
    let parts_43 = parts_0[10];
    let parts_44 = parts_0[11];
    let parts_45 = parts_0[12];
    let sum_9 = sum_8 + parts_40 + parts_41 + parts_42 + parts_43 + parts_44 + parts_45;
    let parts_46 = parts_0[13];
    let parts_47 = parts_0[14];
    let parts_48 = parts_0[15];
    let sum_10 = sum_9 + parts_46 + parts_47 + parts_48;
    // kernels/norm_kernel.go
    let inverse_root = inverseSqrt(sum_10 / converted_7 + params.epsilon);
    // kernels/norm_kernel.go
    let product_7 = difference * vec4<f32>(inverse_root);
    let product_8 = difference_0 * vec4<f32>(inverse_root);
    let product_9 = difference_1 * vec4<f32>(inverse_root);
    let product_10 = difference_2 * vec4<f32>(inverse_root);
    let product_11 = difference_3 * vec4<f32>(inverse_root);
    let product_12 = difference_4 * vec4<f32>(inverse_root);
    let product_13 = difference_5 * vec4<f32>(inverse_root);
    let product_14 = difference_6 * vec4<f32>(inverse_root);
    // kernels/norm_kernel.go
    let less_8 = 0u < bitcast<u32>(params.weight_size0);
    let index_8 = params.weight_offset + lane;
    let bits_5 = bitcast<u32>(params.weight_size1);
    let in_bounds_4 = less_8 && bits_0 < bits_5;
    let weight_0 = select(vec4<u32>(0u), weight[select(0, index_8 >> 3u, in_bounds_4)], in_bounds_4);
    let weight_1 = unpack_f16_x4(weight_0.xy);
    let weight_2 = unpack_f16_x4(weight_0.zw);
    let in_bounds_5 = less_8 && bits_2 < bits_5;
    let weight_3 = select(vec4<u32>(0u), weight[select(0, (index_8 >> 3u) + 128, in_bounds_5)], in_bounds_5);
    let weight_4 = unpack_f16_x4(weight_3.xy);
    let weight_5 = unpack_f16_x4(weight_3.zw);
    let in_bounds_6 = less_8 && bits_3 < bits_5;
    let weight_6 = select(vec4<u32>(0u), weight[select(0, (index_8 >> 3u) + 256, in_bounds_6)], in_bounds_6);
    let weight_7 = unpack_f16_x4(weight_6.xy);
    let weight_8 = unpack_f16_x4(weight_6.zw);
    let in_bounds_7 = less_8 && bits_4 < bits_5;
    let weight_9 = select(vec4<u32>(0u), weight[select(0, (index_8 >> 3u) + 384, in_bounds_7)], in_bounds_7);
    let weight_10 = unpack_f16_x4(weight_9.xy);
    let weight_11 = unpack_f16_x4(weight_9.zw);
    // kernels/norm_kernel.go
    let product_15 = product_7 * weight_1;
    let product_16 = product_8 * weight_2;
    let product_17 = product_9 * weight_4;
    let product_18 = product_10 * weight_5;
    let product_19 = product_11 * weight_7;
    let product_20 = product_12 * weight_8;
    let product_21 = product_13 * weight_10;
    let product_22 = product_14 * weight_11;
    // kernels/norm_kernel.go
    let less_9 = 0u < bitcast<u32>(params.bias_size0);
    let index_9 = params.bias_offset + lane;
    let bits_6 = bitcast<u32>(params.bias_size1);
    let in_bounds_8 = less_9 && bits_0 < bits_6;
    let bias_0 = select(vec4<u32>(0u), bias[select(0, index_9 >> 3u, in_bounds_8)], in_bounds_8);
    let bias_1 = unpack_f16_x4(bias_0.xy);
    let bias_2 = unpack_f16_x4(bias_0.zw);
    let in_bounds_9 = less_9 && bits_2 < bits_6;
    let bias_3 = select(vec4<u32>(0u), bias[select(0, (index_9 >> 3u) + 128, in_bounds_9)], in_bounds_9);
    let bias_4 = unpack_f16_x4(bias_3.xy);
    let bias_5 = unpack_f16_x4(bias_3.zw);
    let in_bounds_10 = less_9 && bits_3 < bits_6;
    let bias_6 = select(vec4<u32>(0u), bias[select(0, (index_9 >> 3u) + 256, in_bounds_10)], in_bounds_10);
    let bias_7 = unpack_f16_x4(bias_6.xy);
    let bias_8 = unpack_f16_x4(bias_6.zw);
    let in_bounds_11 = less_9 && bits_4 < bits_6;
    let bias_9 = select(vec4<u32>(0u), bias[select(0, (index_9 >> 3u) + 384, in_bounds_11)], in_bounds_11);
    let bias_10 = unpack_f16_x4(bias_9.xy);
    let bias_11 = unpack_f16_x4(bias_9.zw);
    // kernels/norm_kernel.go
    let sum_11 = product_15 + bias_1;
    let sum_12 = product_16 + bias_2;
    let sum_13 = product_17 + bias_4;
    let sum_14 = product_18 + bias_5;
    let sum_15 = product_19 + bias_7;
    let sum_16 = product_20 + bias_8;
    let sum_17 = product_21 + bias_10;
    let sum_18 = product_22 + bias_11;
    // kernels/norm_kernel.go
    let less_10 = bits < bitcast<u32>(params.out_size0);
    let index_10 = params.out_offset + program * params.out_stride0 + lane;
    let bits_7 = bitcast<u32>(params.out_size1);
    let value = pack_f16_x4(sum_11);
    let value_0 = pack_f16_x4(sum_12);
    if (less_10 && bits_0 < bits_7) {
        out[index_10 >> 3u] = vec4<u32>(value.x, value.y, value_0.x, value_0.y);
    }
    let value_1 = pack_f16_x4(sum_13);
    let value_2 = pack_f16_x4(sum_14);
    if (less_10 && bits_2 < bits_7) {
        out[(index_10 >> 3u) + 128] = vec4<u32>(value_1.x, value_1.y, value_2.x, value_2.y);
    }
    let value_3 = pack_f16_x4(sum_15);
    let value_4 = pack_f16_x4(sum_16);
    if (less_10 && bits_3 < bits_7) {
        out[(index_10 >> 3u) + 256] = vec4<u32>(value_3.x, value_3.y, value_4.x, value_4.y);
    }
    let value_5 = pack_f16_x4(sum_17);
    let value_6 = pack_f16_x4(sum_18);
    if (less_10 && bits_4 < bits_7) {
        out[(index_10 >> 3u) + 384] = vec4<u32>(value_5.x, value_5.y, value_6.x, value_6.y);
    }
}
