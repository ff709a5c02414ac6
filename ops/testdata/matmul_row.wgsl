@group(0) @binding(0) var<storage, read> a: array<u32>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read> b: array<vec2<u32>>; // f16, 2 in a word
@group(0) @binding(2) var<storage, read_write> out: array<vec2<u32>>; // f16, 2 in a word
var<workgroup> parts: array<f32, 1024>; // matmul.go:142: partial results of reduce.sum

struct Params {
    a_offset: i32,
    a_size0: i32,
    a_size1: i32,
    b_offset: i32,
    b_size0: i32,
    b_size1: i32,
    b_stride0: i32,
    out_offset: i32,
    out_size0: i32,
    out_size1: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

fn unpack_f16_x4(words: vec2<u32>) -> vec4<f32> {
    return vec4<f32>(unpack2x16float(words.x), unpack2x16float(words.y));
}

// The bits of x rounded to f16, ties to even, infinite from 65520 on.
fn f16_bits_x4(x: vec4<f32>) -> vec4<u32> {
    let bits = bitcast<vec4<u32>>(x);
    let size = bits & vec4<u32>(0x7fffffffu);
    let normal = (size + vec4<u32>(0xfffu) + ((size >> vec4<u32>(13u)) & vec4<u32>(1u)) - vec4<u32>(0x38000000u)) >> vec4<u32>(13u);
    let mantissa = (size & vec4<u32>(0x7fffffu)) | vec4<u32>(0x800000u);
    let shift = clamp(vec4<u32>(126u) - (size >> vec4<u32>(23u)), vec4<u32>(1u), vec4<u32>(25u));
    let subnormal = (mantissa + (vec4<u32>(1u) << (shift - vec4<u32>(1u))) - vec4<u32>(1u) + ((mantissa >> shift) & vec4<u32>(1u))) >> shift;
    let finite = select(min(normal, vec4<u32>(0x7c00u)), subnormal, size < vec4<u32>(0x38800000u));
    return ((bits >> vec4<u32>(16u)) & vec4<u32>(0x8000u)) | select(finite, vec4<u32>(0x7e00u), size > vec4<u32>(0x7f800000u));
}

fn pack_f16_x4(x: vec4<f32>) -> vec2<u32> {
    let bits = f16_bits_x4(x);
    return bits.xz | (bits.yw << vec2<u32>(16u));
}

@compute @workgroup_size(256, 1, 1)
fn matmul(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // matmul.go:82
    let quotient = (params.out_size1 + 63) / 64;
    let chosen = select(quotient, 1, quotient == 0);
    let remainder = program % chosen;
    let a_start0 = program / chosen;
    // block.go:14
    let lane = thread >> 4u;
    let bits = bitcast<u32>(params.b_size0);
    let b_start1 = remainder * 64;
    let index = thread & 15;
    let lane_0 = index << 2u;
    let offset = b_start1 + lane_0;
    let bits_0 = bitcast<u32>(b_start1);
    let less = bits_0 < bitcast<u32>(params.b_size1);
    let offset_0 = params.b_stride0 * 16;
    let offset_1 = params.b_stride0 * 32;
    let offset_2 = params.b_stride0 * 48;
    let bits_1 = bitcast<u32>(a_start0);
    let less_0 = bits_1 < bitcast<u32>(params.a_size0);
    let bits_2 = bitcast<u32>(params.a_size1);
    // matmul.go:134
    var carried: vec4<f32> = vec4<f32>(0.0);
    var carried_0: vec4<f32> = vec4<f32>(0.0);
    var carried_1: vec4<f32> = vec4<f32>(0.0);
    var carried_2: vec4<f32> = vec4<f32>(0.0);
    let end = (params.a_size1 + 63) / 64;
    for (var i: i32 = 0; i < end; i += 1) {
        // block.go:14
        let b_start0 = i * 64;
        let offset_3 = b_start0 + lane;
        let bits_3 = bitcast<u32>(b_start0);
        let index_0 = params.b_offset + offset_3 * params.b_stride0 + offset;
        let in_bounds = bits_3 < bits && less;
        let b_0 = select(vec4<f32>(0.0), unpack_f16_x4(b[select(0, index_0 >> 2u, in_bounds)]), in_bounds);
        let b_1 = select(vec4<f32>(0.0), unpack_f16_x4(b[select(0, (index_0 >> 2u) + (offset_0 >> 2u), in_bounds)]), in_bounds);
        let b_2 = select(vec4<f32>(0.0), unpack_f16_x4(b[select(0, (index_0 >> 2u) + (offset_1 >> 2u), in_bounds)]), in_bounds);
        let b_3 = select(vec4<f32>(0.0), unpack_f16_x4(b[select(0, (index_0 >> 2u) + (offset_2 >> 2u), in_bounds)]), in_bounds);
        let index_1 = params.a_offset + offset_3;
        let in_bounds_0 = less_0 && bits_3 < bits_2;
        let a_0 = select(0.0, unpack2x16float(a[select(0, index_1 >> 1u, in_bounds_0)])[index_1 & 1], in_bounds_0);
        let index_2 = index_1 + 16;
        let a_1 = select(0.0, unpack2x16float(a[select(0, index_2 >> 1u, in_bounds_0)])[index_2 & 1], in_bounds_0);
        let index_3 = index_1 + 32;
        let a_2 = select(0.0, unpack2x16float(a[select(0, index_3 >> 1u, in_bounds_0)])[index_3 & 1], in_bounds_0);
        let index_4 = index_1 + 48;
        let a_3 = select(0.0, unpack2x16float(a[select(0, index_4 >> 1u, in_bounds_0)])[index_4 & 1], in_bounds_0);
        // matmul.go:149
        carried = fma(b_0, vec4<f32>(a_0), carried);
        carried_0 = fma(b_1, vec4<f32>(a_1), carried_0);
        carried_1 = fma(b_2, vec4<f32>(a_2), carried_1);
        carried_2 = fma(b_3, vec4<f32>(a_3), carried_2);
    }
    // matmul.go:142
    let sum = carried + carried_0 + carried_1 + carried_2;
    parts[thread] = sum.x;
    parts[thread + 256] = sum.y;
    parts[thread + 512] = sum.z;
    parts[thread + 768] = sum.w;
    workgroupBarrier();
    let parts_0 = parts[index];
    let parts_1 = parts[index + 16];
    let parts_2 = parts[index + 32];
    let parts_3 = parts[index + 48];
    let parts_4 = parts[index + 64];
    let parts_5 = parts[index + 80];
    let parts_6 = parts[index + 96];
    let sum_0 = parts_0 + parts_1 + parts_2 + parts_3 + parts_4 + parts_5 + parts_6;
    let parts_7 = parts[index + 112];
    let parts_8 = parts[index + 128];
    let parts_9 = parts[index + 144];
    let parts_10 = parts[index + 160];
    let parts_11 = parts[index + 176];
    let parts_12 = parts[index + 192];
    let sum_1 = sum_0 + parts_7 + parts_8 + parts_9 + parts_10 + parts_11 + parts_12;
    let parts_13 = parts[index + 208];
    let parts_14 = parts[index + 224];
    let parts_15 = parts[index + 240];
    let parts_16 = parts[index + 256];
    let parts_17 = parts[index + 272];
    let parts_18 = parts[index + 288];
    let parts_19 = parts[index + 304];
    let parts_20 = parts[index + 320];
    let parts_21 = parts[index + 336];
    let parts_22 = parts[index + 352];
    let sum_2 = parts_16 + parts_17 + parts_18 + parts_19 + parts_20 + parts_21 + parts_22;
    let parts_23 = parts[index + 368];
    let parts_24 = parts[index + 384];
    let parts_25 = parts[index + 400];
    let parts_26 = parts[index + 416];
    let parts_27 = parts[index + 432];
    let parts_28 = parts[index + 448];
    let sum_3 = sum_2 + parts_23 + parts_24 + parts_25 + parts_26 + parts_27 + parts_28;
    let parts_29 = parts[index + 464];
    let parts_30 = parts[index + 480];
    let parts_31 = parts[index + 496];
    let parts_32 = parts[index + 512];
    let parts_33 = parts[index + 528];
    let parts_34 = parts[index + 544];
    let parts_35 = parts[index + 560];
    let parts_36 = parts[index + 576];
    let parts_37 = parts[index + 592];
    let parts_38 = parts[index + 608];
    let sum_4 = parts_32 + parts_33 + parts_34 + parts_35 + parts_36 + parts_37 + parts_38;
    let parts_39 = parts[index + 624];
    let parts_40 = parts[index + 640];
    let parts_41 = parts[index + 656];
    let parts_42 = parts[index + 672];
    let parts_43 = parts[index + 688];
    let parts_44 = parts[index + 704];
    let sum_5 = sum_4 + parts_39 + parts_40 + parts_41 + parts_42 + parts_43 + parts_44;
    let parts_45 = parts[index + 720];
    let parts_46 = parts[index + 736];
    let parts_47 = parts[index + 752];
    let parts_48 = parts[index + 768];
    let parts_49 = parts[index + 784];
    let parts_50 = parts[index + 800];
    let parts_51 = parts[index + 816];
    let parts_52 = parts[index + 832];
    let parts_53 = parts[index + 848];
    let parts_54 = parts[index + 864];
    let sum_6 = parts_48 + parts_49 + parts_50 + parts_51 + parts_52 + parts_53 + parts_54;
    let parts_55 = parts[index + 880];
    let parts_56 = parts[index + 896];
    let parts_57 = parts[index + 912];
    let parts_58 = parts[index + 928];
    let parts_59 = parts[index + 944];
    let parts_60 = parts[index + 960];
    let sum_7 = sum_6 + parts_55 + parts_56 + parts_57 + parts_58 + parts_59 + parts_60;
    let parts_61 = parts[index + 976];
    let parts_62 = parts[index + 992];
    let parts_63 = parts[index + 1008];
    let lanes = vec4<f32>(sum_1 + parts_13 + parts_14 + parts_15, sum_3 + parts_29 + parts_30 + parts_31, sum_5 + parts_45 + parts_46 + parts_47, sum_7 + parts_61 + parts_62 + parts_63);
    // block.go:37
    let both = bits_1 < bitcast<u32>(params.out_size0) && bits_0 < bitcast<u32>(params.out_size1);
    if ((thread & 240) == 0 && both) {
        out[(params.out_offset >> 2u) + (offset >> 2u)] = pack_f16_x4(lanes);
    }
}
