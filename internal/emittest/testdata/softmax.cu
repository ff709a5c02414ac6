extern "C" __global__ void __launch_bounds__(256) softmax_rows(
    const float* x,
    float* __restrict__ y,
    int cols,
    int rows) {
    __shared__ alignas(16) float partial[256];
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    // softmax.go:30
    int group_x = int(blockIdx.x);
    int thread = int(threadIdx.x);
    if (group_x >= rows) {
        return;
    }
    int index = group_x * cols + thread;
    bool in_bounds = thread < cols;
    float x_0 = in_bounds ? x[index] : __int_as_float(0xff800000);
    // softmax.go:31
    __syncthreads();
    partial[thread] = x_0;
    __syncthreads();
    bool less = thread < 128;
    if (less) {
        float partial_0 = partial[thread + 128];
        float partial_1 = partial[thread];
        partial[thread] = fmaxf(partial_1, partial_0);
    }
    __syncthreads();
    bool less_0 = thread < 64;
    if (less_0) {
        float partial_2 = partial[thread + 64];
        float partial_3 = partial[thread];
        partial[thread] = fmaxf(partial_3, partial_2);
    }
    __syncthreads();
    bool less_1 = thread < 32;
    if (less_1) {
        float partial_4 = partial[thread + 32];
        float partial_5 = partial[thread];
        partial[thread] = fmaxf(partial_5, partial_4);
    }
    __syncthreads();
    bool less_2 = thread < 16;
    if (less_2) {
        float partial_6 = partial[thread + 16];
        float partial_7 = partial[thread];
        partial[thread] = fmaxf(partial_7, partial_6);
    }
    __syncthreads();
    bool less_3 = thread < 8;
    if (less_3) {
        float partial_8 = partial[thread + 8];
        float partial_9 = partial[thread];
        partial[thread] = fmaxf(partial_9, partial_8);
    }
    __syncthreads();
    bool less_4 = thread < 4;
    if (less_4) {
        float partial_10 = partial[thread + 4];
        float partial_11 = partial[thread];
        partial[thread] = fmaxf(partial_11, partial_10);
    }
    __syncthreads();
    bool less_5 = thread < 2;
    if (less_5) {
        float partial_12 = partial[thread + 2];
        float partial_13 = partial[thread];
        partial[thread] = fmaxf(partial_13, partial_12);
    }
    __syncthreads();
    bool less_6 = thread < 1;
    if (less_6) {
        float partial_14 = partial[thread + 1];
        float partial_15 = partial[thread];
        partial[thread] = fmaxf(partial_15, partial_14);
    }
    __syncthreads();
    float partial_16 = partial[0];
    float power = expf(x_0 - partial_16);
    // softmax.go:32
    __syncthreads();
    partial[thread] = power;
    __syncthreads();
    if (less) {
        float partial_17 = partial[thread + 128];
        float partial_18 = partial[thread];
        partial[thread] = partial_18 + partial_17;
    }
    __syncthreads();
    if (less_0) {
        float partial_19 = partial[thread + 64];
        float partial_20 = partial[thread];
        partial[thread] = partial_20 + partial_19;
    }
    __syncthreads();
    if (less_1) {
        float partial_21 = partial[thread + 32];
        float partial_22 = partial[thread];
        partial[thread] = partial_22 + partial_21;
    }
    __syncthreads();
    if (less_2) {
        float partial_23 = partial[thread + 16];
        float partial_24 = partial[thread];
        partial[thread] = partial_24 + partial_23;
    }
    __syncthreads();
    if (less_3) {
        float partial_25 = partial[thread + 8];
        float partial_26 = partial[thread];
        partial[thread] = partial_26 + partial_25;
    }
    __syncthreads();
    if (less_4) {
        float partial_27 = partial[thread + 4];
        float partial_28 = partial[thread];
        partial[thread] = partial_28 + partial_27;
    }
    __syncthreads();
    if (less_5) {
        float partial_29 = partial[thread + 2];
        float partial_30 = partial[thread];
        partial[thread] = partial_30 + partial_29;
    }
    __syncthreads();
    if (less_6) {
        float partial_31 = partial[thread + 1];
        float partial_32 = partial[thread];
        partial[thread] = partial_32 + partial_31;
    }
    __syncthreads();
    float partial_33 = partial[0];
    if (in_bounds) {
        y[index] = power / partial_33;
    }
}
