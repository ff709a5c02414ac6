package docs_test

import (
	"fmt"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/layout"
)

// The code of layouts.md.

// grid prints what f gives for each element of a matrix.
func grid(rows, columns int, f func(row, column int) string) {
	for row := range rows {
		var cells []string
		for column := range columns {
			cells = append(cells, f(row, column))
		}
		fmt.Println(strings.Join(cells, " "))
	}
}

func Example_memory() {
	a, _ := layout.Contiguous(3, 4)
	even, _ := a.Slice(1, 0, 4, 2)
	row, _ := a.Slice(0, 1, 2, 1)
	rows, _ := row.Broadcast(3, 4)
	backwards, _ := a.Slice(1, 3, -1, -1)
	for _, l := range []layout.Layout{a, a.Transpose(), even, rows, backwards} {
		fmt.Println(l)
		grid(l.Size(0), l.Size(1), func(r, c int) string { return fmt.Sprintf("%3d", l.At(r, c)) })
	}
	// Output:
	// (3,4):(4,1)
	//   0   1   2   3
	//   4   5   6   7
	//   8   9  10  11
	// (4,3):(1,4)
	//   0   4   8
	//   1   5   9
	//   2   6  10
	//   3   7  11
	// (3,2):(4,2)
	//   0   2
	//   4   6
	//   8  10
	// (3,4):(0,1)+4
	//   4   5   6   7
	//   4   5   6   7
	//   4   5   6   7
	// (3,4):(4,-1)+3
	//   3   2   1   0
	//   7   6   5   4
	//  11  10   9   8
}

func Example_tensors() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	x := need(weft.Arange(dev, weft.F32, 0, 12, 1))
	a := need(x.Reshape(3, 4))
	t := a.T() // no element moves
	fmt.Println(t.Layout())
	_, err := t.Reshape(12)
	fmt.Println(err)
	dense := need(t.Contiguous()) // a copy
	fmt.Println(dense.Layout(), need(dense.Reshape(12)).Layout())
	// Output:
	// (4,3):(1,4)
	// weft: reshape: the elements of layout (4,3):(1,4) must be moved for shape [12]: call Contiguous first: unsupported
	// (4,3):(3,1) (12):(1)
}

// A 4×8 tile over 8 threads; each holds pairs of neighbours.
func Example_distribution() {
	l := layout.Blocked([]int{4, 8}, 8, []int{1, 0}, []int{1, 2})
	fmt.Println(l)
	fmt.Println("register 3 of thread 5 holds element", l.At(3, 5))
	places, _ := l.Inverse()
	grid(4, 8, func(r, c int) string {
		at := places.Eval(r, c)
		return fmt.Sprintf("t%d.r%d", at[1], at[0])
	})
	// Output:
	// (4,8) register:(0,1)(2,0) thread:(0,2)(0,4)(1,0)
	// register 3 of thread 5 holds element [3 3]
	// t0.r0 t0.r1 t1.r0 t1.r1 t2.r0 t2.r1 t3.r0 t3.r1
	// t4.r0 t4.r1 t5.r0 t5.r1 t6.r0 t6.r1 t7.r0 t7.r1
	// t0.r2 t0.r3 t1.r2 t1.r3 t2.r2 t2.r3 t3.r2 t3.r3
	// t4.r2 t4.r3 t5.r2 t5.r3 t6.r2 t6.r3 t7.r2 t7.r3
}

func Example_reduction() {
	l := layout.Blocked([]int{4, 8}, 8, []int{1, 0}, []int{1, 2})
	sums := l.Drop(1) // of each row
	fmt.Println(sums)
	fmt.Printf("threads that differ in the bits %03b hold copies\n", sums.FreeBits(layout.Thread))
	// Output:
	// (4,1) register:(2,0) thread:(0,0)(0,0)(1,0)
	// threads that differ in the bits 011 hold copies
}

func Example_conversion() {
	rows := layout.Blocked([]int{4, 4}, 4, []int{1, 0}, []int{1, 4}) // thread t holds row t
	columns := rows.Transpose([]int{1, 0})                           // thread t holds column t
	pairs, _ := layout.NewLinear([]int{4, 4}, []layout.Input{        // rows, with other numbers for the registers
		{Name: layout.Register, Bases: [][]int{{0, 2}, {0, 1}}},
		{Name: layout.Thread, Bases: [][]int{{1, 0}, {2, 0}}},
	})
	for _, to := range []layout.Linear{pairs, columns} {
		fmt.Println(to)
		for _, lanes := range []int{32, 2} { // threads that can exchange registers
			way, _ := layout.Plan(rows, to, lanes)
			fmt.Printf("  in subgroups of %d by %v\n", lanes, way)
		}
	}
	// Output:
	// (4,4) register:(0,2)(0,1) thread:(1,0)(2,0)
	//   in subgroups of 32 by registers
	//   in subgroups of 2 by registers
	// (4,4) register:(1,0)(2,0) thread:(0,1)(0,2)
	//   in subgroups of 32 by shuffles, 4 rounds
	//   in subgroups of 2 by shared memory
}

// 32 threads of a warp read a column of a 32×32 tile of F32 in shared memory.
func Example_banks() {
	plain, _ := layout.Contiguous(32, 32)
	padded, _ := layout.Strided([]int{32, 32}, []int{33, 1}, 0)
	swizzle, _ := layout.NewSwizzle(5, 0, 5)
	swizzled, _ := layout.NewSwizzled(swizzle, plain)
	for name, array := range map[string]interface{ At(coord ...int) int }{"plain": plain, "padded": padded, "swizzled": swizzled} {
		var bytes []int
		for row := range 32 {
			bytes = append(bytes, 4*array.At(row, 7))
		}
		n, _ := layout.Wavefronts(bytes, 4)
		fmt.Printf("%-8s %2d wavefronts\n", name, n)
	}
	// Unordered output:
	// plain    32 wavefronts
	// padded    1 wavefronts
	// swizzled  1 wavefronts
}

func Example_swizzle() {
	s, _ := layout.NewSwizzle(2, 0, 2) // offset bits 0 and 1 are XORed with bits 2 and 3
	rows, _ := layout.Contiguous(4, 4)
	array, _ := layout.NewSwizzled(s, rows)
	grid(4, 4, func(r, c int) string { return fmt.Sprintf("%2d", array.At(r, c)) })
	l, _ := array.Linear()
	fmt.Println(l)
	// Output:
	//  0  1  2  3
	//  5  4  7  6
	// 10 11  8  9
	// 15 14 13 12
	// (16) dim0:(5)(10) dim1:(1)(2)
}
