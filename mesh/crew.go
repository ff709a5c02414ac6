package mesh

import (
	"errors"
	"runtime"
	"sync/atomic"
	"time"
)

// crew starts the members' work at the same time, each member on a goroutine of its own: to start work takes the host longer than small work takes a
// device. Who is done waits for the next call by asking again and again, for a short time: to wake up takes longer than a call.
type crew struct {
	workers []*worker
	left    atomic.Int64 // of the work under way
}

// patience is how long a worker asks before it sleeps.
const patience = 200 * time.Microsecond

type worker struct {
	job    atomic.Pointer[func()]
	asleep atomic.Bool
	wake   chan struct{}
	over   atomic.Bool
}

// newCrew is a crew for n members, the first of which is served by the caller. There is none where the members would wait for processors.
func newCrew(n int) *crew {
	c := &crew{}
	if runtime.GOMAXPROCS(0) <= n {
		return c
	}
	for range n - 1 {
		w := &worker{wake: make(chan struct{}, 1)}
		c.workers = append(c.workers, w)
		go w.run()
	}
	return c
}

func (w *worker) run() {
	for !w.over.Load() {
		if w.ask() {
			continue
		}
		w.asleep.Store(true)
		if (w.job.Load() != nil || w.over.Load()) && w.asleep.CompareAndSwap(true, false) {
			continue
		}
		<-w.wake
	}
}

// ask runs a job if one comes soon.
func (w *worker) ask() bool {
	for since := time.Now(); time.Since(since) < patience; runtime.Gosched() {
		for range 64 {
			if f := w.job.Swap(nil); f != nil {
				(*f)()
				return true
			}
		}
	}
	return false
}

func (w *worker) give(f func()) {
	w.job.Store(&f)
	if w.asleep.CompareAndSwap(true, false) {
		w.wake <- struct{}{}
	}
}

// works reports whether there is a goroutine for each of n members.
func (c *crew) works(n int) bool { return n > 1 && len(c.workers) >= n-1 }

// each calls f for n members and returns their errors.
func (c *crew) each(n int, f func(member int) error) error {
	errs := make([]error, n)
	if !c.works(n) {
		for i := range n {
			errs[i] = f(i)
		}
		return errors.Join(errs...)
	}
	c.left.Store(int64(n - 1))
	for i, w := range c.workers[:n-1] {
		w.give(func() {
			errs[i+1] = f(i + 1)
			c.left.Add(-1)
		})
	}
	errs[0] = f(0)
	for c.left.Load() > 0 {
		runtime.Gosched()
	}
	return errors.Join(errs...)
}

func (c *crew) close() {
	for _, w := range c.workers {
		w.over.Store(true)
		if w.asleep.CompareAndSwap(true, false) {
			w.wake <- struct{}{}
		}
	}
}
