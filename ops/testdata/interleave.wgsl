@group(0) @binding(0) var<storage, read> a: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read_write> out: array<vec4<u32>>; // f16, 2 in a word
var<workgroup> exchange: array<vec2<f32>, 512>; // kernels/interleave.go: elements change threads

struct Params {
    a_offset: i32,
    a_size0: i32,
    a_size1: i32,
    a_stride0: i32,
    out_offset: i32,
    out_size1: i32,
    out_stride0: i32,
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

@compute @workgroup_size(128, 1, 1)
fn interleave(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/interleave.go
    let quotient = (params.out_size1 + 1023) / 1024;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let a_start0 = program / chosen;
    // kernels/interleave.go
    let a_start1 = remainder * 1024;
    let lane = thread << 3u;
    let offset = a_start1 + lane;
    let bits = bitcast<u32>(offset);
    let in_bounds = bitcast<u32>(a_start0) < bitcast<u32>(params.a_size0) && bits < bitcast<u32>(params.a_size1);
    let a_0 = select(vec4<u32>(0u), a[select(0, ((params.a_offset + a_start0 * params.a_stride0) >> 3u) + (offset >> 3u), in_bounds)], in_bounds);
    let a_1 = unpack_f16_x4(a_0.xy);
    let a_2 = unpack_f16_x4(a_0.zw);
    // kernels/interleave.go
    let lane_0 = lane + ((thread >> 1u) & 6);
    exchange[lane_0 >> 1u] = vec2<f32>(a_1.x, a_2.x);
    exchange[(lane_0 ^ 2) >> 1u] = vec2<f32>(a_1.y, a_2.y);
    exchange[(lane_0 ^ 4) >> 1u] = vec2<f32>(a_1.z, a_2.z);
    exchange[(lane_0 ^ 6) >> 1u] = vec2<f32>(a_1.w, a_2.w);
    let lane_1 = ((thread & 15) << 1u) + ((thread & 112) << 3u);
    workgroupBarrier();
    let exchange_0 = exchange[lane_1 >> 1u];
    let exchange_1 = exchange[(lane_1 ^ 34) >> 1u];
    let exchange_2 = exchange[(lane_1 ^ 68) >> 1u];
    let exchange_3 = exchange[(lane_1 ^ 102) >> 1u];
    let lanes = vec4<f32>(exchange_0.x, exchange_0.y, exchange_1.x, exchange_1.y);
    let lanes_0 = vec4<f32>(exchange_2.x, exchange_2.y, exchange_3.x, exchange_3.y);
    // kernels/interleave.go
    let value = pack_f16_x4(lanes);
    let value_0 = pack_f16_x4(lanes_0);
    if (bits < bitcast<u32>(params.out_size1)) {
        out[((params.out_offset + a_start0 * params.out_stride0) >> 3u) + (offset >> 3u)] = vec4<u32>(value.x, value.y, value_0.x, value_0.y);
    }
}
