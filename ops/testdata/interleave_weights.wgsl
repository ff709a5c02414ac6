@group(0) @binding(0) var<storage, read> a: array<u32>; // u8, 4 in a word
@group(0) @binding(1) var<storage, read_write> out: array<u32>; // u8, 4 in a word
var<workgroup> exchange: array<vec4<u32>, 128>; // kernels/interleave.go: elements change threads

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

fn unpack_u8_x4(word: u32) -> vec4<u32> {
    return (vec4<u32>(word) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(0xffu);
}

fn pack_u8_x4(x: vec4<u32>) -> u32 {
    let bytes = (x & vec4<u32>(0xffu)) << vec4<u32>(0u, 8u, 16u, 24u);
    return bytes.x | bytes.y | bytes.z | bytes.w;
}

@compute @workgroup_size(128, 1, 1)
fn interleave(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/interleave.go
    let quotient = (params.out_size1 + 511) / 512;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let a_start0 = program / chosen;
    // kernels/interleave.go
    let a_start1 = remainder * 512;
    let lane = thread << 2u;
    let offset = a_start1 + lane;
    let bits = bitcast<u32>(offset);
    let in_bounds = bitcast<u32>(a_start0) < bitcast<u32>(params.a_size0) && bits < bitcast<u32>(params.a_size1);
    let a_0 = select(0u, a[select(0, ((params.a_offset + a_start0 * params.a_stride0) >> 2u) + (offset >> 2u), in_bounds)], in_bounds);
    let a_1 = unpack_u8_x4(a_0);
    // kernels/interleave.go
    let shifted = thread >> 1u;
    let lane_0 = lane ^ (shifted & 12);
    exchange[lane_0 >> 2u] = a_1;
    let offset_0 = ((thread & 3) << 4u) + ((thread & 2) << 1u) + ((thread >> 2u) & 3);
    let lane_1 = offset_0 + (shifted & 8) + ((thread & 112) << 2u);
    workgroupBarrier();
    let exchange_0 = exchange[lane_1 >> 2u][lane_1 & 3];
    let index = lane_1 ^ 4;
    let exchange_1 = exchange[index >> 2u][index & 3];
    let index_0 = lane_1 ^ 8;
    let exchange_2 = exchange[index_0 >> 2u][index_0 & 3];
    let index_1 = lane_1 ^ 12;
    let exchange_3 = exchange[index_1 >> 2u][index_1 & 3];
    let converted = i32(exchange_0);
    let converted_0 = i32(exchange_1);
    let converted_1 = i32(exchange_2);
    let converted_2 = i32(exchange_3);
    let lanes = vec4<u32>(u32(converted & 15) & 255u, u32(converted_1 & 15) & 255u, u32((converted >> 4u) & 15) & 255u, u32((converted_1 >> 4u) & 15) & 255u);
    let lanes_0 = vec4<u32>(u32(converted_0 & 15) & 255u, u32(converted_2 & 15) & 255u, u32((converted_0 >> 4u) & 15) & 255u, u32((converted_2 >> 4u) & 15) & 255u);
    let either = (lanes & vec4<u32>(15u)) | ((lanes_0 & vec4<u32>(15u)) << vec4<u32>(4u));
    let both = either & vec4<u32>(255u);
    // kernels/interleave.go
    if (bits < bitcast<u32>(params.out_size1)) {
        out[((params.out_offset + a_start0 * params.out_stride0) >> 2u) + (offset >> 2u)] = pack_u8_x4(both);
    }
}
