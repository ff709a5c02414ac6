package backend

// Life is what buffers, programs, events and sequences of a backend have in common: they are closed once, and freed when nothing uses
// them any longer, or with the device. Backends embed it; the device's Guard is held for all but Close.
type Life struct {
	// Last is the number of the last batch that uses it, for backends that tell their Guard of batches by Done.
	Last uint64

	guard  *Guard
	free   func() error
	closed bool
	users  int // calls that need it and do not hold the lock
}

// Adopt begins a life, which free ends; the lock is held.
func (g *Guard) Adopt(l *Life, free func() error) {
	if g.live == nil {
		g.live = map[*Life]struct{}{}
	}
	l.guard, l.free = g, free
	g.live[l] = struct{}{}
}

// IsClosed reports whether it is closed.
func (l *Life) IsClosed() bool { return l.closed }

// Close implements Close of Buffer, Program, Event and Sequence. What is left when the device closes is freed by that.
func (l *Life) Close() error {
	g := l.guard
	g.Lock()
	defer g.Unlock()
	if l.closed || g.closed {
		return nil
	}
	l.closed = true
	return g.retire(l)
}

// Hold keeps it from being freed, and the device from being shut, while a call goes on without the lock, until Release.
func (l *Life) Hold() {
	l.users++
	l.guard.Hold()
}

// Release ends Hold.
func (l *Life) Release() {
	l.users--
	l.guard.retire(l)
	l.guard.Release()
}

// retire frees what is closed, if nothing uses it. Otherwise it is for the last Release, or for Done.
func (g *Guard) retire(l *Life) error {
	switch {
	case !l.closed || l.users > 0:
		return nil
	case l.Last > g.done:
		g.dying = append(g.dying, l)
		return nil
	}
	delete(g.live, l)
	return l.free()
}

// Done says that the device is done with all batches up to a number, and frees what was closed and waited for that; the lock is held.
func (g *Guard) Done(batch uint64) {
	g.done = batch
	waiting := g.dying
	g.dying = nil
	for _, l := range waiting {
		g.retire(l)
	}
}

// FreeAll frees everything; the device is shut, and does nothing any more.
func (g *Guard) FreeAll() {
	for l := range g.live {
		l.closed = true
		l.free()
	}
	g.live, g.dying = nil, nil
}
