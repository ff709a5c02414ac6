package backend

import "sync"

// Guard is the lock of a device and what is closed by it. A call that lets go of the lock while it waits for the device, or copies for long,
// is counted, and Shut comes after it.
type Guard struct {
	sync.Mutex
	closed bool
	busy   int
	idle   *sync.Cond // nil if nobody shuts

	live  map[*Life]struct{} // what is not freed
	dying []*Life            // closed, but used by a batch that may not be done
	done  uint64             // batch
}

// Enter locks for a call. If the device is closed it fails and the lock is not held.
func (g *Guard) Enter(op string) error {
	g.Lock()
	if g.closed {
		g.Unlock()
		return Closed(op, "device")
	}
	return nil
}

// IsClosed reports whether the device is closed or about to be; the lock is held.
func (g *Guard) IsClosed() bool { return g.closed }

// Hold counts a call that goes on without the lock, which is held now, until Release.
func (g *Guard) Hold() { g.busy++ }

// Release ends Hold; the lock is held.
func (g *Guard) Release() {
	if g.busy--; g.busy == 0 && g.idle != nil {
		g.idle.Broadcast()
	}
}

// Unlocked runs f without the lock, which is held before and after.
func (g *Guard) Unlocked(f func()) {
	g.Hold()
	g.Unlock()
	defer func() { // also if f panics
		g.Lock()
		g.Release()
	}()
	f()
}

// Shut closes the device, waits for the calls that are counted, and holds the lock then. It is false, and the lock is not held, if the device is
// closed already.
func (g *Guard) Shut() bool {
	g.Lock()
	if g.closed {
		g.Unlock()
		return false
	}
	g.closed = true
	g.idle = sync.NewCond(&g.Mutex)
	for g.busy > 0 {
		g.idle.Wait()
	}
	return true
}
