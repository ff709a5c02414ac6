package recent

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
)

// The last keys that were put or asked for are there, with the values put last, and the map stays bounded.
func TestMapKeepsTheLatest(t *testing.T) {
	const limit = 8
	m, rng := New[int](limit), rand.New(rand.NewPCG(1, 2))
	var latest []string // the last at the end, each once
	values := map[string]int{}
	use := func(key string) {
		for i, k := range latest {
			if k == key {
				latest = append(latest[:i], latest[i+1:]...)
				break
			}
		}
		latest = append(latest, key)
	}
	for i := range 20000 {
		key := strconv.Itoa(rng.IntN(3 * limit))
		if rng.IntN(2) == 0 {
			m.Put([]byte(key), i)
			values[key] = i
			use(key)
			continue
		}
		v, ok := m.Get([]byte(key))
		recent := false
		for _, k := range latest[max(0, len(latest)-limit):] {
			recent = recent || k == key
		}
		if recent && !ok {
			t.Fatalf("step %d: %s is forgotten among %v", i, key, latest)
		}
		if ok {
			if v != values[key] {
				t.Fatalf("step %d: %s is %d, was put as %d", i, key, v, values[key])
			}
			use(key)
		}
		if m.Len() > 2*limit {
			t.Fatalf("step %d: %d keys", i, m.Len())
		}
	}
	m.Clear()
	if m.Len() != 0 {
		t.Error("not empty after Clear")
	}
	m.Put([]byte("k"), 1)
	key := []byte("k")
	if n := testing.AllocsPerRun(100, func() { m.Get(key) }); n != 0 {
		t.Errorf("Get allocates %v times", n)
	}
}

// A value that is asked for stays, under the key that it was put with, however the bytes of the question change afterwards.
func TestMapKeepsKeysOfItsOwn(t *testing.T) {
	m := New[int](2)
	m.Put([]byte("kept"), 7)
	question := []byte("kept")
	for i := range 20 {
		m.Put(strconv.AppendInt(nil, int64(i), 10), i)
		copy(question, "kept")
		if v, ok := m.Get(question); !ok || v != 7 {
			t.Fatalf("after %d others: %d, %v", i+1, v, ok)
		}
		copy(question, "lost")
	}
	if _, ok := m.Get([]byte("lost")); ok {
		t.Error("the map kept the bytes of a question as a key")
	}
}

// Keys that equal nothing, not even themselves, do not fill a table.
func TestTableOfNaNsStaysBounded(t *testing.T) {
	table := NewTable[float64, int](8)
	for i := range 1000 {
		table.GetOrPut(math.NaN(), func() int { return i })
	}
	if table.Len() > 16 {
		t.Errorf("%d values are held, want 16 at most", table.Len())
	}
	if n := len(table.Clear()); n == 0 || table.Len() != 0 {
		t.Errorf("Clear returns %d values and leaves %d", n, table.Len())
	}
}

// Of goroutines that ask for a key at once one adds it, and all get its value.
func TestGetOrPutAddsOnce(t *testing.T) {
	table := NewTable[int, *int](64)
	var added atomic.Int64
	var wg sync.WaitGroup
	got := make([][]*int, 8)
	for g := range got {
		wg.Go(func() {
			for key := range 32 {
				got[g] = append(got[g], table.GetOrPut(key, func() *int { added.Add(1); return new(int) }))
			}
		})
	}
	wg.Wait()
	for g := range got {
		if !slices.Equal(got[g], got[0]) {
			t.Errorf("goroutine %d got other values", g)
		}
	}
	if added.Load() != 32 {
		t.Errorf("added %d times, want 32", added.Load())
	}
}
