package lower

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/distribution"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// wideMap adds 1 to blocks of 2 rows of 256 elements, 16 to each of 32 threads.
func wideMap(t *testing.T, from, to dtype.Type) *tile.Func {
	return axistest.Build(t, "wide", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: 32})
		x, y := k.In("x", from, 2), k.Out("y", to, 2)
		k.Grid(k.CDiv(x.Dim(0), 2), k.CDiv(x.Dim(1), 256))
		v := x.Block(2, 256).Fill(3).Load(k.ProgramID(0), k.ProgramID(1))
		y.Block(2, 256).Store(v.Cast(computed(from)).Add(1).Cast(to), k.ProgramID(0), k.ProgramID(1))
	})
}

// computed is a type that elements of memory are computed in.
func computed(e dtype.Type) dtype.Type {
	if e.IsFloat() {
		return dtype.F32
	}
	return dtype.I32
}

// Accesses to small elements cover 16 bytes where sizes, strides and offsets allow it, and
// what the narrower ones do is the same.
func TestWideAccesses(t *testing.T) {
	for _, e := range []dtype.Type{dtype.F16, dtype.BF16, dtype.I8, dtype.U8, dtype.I16, dtype.U16} {
		whole := 16 / e.Size()
		for _, c := range []struct {
			rows, columns, stride, offset int
			width, inside                 int // at the edges of the view, and within it
		}{
			{5, 512, 512, 0, whole, whole}, {4, 256, 256, 16, whole, whole}, {3, 2*256 - 16, 528, 0, whole, whole}, {3, 100, 112, 16, 4, whole},
			{4, 256, 256 + 8, 0, min(whole, 8), min(whole, 8)}, {2, 256, 256, 2, 2, 2}, {3, 255, 256, 0, 1, whole},
		} {
			l := axistest.Strided(t, []int{c.rows, c.columns}, []int{c.stride, 1}, c.offset)
			_, last := l.Bounds()
			k := wideMap(t, e, e)
			t.Run(fmt.Sprintf("%v/%v", e, c), func(t *testing.T) {
				r, err := Lower(k, axis.FactsOf([]layout.Layout{l, l}, []int{0, 1}), lowertest.Targets["shuffles"])
				if err != nil {
					t.Fatal(err)
				}
				for _, width := range []int{c.width, c.inside} {
					if want := fmt.Sprintf("x by vectors of %d %v", width, e); !strings.Contains(strings.Join(r.Notes, "\n"), want) {
						t.Errorf("want %q, got %s", want, strings.Join(r.Notes, "\n"))
					}
				}
				if words := strings.Contains(r.Kernel.String(), "load words of x"); words != (c.inside > distribution.RegisterLanes) {
					t.Errorf("vectors of %d, packed words: %v", c.width, words)
				}
				differential(t, k, []int{last + 9, last + 9}, []tensor{{l, 0}, {l, 1}}, false, 0)
				differential(t, k, []int{last + 9}, []tensor{{l, 0}, {l, 0}}, true, 0)
			})
		}
	}
	l := axistest.Strided(t, []int{4, 512}, []int{512, 1}, 0)
	differential(t, wideMap(t, dtype.F32, dtype.F16), []int{2048, 2048}, []tensor{{l, 0}, {l, 1}}, false, 0)
	differential(t, wideMap(t, dtype.I8, dtype.F32), []int{2048, 2048}, []tensor{{l, 0}, {l, 1}}, false, 0)
}

// A store rounds by itself: nothing is rounded before it that goes nowhere else.
func TestStoresRoundOnce(t *testing.T) {
	l := axistest.Strided(t, []int{4, 512}, []int{512, 1}, 0)
	for _, e := range []dtype.Type{dtype.F16, dtype.BF16} {
		r, err := Lower(wideMap(t, dtype.F32, e), axis.FactsOf([]layout.Layout{l, l}, []int{0, 1}), lowertest.Targets["shuffles"])
		if err != nil {
			t.Fatal(err)
		}
		if text := r.Kernel.String(); strings.Contains(text, "round16") {
			t.Error(text)
		}
	}
}

// A buffer is streamed where all views of it are.
func TestStreamed(t *testing.T) {
	k := axistest.Build(t, "add", func(k *tile.Builder) {
		x, y, out := k.In("x", dtype.F32, 1), k.In("y", dtype.F32, 1), k.Out("out", dtype.F32, 1)
		x.Streamed = true
		out.Block(1024).Store(x.Block(1024).Load(0).Add(y.Block(1024).Load(0)), 0)
	})
	line := axistest.Strided(t, []int{1024}, []int{1}, 0)
	for _, c := range []struct {
		buffers []int
		want    []bool
	}{{[]int{0, 1, 2}, []bool{true, false, false}}, {[]int{0, 0, 1}, []bool{false, false}}, {[]int{0, 1, 0}, []bool{false, false}}} {
		r, err := Lower(k, axis.FactsOf([]layout.Layout{line, line, line}, c.buffers), lowertest.Targets["shuffles"])
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range r.Kernel.Buffers {
			if b.Streamed != c.want[i] {
				t.Errorf("views in buffers %v: buffer %d is streamed: %v", c.buffers, i, b.Streamed)
			}
		}
	}
}
