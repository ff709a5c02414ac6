@group(0) @binding(0) var<storage, read_write> out: array<vec4<f32>>;

struct Params {
    out_offset: i32,
    out_size0: i32,
    key0: u32,
    key1: u32,
    first0: u32,
    first1: u32,
}
@group(0) @binding(1) var<uniform> params: Params;

// The high 32 bits of x * y, from products of 16 bits.
fn mulhi(x: u32, y: u32) -> u32 {
    let low = x & 0xffffu;
    let high = x >> 16u;
    let first = high * (y & 0xffffu) + ((low * (y & 0xffffu)) >> 16u);
    let second = low * (y >> 16u) + (first & 0xffffu);
    return high * (y >> 16u) + (first >> 16u) + (second >> 16u);
}

@compute @workgroup_size(128, 1, 1)
fn normal(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // random.go:36
    let offset = program * 256;
    // philox.go:59
    let sum = u32(thread + offset) + params.first0;
    let sum_0 = u32(thread + 128 + offset) + params.first0;
    // philox.go:60
    let chosen = select(0u, 1u, sum < params.first0);
    let chosen_0 = select(0u, 1u, sum_0 < params.first0);
    // philox.go:62
    let sum_1 = chosen + params.first1;
    let sum_2 = chosen_0 + params.first1;
    // philox.go:24
    let changed = sum_1 ^ params.key0;
    let changed_0 = sum_2 ^ params.key0;
    // philox.go:25
    let changed_1 = mulhi(sum, 3528531795u) ^ params.key1;
    let changed_2 = mulhi(sum_0, 3528531795u) ^ params.key1;
    // philox.go:21
    let sum_3 = params.key0 + 2654435769u;
    let sum_4 = params.key1 + 3144134277u;
    // philox.go:24
    let changed_3 = mulhi(changed_1, 3449720151u) ^ sum_3;
    let changed_4 = mulhi(changed_2, 3449720151u) ^ sum_3;
    // philox.go:25
    let changed_5 = mulhi(changed, 3528531795u) ^ (sum * 3528531795u) ^ sum_4;
    let changed_6 = mulhi(changed_0, 3528531795u) ^ (sum_0 * 3528531795u) ^ sum_4;
    // philox.go:21
    let sum_5 = params.key0 + 1013904242u;
    let sum_6 = params.key1 + 1993301258u;
    // philox.go:24
    let changed_7 = mulhi(changed_5, 3449720151u) ^ (changed_1 * 3449720151u) ^ sum_5;
    let changed_8 = mulhi(changed_6, 3449720151u) ^ (changed_2 * 3449720151u) ^ sum_5;
    // philox.go:25
    let changed_9 = mulhi(changed_3, 3528531795u) ^ (changed * 3528531795u) ^ sum_6;
    let changed_10 = mulhi(changed_4, 3528531795u) ^ (changed_0 * 3528531795u) ^ sum_6;
    // philox.go:21
    let sum_7 = params.key0 + 3668340011u;
    let sum_8 = params.key1 + 842468239u;
    // philox.go:24
    let changed_11 = mulhi(changed_9, 3449720151u) ^ (changed_5 * 3449720151u) ^ sum_7;
    let changed_12 = mulhi(changed_10, 3449720151u) ^ (changed_6 * 3449720151u) ^ sum_7;
    // philox.go:25
    let changed_13 = mulhi(changed_7, 3528531795u) ^ (changed_3 * 3528531795u) ^ sum_8;
    let changed_14 = mulhi(changed_8, 3528531795u) ^ (changed_4 * 3528531795u) ^ sum_8;
    // philox.go:21
    let sum_9 = params.key0 + 2027808484u;
    let sum_10 = params.key1 + 3986602516u;
    // philox.go:24
    let changed_15 = mulhi(changed_13, 3449720151u) ^ (changed_9 * 3449720151u) ^ sum_9;
    let changed_16 = mulhi(changed_14, 3449720151u) ^ (changed_10 * 3449720151u) ^ sum_9;
    // philox.go:25
    let changed_17 = mulhi(changed_11, 3528531795u) ^ (changed_7 * 3528531795u) ^ sum_10;
    let changed_18 = mulhi(changed_12, 3528531795u) ^ (changed_8 * 3528531795u) ^ sum_10;
    // philox.go:21
    let sum_11 = params.key0 + 387276957u;
    let sum_12 = params.key1 + 2835769497u;
    // philox.go:24
    let changed_19 = mulhi(changed_17, 3449720151u) ^ (changed_13 * 3449720151u) ^ sum_11;
    let changed_20 = mulhi(changed_18, 3449720151u) ^ (changed_14 * 3449720151u) ^ sum_11;
    // philox.go:25
    let changed_21 = mulhi(changed_15, 3528531795u) ^ (changed_11 * 3528531795u) ^ sum_12;
    let changed_22 = mulhi(changed_16, 3528531795u) ^ (changed_12 * 3528531795u) ^ sum_12;
    // philox.go:21
    let sum_13 = params.key0 + 3041712726u;
    let sum_14 = params.key1 + 1684936478u;
    // philox.go:24
    let changed_23 = mulhi(changed_21, 3449720151u) ^ (changed_17 * 3449720151u) ^ sum_13;
    let changed_24 = mulhi(changed_22, 3449720151u) ^ (changed_18 * 3449720151u) ^ sum_13;
    // philox.go:25
    let changed_25 = mulhi(changed_19, 3528531795u) ^ (changed_15 * 3528531795u) ^ sum_14;
    let changed_26 = mulhi(changed_20, 3528531795u) ^ (changed_16 * 3528531795u) ^ sum_14;
    // philox.go:21
    let sum_15 = params.key0 + 1401181199u;
    let sum_16 = params.key1 + 534103459u;
    // philox.go:24
    let changed_27 = mulhi(changed_25, 3449720151u) ^ (changed_21 * 3449720151u) ^ sum_15;
    let changed_28 = mulhi(changed_26, 3449720151u) ^ (changed_22 * 3449720151u) ^ sum_15;
    // philox.go:25
    let changed_29 = mulhi(changed_23, 3528531795u) ^ (changed_19 * 3528531795u) ^ sum_16;
    let changed_30 = mulhi(changed_24, 3528531795u) ^ (changed_20 * 3528531795u) ^ sum_16;
    // philox.go:21
    let sum_17 = params.key0 + 4055616968u;
    let sum_18 = params.key1 + 3678237736u;
    // philox.go:24
    let changed_31 = mulhi(changed_29, 3449720151u) ^ (changed_25 * 3449720151u) ^ sum_17;
    let changed_32 = mulhi(changed_30, 3449720151u) ^ (changed_26 * 3449720151u) ^ sum_17;
    // philox.go:25
    let changed_33 = mulhi(changed_27, 3528531795u) ^ (changed_23 * 3528531795u) ^ sum_18;
    let changed_34 = mulhi(changed_28, 3528531795u) ^ (changed_24 * 3528531795u) ^ sum_18;
    // philox.go:21
    let sum_19 = params.key0 + 2415085441u;
    let sum_20 = params.key1 + 2527404717u;
    // philox.go:24
    let changed_35 = mulhi(changed_33, 3449720151u) ^ (changed_29 * 3449720151u) ^ sum_19;
    let changed_36 = mulhi(changed_34, 3449720151u) ^ (changed_30 * 3449720151u) ^ sum_19;
    let product = changed_33 * 3449720151u;
    let product_0 = changed_34 * 3449720151u;
    // philox.go:25
    let changed_37 = mulhi(changed_31, 3528531795u) ^ (changed_27 * 3528531795u) ^ sum_20;
    let changed_38 = mulhi(changed_32, 3528531795u) ^ (changed_28 * 3528531795u) ^ sum_20;
    let product_1 = changed_31 * 3528531795u;
    let product_2 = changed_32 * 3528531795u;
    // random.go:56
    let value = 8u;
    let both = value & 31u;
    let product_3 = f32((changed_35 >> both) + 1u) * 5.9604645e-08;
    let product_4 = f32((changed_36 >> both) + 1u) * 5.9604645e-08;
    // random.go:57
    let root = sqrt(max(log(product_3) * -2.0, 0.0));
    let root_0 = sqrt(max(log(product_4) * -2.0, 0.0));
    // random.go:58
    let difference = f32(product >> both) * 5.9604645e-08 - 0.5;
    let difference_0 = f32(product_0 >> both) * 5.9604645e-08 - 0.5;
    // random.go:59
    let product_5 = difference * 6.2831855;
    let product_6 = difference_0 * 6.2831855;
    // random.go:60
    let product_7 = root * cos(product_5);
    let product_8 = root_0 * cos(product_6);
    let product_9 = root * sin(product_5);
    let product_10 = root_0 * sin(product_6);
    // random.go:56
    let product_11 = f32((changed_37 >> both) + 1u) * 5.9604645e-08;
    let product_12 = f32((changed_38 >> both) + 1u) * 5.9604645e-08;
    // random.go:57
    let root_1 = sqrt(max(log(product_11) * -2.0, 0.0));
    let root_2 = sqrt(max(log(product_12) * -2.0, 0.0));
    // random.go:58
    let difference_1 = f32(product_1 >> both) * 5.9604645e-08 - 0.5;
    let difference_2 = f32(product_2 >> both) * 5.9604645e-08 - 0.5;
    // random.go:59
    let product_13 = difference_1 * 6.2831855;
    let product_14 = difference_2 * 6.2831855;
    // random.go:60
    let product_15 = root_1 * cos(product_13);
    let product_16 = root_2 * cos(product_14);
    let product_17 = root_1 * sin(product_13);
    let product_18 = root_2 * sin(product_14);
    // philox.go:69
    let lanes = vec4<f32>(product_7, product_9, product_15, product_17);
    let lanes_0 = vec4<f32>(product_8, product_10, product_16, product_18);
    // random.go:37
    let out_start0 = program * 1024;
    let lane = thread << 2u;
    let offset_0 = out_start0 + lane;
    let index = params.out_offset + offset_0;
    let bits = bitcast<u32>(params.out_size0);
    if (bitcast<u32>(offset_0) < bits) {
        out[index >> 2u] = lanes;
    }
    if (bitcast<u32>(offset_0 + 512) < bits) {
        out[(index >> 2u) + 128] = lanes_0;
    }
}
