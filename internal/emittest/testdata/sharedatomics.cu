__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}

extern "C" __global__ void __launch_bounds__(64) sharedatomics(
    const int* x,
    const float* y,
    float* __restrict__ out,
    int limit) {
    __shared__ alignas(16) int n[64];
    __shared__ alignas(16) unsigned bits[64];
    __shared__ alignas(16) float sums[64];
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    // sharedatomics.go:3
    int x_0 = x[thread];
    float y_0 = y[thread];
    bool in_bounds = thread < limit;
    n[thread] = 0;
    unsigned converted = unsigned(thread);
    bits[thread] = converted;
    sums[thread] = y_0;
    __syncthreads();
    // sharedatomics.go:4
    atomicAdd(&n[x_0], thread);
    if (in_bounds) {
        atomicAdd(&bits[x_0], converted);
    }
    __syncthreads();
    atomicMax(&n[x_0], thread);
    if (in_bounds) {
        atomicMax(&bits[x_0], converted);
    }
    __syncthreads();
    atomicMin(&n[x_0], thread);
    if (in_bounds) {
        atomicMin(&bits[x_0], converted);
    }
    __syncthreads();
    atomicAnd(&n[x_0], thread);
    if (in_bounds) {
        atomicAnd(&bits[x_0], converted);
    }
    __syncthreads();
    atomicOr(&n[x_0], thread);
    if (in_bounds) {
        atomicOr(&bits[x_0], converted);
    }
    __syncthreads();
    atomicXor(&n[x_0], thread);
    if (in_bounds) {
        atomicXor(&bits[x_0], converted);
    }
    __syncthreads();
    // sharedatomics.go:5
    atomicAdd(&sums[x_0], y_0);
    if (in_bounds) {
        atomicAdd(&sums[x_0 ^ 1], y_0);
    }
    __syncthreads();
    // sharedatomics.go:6
    int n_0 = n[thread];
    unsigned bits_0 = bits[thread];
    float sums_0 = sums[thread];
    out[thread] = float(wrap_add(n_0, int(bits_0))) + sums_0;
}
