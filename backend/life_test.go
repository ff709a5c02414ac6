package backend

import (
	"errors"
	"slices"
	"testing"
)

// TestLife closes things in all the ways in which a device may still use them: each is freed once, when nothing does.
func TestLife(t *testing.T) {
	var g Guard
	var freed []string
	adopt := func(name string, last uint64) *Life {
		l := &Life{Last: last}
		g.Lock()
		defer g.Unlock()
		g.Adopt(l, func() error { freed = append(freed, name); return nil })
		return l
	}
	check := func(when string, want ...string) {
		t.Helper()
		if !slices.Equal(freed, want) {
			t.Errorf("%s: freed %q, want %q", when, freed, want)
		}
	}
	locked := func(f func()) {
		g.Lock()
		defer g.Unlock()
		f()
	}
	idle, batched, held := adopt("idle", 0), adopt("batched", 2), adopt("held", 0)
	adopt("open", 0)
	locked(held.Hold)
	for _, l := range []*Life{idle, batched, held, idle} {
		if err := l.Close(); err != nil || !l.IsClosed() {
			t.Errorf("Close: %v, closed %v", err, l.IsClosed())
		}
	}
	check("after Close", "idle")
	locked(func() { g.Done(1) })
	check("after the batch before", "idle")
	locked(func() { g.Done(2) })
	check("after the batch", "idle", "batched")
	locked(held.Release)
	check("after Release", "idle", "batched", "held")

	failing := adopt("", 0)
	failing.free = func() error { return errors.New("no") }
	if failing.Close() == nil {
		t.Error("the error of free is lost")
	}
	late := adopt("late", 9)
	if err := late.Close(); err != nil {
		t.Fatal(err)
	}
	if !g.Shut() {
		t.Fatal("closed already")
	}
	g.FreeAll()
	g.Unlock()
	slices.Sort(freed)
	check("after the device", "batched", "held", "idle", "late", "open")
}
