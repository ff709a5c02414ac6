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
    let quotient = (params.out_size2 + 127) / 128;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let quotient_0 = program / chosen;
    let chosen_0 = select(params.out_size1, 1, params.out_size1 == 0);
    let out_start1 = quotient_0 % chosen_0;
    let quotient_1 = quotient_0 / chosen_0;
    // kernels/resize_kernel.go
    let out_start0 = quotient_1 * 2;
    let offset = vec2<i32>(0, 1) + vec2<i32>(out_start0);
    // kernels/resize_kernel.go
    let offset_0 = params.x_size0 + -1;
    // kernels/resize_kernel.go
    let least = min(offset, vec2<i32>(offset_0));
    // kernels/resize_kernel.go
    let least_0 = min(out_start1, params.out_size1 + -1);
    // kernels/resize_kernel.go
    let offset_1 = params.x_size1 + -1;
    // kernels/resize_line.go
    let greatest = max(least_0 * params.line1_mul + params.line1_add, 0);
    // kernels/divisor.go
    let converted = u32(greatest);
    // kernels/divisor.go
    let shifted = (mulhi(converted, params.line1_factor) + converted) >> (params.line1_shift & 31u);
    let converted_0 = i32(shifted);
    // kernels/divisor.go
    let difference = greatest - converted_0 * params.line1;
    // kernels/resize_kernel.go
    let chosen_1 = select(0, difference, converted_0 < offset_1);
    // kernels/resize_kernel.go
    let equal = chosen_1 == 0;
    // kernels/resize_kernel.go
    let product = f32(chosen_1) * params.reciprocal1;
    // kernels/resize_kernel.go
    let difference_0 = params.line1 - chosen_1;
    // kernels/resize_kernel.go
    let product_0 = f32(difference_0) * params.reciprocal1;
    // kernels/resize_kernel.go
    let least_1 = min(max(converted_0 + select(0, 0, equal), 0), offset_1);
    // kernels/resize_kernel.go
    let chosen_2 = select(product_0, 0.5, equal);
    // kernels/resize_kernel.go
    let least_2 = min(max(converted_0 + select(1, 0, equal), 0), offset_1);
    // kernels/resize_kernel.go
    let chosen_3 = select(product, 0.5, equal);
    // kernels/resize_kernel.go
    let out_start2 = remainder * 128;
    let offset_2 = thread + out_start2;
    // kernels/resize_kernel.go
    let least_3 = min(offset_2, params.out_size2 + -1);
    // kernels/resize_kernel.go
    let offset_3 = params.x_size2 + -1;
    // kernels/resize_line.go
    let greatest_0 = max(least_3 * params.line2_mul + params.line2_add, 0);
    // kernels/divisor.go
    let converted_1 = u32(greatest_0);
    // kernels/divisor.go
    let shifted_0 = (mulhi(converted_1, params.line2_factor) + converted_1) >> (params.line2_shift & 31u);
    let converted_2 = i32(shifted_0);
    // kernels/divisor.go
    let difference_1 = greatest_0 - converted_2 * params.line2;
    // kernels/resize_kernel.go
    let chosen_4 = select(0, difference_1, converted_2 < offset_3);
    // kernels/resize_kernel.go
    let equal_0 = chosen_4 == 0;
    // kernels/resize_kernel.go
    let product_1 = f32(chosen_4) * params.reciprocal2;
    // kernels/resize_kernel.go
    let difference_2 = params.line2 - chosen_4;
    // kernels/resize_kernel.go
    let product_2 = f32(difference_2) * params.reciprocal2;
    // kernels/resize_kernel.go
    let least_4 = min(max(converted_2 + select(0, 0, equal_0), 0), offset_3);
    // kernels/resize_kernel.go
    let chosen_5 = select(product_2, 0.5, equal_0);
    // kernels/resize_kernel.go
    let least_5 = min(max(converted_2 + select(1, 0, equal_0), 0), offset_3);
    // kernels/resize_kernel.go
    let chosen_6 = select(product_1, 0.5, equal_0);
    // kernels/resize_kernel.go
    let offset_4 = params.x_offset + least.x * params.x_stride0;
    let offset_5 = least_1 * params.x_stride1;
    let offset_6 = offset_4 + offset_5;
    let x_0 = x[offset_6 + least_4];
    let offset_7 = params.x_offset + least.y * params.x_stride0;
    let offset_8 = offset_7 + offset_5;
    let x_1 = x[offset_8 + least_4];
    let lanes = vec2<f32>(x_0, x_1);
    // kernels/resize_kernel.go
    let product_3 = lanes * vec2<f32>(chosen_5);
    // kernels/resize_kernel.go
    let x_2 = x[offset_6 + least_5];
    let x_3 = x[offset_8 + least_5];
    let lanes_0 = vec2<f32>(x_2, x_3);
    // kernels/resize_kernel.go
    let fused = fma(lanes_0, vec2<f32>(chosen_6), product_3);
    // kernels/resize_kernel.go
    let product_4 = fused * vec2<f32>(chosen_2);
    // kernels/resize_kernel.go
    let offset_9 = least_2 * params.x_stride1;
    let offset_10 = offset_4 + offset_9;
    let x_4 = x[offset_10 + least_4];
    let offset_11 = offset_7 + offset_9;
    let x_5 = x[offset_11 + least_4];
    let lanes_1 = vec2<f32>(x_4, x_5);
    // kernels/resize_kernel.go
    let product_5 = lanes_1 * vec2<f32>(chosen_5);
    // kernels/resize_kernel.go
    let x_6 = x[offset_10 + least_5];
    let x_7 = x[offset_11 + least_5];
    let lanes_2 = vec2<f32>(x_6, x_7);
    // kernels/resize_kernel.go
    let fused_0 = fma(fma(lanes_2, vec2<f32>(chosen_6), product_5), vec2<f32>(chosen_3), product_4);
    // kernels/resize_kernel.go
    let offset_12 = params.out_offset + out_start0 * params.out_stride0 + out_start1 * params.out_stride1;
    let offset_13 = out_start2 + thread;
    let index = offset_12 + offset_13;
    let in_bounds = bitcast<u32>(offset_13) < bitcast<u32>(params.out_size2);
    if (in_bounds) {
        out[index] = fused_0.x;
        out[index + params.out_stride0] = fused_0.y;
    }
}
