enable f16;

@group(0) @binding(0) var<storage, read> x: array<vec4<f16>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec2<u32>>; // bf16, 2 in a word
@group(0) @binding(2) var<storage, read_write> z: array<f16>;
var<workgroup> tile: array<f16, 64>;

struct Params {
    n: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

// Holds for NaN also where the device assumes that there is none.
fn is_nan_x4(x: vec4<f32>) -> vec4<bool> {
    return (bitcast<vec4<u32>>(x) & vec4<u32>(0x7fffffffu)) > vec4<u32>(0x7f800000u);
}

// Some devices overflow beyond 44 and lose NaN when clamping.
fn tanh_of_x4(x: vec4<f32>) -> vec4<f32> {
    return select(tanh(clamp(x, vec4<f32>(-15.0), vec4<f32>(15.0))), x, is_nan_x4(x));
}

// The bits of x rounded to bf16, ties to even.
fn bf16_bits_x4(x: vec4<f32>) -> vec4<u32> {
    let bits = bitcast<vec4<u32>>(x);
    let rounded = (bits + vec4<u32>(0x7fffu) + ((bits >> vec4<u32>(16u)) & vec4<u32>(1u))) >> vec4<u32>(16u);
    return select(rounded, (bits >> vec4<u32>(16u)) | vec4<u32>(0x40u), is_nan_x4(x));
}

fn pack_bf16_x4(x: vec4<f32>) -> vec2<u32> {
    let bits = bf16_bits_x4(x);
    return bits.xz | (bits.yw << vec2<u32>(16u));
}

@compute @workgroup_size(64, 1, 1)
fn halves(@builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    // halves.go:5
    let index = thread * 4;
    let x_0 = vec4<f32>(x[thread]);
    tile[thread] = f16(exp(x_0.x));
    workgroupBarrier();
    // halves.go:6
    y[thread] = pack_bf16_x4(tanh_of_x4(x_0));
    let tile_0 = f32(tile[thread ^ 1]);
    if (thread < params.n) {
        z[thread] = f16(tile_0);
    }
}
