package cpu

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile/interp"
)

// device executes tile IR. Its lock is held for reading by whoever puts work
// into the queue, and for writing by Close, so that nothing is queued after it.
type device struct {
	info backend.Info
	caps target.Caps

	mu     sync.RWMutex
	closed bool
	queue  chan task
	done   chan struct{} // closed when the queue's goroutine has ended

	stops  sync.Mutex                  // of those who end work
	stop   atomic.Pointer[interp.Stop] // of what is launched now
	closer bool                        // nothing is to go on any more

	failed   sync.Mutex
	failures []error // of launches, that were not reported yet
}

// maxFailures is how many errors wait to be told.
const maxFailures = 8

// queueLength bounds how far the host may run ahead.
const queueLength = 256

func open(info backend.Info) *device {
	d := &device{
		info:  info,
		caps:  target.Caps{Language: target.TileIR, WholeTiles: true, Int64: true, Float64: true, SystemOrder: true, DeviceOrder: true, Machine: machine(), Fingerprint: "cpu " + runtime.GOARCH + " " + info.Name},
		queue: make(chan task, queueLength),
		done:  make(chan struct{}),
	}
	d.stop.Store(new(interp.Stop))
	go func() {
		defer close(d.done)
		for work := range d.queue {
			work.run()
		}
	}()
	return d
}

// machine is a CPU with the cores that the program may use.
func machine() *target.Machine {
	m := *target.MachineOf("", target.Host)
	m.Units = runtime.GOMAXPROCS(0)
	return &m
}

// Info identifies the device.
func (d *device) Info() backend.Info { return d.info }

// Caps has no limits: programs are tiles, and memory is what the host has.
func (d *device) Caps() target.Caps { return d.caps }

// Stream is the device's queue.
func (d *device) Stream() backend.Stream { return stream{d} }

// task is what the queue holds.
type task interface{ run() }

type taskFunc func()

func (f taskFunc) run() { f() }

// enqueue puts work at the end of the queue.
func (d *device) enqueue(op string, work task) error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.closed {
		return backend.Closed(op, "device")
	}
	d.queue <- work
	return nil
}

// wait runs work at the end of the queue and waits for it.
func (d *device) wait(op string, work func()) error {
	done := make(chan struct{})
	if err := d.enqueue(op, taskFunc(func() { work(); close(done) })); err != nil {
		return err
	}
	<-done
	return nil
}

func (d *device) isClosed() bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.closed
}

// fail notes an error of a launch, once.
func (d *device) fail(err error) {
	d.failed.Lock()
	defer d.failed.Unlock()
	if len(d.failures) < maxFailures && !slices.Contains(d.failures, err) {
		d.failures = append(d.failures, err)
	}
}

// told forgets an error that was reported.
func (d *device) told(err error) {
	d.failed.Lock()
	defer d.failed.Unlock()
	if i := slices.Index(d.failures, err); i >= 0 {
		d.failures = slices.Delete(d.failures, i, i+1)
	}
}

// Cancel implements backend.Canceler.
func (s stream) Cancel(err error) { s.d.end(err, false) }

// end ends what was launched so far, and all that will be if the device is to close.
func (d *device) end(err error, closer bool) {
	d.stops.Lock()
	defer d.stops.Unlock()
	if d.closer {
		return
	}
	d.closer = closer
	d.stop.Load().Now(err)
	if !closer {
		d.stop.Store(new(interp.Stop))
	}
}

// Close ends what runs and waits for the queue to end. Buffers and programs are left to the garbage collector.
func (d *device) Close() error {
	d.end(backend.Closed("launch", "device"), true) // who puts work into a full queue would hold the lock
	d.mu.Lock()
	if !d.closed {
		d.closed = true
		close(d.queue)
	}
	d.mu.Unlock()
	<-d.done
	return nil
}

// Compile returns the kernel's text.
func (d *device) Compile(src backend.Source) ([]byte, error) {
	if d.isClosed() {
		return nil, backend.Closed("compile "+src.Entry, "device")
	}
	if _, err := d.programOf(src); err != nil {
		return nil, err
	}
	return []byte(src.Text), nil
}

// Load compiles the kernel for the interpreter; the binary plays no part.
func (d *device) Load(src backend.Source, _ []byte) (backend.Program, error) {
	if d.isClosed() {
		return nil, backend.Closed("load "+src.Entry, "device")
	}
	p, err := d.programOf(src)
	if err != nil {
		return nil, err
	}
	if err := p.Compile(); err != nil {
		return nil, err
	}
	return &program{device: d, src: src, op: "launch " + src.Entry, code: p}, nil
}

func (d *device) programOf(src backend.Source) (*interp.Program, error) {
	if err := backend.CheckSource(src, d.caps); err != nil {
		return nil, err
	}
	p, ok := src.IR.(*interp.Program)
	if !ok || p == nil {
		return nil, fault.New(fault.ErrUnsupported, "load "+src.Entry, "the IR is %T, want *interp.Program", src.IR)
	}
	return p, nil
}

// NewBuffer allocates zeroed memory.
func (d *device) NewBuffer(bytes int64) (backend.Buffer, error) {
	if d.isClosed() {
		return nil, backend.Closed("new buffer", "device")
	}
	data, err := allocate(bytes, d.info.Memory)
	if err != nil {
		return nil, err
	}
	b := &buffer{device: d, size: bytes, capacity: bytes}
	b.memory.Store(newMemory(data))
	return b, nil
}
