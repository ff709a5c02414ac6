package cpu

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/tile/interp"
)

// sequence is launches that are bound once and run as one piece of work.
type sequence struct {
	work
	uses   [][]*buffer // of each step, to see that none is closed
	closed atomic.Bool
}

// Sequence binds the launches.
func (s stream) Sequence(steps []backend.Step) (backend.Sequence, error) {
	if slices.ContainsFunc(steps, func(s backend.Step) bool { return s.Work != nil }) {
		return backend.Loop(s, steps), nil
	}
	q := &sequence{work: work{device: s.d}}
	for _, from := range steps {
		l := new(step)
		_, empty, err := q.bind(l, from.Program, from.Launch)
		if err != nil {
			return nil, err
		}
		if empty {
			continue
		}
		q.steps = append(q.steps, l)
		q.uses = append(q.uses, slices.Clone(q.bound))
	}
	return q, nil
}

// Launch queues the sequence.
func (q *sequence) Launch() error {
	if q.closed.Load() {
		return backend.Closed("launch", "sequence")
	}
	for i, s := range q.steps {
		if err := backend.OpenLaunch(s.program, q.uses[i]); err != nil {
			return err
		}
	}
	r := replays.Get().(*replay)
	r.work, r.stop = &q.work, q.device.stop.Load()
	if err := q.device.enqueue("launch", r); err != nil {
		r.done()
		return err
	}
	return nil
}

// replay is one queued launch of a sequence. It is used again.
type replay struct {
	work *work
	stop *interp.Stop
}

var replays = sync.Pool{New: func() any { return new(replay) }}

func (r *replay) run() {
	for _, s := range r.work.steps {
		s.Stop = r.stop
	}
	r.work.run()
	r.done()
}

func (r *replay) done() {
	r.work, r.stop = nil, nil
	replays.Put(r)
}

// Close gives the sequence up; what is queued of it still runs.
func (q *sequence) Close() error { q.closed.Store(true); return nil }
