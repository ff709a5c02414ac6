package main

import (
	"math"
	"testing"
)

// The example finds its own results right.
func TestRun(t *testing.T) {
	if err := run("cpu", 33); err != nil {
		t.Fatal(err)
	}
}

// Sizes that no memory holds are errors, as are those that make no sense.
func TestSizes(t *testing.T) {
	for _, n := range []int{-1, math.MaxInt/4 + 1, math.MaxInt} {
		if err := run("cpu", n); err == nil {
			t.Errorf("-n %d is no error", n)
		}
	}
}
