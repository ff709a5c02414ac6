package distribution

import (
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
)

// Swizzled128 is where the elements of a matrix, of so many bytes, are with a 128-byte XOR swizzle along a dimension: line by line, those of the
// elements beyond a line after all others, with an XOR swizzle of 16-byte chunks by the line's number.
func Swizzled128(shape []int, along, size int) layout.Linear {
	chunk, width := AccessBytes/size, simt.LineBytes/size
	var bases [2][][]int
	for x := 1; x < shape[along]; x *= 2 {
		at := x
		if x >= width {
			at = x * shape[1-along]
		}
		bases[along] = append(bases[along], []int{at})
	}
	for line := 1; line < shape[1-along]; line *= 2 {
		at := line * width
		if line < 8 {
			at ^= line * chunk
		}
		bases[1-along] = append(bases[1-along], []int{at})
	}
	return MatrixOffsets(shape, bases)
}

// SwizzledRows is where the elements of a matrix are in rows along a dimension: the number of a row changes the number of
// the chunk of 16 bytes within it. Threads that load single words of a row's column read two chunks of it.
func SwizzledRows(shape []int, along, size int, direct bool) layout.Linear {
	chunk, width := AccessBytes/size, shape[along]
	lines := max(1, BankBytes/(width*size)) // rows that fill all banks
	first := chunk
	if !direct {
		lines, first = 1, 2*chunk
	}
	var bases [2][][]int
	for x := 1; x < width; x *= 2 {
		bases[along] = append(bases[along], []int{x})
	}
	flip := first
	for row := 1; row < shape[1-along]; row *= 2 {
		at := row * width
		if row >= lines && flip < min(width, BankBytes/size) {
			at ^= flip
			flip *= 2
		}
		bases[1-along] = append(bases[1-along], []int{at})
	}
	return MatrixOffsets(shape, bases)
}

// MatrixOffsets is where the elements of a matrix are in an array for it, by what each bit of their two coordinates moves them.
func MatrixOffsets(shape []int, bases [2][][]int) layout.Linear {
	l, err := layout.NewLinear([]int{shape[0] * shape[1]}, []layout.Input{
		{Name: layout.DimName(0), Bases: bases[0]}, {Name: layout.DimName(1), Bases: bases[1]}})
	if err != nil {
		panic(err) // they all are in the array
	}
	return l
}

// AccessBytes is the widest access to a buffer by one thread: CUDA's 128-bit loads and
// stores, WGSL's vec4<u32>.
const AccessBytes = 16

// BankBytes is what all banks of shared memory serve at once.
const BankBytes = 128
