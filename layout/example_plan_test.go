package layout_test

import (
	"fmt"

	"github.com/weftgpu/weft/layout"
)

// Four threads hold the rows of a 4x4 tile and exchange them for its columns: in
// the first round each keeps its element of the diagonal, then pairs exchange.
func ExamplePlan() {
	rows := layout.Blocked([]int{4, 4}, 4, []int{1, 0}, []int{1, 4})
	columns := rows.Transpose([]int{1, 0})
	c, _ := layout.Plan(rows, columns, 32)
	fmt.Println(c)
	fmt.Println("because", c.Reason)
	for _, round := range c.Rounds[:2] {
		mask, _ := round.Xor(32)
		fmt.Println("xor", mask)
		for t := range 4 {
			fmt.Printf("  thread %d offers register %d, receives register %d\n", t, round.Send.At(t), round.Into.At(t))
		}
	}
	apart, _ := layout.Plan(rows, columns, 2)
	fmt.Println(apart, "because", apart.Reason)
	// Output:
	// shuffles, 4 rounds
	// because register bit 0 comes from another thread
	// xor 0
	//   thread 0 offers register 0, receives register 0
	//   thread 1 offers register 1, receives register 1
	//   thread 2 offers register 2, receives register 2
	//   thread 3 offers register 3, receives register 3
	// xor 1
	//   thread 0 offers register 1, receives register 1
	//   thread 1 offers register 0, receives register 0
	//   thread 2 offers register 3, receives register 3
	//   thread 3 offers register 2, receives register 2
	// shared memory because register bit 1 comes from another subgroup
}
