@group(0) @binding(0) var<storage, read> data: array<u32>; // u8, 4 in a word
@group(0) @binding(1) var<storage, read_write> out: array<u32>; // u8, 4 in a word
var<workgroup> exchange: array<vec4<u32>, 128>; // kernels/interleave_order.go: elements change threads

struct Params {
    data_offset: i32,
    data_size0: i32,
    data_size1: i32,
    data_stride0: i32,
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
fn quantized_order(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/interleave_order.go
    let quotient = (params.out_size1 + 511) / 512;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let data_start0 = program / chosen;
    // kernels/interleave_order.go
    let data_start1 = remainder * 512;
    let lane = thread << 2u;
    let offset = data_start1 + lane;
    let bits = bitcast<u32>(offset);
    let in_bounds = bitcast<u32>(data_start0) < bitcast<u32>(params.data_size0) && bits < bitcast<u32>(params.data_size1);
    let data_0 = select(0u, data[select(0, ((params.data_offset + data_start0 * params.data_stride0) >> 2u) + (offset >> 2u), in_bounds)], in_bounds);
    let data_1 = unpack_u8_x4(data_0);
    // kernels/interleave_order.go
    let shifted = thread >> 1u;
    let lane_0 = lane ^ (shifted & 12);
    exchange[lane_0 >> 2u] = data_1;
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
    let both = u32(converted & 15) & 255u;
    let both_0 = u32(converted_0 & 15) & 255u;
    let both_1 = u32(converted_1 & 15) & 255u;
    let both_2 = u32(converted_2 & 15) & 255u;
    let both_3 = u32((converted >> 4u) & 15) & 255u;
    let both_4 = u32((converted_0 >> 4u) & 15) & 255u;
    let both_5 = u32((converted_1 >> 4u) & 15) & 255u;
    let both_6 = u32((converted_2 >> 4u) & 15) & 255u;
    // kernels/interleave_order.go
    let shifted_0 = (vec4<u32>(both_0, both_2, both_4, both_6) & vec4<u32>(15u)) << vec4<u32>(4u);
    let either = (vec4<u32>(both, both_1, both_3, both_5) & vec4<u32>(15u)) | shifted_0;
    let both_7 = either & vec4<u32>(255u);
    // kernels/interleave_order.go
    if (bits < bitcast<u32>(params.out_size1)) {
        out[((params.out_offset + data_start0 * params.out_stride0) >> 2u) + (offset >> 2u)] = pack_u8_x4(both_7);
    }
}
