package tile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// pointsKernel uses every op on points.
func pointsKernel(k *tile.Builder) {
	x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 1)
	k.Grid(x.Dim(0))
	row, i := k.ProgramID(0), k.Arange(64)
	v := x.At(row, i.Mul(3)).Mask(i.Lt(x.Dim(1))).Fill(-1).Gather()
	y.At(i.Add(row)).Scatter(v)
	y.At(row).Scatter(x.At(row, 0).Gather())
	n := k.InOut("n", dtype.I32, 1)
	old := n.Block(64).AtomicAdd(1, row)
	n.At(i.Xor(1)).AtomicCompareAndSwap(old, 7)
}

func TestPointErrors(t *testing.T) {
	for name, c := range map[string]struct {
		describe func(k *tile.Builder)
		kind     error
		text     string
	}{
		"indices":       {func(k *tile.Builder) { k.In("x", dtype.F32, 2).At(k.Arange(4)).Gather() }, fault.ErrShape, "rank 2"},
		"shapes":        {func(k *tile.Builder) { k.In("x", dtype.F32, 2).At(k.Arange(4), k.Arange(8)).Gather() }, fault.ErrShape, "one shape"},
		"index type":    {func(k *tile.Builder) { k.In("x", dtype.F32, 1).At(k.Zeros(dtype.U32, 4)).Gather() }, fault.ErrKernel, "want i32"},
		"mask type":     {func(k *tile.Builder) { k.In("x", dtype.F32, 1).At(k.Arange(4)).Mask(k.Arange(4)).Gather() }, fault.ErrKernel, "want bool"},
		"fill":          {func(k *tile.Builder) { k.In("x", dtype.U8, 1).At(k.Arange(4)).Fill(-1).Gather() }, fault.ErrKernel, "fill -1"},
		"write only":    {func(k *tile.Builder) { k.Out("x", dtype.F32, 1).At(k.Arange(4)).Gather() }, fault.ErrKernel, "want In or InOut to read it"},
		"read only":     {func(k *tile.Builder) { k.In("x", dtype.F32, 1).At(k.Arange(4)).Scatter(1) }, fault.ErrKernel, "want Out or InOut to write it"},
		"value":         {func(k *tile.Builder) { k.Out("x", dtype.F32, 1).At(k.Arange(4)).Scatter(k.Arange(4)) }, fault.ErrKernel, "want f32"},
		"atomic type":   {func(k *tile.Builder) { k.InOut("x", dtype.F32, 1).At(0).AtomicMax(1) }, fault.ErrKernel, "want i32 or u32, or an add of f32"},
		"atomic access": {func(k *tile.Builder) { k.Out("x", dtype.I32, 1).At(0).AtomicMax(1) }, fault.ErrKernel, "want InOut for atomic ops"},
		"order of a tile": {func(k *tile.Builder) { k.InOut("x", dtype.I32, 1).At(k.Arange(4)).Release().AtomicExchange(1) }, fault.ErrKernel,
			"release of i32[4], want one element"},
		"order of a gather": {func(k *tile.Builder) { k.InOut("x", dtype.I32, 1).At(0).Acquire().Gather() }, fault.ErrKernel, "acquire of a gather, want an atomic op"},
		"order of a scatter": {func(k *tile.Builder) { k.InOut("x", dtype.I32, 1).At(0).Release().Scatter(1) }, fault.ErrKernel,
			"release of a scatter, want an atomic op"},
		"order of floats": {func(k *tile.Builder) { k.InOut("x", dtype.F32, 1).At(0).Acquire().AtomicAdd(1) }, fault.ErrKernel, "acquire of f32, want i32 or u32"},
		"block rank":      {func(k *tile.Builder) { k.InOut("x", dtype.I32, 1).Block(4).AtomicAdd(1, 0, 0) }, fault.ErrShape, "2 coordinates"},
		"arange":          {func(k *tile.Builder) { k.Arange(5) }, fault.ErrShape, "powers of two"},
		"axis":            {func(k *tile.Builder) { k.Iota(2, 4, 4) }, fault.ErrKernel, "axis 2"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tile.Build("k", c.describe)
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.text) || !strings.Contains(err.Error(), "points_test.go") {
				t.Errorf("%v; want %v with %q and a line", err, c.kind, c.text)
			}
		})
	}
}
