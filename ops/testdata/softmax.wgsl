@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> out: array<vec4<f32>>;
var<workgroup> parts: array<f32, 64>; // kernels/softmax_kernel.go: partial results of reduce.max; partial results of reduce.sum
var<workgroup> parts_0: array<f32, 8>; // kernels/softmax_kernel.go: partial results of reduce.max; partial results of reduce.sum

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

@compute @workgroup_size(64, 1, 1)
fn softmax(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/softmax_kernel.go
    let lane = thread << 2u;
    let index = params.x_offset + program * params.x_stride0 + lane;
    let bits = bitcast<u32>(lane);
    let bits_0 = bitcast<u32>(params.x_size1);
    let in_bounds = bits < bits_0;
    let x_0 = select(vec4<f32>(f32_from_bits(0xff800000u)), x[select(0, index >> 2u, in_bounds)], in_bounds);
    let bits_1 = bitcast<u32>(lane + 256);
    let in_bounds_0 = bits_1 < bits_0;
    let x_1 = select(vec4<f32>(f32_from_bits(0xff800000u)), x[select(0, (index >> 2u) + 64, in_bounds_0)], in_bounds_0);
    let bits_2 = bitcast<u32>(lane + 512);
    let in_bounds_1 = bits_2 < bits_0;
    let x_2 = select(vec4<f32>(f32_from_bits(0xff800000u)), x[select(0, (index >> 2u) + 128, in_bounds_1)], in_bounds_1);
    let bits_3 = bitcast<u32>(lane + 768);
    let in_bounds_2 = bits_3 < bits_0;
    let x_3 = select(vec4<f32>(f32_from_bits(0xff800000u)), x[select(0, (index >> 2u) + 192, in_bounds_2)], in_bounds_2);
    // kernels/softmax_kernel.go
    let greatest = max(max(max(x_0, x_1), x_2), x_3);
    parts[thread] = max(max(greatest.x, greatest.z), max(greatest.y, greatest.w));
    let index_0 = thread & 7;
    workgroupBarrier();
    let parts_1 = parts[index_0];
    let index_1 = index_0 + 8;
    let parts_2 = parts[index_1];
    let index_2 = index_0 + 16;
    let parts_3 = parts[index_2];
    let index_3 = index_0 + 24;
    let parts_4 = parts[index_3];
    let index_4 = index_0 + 32;
    let parts_5 = parts[index_4];
    let index_5 = index_0 + 40;
    let parts_6 = parts[index_5];
    let greatest_0 = max(max(max(max(max(parts_1, parts_2), parts_3), parts_4), parts_5), parts_6);
    let index_6 = index_0 + 48;
    let parts_7 = parts[index_6];
    let index_7 = index_0 + 56;
    let parts_8 = parts[index_7];
    let in_bounds_3 = thread < 8;
    if (in_bounds_3) {
        parts_0[index_0] = max(max(greatest_0, parts_7), parts_8);
    }
    workgroupBarrier();
    let parts_9 = parts_0[0];
    let parts_10 = parts_0[1];
    let parts_11 = parts_0[2];
    let parts_12 = parts_0[3];
    let parts_13 = parts_0[4];
    let greatest_1 = max(max(max(max(parts_9, parts_10), parts_11), parts_12), parts_13);
    let parts_14 = parts_0[5];
    let parts_15 = parts_0[6];
    let parts_16 = parts_0[7];
    let greatest_2 = max(max(max(greatest_1, parts_14), parts_15), parts_16);
    // kernels/softmax_kernel.go
    let greatest_3 = max(greatest_2, -3.4028234663852886e38f);
    // kernels/softmax_kernel.go
    let difference = x_0 - vec4<f32>(greatest_3);
    let difference_0 = x_1 - vec4<f32>(greatest_3);
    let difference_1 = x_2 - vec4<f32>(greatest_3);
    let difference_2 = x_3 - vec4<f32>(greatest_3);
    // kernels/softmax_kernel.go
    let power = exp(difference);
    let power_0 = exp(difference_0);
    let power_1 = exp(difference_1);
    let power_2 = exp(difference_2);
    // kernels/softmax_kernel.go
    let sum = power + power_0 + power_1 + power_2;
    parts[thread] = sum.x + sum.z + (sum.y + sum.w);
    workgroupBarrier();
    let parts_17 = parts[index_0];
    let parts_18 = parts[index_1];
    let parts_19 = parts[index_2];
    let parts_20 = parts[index_3];
    let parts_21 = parts[index_4];
    let parts_22 = parts[index_5];
    let parts_23 = parts[index_6];
    let sum_0 = parts_17 + parts_18 + parts_19 + parts_20 + parts_21 + parts_22 + parts_23;
    let parts_24 = parts[index_7];
    if (in_bounds_3) {
        parts_0[index_0] = sum_0 + parts_24;
    }
    workgroupBarrier();
    let parts_25 = parts_0[0];
    let parts_26 = parts_0[1];
    let parts_27 = parts_0[2];
    let parts_28 = parts_0[3];
    let parts_29 = parts_0[4];
    let parts_30 = parts_0[5];
    let parts_31 = parts_0[6];
    let sum_1 = parts_25 + parts_26 + parts_27 + parts_28 + parts_29 + parts_30 + parts_31;
    let parts_32 = parts_0[7];
    let sum_2 = sum_1 + parts_32;
    // kernels/softmax_kernel.go
    let quotient = 1.0 / sum_2;
    // kernels/softmax_kernel.go
    let less = bitcast<u32>(sum_2) + 4294967295u < 2139095039u;
    // kernels/softmax_kernel.go
    let chosen = select(f32_from_bits(0x7fc00000u), quotient, less);
    // kernels/softmax_kernel.go
    let product = power * vec4<f32>(chosen);
    let product_0 = power_0 * vec4<f32>(chosen);
    let product_1 = power_1 * vec4<f32>(chosen);
    let product_2 = power_2 * vec4<f32>(chosen);
    // kernels/softmax_kernel.go
    let index_8 = params.out_offset + program * params.out_stride0 + lane;
    let bits_4 = bitcast<u32>(params.out_size1);
    if (bits < bits_4) {
        out[index_8 >> 2u] = product;
    }
    if (bits_1 < bits_4) {
        out[(index_8 >> 2u) + 64] = product_0;
    }
    if (bits_2 < bits_4) {
        out[(index_8 >> 2u) + 128] = product_1;
    }
    if (bits_3 < bits_4) {
        out[(index_8 >> 2u) + 192] = product_2;
    }
}
