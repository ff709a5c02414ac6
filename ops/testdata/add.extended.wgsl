enable f16;

@group(0) @binding(0) var<storage, read> a: array<vec4<f16>>;
@group(0) @binding(1) var<storage, read> b: array<vec4<f16>>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4<f16>>;

struct Params {
    a_offset: i32,
    a_size0: i32,
    a_size1: i32,
    a_stride0: i32,
    b_offset: i32,
    b_size0: i32,
    b_size1: i32,
    b_stride0: i32,
    out_offset: i32,
    out_size1: i32,
    out_stride0: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(256, 1, 1)
fn add(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // weft/map.go
    let quotient = (params.out_size1 + 1023) / 1024;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let a_start0 = program / chosen;
    // weft/map.go
    let bits = bitcast<u32>(a_start0);
    let a_start1 = remainder * 1024;
    let lane = thread << 2u;
    let offset = a_start1 + lane;
    let bits_0 = bitcast<u32>(offset);
    let in_bounds = bits < bitcast<u32>(params.a_size0) && bits_0 < bitcast<u32>(params.a_size1);
    let a_0 = select(vec4<f32>(0.0), vec4<f32>(a[select(0, ((params.a_offset + a_start0 * params.a_stride0) >> 2u) + (offset >> 2u), in_bounds)]), in_bounds);
    let in_bounds_0 = bits < bitcast<u32>(params.b_size0) && bits_0 < bitcast<u32>(params.b_size1);
    let b_0 = select(vec4<f32>(0.0), vec4<f32>(b[select(0, ((params.b_offset + a_start0 * params.b_stride0) >> 2u) + (offset >> 2u), in_bounds_0)]), in_bounds_0);
    // ops/add.go
    let sum = a_0 + b_0;
    // weft/map.go
    if (bits_0 < bitcast<u32>(params.out_size1)) {
        out[((params.out_offset + a_start0 * params.out_stride0) >> 2u) + (offset >> 2u)] = vec4<f16>(sum);
    }
}
