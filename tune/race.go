package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/logging"
)

// race finds the fastest of some configs.
//
// All of them are run and checked once. Then they are timed in rounds: in each, those that are left
// alternate, one run each, and the slower half is dropped, by the medians of all their samples.
// So whatever disturbs the machine for a while disturbs all of them, and time goes to
// those that are hard to tell apart. (This is successive halving: Jamieson and Talwalkar, Non-stochastic
// Best Arm Identification and Hyperparameter Optimization, 2016.) The rule's choice stays to the end, and a
// config that is not faster than it by more than a hundredth does not replace it.
//
// A config that is right once may not be right again, and one that computes nothing is the fastest. So each is checked a
// second time after it was timed, the winner once more after the rounds, both on operands with other numbers, and times that are
// shorter than any config can take drop it.
type race[C comparable] struct {
	Options
	ctx         context.Context
	dev         Device
	op, problem string
	trial       *Trial[C]
	field       []*runner[C]
	least       time.Duration // that a config can take, by part of the machine
	part        string
	steps       int           // done
	pending     chan struct{} // closed when a config that was given up comes back
}

// runner is a config in a race.
type runner[C any] struct {
	config      C
	rule, model bool
	tried       bool // asked for
	samples     []time.Duration
	dropped     string // why it is out of the race, before it was measured in full
	out         bool   // of the race, by a round's result or for a reason
}

// rounds are how many samples each config gives in each round.
var rounds = []int{3, 4, 6, 8, 10, 12, 16}

// margin is how much faster than the rule's choice another one must be.
const margin = 0.01

// errGivenUp is for a config that does not come back.
var errGivenUp = errors.New("it took longer than the timeout")

// median is 0 without samples.
func (r *runner[C]) median() time.Duration {
	if len(r.samples) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(r.samples))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// drop takes a config out of the race for a reason.
func (r *race[C]) drop(c *runner[C], reason string) {
	c.dropped, c.out = reason, true
	logging.Logger().Info("config dropped", "op", r.op, "problem", r.problem, "config", WordsOf(c.config), "reason", reason)
}

// left are the configs in the race.
func (r *race[C]) left() (list []*runner[C]) {
	for _, c := range r.field {
		if !c.out {
			list = append(list, c)
		}
	}
	return list
}

// warmUp runs every config until it is compiled, checks its result and takes one time. Then it checks all of them again, and
// drops those that are far too slow.
func (r *race[C]) warmUp() error {
	var best time.Duration
	first := map[*runner[C]]time.Duration{}
	for i, c := range r.field {
		if c.out { // refused before
			continue
		}
		var took time.Duration
		err := r.step(func() error { return r.check(c.config) })
		if err == nil {
			err = r.step(func() (err error) { took, err = r.twice(c.config); return err })
		}
		if stop := r.failed(c, err); stop != nil {
			return stop
		}
		if err == nil {
			first[c] = took
			if best == 0 || took < best {
				best = took
			}
		}
		r.report("compile", i+1, len(r.field), best)
	}
	if err := r.checkAgain(r.left()); err != nil {
		return err
	}
	r.dropSlow(first)
	return nil
}

// dropSlow drops the configs that are far too slow by their first times. Those that are impossible say nothing of the others.
func (r *race[C]) dropSlow(first map[*runner[C]]time.Duration) {
	var best time.Duration
	for _, c := range r.left() {
		if took := first[c]; r.impossible(took) == "" && (best == 0 || took < best) {
			best = took
		}
	}
	for _, c := range r.left() {
		if took := first[c]; best > 0 && float64(took) > r.Slow*float64(best) && !c.rule {
			r.drop(c, fmt.Sprintf("far too slow: %v, the fastest takes %v", took, best))
		}
	}
}

// checkAgain checks configs that were timed meanwhile, on other numbers, and drops those that are wrong.
func (r *race[C]) checkAgain(list []*runner[C]) error {
	if r.trial.Renew != nil {
		if err := r.step(r.trial.Renew); err != nil {
			return r.stopped(err)
		}
	}
	for _, c := range list {
		err := r.step(func() error { return r.check(c.config) })
		if errors.Is(err, ErrWrong) {
			err = fmt.Errorf("right at first, not after it was timed: %w", err)
		}
		if stop := r.failed(c, err); stop != nil {
			return stop
		}
	}
	return nil
}

// decide holds rounds until there is a winner that is right once more after them. Where one is not, all others take part again,
// since it may have driven out the best of them.
func (r *race[C]) decide() error {
	for {
		if err := r.run(); err != nil || !r.measured() {
			return err
		}
		best := r.rank()
		if err := r.checkAgain([]*runner[C]{best}); err != nil || best.dropped == "" {
			return err
		}
		for _, c := range r.field {
			c.out = c.dropped != ""
		}
	}
}

// run holds the rounds.
func (r *race[C]) run() error {
	for _, c := range r.left() { // clocks sink while the host compiles and checks
		if stop := r.failed(c, r.step(func() error { return r.trial.Run(c.config) })); stop != nil {
			return stop
		}
	}
	for round, samples := range rounds {
		field := r.left()
		if len(field) == 0 || len(field) == 1 && round > 0 {
			return nil
		}
		total := r.steps + r.ahead(round, len(field))
		for range samples {
			for _, c := range field {
				if c.out { // failed meanwhile
					continue
				}
				var took time.Duration
				err := r.step(func() (err error) { took, err = r.time(c.config); return err })
				if stop := r.failed(c, err); stop != nil {
					return stop
				}
				if err == nil {
					c.samples = append(c.samples, took)
				}
				r.report("measure", r.steps, total, r.best())
			}
		}
		r.eliminate()
	}
	return nil
}

// eliminate drops what reports impossible times, and of the others the slower half.
func (r *race[C]) eliminate() {
	r.dropImpossible()
	field := r.left()
	slices.SortStableFunc(field, func(a, b *runner[C]) int { return cmp.Compare(a.median(), b.median()) })
	for _, c := range field[(len(field)+1)/2:] {
		c.out = !c.rule
	}
}

// check and time are one step each for one config.
func (r *race[C]) check(c C) error {
	if r.trial.Check != nil {
		return r.trial.Check(c)
	}
	return r.trial.Run(c)
}

// twice is the shorter one of two times.
func (r *race[C]) twice(c C) (time.Duration, error) {
	once, err := r.time(c)
	if err != nil {
		return 0, err
	}
	again, err := r.time(c)
	return min(once, again), err
}

func (r *race[C]) time(c C) (time.Duration, error) {
	if r.trial.Flush != nil {
		if err := r.trial.Flush(); err != nil {
			return 0, err
		}
	}
	return r.dev.Time(func() error { return r.trial.Run(c) })
}

// step does something that may take forever.
func (r *race[C]) step(f func() error) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	r.steps++
	done, result := make(chan struct{}), error(nil)
	go func() {
		defer close(done)
		result = f()
	}()
	timeout := time.NewTimer(r.Timeout)
	defer timeout.Stop()
	select {
	case <-done:
		return result
	case <-r.ctx.Done():
		r.pending = done
		return r.ctx.Err()
	case <-timeout.C:
		r.pending = done
		return errGivenUp
	}
}

// failed drops a config that failed. It returns an error if the race cannot go on.
func (r *race[C]) failed(c *runner[C], err error) (stop error) {
	switch {
	case err == nil:
		return nil
	case r.ctx.Err() != nil:
		return r.stopped(err)
	case errors.Is(err, errGivenUp):
		r.drop(c, fmt.Sprintf("no result within %v", r.Timeout))
		return fault.New(fault.ErrUnsupported, "tune "+r.op, "the device is still busy with %+v", c.config).Because(err)
	case errors.Is(err, fault.ErrDeviceLost), errors.Is(err, fault.ErrClosed):
		r.drop(c, err.Error())
		return fault.New(fault.ErrDeviceLost, "tune "+r.op, "the device was lost while %+v ran", c.config).Because(err)
	}
	r.drop(c, err.Error())
	return nil
}

// stopped is the error of a race that ends since a step on no config in particular failed, or since it is interrupted.
func (r *race[C]) stopped(err error) error {
	switch {
	case r.ctx.Err() != nil:
		return &fault.Error{Op: "tune " + r.op, Msg: "interrupted", Err: context.Cause(r.ctx)}
	case errors.Is(err, fault.ErrClosed):
		return fault.New(fault.ErrDeviceLost, "tune "+r.op, "the device was lost between configs").Because(err)
	}
	return err
}

// measured reports whether every config that is not dropped was timed, so that there is a result.
func (r *race[C]) measured() bool {
	any := false
	for _, c := range r.field {
		if c.dropped == "" && len(c.samples) == 0 {
			return false
		}
		any = any || c.dropped == ""
	}
	return any
}

// rank sorts the field: the winner, those that were measured as long as it and less, and those that
// were dropped.
func (r *race[C]) rank() *runner[C] {
	slices.SortStableFunc(r.field, func(a, b *runner[C]) int {
		if (a.dropped != "") != (b.dropped != "") {
			return cmp.Compare(len(a.dropped), len(b.dropped)) // one of them is empty
		}
		return cmp.Or(cmp.Compare(boolInt(a.out), boolInt(b.out)), cmp.Compare(a.median(), b.median()))
	})
	best := r.field[0]
	for i, c := range r.field {
		if c.rule && c.dropped == "" && float64(c.median()) <= (1+margin)*float64(best.median()) {
			r.field = slices.Insert(slices.Delete(r.field, i, i+1), 0, c)
			return c
		}
	}
	return best
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// best is the shortest median so far.
func (r *race[C]) best() (best time.Duration) {
	for _, c := range r.field {
		if m := c.median(); c.dropped == "" && m > 0 && (best == 0 || m < best) {
			best = m
		}
	}
	return best
}

// ahead is the number of steps from a round on, if nothing fails.
func (r *race[C]) ahead(round, field int) (n int) {
	for i, samples := range rounds[round:] {
		if field == 1 && round+i > 0 {
			break
		}
		n += samples * field
		field = (field + 1) / 2
	}
	return n
}

func (r *race[C]) report(phase string, done, total int, best time.Duration) {
	if r.Progress != nil {
		r.Progress(Progress{Op: r.op, Problem: r.problem, Phase: phase, Done: done, Total: max(done, total), Left: len(r.left()), Best: best})
	}
}

// close frees the tensors once nothing uses them.
func (r *race[C]) close() {
	switch {
	case r.trial.Close == nil:
	case r.pending == nil:
		r.trial.Close()
	default:
		go func() {
			<-r.pending
			r.trial.Close()
		}()
	}
}
