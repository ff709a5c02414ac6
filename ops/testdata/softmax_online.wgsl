@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> out: array<vec4<f32>>;
var<workgroup> parts: array<f32, 64>; // kernels/softmax_kernel.go: partial results of reduce.max; partial results of reduce.sum (kernels/softmax_kernel.go)
var<workgroup> parts_0: array<f32, 8>; // kernels/softmax_kernel.go: partial results of reduce.max; partial results of reduce.sum (kernels/softmax_kernel.go)

struct Params {
    x_offset: i32,
    x_size0: i32,
    x_size1: i32,
    x_stride0: i32,
    out_offset: i32,
    out_size1: i32,
    out_stride0: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

// Numbers that WGSL does not allow as constants.
fn f32_from_bits(bits: u32) -> f32 {
    return bitcast<f32>(bits);
}

@compute @workgroup_size(64, 1, 1)
fn softmax_online(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/softmax_kernel.go
    let quotient = (params.out_size1 + 255) / 256;
    // kernels/softmax_kernel.go
    let offset = params.x_offset + program * params.x_stride0;
    let less = bitcast<u32>(program) < bitcast<u32>(params.x_size0);
    let lane = thread << 2u;
    let bits = bitcast<u32>(params.x_size1);
    // kernels/softmax_kernel.go
    var carried: vec4<f32> = vec4<f32>(-3.4028234663852886e38f);
    var carried_0: vec4<f32> = vec4<f32>(0.0);
    for (var i: i32 = 0; i < quotient; i += 1) {
        // kernels/softmax_kernel.go
        let x_start1 = i * 256;
        let in_bounds = less && bitcast<u32>(x_start1) < bits;
        let x_0 = select(vec4<f32>(f32_from_bits(0xff800000u)), x[select(0, (offset >> 2u) + i * 64 + thread, in_bounds)], in_bounds);
        // kernels/softmax_kernel.go
        let difference = x_0 - carried;
        // kernels/softmax_kernel.go
        let negated = -abs(difference);
        // kernels/softmax_kernel.go
        let power = exp(negated);
        // kernels/softmax_kernel.go
        let chosen = select(carried_0 + power, fma(carried_0, power, vec4<f32>(1.0)), x_0 > carried);
        carried = max(carried, x_0);
        carried_0 = chosen;
    }
    // kernels/softmax_kernel.go
    parts[thread] = max(max(carried.x, carried.z), max(carried.y, carried.w));
    let index = thread & 7;
    workgroupBarrier();
    let parts_1 = parts[index];
    let index_0 = index + 8;
    let parts_2 = parts[index_0];
    let index_1 = index + 16;
    let parts_3 = parts[index_1];
    let index_2 = index + 24;
    let parts_4 = parts[index_2];
    let index_3 = index + 32;
    let parts_5 = parts[index_3];
    let index_4 = index + 40;
    let parts_6 = parts[index_4];
    let greatest = max(max(max(max(max(parts_1, parts_2), parts_3), parts_4), parts_5), parts_6);
    let index_5 = index + 48;
    let parts_7 = parts[index_5];
    let index_6 = index + 56;
    let parts_8 = parts[index_6];
    let in_bounds_0 = thread < 8;
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
    let greatest_1 = max(max(max(greatest_0, parts_14), parts_15), parts_16);
    // kernels/softmax_kernel.go
    let difference_0 = carried - vec4<f32>(greatest_1);
    // kernels/softmax_kernel.go
    let power_0 = exp(difference_0);
    // kernels/softmax_kernel.go
    let product = carried_0 * power_0;
    parts[thread] = product.x + product.z + (product.y + product.w);
    workgroupBarrier();
    let parts_17 = parts[index];
    let parts_18 = parts[index_0];
    let parts_19 = parts[index_1];
    let parts_20 = parts[index_2];
    let parts_21 = parts[index_3];
    let parts_22 = parts[index_4];
    let parts_23 = parts[index_5];
    let sum = parts_17 + parts_18 + parts_19 + parts_20 + parts_21 + parts_22 + parts_23;
    let parts_24 = parts[index_6];
    if (in_bounds_0) {
        parts_0[index] = sum + parts_24;
    }
    workgroupBarrier();
    let parts_25 = parts_0[0];
    let parts_26 = parts_0[1];
    let parts_27 = parts_0[2];
    let parts_28 = parts_0[3];
    let parts_29 = parts_0[4];
    let parts_30 = parts_0[5];
    let parts_31 = parts_0[6];
    let sum_0 = parts_25 + parts_26 + parts_27 + parts_28 + parts_29 + parts_30 + parts_31;
    let parts_32 = parts_0[7];
    let sum_1 = sum_0 + parts_32;
    // kernels/softmax_kernel.go
    let quotient_0 = 1.0 / sum_1;
    // kernels/softmax_kernel.go
    let less_0 = bitcast<u32>(sum_1) + 4294967295u < 2139095039u;
    // kernels/softmax_kernel.go
    let chosen_0 = select(f32_from_bits(0x7fc00000u), quotient_0, less_0);
    // kernels/whole_row.go
    let quotient_1 = (quotient + 1) / 2;
    // kernels/softmax_kernel.go
    // kernels/softmax_kernel.go
    let offset_0 = params.out_offset + program * params.out_stride0;
    let bits_0 = bitcast<u32>(params.out_size1);
    // kernels/whole_row.go
    for (var i_0: i32 = 0; i_0 < 2; i_0 += 1) {
        // kernels/whole_row.go
        let offset_1 = quotient_1 * (-i_0 + 1);
        // kernels/whole_row.go
        let end = min(offset_1 + quotient_1, quotient);
        for (var i_1: i32 = offset_1; i_1 < end; i_1 += 1) {
            // kernels/softmax_kernel.go
            let x_start1_0 = i_1 * 256;
            let offset_2 = x_start1_0 + lane;
            let bits_1 = bitcast<u32>(x_start1_0);
            let in_bounds_1 = less && bits_1 < bits;
            let x_1 = select(vec4<f32>(f32_from_bits(0xff800000u)), x[select(0, (offset >> 2u) + (offset_2 >> 2u), in_bounds_1)], in_bounds_1);
            // kernels/softmax_kernel.go
            let difference_1 = x_1 - vec4<f32>(greatest_1);
            // kernels/softmax_kernel.go
            let power_1 = exp(difference_1);
            // kernels/softmax_kernel.go
            let product_0 = power_1 * vec4<f32>(chosen_0);
            // kernels/softmax_kernel.go
            if (bits_1 < bits_0) {
                out[(offset_0 >> 2u) + (offset_2 >> 2u)] = product_0;
            }
        }
    }
}
