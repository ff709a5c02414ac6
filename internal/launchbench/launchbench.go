package launchbench

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// Case is an op with tensors that exist.
type Case struct {
	Name   string
	Launch func() error
}

// Cases lists ops on small tensors of a device: the shapes are those of one kernel, but for the last ones,
// which take two and a workspace.
func Cases(dev *weft.Device) ([]Case, error) {
	var failed error
	tensor := func(shape ...int) *weft.Tensor {
		t, err := weft.Zeros(dev, weft.F32, shape...)
		if failed == nil {
			failed = err
		}
		return t
	}
	a, b, out := tensor(64, 64), tensor(64, 64), tensor(64, 64)
	row, column, scalar := tensor(64), tensor(64, 1), tensor()
	long, longOut := tensor(1<<16), tensor(1<<16)
	if failed != nil {
		return nil, failed
	}
	return []Case{
		{"AddInto", func() error { return ops.AddInto(out, a, b) }},
		{"AddInto/row", func() error { return ops.AddInto(out, a, row) }},
		{"AddInto/number", func() error { return ops.AddInto(out, a, 2.5) }},
		{"GELUInto", func() error { return ops.GELUInto(out, a) }},
		{"MatMulInto", func() error { return ops.MatMulInto(out, a, b) }},
		{"SoftmaxInto", func() error { return ops.SoftmaxInto(out, a) }},
		{"LayerNormInto", func() error { return ops.LayerNormInto(out, a, row, row) }},
		{"SumInto/rows", func() error { return ops.SumInto(column, a, ops.Over(1), ops.KeepDims()) }},
		{"SumInto/two passes", func() error { return ops.SumInto(scalar, long) }},
		{"SoftmaxInto/two passes", func() error { return ops.SoftmaxInto(longOut, long) }},
	}, nil
}

// Run measures the cases.
func Run(b *testing.B, dev *weft.Device) {
	cases, err := Cases(dev)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range cases {
		b.Run(c.Name, func(b *testing.B) { Measure(b, dev, c.Launch) })
	}
}

// Measure measures one kind of launch.
func Measure(b *testing.B, dev *weft.Device, launch func() error) {
	if err := launch(); err != nil { // compiles
		b.Fatal(err)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := launch(); err != nil {
			b.Fatal(err)
		}
		if i%128 == 127 { // before a queue is full
			b.StopTimer()
			if err := dev.Synchronize(); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	}
}
