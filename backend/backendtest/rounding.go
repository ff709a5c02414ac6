package backendtest

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// roundedOnce are numbers that end next to the nearest value of a 16-bit type if they become F32 on the way.
var roundedOnce = []struct {
	elem    weft.DType
	x, want float64
}{
	{weft.F16, 0x1.1020005374060p+8, 0x1.104p8},
	{weft.F16, -0x1.29dfff76a93d6p+3, -0x1.29cp3},
	{weft.BF16, 0x1.06ffffaa15378p+0, 0x1.06p0},
	{weft.BF16, -0x1.0500000000001p+100, -0x1.06p100},
	{weft.F16, math.Nextafter(0x1p-25, 1), 0x1p-24},
	{weft.F16, math.Nextafter(65520, 0), 65504},
	{weft.BF16, math.Nextafter(0x1.FFp127, 0), 0x1.FEp127},
}

// roundKernel writes a constant of a kernel.
var roundKernel = weft.NewKernel("constant", func(k *tile.Builder, c struct {
	Elem weft.DType
	X    float64
}) {
	y := k.Out("y", c.Elem, 1)
	y.Block(4).Store(k.Const(c.Elem, c.X).Splat(4), 0)
})

// testRoundedOnce: a float64 rounds once to the element type, wherever it is given.
func testRoundedOnce(s *suite) {
	for _, c := range roundedOnce {
		zeros := s.ok(weft.Zeros(s.dev, c.elem, 3))
		filled := s.ok(weft.Empty(s.dev, c.elem, 3))
		s.try(filled.Fill(c.x))
		constant := s.ok(weft.Empty(s.dev, c.elem, 3))
		s.try(roundKernel.Launch(struct {
			Elem weft.DType
			X    float64
		}{c.elem, c.x}, constant))
		for name, t := range map[string]*weft.Tensor{
			"FromFloats":        s.ok(weft.FromFloats(s.dev, c.elem, []float64{c.x})),
			"Full":              s.ok(weft.Full(s.dev, c.elem, c.x, 3)),
			"Fill":              filled,
			"Add of a number":   s.ok(ops.Add(zeros, c.x)),
			"Const of a kernel": constant,
		} {
			for _, got := range s.floats(t) {
				if got != c.want {
					s.Errorf("%s of %x as %v is %x, want %x", name, c.x, c.elem, got, c.want)
				}
			}
		}
	}
}
