@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

struct Params {
    x_offset: i32,
    x_size0: i32,
    x_size1: i32,
    x_size2: i32,
    x_size3: i32,
    x_size4: i32,
    x_stride0: i32,
    x_stride2: i32,
    x_stride3: i32,
    out_offset: i32,
    out_size1: i32,
    out_size2: i32,
    out_size3: i32,
    out_size4: i32,
    out_stride0: i32,
    out_stride2: i32,
    out_stride3: i32,
    top: i32,
    left: i32,
    columns: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(256, 1, 1)
fn im2col(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/im2col_kernel.go
    let quotient = (params.out_size4 + 2047) / 2048;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let quotient_0 = program / chosen;
    let chosen_0 = select(params.out_size3, 1, params.out_size3 == 0);
    let out_start3 = quotient_0 % chosen_0;
    let quotient_1 = quotient_0 / chosen_0;
    let chosen_1 = select(params.out_size2, 1, params.out_size2 == 0);
    let out_start2 = quotient_1 % chosen_1;
    let quotient_2 = quotient_1 / chosen_1;
    let chosen_2 = select(params.out_size1, 1, params.out_size1 == 0);
    let out_start1 = quotient_2 % chosen_2;
    let out_start0 = quotient_2 / chosen_2;
    // kernels/image_block.go
    let out_start4 = remainder * 2048;
    let offset = thread + out_start4;
    let offset_0 = thread + 256 + out_start4;
    let offset_1 = thread + 512 + out_start4;
    let offset_2 = thread + 768 + out_start4;
    let offset_3 = thread + 1024 + out_start4;
    let offset_4 = thread + 1280 + out_start4;
    let offset_5 = thread + 1536 + out_start4;
    let offset_6 = thread + 1792 + out_start4;
    // kernels/im2col_kernel.go
    let chosen_3 = select(params.columns, 1, params.columns == 0);
    let quotient_3 = offset / chosen_3;
    let quotient_4 = offset_0 / chosen_3;
    let quotient_5 = offset_1 / chosen_3;
    let quotient_6 = offset_2 / chosen_3;
    let quotient_7 = offset_3 / chosen_3;
    let quotient_8 = offset_4 / chosen_3;
    let quotient_9 = offset_5 / chosen_3;
    let quotient_10 = offset_6 / chosen_3;
    let difference = offset - quotient_3 * chosen_3;
    let difference_0 = offset_0 - quotient_4 * chosen_3;
    let difference_1 = offset_1 - quotient_5 * chosen_3;
    let difference_2 = offset_2 - quotient_6 * chosen_3;
    let difference_3 = offset_3 - quotient_7 * chosen_3;
    let difference_4 = offset_4 - quotient_8 * chosen_3;
    let difference_5 = offset_5 - quotient_9 * chosen_3;
    let difference_6 = offset_6 - quotient_10 * chosen_3;
    // kernels/conv_kernel.go
    let difference_7 = quotient_3 - params.top;
    let difference_8 = quotient_4 - params.top;
    let difference_9 = quotient_5 - params.top;
    let difference_10 = quotient_6 - params.top;
    let difference_11 = quotient_7 - params.top;
    let difference_12 = quotient_8 - params.top;
    let difference_13 = quotient_9 - params.top;
    let difference_14 = quotient_10 - params.top;
    let difference_15 = difference - params.left;
    let difference_16 = difference_0 - params.left;
    let difference_17 = difference_1 - params.left;
    let difference_18 = difference_2 - params.left;
    let difference_19 = difference_3 - params.left;
    let difference_20 = difference_4 - params.left;
    let difference_21 = difference_5 - params.left;
    let difference_22 = difference_6 - params.left;
    // kernels/conv_kernel.go
    let quotient_11 = out_start3 / 3;
    let remainder_0 = out_start3 % 3;
    // kernels/conv_kernel.go
    let offset_7 = quotient_11 + difference_7;
    let offset_8 = quotient_11 + difference_8;
    let offset_9 = quotient_11 + difference_9;
    let offset_10 = quotient_11 + difference_10;
    let offset_11 = quotient_11 + difference_11;
    let offset_12 = quotient_11 + difference_12;
    let offset_13 = quotient_11 + difference_13;
    let offset_14 = quotient_11 + difference_14;
    let offset_15 = remainder_0 + difference_15;
    let offset_16 = remainder_0 + difference_16;
    let offset_17 = remainder_0 + difference_17;
    let offset_18 = remainder_0 + difference_18;
    let offset_19 = remainder_0 + difference_19;
    let offset_20 = remainder_0 + difference_20;
    let offset_21 = remainder_0 + difference_21;
    let offset_22 = remainder_0 + difference_22;
    // kernels/im2col_kernel.go
    let both = bitcast<u32>(out_start0) < bitcast<u32>(params.x_size0) && bitcast<u32>(out_start1) < bitcast<u32>(params.x_size1);
    let offset_23 = params.x_offset + out_start0 * params.x_stride0 + out_start2 * params.x_stride2;
    let both_0 = both && bitcast<u32>(out_start2) < bitcast<u32>(params.x_size2);
    let bits = bitcast<u32>(params.x_size3);
    let bits_0 = bitcast<u32>(params.x_size4);
    let in_bounds = both_0 && bitcast<u32>(offset_7) < bits && bitcast<u32>(offset_15) < bits_0;
    let x_0 = select(0.0, x[select(0, offset_23 + offset_7 * params.x_stride3 + offset_15, in_bounds)], in_bounds);
    let in_bounds_0 = both_0 && bitcast<u32>(offset_8) < bits && bitcast<u32>(offset_16) < bits_0;
    let x_1 = select(0.0, x[select(0, offset_23 + offset_8 * params.x_stride3 + offset_16, in_bounds_0)], in_bounds_0);
    let in_bounds_1 = both_0 && bitcast<u32>(offset_9) < bits && bitcast<u32>(offset_17) < bits_0;
    let x_2 = select(0.0, x[select(0, offset_23 + offset_9 * params.x_stride3 + offset_17, in_bounds_1)], in_bounds_1);
    let in_bounds_2 = both_0 && bitcast<u32>(offset_10) < bits && bitcast<u32>(offset_18) < bits_0;
    let x_3 = select(0.0, x[select(0, offset_23 + offset_10 * params.x_stride3 + offset_18, in_bounds_2)], in_bounds_2);
    let in_bounds_3 = both_0 && bitcast<u32>(offset_11) < bits && bitcast<u32>(offset_19) < bits_0;
    let x_4 = select(0.0, x[select(0, offset_23 + offset_11 * params.x_stride3 + offset_19, in_bounds_3)], in_bounds_3);
    let in_bounds_4 = both_0 && bitcast<u32>(offset_12) < bits && bitcast<u32>(offset_20) < bits_0;
    let x_5 = select(0.0, x[select(0, offset_23 + offset_12 * params.x_stride3 + offset_20, in_bounds_4)], in_bounds_4);
    let in_bounds_5 = both_0 && bitcast<u32>(offset_13) < bits && bitcast<u32>(offset_21) < bits_0;
    let x_6 = select(0.0, x[select(0, offset_23 + offset_13 * params.x_stride3 + offset_21, in_bounds_5)], in_bounds_5);
    let in_bounds_6 = both_0 && bitcast<u32>(offset_14) < bits && bitcast<u32>(offset_22) < bits_0;
    let x_7 = select(0.0, x[select(0, offset_23 + offset_14 * params.x_stride3 + offset_22, in_bounds_6)], in_bounds_6);
    let offset_24 = params.out_offset + out_start0 * params.out_stride0 + out_start2 * params.out_stride2;
    let offset_25 = out_start4 + thread;
    let index = offset_24 + out_start3 * params.out_stride3 + offset_25;
    let bits_1 = bitcast<u32>(params.out_size4);
    if (bitcast<u32>(offset_25) < bits_1) {
        out[index] = x_0;
    }
    if (bitcast<u32>(offset_25 + 256) < bits_1) {
        out[index + 256] = x_1;
    }
    if (bitcast<u32>(offset_25 + 512) < bits_1) {
        out[index + 512] = x_2;
    }
    if (bitcast<u32>(offset_25 + 768) < bits_1) {
        out[index + 768] = x_3;
    }
    if (bitcast<u32>(offset_25 + 1024) < bits_1) {
        out[index + 1024] = x_4;
    }
    if (bitcast<u32>(offset_25 + 1280) < bits_1) {
        out[index + 1280] = x_5;
    }
    if (bitcast<u32>(offset_25 + 1536) < bits_1) {
        out[index + 1536] = x_6;
    }
    if (bitcast<u32>(offset_25 + 1792) < bits_1) {
        out[index + 1792] = x_7;
    }
}
