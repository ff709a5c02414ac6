@group(0) @binding(0) var<storage, read> float: array<f32>;
@group(0) @binding(1) var<storage, read> fn_0: array<f32>;
@group(0) @binding(2) var<storage, read_write> x_y_0: array<f32>;
var<workgroup> float_0: array<f32, 32>;

struct Params {
    fn_0: i32,
    loop_0: i32,
    nd_size: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(32, 1, 1)
fn names(@builtin(local_invocation_index) thread_id: u32) {
    let int = i32(thread_id);
    let f_r_alle = int + params.nd_size;
    let float_1 = float[f_r_alle];
    let max_0 = fn_0[f_r_alle];
    float_0[int] = float_1;
    let float_2 = float_0[int];
    x_y_0[f_r_alle] = max(float_2, max_0);
}
