package tracedev

import (
	"sync"
	"time"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/internal/logging"
	"github.com/weftgpu/weft/internal/trace"
)

// work is a launch or a copy between two events, which are nil on devices without timestamps.
type work struct {
	track          int
	category, name string
	args           trace.Args
	start, end     backend.Event
}

func (w work) close() {
	for _, e := range []backend.Event{w.start, w.end} {
		if e != nil {
			_ = e.Close()
		}
	}
}

// clock translates a device's times to the host's, and writes works whose times are known.
type clock struct {
	stream  backend.Stream
	process trace.Process
	works   []work
	// zero is an event at the host's time at; times are counted from it.
	zero  backend.Event
	at    time.Time
	until time.Time // when the last work written ended
	once  sync.Once
}

const (
	// maxWorks is how many works wait for their times before half of them are asked for.
	maxWorks = 256
	// maxAge is how long a zero serves: clocks drift, and CUDA tells times to 24 bits.
	maxAge = time.Second
)

func newClock(s backend.Stream, p trace.Process) *clock {
	c := &clock{stream: s, process: p}
	c.set()
	c.at = time.Time{} // the first wait may take long, and its zero be late
	c.set()
	return c
}

// record notes a point of the queue, nil if the device cannot.
func (c *clock) record() backend.Event {
	e, err := c.stream.Record()
	if err != nil {
		c.once.Do(func() { logging.Logger().Warn("the trace has no times of the device", "error", err) })
		return nil
	}
	return e
}

// set makes a new zero; nothing is in the queue. The host's time is taken when the wait is over: the event was
// before, so that no work seems to start too early.
func (c *clock) set() {
	if c.zero != nil && time.Since(c.at) < maxAge {
		return
	}
	e := c.record()
	if e == nil {
		return
	}
	if _, err := e.Since(e); err != nil { // which waits, and leaves errors of the queue to Synchronize
		_ = e.Close()
		return
	}
	c.move(e, time.Now())
}

// move makes an event the zero.
func (c *clock) move(e backend.Event, at time.Time) {
	if c.zero != nil {
		_ = c.zero.Close()
	}
	c.zero, c.at = e, at
}

func (c *clock) add(w work) {
	if c.works = append(c.works, w); len(c.works) >= maxWorks {
		c.settle(maxWorks / 2)
	}
}

// settle writes the first n works, waiting for them.
func (c *clock) settle(n int) {
	for _, w := range c.works[:n] {
		c.write(w)
	}
	c.works = append(c.works[:0], c.works[n:]...)
}

func (c *clock) write(w work) {
	if c.zero == nil || w.start == nil || w.end == nil {
		w.close()
		return
	}
	from, err := w.start.Since(c.zero)
	if err == nil {
		var took time.Duration
		if took, err = w.end.Since(w.start); err == nil {
			c.complete(w, c.at.Add(from), took)
		}
	}
	if err != nil || from < maxAge {
		w.close()
		return
	}
	c.move(w.start, c.at.Add(from))
	_ = w.end.Close()
}

// complete writes a work. What an unsteady clock says is moved after the work before it, for the queue is in order.
func (c *clock) complete(w work, from time.Time, took time.Duration) {
	if from.Before(c.until) {
		took = max(0, took-c.until.Sub(from))
		from = c.until
	}
	c.until = from.Add(max(0, took))
	trace.Complete(c.process, w.track, w.category, w.name, from, c.until, w.args)
}
