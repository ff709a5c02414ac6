package interp

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// What an output does not get is found after the launch, once for each view and at its line, and nothing else is.
func TestUnwritten(t *testing.T) {
	for _, c := range []struct {
		name     string
		describe func(k *tile.Builder)
		shapes   [][]int
		want     []string // of each finding
	}{
		{"all but the last tile", func(k *tile.Builder) {
			y := k.Out("y", dtype.F32, 1)
			k.Grid(y.Dim(0).Div(8)) // instead of CDiv
			y.Block(8).Store(k.Zeros(dtype.F32, 8), k.ProgramID(0))
		}, [][]int{{37}}, []string{"5 of the 37 elements, the first at [32], are written by no program of grid [4 1 1]"}},
		{"all", func(k *tile.Builder) {
			y := k.Out("y", dtype.F32, 1)
			k.Grid(k.CDiv(y.Dim(0), 8))
			y.Block(8).Store(k.Zeros(dtype.F32, 8), k.ProgramID(0))
		}, [][]int{{37}}, nil},
		{"one element", func(k *tile.Builder) {
			y := k.Out("y", dtype.I32, 1)
			i := k.Arange(8)
			y.At(i).Mask(i.Ne(3)).Scatter(k.Zeros(dtype.I32, 8))
		}, [][]int{{8}}, []string{"1 of the 8 elements, at [3], is written by no program of grid [1 1 1]"}},
		{"columns", func(k *tile.Builder) {
			y := k.Out("y", dtype.F32, 2)
			k.Grid(y.Dim(0))
			y.Block(1, 4).Store(k.Zeros(dtype.F32, 1, 4), k.ProgramID(0), 0)
		}, [][]int{{3, 7}}, []string{"9 of the 21 elements, the first at [0 4],"}},
		{"two views", func(k *tile.Builder) {
			x, y, z := k.Out("x", dtype.F32, 1), k.Out("y", dtype.F32, 1), k.Out("z", dtype.F32, 1)
			v := k.Zeros(dtype.F32, 4)
			x.Block(4).Store(v, 0)
			y.Block(4).Store(v, 0)
			z.Block(4).Store(v, 1)
		}, [][]int{{5}, {3}, {5}}, []string{"1 of the 5 elements, at [4],", "4 of the 5 elements, the first at [0],"}},
		{"in part, of a view that is read too", func(k *tile.Builder) {
			k.InOut("y", dtype.F32, 1).Block(8).Store(k.Zeros(dtype.F32, 8), 1)
		}, [][]int{{37}}, nil},
		{"atomic ops to some", func(k *tile.Builder) {
			k.InOut("y", dtype.I32, 1).At(k.Arange(4)).AtomicAdd(1)
		}, [][]int{{6}}, nil},
		{"split reduction", split(1), [][]int{{11}}, nil},
		{"split reduction of all but the last tile", split(0), [][]int{{11}}, []string{"3 of the 11 elements, the first at [8],"}},
		{"no elements", func(k *tile.Builder) {
			y := k.Out("y", dtype.F32, 2)
			k.Grid(k.CDiv(y.Dim(0), 8))
			y.Block(8, 8).Store(k.Zeros(dtype.F32, 8, 8), k.ProgramID(0), 0)
		}, [][]int{{5, 0}}, nil},
		{"no programs", func(k *tile.Builder) {
			x, y := k.In("x", dtype.F32, 1), k.Out("y", dtype.F32, 1)
			k.Grid(x.Dim(0))
			y.Block(8).Store(k.Zeros(dtype.F32, 8), k.ProgramID(0))
		}, [][]int{{0}, {5}}, []string{"5 of the 5 elements, the first at [0], are written by no program of grid [0 1 1]"}},
		{"neither programs nor elements", func(k *tile.Builder) {
			y := k.Out("y", dtype.F32, 1)
			k.Grid(y.Dim(0))
			y.Block(1).Store(k.Zeros(dtype.F32, 1), k.ProgramID(0))
		}, [][]int{{0}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := build(t, "unwritten", c.describe)
			for f := dense; f < repeated; f++ {
				var found []Finding
				p := &Program{Kernel: k, Options: Options{Check: true, Report: func(f Finding) { found = append(found, f) }}}
				if err := runUnwritten(t, p, f, c.shapes); err != nil {
					t.Fatal(err)
				}
				if len(found) != len(c.want) {
					t.Fatalf("form %v: found %v, want %q", f, found, c.want)
				}
				for i, got := range found {
					v := k.Views[viewNamed(k, got.View)]
					want := fmt.Sprintf("weft: %v: view %s: unwritten: %s", v.Pos, v.Name, c.want[i])
					if got.Problem != Unwritten || got.Pos != v.Pos || !strings.HasPrefix(got.Error(), want) || !strings.Contains(got.Text, "InOut") {
						t.Errorf("form %v: found %v\nwant %s", f, got.Error(), want)
					}
				}
				p = &Program{Kernel: k, Options: Options{Check: true}}
				err := runUnwritten(t, p, f, c.shapes)
				if len(c.want) == 0 && err != nil || len(c.want) > 0 && (!errors.Is(err, fault.ErrKernel) || err.Error() != found[0].Error()) {
					t.Errorf("form %v: without a report: %v", f, err)
				}
				if err := runUnwritten(t, &Program{Kernel: k}, f, c.shapes); err != nil {
					t.Errorf("form %v: without checks: %v", f, err)
				}
			}
		})
	}
}

// split describes a reduction that two programs share for each tile of 8 elements, of all tiles or, with more of 0, of whole ones.
func split(more int) func(k *tile.Builder) {
	return func(k *tile.Builder) {
		y := k.Out("y", dtype.I32, 1)
		k.Schedule(tile.Schedule{SplitK: 2})
		i, _ := k.TileID(y.Dim(0).Div(8).Add(more), 1)
		sum := k.Var(k.Zeros(dtype.I32, 8))
		for range k.SplitRange(5) {
			sum.Set(sum.Get().Add(1))
		}
		y.Block(8).Accumulate(sum.Get(), i)
	}
}

func viewNamed(k *tile.Func, name string) int {
	for i, v := range k.Views {
		if v.Name == name {
			return i
		}
	}
	return -1
}

// runUnwritten runs a kernel on poisoned tensors of a form.
func runUnwritten(t *testing.T, p *Program, f form, shapes [][]int) error {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, uint64(f)))
	var buffers [][]byte
	var layouts []layout.Layout
	p.Buffers = nil
	for i, shape := range shapes {
		x := newTensor(t, rng, p.Kernel.Views[i].Elem, f, shape...)
		p.Buffers, buffers, layouts = append(p.Buffers, i), append(buffers, x.data), append(layouts, x.layout)
	}
	grid, words := launchOf(t, p, layouts)
	return p.Run(grid, buffers, words)
}

// Elements count as written by whichever view of their buffer wrote them, and each view answers for its own.
func TestUnwrittenOfSharedBuffers(t *testing.T) {
	k := build(t, "halves", func(k *tile.Builder) {
		x, y := k.Out("x", dtype.I32, 1), k.Out("y", dtype.I32, 1)
		x.Block(4).Store(k.Zeros(dtype.I32, 4), 0)
		y.Block(2).Store(k.Zeros(dtype.I32, 2), 0)
	})
	for _, c := range []struct {
		words []uint32
		want  string
	}{
		{[]uint32{0, 4, 1, 4, 2, 1}, ""}, // side by side
		{[]uint32{0, 4, 1, 2, 2, 1}, ""}, // y is the end of x
		{[]uint32{0, 6, 1, 4, 2, 1}, ""}, // y writes what x leaves
		{[]uint32{0, 6, 1, 3, 2, 1}, "view x: unwritten: 1 of the 6 elements, at [5]"},
		{[]uint32{0, 4, 1, 3, 3, 1}, "view y: unwritten: 1 of the 3 elements, at [2]"},
	} {
		var found []string
		p := &Program{Kernel: k, Buffers: []int{0, 0}, Options: Options{Check: true, Report: func(f Finding) {
			if f.Problem == Unwritten {
				found = append(found, f.Error())
			}
		}}}
		if err := p.Run([3]int{1, 1, 1}, [][]byte{make([]byte, 4*7)}, c.words); err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(found, "\n"); len(found) > 1 || (text == "") != (c.want == "") || !strings.Contains(text, c.want) {
			t.Errorf("%v: found %q, want %q", c.words, text, c.want)
		}
	}
}

// A launch that ends early says why, and not what it did not come to.
func TestUnwrittenAfterAnError(t *testing.T) {
	k := build(t, "fails", func(k *tile.Builder) {
		y := k.Out("y", dtype.F32, 1)
		k.Grid(y.Dim(0))
		k.Assert(k.ProgramID(0).Lt(3), "too far")
		y.Block(1).Store(k.Zeros(dtype.F32, 1), k.ProgramID(0))
	})
	p := &Program{Kernel: k, Options: Options{Check: true}}
	if err := runUnwritten(t, p, dense, [][]int{{9}}); err == nil || !strings.Contains(err.Error(), "too far") {
		t.Errorf("error %v, want that of the assertion", err)
	}
}
