@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<i32>>;

struct Params {
    x_offset: i32,
    x_size1: i32,
    counts_offset: i32,
    counts_size0: i32,
    counts_size1: i32,
    counts_size2: i32,
    counts_stride1: i32,
    shift: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(256, 1, 1)
fn sort_count(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/sort_kernel.go
    let quotient = (params.x_size1 + 2047) / 2048;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let x_start0 = program / chosen;
    // kernels/sort_kernel.go
    let x_start1 = remainder * 2048;
    let offset = x_start1 + thread;
    let index = params.x_offset + offset;
    let bits = bitcast<u32>(params.x_size1);
    let in_bounds = bitcast<u32>(offset) < bits;
    let x_0 = select(0.0, x[select(0, index, in_bounds)], in_bounds);
    let in_bounds_0 = bitcast<u32>(offset + 256) < bits;
    let x_1 = select(0.0, x[select(0, index + 256, in_bounds_0)], in_bounds_0);
    let in_bounds_1 = bitcast<u32>(offset + 512) < bits;
    let x_2 = select(0.0, x[select(0, index + 512, in_bounds_1)], in_bounds_1);
    let in_bounds_2 = bitcast<u32>(offset + 768) < bits;
    let x_3 = select(0.0, x[select(0, index + 768, in_bounds_2)], in_bounds_2);
    let in_bounds_3 = bitcast<u32>(offset + 1024) < bits;
    let x_4 = select(0.0, x[select(0, index + 1024, in_bounds_3)], in_bounds_3);
    let in_bounds_4 = bitcast<u32>(offset + 1280) < bits;
    let x_5 = select(0.0, x[select(0, index + 1280, in_bounds_4)], in_bounds_4);
    let in_bounds_5 = bitcast<u32>(offset + 1536) < bits;
    let x_6 = select(0.0, x[select(0, index + 1536, in_bounds_5)], in_bounds_5);
    let in_bounds_6 = bitcast<u32>(offset + 1792) < bits;
    let x_7 = select(0.0, x[select(0, index + 1792, in_bounds_6)], in_bounds_6);
    // kernels/sort_rank.go
    let bits_0 = bitcast<i32>(x_0);
    let bits_1 = bitcast<i32>(x_1);
    let bits_2 = bitcast<i32>(x_2);
    let bits_3 = bitcast<i32>(x_3);
    let bits_4 = bitcast<i32>(x_4);
    let bits_5 = bitcast<i32>(x_5);
    let bits_6 = bitcast<i32>(x_6);
    let bits_7 = bitcast<i32>(x_7);
    // kernels/sort_rank.go
    let both = bits_0 & 2147483647;
    let both_0 = bits_1 & 2147483647;
    let both_1 = bits_2 & 2147483647;
    let both_2 = bits_3 & 2147483647;
    let both_3 = bits_4 & 2147483647;
    let both_4 = bits_5 & 2147483647;
    let both_5 = bits_6 & 2147483647;
    let both_6 = bits_7 & 2147483647;
    let shifted = bits_0 >> 31u;
    let shifted_0 = bits_1 >> 31u;
    let shifted_1 = bits_2 >> 31u;
    let shifted_2 = bits_3 >> 31u;
    let shifted_3 = bits_4 >> 31u;
    let shifted_4 = bits_5 >> 31u;
    let shifted_5 = bits_6 >> 31u;
    let shifted_6 = bits_7 >> 31u;
    // kernels/sort_rank.go
    let chosen_0 = select((both ^ shifted) - shifted, 2147483647, both > 2139095040);
    let chosen_1 = select((both_0 ^ shifted_0) - shifted_0, 2147483647, both_0 > 2139095040);
    let chosen_2 = select((both_1 ^ shifted_1) - shifted_1, 2147483647, both_1 > 2139095040);
    let chosen_3 = select((both_2 ^ shifted_2) - shifted_2, 2147483647, both_2 > 2139095040);
    let chosen_4 = select((both_3 ^ shifted_3) - shifted_3, 2147483647, both_3 > 2139095040);
    let chosen_5 = select((both_4 ^ shifted_4) - shifted_4, 2147483647, both_4 > 2139095040);
    let chosen_6 = select((both_5 ^ shifted_5) - shifted_5, 2147483647, both_5 > 2139095040);
    let chosen_7 = select((both_6 ^ shifted_6) - shifted_6, 2147483647, both_6 > 2139095040);
    // kernels/sort_rank.go
    let bits_8 = bitcast<u32>(chosen_0);
    let bits_9 = bitcast<u32>(chosen_1);
    let bits_10 = bitcast<u32>(chosen_2);
    let bits_11 = bitcast<u32>(chosen_3);
    let bits_12 = bitcast<u32>(chosen_4);
    let bits_13 = bitcast<u32>(chosen_5);
    let bits_14 = bitcast<u32>(chosen_6);
    let bits_15 = bitcast<u32>(chosen_7);
    // kernels/sort_rank.go
    let changed = bits_8 ^ 2147483648u;
    let changed_0 = bits_9 ^ 2147483648u;
    let changed_1 = bits_10 ^ 2147483648u;
    let changed_2 = bits_11 ^ 2147483648u;
    let changed_3 = bits_12 ^ 2147483648u;
    let changed_4 = bits_13 ^ 2147483648u;
    let changed_5 = bits_14 ^ 2147483648u;
    let changed_6 = bits_15 ^ 2147483648u;
    // kernels/sort_rank.go
    let both_7 = u32(params.shift) & 31u;
    let both_8 = (changed >> both_7) & 255u;
    let both_9 = (changed_0 >> both_7) & 255u;
    let both_10 = (changed_1 >> both_7) & 255u;
    let both_11 = (changed_2 >> both_7) & 255u;
    let both_12 = (changed_3 >> both_7) & 255u;
    let both_13 = (changed_4 >> both_7) & 255u;
    let both_14 = (changed_5 >> both_7) & 255u;
    let both_15 = (changed_6 >> both_7) & 255u;
    // kernels/sort_kernel.go
    let converted = i32(both_8);
    let converted_0 = i32(both_9);
    let converted_1 = i32(both_10);
    let converted_2 = i32(both_11);
    let converted_3 = i32(both_12);
    let converted_4 = i32(both_13);
    let converted_5 = i32(both_14);
    let converted_6 = i32(both_15);
    // kernels/sort_kernel.go
    let less = thread + x_start1 < params.x_size1;
    let less_0 = thread + 256 + x_start1 < params.x_size1;
    let less_1 = thread + 512 + x_start1 < params.x_size1;
    let less_2 = thread + 768 + x_start1 < params.x_size1;
    let less_3 = thread + 1024 + x_start1 < params.x_size1;
    let less_4 = thread + 1280 + x_start1 < params.x_size1;
    let less_5 = thread + 1536 + x_start1 < params.x_size1;
    let less_6 = thread + 1792 + x_start1 < params.x_size1;
    // kernels/sort_kernel.go
    let less_7 = bitcast<u32>(x_start0) < bitcast<u32>(params.counts_size0);
    let offset_0 = params.counts_offset + remainder * params.counts_stride1;
    let less_8 = bitcast<u32>(remainder) < bitcast<u32>(params.counts_size1);
    let bits_16 = bitcast<u32>(params.counts_size2);
    if (less && less_7 && less_8 && bitcast<u32>(converted) < bits_16) {
        atomicAdd(&counts[offset_0 + converted], 1);
    }
    let in_bounds_7 = less_0 && less_7 && less_8 && bitcast<u32>(converted_0) < bits_16;
    if (in_bounds_7) {
        atomicAdd(&counts[offset_0 + converted_0], 1);
    }
    let in_bounds_8 = less_1 && less_7 && less_8 && bitcast<u32>(converted_1) < bits_16;
    if (in_bounds_8) {
        atomicAdd(&counts[offset_0 + converted_1], 1);
    }
    let in_bounds_9 = less_2 && less_7 && less_8 && bitcast<u32>(converted_2) < bits_16;
    if (in_bounds_9) {
        atomicAdd(&counts[offset_0 + converted_2], 1);
    }
    let in_bounds_10 = less_3 && less_7 && less_8 && bitcast<u32>(converted_3) < bits_16;
    if (in_bounds_10) {
        atomicAdd(&counts[offset_0 + converted_3], 1);
    }
    let in_bounds_11 = less_4 && less_7 && less_8 && bitcast<u32>(converted_4) < bits_16;
    if (in_bounds_11) {
        atomicAdd(&counts[offset_0 + converted_4], 1);
    }
    let in_bounds_12 = less_5 && less_7 && less_8 && bitcast<u32>(converted_5) < bits_16;
    if (in_bounds_12) {
        atomicAdd(&counts[offset_0 + converted_5], 1);
    }
    let in_bounds_13 = less_6 && less_7 && less_8 && bitcast<u32>(converted_6) < bits_16;
    if (in_bounds_13) {
        atomicAdd(&counts[offset_0 + converted_6], 1);
    }
}
