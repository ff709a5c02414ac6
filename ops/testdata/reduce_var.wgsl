@group(0) @binding(0) var<storage, read> x: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
var<workgroup> parts: array<f32, 256>; // reduce_states.go:130: partial results of reduce.sum
var<workgroup> parts_0: array<f32, 16>; // reduce_states.go:130: partial results of reduce.sum

struct Params {
    x_offset: i32,
    x_size0: i32,
    x_size1: i32,
    x_stride0: i32,
    out_offset: i32,
    out_size0: i32,
    out_size1: i32,
    divisor: f32,
}
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(256, 1, 1)
fn reduce(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // reduce_kernel.go:197
    let bits = bitcast<u32>(program);
    let less = bits < bitcast<u32>(params.x_size0);
    let lane = thread << 2u;
    let index = params.x_offset + program * params.x_stride0 + lane;
    let bits_0 = bitcast<u32>(params.x_size1);
    let in_bounds = less && bitcast<u32>(lane) < bits_0;
    let x_0 = select(vec4<f32>(0.0), x[select(0, index >> 2u, in_bounds)], in_bounds);
    let offset = lane + 1024;
    let in_bounds_0 = less && bitcast<u32>(offset) < bits_0;
    let x_1 = select(vec4<f32>(0.0), x[select(0, (index >> 2u) + 256, in_bounds_0)], in_bounds_0);
    let offset_0 = lane + 2048;
    let in_bounds_1 = less && bitcast<u32>(offset_0) < bits_0;
    let x_2 = select(vec4<f32>(0.0), x[select(0, (index >> 2u) + 512, in_bounds_1)], in_bounds_1);
    let offset_1 = lane + 3072;
    let in_bounds_2 = less && bitcast<u32>(offset_1) < bits_0;
    let x_3 = select(vec4<f32>(0.0), x[select(0, (index >> 2u) + 768, in_bounds_2)], in_bounds_2);
    // reduce_kernel.go:204
    let lanes = vec4<i32>(lane, lane + 1, lane + 2, lane + 3);
    let lanes_0 = vec4<i32>(offset, lane + 1025, lane + 1026, lane + 1027);
    let lanes_1 = vec4<i32>(offset_0, lane + 2049, lane + 2050, lane + 2051);
    let lanes_2 = vec4<i32>(offset_1, lane + 3073, lane + 3074, lane + 3075);
    // reduce_kernel.go:218
    let less_0 = lanes < vec4<i32>(params.x_size1);
    let less_1 = lanes_0 < vec4<i32>(params.x_size1);
    let less_2 = lanes_1 < vec4<i32>(params.x_size1);
    let less_3 = lanes_2 < vec4<i32>(params.x_size1);
    // reduce_states.go:184
    let converted = vec4<f32>(less_0);
    let converted_0 = vec4<f32>(less_1);
    let converted_1 = vec4<f32>(less_2);
    let converted_2 = vec4<f32>(less_3);
    // reduce_states.go:130
    let sum = converted + converted_0 + converted_1 + converted_2;
    parts[thread] = sum.x + sum.z + (sum.y + sum.w);
    let index_0 = thread & 15;
    workgroupBarrier();
    let parts_1 = parts[index_0];
    let index_1 = index_0 + 16;
    let parts_2 = parts[index_1];
    let index_2 = index_0 + 32;
    let parts_3 = parts[index_2];
    let index_3 = index_0 + 48;
    let parts_4 = parts[index_3];
    let index_4 = index_0 + 64;
    let parts_5 = parts[index_4];
    let index_5 = index_0 + 80;
    let parts_6 = parts[index_5];
    let index_6 = index_0 + 96;
    let parts_7 = parts[index_6];
    let sum_0 = parts_1 + parts_2 + parts_3 + parts_4 + parts_5 + parts_6 + parts_7;
    let index_7 = index_0 + 112;
    let parts_8 = parts[index_7];
    let index_8 = index_0 + 128;
    let parts_9 = parts[index_8];
    let index_9 = index_0 + 144;
    let parts_10 = parts[index_9];
    let index_10 = index_0 + 160;
    let parts_11 = parts[index_10];
    let index_11 = index_0 + 176;
    let parts_12 = parts[index_11];
    let index_12 = index_0 + 192;
    let parts_13 = parts[index_12];
    let sum_1 = sum_0 + parts_8 + parts_9 + parts_10 + parts_11 + parts_12 + parts_13;
    let index_13 = index_0 + 208;
    let parts_14 = parts[index_13];
    let index_14 = index_0 + 224;
    let parts_15 = parts[index_14];
    let index_15 = index_0 + 240;
    let parts_16 = parts[index_15];
    let in_bounds_3 = thread < 16;
    if (in_bounds_3) {
        parts_0[index_0] = sum_1 + parts_14 + parts_15 + parts_16;
    }
    workgroupBarrier();
    let parts_17 = parts_0[0];
    let parts_18 = parts_0[1];
    let parts_19 = parts_0[2];
    let parts_20 = parts_0[3];
    let parts_21 = parts_0[4];
    let parts_22 = parts_0[5];
    let parts_23 = parts_0[6];
    let sum_2 = parts_17 + parts_18 + parts_19 + parts_20 + parts_21 + parts_22 + parts_23;
    let parts_24 = parts_0[7];
    let parts_25 = parts_0[8];
    let parts_26 = parts_0[9];
    let parts_27 = parts_0[10];
    let parts_28 = parts_0[11];
    let parts_29 = parts_0[12];
    let sum_3 = sum_2 + parts_24 + parts_25 + parts_26 + parts_27 + parts_28 + parts_29;
    let parts_30 = parts_0[13];
    let parts_31 = parts_0[14];
    let parts_32 = parts_0[15];
    let sum_4 = sum_3 + parts_30 + parts_31 + parts_32;
    // reduce_states.go:201
    let product = converted * x_0;
    let product_0 = converted_0 * x_1;
    let product_1 = converted_1 * x_2;
    let product_2 = converted_2 * x_3;
    // reduce_states.go:130
    let sum_5 = product + product_0 + product_1 + product_2;
    parts[thread] = sum_5.x + sum_5.z + (sum_5.y + sum_5.w);
    workgroupBarrier();
    let parts_33 = parts[index_0];
    let parts_34 = parts[index_1];
    let parts_35 = parts[index_2];
    let parts_36 = parts[index_3];
    let parts_37 = parts[index_4];
    let parts_38 = parts[index_5];
    let parts_39 = parts[index_6];
    let sum_6 = parts_33 + parts_34 + parts_35 + parts_36 + parts_37 + parts_38 + parts_39;
    let parts_40 = parts[index_7];
    let parts_41 = parts[index_8];
    let parts_42 = parts[index_9];
    let parts_43 = parts[index_10];
    let parts_44 = parts[index_11];
    let parts_45 = parts[index_12];
    let sum_7 = sum_6 + parts_40 + parts_41 + parts_42 + parts_43 + parts_44 + parts_45;
    let parts_46 = parts[index_13];
    let parts_47 = parts[index_14];
    let parts_48 = parts[index_15];
    if (in_bounds_3) {
        parts_0[index_0] = sum_7 + parts_46 + parts_47 + parts_48;
    }
    workgroupBarrier();
    let parts_49 = parts_0[0];
    let parts_50 = parts_0[1];
    let parts_51 = parts_0[2];
    let parts_52 = parts_0[3];
    let parts_53 = parts_0[4];
    let parts_54 = parts_0[5];
    let parts_55 = parts_0[6];
    let sum_8 = parts_49 + parts_50 + parts_51 + parts_52 + parts_53 + parts_54 + parts_55;
    let parts_56 = parts_0[7];
    let parts_57 = parts_0[8];
    let parts_58 = parts_0[9];
    let parts_59 = parts_0[10];
    let parts_60 = parts_0[11];
    let parts_61 = parts_0[12];
    let sum_9 = sum_8 + parts_56 + parts_57 + parts_58 + parts_59 + parts_60 + parts_61;
    let parts_62 = parts_0[13];
    let parts_63 = parts_0[14];
    let parts_64 = parts_0[15];
    let sum_10 = sum_9 + parts_62 + parts_63 + parts_64;
    // reduce_states.go:201
    let quotient = sum_10 / max(sum_4, 1.0);
    // reduce_states.go:202
    let difference = x_0 - vec4<f32>(quotient);
    let difference_0 = x_1 - vec4<f32>(quotient);
    let difference_1 = x_2 - vec4<f32>(quotient);
    let difference_2 = x_3 - vec4<f32>(quotient);
    // reduce_states.go:203
    let fused = fma(difference * difference, converted, vec4<f32>(0.0));
    let fused_0 = fma(difference_0 * difference_0, converted_0, vec4<f32>(0.0));
    let fused_1 = fma(difference_1 * difference_1, converted_1, vec4<f32>(0.0));
    let fused_2 = fma(difference_2 * difference_2, converted_2, vec4<f32>(0.0));
    // reduce_states.go:130
    let sum_11 = fused + fused_0 + fused_1 + fused_2;
    parts[thread] = sum_11.x + sum_11.z + (sum_11.y + sum_11.w);
    workgroupBarrier();
    let parts_65 = parts[index_0];
    let parts_66 = parts[index_1];
    let parts_67 = parts[index_2];
    let parts_68 = parts[index_3];
    let parts_69 = parts[index_4];
    let parts_70 = parts[index_5];
    let parts_71 = parts[index_6];
    let sum_12 = parts_65 + parts_66 + parts_67 + parts_68 + parts_69 + parts_70 + parts_71;
    let parts_72 = parts[index_7];
    let parts_73 = parts[index_8];
    let parts_74 = parts[index_9];
    let parts_75 = parts[index_10];
    let parts_76 = parts[index_11];
    let parts_77 = parts[index_12];
    let sum_13 = sum_12 + parts_72 + parts_73 + parts_74 + parts_75 + parts_76 + parts_77;
    let parts_78 = parts[index_13];
    let parts_79 = parts[index_14];
    let parts_80 = parts[index_15];
    if (in_bounds_3) {
        parts_0[index_0] = sum_13 + parts_78 + parts_79 + parts_80;
    }
    workgroupBarrier();
    let parts_81 = parts_0[0];
    let parts_82 = parts_0[1];
    let parts_83 = parts_0[2];
    let parts_84 = parts_0[3];
    let parts_85 = parts_0[4];
    let parts_86 = parts_0[5];
    let parts_87 = parts_0[6];
    let sum_14 = parts_81 + parts_82 + parts_83 + parts_84 + parts_85 + parts_86 + parts_87;
    let parts_88 = parts_0[7];
    let parts_89 = parts_0[8];
    let parts_90 = parts_0[9];
    let parts_91 = parts_0[10];
    let parts_92 = parts_0[11];
    let parts_93 = parts_0[12];
    let sum_15 = sum_14 + parts_88 + parts_89 + parts_90 + parts_91 + parts_92 + parts_93;
    let parts_94 = parts_0[13];
    let parts_95 = parts_0[14];
    let parts_96 = parts_0[15];
    let sum_16 = sum_15 + parts_94 + parts_95 + parts_96;
    // reduce_kernel.go:87
    let quotient_0 = sum_16 / params.divisor;
    // reduce_kernel.go:92
    let value = 0;
    let both = bits < bitcast<u32>(params.out_size0) && bitcast<u32>(value) < bitcast<u32>(params.out_size1);
    if ((thread & 255) == 0 && both) {
        out[params.out_offset + program] = quotient_0;
    }
}
