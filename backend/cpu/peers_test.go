package cpu_test

import (
	"errors"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// fillOrFail stores 9, and fails if x is not above 0.
var fillOrFail = weft.NewKernel("fill_or_fail", func(k *tile.Builder, _ int) {
	x, y := k.Scalar("x", weft.I32), k.Out("y", weft.F32, 1)
	k.Assert(x.Gt(0), "x is not above 0")
	y.Block(4).Store(k.Full(weft.F32, 9, 4), 0)
})

// Memory that a kernel of another device should have written cannot be read on any, until all of it is written.
func TestFailureOfPeer(t *testing.T) {
	one, another := openCPU(t), openCPU(t)
	x, err := weft.Full(one, weft.F32, 1, 4)
	if err != nil {
		t.Fatal(err)
	}
	view, err := x.On(another)
	if err != nil {
		t.Fatal(err)
	}
	if err := fillOrFail.LaunchWith(0, weft.Scalars{0}, view); err != nil {
		t.Fatal(err)
	}
	if err := another.Synchronize(); !errors.Is(err, weft.ErrKernel) {
		t.Errorf("%v, want ErrKernel", err)
	}
	for name, y := range map[string]*weft.Tensor{"the tensor": x, "the view": view} {
		if _, err := weft.ToSlice[float32](y); !errors.Is(err, weft.ErrKernel) {
			t.Errorf("%s: %v, want ErrKernel", name, err)
		}
	}
	if err := errors.Join(fillOrFail.LaunchWith(0, weft.Scalars{1}, view), another.Synchronize()); err != nil {
		t.Fatal(err)
	}
	if got, err := weft.ToSlice[float32](x); err != nil || got[3] != 9 {
		t.Errorf("%v, %v", got, err)
	}
}

func openCPU(t *testing.T) *weft.Device {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return dev
}
