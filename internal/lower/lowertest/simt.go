package lowertest

import (
	"testing"

	"github.com/weftgpu/weft/simt"
)

// ReadBack is a kernel as its text says.
func ReadBack(t *testing.T, k *simt.Func) *simt.Func {
	t.Helper()
	again, err := simt.Parse(k.String())
	if err != nil {
		t.Fatalf("%v\n%v", err, k)
	}
	if k.String() != again.String() {
		t.Fatalf("read back as\n%v\nof\n%v", again, k)
	}
	return again
}

// Count is how many ops of a kind a kernel has.
func Count(k *simt.Func, kind simt.Kind) (n int) {
	simt.Walk(k.Body, func(op *simt.Op) {
		if op.Kind == kind {
			n++
		}
	})
	return n
}
