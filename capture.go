package weft

import (
	"bytes"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/fault"
)

// Recording is a sequence of launches that was captured, and is replayed as one: a graph in CUDA, a
// command buffer in Vulkan. It holds the memory of all tensors that the launches use until it is closed, or
// until the garbage collector finds it.
type Recording struct {
	*recorded
	closing atomic.Bool
	cleanup runtime.Cleanup
}

// recorded is what a Recording holds.
type recorded struct {
	refCount
	dev      *Device
	sequence backend.Sequence
	launches int
	kept     []*memory
	kernels  []*compile.Prepared // their programs stay loaded
}

// Capture records the launches that f makes by ops and kernels on the device's tensors, instead of running
// them. Replay then runs them, in their order, as often as it is called:
//
//	step, err := dev.Capture(func() error {
//		if err := ops.LinearInto(h, x, w1, b1, ops.Fuse(ops.GELUMap)); err != nil {
//			return err
//		}
//		return ops.LinearInto(y, h, w2, b2)
//	})
//
// What is recorded is which kernels run on which memory, with which numbers: between replays, what x, w1 and
// the others hold may change. Kernels are compiled meanwhile, and configs chosen. Tensors made by f have
// memory, which the recording keeps even if f closes them.
//
// A capture records what its own goroutine launches. Launches of other goroutines, also of those that f starts, run as
// ever, in no particular order with the capture, which runs nothing. One capture at a time is made on a
// device; a second one waits.
//
// Errors: those of f, and then there is no recording; ErrUnsupported for a capture within f and, from the call
// within f, for copies between host and device, for Synchronize, Record and Time; ErrClosed.
func (d *Device) Capture(f func() error) (*Recording, error) {
	const op = "capture"
	if err := d.check(op); err != nil {
		return nil, err
	}
	if f == nil {
		return nil, fault.New(ErrArgument, op, "the function is nil").For("f")
	}
	if err := d.uncaptured(op, "a capture"); err != nil {
		return nil, err
	}
	d.captures.Lock()
	defer d.captures.Unlock()
	c := &capture{goroutine: goroutine(), known: map[*memory]bool{}}
	defer c.release()
	d.capture.Store(c)
	err := func() error {
		defer d.capture.Store(nil) // also if f panics
		return f()
	}()
	if err != nil {
		return nil, err
	}
	s, err := d.dev.Stream().Sequence(c.steps)
	if err != nil {
		return nil, err
	}
	r := &recorded{dev: d, sequence: s, launches: len(c.steps), kept: c.kept, kernels: c.kernels}
	r.refs.Store(1)
	c.kept = nil // they are the recording's now
	rec := &Recording{recorded: r}
	rec.cleanup = runtime.AddCleanup(rec, func(r *recorded) { _ = r.release() }, r)
	return rec, nil
}

// Launches is the number of kernels that a replay launches.
func (r *Recording) Launches() int {
	if r == nil || r.recorded == nil {
		return 0
	}
	return r.launches
}

// Replay starts all launches of the recording, behind the work started so far, and returns once they are queued.
//
// Error: ErrClosed if the recording or its device is closed.
func (r *Recording) Replay() error {
	const op = "replay"
	if r == nil || r.recorded == nil {
		return fault.New(ErrArgument, op, "the recording is nil")
	}
	if err := r.dev.check(op); err != nil {
		return err
	}
	if err := r.dev.uncaptured(op, "a replay"); err != nil {
		return err
	}
	if r.closing.Load() || !r.retain() {
		return fault.New(ErrClosed, op, "the recording is closed")
	}
	defer r.release()
	for _, m := range r.kept {
		m.use()
	}
	err := r.sequence.Launch()
	runtime.KeepAlive(r)
	return err
}

// Close gives up the recording and the memory that it holds. A second Close does nothing.
func (r *Recording) Close() error {
	if r == nil || r.recorded == nil || r.closing.Swap(true) {
		return nil
	}
	r.cleanup.Stop()
	return r.release()
}

// release closes the recording if nobody needs it any longer.
func (r *recorded) release() error {
	if !r.drop() {
		return nil
	}
	err := r.sequence.Close()
	for _, m := range r.kept {
		if e := m.release(); err == nil {
			err = e
		}
	}
	return err
}

// capture is a recording in the making: the queue of the launches of one goroutine.
type capture struct {
	goroutine uint64
	steps     []backend.Step
	kept      []*memory
	known     map[*memory]bool // those that are kept
	kernels   []*compile.Prepared
}

// Launch implements compile.Queue.
func (c *capture) Launch(p backend.Program, l backend.Launch) error {
	c.steps = append(c.steps, backend.Step{Program: p, Launch: l.Clone()})
	return nil
}

// keep keeps what a launch uses.
func (c *capture) keep(p *compile.Prepared, memories []*memory) {
	c.kernels = append(c.kernels, p)
	for _, m := range memories {
		if !c.known[m] && m.retain() {
			c.known[m], c.kept = true, append(c.kept, m)
		}
	}
}

func (c *capture) release() {
	for _, m := range c.kept {
		m.release()
	}
}

// capturing is the capture that this goroutine makes of the device, nil for none.
func (d *Device) capturing() *capture {
	c := d.capture.Load()
	if c == nil || c.goroutine != goroutine() {
		return nil
	}
	return c
}

// uncaptured refuses what cannot be a part of a capture.
func (d *Device) uncaptured(op, what string) error {
	if d.capturing() == nil {
		return nil
	}
	return fault.New(ErrUnsupported, op, "%s cannot be captured, only launches can be", what)
}

// goroutine is the number of the goroutine that asks. Go tells it in stack traces alone, which take a microsecond: it is asked
// for while a capture is under way, and only then.
func goroutine() uint64 {
	buf := stacks.Get().(*[64]byte)
	defer stacks.Put(buf)
	text := buf[:runtime.Stack(buf[:], false)] // "goroutine 18 [running]: …"
	text, _, _ = bytes.Cut(bytes.TrimPrefix(text, []byte("goroutine ")), []byte(" "))
	n, _ := strconv.ParseUint(string(text), 10, 64)
	return n
}

var stacks = sync.Pool{New: func() any { return new([64]byte) }}
