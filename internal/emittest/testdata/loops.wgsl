@group(0) @binding(0) var<storage, read> x: array<i32>;
@group(0) @binding(1) var<storage, read_write> out: array<i32>;

struct Params {
    p: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(32, 1, 1)
fn loops(@builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    // loops.go:1
    var acc: i32 = thread;
    var acc_0: i32 = params.p;
    for (var i: i32 = 0; i < 7; i += 1) {
        let next_acc = acc_0;
        acc_0 = acc + acc_0;
        acc = next_acc;
    }
    let index = thread * 8;
    out[index] = acc;
    // loops.go:2
    var acc_1: i32 = thread;
    var acc_2: i32 = params.p;
    for (var i_0: i32 = 0; i_0 < 5; i_0 += 1) {
        let next_acc_0 = acc_2;
        acc_2 = acc_1;
        acc_1 = next_acc_0;
    }
    out[index + 1] = acc_1 - (acc_2 - thread);
    // loops.go:3
    var acc_3: i32 = thread;
    for (var i_1: i32 = 0; i_1 < 3; i_1 += 1) {
        acc_3 = acc_3 ^ i_1;
    }
    for (var i_2: i32 = 0; i_2 < 3; i_2 += 1) {
        let x_0 = x[i_2];
        acc_3 += x_0;
    }
    // loops.go:4
    var acc_4: i32 = params.p;
    var acc_5: i32 = thread;
    for (var i_3: i32 = 0; i_3 < 4; i_3 += 1) {
        var acc_6: i32 = acc_3;
        for (var i_4: i32 = 0; i_4 < 2; i_4 += 1) {
            acc_6 += i_4;
            acc_4 *= 3;
        }
        acc_5 += acc_6;
    }
    out[index + 2] = acc_4;
    out[index + 3] = acc_5;
}
