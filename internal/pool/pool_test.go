package pool

import (
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// device makes buffers without contents, within its memory, and counts them.
type device struct {
	backend.Device
	caps   target.Caps
	memory int64
	plain  bool // buffers keep their length

	mu    sync.Mutex
	bytes int64 // of open buffers
	open  map[*buffer]bool
	made  int
}

func newDevice() *device { return &device{memory: 1 << 40, open: map[*buffer]bool{}} }

func (d *device) Caps() target.Caps  { return d.caps }
func (d *device) Info() backend.Info { return backend.Info{Backend: "fake"} }

func (d *device) NewBuffer(bytes int64) (backend.Buffer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if limit := d.caps.MaxBufferBytes; bytes < 0 || limit > 0 && bytes > limit {
		return nil, fault.New(fault.ErrLimit, "new buffer", "%d bytes", bytes)
	}
	if d.bytes+bytes > d.memory {
		return nil, fault.New(fault.ErrOutOfMemory, "new buffer", "%d bytes", bytes)
	}
	b := &buffer{dev: d, bytes: bytes, made: bytes}
	d.open[b] = true
	d.bytes += bytes
	d.made++
	if d.plain {
		return plain{b}, nil
	}
	return b, nil
}

type buffer struct {
	backend.Buffer
	dev         *device
	bytes, made int64
}

func (b *buffer) Bytes() int64       { return b.bytes }
func (b *buffer) Capacity() int64    { return b.made }
func (b *buffer) Resize(bytes int64) { b.bytes = bytes }

func (b *buffer) Close() error {
	b.dev.mu.Lock()
	defer b.dev.mu.Unlock()
	if !b.dev.open[b] {
		return errors.New("closed twice")
	}
	delete(b.dev.open, b)
	b.dev.bytes -= b.made
	return nil
}

// plain hides Resize.
type plain struct{ b *buffer }

func (p plain) Bytes() int64                 { return p.b.Bytes() }
func (p plain) Upload(int64, []byte) error   { return nil }
func (p plain) Download(int64, []byte) error { return nil }
func (p plain) Close() error                 { return p.b.Close() }

func get(t *testing.T, p *Pool, bytes int64) backend.Buffer {
	t.Helper()
	b, err := p.Get(bytes)
	if err != nil {
		t.Fatal(err)
	}
	if b.Bytes() != bytes {
		t.Fatalf("asked for %d bytes, got %d", bytes, b.Bytes())
	}
	return b
}

func give(t *testing.T, p *Pool, b backend.Buffer) {
	t.Helper()
	if err := p.Put(b); err != nil {
		t.Fatal(err)
	}
}

func TestClassesWasteAnEighthAtMost(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		n := r.Int64N(int64(1) << (1 + r.IntN(40)))
		c := capacity(n)
		if c < n || n > 256 && c-n > n/8 || c-n >= 2<<20 {
			t.Fatalf("%d bytes get %d", n, c)
		}
		if capacity(c) != c {
			t.Fatalf("a class of %d bytes is in that of %d", c, capacity(c))
		}
		if n > 0 && capacity(n-1) > c {
			t.Fatalf("%d bytes get %d, one byte less gets %d", n, c, capacity(n-1))
		}
	}
}

// Random gets and puts: no buffer is held twice, the counts are those of the device, and what
// waits stays within the budget.
func TestRandomUse(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		dev := newDevice()
		p := New(dev, 1<<20)
		held := map[backend.Buffer]bool{}
		var list []backend.Buffer
		for range 2000 {
			switch n := len(list); {
			case r.IntN(200) == 0:
				p.Trim()
			case r.IntN(200) == 0:
				if err := p.SetBudget(r.Int64N(2 << 20)); err != nil {
					t.Fatal(err)
				}
			case n > 0 && (n > 50 || r.IntN(2) == 0):
				i := r.IntN(n)
				give(t, p, list[i])
				delete(held, list[i])
				list[i] = list[n-1]
				list = list[:n-1]
			default:
				b := get(t, p, r.Int64N(int64(1)<<(1+r.IntN(19))))
				if held[b] || !dev.open[b.(*buffer)] {
					t.Fatal("a buffer that is held or closed is handed out")
				}
				held[b] = true
				list = append(list, b)
			}
			s := p.Stats()
			var inUse int64
			for b := range held {
				inUse += b.(*buffer).made
			}
			if s.InUse != inUse || s.InUse+s.Pooled != dev.bytes || s.Pooled > s.Budget || s.Peak < dev.bytes || int(s.Misses) != dev.made {
				t.Fatalf("%+v: %d bytes are held, %d on the device, %d made", s, inUse, dev.bytes, dev.made)
			}
		}
		for b := range held {
			give(t, p, b)
		}
		p.Trim()
		if len(dev.open) != 0 {
			t.Fatalf("%d buffers are leaked", len(dev.open))
		}
	}
}

func TestSteadyStateMakesNothing(t *testing.T) {
	dev := newDevice()
	p := New(dev, 1<<30)
	round := func(extra int64) {
		var list []backend.Buffer
		for _, n := range []int64{0, 1, 300, 300, 5 << 10, 3 << 20, 50 << 20} {
			list = append(list, get(t, p, n-min(extra, n)))
		}
		for _, b := range list {
			give(t, p, b)
		}
	}
	round(0)
	made := dev.made
	for i := range int64(10) {
		round(i) // lengths that differ by little are of one class
	}
	if dev.made != made {
		t.Errorf("%d buffers are made in the steady state", dev.made-made)
	}
}

func TestTheLongestWaitingGoFirst(t *testing.T) {
	dev := newDevice()
	p := New(dev, 3<<10)
	var bufs []backend.Buffer
	for range 4 {
		bufs = append(bufs, get(t, p, 1<<10))
	}
	for _, b := range bufs {
		give(t, p, b)
	}
	if dev.open[bufs[0].(*buffer)] || len(dev.open) != 3 {
		t.Errorf("%d buffers are left, the first among them: %v", len(dev.open), dev.open[bufs[0].(*buffer)])
	}
	if got := get(t, p, 1000); got != bufs[3] {
		t.Error("not the one used last is handed out, which caches may still hold")
	}
}

func TestMemoryRunningOutFreesWhatWaits(t *testing.T) {
	dev := newDevice()
	dev.memory = 10 << 20
	p := New(dev, 1<<30)
	a := get(t, p, 3<<20)
	b := get(t, p, 5<<20)
	give(t, p, a)
	c := get(t, p, 5<<20-100) // fits neither beside what waits nor at the length of its class
	if err := func() error { _, err := p.Get(1 << 20); return err }(); !errors.Is(err, fault.ErrOutOfMemory) {
		t.Errorf("without memory: %v", err)
	}
	give(t, p, c)
	give(t, p, b)
	get(t, p, 9<<20)
}

func TestLimitsAreThoseOfTheLengthAskedFor(t *testing.T) {
	dev := newDevice()
	dev.caps.MaxBindingBytes, dev.caps.MaxBufferBytes = 1000, 2000
	p := New(dev, 1<<20)
	for _, n := range []int64{999, 1000, 1001, 1999, 2000} {
		b := get(t, p, n)
		if made := b.(*buffer).made; n <= 1000 && made > 1000 || made > 2000 {
			t.Errorf("%d bytes get %d", n, made)
		}
		give(t, p, b)
		if again := get(t, p, n); again != b {
			t.Errorf("%d bytes at the limit do not serve again", n)
		}
	}
	for _, n := range []int64{-1, 2001} {
		if _, err := p.Get(n); !errors.Is(err, fault.ErrLimit) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestWithoutAPool(t *testing.T) {
	for _, budget := range []int64{0, 1 << 20} {
		dev := newDevice()
		dev.plain = budget > 0
		p := New(dev, budget)
		for range 3 {
			b := get(t, p, 300)
			if dev.bytes != 300 {
				t.Errorf("%d bytes are made for 300", dev.bytes)
			}
			give(t, p, b)
		}
		if s := p.Stats(); len(dev.open) != 0 || s.InUse != 0 || s.Pooled != 0 || s.Hits != 0 || s.Misses != 3 || s.Freed != 3 {
			t.Errorf("%d open, %+v", len(dev.open), s)
		}
	}
}

func TestBudgets(t *testing.T) {
	gpu, host := backend.Info{Kind: backend.GPU, Memory: 80 << 30}, backend.Info{Kind: backend.Software, Memory: 64 << 30}
	for _, c := range []struct {
		value string
		info  backend.Info
		want  int64
		bad   bool
	}{
		{"", gpu, 10 << 30, false}, {"", host, 2 << 30, false}, {"", backend.Info{}, 256 << 20, false},
		{"off", gpu, 0, false}, {"0", gpu, 0, false}, {"4096", gpu, 4096, false}, {"512MiB", gpu, 512 << 20, false},
		{"2Gi", gpu, 2 << 30, false}, {"8 KiB", gpu, 8 << 10, false}, {"1B", gpu, 1, false},
		{"much", host, 2 << 30, true}, {"-1", host, 2 << 30, true}, {"99999999999GiB", host, 2 << 30, true}, {"1.5GiB", host, 2 << 30, true},
	} {
		got, err := Budget(c.value, c.info)
		if got != c.want || errors.Is(err, fault.ErrArgument) != c.bad {
			t.Errorf("%q: %d, %v, want %d", c.value, got, err, c.want)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	dev := newDevice()
	p := New(dev, 1<<16)
	var wg sync.WaitGroup
	for w := range uint64(8) {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(w, 0))
			for range 500 {
				b, err := p.Get(r.Int64N(1 << 14))
				if err != nil {
					t.Error(err)
					return
				}
				b.(*buffer).bytes = -1 // nobody else has it: the race detector looks
				if r.IntN(50) == 0 {
					p.Trim()
				}
				if err := p.Put(b); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	p.Trim()
	if s := p.Stats(); len(dev.open) != 0 || s.InUse != 0 || s.Pooled != 0 {
		t.Errorf("%d open, %+v", len(dev.open), s)
	}
	b := get(t, p, 10)
	p.Close()
	give(t, p, b)
	if len(dev.open) != 0 {
		t.Error("a closed pool keeps a buffer")
	}
}
