package ops_test

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/cachedir"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tune"
)

// TestMain keeps what tests measure out of the user's own cache, and that out of the tests.
func TestMain(m *testing.M) {
	os.Setenv(cachedir.Env, "off")
	os.Exit(m.Run())
}

// Ops whose configs are raced read their operands, write their results and leave nothing open, also where the result
// takes the place of an operand.
func TestRacesDisturbNothing(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	numbers := make([]float32, 96*96)
	for i := range numbers {
		numbers[i] = float32(i*37%101)/50 - 1
	}
	tensor := func(shape ...int) *weft.Tensor {
		n := 1
		for _, s := range shape {
			n *= s
		}
		x, err := weft.FromSlice(dev, numbers[:n], shape...)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for name, run := range map[string]func(out, x *weft.Tensor) error{
		"matmul":         func(out, x *weft.Tensor) error { return ops.MatMulInto(out, x, x.T()) },
		"softmax":        func(out, x *weft.Tensor) error { return ops.SoftmaxInto(out, x) },
		"softmax of out": func(out, _ *weft.Tensor) error { return ops.SoftmaxInto(out, out) },
		"rmsnorm":        func(out, x *weft.Tensor) error { return ops.RMSNormInto(out, x, nil) },
		"beta":           func(out, x *weft.Tensor) error { return ops.MatMulInto(out, x, x, ops.Beta(2)) },
		"dropout":        func(out, x *weft.Tensor) error { return ops.DropoutInto(out, x, 0.5, ops.Stream{}, nil) },
		"sum": func(out, x *weft.Tensor) error {
			row, err := out.Select(0, 1)
			if err != nil {
				return err
			}
			defer row.Close()
			return ops.SumInto(row, x, ops.Axis(0))
		},
	} {
		t.Run(name, func(t *testing.T) {
			results, races := [][]float32{}, 0
			for _, raced := range []bool{false, true} {
				x, out := tensor(93, 93), tensor(93, 93)
				defer x.Close()
				defer out.Close()
				stop := func() {}
				if raced {
					stop = tune.Auto(context.Background(), tune.Options{Exact: true, Again: true, Trials: 6, Done: func(tune.Entry) { races++ }})
				}
				before := dev.MemoryStats().InUse
				err := run(out, x)
				stop()
				if after := dev.MemoryStats().InUse; err != nil || after > before { // the collector may free what others left
					t.Fatalf("%d bytes in use after %d, %v", after, before, err)
				}
				if got, err := weft.ToSlice[float32](x); err != nil || !slices.Equal(got, numbers[:93*93]) {
					t.Errorf("an operand has changed, %v", err)
				}
				got, err := weft.ToSlice[float32](out)
				if err != nil {
					t.Fatal(err)
				}
				results = append(results, got)
			}
			if races == 0 {
				t.Error("there was no race")
			}
			for i, want := range results[0] {
				if d := results[1][i] - want; d > 1e-4 || d < -1e-4 {
					t.Fatalf("element %d is %v after a race, %v without", i, results[1][i], want)
				}
			}
		})
	}
}

// Where there is no memory to race in, or the device refuses all launches of a race, the op does what it always does, and the log tells.
func TestNoRoomForRaces(t *testing.T) {
	dev, spy := openSpy(t)
	defer tune.Auto(context.Background(), tune.Options{Exact: true, Again: true})()
	log := &strings.Builder{}
	weft.SetLogger(slog.New(slog.NewTextHandler(log, nil)))
	defer weft.SetLogger(nil)
	x, err := weft.Zeros(dev, weft.F32, 50, 60)
	if err != nil {
		t.Fatal(err)
	}
	out, err := weft.Empty(dev, weft.F32, 50, 50)
	if err != nil {
		t.Fatal(err)
	}
	spy.mu.Lock()
	spy.full = true
	spy.mu.Unlock()
	if err := ops.MatMulInto(out, x, x.T()); err != nil {
		t.Error(err)
	}
	if !strings.Contains(log.String(), "not tuned") || !strings.Contains(log.String(), fault.ErrOutOfMemory.Error()) {
		t.Errorf("the log says:\n%s", log)
	}
}

var captures atomic.Int32 // so far: what was raced in a process is not raced again

// A capture records the op and nothing of the race that is held for it.
func TestCapturesRecordNoRaces(t *testing.T) {
	side, terms := 40+int(captures.Add(1)), 59
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	x, err := weft.Full(dev, weft.F32, 1, side, terms)
	if err != nil {
		t.Fatal(err)
	}
	out, err := weft.Empty(dev, weft.F32, side, side)
	if err != nil {
		t.Fatal(err)
	}
	races := 0
	defer tune.Auto(context.Background(), tune.Options{Exact: true, Again: true, Trials: 4, Done: func(tune.Entry) { races++ }})()
	columns := x.T()
	defer columns.Close()
	recording, err := dev.Capture(func(rec *weft.Recorder) error { return ops.MatMulInto(rec.Use(out), x, columns) })
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	if recording.Launches() != 1 || races == 0 {
		t.Errorf("%d launches are recorded, %d races were held", recording.Launches(), races)
	}
	if err := recording.Replay(); err != nil {
		t.Fatal(err)
	}
	got, err := weft.ToSlice[float32](out)
	if err != nil || got[0] != float32(terms) || got[len(got)-1] != float32(terms) {
		t.Errorf("%v, %v", got[0], err)
	}
}
