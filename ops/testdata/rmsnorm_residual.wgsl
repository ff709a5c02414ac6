@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read> residual: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(2) var<storage, read> weight: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(3) var<storage, read_write> sum: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(4) var<storage, read_write> out: array<vec4<u32>>; // f16, 2 in a word
var<workgroup> parts: array<f32, 128>; // kernels/reduce_states.go: partial results of reduce.sum
var<workgroup> parts_0: array<f32, 16>; // kernels/reduce_states.go: partial results of reduce.sum

struct Params {
    x_offset: i32,
    x_size1: i32,
    x_stride0: i32,
    residual_offset: i32,
    residual_size1: i32,
    residual_stride0: i32,
    weight_offset: i32,
    weight_size1: i32,
    sum_offset: i32,
    sum_size1: i32,
    sum_stride0: i32,
    out_offset: i32,
    out_size1: i32,
    out_stride0: i32,
    epsilon: f32,
}
@group(0) @binding(5) var<uniform> params: Params;

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
fn normalise(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/reduce_kernel.go
    let lane = thread << 3u;
    let index = params.x_offset + program * params.x_stride0 + lane;
    let bits = bitcast<u32>(lane);
    let bits_0 = bitcast<u32>(params.x_size1);
    let in_bounds = bits < bits_0;
    let x_0 = select(vec4<u32>(0u), x[select(0, index >> 3u, in_bounds)], in_bounds);
    let x_1 = unpack_f16_x4(x_0.xy);
    let x_2 = unpack_f16_x4(x_0.zw);
    let bits_1 = bitcast<u32>(lane + 1024);
    let in_bounds_0 = bits_1 < bits_0;
    let x_3 = select(vec4<u32>(0u), x[select(0, (index >> 3u) + 128, in_bounds_0)], in_bounds_0);
    let x_4 = unpack_f16_x4(x_3.xy);
    let x_5 = unpack_f16_x4(x_3.zw);
    let bits_2 = bitcast<u32>(lane + 2048);
    let in_bounds_1 = bits_2 < bits_0;
    let x_6 = select(vec4<u32>(0u), x[select(0, (index >> 3u) + 256, in_bounds_1)], in_bounds_1);
    let x_7 = unpack_f16_x4(x_6.xy);
    let x_8 = unpack_f16_x4(x_6.zw);
    let bits_3 = bitcast<u32>(lane + 3072);
    let in_bounds_2 = bits_3 < bits_0;
    let x_9 = select(vec4<u32>(0u), x[select(0, (index >> 3u) + 384, in_bounds_2)], in_bounds_2);
    let x_10 = unpack_f16_x4(x_9.xy);
    let x_11 = unpack_f16_x4(x_9.zw);
    let index_0 = params.residual_offset + program * params.residual_stride0 + lane;
    let bits_4 = bitcast<u32>(params.residual_size1);
    let in_bounds_3 = bits < bits_4;
    let residual_0 = select(vec4<u32>(0u), residual[select(0, index_0 >> 3u, in_bounds_3)], in_bounds_3);
    let residual_1 = unpack_f16_x4(residual_0.xy);
    let residual_2 = unpack_f16_x4(residual_0.zw);
    let in_bounds_4 = bits_1 < bits_4;
    let residual_3 = select(vec4<u32>(0u), residual[select(0, (index_0 >> 3u) + 128, in_bounds_4)], in_bounds_4);
    let residual_4 = unpack_f16_x4(residual_3.xy);
    let residual_5 = unpack_f16_x4(residual_3.zw);
    let in_bounds_5 = bits_2 < bits_4;
    let residual_6 = select(vec4<u32>(0u), residual[select(0, (index_0 >> 3u) + 256, in_bounds_5)], in_bounds_5);
    let residual_7 = unpack_f16_x4(residual_6.xy);
    let residual_8 = unpack_f16_x4(residual_6.zw);
    let in_bounds_6 = bits_3 < bits_4;
    let residual_9 = select(vec4<u32>(0u), residual[select(0, (index_0 >> 3u) + 384, in_bounds_6)], in_bounds_6);
    let residual_10 = unpack_f16_x4(residual_9.xy);
    let residual_11 = unpack_f16_x4(residual_9.zw);
    // kernels/reduce_kernel.go
    let sum_0 = x_1 + residual_1;
    let sum_1 = x_2 + residual_2;
    let sum_2 = x_4 + residual_4;
    let sum_3 = x_5 + residual_5;
    let sum_4 = x_7 + residual_7;
    let sum_5 = x_8 + residual_8;
    let sum_6 = x_10 + residual_10;
    let sum_7 = x_11 + residual_11;
    let rounded = round_f16_x4(sum_0);
    let rounded_0 = round_f16_x4(sum_1);
    let rounded_1 = round_f16_x4(sum_2);
    let rounded_2 = round_f16_x4(sum_3);
    let rounded_3 = round_f16_x4(sum_4);
    let rounded_4 = round_f16_x4(sum_5);
    let rounded_5 = round_f16_x4(sum_6);
    let rounded_6 = round_f16_x4(sum_7);
    // kernels/norm_kernel.go
    let product = rounded * rounded;
    let product_0 = rounded_0 * rounded_0;
    let product_1 = rounded_1 * rounded_1;
    let product_2 = rounded_2 * rounded_2;
    let product_3 = rounded_3 * rounded_3;
    let product_4 = rounded_4 * rounded_4;
    let product_5 = rounded_5 * rounded_5;
    let product_6 = rounded_6 * rounded_6;
    // kernels/reduce_states.go
    let sum_8 = product + product_0 + product_1 + product_2 + product_3 + product_4;
    let sum_9 = sum_8 + product_5 + product_6;
    parts[thread] = sum_9.x + sum_9.z + (sum_9.y + sum_9.w);
    let index_1 = thread & 15;
    workgroupBarrier();
    let parts_1 = parts[index_1];
    let parts_2 = parts[index_1 + 16];
    let parts_3 = parts[index_1 + 32];
    let parts_4 = parts[index_1 + 48];
    let parts_5 = parts[index_1 + 64];
    let parts_6 = parts[index_1 + 80];
    let parts_7 = parts[index_1 + 96];
    let sum_10 = parts_1 + parts_2 + parts_3 + parts_4 + parts_5 + parts_6 + parts_7;
    let parts_8 = parts[index_1 + 112];
    if (thread < 16) {
        parts_0[index_1] = sum_10 + parts_8;
    }
    workgroupBarrier();
    let parts_9 = parts_0[0];
    let parts_10 = parts_0[1];
    let parts_11 = parts_0[2];
    let parts_12 = parts_0[3];
    let parts_13 = parts_0[4];
    let parts_14 = parts_0[5];
    let parts_15 = parts_0[6];
    let sum_11 = parts_9 + parts_10 + parts_11 + parts_12 + parts_13 + parts_14 + parts_15;
    let parts_16 = parts_0[7];
    let parts_17 = parts_0[8];
    let parts_18 = parts_0[9];
    let parts_19 = parts_0[10];
    let parts_20 = parts_0[11];
    let parts_21 = parts_0[12];
    let sum_12 = sum_11 + parts_16 + parts_17 + parts_18 + parts_19 + parts_20 + parts_21;
    let parts_22 = parts_0[13];
    let parts_23 = parts_0[14];
    let parts_24 = parts_0[15];
    let sum_13 = sum_12 + parts_22 + parts_23 + parts_24;
    // kernels/reduce_kernel.go
    let converted = f32(params.x_size1);
    // kernels/norm_kernel.go
    let inverse_root = inverseSqrt(sum_13 * (1.0 / converted) + params.epsilon);
    // kernels/norm_kernel.go
    let index_2 = params.sum_offset + program * params.sum_stride0 + lane;
    let bits_5 = bitcast<u32>(params.sum_size1);
    let value = pack_f16_x4(sum_0);
    let value_0 = pack_f16_x4(sum_1);
    if (bits < bits_5) {
        sum[index_2 >> 3u] = vec4<u32>(value.x, value.y, value_0.x, value_0.y);
    }
    let value_1 = pack_f16_x4(sum_2);
    let value_2 = pack_f16_x4(sum_3);
    if (bits_1 < bits_5) {
        sum[(index_2 >> 3u) + 128] = vec4<u32>(value_1.x, value_1.y, value_2.x, value_2.y);
    }
    let value_3 = pack_f16_x4(sum_4);
    let value_4 = pack_f16_x4(sum_5);
    if (bits_2 < bits_5) {
        sum[(index_2 >> 3u) + 256] = vec4<u32>(value_3.x, value_3.y, value_4.x, value_4.y);
    }
    let value_5 = pack_f16_x4(sum_6);
    let value_6 = pack_f16_x4(sum_7);
    if (bits_3 < bits_5) {
        sum[(index_2 >> 3u) + 384] = vec4<u32>(value_5.x, value_5.y, value_6.x, value_6.y);
    }
    // kernels/norm_kernel.go
    let product_7 = rounded * vec4<f32>(inverse_root);
    let product_8 = rounded_0 * vec4<f32>(inverse_root);
    let product_9 = rounded_1 * vec4<f32>(inverse_root);
    let product_10 = rounded_2 * vec4<f32>(inverse_root);
    let product_11 = rounded_3 * vec4<f32>(inverse_root);
    let product_12 = rounded_4 * vec4<f32>(inverse_root);
    let product_13 = rounded_5 * vec4<f32>(inverse_root);
    let product_14 = rounded_6 * vec4<f32>(inverse_root);
    // kernels/norm_kernel.go
    let index_3 = params.weight_offset + lane;
    let bits_6 = bitcast<u32>(params.weight_size1);
    let in_bounds_7 = bits < bits_6;
    let weight_0 = select(vec4<u32>(0u), weight[select(0, index_3 >> 3u, in_bounds_7)], in_bounds_7);
    let weight_1 = unpack_f16_x4(weight_0.xy);
    let weight_2 = unpack_f16_x4(weight_0.zw);
    let in_bounds_8 = bits_1 < bits_6;
    let weight_3 = select(vec4<u32>(0u), weight[select(0, (index_3 >> 3u) + 128, in_bounds_8)], in_bounds_8);
    let weight_4 = unpack_f16_x4(weight_3.xy);
    let weight_5 = unpack_f16_x4(weight_3.zw);
    let in_bounds_9 = bits_2 < bits_6;
    let weight_6 = select(vec4<u32>(0u), weight[select(0, (index_3 >> 3u) + 256, in_bounds_9)], in_bounds_9);
    let weight_7 = unpack_f16_x4(weight_6.xy);
    let weight_8 = unpack_f16_x4(weight_6.zw);
    let in_bounds_10 = bits_3 < bits_6;
    let weight_9 = select(vec4<u32>(0u), weight[select(0, (index_3 >> 3u) + 384, in_bounds_10)], in_bounds_10);
    let weight_10 = unpack_f16_x4(weight_9.xy);
    let weight_11 = unpack_f16_x4(weight_9.zw);
    // kernels/norm_kernel.go
    let product_15 = product_7 * weight_1;
    let product_16 = product_8 * weight_2;
    let product_17 = product_9 * weight_4;
    let product_18 = product_10 * weight_5;
    let product_19 = product_11 * weight_7;
    let product_20 = product_12 * weight_8;
    let product_21 = product_13 * weight_10;
    let product_22 = product_14 * weight_11;
    // kernels/norm_kernel.go
    let index_4 = params.out_offset + program * params.out_stride0 + lane;
    let bits_7 = bitcast<u32>(params.out_size1);
    let value_7 = pack_f16_x4(product_15);
    let value_8 = pack_f16_x4(product_16);
    if (bits < bits_7) {
        out[index_4 >> 3u] = vec4<u32>(value_7.x, value_7.y, value_8.x, value_8.y);
    }
    let value_9 = pack_f16_x4(product_17);
    let value_10 = pack_f16_x4(product_18);
    if (bits_1 < bits_7) {
        out[(index_4 >> 3u) + 128] = vec4<u32>(value_9.x, value_9.y, value_10.x, value_10.y);
    }
    let value_11 = pack_f16_x4(product_19);
    let value_12 = pack_f16_x4(product_20);
    if (bits_2 < bits_7) {
        out[(index_4 >> 3u) + 256] = vec4<u32>(value_11.x, value_11.y, value_12.x, value_12.y);
    }
    let value_13 = pack_f16_x4(product_21);
    let value_14 = pack_f16_x4(product_22);
    if (bits_3 < bits_7) {
        out[(index_4 >> 3u) + 384] = vec4<u32>(value_13.x, value_13.y, value_14.x, value_14.y);
    }
}
