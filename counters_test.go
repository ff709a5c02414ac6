package weft_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/memo"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tile/interp"
)

// counted has the last of some programs store how many there were, and leaves the counter at 0.
var counted = weft.NewKernel("counted", func(k *tile.Builder, programs int) {
	count, out := k.InOut("count", weft.I32, 1), k.Out("out", weft.I32, 1)
	k.Grid(programs)
	before := count.At(0).AcquireRelease().AtomicAdd(1)
	k.If(before.Eq(programs-1), func() {
		out.At(0).Scatter(before.Add(1))
		count.At(0).AtomicExchange(0)
	})
})

// countInto launches counted with the device's counters.
func countInto(out *weft.Tensor, programs int) error {
	counters, err := out.Device().Counters(1)
	if err != nil {
		return err
	}
	defer counters.Close()
	return counted.Launch(programs, counters, out)
}

// Counters are zero before each launch, whatever launched before, and views of them stay what they were when there are more.
func TestCounters(t *testing.T) {
	dev := open(t)
	out := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.I32, 1))
	first := ok[*weft.Tensor](t)(dev.Counters(3))
	for _, n := range []int{0, 1, 5, 1 << 14, 1 << 16} {
		c := ok[*weft.Tensor](t)(dev.Counters(n))
		if got := ok[[]int32](t)(weft.ToSlice[int32](c)); len(got) != n || slices.ContainsFunc(got, func(x int32) bool { return x != 0 }) {
			t.Errorf("%d counters are %d numbers, some of which may not be 0", n, len(got))
		}
		if err := countInto(out, n%100+1); err != nil {
			t.Fatal(err)
		}
		if got := ok[[]int32](t)(weft.ToSlice[int32](out))[0]; got != int32(n%100+1) {
			t.Errorf("%d programs counted %d", n%100+1, got)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := counted.Launch(4, first, out); err != nil {
		t.Error(err)
	}
	if got := ok[[]int32](t)(weft.ToSlice[int32](out))[0]; got != 4 {
		t.Errorf("4 programs counted %d in the first view", got)
	}
}

// A capture does not take what others launch with the counters meanwhile, and its replays count as the launches do that come between them.
func TestCountersAreOfNoCapture(t *testing.T) {
	dev := open(t)
	tensor := func() *weft.Tensor { return ok[*weft.Tensor](t)(weft.Zeros(dev, weft.I32, 1)) }
	inside, outside := tensor(), tensor()
	read := func(x *weft.Tensor) int32 { return ok[[]int32](t)(weft.ToSlice[int32](x))[0] }
	r := ok[*weft.Recording](t)(dev.Capture(func(rec *weft.Recorder) error {
		if err := countInto(rec.Use(inside), 7); err != nil {
			return err
		}
		if err := countInto(outside, 5); err != nil {
			return err
		}
		if got := read(outside); got != 5 {
			t.Errorf("5 programs counted %d while others were recorded", got)
		}
		return countInto(rec.Use(inside), 8)
	}))
	defer r.Close()
	if n := r.Launches(); n != 2 {
		t.Errorf("%d launches were recorded, want 2", n)
	}
	if got := read(inside); got != 0 {
		t.Errorf("a recorded launch ran and counted %d", got)
	}
	for range 3 {
		if err := r.Replay(); err != nil {
			t.Fatal(err)
		}
		if err := countInto(outside, 3); err != nil {
			t.Fatal(err)
		}
		if a, b := read(inside), read(outside); a != 8 || b != 3 {
			t.Errorf("8 and 3 programs counted %d and %d", a, b)
		}
	}
}

// A call with counters is run once and launched from its plan then, by many goroutines, too.
func TestCountersOfRememberedCalls(t *testing.T) {
	dev := open(t)
	runs := 0
	calls := memo.New(func(programs int, x []*weft.Tensor) error {
		runs++
		return countInto(x[0], programs)
	})
	var all sync.WaitGroup
	run := func(times int) {
		out := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.I32, 1))
		for range times {
			if err := calls.Run(9, out); err != nil {
				t.Error(err)
			}
			if got, err := weft.ToSlice[int32](out); err != nil || got[0] != 9 {
				t.Errorf("9 programs counted %v, %v", got, err)
			}
		}
	}
	garbage := ok[*weft.Tensor](t)(weft.Full(dev, weft.I32, 77, 1<<12)) // which the pool has for who asks it for memory
	if err := garbage.Close(); err != nil {
		t.Fatal(err)
	}
	run(2)
	if runs != 1 {
		t.Errorf("the call was run %d times, want 1", runs)
	}
	for range 4 {
		all.Go(func() { run(20) })
	}
	all.Wait()
}

// left stores a counter and leaves a number in it, which no kernel of the device's counters may do.
var left = weft.NewKernel("left", func(k *tile.Builder, number int) {
	count, out := k.InOut("count", weft.I32, 1), k.Out("out", weft.I32, 1)
	k.Grid(1)
	out.At(0).Scatter(count.At(0).AcquireRelease().AtomicExchange(number))
})

// Each launch of a capture has counters of its own, through all replays, and the device's stay as they are.
func TestLaunchesOfACaptureShareNoCounters(t *testing.T) {
	dev := open(t)
	tensor := func() *weft.Tensor { return ok[*weft.Tensor](t)(weft.Zeros(dev, weft.I32, 1)) }
	read := func(x *weft.Tensor) int32 { return ok[[]int32](t)(weft.ToSlice[int32](x))[0] }
	counters := ok[*weft.Tensor](t)(dev.Counters(1))
	defer counters.Close()
	a, b := tensor(), tensor()
	r := ok[*weft.Recording](t)(dev.Capture(func(rec *weft.Recorder) error {
		if err := left.Launch(3, counters, rec.Use(a)); err != nil {
			return err
		}
		return left.Launch(4, counters, rec.Use(b))
	}))
	defer r.Close()
	for _, want := range [][2]int32{{0, 0}, {3, 4}} {
		if err := r.Replay(); err != nil {
			t.Fatal(err)
		}
		if got := [2]int32{read(a), read(b)}; got != want {
			t.Errorf("two launches found %v in their counters, want %v", got, want)
		}
	}
	if got := read(counters); got != 0 {
		t.Errorf("a capture left %d in the device's counters", got)
	}
}

// countedAbove is counted if x is above 0, and fails otherwise.
var countedAbove = weft.NewKernel("counted_above", func(k *tile.Builder, programs int) {
	count, out, x := k.InOut("count", weft.I32, 1), k.Out("out", weft.I32, 1), k.In("x", weft.I32, 1)
	k.Grid(programs)
	before := count.At(0).AcquireRelease().AtomicAdd(1)
	k.Assert(x.Block(1).Load(0).At(0).Gt(0), "x is not above 0")
	k.If(before.Eq(programs-1), func() {
		out.At(0).Scatter(before.Add(1))
		count.At(0).AtomicExchange(0)
	})
})

// Counters are zero after a kernel that failed, those of the device and those of a recording.
func TestCountersAfterFailure(t *testing.T) {
	dev := open(t)
	x, out := ok[*weft.Tensor](t)(weft.Zeros(dev, weft.I32, 1)), ok[*weft.Tensor](t)(weft.Zeros(dev, weft.I32, 1))
	launch := func(out *weft.Tensor) error {
		counters, err := dev.Counters(1)
		if err != nil {
			return err
		}
		defer counters.Close()
		return countedAbove.Launch(4, counters, out, x)
	}
	debug := func() error {
		counters, err := dev.Counters(1)
		if err != nil {
			return err
		}
		defer counters.Close()
		return countedAbove.Debug(4, interp.Options{}, nil, counters, out, x)
	}
	r := ok[*weft.Recording](t)(dev.Capture(func(rec *weft.Recorder) error { return launch(rec.Use(out)) }))
	defer r.Close()
	for name, step := range map[string]func() error{"launch": func() error { return launch(out) }, "replay": r.Replay, "debug": debug} {
		if err := errors.Join(x.Fill(0), step(), dev.Synchronize()); !errors.Is(err, weft.ErrKernel) {
			t.Errorf("%s: %v, want ErrKernel", name, err)
		}
		counters := ok[*weft.Tensor](t)(dev.Counters(1))
		if got, err := counters.Item(); err != nil || got != 0 {
			t.Errorf("%s: the counter is %v, %v", name, got, err)
		}
		counters.Close()
		if err := errors.Join(x.Fill(1), out.Fill(0), step()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := weft.ToSlice[int32](out); err != nil || got[0] != 4 {
			t.Errorf("%s: 4 programs counted %v, %v", name, got, err)
		}
		if err := countInto(out, 3); err != nil {
			t.Error(err)
		}
		if got, err := weft.ToSlice[int32](out); err != nil || got[0] != 3 {
			t.Errorf("after %s: 3 programs counted %v, %v", name, got, err)
		}
	}
}
