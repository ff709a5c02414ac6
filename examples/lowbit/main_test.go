package main

import (
	"math"
	"testing"
)

// The example finds its own results right.
func TestRun(t *testing.T) {
	if err := run("cpu", 3, 192); err != nil {
		t.Fatal(err)
	}
}

// Sizes that no memory holds are errors, as are those that make no sense.
func TestSizes(t *testing.T) {
	for _, size := range [][2]int{{0, 64}, {64, 0}, {-1, 64}, {64, -64}, {1, math.MaxInt - 63}, {math.MaxInt, 64}, {1 << 32, 1 << 32}} {
		if err := run("cpu", size[0], size[1]); err == nil {
			t.Errorf("-rows %d -side %d is no error", size[0], size[1])
		}
	}
}
