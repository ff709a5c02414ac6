package main

import (
	"math"
	"testing"
)

// The example finds its own results right, on any number of devices.
func TestRun(t *testing.T) {
	for _, devices := range []int{1, 2, 3} {
		if err := run("cpu", devices, 20); err != nil {
			t.Error(err)
		}
	}
	if err := run("cpu", 5, 20); err == nil {
		t.Error("5 devices have 12 heads")
	}
}

// Sizes that no memory holds are errors, as are those that make no sense.
func TestSizes(t *testing.T) {
	for _, size := range [][2]int{{-1, 20}, {13, 20}, {1 << 20, 20}, {2, 0}, {2, -1}, {2, math.MaxInt}, {2, math.MaxInt/4 + 1}} {
		if err := run("cpu", size[0], size[1]); err == nil {
			t.Errorf("-devices %d -tokens %d is no error", size[0], size[1])
		}
	}
}
