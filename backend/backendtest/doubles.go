package backendtest

import (
	"errors"
	"math"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

const noDouble = "the device has no floats of 64 bits"

// testDouble multiplies and adds tiles of F64 whose results no F32 holds, or is refused; so are ops, with their argument.
func testDouble(s *suite) {
	kernel := weft.NewKernel("double", func(k *tile.Builder, _ struct{}) {
		x, y, out := k.In("x", weft.F64, 3), k.In("y", weft.F64, 3), k.Out("out", weft.F64, 3)
		k.Schedule(tile.Schedule{Threads: 64})
		p := k.ProgramID(0)
		k.Grid(x.Dim(0))
		sum := k.Var(k.Full(weft.F64, 0x1p-40, 1, 16, 32))
		for i := range k.Range(k.CDiv(x.Dim(2), 8)) {
			sum.Set(tile.Dot(x.Block(1, 16, 8).Load(p, 0, i), y.Block(1, 8, 32).Load(p, i, 0), sum.Get(), tile.IEEE))
		}
		out.Block(1, 16, 32).Store(sum.Get(), p, 0, 0)
	})
	const m, n, depth = 13, 29, 21
	x, y := s.random(weft.F64, 2, m, depth), s.random(weft.F64, 2, depth, n)
	out := s.output(sliced, weft.F64, 2, m, n)
	err := kernel.Launch(struct{}{}, s.input(transposed, x), s.input(stepped, y), out.Tensor)
	if !s.has(weft.F64) {
		if !errors.Is(err, weft.ErrUnsupported) || !strings.Contains(err.Error(), noDouble) || !strings.Contains(err.Error(), "doubles.go:") {
			s.Errorf("on a device without F64: %v", err)
		}
		t := s.tensor(x)
		_, err := ops.Mul(t, t)
		if !errors.Is(err, weft.ErrUnsupported) || !strings.Contains(err.Error(), noDouble) {
			s.Errorf("an op on a device without F64: %v", err)
		}
		s.Skip(noDouble)
	}
	s.try(err)
	want, size := make([]float64, 2*m*n), make([]float64, 2*m*n)
	for i := range want {
		b, row, column := i/(m*n), i/n%m, i%n
		want[i], size[i] = 0x1p-40, 0
		for k := range depth {
			p := x.x[(b*m+row)*depth+k] * y.x[(b*depth+k)*n+column]
			want[i], size[i] = want[i]+p, size[i]+math.Abs(p)
		}
	}
	out.check(want, func(i int) float64 { return 2 * (depth + 2) * weft.F64.Epsilon() * size[i] })
}
