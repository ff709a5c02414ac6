@group(0) @binding(0) var<storage, read> x: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read> dy: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(2) var<storage, read> mean: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> variance: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> weight: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(5) var<storage, read> dot_0: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> total: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> out: array<vec4<u32>>; // f16, 2 in a word

struct Params {
    x_offset: i32,
    x_size0: i32,
    x_stride0: i32,
    dy_offset: i32,
    dy_size0: i32,
    dy_stride0: i32,
    mean_offset: i32,
    variance_offset: i32,
    weight_offset: i32,
    dot_offset: i32,
    total_offset: i32,
    out_offset: i32,
    out_size0: i32,
    out_size1: i32,
    out_stride0: i32,
    epsilon: f32,
    share: f32,
}
@group(0) @binding(8) var<uniform> params: Params;

fn unpack_f16_x4(words: vec2<u32>) -> vec4<f32> {
    return vec4<f32>(unpack2x16float(words.x), unpack2x16float(words.y));
}

// The bits of x rounded to f16, ties to even, infinite from 65520 on. A subnormal f16 counts in units of the
// last place of numbers from 0.5 to 1, to which adding 0.5 rounds it.
fn f16_bits_x4(x: vec4<f32>) -> vec4<u32> {
    let bits = bitcast<vec4<u32>>(x);
    let size = bits & vec4<u32>(0x7fffffffu);
    let normal = (size + vec4<u32>(0xc8000fffu) + ((size >> vec4<u32>(13u)) & vec4<u32>(1u))) >> vec4<u32>(13u);
    let subnormal = bitcast<vec4<u32>>(bitcast<vec4<f32>>(size) + vec4<f32>(0.5)) - vec4<u32>(0x3f000000u);
    let finite = select(min(normal, vec4<u32>(0x7c00u)), subnormal, size < vec4<u32>(0x38800000u));
    return ((bits >> vec4<u32>(16u)) & vec4<u32>(0x8000u)) | select(finite, vec4<u32>(0x7e00u), size > vec4<u32>(0x7f800000u));
}

fn pack_f16_x4(x: vec4<f32>) -> vec2<u32> {
    let bits = f16_bits_x4(x);
    return bits.xz | (bits.yw << vec2<u32>(16u));
}

@compute @workgroup_size(256, 1, 1)
fn batch_norm_grad_apply(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/batch_norm_kernel.go
    let quotient = (params.out_size1 + 63) / 64;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let quotient_0 = program / chosen;
    // kernels/batch_norm_kernel.go
    let mean_start1 = remainder * 64;
    let lane = (thread & 7) << 3u;
    let offset = mean_start1 + lane;
    let index = params.mean_offset + offset;
    let mean_0 = mean[index >> 2u];
    let mean_1 = mean[(index >> 2u) + 1];
    let index_0 = params.variance_offset + offset;
    let variance_0 = variance[index_0 >> 2u];
    let variance_1 = variance[(index_0 >> 2u) + 1];
    // kernels/batch_grad_kernel.go
    let inverse_root = inverseSqrt(variance_0 + vec4<f32>(params.epsilon));
    let inverse_root_0 = inverseSqrt(variance_1 + vec4<f32>(params.epsilon));
    // kernels/batch_norm_kernel.go
    let index_1 = params.dot_offset + offset;
    let dot_1 = dot_0[index_1 >> 2u];
    let dot_2 = dot_0[(index_1 >> 2u) + 1];
    let index_2 = params.total_offset + offset;
    let total_0 = total[index_2 >> 2u];
    let total_1 = total[(index_2 >> 2u) + 1];
    // kernels/batch_grad_kernel.go
    let product = total_0 * vec4<f32>(params.share);
    let product_0 = total_1 * vec4<f32>(params.share);
    let negated = -(dot_1 * vec4<f32>(params.share) * inverse_root);
    let negated_0 = -(dot_2 * vec4<f32>(params.share) * inverse_root_0);
    // kernels/batch_norm_kernel.go
    let weight_0 = weight[(params.weight_offset >> 3u) + (offset >> 3u)];
    let weight_1 = unpack_f16_x4(weight_0.xy);
    let weight_2 = unpack_f16_x4(weight_0.zw);
    // kernels/batch_grad_kernel.go
    let product_1 = inverse_root * weight_1;
    let product_2 = inverse_root_0 * weight_2;
    // kernels/batch_norm_kernel.go
    let offset_0 = quotient_0 * 8;
    // kernels/batch_norm_kernel.go
    let least = min(offset_0 + 8, (params.x_size0 + 31) / 32);
    // kernels/reduce_kernel.go
    let lane_0 = thread >> 3u;
    let bits = bitcast<u32>(params.x_size0);
    let bits_0 = bitcast<u32>(params.dy_size0);
    // kernels/batch_grad_kernel.go
    let bits_1 = bitcast<u32>(params.out_size0);
    // kernels/batch_norm_kernel.go
    for (var i: i32 = offset_0; i < least; i += 1) {
        // kernels/reduce_kernel.go
        let x_start0 = i * 32;
        let offset_1 = x_start0 + lane_0;
        let bits_2 = bitcast<u32>(x_start0);
        let in_bounds = bits_2 < bits;
        let x_0 = select(vec4<u32>(0u), x[select(0, ((params.x_offset + offset_1 * params.x_stride0) >> 3u) + (offset >> 3u), in_bounds)], in_bounds);
        let x_1 = unpack_f16_x4(x_0.xy);
        let x_2 = unpack_f16_x4(x_0.zw);
        let in_bounds_0 = bits_2 < bits_0;
        let dy_0 = select(vec4<u32>(0u), dy[select(0, ((params.dy_offset + offset_1 * params.dy_stride0) >> 3u) + (offset >> 3u), in_bounds_0)], in_bounds_0);
        let dy_1 = unpack_f16_x4(dy_0.xy);
        let dy_2 = unpack_f16_x4(dy_0.zw);
        // kernels/batch_grad_kernel.go
        let difference = x_1 - mean_0;
        let difference_0 = x_2 - mean_1;
        // kernels/batch_grad_kernel.go
        let product_3 = fma(difference, negated, dy_1 - product) * product_1;
        let product_4 = fma(difference_0, negated_0, dy_2 - product_0) * product_2;
        // kernels/batch_grad_kernel.go
        let value = pack_f16_x4(product_3);
        let value_0 = pack_f16_x4(product_4);
        if (bits_2 < bits_1) {
            out[((params.out_offset + offset_1 * params.out_stride0) >> 3u) + (offset >> 3u)] = vec4<u32>(value.x, value.y, value_0.x, value_0.y);
        }
    }
}
