package mesh

import (
	"cmp"
	"os"
	"testing"

	"github.com/weftgpu/weft"
)

// Devices that reach each other have signals, and a captured product takes the way that overlaps: the other one gives the same results, so that nothing else would
// tell.
func TestSignals(t *testing.T) {
	name, n := cmp.Or(os.Getenv("WEFT_MESH_BACKEND"), "cpu"), 0
	if name == "cpu" {
		n = 2
	}
	g, err := Open(name, n)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if g.laneList() == nil || g.Size() < 2 {
		t.Skipf("%d × %s: there are no devices that reach each other", g.Size(), name)
	}
	if !g.signals.ready(g) {
		t.Fatalf("%d × %s: %v", g.Size(), name, g.signals.why)
	}
	var a, b, out []*weft.Tensor
	for _, dev := range g.Devices() {
		a = append(a, must(t)(weft.Full(dev, weft.F32, 1, 3, 4)))
		b = append(b, must(t)(weft.Full(dev, weft.F32, 1, 4, 5)))
		out = append(out, must(t)(weft.Zeros(dev, weft.F32, 3*g.Size(), 5)))
	}
	step, err := g.Capture(func(rec []*weft.Recorder) error {
		for i, r := range rec {
			a[i], out[i] = r.Use(a[i]), r.Use(out[i])
		}
		p, err := g.product("test", out, a, b, 1)
		if err != nil {
			return err
		}
		defer p.close()
		if !p.overlaps() {
			t.Error("a captured product does not overlap")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := step.Close(); err != nil {
		t.Error(err)
	}
}
