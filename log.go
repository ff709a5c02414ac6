package weft

import (
	"log/slog"

	"github.com/weftgpu/weft/internal/logging"
)

// SetLogger sets the logger for what the library does: at Debug what was compiled, how long that
// took and what came from a cache; at Info what takes long and what caches and pools dropped; at Warn what does
// not work and is skipped (a cache folder that cannot be written), and messages of drivers.
// Nothing is logged with a nil l. Results and errors never depend on it.
//
// Before the first call only one thing is logged, by slog.Default: a kernel whose compilation takes more than 2 seconds, at
// Info while it lasts, after 2, 4, 8, … seconds, and when it ends. SetLogger(nil) turns that off as well.
//
// The logger belongs to the process, as drivers and caches do. SetLogger may be
// called from any goroutine.
func SetLogger(l *slog.Logger) { logging.Set(l) }
