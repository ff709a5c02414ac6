@group(0) @binding(0) var<storage, read> a: array<u32>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read> b: array<u32>; // f16, 2 in a word
@group(0) @binding(2) var<storage, read> x0: array<vec2<u32>>; // f16, 2 in a word
@group(0) @binding(3) var<storage, read_write> out: array<vec2<u32>>; // f16, 2 in a word
var<workgroup> tile_a: array<vec4<f32>, 271>; // kernels/matmul_kernel.go: operand a of the product
var<workgroup> tile_b: array<vec4<f32>, 271>; // kernels/matmul_kernel.go: operand b of the product

struct Params {
    a_offset: i32,
    a_size1: i32,
    a_stride0: i32,
    b_offset: i32,
    b_stride1: i32,
    x0_offset: i32,
    x0_size0: i32,
    x0_size1: i32,
    out_offset: i32,
    out_size0: i32,
    out_size1: i32,
    out_stride0: i32,
}
@group(0) @binding(4) var<uniform> params: Params;

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

@compute @workgroup_size(256, 1, 1)
fn matmul(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/matmul_kernel.go
    let offset = (params.out_size1 + 63) / 64 * 8;
    let chosen = select(offset, 1, offset == 0);
    let offset_0 = program / chosen * 8;
    let least = min((params.out_size0 + 63) / 64 - offset_0, 8);
    let remainder = program % chosen;
    let chosen_0 = select(least, 1, least == 0);
    let quotient = remainder / chosen_0;
    let offset_1 = offset_0 + remainder - quotient * chosen_0;
    // kernels/matmul_kernel.go
    let quotient_0 = (params.a_size1 + 15) / 16;
    // kernels/matrix_block.go
    let a_start0 = offset_1 * 64;
    let shifted = thread >> 2u;
    let lane = shifted & 60;
    let offset_2 = params.a_offset + (a_start0 + lane) * params.a_stride0;
    let lane_0 = thread & 15;
    let offset_3 = params.a_stride0 * 2;
    let offset_4 = params.a_stride0 * 3;
    let b_start1 = quotient * 64;
    let offset_5 = (b_start1 + lane) * params.b_stride1;
    let offset_6 = params.b_stride1 * 2;
    let offset_7 = params.b_stride1 * 3;
    // kernels/matmul_kernel.go
    let index = lane_0 * 68 + lane;
    let lane_1 = ((thread & 2) << 1u) + (thread & 8) + (shifted & 48);
    let lane_2 = ((thread & 1) << 2u) + ((thread & 4) << 1u) + (thread & 48);
    let more = 0 < quotient_0;
    // kernels/matrix_block.go
    let index_0 = offset_2 + lane_0;
    let a_0 = select(0.0, unpack2x16float(a[select(0, index_0 >> 1u, more)])[index_0 & 1], more);
    let index_1 = index_0 + params.a_stride0;
    let a_1 = select(0.0, unpack2x16float(a[select(0, index_1 >> 1u, more)])[index_1 & 1], more);
    let index_2 = index_0 + offset_3;
    let a_2 = select(0.0, unpack2x16float(a[select(0, index_2 >> 1u, more)])[index_2 & 1], more);
    let index_3 = index_0 + offset_4;
    let a_3 = select(0.0, unpack2x16float(a[select(0, index_3 >> 1u, more)])[index_3 & 1], more);
    let index_4 = params.b_offset + lane_0 + offset_5;
    let b_0 = select(0.0, unpack2x16float(b[select(0, index_4 >> 1u, more)])[index_4 & 1], more);
    let index_5 = index_4 + params.b_stride1;
    let b_1 = select(0.0, unpack2x16float(b[select(0, index_5 >> 1u, more)])[index_5 & 1], more);
    let index_6 = index_4 + offset_6;
    let b_2 = select(0.0, unpack2x16float(b[select(0, index_6 >> 1u, more)])[index_6 & 1], more);
    let index_7 = index_4 + offset_7;
    let b_3 = select(0.0, unpack2x16float(b[select(0, index_7 >> 1u, more)])[index_7 & 1], more);
    // kernels/matmul_kernel.go
    var acc: vec4<f32> = vec4<f32>(0.0);
    var acc_0: vec4<f32> = vec4<f32>(0.0);
    var acc_1: vec4<f32> = vec4<f32>(0.0);
    var acc_2: vec4<f32> = vec4<f32>(0.0);
    var a_4: f32 = a_0;
    var a_5: f32 = a_1;
    var a_6: f32 = a_2;
    var a_7: f32 = a_3;
    var b_4: f32 = b_0;
    var b_5: f32 = b_1;
    var b_6: f32 = b_2;
    var b_7: f32 = b_3;
    for (var i: i32 = 0; i < quotient_0; i += 1) {
        // kernels/matrix_block.go
        let lanes = vec4<f32>(a_4, a_5, a_6, a_7);
        let lanes_0 = vec4<f32>(b_4, b_5, b_6, b_7);
        // kernels/matmul_kernel.go
        workgroupBarrier();
        tile_a[index >> 2u] = lanes;
        tile_b[index >> 2u] = lanes_0;
        let ahead = i + 1;
        let more_0 = ahead < quotient_0;
        let next = select(i, ahead, more_0);
        // kernels/matrix_block.go
        let a_start1 = next * 16;
        let offset_8 = a_start1 + lane_0;
        let index_8 = offset_2 + offset_8;
        let a_8 = unpack2x16float(a[index_8 >> 1u])[index_8 & 1];
        let index_9 = index_8 + params.a_stride0;
        let a_9 = unpack2x16float(a[index_9 >> 1u])[index_9 & 1];
        let index_10 = index_8 + offset_3;
        let a_10 = unpack2x16float(a[index_10 >> 1u])[index_10 & 1];
        let index_11 = index_8 + offset_4;
        let a_11 = unpack2x16float(a[index_11 >> 1u])[index_11 & 1];
        let index_12 = params.b_offset + offset_8 + offset_5;
        let b_8 = unpack2x16float(b[index_12 >> 1u])[index_12 & 1];
        let index_13 = index_12 + params.b_stride1;
        let b_9 = unpack2x16float(b[index_13 >> 1u])[index_13 & 1];
        let index_14 = index_12 + offset_6;
        let b_10 = unpack2x16float(b[index_14 >> 1u])[index_14 & 1];
        let index_15 = index_12 + offset_7;
        let b_11 = unpack2x16float(b[index_15 >> 1u])[index_15 & 1];
        // kernels/matmul_kernel.go
        workgroupBarrier();
        for (var i_0: i32 = 0; i_0 < 16; i_0 += 4) {
            let index_16 = i_0 * 68 + lane_1;
            let tile_a_0 = tile_a[index_16 >> 2u];
            let index_17 = i_0 * 68 + lane_2;
            let tile_b_0 = tile_b[index_17 >> 2u];
            acc = fma(vec4<f32>(tile_a_0.x), tile_b_0, acc);
            acc_0 = fma(vec4<f32>(tile_a_0.y), tile_b_0, acc_0);
            acc_1 = fma(vec4<f32>(tile_a_0.z), tile_b_0, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_0.w), tile_b_0, acc_2);
            let tile_a_1 = tile_a[(index_16 >> 2u) + 17];
            let tile_b_1 = tile_b[(index_17 >> 2u) + 17];
            acc = fma(vec4<f32>(tile_a_1.x), tile_b_1, acc);
            acc_0 = fma(vec4<f32>(tile_a_1.y), tile_b_1, acc_0);
            acc_1 = fma(vec4<f32>(tile_a_1.z), tile_b_1, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_1.w), tile_b_1, acc_2);
            let tile_a_2 = tile_a[(index_16 >> 2u) + 34];
            let tile_b_2 = tile_b[(index_17 >> 2u) + 34];
            acc = fma(vec4<f32>(tile_a_2.x), tile_b_2, acc);
            acc_0 = fma(vec4<f32>(tile_a_2.y), tile_b_2, acc_0);
            acc_1 = fma(vec4<f32>(tile_a_2.z), tile_b_2, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_2.w), tile_b_2, acc_2);
            let tile_a_3 = tile_a[(index_16 >> 2u) + 51];
            let tile_b_3 = tile_b[(index_17 >> 2u) + 51];
            acc = fma(vec4<f32>(tile_a_3.x), tile_b_3, acc);
            acc_0 = fma(vec4<f32>(tile_a_3.y), tile_b_3, acc_0);
            acc_1 = fma(vec4<f32>(tile_a_3.z), tile_b_3, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_3.w), tile_b_3, acc_2);
        }
        a_4 = a_8;
        a_5 = a_9;
        a_6 = a_10;
        a_7 = a_11;
        b_4 = b_8;
        b_5 = b_9;
        b_6 = b_10;
        b_7 = b_11;
    }
    // kernels/matrix_block.go
    let offset_9 = b_start1 + lane_2;
    let in_bounds = 0u < bitcast<u32>(params.x0_size0) && bitcast<u32>(b_start1) < bitcast<u32>(params.x0_size1);
    let x0_0 = select(vec4<f32>(0.0), unpack_f16_x4(x0[select(0, (params.x0_offset >> 2u) + (offset_9 >> 2u), in_bounds)]), in_bounds);
    // ops/add.go
    let sum = acc + x0_0;
    let sum_0 = acc_0 + x0_0;
    let sum_1 = acc_1 + x0_0;
    let sum_2 = acc_2 + x0_0;
    // ops/elementwise.go
    let magnitude = abs(sum);
    let magnitude_0 = abs(sum_0);
    let magnitude_1 = abs(sum_1);
    let magnitude_2 = abs(sum_2);
    let fused = fma(magnitude, vec4<f32>(-2.8349098e-06), vec4<f32>(3.9377657e-05));
    let fused_0 = fma(magnitude_0, vec4<f32>(-2.8349098e-06), vec4<f32>(3.9377657e-05));
    let fused_1 = fma(magnitude_1, vec4<f32>(-2.8349098e-06), vec4<f32>(3.9377657e-05));
    let fused_2 = fma(magnitude_2, vec4<f32>(-2.8349098e-06), vec4<f32>(3.9377657e-05));
    let fused_3 = fma(fma(fused, magnitude, vec4<f32>(-0.00018618008)), magnitude, vec4<f32>(-0.00013693672));
    let fused_4 = fma(fma(fused_0, magnitude_0, vec4<f32>(-0.00018618008)), magnitude_0, vec4<f32>(-0.00013693672));
    let fused_5 = fma(fma(fused_1, magnitude_1, vec4<f32>(-0.00018618008)), magnitude_1, vec4<f32>(-0.00013693672));
    let fused_6 = fma(fma(fused_2, magnitude_2, vec4<f32>(-0.00018618008)), magnitude_2, vec4<f32>(-0.00013693672));
    let fused_7 = fma(fma(fused_3, magnitude, vec4<f32>(0.0070634205)), magnitude, vec4<f32>(-0.05249618));
    let fused_8 = fma(fma(fused_4, magnitude_0, vec4<f32>(0.0070634205)), magnitude_0, vec4<f32>(-0.05249618));
    let fused_9 = fma(fma(fused_5, magnitude_1, vec4<f32>(0.0070634205)), magnitude_1, vec4<f32>(-0.05249618));
    let fused_10 = fma(fma(fused_6, magnitude_2, vec4<f32>(0.0070634205)), magnitude_2, vec4<f32>(-0.05249618));
    let fused_11 = fma(fma(fused_7, magnitude, vec4<f32>(-0.4592082)), magnitude, vec4<f32>(-1.1511052));
    let fused_12 = fma(fma(fused_8, magnitude_0, vec4<f32>(-0.4592082)), magnitude_0, vec4<f32>(-1.1511052));
    let fused_13 = fma(fma(fused_9, magnitude_1, vec4<f32>(-0.4592082)), magnitude_1, vec4<f32>(-1.1511052));
    let fused_14 = fma(fma(fused_10, magnitude_2, vec4<f32>(-0.4592082)), magnitude_2, vec4<f32>(-1.1511052));
    let chosen_1 = select(magnitude * exp2(fma(fused_11, magnitude, vec4<f32>(-1.0))), vec4<f32>(0.0), magnitude >= vec4<f32>(16.0));
    let chosen_2 = select(magnitude_0 * exp2(fma(fused_12, magnitude_0, vec4<f32>(-1.0))), vec4<f32>(0.0), magnitude_0 >= vec4<f32>(16.0));
    let chosen_3 = select(magnitude_1 * exp2(fma(fused_13, magnitude_1, vec4<f32>(-1.0))), vec4<f32>(0.0), magnitude_1 >= vec4<f32>(16.0));
    let chosen_4 = select(magnitude_2 * exp2(fma(fused_14, magnitude_2, vec4<f32>(-1.0))), vec4<f32>(0.0), magnitude_2 >= vec4<f32>(16.0));
    let difference = max(sum, vec4<f32>(0.0)) - chosen_1;
    let difference_0 = max(sum_0, vec4<f32>(0.0)) - chosen_2;
    let difference_1 = max(sum_1, vec4<f32>(0.0)) - chosen_3;
    let difference_2 = max(sum_2, vec4<f32>(0.0)) - chosen_4;
    // kernels/matrix_block.go
    let index_18 = params.out_offset + (a_start0 + lane_1) * params.out_stride0 + offset_9;
    out[index_18 >> 2u] = pack_f16_x4(difference);
    out[(index_18 + params.out_stride0) >> 2u] = pack_f16_x4(difference_0);
    out[(index_18 + params.out_stride0 * 2) >> 2u] = pack_f16_x4(difference_1);
    out[(index_18 + params.out_stride0 * 3) >> 2u] = pack_f16_x4(difference_2);
}
