package mesh_test

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/mesh"
)

// full is a device whose memory can be used up.
type full struct {
	backend.Device
	none atomic.Bool
}

func (f *full) NewBuffer(bytes int64) (backend.Buffer, error) {
	if f.none.Load() {
		return nil, fault.New(fault.ErrOutOfMemory, "new buffer", "a buffer of %d bytes", bytes)
	}
	return f.Device.NewBuffer(bytes)
}

// A rank without memory for a call fails it on all: nothing is written anywhere, and the group stays usable.
func TestOutOfMemory(t *testing.T) {
	var last *full
	var devices []*weft.Device
	for range 3 {
		last = &full{Device: ok[backend.Device](t)(backend.Open("cpu"))}
		dev := weft.NewDevice(last)
		defer dev.Close()
		if err := dev.SetPoolBudget(0); err != nil { // each tensor is a buffer of its own
			t.Fatal(err)
		}
		devices = append(devices, dev)
	}
	g := ok[*mesh.Group](t)(mesh.New(devices))
	defer g.Close()
	var x, y []*weft.Tensor
	for i, dev := range devices {
		wide := ok[*weft.Tensor](t)(weft.Full(dev, weft.F32, i+1, 4, 6))
		x = append(x, ok[*weft.Tensor](t)(wide.Slice(1, 1, 4))) // which needs a dense copy
		y = append(y, ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 4, 3)))
	}
	last.none.Store(true)
	if err := g.AllReduce(mesh.Sum, y, x); !errors.Is(err, weft.ErrOutOfMemory) {
		t.Errorf("%v, want ErrOutOfMemory", err)
	}
	last.none.Store(false)
	for _, want := range []float64{0, 6} {
		for rank := range y {
			if got := ok[[]float64](t)(weft.ToFloats(y[rank])); !slices.Equal(got, slices.Repeat([]float64{want}, 12)) {
				t.Errorf("rank %d has %v, want %v", rank, got, want)
			}
		}
		if err := g.AllReduce(mesh.Sum, y, x); err != nil {
			t.Fatal(err)
		}
	}
}
