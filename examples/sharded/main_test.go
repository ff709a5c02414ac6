package main

import "testing"

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
