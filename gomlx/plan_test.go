package gomlx

import (
	"testing"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/shapes"
)

// Computations become as few steps and slots of memory as they should.
func TestPlans(t *testing.T) {
	b, err := New("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Finalize()
	op := func(x backends.Op, err error) backends.Op {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for name, c := range map[string]struct {
		build        func(c backends.Builder, x, y backends.Op) backends.Op
		steps, slots int
	}{
		"a chain is one kernel": {func(c backends.Builder, x, y backends.Op) backends.Op {
			z := op(c.Mul(op(c.Tanh(x)), op(c.Constant([]float32{2}))))
			return op(c.Add(z, op(c.Mul(z, y))))
		}, 1, 0},
		"what others use, too, is stored": {func(c backends.Builder, x, y backends.Op) backends.Op {
			z := op(c.Tanh(x))
			return op(c.Add(op(c.Dot(z, y)), z))
		}, 2, 1},
		"what is computed twice is computed once": {func(c backends.Builder, x, y backends.Op) backends.Op {
			var sums [2]backends.Op
			for i := range sums {
				row := op(c.ReduceSum(op(c.Mul(x, op(c.Constant([]float32{3})))), 1))
				sums[i] = op(c.Dot(op(c.BroadcastInDim(row, shapes.Make(dtypes.Float32, 8, 8), []int{0})), y))
			}
			return op(c.Dot(sums[0], sums[1]))
		}, 4, 2},
		"views move nothing": {func(c backends.Builder, x, y backends.Op) backends.Op {
			z := op(c.Transpose(op(c.Slice(op(c.Reverse(x, 1)), []int{0, 0}, []int{8, 8}, []int{1, 2})), 1, 0))
			return op(c.ReduceSum(op(c.BroadcastInDim(z, shapes.Make(dtypes.Float32, 3, 4, 8), []int{1, 2})), 2))
		}, 1, 0},
		"a bias and an activation are the epilogue": {func(c backends.Builder, x, y backends.Op) backends.Op {
			bias := op(c.Slice(y, []int{3, 0}, []int{4, 8}, []int{1, 1}))
			z := op(c.Reshape(op(c.Dot(x, y)), 2, 4, 8))
			z = op(c.Add(z, op(c.BroadcastInDim(op(c.Reshape(bias, 8)), shapes.Make(dtypes.Float32, 2, 4, 8), []int{2}))))
			return op(c.Max(z, op(c.Constant([]float32{0}))))
		}, 1, 0},
		"a sum of products is a product": {func(c backends.Builder, x, y backends.Op) backends.Op {
			z := op(c.Mul(op(c.Reshape(x, 8, 1, 8)), op(c.Reshape(y, 1, 8, 8))))
			return op(c.ReduceSum(z, 2))
		}, 1, 0},
		"temporaries share memory": {func(c backends.Builder, x, y backends.Op) backends.Op {
			for range 6 {
				x = op(c.Dot(x, y))
			}
			return x
		}, 6, 2},
		"an iota and a constant take no step": {func(c backends.Builder, x, y backends.Op) backends.Op {
			i := op(c.Iota(shapes.Make(dtypes.Float32, 8, 8), 1))
			return op(c.Add(i, op(c.BroadcastInDim(op(c.Constant([]float32{1})), shapes.Make(dtypes.Float32, 8, 8), nil))))
		}, 1, 0},
	} {
		builder := b.Builder(name)
		shape := shapes.Make(dtypes.Float32, 8, 8)
		out := c.build(builder, op(builder.Parameter("x", shape, nil)), op(builder.Parameter("y", shape, nil)))
		e, err := builder.Compile([]backends.Op{out}, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		p := e.(*Executable).plan
		if len(p.steps) != c.steps || len(p.slots) != c.slots {
			t.Errorf("%s: %d steps and %d slots, want %d and %d", name, len(p.steps), len(p.slots), c.steps, c.slots)
		}
	}
}
