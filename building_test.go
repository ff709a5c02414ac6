package weft_test

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// within fails the test if f takes longer than a minute.
func within(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("deadlock")
	}
}

// wantCycle wants the error of a kernel that is used within its own description, with the kernels on the way.
func wantCycle(t *testing.T, err error, path string) {
	t.Helper()
	if !errors.Is(err, weft.ErrKernel) || !strings.Contains(err.Error(), "used within its own description"+path+": invalid kernel") {
		t.Errorf("error %v, want ErrKernel that says %q", err, path)
	}
}

// A description that uses its own kernel is an error, whether or not it looks at that error itself.
func TestKernelWithinItsOwnDescription(t *testing.T) {
	within(t, func() {
		var self *weft.Kernel[int]
		var inner error
		self = weft.NewKernel("self", func(k *tile.Builder, n int) { _, inner = self.Build(n) })
		_, err := self.Build(0)
		wantCycle(t, inner, "")
		wantCycle(t, err, "")
		_, err = self.Build(0)
		wantCycle(t, err, "") // a second time
	})
	within(t, func() {
		var kernels [3]*weft.Kernel[int]
		for i, name := range []string{"a", "b", "c"} {
			kernels[i] = weft.NewKernel(name, func(k *tile.Builder, n int) { _, _ = kernels[(i+1)%3].Build(n) })
		}
		_, err := kernels[1].Build(0)
		wantCycle(t, err, ": b uses c uses a uses b")
		_, err = kernels[0].Build(0)
		wantCycle(t, err, ": a uses b uses c uses a")
	})
	within(t, func() { // a kernel that uses those of a cycle is none of them
		var self *weft.Kernel[int]
		self = weft.NewKernel("self", func(k *tile.Builder, n int) { _, _ = self.Build(n) })
		outer := weft.NewKernel("outer", func(k *tile.Builder, n int) {
			_, err := self.Build(n)
			wantCycle(t, err, "")
			fill(k, n)
		})
		if _, err := outer.Build(3); err != nil {
			t.Errorf("a kernel whose description looks at a faulty one: %v", err)
		}
	})
	within(t, func() {
		var deeper *weft.Kernel[int]
		deeper = weft.NewKernel("deeper", func(k *tile.Builder, n int) {
			if _, err := deeper.Build(n + 1); err != nil {
				panic(err)
			}
		})
		defer func() {
			if err, _ := recover().(error); !errors.Is(err, weft.ErrKernel) || !strings.Contains(err.Error(), "nested") {
				t.Errorf("ever deeper descriptions: %v", err)
			}
		}()
		deeper.Build(0)
	})
}

// fill describes a kernel that writes a number.
func fill(k *tile.Builder, n int) {
	k.Grid(1)
	k.Out("y", weft.F32, 1).Block(4).Store(k.Full(weft.F32, float64(n), 4), 0)
}

// Goroutines that build kernels which use each other in one direction all get them; of those that use each other in a
// circle all get the error, whoever began.
func TestKernelsBuiltByManyGoroutines(t *testing.T) {
	within(t, func() {
		for round := range 50 {
			const n = 6
			var chain, circle [n]*weft.Kernel[int]
			for i := range n {
				chain[i] = weft.NewKernel("chain", func(k *tile.Builder, c int) {
					for j := i + 1; j < n; j++ {
						if _, err := chain[j].Build(c); err != nil {
							t.Error(err)
						}
					}
					fill(k, i)
				})
				circle[i] = weft.NewKernel("circle", func(k *tile.Builder, c int) {
					_, _ = circle[(i+1)%n].Build(c)
					fill(k, i)
				})
			}
			var wg sync.WaitGroup
			for g := range n {
				wg.Go(func() {
					if _, err := chain[(g*5+round)%n].Build(7); err != nil {
						t.Errorf("no circle: %v", err)
					}
				})
				wg.Go(func() {
					_, err := circle[g].Build(7)
					wantCycle(t, err, ": circle"+strings.Repeat(" uses circle", n))
				})
			}
			wg.Wait()
		}
	})
}

// A description that panics does so to its caller; whoever waits for the kernel gets an error.
func TestDescriptionThatPanics(t *testing.T) {
	within(t, func() {
		started, waiting := make(chan struct{}), make(chan struct{})
		k := weft.NewKernel("broken", func(*tile.Builder, int) { close(started); <-waiting; panic("broken") })
		var wg sync.WaitGroup
		wg.Go(func() {
			defer func() {
				if recover() != "broken" {
					t.Error("the panic did not reach the caller")
				}
			}()
			k.Build(1)
		})
		<-started
		wg.Go(func() {
			close(waiting)
			if _, err := k.Build(1); !errors.Is(err, weft.ErrKernel) {
				t.Errorf("who waits gets %v, want ErrKernel", err)
			}
		})
		wg.Wait()
	})
}

// A kernel of ever other configs keeps a bounded number of them.
func TestManyConfigsStayBounded(t *testing.T) {
	k := weft.NewKernel("many", fill)
	var built []weak.Pointer[tile.Func]
	for n := range 2500 {
		f, err := k.Build(n)
		if err != nil {
			t.Fatal(err)
		}
		built = append(built, weak.Make(f))
	}
	runtime.GC()
	kept := 0
	for _, f := range built {
		if f.Value() != nil {
			kept++
		}
	}
	if kept == 0 || kept > 2048 {
		t.Errorf("%d configs are kept", kept)
	}
	first, _ := k.Build(2499)
	if again, _ := k.Build(2499); again != first {
		t.Error("the latest config is built anew")
	}
	runtime.KeepAlive(k)
}
