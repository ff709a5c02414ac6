package layout_test

import (
	"fmt"

	"github.com/weftgpu/weft/layout"
)

// The column of a row is XORed with the row, in units of 2 elements.
func ExampleSwizzle() {
	s, _ := layout.NewSwizzle(2, 1, 2)
	rows, _ := layout.Contiguous(4, 8)
	a, _ := layout.NewSwizzled(s, rows)
	fmt.Println(a)
	for row := range 4 {
		for col := range 8 {
			fmt.Printf("%3d", a.At(row, col))
		}
		fmt.Println()
	}
	l, _ := a.Linear()
	fmt.Println(l)
	// Output:
	// swizzle(2,1,2) of (4,8):(8,1)
	//   0  1  2  3  4  5  6  7
	//  10 11  8  9 14 15 12 13
	//  20 21 22 23 16 17 18 19
	//  30 31 28 29 26 27 24 25
	// (32) dim0:(10)(20) dim1:(1)(2)(4)
}

// 32 lanes read neighbours, one word, and a column of a matrix of 32 words a row.
func ExampleWavefronts() {
	lanes := func(stride int) []int {
		at := make([]int, 32)
		for lane := range at {
			at[lane] = lane * stride
		}
		return at
	}
	for _, stride := range []int{4, 0, 128} {
		n, _ := layout.Wavefronts(lanes(stride), 4)
		fmt.Println("stride", stride, "bytes:", n)
	}
	n, _ := layout.Wavefronts(lanes(16), 16)
	fmt.Println("16 bytes a lane:", n)
	// Output:
	// stride 4 bytes: 1
	// stride 0 bytes: 1
	// stride 128 bytes: 32
	// 16 bytes a lane: 4
}

// A tile of 32x32 floats is written by rows, four elements a thread, and read by
// columns.
func ExampleConflictFree() {
	tile := []int{32, 32}
	write := layout.Blocked(tile, 64, []int{1, 0}, []int{1, 4})
	read := layout.Blocked(tile, 64, []int{0, 1}, []int{1, 1})
	rows, _ := layout.Contiguous(tile...)
	plain, _ := layout.NewSwizzled(layout.Swizzle{}, rows)
	best, _ := layout.ConflictFree(rows, write, read, 4)
	for _, a := range []layout.Swizzled{plain, best} {
		in, _ := a.Access(write, 4)
		out, _ := a.Access(read, 4)
		fmt.Println(a)
		fmt.Println("  write:", in.Requests, "of", in.Bytes, "bytes,", in.Wavefronts, "wavefronts, least", in.Least)
		fmt.Println("  read: ", out.Requests, "of", out.Bytes, "bytes,", out.Wavefronts, "wavefronts, least", out.Least)
	}
	// Output:
	// swizzle(0,0,0) of (32,32):(32,1)
	//   write: 8 of 16 bytes, 32 wavefronts, least 32
	//   read:  32 of 4 bytes, 1024 wavefronts, least 32
	// swizzle(5,0,5) of (32,32):(32,1)
	//   write: 32 of 4 bytes, 32 wavefronts, least 32
	//   read:  32 of 4 bytes, 32 wavefronts, least 32
}

// A pair that no single swizzle frees of conflicts: the columns of a 64x64 tile
// of floats, written by rows.
func ExampleConflictFreeArray() {
	tile := []int{64, 64}
	write := layout.Blocked(tile, 256, []int{1, 0}, []int{1, 4})
	read := layout.Blocked(tile, 256, []int{0, 1}, []int{1, 1})
	rows, _ := layout.Contiguous(tile...)
	swizzled, _ := layout.ConflictFree(rows, write, read, 4)
	array, _ := layout.ConflictFreeArray(write, read, 4)
	for _, dist := range []layout.Linear{write, read} {
		with, _ := swizzled.Access(dist, 4)
		free, _ := array.Access(dist, 4)
		fmt.Println("swizzled:", with.Wavefronts, "array:", free.Wavefronts, "least:", free.Least)
	}
	// Output:
	// swizzled: 128 array: 128 least: 128
	// swizzled: 256 array: 128 least: 128
}
