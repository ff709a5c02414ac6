@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

struct Params {
    x_offset: i32,
    x_size0: i32,
    x_size1: i32,
    x_size2: i32,
    x_stride0: i32,
    x_stride1: i32,
    out_offset: i32,
    out_size1: i32,
    out_size2: i32,
    out_stride0: i32,
    out_stride1: i32,
    line1_mul: i32,
    line1_add: i32,
    line1: i32,
    line1_factor: u32,
    line1_shift: u32,
    reciprocal1: f32,
    line2_mul: i32,
    line2_add: i32,
    line2: i32,
    line2_factor: u32,
    line2_shift: u32,
    reciprocal2: f32,
}
@group(0) @binding(2) var<uniform> params: Params;

// The high 32 bits of x * y, from products of 16 bits.
fn mulhi_x2(x: vec2<u32>, y: vec2<u32>) -> vec2<u32> {
    let low = x & vec2<u32>(0xffffu);
    let high = x >> vec2<u32>(16u);
    let first = high * (y & vec2<u32>(0xffffu)) + ((low * (y & vec2<u32>(0xffffu))) >> vec2<u32>(16u));
    let second = low * (y >> vec2<u32>(16u)) + (first & vec2<u32>(0xffffu));
    return high * (y >> vec2<u32>(16u)) + (first >> vec2<u32>(16u)) + (second >> vec2<u32>(16u));
}

// The high 32 bits of x * y, from products of 16 bits.
fn mulhi(x: u32, y: u32) -> u32 {
    let low = x & 0xffffu;
    let high = x >> 16u;
    let first = high * (y & 0xffffu) + ((low * (y & 0xffffu)) >> 16u);
    let second = low * (y >> 16u) + (first & 0xffffu);
    return high * (y >> 16u) + (first >> 16u) + (second >> 16u);
}

@compute @workgroup_size(128, 1, 1)
fn resize(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/resize_kernel.go
    let quotient = (params.out_size1 + 1) / 2;
    let quotient_0 = (params.out_size2 + 127) / 128;
    let chosen = select(quotient_0, 1, quotient_0 == 0);
    let remainder = program % chosen;
    let quotient_1 = program / chosen;
    let chosen_0 = select(quotient, 1, quotient == 0);
    let remainder_0 = quotient_1 % chosen_0;
    let out_start0 = quotient_1 / chosen_0;
    // kernels/resize_kernel.go
    let out_start1 = remainder_0 * 2;
    let offset = vec2<i32>(0, 1) + vec2<i32>(out_start1);
    // kernels/resize_kernel.go
    let least = min(offset, vec2<i32>(params.out_size1 + -1));
    // kernels/resize_kernel.go
    let offset_0 = params.x_size1 + -1;
    // kernels/resize_line.go
    let offset_1 = least * vec2<i32>(params.line1_mul) + vec2<i32>(params.line1_add);
    let greatest = max(offset_1, vec2<i32>(0));
    // kernels/divisor.go
    let converted = vec2<u32>(greatest);
    // kernels/divisor.go
    let shifted = (mulhi_x2(converted, vec2<u32>(params.line1_factor)) + converted) >> (vec2<u32>(params.line1_shift) & vec2<u32>(31u));
    let converted_0 = vec2<i32>(shifted);
    // kernels/divisor.go
    let difference = greatest - converted_0 * vec2<i32>(params.line1);
    // kernels/resize_kernel.go
    let chosen_1 = select(vec2<i32>(0), difference, converted_0 < vec2<i32>(offset_0));
    // kernels/resize_kernel.go
    let equal = chosen_1 == vec2<i32>(0);
    // kernels/resize_kernel.go
    let least_0 = min(converted_0, vec2<i32>(offset_0));
    let chosen_2 = select(converted_0 + vec2<i32>(1), vec2<i32>(params.x_size1), equal);
    // kernels/resize_kernel.go
    let product = vec2<f32>(chosen_1) * vec2<f32>(params.reciprocal1);
    // kernels/resize_kernel.go
    let product_0 = vec2<f32>(vec2<i32>(params.line1) - chosen_1) * vec2<f32>(params.reciprocal1);
    let chosen_3 = select(product_0, vec2<f32>(1.0), equal);
    // kernels/resize_kernel.go
    let out_start2 = remainder * 128;
    let offset_2 = thread + out_start2;
    // kernels/resize_kernel.go
    let least_1 = min(offset_2, params.out_size2 + -1);
    // kernels/resize_kernel.go
    let offset_3 = params.x_size2 + -1;
    // kernels/resize_line.go
    let greatest_0 = max(least_1 * params.line2_mul + params.line2_add, 0);
    // kernels/divisor.go
    let converted_1 = u32(greatest_0);
    // kernels/divisor.go
    let shifted_0 = (mulhi(converted_1, params.line2_factor) + converted_1) >> (params.line2_shift & 31u);
    let converted_2 = i32(shifted_0);
    // kernels/divisor.go
    let difference_0 = greatest_0 - converted_2 * params.line2;
    // kernels/resize_kernel.go
    let chosen_4 = select(0, difference_0, converted_2 < offset_3);
    // kernels/resize_kernel.go
    let equal_0 = chosen_4 == 0;
    // kernels/resize_kernel.go
    let least_2 = min(converted_2, offset_3);
    let chosen_5 = select(converted_2 + 1, params.x_size2, equal_0);
    // kernels/resize_kernel.go
    let product_1 = f32(chosen_4) * params.reciprocal2;
    // kernels/resize_kernel.go
    let chosen_6 = select(f32(params.line2 - chosen_4) * params.reciprocal2, 1.0, equal_0);
    // kernels/resize_kernel.go
    let offset_4 = params.x_offset + out_start0 * params.x_stride0;
    let less = bitcast<u32>(out_start0) < bitcast<u32>(params.x_size0);
    let offset_5 = offset_4 + least_0.x * params.x_stride1;
    let bits = bitcast<u32>(params.x_size1);
    let both = less && bitcast<u32>(least_0.x) < bits;
    let bits_0 = bitcast<u32>(params.x_size2);
    let less_0 = bitcast<u32>(least_2) < bits_0;
    let in_bounds = both && less_0;
    let x_0 = select(0.0, x[select(0, offset_5 + least_2, in_bounds)], in_bounds);
    let offset_6 = offset_4 + least_0.y * params.x_stride1;
    let both_0 = less && bitcast<u32>(least_0.y) < bits;
    let in_bounds_0 = both_0 && less_0;
    let x_1 = select(0.0, x[select(0, offset_6 + least_2, in_bounds_0)], in_bounds_0);
    let lanes = vec2<f32>(x_0, x_1);
    // kernels/resize_kernel.go
    let product_2 = lanes * vec2<f32>(chosen_6);
    // kernels/resize_kernel.go
    let less_1 = bitcast<u32>(chosen_5) < bits_0;
    let in_bounds_1 = both && less_1;
    let x_2 = select(0.0, x[select(0, offset_5 + chosen_5, in_bounds_1)], in_bounds_1);
    let in_bounds_2 = both_0 && less_1;
    let x_3 = select(0.0, x[select(0, offset_6 + chosen_5, in_bounds_2)], in_bounds_2);
    let lanes_0 = vec2<f32>(x_2, x_3);
    // kernels/resize_kernel.go
    let fused = fma(lanes_0, vec2<f32>(product_1), product_2);
    // kernels/resize_kernel.go
    let product_3 = fused * chosen_3;
    // kernels/resize_kernel.go
    let offset_7 = offset_4 + chosen_2.x * params.x_stride1;
    let both_1 = less && bitcast<u32>(chosen_2.x) < bits;
    let in_bounds_3 = both_1 && less_0;
    let x_4 = select(0.0, x[select(0, offset_7 + least_2, in_bounds_3)], in_bounds_3);
    let offset_8 = offset_4 + chosen_2.y * params.x_stride1;
    let both_2 = less && bitcast<u32>(chosen_2.y) < bits;
    let in_bounds_4 = both_2 && less_0;
    let x_5 = select(0.0, x[select(0, offset_8 + least_2, in_bounds_4)], in_bounds_4);
    let lanes_1 = vec2<f32>(x_4, x_5);
    // kernels/resize_kernel.go
    let product_4 = lanes_1 * vec2<f32>(chosen_6);
    // kernels/resize_kernel.go
    let in_bounds_5 = both_1 && less_1;
    let x_6 = select(0.0, x[select(0, offset_7 + chosen_5, in_bounds_5)], in_bounds_5);
    let in_bounds_6 = both_2 && less_1;
    let x_7 = select(0.0, x[select(0, offset_8 + chosen_5, in_bounds_6)], in_bounds_6);
    let lanes_2 = vec2<f32>(x_6, x_7);
    // kernels/resize_kernel.go
    let fused_0 = fma(fma(lanes_2, vec2<f32>(product_1), product_4), product, product_3);
    // kernels/resize_kernel.go
    let offset_9 = params.out_offset + out_start0 * params.out_stride0 + out_start1 * params.out_stride1;
    let offset_10 = out_start2 + thread;
    let index = offset_9 + offset_10;
    let in_bounds_7 = bitcast<u32>(offset_10) < bitcast<u32>(params.out_size2);
    if (in_bounds_7) {
        out[index] = fused_0.x;
        out[index + params.out_stride1] = fused_0.y;
    }
}
