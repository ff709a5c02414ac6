//go:build linux && (amd64 || arm64)

package cuda

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/ops"
)

// copied is a block that is copied by a tensor map: of elements of a size with the sizes and strides of a region, from coordinates on.
type copied struct {
	elem   dtype.Type
	box    [3]int
	region backend.Region
	at     [3]int32
}

// needMaps skips the test on a GPU without tensor maps.
func (r rig) needMaps(t *testing.T) {
	t.Helper()
	if !r.Caps().TensorMaps {
		testenv.Skip(t, "cuda", "the GPU has no tensor maps")
	}
}

// blockProgram loads the kernel that copies one block.
func (r rig) blockProgram(t testing.TB, elem dtype.Type, box [3]int) backend.Program {
	t.Helper()
	src := testSource("block")
	src.Maps = []backend.TensorMap{{Name: "src", Binding: 0, Elem: elem, Box: box[:]}}
	p, err := r.Load(src, r.binary(t, src))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (c copied) bytes() int { return c.box[0] * c.box[1] * c.box[2] * c.elem.Size() }

func (c copied) launch(src, out backend.Buffer) backend.Launch {
	return backend.Launch{
		Grid: [3]int{1, 1, 1}, Buffers: []backend.Buffer{src, out}, Maps: []backend.Region{c.region},
		Words: []uint32{uint32(c.at[0]), uint32(c.at[1]), uint32(c.at[2]), uint32(c.box[1] * c.box[2])},
	}
}

// want is the block in order, with zeros outside of the region.
func (c copied) want(src []byte) (out []byte) {
	size := c.elem.Size()
	for z := range c.box[2] {
		for y := range c.box[1] {
			for x := range c.box[0] {
				element, inside, from := make([]byte, size), true, c.region.Offset
				for d, i := range []int{x, y, z} {
					i += int(c.at[d])
					inside = inside && i >= 0 && i < int(c.region.Sizes[d])
					from += int64(i) * c.region.Strides[d]
				}
				if inside {
					copy(element, src[from:])
				}
				out = append(out, element...)
			}
		}
	}
	return out
}

// randomCopy is a copy out of a buffer of a number of bytes.
func randomCopy(rng *rand.Rand, room int) copied {
	types := []dtype.Type{dtype.I8, dtype.F16, dtype.BF16, dtype.F32, dtype.U32, dtype.I64, dtype.U8, dtype.Bool}
	for {
		c := copied{elem: types[rng.IntN(len(types))]}
		size := c.elem.Size()
		c.box = [3]int{128 / size, 1 + rng.IntN(16), 1 + rng.IntN(8)}
		sizes := [3]int{1 + rng.IntN(300/size), 1 + rng.IntN(20), 1 + rng.IntN(5)}
		up := func(n int) int { return (n+15)&^15 + 16*rng.IntN(2) }
		strides := [3]int{size, up(sizes[0] * size), 0}
		strides[2] = up(sizes[1] * strides[1])
		if rng.IntN(2) == 0 { // the last dimension within the second
			strides[2] = strides[1]
			strides[1] = up(sizes[2] * strides[2])
		}
		c.region.Offset = int64(16 * rng.IntN(5))
		end := int(c.region.Offset) + size
		for d := range 3 {
			end += (sizes[d] - 1) * strides[d]
			c.region.Sizes[d], c.region.Strides[d] = int64(sizes[d]), int64(strides[d])
			if d > 0 && sizes[d] == 1 {
				c.region.Strides[d] = int64(rng.IntN(3)) // never used
			}
			c.at[d] = int32(rng.IntN(sizes[d]+6) - 3)
		}
		c.at[0] = c.at[0] * int32(size) / 16 * 16 / int32(size) // else the hardware stops (H200): blocks begin at multiples of 16 bytes
		if end <= room {
			return c
		}
	}
}

// A tensor map leads to the elements of its region, and to zeros around them, alone and in a graph.
func TestTensorMaps(t *testing.T) {
	eachDevice(t, func(t *testing.T, r rig) {
		r.needMaps(t)
		rng := rand.New(rand.NewPCG(7, 9))
		data := noise(1 << 16)
		src := r.buffer(t, data)
		for range 60 {
			c := randomCopy(rng, len(data))
			p := r.blockProgram(t, c.elem, c.box)
			outs := []backend.Buffer{r.buffer(t, noise(c.bytes())), r.buffer(t, noise(c.bytes())), r.buffer(t, noise(c.bytes()))}
			other := c // by the same program, whose memory for maps a graph must not hold on to
			other.at[1]++
			other.region.Offset += 16
			other.region.Sizes[1] = 1
			if err := r.Stream().Launch(p, c.launch(src, outs[0])); err != nil {
				t.Fatalf("%+v: %v", c, err)
			}
			if err := r.Stream().Synchronize(); err != nil {
				t.Fatalf("%+v: %v", c, err)
			}
			q, err := r.Stream().Sequence([]backend.Step{{Program: p, Launch: c.launch(src, outs[1])}, {Program: p, Launch: other.launch(src, outs[2])}})
			if err != nil {
				t.Fatalf("%+v: %v", c, err)
			}
			if err := errors.Join(q.Launch(), r.Stream().Synchronize()); err != nil {
				t.Fatalf("%+v in a graph: %v", c, err)
			}
			for i, want := range [][]byte{c.want(data), c.want(data), other.want(data)} {
				if got := content(t, outs[i]); !bytes.Equal(got, want) {
					t.Fatalf("%+v: block %d differs", c, i)
				}
			}
			for _, closer := range []interface{ Close() error }{q, p, outs[0], outs[1], outs[2]} {
				if err := closer.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// tensorBlock is a copy that nothing is the matter with.
func tensorBlock() copied {
	return copied{elem: dtype.F16, box: [3]int{64, 8, 1}, region: backend.Region{
		Offset: 32, Sizes: [5]int64{100, 20, 3}, Strides: [5]int64{2, 208, 4160}}}
}

// What a kernel copies nothing of may have no memory, and any strides.
func TestTensorMapsOfNothing(t *testing.T) {
	eachDevice(t, func(t *testing.T, r rig) {
		r.needMaps(t)
		c := tensorBlock()
		p, out := r.blockProgram(t, c.elem, c.box), r.buffer(t, noise(c.bytes()))
		for d := range 3 {
			c := tensorBlock()
			c.region.Offset, c.region.Sizes[d], c.region.Strides = 0, 0, [5]int64{}
			for _, src := range []backend.Buffer{r.buffer(t, nil), r.buffer(t, noise(16))} {
				l := c.launch(src, out)
				if r.fake == nil {
					l.Grid[0] = 0 // the kernel copies all the same
				}
				if err := r.Stream().Launch(p, l); err != nil {
					t.Errorf("dimension %d has no elements: %v", d, err)
				}
				if r.fake != nil { // whose kernel would read what it finds there
					r.fake.change(fakeEncoded, 0)
				}
			}
		}
	})
}

func TestTensorMapsRefuse(t *testing.T) {
	eachDevice(t, func(t *testing.T, r rig) {
		r.needMaps(t)
		good := tensorBlock()
		p, src, out := r.blockProgram(t, good.elem, good.box), r.buffer(t, noise(1<<14)), r.buffer(t, noise(good.bytes()))
		before := content(t, out)
		for name, c := range map[string]struct {
			change func(l *backend.Launch)
			kind   error
			says   string
		}{
			"no regions":       {func(l *backend.Launch) { l.Maps = nil }, fault.ErrArgument, "0 regions given for tensor maps, the kernel has 1"},
			"two regions":      {func(l *backend.Launch) { l.Maps = append(l.Maps, l.Maps[0]) }, fault.ErrArgument, "2 regions"},
			"offset":           {func(l *backend.Launch) { l.Maps[0].Offset = 8 }, fault.ErrUnsupported, "begins at byte 8"},
			"before":           {func(l *backend.Launch) { l.Maps[0].Offset = -16 }, fault.ErrUnsupported, "begins at byte -16"},
			"stride":           {func(l *backend.Launch) { l.Maps[0].Strides[1] = 200 }, fault.ErrUnsupported, "stride of 200 bytes in dimension 1"},
			"backwards":        {func(l *backend.Launch) { l.Maps[0].Strides[2] = -160 }, fault.ErrUnsupported, "stride of -160 bytes"},
			"apart":            {func(l *backend.Launch) { l.Maps[0].Strides[0] = 4 }, fault.ErrUnsupported, "elements of 2 bytes are 4 bytes apart"},
			"beyond":           {func(l *backend.Launch) { l.Maps[0].Sizes[2] = 4 }, fault.ErrShape, "the buffer has 16384"},
			"beyond all":       {func(l *backend.Launch) { l.Maps[0].Sizes, l.Maps[0].Strides[2] = [5]int64{1, 1, 1 << 32}, 1<<39 }, fault.ErrShape, "the buffer has 16384"},
			"beyond the limit": {func(l *backend.Launch) { l.Maps[0].Sizes[2] = 1<<32 + 1 }, fault.ErrLimit, "size 4294967297"},
			"less than none":   {func(l *backend.Launch) { l.Maps[0].Sizes[0] = -1 }, fault.ErrLimit, "size -1"},
		} {
			l := good.launch(src, out)
			c.change(&l)
			err := r.Stream().Launch(p, l)
			if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v, want %v: %q", name, err, c.kind, c.says)
			}
			if _, again := r.Stream().Sequence([]backend.Step{{Program: p, Launch: l}}); !errors.Is(again, c.kind) {
				t.Errorf("%s in a sequence: %v", name, again)
			}
		}
		if !bytes.Equal(content(t, out), before) {
			t.Error("a refused launch has written")
		}
		if err := r.Stream().Launch(p, good.launch(src, out)); err != nil {
			t.Error(err)
		}
	})
}

// openFake is the fake device, whose insides are at hand.
func openFake(t testing.TB) (rig, *device) {
	f := newFake(t)
	dev := f.open(t)
	return rig{dev, f, f.open}, dev.(*device)
}

// A driver that refuses a map is told of with the view's name, and the map is not kept.
func TestTensorMapsThatTheDriverRefuses(t *testing.T) {
	r, d := openFake(t)
	c := tensorBlock()
	src, out := r.buffer(t, noise(1<<14)), r.buffer(t, noise(c.bytes()))
	r.fake.change(fakeEncodeStatus, 1)
	p := r.blockProgram(t, c.elem, c.box)
	err := r.Stream().Launch(p, c.launch(src, out))
	var f *fault.Error
	if !errors.Is(err, fault.ErrUnsupported) || !errors.As(err, &f) || f.Arg != "src" || f.Op != "launch block" ||
		!strings.Contains(err.Error(), "cuTensorMapEncodeTiled") || !strings.Contains(err.Error(), "strides [208 4160] bytes") {
		t.Errorf("%v", err)
	}
	r.fake.change(fakeEncodeStatus, 0)
	if len(d.maps) != 0 {
		t.Errorf("%d maps are kept", len(d.maps))
	}
	if err := r.Stream().Launch(p, c.launch(src, out)); err != nil {
		t.Error(err)
	}
}

// Equal maps are encoded once, whatever program needs them, others each, and no more than so many are kept.
func TestTensorMapsAreKept(t *testing.T) {
	r, d := openFake(t)
	c := tensorBlock()
	p, twin, other := r.blockProgram(t, c.elem, c.box), r.blockProgram(t, c.elem, c.box), r.blockProgram(t, dtype.BF16, c.box)
	src, out := r.buffer(t, noise(1<<20)), r.buffer(t, noise(c.bytes()))
	launch := func(p backend.Program, c copied, encoded int64) {
		t.Helper()
		before := r.fake.value(fakeEncoded)
		if err := r.Stream().Launch(p, c.launch(src, out)); err != nil {
			t.Fatal(err)
		}
		if n := r.fake.value(fakeEncoded) - before; n != encoded {
			t.Fatalf("%d maps encoded, want %d", n, encoded)
		}
	}
	launch(p, c, 1)
	launch(p, c, 0)
	launch(twin, c, 0)
	launch(other, c, 1)
	for _, change := range []func(c *copied){
		func(c *copied) { c.region.Offset += 16 }, func(c *copied) { c.region.Sizes[1]-- }, func(c *copied) { c.region.Strides[2] += 16 },
	} {
		changed := c
		change(&changed)
		launch(p, changed, 1)
		launch(p, c, 0)
	}
	for i := range 3 * maxMaps {
		c.region.Offset = int64(16 * (i + 8))
		launch(p, c, 1)
		if len(d.maps) > maxMaps {
			t.Fatalf("%d maps are kept", len(d.maps))
		}
	}
	launch(p, c, 0)
}

func TestLaunchesWithTensorMapsAllocateNothing(t *testing.T) {
	r, _ := openFake(t)
	c := tensorBlock()
	p, s := r.blockProgram(t, c.elem, c.box), r.Stream()
	l := c.launch(r.buffer(t, noise(1<<14)), r.buffer(t, noise(c.bytes())))
	if n := testing.AllocsPerRun(1000, func() {
		if err := s.Launch(p, l); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("a launch makes %v allocations", n)
	}
}

// Tensor maps are promised where both the GPU and the driver have them.
func TestWhoHasTensorMaps(t *testing.T) {
	f := newFake(t)
	for _, c := range []struct {
		capability int64
		symbol     bool
		want       bool
	}{{90, true, true}, {90, false, false}, {80, true, false}} {
		f.change(fakeCapability, c.capability)
		lib := *f.driverLib
		if !c.symbol {
			lib.TensorMapEncode.addr = 0
		}
		list := candidates(&lib, fakeNVRTC)
		dev, err := list[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		defer dev.Close()
		if got := dev.Caps().TensorMaps; got != c.want {
			t.Errorf("%+v: promised is %v", c, got)
		}
		src := testSource("block")
		src.Maps = []backend.TensorMap{{Name: "src", Elem: dtype.F16, Box: []int{64, 8, 1}}}
		if _, err := dev.Load(src, fakeCubin()); c.want != (err == nil) || err != nil && !errors.Is(err, fault.ErrUnsupported) {
			t.Errorf("%+v: load: %v", c, err)
		}
	}
}

// The tensor maps of products are what the driver takes: of any sizes, of views, of batches that repeat and of nothing to sum, in a
// capture as well.
func TestTensorMapsOfProducts(t *testing.T) {
	f := newFake(t)
	f.change(fakeAnyKernel, 1)
	f.change(fakeMemory, 1<<30)
	inner := f.open(t)
	dev := weft.NewDevice(compiled{inner})
	defer dev.Close()
	tensor := func(elem weft.DType, shape ...int) *weft.Tensor {
		t.Helper()
		x, err := weft.Empty(dev, elem, shape...)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	cut := func(x *weft.Tensor, dim, from, to int) *weft.Tensor {
		t.Helper()
		y, err := x.Slice(dim, from, to)
		if err != nil {
			t.Fatal(err)
		}
		return y
	}
	for name, c := range map[string]struct {
		a, b *weft.Tensor
		maps int64
	}{
		"whole":          {tensor(weft.F16, 1024, 1024), tensor(weft.F16, 1024, 1024), 3}, // the result, too
		"transposed":     {tensor(weft.BF16, 1024, 1024).T(), tensor(weft.BF16, 1024, 1024).T(), 3},
		"odd":            {tensor(weft.F16, 1023, 1025), tensor(weft.F16, 1025, 1021), 2}, // packed
		"parts":          {cut(tensor(weft.F16, 1024, 2048), 1, 8, 1032), cut(tensor(weft.F16, 2048, 1024), 0, 3, 1027), 3},
		"few sums":       {tensor(weft.F16, 1024, 64), tensor(weft.F16, 64, 1024), 3},
		"one for many":   {tensor(weft.F16, 8, 512, 512), tensor(weft.F16, 512, 512), 3},
		"many for one":   {tensor(weft.F16, 512, 512), tensor(weft.F16, 8, 512, 512), 3},
		"batch":          {tensor(weft.F16, 8, 512, 512), tensor(weft.F16, 8, 512, 512), 3},
		"nothing to sum": {tensor(weft.F16, 1024, 0), tensor(weft.F16, 0, 1024), 0},
	} {
		clear(inner.(*device).maps)
		before := f.value(fakeEncoded)
		out, err := ops.MatMul(c.a, c.b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n := f.value(fakeEncoded) - before; n != c.maps {
			t.Errorf("%s: %d maps encoded, want %d", name, n, c.maps)
		}
		recording, err := dev.Capture(func(rec *weft.Recorder) error { return ops.MatMulInto(rec.Use(out), c.a, c.b) })
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := recording.Replay(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := recording.Close(); err != nil {
			t.Error(err)
		}
	}
}

// BenchmarkTensorMaps is the host's share of a launch with one tensor map that is known; BenchmarkLaunch has none.
func BenchmarkTensorMaps(b *testing.B) {
	r, _ := openFake(b)
	r.fake.change(fakeAnyKernel, 1)
	c := tensorBlock()
	p, s := r.blockProgram(b, c.elem, c.box), r.Stream()
	l := c.launch(r.buffer(b, noise(1<<14)), r.buffer(b, noise(c.bytes())))
	for i := 0; b.Loop(); i++ {
		if err := s.Launch(p, l); err != nil {
			b.Fatal(err)
		}
		if i%512 == 511 { // before the queue is full
			if err := s.Synchronize(); err != nil {
				b.Fatal(err)
			}
		}
	}
}
