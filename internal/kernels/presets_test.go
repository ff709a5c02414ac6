package kernels

import (
	"testing"

	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
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

// contiguousView is of a tensor in order.
func contiguousView(t *testing.T, n ...int) tune.View {
	t.Helper()
	l, err := layout.Contiguous(n...)
	if err != nil {
		t.Fatal(err)
	}
	return tune.ViewOf(l)
}
