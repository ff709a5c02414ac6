diagnostic(off, chromium.subgroup_matrix_uniformity);
enable f16;
enable chromium_experimental_subgroup_matrix;

@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read_write> y: array<vec4<f32>>;
var<workgroup> tile: array<vec4<u32>, 128>;
var<workgroup> matrices: array<vec4<f32>, 256>;

struct Params {
    n: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(128, 1, 1)
fn opaque(@builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let at = thread * 8;
    let x_0 = x[thread];
    tile[thread] = x_0;
    workgroupBarrier();
    let subgroup = thread >> 5u;
    let first = subgroup * 256;
    let a = subgroupMatrixLoad<subgroup_matrix_left<f16, 16, 16>, row_major>(&tile, subgroup * 32, 2);
    var now: subgroup_matrix_result<f32, 16, 16> = subgroup_matrix_result<f32, 16, 16>(1.0);
    for (var i: i32 = 0; i < params.n; i += 1) {
        let b = subgroupMatrixLoad<subgroup_matrix_right<f16, 16, 16>, col_major>(&tile, 0, 2);
        now = subgroupMatrixMultiplyAccumulate(a, b, now);
    }
    subgroupMatrixStore<row_major>(&matrices, subgroup * 64, now, 4);
    workgroupBarrier();
    let lane = thread & 31;
    let mine = first + lane * 4;
    let low = matrices[mine >> 2u];
    workgroupBarrier();
    matrices[mine >> 2u] = low + low;
    workgroupBarrier();
    let sums = subgroupMatrixLoad<subgroup_matrix_result<f32, 16, 16>, row_major>(&matrices, subgroup * 64, 4);
    let value = subgroupMatrixLoad<subgroup_matrix_right<f16, 16, 16>, row_major>(&tile, subgroup * 32, 2);
    let value_0 = subgroupMatrixMultiplyAccumulate(a, value, sums);
    workgroupBarrier();
    subgroupMatrixStore<col_major>(&matrices, subgroup * 64, value_0, 4);
    workgroupBarrier();
    let loaded = matrices[mine >> 2u];
    let index = mine + 128;
    let loaded_0 = matrices[index >> 2u];
    y[mine >> 2u] = loaded;
    y[index >> 2u] = loaded_0;
}
