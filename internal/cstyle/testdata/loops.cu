__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}

extern "C" __global__ void __launch_bounds__(32) loops(
    const int* __restrict__ x,
    int* __restrict__ out,
    int p) {
    int thread = int(threadIdx.x);
    // loops.go:1
    int carried = thread;
    int carried_0 = p;
    for (int i = 0; i < 7; ++i) {
        int next_carried = carried_0;
        carried_0 = carried + carried_0;
        carried = next_carried;
    }
    out[thread * 8] = carried;
    // loops.go:2
    int carried_1 = thread;
    int carried_2 = p;
    for (int i_0 = 0; i_0 < 5; ++i_0) {
        int next_carried_0 = carried_2;
        carried_2 = carried_1;
        carried_1 = next_carried_0;
    }
    out[thread * 8 + 1] = carried_1 - (carried_2 - thread);
    // loops.go:3
    int carried_3 = thread;
    for (int i_1 = 0; i_1 < 3; ++i_1) {
        carried_3 = carried_3 ^ i_1;
    }
    for (int i_2 = 0; i_2 < 3; ++i_2) {
        int x_0 = x[i_2];
        carried_3 = wrap_add(carried_3, x_0);
    }
    // loops.go:4
    int carried_4 = p;
    int carried_5 = thread;
    for (int i_3 = 0; i_3 < 4; ++i_3) {
        int carried_6 = carried_3;
        for (int i_4 = 0; i_4 < 2; ++i_4) {
            carried_6 = wrap_add(carried_6, i_4);
            carried_4 *= 3;
        }
        carried_5 = wrap_add(carried_5, carried_6);
    }
    out[thread * 8 + 2] = carried_4;
    out[thread * 8 + 3] = carried_5;
}
