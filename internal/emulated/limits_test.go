package emulated_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/emulated"
	"github.com/weftgpu/weft/ops"
)

// TestLimitsLoseNothing rotates and appends on a device whose bindings are too small for one of the tensors: the launch that has it is refused before
// another one has written.
func TestLimitsLoseNothing(t *testing.T) {
	caps := small
	caps.MaxBindingBytes, caps.Fingerprint = 1<<10, "small bindings"
	for _, d := range emulated.New(emulated.Device{Name: "small bindings", Caps: caps}).Candidates() {
		b, err := d.Open()
		if err != nil {
			t.Fatal(err)
		}
		dev := weft.NewDevice(b)
		defer dev.Close()
		made := map[string]*weft.Tensor{}
		full := func(name string, value float32, shape ...int) *weft.Tensor {
			n := 1
			for _, s := range shape {
				n *= s
			}
			x, err := weft.FromSlice(dev, slices.Repeat([]float32{value}, n), shape...)
			if err != nil {
				t.Fatal(err)
			}
			made[name] = x
			return x
		}
		ints := func(shape ...int) *weft.Tensor {
			x, err := weft.Zeros(dev, weft.I32, shape...)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		const length = 64 // of what a binding does not hold
		row := func(name string) *weft.Tensor { return full(name, 1, 1, 1, 1, 8) }
		for name, run := range map[string]func() error{
			"queries apart": func() error { // 9 buffers
				tables := ops.RotaryTables(full("cos", 0, 4, 4), full("sin", 1, 4, 4))
				return ops.RotaryAppend(full("keys", 7, 1, 1, length, 8), full("values", 7, 1, 1, length, 8), row("q"), row("k"), row("v"), ints(1), ints(1, 1), tables)
			},
			"what is not rotated": func() error {
				return ops.RotaryAppend(full("keys", 7, 1, 1, 1, 8), full("values", 7, 1, 1, length, 8), nil, row("k"), row("v"), ints(1), nil, ops.RotaryDims(2))
			},
			"what is not rotated, alone": func() error {
				return ops.RotaryInto(full("out", 7, 1, 1, 1, 8), row("x"), ops.RotaryDims(2), ops.RotaryTables(full("cos", 0, 5*length, 1), full("sin", 1, 5*length, 1)))
			},
		} {
			clear(made)
			if err := run(); !errors.Is(err, weft.ErrLimit) {
				t.Errorf("%s: %v", name, err)
			}
			for arg, x := range made {
				row, err := x.Reshape(x.Len())
				if err != nil {
					t.Fatal(err)
				}
				first, err := row.Slice(0, 0, min(x.Len(), 8))
				if err != nil {
					t.Fatal(err)
				}
				got, err := weft.ToSlice[float32](first)
				want := map[string]float32{"keys": 7, "values": 7, "out": 7, "cos": 0}
				value, ok := want[arg]
				if !ok {
					value = 1
				}
				if err != nil || slices.ContainsFunc(got, func(x float32) bool { return x != value }) {
					t.Errorf("%s: %s has %v, had %v, %v", name, arg, got, value, err)
				}
			}
		}
	}
}
