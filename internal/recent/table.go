package recent

import (
	"cmp"
	"sync"
)

// Table maps keys to values. It holds two generations: what is new or was asked for goes to the young
// one, and when that is full the old one is dropped. So a Table holds the last limit keys at least and twice as many at most.
// Its methods may be called from many goroutines; Get does not allocate. The zero value is an empty table with Limit.
type Table[K comparable, V any] struct {
	mu         sync.Mutex
	limit      int
	young, old map[K]item[K, V]
}

// item is a value with its key, by which it gets into another generation.
type item[K, V any] struct {
	key   K
	value V
}

// Limit is that of tables that are not made with another one.
const Limit = 1 << 10

// NewTable makes an empty table.
func NewTable[K comparable, V any](limit int) *Table[K, V] { return &Table[K, V]{limit: limit} }

// Get finds a value.
func (t *Table[K, V]) Get(key K) (V, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.get(key)
}

func (t *Table[K, V]) get(key K) (V, bool) {
	i, ok := t.young[key]
	if !ok {
		if i, ok = t.old[key]; ok {
			t.put(i)
		}
	}
	return i.value, ok
}

// Put sets a value.
func (t *Table[K, V]) Put(key K, v V) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.put(item[K, V]{key, v})
}

// GetOrPut finds a value, or sets it to what add returns. Of goroutines that ask for one key at once, one adds
// it. The function must not use the table.
func (t *Table[K, V]) GetOrPut(key K, add func() V) V {
	t.mu.Lock()
	defer t.mu.Unlock()
	v, ok := t.get(key)
	if !ok {
		v = add()
		t.put(item[K, V]{key, v})
	}
	return v
}

func (t *Table[K, V]) put(i item[K, V]) {
	if _, here := t.young[i.key]; !here && (t.young == nil || len(t.young) >= cmp.Or(t.limit, Limit)) {
		t.old, t.young = t.young, make(map[K]item[K, V], len(t.young))
	}
	t.young[i.key] = i
}

// Clear forgets everything and returns the values that there were; one of both generations comes twice.
func (t *Table[K, V]) Clear() []V {
	t.mu.Lock()
	defer t.mu.Unlock()
	values := make([]V, 0, len(t.young)+len(t.old))
	for _, generation := range []map[K]item[K, V]{t.young, t.old} {
		for _, i := range generation {
			values = append(values, i.value)
		}
	}
	t.young, t.old = nil, nil
	return values
}

// Len is the number of keys held, those that are in both generations counted twice.
func (t *Table[K, V]) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.young) + len(t.old)
}
