package weft

import (
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/fault"
)

// Program is a kernel bound to its tensors and scalars: everything that a launch checks, chooses and
// compiles was done when the program was made. It holds the tensors' memory until it is closed, or until the garbage
// collector finds it; the tensors may be closed earlier.
type Program struct {
	owned
	rec *recorder // of a tensor that it was bound to
}

// Recording is a captured sequence of launches that is replayed as one: a graph in CUDA, a
// command buffer in Vulkan. It holds the memory of all tensors that the launches use until it is closed, or
// until the garbage collector finds it.
type Recording struct{ owned }

// Bind binds the kernel to tensors, one for each of its views in order, and compiles it:
//
//	step, err := kernel.Bind(cfg, weft.Scalars{0.5}, x, y)
//	defer step.Close()
//	for range 1000 {
//		err = step.Launch()
//	}
//
// Errors: as for LaunchWith.
func (k *Kernel[C]) Bind(cfg C, scalars Scalars, tensors ...*Tensor) (*Program, error) {
	c, kernel, err := k.call(cfg, scalars)
	if err != nil {
		return nil, err
	}
	defer c.done()
	prepared, err := c.prepare(kernel, viewsOf(tensors...), (*compile.Compiler).Prepare)
	if err != nil {
		return nil, err
	}
	step := planStep{kernel: prepared, words: slices.Clone(c.words)}
	for i, m := range c.held {
		m.retain() // c holds it, so that it is there
		step.args = append(step.args, i)
	}
	b, err := c.held[0].dev.bind(kernel.Name, plan{steps: []planStep{step}}, slices.Clone(c.held))
	if err != nil {
		return nil, err
	}
	p := &Program{rec: captureOf(tensors...)}
	p.own(b)
	return p, nil
}

// Launch starts the kernel. It returns once the work is queued, and allocates nothing. Within a capture to which one of its tensors
// belongs it is recorded, as Recorder.Launch does.
//
// Error: ErrClosed if the program or its device is closed.
func (p *Program) Launch() error {
	if p == nil || p.bound == nil {
		return fault.New(ErrArgument, "launch", "the program is nil")
	}
	r := p.rec.active()
	if r == nil {
		r = p.capture()
	}
	if r != nil {
		return (&Recorder{r}).Launch(p)
	}
	return p.start()
}

// Close releases the program and its memory. A second Close does nothing.
func (p *Program) Close() error {
	if p == nil {
		return nil
	}
	return p.close()
}

// Launches is the number of kernels that a replay launches.
func (r *Recording) Launches() int {
	if r == nil || r.bound == nil {
		return 0
	}
	return r.launches
}

// Closed reports whether the recording or its device is closed, for who replays several together.
func (r *Recording) Closed() bool {
	return r == nil || r.bound == nil || r.closing.Load() || r.dev.closed.Load()
}

// Replay starts all launches of the recording, after the work started so far, and returns once they are queued.
//
// Errors: ErrClosed if the recording or its device is closed; ErrUnsupported within a capture that writes memory of the recording.
func (r *Recording) Replay() error {
	if r == nil || r.bound == nil {
		return fault.New(ErrArgument, "replay", "the recording is nil")
	}
	if r.capture() != nil {
		return fault.New(ErrUnsupported, "replay", "a capture that is under way writes memory of the recording, and records no replays")
	}
	return r.start()
}

// Close releases the recording and its memory. A second Close does nothing.
func (r *Recording) Close() error {
	if r == nil {
		return nil
	}
	return r.close()
}

// bound is a plan with the memory that it runs on, ready to be started repeatedly.
type bound struct {
	refCount
	dev      *Device
	name     string // in errors
	plan     plan   // keeps the kernels loaded
	memories []*memory
	sequence backend.Sequence
	launches int // of kernels, with those that clear views
}

// bind makes a plan ready to run on memory, references to which it takes over.
func (d *Device) bind(name string, p plan, memories []*memory) (*bound, error) {
	b := &bound{dev: d, name: name, plan: p, memories: memories}
	b.refs.Store(1)
	c := newCall()
	defer c.done()
	for _, m := range memories {
		c.buffers = append(c.buffers, m.buf)
	}
	var steps stepList
	err := c.start(&p, &steps)
	if err == nil {
		b.launches = len(steps)
		b.sequence, err = d.dev.Stream().Sequence(steps)
	}
	if err != nil {
		b.release()
		return nil, err
	}
	return b, nil
}

// stepList is the queue of launches that are to become a sequence.
type stepList []backend.Step

// Launch implements compile.Queue.
func (s *stepList) Launch(p backend.Program, l backend.Launch) error {
	*s = append(*s, backend.Step{Program: p, Launch: l.Clone()})
	return nil
}

var _ compile.Queue = (*stepList)(nil)

// release frees the sequence and the memory if nothing needs them any longer.
func (b *bound) release() (err error) {
	if !b.drop() {
		return nil
	}
	if b.sequence != nil {
		err = b.sequence.Close()
	}
	err = joined(err, b.plan.closeWorks())
	if e := releaseAll(b.memories); err == nil {
		err = e
	}
	return err
}

// owned is a bound plan that belongs to a user: until it is closed, or the garbage collector finds it.
type owned struct {
	*bound
	closing atomic.Bool
	cleanup runtime.Cleanup
}

func (o *owned) own(b *bound) {
	o.bound = b
	o.cleanup = runtime.AddCleanup(o, func(b *bound) { _ = b.release() }, b)
}

// hold keeps the sequence and its memory until release is called.
func (o *owned) hold() error {
	if o.dev.closed.Load() {
		return o.dev.check(o.name)
	}
	if o.closing.Load() || !o.retain() {
		return fault.New(ErrClosed, o.name, "the program or recording is closed")
	}
	return nil
}

// capture is a capture under way that has memory of the program or recording, nil for none.
func (o *owned) capture() *recorder {
	for _, m := range o.memories {
		if r := m.rec.Load().active(); r != nil && r.captures {
			return r
		}
	}
	return nil
}

func (o *owned) start() error {
	if err := o.hold(); err != nil {
		return err
	}
	defer runtime.KeepAlive(o)
	defer o.release()
	for _, m := range o.memories {
		m.use()
	}
	return o.sequence.Launch()
}

func (o *owned) close() error {
	if o.bound == nil || o.closing.Swap(true) {
		return nil
	}
	o.cleanup.Stop()
	return o.release()
}
