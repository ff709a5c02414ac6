package progress

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/weftgpu/weft/tune"
)

// A bar for each phase, whose total may shrink, and one anew when the same race is held again.
func TestBars(t *testing.T) {
	var text bytes.Buffer
	show := To(&text)
	for range 2 {
		for _, phase := range []string{"compile", "measure"} {
			for i := range 10 {
				show(tune.Progress{Op: "matmul", Problem: "{}", Phase: phase, Done: i + 1, Total: 20 - i, Left: 10 - i, Best: time.Millisecond})
			}
		}
	}
	for _, want := range []string{"matmul: compile, 10 left, best 1ms", "matmul: measure, 10 left, best 1ms"} {
		if strings.Count(text.String(), want) < 2 {
			t.Errorf("%q is not shown in both races:\n%q", want, text.String())
		}
	}
}

func TestNoTerminal(t *testing.T) {
	if Terminal() != nil {
		t.Skip("standard error is a terminal")
	}
}
