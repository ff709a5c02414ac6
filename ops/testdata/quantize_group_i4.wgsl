@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read> scales: array<f32>;
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

// Holds for NaN also where the device assumes that there is none.
fn is_nan_x4(x: vec4<f32>) -> vec4<bool> {
    return (bitcast<vec4<u32>>(x) & vec4<u32>(0x7fffffffu)) > vec4<u32>(0x7f800000u);
}

// Truncates and saturates; NaN gives 0.
fn f32_to_i32_x4(x: vec4<f32>) -> vec4<i32> {
    let inside = vec4<i32>(clamp(x, vec4<f32>(-2147483648.0), vec4<f32>(2147483520.0)));
    return select(select(inside, vec4<i32>(2147483647), x >= vec4<f32>(2147483648.0)), vec4<i32>(0), is_nan_x4(x));
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
    let scales_start1 = remainder * 2;
    let lane_1 = (thread >> 4u) & 1;
    let index_0 = params.scales_offset + offset * params.scales_stride0 + scales_start1 + lane_1;
    let in_bounds = bits < bitcast<u32>(params.scales_size0) && bitcast<u32>(scales_start1) < bitcast<u32>(params.scales_size1);
    let scales_0 = select(0.0, scales[select(0, index_0, in_bounds)], in_bounds);
    let scales_1 = select(0.0, scales[select(0, index_0 + params.scales_stride0 * 4, in_bounds)], in_bounds);
    // kernels/quant_view.go
    // kernels/quantize_kernel.go
    let nearest = round(x_1 / vec4<f32>(scales_0));
    let nearest_0 = round(x_2 / vec4<f32>(scales_0));
    let nearest_1 = round(x_4 / vec4<f32>(scales_1));
    let nearest_2 = round(x_5 / vec4<f32>(scales_1));
    // kernels/quantize_kernel.go
    let converted = f32_to_i32_x4(min(max(nearest, vec4<f32>(-8.0)), vec4<f32>(7.0)));
    let least = min(max(converted, vec4<i32>(-128)), vec4<i32>(127));
    let converted_0 = f32_to_i32_x4(min(max(nearest_0, vec4<f32>(-8.0)), vec4<f32>(7.0)));
    let least_0 = min(max(converted_0, vec4<i32>(-128)), vec4<i32>(127));
    let converted_1 = f32_to_i32_x4(min(max(nearest_1, vec4<f32>(-8.0)), vec4<f32>(7.0)));
    let least_1 = min(max(converted_1, vec4<i32>(-128)), vec4<i32>(127));
    let converted_2 = f32_to_i32_x4(min(max(nearest_2, vec4<f32>(-8.0)), vec4<f32>(7.0)));
    let least_2 = min(max(converted_2, vec4<i32>(-128)), vec4<i32>(127));
    // kernels/quant_view.go
    let offset_0 = vec4<i32>(lane_0, lane_0 + 1, lane_0 + 2, lane_0 + 3) + vec4<i32>(x_start1);
    let offset_1 = vec4<i32>(lane_0 + 4, lane_0 + 5, lane_0 + 6, lane_0 + 7) + vec4<i32>(x_start1);
    // kernels/quantize_kernel.go
    let less = offset_0 < vec4<i32>(params.x_size1);
    let less_0 = offset_1 < vec4<i32>(params.x_size1);
    // kernels/quantize_kernel.go
    let chosen_0 = select(vec4<i32>(0), least, less);
    let chosen_1 = select(vec4<i32>(0), least_0, less_0);
    let chosen_2 = select(vec4<i32>(0), least_1, less);
    let chosen_3 = select(vec4<i32>(0), least_2, less_0);
    let converted_3 = vec4<u32>(vec4<i32>(chosen_0.x, chosen_0.z, chosen_1.x, chosen_1.z));
    let converted_4 = vec4<u32>(vec4<i32>(chosen_2.x, chosen_2.z, chosen_3.x, chosen_3.z));
    let converted_5 = vec4<u32>(vec4<i32>(chosen_0.y, chosen_0.w, chosen_1.y, chosen_1.w));
    let converted_6 = vec4<u32>(vec4<i32>(chosen_2.y, chosen_2.w, chosen_3.y, chosen_3.w));
    let either = (converted_3 & vec4<u32>(15u)) | ((converted_5 & vec4<u32>(15u)) << vec4<u32>(4u));
    let either_0 = (converted_4 & vec4<u32>(15u)) | ((converted_6 & vec4<u32>(15u)) << vec4<u32>(4u));
    let both_0 = either & vec4<u32>(255u);
    let both_1 = either_0 & vec4<u32>(255u);
    // kernels/quantize_kernel.go
    let data_start1 = remainder * 128;
    let lane_2 = both << 2u;
    let index_1 = params.data_offset + offset * params.data_stride0 + data_start1 + lane_2;
    let in_bounds_0 = bits < bitcast<u32>(params.data_size0) && bitcast<u32>(data_start1) < bitcast<u32>(params.data_size1);
    if (in_bounds_0) {
        data[index_1 >> 2u] = pack_u8_x4(both_0);
        data[(index_1 >> 2u) + params.data_stride0] = pack_u8_x4(both_1);
    }
}
