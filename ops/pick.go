package ops

import (
	"iter"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// trials make what a race of a problem's configs runs on; results are right if they are those of the rule's config. (A method, not a
// function: what races run asks for configs itself.)
type trials[P, C comparable] interface {
	Trial(p P, r *trialTensors, rule C) (*tune.Trial[C], error)
}

// search is the space of problems of a type with their trials.
type search[P kernels.Problem[P, C], C comparable, T trials[P, C]] struct{ *tune.Space[P, C] }

func space[T trials[P, C], P kernels.Problem[P, C], C comparable](op string) search[P, C, T] {
	return search[P, C, T]{&tune.Space[P, C]{
		Op:     op,
		List:   func(caps target.Caps, p P) iter.Seq[C] { return slices.Values(p.List(caps)) },
		Legal:  func(caps target.Caps, p P, c C) error { return p.Legal(caps, c) },
		Rule:   func(caps target.Caps, p P) C { return p.Rule(caps) },
		Work:   func(caps target.Caps, p P, c C) tune.Work { return p.Work(caps, c) },
		Needs:  func(caps target.Caps, p P) tune.Needs { return p.Needs(caps) },
		Bucket: func(p P) P { return p.Bucket() },
		Kernel: func(_ target.Caps, p P, c C) (*tile.Func, error) { return p.Kernel(c) },
	}}
}

func (s search[P, C, T]) trial(p P, r *trialTensors, rule C) (*tune.Trial[C], error) {
	var t T
	return t.Trial(p, r, rule)
}

// pick is the config for a problem on a device, for which every launch asks: see package tune.
func pick[P kernels.Problem[P, C], C comparable, T trials[P, C]](s search[P, C, T], dev *weft.Device, p P) C {
	if c, ok := s.Known(dev.Caps(), p); ok {
		return c
	}
	return choose(s, dev, p)
}

// choose is pick for a problem that is new to the process.
func choose[P kernels.Problem[P, C], C comparable, T trials[P, C]](s search[P, C, T], dev *weft.Device, p P) C {
	return s.PickOrTune(dev, p, func() (*tune.Trial[C], error) {
		r := &trialTensors{dev: dev}
		trial, err := s.trial(p, r, s.Rule(dev.Caps(), p))
		if err != nil {
			r.close()
			return nil, err
		}
		trial.Flush, trial.Close = r.flusher(), r.close
		return trial, nil
	})
}

// viewOf is a tensor's layout as a part of a problem.
func viewOf(l layout.Layout) tune.View { return tune.ViewOf(l) }
