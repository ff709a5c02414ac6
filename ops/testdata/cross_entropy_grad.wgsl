@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>; // bf16, 2 in a word
@group(0) @binding(1) var<storage, read> targets: array<i32>;
@group(0) @binding(2) var<storage, read> log_sum: array<f32>;
@group(0) @binding(3) var<storage, read> dy: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<vec4<u32>>; // bf16, 2 in a word

struct Params {
    x_offset: i32,
    x_size0: i32,
    x_size1: i32,
    x_stride0: i32,
    targets_offset: i32,
    targets_size0: i32,
    targets_size1: i32,
    log_sum_offset: i32,
    log_sum_size0: i32,
    log_sum_size1: i32,
    dy_offset: i32,
    dy_size0: i32,
    dy_size1: i32,
    out_offset: i32,
    out_size1: i32,
    out_stride0: i32,
    ignore: i32,
}
@group(0) @binding(5) var<uniform> params: Params;

// Numbers that WGSL does not allow as constants.
fn f32_from_bits(bits: u32) -> f32 {
    return bitcast<f32>(bits);
}

fn unpack_bf16_x2(word: u32) -> vec2<f32> {
    return bitcast<vec2<f32>>(vec2<u32>(word << 16u, word & 0xffff0000u));
}

fn unpack_bf16_x4(words: vec2<u32>) -> vec4<f32> {
    return vec4<f32>(unpack_bf16_x2(words.x), unpack_bf16_x2(words.y));
}

// Holds for NaN also where the device assumes that there is none.
fn is_nan_x4(x: vec4<f32>) -> vec4<bool> {
    return (bitcast<vec4<u32>>(x) & vec4<u32>(0x7fffffffu)) > vec4<u32>(0x7f800000u);
}

// The bits of x rounded to bf16, ties to even.
fn bf16_bits_x4(x: vec4<f32>) -> vec4<u32> {
    let bits = bitcast<vec4<u32>>(x);
    let rounded = (bits + vec4<u32>(0x7fffu) + ((bits >> vec4<u32>(16u)) & vec4<u32>(1u))) >> vec4<u32>(16u);
    return select(rounded, (bits >> vec4<u32>(16u)) | vec4<u32>(0x40u), is_nan_x4(x));
}

fn pack_bf16_x4(x: vec4<f32>) -> vec2<u32> {
    let bits = bf16_bits_x4(x);
    return bits.xz | (bits.yw << vec2<u32>(16u));
}

@compute @workgroup_size(256, 1, 1)
fn cross_entropy_grad(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/loss_grad_kernel.go
    let quotient = (params.out_size1 + 4095) / 4096;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let targets_start0 = program / chosen;
    // kernels/loss_kernel.go
    let bits = bitcast<u32>(targets_start0);
    let in_bounds = bits < bitcast<u32>(params.targets_size0) && 0u < bitcast<u32>(params.targets_size1);
    let targets_0 = select(0, targets[select(0, params.targets_offset + targets_start0, in_bounds)], in_bounds);
    // kernels/loss_kernel.go
    let equal = targets_0 == params.ignore;
    // kernels/loss_kernel.go
    let both = targets_0 >= 0 && targets_0 < params.out_size1;
    // kernels/loss_grad_kernel.go
    let in_bounds_0 = bits < bitcast<u32>(params.dy_size0) && 0u < bitcast<u32>(params.dy_size1);
    let dy_0 = select(0.0, dy[select(0, params.dy_offset + targets_start0, in_bounds_0)], in_bounds_0);
    // kernels/reduce_kernel.go
    let lane = thread << 3u;
    let lanes = vec4<i32>(lane, lane + 1, lane + 2, lane + 3);
    let lanes_0 = vec4<i32>(lane + 4, lane + 5, lane + 6, lane + 7);
    let lanes_1 = vec4<i32>(lane + 2048, lane + 2049, lane + 2050, lane + 2051);
    let lanes_2 = vec4<i32>(lane + 2052, lane + 2053, lane + 2054, lane + 2055);
    // kernels/reduce_kernel.go
    let x_start1 = remainder * 4096;
    let offset = lanes + vec4<i32>(x_start1);
    let offset_0 = lanes_0 + vec4<i32>(x_start1);
    let offset_1 = lanes_1 + vec4<i32>(x_start1);
    let offset_2 = lanes_2 + vec4<i32>(x_start1);
    // kernels/loss_grad_kernel.go
    let equal_0 = offset == vec4<i32>(targets_0);
    let equal_1 = offset_0 == vec4<i32>(targets_0);
    let equal_2 = offset_1 == vec4<i32>(targets_0);
    let equal_3 = offset_2 == vec4<i32>(targets_0);
    // kernels/loss_grad_kernel.go
    let lanes_3 = vec4<f32>(select(f32_from_bits(0x7fc00000u), 0.0, both));
    let chosen_0 = select(lanes_3, vec4<f32>(dy_0), equal_0);
    let chosen_1 = select(lanes_3, vec4<f32>(dy_0), equal_1);
    let chosen_2 = select(lanes_3, vec4<f32>(dy_0), equal_2);
    let chosen_3 = select(lanes_3, vec4<f32>(dy_0), equal_3);
    // kernels/loss_grad_kernel.go
    let negated = -chosen_0;
    let negated_0 = -chosen_1;
    let negated_1 = -chosen_2;
    let negated_2 = -chosen_3;
    // kernels/reduce_kernel.go
    let less = bits < bitcast<u32>(params.x_size0);
    let offset_3 = x_start1 + lane;
    let index = params.x_offset + targets_start0 * params.x_stride0 + offset_3;
    let bits_0 = bitcast<u32>(offset_3);
    let bits_1 = bitcast<u32>(params.x_size1);
    let in_bounds_1 = less && bits_0 < bits_1;
    let x_0 = select(vec4<u32>(0u), x[select(0, index >> 3u, in_bounds_1)], in_bounds_1);
    let x_1 = unpack_bf16_x4(x_0.xy);
    let x_2 = unpack_bf16_x4(x_0.zw);
    let bits_2 = bitcast<u32>(offset_3 + 2048);
    let in_bounds_2 = less && bits_2 < bits_1;
    let x_3 = select(vec4<u32>(0u), x[select(0, (index >> 3u) + 256, in_bounds_2)], in_bounds_2);
    let x_4 = unpack_bf16_x4(x_3.xy);
    let x_5 = unpack_bf16_x4(x_3.zw);
    // kernels/loss_grad_kernel.go
    let in_bounds_3 = bits < bitcast<u32>(params.log_sum_size0) && 0u < bitcast<u32>(params.log_sum_size1);
    let log_sum_0 = select(0.0, log_sum[select(0, params.log_sum_offset + targets_start0, in_bounds_3)], in_bounds_3);
    // kernels/loss_grad_kernel.go
    let difference = x_1 - vec4<f32>(log_sum_0);
    let difference_0 = x_2 - vec4<f32>(log_sum_0);
    let difference_1 = x_4 - vec4<f32>(log_sum_0);
    let difference_2 = x_5 - vec4<f32>(log_sum_0);
    // kernels/loss_kernel.go
    let power = exp2(difference * vec4<f32>(1.442695));
    let power_0 = exp2(difference_0 * vec4<f32>(1.442695));
    let power_1 = exp2(difference_1 * vec4<f32>(1.442695));
    let power_2 = exp2(difference_2 * vec4<f32>(1.442695));
    // kernels/loss_grad_kernel.go
    let fused = fma(power, vec4<f32>(dy_0), negated);
    let fused_0 = fma(power_0, vec4<f32>(dy_0), negated_0);
    let fused_1 = fma(power_1, vec4<f32>(dy_0), negated_1);
    let fused_2 = fma(power_2, vec4<f32>(dy_0), negated_2);
    // kernels/loss_grad_kernel.go
    let chosen_4 = select(fused, vec4<f32>(0.0), vec4<bool>(equal));
    let chosen_5 = select(fused_0, vec4<f32>(0.0), vec4<bool>(equal));
    let chosen_6 = select(fused_1, vec4<f32>(0.0), vec4<bool>(equal));
    let chosen_7 = select(fused_2, vec4<f32>(0.0), vec4<bool>(equal));
    // kernels/loss_grad_kernel.go
    let index_0 = params.out_offset + targets_start0 * params.out_stride0 + offset_3;
    let bits_3 = bitcast<u32>(params.out_size1);
    let value = pack_bf16_x4(chosen_4);
    let value_0 = pack_bf16_x4(chosen_5);
    if (bits_0 < bits_3) {
        out[index_0 >> 3u] = vec4<u32>(value.x, value.y, value_0.x, value_0.y);
    }
    let value_1 = pack_bf16_x4(chosen_6);
    let value_2 = pack_bf16_x4(chosen_7);
    if (bits_2 < bits_3) {
        out[(index_0 >> 3u) + 256] = vec4<u32>(value_1.x, value_1.y, value_2.x, value_2.y);
    }
}
