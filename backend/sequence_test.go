package backend

import (
	"runtime"
	"sync"
	"testing"
)

// entries is a stream that notes the entries of its launches, and lets others run at each.
type entries struct {
	Stream
	mu    sync.Mutex
	names []string
}

type entry struct {
	Program
	name string
}

func (s *entries) Launch(p Program, _ Launch) error {
	s.mu.Lock()
	s.names = append(s.names, p.(entry).name)
	s.mu.Unlock()
	runtime.Gosched()
	return nil
}

// Launches of one sequence are one after the other, whichever goroutines start them.
func TestLoopOfGoroutines(t *testing.T) {
	s := &entries{}
	q := Loop(s, []Step{{Program: entry{name: "a"}}, {Program: entry{name: "b"}}, {Program: entry{name: "c"}}})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 100 {
				if err := q.Launch(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for i, name := range s.names {
		if want := string("abc"[i%3]); name != want {
			t.Fatalf("launch %d is of %s, want %s", i, name, want)
		}
	}
	if len(s.names) != 1200 {
		t.Errorf("%d launches, want 1200", len(s.names))
	}
}
