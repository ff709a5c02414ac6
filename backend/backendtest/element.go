package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// testElements takes scalars out of tiles, at indices that are known and that are not, and
// lets them decide where the program goes.
func testElements(s *suite) {
	x := s.random(weft.F16, 5, 13)
	s.agree(func(k *tile.Builder) {
		x, i, y, picked := k.In("x", weft.F16, 2), k.In("i", weft.I32, 1), k.Out("y", weft.F16, 2), k.Out("picked", weft.I32, 1)
		p := k.ProgramID(0)
		k.Grid(3)
		v, indices := x.Block(8, 16).Load(0, 0), i.Block(8).Load(p)
		first := indices.At(0)
		y.Block(1, 16).Store(v.At(first, p).Add(v.At(3, 2)).Splat(1, 16).Maximum(v.Max(0)), p, 0)
		sum := k.Var(k.Zeros(weft.I32, 4))
		k.If(indices.Ge(0).All(0).At(0), func() {
			for j := range k.Range(8) {
				sum.Set(sum.Get().Mul(3).Add(indices.At(j)))
			}
		})
		picked.Block(4).Store(sum.Get(), p)
	}, nil, in(x), in(s.indices(24, -1, 24)), out(weft.F16, 3, 16), out(weft.I32, 11))
}
