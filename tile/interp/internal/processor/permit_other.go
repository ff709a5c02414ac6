//go:build !linux || !amd64

package processor

// permitTiles is false: other systems are not asked.
func permitTiles() bool { return false }
