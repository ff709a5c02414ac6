//go:build cgo || js

package webgpu

import (
	"errors"
	"strings"
	"sync"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// device is an open adapter. Fields below mu are guarded by it.
type device struct {
	info backend.Info
	caps target.Caps

	// transfer serialises what uses the staging buffers. It is taken before mu.
	transfer sync.Mutex

	mu      backend.Guard
	gpu     *gpu
	failed  error // first error that no caller has seen; see keep
	queue   queue
	groups  groupCache
	staging [2]stagingBuffer
	clock   clock
	nextID  uint64
}

func newDevice(info backend.Info, g *gpu) (*device, error) {
	d := &device{
		info: info,
		gpu:  g,
		caps: target.Caps{
			Language:        target.WGSL,
			MaxThreads:      g.limits.threads,
			MaxGrid:         [3]int{g.limits.groups, g.limits.groups, g.limits.groups},
			SharedBytes:     g.limits.shared,
			MaxBindings:     g.limits.bindings,
			MaxBindingBytes: g.limits.binding &^ (granule - 1),
			MaxBufferBytes:  g.limits.buffer &^ (granule - 1),
			Registers:       g.limits.registers,
			Machine:         target.MachineOf(info.Name, g.limits.kind),
			F16:             g.limits.f16,
			Fingerprint:     strings.Join([]string{name, info.Name, info.Driver, libraryVersion}, "|"),
		},
	}
	if err := d.queue.init(g); err != nil {
		g.release()
		return nil, fail("open", fault.ErrDevice, err)
	}
	return d, nil
}

func (d *device) Info() backend.Info { return d.info }

func (d *device) Caps() target.Caps { return d.caps }

func (d *device) Stream() backend.Stream { return stream{d} }

// Compile returns the kernel's WGSL: wgpu takes source, and Load compiles it.
func (d *device) Compile(src backend.Source) ([]byte, error) {
	if err := d.mu.Enter("compile " + src.Entry); err != nil {
		return nil, err
	}
	defer d.mu.Unlock()
	if err := backend.CheckSource(src, d.caps); err != nil {
		return nil, err
	}
	return []byte(src.Text), nil
}

// enterOrdered locks the device for calls that need the success of those before them.
func (d *device) enterOrdered(op string) error {
	if err := d.mu.Enter(op); err != nil {
		return err
	}
	d.collect()
	if d.failed != nil {
		defer d.mu.Unlock()
		return d.failed
	}
	return nil
}

// waitUnlocked waits for s and lets other calls in meanwhile.
func (d *device) waitUnlocked(s submission) {
	d.mu.Unlocked(func() { d.gpu.wait(s) })
}

// keep remembers the first error of work whose call has returned, or that the device is lost.
func (d *device) keep(err error) {
	if err != nil && (d.failed == nil || errors.Is(err, fault.ErrDeviceLost)) {
		d.failed = err
	}
}

// collect keeps what the library has reported on the side.
func (d *device) collect() {
	if err, lost := d.gpu.takeError(); lost {
		d.keep(fault.New(fault.ErrDeviceLost, name, "%s", message(err)))
	} else if err != nil {
		d.keep(fail("uncaptured error", fault.ErrUnsupported, err))
	}
}

// Close waits for work in flight and frees everything.
func (d *device) Close() error {
	if !d.mu.Shut() {
		return nil
	}
	defer d.mu.Unlock()
	// wgpu-native mixes up devices if one is released before its writes are
	// submitted: the next device then aborts the process at its first submission.
	d.flushAll()
	d.gpu.wait(submission{})
	d.groups.clear()
	d.mu.FreeAll()
	for _, s := range d.staging {
		if s.raw != nil {
			s.raw.Release()
		}
	}
	d.clock.release()
	d.queue.scalars.Release()
	d.gpu.release()
	return nil
}

// fail turns an error of the library into one of ours. kind is what it is
// unless its text says that memory ran out or the device is gone.
func fail(op string, kind error, err error) error {
	text := message(err)
	switch lower := strings.ToLower(text); {
	case strings.Contains(lower, "out of memory"), strings.Contains(lower, "not enough memory"):
		kind = fault.ErrOutOfMemory
	case strings.Contains(lower, "device is lost"), strings.Contains(lower, "device lost"):
		kind = fault.ErrDeviceLost
	}
	return fault.New(kind, name+": "+op, "%s", text)
}
