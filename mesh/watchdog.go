package mesh

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// watchdog sees that the collectives of a group end in time, where Timeout asks for it.
type watchdog struct {
	mu      sync.Mutex
	pending []watched
	now     watched // the call that is being started: a library may wait for peers in it
	stop    chan struct{}
}

// watched is a call that was started. Its events are behind it on the members' streams.
type watched struct {
	name   string
	since  time.Time
	events []backend.Poller
}

// begin starts to watch a group whose members' events can be asked.
func (w *watchdog) begin(g *Group) {
	if !g.watches {
		return
	}
	w.stop = make(chan struct{})
	go func() {
		tick := time.NewTicker(max(g.timeout/20, time.Millisecond))
		defer tick.Stop()
		for {
			select {
			case <-w.stop:
				return
			case <-tick.C:
				w.look(g)
			}
		}
	}()
}

func (w *watchdog) end() {
	if w.stop != nil {
		close(w.stop)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.pending {
		p.close()
	}
	w.pending = nil
}

func (p watched) close() {
	for _, e := range p.events {
		if e != nil {
			_ = e.Close()
		}
	}
}

// enter notes a call that is about to be started.
func (w *watchdog) enter(g *Group, c *call) {
	if g.watches {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.now = watched{name: c.String(), since: time.Now()}
	}
}

// leave notes that it was.
func (w *watchdog) leave() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = watched{}
}

// note remembers a call that was started.
func (w *watchdog) note(g *Group, c *call) error {
	if !g.watches || c.recorders != nil {
		return nil
	}
	p := watched{name: c.String(), since: time.Now()}
	for _, d := range g.devices {
		e, err := d.Record()
		if err != nil {
			p.close()
			return err
		}
		poller, can := e.(backend.Poller)
		if !can {
			_ = e.Close()
			p.close()
			return nil
		}
		p.events = append(p.events, poller)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending = append(w.pending, p)
	return nil
}

// look forgets what is done, and ends the group if the oldest call is late or a peer is lost.
func (w *watchdog) look(g *Group) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending = slices.DeleteFunc(w.pending, func(p watched) bool {
		for i, e := range p.events {
			if e == nil {
				continue
			}
			done, err := e.Done()
			if err != nil {
				go g.fail(lost(g, i, p, err))
				return true
			}
			if done {
				_ = e.Close()
				p.events[i] = nil
			}
		}
		return !slices.ContainsFunc(p.events, func(e backend.Poller) bool { return e != nil })
	})
	if w.now.name != "" && time.Since(w.now.since) > g.timeout {
		go g.fail(fault.New(fault.ErrDeviceLost, "mesh", "rank %d: %s was not started within %v, a peer is lost or did not call it", g.ranks[0], w.now.name, g.timeout))
		w.now = watched{}
	}
	if len(w.pending) == 0 {
		return
	}
	if p := w.pending[0]; time.Since(p.since) > g.timeout {
		at := slices.IndexFunc(p.events, func(e backend.Poller) bool { return e != nil })
		go g.fail(fault.New(fault.ErrDeviceLost, "mesh", "rank %d: %s is not done after %v, a peer is lost or did not call it", g.ranks[at], p.name, g.timeout))
		w.pending = nil
	}
}

func lost(g *Group, member int, p watched, err error) *fault.Error {
	return fault.New(fault.ErrDeviceLost, "mesh", "rank %d: %s failed", g.ranks[member], p.name).Because(err)
}

// startFailed ends the group when a part of it may have started a call that others did not.
func (g *Group) startFailed(c *call, err error) error {
	if failure := g.Err(); failure != nil { // which made the start fail
		return g.about(c, failure)
	}
	var f *fault.Error
	if errors.As(err, &f) && (errors.Is(err, fault.ErrDeviceLost) || g.store != nil && !g.check) {
		own := *f
		g.failSoon(&own)
	}
	return err
}

func isKind(err, kind error) bool { return errors.Is(err, kind) }
