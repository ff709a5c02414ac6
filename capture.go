package weft

import (
	"github.com/weftgpu/weft/fault"
)

// Recorder records launches instead of running them; see Device.Capture. Its methods may be called from many goroutines.
type Recorder struct{ r *recorder }

// Capture records what f launches by ops and kernels on tensors of the recorder, instead of running it. Replay then
// runs the launches, in their order, as often as it is called:
//
//	step, err := dev.Capture(func(rec *weft.Recorder) error {
//		x, h, y := rec.Use(x), rec.Use(h), rec.Use(y)
//		if err := ops.LinearInto(h, x, w1, b1, ops.Fuse(ops.GELUMap)); err != nil {
//			return err
//		}
//		return ops.LinearInto(y, h, w2, b2)
//	})
//
// A launch is recorded if one of its tensors is the recorder's: what Use returns, views of that, and whatever recorded
// launches write, such as the results of ops on these, and what EmptyBeside makes beside one of these. Everything else that f does, it does at once and once: it may make
// tensors, and compute constants for the launches to read. Memory that recorded launches write is not used by others
// until f returns.
//
// What is recorded is which kernels run on which memory, with which numbers: between replays, what x, w1 and
// the others hold may change. Kernels are compiled meanwhile, and configs chosen. Tensors made by f have
// memory, which the recording keeps even if f closes them.
//
// Errors: those of f, and then there is no recording; ErrDevice for a tensor of another device that was given to Use;
// ErrClosed. From calls within f: ErrUnsupported for copies of the recorder's tensors from or to the host, and for memory that another
// capture writes.
func (d *Device) Capture(f func(rec *Recorder) error) (*Recording, error) {
	const op = "capture"
	if err := d.check(op); err != nil {
		return nil, err
	}
	if f == nil {
		return nil, fault.New(ErrArgument, op, "the function is nil").For("f")
	}
	r := &recorder{dev: d, captures: true, index: map[*memory]int{}}
	defer func() { // also if f panics; after the end there is none
		p, memories, _ := r.end()
		_ = p.closeWorks()
		releaseAll(memories)
	}()
	if err := f(&Recorder{r}); err != nil {
		return nil, err
	}
	p, memories, err := r.end()
	if err != nil {
		_ = p.closeWorks()
		releaseAll(memories)
		return nil, err
	}
	b, err := d.bind(op, p, memories)
	if err != nil {
		return nil, err
	}
	rec := &Recording{}
	rec.own(b)
	return rec, nil
}

// Use is a view of a tensor on which launches are recorded. The capture closes it when it ends. Nil stays nil.
func (r *Recorder) Use(t *Tensor) *Tensor {
	if r == nil || r.r == nil || t.there("") != nil {
		return t
	}
	if err := sameDevice("capture", "t", t.mem.dev, "the capture", r.r.dev); err != nil {
		r.r.mu.Lock()
		defer r.r.mu.Unlock()
		if r.r.err == nil {
			r.r.err = err
		}
		return t
	}
	return r.r.use(t)
}

// Launch records the launch of a program.
//
// Errors: ErrArgument for nil, ErrDevice for a program of another device, ErrClosed for one that is closed, as is a capture that has ended.
func (r *Recorder) Launch(p *Program) error {
	const op = "capture"
	if r == nil || r.r == nil || p == nil || p.bound == nil {
		return fault.New(ErrArgument, op, "the recorder or the program is nil")
	}
	if err := sameDevice(op, "p", p.dev, "the capture", r.r.dev); err != nil {
		return err
	}
	if err := p.hold(); err != nil {
		return err
	}
	defer p.release()
	for _, s := range p.plan.steps {
		memories := make([]*memory, len(s.args))
		for i, at := range s.args {
			memories[i] = p.memories[at]
		}
		if recorded, err := r.r.note(s.kernel, memories, s.words); err != nil {
			return err
		} else if !recorded {
			return fault.New(ErrClosed, op, "the capture has ended")
		}
	}
	return nil
}
