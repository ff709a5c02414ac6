package logging

import (
	"log/slog"
	"sync/atomic"
)

var silent = slog.New(slog.DiscardHandler)

var current atomic.Pointer[slog.Logger]

// Set makes l the logger, nil for none.
func Set(l *slog.Logger) { current.Store(l) }

// Logger is where to log; never nil. What is costly to say is said only if the logger's
// Enabled wants it.
func Logger() *slog.Logger {
	if l := current.Load(); l != nil {
		return l
	}
	return silent
}
