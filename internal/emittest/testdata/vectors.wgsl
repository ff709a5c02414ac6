@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> flags: array<u32>; // bool, 4 in a word

struct Params {
    scale: f32,
}
@group(0) @binding(3) var<uniform> params: Params;

// Numbers that WGSL does not allow as constants.
fn f32_from_bits(bits: u32) -> f32 {
    return bitcast<f32>(bits);
}

fn pack_u8_x4(x: vec4<u32>) -> u32 {
    let bytes = (x & vec4<u32>(0xffu)) << vec4<u32>(0u, 8u, 16u, 24u);
    return bytes.x | bytes.y | bytes.z | bytes.w;
}

@compute @workgroup_size(64, 1, 1)
fn vectors(@builtin(local_invocation_index) thread_id: u32) {
    let index = i32(thread_id) * 4;
    let x_0 = x[index >> 2u];
    // vectors.go:9
    let less = x_0 < vec4<f32>(f32_from_bits(0x80000000u));
    let clean = select(x_0 * vec4<f32>(params.scale), vec4<f32>(1.401298464324817e-45f), less | (x_0 >= vec4<f32>(3.4028234663852886e38f)));
    // vectors.go:10
    let fused = fma(clean, vec4<f32>(clean.x + clean.y + (clean.z + clean.w)), vec4<f32>(1.0e-07));
    y[index >> 2u] = fused;
    flags[index >> 2u] = pack_u8_x4(vec4<u32>(less));
}
