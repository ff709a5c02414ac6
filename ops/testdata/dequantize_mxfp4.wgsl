@group(0) @binding(0) var<storage, read> data: array<u32>; // u8, 4 in a word
@group(0) @binding(1) var<storage, read> scales: array<u32>; // u8, 4 in a word
@group(0) @binding(2) var<storage, read_write> out: array<vec4<u32>>; // f16, 2 in a word
var<workgroup> numbers: array<f32, 16>; // kernels/quant_codes.go: the numbers of 4 bits

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

// Numbers that WGSL does not allow as constants.
fn f32_from_bits(bits: u32) -> f32 {
    return bitcast<f32>(bits);
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
    // kernels/quant_codes.go
    let thread = i32(thread_id);
    let chosen = select(select(select(0.0, 0.5, thread == 1), 1.0, thread == 2), 1.5, thread == 3);
    let chosen_0 = select(select(select(chosen, 2.0, thread == 4), 3.0, thread == 5), 4.0, thread == 6);
    let chosen_1 = select(select(chosen_0, 6.0, thread == 7), f32_from_bits(0x80000000u), thread == 8);
    let chosen_2 = select(select(select(chosen_1, -0.5, thread == 9), -1.0, thread == 10), -1.5, thread == 11);
    let chosen_3 = select(select(select(chosen_2, -2.0, thread == 12), -3.0, thread == 13), -4.0, thread == 14);
    if (thread < 16) {
        numbers[thread] = select(chosen_3, -6.0, thread == 15);
    }
    let thread_0 = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/quantize_kernel.go
    let quotient = (params.out_size1 + 255) / 256;
    let chosen_4 = select(quotient, 1, quotient == 0);
    let remainder = program % chosen_4;
    let quotient_0 = program / chosen_4;
    // kernels/quant_view.go
    let data_start0 = quotient_0 * 8;
    let lane = thread_0 >> 5u;
    let offset = data_start0 + lane;
    let bits = bitcast<u32>(data_start0);
    let data_start1 = remainder * 128;
    let both = thread_0 & 31;
    let lane_0 = both << 2u;
    let index = params.data_offset + offset * params.data_stride0 + data_start1 + lane_0;
    let in_bounds = bits < bitcast<u32>(params.data_size0) && bitcast<u32>(data_start1) < bitcast<u32>(params.data_size1);
    let data_0 = select(0u, data[select(0, index >> 2u, in_bounds)], in_bounds);
    let data_1 = select(0u, data[select(0, (index >> 2u) + params.data_stride0, in_bounds)], in_bounds);
    // kernels/quant_codes.go
    workgroupBarrier();
    let numbers_0 = numbers[i32(data_0 & 15u)];
    let numbers_1 = numbers[i32((data_0 >> 4u) & 15u)];
    let numbers_2 = numbers[i32((data_0 >> 8u) & 15u)];
    let numbers_3 = numbers[i32((data_0 >> 12u) & 15u)];
    let lanes = vec4<f32>(numbers_0, numbers_1, numbers_2, numbers_3);
    let numbers_4 = numbers[i32((data_0 >> 16u) & 15u)];
    let numbers_5 = numbers[i32((data_0 >> 20u) & 15u)];
    let numbers_6 = numbers[i32((data_0 >> 24u) & 15u)];
    let numbers_7 = numbers[i32((data_0 >> 28u) & 15u)];
    let lanes_0 = vec4<f32>(numbers_4, numbers_5, numbers_6, numbers_7);
    let numbers_8 = numbers[i32(data_1 & 15u)];
    let numbers_9 = numbers[i32((data_1 >> 4u) & 15u)];
    let numbers_10 = numbers[i32((data_1 >> 8u) & 15u)];
    let numbers_11 = numbers[i32((data_1 >> 12u) & 15u)];
    let lanes_1 = vec4<f32>(numbers_8, numbers_9, numbers_10, numbers_11);
    let numbers_12 = numbers[i32((data_1 >> 16u) & 15u)];
    let numbers_13 = numbers[i32((data_1 >> 20u) & 15u)];
    let numbers_14 = numbers[i32((data_1 >> 24u) & 15u)];
    let numbers_15 = numbers[i32((data_1 >> 28u) & 15u)];
    let lanes_2 = vec4<f32>(numbers_12, numbers_13, numbers_14, numbers_15);
    // kernels/quant_view.go
    let scales_start1 = remainder * 8;
    let lane_1 = (thread_0 >> 2u) & 7;
    let index_0 = params.scales_offset + offset * params.scales_stride0 + scales_start1 + lane_1;
    let in_bounds_0 = bits < bitcast<u32>(params.scales_size0) && bitcast<u32>(scales_start1) < bitcast<u32>(params.scales_size1);
    let scales_0 = select(0u, extractBits(scales[select(0, index_0 >> 2u, in_bounds_0)], u32(index_0 & 3) * 8u, 8u), in_bounds_0);
    let index_1 = index_0 + params.scales_stride0 * 4;
    let scales_1 = select(0u, extractBits(scales[select(0, index_1 >> 2u, in_bounds_0)], u32(index_1 & 3) * 8u, 8u), in_bounds_0);
    // kernels/quant_codes.go
    let greatest = max(scales_0 << 23u, 4194304u);
    let greatest_0 = max(scales_1 << 23u, 4194304u);
    // kernels/quant_codes.go
    let bits_0 = bitcast<f32>(select(greatest, 2143289344u, scales_0 == 255u));
    let bits_1 = bitcast<f32>(select(greatest_0, 2143289344u, scales_1 == 255u));
    // kernels/quant_view.go
    // kernels/quantize_kernel.go
    let product = lanes * vec4<f32>(bits_0);
    let product_0 = lanes_0 * vec4<f32>(bits_0);
    let product_1 = lanes_1 * vec4<f32>(bits_1);
    let product_2 = lanes_2 * vec4<f32>(bits_1);
    // kernels/quantize_kernel.go
    let greater = (bitcast<vec4<u32>>(product) & vec4<u32>(2147483647u)) > vec4<u32>(2139095040u);
    let greater_0 = (bitcast<vec4<u32>>(product_0) & vec4<u32>(2147483647u)) > vec4<u32>(2139095040u);
    let greater_1 = (bitcast<vec4<u32>>(product_1) & vec4<u32>(2147483647u)) > vec4<u32>(2139095040u);
    let greater_2 = (bitcast<vec4<u32>>(product_2) & vec4<u32>(2147483647u)) > vec4<u32>(2139095040u);
    let chosen_5 = select(min(max(product, vec4<f32>(-65504.0)), vec4<f32>(65504.0)), product, greater);
    let chosen_6 = select(min(max(product_0, vec4<f32>(-65504.0)), vec4<f32>(65504.0)), product_0, greater_0);
    let chosen_7 = select(min(max(product_1, vec4<f32>(-65504.0)), vec4<f32>(65504.0)), product_1, greater_1);
    let chosen_8 = select(min(max(product_2, vec4<f32>(-65504.0)), vec4<f32>(65504.0)), product_2, greater_2);
    // kernels/quantize_kernel.go
    let out_start1 = remainder * 256;
    let lane_2 = both << 3u;
    let index_2 = params.out_offset + offset * params.out_stride0 + out_start1 + lane_2;
    let value = pack_f16_x4(chosen_5);
    let value_0 = pack_f16_x4(chosen_6);
    out[index_2 >> 3u] = vec4<u32>(value.x, value.y, value_0.x, value_0.y);
    let value_1 = pack_f16_x4(chosen_7);
    let value_2 = pack_f16_x4(chosen_8);
    out[(index_2 + params.out_stride0 * 4) >> 3u] = vec4<u32>(value_1.x, value_1.y, value_2.x, value_2.y);
}
