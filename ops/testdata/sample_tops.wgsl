@group(0) @binding(0) var<storage, read> logits: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read_write> parts: array<i32>;
var<workgroup> scratch: array<i32, 256>; // kernels/sample_parts.go: partial results of reduce.max; the first thread's element
var<workgroup> parts_0: array<i32, 16>; // kernels/sample_parts.go: partial results of reduce.max

struct Params {
    logits_offset: i32,
    logits_size1: i32,
    logits_stride0: i32,
    parts_offset: i32,
    parts_size1: i32,
    parts_stride0: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

fn unpack_f16_x4(words: vec2<u32>) -> vec4<f32> {
    return vec4<f32>(unpack2x16float(words.x), unpack2x16float(words.y));
}

@compute @workgroup_size(256, 1, 1)
fn sample_tops(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/sample_kernel.go
    let chosen = select(params.parts_size1, 1, params.parts_size1 == 0);
    let parts_start1 = program % chosen;
    let parts_start0 = program / chosen;
    // kernels/sample_parts.go
    let lane = thread >> 3u;
    let lane_0 = (thread & 7) << 3u;
    let offset = vec4<i32>(lane) * vec4<i32>(1024) + vec4<i32>(lane_0, lane_0 + 1, lane_0 + 2, lane_0 + 3);
    let offset_0 = offset + vec4<i32>(parts_start1 * 64);
    // kernels/sample_parts.go
    let offset_1 = params.logits_offset + parts_start0 * params.logits_stride0;
    let bits = bitcast<u32>(params.logits_size1);
    // kernels/sample_parts.go
    var carried: vec4<i32> = vec4<i32>(-2147483648);
    var carried_0: vec4<i32> = vec4<i32>(-2147483648);
    let end = (params.logits_size1 + 32767) / 32768;
    for (var i: i32 = 0; i < end; i += 1) {
        // kernels/sample_parts.go
        let offset_2 = offset_0 + vec4<i32>(i * 32768);
        // kernels/sample_parts.go
        let in_bounds = bitcast<u32>(offset_2.x) < bits;
        let logits_0 = select(vec4<u32>(4227922944u), logits[select(0, (offset_1 + offset_2.x) >> 3u, in_bounds)], in_bounds);
        let logits_1 = unpack_f16_x4(logits_0.xy);
        let logits_2 = unpack_f16_x4(logits_0.zw);
        // kernels/sample_kernel.go
        let bits_0 = bitcast<vec4<i32>>(logits_1);
        let bits_1 = bitcast<vec4<i32>>(logits_2);
        let both = bits_0 & vec4<i32>(2147483647);
        let both_0 = bits_1 & vec4<i32>(2147483647);
        let shifted = bits_0 >> vec4<u32>(31u);
        let shifted_0 = bits_1 >> vec4<u32>(31u);
        let chosen_0 = select((both ^ shifted) - shifted, vec4<i32>(2147483647), both > vec4<i32>(2139095040));
        let chosen_1 = select((both_0 ^ shifted_0) - shifted_0, vec4<i32>(2147483647), both_0 > vec4<i32>(2139095040));
        // kernels/sample_parts.go
        carried = max(carried, chosen_0);
        carried_0 = max(carried_0, chosen_1);
    }
    // kernels/sample_parts.go
    let greatest = max(carried, carried_0);
    scratch[thread] = max(max(greatest.x, greatest.z), max(greatest.y, greatest.w));
    let index = thread & 15;
    workgroupBarrier();
    let parts_1 = scratch[index];
    let parts_2 = scratch[index + 16];
    let parts_3 = scratch[index + 32];
    let parts_4 = scratch[index + 48];
    let parts_5 = scratch[index + 64];
    let parts_6 = scratch[index + 80];
    let greatest_0 = max(max(max(max(max(parts_1, parts_2), parts_3), parts_4), parts_5), parts_6);
    let parts_7 = scratch[index + 96];
    let parts_8 = scratch[index + 112];
    let parts_9 = scratch[index + 128];
    let parts_10 = scratch[index + 144];
    let greatest_1 = max(max(max(max(greatest_0, parts_7), parts_8), parts_9), parts_10);
    let parts_11 = scratch[index + 160];
    let parts_12 = scratch[index + 176];
    let parts_13 = scratch[index + 192];
    let parts_14 = scratch[index + 208];
    let greatest_2 = max(max(max(max(greatest_1, parts_11), parts_12), parts_13), parts_14);
    let parts_15 = scratch[index + 224];
    let parts_16 = scratch[index + 240];
    if (thread < 16) {
        parts_0[index] = max(max(greatest_2, parts_15), parts_16);
    }
    workgroupBarrier();
    let parts_17 = parts_0[0];
    let parts_18 = parts_0[1];
    let parts_19 = parts_0[2];
    let parts_20 = parts_0[3];
    let parts_21 = parts_0[4];
    let greatest_3 = max(max(max(max(parts_17, parts_18), parts_19), parts_20), parts_21);
    let parts_22 = parts_0[5];
    let parts_23 = parts_0[6];
    let parts_24 = parts_0[7];
    let parts_25 = parts_0[8];
    let greatest_4 = max(max(max(max(greatest_3, parts_22), parts_23), parts_24), parts_25);
    let parts_26 = parts_0[9];
    let parts_27 = parts_0[10];
    let parts_28 = parts_0[11];
    let parts_29 = parts_0[12];
    let greatest_5 = max(max(max(max(greatest_4, parts_26), parts_27), parts_28), parts_29);
    let parts_30 = parts_0[13];
    let parts_31 = parts_0[14];
    let parts_32 = parts_0[15];
    if (thread == 0) {
        scratch[0] = max(max(max(greatest_5, parts_30), parts_31), parts_32);
    }
    workgroupBarrier();
    let scalar = workgroupUniformLoad(&scratch[0]);
    // kernels/sample_parts.go
    let index_0 = params.parts_offset + parts_start0 * params.parts_stride0 + parts_start1;
    if ((thread & 255) == 0) {
        parts[index_0] = scalar;
    }
}
