@group(0) @binding(0) var<storage, read> y: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> dy: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4<f32>>;
var<workgroup> parts: array<f32, 256>; // kernels/reduce_states.go: partial results of reduce.sum
var<workgroup> parts_0: array<f32, 16>; // kernels/reduce_states.go: partial results of reduce.sum

struct Params {
    y_offset: i32,
    y_size1: i32,
    y_stride0: i32,
    dy_offset: i32,
    dy_size1: i32,
    dy_stride0: i32,
    out_offset: i32,
    out_size1: i32,
    out_stride0: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(256, 1, 1)
fn row_grad(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/reduce_kernel.go
    let lane = thread << 2u;
    let index = params.y_offset + program * params.y_stride0 + lane;
    let bits = bitcast<u32>(lane);
    let bits_0 = bitcast<u32>(params.y_size1);
    let in_bounds = bits < bits_0;
    let y_0 = select(vec4<f32>(0.0), y[select(0, index >> 2u, in_bounds)], in_bounds);
    let bits_1 = bitcast<u32>(lane + 1024);
    let in_bounds_0 = bits_1 < bits_0;
    let y_1 = select(vec4<f32>(0.0), y[select(0, (index >> 2u) + 256, in_bounds_0)], in_bounds_0);
    let bits_2 = bitcast<u32>(lane + 2048);
    let in_bounds_1 = bits_2 < bits_0;
    let y_2 = select(vec4<f32>(0.0), y[select(0, (index >> 2u) + 512, in_bounds_1)], in_bounds_1);
    let bits_3 = bitcast<u32>(lane + 3072);
    let in_bounds_2 = bits_3 < bits_0;
    let y_3 = select(vec4<f32>(0.0), y[select(0, (index >> 2u) + 768, in_bounds_2)], in_bounds_2);
    let index_0 = params.dy_offset + program * params.dy_stride0 + lane;
    let bits_4 = bitcast<u32>(params.dy_size1);
    let in_bounds_3 = bits < bits_4;
    let dy_0 = select(vec4<f32>(0.0), dy[select(0, index_0 >> 2u, in_bounds_3)], in_bounds_3);
    let in_bounds_4 = bits_1 < bits_4;
    let dy_1 = select(vec4<f32>(0.0), dy[select(0, (index_0 >> 2u) + 256, in_bounds_4)], in_bounds_4);
    let in_bounds_5 = bits_2 < bits_4;
    let dy_2 = select(vec4<f32>(0.0), dy[select(0, (index_0 >> 2u) + 512, in_bounds_5)], in_bounds_5);
    let in_bounds_6 = bits_3 < bits_4;
    let dy_3 = select(vec4<f32>(0.0), dy[select(0, (index_0 >> 2u) + 768, in_bounds_6)], in_bounds_6);
    // kernels/row_grad_kernel.go
    let product = y_0 * dy_0;
    let product_0 = y_1 * dy_1;
    let product_1 = y_2 * dy_2;
    let product_2 = y_3 * dy_3;
    // kernels/reduce_states.go
    let sum = product + product_0 + product_1 + product_2;
    parts[thread] = sum.x + sum.z + (sum.y + sum.w);
    let index_1 = thread & 15;
    workgroupBarrier();
    let parts_1 = parts[index_1];
    let parts_2 = parts[index_1 + 16];
    let parts_3 = parts[index_1 + 32];
    let parts_4 = parts[index_1 + 48];
    let parts_5 = parts[index_1 + 64];
    let parts_6 = parts[index_1 + 80];
    let parts_7 = parts[index_1 + 96];
    let sum_0 = parts_1 + parts_2 + parts_3 + parts_4 + parts_5 + parts_6 + parts_7;
    let parts_8 = parts[index_1 + 112];
    let parts_9 = parts[index_1 + 128];
    let parts_10 = parts[index_1 + 144];
    let parts_11 = parts[index_1 + 160];
    let parts_12 = parts[index_1 + 176];
    let parts_13 = parts[index_1 + 192];
    let sum_1 = sum_0 + parts_8 + parts_9 + parts_10 + parts_11 + parts_12 + parts_13;
    let parts_14 = parts[index_1 + 208];
    let parts_15 = parts[index_1 + 224];
    let parts_16 = parts[index_1 + 240];
    if (thread < 16) {
        parts_0[index_1] = sum_1 + parts_14 + parts_15 + parts_16;
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
    // kernels/row_grad_kernel.go
    let product_3 = y_0 * (dy_0 - vec4<f32>(sum_4));
    let product_4 = y_1 * (dy_1 - vec4<f32>(sum_4));
    let product_5 = y_2 * (dy_2 - vec4<f32>(sum_4));
    let product_6 = y_3 * (dy_3 - vec4<f32>(sum_4));
    // kernels/row_grad_kernel.go
    let index_2 = params.out_offset + program * params.out_stride0 + lane;
    let bits_5 = bitcast<u32>(params.out_size1);
    if (bits < bits_5) {
        out[index_2 >> 2u] = product_3;
    }
    if (bits_1 < bits_5) {
        out[(index_2 >> 2u) + 256] = product_4;
    }
    if (bits_2 < bits_5) {
        out[(index_2 >> 2u) + 512] = product_5;
    }
    if (bits_3 < bits_5) {
        out[(index_2 >> 2u) + 768] = product_6;
    }
}
