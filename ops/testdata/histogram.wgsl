@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<i32>>;
var<workgroup> sums: array<atomic<i32>, 256>; // kernels/histogram_kernel.go: sums by bins

struct Params {
    x_offset: i32,
    x_size0: i32,
    x_size1: i32,
    counts_offset: i32,
    counts_size0: i32,
    counts_size1: i32,
    least: f32,
    most: f32,
    rate: f32,
    step: f32,
    rest: f32,
    start: f32,
    grid_x: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

// Numbers that WGSL does not allow as constants.
fn f32_from_bits(bits: u32) -> f32 {
    return bitcast<f32>(bits);
}

// Holds for NaN also where the device assumes that there is none.
fn is_nan_x4(x: vec4<f32>) -> vec4<bool> {
    return (bitcast<vec4<u32>>(x) & vec4<u32>(0x7fffffffu)) > vec4<u32>(0x7f800000u);
}

// Truncates and saturates; NaN gives 0.
fn f32_to_i32_x4(x: vec4<f32>) -> vec4<i32> {
    let inside = vec4<i32>(clamp(x, vec4<f32>(-2147483648.0), vec4<f32>(2147483520.0)));
    return select(select(inside, vec4<i32>(2147483647), x >= vec4<f32>(2147483648.0)), vec4<i32>(0), is_nan_x4(x));
}

@compute @workgroup_size(256, 1, 1)
fn histogram(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/histogram_kernel.go
    let quotient = (params.x_size1 + 4095) / 4096;
    // kernels/histogram_kernel.go
    let offset = params.x_size0 * quotient;
    // kernels/histogram_kernel.go
    let chosen = select(quotient, 1, quotient == 0);
    // kernels/histogram_kernel.go
    let bits = bitcast<u32>(params.x_size0);
    let lane = thread << 2u;
    let bits_0 = bitcast<u32>(params.x_size1);
    // kernels/histogram_kernel.go
    // kernels/histogram_kernel.go
    let offset_0 = params.counts_size1 + -1;
    // kernels/histogram_kernel.go
    // kernels/histogram_kernel.go
    // kernels/histogram_kernel.go
    // kernels/histogram_kernel.go
    var carried: i32 = 0;
    for (var i: i32 = program; i < offset; i = select(offset, i + params.grid_x, bitcast<u32>(offset - i) > bitcast<u32>(params.grid_x))) {
        // kernels/histogram_kernel.go
        let x_start0 = i / chosen;
        let difference = i - x_start0 * chosen;
        // kernels/histogram_kernel.go
        let less = bitcast<u32>(x_start0) < bits;
        let x_start1 = select(-1, difference, bitcast<u32>(difference) < 524288u) * 4096;
        let offset_1 = x_start1 + lane;
        let index = params.x_offset + offset_1;
        let in_bounds = less && bitcast<u32>(offset_1) < bits_0;
        let x_0 = select(vec4<f32>(f32_from_bits(0xff800000u)), x[select(0, index >> 2u, in_bounds)], in_bounds);
        let in_bounds_0 = less && bitcast<u32>(offset_1 + 1024) < bits_0;
        let x_1 = select(vec4<f32>(f32_from_bits(0xff800000u)), x[select(0, (index >> 2u) + 256, in_bounds_0)], in_bounds_0);
        let in_bounds_1 = less && bitcast<u32>(offset_1 + 2048) < bits_0;
        let x_2 = select(vec4<f32>(f32_from_bits(0xff800000u)), x[select(0, (index >> 2u) + 512, in_bounds_1)], in_bounds_1);
        let in_bounds_2 = less && bitcast<u32>(offset_1 + 3072) < bits_0;
        let x_3 = select(vec4<f32>(f32_from_bits(0xff800000u)), x[select(0, (index >> 2u) + 768, in_bounds_2)], in_bounds_2);
        // kernels/histogram_kernel.go
        let both = (x_0 >= vec4<f32>(params.least)) & (x_0 <= vec4<f32>(params.most));
        let both_0 = (x_1 >= vec4<f32>(params.least)) & (x_1 <= vec4<f32>(params.most));
        let both_1 = (x_2 >= vec4<f32>(params.least)) & (x_2 <= vec4<f32>(params.most));
        let both_2 = (x_3 >= vec4<f32>(params.least)) & (x_3 <= vec4<f32>(params.most));
        // kernels/histogram_kernel.go
        let converted = f32_to_i32_x4((x_0 - vec4<f32>(params.least)) * vec4<f32>(params.rate));
        let converted_0 = f32_to_i32_x4((x_1 - vec4<f32>(params.least)) * vec4<f32>(params.rate));
        let converted_1 = f32_to_i32_x4((x_2 - vec4<f32>(params.least)) * vec4<f32>(params.rate));
        let converted_2 = f32_to_i32_x4((x_3 - vec4<f32>(params.least)) * vec4<f32>(params.rate));
        let least = min(max(converted, vec4<i32>(0)), vec4<i32>(offset_0));
        let least_0 = min(max(converted_0, vec4<i32>(0)), vec4<i32>(offset_0));
        let least_1 = min(max(converted_1, vec4<i32>(0)), vec4<i32>(offset_0));
        let least_2 = min(max(converted_2, vec4<i32>(0)), vec4<i32>(offset_0));
        // kernels/histogram_kernel.go
        let fused = fma(vec4<f32>(least + vec4<i32>(params.counts_size1)), vec4<f32>(params.rest), vec4<f32>(params.start));
        let fused_0 = fma(vec4<f32>(least_0 + vec4<i32>(params.counts_size1)), vec4<f32>(params.rest), vec4<f32>(params.start));
        let fused_1 = fma(vec4<f32>(least_1 + vec4<i32>(params.counts_size1)), vec4<f32>(params.rest), vec4<f32>(params.start));
        let fused_2 = fma(vec4<f32>(least_2 + vec4<i32>(params.counts_size1)), vec4<f32>(params.rest), vec4<f32>(params.start));
        // kernels/histogram_kernel.go
        let fused_3 = fma(vec4<f32>(least), vec4<f32>(params.step), fused);
        let fused_4 = fma(vec4<f32>(least_0), vec4<f32>(params.step), fused_0);
        let fused_5 = fma(vec4<f32>(least_1), vec4<f32>(params.step), fused_1);
        let fused_6 = fma(vec4<f32>(least_2), vec4<f32>(params.step), fused_2);
        // kernels/histogram_kernel.go
        let both_3 = (x_0 < fused_3) & (least > vec4<i32>(0));
        let both_4 = (x_1 < fused_4) & (least_0 > vec4<i32>(0));
        let both_5 = (x_2 < fused_5) & (least_1 > vec4<i32>(0));
        let both_6 = (x_3 < fused_6) & (least_2 > vec4<i32>(0));
        // kernels/histogram_kernel.go
        let offset_2 = least + vec4<i32>(1);
        let offset_3 = least_0 + vec4<i32>(1);
        let offset_4 = least_1 + vec4<i32>(1);
        let offset_5 = least_2 + vec4<i32>(1);
        // kernels/histogram_kernel.go
        let fused_7 = fma(vec4<f32>(offset_2 + vec4<i32>(params.counts_size1)), vec4<f32>(params.rest), vec4<f32>(params.start));
        let fused_8 = fma(vec4<f32>(offset_3 + vec4<i32>(params.counts_size1)), vec4<f32>(params.rest), vec4<f32>(params.start));
        let fused_9 = fma(vec4<f32>(offset_4 + vec4<i32>(params.counts_size1)), vec4<f32>(params.rest), vec4<f32>(params.start));
        let fused_10 = fma(vec4<f32>(offset_5 + vec4<i32>(params.counts_size1)), vec4<f32>(params.rest), vec4<f32>(params.start));
        // kernels/histogram_kernel.go
        let fused_11 = fma(vec4<f32>(offset_2), vec4<f32>(params.step), fused_7);
        let fused_12 = fma(vec4<f32>(offset_3), vec4<f32>(params.step), fused_8);
        let fused_13 = fma(vec4<f32>(offset_4), vec4<f32>(params.step), fused_9);
        let fused_14 = fma(vec4<f32>(offset_5), vec4<f32>(params.step), fused_10);
        // kernels/histogram_kernel.go
        let both_7 = (x_0 >= fused_11) & (least < vec4<i32>(offset_0));
        let both_8 = (x_1 >= fused_12) & (least_0 < vec4<i32>(offset_0));
        let both_9 = (x_2 >= fused_13) & (least_1 < vec4<i32>(offset_0));
        let both_10 = (x_3 >= fused_14) & (least_2 < vec4<i32>(offset_0));
        // kernels/histogram_kernel.go
        let offset_6 = least - vec4<i32>(both_3) + vec4<i32>(both_7);
        let offset_7 = least_0 - vec4<i32>(both_4) + vec4<i32>(both_8);
        let offset_8 = least_1 - vec4<i32>(both_5) + vec4<i32>(both_9);
        let offset_9 = least_2 - vec4<i32>(both_6) + vec4<i32>(both_10);
        // kernels/histogram_kernel.go
        let chosen_0 = select(vec4<i32>(-1), offset_6, both);
        let chosen_1 = select(vec4<i32>(-1), offset_7, both_0);
        let chosen_2 = select(vec4<i32>(-1), offset_8, both_1);
        let chosen_3 = select(vec4<i32>(-1), offset_9, both_2);
        // kernels/histogram_kernel.go
        workgroupBarrier();
        atomicStore(&sums[thread], 0);
        workgroupBarrier();
        if (bitcast<u32>(chosen_0.x) < 256u) {
            atomicAdd(&sums[chosen_0.x], 1);
        }
        if (bitcast<u32>(chosen_0.y) < 256u) {
            atomicAdd(&sums[chosen_0.y], 1);
        }
        if (bitcast<u32>(chosen_0.z) < 256u) {
            atomicAdd(&sums[chosen_0.z], 1);
        }
        if (bitcast<u32>(chosen_0.w) < 256u) {
            atomicAdd(&sums[chosen_0.w], 1);
        }
        if (bitcast<u32>(chosen_1.x) < 256u) {
            atomicAdd(&sums[chosen_1.x], 1);
        }
        if (bitcast<u32>(chosen_1.y) < 256u) {
            atomicAdd(&sums[chosen_1.y], 1);
        }
        if (bitcast<u32>(chosen_1.z) < 256u) {
            atomicAdd(&sums[chosen_1.z], 1);
        }
        if (bitcast<u32>(chosen_1.w) < 256u) {
            atomicAdd(&sums[chosen_1.w], 1);
        }
        if (bitcast<u32>(chosen_2.x) < 256u) {
            atomicAdd(&sums[chosen_2.x], 1);
        }
        if (bitcast<u32>(chosen_2.y) < 256u) {
            atomicAdd(&sums[chosen_2.y], 1);
        }
        if (bitcast<u32>(chosen_2.z) < 256u) {
            atomicAdd(&sums[chosen_2.z], 1);
        }
        if (bitcast<u32>(chosen_2.w) < 256u) {
            atomicAdd(&sums[chosen_2.w], 1);
        }
        if (bitcast<u32>(chosen_3.x) < 256u) {
            atomicAdd(&sums[chosen_3.x], 1);
        }
        if (bitcast<u32>(chosen_3.y) < 256u) {
            atomicAdd(&sums[chosen_3.y], 1);
        }
        if (bitcast<u32>(chosen_3.z) < 256u) {
            atomicAdd(&sums[chosen_3.z], 1);
        }
        if (bitcast<u32>(chosen_3.w) < 256u) {
            atomicAdd(&sums[chosen_3.w], 1);
        }
        workgroupBarrier();
        let sums_0 = atomicLoad(&sums[thread]);
        carried += sums_0;
    }
    // kernels/histogram_kernel.go
    let unequal = carried != 0;
    // kernels/histogram_kernel.go
    let in_bounds_3 = unequal && 0u < bitcast<u32>(params.counts_size0) && bitcast<u32>(thread) < bitcast<u32>(params.counts_size1);
    if (in_bounds_3) {
        atomicAdd(&counts[params.counts_offset + thread], carried);
    }
}
