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
    offset0: i32,
    offset1: i32,
    offset2: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

// Numbers that WGSL does not allow as constants.
fn f32_from_bits(bits: u32) -> f32 {
    return bitcast<f32>(bits);
}

@compute @workgroup_size(128, 1, 1)
fn window(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/window_kernel.go
    let quotient = (params.out_size1 + 1) / 2;
    let quotient_0 = (params.out_size2 + 63) / 64;
    let chosen = select(quotient_0, 1, quotient_0 == 0);
    let remainder = program % chosen;
    let quotient_1 = program / chosen;
    let chosen_0 = select(quotient, 1, quotient == 0);
    let remainder_0 = quotient_1 % chosen_0;
    let out_start0 = quotient_1 / chosen_0;
    // kernels/window_kernel.go
    let offset = out_start0 + params.offset0;
    // kernels/window_kernel.go
    let lane = thread >> 6u;
    let out_start1 = remainder_0 * 2;
    let offset_0 = lane + out_start1;
    // kernels/window_kernel.go
    let offset_1 = offset_0 * 2 + params.offset1;
    // kernels/window_kernel.go
    let lane_0 = thread & 63;
    let out_start2 = remainder * 64;
    let offset_2 = lane_0 + out_start2;
    // kernels/window_kernel.go
    let offset_3 = offset_2 * 2 + params.offset2;
    // kernels/window_kernel.go
    let both = offset_1 >= 0 && offset_1 < params.x_size1;
    let both_0 = offset_3 >= 0 && offset_3 < params.x_size2;
    // kernels/window_kernel.go
    let both_1 = both && both_0;
    // kernels/window_kernel.go
    let offset_4 = params.x_offset + offset * params.x_stride0;
    let less = bitcast<u32>(offset) < bitcast<u32>(params.x_size0);
    let offset_5 = offset_4 + offset_1 * params.x_stride1;
    let bits = bitcast<u32>(params.x_size1);
    let less_0 = bitcast<u32>(offset_1) < bits;
    let bits_0 = bitcast<u32>(params.x_size2);
    let less_1 = bitcast<u32>(offset_3) < bits_0;
    let in_bounds = both_1 && less && less_0 && less_1;
    let x_0 = select(f32_from_bits(0xff800000u), x[select(0, offset_5 + offset_3, in_bounds)], in_bounds);
    // kernels/reduce_states.go
    let both_2 = bitcast<i32>(x_0) & 2147483647;
    // kernels/window_kernel.go
    let offset_6 = offset_3 + 1;
    // kernels/window_kernel.go
    let both_3 = offset_6 >= 0 && offset_6 < params.x_size2;
    // kernels/window_kernel.go
    let both_4 = both && both_3;
    // kernels/window_kernel.go
    let less_2 = bitcast<u32>(offset_6) < bits_0;
    let in_bounds_0 = both_4 && less && less_0 && less_2;
    let x_1 = select(f32_from_bits(0xff800000u), x[select(0, offset_5 + offset_6, in_bounds_0)], in_bounds_0);
    // kernels/reduce_states.go
    let both_5 = bitcast<i32>(x_1) & 2147483647;
    // kernels/window_kernel.go
    let offset_7 = offset_3 + 2;
    // kernels/window_kernel.go
    let both_6 = offset_7 >= 0 && offset_7 < params.x_size2;
    // kernels/window_kernel.go
    let both_7 = both && both_6;
    // kernels/window_kernel.go
    let less_3 = bitcast<u32>(offset_7) < bits_0;
    let in_bounds_1 = both_7 && less && less_0 && less_3;
    let x_2 = select(f32_from_bits(0xff800000u), x[select(0, offset_5 + offset_7, in_bounds_1)], in_bounds_1);
    // kernels/reduce_states.go
    let both_8 = bitcast<i32>(x_2) & 2147483647;
    // kernels/window_kernel.go
    let offset_8 = offset_1 + 1;
    // kernels/window_kernel.go
    let both_9 = offset_8 >= 0 && offset_8 < params.x_size1;
    // kernels/window_kernel.go
    let both_10 = both_9 && both_0;
    // kernels/window_kernel.go
    let offset_9 = offset_4 + offset_8 * params.x_stride1;
    let less_4 = bitcast<u32>(offset_8) < bits;
    let in_bounds_2 = both_10 && less && less_4 && less_1;
    let x_3 = select(f32_from_bits(0xff800000u), x[select(0, offset_9 + offset_3, in_bounds_2)], in_bounds_2);
    // kernels/reduce_states.go
    let both_11 = bitcast<i32>(x_3) & 2147483647;
    // kernels/reduce_states.go
    let greatest = max(max(max(max(f32_from_bits(0xff800000u), x_0), x_1), x_2), x_3);
    // kernels/window_kernel.go
    let both_12 = both_9 && both_3;
    // kernels/window_kernel.go
    let in_bounds_3 = both_12 && less && less_4 && less_2;
    let x_4 = select(f32_from_bits(0xff800000u), x[select(0, offset_9 + offset_6, in_bounds_3)], in_bounds_3);
    // kernels/reduce_states.go
    let both_13 = bitcast<i32>(x_4) & 2147483647;
    // kernels/reduce_states.go
    let greatest_0 = max(max(max(max(max(both_2, 0), both_5), both_8), both_11), both_13);
    // kernels/window_kernel.go
    let both_14 = both_9 && both_6;
    // kernels/window_kernel.go
    let in_bounds_4 = both_14 && less && less_4 && less_3;
    let x_5 = select(f32_from_bits(0xff800000u), x[select(0, offset_9 + offset_7, in_bounds_4)], in_bounds_4);
    // kernels/reduce_states.go
    let both_15 = bitcast<i32>(x_5) & 2147483647;
    // kernels/window_kernel.go
    let offset_10 = offset_1 + 2;
    // kernels/window_kernel.go
    let both_16 = offset_10 >= 0 && offset_10 < params.x_size1;
    // kernels/window_kernel.go
    let both_17 = both_16 && both_0;
    // kernels/window_kernel.go
    let offset_11 = offset_4 + offset_10 * params.x_stride1;
    let less_5 = bitcast<u32>(offset_10) < bits;
    let in_bounds_5 = both_17 && less && less_5 && less_1;
    let x_6 = select(f32_from_bits(0xff800000u), x[select(0, offset_11 + offset_3, in_bounds_5)], in_bounds_5);
    // kernels/reduce_states.go
    let both_18 = bitcast<i32>(x_6) & 2147483647;
    // kernels/window_kernel.go
    let both_19 = both_16 && both_3;
    // kernels/window_kernel.go
    let in_bounds_6 = both_19 && less && less_5 && less_2;
    let x_7 = select(f32_from_bits(0xff800000u), x[select(0, offset_11 + offset_6, in_bounds_6)], in_bounds_6);
    // kernels/reduce_states.go
    let both_20 = bitcast<i32>(x_7) & 2147483647;
    // kernels/window_kernel.go
    let both_21 = both_16 && both_6;
    // kernels/window_kernel.go
    let in_bounds_7 = both_21 && less && less_5 && less_3;
    let x_8 = select(f32_from_bits(0xff800000u), x[select(0, offset_11 + offset_7, in_bounds_7)], in_bounds_7);
    // kernels/reduce_states.go
    let both_22 = bitcast<i32>(x_8) & 2147483647;
    // kernels/reduce_states.go
    let greatest_1 = max(max(max(max(max(greatest, x_4), x_5), x_6), x_7), x_8);
    // kernels/reduce_states.go
    let greatest_2 = max(max(max(max(greatest_0, both_15), both_18), both_20), both_22);
    // kernels/reduce_states.go
    let chosen_1 = select(bitcast<i32>(greatest_1), greatest_2, greatest_2 > 2139095040);
    // kernels/reduce_states.go
    let bits_1 = bitcast<f32>(chosen_1);
    // kernels/window_kernel.go
    let offset_12 = params.out_offset + out_start0 * params.out_stride0 + (out_start1 + lane) * params.out_stride1;
    let offset_13 = out_start2 + lane_0;
    if (bitcast<u32>(offset_13) < bitcast<u32>(params.out_size2)) {
        out[offset_12 + offset_13] = bits_1;
    }
}
