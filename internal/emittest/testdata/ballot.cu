extern "C" __global__ void __launch_bounds__(64) ballot(const int* __restrict__ x, int* __restrict__ out) {
    // ballot.go:3
    int thread = int(threadIdx.x);
    int x_0 = x[thread];
    unsigned ballot_0 = __ballot_sync(0xffffffffu, x_0 > 0);
    out[thread] = int(unsigned(__popc(ballot_0)));
}
