package cpu

import (
	"sync/atomic"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/tile/interp"
)

// sequence is launches that are bound once and run as one piece of work.
type sequence struct {
	work
	steps  []backend.Step // to see that nothing of theirs is closed
	closed atomic.Bool
}

// Sequence binds the launches.
func (s stream) Sequence(steps []backend.Step) (backend.Sequence, error) {
	q := &sequence{work: work{device: s.d}}
	for _, step := range steps {
		l := new(interp.Launch)
		_, empty, err := q.bind(l, step.Program, step.Launch)
		if err != nil {
			return nil, err
		}
		if empty {
			continue
		}
		q.work.steps = append(q.work.steps, l)
		step.Launch.Buffers = append([]backend.Buffer(nil), step.Launch.Buffers...)
		q.steps = append(q.steps, step)
	}
	return q, nil
}

// Launch queues the sequence.
func (q *sequence) Launch() error {
	if q.closed.Load() {
		return errClosed("launch", "the sequence")
	}
	for _, s := range q.steps {
		if s.Program.(*program).closed.Load() {
			return errClosed("launch", "a program of the sequence")
		}
		for _, b := range s.Launch.Buffers {
			if b.(*buffer).data.Load() == nil {
				return errClosed("launch", "a buffer of the sequence")
			}
		}
	}
	return q.device.enqueue("launch", &q.work)
}

// Close gives the sequence up; what is queued of it still runs.
func (q *sequence) Close() error { q.closed.Store(true); return nil }
