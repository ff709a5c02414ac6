package fault

import (
	"errors"
	"io"
	"testing"
)

func TestErrorTextAndUnwrapping(t *testing.T) {
	err := error(New(ErrShape, "matmul", "%d columns, %d rows", 3, 4).For("b").At("my.go:7").Because(io.ErrUnexpectedEOF))
	want := "weft: my.go:7: matmul: b: 3 columns, 4 rows: shape mismatch: unexpected EOF"
	if err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
	if !errors.Is(err, ErrShape) || !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, ErrLimit) {
		t.Errorf("%v: kind or cause are not found, or another kind is", err)
	}
	if got := (&Error{}).Error(); got != "weft: " {
		t.Errorf("an empty error prints %q", got)
	}
}

func TestSentinelsAreDistinct(t *testing.T) {
	all := []error{ErrUnsupported, ErrLimit, ErrArgument, ErrShape, ErrKernel, ErrDevice, ErrClosed, ErrDeviceLost, ErrCanceled, ErrOutOfMemory}
	for i, a := range all {
		for j, b := range all {
			if errors.Is(New(a, "op", "found"), b) != (i == j) {
				t.Errorf("errors.Is confuses %v and %v", a, b)
			}
		}
	}
}
