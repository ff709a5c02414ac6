package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/weftgpu/weft/fault"
)

// read parses a trace.
func read(t *testing.T, name string) []event {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var events []event
	if err := json.Unmarshal(text, &events); err != nil {
		t.Fatal(err, len(text))
	}
	return events
}

func TestOffNothingHappens(t *testing.T) {
	s := Begin("a", "b")
	s.Child("c").End()
	s.Set("k", 1)
	s.End()
	Complete(NewProcess("x", "y"), 0, "c", "n", time.Now(), time.Now(), nil)
	Flush()
	if s != nil || On() {
		t.Error("a trace is written although none was started")
	}
}

// Spans of many goroutines: each lies within its parent, and those on one track overlap in no other way.
func TestSpansNest(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace.json")
	stop, err := Start(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Start(name); !errors.Is(err, fault.ErrUnsupported) {
		t.Errorf("a second trace: %v", err)
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 200 {
				s := Begin("test", fmt.Sprint("outer ", g))
				a := s.Child(fmt.Sprint("inner ", g))
				a.Child("innermost").End()
				a.End()
				s.Set("i", i)
				s.Set("bad", func() {}) // which JSON cannot hold
				delete(s.args, "bad")
				s.End()
			}
		})
	}
	wg.Wait()
	stop()
	if On() {
		t.Error("the trace goes on")
	}
	var spans []event
	for _, e := range read(t, name) {
		if e.Ph == "X" {
			spans = append(spans, e)
		}
	}
	if len(spans) != 4*200*3 {
		t.Errorf("%d spans", len(spans))
	}
	for i, a := range spans {
		for _, b := range spans[i+1:] {
			if a.Tid != b.Tid {
				continue
			}
			// microseconds with fractions lose the last nanosecond
			const eps = 0.002
			aEnd, bEnd := a.TS+*a.Dur, b.TS+*b.Dur
			apart := aEnd <= b.TS+eps || bEnd <= a.TS+eps
			within := a.TS >= b.TS-eps && aEnd <= bEnd+eps || b.TS >= a.TS-eps && bEnd <= aEnd+eps
			if !apart && !within {
				t.Fatalf("%+v until %v and %+v until %v overlap", a, aEnd, b, bEnd)
			}
		}
	}
}

// After every flush the file is whole, as a crash would leave it.
func TestTheFileIsWholeAtAnyTime(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace-%p.json")
	stop, err := Start(name)
	if err != nil {
		t.Fatal(err)
	}
	name = filepath.Join(filepath.Dir(name), fmt.Sprintf("trace-%d.json", os.Getpid()))
	p := NewProcess("dev", "kernels")
	for i := range 20 {
		Complete(p, 0, "kernel", `name "with" \signs`+"\n", time.Now(), time.Now().Add(time.Millisecond), Args{"i": i})
		Flush()
		if events := read(t, name); len(events) < i+1 {
			t.Fatalf("%d events after %d", len(events), i+1)
		}
	}
	before := len(read(t, name))
	for range 1000 {
		Complete(p, 0, "kernel", "many", time.Now(), time.Now(), nil)
	}
	if events := read(t, name); len(events) <= before {
		t.Error("many events are not in the file without a flush")
	}
	current.Load().out.Close() // the disk fails
	Complete(p, 0, "kernel", "lost", time.Now(), time.Now(), nil)
	Flush()
	stop()
	read(t, name)
}

func TestFilesThatCannotBe(t *testing.T) {
	if _, err := Start(filepath.Join(t.TempDir(), "no", "folder")); !errors.Is(err, fault.ErrUnsupported) || On() {
		t.Errorf("%v", err)
	}
}
