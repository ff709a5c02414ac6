package ops_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/recent"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

// ragged makes a view of a shape whose elements are anywhere in memory: in any order of dimensions, a part of a larger tensor, every other
// element, backwards, or repeated.
func ragged(t *testing.T, dev *weft.Device, rng *rand.Rand, elem weft.DType, shape ...int) (*weft.Tensor, []float64) {
	t.Helper()
	must := func(x *weft.Tensor, err error) *weft.Tensor {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	larger, repeated := slices.Clone(shape), -1
	for d := range larger {
		larger[d] = 2*larger[d] + rng.IntN(3)
	}
	if len(shape) > 0 && rng.IntN(4) == 0 {
		repeated = rng.IntN(len(shape))
	}
	x, _ := permuted(t, dev, rng, elem, larger...)
	for d, n := range shape {
		step, from := 1, rng.IntN(larger[d]-n+1)
		if rng.IntN(4) == 0 {
			step, from = 2, 0
		}
		x = must(x.SliceStep(d, from, from+max(step*(n-1)+1, 0), step))
		if rng.IntN(6) == 0 {
			x = must(x.Flip(d))
		}
		if d == repeated && n > 0 {
			x = must(must(x.Slice(d, 0, 1)).Broadcast(append(append(slices.Clone(x.Shape()[:d]), n), x.Shape()[d+1:]...)...))
		}
	}
	values, err := weft.ToFloats(x)
	if err != nil {
		t.Fatal(err)
	}
	return x, values
}

// Packed operands give the products that they are of, with any views, batches and epilogues, and a workspace full of what was there before.
func TestPackedProducts(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(9, 2))
	for i := range 300 {
		elem := floatTypes[rng.IntN(3)]
		aShape, bShape := shapesOf(rng)
		a, x := ragged(t, dev, rng, elem, aShape...)
		b, y := ragged(t, dev, rng, elem, bShape...)
		shape, want, magnitudes := reference.BatchedMatMul(aShape, x, bShape, y)
		out, _ := permuted(t, dev, rng, elem, shape...)
		dirty, err := weft.Full(dev, elem, 57344, 1<<12) // that the pool hands out as the workspace
		if err != nil {
			t.Fatal(err)
		}
		dirty.Close()
		options := []ops.MatMulOption{ops.Pack(true)}
		if i%3 == 1 {
			options = append(options, ops.Tiles(ops.MatMulConfig{BM: 4, BN: 8, BK: 16, SplitK: 3}))
		}
		if i%2 == 1 {
			options = append(options, ops.Fuse(ops.ReLUMap))
			for i := range want {
				want[i] = max(want[i], 0)
			}
		}
		k := aShape[len(aShape)-1]
		for range 2 { // the second is remembered
			within(t, out, ops.MatMulInto(out, a, b, options...), want, func(i int) float64 {
				return bounds.MatMul(elem, tile.IEEE, k, want[i], magnitudes[i])
			})
			if err := out.Fill(57344); err != nil {
				t.Fatal(err)
			}
		}
		if t.Failed() {
			t.Fatalf("%v %v %v: %v @ %v", i, aShape, bShape, a.Layout(), b.Layout())
		}
	}
}

// Packed integers give the very sums.
func TestPackedIntegers(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(10, 2))
	for range 60 {
		m, n, k := 1+rng.IntN(20), 1+rng.IntN(20), 1+rng.IntN(60)
		a, x := ragged(t, dev, rng, weft.I8, m, k)
		b, y := ragged(t, dev, rng, weft.I8, k, n)
		want, _ := reference.MatMul(m, k, n, x, y)
		out, err := ops.MatMul(a, b, ops.Pack(true))
		within(t, out, err, want, func(int) float64 { return 0 })
	}
}

// A recording packs anew what its operands hold at each replay, in a workspace of its own.
func TestPackingIsRecorded(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(11, 2))
	a, _ := random(t, dev, rng, weft.F32, 7, 13)
	b, y := random(t, dev, rng, weft.F32, 13, 9)
	out, err := weft.Empty(dev, weft.F32, 7, 9)
	if err != nil {
		t.Fatal(err)
	}
	recording, err := dev.Capture(func(rec *weft.Recorder) error { return ops.MatMulInto(rec.Use(out), a, b, ops.Pack(true)) })
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	if n := recording.Launches(); n != 3 {
		t.Errorf("%d launches, want two copies and the product", n)
	}
	for range 3 {
		next, x := random(t, dev, rng, weft.F32, 7, 13)
		dirty, err := weft.Full(dev, weft.F32, 57344, 1<<10)
		if err != nil {
			t.Fatal(err)
		}
		dirty.Close()
		if err := a.CopyFrom(next); err != nil {
			t.Fatal(err)
		}
		want, magnitudes := reference.MatMul(7, 13, 9, x, y)
		within(t, out, recording.Replay(), want, func(i int) float64 { return bounds.MatMul(weft.F32, tile.IEEE, 13, want[i], magnitudes[i]) })
	}
}

// Without memory to pack in, a product is that of the operands as they are; and nobody holds on to a workspace.
func TestNoRoomForPacking(t *testing.T) {
	dev, spy := openSpy(t)
	x, err := weft.Full(dev, weft.F32, 1, 50, 61)
	if err != nil {
		t.Fatal(err)
	}
	out, err := weft.Empty(dev, weft.F32, 50, 50)
	if err != nil {
		t.Fatal(err)
	}
	before := dev.MemoryStats().InUse
	for _, full := range []bool{true, false} {
		recent.Forget()
		spy.mu.Lock()
		spy.full, spy.launches = full, 0
		spy.mu.Unlock()
		if err := ops.MatMulInto(out, x, x.T(), ops.Pack(true)); err != nil {
			t.Fatal(err)
		}
		spy.mu.Lock()
		spy.full = false
		launches := spy.launches
		spy.mu.Unlock()
		if want := map[bool]int{true: 1, false: 3}[full]; launches != want {
			t.Errorf("memory is full: %v, %d launches, want %d", full, launches, want)
		}
		got, err := weft.ToSlice[float32](out)
		if err != nil || got[0] != 61 || got[len(got)-1] != 61 {
			t.Errorf("%v, %v", got[0], err)
		}
	}
	if after := dev.MemoryStats().InUse; after > before {
		t.Errorf("%d bytes in use, %d before", after, before)
	}
}

// Rows of large matrices are copied two vectors a thread and 1 KiB a row; what crosses, is small or has few rows stays as maps have it.
func TestPackConfig(t *testing.T) {
	strided := func(stride int, shape ...int) layout.Layout {
		strides := []int{stride, 1}
		if len(shape) > 2 {
			strides = []int{stride * shape[1], stride, 1}
		}
		l, err := layout.Strided(shape, strides, 0)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	for _, c := range []struct {
		name     string
		elem     weft.DType
		from, to layout.Layout
		want     []int // nil for what maps have
	}{
		{"f16", weft.F16, strided(4097, 4095, 4097), strided(4160, 4095, 4104), []int{8, 512}},
		{"u8", weft.U8, strided(4097, 4095, 4097), strided(4224, 4095, 4112), []int{8, 1024}},
		{"f32", weft.F32, strided(4097, 4095, 4097), strided(4128, 4095, 4100), []int{8, 256}},
		{"batched", weft.F16, strided(1025, 16, 1023, 1025), strided(1088, 16, 1023, 1032), []int{1, 8, 512}},
		{"crossed", weft.F16, strided(4095, 4097, 4095).Transpose(), strided(4160, 4095, 4104), nil},
		{"small", weft.F16, strided(1025, 1023, 1025), strided(1088, 1023, 1032), nil},
		{"few rows", weft.F16, strided(4000001, 4, 4000001), strided(4000064, 4, 4000008), nil},
		{"short rows", weft.F16, strided(513, 40000, 513), strided(576, 40000, 520), nil},
	} {
		cfg, want := ops.PackConfig(matrixCaps, c.elem, c.from, c.to), elementwise.ConfigFor(matrixCaps, c.elem, c.elem, c.from, c.to)
		if c.want != nil {
			clear(want.Block[:])
			copy(want.Block[:], c.want)
		}
		if cfg != want {
			t.Errorf("%s: %+v, want %+v", c.name, cfg, want)
		}
		k, err := copyKernel.Build(cfg)
		if err != nil {
			t.Fatal(err)
		}
		a, err := compile.Emit(k, axis.FactsOf([]layout.Layout{c.from, c.to}, []int{0, 1}), matrixCaps)
		if err != nil {
			t.Fatal(err)
		}
		if loads := strings.Count(a.Source.Text, "&src["); c.want != nil && c.elem.Size() < 4 && loads != 4 {
			t.Errorf("%s: %d loads, want two for each of two vectors\n%s", c.name, loads, a.Source.Text)
		}
	}
}
