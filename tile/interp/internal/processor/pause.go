//go:build amd64 || arm64

package processor

// Pause is what a loop does that waits for another core.
func Pause()
