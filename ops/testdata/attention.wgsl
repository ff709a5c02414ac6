@group(0) @binding(0) var<storage, read> q: array<f32>;
@group(0) @binding(1) var<storage, read> k: array<f32>;
@group(0) @binding(2) var<storage, read> v: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> mask: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> out: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> lse: array<vec2<f32>>;
var<workgroup> tile_b: array<vec4<f32>, 128>; // kernels/attention_kernel.go: operand b of the product
var<workgroup> parts: array<f32, 256>; // kernels/attention_kernel.go: partial results of reduce.max; partial results of reduce.sum (kernels/attention_kernel.go)
var<workgroup> tile_a: array<vec2<f32>, 512>; // kernels/attention_kernel.go: operand a of the product
var<workgroup> scratch: array<vec4<f32>, 256>; // kernels/attention_kernel.go: operand a of the product (kernels/attention_kernel.go); operand b of the product

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
    let offset = (thread & 2) + ((thread >> 1u) & 4);
    let shifted = thread >> 2u;
    let lane = offset + (shifted & 24);
    let offset_0 = vec2<i32>(lane, lane + 1) + vec2<i32>(q_start2);
    // kernels/attention_kernel.go
    let offset_1 = params.last + 1;
    // kernels/attention_kernel.go
    let least = min(offset_0 + vec2<i32>(offset_1), vec2<i32>(params.k_size2));
    // kernels/attention_kernel.go
    let quotient_2 = (max(min(q_start2 + params.last + 32, params.k_size2), 0) + 31) / 32;
    // kernels/attention_kernel.go
    let quotient_3 = max(min(q_start2 + offset_1, params.k_size2), 0) / 32;
    // kernels/attention_kernel.go
    let quotient_4 = (params.q_size3 + 15) / 16;
    // kernels/attention_kernel.go
    let bits = bitcast<u32>(q_start0);
    let offset_2 = params.q_offset + q_start0 * params.q_stride0 + q_start1 * params.q_stride1;
    let bits_0 = bitcast<u32>(q_start1);
    let lane_0 = shifted & 28;
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
    let shifted_0 = (thread & 96) << 2u;
    let index = lane_1 * 8 + (shifted & 4) + shifted_0;
    let index_0 = lane_1 * 32 + lane_0;
    let offset_9 = offset + shifted_0;
    let lane_2 = ((thread & 1) << 2u) + ((thread & 4) << 1u) + (thread & 16);
    // kernels/attention_kernel.go
    // kernels/attention_kernel.go
    let offset_10 = params.mask_offset + q_start0 * params.mask_stride0 + q_start1 * params.mask_stride1;
    let offset_11 = q_start2 + lane;
    let offset_12 = offset_10 + offset_11 * params.mask_stride2;
    let bits_5 = bitcast<u32>(params.mask_size3);
    let both_1 = bits < bitcast<u32>(params.mask_size0) && bits_0 < bitcast<u32>(params.mask_size1);
    let both_2 = both_1 && bits_1 < bitcast<u32>(params.mask_size2);
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
    let offset_13 = params.v_offset + q_start0 * params.v_stride0 + k_start1 * params.v_stride1;
    let bits_6 = bitcast<u32>(params.v_size2);
    let bits_7 = bitcast<u32>(params.v_size3);
    let less = 0u < bits_7;
    let both_3 = bits < bitcast<u32>(params.v_size0) && bits_2 < bitcast<u32>(params.v_size1);
    // kernels/attention_kernel.go
    let index_18 = lane_2 * 32 + lane;
    let index_19 = index_18 + 32;
    let index_20 = index_18 + 64;
    let index_21 = index_18 + 96;
    let index_22 = lane * 32 + lane_2;
    let index_23 = index_22 + 32;
    // kernels/attention_kernel.go
    let offset_14 = 32 + lane_2;
    let less_0 = 32u < bits_7;
    let offset_15 = 64 + lane_2;
    let less_1 = 64u < bits_7;
    let offset_16 = 96 + lane_2;
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
        let offset_17 = offset_6 + (k_start2 + lane_0) * params.k_stride2;
        let bits_8 = bitcast<u32>(k_start2);
        let both_4 = both_0 && bits_8 < bits_3;
        // kernels/attention_kernel.go
        var acc_9: vec4<f32> = vec4<f32>(0.0);
        var acc_10: vec4<f32> = vec4<f32>(0.0);
        for (var i_0: i32 = 0; i_0 < quotient_4; i_0 += 1) {
            // kernels/attention_kernel.go
            let q_start3 = i_0 * 16;
            let offset_18 = q_start3 + lane_1;
            let index_24 = offset_3 + offset_18;
            let q_0 = select(0.0, q[select(0, index_24, in_bounds)], in_bounds);
            let q_1 = select(0.0, q[select(0, index_24 + params.q_stride2, in_bounds)], in_bounds);
            let q_2 = select(0.0, q[select(0, index_24 + offset_4, in_bounds)], in_bounds);
            let q_3 = select(0.0, q[select(0, index_24 + offset_5, in_bounds)], in_bounds);
            let lanes = vec4<f32>(q_0, q_1, q_2, q_3);
            // kernels/attention_kernel.go
            let index_25 = offset_17 + offset_18;
            let in_bounds_0 = both_4 && bitcast<u32>(q_start3) < bits_4;
            let k_0 = select(0.0, k[select(0, index_25, in_bounds_0)], in_bounds_0);
            let k_1 = select(0.0, k[select(0, index_25 + params.k_stride2, in_bounds_0)], in_bounds_0);
            let k_2 = select(0.0, k[select(0, index_25 + offset_7, in_bounds_0)], in_bounds_0);
            let k_3 = select(0.0, k[select(0, index_25 + offset_8, in_bounds_0)], in_bounds_0);
            let lanes_0 = vec4<f32>(k_0, k_1, k_2, k_3);
            // kernels/attention_kernel.go
            workgroupBarrier();
            scratch[index >> 2u] = lanes;
            tile_b[index_0 >> 2u] = lanes_0;
            workgroupBarrier();
            for (var i_1: i32 = 0; i_1 < 16; i_1 += 4) {
                let index_26 = i_1 * 8 + offset_9;
                let quad = scratch[index_26 >> 2u];
                let tile_a_0 = select(quad.xy, quad.zw, (index_26 & 2) != 0);
                let index_27 = i_1 * 32 + lane_2;
                let tile_b_0 = tile_b[index_27 >> 2u];
                acc_9 = fma(vec4<f32>(tile_a_0.x), tile_b_0, acc_9);
                acc_10 = fma(vec4<f32>(tile_a_0.y), tile_b_0, acc_10);
                let index_28 = index_26 + 8;
                let quad_0 = scratch[index_28 >> 2u];
                let tile_a_1 = select(quad_0.xy, quad_0.zw, (index_28 & 2) != 0);
                let tile_b_1 = tile_b[(index_27 >> 2u) + 8];
                acc_9 = fma(vec4<f32>(tile_a_1.x), tile_b_1, acc_9);
                acc_10 = fma(vec4<f32>(tile_a_1.y), tile_b_1, acc_10);
                let index_29 = index_26 + 16;
                let quad_1 = scratch[index_29 >> 2u];
                let tile_a_2 = select(quad_1.xy, quad_1.zw, (index_29 & 2) != 0);
                let tile_b_2 = tile_b[(index_27 >> 2u) + 16];
                acc_9 = fma(vec4<f32>(tile_a_2.x), tile_b_2, acc_9);
                acc_10 = fma(vec4<f32>(tile_a_2.y), tile_b_2, acc_10);
                let index_30 = index_26 + 24;
                let quad_2 = scratch[index_30 >> 2u];
                let tile_a_3 = select(quad_2.xy, quad_2.zw, (index_30 & 2) != 0);
                let tile_b_3 = tile_b[(index_27 >> 2u) + 24];
                acc_9 = fma(vec4<f32>(tile_a_3.x), tile_b_3, acc_9);
                acc_10 = fma(vec4<f32>(tile_a_3.y), tile_b_3, acc_10);
            }
        }
        // kernels/attention_kernel.go
        let product = acc_9 * vec4<f32>(params.scale);
        let product_0 = acc_10 * vec4<f32>(params.scale);
        // kernels/attention_kernel.go
        let index_31 = offset_12 + k_start2 + lane_2;
        let in_bounds_1 = both_2 && bits_8 < bits_5;
        let mask_0 = select(vec4<f32>(0.0), mask[select(0, index_31 >> 2u, in_bounds_1)], in_bounds_1);
        let mask_1 = select(vec4<f32>(0.0), mask[select(0, (index_31 + params.mask_stride2) >> 2u, in_bounds_1)], in_bounds_1);
        // kernels/attention_kernel.go
        let fused = fma(mask_0, vec4<f32>(1.442695), product);
        let fused_0 = fma(mask_1, vec4<f32>(1.442695), product_0);
        // kernels/attention_kernel.go
        let at_least = i >= quotient_3;
        // kernels/attention_kernel.go
        var chosen_1: vec4<f32> = fused;
        var chosen_2: vec4<f32> = fused_0;
        if (at_least) {
            // kernels/attention_kernel.go
            let offset_19 = vec4<i32>(lane_2, lane_2 + 1, lane_2 + 2, lane_2 + 3) + vec4<i32>(k_start2);
            // kernels/attention_kernel.go
            let less_3 = offset_19 < least.xxxx;
            let less_4 = offset_19 < least.yyyy;
            chosen_1 = select(vec4<f32>(f32_from_bits(0xff800000u)), fused, less_3);
            chosen_2 = select(vec4<f32>(f32_from_bits(0xff800000u)), fused_0, less_4);
        }
        // kernels/attention_kernel.go
        parts[thread] = max(max(chosen_1.x, chosen_1.z), max(chosen_1.y, chosen_1.w));
        parts[index_1] = max(max(chosen_2.x, chosen_2.z), max(chosen_2.y, chosen_2.w));
        workgroupBarrier();
        let parts_0 = parts[index_2];
        let parts_1 = parts[index_3];
        let parts_2 = parts[index_4];
        let parts_3 = parts[index_5];
        let parts_4 = parts[index_6];
        let parts_5 = parts[index_7];
        let greatest = max(max(max(max(max(parts_0, parts_1), parts_2), parts_3), parts_4), parts_5);
        let parts_6 = parts[index_8];
        let parts_7 = parts[index_9];
        let parts_8 = parts[index_10];
        let parts_9 = parts[index_11];
        let parts_10 = parts[index_12];
        let parts_11 = parts[index_13];
        let parts_12 = parts[index_14];
        let greatest_0 = max(max(max(max(parts_8, parts_9), parts_10), parts_11), parts_12);
        let parts_13 = parts[index_15];
        let parts_14 = parts[index_16];
        let parts_15 = parts[index_17];
        let lanes_1 = vec2<f32>(max(max(greatest, parts_6), parts_7), max(max(max(greatest_0, parts_13), parts_14), parts_15));
        let greatest_1 = max(acc, lanes_1);
        // kernels/attention_kernel.go
        let power = exp2(chosen_1 - greatest_1.xxxx);
        let power_0 = exp2(chosen_2 - greatest_1.yyyy);
        let power_1 = exp2(acc - greatest_1);
        // kernels/attention_kernel.go
        acc_0 *= power_1;
        workgroupBarrier();
        parts[thread] = power.x + power.z + (power.y + power.w);
        parts[index_1] = power_0.x + power_0.z + (power_0.y + power_0.w);
        workgroupBarrier();
        let parts_16 = parts[index_2];
        let parts_17 = parts[index_3];
        let parts_18 = parts[index_4];
        let parts_19 = parts[index_5];
        let parts_20 = parts[index_6];
        let parts_21 = parts[index_7];
        let parts_22 = parts[index_8];
        let sum = parts_16 + parts_17 + parts_18 + parts_19 + parts_20 + parts_21 + parts_22;
        let parts_23 = parts[index_9];
        let parts_24 = parts[index_10];
        let parts_25 = parts[index_11];
        let parts_26 = parts[index_12];
        let parts_27 = parts[index_13];
        let parts_28 = parts[index_14];
        let parts_29 = parts[index_15];
        let parts_30 = parts[index_16];
        let sum_0 = parts_24 + parts_25 + parts_26 + parts_27 + parts_28 + parts_29 + parts_30;
        let parts_31 = parts[index_17];
        acc_0 += vec2<f32>(sum + parts_23, sum_0 + parts_31);
        // kernels/attention_kernel.go
        let offset_20 = offset_13 + (k_start2 + lane) * params.v_stride2;
        let index_32 = offset_20 + lane_2;
        let both_5 = both_3 && bits_8 < bits_6;
        let in_bounds_2 = both_5 && less;
        let v_0 = select(vec4<f32>(0.0), v[select(0, index_32 >> 2u, in_bounds_2)], in_bounds_2);
        let v_1 = select(vec4<f32>(0.0), v[select(0, (index_32 + params.v_stride2) >> 2u, in_bounds_2)], in_bounds_2);
        // kernels/attention_kernel.go
        let lanes_2 = power_1.xxxx;
        let lanes_3 = power_1.yyyy;
        acc_1 *= lanes_2;
        acc_2 *= lanes_3;
        let lanes_4 = vec2<f32>(power.x, power_0.x);
        tile_a[index_18 >> 1u] = lanes_4;
        let lanes_5 = vec2<f32>(power.y, power_0.y);
        tile_a[index_19 >> 1u] = lanes_5;
        let lanes_6 = vec2<f32>(power.z, power_0.z);
        tile_a[index_20 >> 1u] = lanes_6;
        let lanes_7 = vec2<f32>(power.w, power_0.w);
        tile_a[index_21 >> 1u] = lanes_7;
        scratch[index_22 >> 2u] = v_0;
        scratch[index_23 >> 2u] = v_1;
        workgroupBarrier();
        for (var i_2: i32 = 0; i_2 < 32; i_2 += 4) {
            let index_33 = i_2 * 32 + lane;
            let tile_a_4 = tile_a[index_33 >> 1u];
            let index_34 = i_2 * 32 + lane_2;
            let tile_b_4 = scratch[index_34 >> 2u];
            acc_1 = fma(vec4<f32>(tile_a_4.x), tile_b_4, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_4.y), tile_b_4, acc_2);
            let tile_a_5 = tile_a[(index_33 >> 1u) + 16];
            let tile_b_5 = scratch[(index_34 >> 2u) + 8];
            acc_1 = fma(vec4<f32>(tile_a_5.x), tile_b_5, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_5.y), tile_b_5, acc_2);
            let tile_a_6 = tile_a[(index_33 >> 1u) + 32];
            let tile_b_6 = scratch[(index_34 >> 2u) + 16];
            acc_1 = fma(vec4<f32>(tile_a_6.x), tile_b_6, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_6.y), tile_b_6, acc_2);
            let tile_a_7 = tile_a[(index_33 >> 1u) + 48];
            let tile_b_7 = scratch[(index_34 >> 2u) + 24];
            acc_1 = fma(vec4<f32>(tile_a_7.x), tile_b_7, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_7.y), tile_b_7, acc_2);
        }
        // kernels/attention_kernel.go
        let index_35 = offset_20 + offset_14;
        let in_bounds_3 = both_5 && less_0;
        let v_2 = select(vec4<f32>(0.0), v[select(0, index_35 >> 2u, in_bounds_3)], in_bounds_3);
        let v_3 = select(vec4<f32>(0.0), v[select(0, (index_35 + params.v_stride2) >> 2u, in_bounds_3)], in_bounds_3);
        // kernels/attention_kernel.go
        acc_3 *= lanes_2;
        acc_4 *= lanes_3;
        workgroupBarrier();
        tile_a[index_18 >> 1u] = lanes_4;
        tile_a[index_19 >> 1u] = lanes_5;
        tile_a[index_20 >> 1u] = lanes_6;
        tile_a[index_21 >> 1u] = lanes_7;
        scratch[index_22 >> 2u] = v_2;
        scratch[index_23 >> 2u] = v_3;
        workgroupBarrier();
        for (var i_3: i32 = 0; i_3 < 32; i_3 += 4) {
            let index_36 = i_3 * 32 + lane;
            let tile_a_8 = tile_a[index_36 >> 1u];
            let index_37 = i_3 * 32 + lane_2;
            let tile_b_8 = scratch[index_37 >> 2u];
            acc_3 = fma(vec4<f32>(tile_a_8.x), tile_b_8, acc_3);
            acc_4 = fma(vec4<f32>(tile_a_8.y), tile_b_8, acc_4);
            let tile_a_9 = tile_a[(index_36 >> 1u) + 16];
            let tile_b_9 = scratch[(index_37 >> 2u) + 8];
            acc_3 = fma(vec4<f32>(tile_a_9.x), tile_b_9, acc_3);
            acc_4 = fma(vec4<f32>(tile_a_9.y), tile_b_9, acc_4);
            let tile_a_10 = tile_a[(index_36 >> 1u) + 32];
            let tile_b_10 = scratch[(index_37 >> 2u) + 16];
            acc_3 = fma(vec4<f32>(tile_a_10.x), tile_b_10, acc_3);
            acc_4 = fma(vec4<f32>(tile_a_10.y), tile_b_10, acc_4);
            let tile_a_11 = tile_a[(index_36 >> 1u) + 48];
            let tile_b_11 = scratch[(index_37 >> 2u) + 24];
            acc_3 = fma(vec4<f32>(tile_a_11.x), tile_b_11, acc_3);
            acc_4 = fma(vec4<f32>(tile_a_11.y), tile_b_11, acc_4);
        }
        // kernels/attention_kernel.go
        let index_38 = offset_20 + offset_15;
        let in_bounds_4 = both_5 && less_1;
        let v_4 = select(vec4<f32>(0.0), v[select(0, index_38 >> 2u, in_bounds_4)], in_bounds_4);
        let v_5 = select(vec4<f32>(0.0), v[select(0, (index_38 + params.v_stride2) >> 2u, in_bounds_4)], in_bounds_4);
        // kernels/attention_kernel.go
        acc_5 *= lanes_2;
        acc_6 *= lanes_3;
        workgroupBarrier();
        tile_a[index_18 >> 1u] = lanes_4;
        tile_a[index_19 >> 1u] = lanes_5;
        tile_a[index_20 >> 1u] = lanes_6;
        tile_a[index_21 >> 1u] = lanes_7;
        scratch[index_22 >> 2u] = v_4;
        scratch[index_23 >> 2u] = v_5;
        workgroupBarrier();
        for (var i_4: i32 = 0; i_4 < 32; i_4 += 4) {
            let index_39 = i_4 * 32 + lane;
            let tile_a_12 = tile_a[index_39 >> 1u];
            let index_40 = i_4 * 32 + lane_2;
            let tile_b_12 = scratch[index_40 >> 2u];
            acc_5 = fma(vec4<f32>(tile_a_12.x), tile_b_12, acc_5);
            acc_6 = fma(vec4<f32>(tile_a_12.y), tile_b_12, acc_6);
            let tile_a_13 = tile_a[(index_39 >> 1u) + 16];
            let tile_b_13 = scratch[(index_40 >> 2u) + 8];
            acc_5 = fma(vec4<f32>(tile_a_13.x), tile_b_13, acc_5);
            acc_6 = fma(vec4<f32>(tile_a_13.y), tile_b_13, acc_6);
            let tile_a_14 = tile_a[(index_39 >> 1u) + 32];
            let tile_b_14 = scratch[(index_40 >> 2u) + 16];
            acc_5 = fma(vec4<f32>(tile_a_14.x), tile_b_14, acc_5);
            acc_6 = fma(vec4<f32>(tile_a_14.y), tile_b_14, acc_6);
            let tile_a_15 = tile_a[(index_39 >> 1u) + 48];
            let tile_b_15 = scratch[(index_40 >> 2u) + 24];
            acc_5 = fma(vec4<f32>(tile_a_15.x), tile_b_15, acc_5);
            acc_6 = fma(vec4<f32>(tile_a_15.y), tile_b_15, acc_6);
        }
        // kernels/attention_kernel.go
        let index_41 = offset_20 + offset_16;
        let in_bounds_5 = both_5 && less_2;
        let v_6 = select(vec4<f32>(0.0), v[select(0, index_41 >> 2u, in_bounds_5)], in_bounds_5);
        let v_7 = select(vec4<f32>(0.0), v[select(0, (index_41 + params.v_stride2) >> 2u, in_bounds_5)], in_bounds_5);
        // kernels/attention_kernel.go
        acc_7 *= lanes_2;
        acc_8 *= lanes_3;
        workgroupBarrier();
        tile_a[index_18 >> 1u] = lanes_4;
        tile_a[index_19 >> 1u] = lanes_5;
        tile_a[index_20 >> 1u] = lanes_6;
        tile_a[index_21 >> 1u] = lanes_7;
        scratch[index_22 >> 2u] = v_6;
        scratch[index_23 >> 2u] = v_7;
        workgroupBarrier();
        for (var i_5: i32 = 0; i_5 < 32; i_5 += 4) {
            let index_42 = i_5 * 32 + lane;
            let tile_a_16 = tile_a[index_42 >> 1u];
            let index_43 = i_5 * 32 + lane_2;
            let tile_b_16 = scratch[index_43 >> 2u];
            acc_7 = fma(vec4<f32>(tile_a_16.x), tile_b_16, acc_7);
            acc_8 = fma(vec4<f32>(tile_a_16.y), tile_b_16, acc_8);
            let tile_a_17 = tile_a[(index_42 >> 1u) + 16];
            let tile_b_17 = scratch[(index_43 >> 2u) + 8];
            acc_7 = fma(vec4<f32>(tile_a_17.x), tile_b_17, acc_7);
            acc_8 = fma(vec4<f32>(tile_a_17.y), tile_b_17, acc_8);
            let tile_a_18 = tile_a[(index_42 >> 1u) + 32];
            let tile_b_18 = scratch[(index_43 >> 2u) + 16];
            acc_7 = fma(vec4<f32>(tile_a_18.x), tile_b_18, acc_7);
            acc_8 = fma(vec4<f32>(tile_a_18.y), tile_b_18, acc_8);
            let tile_a_19 = tile_a[(index_42 >> 1u) + 48];
            let tile_b_19 = scratch[(index_43 >> 2u) + 24];
            acc_7 = fma(vec4<f32>(tile_a_19.x), tile_b_19, acc_7);
            acc_8 = fma(vec4<f32>(tile_a_19.y), tile_b_19, acc_8);
        }
        acc = greatest_1;
    }
    // kernels/attention_kernel.go
    let equal = acc_0 == vec2<f32>(0.0);
    // kernels/attention_kernel.go
    let quotient_5 = vec2<f32>(1.0) / select(acc_0, vec2<f32>(1.0), equal);
    // kernels/attention_kernel.go
    let lanes_8 = quotient_5.xxxx;
    let lanes_9 = quotient_5.yyyy;
    let product_1 = acc_1 * lanes_8;
    let product_2 = acc_2 * lanes_9;
    // kernels/attention_kernel.go
    let offset_21 = params.out_offset + q_start0 * params.out_stride0 + q_start1 * params.out_stride1;
    let offset_22 = offset_21 + offset_11 * params.out_stride2;
    let index_44 = offset_22 + lane_2;
    let bits_9 = bitcast<u32>(params.out_size3);
    let both_6 = bits < bitcast<u32>(params.out_size0) && bits_0 < bitcast<u32>(params.out_size1);
    let both_7 = both_6 && bits_1 < bitcast<u32>(params.out_size2);
    let in_bounds_6 = both_7 && 0u < bits_9;
    if (in_bounds_6) {
        out[index_44 >> 2u] = product_1;
        out[(index_44 + params.out_stride2) >> 2u] = product_2;
    }
    // kernels/attention_kernel.go
    let product_3 = acc_3 * lanes_8;
    let product_4 = acc_4 * lanes_9;
    // kernels/attention_kernel.go
    let index_45 = offset_22 + offset_14;
    let in_bounds_7 = both_7 && 32u < bits_9;
    if (in_bounds_7) {
        out[index_45 >> 2u] = product_3;
        out[(index_45 + params.out_stride2) >> 2u] = product_4;
    }
    // kernels/attention_kernel.go
    let product_5 = acc_5 * lanes_8;
    let product_6 = acc_6 * lanes_9;
    // kernels/attention_kernel.go
    let index_46 = offset_22 + offset_15;
    let in_bounds_8 = both_7 && 64u < bits_9;
    if (in_bounds_8) {
        out[index_46 >> 2u] = product_5;
        out[(index_46 + params.out_stride2) >> 2u] = product_6;
    }
    // kernels/attention_kernel.go
    let product_7 = acc_7 * lanes_8;
    let product_8 = acc_8 * lanes_9;
    // kernels/attention_kernel.go
    let index_47 = offset_22 + offset_16;
    let in_bounds_9 = both_7 && 96u < bits_9;
    if (in_bounds_9) {
        out[index_47 >> 2u] = product_7;
        out[(index_47 + params.out_stride2) >> 2u] = product_8;
    }
    // kernels/attention_kernel.go
    let product_9 = (acc + log2(acc_0)) * vec2<f32>(0.6931472);
    // kernels/attention_kernel.go
    let chosen_3 = select(product_9, vec2<f32>(f32_from_bits(0xff800000u)), equal);
    // kernels/attention_kernel.go
    let offset_23 = params.lse_offset + q_start0 * params.lse_stride0 + q_start1 * params.lse_stride1;
    let both_8 = bits < bitcast<u32>(params.lse_size0) && bits_0 < bitcast<u32>(params.lse_size1);
    let in_bounds_10 = (thread & 21) == 0 && both_8 && bits_1 < bitcast<u32>(params.lse_size2);
    if (in_bounds_10) {
        lse[(offset_23 >> 1u) + (offset_11 >> 1u)] = chosen_3;
    }
}
