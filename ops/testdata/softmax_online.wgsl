@group(0) @binding(0) var<storage, read> x: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> out: array<vec2<f32>>;
var<workgroup> parts: array<f32, 128>; // kernels/softmax_kernel.go: partial results of reduce.max; partial results of reduce.sum (kernels/softmax_kernel.go)
var<workgroup> parts_0: array<f32, 16>; // kernels/softmax_kernel.go: partial results of reduce.max; partial results of reduce.sum (kernels/softmax_kernel.go)

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
    // kernels/softmax_kernel.go
    let quotient = (params.out_size1 + 255) / 256;
    // kernels/softmax_kernel.go
    let offset = params.x_offset + program * params.x_stride0;
    let bits = bitcast<u32>(program);
    let less = bits < bitcast<u32>(params.x_size0);
    let lane = thread << 1u;
    let bits_0 = bitcast<u32>(params.x_size1);
    // kernels/softmax_kernel.go
    var carried: vec2<f32> = vec2<f32>(-3.4028234663852886e38f);
    var carried_0: vec2<f32> = vec2<f32>(0.0);
    for (var i: i32 = 0; i < quotient; i += 1) {
        // kernels/softmax_kernel.go
        let x_start1 = i * 256;
        let in_bounds = less && bitcast<u32>(x_start1) < bits_0;
        let x_0 = select(vec2<f32>(f32_from_bits(0xff800000u)), x[select(0, (offset >> 1u) + i * 128 + thread, in_bounds)], in_bounds);
        // kernels/softmax_kernel.go
        let difference = x_0 - carried;
        // kernels/softmax_kernel.go
        let negated = -abs(difference);
        // kernels/softmax_kernel.go
        let power = exp(negated);
        // kernels/softmax_kernel.go
        let chosen = select(carried_0 + power, fma(carried_0, power, vec2<f32>(1.0)), x_0 > carried);
        carried = max(carried, x_0);
        carried_0 = chosen;
    }
    // kernels/softmax_kernel.go
    parts[thread] = max(carried.x, carried.y);
    let index = thread & 15;
    workgroupBarrier();
    let parts_1 = parts[index];
    let index_0 = index + 16;
    let parts_2 = parts[index_0];
    let index_1 = index + 32;
    let parts_3 = parts[index_1];
    let index_2 = index + 48;
    let parts_4 = parts[index_2];
    let index_3 = index + 64;
    let parts_5 = parts[index_3];
    let index_4 = index + 80;
    let parts_6 = parts[index_4];
    let greatest = max(max(max(max(max(parts_1, parts_2), parts_3), parts_4), parts_5), parts_6);
    let index_5 = index + 96;
    let parts_7 = parts[index_5];
    let index_6 = index + 112;
    let parts_8 = parts[index_6];
    let in_bounds_0 = thread < 16;
    if (in_bounds_0) {
        parts_0[index] = max(max(greatest, parts_7), parts_8);
    }
    workgroupBarrier();
    let parts_9 = parts_0[0];
    let parts_10 = parts_0[1];
    let parts_11 = parts_0[2];
    let parts_12 = parts_0[3];
    let parts_13 = parts_0[4];
    let greatest_0 = max(max(max(max(parts_9, parts_10), parts_11), parts_12), parts_13);
    let parts_14 = parts_0[5];
    let parts_15 = parts_0[6];
    let parts_16 = parts_0[7];
    let parts_17 = parts_0[8];
    let greatest_1 = max(max(max(max(greatest_0, parts_14), parts_15), parts_16), parts_17);
    let parts_18 = parts_0[9];
    let parts_19 = parts_0[10];
    let parts_20 = parts_0[11];
    let parts_21 = parts_0[12];
    let greatest_2 = max(max(max(max(greatest_1, parts_18), parts_19), parts_20), parts_21);
    let parts_22 = parts_0[13];
    let parts_23 = parts_0[14];
    let parts_24 = parts_0[15];
    let greatest_3 = max(max(max(greatest_2, parts_22), parts_23), parts_24);
    // kernels/softmax_kernel.go
    let difference_0 = carried - vec2<f32>(greatest_3);
    // kernels/softmax_kernel.go
    let power_0 = exp(difference_0);
    // kernels/softmax_kernel.go
    let product = carried_0 * power_0;
    parts[thread] = product.x + product.y;
    workgroupBarrier();
    let parts_25 = parts[index];
    let parts_26 = parts[index_0];
    let parts_27 = parts[index_1];
    let parts_28 = parts[index_2];
    let parts_29 = parts[index_3];
    let parts_30 = parts[index_4];
    let parts_31 = parts[index_5];
    let sum = parts_25 + parts_26 + parts_27 + parts_28 + parts_29 + parts_30 + parts_31;
    let parts_32 = parts[index_6];
    if (in_bounds_0) {
        parts_0[index] = sum + parts_32;
    }
    workgroupBarrier();
    let parts_33 = parts_0[0];
    let parts_34 = parts_0[1];
    let parts_35 = parts_0[2];
    let parts_36 = parts_0[3];
    let parts_37 = parts_0[4];
    let parts_38 = parts_0[5];
    let parts_39 = parts_0[6];
    let sum_0 = parts_33 + parts_34 + parts_35 + parts_36 + parts_37 + parts_38 + parts_39;
    let parts_40 = parts_0[7];
    let parts_41 = parts_0[8];
    let parts_42 = parts_0[9];
    let parts_43 = parts_0[10];
    let parts_44 = parts_0[11];
    let parts_45 = parts_0[12];
    let sum_1 = sum_0 + parts_40 + parts_41 + parts_42 + parts_43 + parts_44 + parts_45;
    let parts_46 = parts_0[13];
    let parts_47 = parts_0[14];
    let parts_48 = parts_0[15];
    let sum_2 = sum_1 + parts_46 + parts_47 + parts_48;
    // kernels/softmax_kernel.go
    let quotient_0 = 1.0 / sum_2;
    // kernels/softmax_kernel.go
    let less_0 = bitcast<u32>(sum_2) + 4294967295u < 2139095039u;
    // kernels/softmax_kernel.go
    let chosen_0 = select(f32_from_bits(0x7fc00000u), quotient_0, less_0);
    // kernels/softmax_kernel.go
    // kernels/softmax_kernel.go
    let offset_0 = params.out_offset + program * params.out_stride0;
    let in_bounds_1 = bits < bitcast<u32>(params.out_size0);
    // kernels/softmax_kernel.go
    for (var i_0: i32 = 0; i_0 < quotient; i_0 += 1) {
        // kernels/softmax_kernel.go
        let x_start1_0 = i_0 * 256;
        let offset_1 = x_start1_0 + lane;
        let in_bounds_2 = less && bitcast<u32>(x_start1_0) < bits_0;
        let x_1 = select(vec2<f32>(f32_from_bits(0xff800000u)), x[select(0, (offset >> 1u) + (offset_1 >> 1u), in_bounds_2)], in_bounds_2);
        // kernels/softmax_kernel.go
        let difference_1 = x_1 - vec2<f32>(greatest_3);
        // kernels/softmax_kernel.go
        let power_1 = exp(difference_1);
        // kernels/softmax_kernel.go
        let product_0 = power_1 * vec2<f32>(chosen_0);
        // kernels/softmax_kernel.go
        if (in_bounds_1) {
            out[(offset_0 >> 1u) + (offset_1 >> 1u)] = product_0;
        }
    }
}
