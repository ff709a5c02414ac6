package compile

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/tile"
)

// A schedule beyond what is possible, on the device or at all, is an error with the line of the Schedule call, and no long computation.
func TestSchedulesBeyondLimits(t *testing.T) {
	dev := newRecorder()
	dev.caps.MaxThreads, dev.caps.MaxGrid = 256, [3]int{100, 50, 10}
	c := New(dev)
	for _, test := range []struct {
		schedule tile.Schedule
		kind     error
		text     string
	}{
		{tile.Schedule{Threads: 512}, fault.ErrLimit, "512 threads in a workgroup, the device has 256"},
		{tile.Schedule{Threads: 1 << 20}, fault.ErrLimit, "1048576 threads"},
		{tile.Schedule{Threads: 1 << 40}, fault.ErrLimit, "1099511627776 threads"},
		{tile.Schedule{Threads: 24}, fault.ErrKernel, "24 threads, want a power of two"},
		{tile.Schedule{Stages: -1}, fault.ErrKernel, "-1 stages"},
		{tile.Schedule{Stages: 65}, fault.ErrKernel, "65 stages, want 0 to 64"},
		{tile.Schedule{Stages: 1 << 14}, fault.ErrKernel, "16384 stages, want 0 to 64"},
		{tile.Schedule{Producers: 2}, fault.ErrKernel, "2 producers"},
		{tile.Schedule{Consumers: 2}, fault.ErrKernel, "2 consumer warpgroups with 0 producers"},
		{tile.Schedule{InFlight: 3}, fault.ErrKernel, "InFlight is 3, want 0 to 2 iterations"},
		{tile.Schedule{Producers: 1, Cluster: 3}, fault.ErrKernel, "clusters of 3"},
		{tile.Schedule{Resident: 33}, fault.ErrKernel, "Resident is 33, want 0 to 32 workgroups"},
		{tile.Schedule{SplitK: 1 << 29}, fault.ErrLimit, "grid [4 1 536870912] has more than 2^31-1 programs"},
		{tile.Schedule{SplitK: 1 << 28}, fault.ErrLimit, "programs, the device launches"},
		{tile.Schedule{SplitK: 1 << 31}, fault.ErrKernel, "a split into 2147483648"},
		{tile.Schedule{Order: tile.Order{Kind: tile.GroupedRows, Group: 1 << 31}}, fault.ErrKernel, "a group of 2147483648"},
	} {
		var line int
		k, err := tile.Build("scheduled", func(k *tile.Builder) {
			x, y := k.In("x", dtype.F32, 2), k.Out("y", dtype.F32, 2)
			_, _, line, _ = runtime.Caller(0)
			k.Schedule(test.schedule) // one line below
			row, _ := k.TileID(k.CDiv(y.Dim(0), 4), 1)
			sum := k.Var(k.Zeros(dtype.F32, 4, 1))
			for i := range k.SplitRange(k.CDiv(x.Dim(1), 8)) {
				sum.Set(sum.Get().Add(x.Block(4, 8).Load(row, i).Sum(1)))
			}
			y.Block(4, 1).Accumulate(sum.Get(), row, 0)
		})
		start := time.Now()
		if err == nil {
			err = c.Launch(k, []Arg{arg(t, &buffer{bytes: 1 << 20}, 16, 40), arg(t, &buffer{bytes: 1 << 20}, 16, 1)}, nil)
		}
		var f *fault.Error
		if want := fmt.Sprintf("compile/schedule_test.go:%d", line+1); !errors.Is(err, test.kind) || !errors.As(err, &f) || f.Pos != want || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%v: error %v\nwant %v at %s with %q", test.schedule, err, test.kind, want, test.text)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%v: %v until the error", test.schedule, took)
		}
	}
}
