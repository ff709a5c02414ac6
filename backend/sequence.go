package backend

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/weftgpu/weft/fault"
)

// Loop is a Sequence for a stream that knows nothing better than one launch after the other. Goroutines that launch it wait for each other. A nil stream is an error of its Launch.
func Loop(s Stream, steps []Step) Sequence {
	own := slices.Clone(steps)
	for i := range own {
		l := &own[i].Launch
		*l = l.Clone()
	}
	return &loop{stream: s, steps: own}
}

type loop struct {
	stream Stream
	steps  []Step
	closed atomic.Bool
	mu     sync.Mutex // of Launch, so that no steps of another come between
}

func (l *loop) Launch() error {
	if l.closed.Load() {
		return Closed("launch", "sequence")
	}
	if l.stream == nil {
		return fault.New(fault.ErrArgument, "launch", "the stream is nil").For("s")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.steps {
		if s.Work != nil {
			if err := s.Work.Start(); err != nil {
				return err
			}
			continue
		}
		if err := l.stream.Launch(s.Program, s.Launch); err != nil {
			return err
		}
	}
	return nil
}

func (l *loop) Close() error {
	l.closed.Store(true)
	return nil
}
