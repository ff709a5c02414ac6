package tune

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/logging"
	"github.com/weftgpu/weft/target"
)

// Device is what a race needs of a device; a *weft.Device is one.
type Device interface {
	Caps() target.Caps
	// Time returns the device time that the work started by f takes.
	Time(f func() error) (time.Duration, error)
}

// Trial is what a race runs on: tensors of its own, which stand for those of a problem.
type Trial[C any] struct {
	// Run starts the work once, by a config.
	Run func(c C) error
	// Check runs the work by a config on outputs that hold something else and compares them with
	// what they should be; nil takes every result for right. An error that wraps ErrWrong says that
	// they differ.
	Check func(c C) error
	// Renew draws other numbers for the operands, which the next Checks use and compare with: it is called before configs are
	// checked once more. nil leaves them.
	Renew func() error
	// Flush starts work that empties the device's caches, before each Run that is timed, so
	// that operands come from memory as they do when other work has run before. nil leaves them
	// where they are.
	Flush func() error
	// Close frees the tensors. It is called when nothing uses them any longer.
	Close func()
}

// FlushBytes are more than the second-level cache of any GPU holds: Flush has to write so many.
const FlushBytes = 128 << 20

// ErrWrong is what Check says of a result that differs from what it should be by more than
// its bound.
var ErrWrong = errors.New("wrong result")

// ErrNotNow is what making a Trial says where there can be no race at the moment, as while launches are recorded: another
// launch for the problem may try again.
var ErrNotNow = errors.New("not now")

// Result is how a race ended.
type Result[C any] struct {
	Best  C
	Entry Entry
}

// racing is held while a race runs: there is one at a time, whatever the device, since they
// share the host.
var racing sync.Mutex

// Tune races configs for a problem, stores the result for those that Pick for problems like
// it, and returns it. A config that fails is dropped and never an error.
//
// Errors: what made trial fail, such as fault.ErrOutOfMemory; ctx's if it was done before the
// end; fault.ErrDeviceLost and fault.ErrClosed; fault.ErrUnsupported if no config is left, or one takes longer than
// Timeout. What was measured until then is stored, if all configs of the race were measured
// once, and returned with the error.
func (s *Space[P, C]) Tune(ctx context.Context, dev Device, p P, trial func() (*Trial[C], error), o Options) (Result[C], error) {
	for _, x := range []struct {
		name, what string
		missing    bool
	}{{"s", "space", s == nil}, {"ctx", "context", ctx == nil}, {"dev", "device", dev == nil}, {"trial", "function", trial == nil}} {
		if x.missing {
			return Result[C]{}, fault.New(fault.ErrArgument, "tune", "the %s is nil", x.what).For(x.name)
		}
	}
	racing.Lock()
	defer racing.Unlock()
	return s.tune(ctx, dev, p, trial, o.withDefaults())
}

// tuneOnce races for a launch, unless a race is running: then the launch may be a part of
// that very race. ran reports whether there is a result.
func (s *Space[P, C]) tuneOnce(a *auto, dev Device, p P, trial func() (*Trial[C], error)) (c C, ran bool) {
	if !racing.TryLock() {
		return c, false
	}
	defer racing.Unlock()
	r, err := s.tune(a.ctx, dev, p, trial, a.Options)
	a.done.Store(s.raced(a, dev.Caps(), p), true)
	switch {
	case err == nil:
		return r.Best, true
	case a.ctx.Err() == nil && !errors.Is(err, ErrNotNow): // or else it is not the problem's fault
		s.fail(dev.Caps(), p)
		if a.Failed != nil && r.Entry.Op == "" {
			a.Failed(err)
		}
	}
	logging.Logger().Info("not tuned", "op", s.Op, "problem", fmt.Sprintf("%+v", p), "error", err)
	return c, false
}

func (s *Space[P, C]) tune(ctx context.Context, dev Device, p P, newTrial func() (*Trial[C], error), o Options) (result Result[C], err error) {
	r := &race[C]{ctx: ctx, dev: dev, Options: o, op: s.Op}
	problem, err := json.Marshal(p)
	if err != nil {
		return result, fault.New(fault.ErrUnsupported, "tune "+s.Op, "the problem cannot be written as JSON").Because(err)
	}
	r.problem = string(problem)
	r.field = s.field(dev.Caps(), p, o.Trials)
	for _, c := range s.tried(dev.Caps(), p, o.Try) {
		if i := slices.IndexFunc(r.field, func(other *runner[C]) bool { return other.config == c.config }); i >= 0 {
			r.field[i].tried = true
		} else {
			r.field = append(r.field, c)
		}
	}
	if len(r.field) == 0 {
		return result, fault.New(fault.ErrUnsupported, "tune "+s.Op, "no config is legal for %s", problem)
	}
	if r.trial, err = newTrial(); err != nil {
		return result, err
	}
	if s.Needs != nil {
		r.least, r.part = ModelFor(dev.Caps()).Bound(s.Needs(dev.Caps(), p))
	}
	defer r.close()
	defer changed() // choices made meanwhile were made without the result
	if err = r.warmUp(); err == nil {
		err = r.decide()
	}
	r.dropImpossible() // what was measured until an interruption
	if !r.measured() {
		if err == nil {
			err = fault.New(fault.ErrUnsupported, "tune "+s.Op, "none of %d configs works for %s", len(r.field), problem)
		}
		return result, err
	}
	best := r.rank()
	entry, e := s.entry(dev.Caps(), p, r.field, err != nil, o.Exact)
	if e != nil {
		return result, errors.Join(err, e)
	}
	keep(&entry)
	logging.Logger().Info("tuned", "op", s.Op, "problem", r.problem, "config", string(entry.Config), "time", best.median(), "partial", entry.Partial)
	if o.Done != nil {
		o.Done(entry)
	}
	return Result[C]{best.config, entry}, err
}

// field lists the configs that take part: the rule's choice, and then those that the model ranks
// first. Illegal ones are not among them.
func (s *Space[P, C]) field(caps target.Caps, p P, most int) (list []*runner[C]) {
	seen := map[C]bool{}
	add := func(c C, rule, model bool) {
		if seen[c] {
			return
		}
		seen[c] = true
		if err := s.legal(caps, p, c); err != nil {
			logging.Logger().Debug("config refused", "op", s.Op, "config", WordsOf(c), "reason", err)
			return
		}
		list = append(list, &runner[C]{config: c, rule: rule, model: model})
	}
	ranked := s.Rank(caps, p)
	if s.Rule != nil {
		c := s.Rule(caps, p)
		add(c, true, len(ranked) > 0 && ranked[0] == c)
	}
	for i, c := range ranked {
		if most >= 0 && len(list) >= most {
			break
		}
		add(c, false, i == 0)
	}
	return list
}

// tried lists the configs that are asked for by the fields in which they differ from the choice without tuning.
func (s *Space[P, C]) tried(caps target.Caps, p P, fields []json.RawMessage) (list []*runner[C]) {
	for _, text := range fields {
		r := &runner[C]{config: s.Default(caps, p), tried: true}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&r.config); err != nil {
			logging.Logger().Info("no config of the op", "op", s.Op, "fields", string(text), "error", err)
			continue
		}
		if err := s.legal(caps, p, r.config); err != nil {
			r.dropped, r.out = err.Error(), true
		}
		list = append(list, r)
	}
	return list
}

// entry is what is stored of a race.
func (s *Space[P, C]) entry(caps target.Caps, p P, field []*runner[C], partial, exact bool) (e Entry, err error) {
	list, err := s.keys(caps, p)
	if err != nil {
		return e, err
	}
	e = Entry{Key: list[len(list)-1], Caps: caps, Measured: list[0].Problem, Partial: partial, Time: time.Now().UTC().Truncate(time.Second)}
	if exact {
		e.Key = list[0]
	}
	for _, r := range field {
		text, err := json.Marshal(r.config)
		if err != nil {
			return e, err
		}
		t := Timing{Config: text, Median: r.median(), Samples: len(r.samples), Dropped: r.dropped, Rule: r.rule, Model: r.model, Tried: r.tried}
		if best := field[0]; s.Work != nil && r.dropped == "" && float64(r.median()) > (1+margin)*float64(best.median()) {
			t.Why = ModelFor(caps).why(s.Work(caps, p, r.config), s.Work(caps, p, best.config))
		}
		e.Timings = append(e.Timings, t)
	}
	e.Config = e.Timings[0].Config
	e.Kernel, err = s.kernelHash(caps, p, field[0].config)
	return e, err
}
