//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/backend"
)

// TestBarriers plays random commands to the queue's bookkeeping. Between two
// commands of which one writes what the other uses there has to be a barrier,
// and a barrier has to have such a reason since the one before it.
func TestBarriers(t *testing.T) {
	type use struct {
		buffer int
		access backend.Access
	}
	clash := func(earlier, later []use) bool {
		for _, a := range earlier {
			for _, b := range later {
				if a.buffer == b.buffer && (a.access|b.access)&backend.Write != 0 {
					return true
				}
			}
		}
		return false
	}
	rng := rand.New(rand.NewPCG(9, 10))
	needed, spared := 0, 0
	for range 200 {
		q := &queue{epoch: 1, open: &batch{seq: 1}}
		var buffers [6]*buffer
		for i := range buffers {
			buffers[i] = &buffer{}
		}
		var since [][]use // commands since the last barrier
		for range 60 {
			var now []use
			for _, k := range rng.Perm(len(buffers))[:1+rng.IntN(3)] {
				now = append(now, use{k, []backend.Access{backend.Read, backend.Read, backend.Write, backend.ReadWrite}[rng.IntN(4)]})
			}
			want := false
			for _, earlier := range since {
				want = want || clash(earlier, now)
			}
			conflict := false
			for _, u := range now {
				conflict = conflict || q.conflicts(buffers[u.buffer], u.access)
			}
			if got := q.order(conflict); got != want {
				t.Fatalf("barrier %v before %v, want %v; since the last: %v", got, now, want, since)
			}
			for _, u := range now {
				q.touch(buffers[u.buffer], u.access)
			}
			if want {
				since, needed = nil, needed+1
			} else {
				spared++
			}
			since = append(since, now)
		}
	}
	if needed < 1000 || spared < 1000 {
		t.Errorf("%d barriers, %d commands without: the test lost its point", needed, spared)
	}
}

// TestBatches watches how launches are gathered: one alone after a wait, then
// twice as many each time, and no more batches than the host may be ahead.
func TestBatches(t *testing.T) {
	d := openDevice(t).(*device)
	p, b := build(t, d, stepSource()), newBuffer(t, d, 400)
	launch := func() {
		must(t, d.Stream().Launch(p, backend.Launch{Grid: [3]int{4, 1, 1}, Buffers: []backend.Buffer{b}, Words: []uint32{100, 3}}))
	}
	for range 3 {
		must(t, d.Stream().Synchronize())
		d.mu.Lock()
		first := d.queue.seq
		d.mu.Unlock()
		for i := range 1 + 2 + 4 + 8 {
			launch()
			d.mu.Lock()
			// The batch of launch i is the number of bits of i+1.
			want := first
			for k := i + 1; k > 0; k >>= 1 {
				want++
			}
			if d.queue.mark != want {
				t.Errorf("launch %d is in batch %d, want %d", i, d.queue.mark, want)
			}
			d.mu.Unlock()
		}
	}
	for range 3000 {
		launch()
	}
	d.mu.Lock()
	if d.queue.made > maxBatches || len(d.queue.flight) > maxBatches {
		t.Errorf("%d batches, %d in flight, at most %d allowed", d.queue.made, len(d.queue.flight), maxBatches)
	}
	d.mu.Unlock()
	must(t, d.Stream().Synchronize())
	d.mu.Lock()
	if d.queue.done != d.queue.mark {
		t.Errorf("retired %d of %d batches", d.queue.done, d.queue.mark)
	}
	d.mu.Unlock()
}
