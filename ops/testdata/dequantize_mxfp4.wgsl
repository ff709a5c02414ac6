@group(0) @binding(0) var<storage, read> data: array<u32>; // u8, 4 in a word
@group(0) @binding(1) var<storage, read> scales: array<u32>; // u8, 4 in a word
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
    let shifted = vec4<u32>(3362009616u) >> ((lanes << vec4<u32>(2u)) & vec4<u32>(31u));
    let shifted_0 = vec4<u32>(3362009616u) >> ((lanes_0 << vec4<u32>(2u)) & vec4<u32>(31u));
    let shifted_1 = vec4<u32>(3362009616u) >> ((lanes_1 << vec4<u32>(2u)) & vec4<u32>(31u));
    let shifted_2 = vec4<u32>(3362009616u) >> ((lanes_2 << vec4<u32>(2u)) & vec4<u32>(31u));
    let bits_0 = bitcast<vec4<f32>>((shifted & vec4<u32>(15u)) | vec4<u32>(1249902592u));
    let bits_1 = bitcast<vec4<f32>>((shifted_0 & vec4<u32>(15u)) | vec4<u32>(1249902592u));
    let bits_2 = bitcast<vec4<f32>>((shifted_1 & vec4<u32>(15u)) | vec4<u32>(1249902592u));
    let bits_3 = bitcast<vec4<f32>>((shifted_2 & vec4<u32>(15u)) | vec4<u32>(1249902592u));
    let difference = bits_0 - vec4<f32>(4.194304e06);
    let difference_0 = bits_1 - vec4<f32>(4.194304e06);
    let difference_1 = bits_2 - vec4<f32>(4.194304e06);
    let difference_2 = bits_3 - vec4<f32>(4.194304e06);
    // kernels/quant_codes.go
    let changed = bitcast<vec4<u32>>(difference) ^ ((lanes << vec4<u32>(28u)) & vec4<u32>(2147483648u));
    let changed_0 = bitcast<vec4<u32>>(difference_0) ^ ((lanes_0 << vec4<u32>(28u)) & vec4<u32>(2147483648u));
    let changed_1 = bitcast<vec4<u32>>(difference_1) ^ ((lanes_1 << vec4<u32>(28u)) & vec4<u32>(2147483648u));
    let changed_2 = bitcast<vec4<u32>>(difference_2) ^ ((lanes_2 << vec4<u32>(28u)) & vec4<u32>(2147483648u));
    let bits_4 = bitcast<vec4<f32>>(changed);
    let bits_5 = bitcast<vec4<f32>>(changed_0);
    let bits_6 = bitcast<vec4<f32>>(changed_1);
    let bits_7 = bitcast<vec4<f32>>(changed_2);
    // kernels/quant_view.go
    let scales_start1 = remainder * 8;
    let lane_1 = (thread >> 2u) & 7;
    let index_0 = params.scales_offset + offset * params.scales_stride0 + scales_start1 + lane_1;
    let in_bounds_0 = bits < bitcast<u32>(params.scales_size0) && bitcast<u32>(scales_start1) < bitcast<u32>(params.scales_size1);
    let scales_0 = select(0u, extractBits(scales[select(0, index_0 >> 2u, in_bounds_0)], u32(index_0 & 3) * 8u, 8u), in_bounds_0);
    let index_1 = index_0 + params.scales_stride0 * 4;
    let scales_1 = select(0u, extractBits(scales[select(0, index_1 >> 2u, in_bounds_0)], u32(index_1 & 3) * 8u, 8u), in_bounds_0);
    // kernels/quant_codes.go
    let greatest = max(scales_0 << 23u, 4194304u);
    let greatest_0 = max(scales_1 << 23u, 4194304u);
    // kernels/quant_codes.go
    let bits_8 = bitcast<f32>(select(greatest, 2143289344u, scales_0 == 255u));
    let bits_9 = bitcast<f32>(select(greatest_0, 2143289344u, scales_1 == 255u));
    // kernels/quant_view.go
    // kernels/quantize_kernel.go
    let product = bits_4 * vec4<f32>(bits_8);
    let product_0 = bits_5 * vec4<f32>(bits_8);
    let product_1 = bits_6 * vec4<f32>(bits_9);
    let product_2 = bits_7 * vec4<f32>(bits_9);
    // kernels/quantize_kernel.go
    let least = min(max(product, vec4<f32>(-65504.0)), vec4<f32>(65504.0));
    let least_0 = min(max(product_0, vec4<f32>(-65504.0)), vec4<f32>(65504.0));
    let least_1 = min(max(product_1, vec4<f32>(-65504.0)), vec4<f32>(65504.0));
    let least_2 = min(max(product_2, vec4<f32>(-65504.0)), vec4<f32>(65504.0));
    // kernels/quantize_kernel.go
    let greater = (bitcast<vec4<u32>>(product) & vec4<u32>(2147483647u)) > vec4<u32>(2139095040u);
    let greater_0 = (bitcast<vec4<u32>>(product_0) & vec4<u32>(2147483647u)) > vec4<u32>(2139095040u);
    let greater_1 = (bitcast<vec4<u32>>(product_1) & vec4<u32>(2147483647u)) > vec4<u32>(2139095040u);
    let greater_2 = (bitcast<vec4<u32>>(product_2) & vec4<u32>(2147483647u)) > vec4<u32>(2139095040u);
    let chosen_0 = select(least, product, greater);
    let chosen_1 = select(least_0, product_0, greater_0);
    let chosen_2 = select(least_1, product_1, greater_1);
    let chosen_3 = select(least_2, product_2, greater_2);
    // kernels/quantize_kernel.go
    let out_start1 = remainder * 256;
    let lane_2 = both << 3u;
    let index_2 = params.out_offset + offset * params.out_stride0 + out_start1 + lane_2;
    let value = pack_f16_x4(chosen_0);
    let value_0 = pack_f16_x4(chosen_1);
    out[index_2 >> 3u] = vec4<u32>(value.x, value.y, value_0.x, value_0.y);
    let value_1 = pack_f16_x4(chosen_2);
    let value_2 = pack_f16_x4(chosen_3);
    out[(index_2 + params.out_stride0 * 4) >> 3u] = vec4<u32>(value_1.x, value_1.y, value_2.x, value_2.y);
}
