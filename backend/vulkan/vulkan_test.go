//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"unsafe"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/target"
)

// TestMain turns the validation layer on where it is installed, so that every
// test of the package runs under it. Both the loader and the layer read the
// environment at the first use.
func TestMain(m *testing.M) {
	if os.Getenv(ValidationEnv) == "" {
		for _, dir := range []string{"/usr/share/vulkan/explicit_layer.d", "/etc/vulkan/explicit_layer.d"} {
			if _, err := os.Stat(dir + "/VkLayer_khronos_validation.json"); err == nil {
				os.Setenv(ValidationEnv, "1")
			}
		}
	}
	os.Exit(m.Run())
}

func openDevice(t testing.TB) backend.Device {
	t.Helper()
	var reasons []error
	for _, c := range (driver{}).Candidates() {
		if c.Refused != nil {
			reasons = append(reasons, c.Refused)
			continue
		}
		d, err := c.Open()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := d.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		})
		return d
	}
	testenv.Skip(t, "vulkan", fmt.Sprint(errors.Join(reasons...)))
	return nil
}

func newBuffer(t testing.TB, d backend.Device, n int64) backend.Buffer {
	t.Helper()
	b, err := d.NewBuffer(n)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func build(t testing.TB, d backend.Device, src backend.Source) backend.Program {
	t.Helper()
	binary, err := d.Compile(src)
	must(t, err)
	p, err := d.Load(src, binary)
	must(t, err)
	return p
}

func asBytes[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}

// addSource is c = s*a + b with n and s as scalars.
func addSource() backend.Source {
	return backend.Source{
		Language: target.WGSL,
		Entry:    "add",
		Text: `
struct Scalars { n: u32, s: f32 }
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> scalars: Scalars;
@compute @workgroup_size(64)
fn add(@builtin(global_invocation_id) id: vec3<u32>) {
	if (id.x < scalars.n) { c[id.x] = scalars.s * a[id.x] + b[id.x]; }
}`,
		Bindings: []backend.Binding{{Name: "a", Access: backend.Read}, {Name: "b", Access: backend.Read}, {Name: "c", Access: backend.Write}},
		Words:    2, Threads: 64,
	}
}

// stepSource is x[i] = 3*x[i] + add[i] on u32, in place.
func stepSource() backend.Source {
	return backend.Source{
		Language: target.WGSL,
		Entry:    "step",
		Text: `
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@group(0) @binding(1) var<uniform> scalars: vec2<u32>;
@compute @workgroup_size(32)
fn step(@builtin(global_invocation_id) id: vec3<u32>) {
	if (id.x < scalars.x) { x[id.x] = x[id.x] * 3u + scalars.y; }
}`,
		Bindings: []backend.Binding{{Name: "x", Access: backend.ReadWrite}},
		Words:    2, Threads: 32,
	}
}

func TestRoundTrip(t *testing.T) {
	d := openDevice(t)
	rng := rand.New(rand.NewPCG(1, 2))
	sizes := []int{0, 1, 2, 3, 4, 5, 15, 16, 17, 255, 4097, chunkBytes - 1, chunkBytes + 3, 2*chunkBytes + 7, 9*chunkBytes + 1}
	for _, size := range sizes {
		b := newBuffer(t, d, int64(size))
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(rng.Uint32())
		}
		must(t, b.Upload(0, want))
		for range 8 {
			at := rng.IntN(size + 1)
			n := rng.IntN(min(size-at, 3000) + 1)
			for i := range n {
				want[at+i] ^= 0x5a
			}
			must(t, b.Upload(int64(at), want[at:at+n]))
		}
		got := bytes.Repeat([]byte{0xee}, size+2)
		must(t, b.Download(0, got[1:size+1]))
		if !bytes.Equal(got[1:size+1], want) || got[0] != 0xee || got[size+1] != 0xee {
			t.Fatalf("%d bytes did not come back", size)
		}
		at := rng.IntN(size + 1)
		part := make([]byte, size-at)
		must(t, b.Download(int64(at), part))
		if !bytes.Equal(part, want[at:]) {
			t.Fatalf("%d bytes from %d did not come back", size, at)
		}
		must(t, b.Close())
	}
	must(t, d.Stream().Synchronize())
}

func TestAdd(t *testing.T) {
	d := openDevice(t)
	p := build(t, d, addSource())
	for _, n := range []int{1, 63, 64, 65, 1000, 70001} {
		a, b, c := make([]float32, n), make([]float32, n), make([]float32, n)
		for i := range n {
			a[i], b[i], c[i] = float32(i), float32(-2*i+7), float32(math.NaN())
		}
		ba, bb, bc := newBuffer(t, d, int64(4*n)), newBuffer(t, d, int64(4*n)), newBuffer(t, d, int64(4*n))
		must(t, ba.Upload(0, asBytes(a)))
		must(t, bb.Upload(0, asBytes(b)))
		must(t, bc.Upload(0, asBytes(c)))
		must(t, d.Stream().Launch(p, backend.Launch{
			Grid: [3]int{(n + 63) / 64, 1, 1}, Buffers: []backend.Buffer{ba, bb, bc},
			Words: []uint32{uint32(n), math.Float32bits(2)},
		}))
		must(t, bc.Download(0, asBytes(c)))
		for i, got := range c {
			if want := 2*a[i] + b[i]; got != want {
				t.Fatalf("n=%d: c[%d] = %v, want %v", n, i, got, want)
			}
		}
	}
	must(t, d.Stream().Synchronize())
}

// TestOrder launches steps that depend on each other without any wait between
// them, more than the queue holds, with uploads in between.
func TestOrder(t *testing.T) {
	d := openDevice(t)
	p := build(t, d, stepSource())
	const n = 100
	x := make([]uint32, n)
	b := newBuffer(t, d, 4*n)
	must(t, b.Upload(0, asBytes(x)))
	launch := func(add uint32) {
		must(t, d.Stream().Launch(p, backend.Launch{Grid: [3]int{4, 1, 1}, Buffers: []backend.Buffer{b}, Words: []uint32{n, add}}))
	}
	for k := range uint32(1500) {
		launch(k)
		for i := range x {
			x[i] = x[i]*3 + k
		}
		if k%97 == 0 {
			i := int(k) % n
			x[i] = k * 7
			must(t, b.Upload(int64(4*i), asBytes(x[i:i+1])))
		}
	}
	got := make([]uint32, n)
	must(t, b.Download(0, asBytes(got)))
	for i := range got {
		if got[i] != x[i] {
			t.Fatalf("x[%d] = %d, want %d", i, got[i], x[i])
		}
	}
	must(t, d.Stream().Synchronize())
}

// TestChain alternates between buffers that take part in two dependent
// launches, so that both read-after-write and write-after-read hazards arise.
func TestChain(t *testing.T) {
	d := openDevice(t)
	p := build(t, d, addSource())
	const n = 5000
	var bufs [3]backend.Buffer
	var host [3][]float32
	for k := range bufs {
		bufs[k], host[k] = newBuffer(t, d, 4*n), make([]float32, n)
		for i := range host[k] {
			host[k][i] = float32((i*7+k*13)%17) / 16
		}
		must(t, bufs[k].Upload(0, asBytes(host[k])))
	}
	for k := range 200 {
		a, b, c := k%3, (k+1)%3, (k+2)%3
		must(t, d.Stream().Launch(p, backend.Launch{Grid: [3]int{(n + 63) / 64, 1, 1},
			Buffers: []backend.Buffer{bufs[a], bufs[b], bufs[c]}, Words: []uint32{n, math.Float32bits(-0.5)}}))
		for i := range n {
			host[c][i] = -0.5*host[a][i] + host[b][i]
		}
	}
	got := make([]float32, n)
	for k := range bufs {
		must(t, bufs[k].Download(0, asBytes(got)))
		for i := range got {
			if diff := math.Abs(float64(got[i] - host[k][i])); diff > 1e-4*(1+math.Abs(float64(host[k][i]))) {
				t.Fatalf("buffer %d: [%d] = %v, want %v", k, i, got[i], host[k][i])
			}
		}
	}
	must(t, d.Stream().Synchronize())
}

func TestManyGoroutines(t *testing.T) {
	d := openDevice(t)
	p := build(t, d, stepSource())
	var wg sync.WaitGroup
	for g := range 12 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(3, uint64(g)))
			for range 10 {
				n := 1 + rng.IntN(5000)
				b, err := d.NewBuffer(int64(4 * n))
				if err != nil {
					t.Error(err)
					return
				}
				x := make([]uint32, n)
				for i := range x {
					x[i] = rng.Uint32()
				}
				if err := b.Upload(0, asBytes(x)); err != nil {
					t.Error(err)
				}
				for range rng.IntN(30) {
					add := rng.Uint32()
					if err := d.Stream().Launch(p, backend.Launch{Grid: [3]int{(n + 31) / 32, 1, 1}, Buffers: []backend.Buffer{b}, Words: []uint32{uint32(n), add}}); err != nil {
						t.Error(err)
					}
					for i := range x {
						x[i] = x[i]*3 + add
					}
				}
				got := make([]uint32, n)
				if err := b.Download(0, asBytes(got)); err != nil {
					t.Error(err)
				}
				if !bytes.Equal(asBytes(got), asBytes(x)) {
					t.Errorf("goroutine %d: wrong result", g)
				}
				if err := b.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	must(t, d.Stream().Synchronize())
}

func TestTimestamps(t *testing.T) {
	d := openDevice(t)
	p := build(t, d, stepSource())
	const n = 1 << 20
	b := newBuffer(t, d, 4*n)
	must(t, b.Upload(0, make([]byte, 4*n)))
	s := d.Stream()
	// More events than one pool of queries holds.
	var events []backend.Event
	for range 2 * timersPerPool {
		e, err := s.Record()
		must(t, err)
		events = append(events, e)
	}
	first, err := s.Record()
	must(t, err)
	for range 20 {
		must(t, s.Launch(p, backend.Launch{Grid: [3]int{n / 32, 1, 1}, Buffers: []backend.Buffer{b}, Words: []uint32{n, 1}}))
	}
	last, err := s.Record()
	must(t, err)
	took, err := last.Since(first)
	must(t, err)
	back, err := first.Since(last)
	must(t, err)
	if took <= 0 || back != -took {
		t.Errorf("20 launches took %v, backwards %v", took, back)
	}
	for i := range len(events) - 1 {
		gap, err := events[i+1].Since(events[i])
		must(t, err)
		if gap < 0 {
			t.Errorf("event %d is %v before event %d", i+1, -gap, i)
		}
	}
	for _, e := range events {
		must(t, e.Close())
		must(t, e.Close())
	}
	if _, err := first.Since(events[0]); !errors.Is(err, fault.ErrClosed) {
		t.Errorf("closed event: %v", err)
	}
	must(t, s.Synchronize())
}
