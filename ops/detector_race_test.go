//go:build race

package ops_test

const raceDetector = true
