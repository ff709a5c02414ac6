package lower_test

import (
	"fmt"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// What a mask leaves of a right operand has to be whole columns of instructions: of another number, and of the left operand, no tensor map copies the block.
func TestMaskedOperands(t *testing.T) {
	t.Parallel()
	hopper := lowertest.MatrixTarget("sm_90a", 227<<10).WithCapability(target.Hopper)
	const all = -1
	for _, c := range []struct {
		left, right int // rows and columns that masks leave, all for no mask
		want        int // operands that are copied
	}{{all, all, 2}, {all, 40, 2}, {all, 64, 2}, {all, 37, 1}, {all, 0, 1}, {40, all, 1}} {
		t.Run(fmt.Sprintf("%d, %d", c.left, c.right), func(t *testing.T) {
			f, err := tile.Build("masked", func(k *tile.Builder) {
				k.Schedule(tile.Schedule{Threads: 128, Stages: 2, Producers: 1})
				a, b, out := k.In("a", weft.F16, 2), k.In("b", weft.F16, 2), k.Out("out", weft.F32, 2)
				at := k.ProgramTile(out, 64, 64)
				sum := k.Var(k.Zeros(weft.F32, 64, 64))
				for i := range k.Range(k.CDiv(a.Dim(1), 64)) {
					load := func(v *tile.View, axis, most int, at ...tile.Operand) *tile.Value {
						block := v.Block(64, 64)
						if most == all {
							return block.Load(at...)
						}
						for d := range at {
							at[d] = at[d].(*tile.Value).Mul(64)
						}
						return block.PointsAt(at...).Mask(block.Indices(axis, 0).Lt(most)).Gather()
					}
					sum.Set(tile.Dot(load(a, 0, c.left, at[0], i), load(b, 0, c.right, at[1], i).Transpose(), sum.Get(), tile.Float32Accumulate))
				}
				out.Block(64, 64).Store(sum.Get(), at...)
			})
			if err != nil {
				t.Fatal(err)
			}
			matrix := func(rows, columns int) layout.Layout {
				l, err := layout.Contiguous(rows, columns)
				if err != nil {
					t.Fatal(err)
				}
				return l
			}
			kernel := lower.CheckViewsOn(t, hopper, f, 1e-2, []layout.Layout{matrix(150, 192), matrix(130, 192), matrix(150, 130)})
			views := map[int]bool{}
			simt.Walk(kernel.Body, func(op *simt.Op) {
				if op.Kind == simt.TensorCopy {
					views[op.Map.View] = true
				}
			})
			if len(views) != c.want {
				t.Errorf("tensor maps copy %v, want %d operands", views, c.want)
			}
		})
	}
}
