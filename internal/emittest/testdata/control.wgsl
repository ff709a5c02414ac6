@group(0) @binding(0) var<storage, read> x: array<i32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
var<workgroup> parts: array<f32, 64>;

struct Params {
    n: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64, 1, 1)
fn control(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) thread_id: u32) {
    let thread = i32(thread_id);
    // control.go:5
    if (i32(workgroup.x) > params.n) {
        return;
    }
    // control.go:6
    var acc: i32 = params.n;
    var acc_0: f32 = 0.0;
    var acc_1: f32 = 1.0;
    while (true) {
        if (!(acc > 3)) {
            break;
        }
        // control.go:7
        let equal = (acc & 1) == 1;
        var chosen: f32;
        var chosen_0: f32;
        if (equal) {
            parts[thread] = acc_0;
            workgroupBarrier();
            let parts_0 = parts[thread ^ 1];
            workgroupBarrier();
            chosen = acc_0 + parts_0;
            chosen_0 = acc_0;
        } else {
            chosen = acc_0 * acc_1;
            chosen_0 = acc_1 + 1.0;
        }
        // control.go:8
        var chosen_1: i32 = 4;
        if (equal) {
            let x_0 = x[acc];
            chosen_1 = x_0;
        }
        if (acc == 9) {
            y[100] = chosen;
        } else {
            y[101] = f32(chosen_1);
        }
        acc = (acc - 1) / 2;
        acc_0 = chosen_0;
        acc_1 = chosen;
    }
    // control.go:9
    y[thread] = acc_0 + f32(acc);
}
