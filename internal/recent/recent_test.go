package recent

import (
	"math/rand/v2"
	"strconv"
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
