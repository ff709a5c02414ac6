@group(0) @binding(0) var<storage, read> a: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read> data: array<vec2<u32>>; // u8, 4 in a word
@group(0) @binding(2) var<storage, read> scales: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<atomic<u32>>; // f16, 2 in a word
var<workgroup> parts: array<f32, 128>; // kernels/matmul_kernel.go: partial results of reduce.sum

struct Params {
    a_offset: i32,
    a_size1: i32,
    data_offset: i32,
    data_size0: i32,
    data_stride1: i32,
    scales_offset: i32,
    scales_size0: i32,
    scales_size1: i32,
    scales_stride1: i32,
    out_offset: i32,
    out_size1: i32,
}
@group(0) @binding(4) var<uniform> params: Params;

fn unpack_u8_x4(word: u32) -> vec4<u32> {
    return (vec4<u32>(word) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(0xffu);
}

fn unpack_f16_x4(words: vec2<u32>) -> vec4<f32> {
    return vec4<f32>(unpack2x16float(words.x), unpack2x16float(words.y));
}

// Replaces 16 bits of out and leaves the rest of the word to other threads.
fn store_out(index: i32, bits: u32) {
    let shift = u32(index & 1) * 16u;
    atomicAnd(&out[index >> 1u], ~(0xffffu << shift));
    atomicOr(&out[index >> 1u], bits << shift);
}

// The bits of x rounded to f16, ties to even, infinite from 65520 on. A subnormal f16 counts in units of the
// last place of numbers from 0.5 to 1, to which adding 0.5 rounds it.
fn f16_bits(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    let size = bits & 0x7fffffffu;
    let normal = (size + 0xc8000fffu + ((size >> 13u) & 1u)) >> 13u;
    let subnormal = bitcast<u32>(bitcast<f32>(size) + 0.5) - 0x3f000000u;
    let finite = select(min(normal, 0x7c00u), subnormal, size < 0x38800000u);
    return ((bits >> 16u) & 0x8000u) | select(finite, 0x7e00u, size > 0x7f800000u);
}

@compute @workgroup_size(128, 1, 1)
fn matmul(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/matmul_kernel.go
    let quotient = (params.out_size1 + 7) / 8;
    let remainder = program % select(quotient, 1, quotient == 0);
    // kernels/quant_view.go
    let both = thread & 15;
    let lane = both << 3u;
    let bits = bitcast<u32>(params.data_size0);
    let data_start1 = remainder * 8;
    let lane_0 = thread >> 4u;
    let offset = data_start1 + lane_0;
    let offset_0 = offset * params.data_stride1;
    // kernels/quant_view.go
    let lane_1 = (thread >> 3u) & 1;
    let bits_0 = bitcast<u32>(params.scales_size0);
    let offset_1 = offset * params.scales_stride1;
    let less = bitcast<u32>(data_start1) < bitcast<u32>(params.scales_size1);
    // kernels/matrix_block.go
    let lane_2 = both << 4u;
    // kernels/matmul_kernel.go
    var carried: vec4<f32> = vec4<f32>(0.0);
    var carried_0: vec4<f32> = vec4<f32>(0.0);
    var carried_1: vec4<f32> = vec4<f32>(0.0);
    var carried_2: vec4<f32> = vec4<f32>(0.0);
    let end = (params.a_size1 + 255) / 256;
    for (var i: i32 = 0; i < end; i += 1) {
        // kernels/quant_view.go
        let data_start0 = i * 128;
        let in_bounds = bitcast<u32>(data_start0) < bits;
        let data_0 = select(vec2<u32>(0u), data[select(0, (params.data_offset + data_start0 + lane + offset_0) >> 3u, in_bounds)], in_bounds);
        let data_1 = unpack_u8_x4(data_0.x);
        let data_2 = unpack_u8_x4(data_0.y);
        // kernels/quant_view.go
        let converted = vec4<i32>(data_1);
        let converted_0 = vec4<i32>(data_2);
        let both_0 = vec4<u32>(converted & vec4<i32>(15)) & vec4<u32>(255u);
        let both_1 = vec4<u32>(converted_0 & vec4<i32>(15)) & vec4<u32>(255u);
        let both_2 = vec4<u32>((converted >> vec4<u32>(4u)) & vec4<i32>(15)) & vec4<u32>(255u);
        let both_3 = vec4<u32>((converted_0 >> vec4<u32>(4u)) & vec4<i32>(15)) & vec4<u32>(255u);
        let lanes = vec4<u32>(both_0.x, both_2.x, both_0.y, both_2.y);
        let lanes_0 = vec4<u32>(both_0.z, both_2.z, both_0.w, both_2.w);
        let lanes_1 = vec4<u32>(both_1.x, both_3.x, both_1.y, both_3.y);
        let lanes_2 = vec4<u32>(both_1.z, both_3.z, both_1.w, both_3.w);
        // kernels/quant_view.go
        let changed = lanes ^ vec4<u32>(1258291208u);
        let changed_0 = lanes_0 ^ vec4<u32>(1258291208u);
        let changed_1 = lanes_1 ^ vec4<u32>(1258291208u);
        let changed_2 = lanes_2 ^ vec4<u32>(1258291208u);
        // kernels/quant_view.go
        let bits_1 = bitcast<vec4<f32>>(changed);
        let bits_2 = bitcast<vec4<f32>>(changed_0);
        let bits_3 = bitcast<vec4<f32>>(changed_1);
        let bits_4 = bitcast<vec4<f32>>(changed_2);
        // kernels/quant_view.go
        let difference = bits_1 - vec4<f32>(8.388616e06);
        let difference_0 = bits_2 - vec4<f32>(8.388616e06);
        let difference_1 = bits_3 - vec4<f32>(8.388616e06);
        let difference_2 = bits_4 - vec4<f32>(8.388616e06);
        // kernels/quant_view.go
        let scales_start0 = i * 2;
        let in_bounds_0 = bitcast<u32>(scales_start0) < bits_0 && less;
        let scales_0 = select(0.0, scales[select(0, params.scales_offset + scales_start0 + lane_1 + offset_1, in_bounds_0)], in_bounds_0);
        // kernels/quant_view.go
        // kernels/quantized_matmul_kernel.go
        let product = difference * vec4<f32>(scales_0);
        let product_0 = difference_0 * vec4<f32>(scales_0);
        let product_1 = difference_1 * vec4<f32>(scales_0);
        let product_2 = difference_2 * vec4<f32>(scales_0);
        // kernels/matrix_block.go
        let a_start1 = i * 256;
        let index = params.a_offset + a_start1 + lane_2;
        let a_0 = a[index >> 3u];
        let a_1 = unpack_f16_x4(a_0.xy);
        let a_2 = unpack_f16_x4(a_0.zw);
        let a_3 = a[(index >> 3u) + 1];
        let a_4 = unpack_f16_x4(a_3.xy);
        let a_5 = unpack_f16_x4(a_3.zw);
        // kernels/matmul_kernel.go
        carried = fma(product, a_1, carried);
        carried_0 = fma(product_0, a_2, carried_0);
        carried_1 = fma(product_1, a_4, carried_1);
        carried_2 = fma(product_2, a_5, carried_2);
    }
    // kernels/matmul_kernel.go
    let sum = carried + carried_0 + carried_1 + carried_2;
    parts[thread] = sum.x + sum.z + (sum.y + sum.w);
    let index_0 = thread & 112;
    workgroupBarrier();
    let parts_0 = parts[index_0];
    let parts_1 = parts[index_0 + 1];
    let parts_2 = parts[index_0 + 2];
    let parts_3 = parts[index_0 + 3];
    let parts_4 = parts[index_0 + 4];
    let parts_5 = parts[index_0 + 5];
    let parts_6 = parts[index_0 + 6];
    let sum_0 = parts_0 + parts_1 + parts_2 + parts_3 + parts_4 + parts_5 + parts_6;
    let parts_7 = parts[index_0 + 7];
    let parts_8 = parts[index_0 + 8];
    let parts_9 = parts[index_0 + 9];
    let parts_10 = parts[index_0 + 10];
    let parts_11 = parts[index_0 + 11];
    let parts_12 = parts[index_0 + 12];
    let sum_1 = sum_0 + parts_7 + parts_8 + parts_9 + parts_10 + parts_11 + parts_12;
    let parts_13 = parts[index_0 + 13];
    let parts_14 = parts[index_0 + 14];
    let parts_15 = parts[index_0 + 15];
    let sum_2 = sum_1 + parts_13 + parts_14 + parts_15;
    // kernels/matrix_block.go
    if (both == 0) {
        store_out(params.out_offset + offset, f16_bits(sum_2));
    }
}
