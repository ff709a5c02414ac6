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
	// What the message or the cause says already, and the library's name, are said once.
	for want, got := range map[string]error{
		"weft: open: the device is closed":                       New(ErrClosed, "open", "the device is closed"),
		"weft: a: x cannot be made: b: y: limit exceeded":        New(ErrLimit, "a", "x cannot be made").Because(New(ErrLimit, "b", "y")),
		"weft: a: x cannot be made: unsupported: b: y is closed": New(ErrUnsupported, "a", "x cannot be made").Because(New(ErrClosed, "b", "y is closed")),
		"weft: a: it is not enclosed: closed":                    New(ErrClosed, "a", "it is not enclosed"),
	} {
		if got.Error() != want {
			t.Errorf("got  %v\nwant %s", got, want)
		}
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
