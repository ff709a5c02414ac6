@group(0) @binding(0) var<storage, read_write> n: array<atomic<i32>>;
@group(0) @binding(1) var<storage, read_write> bits: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> sums: array<atomic<u32>>;
var<workgroup> scalar: array<i32, 1>;

struct Params {
    limit: i32,
}
@group(0) @binding(3) var<uniform> params: Params;

// Writes a value to an element of n that is equal to what is expected, and returns
// what it held: WGSL's own op may fail without a reason.
fn compare_n(index: i32, expected: i32, value: i32) -> i32 {
    var old = expected;
    loop {
        let tried = atomicCompareExchangeWeak(&n[index], expected, value);
        old = tried.old_value;
        if (tried.exchanged || old != expected) {
            break;
        }
    }
    return old;
}

// Writes a value to an element of bits that is equal to what is expected, and returns
// what it held: WGSL's own op may fail without a reason.
fn compare_bits(index: i32, expected: u32, value: u32) -> u32 {
    var old = expected;
    loop {
        let tried = atomicCompareExchangeWeak(&bits[index], expected, value);
        old = tried.old_value;
        if (tried.exchanged || old != expected) {
            break;
        }
    }
    return old;
}

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
fn atomics(@builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    // atomics.go:9
    let in_bounds = thread < params.limit;
    var old: i32 = -1;
    if (in_bounds) {
        old = atomicAdd(&n[0], thread);
    }
    // atomics.go:10
    atomicMax(&n[1], old);
    let converted = u32(thread);
    if (in_bounds) {
        atomicMax(&bits[1], converted);
    }
    atomicMin(&n[2], old);
    if (in_bounds) {
        atomicMin(&bits[2], converted);
    }
    atomicAnd(&n[3], old);
    if (in_bounds) {
        atomicAnd(&bits[3], converted);
    }
    atomicOr(&n[4], old);
    if (in_bounds) {
        atomicOr(&bits[4], converted);
    }
    atomicXor(&n[5], old);
    if (in_bounds) {
        atomicXor(&bits[5], converted);
    }
    atomicExchange(&n[6], old);
    if (in_bounds) {
        atomicExchange(&bits[6], converted);
    }
    // atomics.go:11
    let old_0 = compare_n(9, 7, thread);
    if (in_bounds) {
        compare_bits(9, converted, u32(old_0));
    }
    // atomics.go:12
    let index = thread * 4;
    let at = select(0, index, in_bounds);
    let sums_0 = select(vec4<f32>(1.0), bitcast<vec4<f32>>(vec4<u32>(atomicLoad(&sums[at]), atomicLoad(&sums[at + 1]), atomicLoad(&sums[at + 2]), atomicLoad(&sums[at + 3]))), in_bounds);
    var old_1: f32 = 0.0;
    if (in_bounds) {
        old_1 = add_sums(1, sums_0.z);
    }
    atomicStore(&sums[thread + 300], bitcast<u32>(old_1));
    if (in_bounds) {
        let words = bitcast<vec4<u32>>(sums_0);
        atomicStore(&sums[index], words.x);
        atomicStore(&sums[index + 1], words.y);
        atomicStore(&sums[index + 2], words.z);
        atomicStore(&sums[index + 3], words.w);
    }
    // atomics.go:13
    if (thread == 0) {
        scalar[0] = old_0;
    }
    workgroupBarrier(); storageBarrier();
    let scalar_0 = workgroupUniformLoad(&scalar[0]);
    let n_0 = atomicLoad(&n[thread]);
    atomicStore(&n[thread], scalar_0 + n_0);
}
