package backendtest

import (
	"errors"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

var matmulCases = []testCase{
	{"MatMulShapes", matmulShapes},
	{"MatMulTransposes", matmulTransposes},
	{"MatMulViews", matmulViews},
	{"MatMulTiles", matmulTiles},
	{"MatMulTF32", matmulTF32},
	{"MatMulOverlapRefused", matmulOverlap},
}

// product is a @ b with the bound of its elements.
func product(a, b host, p tile.Precision) (want []float64, bound func(int) float64) {
	m, k, n := a.shape[0], a.shape[1], b.shape[1]
	want, magnitudes := reference.MatMul(m, k, n, a.x, b.x)
	return want, func(i int) float64 { return ops.MatMulBound(a.elem, p, k, want[i], magnitudes[i]) }
}

func matmulShapes(s *suite) {
	shapes := [][3]int{
		{1, 1, 1}, {1, 7, 1}, {1, 64, 100}, {100, 64, 1}, {2, 3, 5}, {17, 33, 29}, {64, 64, 64},
		{130, 5, 67}, {33, 257, 65}, {128, 16, 128}, {200, 1, 3}, {5, 0, 3}, {0, 4, 3}, {5, 4, 0}, {0, 0, 0},
	}
	if s.full {
		shapes = append(shapes, [3]int{300, 500, 700}, [3]int{513, 1025, 257}, [3]int{1, 4096, 1000}, [3]int{1024, 1024, 1024})
	}
	for _, elem := range floatTypes {
		for _, c := range shapes {
			a, b := s.random(elem, c[0], c[1]), s.random(elem, c[1], c[2])
			out := s.output(sliced, elem, c[0], c[2])
			s.try(ops.MatMulInto(out.Tensor, s.input(dense, a), s.input(dense, b)))
			out.check(product(a, b, tile.IEEE))
		}
	}
}

func matmulTransposes(s *suite) {
	shapes := [][3]int{{37, 53, 41}, {64, 128, 32}}
	if s.full {
		shapes = append(shapes, [3]int{255, 129, 191}, [3]int{512, 256, 384})
	}
	for _, elem := range floatTypes {
		for _, c := range shapes {
			for _, fa := range []form{dense, transposed} {
				for _, fb := range []form{dense, transposed} {
					a, b := s.random(elem, c[0], c[1]), s.random(elem, c[1], c[2])
					out := must[*weft.Tensor](s)(ops.MatMul(s.input(fa, a), s.input(fb, b)))
					want, bound := product(a, b, tile.IEEE)
					s.compare(out, want, bound)
					out.Close()
				}
			}
		}
	}
}

func matmulViews(s *suite) {
	for _, elem := range floatTypes {
		for _, fa := range forms {
			for _, fo := range forms {
				fb := forms[s.rng.IntN(len(forms))]
				a, b := s.random(elem, 35, 50), s.random(elem, 50, 43)
				out := s.output(fo, elem, 35, 43)
				s.try(ops.MatMulInto(out.Tensor, s.input(fa, a), s.input(fb, b)))
				out.check(product(a, b, tile.IEEE))
			}
		}
	}
	// A broadcast operand: every row of a is the same.
	row, b := s.random(weft.F32, 1, 20), s.random(weft.F32, 20, 30)
	wide := must[*weft.Tensor](s)(s.tensor(row).Broadcast(9, 20))
	a := host{weft.F32, []int{9, 20}, broadcastTo(s, row, []int{9, 20})}
	out := must[*weft.Tensor](s)(ops.MatMul(wide, s.tensor(b)))
	want, bound := product(a, b, tile.IEEE)
	s.compare(out, want, bound)
}

// Small tiles, so that one launch has many programs, groups that do not divide
// the rows, and many steps.
func matmulTiles(s *suite) {
	tiles := []ops.MatMulConfig{
		{BM: 16, BN: 16, BK: 16, Group: 3}, {BM: 32, BN: 16, BK: 8, Group: 1}, {BM: 16, BN: 64, BK: 32, Group: 8, Threads: 64},
	}
	if s.full {
		tiles = append(tiles, ops.MatMulConfig{BM: 64, BN: 64, BK: 16, Group: 2, Threads: 128},
			ops.MatMulConfig{BM: 128, BN: 64, BK: 8, Group: 5, Threads: 256}, ops.MatMulConfig{BM: 128, BN: 128, BK: 16, Group: 8, Threads: 256})
	}
	for _, elem := range floatTypes {
		for _, cfg := range tiles {
			a, b := s.random(elem, 150, 70), s.random(elem, 70, 101)
			out := s.output(dense, elem, 150, 101)
			s.try(ops.MatMulInto(out.Tensor, s.input(dense, a), s.input(transposed, b), ops.Tiles(cfg)))
			out.check(product(a, b, tile.IEEE))
		}
	}
}

func matmulTF32(s *suite) {
	a, b := s.random(weft.F32, 65, 130), s.random(weft.F32, 130, 70)
	out := must[*weft.Tensor](s)(ops.MatMul(s.tensor(a), s.tensor(b), ops.Precision(tile.TF32)))
	want, bound := product(a, b, tile.TF32)
	s.compare(out, want, bound)
}

func matmulOverlap(s *suite) {
	x := s.random(weft.F32, 8, 8)
	t, other := s.tensor(x), s.tensor(x)
	for name, err := range map[string]error{
		"out is a":   ops.MatMulInto(t, t, other),
		"out is b.T": ops.MatMulInto(t, other, t.T()),
	} {
		if !errors.Is(err, weft.ErrUnsupported) {
			s.Errorf("%s: %v, want ErrUnsupported", name, err)
		}
	}
	s.compare(t, x.x, nil)
}
