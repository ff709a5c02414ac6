@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> weight: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

struct Params {
    x_offset: i32,
    x_size0: i32,
    x_size1: i32,
    x_size2: i32,
    x_size3: i32,
    x_size4: i32,
    x_stride0: i32,
    x_stride1: i32,
    x_stride3: i32,
    weight_offset: i32,
    weight_size0: i32,
    weight_size1: i32,
    weight_size2: i32,
    weight_size3: i32,
    weight_stride0: i32,
    out_offset: i32,
    out_size0: i32,
    out_size1: i32,
    out_size2: i32,
    out_size3: i32,
    out_size4: i32,
    out_stride0: i32,
    out_stride1: i32,
    out_stride3: i32,
    top: i32,
    left: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(128, 1, 1)
fn conv2d_direct(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/conv_kernel.go
    let quotient = (params.out_size3 + 15) / 16;
    let quotient_0 = (params.out_size4 + 63) / 64;
    let chosen = select(quotient_0, 1, quotient_0 == 0);
    let remainder = program % chosen;
    let quotient_1 = program / chosen;
    let chosen_0 = select(quotient, 1, quotient == 0);
    let remainder_0 = quotient_1 % chosen_0;
    let quotient_2 = quotient_1 / chosen_0;
    let chosen_1 = select(params.out_size2, 1, params.out_size2 == 0);
    let out_start2 = quotient_2 % chosen_1;
    let quotient_3 = quotient_2 / chosen_1;
    let chosen_2 = select(params.out_size1, 1, params.out_size1 == 0);
    let out_start1 = quotient_3 % chosen_2;
    let out_start0 = quotient_3 / chosen_2;
    // kernels/image_block.go
    let lane = thread >> 6u;
    let out_start3 = remainder_0 * 16;
    let offset = lane + out_start3;
    let offset_0 = lane + 2 + out_start3;
    let offset_1 = lane + 4 + out_start3;
    let offset_2 = lane + 6 + out_start3;
    let offset_3 = lane + 8 + out_start3;
    let offset_4 = lane + 10 + out_start3;
    let offset_5 = lane + 12 + out_start3;
    let offset_6 = lane + 14 + out_start3;
    let lane_0 = thread & 63;
    let out_start4 = remainder * 64;
    let offset_7 = lane_0 + out_start4;
    // kernels/conv_kernel.go
    let difference = offset - params.top;
    let difference_0 = offset_0 - params.top;
    let difference_1 = offset_1 - params.top;
    let difference_2 = offset_2 - params.top;
    let difference_3 = offset_3 - params.top;
    let difference_4 = offset_4 - params.top;
    let difference_5 = offset_5 - params.top;
    let difference_6 = offset_6 - params.top;
    let difference_7 = offset_7 - params.left;
    // kernels/conv_kernel.go
    let bits = bitcast<u32>(out_start0);
    let offset_8 = params.x_offset + out_start0 * params.x_stride0 + out_start1 * params.x_stride1;
    let bits_0 = bitcast<u32>(out_start1);
    let both = bits < bitcast<u32>(params.x_size0) && bits_0 < bitcast<u32>(params.x_size1);
    let bits_1 = bitcast<u32>(params.x_size2);
    let bits_2 = bitcast<u32>(params.x_size3);
    let bits_3 = bitcast<u32>(params.x_size4);
    // kernels/conv_kernel.go
    let offset_9 = params.weight_offset + out_start1 * params.weight_stride0;
    let bits_4 = bitcast<u32>(out_start2);
    let both_0 = bits_0 < bitcast<u32>(params.weight_size0) && bits_4 < bitcast<u32>(params.weight_size1);
    let bits_5 = bitcast<u32>(params.weight_size2);
    let bits_6 = bitcast<u32>(params.weight_size3);
    // kernels/conv_kernel.go
    var carried: f32 = 0.0;
    var carried_0: f32 = 0.0;
    var carried_1: f32 = 0.0;
    var carried_2: f32 = 0.0;
    var carried_3: f32 = 0.0;
    var carried_4: f32 = 0.0;
    var carried_5: f32 = 0.0;
    var carried_6: f32 = 0.0;
    for (var i: i32 = 0; i < params.weight_size3; i += 1) {
        // kernels/conv_kernel.go
        let bits_7 = bitcast<u32>(i);
        let both_1 = both && bits_7 < bits_1;
        // kernels/conv_kernel.go
        let less = bits_7 < bits_6;
        // kernels/conv_kernel.go
        for (var i_0: i32 = 0; i_0 < 9; i_0 += 1) {
            // kernels/conv_kernel.go
            let quotient_4 = i_0 / 3;
            let difference_8 = i_0 - quotient_4 * 3;
            // kernels/conv_kernel.go
            let offset_10 = difference + quotient_4;
            let offset_11 = difference_0 + quotient_4;
            let offset_12 = difference_1 + quotient_4;
            let offset_13 = difference_2 + quotient_4;
            let offset_14 = difference_3 + quotient_4;
            let offset_15 = difference_4 + quotient_4;
            let offset_16 = difference_5 + quotient_4;
            let offset_17 = difference_6 + quotient_4;
            let offset_18 = difference_7 + difference_8;
            // kernels/conv_kernel.go
            let less_0 = bitcast<u32>(offset_18) < bits_3;
            let in_bounds = both_1 && bitcast<u32>(offset_10) < bits_2 && less_0;
            let x_0 = select(0.0, x[select(0, offset_8 + offset_10 * params.x_stride3 + offset_18, in_bounds)], in_bounds);
            let in_bounds_0 = both_1 && bitcast<u32>(offset_11) < bits_2 && less_0;
            let x_1 = select(0.0, x[select(0, offset_8 + offset_11 * params.x_stride3 + offset_18, in_bounds_0)], in_bounds_0);
            let in_bounds_1 = both_1 && bitcast<u32>(offset_12) < bits_2 && less_0;
            let x_2 = select(0.0, x[select(0, offset_8 + offset_12 * params.x_stride3 + offset_18, in_bounds_1)], in_bounds_1);
            let in_bounds_2 = both_1 && bitcast<u32>(offset_13) < bits_2 && less_0;
            let x_3 = select(0.0, x[select(0, offset_8 + offset_13 * params.x_stride3 + offset_18, in_bounds_2)], in_bounds_2);
            let in_bounds_3 = both_1 && bitcast<u32>(offset_14) < bits_2 && less_0;
            let x_4 = select(0.0, x[select(0, offset_8 + offset_14 * params.x_stride3 + offset_18, in_bounds_3)], in_bounds_3);
            let in_bounds_4 = both_1 && bitcast<u32>(offset_15) < bits_2 && less_0;
            let x_5 = select(0.0, x[select(0, offset_8 + offset_15 * params.x_stride3 + offset_18, in_bounds_4)], in_bounds_4);
            let in_bounds_5 = both_1 && bitcast<u32>(offset_16) < bits_2 && less_0;
            let x_6 = select(0.0, x[select(0, offset_8 + offset_16 * params.x_stride3 + offset_18, in_bounds_5)], in_bounds_5);
            let in_bounds_6 = both_1 && bitcast<u32>(offset_17) < bits_2 && less_0;
            let x_7 = select(0.0, x[select(0, offset_8 + offset_17 * params.x_stride3 + offset_18, in_bounds_6)], in_bounds_6);
            // kernels/conv_kernel.go
            let in_bounds_7 = both_0 && bitcast<u32>(i_0) < bits_5 && less;
            let weight_0 = select(0.0, weight[select(0, offset_9 + i_0, in_bounds_7)], in_bounds_7);
            // kernels/conv_kernel.go
            carried = fma(weight_0, x_0, carried);
            carried_0 = fma(weight_0, x_1, carried_0);
            carried_1 = fma(weight_0, x_2, carried_1);
            carried_2 = fma(weight_0, x_3, carried_2);
            carried_3 = fma(weight_0, x_4, carried_3);
            carried_4 = fma(weight_0, x_5, carried_4);
            carried_5 = fma(weight_0, x_6, carried_5);
            carried_6 = fma(weight_0, x_7, carried_6);
        }
    }
    // kernels/conv_kernel.go
    let offset_19 = params.out_offset + out_start0 * params.out_stride0 + out_start1 * params.out_stride1;
    let offset_20 = out_start3 + lane;
    let offset_21 = out_start4 + lane_0;
    let index = offset_19 + offset_20 * params.out_stride3 + offset_21;
    let both_2 = bits < bitcast<u32>(params.out_size0) && bits_0 < bitcast<u32>(params.out_size1);
    let both_3 = both_2 && bits_4 < bitcast<u32>(params.out_size2);
    let bits_8 = bitcast<u32>(params.out_size3);
    let less_1 = bitcast<u32>(offset_21) < bitcast<u32>(params.out_size4);
    if (both_3 && bitcast<u32>(offset_20) < bits_8 && less_1) {
        out[index] = carried;
    }
    if (both_3 && bitcast<u32>(offset_20 + 2) < bits_8 && less_1) {
        out[index + params.out_stride3 * 2] = carried_0;
    }
    if (both_3 && bitcast<u32>(offset_20 + 4) < bits_8 && less_1) {
        out[index + params.out_stride3 * 4] = carried_1;
    }
    if (both_3 && bitcast<u32>(offset_20 + 6) < bits_8 && less_1) {
        out[index + params.out_stride3 * 6] = carried_2;
    }
    if (both_3 && bitcast<u32>(offset_20 + 8) < bits_8 && less_1) {
        out[index + params.out_stride3 * 8] = carried_3;
    }
    if (both_3 && bitcast<u32>(offset_20 + 10) < bits_8 && less_1) {
        out[index + params.out_stride3 * 10] = carried_4;
    }
    if (both_3 && bitcast<u32>(offset_20 + 12) < bits_8 && less_1) {
        out[index + params.out_stride3 * 12] = carried_5;
    }
    if (both_3 && bitcast<u32>(offset_20 + 14) < bits_8 && less_1) {
        out[index + params.out_stride3 * 14] = carried_6;
    }
}
