enable f16;

@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read_write> y: array<vec4<u32>>; // f16, 2 in a word

struct Params {
    n: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

fn unpack_f16_x4(words: vec2<u32>) -> vec4<f32> {
    return vec4<f32>(unpack2x16float(words.x), unpack2x16float(words.y));
}

fn pack_nearest_f16_x4(x: vec4<f32>) -> vec2<u32> {
    let rounded = vec4<f32>(vec4<f16>(x));
    return vec2<u32>(pack2x16float(rounded.xy), pack2x16float(rounded.zw));
}

@compute @workgroup_size(32, 1, 1)
fn packed(@builtin(local_invocation_index) thread_id: u32) {
    // pack.go:4
    let index = i32(thread_id) * 8;
    let in_bounds = index < params.n;
    let x_0 = select(vec4<u32>(1006648320u), x[select(0, index >> 3u, in_bounds)], in_bounds);
    // pack.go:5
    let value = pack_nearest_f16_x4(unpack_f16_x4(x_0.xy) * vec4<f32>(3.0));
    let value_0 = pack_nearest_f16_x4(unpack_f16_x4(x_0.zw) * vec4<f32>(3.0));
    // pack.go:6
    if (in_bounds) {
        y[index >> 3u] = vec4<u32>(value.x, value.y, value_0.x, value_0.y);
    }
}
