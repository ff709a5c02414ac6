//go:build linux && (amd64 || arm64)

package cuda

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/testenv"
)

// rig is a device under test, its fake driver if it has one, and a second
// device of the same kind.
type rig struct {
	backend.Device
	fake *fake
	open func(t testing.TB) backend.Device
}

// eachDevice runs a test on the fake driver, with and without memory pools, and
// on the GPU if there is one.
func eachDevice(t *testing.T, test func(t *testing.T, r rig)) {
	for _, pools := range []int64{1, 0} {
		t.Run(fmt.Sprintf("fake,pools=%d", pools), func(t *testing.T) {
			f := newFake(t)
			f.change(fakePools, pools)
			dev := f.open(t)
			test(t, rig{dev, f, f.open})
			dev.Close()
			// Devices opened by the test close in its cleanup, after this check.
			if f.value(fakeContexts) == 0 && (f.value(fakeLiveBytes) != 0 || f.value(fakeLiveObjects) != 0) {
				t.Errorf("%d bytes and %d handles are left after Close", f.value(fakeLiveBytes), f.value(fakeLiveObjects))
			}
		})
	}
	t.Run("gpu", func(t *testing.T) { test(t, rig{openGPU(t), nil, openGPU}) })
}

func openGPU(t testing.TB) backend.Device {
	t.Helper()
	c := driver{}.Candidates()[0]
	if c.Refused != nil {
		testenv.Skip(t, "cuda", c.Refused.Error())
	}
	dev, err := c.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return dev
}

func (r rig) binary(t testing.TB, src backend.Source) []byte {
	t.Helper()
	if r.fake != nil {
		return fakeCubin()
	}
	image, err := r.Compile(src)
	if err != nil {
		t.Fatal(err)
	}
	return image
}

func (r rig) program(t testing.TB, name string) backend.Program {
	t.Helper()
	src := testSource(name)
	p, err := r.Load(src, r.binary(t, src))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (r rig) buffer(t testing.TB, content []byte) backend.Buffer {
	t.Helper()
	b, err := r.NewBuffer(int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Upload(0, content); err != nil {
		t.Fatal(err)
	}
	return b
}

func content(t testing.TB, b backend.Buffer) []byte {
	t.Helper()
	got := bytes.Repeat([]byte{0x5A}, int(b.Bytes()))
	if err := b.Download(0, got); err != nil {
		t.Fatal(err)
	}
	return got
}

func noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rand.Uint32())
	}
	return b
}

func floats(x []float32) []byte {
	var b []byte
	for _, v := range x {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

// Vectors that kernels load may reach beyond the last element of a buffer, but not beyond its memory.
func TestMemoryIsWholeVectors(t *testing.T) {
	for _, pools := range []int64{1, 0} {
		f := newFake(t)
		f.change(fakePools, pools)
		dev := f.open(t)
		for _, n := range []int64{1, 2, 15, 16, 17, 4097} {
			before := f.value(fakeLiveBytes)
			if _, err := dev.NewBuffer(n); err != nil {
				t.Fatal(err)
			}
			if got := f.value(fakeLiveBytes) - before; got%16 != 0 || got < n || got >= n+16 {
				t.Errorf("pools %d: %d bytes for %d", pools, got, n)
			}
		}
	}
}

func TestRoundTrip(t *testing.T) {
	eachDevice(t, func(t *testing.T, r rig) {
		for _, n := range []int{0, 1, 3, 5, 63, 64, 4097, stagedMax, stagedMax + 1, 3<<20 + 7} {
			want := noise(n)
			src := bytes.Clone(want)
			b := r.buffer(t, src)
			clear(src) // the buffer must not read it again
			if b.Bytes() != int64(n) {
				t.Errorf("Bytes() is %d, want %d", b.Bytes(), n)
			}
			if got := content(t, b); !bytes.Equal(got, want) {
				t.Fatalf("%d bytes do not come back", n)
			}
			// Any part, at any offset.
			for range 20 {
				from := rand.IntN(n + 1)
				part := noise(rand.IntN(n - from + 1))
				copy(want[from:], part)
				if err := b.Upload(int64(from), part); err != nil {
					t.Fatal(err)
				}
				clear(part)
			}
			from := rand.IntN(n + 1)
			got := make([]byte, rand.IntN(n-from+1))
			if err := b.Download(int64(from), got); err != nil || !bytes.Equal(got, want[from:from+len(got)]) {
				t.Fatalf("%d bytes from %d of %d differ (error %v)", len(got), from, n, err)
			}
			if got := content(t, b); !bytes.Equal(got, want) {
				t.Fatalf("%d bytes differ after partial uploads", n)
			}
			for _, bad := range [][2]int{{-1, 1}, {0, n + 1}, {n, 1}, {n + 1, 0}} {
				if err := b.Upload(int64(bad[0]), make([]byte, bad[1])); !errors.Is(err, fault.ErrShape) {
					t.Errorf("upload of %d bytes at %d of %d: %v", bad[1], bad[0], n, err)
				}
				if err := b.Download(int64(bad[0]), make([]byte, bad[1])); !errors.Is(err, fault.ErrShape) {
					t.Errorf("download of %d bytes at %d of %d: %v", bad[1], bad[0], n, err)
				}
			}
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestShortUploadsDoNotWait: the device fetches them in its own time. When
// there are too many for that they wait, and none is overwritten.
func TestShortUploadsDoNotWait(t *testing.T) {
	f := newFake(t)
	r := rig{f.open(t), f, f.open}
	b := r.buffer(t, noise(stagedMax))
	before := f.value(fakeWaits)
	total := 0
	for total < stagedBytes/2 {
		total += 1000
		if err := b.Upload(0, noise(1000)); err != nil {
			t.Fatal(err)
		}
	}
	if waits := f.value(fakeWaits) - before; waits != 0 {
		t.Errorf("%d waits for %d bytes", waits, total)
	}
	parts := make([]backend.Buffer, 60)
	want := make([][]byte, len(parts))
	for i := range parts {
		want[i] = noise(stagedMax - rand.IntN(100))
		parts[i] = r.buffer(t, want[i])
	}
	for i := range parts {
		if !bytes.Equal(content(t, parts[i]), want[i]) {
			t.Errorf("upload %d is overwritten", i)
		}
	}
}

// vadd checks one vector addition of n random elements, with padding after them.
func vadd(t testing.TB, r rig, p backend.Program, n int) {
	const pad = 3
	a, b, want := make([]float32, n+pad), make([]float32, n+pad), make([]float32, n+pad)
	for i := range want {
		a[i], b[i], want[i] = rand.Float32(), rand.Float32(), float32(math.NaN())
		if i < n {
			want[i] = a[i] + b[i]
		}
	}
	poison := make([]float32, n+pad)
	for i := range poison {
		poison[i] = float32(math.NaN())
	}
	buffers := []backend.Buffer{r.buffer(t, floats(a)), r.buffer(t, floats(b)), r.buffer(t, floats(poison))}
	l := backend.Launch{Grid: [3]int{(n + 127) / 128, 1, 1}, Buffers: buffers, Words: []uint32{uint32(n)}}
	if err := r.Stream().Launch(p, l); err != nil {
		t.Error(err)
		return
	}
	if !bytes.Equal(content(t, buffers[2]), floats(want)) {
		t.Errorf("the sum of %d elements is wrong", n)
	}
	for _, b := range buffers {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestVectorAdd(t *testing.T) {
	eachDevice(t, func(t *testing.T, r rig) {
		if r.fake == nil {
			testenv.Report(t, fmt.Sprintf("cuda kernels ran on %s (%s, %s)", r.Info().Name, r.Info().Driver, r.Caps().Arch))
		}
		p := r.program(t, "vadd")
		for _, n := range []int{0, 1, 127, 128, 129, 1000, 100003} {
			vadd(t, r, p, n)
		}
	})
}

func TestWords(t *testing.T) {
	eachDevice(t, func(t *testing.T, r rig) {
		p := r.program(t, "words")
		out := r.buffer(t, noise(12))
		for range 5 {
			words := []uint32{rand.Uint32(), rand.Uint32() | 1<<31, rand.Uint32()}
			if err := r.Stream().Launch(p, backend.Launch{Grid: [3]int{1, 1, 1}, Buffers: []backend.Buffer{out}, Words: words}); err != nil {
				t.Fatal(err)
			}
			want, _ := binary.Append(nil, binary.LittleEndian, words)
			clear(words) // the launch has read them
			if got := content(t, out); !bytes.Equal(got, want) {
				t.Fatalf("words % x arrive as % x", want, got)
			}
		}
	})
}

func TestEmptyLaunches(t *testing.T) {
	eachDevice(t, func(t *testing.T, r rig) {
		nothing, p := r.program(t, "nothing"), r.program(t, "vadd")
		if err := r.Stream().Launch(nothing, backend.Launch{Grid: [3]int{3, 2, 1}}); err != nil {
			t.Errorf("no arguments: %v", err)
		}
		empty := []backend.Buffer{r.buffer(t, nil), r.buffer(t, nil), r.buffer(t, nil)}
		for _, grid := range [][3]int{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}} {
			if err := r.Stream().Launch(p, backend.Launch{Grid: grid, Buffers: empty, Words: []uint32{0}}); err != nil {
				t.Errorf("grid %v on empty buffers: %v", grid, err)
			}
		}
		if err := r.Stream().Synchronize(); err != nil {
			t.Error(err)
		}
	})
}

func TestManyGoroutines(t *testing.T) {
	eachDevice(t, func(t *testing.T, r rig) {
		p := r.program(t, "vadd")
		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() {
				for j := range 8 {
					vadd(t, r, p, 1+(i*977+j*131)%5000)
					if err := r.Stream().Synchronize(); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
	})
}

func TestEvents(t *testing.T) {
	eachDevice(t, func(t *testing.T, r rig) {
		p := r.program(t, "vadd")
		const n = 1 << 20
		bufs := []backend.Buffer{r.buffer(t, make([]byte, 4*n)), r.buffer(t, make([]byte, 4*n)), r.buffer(t, make([]byte, 4*n))}
		var events []backend.Event
		for range 4 {
			e, err := r.Stream().Record()
			if err != nil {
				t.Fatal(err)
			}
			events = append(events, e)
			if err := r.Stream().Launch(p, backend.Launch{Grid: [3]int{n / 128, 1, 1}, Buffers: bufs, Words: []uint32{n}}); err != nil {
				t.Fatal(err)
			}
		}
		var sum time.Duration
		for i, e := range events[1:] {
			d, err := e.Since(events[i])
			if err != nil || d <= 0 || d > time.Second {
				t.Errorf("launch %d took %v, error %v", i, d, err)
			}
			sum += d
		}
		whole, err := events[3].Since(events[0])
		if err != nil || (whole-sum).Abs() > 10*time.Microsecond {
			t.Errorf("the steps take %v, all of them %v, error %v", sum, whole, err)
		}
		foreign, err := r.open(t).Stream().Record()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := foreign.Since(events[0]); !errors.Is(err, fault.ErrDevice) {
			t.Errorf("events of two devices: %v", err)
		}
		for range 2 {
			if err := events[0].Close(); err != nil {
				t.Error(err)
			}
		}
		if _, err := events[1].Since(events[0]); !errors.Is(err, fault.ErrClosed) {
			t.Errorf("closed event: %v", err)
		}
	})
}

func TestBadLaunches(t *testing.T) {
	eachDevice(t, func(t *testing.T, r rig) {
		p := r.program(t, "vadd")
		other := rig{r.open(t), r.fake, r.open}
		a, b, out, closed := r.buffer(t, noise(400)), r.buffer(t, noise(400)), r.buffer(t, noise(400)), r.buffer(t, noise(400))
		closed.Close()
		foreign := other.buffer(t, noise(400))
		before := content(t, out)
		one, word := [3]int{1, 1, 1}, []uint32{100}
		for name, c := range map[string]struct {
			program backend.Program
			launch  backend.Launch
			want    error
		}{
			"too few buffers":   {p, backend.Launch{Grid: one, Buffers: []backend.Buffer{a, out}, Words: word}, fault.ErrArgument},
			"no words":          {p, backend.Launch{Grid: one, Buffers: []backend.Buffer{a, b, out}}, fault.ErrArgument},
			"nil buffer":        {p, backend.Launch{Grid: one, Buffers: []backend.Buffer{a, nil, out}, Words: word}, fault.ErrArgument},
			"negative grid":     {p, backend.Launch{Grid: [3]int{1, -1, 1}, Buffers: []backend.Buffer{a, b, out}, Words: word}, fault.ErrShape},
			"grid too large":    {p, backend.Launch{Grid: [3]int{1, 65536, 1}, Buffers: []backend.Buffer{a, b, out}, Words: word}, fault.ErrLimit},
			"grid beyond int32": {p, backend.Launch{Grid: [3]int{1 << 32, 1, 1}, Buffers: []backend.Buffer{a, b, out}, Words: word}, fault.ErrLimit},
			"one buffer twice":  {p, backend.Launch{Grid: one, Buffers: []backend.Buffer{a, out, out}, Words: word}, fault.ErrUnsupported},
			"closed buffer":     {p, backend.Launch{Grid: one, Buffers: []backend.Buffer{a, closed, out}, Words: word}, fault.ErrClosed},
			"foreign buffer":    {p, backend.Launch{Grid: one, Buffers: []backend.Buffer{a, foreign, out}, Words: word}, fault.ErrDevice},
			"foreign program":   {other.program(t, "vadd"), backend.Launch{Grid: one, Buffers: []backend.Buffer{a, b, out}, Words: word}, fault.ErrDevice},
			"no program":        {nil, backend.Launch{Grid: one, Buffers: []backend.Buffer{a, b, out}, Words: word}, fault.ErrArgument},
		} {
			if err := r.Stream().Launch(c.program, c.launch); !errors.Is(err, c.want) {
				t.Errorf("%s: got %v, want %v", name, err, c.want)
			}
		}
		if !bytes.Equal(content(t, out), before) {
			t.Error("a refused launch has written")
		}
		vadd(t, r, p, 100) // the device is none the worse
	})
}

func TestBadBinaries(t *testing.T) {
	eachDevice(t, func(t *testing.T, r rig) {
		src := testSource("vadd")
		image := r.binary(t, src)
		with := func(change func(*backend.Source)) backend.Source {
			s := src
			change(&s)
			return s
		}
		for name, c := range map[string]struct {
			src   backend.Source
			image []byte
			want  error
		}{
			"empty":            {src, nil, fault.ErrKernel},
			"text":             {src, bytes.Repeat([]byte("no cubin "), 20), fault.ErrKernel},
			"half":             {src, image[:len(image)/2], fault.ErrKernel},
			"no such entry":    {with(func(s *backend.Source) { s.Entry = "absent" }), image, fault.ErrKernel},
			"no threads":       {with(func(s *backend.Source) { s.Threads = 0 }), image, fault.ErrKernel},
			"too many threads": {with(func(s *backend.Source) { s.Threads = 1025 }), image, fault.ErrLimit},
			"too much shared":  {with(func(s *backend.Source) { s.Shared = 256 << 10 }), image, fault.ErrLimit},
			"other language":   {with(func(s *backend.Source) { s.Language = 1 }), image, fault.ErrUnsupported},
		} {
			if _, err := r.Load(c.src, c.image); !errors.Is(err, c.want) {
				t.Errorf("%s: got %v, want %v", name, err, c.want)
			}
		}
		if r.fake != nil { // whose kernels have room for 512 threads only
			_, err := r.Load(with(func(s *backend.Source) { s.Threads = 513 }), image)
			if !errors.Is(err, fault.ErrLimit) || !strings.Contains(err.Error(), "128 registers") {
				t.Errorf("too many registers: %v", err)
			}
		}
		if _, err := r.Compile(backend.Source{Language: 1, Entry: "x"}); !errors.Is(err, fault.ErrUnsupported) {
			t.Errorf("compile of another language: %v", err)
		}
	})
}

func TestMemoryLimits(t *testing.T) {
	eachDevice(t, func(t *testing.T, r rig) {
		limit := r.Caps().MaxBufferBytes
		if limit != r.Info().Memory || limit <= 0 {
			t.Fatalf("MaxBufferBytes is %d, the memory %d", limit, r.Info().Memory)
		}
		if _, err := r.NewBuffer(limit + 1); !errors.Is(err, fault.ErrLimit) {
			t.Errorf("beyond the limit: %v", err)
		}
		if _, err := r.NewBuffer(-1); !errors.Is(err, fault.ErrArgument) {
			t.Errorf("negative: %v", err)
		}
		small := r.buffer(t, noise(1000))
		if _, err := r.NewBuffer(limit); !errors.Is(err, fault.ErrOutOfMemory) || !strings.Contains(err.Error(), "CUDA_ERROR_OUT_OF_MEMORY") {
			t.Errorf("all of the memory: %v", err)
		}
		vadd(t, r, r.program(t, "vadd"), 1000) // out of memory is no reason to stop
		if r.fake == nil {
			return
		}
		// Memory freed a moment ago, of another size, is there for the next buffer.
		for i := range int64(20) {
			b, err := r.NewBuffer(limit/2 + i*limit/64)
			if err != nil {
				t.Fatalf("buffer %d: %v", i, err)
			}
			b.Close()
		}
		small.Close()
	})
}
