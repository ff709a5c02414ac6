@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4<f32>>;
var<workgroup> tile_a: array<vec4<f32>, 271>; // kernels/matmul_kernel.go: operand a of the product
var<workgroup> tile_b: array<vec4<f32>, 256>; // kernels/matmul_kernel.go: operand b of the product

struct Params {
    a_offset: i32,
    a_size1: i32,
    a_stride0: i32,
    b_offset: i32,
    b_stride0: i32,
    out_offset: i32,
    out_size0: i32,
    out_size1: i32,
    out_stride0: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(256, 1, 1)
fn matmul(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/matmul_kernel.go
    let offset = (params.out_size1 + 63) / 64 * 8;
    let chosen = select(offset, 1, offset == 0);
    let offset_0 = program / chosen * 8;
    let least = min((params.out_size0 + 63) / 64 - offset_0, 8);
    let remainder = program % chosen;
    let chosen_0 = select(least, 1, least == 0);
    let quotient = remainder / chosen_0;
    let offset_1 = offset_0 + remainder - quotient * chosen_0;
    // kernels/matmul_kernel.go
    let quotient_0 = (params.a_size1 + 15) / 16;
    // kernels/matrix_block.go
    let a_start0 = offset_1 * 64;
    let shifted = thread >> 2u;
    let lane = shifted & 60;
    let offset_2 = params.a_offset + (a_start0 + lane) * params.a_stride0;
    let lane_0 = thread & 15;
    let offset_3 = params.a_stride0 * 2;
    let offset_4 = params.a_stride0 * 3;
    let lane_1 = thread >> 4u;
    let b_start1 = quotient * 64;
    let lane_2 = lane_0 << 2u;
    let offset_5 = b_start1 + lane_2;
    // kernels/matmul_kernel.go
    let index = lane_0 * 68 + lane;
    let index_0 = lane_1 * 64 + lane_2;
    let lane_3 = ((thread & 2) << 1u) + (thread & 8) + (shifted & 48);
    let lane_4 = ((thread & 1) << 2u) + ((thread & 4) << 1u) + (thread & 48);
    let more = 0 < quotient_0;
    // kernels/matrix_block.go
    let index_1 = offset_2 + lane_0;
    let a_0 = select(0.0, a[select(0, index_1, more)], more);
    let a_1 = select(0.0, a[select(0, index_1 + params.a_stride0, more)], more);
    let a_2 = select(0.0, a[select(0, index_1 + offset_3, more)], more);
    let a_3 = select(0.0, a[select(0, index_1 + offset_4, more)], more);
    let b_0 = select(vec4<f32>(0.0), b[select(0, ((params.b_offset + lane_1 * params.b_stride0) >> 2u) + (offset_5 >> 2u), more)], more);
    // kernels/matmul_kernel.go
    var acc: vec4<f32> = vec4<f32>(0.0);
    var acc_0: vec4<f32> = vec4<f32>(0.0);
    var acc_1: vec4<f32> = vec4<f32>(0.0);
    var acc_2: vec4<f32> = vec4<f32>(0.0);
    var a_4: f32 = a_0;
    var a_5: f32 = a_1;
    var a_6: f32 = a_2;
    var a_7: f32 = a_3;
    var b_1: vec4<f32> = b_0;
    for (var i: i32 = 0; i < quotient_0; i += 1) {
        // kernels/matrix_block.go
        let lanes = vec4<f32>(a_4, a_5, a_6, a_7);
        // kernels/matmul_kernel.go
        workgroupBarrier();
        tile_a[index >> 2u] = lanes;
        tile_b[index_0 >> 2u] = b_1;
        let ahead = i + 1;
        let more_0 = ahead < quotient_0;
        let next = select(i, ahead, more_0);
        // kernels/matrix_block.go
        let a_start1 = next * 16;
        let index_2 = offset_2 + a_start1 + lane_0;
        let a_8 = a[index_2];
        let a_9 = a[index_2 + params.a_stride0];
        let a_10 = a[index_2 + offset_3];
        let a_11 = a[index_2 + offset_4];
        let index_3 = params.b_offset + (a_start1 + lane_1) * params.b_stride0 + offset_5;
        let b_2 = b[index_3 >> 2u];
        // kernels/matmul_kernel.go
        workgroupBarrier();
        for (var i_0: i32 = 0; i_0 < 16; i_0 += 4) {
            let index_4 = i_0 * 68 + lane_3;
            let tile_a_0 = tile_a[index_4 >> 2u];
            let index_5 = i_0 * 64 + lane_4;
            let tile_b_0 = tile_b[index_5 >> 2u];
            acc = fma(vec4<f32>(tile_a_0.x), tile_b_0, acc);
            acc_0 = fma(vec4<f32>(tile_a_0.y), tile_b_0, acc_0);
            acc_1 = fma(vec4<f32>(tile_a_0.z), tile_b_0, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_0.w), tile_b_0, acc_2);
            let tile_a_1 = tile_a[(index_4 >> 2u) + 17];
            let tile_b_1 = tile_b[(index_5 >> 2u) + 16];
            acc = fma(vec4<f32>(tile_a_1.x), tile_b_1, acc);
            acc_0 = fma(vec4<f32>(tile_a_1.y), tile_b_1, acc_0);
            acc_1 = fma(vec4<f32>(tile_a_1.z), tile_b_1, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_1.w), tile_b_1, acc_2);
            let tile_a_2 = tile_a[(index_4 >> 2u) + 34];
            let tile_b_2 = tile_b[(index_5 >> 2u) + 32];
            acc = fma(vec4<f32>(tile_a_2.x), tile_b_2, acc);
            acc_0 = fma(vec4<f32>(tile_a_2.y), tile_b_2, acc_0);
            acc_1 = fma(vec4<f32>(tile_a_2.z), tile_b_2, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_2.w), tile_b_2, acc_2);
            let tile_a_3 = tile_a[(index_4 >> 2u) + 51];
            let tile_b_3 = tile_b[(index_5 >> 2u) + 48];
            acc = fma(vec4<f32>(tile_a_3.x), tile_b_3, acc);
            acc_0 = fma(vec4<f32>(tile_a_3.y), tile_b_3, acc_0);
            acc_1 = fma(vec4<f32>(tile_a_3.z), tile_b_3, acc_1);
            acc_2 = fma(vec4<f32>(tile_a_3.w), tile_b_3, acc_2);
        }
        a_4 = a_8;
        a_5 = a_9;
        a_6 = a_10;
        a_7 = a_11;
        b_1 = b_2;
    }
    // kernels/matrix_block.go
    let index_6 = params.out_offset + (a_start0 + lane_3) * params.out_stride0 + b_start1 + lane_4;
    out[index_6 >> 2u] = acc;
    out[(index_6 + params.out_stride0) >> 2u] = acc_0;
    out[(index_6 + params.out_stride0 * 2) >> 2u] = acc_1;
    out[(index_6 + params.out_stride0 * 3) >> 2u] = acc_2;
}
