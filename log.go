package weft

import (
	"log/slog"

	"github.com/weftgpu/weft/internal/logging"
)

// SetLogger makes l hear what the library does: at Debug what was compiled, how long that
// took and what came out of a cache, at Info what caches and pools gave up, at Warn what does
// not work and is done without (a cache folder that cannot be written) and what drivers complain of.
// Nothing is logged before the first call nor with a nil l. Results and errors never depend on it.
//
// The logger belongs to the process, as drivers and caches do. SetLogger may be
// called from any goroutine.
func SetLogger(l *slog.Logger) { logging.Set(l) }
