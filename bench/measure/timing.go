package measure

import (
	"context"
	"slices"
	"time"

	"github.com/weftgpu/weft/bench/result"
)

// Timing is the outcome of timing a work.
type Timing struct {
	Seconds []float64 // of one launch, ascending
	Batch   int       // launches after each of them
	Copies  int       // of the operands
	Config  string    // chosen for it, if that is known
	First   float64   // seconds of the first launch, with what is compiled for it, if that is known
	Kernels int       // loaded for that, which no launch before had

	Launches []result.Launch // that the work makes, if that is told
}

// The rule for samples, which peers follow too.
const (
	WarmUps    = 3 // launches at least, and one on each copy of the operands, whose memory the system may provide when it is touched first
	BatchTime  = 2 * time.Millisecond
	MostBatch  = 200
	LeastTimes = 5
	MostTimes  = 50
)

// What no cache holds, in bytes, and the most copies that are made to exceed it.
const (
	cacheOnGPU  = 256 << 20
	cacheOnHost = 64 << 20
	mostCopies  = 64
)

// CopiesOf is how many copies of operands of so many bytes are used one after another.
func (o Options) CopiesOf(bytes float64, gpu bool) int {
	cache := float64(cacheOnHost)
	if gpu {
		cache = cacheOnGPU
	}
	if o.Warm {
		return 1
	}
	return int(min(max(1, cache/max(bytes, 1)+0.5), mostCopies))
}

// Sample times batches of launches on so many copies of the operands until the budget is spent, at least one, after a warm-up that lasts as long as given. once returns how long n launches take.
//
// Errors: those of once, and the context's.
func Sample(ctx context.Context, copies int, warmUp, budget time.Duration, once func(n int) (time.Duration, error)) (t Timing, err error) {
	begin, last := time.Now(), time.Duration(0)
	for i := 0; i == 0 || i < max(WarmUps, copies) && time.Since(begin) < budget || time.Since(begin) < warmUp; i++ {
		if last, err = once(1); err != nil {
			return t, err
		}
	}
	t.Batch = int(min(max(1, BatchTime/max(last, time.Microsecond)), MostBatch))
	for start := time.Now(); len(t.Seconds) == 0 || len(t.Seconds) < MostTimes && (len(t.Seconds) < LeastTimes && time.Since(start) < 10*budget || time.Since(start) < budget); {
		if err := ctx.Err(); err != nil {
			return t, err
		}
		d, err := once(t.Batch)
		if err != nil {
			return t, err
		}
		t.Seconds = append(t.Seconds, d.Seconds()/float64(t.Batch))
	}
	slices.Sort(t.Seconds)
	return t, nil
}
