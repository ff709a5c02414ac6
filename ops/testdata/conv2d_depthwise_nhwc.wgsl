@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> weight: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4<f32>>;

struct Params {
    x_offset: i32,
    x_size0: i32,
    x_size1: i32,
    x_size2: i32,
    x_size3: i32,
    x_size4: i32,
    x_stride0: i32,
    x_stride3: i32,
    x_stride4: i32,
    weight_offset: i32,
    weight_size0: i32,
    weight_size1: i32,
    weight_size2: i32,
    weight_size3: i32,
    weight_stride2: i32,
    out_offset: i32,
    out_size0: i32,
    out_size1: i32,
    out_size2: i32,
    out_size3: i32,
    out_size4: i32,
    out_stride0: i32,
    out_stride1: i32,
    out_stride2: i32,
    top: i32,
    left: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(128, 1, 1)
fn conv2d_direct(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/conv_kernel.go
    let quotient = (params.out_size2 + 15) / 16;
    let quotient_0 = (params.out_size3 + 63) / 64;
    let chosen = select(params.out_size4, 1, params.out_size4 == 0);
    let out_start4 = program % chosen;
    let quotient_1 = program / chosen;
    let chosen_0 = select(quotient_0, 1, quotient_0 == 0);
    let remainder = quotient_1 % chosen_0;
    let quotient_2 = quotient_1 / chosen_0;
    let chosen_1 = select(quotient, 1, quotient == 0);
    let remainder_0 = quotient_2 % chosen_1;
    let quotient_3 = quotient_2 / chosen_1;
    let chosen_2 = select(params.out_size1, 1, params.out_size1 == 0);
    let out_start1 = quotient_3 % chosen_2;
    let out_start0 = quotient_3 / chosen_2;
    // kernels/image_block.go
    let lane = (thread & 15) << 2u;
    let out_start3 = remainder * 64;
    let offset = vec4<i32>(lane, lane + 1, lane + 2, lane + 3) + vec4<i32>(out_start3);
    let lane_0 = thread >> 4u;
    let out_start2 = remainder_0 * 16;
    let offset_0 = lane_0 + out_start2;
    let offset_1 = lane_0 + 8 + out_start2;
    // kernels/conv_kernel.go
    let difference = out_start1 - params.top;
    let difference_0 = offset_0 - params.left;
    let difference_1 = offset_1 - params.left;
    // kernels/conv_kernel.go
    let bits = bitcast<u32>(out_start0);
    let offset_2 = params.x_offset + out_start0 * params.x_stride0 + offset.x;
    let bits_0 = bitcast<u32>(offset.x);
    let both = bits < bitcast<u32>(params.x_size0) && bits_0 < bitcast<u32>(params.x_size1);
    let bits_1 = bitcast<u32>(params.x_size2);
    let bits_2 = bitcast<u32>(params.x_size3);
    let bits_3 = bitcast<u32>(params.x_size4);
    // kernels/conv_kernel.go
    let offset_3 = params.weight_offset + offset.x;
    let bits_4 = bitcast<u32>(out_start4);
    let both_0 = bits_0 < bitcast<u32>(params.weight_size0) && bits_4 < bitcast<u32>(params.weight_size1);
    let bits_5 = bitcast<u32>(params.weight_size2);
    let bits_6 = bitcast<u32>(params.weight_size3);
    // kernels/conv_kernel.go
    var carried: vec4<f32> = vec4<f32>(0.0);
    var carried_0: vec4<f32> = vec4<f32>(0.0);
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
            let difference_2 = i_0 - quotient_4 * 3;
            // kernels/conv_kernel.go
            let offset_4 = difference + quotient_4;
            let offset_5 = difference_0 + difference_2;
            let offset_6 = difference_1 + difference_2;
            // kernels/conv_kernel.go
            let offset_7 = offset_2 + offset_4 * params.x_stride3;
            let both_2 = both_1 && bitcast<u32>(offset_4) < bits_2;
            let in_bounds = both_2 && bitcast<u32>(offset_5) < bits_3;
            let x_0 = select(vec4<f32>(0.0), x[select(0, (offset_7 + offset_5 * params.x_stride4) >> 2u, in_bounds)], in_bounds);
            let in_bounds_0 = both_2 && bitcast<u32>(offset_6) < bits_3;
            let x_1 = select(vec4<f32>(0.0), x[select(0, (offset_7 + offset_6 * params.x_stride4) >> 2u, in_bounds_0)], in_bounds_0);
            // kernels/conv_kernel.go
            let in_bounds_1 = both_0 && bitcast<u32>(i_0) < bits_5 && less;
            let weight_0 = select(vec4<f32>(0.0), weight[select(0, (offset_3 + i_0 * params.weight_stride2) >> 2u, in_bounds_1)], in_bounds_1);
            // kernels/conv_kernel.go
            carried = fma(weight_0, x_0, carried);
            carried_0 = fma(weight_0, x_1, carried_0);
        }
    }
    // kernels/conv_kernel.go
    let offset_8 = params.out_offset + out_start0 * params.out_stride0 + out_start1 * params.out_stride1;
    let offset_9 = out_start2 + lane_0;
    let index = offset_8 + offset_9 * params.out_stride2 + out_start3 + lane;
    let less_0 = bits_4 < bitcast<u32>(params.out_size4);
    let both_3 = bits < bitcast<u32>(params.out_size0) && bitcast<u32>(out_start1) < bitcast<u32>(params.out_size1);
    let bits_8 = bitcast<u32>(params.out_size2);
    if (both_3 && bitcast<u32>(offset_9) < bits_8 && less_0) {
        out[index >> 2u] = carried;
    }
    if (both_3 && bitcast<u32>(offset_9 + 8) < bits_8 && less_0) {
        out[(index >> 2u) + params.out_stride2 * 2] = carried_0;
    }
}
