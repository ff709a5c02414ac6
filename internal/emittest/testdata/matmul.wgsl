@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
var<workgroup> tile_a: array<f32, 256>;
var<workgroup> tile_b: array<f32, 256>;

struct Params {
    m: i32,
    n: i32,
    k: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(128, 1, 1)
fn matmul(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    // matmul.go:20
    let thread = i32(thread_id);
    let row = thread >> 4u;
    let col = thread & 15;
    let offset = i32(workgroup.y) * 16;
    let offset_0 = i32(workgroup.x) * 16 + col;
    var acc: f32 = 0.0;
    var acc_0: f32 = 0.0;
    for (var i: i32 = 0; i < params.k; i += 16) {
        // matmul.go:22
        let offset_1 = offset + row;
        let offset_2 = i + col;
        let less = offset_2 < params.k;
        let in_bounds = offset_1 < params.m && less;
        let a_0 = select(0.0, a[select(0, offset_1 * params.k + offset_2, in_bounds)], in_bounds);
        let offset_3 = row * 16;
        let index = offset_3 + col;
        tile_a[index] = a_0;
        let offset_4 = row + 8;
        let offset_5 = offset + offset_4;
        let in_bounds_0 = offset_5 < params.m && less;
        let a_1 = select(0.0, a[select(0, offset_5 * params.k + offset_2, in_bounds_0)], in_bounds_0);
        let offset_6 = offset_4 * 16;
        let index_0 = offset_6 + col;
        tile_a[index_0] = a_1;
        // matmul.go:23
        let offset_7 = i + row;
        let less_0 = offset_0 < params.n;
        let in_bounds_1 = offset_7 < params.k && less_0;
        let b_0 = select(0.0, b[select(0, offset_7 * params.n + offset_0, in_bounds_1)], in_bounds_1);
        tile_b[index] = b_0;
        let offset_8 = i + offset_4;
        let in_bounds_2 = offset_8 < params.k && less_0;
        let b_1 = select(0.0, b[select(0, offset_8 * params.n + offset_0, in_bounds_2)], in_bounds_2);
        tile_b[index_0] = b_1;
        // matmul.go:24
        workgroupBarrier();
        for (var i_0: i32 = 0; i_0 < 16; i_0 += 1) {
            let tile_b_0 = tile_b[i_0 * 16 + col];
            let tile_a_0 = tile_a[offset_3 + i_0];
            acc = fma(tile_a_0, tile_b_0, acc);
            let tile_a_1 = tile_a[offset_6 + i_0];
            acc_0 = fma(tile_a_1, tile_b_0, acc_0);
        }
        workgroupBarrier();
    }
    // matmul.go:27
    let offset_9 = offset + row;
    let less_1 = offset_0 < params.n;
    if (offset_9 < params.m && less_1) {
        c[offset_9 * params.n + offset_0] = acc;
    }
    let offset_10 = offset + row + 8;
    if (offset_10 < params.m && less_1) {
        c[offset_10 * params.n + offset_0] = acc_0;
    }
}
