@group(0) @binding(0) var<storage, read> data: array<u32>; // u8, 4 in a word
@group(0) @binding(1) var<storage, read> scales: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4<u32>>; // f16, 2 in a word

struct Params {
    data_offset: i32,
    data_size0: i32,
    data_size1: i32,
    data_stride0: i32,
    scales_offset: i32,
    scales_size0: i32,
    scales_size1: i32,
    scales_stride0: i32,
    out_offset: i32,
    out_size1: i32,
    out_stride0: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

fn unpack_u8_x4(word: u32) -> vec4<u32> {
    return (vec4<u32>(word) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(0xffu);
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
fn dequantize(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/quantize_kernel.go
    let quotient = (params.out_size1 + 255) / 256;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let quotient_0 = program / chosen;
    // kernels/quant_view.go
    let data_start0 = quotient_0 * 8;
    let lane = thread >> 5u;
    let offset = data_start0 + lane;
    let bits = bitcast<u32>(data_start0);
    let data_start1 = remainder * 128;
    let both = thread & 31;
    let lane_0 = both << 2u;
    let index = params.data_offset + offset * params.data_stride0 + data_start1 + lane_0;
    let in_bounds = bits < bitcast<u32>(params.data_size0) && bitcast<u32>(data_start1) < bitcast<u32>(params.data_size1);
    let data_0 = select(0u, data[select(0, index >> 2u, in_bounds)], in_bounds);
    let data_1 = unpack_u8_x4(data_0);
    let data_2 = select(0u, data[select(0, (index >> 2u) + params.data_stride0, in_bounds)], in_bounds);
    let data_3 = unpack_u8_x4(data_2);
    // kernels/quant_view.go
    let converted = vec4<i32>(data_1);
    let converted_0 = vec4<i32>(data_3);
    let both_0 = vec4<u32>(converted & vec4<i32>(15)) & vec4<u32>(255u);
    let both_1 = vec4<u32>(converted_0 & vec4<i32>(15)) & vec4<u32>(255u);
    let both_2 = vec4<u32>((converted >> vec4<u32>(4u)) & vec4<i32>(15)) & vec4<u32>(255u);
    let both_3 = vec4<u32>((converted_0 >> vec4<u32>(4u)) & vec4<i32>(15)) & vec4<u32>(255u);
    let lanes = vec4<u32>(both_0.x, both_2.x, both_0.y, both_2.y);
    let lanes_0 = vec4<u32>(both_0.z, both_2.z, both_0.w, both_2.w);
    let lanes_1 = vec4<u32>(both_1.x, both_3.x, both_1.y, both_3.y);
    let lanes_2 = vec4<u32>(both_1.z, both_3.z, both_1.w, both_3.w);
    // kernels/quant_codes.go
    let unequal = (lanes & vec4<u32>(1u)) != vec4<u32>(0u);
    let unequal_0 = (lanes_0 & vec4<u32>(1u)) != vec4<u32>(0u);
    let unequal_1 = (lanes_1 & vec4<u32>(1u)) != vec4<u32>(0u);
    let unequal_2 = (lanes_2 & vec4<u32>(1u)) != vec4<u32>(0u);
    // kernels/quant_codes.go
    let chosen_0 = select(vec4<f32>(0.0), vec4<f32>(1.0), unequal);
    let chosen_1 = select(vec4<f32>(0.0), vec4<f32>(1.0), unequal_0);
    let chosen_2 = select(vec4<f32>(0.0), vec4<f32>(1.0), unequal_1);
    let chosen_3 = select(vec4<f32>(0.0), vec4<f32>(1.0), unequal_2);
    // kernels/quant_codes.go
    let fused = fma(chosen_0, vec4<f32>(0.3038072), vec4<f32>(-1.0));
    let fused_0 = fma(chosen_1, vec4<f32>(0.3038072), vec4<f32>(-1.0));
    let fused_1 = fma(chosen_2, vec4<f32>(0.3038072), vec4<f32>(-1.0));
    let fused_2 = fma(chosen_3, vec4<f32>(0.3038072), vec4<f32>(-1.0));
    let fused_3 = fma(chosen_0, vec4<f32>(0.13015556), vec4<f32>(-0.52507305));
    let fused_4 = fma(chosen_1, vec4<f32>(0.13015556), vec4<f32>(-0.52507305));
    let fused_5 = fma(chosen_2, vec4<f32>(0.13015556), vec4<f32>(-0.52507305));
    let fused_6 = fma(chosen_3, vec4<f32>(0.13015556), vec4<f32>(-0.52507305));
    let fused_7 = fma(chosen_0, vec4<f32>(0.09966795), vec4<f32>(-0.28444138));
    let fused_8 = fma(chosen_1, vec4<f32>(0.09966795), vec4<f32>(-0.28444138));
    let fused_9 = fma(chosen_2, vec4<f32>(0.09966795), vec4<f32>(-0.28444138));
    let fused_10 = fma(chosen_3, vec4<f32>(0.09966795), vec4<f32>(-0.28444138));
    let fused_11 = fma(chosen_0, vec4<f32>(0.091050036), vec4<f32>(-0.091050036));
    let fused_12 = fma(chosen_1, vec4<f32>(0.091050036), vec4<f32>(-0.091050036));
    let fused_13 = fma(chosen_2, vec4<f32>(0.091050036), vec4<f32>(-0.091050036));
    let fused_14 = fma(chosen_3, vec4<f32>(0.091050036), vec4<f32>(-0.091050036));
    let fused_15 = fma(chosen_0, vec4<f32>(0.0813499), vec4<f32>(0.0795803));
    let fused_16 = fma(chosen_1, vec4<f32>(0.0813499), vec4<f32>(0.0795803));
    let fused_17 = fma(chosen_2, vec4<f32>(0.0813499), vec4<f32>(0.0795803));
    let fused_18 = fma(chosen_3, vec4<f32>(0.0813499), vec4<f32>(0.0795803));
    let fused_19 = fma(chosen_0, vec4<f32>(0.09180294), vec4<f32>(0.2461123));
    let fused_20 = fma(chosen_1, vec4<f32>(0.09180294), vec4<f32>(0.2461123));
    let fused_21 = fma(chosen_2, vec4<f32>(0.09180294), vec4<f32>(0.2461123));
    let fused_22 = fma(chosen_3, vec4<f32>(0.09180294), vec4<f32>(0.2461123));
    let fused_23 = fma(chosen_0, vec4<f32>(0.121907175), vec4<f32>(0.44070983));
    let fused_24 = fma(chosen_1, vec4<f32>(0.121907175), vec4<f32>(0.44070983));
    let fused_25 = fma(chosen_2, vec4<f32>(0.121907175), vec4<f32>(0.44070983));
    let fused_26 = fma(chosen_3, vec4<f32>(0.121907175), vec4<f32>(0.44070983));
    let fused_27 = fma(chosen_0, vec4<f32>(0.27704316), vec4<f32>(0.72295684));
    let fused_28 = fma(chosen_1, vec4<f32>(0.27704316), vec4<f32>(0.72295684));
    let fused_29 = fma(chosen_2, vec4<f32>(0.27704316), vec4<f32>(0.72295684));
    let fused_30 = fma(chosen_3, vec4<f32>(0.27704316), vec4<f32>(0.72295684));
    // kernels/quant_codes.go
    let unequal_3 = (lanes & vec4<u32>(2u)) != vec4<u32>(0u);
    let unequal_4 = (lanes_0 & vec4<u32>(2u)) != vec4<u32>(0u);
    let unequal_5 = (lanes_1 & vec4<u32>(2u)) != vec4<u32>(0u);
    let unequal_6 = (lanes_2 & vec4<u32>(2u)) != vec4<u32>(0u);
    let unequal_7 = (lanes & vec4<u32>(4u)) != vec4<u32>(0u);
    let unequal_8 = (lanes_0 & vec4<u32>(4u)) != vec4<u32>(0u);
    let unequal_9 = (lanes_1 & vec4<u32>(4u)) != vec4<u32>(0u);
    let unequal_10 = (lanes_2 & vec4<u32>(4u)) != vec4<u32>(0u);
    // kernels/quant_codes.go
    let chosen_4 = select(select(fused, fused_3, unequal_3), select(fused_7, fused_11, unequal_3), unequal_7);
    let chosen_5 = select(select(fused_0, fused_4, unequal_4), select(fused_8, fused_12, unequal_4), unequal_8);
    let chosen_6 = select(select(fused_1, fused_5, unequal_5), select(fused_9, fused_13, unequal_5), unequal_9);
    let chosen_7 = select(select(fused_2, fused_6, unequal_6), select(fused_10, fused_14, unequal_6), unequal_10);
    let chosen_8 = select(select(fused_15, fused_19, unequal_3), select(fused_23, fused_27, unequal_3), unequal_7);
    let chosen_9 = select(select(fused_16, fused_20, unequal_4), select(fused_24, fused_28, unequal_4), unequal_8);
    let chosen_10 = select(select(fused_17, fused_21, unequal_5), select(fused_25, fused_29, unequal_5), unequal_9);
    let chosen_11 = select(select(fused_18, fused_22, unequal_6), select(fused_26, fused_30, unequal_6), unequal_10);
    // kernels/quant_codes.go
    let unequal_11 = (lanes & vec4<u32>(8u)) != vec4<u32>(0u);
    let unequal_12 = (lanes_0 & vec4<u32>(8u)) != vec4<u32>(0u);
    let unequal_13 = (lanes_1 & vec4<u32>(8u)) != vec4<u32>(0u);
    let unequal_14 = (lanes_2 & vec4<u32>(8u)) != vec4<u32>(0u);
    // kernels/quant_codes.go
    let chosen_12 = select(chosen_4, chosen_8, unequal_11);
    let chosen_13 = select(chosen_5, chosen_9, unequal_12);
    let chosen_14 = select(chosen_6, chosen_10, unequal_13);
    let chosen_15 = select(chosen_7, chosen_11, unequal_14);
    // kernels/quant_view.go
    let scales_start1 = remainder * 4;
    let lane_1 = (thread >> 3u) & 3;
    let index_0 = params.scales_offset + offset * params.scales_stride0 + scales_start1 + lane_1;
    let in_bounds_0 = bits < bitcast<u32>(params.scales_size0) && bitcast<u32>(scales_start1) < bitcast<u32>(params.scales_size1);
    let scales_0 = select(0.0, scales[select(0, index_0, in_bounds_0)], in_bounds_0);
    let scales_1 = select(0.0, scales[select(0, index_0 + params.scales_stride0 * 4, in_bounds_0)], in_bounds_0);
    // kernels/quant_view.go
    // kernels/quantize_kernel.go
    let product = chosen_12 * vec4<f32>(scales_0);
    let product_0 = chosen_13 * vec4<f32>(scales_0);
    let product_1 = chosen_14 * vec4<f32>(scales_1);
    let product_2 = chosen_15 * vec4<f32>(scales_1);
    // kernels/quantize_kernel.go
    let least = min(max(product, vec4<f32>(-65504.0)), vec4<f32>(65504.0));
    let least_0 = min(max(product_0, vec4<f32>(-65504.0)), vec4<f32>(65504.0));
    let least_1 = min(max(product_1, vec4<f32>(-65504.0)), vec4<f32>(65504.0));
    let least_2 = min(max(product_2, vec4<f32>(-65504.0)), vec4<f32>(65504.0));
    // kernels/quantize_kernel.go
    let out_start1 = remainder * 256;
    let lane_2 = both << 3u;
    let index_1 = params.out_offset + offset * params.out_stride0 + out_start1 + lane_2;
    let value = pack_f16_x4(least);
    let value_0 = pack_f16_x4(least_0);
    out[index_1 >> 3u] = vec4<u32>(value.x, value.y, value_0.x, value_0.y);
    let value_1 = pack_f16_x4(least_1);
    let value_2 = pack_f16_x4(least_2);
    out[(index_1 + params.out_stride0 * 4) >> 3u] = vec4<u32>(value_1.x, value_1.y, value_2.x, value_2.y);
}
