@group(0) @binding(0) var<storage, read> a: array<u32>; // f16, 2 in a word
@group(0) @binding(1) var<storage, read> b: array<vec4<u32>>; // f16, 2 in a word
@group(0) @binding(2) var<storage, read_write> out: array<atomic<u32>>; // f16, 2 in a word
var<workgroup> scratch: array<f32, 4096>; // kernels/matmul_kernel.go: elements change threads; partial results of reduce.sum

struct Params {
    a_offset: i32,
    a_size1: i32,
    b_offset: i32,
    b_stride0: i32,
    out_offset: i32,
    out_size1: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

fn unpack_f16_x4(words: vec2<u32>) -> vec4<f32> {
    return vec4<f32>(unpack2x16float(words.x), unpack2x16float(words.y));
}

// Replaces 16 bits of out and leaves the rest of the word to other threads.
fn store_out(index: i32, bits: u32) {
    let shift = u32(index & 1) * 16u;
    atomicAnd(&out[index >> 1u], ~(0xffffu << shift));
    atomicOr(&out[index >> 1u], bits << shift);
}

// The bits of x rounded to f16, ties to even, infinite from 65520 on. A subnormal f16 counts in units of the
// last place of numbers from 0.5 to 1, to which adding 0.5 rounds it.
fn f16_bits(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    let size = bits & 0x7fffffffu;
    let normal = (size + 0xc8000fffu + ((size >> 13u) & 1u)) >> 13u;
    let subnormal = bitcast<u32>(bitcast<f32>(size) + 0.5) - 0x3f000000u;
    let finite = select(min(normal, 0x7c00u), subnormal, size < 0x38800000u);
    return ((bits >> 16u) & 0x8000u) | select(finite, 0x7e00u, size > 0x7f800000u);
}

@compute @workgroup_size(256, 1, 1)
fn matmul(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/matmul_kernel.go
    let quotient = (params.out_size1 + 63) / 64;
    let remainder = program % select(quotient, 1, quotient == 0);
    // kernels/matrix_block.go
    let lane = thread >> 3u;
    let b_start1 = remainder * 64;
    let both = thread & 7;
    let lane_0 = both << 3u;
    let offset = b_start1 + lane_0;
    let offset_0 = params.b_stride0 * 32;
    // kernels/matmul_kernel.go
    var carried: vec4<f32> = vec4<f32>(0.0);
    var carried_0: vec4<f32> = vec4<f32>(0.0);
    var carried_1: vec4<f32> = vec4<f32>(0.0);
    var carried_2: vec4<f32> = vec4<f32>(0.0);
    let end = (params.a_size1 + 63) / 64;
    for (var i: i32 = 0; i < end; i += 1) {
        // kernels/matrix_block.go
        let b_start0 = i * 64;
        let offset_1 = b_start0 + lane;
        let index = params.b_offset + offset_1 * params.b_stride0 + offset;
        let b_0 = b[index >> 3u];
        let b_1 = unpack_f16_x4(b_0.xy);
        let b_2 = unpack_f16_x4(b_0.zw);
        let b_3 = b[(index >> 3u) + (offset_0 >> 3u)];
        let b_4 = unpack_f16_x4(b_3.xy);
        let b_5 = unpack_f16_x4(b_3.zw);
        let index_0 = params.a_offset + offset_1;
        let a_0 = unpack2x16float(a[index_0 >> 1u])[index_0 & 1];
        let index_1 = index_0 + 32;
        let a_1 = unpack2x16float(a[index_1 >> 1u])[index_1 & 1];
        // kernels/matmul_kernel.go
        carried = fma(b_1, vec4<f32>(a_0), carried);
        carried_0 = fma(b_2, vec4<f32>(a_0), carried_0);
        carried_1 = fma(b_4, vec4<f32>(a_1), carried_1);
        carried_2 = fma(b_5, vec4<f32>(a_1), carried_2);
    }
    // kernels/matmul_kernel.go
    let lane_1 = ((both << 2u) + (both << 9u)) ^ lane;
    scratch[lane_1] = carried.x;
    scratch[lane_1 + 64] = carried.y;
    scratch[lane_1 + 128] = carried.z;
    scratch[lane_1 + 192] = carried.w;
    scratch[lane_1 + 256] = carried_0.x;
    scratch[lane_1 + 320] = carried_0.y;
    scratch[lane_1 + 384] = carried_0.z;
    scratch[lane_1 + 448] = carried_0.w;
    scratch[lane_1 + 32] = carried_1.x;
    scratch[lane_1 + 96] = carried_1.y;
    scratch[lane_1 + 160] = carried_1.z;
    scratch[lane_1 + 224] = carried_1.w;
    scratch[lane_1 + 288] = carried_2.x;
    scratch[lane_1 + 352] = carried_2.y;
    scratch[lane_1 + 416] = carried_2.z;
    scratch[lane_1 + 480] = carried_2.w;
    let lane_2 = (thread << 2u) ^ ((thread >> 5u) & 4);
    workgroupBarrier();
    let exchange = scratch[lane_2];
    let exchange_0 = scratch[lane_2 + 1];
    let exchange_1 = scratch[lane_2 + 2];
    let exchange_2 = scratch[lane_2 + 3];
    let exchange_3 = scratch[lane_2 ^ 1032];
    let exchange_4 = scratch[lane_2 ^ 1033];
    let exchange_5 = scratch[lane_2 ^ 1034];
    let exchange_6 = scratch[lane_2 ^ 1035];
    let exchange_7 = scratch[lane_2 ^ 2064];
    let exchange_8 = scratch[lane_2 ^ 2065];
    let exchange_9 = scratch[lane_2 ^ 2066];
    let exchange_10 = scratch[lane_2 ^ 2067];
    let exchange_11 = scratch[lane_2 ^ 3096];
    let exchange_12 = scratch[lane_2 ^ 3097];
    let exchange_13 = scratch[lane_2 ^ 3098];
    let exchange_14 = scratch[lane_2 ^ 3099];
    workgroupBarrier();
    scratch[thread] = exchange + exchange_1 + (exchange_0 + exchange_2);
    let index_2 = thread & 240;
    workgroupBarrier();
    let parts = scratch[index_2];
    let index_3 = index_2 + 1;
    let parts_0 = scratch[index_3];
    let index_4 = index_2 + 2;
    let parts_1 = scratch[index_4];
    let index_5 = index_2 + 3;
    let parts_2 = scratch[index_5];
    let index_6 = index_2 + 4;
    let parts_3 = scratch[index_6];
    let index_7 = index_2 + 5;
    let parts_4 = scratch[index_7];
    let index_8 = index_2 + 6;
    let parts_5 = scratch[index_8];
    let sum = parts + parts_0 + parts_1 + parts_2 + parts_3 + parts_4 + parts_5;
    let index_9 = index_2 + 7;
    let parts_6 = scratch[index_9];
    let index_10 = index_2 + 8;
    let parts_7 = scratch[index_10];
    let index_11 = index_2 + 9;
    let parts_8 = scratch[index_11];
    let index_12 = index_2 + 10;
    let parts_9 = scratch[index_12];
    let index_13 = index_2 + 11;
    let parts_10 = scratch[index_13];
    let index_14 = index_2 + 12;
    let parts_11 = scratch[index_14];
    let sum_0 = sum + parts_6 + parts_7 + parts_8 + parts_9 + parts_10 + parts_11;
    let index_15 = index_2 + 13;
    let parts_12 = scratch[index_15];
    let index_16 = index_2 + 14;
    let parts_13 = scratch[index_16];
    let index_17 = index_2 + 15;
    let parts_14 = scratch[index_17];
    let sum_1 = sum_0 + parts_12 + parts_13 + parts_14;
    workgroupBarrier();
    scratch[thread] = exchange_3 + exchange_5 + (exchange_4 + exchange_6);
    workgroupBarrier();
    let parts_15 = scratch[index_2];
    let parts_16 = scratch[index_3];
    let parts_17 = scratch[index_4];
    let parts_18 = scratch[index_5];
    let parts_19 = scratch[index_6];
    let parts_20 = scratch[index_7];
    let parts_21 = scratch[index_8];
    let sum_2 = parts_15 + parts_16 + parts_17 + parts_18 + parts_19 + parts_20 + parts_21;
    let parts_22 = scratch[index_9];
    let parts_23 = scratch[index_10];
    let parts_24 = scratch[index_11];
    let parts_25 = scratch[index_12];
    let parts_26 = scratch[index_13];
    let parts_27 = scratch[index_14];
    let sum_3 = sum_2 + parts_22 + parts_23 + parts_24 + parts_25 + parts_26 + parts_27;
    let parts_28 = scratch[index_15];
    let parts_29 = scratch[index_16];
    let parts_30 = scratch[index_17];
    let sum_4 = sum_3 + parts_28 + parts_29 + parts_30;
    workgroupBarrier();
    scratch[thread] = exchange_7 + exchange_9 + (exchange_8 + exchange_10);
    workgroupBarrier();
    let parts_31 = scratch[index_2];
    let parts_32 = scratch[index_3];
    let parts_33 = scratch[index_4];
    let parts_34 = scratch[index_5];
    let parts_35 = scratch[index_6];
    let parts_36 = scratch[index_7];
    let parts_37 = scratch[index_8];
    let sum_5 = parts_31 + parts_32 + parts_33 + parts_34 + parts_35 + parts_36 + parts_37;
    let parts_38 = scratch[index_9];
    let parts_39 = scratch[index_10];
    let parts_40 = scratch[index_11];
    let parts_41 = scratch[index_12];
    let parts_42 = scratch[index_13];
    let parts_43 = scratch[index_14];
    let sum_6 = sum_5 + parts_38 + parts_39 + parts_40 + parts_41 + parts_42 + parts_43;
    let parts_44 = scratch[index_15];
    let parts_45 = scratch[index_16];
    let parts_46 = scratch[index_17];
    let sum_7 = sum_6 + parts_44 + parts_45 + parts_46;
    workgroupBarrier();
    scratch[thread] = exchange_11 + exchange_13 + (exchange_12 + exchange_14);
    workgroupBarrier();
    let parts_47 = scratch[index_2];
    let parts_48 = scratch[index_3];
    let parts_49 = scratch[index_4];
    let parts_50 = scratch[index_5];
    let parts_51 = scratch[index_6];
    let parts_52 = scratch[index_7];
    let parts_53 = scratch[index_8];
    let sum_8 = parts_47 + parts_48 + parts_49 + parts_50 + parts_51 + parts_52 + parts_53;
    let parts_54 = scratch[index_9];
    let parts_55 = scratch[index_10];
    let parts_56 = scratch[index_11];
    let parts_57 = scratch[index_12];
    let parts_58 = scratch[index_13];
    let parts_59 = scratch[index_14];
    let sum_9 = sum_8 + parts_54 + parts_55 + parts_56 + parts_57 + parts_58 + parts_59;
    let parts_60 = scratch[index_15];
    let parts_61 = scratch[index_16];
    let parts_62 = scratch[index_17];
    let sum_10 = sum_9 + parts_60 + parts_61 + parts_62;
    // kernels/matrix_block.go
    let lane_3 = thread >> 4u;
    let index_18 = params.out_offset + b_start1 + lane_3;
    let in_bounds = (thread & 15) == 0;
    if (in_bounds) {
        store_out(index_18, f16_bits(sum_1));
        store_out(index_18 + 16, f16_bits(sum_4));
        store_out(index_18 + 32, f16_bits(sum_7));
        store_out(index_18 + 48, f16_bits(sum_10));
    }
}
