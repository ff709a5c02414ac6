package weft

import "sync/atomic"

// refCount counts those who need something that is freed when the last lets go of it.
type refCount struct{ refs atomic.Int64 }

// retain adds one unless the count is 0.
func (c *refCount) retain() bool {
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
func (c *refCount) drop() bool { return c.refs.Add(-1) == 0 }
