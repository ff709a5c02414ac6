@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> weight: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> bias: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
var<workgroup> tile_a: array<vec4<f32>, 256>; // kernels/conv_kernel.go: operand a of the product
var<workgroup> tile_b: array<f32, 2048>; // kernels/conv_kernel.go: operand b of the product

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
    weight_offset: i32,
    weight_size0: i32,
    weight_size1: i32,
    weight_size2: i32,
    weight_size3: i32,
    weight_stride2: i32,
    weight_stride3: i32,
    bias_offset: i32,
    bias_size0: i32,
    bias_size1: i32,
    out_offset: i32,
    out_size0: i32,
    out_size1: i32,
    out_size2: i32,
    out_size3: i32,
    out_size4: i32,
    out_stride0: i32,
    out_stride2: i32,
    out_stride3: i32,
    top: i32,
    left: i32,
}
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(128, 1, 1)
fn conv2d_implicit(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/conv_kernel.go
    let quotient = (params.out_size2 + 63) / 64;
    // kernels/conv_kernel.go
    let offset = quotient * params.out_size1;
    let chosen = select(offset, 1, offset == 0);
    let remainder = program % chosen;
    let quotient_0 = program / chosen;
    // kernels/conv_kernel.go
    let chosen_0 = select(quotient, 1, quotient == 0);
    let weight_start0 = remainder / chosen_0;
    let remainder_0 = remainder % chosen_0;
    // kernels/conv_kernel.go
    let offset_0 = params.out_size3 * params.out_size4;
    // kernels/conv_kernel.go
    let offset_1 = quotient_0 * 128;
    let offset_2 = thread + offset_1;
    // kernels/conv_kernel.go
    let chosen_1 = select(offset_0, 1, offset_0 == 0);
    let remainder_1 = offset_2 % chosen_1;
    // kernels/conv_kernel.go
    let quotient_1 = offset_2 / chosen_1;
    let chosen_2 = select(params.out_size4, 1, params.out_size4 == 0);
    let quotient_2 = remainder_1 / chosen_2;
    let remainder_2 = remainder_1 % chosen_2;
    // kernels/conv_kernel.go
    let difference = quotient_2 - params.top;
    let difference_0 = remainder_2 - params.left;
    // kernels/conv_kernel.go
    let lanes = vec4<i32>(0, 1, 2, 3);
    let lanes_0 = vec4<i32>(4, 5, 6, 7);
    let lanes_1 = vec4<i32>(8, 9, 10, 11);
    let lanes_2 = vec4<i32>(12, 13, 14, 15);
    // kernels/conv_kernel.go
    let offset_3 = params.x_offset + quotient_1 * params.x_stride0;
    let bits = bitcast<u32>(weight_start0);
    let both = bitcast<u32>(quotient_1) < bitcast<u32>(params.x_size0) && bits < bitcast<u32>(params.x_size1);
    let bits_0 = bitcast<u32>(params.x_size2);
    let bits_1 = bitcast<u32>(params.x_size3);
    let bits_2 = bitcast<u32>(params.x_size4);
    // kernels/conv_kernel.go
    let weight_start1 = remainder_0 * 64;
    let lane = (thread & 15) << 2u;
    let offset_4 = params.weight_offset + weight_start1 + lane;
    let bits_3 = bitcast<u32>(params.weight_size2);
    let lane_0 = thread >> 4u;
    let bits_4 = bitcast<u32>(params.weight_size3);
    let both_0 = bits < bitcast<u32>(params.weight_size0) && bitcast<u32>(weight_start1) < bitcast<u32>(params.weight_size1);
    let offset_5 = params.weight_stride3 * 8;
    // kernels/conv_kernel.go
    let index = lane_0 * 64 + lane;
    let index_0 = index + 512;
    let index_1 = thread + 128;
    let index_2 = thread + 256;
    let index_3 = thread + 384;
    let index_4 = thread + 512;
    let index_5 = thread + 640;
    let index_6 = thread + 768;
    let index_7 = thread + 896;
    let index_8 = thread + 1024;
    let index_9 = thread + 1152;
    let index_10 = thread + 1280;
    let index_11 = thread + 1408;
    let index_12 = thread + 1536;
    let index_13 = thread + 1664;
    let index_14 = thread + 1792;
    let index_15 = thread + 1920;
    let lane_1 = ((thread & 2) << 1u) + (thread & 8) + ((thread >> 2u) & 16);
    let lane_2 = ((thread & 1) << 2u) + ((thread & 4) << 1u) + (thread & 48);
    // kernels/conv_kernel.go
    let offset_6 = lanes + vec4<i32>(0);
    let offset_7 = lanes_0 + vec4<i32>(0);
    let offset_8 = lanes_1 + vec4<i32>(0);
    let offset_9 = lanes_2 + vec4<i32>(0);
    // kernels/conv_kernel.go
    let offset_10 = difference * params.x_stride3;
    let less = bitcast<u32>(difference) < bits_1;
    let index_16 = offset_3 + offset_6.x * params.x_stride2 + offset_10 + difference_0;
    let less_0 = bitcast<u32>(difference_0) < bits_2;
    let in_bounds = both && bitcast<u32>(offset_6.x) < bits_0 && less && less_0;
    let x_0 = select(0.0, x[select(0, index_16, in_bounds)], in_bounds);
    let index_17 = offset_3 + offset_6.y * params.x_stride2 + offset_10 + difference_0;
    let in_bounds_0 = both && bitcast<u32>(offset_6.y) < bits_0 && less && less_0;
    let x_1 = select(0.0, x[select(0, index_17, in_bounds_0)], in_bounds_0);
    let index_18 = offset_3 + offset_6.z * params.x_stride2 + offset_10 + difference_0;
    let in_bounds_1 = both && bitcast<u32>(offset_6.z) < bits_0 && less && less_0;
    let x_2 = select(0.0, x[select(0, index_18, in_bounds_1)], in_bounds_1);
    let index_19 = offset_3 + offset_6.w * params.x_stride2 + offset_10 + difference_0;
    let in_bounds_2 = both && bitcast<u32>(offset_6.w) < bits_0 && less && less_0;
    let x_3 = select(0.0, x[select(0, index_19, in_bounds_2)], in_bounds_2);
    let index_20 = offset_3 + offset_7.x * params.x_stride2 + offset_10 + difference_0;
    let in_bounds_3 = both && bitcast<u32>(offset_7.x) < bits_0 && less && less_0;
    let x_4 = select(0.0, x[select(0, index_20, in_bounds_3)], in_bounds_3);
    let index_21 = offset_3 + offset_7.y * params.x_stride2 + offset_10 + difference_0;
    let in_bounds_4 = both && bitcast<u32>(offset_7.y) < bits_0 && less && less_0;
    let x_5 = select(0.0, x[select(0, index_21, in_bounds_4)], in_bounds_4);
    let index_22 = offset_3 + offset_7.z * params.x_stride2 + offset_10 + difference_0;
    let in_bounds_5 = both && bitcast<u32>(offset_7.z) < bits_0 && less && less_0;
    let x_6 = select(0.0, x[select(0, index_22, in_bounds_5)], in_bounds_5);
    let index_23 = offset_3 + offset_7.w * params.x_stride2 + offset_10 + difference_0;
    let in_bounds_6 = both && bitcast<u32>(offset_7.w) < bits_0 && less && less_0;
    let x_7 = select(0.0, x[select(0, index_23, in_bounds_6)], in_bounds_6);
    let index_24 = offset_3 + offset_8.x * params.x_stride2 + offset_10 + difference_0;
    let in_bounds_7 = both && bitcast<u32>(offset_8.x) < bits_0 && less && less_0;
    let x_8 = select(0.0, x[select(0, index_24, in_bounds_7)], in_bounds_7);
    let index_25 = offset_3 + offset_8.y * params.x_stride2 + offset_10 + difference_0;
    let in_bounds_8 = both && bitcast<u32>(offset_8.y) < bits_0 && less && less_0;
    let x_9 = select(0.0, x[select(0, index_25, in_bounds_8)], in_bounds_8);
    let index_26 = offset_3 + offset_8.z * params.x_stride2 + offset_10 + difference_0;
    let in_bounds_9 = both && bitcast<u32>(offset_8.z) < bits_0 && less && less_0;
    let x_10 = select(0.0, x[select(0, index_26, in_bounds_9)], in_bounds_9);
    let index_27 = offset_3 + offset_8.w * params.x_stride2 + offset_10 + difference_0;
    let in_bounds_10 = both && bitcast<u32>(offset_8.w) < bits_0 && less && less_0;
    let x_11 = select(0.0, x[select(0, index_27, in_bounds_10)], in_bounds_10);
    let index_28 = offset_3 + offset_9.x * params.x_stride2 + offset_10 + difference_0;
    let in_bounds_11 = both && bitcast<u32>(offset_9.x) < bits_0 && less && less_0;
    let x_12 = select(0.0, x[select(0, index_28, in_bounds_11)], in_bounds_11);
    let index_29 = offset_3 + offset_9.y * params.x_stride2 + offset_10 + difference_0;
    let in_bounds_12 = both && bitcast<u32>(offset_9.y) < bits_0 && less && less_0;
    let x_13 = select(0.0, x[select(0, index_29, in_bounds_12)], in_bounds_12);
    let index_30 = offset_3 + offset_9.z * params.x_stride2 + offset_10 + difference_0;
    let in_bounds_13 = both && bitcast<u32>(offset_9.z) < bits_0 && less && less_0;
    let x_14 = select(0.0, x[select(0, index_30, in_bounds_13)], in_bounds_13);
    let index_31 = offset_3 + offset_9.w * params.x_stride2 + offset_10 + difference_0;
    let in_bounds_14 = both && bitcast<u32>(offset_9.w) < bits_0 && less && less_0;
    let x_15 = select(0.0, x[select(0, index_31, in_bounds_14)], in_bounds_14);
    // kernels/conv_kernel.go
    let value = 0;
    let bits_5 = bitcast<u32>(value);
    let index_32 = offset_4 + lane_0 * params.weight_stride3;
    let in_bounds_15 = both_0 && bits_5 < bits_3 && bits_5 < bits_4;
    let weight_0 = select(vec4<f32>(0.0), weight[select(0, index_32 >> 2u, in_bounds_15)], in_bounds_15);
    let weight_1 = select(vec4<f32>(0.0), weight[select(0, (index_32 >> 2u) + (offset_5 >> 2u), in_bounds_15)], in_bounds_15);
    // kernels/conv_kernel.go
    var acc: vec4<f32> = vec4<f32>(0.0);
    var acc_0: vec4<f32> = vec4<f32>(0.0);
    var acc_1: vec4<f32> = vec4<f32>(0.0);
    var acc_2: vec4<f32> = vec4<f32>(0.0);
    var acc_3: vec4<f32> = vec4<f32>(0.0);
    var acc_4: vec4<f32> = vec4<f32>(0.0);
    var acc_5: vec4<f32> = vec4<f32>(0.0);
    var acc_6: vec4<f32> = vec4<f32>(0.0);
    var acc_7: vec4<f32> = vec4<f32>(0.0);
    var acc_8: vec4<f32> = vec4<f32>(0.0);
    var acc_9: vec4<f32> = vec4<f32>(0.0);
    var acc_10: vec4<f32> = vec4<f32>(0.0);
    var acc_11: vec4<f32> = vec4<f32>(0.0);
    var acc_12: vec4<f32> = vec4<f32>(0.0);
    var acc_13: vec4<f32> = vec4<f32>(0.0);
    var acc_14: vec4<f32> = vec4<f32>(0.0);
    var x_16: f32 = x_0;
    var x_17: f32 = x_1;
    var x_18: f32 = x_2;
    var x_19: f32 = x_3;
    var x_20: f32 = x_4;
    var x_21: f32 = x_5;
    var x_22: f32 = x_6;
    var x_23: f32 = x_7;
    var x_24: f32 = x_8;
    var x_25: f32 = x_9;
    var x_26: f32 = x_10;
    var x_27: f32 = x_11;
    var x_28: f32 = x_12;
    var x_29: f32 = x_13;
    var x_30: f32 = x_14;
    var x_31: f32 = x_15;
    var weight_2: vec4<f32> = weight_0;
    var weight_3: vec4<f32> = weight_1;
    for (var i: i32 = 0; i < 36; i += 1) {
        // kernels/conv_kernel.go
        workgroupBarrier();
        tile_a[index >> 2u] = weight_2;
        tile_a[index_0 >> 2u] = weight_3;
        tile_b[thread] = x_16;
        tile_b[index_1] = x_17;
        tile_b[index_2] = x_18;
        tile_b[index_3] = x_19;
        tile_b[index_4] = x_20;
        tile_b[index_5] = x_21;
        tile_b[index_6] = x_22;
        tile_b[index_7] = x_23;
        tile_b[index_8] = x_24;
        tile_b[index_9] = x_25;
        tile_b[index_10] = x_26;
        tile_b[index_11] = x_27;
        tile_b[index_12] = x_28;
        tile_b[index_13] = x_29;
        tile_b[index_14] = x_30;
        tile_b[index_15] = x_31;
        let offset_11 = i + 1;
        let more = offset_11 < 36;
        let next = select(i, offset_11, more);
        // kernels/conv_kernel.go
        let weight_start2 = next / 4;
        let difference_1 = next - weight_start2 * 4;
        // kernels/conv_kernel.go
        let weight_start3 = difference_1 * 16;
        let offset_12 = lanes + vec4<i32>(weight_start3);
        let offset_13 = lanes_0 + vec4<i32>(weight_start3);
        let offset_14 = lanes_1 + vec4<i32>(weight_start3);
        let offset_15 = lanes_2 + vec4<i32>(weight_start3);
        // kernels/conv_kernel.go
        let quotient_3 = weight_start2 / 3;
        let difference_2 = weight_start2 - quotient_3 * 3;
        // kernels/conv_kernel.go
        let offset_16 = difference + quotient_3;
        let offset_17 = difference_0 + difference_2;
        // kernels/conv_kernel.go
        let offset_18 = offset_16 * params.x_stride3;
        let less_1 = bitcast<u32>(offset_16) < bits_1;
        let index_33 = offset_3 + offset_12.x * params.x_stride2 + offset_18 + offset_17;
        let less_2 = bitcast<u32>(offset_17) < bits_2;
        let in_bounds_16 = both && bitcast<u32>(offset_12.x) < bits_0 && less_1 && less_2;
        let x_32 = select(0.0, x[select(0, index_33, in_bounds_16)], in_bounds_16);
        let index_34 = offset_3 + offset_12.y * params.x_stride2 + offset_18 + offset_17;
        let in_bounds_17 = both && bitcast<u32>(offset_12.y) < bits_0 && less_1 && less_2;
        let x_33 = select(0.0, x[select(0, index_34, in_bounds_17)], in_bounds_17);
        let index_35 = offset_3 + offset_12.z * params.x_stride2 + offset_18 + offset_17;
        let in_bounds_18 = both && bitcast<u32>(offset_12.z) < bits_0 && less_1 && less_2;
        let x_34 = select(0.0, x[select(0, index_35, in_bounds_18)], in_bounds_18);
        let index_36 = offset_3 + offset_12.w * params.x_stride2 + offset_18 + offset_17;
        let in_bounds_19 = both && bitcast<u32>(offset_12.w) < bits_0 && less_1 && less_2;
        let x_35 = select(0.0, x[select(0, index_36, in_bounds_19)], in_bounds_19);
        let index_37 = offset_3 + offset_13.x * params.x_stride2 + offset_18 + offset_17;
        let in_bounds_20 = both && bitcast<u32>(offset_13.x) < bits_0 && less_1 && less_2;
        let x_36 = select(0.0, x[select(0, index_37, in_bounds_20)], in_bounds_20);
        let index_38 = offset_3 + offset_13.y * params.x_stride2 + offset_18 + offset_17;
        let in_bounds_21 = both && bitcast<u32>(offset_13.y) < bits_0 && less_1 && less_2;
        let x_37 = select(0.0, x[select(0, index_38, in_bounds_21)], in_bounds_21);
        let index_39 = offset_3 + offset_13.z * params.x_stride2 + offset_18 + offset_17;
        let in_bounds_22 = both && bitcast<u32>(offset_13.z) < bits_0 && less_1 && less_2;
        let x_38 = select(0.0, x[select(0, index_39, in_bounds_22)], in_bounds_22);
        let index_40 = offset_3 + offset_13.w * params.x_stride2 + offset_18 + offset_17;
        let in_bounds_23 = both && bitcast<u32>(offset_13.w) < bits_0 && less_1 && less_2;
        let x_39 = select(0.0, x[select(0, index_40, in_bounds_23)], in_bounds_23);
        let index_41 = offset_3 + offset_14.x * params.x_stride2 + offset_18 + offset_17;
        let in_bounds_24 = both && bitcast<u32>(offset_14.x) < bits_0 && less_1 && less_2;
        let x_40 = select(0.0, x[select(0, index_41, in_bounds_24)], in_bounds_24);
        let index_42 = offset_3 + offset_14.y * params.x_stride2 + offset_18 + offset_17;
        let in_bounds_25 = both && bitcast<u32>(offset_14.y) < bits_0 && less_1 && less_2;
        let x_41 = select(0.0, x[select(0, index_42, in_bounds_25)], in_bounds_25);
        let index_43 = offset_3 + offset_14.z * params.x_stride2 + offset_18 + offset_17;
        let in_bounds_26 = both && bitcast<u32>(offset_14.z) < bits_0 && less_1 && less_2;
        let x_42 = select(0.0, x[select(0, index_43, in_bounds_26)], in_bounds_26);
        let index_44 = offset_3 + offset_14.w * params.x_stride2 + offset_18 + offset_17;
        let in_bounds_27 = both && bitcast<u32>(offset_14.w) < bits_0 && less_1 && less_2;
        let x_43 = select(0.0, x[select(0, index_44, in_bounds_27)], in_bounds_27);
        let index_45 = offset_3 + offset_15.x * params.x_stride2 + offset_18 + offset_17;
        let in_bounds_28 = both && bitcast<u32>(offset_15.x) < bits_0 && less_1 && less_2;
        let x_44 = select(0.0, x[select(0, index_45, in_bounds_28)], in_bounds_28);
        let index_46 = offset_3 + offset_15.y * params.x_stride2 + offset_18 + offset_17;
        let in_bounds_29 = both && bitcast<u32>(offset_15.y) < bits_0 && less_1 && less_2;
        let x_45 = select(0.0, x[select(0, index_46, in_bounds_29)], in_bounds_29);
        let index_47 = offset_3 + offset_15.z * params.x_stride2 + offset_18 + offset_17;
        let in_bounds_30 = both && bitcast<u32>(offset_15.z) < bits_0 && less_1 && less_2;
        let x_46 = select(0.0, x[select(0, index_47, in_bounds_30)], in_bounds_30);
        let index_48 = offset_3 + offset_15.w * params.x_stride2 + offset_18 + offset_17;
        let in_bounds_31 = both && bitcast<u32>(offset_15.w) < bits_0 && less_1 && less_2;
        let x_47 = select(0.0, x[select(0, index_48, in_bounds_31)], in_bounds_31);
        // kernels/conv_kernel.go
        let index_49 = offset_4 + weight_start2 * params.weight_stride2 + (weight_start3 + lane_0) * params.weight_stride3;
        let in_bounds_32 = both_0 && bitcast<u32>(weight_start2) < bits_3 && bitcast<u32>(weight_start3) < bits_4;
        let weight_4 = select(vec4<f32>(0.0), weight[select(0, index_49 >> 2u, in_bounds_32)], in_bounds_32);
        let weight_5 = select(vec4<f32>(0.0), weight[select(0, (index_49 >> 2u) + (offset_5 >> 2u), in_bounds_32)], in_bounds_32);
        // kernels/conv_kernel.go
        workgroupBarrier();
        for (var i_0: i32 = 0; i_0 < 16; i_0 += 4) {
            let index_50 = i_0 * 64 + lane_1;
            let tile_a_0 = tile_a[index_50 >> 2u];
            let tile_a_1 = tile_a[(index_50 >> 2u) + 8];
            let index_51 = i_0 * 128 + lane_2;
            let tile_b_0 = tile_b[index_51];
            let tile_b_1 = tile_b[index_51 + 1];
            let tile_b_2 = tile_b[index_51 + 2];
            let tile_b_3 = tile_b[index_51 + 3];
            let tile_b_4 = tile_b[index_51 + 64];
            let tile_b_5 = tile_b[index_51 + 65];
            let tile_b_6 = tile_b[index_51 + 66];
            let tile_b_7 = tile_b[index_51 + 67];
            let lanes_3 = vec4<f32>(tile_b_0, tile_b_1, tile_b_2, tile_b_3);
            acc = fma(vec4<f32>(tile_a_0.x), lanes_3, acc);
            acc_0 = fma(vec4<f32>(tile_a_0.y), lanes_3, acc_0);
            acc_1 = fma(vec4<f32>(tile_a_0.z), lanes_3, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_0.w), lanes_3, acc_2);
            let lanes_4 = vec4<f32>(tile_b_4, tile_b_5, tile_b_6, tile_b_7);
            acc_3 = fma(vec4<f32>(tile_a_0.x), lanes_4, acc_3);
            acc_4 = fma(vec4<f32>(tile_a_0.y), lanes_4, acc_4);
            acc_5 = fma(vec4<f32>(tile_a_0.z), lanes_4, acc_5);
            acc_6 = fma(vec4<f32>(tile_a_0.w), lanes_4, acc_6);
            acc_7 = fma(vec4<f32>(tile_a_1.x), lanes_3, acc_7);
            acc_8 = fma(vec4<f32>(tile_a_1.y), lanes_3, acc_8);
            acc_9 = fma(vec4<f32>(tile_a_1.z), lanes_3, acc_9);
            acc_10 = fma(vec4<f32>(tile_a_1.w), lanes_3, acc_10);
            acc_11 = fma(vec4<f32>(tile_a_1.x), lanes_4, acc_11);
            acc_12 = fma(vec4<f32>(tile_a_1.y), lanes_4, acc_12);
            acc_13 = fma(vec4<f32>(tile_a_1.z), lanes_4, acc_13);
            acc_14 = fma(vec4<f32>(tile_a_1.w), lanes_4, acc_14);
            let tile_a_2 = tile_a[(index_50 >> 2u) + 16];
            let tile_a_3 = tile_a[(index_50 >> 2u) + 24];
            let tile_b_8 = tile_b[index_51 + 128];
            let tile_b_9 = tile_b[index_51 + 129];
            let tile_b_10 = tile_b[index_51 + 130];
            let tile_b_11 = tile_b[index_51 + 131];
            let tile_b_12 = tile_b[index_51 + 192];
            let tile_b_13 = tile_b[index_51 + 193];
            let tile_b_14 = tile_b[index_51 + 194];
            let tile_b_15 = tile_b[index_51 + 195];
            let lanes_5 = vec4<f32>(tile_b_8, tile_b_9, tile_b_10, tile_b_11);
            acc = fma(vec4<f32>(tile_a_2.x), lanes_5, acc);
            acc_0 = fma(vec4<f32>(tile_a_2.y), lanes_5, acc_0);
            acc_1 = fma(vec4<f32>(tile_a_2.z), lanes_5, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_2.w), lanes_5, acc_2);
            let lanes_6 = vec4<f32>(tile_b_12, tile_b_13, tile_b_14, tile_b_15);
            acc_3 = fma(vec4<f32>(tile_a_2.x), lanes_6, acc_3);
            acc_4 = fma(vec4<f32>(tile_a_2.y), lanes_6, acc_4);
            acc_5 = fma(vec4<f32>(tile_a_2.z), lanes_6, acc_5);
            acc_6 = fma(vec4<f32>(tile_a_2.w), lanes_6, acc_6);
            acc_7 = fma(vec4<f32>(tile_a_3.x), lanes_5, acc_7);
            acc_8 = fma(vec4<f32>(tile_a_3.y), lanes_5, acc_8);
            acc_9 = fma(vec4<f32>(tile_a_3.z), lanes_5, acc_9);
            acc_10 = fma(vec4<f32>(tile_a_3.w), lanes_5, acc_10);
            acc_11 = fma(vec4<f32>(tile_a_3.x), lanes_6, acc_11);
            acc_12 = fma(vec4<f32>(tile_a_3.y), lanes_6, acc_12);
            acc_13 = fma(vec4<f32>(tile_a_3.z), lanes_6, acc_13);
            acc_14 = fma(vec4<f32>(tile_a_3.w), lanes_6, acc_14);
            let tile_a_4 = tile_a[(index_50 >> 2u) + 32];
            let tile_a_5 = tile_a[(index_50 >> 2u) + 40];
            let tile_b_16 = tile_b[index_51 + 256];
            let tile_b_17 = tile_b[index_51 + 257];
            let tile_b_18 = tile_b[index_51 + 258];
            let tile_b_19 = tile_b[index_51 + 259];
            let tile_b_20 = tile_b[index_51 + 320];
            let tile_b_21 = tile_b[index_51 + 321];
            let tile_b_22 = tile_b[index_51 + 322];
            let tile_b_23 = tile_b[index_51 + 323];
            let lanes_7 = vec4<f32>(tile_b_16, tile_b_17, tile_b_18, tile_b_19);
            acc = fma(vec4<f32>(tile_a_4.x), lanes_7, acc);
            acc_0 = fma(vec4<f32>(tile_a_4.y), lanes_7, acc_0);
            acc_1 = fma(vec4<f32>(tile_a_4.z), lanes_7, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_4.w), lanes_7, acc_2);
            let lanes_8 = vec4<f32>(tile_b_20, tile_b_21, tile_b_22, tile_b_23);
            acc_3 = fma(vec4<f32>(tile_a_4.x), lanes_8, acc_3);
            acc_4 = fma(vec4<f32>(tile_a_4.y), lanes_8, acc_4);
            acc_5 = fma(vec4<f32>(tile_a_4.z), lanes_8, acc_5);
            acc_6 = fma(vec4<f32>(tile_a_4.w), lanes_8, acc_6);
            acc_7 = fma(vec4<f32>(tile_a_5.x), lanes_7, acc_7);
            acc_8 = fma(vec4<f32>(tile_a_5.y), lanes_7, acc_8);
            acc_9 = fma(vec4<f32>(tile_a_5.z), lanes_7, acc_9);
            acc_10 = fma(vec4<f32>(tile_a_5.w), lanes_7, acc_10);
            acc_11 = fma(vec4<f32>(tile_a_5.x), lanes_8, acc_11);
            acc_12 = fma(vec4<f32>(tile_a_5.y), lanes_8, acc_12);
            acc_13 = fma(vec4<f32>(tile_a_5.z), lanes_8, acc_13);
            acc_14 = fma(vec4<f32>(tile_a_5.w), lanes_8, acc_14);
            let tile_a_6 = tile_a[(index_50 >> 2u) + 48];
            let tile_a_7 = tile_a[(index_50 >> 2u) + 56];
            let tile_b_24 = tile_b[index_51 + 384];
            let tile_b_25 = tile_b[index_51 + 385];
            let tile_b_26 = tile_b[index_51 + 386];
            let tile_b_27 = tile_b[index_51 + 387];
            let tile_b_28 = tile_b[index_51 + 448];
            let tile_b_29 = tile_b[index_51 + 449];
            let tile_b_30 = tile_b[index_51 + 450];
            let tile_b_31 = tile_b[index_51 + 451];
            let lanes_9 = vec4<f32>(tile_b_24, tile_b_25, tile_b_26, tile_b_27);
            acc = fma(vec4<f32>(tile_a_6.x), lanes_9, acc);
            acc_0 = fma(vec4<f32>(tile_a_6.y), lanes_9, acc_0);
            acc_1 = fma(vec4<f32>(tile_a_6.z), lanes_9, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_6.w), lanes_9, acc_2);
            let lanes_10 = vec4<f32>(tile_b_28, tile_b_29, tile_b_30, tile_b_31);
            acc_3 = fma(vec4<f32>(tile_a_6.x), lanes_10, acc_3);
            acc_4 = fma(vec4<f32>(tile_a_6.y), lanes_10, acc_4);
            acc_5 = fma(vec4<f32>(tile_a_6.z), lanes_10, acc_5);
            acc_6 = fma(vec4<f32>(tile_a_6.w), lanes_10, acc_6);
            acc_7 = fma(vec4<f32>(tile_a_7.x), lanes_9, acc_7);
            acc_8 = fma(vec4<f32>(tile_a_7.y), lanes_9, acc_8);
            acc_9 = fma(vec4<f32>(tile_a_7.z), lanes_9, acc_9);
            acc_10 = fma(vec4<f32>(tile_a_7.w), lanes_9, acc_10);
            acc_11 = fma(vec4<f32>(tile_a_7.x), lanes_10, acc_11);
            acc_12 = fma(vec4<f32>(tile_a_7.y), lanes_10, acc_12);
            acc_13 = fma(vec4<f32>(tile_a_7.z), lanes_10, acc_13);
            acc_14 = fma(vec4<f32>(tile_a_7.w), lanes_10, acc_14);
        }
        x_16 = x_32;
        x_17 = x_33;
        x_18 = x_34;
        x_19 = x_35;
        x_20 = x_36;
        x_21 = x_37;
        x_22 = x_38;
        x_23 = x_39;
        x_24 = x_40;
        x_25 = x_41;
        x_26 = x_42;
        x_27 = x_43;
        x_28 = x_44;
        x_29 = x_45;
        x_30 = x_46;
        x_31 = x_47;
        weight_2 = weight_4;
        weight_3 = weight_5;
    }
    // kernels/conv_kernel.go
    let offset_19 = vec4<i32>(lane_2, lane_2 + 1, lane_2 + 2, lane_2 + 3) + vec4<i32>(offset_1);
    let offset_20 = vec4<i32>(lane_2 + 64, lane_2 + 65, lane_2 + 66, lane_2 + 67) + vec4<i32>(offset_1);
    // kernels/conv_kernel.go
    let equal = vec4<i32>(offset_0) == vec4<i32>(0);
    let equal_0 = vec4<i32>(offset_0) == vec4<i32>(-1);
    let chosen_3 = select(vec4<i32>(offset_0), vec4<i32>(1), equal | ((offset_19 == vec4<i32>(-2147483648)) & equal_0));
    let quotient_4 = offset_19 / chosen_3;
    let difference_3 = offset_19 - quotient_4 * chosen_3;
    let chosen_4 = select(vec4<i32>(offset_0), vec4<i32>(1), equal | ((offset_20 == vec4<i32>(-2147483648)) & equal_0));
    let quotient_5 = offset_20 / chosen_4;
    let difference_4 = offset_20 - quotient_5 * chosen_4;
    // kernels/conv_kernel.go
    let equal_1 = vec4<i32>(params.out_size4) == vec4<i32>(0);
    let equal_2 = vec4<i32>(params.out_size4) == vec4<i32>(-1);
    let chosen_5 = select(vec4<i32>(params.out_size4), vec4<i32>(1), equal_1 | ((difference_3 == vec4<i32>(-2147483648)) & equal_2));
    let quotient_6 = difference_3 / chosen_5;
    let chosen_6 = select(vec4<i32>(params.out_size4), vec4<i32>(1), equal_1 | ((difference_4 == vec4<i32>(-2147483648)) & equal_2));
    let quotient_7 = difference_4 / chosen_6;
    let difference_5 = difference_3 - quotient_6 * chosen_5;
    let difference_6 = difference_4 - quotient_7 * chosen_6;
    // kernels/conv_kernel.go
    let offset_21 = vec4<i32>(lane_1, lane_1 + 1, lane_1 + 2, lane_1 + 3) + vec4<i32>(weight_start1);
    let offset_22 = vec4<i32>(lane_1 + 32, lane_1 + 33, lane_1 + 34, lane_1 + 35) + vec4<i32>(weight_start1);
    // kernels/conv_kernel.go
    let less_3 = bits < bitcast<u32>(params.bias_size0);
    let bits_6 = bitcast<u32>(offset_21.x);
    let bits_7 = bitcast<u32>(params.bias_size1);
    let in_bounds_33 = less_3 && bits_6 < bits_7;
    let bias_0 = select(vec4<f32>(0.0), bias[select(0, (params.bias_offset + offset_21.x) >> 2u, in_bounds_33)], in_bounds_33);
    let bits_8 = bitcast<u32>(offset_22.x);
    let in_bounds_34 = less_3 && bits_8 < bits_7;
    let bias_1 = select(vec4<f32>(0.0), bias[select(0, (params.bias_offset + offset_22.x) >> 2u, in_bounds_34)], in_bounds_34);
    let lanes_11 = bias_0.xxxx;
    let lanes_12 = bias_0.yyyy;
    let lanes_13 = bias_0.zzzz;
    let lanes_14 = bias_0.wwww;
    let lanes_15 = bias_1.xxxx;
    let lanes_16 = bias_1.yyyy;
    let lanes_17 = bias_1.zzzz;
    let lanes_18 = bias_1.wwww;
    let sum = acc + lanes_11;
    let sum_0 = acc_0 + lanes_12;
    let sum_1 = acc_1 + lanes_13;
    let sum_2 = acc_2 + lanes_14;
    let sum_3 = acc_3 + lanes_11;
    let sum_4 = acc_4 + lanes_12;
    let sum_5 = acc_5 + lanes_13;
    let sum_6 = acc_6 + lanes_14;
    let sum_7 = acc_7 + lanes_15;
    let sum_8 = acc_8 + lanes_16;
    let sum_9 = acc_9 + lanes_17;
    let sum_10 = acc_10 + lanes_18;
    let sum_11 = acc_11 + lanes_15;
    let sum_12 = acc_12 + lanes_16;
    let sum_13 = acc_13 + lanes_17;
    let sum_14 = acc_14 + lanes_18;
    // ops/elementwise.go
    let greatest = max(sum, vec4<f32>(0.0));
    let greatest_0 = max(sum_0, vec4<f32>(0.0));
    let greatest_1 = max(sum_1, vec4<f32>(0.0));
    let greatest_2 = max(sum_2, vec4<f32>(0.0));
    let greatest_3 = max(sum_3, vec4<f32>(0.0));
    let greatest_4 = max(sum_4, vec4<f32>(0.0));
    let greatest_5 = max(sum_5, vec4<f32>(0.0));
    let greatest_6 = max(sum_6, vec4<f32>(0.0));
    let greatest_7 = max(sum_7, vec4<f32>(0.0));
    let greatest_8 = max(sum_8, vec4<f32>(0.0));
    let greatest_9 = max(sum_9, vec4<f32>(0.0));
    let greatest_10 = max(sum_10, vec4<f32>(0.0));
    let greatest_11 = max(sum_11, vec4<f32>(0.0));
    let greatest_12 = max(sum_12, vec4<f32>(0.0));
    let greatest_13 = max(sum_13, vec4<f32>(0.0));
    let greatest_14 = max(sum_14, vec4<f32>(0.0));
    // kernels/conv_kernel.go
    let offset_23 = params.out_offset + quotient_4.x * params.out_stride0;
    let bits_9 = bitcast<u32>(params.out_size0);
    let less_4 = bits < bitcast<u32>(params.out_size1);
    let both_1 = bitcast<u32>(quotient_4.x) < bits_9 && less_4;
    let offset_24 = offset_21.x * params.out_stride2;
    let bits_10 = bitcast<u32>(params.out_size2);
    let less_5 = bits_6 < bits_10;
    let offset_25 = quotient_6.x * params.out_stride3;
    let bits_11 = bitcast<u32>(params.out_size3);
    let less_6 = bitcast<u32>(quotient_6.x) < bits_11;
    let bits_12 = bitcast<u32>(params.out_size4);
    let less_7 = bitcast<u32>(difference_5.x) < bits_12;
    if (both_1 && less_5 && less_6 && less_7) {
        out[offset_23 + offset_24 + offset_25 + difference_5.x] = greatest.x;
    }
    let offset_26 = params.out_offset + quotient_4.y * params.out_stride0;
    let both_2 = bitcast<u32>(quotient_4.y) < bits_9 && less_4;
    let offset_27 = quotient_6.y * params.out_stride3;
    let less_8 = bitcast<u32>(quotient_6.y) < bits_11;
    let less_9 = bitcast<u32>(difference_5.y) < bits_12;
    if (both_2 && less_5 && less_8 && less_9) {
        out[offset_26 + offset_24 + offset_27 + difference_5.y] = greatest.y;
    }
    let offset_28 = params.out_offset + quotient_4.z * params.out_stride0;
    let both_3 = bitcast<u32>(quotient_4.z) < bits_9 && less_4;
    let offset_29 = quotient_6.z * params.out_stride3;
    let less_10 = bitcast<u32>(quotient_6.z) < bits_11;
    let less_11 = bitcast<u32>(difference_5.z) < bits_12;
    if (both_3 && less_5 && less_10 && less_11) {
        out[offset_28 + offset_24 + offset_29 + difference_5.z] = greatest.z;
    }
    let offset_30 = params.out_offset + quotient_4.w * params.out_stride0;
    let both_4 = bitcast<u32>(quotient_4.w) < bits_9 && less_4;
    let offset_31 = quotient_6.w * params.out_stride3;
    let less_12 = bitcast<u32>(quotient_6.w) < bits_11;
    let less_13 = bitcast<u32>(difference_5.w) < bits_12;
    if (both_4 && less_5 && less_12 && less_13) {
        out[offset_30 + offset_24 + offset_31 + difference_5.w] = greatest.w;
    }
    let offset_32 = offset_21.y * params.out_stride2;
    let less_14 = bitcast<u32>(offset_21.y) < bits_10;
    if (both_1 && less_14 && less_6 && less_7) {
        out[offset_23 + offset_32 + offset_25 + difference_5.x] = greatest_0.x;
    }
    if (both_2 && less_14 && less_8 && less_9) {
        out[offset_26 + offset_32 + offset_27 + difference_5.y] = greatest_0.y;
    }
    if (both_3 && less_14 && less_10 && less_11) {
        out[offset_28 + offset_32 + offset_29 + difference_5.z] = greatest_0.z;
    }
    if (both_4 && less_14 && less_12 && less_13) {
        out[offset_30 + offset_32 + offset_31 + difference_5.w] = greatest_0.w;
    }
    let offset_33 = offset_21.z * params.out_stride2;
    let less_15 = bitcast<u32>(offset_21.z) < bits_10;
    if (both_1 && less_15 && less_6 && less_7) {
        out[offset_23 + offset_33 + offset_25 + difference_5.x] = greatest_1.x;
    }
    if (both_2 && less_15 && less_8 && less_9) {
        out[offset_26 + offset_33 + offset_27 + difference_5.y] = greatest_1.y;
    }
    if (both_3 && less_15 && less_10 && less_11) {
        out[offset_28 + offset_33 + offset_29 + difference_5.z] = greatest_1.z;
    }
    if (both_4 && less_15 && less_12 && less_13) {
        out[offset_30 + offset_33 + offset_31 + difference_5.w] = greatest_1.w;
    }
    let offset_34 = offset_21.w * params.out_stride2;
    let less_16 = bitcast<u32>(offset_21.w) < bits_10;
    if (both_1 && less_16 && less_6 && less_7) {
        out[offset_23 + offset_34 + offset_25 + difference_5.x] = greatest_2.x;
    }
    if (both_2 && less_16 && less_8 && less_9) {
        out[offset_26 + offset_34 + offset_27 + difference_5.y] = greatest_2.y;
    }
    if (both_3 && less_16 && less_10 && less_11) {
        out[offset_28 + offset_34 + offset_29 + difference_5.z] = greatest_2.z;
    }
    if (both_4 && less_16 && less_12 && less_13) {
        out[offset_30 + offset_34 + offset_31 + difference_5.w] = greatest_2.w;
    }
    let offset_35 = params.out_offset + quotient_5.x * params.out_stride0;
    let both_5 = bitcast<u32>(quotient_5.x) < bits_9 && less_4;
    let offset_36 = quotient_7.x * params.out_stride3;
    let less_17 = bitcast<u32>(quotient_7.x) < bits_11;
    let less_18 = bitcast<u32>(difference_6.x) < bits_12;
    if (both_5 && less_5 && less_17 && less_18) {
        out[offset_35 + offset_24 + offset_36 + difference_6.x] = greatest_3.x;
    }
    let offset_37 = params.out_offset + quotient_5.y * params.out_stride0;
    let both_6 = bitcast<u32>(quotient_5.y) < bits_9 && less_4;
    let offset_38 = quotient_7.y * params.out_stride3;
    let less_19 = bitcast<u32>(quotient_7.y) < bits_11;
    let less_20 = bitcast<u32>(difference_6.y) < bits_12;
    if (both_6 && less_5 && less_19 && less_20) {
        out[offset_37 + offset_24 + offset_38 + difference_6.y] = greatest_3.y;
    }
    let offset_39 = params.out_offset + quotient_5.z * params.out_stride0;
    let both_7 = bitcast<u32>(quotient_5.z) < bits_9 && less_4;
    let offset_40 = quotient_7.z * params.out_stride3;
    let less_21 = bitcast<u32>(quotient_7.z) < bits_11;
    let less_22 = bitcast<u32>(difference_6.z) < bits_12;
    if (both_7 && less_5 && less_21 && less_22) {
        out[offset_39 + offset_24 + offset_40 + difference_6.z] = greatest_3.z;
    }
    let offset_41 = params.out_offset + quotient_5.w * params.out_stride0;
    let both_8 = bitcast<u32>(quotient_5.w) < bits_9 && less_4;
    let offset_42 = quotient_7.w * params.out_stride3;
    let less_23 = bitcast<u32>(quotient_7.w) < bits_11;
    let less_24 = bitcast<u32>(difference_6.w) < bits_12;
    if (both_8 && less_5 && less_23 && less_24) {
        out[offset_41 + offset_24 + offset_42 + difference_6.w] = greatest_3.w;
    }
    if (both_5 && less_14 && less_17 && less_18) {
        out[offset_35 + offset_32 + offset_36 + difference_6.x] = greatest_4.x;
    }
    if (both_6 && less_14 && less_19 && less_20) {
        out[offset_37 + offset_32 + offset_38 + difference_6.y] = greatest_4.y;
    }
    if (both_7 && less_14 && less_21 && less_22) {
        out[offset_39 + offset_32 + offset_40 + difference_6.z] = greatest_4.z;
    }
    if (both_8 && less_14 && less_23 && less_24) {
        out[offset_41 + offset_32 + offset_42 + difference_6.w] = greatest_4.w;
    }
    if (both_5 && less_15 && less_17 && less_18) {
        out[offset_35 + offset_33 + offset_36 + difference_6.x] = greatest_5.x;
    }
    if (both_6 && less_15 && less_19 && less_20) {
        out[offset_37 + offset_33 + offset_38 + difference_6.y] = greatest_5.y;
    }
    if (both_7 && less_15 && less_21 && less_22) {
        out[offset_39 + offset_33 + offset_40 + difference_6.z] = greatest_5.z;
    }
    if (both_8 && less_15 && less_23 && less_24) {
        out[offset_41 + offset_33 + offset_42 + difference_6.w] = greatest_5.w;
    }
    if (both_5 && less_16 && less_17 && less_18) {
        out[offset_35 + offset_34 + offset_36 + difference_6.x] = greatest_6.x;
    }
    if (both_6 && less_16 && less_19 && less_20) {
        out[offset_37 + offset_34 + offset_38 + difference_6.y] = greatest_6.y;
    }
    if (both_7 && less_16 && less_21 && less_22) {
        out[offset_39 + offset_34 + offset_40 + difference_6.z] = greatest_6.z;
    }
    if (both_8 && less_16 && less_23 && less_24) {
        out[offset_41 + offset_34 + offset_42 + difference_6.w] = greatest_6.w;
    }
    let offset_43 = offset_22.x * params.out_stride2;
    let less_25 = bits_8 < bits_10;
    if (both_1 && less_25 && less_6 && less_7) {
        out[offset_23 + offset_43 + offset_25 + difference_5.x] = greatest_7.x;
    }
    if (both_2 && less_25 && less_8 && less_9) {
        out[offset_26 + offset_43 + offset_27 + difference_5.y] = greatest_7.y;
    }
    if (both_3 && less_25 && less_10 && less_11) {
        out[offset_28 + offset_43 + offset_29 + difference_5.z] = greatest_7.z;
    }
    if (both_4 && less_25 && less_12 && less_13) {
        out[offset_30 + offset_43 + offset_31 + difference_5.w] = greatest_7.w;
    }
    let offset_44 = offset_22.y * params.out_stride2;
    let less_26 = bitcast<u32>(offset_22.y) < bits_10;
    if (both_1 && less_26 && less_6 && less_7) {
        out[offset_23 + offset_44 + offset_25 + difference_5.x] = greatest_8.x;
    }
    if (both_2 && less_26 && less_8 && less_9) {
        out[offset_26 + offset_44 + offset_27 + difference_5.y] = greatest_8.y;
    }
    if (both_3 && less_26 && less_10 && less_11) {
        out[offset_28 + offset_44 + offset_29 + difference_5.z] = greatest_8.z;
    }
    if (both_4 && less_26 && less_12 && less_13) {
        out[offset_30 + offset_44 + offset_31 + difference_5.w] = greatest_8.w;
    }
    let offset_45 = offset_22.z * params.out_stride2;
    let less_27 = bitcast<u32>(offset_22.z) < bits_10;
    if (both_1 && less_27 && less_6 && less_7) {
        out[offset_23 + offset_45 + offset_25 + difference_5.x] = greatest_9.x;
    }
    if (both_2 && less_27 && less_8 && less_9) {
        out[offset_26 + offset_45 + offset_27 + difference_5.y] = greatest_9.y;
    }
    if (both_3 && less_27 && less_10 && less_11) {
        out[offset_28 + offset_45 + offset_29 + difference_5.z] = greatest_9.z;
    }
    if (both_4 && less_27 && less_12 && less_13) {
        out[offset_30 + offset_45 + offset_31 + difference_5.w] = greatest_9.w;
    }
    let offset_46 = offset_22.w * params.out_stride2;
    let less_28 = bitcast<u32>(offset_22.w) < bits_10;
    if (both_1 && less_28 && less_6 && less_7) {
        out[offset_23 + offset_46 + offset_25 + difference_5.x] = greatest_10.x;
    }
    if (both_2 && less_28 && less_8 && less_9) {
        out[offset_26 + offset_46 + offset_27 + difference_5.y] = greatest_10.y;
    }
    if (both_3 && less_28 && less_10 && less_11) {
        out[offset_28 + offset_46 + offset_29 + difference_5.z] = greatest_10.z;
    }
    if (both_4 && less_28 && less_12 && less_13) {
        out[offset_30 + offset_46 + offset_31 + difference_5.w] = greatest_10.w;
    }
    if (both_5 && less_25 && less_17 && less_18) {
        out[offset_35 + offset_43 + offset_36 + difference_6.x] = greatest_11.x;
    }
    if (both_6 && less_25 && less_19 && less_20) {
        out[offset_37 + offset_43 + offset_38 + difference_6.y] = greatest_11.y;
    }
    if (both_7 && less_25 && less_21 && less_22) {
        out[offset_39 + offset_43 + offset_40 + difference_6.z] = greatest_11.z;
    }
    if (both_8 && less_25 && less_23 && less_24) {
        out[offset_41 + offset_43 + offset_42 + difference_6.w] = greatest_11.w;
    }
    if (both_5 && less_26 && less_17 && less_18) {
        out[offset_35 + offset_44 + offset_36 + difference_6.x] = greatest_12.x;
    }
    if (both_6 && less_26 && less_19 && less_20) {
        out[offset_37 + offset_44 + offset_38 + difference_6.y] = greatest_12.y;
    }
    if (both_7 && less_26 && less_21 && less_22) {
        out[offset_39 + offset_44 + offset_40 + difference_6.z] = greatest_12.z;
    }
    if (both_8 && less_26 && less_23 && less_24) {
        out[offset_41 + offset_44 + offset_42 + difference_6.w] = greatest_12.w;
    }
    if (both_5 && less_27 && less_17 && less_18) {
        out[offset_35 + offset_45 + offset_36 + difference_6.x] = greatest_13.x;
    }
    if (both_6 && less_27 && less_19 && less_20) {
        out[offset_37 + offset_45 + offset_38 + difference_6.y] = greatest_13.y;
    }
    if (both_7 && less_27 && less_21 && less_22) {
        out[offset_39 + offset_45 + offset_40 + difference_6.z] = greatest_13.z;
    }
    if (both_8 && less_27 && less_23 && less_24) {
        out[offset_41 + offset_45 + offset_42 + difference_6.w] = greatest_13.w;
    }
    if (both_5 && less_28 && less_17 && less_18) {
        out[offset_35 + offset_46 + offset_36 + difference_6.x] = greatest_14.x;
    }
    if (both_6 && less_28 && less_19 && less_20) {
        out[offset_37 + offset_46 + offset_38 + difference_6.y] = greatest_14.y;
    }
    if (both_7 && less_28 && less_21 && less_22) {
        out[offset_39 + offset_46 + offset_40 + difference_6.z] = greatest_14.z;
    }
    if (both_8 && less_28 && less_23 && less_24) {
        out[offset_41 + offset_46 + offset_42 + difference_6.w] = greatest_14.w;
    }
}
