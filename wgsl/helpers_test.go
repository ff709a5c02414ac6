package wgsl

import (
	"strings"
	"testing"
)

// TestLibrary: what helpers call is there, and no mark of a template is left in one.
func TestLibrary(t *testing.T) {
	calls := 0
	for name, f := range library {
		for _, called := range f.calls {
			if _, ok := library[called]; !ok {
				t.Errorf("%s calls %s, which is no helper", name, called)
			}
			calls++
		}
		if !strings.HasPrefix(f.text, "\n") || strings.Contains(f.text, "_N") || strings.Contains(strings.ReplaceAll(f.text, "{\n", ""), "{") {
			t.Errorf("%s is\n%s", name, f.text)
		}
	}
	if calls == 0 {
		t.Error("no helper calls another")
	}
}
