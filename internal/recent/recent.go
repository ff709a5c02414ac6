package recent

import (
	"sync/atomic"
	"unsafe"
)

var epoch atomic.Uint64

// Epoch is a part of the keys of what depends on choices that may be made anew; see Forget.
func Epoch() uint64 { return epoch.Load() }

// Forget begins another epoch: for those who change what choices are made from.
func Forget() { epoch.Add(1) }

// Map is a Table whose keys are bytes, which it copies.
type Map[V any] struct{ table *Table[string, V] }

// New makes an empty map.
func New[V any](limit int) *Map[V] { return &Map[V]{NewTable[string, V](limit)} }

// Get finds a value.
func (m *Map[V]) Get(key []byte) (V, bool) {
	return m.table.Get(unsafe.String(unsafe.SliceData(key), len(key))) // which the table does not keep
}

// Put sets a value.
func (m *Map[V]) Put(key []byte, v V) {
	m.table.Put(string(key), v)
}

// Clear forgets everything.
func (m *Map[V]) Clear() { m.table.Clear() }

// Len is the number of keys held, those that are in both generations counted twice.
func (m *Map[V]) Len() int { return m.table.Len() }
