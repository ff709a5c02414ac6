package mma

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// TestAccumulatorIsOperand: the layouts of what one instruction gives and another of 16-bit elements takes are one.
func TestAccumulatorIsOperand(t *testing.T) {
	m := Product{MatrixInstruction: simt.WarpMMA, Elem: dtype.F16}
	for _, shape := range [][]int{{16, 16}, {64, 64}, {128, 32}} {
		for _, warps := range []int{1, 4} {
			rows := min(warps, shape[0]/m.Rows)
			acc := accumulator(m.MatrixInstruction, shape, warps, rows)
			if rows == warps && !m.Operand(0, acc, shape[1]).Equal(acc) {
				t.Errorf("%v is no operand, which is %v", acc, m.Operand(0, acc, shape[1]))
			}
		}
	}
}
