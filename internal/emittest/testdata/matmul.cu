extern "C" __global__ void __launch_bounds__(128) matmul(
    const float* __restrict__ a,
    const float* __restrict__ b,
    float* __restrict__ c,
    int m,
    int n,
    int k) {
    __shared__ alignas(16) float tile_a[256];
    __shared__ alignas(16) float tile_b[256];
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
        float a_0 = offset_1 < m && i + col < k ? a[offset_1 * k + i + col] : 0.0f;
        tile_a[row * 16 + col] = a_0;
        int offset_2 = row + 8;
        int offset_3 = offset + offset_2;
        float a_1 = offset_3 < m && i + col < k ? a[offset_3 * k + i + col] : 0.0f;
        tile_a[offset_2 * 16 + col] = a_1;
        // matmul.go:23
        int offset_4 = i + row;
        float b_0 = offset_4 < k && offset_0 < n ? b[offset_4 * n + offset_0] : 0.0f;
        tile_b[row * 16 + col] = b_0;
        int offset_5 = row + 8;
        int offset_6 = i + offset_5;
        float b_1 = offset_6 < k && offset_0 < n ? b[offset_6 * n + offset_0] : 0.0f;
        tile_b[offset_5 * 16 + col] = b_1;
        // matmul.go:24
        __syncthreads();
        #pragma unroll
        for (int i_0 = 0; i_0 < 16; ++i_0) {
            float tile_b_0 = tile_b[i_0 * 16 + col];
            float tile_a_0 = tile_a[row * 16 + i_0];
            acc = fmaf(tile_a_0, tile_b_0, acc);
            float tile_a_1 = tile_a[(row + 8) * 16 + i_0];
            acc_0 = fmaf(tile_a_1, tile_b_0, acc_0);
        }
        __syncthreads();
    }
    // matmul.go:27
    int offset_7 = offset + row;
    if (offset_7 < m && offset_0 < n) {
        c[offset_7 * n + offset_0] = acc;
    }
    int offset_8 = offset + row + 8;
    if (offset_8 < m && offset_0 < n) {
        c[offset_8 * n + offset_0] = acc_0;
    }
}
