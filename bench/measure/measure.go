package measure

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/bench/result"
	"github.com/weftgpu/weft/bench/suite"
)

// Contender does works: a device of weft, or another library.
type Contender interface {
	// Describe names the contender in a result: Who, Device, Driver and Kind.
	Describe() result.Result
	// Size is how large works are to be for it.
	Size() suite.Size
	// Measure checks a work and times it. Errors wrap ErrNone if it does not have the op.
	Measure(ctx context.Context, w suite.Work) (Timing, error)
}

// ErrNone is what a contender says to a work that it cannot do. It makes no result.
var ErrNone = errors.New("it does not do this work")

// Options says how to measure.
type Options struct {
	Budget time.Duration // for the samples of one work by one contender
	Warm   bool          // caches may hold the operands
	// ClockHeld says that GPUs keep their clock while they idle, as NVIDIA's do as long as a CUDA context exists, in
	// this process or another: Vulkan and WebGPU alone do not hold it.
	ClockHeld bool
}

// Run is one run of the benchmark.
type Run struct {
	Contenders []Contender
	Works      func(suite.Size) []suite.Work // of a size
	Version    string                        // of what is measured
	// Rounds is how many times the contenders alternate at a work, 1 at least: what a GPU is clocked at depends on
	// the heat of the work before, which so becomes the same for all.
	Rounds int
	// Emit gets each result as soon as it is there, failures included.
	Emit func(result.Result) error
	// Warn is told what went wrong without costing a result. Progress is told what is done next. Both may be nil.
	Warn     func(error)
	Progress func(done, total int, next string)
}

// Do measures the roofline of each machine, and then has every contender do the works of its size, work by work.
//
// Errors: the context's, when it has ended, and those of Emit.
func (r Run) Do(ctx context.Context) error {
	ceilings, err := roofline(ctx, r.Contenders, r.Works)
	if err != nil && r.Warn != nil {
		r.Warn(err)
	}
	done, total := 0, 0
	for _, c := range r.Contenders {
		total += len(r.Works(c.Size()))
	}
	for _, size := range sizes(r.Contenders) {
		for _, w := range r.Works(size) {
			var attempts []measured
			for _, c := range r.Contenders {
				if c.Size() != size || ctx.Err() != nil {
					continue
				}
				if r.Progress != nil {
					r.Progress(done, total, w.Name)
				}
				done++
				res, err := attempt(ctx, c, w)
				if !errors.Is(err, ErrNone) && ctx.Err() == nil {
					attempts = append(attempts, measured{c, res})
				}
			}
			r.again(ctx, w, attempts)
			for _, t := range attempts {
				known := ceilings[t.res.Machine()]
				t.res.Version, t.res.Bandwidth, t.res.Peak = r.Version, known.Bandwidth, known.Peaks[w.Unit]
				if t.res.Kind != backend.GPU.String() {
					t.res.Cores = runtime.GOMAXPROCS(0)
				}
				if err := r.Emit(t.res); err != nil {
					return err
				}
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return ctx.Err()
}

// measured is what a contender measured.
type measured struct {
	c   Contender
	res result.Result
}

// again adds the samples of the further rounds. Who fails in one has failed.
func (r Run) again(ctx context.Context, w suite.Work, attempts []measured) {
	for range r.Rounds - 1 {
		for i := range attempts {
			res := &attempts[i].res
			if res.Error != "" || ctx.Err() != nil {
				continue
			}
			more, _ := attempt(ctx, attempts[i].c, w)
			if ctx.Err() == nil {
				res.Error, res.Seconds = more.Error, append(res.Seconds, more.Seconds...)
				slices.Sort(res.Seconds)
			}
		}
	}
}

func sizes(contenders []Contender) (list []suite.Size) {
	for _, s := range []suite.Size{suite.Full, suite.Small, suite.Tiny} {
		for _, c := range contenders {
			if c.Size() == s {
				list = append(list, s)
				break
			}
		}
	}
	return list
}

// attempt is the result of one work by one contender. A contender that panics has failed that work.
func attempt(ctx context.Context, c Contender, w suite.Work) (r result.Result, err error) {
	r = c.Describe()
	r.Work, r.Op, r.Family, r.Sets, r.Series, r.X = w.Name, w.Op, w.Family(), w.Sets, w.Series, w.X
	r.Bytes, r.Flop, r.Unit = w.Bytes, w.Flop, w.Unit
	r.Date = time.Now().UTC().Format(time.RFC3339)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
		if err != nil {
			r.Error = err.Error()
		}
	}()
	t, err := c.Measure(ctx, w)
	r.Seconds, r.Batch, r.Copies, r.Config, r.First, r.Kernels = t.Seconds, t.Batch, t.Copies, t.Config, t.First, t.Kernels
	r.Launches = t.Launches
	return r, err
}
