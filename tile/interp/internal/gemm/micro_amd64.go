package gemm

import "github.com/weftgpu/weft/tile/interp/internal/processor"

// micros lists the kernels that this processor has, the fastest first.
var micros = []*micro{{"avx512", 8, 32, avx512}, {"avx2", 4, 16, avx2}}[min(processor.AVX512-processor.Best, 2):]
