@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> positions: array<i32>;
@group(0) @binding(2) var<storage, read> table: array<i32>;
@group(0) @binding(3) var<storage, read_write> cache: array<vec4<u32>>;

struct Params {
    x_offset: i32,
    x_size1: i32,
    x_size2: i32,
    x_size3: i32,
    x_stride0: i32,
    x_stride1: i32,
    positions_offset: i32,
    table_offset: i32,
    table_size0: i32,
    table_size1: i32,
    table_stride0: i32,
    cache_offset: i32,
    cache_size0: i32,
    cache_size1: i32,
    cache_size2: i32,
    cache_size3: i32,
    cache_stride0: i32,
    cache_stride1: i32,
    cache_stride2: i32,
}
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(128, 1, 1)
fn cache_append(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/cache_kernel.go
    let quotient = (params.x_size1 + 7) / 8;
    let quotient_0 = (params.x_size3 + 63) / 64;
    let chosen = select(quotient_0, 1, quotient_0 == 0);
    let remainder = program % chosen;
    let quotient_1 = program / chosen;
    let chosen_0 = select(params.x_size2, 1, params.x_size2 == 0);
    let x_start2 = quotient_1 % chosen_0;
    let quotient_2 = quotient_1 / chosen_0;
    let chosen_1 = select(quotient, 1, quotient == 0);
    let remainder_0 = quotient_2 % chosen_1;
    let x_start0 = quotient_2 / chosen_1;
    // kernels/cache_kernel.go
    let less = x_start2 < params.x_size2;
    // kernels/cache_kernel.go
    let positions_0 = positions[params.positions_offset + x_start0];
    let offset = x_start2 + positions_0;
    // kernels/cache_kernel.go
    let chosen_2 = select(params.cache_size2, 1, params.cache_size2 == 0);
    let quotient_3 = offset / chosen_2;
    let both = less && bitcast<u32>(x_start0) < bitcast<u32>(params.table_size0);
    let index = params.table_offset + x_start0 * params.table_stride0 + quotient_3;
    let in_bounds = both && bitcast<u32>(quotient_3) < bitcast<u32>(params.table_size1);
    let table_0 = select(-1, table[select(0, index, in_bounds)], in_bounds);
    // kernels/cache_kernel.go
    let difference = offset - quotient_3 * chosen_2;
    // kernels/cache_kernel.go
    let lane = thread >> 4u;
    let x_start1 = remainder_0 * 8;
    let offset_0 = lane + x_start1;
    let lane_0 = (thread & 15) << 2u;
    let x_start3 = remainder * 64;
    let offset_1 = vec4<i32>(lane_0, lane_0 + 1, lane_0 + 2, lane_0 + 3) + vec4<i32>(x_start3);
    let offset_2 = params.x_offset + x_start0 * params.x_stride0 + (x_start1 + lane) * params.x_stride1;
    let x_0 = x[(offset_2 >> 2u) + remainder * 16 + (lane_0 >> 2u)];
    let offset_3 = params.cache_offset + table_0 * params.cache_stride0 + offset_0 * params.cache_stride1;
    let both_0 = less && bitcast<u32>(table_0) < bitcast<u32>(params.cache_size0) && bitcast<u32>(offset_0) < bitcast<u32>(params.cache_size1);
    let both_1 = both_0 && bitcast<u32>(difference) < bitcast<u32>(params.cache_size2);
    let in_bounds_0 = both_1 && bitcast<u32>(offset_1.x) < bitcast<u32>(params.cache_size3);
    if (in_bounds_0) {
        cache[(offset_3 + difference * params.cache_stride2 + offset_1.x) >> 2u] = x_0;
    }
}
