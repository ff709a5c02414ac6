package assign

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// TestMatmulKeepsItsTiles: the tiles that were measured for products on GPUs, of operands by rows and by
// columns, are those that the costs choose.
func TestMatmulKeepsItsTiles(t *testing.T) {
	for _, c := range [][4]int{{64, 64, 16, 256}, {128, 128, 16, 128}, {128, 128, 8, 256}, {64, 128, 16, 128}, {32, 32, 16, 64}} {
		k := axistest.Build(t, "matmul", func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: c[3]})
			a, b, out := k.In("a", dtype.F32, 2), k.In("b", dtype.F32, 2), k.Out("out", dtype.F32, 2)
			acc := k.Var(k.Zeros(dtype.F32, c[0], c[1]))
			for i := range k.Range(k.CDiv(a.Dim(1), c[2])) {
				acc.Set(tile.Dot(a.Block(c[0], c[2]).Load(0, i), b.Block(c[2], c[1]).Load(i, 0), acc.Get(), tile.IEEE))
			}
			out.Block(c[0], c[1]).Store(acc.Get(), 0, 0)
		})
		for _, forms := range [][2]layout.Layout{
			{lowertest.Rows(t, 1024, 1024), lowertest.Rows(t, 1024, 1024)}, {lowertest.Columns(t, 1024, 1024), lowertest.Columns(t, 1024, 1024)},
			{lowertest.Rows(t, 1023, 1023), lowertest.Columns(t, 1023, 1023)}, {lowertest.Columns(t, 1024, 1024), lowertest.Rows(t, 1024, 1024)},
		} {
			facts := axis.FactsOf([]layout.Layout{forms[0], forms[1], lowertest.Rows(t, 1024, 1024)}, []int{0, 1, 2})
			a := New(k, facts, c[3], lowertest.Targets["shuffles"], Fallback{})
			got := make([]layout.Linear, len(a.Sites))
			for i, s := range a.Sites {
				got[i] = a.In(s)
			}
			onePerShape(a, k)
			for i, s := range a.Sites {
				if want := a.In(s); !got[i].Equal(want) {
					t.Errorf("%v, %v by %v: %v is in %v, want %v", c, forms[0], forms[1], s, got[i], want)
				}
			}
		}
	}
}

// TestShortRowsAreStoredTogether: threads next to each other store rows that are shorter than a vector next to each other, though loads by longer vectors, along the other dimension, would be fewer.
func TestShortRowsAreStoredTogether(t *testing.T) {
	const rows, threads, segment = 2048, 256, 32 // a segment of memory in bytes
	for _, c := range []struct {
		elem    dtype.Type
		columns int
	}{{dtype.F32, 2}, {dtype.U32, 2}, {dtype.F16, 2}, {dtype.F16, 4}} {
		k := axistest.Build(t, "transpose", func(k *tile.Builder) {
			k.Schedule(tile.Schedule{Threads: threads})
			x, y := k.In("x", c.elem, 2), k.Out("y", c.elem, 2)
			y.Block(rows, c.columns).Store(x.Block(rows, c.columns).Load(0, 0), 0, 0)
		})
		facts := axis.FactsOf([]layout.Layout{lowertest.Columns(t, 1<<20, c.columns), lowertest.Rows(t, 1<<20, c.columns)}, []int{0, 1})
		for name, caps := range lowertest.Targets {
			if caps.SubgroupSize < 2 {
				continue
			}
			a := New(k, facts, threads, caps, Fallback{})
			for _, s := range a.Sites {
				if s.op == nil || s.op.Kind != tile.OpStore {
					continue
				}
				l, err := a.In(s).Reshape(rows * c.columns)
				if err != nil {
					t.Fatal(err)
				}
				lanes, size := caps.SubgroupSize, c.elem.Size()
				if got, want := l.Segments(0, segment/size, lanes), max(lanes*c.columns*size/segment, 1); got > want {
					t.Errorf("%s: rows of %d %v: a subgroup's stores are in %d segments, want %d: %v", name, c.columns, c.elem, got, want, a.In(s))
				}
			}
		}
	}
}
