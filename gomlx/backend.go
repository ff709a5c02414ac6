package gomlx

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/backends/notimplemented"
	"github.com/pkg/errors"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/all" // the drivers
	"github.com/weftgpu/weft/tile"
)

// BackendName is the name of the backend in GOMLX_BACKEND.
const BackendName = "weft"

func init() { backends.Register(BackendName, New) }

// Backend is a device of weft as GoMLX sees it. It is safe for concurrent use.
type Backend struct {
	dev       *weft.Device
	replay    bool // computations whose tensors come again are captured
	pairs     bool // the device has no integers of 64 bits: they are pairs of words
	precision tile.Precision
	finalized atomic.Bool
}

var _ backends.Backend = (*Backend)(nil)

// options are what a configuration may say after the device.
var options = map[string]func(*Backend){
	"":                 func(*Backend) {},
	"replay=on":        func(b *Backend) { b.replay = true },
	"replay=off":       func(b *Backend) { b.replay = false },
	"precision=ieee":   func(b *Backend) { b.precision = tile.IEEE },
	"precision=tf32x3": func(b *Backend) { b.precision = tile.TF32x3 },
	"precision=tf32":   func(b *Backend) { b.precision = tile.TF32 },
}

// New opens the device that a configuration names, as weft.Open does: "" is the best one, "vulkan:1" a certain one.
// Options follow after commas: "cpu,replay=off" captures no launches, and "cuda,precision=tf32" lets products of F32
// use matrix instructions with operands of less precision, as ops.Precision says; "precision=tf32x3" keeps most of it, and the default,
// "precision=ieee", all.
func New(config string) (backends.Backend, error) {
	spec, list, _ := strings.Cut(config, ",")
	b := &Backend{replay: true}
	for name := range strings.SplitSeq(list, ",") {
		set := options[name]
		if set == nil {
			return nil, errors.Errorf("weft: option %q of configuration %q, want one of %s", name, config, strings.Join(slices.Sorted(maps.Keys(options))[1:], ", "))
		}
		set(b)
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
