package weft

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/fault"
)

// recorder writes down the launches on certain tensors as a plan: those of one call of an op, which run meanwhile or at its end
// (Device.Memoize), or those of a capture, which do not (Device.Capture). Tensors that carry it mark the launches that belong
// to it, and so does memory that such launches were the first to use or, in a capture, have written.
type recorder struct {
	dev      *Device
	captures bool

	mu       sync.Mutex
	plan     plan
	memories []*memory // of the plan; those of a capture are held
	index    map[*memory]int
	views    []*Tensor // what stands for the operands, to be closed
	err      error     // the first of what has no error to return
	over     atomic.Bool

	// Of a call of an op:
	words   []uint32    // of the call
	numbers bool        // the call is a Map's, whose kernels' scalars are all the call's words
	uses    []uint64    // of the operands' memory when the call began
	spoilt  atomic.Bool // something happened that a plan cannot hold
	delayed delayed
}

// active is the recorder unless it is nil or over.
func (r *recorder) active() *recorder {
	if r == nil || r.over.Load() {
		return nil
	}
	return r
}

// recorder is what writes launches on the tensor down, nil for none.
func (t *Tensor) recorder() *recorder {
	if r := t.rec.active(); r != nil {
		return r
	}
	return t.mem.rec.Load().active()
}

// captureOf is the capture that one of the tensors belongs to, nil for none.
func captureOf(tensors ...*Tensor) *recorder {
	for _, t := range tensors {
		if t.there("") != nil {
			continue
		}
		if r := t.recorder(); r != nil && r.captures {
			return r
		}
	}
	return nil
}

// recorderOf is the recorder that a launch on the views belongs to, nil for none: a capture rather than a call of an op.
// Memory that is used without one is marked.
func recorderOf(views []TensorView) (r *recorder) {
	for _, v := range views {
		if q := v.Tensor.recorder(); q != nil && (r == nil || q.captures && !r.captures) {
			r = q
		}
	}
	for _, v := range views {
		if r == nil {
			v.Tensor.mem.use()
		}
	}
	return r
}

// use is a view of a tensor that carries the recorder; the recorder closes it.
func (r *recorder) use(t *Tensor) *Tensor {
	view := t.view(t.layout)
	view.rec = r
	r.mu.Lock()
	defer r.mu.Unlock()
	r.views = append(r.views, view)
	return view
}

// useAll is use for several tensors; nil stays nil.
func (r *recorder) useAll(tensors []*Tensor) []*Tensor {
	list := make([]*Tensor, len(tensors))
	for i, t := range tensors {
		if list[i] = t; t.there("") == nil {
			list[i] = r.use(t)
		}
	}
	return list
}

// useInputs is use for the tensors among a Map's inputs.
func (r *recorder) useInputs(in []TensorOrNumber) []TensorOrNumber {
	list := slices.Clone(in)
	for i, x := range in {
		if t, isTensor := x.(*Tensor); isTensor && t.there("") == nil {
			list[i] = r.use(t)
		}
	}
	return list
}

// note adds a launch. It is false once the recorder is over.
//
// Error: ErrUnsupported for memory that another capture writes.
func (r *recorder) note(p *compile.Prepared, memories []*memory, words []uint32) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over.Load() {
		return false, nil
	}
	step := planStep{kernel: p, words: slices.Clone(words)}
	if !r.captures && len(words) > 0 && (r.numbers || r.words != nil) {
		step.takes = true
		if p.GridReadsScalars() || !r.numbers && !slices.Equal(words, r.words) {
			r.spoilt.Store(true)
		}
	}
	for i, m := range memories {
		at, err := r.touch(m, p.Writes(i))
		if err != nil {
			return true, err
		}
		step.args = append(step.args, at)
	}
	r.plan.steps = append(r.plan.steps, step)
	return true, nil
}

// touch returns the index of memory that a step uses; mu is held.
func (r *recorder) touch(m *memory, writes bool) (int, error) {
	if m.counts && r.captures {
		return r.ownCounters(m.buf.Bytes())
	}
	at, known := r.index[m]
	if !known {
		at = r.add(m)
	}
	if m.counts {
		return at, nil
	}
	if !known && (!r.captures || m.uses.Load() == 0) || r.captures && writes {
		if q := m.rec.Load().active(); q != nil && q != r && q.captures {
			return 0, fault.New(ErrUnsupported, "capture", "another capture that is under way writes the tensor's memory")
		}
		m.rec.Store(r)
	}
	return at, nil
}

// ownCounters adds memory for the counters of one launch of a capture: launches that shared theirs would have to run one after the other. mu is held.
func (r *recorder) ownCounters(bytes int64) (int, error) {
	m, err := r.dev.newCounters(bytes)
	if err != nil {
		return 0, err
	}
	r.memories = append(r.memories, m)
	return len(r.memories) - 1, nil
}

// add adds memory that no launch before has used.
func (r *recorder) add(m *memory) int {
	at := len(r.memories)
	r.memories, r.index[m] = append(r.memories, m), at
	if r.captures {
		m.retain() // whoever launches holds it, so that it is there
		return at
	}
	if m.counts {
		r.plan.rooms = append(r.plan.rooms, -m.buf.Bytes())
		return at
	}
	r.plan.rooms = append(r.plan.rooms, m.buf.Bytes())
	if m.uses.Load() > 0 { // its contents come from elsewhere
		r.spoilt.Store(true)
	}
	return at
}

// end ends the recording, closes the views, and returns the plan and the memory that it holds.
func (r *recorder) end() (plan, []*memory, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over.Store(true)
	for _, v := range r.views {
		v.Close()
	}
	p, memories := r.plan, r.memories
	r.plan, r.memories, r.index, r.views = plan{}, nil, nil, nil // memory may refer to the recorder for long
	return p, memories, r.err
}

// abandon ends the recording of a call that panicked, whose launches before that begin. After remember it does nothing.
func (r *recorder) abandon() {
	if !r.over.Load() {
		_ = r.delayed.end()
		r.end()
	}
}
