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
// compiles was done when it was made. It holds the tensors' memory until it is closed, or until the garbage
// collector finds it; tensors may be closed before.
type Program struct {
	*bound
	closing atomic.Bool
	cleanup runtime.Cleanup
}

// bound is what a Program holds.
type bound struct {
	refCount
	dev     *Device
	name    string
	kernel  *compile.Prepared
	held    []*memory
	buffers []backend.Buffer
	words   []uint32

	sequence backend.Sequence // the kernel with what clears its views
}

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
	prepared, err := c.prepare(kernel, viewsOf(tensors...))
	if err != nil {
		return nil, err
	}
	b := &bound{dev: c.held[0].dev, name: kernel.Name, kernel: prepared, words: slices.Clone(c.words)}
	b.refs.Store(1)
	for _, m := range c.held {
		m.retain() // c holds it, so that it is there
		b.held, b.buffers = append(b.held, m), append(b.buffers, m.buf)
	}
	var steps capture
	if err = b.kernel.Launch(&steps, b.buffers, b.words); err == nil {
		b.sequence, err = b.dev.dev.Stream().Sequence(steps.steps)
	}
	if err != nil {
		b.release()
		return nil, err
	}
	p := &Program{bound: b}
	p.cleanup = runtime.AddCleanup(p, func(b *bound) { _ = b.release() }, b)
	return p, nil
}

// Launch starts the kernel. It returns once the work is queued, and allocates nothing.
//
// Error: ErrClosed if the program or its device is closed.
func (p *Program) Launch() error {
	if p == nil || p.bound == nil {
		return fault.New(ErrArgument, "launch", "the program is nil")
	}
	if p.dev.closed.Load() {
		return p.dev.check(p.name)
	}
	if p.closing.Load() || !p.retain() {
		return fault.New(ErrClosed, p.name, "the program is closed")
	}
	for _, m := range p.held {
		m.use()
	}
	defer runtime.KeepAlive(p)
	defer p.release()
	if p.dev.capturing() != nil {
		return p.dev.launch(p.kernel, p.held, p.buffers, p.words)
	}
	return p.sequence.Launch()
}

// Close gives up the program and the memory that it holds. A second Close does nothing.
func (p *Program) Close() error {
	if p == nil || p.bound == nil || p.closing.Swap(true) {
		return nil
	}
	p.cleanup.Stop()
	return p.release()
}

// release lets go of the memory if nobody needs it any longer.
func (b *bound) release() (err error) {
	if !b.drop() {
		return nil
	}
	if b.sequence != nil {
		err = b.sequence.Close()
	}
	for _, m := range b.held {
		if e := m.release(); err == nil {
			err = e
		}
	}
	return err
}
