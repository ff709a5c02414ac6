@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> out: array<vec4<f32>>;
var<workgroup> totals: array<f32, 512>; // kernels/scan_kernel.go: partial results of scan
var<workgroup> totals_0: array<f32, 512>; // kernels/scan_kernel.go: partial results of scan

struct Params {
    x_offset: i32,
    x_size1: i32,
    x_stride0: i32,
    out_offset: i32,
    out_size1: i32,
    out_stride0: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(256, 1, 1)
fn scan(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/reduce_kernel.go
    let x_start0 = program * 2;
    let lane = thread << 2u;
    let index = params.x_offset + x_start0 * params.x_stride0 + lane;
    let bits = bitcast<u32>(lane);
    let in_bounds = bits < bitcast<u32>(params.x_size1);
    let x_0 = select(vec4<f32>(0.0), x[select(0, index >> 2u, in_bounds)], in_bounds);
    let x_1 = select(vec4<f32>(0.0), x[select(0, (index + params.x_stride0) >> 2u, in_bounds)], in_bounds);
    // kernels/scan_kernel.go
    let sum = x_0.x + x_0.y;
    let sum_0 = sum + x_0.z;
    let sum_1 = sum_0 + x_0.w;
    let sum_2 = x_1.x + x_1.y;
    let sum_3 = sum_2 + x_1.z;
    let sum_4 = sum_3 + x_1.w;
    let unequal = (thread & 1) != 0;
    let index_0 = thread ^ 1;
    totals[thread] = sum_1;
    let index_1 = thread + 256;
    totals[index_1] = sum_4;
    workgroupBarrier();
    let totals_1 = totals[index_0];
    let totals_2 = totals[index_0 + 256];
    let chosen = select(sum_1, totals_1, unequal);
    let sum_5 = chosen + select(totals_1, sum_1, unequal);
    let chosen_0 = select(sum_4, totals_2, unequal);
    let sum_6 = chosen_0 + select(totals_2, sum_4, unequal);
    let unequal_0 = (thread & 2) != 0;
    let index_2 = thread ^ 2;
    totals_0[thread] = sum_5;
    totals_0[index_1] = sum_6;
    workgroupBarrier();
    let totals_3 = totals_0[index_2];
    let totals_4 = totals_0[index_2 + 256];
    let chosen_1 = select(sum_5, totals_3, unequal_0);
    let chosen_2 = select(chosen, select(chosen_1, chosen_1 + chosen, unequal), unequal_0);
    let sum_7 = chosen_1 + select(totals_3, sum_5, unequal_0);
    let chosen_3 = select(sum_6, totals_4, unequal_0);
    let chosen_4 = select(chosen_0, select(chosen_3, chosen_3 + chosen_0, unequal), unequal_0);
    let sum_8 = chosen_3 + select(totals_4, sum_6, unequal_0);
    let unequal_1 = (thread & 4) != 0;
    let index_3 = thread ^ 4;
    totals[thread] = sum_7;
    totals[index_1] = sum_8;
    workgroupBarrier();
    let totals_5 = totals[index_3];
    let totals_6 = totals[index_3 + 256];
    let chosen_5 = select(sum_7, totals_5, unequal_1);
    let unequal_2 = (thread & 3) != 0;
    let chosen_6 = select(chosen_2, select(chosen_5, chosen_5 + chosen_2, unequal_2), unequal_1);
    let sum_9 = chosen_5 + select(totals_5, sum_7, unequal_1);
    let chosen_7 = select(sum_8, totals_6, unequal_1);
    let chosen_8 = select(chosen_4, select(chosen_7, chosen_7 + chosen_4, unequal_2), unequal_1);
    let sum_10 = chosen_7 + select(totals_6, sum_8, unequal_1);
    let unequal_3 = (thread & 8) != 0;
    let index_4 = thread ^ 8;
    totals_0[thread] = sum_9;
    totals_0[index_1] = sum_10;
    workgroupBarrier();
    let totals_7 = totals_0[index_4];
    let totals_8 = totals_0[index_4 + 256];
    let chosen_9 = select(sum_9, totals_7, unequal_3);
    let unequal_4 = (thread & 7) != 0;
    let chosen_10 = select(chosen_6, select(chosen_9, chosen_9 + chosen_6, unequal_4), unequal_3);
    let sum_11 = chosen_9 + select(totals_7, sum_9, unequal_3);
    let chosen_11 = select(sum_10, totals_8, unequal_3);
    let chosen_12 = select(chosen_8, select(chosen_11, chosen_11 + chosen_8, unequal_4), unequal_3);
    let sum_12 = chosen_11 + select(totals_8, sum_10, unequal_3);
    let unequal_5 = (thread & 16) != 0;
    let index_5 = thread ^ 16;
    totals[thread] = sum_11;
    totals[index_1] = sum_12;
    workgroupBarrier();
    let totals_9 = totals[index_5];
    let totals_10 = totals[index_5 + 256];
    let chosen_13 = select(sum_11, totals_9, unequal_5);
    let unequal_6 = (thread & 15) != 0;
    let chosen_14 = select(chosen_10, select(chosen_13, chosen_13 + chosen_10, unequal_6), unequal_5);
    let sum_13 = chosen_13 + select(totals_9, sum_11, unequal_5);
    let chosen_15 = select(sum_12, totals_10, unequal_5);
    let chosen_16 = select(chosen_12, select(chosen_15, chosen_15 + chosen_12, unequal_6), unequal_5);
    let sum_14 = chosen_15 + select(totals_10, sum_12, unequal_5);
    let unequal_7 = (thread & 32) != 0;
    let index_6 = thread ^ 32;
    totals_0[thread] = sum_13;
    totals_0[index_1] = sum_14;
    workgroupBarrier();
    let totals_11 = totals_0[index_6];
    let totals_12 = totals_0[index_6 + 256];
    let chosen_17 = select(sum_13, totals_11, unequal_7);
    let unequal_8 = (thread & 31) != 0;
    let chosen_18 = select(chosen_14, select(chosen_17, chosen_17 + chosen_14, unequal_8), unequal_7);
    let sum_15 = chosen_17 + select(totals_11, sum_13, unequal_7);
    let chosen_19 = select(sum_14, totals_12, unequal_7);
    let chosen_20 = select(chosen_16, select(chosen_19, chosen_19 + chosen_16, unequal_8), unequal_7);
    let sum_16 = chosen_19 + select(totals_12, sum_14, unequal_7);
    let unequal_9 = (thread & 64) != 0;
    let index_7 = thread ^ 64;
    totals[thread] = sum_15;
    totals[index_1] = sum_16;
    workgroupBarrier();
    let totals_13 = totals[index_7];
    let totals_14 = totals[index_7 + 256];
    let chosen_21 = select(sum_15, totals_13, unequal_9);
    let unequal_10 = (thread & 63) != 0;
    let chosen_22 = select(chosen_18, select(chosen_21, chosen_21 + chosen_18, unequal_10), unequal_9);
    let sum_17 = chosen_21 + select(totals_13, sum_15, unequal_9);
    let chosen_23 = select(sum_16, totals_14, unequal_9);
    let chosen_24 = select(chosen_20, select(chosen_23, chosen_23 + chosen_20, unequal_10), unequal_9);
    let sum_18 = chosen_23 + select(totals_14, sum_16, unequal_9);
    let unequal_11 = (thread & 128) != 0;
    let index_8 = thread ^ 128;
    totals_0[thread] = sum_17;
    totals_0[index_1] = sum_18;
    workgroupBarrier();
    let totals_15 = totals_0[index_8];
    let totals_16 = totals_0[index_8 + 256];
    let chosen_25 = select(sum_17, totals_15, unequal_11);
    let unequal_12 = (thread & 127) != 0;
    let chosen_26 = select(chosen_22, select(chosen_25, chosen_25 + chosen_22, unequal_12), unequal_11);
    let chosen_27 = select(sum_18, totals_16, unequal_11);
    let chosen_28 = select(chosen_24, select(chosen_27, chosen_27 + chosen_24, unequal_12), unequal_11);
    let equal = (thread & 255) == 0;
    let lanes = vec4<f32>(select(chosen_26 + x_0.x, x_0.x, equal), select(chosen_26 + sum, sum, equal), select(chosen_26 + sum_0, sum_0, equal), select(chosen_26 + sum_1, sum_1, equal));
    let lanes_0 = vec4<f32>(select(chosen_28 + x_1.x, x_1.x, equal), select(chosen_28 + sum_2, sum_2, equal), select(chosen_28 + sum_3, sum_3, equal), select(chosen_28 + sum_4, sum_4, equal));
    // kernels/scan_kernel.go
    let index_9 = params.out_offset + x_start0 * params.out_stride0 + lane;
    let in_bounds_0 = bits < bitcast<u32>(params.out_size1);
    if (in_bounds_0) {
        out[index_9 >> 2u] = lanes;
        out[(index_9 + params.out_stride0) >> 2u] = lanes_0;
    }
}
