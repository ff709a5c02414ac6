package weft

import "sync/atomic"

// counted counts those who need something that is freed when the last lets go of it.
type counted struct{ refs atomic.Int64 }

// retain adds one unless the last is gone.
func (c *counted) retain() bool {
	for {
		n := c.refs.Load()
		if n <= 0 {
			return false
		}
		if c.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// drop takes one away and reports whether it was the last.
func (c *counted) drop() bool { return c.refs.Add(-1) == 0 }
