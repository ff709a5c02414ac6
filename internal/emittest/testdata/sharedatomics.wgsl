@group(0) @binding(0) var<storage, read> x: array<i32>;
@group(0) @binding(1) var<storage, read> y: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
var<workgroup> n: array<atomic<i32>, 64>;
var<workgroup> bits: array<atomic<u32>, 64>;
var<workgroup> sums: array<atomic<u32>, 64>;

struct Params {
    limit: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

// Adds to an element of sums and returns what it held: WGSL has no such op on f32.
fn add_sums(index: i32, value: f32) -> f32 {
    var old = atomicLoad(&sums[index]);
    loop {
        let tried = atomicCompareExchangeWeak(&sums[index], old, bitcast<u32>(bitcast<f32>(old) + value));
        if (tried.exchanged) {
            break;
        }
        old = tried.old_value;
    }
    return bitcast<f32>(old);
}

@compute @workgroup_size(64, 1, 1)
fn sharedatomics(@builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    // sharedatomics.go:3
    let x_0 = x[thread];
    let y_0 = y[thread];
    let in_bounds = thread < params.limit;
    atomicStore(&n[thread], 0);
    let converted = u32(thread);
    atomicStore(&bits[thread], converted);
    atomicStore(&sums[thread], bitcast<u32>(y_0));
    workgroupBarrier();
    // sharedatomics.go:4
    atomicAdd(&n[x_0], thread);
    if (in_bounds) {
        atomicAdd(&bits[x_0], converted);
    }
    workgroupBarrier();
    atomicMax(&n[x_0], thread);
    if (in_bounds) {
        atomicMax(&bits[x_0], converted);
    }
    workgroupBarrier();
    atomicMin(&n[x_0], thread);
    if (in_bounds) {
        atomicMin(&bits[x_0], converted);
    }
    workgroupBarrier();
    atomicAnd(&n[x_0], thread);
    if (in_bounds) {
        atomicAnd(&bits[x_0], converted);
    }
    workgroupBarrier();
    atomicOr(&n[x_0], thread);
    if (in_bounds) {
        atomicOr(&bits[x_0], converted);
    }
    workgroupBarrier();
    atomicXor(&n[x_0], thread);
    if (in_bounds) {
        atomicXor(&bits[x_0], converted);
    }
    workgroupBarrier();
    // sharedatomics.go:5
    add_sums(x_0, y_0);
    if (in_bounds) {
        add_sums(x_0 ^ 1, y_0);
    }
    workgroupBarrier();
    // sharedatomics.go:6
    let n_0 = atomicLoad(&n[thread]);
    let bits_0 = atomicLoad(&bits[thread]);
    let sums_0 = bitcast<f32>(atomicLoad(&sums[thread]));
    out[thread] = f32(n_0 + i32(bits_0)) + sums_0;
}
