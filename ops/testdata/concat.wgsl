@group(0) @binding(0) var<storage, read> x0: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> x1: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> x2: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> out: array<vec4<u32>>;

struct Params {
    x0_offset: i32,
    x0_size1: i32,
    x0_stride0: i32,
    x1_offset: i32,
    x1_size0: i32,
    x1_size1: i32,
    x1_stride0: i32,
    x2_offset: i32,
    x2_size0: i32,
    x2_size1: i32,
    x2_stride0: i32,
    out_offset: i32,
    out_size1: i32,
    out_stride0: i32,
}
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(256, 1, 1)
fn concat(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/concat_kernel.go
    let quotient = (params.out_size1 + 1023) / 1024;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let x0_start0 = program / chosen;
    // kernels/concat_kernel.go
    let out_start1 = remainder * 1024;
    // kernels/concat_kernel.go
    var chosen_0: vec4<u32> = vec4<u32>(0u);
    if (out_start1 < params.x0_size1 && out_start1 + 1024 > 0) {
        // kernels/concat_kernel.go
        let x0_start1 = (out_start1 >> 10u) * 1024;
        let lane = thread << 2u;
        let offset = x0_start1 + lane;
        let in_bounds = bitcast<u32>(offset) < bitcast<u32>(params.x0_size1);
        let x0_0 = select(vec4<u32>(0u), x0[select(0, ((params.x0_offset + x0_start0 * params.x0_stride0) >> 2u) + (offset >> 2u), in_bounds)], in_bounds);
        // kernels/concat_kernel.go
        let offset_0 = vec4<i32>(lane, lane + 1, lane + 2, lane + 3) + vec4<i32>(out_start1);
        // kernels/concat_kernel.go
        let both = (offset_0 >= vec4<i32>(0)) & (offset_0 < vec4<i32>(params.x0_size1));
        chosen_0 = select(vec4<u32>(0u), x0_0, both);
    }
    // kernels/concat_kernel.go
    let difference = out_start1 - params.x0_size1;
    // kernels/concat_kernel.go
    var chosen_1: vec4<u32> = chosen_0;
    if (difference < params.x1_size1 && difference + 1024 > 0) {
        // kernels/concat_kernel.go
        let lane_0 = thread << 2u;
        let offset_1 = vec4<i32>(lane_0, lane_0 + 1, lane_0 + 2, lane_0 + 3) + vec4<i32>(difference);
        let in_bounds_0 = bitcast<u32>(x0_start0) < bitcast<u32>(params.x1_size0) && bitcast<u32>(offset_1.x) < bitcast<u32>(params.x1_size1);
        let x1_0 = select(vec4<u32>(0u), x1[select(0, (params.x1_offset + x0_start0 * params.x1_stride0 + offset_1.x) >> 2u, in_bounds_0)], in_bounds_0);
        // kernels/concat_kernel.go
        let both_0 = (offset_1 >= vec4<i32>(0)) & (offset_1 < vec4<i32>(params.x1_size1));
        chosen_1 = select(chosen_0, x1_0, both_0);
    }
    // kernels/concat_kernel.go
    let difference_0 = difference - params.x1_size1;
    // kernels/concat_kernel.go
    var chosen_2: vec4<u32> = chosen_1;
    if (difference_0 < params.x2_size1 && difference_0 + 1024 > 0) {
        // kernels/concat_kernel.go
        let lane_1 = thread << 2u;
        let offset_2 = vec4<i32>(lane_1, lane_1 + 1, lane_1 + 2, lane_1 + 3) + vec4<i32>(difference_0);
        let in_bounds_1 = bitcast<u32>(x0_start0) < bitcast<u32>(params.x2_size0) && bitcast<u32>(offset_2.x) < bitcast<u32>(params.x2_size1);
        let x2_0 = select(vec4<u32>(0u), x2[select(0, (params.x2_offset + x0_start0 * params.x2_stride0 + offset_2.x) >> 2u, in_bounds_1)], in_bounds_1);
        // kernels/concat_kernel.go
        let both_1 = (offset_2 >= vec4<i32>(0)) & (offset_2 < vec4<i32>(params.x2_size1));
        chosen_2 = select(chosen_1, x2_0, both_1);
    }
    // kernels/concat_kernel.go
    let lane_2 = thread << 2u;
    let offset_3 = out_start1 + lane_2;
    if (bitcast<u32>(offset_3) < bitcast<u32>(params.out_size1)) {
        out[((params.out_offset + x0_start0 * params.out_stride0) >> 2u) + (offset_3 >> 2u)] = chosen_2;
    }
}
