@group(0) @binding(0) var<storage, read> src: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> out: array<vec4<u32>>;
var<workgroup> exchange: array<u32, 1024>; // elementwise/copy.go: elements change threads
var<workgroup> exchange_0: array<u32, 1024>; // elementwise/copy.go: elements change threads

struct Params {
    src_offset: i32,
    src_size0: i32,
    src_size1: i32,
    src_size2: i32,
    src_stride1: i32,
    src_stride2: i32,
    out_offset: i32,
    out_size1: i32,
    out_size2: i32,
    out_stride0: i32,
    out_stride2: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(256, 1, 1)
fn copy_squares(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // elementwise/copy.go
    let quotient = (params.out_size1 + 31) / 32;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let quotient_0 = program / chosen;
    // elementwise/copy.go
    let src_start0 = quotient_0 * 32;
    let both = thread & 7;
    let lane = both << 2u;
    let src_start1 = remainder * 32;
    let lane_0 = thread >> 3u;
    let index = params.src_offset + src_start0 + lane + (src_start1 + lane_0) * params.src_stride1;
    let bits = bitcast<u32>(params.src_size2);
    let both_0 = bitcast<u32>(src_start0) < bitcast<u32>(params.src_size0) && bitcast<u32>(src_start1) < bitcast<u32>(params.src_size1);
    let in_bounds = both_0 && 0u < bits;
    let src_0 = select(vec4<u32>(0u), src[select(0, index >> 2u, in_bounds)], in_bounds);
    let in_bounds_0 = both_0 && 1u < bits;
    let src_1 = select(vec4<u32>(0u), src[select(0, (index + params.src_stride2) >> 2u, in_bounds_0)], in_bounds_0);
    let in_bounds_1 = both_0 && 2u < bits;
    let src_2 = select(vec4<u32>(0u), src[select(0, (index + 2 * params.src_stride2) >> 2u, in_bounds_1)], in_bounds_1);
    let in_bounds_2 = both_0 && 3u < bits;
    let src_3 = select(vec4<u32>(0u), src[select(0, (index + 3 * params.src_stride2) >> 2u, in_bounds_2)], in_bounds_2);
    // elementwise/copy.go
    let either = (src_0 & vec4<u32>(65535u)) | ((src_2 & vec4<u32>(65535u)) << vec4<u32>(16u));
    // elementwise/copy.go
    let either_0 = ((src_0 >> vec4<u32>(16u)) & vec4<u32>(65535u)) | (src_2 & vec4<u32>(4294901760u));
    // elementwise/copy.go
    let either_1 = (src_1 & vec4<u32>(65535u)) | ((src_3 & vec4<u32>(65535u)) << vec4<u32>(16u));
    // elementwise/copy.go
    let either_2 = ((src_1 >> vec4<u32>(16u)) & vec4<u32>(65535u)) | (src_3 & vec4<u32>(4294901760u));
    // elementwise/copy.go
    let either_3 = (either & vec4<u32>(16711935u)) | ((either_1 & vec4<u32>(16711935u)) << vec4<u32>(8u));
    // elementwise/copy.go
    let either_4 = ((either >> vec4<u32>(8u)) & vec4<u32>(16711935u)) | (either_1 & vec4<u32>(4278255360u));
    // elementwise/copy.go
    let either_5 = (either_0 & vec4<u32>(16711935u)) | ((either_2 & vec4<u32>(16711935u)) << vec4<u32>(8u));
    // elementwise/copy.go
    let either_6 = ((either_0 >> vec4<u32>(8u)) & vec4<u32>(16711935u)) | (either_2 & vec4<u32>(4278255360u));
    // elementwise/copy.go
    let lane_1 = (lane + (both << 7u)) ^ lane_0;
    let index_0 = lane_1 + 32;
    let index_1 = lane_1 + 64;
    let index_2 = lane_1 + 96;
    exchange[lane_1] = either_3.x;
    exchange[index_0] = either_3.y;
    exchange[index_1] = either_3.z;
    exchange[index_2] = either_3.w;
    let lane_2 = (thread << 2u) ^ (lane_0 & 28);
    let index_3 = lane_2 + 1;
    let index_4 = lane_2 + 2;
    let index_5 = lane_2 + 3;
    workgroupBarrier();
    let exchange_1 = exchange[lane_2];
    let exchange_2 = exchange[index_3];
    let exchange_3 = exchange[index_4];
    let exchange_4 = exchange[index_5];
    let index_6 = params.out_offset + (src_start0 + lane_0) * params.out_stride0 + src_start1 + lane;
    let bits_0 = bitcast<u32>(params.out_size2);
    if (0u < bits_0) {
        out[index_6 >> 2u] = vec4<u32>(exchange_1, exchange_2, exchange_3, exchange_4);
    }
    exchange_0[lane_1] = either_4.x;
    exchange_0[index_0] = either_4.y;
    exchange_0[index_1] = either_4.z;
    exchange_0[index_2] = either_4.w;
    workgroupBarrier();
    let exchange_5 = exchange_0[lane_2];
    let exchange_6 = exchange_0[index_3];
    let exchange_7 = exchange_0[index_4];
    let exchange_8 = exchange_0[index_5];
    if (1u < bits_0) {
        out[(index_6 + params.out_stride2) >> 2u] = vec4<u32>(exchange_5, exchange_6, exchange_7, exchange_8);
    }
    exchange[lane_1] = either_5.x;
    exchange[index_0] = either_5.y;
    exchange[index_1] = either_5.z;
    exchange[index_2] = either_5.w;
    workgroupBarrier();
    let exchange_9 = exchange[lane_2];
    let exchange_10 = exchange[index_3];
    let exchange_11 = exchange[index_4];
    let exchange_12 = exchange[index_5];
    if (2u < bits_0) {
        out[(index_6 + 2 * params.out_stride2) >> 2u] = vec4<u32>(exchange_9, exchange_10, exchange_11, exchange_12);
    }
    exchange_0[lane_1] = either_6.x;
    exchange_0[index_0] = either_6.y;
    exchange_0[index_1] = either_6.z;
    exchange_0[index_2] = either_6.w;
    workgroupBarrier();
    let exchange_13 = exchange_0[lane_2];
    let exchange_14 = exchange_0[index_3];
    let exchange_15 = exchange_0[index_4];
    let exchange_16 = exchange_0[index_5];
    if (3u < bits_0) {
        out[(index_6 + 3 * params.out_stride2) >> 2u] = vec4<u32>(exchange_13, exchange_14, exchange_15, exchange_16);
    }
}
