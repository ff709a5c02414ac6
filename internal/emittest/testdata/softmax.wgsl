@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
var<workgroup> partial_0: array<f32, 256>;

struct Params {
    cols: i32,
    rows: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

// Numbers that WGSL does not allow as constants.
fn f32_from_bits(bits: u32) -> f32 {
    return bitcast<f32>(bits);
}

@compute @workgroup_size(256, 1, 1)
fn softmax_rows(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    // softmax.go:30
    let group_x = i32(workgroup.x);
    let thread = i32(thread_id);
    if (group_x >= params.rows) {
        return;
    }
    let index = group_x * params.cols + thread;
    let in_bounds = thread < params.cols;
    let x_0 = select(f32_from_bits(0xff800000u), x[select(0, index, in_bounds)], in_bounds);
    // softmax.go:31
    workgroupBarrier();
    partial_0[thread] = x_0;
    workgroupBarrier();
    let less = thread < 128;
    if (less) {
        let partial_1 = partial_0[thread + 128];
        let partial_2 = partial_0[thread];
        partial_0[thread] = max(partial_2, partial_1);
    }
    workgroupBarrier();
    let less_0 = thread < 64;
    if (less_0) {
        let partial_3 = partial_0[thread + 64];
        let partial_4 = partial_0[thread];
        partial_0[thread] = max(partial_4, partial_3);
    }
    workgroupBarrier();
    let less_1 = thread < 32;
    if (less_1) {
        let partial_5 = partial_0[thread + 32];
        let partial_6 = partial_0[thread];
        partial_0[thread] = max(partial_6, partial_5);
    }
    workgroupBarrier();
    let less_2 = thread < 16;
    if (less_2) {
        let partial_7 = partial_0[thread + 16];
        let partial_8 = partial_0[thread];
        partial_0[thread] = max(partial_8, partial_7);
    }
    workgroupBarrier();
    let less_3 = thread < 8;
    if (less_3) {
        let partial_9 = partial_0[thread + 8];
        let partial_10 = partial_0[thread];
        partial_0[thread] = max(partial_10, partial_9);
    }
    workgroupBarrier();
    let less_4 = thread < 4;
    if (less_4) {
        let partial_11 = partial_0[thread + 4];
        let partial_12 = partial_0[thread];
        partial_0[thread] = max(partial_12, partial_11);
    }
    workgroupBarrier();
    let less_5 = thread < 2;
    if (less_5) {
        let partial_13 = partial_0[thread + 2];
        let partial_14 = partial_0[thread];
        partial_0[thread] = max(partial_14, partial_13);
    }
    workgroupBarrier();
    let less_6 = thread < 1;
    if (less_6) {
        let partial_15 = partial_0[thread + 1];
        let partial_16 = partial_0[thread];
        partial_0[thread] = max(partial_16, partial_15);
    }
    workgroupBarrier();
    let partial_17 = partial_0[0];
    let power = exp(x_0 - partial_17);
    // softmax.go:32
    workgroupBarrier();
    partial_0[thread] = power;
    workgroupBarrier();
    if (less) {
        let partial_18 = partial_0[thread + 128];
        let partial_19 = partial_0[thread];
        partial_0[thread] = partial_19 + partial_18;
    }
    workgroupBarrier();
    if (less_0) {
        let partial_20 = partial_0[thread + 64];
        let partial_21 = partial_0[thread];
        partial_0[thread] = partial_21 + partial_20;
    }
    workgroupBarrier();
    if (less_1) {
        let partial_22 = partial_0[thread + 32];
        let partial_23 = partial_0[thread];
        partial_0[thread] = partial_23 + partial_22;
    }
    workgroupBarrier();
    if (less_2) {
        let partial_24 = partial_0[thread + 16];
        let partial_25 = partial_0[thread];
        partial_0[thread] = partial_25 + partial_24;
    }
    workgroupBarrier();
    if (less_3) {
        let partial_26 = partial_0[thread + 8];
        let partial_27 = partial_0[thread];
        partial_0[thread] = partial_27 + partial_26;
    }
    workgroupBarrier();
    if (less_4) {
        let partial_28 = partial_0[thread + 4];
        let partial_29 = partial_0[thread];
        partial_0[thread] = partial_29 + partial_28;
    }
    workgroupBarrier();
    if (less_5) {
        let partial_30 = partial_0[thread + 2];
        let partial_31 = partial_0[thread];
        partial_0[thread] = partial_31 + partial_30;
    }
    workgroupBarrier();
    if (less_6) {
        let partial_32 = partial_0[thread + 1];
        let partial_33 = partial_0[thread];
        partial_0[thread] = partial_33 + partial_32;
    }
    workgroupBarrier();
    let partial_34 = partial_0[0];
    if (in_bounds) {
        y[index] = power / partial_34;
    }
}
