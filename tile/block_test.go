package tile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// A squeezed block is a Reshape of what a block loads, and of what it stores.
func TestSqueeze(t *testing.T) {
	views := func(f func(k *tile.Builder, x, y *tile.View)) func(k *tile.Builder) {
		return func(k *tile.Builder) {
			x, y := k.In("x", dtype.I32, 4), k.InOut("y", dtype.I32, 4)
			k.Grid(1)
			f(k, x, y)
		}
	}
	for name, axes := range map[string][]int{"both": {0, 2}, "one after the other": {2, 0}, "from the end": {-2, -4}, "twice": {0, 2, 0}} {
		wantSame(t, name, views(func(k *tile.Builder, x, y *tile.View) {
			v := x.Block(1, 8, 1, 4).Squeeze(axes...).Fill(3).Load(1, 2, 3, 4)
			y.Block(1, 8, 1, 4).Squeeze(axes...).Store(v, 4, 3, 2, 1)
		}), views(func(k *tile.Builder, x, y *tile.View) {
			v := x.Block(1, 8, 1, 4).Fill(3).Load(1, 2, 3, 4).Reshape(8, 4)
			y.Block(1, 8, 1, 4).Store(v.Reshape(1, 8, 1, 4), 4, 3, 2, 1)
		}))
	}
	wantSame(t, "broadcast", views(func(k *tile.Builder, _, y *tile.View) {
		b := y.Block(1, 8, 1, 4).Squeeze(0, 2)
		b.Store(k.Int(7), 0, 0, 0, 0)
		b.Store(k.Iota(0, 8, 1), 0, 0, 0, 0)
	}), views(func(k *tile.Builder, _, y *tile.View) {
		b := y.Block(1, 8, 1, 4)
		b.Store(k.Int(7).Splat(8, 4).Reshape(1, 8, 1, 4), 0, 0, 0, 0)
		b.Store(k.Iota(0, 8, 1).Broadcast(8, 4).Reshape(1, 8, 1, 4), 0, 0, 0, 0)
	}))
	wantSame(t, "nothing", views(func(_ *tile.Builder, x, _ *tile.View) { x.Block(1, 8, 1, 4).Squeeze().Load(0, 0, 0, 0) }),
		views(func(_ *tile.Builder, x, _ *tile.View) { x.Block(1, 8, 1, 4).Load(0, 0, 0, 0) }))
	build(t, "types", views(func(k *tile.Builder, x, y *tile.View) {
		b := y.Block(1, 8, 1, 4).Squeeze(0, 2)
		want := tile.TileOf(dtype.I32, 8, 4)
		for name, v := range map[string]*tile.Value{
			"load": b.Load(0, 0, 0, 0), "load at": b.LoadAt(0, 0, 0, 0), "atomic": b.AtomicAdd(1, 0, 0, 0, 0), "points": b.PointsAt(0, 0, 0, 0).Gather(),
			"inside": k.Where(b.Inside(0, 0, 0, 0), 1, 0),
		} {
			if !v.Type().Equal(want) {
				t.Errorf("%s: %v, want %v", name, v.Type(), want)
			}
		}
		for axis, want := range []tile.Type{tile.ScalarOf(dtype.I32), tile.TileOf(dtype.I32, 8, 1), tile.ScalarOf(dtype.I32), tile.TileOf(dtype.I32, 1, 4)} {
			for _, a := range []int{axis, axis - 4} {
				if got := b.Indices(a, 1).Type(); !got.Equal(want) {
					t.Errorf("indices along %d: %v, want %v", a, got, want)
				}
			}
		}
	}))
}

func TestBlockErrors(t *testing.T) {
	for says, c := range map[string]struct {
		kind error
		f    func(k *tile.Builder, x *tile.View)
	}{
		"squeeze: axis 4 of a block of shape [1 8 1 4], which has rank 4":         {fault.ErrKernel, func(k *tile.Builder, x *tile.View) { x.Block(1, 8, 1, 4).Squeeze(4) }},
		"squeeze: axis -5 of a block of shape [1 8 1 4], which has rank 4":        {fault.ErrKernel, func(k *tile.Builder, x *tile.View) { x.Block(1, 8, 1, 4).Squeeze(-5) }},
		"squeeze: axis -3 of a block of shape [1 8 1 4] has size 8, want 1":       {fault.ErrShape, func(k *tile.Builder, x *tile.View) { x.Block(1, 8, 1, 4).Squeeze(-3) }},
		"no dimension of a block of shape [1 1 1 1] is left":                      {fault.ErrShape, func(k *tile.Builder, x *tile.View) { x.Block(1, 1, 1, 1).Squeeze(0, 1, 2, 3) }},
		"view x has rank 4, the tile is i32[1,8,1,4] with 2 coordinates":          {fault.ErrShape, func(k *tile.Builder, x *tile.View) { x.Block(1, 8, 1, 4).Squeeze(0, 2).Load(0, 0) }},
		"load_at: view x has rank 4, the tile is i32[1,8,1,4] with 3 coordinates": {fault.ErrShape, func(k *tile.Builder, x *tile.View) { x.Block(1, 8, 1, 4).LoadAt(0, 0, 0) }},
		"points_at: 1 coordinate given for a block of shape [1 8 1 4]":            {fault.ErrShape, func(k *tile.Builder, x *tile.View) { x.Block(1, 8, 1, 4).PointsAt(0) }},
		"inside: 0 coordinates given for a block of shape [1 8 1 4]":              {fault.ErrShape, func(k *tile.Builder, x *tile.View) { x.Block(1, 8, 1, 4).Inside() }},
		"indices: axis 4 of a block of shape [1 8 1 4], which has rank 4":         {fault.ErrKernel, func(k *tile.Builder, x *tile.View) { x.Block(1, 8, 1, 4).Indices(4, 0) }},
		"load_at: coordinate v0 is f32, want a scalar i32":                        {fault.ErrKernel, func(k *tile.Builder, x *tile.View) { x.Block(1, 8, 1, 4).LoadAt(k.Float(1), 0, 0, 0) }},
		"store: i32[1,8,1,4] does not broadcast to shape [8 4]: the ranks differ": {fault.ErrShape, func(k *tile.Builder, x *tile.View) {
			b := x.Block(1, 8, 1, 4)
			b.Squeeze(0, 2).Store(b.Load(0, 0, 0, 0), 0, 0, 0, 0)
		}},
	} {
		_, err := tile.Build("bad", func(k *tile.Builder) { c.f(k, k.InOut("x", dtype.I32, 4)) })
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "block_test.go:") {
			t.Errorf("%v, want %s", err, says)
		}
	}
}

// Offsets that count elements are told in the IR.
func TestBlocksByElementInText(t *testing.T) {
	text := body(t, func(k *tile.Builder) {
		x := k.InOut("x", dtype.F32, 1)
		k.Grid(1)
		x.Block(4).StoreAt(x.Block(4).Fill(2).LoadAt(-1), 5)
	})
	for _, want := range []string{"load x fill=2 by_element v1 : f32[4]", "store x by_element v2, v3"} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
}
