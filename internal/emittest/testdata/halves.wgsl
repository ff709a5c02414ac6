@group(0) @binding(0) var<storage, read> x: array<vec2<u32>>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read_write> y: array<vec2<u32>>; // bf16, 2 in a word
@group(0) @binding(2) var<storage, read_write> z: array<atomic<u32>>; // f16, 2 in a word
var<workgroup> tile: array<f32, 64>;

struct Params {
    n: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

fn unpack_f16_x4(words: vec2<u32>) -> vec4<f32> {
    return vec4<f32>(unpack2x16float(words.x), unpack2x16float(words.y));
}

// The bits of x rounded to f16, ties to even, infinite from 65520 on. A subnormal f16 counts in units of the
// last place of numbers from 0.5 to 1, to which adding 0.5 rounds it.
fn f16_bits(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    let size = bits & 0x7fffffffu;
    let normal = (size + 0xc8000fffu + ((size >> 13u) & 1u)) >> 13u;
    let subnormal = bitcast<u32>(bitcast<f32>(size) + 0.5) - 0x3f000000u;
    let finite = select(min(normal, 0x7c00u), subnormal, size < 0x38800000u);
    return ((bits >> 16u) & 0x8000u) | select(finite, 0x7e00u, size > 0x7f800000u);
}

// Rounds x to the precision of f16.
fn round_f16(x: f32) -> f32 {
    return unpack2x16float(f16_bits(x)).x;
}

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

// Replaces 16 bits of z and leaves the rest of the word to other threads.
fn store_z(index: i32, bits: u32) {
    let shift = u32(index & 1) * 16u;
    atomicAnd(&z[index >> 1u], ~(0xffffu << shift));
    atomicOr(&z[index >> 1u], bits << shift);
}

@compute @workgroup_size(64, 1, 1)
fn halves(@builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    // halves.go:5
    let index = thread * 4;
    let x_0 = unpack_f16_x4(x[thread]);
    tile[thread] = round_f16(exp(x_0.x));
    workgroupBarrier();
    // halves.go:6
    y[thread] = pack_bf16_x4(tanh_of_x4(x_0));
    let tile_0 = tile[thread ^ 1];
    if (thread < params.n) {
        store_z(thread, f16_bits(tile_0));
    }
}
