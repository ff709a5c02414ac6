@group(0) @binding(0) var<storage, read> table: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read> ids: array<vec4<i32>>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4<u32>>;

struct Params {
    table_offset: i32,
    table_size0: i32,
    table_size1: i32,
    table_stride0: i32,
    ids_offset: i32,
    out_offset: i32,
    out_size1: i32,
    out_stride0: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(128, 1, 1)
fn embedding(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/embedding_kernel.go
    let quotient = (params.out_size1 + 511) / 512;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let quotient_0 = program / chosen;
    // kernels/embedding_kernel.go
    let ids_start0 = quotient_0 * 4;
    let ids_0 = ids[(params.ids_offset >> 2u) + quotient_0];
    // kernels/embedding_kernel.go
    let lane = thread << 2u;
    let out_start1 = remainder * 512;
    let offset = vec4<i32>(lane, lane + 1, lane + 2, lane + 3) + vec4<i32>(out_start1);
    // kernels/embedding_kernel.go
    let bits = bitcast<u32>(params.table_size0);
    let less = bitcast<u32>(offset.x) < bitcast<u32>(params.table_size1);
    let in_bounds = bitcast<u32>(ids_0.x) < bits && less;
    let table_0 = select(vec4<u32>(0u), table[select(0, (params.table_offset + ids_0.x * params.table_stride0 + offset.x) >> 2u, in_bounds)], in_bounds);
    let in_bounds_0 = bitcast<u32>(ids_0.y) < bits && less;
    let table_1 = select(vec4<u32>(0u), table[select(0, (params.table_offset + ids_0.y * params.table_stride0 + offset.x) >> 2u, in_bounds_0)], in_bounds_0);
    let in_bounds_1 = bitcast<u32>(ids_0.z) < bits && less;
    let table_2 = select(vec4<u32>(0u), table[select(0, (params.table_offset + ids_0.z * params.table_stride0 + offset.x) >> 2u, in_bounds_1)], in_bounds_1);
    let in_bounds_2 = bitcast<u32>(ids_0.w) < bits && less;
    let table_3 = select(vec4<u32>(0u), table[select(0, (params.table_offset + ids_0.w * params.table_stride0 + offset.x) >> 2u, in_bounds_2)], in_bounds_2);
    let offset_0 = out_start1 + lane;
    let index = params.out_offset + ids_start0 * params.out_stride0 + offset_0;
    let in_bounds_3 = bitcast<u32>(offset_0) < bitcast<u32>(params.out_size1);
    if (in_bounds_3) {
        out[index >> 2u] = table_0;
        out[(index + params.out_stride0) >> 2u] = table_1;
        out[(index + params.out_stride0 * 2) >> 2u] = table_2;
        out[(index + params.out_stride0 * 3) >> 2u] = table_3;
    }
}
