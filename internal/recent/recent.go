package recent

import (
	"sync"
	"sync/atomic"
)

var epoch atomic.Uint64

// Epoch is a part of the keys of what depends on choices that may be made anew; see Forget.
func Epoch() uint64 { return epoch.Load() }

// Forget begins another epoch: for those who change what choices are made from.
func Forget() { epoch.Add(1) }

// Map maps keys of bytes to values. It holds two generations: what is new or was asked for goes to the young
// one, and when that is full the old one is dropped. So a Map holds the last limit keys at least and twice as many at most.
// Its methods may be called from many goroutines; Get does not allocate.
type Map[V any] struct {
	mu         sync.Mutex
	limit      int
	young, old map[string]V
}

// New makes an empty map.
func New[V any](limit int) *Map[V] { return &Map[V]{limit: limit, young: map[string]V{}} }

// Get finds a value.
func (m *Map[V]) Get(key []byte) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.young[string(key)]
	if ok {
		return v, true
	}
	if v, ok = m.old[string(key)]; ok {
		m.put(string(key), v)
	}
	return v, ok
}

// Put sets a value.
func (m *Map[V]) Put(key []byte, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.put(string(key), v)
}

func (m *Map[V]) put(key string, v V) {
	if _, here := m.young[key]; !here && len(m.young) >= m.limit {
		m.old, m.young = m.young, make(map[string]V, m.limit)
	}
	m.young[key] = v
}

// Clear forgets everything.
func (m *Map[V]) Clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.young, m.old = map[string]V{}, nil
}

// Len is the number of keys held, those that are in both generations counted twice.
func (m *Map[V]) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.young) + len(m.old)
}
