@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

struct Params {
    x_offset: i32,
    x_size0: i32,
    x_size1: i32,
    x_size2: i32,
    x_stride0: i32,
    x_stride1: i32,
    out_offset: i32,
    out_size1: i32,
    out_size2: i32,
    out_stride0: i32,
    out_stride1: i32,
    value: f32,
    start1: i32,
    start2: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(256, 1, 1)
fn pad(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/pad_kernel.go
    let quotient = (params.out_size1 + 7) / 8;
    let quotient_0 = (params.out_size2 + 127) / 128;
    let chosen = select(quotient_0, 1, quotient_0 == 0);
    let remainder = program % chosen;
    let quotient_1 = program / chosen;
    let chosen_0 = select(quotient, 1, quotient == 0);
    let remainder_0 = quotient_1 % chosen_0;
    let out_start0 = quotient_1 / chosen_0;
    // kernels/pad_kernel.go
    let lane = thread >> 7u;
    let out_start1 = remainder_0 * 8;
    let offset = lane + out_start1;
    let offset_0 = lane + 2 + out_start1;
    let offset_1 = lane + 4 + out_start1;
    let offset_2 = lane + 6 + out_start1;
    // kernels/pad_kernel.go
    let difference = offset - params.start1;
    let difference_0 = offset_0 - params.start1;
    let difference_1 = offset_1 - params.start1;
    let difference_2 = offset_2 - params.start1;
    // kernels/pad_kernel.go
    let both = difference >= 0 && difference < params.x_size1;
    let both_0 = difference_0 >= 0 && difference_0 < params.x_size1;
    let both_1 = difference_1 >= 0 && difference_1 < params.x_size1;
    let both_2 = difference_2 >= 0 && difference_2 < params.x_size1;
    // kernels/pad_kernel.go
    let lane_0 = thread & 127;
    let out_start2 = remainder * 128;
    let offset_3 = lane_0 + out_start2;
    // kernels/pad_kernel.go
    let difference_3 = offset_3 - params.start2;
    // kernels/pad_kernel.go
    let both_3 = difference_3 >= 0 && difference_3 < params.x_size2;
    // kernels/pad_kernel.go
    let both_4 = both && both_3;
    let both_5 = both_0 && both_3;
    let both_6 = both_1 && both_3;
    let both_7 = both_2 && both_3;
    // kernels/pad_kernel.go
    let offset_4 = params.x_offset + out_start0 * params.x_stride0;
    let less = bitcast<u32>(out_start0) < bitcast<u32>(params.x_size0);
    let bits = bitcast<u32>(params.x_size1);
    let less_0 = bitcast<u32>(difference_3) < bitcast<u32>(params.x_size2);
    let in_bounds = both_4 && less && bitcast<u32>(difference) < bits && less_0;
    let x_0 = select(0.0, x[select(0, offset_4 + difference * params.x_stride1 + difference_3, in_bounds)], in_bounds);
    let in_bounds_0 = both_5 && less && bitcast<u32>(difference_0) < bits && less_0;
    let x_1 = select(0.0, x[select(0, offset_4 + difference_0 * params.x_stride1 + difference_3, in_bounds_0)], in_bounds_0);
    let in_bounds_1 = both_6 && less && bitcast<u32>(difference_1) < bits && less_0;
    let x_2 = select(0.0, x[select(0, offset_4 + difference_1 * params.x_stride1 + difference_3, in_bounds_1)], in_bounds_1);
    let in_bounds_2 = both_7 && less && bitcast<u32>(difference_2) < bits && less_0;
    let x_3 = select(0.0, x[select(0, offset_4 + difference_2 * params.x_stride1 + difference_3, in_bounds_2)], in_bounds_2);
    let offset_5 = out_start1 + lane;
    let offset_6 = params.out_offset + out_start0 * params.out_stride0 + offset_5 * params.out_stride1;
    let offset_7 = out_start2 + lane_0;
    let index = offset_6 + offset_7;
    let bits_0 = bitcast<u32>(params.out_size1);
    let less_1 = bitcast<u32>(offset_7) < bitcast<u32>(params.out_size2);
    if (bitcast<u32>(offset_5) < bits_0 && less_1) {
        out[index] = select(params.value, x_0, both_4);
    }
    if (bitcast<u32>(offset_5 + 2) < bits_0 && less_1) {
        out[index + params.out_stride1 * 2] = select(params.value, x_1, both_5);
    }
    if (bitcast<u32>(offset_5 + 4) < bits_0 && less_1) {
        out[index + params.out_stride1 * 4] = select(params.value, x_2, both_6);
    }
    if (bitcast<u32>(offset_5 + 6) < bits_0 && less_1) {
        out[index + params.out_stride1 * 6] = select(params.value, x_3, both_7);
    }
}
