extern "C" __global__ void __launch_bounds__(64) control(const int* x, float* __restrict__ y, int n) {
    __shared__ alignas(16) float parts[64];
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    // control.go:5
    if (int(blockIdx.x) > n) {
        return;
    }
    // control.go:6
    int acc = n;
    float acc_0 = 0.0f;
    float acc_1 = 1.0f;
    while (true) {
        if (!(acc > 3)) {
            break;
        }
        // control.go:7
        bool equal = (acc & 1) == 1;
        float chosen;
        float chosen_0;
        if (equal) {
            parts[thread] = acc_0;
            __syncthreads();
            float parts_0 = parts[thread ^ 1];
            __syncthreads();
            chosen = acc_0 + parts_0;
            chosen_0 = acc_0;
        } else {
            chosen = acc_0 * acc_1;
            chosen_0 = acc_1 + 1.0f;
        }
        // control.go:8
        int chosen_1 = 4;
        if (equal) {
            int x_0 = x[acc];
            chosen_1 = x_0;
        }
        if (acc == 9) {
            y[100] = chosen;
        } else {
            y[101] = float(chosen_1);
        }
        acc = (acc - 1) / 2;
        acc_0 = chosen_0;
        acc_1 = chosen;
    }
    // control.go:9
    y[thread] = acc_0 + float(acc);
}
