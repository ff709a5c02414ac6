package mesh

import (
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// Each member's work is run once for each call, also after the workers have gone to sleep, and all errors are returned.
func TestCrew(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	const n = 4
	c := newCrew(n)
	if len(c.workers) != n-1 {
		t.Fatalf("%d workers", len(c.workers))
	}
	var ran [n]atomic.Int64
	for call := range 200 {
		if call%50 == 49 {
			time.Sleep(20 * patience)
		}
		fault := errors.New("a fault")
		err := c.each(n, func(i int) error {
			ran[i].Add(1)
			if i == 2 && call == 7 {
				return fault
			}
			return nil
		})
		if (call == 7) != errors.Is(err, fault) {
			t.Errorf("call %d: %v", call, err)
		}
	}
	for i := range ran {
		if ran[i].Load() != 200 {
			t.Errorf("member %d ran %d times", i, ran[i].Load())
		}
	}
	c.close()
	time.Sleep(5 * patience)
	for i, w := range c.workers {
		if !w.over.Load() {
			t.Errorf("worker %d goes on", i)
		}
	}
}
