package mma

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
)

// TestAccumulatorIsOperand: the layouts of what one instruction gives and another of 16-bit elements takes are one.
func TestAccumulatorIsOperand(t *testing.T) {
	m := Instruction{Elem: dtype.F16, Pack: 2, Step: 16}
	for _, shape := range [][]int{{16, 16}, {64, 64}, {128, 32}} {
		for _, warps := range []int{1, 4} {
			rows := min(warps, shape[0]/Rows)
			acc := accumulator(shape, warps, rows)
			if rows == warps && !m.Operand(0, acc, shape[1]).Equal(acc) {
				t.Errorf("%v is no operand, which is %v", acc, m.Operand(0, acc, shape[1]))
			}
		}
	}
}
