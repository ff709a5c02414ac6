package progress

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/weftgpu/weft/tune"
)

// Each phase has its line, also when the same race is held again, and no line is left.
func TestLines(t *testing.T) {
	var text bytes.Buffer
	show := To(&text)
	for range 2 {
		for _, phase := range []string{"compile", "measure"} {
			for i := range 10 { // the total shrinks to 10
				show(tune.Progress{Op: "matmul", Problem: "{}", Phase: phase, Done: i + 1, Total: 19 - i, Left: 10 - i, Best: time.Millisecond})
			}
		}
	}
	for _, want := range []string{"matmul: compile 1 of 19, 10 left, best 1ms", "matmul: measure 1 of 19, 10 left, best 1ms"} {
		if n := strings.Count(text.String(), want); n != 2 {
			t.Errorf("%q is shown %d times:\n%q", want, n, text.String())
		}
	}
	if !strings.HasSuffix(text.String(), " \r") {
		t.Errorf("a line is left over: %q", text.String())
	}
}

func TestNoTerminal(t *testing.T) {
	if Terminal() != nil {
		t.Skip("standard error is a terminal")
	}
}
