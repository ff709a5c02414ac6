package measure

import (
	"context"
	"log/slog"
	"sync/atomic"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/logging"
)

// kernelCounter counts what is logged of kernels that are loaded, and passes on what says more than that.
type kernelCounter struct {
	slog.Handler
	least slog.Level // that is passed on
}

// loaded is how many kernels the process has loaded since CountKernels.
var loaded atomic.Int64

// CountKernels has the library's logger count kernels, for Timing.Kernels. Messages from a level on go to slog's default handler.
func CountKernels(least slog.Level) {
	weft.SetLogger(slog.New(kernelCounter{slog.Default().Handler(), least}))
}

// Enabled is also true for Debug, at which kernels are logged.
func (k kernelCounter) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelDebug
}

// Handle counts a kernel.
func (k kernelCounter) Handle(ctx context.Context, r slog.Record) error {
	switch {
	case r.Message == logging.KernelLoaded:
		loaded.Add(1)
	case r.Level >= k.least:
		return k.Handler.Handle(ctx, r)
	}
	return nil
}

// WithAttrs and WithGroup keep counting.
func (k kernelCounter) WithAttrs(attrs []slog.Attr) slog.Handler {
	return kernelCounter{k.Handler.WithAttrs(attrs), k.least}
}
func (k kernelCounter) WithGroup(name string) slog.Handler {
	return kernelCounter{k.Handler.WithGroup(name), k.least}
}
