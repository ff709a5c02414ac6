@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> y: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> z: array<vec4<f32>>;

struct Params {
    n: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(256, 1, 1)
fn add(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    // add.go:12
    let index = (i32(workgroup.x) * 256 + i32(thread_id)) * 4;
    let in_bounds = index < params.n;
    let x_0 = select(vec4<f32>(0.0), x[select(0, index >> 2u, in_bounds)], in_bounds);
    // add.go:13
    let y_0 = select(vec4<f32>(0.0), y[select(0, index >> 2u, in_bounds)], in_bounds);
    // add.go:14
    if (in_bounds) {
        z[index >> 2u] = x_0 + y_0;
    }
}
