package mesh

import (
	"cmp"
	"errors"
	"os"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
)

// reaching is a group of devices that reach each other, of the backend that tests are to use.
func reaching(t *testing.T) *Group {
	name, n := cmp.Or(os.Getenv("WEFT_MESH_BACKEND"), "cpu"), 0
	if name == "cpu" {
		n = 2
	}
	g, err := Open(name, n)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	if g.laneList() == nil || g.Size() < 2 {
		t.Skipf("%d × %s: there are no devices that reach each other", g.Size(), name)
	}
	if !g.signals.ready(g) {
		t.Fatalf("%d × %s: %v", g.Size(), name, g.signals.why)
	}
	return g
}

// recordProduct records an AllGatherMatMul that overlaps.
func recordProduct(t *testing.T, g *Group) *Recording {
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
		return g.AllGatherMatMul(out, a, b)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { step.Close() })
	return step
}

// Devices that reach each other have signals, and a captured product takes the way that overlaps: the other one gives the same results, so that nothing else would
// tell.
func TestSignals(t *testing.T) {
	g := reaching(t)
	if err := errors.Join(recordProduct(t, g).Replay(), g.Synchronize()); err != nil {
		t.Fatal(err)
	}
}

// A member that cannot replay its part ends the group: those that wait for it go on.
func TestReplayFails(t *testing.T) {
	g := reaching(t)
	step := recordProduct(t, g)
	if err := step.parts[1].Close(); err != nil {
		t.Fatal(err)
	}
	if err := step.start(); !errors.Is(err, fault.ErrClosed) {
		t.Errorf("a member's part is closed: %v", err)
	}
	for i, dev := range g.Devices() {
		if err := dev.Synchronize(); err != nil {
			t.Errorf("device %d: %v", i, err)
		}
	}
	if g.Err() == nil {
		t.Error("the group has no error")
	}
	if err := step.Replay(); !errors.Is(err, fault.ErrClosed) {
		t.Errorf("again: %v", err)
	}
}
