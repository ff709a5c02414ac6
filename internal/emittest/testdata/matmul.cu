extern "C" __global__ void __launch_bounds__(128) matmul(
    const float* a,
    const float* b,
    float* __restrict__ c,
    int m,
    int n,
    int k) {
    __shared__ alignas(16) float tile_a[256];
    __shared__ alignas(16) float tile_b[256];
    asm volatile("griddepcontrol.wait;" ::: "memory"); // for the launches before
    // matmul.go:20
    int thread = int(threadIdx.x);
    int row = thread >> 4;
    int col = thread & 15;
    int offset = int(blockIdx.y) * 16;
    int offset_0 = int(blockIdx.x) * 16 + col;
    float acc = 0.0f;
    float acc_0 = 0.0f;
    for (int i = 0; i < k; i += 16) {
        // matmul.go:22
        int offset_1 = offset + row;
        int offset_2 = i + col;
        bool less = offset_2 < k;
        float a_0 = offset_1 < m && less ? a[offset_1 * k + offset_2] : 0.0f;
        int offset_3 = row * 16;
        int index = offset_3 + col;
        tile_a[index] = a_0;
        int offset_4 = row + 8;
        int offset_5 = offset + offset_4;
        float a_1 = offset_5 < m && less ? a[offset_5 * k + offset_2] : 0.0f;
        int offset_6 = offset_4 * 16;
        int index_0 = offset_6 + col;
        tile_a[index_0] = a_1;
        // matmul.go:23
        int offset_7 = i + row;
        bool less_0 = offset_0 < n;
        float b_0 = offset_7 < k && less_0 ? b[offset_7 * n + offset_0] : 0.0f;
        tile_b[index] = b_0;
        int offset_8 = i + offset_4;
        float b_1 = offset_8 < k && less_0 ? b[offset_8 * n + offset_0] : 0.0f;
        tile_b[index_0] = b_1;
        // matmul.go:24
        __syncthreads();
        #pragma unroll
        for (int i_0 = 0; i_0 < 16; ++i_0) {
            float tile_b_0 = tile_b[i_0 * 16 + col];
            float tile_a_0 = tile_a[offset_3 + i_0];
            acc = fmaf(tile_a_0, tile_b_0, acc);
            float tile_a_1 = tile_a[offset_6 + i_0];
            acc_0 = fmaf(tile_a_1, tile_b_0, acc_0);
        }
        __syncthreads();
    }
    // matmul.go:27
    int offset_9 = offset + row;
    bool less_1 = offset_0 < n;
    if (offset_9 < m && less_1) {
        c[offset_9 * n + offset_0] = acc;
    }
    int offset_10 = offset + row + 8;
    if (offset_10 < m && less_1) {
        c[offset_10 * n + offset_0] = acc_0;
    }
}
