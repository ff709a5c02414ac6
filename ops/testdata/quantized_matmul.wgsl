@group(0) @binding(0) var<storage, read> a: array<u32>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read> data: array<u32>; // u8, 4 in a word
@group(0) @binding(2) var<storage, read> scales: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<vec2<u32>>; // f16, 2 in a word
var<workgroup> tile_a: array<vec4<f32>, 143>; // kernels/matmul_kernel.go: operand a of the product
var<workgroup> tile_b: array<f32, 1024>; // kernels/matmul_kernel.go: operand b of the product

struct Params {
    a_offset: i32,
    a_size1: i32,
    a_stride0: i32,
    data_offset: i32,
    data_size0: i32,
    data_stride1: i32,
    scales_offset: i32,
    scales_size0: i32,
    scales_size1: i32,
    scales_stride1: i32,
    out_offset: i32,
    out_size0: i32,
    out_size1: i32,
    out_stride0: i32,
}
@group(0) @binding(4) var<uniform> params: Params;

fn unpack_u8_x4(word: u32) -> vec4<u32> {
    return (vec4<u32>(word) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(0xffu);
}

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

// Rounds x to the precision of f16.
fn round_f16_x4(x: vec4<f32>) -> vec4<f32> {
    return unpack_f16_x4(pack_f16_x4(x));
}

@compute @workgroup_size(128, 1, 1)
fn matmul(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/matmul_kernel.go
    let offset = (params.out_size1 + 63) / 64 * 8;
    let chosen = select(offset, 1, offset == 0);
    let offset_0 = program / chosen * 8;
    let least = min((params.out_size0 + 31) / 32 - offset_0, 8);
    let remainder = program % chosen;
    let chosen_0 = select(least, 1, least == 0);
    let quotient = remainder / chosen_0;
    let offset_1 = offset_0 + remainder - quotient * chosen_0;
    // kernels/matmul_kernel.go
    let quotient_0 = (params.a_size1 + 15) / 16;
    // kernels/matrix_block.go
    let a_start0 = offset_1 * 32;
    let shifted = thread >> 2u;
    let lane = shifted & 28;
    let offset_2 = params.a_offset + (a_start0 + lane) * params.a_stride0;
    let lane_0 = thread & 15;
    let offset_3 = params.a_stride0 * 2;
    let offset_4 = params.a_stride0 * 3;
    // kernels/quant_view.go
    let both = thread & 1;
    let lane_1 = both << 2u;
    let bits = bitcast<u32>(params.data_size0);
    let data_start1 = quotient * 64;
    let lane_2 = thread >> 1u;
    let offset_5 = data_start1 + lane_2;
    let offset_6 = offset_5 * params.data_stride1;
    // kernels/quant_view.go
    let bits_0 = bitcast<u32>(params.scales_size0);
    let offset_7 = offset_5 * params.scales_stride1;
    let less = bitcast<u32>(data_start1) < bitcast<u32>(params.scales_size1);
    // kernels/matmul_kernel.go
    let index = lane_0 * 36 + lane;
    let index_0 = (both << 3u) * 64 + lane_2;
    let index_1 = index_0 + 64;
    let index_2 = index_0 + 128;
    let index_3 = index_0 + 192;
    let index_4 = index_0 + 256;
    let index_5 = index_0 + 320;
    let index_6 = index_0 + 384;
    let index_7 = index_0 + 448;
    let lane_3 = ((thread & 2) << 1u) + (thread & 8) + (shifted & 16);
    let lane_4 = lane_1 + ((thread & 4) << 1u) + (thread & 48);
    let more = 0 < quotient_0;
    // kernels/matrix_block.go
    let index_8 = offset_2 + lane_0;
    let a_0 = select(0.0, unpack2x16float(a[select(0, index_8 >> 1u, more)])[index_8 & 1], more);
    let index_9 = index_8 + params.a_stride0;
    let a_1 = select(0.0, unpack2x16float(a[select(0, index_9 >> 1u, more)])[index_9 & 1], more);
    let index_10 = index_8 + offset_3;
    let a_2 = select(0.0, unpack2x16float(a[select(0, index_10 >> 1u, more)])[index_10 & 1], more);
    let index_11 = index_8 + offset_4;
    let a_3 = select(0.0, unpack2x16float(a[select(0, index_11 >> 1u, more)])[index_11 & 1], more);
    // kernels/quant_view.go
    let value = 0;
    let bits_1 = bitcast<u32>(value);
    let in_bounds = bits_1 < bits && more;
    let data_0 = select(vec4<u32>(0u), unpack_u8_x4(data[select(0, (params.data_offset + lane_1 + offset_6) >> 2u, in_bounds)]), in_bounds);
    // kernels/quant_view.go
    let in_bounds_0 = bits_1 < bits_0 && less && more;
    let scales_0 = select(0.0, scales[select(0, params.scales_offset + offset_7, in_bounds_0)], in_bounds_0);
    // kernels/matmul_kernel.go
    var acc: vec4<f32> = vec4<f32>(0.0);
    var acc_0: vec4<f32> = vec4<f32>(0.0);
    var acc_1: vec4<f32> = vec4<f32>(0.0);
    var acc_2: vec4<f32> = vec4<f32>(0.0);
    var a_4: f32 = a_0;
    var a_5: f32 = a_1;
    var a_6: f32 = a_2;
    var a_7: f32 = a_3;
    var data_1: vec4<u32> = data_0;
    var scales_1: f32 = scales_0;
    for (var i: i32 = 0; i < quotient_0; i += 1) {
        // kernels/matrix_block.go
        let lanes = vec4<f32>(a_4, a_5, a_6, a_7);
        // kernels/quant_view.go
        let converted = vec4<i32>(data_1);
        let both_0 = vec4<u32>(converted & vec4<i32>(15)) & vec4<u32>(255u);
        let both_1 = vec4<u32>((converted >> vec4<u32>(4u)) & vec4<i32>(15)) & vec4<u32>(255u);
        let lanes_0 = vec4<u32>(both_0.x, both_1.x, both_0.y, both_1.y);
        let lanes_1 = vec4<u32>(both_0.z, both_1.z, both_0.w, both_1.w);
        // kernels/quant_view.go
        let changed = lanes_0 ^ vec4<u32>(1258291208u);
        let changed_0 = lanes_1 ^ vec4<u32>(1258291208u);
        // kernels/quant_view.go
        let bits_2 = bitcast<vec4<f32>>(changed);
        let bits_3 = bitcast<vec4<f32>>(changed_0);
        // kernels/quant_view.go
        let difference = bits_2 - vec4<f32>(8.388616e06);
        let difference_0 = bits_3 - vec4<f32>(8.388616e06);
        // kernels/quantized_matmul_kernel.go
        let product = difference * vec4<f32>(scales_1);
        let product_0 = difference_0 * vec4<f32>(scales_1);
        // kernels/matmul_kernel.go
        let rounded = round_f16_x4(product);
        let rounded_0 = round_f16_x4(product_0);
        // kernels/matmul_kernel.go
        workgroupBarrier();
        tile_a[index >> 2u] = lanes;
        tile_b[index_0] = rounded.x;
        tile_b[index_1] = rounded.y;
        tile_b[index_2] = rounded.z;
        tile_b[index_3] = rounded.w;
        tile_b[index_4] = rounded_0.x;
        tile_b[index_5] = rounded_0.y;
        tile_b[index_6] = rounded_0.z;
        tile_b[index_7] = rounded_0.w;
        let ahead = i + 1;
        let more_0 = ahead < quotient_0;
        let next = select(i, ahead, more_0);
        // kernels/matrix_block.go
        let a_start1 = next * 16;
        let index_12 = offset_2 + a_start1 + lane_0;
        let a_8 = unpack2x16float(a[index_12 >> 1u])[index_12 & 1];
        let index_13 = index_12 + params.a_stride0;
        let a_9 = unpack2x16float(a[index_13 >> 1u])[index_13 & 1];
        let index_14 = index_12 + offset_3;
        let a_10 = unpack2x16float(a[index_14 >> 1u])[index_14 & 1];
        let index_15 = index_12 + offset_4;
        let a_11 = unpack2x16float(a[index_15 >> 1u])[index_15 & 1];
        // kernels/quant_view.go
        let data_start0 = next * 8;
        let in_bounds_1 = bitcast<u32>(data_start0) < bits;
        let data_2 = select(vec4<u32>(0u), unpack_u8_x4(data[select(0, (params.data_offset + data_start0 + lane_1 + offset_6) >> 2u, in_bounds_1)]), in_bounds_1);
        // kernels/quant_view.go
        let scales_start0 = next / 8;
        // kernels/quant_view.go
        let in_bounds_2 = bitcast<u32>(scales_start0) < bits_0 && less;
        let scales_2 = select(0.0, scales[select(0, params.scales_offset + scales_start0 + offset_7, in_bounds_2)], in_bounds_2);
        // kernels/matmul_kernel.go
        workgroupBarrier();
        for (var i_0: i32 = 0; i_0 < 16; i_0 += 4) {
            let index_16 = i_0 * 36 + lane_3;
            let tile_a_0 = tile_a[index_16 >> 2u];
            let index_17 = i_0 * 64 + lane_4;
            let tile_b_0 = tile_b[index_17];
            let tile_b_1 = tile_b[index_17 + 1];
            let tile_b_2 = tile_b[index_17 + 2];
            let tile_b_3 = tile_b[index_17 + 3];
            let lanes_2 = vec4<f32>(tile_b_0, tile_b_1, tile_b_2, tile_b_3);
            acc = fma(vec4<f32>(tile_a_0.x), lanes_2, acc);
            acc_0 = fma(vec4<f32>(tile_a_0.y), lanes_2, acc_0);
            acc_1 = fma(vec4<f32>(tile_a_0.z), lanes_2, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_0.w), lanes_2, acc_2);
            let tile_a_1 = tile_a[(index_16 >> 2u) + 9];
            let tile_b_4 = tile_b[index_17 + 64];
            let tile_b_5 = tile_b[index_17 + 65];
            let tile_b_6 = tile_b[index_17 + 66];
            let tile_b_7 = tile_b[index_17 + 67];
            let lanes_3 = vec4<f32>(tile_b_4, tile_b_5, tile_b_6, tile_b_7);
            acc = fma(vec4<f32>(tile_a_1.x), lanes_3, acc);
            acc_0 = fma(vec4<f32>(tile_a_1.y), lanes_3, acc_0);
            acc_1 = fma(vec4<f32>(tile_a_1.z), lanes_3, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_1.w), lanes_3, acc_2);
            let tile_a_2 = tile_a[(index_16 >> 2u) + 18];
            let tile_b_8 = tile_b[index_17 + 128];
            let tile_b_9 = tile_b[index_17 + 129];
            let tile_b_10 = tile_b[index_17 + 130];
            let tile_b_11 = tile_b[index_17 + 131];
            let lanes_4 = vec4<f32>(tile_b_8, tile_b_9, tile_b_10, tile_b_11);
            acc = fma(vec4<f32>(tile_a_2.x), lanes_4, acc);
            acc_0 = fma(vec4<f32>(tile_a_2.y), lanes_4, acc_0);
            acc_1 = fma(vec4<f32>(tile_a_2.z), lanes_4, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_2.w), lanes_4, acc_2);
            let tile_a_3 = tile_a[(index_16 >> 2u) + 27];
            let tile_b_12 = tile_b[index_17 + 192];
            let tile_b_13 = tile_b[index_17 + 193];
            let tile_b_14 = tile_b[index_17 + 194];
            let tile_b_15 = tile_b[index_17 + 195];
            let lanes_5 = vec4<f32>(tile_b_12, tile_b_13, tile_b_14, tile_b_15);
            acc = fma(vec4<f32>(tile_a_3.x), lanes_5, acc);
            acc_0 = fma(vec4<f32>(tile_a_3.y), lanes_5, acc_0);
            acc_1 = fma(vec4<f32>(tile_a_3.z), lanes_5, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_3.w), lanes_5, acc_2);
        }
        a_4 = a_8;
        a_5 = a_9;
        a_6 = a_10;
        a_7 = a_11;
        data_1 = data_2;
        scales_1 = scales_2;
    }
    // kernels/matrix_block.go
    let index_18 = params.out_offset + (a_start0 + lane_3) * params.out_stride0 + data_start1 + lane_4;
    out[index_18 >> 2u] = pack_f16_x4(acc);
    out[(index_18 + params.out_stride0) >> 2u] = pack_f16_x4(acc_0);
    out[(index_18 + params.out_stride0 * 2) >> 2u] = pack_f16_x4(acc_1);
    out[(index_18 + params.out_stride0 * 3) >> 2u] = pack_f16_x4(acc_2);
}
