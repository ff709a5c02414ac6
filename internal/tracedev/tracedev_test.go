package tracedev_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/fault"
	_ "github.com/weftgpu/weft/internal/testenv" // has passes verified
	"github.com/weftgpu/weft/internal/trace"
	"github.com/weftgpu/weft/internal/tracedev"
	"github.com/weftgpu/weft/ops"
)

type event struct {
	Name, Cat, Ph string
	TS, Dur       float64
	Pid, Tid      int
}

// traced opens a device, which a test may alter, in a trace, and returns what reads the trace's spans.
func traced(t *testing.T, alter func(backend.Device) backend.Device) (*weft.Device, func() []event) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "trace.json")
	stop, err := trace.Start(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	inner, err := backend.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	dev := weft.NewDevice(tracedev.Wrap(alter(inner)))
	t.Cleanup(func() { dev.Close() })
	return dev, func() (spans []event) {
		trace.Flush()
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var all []event
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(all, func(e event) bool { return e.Ph != "X" })
	}
}

func same(d backend.Device) backend.Device { return d }

const workers, rounds = 6, 60

// work adds on many goroutines and compares the results.
func work(t *testing.T, dev *weft.Device) {
	t.Helper()
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range rounds {
				x, err := weft.FromSlice(dev, []float32{float32(w), float32(i)})
				if err != nil {
					t.Error(err)
					return
				}
				y, err := ops.Add(x, x)
				if err != nil {
					t.Error(err)
					return
				}
				if i%20 == 0 {
					if got, err := weft.ToSlice[float32](y); err != nil || got[0] != float32(2*w) || got[1] != float32(2*i) {
						t.Errorf("2·[%d %d] is %v, %v", w, i, got, err)
					}
				}
				x.Close()
				y.Close()
			}
		})
	}
	wg.Wait()
	if err := dev.Synchronize(); err != nil {
		t.Error(err)
	}
}

func TestEveryLaunchOfManyGoroutinesIsNoted(t *testing.T) {
	dev, read := traced(t, same)
	work(t, dev)
	var device []event
	launches := 0
	for _, e := range read() {
		switch {
		case e.Pid != int(trace.Host):
			device = append(device, e)
		case e.Cat == "kernel":
			launches++
		}
	}
	kernels := 0
	slices.SortFunc(device, func(a, b event) int {
		if a.TS != b.TS {
			return int(1e6 * (a.TS - b.TS))
		}
		return int(1e6 * (a.Dur - b.Dur))
	})
	for i, e := range device {
		if e.Cat == "kernel" {
			kernels++
		}
		if i > 0 && e.TS < device[i-1].TS+device[i-1].Dur-0.002 {
			t.Errorf("%+v begins before %+v ends, in one queue", e, device[i-1])
		}
	}
	if launches != workers*rounds || kernels != launches {
		t.Errorf("%d launches and %d kernels, want %d", launches, kernels, workers*rounds)
	}
}

// timeless is a device without timestamps.
type timeless struct{ backend.Device }

type timelessStream struct{ backend.Stream }

func (d timeless) Stream() backend.Stream { return timelessStream{d.Device.Stream()} }

func (timelessStream) Record() (backend.Event, error) {
	return nil, fault.New(fault.ErrUnsupported, "record", "no timestamps")
}

func TestWithoutTimestampsTheHostIsNoted(t *testing.T) {
	dev, read := traced(t, func(d backend.Device) backend.Device { return timeless{d} })
	work(t, dev)
	for _, e := range read() {
		if e.Pid != int(trace.Host) {
			t.Fatalf("%+v has a time of the device", e)
		}
	}
}

// Errors, recordings and events are those of the device itself.
func TestTheDeviceIsAsItWas(t *testing.T) {
	dev, read := traced(t, same)
	x, err := weft.FromSlice(dev, []float32{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	y, err := weft.Empty(dev, weft.F32, 3)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := dev.Capture(func(rec *weft.Recorder) error { return ops.AddInto(y, rec.Use(x), x) })
	if err != nil {
		t.Fatal(err)
	}
	took, err := dev.Time(func() error {
		for range 3 {
			if err := rec.Replay(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || took <= 0 {
		t.Errorf("three replays took %v, %v", took, err)
	}
	if got, err := weft.ToSlice[float32](y); err != nil || !slices.Equal(got, []float32{2, 4, 6}) {
		t.Errorf("%v, %v", got, err)
	}
	kernels := 0
	for _, e := range read() {
		if e.Pid != int(trace.Host) && strings.HasPrefix(e.Name, "add ") {
			kernels++
		}
	}
	if kernels != 3 {
		t.Errorf("%d kernels of three replays", kernels)
	}
	if err := rec.Close(); err != nil {
		t.Error(err)
	}
	if s := dev.MemoryStats(); s.Budget > 0 && s.Pooled != 0 {
		t.Errorf("open tensors wait in the pool: %+v", s)
	}
	x.Close()
	if s := dev.MemoryStats(); s.Budget > 0 && s.Pooled == 0 {
		t.Errorf("the pool does not know traced buffers: %+v", s)
	}
	if err := dev.Close(); err != nil {
		t.Error(err)
	}
	if _, err := ops.Add(y, y); err == nil {
		t.Error("a closed device launches")
	}
}
