struct alignas(16) f32x4 { float x, y, z, w; };

__device__ inline f32x4 splat4(float a) {
    return {a, a, a, a};
}
__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}

extern "C" __global__ void __launch_bounds__(64) atomics(
    int* __restrict__ n,
    unsigned* __restrict__ bits,
    float* __restrict__ sums,
    int limit) {
    __shared__ alignas(16) int scalar[1];
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    int thread = int(threadIdx.x);
    // atomics.go:9
    bool in_bounds = thread < limit;
    int old = -1;
    if (in_bounds) {
        old = atomicAdd(&n[0], thread);
    }
    // atomics.go:10
    atomicMax(&n[1], old);
    unsigned converted = unsigned(thread);
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
    atomicExch(&n[6], old);
    if (in_bounds) {
        atomicExch(&bits[6], converted);
    }
    // atomics.go:11
    int old_0 = atomicCAS(&n[9], 7, thread);
    if (in_bounds) {
        atomicCAS(&bits[9], converted, unsigned(old_0));
    }
    // atomics.go:12
    int index = thread * 4;
    f32x4 sums_0 = in_bounds ? *(const f32x4*)&sums[index] : splat4(1.0f);
    float old_1 = 0.0f;
    if (in_bounds) {
        old_1 = atomicAdd(&sums[1], sums_0.z);
    }
    sums[thread + 300] = old_1;
    if (in_bounds) {
        *(f32x4*)&sums[index] = sums_0;
    }
    // atomics.go:13
    if (thread == 0) {
        scalar[0] = old_0;
    }
    __syncthreads();
    int scalar_0 = scalar[0];
    int n_0 = n[thread];
    n[thread] = wrap_add(scalar_0, n_0);
}
