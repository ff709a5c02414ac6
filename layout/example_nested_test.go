package layout_test

import (
	"fmt"

	"github.com/weftgpu/weft/layout"
)

// nested reads a layout that is known to be well formed.
func nested(text string) layout.Nested {
	a, err := layout.ParseNested(text)
	if err != nil {
		panic(err)
	}
	return a
}

// Four rows and two times three columns: one index counts through all of them,
// two coordinates tell rows and columns apart.
func ExampleNested() {
	a := nested("(4,(2,3)):(2,(1,8))")
	fmt.Println(a.Size(), a.Cosize(), a.Rank())
	fmt.Println(a.At(1), a.At(4), a.At(8), a.At(1, 2))
	fmt.Println(a.Mode(1), a.Flatten(), a.Coalesce())
	// Output:
	// 24 24 2
	// 2 1 8 10
	// (2,3):(1,8) (4,2,3):(2,1,8) (4,2,3):(2,1,8)
}

// Every second element of a 4x4 matrix that is stored by columns with padding.
func ExampleNested_Compose() {
	matrix := nested("(4,4):(1,5)")
	even := nested("8:2")
	picked, _ := matrix.Compose(even)
	fmt.Println(picked)
	fmt.Println(picked.At(0), picked.At(1), picked.At(2), picked.At(7))
	_, err := matrix.Compose(nested("4:3"))
	fmt.Println(err)
	// Output:
	// (2,4):(2,5)
	// 0 2 5 17
	// weft: compose: (4,4):(1,5) after 4:3: the sizes and strides do not divide: unsupported
}

func ExampleNested_Complement() {
	for _, a := range []string{"4:1", "4:2", "(2,4):(1,6)", "6:4"} {
		rest, _ := nested(a).Complement(24)
		fmt.Println(a, "is repeated by", rest)
	}
	_, err := nested("(2,2):(1,3)").Complement(24)
	fmt.Println(err)
	// Output:
	// 4:1 is repeated by 6:4
	// 4:2 is repeated by (2,3):(1,8)
	// (2,4):(1,6) is repeated by 3:2
	// 6:4 is repeated by 4:1
	// weft: complement: (2,2):(1,3) cannot be repeated without holes or overlap: stride 3 after 2 offsets: unsupported
}

// Columns become rows: the inverse of the transposing layout is the way back.
func ExampleNested_RightInverse() {
	a := nested("(4,8):(8,1)")
	back := a.RightInverse()
	fmt.Println(back, a.At(back.At(13)))
	left, _ := nested("4:2").LeftInverse()
	fmt.Println(left, left.At(6))
	// Output:
	// (8,4):(4,1) 13
	// (2,4):(4,1) 3
}

// Both matrices hold the elements of a column side by side, but only in runs of
// four are these the same elements.
func ExampleMaxCommonVector() {
	a, b := nested("(8,8):(1,8)"), nested("((4,2),8):((1,32),4)")
	fmt.Println(layout.MaxCommonVector(a, b), layout.MaxCommonLayout(a, b))
	// Output:
	// 4 4:1
}

// A 8x6 matrix in tiles of 4x2. Mode 0 walks through one tile, the other mode or
// modes go from tile to tile.
func ExampleNested_ZippedDivide() {
	a, _ := layout.Compact(8, 6)
	rows, cols := nested("4:1"), nested("2:1")
	by, _ := a.DivideModes(rows, cols)
	zipped, _ := a.ZippedDivide(rows, cols)
	tiled, _ := a.TiledDivide(rows, cols)
	flat, _ := a.FlatDivide(rows, cols)
	fmt.Println("by mode:", by)
	fmt.Println("zipped: ", zipped)
	fmt.Println("tiled:  ", tiled)
	fmt.Println("flat:   ", flat)
	fmt.Println("tile (1,2) starts at", tiled.At(0, 1, 2))
	_, err := a.ZippedDivide(nested("3:1"))
	fmt.Println(err)
	// Output:
	// by mode: ((4,2),(2,3)):((1,4),(8,16))
	// zipped:  ((4,2),(2,3)):((1,8),(4,16))
	// tiled:   ((4,2),2,3):((1,8),4,16)
	// flat:    (4,2,2,3):(1,8,4,16)
	// tile (1,2) starts at 36
	// weft: compose: (3,3):(1,3) reaches 0 to 8, outside of the 8 indices of 8:1: shape mismatch
}

// A 2x2 row-major block, twice down and three times across: side by side, or
// interleaved.
func ExampleNested_BlockedProduct() {
	block, tiler := nested("(2,2):(2,1)"), nested("(2,3):(1,2)")
	product, _ := block.LogicalProduct(tiler)
	blocked, _ := block.BlockedProduct(tiler)
	raked, _ := block.RakedProduct(tiler)
	fmt.Println(product)
	fmt.Println(blocked, blocked.At(2, 0))
	fmt.Println(raked, raked.At(1, 0))
	// Output:
	// ((2,2),(2,3)):((2,1),(4,8))
	// ((2,2),(2,3)):((2,4),(1,8)) 4
	// ((2,2),(3,2)):((4,2),(8,1)) 4
}
