package measure

import (
	"context"
	"errors"
	"fmt"
	"time"

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
var ErrNone = errors.New("does not have this work")

// Options says how to measure.
type Options struct {
	Budget time.Duration // for the samples of one work by one contender
	Warm   bool          // caches may hold the operands
}

// Run has every contender do the works of its size, work by work, and hands out each result as soon as it is
// there, failures included. works lists the works of a size.
//
// Errors: the context's, when it has ended, and those of emit.
func Run(ctx context.Context, contenders []Contender, works func(suite.Size) []suite.Work, emit func(result.Result) error) error {
	for _, size := range sizes(contenders) {
		for _, w := range works(size) {
			for _, c := range contenders {
				if c.Size() != size {
					continue
				}
				r, err := one(ctx, c, w)
				switch {
				case ctx.Err() != nil:
					return ctx.Err()
				case errors.Is(err, ErrNone):
					continue
				}
				if err := emit(r); err != nil {
					return err
				}
			}
		}
	}
	return nil
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

// one is the result of one work by one contender. A contender that panics has failed that work.
func one(ctx context.Context, c Contender, w suite.Work) (r result.Result, err error) {
	r = c.Describe()
	r.Work, r.Op, r.Sets, r.Series, r.X = w.Name, w.Op, w.Sets, w.Series, w.X
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
	r.Seconds, r.Batch, r.Copies, r.Config = t.Seconds, t.Batch, t.Copies, t.Config
	return r, err
}
