package weft

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/logging"
	"github.com/weftgpu/weft/internal/pool"
	"github.com/weftgpu/weft/internal/recent"
	"github.com/weftgpu/weft/internal/setting"
	"github.com/weftgpu/weft/internal/trace"
	"github.com/weftgpu/weft/internal/tracedev"
	"github.com/weftgpu/weft/target"
)

// DeviceEnv names the device that Open("") opens.
const DeviceEnv = "WEFT_DEVICE"

// DeviceInfo is a device that was found, or a place where none was found.
type DeviceInfo struct {
	backend.Info
	// Refused says why the device cannot be used; nil if it can.
	Refused error
}

// Spec is the name by which Open opens the device, such as "vulkan:0".
func (d DeviceInfo) Spec() string { return fmt.Sprintf("%s:%d", d.Backend, d.Index) }

// Devices lists the devices of all linked backends, the best first and those
// that cannot be used last, each of these with the reason.
func Devices() []DeviceInfo {
	candidates := backend.Candidates()
	list := make([]DeviceInfo, len(candidates))
	for i, c := range candidates {
		list[i] = DeviceInfo{Info: c.Info, Refused: c.Refused}
	}
	return list
}

// Device is an open device. Its methods may be called from many goroutines; what
// they start runs in the order of the calls.
type Device struct {
	dev      backend.Device
	compiler *compile.Compiler
	pool     *pool.Pool
	plans    *recent.Map[*plan] // of calls of ops; see Memoize
	counters counters
	opening  int // how many times a device of this name was opened, with this one
	closed   atomic.Bool

	lateMu sync.Mutex
	late   []chan error // of calls whose context ended before the device's work
}

// openings counts how often devices were opened, by their names.
var openings = struct {
	mu     sync.Mutex
	byName map[string]int
}{byName: map[string]int{}}

func nextOpening(name string) int {
	openings.mu.Lock()
	defer openings.mu.Unlock()
	openings.byName[name]++
	return openings.byName[name]
}

// Open opens a device by name: "vulkan" for the best of a backend, "vulkan:1" for a
// certain one, and "" for the one that the environment variable WEFT_DEVICE names or
// else the best one: GPUs first, then the CPU, then software drivers.
//
// Each Open returns a separate device, which shares no tensors with others, not even with other openings of the same one (ErrDevice; Tensor.To copies
// them): a program should open a device once and share it.
//
// Errors: ErrDevice for a name without a device or a device that cannot
// be used, with the reasons; ErrArgument for a variable of the environment, such as WEFT_TUNE or WEFT_POOL, with a value
// that it cannot have; ErrUnsupported for a file of WEFT_TRACE that cannot be written.
func Open(spec string) (*Device, error) {
	named := ""
	if spec == "" {
		named = os.Getenv(DeviceEnv)
		spec = named
	}
	if err := setting.Check(); err != nil {
		return nil, err
	}
	if err := trace.FromEnv(); err != nil {
		return nil, err
	}
	dev, err := backend.Open(spec)
	if err != nil {
		var e *fault.Error
		if named != "" && errors.As(err, &e) { // the call does not tell whose name it is
			return nil, e.For(DeviceEnv)
		}
		return nil, err
	}
	if trace.On() {
		dev = tracedev.Wrap(dev)
	}
	if _, err := pool.Budget(os.Getenv(PoolEnv), dev.Info()); err != nil {
		return nil, errors.Join(err, dev.Close())
	}
	return NewDevice(dev), nil
}

// NewDevice makes a device from an open backend.Device, which it then owns. It is for your own devices, which no
// driver lists.
func NewDevice(dev backend.Device) *Device {
	budget, err := pool.Budget(os.Getenv(PoolEnv), dev.Info())
	if err = errors.Join(setting.Check(), err); err != nil {
		logging.Logger().Warn("setting ignored", "error", err)
	}
	d := &Device{dev: dev, compiler: compile.New(dev), pool: pool.New(dev, budget), plans: recent.New[*plan](maxPlans)}
	d.opening = nextOpening(d.String())
	return d
}

// Info names the device, its driver and its kind.
func (d *Device) Info() DeviceInfo {
	if d == nil || d.dev == nil {
		return DeviceInfo{}
	}
	return DeviceInfo{Info: d.dev.Info()}
}

// Caps is what the device can do, with its limits.
func (d *Device) Caps() target.Caps {
	if d == nil || d.dev == nil {
		return target.Caps{}
	}
	return d.dev.Caps()
}

// String is the device's name for Open, such as "cuda:0".
func (d *Device) String() string { return d.Info().Spec() }

// Synchronize waits until everything started so far is done, and reports the errors
// since the last call that were not reported yet.
//
// On the CPU a kernel can fail while it runs: an assertion does not hold, or its work was canceled. The error is reported once, by the first call that meets it:
// by reading a tensor that the kernel, or a kernel that read its results, would have written; else by Synchronize. Other tensors can
// still be read. Every read of a tensor that was not written as it should have been returns the error, until one launch or copy writes all of its memory
// again. Kernels on GPUs do not fail in this way; a lost device (ErrDeviceLost) stays lost.
func (d *Device) Synchronize() error { return d.SynchronizeContext(context.Background()) }

// SynchronizeContext is Synchronize with a context. If the context ends first, the CPU ends the work started so far:
// reading what it would have written fails with ErrCanceled and the context's cause, as this call does, whatever other calls report. GPUs cannot
// end a kernel: there the call returns the error and the work continues.
func (d *Device) SynchronizeContext(ctx context.Context) error {
	const op = "synchronize"
	if err := d.check(op); err != nil {
		return err
	}
	if ctx == nil {
		return fault.New(ErrArgument, op, "the context is nil").For("ctx")
	}
	stream := d.dev.Stream()
	if ctx.Done() == nil {
		return joined(d.takeLate(), stream.Synchronize())
	}
	done := make(chan error, 1)
	go func() { done <- stream.Synchronize() }()
	select {
	case err := <-done:
		if ctx.Err() == nil {
			return joined(d.takeLate(), err)
		}
		done <- err // another call, whose context ended as well, may have ended the work
	case <-ctx.Done():
	}
	err := fault.New(ErrCanceled, op, "the context ended before the work did").Because(context.Cause(ctx))
	if s, can := stream.(backend.Canceler); can {
		s.Cancel(err)
		if e := joined(d.takeLate(), <-done); e != nil && !errors.Is(e, err) {
			return joined(err, e)
		}
		return err // also if another call has reported it
	}
	d.lateMu.Lock()
	defer d.lateMu.Unlock()
	d.late = append(d.late, done)
	return err
}

// joined is one of two errors as it is, or both.
func joined(a, b error) error {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	return errors.Join(a, b)
}

// takeLate waits for the work of calls whose context ended, and returns its errors.
func (d *Device) takeLate() error {
	d.lateMu.Lock()
	late := d.late
	d.late = nil
	d.lateMu.Unlock()
	var errs []error
	for _, done := range late {
		errs = append(errs, <-done)
	}
	return errors.Join(errs...)
}

// Record marks a point in the device's work, after everything started so far. The time between
// two points is measured by the device's own clock: later.Since(earlier).
func (d *Device) Record() (Event, error) {
	if err := d.check("record"); err != nil {
		return nil, err
	}
	return d.dev.Stream().Record()
}

// Time returns the device time that the work started by f takes.
func (d *Device) Time(f func() error) (time.Duration, error) {
	if f == nil {
		return 0, fault.New(ErrArgument, "time", "the function is nil").For("f")
	}
	start, err := d.Record()
	if err != nil {
		return 0, err
	}
	defer start.Close()
	if err := f(); err != nil {
		return 0, err
	}
	end, err := d.Record()
	if err != nil {
		return 0, err
	}
	defer end.Close()
	return end.Since(start)
}

// Close frees everything, the memory of tensors included. On the CPU it ends running work; GPUs cannot end a kernel, and
// Close waits for what runs. It also waits for kernels that are being compiled. A second Close does nothing.
func (d *Device) Close() error {
	if d == nil || d.dev == nil || d.closed.Swap(true) {
		return nil
	}
	d.pool.Close()
	return errors.Join(d.counters.close(), d.compiler.Close(), d.dev.Close())
}

// check reports a device that is missing or closed.
func (d *Device) check(op string) error {
	switch {
	case d == nil || d.dev == nil:
		return fault.New(ErrArgument, op, "the device is nil")
	case d.closed.Load():
		return fault.New(ErrClosed, op, "device %v is closed", d)
	}
	return nil
}

// newBuffer allocates device memory. Tensors that nothing refers to still hold
// theirs until the garbage collector finds them, so when memory runs out
// newBuffer runs the collector once.
func (d *Device) newBuffer(bytes int64) (backend.Buffer, error) {
	buf, err := d.pool.Get(bytes)
	if errors.Is(err, ErrOutOfMemory) {
		runtime.GC()
		time.Sleep(10 * time.Millisecond) // cleanups run concurrently
		buf, err = d.pool.Get(bytes)
	}
	return buf, err
}
