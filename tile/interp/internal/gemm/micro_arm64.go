package gemm

import "github.com/weftgpu/weft/tile/interp/internal/processor"

// micros lists the kernels that this processor has.
var micros = []*micro{{"neon", 4, 16, neon}}[:min(processor.Best, 1)]

// neon adds a @ b to 4 rows of 16 columns of c. b is packed; k is a positive multiple of 4.
//
//go:noescape
func neon(k int, a *float32, lda int, b *float32, c *float32, ldc int)
