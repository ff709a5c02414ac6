package suite

import (
	"runtime"
	"sync"
)

// cached remembers what was computed last, for a row or the like, since neighbours are often asked for together.
type cached[T any] struct {
	known bool
	key   int
	value T
}

func (c *cached[T]) of(key int, compute func() T) T {
	if !c.known || c.key != key {
		c.known, c.key, c.value = true, key, compute()
	}
	return c.value
}

// computedAtOnce is computed for each of the rows that are compared: for all of them at the first request, in parallel, and
// once for all contenders. A row of attention reads all keys of its head.
type computedAtOnce[T any] struct {
	keys  []int
	bytes int // of memory that the computation of one takes

	first sync.Once
	known map[int]T
}

// atOnceBytes is how much memory computations at the same time take at most.
const atOnceBytes = 2 << 30

// of is what was computed for a row, or computes it for one that is not compared.
func (c *computedAtOnce[T]) of(key int, compute func(int) T) T {
	c.first.Do(func() { c.fill(compute) })
	if value, ok := c.known[key]; ok {
		return value
	}
	return compute(key)
}

func (c *computedAtOnce[T]) fill(compute func(int) T) {
	c.known = make(map[int]T, len(c.keys))
	var all sync.WaitGroup
	var lock sync.Mutex
	slots := make(chan struct{}, max(1, min(runtime.GOMAXPROCS(0), atOnceBytes/max(c.bytes, 1))))
	for _, k := range c.keys {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			value := compute(k)
			lock.Lock()
			defer lock.Unlock()
			c.known[k] = value
		})
	}
	all.Wait()
}
