package weft

import (
	"log/slog"

	"github.com/weftgpu/weft/internal/logging"
)

// SetLogger makes l hear what the library does: at Debug what was compiled, how long that
// took and what came out of a cache, at Info what takes long and what caches and pools gave up, at Warn what does
// not work and is done without (a cache folder that cannot be written) and what drivers complain of.
// Nothing is logged with a nil l. Results and errors never depend on it.
//
// Before the first call one thing alone is logged, by slog.Default: a kernel whose compilation takes more than 2 seconds, at
// Info while it lasts, after 2, 4, 8, … seconds, and when it ends. SetLogger(nil) turns that off as well.
//
// The logger belongs to the process, as drivers and caches do. SetLogger may be
// called from any goroutine.
func SetLogger(l *slog.Logger) { logging.Set(l) }
