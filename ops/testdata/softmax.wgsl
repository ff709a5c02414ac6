@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> out: array<vec4<f32>>;
var<workgroup> parts_f32: array<f32, 128>;
var<workgroup> sums_f32: array<f32, 16>;

struct Params {
    x_offset: i32,
    x_size0: i32,
    x_size1: i32,
    x_stride0: i32,
    out_offset: i32,
    out_size0: i32,
    out_size1: i32,
    out_stride0: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

// Numbers that WGSL does not allow as constants.
fn f32_from_bits(bits: u32) -> f32 {
    return bitcast<f32>(bits);
}

@compute @workgroup_size(128, 1, 1)
fn softmax(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // softmax.go:51
    let bits = bitcast<u32>(program);
    let less = bits < bitcast<u32>(params.x_size0);
    let lane = thread << 2u;
    let index = params.x_offset + program * params.x_stride0 + lane;
    let bits_0 = bitcast<u32>(lane);
    let bits_1 = bitcast<u32>(params.x_size1);
    let in_bounds = less && bits_0 < bits_1;
    let x_0 = select(vec4<f32>(f32_from_bits(0xff800000u)), x[select(0, index >> 2u, in_bounds)], in_bounds);
    let bits_2 = bitcast<u32>(lane + 512);
    let in_bounds_0 = less && bits_2 < bits_1;
    let x_1 = select(vec4<f32>(f32_from_bits(0xff800000u)), x[select(0, (index >> 2u) + 128, in_bounds_0)], in_bounds_0);
    // softmax.go:52
    let greatest = max(x_0, x_1);
    parts_f32[thread] = max(max(greatest.x, greatest.z), max(greatest.y, greatest.w));
    let index_0 = thread & 15;
    workgroupBarrier();
    let parts_f32_0 = parts_f32[index_0];
    let index_1 = index_0 + 16;
    let parts_f32_1 = parts_f32[index_1];
    let index_2 = index_0 + 32;
    let parts_f32_2 = parts_f32[index_2];
    let index_3 = index_0 + 48;
    let parts_f32_3 = parts_f32[index_3];
    let greatest_0 = max(max(max(parts_f32_0, parts_f32_1), parts_f32_2), parts_f32_3);
    let index_4 = index_0 + 64;
    let parts_f32_4 = parts_f32[index_4];
    let index_5 = index_0 + 80;
    let parts_f32_5 = parts_f32[index_5];
    let index_6 = index_0 + 96;
    let parts_f32_6 = parts_f32[index_6];
    let index_7 = index_0 + 112;
    let parts_f32_7 = parts_f32[index_7];
    let greatest_1 = max(max(max(max(greatest_0, parts_f32_4), parts_f32_5), parts_f32_6), parts_f32_7);
    let in_bounds_1 = thread < 16;
    if (in_bounds_1) {
        sums_f32[index_0] = greatest_1;
    }
    workgroupBarrier();
    let sums_f32_0 = sums_f32[0];
    let sums_f32_1 = sums_f32[1];
    let sums_f32_2 = sums_f32[2];
    let sums_f32_3 = sums_f32[3];
    let sums_f32_4 = sums_f32[4];
    let greatest_2 = max(max(max(max(sums_f32_0, sums_f32_1), sums_f32_2), sums_f32_3), sums_f32_4);
    let sums_f32_5 = sums_f32[5];
    let sums_f32_6 = sums_f32[6];
    let sums_f32_7 = sums_f32[7];
    let sums_f32_8 = sums_f32[8];
    let greatest_3 = max(max(max(max(greatest_2, sums_f32_5), sums_f32_6), sums_f32_7), sums_f32_8);
    let sums_f32_9 = sums_f32[9];
    let sums_f32_10 = sums_f32[10];
    let sums_f32_11 = sums_f32[11];
    let sums_f32_12 = sums_f32[12];
    let greatest_4 = max(max(max(max(greatest_3, sums_f32_9), sums_f32_10), sums_f32_11), sums_f32_12);
    let sums_f32_13 = sums_f32[13];
    let sums_f32_14 = sums_f32[14];
    let sums_f32_15 = sums_f32[15];
    let greatest_5 = max(max(max(max(greatest_4, sums_f32_13), sums_f32_14), sums_f32_15), -3.4028234663852886e38f);
    let power = exp(x_0 - vec4<f32>(greatest_5));
    let power_0 = exp(x_1 - vec4<f32>(greatest_5));
    // softmax.go:53
    let sum = power + power_0;
    parts_f32[thread] = sum.x + sum.z + (sum.y + sum.w);
    workgroupBarrier();
    let parts_f32_8 = parts_f32[index_0];
    let parts_f32_9 = parts_f32[index_1];
    let parts_f32_10 = parts_f32[index_2];
    let parts_f32_11 = parts_f32[index_3];
    let parts_f32_12 = parts_f32[index_4];
    let sum_0 = parts_f32_8 + parts_f32_9 + parts_f32_10 + parts_f32_11 + parts_f32_12;
    let parts_f32_13 = parts_f32[index_5];
    let parts_f32_14 = parts_f32[index_6];
    let parts_f32_15 = parts_f32[index_7];
    if (in_bounds_1) {
        sums_f32[index_0] = sum_0 + parts_f32_13 + parts_f32_14 + parts_f32_15;
    }
    workgroupBarrier();
    let sums_f32_16 = sums_f32[0];
    let sums_f32_17 = sums_f32[1];
    let sums_f32_18 = sums_f32[2];
    let sums_f32_19 = sums_f32[3];
    let sums_f32_20 = sums_f32[4];
    let sum_1 = sums_f32_16 + sums_f32_17 + sums_f32_18 + sums_f32_19 + sums_f32_20;
    let sums_f32_21 = sums_f32[5];
    let sums_f32_22 = sums_f32[6];
    let sums_f32_23 = sums_f32[7];
    let sums_f32_24 = sums_f32[8];
    let sums_f32_25 = sums_f32[9];
    let sum_2 = sum_1 + sums_f32_21 + sums_f32_22 + sums_f32_23 + sums_f32_24 + sums_f32_25;
    let sums_f32_26 = sums_f32[10];
    let sums_f32_27 = sums_f32[11];
    let sums_f32_28 = sums_f32[12];
    let sums_f32_29 = sums_f32[13];
    let sums_f32_30 = sums_f32[14];
    let sum_3 = sum_2 + sums_f32_26 + sums_f32_27 + sums_f32_28 + sums_f32_29 + sums_f32_30;
    let sums_f32_31 = sums_f32[15];
    let lanes = vec4<f32>(sum_3 + sums_f32_31);
    let less_0 = bits < bitcast<u32>(params.out_size0);
    let index_8 = params.out_offset + program * params.out_stride0 + lane;
    let bits_3 = bitcast<u32>(params.out_size1);
    if (less_0 && bits_0 < bits_3) {
        out[index_8 >> 2u] = power / lanes;
    }
    if (less_0 && bits_2 < bits_3) {
        out[(index_8 >> 2u) + 128] = power_0 / lanes;
    }
}
