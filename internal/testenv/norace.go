//go:build !race

package testenv

// RaceDetector reports whether the race detector is on, under which sync.Pool keeps nothing: launches allocate then.
const RaceDetector = false
