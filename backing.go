package weft

import (
	"slices"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/fault"
)

// Backend is the device of a backend that d runs on. It is for packages such as mesh, which use what only some
// backends have. With WEFT_TRACE it is a device that notes what it does, and has none of that.
func (d *Device) Backend() backend.Device {
	if d == nil {
		return nil
	}
	return d.dev
}

// BufferSpan is where a dense tensor is in a buffer of its device's backend.
type BufferSpan struct {
	Buffer backend.Buffer
	Offset int64 // bytes
}

// WithSpans calls f with the memory of dense tensors, which stays theirs until f returns. It is for packages that
// start work of a backend by themselves. What f starts is on each device's stream, or ordered with it when f returns: memory that
// a tensor gives back is used by what is launched after.
//
// Errors: those of f; ErrArgument for a nil tensor, ErrClosed, ErrUnsupported for a tensor that is not dense and for one of a capture.
func WithSpans(op string, tensors []*Tensor, f func(spans []BufferSpan) error) error {
	if captureOf(tensors...) != nil {
		return fault.New(ErrUnsupported, op, "the tensor belongs to a capture, which cannot record this")
	}
	spans, memories, err := spansOf(op, tensors)
	defer releaseAll(memories)
	if err != nil {
		return err
	}
	for _, m := range memories {
		m.use()
	}
	return f(spans)
}

// spansOf holds the memory of dense tensors and says where they are.
func spansOf(op string, tensors []*Tensor) (spans []BufferSpan, memories []*memory, err error) {
	for _, t := range tensors {
		if err := t.hold(op, "t"); err != nil {
			return nil, memories, err
		}
		memories = append(memories, t.mem)
		if !t.layout.IsContiguous() {
			return nil, memories, fault.New(ErrUnsupported, op, "the layout %v is not dense", t.layout)
		}
		s := BufferSpan{Buffer: t.mem.buf}
		if t.Len() > 0 { // else the offset may be beyond the buffer
			s.Offset = int64(t.layout.Offset()) * int64(t.elem.Size())
		}
		spans = append(spans, s)
	}
	return spans, memories, nil
}

// On is the tensor's memory as a tensor of dev, whose kernels then reach it without a copy. It holds the memory. Work of
// the two devices is not ordered by it: see backend.Peers.
//
// Errors: ErrUnsupported where dev does not reach memory of the tensor's device, ErrArgument, ErrClosed.
func (t *Tensor) On(dev *Device) (*Tensor, error) {
	const op = "on"
	if err := dev.check(op); err != nil {
		return nil, err
	}
	if err := t.hold(op, "t"); err != nil {
		return nil, err
	}
	m, err := dev.view(op, t.mem)
	if err != nil {
		t.mem.release()
		return nil, err
	}
	m.owner = t.mem
	return newTensor(m, t.elem, t.layout), nil
}

// view is memory as memory of the device, which does not hold it.
func (d *Device) view(op string, of *memory) (*memory, error) {
	peers, can := d.dev.(backend.Peers)
	if !can {
		return nil, fault.New(ErrUnsupported, op, "the device %v does not reach memory of others", d)
	}
	of.use()
	buf, err := peers.View(of.buf, 0, of.buf.Bytes())
	if err != nil {
		return nil, err
	}
	m := newMemory(d, buf)
	m.viewed = true
	return m, nil
}

// Borrow is On for tensors of dev itself, whose memory it does not hold: whoever uses the result, or replays what was recorded with it, holds that memory
// meanwhile, as WithSpans does. What is borrowed of one memory is one memory.
//
// Errors: those of On, and ErrDevice for a tensor of another device.
func Borrow(dev *Device, tensors ...*Tensor) (list []*Tensor, err error) {
	const op = "borrow"
	if err := dev.check(op); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			for _, t := range list {
				t.Close()
			}
			list = nil
		}
	}()
	borrowed := map[*memory]*memory{}
	for _, t := range tensors {
		if err := t.hold(op, "t"); err != nil {
			return list, err
		}
		defer t.mem.release()
		if err := sameDevice(op, "t", t.mem.dev, "the borrower", dev); err != nil {
			return list, err
		}
		m := borrowed[t.mem]
		if m == nil {
			if m, err = dev.view(op, t.mem); err != nil {
				return list, err
			}
			borrowed[t.mem] = m
		} else {
			m.retain() // by a tensor before this one
		}
		list = append(list, newTensor(m, t.elem, t.layout))
	}
	return list, nil
}

// Holds reports whether a tensor's launches are recorded by r.
func (r *Recorder) Holds(t *Tensor) bool { return r != nil && r.r != nil && captureOf(t) == r.r }

// Work records a step that is no launch of a kernel. make gets the memory of the tensors, those that the step writes first. The recording owns
// what it returns.
//
// Errors: those of make, and those of WithSpans; ErrDevice for a tensor of another device.
func (r *Recorder) Work(op string, writes, reads []*Tensor, make func(spans []BufferSpan) (backend.Work, error)) error {
	if r == nil || r.r == nil {
		return fault.New(ErrArgument, op, "the recorder is nil")
	}
	tensors := slices.Concat(writes, reads)
	spans, memories, err := spansOf(op, tensors)
	defer releaseAll(memories)
	if err != nil {
		return err
	}
	for _, m := range memories {
		if err := sameDevice(op, "t", m.dev, "the capture", r.r.dev); err != nil {
			return err
		}
	}
	work, err := make(spans)
	if err != nil {
		return err
	}
	if err := r.r.noteWork(work, memories, len(writes)); err != nil {
		_ = work.Close()
		return err
	}
	return nil
}

// noteWork adds a step that is no launch; it writes the first of the memories.
func (r *recorder) noteWork(work backend.Work, memories []*memory, writes int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over.Load() {
		return fault.New(ErrClosed, "capture", "the capture has ended")
	}
	step := planStep{work: work}
	for i, m := range memories {
		at, err := r.touch(m, i < writes)
		if err != nil {
			return err
		}
		step.args = append(step.args, at)
	}
	r.plan.steps = append(r.plan.steps, step)
	return nil
}

// startWork hands work to a queue that takes it: that of a capture.
func startWork(to compile.Queue, work backend.Work) error {
	list, can := to.(*stepList)
	if !can {
		return fault.New(ErrUnsupported, "launch", "only a recording can hold this work")
	}
	*list = append(*list, backend.Step{Work: work})
	return nil
}

// closeWorks frees the work of a plan.
func (p *plan) closeWorks() (err error) {
	for _, s := range p.steps {
		if s.work != nil {
			err = joined(err, s.work.Close())
		}
	}
	return err
}
