package weft

import (
	"slices"
	"sync"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/compile"
)

// delayed are the launches of one call of an op from the first on whose kernel is still being compiled: what the call launches after it is
// lowered and compiled meanwhile. They begin, in their order, when the call ends or when something that is not recorded uses their memory.
type delayed struct {
	mu       sync.Mutex
	launches []delayedLaunch
	err      error // the first
	over     bool
}

// delayedLaunch holds its memory.
type delayedLaunch struct {
	kernel   *compile.Prepared
	memories []*memory
	words    []uint32
}

// delay is true if it adds the launch. It is false where the launch can begin now.
func (r *recorder) delay(p *compile.Prepared, c *call) bool {
	d := &r.delayed
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over || len(d.launches) == 0 && p.Compiled() {
		return false
	}
	for _, m := range c.held {
		m.retain()     // c holds it, so that it is there
		if !m.counts { // which launches may use in any order
			m.delayed.Store(d)
		}
	}
	d.launches = append(d.launches, delayedLaunch{p, slices.Clone(c.held), slices.Clone(c.words)})
	return true
}

// end is start at the end of the call, after which nothing is delayed. It returns what failed.
func (d *delayed) end() error {
	d.start()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.over = true
	return d.err
}

// start begins the launches, none after one that fails, and releases their memory.
func (d *delayed) start() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, l := range d.launches {
		if d.err == nil {
			d.err = l.start()
		}
		for _, m := range l.memories {
			m.delayed.CompareAndSwap(d, nil)
		}
		if err := releaseAll(l.memories); d.err == nil {
			d.err = err
		}
	}
	d.launches = nil
}

func (l *delayedLaunch) start() error {
	buffers := make([]backend.Buffer, len(l.memories))
	for i, m := range l.memories {
		buffers[i] = m.buf
	}
	return l.kernel.Launch(l.memories[0].dev.dev.Stream(), buffers, l.words)
}
