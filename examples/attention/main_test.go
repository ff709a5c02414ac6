package main

import "testing"

// The example finds its own results right.
func TestRun(t *testing.T) {
	if err := run("cpu", 70); err != nil {
		t.Fatal(err)
	}
}
