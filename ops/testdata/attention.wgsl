@group(0) @binding(0) var<storage, read> q: array<f32>;
@group(0) @binding(1) var<storage, read> k: array<f32>;
@group(0) @binding(2) var<storage, read> v: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> mask: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> out: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> lse: array<vec2<f32>>;
var<workgroup> tile_b: array<vec4<f32>, 128>; // kernels/attention_kernel.go: operand b of the product
var<workgroup> scratch: array<f32, 256>; // kernels/attention_kernel.go: partial results of reduce.max; partial results of reduce.sum (kernels/attention_kernel.go); partial results of reduce.sum (kernels/attention_hidden.go); the first thread's element (kernels/attention_hidden.go); operand b of the product (kernels/attention_kernel.go); operand a of the product (kernels/attention_hidden.go); operand a of the product (kernels/attention_hidden.go)
var<workgroup> scratch_0: array<vec2<f32>, 512>; // kernels/attention_kernel.go: operand a of the product; elements change threads (kernels/attention_hidden.go); operand b of the product (kernels/attention_hidden.go); operand b of the product (kernels/attention_hidden.go)
var<workgroup> scratch_1: array<vec4<f32>, 256>; // kernels/attention_kernel.go: operand a of the product (kernels/attention_kernel.go); operand b of the product

struct Params {
    q_offset: i32,
    q_size0: i32,
    q_size1: i32,
    q_size2: i32,
    q_size3: i32,
    q_stride0: i32,
    q_stride1: i32,
    q_stride2: i32,
    k_offset: i32,
    k_size0: i32,
    k_size1: i32,
    k_size2: i32,
    k_size3: i32,
    k_stride0: i32,
    k_stride1: i32,
    k_stride2: i32,
    v_offset: i32,
    v_size0: i32,
    v_size1: i32,
    v_size2: i32,
    v_size3: i32,
    v_stride0: i32,
    v_stride1: i32,
    v_stride2: i32,
    mask_offset: i32,
    mask_size0: i32,
    mask_size1: i32,
    mask_size2: i32,
    mask_size3: i32,
    mask_stride0: i32,
    mask_stride1: i32,
    mask_stride2: i32,
    out_offset: i32,
    out_size0: i32,
    out_size1: i32,
    out_size2: i32,
    out_size3: i32,
    out_stride0: i32,
    out_stride1: i32,
    out_stride2: i32,
    lse_offset: i32,
    lse_size0: i32,
    lse_size1: i32,
    lse_size2: i32,
    lse_stride0: i32,
    lse_stride1: i32,
    scale: f32,
    last: i32,
}
@group(0) @binding(6) var<uniform> params: Params;

// Numbers that WGSL does not allow as constants.
fn f32_from_bits(bits: u32) -> f32 {
    return bitcast<f32>(bits);
}

// Holds for NaN also where the device assumes that there is none.
fn is_nan_x4(x: vec4<f32>) -> vec4<bool> {
    return (bitcast<vec4<u32>>(x) & vec4<u32>(0x7fffffffu)) > vec4<u32>(0x7f800000u);
}

// Truncates and saturates; NaN gives 0.
fn f32_to_i32_x4(x: vec4<f32>) -> vec4<i32> {
    let inside = vec4<i32>(clamp(x, vec4<f32>(-2147483648.0), vec4<f32>(2147483520.0)));
    return select(select(inside, vec4<i32>(2147483647), x >= vec4<f32>(2147483648.0)), vec4<i32>(0), is_nan_x4(x));
}

@compute @workgroup_size(128, 1, 1)
fn attention(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/attention_kernel.go
    let quotient = (params.out_size2 + 31) / 32;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let quotient_0 = program / chosen;
    let chosen_0 = select(params.out_size1, 1, params.out_size1 == 0);
    let q_start1 = quotient_0 % chosen_0;
    let q_start0 = quotient_0 / chosen_0;
    // kernels/attention_kernel.go
    let difference = quotient + -1 - remainder;
    // kernels/attention_kernel.go
    let quotient_1 = params.q_size1 / select(params.k_size1, 1, params.k_size1 == 0);
    let k_start1 = q_start1 / select(quotient_1, 1, quotient_1 == 0);
    // kernels/attention_kernel.go
    let q_start2 = difference * 32;
    // kernels/attention_kernel.go
    let shifted = thread >> 1u;
    let offset = (thread & 2) + (shifted & 4);
    let shifted_0 = thread >> 2u;
    let lane = offset + (shifted_0 & 24);
    let offset_0 = vec2<i32>(lane, lane + 1) + vec2<i32>(q_start2);
    // kernels/attention_kernel.go
    let offset_1 = params.last + 1;
    // kernels/attention_kernel.go
    let least = min(offset_0 + vec2<i32>(offset_1), vec2<i32>(params.k_size2));
    // kernels/attention_kernel.go
    let greatest = max(min(q_start2 + params.last + 32, params.k_size2), 0);
    let quotient_2 = (greatest + 31) / 32;
    // kernels/attention_kernel.go
    let greatest_0 = max(min(q_start2 + offset_1, params.k_size2), 0);
    let quotient_3 = greatest_0 / 32;
    // kernels/attention_kernel.go
    let quotient_4 = (params.q_size3 + 15) / 16;
    // kernels/attention_kernel.go
    let bits = bitcast<u32>(q_start0);
    let offset_2 = params.q_offset + q_start0 * params.q_stride0 + q_start1 * params.q_stride1;
    let bits_0 = bitcast<u32>(q_start1);
    let lane_0 = shifted_0 & 28;
    let offset_3 = offset_2 + (q_start2 + lane_0) * params.q_stride2;
    let bits_1 = bitcast<u32>(q_start2);
    let lane_1 = thread & 15;
    let both = bits < bitcast<u32>(params.q_size0) && bits_0 < bitcast<u32>(params.q_size1);
    let in_bounds = both && bits_1 < bitcast<u32>(params.q_size2);
    let offset_4 = params.q_stride2 * 2;
    let offset_5 = params.q_stride2 * 3;
    // kernels/attention_kernel.go
    let offset_6 = params.k_offset + q_start0 * params.k_stride0 + k_start1 * params.k_stride1;
    let bits_2 = bitcast<u32>(k_start1);
    let bits_3 = bitcast<u32>(params.k_size2);
    let bits_4 = bitcast<u32>(params.k_size3);
    let both_0 = bits < bitcast<u32>(params.k_size0) && bits_2 < bitcast<u32>(params.k_size1);
    let offset_7 = params.k_stride2 * 2;
    let offset_8 = params.k_stride2 * 3;
    // kernels/attention_kernel.go
    let offset_9 = lane_1 * 8;
    let both_1 = thread & 96;
    let shifted_1 = both_1 << 2u;
    let index = offset_9 + (shifted_0 & 4) + shifted_1;
    let index_0 = lane_1 * 32 + lane_0;
    let offset_10 = offset + shifted_1;
    let both_2 = thread & 1;
    let both_3 = thread & 4;
    let lane_2 = (both_2 << 2u) + (both_3 << 1u) + (thread & 16);
    // kernels/attention_kernel.go
    // kernels/attention_kernel.go
    let offset_11 = params.mask_offset + q_start0 * params.mask_stride0 + q_start1 * params.mask_stride1;
    let offset_12 = q_start2 + lane;
    let offset_13 = offset_11 + offset_12 * params.mask_stride2;
    let bits_5 = bitcast<u32>(params.mask_size3);
    let both_4 = bits < bitcast<u32>(params.mask_size0) && bits_0 < bitcast<u32>(params.mask_size1);
    let both_5 = both_4 && bits_1 < bitcast<u32>(params.mask_size2);
    // kernels/attention_kernel.go
    let index_1 = thread + 128;
    let index_2 = thread & 106;
    let index_3 = index_2 + 1;
    let index_4 = index_2 + 4;
    let index_5 = index_2 + 5;
    let index_6 = index_2 + 16;
    let index_7 = index_2 + 17;
    let index_8 = index_2 + 20;
    let index_9 = index_2 + 21;
    let index_10 = index_2 + 128;
    let index_11 = index_2 + 129;
    let index_12 = index_2 + 132;
    let index_13 = index_2 + 133;
    let index_14 = index_2 + 144;
    let index_15 = index_2 + 145;
    let index_16 = index_2 + 148;
    let index_17 = index_2 + 149;
    // kernels/attention_kernel.go
    let offset_14 = params.v_offset + q_start0 * params.v_stride0 + k_start1 * params.v_stride1;
    let bits_6 = bitcast<u32>(params.v_size2);
    let bits_7 = bitcast<u32>(params.v_size3);
    let less = 0u < bits_7;
    let both_6 = bits < bitcast<u32>(params.v_size0) && bits_2 < bitcast<u32>(params.v_size1);
    // kernels/attention_kernel.go
    let index_18 = lane_2 * 32 + lane;
    let index_19 = index_18 + 32;
    let index_20 = index_18 + 64;
    let index_21 = index_18 + 96;
    let index_22 = lane * 32 + lane_2;
    let index_23 = index_22 + 32;
    // kernels/attention_kernel.go
    let offset_15 = 32 + lane_2;
    let less_0 = 32u < bits_7;
    let offset_16 = 64 + lane_2;
    let less_1 = 64u < bits_7;
    let offset_17 = 96 + lane_2;
    let less_2 = 96u < bits_7;
    // kernels/attention_kernel.go
    var acc: vec2<f32> = vec2<f32>(-3.4028234663852886e38f);
    var acc_0: vec2<f32> = vec2<f32>(0.0);
    var acc_1: vec4<f32> = vec4<f32>(0.0);
    var acc_2: vec4<f32> = vec4<f32>(0.0);
    var acc_3: vec4<f32> = vec4<f32>(0.0);
    var acc_4: vec4<f32> = vec4<f32>(0.0);
    var acc_5: vec4<f32> = vec4<f32>(0.0);
    var acc_6: vec4<f32> = vec4<f32>(0.0);
    var acc_7: vec4<f32> = vec4<f32>(0.0);
    var acc_8: vec4<f32> = vec4<f32>(0.0);
    for (var i: i32 = 0; i < quotient_2; i += 1) {
        // kernels/attention_kernel.go
        let k_start2 = i * 32;
        let offset_18 = offset_6 + (k_start2 + lane_0) * params.k_stride2;
        let bits_8 = bitcast<u32>(k_start2);
        let both_7 = both_0 && bits_8 < bits_3;
        // kernels/attention_kernel.go
        var acc_9: vec4<f32> = vec4<f32>(0.0);
        var acc_10: vec4<f32> = vec4<f32>(0.0);
        for (var i_0: i32 = 0; i_0 < quotient_4; i_0 += 1) {
            // kernels/attention_kernel.go
            let q_start3 = i_0 * 16;
            let offset_19 = q_start3 + lane_1;
            let index_24 = offset_3 + offset_19;
            let q_0 = select(0.0, q[select(0, index_24, in_bounds)], in_bounds);
            let q_1 = select(0.0, q[select(0, index_24 + params.q_stride2, in_bounds)], in_bounds);
            let q_2 = select(0.0, q[select(0, index_24 + offset_4, in_bounds)], in_bounds);
            let q_3 = select(0.0, q[select(0, index_24 + offset_5, in_bounds)], in_bounds);
            let lanes = vec4<f32>(q_0, q_1, q_2, q_3);
            // kernels/attention_kernel.go
            let index_25 = offset_18 + offset_19;
            let in_bounds_0 = both_7 && bitcast<u32>(q_start3) < bits_4;
            let k_0 = select(0.0, k[select(0, index_25, in_bounds_0)], in_bounds_0);
            let k_1 = select(0.0, k[select(0, index_25 + params.k_stride2, in_bounds_0)], in_bounds_0);
            let k_2 = select(0.0, k[select(0, index_25 + offset_7, in_bounds_0)], in_bounds_0);
            let k_3 = select(0.0, k[select(0, index_25 + offset_8, in_bounds_0)], in_bounds_0);
            let lanes_0 = vec4<f32>(k_0, k_1, k_2, k_3);
            // kernels/attention_kernel.go
            workgroupBarrier();
            scratch_1[index >> 2u] = lanes;
            tile_b[index_0 >> 2u] = lanes_0;
            workgroupBarrier();
            for (var i_1: i32 = 0; i_1 < 16; i_1 += 4) {
                let index_26 = i_1 * 8 + offset_10;
                let quad = scratch_1[index_26 >> 2u];
                let tile_a = select(quad.xy, quad.zw, (index_26 & 2) != 0);
                let index_27 = i_1 * 32 + lane_2;
                let tile_b_0 = tile_b[index_27 >> 2u];
                acc_9 = fma(vec4<f32>(tile_a.x), tile_b_0, acc_9);
                acc_10 = fma(vec4<f32>(tile_a.y), tile_b_0, acc_10);
                let index_28 = index_26 + 8;
                let quad_0 = scratch_1[index_28 >> 2u];
                let tile_a_0 = select(quad_0.xy, quad_0.zw, (index_28 & 2) != 0);
                let tile_b_1 = tile_b[(index_27 >> 2u) + 8];
                acc_9 = fma(vec4<f32>(tile_a_0.x), tile_b_1, acc_9);
                acc_10 = fma(vec4<f32>(tile_a_0.y), tile_b_1, acc_10);
                let index_29 = index_26 + 16;
                let quad_1 = scratch_1[index_29 >> 2u];
                let tile_a_1 = select(quad_1.xy, quad_1.zw, (index_29 & 2) != 0);
                let tile_b_2 = tile_b[(index_27 >> 2u) + 16];
                acc_9 = fma(vec4<f32>(tile_a_1.x), tile_b_2, acc_9);
                acc_10 = fma(vec4<f32>(tile_a_1.y), tile_b_2, acc_10);
                let index_30 = index_26 + 24;
                let quad_2 = scratch_1[index_30 >> 2u];
                let tile_a_2 = select(quad_2.xy, quad_2.zw, (index_30 & 2) != 0);
                let tile_b_3 = tile_b[(index_27 >> 2u) + 24];
                acc_9 = fma(vec4<f32>(tile_a_2.x), tile_b_3, acc_9);
                acc_10 = fma(vec4<f32>(tile_a_2.y), tile_b_3, acc_10);
            }
        }
        // kernels/attention_kernel.go
        let product = acc_9 * vec4<f32>(params.scale);
        let product_0 = acc_10 * vec4<f32>(params.scale);
        // kernels/attention_kernel.go
        let index_31 = offset_13 + k_start2 + lane_2;
        let in_bounds_1 = both_5 && bits_8 < bits_5;
        let mask_0 = select(vec4<f32>(0.0), mask[select(0, index_31 >> 2u, in_bounds_1)], in_bounds_1);
        let mask_1 = select(vec4<f32>(0.0), mask[select(0, (index_31 + params.mask_stride2) >> 2u, in_bounds_1)], in_bounds_1);
        // kernels/attention_kernel.go
        let chosen_1 = select(fma(mask_0, vec4<f32>(1.442695), product), vec4<f32>(f32_from_bits(0xff800000u)), mask_0 < vec4<f32>(-3.4028234663852886e38f));
        let chosen_2 = select(fma(mask_1, vec4<f32>(1.442695), product_0), vec4<f32>(f32_from_bits(0xff800000u)), mask_1 < vec4<f32>(-3.4028234663852886e38f));
        // kernels/attention_kernel.go
        let at_least = i >= quotient_3;
        // kernels/attention_kernel.go
        var chosen_3: vec4<f32> = chosen_1;
        var chosen_4: vec4<f32> = chosen_2;
        if (at_least) {
            // kernels/attention_kernel.go
            let offset_20 = vec4<i32>(lane_2, lane_2 + 1, lane_2 + 2, lane_2 + 3) + vec4<i32>(k_start2);
            // kernels/attention_kernel.go
            let less_3 = offset_20 < least.xxxx;
            let less_4 = offset_20 < least.yyyy;
            chosen_3 = select(vec4<f32>(f32_from_bits(0xff800000u)), chosen_1, less_3);
            chosen_4 = select(vec4<f32>(f32_from_bits(0xff800000u)), chosen_2, less_4);
        }
        // kernels/attention_kernel.go
        scratch[thread] = max(max(chosen_3.x, chosen_3.z), max(chosen_3.y, chosen_3.w));
        scratch[index_1] = max(max(chosen_4.x, chosen_4.z), max(chosen_4.y, chosen_4.w));
        workgroupBarrier();
        let parts = scratch[index_2];
        let parts_0 = scratch[index_3];
        let parts_1 = scratch[index_4];
        let parts_2 = scratch[index_5];
        let parts_3 = scratch[index_6];
        let parts_4 = scratch[index_7];
        let greatest_1 = max(max(max(max(max(parts, parts_0), parts_1), parts_2), parts_3), parts_4);
        let parts_5 = scratch[index_8];
        let parts_6 = scratch[index_9];
        let parts_7 = scratch[index_10];
        let parts_8 = scratch[index_11];
        let parts_9 = scratch[index_12];
        let parts_10 = scratch[index_13];
        let parts_11 = scratch[index_14];
        let greatest_2 = max(max(max(max(parts_7, parts_8), parts_9), parts_10), parts_11);
        let parts_12 = scratch[index_15];
        let parts_13 = scratch[index_16];
        let parts_14 = scratch[index_17];
        let lanes_1 = vec2<f32>(max(max(greatest_1, parts_5), parts_6), max(max(max(greatest_2, parts_12), parts_13), parts_14));
        let greatest_3 = max(acc, lanes_1);
        // kernels/attention_kernel.go
        let power = exp2(chosen_3 - greatest_3.xxxx);
        let power_0 = exp2(chosen_4 - greatest_3.yyyy);
        let power_1 = exp2(acc - greatest_3);
        // kernels/attention_kernel.go
        acc_0 *= power_1;
        workgroupBarrier();
        scratch[thread] = power.x + power.z + (power.y + power.w);
        scratch[index_1] = power_0.x + power_0.z + (power_0.y + power_0.w);
        workgroupBarrier();
        let parts_15 = scratch[index_2];
        let parts_16 = scratch[index_3];
        let parts_17 = scratch[index_4];
        let parts_18 = scratch[index_5];
        let parts_19 = scratch[index_6];
        let parts_20 = scratch[index_7];
        let parts_21 = scratch[index_8];
        let sum = parts_15 + parts_16 + parts_17 + parts_18 + parts_19 + parts_20 + parts_21;
        let parts_22 = scratch[index_9];
        let parts_23 = scratch[index_10];
        let parts_24 = scratch[index_11];
        let parts_25 = scratch[index_12];
        let parts_26 = scratch[index_13];
        let parts_27 = scratch[index_14];
        let parts_28 = scratch[index_15];
        let parts_29 = scratch[index_16];
        let sum_0 = parts_23 + parts_24 + parts_25 + parts_26 + parts_27 + parts_28 + parts_29;
        let parts_30 = scratch[index_17];
        acc_0 += vec2<f32>(sum + parts_22, sum_0 + parts_30);
        // kernels/attention_kernel.go
        let offset_21 = offset_14 + (k_start2 + lane) * params.v_stride2;
        let index_32 = offset_21 + lane_2;
        let both_8 = both_6 && bits_8 < bits_6;
        let in_bounds_2 = both_8 && less;
        let v_0 = select(vec4<f32>(0.0), v[select(0, index_32 >> 2u, in_bounds_2)], in_bounds_2);
        let v_1 = select(vec4<f32>(0.0), v[select(0, (index_32 + params.v_stride2) >> 2u, in_bounds_2)], in_bounds_2);
        // kernels/attention_kernel.go
        let lanes_2 = power_1.xxxx;
        let lanes_3 = power_1.yyyy;
        acc_1 *= lanes_2;
        acc_2 *= lanes_3;
        let lanes_4 = vec2<f32>(power.x, power_0.x);
        scratch_0[index_18 >> 1u] = lanes_4;
        let lanes_5 = vec2<f32>(power.y, power_0.y);
        scratch_0[index_19 >> 1u] = lanes_5;
        let lanes_6 = vec2<f32>(power.z, power_0.z);
        scratch_0[index_20 >> 1u] = lanes_6;
        let lanes_7 = vec2<f32>(power.w, power_0.w);
        scratch_0[index_21 >> 1u] = lanes_7;
        scratch_1[index_22 >> 2u] = v_0;
        scratch_1[index_23 >> 2u] = v_1;
        workgroupBarrier();
        for (var i_2: i32 = 0; i_2 < 32; i_2 += 4) {
            let index_33 = i_2 * 32 + lane;
            let tile_a_3 = scratch_0[index_33 >> 1u];
            let index_34 = i_2 * 32 + lane_2;
            let tile_b_4 = scratch_1[index_34 >> 2u];
            acc_1 = fma(vec4<f32>(tile_a_3.x), tile_b_4, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_3.y), tile_b_4, acc_2);
            let tile_a_4 = scratch_0[(index_33 >> 1u) + 16];
            let tile_b_5 = scratch_1[(index_34 >> 2u) + 8];
            acc_1 = fma(vec4<f32>(tile_a_4.x), tile_b_5, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_4.y), tile_b_5, acc_2);
            let tile_a_5 = scratch_0[(index_33 >> 1u) + 32];
            let tile_b_6 = scratch_1[(index_34 >> 2u) + 16];
            acc_1 = fma(vec4<f32>(tile_a_5.x), tile_b_6, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_5.y), tile_b_6, acc_2);
            let tile_a_6 = scratch_0[(index_33 >> 1u) + 48];
            let tile_b_7 = scratch_1[(index_34 >> 2u) + 24];
            acc_1 = fma(vec4<f32>(tile_a_6.x), tile_b_7, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_6.y), tile_b_7, acc_2);
        }
        // kernels/attention_kernel.go
        let index_35 = offset_21 + offset_15;
        let in_bounds_3 = both_8 && less_0;
        let v_2 = select(vec4<f32>(0.0), v[select(0, index_35 >> 2u, in_bounds_3)], in_bounds_3);
        let v_3 = select(vec4<f32>(0.0), v[select(0, (index_35 + params.v_stride2) >> 2u, in_bounds_3)], in_bounds_3);
        // kernels/attention_kernel.go
        acc_3 *= lanes_2;
        acc_4 *= lanes_3;
        workgroupBarrier();
        scratch_0[index_18 >> 1u] = lanes_4;
        scratch_0[index_19 >> 1u] = lanes_5;
        scratch_0[index_20 >> 1u] = lanes_6;
        scratch_0[index_21 >> 1u] = lanes_7;
        scratch_1[index_22 >> 2u] = v_2;
        scratch_1[index_23 >> 2u] = v_3;
        workgroupBarrier();
        for (var i_3: i32 = 0; i_3 < 32; i_3 += 4) {
            let index_36 = i_3 * 32 + lane;
            let tile_a_7 = scratch_0[index_36 >> 1u];
            let index_37 = i_3 * 32 + lane_2;
            let tile_b_8 = scratch_1[index_37 >> 2u];
            acc_3 = fma(vec4<f32>(tile_a_7.x), tile_b_8, acc_3);
            acc_4 = fma(vec4<f32>(tile_a_7.y), tile_b_8, acc_4);
            let tile_a_8 = scratch_0[(index_36 >> 1u) + 16];
            let tile_b_9 = scratch_1[(index_37 >> 2u) + 8];
            acc_3 = fma(vec4<f32>(tile_a_8.x), tile_b_9, acc_3);
            acc_4 = fma(vec4<f32>(tile_a_8.y), tile_b_9, acc_4);
            let tile_a_9 = scratch_0[(index_36 >> 1u) + 32];
            let tile_b_10 = scratch_1[(index_37 >> 2u) + 16];
            acc_3 = fma(vec4<f32>(tile_a_9.x), tile_b_10, acc_3);
            acc_4 = fma(vec4<f32>(tile_a_9.y), tile_b_10, acc_4);
            let tile_a_10 = scratch_0[(index_36 >> 1u) + 48];
            let tile_b_11 = scratch_1[(index_37 >> 2u) + 24];
            acc_3 = fma(vec4<f32>(tile_a_10.x), tile_b_11, acc_3);
            acc_4 = fma(vec4<f32>(tile_a_10.y), tile_b_11, acc_4);
        }
        // kernels/attention_kernel.go
        let index_38 = offset_21 + offset_16;
        let in_bounds_4 = both_8 && less_1;
        let v_4 = select(vec4<f32>(0.0), v[select(0, index_38 >> 2u, in_bounds_4)], in_bounds_4);
        let v_5 = select(vec4<f32>(0.0), v[select(0, (index_38 + params.v_stride2) >> 2u, in_bounds_4)], in_bounds_4);
        // kernels/attention_kernel.go
        acc_5 *= lanes_2;
        acc_6 *= lanes_3;
        workgroupBarrier();
        scratch_0[index_18 >> 1u] = lanes_4;
        scratch_0[index_19 >> 1u] = lanes_5;
        scratch_0[index_20 >> 1u] = lanes_6;
        scratch_0[index_21 >> 1u] = lanes_7;
        scratch_1[index_22 >> 2u] = v_4;
        scratch_1[index_23 >> 2u] = v_5;
        workgroupBarrier();
        for (var i_4: i32 = 0; i_4 < 32; i_4 += 4) {
            let index_39 = i_4 * 32 + lane;
            let tile_a_11 = scratch_0[index_39 >> 1u];
            let index_40 = i_4 * 32 + lane_2;
            let tile_b_12 = scratch_1[index_40 >> 2u];
            acc_5 = fma(vec4<f32>(tile_a_11.x), tile_b_12, acc_5);
            acc_6 = fma(vec4<f32>(tile_a_11.y), tile_b_12, acc_6);
            let tile_a_12 = scratch_0[(index_39 >> 1u) + 16];
            let tile_b_13 = scratch_1[(index_40 >> 2u) + 8];
            acc_5 = fma(vec4<f32>(tile_a_12.x), tile_b_13, acc_5);
            acc_6 = fma(vec4<f32>(tile_a_12.y), tile_b_13, acc_6);
            let tile_a_13 = scratch_0[(index_39 >> 1u) + 32];
            let tile_b_14 = scratch_1[(index_40 >> 2u) + 16];
            acc_5 = fma(vec4<f32>(tile_a_13.x), tile_b_14, acc_5);
            acc_6 = fma(vec4<f32>(tile_a_13.y), tile_b_14, acc_6);
            let tile_a_14 = scratch_0[(index_39 >> 1u) + 48];
            let tile_b_15 = scratch_1[(index_40 >> 2u) + 24];
            acc_5 = fma(vec4<f32>(tile_a_14.x), tile_b_15, acc_5);
            acc_6 = fma(vec4<f32>(tile_a_14.y), tile_b_15, acc_6);
        }
        // kernels/attention_kernel.go
        let index_41 = offset_21 + offset_17;
        let in_bounds_5 = both_8 && less_2;
        let v_6 = select(vec4<f32>(0.0), v[select(0, index_41 >> 2u, in_bounds_5)], in_bounds_5);
        let v_7 = select(vec4<f32>(0.0), v[select(0, (index_41 + params.v_stride2) >> 2u, in_bounds_5)], in_bounds_5);
        // kernels/attention_kernel.go
        acc_7 *= lanes_2;
        acc_8 *= lanes_3;
        workgroupBarrier();
        scratch_0[index_18 >> 1u] = lanes_4;
        scratch_0[index_19 >> 1u] = lanes_5;
        scratch_0[index_20 >> 1u] = lanes_6;
        scratch_0[index_21 >> 1u] = lanes_7;
        scratch_1[index_22 >> 2u] = v_6;
        scratch_1[index_23 >> 2u] = v_7;
        workgroupBarrier();
        for (var i_5: i32 = 0; i_5 < 32; i_5 += 4) {
            let index_42 = i_5 * 32 + lane;
            let tile_a_15 = scratch_0[index_42 >> 1u];
            let index_43 = i_5 * 32 + lane_2;
            let tile_b_16 = scratch_1[index_43 >> 2u];
            acc_7 = fma(vec4<f32>(tile_a_15.x), tile_b_16, acc_7);
            acc_8 = fma(vec4<f32>(tile_a_15.y), tile_b_16, acc_8);
            let tile_a_16 = scratch_0[(index_42 >> 1u) + 16];
            let tile_b_17 = scratch_1[(index_43 >> 2u) + 8];
            acc_7 = fma(vec4<f32>(tile_a_16.x), tile_b_17, acc_7);
            acc_8 = fma(vec4<f32>(tile_a_16.y), tile_b_17, acc_8);
            let tile_a_17 = scratch_0[(index_42 >> 1u) + 32];
            let tile_b_18 = scratch_1[(index_43 >> 2u) + 16];
            acc_7 = fma(vec4<f32>(tile_a_17.x), tile_b_18, acc_7);
            acc_8 = fma(vec4<f32>(tile_a_17.y), tile_b_18, acc_8);
            let tile_a_18 = scratch_0[(index_42 >> 1u) + 48];
            let tile_b_19 = scratch_1[(index_43 >> 2u) + 24];
            acc_7 = fma(vec4<f32>(tile_a_18.x), tile_b_19, acc_7);
            acc_8 = fma(vec4<f32>(tile_a_18.y), tile_b_19, acc_8);
        }
        acc = greatest_3;
    }
    // kernels/attention_hidden.go
    scratch[thread] = acc_1.x + acc_1.z + (acc_1.y + acc_1.w);
    scratch[index_1] = acc_2.x + acc_2.z + (acc_2.y + acc_2.w);
    workgroupBarrier();
    let parts_31 = scratch[index_2];
    let parts_32 = scratch[index_3];
    let parts_33 = scratch[index_4];
    let parts_34 = scratch[index_5];
    let parts_35 = scratch[index_6];
    let parts_36 = scratch[index_7];
    let parts_37 = scratch[index_8];
    let sum_1 = parts_31 + parts_32 + parts_33 + parts_34 + parts_35 + parts_36 + parts_37;
    let parts_38 = scratch[index_9];
    let parts_39 = scratch[index_10];
    let parts_40 = scratch[index_11];
    let parts_41 = scratch[index_12];
    let parts_42 = scratch[index_13];
    let parts_43 = scratch[index_14];
    let parts_44 = scratch[index_15];
    let parts_45 = scratch[index_16];
    let sum_2 = parts_39 + parts_40 + parts_41 + parts_42 + parts_43 + parts_44 + parts_45;
    let parts_46 = scratch[index_17];
    workgroupBarrier();
    scratch[thread] = sum_1 + parts_38 + (sum_2 + parts_46);
    let index_44 = thread & 21;
    workgroupBarrier();
    let parts_47 = scratch[index_44];
    let index_45 = index_44 + 2;
    let parts_48 = scratch[index_45];
    let index_46 = index_44 + 8;
    let parts_49 = scratch[index_46];
    let index_47 = index_44 + 10;
    let parts_50 = scratch[index_47];
    let index_48 = index_44 + 32;
    let parts_51 = scratch[index_48];
    let index_49 = index_44 + 34;
    let parts_52 = scratch[index_49];
    let index_50 = index_44 + 40;
    let parts_53 = scratch[index_50];
    let sum_3 = parts_47 + parts_48 + parts_49 + parts_50 + parts_51 + parts_52 + parts_53;
    let index_51 = index_44 + 42;
    let parts_54 = scratch[index_51];
    let index_52 = index_44 + 64;
    let parts_55 = scratch[index_52];
    let index_53 = index_44 + 66;
    let parts_56 = scratch[index_53];
    let index_54 = index_44 + 72;
    let parts_57 = scratch[index_54];
    let index_55 = index_44 + 74;
    let parts_58 = scratch[index_55];
    let index_56 = index_44 + 96;
    let parts_59 = scratch[index_56];
    let sum_4 = sum_3 + parts_54 + parts_55 + parts_56 + parts_57 + parts_58 + parts_59;
    let index_57 = index_44 + 98;
    let parts_60 = scratch[index_57];
    let index_58 = index_44 + 104;
    let parts_61 = scratch[index_58];
    let index_59 = index_44 + 106;
    let parts_62 = scratch[index_59];
    workgroupBarrier();
    scratch[thread] = acc_3.x + acc_3.z + (acc_3.y + acc_3.w);
    scratch[index_1] = acc_4.x + acc_4.z + (acc_4.y + acc_4.w);
    workgroupBarrier();
    let parts_63 = scratch[index_2];
    let parts_64 = scratch[index_3];
    let parts_65 = scratch[index_4];
    let parts_66 = scratch[index_5];
    let parts_67 = scratch[index_6];
    let parts_68 = scratch[index_7];
    let parts_69 = scratch[index_8];
    let sum_5 = parts_63 + parts_64 + parts_65 + parts_66 + parts_67 + parts_68 + parts_69;
    let parts_70 = scratch[index_9];
    let parts_71 = scratch[index_10];
    let parts_72 = scratch[index_11];
    let parts_73 = scratch[index_12];
    let parts_74 = scratch[index_13];
    let parts_75 = scratch[index_14];
    let parts_76 = scratch[index_15];
    let parts_77 = scratch[index_16];
    let sum_6 = parts_71 + parts_72 + parts_73 + parts_74 + parts_75 + parts_76 + parts_77;
    let parts_78 = scratch[index_17];
    workgroupBarrier();
    scratch[thread] = sum_5 + parts_70 + (sum_6 + parts_78);
    workgroupBarrier();
    let parts_79 = scratch[index_44];
    let parts_80 = scratch[index_45];
    let parts_81 = scratch[index_46];
    let parts_82 = scratch[index_47];
    let parts_83 = scratch[index_48];
    let parts_84 = scratch[index_49];
    let parts_85 = scratch[index_50];
    let sum_7 = parts_79 + parts_80 + parts_81 + parts_82 + parts_83 + parts_84 + parts_85;
    let parts_86 = scratch[index_51];
    let parts_87 = scratch[index_52];
    let parts_88 = scratch[index_53];
    let parts_89 = scratch[index_54];
    let parts_90 = scratch[index_55];
    let parts_91 = scratch[index_56];
    let sum_8 = sum_7 + parts_86 + parts_87 + parts_88 + parts_89 + parts_90 + parts_91;
    let parts_92 = scratch[index_57];
    let parts_93 = scratch[index_58];
    let parts_94 = scratch[index_59];
    let sum_9 = 0.0 + (sum_4 + parts_60 + parts_61 + parts_62) + (sum_8 + parts_92 + parts_93 + parts_94);
    workgroupBarrier();
    scratch[thread] = acc_5.x + acc_5.z + (acc_5.y + acc_5.w);
    scratch[index_1] = acc_6.x + acc_6.z + (acc_6.y + acc_6.w);
    workgroupBarrier();
    let parts_95 = scratch[index_2];
    let parts_96 = scratch[index_3];
    let parts_97 = scratch[index_4];
    let parts_98 = scratch[index_5];
    let parts_99 = scratch[index_6];
    let parts_100 = scratch[index_7];
    let parts_101 = scratch[index_8];
    let sum_10 = parts_95 + parts_96 + parts_97 + parts_98 + parts_99 + parts_100 + parts_101;
    let parts_102 = scratch[index_9];
    let parts_103 = scratch[index_10];
    let parts_104 = scratch[index_11];
    let parts_105 = scratch[index_12];
    let parts_106 = scratch[index_13];
    let parts_107 = scratch[index_14];
    let parts_108 = scratch[index_15];
    let sum_11 = parts_103 + parts_104 + parts_105 + parts_106 + parts_107 + parts_108;
    let parts_109 = scratch[index_16];
    let parts_110 = scratch[index_17];
    workgroupBarrier();
    scratch[thread] = sum_10 + parts_102 + (sum_11 + parts_109 + parts_110);
    workgroupBarrier();
    let parts_111 = scratch[index_44];
    let parts_112 = scratch[index_45];
    let parts_113 = scratch[index_46];
    let parts_114 = scratch[index_47];
    let parts_115 = scratch[index_48];
    let parts_116 = scratch[index_49];
    let sum_12 = parts_111 + parts_112 + parts_113 + parts_114 + parts_115 + parts_116;
    let parts_117 = scratch[index_50];
    let parts_118 = scratch[index_51];
    let parts_119 = scratch[index_52];
    let parts_120 = scratch[index_53];
    let parts_121 = scratch[index_54];
    let sum_13 = sum_12 + parts_117 + parts_118 + parts_119 + parts_120 + parts_121;
    let parts_122 = scratch[index_55];
    let parts_123 = scratch[index_56];
    let parts_124 = scratch[index_57];
    let parts_125 = scratch[index_58];
    let parts_126 = scratch[index_59];
    let sum_14 = sum_13 + parts_122 + parts_123 + parts_124 + parts_125 + parts_126;
    workgroupBarrier();
    scratch[thread] = acc_7.x + acc_7.z + (acc_7.y + acc_7.w);
    scratch[index_1] = acc_8.x + acc_8.z + (acc_8.y + acc_8.w);
    workgroupBarrier();
    let parts_127 = scratch[index_2];
    let parts_128 = scratch[index_3];
    let parts_129 = scratch[index_4];
    let parts_130 = scratch[index_5];
    let parts_131 = scratch[index_6];
    let parts_132 = scratch[index_7];
    let sum_15 = parts_127 + parts_128 + parts_129 + parts_130 + parts_131 + parts_132;
    let parts_133 = scratch[index_8];
    let parts_134 = scratch[index_9];
    let parts_135 = scratch[index_10];
    let parts_136 = scratch[index_11];
    let parts_137 = scratch[index_12];
    let parts_138 = scratch[index_13];
    let parts_139 = scratch[index_14];
    let parts_140 = scratch[index_15];
    let sum_16 = parts_135 + parts_136 + parts_137 + parts_138 + parts_139 + parts_140;
    let parts_141 = scratch[index_16];
    let parts_142 = scratch[index_17];
    let sum_17 = sum_15 + parts_133 + parts_134 + (sum_16 + parts_141 + parts_142);
    workgroupBarrier();
    scratch[thread] = sum_17;
    workgroupBarrier();
    let parts_143 = scratch[index_44];
    let parts_144 = scratch[index_45];
    let parts_145 = scratch[index_46];
    let parts_146 = scratch[index_47];
    let parts_147 = scratch[index_48];
    let parts_148 = scratch[index_49];
    let sum_18 = parts_143 + parts_144 + parts_145 + parts_146 + parts_147 + parts_148;
    let parts_149 = scratch[index_50];
    let parts_150 = scratch[index_51];
    let parts_151 = scratch[index_52];
    let parts_152 = scratch[index_53];
    let parts_153 = scratch[index_54];
    let sum_19 = sum_18 + parts_149 + parts_150 + parts_151 + parts_152 + parts_153;
    let parts_154 = scratch[index_55];
    let parts_155 = scratch[index_56];
    let parts_156 = scratch[index_57];
    let parts_157 = scratch[index_58];
    let parts_158 = scratch[index_59];
    let sum_20 = sum_19 + parts_154 + parts_155 + parts_156 + parts_157 + parts_158;
    let sum_21 = sum_9 + sum_14 + sum_20;
    // kernels/attention_hidden.go
    workgroupBarrier();
    if (thread == 0) {
        scratch[0] = sum_21;
    }
    workgroupBarrier();
    let scalar = workgroupUniformLoad(&scratch[0]);
    // kernels/attention_hidden.go
    let equal = (bitcast<i32>(scalar) & 2139095040) == 2139095040;
    // kernels/attention_hidden.go
    var acc_11: vec4<f32> = acc_1;
    var acc_12: vec4<f32> = acc_2;
    var acc_13: vec4<f32> = acc_3;
    var acc_14: vec4<f32> = acc_4;
    var acc_15: vec4<f32> = acc_5;
    var acc_16: vec4<f32> = acc_6;
    var acc_17: vec4<f32> = acc_7;
    var acc_18: vec4<f32> = acc_8;
    if (equal) {
        // kernels/attention_kernel.go
        let both_9 = shifted & 1;
        let lane_3 = both_9 + (shifted_0 & 30);
        let offset_22 = lane_3 + q_start2;
        // kernels/attention_kernel.go
        let least_0 = min(offset_22 + offset_1, params.k_size2);
        // kernels/attention_kernel.go
        let quotient_5 = (greatest + 7) / 8;
        // kernels/attention_kernel.go
        let quotient_6 = greatest_0 / 8;
        // kernels/attention_hidden.go
        if (index_44 == 0) {
            scratch_0[lane >> 1u] = acc;
        }
        workgroupBarrier();
        let exchange = scratch_0[lane_3 >> 1u][lane_3 & 1];
        // kernels/attention_kernel.go
        let lane_4 = thread >> 4u;
        // kernels/attention_kernel.go
        let index_60 = offset_9 + lane_4;
        let offset_23 = both_9 + (shifted_0 & 6);
        let offset_24 = offset_23 + shifted_1;
        let lane_5 = (both_2 << 1u) + both_3;
        // kernels/attention_kernel.go
        // kernels/attention_kernel.go
        let offset_25 = offset_11 + (q_start2 + lane_3) * params.mask_stride2;
        // kernels/attention_kernel.go
        // kernels/attention_hidden.go
        let lane_6 = lane_1 << 1u;
        // kernels/attention_hidden.go
        let shifted_2 = both_1 << 1u;
        let index_61 = lane_5 * 8 + offset_23 + shifted_2;
        let index_62 = index_61 + 8;
        let index_63 = lane_4 * 32 + lane_6;
        let offset_26 = offset + shifted_2;
        // kernels/attention_hidden.go
        let offset_27 = 32 + lane_6;
        let offset_28 = 64 + lane_6;
        let offset_29 = 96 + lane_6;
        // kernels/attention_hidden.go
        var carried: vec4<f32> = vec4<f32>(0.0);
        var carried_0: vec4<f32> = vec4<f32>(0.0);
        var carried_1: vec4<f32> = vec4<f32>(0.0);
        var carried_2: vec4<f32> = vec4<f32>(0.0);
        var carried_3: vec4<f32> = vec4<f32>(0.0);
        var carried_4: vec4<f32> = vec4<f32>(0.0);
        var carried_5: vec4<f32> = vec4<f32>(0.0);
        var carried_6: vec4<f32> = vec4<f32>(0.0);
        var carried_7: i32 = 0;
        while (true) {
            if (!(carried_7 < quotient_5)) {
                break;
            }
            // kernels/attention_kernel.go
            let k_start2_0 = select(-1, carried_7, bitcast<u32>(carried_7) < 268435456u) * 8;
            let offset_30 = k_start2_0 + lane_4;
            let offset_31 = offset_6 + offset_30 * params.k_stride2;
            let bits_9 = bitcast<u32>(k_start2_0);
            let both_10 = both_0 && bits_9 < bits_3;
            // kernels/attention_kernel.go
            var acc_19: vec2<f32> = vec2<f32>(0.0);
            for (var i_6: i32 = 0; i_6 < quotient_4; i_6 += 1) {
                // kernels/attention_kernel.go
                let q_start3_0 = i_6 * 16;
                let offset_32 = q_start3_0 + lane_1;
                let index_64 = offset_3 + offset_32;
                let q_4 = select(0.0, q[select(0, index_64, in_bounds)], in_bounds);
                let q_5 = select(0.0, q[select(0, index_64 + params.q_stride2, in_bounds)], in_bounds);
                let q_6 = select(0.0, q[select(0, index_64 + offset_4, in_bounds)], in_bounds);
                let q_7 = select(0.0, q[select(0, index_64 + offset_5, in_bounds)], in_bounds);
                let lanes_8 = vec4<f32>(q_4, q_5, q_6, q_7);
                // kernels/attention_kernel.go
                let in_bounds_6 = both_10 && bitcast<u32>(q_start3_0) < bits_4;
                let k_4 = select(0.0, k[select(0, offset_31 + offset_32, in_bounds_6)], in_bounds_6);
                // kernels/attention_kernel.go
                workgroupBarrier();
                scratch_1[index >> 2u] = lanes_8;
                scratch[index_60] = k_4;
                workgroupBarrier();
                for (var i_7: i32 = 0; i_7 < 16; i_7 += 4) {
                    let index_65 = i_7 * 8 + offset_24;
                    let tile_a_19 = scratch_1[index_65 >> 2u][index_65 & 3];
                    let index_66 = i_7 * 8 + lane_5;
                    let tile_b_20 = scratch[index_66];
                    let tile_b_21 = scratch[index_66 + 1];
                    acc_19 = fma(vec2<f32>(tile_a_19), vec2<f32>(tile_b_20, tile_b_21), acc_19);
                    let index_67 = index_65 + 8;
                    let tile_a_20 = scratch_1[index_67 >> 2u][index_67 & 3];
                    let tile_b_22 = scratch[index_66 + 8];
                    let tile_b_23 = scratch[index_66 + 9];
                    acc_19 = fma(vec2<f32>(tile_a_20), vec2<f32>(tile_b_22, tile_b_23), acc_19);
                    let index_68 = index_65 + 16;
                    let tile_a_21 = scratch_1[index_68 >> 2u][index_68 & 3];
                    let tile_b_24 = scratch[index_66 + 16];
                    let tile_b_25 = scratch[index_66 + 17];
                    acc_19 = fma(vec2<f32>(tile_a_21), vec2<f32>(tile_b_24, tile_b_25), acc_19);
                    let index_69 = index_65 + 24;
                    let tile_a_22 = scratch_1[index_69 >> 2u][index_69 & 3];
                    let tile_b_26 = scratch[index_66 + 24];
                    let tile_b_27 = scratch[index_66 + 25];
                    acc_19 = fma(vec2<f32>(tile_a_22), vec2<f32>(tile_b_26, tile_b_27), acc_19);
                }
            }
            // kernels/attention_kernel.go
            let product_1 = acc_19 * vec2<f32>(params.scale);
            // kernels/attention_kernel.go
            let in_bounds_7 = both_5 && bits_9 < bits_5;
            let index_70 = offset_25 + k_start2_0 + lane_5;
            let quad_3 = mask[select(0, index_70 >> 2u, in_bounds_7)];
            let mask_2 = select(vec2<f32>(0.0), select(quad_3.xy, quad_3.zw, (index_70 & 2) != 0), in_bounds_7);
            // kernels/attention_kernel.go
            let chosen_5 = select(fma(mask_2, vec2<f32>(1.442695), product_1), vec2<f32>(f32_from_bits(0xff800000u)), mask_2 < vec2<f32>(-3.4028234663852886e38f));
            // kernels/attention_kernel.go
            let at_least_0 = carried_7 >= quotient_6;
            // kernels/attention_kernel.go
            var chosen_6: vec2<f32> = chosen_5;
            if (at_least_0) {
                // kernels/attention_kernel.go
                let offset_33 = vec2<i32>(lane_5, lane_5 + 1) + vec2<i32>(carried_7 * 8);
                // kernels/attention_kernel.go
                let less_5 = offset_33 < vec2<i32>(least_0);
                chosen_6 = select(vec2<f32>(f32_from_bits(0xff800000u)), chosen_5, less_5);
            }
            // kernels/attention_kernel.go
            let power_2 = exp2(chosen_6 - vec2<f32>(exchange));
            // kernels/attention_hidden.go
            let converted = vec2<f32>(chosen_6 >= vec2<f32>(-3.4028234663852886e38f));
            // kernels/attention_hidden.go
            let offset_34 = offset_14 + offset_30 * params.v_stride2;
            let both_11 = both_6 && bits_9 < bits_6;
            let in_bounds_8 = both_11 && less;
            let index_71 = offset_34 + lane_6;
            let quad_4 = v[select(0, index_71 >> 2u, in_bounds_8)];
            let v_8 = select(vec2<f32>(0.0), select(quad_4.xy, quad_4.zw, (index_71 & 2) != 0), in_bounds_8);
            // kernels/attention_hidden.go
            let bits_10 = bitcast<vec2<i32>>(v_8);
            let equal_0 = (bits_10 & vec2<i32>(2139095040)) == vec2<i32>(2139095040);
            // kernels/attention_hidden.go
            workgroupBarrier();
            scratch[index_61] = power_2.x;
            scratch[index_62] = power_2.y;
            scratch_0[index_63 >> 1u] = select(v_8, vec2<f32>(0.0), equal_0);
            workgroupBarrier();
            for (var i_8: i32 = 0; i_8 < 8; i_8 += 4) {
                let index_72 = i_8 * 8 + offset_26;
                let tile_a_23 = scratch[index_72];
                let tile_a_24 = scratch[index_72 + 1];
                let index_73 = i_8 * 32 + lane_2;
                let tile_b_28 = scratch_0[index_73 >> 1u];
                let tile_b_29 = scratch_0[(index_73 >> 1u) + 1];
                let lanes_9 = vec4<f32>(tile_b_28.x, tile_b_28.y, tile_b_29.x, tile_b_29.y);
                carried = fma(vec4<f32>(tile_a_23), lanes_9, carried);
                carried_0 = fma(vec4<f32>(tile_a_24), lanes_9, carried_0);
                let tile_a_25 = scratch[index_72 + 8];
                let tile_a_26 = scratch[index_72 + 9];
                let tile_b_30 = scratch_0[(index_73 >> 1u) + 16];
                let tile_b_31 = scratch_0[(index_73 >> 1u) + 17];
                let lanes_10 = vec4<f32>(tile_b_30.x, tile_b_30.y, tile_b_31.x, tile_b_31.y);
                carried = fma(vec4<f32>(tile_a_25), lanes_10, carried);
                carried_0 = fma(vec4<f32>(tile_a_26), lanes_10, carried_0);
                let tile_a_27 = scratch[index_72 + 16];
                let tile_a_28 = scratch[index_72 + 17];
                let tile_b_32 = scratch_0[(index_73 >> 1u) + 32];
                let tile_b_33 = scratch_0[(index_73 >> 1u) + 33];
                let lanes_11 = vec4<f32>(tile_b_32.x, tile_b_32.y, tile_b_33.x, tile_b_33.y);
                carried = fma(vec4<f32>(tile_a_27), lanes_11, carried);
                carried_0 = fma(vec4<f32>(tile_a_28), lanes_11, carried_0);
                let tile_a_29 = scratch[index_72 + 24];
                let tile_a_30 = scratch[index_72 + 25];
                let tile_b_34 = scratch_0[(index_73 >> 1u) + 48];
                let tile_b_35 = scratch_0[(index_73 >> 1u) + 49];
                let lanes_12 = vec4<f32>(tile_b_34.x, tile_b_34.y, tile_b_35.x, tile_b_35.y);
                carried = fma(vec4<f32>(tile_a_29), lanes_12, carried);
                carried_0 = fma(vec4<f32>(tile_a_30), lanes_12, carried_0);
            }
            // kernels/attention_hidden.go
            let chosen_7 = select(vec2<f32>(65.0), vec2<f32>(64.0), bits_10 == vec2<i32>(-8388608));
            let chosen_8 = select(chosen_7, vec2<f32>(1.0), bits_10 == vec2<i32>(2139095040));
            // kernels/attention_hidden.go
            let chosen_9 = select(vec2<f32>(0.0), chosen_8, equal_0);
            // kernels/attention_hidden.go
            workgroupBarrier();
            scratch[index_61] = converted.x;
            scratch[index_62] = converted.y;
            scratch_0[index_63 >> 1u] = chosen_9;
            workgroupBarrier();
            var acc_20: vec4<f32> = vec4<f32>(0.0);
            var acc_21: vec4<f32> = vec4<f32>(0.0);
            for (var i_9: i32 = 0; i_9 < 8; i_9 += 4) {
                let index_74 = i_9 * 8 + offset_26;
                let tile_a_31 = scratch[index_74];
                let tile_a_32 = scratch[index_74 + 1];
                let index_75 = i_9 * 32 + lane_2;
                let tile_b_36 = scratch_0[index_75 >> 1u];
                let tile_b_37 = scratch_0[(index_75 >> 1u) + 1];
                let lanes_13 = vec4<f32>(tile_b_36.x, tile_b_36.y, tile_b_37.x, tile_b_37.y);
                acc_20 = fma(vec4<f32>(tile_a_31), lanes_13, acc_20);
                acc_21 = fma(vec4<f32>(tile_a_32), lanes_13, acc_21);
                let tile_a_33 = scratch[index_74 + 8];
                let tile_a_34 = scratch[index_74 + 9];
                let tile_b_38 = scratch_0[(index_75 >> 1u) + 16];
                let tile_b_39 = scratch_0[(index_75 >> 1u) + 17];
                let lanes_14 = vec4<f32>(tile_b_38.x, tile_b_38.y, tile_b_39.x, tile_b_39.y);
                acc_20 = fma(vec4<f32>(tile_a_33), lanes_14, acc_20);
                acc_21 = fma(vec4<f32>(tile_a_34), lanes_14, acc_21);
                let tile_a_35 = scratch[index_74 + 16];
                let tile_a_36 = scratch[index_74 + 17];
                let tile_b_40 = scratch_0[(index_75 >> 1u) + 32];
                let tile_b_41 = scratch_0[(index_75 >> 1u) + 33];
                let lanes_15 = vec4<f32>(tile_b_40.x, tile_b_40.y, tile_b_41.x, tile_b_41.y);
                acc_20 = fma(vec4<f32>(tile_a_35), lanes_15, acc_20);
                acc_21 = fma(vec4<f32>(tile_a_36), lanes_15, acc_21);
                let tile_a_37 = scratch[index_74 + 24];
                let tile_a_38 = scratch[index_74 + 25];
                let tile_b_42 = scratch_0[(index_75 >> 1u) + 48];
                let tile_b_43 = scratch_0[(index_75 >> 1u) + 49];
                let lanes_16 = vec4<f32>(tile_b_42.x, tile_b_42.y, tile_b_43.x, tile_b_43.y);
                acc_20 = fma(vec4<f32>(tile_a_37), lanes_16, acc_20);
                acc_21 = fma(vec4<f32>(tile_a_38), lanes_16, acc_21);
            }
            let converted_0 = f32_to_i32_x4(acc_20);
            let converted_1 = f32_to_i32_x4(acc_21);
            // kernels/attention_hidden.go
            let chosen_10 = select(vec4<f32>(0.0), vec4<f32>(f32_from_bits(0x7f800000u)), (converted_0 & vec4<i32>(63)) != vec4<i32>(0));
            let chosen_11 = select(vec4<f32>(0.0), vec4<f32>(f32_from_bits(0x7f800000u)), (converted_1 & vec4<i32>(63)) != vec4<i32>(0));
            let sum_22 = carried + chosen_10;
            let sum_23 = carried_0 + chosen_11;
            // kernels/attention_hidden.go
            let chosen_12 = select(vec4<f32>(0.0), vec4<f32>(f32_from_bits(0xff800000u)), converted_0 >= vec4<i32>(64));
            let chosen_13 = select(vec4<f32>(0.0), vec4<f32>(f32_from_bits(0xff800000u)), converted_1 >= vec4<i32>(64));
            let sum_24 = sum_22 + chosen_12;
            let sum_25 = sum_23 + chosen_13;
            // kernels/attention_hidden.go
            let in_bounds_9 = both_11 && less_0;
            let index_76 = offset_34 + offset_27;
            let quad_5 = v[select(0, index_76 >> 2u, in_bounds_9)];
            let v_9 = select(vec2<f32>(0.0), select(quad_5.xy, quad_5.zw, (index_76 & 2) != 0), in_bounds_9);
            // kernels/attention_hidden.go
            let bits_11 = bitcast<vec2<i32>>(v_9);
            let equal_1 = (bits_11 & vec2<i32>(2139095040)) == vec2<i32>(2139095040);
            // kernels/attention_hidden.go
            workgroupBarrier();
            scratch[index_61] = power_2.x;
            scratch[index_62] = power_2.y;
            scratch_0[index_63 >> 1u] = select(v_9, vec2<f32>(0.0), equal_1);
            workgroupBarrier();
            for (var i_10: i32 = 0; i_10 < 8; i_10 += 4) {
                let index_77 = i_10 * 8 + offset_26;
                let tile_a_39 = scratch[index_77];
                let tile_a_40 = scratch[index_77 + 1];
                let index_78 = i_10 * 32 + lane_2;
                let tile_b_44 = scratch_0[index_78 >> 1u];
                let tile_b_45 = scratch_0[(index_78 >> 1u) + 1];
                let lanes_17 = vec4<f32>(tile_b_44.x, tile_b_44.y, tile_b_45.x, tile_b_45.y);
                carried_1 = fma(vec4<f32>(tile_a_39), lanes_17, carried_1);
                carried_2 = fma(vec4<f32>(tile_a_40), lanes_17, carried_2);
                let tile_a_41 = scratch[index_77 + 8];
                let tile_a_42 = scratch[index_77 + 9];
                let tile_b_46 = scratch_0[(index_78 >> 1u) + 16];
                let tile_b_47 = scratch_0[(index_78 >> 1u) + 17];
                let lanes_18 = vec4<f32>(tile_b_46.x, tile_b_46.y, tile_b_47.x, tile_b_47.y);
                carried_1 = fma(vec4<f32>(tile_a_41), lanes_18, carried_1);
                carried_2 = fma(vec4<f32>(tile_a_42), lanes_18, carried_2);
                let tile_a_43 = scratch[index_77 + 16];
                let tile_a_44 = scratch[index_77 + 17];
                let tile_b_48 = scratch_0[(index_78 >> 1u) + 32];
                let tile_b_49 = scratch_0[(index_78 >> 1u) + 33];
                let lanes_19 = vec4<f32>(tile_b_48.x, tile_b_48.y, tile_b_49.x, tile_b_49.y);
                carried_1 = fma(vec4<f32>(tile_a_43), lanes_19, carried_1);
                carried_2 = fma(vec4<f32>(tile_a_44), lanes_19, carried_2);
                let tile_a_45 = scratch[index_77 + 24];
                let tile_a_46 = scratch[index_77 + 25];
                let tile_b_50 = scratch_0[(index_78 >> 1u) + 48];
                let tile_b_51 = scratch_0[(index_78 >> 1u) + 49];
                let lanes_20 = vec4<f32>(tile_b_50.x, tile_b_50.y, tile_b_51.x, tile_b_51.y);
                carried_1 = fma(vec4<f32>(tile_a_45), lanes_20, carried_1);
                carried_2 = fma(vec4<f32>(tile_a_46), lanes_20, carried_2);
            }
            // kernels/attention_hidden.go
            let chosen_14 = select(vec2<f32>(65.0), vec2<f32>(64.0), bits_11 == vec2<i32>(-8388608));
            let chosen_15 = select(chosen_14, vec2<f32>(1.0), bits_11 == vec2<i32>(2139095040));
            // kernels/attention_hidden.go
            let chosen_16 = select(vec2<f32>(0.0), chosen_15, equal_1);
            // kernels/attention_hidden.go
            workgroupBarrier();
            scratch[index_61] = converted.x;
            scratch[index_62] = converted.y;
            scratch_0[index_63 >> 1u] = chosen_16;
            workgroupBarrier();
            var acc_22: vec4<f32> = vec4<f32>(0.0);
            var acc_23: vec4<f32> = vec4<f32>(0.0);
            for (var i_11: i32 = 0; i_11 < 8; i_11 += 4) {
                let index_79 = i_11 * 8 + offset_26;
                let tile_a_47 = scratch[index_79];
                let tile_a_48 = scratch[index_79 + 1];
                let index_80 = i_11 * 32 + lane_2;
                let tile_b_52 = scratch_0[index_80 >> 1u];
                let tile_b_53 = scratch_0[(index_80 >> 1u) + 1];
                let lanes_21 = vec4<f32>(tile_b_52.x, tile_b_52.y, tile_b_53.x, tile_b_53.y);
                acc_22 = fma(vec4<f32>(tile_a_47), lanes_21, acc_22);
                acc_23 = fma(vec4<f32>(tile_a_48), lanes_21, acc_23);
                let tile_a_49 = scratch[index_79 + 8];
                let tile_a_50 = scratch[index_79 + 9];
                let tile_b_54 = scratch_0[(index_80 >> 1u) + 16];
                let tile_b_55 = scratch_0[(index_80 >> 1u) + 17];
                let lanes_22 = vec4<f32>(tile_b_54.x, tile_b_54.y, tile_b_55.x, tile_b_55.y);
                acc_22 = fma(vec4<f32>(tile_a_49), lanes_22, acc_22);
                acc_23 = fma(vec4<f32>(tile_a_50), lanes_22, acc_23);
                let tile_a_51 = scratch[index_79 + 16];
                let tile_a_52 = scratch[index_79 + 17];
                let tile_b_56 = scratch_0[(index_80 >> 1u) + 32];
                let tile_b_57 = scratch_0[(index_80 >> 1u) + 33];
                let lanes_23 = vec4<f32>(tile_b_56.x, tile_b_56.y, tile_b_57.x, tile_b_57.y);
                acc_22 = fma(vec4<f32>(tile_a_51), lanes_23, acc_22);
                acc_23 = fma(vec4<f32>(tile_a_52), lanes_23, acc_23);
                let tile_a_53 = scratch[index_79 + 24];
                let tile_a_54 = scratch[index_79 + 25];
                let tile_b_58 = scratch_0[(index_80 >> 1u) + 48];
                let tile_b_59 = scratch_0[(index_80 >> 1u) + 49];
                let lanes_24 = vec4<f32>(tile_b_58.x, tile_b_58.y, tile_b_59.x, tile_b_59.y);
                acc_22 = fma(vec4<f32>(tile_a_53), lanes_24, acc_22);
                acc_23 = fma(vec4<f32>(tile_a_54), lanes_24, acc_23);
            }
            let converted_2 = f32_to_i32_x4(acc_22);
            let converted_3 = f32_to_i32_x4(acc_23);
            // kernels/attention_hidden.go
            let chosen_17 = select(vec4<f32>(0.0), vec4<f32>(f32_from_bits(0x7f800000u)), (converted_2 & vec4<i32>(63)) != vec4<i32>(0));
            let chosen_18 = select(vec4<f32>(0.0), vec4<f32>(f32_from_bits(0x7f800000u)), (converted_3 & vec4<i32>(63)) != vec4<i32>(0));
            let sum_26 = carried_1 + chosen_17;
            let sum_27 = carried_2 + chosen_18;
            // kernels/attention_hidden.go
            let chosen_19 = select(vec4<f32>(0.0), vec4<f32>(f32_from_bits(0xff800000u)), converted_2 >= vec4<i32>(64));
            let chosen_20 = select(vec4<f32>(0.0), vec4<f32>(f32_from_bits(0xff800000u)), converted_3 >= vec4<i32>(64));
            let sum_28 = sum_26 + chosen_19;
            let sum_29 = sum_27 + chosen_20;
            // kernels/attention_hidden.go
            let in_bounds_10 = both_11 && less_1;
            let index_81 = offset_34 + offset_28;
            let quad_6 = v[select(0, index_81 >> 2u, in_bounds_10)];
            let v_10 = select(vec2<f32>(0.0), select(quad_6.xy, quad_6.zw, (index_81 & 2) != 0), in_bounds_10);
            // kernels/attention_hidden.go
            let bits_12 = bitcast<vec2<i32>>(v_10);
            let equal_2 = (bits_12 & vec2<i32>(2139095040)) == vec2<i32>(2139095040);
            // kernels/attention_hidden.go
            workgroupBarrier();
            scratch[index_61] = power_2.x;
            scratch[index_62] = power_2.y;
            scratch_0[index_63 >> 1u] = select(v_10, vec2<f32>(0.0), equal_2);
            workgroupBarrier();
            for (var i_12: i32 = 0; i_12 < 8; i_12 += 4) {
                let index_82 = i_12 * 8 + offset_26;
                let tile_a_55 = scratch[index_82];
                let tile_a_56 = scratch[index_82 + 1];
                let index_83 = i_12 * 32 + lane_2;
                let tile_b_60 = scratch_0[index_83 >> 1u];
                let tile_b_61 = scratch_0[(index_83 >> 1u) + 1];
                let lanes_25 = vec4<f32>(tile_b_60.x, tile_b_60.y, tile_b_61.x, tile_b_61.y);
                carried_3 = fma(vec4<f32>(tile_a_55), lanes_25, carried_3);
                carried_4 = fma(vec4<f32>(tile_a_56), lanes_25, carried_4);
                let tile_a_57 = scratch[index_82 + 8];
                let tile_a_58 = scratch[index_82 + 9];
                let tile_b_62 = scratch_0[(index_83 >> 1u) + 16];
                let tile_b_63 = scratch_0[(index_83 >> 1u) + 17];
                let lanes_26 = vec4<f32>(tile_b_62.x, tile_b_62.y, tile_b_63.x, tile_b_63.y);
                carried_3 = fma(vec4<f32>(tile_a_57), lanes_26, carried_3);
                carried_4 = fma(vec4<f32>(tile_a_58), lanes_26, carried_4);
                let tile_a_59 = scratch[index_82 + 16];
                let tile_a_60 = scratch[index_82 + 17];
                let tile_b_64 = scratch_0[(index_83 >> 1u) + 32];
                let tile_b_65 = scratch_0[(index_83 >> 1u) + 33];
                let lanes_27 = vec4<f32>(tile_b_64.x, tile_b_64.y, tile_b_65.x, tile_b_65.y);
                carried_3 = fma(vec4<f32>(tile_a_59), lanes_27, carried_3);
                carried_4 = fma(vec4<f32>(tile_a_60), lanes_27, carried_4);
                let tile_a_61 = scratch[index_82 + 24];
                let tile_a_62 = scratch[index_82 + 25];
                let tile_b_66 = scratch_0[(index_83 >> 1u) + 48];
                let tile_b_67 = scratch_0[(index_83 >> 1u) + 49];
                let lanes_28 = vec4<f32>(tile_b_66.x, tile_b_66.y, tile_b_67.x, tile_b_67.y);
                carried_3 = fma(vec4<f32>(tile_a_61), lanes_28, carried_3);
                carried_4 = fma(vec4<f32>(tile_a_62), lanes_28, carried_4);
            }
            // kernels/attention_hidden.go
            let chosen_21 = select(vec2<f32>(65.0), vec2<f32>(64.0), bits_12 == vec2<i32>(-8388608));
            let chosen_22 = select(chosen_21, vec2<f32>(1.0), bits_12 == vec2<i32>(2139095040));
            // kernels/attention_hidden.go
            let chosen_23 = select(vec2<f32>(0.0), chosen_22, equal_2);
            // kernels/attention_hidden.go
            workgroupBarrier();
            scratch[index_61] = converted.x;
            scratch[index_62] = converted.y;
            scratch_0[index_63 >> 1u] = chosen_23;
            workgroupBarrier();
            var acc_24: vec4<f32> = vec4<f32>(0.0);
            var acc_25: vec4<f32> = vec4<f32>(0.0);
            for (var i_13: i32 = 0; i_13 < 8; i_13 += 4) {
                let index_84 = i_13 * 8 + offset_26;
                let tile_a_63 = scratch[index_84];
                let tile_a_64 = scratch[index_84 + 1];
                let index_85 = i_13 * 32 + lane_2;
                let tile_b_68 = scratch_0[index_85 >> 1u];
                let tile_b_69 = scratch_0[(index_85 >> 1u) + 1];
                let lanes_29 = vec4<f32>(tile_b_68.x, tile_b_68.y, tile_b_69.x, tile_b_69.y);
                acc_24 = fma(vec4<f32>(tile_a_63), lanes_29, acc_24);
                acc_25 = fma(vec4<f32>(tile_a_64), lanes_29, acc_25);
                let tile_a_65 = scratch[index_84 + 8];
                let tile_a_66 = scratch[index_84 + 9];
                let tile_b_70 = scratch_0[(index_85 >> 1u) + 16];
                let tile_b_71 = scratch_0[(index_85 >> 1u) + 17];
                let lanes_30 = vec4<f32>(tile_b_70.x, tile_b_70.y, tile_b_71.x, tile_b_71.y);
                acc_24 = fma(vec4<f32>(tile_a_65), lanes_30, acc_24);
                acc_25 = fma(vec4<f32>(tile_a_66), lanes_30, acc_25);
                let tile_a_67 = scratch[index_84 + 16];
                let tile_a_68 = scratch[index_84 + 17];
                let tile_b_72 = scratch_0[(index_85 >> 1u) + 32];
                let tile_b_73 = scratch_0[(index_85 >> 1u) + 33];
                let lanes_31 = vec4<f32>(tile_b_72.x, tile_b_72.y, tile_b_73.x, tile_b_73.y);
                acc_24 = fma(vec4<f32>(tile_a_67), lanes_31, acc_24);
                acc_25 = fma(vec4<f32>(tile_a_68), lanes_31, acc_25);
                let tile_a_69 = scratch[index_84 + 24];
                let tile_a_70 = scratch[index_84 + 25];
                let tile_b_74 = scratch_0[(index_85 >> 1u) + 48];
                let tile_b_75 = scratch_0[(index_85 >> 1u) + 49];
                let lanes_32 = vec4<f32>(tile_b_74.x, tile_b_74.y, tile_b_75.x, tile_b_75.y);
                acc_24 = fma(vec4<f32>(tile_a_69), lanes_32, acc_24);
                acc_25 = fma(vec4<f32>(tile_a_70), lanes_32, acc_25);
            }
            let converted_4 = f32_to_i32_x4(acc_24);
            let converted_5 = f32_to_i32_x4(acc_25);
            // kernels/attention_hidden.go
            let chosen_24 = select(vec4<f32>(0.0), vec4<f32>(f32_from_bits(0x7f800000u)), (converted_4 & vec4<i32>(63)) != vec4<i32>(0));
            let chosen_25 = select(vec4<f32>(0.0), vec4<f32>(f32_from_bits(0x7f800000u)), (converted_5 & vec4<i32>(63)) != vec4<i32>(0));
            let sum_30 = carried_3 + chosen_24;
            let sum_31 = carried_4 + chosen_25;
            // kernels/attention_hidden.go
            let chosen_26 = select(vec4<f32>(0.0), vec4<f32>(f32_from_bits(0xff800000u)), converted_4 >= vec4<i32>(64));
            let chosen_27 = select(vec4<f32>(0.0), vec4<f32>(f32_from_bits(0xff800000u)), converted_5 >= vec4<i32>(64));
            let sum_32 = sum_30 + chosen_26;
            let sum_33 = sum_31 + chosen_27;
            // kernels/attention_hidden.go
            let in_bounds_11 = both_11 && less_2;
            let index_86 = offset_34 + offset_29;
            let quad_7 = v[select(0, index_86 >> 2u, in_bounds_11)];
            let v_11 = select(vec2<f32>(0.0), select(quad_7.xy, quad_7.zw, (index_86 & 2) != 0), in_bounds_11);
            // kernels/attention_hidden.go
            let bits_13 = bitcast<vec2<i32>>(v_11);
            let equal_3 = (bits_13 & vec2<i32>(2139095040)) == vec2<i32>(2139095040);
            // kernels/attention_hidden.go
            workgroupBarrier();
            scratch[index_61] = power_2.x;
            scratch[index_62] = power_2.y;
            scratch_0[index_63 >> 1u] = select(v_11, vec2<f32>(0.0), equal_3);
            workgroupBarrier();
            for (var i_14: i32 = 0; i_14 < 8; i_14 += 4) {
                let index_87 = i_14 * 8 + offset_26;
                let tile_a_71 = scratch[index_87];
                let tile_a_72 = scratch[index_87 + 1];
                let index_88 = i_14 * 32 + lane_2;
                let tile_b_76 = scratch_0[index_88 >> 1u];
                let tile_b_77 = scratch_0[(index_88 >> 1u) + 1];
                let lanes_33 = vec4<f32>(tile_b_76.x, tile_b_76.y, tile_b_77.x, tile_b_77.y);
                carried_5 = fma(vec4<f32>(tile_a_71), lanes_33, carried_5);
                carried_6 = fma(vec4<f32>(tile_a_72), lanes_33, carried_6);
                let tile_a_73 = scratch[index_87 + 8];
                let tile_a_74 = scratch[index_87 + 9];
                let tile_b_78 = scratch_0[(index_88 >> 1u) + 16];
                let tile_b_79 = scratch_0[(index_88 >> 1u) + 17];
                let lanes_34 = vec4<f32>(tile_b_78.x, tile_b_78.y, tile_b_79.x, tile_b_79.y);
                carried_5 = fma(vec4<f32>(tile_a_73), lanes_34, carried_5);
                carried_6 = fma(vec4<f32>(tile_a_74), lanes_34, carried_6);
                let tile_a_75 = scratch[index_87 + 16];
                let tile_a_76 = scratch[index_87 + 17];
                let tile_b_80 = scratch_0[(index_88 >> 1u) + 32];
                let tile_b_81 = scratch_0[(index_88 >> 1u) + 33];
                let lanes_35 = vec4<f32>(tile_b_80.x, tile_b_80.y, tile_b_81.x, tile_b_81.y);
                carried_5 = fma(vec4<f32>(tile_a_75), lanes_35, carried_5);
                carried_6 = fma(vec4<f32>(tile_a_76), lanes_35, carried_6);
                let tile_a_77 = scratch[index_87 + 24];
                let tile_a_78 = scratch[index_87 + 25];
                let tile_b_82 = scratch_0[(index_88 >> 1u) + 48];
                let tile_b_83 = scratch_0[(index_88 >> 1u) + 49];
                let lanes_36 = vec4<f32>(tile_b_82.x, tile_b_82.y, tile_b_83.x, tile_b_83.y);
                carried_5 = fma(vec4<f32>(tile_a_77), lanes_36, carried_5);
                carried_6 = fma(vec4<f32>(tile_a_78), lanes_36, carried_6);
            }
            // kernels/attention_hidden.go
            let chosen_28 = select(vec2<f32>(65.0), vec2<f32>(64.0), bits_13 == vec2<i32>(-8388608));
            let chosen_29 = select(chosen_28, vec2<f32>(1.0), bits_13 == vec2<i32>(2139095040));
            // kernels/attention_hidden.go
            let chosen_30 = select(vec2<f32>(0.0), chosen_29, equal_3);
            // kernels/attention_hidden.go
            workgroupBarrier();
            scratch[index_61] = converted.x;
            scratch[index_62] = converted.y;
            scratch_0[index_63 >> 1u] = chosen_30;
            workgroupBarrier();
            var acc_26: vec4<f32> = vec4<f32>(0.0);
            var acc_27: vec4<f32> = vec4<f32>(0.0);
            for (var i_15: i32 = 0; i_15 < 8; i_15 += 4) {
                let index_89 = i_15 * 8 + offset_26;
                let tile_a_79 = scratch[index_89];
                let tile_a_80 = scratch[index_89 + 1];
                let index_90 = i_15 * 32 + lane_2;
                let tile_b_84 = scratch_0[index_90 >> 1u];
                let tile_b_85 = scratch_0[(index_90 >> 1u) + 1];
                let lanes_37 = vec4<f32>(tile_b_84.x, tile_b_84.y, tile_b_85.x, tile_b_85.y);
                acc_26 = fma(vec4<f32>(tile_a_79), lanes_37, acc_26);
                acc_27 = fma(vec4<f32>(tile_a_80), lanes_37, acc_27);
                let tile_a_81 = scratch[index_89 + 8];
                let tile_a_82 = scratch[index_89 + 9];
                let tile_b_86 = scratch_0[(index_90 >> 1u) + 16];
                let tile_b_87 = scratch_0[(index_90 >> 1u) + 17];
                let lanes_38 = vec4<f32>(tile_b_86.x, tile_b_86.y, tile_b_87.x, tile_b_87.y);
                acc_26 = fma(vec4<f32>(tile_a_81), lanes_38, acc_26);
                acc_27 = fma(vec4<f32>(tile_a_82), lanes_38, acc_27);
                let tile_a_83 = scratch[index_89 + 16];
                let tile_a_84 = scratch[index_89 + 17];
                let tile_b_88 = scratch_0[(index_90 >> 1u) + 32];
                let tile_b_89 = scratch_0[(index_90 >> 1u) + 33];
                let lanes_39 = vec4<f32>(tile_b_88.x, tile_b_88.y, tile_b_89.x, tile_b_89.y);
                acc_26 = fma(vec4<f32>(tile_a_83), lanes_39, acc_26);
                acc_27 = fma(vec4<f32>(tile_a_84), lanes_39, acc_27);
                let tile_a_85 = scratch[index_89 + 24];
                let tile_a_86 = scratch[index_89 + 25];
                let tile_b_90 = scratch_0[(index_90 >> 1u) + 48];
                let tile_b_91 = scratch_0[(index_90 >> 1u) + 49];
                let lanes_40 = vec4<f32>(tile_b_90.x, tile_b_90.y, tile_b_91.x, tile_b_91.y);
                acc_26 = fma(vec4<f32>(tile_a_85), lanes_40, acc_26);
                acc_27 = fma(vec4<f32>(tile_a_86), lanes_40, acc_27);
            }
            let converted_6 = f32_to_i32_x4(acc_26);
            let converted_7 = f32_to_i32_x4(acc_27);
            // kernels/attention_hidden.go
            let chosen_31 = select(vec4<f32>(0.0), vec4<f32>(f32_from_bits(0x7f800000u)), (converted_6 & vec4<i32>(63)) != vec4<i32>(0));
            let chosen_32 = select(vec4<f32>(0.0), vec4<f32>(f32_from_bits(0x7f800000u)), (converted_7 & vec4<i32>(63)) != vec4<i32>(0));
            let sum_34 = carried_5 + chosen_31;
            let sum_35 = carried_6 + chosen_32;
            // kernels/attention_hidden.go
            let chosen_33 = select(vec4<f32>(0.0), vec4<f32>(f32_from_bits(0xff800000u)), converted_6 >= vec4<i32>(64));
            let chosen_34 = select(vec4<f32>(0.0), vec4<f32>(f32_from_bits(0xff800000u)), converted_7 >= vec4<i32>(64));
            let sum_36 = sum_34 + chosen_33;
            let sum_37 = sum_35 + chosen_34;
            carried = sum_24;
            carried_0 = sum_25;
            carried_1 = sum_28;
            carried_2 = sum_29;
            carried_3 = sum_32;
            carried_4 = sum_33;
            carried_5 = sum_36;
            carried_6 = sum_37;
            carried_7 = carried_7 + 1;
        }
        acc_11 = carried;
        acc_12 = carried_0;
        acc_13 = carried_1;
        acc_14 = carried_2;
        acc_15 = carried_3;
        acc_16 = carried_4;
        acc_17 = carried_5;
        acc_18 = carried_6;
    }
    // kernels/attention_kernel.go
    let equal_4 = acc_0 == vec2<f32>(0.0);
    // kernels/attention_kernel.go
    let quotient_7 = vec2<f32>(1.0) / select(acc_0, vec2<f32>(1.0), equal_4);
    // kernels/attention_kernel.go
    let lanes_41 = quotient_7.xxxx;
    let lanes_42 = quotient_7.yyyy;
    let product_2 = acc_11 * lanes_41;
    let product_3 = acc_12 * lanes_42;
    // kernels/attention_kernel.go
    let offset_35 = params.out_offset + q_start0 * params.out_stride0 + q_start1 * params.out_stride1;
    let offset_36 = offset_35 + offset_12 * params.out_stride2;
    let index_91 = offset_36 + lane_2;
    let bits_14 = bitcast<u32>(params.out_size3);
    let both_12 = bits < bitcast<u32>(params.out_size0) && bits_0 < bitcast<u32>(params.out_size1);
    let both_13 = both_12 && bits_1 < bitcast<u32>(params.out_size2);
    let in_bounds_12 = both_13 && 0u < bits_14;
    if (in_bounds_12) {
        out[index_91 >> 2u] = product_2;
        out[(index_91 + params.out_stride2) >> 2u] = product_3;
    }
    // kernels/attention_kernel.go
    let product_4 = acc_13 * lanes_41;
    let product_5 = acc_14 * lanes_42;
    // kernels/attention_kernel.go
    let index_92 = offset_36 + offset_15;
    let in_bounds_13 = both_13 && 32u < bits_14;
    if (in_bounds_13) {
        out[index_92 >> 2u] = product_4;
        out[(index_92 + params.out_stride2) >> 2u] = product_5;
    }
    // kernels/attention_kernel.go
    let product_6 = acc_15 * lanes_41;
    let product_7 = acc_16 * lanes_42;
    // kernels/attention_kernel.go
    let index_93 = offset_36 + offset_16;
    let in_bounds_14 = both_13 && 64u < bits_14;
    if (in_bounds_14) {
        out[index_93 >> 2u] = product_6;
        out[(index_93 + params.out_stride2) >> 2u] = product_7;
    }
    // kernels/attention_kernel.go
    let product_8 = acc_17 * lanes_41;
    let product_9 = acc_18 * lanes_42;
    // kernels/attention_kernel.go
    let index_94 = offset_36 + offset_17;
    let in_bounds_15 = both_13 && 96u < bits_14;
    if (in_bounds_15) {
        out[index_94 >> 2u] = product_8;
        out[(index_94 + params.out_stride2) >> 2u] = product_9;
    }
    // kernels/attention_kernel.go
    let product_10 = (acc + log2(acc_0)) * vec2<f32>(0.6931472);
    // kernels/attention_kernel.go
    let chosen_35 = select(product_10, vec2<f32>(f32_from_bits(0xff800000u)), equal_4);
    // kernels/attention_kernel.go
    let offset_37 = params.lse_offset + q_start0 * params.lse_stride0 + q_start1 * params.lse_stride1;
    let both_14 = bits < bitcast<u32>(params.lse_size0) && bits_0 < bitcast<u32>(params.lse_size1);
    let in_bounds_16 = index_44 == 0 && both_14 && bits_1 < bitcast<u32>(params.lse_size2);
    if (in_bounds_16) {
        lse[(offset_37 >> 1u) + (offset_12 >> 1u)] = chosen_35;
    }
}
