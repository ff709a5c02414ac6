package main

import "testing"

// The example finds its own results right.
func TestRun(t *testing.T) {
	if err := run("cpu", 3, 192); err != nil {
		t.Fatal(err)
	}
}
