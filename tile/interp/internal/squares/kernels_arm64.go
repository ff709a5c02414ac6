package squares

import (
	"math/bits"

	"github.com/weftgpu/weft/tile/interp/internal/processor"
)

// kernels are those for elements of 1, 2, 4 and 8 bytes.
var kernels = [4][]kernel{{{16, neonx1}}, {{8, neonx2}}, {{4, neonx4}}, {{2, neonx8}}}

// kernelsOf are the kernels for elements of a size.
func kernelsOf(size int) []kernel {
	if processor.Best != processor.NEON {
		return nil
	}
	return kernels[bits.TrailingZeros(uint(size))]
}

// neonx1 transposes 16 lines of n times 16 elements of one byte. Steps are bytes between lines.
//
//go:noescape
func neonx1(to *byte, toStep int, from *byte, fromStep, n int)

// neonx2 is neonx1 for 8 lines of 8 elements of two bytes.
//
//go:noescape
func neonx2(to *byte, toStep int, from *byte, fromStep, n int)

// neonx4 is neonx1 for 4 lines of 4 elements of four bytes.
//
//go:noescape
func neonx4(to *byte, toStep int, from *byte, fromStep, n int)

// neonx8 is neonx1 for 2 lines of 2 elements of eight bytes.
//
//go:noescape
func neonx8(to *byte, toStep int, from *byte, fromStep, n int)
