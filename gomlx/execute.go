package gomlx

import (
	"slices"
	"sync"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/pkg/errors"

	"github.com/weftgpu/weft"
)

// Executable is a computation that is ready to run, from any number of goroutines.
type Executable struct {
	backend *Backend
	name    string
	params  []string
	inputs  []shapes.Shape
	outputs []shapes.Shape
	plan    *plan
	donors  [][]int // by output: the inputs whose memory it may take

	mu        sync.Mutex
	idle      []*instance
	finalized bool
}

var _ backends.Executable = (*Executable)(nil)

func newExecutable(b *Builder) (*Executable, error) {
	p, err := newPlan(b.backend.dev, b)
	if err != nil {
		return nil, err
	}
	e := &Executable{backend: b.backend, name: b.name, plan: p, donors: p.donors()}
	for _, n := range b.params {
		e.params, e.inputs = append(e.params, n.attrs.(string)), append(e.inputs, n.shape)
	}
	for _, n := range b.outputs {
		e.outputs = append(e.outputs, n.shape)
	}
	b.nodes, b.params, b.outputs = nil, nil, nil
	return e, nil
}

// Inputs returns the parameters.
func (e *Executable) Inputs() ([]string, []shapes.Shape) { return e.params, e.inputs }

// Outputs returns the shapes of the results.
func (e *Executable) Outputs() []shapes.Shape { return e.outputs }

// Finalize frees the executable's memory. Executions that are under way end as they would have.
func (e *Executable) Finalize() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.finalized = true
	for _, i := range e.idle {
		i.close()
	}
	e.idle = nil
	e.plan.close()
}

// acquire is an instance that nobody else uses.
func (e *Executable) acquire() (*instance, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.finalized {
		return nil, errors.New("the executable is finalized")
	}
	if n := len(e.idle); n > 0 {
		i := e.idle[n-1]
		e.idle = e.idle[:n-1]
		return i, nil
	}
	return newInstance(e.backend.dev, e.plan)
}

func (e *Executable) release(i *instance) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.finalized {
		i.close()
		return
	}
	e.idle = append(e.idle, i)
}

// Execute runs the computation. It returns once the work is queued. After an error donated inputs are as they were, but for those whose memory results
// have taken, which may be written in part: these are gone, as they are without an error.
func (e *Executable) Execute(inputs []backends.Buffer, donate []bool, device backends.DeviceNum) ([]backends.Buffer, error) {
	out, err := e.execute(inputs, donate, device)
	return out, errors.WithMessagef(err, "weft: Execute of computation %q", e.name)
}

func (e *Executable) execute(inputs []backends.Buffer, donate []bool, device backends.DeviceNum) ([]backends.Buffer, error) {
	if err := e.backend.checkDevice("Execute", device); err != nil {
		return nil, err
	}
	buffers, tensors, err := e.checkInputs(inputs, donate)
	if err != nil {
		return nil, err
	}
	i, err := e.acquire()
	if err != nil {
		return nil, err
	}
	defer e.release(i)
	results, err := i.execute(e, tensors, donate)
	if err != nil {
		for k := range donate {
			if donate[k] && slices.ContainsFunc(results, tensors[k].Overlaps) && buffers[k].tensor.CompareAndSwap(tensors[k], nil) {
				_ = tensors[k].Close()
			}
		}
		closeAll(slices.DeleteFunc(results, func(t *weft.Tensor) bool { return slices.Contains(tensors, t) }))
		return nil, err
	}
	for k := range donate {
		if donate[k] {
			buffers[k].tensor.CompareAndSwap(tensors[k], nil)
			if !slices.Contains(results, tensors[k]) {
				_ = tensors[k].Close() // a view of it that is a result holds its memory
			}
		}
	}
	out := make([]backends.Buffer, len(results))
	for k, t := range results {
		out[k] = e.backend.newBuffer(e.outputs[k], t)
	}
	return out, nil
}

// checkInputs compares the buffers with the parameters.
func (e *Executable) checkInputs(inputs []backends.Buffer, donate []bool) ([]*Buffer, []*weft.Tensor, error) {
	if len(inputs) != len(e.inputs) {
		return nil, nil, errors.Errorf("%d inputs, want %d", len(inputs), len(e.inputs))
	}
	if len(donate) != 0 && len(donate) != len(inputs) {
		return nil, nil, errors.Errorf("donate has %d elements for %d inputs", len(donate), len(inputs))
	}
	buffers, tensors := make([]*Buffer, len(inputs)), make([]*weft.Tensor, len(inputs))
	for k, x := range inputs {
		buf, t, err := e.backend.buffer("Execute", x)
		if err != nil {
			return nil, nil, errors.WithMessagef(err, "parameter %q", e.params[k])
		}
		if !buf.shape.Equal(e.inputs[k]) {
			return nil, nil, errors.Errorf("parameter %q has shape %s, want %s", e.params[k], buf.shape, e.inputs[k])
		}
		buffers[k], tensors[k] = buf, t
	}
	return buffers, tensors, nil
}

// allocate makes the tensors of the results: of donated inputs that are not needed any longer where there are some.
func (e *Executable) allocate(inputs []*weft.Tensor, donate []bool) ([]*weft.Tensor, error) {
	results, taken := make([]*weft.Tensor, len(e.outputs)), make([]bool, len(inputs))
	for o, s := range e.plan.outputs {
		var err error
		for _, k := range e.donors[o] {
			if len(donate) > 0 && donate[k] && !taken[k] && once(inputs, k) {
				if results[o] = inputs[k]; !slices.Equal(inputs[k].Shape(), e.outputs[o].Dimensions) {
					results[o], err = inputs[k].Reshape(e.outputs[o].Dimensions...)
				}
				taken[k] = true
				break
			}
		}
		if results[o] == nil && err == nil {
			results[o], err = weft.Empty(e.backend.dev, s.elem, e.outputs[o].Dimensions...)
		}
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// once reports whether a tensor is an input only once.
func once(inputs []*weft.Tensor, k int) bool {
	for i, t := range inputs {
		if i != k && t == inputs[k] {
			return false
		}
	}
	return true
}

func closeAll(list []*weft.Tensor) {
	for _, t := range list {
		if t != nil {
			_ = t.Close()
		}
	}
}

// instance is the memory of one execution at a time, and the operands of the steps as tensors.
type instance struct {
	plan  *plan
	slots []*weft.Tensor
	refs  []ref
	out   [][]int // by step: the operands, as indices of refs
	in    [][]int

	history history
}

// ref is an operand that steps use.
type ref struct {
	operand
	tensor *weft.Tensor
}

func newInstance(dev *weft.Device, p *plan) (*instance, error) {
	i := &instance{plan: p}
	for _, s := range p.slots {
		t, err := weft.Empty(dev, s.elem, s.len)
		if err != nil {
			i.close()
			return nil, err
		}
		i.slots = append(i.slots, t)
	}
	known := map[string]int{}
	index := func(list []operand) (at []int) {
		for _, o := range list {
			key := refKey(o)
			k, ok := known[key]
			if !ok {
				k = len(i.refs)
				known[key], i.refs = k, append(i.refs, ref{operand: o})
			}
			at = append(at, k)
		}
		return at
	}
	for _, s := range p.steps {
		i.out, i.in = append(i.out, index(s.out)), append(i.in, index(s.in))
	}
	for k := range i.refs {
		r := &i.refs[k]
		var base *weft.Tensor
		switch r.kind {
		case temporary:
			base = i.slots[r.index]
		case constant:
			base = p.constants[r.index]
		default:
			continue
		}
		if err := r.bind(base); err != nil {
			i.close()
			return nil, err
		}
	}
	return i, nil
}

// refKey is equal for equal operands.
func refKey(o operand) string {
	return string(o.layout.AppendKey([]byte{byte(o.kind), byte(o.index), byte(o.index >> 8), byte(o.index >> 16)}))
}

// bind makes the operand's tensor of that of its storage.
func (r *ref) bind(base *weft.Tensor) (err error) {
	r.tensor, err = base.AsStrided(r.layout)
	return err
}

// execute runs the steps on inputs, or replays them, and returns the results: with an error, too, if they may be written.
func (i *instance) execute(e *Executable, inputs []*weft.Tensor, donate []bool) ([]*weft.Tensor, error) {
	if e.backend.replay {
		if i.ready(e, inputs, donate) {
			return i.history.replay.run(e, inputs)
		}
	}
	results, err := e.allocate(inputs, donate)
	if err != nil {
		return nil, err
	}
	defer i.unbind()
	if err := i.bind(inputs, results); err != nil {
		return nil, err
	}
	list := make([]*weft.Tensor, len(i.refs))
	for k, r := range i.refs {
		list[k] = r.tensor
	}
	return results, i.steps(list)
}

// bind makes the operands that are inputs and results tensors.
func (i *instance) bind(inputs, results []*weft.Tensor) error {
	for k := range i.refs {
		r := &i.refs[k]
		var err error
		switch r.kind {
		case input:
			err = r.bind(inputs[r.index])
		case output:
			err = r.bind(results[r.index])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// steps runs the steps on the operands as tensors.
func (i *instance) steps(list []*weft.Tensor) error {
	take := func(at []int) []*weft.Tensor {
		out := make([]*weft.Tensor, len(at))
		for k, j := range at {
			out[k] = list[j]
		}
		return out
	}
	for k, s := range i.plan.steps {
		if err := s.run(take(i.out[k]), take(i.in[k])); err != nil {
			return errors.WithMessagef(err, "weft: %s", s.op)
		}
	}
	return nil
}

// unbind closes what is of one execution.
func (i *instance) unbind() {
	for k := range i.refs {
		if r := &i.refs[k]; r.tensor != nil && (r.kind == input || r.kind == output) {
			_ = r.tensor.Close()
			r.tensor = nil
		}
	}
}

func (i *instance) close() {
	i.history.replay.close()
	for _, r := range i.refs {
		if r.tensor != nil {
			_ = r.tensor.Close()
		}
	}
	closeAll(i.slots)
}
