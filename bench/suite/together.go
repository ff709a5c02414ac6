package suite

import (
	"runtime"
	"sync"
)

// together computes something for each of the rows that are compared: for all of them at the first request, in
// parallel, and once for all contenders. A row of attention reads all keys of its head.
type together[T any] struct {
	keys  []int
	bytes int // of memory that the computation of one takes

	first sync.Once
	known map[int]T
}

// togetherBytes is how much memory computations at the same time take at most.
const togetherBytes = 2 << 30

func (t *together[T]) of(key int, compute func(int) T) T {
	t.first.Do(func() { t.fill(compute) })
	if value, ok := t.known[key]; ok {
		return value
	}
	return compute(key)
}

func (t *together[T]) fill(compute func(int) T) {
	t.known = make(map[int]T, len(t.keys))
	var all sync.WaitGroup
	var lock sync.Mutex
	slots := make(chan struct{}, max(1, min(runtime.GOMAXPROCS(0), togetherBytes/max(t.bytes, 1))))
	for _, k := range t.keys {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			value := compute(k)
			lock.Lock()
			defer lock.Unlock()
			t.known[k] = value
		})
	}
	all.Wait()
}
