struct alignas(8) i32x2 { int x, y; };

__device__ inline i32x2 splat2(int a) {
    return {a, a};
}
__device__ inline int wrap_add(int a, int b) {
    return int(unsigned(a) + unsigned(b));
}
template <int bits> __device__ inline int shared_rank(int* counts, int index) {
    unsigned same = 0xffffffffu;
    #pragma unroll
    for (int bit = 0; bit < bits; ++bit) {
        bool set = (index >> bit & 1) != 0;
        unsigned ballot = __ballot_sync(0xffffffffu, set);
        same &= set ? ballot : ~ballot;
    }
    unsigned before = same & ((1u << (threadIdx.x & 31u)) - 1u);
    int count = counts[index];
    __syncwarp();
    if (before == 0) {
        counts[index] = count + __popc(same);
    }
    __syncwarp();
    return count + __popc(before);
}

extern "C" __global__ void __launch_bounds__(64) rank(const int* __restrict__ x, int* __restrict__ out) {
    __shared__ alignas(16) int counts[128];
    // rank.go:3
    int thread = int(threadIdx.x);
    *(i32x2*)&counts[thread << 1] = splat2(0);
    __syncthreads();
    int x_0 = x[thread];
    int count = shared_rank<6>(counts, wrap_add(x_0 & 63, (thread >> 5) << 6));
    out[thread] = count;
}
