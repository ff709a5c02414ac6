package interp

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weftgpu/weft/tile/interp/internal/processor"
)

// pool is the goroutines that help launches, for the whole process: one fewer than there are cores, since who launches works as well. Who has nothing to
// do looks for more work for a while before it sleeps: to wake a thread takes longer than many a launch.
var pool = helperPool{wake: make(chan struct{}, 256)}

// spinTime is how long to look for work: about as long as it takes to be woken.
const spinTime = 100 * time.Microsecond

type helperPool struct {
	open        [16]atomic.Pointer[Launch] // that ask for help
	submissions atomic.Uint32              // counts changes of open
	busy        atomic.Int32               // cores that work on launches
	asleep      atomic.Int32
	missed      atomic.Int64  // time of launches for which nobody was woken
	wake        chan struct{} // wakes one for each element

	mu   sync.Mutex
	size atomic.Int32 // helpers there are
}

// submit asks so many helpers for help with a launch that takes so long on one core, 0 if nobody knows. Those that sleep are woken for a long one, or for many. Every
// submission ends.
func (h *helperPool) submit(l *Launch, want, cores int, expected time.Duration) {
	h.busy.Add(1)
	l.participants.begin(cores, want)
	h.grow(cores - 1)
	for i := range h.open {
		if h.open[i].Load() == nil && h.open[i].CompareAndSwap(nil, l) {
			break
		}
	}
	h.submissions.Add(1)
	asleep := int(h.asleep.Load())
	if asleep == 0 || expected > 0 && expected < awakenAbove && time.Duration(h.missed.Add(int64(expected))) < spinTime {
		return
	}
	h.missed.Store(0)
	for range min(want, asleep) {
		select {
		case h.wake <- struct{}{}:
		default:
		}
	}
}

// end waits until nobody works on a launch, and nobody will.
func (h *helperPool) end(l *Launch) {
	for i := range h.open {
		if h.open[i].Load() == l {
			h.open[i].Store(nil)
			break
		}
	}
	l.participants.end()
	h.busy.Add(-1)
	h.submissions.Add(1) // who was refused may help another launch now
}

// grow makes helpers until there are n.
func (h *helperPool) grow(n int) {
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
func (h *helperPool) work(number int) {
	last := clock()
	for {
		seen := h.submissions.Load()
		if h.serve(number) {
			last = clock()
			continue
		}
		if h.look(seen, last+spinTime) {
			continue
		}
		h.asleep.Add(1)
		if h.submissions.Load() == seen { // otherwise the wake-up may have been missed
			<-h.wake
			last = clock()
		}
		h.asleep.Add(-1)
	}
}

// look waits until there is another submission, and reports whether one came in time.
func (h *helperPool) look(seen uint32, until time.Duration) bool {
	for clock() < until {
		for range 100 {
			if h.submissions.Load() != seen {
				return true
			}
			processor.Pause()
		}
		runtime.Gosched()
	}
	return false
}

// serve helps all launches that ask for help, and reports whether there was one.
func (h *helperPool) serve(number int) (helped bool) {
	for i := range h.open {
		l := h.open[i].Load()
		if l == nil || !l.participants.join() {
			continue
		}
		if h.busy.Add(1) <= l.participants.most {
			l.help(number)
			helped = true
		}
		h.busy.Add(-1)
		l.participants.leave()
	}
	return helped
}

// participants counts who helps a launch.
type participants struct {
	state atomic.Int32
	limit atomic.Int32  // for how many there is work
	most  int32         // cores that may be busy
	empty chan struct{} // tells who waits that the last one left
}

// What is added to the count.
const (
	ended   = 1 << 20 // nobody may join any more
	awaited = 1 << 21 // who launched sleeps until the last one leaves
)

func (c *participants) begin(cores, limit int) {
	if c.empty == nil {
		c.empty = make(chan struct{}, 1)
		c.state.Store(ended)
	}
	c.most = int32(cores)
	c.limit.Store(int32(limit))
	c.state.Add(-ended)
}

func (c *participants) join() bool {
	if c.state.Load() >= c.limit.Load() {
		return false
	}
	if c.state.Add(1) < ended {
		return true
	}
	c.leave()
	return false
}

func (c *participants) leave() {
	if c.state.Add(-1) == ended|awaited {
		select {
		case c.empty <- struct{}{}:
		default:
		}
	}
}

// end lets nobody join any more, and waits until all have left.
func (c *participants) end() {
	c.state.Add(ended)
	for until := clock() + spinTime; clock() < until; {
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
