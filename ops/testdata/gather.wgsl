@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> indices: array<i32>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4<u32>>;

struct Params {
    x_offset: i32,
    x_size0: i32,
    indices_offset: i32,
    indices_size0: i32,
    out_offset: i32,
    out_size0: i32,
    x_first: i32,
    y_first: i32,
    i_first: i32,
    rows0: i32,
    rows_x0: i32,
    rows_y0: i32,
    rows_i0: i32,
    window0: i32,
    index_x0: i32,
    index_most0: i32,
    index_i0: i32,
    index_x1: i32,
    index_most1: i32,
    index_i1: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(128, 1, 1)
fn gather(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/indexed_kernel.go
    let quotient = (params.window0 + 511) / 512;
    // kernels/indexed_kernel.go
    let chosen = select(quotient, 1, quotient == 0);
    let quotient_0 = program / chosen;
    // kernels/indexed_kernel.go
    let difference = program - quotient_0 * chosen;
    // kernels/indexed_kernel.go
    let lane = thread << 2u;
    let offset = vec4<i32>(lane, lane + 1, lane + 2, lane + 3) + vec4<i32>(difference * 512);
    // kernels/indexed_kernel.go
    let less = quotient_0 < params.rows0;
    // kernels/indexed_kernel.go
    let offset_0 = quotient_0 * params.rows_x0;
    let offset_1 = quotient_0 * params.rows_y0;
    let offset_2 = quotient_0 * params.rows_i0;
    // kernels/indexed_kernel.go
    let offset_3 = offset_2 + params.index_i0 + params.i_first;
    // kernels/indexed_kernel.go
    let bits = bitcast<u32>(params.indices_size0);
    let in_bounds = less && bitcast<u32>(offset_3) < bits;
    let indices_0 = select(0, indices[select(0, params.indices_offset + offset_3, in_bounds)], in_bounds);
    // kernels/indexed_kernel.go
    let least = min(max(indices_0, 0), params.index_most0);
    // kernels/indexed_kernel.go
    let offset_4 = offset_2 + params.index_i1 + params.i_first;
    // kernels/indexed_kernel.go
    let in_bounds_0 = less && bitcast<u32>(offset_4) < bits;
    let indices_1 = select(0, indices[select(0, params.indices_offset + offset_4, in_bounds_0)], in_bounds_0);
    // kernels/indexed_kernel.go
    let least_0 = min(max(indices_1, 0), params.index_most1);
    // kernels/indexed_kernel.go
    let offset_5 = offset_0 + least * params.index_x0 + least_0 * params.index_x1;
    // kernels/indexed_kernel.go
    let less_0 = offset < vec4<i32>(params.window0);
    // kernels/indexed_kernel.go
    let both = vec4<bool>(less) & less_0;
    // kernels/indexed_kernel.go
    let offset_6 = vec4<i32>(offset_5) + offset + vec4<i32>(params.x_first);
    let offset_7 = vec4<i32>(offset_1) + offset + vec4<i32>(params.y_first);
    // kernels/indexed_kernel.go
    let in_bounds_1 = both.x && bitcast<u32>(offset_6.x) < bitcast<u32>(params.x_size0);
    let x_0 = select(vec4<u32>(0u), x[select(0, (params.x_offset + offset_6.x) >> 2u, in_bounds_1)], in_bounds_1);
    let in_bounds_2 = both.x && bitcast<u32>(offset_7.x) < bitcast<u32>(params.out_size0);
    if (in_bounds_2) {
        out[(params.out_offset + offset_7.x) >> 2u] = x_0;
    }
}
