package emulated_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// beyond stores a whole block to a view that is said to have one.
var beyond = weft.NewKernel("beyond", func(k *tile.Builder, block int) {
	x, out := k.In("x", weft.F32, 1), k.Out("out", weft.F32, 1)
	k.Grid(1)
	k.Assume(out.Dim(0).Ge(block))
	out.Block(block).Store(x.Block(block).Load(0), 0)
})

// TestFaults sees what a GPU would not: a store beyond a buffer is an error, of the launch and of what it wrote, and the device goes on.
func TestFaults(t *testing.T) {
	dev, err := weft.Open("emulated:0")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	x, err := weft.Full(dev, weft.F32, 1, 64)
	if err != nil {
		t.Fatal(err)
	}
	out, err := weft.Zeros(dev, weft.F32, 3)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(beyond.Launch(64, x, out), dev.Synchronize()); !errors.Is(err, weft.ErrKernel) {
		t.Errorf("a store beyond the buffer: %v", err)
	}
	y, err := ops.Add(x, x)
	if err != nil {
		t.Fatal(err)
	}
	got, err := weft.ToSlice[float32](y)
	if err != nil || !slices.Equal(got, slices.Repeat([]float32{2}, 64)) {
		t.Errorf("afterwards: %v, %v", got, err)
	}
}

// TestMixedCopies multiplies where a producer copies the left operand by a tensor map, and all threads the right one, a column: no product
// of warpgroups may still read what the producer overwrites.
func TestMixedCopies(t *testing.T) {
	dev, err := weft.Open("emulated:0")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	const m, n, k = 64, 1, 2048
	ones := func(rows, columns int) *weft.Tensor {
		x, err := weft.Full(dev, weft.BF16, 1, rows, columns)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	column, err := ones(n, k+4).Slice(1, 0, k)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []*weft.Tensor{ones(k, n), column.T()} {
		for _, a := range []*weft.Tensor{ones(m, k), ones(k, m).T()} {
			cfg := ops.MatMulConfig{BM: 64, BN: 16, BK: 64, Threads: 128, Stages: 8, Producers: 1, SplitK: 2}
			product, err := ops.MatMul(a, b, ops.Tiles(cfg))
			if err != nil {
				t.Fatal(err)
			}
			got, err := weft.ToFloats(product)
			if err != nil || !slices.Equal(got, slices.Repeat([]float64{k}, m*n)) {
				t.Errorf("%v, %v: %v, %v", a.Layout(), b.Layout(), got, err)
			}
		}
	}
}

// TestCloseMeanwhile closes a device while others use it, for the race detector: they get results or ErrClosed.
func TestCloseMeanwhile(t *testing.T) {
	dev, err := weft.Open("emulated:0")
	if err != nil {
		t.Fatal(err)
	}
	var users sync.WaitGroup
	started := make(chan struct{}, 2)
	for range 2 {
		users.Go(func() {
			for n := 0; ; n++ {
				x, err := weft.Full(dev, weft.F32, 1, 64)
				if err == nil {
					_, err = ops.Add(x, x)
				}
				if n == 0 {
					started <- struct{}{}
				}
				if err != nil {
					if !errors.Is(err, weft.ErrClosed) {
						t.Error(err)
					}
					return
				}
			}
		})
	}
	<-started
	<-started
	if err := dev.Close(); err != nil {
		t.Error(err)
	}
	users.Wait()
}
