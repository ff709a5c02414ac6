__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}

extern "C" __global__ void __launch_bounds__(32) loops(const int* x, int* __restrict__ out, int p) {
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    // loops.go:1
    int acc = thread;
    int acc_0 = p;
    for (int i = 0; i < 7; ++i) {
        int next_acc = acc_0;
        acc_0 = acc + acc_0;
        acc = next_acc;
    }
    int index = thread * 8;
    out[index] = acc;
    // loops.go:2
    int acc_1 = thread;
    int acc_2 = p;
    for (int i_0 = 0; i_0 < 5; ++i_0) {
        int next_acc_0 = acc_2;
        acc_2 = acc_1;
        acc_1 = next_acc_0;
    }
    out[index + 1] = acc_1 - (acc_2 - thread);
    // loops.go:3
    int acc_3 = thread;
    for (int i_1 = 0; i_1 < 3; ++i_1) {
        acc_3 = acc_3 ^ i_1;
    }
    for (int i_2 = 0; i_2 < 3; ++i_2) {
        int x_0 = x[i_2];
        acc_3 = wrap_add(acc_3, x_0);
    }
    // loops.go:4
    int acc_4 = p;
    int acc_5 = thread;
    for (int i_3 = 0; i_3 < 4; ++i_3) {
        int acc_6 = acc_3;
        for (int i_4 = 0; i_4 < 2; ++i_4) {
            acc_6 = wrap_add(acc_6, i_4);
            acc_4 *= 3;
        }
        acc_5 = wrap_add(acc_5, acc_6);
    }
    out[index + 2] = acc_4;
    out[index + 3] = acc_5;
}
