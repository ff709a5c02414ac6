package interp

import (
	"bytes"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// counting is a program that adds 1 to each of n elements, a few to a program, and its launch.
func counting(t *testing.T, n int) (l *Launch, buffer []byte) {
	k := build(t, "count", func(k *tile.Builder) {
		x := k.InOut("x", dtype.I32, 1)
		k.Grid(k.CDiv(x.Dim(0), 32))
		i := k.ProgramID(0)
		x.Block(32).Store(x.Block(32).Load(i).Add(1), i)
	})
	p := &Program{Kernel: k, Buffers: []int{0}, Options: Options{Native: true}}
	buffer = make([]byte, 4*n)
	grid, words := launchOf(t, p, []layout.Layout{contiguous(t, n)})
	l = new(Launch)
	if err := p.Bind(l, grid, [][]byte{buffer}, words); err != nil {
		t.Fatal(err)
	}
	return l, buffer
}

// TestSpread: each program runs once, however many cores there are and however many launches at a time.
func TestSpread(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, cores := range []int{1, 2, 3, 8, 16} {
		runtime.GOMAXPROCS(cores)
		var all sync.WaitGroup
		for g := range 24 { // more than the pool sees at a time
			n := []int{1, 33, 1000, 5000, 100000}[g%5]
			l, buffer := counting(t, n)
			all.Go(func() {
				const times = 40
				for i := range times {
					if err := l.Run(); err != nil {
						t.Error(err)
					}
					if i%10 == 0 {
						time.Sleep(200 * time.Microsecond) // until helpers sleep
					}
				}
				for i, x := range elementsOf[int32](buffer) {
					if x != times {
						t.Errorf("%d cores, %d elements: element %d was counted %d times", cores, n, i, x)
						return
					}
				}
			})
		}
		all.Wait()
	}
}

// TestSpreadAllocates: a launch that ran before allocates nothing, alone or with others.
func TestSpreadAllocates(t *testing.T) {
	if testenv.RaceDetector {
		t.Skip("under the race detector sync.Pool keeps nothing")
	}
	for _, n := range []int{20, 100, 1 << 20} {
		l, _ := counting(t, n)
		if got := testing.AllocsPerRun(20, func() {
			if err := l.Run(); err != nil {
				t.Fatal(err)
			}
		}); got >= 1 {
			t.Errorf("%d elements: %v allocations", n, got)
		}
	}
}

// TestSpreadStops: a launch that is stopped ends for all who work on it, and the next one is as if nothing had been.
func TestSpreadStops(t *testing.T) {
	l, buffer := counting(t, 1<<20)
	gone := errors.New("gone")
	for range 20 {
		l.Stop = new(Stop)
		go l.Stop.Now(gone)
		if err := l.Run(); err != nil && !errors.Is(err, gone) {
			t.Fatal(err)
		}
	}
	l.Stop = nil
	before := bytes.Clone(buffer)
	if err := l.Run(); err != nil {
		t.Fatal(err)
	}
	for i, x := range elementsOf[int32](buffer) {
		if x != elementsOf[int32](before)[i]+1 {
			t.Fatalf("element %d is %d", i, x)
		}
	}
}

// TestShares: shares have all programs, once, and each take is a part of one share.
func TestShares(t *testing.T) {
	for n := 1; n < 20; n++ {
		for total := int64(n); total < 100; total++ {
			var s shares
			s.divide(3, 3+total, n)
			next := int64(3)
			for i := range s.list {
				for {
					lo, hi := s.list[i].take()
					if lo == hi {
						break
					}
					if lo != next || hi < lo {
						t.Fatalf("%d programs for %d: %d to %d after %d", total, n, lo, hi, next)
					}
					next = hi
				}
				if next != s.list[i].end {
					t.Fatalf("%d programs for %d: share %d ends at %d, want %d", total, n, i, next, s.list[i].end)
				}
			}
			if next != 3+total {
				t.Fatalf("%d programs for %d: the last is %d", total, n, next)
			}
		}
	}
}
