@group(0) @binding(0) var<storage, read> data: array<vec2<u32>>; // u8, 4 in a word
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
    let data_start1 = remainder * 256;
    let lane_0 = (thread & 31) << 3u;
    let offset_0 = data_start1 + lane_0;
    let index = params.data_offset + offset * params.data_stride0 + offset_0;
    let in_bounds = bits < bitcast<u32>(params.data_size0) && bitcast<u32>(data_start1) < bitcast<u32>(params.data_size1);
    let data_0 = select(vec2<u32>(0u), data[select(0, index >> 3u, in_bounds)], in_bounds);
    let data_1 = unpack_u8_x4(data_0.x);
    let data_2 = unpack_u8_x4(data_0.y);
    let data_3 = select(vec2<u32>(0u), data[select(0, (index + params.data_stride0 * 4) >> 3u, in_bounds)], in_bounds);
    let data_4 = unpack_u8_x4(data_3.x);
    let data_5 = unpack_u8_x4(data_3.y);
    // kernels/quant_float8.go
    let both = data_1 & vec4<u32>(127u);
    let both_0 = data_2 & vec4<u32>(127u);
    let both_1 = data_4 & vec4<u32>(127u);
    let both_2 = data_5 & vec4<u32>(127u);
    // kernels/quant_float8.go
    let bits_0 = bitcast<vec4<f32>>((both + vec4<u32>(960u)) << vec4<u32>(20u));
    let bits_1 = bitcast<vec4<f32>>((both_0 + vec4<u32>(960u)) << vec4<u32>(20u));
    let bits_2 = bitcast<vec4<f32>>((both_1 + vec4<u32>(960u)) << vec4<u32>(20u));
    let bits_3 = bitcast<vec4<f32>>((both_2 + vec4<u32>(960u)) << vec4<u32>(20u));
    // kernels/quant_float8.go
    let difference = bitcast<vec4<f32>>(both | vec4<u32>(1182793728u)) - vec4<f32>(16384.0);
    let difference_0 = bitcast<vec4<f32>>(both_0 | vec4<u32>(1182793728u)) - vec4<f32>(16384.0);
    let difference_1 = bitcast<vec4<f32>>(both_1 | vec4<u32>(1182793728u)) - vec4<f32>(16384.0);
    let difference_2 = bitcast<vec4<f32>>(both_2 | vec4<u32>(1182793728u)) - vec4<f32>(16384.0);
    // kernels/quant_float8.go
    let chosen_0 = select(bits_0, difference, both < vec4<u32>(8u));
    let chosen_1 = select(bits_1, difference_0, both_0 < vec4<u32>(8u));
    let chosen_2 = select(bits_2, difference_1, both_1 < vec4<u32>(8u));
    let chosen_3 = select(bits_3, difference_2, both_2 < vec4<u32>(8u));
    // kernels/quant_float8.go
    let changed = bitcast<vec4<u32>>(chosen_0) ^ ((data_1 << vec4<u32>(24u)) & vec4<u32>(2147483648u));
    let changed_0 = bitcast<vec4<u32>>(chosen_1) ^ ((data_2 << vec4<u32>(24u)) & vec4<u32>(2147483648u));
    let changed_1 = bitcast<vec4<u32>>(chosen_2) ^ ((data_4 << vec4<u32>(24u)) & vec4<u32>(2147483648u));
    let changed_2 = bitcast<vec4<u32>>(chosen_3) ^ ((data_5 << vec4<u32>(24u)) & vec4<u32>(2147483648u));
    let bits_4 = bitcast<vec4<f32>>(changed);
    let bits_5 = bitcast<vec4<f32>>(changed_0);
    let bits_6 = bitcast<vec4<f32>>(changed_1);
    let bits_7 = bitcast<vec4<f32>>(changed_2);
    // kernels/quant_view.go
    let index_0 = params.scales_offset + offset;
    let in_bounds_0 = bits < bitcast<u32>(params.scales_size0) && 0u < bitcast<u32>(params.scales_size1);
    let scales_0 = select(0.0, scales[select(0, index_0, in_bounds_0)], in_bounds_0);
    let scales_1 = select(0.0, scales[select(0, index_0 + 4, in_bounds_0)], in_bounds_0);
    // kernels/quantize_kernel.go
    let product = bits_4 * vec4<f32>(scales_0);
    let product_0 = bits_5 * vec4<f32>(scales_0);
    let product_1 = bits_6 * vec4<f32>(scales_1);
    let product_2 = bits_7 * vec4<f32>(scales_1);
    // kernels/quantize_kernel.go
    let greater = (bitcast<vec4<u32>>(product) & vec4<u32>(2147483647u)) > vec4<u32>(2139095040u);
    let greater_0 = (bitcast<vec4<u32>>(product_0) & vec4<u32>(2147483647u)) > vec4<u32>(2139095040u);
    let greater_1 = (bitcast<vec4<u32>>(product_1) & vec4<u32>(2147483647u)) > vec4<u32>(2139095040u);
    let greater_2 = (bitcast<vec4<u32>>(product_2) & vec4<u32>(2147483647u)) > vec4<u32>(2139095040u);
    let chosen_4 = select(min(max(product, vec4<f32>(-65504.0)), vec4<f32>(65504.0)), product, greater);
    let chosen_5 = select(min(max(product_0, vec4<f32>(-65504.0)), vec4<f32>(65504.0)), product_0, greater_0);
    let chosen_6 = select(min(max(product_1, vec4<f32>(-65504.0)), vec4<f32>(65504.0)), product_1, greater_1);
    let chosen_7 = select(min(max(product_2, vec4<f32>(-65504.0)), vec4<f32>(65504.0)), product_2, greater_2);
    // kernels/quantize_kernel.go
    let index_1 = params.out_offset + offset * params.out_stride0 + offset_0;
    let value = pack_f16_x4(chosen_4);
    let value_0 = pack_f16_x4(chosen_5);
    out[index_1 >> 3u] = vec4<u32>(value.x, value.y, value_0.x, value_0.y);
    let value_1 = pack_f16_x4(chosen_6);
    let value_2 = pack_f16_x4(chosen_7);
    out[(index_1 + params.out_stride0 * 4) >> 3u] = vec4<u32>(value_1.x, value_1.y, value_2.x, value_2.y);
}
