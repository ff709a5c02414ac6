package compile

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// mapsKernel has two views, and a lowered form with tensor maps of both.
func mapsKernel(t *testing.T) (*tile.Func, *simt.Func) {
	t.Helper()
	k, err := tile.Build("maps", func(k *tile.Builder) {
		x, y, n := k.Out("x", dtype.F16, 3), k.Out("y", dtype.F32, 2), k.Scalar("n", dtype.I32)
		k.Grid(k.CDiv(n, 4))
		x.Block(1, 1, 8).Store(k.Zeros(dtype.F16, 1, 1, 8), 0, 0, 0)
		y.Block(1, 8).Store(k.Zeros(dtype.F32, 1, 8), 0, 0)
	})
	if err != nil {
		t.Fatal(err)
	}
	low, err := simt.Parse(`workgroup maps threads=32 producers=32 {
	buffer 0 x : f16 write
	buffer 1 y : f32 write
	map 0 xm : x of view 0 dims 1, 2, 0 box 64, 8, 2
	map 1 ym : y of view 1 dims 1 box 32
}
`)
	if err != nil {
		t.Fatal(err)
	}
	return k, low
}

// plant makes a compiler find a kernel lowered by hand.
func plant(t *testing.T, c *Compiler, k *tile.Func, low *simt.Func, args []Arg) *Artifact {
	t.Helper()
	facts, err := FactsOf(k, args)
	if err != nil {
		t.Fatal(err)
	}
	a := &Artifact{words: []int{0, 1}}
	if a.Source.Maps, a.maps, err = mapsOf(k, low); err != nil {
		t.Fatal(err)
	}
	p, err := c.dev.Load(a.Source, nil)
	if err != nil {
		t.Fatal(err)
	}
	e := newEntry()
	e.artifact = a
	e.once.Do(func() { e.finish(p, nil) })
	c.entries.Put(cacheKey{k.Hash(), facts.Key()}, e)
	return a
}

// A region leads to the elements that the layout has, whatever the layout.
func TestRegionsAreLayouts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	k, low := mapsKernel(t)
	for range 300 {
		dev := newRecorder()
		c := New(dev)
		random := func(rank int) layout.Layout {
			shape := make([]int, rank)
			for i := range shape {
				shape[i] = rng.IntN(6) * (1 + rng.IntN(3))
			}
			l, err := layout.Contiguous(shape...)
			if err != nil {
				t.Fatal(err)
			}
			if l, err = l.Permute(rng.Perm(rank)...); err != nil {
				t.Fatal(err)
			}
			for d := range rank { // a part of each dimension
				from := rng.IntN(l.Size(d) + 1)
				if l, err = l.Slice(d, from, from+rng.IntN(l.Size(d)-from+1), 1+rng.IntN(2)); err != nil {
					t.Fatal(err)
				}
			}
			return l
		}
		args := []Arg{{&buffer{bytes: 1 << 20}, dtype.F16, random(3)}, {&buffer{bytes: 1 << 20}, dtype.F32, random(2)}}
		plant(t, c, k, low, args)
		for range 2 { // the second is a launch like the first
			if err := c.Launch(k, args, []uint32{9}); err != nil {
				t.Fatal(err)
			}
		}
		first, l := dev.launches[0], dev.launches[1]
		if !slices.Equal(first.Maps, l.Maps) || len(l.Maps) != 2 {
			t.Fatalf("regions %v, then %v", first.Maps, l.Maps)
		}
		for i, dims := range [][]int{{1, 2, 0}, {1}} {
			checkRegion(t, rng, l.Maps[i], args[i], dims)
		}
	}
}

func checkRegion(t *testing.T, rng *rand.Rand, r backend.Region, a Arg, dims []int) {
	t.Helper()
	size := int64(a.Elem.Size())
	if r.Offset != int64(a.Layout.Offset())*size {
		t.Fatalf("%v: region %+v", a.Layout, r)
	}
	for i := range r.Sizes {
		if i >= len(dims) && (r.Sizes[i] != 0 || r.Strides[i] != 0) || i < len(dims) && r.Sizes[i] != int64(a.Layout.Size(dims[i])) {
			t.Fatalf("%v, dimensions %v: region %+v", a.Layout, dims, r)
		}
	}
	if a.Layout.Len() == 0 {
		return
	}
	index, at := make([]int, a.Layout.Rank()), r.Offset
	for i, d := range dims {
		index[d] = rng.IntN(a.Layout.Size(d))
		at += int64(index[d]) * r.Strides[i]
	}
	if want := int64(a.Layout.At(index...)) * size; at != want {
		t.Fatalf("%v, dimensions %v: element %v lies at byte %d, the region says %d", a.Layout, dims, index, want, at)
	}
}

// A map of what a kernel has not is no reason to panic.
func TestMapsOfNoView(t *testing.T) {
	for name, spoil := range map[string]func(m *simt.TensorMap){
		"view":      func(m *simt.TensorMap) { m.View = 2 },
		"elements":  func(m *simt.TensorMap) { m.View = 1 },
		"dimension": func(m *simt.TensorMap) { m.Dims[1] = 3 },
		"negative":  func(m *simt.TensorMap) { m.Dims[1] = -1 },
	} {
		k, low := mapsKernel(t)
		spoil(low.Maps[0])
		if _, _, err := mapsOf(k, low); !errors.Is(err, fault.ErrKernel) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Maps and producers of a lowered kernel are what its source says.
func TestMapsOfALoweredKernel(t *testing.T) {
	k, low := mapsKernel(t)
	maps, views, err := mapsOf(k, low)
	want := []backend.TensorMap{{Name: "xm", Binding: 0, Elem: dtype.F16, Box: []int{64, 8, 2}}, {Name: "ym", Binding: 1, Elem: dtype.F32, Box: []int{32}}}
	if err != nil || !slices.EqualFunc(maps, want, func(a, b backend.TensorMap) bool {
		return a.Name == b.Name && a.Binding == b.Binding && a.Elem == b.Elem && slices.Equal(a.Box, b.Box)
	}) || views[0].View != 0 || !slices.Equal(views[0].Dims, []int{1, 2, 0}) || views[1].View != 1 {
		t.Errorf("%+v, %+v, %v", maps, views, err)
	}
}

// Launching what was prepared allocates nothing, with regions too.
func TestLaunchWithMapsAllocatesNothing(t *testing.T) {
	if testenv.RaceDetector {
		t.Skip("the race detector keeps nothing in pools")
	}
	dev := newRecorder()
	c := New(quiet{dev})
	k, low := mapsKernel(t)
	args := []Arg{{&buffer{bytes: 1 << 20}, dtype.F16, mustContiguous(t, 4, 8, 64)}, {&buffer{bytes: 1 << 20}, dtype.F32, mustContiguous(t, 8, 64)}}
	plant(t, c, k, low, args)
	scalars := []uint32{9}
	if n := testing.AllocsPerRun(200, func() {
		if err := c.Launch(k, args, scalars); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("a launch makes %v allocations", n)
	}
}

func mustContiguous(t *testing.T, shape ...int) layout.Layout {
	t.Helper()
	l, err := layout.Contiguous(shape...)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// quiet is a recorder that keeps no launches.
type quiet struct{ *recorder }

func (quiet) Stream() backend.Stream { return quietStream{} }

type quietStream struct{ backend.Stream }

func (quietStream) Launch(backend.Program, backend.Launch) error { return nil }
