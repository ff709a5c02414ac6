package kernels

import (
	"testing"

	"github.com/weftgpu/weft/target"
)

// preset is the hardware of a name.
func preset(t testing.TB, name string) target.Preset {
	t.Helper()
	p, ok := target.PresetNamed(name)
	if !ok {
		t.Fatalf("no preset %s", name)
	}
	return p
}
