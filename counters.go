package weft

import (
	"sync"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
)

// counters is memory of a device that is zero whenever no kernel runs that counts in it. Kernels of a device run one after the other, so that all of them
// share it; each launch of a capture has memory of its own (recorder.ownCounters).
type counters struct {
	mu  sync.Mutex
	mem *memory // grows, nil at first
}

// leastCounters is how many words there are at the least.
const leastCounters = 1 << 12

// Counters is a view of words of the device that are zero, for kernels whose programs count: by Points.AcquireRelease, the last of several programs knows
// that it is the last. A kernel that is given them must leave zeros, which one that fails or is canceled need not, and no program may depend on what else is in the memory. All such kernels share it, since
// those of a device run one after the other. A launch that is captured has counters of its own in place of these, so that it may overlap with other launches of
// the recording. Nothing else may write to them. The view should be closed as any other.
//
// Errors: as for Zeros.
func (d *Device) Counters(n int) (*Tensor, error) {
	const op = "counters"
	if err := d.check(op); err != nil {
		return nil, err
	}
	l, err := layout.Contiguous(n)
	if err != nil {
		return nil, named(op, err)
	}
	if n > 1<<28 {
		return nil, fault.New(ErrLimit, op, "%d words, want at most 2^28", n)
	}
	m, err := d.counterMemory(4 * int64(n))
	if err != nil {
		return nil, named(op, err)
	}
	return newTensor(m, I32, l), nil
}

// counterMemory is memory of at least so many bytes for counters, with a reference for the caller.
func (d *Device) counterMemory(bytes int64) (*memory, error) {
	c := &d.counters
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mem != nil && c.mem.buf.Bytes() >= bytes && c.mem.retain() {
		return c.mem, nil
	}
	m, err := d.newCounters(4 * int64(pow2.Ceil(max(int(bytes/4), leastCounters))))
	if err != nil {
		return nil, err
	}
	old := c.mem
	c.mem = m
	m.retain()
	if old != nil {
		return m, old.release()
	}
	return m, nil
}

// newCounters makes memory of so many bytes that are zero.
func (d *Device) newCounters(bytes int64) (*memory, error) {
	buf, err := d.dev.NewBuffer(bytes)
	if err != nil {
		return nil, err
	}
	if err := buf.Upload(0, make([]byte, bytes)); err != nil {
		return nil, joined(err, buf.Close())
	}
	if z, ok := buf.(backend.Zeroed); ok {
		z.KeepZero()
	}
	m := newMemory(d, buf)
	m.viewed, m.counts = true, true
	return m, nil
}

// close lets go of the memory.
func (c *counters) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mem == nil {
		return nil
	}
	m := c.mem
	c.mem = nil
	return m.release()
}
