package ops_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// The error of a function that is made of several ops names the function, what it takes, and the line of its user.
func TestErrorsNameCompositions(t *testing.T) {
	for _, c := range []struct {
		says     string
		describe func(k *tile.Builder)
	}{
		{"gelu: the operand is i32, want floats", func(k *tile.Builder) { tile.GELU(k.Int(1)) }},
		{"gelu: the operand is i32, want floats", func(k *tile.Builder) { ops.GELUMap.Tiles(k.Int(1)) }},
		{"gelu: 2 inputs given, want 1", func(k *tile.Builder) { ops.GELUMap.Tiles(k.Float(1), k.Float(1)) }},
		{"gelu_tanh: the operand is i32, want floats", func(k *tile.Builder) { tile.GELUTanh(k.Int(1)) }},
		{"silu: the operand is i32, want floats", func(k *tile.Builder) { tile.SiLU(k.Int(1)) }},
		{"relu: the operand is bool[4], want numbers", func(k *tile.Builder) { ops.ReLUMap.Tiles(k.Zeros(dtype.Bool, 4)) }},
		{"clamp: the operands are", func(k *tile.Builder) { k.Float(1).Clamp(k.Int(1), k.Int(2)) }},
		{"argmax: ", func(k *tile.Builder) { k.Zeros(dtype.Bool, 4).ArgMax(0) }},
		{"cumsum: ", func(k *tile.Builder) { k.Zeros(dtype.Bool, 4).CumSum(0) }},
		{"philox: the operand is f32, want u32", func(k *tile.Builder) {
			x := k.Float(1)
			kernels.Philox([4]*tile.Value{x, x, x, x}, [2]*tile.Value{x, x})
		}},
		{"mine: the map returns nil", func(k *tile.Builder) {
			weft.NewMap("mine", []string{"x"}, func([]*tile.Value) *tile.Value { return nil }).Tiles(k.Float(1))
		}},
	} {
		_, err := tile.Build("k", c.describe)
		if !errors.Is(err, weft.ErrKernel) || !strings.HasPrefix(err.Error(), "weft: ops/compositions_test.go:") || !strings.Contains(err.Error(), ": "+c.says) {
			t.Errorf("%v; want ErrKernel with a line of this file and %q", err, c.says)
		}
	}
}
