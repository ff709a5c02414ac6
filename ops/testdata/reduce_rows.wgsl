@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
var<workgroup> parts: array<f32, 256>; // kernels/reduce_states.go: partial results of reduce.sum
var<workgroup> parts_0: array<f32, 16>; // kernels/reduce_states.go: partial results of reduce.sum

struct Params {
    x_offset: i32,
    x_size0: i32,
    x_size1: i32,
    x_stride0: i32,
    out_offset: i32,
    out_size1: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(256, 1, 1)
fn reduce(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/reduce_kernel.go
    let less = bitcast<u32>(program) < bitcast<u32>(params.x_size0);
    let lane = thread << 2u;
    let index = params.x_offset + program * params.x_stride0 + lane;
    let bits = bitcast<u32>(params.x_size1);
    let in_bounds = less && bitcast<u32>(lane) < bits;
    let x_0 = select(vec4<f32>(0.0), x[select(0, index >> 2u, in_bounds)], in_bounds);
    let in_bounds_0 = less && bitcast<u32>(lane + 1024) < bits;
    let x_1 = select(vec4<f32>(0.0), x[select(0, (index >> 2u) + 256, in_bounds_0)], in_bounds_0);
    let in_bounds_1 = less && bitcast<u32>(lane + 2048) < bits;
    let x_2 = select(vec4<f32>(0.0), x[select(0, (index >> 2u) + 512, in_bounds_1)], in_bounds_1);
    let in_bounds_2 = less && bitcast<u32>(lane + 3072) < bits;
    let x_3 = select(vec4<f32>(0.0), x[select(0, (index >> 2u) + 768, in_bounds_2)], in_bounds_2);
    // kernels/reduce_states.go
    let sum = x_0 + x_1 + x_2 + x_3;
    parts[thread] = sum.x + sum.z + (sum.y + sum.w);
    let index_0 = thread & 15;
    workgroupBarrier();
    let parts_1 = parts[index_0];
    let parts_2 = parts[index_0 + 16];
    let parts_3 = parts[index_0 + 32];
    let parts_4 = parts[index_0 + 48];
    let parts_5 = parts[index_0 + 64];
    let parts_6 = parts[index_0 + 80];
    let parts_7 = parts[index_0 + 96];
    let sum_0 = parts_1 + parts_2 + parts_3 + parts_4 + parts_5 + parts_6 + parts_7;
    let parts_8 = parts[index_0 + 112];
    let parts_9 = parts[index_0 + 128];
    let parts_10 = parts[index_0 + 144];
    let parts_11 = parts[index_0 + 160];
    let parts_12 = parts[index_0 + 176];
    let parts_13 = parts[index_0 + 192];
    let sum_1 = sum_0 + parts_8 + parts_9 + parts_10 + parts_11 + parts_12 + parts_13;
    let parts_14 = parts[index_0 + 208];
    let parts_15 = parts[index_0 + 224];
    let parts_16 = parts[index_0 + 240];
    if (thread < 16) {
        parts_0[index_0] = sum_1 + parts_14 + parts_15 + parts_16;
    }
    workgroupBarrier();
    let parts_17 = parts_0[0];
    let parts_18 = parts_0[1];
    let parts_19 = parts_0[2];
    let parts_20 = parts_0[3];
    let parts_21 = parts_0[4];
    let parts_22 = parts_0[5];
    let parts_23 = parts_0[6];
    let sum_2 = parts_17 + parts_18 + parts_19 + parts_20 + parts_21 + parts_22 + parts_23;
    let parts_24 = parts_0[7];
    let parts_25 = parts_0[8];
    let parts_26 = parts_0[9];
    let parts_27 = parts_0[10];
    let parts_28 = parts_0[11];
    let parts_29 = parts_0[12];
    let sum_3 = sum_2 + parts_24 + parts_25 + parts_26 + parts_27 + parts_28 + parts_29;
    let parts_30 = parts_0[13];
    let parts_31 = parts_0[14];
    let parts_32 = parts_0[15];
    let sum_4 = sum_3 + parts_30 + parts_31 + parts_32;
    // kernels/reduce_kernel.go
    if ((thread & 255) == 0 && 0u < bitcast<u32>(params.out_size1)) {
        out[params.out_offset + program] = sum_4;
    }
}
