package gomlx

import (
	"slices"

	"github.com/pkg/errors"

	"github.com/weftgpu/weft"
)

const (
	settled   = 2 // executions in a row with the same tensors, before the steps are captured
	maxMisses = 8 // recordings that turned out to be of no use, after which there are no more
)

// history is what an instance has seen of its executions. Tensors that are others each time, such as batches of data, are volatile:
// a recording reads copies of them.
type history struct {
	inputs   []*weft.Tensor // of the last execution
	donate   []bool
	volatile []bool
	same     int // executions in a row in which all others were the same
	misses   int
	replay   *replay
}

// replay is a recording of the steps on certain tensors.
type replay struct {
	rec     *weft.Recording
	inputs  []*weft.Tensor // that it reads: own copies of volatile ones
	results []*weft.Tensor // that it writes, nil where they take the place of an input
	takes   []int          // by result: the input whose place it takes, -1 for none
	copies  []*weft.Tensor // of volatile inputs
}

// observe compares an execution with the last one.
func (h *history) observe(inputs []*weft.Tensor, donate []bool) {
	if h.volatile == nil || !slices.Equal(h.donate, donate) {
		h.volatile, h.same = make([]bool, len(inputs)), 0
	} else {
		h.same++
		for k, t := range inputs {
			if !h.volatile[k] && t != h.inputs[k] {
				h.volatile[k], h.same = true, 0
			}
		}
	}
	h.inputs, h.donate = slices.Clone(inputs), slices.Clone(donate)
}

// ready reports whether the steps can be replayed, after it has captured them if it is time to. Steps that cannot be captured are run: if they cannot, either,
// that says why.
func (i *instance) ready(e *Executable, inputs []*weft.Tensor, donate []bool) bool {
	h := &i.history
	if h.replay != nil {
		if slices.Equal(h.donate, donate) && h.replay.fits(inputs, h.volatile) {
			return true
		}
		h.replay.close()
		h.replay = nil
		h.misses++
	}
	h.observe(inputs, donate)
	if h.same < settled || h.misses >= maxMisses || len(i.plan.steps) == 0 {
		return false
	}
	r, err := i.capture(e, inputs, donate)
	if err != nil {
		h.misses++
		return false
	}
	h.replay = r
	return true
}

// fits reports whether a recording is of the inputs.
func (r *replay) fits(inputs []*weft.Tensor, volatile []bool) bool {
	for k, t := range inputs {
		if !volatile[k] && t != r.inputs[k] {
			return false
		}
	}
	return true
}

// capture records the steps on the inputs.
func (i *instance) capture(e *Executable, inputs []*weft.Tensor, donate []bool) (_ *replay, err error) {
	r := &replay{inputs: slices.Clone(inputs), results: make([]*weft.Tensor, len(e.outputs)), takes: make([]int, len(e.outputs))}
	defer func() {
		if err != nil {
			r.close()
		}
	}()
	for k, volatile := range i.history.volatile {
		if !volatile {
			continue
		}
		if r.inputs[k], err = weft.Empty(e.backend.dev, inputs[k].DType(), inputs[k].Shape()...); err != nil {
			return nil, err
		}
		r.copies = append(r.copies, r.inputs[k])
	}
	taken := make([]bool, len(inputs))
	bound := make([]*weft.Tensor, len(e.outputs))
	for o, s := range e.plan.outputs {
		r.takes[o] = -1
		for _, k := range e.donors[o] {
			if len(donate) > 0 && donate[k] && !taken[k] && !i.history.volatile[k] && once(inputs, k) && slices.Equal(inputs[k].Shape(), e.outputs[o].Dimensions) {
				r.takes[o], taken[k], bound[o] = k, true, inputs[k]
				break
			}
		}
		if bound[o] == nil {
			if r.results[o], err = weft.Empty(e.backend.dev, s.elem, e.outputs[o].Dimensions...); err != nil {
				return nil, err
			}
			bound[o] = r.results[o]
		}
	}
	if err := i.bind(r.inputs, bound); err != nil {
		return nil, err
	}
	defer i.unbind()
	r.rec, err = e.backend.dev.Capture(func(rec *weft.Recorder) error {
		use := make([]*weft.Tensor, len(i.refs))
		for k, ref := range i.refs {
			use[k] = rec.Use(ref.tensor)
		}
		return i.steps(use)
	})
	return r, errors.WithMessage(err, "weft: capture")
}

// run replays the steps on inputs and returns the results: with an error, too, if they may be written.
func (r *replay) run(e *Executable, inputs []*weft.Tensor) ([]*weft.Tensor, error) {
	results := make([]*weft.Tensor, len(r.results))
	for o, t := range r.results {
		if t == nil {
			results[o] = inputs[r.takes[o]]
			continue
		}
		var err error
		if results[o], err = weft.Empty(e.backend.dev, t.DType(), t.Shape()...); err != nil {
			closeAll(slices.DeleteFunc(results, func(t *weft.Tensor) bool { return slices.Contains(inputs, t) }))
			return nil, err
		}
	}
	for k, t := range inputs {
		if t != r.inputs[k] {
			if err := r.inputs[k].CopyFrom(t); err != nil {
				return results, err
			}
		}
	}
	if err := r.rec.Replay(); err != nil {
		return results, err
	}
	for o, t := range r.results {
		if t == nil {
			continue
		}
		if err := results[o].CopyFrom(t); err != nil {
			return results, err
		}
	}
	return results, nil
}

// close frees what is the replay's own.
func (r *replay) close() {
	if r == nil {
		return
	}
	if r.rec != nil {
		_ = r.rec.Close()
	}
	closeAll(r.copies)
	closeAll(r.results)
}
