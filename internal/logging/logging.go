package logging

import (
	"log/slog"
	"sync/atomic"
)

// KernelLoaded is what is logged of each kernel that a device compiled, or took from the disk.
const KernelLoaded = "kernel loaded"

var silent = slog.New(slog.DiscardHandler)

var (
	current atomic.Pointer[slog.Logger]
	chosen  atomic.Bool // Set was called
)

// Set makes l the logger, nil for none.
func Set(l *slog.Logger) {
	current.Store(l)
	chosen.Store(true)
}

// Logger is where to log; never nil. What is costly to say is said only if the logger's
// Enabled wants it.
func Logger() *slog.Logger {
	if l := current.Load(); l != nil {
		return l
	}
	return silent
}

// Waiting is where to log what a person waits for: the logger or, before anybody chose one by Set,
// the process's default one, since a program that is silent for minutes looks like one that hangs.
func Waiting() *slog.Logger {
	if !chosen.Load() {
		return slog.Default()
	}
	return Logger()
}
