@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> weight: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4<f32>>;
var<workgroup> exchange: array<f32, 64>; // conv_kernel.go:173: elements change threads

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
    weight_stride0: i32,
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
    // conv_kernel.go:163
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
    // image_block.go:46
    let lane = (thread & 15) << 2u;
    let index = lane + 1;
    let index_0 = lane + 2;
    let index_1 = lane + 3;
    let out_start3 = remainder * 64;
    let offset = vec4<i32>(lane, index, index_0, index_1) + vec4<i32>(out_start3);
    let lane_0 = thread >> 4u;
    let out_start2 = remainder_0 * 16;
    let offset_0 = lane_0 + out_start2;
    let offset_1 = lane_0 + 8 + out_start2;
    // conv_kernel.go:46
    let difference = out_start1 - params.top;
    let difference_0 = offset_0 - params.left;
    let difference_1 = offset_1 - params.left;
    // conv_kernel.go:171
    let bits = bitcast<u32>(out_start0);
    let offset_2 = params.x_offset + out_start0 * params.x_stride0 + offset.x;
    let both = bits < bitcast<u32>(params.x_size0) && bitcast<u32>(offset.x) < bitcast<u32>(params.x_size1);
    let bits_0 = bitcast<u32>(params.x_size2);
    let bits_1 = bitcast<u32>(params.x_size3);
    let bits_2 = bitcast<u32>(params.x_size4);
    // conv_kernel.go:172
    let lane_1 = thread & 63;
    let offset_3 = lane_1 + out_start3;
    let index_2 = params.weight_offset + offset_3 * params.weight_stride0;
    let bits_3 = bitcast<u32>(out_start4);
    let both_0 = bitcast<u32>(offset_3) < bitcast<u32>(params.weight_size0) && bits_3 < bitcast<u32>(params.weight_size1);
    let bits_4 = bitcast<u32>(params.weight_size2);
    let bits_5 = bitcast<u32>(params.weight_size3);
    // conv_kernel.go:173
    let in_bounds = (thread & 64) == 0;
    // conv_kernel.go:171
    let offset_4 = offset_2 + difference * params.x_stride3;
    let less = bitcast<u32>(difference) < bits_1;
    let index_3 = offset_4 + difference_0 * params.x_stride4;
    let less_0 = bitcast<u32>(difference_0) < bits_2;
    let index_4 = offset_4 + difference_1 * params.x_stride4;
    let less_1 = bitcast<u32>(difference_1) < bits_2;
    // conv_kernel.go:172
    let value = 0;
    let both_1 = both_0 && bitcast<u32>(value) < bits_4;
    // conv_kernel.go:168
    var carried: vec4<f32> = vec4<f32>(0.0);
    var carried_0: vec4<f32> = vec4<f32>(0.0);
    for (var i: i32 = 0; i < params.weight_size3; i += 1) {
        // conv_kernel.go:171
        let bits_6 = bitcast<u32>(i);
        let both_2 = both && bits_6 < bits_0;
        // conv_kernel.go:172
        let less_2 = bits_6 < bits_5;
        // conv_kernel.go:171
        let both_3 = both_2 && less;
        let in_bounds_0 = both_3 && less_0;
        let x_0 = select(vec4<f32>(0.0), x[select(0, index_3 >> 2u, in_bounds_0)], in_bounds_0);
        let in_bounds_1 = both_3 && less_1;
        let x_1 = select(vec4<f32>(0.0), x[select(0, index_4 >> 2u, in_bounds_1)], in_bounds_1);
        // conv_kernel.go:172
        let in_bounds_2 = both_1 && less_2;
        let weight_0 = select(0.0, weight[select(0, index_2, in_bounds_2)], in_bounds_2);
        // conv_kernel.go:169
        var x_2: vec4<f32> = x_0;
        var x_3: vec4<f32> = x_1;
        var weight_1: f32 = weight_0;
        for (var i_0: i32 = 0; i_0 < 9; i_0 += 1) {
            // conv_kernel.go:173
            workgroupBarrier();
            if (in_bounds) {
                exchange[lane_1] = weight_1;
            }
            let offset_5 = i_0 + 1;
            let more = offset_5 < 9;
            let next = select(i_0, offset_5, more);
            // conv_kernel.go:54
            let quotient_4 = next / 3;
            let difference_2 = next - quotient_4 * 3;
            // conv_kernel.go:61
            let offset_6 = difference + quotient_4;
            let offset_7 = difference_0 + difference_2;
            let offset_8 = difference_1 + difference_2;
            // conv_kernel.go:171
            let offset_9 = offset_2 + offset_6 * params.x_stride3;
            let both_4 = both_2 && bitcast<u32>(offset_6) < bits_1;
            let in_bounds_3 = both_4 && bitcast<u32>(offset_7) < bits_2;
            let x_4 = select(vec4<f32>(0.0), x[select(0, (offset_9 + offset_7 * params.x_stride4) >> 2u, in_bounds_3)], in_bounds_3);
            let in_bounds_4 = both_4 && bitcast<u32>(offset_8) < bits_2;
            let x_5 = select(vec4<f32>(0.0), x[select(0, (offset_9 + offset_8 * params.x_stride4) >> 2u, in_bounds_4)], in_bounds_4);
            // conv_kernel.go:172
            let in_bounds_5 = both_0 && bitcast<u32>(next) < bits_4 && less_2;
            let weight_2 = select(0.0, weight[select(0, index_2 + next, in_bounds_5)], in_bounds_5);
            // conv_kernel.go:173
            workgroupBarrier();
            let exchange_0 = exchange[lane];
            let exchange_1 = exchange[index];
            let exchange_2 = exchange[index_0];
            let exchange_3 = exchange[index_1];
            let lanes = vec4<f32>(exchange_0, exchange_1, exchange_2, exchange_3);
            carried = fma(lanes, x_2, carried);
            carried_0 = fma(lanes, x_3, carried_0);
            x_2 = x_4;
            x_3 = x_5;
            weight_1 = weight_2;
        }
    }
    // conv_kernel.go:176
    let offset_10 = params.out_offset + out_start0 * params.out_stride0 + out_start1 * params.out_stride1;
    let offset_11 = out_start2 + lane_0;
    let index_5 = offset_10 + offset_11 * params.out_stride2 + out_start3 + lane;
    let less_3 = bits_3 < bitcast<u32>(params.out_size4);
    let both_5 = bits < bitcast<u32>(params.out_size0) && bitcast<u32>(out_start1) < bitcast<u32>(params.out_size1);
    let bits_7 = bitcast<u32>(params.out_size2);
    if (both_5 && bitcast<u32>(offset_11) < bits_7 && less_3) {
        out[index_5 >> 2u] = carried;
    }
    if (both_5 && bitcast<u32>(offset_11 + 8) < bits_7 && less_3) {
        out[(index_5 >> 2u) + params.out_stride2 * 2] = carried_0;
    }
}
