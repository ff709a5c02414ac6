package ops_test

import (
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// A recording of an op that fills memory of its own before it counts, notes or scatters there fills it in each replay: none sees what
// the one before left.
func TestReplaysBeginAnew(t *testing.T) {
	dev := openCPU(t)
	tensor := func(x []int32, shape ...int) *weft.Tensor {
		t.Helper()
		r, err := weft.FromSlice(dev, x, shape...)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	const bins = 1<<14 + 1 // more than a program counts by itself
	long, longer := make([]int32, 16*bins), make([]int32, 16*bins)
	for i := range long {
		long[i], longer[i] = int32(i%bins), int32(i%100)
	}
	apart, err := tensor(make([]int32, 2*4*5), 2, 4, 5).Slice(2, 0, 4) // planes that are no vectors
	if err != nil {
		t.Fatal(err)
	}
	zeros, values := tensor(make([]int32, 8)), tensor([]int32{10, 20, 30})
	pooled := tensor([]int32{1, 2, 3, 4, 5, 6, 7, 8}, 2, 2, 2)
	for _, c := range []struct {
		name          string
		out           *weft.Tensor
		indices       *weft.Tensor
		first, second []int32 // what they hold
		run           func(out, indices *weft.Tensor) error
	}{
		{"bincount", tensor(make([]int32, bins)), tensor(long), long, longer,
			func(out, x *weft.Tensor) error { return ops.BincountInto(out, x, bins) }},
		{"index_update", tensor(make([]int32, 8)), tensor([]int32{1, 1, 2}), []int32{1, 1, 2}, []int32{2, 5, 6}, func(out, indices *weft.Tensor) error {
			return ops.IndexUpdateInto(out, zeros, 0, indices, values, ops.ScatterSet, ops.LastWins())
		}},
		{"max_unpool", apart, tensor([]int32{0, 2, 8, 10, 0, 2, 8, 10}, 2, 2, 2), []int32{0, 2, 8, 10, 0, 2, 8, 10}, []int32{1, 3, 9, 11, 1, 3, 9, 11},
			func(out, indices *weft.Tensor) error { return ops.MaxUnpoolInto(out, pooled, indices, 4, 4) }},
	} {
		for _, recorded := range []string{"out", "indices"} {
			r, err := dev.Capture(func(rec *weft.Recorder) error {
				if recorded == "out" {
					return c.run(rec.Use(c.out), c.indices)
				}
				return c.run(c.out, rec.Use(c.indices))
			})
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range [][]int32{c.first, c.second, c.second, c.first} {
				if err := c.indices.CopyFrom(tensor(x, c.indices.Shape()...)); err != nil {
					t.Fatal(err)
				}
				if err := r.Replay(); err != nil {
					t.Fatal(err)
				}
				got, err := weft.ToSlice[int32](c.out)
				if err != nil {
					t.Fatal(err)
				}
				if err := c.run(c.out, c.indices); err != nil {
					t.Fatal(err)
				}
				want, err := weft.ToSlice[int32](c.out)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%s, a capture of %s, replay %d: another result than the op's, %v", c.name, recorded, i, err)
				}
			}
			r.Close()
		}
	}
}
