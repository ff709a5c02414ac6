@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read> scales: array<f32>;
@group(0) @binding(2) var<storage, read_write> data: array<vec2<u32>>; // u8, 4 in a word

struct Params {
    x_offset: i32,
    x_size1: i32,
    x_stride0: i32,
    scales_offset: i32,
    scales_size0: i32,
    scales_size1: i32,
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
fn f32_to_u32_x4(x: vec4<f32>) -> vec4<u32> {
    let inside = vec4<u32>(clamp(x, vec4<f32>(0.0), vec4<f32>(4294967040.0)));
    return select(select(inside, vec4<u32>(0xffffffffu), x >= vec4<f32>(4294967296.0)), vec4<u32>(0u), is_nan_x4(x));
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
    let lane_0 = (thread & 31) << 3u;
    let offset_0 = x_start1 + lane_0;
    let index = params.x_offset + offset * params.x_stride0 + offset_0;
    let x_0 = x[index >> 3u];
    let x_1 = unpack_f16_x4(x_0.xy);
    let x_2 = unpack_f16_x4(x_0.zw);
    let x_3 = x[(index + params.x_stride0 * 4) >> 3u];
    let x_4 = unpack_f16_x4(x_3.xy);
    let x_5 = unpack_f16_x4(x_3.zw);
    // kernels/quant_view.go
    let index_0 = params.scales_offset + offset;
    let bits = bitcast<u32>(x_start0);
    let in_bounds = bits < bitcast<u32>(params.scales_size0) && 0u < bitcast<u32>(params.scales_size1);
    let scales_0 = select(0.0, scales[select(0, index_0, in_bounds)], in_bounds);
    let scales_1 = select(0.0, scales[select(0, index_0 + 4, in_bounds)], in_bounds);
    // kernels/quantize_kernel.go
    let greater = scales_0 > 4.2535296e37;
    let greater_0 = scales_1 > 4.2535296e37;
    // kernels/quantize_kernel.go
    let lanes = vec4<f32>(select(scales_0, scales_0 * 0.25, greater));
    let lanes_0 = vec4<f32>(select(scales_1, scales_1 * 0.25, greater_0));
    let quotient_1 = select(x_1, x_1 * vec4<f32>(0.25), vec4<bool>(greater)) / lanes;
    let quotient_2 = select(x_2, x_2 * vec4<f32>(0.25), vec4<bool>(greater)) / lanes;
    let quotient_3 = select(x_4, x_4 * vec4<f32>(0.25), vec4<bool>(greater_0)) / lanes_0;
    let quotient_4 = select(x_5, x_5 * vec4<f32>(0.25), vec4<bool>(greater_0)) / lanes_0;
    // kernels/quant_float8.go
    let least = min(abs(quotient_1), vec4<f32>(448.0));
    let least_0 = min(abs(quotient_2), vec4<f32>(448.0));
    let least_1 = min(abs(quotient_3), vec4<f32>(448.0));
    let least_2 = min(abs(quotient_4), vec4<f32>(448.0));
    // kernels/quant_float8.go
    let bits_0 = bitcast<vec4<u32>>(least);
    let bits_1 = bitcast<vec4<u32>>(least_0);
    let bits_2 = bitcast<vec4<u32>>(least_1);
    let bits_3 = bitcast<vec4<u32>>(least_2);
    // kernels/quant_float8.go
    let sum = ((bits_0 >> vec4<u32>(20u)) & vec4<u32>(1u)) + vec4<u32>(524287u);
    let sum_0 = ((bits_1 >> vec4<u32>(20u)) & vec4<u32>(1u)) + vec4<u32>(524287u);
    let sum_1 = ((bits_2 >> vec4<u32>(20u)) & vec4<u32>(1u)) + vec4<u32>(524287u);
    let sum_2 = ((bits_3 >> vec4<u32>(20u)) & vec4<u32>(1u)) + vec4<u32>(524287u);
    let sum_3 = ((bits_0 + sum) >> vec4<u32>(20u)) + vec4<u32>(4294966336u);
    let sum_4 = ((bits_1 + sum_0) >> vec4<u32>(20u)) + vec4<u32>(4294966336u);
    let sum_5 = ((bits_2 + sum_1) >> vec4<u32>(20u)) + vec4<u32>(4294966336u);
    let sum_6 = ((bits_3 + sum_2) >> vec4<u32>(20u)) + vec4<u32>(4294966336u);
    // kernels/quant_float8.go
    let converted = f32_to_u32_x4(round(least * vec4<f32>(512.0)));
    let converted_0 = f32_to_u32_x4(round(least_0 * vec4<f32>(512.0)));
    let converted_1 = f32_to_u32_x4(round(least_1 * vec4<f32>(512.0)));
    let converted_2 = f32_to_u32_x4(round(least_2 * vec4<f32>(512.0)));
    // kernels/quant_float8.go
    let both = (bitcast<vec4<u32>>(quotient_1) >> vec4<u32>(24u)) & vec4<u32>(128u);
    let both_0 = (bitcast<vec4<u32>>(quotient_2) >> vec4<u32>(24u)) & vec4<u32>(128u);
    let both_1 = (bitcast<vec4<u32>>(quotient_3) >> vec4<u32>(24u)) & vec4<u32>(128u);
    let both_2 = (bitcast<vec4<u32>>(quotient_4) >> vec4<u32>(24u)) & vec4<u32>(128u);
    let either = select(sum_3, converted, least < vec4<f32>(0.015625)) | both;
    let either_0 = select(sum_4, converted_0, least_0 < vec4<f32>(0.015625)) | both_0;
    let either_1 = select(sum_5, converted_1, least_1 < vec4<f32>(0.015625)) | both_1;
    let either_2 = select(sum_6, converted_2, least_2 < vec4<f32>(0.015625)) | both_2;
    // kernels/quantize_kernel.go
    let both_3 = either & vec4<u32>(255u);
    let both_4 = either_0 & vec4<u32>(255u);
    let both_5 = either_1 & vec4<u32>(255u);
    let both_6 = either_2 & vec4<u32>(255u);
    // kernels/quantize_kernel.go
    let index_1 = params.data_offset + offset * params.data_stride0 + offset_0;
    let in_bounds_0 = bits < bitcast<u32>(params.data_size0) && bitcast<u32>(x_start1) < bitcast<u32>(params.data_size1);
    if (in_bounds_0) {
        data[index_1 >> 3u] = vec2<u32>(pack_u8_x4(both_3), pack_u8_x4(both_4));
        data[(index_1 + params.data_stride0 * 4) >> 3u] = vec2<u32>(pack_u8_x4(both_5), pack_u8_x4(both_6));
    }
}
