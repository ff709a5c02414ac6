package endtoend

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	_ "github.com/weftgpu/weft/backend/cuda"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/ops"
)

// Ops that read what the ones just before them wrote, and write what those read, give what they give when
// each has ended before the next one is launched.
func TestOpsAreInOrder(t *testing.T) {
	for _, name := range []string{"cpu", "vulkan", "cuda"} {
		t.Run(name, func(t *testing.T) {
			inner, err := backend.Open(name)
			if err != nil {
				testenv.Skip(t, name, err.Error())
			}
			dev := weft.NewDevice(inner)
			defer dev.Close()
			rounds, shapes := 20, [][2]int{{523, 4777}, {1000, 1000}, {4096, 512}, {16, 70_001}}
			if name != "cuda" { // where all launches wait for those before them
				rounds, shapes = 2, [][2]int{{23, 177}, {2, 4097}}
			}
			for _, shape := range shapes {
				for _, elem := range []weft.DType{weft.F32, weft.BF16} {
					t.Run(fmt.Sprintf("%v %v", shape, elem), func(t *testing.T) {
						want := inOrder(t, dev, elem, shape, rounds, dev.Synchronize)
						for range 3 {
							if got := inOrder(t, dev, elem, shape, rounds, func() error { return nil }); !slices.Equal(got, want) {
								t.Fatal("ops launched one after the other give other results than with waits between them")
							}
						}
					})
				}
			}
		})
	}
}

// inOrder runs a chain of ops of one and two launches, with something between any two, and returns the end of it.
func inOrder(t *testing.T, dev *weft.Device, elem weft.DType, shape [2]int, rounds int, between func() error) []float32 {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	numbers := make([]float32, shape[0]*shape[1])
	for i := range numbers {
		numbers[i] = rng.Float32()
	}
	tensor := func(shape ...int) *weft.Tensor {
		x, err := weft.Empty(dev, elem, shape...)
		check(err)
		t.Cleanup(func() { x.Close() })
		return x
	}
	from, err := weft.FromSlice(dev, numbers, shape[0], shape[1])
	check(err)
	defer from.Close()
	x, y, turned, row := tensor(shape[0], shape[1]), tensor(shape[0], shape[1]), tensor(shape[1], shape[0]), tensor(shape[1])
	back := turned.T()
	t.Cleanup(func() { back.Close() })
	steps := []func() error{
		func() error { return ops.SoftmaxInto(y, x) },
		func() error { return ops.RMSNormInto(x, y, nil) },
		func() error { return ops.TransposeInto(turned, x) },
		func() error { return ops.LogSoftmaxInto(y, back) },
		func() error { return ops.MeanInto(row, y, ops.Axis(0)) },
		func() error { return ops.SubInto(x, y, row) },
		func() error { return ops.SigmoidInto(x, x) },
	}
	check(ops.CopyInto(x, from))
	for range rounds {
		for _, step := range steps {
			check(step())
			check(between())
		}
	}
	check(ops.CopyInto(from, x))
	got, err := weft.ToSlice[float32](from)
	check(err)
	return got
}
