@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> part: array<vec4<f32>>;
var<workgroup> parts: array<f32, 512>; // kernels/reduce_states.go: partial results of reduce.sum

struct Params {
    x_offset: i32,
    x_size0: i32,
    x_size1: i32,
    x_stride0: i32,
    part_offset: i32,
    part_size0: i32,
    part_size1: i32,
    part_stride0: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(128, 1, 1)
fn reduce(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/reduce_kernel.go
    let quotient = (params.part_size1 + 63) / 64;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let part_start0 = program / chosen;
    // kernels/reduce_kernel.go
    let quotient_0 = (params.x_size0 + 15) / 16;
    // kernels/reduce_kernel.go
    let quotient_1 = quotient_0 / select(params.part_size0, 1, params.part_size0 == 0);
    // kernels/reduce_kernel.go
    let difference = quotient_0 - quotient_1 * params.part_size0;
    // kernels/reduce_kernel.go
    let offset = part_start0 * quotient_1 + min(part_start0, difference);
    // kernels/reduce_kernel.go
    let least = min(offset + quotient_1 + select(0, 1, part_start0 < difference), quotient_0);
    // kernels/reduce_kernel.go
    let lane = thread >> 4u;
    let bits = bitcast<u32>(params.x_size0);
    let x_start1 = remainder * 64;
    let index = thread & 15;
    let lane_0 = index << 2u;
    let offset_0 = x_start1 + lane_0;
    let less = bitcast<u32>(x_start1) < bitcast<u32>(params.x_size1);
    let offset_1 = params.x_stride0 * 8;
    // kernels/reduce_kernel.go
    var carried: vec4<f32> = vec4<f32>(0.0);
    var carried_0: vec4<f32> = vec4<f32>(0.0);
    for (var i: i32 = offset; i < least; i += 1) {
        // kernels/reduce_kernel.go
        let x_start0 = i * 16;
        let index_0 = params.x_offset + (x_start0 + lane) * params.x_stride0 + offset_0;
        let in_bounds = bitcast<u32>(x_start0) < bits && less;
        let x_0 = select(vec4<f32>(0.0), x[select(0, index_0 >> 2u, in_bounds)], in_bounds);
        let x_1 = select(vec4<f32>(0.0), x[select(0, (index_0 >> 2u) + (offset_1 >> 2u), in_bounds)], in_bounds);
        // kernels/reduce_states.go
        carried += x_0;
        carried_0 += x_1;
    }
    // kernels/reduce_states.go
    let sum = carried + carried_0;
    parts[thread] = sum.x;
    parts[thread + 128] = sum.y;
    parts[thread + 256] = sum.z;
    parts[thread + 384] = sum.w;
    workgroupBarrier();
    let parts_0 = parts[index];
    let parts_1 = parts[index + 16];
    let parts_2 = parts[index + 32];
    let parts_3 = parts[index + 48];
    let parts_4 = parts[index + 64];
    let parts_5 = parts[index + 80];
    let parts_6 = parts[index + 96];
    let sum_0 = parts_0 + parts_1 + parts_2 + parts_3 + parts_4 + parts_5 + parts_6;
    let parts_7 = parts[index + 112];
    let parts_8 = parts[index + 128];
    let parts_9 = parts[index + 144];
    let parts_10 = parts[index + 160];
    let parts_11 = parts[index + 176];
    let parts_12 = parts[index + 192];
    let parts_13 = parts[index + 208];
    let parts_14 = parts[index + 224];
    let sum_1 = parts_8 + parts_9 + parts_10 + parts_11 + parts_12 + parts_13 + parts_14;
    let parts_15 = parts[index + 240];
    let parts_16 = parts[index + 256];
    let parts_17 = parts[index + 272];
    let parts_18 = parts[index + 288];
    let parts_19 = parts[index + 304];
    let parts_20 = parts[index + 320];
    let parts_21 = parts[index + 336];
    let parts_22 = parts[index + 352];
    let sum_2 = parts_16 + parts_17 + parts_18 + parts_19 + parts_20 + parts_21 + parts_22;
    let parts_23 = parts[index + 368];
    let parts_24 = parts[index + 384];
    let parts_25 = parts[index + 400];
    let parts_26 = parts[index + 416];
    let parts_27 = parts[index + 432];
    let parts_28 = parts[index + 448];
    let parts_29 = parts[index + 464];
    let parts_30 = parts[index + 480];
    let sum_3 = parts_24 + parts_25 + parts_26 + parts_27 + parts_28 + parts_29 + parts_30;
    let parts_31 = parts[index + 496];
    let lanes = vec4<f32>(sum_0 + parts_7, sum_1 + parts_15, sum_2 + parts_23, sum_3 + parts_31);
    // kernels/reduce_kernel.go
    let index_1 = params.part_offset + part_start0 * params.part_stride0 + offset_0;
    if ((thread & 112) == 0) {
        part[index_1 >> 2u] = lanes;
    }
}
