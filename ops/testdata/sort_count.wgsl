@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> counts: array<i32>;
var<workgroup> sums: array<atomic<i32>, 256>; // kernels/sort_kernel.go: sums by bins

struct Params {
    x_offset: i32,
    x_size1: i32,
    counts_offset: i32,
    counts_size0: i32,
    counts_size1: i32,
    counts_size2: i32,
    counts_stride1: i32,
    shift: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(256, 1, 1)
fn sort_count(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/sort_kernel.go
    let quotient = (params.x_size1 + 2047) / 2048;
    let chosen = select(quotient, 1, quotient == 0);
    let counts_start1 = program % chosen;
    let x_start0 = program / chosen;
    // kernels/sort_kernel.go
    let x_start1 = counts_start1 * 2048;
    let lane = thread << 2u;
    let offset = x_start1 + lane;
    let index = params.x_offset + offset;
    let bits = bitcast<u32>(params.x_size1);
    let in_bounds = bitcast<u32>(offset) < bits;
    let x_0 = select(vec4<f32>(0.0), x[select(0, index >> 2u, in_bounds)], in_bounds);
    let in_bounds_0 = bitcast<u32>(offset + 1024) < bits;
    let x_1 = select(vec4<f32>(0.0), x[select(0, (index >> 2u) + 256, in_bounds_0)], in_bounds_0);
    // kernels/sort_rank.go
    let bits_0 = bitcast<vec4<i32>>(x_0);
    let bits_1 = bitcast<vec4<i32>>(x_1);
    // kernels/sort_rank.go
    let both = bits_0 & vec4<i32>(2147483647);
    let both_0 = bits_1 & vec4<i32>(2147483647);
    let shifted = bits_0 >> vec4<u32>(31u);
    let shifted_0 = bits_1 >> vec4<u32>(31u);
    // kernels/sort_rank.go
    let chosen_0 = select((both ^ shifted) - shifted, vec4<i32>(2147483647), both > vec4<i32>(2139095040));
    let chosen_1 = select((both_0 ^ shifted_0) - shifted_0, vec4<i32>(2147483647), both_0 > vec4<i32>(2139095040));
    // kernels/sort_rank.go
    let bits_2 = bitcast<vec4<u32>>(chosen_0);
    let bits_3 = bitcast<vec4<u32>>(chosen_1);
    // kernels/sort_rank.go
    let changed = bits_2 ^ vec4<u32>(2147483648u);
    let changed_0 = bits_3 ^ vec4<u32>(2147483648u);
    // kernels/sort_rank.go
    let both_1 = vec4<u32>(u32(params.shift)) & vec4<u32>(31u);
    let both_2 = (changed >> both_1) & vec4<u32>(255u);
    let both_3 = (changed_0 >> both_1) & vec4<u32>(255u);
    // kernels/sort_kernel.go
    let converted = vec4<i32>(both_2);
    let converted_0 = vec4<i32>(both_3);
    // kernels/sort_kernel.go
    let offset_0 = vec4<i32>(lane, lane + 1, lane + 2, lane + 3) + vec4<i32>(x_start1);
    let offset_1 = vec4<i32>(lane + 1024, lane + 1025, lane + 1026, lane + 1027) + vec4<i32>(x_start1);
    let less = offset_0 < vec4<i32>(params.x_size1);
    let less_0 = offset_1 < vec4<i32>(params.x_size1);
    // kernels/sort_kernel.go
    let chosen_2 = select(vec4<i32>(-1), converted, less);
    let chosen_3 = select(vec4<i32>(-1), converted_0, less_0);
    atomicStore(&sums[thread], 0);
    workgroupBarrier();
    if (bitcast<u32>(chosen_2.x) < 256u) {
        atomicAdd(&sums[chosen_2.x], 1);
    }
    if (bitcast<u32>(chosen_2.y) < 256u) {
        atomicAdd(&sums[chosen_2.y], 1);
    }
    if (bitcast<u32>(chosen_2.z) < 256u) {
        atomicAdd(&sums[chosen_2.z], 1);
    }
    if (bitcast<u32>(chosen_2.w) < 256u) {
        atomicAdd(&sums[chosen_2.w], 1);
    }
    if (bitcast<u32>(chosen_3.x) < 256u) {
        atomicAdd(&sums[chosen_3.x], 1);
    }
    if (bitcast<u32>(chosen_3.y) < 256u) {
        atomicAdd(&sums[chosen_3.y], 1);
    }
    if (bitcast<u32>(chosen_3.z) < 256u) {
        atomicAdd(&sums[chosen_3.z], 1);
    }
    if (bitcast<u32>(chosen_3.w) < 256u) {
        atomicAdd(&sums[chosen_3.w], 1);
    }
    workgroupBarrier();
    let sums_0 = atomicLoad(&sums[thread]);
    let index_0 = params.counts_offset + counts_start1 * params.counts_stride1 + thread;
    let both_4 = bitcast<u32>(x_start0) < bitcast<u32>(params.counts_size0) && bitcast<u32>(counts_start1) < bitcast<u32>(params.counts_size1);
    if (both_4 && 0u < bitcast<u32>(params.counts_size2)) {
        counts[index_0] = sums_0;
    }
}
