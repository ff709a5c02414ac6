@group(0) @binding(0) var<storage, read> updates: array<f32>;
@group(0) @binding(1) var<storage, read> indices: array<i32>;
@group(0) @binding(2) var<storage, read_write> out: array<atomic<u32>>;
var<workgroup> parts: array<i32, 128>; // kernels/indexed_kernel.go: partial results of reduce.max
var<workgroup> parts_0: array<i32, 16>; // kernels/indexed_kernel.go: partial results of reduce.max
var<workgroup> scalar: array<i32, 1>; // kernels/indexed_kernel.go: the first thread's element

struct Params {
    updates_offset: i32,
    updates_size0: i32,
    indices_offset: i32,
    indices_size0: i32,
    out_offset: i32,
    out_size0: i32,
    x_first: i32,
    y_first: i32,
    i_first: i32,
    rows0: i32,
    rows_x0: i32,
    rows_y0: i32,
    rows_i0: i32,
    window0: i32,
    index_x0: i32,
    index_most0: i32,
    index_i0: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

// Writes a value to an element of out that is equal to what is expected, and returns
// what it held: WGSL's own op may fail without a reason.
fn compare_out(index: i32, expected: u32, value: u32) -> u32 {
    var old = expected;
    loop {
        let tried = atomicCompareExchangeWeak(&out[index], expected, value);
        old = tried.old_value;
        if (tried.exchanged || old != expected) {
            break;
        }
    }
    return old;
}

@compute @workgroup_size(128, 1, 1)
fn scatter(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    let program = i32(workgroup.x);
    // kernels/indexed_kernel.go
    let quotient = (params.window0 + 511) / 512;
    // kernels/indexed_kernel.go
    let chosen = select(quotient, 1, quotient == 0);
    let quotient_0 = program / chosen;
    // kernels/indexed_kernel.go
    let difference = program - quotient_0 * chosen;
    // kernels/indexed_kernel.go
    let offset = difference * 512;
    let offset_0 = thread + offset;
    let offset_1 = thread + 128 + offset;
    let offset_2 = thread + 256 + offset;
    let offset_3 = thread + 384 + offset;
    // kernels/indexed_kernel.go
    let less = quotient_0 < params.rows0;
    // kernels/indexed_kernel.go
    let offset_4 = quotient_0 * params.rows_x0;
    let offset_5 = quotient_0 * params.rows_y0;
    let offset_6 = quotient_0 * params.rows_i0;
    // kernels/indexed_kernel.go
    let offset_7 = offset_6 + params.index_i0 + params.i_first;
    // kernels/indexed_kernel.go
    let in_bounds = less && bitcast<u32>(offset_7) < bitcast<u32>(params.indices_size0);
    let indices_0 = select(0, indices[select(0, params.indices_offset + offset_7, in_bounds)], in_bounds);
    // kernels/indexed_kernel.go
    let both = indices_0 >= 0 && indices_0 <= params.index_most0;
    // kernels/indexed_kernel.go
    let both_0 = less && both;
    let chosen_0 = select(0, indices_0, both);
    // kernels/indexed_kernel.go
    let offset_8 = offset_4 + chosen_0 * params.index_x0;
    // kernels/indexed_kernel.go
    let less_0 = offset_0 < params.window0;
    let less_1 = offset_1 < params.window0;
    let less_2 = offset_2 < params.window0;
    let less_3 = offset_3 < params.window0;
    // kernels/indexed_kernel.go
    let both_1 = both_0 && less_0;
    let both_2 = both_0 && less_1;
    let both_3 = both_0 && less_2;
    let both_4 = both_0 && less_3;
    // kernels/indexed_kernel.go
    let offset_9 = offset_8 + offset_0 + params.x_first;
    let offset_10 = offset_8 + offset_1 + params.x_first;
    let offset_11 = offset_8 + offset_2 + params.x_first;
    let offset_12 = offset_8 + offset_3 + params.x_first;
    let offset_13 = offset_5 + offset_0 + params.y_first;
    let offset_14 = offset_5 + offset_1 + params.y_first;
    let offset_15 = offset_5 + offset_2 + params.y_first;
    let offset_16 = offset_5 + offset_3 + params.y_first;
    // kernels/indexed_kernel.go
    let index = params.updates_offset + offset_13;
    let bits = bitcast<u32>(params.updates_size0);
    let in_bounds_0 = both_1 && bitcast<u32>(offset_13) < bits;
    let updates_0 = select(0.0, updates[select(0, index, in_bounds_0)], in_bounds_0);
    let in_bounds_1 = both_2 && bitcast<u32>(offset_14) < bits;
    let updates_1 = select(0.0, updates[select(0, index + 128, in_bounds_1)], in_bounds_1);
    let in_bounds_2 = both_3 && bitcast<u32>(offset_15) < bits;
    let updates_2 = select(0.0, updates[select(0, index + 256, in_bounds_2)], in_bounds_2);
    let in_bounds_3 = both_4 && bitcast<u32>(offset_16) < bits;
    let updates_3 = select(0.0, updates[select(0, index + 384, in_bounds_3)], in_bounds_3);
    // kernels/indexed_kernel.go
    let converted = i32(both_1);
    let converted_0 = i32(both_2);
    let converted_1 = i32(both_3);
    let converted_2 = i32(both_4);
    let index_0 = params.out_offset + offset_9;
    let bits_0 = bitcast<u32>(params.out_size0);
    let less_4 = bitcast<u32>(offset_9) < bits_0;
    let in_bounds_4 = both_1 && less_4;
    let out_0 = select(0u, atomicLoad(&out[select(0, index_0, in_bounds_4)]), in_bounds_4);
    let index_1 = params.out_offset + offset_10;
    let less_5 = bitcast<u32>(offset_10) < bits_0;
    let in_bounds_5 = both_2 && less_5;
    let out_1 = select(0u, atomicLoad(&out[select(0, index_1, in_bounds_5)]), in_bounds_5);
    let index_2 = params.out_offset + offset_11;
    let less_6 = bitcast<u32>(offset_11) < bits_0;
    let in_bounds_6 = both_3 && less_6;
    let out_2 = select(0u, atomicLoad(&out[select(0, index_2, in_bounds_6)]), in_bounds_6);
    let index_3 = params.out_offset + offset_12;
    let less_7 = bitcast<u32>(offset_12) < bits_0;
    let in_bounds_7 = both_4 && less_7;
    let out_3 = select(0u, atomicLoad(&out[select(0, index_3, in_bounds_7)]), in_bounds_7);
    // kernels/indexed_kernel.go
    let index_4 = thread & 15;
    let index_5 = index_4 + 16;
    let index_6 = index_4 + 32;
    let index_7 = index_4 + 48;
    let index_8 = index_4 + 64;
    let index_9 = index_4 + 80;
    let index_10 = index_4 + 96;
    let index_11 = index_4 + 112;
    let in_bounds_8 = thread < 16;
    let in_bounds_9 = thread == 0;
    // kernels/indexed_kernel.go
    let greater = (bitcast<u32>(updates_0) & 2147483647u) > 2139095040u;
    let greater_0 = (bitcast<u32>(updates_1) & 2147483647u) > 2139095040u;
    let greater_1 = (bitcast<u32>(updates_2) & 2147483647u) > 2139095040u;
    let greater_2 = (bitcast<u32>(updates_3) & 2147483647u) > 2139095040u;
    // kernels/indexed_kernel.go
    var carried: i32 = converted;
    var carried_0: i32 = converted_0;
    var carried_1: i32 = converted_1;
    var carried_2: i32 = converted_2;
    var carried_3: u32 = out_0;
    var carried_4: u32 = out_1;
    var carried_5: u32 = out_2;
    var carried_6: u32 = out_3;
    while (true) {
        // kernels/indexed_kernel.go
        parts[thread] = max(max(max(carried, carried_0), carried_1), carried_2);
        workgroupBarrier(); storageBarrier();
        let parts_1 = parts[index_4];
        let parts_2 = parts[index_5];
        let parts_3 = parts[index_6];
        let parts_4 = parts[index_7];
        let parts_5 = parts[index_8];
        let parts_6 = parts[index_9];
        let greatest = max(max(max(max(max(parts_1, parts_2), parts_3), parts_4), parts_5), parts_6);
        let parts_7 = parts[index_10];
        let parts_8 = parts[index_11];
        if (in_bounds_8) {
            parts_0[index_4] = max(max(greatest, parts_7), parts_8);
        }
        workgroupBarrier();
        let parts_9 = parts_0[0];
        let parts_10 = parts_0[1];
        let parts_11 = parts_0[2];
        let parts_12 = parts_0[3];
        let parts_13 = parts_0[4];
        let greatest_0 = max(max(max(max(parts_9, parts_10), parts_11), parts_12), parts_13);
        let parts_14 = parts_0[5];
        let parts_15 = parts_0[6];
        let parts_16 = parts_0[7];
        let parts_17 = parts_0[8];
        let greatest_1 = max(max(max(max(greatest_0, parts_14), parts_15), parts_16), parts_17);
        let parts_18 = parts_0[9];
        let parts_19 = parts_0[10];
        let parts_20 = parts_0[11];
        let parts_21 = parts_0[12];
        let greatest_2 = max(max(max(max(greatest_1, parts_18), parts_19), parts_20), parts_21);
        let parts_22 = parts_0[13];
        let parts_23 = parts_0[14];
        let parts_24 = parts_0[15];
        if (in_bounds_9) {
            scalar[0] = max(max(max(greatest_2, parts_22), parts_23), parts_24);
        }
        workgroupBarrier();
        let scalar_0 = workgroupUniformLoad(&scalar[0]);
        let greater_3 = scalar_0 > 0;
        // kernels/indexed_kernel.go
        if (!greater_3) {
            break;
        }
        // kernels/indexed_kernel.go
        let greater_4 = carried > 0;
        let greater_5 = carried_0 > 0;
        let greater_6 = carried_1 > 0;
        let greater_7 = carried_2 > 0;
        // kernels/indexed_kernel.go
        let bits_1 = bitcast<f32>(carried_3);
        let bits_2 = bitcast<f32>(carried_4);
        let bits_3 = bitcast<f32>(carried_5);
        let bits_4 = bitcast<f32>(carried_6);
        // kernels/indexed_kernel.go
        let chosen_1 = select(select(max(bits_1, updates_0), updates_0, greater), bits_1, (bitcast<u32>(bits_1) & 2147483647u) > 2139095040u);
        let chosen_2 = select(select(max(bits_2, updates_1), updates_1, greater_0), bits_2, (bitcast<u32>(bits_2) & 2147483647u) > 2139095040u);
        let chosen_3 = select(select(max(bits_3, updates_2), updates_2, greater_1), bits_3, (bitcast<u32>(bits_3) & 2147483647u) > 2139095040u);
        let chosen_4 = select(select(max(bits_4, updates_3), updates_3, greater_2), bits_4, (bitcast<u32>(bits_4) & 2147483647u) > 2139095040u);
        // kernels/indexed_kernel.go
        var old: u32 = 0u;
        if (greater_4 && less_4) {
            old = compare_out(index_0, carried_3, bitcast<u32>(chosen_1));
        }
        var old_0: u32 = 0u;
        if (greater_5 && less_5) {
            old_0 = compare_out(index_1, carried_4, bitcast<u32>(chosen_2));
        }
        var old_1: u32 = 0u;
        if (greater_6 && less_6) {
            old_1 = compare_out(index_2, carried_5, bitcast<u32>(chosen_3));
        }
        var old_2: u32 = 0u;
        if (greater_7 && less_7) {
            old_2 = compare_out(index_3, carried_6, bitcast<u32>(chosen_4));
        }
        carried = i32(greater_4 && old != carried_3);
        carried_0 = i32(greater_5 && old_0 != carried_4);
        carried_1 = i32(greater_6 && old_1 != carried_5);
        carried_2 = i32(greater_7 && old_2 != carried_6);
        carried_3 = old;
        carried_4 = old_0;
        carried_5 = old_1;
        carried_6 = old_2;
    }
}
