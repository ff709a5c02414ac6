@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read> scales: array<u32>; // u8, 4 in a word
@group(0) @binding(2) var<storage, read_write> data: array<u32>; // u8, 4 in a word

struct Params {
    x_offset: i32,
    x_size1: i32,
    x_stride0: i32,
    scales_offset: i32,
    scales_size0: i32,
    scales_size1: i32,
    scales_stride0: i32,
    data_offset: i32,
    data_size0: i32,
    data_size1: i32,
    data_stride0: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

fn unpack_f16_x4(words: vec2<u32>) -> vec4<f32> {
    return vec4<f32>(unpack2x16float(words.x), unpack2x16float(words.y));
}

fn pack_u8_x4(x: vec4<u32>) -> u32 {
    let bytes = (x & vec4<u32>(0xffu)) << vec4<u32>(0u, 8u, 16u, 24u);
    return bytes.x | bytes.y | bytes.z | bytes.w;
}

@compute @workgroup_size(128, 1, 1)
fn quantize(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/quantize_kernel.go
    let quotient = (params.x_size1 + 255) / 256;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let quotient_0 = program / chosen;
    // kernels/quantize_kernel.go
    let x_start0 = quotient_0 * 8;
    let lane = thread >> 5u;
    let offset = x_start0 + lane;
    let x_start1 = remainder * 256;
    let both = thread & 31;
    let lane_0 = both << 3u;
    let index = params.x_offset + offset * params.x_stride0 + x_start1 + lane_0;
    let x_0 = x[index >> 3u];
    let x_1 = unpack_f16_x4(x_0.xy);
    let x_2 = unpack_f16_x4(x_0.zw);
    let x_3 = x[(index + params.x_stride0 * 4) >> 3u];
    let x_4 = unpack_f16_x4(x_3.xy);
    let x_5 = unpack_f16_x4(x_3.zw);
    // kernels/quant_view.go
    let bits = bitcast<u32>(x_start0);
    let scales_start1 = remainder * 8;
    let lane_1 = (thread >> 2u) & 7;
    let index_0 = params.scales_offset + offset * params.scales_stride0 + scales_start1 + lane_1;
    let in_bounds = bits < bitcast<u32>(params.scales_size0) && bitcast<u32>(scales_start1) < bitcast<u32>(params.scales_size1);
    let scales_0 = select(0u, extractBits(scales[select(0, index_0 >> 2u, in_bounds)], u32(index_0 & 3) * 8u, 8u), in_bounds);
    let index_1 = index_0 + params.scales_stride0 * 4;
    let scales_1 = select(0u, extractBits(scales[select(0, index_1 >> 2u, in_bounds)], u32(index_1 & 3) * 8u, 8u), in_bounds);
    // kernels/quant_codes.go
    let bits_0 = bitcast<f32>(max((254u - scales_0) << 23u, 4194304u));
    let bits_1 = bitcast<f32>(max((254u - scales_1) << 23u, 4194304u));
    // kernels/quant_view.go
    // kernels/quantize_kernel.go
    let product = x_1 * vec4<f32>(bits_0);
    let product_0 = x_2 * vec4<f32>(bits_0);
    let product_1 = x_4 * vec4<f32>(bits_1);
    let product_2 = x_5 * vec4<f32>(bits_1);
    // kernels/quant_codes.go
    let both_0 = (bitcast<vec4<u32>>(product) >> vec4<u32>(28u)) & vec4<u32>(8u);
    let both_1 = (bitcast<vec4<u32>>(product_0) >> vec4<u32>(28u)) & vec4<u32>(8u);
    let both_2 = (bitcast<vec4<u32>>(product_1) >> vec4<u32>(28u)) & vec4<u32>(8u);
    let both_3 = (bitcast<vec4<u32>>(product_2) >> vec4<u32>(28u)) & vec4<u32>(8u);
    // kernels/quant_codes.go
    let magnitude = abs(product);
    let magnitude_0 = abs(product_0);
    let magnitude_1 = abs(product_1);
    let magnitude_2 = abs(product_2);
    // kernels/quant_codes.go
    let greater = magnitude > vec4<f32>(0.25);
    let greater_0 = magnitude_0 > vec4<f32>(0.25);
    let greater_1 = magnitude_1 > vec4<f32>(0.25);
    let greater_2 = magnitude_2 > vec4<f32>(0.25);
    // kernels/quant_codes.go
    let at_least = magnitude >= vec4<f32>(0.75);
    let at_least_0 = magnitude_0 >= vec4<f32>(0.75);
    let at_least_1 = magnitude_1 >= vec4<f32>(0.75);
    let at_least_2 = magnitude_2 >= vec4<f32>(0.75);
    // kernels/quant_codes.go
    let chosen_0 = select(select(vec4<u32>(0u), vec4<u32>(1u), greater), vec4<u32>(2u), at_least);
    let chosen_1 = select(select(vec4<u32>(0u), vec4<u32>(1u), greater_0), vec4<u32>(2u), at_least_0);
    let chosen_2 = select(select(vec4<u32>(0u), vec4<u32>(1u), greater_1), vec4<u32>(2u), at_least_1);
    let chosen_3 = select(select(vec4<u32>(0u), vec4<u32>(1u), greater_2), vec4<u32>(2u), at_least_2);
    // kernels/quant_codes.go
    let greater_3 = magnitude > vec4<f32>(1.25);
    let greater_4 = magnitude_0 > vec4<f32>(1.25);
    let greater_5 = magnitude_1 > vec4<f32>(1.25);
    let greater_6 = magnitude_2 > vec4<f32>(1.25);
    // kernels/quant_codes.go
    let at_least_3 = magnitude >= vec4<f32>(1.75);
    let at_least_4 = magnitude_0 >= vec4<f32>(1.75);
    let at_least_5 = magnitude_1 >= vec4<f32>(1.75);
    let at_least_6 = magnitude_2 >= vec4<f32>(1.75);
    // kernels/quant_codes.go
    let chosen_4 = select(select(chosen_0, vec4<u32>(3u), greater_3), vec4<u32>(4u), at_least_3);
    let chosen_5 = select(select(chosen_1, vec4<u32>(3u), greater_4), vec4<u32>(4u), at_least_4);
    let chosen_6 = select(select(chosen_2, vec4<u32>(3u), greater_5), vec4<u32>(4u), at_least_5);
    let chosen_7 = select(select(chosen_3, vec4<u32>(3u), greater_6), vec4<u32>(4u), at_least_6);
    // kernels/quant_codes.go
    let greater_7 = magnitude > vec4<f32>(2.5);
    let greater_8 = magnitude_0 > vec4<f32>(2.5);
    let greater_9 = magnitude_1 > vec4<f32>(2.5);
    let greater_10 = magnitude_2 > vec4<f32>(2.5);
    // kernels/quant_codes.go
    let at_least_7 = magnitude >= vec4<f32>(3.5);
    let at_least_8 = magnitude_0 >= vec4<f32>(3.5);
    let at_least_9 = magnitude_1 >= vec4<f32>(3.5);
    let at_least_10 = magnitude_2 >= vec4<f32>(3.5);
    // kernels/quant_codes.go
    let chosen_8 = select(select(chosen_4, vec4<u32>(5u), greater_7), vec4<u32>(6u), at_least_7);
    let chosen_9 = select(select(chosen_5, vec4<u32>(5u), greater_8), vec4<u32>(6u), at_least_8);
    let chosen_10 = select(select(chosen_6, vec4<u32>(5u), greater_9), vec4<u32>(6u), at_least_9);
    let chosen_11 = select(select(chosen_7, vec4<u32>(5u), greater_10), vec4<u32>(6u), at_least_10);
    // kernels/quant_codes.go
    let greater_11 = magnitude > vec4<f32>(5.0);
    let greater_12 = magnitude_0 > vec4<f32>(5.0);
    let greater_13 = magnitude_1 > vec4<f32>(5.0);
    let greater_14 = magnitude_2 > vec4<f32>(5.0);
    // kernels/quant_codes.go
    let chosen_12 = select(chosen_8, vec4<u32>(7u), greater_11);
    let chosen_13 = select(chosen_9, vec4<u32>(7u), greater_12);
    let chosen_14 = select(chosen_10, vec4<u32>(7u), greater_13);
    let chosen_15 = select(chosen_11, vec4<u32>(7u), greater_14);
    // kernels/quant_codes.go
    let either = chosen_12 | both_0;
    let either_0 = chosen_13 | both_1;
    let either_1 = chosen_14 | both_2;
    let either_2 = chosen_15 | both_3;
    // kernels/quantize_kernel.go
    let both_4 = either & vec4<u32>(255u);
    let both_5 = either_0 & vec4<u32>(255u);
    let both_6 = either_1 & vec4<u32>(255u);
    let both_7 = either_2 & vec4<u32>(255u);
    // kernels/quant_view.go
    let offset_0 = vec4<i32>(lane_0, lane_0 + 1, lane_0 + 2, lane_0 + 3) + vec4<i32>(x_start1);
    let offset_1 = vec4<i32>(lane_0 + 4, lane_0 + 5, lane_0 + 6, lane_0 + 7) + vec4<i32>(x_start1);
    // kernels/quantize_kernel.go
    let less = offset_0 < vec4<i32>(params.x_size1);
    let less_0 = offset_1 < vec4<i32>(params.x_size1);
    // kernels/quantize_kernel.go
    let chosen_16 = select(vec4<u32>(0u), both_4, less);
    let chosen_17 = select(vec4<u32>(0u), both_5, less_0);
    let chosen_18 = select(vec4<u32>(0u), both_6, less);
    let chosen_19 = select(vec4<u32>(0u), both_7, less_0);
    let both_8 = vec4<u32>(chosen_16.x, chosen_16.z, chosen_17.x, chosen_17.z) & vec4<u32>(15u);
    let both_9 = vec4<u32>(chosen_18.x, chosen_18.z, chosen_19.x, chosen_19.z) & vec4<u32>(15u);
    let both_10 = vec4<u32>(chosen_16.y, chosen_16.w, chosen_17.y, chosen_17.w) & vec4<u32>(15u);
    let both_11 = vec4<u32>(chosen_18.y, chosen_18.w, chosen_19.y, chosen_19.w) & vec4<u32>(15u);
    let both_12 = (both_8 | (both_10 << vec4<u32>(4u))) & vec4<u32>(255u);
    let both_13 = (both_9 | (both_11 << vec4<u32>(4u))) & vec4<u32>(255u);
    // kernels/quantize_kernel.go
    let data_start1 = remainder * 128;
    let lane_2 = both << 2u;
    let index_2 = params.data_offset + offset * params.data_stride0 + data_start1 + lane_2;
    let in_bounds_0 = bits < bitcast<u32>(params.data_size0) && bitcast<u32>(data_start1) < bitcast<u32>(params.data_size1);
    if (in_bounds_0) {
        data[index_2 >> 2u] = pack_u8_x4(both_12);
        data[(index_2 >> 2u) + params.data_stride0] = pack_u8_x4(both_13);
    }
}
