@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> out: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> mask: array<u32>; // bool, 4 in a word

struct Params {
    x_offset: i32,
    x_size0: i32,
    out_offset: i32,
    out_size0: i32,
    mask_offset: i32,
    mask_size0: i32,
    key0: u32,
    key1: u32,
    first0: u32,
    first1: u32,
    threshold: u32,
    scale: f32,
}
@group(0) @binding(3) var<uniform> params: Params;

// The high 32 bits of x * y, from products of 16 bits.
fn mulhi(x: u32, y: u32) -> u32 {
    let low = x & 0xffffu;
    let high = x >> 16u;
    let first = high * (y & 0xffffu) + ((low * (y & 0xffffu)) >> 16u);
    let second = low * (y >> 16u) + (first & 0xffffu);
    return high * (y >> 16u) + (first >> 16u) + (second >> 16u);
}

fn pack_u8_x4(x: vec4<u32>) -> u32 {
    let bytes = (x & vec4<u32>(0xffu)) << vec4<u32>(0u, 8u, 16u, 24u);
    return bytes.x | bytes.y | bytes.z | bytes.w;
}

@compute @workgroup_size(128, 1, 1)
fn dropout(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/dropout_kernel.go
    let offset = program * 256;
    // kernels/philox.go
    let sum = u32(thread + offset) + params.first0;
    let sum_0 = u32(thread + 128 + offset) + params.first0;
    // kernels/philox.go
    let chosen = select(0u, 1u, sum < params.first0);
    let chosen_0 = select(0u, 1u, sum_0 < params.first0);
    // kernels/philox.go
    let sum_1 = chosen + params.first1;
    let sum_2 = chosen_0 + params.first1;
    // kernels/philox.go
    let changed = sum_1 ^ params.key0;
    let changed_0 = sum_2 ^ params.key0;
    // kernels/philox.go
    let changed_1 = mulhi(sum, 3528531795u) ^ params.key1;
    let changed_2 = mulhi(sum_0, 3528531795u) ^ params.key1;
    // kernels/philox.go
    let sum_3 = params.key0 + 2654435769u;
    let sum_4 = params.key1 + 3144134277u;
    // kernels/philox.go
    let changed_3 = mulhi(changed_1, 3449720151u) ^ sum_3;
    let changed_4 = mulhi(changed_2, 3449720151u) ^ sum_3;
    // kernels/philox.go
    let changed_5 = mulhi(changed, 3528531795u) ^ (sum * 3528531795u) ^ sum_4;
    let changed_6 = mulhi(changed_0, 3528531795u) ^ (sum_0 * 3528531795u) ^ sum_4;
    // kernels/philox.go
    let sum_5 = params.key0 + 1013904242u;
    let sum_6 = params.key1 + 1993301258u;
    // kernels/philox.go
    let changed_7 = mulhi(changed_5, 3449720151u) ^ (changed_1 * 3449720151u) ^ sum_5;
    let changed_8 = mulhi(changed_6, 3449720151u) ^ (changed_2 * 3449720151u) ^ sum_5;
    // kernels/philox.go
    let changed_9 = mulhi(changed_3, 3528531795u) ^ (changed * 3528531795u) ^ sum_6;
    let changed_10 = mulhi(changed_4, 3528531795u) ^ (changed_0 * 3528531795u) ^ sum_6;
    // kernels/philox.go
    let sum_7 = params.key0 + 3668340011u;
    let sum_8 = params.key1 + 842468239u;
    // kernels/philox.go
    let changed_11 = mulhi(changed_9, 3449720151u) ^ (changed_5 * 3449720151u) ^ sum_7;
    let changed_12 = mulhi(changed_10, 3449720151u) ^ (changed_6 * 3449720151u) ^ sum_7;
    // kernels/philox.go
    let changed_13 = mulhi(changed_7, 3528531795u) ^ (changed_3 * 3528531795u) ^ sum_8;
    let changed_14 = mulhi(changed_8, 3528531795u) ^ (changed_4 * 3528531795u) ^ sum_8;
    // kernels/philox.go
    let sum_9 = params.key0 + 2027808484u;
    let sum_10 = params.key1 + 3986602516u;
    // kernels/philox.go
    let changed_15 = mulhi(changed_13, 3449720151u) ^ (changed_9 * 3449720151u) ^ sum_9;
    let changed_16 = mulhi(changed_14, 3449720151u) ^ (changed_10 * 3449720151u) ^ sum_9;
    // kernels/philox.go
    let changed_17 = mulhi(changed_11, 3528531795u) ^ (changed_7 * 3528531795u) ^ sum_10;
    let changed_18 = mulhi(changed_12, 3528531795u) ^ (changed_8 * 3528531795u) ^ sum_10;
    // kernels/philox.go
    let sum_11 = params.key0 + 387276957u;
    let sum_12 = params.key1 + 2835769497u;
    // kernels/philox.go
    let changed_19 = mulhi(changed_17, 3449720151u) ^ (changed_13 * 3449720151u) ^ sum_11;
    let changed_20 = mulhi(changed_18, 3449720151u) ^ (changed_14 * 3449720151u) ^ sum_11;
    // kernels/philox.go
    let changed_21 = mulhi(changed_15, 3528531795u) ^ (changed_11 * 3528531795u) ^ sum_12;
    let changed_22 = mulhi(changed_16, 3528531795u) ^ (changed_12 * 3528531795u) ^ sum_12;
    // kernels/philox.go
    let sum_13 = params.key0 + 3041712726u;
    let sum_14 = params.key1 + 1684936478u;
    // kernels/philox.go
    let changed_23 = mulhi(changed_21, 3449720151u) ^ (changed_17 * 3449720151u) ^ sum_13;
    let changed_24 = mulhi(changed_22, 3449720151u) ^ (changed_18 * 3449720151u) ^ sum_13;
    // kernels/philox.go
    let changed_25 = mulhi(changed_19, 3528531795u) ^ (changed_15 * 3528531795u) ^ sum_14;
    let changed_26 = mulhi(changed_20, 3528531795u) ^ (changed_16 * 3528531795u) ^ sum_14;
    // kernels/philox.go
    let sum_15 = params.key0 + 1401181199u;
    let sum_16 = params.key1 + 534103459u;
    // kernels/philox.go
    let changed_27 = mulhi(changed_25, 3449720151u) ^ (changed_21 * 3449720151u) ^ sum_15;
    let changed_28 = mulhi(changed_26, 3449720151u) ^ (changed_22 * 3449720151u) ^ sum_15;
    // kernels/philox.go
    let changed_29 = mulhi(changed_23, 3528531795u) ^ (changed_19 * 3528531795u) ^ sum_16;
    let changed_30 = mulhi(changed_24, 3528531795u) ^ (changed_20 * 3528531795u) ^ sum_16;
    // kernels/philox.go
    let sum_17 = params.key0 + 4055616968u;
    let sum_18 = params.key1 + 3678237736u;
    // kernels/philox.go
    let changed_31 = mulhi(changed_29, 3449720151u) ^ (changed_25 * 3449720151u) ^ sum_17;
    let changed_32 = mulhi(changed_30, 3449720151u) ^ (changed_26 * 3449720151u) ^ sum_17;
    // kernels/philox.go
    let changed_33 = mulhi(changed_27, 3528531795u) ^ (changed_23 * 3528531795u) ^ sum_18;
    let changed_34 = mulhi(changed_28, 3528531795u) ^ (changed_24 * 3528531795u) ^ sum_18;
    // kernels/philox.go
    let sum_19 = params.key0 + 2415085441u;
    let sum_20 = params.key1 + 2527404717u;
    // kernels/philox.go
    let changed_35 = mulhi(changed_33, 3449720151u) ^ (changed_29 * 3449720151u) ^ sum_19;
    let changed_36 = mulhi(changed_34, 3449720151u) ^ (changed_30 * 3449720151u) ^ sum_19;
    let product = changed_33 * 3449720151u;
    let product_0 = changed_34 * 3449720151u;
    // kernels/philox.go
    let changed_37 = mulhi(changed_31, 3528531795u) ^ (changed_27 * 3528531795u) ^ sum_20;
    let changed_38 = mulhi(changed_32, 3528531795u) ^ (changed_28 * 3528531795u) ^ sum_20;
    let product_1 = changed_31 * 3528531795u;
    let product_2 = changed_32 * 3528531795u;
    // kernels/philox.go
    let lanes = vec4<u32>(changed_35, product, changed_37, product_1);
    let lanes_0 = vec4<u32>(changed_36, product_0, changed_38, product_2);
    // kernels/dropout_kernel.go
    let at_least = lanes >= vec4<u32>(params.threshold);
    let at_least_0 = lanes_0 >= vec4<u32>(params.threshold);
    // kernels/dropout_kernel.go
    let x_start0 = program * 1024;
    let lane = thread << 2u;
    let offset_0 = x_start0 + lane;
    let index = params.x_offset + offset_0;
    let bits = bitcast<u32>(offset_0);
    let bits_0 = bitcast<u32>(params.x_size0);
    let in_bounds = bits < bits_0;
    let x_0 = select(vec4<f32>(0.0), x[select(0, index >> 2u, in_bounds)], in_bounds);
    let bits_1 = bitcast<u32>(offset_0 + 512);
    let in_bounds_0 = bits_1 < bits_0;
    let x_1 = select(vec4<f32>(0.0), x[select(0, (index >> 2u) + 128, in_bounds_0)], in_bounds_0);
    let product_3 = x_0 * vec4<f32>(params.scale);
    let product_4 = x_1 * vec4<f32>(params.scale);
    // kernels/dropout_kernel.go
    let index_0 = params.out_offset + offset_0;
    let bits_2 = bitcast<u32>(params.out_size0);
    if (bits < bits_2) {
        out[index_0 >> 2u] = select(vec4<f32>(0.0), product_3, at_least);
    }
    if (bits_1 < bits_2) {
        out[(index_0 >> 2u) + 128] = select(vec4<f32>(0.0), product_4, at_least_0);
    }
    // kernels/dropout_kernel.go
    let index_1 = params.mask_offset + offset_0;
    let bits_3 = bitcast<u32>(params.mask_size0);
    if (bits < bits_3) {
        mask[index_1 >> 2u] = pack_u8_x4(vec4<u32>(at_least));
    }
    if (bits_1 < bits_3) {
        mask[(index_1 >> 2u) + 128] = pack_u8_x4(vec4<u32>(at_least_0));
    }
}
