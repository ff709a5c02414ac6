@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> part: array<vec4<f32>>;
var<workgroup> parts: array<f32, 1024>; // reduce_states.go: partial results of reduce.sum

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

@compute @workgroup_size(256, 1, 1)
fn reduce(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // reduce_kernel.go
    let quotient = (params.part_size1 + 255) / 256;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let part_start0 = program / chosen;
    // reduce_kernel.go
    let quotient_0 = (params.x_size0 + 15) / 16;
    // reduce_kernel.go
    let quotient_1 = (quotient_0 + params.part_size0 + -1) / select(params.part_size0, 1, params.part_size0 == 0);
    // reduce_kernel.go
    let offset = part_start0 * quotient_1;
    // reduce_kernel.go
    let least = min(offset + quotient_1, quotient_0);
    // reduce_kernel.go
    let lane = thread >> 6u;
    let bits = bitcast<u32>(params.x_size0);
    let x_start1 = remainder * 256;
    let index = thread & 63;
    let lane_0 = index << 2u;
    let offset_0 = x_start1 + lane_0;
    let less = bitcast<u32>(x_start1) < bitcast<u32>(params.x_size1);
    let offset_1 = params.x_stride0 * 4;
    let offset_2 = params.x_stride0 * 8;
    let offset_3 = params.x_stride0 * 12;
    // reduce_kernel.go
    var carried: vec4<f32> = vec4<f32>(0.0);
    var carried_0: vec4<f32> = vec4<f32>(0.0);
    var carried_1: vec4<f32> = vec4<f32>(0.0);
    var carried_2: vec4<f32> = vec4<f32>(0.0);
    for (var i: i32 = offset; i < least; i += 1) {
        // reduce_kernel.go
        let x_start0 = i * 16;
        let index_0 = params.x_offset + (x_start0 + lane) * params.x_stride0 + offset_0;
        let in_bounds = bitcast<u32>(x_start0) < bits && less;
        let x_0 = select(vec4<f32>(0.0), x[select(0, index_0 >> 2u, in_bounds)], in_bounds);
        let x_1 = select(vec4<f32>(0.0), x[select(0, (index_0 >> 2u) + (offset_1 >> 2u), in_bounds)], in_bounds);
        let x_2 = select(vec4<f32>(0.0), x[select(0, (index_0 >> 2u) + (offset_2 >> 2u), in_bounds)], in_bounds);
        let x_3 = select(vec4<f32>(0.0), x[select(0, (index_0 >> 2u) + (offset_3 >> 2u), in_bounds)], in_bounds);
        // reduce_states.go
        carried += x_0;
        carried_0 += x_1;
        carried_1 += x_2;
        carried_2 += x_3;
    }
    // reduce_states.go
    let sum = carried + carried_0 + carried_1 + carried_2;
    parts[thread] = sum.x;
    parts[thread + 256] = sum.y;
    parts[thread + 512] = sum.z;
    parts[thread + 768] = sum.w;
    workgroupBarrier();
    let parts_0 = parts[index];
    let parts_1 = parts[index + 64];
    let parts_2 = parts[index + 128];
    let parts_3 = parts[index + 192];
    let parts_4 = parts[index + 256];
    let parts_5 = parts[index + 320];
    let parts_6 = parts[index + 384];
    let parts_7 = parts[index + 448];
    let parts_8 = parts[index + 512];
    let parts_9 = parts[index + 576];
    let parts_10 = parts[index + 640];
    let parts_11 = parts[index + 704];
    let parts_12 = parts[index + 768];
    let parts_13 = parts[index + 832];
    let parts_14 = parts[index + 896];
    let parts_15 = parts[index + 960];
    let lanes = vec4<f32>(parts_0 + parts_1 + parts_2 + parts_3, parts_4 + parts_5 + parts_6 + parts_7, parts_8 + parts_9 + parts_10 + parts_11, parts_12 + parts_13 + parts_14 + parts_15);
    // reduce_kernel.go
    let index_1 = params.part_offset + part_start0 * params.part_stride0 + offset_0;
    let in_bounds_0 = (thread & 192) == 0 && bitcast<u32>(part_start0) < bitcast<u32>(params.part_size0);
    if (in_bounds_0) {
        part[index_1 >> 2u] = lanes;
    }
}
