package interp

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weftgpu/weft/tile/interp/internal/processor"
)

// crew is the goroutines that help launches, for the whole process: one fewer than there are cores, since who launches works as well. Who has nothing to
// do looks for more work for a while before it sleeps: to wake a thread takes longer than many a launch.
var crew = helpers{bell: make(chan struct{}, 256)}

// patience is how long to look for work: about as long as it takes to be woken.
const patience = 100 * time.Microsecond

type helpers struct {
	open   [16]atomic.Pointer[Launch] // that want help
	offers atomic.Uint32              // counts changes of open
	busy   atomic.Int32               // cores that work on launches
	asleep atomic.Int32
	missed atomic.Int64  // time of launches for which nobody was woken
	bell   chan struct{} // wakes one for each element

	mu   sync.Mutex
	size atomic.Int32 // helpers there are
}

// offer asks so many helpers for help with a launch that takes so long on one core, 0 if nobody knows. Those that sleep are woken for a long one, or for many. Every
// offer ends.
func (h *helpers) offer(l *Launch, want, cores int, expected time.Duration) {
	h.busy.Add(1)
	l.crowd.begin(cores, want)
	h.hire(cores - 1)
	for i := range h.open {
		if h.open[i].Load() == nil && h.open[i].CompareAndSwap(nil, l) {
			break
		}
	}
	h.offers.Add(1)
	asleep := int(h.asleep.Load())
	if asleep == 0 || expected > 0 && expected < awakenAbove && time.Duration(h.missed.Add(int64(expected))) < patience {
		return
	}
	h.missed.Store(0)
	for range min(want, asleep) {
		select {
		case h.bell <- struct{}{}:
		default:
		}
	}
}

// end waits until nobody works on a launch, and nobody will.
func (h *helpers) end(l *Launch) {
	for i := range h.open {
		if h.open[i].Load() == l {
			h.open[i].Store(nil)
			break
		}
	}
	l.crowd.end()
	h.busy.Add(-1)
	h.offers.Add(1) // who was refused may help another launch now
}

// hire makes helpers until there are n.
func (h *helpers) hire(n int) {
	if int(h.size.Load()) >= n {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for int(h.size.Load()) < n {
		go h.work(int(h.size.Add(1)))
	}
}

// work is what a helper does all the time. Its number says which share of a launch is its own.
func (h *helpers) work(number int) {
	last := clock()
	for {
		seen := h.offers.Load()
		if h.serve(number) {
			last = clock()
			continue
		}
		if h.look(seen, last+patience) {
			continue
		}
		h.asleep.Add(1)
		if h.offers.Load() == seen { // otherwise the bell may not have rung
			<-h.bell
			last = clock()
		}
		h.asleep.Add(-1)
	}
}

// look waits until there is another offer, and reports whether one came in time.
func (h *helpers) look(seen uint32, until time.Duration) bool {
	for clock() < until {
		for range 100 {
			if h.offers.Load() != seen {
				return true
			}
			processor.Pause()
		}
		runtime.Gosched()
	}
	return false
}

// serve helps all launches that want help, and reports whether there was one.
func (h *helpers) serve(number int) (helped bool) {
	for i := range h.open {
		l := h.open[i].Load()
		if l == nil || !l.crowd.join() {
			continue
		}
		if h.busy.Add(1) <= l.crowd.most {
			l.help(number)
			helped = true
		}
		h.busy.Add(-1)
		l.crowd.leave()
	}
	return helped
}

// crowd counts who helps a launch.
type crowd struct {
	state atomic.Int32
	room  atomic.Int32  // for how many there is work
	most  int32         // cores that may be busy
	empty chan struct{} // tells who waits that the last one left
}

// What is added to the count.
const (
	ended   = 1 << 20 // nobody may join any more
	awaited = 1 << 21 // who launched sleeps until the last one leaves
)

func (c *crowd) begin(cores, room int) {
	if c.empty == nil {
		c.empty = make(chan struct{}, 1)
		c.state.Store(ended)
	}
	c.most = int32(cores)
	c.room.Store(int32(room))
	c.state.Add(-ended)
}

func (c *crowd) join() bool {
	if c.state.Load() >= c.room.Load() {
		return false
	}
	if c.state.Add(1) < ended {
		return true
	}
	c.leave()
	return false
}

func (c *crowd) leave() {
	if c.state.Add(-1) == ended|awaited {
		select {
		case c.empty <- struct{}{}:
		default:
		}
	}
}

// end lets nobody join any more, and waits until all have left.
func (c *crowd) end() {
	c.state.Add(ended)
	for until := clock() + patience; clock() < until; {
		for range 100 {
			if c.state.Load() == ended {
				return
			}
			processor.Pause()
		}
		runtime.Gosched()
	}
	for alone := c.state.Add(awaited) == ended|awaited; !alone; alone = c.state.Load() == ended|awaited {
		<-c.empty // which who tried to join in vain may have told as well
	}
	c.state.Add(-awaited)
}
