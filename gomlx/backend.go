package gomlx

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/backends/notimplemented"
	"github.com/pkg/errors"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/all" // the drivers
)

// BackendName is the name of the backend in GOMLX_BACKEND.
const BackendName = "weft"

func init() { backends.Register(BackendName, New) }

// Backend is a device of weft as GoMLX sees it. It is safe for concurrent use.
type Backend struct {
	dev       *weft.Device
	replay    bool // computations whose tensors come again are captured
	pairs     bool // the device has no integers of 64 bits: they are pairs of words
	finalized atomic.Bool
}

var _ backends.Backend = (*Backend)(nil)

// New opens the device that a configuration names, as weft.Open does: "" is the best one, "vulkan:1" a certain one.
// Options follow after commas: "cpu,replay=off" captures no launches.
func New(config string) (backends.Backend, error) {
	spec, options, _ := strings.Cut(config, ",")
	b := &Backend{replay: true}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "", "replay=on":
		case "replay=off":
			b.replay = false
		default:
			return nil, errors.Errorf("weft: option %q of configuration %q, want replay=on or replay=off", option, config)
		}
	}
	dev, err := weft.Open(spec)
	if err != nil {
		return nil, errors.WithMessagef(err, "weft: configuration %q", config)
	}
	b.dev, b.pairs = dev, !dev.Caps().Int64
	return b, nil
}

// Device is the device that the backend runs on.
func (b *Backend) Device() *weft.Device { return b.dev }

// Name returns "weft".
func (b *Backend) Name() string { return BackendName }

// String returns "weft".
func (b *Backend) String() string { return BackendName }

// Description names the backend and its device.
func (b *Backend) Description() string {
	return fmt.Sprintf("weft on %s (%s)", b.dev, b.dev.Info().Name)
}

// NumDevices returns 1: a backend is one device.
func (b *Backend) NumDevices() int { return 1 }

// DeviceDescription names the device.
func (b *Backend) DeviceDescription(backends.DeviceNum) string { return b.dev.Info().Name }

// Capabilities returns the ops and the element types of the device.
func (b *Backend) Capabilities() backends.Capabilities { return capabilities(b.dev) }

// Builder starts a computation.
func (b *Backend) Builder(name string) backends.Builder {
	c := &Builder{name: name, backend: b}
	c.Builder.ErrFn = func(op backends.OpType) error {
		return errors.Wrapf(notimplemented.NotImplementedError, "weft: %s", op)
	}
	return c
}

// Finalize closes the device and everything on it. A second call does nothing.
func (b *Backend) Finalize() {
	if !b.finalized.Swap(true) {
		_ = b.dev.Close()
	}
}

// IsFinalized reports whether Finalize was called.
func (b *Backend) IsFinalized() bool { return b.finalized.Load() }

// checkDevice allows only the one device that there is.
func (b *Backend) checkDevice(op string, n backends.DeviceNum) error {
	switch {
	case b.IsFinalized():
		return errors.Errorf("weft: %s: the backend is finalized", op)
	case n != 0:
		return errors.Errorf("weft: %s: device %d, want 0: a backend is one device", op, n)
	}
	return nil
}
