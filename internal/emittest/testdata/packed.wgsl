@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read_write> y: array<vec4<u32>>; // f16, 2 in a word

struct Params {
    n: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

fn unpack_f16_x4(words: vec2<u32>) -> vec4<f32> {
    return vec4<f32>(unpack2x16float(words.x), unpack2x16float(words.y));
}

// The bits of x rounded to f16, ties to even, infinite from 65520 on. A subnormal f16 counts in units of the
// last place of numbers from 0.5 to 1, to which adding 0.5 rounds it.
fn f16_bits_x4(x: vec4<f32>) -> vec4<u32> {
    let bits = bitcast<vec4<u32>>(x);
    let size = bits & vec4<u32>(0x7fffffffu);
    let normal = (size + vec4<u32>(0xc8000fffu) + ((size >> vec4<u32>(13u)) & vec4<u32>(1u))) >> vec4<u32>(13u);
    let subnormal = bitcast<vec4<u32>>(bitcast<vec4<f32>>(size) + vec4<f32>(0.5)) - vec4<u32>(0x3f000000u);
    let finite = select(min(normal, vec4<u32>(0x7c00u)), subnormal, size < vec4<u32>(0x38800000u));
    return ((bits >> vec4<u32>(16u)) & vec4<u32>(0x8000u)) | select(finite, vec4<u32>(0x7e00u), size > vec4<u32>(0x7f800000u));
}

fn pack_f16_x4(x: vec4<f32>) -> vec2<u32> {
    let bits = f16_bits_x4(x);
    return bits.xz | (bits.yw << vec2<u32>(16u));
}

@compute @workgroup_size(32, 1, 1)
fn packed(@builtin(local_invocation_index) thread_id: u32) {
    // pack.go:4
    let index = i32(thread_id) * 8;
    let in_bounds = index < params.n;
    let x_0 = select(vec4<u32>(1006648320u), x[select(0, index >> 3u, in_bounds)], in_bounds);
    // pack.go:5
    let value = pack_f16_x4(unpack_f16_x4(x_0.xy) * vec4<f32>(3.0));
    let value_0 = pack_f16_x4(unpack_f16_x4(x_0.zw) * vec4<f32>(3.0));
    // pack.go:6
    if (in_bounds) {
        y[index >> 3u] = vec4<u32>(value.x, value.y, value_0.x, value_0.y);
    }
}
