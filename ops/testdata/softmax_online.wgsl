@group(0) @binding(0) var<storage, read> x: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> out: array<vec2<f32>>;
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
fn softmax_online(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // softmax.go:63
    let quotient = (params.out_size1 + 255) / 256;
    // softmax.go:61
    let offset = params.x_offset + program * params.x_stride0;
    let bits = bitcast<u32>(program);
    let less = bits < bitcast<u32>(params.x_size0);
    let lane = thread << 1u;
    let bits_0 = bitcast<u32>(params.x_size1);
    // softmax.go:69
    let index = thread & 15;
    let index_0 = index + 16;
    let index_1 = index + 32;
    let index_2 = index + 48;
    let index_3 = index + 64;
    let index_4 = index + 80;
    let index_5 = index + 96;
    let index_6 = index + 112;
    let in_bounds = thread < 16;
    let more = 0 < quotient;
    // softmax.go:61
    let value = 0;
    let in_bounds_0 = less && bitcast<u32>(value) < bits_0 && more;
    let x_0 = select(vec2<f32>(f32_from_bits(0xff800000u)), x[select(0, (offset >> 1u) + thread, in_bounds_0)], in_bounds_0);
    // softmax.go:67
    var carried: f32 = -3.4028234663852886e38f;
    var carried_0: f32 = 0.0;
    var x_1: vec2<f32> = x_0;
    for (var i: i32 = 0; i < quotient; i += 1) {
        // softmax.go:69
        parts_f32[thread] = max(x_1.x, x_1.y);
        workgroupBarrier();
        let parts_f32_0 = parts_f32[index];
        let parts_f32_1 = parts_f32[index_0];
        let parts_f32_2 = parts_f32[index_1];
        let parts_f32_3 = parts_f32[index_2];
        let greatest = max(max(max(parts_f32_0, parts_f32_1), parts_f32_2), parts_f32_3);
        let parts_f32_4 = parts_f32[index_3];
        let parts_f32_5 = parts_f32[index_4];
        let parts_f32_6 = parts_f32[index_5];
        let parts_f32_7 = parts_f32[index_6];
        let greatest_0 = max(max(max(max(greatest, parts_f32_4), parts_f32_5), parts_f32_6), parts_f32_7);
        if (in_bounds) {
            sums_f32[index] = greatest_0;
        }
        workgroupBarrier();
        let sums_f32_0 = sums_f32[0];
        let sums_f32_1 = sums_f32[1];
        let sums_f32_2 = sums_f32[2];
        let sums_f32_3 = sums_f32[3];
        let sums_f32_4 = sums_f32[4];
        let greatest_1 = max(max(max(max(sums_f32_0, sums_f32_1), sums_f32_2), sums_f32_3), sums_f32_4);
        let sums_f32_5 = sums_f32[5];
        let sums_f32_6 = sums_f32[6];
        let sums_f32_7 = sums_f32[7];
        let sums_f32_8 = sums_f32[8];
        let greatest_2 = max(max(max(max(greatest_1, sums_f32_5), sums_f32_6), sums_f32_7), sums_f32_8);
        let sums_f32_9 = sums_f32[9];
        let sums_f32_10 = sums_f32[10];
        let sums_f32_11 = sums_f32[11];
        let sums_f32_12 = sums_f32[12];
        let greatest_3 = max(max(max(max(greatest_2, sums_f32_9), sums_f32_10), sums_f32_11), sums_f32_12);
        let sums_f32_13 = sums_f32[13];
        let sums_f32_14 = sums_f32[14];
        let sums_f32_15 = sums_f32[15];
        let greatest_4 = max(carried, max(max(max(greatest_3, sums_f32_13), sums_f32_14), sums_f32_15));
        // softmax.go:70
        carried_0 *= exp(carried - greatest_4);
        let power = exp(x_1 - vec2<f32>(greatest_4));
        parts_f32[thread] = power.x + power.y;
        let offset_0 = i + 1;
        let more_0 = offset_0 < quotient;
        let next = select(i, offset_0, more_0);
        // softmax.go:61
        let x_start1 = next * 256;
        let in_bounds_1 = less && bitcast<u32>(x_start1) < bits_0;
        let x_2 = select(vec2<f32>(f32_from_bits(0xff800000u)), x[select(0, (offset >> 1u) + next * 128 + thread, in_bounds_1)], in_bounds_1);
        // softmax.go:70
        workgroupBarrier();
        let parts_f32_8 = parts_f32[index];
        let parts_f32_9 = parts_f32[index_0];
        let parts_f32_10 = parts_f32[index_1];
        let parts_f32_11 = parts_f32[index_2];
        let parts_f32_12 = parts_f32[index_3];
        let sum = parts_f32_8 + parts_f32_9 + parts_f32_10 + parts_f32_11 + parts_f32_12;
        let parts_f32_13 = parts_f32[index_4];
        let parts_f32_14 = parts_f32[index_5];
        let parts_f32_15 = parts_f32[index_6];
        if (in_bounds) {
            sums_f32[index] = sum + parts_f32_13 + parts_f32_14 + parts_f32_15;
        }
        workgroupBarrier();
        let sums_f32_16 = sums_f32[0];
        let sums_f32_17 = sums_f32[1];
        let sums_f32_18 = sums_f32[2];
        let sums_f32_19 = sums_f32[3];
        let sums_f32_20 = sums_f32[4];
        let sum_0 = sums_f32_16 + sums_f32_17 + sums_f32_18 + sums_f32_19 + sums_f32_20;
        let sums_f32_21 = sums_f32[5];
        let sums_f32_22 = sums_f32[6];
        let sums_f32_23 = sums_f32[7];
        let sums_f32_24 = sums_f32[8];
        let sums_f32_25 = sums_f32[9];
        let sum_1 = sum_0 + sums_f32_21 + sums_f32_22 + sums_f32_23 + sums_f32_24 + sums_f32_25;
        let sums_f32_26 = sums_f32[10];
        let sums_f32_27 = sums_f32[11];
        let sums_f32_28 = sums_f32[12];
        let sums_f32_29 = sums_f32[13];
        let sums_f32_30 = sums_f32[14];
        let sum_2 = sum_1 + sums_f32_26 + sums_f32_27 + sums_f32_28 + sums_f32_29 + sums_f32_30;
        let sums_f32_31 = sums_f32[15];
        carried_0 += sum_2 + sums_f32_31;
        carried = greatest_4;
        x_1 = x_2;
    }
    // softmax.go:74
    // softmax.go:75
    let offset_1 = params.out_offset + program * params.out_stride0;
    let in_bounds_2 = bits < bitcast<u32>(params.out_size0);
    // softmax.go:73
    for (var i_0: i32 = 0; i_0 < quotient; i_0 += 1) {
        // softmax.go:61
        let x_start1_0 = i_0 * 256;
        let offset_2 = x_start1_0 + lane;
        let in_bounds_3 = less && bitcast<u32>(x_start1_0) < bits_0;
        let x_3 = select(vec2<f32>(f32_from_bits(0xff800000u)), x[select(0, (offset >> 1u) + (offset_2 >> 1u), in_bounds_3)], in_bounds_3);
        // softmax.go:74
        let power_0 = exp(x_3 - vec2<f32>(carried));
        // softmax.go:75
        if (in_bounds_2) {
            out[(offset_1 >> 1u) + (offset_2 >> 1u)] = power_0 / vec2<f32>(carried_0);
        }
    }
}
