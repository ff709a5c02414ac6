@group(0) @binding(0) var<storage, read> src: array<vec4<u32>>; // i8, 4 in a word
@group(0) @binding(1) var<storage, read_write> out: array<vec4<u32>>; // i8, 4 in a word
var<workgroup> exchange: array<i32, 4096>; // map.go: elements change threads

struct Params {
    src_offset: i32,
    src_size0: i32,
    src_size1: i32,
    src_stride1: i32,
    out_offset: i32,
    out_size0: i32,
    out_size1: i32,
    out_stride0: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

fn unpack_i8_x4(word: u32) -> vec4<i32> {
    return (vec4<i32>(bitcast<i32>(word)) << vec4<u32>(24u, 16u, 8u, 0u)) >> vec4<u32>(24u);
}

fn pack_u8_x4(x: vec4<u32>) -> u32 {
    let bytes = (x & vec4<u32>(0xffu)) << vec4<u32>(0u, 8u, 16u, 24u);
    return bytes.x | bytes.y | bytes.z | bytes.w;
}

fn pack_i8_x4(x: vec4<i32>) -> u32 {
    return pack_u8_x4(bitcast<vec4<u32>>(x));
}

@compute @workgroup_size(256, 1, 1)
fn copy(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // map.go
    let quotient = (params.out_size1 + 63) / 64;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let quotient_0 = program / chosen;
    // map.go
    let src_start0 = quotient_0 * 64;
    let both = thread & 3;
    let lane = both << 4u;
    let bits = bitcast<u32>(src_start0);
    let src_start1 = remainder * 64;
    let lane_0 = thread >> 2u;
    let index = params.src_offset + src_start0 + lane + (src_start1 + lane_0) * params.src_stride1;
    let in_bounds = bits < bitcast<u32>(params.src_size0) && bitcast<u32>(src_start1) < bitcast<u32>(params.src_size1);
    let src_0 = select(vec4<u32>(0u), src[select(0, index >> 4u, in_bounds)], in_bounds);
    let src_1 = unpack_i8_x4(src_0.x);
    let src_2 = unpack_i8_x4(src_0.y);
    let src_3 = unpack_i8_x4(src_0.z);
    let src_4 = unpack_i8_x4(src_0.w);
    // map.go
    let shifted = both << 3u;
    let both_0 = lane_0 & 7;
    let both_1 = (thread >> 3u) & 24;
    let changed = (shifted + both_0 + ((thread & 28) << 5u) + ((thread & 32) << 6u)) ^ both_1;
    let lane_1 = changed + ((thread >> 1u) & 96);
    exchange[lane_1] = src_1.x;
    exchange[lane_1 ^ 1] = src_1.y;
    exchange[lane_1 ^ 2] = src_1.z;
    exchange[lane_1 ^ 3] = src_1.w;
    exchange[lane_1 ^ 4] = src_2.x;
    exchange[lane_1 ^ 5] = src_2.y;
    exchange[lane_1 ^ 6] = src_2.z;
    exchange[lane_1 ^ 7] = src_2.w;
    exchange[lane_1 + 1024] = src_3.x;
    exchange[lane_1 ^ 1025] = src_3.y;
    exchange[lane_1 ^ 1026] = src_3.z;
    exchange[lane_1 ^ 1027] = src_3.w;
    exchange[lane_1 ^ 1028] = src_4.x;
    exchange[lane_1 ^ 1029] = src_4.y;
    exchange[lane_1 ^ 1030] = src_4.z;
    exchange[lane_1 ^ 1031] = src_4.w;
    let lane_2 = (shifted + ((thread & 35) << 5u) + both_0) ^ both_1;
    workgroupBarrier();
    let exchange_0 = exchange[lane_2];
    let exchange_1 = exchange[lane_2 ^ 129];
    let exchange_2 = exchange[lane_2 ^ 258];
    let exchange_3 = exchange[lane_2 ^ 387];
    let exchange_4 = exchange[lane_2 ^ 516];
    let exchange_5 = exchange[lane_2 ^ 645];
    let exchange_6 = exchange[lane_2 ^ 774];
    let exchange_7 = exchange[lane_2 ^ 903];
    let exchange_8 = exchange[lane_2 + 2048];
    let exchange_9 = exchange[lane_2 ^ 2177];
    let exchange_10 = exchange[lane_2 ^ 2306];
    let exchange_11 = exchange[lane_2 ^ 2435];
    let exchange_12 = exchange[lane_2 ^ 2564];
    let exchange_13 = exchange[lane_2 ^ 2693];
    let exchange_14 = exchange[lane_2 ^ 2822];
    let exchange_15 = exchange[lane_2 ^ 2951];
    let index_0 = params.out_offset + (src_start0 + lane_0) * params.out_stride0 + src_start1 + lane;
    let value = pack_i8_x4(vec4<i32>(exchange_0, exchange_1, exchange_2, exchange_3));
    let value_0 = pack_i8_x4(vec4<i32>(exchange_4, exchange_5, exchange_6, exchange_7));
    let value_1 = pack_i8_x4(vec4<i32>(exchange_8, exchange_9, exchange_10, exchange_11));
    let value_2 = pack_i8_x4(vec4<i32>(exchange_12, exchange_13, exchange_14, exchange_15));
    if (bits < bitcast<u32>(params.out_size0)) {
        out[index_0 >> 4u] = vec4<u32>(value, value_0, value_1, value_2);
    }
}
