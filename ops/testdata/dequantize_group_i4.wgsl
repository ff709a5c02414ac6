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
    let data_1 = select(0u, data[select(0, (index >> 2u) + params.data_stride0, in_bounds)], in_bounds);
    // kernels/quant_view.go
    let fused = fma(bitcast<f32>((data_0 & 240u) ^ 1258291328u), 0.0625, -524296.0);
    let fused_0 = fma(bitcast<f32>((data_0 & 3840u) ^ 1258293248u), 0.00390625, -32776.0);
    let fused_1 = fma(bitcast<f32>((data_0 & 61440u) ^ 1258323968u), 0.00024414063, -2056.0);
    let lanes = vec4<f32>(bitcast<f32>((data_0 & 15u) ^ 1258291208u) + -8.388616e06, fused, fused_0, fused_1);
    let fused_2 = fma(bitcast<f32>((data_0 & 983040u) ^ 1258815488u), 1.5258789e-05, -136.0);
    let shifted = data_0 >> 16u;
    let fused_3 = fma(bitcast<f32>((shifted & 240u) ^ 1258291328u), 0.0625, -524296.0);
    let fused_4 = fma(bitcast<f32>((shifted & 3840u) ^ 1258293248u), 0.00390625, -32776.0);
    let fused_5 = fma(bitcast<f32>((shifted & 61440u) ^ 1258323968u), 0.00024414063, -2056.0);
    let lanes_0 = vec4<f32>(fused_2, fused_3, fused_4, fused_5);
    let fused_6 = fma(bitcast<f32>((data_1 & 240u) ^ 1258291328u), 0.0625, -524296.0);
    let fused_7 = fma(bitcast<f32>((data_1 & 3840u) ^ 1258293248u), 0.00390625, -32776.0);
    let fused_8 = fma(bitcast<f32>((data_1 & 61440u) ^ 1258323968u), 0.00024414063, -2056.0);
    let lanes_1 = vec4<f32>(bitcast<f32>((data_1 & 15u) ^ 1258291208u) + -8.388616e06, fused_6, fused_7, fused_8);
    let fused_9 = fma(bitcast<f32>((data_1 & 983040u) ^ 1258815488u), 1.5258789e-05, -136.0);
    let shifted_0 = data_1 >> 16u;
    let fused_10 = fma(bitcast<f32>((shifted_0 & 240u) ^ 1258291328u), 0.0625, -524296.0);
    let fused_11 = fma(bitcast<f32>((shifted_0 & 3840u) ^ 1258293248u), 0.00390625, -32776.0);
    let fused_12 = fma(bitcast<f32>((shifted_0 & 61440u) ^ 1258323968u), 0.00024414063, -2056.0);
    let lanes_2 = vec4<f32>(fused_9, fused_10, fused_11, fused_12);
    // kernels/quant_view.go
    let scales_start1 = remainder * 2;
    let lane_1 = (thread >> 4u) & 1;
    let index_0 = params.scales_offset + offset * params.scales_stride0 + scales_start1 + lane_1;
    let in_bounds_0 = bits < bitcast<u32>(params.scales_size0) && bitcast<u32>(scales_start1) < bitcast<u32>(params.scales_size1);
    let scales_0 = select(0.0, scales[select(0, index_0, in_bounds_0)], in_bounds_0);
    let scales_1 = select(0.0, scales[select(0, index_0 + params.scales_stride0 * 4, in_bounds_0)], in_bounds_0);
    // kernels/quant_view.go
    // kernels/quantize_kernel.go
    let product = lanes * vec4<f32>(scales_0);
    let product_0 = lanes_0 * vec4<f32>(scales_0);
    let product_1 = lanes_1 * vec4<f32>(scales_1);
    let product_2 = lanes_2 * vec4<f32>(scales_1);
    // kernels/quantize_kernel.go
    let greater = (bitcast<vec4<u32>>(product) & vec4<u32>(2147483647u)) > vec4<u32>(2139095040u);
    let greater_0 = (bitcast<vec4<u32>>(product_0) & vec4<u32>(2147483647u)) > vec4<u32>(2139095040u);
    let greater_1 = (bitcast<vec4<u32>>(product_1) & vec4<u32>(2147483647u)) > vec4<u32>(2139095040u);
    let greater_2 = (bitcast<vec4<u32>>(product_2) & vec4<u32>(2147483647u)) > vec4<u32>(2139095040u);
    let chosen_0 = select(min(max(product, vec4<f32>(-65504.0)), vec4<f32>(65504.0)), product, greater);
    let chosen_1 = select(min(max(product_0, vec4<f32>(-65504.0)), vec4<f32>(65504.0)), product_0, greater_0);
    let chosen_2 = select(min(max(product_1, vec4<f32>(-65504.0)), vec4<f32>(65504.0)), product_1, greater_1);
    let chosen_3 = select(min(max(product_2, vec4<f32>(-65504.0)), vec4<f32>(65504.0)), product_2, greater_2);
    // kernels/quantize_kernel.go
    let out_start1 = remainder * 256;
    let lane_2 = both << 3u;
    let index_1 = params.out_offset + offset * params.out_stride0 + out_start1 + lane_2;
    let value = pack_f16_x4(chosen_0);
    let value_0 = pack_f16_x4(chosen_1);
    out[index_1 >> 3u] = vec4<u32>(value.x, value.y, value_0.x, value_0.y);
    let value_1 = pack_f16_x4(chosen_2);
    let value_2 = pack_f16_x4(chosen_3);
    out[(index_1 + params.out_stride0 * 4) >> 3u] = vec4<u32>(value_1.x, value_1.y, value_2.x, value_2.y);
}
