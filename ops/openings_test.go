package ops_test

import (
	"errors"
	"regexp"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// Tensors of two openings of one device do not meet, and the error says which of the user's arguments is on which
// opening, whatever the op and whichever of them comes first.
func TestTwoOpeningsOfOneDevice(t *testing.T) {
	var devices [2]*weft.Device
	for i := range devices {
		dev, err := weft.Open("cpu")
		if err != nil {
			t.Fatal(err)
		}
		defer dev.Close()
		devices[i] = dev
	}
	kernel := weft.NewKernel("own", func(k *tile.Builder, _ int) {
		x, y := k.In("x", weft.F32, 2), k.Out("y", weft.F32, 2)
		k.Grid(1)
		y.Block(4, 4).Store(x.Block(4, 4).Load(0, 0), 0, 0)
	})
	for name, c := range map[string]struct {
		f    func(x, y *weft.Tensor) error
		x, y string // what the error calls the tensors
	}{
		"add":      {func(x, y *weft.Tensor) error { _, err := ops.Add(x, y); return err }, "a", "b"},
		"add into": {func(x, y *weft.Tensor) error { return ops.AddInto(y, x, 1) }, "a", "out"},
		"matmul":   {func(x, y *weft.Tensor) error { _, err := ops.MatMul(x, y); return err }, "a", "b"},
		"bias":     {func(x, y *weft.Tensor) error { _, err := ops.MatMul(x, x, ops.Bias(y)); return err }, "a", "bias"},
		"sum into": {func(x, y *weft.Tensor) error { return ops.SumInto(y, x) }, "x", "out"},
		"kernel":   {func(x, y *weft.Tensor) error { return kernel.Launch(0, x, y) }, "x", "y"},
	} {
		for first := range 2 {
			x, err := weft.Zeros(devices[first], weft.F32, 4, 4)
			if err != nil {
				t.Fatal(err)
			}
			y, err := weft.Zeros(devices[1-first], weft.F32, 4, 4)
			if err != nil {
				t.Fatal(err)
			}
			err = c.f(x, y)
			if !errors.Is(err, weft.ErrDevice) {
				t.Errorf("%s: %v, want ErrDevice", name, err)
				continue
			}
			m := regexp.MustCompile(`weft: .*: (\w+): the tensor is on opening (\d+) of cpu:0, (\w+) is on opening (\d+): open a device once`).FindStringSubmatch(err.Error())
			if m == nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			xFirst, yFirst := m[1] == c.x && m[3] == c.y, m[1] == c.y && m[3] == c.x
			later := len(m[2]) > len(m[4]) || len(m[2]) == len(m[4]) && m[2] > m[4] // the one named first was opened later
			if !xFirst && !yFirst || later != (xFirst == (first == 1)) {
				t.Errorf("%s with x on device %d: %v", name, first, err)
			}
		}
	}
}
