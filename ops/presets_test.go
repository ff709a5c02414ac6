package ops_test

import (
	"testing"

	"github.com/weftgpu/weft/target"
)

// preset is what a preset's device can do.
func preset(t testing.TB, name string) target.Caps {
	t.Helper()
	p, ok := target.PresetNamed(name)
	if !ok {
		t.Fatalf("no preset %q", name)
	}
	return p.Caps
}
