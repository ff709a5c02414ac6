enable f16;
enable subgroups;

@group(0) @binding(0) var<storage, read> x: array<vec2<f16>>;
@group(0) @binding(1) var<storage, read_write> out: array<vec2<f16>>;
var<workgroup> parts_f32: array<f32, 4>;

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
    let index = thread >> 5u;
    let in_bounds = (thread & 31) == 0;
    let more = 0 < quotient;
    // softmax.go:61
    let value = 0;
    let in_bounds_0 = less && bitcast<u32>(value) < bits_0 && more;
    let x_0 = select(vec2<f32>(f32_from_bits(0xff800000u)), vec2<f32>(x[select(0, (offset >> 1u) + thread, in_bounds_0)]), in_bounds_0);
    // softmax.go:67
    var carried: f32 = -3.4028234663852886e38f;
    var carried_0: f32 = 0.0;
    var x_1: vec2<f32> = x_0;
    for (var i: i32 = 0; i < quotient; i += 1) {
        // softmax.go:69
        let greatest = max(x_1.x, x_1.y);
        let other = subgroupShuffleXor(greatest, 1u);
        let greatest_0 = max(greatest, other);
        let other_0 = subgroupShuffleXor(greatest_0, 2u);
        let greatest_1 = max(greatest_0, other_0);
        let other_1 = subgroupShuffleXor(greatest_1, 4u);
        let greatest_2 = max(greatest_1, other_1);
        let other_2 = subgroupShuffleXor(greatest_2, 8u);
        let greatest_3 = max(greatest_2, other_2);
        let other_3 = subgroupShuffleXor(greatest_3, 16u);
        workgroupBarrier();
        if (in_bounds) {
            parts_f32[index] = max(greatest_3, other_3);
        }
        workgroupBarrier();
        let parts_f32_0 = parts_f32[0];
        let parts_f32_1 = parts_f32[1];
        let parts_f32_2 = parts_f32[2];
        let parts_f32_3 = parts_f32[3];
        let greatest_4 = max(max(max(parts_f32_0, parts_f32_1), parts_f32_2), parts_f32_3);
        let greatest_5 = max(carried, greatest_4);
        // softmax.go:70
        carried_0 *= exp(carried - greatest_5);
        let power = exp(x_1 - vec2<f32>(greatest_5));
        let sum = power.x + power.y;
        let other_4 = subgroupShuffleXor(sum, 1u);
        let sum_0 = sum + other_4;
        let other_5 = subgroupShuffleXor(sum_0, 2u);
        let sum_1 = sum_0 + other_5;
        let other_6 = subgroupShuffleXor(sum_1, 4u);
        let sum_2 = sum_1 + other_6;
        let other_7 = subgroupShuffleXor(sum_2, 8u);
        let sum_3 = sum_2 + other_7;
        let other_8 = subgroupShuffleXor(sum_3, 16u);
        workgroupBarrier();
        if (in_bounds) {
            parts_f32[index] = sum_3 + other_8;
        }
        let next = i + 1;
        let more_0 = next < quotient;
        // softmax.go:61
        let x_start1 = next * 256;
        let in_bounds_1 = less && bitcast<u32>(x_start1) < bits_0 && more_0;
        let x_2 = select(vec2<f32>(f32_from_bits(0xff800000u)), vec2<f32>(x[select(0, (offset >> 1u) + next * 128 + thread, in_bounds_1)]), in_bounds_1);
        // softmax.go:70
        workgroupBarrier();
        let parts_f32_4 = parts_f32[0];
        let parts_f32_5 = parts_f32[1];
        let parts_f32_6 = parts_f32[2];
        let parts_f32_7 = parts_f32[3];
        carried_0 += parts_f32_4 + parts_f32_5 + parts_f32_6 + parts_f32_7;
        carried = greatest_5;
        x_1 = x_2;
    }
    // softmax.go:74
    // softmax.go:75
    let offset_0 = params.out_offset + program * params.out_stride0;
    let less_0 = bits < bitcast<u32>(params.out_size0);
    let bits_1 = bitcast<u32>(params.out_size1);
    // softmax.go:73
    for (var i_0: i32 = 0; i_0 < quotient; i_0 += 1) {
        // softmax.go:61
        let x_start1_0 = i_0 * 256;
        let offset_1 = x_start1_0 + lane;
        let bits_2 = bitcast<u32>(x_start1_0);
        let in_bounds_2 = less && bits_2 < bits_0;
        let x_3 = select(vec2<f32>(f32_from_bits(0xff800000u)), vec2<f32>(x[select(0, (offset >> 1u) + (offset_1 >> 1u), in_bounds_2)]), in_bounds_2);
        // softmax.go:74
        let power_0 = exp(x_3 - vec2<f32>(carried));
        // softmax.go:75
        if (less_0 && bits_2 < bits_1) {
            out[(offset_0 >> 1u) + (offset_1 >> 1u)] = vec2<f16>(power_0 / vec2<f32>(carried_0));
        }
    }
}
