package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile"
)

// testNibbles unpacks rows of 4-bit integers of odd lengths, packed on the host, and packs
// them again.
func testNibbles(s *suite) {
	for _, elem := range []weft.DType{weft.I8, weft.U8} {
		kernel := weft.NewKernel("nibbles", func(k *tile.Builder, _ struct{}) {
			words, parts, again := k.In("words", weft.U8, 2), k.Out("parts", elem, 2), k.Out("again", weft.U8, 2)
			p, q := k.ProgramID(0), k.ProgramID(1)
			k.Grid(k.CDiv(words.Dim(0), 4), k.CDiv(words.Dim(1), 16))
			v := words.Block(4, 16).Load(p, q).Unpack4(1, elem)
			parts.Block(4, 32).Store(v, p, q)
			again.Block(4, 16).Store(v.Pack4(1, weft.U8), p, q)
		})
		const rows = 5
		for _, n := range []int{1, 31, 77} {
			var x []int8
			var packed []byte
			for range rows {
				row := make([]int8, n)
				for i := range row {
					row[i] = int8(s.rng.IntN(16))
					if elem == weft.I8 {
						row[i] -= 8
					}
				}
				x = append(x, row...)
				if elem == weft.I8 {
					packed = append(packed, dtype.PackI4(row)...)
				} else {
					packed = append(packed, dtype.PackU4(row)...)
				}
			}
			bytes := (n + 1) / 2
			words := s.ok(weft.FromSlice(s.dev, packed, rows, bytes))
			parts, again := s.output(sliced, elem, rows, n), s.output(dense, weft.U8, rows, bytes)
			s.try(kernel.Launch(struct{}{}, words, parts.Tensor, again.Tensor))
			parts.check(numbers(x), nil)
			again.check(numbers(packed), nil)
		}
	}
	s.agree(func(k *tile.Builder) { // eight to a word, along the other axis
		x, y, z := k.In("x", weft.U32, 2), k.Out("y", weft.I8, 2), k.Out("z", weft.U32, 2)
		v := x.Block(4, 16).Load(0, 0).Unpack4(0, weft.I8)
		y.Block(32, 16).Store(v, 0, 0)
		z.Block(4, 16).Store(v.Neg().Pack4(0, weft.U32), 0, 0)
	}, nil, in(s.random(weft.U32, 3, 13)), out(weft.I8, 23, 13), out(weft.U32, 3, 13))
}

func numbers[T int8 | uint8](x []T) []float64 {
	y := make([]float64, 0, len(x))
	for _, v := range x {
		y = append(y, float64(v))
	}
	return y
}
