package pool

import (
	"errors"
	"math/bits"
	"sync"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/logging"
)

// Stats counts what a pool did. Sizes are bytes of device memory.
type Stats struct {
	InUse  int64 // of buffers that are held
	Peak   int64 // the most that InUse and Pooled were together
	Pooled int64 // of buffers that wait to be held again
	Budget int64 // of buffers that may wait
	Hits   int64 // buffers that came from the pool
	Misses int64 // buffers that the driver had to make
	Freed  int64 // buffers that the pool gave back to the driver
}

// Pool is the buffers of one device. Its methods may be called from many goroutines.
type Pool struct {
	dev backend.Device

	mu     sync.Mutex
	stats  Stats
	spares map[int64][]spare // by capacity, the one that waits the longest first
	ticks  uint64
	plain  bool // the device's buffers keep their length: there is nothing to pool
	closed bool
}

// spare is a buffer that waits, and since when.
type spare struct {
	buf   backend.Resizer
	since uint64
}

// New returns a device's pool. With a budget of 0 buffers go back to the driver, and are
// made with the length asked for.
func New(dev backend.Device, budget int64) *Pool {
	return &Pool{dev: dev, stats: Stats{Budget: max(budget, 0)}, spares: map[int64][]spare{}}
}

// capacity is the class of a length.
func capacity(bytes int64) int64 {
	const least, coarsest = 256, 2 << 20
	if bytes <= least {
		return least
	}
	step := min(int64(1)<<(bits.Len64(uint64(bytes-1))-1)/8, coarsest)
	return (bytes + step - 1) / step * step
}

// capacityFor is the capacity of a new buffer: its class, where the device's limits have room for it.
func (p *Pool) capacityFor(bytes int64) int64 {
	c, caps := capacity(bytes), p.dev.Caps()
	for _, limit := range []int64{caps.MaxBindingBytes, caps.MaxBufferBytes} {
		if limit > 0 && c > limit && bytes <= limit {
			c = limit
		}
	}
	return c
}

// Get returns a buffer with undefined contents, one that waited if there is any.
//
// Errors: those of backend.Device.NewBuffer. When memory runs out what waits is freed first.
func (p *Pool) Get(bytes int64) (backend.Buffer, error) {
	p.mu.Lock()
	pooling := p.stats.Budget > 0 && bytes >= 0 && !p.plain
	if pooling {
		if buf := p.take(p.capacityFor(bytes)); buf != nil {
			p.mu.Unlock()
			buf.Resize(bytes)
			return buf, nil
		}
	}
	p.mu.Unlock()
	buf, err := p.make(bytes, pooling)
	if errors.Is(err, fault.ErrOutOfMemory) && p.Trim() > 0 {
		buf, err = p.make(bytes, false)
	}
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stats.Misses++
	p.hold(size(buf))
	return buf, nil
}

// take finds a spare buffer of a capacity; mu is held.
func (p *Pool) take(capacity int64) backend.Resizer {
	list := p.spares[capacity]
	if len(list) == 0 {
		return nil
	}
	last := len(list) - 1
	buf := list[last].buf
	list[last] = spare{}
	p.spares[capacity] = list[:last]
	p.stats.Hits++
	p.stats.Pooled -= capacity
	p.hold(capacity)
	return buf
}

// hold counts a buffer among those in use; mu is held.
func (p *Pool) hold(bytes int64) {
	p.stats.InUse += bytes
	p.stats.Peak = max(p.stats.Peak, p.stats.InUse+p.stats.Pooled)
}

// make has the driver make a buffer, of a whole class if it is to serve again.
func (p *Pool) make(bytes int64, class bool) (backend.Buffer, error) {
	if !class {
		return p.dev.NewBuffer(bytes)
	}
	c := p.capacityFor(bytes)
	buf, err := p.dev.NewBuffer(c)
	if err != nil || c == bytes {
		return buf, err
	}
	if r, ok := buf.(backend.Resizer); ok {
		r.Resize(bytes)
		return r, nil
	}
	p.mu.Lock()
	p.plain = true
	p.mu.Unlock()
	if err := buf.Close(); err != nil {
		return nil, err
	}
	return p.dev.NewBuffer(bytes)
}

// size is the memory that a buffer takes.
func size(buf backend.Buffer) int64 {
	if r, ok := buf.(backend.Resizer); ok {
		return r.Capacity()
	}
	return buf.Bytes()
}

// Put takes back a buffer of Get. Nothing may be done with it any more but what is launched already.
func (p *Pool) Put(buf backend.Buffer) error {
	p.mu.Lock()
	r, ok := buf.(backend.Resizer)
	c := size(buf)
	p.stats.InUse -= c
	if !ok || p.closed || c > p.stats.Budget || c != p.capacityFor(c) { // the last was made while memory ran short
		p.stats.Freed++
		p.mu.Unlock()
		return buf.Close()
	}
	p.ticks++
	p.spares[c] = append(p.spares[c], spare{r, p.ticks})
	p.stats.Pooled += c
	old := p.evict(p.stats.Budget)
	p.mu.Unlock()
	return closeAll(old)
}

// evict takes out the spares that wait the longest until the rest is within the budget; mu
// is held. The caller closes them.
func (p *Pool) evict(budget int64) (old []backend.Resizer) {
	for p.stats.Pooled > budget {
		var class int64
		since := p.ticks + 1
		for c, list := range p.spares {
			if len(list) > 0 && list[0].since < since {
				class, since = c, list[0].since
			}
		}
		old = append(old, p.spares[class][0].buf)
		p.spares[class] = p.spares[class][1:]
		p.stats.Pooled -= class
		p.stats.Freed++
	}
	return old
}

func closeAll(bufs []backend.Resizer) error {
	var errs []error
	for _, b := range bufs {
		errs = append(errs, b.Close())
	}
	return errors.Join(errs...)
}

// Trim frees all buffers that wait and returns how many bytes they took.
func (p *Pool) Trim() int64 {
	p.mu.Lock()
	bytes := p.stats.Pooled
	old := p.evict(0)
	p.spares = map[int64][]spare{}
	p.mu.Unlock()
	if len(old) == 0 {
		return 0
	}
	err := closeAll(old)
	info := p.dev.Info()
	logging.Logger().Info("pool of buffers trimmed", "backend", info.Backend, "device", info.Index, "buffers", len(old), "bytes", bytes, "error", err)
	return bytes
}

// SetBudget says how many bytes may wait from now on, 0 for none.
func (p *Pool) SetBudget(bytes int64) error {
	p.mu.Lock()
	p.stats.Budget = max(bytes, 0)
	old := p.evict(p.stats.Budget)
	p.mu.Unlock()
	return closeAll(old)
}

// Stats returns the counts so far.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats
}

// Close forgets all buffers, which the device's Close frees.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.spares, p.stats.Pooled = map[int64][]spare{}, 0
}
