package layout_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
)

// Views of one buffer: none of them moves an element.
func ExampleLayout() {
	a, _ := layout.Contiguous(3, 4)
	columns, _ := a.Slice(1, 1, 4, 2) // columns 1 and 3
	row, _ := a.Select(0, 2)
	reversed, _ := row.Slice(0, 3, -1, -1)
	repeated, _ := row.Broadcast(5, 4)
	fmt.Println(a, a.At(1, 2))
	fmt.Println(a.Transpose(), a.Transpose().At(2, 1))
	fmt.Println(columns)
	fmt.Println(reversed)
	fmt.Println(repeated, repeated.IsInjective())
	// Output:
	// (3,4):(4,1) 6
	// (4,3):(1,4) 6
	// (3,2):(4,2)+1
	// (4):(-1)+11
	// (5,4):(0,1)+8 false
}

func ExampleLayout_Reshape() {
	a, _ := layout.Contiguous(3, 4)
	flat, _ := a.Reshape(2, -1)
	fmt.Println(flat)
	_, err := a.Transpose().Reshape(12)
	fmt.Println(errors.Is(err, fault.ErrUnsupported), err)
	// Output:
	// (2,6):(6,1)
	// true weft: reshape: (4,3):(1,4) to (12) needs a copy: unsupported
}

func ExampleBroadcastShapes() {
	shape, _ := layout.BroadcastShapes([]int{5, 1, 3}, []int{4, 1})
	fmt.Println(shape)
	_, err := layout.BroadcastShapes([]int{4}, []int{3})
	fmt.Println(err)
	// Output:
	// [5 4 3]
	// weft: broadcast: shapes [[4] [3]] do not broadcast: sizes 3 and 4 differ: shape mismatch
}

// An element-wise operation on a dense and a padded operand: the inner two
// dimensions are one run in both, the outer one is not.
func ExampleCoalesceTogether() {
	dense, _ := layout.Contiguous(8, 1, 5, 6)
	padded, _ := layout.Strided([]int{8, 1, 5, 6}, []int{32, 30, 6, 1}, 0)
	fmt.Println(layout.CoalesceTogether(dense, padded))
	// Output:
	// [(8,30):(30,1) (8,30):(32,1)]
}

func ExampleLayout_Overlaps() {
	a, _ := layout.Contiguous(100, 64)
	left, _ := a.Slice(1, 0, 32, 1)
	right, _ := a.Slice(1, 32, 64, 1)
	fmt.Println(left.Overlaps(right), left.Overlaps(a.Transpose()))
	// Output:
	// false true
}

// The facts that allow 4 elements an access: unit stride along the row, and rows
// and offset that are multiples of 4.
func ExampleLayout_Divisibility() {
	l, _ := layout.Strided([]int{100, 48}, []int{64, 1}, 8)
	_, rows, offset := l.Divisibility(0, 4)
	size, _, _ := l.Divisibility(1, 4)
	fmt.Println(l.Stride(1) == 1, size, rows, offset)
	// Output:
	// true 4 4 4
}

// A 4x8 tile over 8 threads, 2 neighbours of a row for each.
func ExampleBlocked() {
	l := layout.Blocked([]int{4, 8}, 8, []int{1, 0}, []int{1, 2})
	fmt.Println(l)
	where, _ := l.Inverse()
	for row := range 4 {
		var places []string
		for col := range 8 {
			p := where.Eval(row, col)
			places = append(places, fmt.Sprintf("t%dr%d", p[1], p[0]))
		}
		fmt.Println(strings.Join(places, " "))
	}
	fmt.Println("elements an access:", l.ContiguousRun(layout.Register, 1))
	// Output:
	// (4,8) register:(0,1)(2,0) thread:(0,2)(0,4)(1,0)
	// t0r0 t0r1 t1r0 t1r1 t2r0 t2r1 t3r0 t3r1
	// t4r0 t4r1 t5r0 t5r1 t6r0 t6r1 t7r0 t7r1
	// t0r2 t0r3 t1r2 t1r3 t2r2 t2r3 t3r2 t3r3
	// t4r2 t4r3 t5r2 t5r3 t6r2 t6r3 t7r2 t7r3
	// elements an access: 2
}

// A sum over the columns leaves each row's result in every thread of the row:
// the thread bits that ran over columns are free afterwards.
func ExampleLinear_Drop() {
	l := layout.Blocked([]int{4, 8}, 8, []int{1, 0}, []int{1, 2})
	sums := l.Drop(1)
	fmt.Println(sums)
	fmt.Printf("copies over thread bits %03b\n", sums.FreeBits(layout.Thread))
	for register := range l.Size(layout.Register) {
		fmt.Println("register", register, "adds to", l.DropRegister(1, register))
	}
	// Output:
	// (4,1) register:(2,0) thread:(0,0)(0,0)(1,0)
	// copies over thread bits 011
	// register 0 adds to 0
	// register 1 adds to 0
	// register 2 adds to 1
	// register 3 adds to 1
}

func ExampleLinear_Inverse() {
	l := layout.Blocked([]int{4, 8}, 16, []int{1, 0}, []int{1, 2})
	inv, _ := l.Inverse()
	place := inv.Eval(3, 5)
	fmt.Println("element (3,5): register", place[0], "of thread", place[1])
	fmt.Println(l.At(place[0], place[1]))
	// Output:
	// element (3,5): register 1 of thread 14
	// [3 5]
}
