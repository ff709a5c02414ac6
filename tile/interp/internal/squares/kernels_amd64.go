package squares

import (
	"math/bits"

	"github.com/weftgpu/weft/tile/interp/internal/processor"
)

// kernels are those for elements of 1, 2, 4 and 8 bytes, the widest vectors first.
var kernels = [4][]kernel{
	{{64, avx512x1}, {32, avx2x1}, {16, avxx1}},
	{{32, avx512x2}, {16, avx2x2}, {8, avxx2}},
	{{16, avx512x4}, {8, avx2x4}, {4, avxx4}},
	{{8, avx512x8}, {4, avx2x8}, {2, avxx8}},
}

// first is how many kinds of kernels this processor lacks.
var first = map[processor.Vectors]int{processor.None: 3, processor.AVX2: 1}[processor.Best]

// kernelsOf are the kernels that this processor has for elements of a size.
func kernelsOf(size int) []kernel { return kernels[bits.TrailingZeros(uint(size))][first:] }
