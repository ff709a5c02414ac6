enable f16;
enable subgroups;

@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read_write> out: array<vec4<u32>>; // f16, 2 in a word
var<workgroup> parts: array<f32, 2>; // kernels/softmax_kernel.go: partial results of reduce.max
var<workgroup> parts_0: array<f32, 2>; // kernels/softmax_kernel.go: partial results of reduce.sum

struct Params {
    x_offset: i32,
    x_size1: i32,
    x_stride0: i32,
    out_offset: i32,
    out_size1: i32,
    out_stride0: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

// Numbers that WGSL does not allow as constants.
fn f32_from_bits(bits: u32) -> f32 {
    return bitcast<f32>(bits);
}

fn unpack_f16_x4(words: vec2<u32>) -> vec4<f32> {
    return vec4<f32>(unpack2x16float(words.x), unpack2x16float(words.y));
}

fn pack_nearest_f16_x4(x: vec4<f32>) -> vec2<u32> {
    let rounded = vec4<f32>(vec4<f16>(x));
    return vec2<u32>(pack2x16float(rounded.xy), pack2x16float(rounded.zw));
}

@compute @workgroup_size(64, 1, 1)
fn softmax(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/softmax_kernel.go
    let lane = thread << 3u;
    let index = params.x_offset + program * params.x_stride0 + lane;
    let bits = bitcast<u32>(lane);
    let bits_0 = bitcast<u32>(params.x_size1);
    let in_bounds = bits < bits_0;
    let x_0 = select(vec4<u32>(4227922944u), x[select(0, index >> 3u, in_bounds)], in_bounds);
    let x_1 = unpack_f16_x4(x_0.xy);
    let x_2 = unpack_f16_x4(x_0.zw);
    let bits_1 = bitcast<u32>(lane + 512);
    let in_bounds_0 = bits_1 < bits_0;
    let x_3 = select(vec4<u32>(4227922944u), x[select(0, (index >> 3u) + 64, in_bounds_0)], in_bounds_0);
    let x_4 = unpack_f16_x4(x_3.xy);
    let x_5 = unpack_f16_x4(x_3.zw);
    // kernels/softmax_kernel.go
    let greatest = max(max(max(x_1, x_2), x_4), x_5);
    let greatest_0 = max(max(greatest.x, greatest.z), max(greatest.y, greatest.w));
    let other = subgroupShuffleXor(greatest_0, 1u);
    let greatest_1 = max(greatest_0, other);
    let other_0 = subgroupShuffleXor(greatest_1, 2u);
    let greatest_2 = max(greatest_1, other_0);
    let other_1 = subgroupShuffleXor(greatest_2, 4u);
    let greatest_3 = max(greatest_2, other_1);
    let other_2 = subgroupShuffleXor(greatest_3, 8u);
    let greatest_4 = max(greatest_3, other_2);
    let other_3 = subgroupShuffleXor(greatest_4, 16u);
    let in_bounds_1 = (thread & 31) == 0;
    let index_0 = thread >> 5u;
    if (in_bounds_1) {
        parts[index_0] = max(greatest_4, other_3);
    }
    workgroupBarrier();
    let parts_1 = parts[0];
    let parts_2 = parts[1];
    let greatest_5 = max(parts_1, parts_2);
    // kernels/softmax_kernel.go
    let greatest_6 = max(greatest_5, -3.4028234663852886e38f);
    // kernels/softmax_kernel.go
    let difference = x_1 - vec4<f32>(greatest_6);
    let difference_0 = x_2 - vec4<f32>(greatest_6);
    let difference_1 = x_4 - vec4<f32>(greatest_6);
    let difference_2 = x_5 - vec4<f32>(greatest_6);
    // kernels/softmax_kernel.go
    let power = exp2(difference * vec4<f32>(1.442695));
    let power_0 = exp2(difference_0 * vec4<f32>(1.442695));
    let power_1 = exp2(difference_1 * vec4<f32>(1.442695));
    let power_2 = exp2(difference_2 * vec4<f32>(1.442695));
    // kernels/softmax_kernel.go
    let sum = power + power_0 + power_1 + power_2;
    let sum_0 = sum.x + sum.z + (sum.y + sum.w);
    let other_4 = subgroupShuffleXor(sum_0, 1u);
    let sum_1 = sum_0 + other_4;
    let other_5 = subgroupShuffleXor(sum_1, 2u);
    let sum_2 = sum_1 + other_5;
    let other_6 = subgroupShuffleXor(sum_2, 4u);
    let sum_3 = sum_2 + other_6;
    let other_7 = subgroupShuffleXor(sum_3, 8u);
    let sum_4 = sum_3 + other_7;
    let other_8 = subgroupShuffleXor(sum_4, 16u);
    if (in_bounds_1) {
        parts_0[index_0] = sum_4 + other_8;
    }
    workgroupBarrier();
    let parts_3 = parts_0[0];
    let parts_4 = parts_0[1];
    let sum_5 = parts_3 + parts_4;
    // kernels/softmax_kernel.go
    let quotient = 1.0 / sum_5;
    // kernels/softmax_kernel.go
    let less = bitcast<u32>(sum_5) + 4294967295u < 2139095039u;
    // kernels/softmax_kernel.go
    let chosen = select(f32_from_bits(0x7fc00000u), quotient, less);
    // kernels/softmax_kernel.go
    let product = power * vec4<f32>(chosen);
    let product_0 = power_0 * vec4<f32>(chosen);
    let product_1 = power_1 * vec4<f32>(chosen);
    let product_2 = power_2 * vec4<f32>(chosen);
    // kernels/softmax_kernel.go
    let index_1 = params.out_offset + program * params.out_stride0 + lane;
    let bits_2 = bitcast<u32>(params.out_size1);
    let value = pack_nearest_f16_x4(product);
    let value_0 = pack_nearest_f16_x4(product_0);
    if (bits < bits_2) {
        out[index_1 >> 3u] = vec4<u32>(value.x, value.y, value_0.x, value_0.y);
    }
    let value_1 = pack_nearest_f16_x4(product_1);
    let value_2 = pack_nearest_f16_x4(product_2);
    if (bits_1 < bits_2) {
        out[(index_1 >> 3u) + 64] = vec4<u32>(value_1.x, value_1.y, value_2.x, value_2.y);
    }
}
